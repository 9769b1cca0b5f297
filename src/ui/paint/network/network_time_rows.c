/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The time steps' columns: what goes in, what each says and keeps, and how long both lanes took for it.
 */
#include "config.h"
#include "ui/paint/network/network_time.h"

#include <math.h>
#include <glib/gi18n-lib.h>

#include "ui/paint/parts/text.h"
#include "ui/paint/scene/axis.h"
#include "core/number.h"

#define CELL_MIN 4.0 /* of a unit's cell, px */

static gboolean
has_second_line (const LsNetworkTime *t, LsArea row)
{
  const LsMetrics *m = &t->n->layout->m;

  return row.h > m->strong.px + 1.4 * m->label.px;
}

/* A letter and what it is, at the left of a row, up to `right`. */
static void
row_name (const LsNetworkTime *t, double x, double right, LsArea row, const char *name, const char *size,
          const char *words)
{
  const LsMetrics *m = &t->n->layout->m;
  LsScene *s = t->n->layout->still;
  const double y = row.y + m->strong.px,
               end = ls_item_right (ls_scene_text (s, x, y, m->strong, LS_INK_TEXT, LS_LEFT, name)) + 6;

  if (size != NULL)
    ls_text_fit (s, end, y, right - end, m->label, LS_INK_QUIET, LS_LEFT,
                 (const char *const[]){ size, NULL });
  if (has_second_line (t, row))
    ls_text_fit (s, x, y + 1.4 * m->label.px, right - x, m->label, LS_INK_QUIET, LS_LEFT,
                 (const char *const[]){ words, NULL });
}

static double
top_of (const float *values, gint64 stride, guint steps, gint64 count)
{
  double top = 0;

  for (guint i = 0; i < steps; i++)
    for (gint64 k = 0; k < count; k++)
      if (isfinite (values[i * stride + k]))
        top = MAX (top, fabs ((double) values[i * stride + k]));
  return top;
}

/* A column for each step, of values[step × stride + 0 … rows − 1]. */
static void
draw_columns (const LsNetworkTime *t, LsArea row, const float *values, gint64 stride, gint64 rows, LsInk ink,
              double top, gboolean timed)
{
  const double gap = t->column_w > 14 ? 4 : 1;

  for (guint i = t->first; i < t->first + t->shown; i++)
    {
      const double x = ls_network_time_x (t, i), w = t->column_w - gap;
      gint64 start, end;
      ls_scene_box (t->n->layout->still, x, row.y, w, row.h, LS_INK_TRACK, 0);
      LsItem *item = ls_scene_image (t->n->layout->still, x, row.y, w, row.h, ink, values + i * stride, 1,
                                     (guint) rows, top);
      item->evidence = LS_EVIDENCE_MEASURED;
      if (timed && !t->n->own && ls_network_time_of (t, (guint) t->n->side, FALSE, i, &start, &end))
        ls_network_timed (item, start, end);
    }
}

/* From each step to the next: what it says, or keeps, is what the next one waits for. */
static void
draw_arrows (const LsNetworkTime *t, LsArea row)
{
  const double size = MIN (5, t->column_w / 4), y = row.y + row.h / 2;

  for (guint i = t->first + 1; size >= 3 && i < t->first + t->shown; i++)
    {
      const double x = ls_network_time_x (t, i) - 4;
      LsItem *item = ls_scene_path (t->n->layout->still, LS_ITEM_AREA, LS_INK_TEXT, 0, 0);
      item->strong = TRUE;
      ls_scene_point (t->n->layout->still, x, y - size / 1.4);
      ls_scene_point (t->n->layout->still, x + size, y);
      ls_scene_point (t->n->layout->still, x, y + size / 1.4);
    }
}

/* A bar that is longer than the row is high: a zig-zag, and its time beside it, right of what was told
 * before. Returns the end of what is told. */
static double
over_words (const LsNetworkTime *t, LsArea row, double left, double w, double told, gint64 ns)
{
  const LsMetrics *m = &t->n->layout->m;
  LsScene *s = t->n->layout->still;
  g_autofree char *time = ls_number_time ((double) ns);
  const double width = ls_scene_width (s, m->tick, time), after = left + w + 4,
               x = after + width <= row.x + row.w ? after : left - 4 - width;

  if (w >= 4)
    ls_scene_mark (s, LS_ITEM_ZIGZAG, left, row.y + 4, w, 4, LS_INK_VIEW, 0)->strong = TRUE;
  if (x < told)
    return told;
  LsItem *item = ls_scene_text (s, x, row.y + m->tick.px * .9, m->tick, LS_INK_TEXT, LS_LEFT, time);
  item->strong = TRUE;
  return x + width + 6;
}

