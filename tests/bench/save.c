/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The benchmark as JSON: conditions, who took part, every row with the median of each round, ratios, targets.
 */
#include "config.h"
#include "bench.h"

#include <math.h>

#include "ui/cli/bench/machine.h"
#include "ui/report/json_out.h"

#define VERSION 2

static void
add_bool (JsonBuilder *json, const char *name, gboolean value)
{
  json_builder_set_member_name (json, name);
  json_builder_add_boolean_value (json, value);
}

static void
begin_array (JsonBuilder *json, const char *name)
{
  json_builder_set_member_name (json, name);
  json_builder_begin_array (json);
}

static void
add_conditions (JsonBuilder *json, const LsBench *bench)
{
  json_builder_set_member_name (json, "conditions");
  json_builder_begin_object (json);
  ls_json_number (json, "seconds", bench->seconds);
  ls_json_whole (json, "rounds", bench->rounds);
  ls_json_number (json, "cores_used_by_others_before", bench->busy >= 0 ? bench->busy : (double) NAN);
  add_bool (json, "busy", bench->busy > LS_MACHINE_BUSY);
  begin_array (json, "unset_variables");
  for (const char *const *name = ls_bench_child_unset (); *name != NULL; name++)
    json_builder_add_string_value (json, *name);
  json_builder_end_array (json);
  json_builder_end_object (json);
}

static void
add_contenders (JsonBuilder *json, const LsBench *bench)
{
  begin_array (json, "contenders");
  for (guint i = 0; i < LS_PEER_N; i++)
    {
      const LsContender *c = &bench->contenders[i];

      if (c->title == NULL && c->missing == NULL)
        continue;
      json_builder_begin_object (json);
      ls_json_text (json, "name", c->peer->name);
      ls_json_text (json, "what", c->title);
      ls_json_whole (json, "threads", c->threads);
      ls_json_text (json, "missing", c->missing);
      ls_json_text (json, "package", c->peer->package);
      json_builder_end_object (json);
    }
  json_builder_end_array (json);
}

static void
add_round_medians (JsonBuilder *json, const LsBenchRow *row, const LsBenchEntry *entry)
{
  begin_array (json, "round_medians_us");
  for (guint r = 0; r < row->n_rounds; r++)
    if (entry->rounds[r] == NULL || entry->rounds[r]->len == 0)
      json_builder_add_null_value (json);
    else
      {
        g_autofree double *copy = g_memdup2 (entry->rounds[r]->data, entry->rounds[r]->len * sizeof (double));
        json_builder_add_double_value (json, ls_figure_of_samples (copy, entry->rounds[r]->len, "µs").value);
      }
  json_builder_end_array (json);
}

static void
add_entry (JsonBuilder *json, const LsBench *bench, const LsBenchRow *row, guint i)
{
  const LsBenchEntry *entry = &row->entries[i];
  const gboolean step = row->work->kind == LS_WORK_STEP;
  const LsFigure rate = step ? ls_figure_per_second (&entry->us, row->work->step.batch, "samples/s")
                             : ls_figure_per_second (&entry->us, (double) row->cost.flops / 1e9, "GFLOP/s");
  const LsFigure ratio = ls_bench_row_ratio (row, (LsPeerId) i, LS_PEER_OPENBLAS),
                 memory = ls_bench_memory_share (bench, row, (LsPeerId) i);

  if (entry->us.n == 0 && entry->failed == NULL)
    return;
  json_builder_begin_object (json);
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
  add_round_medians (json, row, entry);
  json_builder_end_object (json);
}

static void
add_row (JsonBuilder *json, const LsBench *bench, const LsBenchRow *row)
{
  g_autofree char *text = ls_work_text (row->work);

  json_builder_begin_object (json);
  ls_json_text (json, "name", row->work->name);
  ls_json_text (json, "what", text);
  ls_json_whole (json, "product_flops", row->cost.flops);
  ls_json_whole (json, "bytes", row->cost.bytes);
  ls_json_whole (json, "rounds", row->n_rounds);
  ls_json_whole (json, "disturbed_rounds", row->n_disturbed);
  add_bool (json, "disturbed_left_out", row->left_out);
  begin_array (json, "cores_used_by_others");
  for (guint r = 0; r < row->n_rounds; r++)
    ls_json_number (json, NULL, row->others[r] >= 0 ? row->others[r] : (double) NAN);
  json_builder_end_array (json);
  begin_array (json, "entries");
  for (guint i = 0; i < LS_PEER_N; i++)
    add_entry (json, bench, row, i);
  json_builder_end_array (json);
  json_builder_end_object (json);
}

static void
add_targets (JsonBuilder *json, const LsBench *bench)
{
  g_autoptr (GArray) targets = ls_bench_targets (bench);

  begin_array (json, "targets");
  for (guint i = 0; i < targets->len; i++)
    {
      const LsTarget *t = &g_array_index (targets, LsTarget, i);

      json_builder_begin_object (json);
      ls_json_text (json, "what", t->what);
      ls_json_number (json, t->most ? "at_most" : "at_least", t->least);
      ls_json_number (json, "aim", t->aim);
      ls_json_figure (json, "measured", &t->figure);
      ls_json_text (json, "reached", ls_reached_name (ls_target_reached (t)));
      json_builder_end_object (json);
    }
  json_builder_end_array (json);
}

gboolean
ls_bench_save (const LsBench *bench, const char *path, GError **error)
{
  static const char *const names[LS_BENCH_LANES] = { "recording_cost_cpu", "recording_cost_opencl" };
  g_autoptr (JsonBuilder) json = ls_json_new ("lockstep-bench", VERSION);

  ls_json_machine (json);
  ls_json_options (json, bench->options);
  add_conditions (json, bench);
  add_contenders (json, bench);
  ls_json_figure (json, "memory_bytes_per_second", &bench->bandwidth);
  begin_array (json, "rows");
  for (guint r = 0; r < bench->rows->len; r++)
    add_row (json, bench, g_ptr_array_index (bench->rows, r));
  json_builder_end_array (json);
  for (guint i = 0; i < LS_BENCH_LANES; i++)
    ls_json_figure (json, names[i], &bench->recording[i].percent);
  ls_json_figure (json, "always_cost", &bench->always.percent);
  add_targets (json, bench);
  return ls_json_save (json, path, error);
}
