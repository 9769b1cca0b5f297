/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Tensors that are parts of others, on devices that let a part begin where the test says: whoever of them is
 * written, all that lies in both is the same afterwards; and kernels whose tensors lie in each other's memory
 * or don't: all of them, also after an attempt that failed. The device's memory is played.
 */
#include "config.h"
#include "backends/opencl/run/instance.h"

#include <string.h>

#include "core/error.h"

/* A buffer; of a part of another one the bytes are that one's. */
typedef struct {
  guint8 *bytes;
  gsize size;
} Buffer;

static struct {
  guint copies;
  gboolean fails;
} fake;

/* In the library's place. */
cl_int
clEnqueueCopyBuffer (G_GNUC_UNUSED cl_command_queue queue, cl_mem from, cl_mem to, size_t from_offset,
                     size_t to_offset, size_t size, G_GNUC_UNUSED cl_uint n,
                     G_GNUC_UNUSED const cl_event *after, G_GNUC_UNUSED cl_event *event)
{
  const Buffer *a = (const void *) from;
  const Buffer *b = (const void *) to;

  if (fake.fails)
    return CL_OUT_OF_RESOURCES;
  g_assert_cmpuint (size, >, 0);
  g_assert_cmpuint (from_offset + size, <=, a->size);
  g_assert_cmpuint (to_offset + size, <=, b->size);
  memcpy (b->bytes + to_offset, a->bytes + from_offset, size);
  fake.copies++;
  return CL_SUCCESS;
}

/* What a kernel has for its arguments. */
typedef struct {
  cl_mem args[2];
} Kernel;

static guint calls, failing_call; /* of clSetKernelArg, from 1; 0: none fails */

cl_int
clSetKernelArg (cl_kernel kernel, cl_uint arg, size_t size, const void *value)
{
  if (++calls == failing_call)
    return CL_OUT_OF_RESOURCES;
  g_assert_cmpuint (arg, <, 2);
  g_assert_cmpuint (size, ==, sizeof (cl_mem));
  memcpy (&((Kernel *) (void *) kernel)->args[arg], value, size);
  return CL_SUCCESS;
}

typedef struct {
  LsCl cl;
  LsClDevice device;
  LsPlan *plan;
  Buffer *buffers;
} Lane;

static gsize
begin_of (const LsTensor *t)
{
  return (gsize) t->first * (t->dtype == LS_F16 || t->dtype == LS_BF16 ? 2 : 4);
}

static void
lane_init (Lane *lane, const char *model, guint batch, LsPrecision precision, gsize alignment)
{
  g_autoptr (LsModel) parsed = ls_model_parse (model, NULL);
  g_autoptr (LsPlan) plain = ls_plan_new (parsed, (const gint64[]){ 1, 5, 7 }, 3, batch, LS_OPTIMIZER_SGD,
                                          NULL);

  memset (lane, 0, sizeof *lane);
  memset (&fake, 0, sizeof fake);
  lane->plan = ls_plan_with_precision (plain, precision);
  lane->device.limits.alignment = alignment;
  lane->cl.plan = lane->plan;
  lane->cl.device = &lane->device;
  lane->cl.memory.n_tensors = lane->plan->n_tensors;
  lane->cl.memory.tensors = g_new0 (cl_mem, lane->plan->n_tensors);
  lane->buffers = g_new0 (Buffer, lane->plan->n_tensors);
  for (guint i = 0; i < lane->plan->n_tensors; i++)
    {
      const LsTensor *t = &lane->plan->tensors[i];
      Buffer *b = &lane->buffers[i];

      b->size = ls_tensor_bytes (t);
      if (t->is_view && begin_of (t) % alignment == 0)
        b->bytes = lane->buffers[t->base].bytes + begin_of (t);
      else
        b->bytes = g_malloc0 (MAX (b->size, 1));
      lane->cl.memory.any_apart |= t->is_view && begin_of (t) % alignment != 0;
      lane->cl.memory.tensors[i] = (cl_mem) (void *) b;
    }
}

static void
lane_clear (Lane *lane)
{
  for (guint i = 0; i < lane->plan->n_tensors; i++)
    if (!lane->plan->tensors[i].is_view || ls_cl_view_is_apart (&lane->cl, i))
      g_free (lane->buffers[i].bytes);
  g_free (lane->buffers);
  g_free (lane->cl.memory.tensors);
  ls_plan_unref (lane->plan);
}

/* Every part says what the whole says. */
static void
assert_same (const Lane *lane, guint written)
{
  for (guint i = 0; i < lane->plan->n_tensors; i++)
    {
      const LsTensor *t = &lane->plan->tensors[i];
      if (t->is_view
          && memcmp (lane->buffers[i].bytes, lane->buffers[t->base].bytes + begin_of (t), ls_tensor_bytes (t))
               != 0)
        g_error ("once %s is written, %s and %s differ", lane->plan->tensors[written].name, t->name,
                 lane->plan->tensors[t->base].name);
    }
}

static const gsize alignments[] = { 1, 4, 64, 128, 4096, 1 << 20 };

