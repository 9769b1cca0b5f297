/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Places: that every mark of an event stands where the event is, by the numbers at the clock or by its own
 * number in the op, and that colours are those of the lanes that they name.
 */
#include "places.h"

#include <math.h>
#include <string.h>

#include "ui/paint/views.h"

/* ---- events on a clock ---- */

static const LsEvent *
event_of (const LsPicture *p, const LsItem *item)
{
  if (item->side >= LS_SIDES || item->event == LS_NO_EVENT || p->layout->shown[item->side] == NULL)
    return NULL;
  return ls_layout_event (p->layout, (LsPick){ item->side, item->event });
}

/* Since the lane's start of the step. */
static double
since (const LsPicture *p, const LsItem *item, guint64 ns)
{
  return (double) (gint64) (ns - p->layout->shown[item->side]->recorded->start_ns);
}

static double
unit_ns (const char *text)
{
  const char *unit = text + strspn (text, "0123456789. ");

  return g_str_has_prefix (unit, "ns")   ? 1
         : g_str_has_prefix (unit, "µs") ? 1e3
         : g_str_has_prefix (unit, "ms") ? 1e6
                                         : 1e9;
}

/* Race's clock stands between the columns, and its first number has the unit. */
static char *
race_scale (const LsPicture *p, LsScale *scale)
{
  double unit = 0;

  *scale = (LsScale){ 0 };
  for (guint i = 0; i < p->layout->moving->items->len; i++)
    {
      const LsItem *item = ls_scene_get (p->layout->moving, i);
      double value;

      if (item->kind != LS_ITEM_TEXT || item->ink != LS_INK_QUIET || item->type.px != p->layout->m.label.px
          || fabs ((double) item->x + (double) item->w / 2 - p->layout->width / 2) > 1
          || !ls_scale_number (item->text, &value))
        continue;
      if (value == 0)
        unit = unit_ns (item->text);
      ls_scale_add (scale, item->text, value, ls_text_middle (item));
    }
  if (unit == 0)
    scale->n = 0; /* the hand stands on it */
  for (guint i = 0; i < scale->n; i++)
    scale->ticks[i].value *= unit;
  return scale->n >= 2 ? ls_scale_learn (scale, "clock") : NULL;
}

/* An op's box goes from its beginning to its end, in its lane's half; what is solid has been done. */
static char *
race_is_true (const LsPicture *p)
{
  const gint64 now = p->layout->query.time_ns;
  LsScale scale;
  char *fault;

  if (p->layout->view != &ls_view_race)
    return NULL;
  fault = race_scale (p, &scale);
  if (fault != NULL || scale.n < 2)
    return fault;
  for (guint i = 0; i < p->layout->still->items->len; i++)
    {
      const LsItem *item = ls_scene_get (p->layout->still, i);
      const LsEvent *e = item->kind == LS_ITEM_BOX ? event_of (p, item) : NULL;

      if (e == NULL)
        continue;
      ls_places_seen[LS_SEEN_RACE]++;
      const double top = ls_scale_px (&scale, since (p, item, e->start_ns)),
                   end = ls_scale_px (&scale, since (p, item, e->end_ns));
      if (((double) item->x < p->layout->width / 2) != (item->side == 0) || item->value != item->side)
        return g_strdup_printf ("an op of %s stands at %.0f in the ink of lane %g", ls_side_name (item->side),
                                (double) item->x, (double) item->value);
      if (fabs ((double) item->y - top) > LS_NEAR
          || (double) (item->y + item->h) > MAX (end, top + 1.5) + LS_NEAR
          || (double) (item->y + item->h) < end - 1 - LS_NEAR)
        return g_strdup_printf (
          "op %u of %s stands from %.0f to %.0f ns by the clock, and went from %.0f to %.0f", e->op,
          ls_side_name (item->side), ls_scale_value (&scale, (double) item->y),
          ls_scale_value (&scale, (double) (item->y + item->h)), since (p, item, e->start_ns),
          since (p, item, e->end_ns));
    }
  for (guint i = 0; i < p->layout->moving->items->len && now != LS_TIME_END; i++)
    {
      const LsItem *item = ls_scene_get (p->layout->moving, i);
      if (item->kind == LS_ITEM_BOX && item->ink == LS_INK_MARK
          && ls_scale_value (&scale, (double) (item->y + item->h)) > (double) now + 2 * scale.per_px)
        return g_strdup_printf ("at %" G_GINT64_FORMAT " ns what is done goes to %.0f ns by the clock", now,
                                ls_scale_value (&scale, (double) (item->y + item->h)));
    }
  return NULL;
}

