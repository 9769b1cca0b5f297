/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Kernels edited while a run is on: one that is right, one that doesn't build, one that computes something
 * else, one that writes where it mustn't, one that never ends.
 */
#include "config.h"
#include "kernel_folder.h"
#include "lanes.h"

#include <string.h>

#include "train/coordinator.h"

#define STORE       "GEMM_FINISH (m, n, "
#define PATIENCE_US (120 * G_USEC_PER_SEC)
#define PORTION     10 /* steps */

typedef struct {
  LsCoordinator *coordinator;
  LsSnapshot *newest;
  guint64 until; /* steps that are asked for; 0: it hasn't started */
  char *folder;
} Rig;

/* What tries kernels has a low priority (setpriority), and beside other tests would wait for a processor
 * longer than PATIENCE_US. So here the priority is only noted (linked with --wrap). */
static gint niceness;
int __wrap_setpriority (int which, id_t who, int nice);

int
__wrap_setpriority (int which, id_t who, int nice)
{
  g_atomic_int_set (&niceness, nice);
  return 0;
}

/* ---- the run ---- */

/* The lanes train on while kernels are compiled, but in portions, so that they leave the compiler a
 * processor. */
static void
go_on (Rig *rig)
{
  const LsLaneSnapshot *lanes = rig->newest->lanes;
  const guint64 steps = MAX (lanes[0].steps, lanes[1].steps);

  if (rig->until == 0 || steps < rig->until)
    return;
  rig->until = steps + PORTION;
  ls_coordinator_run (rig->coordinator, rig->until);
}

static const LsLaneSnapshot *
look (Rig *rig)
{
  LsSnapshot *next;

  while ((next = ls_coordinator_take (rig->coordinator)) == NULL && rig->newest == NULL)
    g_usleep (1000);
  if (next != NULL)
    {
      ls_snapshot_unref (rig->newest);
      rig->newest = next;
    }
  else
    g_usleep (20000);
  go_on (rig);
  return &rig->newest->lanes[1];
}

/* Each edited set costs as many compilations as the network has kinds of product. */
#define TWO_LAYERS "flatten, dense 32, tanh, dense 3"
#define ONE_LAYER  "flatten, dense 3"

static void
rig_open (Rig *rig, const char *model)
{
  g_autoptr (LsOptions) options = ls_options_new ();
  g_autoptr (GError) error = NULL;
  const char *const values[][2] = { { "model", model },    { "data", "spiral" }, { "batch", "64" },
                                    { "kernel", "tiled" }, { "lr", "0.02" },     { "backends", "cpu,opencl" },
                                    { "threads", "1" } };

  *rig = (Rig){ .folder = g_dir_make_tmp ("lockstep-reload-XXXXXX", NULL) };
  for (gsize i = 0; i < G_N_ELEMENTS (values); i++)
    g_assert_true (ls_options_set (options, ls_options_find (values[i][0]), values[i][1], NULL));
  rig->coordinator = ls_coordinator_new (options, &error);
  g_assert_no_error (error);
}

static void
rig_start (Rig *rig)
{
  g_autoptr (GError) error = NULL;

  ls_coordinator_start (rig->coordinator, &error);
  g_assert_no_error (error);
  rig->until = PORTION;
  ls_coordinator_run (rig->coordinator, rig->until);
}

static void
await_steps (Rig *rig, guint64 steps)
{
  const gint64 until = g_get_monotonic_time () + PATIENCE_US;
  const LsLaneSnapshot *lane;

  do
    {
      lane = look (rig);
      g_assert_cmpint (g_get_monotonic_time (), <, until);
      g_assert_cmpint (lane->state, !=, LS_LANE_FAILED);
  } while (lane->state != LS_LANE_READY || lane->steps < steps);
}

/* Hands the folder over and waits until it is in use, or isn't. */
static const LsLaneSnapshot *
reload (Rig *rig)
{
  g_autoptr (LsKernelFiles) files = read_folder (rig->folder);
  const LsLaneSnapshot *lane = look (rig);
  const guint serial = lane->kernels_serial;
  const gint64 until = g_get_monotonic_time () + PATIENCE_US;

  ls_coordinator_reload_kernels (rig->coordinator, files);
  while (lane->kernels_serial == serial)
    {
      g_assert_cmpint (g_get_monotonic_time (), <, until);
      lane = look (rig);
    }
  g_test_message ("after %.2f s: %s", lane->kernels_s,
                  lane->kernels_message ? lane->kernels_message : "in use");
  return lane;
}

