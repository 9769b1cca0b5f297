/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A run's end: the table on the terminal, and the report file (its fields are listed in README.md).
 */
#include "config.h"
#include "ui/report/json_out.h"
#include "ui/report/report.h"

#include <glib/gi18n.h>
#include <math.h>

#include "train/fairness.h"
#include "ui/report/terminal.h"

gboolean
ls_report_lane_worked (const LsLaneSnapshot *lane)
{
  return lane->state == LS_LANE_READY && lane->steps > 0;
}

/* ---- terminal ---- */

static void
print_lanes (const LsSnapshot *snapshot)
{
  g_autoptr (LsTable) table = ls_table_new ("lrrrrrr");
  guint64 left_out = 0;

  ls_table_add (table, "%s", _("Lane"));
  ls_table_add (table, "%s", _("steps"));
  ls_table_add (table, "%s", _("loss"));
  ls_table_add (table, "%s", _("test accuracy"));
  ls_table_add (table, "%s", _("samples/s"));
  ls_table_add (table, "%s", _("µs a step"));
  ls_table_add (table, "n");
  for (guint i = 0; i < snapshot->n_lanes; i++)
    {
      const LsLaneSnapshot *lane = &snapshot->lanes[i];
      g_autofree char *rate = ls_figure_text (&lane->rate), *step = ls_figure_text (&lane->step_us);

      ls_table_add (table, "%s", lane->spec->title);
      ls_table_add (table, "%" G_GUINT64_FORMAT, lane->steps);
      if (lane->steps > 0 && isfinite (lane->loss))
        ls_table_add (table, "%.5f", (double) lane->loss);
      else
        ls_table_add (table, "–");
      if (isnan (lane->accuracy))
        ls_table_add (table, "–");
      else
        ls_table_add (table, "%.2f %%", 100 * lane->accuracy);
      ls_table_add (table, "%s", rate);
      ls_table_add (table, "%s", step);
      ls_table_add (table, "%" G_GUINT64_FORMAT, lane->step_us.n);
      left_out += lane->step_us.left_out;
    }
  ls_terminal_print ("\n");
  ls_table_print (table);
  ls_terminal_print (
    _("Measured: the median and [middle half] of n steps, each over its lane's own time, without "
       "evaluation;\n"));
  ls_terminal_print (
    snapshot->options->pace == LS_PACE_WATCH
      ? ngettext (
        "%llu step left out: the first ones, those right after a rest, recorded ones, and those beside "
        "another lane's compiler.\n",
        "%llu steps left out: the first ones, those right after a rest, recorded ones, and those beside "
        "another lane's compiler.\n",
        (gulong) left_out)
      : ngettext (
        "%llu step left out: the first ones, recorded ones, and those beside another lane's compiler.\n",
        "%llu steps left out: the first ones, recorded ones, and those beside another lane's compiler.\n",
        (gulong) left_out),
    (unsigned long long) left_out);
  for (guint i = 0; i < snapshot->n_lanes; i++)
    if (snapshot->lanes[i].rate.condition != NULL)
      ls_terminal_print (_("The %s lane's figures were measured %s: not to be compared.\n"),
                         snapshot->lanes[i].spec->title, _(snapshot->lanes[i].rate.condition));
    else if (snapshot->lanes[i].rate.n > 0 && !ls_figure_stands (&snapshot->lanes[i].rate))
      ls_terminal_print (ngettext ("The %s lane's rate isn't settled yet: %llu step counts, %d are needed, "
                                   "or %d with a middle half under %d %%.\n",
                                   "The %s lane's rate isn't settled yet: %llu steps count, %d are needed, "
                                   "or %d with a middle half under %d %%.\n",
                                   (gulong) snapshot->lanes[i].rate.n),
                         snapshot->lanes[i].spec->title, (unsigned long long) snapshot->lanes[i].rate.n,
                         LS_FIGURE_STANDS, LS_FIGURE_STANDS_CALM, (int) (100 * LS_FIGURE_CALM));
}

