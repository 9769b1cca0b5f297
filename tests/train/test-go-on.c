/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A run that goes on where an earlier one was broken off: the same batches and the same masks, so the same
 * weights where the optimizer has no state; the earlier losses where a recording has them; and weights that
 * are held for that.
 */
#include <glib/gstdio.h>
#include <math.h>

#include "core/error.h"
#include "files/weights.h"
#include "rig.h"

#define MODEL(share) "flatten, dense 8, dropout " share ", tanh, dense 2"
#define BROKEN_OFF   40
#define END          70

typedef struct {
  char *folder, *weights, *end;
  LsRecording *recording; /* of step BROKEN_OFF − 5 */
  double accuracy;        /* at the end */
} Rig;

static LsOptions *
options_new (void)
{
  LsOptions *options = tiny_options ();

  g_free (options->model);
  options->model = g_strdup (MODEL ("0.5"));
  options->momentum = 0;
  return options;
}

/* One run without a break: what it has after BROKEN_OFF steps and after END. */
static void
rig_init (Rig *rig)
{
  g_autoptr (LsOptions) options = options_new ();
  g_autoptr (LsCoordinator) c = start_and_open (options, &fake_backend);
  g_autoptr (LsSnapshot) s = NULL, at = NULL, over = NULL;
  g_autoptr (GError) error = NULL;

  rig->folder = g_dir_make_tmp ("lockstep-test-XXXXXX", NULL);
  rig->weights = g_build_filename (rig->folder, "w", NULL);
  rig->end = g_build_filename (rig->folder, "end", NULL);
  ls_coordinator_run (c, BROKEN_OFF - 5);
  ls_coordinator_record (c);
  s = finish (c);
  g_assert_null (s->weights);
  rig->recording = ls_recording_ref (s->recording);
  ls_coordinator_hold_weights (c);
  ls_coordinator_run (c, BROKEN_OFF);
  at = finish (c);
  g_assert_nonnull (at->weights);
  g_assert_cmpuint (at->weights->step, ==, BROKEN_OFF);
  g_assert_true (ls_weights_save (rig->weights, at->weights->plan, (const float *const *) at->weights->values,
                                  LS_PRECISION_FP32, &error));
  ls_coordinator_run (c, END);
  over = finish (c);
  /* they were asked for once */
  g_assert_true (over->weights == at->weights);
  g_assert_cmpuint (over->begun, ==, 0);
  rig->accuracy = over->lanes[0].accuracy;
  g_assert_true (ls_coordinator_save_weights (c, rig->end, LS_PRECISION_FP32, &error));
  g_assert_no_error (error);
}

static void
rig_clear (Rig *rig)
{
  g_autofree char *again = g_strconcat (rig->end, ".again", NULL);

  g_remove (again);
  g_assert_cmpint (g_remove (rig->weights), ==, 0);
  g_assert_cmpint (g_remove (rig->end), ==, 0);
  g_assert_cmpint (g_rmdir (rig->folder), ==, 0);
  g_free (rig->folder);
  g_free (rig->weights);
  g_free (rig->end);
  g_clear_pointer (&rig->recording, ls_recording_unref);
}

static LsCoordinator *
go_on (const Rig *rig, LsOptions *options, const LsBackend *second, const LsRecording *before)
{
  const LsBackend *const backends[] = { &ls_backend_reference, second };
  g_autoptr (GError) error = NULL;
  LsCoordinator *c = ls_coordinator_new_with_backends (options, backends, 2, &error);

  g_assert_no_error (error);
  g_assert_true (ls_coordinator_load_weights (c, rig->weights, &error));
  g_assert_true (ls_coordinator_go_on (c, BROKEN_OFF, before, &error));
  g_assert_true (ls_coordinator_start (c, &error));
  g_assert_no_error (error);
  return c;
}

static void
assert_same_end (const Rig *rig, LsCoordinator *c)
{
  g_autofree char *again = g_strconcat (rig->end, ".again", NULL), *a = NULL, *b = NULL;
  g_autoptr (GError) error = NULL;
  gsize n, m;

  g_assert_true (ls_coordinator_save_weights (c, again, LS_PRECISION_FP32, &error));
  g_assert_no_error (error);
  g_assert_true (g_file_get_contents (rig->end, &a, &n, NULL));
  g_assert_true (g_file_get_contents (again, &b, &m, NULL));
  g_assert_cmpmem (a, n, b, m);
}

