/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What is told of the kernels that are being built, with a clock that stands still unless the test moves it:
 * which ops share a program, how long each took, and how long it will still take.
 */
#include "config.h"
#include "invented.h"

#include <math.h>

#include "tests/folder.h"

static gint64 now_us;

gint64 __wrap_g_get_monotonic_time (void);

gint64
__wrap_g_get_monotonic_time (void)
{
  return now_us;
}

/* A lane whose cache is empty, and its launches. */
static guint
begin (Lane *lane)
{
  guint n;

  lane_init (lane, "flatten, dense 32, relu, dense 24, relu, dense 10", 32, LS_OPTIMIZER_SGD, "packed", TRUE);
  lane->device.platform_name = lane->device.platform_version = lane->device.extensions = (char *) "x";
  lane->device.info = ls_device_info_new ("opencl");
  lane->device.info->name = g_strdup ("x");
  lane->device.info->version = g_strdup ("x");
  lane->device.info->driver = g_strdup ("x");
  lane->cl.builder.device = &lane->device;
  lane->cl.builder.cache_folder = g_dir_make_tmp ("lockstep-left-XXXXXX", NULL);
  lane->cl.programs = g_hash_table_new (g_str_hash, g_str_equal);
  pthread_mutex_init (&lane->cl.building.mutex, NULL);
  ls_cl_launches_derive (&lane->cl);
  n = ls_cl_schedule (&lane->cl, 0, lane->plan->n_ops, TRUE);
  g_assert_null (ls_cl_building (&lane->cl));
  return n;
}

static void
end (Lane *lane)
{
  ls_cl_building_end (&lane->cl);
  g_assert_null (ls_cl_building (&lane->cl));
  remove_tree (lane->cl.builder.cache_folder);
  g_free (lane->cl.builder.cache_folder);
  g_hash_table_unref (lane->cl.programs);
  ls_device_info_free (lane->device.info);
  pthread_mutex_destroy (&lane->cl.building.mutex);
  lane_clear (lane);
}

/* Z₁ and Z₂ have bias and relu in one program, Z₃ has its bias alone: what is done in a launch shares its
 * program, and launches with the same macros do. */
static void
test_shared (void)
{
  Lane lane;
  const guint n = begin (&lane);
  const guint total = ls_cl_building_begin (&lane.cl, n);
  g_autoptr (LsBuild) build = ls_cl_building (&lane.cl);
  guint own = 0;

  g_assert_cmpuint (build->n_ops, ==, lane.plan->n_ops);
  for (guint i = 0; i < build->n_ops; i++)
    {
      const LsOpBuild *op = &build->ops[i];
      g_assert_cmpint (op->state, ==, LS_BUILD_TO_COME);
      g_assert_nonnull (op->kernel);
      own += op->same_as < 0;
      if (op->same_as >= 0) /* of one that has its own */
        {
          g_assert_cmpint (build->ops[op->same_as].same_as, ==, -1);
          g_assert_cmpstr (build->ops[op->same_as].kernel, ==, op->kernel);
        }
      if (lane.cl.tilings[i].leader != i)
        g_assert_cmpint (op->same_as, >=, 0);
    }
  /* gather; two of Z; the loss; dX; dW: five products are of four kinds */
  g_assert_cmpuint (own, ==, 6);
  g_assert_cmpuint (total, ==, 6);
  g_assert_cmpuint (build->total, ==, 6);
  g_assert_cmpuint (build->done, ==, 0);
  /* whichever of those that share it is told of, all are at it */
  for (guint i = 0; i < n; i++)
    {
      const guint op = lane.cl.schedule[i]->op;
      const gint same_as = build->ops[op].same_as;
      g_autoptr (LsBuild) running = NULL;

      ls_cl_building_mark (&lane.cl, i, LS_BUILD_RUNNING);
      running = ls_cl_building (&lane.cl);
      for (guint o = 0; o < build->n_ops; o++)
        {
          const guint own_op = build->ops[o].same_as < 0 ? o : (guint) build->ops[o].same_as;
          const gboolean shares = own_op == (same_as < 0 ? op : (guint) same_as);
          g_assert_cmpint (running->ops[o].state, ==, shares ? LS_BUILD_RUNNING : LS_BUILD_TO_COME);
        }
      ls_cl_building_mark (&lane.cl, i, LS_BUILD_TO_COME);
    }
  end (&lane);
}

/* The mean of those that are done is what each of the others takes; of one that is under way what is left of
 * that, a tenth of it at least; side by side so many times as fast, but no more than there are left. */
static void
test_left (void)
{
  Lane lane;
  const guint n = begin (&lane);
  guint launches[6], k = 0;

  now_us = 1000000;
  ls_cl_building_begin (&lane.cl, n);
  {
    g_autoptr (LsBuild) build = ls_cl_building (&lane.cl);
    for (guint i = 0; i < n && k < 6; i++)
      if (build->ops[lane.cl.schedule[i]->op].same_as < 0)
        launches[k++] = i;
    g_assert_true (isnan (build->left_s));
  }
  g_assert_cmpuint (k, ==, 6);

#define LEFT(done_, seconds_)                                                                                \
  {                                                                                                          \
    g_autoptr (LsBuild) build = ls_cl_building (&lane.cl);                                                   \
    g_assert_cmpuint (build->done, ==, done_);                                                               \
    g_assert_cmpfloat_with_epsilon (build->left_s, seconds_, 1e-9);                                          \
  }
  ls_cl_building_mark (&lane.cl, launches[0], LS_BUILD_RUNNING);
  now_us += 2000000;
  {
    g_autoptr (LsBuild) build = ls_cl_building (&lane.cl);
    g_assert_cmpfloat_with_epsilon (build->ops[lane.cl.schedule[launches[0]]->op].seconds, 2., 1e-9);
    g_assert_true (isnan (build->left_s));
  }
  ls_cl_building_mark (&lane.cl, launches[0], LS_BUILD_DONE);
  LEFT (1, 10.);
  ls_cl_building_mark (&lane.cl, launches[1], LS_BUILD_RUNNING);
  now_us += 500000;
  LEFT (1, 8. + 1.5);
  now_us += 9500000;
  LEFT (1, 8. + .2); /* it should be done long since */
  ls_cl_building_mark (&lane.cl, launches[1], LS_BUILD_DONE);
  LEFT (2, 4 * 6.); /* 2 and 10 seconds */
  lane.cl.building.processes = 3;
  LEFT (2, 8.);
  for (guint i = 2; i < 6; i++)
    {
      ls_cl_building_mark (&lane.cl, launches[i], LS_BUILD_RUNNING);
      if (i == 5)
        LEFT (5, 3.); /* 2, 10 and three times 1 second: the last one is built by one of the three */
      now_us += 1000000;
      ls_cl_building_mark (&lane.cl, launches[i], LS_BUILD_DONE);
    }
  LEFT (6, 0.);
#undef LEFT
  end (&lane);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/left/shared", test_shared);
  g_test_add_func ("/left/seconds", test_left);
  return g_test_run ();
}
