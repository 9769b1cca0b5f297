/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What is left once all lanes have stopped: the weights of the last check, if they are all there and finite.
 */
#include <glib/gstdio.h>
#include <math.h>

#include "core/error.h"
#include "files/weights.h"
#include "rig.h"

typedef struct {
  LsOptions *options;
  LsCoordinator *c;
  char *folder, *path;
} Rig;

/* The fake alone, until it has failed. Returns how many steps it has done. */
static guint64
run_until_it_fails (Rig *rig)
{
  const LsBackend *const one[] = { &fake_backend };
  g_autoptr (GError) error = NULL;
  g_autoptr (LsSnapshot) s = NULL;

  rig->folder = g_dir_make_tmp ("lockstep-test-XXXXXX", NULL);
  rig->path = g_build_filename (rig->folder, "w.last-finite", NULL);
  rig->c = ls_coordinator_new_with_backends (rig->options, one, 1, &error);
  g_assert_no_error (error);
  g_assert_true (ls_coordinator_start (rig->c, &error));
  ls_coordinator_run_recorded (rig->c, 5000);
  s = finish (rig->c);
  g_assert_cmpint (s->lanes[0].state, ==, LS_LANE_FAILED);
  g_assert_false (ls_coordinator_save_weights (rig->c, rig->path, LS_PRECISION_FP32, &error));
  g_assert_error (error, LS_ERROR, LS_ERROR_DEVICE);
  if (s->lanes[0].steps > 0) /* what there is of it: no step was recorded, but the losses are there */
    {
      g_assert_nonnull (s->recording);
      g_assert_cmpuint (s->recording->lanes[0].n_steps, ==, s->lanes[0].steps);
      g_assert_cmpuint (s->recording->lanes[0].events->len, ==, 0);
    }
  else
    g_assert_null (s->recording);
  return s->lanes[0].steps;
}

static void
rig_clear (Rig *rig)
{
  ls_coordinator_free (rig->c);
  g_remove (rig->path);
  g_assert_cmpint (g_rmdir (rig->folder), ==, 0);
  g_free (rig->path);
  g_free (rig->folder);
  ls_options_free (rig->options);
}

static void
assert_none (Rig *rig)
{
  g_autoptr (GError) error = NULL;
  guint64 step;

  g_assert_false (ls_coordinator_save_last_finite (rig->c, rig->path, &step, &error));
  g_assert_error (error, LS_ERROR, LS_ERROR_DEVICE);
  g_autofree char *message = g_strdup_printf (
    "There are no finite weights to save in “%s”: those that were checked aren’t, either.", rig->path);
  g_assert_cmpstr (error->message, ==, message);
  g_assert_false (g_file_test (rig->path, G_FILE_TEST_EXISTS));
}

