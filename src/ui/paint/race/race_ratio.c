/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Between Race's heads: the ratio of the medians, the verdict in words, both middle halves over the slower
 * lane's median, and whether the lanes agree. In the hall the verdict alone, in one line.
 */
#include "config.h"
#include "ui/paint/race/race.h"

#include <math.h>
#include <glib/gi18n-lib.h>

#include "core/number.h"
#include "ui/paint/parts/rates.h"

#define FAIR_PX 28 /* of the mark that opens what makes the comparison fair */

/* Centred, onto as many lines as there is room for above `bottom`; returns the last baseline. Nothing is
 * drawn where not all fits. */
static double
centred (LsLayout *layout, double x, double y, double width, double bottom, LsType type, LsInk ink,
         const char *words)
{
  g_auto (GStrv) parts = g_strsplit (words, " ", -1);
  g_autoptr (GPtrArray) lines = g_ptr_array_new_with_free_func (g_free);
  GString *line = g_string_new (NULL);

  for (guint i = 0; parts[i] != NULL; i++)
    {
      g_autofree char *longer = line->len > 0 ? g_strdup_printf ("%s %s", line->str, parts[i])
                                              : g_strdup (parts[i]);
      if (line->len > 0 && ls_scene_width (layout->still, type, longer) > width)
        {
          g_ptr_array_add (lines, g_strdup (line->str));
          g_string_assign (line, parts[i]);
        }
      else
        g_string_assign (line, longer);
    }
  g_ptr_array_add (lines, g_string_free (line, FALSE));
  if (y + (lines->len - 1) * type.px * 1.35 > bottom)
    return y - type.px * 1.35;
  for (guint i = 0; i < lines->len; i++)
    if (ls_scene_width (layout->still, type, lines->pdata[i]) > width)
      return y - type.px * 1.35;
  for (guint i = 0; i < lines->len; i++)
    ls_item_number (
      ls_scene_text (layout->still, x, y + i * type.px * 1.35, type, ink, LS_CENTER, lines->pdata[i]), -1,
      LS_NUMBER_WINNER);
  return y + (lines->len - 1) * type.px * 1.35;
}

/* How far a mark pushes what stands after it. */
static double
mark_width (const LsLayout *layout, LsType type, gboolean unfair)
{
  const double gap = MAX (6, type.px * .25);

  return layout->m.evidence + gap + (unfair ? type.px * .85 + gap : 0);
}

/* With a mark before it, and of an unfair comparison the sign for that, centred on one line; returns the
 * text. */
static LsItem *
marked (LsLayout *layout, double x, double y, LsType type, LsInk ink, LsNumber of, gint side, gboolean unfair,
        const char *words)
{
  const double mark = layout->m.evidence, before = mark_width (layout, type, unfair), sign = type.px * .85,
               left = x - (ls_scene_width (layout->still, type, words) + before) / 2;

  ls_item_number (ls_scene_evidence (layout->still, left, y - type.px * .36 - mark / 2, mark,
                                     LS_EVIDENCE_DERIVED, type.weight > 400 ? LS_INK_TEXT : LS_INK_QUIET),
                  side, of);
  if (unfair)
    ls_scene_mark (layout->still, LS_ITEM_WARNING, left + mark + MAX (6, type.px * .25), y - type.px * .76,
                   sign, sign, LS_INK_AMBER, 0);
  LsItem *item = ls_scene_text (layout->still, x + before / 2, y, type, ink, LS_CENTER, words);
  ls_item_number (item, -1, of);
  return item;
}

static double
names_width (const LsLayout *layout)
{
  const LsType type = { layout->m.tick.px, 700 };

  return MAX (ls_scene_width (layout->still, type, layout->data->sides[0].brief),
              ls_scene_width (layout->still, type, layout->data->sides[1].brief));
}

gboolean
ls_race_halves_fit (const LsLayout *layout, double width)
{
  return width - names_width (layout) >= 28 + 5 * layout->m.tick.px;
}

