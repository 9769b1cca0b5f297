/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A lane whose device fails at any call whatever, once or for good: every time it ends with a sentence that names the call,
 * and can be closed; or it got over the fault, and then its numbers are those of an undisturbed run. Under the coordinator a
 * device that hangs costs its lane only, and one that computes wrongly is found out.
 *
 * clfault is linked in, so the calls of this process are counted and fail; the driver was tried before (the probe remembers).
 */
#include "config.h"

#include <glib/gstdio.h>
#include <locale.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "backends/opencl/probe.h"
#include "clfault.h"
#include "core/error.h"
#include "lanes.h"
#include "scenario.h"
#include "train/coordinator.h"

#define MODEL   "flatten, dense 3" /* each kind of call, and few of each */
#define STEPS   2   /* of a run, before the recorded one */
#define CLASSES 3
#define BATCH   8

typedef struct {
  LsOptions *options;
  LsPlan *plan;
  LsData *data;
  float *weights[8];     /* initial */
} Bench;

/* What an episode that got through brought. */
typedef struct {
  float losses[STEPS + 1];
  float *weights[8];
} Outcome;

/* Shown if the process dies. */
static char current_rule[128];
static gboolean a_lane_hangs;

static void
died_cb (int sig)
{
  static const char text[] = "\n# it died under the rule ";
  if (write (STDOUT_FILENO, text, sizeof text - 1) < 0 || write (STDOUT_FILENO, current_rule, strlen (current_rule)) < 0
      || write (STDOUT_FILENO, "\n", 1) < 0)
    _exit (1);
  signal (sig, SIG_DFL);
  raise (sig);
}

static gboolean
have_device (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (LsClProbe) probe = NULL;

  clfault_set (NULL);
  probe = ls_cl_probe ("", &error);
  if (probe == NULL)
    g_test_skip (error->message);
  return probe != NULL;
}

static void
bench_init (Bench *b, const char *batch_from)
{
  static const gint64 shape[3] = { 1, 5, 7 };

  *b = (Bench) { .options = ls_options_new (), .plan = rig_plan (MODEL, shape, CLASSES, BATCH, LS_OPTIMIZER_SGD),
                 .data = rig_data (64, shape, CLASSES) };
  g_assert_true (ls_options_set (b->options, ls_options_find ("batch-from"), batch_from, NULL));
  g_assert_cmpuint (b->plan->n_params, <=, G_N_ELEMENTS (b->weights));
  for (guint i = 0; i < b->plan->n_params; i++)
    {
      b->weights[i] = g_malloc (ls_tensor_bytes (&b->plan->tensors[b->plan->params[i].weight]));
      ls_plan_init_param (b->plan, i, 1, b->weights[i]);
    }
}

static void
bench_clear (Bench *b)
{
  for (guint i = 0; i < b->plan->n_params; i++)
    g_free (b->weights[i]);
  ls_options_free (b->options);
  ls_plan_unref (b->plan);
  ls_data_unref (b->data);
}

static void
outcome_clear (Outcome *o)
{
  for (gsize i = 0; i < G_N_ELEMENTS (o->weights); i++)
    g_clear_pointer (&o->weights[i], g_free);
}

/* ---- an episode ---- */

static gboolean
run_steps (const Bench *b, gpointer instance, Outcome *o, GError **error)
{
  guint32 index[STEPS][BATCH];
  LsBatch batches[STEPS];
  LsHyper hyper[STEPS];
  LsRun run = { .n_ops = b->plan->n_ops, .n_steps = STEPS, .batches = batches, .hyper = hyper, .fuse = TRUE };
  LsRunResult result = { .losses = o->losses };

  for (guint s = 0; s < STEPS; s++)
    {
      for (guint i = 0; i < BATCH; i++)
        index[s][i] = s * BATCH + i;
      batches[s] = (LsBatch) { &b->data->train, index[s], BATCH };
      hyper[s] = (LsHyper) { .lr = 0.1, .momentum = 0.9, .step = s + 1 };
    }
  return ls_backend_opencl.run (instance, &run, &result, error);
}

