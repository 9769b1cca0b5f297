/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Curves: that each point of a line, and each dot, is what its step gave, by the numbers at the axes; that no
 * step is lost; and that the words name the unit.
 */
#include "places.h"

#include <math.h>
#include <string.h>

#include "ui/paint/views.h"

/* Left of the plot: its values. */
static void
values_left_of (const LsPicture *p, const LsPlot *plot, LsScale *scale)
{
  const double unit = plot->kind == LS_CURVE_ACCURACY ? .01 : plot->kind == LS_CURVE_RATE ? plot->scale : 1;

  *scale = (LsScale){ .log = plot->y.log };
  for (guint i = 0; i < p->layout->still->items->len; i++)
    {
      const LsItem *item = ls_scene_get (p->layout->still, i);
      double value;

      if (item->kind == LS_ITEM_TEXT && item->ink == LS_INK_QUIET && item->type.px == p->layout->m.tick.px
          && ls_item_right (item) < plot->area.x
          && ls_item_right (item) > plot->area.x - 3 * p->layout->m.unit
          && ls_text_middle (item) > plot->area.y - 2
          && ls_text_middle (item) < plot->area.y + plot->area.h + 2 && ls_scale_number (item->text, &value))
        ls_scale_add (scale, item->text, value * unit, ls_text_middle (item));
    }
}

/* A number's place: in its middle; but one that would leave the plot stands beside its mark, drawn just
 * before. */
static double
number_place (const LsScene *scene, guint i)
{
  const LsItem *item = ls_scene_get (scene, i), *mark = ls_scene_get (scene, i - 1);
  const double middle = (double) item->x + (double) item->w / 2;
  double x, y, w, h;

  ls_item_bounds (scene, mark, &x, &y, &w, &h);
  x += w / 2;
  return mark->kind == LS_ITEM_LINE && x > middle && x <= ls_item_right (item) + 1 ? x : middle;
}

/* Below it: its steps, or seconds. Those of a plot whose steps stand under another one are told there. */
static void
steps_below (const LsPicture *p, const LsPlot *plot, LsScale *scale)
{
  const double base = plot->area.y + plot->area.h + 4 + p->layout->m.tick.px;

  *scale = (LsScale){ 0 };
  for (guint i = 0; i < p->layout->still->items->len; i++)
    {
      const LsItem *item = ls_scene_get (p->layout->still, i);
      const gboolean first = item->kind == LS_ITEM_TEXT
                             && (strcmp (item->text, "step 0") == 0 || strcmp (item->text, "0 s") == 0)
                             && (double) item->x < plot->area.x + 1;
      double value = 0;

      if (item->kind == LS_ITEM_TEXT && fabs ((double) item->y - base) < .5
          && (double) item->x > plot->area.x - 1 && ls_item_right (item) < plot->area.x + plot->area.w + 1
          && item->ink == LS_INK_QUIET
          && (first || (item->align == LS_CENTER && ls_scale_number (item->text, &value))))
        ls_scale_add (scale, item->text, value, first ? plot->area.x : number_place (p->layout->still, i));
    }
}

/* Rates are told in thousands or millions where the words over the plot, or left of it, say so. */
static char *
unit_is_true (const LsPicture *p, const LsPlot *plot)
{
  const double above = plot->area.y - 4 * p->layout->m.heading.px;

  for (guint i = 0; plot->kind == LS_CURVE_RATE && i < p->layout->still->items->len; i++)
    {
      const LsItem *item = ls_scene_get (p->layout->still, i);
      const double y = (double) item->y, bottom = plot->area.y + plot->area.h;
      const char *per = item->kind == LS_ITEM_TEXT && y > above && y < bottom
                          ? strstr (item->text, "samples per s")
                          : NULL;

      if (per == NULL && item->kind == LS_ITEM_TEXT && y > above && y < bottom
          && ((double) item->x < plot->area.x || y < plot->area.y))
        per = strstr (item->text, "samples/s, median of 61 steps over") != NULL ? item->text
              : strcmp (item->text, "thousand/s") == 0 || strcmp (item->text, "million/s") == 0
                  || strcmp (item->text, "samples/s") == 0
                ? item->text
                : NULL;
      const double said = per == NULL                                 ? 0
                          : g_str_has_prefix (item->text, "million")  ? 1e6
                          : g_str_has_prefix (item->text, "thousand") ? 1e3
                                                                      : 1;

      if (said > 0 && fabs (said - plot->scale) > 0)
        return g_strdup_printf ("“%s” is said of a plot in units of %g", item->text, plot->scale);
    }
  return NULL;
}

