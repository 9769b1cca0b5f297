/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The tuner on kernels that were made wrong, that don't build and that never end: none of them may win.
 */
#include "config.h"
#include "lanes.h"

#include <string.h>

#include "backends/opencl/device/devices.h"
#include "backends/opencl/device/environment.h"
#include "backends/opencl/run/instance.h"
#include "backends/opencl/tune/tune.h"
#include "core/error.h"

#define MODEL "flatten, dense 8, relu, dense 2"

/* For kernels that never end; a machine that does much else may take seconds to build one of the others. */
#define SILENCE_MS "15000"

/* The shipped file of that name with one thing changed, into a folder that the kernels are then taken
 * from. */
static void
change_kernel (const char *folder, const char *name, const char *from, const char *to)
{
  const char *const names[] = { name, NULL };
  g_autoptr (GError) error = NULL;
  g_autofree char *source = ls_cl_source_load (NULL, names, &error),
                  *path = g_build_filename (folder, name, NULL);
  g_auto (GStrv) parts = NULL;
  g_autofree char *changed = NULL;

  g_assert_no_error (error);
  parts = g_strsplit (source, from, 2);
  g_assert_cmpuint (g_strv_length (parts), ==, 2);
  changed = g_strconcat (parts[0], to, parts[1], NULL);
  g_file_set_contents (path, changed, -1, &error);
  g_assert_no_error (error);
}

static guint
count_dropped (const LsTuneResult *result, const char *candidate, const char *why)
{
  guint n = 0;

  for (guint i = 0; i < result->dropped->len; i++)
    n += strstr (result->dropped->pdata[i], candidate) && strstr (result->dropped->pdata[i], why);
  return n;
}

static void
count_cb (const LsTuneProgress *progress, gpointer data)
{
  g_assert_cmpuint (progress->task, <, progress->n_tasks);
  (*(guint *) data)++;
}

static const LsTuneWish wish = {
  .device = "", .n_plans = 1, .seconds = 90, .plans = { { MODEL, { 2, 1, 1 }, 2, 16, LS_OPTIMIZER_SGD } }
};

/* The VEC that is shipped for the device; 4 where there is none. */
static int
shipped_vec (void)
{
  ls_cl_environment_setup (); /* before the driver is loaded: PoCL ends where there is no /sys */
  g_autoptr (LsClDevices) list = ls_cl_devices_new ();
  const guint width = list->devices->len > 0 ? ((LsClDevice *) list->devices->pdata[0])->limits.vector_width
                                             : 0;

  return width >= 16 ? 16 : width >= 8 ? 8 : 4;
}

/* Parameters are tried around the best rung, and on matrices as small as these any could be. So that it is
 * the shipped one, packed with the device's own VEC, all others are made wrong: what is refused then depends
 * on no time. */
static void
test_refuses (void)
{
  const int shipped = shipped_vec (), other = shipped == 16 ? 8 : 16;
  g_autofree char *wrong = g_strdup_printf ("floatv c##r##0 = VEC == %d ? 0.1f : 0.0f", other),
                  *packed = g_strdup_printf ("packed VEC=%d", other);
  g_autofree char *folder = g_dir_make_tmp ("lockstep-kernels-XXXXXX", NULL);
  g_autoptr (LsTuneResult) result = NULL;
  g_autoptr (GError) error = NULL;
  guint reports = 0, products = 0;

  if (shipped == 4)
    {
      g_test_skip ("the device's own vectors are those that don't build here");
      return;
    }
  change_kernel (folder, "vector.clh", "#if VEC == 16",
                 "#if VEC == 4\n#error no fours\n#endif\n#if VEC == 16");
  change_kernel (folder, "gemm_packed.cl", "floatv c##r##0 = 0.0f", wrong);
  change_kernel (folder, "gemm_tiled.cl", "sum += a_tile[row][i] * b_tile[i][col];",
                 "sum += 1.001f * a_tile[row][i] * b_tile[i][col];");
  change_kernel (folder, "gemm_register.cl", "sum[i][j] += a * b[j];", "sum[i][j] += 1.001f * a * b[j];");
  change_kernel (folder, "gemm_naive.cl", "float total = 0.0f;",
                 "volatile float total = 0.0f; while (K > 0) total += 1.0f;");
  g_setenv ("LOCKSTEP_KERNEL_DIR", folder, TRUE);
  g_setenv ("LOCKSTEP_CHILD_TIMEOUT_MS", SILENCE_MS, TRUE);
  ls_tune (&wish, count_cb, &reports, NULL, &result, &error);
  g_unsetenv ("LOCKSTEP_KERNEL_DIR");
  g_unsetenv ("LOCKSTEP_CHILD_TIMEOUT_MS");
  g_assert_no_error (error);
  for (guint i = 0; i < result->dropped->len; i++)
    g_test_message ("%s", (const char *) result->dropped->pdata[i]);
  g_assert_cmpuint (reports, >, 10);
  g_assert_cmpuint (count_dropped (result, packed, "the reference says"), >, 0);
  g_assert_cmpuint (count_dropped (result, "packed VEC=4", "no fours"), >, 0);
  g_assert_cmpuint (count_dropped (result, "tiled TILE=", "the reference says"), >, 0);
  g_assert_cmpuint (count_dropped (result, "register TILE_M=", "the reference says"), >, 0);
  g_assert_cmpuint (count_dropped (result, "matmul", "no sign of life"), ==, 1); /* and isn't tried again */
  for (guint i = 0; i < result->entries->len; i++)
    {
      const LsTunedEntry *e = result->entries->pdata[i];
      products += strcmp (e->op, "matmul") == 0;
      g_assert_false (strcmp (e->op, "matmul") == 0 && strcmp (e->rung, "packed") != 0);
      for (guint p = 0; p < e->n_params; p++)
        if (strcmp (e->params[p].name, "VEC") == 0)
          g_assert_true (e->params[p].value == shipped
                         || (e->params[p].value == other && strcmp (e->op, "matmul") != 0));
      g_assert_cmpuint (e->us.n, >, 1);
      g_assert_cmpfloat (e->us.q1, <=, e->us.q3);
    }
  g_assert_cmpuint (products, ==, 5); /* all, also the one that a candidate hung at */
}

