/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What views make of snapshots of a run in which things go wrong: a lane that stops keeps its last complete
 * picture while the other goes on recording; one that never ran says why; both say where they began to
 * differ.
 */
#include <math.h>
#include <string.h>

#include "tests/paint/data/snapshot-rig.h"
#include "tests/paint/states.h"
#include "ui/paint/data/change.h"
#include "ui/paint/parts/coming.h"

/* ended: how; a lane that no longer answers has stopped like one that says why. */
static void
test_stopped_keeps_its_picture (gconstpointer ended)
{
  g_autoptr (LsRecording) both = recording_of (32, 50), alone = recording_of (0, 70),
                          later = recording_of (0, 90);
  g_autoptr (LsSnapshot) first = snapshot_of (both, both, 60), second = snapshot_of (alone, both, 80),
                         third = snapshot_of (later, both, 100);
  g_autoptr (LsViewData) before = ls_view_data_from_snapshot (first, NULL, NULL), after = NULL, last = NULL;

  for (guint i = 0; i < 2; i++)
    {
      LsLaneSnapshot *lane = &(i == 0 ? second : third)->lanes[1];
      lane->state = (LsLaneState) GPOINTER_TO_INT (ended);
      lane->steps = 65;
      lane->message = g_strdup ("the kernel of dW₁ could not be run");
    }
  g_assert_null (before->sides[1].held);
  after = ls_view_data_from_snapshot (second, before, NULL);
  g_assert_true (after->sides[1].held == both);
  g_assert_true (after->sides[1].index == before->sides[1].index);
  /* which of the old recording's lanes it is: the new one has it no more */
  g_assert_cmpuint (after->sides[1].lane, ==, 1);
  g_assert_true (after->sides[1].recorded == &both->lanes[1]);
  g_assert_true (after->sides[0].recorded == &alone->lanes[0]);
  last = ls_view_data_from_snapshot (third, after, NULL);
  g_assert_true (last->sides[1].held == both);
  g_assert_cmpuint (last->sides[1].lane, ==, 1);
  g_assert_cmpuint (last->sides[1].stopped_at, ==, 66);
  g_assert_cmpstr (last->sides[1].message, ==, "Stopped at step 66.");
  g_assert_cmpstr (last->sides[1].words, ==, "The kernel of dW₁ could not be run.");
  g_assert_cmpstr (last->sides[1].hint, ==, "Shown: step 50, the last complete one.");
  g_assert_cmpuint (ls_view_data_shown_step (last, 0), ==, 90);
  g_assert_cmpuint (ls_view_data_shown_step (last, 1), ==, 50);
  g_assert_cmpstr (last->when, ==, "step 100, epoch 5 · shown: step 90");
}

static void
test_never_ran (gconstpointer ended)
{
  g_autoptr (LsRecording) both = recording_of (32, 50), alone = recording_of (0, 70);
  g_autoptr (LsSnapshot) snapshot = snapshot_of (alone, both, 60);
  LsLaneSnapshot *lane = &snapshot->lanes[1];
  g_autoptr (LsViewData) data = NULL, building = NULL;

  g_clear_pointer (&lane->facts, ls_lane_facts_unref);
  lane->steps = 0;
  lane->state = LS_LANE_BUILDING;
  lane->build_done = 2;
  lane->build_total = 14;
  building = ls_view_data_from_snapshot (snapshot, NULL, NULL);
  g_assert_true (building->sides[1].there);
  g_assert_cmpstr (building->sides[1].message, ==, "Compiling its kernels.");
  g_assert_cmpfloat (fabs (building->sides[1].progress - 2. / 14), <, 1e-9);
  lane->state = (LsLaneState) GPOINTER_TO_INT (ended);
  lane->message = g_strdup ("this machine has no OpenCL device");
  data = ls_view_data_from_snapshot (snapshot, building, NULL);
  g_assert_false (data->sides[1].there);
  g_assert_cmpuint (data->sides[1].stopped_at, ==, 0);
  g_assert_cmpstr (data->sides[1].words, ==, "This machine has no OpenCL device.");
  g_assert_cmpstr (data->sides[1].hint, ==, "The CPU lane goes on without it.");
  g_assert_nonnull (data->sides[0].index);

  /* nobody goes on */
  snapshot->lanes[0].state = (LsLaneState) GPOINTER_TO_INT (ended);
  g_clear_pointer (&data, ls_view_data_unref);
  data = ls_view_data_from_snapshot (snapshot, NULL, NULL);
  g_assert_null (data->sides[1].hint);
}