/* What the lane's step i < steps gave, from what the engine kept of it; NAN: nothing. */
static double
step_value (const LsPicture *p, LsCurveKind kind, guint side, guint64 i)
{
  const LsViewLane *lane = &p->s->data->sides[side], *other = &p->s->data->sides[1 - side];
  const LsPoint point = i < lane->steps ? ls_view_lane_point (lane, i)
                                        : (LsPoint){ .flags = LS_POINT_MISSING };

  if (kind == LS_CURVE_LOSS)
    return (point.flags & LS_POINT_MISSING) == 0 ? (double) point.loss : (double) NAN;
  if (kind == LS_CURVE_RATE)
    return point.flags == 0 && point.step_us > 0 ? 1e6 * p->s->data->batch / (double) point.step_us
                                                 : (double) NAN;
  if (i >= lane->steps || i >= other->steps)
    return (double) NAN;
  return fabs ((double) point.loss - (double) ls_view_lane_point (other, i).loss);
}

static const float *
points_of (const LsScene *scene, const LsItem *item)
{
  return &g_array_index (scene->points, float, 2 * item->points);
}

/* It is one of the plot's: a line or dots of a lane that stands on a side. */
static gboolean
is_curve (const LsPicture *p, const LsPlot *plot, const LsItem *item)
{
  const LsInk ink = plot->kind == LS_CURVE_DELTA ? LS_INK_QUIET : LS_INK_MARK;

  if ((item->kind != LS_ITEM_LINE && item->kind != LS_ITEM_DOTS) || item->ink != ink || item->n_points == 0
      || item->evidence == LS_NO_VALUE || item->value >= LS_SIDES)
    return FALSE;
  const float *points = points_of (p->layout->still, item);
  return ls_area_has ((LsArea){ plot->area.x - 1, plot->area.y - 1, plot->area.w + 2, plot->area.h + 2 },
                      (double) points[0], (double) points[1]);
}

typedef struct {
  const LsPicture *p;
  const LsPlot *plot;
  LsScale x, y;
} Plot;

/* What a vertex says is what some step under its pixels gave, or lies between what they gave. */
static char *
vertex_is_true (const Plot *plot, const LsItem *item, double x, double y)
{
  const LsCurveKind kind = plot->plot->kind;
  const guint side = (guint) item->value;
  const double at = ls_scale_value (&plot->x, x), value = ls_scale_value (&plot->y, y),
               slack_y = LS_NEAR * fabs (plot->y.per_px) * (plot->y.log ? 2.4 * value : 1);
  /* a column of steps is as wide as six pixels; a running median is of steps on either side */
  const double reach = kind == LS_CURVE_RATE && item->kind == LS_ITEM_LINE ? LS_SMOOTH_REACH
                       : kind == LS_CURVE_DELTA                            ? 2 * fabs (plot->x.per_px)
                                                                           : 3.5 * fabs (plot->x.per_px),
               slack_x = LS_NEAR * fabs (plot->x.per_px) + (fabs (plot->x.per_px) * 3 < 1 ? .3 : reach);
  const guint64 first = (guint64) MAX (0, ceil (at - slack_x) - 1),
                last = (guint64) MAX (0, floor (at + slack_x) - 1);
  double low = HUGE_VAL, high = -HUGE_VAL;

  for (guint64 i = kind == LS_CURVE_RATE && item->kind == LS_ITEM_LINE
                     ? (guint64) MAX (0, (double) first - LS_SMOOTH_REACH)
                     : first;
       i <= (kind == LS_CURVE_RATE && item->kind == LS_ITEM_LINE ? last + LS_SMOOTH_REACH : last); i++)
    {
      const double v = step_value (plot->p, kind, side, i);
      low = isfinite (v) ? MIN (low, v) : low;
      high = isfinite (v) ? MAX (high, v) : high;
    }
  ls_places_seen[LS_SEEN_CURVE]++;
  if (value >= low - slack_y - 1e-6 * fabs (low) && value <= high + slack_y + 1e-6 * fabs (high))
    return NULL;
  return g_strdup_printf (
    "by its axes a %s of %s’s %s is %.6g at step %.1f, but those steps gave %.6g to %.6g",
    item->kind == LS_ITEM_LINE ? "point of the line" : "dot", ls_side_name (side),
    kind == LS_CURVE_LOSS   ? "loss"
    : kind == LS_CURVE_RATE ? "rate"
                            : "difference",
    value, at, low, high);
}

