/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The loss's gradient is scaled: on the CPU lane and on the reference a step whose gradients overflow changes
 * nothing but the scale, one that doesn't is as if nothing had been scaled, small gradients survive fp16 by
 * it, and the scale grows.
 */
#include <math.h>
#include <string.h>

#include "backends/cpu/cpu.h"
#include "tests/cpu/rig.h"

#define MODEL "flatten, dense 16, relu, dense 10"
#define BATCH 512 /* all samples: each step has the same ones, in another order */
#define MUCH  0x1p60

static const LsBackend *const backends[] = { &ls_backend_cpu, &ls_backend_reference };

static Rig *
new_rig_of (const char *model, guint batch, const LsBackend *backend, gint optimizer, guint threads,
            LsPrecision precision)
{
  g_autoptr (LsOptions) options = ls_options_new ();

  options->optimizer = optimizer;
  options->threads = (gint) threads;
  return rig_new_stored (backend, options, model, batch, precision);
}

static Rig *
new_rig (const LsBackend *backend, gint optimizer, guint threads, LsPrecision precision)
{
  return new_rig_of (MODEL, BATCH, backend, optimizer, threads, precision);
}

static guint64
hash (Rig *rig)
{
  return rig_hash (rig, LS_ROLE_WEIGHT) ^ rig_hash (rig, LS_ROLE_STATE);
}

/* ---- the scale itself ---- */

static void
test_state (void)
{
  LsLossScale scale = ls_loss_scale_first (TRUE), none = ls_loss_scale_first (FALSE), other;

  g_assert_cmpfloat (scale.factor, ==, 65536);
  g_assert_cmpfloat (none.factor, ==, 0);
  for (guint i = 1; i < 2000; i++)
    ls_loss_scale_step (&scale, FALSE);
  g_assert_cmpfloat (scale.factor, ==, 65536);
  ls_loss_scale_step (&scale, FALSE);
  g_assert_cmpfloat (scale.factor, ==, 131072);
  g_assert_cmpuint (scale.good, ==, 0);
  for (guint i = 0; i < 1999; i++)
    ls_loss_scale_step (&scale, FALSE);
  ls_loss_scale_step (&scale, TRUE); /* the steps must be in a row */
  ls_loss_scale_step (&scale, FALSE);
  g_assert_cmpfloat (scale.factor, ==, 65536);
  g_assert_cmpuint (scale.good, ==, 1);
  g_assert_cmpuint (scale.skipped, ==, 1);

  /* it neither vanishes nor becomes too large */
  for (guint i = 0; i < 100; i++)
    ls_loss_scale_step (&scale, TRUE);
  g_assert_cmpfloat (scale.factor, ==, 1);
  g_assert_cmpuint (scale.skipped, ==, 101);
  for (guint i = 0; i < 30 * 2000; i++)
    ls_loss_scale_step (&scale, FALSE);
  g_assert_cmpfloat (scale.factor, ==, 0x1p24);

  /* a lane in fp32 goes on with another's weights, and the other way round: the steps skipped go along */
  scale.good = 7;
  other = ls_loss_scale_first (TRUE);
  ls_loss_scale_take (&other, &scale);
  g_assert_cmpmem (&other, sizeof other, &scale, sizeof scale);
  ls_loss_scale_take (&none, &scale);
  g_assert_true (none.factor == 0 && none.good == 0 && none.skipped == 101);
  other = ls_loss_scale_first (TRUE);
  ls_loss_scale_take (&other, &none);
  g_assert_true (other.factor == 65536 && other.good == 0 && other.skipped == 101);
}

/* ---- steps ---- */

static void
run (Rig *rig, guint n, gboolean fuse, gboolean *skipped)
{
  LsRunResult result = { .skipped = skipped };

  rig_run (rig, n, fuse, NULL, &result);
}

/* A step that overflows is as if it hadn't been, for Adam's bias corrections, too. */
static void
test_overflow (void)
{
  for (gsize b = 0; b < G_N_ELEMENTS (backends); b++)
    for (gint optimizer = 0; optimizer < 2; optimizer++)
      for (guint fuse = 0; fuse < 2; fuse++)
        {
          Rig *rig = new_rig (backends[b], optimizer, 1 + fuse, LS_PRECISION_FP16),
              *without = new_rig (backends[b], optimizer, 1, LS_PRECISION_FP16);
          gboolean skipped[2];
          guint64 before;

          run (rig, 2, fuse, skipped);
          g_assert_false (skipped[0] || skipped[1]);
          before = hash (rig);
          rig->scale.factor = MUCH;
          run (rig, 2, fuse, skipped);
          g_assert_true (skipped[0] && skipped[1]);
          g_assert_cmpuint (hash (rig), ==, before);
          g_assert_cmpfloat (rig->scale.factor, ==, MUCH / 4);
          g_assert_cmpuint (rig->scale.skipped, ==, 2);
          g_assert_cmpuint (rig->scale.good, ==, 0);
          rig->scale.factor = 65536;
          run (rig, 1, fuse, skipped);
          g_assert_false (skipped[0]);
          g_assert_cmpuint (rig->step, ==, 5);

          run (without, 3, fuse, NULL);
          g_assert_cmpuint (hash (rig), ==, hash (without));
          rig_free (rig);
          rig_free (without);
        }
}