/* A part lies apart where its first byte isn't a multiple of what the device aligns to, and then only. */
static void
test_apart (void)
{
  for (guint precision = 0; precision < LS_PRECISION_N; precision++)
    for (guint a = 0; a < G_N_ELEMENTS (alignments); a++)
      {
        guint n_views = 0, n_apart = 0;
        Lane lane;

        lane_init (&lane, "lstm 9 all, lstm 6, dense 3", 3, (LsPrecision) precision, alignments[a]);
        for (guint i = 0; i < lane.plan->n_tensors; i++)
          {
            const LsTensor *t = &lane.plan->tensors[i];
            g_assert_cmpint (ls_cl_view_is_apart (&lane.cl, i), ==,
                             t->is_view && begin_of (t) % alignments[a] != 0);
            n_views += t->is_view;
            n_apart += ls_cl_view_is_apart (&lane.cl, i);
          }
        g_assert_cmpuint (n_views, >, 10);
        g_assert_true (alignments[a] > 1 ? alignments[a] < 128 || n_apart > 0 : n_apart == 0);
        lane_clear (&lane);
      }
}

static void
test_written (void)
{
  for (guint precision = 0; precision < LS_PRECISION_N; precision++)
    for (guint a = 0; a < G_N_ELEMENTS (alignments); a++)
      {
        guint8 next = 1;
        Lane lane;

        lane_init (&lane, "lstm 9 all, lstm 6, dense 3", 3, (LsPrecision) precision, alignments[a]);
        for (guint i = 0; i < lane.plan->n_tensors; i++)
          {
            const guint before = fake.copies;
            g_autoptr (GError) error = NULL;
            g_autofree guint8 *written = NULL;

            for (gsize k = 0; k < lane.buffers[i].size; k++)
              lane.buffers[i].bytes[k] = next++;
            written = g_memdup2 (lane.buffers[i].bytes, lane.buffers[i].size);
            g_assert_true (ls_cl_view_written (&lane.cl, i, NULL, &error));
            g_assert_no_error (error);
            assert_same (&lane, i);
            if (memcmp (lane.buffers[i].bytes, written, lane.buffers[i].size) != 0)
              g_error ("what was written to %s is lost", lane.plan->tensors[i].name);
            if (!lane.cl.memory.any_apart)
              g_assert_cmpuint (fake.copies, ==, before);
          }
        lane_clear (&lane);
      }
}

/* So it is of all that a launch writes: its op's outputs, and those of what is done beside it: a follower, an
 * op that joins it, and the last of those that follow that one. */
static void
test_launch (void)
{
  static const char *const ways[] = { "alone", "as a follower", "as one that joins",
                                      "behind one that joins" };
  Lane lane;
  guint n_ops = 0, quiet;

  lane_init (&lane, "lstm 9 all, lstm 6, dense 3", 3, LS_PRECISION_FP32, 4096);
  quiet = lane.plan->n_ops - 1; /* an update: of no part */
  lane.cl.single = g_new0 (LsClLaunch, lane.plan->n_ops);
  lane.cl.chain = g_new0 (LsClLaunch, lane.plan->n_ops);
  for (guint op = 0; op < quiet; op++)
    {
      const LsOp *o = &lane.plan->ops[op];
      LsClLaunch alone = { .op = op }, follows = { .op = quiet, .n_followers = 1, .followers = { op } },
                 joins = { .op = quiet, .n_joins = 1, .joins = { op } },
                 behind = { .op = quiet, .n_joins = 1, .joins = { quiet } };
      LsClLaunch *const launches[] = { &alone, &follows, &joins, &behind };

      lane.cl.chain[op] = (LsClLaunch){ .op = op, .n_followers = 1, .followers = { quiet } };
      lane.cl.chain[quiet] = (LsClLaunch){ .op = quiet, .n_followers = 1, .followers = { op } };
      for (guint l = 0; l < G_N_ELEMENTS (launches); l++)
        {
          g_test_message ("%s, %s", o->symbol, ways[l]);
          for (guint j = 0; j < o->n_out; j++)
            memset (lane.buffers[o->out[j]].bytes, (gint) (17 * op + 3 * j + l + 1),
                    lane.buffers[o->out[j]].size);
          g_assert_true (ls_cl_views_written (&lane.cl, launches[l], NULL, NULL));
          for (guint j = 0; j < o->n_out; j++)
            assert_same (&lane, o->out[j]);
        }
      n_ops++;
    }
  g_assert_cmpuint (n_ops, >, 10);
  g_free (lane.cl.single);
  g_free (lane.cl.chain);
  lane_clear (&lane);
}

static void
test_fails (void)
{
  guint n_failed = 0;
  Lane lane;

  lane_init (&lane, "lstm 9 all, lstm 6, dense 3", 3, LS_PRECISION_FP32, 4096);
  fake.fails = TRUE;
  for (guint i = 0; i < lane.plan->n_tensors; i++)
    {
      g_autoptr (GError) error = NULL;
      if (ls_cl_view_written (&lane.cl, i, NULL, &error))
        continue;
      n_failed++;
      g_assert_error (error, LS_ERROR, LS_ERROR_DEVICE);
      g_assert_true (g_str_has_prefix (error->message, "clEnqueueCopyBuffer failed for "));
    }
  g_assert_cmpuint (n_failed, >, 10);
  lane_clear (&lane);
}

