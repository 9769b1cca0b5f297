/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The window as a program: one instance, which opens what it is given.
 */
#pragma once

#include "core/options.h"

G_BEGIN_DECLS

/* Is there a display to open a window on? */
gboolean ls_app_can_open (void);
/* Runs until the window is closed; returns the exit status. path: a recording or data folder to open, or
 * NULL. own: these options were asked for by name, so an instance that runs already doesn't answer for them.
 */
int ls_app_run (const LsOptions *options, const char *path, gboolean own);

G_END_DECLS
