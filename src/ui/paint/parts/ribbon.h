/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which ops a person steps through: those that at least one lane ran by itself.
 */
#pragma once

#include "ui/paint/data/view_data.h"

G_BEGIN_DECLS

gboolean ls_ribbon_has (const LsViewData *data, guint op);
/* How many there are up to op, and in all. */
void ls_ribbon_place (const LsViewData *data, guint op, guint *place, guint *n);

G_END_DECLS
