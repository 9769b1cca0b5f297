/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * `lockstep compare`: one whole step, op by op, fusion off, each op fed its own lane's inputs, against the
 * reference in double precision. The table names for each op the element that is furthest out.
 */
#include "config.h"

#include <glib/gi18n.h>

#include "train/coordinator.h"
#include "ui/cli/command.h"
#include "ui/cli/progress.h"
#include "ui/report/json_out.h"
#include "ui/report/terminal.h"

static const LsCommandOption own[] = {
  { "json", N_("FILE"), N_("Write the comparison as JSON"), TRUE },
  { NULL },
};

/* Trains the steps that come before the comparison, and waits until every lane is ready or parked. */
static LsSnapshot *
train_first (LsCoordinator *coordinator, guint64 steps)
{
  g_autoptr (LsProgress) progress = ls_progress_new ();
  LsSnapshot *newest = NULL;
  gboolean done = FALSE;

  ls_coordinator_run (coordinator, steps);
  while (!done)
    {
      LsSnapshot *next;

      done = ls_coordinator_wait (coordinator, 100);
      next = ls_coordinator_take (coordinator);
      if (next == NULL)
        continue;
      g_clear_pointer (&newest, ls_snapshot_unref);
      newest = next;
      ls_progress_update (progress, newest);
    }
  return newest;
}

static void
print_head (LsTable *table)
{
  ls_table_add (table, "%s", _("Op"));
  ls_table_add (table, "%s", _("what"));
  ls_table_add (table, "%s", _("output"));
  ls_table_add (table, "%s", _("lane"));
  ls_table_add (table, "%s", _("verdict"));
  ls_table_add (table, "%s", _("worst at"));
  ls_table_add (table, "%s", _("value"));
  ls_table_add (table, "%s", _("expected"));
  ls_table_add (table, "|Δ|");
  ls_table_add (table, "%s", _("tolerance"));
  ls_table_add (table, "‖Δ‖/‖x‖");
  ls_table_add (table, "%s", _("zeros"));
}

static void
print_table (const LsPlan *plan, const LsSnapshot *snapshot, const GArray *all)
{
  g_autoptr (LsTable) table = ls_table_new ("rllllrrrrrrr");

  print_head (table);
  for (guint i = 0; i < all->len; i++)
    {
      const LsComparison *c = &g_array_index (all, LsComparison, i);
      const LsOp *op = &plan->ops[c->op];

      ls_table_add (table, "%u", c->op + 1);
      ls_table_add (table, "%s", op->klass->name);
      ls_table_add (table, "%s", plan->tensors[c->tensor].name);
      ls_table_add (table, "%s", snapshot->lanes[c->lane].spec->title);
      ls_table_add (table, "%s", ls_verdict_name (c->verdict));
      ls_table_add (table, "%" G_GINT64_FORMAT, c->worst);
      ls_table_add (table, "%.7g", c->value);
      ls_table_add (table, "%.7g", c->expected);
      ls_table_add (table, "%.1e", c->delta);
      ls_table_add (table, "%.1e", c->tolerance);
      ls_table_add (table, "%.1e", c->relative);
      ls_table_add (table, "%.0f %%", 100 * c->zeros);
    }
  ls_terminal_print ("\n");
  ls_table_print (table);
}

static gboolean
save_json (const LsPlan *plan, const LsSnapshot *snapshot, const GArray *all, const char *path,
           GError **error)
{
  g_autoptr (json_t) json = ls_json_new ("lockstep-comparison", 1);
  json_t *comparisons;

  ls_json_options (json, snapshot->options);
  comparisons = ls_json_array (json, "comparisons");
  for (guint i = 0; i < all->len; i++)
    {
      const LsComparison *c = &g_array_index (all, LsComparison, i);
      json_t *row = ls_json_object (comparisons, NULL);

      ls_json_whole (row, "op", c->op);
      ls_json_text (row, "class", plan->ops[c->op].klass->name);
      ls_json_text (row, "tensor", plan->tensors[c->tensor].name);
      ls_json_text (row, "lane", snapshot->lanes[c->lane].spec->id);
      ls_json_text (row, "verdict", ls_verdict_name (c->verdict));
      ls_json_whole (row, "worst", c->worst);
      ls_json_number (row, "value", c->value);
      ls_json_number (row, "expected", c->expected);
      ls_json_number (row, "delta", c->delta);
      ls_json_number (row, "tolerance", c->tolerance);
      ls_json_number (row, "relative", c->relative);
      ls_json_number (row, "zeros", c->zeros);
    }
  return ls_json_save (json, path, error);
}

/* Each with a verb of its own number. */
static void
print_verdicts (const guint verdicts[LS_VERDICT_CANNOT_TELL + 1])
{
  const guint agree = verdicts[LS_VERDICT_AGREE], differ = verdicts[LS_VERDICT_DIFFER],
              zero = verdicts[LS_VERDICT_CANNOT_TELL];
  g_autofree char *agreeing = g_strdup_printf (
    ngettext ("%u output agrees with the reference in double precision",
              "%u outputs agree with the reference in double precision", agree),
    agree);
  g_autofree char *differing = g_strdup_printf (ngettext ("%u differs", "%u differ", differ), differ);
  g_autofree char *untold = g_strdup_printf (ngettext ("%u is nearly all zero, so that nothing can be told",
                                                       "%u are nearly all zero, so that nothing can be told",
                                                       zero),
                                             zero);

  /* TRANSLATORS: “12 outputs agree with …”, “1 differs”, “3 are nearly all zero, so that …” */
  ls_terminal_print (_("\n%s, %s, %s.\n"), agreeing, differing, untold);
}

static LsExit
compare (const LsArguments *arguments, GError **error)
{
  const char *json = ls_arguments_get (arguments, "json");
  LsDataRequest request = ls_data_request (arguments->options);
  g_autoptr (LsCoordinator) coordinator = NULL;
  g_autoptr (LsSnapshot) snapshot = NULL;
  g_autoptr (GArray) all = NULL;
  guint verdicts[LS_VERDICT_CANNOT_TELL + 1] = { 0 };

  ls_progress_of_reading (&request);
  coordinator = ls_coordinator_new_with_data (arguments->options, &request, NULL, error);
  if (coordinator == NULL || !ls_coordinator_start (coordinator, error))
    return LS_EXIT_FAILED;
  snapshot = train_first (coordinator, (guint64) arguments->options->steps);
  all = ls_coordinator_compare (coordinator, error);
  if (all == NULL)
    return LS_EXIT_FAILED;

  for (guint i = 0; i < all->len; i++)
    verdicts[g_array_index (all, LsComparison, i).verdict]++;
  print_table (ls_coordinator_plan (coordinator), snapshot, all);
  print_verdicts (verdicts);
  if (json != NULL && !save_json (ls_coordinator_plan (coordinator), snapshot, all, json, error))
    return LS_EXIT_FAILED;
  return verdicts[LS_VERDICT_DIFFER] == 0 ? LS_EXIT_DONE : LS_EXIT_FAILED;
}

const LsCommand ls_command_compare = {
  .name = "compare",
  .title = N_("Compare every op of one step with the reference in double precision"),
  .about = N_(
    "The step after --steps training steps is compared. The exit status is 1 if any output differs."),
  .groups = LS_OPTION_GROUP_MODEL | LS_OPTION_GROUP_DATA | LS_OPTION_GROUP_RUN | LS_OPTION_GROUP_LANES
            | LS_OPTION_GROUP_CPU | LS_OPTION_GROUP_OPENCL,
  .own = own,
  .run = compare,
};
