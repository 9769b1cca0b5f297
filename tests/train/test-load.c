/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What else the lanes' rates depend on while they train (train/load.c), on a machine with eight processors
 * whose counters are played: how many cores other programs use, and the processors' clock.
 */
#include <math.h>
#include <string.h>
#include <unistd.h>

#include "rig.h"
#include "trace/event.h"

#define CORES 8
#define OWN   2. /* cores that the lanes use */
#define MHZ   3000.

#define NEWEST 10 /* looks that weigh */

static _Thread_local double clock_s; /* what was read last */
static glong speed = 1;              /* of that clock: so many seconds in each */

/* The counters; looks are taken by one thread, and the lock is for the test's. */
static GMutex lock;
static struct {
  gboolean no_busy, no_own; /* the system doesn't say */
  const double *others;     /* cores that others use before each look to come; the last stays */
  guint n_others;
  double looked_s, others_s;
  guint looks;
  double mean, told[32]; /* of those that are; what there is to be told after each, from −1 */
  guint n;
} played;

guint __wrap_g_get_num_processors (void);
int __wrap_clock_gettime (clockid_t id, struct timespec *t);
int __real_clock_gettime (clockid_t id, struct timespec *t);
double __wrap_ls_machine_busy_s (void);
double __wrap_ls_machine_family_s (int pid);
double __wrap_ls_machine_clock_mhz (const char *root);

guint
__wrap_g_get_num_processors (void)
{
  return CORES;
}

int
__wrap_clock_gettime (clockid_t id, struct timespec *t)
{
  const int status = __real_clock_gettime (id, t);

  if (id == CLOCK_MONOTONIC_RAW)
    {
      const glong ns = t->tv_nsec * speed;

      t->tv_sec = t->tv_sec * speed + ns / 1000000000;
      t->tv_nsec = ns % 1000000000;
      clock_s = (double) t->tv_sec + (double) t->tv_nsec / 1e9;
    }
  return status;
}

/* The first question of a look, which has just read the clock. */
double
__wrap_ls_machine_busy_s (void)
{
  double others, busy;

  g_mutex_lock (&lock);
  others = played.others[MIN (played.looks, played.n_others - 1)];
  played.looks++;
  played.others_s += others * (clock_s - played.looked_s);
  played.looked_s = clock_s;
  if (played.looks > 1 && !played.no_busy && played.n + 1 < G_N_ELEMENTS (played.told))
    {
      played.n++;
      played.mean += (CLAMP (others, 0, CORES) - played.mean) / MIN (played.n, NEWEST);
      played.told[played.n] = played.mean;
    }
  busy = played.no_busy ? -1 : 5000 + OWN * clock_s + played.others_s;
  g_mutex_unlock (&lock);
  return busy;
}

double
__wrap_ls_machine_family_s (int pid)
{
  g_assert_cmpint (pid, ==, getpid ());
  return played.no_own ? -1 : 300 + OWN * clock_s;
}

double
__wrap_ls_machine_clock_mhz (const char *root)
{
  g_assert_cmpstr (root, ==, "");
  return played.looks % 2 == 1 ? MHZ : 0;
}

/* The lanes begin to train, or go on, after a rest, which the first of these cores were used in: from the
 * second look on there is something to tell. */
static void
play (LsCoordinator *c, const double *others, guint n, gboolean no_busy)
{
  g_mutex_lock (&lock);
  played.others = others;
  played.n_others = n;
  played.looks = 0;
  played.no_busy = no_busy;
  g_mutex_unlock (&lock);
  ls_coordinator_run (c, LS_STEPS_ENDLESS);
}