/* A run of one lane: the other one wasn't asked for, and nobody has looked for its device. */
static void
test_not_asked_for (void)
{
  static const char *const says[] = { "No CPU lane was asked for.", "No OpenCL lane was asked for." };
  g_autoptr (LsOptions) options = ls_options_new ();

  for (guint side = 0; side < LS_SIDES; side++)
    {
      g_autoptr (LsRecording) both = recording_of (32, 50);
      g_autoptr (LsSnapshot) snapshot = snapshot_of (both, both, 60);
      g_autoptr (LsViewData) data = NULL, before = NULL;
      const LsLaneSnapshot cpu = snapshot->lanes[0];

      ls_options_set (options, ls_options_find ("lanes"), side == 0 ? "opencl" : "cpu", NULL);
      before = ls_view_data_before (options);
      g_assert_cmpstr (before->sides[side].message, ==, says[side]);
      if (side == 0)
        {
          snapshot->lanes[0] = snapshot->lanes[1];
          snapshot->lanes[1] = cpu;
        }
      snapshot->n_lanes = 1;
      data = ls_view_data_from_snapshot (snapshot, NULL, NULL);
      g_assert_false (data->sides[side].there);
      g_assert_true (data->sides[1 - side].there);
      if (data->sides[side].who != (side == 0 ? LS_BACKEND_CPU : LS_BACKEND_OPENCL))
        g_error ("the lane that is “%s” is taken for one of the other kind", data->sides[side].name);
      if (!isnan (data->sides[side].accuracy) || !isnan (data->sides[side].loss.value))
        g_error ("a lane that wasn’t asked for has an accuracy or a loss");
      g_assert_cmpstr (data->sides[side].message, ==, says[side]);
      g_assert_cmpstr (data->sides[side].hint, ==, "Start with “--lanes cpu,opencl” to have both.");
      snapshot->n_lanes = 2; /* freed with both */
    }
}

/* Says what it does, and how long it will still take once that is known; the other one waits for it, or goes
 * on without. */
