/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The huge number in a head of Race, and the lines beside or beneath it: what it counts, and under which
 * conditions it stands; in the hall also the device, loss and max |Δ|.
 */
#include "config.h"
#include "ui/paint/race/race_head.h"

#include <string.h>
#include <glib/gi18n-lib.h>

#include "core/number.h"
#include "ui/paint/parts/rates.h"

static void
add_line (LsRaceHead *h, LsNumber of, LsEvidence evidence, LsType type, LsInk ink, char *text)
{
  h->lines[h->n_lines++] = (LsRaceLine){ of, evidence, type, ink, text };
}

static gboolean
old (const LsRaceHead *h)
{
  return h->lane->stopped_at > 0;
}

static double
mark_width (const LsRaceHead *h)
{
  return h->layout->m.evidence + 7;
}

static double
line_width (const LsRaceHead *h, const LsRaceLine *line)
{
  return mark_width (h) + ls_scene_width (h->layout->still, line->type, line->text);
}

double
ls_race_rate_pair (const LsRaceHead *h, double y, gboolean draw)
{
  const LsMetrics *m = &h->layout->m;
  LsScene *s = h->layout->still;
  double right = h->area.x + h->area.w;

  /* the last two places, unless other lines, or the pair itself, stand there as lines below the name */
  for (guint i = LS_RACE_LINES; i-- > MAX (h->n_lines, LS_RACE_LINES - 2) && h->lines[i].text != NULL;)
    {
      const LsRaceLine *line = &h->lines[i];
      const double left = right - line_width (h, line);
      if (draw)
        {
          ls_item_number (ls_scene_evidence (s, left, y - m->label.px * .36 - m->evidence / 2, m->evidence,
                                             line->evidence, LS_INK_QUIET),
                          (gint) h->side, line->of);
          ls_item_number (ls_scene_text (s, right, y, line->type, line->ink, LS_RIGHT, line->text),
                          (gint) h->side, line->of);
        }
      right = left - 5 * m->unit;
    }
  return right;
}

/* On two lines where one is wider than the head. */
static void
add_halves (LsRaceHead *h, const char *words)
{
  const LsType type = h->layout->m.label;
  const char *gap = words + strlen (words);
  LsRaceLine line = { .type = type, .text = g_strdup (words) };

  while (line_width (h, &line) > h->area.w && (gap = g_strrstr_len (words, gap - words, " ")) != NULL)
    {
      g_free (line.text);
      line.text = g_strndup (words, (gsize) (gap - words));
    }
  add_line (h, LS_NUMBER_NONE, LS_EVIDENCE_MEASURED, type, LS_INK_QUIET, line.text);
  if (gap != NULL && *gap != '\0')
    add_line (h, LS_NUMBER_NONE, LS_EVIDENCE_MEASURED, type, LS_INK_QUIET, g_strdup (gap + 1));
}

void
ls_race_rate_prepare (LsRaceHead *h)
{
  const LsMetrics *m = &h->layout->m;
  const LsViewLane *lane = h->lane;

  add_line (h, LS_NUMBER_RATE, LS_EVIDENCE_MEASURED, m->projector ? m->label : (LsType){ m->device.px, 400 },
            LS_INK_TEXT, g_strdup (_("samples per second")));
  if (!m->projector || !ls_figure_stands (&lane->rate) || old (h))
    add_line (h, LS_NUMBER_NONE, LS_EVIDENCE_MEASURED, m->label, LS_INK_QUIET,
              ls_rate_words (h->layout, lane, LS_RATE_RANGE));
  else
    {
      g_autofree char *words
        = lane->device[0]
            ? g_strdup (lane->device)
            : g_strjoinv (" · ",
                          (char *[]){ lane->conditions[0],
                                      lane->conditions[0] != NULL ? lane->conditions[1] : NULL, NULL });
      add_halves (h, words);
    }
  if (!m->projector)
    return;
  /* from the last place on, in the order from the right */
  g_autofree char *loss = ls_number_text (lane->loss.value, 3), *delta = ls_delta_number (lane);
  g_autofree char *of = ls_delta_caption (lane), *step = ls_loss_caption (h->layout->data, h->side);
  guint at = LS_RACE_LINES - 1;
  if (lane->delta.n > 0)
    h->lines[at--] = (LsRaceLine){ LS_NUMBER_DELTA, LS_EVIDENCE_DERIVED, m->label, LS_INK_TEXT,
                                   g_strdup_printf ("%s %s", of, delta) };
  h->lines[at] = (LsRaceLine){ LS_NUMBER_LOSS, LS_EVIDENCE_MEASURED, m->label, LS_INK_TEXT,
                               g_strdup_printf ("%s %s", step, loss) };
}

