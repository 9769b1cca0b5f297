/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One function per kind of mark. Evidence owns the fill: solid is measured, hollow derived, hatched modelled,
 * dotted published, and no state of a mark may look like any of these, so nothing else here is hollow,
 * hatched or dotted.
 */
#include "ui/paint/scene/painter.h"

#include <math.h>

#define SPECK 3.f /* px: dots below are squares, which Cairo fills in a quarter of the time */

static void
paint_box (const LsPainter *p, const LsItem *item)
{
  ls_painter_color (p, ls_painter_ink (p, item), ls_painter_alpha (p, item));
  if (item->size > 0)
    ls_painter_round_box (p->cr, (double) item->x, (double) item->y, (double) item->w, (double) item->h,
                          (double) item->size);
  else
    cairo_rectangle (p->cr, (double) item->x, (double) item->y, (double) item->w, (double) item->h);
  cairo_fill (p->cr);
}

/* Inside the box, however small that is. Four boxes: a stroke that is as wide as its box comes out
 * differently under another clip. */
static void
add_edge (const LsPainter *p, double x, double y, double w, double h)
{
  const double width = MIN (p->style->edge, MIN (w, h) / 2);

  cairo_rectangle (p->cr, x, y, w, width);
  cairo_rectangle (p->cr, x, y + h - width, w, width);
  cairo_rectangle (p->cr, x, y + width, width, h - 2 * width);
  cairo_rectangle (p->cr, x + w - width, y + width, width, h - 2 * width);
}

/* A worker's fill that is too light against the view has an edge; under 4 px there is no room for one. The
 * order's shades have none: neighbours tell them apart, and edges in the light half alone would look like a
 * state. */
static void
solid (const LsPainter *p, double x, double y, double w, double h, LsColor color, double alpha,
       gboolean edged)
{
  LsColor edge;

  ls_painter_box (p, x, y, w, h, color, alpha);
  if (!edged || w < 4 || h < 4 || !ls_style_edge (p->style, color, &edge))
    return;
  ls_painter_color (p, edge, alpha);
  add_edge (p, x, y, w, h);
  cairo_fill (p->cr);
}

/* Several bars from worker 8 on: 8 to 15 one, 16 to 23 two, … at most four, since more can't be counted at a
 * glance. */
static void
worker_bars (const LsPainter *p, const LsItem *item)
{
  const guint bars = MIN (item->worker / LS_WORKER_COLORS, 4u);
  const double h = (double) item->h, thick = h >= 26 ? 3 : 2;

  /* never through the number, which stands in the middle: it says who it was by itself */
  if (item->w < 12 || (h - 14) / 2 < (thick + 2) * bars + 1)
    return;
  for (guint i = 0; i < bars; i++)
    ls_painter_box (p, (double) item->x + 4, (double) item->y + h - (thick + 2) * (i + 1) - 1,
                    (double) item->w - 8, thick, ls_color_on (ls_painter_ink (p, item)),
                    ls_painter_alpha (p, item));
}

/* The owner's colour in the upper right corner, 2 px of view between. */
static void
taken_corner (const LsPainter *p, const LsItem *item)
{
  const double z = (double) item->size, right = (double) item->x + (double) item->w, y = (double) item->y;
  const LsColor owner = ls_style_color (p->style, LS_INK_WORKER, item->owner);
  LsColor edge;

  cairo_move_to (p->cr, right - z - 3, y);
  cairo_line_to (p->cr, right, y);
  cairo_line_to (p->cr, right, y + z + 3);
  ls_painter_color (p, p->style->palette->view, 1);
  cairo_fill (p->cr);
  cairo_move_to (p->cr, right - z, y);
  cairo_line_to (p->cr, right, y);
  cairo_line_to (p->cr, right, y + z);
  cairo_close_path (p->cr);
  ls_painter_color (p, owner, ls_painter_alpha (p, item));
  if (ls_style_edge (p->style, owner, &edge))
    {
      cairo_fill_preserve (p->cr);
      ls_painter_color (p, edge, ls_painter_alpha (p, item));
      cairo_set_line_width (p->cr, 1);
      cairo_stroke (p->cr);
    }
  else
    cairo_fill (p->cr);
}

