/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "trace/ranges.h"

#define CHUNK      4096u
#define MAX_CHUNKS (LS_RANGES_MAX / CHUNK)

/* Every range is written once, when the last of its numbers comes; nobody who knows of fewer reads it. */
typedef struct {
  LsRange of_16[CHUNK / 16], of_256[CHUNK / 256], of_all;
} Chunk;

struct _LsRanges {
  guint64 n;
  LsRange open[3]; /* of the newest 16, 256 and 4096, as far as they have come */
  Chunk *chunks[MAX_CHUNKS];
};

LsRanges *
ls_ranges_new (void)
{
  LsRanges *ranges = g_new0 (LsRanges, 1);

  ranges->open[0] = ranges->open[1] = ranges->open[2] = LS_RANGE_NONE;
  return ranges;
}

void
ls_ranges_free (LsRanges *ranges)
{
  if (ranges == NULL)
    return;
  for (guint64 i = 0; i < MAX_CHUNKS && ranges->chunks[i] != NULL; i++)
    g_free (ranges->chunks[i]);
  g_free (ranges);
}

gboolean
ls_ranges_append (LsRanges *ranges, float value)
{
  const guint64 number = ranges->n / CHUNK;
  LsRange *open = ranges->open;
  Chunk *chunk;

  if (number >= MAX_CHUNKS)
    return FALSE;
  if (ranges->chunks[number] == NULL && (ranges->chunks[number] = g_try_new (Chunk, 1)) == NULL)
    return FALSE;
  chunk = ranges->chunks[number];
  open[0] = ls_range_join (open[0], ls_range_of (value));
  ranges->n++;
  if (ranges->n % 16 != 0)
    return TRUE;
  chunk->of_16[(ranges->n - 1) % CHUNK / 16] = open[0];
  open[1] = ls_range_join (open[1], open[0]);
  open[0] = LS_RANGE_NONE;
  if (ranges->n % 256 != 0)
    return TRUE;
  chunk->of_256[(ranges->n - 1) % CHUNK / 256] = open[1];
  open[2] = ls_range_join (open[2], open[1]);
  open[1] = LS_RANGE_NONE;
  if (ranges->n % CHUNK != 0)
    return TRUE;
  chunk->of_all = open[2];
  open[2] = LS_RANGE_NONE;
  return TRUE;
}

guint64
ls_ranges_length (const LsRanges *ranges)
{
  return ranges->n;
}

LsRange
ls_ranges_get (const LsRanges *ranges, guint64 from, guint64 end, LsRangesValue value, gconstpointer data)
{
  LsRange all = LS_RANGE_NONE;

  for (guint64 i = from, step; i < end; i += step)
    {
      const Chunk *chunk = ranges->chunks[i / CHUNK];
      const guint64 at = i % CHUNK;

      if (at == 0 && i + CHUNK <= end)
        {
          all = ls_range_join (all, chunk->of_all);
          step = CHUNK;
        }
      else if (at % 256 == 0 && i + 256 <= end)
        {
          all = ls_range_join (all, chunk->of_256[at / 256]);
          step = 256;
        }
      else if (at % 16 == 0 && i + 16 <= end)
        {
          all = ls_range_join (all, chunk->of_16[at / 16]);
          step = 16;
        }
      else
        {
          all = ls_range_join (all, ls_range_of (value (data, i)));
          step = 1;
        }
    }
  return all;
}
