/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Schedule policies: who of the workers computes which tile. LsShare is one op's tiles being shared out; the
 * policies differ in what they fix beforehand and what they decide at run time:
 *
 *   static       worker w owns one block of neighbouring tiles  no traffic; a slow core holds everyone up
 *   round-robin  worker w takes tiles w, w + N, w + 2N, …       the same, work spread more evenly
 *   dynamic      everyone takes the next tile from one counter  balances; all cores pull at one cache line
 *   steal        a block each, the idle take from the fullest   balances; traffic only once one is idle
 *
 * None allocates or locks. Whatever the policy, each tile is given out exactly once, and since no tile's
 * value depends on who computes it, results are the same bit for bit. A new policy is one row of LS_POLICIES
 * in core/options.h, and its two functions in policy.c.
 */
#pragma once

#include <glib.h>
#include <stdatomic.h>

#include "core/options.h"
#include "trace/event.h"

G_BEGIN_DECLS

/* A worker's share, on a cache line of its own. */
typedef struct {
  _Alignas(64) _Atomic guint64 range; /* steal: end in the high half, begin in the low one */
  guint32 next, end;                  /* static, round-robin: only its own worker reads and writes these */
} LsShareSlot;

typedef struct {
  _Alignas(64) atomic_uint counter; /* dynamic: the next tile */
  guint32 n_tiles, n_workers;
  LsShareSlot slots[LS_MAX_WORKERS];
} LsShare;

typedef struct {
  /* By one thread, before the workers start. */
  void (*begin) (LsShare *share);
  /* Worker's next tile; from: the worker it was taken from, LS_WORKER_NONE if it was its own. FALSE: none
   * left. */
  gboolean (*next) (LsShare *share, guint worker, guint32 *tile, guint8 *from);
  gboolean shared; /* whoever asks gets a tile as long as there are any, whosever they were */
} LsSchedule;

const LsSchedule *ls_schedule (LsPolicy policy);

static inline void
ls_share_begin (LsShare *share, const LsSchedule *schedule, guint32 n_tiles, guint32 n_workers)
{
  share->n_tiles = n_tiles;
  share->n_workers = n_workers;
  schedule->begin (share);
}

G_END_DECLS
