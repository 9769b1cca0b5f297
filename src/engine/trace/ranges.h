/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * LsRanges: of an append-only row of numbers the least and the greatest of every 16, every 256 and every 4096
 * of them, so that those of any stretch are found by reading at most 30 numbers and 30 ranges, and one more
 * for every 4096 within. The numbers themselves lie elsewhere. Like a curve, it may be read up to a known
 * length while one thread appends.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* low > high: there was no number. */
typedef struct {
  float low, high;
} LsRange;

#define LS_RANGE_NONE ((LsRange){ G_MAXFLOAT, -G_MAXFLOAT })

static inline LsRange
ls_range_join (LsRange a, LsRange b)
{
  return (LsRange){ MIN (a.low, b.low), MAX (a.high, b.high) };
}

/* What is not finite is no number. */
static inline LsRange
ls_range_of (float value)
{
  return value >= -G_MAXFLOAT && value <= G_MAXFLOAT ? (LsRange){ value, value } : LS_RANGE_NONE;
}

typedef struct _LsRanges LsRanges;

LsRanges *ls_ranges_new (void);
void ls_ranges_free (LsRanges *ranges);
/* FALSE: memory is out, or there are LS_RANGES_MAX of them; the number is not kept. */
gboolean ls_ranges_append (LsRanges *ranges, float value);
guint64 ls_ranges_length (const LsRanges *ranges);

#define LS_RANGES_MAX ((guint64) 1 << 24)

typedef float (*LsRangesValue) (gconstpointer data, guint64 i);

/* Of numbers from … end − 1, which the caller knows to be there; `value` gives number i. */
LsRange ls_ranges_get (const LsRanges *ranges, guint64 from, guint64 end, LsRangesValue value,
                       gconstpointer data);

G_END_DECLS
