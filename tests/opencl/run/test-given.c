/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Edited kernels that are handed over before there is a plan: they are the ones that the plan's step is built
 * of, in the lane's process as in this one, and no network computes with others unnoticed.
 */
#include "config.h"
#include "kernel_folder.h"
#include "lanes.h"

#include <string.h>

static const gint64 shape[3] = { 1, 6, 5 };

static void
test_before (gconstpointer data)
{
  const LsBackend *backend = data;
  g_autofree char *folder = g_dir_make_tmp ("lockstep-given-XXXXXX", NULL);
  g_autoptr (LsPlan) plan = rig_plan ("flatten, dense 4", shape, 4, 16, LS_OPTIMIZER_SGD);
  g_autoptr (LsData) set = rig_data (100, shape, 4);
  g_autoptr (LsOptions) options = ls_options_new ();
  g_autoptr (LsKernelFiles) edited = NULL;
  g_autoptr (GError) error = NULL, broken = NULL;
  gpointer lane;

  edit (folder, TILED, "GEMM_FINISH (m, n, ", "undeclared_name = 1; GEMM_FINISH (m, n, ");
  edited = read_folder (folder);
  g_assert_true (ls_options_set (options, ls_options_find ("kernel"), "tiled", &error));
  lane = backend->open (options, 0, &error);
  g_assert_no_error (error);
  if (!backend->edit->reload (lane, edited, &error))
    g_error ("%s: files are refused before there is a plan: %s", backend->name, error->message);
  if (backend->prepare (lane, plan, set, &broken))
    g_error ("%s: a step is built of other kernels than the edited ones that it was given", backend->name);
  if (strstr (broken->message, "undeclared_name") == NULL)
    g_error ("%s: “%s” doesn't tell the edited file's mistake", backend->name, broken->message);
  backend->close (lane);
  remove_tree (folder);
}

int
main (int argc, char **argv)
{
  rig_init (&argc, &argv);
  g_test_add_data_func ("/given/here", &ls_backend_opencl_here, test_before);
  g_test_add_data_func ("/given/apart", &ls_backend_opencl, test_before);
  return g_test_run ();
}
