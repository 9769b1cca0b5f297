/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "said.h"

#include <string.h>

#include "tests/plain.h"

static gboolean
has (const LsItem *item, const char *words)
{
  return item->kind == LS_ITEM_TEXT && strstr (item->text, words) != NULL;
}

const LsItem *
find_text (const LsScene *scene, const char *words)
{
  for (guint i = 0; i < scene->items->len; i++)
    if (has (ls_scene_get (scene, i), words))
      return ls_scene_get (scene, i);
  return NULL;
}

const LsItem *
find_text_in (const LsLayout *layout, const char *words)
{
  const LsItem *item = find_text (layout->still, words);

  return item != NULL ? item : find_text (layout->moving, words);
}

gint
mark_before (const LsScene *scene, const char *begin)
{
  for (guint i = 0; i < scene->items->len; i++)
    {
      const LsItem *text = ls_scene_get (scene, i);
      g_autofree char *words = text->kind == LS_ITEM_TEXT ? plain (g_strdup (text->text)) : g_strdup ("");

      if (!g_str_has_prefix (words, begin))
        continue;
      for (guint k = 0; k < scene->items->len; k++)
        {
          const LsItem *mark = ls_scene_get (scene, k);

          if (mark->kind == LS_ITEM_EVIDENCE && mark->x < text->x && text->x - mark->x < 40
              && mark->y < text->y && text->y - mark->y < 20)
            return (gint) mark->value;
        }
      return -1;
    }
  g_error ("“%s” isn’t there", begin);
}

char *
all_texts (const LsScene *scene, const char *between)
{
  GString *all = g_string_new (NULL);

  for (guint i = 0; i < scene->items->len; i++)
    if (ls_scene_get (scene, i)->kind == LS_ITEM_TEXT)
      g_string_append_printf (all, "%s%s", all->len > 0 ? between : "", ls_scene_get (scene, i)->text);
  return g_string_free (all, FALSE);
}
