/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The clock that both lanes hang from: what it counts and how well the device's is known, the whole step with
 * a bracket round the part that is shown, and its ticks.
 */
#include "config.h"
#include "ui/paint/timeline/timeline.h"

#include <math.h>
#include <glib/gi18n-lib.h>

#include "ui/paint/scene/axis.h"
#include "core/number.h"

/* Where the window is this much shorter than its beginning is late, ticks count from the window's
 * beginning. */
#define FAR 400

static gboolean
is_far (const LsTimeline *t)
{
  return (double) t->scale.from > FAR * (double) (t->scale.to - t->scale.from);
}

static const char *
tick_unit (const LsTimeline *t, double *ns)
{
  return ls_number_time_unit ((double) (is_far (t) ? t->scale.to - t->scale.from : t->scale.to), ns);
}

/* ns; the CPU's lanes are on the host's clock itself. */
static double
device_clock_error (const LsViewData *data)
{
  double error = 0;

  for (guint side = 0; side < LS_SIDES; side++)
    if (data->sides[side].recorded != NULL)
      error = MAX (error, data->sides[side].recorded->clock_error_ns);
  return error;
}

static void
draw_title (const LsTimeline *t, LsLayout *layout)
{
  const LsMetrics *m = &layout->m;
  const double error = device_clock_error (layout->data);
  g_autofree char *time = ls_number_time (error), *from = ls_number_time ((double) t->scale.from);
  const char *unit = tick_unit (t, NULL);
  g_autofree char *first = is_far (t)
                             ? g_strdup_printf (_("%s after %s since each lane began its step"), unit, from)
                             : g_strdup_printf (_("%s since each lane began its step"), unit);
  g_autofree char *second = error > 0 ? g_strdup_printf (_("device clock matched to ±%s"), time) : NULL;
  g_autofree char *words = second != NULL ? g_strdup_printf ("%s; %s", first, second) : g_strdup (first);
  const double x = t->lanes[0].area.x, right = x + t->lanes[0].area.w;
  LsScene *s = layout->still;
  double at = x;

  if (m->projector || layout->span_ns == 0)
    return;
  if (x + ls_scene_width (s, m->heading, _("One step on one clock")) + 16
        + ls_scene_width (s, m->label, words)
      <= right)
    at = ls_item_right (
           ls_scene_text (s, x, t->title_y, m->heading, LS_INK_TEXT, LS_LEFT, _("One step on one clock")))
         + 14;
  if (at + ls_scene_width (s, m->label, words) <= right)
    ls_scene_text (s, at, t->title_y, m->label, LS_INK_QUIET, LS_LEFT, words);
  else if (second != NULL && at + ls_scene_width (s, m->label, second) <= right)
    ls_scene_text (s, at, t->title_y, m->label, LS_INK_QUIET, LS_LEFT, second);
}

/* ---- the overview ---- */

typedef struct {
  LsScene *scene;
  guint side;
  double y, h;
} Strip;

static void
add_strip_cb (gpointer data, const LsTimeRow *row, const LsTimeBlock *block)
{
  const Strip *strip = data;
  LsItem *item = ls_scene_box (strip->scene, block->x, strip->y, block->w, strip->h, LS_INK_MARK,
                               strip->side);

  item->evidence = LS_EVIDENCE_MEASURED;
}

static void
draw_overview (const LsTimeline *t, LsLayout *layout)
{
  static const LsTimeRowKind kinds[] = { LS_ROW_OPS, LS_ROW_COPIES, LS_ROW_KERNELS };
  const LsArea a = t->overview_area;
  const double pad = 3, h = floor ((a.h - 3 * pad) / 2);
  LsScene *s = layout->still;

  ls_scene_box (s, a.x, a.y, a.w, a.h, LS_INK_TRACK, 0)->size = 2;
  for (guint side = 0; side < LS_SIDES; side++)
    for (guint k = 0; k < G_N_ELEMENTS (kinds) && t->lanes[side].times != NULL; k++)
      {
        const LsTimeRow *row = ls_time_index_row (t->lanes[side].times, kinds[k], 0);
        Strip strip = { s, side, a.y + pad + side * (h + pad), h };
        if (row != NULL)
          ls_time_row_walk (row, &t->overview, add_strip_cb, &strip);
      }
}

