/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a measured lane says beside its rates: which share of a step goes into ops that memory bounds, of a
 * device whose roofs and events the test plays, and what it gets right after some steps.
 */
#include "config.h"

#include <string.h>

#include "core/error.h"
#include "lab/lane/worker_lane.h"
#include "rig.h"
#include "lab/step.h"

#define STEP_NS 10000000 /* each of the played device's */

static struct {
  double flops, memory; /* the roofs */
  gboolean unmeasured, fails;
  LsTiling *tilings;
  const LsEvent *events; /* of a recorded step, but the first one, which has others */
  guint n_events, recorded;
  gboolean fused; /* the newest run was allowed to */
} played;

static gboolean
played_run (gpointer self, const LsRun *run, LsRunResult *result, GError **error)
{
  LsRun plain = *run;

  plain.trace = NULL;
  played.fused = run->fuse;
  if (!ls_backend_reference.run (self, &plain, result, error))
    return FALSE;
  for (guint i = 0; result->step_end_ns != NULL && i < run->n_steps; i++)
    result->step_end_ns[i] = result->start_ns + (i + 1) * STEP_NS;
  if (run->trace == NULL)
    return TRUE;
  for (guint i = 0; i < played.n_events && played.recorded > 0; i++)
    {
      LsEvent event = played.events[i];

      event.start_ns += played.recorded * (guint64) STEP_NS; /* time goes on */
      event.end_ns += played.recorded * (guint64) STEP_NS;
      ls_ring_add (&run->trace->rings[i % run->trace->n_rings], &event);
    }
  played.recorded++;
  return TRUE;
}

static const LsTiling *
played_tilings (gpointer self)
{
  return played.tilings;
}

static void
played_trace_size (gpointer self, guint *n_rings, guint32 *capacity)
{
  *n_rings = 2;
  *capacity = 64;
}

static gboolean
played_measure (gpointer self, LsFigure *roofs, GError **error)
{
  if (played.fails)
    {
      g_set_error_literal (error, LS_ERROR, LS_ERROR_DEVICE, "It has gone.");
      return FALSE;
    }
  roofs[LS_ROOF_FLOPS] = (LsFigure){ .value = played.flops, .n = played.unmeasured ? 0 : 9 };
  roofs[LS_ROOF_MEMORY] = (LsFigure){ .value = played.memory, .n = 9 };
  return TRUE;
}

/* spec: NULL: nothing is prepared. */
static LsLabLane *
lane_of (const char *spec)
{
  g_autoptr (LsOptions) options = ls_options_new ();
  g_autoptr (GError) error = NULL;
  g_autofree char *title = NULL, *how = NULL;
  guint threads;
  LsLabLane *lane;

  options->seed = 5;
  lane = rig_worker ()->open ("reference", options, &title, &threads, &error);
  g_assert_no_error (error);
  if (spec != NULL && !rig_worker ()->prepare (lane, spec, &how, &error))
    g_error ("“%s”: %s", spec, error->message);
  return lane;
}

/* ---- memory ---- */

static const LsBackendRoofs played_roofs = { played_measure };
static LsBackend played_backend;

static LsLabLane *
played_lane (void)
{
  LsLabLane *lane = lane_of ("step\tflatten, dense 16, relu, dense 2\txor\t4");

  played_backend = ls_backend_reference;
  played_backend.run = played_run;
  played_backend.tilings = played_tilings;
  played_backend.trace_size = played_trace_size;
  played_backend.roofs = &played_roofs;
  lane->backend = &played_backend;
  memset (&played, 0, sizeof played);
  played.memory = 2;
  played.tilings = g_new0 (LsTiling, lane->plan->n_ops);
  for (guint i = 0; i < lane->plan->n_ops; i++)
    played.tilings[i].leader = i;
  return lane;
}

static void
played_close (LsLabLane *lane)
{
  g_free (played.tilings);
  lane->backend = &ls_backend_reference;
  rig_worker ()->close (lane);
}

