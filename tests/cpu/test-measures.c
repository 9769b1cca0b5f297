/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the CPU lane says of its processor, and what it makes of the times it takes: here a job of the pool
 * takes as long as the test says, and nothing is done in it, so each rate is the work that the lane says a
 * job is, by that time. The work is reckoned anew: what three workers load, multiply or are set to.
 */
#include "backends/cpu/cpu.h"

#include <string.h>

#include "backends/cpu/direct.h"
#include "backends/flight.h"
#include "core/memory.h"
#include "trace/event.h"
#include "tests/played_clock.h"

#define WORKERS 3

static struct {
  guint64 job_ns[3]; /* of the first jobs; all others take as long as the last of these */
  guint jobs, parked;
  gboolean works; /* each worker does its part of every job */
} fake;

/* Loads are looked at: which floats, and how often. */
typedef struct {
  const float *from;
  gint64 n;
  guint times;
} Load;

static GArray *noted; /* NULL: nothing is done in a job */
static LsDirectLoops loops;

const LsDirectLoops *__real_ls_direct_loops_here (void);
const LsDirectLoops *__wrap_ls_direct_loops_here (void);
void __wrap_ls_pool_run (LsPool *pool, LsPoolFunc func, gpointer data);
guint __wrap_ls_pool_size (const LsPool *pool);
void __wrap_ls_pool_park (LsPool *pool);

static float
note_load (const float *from, gint64 n, guint times)
{
  const Load load = { from, n, times };

  g_array_append_val (noted, load);
  return 0;
}

const LsDirectLoops *
__wrap_ls_direct_loops_here (void)
{
  loops = *__real_ls_direct_loops_here ();
  if (noted != NULL)
    loops.load = note_load;
  return &loops;
}

/* What doesn't load is done once, so that the test takes no longer than it must. */
void
__wrap_ls_pool_run (G_GNUC_UNUSED LsPool *pool, LsPoolFunc func, gpointer data)
{
  static LsPoolFunc done[16];
  static guint n_done;
  gboolean again = FALSE;

  for (guint worker = 0; worker < WORKERS && fake.works; worker++)
    func (data, worker);
  if (noted != NULL)
    {
      const guint before = noted->len;
      for (guint i = 0; i < n_done; i++)
        again |= done[i] == func;
      for (guint worker = 0; worker < WORKERS && !again; worker++)
        func (data, worker);
      if (!again && noted->len == before && n_done < G_N_ELEMENTS (done))
        done[n_done++] = func;
    }
  played_ns += fake.job_ns[MIN (fake.jobs, G_N_ELEMENTS (fake.job_ns) - 1)];
  if (fake.jobs++ > 1000000)
    g_error ("it measures without end");
}

guint
__wrap_ls_pool_size (G_GNUC_UNUSED const LsPool *pool)
{
  return WORKERS;
}

void
__wrap_ls_pool_park (G_GNUC_UNUSED LsPool *pool)
{
  fake.parked++;
}

static void
fake_jobs (guint64 first_ns, guint64 second_ns, guint64 others_ns)
{
  memset (&fake, 0, sizeof fake);
  played_ns = 1000000000;
  reading_ns = 0;
  fake.job_ns[0] = first_ns;
  fake.job_ns[1] = second_ns;
  fake.job_ns[2] = others_ns;
}

/* ---- roofs ---- */

#define KB ((gint64) 1 << 10)
#define MB ((gint64) 1 << 20)

static void
measure (gint64 l2, gint64 l3, guint64 job_ns, LsFigure *roofs)
{
  LsCpu self = { .topology = { .l2 = l2, .l3 = l3 } };
  g_autoptr (GError) error = NULL;

  fake_jobs (job_ns, job_ns, job_ns);
  memset (roofs, 0, LS_ROOF_N * sizeof *roofs);
  g_assert_true (ls_cpu_roofs (&self, roofs, &error));
  g_assert_no_error (error);
  g_assert_cmpuint (fake.parked, ==, 1);
}

static void
assert_rate (const LsFigure *roofs, LsRoof roof, double amount, guint64 job_ns)
{
  const double rate = amount / (double) job_ns * 1e9;

  if (roofs[roof].n == 0 || roofs[roof].value < rate * (1 - 1e-9) || roofs[roof].value > rate * (1 + 1e-9))
    g_error ("roof %u is %.6g %s, not %.6g", roof, roofs[roof].value, ls_roof_unit (roof), rate);
}

/* A millisecond a job. Three arrays of 32 MB together where the last cache is small: two are read and one is
 * written. From each cache a worker loads 16 MB. */