/* Dots are the measurements, and nothing else; those that would cover each other are one. */
static char *
accuracies_are_true (const Plot *plot, const LsItem *item)
{
  const GArray *list = plot->p->s->data->sides[(guint) item->value].accuracies;
  const float *points = points_of (plot->p->layout->still, item);

  for (guint k = 0; k < item->n_points; k++)
    {
      gboolean found = FALSE;
      ls_places_seen[LS_SEEN_ACCURACY]++;
      for (guint i = 0; list != NULL && i < list->len && !found; i++)
        {
          const LsAccuracy *a = &g_array_index (list, LsAccuracy, i);
          found = fabs (ls_scale_px (&plot->x, (double) a->steps) - (double) points[2 * k]) < LS_NEAR
                  && fabs (ls_scale_px (&plot->y, a->accuracy) - (double) points[2 * k + 1]) < LS_NEAR;
        }
      if (!found)
        return g_strdup_printf (
          "by its axes a dot is an accuracy of %.4g after step %.1f of %s, which wasn’t measured",
          ls_scale_value (&plot->y, (double) points[2 * k + 1]),
          ls_scale_value (&plot->x, (double) points[2 * k]), ls_side_name ((guint) item->value));
    }
  for (guint i = 0; list != NULL && i < list->len; i++)
    {
      const LsAccuracy *a = &g_array_index (list, LsAccuracy, i);
      gboolean found = FALSE;
      for (guint k = 0; k < item->n_points && !found; k++)
        found = fabs (ls_scale_px (&plot->x, (double) a->steps) - (double) points[2 * k]) < 1 + LS_NEAR
                && fabs (ls_scale_px (&plot->y, a->accuracy) - (double) points[2 * k + 1]) < 1 + LS_NEAR;
      if (!found)
        return g_strdup_printf ("the accuracy of %.4g after step %" G_GUINT64_FORMAT " of %s has no dot",
                                a->accuracy, a->steps, ls_side_name ((guint) item->value));
    }
  return NULL;
}

/* Where steps are farther apart than a line's points, each has one. */
static char *
no_step_is_lost (const Plot *plot, guint side)
{
  const LsScene *scene = plot->p->layout->still;

  if (fabs (plot->x.per_px) > 1 / 7. || plot->plot->kind != LS_CURVE_LOSS)
    return NULL;
  for (guint64 step = 0; step < plot->p->s->data->sides[side].steps; step++)
    {
      const double loss = step_value (plot->p, LS_CURVE_LOSS, side, step),
                   x = ls_scale_px (&plot->x, (double) step + 1), y = ls_scale_px (&plot->y, loss);
      gboolean found = !isfinite (loss) || loss <= 0 || y < plot->plot->area.y - 1;

      for (guint i = 0; i < scene->items->len && !found; i++)
        {
          const LsItem *item = ls_scene_get (scene, i);
          if (!is_curve (plot->p, plot->plot, item) || (guint) item->value != side)
            continue;
          const float *points = points_of (scene, item);
          for (guint k = 0; k < item->n_points; k++)
            found |= fabs ((double) points[2 * k] - x) < LS_NEAR
                     && fabs ((double) points[2 * k + 1] - y) < LS_NEAR;
        }
      if (!found)
        return g_strdup_printf ("the loss of %s at step %" G_GUINT64_FORMAT ", %g, has no point in its curve",
                                ls_side_name (side), step + 1, loss);
    }
  return NULL;
}

/* Where both lanes are drawn at one place, the left one lies wider and paler under the right one. */
static char *
both_are_seen (const Plot *plot)
{
  const LsItem *of[LS_SIDES] = { NULL, NULL };
  const LsScene *scene = plot->p->layout->still;

  for (guint i = 0; i < scene->items->len; i++)
    {
      const LsItem *item = ls_scene_get (scene, i);
      if (is_curve (plot->p, plot->plot, item)
          && (item->kind == LS_ITEM_DOTS) == (plot->plot->kind == LS_CURVE_ACCURACY))
        of[(guint) item->value] = item;
    }
  if ((plot->plot->kind != LS_CURVE_LOSS && plot->plot->kind != LS_CURVE_ACCURACY) || of[0] == NULL
      || of[1] == NULL)
    return NULL;
  if (of[0]->size <= of[1]->size || of[0]->alpha >= of[1]->alpha || of[0] > of[1])
    return g_strdup_printf ("%s is drawn %.1f px wide under %s with %.1f px, and both wouldn’t be seen",
                            ls_side_name (0), (double) of[0]->size, ls_side_name (1), (double) of[1]->size);
  return NULL;
}

