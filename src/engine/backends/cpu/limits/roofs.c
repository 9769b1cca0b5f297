/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The CPU lane's limits, measured with the workers that train: the rate of OpenBLAS's product when each
 * worker has one of its own that stays in its caches, and that of one worker alone; the bandwidth of a triad
 * over memory (McCalpin, "STREAM", 1995), and that of loads from each cache, by dot products of vectors that
 * fit into it and not into the one before; and how often its workers can be set to work. Some ten
 * milliseconds for each.
 */
#include "backends/cpu/cpu.h"

#include "backends/cpu/blas.h"
#include "backends/cpu/gemm.h"
#include "core/memory.h"
#include "trace/event.h"

#define SAMPLES  25  /* of which the best counts: beside other programs most are disturbed */
#define EDGE     256 /* of each worker's product: three matrices of 256 KiB */
#define PRODUCTS 4   /* in a sample */
/* Of three arrays together: three times the last cache, within these. */
#define TRIAD_LEAST (G_GINT64_CONSTANT (96) << 20)
#define TRIAD_MOST  (G_GINT64_CONSTANT (768) << 20)

#define LAUNCHES 64 /* in a sample */

#define DOT       2048 /* floats of each of two vectors: 16 KiB, half of the smallest first cache in use */
#define DOT_BYTES (4 << 20) /* that a worker loads in a sample, at least */

typedef struct {
  guint workers;
  gint64 floats; /* of each array of the triad, */
  gint64 dot;    /* and of each vector of a worker's dot products, */
  guint dots;    /* which are so many */
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
alone_cb (gpointer data, guint worker)
{
  if (worker == 0)
    product_cb (data, worker);
}

static void
nothing_cb (gpointer data, guint worker)
{
}

static void
triad_cb (gpointer data, guint worker)
{
  const Work *w = data;
  const gint64 from = w->floats * worker / w->workers, to = w->floats * (worker + 1) / w->workers;
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
  const gsize from = (gsize) worker * (gsize) w->dot;
  float sum = 0;

  for (guint i = 0; i < w->dots; i++)
    sum += ls_blas_dot (w->dot, w->a + from, w->b + from);
  w->c[from] = sum;
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

/* How often the workers can be set to work, one time after the other. */
static LsFigure
sample_launches (LsCpu *self)
{
  double rates[SAMPLES];

  for (guint i = 0; i < SAMPLES; i++)
    {
      const guint64 start_ns = ls_clock_ns ();
      for (guint k = 0; k < LAUNCHES; k++)
        ls_pool_run (self->pool, nothing_cb, NULL);
      rates[i] = LAUNCHES * 1e9 / (double) MAX (ls_clock_ns () - start_ns, 1);
    }
  return ls_roof_of_samples (rates, SAMPLES, LS_ROOF_LAUNCH);
}

/* Loads from what `bytes` of two vectors of each worker lie in; none where there isn't so much memory. */
static LsFigure
sample_loads (LsCpu *self, Work *work, gint64 bytes, LsRoof roof)
{
  if (bytes / 8 * work->workers > work->floats)
    return (LsFigure){ 0 };
  work->dot = bytes / 8;
  work->dots = (guint) MAX (1, (DOT_BYTES + bytes - 1) / bytes);
  return sample (self, dot_cb, work, (double) work->dots * 8.0 * (double) work->dot * work->workers, roof);
}

/* Half of each cache is filled, the third one's by all workers together; a cache that isn't at least twice as
 * large as the one before can't be told from it. */
static void
measure_caches (LsCpu *self, Work *work, LsFigure *roofs)
{
  const LsTopology *t = &self->topology;
  const gint64 l3 = t->l3 / MAX (work->workers, 1);

  roofs[LS_ROOF_LOCAL] = sample_loads (self, work, 8 * DOT, LS_ROOF_LOCAL);
  if (t->l2 >= 8 * 8 * DOT)
    roofs[LS_ROOF_L2] = sample_loads (self, work, t->l2 / 2, LS_ROOF_L2);
  if (t->l2 > 0 && l3 >= 2 * t->l2)
    roofs[LS_ROOF_L3] = sample_loads (self, work, l3 / 2, LS_ROOF_L3);
}

/* Large last caches ask for much memory, of which there may be little. */
static gint64
triad_bytes (const LsCpu *self)
{
  const guint64 room = MIN (ls_memory_cgroup_left (""), ls_memory_address_space_left ()) / 4;
  const gint64 most = (gint64) CLAMP (room, (guint64) TRIAD_LEAST, (guint64) TRIAD_MOST);

  return CLAMP (3 * self->topology.l3, TRIAD_LEAST, most);
}

gboolean
ls_cpu_roofs (gpointer data, LsFigure *roofs, GError **error)
{
  LsCpu *self = data;
  Work work = { .workers = ls_pool_size (self->pool) };
  const double product = 2.0 * PRODUCTS * EDGE * EDGE * EDGE;
  g_autofree float *memory = NULL;

  work.floats = MAX (triad_bytes (self) / 12, (gint64) work.workers * EDGE * EDGE);
  memory = g_try_malloc (3 * (gsize) work.floats * sizeof (float));
  if (memory == NULL)
    return TRUE;
  for (gsize i = 0; i < 3 * (gsize) work.floats; i++)
    memory[i] = (float) (i % 7) * .125f;
  work.a = memory;
  work.b = memory + work.floats;
  work.c = memory + 2 * work.floats;
  roofs[LS_ROOF_FLOPS] = sample (self, product_cb, &work, product * work.workers, LS_ROOF_FLOPS);
  roofs[LS_ROOF_ONE] = sample (self, alone_cb, &work, product, LS_ROOF_ONE);
  roofs[LS_ROOF_MEMORY] = sample (self, triad_cb, &work, 12.0 * (double) work.floats, LS_ROOF_MEMORY);
  measure_caches (self, &work, roofs);
  roofs[LS_ROOF_LAUNCH] = sample_launches (self);
  ls_pool_park (self->pool);
  return TRUE;
}