static void
test_rates (void)
{
  const double flops = 20000 * ls_direct_loops_here ()->multiply_add_flops;
  LsFigure roofs[LS_ROOF_N];

  measure (2 * MB, 24 * MB, 1000000, roofs);
  assert_rate (roofs, LS_ROOF_MEMORY, 96.0 * MB, 1000000);
  assert_rate (roofs, LS_ROOF_LOCAL, 16.0 * MB * WORKERS, 1000000);
  assert_rate (roofs, LS_ROOF_L2, 16.0 * MB * WORKERS, 1000000);
  assert_rate (roofs, LS_ROOF_L3, 16.0 * MB * WORKERS, 1000000);
  assert_rate (roofs, LS_ROOF_FLOPS, flops * WORKERS, 1000000);
  assert_rate (roofs, LS_ROOF_ONE, flops, 1000000);
  assert_rate (roofs, LS_ROOF_GEMM, 2.0 * 128 * 128 * 512 * WORKERS, 1000000);
  assert_rate (roofs, LS_ROOF_LAUNCH, 1, 1000000);
  for (guint i = 0; i < LS_ROOF_N; i++)
    g_assert_cmpuint (roofs[i].n, ==, 25); /* five of each in five passes, without the cold ones */
  /* three times a larger cache, if there is that much memory */
  if (MIN (ls_memory_cgroup_left (""), ls_memory_address_space_left ()) / 4 < 240 * (guint64) MB)
    return;
  measure (2 * MB, 40 * MB, 1000000, roofs);
  assert_rate (roofs, LS_ROOF_MEMORY, 120.0 * MB, 1000000);
}

/* A cache that isn't twice as large as the one before can't be told from it; the third is all workers'. */
static void
test_caches (void)
{
  static const struct {
    gint64 l2, l3;
    gboolean second, third;
  } cases[] = {
    { 128 * KB, 3 * 256 * KB, TRUE, TRUE },
    { 128 * KB - 1, 3 * 256 * KB, FALSE, TRUE },
    { 128 * KB, 3 * 256 * KB - 3, TRUE, FALSE },
    { -1, 30 * MB, FALSE, FALSE },
    { 2 * MB, -1, TRUE, FALSE },
    { 4 * MB, 16 * MB, TRUE, FALSE },
    { 2 * MB, 12 * MB, TRUE, TRUE },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      LsFigure roofs[LS_ROOF_N];

      measure (cases[i].l2, cases[i].l3, 1000000, roofs);
      g_assert_cmpint (roofs[LS_ROOF_L2].n > 0, ==, cases[i].second);
      g_assert_cmpint (roofs[LS_ROOF_L3].n > 0, ==, cases[i].third);
      g_assert_cmpuint (roofs[LS_ROOF_LOCAL].n, >, 0);
    }
}

/* Each worker loads from a block of its own, which fills half of its share of the cache, whole lines of it,
 * and from that 16 MB, as few times as that takes. */
static void
test_blocks (void)
{
  static const gint64 l2 = 2 * MB, l3 = 24 * MB + 6000;
  const gint64 blocks[] = { 16 * KB, l2 / 2, l3 / WORKERS / 2 };
  LsFigure roofs[LS_ROOF_N];
  guint n[G_N_ELEMENTS (blocks)] = { 0 };

  noted = g_array_new (FALSE, FALSE, sizeof (Load));
  measure (l2, l3, 1000000, roofs);
  g_assert_cmpuint (noted->len % WORKERS, ==, 0);
  for (guint i = 0; i < noted->len; i++)
    {
      const Load *load = &g_array_index (noted, Load, i);
      guint level = 0;

      while (level < G_N_ELEMENTS (blocks) && load->n != blocks[level] / 4 / LS_LOAD_FLOATS * LS_LOAD_FLOATS)
        level++;
      if (level == G_N_ELEMENTS (blocks))
        g_error ("a worker loads from %" G_GINT64_FORMAT " bytes", load->n * 4);
      n[level]++;
      g_assert_cmpuint ((guintptr) load->from % 64, ==, 0);
      g_assert_cmpint (load->n * 4 * load->times, >=, 16 * MB);
      g_assert_cmpint (load->n * 4 * (load->times - 1), <, 16 * MB);
      if (i % WORKERS > 0)
        g_assert_true (load->from == load[-1].from + load->n); /* side by side */
    }
  for (guint level = 0; level < G_N_ELEMENTS (blocks); level++)
    g_assert_cmpuint (n[level], ==, 5 * 6 * WORKERS); /* with the cold one of each pass */
  g_clear_pointer (&noted, g_array_unref);
}

