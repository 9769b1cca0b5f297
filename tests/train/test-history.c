/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What is kept of every step, and the figures made of it: clocks that stand still, curves that are full.
 */
#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

#include "data/dataset.h"
#include "scripted.h"

/* Steps that take no time, or end before they begin: no rate, and nothing that isn't a number. */
static void
test_clocks (void)
{
  static const gint64 ends[] = { 1, -1000000 };

  for (gsize i = 0; i < G_N_ELEMENTS (ends); i++)
    {
      g_autoptr (LsOptions) options = tiny_options ();
      g_autoptr (LsCoordinator) c = NULL;
      g_autoptr (LsSnapshot) s = NULL;

      fake.clock_ns = ends[i];
      c = start_and_open (options, &fake_backend);
      ls_coordinator_run (c, 40);
      s = finish (c);
      g_assert_cmpuint (s->lanes[1].steps, ==, 40);
      g_assert_true (isfinite (s->lanes[1].rate.value) && isfinite (s->lanes[1].rate.q3));
      for (guint64 step = 0; step < 40; step++)
        {
          LsPoint p = ls_curve_get (s->lanes[1].curve, step);
          g_assert_cmpfloat (p.step_us, >=, 0);
          g_assert_cmpfloat (p.step_us, <, 1);
          g_assert_cmpuint (p.end_ms, <, 60000);
        }
    }
}

/* Each step of a turn has an end of its own, on each lane: the turns of the first lane go on by 1 ms a step,
 * and those of the other one, which is slower, by 2. */
static void
test_ends (void)
{
  g_autoptr (LsOptions) options = scripted_options (0);
  guint longest[2] = { 0, 0 };

  for (guint k = 0; k < SCRIPTED_STEPS; k++)
    script.step_us[k] = 1000;
  script.slower[1] = 2;
  script.idle = TRUE;
  {
    g_autoptr (LsCoordinator) c = scripted_start (options, "fp32,fp32");
    g_autoptr (LsSnapshot) s = scripted_run (c, 60);
    g_auto (GStrv) jobs = g_strsplit (script.log->str, " ", -1); /* "0T8+2": lane 0, 2 steps after 8 */

    for (guint j = 0; jobs[j] != NULL; j++)
      {
        guint lane, from, n;

        if (sscanf (jobs[j], "%uT%u+%u", &lane, &from, &n) != 3)
          continue;
        longest[lane] = MAX (longest[lane], n);
        for (guint i = 0; i < n; i++)
          {
            const LsPoint point = ls_curve_get (s->lanes[lane].curve, from + i);
            const guint apart = i > 0
                                  ? point.end_ms - ls_curve_get (s->lanes[lane].curve, from + i - 1).end_ms
                                  : 0;

            g_assert_cmpfloat (point.step_us, ==, lane == 0 ? 1000 : 2000);
            if (i > 0 && apart != (lane == 0 ? 1 : 2))
              g_error ("“%s”: step %u ends %u ms after the one before it", jobs[j], from + i, apart);
          }
      }
    g_assert_cmpuint (longest[0], >, 2);
    g_assert_cmpuint (longest[1], >, 2);
  }
  scripted_end ();
}

/* All counted steps once it has stopped; the newest 200 while it runs. */
static void
test_figures (void)
{
  g_autoptr (LsOptions) options = tiny_options ();
  g_autoptr (LsCoordinator) c = start_and_open (options, NULL);
  g_autoptr (LsSnapshot) s = NULL;
  guint64 most = 0;

  ls_coordinator_run (c, 3000);
  while (!ls_coordinator_wait (c, 1))
    {
      g_autoptr (LsSnapshot) now = ls_coordinator_take (c);
      if (now)
        most = MAX (most, now->lanes[0].rate.n);
    }
  g_assert_cmpuint (most, <=, 3000);
  ls_coordinator_run (c, 3100);
  s = finish (c);
  g_assert_cmpuint (s->lanes[0].rate.n, ==, 3100 - LS_WARM_UP_STEPS);
  g_assert_cmpuint (s->lanes[0].rate.left_out, ==, LS_WARM_UP_STEPS);
  g_assert_cmpfloat (s->lanes[0].rate.value * s->lanes[0].step_us.value, >, 0.999e6 * 16);
  g_assert_cmpfloat (s->lanes[0].rate.value * s->lanes[0].step_us.value, <, 1.001e6 * 16);
}

/* After a change of what a lane computes with, its first steps are warm-up once more, and no figure is of
 * them. */
