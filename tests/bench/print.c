/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The benchmark on the terminal: who takes part, a table of the steps, one of single products and
 * convolutions, what watching costs, and the ratios beside what they should be.
 */
#include "config.h"
#include "bench.h"

#include <math.h>

#include "lab/machine.h"
#include "ui/cli/bench/rates.h"
#include "ui/report/report.h"
#include "ui/report/terminal.h"

void
ls_bench_print_head (const LsBench *bench)
{
  g_autofree char *machine = ls_machine_text ();

  ls_terminal_print ("%s\n", machine);
  for (guint i = 0; i < LS_PEER_N; i++)
    {
      const LsContender *c = &bench->contenders[i];
      if (c->title != NULL)
        ls_terminal_print ("%s: %s\n", c->peer->title, c->title);
      else if (c->missing != NULL)
        ls_terminal_complain ("%s\n", c->missing);
    }
  if (bench->n_beside > 0)
    ls_terminal_print ("Beside everything: %u busy loop%s, niceness 0.\n", bench->n_beside,
                       bench->n_beside == 1 ? "" : "s");
  if (bench->busy > LS_MACHINE_BUSY)
    ls_terminal_complain (
      "The machine is busy: other programs use %.1f cores, so the figures are not those of a quiet one.\n",
      bench->busy);
}

GPtrArray *
ls_bench_missing (const LsBench *bench)
{
  GPtrArray *sentences = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; i < LS_PEER_N; i++)
    if (bench->contenders[i].missing != NULL)
      g_ptr_array_add (sentences, g_strdup (bench->contenders[i].missing));
  return sentences;
}

static char *
share_text (const LsFigure *share)
{
  return share->n > 0 ? g_strdup_printf ("%.0f %%", 100 * share->value) : g_strdup ("–");
}

static void
add_words (LsTable *table, const char *const *words)
{
  for (; *words != NULL; words++)
    ls_table_add (table, "%s", *words);
}

/* The row's name, once; who; what is to be said of why there is no figure. */
static gboolean
begin_entry (LsTable *table, const LsBenchRow *row, guint i, gboolean *first, guint columns)
{
  const LsBenchEntry *entry = &row->entries[i];
  g_autofree char *text = *first ? ls_work_text (row->work) : g_strdup ("");

  if (entry->us.n == 0 && entry->failed == NULL)
    return FALSE;
  *first = FALSE;
  ls_table_add (table, "%s", text);
  ls_table_add (table, "%s", ls_peers ()[i].title);
  for (guint k = 0; entry->us.n == 0 && k < columns; k++)
    ls_table_add (table, "%s", k + 1 < columns ? "–" : "failed");
  return entry->us.n > 0;
}

static char *
threads_text (const LsBenchEntry *entry)
{
  if (entry->threads > 0)
    return g_strdup_printf ("%u thread%s", entry->threads, entry->threads == 1 ? "" : "s");
  return g_strdup (entry->how != NULL ? entry->how : "");
}

static void
print_steps (const LsBench *bench)
{
  static const char *const head[]
    = { "Step", "Who", "samples/s", "µs a step", "of GEMM limit", "of memory limit", "n", "with", NULL };
  g_autoptr (LsTable) table = ls_table_new ("llrrrrrl");
  gboolean any = FALSE;

  add_words (table, head);
  for (guint r = 0; r < bench->rows->len; r++)
    {
      const LsBenchRow *row = g_ptr_array_index (bench->rows, r);
      gboolean first = TRUE;

      for (guint i = 0; row->work->kind == LS_WORK_STEP && i < LS_PEER_N; i++)
        {
          const LsBenchEntry *entry = &row->entries[i];
          const LsFigure rate = ls_figure_per_second (&entry->us, row->work->step.batch, "samples/s");
          const LsFigure limit = ls_bench_row_ratio (row, (LsPeerId) i, LS_PEER_OPENBLAS);
          const LsFigure memory = ls_bench_memory_share (bench, row, (LsPeerId) i);
          g_autofree char *rate_text = ls_figure_text (&rate), *us = ls_figure_text (&entry->us),
                          *share = share_text (&limit),
                          *bytes = i == LS_PEER_OPENBLAS ? g_strdup ("–") : share_text (&memory),
                          *with = threads_text (entry);

          any = TRUE;
          if (!begin_entry (table, row, i, &first, 6))
            continue;
          ls_table_add (table, "%s", rate_text);
          ls_table_add (table, "%s", us);
          ls_table_add (table, "%s", share);
          ls_table_add (table, "%s", bytes);
          ls_table_add (table, "%llu", (unsigned long long) entry->us.n);
          ls_table_add (table, "%s", with);
        }
    }
  if (!any)
    return;
  ls_terminal_print (
    "\nTraining steps: medians with [middle half], measured. The GEMM limit: OpenBLAS "
    "does each of the step’s products by itself. The memory limit: all bytes of its ops come "
    "from memory once; who beats it has them in caches.\n");
  ls_table_print (table);
}