/* A job that takes long is no cold one, and of a roof there are as many in a pass as begin within 50 ms. */
static void
test_long (void)
{
  static const struct {
    guint64 ms;
    guint n;
  } cases[]
    = { { 9, 25 }, { 10, 25 }, { 12, 25 }, { 13, 20 }, { 25, 10 }, { 49, 10 }, { 50, 5 }, { 900, 5 } };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      LsFigure roofs[LS_ROOF_N];

      measure (2 * MB, 24 * MB, cases[i].ms * 1000000, roofs);
      if (roofs[LS_ROOF_FLOPS].n != cases[i].n)
        g_error ("of jobs of %u ms there are %u samples, not %u", (guint) cases[i].ms,
                 (guint) roofs[LS_ROOF_FLOPS].n, cases[i].n);
      assert_rate (roofs, LS_ROOF_GEMM, 2.0 * 128 * 128 * 512 * WORKERS, cases[i].ms * 1000000);
    }
}

/* ---- in flight ---- */

/* A launch is made longer until it takes 4 ms; then they go on for as long as was asked, three at least. In
 * each turn every chain of every worker makes a step. */
static void
test_flight (void)
{
  static const struct {
    guint in_flight;
    double seconds, turns;
    guint n;
  } cases[] = {
    /* 1, 2, then 5 ms: made four times as long */
    { 1, .02, 4 * 4096, 3 }, { 1, .036, 4 * 4096, 6 }, { 64, 0, 4 * 64, 3 },
    { 3, .02, 4 * 1365, 3 }, { 4096, .02, 4 * 1, 3 },
  };

  for (guint loads = 0; loads < 2; loads++)
    {
      LsCpu self = { 0 };
      g_autoptr (GError) error = NULL;
      gpointer flight = ls_cpu_flight.begin (&self, loads, &error);

      g_assert_no_error (error);
      for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
        {
          g_autoptr (GArray) us = g_array_new (FALSE, FALSE, sizeof (double));

          fake_jobs (1000000, 2000000, 5000000);
          g_assert_true (ls_cpu_flight.measure (flight, cases[i].in_flight, cases[i].seconds, us, &error));
          g_assert_cmpuint (us->len, ==, cases[i].n);
          for (guint k = 0; k < us->len; k++)
            {
              const double each = 5000 / (cases[i].turns * WORKERS * cases[i].in_flight);
              g_assert_cmpfloat_with_epsilon (g_array_index (us, double, k), each, 1e-9 * each);
            }
          g_assert_cmpuint (fake.parked, ==, 1);
        }
      for (guint wrong = 0; wrong <= 4097; wrong += 4097)
        {
          g_autoptr (GArray) us = g_array_new (FALSE, FALSE, sizeof (double));
          g_assert_false (ls_cpu_flight.measure (flight, wrong, .01, us, &error));
          g_assert_nonnull (strstr (error->message, "4096 chains at most"));
          g_clear_error (&error);
        }
      ls_cpu_flight.end (flight);
    }
}

/* Any number of chains is computed, also more than stay in registers: what keeps the time is played. */
static void
test_sums (void)
{
  static const guint in_flight[] = { 1, 2, 3, 31, 32, 33, 63, 64, 65, 127, 128, 129, 1000, 4095, 4096 };
  LsCpu self = { 0 };
  g_autoptr (GError) error = NULL;
  gpointer flight = ls_cpu_flight.begin (&self, FALSE, &error);

  g_assert_no_error (error);
  for (guint i = 0; i < G_N_ELEMENTS (in_flight); i++)
    {
      g_autoptr (GArray) us = g_array_new (FALSE, FALSE, sizeof (double));

      fake_jobs (5000000, 5000000, 5000000);
      fake.works = TRUE;
      g_test_message ("%u chains", in_flight[i]);
      g_assert_true (ls_cpu_flight.measure (flight, in_flight[i], 0, us, &error));
      g_assert_cmpuint (us->len, ==, 3);
    }
  fake.works = FALSE;
  ls_cpu_flight.end (flight);
}

/* All places in one round, a cache line to each, whatever their number. */
static void
test_ring (void)
{
  static const guint32 sizes[] = { 1, 2, 3, 64, 1000, 4097 };

  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    {
      const guint32 n = sizes[i];
      g_autofree guint32 *ring = g_new0 (guint32, (gsize) n * 16);
      guint32 at = 0, steps = 0, neighbours = 0;

      ls_flight_ring (ring, n);
      do
        {
          g_assert_cmpuint (at % 16, ==, 0);
          g_assert_cmpuint (at, <, 16 * n);
          neighbours += ring[at] == at + 16;
          at = ring[at];
          steps++;
      } while (at != 0 && steps <= n);
      if (steps != n)
        g_error ("of %u places a round has %u", n, steps);
      g_assert_true (n < 64 || neighbours < n / 16); /* a prefetcher could guess those */
    }
}

