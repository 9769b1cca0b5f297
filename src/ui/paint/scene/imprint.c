/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Comparing: items that look the same are paired, and of the pairs the longest run that stands in the same
 * order on both sides is kept, as in a comparison of texts by lines. Wherever nothing else is, the same is
 * painted in the same order.
 */
#include "ui/paint/scene/imprint.h"

#include <math.h>

#define NONE G_MAXUINT

/* The items of an imprint that are seen. */
typedef struct {
  guint n;
  guint64 *keys;
  guint *items; /* positions in the imprint */
  gboolean *kept;
} Seen;

typedef struct {
  guint64 key; /* 0: free */
  guint first; /* position of the first that isn't paired yet */
} Slot;

void
ls_imprint_take (LsImprint *imprint, const LsScene *scene, const LsMoment *moment, guint scale)
{
  ls_imprint_clear (imprint);
  imprint->n = scene->items->len;
  imprint->items = g_new (LsImprintItem, imprint->n);
  for (guint i = 0; i < imprint->n; i++)
    {
      const LsItem *item = ls_scene_get (scene, i);
      const LsExtent extent = ls_paint_extent (scene, item);
      LsImprintItem *print = &imprint->items[i];

      print->rect = (LsRect){ (gint) floor (extent.left * scale), (gint) floor (extent.top * scale),
                              (gint) ceil (extent.right * scale), (gint) ceil (extent.bottom * scale) };
      print->hash = ls_paint_hash (scene, item);
      print->look = ls_paint_look (item, moment);
      print->slanted = ls_paint_slanted (scene, item);
    }
}

void
ls_imprint_clear (LsImprint *imprint)
{
  g_clear_pointer (&imprint->items, g_free);
  imprint->n = 0;
}

void
ls_imprint_move (LsImprint *imprint, const LsScene *scene, const LsMoment *moment, LsDamageFunc damage,
                 gpointer data)
{
  for (guint i = 0; i < imprint->n; i++)
    {
      const guint64 look = ls_paint_look (ls_scene_get (scene, i), moment);

      if (look == imprint->items[i].look)
        continue;
      imprint->items[i].look = look;
      damage (data, imprint->items[i].rect);
    }
}

static void
seen_init (Seen *seen, const LsImprint *imprint)
{
  *seen = (Seen){ 0, g_new (guint64, imprint->n + 1), g_new (guint, imprint->n + 1),
                  g_new0 (gboolean, imprint->n + 1) };
  for (guint i = 0; i < imprint->n; i++)
    {
      const guint64 key = (imprint->items[i].hash ^ imprint->items[i].look) * 0x9E3779B97F4A7C15u;

      if (imprint->items[i].look == 0)
        continue;
      seen->items[seen->n] = i;
      seen->keys[seen->n++] = (key ^ key >> 32) | 1;
    }
}

static void
seen_clear (Seen *seen)
{
  g_free (seen->keys);
  g_free (seen->items);
  g_free (seen->kept);
}

static Slot *
find_slot (Slot *slots, guint mask, guint64 key)
{
  guint at = (guint) (key >> 1) & mask;

  while (slots[at].key != 0 && slots[at].key != key)
    at = (at + 1) & mask;
  slots[at].key = key;
  return &slots[at];
}

/* Of each in `now` its equal in `before`, each of which is given once, in order; NONE. */
static guint *
pair (const Seen *before, const Seen *now, guint start, guint end_before, guint end_now)
{
  guint mask = 15, *pairs = g_new (guint, now->n + 1);
  g_autofree guint *next = g_new (guint, before->n + 1);
  g_autofree Slot *slots = NULL;

  while (mask < 2 * (end_before + end_now))
    mask = 2 * mask + 1;
  slots = g_new0 (Slot, mask + 1);
  for (guint i = 0; i <= mask; i++)
    slots[i].first = NONE;
  for (guint i = end_before; i-- > start;)
    {
      Slot *slot = find_slot (slots, mask, before->keys[i]);
      next[i] = slot->first;
      slot->first = i;
    }
  for (guint i = start; i < end_now; i++)
    {
      Slot *slot = find_slot (slots, mask, now->keys[i]);
      pairs[i] = slot->first;
      if (slot->first != NONE)
        slot->first = next[slot->first];
    }
  return pairs;
}

/* Keeps the longest run of pairs with rising partners: patience sorting. */
static void
keep_in_order (Seen *before, Seen *now, const guint *pairs, guint start, guint end)
{
  g_autofree guint *last = g_new (guint, now->n + 1), *previous = g_new (guint, now->n + 1);
  guint length = 0;

  for (guint i = start; i < end; i++)
    {
      guint low = 0, high = length;

      if (pairs[i] == NONE)
        continue;
      while (low < high)
        {
          const guint middle = (low + high) / 2;
          if (pairs[last[middle]] < pairs[i])
            low = middle + 1;
          else
            high = middle;
        }
      previous[i] = low > 0 ? last[low - 1] : NONE;
      last[low] = i;
      length = MAX (length, low + 1);
    }
  for (guint i = length > 0 ? last[length - 1] : NONE; i != NONE; i = previous[i])
    now->kept[i] = before->kept[pairs[i]] = TRUE;
}

static void
report (const Seen *seen, const LsImprint *imprint, guint start, guint end, LsDamageFunc damage,
        gpointer data)
{
  for (guint i = start; i < end; i++)
    if (!seen->kept[i])
      damage (data, imprint->items[seen->items[i]].rect);
}

void
ls_imprint_compare (const LsImprint *before, const LsImprint *now, LsDamageFunc damage, gpointer data)
{
  guint start = 0, end_a, end_b;
  Seen a, b;

  seen_init (&a, before);
  seen_init (&b, now);
  end_a = a.n;
  end_b = b.n;
  while (start < end_a && start < end_b && a.keys[start] == b.keys[start])
    start++;
  while (end_a > start && end_b > start && a.keys[end_a - 1] == b.keys[end_b - 1])
    {
      end_a--;
      end_b--;
    }
  if (start < end_a && start < end_b)
    {
      g_autofree guint *pairs = pair (&a, &b, start, end_a, end_b);
      keep_in_order (&a, &b, pairs, start, end_b);
    }
  report (&a, before, start, end_a, damage, data);
  report (&b, now, start, end_b, damage, data);
  seen_clear (&a);
  seen_clear (&b);
}
