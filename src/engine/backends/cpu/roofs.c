/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The CPU lane's limits, measured with the workers that train: the rate of OpenBLAS's product when each
 * worker has one of its own that stays in its caches, the bandwidth of a triad over memory (McCalpin,
 * "STREAM", 1995), and that of loads from the first cache, by dot products of vectors that fit into it. Some
 * ten milliseconds.
 */
#include "backends/cpu/cpu.h"

#include "backends/cpu/blas.h"
#include "backends/cpu/gemm.h"
#include "trace/event.h"

#define SAMPLES  7
#define EDGE     256 /* of each worker's product: three matrices of 256 KiB */
#define PRODUCTS 4   /* in a sample */
/* of each of three arrays, all workers together: 32 MiB */
#define TRIAD_FLOATS (G_GINT64_CONSTANT (8) << 20)

#define DOT  2048 /* floats of each of two vectors: 16 KiB, half of the smallest first-level cache in use */
#define DOTS 256  /* in a sample */

typedef struct {
  guint workers;
  float *a, *b, *c;
} Work;

static void
product_cb (gpointer data, guint worker)
{
  const Work *w = data;
  const gsize each = (gsize) EDGE * EDGE;

  for (guint i = 0; i < PRODUCTS; i++)
    ls_gemm_columns (FALSE, FALSE, EDGE, EDGE, EDGE, w->a + worker * each, EDGE, w->b + worker * each, EDGE,
                     FALSE, w->c + worker * each, EDGE);
}

static void
triad_cb (gpointer data, guint worker)
{
  const Work *w = data;
  const gint64 from = TRIAD_FLOATS * worker / w->workers, to = TRIAD_FLOATS * (worker + 1) / w->workers;
  const float *restrict a = w->a, *restrict b = w->b;
  float *restrict c = w->c;

  for (gint64 i = from; i < to; i++)
    c[i] = a[i] + 3.0f * b[i];
}

/* The sum is kept, or the products need not be made. */
static void
dot_cb (gpointer data, guint worker)
{
  const Work *w = data;
  const gsize each = (gsize) EDGE * EDGE;
  float sum = 0;

  for (guint i = 0; i < DOTS; i++)
    sum += ls_blas_dot (DOT, w->a + worker * each, w->b + worker * each);
  w->c[worker * each] = sum;
}

static LsFigure
sample (LsCpu *self, LsPoolFunc func, Work *work, double amount, LsRoof roof)
{
  double rates[SAMPLES];

  ls_pool_run (self->pool, func, work);
  for (guint i = 0; i < SAMPLES; i++)
    {
      const guint64 start_ns = ls_clock_ns ();
      ls_pool_run (self->pool, func, work);
      rates[i] = amount / (double) MAX (ls_clock_ns () - start_ns, 1) * 1e9;
    }
  return ls_roof_of_samples (rates, SAMPLES, roof);
}

gboolean
ls_cpu_roofs (gpointer data, LsFigure *roofs, GError **error)
{
  LsCpu *self = data;
  Work work = { .workers = ls_pool_size (self->pool) };
  const gsize products = (gsize) work.workers * EDGE * EDGE, floats = MAX (products, (gsize) TRIAD_FLOATS);
  g_autofree float *memory = g_try_malloc (3 * floats * sizeof (float));

  if (memory == NULL)
    return TRUE;
  for (gsize i = 0; i < 3 * floats; i++)
    memory[i] = (float) (i % 7) * .125f;
  work.a = memory;
  work.b = memory + floats;
  work.c = memory + 2 * floats;
  roofs[LS_ROOF_FLOPS] = sample (self, product_cb, &work, 2.0 * PRODUCTS * work.workers * EDGE * EDGE * EDGE,
                                 LS_ROOF_FLOPS);
  roofs[LS_ROOF_MEMORY] = sample (self, triad_cb, &work, 12.0 * TRIAD_FLOATS, LS_ROOF_MEMORY);
  roofs[LS_ROOF_LOCAL] = sample (self, dot_cb, &work, 8.0 * DOTS * DOT * work.workers, LS_ROOF_LOCAL);
  ls_pool_park (self->pool);
  return TRUE;
}