/* bf16 reaches as far as floats do: there a scale must change no bit at all. An lstm's two biases have one
 * sum's gradient, which must be divided once. */
static void
test_exact (gconstpointer data)
{
  const gboolean lstm = data != NULL;
  const char *model = lstm ? "lstm 6, dense 10" : MODEL;
  const LsPrecision precision = lstm ? LS_PRECISION_FP32 : LS_PRECISION_BF16;

  for (gsize b = 0; b < G_N_ELEMENTS (backends); b++)
    for (gint optimizer = 0; optimizer < 2; optimizer++)
      {
        Rig *plain = new_rig_of (model, 16, backends[b], optimizer, 2, precision),
            *scaled = new_rig_of (model, 16, backends[b], optimizer, 2, precision);

        scaled->scale.factor = 1024;
        run (plain, 3, FALSE, NULL);
        run (scaled, 3, FALSE, NULL);
        g_assert_cmpuint (scaled->scale.good, ==, 3);
        g_assert_cmpuint (plain->scale.good, ==, 0);
        g_assert_cmpuint (hash (scaled), ==, hash (plain));
        g_assert_cmpuint (rig_hash (scaled, LS_ROLE_GRADIENT), ==, rig_hash (plain, LS_ROLE_GRADIENT));
        rig_free (plain);
        rig_free (scaled);
      }
}

/* ‖Δ‖ / ‖g‖ of all weight gradients of a first step, beside those in floats. */
static double
distance (double factor)
{
  Rig *rig = new_rig (&ls_backend_cpu, 0, 1, LS_PRECISION_FP16),
      *plain = new_rig (&ls_backend_cpu, 0, 1, LS_PRECISION_FP32);
  double delta = 0, norm = 0;

  rig->scale.factor = factor;
  run (rig, 1, TRUE, NULL);
  run (plain, 1, FALSE, NULL);
  for (guint p = 0; p < rig->plan->n_params; p++)
    {
      const guint tensor = rig->plan->params[p].gradient;
      const gint64 n = ls_tensor_count (&rig->plan->tensors[tensor]);
      g_autofree float *a = g_new (float, n), *b = g_new (float, n);

      g_assert_true (rig->backend->read (rig->self, tensor, a, NULL)
                     && plain->backend->read (plain->self, tensor, b, NULL));
      for (gint64 i = 0; i < n; i++)
        {
          delta += pow ((double) a[i] - (double) b[i], 2);
          norm += pow ((double) b[i], 2);
        }
    }
  rig_free (rig);
  rig_free (plain);
  return sqrt (delta / norm);
}

/* A loss that is 2⁻¹⁶ times as large has gradients that fp16 hardly holds. Those of the usual scale are as
 * near as some roundings in a row, of samples, weights, activations and their gradients, and a ReLU that
 * flips by them. */
static void
test_small (void)
{
  const double epsilon = ls_dtype_info (LS_F16)->epsilon;
  const double scaled = distance (LS_LOSS_SCALE_FIRST), small = distance (0x1p-16);

  g_test_message ("scaled %g, small %g", scaled, small);
  g_assert_cmpfloat (scaled, <, 10 * epsilon);
  g_assert_cmpfloat (small, >, 500 * epsilon);
}

static void
test_grows (void)
{
  for (gsize b = 0; b < G_N_ELEMENTS (backends); b++)
    {
      Rig *rig = new_rig (backends[b], 0, 1, LS_PRECISION_FP16);
      gboolean skipped[3];

      rig->scale = (LsLossScale){ .factor = 64, .good = LS_LOSS_SCALE_GROWS - 2, .skipped = 5 };
      run (rig, 3, TRUE, skipped);
      g_assert_cmpfloat (rig->scale.factor, ==, 128);
      g_assert_cmpuint (rig->scale.good, ==, 1);
      g_assert_cmpuint (rig->scale.skipped, ==, 5);
      rig_free (rig);
    }
}

/* One element in the last worker's share is enough, whichever way it isn't finite. */
static void
test_unscale (void)
{
  static const float bad[] = { INFINITY, -INFINITY, NAN, -NAN };
  float values[67];

  for (gint64 n = 0; n <= 67; n++)
    {
      for (gint64 i = 0; i < n; i++)
        values[i] = i % 2 ? -3.0e38f : 0x1p-100f;
      g_assert_false (ls_cpu_unscale (values, n, 0x1p-16f));
      for (gint64 i = 0; i < n; i++)
        g_assert_cmpfloat (values[i], ==, (i % 2 ? -3.0e38f : 0x1p-100f) * 0x1p-16f);
      for (gsize k = 0; n > 0 && k < G_N_ELEMENTS (bad); k++)
        {
          values[n - 1] = bad[k];
          g_assert_true (ls_cpu_unscale (values, n, 1));
          values[n - 1] = 1;
        }
    }
}

