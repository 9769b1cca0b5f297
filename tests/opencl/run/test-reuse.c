/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Steps in which tensors lie in each other's memory (model/places.c): the same bits as without, and
 * everything in its own place again once somebody looks; also where rows of a tensor begin where the device
 * lets no part begin.
 */
#include "lanes.h"

#include <string.h>

static const gint64 SHAPE[] = { 1, 6, 8 };

static guint
find (const RigLane *lane, const char *name)
{
  for (guint i = 0; i < lane->plan->n_tensors; i++)
    if (g_str_equal (lane->plan->tensors[i].name, name))
      return i;
  g_error ("the plan has no %s", name);
}

static void
assert_same (RigLane *a, RigLane *b, guint tensor)
{
  const gsize bytes = ls_tensor_bytes (&a->plan->tensors[tensor]);
  g_autofree void *one = rig_lane_read (a, tensor), *other = rig_lane_read (b, tensor);

  g_test_message ("%s", a->plan->tensors[tensor].name);
  g_assert_cmpmem (one, bytes, other, bytes);
}

static void
assert_same_weights (RigLane *a, RigLane *b)
{
  for (guint i = 0; i < a->plan->n_params; i++)
    {
      assert_same (a, b, a->plan->params[i].weight);
      for (guint j = 0; j < a->plan->params[i].n_state; j++)
        assert_same (a, b, a->plan->params[i].state[j]);
    }
}

static gboolean
is_same (RigLane *a, RigLane *b, const char *name)
{
  const guint tensor = find (a, name);
  g_autofree void *one = rig_lane_read (a, tensor), *other = rig_lane_read (b, tensor);

  return memcmp (one, other, ls_tensor_bytes (&a->plan->tensors[tensor])) == 0;
}

static void
run (RigLane *lane, gboolean reuse, guint first, guint n)
{
  g_autoptr (GError) error = NULL;

  lane->reuse = reuse;
  rig_lane_run (lane, first, n, NULL, &error);
  g_assert_no_error (error);
}

static void
record (RigLane *lane, guint step)
{
  LsRunResult result = { 0 };

  ls_trace_free (rig_lane_record (lane, step, &result));
}

/* batch: of 32 all rows begin where a part may, of 3, and 5 units, most don't: then nothing is moved. */
static void
test_in_turn (gconstpointer data)
{
  static const char *const seen[] = { "a0",  "g0.steps", "q0.t3",    "q0.t6",
                                      "dz0", "dc0.t3",   "h0.steps", "c0.steps" };
  const guint batch = GPOINTER_TO_UINT (data);
  g_autoptr (LsPlan) plan = rig_plan (batch == 3 ? "lstm 5, dense 4" : "lstm 16, dense 4", SHAPE, 4, batch,
                                      LS_OPTIMIZER_SGD);
  g_autoptr (LsData) set = rig_data (64, SHAPE, 4);
  g_autoptr (RigLane) apart = rig_lane_new (&ls_backend_opencl, plan, set, NULL),
                      shared = rig_lane_new (&ls_backend_opencl, plan, set, NULL);

  run (apart, FALSE, 0, 3);
  run (shared, TRUE, 0, 3);
  assert_same_weights (apart, shared);
  /* what the shared lane has there is from when its kernels were tried */
  g_assert_true (is_same (apart, shared, "h0.steps"));
  for (gsize i = 1; i < 5; i++)
    g_assert_true (is_same (apart, shared, seen[i]) == (batch == 3));

  record (apart, 3);
  record (shared, 3);
  for (gsize i = 0; i < G_N_ELEMENTS (seen); i++)
    assert_same (apart, shared, find (shared, seen[i]));
  /* without a record, from the one to the other and back */
  run (apart, FALSE, 4, 3);
  run (shared, TRUE, 4, 1);
  run (shared, FALSE, 5, 1);
  run (shared, TRUE, 6, 1);
  assert_same_weights (apart, shared);
  run (apart, FALSE, 7, 1);
  run (shared, FALSE, 7, 1);
  for (gsize i = 0; i < G_N_ELEMENTS (seen); i++)
    assert_same (apart, shared, find (shared, seen[i]));
}

/* Two layers, and a rung that fuses less. */
static void
test_other_lanes (void)
{
  g_autoptr (LsPlan) plan = rig_plan ("lstm 16 all, lstm 8, dense 4", SHAPE, 4, 32, LS_OPTIMIZER_SGD);
  g_autoptr (LsData) set = rig_data (64, SHAPE, 4);

  for (guint naive = 0; naive < 2; naive++)
    for (guint fusion = 0; fusion < 2; fusion++)
      {
        const char *rung = naive ? "naive" : "packed", *fuse = fusion ? "on" : "off";
        g_autoptr (RigLane) apart
          = rig_lane_new (&ls_backend_opencl, plan, set, "kernel", rung, "fusion", fuse, NULL),
          shared = rig_lane_new (&ls_backend_opencl, plan, set, "kernel", rung, "fusion", fuse, NULL);

        run (apart, FALSE, 0, 3);
        run (shared, TRUE, 0, 3);
        assert_same_weights (apart, shared);
      }
}

int
main (int argc, char **argv)
{
  rig_init (&argc, &argv);
  g_test_add_data_func ("/reuse/in-turn/aligned", GUINT_TO_POINTER (32), test_in_turn);
  g_test_add_data_func ("/reuse/in-turn/unaligned", GUINT_TO_POINTER (3), test_in_turn);
  g_test_add_func ("/reuse/other-lanes", test_other_lanes);
  return g_test_run ();
}