/* Of lanes in fp16: updates that weren't made. */
static void
print_skipped (const LsSnapshot *snapshot)
{
  for (guint i = 0; i < snapshot->n_lanes; i++)
    {
      const LsLaneSnapshot *lane = &snapshot->lanes[i];

      if (lane->scale.factor > 0 && lane->steps > 0)
        ls_terminal_print (
          ngettext ("%s: %llu of %llu step skipped for overflowing gradients; the loss’s scale "
                    "is %.0f.\n",
                    "%s: %llu of %llu steps skipped for overflowing gradients; the loss’s scale "
                    "is %.0f.\n",
                    (gulong) lane->steps),
          lane->spec->title, (unsigned long long) lane->scale.skipped, (unsigned long long) lane->steps,
          lane->scale.factor);
    }
  if (snapshot->agreement.skip_step > 0)
    ls_terminal_print (_("At step %llu one of the lanes in fp16 skipped its update and another one didn’t: "
                          "from there on their weights differ.\n"),
                       (unsigned long long) snapshot->agreement.skip_step);
}

/* The lanes did different work, and which op it was. */
static void
print_disagreement (const LsSnapshot *snapshot)
{
  const LsAgreement *a = &snapshot->agreement;
  const LsComparison *c = &a->first;
  g_autofree char *element = a->found
                               ? ls_tensor_element_string (&snapshot->plan->tensors[c->tensor], c->worst)
                               : NULL;

  ls_terminal_print (_("The lanes disagree: the losses of step %llu are %.4g and %.4g.\n"),
                     (unsigned long long) a->disagree_step + 1, a->disagree_losses[0], a->disagree_losses[1]);
  if (a->found)
    ls_terminal_print (_("Op %u (%s, %s) of the %s lane is the first that differs: element %s of “%s” is "
                          "%.7g, and should be %.7g from the same inputs; the bound is %.1e.\n"),
                       c->op + 1, snapshot->plan->ops[c->op].klass->name, snapshot->plan->ops[c->op].equation,
                       snapshot->lanes[c->lane].spec->title, element, snapshot->plan->tensors[c->tensor].name,
                       c->value, c->expected, c->tolerance);
  else if (a->examined)
    ls_terminal_print (
      _("Each op by itself is right: look at what is fused (--fusion off), or at the weights.\n"));
}

/* ", 36 of 10000 answers differ": of the test set, at most from the first lane's; "" where no two lanes'
 * newest answers are of the same step. (transfer full) */
static char *
answers_text (const LsSnapshot *snapshot)
{
  const LsEvaluation *a = snapshot->lanes[0].evaluation;
  gint64 differ = -1;

  for (guint i = 1; i < snapshot->n_lanes; i++)
    differ = MAX (differ, ls_evaluation_differ (a, snapshot->lanes[i].evaluation));

  return differ < 0
           ? g_strdup ("")
           : g_strdup_printf (ngettext (", %lld of %u answer differs", ", %lld of %u answers differ", a->n),
                              (long long) differ, a->n);
}

/* Whether they agree, by which tolerance, and what happened beyond it. */
static void
print_losses (const LsSnapshot *snapshot)
{
  const LsAgreement *a = &snapshot->agreement;
  g_autofree char *answers = answers_text (snapshot);

  if (a->disagree)
    ls_terminal_print (
      ngettext ("The losses of %llu step differ by %.2g at most, at step %llu.\n",
                "The losses of %llu steps differ by %.2g at most, at step %llu.\n", (gulong) a->losses_steps),
      (unsigned long long) a->losses_steps, a->loss_delta_max, (unsigned long long) a->loss_delta_step + 1);
  else if (a->precisions)
    ls_terminal_print (ngettext ("The lanes store numbers in different precisions: the losses of %llu step "
                                 "differ by %.2g at most, at step %llu%s.\n",
                                 "The lanes store numbers in different precisions: the losses of %llu steps "
                                 "differ by %.2g at most, at step %llu%s.\n",
                                 (gulong) a->losses_steps),
                       (unsigned long long) a->losses_steps, a->loss_delta_max,
                       (unsigned long long) a->loss_delta_step + 1, answers);
  else if (a->apart_step > 0)
    ls_terminal_print (
      ngettext (
        "Rounding differs since step %llu: the losses of %llu step differ by %.2g at most, at step %llu%s.\n",
        "Rounding differs since step %llu: the losses of %llu steps differ by %.2g at most, at step "
        "%llu%s.\n",
        (gulong) a->losses_steps),
      (unsigned long long) a->apart_step, (unsigned long long) a->losses_steps, a->loss_delta_max,
      (unsigned long long) a->loss_delta_step + 1, answers);
  else if (a->loss_delta_max == 0)
    ls_terminal_print (ngettext ("The losses of %llu step are the same, bit for bit%s.\n",
                                 "The losses of %llu steps are the same, bit for bit%s.\n",
                                 (gulong) a->losses_steps),
                       (unsigned long long) a->losses_steps, answers);
  else
    ls_terminal_print (
      ngettext ("The losses of %llu step agree within %.2g: they differ by %.2g at most, at step %llu%s.\n",
                "The losses of %llu steps agree within %.2g: they differ by %.2g at most, at step %llu%s.\n",
                (gulong) a->losses_steps),
      (unsigned long long) a->losses_steps, a->tolerance, a->loss_delta_max,
      (unsigned long long) a->loss_delta_step + 1, answers);
}