/* Where the shipped kernel is the wrong one there is nothing to tune. */
static void
test_shipped_wrong (void)
{
  g_autofree char *folder = g_dir_make_tmp ("lockstep-kernels-XXXXXX", NULL);
  g_autoptr (LsTuneResult) result = NULL;
  g_autoptr (GError) error = NULL;

  /* processors ship the first of them, graphics cards the other two */
  change_kernel (folder, "gemm_packed.cl", "floatv c##r##0 = 0.0f", "floatv c##r##0 = 0.1f");
  change_kernel (folder, "gemm_register.cl", "sum[i][j] = total[i][j] = 0.0f",
                 "sum[i][j] = total[i][j] = 0.1f");
  change_kernel (folder, "gemm_naive.cl", "float total = 0.0f;", "float total = 0.1f;");
  g_setenv ("LOCKSTEP_KERNEL_DIR", folder, TRUE);
  ls_tune (&wish, NULL, NULL, NULL, &result, &error);
  g_unsetenv ("LOCKSTEP_KERNEL_DIR");
  g_assert_no_error (error);
  for (guint i = 0; i < result->entries->len; i++)
    g_assert_cmpstr (((LsTunedEntry *) result->entries->pdata[i])->op, !=, "matmul");
  g_assert_cmpuint (count_dropped (result, "matmul", "the reference says"), >, 0);
}

static void
cancel_cb (const LsTuneProgress *progress, gpointer data)
{
  g_cancellable_cancel (data);
}

static void
test_cancel (void)
{
  g_autoptr (GCancellable) cancel = g_cancellable_new ();
  g_autoptr (LsTuneResult) result = NULL;
  g_autoptr (GError) error = NULL;
  LsTuneWish bad = wish;

  g_assert_false (ls_tune (&wish, cancel_cb, cancel, cancel, &result, &error));
  g_assert_error (error, LS_ERROR, LS_ERROR_CANCELLED);
  g_clear_error (&error);
  g_clear_pointer (&result, ls_tune_result_free);
  bad.plans[0].model = "flatten, dense nothing";
  g_assert_false (ls_tune (&bad, NULL, NULL, NULL, &result, &error));
  g_assert_error (error, LS_ERROR, LS_ERROR_USAGE);
  g_clear_error (&error);
  g_clear_pointer (&result, ls_tune_result_free);
  bad = wish;
  bad.device = "no such device";
  g_assert_false (ls_tune (&bad, NULL, NULL, NULL, &result, &error));
  g_assert_error (error, LS_ERROR, LS_ERROR_NO_DEVICE);
}

int
main (int argc, char **argv)
{
  rig_own_cache (argc, argv);
  rig_init (&argc, &argv);
  g_test_add_func ("/tuner/refuses", test_refuses);
  g_test_add_func ("/tuner/shipped-wrong", test_shipped_wrong);
  g_test_add_func ("/tuner/cancel", test_cancel);
  return g_test_run ();
}
