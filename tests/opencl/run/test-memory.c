/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What lies on a device, whose memory is played: what there is of it and how large, that nothing of it holds
 * what was there before, and that its sum is what the lane says.
 */
#include "config.h"
#include "memory_rig.h"

#include "backends/opencl/run/workspace.h"

static gsize
size_of (cl_mem buffer)
{
  return played_buffer (buffer)->size;
}

/* Bytes up to whole words. */
static gsize
whole (gsize bytes)
{
  return MAX ((bytes + 3) / 4 * 4, 4);
}

/* ---- what there is ---- */

/* As the set has them. */
static void
check_set (const Lane *lane, const LsDataset *set)
{
  const LsClSet *slot = ls_cl_set_find (&lane->cl, set);
  const gsize bytes = (gsize) set->n * SIZE * (set->type == LS_SAMPLE_U8 ? 1 : 4);

  g_assert_nonnull (slot);
  g_assert_true (slot->set == set);
  g_assert_cmpmem (played_buffer (slot->samples)->bytes, size_of (slot->samples), set->samples, bytes);
  g_assert_cmpmem (played_buffer (slot->labels)->bytes, size_of (slot->labels), set->labels,
                   (gsize) set->n * 4);
  /* a processor reads the samples where they are, and no copy is made of them; others can't */
  g_assert_cmpint (played_buffer (slot->samples)->bytes == set->samples, ==, lane->device.limits.is_cpu);
  g_assert_cmpint ((played_buffer (slot->samples)->flags & CL_MEM_READ_ONLY) != 0, ==,
                   lane->device.limits.is_cpu);
}

/* Of each role: the parts of others take nothing of their own, unless they lie apart. */
static void
check_sum (const Lane *lane, const Case *c)
{
  const LsPlan *plan = lane->plan;
  const gint64 steps = LS_CL_FIRST_STEPS;
  LsStepMemory told;
  gint64 weights = 0, others = 0, data = 0;

  ls_cl_memory_allocated (&lane->cl, &told);
  for (guint i = 0; i < plan->n_tensors; i++)
    {
      const LsTensor *t = &plan->tensors[i];
      const gint64 bytes = t->is_view && !ls_cl_view_is_apart (&lane->cl, i)
                             ? 0
                             : (gint64) whole (ls_tensor_bytes (t))
                                 + (gint64) (ls_tensor_has_copy (t) ? whole (ls_tensor_copy_bytes (t)) : 0);
      *(t->role == LS_ROLE_WEIGHT ? &weights : &others) += bytes;
    }
  g_assert_cmpint (told.bytes[LS_MEMORY_WEIGHTS], ==, weights);
  g_assert_cmpint (told.bytes[LS_MEMORY_GRADIENTS] + told.bytes[LS_MEMORY_STATES]
                     + told.bytes[LS_MEMORY_ACTIVATIONS],
                   ==, others);
  g_assert_cmpint (told.bytes[LS_MEMORY_STATES], >, told.bytes[LS_MEMORY_GRADIENTS]); /* adam has two */
  if (c->from == LS_BATCH_FROM_DEVICE)
    data = (TRAIN + TEST) * (SIZE * (c->type == LS_SAMPLE_U8 ? 1 : 4) + 4);
  g_assert_cmpint (told.bytes[LS_MEMORY_DATA], ==, data);
  g_assert_cmpint (told.bytes[LS_MEMORY_WORKSPACE], ==,
                   1004 + 64 + steps * 4 + steps * 3 * 4 + (data > 0 ? 256 * 4 : 0));
  g_assert_cmpint (ls_step_memory_sum (&told), ==, played_bytes ());
  g_assert_cmpint (lane->cl.memory.used, ==, played_bytes ());
}