/* A recorded step that overflows tells of no update, but of the look at the gradients, of which here are
 * enough for two workers. */
static void
test_recorded (void)
{
  for (guint overflows = 0; overflows < 2; overflows++)
    {
      Rig *rig = new_rig_of ("flatten, dense 64, dense 10", 16, &ls_backend_cpu, 0, 2, LS_PRECISION_FP16);
      const guint64 before = hash (rig);
      const guint first = rig->plan->first_op[LS_PHASE_UPDATE];
      g_autoptr (LsTrace) trace = NULL;
      g_autoptr (GArray) events = NULL;
      LsRunResult result = { 0 };
      guint n_tiles = 0, n_ops = 0;

      if (overflows)
        rig->scale.factor = MUCH;
      trace = rig_record (rig, TRUE, &result);
      events = ls_trace_collect (trace);
      for (guint i = 0; i < events->len; i++)
        {
          const LsEvent *e = &g_array_index (events, LsEvent, i);
          if (e->end_ns < e->start_ns || e->start_ns < result.start_ns || e->end_ns > ls_clock_ns ())
            g_error ("an event of kind %d begins at %" G_GUINT64_FORMAT " and ends at %" G_GUINT64_FORMAT
                     " ns, of a step from %" G_GUINT64_FORMAT " ns on",
                     (int) e->kind, e->start_ns, e->end_ns, result.start_ns);
          n_tiles += e->kind == LS_EVENT_TILE && e->op >= first && e->op != LS_OP_NONE;
          n_ops += e->kind == LS_EVENT_OP && e->op >= first && e->op != LS_OP_NONE;
        }
      g_assert_cmpuint (ls_trace_dropped (trace), ==, 0);
      g_assert_true ((hash (rig) == before) == overflows);
      g_assert_cmpuint (n_ops, ==, overflows ? 1 : rig->plan->n_params);
      g_assert_true ((n_tiles > 0) == !overflows);
      rig_free (rig);
    }
}

/* A single gradient that isn't finite is noticed wherever it is, by whichever worker: in the first weights as
 * well as in the last ones. */
static void
test_anywhere (void)
{
  static const struct {
    const char *model;
    guint threads;
  } cases[] = { { MODEL, 1 },
                { "flatten, dense 64, relu, dense 10", 1 },
                { "flatten, dense 64, relu, dense 10", 3 } };
  static const float bad[] = { INFINITY, -INFINITY, NAN };

  for (gsize c = 0; c < G_N_ELEMENTS (cases); c++)
    {
      Rig *rig = new_rig_of (cases[c].model, 16, &ls_backend_cpu, 0, cases[c].threads, LS_PRECISION_FP16);

      run (rig, 1, FALSE, NULL);
      g_assert_false (ls_cpu_unscale_gradients (rig->self, 2));
      for (guint p = 0; p < rig->plan->n_params; p++)
        {
          const guint tensor = rig->plan->params[p].gradient;
          const gint64 n = ls_tensor_count (&rig->plan->tensors[tensor]);
          g_autofree float *values = g_new0 (float, n);

          for (gint64 part = 0; part <= 4; part++)
            {
              const gint64 at = MIN (n * part / 4, n - 1);
              values[at] = bad[part % G_N_ELEMENTS (bad)];
              g_assert_true (rig->backend->write (rig->self, tensor, values, NULL));
              if (!ls_cpu_unscale_gradients (rig->self, 2))
                g_error ("%s, %u threads: %f at %" G_GINT64_FORMAT " of %s isn't noticed", cases[c].model,
                         cases[c].threads, (double) values[at], at, rig->plan->tensors[tensor].name);
              values[at] = 0;
            }
          g_assert_true (rig->backend->write (rig->self, tensor, values, NULL));
        }
      g_assert_false (ls_cpu_unscale_gradients (rig->self, 2));
      rig_free (rig);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/cpu/scale/state", test_state);
  g_test_add_func ("/cpu/scale/overflow", test_overflow);
  g_test_add_data_func ("/cpu/scale/exact", NULL, test_exact);
  g_test_add_data_func ("/cpu/scale/exact-lstm", "", test_exact);
  g_test_add_func ("/cpu/scale/small", test_small);
  g_test_add_func ("/cpu/scale/grows", test_grows);
  g_test_add_func ("/cpu/scale/unscale", test_unscale);
  g_test_add_func ("/cpu/scale/anywhere", test_anywhere);
  g_test_add_func ("/cpu/scale/recorded", test_recorded);
  return g_test_run ();
}
