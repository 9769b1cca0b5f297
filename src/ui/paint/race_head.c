/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Race's heads: the rate as large as the hall is deep, its conditions beneath, loss and max |Δ| in both, the ratio between.
 */
#include "config.h"
#include "ui/paint/coming.h"
#include "ui/paint/race.h"

#include <math.h>
#include <glib/gi18n-lib.h>

#include "ui/paint/number.h"

/* A number over its caption and mark, right-aligned at `right`; returns the left end. */
static double
column (LsLayout *layout, guint side, LsNumber of, double right, double y, const char *number, const char *caption, LsEvidence evidence,
        gboolean warning)
{
  const LsMetrics *m = &layout->m;
  LsScene *s = layout->still;
  const double below = y + m->label.px * 1.45;
  const double x = (double) ls_scene_text (s, right, below, m->label, LS_INK_QUIET, LS_RIGHT, caption)->x - m->evidence - 6;

  ls_item_number (ls_scene_evidence (s, x, below - m->label.px * .36 - m->evidence / 2, m->evidence, evidence, LS_INK_QUIET), (gint) side, of);
  const LsItem *item = ls_scene_text (s, right, y, m->number, layout->data->stale ? LS_INK_QUIET : LS_INK_TEXT, LS_RIGHT, number);
  const double left = (double) item->x - (warning ? m->number.px * 1.1 : 0), z = m->number.px * .8;
  if (warning)
    ls_scene_mark (s, LS_ITEM_WARNING, left, y - z, z, z, LS_INK_TEXT, 0);
  return MIN (x, left);
}

/* Words separated by " · " on as many lines as they need; returns the last baseline. */
static double
conditions (LsLayout *layout, char *const *words, double x, double y, double width)
{
  const LsMetrics *m = &layout->m;
  GString *line = g_string_new (NULL);

  for (guint i = 0; words[i] != NULL; i++)
    {
      g_autofree char *longer = line->len > 0 ? g_strdup_printf ("%s · %s", line->str, words[i]) : g_strdup (words[i]);
      if (line->len > 0 && ls_scene_width (layout->still, m->label, longer) > width)
        {
          ls_scene_text (layout->still, x, y, m->label, LS_INK_QUIET, LS_LEFT, line->str);
          y += m->label.px * 1.4;
          g_string_assign (line, words[i]);
        }
      else
        g_string_assign (line, longer);
    }
  if (line->len > 0)
    ls_scene_text (layout->still, x, y, m->label, LS_INK_QUIET, LS_LEFT, line->str);
  g_string_free (line, TRUE);
  return y;
}

/* Its short form keeps all conditions; the middle half becomes a percentage. */
static char *
spread_words (const LsFigure *rate, guint warm_up, gboolean brief)
{
  g_autofree char *percent = ls_number_spread (rate->value, rate->q1, rate->q3);
  g_autofree char *n = ls_number_count (rate->n), *low = ls_number_scaled (rate->q1), *high = ls_number_scaled (rate->q3);

  if (brief && warm_up > 0)
    return g_strdup_printf (_("median of %s after %u, %s"), n, warm_up, percent);
  if (brief)
    return g_strdup_printf (_("median of %s, %s"), n, percent);
  if (warm_up > 0)
    return g_strdup_printf (_("median of %s after %u, middle half %s–%s"), n, warm_up, low, high);
  return g_strdup_printf (_("median of %s, middle half %s–%s"), n, low, high);
}

/* The huge number and what it is; beside it where there is room, else beneath. Returns the last baseline. */
static double
draw_rate (LsLayout *layout, const LsViewLane *lane, guint side, LsArea area, double y)
{
  const LsMetrics *m = &layout->m;
  LsScene *s = layout->still;
  g_autofree char *number = lane->rate.n > 0 ? ls_number_scaled (lane->rate.value) : g_strdup ("–");
  const gboolean old = layout->data->stale || lane->stopped_at > 0;
  g_autofree char *spread = lane->rate.n == 0     ? g_strdup (ls_lane_beside_compiler (layout, lane) ? _("not measured beside a compiler") : _("not measured yet"))
                            : layout->data->stale ? g_strdup (_("before the change"))
                            : old                 ? g_strdup (_("before it stopped"))
                                                  : spread_words (&lane->rate, lane->warm_up, FALSE);
  const LsType dash = { m->huge.px, 300 }; /* as heavy as a number it would be a bar, which means something */
  LsItem *item = ls_scene_text (s, area.x, y, lane->rate.n > 0 ? m->huge : dash, old || lane->rate.n == 0 ? LS_INK_QUIET : LS_INK_LANE, LS_LEFT, number);
  const LsType caption = { m->device.px, 400 };
  double x = ls_item_right (item) + m->unit * 4, below = y - m->huge.px * .12;
  const double mark = m->evidence + 7;

  item->value = (float) side;
  if (lane->rate.n > 0 && !old && x + mark + ls_scene_width (s, m->label, spread) > area.x + area.w)
    {
      g_free (spread);
      spread = spread_words (&lane->rate, lane->warm_up, TRUE);
    }
  if (x + mark + MAX (ls_scene_width (s, caption, _("samples per second")), ls_scene_width (s, m->label, spread)) > area.x + area.w)
    {
      x = area.x;
      below = y + m->huge.px * LS_DESCENT + caption.px * .9 + m->label.px * 1.7;
    }
  ls_item_number (ls_scene_evidence (s, x, below - m->label.px * 1.7 - caption.px * .36 - m->evidence / 2, m->evidence,
                                     LS_EVIDENCE_MEASURED, LS_INK_QUIET), (gint) side, LS_NUMBER_RATE);
  ls_scene_text (s, x + mark, below - m->label.px * 1.7, caption, LS_INK_TEXT, LS_LEFT, _("samples per second"));
  ls_scene_text (s, x + (x > area.x ? mark : 0), below, m->label, LS_INK_QUIET, LS_LEFT, spread);
  return MAX (y + m->huge.px * LS_DESCENT - m->label.px * .9, below);
}

