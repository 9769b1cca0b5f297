/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One lane's roofline: FLOP for each byte along, GFLOP/s up, both logarithmic. The roofs are what the device
 * did at most in measurements of nothing else; a ring is an op of the recorded step, its area the op's share
 * of the step's time.
 */
#include "config.h"
#include "ui/paint/roofline/roofline.h"

#include <math.h>
#include <string.h>
#include <glib/gi18n-lib.h>

#include "ui/paint/parts/text.h"
#include "core/number.h"

#define RING_MAX 13.0 /* units: the diameter of an op that takes the whole step */
#define RING_MIN 1.9  /* units */

double
ls_roof_ring (const LsRoofPlot *plot, const LsRoofOp *op)
{
  return plot->layout->m.unit * MAX (RING_MIN, RING_MAX * sqrt (MIN (op->share, 1)));
}

static double
op_x (const LsRoofPlot *plot, const LsRoofOp *op)
{
  return ls_axis_at (&plot->x, CLAMP (op->intensity, plot->x.low, plot->x.high));
}

static double
op_y (const LsRoofPlot *plot, const LsRoofOp *op)
{
  return ls_axis_at (&plot->y, CLAMP (op->rate / 1e9, plot->y.low, plot->y.high));
}

/* With the frame that it has while it is the one of the clock. */
LsArea
ls_roof_ring_area (const LsRoofPlot *plot, const LsRoofOp *op)
{
  const double r = ls_roof_ring (plot, op) / 2 + 1.5 * plot->layout->m.unit + 1;

  return (LsArea){ op_x (plot, op) - r, op_y (plot, op) - r, 2 * r, 2 * r };
}

const LsRoofOp *
ls_roof_before (const LsRoofPlot *plot, const LsRoofOp *op)
{
  const LsRecording *now = plot->layout->data->recording;
  const LsRecording *then = plot->before != NULL ? plot->layout->data->other->recording : NULL;

  for (guint i = 0; then != NULL && i < plot->before->len; i++)
    {
      const LsRoofOp *before = &g_array_index (plot->before, LsRoofOp, i);
      if (strcmp (then->ops[before->op].name, now->ops[op->op].name) == 0
          && strcmp (then->ops[before->op].symbol, now->ops[op->op].symbol) == 0)
        return before;
    }
  return NULL;
}

/* ---- words ---- */

static char *
bound_words (const LsRoofOp *op)
{
  g_autofree char *percent = ls_number_text (100 * op->of_roof, 2);

  switch (op->bound)
    {
    case LS_BOUND_COMPUTE:
      return g_strdup_printf (_("%s %% of the compute roof"), percent);
    case LS_BOUND_MEMORY:
      return g_strdup_printf (_("%s %% of what memory allows"), percent);
    case LS_BOUND_CACHE:
      return g_strdup (_("above the memory roof: its data lie in a cache"));
    case LS_BOUND_ABOVE:
      return g_strdup (_("above the compute roof as measured"));
    case LS_BOUND_UNKNOWN:
      break;
    }
  return NULL;
}

char *
ls_roof_words (const LsRoofPlot *plot, const LsRoofOp *op, gboolean brief)
{
  const LsRecordedOp *recorded = &plot->layout->data->recording->ops[op->op];
  g_autofree char *rate = ls_number_text (op->rate / 1e9, 3), *bound = bound_words (op);

  return bound == NULL
           ? g_strdup_printf (_("%s: %s GFLOP/s"), brief ? recorded->symbol : recorded->equation, rate)
           : g_strdup_printf (_("%s: %s GFLOP/s, %s"), brief ? recorded->symbol : recorded->equation, rate,
                              bound);
}

/* ---- rings ---- */

static gint
longer_first (gconstpointer a, gconstpointer b)
{
  const LsRoofOp *x = a, *y = b;

  return x->share > y->share ? -1 : x->share < y->share;
}