/* The same batches in the same order: bit for bit what a run without a break comes to. */
static void
test_same (void)
{
  Rig rig = { 0 };
  g_autoptr (LsSnapshot) s = NULL;

  rig_init (&rig);
  {
    g_autoptr (LsOptions) options = options_new ();
    g_autoptr (LsCoordinator) c = go_on (&rig, options, &fake_backend, rig.recording);
    ls_coordinator_run (c, END);
    s = finish (c);
    assert_same_end (&rig, c);
  }
  g_assert_cmpuint (s->begun, ==, BROKEN_OFF);
  for (guint lane = 0; lane < 2; lane++)
    {
      const LsLaneSnapshot *own = &s->lanes[lane];
      const LsRecordedLane *before = &rig.recording->lanes[lane];
      g_assert_cmpuint (own->steps, ==, END);
      g_assert_cmpuint (own->joined, ==, 0); /* nobody's weights but the kept ones */
      g_assert_cmpuint (own->rate_from, ==, BROKEN_OFF);
      g_assert_cmpuint (own->rate.n + own->rate.left_out, <=, END - BROKEN_OFF);
      for (guint64 i = 0; i < END; i++)
        {
          const LsPoint point = ls_curve_get (own->curve, i);
          if (i < rig.recording->step)
            {
              g_assert_true (point.loss == ls_curve_get (before->curve, i).loss);
              g_assert_cmpuint (point.end_ms, ==, 0); /* it was over when this run began */
            }
          else if (i < BROKEN_OFF)
            g_assert_true (isnan (point.loss) && point.flags == LS_POINT_MISSING);
          else
            g_assert_true (isfinite (point.loss));
          /* nothing settles twice: the first steps of this run do */
          if (i >= BROKEN_OFF && i < BROKEN_OFF + LS_WARM_UP_STEPS)
            g_assert_true (point.flags & LS_POINT_WARM_UP);
        }
    }
  /* only what this run's lanes have done is held against each other */
  g_assert_cmpuint (s->agreement.losses_compared, ==, END - BROKEN_OFF);
  rig_clear (&rig);
}

/* The test set is gone through without any mask: the answers are those of the network that leaves nothing
 * out. */
static void
test_whole_network_answers (void)
{
  Rig rig = { 0 };

  rig_init (&rig);
  {
    g_autoptr (LsOptions) options = options_new ();
    const LsBackend *const one[] = { &ls_backend_reference };
    g_autoptr (GError) error = NULL;
    g_autoptr (LsCoordinator) c = NULL;
    g_autoptr (LsSnapshot) s = NULL;

    g_free (options->model);
    options->model = g_strdup (MODEL ("0"));
    options->lr = 0; /* the weights stay */
    c = ls_coordinator_new_with_backends (options, one, 1, &error);
    g_assert_no_error (error);
    g_assert_true (ls_coordinator_load_weights (c, rig.end, &error));
    g_assert_true (ls_coordinator_start (c, &error));
    ls_coordinator_run (c, 1);
    s = finish (c);
    g_assert_cmpfloat (rig.accuracy, >, 0);
    g_assert_cmpfloat (s->lanes[0].accuracy, ==, rig.accuracy);
  }
  rig_clear (&rig);
}

/* The test accuracy after the very step that is gone on from is the newest of the earlier ones; later ones
 * are of a run that there never was. */
static void
test_accuracies (void)
{
  static const LsAccuracy measured[]
    = { { BROKEN_OFF - 20, .5 }, { BROKEN_OFF, .75 }, { BROKEN_OFF + 1, .9 } };
  Rig rig = { 0 };

  rig_init (&rig);
  {
    g_autoptr (LsOptions) options = options_new ();
    g_autoptr (GArray) all = g_array_new (FALSE, FALSE, sizeof (LsAccuracy));
    g_autoptr (LsCoordinator) c = NULL;
    g_autoptr (LsSnapshot) s = NULL;

    g_array_append_vals (all, measured, G_N_ELEMENTS (measured));
    for (guint lane = 0; lane < 2; lane++)
      {
        g_clear_pointer (&rig.recording->lanes[lane].accuracies, g_array_unref);
        rig.recording->lanes[lane].accuracies = g_array_ref (all);
      }
    c = go_on (&rig, options, &fake_backend, rig.recording);
    ls_coordinator_run (c, BROKEN_OFF);
    s = finish (c);
    for (guint lane = 0; lane < 2; lane++)
      {
        if (s->lanes[lane].accuracy != .75)
          g_error (
            "the run that is gone on from had a test accuracy of 0.75 at its end, and this one says %g",
            s->lanes[lane].accuracy);
        g_assert_cmpuint (s->lanes[lane].accuracy_step, ==, BROKEN_OFF);
        g_assert_cmpuint (s->lanes[lane].accuracies->len, ==, 2);
      }
  }
  rig_clear (&rig);
}

/* Of as many accuracies as are kept every other one goes when another comes: not the first, and not the
 * newest.
 */