/* In the place of the numbers: what the lane does, how long it will still take, and why. As high as the numbers will be. */
static double
draw_coming (LsLayout *layout, guint side, LsArea area, double y)
{
  const LsMetrics *m = &layout->m;
  const LsViewLane *lane = &layout->data->sides[side];
  const double numbers = y + m->label.px * 1.45 + m->huge.px * .92 + m->huge.px * LS_DESCENT + m->label.px * .8;
  LsType type = { m->rate.px, 700 };

  if (m->evidence + 1.5 * m->unit + ls_scene_width (layout->still, type, lane->message) > area.w)
    type.px = m->heading.px;
  y = ls_coming_sentence (layout, side, area.x, y + m->label.px * .9, area.w, type) + m->unit;
  if (lane->hint != NULL)
    y = ls_stage_wrapped (layout, area.x, y, area.w, m->body, LS_INK_TEXT, lane->hint, TRUE);
  if (lane->words != NULL && m->size != LS_SIZE_SMALL)
    y = ls_stage_wrapped (layout, area.x, y, area.w, m->body, LS_INK_TEXT, lane->words, TRUE);
  return MAX (y, numbers);
}

static double
draw_head (LsLayout *layout, guint side, LsArea area)
{
  const LsMetrics *m = &layout->m;
  const LsViewLane *lane = &layout->data->sides[side];
  LsScene *s = layout->still;
  const double y = area.y + m->rule + m->name.px * 1.15;
  double right = area.x + area.w, x, last;
  g_autofree char *loss = ls_number_text (lane->loss.value, 3), *delta = ls_number_power (lane->delta.value);
  LsItem *name;

  ls_scene_box (s, area.x, area.y, area.w, m->rule, LS_INK_MARK, side)->side = (guint8) side;
  name = ls_scene_text (s, area.x, y, m->name, LS_INK_LANE, LS_LEFT, lane->name);
  name->value = (float) side;
  x = ls_item_right (name) + 12;
  if (!lane->there)
    return y;
  if (ls_lane_coming (lane))
    {
      if (lane->device[0] && x + ls_scene_width (s, m->device, lane->device) <= right)
        ls_scene_text (s, x, y, m->device, LS_INK_TEXT, LS_LEFT, lane->device);
      return draw_coming (layout, side, area, y);
    }
  if (lane->delta.n > 0)
    right = column (layout, side, LS_NUMBER_DELTA, right, y, delta, _("max |Δ|"), LS_EVIDENCE_DERIVED, layout->data->disagree[0] != NULL) - 5 * m->unit;
  right = column (layout, side, LS_NUMBER_LOSS, right, y, loss, _("loss"), LS_EVIDENCE_MEASURED, FALSE) - 5 * m->unit;
  last = y + m->label.px * 1.45;
  if (lane->device[0] && x + ls_scene_width (s, m->device, lane->device) <= right)
    ls_scene_text (s, x, y, m->device, LS_INK_TEXT, LS_LEFT, lane->device);
  else if (lane->device[0] && area.x + ls_scene_width (s, m->device, lane->device) <= right)
    ls_scene_text (s, area.x, last, m->device, LS_INK_TEXT, LS_LEFT, lane->device);
  else if (lane->device[0])
    {
      last += m->device.px * 1.5;
      ls_scene_text (s, area.x, last, m->device, LS_INK_TEXT, LS_LEFT, lane->device);
    }
  last = draw_rate (layout, lane, side, area, last + m->huge.px * .92);
  last = conditions (layout, lane->conditions, area.x, last + m->label.px * 1.7, area.w);
  if (lane->recorded_on != NULL)
    last = ls_stage_wrapped (layout, area.x, last, area.w, (LsType){ m->label.px, 700 }, LS_INK_TEXT, lane->recorded_on, TRUE);
  if (lane->change != NULL)
    last = ls_stage_change (layout, area.x, last, area.w, lane->change);
  if (lane->notice != NULL)
    last = ls_stage_wrapped (layout, area.x, last, area.w, (LsType){ m->label.px, 700 }, LS_INK_TEXT, lane->notice, TRUE);
  return last;
}

