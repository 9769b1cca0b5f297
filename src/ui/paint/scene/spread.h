/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Labels that collide push apart.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* y: n places in ascending order, moved until they are `pitch` apart, within top … bottom as far as that has
 * room for all. */
void ls_spread (double *y, guint n, double pitch, double top, double bottom);

G_END_DECLS
