/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * LsSignal: see lane.h. pthreads, not GMutex, so that ThreadSanitizer understands the hand-over.
 */
#include "train/lane/lane.h"

#include <time.h>

LsSignal *
ls_signal_new (void)
{
  LsSignal *signal = g_new0 (LsSignal, 1);
  pthread_condattr_t attr;

  signal->ref_count = 1;
  pthread_mutex_init (&signal->mutex, NULL);
  pthread_condattr_init (&attr);
  pthread_condattr_setclock (&attr, CLOCK_MONOTONIC);
  pthread_cond_init (&signal->cond, &attr);
  pthread_condattr_destroy (&attr);
  return signal;
}

LsSignal *
ls_signal_ref (LsSignal *signal)
{
  g_atomic_int_inc (&signal->ref_count);
  return signal;
}

void
ls_signal_unref (LsSignal *signal)
{
  if (signal == NULL || !g_atomic_int_dec_and_test (&signal->ref_count))
    return;
  pthread_cond_destroy (&signal->cond);
  pthread_mutex_destroy (&signal->mutex);
  g_free (signal);
}

void
ls_signal_raise (LsSignal *signal)
{
  pthread_mutex_lock (&signal->mutex);
  signal->n++;
  pthread_cond_broadcast (&signal->cond);
  pthread_mutex_unlock (&signal->mutex);
}

struct timespec
ls_deadline (guint timeout_ms)
{
  struct timespec until;

  clock_gettime (CLOCK_MONOTONIC, &until);
  until.tv_sec += timeout_ms / 1000;
  until.tv_nsec += (long) (timeout_ms % 1000) * 1000000;
  if (until.tv_nsec >= 1000000000)
    {
      until.tv_sec++;
      until.tv_nsec -= 1000000000;
    }
  return until;
}

gboolean
ls_signal_wait (LsSignal *signal, guint64 *seen, guint timeout_ms)
{
  const struct timespec until = ls_deadline (timeout_ms);
  gboolean raised;
  int rc = 0;

  pthread_mutex_lock (&signal->mutex);
  while (signal->n == *seen && rc == 0)
    rc = timeout_ms == G_MAXUINT ? pthread_cond_wait (&signal->cond, &signal->mutex)
                                 : pthread_cond_timedwait (&signal->cond, &signal->mutex, &until);
  raised = signal->n != *seen;
  *seen = signal->n;
  pthread_mutex_unlock (&signal->mutex);
  return raised;
}
