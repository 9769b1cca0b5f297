/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A change to kernels that don't build has failed, however often it is asked for; those that do are taken
 * after that, and the step goes on. So are mended ones by a lane that was never prepared.
 */
#include "config.h"
#include "kernel_folder.h"
#include "lanes.h"

#include <string.h>

static const gint64 shape[3] = { 1, 6, 5 };

static gboolean
configure (const LsBackend *backend, gpointer lane, LsOptions *options, const char *kernel, GError **error)
{
  g_assert_true (ls_options_set (options, ls_options_find ("kernel"), kernel, NULL));
  return backend->configure (lane, options, error);
}

static void
test_again (gconstpointer data)
{
  const LsBackend *backend = data;
  g_autofree char *folder = g_dir_make_tmp ("lockstep-configured-XXXXXX", NULL);
  g_autoptr (LsPlan) plan = rig_plan ("flatten, dense 4", shape, 4, 16, LS_OPTIMIZER_SGD);
  g_autoptr (LsData) set = rig_data (100, shape, 4);
  g_autoptr (LsOptions) options = ls_options_new ();
  g_autoptr (LsKernelFiles) edited = NULL;
  g_autoptr (GError) error = NULL;
  gpointer lane;

  edit (folder, TILED, "GEMM_FINISH (m, n, ", "undeclared_name = 1; GEMM_FINISH (m, n, ");
  edited = read_folder (folder);
  g_assert_true (ls_options_set (options, ls_options_find ("kernel"), "naive", &error));
  lane = backend->open (options, 0, &error);
  g_assert_no_error (error);
  g_assert_true (backend->edit->reload (lane, edited, &error));
  backend->prepare (lane, plan, set, &error);
  g_assert_no_error (error);
  for (guint asked = 0; asked < 2; asked++)
    {
      g_autoptr (GError) broken = NULL;

      if (configure (backend, lane, options, "tiled", &broken))
        g_error ("%s: kernels that don’t build are asked for a time more (%u), and taken", backend->name,
                 asked);
      if (strstr (broken->message, "undeclared_name") == NULL)
        g_error ("%s: “%s” doesn't tell the edited file's mistake", backend->name, broken->message);
    }
  configure (backend, lane, options, "naive", &error);
  g_assert_no_error (error);
  g_assert_nonnull (backend->tilings (lane));
  backend->close (lane);
  remove_tree (folder);
}

/* A lane whose plan couldn't be prepared, as its kernels don't build, takes options and mended kernels, and
 * is prepared with these. */
static void
test_mended (gconstpointer data)
{
  const LsBackend *backend = data;
  g_autofree char *folder = g_dir_make_tmp ("lockstep-mended-XXXXXX", NULL),
                  *good = g_dir_make_tmp ("lockstep-mended-XXXXXX", NULL);
  g_autoptr (LsPlan) plan = rig_plan ("flatten, dense 4", shape, 4, 16, LS_OPTIMIZER_SGD);
  g_autoptr (LsData) set = rig_data (100, shape, 4);
  g_autoptr (LsOptions) options = ls_options_new ();
  g_autoptr (LsKernelFiles) edited = NULL, mended = NULL;
  g_autoptr (GError) error = NULL, broken = NULL;
  gpointer lane;

  edit (folder, TILED, "GEMM_FINISH (m, n, ", "undeclared_name = 1; GEMM_FINISH (m, n, ");
  edit (good, TILED, "GEMM_FINISH (m, n, ", "  GEMM_FINISH (m, n, ");
  edited = read_folder (folder);
  mended = read_folder (good);
  g_assert_true (ls_options_set (options, ls_options_find ("kernel"), "tiled", &error));
  lane = backend->open (options, 0, &error);
  g_assert_no_error (error);
  g_assert_true (backend->edit->reload (lane, edited, &error));
  g_assert_false (backend->prepare (lane, plan, set, &broken));
  if (!configure (backend, lane, options, "tiled", &error))
    g_error ("%s: options aren’t taken once a plan couldn’t be prepared: %s", backend->name, error->message);
  if (!backend->edit->reload (lane, mended, &error))
    g_error ("%s: mended kernels aren’t taken: %s", backend->name, error->message);
  if (!backend->prepare (lane, plan, set, &error))
    g_error ("%s: it isn’t prepared with mended kernels: %s", backend->name, error->message);
  g_assert_nonnull (backend->tilings (lane));
  backend->close (lane);
  remove_tree (folder);
  remove_tree (good);
}

int
main (int argc, char **argv)
{
  rig_init (&argc, &argv);
  g_test_add_data_func ("/configured/here", &ls_backend_opencl_here, test_again);
  g_test_add_data_func ("/configured/apart", &ls_backend_opencl, test_again);
  g_test_add_data_func ("/configured/mended-here", &ls_backend_opencl_here, test_mended);
  g_test_add_data_func ("/configured/mended-apart", &ls_backend_opencl, test_mended);
  return g_test_run ();
}