static void
paint_tile (const LsPainter *p, const LsItem *item)
{
  const double x = (double) item->x, y = (double) item->y, w = (double) item->w, h = (double) item->h;
  const LsColor color = ls_painter_ink (p, item);

  switch (ls_item_state (item, p->moment))
    {
    case LS_AHEAD:
      ls_painter_box (p, x, y, w, h, p->style->palette->track, 1);
      return;
    case LS_RUNNING:
      ls_painter_box (p, x, y, w, h, ls_color_mix (p->style->palette->view, color, .3),
                      ls_painter_alpha (p, item));
      solid (p, x, y, MIN (w, w < 24 ? 3 : 8), h, color, ls_painter_alpha (p, item), FALSE);
      return;
    case LS_DONE:
      solid (p, x, y, w, h, color, ls_painter_alpha (p, item), item->ink == LS_INK_WORKER);
      if (item->ink == LS_INK_WORKER)
        worker_bars (p, item);
      if (item->owner != LS_NO_VALUE && item->size > 0)
        taken_corner (p, item);
    }
}

static void
paint_bar (const LsPainter *p, const LsItem *item)
{
  const double x = (double) item->x, y = (double) item->y, w = (double) item->w, h = (double) item->h;
  const LsColor color = ls_painter_ink (p, item);
  double done;

  switch (ls_item_state (item, p->moment))
    {
    case LS_AHEAD:
      return;
    case LS_RUNNING:
      done = w * (double) (p->moment->time_ns - item->t0) / (double) (item->t1 - item->t0);
      ls_painter_box (p, x, y, done, h, ls_color_mix (p->style->palette->view, color, .3),
                      ls_painter_alpha (p, item));
      ls_painter_box (p, x, y, MIN (done, 5), h, color, ls_painter_alpha (p, item));
      return;
    case LS_DONE:
      solid (p, x, y, w, h, color, ls_painter_alpha (p, item), item->ink == LS_INK_WORKER);
      if (item->owner != LS_NO_VALUE && item->size > 0)
        taken_corner (p, item);
    }
}

/* Is all of the bar's look the same as the first one's, and the bar done? */
static gboolean
like_bar (const LsPainter *p, const LsItem *first, const LsItem *item)
{
  return item->kind == LS_ITEM_BAR && item->ink == first->ink && item->value >= first->value
         && item->value <= first->value && item->alpha >= first->alpha && item->alpha <= first->alpha
         && item->worker == first->worker && item->evidence == first->evidence && item->owner == LS_NO_VALUE
         && ls_item_shown (item, p->moment) && ls_item_state (item, p->moment) == LS_DONE;
}

/* Bars in a row that look the same, on whole pixels: one path for all, since most of a fill's time is its
 * beginning and end. Returns how many there were. */
static guint
paint_bars (const LsPainter *p, const guint *items, guint n, guint i)
{
  const LsItem *first = ls_scene_get (p->scene, items != NULL ? items[i] : i);
  guint end = i, edged = 0;
  LsColor color, rim;

  for (; end < n; end++)
    {
      const LsItem *item = ls_scene_get (p->scene, items != NULL ? items[end] : end);
      if (!like_bar (p, first, item))
        break;
      cairo_rectangle (p->cr, (double) item->x, (double) item->y, (double) item->w, (double) item->h);
    }
  if (end == i)
    return 0;
  color = ls_painter_ink (p, first);
  ls_painter_color (p, color, ls_painter_alpha (p, first));
  cairo_fill (p->cr);
  if (first->ink != LS_INK_WORKER || !ls_style_edge (p->style, color, &rim))
    return end - i;
  for (guint k = i; k < end; k++)
    {
      const LsItem *item = ls_scene_get (p->scene, items != NULL ? items[k] : k);
      const double w = (double) item->w, h = (double) item->h;
      if (w < 4 || h < 4)
        continue;
      add_edge (p, (double) item->x, (double) item->y, w, h);
      edged++;
    }
  ls_painter_color (p, rim, ls_painter_alpha (p, first));
  if (edged > 0)
    cairo_fill (p->cr);
  return end - i;
}

