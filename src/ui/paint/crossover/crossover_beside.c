/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Beside the map: what is being measured or when it was, and the button; who wins from where on, in a
 * sentence; the picked cell, the guess, and the rates of a row.
 */
#include "config.h"
#include "ui/paint/crossover/crossover.h"

#include <math.h>
#include <glib/gi18n-lib.h>
#include <string.h>

#include "ui/paint/data/age.h"
#include "ui/paint/parts/text.h"
#include "core/number.h"

#define BUTTON_W 36. /* units */

/* ---- when ---- */

/* Stable strings: what stands on the button. */
static const char *
button_words (const LsCross *c)
{
  if (ls_view_lab_works (&c->layout->data->measuring))
    return _("Stop");
  if (c->result == NULL || c->result->tried->len == 0)
    return _("Measure");
  if (!ls_lab_result_whole (c->result))
    return _("Go On");
  return !c->result->foreign && c->result->tried->len < c->result->n_sizes ? _("Measure More")
                                                                           : _("Measure Again");
}

static void
button (const LsCross *c, LsArea area, double y)
{
  LsLayout *layout = c->layout;
  const double w = MIN (BUTTON_W * layout->m.unit, area.w);

  if (layout->m.control_h <= 0)
    return;
  ls_stage_slot (layout, LS_SLOT_LAB, -1, 0, area.x + area.w - w, y, w, layout->m.control_h);
  g_array_index (layout->slots, LsSlot, layout->slots->len - 1).words = button_words (c);
}

static char *
left_words (double seconds)
{
  const guint s = (guint) ceil (MAX (seconds, 0));

  return s < 60
           ? g_strdup_printf (_("about %u s left; cells near the line come first, and training rests"), s)
           : g_strdup_printf (
             _("about %u min %02u s left; cells near the line come first, and training rests"), s / 60,
             s % 60);
}

/* Each returns the last baseline. */
static double
progress (const LsCross *c, LsArea area)
{
  const LsViewLab *now = &c->layout->data->measuring;
  const LsMetrics *m = &c->layout->m;
  LsScene *s = c->layout->still;
  double y = area.y + m->heading.px;

  if (area.h < m->heading.px * 4 + m->control_h)
    return area.y + area.h;
  g_autofree char *spot = now->spot.x > 0 ? ls_experiment_spot_text (now->experiment, now->spot)
                                          : g_strdup (_("opening the lanes")),
                  *left = left_words (now->seconds_left),
                  *of = g_strdup_printf (_("%u of %u"), now->done, now->n);
  const double share = now->n > 0 ? (double) now->done / now->n : 0, h = 2 * m->unit;

  ls_scene_text (s, area.x, y, m->heading, LS_INK_TEXT, LS_LEFT, _("Being measured"));
  if (now->n > 0)
    ls_scene_text (s, area.x + area.w, y, m->heading, LS_INK_TEXT, LS_RIGHT, of);
  y += 2 * m->unit;
  ls_scene_box (s, area.x, y, area.w, h, LS_INK_TRACK, 0)->size = (float) h / 2;
  if (share > 0)
    ls_scene_box (s, area.x, y, MAX (area.w * share, h), h, LS_INK_TEXT, 0)->size = (float) h / 2;
  button (c, area, y + h + m->unit);
  y += h + m->label.px * 1.5;
  ls_scene_text (s, area.x, y, m->label, LS_INK_TEXT, LS_LEFT, spot);
  if (now->n > 0 && now->experiment->rows != NULL)
    y = ls_text_wrapped (s, area.x, y, area.w - BUTTON_W * m->unit - 2 * m->unit, m->label, LS_INK_QUIET,
                         left, TRUE);
  return MAX (y, area.y + m->heading.px + 5 * m->unit + m->control_h - m->label.px * .5) + m->unit;
}

static char *
when_words (const LsCross *c)
{
  const LsLabResult *r = c->result;
  g_autofree char *age = ls_age_text (r->date, c->layout->data->today),
                  *when = age != NULL ? g_strdup_printf ("%s (%s)", r->date, age) : g_strdup (r->date),
                  *cells = g_strdup_printf (_("%u of %u cells"), r->tried->len, r->n_sizes);

  if (!ls_lab_result_whole (r))
    return g_strdup_printf (_("broken off on %s: %s"), when, cells);
  if (r->foreign)
    return g_strdup_printf (_("measured on %s by %s, %s: %s"), when, r->program, r->machine, cells);
  return g_strdup_printf (r->busy ? _("measured on %s beside other programs: %s") : _("measured on %s: %s"),
                          when, cells);
}

