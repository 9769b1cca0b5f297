/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Facts behind the heads' numbers, from the same curves and figures that the numbers are made of.
 */
#include "config.h"
#include "ui/paint/parts/evidence.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <stdlib.h>

#include "core/number.h"
#include "ui/paint/parts/rates.h"

#define REACH       12.  /* px round a mark's centre: 24 px of target */
#define MAX_SAMPLES 200  /* losses */
#define MAX_DOTS    1000 /* of more samples every so many is a dot */

gboolean
ls_layout_evidence (const LsLayout *layout, double x, double y, LsEvidenceHit *hit)
{
  const guint n_still = layout->still->items->len;
  const LsEvent *picked = ls_layout_event (layout, layout->query.picked);
  double nearest = REACH * REACH;
  gboolean found = FALSE;

  for (guint i = 0; i < n_still + layout->moving->items->len; i++)
    {
      const LsItem *item = i < n_still ? ls_scene_get (layout->still, i)
                                       : ls_scene_get (layout->moving, i - n_still);
      const double dx = x - (double) (item->x + item->w / 2), dy = y - (double) (item->y + item->h / 2);

      if (item->kind != LS_ITEM_EVIDENCE || item->number == LS_NUMBER_NONE || dx * dx + dy * dy > nearest)
        continue;
      nearest = dx * dx + dy * dy;
      *hit = (LsEvidenceHit){ item->side == LS_NO_VALUE ? -1 : item->side,
                              (LsNumber) item->number,
                              picked != NULL ? picked->op : 0,
                              (double) item->x,
                              (double) item->y,
                              (double) item->w,
                              (double) item->h };
      found = TRUE;
    }
  return found;
}

void
ls_evidence_add (LsEvidenceFacts *facts, const char *name, char *value)
{
  g_ptr_array_add (facts->facts, g_strdup (name));
  g_ptr_array_add (facts->facts, value);
}

/* The very steps behind the head's median, as they were counted. */
static void
collect_rates (LsEvidenceFacts *facts, const LsViewData *data, const LsViewLane *lane)
{
  const LsCounted *c = &lane->counted;
  g_autofree double *us = g_new (double, c->end - c->from + 1);
  LsCounted again;
  const gsize n = lane->curve != NULL
                    ? ls_curve_collect (lane->curve, c->from, c->end, lane->rate.n, c->flags, us, &again)
                    : 0;

  for (gsize i = 0; i < n; i++)
    {
      const double rate = 1e6 * data->batch / us[i];
      g_array_append_val (facts->samples, rate);
    }
}

static void
add_part (GString *text, guint64 n, const char *format)
{
  g_autofree char *count = ls_number_count (n);
  g_auto (GStrv) parts = g_strsplit (format, "%s", 2);

  if (n > 0)
    g_string_append_printf (text, "%s%s%s%s", text->len > 0 ? ", " : "", parts[0], count, parts[1]);
}

/* "10 first ones, 3 recorded, 116 beside a compiler", or "none". */
static char *
left_out_fact (const LsCounted *c)
{
  GString *text = g_string_new (NULL);

#define ONE_OR_MORE(n, words) g_dngettext (GETTEXT_PACKAGE, words, words, (gulong) (n))
  add_part (text, c->warm_up, _("%s first ones"));
  add_part (text, c->recorded, ONE_OR_MORE (c->recorded, "%s recorded"));
  add_part (text, c->rested, ONE_OR_MORE (c->rested, "%s after a rest"));
  add_part (text, c->disturbed, ONE_OR_MORE (c->disturbed, "%s beside a compiler"));
#undef ONE_OR_MORE
  if (text->len == 0)
    g_string_assign (text, _("none"));
  return g_string_free (text, FALSE);
}

