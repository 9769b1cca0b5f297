/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * LsPool: the CPU lane's worker threads. Worker 0 is the thread that calls ls_pool_run(); the others are made
 * with pthread_create, which returns an error where GLib's g_thread_new would end the process, and are as
 * nice as the thread that makes the pool: nicer than that, and beside another program it would wait for them
 * at each barrier.
 *
 * A job costs two hand-overs: "go" (a counter that workers watch) and the closing barrier (a count of workers
 * still busy). Both watchers spin for a while, since who sleeps comes late, and then sleep on a condition
 * variable: at once after ls_pool_park(), another lane may want the cores, and when another program has had
 * the processor; soon, where another program wants one of them (ls_placement_watch_ns()).
 *
 * Only atomics with sequential consistency and pthread mutexes are used, so that ThreadSanitizer understands
 * it.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct _LsPool LsPool;

/* What each worker does once per job. */
typedef void (*LsPoolFunc) (gpointer data, guint worker);

/* n_wanted ≥ 1 workers. Where the system refuses a thread the pool goes on with those it has: see
 * ls_pool_size(). spin_ns: how long to watch before sleeping; 0 where there are more workers than processors.
 */
LsPool *ls_pool_new (guint n_wanted, guint64 spin_ns);
void ls_pool_free (LsPool *pool);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (LsPool, ls_pool_free)

guint ls_pool_size (const LsPool *pool); /* workers, the caller among them */
/* Calls func (data, w) for every worker w, each on its own thread, and returns when all have returned. What
 * the caller wrote before is seen by the workers, and the other way round. Always the same calling thread. */
void ls_pool_run (LsPool *pool, LsPoolFunc func, gpointer data);
/* The same for a func that shares the work out as it goes, and returns when there is none left: whoever isn't
 * on a core by then isn't waited for, and may not call it for this job. It may also call it twice. */
void ls_pool_share (LsPool *pool, LsPoolFunc func, gpointer data);
/* Sends the workers to sleep; the next job wakes them. */
void ls_pool_park (LsPool *pool);
/* Processor time that the worker's thread has had, ns; 0: the system doesn't tell. Asked by the calling
 * thread, worker 0. */
guint64 ls_pool_cpu_ns (const LsPool *pool, guint worker);

G_END_DECLS