static gboolean
record_step (const Bench *b, gpointer instance, Outcome *o, GError **error)
{
  guint32 index[BATCH] = { 0, 1, 2, 3, 4, 5, 6, 7 }, capacity;
  guint n_rings;
  g_autoptr (LsTrace) trace = NULL;
  LsBatch batch = { &b->data->train, index, BATCH };
  LsHyper hyper = { .lr = 0.1, .momentum = 0.9, .step = STEPS + 1 };
  LsRun run = { .n_ops = b->plan->n_ops, .n_steps = 1, .batches = &batch, .hyper = &hyper, .fuse = TRUE };
  LsRunResult result = { .losses = o->losses + STEPS };

  ls_backend_opencl.trace_size (instance, &n_rings, &capacity);
  trace = ls_trace_new (0, n_rings, capacity, error);
  run.trace = trace;
  return trace && ls_backend_opencl.run (instance, &run, &result, error);
}

static gboolean
use (const Bench *b, gpointer instance, Outcome *o, GError **error)
{
  const LsPlan *plan = b->plan;

  if (!ls_backend_opencl.prepare (instance, b->plan, b->data, error))
    return FALSE;
  for (guint i = 0; i < plan->n_params; i++)
    if (!ls_backend_opencl.write (instance, plan->params[i].weight, b->weights[i], error))
      return FALSE;
  if (!run_steps (b, instance, o, error) || !record_step (b, instance, o, error))
    return FALSE;
  for (guint i = 0; i < plan->n_params; i++)
    {
      o->weights[i] = g_malloc (ls_tensor_bytes (&plan->tensors[plan->params[i].weight]));
      if (!ls_backend_opencl.read (instance, plan->params[i].weight, o->weights[i], error))
        return FALSE;
    }
  return TRUE;
}

/* Opens a lane, trains, records, reads, closes. After an error the instance is asked once more for a weight and a step, as a
 * careless caller might: that may fail, too, but not crash. */
static gboolean
episode (const Bench *b, Outcome *o, GError **error)
{
  gpointer instance;
  gboolean ok;

  *o = (Outcome) { .losses = { 0 } };
  instance = ls_backend_opencl.open (b->options, 0, error);
  if (instance == NULL)
    return FALSE;
  ok = use (b, instance, o, error);
  if (!ok)
    {
      Outcome waste = { .losses = { 0 } };
      g_autofree float *weight = g_malloc (ls_tensor_bytes (&b->plan->tensors[b->plan->params[0].weight]));
      ls_backend_opencl.read (instance, b->plan->params[0].weight, weight, NULL);
      run_steps (b, instance, &waste, NULL);
    }
  ls_backend_opencl.close (instance);
  return ok;
}

static void
assert_same (const Bench *b, const Outcome *one, const Outcome *other)
{
  g_assert_cmpmem (one->losses, sizeof one->losses, other->losses, sizeof other->losses);
  for (guint i = 0; i < b->plan->n_params; i++)
    {
      gsize bytes = ls_tensor_bytes (&b->plan->tensors[b->plan->params[i].weight]);
      g_assert_cmpmem (one->weights[i], bytes, other->weights[i], bytes);
    }
}

/* A sentence: it names the call, or for a build the kernel; no empty bits, no second line but the compiler's. */
static void
assert_sentence (const GError *error)
{
  g_assert_true (error->domain == LS_ERROR);
  g_assert_true (g_utf8_validate (error->message, -1, NULL));
  if (error->code == LS_ERROR_BUILD)
    g_assert_nonnull (strstr (error->message, "doesn't build"));
  else if (error->code == LS_ERROR_NO_DEVICE)
    g_assert_nonnull (strstr (error->message, "isn’t there")); /* the driver lists it no more */
  else if (!clfault_named (error->message))
    g_error ("%s: “%s” doesn't name the call", current_rule, error->message);
}

/* ---- every call ---- */

typedef struct {
  guint episodes, failed, survived;
} Tally;

static void
try_rule (const Bench *b, const Outcome *undisturbed, const char *group, guint n, gint code, gboolean once, Tally *tally)
{
  g_autoptr (GError) error = NULL;
  Outcome o;

  g_snprintf (current_rule, sizeof current_rule, "fail:%s:%u:%d%s", group, n, code, once ? ":once" : "");
  clfault_set (current_rule);
  tally->episodes++;
  if (episode (b, &o, &error))
    {
      clfault_set (NULL);
      g_assert_no_error (error);
      g_assert_true (once); /* nobody gets over a device that fails for good */
      assert_same (b, &o, undisturbed);
      tally->survived++;
    }
  else
    {
      g_assert_nonnull (error);
      assert_sentence (error);
      clfault_set (NULL);
      tally->failed++;
    }
  outcome_clear (&o);
}