static void
rate_facts (LsEvidenceFacts *facts, const LsViewData *data, const LsViewLane *lane)
{
  g_autofree char *median = ls_number_scaled (lane->rate.value), *q1 = ls_number_scaled (lane->rate.q1);
  g_autofree char *q3 = ls_number_scaled (lane->rate.q3),
                  *spread = ls_number_spread (lane->rate.value, lane->rate.q1, lane->rate.q3);
  g_autofree char *n = ls_number_count (lane->rate.n);

  facts->title = g_strdup_printf (_("%s: samples per second"), lane->name);
  facts->unit = _("samples per second");
  facts->evidence = LS_EVIDENCE_MEASURED;
  if (lane->rate.n > 0)
    collect_rates (facts, data, lane);
  ls_evidence_add (
    facts, _("How"),
    g_strdup (_(
      "the batch over the lane's own time for the step; evaluation, recorded and disturbed steps left out")));
  if (lane->rate.n > 0)
    {
      g_autofree char *a = ls_number_count (lane->counted.from + 1), *b = ls_number_count (lane->counted.end);
      ls_evidence_add (facts, _("When"), g_strdup_printf (_("steps %s to %s"), a, b));
    }
  ls_evidence_add (
    facts, _("Samples"),
    ls_figure_stands (&lane->rate)
      ? g_strdup (n)
      : g_strdup_printf (_("%s; a rate is settled with %d, or with %d and a middle half under %d %%"), n,
                         LS_FIGURE_STANDS, LS_FIGURE_STANDS_CALM, (int) (100 * LS_FIGURE_CALM)));
  ls_evidence_add (facts, _("Left out"), left_out_fact (&lane->counted));
  if (!ls_figure_stands (&lane->rate))
    return;
  ls_evidence_add (facts, _("Median"), g_strdup (median));
  ls_evidence_add (facts, _("Middle half"), g_strdup_printf (_("%s to %s (%s)"), q1, q3, spread));
}

void
ls_evidence_clock (LsEvidenceFacts *facts, const LsViewLane *lane)
{
  const double error = lane->recorded != NULL ? lane->recorded->clock_error_ns : 0;

  if (error > 0)
    {
      g_autofree char *time = ls_number_time (error);
      ls_evidence_add (facts, _("Clock"),
                       g_strdup_printf (_("the device's, mapped onto the host's within %s"), time));
    }
  else
    ls_evidence_add (facts, _("Clock"),
                     g_strdup (_("the host's monotonic one (CLOCK_MONOTONIC_RAW), in nanoseconds")));
}

static void
loss_facts (LsEvidenceFacts *facts, const LsViewLane *lane)
{
  g_autofree char *step = ls_number_count (lane->loss_step), *value = ls_number_text (lane->loss.value, 6);

  facts->title = g_strdup_printf (_("%s: loss"), lane->name);
  facts->unit = _("loss");
  facts->evidence = LS_EVIDENCE_MEASURED;
  ls_evidence_add (
    facts, _("How"),
    g_strdup (_("softmax and cross-entropy, the mean over the batch, computed by the lane itself")));
  ls_evidence_add (facts, _("When"), g_strdup_printf (_("step %s"), step));
  ls_evidence_add (facts, _("Value"), g_strdup (value));
  if (lane->scale.factor > 0)
    {
      g_autofree char *skipped = ls_number_count (lane->scale.skipped),
                      *steps = ls_number_count (lane->steps),
                      *factor = ls_number_count ((guint64) lane->scale.factor);
      ls_evidence_add (
        facts, _("Skipped"),
        g_strdup_printf (g_dngettext (GETTEXT_PACKAGE,
                                      "%s of %s step, for overflowing gradients; the loss’s scale is %s",
                                      "%s of %s steps, for overflowing gradients; the loss’s scale is %s",
                                      (gulong) lane->steps),
                         skipped, steps, factor));
    }
  ls_evidence_add (facts, _("Dots"), g_strdup (_("the losses of the steps up to this one")));
  for (guint64 i = lane->loss_step; i-- > 0 && facts->samples->len < MAX_SAMPLES;)
    {
      const double loss = (double) ls_view_lane_point (lane, i).loss;
      if (isfinite (loss))
        g_array_append_val (facts->samples, loss);
    }
}

