/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A lane whose device fails at any call whatever, once or for good: every time it ends with a sentence that
 * names the call, and can be closed; or it got over the fault, and then its numbers are those of an
 * undisturbed run.
 */
#include "config.h"

#include <string.h>

#include "backends/opencl/child/discovery.h"
#include "clfault.h"
#include "core/error.h"
#include "lanes.h"
#include "rule.h"

#define MODEL   "flatten, dense 3" /* each kind of call, and few of each */
#define STEPS   2                  /* of a run, before the recorded one */
#define CLASSES 3
#define BATCH   8

typedef struct {
  LsOptions *options;
  LsPlan *plan;
  LsData *data;
  float *weights[8]; /* initial */
} Bench;

/* What an episode that got through brought. */
typedef struct {
  float losses[STEPS + 1];
  float *weights[8];
} Outcome;

/* A run that fails lets go of what the discovery's child said, so that the next lane asks anew: two processes
 * that load the driver. After some hundred runs that is most of this test's time, so here it is only counted
 * (linked with --wrap). */
void __wrap_ls_cl_discover_forget (void);
static guint forgotten;

void
__wrap_ls_cl_discover_forget (void)
{
  forgotten++;
}

static void
bench_init (Bench *b, const char *batch_from)
{
  static const gint64 shape[3] = { 1, 5, 7 };

  *b = (Bench){ .options = ls_options_new (),
                .plan = rig_plan (MODEL, shape, CLASSES, BATCH, LS_OPTIMIZER_SGD),
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
run_lane (gpointer instance, const LsRun *run, LsRunResult *result, GError **error)
{
  const guint before = forgotten;
  const gboolean ok = ls_backend_opencl_here.run (instance, run, result, error);

  g_assert_cmpuint (forgotten, ==, ok ? before : before + 1);
  return ok;
}

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
      batches[s] = (LsBatch){ &b->data->train, index[s], BATCH };
      hyper[s] = (LsHyper){ .lr = 0.1, .momentum = 0.9, .step = s + 1 };
    }
  return run_lane (instance, &run, &result, error);
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

  ls_backend_opencl_here.trace_size (instance, &n_rings, &capacity);
  trace = ls_trace_new (0, n_rings, capacity, error);
  run.trace = trace;
  return trace && run_lane (instance, &run, &result, error);
}

static gboolean
use (const Bench *b, gpointer instance, Outcome *o, GError **error)
{
  const LsPlan *plan = b->plan;

  if (!ls_backend_opencl_here.prepare (instance, b->plan, b->data, error))
    return FALSE;
  for (guint i = 0; i < plan->n_params; i++)
    if (!ls_backend_opencl_here.write (instance, plan->params[i].weight, b->weights[i], error))
      return FALSE;
  if (!run_steps (b, instance, o, error) || !record_step (b, instance, o, error))
    return FALSE;
  for (guint i = 0; i < plan->n_params; i++)
    {
      o->weights[i] = g_malloc (ls_tensor_bytes (&plan->tensors[plan->params[i].weight]));
      if (!ls_backend_opencl_here.read (instance, plan->params[i].weight, o->weights[i], error))
        return FALSE;
    }
  return TRUE;
}

/* Opens a lane, trains, records, reads, closes. After an error the instance is asked once more for a weight
 * and a step, as a careless caller might: that may fail, too, but not crash. */
static gboolean
episode (const Bench *b, Outcome *o, GError **error)
{
  gpointer instance;
  gboolean ok;

  *o = (Outcome){ .losses = { 0 } };
  instance = ls_backend_opencl_here.open (b->options, 0, error);
  if (instance == NULL)
    return FALSE;
  ok = use (b, instance, o, error);
  if (!ok)
    {
      Outcome waste = { .losses = { 0 } };
      g_autofree float *weight = g_malloc (ls_tensor_bytes (&b->plan->tensors[b->plan->params[0].weight]));
      ls_backend_opencl_here.read (instance, b->plan->params[0].weight, weight, NULL);
      run_steps (b, instance, &waste, NULL);
    }
  ls_backend_opencl_here.close (instance);
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

/* A sentence: it names the call, or for a build the kernel; no empty bits, no second line but the
 * compiler's. */
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
    g_error ("%s: “%s” doesn't name the call", rule_text (), error->message);
}

