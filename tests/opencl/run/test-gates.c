/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What an lstm's gates cost where nothing is fused: a launch each.
 */
#include "lanes.h"

/* Without fusion each of an lstm's steps is five launches, four gates and the cell, whose work-groups are the
 * tiles; with it one. They give the same bits. */
static void
test_gates (gconstpointer rung)
{
  static const gint64 shape[3] = { 1, 28, 28 };
  g_autoptr (LsPlan) plan = rig_plan ("lstm 9, dense 10", shape, 10, 7, LS_OPTIMIZER_SGD);
  g_autoptr (LsData) data = rig_data (64, shape, 10);
  float losses[2] = { 0 };

  for (guint fusion = 0; fusion < 2; fusion++)
    {
      g_autoptr (RigLane) lane = rig_lane_new (&ls_backend_opencl_here, plan, data, "kernel", rung, "fusion",
                                               fusion ? "on" : "off", NULL);
      guint n_lstm = 0;

      for (guint step = 0; step < 3; step++)
        {
          LsRunResult result = { .losses = &losses[fusion] };
          g_autoptr (LsTrace) trace = rig_lane_record (lane, step, &result);

          n_lstm = 0;
          for (guint i = 0; i < trace->rings[0].n; i++)
            n_lstm += trace->rings[0].events[i].kind == LS_EVENT_KERNEL
                      && plan->ops[trace->rings[0].events[i].op].klass == &ls_op_lstm;
        }
      g_assert_cmpuint (n_lstm, ==, 28 * (fusion ? 1 : 5));
    }
  g_assert_cmpfloat (losses[0], ==, losses[1]);
}

int
main (int argc, char **argv)
{
  rig_init (&argc, &argv);
  g_test_add_data_func ("/gates/naive", "naive", test_gates);
  g_test_add_data_func ("/gates/packed", "packed", test_gates);
  return g_test_run ();
}