/* Those that another lane has after as many steps, bit for bit. */
static void
assert_weights_of (Rig *rig, guint64 step)
{
  g_autoptr (LsOptions) options = tiny_options ();
  g_autoptr (LsCoordinator) c = start (options, NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (LsSnapshot) s = NULL;
  g_autofree char *own = g_strconcat (rig->path, ".own", NULL), *a = NULL, *b = NULL;
  gsize n, m;

  ls_coordinator_run (c, step);
  s = finish (c);
  g_assert_true (ls_coordinator_save_weights (c, own, LS_PRECISION_FP32, &error));
  g_assert_no_error (error);
  g_assert_true (g_file_get_contents (own, &a, &n, NULL));
  g_assert_true (g_file_get_contents (rig->path, &b, &m, NULL));
  g_assert_cmpmem (a, n, b, m);
  g_assert_cmpint (g_remove (own), ==, 0);
}

static void
test_last_check (void)
{
  Rig rig = { .options = tiny_options () };
  g_autoptr (GError) error = NULL;
  guint64 steps, step;

  fake.fail_at = 30;
  steps = run_until_it_fails (&rig);
  g_assert_cmpuint (steps, >=, 29);
  g_assert_true (ls_coordinator_save_last_finite (rig.c, rig.path, &step, &error));
  g_assert_no_error (error);
  g_assert_cmpuint (step, ==, steps / 10 * 10);  /* check_every */
  g_clear_pointer (&rig.c, ls_coordinator_free); /* one fake at a time */
  assert_weights_of (&rig, step);
  rig_clear (&rig);
}

/* Of two lanes that were checked after unlike numbers of steps, the weights of the one that came further. */
static void
test_newest_of_two (void)
{
  static const LsBackend *const orders[][2] = { { &ls_backend_reference, &fake_backend },
                                                { &fake_backend, &ls_backend_reference } };

  for (guint order = 0; order < G_N_ELEMENTS (orders); order++)
    {
      Rig rig = { .options = tiny_options () };
      g_autoptr (GError) error = NULL;
      g_autoptr (LsSnapshot) s = NULL;
      guint64 step = 0;

      fake.fail_at = 30;
      rig.folder = g_dir_make_tmp ("lockstep-test-XXXXXX", NULL);
      rig.path = g_build_filename (rig.folder, "w.last-finite", NULL);
      rig.c = ls_coordinator_new_with_backends (rig.options, orders[order], 2, &error);
      g_assert_no_error (error);
      g_assert_true (ls_coordinator_start (rig.c, &error));
      ls_coordinator_run (rig.c, 2000);
      s = finish (rig.c);
      g_assert_cmpuint (s->lanes[order == 0 ? 0 : 1].steps, ==, 2000);
      g_assert_cmpuint (s->lanes[order == 0 ? 1 : 0].steps, <, 1000);
      g_assert_true (ls_coordinator_save_last_finite (rig.c, rig.path, &step, &error));
      g_assert_no_error (error);
      g_assert_cmpuint (step, ==, 2000);
      g_clear_pointer (&rig.c, ls_coordinator_free);
      assert_weights_of (&rig, 2000);
      rig_clear (&rig);
    }
}

static void
test_no_check (void)
{
  Rig rig = { .options = tiny_options () };
  g_autoptr (GError) error = NULL;
  guint64 step;

  fake.fail_at = 2;
  g_assert_cmpuint (run_until_it_fails (&rig), <, 10);
  g_assert_true (ls_coordinator_save_last_finite (rig.c, rig.path, &step, &error));
  g_assert_cmpuint (step, ==, 0);
  g_clear_pointer (&rig.c, ls_coordinator_free);
  assert_weights_of (&rig, 0);
  rig_clear (&rig);
}

/* A read that fails leaves a mixture of steps behind. */
static void
test_half_read (void)
{
  for (gint reads = 1; reads <= 8; reads++) /* two checks, four parameters each */
    {
      Rig rig = { .options = tiny_options () };

      fake.read_fails = reads;
      g_assert_cmpuint (run_until_it_fails (&rig), ==, reads <= 4 ? 10 : 20);
      assert_none (&rig);
      rig_clear (&rig);
    }
}

static void
test_not_finite (void)
{
  Rig rig = { .options = tiny_options () };

  rig.options->lr = 1e300; /* infinite as a float: so are the weights after the first step */
  rig.options->check_every = 1;
  run_until_it_fails (&rig);
  assert_none (&rig);
  rig_clear (&rig);
}

/* All lanes stop, each after other steps, one before its first: the recording is of those that came furthest,
 * since the others have no losses of its last steps. */
static void
test_stopped_apart (void)
{
  for (guint64 fail_at = 1; fail_at <= 2; fail_at++)
    {
      g_autoptr (LsOptions) options = tiny_options ();
      g_autoptr (LsCoordinator) c = NULL;
      g_autoptr (LsSnapshot) s = NULL;
      g_autoptr (GError) error = NULL;
      g_autofree char *path = g_build_filename (g_get_tmp_dir (), "lockstep-test-stopped-apart", NULL);

      options->lr = 1e300;
      c = start_and_open (options, &fake_backend);
      fake.fail_at = fail_at;
      ls_coordinator_run_recorded (c, 5000);
      s = finish (c);
      g_assert_cmpuint (s->lanes[0].steps, >, s->lanes[1].steps);
      g_assert_cmpint (s->lanes[1].state, ==, LS_LANE_FAILED);
      g_assert_nonnull (s->recording);
      g_assert_cmpuint (s->recording->n_lanes, ==, 1);
      g_assert_cmpstr (s->recording->lanes[0].id, ==, s->lanes[0].spec->id);
      g_assert_cmpuint (s->recording->lanes[0].n_steps, ==, s->lanes[0].steps);
      g_assert_true (ls_recording_save (s->recording, path, &error));
      g_assert_no_error (error);
      g_assert_cmpint (g_remove (path), ==, 0);
    }
}

/* Behind a lane that has failed, and isn't in the recording, another one's accuracies are its own. */
static void
test_behind_failed (void)
{
  static const LsBackend *const lanes[] = { &fake_backend, &ls_backend_reference };
  g_autoptr (LsOptions) options = tiny_options ();
  g_autoptr (LsCoordinator) c = NULL;
  g_autoptr (LsSnapshot) s = NULL;
  g_autoptr (GError) error = NULL;

  c = ls_coordinator_new_with_backends (options, lanes, 2, &error);
  g_assert_no_error (error);
  g_assert_true (ls_coordinator_start (c, &error));
  ls_coordinator_run (c, 0);
  g_assert_true (ls_coordinator_wait (c, 20000));
  fake.fail_at = 2;
  ls_coordinator_run_recorded (c, 200);
  s = finish (c);
  g_assert_cmpint (s->lanes[0].state, ==, LS_LANE_FAILED);
  g_assert_cmpuint (s->recording->n_lanes, ==, 1);
  g_assert_cmpstr (s->recording->lanes[0].id, ==, s->lanes[1].spec->id);

  const GArray *own = s->lanes[1].accuracies, *recorded = s->recording->lanes[0].accuracies;
  g_assert_nonnull (own);
  g_assert_nonnull (recorded);
  g_assert_cmpuint (recorded->len, ==, own->len);
  g_assert_cmpfloat (g_array_index (recorded, LsAccuracy, 0).accuracy, ==,
                     g_array_index (own, LsAccuracy, 0).accuracy);
}

/* Opened anew it begins again, with the initial weights: when it fails at once those are its last, after no
 * step, however much it had been told to do before. */
static void
test_opened_anew (void)
{
  Rig rig = { .options = tiny_options () };
  g_autofree char *initial = NULL, *a = NULL, *b = NULL;
  gsize n = 0, m = 0;

  fake.fail_at = 30;
  g_assert_cmpuint (run_until_it_fails (&rig), >=, 29);
  initial = g_strconcat (rig.path, ".initial", NULL);
  for (guint again = 0; again < 3; again++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (LsSnapshot) s = NULL;
      guint64 step = 99;

      fake.fail_at = (guint64) g_atomic_int_get (&fake.runs) + 1;
      ls_coordinator_retry (rig.c);
      ls_coordinator_run (rig.c, 5000 + again);
      s = finish (rig.c);
      g_assert_cmpint (s->lanes[0].state, ==, LS_LANE_FAILED);
      g_assert_cmpuint (s->lanes[0].steps, ==, 0);
      g_assert_true (ls_coordinator_save_last_finite (rig.c, rig.path, &step, &error));
      g_assert_no_error (error);
      if (step != 0)
        g_error ("the initial weights are said to be those after step %u", (guint) step);
    }
  g_assert_true (ls_coordinator_save_initial (rig.c, initial, NULL));
  g_assert_true (g_file_get_contents (initial, &a, &n, NULL));
  g_assert_true (g_file_get_contents (rig.path, &b, &m, NULL));
  g_assert_cmpmem (a, n, b, m);
  g_assert_cmpint (g_remove (initial), ==, 0);
  rig_clear (&rig);
}

/* Where a file's name isn't UTF-8, what is said of it is. */
static void
test_name (void)
{
  Rig rig = { .options = tiny_options () };
  g_autoptr (GError) weights = NULL, last = NULL;
  guint64 step;

  rig.options->lr = 1e300;
  rig.options->check_every = 1;
  run_until_it_fails (&rig);
  g_assert_false (ls_coordinator_save_weights (rig.c,
                                               "/tmp/gr\xf6\xdf"
                                               "e",
                                               LS_PRECISION_FP32, &weights));
  g_assert_false (ls_coordinator_save_last_finite (rig.c,
                                                   "/tmp/gr\xf6\xdf"
                                                   "e",
                                                   &step, &last));
  if (!g_utf8_validate (weights->message, -1, NULL) || !g_utf8_validate (last->message, -1, NULL))
    g_error ("the name of a file makes a sentence that can’t be shown: %s %s", weights->message,
             last->message);
  rig_clear (&rig);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/last-finite/last-check", test_last_check);
  g_test_add_func ("/last-finite/newest-of-two", test_newest_of_two);
  g_test_add_func ("/last-finite/no-check", test_no_check);
  g_test_add_func ("/last-finite/half-read", test_half_read);
  g_test_add_func ("/last-finite/not-finite", test_not_finite);
  g_test_add_func ("/last-finite/stopped-apart", test_stopped_apart);
  g_test_add_func ("/last-finite/behind-failed", test_behind_failed);
  g_test_add_func ("/last-finite/opened-anew", test_opened_anew);
  g_test_add_func ("/last-finite/name", test_name);
  return g_test_run ();
}