void
ls_race_rate_take_pair (LsRaceHead *h)
{
  for (guint i = LS_RACE_LINES - 2; i < LS_RACE_LINES; i++)
    if (h->lines[i].text != NULL && i >= h->n_lines)
      {
        LsRaceLine line = h->lines[i];
        h->lines[i].text = NULL;
        h->lines[h->n_lines++] = line;
      }
}

static double
widest_line (const LsRaceHead *h)
{
  double width = 0;

  for (guint i = 0; i < h->n_lines; i++)
    width = MAX (width, line_width (h, &h->lines[i]));
  return width;
}

gboolean
ls_race_rate_fits (const LsRaceHead *h)
{
  g_autofree char *number = ls_rate_number (h->lane);

  return ls_scene_width (h->layout->still, h->huge, number) + 4 * h->layout->m.unit + widest_line (h)
         <= h->area.w;
}

void
ls_race_rate_shorten (LsRaceHead *h)
{
  static const LsRateForm forms[] = { LS_RATE_WHOLE, LS_RATE_SHORT, LS_RATE_LEAST };

  for (guint i = 0; i < G_N_ELEMENTS (forms) && !h->layout->m.projector && !ls_race_rate_fits (h)
                    && !(old (h) && ls_figure_stands (&h->lane->rate));
       i++)
    {
      g_free (h->lines[1].text);
      h->lines[1].text = ls_rate_words (h->layout, h->lane, forms[i]);
    }
}

double
ls_race_rate_lines (const LsRaceHead *h)
{
  const LsType dash = { h->huge.px, 300 }; /* as heavy as a number it would be a bar, which means something */
  g_autofree char *number = ls_rate_number (h->lane);

  return h->beneath ? h->area.x
                    : h->area.x + 4 * h->layout->m.unit
                        + ls_scene_width (h->layout->still,
                                          ls_figure_stands (&h->lane->rate) ? h->huge : dash, number);
}

double
ls_race_rate_draw (const LsRaceHead *h, double y)
{
  const LsMetrics *m = &h->layout->m;
  LsScene *s = h->layout->still;
  const gboolean stands = ls_figure_stands (&h->lane->rate);
  const LsType dash = { h->huge.px, 300 }; /* as heavy as a number it would be a bar, which means something */
  const double pitch = m->label.px * (m->projector ? 1.35 : 1.7);
  g_autofree char *number = ls_rate_number (h->lane);
  LsItem *item = ls_scene_text (s, h->area.x, y, stands ? h->huge : dash,
                                old (h) || !stands ? LS_INK_QUIET : LS_INK_LANE, LS_LEFT, number);
  const double x = h->beneath ? h->area.x : ls_item_right (item) + 4 * m->unit; /* items move when others are
                                                                                   added */
  double line_y = h->beneath ? y + h->huge.px * LS_DESCENT + m->label.px
                             : y - h->huge.px * .12 - (h->n_lines - 1) * pitch;

  item->value = (float) h->side;
  ls_item_number (item, (gint) h->side, LS_NUMBER_RATE);
  for (guint i = 0; i < h->n_lines; i++, line_y += pitch)
    {
      const LsRaceLine *line = &h->lines[i];
      if (line->of != LS_NUMBER_NONE)
        ls_item_number (ls_scene_evidence (s, x, line_y - line->type.px * .36 - m->evidence / 2, m->evidence,
                                           line->evidence, LS_INK_QUIET),
                        (gint) h->side, line->of);
      ls_item_number (
        ls_scene_text (s, x + mark_width (h), line_y, line->type, line->ink, LS_LEFT, line->text),
        (gint) h->side, line->of);
    }
  return MAX (y + h->huge.px * LS_DESCENT - (m->projector ? 0 : m->label.px * .9), line_y - pitch);
}

double
ls_race_rate_above (const LsRaceHead *h)
{
  const LsMetrics *m = &h->layout->m;

  return h->beneath ? 0
                    : h->huge.px * .12 + (h->most_lines - 1) * m->label.px * (m->projector ? 1.35 : 1.7)
                        + m->body.px * 1.1;
}

void
ls_race_rate_clear (LsRaceHead *h)
{
  for (guint i = 0; i < LS_RACE_LINES; i++)
    g_free (h->lines[i].text);
}
