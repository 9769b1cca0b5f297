/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The table of views, in the order of their number keys. A new view is one folder and one row here.
 */
#include "ui/paint/views.h"

#include <string.h>

static const LsView *const views[] = { &ls_view_race,     &ls_view_partition, &ls_view_tiles,
                                       &ls_view_timeline, &ls_view_network,   &ls_view_curves };

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