/* Where they overlap, on grey. */
void
ls_race_halves (const LsLayout *layout, LsScene *s, LsArea area, const LsFigure *first,
                const LsFigure *second)
{
  const LsMetrics *m = &layout->m;
  const LsFigure *rates[LS_SIDES] = { first, second };
  const double one = MIN (rates[0]->value, rates[1]->value), low = MIN (rates[0]->q1, rates[1]->q1),
               high = MAX (rates[0]->q3, rates[1]->q3);
  const double pitch = m->label.px * 1.15, span = MAX (log (high / low), .01);
  const double left = area.x + names_width (layout) + 14, right = area.x + area.w - 14;
  double from, to;

#define AT(v) (left + (right - left) * log ((v) / low) / span)
  from = AT (MAX (rates[0]->q1, rates[1]->q1));
  to = AT (MIN (rates[0]->q3, rates[1]->q3));
  if (to > from)
    ls_scene_box (s, from, area.y, to - from, 2 * pitch, LS_INK_CHOSEN, 0);
  ls_scene_segment (s, AT (one), area.y, AT (one), area.y + 2 * pitch, LS_INK_QUIET, 1);
  for (guint side = 0; side < LS_SIDES; side++)
    {
      const double y = area.y + (side + .5) * pitch;
      LsItem *item = ls_scene_text (s, area.x, y + m->tick.px * .36, (LsType){ m->tick.px, 700 }, LS_INK_LANE,
                                    LS_LEFT, layout->data->sides[side].brief);
      item->value = (float) side;
      ls_scene_path (s, LS_ITEM_LINE, LS_INK_MARK, side, 3)->evidence = LS_EVIDENCE_DERIVED;
      ls_scene_point (s, AT (rates[side]->q1), y);
      ls_scene_point (s, MAX (AT (rates[side]->q3), AT (rates[side]->q1) + 1), y);
      ls_scene_path (s, LS_ITEM_RINGS, LS_INK_MARK, side, 9)->evidence = LS_EVIDENCE_DERIVED;
      ls_scene_point (s, AT (rates[side]->value), y);
    }
  ls_scene_text (s, AT (one), area.y + 2 * pitch + m->tick.px, m->tick, LS_INK_QUIET, LS_CENTER, "1");
#undef AT
}

/* Whether the lanes agree, and whether the step below went the other way round: in the middle below the
 * heads, or on a line of its own where conditions are in the way; returns the last baseline. */
static double
last_words (LsLayout *layout, LsArea area, double bottom)
{
  const LsMetrics *m = &layout->m;
  const gboolean stopped = layout->data->sides[0].stopped_at > 0
                           || layout->data->sides[1].stopped_at > 0; /* what they had in common is past */
  g_autofree char *otherwise = ls_rates_other_way_round (layout->data),
                  *agree = stopped ? NULL : ls_agreement_text (layout->data);
  g_autofree char *both = otherwise != NULL && agree != NULL ? g_strdup_printf ("%s · %s", otherwise, agree)
                                                             : NULL;
  const double most = area.w - 2 * m->margin - m->evidence - 12;
  const char *words = both != NULL && ls_scene_width (layout->still, m->label, both) <= most ? both
                      : otherwise != NULL                                                    ? otherwise
                                                                                             : agree;
  const double x = area.x + area.w / 2,
               width = words != NULL ? ls_scene_width (layout->still, m->label, words) : 0;
  const double half = (width + m->evidence) / 2 + 6, line = m->label.px * 1.5;

  if (words == NULL || width > most)
    return bottom;
  for (guint i = 0; i < layout->still->items->len; i++)
    {
      const LsItem *item = ls_scene_get (layout->still, i);
      double left, top, w, h;
      if (item->kind != LS_ITEM_TEXT && item->kind != LS_ITEM_EVIDENCE)
        continue;
      ls_item_bounds (layout->still, item, &left, &top, &w, &h);
      if (top < bottom + m->label.px * .5 && top + h > bottom - m->label.px * 1.2 && left + w > x - half
          && left < x + half)
        {
          if (otherwise == NULL && bottom + line - area.y > area.h * .45)
            return bottom;
          bottom += line;
          break;
        }
    }
  ls_item_number (marked (layout, x, bottom, m->label, LS_INK_QUIET,
                          otherwise != NULL ? LS_NUMBER_RATIO : LS_NUMBER_DELTA, otherwise != NULL ? -1 : 0,
                          FALSE, words),
                  -1, LS_NUMBER_AGREEMENT);
  return bottom;
}

