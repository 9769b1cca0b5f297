/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The CPU lane's limits, measured with the workers that train: the rate of multiply-adds in registers, of all
 * workers and of one alone, and of its matrix product; the bandwidth of a triad over memory (McCalpin,
 * "STREAM", 1995), and that of loads from each cache, by loads from a block that fits into it and not into
 * the one before; and how often its workers can be set to work. Some ten milliseconds for each.
 */
#include "backends/cpu/cpu.h"

#include "backends/cpu/direct.h"
#include "backends/cpu/gemm.h"
#include "core/memory.h"
#include "trace/event.h"

/* Of all samples the best counts: beside other programs most are disturbed. What disturbs for some ten
 * milliseconds doesn't take all that one roof has, since each has some of its samples in each pass. */
#define PASSES     5
#define SAMPLES    5 /* of a roof in a pass; where one takes long, as many as begin within SAMPLES_NS */
#define SAMPLES_NS G_GUINT64_CONSTANT (50000000)
/* The first run of a pass finds workers and caches cold, and doesn't count, unless it is as long as that. */
#define COLD_NS G_GUINT64_CONSTANT (10000000)
#define LINE    16    /* floats of a line of a cache */
#define ROUNDS  20000 /* of multiply-adds in a sample: some tens of microseconds */
/* Of three arrays together: three times the last cache, within these. */
#define TRIAD_LEAST (G_GINT64_CONSTANT (96) << 20)
#define TRIAD_MOST  (G_GINT64_CONSTANT (768) << 20)

#define LAUNCHES 64 /* in a sample */

/* Of each worker's product: 576 kB, which lie in most second caches. */
#define GEMM_M 128
#define GEMM_N 128
#define GEMM_K 512

#define L1_BYTES   (16 << 10) /* half of the smallest first cache in use */
#define LOAD_BYTES (16 << 20) /* that a worker loads in a sample, at least */

typedef struct {
  guint workers;
  gint64 floats; /* of each array of the triad, */
  gint64 block;  /* and of what a worker loads */
  guint times;   /* so many times */
  float *a, *b, *c;
  double rates[LS_ROOF_N][PASSES * SAMPLES];
  guint n[LS_ROOF_N]; /* of rates */
} Work;

/* The sum is kept, or nothing need be computed. */
static void
flops_cb (gpointer data, guint worker)
{
  const Work *w = data;

  w->c[16 * worker] = ls_direct_loops_here ()->multiply_add (ROUNDS);
}

static void
alone_cb (gpointer data, guint worker)
{
  if (worker == 0)
    flops_cb (data, worker);
}

static void
nothing_cb (gpointer data, guint worker)
{
}

/* A sanitizer that looks at each access takes minutes for what is well past a large last cache, and would be
 * what is measured. */
#define UNWATCHED __attribute__ ((no_sanitize ("address", "thread")))

/* What each worker's triad reads and writes; this first touch is what takes long of much memory. */
UNWATCHED static void
fill_cb (gpointer data, guint worker)
{
  const Work *w = data;
  const gint64 from = w->floats * worker / w->workers, to = w->floats * (worker + 1) / w->workers;
  float *const arrays[] = { w->a, w->b, w->c };

  for (guint k = 0; k < G_N_ELEMENTS (arrays); k++)
    for (gint64 i = from; i < to; i++)
      arrays[k][i] = (float) (i & 7) * .125f;
}

UNWATCHED static void
triad_cb (gpointer data, guint worker)
{
  const Work *w = data;
  const gint64 from = w->floats * worker / w->workers, to = w->floats * (worker + 1) / w->workers;
  const float *restrict a = w->a, *restrict b = w->b;
  float *restrict c = w->c;

  for (gint64 i = from; i < to; i++)
    c[i] = a[i] + 3.0f * b[i];
}

/* The sum is kept, or nothing need be loaded. */
static void
load_cb (gpointer data, guint worker)
{
  const Work *w = data;
  const gsize from = (gsize) worker * (gsize) w->block;

  w->c[from] = ls_direct_loops_here ()->load (w->a + from, w->block, w->times);
}

static void
gemm_cb (gpointer data, guint worker)
{
  const Work *w = data;
  const gsize c = GEMM_M * GEMM_N, a = GEMM_M * GEMM_K;
  float *from = w->a + worker * (c + 2 * a);

  ls_gemm (FALSE, FALSE, GEMM_M, GEMM_N, GEMM_K, from + c, GEMM_K, from + c + a, GEMM_N, FALSE, from, GEMM_N);
}

