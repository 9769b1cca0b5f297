/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See misses.h.
 */
#include "config.h"
#include "trace/misses.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <sys/syscall.h>
#include <unistd.h>

#define UNREAD  G_MAXUINT64
#define NO_PART (G_MAXUINT64 - 1)

struct _LsMisses {
  guint n_workers, n_jobs;
  gint *counters; /* by worker; −1: none */
  guint64 *begin; /* by worker: lines before the step; UNREAD */
  guint64 *lines; /* [job × n_workers + worker]: lines after it; UNREAD, NO_PART */
};

static const LsMissesEvent *other;

/* ---- the event ---- */

/* NULL: nobody knows what the processor's own event would be. */
static const LsMissesEvent *
event_here (void)
{
#if defined(__x86_64__) || defined(__i386__)
  static const LsMissesEvent intel = { PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_MISSES, LS_MISSES_LAST },
                             amd = { PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_MISSES, LS_MISSES_SECOND };

  __builtin_cpu_init ();
  if (other == NULL && __builtin_cpu_is ("intel"))
    return &intel;
  if (other == NULL && __builtin_cpu_is ("amd"))
    return &amd;
#endif
  return other;
}

void
ls_misses_use (const LsMissesEvent *event)
{
  other = event;
}

/* Counts for the calling thread, on whichever processor it runs; −1 with errno. */
static gint
open_counter (const LsMissesEvent *event)
{
  struct perf_event_attr attr = {
    .type = event->type,
    .size = sizeof attr,
    .config = event->config,
    .read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING,
    .exclude_kernel = 1,
    .exclude_hv = 1,
  };

  return (gint) syscall (SYS_perf_event_open, &attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
}

/* UNREAD: it can't be read, or others had the counter for a part of the time. */
static guint64
read_counter (gint counter)
{
  struct {
    guint64 value, enabled, running;
  } told;

  if (counter < 0 || read (counter, &told, sizeof told) != sizeof told || told.running < told.enabled)
    return UNREAD;
  return told.value;
}

LsMissesOf
ls_misses_probe (void)
{
  const LsMissesEvent *event = event_here ();
  gint counter;

  if (event == NULL)
    return LS_MISSES_NONE;
  counter = open_counter (event);
  if (counter < 0)
    return errno == EACCES || errno == EPERM ? LS_MISSES_FORBIDDEN : LS_MISSES_NONE;
  close (counter);
  return event->of;
}

/* ---- a step's jobs ---- */

static gsize
line_bytes (void)
{
  const glong bytes = sysconf (_SC_LEVEL1_DCACHE_LINESIZE);

  return bytes > 0 ? (gsize) bytes : 64;
}

LsMisses *
ls_misses_new (guint n_workers, guint n_jobs)
{
  LsMisses *self = g_new0 (LsMisses, 1);

  self->n_workers = n_workers;
  self->n_jobs = n_jobs;
  self->counters = g_new (gint, n_workers);
  self->begin = g_new (guint64, n_workers);
  self->lines = g_new (guint64, (gsize) n_jobs * n_workers);
  for (guint w = 0; w < n_workers; w++)
    self->counters[w] = -1;
  ls_misses_begin (self);
  return self;
}

void
ls_misses_free (LsMisses *self)
{
  if (self == NULL)
    return;
  for (guint w = 0; w < self->n_workers; w++)
    if (self->counters[w] >= 0)
      close (self->counters[w]);
  g_free (self->counters);
  g_free (self->begin);
  g_free (self->lines);
  g_free (self);
}

void
ls_misses_join (LsMisses *self, guint worker)
{
  const LsMissesEvent *event = event_here ();

  if (event != NULL && self->counters[worker] < 0)
    self->counters[worker] = open_counter (event);
}

void
ls_misses_begin (LsMisses *self)
{
  for (guint w = 0; w < self->n_workers; w++)
    self->begin[w] = read_counter (self->counters[w]);
  for (gsize i = 0; i < (gsize) self->n_jobs * self->n_workers; i++)
    self->lines[i] = NO_PART;
}

void
ls_misses_note (LsMisses *self, guint job, guint worker)
{
  self->lines[(gsize) job * self->n_workers + worker] = read_counter (self->counters[worker]);
}

/* The worker's lines after the last job before that one which it had a part in. */
static guint64
lines_before (const LsMisses *self, guint job, guint worker)
{
  while (job-- > 0)
    if (self->lines[(gsize) job * self->n_workers + worker] != NO_PART)
      return self->lines[(gsize) job * self->n_workers + worker];
  return self->begin[worker];
}

gboolean
ls_misses_bytes (const LsMisses *self, guint first, guint n, guint64 *bytes)
{
  guint64 lines = 0;

  for (guint w = 0; w < self->n_workers; w++)
    {
      const guint64 before = lines_before (self, first, w), after = lines_before (self, first + n, w);

      if (before == UNREAD || after == UNREAD)
        return FALSE;
      lines += after - before;
    }
  *bytes = lines * line_bytes ();
  return TRUE;
}
