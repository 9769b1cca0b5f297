/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The pool's hand-overs: see pool.h. Why no wake-up is lost: a watcher that wants to sleep first says so
 * (`sleepers`), then looks once more at what it waits for; the other side first changes that, then looks at
 * `sleepers`. In the one order that all sequentially consistent operations have, one of the two sees the
 * other. The mutex closes the gap between the last look and the sleep.
 *
 * Jobs are counted in twos; the lowest bit says that everybody has to take part (ls_pool_run()). `busy` is
 * then the number of those who haven't finished. Else (ls_pool_share()) it is the number of those inside, and
 * OPEN as long as the caller lets more in. Who comes late, by the number of a job that is over, finds the
 * door shut, or that of the next job open, and helps there.
 */
#include "config.h"
#include "backends/cpu/pool.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <unistd.h>

#include "backends/cpu/denormals.h"
#include "backends/cpu/placement.h"
#include "trace/event.h"

#define CACHE_LINE      64
#define ALL             1u /* the bit of `job` */
#define OPEN            0x80000000u
#define TAKEN_NS        20000 /* between two looks at the clock: another program had the processor, and wants it */
#define SPINS_PER_CLOCK 32     /* reading the clock costs about as much as this many pauses do */
#define WAKE_NS         100000 /* beside other programs, between two times that sleepers are woken */

/* Somewhere to sleep until a value changes. */
typedef struct {
  pthread_mutex_t mutex;
  pthread_cond_t changed;
  atomic_uint sleepers;
} Gate;

typedef struct {
  LsPool *pool;
  guint index;
  pthread_t thread;
} Worker;

struct _LsPool {
  _Alignas(CACHE_LINE) atomic_uint job; /* counts jobs, in twos, and ALL; a change means "go" */
  atomic_bool parked;
  _Alignas(CACHE_LINE) atomic_uint busy; /* workers that haven't finished the job, and OPEN */
  _Alignas(CACHE_LINE) LsPoolFunc func;  /* NULL ends the workers; written while nobody is inside */
  gpointer data;
  guint n_workers;
  guint64 spin_ns;
  _Atomic guint64 start_spin_ns; /* spin_ns, or less beside other programs */
  guint64 woke_ns;               /* the caller's: when it last woke those who slept */
  Gate start, end;
  LsPlacement *placement;
  Worker *workers; /* [0] stands for the caller */
};

static inline void
pause_briefly (void)
{
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause ();
#elif defined(__aarch64__)
  __asm__ volatile("yield");
#endif
}

static void
gate_init (Gate *gate)
{
  pthread_mutex_init (&gate->mutex, NULL);
  pthread_cond_init (&gate->changed, NULL);
  atomic_init (&gate->sleepers, 0);
}

static void
gate_clear (Gate *gate)
{
  pthread_cond_destroy (&gate->changed);
  pthread_mutex_destroy (&gate->mutex);
}

/* Waits until *value isn't `old` (leave = TRUE) or is it (leave = FALSE). */
static void
gate_wait (Gate *gate, atomic_uint *value, guint old, gboolean leave, guint64 spin_ns, atomic_bool *parked)
{
  guint64 deadline = 0, last = 0;

  for (guint i = 1; spin_ns > 0; i++)
    {
      if ((atomic_load (value) != old) == leave)
        return;
      pause_briefly ();
      if (i % SPINS_PER_CLOCK != 0)
        continue;
      const guint64 now = ls_clock_ns ();
      if (deadline == 0)
        deadline = now + spin_ns;
      else if (now > deadline || now - last > TAKEN_NS || (parked && atomic_load (parked)))
        break;
      last = now;
    }

  pthread_mutex_lock (&gate->mutex);
  atomic_fetch_add (&gate->sleepers, 1);
  while ((atomic_load (value) != old) != leave)
    pthread_cond_wait (&gate->changed, &gate->mutex);
  atomic_fetch_sub (&gate->sleepers, 1);
  pthread_mutex_unlock (&gate->mutex);
}

/* To be called after the value has changed. */
static void
gate_wake (Gate *gate)
{
  if (atomic_load (&gate->sleepers) == 0)
    return;
  pthread_mutex_lock (&gate->mutex);
  pthread_cond_broadcast (&gate->changed);
  pthread_mutex_unlock (&gate->mutex);
}

/* Into the job, if its door is still open. */
static gboolean
enter (LsPool *pool)
{
  guint busy = atomic_load (&pool->busy);

  while (busy & OPEN)
    if (atomic_compare_exchange_weak (&pool->busy, &busy, busy + 1))
      return TRUE;
  return FALSE;
}

static void *
worker_main (void *data)
{
  Worker *worker = data;
  LsPool *pool = worker->pool;
  char name[16];

  g_snprintf (name, sizeof name, "cpu-worker-%u", worker->index);
  pthread_setname_np (pthread_self (), name);
  ls_denormals_flush ();

  for (guint job = 0;;)
    {
      gate_wait (&pool->start, &pool->job, job, TRUE, atomic_load (&pool->start_spin_ns), &pool->parked);
      job = atomic_load (&pool->job);
      if (!(job & ALL) && !enter (pool))
        continue;
      if (pool->func == NULL)
        return NULL;
      ls_placement_look (pool->placement, worker->index);
      pool->func (pool->data, worker->index);
      if (atomic_fetch_sub (&pool->busy, 1) == 1)
        gate_wake (&pool->end);
    }
}