static void
test_warm_up_again (void)
{
  g_autoptr (LsOptions) options = tiny_options ();
  g_autoptr (LsCoordinator) c = start_and_open (options, NULL);
  g_autoptr (LsSnapshot) s = NULL;

  ls_coordinator_run (c, 60);
  ls_snapshot_unref (finish (c));
  options->fusion = !options->fusion;
  ls_coordinator_configure (c, options);
  ls_coordinator_run (c, 130);
  s = finish (c);
  g_assert_cmpuint (s->lanes[0].rate_from, ==, 60);
  for (guint64 i = 0; i < 130; i++)
    {
      const gboolean first = i < LS_WARM_UP_STEPS || (i >= 60 && i < 60 + LS_WARM_UP_STEPS);
      if (((ls_curve_get (s->lanes[0].curve, i).flags & LS_POINT_WARM_UP) != 0) != first)
        g_error ("step %u of a run whose options changed after step 60 %s warm-up", (guint) i + 1,
                 first ? "isn't" : "is");
    }
  g_assert_cmpuint (s->lanes[0].rate.n, ==, 70 - LS_WARM_UP_STEPS);
}

/* A lane's own options may change while it trains: the list that is told has them, and a list of other lanes
 * isn't taken. */
static void
test_lanes_changed (void)
{
  static const struct {
    const char *lanes, *told;
  } rows[] = {
    { "cpu(policy=static)", "cpu(policy=static)" },
    { "cpu(policy=round-robin)", "cpu(policy=round-robin)" },
    { "cpu(policy=nonsuch)", "cpu(policy=round-robin)" },
    { "cpu,reference", "cpu(policy=round-robin)" },
    { "reference", "cpu(policy=round-robin)" },
  };
  g_autoptr (LsOptions) options = tiny_options ();
  g_autoptr (LsCoordinator) c = NULL;
  g_autoptr (GError) error = NULL;

  g_assert_true (ls_options_set (options, ls_options_find ("lanes"), "cpu", NULL));
  c = ls_coordinator_new (options, &error);
  g_assert_no_error (error);
  g_assert_true (ls_coordinator_start (c, &error));
  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (LsSnapshot) s = NULL;

      g_assert_true (ls_options_set (options, ls_options_find ("lanes"), rows[i].lanes, NULL));
      ls_coordinator_configure (c, options);
      ls_coordinator_run (c, 10 * (i + 1));
      s = finish (c);
      g_assert_cmpuint (s->n_lanes, ==, 1);
      g_assert_cmpuint (s->lanes[0].steps, ==, 10 * (i + 1));
      g_assert_cmpstr (s->options->lanes, ==, rows[i].told);
    }
}

/* However many steps a turn has, it ends with the epoch: the test set is gone through after each, and at the
 * end. */
static void
test_each_epoch (void)
{
  g_autoptr (LsOptions) options = tiny_options ();
  g_autoptr (LsCoordinator) c = NULL;
  g_autoptr (LsSnapshot) s = NULL;
  guint64 epoch;

  options->check_every = 0;
  c = start_and_open (options, NULL);
  epoch = ls_coordinator_steps_per_epoch (c);
  ls_coordinator_run (c, 3 * epoch + 5);
  s = finish (c);
  for (guint i = 0; i < 4; i++)
    {
      const GArray *all = s->lanes[0].accuracies;
      const guint64 wanted = i < 3 ? (i + 1) * epoch : 3 * epoch + 5,
                    steps = i < all->len ? g_array_index (all, LsAccuracy, i).steps : 0;
      if (steps != wanted)
        g_error ("of epochs of %" G_GUINT64_FORMAT " steps evaluation %u is after step %" G_GUINT64_FORMAT
                 ", not %" G_GUINT64_FORMAT,
                 epoch, i + 1, steps, wanted);
    }
  g_assert_cmpuint (s->lanes[0].accuracies->len, ==, 4);
}

/* One lane after so many steps, with room for five more in its curve; not started. */
static LsCoordinator *
nearly_full (LsOptions *options, guint64 steps)
{
  const LsBackend *const only[] = { &ls_backend_reference };
  g_autoptr (GError) error = NULL;
  LsCoordinator *c = ls_coordinator_new_with_backends (options, only, 1, &error);
  LsCurve *curve = ls_curve_new ();

  for (guint64 i = 0; i < LS_CURVE_MAX - 5; i++)
    ls_curve_append (curve, (LsPoint){ .loss = 1 });
  ls_coordinator_set_history (c, 0, curve, steps);
  return c;
}

