/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See sample.h.
 */
#include "sample.h"

#include <math.h>

#include "core/rng.h"
#include "tempdir.h"

LsPlan *
sample_plan (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (LsModel) model = ls_model_parse ("conv 3 3 pad 1, relu, maxpool 2, flatten, dense 4", &error);
  LsPlan *plan = ls_plan_new (model, (const gint64[]){ 1, 6, 6 }, 4, 5, LS_OPTIMIZER_SGD, &error);

  g_assert_no_error (error);
  return plan;
}

static void
fill_tilings (LsRecording *recording, guint lane)
{
  for (guint i = 0; i < recording->n_ops; i++)
    {
      LsTiling *tiling = &recording->lanes[lane].tilings[i];
      const LsRecordedShape *shape = &recording->shapes[recording->ops[i].out[0]];
      gint64 rows, cols;

      g_strlcpy (tiling->kernel, lane == 0 ? "sgemm per tile" : "register 64×64", sizeof tiling->kernel);
      ls_tiling_find_way (tiling);
      tiling->leader = i > 2 && i % 3 == 0 ? i - 1 : i;
      tiling->reference = i == 4;
      tiling->splits = lane == 1 ? 2 : 1;
      ls_tiling_output_matrix (shape->shape, shape->rank, &rows, &cols);
      ls_tiling_set (tiling, rows, cols, 2, 3);
    }
}

void
sample_event (LsRecordedLane *lane, guint number, LsEventKind kind, LsClock clock, guint16 op, guint32 tile,
              guint64 start, guint64 length)
{
  LsEvent e = { .start_ns = SAMPLE_START + start,
                .end_ns = SAMPLE_START + start + length,
                .tile = tile,
                .rank = LS_RANK_NONE,
                .op = op,
                .unit = LS_UNIT_NONE,
                .kind = (guint8) kind,
                .lane_clock = LS_LANE_CLOCK (number, clock),
                .worker = LS_WORKER_NONE,
                .from = LS_WORKER_NONE };

  if (kind == LS_EVENT_TILE || kind == LS_EVENT_WAIT)
    {
      e.worker = (guint8) (tile % 3);
      e.unit = (gint16) (tile % 2);
      e.rank = tile;
      e.from = tile % 5 == 0 ? 2 : LS_WORKER_NONE;
    }
  if (kind == LS_EVENT_GROUP)
    e.unit = clock == LS_CLOCK_ORDER ? LS_UNIT_NONE : (gint16) (tile % 2);
  if (clock == LS_CLOCK_ORDER)
    {
      e.start_ns -= SAMPLE_START;
      e.end_ns -= SAMPLE_START;
    }
  g_array_append_val (lane->events, e);
}

static void
fill_cpu_lane (LsRecording *recording)
{
  LsRecordedLane *lane = &recording->lanes[0];

  sample_event (lane, 0, LS_EVENT_STEP, LS_CLOCK_HOST, LS_OP_NONE, 0, 0, 900000);
  for (guint16 op = 0; op < recording->n_ops; op++)
    {
      guint tiles = lane->tilings[op].grid_rows * lane->tilings[op].grid_cols;

      sample_event (lane, 0, op == 4 ? LS_EVENT_REFERENCE : LS_EVENT_OP, LS_CLOCK_HOST, op,
                    op == 1   ? LS_EVENT_MOVED (640)
                    : op == 2 ? LS_EVENT_MOVED (0)
                              : 0,
                    1000u * op, 999);
      for (guint t = 0; t < tiles; t++)
        sample_event (lane, 0, LS_EVENT_TILE, LS_CLOCK_HOST, op, t, 1000u * op + 10 * (t / 3), 10);
      sample_event (lane, 0, LS_EVENT_WAIT, LS_CLOCK_HOST, op, 1, 1000u * op + 990, 9);
    }
}

