/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "said.h"

#include <string.h>

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

char *
all_texts (const LsScene *scene, const char *between)
{
  GString *all = g_string_new (NULL);

  for (guint i = 0; i < scene->items->len; i++)
    if (ls_scene_get (scene, i)->kind == LS_ITEM_TEXT)
      g_string_append_printf (all, "%s%s", all->len > 0 ? between : "", ls_scene_get (scene, i)->text);
  return g_string_free (all, FALSE);
}