/* A pass's samples of that roof: of `amount` each. */
static void
sample (LsCpu *self, LsPoolFunc func, Work *work, double amount, LsRoof roof)
{
  const guint64 until_ns = ls_clock_ns () + SAMPLES_NS;
  gboolean cold = TRUE;

  for (guint n = 0; n == 0 || (n < SAMPLES && ls_clock_ns () < until_ns); cold = FALSE)
    {
      const guint64 start_ns = ls_clock_ns ();
      guint64 ns;

      ls_pool_run (self->pool, func, work);
      ns = MAX (ls_clock_ns () - start_ns, 1);
      if (cold && ns < COLD_NS)
        continue;
      work->rates[roof][work->n[roof]++] = amount / (double) ns * 1e9;
      n++;
    }
}

/* How often the workers can be set to work, one time after the other. */
static void
sample_launches (LsCpu *self, Work *work)
{
  for (guint i = 0; i < SAMPLES; i++)
    {
      const guint64 start_ns = ls_clock_ns ();
      for (guint k = 0; k < LAUNCHES; k++)
        ls_pool_run (self->pool, nothing_cb, NULL);
      work->rates[LS_ROOF_LAUNCH][work->n[LS_ROOF_LAUNCH]++] = LAUNCHES * 1e9
                                                               / (double) MAX (ls_clock_ns () - start_ns, 1);
    }
}

/* Loads from what `bytes` of each worker lie in; none where there isn't so much memory. */
static void
sample_loads (LsCpu *self, Work *work, gint64 bytes, LsRoof roof)
{
  work->block = bytes / 4 / LS_LOAD_FLOATS * LS_LOAD_FLOATS;
  if (work->block == 0 || work->block * work->workers > work->floats)
    return;
  work->times = (guint) MAX (1, (LOAD_BYTES + bytes - 1) / bytes);
  sample (self, load_cb, work, 4.0 * work->times * (double) work->block * work->workers, roof);
}

/* Half of each cache is filled, the third one's by all workers together; a cache that isn't at least twice as
 * large as the one before can't be told from it. */
static void
sample_caches (LsCpu *self, Work *work)
{
  const LsTopology *t = &self->topology;
  const gint64 l3 = t->l3 / MAX (work->workers, 1);

  sample_loads (self, work, L1_BYTES, LS_ROOF_LOCAL);
  if (t->l2 >= 8 * L1_BYTES)
    sample_loads (self, work, t->l2 / 2, LS_ROOF_L2);
  if (t->l2 > 0 && l3 >= 2 * t->l2)
    sample_loads (self, work, l3 / 2, LS_ROOF_L3);
}

static void
sample_gemm (LsCpu *self, Work *work)
{
  if (3 * work->floats >= (gint64) work->workers * (GEMM_M * GEMM_N + GEMM_K * (GEMM_M + GEMM_N)))
    sample (self, gemm_cb, work, 2.0 * GEMM_M * GEMM_N * GEMM_K * work->workers, LS_ROOF_GEMM);
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
  const double flops = ROUNDS * ls_direct_loops_here ()->multiply_add_flops;
  g_autofree float *memory = NULL;

  work.floats = MAX (triad_bytes (self) / 12, 16 * (gint64) work.workers) / LINE * LINE;
  memory = g_try_malloc ((3 * (gsize) work.floats + LINE) * sizeof (float));
  if (memory == NULL)
    return TRUE;
  /* as tensors do: with small pages translating addresses takes longer than loading */
  ls_memory_ask_large_pages (memory, (3 * (gsize) work.floats + LINE) * sizeof (float));
  /* a vector that lies in two lines of a cache takes two loads */
  work.a = memory + (LINE - (guintptr) memory / sizeof (float) % LINE) % LINE;
  work.b = work.a + work.floats;
  work.c = work.b + work.floats;
  ls_pool_run (self->pool, fill_cb, &work);
  for (guint pass = 0; pass < PASSES; pass++)
    {
      sample (self, flops_cb, &work, flops * work.workers, LS_ROOF_FLOPS);
      sample (self, alone_cb, &work, flops, LS_ROOF_ONE);
      sample_gemm (self, &work);
      sample (self, triad_cb, &work, 12.0 * (double) work.floats, LS_ROOF_MEMORY);
      sample_caches (self, &work);
      sample_launches (self, &work);
    }
  for (guint i = 0; i < LS_ROOF_N; i++)
    if (work.n[i] > 0)
      roofs[i] = ls_roof_of_samples (work.rates[i], work.n[i], (LsRoof) i);
  ls_pool_park (self->pool);
  return TRUE;
}
