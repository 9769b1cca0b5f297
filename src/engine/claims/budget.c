/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What time claims may take: how long each is measured when all are run, and a run that ends when its time is
 * over.
 */
#include "config.h"

#include "claims/budget.h"
#include "claims/claims.h"

#define LEAST_S 1.

double
ls_claims_seconds (double left, guint n, double asked, double beside)
{
  const double share = n > 0 ? left / n - MAX (beside, 0) : 0, least = MIN (LEAST_S, asked);

  if (n == 0 || !(left >= least))
    return 0;
  return CLAMP (share, least, asked);
}

/* ---- a run's own clock ---- */

struct _LsClaimClock {
  GCancellable *cancel, *above;
  gulong link;
  GThread *thread; /* NULL: no time is set */
  GMutex lock;
  GCond changed;
  gint64 end;            /* µs, monotonic */
  gboolean done, passed; /* with the lock */
};

static gpointer
wait_cb (gpointer data)
{
  LsClaimClock *clock = data;
  gboolean passed;

  g_mutex_lock (&clock->lock);
  while (!clock->done && !clock->passed)
    clock->passed = !g_cond_wait_until (&clock->changed, &clock->lock, clock->end);
  passed = clock->passed;
  g_mutex_unlock (&clock->lock);
  if (passed)
    g_cancellable_cancel (clock->cancel);
  return NULL;
}

static void
stop_cb (GCancellable *above, gpointer data)
{
  g_cancellable_cancel (data);
}

LsClaimClock *
ls_claim_clock_new (double seconds, GCancellable *above)
{
  LsClaimClock *clock = g_new0 (LsClaimClock, 1);

  g_mutex_init (&clock->lock);
  g_cond_init (&clock->changed);
  clock->cancel = g_cancellable_new ();
  clock->above = above != NULL ? g_object_ref (above) : NULL;
  if (above != NULL)
    clock->link = g_cancellable_connect (above, G_CALLBACK (stop_cb), clock->cancel, NULL);
  if (seconds > 0)
    {
      clock->end = g_get_monotonic_time () + (gint64) (seconds * G_USEC_PER_SEC);
      clock->thread = g_thread_new ("claim-clock", wait_cb, clock);
    }
  return clock;
}

GCancellable *
ls_claim_clock_cancel (const LsClaimClock *clock)
{
  return clock->cancel;
}

gboolean
ls_claim_clock_passed (LsClaimClock *clock)
{
  gboolean passed;

  g_mutex_lock (&clock->lock);
  passed = clock->passed;
  g_mutex_unlock (&clock->lock);
  return passed;
}

void
ls_claim_clock_free (LsClaimClock *clock)
{
  if (clock == NULL)
    return;
  g_mutex_lock (&clock->lock);
  clock->done = TRUE;
  g_cond_signal (&clock->changed);
  g_mutex_unlock (&clock->lock);
  if (clock->thread != NULL)
    g_thread_join (clock->thread);
  if (clock->above != NULL)
    g_cancellable_disconnect (clock->above, clock->link);
  g_clear_object (&clock->above);
  g_object_unref (clock->cancel);
  g_cond_clear (&clock->changed);
  g_mutex_clear (&clock->lock);
  g_free (clock);
}