static void
test_coming (void)
{
  g_autoptr (LsRecording) both = recording_of (32, 50), alone = recording_of (0, 5);
  g_autoptr (LsSnapshot) snapshot = snapshot_of (alone, both, 20);
  LsLaneSnapshot *cpu = &snapshot->lanes[0], *lane = &snapshot->lanes[1];
  g_autoptr (LsViewData) data = NULL;
  g_autofree char *waits = NULL, *why = NULL, *curve = NULL;

  g_clear_pointer (&lane->facts, ls_lane_facts_unref);
  lane->steps = 0;
  lane->state = LS_LANE_OPENING;
  cpu->waits = TRUE;
  data = ls_view_data_from_snapshot (snapshot, NULL, NULL);
  g_assert_cmpstr (data->sides[1].message, ==, "Looking for its device.");
  waits = ls_coming_waits (data, 0, &why);
  g_assert_cmpstr (waits, ==, "20 steps trained, now it waits.");
  g_assert_cmpstr (why, ==, "It goes on when OpenCL is ready.");
  g_assert_null (ls_coming_waits (data, 1, NULL));

  lane->state = LS_LANE_BUILDING;
  lane->build = ls_fixture_build (snapshot->plan, 2);
  lane->build->left_s = (double) NAN;
  g_clear_pointer (&data, ls_view_data_unref);
  data = ls_view_data_from_snapshot (snapshot, NULL, NULL);
  g_assert_cmpstr (data->sides[1].message, ==, "Compiling its kernels.");
  g_assert_false (ls_lane_left_told (&data->sides[1]));
  g_free (waits);
  g_free (why);
  waits = ls_coming_waits (data, 0, &why);
  g_assert_cmpstr (why, ==, "It goes on when OpenCL has compiled its kernels.");
  lane->build->left_s = 3.4;
  g_clear_pointer (&data, ls_view_data_unref);
  data = ls_view_data_from_snapshot (snapshot, NULL, NULL);
  g_assert_cmpstr (data->sides[1].message, ==, "Compiling its kernels, about 3 s left.");
  g_assert_true (ls_lane_left_told (&data->sides[1]));
  curve = ls_coming_curve (data, LS_CURVE_LOSS);
  g_assert_cmpstr (curve, ==, "OpenCL joins at step 1, from the same weights");

  /* all that was needed so far was on the disk: nothing is compiled, and nothing is said of a compiler */
  for (guint i = 0; i < lane->build->n_ops; i++)
    {
      lane->build->ops[i].seconds = 0;
      if (lane->build->ops[i].state == LS_BUILD_RUNNING)
        lane->build->ops[i].state = LS_BUILD_TO_COME;
    }
  g_clear_pointer (&data, ls_view_data_unref);
  data = ls_view_data_from_snapshot (snapshot, NULL, NULL);
  g_assert_cmpstr (data->sides[1].message, ==, "Loading its kernels.");
  g_assert_null (data->sides[1].hint);

  lane->overdue = TRUE;
  cpu->waits = FALSE;
  g_clear_pointer (&data, ls_view_data_unref);
  data = ls_view_data_from_snapshot (snapshot, NULL, NULL);
  g_assert_cmpstr (data->sides[1].message, ==, "OpenCL is still compiling; CPU goes on without it.");
  g_assert_false (ls_lane_left_told (&data->sides[1]));
  g_assert_null (ls_coming_waits (data, 0, NULL));
}

/* What the options alone tell; not of data that must be read first. */
static void
test_before (void)
{
  g_autoptr (LsOptions) options = ls_options_new ();
  g_autoptr (LsViewData) data = ls_view_data_before (options);

  g_assert_cmpstr (data->when, ==, "getting ready");
  g_assert_nonnull (data->plan);
  g_assert_cmpstr (data->sides[0].message, ==, "Getting ready.");
  g_assert_cmpstr (data->sides[1].message, ==, "Looking for its device.");
  g_assert_cmpstr (data->sides[0].name, ==, "CPU");
  g_assert_true (ls_options_set (options, ls_options_find ("lanes"), "opencl", NULL));
  g_clear_pointer (&data, ls_view_data_unref);
  data = ls_view_data_before (options);
  g_assert_true (data->sides[1].there);
  g_assert_false (data->sides[0].there);
  g_assert_true (ls_options_set (options, ls_options_find ("data"), "/no/such/folder", NULL));
  g_assert_null (ls_view_data_before (options));
}

static gboolean
has_condition (const LsViewLane *lane, const char *words)
{
  return g_strv_contains ((const char *const *) lane->conditions, words);
}