/* ---- every call ---- */

typedef struct {
  guint episodes, failed, survived;
} Tally;

static void
try_rule (const Bench *b, const Outcome *undisturbed, const char *group, guint n, gint code, gboolean once,
          Tally *tally)
{
  g_autoptr (GError) error = NULL;
  Outcome o;

  rule_set ("fail:%s:%u:%d%s", group, n, code, once ? ":once" : "");
  tally->episodes++;
  if (episode (b, &o, &error))
    {
      rule_clear ();
      g_assert_no_error (error);
      g_assert_true (once); /* nobody gets over a device that fails for good */
      assert_same (b, &o, undisturbed);
      tally->survived++;
    }
  else
    {
      g_assert_nonnull (error);
      assert_sentence (error);
      rule_clear ();
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
  rule_clear ();
  g_assert_true (episode (b, &again, &error));
  calls = clfault_count (group);
  assert_same (b, &undisturbed, &again);
  outcome_clear (&again);
  for (guint n = 1; n <= calls; n += stride)
    for (guint once = 0; once < 2; once++)
      try_rule (b, &undisturbed, group, n, codes[(n + once) % n_codes], once, &tally);
  g_test_message ("%s: %u calls, %u episodes: %u ended with a sentence, %u got over it", group, calls,
                  tally.episodes, tally.failed, tally.survived);
  g_assert_cmpuint (tally.failed, >, tally.survived);
  g_assert_true (episode (b, &again, &error)); /* and all is well again */
  g_assert_no_error (error);
  assert_same (b, &undisturbed, &again);
  outcome_clear (&again);
  outcome_clear (&undisturbed);
}

/* Each opens a lane twice, for which a quick run has no time: it tries every third, or fifth, and a thorough
 * one all (./dev test --faults). */
static void
test_every_call (gconstpointer batch_from)
{
  static const gint codes[] = { -4, -5, -6, -36 };
  const guint stride = g_test_thorough () ? 1 : strcmp (batch_from, "host") == 0 ? 5 : 3;
  Bench b;

  if (!have_device ())
    return;
  bench_init (&b, batch_from);
  try_group (&b, "any", codes, G_N_ELEMENTS (codes), stride);
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

/* ---- the discovery ---- */

/* Each call of the discovery's child fails; the variable LS_CLFAULT rules it, and this process goes on
 * without. What worked is remembered by the wish, so each try has its own: device 0 with more and more zeros.
 */
static void
test_discovery (void)
{
  static const char *const words[] = { "failed for ", "doesn't build for ", "has no device" };
  const guint most = 40;
  guint failed = 0;

  if (!have_device ())
    return;
  for (guint n = 1; n <= most; n++)
    {
      g_autofree char *wish = g_strnfill (n, '0'), *rule = g_strdup_printf ("fail:any:%u:-5", n);
      g_autoptr (GError) error = NULL;
      g_autoptr (LsClDiscovery) discovery = NULL;
      gboolean said = FALSE;

      g_setenv ("LS_CLFAULT", rule, TRUE);
      discovery = ls_cl_discover (wish, &error);
      g_unsetenv ("LS_CLFAULT");
      if (discovery && discovery->ticks)
        break; /* neither child makes so many calls */
      if (discovery)
        continue; /* the device works, its ticks could not be tried */
      failed++;
      if (n == 1)
        g_assert_nonnull (
          strstr (error->message, "clGetPlatformIDs failed for the list of drivers: CL_OUT_OF_RESOURCES"));
      for (gsize i = 0; i < G_N_ELEMENTS (words); i++)
        said = said || strstr (error->message, words[i]);
      if (!said)
        g_error ("%s: “%s”", rule, error->message);
    }
  g_test_message ("%u calls", failed);
  g_assert_cmpuint (failed, >=, 10);
  g_assert_cmpuint (failed, <, most);
}

int
main (int argc, char **argv)
{
  rule_begin (&argc, &argv);
  g_test_add_func ("/faults/discovery", test_discovery);
  g_test_add_data_func ("/faults/every-call/device", "device", test_every_call);
  g_test_add_data_func ("/faults/every-call/host", "host", test_every_call);
  g_test_add_func ("/faults/every-buffer", test_every_buffer);
  g_test_add_func ("/faults/some-arguments", test_some_arguments);
  return g_test_run ();
}