double
ls_race_ratio (LsLayout *layout, LsArea area, double width, double bottom)
{
  const LsMetrics *m = &layout->m;
  const LsType big = { m->huge.px * .47, 700 };
  const double x = area.x + area.w / 2, line = m->label.px * 1.4,
               last = bottom - (m->size == LS_SIZE_LARGE ? line : 0);
  const LsWinner winner = ls_rates_winner (layout->data);
  g_autofree char *lacking = ls_rates_no_ratio (layout->data),
                  *verdict = ls_rates_verdict (layout->data, FALSE);
  double y = area.y + m->label.px * 1.5;

  if (winner == LS_WINNER_UNKNOWN)
    {
      if (lacking != NULL)
        y = centred (layout, x, y, width, last, m->label, LS_INK_QUIET, lacking);
      if (!m->projector)
        ls_stage_fair (layout, x - FAIR_PX / 2, y + m->label.px * .6, FAIR_PX);
      return last_words (layout, area, bottom);
    }
  g_autofree char *number = ls_number_text (ls_rates_ratio (layout->data), 3);
  const gboolean unfair = ls_rates_unfair (layout->data);
  const char *const captions[] = { unfair ? _("unfair ratio") : _("ratio of the medians"),
                                   unfair ? _("unfair") : _("ratio") };
  const LsType type = { m->label.px, unfair ? 700 : m->label.weight };
  marked (layout, x, y, type, unfair ? LS_INK_AMBER : LS_INK_QUIET, LS_NUMBER_RATIO, -1, unfair,
          captions[ls_scene_width (layout->still, type, captions[0]) + mark_width (layout, type, unfair)
                   > width - 16]);
  y += big.px * 1.05;
  LsItem *ratio = ls_scene_text (layout->still, x, y, big, LS_INK_TEXT, LS_CENTER, number);
  const double fair = MIN (FAIR_PX, x + width / 2 - ls_item_right (ratio) - 8);
  ls_item_number (ratio, -1, LS_NUMBER_RATIO);
  ls_stage_fair (layout, ls_item_right (ratio) + 8, y - big.px * .36 - fair / 2, fair);
  y = centred (layout, x, y + m->strong.px * 1.5, width, last,
               ls_scene_width (layout->still, m->strong, verdict) <= width ? m->strong
                                                                           : (LsType){ m->label.px, 700 },
               LS_INK_TEXT, verdict);
  if (y + m->label.px * (.6 + 2.3) + m->tick.px * 1.2 <= last && ls_race_halves_fit (layout, width))
    {
      ls_race_halves (layout, layout->still, (LsArea){ x - width / 2, y + m->label.px * .6, width, 0 },
                      &layout->data->sides[0].rate, &layout->data->sides[1].rate);
      y += m->label.px * (.6 + 2.3) + m->tick.px * 1.2;
      if (m->size == LS_SIZE_LARGE)
        centred (layout, x, y + line, width, last, m->tick, LS_INK_QUIET,
                 winner == LS_WINNER_NONE ? _("middle halves overlap") : _("middle halves apart"));
    }
  return last_words (layout, area, bottom);
}

double
ls_race_verdict (LsLayout *layout, LsArea area, double bottom)
{
  const LsMetrics *m = &layout->m;
  const double x = area.x + area.w / 2, width = area.w - 2 * m->margin;
  g_autofree char *verdict = ls_rates_verdict (layout->data, TRUE),
                  *lacking = ls_rates_no_ratio (layout->data);
  g_autofree char *otherwise = ls_rates_other_way_round (layout->data);
  const char *words = verdict != NULL ? verdict : lacking;
  LsType type = verdict != NULL ? (LsType){ m->rate.px, 700 } : m->heading;

  if (words == NULL)
    return bottom;
  const gboolean unfair = verdict != NULL && ls_rates_unfair (layout->data)
                          && ls_rates_winner (layout->data) != LS_WINNER_NONE; /* which names no ratio */
  while (type.px > m->body.px
         && ls_scene_width (layout->still, type, words) + mark_width (layout, type, unfair) > width)
    type.px *= .9;
  bottom += type.px * 1.25;
  if (verdict != NULL)
    marked (layout, x, bottom, type, LS_INK_TEXT, LS_NUMBER_RATIO, -1, unfair, words);
  else
    ls_item_number (ls_scene_text (layout->still, x, bottom, type, LS_INK_QUIET, LS_CENTER, words), -1,
                    LS_NUMBER_WINNER);
  if (otherwise == NULL)
    return bottom;
  bottom += m->body.px * 1.35;
  ls_item_number (ls_scene_text (layout->still, x, bottom, m->body, LS_INK_QUIET, LS_CENTER, otherwise), -1,
                  LS_NUMBER_WINNER);
  return bottom;
}
