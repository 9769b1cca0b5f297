/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How many cores other programs use, beside a processor and a clock that the test plays.
 */
#include "config.h"

#include <math.h>
#include <time.h>
#include <unistd.h>

#include "lab/machine.h"

static double busy_s[2], own_s[2]; /* at the first question, and at the second one */
static guint asked_busy, asked_own;
static guint64 now_us;
static GCancellable *stop; /* once it waits */

double __wrap_ls_machine_busy_s (void);
double __wrap_ls_machine_process_s (int pid);
void __wrap_g_usleep (gulong us);
int __wrap_clock_gettime (clockid_t clock, struct timespec *time);

double
__wrap_ls_machine_busy_s (void)
{
  return busy_s[asked_busy++ > 0];
}

double
__wrap_ls_machine_process_s (int pid)
{
  g_assert_cmpint (pid, ==, getpid ());
  return own_s[asked_own++ > 0];
}

void
__wrap_g_usleep (gulong us)
{
  now_us += us;
  if (stop != NULL)
    g_cancellable_cancel (stop);
}

int
__wrap_clock_gettime (clockid_t clock, struct timespec *time)
{
  (void) clock;
  *time = (struct timespec){ .tv_sec = (time_t) (now_us / 1000000),
                             .tv_nsec = (long) (now_us % 1000000) * 1000 };
  return 0;
}

/* What all programs took in half a second, without what this one took, for each second of it. */
static void
test_others (void)
{
  static const struct {
    double busy[2], own[2];
    gboolean stopped; /* after a twentieth of a second */
    double cores;
  } rows[] = {
    { { 100, 100 }, { 7, 7 }, FALSE, 0 },
    { { 100, 101 }, { 7, 7 }, FALSE, 2 },
    { { 100, 101 }, { 7, 7.25 }, FALSE, 1.5 },
    { { 0, 4 }, { 0, 1 }, FALSE, 6 },
    { { 100, 100.25 }, { 7, 7.25 }, FALSE, 0 },
    { { 100, 100.25 }, { 7, 8 }, FALSE, 0 }, /* the one is counted later than the other */
    { { 100, 100.5 }, { 7, 7.25 }, TRUE, 5 },
    { { -1, -1 }, { 7, 7 }, FALSE, -1 }, /* it isn't told */
  };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (GCancellable) cancel = g_cancellable_new ();
      double cores;

      for (guint k = 0; k < 2; k++)
        {
          busy_s[k] = rows[i].busy[k];
          own_s[k] = rows[i].own[k];
        }
      asked_busy = asked_own = 0;
      now_us = 5000000;
      stop = rows[i].stopped ? cancel : NULL;
      cores = ls_machine_others (cancel);
      if (fabs (cores - rows[i].cores) > 1e-9)
        g_error ("row %zu: others use %g cores, not %g", i, cores, rows[i].cores);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/lab/others", test_others);
  return g_test_run ();
}
