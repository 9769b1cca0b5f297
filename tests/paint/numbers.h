/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Numbers read off the texts of a picture, each with the precision in which it is printed.
 */
#pragma once

#include <math.h>
#include <string.h>

#include "tests/paint/said.h"
#include "tests/paint/stated.h"

#define NUMBERS_MOST 12

/* All numbers of a text, as far as NUMBERS_MOST; returns how many there are. */
static inline guint
numbers_of (const char *text, double *middle, double *half)
{
  guint n = 0;
  double low, high;

  while (n < NUMBERS_MOST && ls_stated_number (&text, &low, &high))
    {
      middle[n] = (low + high) / 2;
      half[n++] = (high - low) / 2;
    }
  return n;
}

/* The text that begins so, "#": with a digit, and has that in it, of either scene; NULL: none. */
static inline const char *
text_like (const LsLayout *layout, const char *begin, const char *within)
{
  for (guint k = 0; k < 2; k++)
    {
      const LsScene *scene = k == 0 ? layout->still : layout->moving;
      for (guint i = 0; i < scene->items->len; i++)
        {
          const LsItem *item = ls_scene_get (scene, i);
          if (item->kind == LS_ITEM_TEXT
              && (begin[0] == '#' ? g_ascii_isdigit (item->text[0]) : g_str_has_prefix (item->text, begin))
              && strstr (item->text, within) != NULL)
            return item->text;
        }
    }
  return NULL;
}

/* The text right of the one that is this, on its line; NULL: none. */
static inline const char *
beside (const LsLayout *layout, const char *text)
{
  for (guint k = 0; k < 2; k++)
    {
      const LsScene *scene = k == 0 ? layout->still : layout->moving;
      for (guint i = 0; i < scene->items->len; i++)
        {
          const LsItem *label = ls_scene_get (scene, i), *best = NULL;
          if (label->kind != LS_ITEM_TEXT || strcmp (label->text, text) != 0)
            continue;
          for (guint j = 0; j < layout->moving->items->len; j++)
            {
              const LsItem *item = ls_scene_get (layout->moving, j);
              if (item->kind == LS_ITEM_TEXT && fabs ((double) (item->y - label->y)) < 2
                  && (double) item->x > ls_item_right (label) && (best == NULL || item->x < best->x))
                best = item;
            }
          return best != NULL ? best->text : NULL;
        }
    }
  return NULL;
}

/* The numbers of a text are these, as far as it says them; what: of which mistake it would speak. */
static inline void
assert_numbers (const char *what, const char *text, const double *should, guint n)
{
  double is[NUMBERS_MOST], half[NUMBERS_MOST];
  const guint found = numbers_of (text, is, half);

  if (found != n)
    g_error ("%s: “%s” has %u numbers, not %u", what, text, found, n);
  for (guint i = 0; i < n; i++)
    if (!(fabs (is[i] - should[i]) <= half[i] * 1.01 + 1e-9 * fabs (should[i])))
      g_error ("%s: number %u of “%s” should be %.6g", what, i + 1, text, should[i]);
}

#define ASSERT_NUMBERS(what, text, ...)                                                                      \
  assert_numbers (what, text, (const double[]){ __VA_ARGS__ },                                               \
                  sizeof ((const double[]){ __VA_ARGS__ }) / sizeof (double))