/* Timeline's ticks stand over its lanes, in the unit that the line above them says. */
char *
ls_timeline_scale (const LsPicture *p, LsScale *scale)
{
  const LsSlot *clock = NULL;
  const char *words = NULL;
  double base = -1;

  *scale = (LsScale){ 0 };
  for (guint i = 0; i < p->layout->slots->len; i++)
    if (g_array_index (p->layout->slots, LsSlot, i).kind == LS_SLOT_CLOCK)
      clock = &g_array_index (p->layout->slots, LsSlot, i);
  for (guint i = 0; i < p->layout->still->items->len; i++)
    {
      const LsItem *item = ls_scene_get (p->layout->still, i);
      if (item->kind == LS_ITEM_TEXT && strstr (item->text, " since each lane began") != NULL
          && strstr (item->text, " after ") == NULL)
        words = item->text;
    }
  if (clock == NULL || words == NULL)
    return NULL;
  for (guint i = 0; i < p->layout->still->items->len; i++)
    {
      const LsItem *item = ls_scene_get (p->layout->still, i);
      double value;

      if (item->kind != LS_ITEM_TEXT || item->ink != LS_INK_QUIET || item->type.px != p->layout->m.tick.px
          || item->align != LS_CENTER || (double) item->y > clock->y + p->layout->m.tick.px
          || !ls_scale_number (item->text, &value) || (base >= 0 && fabs ((double) item->y - base) > .5))
        continue;
      base = (double) item->y;
      /* at the ends a number is moved into the picture */
      if ((double) item->x > clock->x + 2 && ls_item_right (item) < clock->x + clock->w - 1)
        ls_scale_add (scale, item->text, value * unit_ns (words), (double) item->x + (double) item->w / 2);
    }
  return scale->n >= 2 ? ls_scale_learn (scale, "clock") : NULL;
}

static char *
timeline_is_true (const LsPicture *p)
{
  LsScale scale;
  char *fault;

  if (p->layout->view != &ls_view_timeline)
    return NULL;
  fault = ls_timeline_scale (p, &scale);
  if (fault != NULL || scale.n < 2)
    return fault;
  for (guint i = 0; i < p->layout->still->items->len; i++)
    {
      const LsItem *item = ls_scene_get (p->layout->still, i);
      const LsEvent *e = item->kind == LS_ITEM_BAR ? event_of (p, item) : NULL;

      if (e == NULL)
        continue;
      ls_places_seen[LS_SEEN_TIMELINE]++;
      const double from = ls_scale_px (&scale, since (p, item, e->start_ns));
      if (fabs ((double) item->x - from) > LS_NEAR + 1 && from > scale.ticks[0].px)
        return g_strdup_printf ("op %u of %s begins at %.0f ns by the clock, and began at %.0f", e->op,
                                ls_side_name (item->side), ls_scale_value (&scale, (double) item->x),
                                since (p, item, e->start_ns));
    }
  return NULL;
}

/* ---- tiles of an output ---- */

/* Where the tile's elements are, as a part of the whole output; from its number alone. */
static void
tile_part (const LsTiling *t, guint32 tile, double part[4])
{
  const guint grid = t->grid_rows * t->grid_cols, cell = tile % grid;
  const gint64 row = cell / t->grid_cols * t->tile_rows, col = cell % t->grid_cols * t->tile_cols;

  part[0] = (double) row / (double) t->rows;
  part[1] = (double) MIN (row + t->tile_rows, t->rows) / (double) t->rows;
  part[2] = (double) col / (double) t->cols;
  part[3] = (double) MIN (col + t->tile_cols, t->cols) / (double) t->cols;
}

typedef struct {
  LsArea all; /* of the tiles */
  guint n;
  gboolean lying;
} Matrix;

static void
find_matrix (const LsPicture *p, guint side, Matrix *matrix)
{
  double x1 = 0, y1 = 0;

  *matrix = (Matrix){ .all = { HUGE_VAL, HUGE_VAL, 0, 0 } };
  for (guint i = 0; i < p->layout->still->items->len; i++)
    {
      const LsItem *item = ls_scene_get (p->layout->still, i);
      if (item->kind != LS_ITEM_TILE || item->side != side || event_of (p, item) == NULL)
        continue;
      matrix->n++;
      matrix->all.x = MIN (matrix->all.x, (double) item->x);
      matrix->all.y = MIN (matrix->all.y, (double) item->y);
      x1 = MAX (x1, (double) (item->x + item->w));
      y1 = MAX (y1, (double) (item->y + item->h));
    }
  matrix->all.w = x1 - matrix->all.x;
  matrix->all.h = y1 - matrix->all.y;
}