/* Every call of a group fails in turn, once and for good, each time with the next of the codes. */
static void
try_group (const Bench *b, const char *group, const gint *codes, guint n_codes, guint stride)
{
  g_autoptr (GError) error = NULL;
  Outcome undisturbed, again;
  Tally tally = { 0 };
  guint calls;

  g_assert_true (episode (b, &undisturbed, &error)); /* fills the caches */
  g_assert_no_error (error);
  clfault_set (NULL);
  g_assert_true (episode (b, &again, &error));
  calls = clfault_count (group);
  assert_same (b, &undisturbed, &again);
  outcome_clear (&again);
  for (guint n = 1; n <= calls; n += stride)
    for (guint once = 0; once < 2; once++)
      try_rule (b, &undisturbed, group, n, codes[(n + once) % n_codes], once, &tally);
  g_test_message ("%s: %u calls, %u episodes: %u ended with a sentence, %u got over it", group, calls, tally.episodes,
                  tally.failed, tally.survived);
  g_assert_cmpuint (tally.failed, >, tally.survived);
  g_assert_true (episode (b, &again, &error)); /* and all is well again */
  g_assert_no_error (error);
  assert_same (b, &undisturbed, &again);
  outcome_clear (&again);
  outcome_clear (&undisturbed);
}

static void
test_every_call (gconstpointer batch_from)
{
  static const gint codes[] = { -4, -5, -6, -36 };
  Bench b;

  if (!have_device ())
    return;
  bench_init (&b, batch_from);
  try_group (&b, "any", codes, G_N_ELEMENTS (codes), strcmp (batch_from, "host") == 0 ? 5 : 1);
  bench_clear (&b);
}

/* Arguments are set by the hundred, in two places of the program. */
static void
test_some_arguments (void)
{
  static const gint codes[] = { -49, -50, -51, -6 };
  Bench b;

  if (!have_device ())
    return;
  bench_init (&b, "device");
  try_group (&b, "arg", codes, G_N_ELEMENTS (codes), 9);
  bench_clear (&b);
}

static void
test_every_buffer (void)
{
  static const gint codes[] = { -61 };
  Bench b;

  if (!have_device ())
    return;
  bench_init (&b, "device");
  try_group (&b, "buffer", codes, G_N_ELEMENTS (codes), 1);
  bench_clear (&b);
}

/* ---- the probe ---- */

/* Each call of the probe's child fails; the variable LS_CLFAULT rules it, and this process goes on without. What worked is
 * remembered by the wish, so each try has its own: device 0 with more and more zeros. */
static void
test_probe (void)
{
  static const char *const words[] = { "failed for ", "doesn't build for ", "no OpenCL driver", "has no device" };
  const guint most = 40;
  guint failed = 0;

  if (!have_device ())
    return;
  for (guint n = 1; n <= most; n++)
    {
      g_autofree char *wish = g_strnfill (n, '0');
      g_autoptr (GError) error = NULL;
      g_autoptr (LsClProbe) probe = NULL;
      gboolean said = FALSE;

      g_snprintf (current_rule, sizeof current_rule, "fail:any:%u:-5", n);
      g_setenv ("LS_CLFAULT", current_rule, TRUE);
      probe = ls_cl_probe (wish, &error);
      g_unsetenv ("LS_CLFAULT");
      if (probe && probe->ticks)
        break; /* neither child makes so many calls */
      if (probe)
        continue; /* the device works, its ticks could not be tried */
      failed++;
      for (gsize i = 0; i < G_N_ELEMENTS (words); i++)
        said = said || strstr (error->message, words[i]);
      if (!said)
        g_error ("%s: “%s”", current_rule, error->message);
    }
  g_test_message ("%u calls", failed);
  g_assert_cmpuint (failed, >=, 10);
  g_assert_cmpuint (failed, <, most);
}

/* ---- under the coordinator ---- */

