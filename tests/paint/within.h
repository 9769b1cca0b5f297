/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a test has put into a picture by itself, in an area of its own.
 */
#pragma once

#include <math.h>

#include "ui/paint/scene/scene.h"

/* Items from `first` on lie in that area, and no text is on another that is there at the same time. */
static inline void
check_within (const LsScene *s, guint first, LsArea area, const char *what)
{
  for (guint i = first; i < s->items->len; i++)
    {
      const LsItem *item = ls_scene_get (s, i);
      double x, y, w, h;

      ls_item_bounds (s, item, &x, &y, &w, &h);
      if (x < area.x - .5 || x + w > area.x + area.w + .5 || y < area.y - .5 || y + h > area.y + area.h + .5)
        g_error ("%s: “%s” lies beyond its place", what, item->text != NULL ? item->text : "a mark");
      for (guint k = first; k < i && item->kind == LS_ITEM_TEXT; k++)
        {
          const LsItem *other = ls_scene_get (s, k);
          if (other->kind == LS_ITEM_TEXT && fabs ((double) (other->y - item->y)) < item->type.px / 2
              && (double) item->x < ls_item_right (other) + 3 && (double) other->x < ls_item_right (item) + 3
              && (item->when == LS_WHEN_ALWAYS || item->when == other->when))
            g_error ("%s: “%s” and “%s” are on each other", what, other->text, item->text);
        }
    }
}
