/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Timeline's short heads, one above the other beside the rows: the lane, its device and its rate; loss and
 * max |Δ|; then what the lane ran with. The conditions of both rates stand once, below.
 */
#include "config.h"
#include "ui/paint/timeline/timeline.h"

#include <glib/gi18n-lib.h>

#include "ui/paint/parts/coming.h"
#include "core/number.h"
#include "ui/paint/parts/rates.h"
#include "ui/paint/parts/text.h"

/* A mark, then words; returns the right end. */
static double
marked (LsLayout *layout, guint side, LsNumber number, LsEvidence evidence, double x, double y,
        const char *caption, const char *value)
{
  const LsMetrics *m = &layout->m;
  LsScene *s = layout->still;

  ls_item_number (
    ls_scene_evidence (s, x, y - m->label.px * .36 - m->evidence / 2, m->evidence, evidence, LS_INK_QUIET),
    (gint) side, number);
  x = ls_item_right (ls_scene_text (s, x + m->evidence + 6, y, m->label, LS_INK_QUIET, LS_LEFT, caption)) + 6;
  if (value == NULL)
    return x;
  LsItem *item = ls_scene_text (s, x, y, (LsType){ m->label.px, 700 }, LS_INK_TEXT, LS_LEFT, value);
  ls_item_number (item, (gint) side, number);
  return ls_item_right (item) + 10;
}

static double
marked_width (const LsLayout *layout, const char *caption, const char *value)
{
  const LsMetrics *m = &layout->m;

  return m->evidence + 6 + ls_scene_width (layout->still, m->label, caption)
         + (value != NULL ? 6 + ls_scene_width (layout->still, (LsType){ m->label.px, 700 }, value) : 0);
}

static char *
rate_words (const LsLayout *layout, const LsViewLane *lane)
{
  if (!ls_figure_stands (&lane->rate))
    return ls_rate_lacking (layout, lane);
  return g_strdup (lane->stopped_at > 0 ? _("before it stopped") : _("samples/s"));
}

/* Loss and its distance; returns the baseline of the last line. */
static double
draw_numbers (LsLayout *layout, guint side, double x, double y, double right)
{
  const LsMetrics *m = &layout->m;
  const LsViewLane *lane = &layout->data->sides[side];
  const double line = m->label.px * 1.4;
  g_autofree char *loss = ls_number_text (lane->loss.value, 3), *delta = ls_delta_number (lane);
  g_autofree char *rate = rate_words (layout, lane), *caption = ls_loss_caption (layout->data, side),
                  *of = ls_delta_caption (lane);
  const double rate_w = marked_width (layout, rate, NULL), left = x;

  if (!lane->there)
    return y;
  x = marked (layout, side, LS_NUMBER_LOSS, LS_EVIDENCE_MEASURED, x, y, caption, loss);
  if (lane->delta.n > 0)
    {
      const double warning = layout->data->disagree[0] != NULL ? m->label.px * 1.2 : 0;
      if (x + marked_width (layout, of, delta) + warning > right)
        {
          x = left;
          y += line;
        }
      x = marked (layout, side, LS_NUMBER_DELTA, LS_EVIDENCE_DERIVED, x, y, of, delta);
      if (warning > 0)
        ls_scene_mark (layout->still, LS_ITEM_WARNING, x - 12, y - m->label.px * .8, m->label.px * .8,
                       m->label.px * .8, LS_INK_TEXT, 0);
      x += warning;
    }
  if (x + rate_w > right)
    y += line;
  marked (layout, side, LS_NUMBER_RATE, LS_EVIDENCE_MEASURED, right - rate_w, y, rate, NULL);
  return y;
}

