/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The table of the views, in the order of their keys. A view is one row of it.
 */
#pragma once

#include "ui/paint/parts/view.h"

G_BEGIN_DECLS

extern const LsView ls_view_race, ls_view_partition, ls_view_tiles, ls_view_timeline, ls_view_network,
  ls_view_curves;

const LsView *const *ls_views (guint *n);
const LsView *ls_view_find (const char *name);

G_END_DECLS