/* Why a lane that works isn't in the step that is shown, and that it began late. */
static void
test_unrecorded (void)
{
  g_autoptr (LsRecording) both = recording_of (32, 50), alone = recording_of (0, 5);
  g_autoptr (LsSnapshot) snapshot = snapshot_of (alone, both, 60), whole = snapshot_of (both, both, 60);
  g_autoptr (LsViewData) data = ls_view_data_from_snapshot (snapshot, NULL, NULL), shown = NULL, then = NULL;

  g_assert_cmpstr (
    data->sides[1].message, ==,
    "Step 5 was recorded before OpenCL on the CPU had its kernels; the next recorded step shows both.");
  g_assert_null (data->sides[0].message);
  snapshot->lanes[1].joined = 40;
  g_clear_pointer (&data, ls_view_data_unref);
  data = ls_view_data_from_snapshot (snapshot, NULL, NULL);
  g_assert_cmpstr (data->sides[1].message, ==,
                   "Step 5 was recorded before OpenCL on the CPU joined; the next recorded step shows both.");
  g_assert_true (has_condition (&data->sides[1], "joined after step 40 with CPU’s weights"));
  g_assert_false (has_condition (&data->sides[0], "joined after step 40 with CPU’s weights"));
  /* both are in it: nothing to say; an earlier step is shown, the newest again */
  shown = ls_view_data_from_snapshot (whole, data, NULL);
  g_assert_null (shown->sides[1].message);
  then = ls_view_data_with_recording (shown, alone, shown);
  g_assert_nonnull (strstr (then->sides[1].message, "Step 5 was recorded before"));
  g_clear_pointer (&then, ls_view_data_unref);
  then = ls_view_data_with_recording (data, both, NULL);
  g_assert_null (then->sides[1].message);
}

static void
test_disagree (void)
{
  g_autoptr (LsRecording) both = recording_of (32, 50);
  g_autoptr (LsSnapshot) snapshot = snapshot_of (both, both, 60);
  g_autoptr (LsViewData) data = NULL;

  snapshot->agreement = (LsAgreement){ .losses_compared = 60,
                                       .losses_steps = 60,
                                       .loss_delta_max = .21,
                                       .disagree = TRUE,
                                       .disagree_step = 41,
                                       .disagree_lanes = { 0, 1 },
                                       .disagree_losses = { .0312, .2408 } };
  data = ls_view_data_from_snapshot (snapshot, NULL, NULL);
  g_assert_cmpstr (data->disagree[0], ==, "First different: the loss of step 42.");
  g_assert_cmpstr (
    data->disagree[1], ==,
    "CPU 0.03120, OpenCL 0.2408; tolerance 0.05 in the mean of 16 steps. Looking for the op …");
  g_assert_cmpfloat (data->sides[1].delta.value, ==, .21);
  snapshot->agreement.examined = TRUE;
  g_clear_pointer (&data, ls_view_data_unref);
  data = ls_view_data_from_snapshot (snapshot, NULL, NULL);
  g_assert_true (g_str_has_suffix (data->disagree[1], "or at the weights."));
}

