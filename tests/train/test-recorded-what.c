/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a recording that a run makes says of itself and of its lanes: under which conditions it was made,
 * whose events, devices and histories it has, and that its numbers are those of the very step.
 */
#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

#include "retry_rig.h"

static const char *
condition (const LsRecording *recording, const char *key)
{
  return g_hash_table_lookup (recording->conditions, key);
}

/* Each option as the run has it, by its name; how the lanes went, and how long an epoch is. */
static void
test_settings (void)
{
  for (guint i = 0; i < 2; i++)
    {
      g_autoptr (LsOptions) options = tiny_options ();
      g_autoptr (LsCoordinator) c = NULL;
      g_autoptr (LsSnapshot) s = NULL;
      g_autofree char *epoch = NULL;
      guint n;
      const LsOption *rows = ls_options_table (&n);

      options->turns = i == 0 ? LS_TURNS_TURNS : LS_TURNS_RACE;
      options->lr = .0625;
      options->seed = 17;
      c = start (options, &fake_backend);
      ls_coordinator_run_recorded (c, 7);
      s = finish (c);
      g_assert_true (s->recording->turns == (i == 0));
      g_assert_cmpstr (condition (s->recording, "lanes"), ==, i == 0 ? "in turn" : "racing");
      g_assert_cmpuint (s->recording->warm_up, ==, LS_WARM_UP_STEPS);
      g_assert_cmpstr (condition (s->recording, "evidence"), ==, "measured");
      g_assert_cmpstr (condition (s->recording, "precision"), ==, "fp32");
      epoch = g_strdup_printf ("%u", (guint) ls_coordinator_steps_per_epoch (c));
      g_assert_cmpstr (condition (s->recording, LS_CONDITION_EPOCH), ==, epoch);
      g_assert_null (s->recording->class_names); /* the data's have none */
      g_assert_cmpuint (g_hash_table_size (s->recording->options), ==, n);
      for (guint k = 0; k < n; k++)
        {
          g_autofree char *text = ls_options_get (options, &rows[k]);

          g_assert_cmpstr (g_hash_table_lookup (s->recording->options, rows[k].name), ==, text);
        }
    }
}

/* Lanes of two precisions say that, whichever of them differs; the classes have the data's names. */
static void
test_mixed (void)
{
  static const struct {
    const char *lanes, *precision;
  } rows[] = { { "a=cpu(threads=1),b=cpu(threads=1,precision=bf16)", "mixed" },
               { "a=cpu(threads=1,precision=bf16),b=cpu(threads=1)", "mixed" },
               { "a=cpu(threads=1,precision=bf16),b=cpu(threads=1,precision=bf16)", "bf16" } };
  g_autofree char *folder = g_dir_make_tmp ("lockstep-test-XXXXXX", NULL),
                  *path = g_build_filename (folder, "table.csv", NULL);
  g_autoptr (GString) table = g_string_new ("a,b,kind\n");

  for (guint i = 0; i < 60; i++)
    g_string_append_printf (table, "%u,%u,%s\n", i, i % 7, i % 3 == 0 ? "owl" : i % 3 == 1 ? "bat" : "cat");
  g_assert_true (g_file_set_contents (path, table->str, -1, NULL));
  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (LsOptions) options = tiny_options ();
      g_autoptr (GError) error = NULL;
      g_autoptr (LsCoordinator) c = NULL;
      g_autoptr (LsSnapshot) s = NULL;

      g_assert_true (ls_options_set (options, ls_options_find ("lanes"), rows[i].lanes, NULL));
      g_assert_true (ls_options_set (options, ls_options_find ("data"), path, NULL));
      g_assert_true (ls_options_set (options, ls_options_find ("model"), "flatten, dense 3", NULL));
      c = ls_coordinator_new (options, &error);
      g_assert_no_error (error);
      g_assert_true (ls_coordinator_start (c, &error));
      ls_coordinator_run_recorded (c, 3);
      s = finish (c);
      g_assert_nonnull (s->recording);
      g_assert_cmpstr (condition (s->recording, "precision"), ==, rows[i].precision);
      g_assert_cmpstr (s->recording->lanes[0].id, ==, "a");
      g_assert_cmpstr (s->recording->lanes[1].id, ==, "b");
      g_assert_cmpstr (s->recording->lanes[1].spec, ==, strstr (rows[i].lanes, "b=") + 2);
      g_assert_cmpstr (s->recording->class_names, ==, "bat\ncat\nowl");
    }
  g_unlink (path);
  g_rmdir (folder);
}