static void
rig_close (Rig *rig)
{
  g_clear_pointer (&rig->coordinator, ls_coordinator_free);
  g_clear_pointer (&rig->newest, ls_snapshot_unref);
  remove_tree (rig->folder);
  g_free (rig->folder);
}

static const char *
fact (const LsLaneSnapshot *lane, const char *name)
{
  return g_hash_table_lookup (lane->facts->device->facts, name);
}

/* ---- tests ---- */

static void
test_right (void)
{
  Rig rig;
  const LsLaneSnapshot *lane;
  guint64 steps;

  rig_open (&rig, TWO_LAYERS);
  rig_start (&rig);
  await_steps (&rig, 50);
  g_assert_null (fact (look (&rig), LS_FACT_EDITED));

  edit (rig.folder, TILED, "barrier (", "/* a remark */ barrier (");
  edit (rig.folder, "epilogue.clh", "\n", "\n// another\n");
  lane = reload (&rig);
  g_assert_null (lane->kernels_message);
  g_assert_cmpint (g_atomic_int_get (&niceness), >, 0);
  g_assert_cmpint (lane->state, ==, LS_LANE_READY);
  g_assert_cmpstr (fact (lane, LS_FACT_EDITED), ==, "epilogue.clh, " TILED);
  g_assert_nonnull (strstr (fact (lane, LS_FACT_KERNEL TILED), "/* a remark */"));
  steps = lane->steps;
  g_assert_cmpuint (steps, >=, 50);
  g_assert_cmpuint (lane->rate_from, >=, 50);
  await_steps (&rig, steps + 200);
  g_assert_cmpuint (rig.newest->lanes[1].rate.n, >, 0);

  /* and back */
  empty_folder (rig.folder);
  lane = reload (&rig);
  g_assert_null (lane->kernels_message);
  g_assert_null (fact (lane, LS_FACT_EDITED));
  await_steps (&rig, lane->steps + 100);
  /* no step was lost or done twice, whatever kernel did it */
  g_assert_false (rig.newest->agreement.disagree);
  g_assert_cmpfloat (rig.newest->agreement.loss_delta_max, <, 1e-4);
  rig_close (&rig);
}

static void
test_broken (void)
{
  Rig rig;
  const LsLaneSnapshot *lane;
  g_autofree char *line = NULL;

  rig_open (&rig, ONE_LAYER);
  rig_start (&rig);
  await_steps (&rig, 20);
  edit (rig.folder, TILED, "barrier (", "undeclared_name (");
  lane = reload (&rig);
  g_assert_nonnull (lane->kernels_message);
  g_assert_true (g_pattern_match_simple ("*" TILED " doesn't build*undeclared_name*", lane->kernels_message));
  line = ls_kernel_error_line (lane->kernels_message);
  g_assert_nonnull (strstr (line, TILED));
  g_assert_null (strchr (line, '\n'));
  g_assert_cmpint (lane->state, ==, LS_LANE_READY);
  g_assert_null (fact (lane, LS_FACT_EDITED));
  await_steps (&rig, lane->steps + 100);
  g_assert_cmpfloat (rig.newest->agreement.loss_delta_max, <, 1e-4);

  /* nothing is left of it once the text is right; this time no step waits for the one before */
  rig.until = LS_STEPS_ENDLESS;
  ls_coordinator_run (rig.coordinator, rig.until);
  edit (rig.folder, TILED, "barrier (", "/* another */ barrier (");
  lane = reload (&rig);
  g_assert_null (lane->kernels_message);
  g_assert_cmpstr (fact (lane, LS_FACT_EDITED), ==, TILED);
  rig_close (&rig);
}

static void
test_wrong (void)
{
  Rig rig;
  const LsLaneSnapshot *lane;
  const gint64 until = g_get_monotonic_time () + PATIENCE_US;

  rig_open (&rig, ONE_LAYER);
  rig_start (&rig);
  await_steps (&rig, 20);
  edit (rig.folder, TILED, STORE, STORE "3.0f * (m + 1) + ");
  lane = reload (&rig);
  g_assert_null (lane->kernels_message);
  while (!rig.newest->agreement.disagree)
    {
      lane = look (&rig);
      g_assert_cmpint (g_get_monotonic_time (), <, until);
      g_assert_cmpint (lane->state, ==, LS_LANE_READY);
    }
  /* the next ones begin from the other lane's weights, and agree */
  empty_folder (rig.folder);
  lane = reload (&rig);
  g_assert_null (lane->kernels_message);
  await_steps (&rig, lane->steps + 200);
  while (rig.newest->agreement.losses_compared == 0) /* the other lane may be far behind */
    g_assert_cmpint ((look (&rig), g_get_monotonic_time ()), <, until);
  g_assert_false (rig.newest->agreement.disagree);
  g_assert_cmpfloat (rig.newest->agreement.loss_delta_max, <, 1e-4);
  rig_close (&rig);
}