/* Once it is known which op it is, it is named, with the element, both values and how far out that is. */
static void
test_disagree_found (void)
{
  g_autoptr (LsRecording) both = recording_of (32, 50);
  g_autoptr (LsSnapshot) snapshot = snapshot_of (both, both, 60);
  g_autoptr (LsViewData) data = NULL;
  const LsPlan *plan = snapshot->plan;
  const LsTensor *weight = &plan->tensors[plan->params[0].weight];
  guint op = 0;

  while (plan->ops[op].out[0] != plan->params[0].weight)
    op++;
  snapshot->agreement = (LsAgreement){ .losses_compared = 60,
                                       .losses_steps = 60,
                                       .loss_delta_max = .21,
                                       .disagree = TRUE,
                                       .disagree_step = 41,
                                       .disagree_lanes = { 0, 1 },
                                       .disagree_losses = { .0312, .2408 },
                                       .examined = TRUE,
                                       .found = TRUE,
                                       .first_step = 57,
                                       .first = { .op = op,
                                                  .lane = 1,
                                                  .tensor = plan->params[0].weight,
                                                  .verdict = LS_VERDICT_DIFFER,
                                                  .worst = weight->shape[1] + 3,
                                                  .value = .4312,
                                                  .expected = .4377,
                                                  .delta = .0065,
                                                  .tolerance = .0065 / 41 } };
  data = ls_view_data_from_snapshot (snapshot, NULL, NULL);
  g_assert_nonnull (strstr (data->disagree[0], plan->ops[op].equation));
  const LsDifference *d = &data->difference;
  g_assert_true (d->found && d->op == op && d->side == 1);
  g_assert_cmpuint (d->rank, ==, weight->rank);
  g_assert_cmpmem (d->shape, d->rank * sizeof *d->shape, weight->shape, d->rank * sizeof *d->shape);
  g_assert_cmpint (d->element, ==, weight->shape[1] + 3);
  g_assert_nonnull (strstr (data->disagree[0], "at step 58, in element (1, 3)."));
  /* layers count from 1, flatten among them, as in --model and in the plan */
  g_assert_nonnull (strstr (data->disagree[0], ", layer 2, at step 58"));
  g_assert_nonnull (
    strstr (data->disagree[1], "0.43120, should be 0.43770 from the same inputs: 41.0 times the bound"));
  snapshot->agreement.first.value = (double) INFINITY;
  g_clear_pointer (&data, ls_view_data_unref);
  data = ls_view_data_from_snapshot (snapshot, NULL, NULL);
  g_assert_nonnull (strstr (data->disagree[1], "∞, should be 0.43770 from the same inputs. "));
  /* an op of no layer, such as the loss's mean; and far beyond the bound, as a power */
  snapshot->agreement.first.value = .4312 + 1e7 * .0065 / 41;
  snapshot->agreement.first_step = 0;
  ((LsPlan *) plan)->ops[op].layer = -1;
  g_clear_pointer (&data, ls_view_data_unref);
  data = ls_view_data_from_snapshot (snapshot, NULL, NULL);
  g_autofree char *first = g_strdup_printf ("First different: %s, %s, at step 1, in element (1, 3).",
                                            plan->ops[op].klass->name, plan->ops[op].equation);
  g_assert_cmpstr (data->disagree[0], ==, first);
  g_assert_nonnull (strstr (data->disagree[1], "from the same inputs: 1×10⁷ times the bound of "));
  g_assert_true (g_str_has_suffix (data->disagree[1], "Losses of step 42: CPU 0.03120, OpenCL 0.2408."));
}

/* Marked is the lane that differs, on whichever side it stands, and none where it stands on neither. */
static void
test_differing_side (void)
{
  static const struct {
    gint left, right; /* lanes */
    guint differs;
    gint side; /* -1: none */
  } cases[] = {
    { 0, 1, 0, 0 }, { 0, 1, 1, 1 },  { 1, 0, 0, 1 },  { 1, 0, 1, 0 },  { 0, 1, 2, -1 },
    { 2, 0, 2, 0 }, { 1, 2, 0, -1 }, { -1, 0, 0, 1 }, { 0, -1, 0, 0 }, { 0, -1, 1, -1 },
  };
  g_autoptr (LsRecording) both = recording_of (32, 50);
  g_autoptr (LsSnapshot) snapshot = snapshot_of (both, both, 60);

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      const gint stands[LS_SIDES] = { cases[i].left, cases[i].right };
      LsDifference difference;

      snapshot->agreement = (LsAgreement){ .disagree = TRUE,
                                           .found = TRUE,
                                           .first = { .op = 1, .lane = cases[i].differs, .worst = 3 } };
      ls_difference_fill (&difference, snapshot, stands);
      if (difference.found != (cases[i].side >= 0)
          || (difference.found && difference.side != (guint) cases[i].side))
        g_error ("lane %u differs, and lanes %d and %d stand left and right: the mark is on %s",
                 cases[i].differs, stands[0], stands[1],
                 !difference.found ? "neither"
                 : difference.side ? "the right"
                                   : "the left");
    }
}