/* A tile stands where its elements are in the output, in the ink of the worker that computed it, and none is
 * missing or there twice; where tiles are drawn in blocks, it stands for one of its block. */
static char *
tiles_are_true (const LsPicture *p)
{
  for (guint side = 0; p->layout->view == &ls_view_partition && side < LS_SIDES; side++)
    {
      const LsViewLane *lane = p->layout->shown[side];
      Matrix matrix;

      if (lane == NULL || lane->index == NULL || lane->recorded == NULL
          || p->layout->query.op >= lane->index->n_ops)
        continue;
      const LsTiling *t = &lane->recorded->tilings[ls_step_index_leader (lane->index, p->layout->query.op)];
      const guint n = t->grid_rows * t->grid_cols;
      find_matrix (p, side, &matrix);
      matrix.lying = t->rows > t->cols;
      if (matrix.n != n || t->splits > 1)
        continue; /* blocks, parts, or slots of units */
      g_autofree guint *seen = g_new0 (guint, n);
      for (guint i = 0; i < p->layout->still->items->len; i++)
        {
          const LsItem *item = ls_scene_get (p->layout->still, i);
          const LsEvent *e = item->kind == LS_ITEM_TILE && item->side == side ? event_of (p, item) : NULL;
          double part[4];

          if (e == NULL || item->ink == LS_INK_NONE)
            continue;
          if (e->tile >= n || seen[e->tile]++ > 0)
            return g_strdup_printf ("tile %u of %s is there twice", e->tile, ls_side_name (side));
          ls_places_seen[LS_SEEN_TILE]++;
          tile_part (t, e->tile, part);
          const guint x = matrix.lying ? 0 : 2, y = matrix.lying ? 2 : 0;
          const double should[4]
            = { matrix.all.x + matrix.all.w * part[x], matrix.all.x + matrix.all.w * part[x + 1],
                matrix.all.y + matrix.all.h * part[y], matrix.all.y + matrix.all.h * part[y + 1] },
            is[4] = { (double) item->x, ls_item_right (item), (double) item->y,
                      (double) (item->y + item->h) };
          for (guint k = 0; k < 4; k++)
            if (fabs (is[k] - should[k]) > 4)
              return g_strdup_printf (
                "tile %u of %s goes from %.0f, %.0f to %.0f, %.0f, and its elements are at %.0f, %.0f to "
                "%.0f, %.0f of the output",
                e->tile, ls_side_name (side), is[0], is[2], is[1], is[3], should[0], should[2], should[1],
                should[3]);
          if (item->ink == LS_INK_WORKER && (item->value != e->worker || item->worker != e->worker))
            return g_strdup_printf ("tile %u of %s was computed by worker %u, and has the ink of worker %g",
                                    e->tile, ls_side_name (side), e->worker, (double) item->value);
        }
    }
  return NULL;
}

/* A worker's bars stand in one row, below those of workers before it. */
static char *
rows_are_workers (const LsPicture *p, guint side)
{
  double row_y[256];

  for (guint i = 0; i < G_N_ELEMENTS (row_y); i++)
    row_y[i] = (double) NAN;
  for (guint i = 0; i < p->layout->still->items->len; i++)
    {
      const LsItem *item = ls_scene_get (p->layout->still, i);
      const LsEvent *e = item->kind == LS_ITEM_BAR && item->side == side ? event_of (p, item) : NULL;

      if (e == NULL)
        continue;
      if (isfinite (row_y[e->worker]) && fabs (row_y[e->worker] - (double) item->y) > .5)
        return g_strdup_printf ("bars of worker %u of %s stand in two rows", e->worker, ls_side_name (side));
      row_y[e->worker] = (double) item->y;
    }
  for (guint worker = 1, before = 0; worker < G_N_ELEMENTS (row_y); worker++)
    {
      if (isfinite (row_y[worker]) && isfinite (row_y[before]) && row_y[worker] <= row_y[before])
        return g_strdup_printf ("worker %u of %s stands above worker %u", worker, ls_side_name (side),
                                before);
      before = isfinite (row_y[worker]) ? worker : before;
    }
  return NULL;
}