static void
test_there (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      const Case *c = &cases[i];
      g_autoptr (GError) error = NULL;
      const LsClMemory *m;
      Lane lane;

      begin (&lane, c);
      m = &lane.cl.memory;
      g_assert_null (ls_cl_set_find (&lane.cl, &lane.data.train));
      g_assert_true (ls_cl_memory_prepare (&lane.cl, &error));
      g_assert_no_error (error);
      for (guint t = 0; t < lane.plan->n_tensors; t++)
        {
          const LsTensor *tensor = &lane.plan->tensors[t];
          const PlayedBuffer *base = tensor->is_view ? played_buffer (m->tensors[tensor->base]) : NULL;
          g_assert_cmpuint (size_of (m->tensors[t]), >=, ls_tensor_bytes (tensor));
          g_assert_cmpint (m->copies[t] != NULL, ==, ls_tensor_has_copy (tensor));
          if (m->copies[t] != NULL)
            g_assert_cmpuint (size_of (m->copies[t]), ==, whole (ls_tensor_copy_bytes (tensor)));
          g_assert_true (played_buffer (m->tensors[t])->whole
                         == (base != NULL && !ls_cl_view_is_apart (&lane.cl, t) ? base : NULL));
        }
      /* what was there before may be a denormal, which takes long, or no number */
      for (guint b = 0; b < played.buffers->len; b++)
        {
          const PlayedBuffer *buffer = played.buffers->pdata[b];
          const gboolean told = buffer == played_buffer (m->sets[0].samples)
                                || buffer == played_buffer (m->sets[0].labels)
                                || buffer == played_buffer (m->sets[1].samples)
                                || buffer == played_buffer (m->sets[1].labels)
                                || buffer == played_buffer (m->byte_values);
          for (gsize at = 0; !told && at < buffer->size; at++)
            if (buffer->bytes[at] != 0)
              g_error ("byte %zu of the %zu of buffer %u isn’t zero", at, buffer->size, b);
        }
      if (c->from == LS_BATCH_FROM_DEVICE)
        {
          const float *values = (gpointer) played_buffer (m->byte_values)->bytes;
          check_set (&lane, &lane.data.train);
          check_set (&lane, &lane.data.test);
          for (guint b = 0; b < 256; b++)
            g_assert_cmpfloat (values[b], ==, (float) b / 255.0f);
        }
      else
        g_assert_null (ls_cl_set_find (&lane.cl, &lane.data.train));
      g_assert_null (ls_cl_set_find (&lane.cl, NULL));
      check_sum (&lane, c);
      end (&lane);
    }
}

/* After a change of options tensors keep what they hold, and scratch has the size that is needed then. */
static void
test_again (void)
{
  g_autoptr (GError) error = NULL;
  Lane lane;
  LsClMemory *m = &lane.cl.memory;
  cl_mem first, samples;

  begin (&lane, &cases[0]);
  g_assert_true (ls_cl_memory_prepare (&lane.cl, &error));
  first = m->tensors[0];
  samples = m->sets[0].samples;
  played_buffer (first)->bytes[0] = 17;
  m->scratch_bytes[0] = 400;
  m->scratch_bytes[1] = 4000;
  g_assert_true (ls_cl_memory_prepare (&lane.cl, &error));
  g_assert_true (m->tensors[0] == first);
  g_assert_cmpint (played_buffer (first)->bytes[0], ==, 17);
  g_assert_true (m->sets[0].samples == samples);
  g_assert_cmpuint (size_of (m->scratch[0]), ==, 400);
  g_assert_cmpuint (size_of (m->scratch[1]), ==, 4000);
  g_assert_cmpint (m->used, ==, played_bytes ());
  end (&lane);
}

/* Room for a turn of 16 steps from the start; it grows, and never shrinks. */
static void
test_steps (void)
{
  static const guint asked[] = { 1, 16, 17, 3, 40, 40 }, there[] = { 16, 16, 17, 17, 40, 40 };
  g_autoptr (GError) error = NULL;
  Lane lane;
  const LsClMemory *m = &lane.cl.memory;

  begin (&lane, &cases[0]);
  for (guint i = 0; i < G_N_ELEMENTS (asked); i++)
    {
      const cl_mem losses = m->losses;
      g_assert_true (ls_cl_memory_steps (&lane.cl, asked[i], &error));
      if (i > 0 && there[i] == there[i - 1])
        g_assert_true (m->losses == losses); /* what is large enough keeps what it holds */
      g_assert_cmpuint (m->n_steps, ==, there[i]);
      g_assert_cmpuint (size_of (m->losses), ==, there[i] * 4);
      g_assert_cmpuint (size_of (m->index), ==, there[i] * 3 * 4);
      memset (m->positions, 0, there[i] * 3 * 4);
      g_assert_cmpuint (played.buffers->len, ==, 2);
      g_assert_cmpint (m->used, ==, played_bytes ());
    }
  /* what couldn't be made is asked for anew */
  played.calls = 0;
  played.fails = 3; /* positions: once losses were made and filled */
  g_assert_false (ls_cl_memory_steps (&lane.cl, 50, &error));
  g_assert_nonnull (strstr (error->message, "the batches’ positions"));
  g_assert_cmpuint (m->n_steps, ==, 0);
  g_clear_error (&error);
  g_assert_true (ls_cl_memory_steps (&lane.cl, 2, &error));
  g_assert_cmpuint (m->n_steps, ==, 16);
  g_assert_nonnull (m->index);
  end (&lane);
}