/* The share with that knee, FLOP for each byte; each recorded step says the same. */
static double
share_with (LsLabLane *lane, double knee)
{
  g_autoptr (GArray) shares = g_array_new (FALSE, FALSE, sizeof (double));
  g_autoptr (GError) error = NULL;

  played.recorded = 0;
  played.flops = knee * played.memory;
  ls_lab_lane_bound (lane, 0, shares, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (shares->len, ==, 5); /* however short the time; the first recorded one warms up */
  g_assert_cmpuint (played.recorded, ==, 6);
  for (guint i = 1; i < shares->len; i++)
    g_assert_cmpfloat (g_array_index (shares, double, i), ==, g_array_index (shares, double, 0));
  return g_array_index (shares, double, 0);
}

/* An op lies left of the knee that does fewer FLOP for each byte than it; each has a time of its own here, so
 * that the share tells which were counted. */
static void
test_knee (void)
{
  LsLabLane *lane = played_lane ();
  const guint n = lane->plan->n_ops;
  g_autofree LsEvent *events = g_new0 (LsEvent, n);
  guint looked_at = 0;

  g_assert_cmpuint (n, <, 32);
  played.events = events;
  played.n_events = n;
  for (guint i = 0; i < n; i++)
    events[i] = (LsEvent){ .start_ns = 1000000 * i, .kind = LS_EVENT_OP, .op = (guint16) i };
  for (guint precision = 0; precision < 2; precision++)
    {
      lane->options->precision = precision ? LS_PRECISION_FP16 : LS_PRECISION_FP32;
      g_autoptr (LsPlan) stored = ls_plan_with_precision (lane->plan, (LsPrecision) lane->options->precision);

      for (guint k = 0; k < n; k++)
        {
          const double intensity = (double) stored->ops[k].flops / (double) stored->ops[k].bytes;

          for (guint i = 0; i < n; i++)
            events[i].end_ns = events[i].start_ns + (i == k ? STEP_NS / 4 : 0);
          looked_at += intensity > 0;
          const double below = share_with (lane, intensity + 1e-6),
                       above = intensity > 0 ? share_with (lane, intensity - 1e-6) : 0;
          if (below != .25 || above != 0)
            g_error (
              "op %u of %g FLOP a byte has a share of %g of a step with a knee just right of it, and of %g "
              "left of it",
              k, intensity, below, above);
        }
    }
  g_assert_cmpuint (looked_at, >=, 20);
  /* no more than all of the step, though ops may lie beside each other */
  for (guint i = 0; i < n; i++)
    events[i].end_ns = events[i].start_ns + STEP_NS / 4;
  g_assert_cmpfloat (share_with (lane, 1e9), ==, 1);
  played_close (lane);
}

/* What is fused into an op is counted with it: both's FLOP, and both's bytes without what one hands to the
 * other; and its events are the leader's time. */
static void
test_fused (void)
{
  LsLabLane *lane = played_lane ();
  const LsPlan *plan = lane->plan;
  guint pairs = 0;

  for (guint i = 0; i + 1 < plan->n_ops; i++)
    {
      const LsOp *first = &plan->ops[i], *second = &plan->ops[i + 1];
      double bytes = (double) first->bytes + (double) second->bytes;
      const double flops = (double) first->flops + (double) second->flops;
      gboolean hands_over = FALSE;
      const LsEvent events[] = { { 0, STEP_NS / 8, .kind = LS_EVENT_OP, .op = (guint16) i },
                                 { STEP_NS / 4, STEP_NS / 2, .kind = LS_EVENT_OP, .op = (guint16) (i + 1) } };

      for (guint k = 0; k < second->n_in; k++)
        if (second->in[k] == first->out[0])
          {
            bytes -= 4. * (double) ls_tensor_count (&plan->tensors[first->out[0]]);
            hands_over = TRUE;
          }
      if (!hands_over || !(flops > 0))
        continue;
      pairs++;
      played.events = events;
      played.n_events = 2;
      played.tilings[i + 1].leader = i;
      const double below = share_with (lane, flops / bytes + 1e-6),
                   above = share_with (lane, flops / bytes - 1e-6);
      if (below != .5 || above != 0)
        g_error ("ops %u and %u, fused, of %g FLOP a byte, have shares of %g and %g", i, i + 1, flops / bytes,
                 below, above);
      played.tilings[i + 1].leader = i + 1;
    }
  g_assert_cmpuint (pairs, >=, 3);
  played_close (lane);
}

/* An op's time is that of its kernels, from the first one's start to the last one's end, where there are
 * some; else its own; else the reference's; else its tiles'. What waits, copies or has no times isn't it. */
static void
test_whose_time (void)
{
  enum { N = LS_EVENT_N_KINDS };
  LsLabLane *lane = played_lane ();
  static const LsEventKind better[] = { LS_EVENT_TILE, LS_EVENT_REFERENCE, LS_EVENT_OP, LS_EVENT_KERNEL };

  for (guint best = 0; best < G_N_ELEMENTS (better); best++)
    {
      LsEvent events[12] = { 0 };
      guint n = 0;

      /* two of the kind that counts, from 1/10 to 4/10 of the step, and one of each worse kind around them */
      for (guint k = 0; k <= best; k++)
        for (guint twice = 0; twice < (k == best ? 2 : 1); twice++)
          events[n++] = (LsEvent){ .start_ns = k < best ? 0 : (twice ? 3 : 1) * STEP_NS / 10,
                                   .end_ns = (k < best ? 9
                                              : twice  ? 4
                                                       : 2)
                                             * STEP_NS / 10,
                                   .kind = (guint8) better[k] };
      static const LsEventKind others[] = { LS_EVENT_STEP,   LS_EVENT_WAIT,    LS_EVENT_ENQUEUE,
                                            LS_EVENT_QUEUED, LS_EVENT_COPY_IN, LS_EVENT_HOST_WAIT };
      for (guint k = 0; k < G_N_ELEMENTS (others); k++)
        events[n++] = (LsEvent){ 0, STEP_NS, .kind = (guint8) others[k] };
      events[n++] = (LsEvent){ 0, 9, .kind = LS_EVENT_KERNEL,
                               .lane_clock = LS_LANE_CLOCK (0, LS_CLOCK_ORDER) };
      g_assert_cmpuint (n, <=, G_N_ELEMENTS (events));
      for (guint turned = 0; turned < 4; turned++) /* in whichever order they come, or one within the other */
        {
          played.events = events;
          played.n_events = n;
          const double share = share_with (lane, 1e9);
          if (share < .3 - 1e-9 || share > .3 + 1e-9)
            g_error (
              "the time of %s is %g of the step, not from its first one's start to its last one's end, .3",
              ls_event_kind_name (better[best]), share);
          for (guint i = 0; i < n / 2; i++)
            {
              const LsEvent swapped = events[i];
              events[i] = events[n - 1 - i];
              events[n - 1 - i] = swapped;
            }
          for (guint i = 0; i < n && turned == 1; i++)
            if (events[i].kind == better[best] && LS_EVENT_CLOCK (&events[i]) != LS_CLOCK_ORDER)
              {
                const gboolean within = events[i].start_ns > STEP_NS / 10;
                events[i].start_ns = (within ? 2 : 1) * STEP_NS / 10;
                events[i].end_ns = (within ? 3 : 4) * STEP_NS / 10;
              }
        }
    }
  const LsEvent beyond = { 0, STEP_NS, .kind = LS_EVENT_OP, .op = (guint16) lane->plan->n_ops };
  played.events = &beyond;
  played.n_events = 1;
  g_assert_cmpfloat (share_with (lane, 1e9), ==, 0);
  played_close (lane);
}

/* Without both roofs there is no knee. */
static void
test_no_roofs (void)
{
  static const char *const words[] = { "It has gone.", "The limits of its device can’t be measured.",
                                       "The limits of its device can’t be measured.",
                                       "The limits of its device can’t be measured.",
                                       "Nothing is prepared." };

  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    {
      LsLabLane *lane = i < 4 ? played_lane () : lane_of (NULL);
      g_autoptr (GArray) shares = g_array_new (FALSE, FALSE, sizeof (double));
      g_autoptr (GError) error = NULL;

      played.flops = 1e9;
      played.fails = i == 0;
      played.unmeasured = i == 1;
      played.memory = i == 2 ? 0 : 2;
      played_backend.roofs = i == 3 ? NULL : &played_roofs;
      if (ls_lab_lane_bound (lane, 0, shares, &error))
        g_error ("where it is to say “%s” it measures", words[i]);
      g_assert_cmpstr (error->message, ==, words[i]);
      g_assert_cmpuint (shares->len, ==, 0);
      if (i < 4)
        played_close (lane);
      else
        rig_worker ()->close (lane);
    }
}

/* ---- learning ---- */

static double
learnt (LsLabLane *lane, guint steps)
{
  g_autoptr (GArray) right = g_array_new (FALSE, FALSE, sizeof (double));
  g_autoptr (GError) error = NULL;

  ls_lab_lane_learn (lane, steps, 1, right, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (right->len, ==, 1);
  g_assert_cmpuint (lane->step, ==, steps);
  return g_array_index (right, double, 0);
}

/* What it gets right is the share of all test samples, whatever the batch: asked one by one, from the last to
 * the first, it answers the same. */
static void
test_right (void)
{
  static const guint batches[] = { 1, 7, 64, 600, 1000 };
  double first = -1;

  for (gsize b = 0; b < G_N_ELEMENTS (batches); b++)
    {
      g_autofree char *spec = g_strdup_printf ("step\tflatten, dense 16, tanh, dense 3\tspiral\t%u",
                                               batches[b]);
      LsLabLane *lane = lane_of (spec);
      const LsDataset *test = &lane->data->test;
      const double share = learnt (lane, 0);
      g_autofree guint32 *index = g_new0 (guint32, batches[b]);
      g_autofree float *logits = g_new0 (float, batches[b] * 3);
      guint right = 0;

      for (gint64 i = test->n - 1; i >= 0 && b < 2; i--)
        {
          index[0] = (guint32) i;
          g_assert_true (ls_lab_lane_answer (lane, test, index, TRUE, NULL));
          g_assert_true (lane->backend->read (lane->self, lane->plan->logits, logits, NULL));
          const gint said = logits[0] >= logits[1] && logits[0] >= logits[2] ? 0
                            : logits[1] >= logits[2]                         ? 1
                                                                             : 2;
          right += said == test->labels[i];
        }
      if (b < 2)
        g_assert_cmpfloat_with_epsilon (share, (double) right / (double) test->n, 1e-12);
      if (b > 0 && share != first)
        g_error ("in pieces of %u samples %g of them are right, one by one %g", batches[b], share, first);
      first = share;
      g_assert_cmpfloat (share, >, 0);
      rig_worker ()->close (lane);
    }
}

/* Ops are fused where that is asked for, and nowhere else. */
static void
test_asked_to_fuse (void)
{
  LsLabLane *lane = played_lane ();
  const guint32 index[4] = { 3, 1, 0, 2 };

  for (gboolean fuse = FALSE; fuse <= TRUE; fuse++)
    if (!ls_lab_lane_answer (lane, &lane->data->test, index, fuse, NULL) || played.fused != fuse)
      g_error ("a lane answers with its ops %s, and is told otherwise", fuse ? "apart" : "fused");
  played_close (lane);
}

/* Each begins at its own seed, one after the other from the option's, which stays; so a lane that learns more
 * of them learns from each what it learns from that one alone. More steps teach more. */
static void
test_seeds (void)
{
  LsLabLane *lane = lane_of ("step\tflatten, dense 16, tanh, dense 3\tspiral\t32");
  g_autoptr (GArray) right = g_array_new (FALSE, FALSE, sizeof (double));
  g_autoptr (GError) error = NULL;
  guint differ = 0;

  ls_lab_lane_learn (lane, 20, 4, right, &error); /* two turns, and half of one */
  g_assert_no_error (error);
  g_assert_cmpuint (right->len, ==, 4);
  g_assert_cmpint (lane->options->seed, ==, 5);
  for (guint i = 0; i < 4; i++)
    {
      lane->options->seed = 5 + i;
      g_assert_cmpfloat (learnt (lane, 20), ==, g_array_index (right, double, i));
      g_assert_cmpint (lane->options->seed, ==, 5 + i);
      differ += i > 0 && g_array_index (right, double, i) != g_array_index (right, double, 0);
    }
  g_assert_cmpuint (differ, >, 0);
  const double before = learnt (lane, 0), after = learnt (lane, 1000);
  g_assert_cmpfloat (before, <, .6); /* of three classes */
  g_assert_cmpfloat (after, >, .75);
  rig_worker ()->close (lane);
}

static void
test_learns_nothing (void)
{
  static const char *const specs[] = { NULL, "product\t8", "forward\tflatten, dense 3\tspiral\t8" };

  for (guint i = 0; i < G_N_ELEMENTS (specs); i++)
    {
      LsLabLane *lane = lane_of (specs[i]);
      g_autoptr (GArray) right = g_array_new (FALSE, FALSE, sizeof (double));
      g_autoptr (GError) error = NULL;

      g_assert_false (ls_lab_lane_learn (lane, 1, 1, right, &error));
      g_assert_error (error, LS_ERROR, LS_ERROR_USAGE);
      g_assert_cmpstr (error->message, ==, i == 0 ? "Nothing is prepared." : "That learns nothing.");
      g_assert_cmpuint (right->len, ==, 0);
      rig_worker ()->close (lane);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/bound/knee", test_knee);
  g_test_add_func ("/bound/fused", test_fused);
  g_test_add_func ("/bound/whose-time", test_whose_time);
  g_test_add_func ("/bound/no-roofs", test_no_roofs);
  g_test_add_func ("/learn/right", test_right);
  g_test_add_func ("/learn/fused", test_asked_to_fuse);
  g_test_add_func ("/learn/seeds", test_seeds);
  g_test_add_func ("/learn/nothing", test_learns_nothing);
  return g_test_run ();
}