/* Both lanes' time for each step; most_ns is as high as the row. */
void
ls_network_time_bars (const LsNetworkTime *t, double x, LsArea row, gboolean back, double most_ns)
{
  const LsMetrics *m = &t->n->layout->m;
  LsScene *s = t->n->layout->still;
  const double gap = t->column_w > 14 ? 4 : 1, w = MAX (1, (t->column_w - gap) / LS_SIDES - 1);
  double per_unit, told = 0;
  const char *unit = ls_number_time_unit (most_ns, &per_unit);
  LsAxis axis;

  /* Translators: "µs a step" */
  g_autofree char *words = g_strdup_printf (_("%s a step"), unit);

  row_name (t, x, row.x - m->unit - ls_scene_width (s, m->tick, "000"), row,
            back ? _("Back") : _("Forward"), has_second_line (t, row) ? NULL : unit, words);
  ls_axis_init (&axis, 0, most_ns / per_unit, row.y + row.h, row.y, FALSE, 2);
  for (guint i = 0; i < axis.n_ticks; i++)
    {
      const double y = ls_axis_at (&axis, axis.ticks[i]);
      g_autofree char *tick = ls_number_tick (axis.ticks[i]);
      ls_scene_segment (s, row.x, y, row.x + row.w, y, i == 0 ? LS_INK_EDGE : LS_INK_HAIRLINE, 1);
      ls_scene_text (s, row.x - m->unit, y + m->tick.px * .36, m->tick, LS_INK_QUIET, LS_RIGHT, tick);
    }
  for (guint i = t->first; i < t->first + t->shown; i++)
    for (guint side = 0; side < LS_SIDES; side++)
      {
        gint64 start, end;
        if (!ls_network_time_of (t, side, back, i, &start, &end))
          continue;
        const double left = ls_network_time_x (t, i) + side * (w + 1),
                     h = row.h * MIN ((double) (end - start) / most_ns, 1);
        for (guint done = 0; done < 2; done++)
          {
            LsItem *item = ls_scene_box (s, left, row.y + row.h - h, w, h, done ? LS_INK_MARK : LS_INK_SOFT,
                                         side);
            item->side = (guint8) side;
            item->evidence = LS_EVIDENCE_MEASURED;
            item->strong = TRUE;
            if (done)
              ls_network_timed (item, start, end);
          }
        if ((double) (end - start) > most_ns)
          told = over_words (t, row, left, w, told, end - start);
      }
}

void
ls_network_time_numbers (const LsNetworkTime *t, double y)
{
  const LsMetrics *m = &t->n->layout->m;
  const double widest = ls_scene_width (t->n->layout->still, m->tick, "000") + 4;
  const guint every = t->column_w >= widest ? 1 : (guint) ceil (widest / t->column_w / 5) * 5;

  for (guint i = t->first; i < t->first + t->shown; i++)
    {
      g_autofree char *number = g_strdup_printf ("%u", i + 1);
      const gboolean here = i == t->step;
      if (here || ((i + 1) % every == 0 && (guint) ABS ((gint) i - (gint) t->step) >= (every + 1) / 2))
        ls_scene_text (t->n->layout->still, ls_network_time_x (t, i) + t->column_w / 2 - 1, y,
                       (LsType){ m->tick.px, here ? 700 : 400 }, here ? LS_INK_TEXT : LS_INK_QUIET, LS_CENTER,
                       number);
    }
}

/* x, h and c. Returns the foot. */
double
ls_network_time_rows (LsNetworkTime *t, double x, double y, double gap, const double *heights)
{
  const LsNetworkLayer *layers[] = { t->h, t->c };
  const char *const names[] = { "h", "c" }, *const words[] = { _("what it says"), _("what it keeps") };
  g_autofree char *in = ls_number_count ((guint64) t->features);

  if (heights[LS_TIME_INPUT] > 0 && t->inputs != NULL)
    {
      const LsArea row = { t->columns.x, y, t->columns.w, heights[LS_TIME_INPUT] };
      const double top = top_of (t->inputs, t->stride, t->steps, t->features);
      row_name (t, x, t->columns.x - 2 * t->n->layout->m.unit, row, "x", in, _("what goes in"));
      draw_columns (t, row, t->inputs, t->stride, t->features, t->n->low < 0 ? LS_INK_SIGN : LS_INK_AMOUNT,
                    top, FALSE);
      y += heights[LS_TIME_INPUT] + gap;
    }
  t->shown_units = CLAMP ((gint64) (heights[LS_TIME_SAYS] / CELL_MIN), 1, MAX (t->units, 1));
  t->first_unit = CLAMP (t->unit - t->shown_units / 2, 0, t->units - t->shown_units);
  for (guint k = 0; k < G_N_ELEMENTS (layers); k++)
    {
      const LsArea row = { t->columns.x, y, t->columns.w, heights[LS_TIME_SAYS + k] };
      if (row.h <= 0 || layers[k] == NULL)
        continue;
      g_autofree char *some = ls_number_count ((guint64) t->shown_units),
                      *all = ls_number_count ((guint64) t->units),
                      *size = t->shown_units < t->units ? g_strdup_printf (_("%s of %s"), some, all)
                                                        : g_strdup (all);
      const float *values = ls_network_values (t->n, layers[k], t->n->side, t->n->at);
      row_name (t, x, t->columns.x - 2 * t->n->layout->m.unit, row, names[k], size, words[k]);
      draw_columns (t, row, values + t->first_unit, t->units, t->shown_units, LS_INK_SIGN, layers[k]->top,
                    TRUE);
      draw_arrows (t, row);
      t->unit_rows[k] = row;
      y += row.h + gap;
    }
  t->columns.h = y - gap - t->columns.y;
  return y;
}