/* What a pixel is, is told by where the first and the last one begin. FALSE: they are too near. */
static gboolean
bars_scale (const LsPicture *p, guint side, LsScale *scale)
{
  *scale = (LsScale){ .n = 2, .ticks = { { HUGE_VAL, 0, "the first" }, { -HUGE_VAL, 0, "the last" } } };
  for (guint i = 0; i < p->layout->still->items->len; i++)
    {
      const LsItem *item = ls_scene_get (p->layout->still, i);
      const LsEvent *e = item->kind == LS_ITEM_BAR && item->side == side ? event_of (p, item) : NULL;
      const double ns = e != NULL ? since (p, item, e->start_ns) : 0;

      if (e != NULL && ns < scale->ticks[0].value)
        scale->ticks[0] = (LsTick){ ns, (double) item->x, "the first" };
      if (e != NULL && ns > scale->ticks[1].value)
        scale->ticks[1] = (LsTick){ ns, (double) item->x, "the last" };
    }
  if (!(scale->ticks[1].px - scale->ticks[0].px > 20))
    return FALSE;
  g_free (ls_scale_learn (scale, "bars"));
  return TRUE;
}

/* Bars of Partition: on one clock, and each from its beginning to its end. */
static char *
bars_are_true (const LsPicture *p)
{
  for (guint side = 0; p->layout->view == &ls_view_partition && side < LS_SIDES; side++)
    {
      const LsViewLane *lane = p->layout->shown[side];
      char *fault;
      LsScale scale;

      if (lane == NULL || lane->index == NULL || p->layout->query.op >= lane->index->n_ops
          || !lane->index->ops[ls_step_index_leader (lane->index, p->layout->query.op)].timed)
        continue;
      fault = rows_are_workers (p, side);
      if (fault != NULL)
        return fault;
      if (!bars_scale (p, side, &scale))
        continue;
      for (guint i = 0; i < p->layout->still->items->len; i++)
        {
          const LsItem *item = ls_scene_get (p->layout->still, i);
          const LsEvent *e = item->kind == LS_ITEM_BAR && item->side == side ? event_of (p, item) : NULL;

          if (e == NULL)
            continue;
          ls_places_seen[LS_SEEN_BAR]++;
          const double from = ls_scale_px (&scale, since (p, item, e->start_ns)),
                       to = ls_scale_px (&scale, since (p, item, e->end_ns));
          if (fabs ((double) item->x - from) > LS_NEAR || ls_item_right (item) > MAX (to, from + 1) + LS_NEAR
              || ls_item_right (item) < to - 1 - LS_NEAR)
            return g_strdup_printf (
              "tile %u of %s lasts from %.1f to %.1f px, and by the first and the last one’s beginning from "
              "%.1f to %.1f",
              e->tile, ls_side_name (side), (double) item->x, ls_item_right (item), from, to);
        }
    }
  return NULL;
}

/* ---- colours ---- */

/* A text in a lane's ink that names one lane names that one. */
static char *
inks_name_their_lane (const LsPicture *p)
{
  for (guint k = 0; k < 2; k++)
    {
      const LsScene *scene = k == 0 ? p->layout->still : p->layout->moving;
      for (guint i = 0; i < scene->items->len; i++)
        {
          const LsItem *item = ls_scene_get (scene, i);
          const LsViewLane *sides = p->s->data->sides;

          if (item->kind != LS_ITEM_TEXT || item->ink != LS_INK_LANE || item->value >= LS_SIDES
              || sides[0].brief == NULL || sides[1].brief == NULL)
            continue;
          const guint side = (guint) item->value;
          /* "OpenCL on the CPU" has both words */
          const gboolean own = g_str_has_prefix (item->text, sides[side].brief)
                               || g_str_has_prefix (item->text, sides[side].name),
                         other = g_str_has_prefix (item->text, sides[1 - side].brief);
          if (other && !own)
            return g_strdup_printf ("“%s” has the colour of %s", item->text, sides[side].brief);
          if (item->side < LS_SIDES && item->side != side)
            return g_strdup_printf ("“%s” is of %s, and has the colour of %s", item->text,
                                    sides[item->side].brief, sides[side].brief);
        }
    }
  return NULL;
}

const LsProperty ls_properties_of_places[] = {
  { "curves are their steps", ls_curves_are_true },
  { "Race’s boxes are their ops", race_is_true },
  { "Timeline’s bars begin when they began", timeline_is_true },
  { "tiles are their elements", tiles_are_true },
  { "bars are their times", bars_are_true },
  { "a colour names its lane", inks_name_their_lane },
  { NULL, NULL },
};
