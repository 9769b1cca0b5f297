/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The benchmark as JSON: conditions, who took part, every row with the median of each round, ratios, targets.
 */
#include "config.h"
#include "bench.h"

#include <math.h>

#include "lab/machine.h"
#include "ui/report/json_out.h"

#define VERSION 2

static void
add_conditions (json_t *json, const LsBench *bench)
{
  json_t *unset;

  ls_json_number (json, "seconds", bench->seconds);
  ls_json_whole (json, "rounds", bench->rounds);
  ls_json_whole (json, "busy_loops_beside", bench->n_beside);
  ls_json_number (json, "cores_used_by_others_before", bench->busy >= 0 ? bench->busy : (double) NAN);
  ls_json_bool (json, "busy", bench->busy > LS_MACHINE_BUSY);
  unset = ls_json_array (json, "unset_variables");
  for (const char *const *name = ls_lab_child_unset (); *name != NULL; name++)
    ls_json_text (unset, NULL, *name);
}

static void
add_contenders (json_t *contenders, const LsBench *bench)
{
  for (guint i = 0; i < LS_PEER_N; i++)
    {
      const LsContender *c = &bench->contenders[i];
      json_t *json;

      if (c->title == NULL && c->missing == NULL)
        continue;
      json = ls_json_object (contenders, NULL);
      ls_json_text (json, "name", c->peer->name);
      ls_json_text (json, "what", c->title);
      ls_json_whole (json, "threads", c->threads);
      ls_json_text (json, "missing", c->missing);
      ls_json_text (json, "package", c->peer->package);
    }
}

static void
add_round_medians (json_t *medians, const LsBenchRow *row, const LsBenchEntry *entry)
{
  for (guint r = 0; r < row->n_rounds; r++)
    if (entry->rounds[r] == NULL || entry->rounds[r]->len == 0)
      ls_json_text (medians, NULL, NULL);
    else
      {
        g_autofree double *copy = g_memdup2 (entry->rounds[r]->data, entry->rounds[r]->len * sizeof (double));
        ls_json_number (medians, NULL, ls_figure_of_samples (copy, entry->rounds[r]->len, "µs").value);
      }
}

static void
add_entry (json_t *entries, const LsBench *bench, const LsBenchRow *row, guint i)
{
  const LsBenchEntry *entry = &row->entries[i];
  const gboolean step = row->work->kind == LS_WORK_STEP;
  const LsFigure rate = step ? ls_figure_per_second (&entry->us, row->work->step.batch, "samples/s")
                             : ls_figure_per_second (&entry->us, (double) row->cost.flops / 1e9, "GFLOP/s");
  const LsFigure ratio = ls_bench_row_ratio (row, (LsPeerId) i, LS_PEER_OPENBLAS),
                 memory = ls_bench_memory_share (bench, row, (LsPeerId) i);
  json_t *json;

  if (entry->us.n == 0 && entry->failed == NULL)
    return;
  json = ls_json_object (entries, NULL);
  ls_json_text (json, "who", ls_peers ()[i].name);
  ls_json_text (json, "failed", entry->failed);
  ls_json_text (json, "how", entry->how);
  if (entry->threads > 0)
    ls_json_whole (json, "threads", entry->threads);
  ls_json_figure (json, "times_us", &entry->us);
  ls_json_figure (json, step ? "samples_per_second" : "gflop_per_second", &rate);
  ls_json_figure (json, step ? "share_of_gemm_limit" : "over_openblas", &ratio);
  if (step)
    ls_json_figure (json, "share_of_memory_limit", &memory);
  add_round_medians (ls_json_array (json, "round_medians_us"), row, entry);
}

static void
add_row (json_t *json, const LsBench *bench, const LsBenchRow *row)
{
  g_autofree char *text = ls_work_text (row->work);
  json_t *list;

  ls_json_text (json, "name", row->work->name);
  ls_json_text (json, "what", text);
  ls_json_whole (json, "product_flops", row->cost.flops);
  ls_json_whole (json, "bytes", row->cost.bytes);
  ls_json_whole (json, "rounds", row->n_rounds);
  ls_json_whole (json, "disturbed_rounds", row->n_disturbed);
  ls_json_bool (json, "disturbed_left_out", row->left_out);
  if (row->work->kind == LS_WORK_STEP)
    {
      const LsPeerId best = ls_bench_row_best (row);
      const LsFigure ratio = best < LS_PEER_N ? ls_bench_row_ratio (row, LS_PEER_CPU, best) : (LsFigure){ 0 };

      ls_json_text (json, "best_peer", best < LS_PEER_N ? ls_peers ()[best].name : NULL);
      ls_json_figure (json, "cpu_over_best_peer", &ratio);
    }
  list = ls_json_array (json, "cores_used_by_others");
  for (guint r = 0; r < row->n_rounds; r++)
    ls_json_number (list, NULL, row->others[r] >= 0 ? row->others[r] : (double) NAN);
  list = ls_json_array (json, "entries");
  for (guint i = 0; i < LS_PEER_N; i++)
    add_entry (list, bench, row, i);
}

static void
add_targets (json_t *list, const LsBench *bench)
{
  g_autoptr (GArray) targets = ls_bench_targets (bench);

  for (guint i = 0; i < targets->len; i++)
    {
      const LsTarget *t = &g_array_index (targets, LsTarget, i);
      json_t *json = ls_json_object (list, NULL);

      ls_json_text (json, "what", t->what);
      ls_json_number (json, t->most ? "at_most" : "at_least", t->least);
      ls_json_number (json, "aim", t->aim);
      ls_json_figure (json, "measured", &t->figure);
      ls_json_text (json, "reached", ls_reached_name (ls_target_reached (t)));
    }
}

gboolean
ls_bench_save (const LsBench *bench, const char *path, GError **error)
{
  static const char *const names[LS_BENCH_LANES] = { "recording_cost_cpu", "recording_cost_opencl" };
  g_autoptr (json_t) json = ls_json_new ("lockstep-bench", VERSION);
  json_t *rows;

  ls_json_machine (json);
  ls_json_options (json, bench->options);
  add_conditions (ls_json_object (json, "conditions"), bench);
  add_contenders (ls_json_array (json, "contenders"), bench);
  ls_json_figure (json, "memory_bytes_per_second", &bench->bandwidth);
  rows = ls_json_array (json, "rows");
  for (guint r = 0; r < bench->rows->len; r++)
    add_row (ls_json_object (rows, NULL), bench, g_ptr_array_index (bench->rows, r));
  for (guint i = 0; i < LS_BENCH_LANES; i++)
    ls_json_figure (json, names[i], &bench->recording[i].percent);
  ls_json_figure (json, "always_cost", &bench->always.percent);
  add_targets (ls_json_array (json, "targets"), bench);
  return ls_json_save (json, path, error);
}
