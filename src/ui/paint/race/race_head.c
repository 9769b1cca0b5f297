/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Race's heads: the rate as large as the hall is deep, its conditions beside it, loss and max |Δ| in both.
 * Both heads take the same lines, so that the same thing stands at the same height.
 */
#include "config.h"
#include "ui/paint/parts/coming.h"
#include "ui/paint/race/race_head.h"

#include <math.h>
#include <glib/gi18n-lib.h>

#include "core/number.h"
#include "ui/paint/parts/rates.h"
#include "ui/paint/parts/text.h"

#define HALL_HUGE 1.4 /* a number in the hall is larger here than elsewhere */

/* A number over its caption and mark, right-aligned at `right`; returns the left end. */
static double
column (const LsRaceHead *h, LsNumber of, double right, double y, const char *number, const char *caption,
        LsEvidence evidence, gboolean warning, gboolean draw)
{
  const LsMetrics *m = &h->layout->m;
  LsScene *s = h->layout->still;
  const double below = y + m->label.px * 1.45, z = m->number.px * .8;
  const double x = right - ls_scene_width (s, m->label, caption) - m->evidence - 6;
  const double left = right - ls_scene_width (s, m->number, number) - (warning ? m->number.px * 1.1 : 0);

  if (!draw)
    return MIN (x, left);
  ls_scene_text (s, right, below, m->label, LS_INK_QUIET, LS_RIGHT, caption);
  ls_item_number (ls_scene_evidence (s, x, below - m->label.px * .36 - m->evidence / 2, m->evidence, evidence,
                                     LS_INK_QUIET),
                  (gint) h->side, of);
  ls_item_number (ls_scene_text (s, right, y, m->number, LS_INK_TEXT, LS_RIGHT, number), (gint) h->side, of);
  if (warning)
    ls_scene_mark (s, LS_ITEM_WARNING, left, y - z, z, z, LS_INK_TEXT, 0);
  return MIN (x, left);
}

/* Returns the left end of them all. */
static double
columns (const LsRaceHead *h, double y, gboolean draw)
{
  const LsViewLane *lane = h->lane;
  const LsMetrics *m = &h->layout->m;
  g_autofree char *loss = ls_number_text (lane->loss.value, 3), *delta = ls_delta_number (lane);
  g_autofree char *of = ls_delta_caption (lane), *step = ls_loss_caption (h->layout->data, h->side);
  double right = h->area.x + h->area.w;

  if (lane->delta.n > 0)
    right = column (h, LS_NUMBER_DELTA, right, y, delta, of, LS_EVIDENCE_DERIVED,
                    h->layout->data->disagree[0] != NULL, draw)
            - 5 * m->unit;
  /* where it has no room the curves alone show it */
  if (column (h, LS_NUMBER_LOSS, right, y, loss, step, LS_EVIDENCE_MEASURED, FALSE, FALSE) >= h->area.x)
    right = column (h, LS_NUMBER_LOSS, right, y, loss, step, LS_EVIDENCE_MEASURED, FALSE, draw) - 5 * m->unit;
  if (isfinite (lane->accuracy) && m->size == LS_SIZE_LARGE)
    {
      g_autofree char *percent = ls_number_text (100 * lane->accuracy, 3),
                      *accuracy = g_strdup_printf (_("%s %%"), percent);
      right = column (h, LS_NUMBER_ACCURACY, right, y, accuracy, _("test accuracy"), LS_EVIDENCE_MEASURED,
                      FALSE, draw)
              - 5 * m->unit;
    }
  return right;
}

#define CONDITIONS_PITCH 1.4 /* of their lines */

/* Conditions that share a line, or one that is too long for one; returns the last baseline. */
static double
condition_line (const LsRaceHead *h, double y, const char *text)
{
  const LsType type = h->layout->m.label;
  g_auto (GStrv) lines = ls_text_lines (h->layout->still, type, h->area.w, text);

  for (guint i = 0; lines[i] != NULL; i++)
    ls_scene_text (h->layout->still, h->area.x, y + i * type.px * CONDITIONS_PITCH, type, LS_INK_QUIET,
                   LS_LEFT, lines[i]);
  return y + (g_strv_length (lines) - 1) * type.px * CONDITIONS_PITCH;
}

