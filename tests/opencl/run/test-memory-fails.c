/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Where a device, whose memory is played, hasn't enough of it: that is said before anything is made, and
 * whichever call fails, nothing is left behind.
 */
#include "config.h"
#include "memory_rig.h"

#include "core/error.h"

/* ---- too large ---- */

static void
assert_too_large (const GError *error, const char *what, gint64 bytes, gint64 there)
{
  g_autofree char *needed = g_format_size_full ((guint64) bytes, G_FORMAT_SIZE_IEC_UNITS),
                  *has = g_format_size_full ((guint64) there, G_FORMAT_SIZE_IEC_UNITS),
                  *words = g_strdup_printf ("%s takes %s, but Made-up gives at most %s; choose a smaller "
                                            "batch or model, or --batch-from host",
                                            what, needed, has);

  g_assert_error (error, LS_ERROR, LS_ERROR_MEMORY);
  g_assert_cmpstr (error->message, ==, words);
  g_assert_cmpuint (played.buffers->len, ==, 0); /* before anything is made */
}

/* With the very largest piece, or with all of it, and not with a byte less. */
static void
test_too_large (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      const Case *c = &cases[i];
      const gint64 per_sample = SIZE * (c->type == LS_SAMPLE_U8 ? 1 : 4);
      const char *largest = NULL;
      gint64 most = 0, sum = 1001 + 64;
      g_autoptr (GError) error = NULL;
      Lane lane;

      begin (&lane, c);
      for (guint t = 0; t < lane.plan->n_tensors; t++)
        {
          const LsTensor *tensor = &lane.plan->tensors[t];
          const gint64 bytes = (gint64) ls_tensor_bytes (tensor);
          if (tensor->is_view && !ls_cl_view_is_apart (&lane.cl, t))
            continue;
          sum += bytes + (gint64) ls_tensor_copy_bytes (tensor);
          if (bytes > most)
            {
              most = bytes;
              largest = tensor->name;
            }
        }
      if (c->from == LS_BATCH_FROM_DEVICE)
        {
          sum += (TRAIN + TEST) * per_sample;
          if (TRAIN * per_sample > most)
            {
              most = TRAIN * per_sample;
              largest = "the training set";
            }
        }
      lane.cl.info->max_alloc = most - 1;
      g_assert_false (ls_cl_memory_prepare (&lane.cl, &error));
      assert_too_large (error, largest, most, most - 1);
      g_clear_error (&error);
      lane.cl.info->max_alloc = most;
      lane.cl.info->global_mem = sum - 1;
      g_assert_false (ls_cl_memory_prepare (&lane.cl, &error));
      assert_too_large (error, "the training step with its data", sum, sum - 1);
      g_clear_error (&error);
      lane.cl.info->global_mem = sum;
      g_assert_true (ls_cl_memory_prepare (&lane.cl, &error));
      g_assert_no_error (error);
      end (&lane);
    }
}

/* More bytes than can be counted are too many, not less than nothing. */
static void
test_countless (void)
{
  g_autoptr (GError) error = NULL;
  Lane lane;

  begin (&lane, &cases[0]);
  lane.data.train.n = lane.data.test.n = G_MAXINT64 / SIZE;
  lane.cl.info->global_mem = G_GINT64_CONSTANT (1) << 40;
  g_assert_false (ls_cl_memory_prepare (&lane.cl, &error));
  assert_too_large (error, "the training step with its data", G_MAXINT64, lane.cl.info->global_mem);
  end (&lane);
}

/* Each piece has its name. */
static void
test_pieces (void)
{
  static const struct {
    const char *name;
    gint64 train, test;
    gsize scratch[2];
  } rows[] = {
    { "the training set", 5000, 20, { 4, 4 } },
    { "the test set", 36, 5000, { 4, 4 } },
    { "the kernels’ scratch memory", 36, 20, { 5000 * SIZE, 4 } },
    { "the kernels’ scratch memory", 36, 20, { 4, 5000 * SIZE } },
  };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (GError) error = NULL;
      Lane lane;

      begin (&lane, &cases[0]);
      lane.data.train.n = rows[i].train;
      lane.data.test.n = rows[i].test;
      lane.cl.memory.scratch_bytes[0] = rows[i].scratch[0];
      lane.cl.memory.scratch_bytes[1] = rows[i].scratch[1];
      lane.cl.info->max_alloc = 5000 * SIZE - 1;
      g_assert_false (ls_cl_memory_prepare (&lane.cl, &error));
      assert_too_large (error, rows[i].name, 5000 * SIZE, 5000 * SIZE - 1);
      end (&lane);
    }
}

/* ---- what fails ---- */

/* That call of the driver fails: it is said which and for what, and nothing is left behind, nor is anything
 * let go twice. What there was by then is said of a buffer. Once it works again, there is what there would be
 * without the failure: whole bytes. */
static void
check_failure (const Case *c, guint call, gint64 whole)
{
  g_autoptr (GError) error = NULL;
  Lane lane;

  begin (&lane, c);
  played.fails = call;
  g_assert_false (ls_cl_memory_prepare (&lane.cl, &error));
  g_assert_nonnull (strstr (error->message, played.failed));
  g_assert_cmpint (lane.cl.memory.used, ==, played_bytes ());
  if (g_str_equal (played.failed, "clCreateBuffer"))
    {
      g_autofree char *held = g_format_size_full (played_bytes (), G_FORMAT_SIZE_IEC_UNITS),
                      *words = g_strdup_printf (", with %s in use by this lane)", held);
      g_assert_error (error, LS_ERROR, LS_ERROR_MEMORY);
      if (strstr (error->message, words) == NULL)
        g_error ("“%s” doesn’t say “%s”", error->message, words);
    }
  played.fails = 0;
  g_clear_error (&error);
  g_assert_true (ls_cl_memory_prepare (&lane.cl, &error));
  g_assert_no_error (error);
  if ((gint64) played_bytes () != whole || lane.cl.memory.used != whole)
    g_error ("after call %u, %s, failed, and again without, there are %" G_GINT64_FORMAT
             " bytes on the device, and %" G_GINT64_FORMAT " where none fails",
             call, played.failed, (gint64) played_bytes (), whole);
  end (&lane);
}

/* The first calls and the last ones, which are of scratch, sets and steps; of the tensors between, some. */
static void
test_failures (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;
      gint64 whole;
      Lane lane;
      guint n;

      begin (&lane, &cases[i]);
      g_assert_true (ls_cl_memory_prepare (&lane.cl, &error));
      n = played.calls;
      whole = (gint64) played_bytes ();
      end (&lane);
      g_assert_cmpuint (n, >, 40);
      for (guint call = 1; call <= n; call += call < 8 || call + 41 >= n ? 1 : 17)
        check_failure (&cases[i], MIN (call, n), whole);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/memory/too-large", test_too_large);
  g_test_add_func ("/memory/countless", test_countless);
  g_test_add_func ("/memory/pieces", test_pieces);
  g_test_add_func ("/memory/failures", test_failures);
  return g_test_run ();
}