/* What is outside is pale; the bracket has handles to take it by. */
static void
draw_bracket (const LsTimeline *t, LsLayout *layout)
{
  const LsArea a = t->overview_area;
  const double x0 = ls_time_x (&t->overview, t->scale.from),
               x1 = MAX (ls_time_x (&t->overview, t->scale.to), x0 + 2);
  const double handle = MIN (a.h * .5, 22);
  LsScene *s = layout->still;

  if (x0 > a.x + 1)
    ls_scene_box (s, a.x, a.y, x0 - a.x, a.h, LS_INK_WINDOW, 0)->alpha = .7f;
  if (x1 < a.x + a.w - 1)
    ls_scene_box (s, x1, a.y, a.x + a.w - x1, a.h, LS_INK_WINDOW, 0)->alpha = .7f;
  ls_scene_box (s, x0, a.y, x1 - x0, 2, LS_INK_TEXT, 0);
  ls_scene_box (s, x0, a.y + a.h - 2, x1 - x0, 2, LS_INK_TEXT, 0);
  for (guint i = 0; i < 2; i++)
    {
      const double x = i == 0 ? x0 : x1;
      ls_scene_box (s, x - 1, a.y, 2, a.h, LS_INK_TEXT, 0);
      ls_scene_box (s, x - 3, a.y + (a.h - handle) / 2, 6, handle, LS_INK_TEXT, 0)->size = 3;
    }
}

/* ---- ticks ---- */

static void
draw_ticks (const LsTimeline *t, LsLayout *layout)
{
  const LsMetrics *m = &layout->m;
  double per_unit;
  tick_unit (t, &per_unit);
  const double base = is_far (t) ? (double) t->scale.from : 0;
  const double low = ((double) t->scale.from - base) / per_unit,
               high = ((double) t->scale.to - base) / per_unit;
  const double bottom = t->clock.y + t->clock.h, right = t->scale.x + t->scale.w;
  LsScene *s = layout->still;
  LsAxis axis;
  double free_x = 0;

  ls_axis_init (&axis, low, high, t->scale.x, right, FALSE,
                (guint) CLAMP (t->scale.w / (m->tick.px * 7), 2, 10));
  for (guint i = 0; i < axis.n_ticks; i++)
    {
      const double x = round (ls_axis_at (&axis, axis.ticks[i]));
      g_autofree char *number = ls_number_tick (axis.ticks[i]);
      g_autofree char *text = is_far (t) && axis.ticks[i] > 0 ? g_strdup_printf ("+%s", number)
                                                              : g_strdup (number);
      const double half = ls_scene_width (s, m->tick, text) / 2,
                   at = CLAMP (x, t->scale.x - t->label_w + half, right - half);

      ls_scene_box (s, x, t->clock_y, layout->style.hairline, bottom - t->clock_y, LS_INK_HAIRLINE, 0);
      if (at - half < free_x)
        continue;
      ls_scene_text (s, at, t->ticks_y, m->tick, LS_INK_QUIET, LS_CENTER, text);
      free_x = at + half + 10;
    }
}

void
ls_timeline_clock (LsTimeline *t, LsLayout *layout)
{
  if (layout->span_ns == 0)
    {
      ls_scene_box (layout->still, t->overview_area.x, t->overview_area.y, t->overview_area.w,
                    t->overview_area.h, LS_INK_TRACK, 0);
      return;
    }
  draw_title (t, layout);
  draw_overview (t, layout);
  draw_bracket (t, layout);
  draw_ticks (t, layout);
  ls_stage_slot (layout, LS_SLOT_OVERVIEW, -1, 0, t->overview_area.x, t->overview_area.y, t->overview_area.w,
                 t->overview_area.h);
  ls_stage_slot (layout, LS_SLOT_CLOCK, -1, 0, t->clock.x, t->clock.y, t->clock.w, t->clock.h);
}