/* ---- what it says of itself ---- */

static void
test_numbers (void)
{
  LsCpu self = { .threads = 5,
                 .rung = &ls_cpu_rungs[LS_CPU_KERNELS_SCALAR],
                 .topology = { .affinity = 9,
                               .quota = 7,
                               .usable = 6,
                               .cores = 4,
                               .l1d = 48 * KB,
                               .l2 = 2 * MB,
                               .l3 = 33 * MB,
                               .model = (char *) "Made-up 3000" } };
  LsDeviceInfo *info;

  fake_jobs (1, 1, 1);
  reading_ns = 25;
  info = ls_cpu_device_info (&self);
  g_assert_cmpstr (info->name, ==, "Made-up 3000");
  g_assert_cmpint (info->kind, ==, LS_DEVICE_CPU);
  g_assert_cmpint (info->who, ==, LS_BACKEND_CPU);
  g_assert_cmpint (info->tells, ==, LS_TELLS_THREADS);
  g_assert_true (info->shares_cpu);
  g_assert_cmpint (info->threads, ==, WORKERS);
  g_assert_cmpint (info->units, ==, 9);
  g_assert_cmpfloat (info->numbers[LS_DEVICE_WANTED], ==, 5);
  g_assert_cmpfloat (info->numbers[LS_DEVICE_USABLE], ==, 6);
  g_assert_cmpfloat (info->numbers[LS_DEVICE_QUOTA], ==, 7);
  g_assert_cmpfloat (info->numbers[LS_DEVICE_CORES], ==, 4);
  g_assert_cmpfloat (info->numbers[LS_DEVICE_L1D], ==, 48 * KB);
  g_assert_cmpfloat (info->numbers[LS_DEVICE_L2], ==, 2 * MB);
  g_assert_cmpfloat (info->numbers[LS_DEVICE_L3], ==, 33 * MB);
  g_assert_cmpfloat (info->numbers[LS_DEVICE_STAMP], ==, 25);
  g_assert_cmpfloat (info->numbers[LS_DEVICE_STAMPS], ==, 1);
  g_assert_cmpfloat (info->numbers[LS_DEVICE_ALLOCATED], ==, -1);
  g_assert_cmpstr (info->driver, ==, "scalar loops");
  g_assert_null (info->core);
  g_assert_true (info->own_products);
  g_assert_cmpstr (g_hash_table_lookup (info->facts, "large-products"), ==, "scalar loops");
  g_assert_cmpstr (g_hash_table_lookup (info->facts, "small-products"), ==, "scalar loops");
  g_assert_cmpstr (g_hash_table_lookup (info->facts, "warning-threads"), ==,
                   "The system granted 3 of 5 threads; the CPU lane goes on with those.");
  ls_device_info_free (info);

  /* what the system doesn't say is not known, and no zero */
  self.topology = (LsTopology){ .affinity = 1, .quota = -1, .usable = 1, .l1d = -1, .l2 = -1, .l3 = -1 };
  self.threads = WORKERS;
  info = ls_cpu_device_info (&self);
  g_assert_nonnull (info->name); /* of the architecture */
  g_assert_cmpfloat (info->numbers[LS_DEVICE_QUOTA], ==, -1);
  g_assert_cmpfloat (info->numbers[LS_DEVICE_CORES], ==, -1);
  g_assert_cmpfloat (info->numbers[LS_DEVICE_L1D], ==, -1);
  g_assert_cmpfloat (info->numbers[LS_DEVICE_L2], ==, -1);
  g_assert_cmpfloat (info->numbers[LS_DEVICE_L3], ==, -1);
  g_assert_null (g_hash_table_lookup (info->facts, "warning-threads"));
  ls_device_info_free (info);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/cpu/measures/rates", test_rates);
  g_test_add_func ("/cpu/measures/caches", test_caches);
  g_test_add_func ("/cpu/measures/blocks", test_blocks);
  g_test_add_func ("/cpu/measures/long", test_long);
  g_test_add_func ("/cpu/measures/flight", test_flight);
  g_test_add_func ("/cpu/measures/sums", test_sums);
  g_test_add_func ("/cpu/measures/ring", test_ring);
  g_test_add_func ("/cpu/measures/numbers", test_numbers);
  return g_test_run ();
}