/* An earlier run's curves outlive its snapshot; data that hold them do, too. */
static void
test_runs (void)
{
  g_autoptr (LsRecording) both = recording_of (32, 50);
  g_autoptr (LsSnapshot) snapshot = snapshot_of (both, both, 60), other = snapshot_of (both, both, 10);
  g_autoptr (LsViewData) data = ls_view_data_from_snapshot (snapshot, NULL, NULL), history = NULL;
  GPtrArray *runs = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_run_curves_unref);

  g_ptr_array_add (runs, ls_run_curves_new ("batch 32", other));
  data->runs = g_ptr_array_ref (runs);
  g_ptr_array_unref (runs);
  g_clear_pointer (&other, ls_snapshot_unref);
  history = ls_view_data_with_recording (data, both, NULL);
  g_clear_pointer (&data, ls_view_data_unref);
  const LsRunCurves *run = g_ptr_array_index (history->runs, 0);
  g_assert_cmpstr (run->label, ==, "batch 32");
  g_assert_cmpuint (run->batch, ==, 64);
  g_assert_cmpuint (run->sides[1].steps, ==, 10);
  g_assert_cmpfloat (fabs ((double) ls_view_lane_point (&run->sides[1], 9).loss - .1), <, 1e-6);
  g_assert_cmpstr (history->when, ==, "step 60, epoch 3 · shown: step 50");
}

static void
test_change (void)
{
  const LsFigure before = { .value = 31000, .q1 = 30000, .q3 = 32000, .n = 200 },
                 after = { .value = 197000, .q1 = 190000, .q3 = 204000, .n = 48 };
  const LsFigure none = { .n = 0 };
  g_autofree char *both = ls_change_words ("Kernel tiled", "packed", &before, &after);
  g_autofree char *one = ls_change_words ("Kernel tiled", "packed", &before, &none);

  g_test_message ("%s", both);
  g_test_message ("%s", one);
  for (const char *const *word = (const char *const[]){ "Kernel tiled → packed", "31.0", "197", "200", "48",
                                                        "±", NULL };
       *word != NULL; word++)
    g_assert_nonnull (strstr (both, *word));
  g_assert_nonnull (strstr (one, "31.0"));
  g_assert_nonnull (strstr (one, "not measured yet"));

  /* two windows that aren't calm tell nothing, nor does a handful of steps before */
  const LsFigure noisy = { .value = 33000, .q1 = 29000, .q3 = 36000, .n = 200 },
                 few = { .value = 31000, .q1 = 31000, .q3 = 31000, .n = 3 };
  g_autofree char *unclear = ls_change_words ("work-stealing", "static", &before, &noisy);
  g_autofree char *handful = ls_change_words ("work-stealing", "static", &few, &after);
  g_assert_nonnull (strstr (unclear, "too noisy to tell"));
  g_assert_null (strstr (unclear, "33.0"));
  g_assert_nonnull (strstr (handful, "too few steps"));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_data_func ("/paint/snapshot/stopped-keeps-its-picture", GINT_TO_POINTER (LS_LANE_FAILED),
                        test_stopped_keeps_its_picture);
  g_test_add_data_func ("/paint/snapshot/hung-keeps-its-picture", GINT_TO_POINTER (LS_LANE_HUNG),
                        test_stopped_keeps_its_picture);
  g_test_add_data_func ("/paint/snapshot/never-ran", GINT_TO_POINTER (LS_LANE_FAILED), test_never_ran);
  g_test_add_data_func ("/paint/snapshot/never-answered", GINT_TO_POINTER (LS_LANE_HUNG), test_never_ran);
  g_test_add_func ("/paint/snapshot/not-asked-for", test_not_asked_for);
  g_test_add_func ("/paint/snapshot/coming", test_coming);
  g_test_add_func ("/paint/snapshot/before", test_before);
  g_test_add_func ("/paint/snapshot/unrecorded", test_unrecorded);
  g_test_add_func ("/paint/snapshot/disagree", test_disagree);
  g_test_add_func ("/paint/snapshot/disagree-found", test_disagree_found);
  g_test_add_func ("/paint/snapshot/differing-side", test_differing_side);
  g_test_add_func ("/paint/snapshot/runs", test_runs);
  g_test_add_func ("/snapshot/change", test_change);
  return g_test_run ();
}
