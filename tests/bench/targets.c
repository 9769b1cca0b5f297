/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the lanes are to reach on two cores with AVX-512, or with narrower vectors, as ratios within one
 * run: at least, and as the aim.
 */
#include "config.h"
#include "bench.h"

#include <math.h>
#include <string.h>

#define NONE           ((double) NAN)
#define RECORDING_MOST 3 /* % of a step */
#define ALWAYS_MOST    1

#define BEST LS_PEER_N /* whoever of the others is the fastest in that row */
#define WIDE 16        /* floats of a vector */

/* Each row that begins with `work`; a is to be so many times as fast as b. */
typedef struct {
  const char *work;
  LsPeerId a, b;
  double least, aim;
} Wish;

static const Wish wishes[] = {
  { "mlp-1", LS_PEER_CPU, BEST, 4, 6 },
  { "mlp-16", LS_PEER_CPU, BEST, 4, 6 },
  { "mlp-128", LS_PEER_CPU, BEST, 1.5, 1.7 },
  { "mlp-512", LS_PEER_CPU, BEST, 1.35, 1.45 },
  { "wide", LS_PEER_CPU, BEST, 1.4, 1.5 },
  { "cnn", LS_PEER_CPU, BEST, 3.5, 4.5 },
  { "lstm", LS_PEER_CPU, BEST, 1.5, NONE },
  { "tabular", LS_PEER_CPU, LS_PEER_TORCH, 5, 8 },
  { "tabular", LS_PEER_CPU, BEST, 1.2, NONE },
  { "mlp-128", LS_PEER_CPU, LS_PEER_OPENBLAS, .55, .72 },
  { "mlp-512", LS_PEER_CPU, LS_PEER_OPENBLAS, .75, .90 },
  { "conv", LS_PEER_CPU, LS_PEER_ONEDNN, .9, 1 },
  { "gemm", LS_PEER_OPENCL, LS_PEER_OPENBLAS, .95, 1 },
  { "matvec", LS_PEER_CPU, LS_PEER_OPENBLAS, 1, NONE },
  { "matvec", LS_PEER_OPENCL, LS_PEER_OPENBLAS, .7, NONE },
  { "lstm", LS_PEER_OPENCL, LS_PEER_CPU, .7, 1 },
  { "mlp-128", LS_PEER_OPENCL, LS_PEER_CPU, NONE, NONE }, /* no target: it would reward a slow CPU lane */
  { "cnn-128", LS_PEER_OPENCL, LS_PEER_CPU, NONE, NONE },
};

/* The best peer's rows where vectors are narrower than those with AVX-512. */
#define NARROW_LEAST 1.3
#define NARROW_AIM   1.5

#define GEMM_MEDIAN_LEAST .95
#define GEMM_MEDIAN_AIM   1

static void
clear_cb (gpointer data)
{
  g_free (((LsTarget *) data)->what);
}

static gboolean
begins (const char *name, const char *word)
{
  const gsize n = strlen (word);

  return strncmp (name, word, n) == 0 && (name[n] == '\0' || name[n] == '-');
}

static char *
wish_text (const Wish *wish, LsPeerId b, const LsWork *work)
{
  const LsPeer *peers = ls_peers ();
  g_autofree char *text = ls_work_text (work);

  if (wish->b == LS_PEER_OPENBLAS && work->kind == LS_WORK_STEP)
    return g_strdup_printf ("%s, share of its products’ limit: %s", peers[wish->a].title, text);
  if (b == BEST)
    return g_strdup_printf ("%s over the best peer: %s", peers[wish->a].title, text);
  return g_strdup_printf ("%s over %s%s: %s", peers[wish->a].title, wish->b == BEST ? "the best peer, " : "",
                          peers[b].title, text);
}

static void
add_wish (GArray *targets, const LsBench *bench, const Wish *wish, GArray *gemm)
{
  const gboolean narrow = wish->b == BEST && bench->vector < WIDE;

  for (guint i = 0; i < bench->rows->len; i++)
    {
      const LsBenchRow *row = g_ptr_array_index (bench->rows, i);
      const LsPeerId b = wish->b == BEST ? ls_bench_row_best (row) : wish->b;
      LsTarget target = { .least = narrow ? NARROW_LEAST : wish->least,
                          .aim = narrow ? NARROW_AIM : wish->aim };

      if (!begins (row->work->name, wish->work))
        continue;
      if (b != LS_PEER_N)
        target.figure = ls_bench_row_ratio (row, wish->a, b);
      target.what = wish_text (wish, b, row->work);
      if (row->work->kind == LS_WORK_PRODUCT && begins (wish->work, "gemm") && target.figure.n > 0)
        g_array_append_val (gemm, target.figure.value);
      g_array_append_val (targets, target);
    }
}

static void
add_costs (GArray *targets, const LsBench *bench)
{
  const LsPeer *peers = ls_peers ();

  for (guint i = 0; i < LS_BENCH_LANES; i++)
    if (bench->recording[i].percent.n > 0)
      {
        LsTarget target = { g_strdup_printf ("%s: recording a step, %% of its time", peers[i].title),
                            RECORDING_MOST, NONE, TRUE, bench->recording[i].percent };
        g_array_append_val (targets, target);
      }
  if (bench->always.percent.n > 0)
    {
      LsTarget target = { g_strdup ("What is always kept, percent of a step of the CPU lane"), ALWAYS_MOST,
                          NONE, TRUE, bench->always.percent };
      g_array_append_val (targets, target);
    }
}

GArray *
ls_bench_targets (const LsBench *bench)
{
  GArray *targets = g_array_new (FALSE, TRUE, sizeof (LsTarget));
  g_autoptr (GArray) gemm = g_array_new (FALSE, FALSE, sizeof (double));

  g_array_set_clear_func (targets, clear_cb);
  for (gsize i = 0; i < G_N_ELEMENTS (wishes); i++)
    {
      const guint before = gemm->len;

      add_wish (targets, bench, &wishes[i], gemm);
      if (gemm->len > before)
        {
          LsTarget median = { g_strdup ("OpenCL lane over OpenBLAS: median of these products"),
                              GEMM_MEDIAN_LEAST, GEMM_MEDIAN_AIM, FALSE,
                              ls_figure_of_samples ((gpointer) gemm->data, gemm->len, "×") };
          median.figure.evidence = LS_EVIDENCE_DERIVED;
          g_array_append_val (targets, median);
        }
    }
  add_costs (targets, bench);
  return targets;
}

LsReached
ls_target_reached (const LsTarget *target)
{
  const double value = target->figure.value;

  if (target->figure.n == 0 || !isfinite (value))
    return LS_REACHED_UNKNOWN;
  if (isnan (target->least) && isnan (target->aim))
    return LS_REACHED_NO_TARGET;
  if (target->most)
    return value <= target->least ? LS_REACHED_LEAST : LS_REACHED_NOT;
  if (!isnan (target->aim) && value >= target->aim)
    return LS_REACHED_AIM;
  if (isnan (target->least))
    return LS_REACHED_NOT;
  return value >= target->least ? LS_REACHED_LEAST : LS_REACHED_NOT;
}

const char *
ls_reached_name (LsReached reached)
{
  static const char *const names[] = { "not measured", "missed", "at least", "aim", "no target" };

  return (guint) reached < G_N_ELEMENTS (names) ? names[reached] : NULL;
}