/* A roof lies across that place at x. */
static gboolean
crosses_roof (const LsRoofPlot *plot, double x, const LsArea *place)
{
  const LsRoofs *r = &plot->roofs;
  const double bytes[] = { r->memory, r->caches[0], r->caches[1], r->caches[2] },
               intensity = plot->x.low
                           * pow (plot->x.high / plot->x.low, (x - plot->left) / (plot->right - plot->left));

  for (guint i = 0; i < G_N_ELEMENTS (bytes) && r->flops > 0; i++)
    {
      const double y = bytes[i] > 0 ? ls_axis_at (
                         &plot->y, MAX (MIN (r->flops, bytes[i] * intensity) / 1e9, plot->y.low))
                                    : -G_MAXDOUBLE;
      if (y > place->y - 2 && y < place->y + place->h + 2)
        return TRUE;
    }
  return FALSE;
}

/* What is written already. */
static gboolean
is_free (const LsRoofPlot *plot, const GArray *taken, const LsArea *place)
{
  if (place->x < plot->left || place->x + place->w > plot->right || place->y < plot->top
      || place->y + place->h > plot->bottom)
    return FALSE;
  for (guint i = 0; i <= 4; i++)
    if (crosses_roof (plot, place->x + place->w * i / 4, place))
      return FALSE;
  for (guint i = 0; i < taken->len; i++)
    if (ls_area_overlaps (place, &g_array_index (taken, LsArea, i)))
      return FALSE;
  return TRUE;
}

/* From the ring's edge to the place. */
static double
apart (const LsRoofPlot *plot, const LsRoofOp *op, const LsArea *place)
{
  const double x = op_x (plot, op), y = op_y (plot, op),
               across = MAX (MAX (place->x - x, x - place->x - place->w), 0),
               down = MAX (MAX (place->y - y, y - place->y - place->h), 0);

  return hypot (across, down) - ls_roof_ring (plot, op) / 2;
}

/* No other ring is nearer to that place. */
static gboolean
is_own (const LsRoofPlot *plot, const LsRoofOp *op, const LsArea *place)
{
  const double own = apart (plot, op, place);

  for (guint i = 0; i < plot->ops->len; i++)
    {
      const LsRoofOp *other = &g_array_index (plot->ops, LsRoofOp, i);
      if (other->op != op->op && apart (plot, other, place) <= own)
        return FALSE;
    }
  return TRUE;
}

/* The op's name beside its ring, where there is room: the longest op's first. Above and below it a ring
 * climbs while its op runs, and the line to its roof is drawn: only where there is no other room. */
static void
name_op (const LsRoofPlot *plot, const LsRoofOp *op, GArray *taken)
{
  const LsMetrics *m = &plot->layout->m;
  const char *name = plot->layout->data->recording->ops[op->op].symbol;
  const LsType type = { m->label.px, 700 };
  LsScene *s = plot->layout->still;
  const double w = ls_scene_width (s, type, name), r = ls_roof_ring_area (plot, op).w / 2, gap = m->unit / 2;
  const double x = op_x (plot, op), y = op_y (plot, op), h = type.px * 1.1;
  const LsArea places[] = { { x + r + gap, y - h / 2, w, h },   { x - r - gap - w, y - h / 2, w, h },
                            { x + r + gap, y + h / 2, w, h },   { x - r - gap - w, y + h / 2, w, h },
                            { x + r + gap, y - h * 1.5, w, h }, { x - r - gap - w, y - h * 1.5, w, h },
                            { x - w / 2, y + r + gap, w, h },   { x - w / 2, y - r - gap - h, w, h } };

  for (guint i = 0; i < G_N_ELEMENTS (places); i++)
    if (is_free (plot, taken, &places[i]) && is_own (plot, op, &places[i]))
      {
        ls_scene_text (s, places[i].x, places[i].y + h * .8, type, LS_INK_LANE, LS_LEFT, name)->value
          = (float) plot->side;
        g_array_append_val (taken, places[i]);
        return;
      }
}