/* Events that a lane kept are within its step, and are its own: by its place in the recording, not in the
 * run, where another one isn't in it. */
static void
assert_own_events (const LsRecording *recording)
{
  for (guint l = 0; l < recording->n_lanes; l++)
    {
      const LsRecordedLane *lane = &recording->lanes[l];

      g_assert_cmpuint (lane->start_ns, <, lane->end_ns);
      g_assert_cmpuint (lane->events->len, >, 0);
      for (guint i = 0; i < lane->events->len; i++)
        {
          const LsEvent *event = &g_array_index (lane->events, LsEvent, i);

          if (LS_EVENT_LANE (event) != l)
            g_error ("an event of the recording's lane %u says that it is lane %d's", l,
                     LS_EVENT_LANE (event));
          g_assert_cmpint (LS_EVENT_CLOCK (event), ==, LS_CLOCK_HOST);
          g_assert_cmpuint (event->start_ns, >=, lane->start_ns);
          g_assert_cmpuint (event->end_ns, <=, lane->end_ns);
        }
    }
}

/* The first lane fails at the step: the other is the recording's first. */
static void
test_second_alone (void)
{
  g_autoptr (LsOptions) options = tiny_options ();
  g_autoptr (LsCoordinator) c = start_lanes (options, &fake_backend, fragile_backend (), NULL);
  g_autoptr (LsSnapshot) s = NULL, both = NULL;

  ls_coordinator_run_recorded (c, 12);
  both = finish (c);
  g_assert_cmpuint (both->recording->n_lanes, ==, 2);
  assert_own_events (both->recording);
  g_assert_cmpstr (both->recording->lanes[0].id, ==, "fake");
  fake.fail_recorded = TRUE;
  ls_coordinator_run_recorded (c, 20);
  s = finish (c);
  g_assert_cmpint (s->lanes[0].state, ==, LS_LANE_FAILED);
  if (s->recording == NULL)
    g_error ("of the second lane alone there is no recording: %s", s->recording_message);
  g_assert_cmpuint (s->recording->n_lanes, ==, 1);
  g_assert_cmpstr (s->recording->lanes[0].id, ==, "fragile");
  g_assert_cmpuint (s->recording->step, ==, s->lanes[1].steps);
  g_assert_cmpuint (s->recording->lanes[0].n_steps, ==, s->lanes[1].steps);
  g_assert_true (s->recording->lanes[0].curve == s->lanes[1].curve);
  assert_own_events (s->recording);
}

static const float *
values_of (const LsRecording *recording, guint lane, const char *name, gboolean before, guint *n)
{
  const LsRecordedLane *own = &recording->lanes[lane];
  const GArray *list = before ? own->before : own->tensors;

  for (guint i = 0; i < list->len; i++)
    {
      const LsRecordedTensor *tensor = &g_array_index (list, LsRecordedTensor, i);
      const LsRecordedShape *shape = &recording->shapes[tensor->shape];

      if (strcmp (shape->name, name) != 0)
        continue;
      *n = 1;
      for (guint d = 0; d < shape->rank; d++)
        *n *= (guint) shape->shape[d];
      return tensor->values;
    }
  g_error ("the recording lacks the tensor %s", name);
}

/* Weights as the step found them, less rate times gradient, are the weights as it left them; and what a lane
 * said of the test set after the step is in it. */