static void
paint_text (const LsPainter *p, const LsItem *item)
{
  ls_painter_color (p, ls_painter_ink (p, item), ls_painter_alpha (p, item));
  ls_fonts_show (p->scene->fonts, p->cr, item->type, (double) item->x, (double) item->y, item->text);
}

/* Rings are filled with the view, so that what lies under them doesn't run through their middle. */
static void
paint_rings (const LsPainter *p, const LsItem *item)
{
  const float *points = (const float *) (const void *) p->scene->points->data + 2 * (gsize) item->points;
  const double line = p->style->data + .5;

  cairo_set_line_width (p->cr, line);
  for (guint i = 0; i < item->n_points; i++)
    {
      cairo_new_sub_path (p->cr);
      cairo_arc (p->cr, (double) points[2 * i], (double) points[2 * i + 1], ((double) item->size - line) / 2,
                 0, 2 * G_PI);
      ls_painter_color (p, p->style->palette->view, 1);
      cairo_fill_preserve (p->cr);
      ls_painter_color (p, ls_painter_ink (p, item), ls_painter_alpha (p, item));
      cairo_stroke (p->cr);
    }
}

/* On, off, on, off: px of the lines of each lane's ink. */
static const double dashes[LS_LANE_INKS][4] = {
  { 1, 0, 1, 0 },   { 6, 3, 6, 3 }, { 12, 3, 12, 3 },   { 2.5, 2.5, 2.5, 2.5 },
  { 9, 3, 2.5, 3 }, { 6, 5, 6, 5 }, { 2.5, 5, 2.5, 5 }, { 12, 3, 5, 3 },
};

static void
paint_path (const LsPainter *p, const LsItem *item)
{
  const float *points = (const float *) (const void *) p->scene->points->data + 2 * (gsize) item->points;
  const guint ink = item->ink == LS_INK_MARK ? ls_style_lane_ink (p->style, (double) item->value) : 0;
  const gboolean dashed = ink >= LS_SIDES || (p->style->dashed && ink == 1);

  for (guint i = 0; i < item->n_points; i++)
    {
      const double x = (double) points[2 * i], y = (double) points[2 * i + 1];
      if (item->kind == LS_ITEM_DOTS && item->size < SPECK)
        {
          const double side = .886 * (double) item->size; /* of the circle's area */
          cairo_rectangle (p->cr, x - side / 2, y - side / 2, side, side);
        }
      else if (item->kind == LS_ITEM_DOTS)
        {
          cairo_new_sub_path (p->cr);
          cairo_arc (p->cr, x, y, (double) item->size / 2, 0, 2 * G_PI);
        }
      else
        cairo_line_to (p->cr, x, y);
    }
  ls_painter_color (p, ls_painter_ink (p, item), ls_painter_alpha (p, item));
  if (item->kind == LS_ITEM_AREA && item->evidence == LS_EVIDENCE_MODELLED)
    {
      ls_paint_hatched_path (p);
      return;
    }
  if (item->kind == LS_ITEM_AREA || item->kind == LS_ITEM_DOTS)
    {
      cairo_fill (p->cr);
      return;
    }
  cairo_set_line_width (p->cr, (double) item->size);
  /* where points are denser than pixels nobody sees the joins, and round ones cost most of the time */
  cairo_set_line_join (p->cr, item->n_points > 600 ? CAIRO_LINE_JOIN_BEVEL : CAIRO_LINE_JOIN_ROUND);
  if (dashed)
    cairo_set_dash (p->cr, dashes[ink], 4, 0);
  cairo_stroke (p->cr);
  cairo_set_line_join (p->cr, CAIRO_LINE_JOIN_MITER);
  cairo_set_dash (p->cr, NULL, 0, 0);
}