static void
delta_facts (LsEvidenceFacts *facts, const LsViewData *data, const LsViewLane *lane)
{
  g_autofree char *power = ls_number_power (lane->delta.value), *n = ls_number_count (lane->delta.n),
                  *agreement = ls_agreement_text (data);
  const gboolean losses = lane->delta_of == LS_DELTA_LOSSES;
  const gulong times = (gulong) lane->delta.n;

  facts->title = g_strdup (losses ? _("Losses differ by") : _("Largest difference between the lanes"));
  facts->evidence = LS_EVIDENCE_DERIVED;
  ls_evidence_add (
    facts, _("How"),
    g_strdup (losses
                ? _("the largest difference of the lanes' losses of one step")
                : _("max |Δ| over all elements of the weights, read from both lanes after the same step")));
  /* a recording has the weights themselves, a run how often they were held against each other */
  ls_evidence_add (facts, _("Compared"),
                   g_strdup_printf (losses ? g_dngettext (GETTEXT_PACKAGE, "%s step", "%s steps", times)
                                    : lane->recorded_on != NULL || !data->live
                                      ? g_dngettext (GETTEXT_PACKAGE, "%s element", "%s elements", times)
                                      : g_dngettext (GETTEXT_PACKAGE, "%s time", "%s times", times),
                                    n));
  ls_evidence_add (facts, _("Value"), g_strdup (power));
  if (agreement != NULL)
    ls_evidence_add (facts, _("Losses"), g_steal_pointer (&agreement));
}

static void
accuracy_facts (LsEvidenceFacts *facts, const LsViewLane *lane)
{
  g_autofree char *percent = ls_number_text (100 * lane->accuracy, 4);

  facts->title = g_strdup_printf (_("%s: test accuracy"), lane->name);
  facts->evidence = LS_EVIDENCE_MEASURED;
  ls_evidence_add (
    facts, _("How"),
    g_strdup (
      _("the share of the test set that the lane's weights classify as labelled, at the end of an epoch")));
  ls_evidence_add (facts, _("Value"), g_strdup_printf (_("%s %%"), percent));
}

static void
ratio_facts (LsEvidenceFacts *facts, const LsViewData *data)
{
  g_autofree char *verdict = ls_rates_verdict (data, TRUE), *unfair = ls_fairness_titles (data->fairness);

  facts->title = g_strdup (_("Ratio of the lanes"));
  facts->evidence = LS_EVIDENCE_DERIVED;
  ls_evidence_add (
    facts, _("How"),
    g_strdup (
      _("the greater median of samples per second over the other lane's, both in turn or both racing")));
  ls_evidence_add (facts, _("Verdict"), g_strdup (verdict != NULL ? verdict : _("not known yet")));
  if (unfair != NULL)
    ls_evidence_add (facts, _("Unfair"), g_strdup (unfair));
  ls_evidence_add (facts, _("Rule"),
                   g_strdup (_("a lane is named only where the middle halves of both rates are apart")));
  ls_evidence_add (
    facts, _("Lanes"),
    g_strdup (data->turns ? _("they took turns, since they share cores") : _("they ran at the same time")));
}

