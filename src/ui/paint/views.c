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

const LsView *
ls_view_find (const char *name)
{
  for (guint i = 0; i < G_N_ELEMENTS (views); i++)
    if (strcmp (views[i]->name, name) == 0)
      return views[i];
  return NULL;
}