/* Until so many looks are told of: each tells one of the means that there were. */
static void
until (LsCoordinator *c, guint looks)
{
  const gint64 end_us = g_get_monotonic_time () + 120 * G_USEC_PER_SEC;

  for (guint told = 0; told < looks;)
    {
      g_autoptr (LsSnapshot) s = ls_coordinator_take (c);
      guint which = 0;

      if (g_get_monotonic_time () > end_us)
        g_error ("in two minutes nobody looked at the machine %u times", looks);
      g_usleep (5000);
      if (s == NULL)
        continue;
      g_mutex_lock (&lock);
      while (which < played.n && fabs (s->load.others - played.told[which]) > 1e-6)
        which++;
      if (fabs (s->load.others - played.told[which]) > 1e-6)
        g_error ("it is told that others use %g cores; after %u looks it should be %g", s->load.others,
                 played.n, played.told[played.n]);
      g_mutex_unlock (&lock);
      told = which;
      g_assert_true (s->load.processors == CORES || told == 0);
      for (guint i = 0; i < 2; i++)
        if (s->load.clock_mhz[i] != 0 && s->load.clock_mhz[i] != MHZ)
          g_error ("the clock is told to be %g MHz, with what wasn't told", s->load.clock_mhz[i]);
    }
}

static LsCoordinator *
begin (LsOptions *options)
{
  static const double none[] = { 0 };

  memset (&played, 0, sizeof played);
  played.others = none;
  played.n_others = 1;
  played.no_busy = TRUE; /* while they open */
  played.told[0] = -1;
  g_atomic_int_set (&fake.run_ms, 50);
  return start_and_open (options, &fake_backend);
}

/* Of all that was busy, what isn't the lanes' own is others', in the mean of all looks; never more than there
 * is, nor less than nothing, though the system counts both at moments of their own; and what others do while
 * the lanes rest is nothing to them. */
static void
test_others (void)
{
  static const double at_first[] = { 5, 3 }, later[] = { 7, 1, 30, -2 };
  g_autoptr (LsOptions) options = tiny_options ();
  g_autoptr (LsCoordinator) c = begin (options);

  play (c, at_first, G_N_ELEMENTS (at_first), FALSE);
  until (c, 1);
  ls_coordinator_pause (c);
  ls_snapshot_unref (finish (c));
  play (c, later, G_N_ELEMENTS (later), FALSE);
  until (c, 4);
}

/* What was long ago counts for less and less: after ten looks each takes a tenth of what is told. */
static void
test_newest (void)
{
  static const double others[] = { 0, 5, 5, 5, 1 };
  g_autoptr (LsOptions) options = tiny_options ();
  g_autoptr (LsCoordinator) c = NULL;

  speed = 20;
  c = begin (options);
  play (c, others, G_N_ELEMENTS (others), FALSE);
  until (c, 20);
}

/* Where the system doesn't say how much all did, or how much of it was ours, nothing is told of others. */
static void
test_not_told (gconstpointer own)
{
  static const double some[] = { 3 };
  const gint64 end_us = g_get_monotonic_time () + 120 * G_USEC_PER_SEC;
  g_autoptr (LsOptions) options = tiny_options ();
  g_autoptr (LsCoordinator) c = begin (options);
  guint looks = 0;

  played.no_own = own != NULL;
  play (c, some, G_N_ELEMENTS (some), own == NULL);
  while (looks < 3 && g_get_monotonic_time () < end_us)
    {
      g_autoptr (LsSnapshot) s = ls_coordinator_take (c);

      g_mutex_lock (&lock);
      looks = played.looks;
      g_mutex_unlock (&lock);
      if (s != NULL && s->load.processors > 0 && s->load.others != -1)
        g_error ("others are told to use %g cores, and nobody knows", s->load.others);
      g_usleep (5000);
    }
  g_assert_cmpuint (looks, >=, 3);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/train/load/others", test_others);
  g_test_add_data_func ("/train/load/busy-not-told", NULL, test_not_told);
  g_test_add_data_func ("/train/load/own-not-told", "own", test_not_told);
  g_test_add_func ("/train/load/newest", test_newest);
  return g_test_run ();
}