static double
standing (const LsCross *c, LsArea area)
{
  const LsMetrics *m = &c->layout->m;
  LsScene *s = c->layout->still;
  const gboolean none = c->result == NULL || c->result->tried->len == 0;
  const double w = area.w - (m->control_h > 0 ? BUTTON_W + 2 : 0) * m->unit;
  double y = area.y + m->heading.px, last;
  const guint seconds = 20 * ls_experiment_times (c->experiment);
  g_autofree char *words = none ? c->layout->data->live
                                    ? g_strdup_printf (
                                      _("Not measured with these lanes yet. It takes about %u s, "
                                         "and training rests meanwhile."),
                                      seconds)
                                    : g_strdup (_("The recording holds no result of this."))
                                : when_words (c);

  last = ls_text_wrapped (s, area.x, y - m->label.px * LS_TEXT_PITCH, w, m->label, LS_INK_TEXT, words, FALSE);
  if (MAX (last, area.y + m->control_h) > area.y + area.h)
    return area.y + area.h;
  button (c, area, area.y);
  ls_text_wrapped (s, area.x, y - m->label.px * LS_TEXT_PITCH, w, m->label, none ? LS_INK_TEXT : LS_INK_QUIET,
                   words, TRUE);
  return MAX (last, area.y + m->control_h - m->label.px * .5) + m->unit;
}

/* ---- what it says ---- */

/* The picked cell's numbers, or why it has none. (transfer full) */
static char *
picked_words (const LsCross *c)
{
  const LsLabSpot spot = ls_cross_spot (c, c->asked->col, c->asked->row);
  g_autofree char *where = ls_experiment_spot_text (c->experiment, spot);
  GString *text = g_string_new (where);

  for (guint side = 0; side < LS_SIDES; side++)
    {
      const guint lane = ls_cross_lane (c, side);
      const LsLabPoint *p = c->result != NULL && lane < c->result->specs->len
                              ? ls_lab_result_point (c->result, lane, spot)
                              : NULL;
      const char *why = c->result != NULL && lane < c->result->specs->len
                          ? ls_lab_result_why (c->result, lane, spot)
                          : NULL;

      g_string_append (text, side == 0 ? ": " : ", ");
      if (p != NULL)
        {
          g_autofree char *rate = ls_number_scaled (p->rate.value),
                          *spread = ls_number_spread (p->rate.value, p->rate.q1, p->rate.q3);
          g_string_append_printf (text, _("%s %s samples/s %s"), ls_cross_name (c, side), rate, spread);
        }
      else
        g_string_append_printf (text, "%s – %s", ls_cross_name (c, side),
                                why != NULL ? why : _("not measured"));
    }
  return g_string_free (text, FALSE);
}

static char *
guess_words (const LsCross *c)
{
  guint cells, right;
  gboolean any = FALSE;

  for (guint row = 0; row < c->n_y; row++)
    any |= c->asked->guess[c->asked->axes][row] != LS_NO_GUESS;
  if (!any)
    return c->asked->guessing
             ? g_strdup (_("A click on an edge, or Enter, says from which batch on the right lane wins "
                            "in that row."))
             : NULL;
  ls_cross_judge (c, &cells, &right);
  if (cells == 0)
    return g_strdup (_("Our guess stands; no cell with a winner is measured in its rows yet."));
  return g_strdup_printf (ngettext ("Our guess: %u of %u measured cell on the right side (%.0f %%).",
                                    "Our guess: %u of %u measured cells on the right side (%.0f %%).", cells),
                          right, cells, 100. * right / cells);
}

static double
sentence (const LsCross *c, LsArea area, double y, LsEvidence evidence, LsType type, const char *text)
{
  const LsMetrics *m = &c->layout->m;
  LsScene *s = c->layout->still;
  const double gap = m->evidence + 1.5 * m->unit, pitch = type.px * LS_TEXT_PITCH,
               last = ls_text_wrapped (s, area.x + gap, y, area.w - gap, type, LS_INK_TEXT, text, FALSE);

  if (last > area.y + area.h)
    return y;
  ls_scene_evidence (s, area.x, y + pitch - type.px * .8, m->evidence, evidence, LS_INK_TEXT);
  return ls_text_wrapped (s, area.x + gap, y, area.w - gap, type, LS_INK_TEXT, text, TRUE) + m->unit;
}

void
ls_cross_beside (const LsCross *c, LsArea area)
{
  const LsMetrics *m = &c->layout->m;
  const LsLabSpot *own = c->own.x > 0 ? &c->own : NULL;
  const gboolean any = c->result != NULL && c->result->tried->len > 0;
  g_autofree char *text = any ? ls_lab_crossover_text (c->result, own) : NULL, *guess = guess_words (c),
                  *picked = c->asked->picked && c->asked->col < c->n_x && c->asked->row < c->n_y
                              ? picked_words (c)
                              : NULL;
  double y = c->layout->data->measuring.experiment != NULL ? progress (c, area) : standing (c, area);

  if (text != NULL)
    y = sentence (c, area, y, LS_EVIDENCE_DERIVED, m->strong, text);
  if (picked != NULL)
    y = sentence (c, area, y, LS_EVIDENCE_MEASURED, m->label, picked);
  if (guess != NULL)
    y = sentence (c, area, y, LS_EVIDENCE_DERIVED, m->label, guess);
  y += 3 * m->unit;
  ls_cross_row (c, (LsArea){ area.x, y, area.w, MIN (area.y + area.h - y, 110 * m->unit) });
}
