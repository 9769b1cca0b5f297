/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a walk, or a recorded step, needs is built before the lane is asked for it: in a process of its own
 * (LsBackend.warm_walk), on a thread beside the lanes, which train on meanwhile. A driver's compiler may take
 * a quarter of a minute for it; the lane then finds it in the driver's cache. Once for each op and rung, as
 * long as the lane's kernels and their choice stay the same.
 */
#include "config.h"
#include "train/private.h"

#include <sys/resource.h>
#include <unistd.h>

#include "backends/kernel_files.h"

#define WARM_NICE 10
#define LONG_NS   60000000000u

/* Shared by the coordinator and the thread; freed by whoever leaves last. */
struct _LsWarm {
  const LsBackend *backend;
  LsOptions *options;
  LsPlan *plan;
  LsData *data;
  LsKernelFiles *files; /* or NULL */
  LsSignal *signal;
  LsWalkWish wish;
  char *key;
  guint64 begun_ns;
  LsKernelTrial progress;
  gint over; /* atomic */
};

static void
warm_clear_cb (gpointer data)
{
  LsWarm *warm = data;

  ls_options_free (warm->options);
  ls_plan_unref (warm->plan);
  ls_data_unref (warm->data);
  ls_kernel_files_unref (warm->files);
  ls_signal_unref (warm->signal);
  g_free (warm->key);
}

static void
warm_unref (LsWarm *warm)
{
  g_atomic_rc_box_release_full (warm, warm_clear_cb);
}

static void *
warm_thread (void *data)
{
  LsWarm *warm = data;

  setpriority (PRIO_PROCESS, (id_t) gettid (), WARM_NICE); /* the child inherits it */
  warm->backend->warm_walk (warm->options, warm->plan, warm->data, warm->files, &warm->wish, &warm->progress);
  g_atomic_int_set (&warm->over, TRUE);
  ls_signal_raise (warm->signal);
  warm_unref (warm);
  return NULL;
}

static char *
key_of (const LsCoordinator *self, const LsSeat *seat, const LsWalkWish *wish)
{
  const LsOptions *o = self->options;

  return g_strdup_printf ("%d %d %u %s %d %d %d %d", wish->op, wish->rung, seat->kernels_serial, o->kernel,
                          o->tile, o->tuned, o->fusion, o->batch_from);
}

static void
begin (LsCoordinator *self, LsSeat *seat, const LsWalkWish *wish, const char *key)
{
  LsWarm *warm = g_atomic_rc_box_new0 (LsWarm);
  pthread_t thread;

  warm->backend = seat->lane->backend;
  warm->options = ls_options_copy (self->options);
  warm->plan = ls_plan_ref (self->plan);
  warm->data = ls_data_ref (self->data);
  warm->files = seat->kernels != NULL ? ls_kernel_files_ref (seat->kernels) : NULL;
  warm->signal = ls_signal_ref (self->signal);
  warm->wish = *wish;
  warm->key = g_strdup (key);
  warm->begun_ns = ls_clock_ns ();
  g_atomic_rc_box_acquire (warm);
  if (pthread_create (&thread, NULL, warm_thread, warm) == 0)
    {
      pthread_detach (thread);
      seat->warm = warm;
      return;
    }
  /* without a thread the lane builds it itself */
  g_hash_table_add (seat->warmed, g_strdup (key));
  warm_unref (warm);
  warm_unref (warm);
}

gboolean
ls_seat_is_warm (const LsCoordinator *self, const LsSeat *seat, const LsWalkWish *wish)
{
  g_autofree char *key = NULL;

  /* whoever wishes for all of them waits for all of them */
  if (seat->lane->backend->warm_walk == NULL || self->walk_wish.op == LS_WALK_ALL_OPS)
    return TRUE;
  key = key_of (self, seat, wish);
  return seat->warmed != NULL && g_hash_table_contains (seat->warmed, key);
}

gboolean
ls_seat_warms_long (const LsSeat *seat)
{
  return seat->warm != NULL && ls_clock_ns () - seat->warm->begun_ns > LONG_NS;
}

void
ls_seat_collect_warm (LsSeat *seat)
{
  if (seat->warm == NULL || !g_atomic_int_get (&seat->warm->over))
    return;
  g_hash_table_add (seat->warmed, g_strdup (seat->warm->key));
  g_clear_pointer (&seat->warm, warm_unref);
}

gboolean
ls_coordinator_warm_walk (LsCoordinator *self, LsSeat *seat, const LsWalkWish *wish)
{
  g_autofree char *key = key_of (self, seat, wish);

  if (seat->warmed == NULL)
    seat->warmed = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  ls_seat_collect_warm (seat);
  if (ls_seat_is_warm (self, seat, wish))
    return TRUE;
  if (seat->warm == NULL)
    begin (self, seat, wish, key);
  return ls_seat_is_warm (self, seat, wish);
}

void
ls_seat_drop_warm (LsSeat *seat)
{
  if (seat->warm == NULL)
    return;
  g_atomic_int_set (&seat->warm->progress.cancelled, TRUE);
  g_clear_pointer (&seat->warm, warm_unref);
}