/* One element is wrong: it is the one that is named; with the kernel mended nothing is left of it. */
static void
test_element (void)
{
  Rig rig;
  const LsLaneSnapshot *lane;
  const gint64 until = g_get_monotonic_time () + PATIENCE_US;
  const LsAgreement *a;
  g_autofree char *element = NULL;

  rig_open (&rig, ONE_LAYER);
  rig_start (&rig);
  await_steps (&rig, 20);
  edit (rig.folder, TILED, STORE, STORE "(M == 64 && N == 3 && m == 5 && n == 2 ? 300.0f : 0.0f) + ");
  lane = reload (&rig);
  g_assert_null (lane->kernels_message);
  while (!rig.newest->agreement.found)
    {
      look (&rig);
      g_assert_cmpint (g_get_monotonic_time (), <, until);
    }
  a = &rig.newest->agreement;
  element = ls_tensor_element_string (&rig.newest->plan->tensors[a->first.tensor], a->first.worst);
  g_assert_true (a->disagree);
  g_assert_cmpstr (element, ==, "(5, 2)");
  g_assert_cmpuint (a->first.lane, ==, 1);
  g_assert_cmpstr (rig.newest->plan->ops[a->first.op].klass->name, ==, "matmul");
  g_assert_cmpfloat (a->first.value - a->first.expected, >, 299);

  edit (rig.folder, TILED, "barrier (", "/* mended */ barrier (");
  lane = reload (&rig);
  g_assert_null (lane->kernels_message);
  g_assert_false (rig.newest->agreement.disagree);
  while (rig.newest->agreement.losses_compared < 100)
    {
      look (&rig);
      g_assert_cmpint (g_get_monotonic_time (), <, until);
    }
  g_assert_false (rig.newest->agreement.disagree || rig.newest->agreement.found);
  g_assert_cmpfloat (rig.newest->agreement.loss_delta_max, <, 1e-4);
  rig_close (&rig);
}

static void
test_fatal (void)
{
  Rig rig;
  const LsLaneSnapshot *lane;

  rig_open (&rig, ONE_LAYER);
  rig_start (&rig);
  await_steps (&rig, 20);
  edit (rig.folder, TILED, STORE, "*(volatile __global float *) (size_t) 64 = 1; " STORE);
  lane = reload (&rig);
  g_assert_nonnull (lane->kernels_message);
  g_assert_nonnull (strstr (lane->kernels_message, "signal"));
  await_steps (&rig, lane->steps + 50);
  rig_close (&rig);
}

/* A file that the lane's own rung doesn't use is tried, too: the rung may be chosen later. */
static void
test_other_rung (void)
{
  Rig rig;
  const LsLaneSnapshot *lane;

  rig_open (&rig, ONE_LAYER);
  rig_start (&rig);
  await_steps (&rig, 20);
  edit (rig.folder, "gemm_naive.cl", STORE, "*(volatile __global float *) (size_t) 64 = 1; " STORE);
  lane = reload (&rig);
  g_assert_nonnull (lane->kernels_message);
  g_assert_nonnull (strstr (lane->kernels_message, "naive"));
  g_assert_nonnull (strstr (lane->kernels_message, "signal"));
  g_assert_null (fact (lane, LS_FACT_EDITED));
  await_steps (&rig, lane->steps + 50);
  rig_close (&rig);
}

static void
test_endless (void)
{
  Rig rig;
  const LsLaneSnapshot *lane;

  /* before there are lanes: PoCL's threads read the environment */
  g_setenv ("LOCKSTEP_CHILD_TIMEOUT_MS", "4000", TRUE);
  rig_open (&rig, ONE_LAYER);
  rig_start (&rig);
  await_steps (&rig, 20);
  edit (rig.folder, TILED, STORE, "for (volatile int v = 1; v != 0;) ; " STORE);
  lane = reload (&rig);
  g_assert_nonnull (lane->kernels_message);
  g_assert_nonnull (strstr (lane->kernels_message, "4 s"));
  await_steps (&rig, lane->steps + 50);
  rig_close (&rig);
  g_unsetenv ("LOCKSTEP_CHILD_TIMEOUT_MS");
}