static void
test_numbers (void)
{
  g_autoptr (LsOptions) options = tiny_options ();
  g_autoptr (LsCoordinator) c = NULL;
  g_autoptr (LsSnapshot) s = NULL;
  static const char *const names[] = { "1.weight", "1.bias", "3.weight", "3.bias" };

  options->momentum = 0;
  options->lr = .25;
  c = start (options, &fake_backend);
  const guint64 epoch = ls_coordinator_steps_per_epoch (c);
  ls_coordinator_run (c, epoch);
  ls_coordinator_record (c);
  s = finish (c);
  g_assert_cmpuint (s->recording->step, ==, epoch);
  for (guint l = 0; l < 2; l++)
    {
      const LsRecordedLane *lane = &s->recording->lanes[l];
      gboolean moved = FALSE;

      for (gsize k = 0; k < G_N_ELEMENTS (names); k++)
        {
          g_autofree char *gradient = g_strconcat (names[k], ".grad", NULL);
          guint n, n_before, n_gradient;
          const float *after = values_of (s->recording, l, names[k], FALSE, &n),
                      *before = values_of (s->recording, l, names[k], TRUE, &n_before),
                      *d = values_of (s->recording, l, gradient, FALSE, &n_gradient);

          g_assert_cmpuint (n, ==, n_before);
          g_assert_cmpuint (n, ==, n_gradient);
          for (guint i = 0; i < n; i++)
            {
              g_assert_cmpfloat_with_epsilon ((double) after[i], (double) before[i] - .25 * (double) d[i],
                                              1e-6);
              moved |= after[i] < before[i] || after[i] > before[i];
            }
        }
      g_assert_true (moved);
      g_assert_nonnull (lane->evaluation);
      g_assert_cmpuint (lane->evaluation->steps, ==, epoch);
      g_assert_nonnull (lane->accuracies);
      const LsAccuracy newest = g_array_index (lane->accuracies, LsAccuracy, lane->accuracies->len - 1);
      g_assert_cmpuint (newest.steps, ==, epoch);
      g_assert_cmpfloat (newest.accuracy, ==, s->lanes[l].accuracy);
      g_assert_cmpstr (lane->device->backend, ==, s->lanes[l].facts->device->backend);
      for (guint i = 0; i < s->plan->n_ops; i++)
        g_assert_cmpstr (lane->tilings[i].kernel, ==, s->lanes[l].facts->tilings[i].kernel);
    }
}

/* Of what passes between ops the recording has all that the lane has written: not what a fused op handed over
 * in registers, whose memory holds what was there before. */
static void
test_handed_over (void)
{
  for (guint fusion = 0; fusion < 2; fusion++)
    {
      g_autoptr (LsOptions) options = tiny_options ();
      g_autoptr (GError) error = NULL;
      g_autoptr (LsCoordinator) c = NULL;
      g_autoptr (LsSnapshot) s = NULL;
      guint handed = 0;

      options->fusion = fusion != 0;
      g_assert_true (ls_options_set (options, ls_options_find ("lanes"), "cpu", NULL));
      c = ls_coordinator_new (options, &error);
      g_assert_no_error (error);
      g_assert_true (ls_coordinator_start (c, &error));
      ls_coordinator_run_recorded (c, 3);
      s = finish (c);
      g_assert_nonnull (s->recording);
      const LsRecordedLane *lane = &s->recording->lanes[0];
      for (guint op = 0; op < s->plan->n_ops; op++)
        {
          const guint out = s->plan->ops[op].out[0];
          const LsTensor *t = &s->plan->tensors[out];
          const gboolean over = fusion && ls_plan_hands_over (s->plan, lane->tilings, op);
          gboolean there = FALSE;

          if (t->is_view || (t->role != LS_ROLE_ACTIVATION && t->role != LS_ROLE_DELTA))
            continue;
          for (guint i = 0; i < lane->tensors->len; i++)
            there |= g_array_index (lane->tensors, LsRecordedTensor, i).shape == out;
          if (there == over)
            g_error ("“%s” is %s the recording of a lane that %s", t->name, there ? "in" : "not in",
                     over ? "hands it over" : "writes it");
          handed += over;
        }
      g_assert_true ((handed > 0) == (fusion != 0));
    }
}

/* All lanes stop before the step that was to be recorded: what there is are the losses of those that came
 * furthest. */
static void
test_all_stop (void)
{
  g_autoptr (LsOptions) options = tiny_options ();
  g_autoptr (LsCoordinator) c = start_lanes (options, fragile_backend (), &fake_backend, NULL);
  g_autoptr (LsSnapshot) s = NULL;
  guint64 furthest;

  fake.fail_at = 3;
  g_atomic_int_set (&fragile.runs_left, 5); /* of ten steps at most */
  ls_coordinator_run_recorded (c, 90);
  s = finish (c);
  furthest = MAX (s->lanes[0].steps, s->lanes[1].steps);
  g_assert_cmpuint (furthest, >, 0);
  g_assert_cmpuint (furthest, <, 89);
  g_assert_cmpint (s->lanes[0].state, ==, LS_LANE_FAILED);
  g_assert_cmpint (s->lanes[1].state, ==, LS_LANE_FAILED);
  g_assert_nonnull (s->recording);
  g_assert_cmpuint (s->recording->step, ==, furthest);
  g_assert_cmpuint (s->recording->n_lanes, ==, s->lanes[0].steps == s->lanes[1].steps ? 2 : 1);
  for (guint l = 0; l < s->recording->n_lanes; l++)
    {
      g_assert_cmpuint (s->recording->lanes[l].n_steps, ==, furthest);
      g_assert_cmpuint (s->recording->lanes[l].events->len, ==, 0);
      g_assert_true (isfinite (ls_curve_get (s->recording->lanes[l].curve, furthest - 1).loss));
    }
}

