/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * LsPlacement: keeps a pool's workers apart. A worker that another program's thread displaces (a window that
 * paints, sixty times a second) wakes up again on whichever processor is idle for a moment; then two workers
 * share one processor, and the scheduler, which looks for such cases only every few milliseconds, leaves them
 * there for many steps. A worker that finds another one on its processor goes to one without, and is bound to
 * it for a moment: schedulers that keep threads on few processors until they have been busy for a while would
 * bring it back within a millisecond, after each rest. None is bound for longer: where another program wants
 * a processor for itself, the scheduler puts the workers together again, and they are taken apart less and
 * less often.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define LS_PLACEMENT_HOLD_NS 10000000 /* a worker's first job after so long may run anywhere again */

typedef struct _LsPlacement LsPlacement;

LsPlacement *ls_placement_new (guint n_workers);
void ls_placement_free (LsPlacement *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (LsPlacement, ls_placement_free)

/* To be called on the worker's own thread before each of its jobs; costs some nanoseconds while it stays
 * where it was and alone. TRUE: it has gone to another processor. */
gboolean ls_placement_look (LsPlacement *self, guint worker);

/* How long a worker may watch for its next job before it sleeps; at most watch_ns. To be called by one
 * thread, before a job; n_awake: workers that don't sleep, that thread among them. Every few milliseconds it
 * asks the system how many threads want a processor. */
guint64 ls_placement_watch_ns (LsPlacement *self, guint n_awake, guint64 watch_ns);
/* The same of so many threads beside the workers, on average. Where they and the workers are more than there
 * are processors, and the others fewer, a worker that watches holds up the one that it waits for: the
 * scheduler takes turns among all of them, and those at work are put together on one processor. Where others
 * want every processor, a worker that sleeps comes back only when one of their turns is over. */
guint64 ls_placement_watch_beside (double others, guint n_workers, guint n_processors, guint64 watch_ns);

G_END_DECLS