static void
print_agreement (const LsSnapshot *snapshot)
{
  const LsAgreement *agreement = &snapshot->agreement;

  if (agreement->losses_compared > 0 && isfinite (agreement->loss_delta_max))
    print_losses (snapshot);
  if (agreement->weights_compared > 0 && agreement->weights_delta_max == 0)
    ls_terminal_print (
      ngettext ("All weights were compared %llu time; after step %llu they are the same, bit for bit.\n",
                "All weights were compared %llu times; after step %llu they are the same, bit for bit.\n",
                (gulong) agreement->weights_compared),
      (unsigned long long) agreement->weights_compared, (unsigned long long) agreement->weights_step);
  else if (agreement->weights_compared > 0)
    ls_terminal_print (
      ngettext (
        "All weights were compared %llu time; after step %llu they differ by %.2g relative at most, in %s.\n",
        "All weights were compared %llu times; after step %llu they differ by %.2g relative at most, in "
        "%s.\n",
        (gulong) agreement->weights_compared),
      (unsigned long long) agreement->weights_compared, (unsigned long long) agreement->weights_step,
      agreement->weights_relative,
      agreement->weights_tensor != NULL ? agreement->weights_tensor : _("none"));
  if (agreement->disagree)
    print_disagreement (snapshot);
  if (agreement->losses_compared > 0 && snapshot->n_lanes > 1)
    ls_terminal_print ("%s\n", snapshot->turns
                                 ? _("The lanes took turns: each step had the machine to itself.")
                                 : _("The lanes raced: they computed at the same time."));
}

/* How fair the comparison of the first lane with another one is; NULL: one of them has no rate. */
static LsFairness *
judge (const LsSnapshot *snapshot, guint other)
{
  LsFairPair pair;

  if (snapshot->lanes[0].rate.n == 0 || snapshot->lanes[other].rate.n == 0)
    return NULL;
  ls_fair_pair_of_snapshot (&pair, snapshot, 0, other);
  return ls_fairness_new (&pair);
}

static void
print_unfair (const LsSnapshot *snapshot)
{
  for (guint other = 1; other < snapshot->n_lanes; other++)
    {
      g_autoptr (LsFairness) fairness = judge (snapshot, other);

      if (fairness == NULL || !fairness->unfair)
        continue;
      ls_terminal_print (_("(!) %s and %s aren’t compared fairly:\n"), snapshot->lanes[0].spec->title,
                         snapshot->lanes[other].spec->title);
      for (guint i = 0; i < fairness->n; i++)
        if (fairness->lines[i].state == LS_FAIR_NO)
          ls_terminal_print ("    %s: %s\n", _(fairness->lines[i].row->title), fairness->lines[i].words);
    }
}

void
ls_report_print (const LsSnapshot *snapshot)
{
  print_lanes (snapshot);
  print_skipped (snapshot);
  print_agreement (snapshot);
  print_unfair (snapshot);
}

/* ---- JSON ---- */

static void
add_lane (json_t *json, const LsLaneSnapshot *lane)
{
  json_t *losses;

  ls_json_text (json, "lane", lane->spec->text);
  ls_json_text (json, "state", ls_lane_state_name (lane->state));
  ls_json_text (json, "message", lane->message);
  ls_json_device (json, lane->facts != NULL ? lane->facts->device : NULL);
  ls_json_whole (json, "steps", (gint64) lane->steps);
  if (lane->scale.factor > 0)
    {
      ls_json_whole (json, "skipped_steps", (gint64) lane->scale.skipped);
      ls_json_number (json, "loss_scale", lane->scale.factor);
    }
  ls_json_number (json, "test_accuracy", lane->accuracy);
  ls_json_whole (json, "test_accuracy_step", (gint64) lane->accuracy_step);
  ls_json_figure (json, "samples_per_second", &lane->rate);
  ls_json_bool (json, "rate_stands", ls_figure_stands (&lane->rate));
  ls_json_figure (json, "step_times_us", &lane->step_us);
  losses = ls_json_array (json, "losses");
  for (guint64 i = 0; i < lane->steps; i++)
    ls_json_number (losses, NULL, (double) ls_curve_get (lane->curve, i).loss);
}

