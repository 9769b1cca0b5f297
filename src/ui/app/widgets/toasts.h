/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Messages at the foot of a window, one after another.
 */
#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

/* Shows `sentence` (plain text) for some seconds, after those that were said before it; what waits already
 * isn't said twice. `action` (NULL: none): a button named `button`, and the message takes the place of the
 * one that is shown. */
void ls_toasts_add (AdwToastOverlay *overlay, const char *sentence, guint seconds, const char *button,
                    const char *action);

G_END_DECLS
