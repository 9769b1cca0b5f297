/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * OpenBLAS with all its threads: what the machine can do, as far as a good library knows. A list of products
 * takes the sum of what each takes alone, which is the limit of a step that consists of them. And the
 * bandwidth of the memory.
 */
#include "config.h"
#include "workers.h"

#include "backends/cpu/blas.h"
#include "backends/cpu/topology.h"
#include "core/error.h"
#include "core/figure.h"
#include "trace/event.h"
#include "triad.h"
#include "work.h"

#define ALIGN     64    /* bytes: a cache line, and the longest vector */
#define SAMPLE_NS 20000 /* shorter products are timed several at once */

typedef struct {
  GArray *products;
  float *a, *b, *c; /* as large as the largest needs */
  LsTriad *triad;   /* NULL: products */
} Blas;

static void
clear_blas (Blas *blas)
{
  g_array_set_size (blas->products, 0);
  g_clear_pointer (&blas->triad, ls_triad_free);
  g_clear_pointer (&blas->a, g_aligned_free);
  g_clear_pointer (&blas->b, g_aligned_free);
  g_clear_pointer (&blas->c, g_aligned_free);
}

static gpointer
open_blas (const char *name, LsOptions *options, char **title, guint *threads, GError **error)
{
  Blas *blas = g_new0 (Blas, 1);
  LsTopology topology;

  ls_topology_read (&topology, "", ls_topology_affinity ());
  *title = ls_blas_describe ();
  *threads = topology.usable;
  ls_topology_clear (&topology);
  blas->products = g_array_new (FALSE, FALSE, sizeof (LsProduct));
  return blas;
}

static void
close_blas (gpointer self)
{
  Blas *blas = self;

  clear_blas (blas);
  g_array_unref (blas->products);
  g_free (blas);
}

static float *
new_matrix (gint64 n)
{
  float *values = g_aligned_alloc ((gsize) n, sizeof (float), ALIGN);

  for (gint64 i = 0; i < n; i++)
    values[i] = (float) (i % 17) / 16 - .5f;
  return values;
}

static gboolean
prepare (gpointer self, const char *spec, char **how, GError **error)
{
  Blas *blas = self;
  gint64 a = 1, b = 1, c = 1;

  clear_blas (blas);
  if (g_str_equal (spec, "triad"))
    return (blas->triad = ls_triad_new (error)) != NULL;
  if (!ls_products_parse (spec, blas->products, error))
    return FALSE;
  for (guint i = 0; i < blas->products->len; i++)
    {
      const LsProduct *p = &g_array_index (blas->products, LsProduct, i);
      a = MAX (a, p->m * p->k);
      b = MAX (b, p->n * p->k);
      c = MAX (c, p->m * p->n);
    }
  if (MAX (a, MAX (b, c)) > (gint64) (LS_PLAN_MAX_ARENA / 64))
    {
      g_array_set_size (blas->products, 0);
      g_set_error_literal (error, LS_ERROR, LS_ERROR_MEMORY, "The matrices are too large to be measured.");
      return FALSE;
    }
  blas->a = new_matrix (a);
  blas->b = new_matrix (b);
  blas->c = new_matrix (c);
  return TRUE;
}

static void
multiply (const Blas *blas, const LsProduct *p)
{
  ls_blas_gemm (p->ta, p->tb, p->m, p->n, p->k, blas->a, p->ta ? p->m : p->k, blas->b, p->tb ? p->k : p->n, 0,
                blas->c, p->n);
}

static double
time_us (const Blas *blas, const LsProduct *p, guint repeats)
{
  const guint64 start = ls_clock_ns ();

  for (guint i = 0; i < repeats; i++)
    multiply (blas, p);
  return (double) (ls_clock_ns () - start) / 1e3 / repeats;
}

/* One product alone for that long; µs each. */
static void
measure (const Blas *blas, const LsProduct *p, double seconds, GArray *times)
{
  const guint64 start = ls_clock_ns (), counted = start + (guint64) (seconds * LS_LAB_WARM * 1e9),
                until = start + (guint64) (seconds * 1e9);
  double us = time_us (blas, p, 1);
  guint repeats;

  while (ls_clock_ns () < counted)
    us = time_us (blas, p, 1);
  repeats = (guint) CLAMP (SAMPLE_NS / 1e3 / MAX (us, .01), 1, 1000);
  do
    {
      us = time_us (blas, p, repeats);
      g_array_append_val (times, us);
  } while (ls_clock_ns () < until);
}

static gboolean
run (gpointer self, guint threads, double seconds, GArray *times, GError **error)
{
  Blas *blas = self;
  double sum = 0;

  if (blas->triad != NULL)
    return ls_triad_run (blas->triad, threads, seconds, times, error);
  if (blas->products->len == 0)
    {
      g_set_error_literal (error, LS_ERROR, LS_ERROR_USAGE, "Nothing is prepared.");
      return FALSE;
    }
  ls_blas_set_threads (MAX (threads, 1));
  if (blas->products->len == 1)
    {
      measure (blas, &g_array_index (blas->products, LsProduct, 0), seconds, times);
      return TRUE;
    }
  for (guint i = 0; i < blas->products->len; i++)
    {
      g_autoptr (GArray) alone = g_array_new (FALSE, FALSE, sizeof (double));

      measure (blas, &g_array_index (blas->products, LsProduct, i), seconds / blas->products->len, alone);
      sum += ls_figure_of_samples ((gpointer) alone->data, alone->len, "µs").value;
    }
  g_array_append_val (times, sum);
  return TRUE;
}

const LsLabWorker ls_lab_worker_openblas
  = { "openblas", open_blas, close_blas, prepare, NULL, run, NULL, NULL };
