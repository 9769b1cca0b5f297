/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Lanes that disagree: which step, which lanes, which op is named.
 */
#include <math.h>
#include <string.h>

#include "retry_rig.h"

/* The first step, from 1, whose losses are further apart than rounding explains; 0: none. */
static guint64
first_apart (const LsSnapshot *s)
{
  for (guint64 i = 0; i < MIN (s->lanes[0].steps, s->lanes[1].steps); i++)
    {
      const double first = (double) ls_curve_get (s->lanes[0].curve, i).loss,
                   second = (double) ls_curve_get (s->lanes[1].curve, i).loss;
      if (!(fabs (first - second) <= s->agreement.tolerance * MAX (1, MAX (first, second))))
        return i + 1;
    }
  return 0;
}

static void
test_lanes_disagree (void)
{
  g_autoptr (LsOptions) options = tiny_options ();
  g_autoptr (LsCoordinator) c = NULL;
  g_autoptr (LsSnapshot) s = NULL;

  fake.disturb_from = 1;
  c = start (options, &fake_backend);
  ls_coordinator_run (c, 60);
  s = finish (c);
  g_assert_cmpfloat (s->agreement.loss_delta_max, >, 1e-4);
  g_assert_cmpfloat (s->agreement.weights_delta_max, >, 0.5);
  g_assert_true (g_str_has_prefix (s->agreement.weights_tensor, "1.")); /* by now the shifted weight has moved
                                                                           the bias, too */
  g_assert_true (s->agreement.disagree);
  g_assert_cmpuint (s->agreement.apart_step, >, 1); /* the first step's loss is of the weights as they were */
  g_assert_cmpuint (s->agreement.apart_step, ==, first_apart (s));
  g_assert_cmpuint (s->agreement.apart_step, <=, s->agreement.disagree_step + 1); /* rounding's bound is the
                                                                                     narrower one */
  g_assert_cmpuint (s->agreement.disagree_step, >, 0);
  g_assert_cmpfloat (fabs (s->agreement.disagree_losses[0] - s->agreement.disagree_losses[1]), >,
                     LS_DISAGREE_LOSS);
  g_assert_cmpuint (s->agreement.disagree_lanes[1], ==, 1);
}

/* What is stored in 16 bits is rounded once more before it is compared. */
static void
test_tolerance (void)
{
  static const struct {
    const char *precision;
    double tolerance;
  } rows[] = { { "fp32", .001 }, { "fp16", .001 + 0x1p-11 }, { "bf16", .001 + 0x1p-8 } };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (LsOptions) options = tiny_options ();
      g_autoptr (LsCoordinator) c = NULL;
      g_autoptr (LsSnapshot) s = NULL;

      g_assert_true (ls_options_set (options, ls_options_find ("precision"), rows[i].precision, NULL));
      c = start (options, &fake_backend);
      ls_coordinator_run (c, 3);
      s = finish (c);
      g_assert_cmpfloat (s->agreement.tolerance, ==, rows[i].tolerance);
      for (guint k = 0; k < G_N_ELEMENTS (rows); k++) /* the coarser one counts */
        g_assert_cmpfloat (ls_agree_loss ((LsPrecision) options->precision, (LsPrecision) k), >=,
                           rows[i].tolerance);
    }
  g_assert_cmpfloat (ls_agree_loss (LS_PRECISION_BF16, LS_PRECISION_FP32), ==,
                     ls_agree_loss (LS_PRECISION_FP16, LS_PRECISION_BF16));
}

/* A lane in bf16 is held against the other one in bf16, not against the first, from which it may part. */
static void
test_precisions_disagree (gconstpointer same)
{
  static const LsBackend *const backends[] = { &ls_backend_reference, &ls_backend_reference, &fake_backend };
  g_autoptr (LsOptions) options = tiny_options ();
  g_autoptr (GPtrArray) specs = ls_lane_specs_of_backends (options, backends, 3);
  const LsDataRequest request = ls_data_request (options);
  g_autoptr (LsCoordinator) c = NULL;
  g_autoptr (LsSnapshot) s = NULL;

  ((LsLaneSpec *) specs->pdata[1])->options->precision = LS_PRECISION_BF16;
  ((LsLaneSpec *) specs->pdata[2])->options->precision = same != NULL ? LS_PRECISION_BF16 : LS_PRECISION_FP32;
  c = ls_coordinator_new_with_specs (options, &request, NULL, specs, NULL);
  fake.disturb_from = 1;
  g_assert_true (ls_coordinator_start (c, NULL));
  ls_coordinator_run (c, 60);
  s = finish (c);
  g_assert_true (s->agreement.precisions);
  g_assert_true (s->agreement.disagree);
  g_assert_cmpuint (s->agreement.disagree_lanes[0], ==, same != NULL ? 1 : 0);
  g_assert_cmpuint (s->agreement.disagree_lanes[1], ==, 2);
}

/* All parameters are held against the other lane's, the last one too. */
static void
test_last_parameter_differs (gconstpointer nan)
{
  g_autoptr (LsOptions) options = tiny_options ();
  g_autoptr (LsCoordinator) c = NULL;
  g_autoptr (LsSnapshot) s = NULL;

  fake.disturb_from = 1;
  fake.disturb_last = TRUE;
  fake.disturb_nan = nan != NULL;
  options->check_every = 1;
  c = start_and_open (options, &fake_backend);
  ls_coordinator_run (c, 1);
  s = finish (c);
  g_assert_cmpuint (s->agreement.weights_compared, ==, 1);
  g_assert_cmpstr (s->agreement.weights_tensor, ==,
                   s->plan->tensors[s->plan->params[s->plan->n_params - 1].weight].name);
  g_assert_true (nan != NULL ? isnan (s->agreement.weights_delta_max) : s->agreement.weights_delta_max > .5);
}

