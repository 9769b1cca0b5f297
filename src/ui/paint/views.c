/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The table of views, in the order of their number keys: the rows of LS_VIEWS.
 */
#include "ui/paint/views.h"

#include <string.h>

#define VIEW(name) &ls_view_##name,
static const LsView *const views[] = { LS_VIEWS (VIEW) };

const LsView *const *
ls_views (guint *n)
{
  *n = G_N_ELEMENTS (views);
  return views;
}

char *
ls_view_key (guint i)
{
  return views[i]->letter != NULL ? g_strdup (views[i]->letter) : g_strdup_printf ("%u", i + 1);
}

gint
ls_view_of_key (gunichar letter)
{
  for (guint i = 0; i < G_N_ELEMENTS (views); i++)
    {
      g_autofree char *key = ls_view_key (i);
      if (g_utf8_get_char (key) == letter && *g_utf8_next_char (key) == '\0')
        return (gint) i;
    }
  return -1;
}

const LsView *
ls_view_find (const char *name)
{
  for (guint i = 0; i < G_N_ELEMENTS (views); i++)
    if (strcmp (views[i]->name, name) == 0)
      return views[i];
  return NULL;
}