static gboolean
first_has_gone_on (const LsSnapshot *s)
{
  return s->lanes[0].steps == 60 && s->lanes[0].evaluation != NULL && s->lanes[0].evaluation->steps == 60;
}

static void
await_options (LsCoordinator *c, double lr)
{
  g_autoptr (LsSnapshot) s = NULL;

  while (s == NULL || s->options->lr != lr)
    {
      g_usleep (1000);
      ls_snapshot_unref (s);
      s = ls_coordinator_take (c);
    }
}

/* A lane that has gone on beyond the recorded step before another has done it says in the recording what it
 * said of the test set by then, and nothing that it learnt later; nor is there what was changed meanwhile. */
static void
test_gone_on (void)
{
  for (guint before = 0; before < 2; before++)
    {
      g_autoptr (LsOptions) options = tiny_options ();
      g_autoptr (LsCoordinator) c = NULL;
      g_autoptr (LsSnapshot) s = NULL, recorded = NULL;

      g_setenv ("LOCKSTEP_WATCHDOG_MS", "600000", TRUE); /* it isn't left behind */
      c = start_and_open (options, &fake_backend);
      g_unsetenv ("LOCKSTEP_WATCHDOG_MS");
      ls_coordinator_run (c, 20);
      ls_snapshot_unref (finish (c));
      fake.hang_at = (guint64) g_atomic_int_get (&fake.runs) + 1;
      ls_coordinator_record_next (c, FALSE);
      ls_coordinator_run (c, before ? 21 : 60);
      while (!before && (s == NULL || !first_has_gone_on (s)))
        {
          g_usleep (1000);
          ls_snapshot_unref (s);
          s = ls_coordinator_take (c);
        }
      while ((guint64) g_atomic_int_get (&fake.runs) < fake.hang_at) /* it has begun */
        g_usleep (1000);
      options->lr = .0625;
      options->fusion = FALSE;
      options->turns = LS_TURNS_RACE;
      ls_coordinator_configure (c, options);
      await_options (c, .0625);
      g_atomic_int_set (&fake.let_go, 1);
      recorded = finish (c);
      g_assert_nonnull (recorded->recording);
      if (g_strcmp0 (g_hash_table_lookup (recorded->recording->options, "lr"), "0.1") != 0)
        g_error ("a step that was done with the learning rate 0.1 is recorded with %s",
                 (const char *) g_hash_table_lookup (recorded->recording->options, "lr"));
      g_assert_cmpstr (g_hash_table_lookup (recorded->recording->options, "fusion"), ==, "on");
      if (!recorded->recording->turns)
        g_error ("lanes that took turns in the recorded step are said to have raced");
      g_assert_cmpuint (recorded->recording->step, ==, 21);
      g_assert_cmpuint (recorded->recording->n_lanes, ==, 2);
      for (guint l = 0; l < 2; l++)
        {
          const LsRecordedLane *lane = &recorded->recording->lanes[l];

          if (lane->evaluation != NULL && lane->evaluation->steps > 21)
            g_error ("what lane %u says of the test set after %u steps is in the recording of step 21", l,
                     (guint) lane->evaluation->steps);
          if (before || l == 1)
            g_assert_cmpuint (lane->evaluation->steps, ==, before ? 21 : 20);
          for (guint i = 0; i < lane->accuracies->len; i++)
            g_assert_cmpuint (g_array_index (lane->accuracies, LsAccuracy, i).steps, <=, 21);
        }
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/recorded-what/settings", test_settings);
  g_test_add_func ("/recorded-what/mixed", test_mixed);
  g_test_add_func ("/recorded-what/second-alone", test_second_alone);
  g_test_add_func ("/recorded-what/numbers", test_numbers);
  g_test_add_func ("/recorded-what/handed-over", test_handed_over);
  g_test_add_func ("/recorded-what/all-stop", test_all_stop);
  g_test_add_func ("/recorded-what/gone-on", test_gone_on);
  return g_test_run ();
}
