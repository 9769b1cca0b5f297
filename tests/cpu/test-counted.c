/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the processor counts while a recorded step's ops run, with a counter that every Linux has: the time
 * that a thread has had, in nanoseconds, in the place of cache lines.
 */
#include "config.h"

#include <linux/perf_event.h>
#include <unistd.h>

#include "backends/cpu/cpu.h"
#include "tests/cpu/rig.h"

static const LsMissesEvent had_ns = { PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK, LS_MISSES_LAST },
                           unheard_of = { 0x7fff, 0, LS_MISSES_LAST };

/* Each op with tiles has what all workers had from the op before to its own last tile, and all of them
 * together no more than the workers can have had; what is no op has nothing. */
static void
check (guint threads, LsPolicy policy, gboolean fuse)
{
  g_autoptr (LsOptions) options = ls_options_new ();
  const gint64 line = sysconf (_SC_LEVEL1_DCACHE_LINESIZE) > 0 ? sysconf (_SC_LEVEL1_DCACHE_LINESIZE) : 64;
  guint ops = 0;
  Rig *rig;

  options->threads = threads;
  options->policy = policy;
  rig = rig_new (&ls_backend_cpu, options, "cnn", 8);
  for (guint step = 0; step < 2; step++)
    {
      const guint64 from_ns = ls_clock_ns ();
      LsRunResult result = { 0 };
      g_autoptr (LsTrace) trace = rig_record (rig, fuse, &result);
      const double most = 1.01 * threads * (double) (ls_clock_ns () - from_ns) + 1e6;
      double all = 0;

      for (guint r = 0; r < trace->n_rings; r++)
        for (guint32 i = 0; i < trace->rings[r].n; i++)
          {
            const LsEvent *e = &trace->rings[r].events[i];
            const gint64 moved = ls_event_moved (e);

            if (e->kind != LS_EVENT_OP)
              {
                g_assert_cmpint (moved, ==, -1);
                continue;
              }
            ops++;
            if (moved <= 0 || moved % line != 0)
              g_error ("op %u of %u threads: %" G_GINT64_FORMAT " bytes were counted", e->op, threads, moved);
            all += (double) (moved / line);
          }
      if (all > most)
        g_error ("%u threads had %.0f ns, of at most %.0f", threads, all, most);
    }
  g_assert_cmpuint (ops, >, 20);
  rig_free (rig);
}

static void
test_counted (void)
{
  ls_misses_use (&had_ns);
  if (ls_misses_probe () != LS_MISSES_LAST)
    {
      g_test_skip ("this system lets nobody count");
      return;
    }
  check (1, LS_POLICY_STATIC, TRUE);
  check (2, LS_POLICY_STEAL, TRUE);
  check (3, LS_POLICY_DYNAMIC, FALSE);
}

/* Where nothing can be counted no op has anything, not even nought. */
static void
test_uncounted (void)
{
  g_autoptr (LsOptions) options = ls_options_new ();
  LsRunResult result = { 0 };
  Rig *rig;

  ls_misses_use (&unheard_of);
  g_assert_cmpint (ls_misses_probe (), ==, LS_MISSES_NONE);
  options->threads = 2;
  rig = rig_new (&ls_backend_cpu, options, "mlp", 8);
  g_autoptr (LsTrace) trace = rig_record (rig, TRUE, &result);
  for (guint32 i = 0; i < trace->rings[0].n; i++)
    g_assert_cmpint (ls_event_moved (&trace->rings[0].events[i]), ==, -1);
  rig_free (rig);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/counted/counted", test_counted);
  g_test_add_func ("/counted/uncounted", test_uncounted);
  return g_test_run ();
}