/* The upright line through a plot is the recorded step whose picture is shown. */
static char *
shown_step_is_true (const Plot *plot)
{
  const LsViewData *data = plot->p->s->data;
  const LsScene *scene = plot->p->layout->still;
  const guint64 step = data->recording != NULL ? data->recording->step : 0;
  const LsArea area = plot->plot->area;

  for (guint i = 0; i < scene->items->len; i++)
    {
      const LsItem *item = ls_scene_get (scene, i);
      const float *points = item->kind == LS_ITEM_LINE && item->n_points == 2 ? points_of (scene, item)
                                                                              : NULL;

      if (points == NULL || item->ink != LS_INK_QUIET || fabs ((double) (points[0] - points[2])) > .01
          || fabs ((double) points[1] - area.y) > .01 || fabs ((double) points[3] - area.y - area.h) > .01
          || (double) points[0] < area.x || (double) points[0] > area.x + area.w)
        continue;
      ls_places_seen[LS_SEEN_SHOWN]++;
      if (step == 0 || step > data->sides[0].steps)
        return g_strdup_printf ("a step is marked at %.0f px, and none is shown", (double) points[0]);
      const double at = plot->plot->seconds ? ls_view_lane_point (&data->sides[0], step - 1).end_ms / 1e3
                                            : (double) step;
      if (fabs (ls_scale_px (&plot->x, at) - (double) points[0]) > LS_NEAR)
        return g_strdup_printf ("by the axis step %.1f is marked, and %" G_GUINT64_FORMAT " is shown",
                                ls_scale_value (&plot->x, (double) points[0]), step);
    }
  return NULL;
}

static char *
plot_is_true (Plot *plot)
{
  const LsScene *scene = plot->p->layout->still;
  char *fault = ls_scale_learn (&plot->y, "values’ axis");
  gboolean drawn[LS_SIDES] = { FALSE };

  if (fault == NULL)
    fault = unit_is_true (plot->p, plot->plot);
  if (fault == NULL && plot->x.n >= 2)
    fault = ls_scale_learn (&plot->x, "steps’ axis");
  if (fault == NULL)
    fault = both_are_seen (plot);
  if (fault == NULL && plot->x.n >= 2)
    fault = shown_step_is_true (plot);
  if (fault != NULL || plot->x.n < 2 || plot->plot->seconds)
    return fault;
  for (guint i = 0; i < scene->items->len; i++)
    {
      const LsItem *item = ls_scene_get (scene, i);
      if (!is_curve (plot->p, plot->plot, item) || (item->kind == LS_ITEM_LINE && item->n_points < 2))
        continue;
      drawn[(guint) item->value] = TRUE;
      const float *points = points_of (scene, item);
      if (plot->plot->kind == LS_CURVE_ACCURACY)
        fault = accuracies_are_true (plot, item);
      for (guint k = 0; k < item->n_points && fault == NULL && plot->plot->kind != LS_CURVE_ACCURACY; k++)
        fault = vertex_is_true (plot, item, (double) points[2 * k], (double) points[2 * k + 1]);
      if (fault != NULL)
        return fault;
    }
  for (guint side = 0; side < LS_SIDES && fault == NULL; side++)
    if (drawn[side])
      fault = no_step_is_lost (plot, side);
  return fault;
}

/* The strip is the same in all views. */
char *
ls_curves_are_true (const LsPicture *p)
{
  if (p->layout->view != &ls_view_race && p->layout->view != &ls_view_curves)
    return NULL;
  for (guint i = 0; i < p->layout->plots->len; i++)
    {
      const LsPlot *at = &g_array_index (p->layout->plots, LsPlot, i);
      Plot plot = { .p = p, .plot = at };
      char *fault;

      values_left_of (p, at, &plot.y);
      if (plot.y.n < 2 || (at->runs && p->s->data->runs != NULL))
        continue;
      for (guint k = i; k < p->layout->plots->len && plot.x.n < 2; k++)
        {
          const LsPlot *below = &g_array_index (p->layout->plots, LsPlot, k);
          if (fabs (below->area.x - at->area.x) < 1 && fabs (below->area.w - at->area.w) < 1)
            steps_below (p, below, &plot.x);
        }
      fault = plot_is_true (&plot);
      if (fault != NULL)
        return fault;
    }
  return NULL;
}