static LsCoordinator *
start_race (const char *watchdog_ms)
{
  static const LsBackend *const lanes[] = { &ls_backend_cpu, &ls_backend_opencl };
  g_autoptr (LsOptions) options = ls_options_new ();
  g_autoptr (GError) error = NULL;
  LsCoordinator *c;

  g_assert_true (ls_options_set (options, ls_options_find ("model"), "flatten, dense 8, tanh, dense 2", NULL));
  g_assert_true (ls_options_set (options, ls_options_find ("data"), "moons", NULL));
  options->batch = 16;
  options->check_every = 10;
  options->lr = 0.1;
  if (watchdog_ms)
    g_setenv ("LOCKSTEP_WATCHDOG_MS", watchdog_ms, TRUE);
  c = ls_coordinator_new_with_backends (options, lanes, G_N_ELEMENTS (lanes), &error);
  g_unsetenv ("LOCKSTEP_WATCHDOG_MS");
  g_assert_no_error (error);
  g_assert_true (ls_coordinator_start (c, &error));
  g_assert_no_error (error);
  return c;
}

static LsSnapshot *
train (LsCoordinator *c, guint64 steps)
{
  LsSnapshot *s;

  ls_coordinator_run (c, steps);
  g_assert_true (ls_coordinator_wait (c, 40000));
  s = ls_coordinator_take (c);
  g_assert_nonnull (s);
  for (guint l = 0; l < s->n_lanes; l++)
    if (s->lanes[l].message)
      g_test_message ("%s: %s: %s", s->lanes[l].backend->title, ls_lane_state_name (s->lanes[l].state), s->lanes[l].message);
  return s;
}

/* How often a training calls the functions of a group. Between trainings nobody computes, so rules may change. */
static guint
calls_of_training (const char *group)
{
  g_autoptr (LsCoordinator) c = start_race (NULL);
  g_autoptr (LsSnapshot) first = train (c, 5), second = NULL;
  guint before = clfault_count (group);

  g_assert_cmpint (first->lanes[1].state, ==, LS_LANE_READY);
  second = train (c, 40);
  g_assert_cmpuint (second->agreement.losses_compared, ==, 40);
  return clfault_count (group) - before;
}

/* The device stays lost: the lane stops again, with a reason. It is back: the lane goes on where the other one is. */
static void
assert_retried (LsCoordinator *c, guint64 stop)
{
  g_autoptr (LsSnapshot) lost = NULL, s = NULL;

  ls_coordinator_retry (c);
  lost = train (c, 40);
  if (lost->lanes[1].state == LS_LANE_FAILED)
    {
      g_assert_nonnull (lost->lanes[1].message);
      g_assert_cmpuint (lost->lanes[1].retry_step, ==, 40);
    }
  clfault_set (NULL);
  ls_coordinator_retry (c);
  g_assert_true (ls_coordinator_wait (c, 40000));
  s = train (c, 80);
  for (guint l = 0; l < 2; l++)
    {
      g_assert_cmpint (s->lanes[l].state, ==, LS_LANE_READY);
      g_assert_cmpuint (s->lanes[l].steps, ==, 80);
      g_assert_cmpuint (s->lanes[l].accuracy_step, ==, 80);
    }
  g_assert_cmpuint (s->agreement.losses_compared, ==, stop + 40);
  g_assert_cmpfloat (s->agreement.loss_delta_max, <, 1e-4);
  g_assert_cmpuint (s->agreement.weights_step, ==, 80);
  g_assert_cmpfloat (s->agreement.weights_relative, <, 1e-4);
}

/* The device is lost in the middle: the lane stops with the reason, the other one finishes. */
static void
test_lane_loses_device (void)
{
  static const char *const groups[] = { "ndrange", "write", "read", "copy", "wait" };

  if (!have_device ())
    return;
  for (gsize i = 0; i < G_N_ELEMENTS (groups); i++)
    {
      guint calls = calls_of_training (groups[i]);
      g_autoptr (LsCoordinator) c = start_race (NULL);
      g_autoptr (LsSnapshot) s = NULL;

      g_assert_cmpuint (calls, >, 1);
      ls_snapshot_unref (train (c, 5));
      g_snprintf (current_rule, sizeof current_rule, "fail:%s:%u:-5", groups[i], calls / 2);
      clfault_set (current_rule);
      s = train (c, 40);
      g_assert_cmpint (s->lanes[1].state, ==, LS_LANE_FAILED);
      g_assert_true (clfault_named (s->lanes[1].message));
      g_assert_cmpuint (s->lanes[1].steps, <=, 40); /* or after them, in the evaluation */
      g_assert_cmpint (s->lanes[0].state, ==, LS_LANE_READY);
      g_assert_cmpuint (s->lanes[0].steps, ==, 40);
      g_assert_true (isfinite (s->lanes[0].accuracy));
      assert_retried (c, s->lanes[1].steps);
    }
}