/* Words separated by " · " on as many lines as they need; returns the last baseline. */
static double
conditions (const LsRaceHead *h, double y)
{
  const LsMetrics *m = &h->layout->m;
  g_autoptr (GString) line = g_string_new (NULL);

  for (guint i = 0; h->lane->conditions[i] != NULL; i++)
    {
      g_autofree char *longer = line->len > 0 ? g_strdup_printf ("%s · %s", line->str, h->lane->conditions[i])
                                              : g_strdup (h->lane->conditions[i]);
      if (line->len > 0 && ls_scene_width (h->layout->still, m->label, longer) > h->area.w)
        {
          y = condition_line (h, y, line->str) + m->label.px * CONDITIONS_PITCH;
          g_string_assign (line, h->lane->conditions[i]);
        }
      else
        g_string_assign (line, longer);
    }
  return line->len > 0 ? condition_line (h, y, line->str) : y;
}

/* Where the name and what stands beside it would collide with the numbers. */
static void
judge_name_line (LsRaceHead *h)
{
  const LsMetrics *m = &h->layout->m;
  const LsScene *s = h->layout->still;
  const double name = h->area.x + ls_stage_name_width (h->layout, h->side) + 12;

  if (m->projector)
    {
      h->pair_below = h->lane->there && ls_race_rate_pair (h, 0, FALSE) < name;
      return;
    }
  h->numbers_below = h->lane->there && !ls_lane_coming (h->lane) && name > columns (h, 0, FALSE);
  const double right = h->numbers_below ? h->area.x + h->area.w : columns (h, 0, FALSE);
  h->device_below = h->lane->there && h->lane->device[0]
                        && name + ls_scene_width (s, m->device, h->lane->device) > right
                      ? (guint) (ls_text_wrapped (h->layout->still, 0, 0, h->area.w, m->device, LS_INK_TEXT,
                                                  h->lane->device, FALSE)
                                   / (m->device.px * 1.35)
                                 + .5)
                      : 0;
}

/* In the place of the numbers: what the lane does, how long it will still take, and why. As high as the
 * numbers will be. */
static double
draw_coming (LsLayout *layout, guint side, LsArea area, double y)
{
  const LsMetrics *m = &layout->m;
  const LsViewLane *lane = &layout->data->sides[side];
  const double numbers = y + m->label.px * 1.45 + m->huge.px * .92 + m->huge.px * LS_DESCENT
                         + m->label.px * .8;
  LsType type = { m->rate.px, 700 };

  if (m->evidence + 1.5 * m->unit + ls_scene_width (layout->still, type, lane->message) > area.w)
    type.px = m->heading.px;
  y = ls_coming_sentence (layout, side, area.x, y + m->label.px * .9, area.w, type) + m->unit;
  if (lane->hint != NULL)
    y = ls_text_wrapped (layout->still, area.x, y, area.w, m->body, LS_INK_TEXT, lane->hint, TRUE);
  if (lane->words != NULL && m->size != LS_SIZE_SMALL)
    y = ls_text_wrapped (layout->still, area.x, y, area.w, m->body, LS_INK_TEXT, lane->words, TRUE);
  return MAX (y, numbers);
}