/* From where the op was in the other recording to where it is: thin there, as wide as its ring here. */
static void
wedge (const LsRoofPlot *plot, const LsRoofOp *op)
{
  const LsRoofOp *before = ls_roof_before (plot, op);
  LsScene *s = plot->layout->still;
  LsItem *item;

  if (before == NULL)
    return;
  const double x0 = op_x (plot, before), y0 = op_y (plot, before), x1 = op_x (plot, op), y1 = op_y (plot, op),
               length = hypot (x1 - x0, y1 - y0), r = ls_roof_ring (plot, op) / 2;
  if (length < 2 * r)
    return;
  const double across_x = (y0 - y1) / length, across_y = (x1 - x0) / length;
  item = ls_scene_path (s, LS_ITEM_AREA, LS_INK_MARK, plot->side, 0);
  item->alpha = .3f;
  item->evidence = LS_EVIDENCE_DERIVED;
  item->strong = TRUE;
  ls_scene_point (s, x0, y0);
  ls_scene_point (s, x1 + r * across_x, y1 + r * across_y);
  ls_scene_point (s, x1 - r * across_x, y1 - r * across_y);
}

static void
rings (const LsRoofPlot *plot)
{
  g_autoptr (GArray) sorted = g_array_copy (plot->ops), taken = g_array_new (FALSE, FALSE, sizeof (LsArea));
  LsScene *s = plot->layout->still;

  for (guint i = 0; i < s->items->len; i++) /* names of roofs */
    {
      const LsItem *item = ls_scene_get (s, i);
      LsArea area;
      if (item->kind != LS_ITEM_TEXT)
        continue;
      ls_item_bounds (s, item, &area.x, &area.y, &area.w, &area.h);
      g_array_append_val (taken, area);
    }
  for (guint i = 0; i < sorted->len; i++)
    {
      const LsRoofOp *op = &g_array_index (sorted, LsRoofOp, i);
      const double r = ls_roof_ring (plot, op) / 2, x = op_x (plot, op), y = op_y (plot, op);
      const LsArea area = ls_roof_ring_area (plot, op);
      LsItem *ring;

      wedge (plot, op);
      g_array_append_val (taken, area);
      ring = ls_scene_path (s, LS_ITEM_RINGS, LS_INK_SOFT, plot->side, 2 * r);
      ring->evidence = LS_EVIDENCE_DERIVED;
      ring->strong = TRUE;
      ls_scene_point (s, x, y);
      ls_stage_slot (plot->layout, LS_SLOT_OPS, -1, op->op, x - MAX (r, 12), y - MAX (r, 12), 2 * MAX (r, 12),
                     2 * MAX (r, 12));
    }
  ls_roof_counted (plot, taken);
  g_array_sort (sorted, longer_first);
  for (guint i = 0; i < sorted->len; i++)
    name_op (plot, &g_array_index (sorted, LsRoofOp, i), taken);
}

/* The share of the op's pieces that is done at the clock's time, over the share of its time that has passed:
 * its rate up to now over that of the whole op. */
static double
climbed (const LsRoofPlot *plot, const LsRoofOp *op)
{
  const LsStepIndex *index = plot->lane->index;
  const LsOpTrace *trace = &index->ops[op->op];
  const gint64 now = plot->layout->query.time_ns;
  guint done = 0;

  if (now >= trace->end_ns || now <= trace->start_ns || trace->n == 0 || !trace->timed)
    return 1;
  for (guint i = 0; i < trace->n; i++)
    done += (gint64) (ls_step_index_piece (index, trace, i)->end_ns - index->lane->start_ns) <= now;
  return (double) done / trace->n * (double) (trace->end_ns - trace->start_ns)
         / (double) (now - trace->start_ns);
}

/* The same op with the rate that it has come to by then. */
static LsRoofOp
so_far (const LsRoofPlot *plot, const LsRoofOp *op)
{
  LsRoofOp now = *op;

  now.rate *= climbed (plot, op);
  return now;
}

gboolean
ls_roof_plot_drawn (const LsRoofPlot *plot)
{
  return plot->x.to > plot->x.from;
}