/* Samples that lie in a file come batch by batch: they aren't there. The word that says whether a gradient is
 * finite counts as work space. */
static void
test_beside (void)
{
  g_autoptr (GError) error = NULL;
  LsStepMemory before, after;
  gpointer stored = &error;
  Lane lane;

  begin (&lane, &cases[0]);
  lane.data.train.stored = stored;
  g_assert_true (ls_cl_memory_prepare (&lane.cl, &error));
  lane.data.train.stored = NULL;
  g_assert_null (ls_cl_set_find (&lane.cl, &lane.data.train));
  ls_cl_memory_allocated (&lane.cl, &before);
  g_assert_cmpint (before.bytes[LS_MEMORY_DATA], ==, 0);
  lane.cl.unscale.overflowed = ls_cl_buffer_new (&lane.cl, 1, "a word", &error);
  ls_cl_memory_allocated (&lane.cl, &after);
  g_assert_cmpint (after.bytes[LS_MEMORY_WORKSPACE], ==, before.bytes[LS_MEMORY_WORKSPACE] + 4);
  g_assert_cmpint (lane.cl.memory.used, ==, played_bytes ());
  ls_cl_buffer_clear (&lane.cl, &lane.cl.unscale.overflowed);
  g_assert_null (lane.cl.unscale.overflowed);
  end (&lane);
}

/* A device that couldn't be waited for once is lost for good. */
static void
test_lost (void)
{
  Lane lane;

  begin (&lane, &cases[0]);
  g_assert_cmpint (ls_cl_finish (&lane.cl, NULL), ==, CL_SUCCESS);
  g_assert_false (lane.cl.lost);
  played.finish = CL_OUT_OF_RESOURCES;
  g_assert_cmpint (ls_cl_finish (&lane.cl, NULL), ==, CL_OUT_OF_RESOURCES);
  played.finish = CL_SUCCESS;
  g_assert_cmpint (ls_cl_finish (&lane.cl, NULL), ==, CL_SUCCESS);
  g_assert_true (lane.cl.lost);
  end (&lane);
}

/* Where ops run on the host: room for all tensors there, and for as many batches as are under way. */
static void
test_host (void)
{
  g_autoptr (GError) error = NULL;
  Lane lane;

  begin (&lane, &cases[4]);
  for (guint again = 0; again < 2; again++)
    {
      const float *x = lane.cl.stages[0].x;
      g_assert_true (ls_cl_memory_host (&lane.cl, &error));
      g_assert_no_error (error);
      g_assert_true (again == 0 || lane.cl.stages[0].x == x);
      for (guint i = 0; i < LS_CL_AHEAD; i++)
        {
          memset (lane.cl.stages[i].x, 1, ls_tensor_bytes (&lane.plan->tensors[lane.plan->x]));
          memset (lane.cl.stages[i].labels, 1, ls_tensor_bytes (&lane.plan->tensors[lane.plan->labels]));
          for (guint k = 0; k < i; k++)
            g_assert_true (lane.cl.stages[i].x != lane.cl.stages[k].x);
        }
    }
  g_assert_nonnull (lane.cl.host.base);
  /* a batch for which there was no memory is asked for again */
  g_clear_pointer (&lane.cl.stages[LS_CL_AHEAD - 1].labels, g_free);
  g_assert_true (ls_cl_memory_host (&lane.cl, &error));
  if (lane.cl.stages[LS_CL_AHEAD - 1].labels == NULL)
    g_error ("after there was no memory for the labels of a batch, it is said that there are some");
  end (&lane);
  g_assert_null (lane.cl.host.base);
  g_assert_null (lane.cl.host_scratch);
  g_assert_null (lane.cl.stages[LS_CL_AHEAD - 1].x);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/memory/there", test_there);
  g_test_add_func ("/memory/again", test_again);
  g_test_add_func ("/memory/steps", test_steps);
  g_test_add_func ("/memory/beside", test_beside);
  g_test_add_func ("/memory/lost", test_lost);
  g_test_add_func ("/memory/host", test_host);
  return g_test_run ();
}
