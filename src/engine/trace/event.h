/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * LsEvent: what happened, in 32 bytes. LsTrace: one ring of events per worker, each written by one thread
 * only, so that writing takes neither lock nor atomic read-modify-write. A full ring counts what it drops;
 * nothing is hidden.
 *
 * Time is CLOCK_MONOTONIC_RAW in nanoseconds (ls_clock_ns()). A device's own times are mapped onto it by a
 * calibration whose error is kept in the trace. Where only the order is known (LS_CLOCK_ORDER) start_ns and
 * end_ns hold the start and finish ranks instead of times.
 */
#pragma once

#include <glib.h>
#include <time.h>

G_BEGIN_DECLS

typedef enum {
  LS_EVENT_STEP, /* a lane's whole step */
  LS_EVENT_OP,   /* one op, from the first tile's start to the last one's end, on the lane's thread */
  LS_EVENT_TILE, /* one tile on one worker */
  LS_EVENT_WAIT, /* a worker without a tile, until the op, or its phase, is done: from its own last one on, or
                    all along */
  LS_EVENT_ENQUEUE,   /* a host call that put a command in the queue */
  LS_EVENT_QUEUED,    /* from queued to started, as the device reports */
  LS_EVENT_KERNEL,    /* a kernel's execution, as the device reports */
  LS_EVENT_GROUP,     /* one work-group */
  LS_EVENT_COPY_IN,   /* host → device; tile = bytes */
  LS_EVENT_COPY_OUT,  /* device → host; tile = bytes */
  LS_EVENT_HOST_WAIT, /* the host waits for the device */
  LS_EVENT_REFERENCE, /* an op that ran on the reference for lack of a kernel */
  LS_EVENT_N_KINDS
} LsEventKind;

typedef enum {
  LS_CLOCK_HOST,   /* CLOCK_MONOTONIC_RAW itself */
  LS_CLOCK_DEVICE, /* the device's clock, mapped; the trace's clock_error_ns applies */
  LS_CLOCK_ORDER,  /* no time: ranks */
} LsClock;

#define LS_WORKER_NONE 255
#define LS_MAX_WORKERS 254
#define LS_UNIT_NONE   (-1)
#define LS_RANK_NONE   G_MAXUINT32
#define LS_OP_NONE     G_MAXUINT16

typedef struct {
  guint64 start_ns, end_ns;
  guint32 tile;      /* tile of the op's LsTiling; work-group's tile; copies: bytes; an op: LS_EVENT_MOVED */
  guint32 rank;      /* order of completion within the op, from 0; LS_RANK_NONE */
  guint16 op;        /* index in the plan; LS_OP_NONE */
  gint16 unit;       /* core (CPU lane, PoCL) or compute unit, as told; LS_UNIT_NONE */
  guint8 kind;       /* LsEventKind */
  guint8 lane_clock; /* lane in the low four bits, LsClock in the high ones */
  guint8 worker;     /* pool worker, or the device's thread by order of appearance; LS_WORKER_NONE */
  guint8 from;       /* tile taken from this worker's share; LS_WORKER_NONE if its own */
} LsEvent;

G_STATIC_ASSERT (sizeof (LsEvent) == 32);

/* To the device or from it. */
static inline gboolean
ls_event_is_copy (const LsEvent *e)
{
  return e->kind == LS_EVENT_COPY_IN || e->kind == LS_EVENT_COPY_OUT;
}

/* Which bytes a processor counts (misses.h). */
typedef enum {
  LS_MISSES_NONE,      /* this machine has no such counter, or it isn't known which cache it is of */
  LS_MISSES_FORBIDDEN, /* the system lets this program count nothing */
  LS_MISSES_SECOND,    /* lines from beyond a core's second cache */
  LS_MISSES_LAST,      /* lines from memory */
} LsMissesOf;

/* Of an op: 1 + bytes that the processor counted from beyond a cache (misses.h), or the most there's room
 * for; 0: they weren't counted. */
#define LS_EVENT_MOVED(bytes)      ((guint32) MIN ((guint64) (bytes), G_MAXUINT32 - 1) + 1)
#define LS_EVENT_LANE(e)           ((e)->lane_clock & 15)
#define LS_EVENT_CLOCK(e)          ((LsClock) ((e)->lane_clock >> 4))
#define LS_LANE_CLOCK(lane, clock) ((guint8) ((lane) | ((clock) << 4)))

/* What an op's event tells of them; −1: nothing. */
static inline gint64
ls_event_moved (const LsEvent *e)
{
  return e->kind == LS_EVENT_OP ? (gint64) e->tile - 1 : -1;
}

const char *ls_event_kind_name (LsEventKind kind); /* "tile": stable, used in files */

static inline guint64
ls_clock_ns (void)
{
  struct timespec t;
  clock_gettime (CLOCK_MONOTONIC_RAW, &t);
  return (guint64) t.tv_sec * 1000000000u + (guint64) t.tv_nsec;
}

typedef struct {
  LsEvent *events;
  guint32 capacity;
  guint32 n; /* written; only the ring's own thread changes it while a step runs */
  guint32 dropped;
  guint32 tells;       /* off_core_ns is known */
  guint64 off_core_ns; /* of a worker's tiles: the least time that the system gave its core to others */
  char pad[64 - sizeof (LsEvent *) - 4 * sizeof (guint32) - sizeof (guint64)]; /* one cache line a ring */
} LsRing;

typedef struct {
  guint lane;
  guint n_rings; /* ring 0: the lane's thread; ring 1 + w: worker w (worker 0 is the lane's thread) */
  LsRing *rings;
  double clock_error_ns; /* of LS_CLOCK_DEVICE events; 0 if none */
} LsTrace;

/* capacity: events per ring. NULL with LS_ERROR_MEMORY. */
LsTrace *ls_trace_new (guint lane, guint n_rings, guint32 capacity, GError **error);
void ls_trace_free (LsTrace *trace);
void ls_trace_reset (LsTrace *trace);
guint64 ls_trace_dropped (const LsTrace *trace);
/* Of each worker, guint64 (transfer full); NULL: none of them tells. */
GArray *ls_trace_off_core (const LsTrace *trace);
/* All rings' events, sorted by start, then longer first, then by kind: what encloses comes before what it
 * encloses. GArray of LsEvent, (transfer full). */
GArray *ls_trace_collect (const LsTrace *trace);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (LsTrace, ls_trace_free)

static inline void
ls_ring_add (LsRing *ring, const LsEvent *event)
{
  if (G_LIKELY (ring->n < ring->capacity))
    ring->events[ring->n++] = *event;
  else
    ring->dropped++;
}

G_END_DECLS