static void
add_agreement (json_t *json, const LsAgreement *agreement)
{
  ls_json_whole (json, "losses_compared", (gint64) agreement->losses_compared);
  if (agreement->losses_compared > 0)
    {
      ls_json_number (json, "loss_delta_max", agreement->loss_delta_max);
      ls_json_whole (json, "loss_delta_step", (gint64) agreement->loss_delta_step);
      ls_json_number (json, "loss_tolerance", agreement->tolerance);
      ls_json_whole (json, "rounding_differs_since_step", (gint64) agreement->apart_step);
    }
  ls_json_whole (json, "weights_compared", (gint64) agreement->weights_compared);
  if (agreement->weights_compared > 0)
    {
      ls_json_whole (json, "weights_step", (gint64) agreement->weights_step);
      ls_json_number (json, "weights_delta_max", agreement->weights_delta_max);
      ls_json_number (json, "weights_relative", agreement->weights_relative);
      ls_json_text (json, "weights_tensor", agreement->weights_tensor);
    }
  ls_json_bool (json, "precisions_differ", agreement->precisions);
  if (agreement->skip_step > 0)
    ls_json_whole (json, "skipping_differs_since_step", (gint64) agreement->skip_step);
  ls_json_bool (json, "disagree", agreement->disagree);
  if (agreement->found)
    {
      ls_json_whole (json, "first_op", agreement->first.op);
      ls_json_whole (json, "first_lane", agreement->first.lane);
      ls_json_whole (json, "first_element", agreement->first.worst);
      ls_json_number (json, "first_value", agreement->first.value);
      ls_json_number (json, "first_expected", agreement->first.expected);
      ls_json_number (json, "first_tolerance", agreement->first.tolerance);
    }
}

/* Of the first lane and each other one, as their rates are compared. */
static void
add_fairness (json_t *json, const LsSnapshot *snapshot)
{
  json_t *pairs = ls_json_array (json, "fairness");

  for (guint other = 1; other < snapshot->n_lanes; other++)
    {
      g_autoptr (LsFairness) fairness = judge (snapshot, other);
      json_t *pair, *lines;

      if (fairness == NULL)
        continue;
      pair = ls_json_object (pairs, NULL);
      ls_json_text (pair, "first", snapshot->lanes[0].spec->id);
      ls_json_text (pair, "second", snapshot->lanes[other].spec->id);
      ls_json_bool (pair, "unfair", fairness->unfair);
      lines = ls_json_object (pair, "lines");
      for (guint i = 0; i < fairness->n; i++)
        {
          const LsFairLine *line = &fairness->lines[i];
          json_t *object = ls_json_object (lines, line->row->name);
          ls_json_text (object, "state", ls_fair_state_name (line->state));
          if (line->row->evidence >= 0 && line->state != LS_FAIR_UNKNOWN)
            ls_json_text (object, "evidence", ls_evidence_name ((LsEvidence) line->row->evidence));
          ls_json_text (object, "sentence", line->words);
        }
    }
}

gboolean
ls_report_save (const LsSnapshot *snapshot, const LsReportLastFinite *last_finite, const char *path,
                GError **error)
{
  g_autoptr (json_t) json = ls_json_new ("lockstep-report", LS_REPORT_VERSION);
  json_t *lanes;

  ls_json_options (json, snapshot->options);
  ls_json_machine (json);
  ls_json_bool (json, "turns", snapshot->turns);
  ls_json_whole (json, "target_steps", (gint64) snapshot->target);
  ls_json_whole (json, "steps_per_epoch", (gint64) snapshot->steps_per_epoch);
  lanes = ls_json_object (json, "lanes");
  for (guint i = 0; i < snapshot->n_lanes; i++)
    add_lane (ls_json_object (lanes, snapshot->lanes[i].spec->id), &snapshot->lanes[i]);
  add_agreement (ls_json_object (json, "agreement"), &snapshot->agreement);
  add_fairness (json, snapshot);
  if (last_finite != NULL && last_finite->path != NULL)
    {
      g_autofree char *name = g_filename_display_name (last_finite->path);
      json_t *weights = ls_json_object (json, "last_finite");
      ls_json_text (weights, "file", name);
      ls_json_whole (weights, "step", (gint64) last_finite->step);
    }
  return ls_json_save (json, path, error);
}