/* One bit of one value comes back wrong: the comparison op by op finds it, and nothing else. */
static void
test_wrong_numbers (void)
{
  g_autoptr (LsCoordinator) c = NULL;
  g_autoptr (LsSnapshot) s = NULL;
  g_autoptr (GArray) sound = NULL, wrong = NULL;
  g_autoptr (GError) error = NULL;
  guint reads, differ = 0;

  if (!have_device ())
    return;
  c = start_race (NULL);
  s = train (c, 5);
  g_assert_cmpint (s->lanes[1].state, ==, LS_LANE_READY);
  clfault_set (NULL);
  sound = ls_coordinator_compare (c, &error);
  g_assert_no_error (error);
  reads = clfault_count ("read");
  for (guint i = 0; i < sound->len; i++)
    g_assert_cmpint (g_array_index (sound, LsComparison, i).verdict, !=, LS_VERDICT_DIFFER);

  /* One bit, once, at the last read: the last op's last output, a weight. */
  g_snprintf (current_rule, sizeof current_rule, "flip:read:%u:30:once", reads);
  clfault_set (current_rule);
  wrong = ls_coordinator_compare (c, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (wrong->len, ==, sound->len);
  for (guint i = 0; i < wrong->len; i++)
    {
      const LsComparison *v = &g_array_index (wrong, LsComparison, i);
      if (v->verdict != LS_VERDICT_DIFFER)
        continue;
      differ++;
      g_assert_cmpuint (v->lane, ==, 1);
      g_assert_cmpint (v->worst, ==, 0);
      g_assert_cmpfloat (v->delta, >, v->tolerance);
      g_assert_cmpstr (ls_verdict_name (v->verdict), ==, "differ");
    }
  g_assert_cmpuint (differ, ==, 1);
  clfault_set (NULL);
}

/* A launch that never returns: its lane is left behind, the other one finishes, and the program can end. Last, because the
 * lane's thread stays. */
static void
test_lane_hangs (void)
{
  LsCoordinator *c;
  g_autoptr (LsSnapshot) first = NULL, s = NULL;

  if (!have_device ())
    return;
  c = start_race ("4000");
  first = train (c, 5);
  g_assert_cmpint (first->lanes[1].state, ==, LS_LANE_READY);
  g_strlcpy (current_rule, "delay:ndrange:30:600000", sizeof current_rule);
  clfault_set (current_rule);
  a_lane_hangs = TRUE;
  s = train (c, 40);
  g_assert_cmpint (s->lanes[1].state, ==, LS_LANE_HUNG);
  g_assert_nonnull (strstr (s->lanes[1].message, "OpenCL lane has given no answer"));
  g_assert_cmpuint (s->lanes[1].steps, <, 40);
  g_assert_cmpint (s->lanes[0].state, ==, LS_LANE_READY);
  g_assert_cmpuint (s->lanes[0].steps, ==, 40);
  g_assert_true (isfinite (s->lanes[0].accuracy));
  ls_coordinator_free (c); /* doesn't wait for it */
}

int
main (int argc, char **argv)
{
  static const int deaths[] = { SIGSEGV, SIGABRT, SIGALRM, SIGTRAP, SIGBUS, SIGFPE };
  int status;

  setlocale (LC_ALL, "");
  rig_init (&argc, &argv);
  for (gsize i = 0; i < G_N_ELEMENTS (deaths); i++)
    signal (deaths[i], died_cb);
  g_test_add_func ("/faults/probe", test_probe);
  g_test_add_data_func ("/faults/every-call/device", "device", test_every_call);
  g_test_add_data_func ("/faults/every-call/host", "host", test_every_call);
  g_test_add_func ("/faults/every-buffer", test_every_buffer);
  g_test_add_func ("/faults/some-arguments", test_some_arguments);
  g_test_add_func ("/faults/lane/loses-device", test_lane_loses_device);
  g_test_add_func ("/faults/lane/wrong-numbers", test_wrong_numbers);
  g_test_add_func ("/faults/lane/hangs", test_lane_hangs);
  status = g_test_run ();
  fflush (NULL);
  if (a_lane_hangs)
    _exit (status); /* the hung thread is inside the driver, whose own cleaning up would wait for it */
  return status;
}