static double
draw_head (const LsRaceHead *h)
{
  const LsMetrics *m = &h->layout->m;
  const LsViewLane *lane = h->lane;
  const LsType bold = { m->label.px, 700 };
  const double y = h->area.y + m->rule + m->name.px * (m->projector ? .98 : 1.15);
  LsScene *s = h->layout->still;
  double last, name_end;

  ls_scene_box (s, h->area.x, h->area.y, h->area.w, m->rule, LS_INK_MARK, h->side)->side = (guint8) h->side;
  ls_stage_name (h->layout, h->side, h->area.x, y);
  name_end = h->area.x + ls_stage_name_width (h->layout, h->side);
  if (!lane->there)
    return y;
  if (ls_lane_coming (lane))
    {
      if (lane->device[0]
          && name_end + 12 + ls_scene_width (s, m->device, lane->device) <= h->area.x + h->area.w)
        ls_scene_text (s, name_end + 12, y, m->device, LS_INK_TEXT, LS_LEFT, lane->device);
      return draw_coming (h->layout, h->side, h->area, y);
    }
  const double numbers_y = h->numbers_below ? y + m->number.px * 1.3 : y;
  last = m->projector ? y : numbers_y + m->label.px * 1.45;
  if (h->lower)
    last += m->name.px * LS_DESCENT;
  m->projector ? ls_race_rate_pair (h, y, TRUE) : columns (h, numbers_y, TRUE);
  if (!m->projector && lane->device[0] && !h->device_below)
    ls_scene_text (s, name_end + 12, y, m->device, LS_INK_TEXT, LS_LEFT, lane->device);
  else if (!m->projector && lane->device[0])
    {
      const gboolean under = h->area.x + ls_scene_width (s, m->device, lane->device) > columns (h, y, FALSE);
      ls_text_wrapped (h->layout->still, h->area.x, last + m->device.px * ((under ? 1.5 : 0) - 1.35),
                       h->area.w, m->device, LS_INK_TEXT, lane->device, TRUE);
    }
  if (h->device_below > 0)
    last += m->device.px * (1.5 + 1.35 * (h->device_below - 1));
  last = ls_race_rate_draw (h, last + MAX (h->huge.px * (m->projector ? 1.0 : .92), ls_race_rate_above (h)));
  if (!m->projector)
    last = conditions (h, last + m->label.px * 1.7);
  if (lane->recorded_on != NULL)
    last = ls_text_wrapped (h->layout->still, h->area.x, last, h->area.w, bold, LS_INK_TEXT,
                            lane->recorded_on, TRUE);
  if (lane->change.words != NULL)
    last = ls_stage_change (h->layout, h->area.x, last, h->area.w, lane->change.words, lane->change.longest);
  if (lane->notice != NULL)
    last = ls_text_wrapped (h->layout->still, h->area.x, last, h->area.w, bold, LS_INK_TEXT, lane->notice,
                            TRUE);
  return last;
}

/* What both heads decide together. */
static void
agree_on_lines (LsRaceHead heads[LS_SIDES])
{
  gboolean pair_below = FALSE, numbers_below = FALSE, beneath = FALSE, lower = FALSE;
  guint device_below = 0, most_lines = 1;

  for (guint side = 0; side < LS_SIDES; side++)
    {
      judge_name_line (&heads[side]);
      device_below = MAX (device_below, heads[side].device_below);
      pair_below |= heads[side].pair_below;
      numbers_below |= heads[side].numbers_below;
    }
  for (guint side = 0; side < LS_SIDES; side++)
    {
      if (pair_below)
        ls_race_rate_take_pair (&heads[side]);
      ls_race_rate_shorten (&heads[side]);
      most_lines = MAX (most_lines, heads[side].n_lines);
      beneath |= heads[side].lane->there && !ls_race_rate_fits (&heads[side]);
    }
  for (guint side = 0; side < LS_SIDES; side++)
    {
      heads[side].device_below = device_below;
      heads[side].numbers_below = numbers_below;
      heads[side].most_lines = most_lines;
      heads[side].beneath = beneath;
      lower |= heads[side].layout->m.projector
               && heads[side].area.x + ls_stage_name_width (heads[side].layout, side)
                    > ls_race_rate_lines (&heads[side]);
    }
  for (guint side = 0; side < LS_SIDES; side++)
    heads[side].lower = lower;
}

double
ls_race_heads (LsLayout *layout, LsArea area, double middle)
{
  const LsMetrics *m = &layout->m;
  const double w = (area.w - 2 * m->margin - middle) / 2;
  LsRaceHead heads[LS_SIDES] = { 0 };
  double bottom = area.y;

  for (guint side = 0; side < LS_SIDES; side++)
    {
      heads[side] = (LsRaceHead){ .layout = layout,
                                  .lane = &layout->data->sides[side],
                                  .side = side,
                                  .area = { area.x + m->margin + side * (w + middle), area.y, w, 0 },
                                  .huge = { m->huge.px * (m->projector ? HALL_HUGE : 1), m->huge.weight } };
      g_autofree char *number = ls_rate_number (heads[side].lane);
      const double number_w = ls_scene_width (layout->still, heads[side].huge, number);
      heads[side].huge.px *= MIN (1, w / MAX (number_w, 1));
      ls_race_rate_prepare (&heads[side]);
    }
  agree_on_lines (heads);
  for (guint side = 0; side < LS_SIDES; side++)
    {
      const double last = draw_head (&heads[side]);
      bottom = MAX (bottom, last);
      ls_race_rate_clear (&heads[side]);
    }
  bottom = m->projector ? ls_race_verdict (layout, area, bottom)
                        : ls_race_ratio (layout, area, middle - 3, bottom);
  return bottom - area.y + m->label.px * .6;
}