static void
print_ops (const LsBench *bench)
{
  static const char *const head[] = { "Op", "Who", "GFLOP/s", "µs", "over OpenBLAS", "n", "with", NULL };
  g_autoptr (LsTable) table = ls_table_new ("llrrrrl");
  gboolean any = FALSE;

  add_words (table, head);
  for (guint r = 0; r < bench->rows->len; r++)
    {
      const LsBenchRow *row = g_ptr_array_index (bench->rows, r);
      gboolean first = TRUE;

      for (guint i = 0; row->work->kind != LS_WORK_STEP && i < LS_PEER_N; i++)
        {
          const LsBenchEntry *entry = &row->entries[i];
          const LsFigure rate = ls_figure_per_second (&entry->us, (double) row->cost.flops / 1e9, "GFLOP/s");
          const LsFigure ratio = ls_bench_row_ratio (row, (LsPeerId) i, LS_PEER_OPENBLAS);
          g_autofree char *rate_text = ls_figure_text (&rate), *us = ls_figure_text (&entry->us),
                          *over = ls_figure_text (&ratio), *with = threads_text (entry);

          any = TRUE;
          if (!begin_entry (table, row, i, &first, 5))
            continue;
          ls_table_add (table, "%s", rate_text);
          ls_table_add (table, "%s", us);
          ls_table_add (table, "%s", i == LS_PEER_OPENBLAS ? "1" : over);
          ls_table_add (table, "%llu", (unsigned long long) entry->us.n);
          ls_table_add (table, "%s", with);
        }
    }
  if (!any)
    return;
  ls_terminal_print ("\nSingle ops: a convolution beside the product that it is as im2col, which OpenBLAS "
                     "does without making that matrix.\n");
  ls_table_print (table);
}

static void
print_costs (const LsBench *bench)
{
  const LsAlwaysCost *always = &bench->always;

  if (bench->bandwidth.n > 0)
    ls_terminal_print ("\nMemory: %.1f GB/s [%.1f … %.1f], by a triad (measured).\n",
                       bench->bandwidth.value / 1e9, bench->bandwidth.q1 / 1e9, bench->bandwidth.q3 / 1e9);
  for (guint i = 0; i < LS_BENCH_LANES; i++)
    ls_bench_print_recording (bench->contenders[i].peer->title, &bench->recording[i]);
  if (always->percent.n > 0)
    ls_terminal_print ("What is kept of every step costs %.3f %% of a step of the CPU lane (derived: 1 "
                       "clock reading and point of %.0f ns a step, and %u times a second "
                       "the figures of a snapshot, %.0f ns).\n",
                       always->percent.value, always->event_ns, always->per_s, always->figures_ns);
}

static char *
bound_text (double bound, gboolean most)
{
  if (isnan (bound))
    return g_strdup ("–");
  return g_strdup_printf (most ? "≤ %g" : "%g", bound);
}

static void
print_targets (const LsBench *bench)
{
  static const char *const head[] = { "Ratio", "at least", "aim", "measured", "reached", NULL };
  static const char *const reached[] = { "not measured", "no", "yes", "aim", "–" };
  g_autoptr (GArray) targets = ls_bench_targets (bench);
  g_autoptr (LsTable) table = ls_table_new ("lrrrl");

  if (targets->len == 0)
    return;
  add_words (table, head);
  for (guint i = 0; i < targets->len; i++)
    {
      const LsTarget *t = &g_array_index (targets, LsTarget, i);
      g_autofree char *least = bound_text (t->least, t->most), *aim = bound_text (t->aim, FALSE),
                      *measured = ls_figure_text (&t->figure);

      ls_table_add (table, "%s", t->what);
      ls_table_add (table, "%s", least);
      ls_table_add (table, "%s", aim);
      ls_table_add (table, "%s", measured);
      ls_table_add (table, "%s", reached[ls_target_reached (t)]);
    }
  ls_terminal_print (
    "\nRatios, each from the rounds of one row; what they should be is meant for two cores.\n");
  ls_table_print (table);
}

/* Rounds beside other programs, over all rows. */
static void
print_disturbed (const LsBench *bench)
{
  guint disturbed = 0, counted = 0, all = 0;

  for (guint r = 0; r < bench->rows->len; r++)
    {
      const LsBenchRow *row = g_ptr_array_index (bench->rows, r);
      all += row->n_rounds;
      disturbed += row->n_disturbed;
      counted += row->left_out ? 0 : row->n_disturbed;
    }
  if (disturbed > 0)
    ls_terminal_print ("\nOther programs took part in %u of %u rounds; %u of these are in the figures, "
                       "for want of quiet ones.\n",
                       disturbed, all, counted);
}

void
ls_bench_print (const LsBench *bench)
{
  g_autoptr (GPtrArray) missing = ls_bench_missing (bench);

  print_steps (bench);
  print_ops (bench);
  print_costs (bench);
  print_targets (bench);
  print_disturbed (bench);
  for (guint i = 0; i < missing->len; i++)
    ls_terminal_print ("%s%s\n", i == 0 ? "\n" : "", (const char *) g_ptr_array_index (missing, i));
}
