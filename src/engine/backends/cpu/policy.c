/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The schedule policies: see policy.h.
 */
#include "config.h"
#include "backends/cpu/policy.h"

/* Blocks whose sizes differ by one at most. */
static guint32
block_begin (const LsShare *share, guint32 worker)
{
  return (guint32) ((guint64) share->n_tiles * worker / share->n_workers);
}

/* ---- static ---- */

static void
static_begin (LsShare *share)
{
  for (guint32 w = 0; w < share->n_workers; w++)
    {
      share->slots[w].next = block_begin (share, w);
      share->slots[w].end = block_begin (share, w + 1);
    }
}

static gboolean
static_next (LsShare *share, guint worker, guint32 *tile, guint8 *from)
{
  LsShareSlot *slot = &share->slots[worker];

  *from = LS_WORKER_NONE;
  *tile = slot->next;
  return slot->next < slot->end ? (slot->next++, TRUE) : FALSE;
}

/* ---- round-robin ---- */

static void
round_robin_begin (LsShare *share)
{
  for (guint32 w = 0; w < share->n_workers; w++)
    share->slots[w].next = w;
}

static gboolean
round_robin_next (LsShare *share, guint worker, guint32 *tile, guint8 *from)
{
  LsShareSlot *slot = &share->slots[worker];

  *from = LS_WORKER_NONE;
  *tile = slot->next;
  if (slot->next >= share->n_tiles)
    return FALSE;
  slot->next += share->n_workers;
  return TRUE;
}

/* ---- dynamic ---- */

static void
dynamic_begin (LsShare *share)
{
  atomic_store_explicit (&share->counter, 0, memory_order_relaxed);
}

static gboolean
dynamic_next (LsShare *share, guint worker, guint32 *tile, guint8 *from)
{
  *from = LS_WORKER_NONE;
  *tile = atomic_fetch_add_explicit (&share->counter, 1, memory_order_relaxed);
  return *tile < share->n_tiles;
}

/* ---- steal ---- */

/* Both ends in one word, so that owner and thief can't take the same tile: one compare-and-swap decides.
 * Ranges only shrink while a job runs, so a word never comes back to an older value. */
static guint64
pack (guint32 begin, guint32 end)
{
  return (guint64) end << 32 | begin;
}

static guint32
range_begin (guint64 range)
{
  return (guint32) range;
}

static guint32
range_end (guint64 range)
{
  return (guint32) (range >> 32);
}

static void
steal_begin (LsShare *share)
{
  for (guint32 w = 0; w < share->n_workers; w++)
    atomic_store_explicit (&share->slots[w].range, pack (block_begin (share, w), block_begin (share, w + 1)),
                           memory_order_relaxed);
}

/* The worker with most tiles left, or LS_WORKER_NONE. */
static guint
fullest (LsShare *share, guint64 *range)
{
  guint victim = LS_WORKER_NONE;
  guint32 most = 0;

  for (guint w = 0; w < share->n_workers; w++)
    {
      guint64 r = atomic_load_explicit (&share->slots[w].range, memory_order_relaxed);
      guint32 left = range_end (r) - range_begin (r);
      if (left > most)
        {
          most = left;
          victim = w;
          *range = r;
        }
    }
  return victim;
}

static gboolean
steal_next (LsShare *share, guint worker, guint32 *tile, guint8 *from)
{
  _Atomic guint64 *own = &share->slots[worker].range;
  guint64 range = atomic_load_explicit (own, memory_order_relaxed);
  guint victim;

  while (range_begin (range) < range_end (range))
    if (atomic_compare_exchange_weak_explicit (own, &range, pack (range_begin (range) + 1, range_end (range)),
                                               memory_order_relaxed, memory_order_relaxed))
      {
        *tile = range_begin (range);
        *from = LS_WORKER_NONE;
        return TRUE;
      }

  /* The owner works from the front; a thief takes the back, which the owner would reach last. */
  while ((victim = fullest (share, &range)) != LS_WORKER_NONE)
    if (atomic_compare_exchange_weak_explicit (&share->slots[victim].range, &range,
                                               pack (range_begin (range), range_end (range) - 1),
                                               memory_order_relaxed, memory_order_relaxed))
      {
        *tile = range_end (range) - 1;
        *from = (guint8) victim;
        return TRUE;
      }
  return FALSE;
}

#define SCHEDULE(constant, function, name, word, about)                                                      \
  { function##_begin, function##_next,                                                                       \
    LS_POLICY_##constant == LS_POLICY_DYNAMIC || LS_POLICY_##constant == LS_POLICY_STEAL },
static const LsSchedule schedules[] = { LS_POLICIES (SCHEDULE) };

const LsSchedule *
ls_schedule (LsPolicy policy)
{
  return (guint) policy < LS_POLICY_N ? &schedules[policy] : &schedules[LS_POLICY_STATIC];
}