static void
paint_wait (const LsPainter *p, const LsItem *item)
{
  const double x = (double) item->x, y = (double) item->y, h = (double) item->h;
  const LsItemState state = ls_item_state (item, p->moment);
  double w = (double) item->w;

  if (state == LS_RUNNING)
    w *= (double) (p->moment->time_ns - item->t0) / (double) (item->t1 - item->t0);
  if (w < 3 || state == LS_AHEAD)
    return;
  ls_painter_box (p, x + 2, y + h / 2 - 1, w - 3, 2, ls_painter_ink (p, item), ls_painter_alpha (p, item));
  if (w > 8)
    ls_painter_box (p, x + w - 2, y, 2, h, ls_painter_ink (p, item), ls_painter_alpha (p, item));
}

static LsColor
ramp_color (const LsPainter *p, const LsItem *item, double t)
{
  if (item->ink == LS_INK_SIGN)
    return ls_style_color (p->style, LS_INK_SIGN, 2 * t - 1);
  return ls_style_color (p->style, item->ink == LS_INK_AMOUNT ? LS_INK_AMOUNT : LS_INK_ORDER, t);
}

/* A gradient on paper; on pixels one fill for each column, since a gradient's rounding depends on where a
 * clip begins. */
static void
paint_ramp (const LsPainter *p, const LsItem *item)
{
  const double x = (double) item->x, y = (double) item->y, w = (double) item->w, h = (double) item->h;
  cairo_pattern_t *pattern;

  if (cairo_surface_get_type (cairo_get_target (p->cr)) == CAIRO_SURFACE_TYPE_IMAGE)
    {
      for (double at = x; at < x + w; at = floor (at) + 1)
        ls_painter_box (p, at, y, MIN (floor (at) + 1, x + w) - at, h, ramp_color (p, item, (at - x) / w), 1);
      return;
    }
  pattern = cairo_pattern_create_linear (x, 0, x + w, 0);
  for (guint i = 0; i <= 16; i++)
    {
      LsColor c = ramp_color (p, item, i / 16.0);
      cairo_pattern_add_color_stop_rgb (pattern, i / 16.0, c.r, c.g, c.b);
    }
  cairo_set_source (p->cr, pattern);
  cairo_rectangle (p->cr, x, y, w, h);
  cairo_fill (p->cr);
  cairo_pattern_destroy (pattern);
}

static void
paint_frame (const LsPainter *p, const LsItem *item)
{
  const double line = p->style->picked, out = line / 2 - 1;
  const double x = (double) item->x - out, y = (double) item->y - out, w = (double) item->w + 2 * out,
               h = (double) item->h + 2 * out;

  cairo_rectangle (p->cr, x, y, w, h);
  ls_painter_color (p, p->style->palette->view, 1);
  cairo_set_line_width (p->cr, line + 4);
  cairo_stroke_preserve (p->cr);
  ls_painter_color (p, p->style->palette->text, 1);
  cairo_set_line_width (p->cr, line);
  cairo_stroke (p->cr);
}

static void
add_teeth (const LsPainter *p, const LsItem *item)
{
  const double x = (double) item->x, y = (double) item->y, w = (double) item->w, h = (double) item->h;
  const guint teeth = MAX (2, (guint) (w / 8));

  cairo_move_to (p->cr, x, y + h);
  for (guint i = 0; i < teeth; i++)
    {
      cairo_line_to (p->cr, x + w * (i + .5) / teeth, y);
      cairo_line_to (p->cr, x + w * (i + 1) / teeth, y + h);
    }
  cairo_close_path (p->cr);
}

/* A block of folded spans ends in teeth of view colour cut out of its foot: those of blocks that follow on
 * each other, which stand side by side, in one path. Returns how many there were. */