static void
test_accuracies_thinned (void)
{
  enum { MOST = 4096 };
  Rig rig = { 0 };

  rig_init (&rig);
  {
    g_autoptr (LsOptions) options = options_new ();
    g_autoptr (GArray) all = g_array_new (FALSE, FALSE, sizeof (LsAccuracy));
    g_autoptr (LsCoordinator) c = NULL;
    g_autoptr (LsSnapshot) s = NULL;

    for (guint i = 0; i < MOST; i++)
      {
        const LsAccuracy one = { i * BROKEN_OFF / MOST, (double) i / MOST };
        g_array_append_val (all, one);
      }
    g_clear_pointer (&rig.recording->lanes[0].accuracies, g_array_unref);
    rig.recording->lanes[0].accuracies = g_array_ref (all);
    c = go_on (&rig, options, &fake_backend, rig.recording);
    ls_coordinator_run (c, END);
    s = finish (c);
    const GArray *kept = s->lanes[0].accuracies;
    g_assert_cmpuint (kept->len, >, MOST / 2);
    g_assert_cmpuint (kept->len, <, MOST / 2 + 100);
    for (guint i = 0; i < MOST / 2; i++)
      if (g_array_index (kept, LsAccuracy, i).accuracy != 2. * i / MOST)
        g_error ("accuracy %u of those that are kept is number %g of %d", i,
                 MOST * g_array_index (kept, LsAccuracy, i).accuracy, MOST);
    g_assert_cmpuint (g_array_index (kept, LsAccuracy, kept->len - 1).steps, ==, END);
    g_assert_cmpfloat (g_array_index (kept, LsAccuracy, kept->len - 1).accuracy, ==, s->lanes[0].accuracy);
  }
  rig_clear (&rig);
}

/* A lane that has failed begins where the run did, not at the first step with weights of a later one. */
static void
test_begins_anew (void)
{
  Rig rig = { 0 };

  rig_init (&rig);
  {
    g_autoptr (LsOptions) options = options_new ();
    const LsBackend *const one[] = { &fake_backend };
    g_autoptr (GError) error = NULL;
    g_autoptr (LsSnapshot) failed = NULL, s = NULL;
    g_autoptr (LsCoordinator) c = ls_coordinator_new_with_backends (options, one, 1, &error);

    fake.fail_at = 8;
    g_assert_true (ls_coordinator_load_weights (c, rig.weights, &error));
    g_assert_true (ls_coordinator_go_on (c, BROKEN_OFF, NULL, &error));
    g_assert_true (ls_coordinator_start (c, &error));
    ls_coordinator_run (c, END);
    failed = finish (c);
    g_assert_cmpint (failed->lanes[0].state, ==, LS_LANE_FAILED);
    g_assert_cmpuint (failed->lanes[0].steps, >, BROKEN_OFF);
    g_assert_cmpuint (failed->lanes[0].retry_step, ==, BROKEN_OFF);
    fake.fail_at = 0;
    ls_coordinator_retry (c);
    s = finish (c);
    g_assert_cmpint (s->lanes[0].state, ==, LS_LANE_READY);
    g_assert_cmpuint (s->lanes[0].steps, ==, END);
    g_assert_true (ls_curve_get (s->lanes[0].curve, BROKEN_OFF - 1).flags & LS_POINT_MISSING);
    assert_same_end (&rig, c);
  }
  rig_clear (&rig);
}

/* None that aren't finite: the first step's gradient, times that rate, is beyond what a float holds. */
static void
test_held_finite (void)
{
  g_autoptr (LsOptions) options = tiny_options ();
  g_autoptr (LsCoordinator) c = NULL;
  g_autoptr (LsSnapshot) s = NULL;

  options->check_every = 1;
  options->lr = G_MAXDOUBLE;
  c = start (options, NULL);
  ls_coordinator_hold_weights (c);
  ls_coordinator_run (c, 20);
  s = finish (c);
  g_assert_cmpuint (s->lanes[0].steps, >=, 1);
  g_assert_null (s->weights);
}

/* They come while lanes train, without any other command: of a later step than when they were asked for. */
static void
test_held_meanwhile (void)
{
  g_autoptr (LsOptions) options = tiny_options ();
  g_autoptr (LsCoordinator) c = NULL;
  guint64 asked = 0;

  options->check_every = 8;
  c = start (options, NULL);
  ls_coordinator_run (c, G_MAXINT32);
  for (guint i = 0;; i++)
    {
      g_autoptr (LsSnapshot) s = ls_coordinator_take (c);

      if (s != NULL && asked > 0 && s->weights != NULL)
        {
          g_assert_cmpuint (s->weights->step, >=, asked);
          break;
        }
      if (s != NULL && asked == 0 && s->lanes[0].steps > 0)
        {
          g_assert_null (s->weights); /* nobody has asked */
          asked = s->lanes[0].steps;
          ls_coordinator_hold_weights (c);
        }
      if (i == 60000)
        g_error ("the weights that were asked for %s within a minute",
                 asked > 0 ? "didn't come" : "couldn't be asked for");
      g_usleep (1000);
    }
  ls_coordinator_pause (c);
  while (!ls_coordinator_wait (c, 1000))
    ;
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/go-on/same", test_same);
  g_test_add_func ("/go-on/whole-network-answers", test_whole_network_answers);
  g_test_add_func ("/go-on/accuracies", test_accuracies);
  g_test_add_func ("/go-on/accuracies-thinned", test_accuracies_thinned);
  g_test_add_func ("/go-on/begins-anew", test_begins_anew);
  g_test_add_func ("/go-on/held-finite", test_held_finite);
  g_test_add_func ("/go-on/held-meanwhile", test_held_meanwhile);
  return g_test_run ();
}