/* Workers take no signals: Ctrl-C belongs to the program's own threads. */
static void
start_workers (LsPool *pool, guint n_wanted)
{
  sigset_t all, before;

  sigfillset (&all);
  pthread_sigmask (SIG_SETMASK, &all, &before);
  for (pool->n_workers = 1; pool->n_workers < n_wanted; pool->n_workers++)
    {
      Worker *worker = &pool->workers[pool->n_workers];
      worker->pool = pool;
      worker->index = pool->n_workers;
      if (pthread_create (&worker->thread, NULL, worker_main, worker) != 0)
        break;
    }
  pthread_sigmask (SIG_SETMASK, &before, NULL);
}

LsPool *
ls_pool_new (guint n_wanted, guint64 spin_ns)
{
  LsPool *pool = g_aligned_alloc0 (1, sizeof (LsPool), CACHE_LINE);

  n_wanted = CLAMP (n_wanted, 1, LS_MAX_WORKERS);
  atomic_init (&pool->job, 0);
  atomic_init (&pool->busy, 0);
  atomic_init (&pool->parked, TRUE);
  gate_init (&pool->start);
  gate_init (&pool->end);
  pool->spin_ns = spin_ns;
  atomic_init (&pool->start_spin_ns, spin_ns);
  pool->workers = g_new0 (Worker, n_wanted);
  pool->placement = ls_placement_new (n_wanted);
  start_workers (pool, n_wanted);
  return pool;
}

/* Beside other programs workers watch for a short while, and are woken for a job only now and then: woken on
 * the caller's processor, a worker takes it for as long as the switch and a small op last together. */
static gboolean
look_around (LsPool *pool)
{
  const guint n_awake = pool->n_workers - MIN (atomic_load (&pool->start.sleepers), pool->n_workers - 1);
  const guint64 spin_ns = ls_placement_watch_ns (pool->placement, n_awake, pool->spin_ns);
  guint64 now_ns;

  /* others read it: written only where it changes */
  if (spin_ns != atomic_load (&pool->start_spin_ns))
    atomic_store (&pool->start_spin_ns, spin_ns);
  if (spin_ns == pool->spin_ns)
    return TRUE;
  now_ns = ls_clock_ns ();
  if (now_ns - pool->woke_ns < WAKE_NS)
    return FALSE;
  pool->woke_ns = now_ns;
  return TRUE;
}

static void
start_job (LsPool *pool, LsPoolFunc func, gpointer data, gboolean all)
{
  const guint job = atomic_load (&pool->job);
  const gboolean wake = look_around (pool);

  pool->func = func;
  pool->data = data;
  atomic_store (&pool->busy, all ? pool->n_workers - 1 : OPEN);
  atomic_store (&pool->parked, FALSE);
  atomic_store (&pool->job, ((job | ALL) + 1) | (all ? ALL : 0));
  if (wake || all)
    gate_wake (&pool->start);
}

void
ls_pool_free (LsPool *pool)
{
  if (pool == NULL)
    return;
  start_job (pool, NULL, NULL, TRUE);
  for (guint i = 1; i < pool->n_workers; i++)
    pthread_join (pool->workers[i].thread, NULL);
  gate_clear (&pool->start);
  gate_clear (&pool->end);
  ls_placement_free (pool->placement);
  g_free (pool->workers);
  g_aligned_free (pool);
}

guint
ls_pool_size (const LsPool *pool)
{
  return pool->n_workers;
}

void
ls_pool_run (LsPool *pool, LsPoolFunc func, gpointer data)
{
  if (pool->n_workers == 1)
    {
      func (data, 0);
      return;
    }
  start_job (pool, func, data, TRUE);
  ls_placement_look (pool->placement, 0);
  func (data, 0);
  gate_wait (&pool->end, &pool->busy, 0, FALSE, pool->spin_ns, NULL);
}

void
ls_pool_share (LsPool *pool, LsPoolFunc func, gpointer data)
{
  if (pool->n_workers == 1)
    {
      func (data, 0);
      return;
    }
  start_job (pool, func, data, FALSE);
  ls_placement_look (pool->placement, 0);
  func (data, 0);
  if (atomic_fetch_and (&pool->busy, ~OPEN) != OPEN)
    gate_wait (&pool->end, &pool->busy, 0, FALSE, pool->spin_ns, NULL);
}

void
ls_pool_park (LsPool *pool)
{
  atomic_store (&pool->parked, TRUE);
}

guint64
ls_pool_cpu_ns (const LsPool *pool, guint worker)
{
  clockid_t clock = CLOCK_THREAD_CPUTIME_ID;
  struct timespec t;

  if ((worker > 0 && pthread_getcpuclockid (pool->workers[worker].thread, &clock) != 0)
      || clock_gettime (clock, &t) != 0)
    return 0;
  return (guint64) t.tv_sec * 1000000000u + (guint64) t.tv_nsec;
}