/* Each op was then run by itself, and what shifts a weight is found: only the op that writes it has its
 * output out of bounds. Training went on as if nothing had been. */
static void
test_disagreement_found (void)
{
  g_autoptr (LsOptions) options = tiny_options ();
  g_autoptr (LsCoordinator) c = NULL;
  g_autoptr (LsSnapshot) s = NULL;
  const LsComparison *first;

  fake.disturb_from = 1;
  c = start (options, &fake_backend);
  ls_coordinator_run (c, 60);
  s = finish (c);
  first = &s->agreement.first;
  g_assert_true (s->agreement.disagree && s->agreement.examined && s->agreement.found);
  g_assert_cmpuint (first->lane, ==, 1);
  g_assert_cmpstr (s->plan->tensors[first->tensor].name, ==, "1.weight");
  g_assert_cmpint (s->plan->ops[first->op].phase, ==, LS_PHASE_UPDATE);
  g_assert_cmpint (first->worst, ==, 0);
  g_assert_cmpfloat (fabs (first->value - first->expected - 1), <, 1e-3);
  g_assert_cmpfloat (ls_compare_how_far (first->value, first->expected, first->tolerance), >, 100);
  g_assert_cmpuint (s->agreement.first_step, >=, s->agreement.disagree_step);
  g_assert_cmpuint (s->lanes[0].steps, ==, 60);
  g_assert_cmpuint (s->lanes[1].steps, ==, 60);
}

/* Once both lanes have begun again, what still shifts a weight is found again. */
static void
test_found_again (void)
{
  g_autoptr (LsOptions) options = tiny_options ();
  g_autoptr (LsCoordinator) c = start_lanes (options, fragile_backend (), &fake_backend, NULL);
  g_autoptr (LsSnapshot) once = NULL, broken = NULL, again = NULL;

  fake.disturb_from = 1;
  once = run_to (c, 60);
  g_assert_true (once->agreement.disagree && once->agreement.found);
  fake.fail_at = (guint64) g_atomic_int_get (&fake.runs) + 1;
  g_atomic_int_set (&fragile.runs_left, 0);
  broken = run_to (c, 61);
  for (guint lane = 0; lane < 2; lane++)
    g_assert_cmpint (broken->lanes[lane].state, ==, LS_LANE_FAILED);
  fake.fail_at = 0;
  retry_at_rest (c);
  again = run_to (c, 90);
  g_assert_true (again->agreement.disagree && again->agreement.examined);
  if (!again->agreement.found)
    g_error ("lanes that disagree once more are told that each op by itself is right");
  g_assert_cmpstr (again->plan->tensors[again->agreement.first.tensor].name, ==, "1.weight");
}

/* Both lanes are wrong, each in an op of its own: the one that comes first in the step is told. */
static void
test_first_of_both_found (void)
{
  static const LsBackend *const both[] = { &fake_backend, &fake_backend };
  g_autoptr (LsOptions) options = tiny_options ();
  g_autoptr (LsCoordinator) c = ls_coordinator_new_with_backends (options, both, 2, NULL);
  g_autoptr (LsSnapshot) s = NULL;
  guint first = 0;

  fake.disturb_from = 1;
  fake.disturb_both = TRUE;
  g_assert_true (ls_coordinator_start (c, NULL));
  ls_coordinator_run (c, 60);
  s = finish (c);
  g_assert_true (s->agreement.found);
  while (s->plan->ops[first].phase != LS_PHASE_UPDATE
         || (s->plan->ops[first].out[0] != s->plan->params[0].weight
             && s->plan->ops[first].out[0] != s->plan->params[s->plan->n_params - 1].weight))
    first++;
  g_assert_cmpuint (s->agreement.first.op, ==, first);
}

/* The lane that is examined loses its device over it: it is parked, the other one goes on, and nobody waits
 * for an answer. */
static void
test_disagreement_lost (void)
{
  g_autoptr (LsOptions) options = tiny_options ();
  g_autoptr (LsCoordinator) c = NULL;
  g_autoptr (LsSnapshot) s = NULL;

  fake.disturb_from = 1;
  fake.fail_one_op = TRUE;
  c = start (options, &fake_backend);
  ls_coordinator_run (c, 60);
  s = finish (c);
  g_assert_true (s->agreement.disagree && s->agreement.examined && !s->agreement.found);
  g_assert_cmpint (s->lanes[1].state, ==, LS_LANE_FAILED);
  g_assert_cmpint (s->lanes[0].state, ==, LS_LANE_READY);
  g_assert_cmpuint (s->lanes[0].steps, ==, 60);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/disagreement/tolerance", test_tolerance);
  g_test_add_func ("/train/lanes-disagree", test_lanes_disagree);
  g_test_add_data_func ("/train/precisions-disagree/same", "", test_precisions_disagree);
  g_test_add_data_func ("/train/precisions-disagree/other", NULL, test_precisions_disagree);
  g_test_add_data_func ("/train/last-parameter-differs", NULL, test_last_parameter_differs);
  g_test_add_data_func ("/train/last-parameter-no-number", "nan", test_last_parameter_differs);
  g_test_add_func ("/train/disagreement-found", test_disagreement_found);
  g_test_add_func ("/train/found-again", test_found_again);
  g_test_add_func ("/train/first-of-both-found", test_first_of_both_found);
  g_test_add_func ("/train/disagreement-lost", test_disagreement_lost);
  return g_test_run ();
}
