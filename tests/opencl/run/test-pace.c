/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The lane's thread sleeps while a graphics card computes, and never at the step's cost: a device, a queue of
 * four steps and a clock, all played here, on which a sleep ends late as on Linux.
 */
#include "config.h"

#include "backends/opencl/run/pace.h"

#define AHEAD      4
#define ENQUEUE_NS 20000 /* the host's own work for a step */
#define STEPS      1000
#define FIRST      20

typedef struct {
  LsClPace pace;
  guint64 now, ends[AHEAD], slept, late, first; /* first: ns of the first steps */
  guint enqueued;
} Played;

static void
enqueue (Played *p, guint64 step_ns)
{
  const guint64 before = p->enqueued > 0 ? p->ends[(p->enqueued - 1) % AHEAD] : 0;

  p->now += ENQUEUE_NS;
  p->ends[p->enqueued % AHEAD] = MAX (before, p->now) + step_ns;
  p->enqueued++;
}

/* What a step takes in the long run, and the share of that in which the thread sleeps. */
static double
play (Played *p, guint64 step_ns, guint64 late, double *asleep)
{
  const guint64 begin = p->now;
  guint64 last = p->now, half = 0;

  p->late = late;
  p->enqueued = 0;
  for (guint finished = 0; finished < STEPS; finished++)
    {
      guint64 ns;
      gboolean overslept = FALSE;

      while (p->enqueued < STEPS && p->enqueued - finished < AHEAD)
        enqueue (p, step_ns);
      ns = ls_cl_pace_sleep (&p->pace, last, p->now);
      overslept = ns > 0 && p->ends[finished % AHEAD] <= p->now;
      while (ns > 0 && !overslept)
        {
          const guint64 slice = MIN (ns, LS_CL_PACE_SLICE_NS);

          p->now += slice + p->late;
          p->slept += slice;
          ns -= slice;
          overslept = p->ends[finished % AHEAD] <= p->now;
        }
      p->now = MAX (p->now, p->ends[finished % AHEAD]);
      ls_cl_pace_ended (&p->pace, p->now - last, overslept);
      last = p->now;
      if (finished + 1 == FIRST)
        p->first = p->now - begin;
      if (finished == STEPS / 2)
        {
          half = p->now;
          p->slept = 0;
        }
    }
  *asleep = (double) p->slept / (double) (p->now - half);
  return (double) (p->now - half) / (STEPS / 2 - 1);
}

/* From each speed to each other one, as a kernel that is changed makes it. */
static void
test_keeps_up (void)
{
  static const guint64 steps[] = { 5000, 60000, 150000, 240000, 300000, 700000, 3000000, 50000000 },
                       late[] = { 1000, 60000, 300000 };

  for (guint from = 0; from < G_N_ELEMENTS (steps); from++)
    for (guint to = 0; to < G_N_ELEMENTS (steps); to++)
      for (guint l = 0; l < G_N_ELEMENTS (late); l++)
        {
          Played p = { 0 };
          double asleep, took;
          const double least = (double) MAX (steps[to], (guint64) ENQUEUE_NS);

          play (&p, steps[from], late[l], &asleep);
          took = play (&p, steps[to], late[l], &asleep);
          if (took > 1.02 * least || (steps[to] >= 700000 && steps[to] > 4 * late[l] && asleep < .5))
            g_error ("after steps of %" G_GUINT64_FORMAT " ns those of %" G_GUINT64_FORMAT
                     " take %.0f with sleeps that end %" G_GUINT64_FORMAT
                     " ns late, and the thread sleeps %.0f %% of the time",
                     steps[from], steps[to], took, late[l], 100 * asleep);
          /* what was known of the other speed is soon forgotten */
          if (p.first > FIRST * (guint64) (least + ENQUEUE_NS) + 6 * (LS_CL_PACE_SLICE_NS + late[l]))
            g_error ("after steps of %" G_GUINT64_FORMAT " ns the first %d of %" G_GUINT64_FORMAT
                     " take %" G_GUINT64_FORMAT,
                     steps[from], FIRST, steps[to], p.first);
        }
}

/* A first step, which waits for a compiler, says nothing of the others for long. */
static void
test_slow_start (void)
{
  Played p = { .pace.step_ns = 2e9 };
  double asleep;

  g_assert_cmpfloat (play (&p, 100000, 60000, &asleep), <, 102000);
  g_assert_cmpuint (p.first, <, 100000000);

  /* nor what is known of other work */
  p.pace.step_ns = 2e9;
  ls_cl_pace_begin (&p.pace, 1);
  g_assert_cmpfloat (p.pace.step_ns, ==, 0);
  p.pace.step_ns = 5000;
  ls_cl_pace_begin (&p.pace, 1);
  g_assert_cmpfloat (p.pace.step_ns, ==, 5000);
}

/* What is known of a step's length: the first one's; then the newest one counts a quarter, and one that ended
 * while the thread slept says that it is half at most. */
static void
test_known (void)
{
  static const struct {
    guint64 took;
    gboolean overslept;
    double known;
  } rows[] = {
    { 1000000, FALSE, 1000000 }, { 1000000, FALSE, 1000000 }, { 2000000, FALSE, 1250000 },
    { 250000, FALSE, 1000000 },  { 7777777, TRUE, 500000 },   { 900000, FALSE, 600000 },
    { 1, TRUE, 300000 },         { 0, FALSE, 225000 },
  };
  static const struct {
    double known;
    guint64 since, now, sleeps;
  } sleeps[] = {
    { 1000000, 5000, 5000, 720000 }, /* four fifths, less 80 µs */
    { 1000000, 5000, 105000, 620000 },
    { 1000000, 0, 619999, 100001 },
    { 1000000, 0, 620001, 0 }, /* less than 100 µs */
    { 1000000, 0, 9000000, 0 },
    { 225000, 0, 0, 100000 },
    { 224000, 0, 0, 0 },
    { 0, 0, 0, 0 },
  };
  LsClPace pace = { 0 };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      ls_cl_pace_ended (&pace, rows[i].took, rows[i].overslept);
      if (!(ABS (pace.step_ns - rows[i].known) < 1e-3))
        g_error ("after step %zu of %" G_GUINT64_FORMAT " ns%s a step is believed to take %g, not %g", i,
                 rows[i].took, rows[i].overslept ? ", overslept," : "", pace.step_ns, rows[i].known);
    }
  for (gsize i = 0; i < G_N_ELEMENTS (sleeps); i++)
    {
      const LsClPace of = { .step_ns = sleeps[i].known };
      const guint64 ns = ls_cl_pace_sleep (&of, sleeps[i].since, sleeps[i].now);

      if (ns != sleeps[i].sleeps)
        g_error ("of a step of %g ns, %" G_GUINT64_FORMAT " after its beginning, it sleeps %" G_GUINT64_FORMAT
                 ", not %" G_GUINT64_FORMAT,
                 sleeps[i].known, sleeps[i].now - sleeps[i].since, ns, sleeps[i].sleeps);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/pace/keeps-up", test_keeps_up);
  g_test_add_func ("/pace/slow-start", test_slow_start);
  g_test_add_func ("/pace/known", test_known);
  return g_test_run ();
}
