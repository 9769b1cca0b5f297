/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Who was on which processor when its latest job began: see placement.h. All of it is a hint: a worker may be
 * gone again by the time that another one reads where it was, and is then left alone for nothing, or passed
 * for nothing.
 */
#include "config.h"
#include "backends/cpu/placement.h"

#include <math.h>
#include <sched.h>
#include <stdatomic.h>
#include <unistd.h>

#include "trace/event.h"
#include "trace/load.h"

#define CACHE_LINE   64
#define N_PROCESSORS 1024 /* workers on others aren't looked after */
#define NOBODY       0
/* A worker that looked for another processor stays for a quarter of a millisecond at least; twice as long
 * each time that there was none. It stays so many times longer than the move took that little is lost: that
 * is long where it had to wait for the processor because somebody else was there, and short where the kernel
 * brings it back at the start of each turn. */
#define PATIENCE_NS 250000
/* two workers on one processor are half as fast: no longer than a viewer would notice */
#define MOST_PATIENCE_NS 1000000000
#define SOON             4  /* patiences */
#define WORTH            32 /* waits */
/* Between two looks at how many others there are, and the share of the newest look in their average. */
#define ASK_NS    5000000
#define NEWEST    0.125
#define BESIDE_NS 20000 /* to watch beside others: longer than from one op to the next */

typedef struct {
  _Alignas(CACHE_LINE) atomic_int processor;
  guint64 looked_ns, patience_ns; /* its own thread's */
  guint64 held_ns;                /* since when it is bound; 0: it isn't */
  int held_on;                    /* the processor */
  cpu_set_t allowed;              /* while it is bound: where it may go after that */
} Place;

struct _LsPlacement {
  guint n_workers, n_processors;
  int running; /* the file that says how many threads run; −1: there is none */
  guint64 asked_ns;
  double others;
  atomic_uint *on; /* N_PROCESSORS: 1 + the worker that was there last; NOBODY */
  Place places[];
};

/* That this thread may run on; 0: the system doesn't tell. */
static guint
count_processors (void)
{
  cpu_set_t allowed;

  return sched_getaffinity (0, sizeof allowed, &allowed) == 0 ? (guint) CPU_COUNT (&allowed) : 0;
}

LsPlacement *
ls_placement_new (guint n_workers)
{
  LsPlacement *self = g_aligned_alloc0 (1, sizeof (LsPlacement) + n_workers * sizeof (Place), CACHE_LINE);

  self->n_workers = n_workers;
  self->n_processors = count_processors ();
  self->running = ls_machine_running_open ();
  self->on = g_new0 (atomic_uint, N_PROCESSORS);
  for (guint w = 0; w < n_workers; w++)
    atomic_init (&self->places[w].processor, -1);
  return self;
}

void
ls_placement_free (LsPlacement *self)
{
  if (self == NULL)
    return;
  if (self->running >= 0)
    close (self->running);
  g_free (self->on);
  g_aligned_free (self);
}

/* One of those that this thread may run on and no worker was on when its job began; −1: there is none. */
static int
find_free (LsPlacement *self, const cpu_set_t *allowed)
{
  cpu_set_t free = *allowed;

  for (guint w = 0; w < self->n_workers; w++)
    {
      const int processor = atomic_load_explicit (&self->places[w].processor, memory_order_relaxed);
      if (processor >= 0)
        CPU_CLR ((gsize) processor, &free);
    }
  for (int processor = 0; processor < N_PROCESSORS; processor++)
    if (CPU_ISSET ((gsize) processor, &free))
      return processor;
  return -1;
}

/* There, and bound to it for a while. */
static gboolean
go (LsPlacement *self, guint worker, int processor)
{
  cpu_set_t there;

  CPU_ZERO (&there);
  CPU_SET ((gsize) processor, &there);
  if (sched_setaffinity (0, sizeof there, &there) != 0)
    return FALSE;
  self->places[worker].held_ns = ls_clock_ns ();
  self->places[worker].held_on = processor;
  atomic_store_explicit (&self->places[worker].processor, processor, memory_order_relaxed);
  atomic_store_explicit (&self->on[processor], worker + 1, memory_order_relaxed);
  return TRUE;
}

/* Whoever gave it other processors meanwhile is obeyed. */
static void
let_go (Place *place)
{
  cpu_set_t now;

  if (place->held_ns == 0 || ls_clock_ns () - place->held_ns < LS_PLACEMENT_HOLD_NS)
    return;
  if (sched_getaffinity (0, sizeof now, &now) == 0 && CPU_COUNT (&now) == 1
      && CPU_ISSET ((gsize) place->held_on, &now))
    sched_setaffinity (0, sizeof place->allowed, &place->allowed);
  place->held_ns = 0;
}

static gboolean
part (LsPlacement *self, guint worker)
{
  Place *place = &self->places[worker];
  const guint64 now_ns = ls_clock_ns (), stayed_ns = now_ns - place->looked_ns;
  gboolean went;
  int processor;

  if (stayed_ns < place->patience_ns
      || (place->held_ns == 0 && sched_getaffinity (0, sizeof place->allowed, &place->allowed) != 0))
    return FALSE;
  processor = find_free (self, &place->allowed);
  went = processor >= 0 && go (self, worker, processor);
  place->patience_ns = !went && stayed_ns < SOON * place->patience_ns ? 2 * place->patience_ns : PATIENCE_NS;
  place->looked_ns = ls_clock_ns ();
  place->patience_ns = MIN (MAX (place->patience_ns, WORTH * (place->looked_ns - now_ns)), MOST_PATIENCE_NS);
  return went;
}

gboolean
ls_placement_look (LsPlacement *self, guint worker)
{
  Place *place = &self->places[worker];
  const int processor = sched_getcpu ();
  guint other;

  if (processor < 0 || processor >= N_PROCESSORS)
    return FALSE;
  let_go (place);
  /* what others read is written only where it changes: else the cache line would go round all processors for
   * each job */
  if (atomic_load_explicit (&place->processor, memory_order_relaxed) != processor)
    atomic_store_explicit (&place->processor, processor, memory_order_relaxed);
  other = atomic_load_explicit (&self->on[processor], memory_order_relaxed);
  if (other == worker + 1)
    return FALSE;
  atomic_store_explicit (&self->on[processor], worker + 1, memory_order_relaxed);
  if (other == NOBODY
      || atomic_load_explicit (&self->places[other - 1].processor, memory_order_relaxed) != processor)
    return FALSE;
  return part (self, worker);
}

guint64
ls_placement_watch_beside (double others, guint n_workers, guint n_processors, guint64 watch_ns)
{
  const gboolean crowded = others + n_workers >= n_processors + .5, room = others <= n_processors - .5;

  return n_processors > 0 && crowded && room ? MIN (watch_ns, BESIDE_NS) : watch_ns;
}

guint64
ls_placement_watch_ns (LsPlacement *self, guint n_awake, guint64 watch_ns)
{
  const guint64 now_ns = ls_clock_ns ();

  if (self->running >= 0 && now_ns - self->asked_ns >= ASK_NS)
    {
      self->asked_ns = now_ns;
      self->others += NEWEST
                      * (fmax (0, (double) ls_machine_running (self->running) - n_awake) - self->others);
    }
  return ls_placement_watch_beside (self->others, self->n_workers, self->n_processors, watch_ns);
}