static double
draw_head (LsLayout *layout, guint side, LsArea area)
{
  const LsMetrics *m = &layout->m;
  const LsViewLane *lane = &layout->data->sides[side];
  const double x = area.x + m->rule + 8, right = area.x + area.w, line = m->label.px * 1.4;
  const LsType name = { m->name.px * .8, 700 };
  g_autofree char *rate = ls_rate_number (lane);
  g_autofree char *conditions = g_strjoinv (" · ", lane->conditions);
  const gboolean old = lane->stopped_at > 0;
  LsScene *s = layout->still;
  double y = area.y + m->rate.px * .8, left = right;

  if (lane->there && !ls_lane_coming (lane))
    {
      LsItem *item = ls_scene_text (s, right, y, m->rate, old ? LS_INK_QUIET : LS_INK_LANE, LS_RIGHT, rate);
      item->value = (float) side;
      ls_item_number (item, (gint) side, LS_NUMBER_RATE);
      left = (double) item->x - 10;
    }
  const guint mark = s->items->len;
  const double base = y, end = x + ls_scene_width (s, name, lane->name) + 10;
  y = ls_text_wrapped (layout->still, x, y - name.px * 1.35, left - 16 - x, name, LS_INK_LANE, lane->name,
                       TRUE);
  for (guint i = mark; i < s->items->len; i++)
    ls_scene_get (s, i)->value = (float) side;
  if (lane->device[0] && y <= base && end + ls_scene_width (s, m->label, lane->device) <= left)
    ls_scene_text (s, end, y, m->label, LS_INK_TEXT, LS_LEFT, lane->device);
  else if (lane->device[0])
    y = ls_text_wrapped (layout->still, x, y, right - x, m->label, LS_INK_TEXT, lane->device, TRUE);
  if (ls_lane_coming (lane))
    {
      y = ls_coming_sentence (layout, side, x, y, right - x, (LsType){ m->label.px, 700 });
      y = lane->hint != NULL
            ? ls_text_wrapped (layout->still, x, y, right - x, m->label, LS_INK_QUIET, lane->hint, TRUE)
            : y;
    }
  else
    y = draw_numbers (layout, side, x, y + line, right);
  if (conditions[0] && !ls_lane_coming (lane))
    y = ls_text_wrapped (layout->still, x, y, right - x, m->label, LS_INK_QUIET, conditions, TRUE);
  if (lane->recorded_on != NULL)
    y = ls_text_wrapped (layout->still, x, y, right - x, (LsType){ m->label.px, 700 }, LS_INK_TEXT,
                         lane->recorded_on, TRUE);
  ls_scene_box (s, area.x, area.y, m->rule, y + m->label.px * .4 - area.y, LS_INK_MARK, side)->side
    = (guint8) side;
  return y + m->label.px * .4;
}

/* "200 steps, 3 left out, ±1 %", for each lane that differs; the batch stands in the title. */
static double
draw_conditions (LsLayout *layout, LsArea area)
{
  const LsMetrics *m = &layout->m;
  char *words[LS_SIDES] = { NULL, NULL };
  double y = area.y;

  for (guint side = 0; side < LS_SIDES; side++)
    {
      const LsViewLane *lane = &layout->data->sides[side];
      if (ls_figure_stands (&lane->rate))
        words[side] = ls_rate_condition (lane, LS_RATE_SHORT);
    }
  for (guint side = 0; side < LS_SIDES; side++)
    if (words[side] != NULL && (side == 0 || g_strcmp0 (words[0], words[1]) != 0))
      {
        const gboolean both = g_strcmp0 (words[0], words[1]) == 0;
        g_autofree char *plain = both
                                   ? g_strdup (words[side])
                                   : g_strdup_printf ("%s: %s", layout->data->sides[side].name, words[side]);
        g_auto (GStrv) parts = g_strsplit (plain, " %", -1);
        g_autofree char *text = g_strjoinv ("\302\240%", parts); /* the sign stays with its number */
        y = ls_text_wrapped (layout->still, area.x + m->rule + 8, y, area.w - m->rule - 8, m->label,
                             LS_INK_QUIET, text, TRUE);
      }
  for (guint side = 0; side < LS_SIDES; side++)
    g_free (words[side]);
  return y;
}

double
ls_timeline_heads (LsLayout *layout, LsArea area)
{
  double y = area.y, between = y;

  for (guint side = 0; side < LS_SIDES; side++)
    {
      y = draw_head (layout, side, (LsArea){ area.x, y, area.w, 0 }) + 8;
      if (side == 0)
        between = y;
    }
  ls_stage_fair (layout, area.x + area.w - 20, between - 26, 20);
  return draw_conditions (layout, (LsArea){ area.x, y - 8, area.w, 0 }) + 10 - area.y;
}
