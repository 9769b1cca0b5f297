/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How many cores other programs use, beside a processor and a clock that the test plays; and by what a
 * machine is told from others.
 */
#include "config.h"

#include <math.h>
#include <sched.h>
#include <string.h>
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

/* By the key it is told whether a result is of this machine: the processor's name, how many there are, and
 * how many of them may be used, which the sentence says, too. */
static void
test_which (void)
{
  const glong online = sysconf (_SC_NPROCESSORS_ONLN);
  g_autofree char *ends = g_strdup_printf ("|%ld|1", online),
                  *says = g_strdup_printf (online == 1 ? ", %ld processor, of which 1 may be used; "
                                                       : ", %ld processors, of which 1 may be used; ",
                                           online);
  cpu_set_t all, one;

  CPU_ZERO (&one);
  CPU_SET (sched_getcpu (), &one);
  g_assert_cmpint (sched_getaffinity (0, sizeof all, &all), ==, 0);
  g_assert_cmpint (sched_setaffinity (0, sizeof one, &one), ==, 0);
  g_autofree char *key = ls_machine_key (), *text = ls_machine_text ();
  g_assert_cmpint (sched_setaffinity (0, sizeof all, &all), ==, 0);
  if (!g_str_has_suffix (key, ends))
    g_error ("with one processor for it the machine's key is “%s”, and should end with “%s”", key, ends);
  if (strstr (text, says) == NULL)
    g_error ("with one processor for it the machine is “%s”, which should hold “%s”", text, says);
  /* both begin with the processor's name, if it is known */
  g_autofree char *name = g_strndup (key, strlen (key) - strlen (ends));
  if (*name != '\0' ? !g_str_has_prefix (text, name) : !g_str_has_prefix (text, "unknown processor"))
    g_error ("the machine “%s” has the key “%s”", text, key);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/lab/others", test_others);
  g_test_add_func ("/lab/which-machine", test_which);
  return g_test_run ();
}