static guint
paint_zigzags (const LsPainter *p, const guint *items, guint n, guint i)
{
  const LsItem *first = ls_scene_get (p->scene, items != NULL ? items[i] : i);
  guint end = i;

  for (; end < n; end++)
    {
      const LsItem *item = ls_scene_get (p->scene, items != NULL ? items[end] : end);
      if (item->kind != LS_ITEM_ZIGZAG || item->ink != first->ink || !ls_item_shown (item, p->moment))
        break;
      add_teeth (p, item);
    }
  ls_painter_color (p, ls_painter_ink (p, first), 1);
  cairo_fill (p->cr);
  return end - i;
}

static void
paint_warning (const LsPainter *p, const LsItem *item)
{
  const double x = (double) item->x, y = (double) item->y, w = (double) item->w, h = (double) item->h;

  cairo_move_to (p->cr, x + w / 2, y);
  cairo_line_to (p->cr, x + w, y + h);
  cairo_line_to (p->cr, x, y + h);
  cairo_close_path (p->cr);
  ls_painter_color (p, ls_painter_ink (p, item), 1);
  cairo_fill (p->cr);
  ls_painter_box (p, x + w / 2 - 1, y + h * .35, 2, h * .3, p->style->palette->view, 1);
  ls_painter_box (p, x + w / 2 - 1, y + h * .74, 2, 2, p->style->palette->view, 1);
}

/* items: positions in the scene; NULL: the first n. No item may leave a line's join or dashes to those after
 * it: painting some of the items must give the same as painting all. */
static void
paint_items (const LsScene *scene, cairo_t *cr, const LsMoment *moment, const guint *items, guint n)
{
  LsRamps ramps;
  const LsPainter p = { .scene = scene, .style = scene->style, .cr = cr, .moment = moment, .ramps = &ramps };
  static void (*const painters[]) (const LsPainter *, const LsItem *) = {
    [LS_ITEM_BOX] = paint_box,          [LS_ITEM_TILE] = paint_tile,
    [LS_ITEM_BAR] = paint_bar,          [LS_ITEM_TEXT] = paint_text,
    [LS_ITEM_LINE] = paint_path,        [LS_ITEM_AREA] = paint_path,
    [LS_ITEM_DOTS] = paint_path,        [LS_ITEM_EVIDENCE] = ls_paint_evidence,
    [LS_ITEM_WAIT] = paint_wait,        [LS_ITEM_DASH] = paint_box,
    [LS_ITEM_RAMP] = paint_ramp,        [LS_ITEM_FRAME] = paint_frame,
    [LS_ITEM_WARNING] = paint_warning,  [LS_ITEM_HOLLOW] = ls_paint_hollow,
    [LS_ITEM_DOTTED] = ls_paint_hollow, [LS_ITEM_HATCH] = ls_paint_hatch,
    [LS_ITEM_RINGS] = paint_rings,      [LS_ITEM_GUIDE] = ls_paint_guide,
    [LS_ITEM_IMAGE] = ls_paint_image,
  };

  ramps.made[0] = ramps.made[1] = ramps.made[2] = FALSE;
  cairo_save (cr);
  cairo_set_line_cap (cr, CAIRO_LINE_CAP_BUTT);
  cairo_set_line_join (cr, CAIRO_LINE_JOIN_MITER);
  for (guint i = 0, alike; i < n; i += MAX (alike, 1))
    {
      const LsItem *item = ls_scene_get (scene, items != NULL ? items[i] : i);
      cairo_new_path (cr); /* text leaves a current point behind */
      alike = item->kind == LS_ITEM_BAR      ? paint_bars (&p, items, n, i)
              : item->kind == LS_ITEM_ZIGZAG ? paint_zigzags (&p, items, n, i)
                                             : 0;
      if (alike == 0 && item->kind != LS_ITEM_ZIGZAG && ls_item_shown (item, moment))
        painters[item->kind](&p, item);
    }
  cairo_restore (cr);
}

void
ls_paint_scene (const LsScene *scene, cairo_t *cr, const LsMoment *moment)
{
  paint_items (scene, cr, moment, NULL, scene->items->len);
}

void
ls_paint_items (const LsScene *scene, cairo_t *cr, const LsMoment *moment, const guint *items, guint n)
{
  if (n > 0)
    paint_items (scene, cr, moment, items, n);
}