LsEvidenceFacts *
ls_evidence_facts (const LsViewData *data, gint side, LsNumber number)
{
  LsEvidenceFacts *facts = g_new0 (LsEvidenceFacts, 1);
  const LsViewLane *lane = &data->sides[CLAMP (side, 0, LS_SIDES - 1)];

  facts->facts = g_ptr_array_new_with_free_func (g_free);
  facts->samples = g_array_new (FALSE, FALSE, sizeof (double));
  facts->unit = "";
  switch (number)
    {
    case LS_NUMBER_RATE:
      rate_facts (facts, data, lane);
      ls_evidence_clock (facts, lane);
      break;
    case LS_NUMBER_LOSS:
      loss_facts (facts, lane);
      break;
    case LS_NUMBER_DELTA:
      delta_facts (facts, data, lane);
      break;
    case LS_NUMBER_ACCURACY:
      accuracy_facts (facts, lane);
      break;
    case LS_NUMBER_RATIO:
    case LS_NUMBER_NONE:
    case LS_NUMBER_OP:
    case LS_NUMBER_STEP_TIME:
    case LS_NUMBER_WINNER:
    case LS_NUMBER_AGREEMENT:
    case LS_NUMBER_N:
      ratio_facts (facts, data);
      break;
    }
  if (side >= 0 && lane->device != NULL && *lane->device)
    ls_evidence_add (facts, _("Device"), g_strdup (lane->device));
  return facts;
}

void
ls_evidence_facts_free (LsEvidenceFacts *facts)
{
  g_free (facts->title);
  g_ptr_array_unref (facts->facts);
  g_array_unref (facts->samples);
  g_free (facts);
}

/* ---- the samples as dots ---- */

guint
ls_evidence_stride (const LsEvidenceFacts *facts)
{
  return (facts->samples->len + MAX_DOTS - 1) / MAX_DOTS;
}

void
ls_evidence_plot (const LsEvidenceFacts *facts, LsScene *scene, double width, double height)
{
  const guint n = facts->samples->len;
  const LsType type = { 14 * scene->style->text_scale, 400 };
  const double base = height - type.px * 1.6, left = 8, right = width - 8, middle = base / 2;
  g_autofree double *sorted = n > 0 ? g_memdup2 (facts->samples->data, n * sizeof (double)) : NULL;
  LsFigure figure;

  if (n < 2)
    return;
  qsort (sorted, n, sizeof *sorted, ls_compare_doubles);
  const double low = sorted[0], span = MAX (sorted[n - 1] - low, fabs (low) * 1e-9 + 1e-300);
  figure = ls_figure_of_samples (sorted, n, "");
#define AT(v) (left + (right - left) * ((v) -low) / span)
  ls_scene_box (scene, AT (figure.q1), middle - 16, MAX (AT (figure.q3) - AT (figure.q1), 2), 32,
                LS_INK_TRACK, 0)
    ->size
    = 2;
  ls_scene_segment (scene, left, base, right, base, LS_INK_QUIET, scene->style->edge);
  /* rows by turns, so that equal samples can be told apart */
  for (guint i = 0; i < n; i += ls_evidence_stride (facts))
    {
      ls_scene_path (scene, LS_ITEM_DOTS, LS_INK_QUIET, 0, 3.5)->w = 3.5f;
      ls_scene_point (scene, AT (g_array_index (facts->samples, double, i)),
                      middle + ((double) (i * 7 % 13) - 6) * (base - 24) / 26);
    }
  ls_scene_segment (scene, AT (figure.value), middle - 20, AT (figure.value), middle + 20, LS_INK_TEXT, 2.5);
  g_autofree char *a = ls_number_scaled (low), *b = ls_number_scaled (sorted[n - 1]),
                  *m = ls_number_scaled (figure.value);
  ls_scene_text (scene, left, height - 4, type, LS_INK_QUIET, LS_LEFT, a);
  ls_scene_text (scene, right, height - 4, type, LS_INK_QUIET, LS_RIGHT, b);
  const double w = ls_scene_width (scene, type, m),
               x = CLAMP (AT (figure.value), left + ls_scene_width (scene, type, a) + w / 2 + 12,
                          right - ls_scene_width (scene, type, b) - w / 2 - 12);
  ls_scene_text (scene, x, height - 4, (LsType){ type.px, 700 }, LS_INK_TEXT, LS_CENTER, m);
#undef AT
}