static void
fill_opencl_lane (LsRecording *recording)
{
  LsRecordedLane *lane = &recording->lanes[1];

  lane->device->name = g_strdup ("Device “A”, \"B\"");
  lane->device->version = g_strdup ("OpenCL 3.0");
  lane->device->units = 2;
  lane->device->numbers[LS_DEVICE_STAMP] = 22.140625;
  lane->device->global_mem = G_GINT64_CONSTANT (1) << 37;
  lane->device->shares_cpu = TRUE;
  g_hash_table_insert (lane->device->facts, g_strdup ("cache line"), g_strdup ("64 bytes"));
  lane->clock_error_ns = 123.4;
  lane->dropped = 3;
  sample_event (lane, 1, LS_EVENT_COPY_IN, LS_CLOCK_DEVICE, LS_OP_NONE, 4096, 10, 90);
  for (guint16 op = 0; op < recording->n_ops; op++)
    {
      sample_event (lane, 1, LS_EVENT_ENQUEUE, LS_CLOCK_HOST, op, 0, 100u * op, 5);
      sample_event (lane, 1, LS_EVENT_QUEUED, LS_CLOCK_DEVICE, op, 0, 100u * op + 5, 10000);
      sample_event (lane, 1, LS_EVENT_KERNEL, LS_CLOCK_DEVICE, op, 0, 20000 + 1000u * op, 700);
      /* Groups of one unit overlap; those of op 1 are known by order only. */
      for (guint t = 0; t < MIN (4, lane->tilings[op].grid_rows * lane->tilings[op].grid_cols); t++)
        sample_event (lane, 1, LS_EVENT_GROUP, op == 1 ? LS_CLOCK_ORDER : LS_CLOCK_DEVICE, op, t,
                      op == 1 ? t : 20000 + 1000u * op + 100 * t, op == 1 ? 4 : 300);
    }
  sample_event (lane, 1, LS_EVENT_COPY_OUT, LS_CLOCK_DEVICE, LS_OP_NONE, 4, 100000, 20);
  sample_event (lane, 1, LS_EVENT_HOST_WAIT, LS_CLOCK_HOST, LS_OP_NONE, 0, 99000, 2000);
}

/* Seven steps of a run that has gone on since. */
static void
add_history (LsRecording *recording, guint lane)
{
  LsCurve *curve = ls_curve_new ();

  for (guint i = 0; i < 9; i++)
    ls_curve_append (
      curve, (LsPoint){ .loss = i == 3 ? NAN : 2.3f / (float) (i + 1), .step_us = 1000 + (float) i / 1000 });
  ls_recording_set_history (recording, lane, curve, 7);
  ls_curve_unref (curve);
}

LsRecording *
sample_recording (void)
{
  g_autoptr (LsPlan) plan = sample_plan ();
  g_autoptr (GError) error = NULL;
  LsRecording *recording = ls_recording_new (plan, 2, 7);
  const char *const names[] = { "circle", "a \"square\"", "größer", "4", NULL };

  for (guint l = 0; l < 2; l++)
    {
      LsRecordedLane *lane = &recording->lanes[l];

      lane->device = ls_device_info_new (l == 0 ? "cpu" : "opencl");
      lane->start_ns = SAMPLE_START + 5;
      lane->end_ns = SAMPLE_START + 900000;
      fill_tilings (recording, l);
      add_history (recording, l);
      for (guint i = plan->n_tensors; i-- > 0;)
        {
          g_autofree guint32 *values = g_new (guint32, ls_tensor_count (&plan->tensors[i]));

          for (gint64 j = 0; j < ls_tensor_count (&plan->tensors[i]); j++)
            values[j] = ls_rng_u32 (l, LS_STREAM_TEST, i, (guint64) j);
          if (l == 0 || i % 2 == 0)
            ls_recording_add_tensor (recording, l, i, values);
        }
    }
  fill_cpu_lane (recording);
  fill_opencl_lane (recording);
  g_hash_table_insert (recording->options, g_strdup ("model"), g_strdup ("conv 3 3 pad 1, relu, …"));
  g_hash_table_insert (recording->options, g_strdup ("lr"), g_strdup ("0.05"));
  ls_recording_name_classes (recording, (char *const *) names);
  g_hash_table_insert (recording->conditions, g_strdup ("evidence"), g_strdup ("measured"));
  g_assert_true (ls_recording_seal (recording, &error));
  g_assert_no_error (error);
  g_assert_cmpuint (recording->start_ns, ==, SAMPLE_START);
  return recording;
}

void
sample_save (const LsRecording *recording, const char *path)
{
  g_autoptr (GError) error = NULL;

  g_assert_true (ls_recording_save (recording, path, &error));
  g_assert_no_error (error);
}

void
sample_refuse (const char *path, const char *words)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (ls_recording_load (path, &error));
  assert_refused (&error, LS_ERROR_DATA, words);
}