/* Below the ratio, whether it compares the same work: the distance of both lanes' results, in words. Only above `bottom`. */
static void
draw_verdict (LsLayout *layout, double x, double y, double width, double bottom)
{
  const LsMetrics *m = &layout->m;
  const LsFigure *delta = &layout->data->sides[0].delta;
  const gboolean apart = layout->data->disagree[0] != NULL, same = delta->value == 0;
  const char *first = apart ? _("the lanes") : same ? _("both the same,") : _("losses agree");
  const char *second = apart ? _("disagree") : same ? _("bit for bit") : _("in tolerance");
  LsScene *s = layout->still;
  double left;

  if (layout->data->sides[0].stopped_at > 0 || layout->data->sides[1].stopped_at > 0) /* what they last had in common is past */
    return;
  if (delta->n == 0 || (!apart && !layout->data->live && !(delta->value <= LS_DISAGREE_LOSS)))
    return;
  if (m->size == LS_SIZE_SMALL || (m->size != LS_SIZE_LARGE && y + m->label.px * 1.4 > bottom)
      || MAX (ls_scene_width (s, m->label, first) + m->evidence + 6, ls_scene_width (s, m->label, second)) > width)
    return;
  left = (double) ls_scene_text (s, x + (m->evidence + 6) / 2, y, m->label, LS_INK_QUIET, LS_CENTER, first)->x;
  ls_item_number (ls_scene_evidence (s, left - m->evidence - 6, y - m->label.px * .36 - m->evidence / 2, m->evidence,
                                     LS_EVIDENCE_DERIVED, LS_INK_QUIET), 0, LS_NUMBER_DELTA);
  ls_scene_text (s, x, y + m->label.px * 1.4, m->label, LS_INK_QUIET, LS_CENTER, second);
}

/* Centred, on one line or two. Returns the last baseline; the words go where neither fits. */
static double
draw_centred (LsLayout *layout, double x, double y, double width, double bottom, const char *words)
{
  const LsType label = layout->m.label;
  LsScene *s = layout->still;

  if (ls_scene_width (s, label, words) < width)
    {
      ls_scene_text (s, x, y, label, LS_INK_QUIET, LS_CENTER, words);
      return y;
    }
  for (const char *gap = strrchr (words, ' '); gap != NULL && y + label.px * 1.4 <= bottom; gap = g_strrstr_len (words, gap - words, " "))
    {
      g_autofree char *first = g_strndup (words, (gsize) (gap - words));
      if (ls_scene_width (s, label, first) >= width)
        continue;
      if (ls_scene_width (s, label, gap + 1) >= width)
        break;
      ls_scene_text (s, x, y, label, LS_INK_QUIET, LS_CENTER, first);
      ls_scene_text (s, x, y + label.px * 1.4, label, LS_INK_QUIET, LS_CENTER, gap + 1);
      return y + label.px * 1.4;
    }
  return y;
}

static void
draw_ratio (LsLayout *layout, LsArea area, double width, double bottom)
{
  const LsMetrics *m = &layout->m;
  const LsFigure *a = &layout->data->sides[0].rate, *b = &layout->data->sides[1].rate;
  const gboolean second = b->value > a->value;
  const LsType big = { m->projector ? m->rate.px : m->huge.px * .47, 700 };
  const double x = area.x + area.w / 2;
  LsScene *s = layout->still;
  double y = area.y + m->label.px * 1.6, w;

  if (a->n == 0 || b->n == 0 || a->value <= 0 || b->value <= 0)
    return;
  g_autofree char *number = ls_number_text (second ? b->value / a->value : a->value / b->value, 3);
  w = ls_scene_width (s, m->label, _("ratio"));
  ls_item_number (ls_scene_evidence (s, x - (w + m->evidence + 6) / 2, y - m->label.px * .36 - m->evidence / 2, m->evidence,
                                     LS_EVIDENCE_DERIVED, LS_INK_QUIET), -1, LS_NUMBER_RATIO);
  ls_scene_text (s, x + (m->evidence + 6) / 2, y, m->label, LS_INK_QUIET, LS_CENTER, _("ratio"));
  y += big.px * 1.1;
  ls_scene_text (s, x, y, big, LS_INK_TEXT, LS_CENTER, number);
  y = draw_centred (layout, x, y + m->label.px * 1.6, width, bottom, second ? _("OpenCL over CPU") : _("CPU over OpenCL"));
  draw_verdict (layout, x, y + m->label.px * 2.2, width, bottom);
}

double
ls_race_heads (LsLayout *layout, LsArea area, double middle)
{
  const LsMetrics *m = &layout->m;
  const double w = (area.w - 2 * m->margin - middle) / 2;
  double bottom = area.y;

  for (guint side = 0; side < LS_SIDES; side++)
    {
      const double last = draw_head (layout, side, (LsArea){ area.x + m->margin + side * (w + middle), area.y, w, 0 });
      bottom = MAX (bottom, last);
    }
  draw_ratio (layout, area, middle - 8, bottom);
  return bottom - area.y + m->label.px * .6;
}
