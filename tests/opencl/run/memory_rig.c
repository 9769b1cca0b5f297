/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See memory_rig.h.
 */
#include "config.h"
#include "memory_rig.h"

const Case cases[CASES] = {
  { TRUE, LS_SAMPLE_U8, LS_PRECISION_FP32, 4, LS_BATCH_FROM_DEVICE },
  { TRUE, LS_SAMPLE_F32, LS_PRECISION_FP16, 128, LS_BATCH_FROM_DEVICE },
  { FALSE, LS_SAMPLE_U8, LS_PRECISION_BF16, 4, LS_BATCH_FROM_DEVICE },
  { FALSE, LS_SAMPLE_F32, LS_PRECISION_FP32, 4096, LS_BATCH_FROM_DEVICE },
  { FALSE, LS_SAMPLE_U8, LS_PRECISION_FP16, 64, LS_BATCH_FROM_HOST },
};

/* Models with sequences have tensors that are parts of others. */
static const char model[] = "lstm 9 all, lstm 6, dense 10";

void
begin (Lane *lane, const Case *c)
{
  LsDataset *sets[] = { &lane->data.train, &lane->data.test };

  played_begin ();
  lane_init (lane, model, 3, LS_OPTIMIZER_ADAM, "packed", TRUE);
  lane->device.limits.is_cpu = c->is_cpu;
  lane->device.limits.alignment = c->alignment;
  lane->cl.batch_from = c->from;
  if (c->precision != LS_PRECISION_FP32)
    {
      g_autoptr (LsPlan) plain = lane->plan;
      lane->cl.plan = lane->plan = ls_plan_with_precision (plain, c->precision);
    }
  lane->cl.info = ls_device_info_new ("opencl");
  lane->cl.info->name = g_strdup ("Made-up");
  lane->cl.info->global_mem = lane->cl.info->max_alloc = -1;
  lane->cl.memory.scratch_bytes[0] = 1001;
  lane->cl.memory.scratch_bytes[1] = 64;
  lane->data.ref_count = 1;
  for (guint s = 0; s < 2; s++)
    {
      const gint64 n = s == 0 ? TRAIN : TEST;
      const gsize bytes = (gsize) n * SIZE * (c->type == LS_SAMPLE_U8 ? 1 : 4);
      guint8 *samples = g_malloc (bytes);
      *sets[s] = (LsDataset){ .n = n, .shape = { 1, 12, 12 }, .sample_size = SIZE, .type = c->type };
      for (gsize i = 0; i < bytes; i++)
        samples[i] = (guint8) (i * 7 + s);
      sets[s]->samples = samples;
      sets[s]->labels = g_new (gint32, n);
      for (gint64 i = 0; i < n; i++)
        sets[s]->labels[i] = (gint32) (100 * s + i);
    }
}

void
end (Lane *lane)
{
  ls_cl_memory_clear (&lane->cl);
  g_assert_cmpuint (played.buffers->len, ==, 0);
  g_assert_cmpint (lane->cl.memory.used, ==, 0);
  g_assert_cmpint (lane->data.ref_count, ==, 1);
  g_free (lane->data.train.samples);
  g_free (lane->data.train.labels);
  g_free (lane->data.test.samples);
  g_free (lane->data.test.labels);
  ls_device_info_free (lane->cl.info);
  lane_clear (lane);
}
