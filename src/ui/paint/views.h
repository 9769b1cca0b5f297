/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The table of the views, in the order of their keys. A view is one row of LS_VIEWS (ui/help/help.h).
 */
#pragma once

#include "ui/help/help.h"
#include "ui/paint/parts/view.h"

G_BEGIN_DECLS

#define LS_VIEW_DECLARE(name) extern const LsView ls_view_##name;
LS_VIEWS (LS_VIEW_DECLARE)

const LsView *const *ls_views (guint *n);
const LsView *ls_view_find (const char *name);
/* The key that shows the i-th: its digit, or a letter of its own. (transfer full) */
char *ls_view_key (guint i);
/* The view that this key shows; −1: none. */
gint ls_view_of_key (gunichar letter);

G_END_DECLS