/* Every other tensor lies elsewhere in a run that reuses memory. */
static cl_mem
lies_in (const Lane *lane, guint tensor, gboolean reuse)
{
  return reuse && tensor % 2 == 1 ? lane->cl.memory.placed[tensor] : lane->cl.memory.tensors[tensor];
}

static void
assert_set (const Lane *lane, const Kernel *kernels, gboolean reuse, const char *when)
{
  for (guint i = 0; i < 2 * lane->plan->n_ops; i++)
    {
      const LsOp *op = &lane->plan->ops[i / 2];
      if (kernels[i].args[0] != lies_in (lane, op->in[0], reuse)
          || kernels[i].args[1] != lies_in (lane, op->out[0], reuse))
        g_error ("%s: %s takes its tensors from where they %s", when, op->symbol,
                 reuse ? "lie otherwise" : "lie only while memory is reused");
    }
}

/* Wherever a change of it fails, the next call leaves all kernels as it asks, also where it asks for what was
 * before. What was never made ready is left alone. */
static void
test_reuse (void)
{
  Lane lane;
  g_autofree Kernel *kernels = NULL;
  g_autofree guint8 *elsewhere = NULL;
  LsClKernel row = { 0 };
  guint all;

  lane_init (&lane, "lstm 9 all, lstm 6, dense 3", 3, LS_PRECISION_FP32, 1);
  LsClMemory *m = &lane.cl.memory;
  const guint n = lane.plan->n_ops;
  kernels = g_new0 (Kernel, 2 * n);
  elsewhere = g_new0 (guint8, lane.plan->n_tensors);
  lane.cl.single = g_new0 (LsClLaunch, n);
  lane.cl.chain = g_new0 (LsClLaunch, n);
  for (guint i = 0; i < 2 * n; i++)
    {
      LsClLaunch *launch = i % 2 == 0 ? &lane.cl.single[i / 2] : &lane.cl.chain[i / 2];
      *launch = (LsClLaunch){ .op = i / 2,
                              .row = &row,
                              .n_passes = 1,
                              .needed = { TRUE },
                              .args = { { LS_CL_ARG_IN0, LS_CL_ARG_OUT0, LS_CL_ARG_END } },
                              .kernel = { { (cl_kernel) (void *) &kernels[i] } },
                              .ready = { TRUE } };
      g_assert_true (ls_cl_set_fixed_args (&lane.cl, launch, FALSE, NULL));
    }
  /* where nothing lies elsewhere there is nothing to change */
  calls = failing_call = 0;
  g_assert_true (ls_cl_reuse (&lane.cl, TRUE, NULL));
  g_assert_cmpuint (calls, ==, 0);
  m->placed = g_new0 (cl_mem, m->n_tensors);
  for (guint i = 1; i < m->n_tensors; i += 2)
    m->placed[i] = (cl_mem) (void *) &elsewhere[i];

  g_assert_true (ls_cl_reuse (&lane.cl, TRUE, NULL));
  assert_set (&lane, kernels, TRUE, "once memory is reused");
  all = calls;
  g_assert_cmpuint (all, ==, 4 * n);
  g_assert_true (ls_cl_reuse (&lane.cl, TRUE, NULL));
  g_assert_cmpuint (calls, ==, all);
  for (guint k = 1; k <= all; k++)
    for (guint way = 0; way < 4; way++) /* from which, to which of both */
      {
        const gboolean from = way / 2 > 0, then = way % 2 > 0;
        g_autoptr (GError) error = NULL;
        g_autofree char *when = g_strdup_printf ("after argument %u of %u couldn't be set", k, all);

        failing_call = 0;
        g_assert_true (ls_cl_reuse (&lane.cl, from, NULL));
        assert_set (&lane, kernels, from, "before");
        calls = 0;
        failing_call = k;
        g_assert_false (ls_cl_reuse (&lane.cl, !from, &error));
        g_assert_error (error, LS_ERROR, LS_ERROR_DEVICE);
        g_assert_true (ls_cl_reuse (&lane.cl, then, NULL));
        assert_set (&lane, kernels, then, when);
        calls = 0;
        g_assert_true (ls_cl_reuse (&lane.cl, then, NULL));
        g_assert_cmpuint (calls, ==, 0);
      }
  failing_call = calls = 0;
  lane.cl.chain[n / 2].ready[0] = FALSE;
  g_assert_true (ls_cl_reuse (&lane.cl, !lane.cl.reuses, NULL));
  g_assert_cmpuint (calls, ==, all - 2);
  g_free (m->placed);
  g_free (lane.cl.single);
  g_free (lane.cl.chain);
  lane_clear (&lane);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/views/apart", test_apart);
  g_test_add_func ("/views/written", test_written);
  g_test_add_func ("/views/launch", test_launch);
  g_test_add_func ("/views/fails", test_fails);
  g_test_add_func ("/views/reuse", test_reuse);
  return g_test_run ();
}