/* The lanes come to rest, and their weights can be saved; what was asked for of the last step is done. */
static void
test_curve_full (void)
{
  g_autoptr (LsOptions) options = tiny_options ();
  g_autoptr (LsCoordinator) c = nearly_full (options, LS_CURVE_MAX - 5);
  g_autoptr (LsSnapshot) s = NULL, still = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *folder = g_dir_make_tmp ("lockstep-test-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "w.safetensors", NULL);

  /* both before the lane does its few steps */
  ls_coordinator_run (c, LS_STEPS_ENDLESS);
  ls_coordinator_record (c);
  g_assert_true (ls_coordinator_start (c, &error));
  s = finish (c);
  g_assert_cmpint (s->lanes[0].state, ==, LS_LANE_READY);
  g_assert_cmpuint (s->lanes[0].steps, ==, LS_CURVE_MAX);
  g_assert_cmpuint (s->lanes[0].accuracy_step, ==, LS_CURVE_MAX);
  g_assert_cmpuint (s->recording->step, ==, LS_CURVE_MAX);
  g_assert_nonnull (strstr (s->message, "in a new run"));
  g_assert_true (ls_coordinator_save_weights (c, path, LS_PRECISION_FP32, &error));
  ls_coordinator_record_next (c, TRUE); /* there is no next step */
  ls_coordinator_run_recorded (c, LS_CURVE_MAX + 1);
  still = finish (c);
  g_assert_cmpint (still->lanes[0].state, ==, LS_LANE_READY);
  g_assert_cmpuint (still->lanes[0].steps, ==, LS_CURVE_MAX);
  g_assert_cmpint (g_remove (path), ==, 0);
  g_assert_cmpint (g_rmdir (folder), ==, 0);
}

static void
test_no_room_for_losses (void)
{
  g_autoptr (LsOptions) options = tiny_options ();
  g_autoptr (LsCoordinator) c = nearly_full (options, 0);
  g_autoptr (LsSnapshot) s = NULL;

  ls_coordinator_run (c, 50);
  g_assert_true (ls_coordinator_start (c, NULL));
  s = finish (c);
  g_assert_cmpuint (s->lanes[0].steps, ==, 5);
  g_assert_cmpint (s->lanes[0].state, ==, LS_LANE_FAILED);
  g_assert_nonnull (strstr (s->lanes[0].message, "train fewer in one run"));
}

/* Of a lane that has gone through the test set more often than is kept every other time stays, the first one
 * and the newest among them. */
static void
test_many_accuracies (void)
{
  static const struct {
    guint64 steps;
    guint n;
  } rows[] = { { 4095, 4095 }, { 4096, 4096 }, { 4097, 2049 }, { 4100, 2052 } };
  g_autoptr (LsOptions) options = tiny_options ();
  g_autoptr (LsCoordinator) c = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (LsData) data = ls_data_load ("xor", 1, &error);

  g_assert_no_error (error);
  g_free (options->model);
  g_free (options->data);
  options->model = g_strdup ("flatten, dense 2");
  options->data = g_strdup ("xor");
  options->batch = data->train.n; /* an epoch */
  options->check_every = 0;
  c = start (options, NULL);
  g_assert_cmpuint (ls_coordinator_steps_per_epoch (c), ==, 1);
  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (LsSnapshot) s = NULL;
      const GArray *all;
      guint64 before = 0;

      ls_coordinator_run (c, rows[i].steps);
      while (!ls_coordinator_wait (c, 20000))
        continue;
      s = ls_coordinator_take (c);
      all = s->lanes[0].accuracies;
      if (all->len != rows[i].n)
        g_error ("of %u times through the test set %u are kept, not %u", (guint) rows[i].steps, all->len,
                 rows[i].n);
      if (g_array_index (all, LsAccuracy, 0).steps != 1)
        g_error ("of %u times through the test set the first isn’t kept", (guint) rows[i].steps);
      for (guint k = 0; k < all->len; k++)
        {
          g_assert_cmpuint (g_array_index (all, LsAccuracy, k).steps, >, before);
          g_assert_cmpuint (g_array_index (all, LsAccuracy, k).steps, <=, before + 2);
          before = g_array_index (all, LsAccuracy, k).steps;
        }
      g_assert_cmpuint (before, ==, rows[i].steps);
      g_assert_true (g_array_index (all, LsAccuracy, all->len - 1).accuracy == s->lanes[0].accuracy);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/history/clocks", test_clocks);
  g_test_add_func ("/history/figures", test_figures);
  g_test_add_func ("/history/warm-up-again", test_warm_up_again);
  g_test_add_func ("/history/lanes-changed", test_lanes_changed);
  g_test_add_func ("/history/each-epoch", test_each_epoch);
  g_test_add_func ("/history/curve-full", test_curve_full);
  g_test_add_func ("/history/no-room-for-losses", test_no_room_for_losses);
  g_test_add_func ("/history/many-accuracies", test_many_accuracies);
  g_test_add_func ("/history/ends", test_ends);
  return g_test_run ();
}
