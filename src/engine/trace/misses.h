/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * LsMisses: cache lines that the processor itself counts as fetched from beyond a cache while workers are at
 * their jobs, by perf_event_open(2)'s event “cache misses”. Which cache that is of is the maker's: with Intel
 * the last one (LONGEST_LAT_CACHE.MISS), with AMD a core's second, without what that one prefetched
 * (L2_CACHE_REQ_STAT); Linux 6.6, arch/x86/events/intel/core.c and amd/core.c. Lines that are written back
 * later aren't counted. Each worker reads its own counter.
 */
#pragma once

#include "trace/event.h"

G_BEGIN_DECLS

typedef struct {
  guint32 type; /* struct perf_event_attr's */
  guint64 config;
  LsMissesOf of;
} LsMissesEvent;

typedef struct _LsMisses LsMisses;

/* What can be counted here. */
LsMissesOf ls_misses_probe (void);
/* For so many workers and jobs of a step. */
LsMisses *ls_misses_new (guint n_workers, guint n_jobs);
void ls_misses_free (LsMisses *misses);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (LsMisses, ls_misses_free)
/* By the worker's own thread, once, before any step: from here on its lines are counted, if they can be. */
void ls_misses_join (LsMisses *misses, guint worker);
/* A step begins; by whoever waits for the workers. */
void ls_misses_begin (LsMisses *misses);
/* By the worker, after its last tile of the job. */
void ls_misses_note (LsMisses *misses, guint job, guint worker);
/* Bytes that all workers fetched in the jobs first … first + n − 1 of the step, which is over, or since their
 * last job before. FALSE: they weren't counted, or not all the time. */
gboolean ls_misses_bytes (const LsMisses *misses, guint first, guint n, guint64 *bytes);

/* For tests: what is counted instead; NULL: the processor's cache misses. */
void ls_misses_use (const LsMissesEvent *event);

G_END_DECLS