/* A set that is on trial gives way to the next one; closing doesn't wait for a trial. */
static void
test_newer (void)
{
  Rig rig;
  const LsLaneSnapshot *lane;
  g_autoptr (LsKernelFiles) hanging = NULL;

  rig_open (&rig, ONE_LAYER);
  rig_start (&rig);
  await_steps (&rig, 20);
  edit (rig.folder, TILED, STORE, "for (volatile int v = 1; v != 0;) ; " STORE);
  hanging = read_folder (rig.folder);
  ls_coordinator_reload_kernels (rig.coordinator, hanging);
  while (!look (&rig)->kernels_coming)
    ;
  g_assert_false (ls_coordinator_wait (rig.coordinator, 0));
  edit (rig.folder, TILED, "barrier (", "/* another */ barrier (");
  lane = reload (&rig);
  g_assert_null (lane->kernels_message);
  g_assert_cmpuint (lane->kernels_serial, ==, 1);
  g_assert_nonnull (strstr (fact (lane, LS_FACT_KERNEL TILED), "another"));
  ls_coordinator_reload_kernels (rig.coordinator, hanging);
  while (!look (&rig)->kernels_coming)
    ;
  rig_close (&rig);
}

/* A lane that was parked because of its kernels comes back with better ones. */
static void
test_parked (void)
{
  Rig rig;
  const LsLaneSnapshot *lane;

  rig_open (&rig, ONE_LAYER);
  edit (rig.folder, TILED, "barrier (", "undeclared_name (");
  g_setenv ("LOCKSTEP_KERNEL_DIR", rig.folder, TRUE);
  rig_start (&rig);
  do
    lane = look (&rig);
  while (lane->state != LS_LANE_FAILED);
  g_unsetenv ("LOCKSTEP_KERNEL_DIR");
  g_assert_nonnull (strstr (lane->message, "undeclared_name"));
  edit (rig.folder, TILED, "barrier (", "/* another */ barrier (");
  reload (&rig);
  do
    lane = look (&rig);
  while (lane->state != LS_LANE_READY);
  await_steps (&rig, 20);
  g_assert_cmpstr (fact (look (&rig), LS_FACT_EDITED), ==, TILED);
  rig_close (&rig);
}

/* Another rung: the lane's figures begin anew, the other's don't. */
static void
test_figures (void)
{
  Rig rig;
  g_autoptr (LsOptions) options = NULL;
  const gint64 until = g_get_monotonic_time () + PATIENCE_US;

  rig_open (&rig, ONE_LAYER);
  rig_start (&rig);
  await_steps (&rig, 200);
  g_assert_cmpuint (rig.newest->lanes[1].rate_from, ==, 0);
  options = ls_options_copy (rig.newest->options);
  g_assert_true (ls_options_set (options, ls_options_find ("kernel"), "naive", NULL));
  ls_coordinator_configure (rig.coordinator, options);
  while (rig.newest->lanes[1].rate_from == 0 || rig.newest->lanes[1].rate.n == 0)
    {
      g_assert_cmpint (g_get_monotonic_time (), <, until);
      look (&rig);
    }
  g_assert_cmpuint (rig.newest->lanes[1].rate_from, >=, 200);
  g_assert_cmpuint (rig.newest->lanes[1].rate.n + rig.newest->lanes[1].rate_from, <=,
                    rig.newest->lanes[1].steps);
  g_assert_cmpuint (rig.newest->lanes[0].rate_from, ==, 0);
  rig_close (&rig);
}

int
main (int argc, char **argv)
{
  rig_init (&argc, &argv);
  g_test_add_func ("/reload/right", test_right);
  g_test_add_func ("/reload/broken", test_broken);
  g_test_add_func ("/reload/wrong", test_wrong);
  g_test_add_func ("/reload/element", test_element);
  g_test_add_func ("/reload/fatal", test_fatal);
  g_test_add_func ("/reload/other-rung", test_other_rung);
  g_test_add_func ("/reload/endless", test_endless);
  g_test_add_func ("/reload/newer", test_newer);
  g_test_add_func ("/reload/parked", test_parked);
  g_test_add_func ("/reload/figures", test_figures);
  return g_test_run ();
}
