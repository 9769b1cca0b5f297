/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a card of the timeline says.
 */
#pragma once

#include <math.h>
#include <string.h>

#include "ui/paint/timeline/timeline.h"

/* The value on the card's line of that name, and how it is known; NULL: there is no such line. */
static inline const char *
line_of (const LsLayout *layout, LsArea card, const char *name, gint *evidence)
{
  const LsScene *s = layout->moving;
  const LsItem *text = NULL, *value = NULL;

  *evidence = -1;
  for (guint i = 0; i < s->items->len; i++)
    {
      const LsItem *item = ls_scene_get (s, i);
      if (item->kind == LS_ITEM_TEXT && strcmp (item->text, name) == 0
          && ls_area_has (card, (double) item->x, (double) item->y))
        text = item;
    }
  for (guint i = 0; text != NULL && i < s->items->len; i++)
    {
      const LsItem *item = ls_scene_get (s, i);
      if (!ls_area_has (card, (double) item->x, (double) item->y))
        continue;
      if (item->kind == LS_ITEM_EVIDENCE && item->x < text->x
          && fabs ((double) (item->y + item->h / 2 - text->y) + .36 * text->type.px) < 2)
        *evidence = (gint) item->value;
      if (item->kind == LS_ITEM_TEXT && item->align == LS_RIGHT && item->y == text->y)
        value = item;
    }
  return value != NULL ? value->text : NULL;
}