/* Ops are done as the clock runs; the one at its hand has words above, and a line up to its roof. */
void
ls_roof_plot_move (const LsRoofPlot *plot)
{
  const LsLayout *layout = plot->layout;
  const LsMetrics *m = &layout->m;
  const LsRoofOp *now = ls_roofline_find (plot->ops, plot->lane, layout->query.op);
  LsScene *s = layout->moving;

  for (guint i = 0; i < plot->ops->len; i++)
    {
      const LsRoofOp *op = &g_array_index (plot->ops, LsRoofOp, i);
      LsItem *ring;

      if (plot->lane->index->ops[op->op].start_ns > layout->query.time_ns)
        continue;
      const LsRoofOp here = so_far (plot, op);
      ring = ls_scene_path (s, LS_ITEM_RINGS, LS_INK_MARK, plot->side, ls_roof_ring (plot, op));
      ring->evidence = LS_EVIDENCE_DERIVED;
      ring->strong = TRUE;
      ls_scene_point (s, op_x (plot, &here), op_y (plot, &here));
    }
  if (now == NULL)
    return;
  const LsRoofOp here = so_far (plot, now);
  const double limit = ls_roofline_limit (&plot->roofs, now->intensity), x = op_x (plot, now),
               y = op_y (plot, &here),
               y_roof = ls_axis_at (&plot->y, CLAMP (limit / 1e9, plot->y.low, plot->y.high));
  const double r = ls_roof_ring (plot, now) / 2 + 1.5 * m->unit;
  if (limit > 0 && y_roof < y - r)
    {
      ls_scene_path (s, LS_ITEM_GUIDE, LS_INK_TEXT, 0, layout->style.hairline * 1.4);
      ls_scene_point (s, x, y - r);
      ls_scene_point (s, x, y_roof);
    }
  ls_scene_path (s, LS_ITEM_RINGS, LS_INK_TEXT, 0, 2 * r)->strong = TRUE;
  ls_scene_point (s, x, y);
  const LsRoofOp *before = ls_roof_before (plot, now);
  const gboolean runs = fabs (here.rate / now->rate - 1) > 1e-9;
  /* what the ring shows while the op runs goes before what another recording had */
  g_autofree char *rate = runs             ? ls_number_text (here.rate / 1e9, 3)
                          : before != NULL ? ls_number_text (before->rate / 1e9, 3)
                                           : NULL;
  for (guint form = rate != NULL ? 0 : 2; form < 4; form++)
    {
      g_autofree char *own = ls_roof_words (plot, now, form % 2 == 1);
      g_autofree char *words = form < 2 ? g_strdup_printf (
                                 runs ? _("%s; so far %s") : _("%s; in the other recording %s"), own, rate)
                                        : g_strdup (own);
      if (ls_text_marked (s, m, plot->area.x, plot->area.y + m->label.px * 1.3, plot->area.w,
                          LS_EVIDENCE_DERIVED, LS_INK_TEXT, words)
          > plot->area.x)
        return;
    }
}

void
ls_roof_plot (LsRoofPlot *plot)
{
  const LsMetrics *m = &plot->layout->m;

  plot->left = plot->area.x + ls_scene_width (plot->layout->still, m->tick, "10 000") + 2 * m->unit;
  plot->right = plot->area.x + plot->area.w;
  plot->top = plot->area.y + m->tick.px * 2.4 + m->label.px * (plot->lower ? 4.4 : 3);
  plot->bottom = plot->area.y + plot->area.h - m->unit - m->tick.px * 3;
  if (plot->bottom - plot->top < 6 * m->label.px || plot->right - plot->left < 12 * m->label.px)
    return;
  ls_axis_init (&plot->x, plot->x.low, plot->x.high, plot->left, plot->right, TRUE, LS_MAX_TICKS);
  ls_axis_init (&plot->y, plot->y.low, plot->y.high, plot->bottom, plot->top, TRUE, 6);
  ls_scene_text (plot->layout->still, plot->left, plot->top - m->tick.px * .8, m->tick, LS_INK_QUIET, LS_LEFT,
                 _("GFLOP/s"));
  ls_roof_tell (plot, plot->area.y + m->label.px * 2.7);
  ls_roof_published_tell (plot, plot->area.y + m->label.px * 4.1);
  ls_roof_axes (plot);
  ls_roof_lines (plot);
  rings (plot);
  ls_roof_published_lines (plot);
}
