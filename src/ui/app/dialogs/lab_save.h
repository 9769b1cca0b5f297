/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A result of the laboratory as a file.
 */
#pragma once

#include <adwaita.h>

#include "lab/result.h"

G_BEGIN_DECLS

/* what: "png", "svg", "pdf" or "csv". Asks where to, and says what came of it as a toast. */
void ls_lab_save (GtkWindow *parent, AdwToastOverlay *toasts, LsLabResult *result, const char *what);

G_END_DECLS
