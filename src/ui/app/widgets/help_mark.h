/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The picture of a help entry's mark as a widget; it follows the desktop's light or dark style.
 */
#pragma once

#include <adwaita.h>

#include "ui/help/help.h"

G_BEGIN_DECLS

GtkWidget *ls_help_mark_new (LsHelpMark mark);

G_END_DECLS
