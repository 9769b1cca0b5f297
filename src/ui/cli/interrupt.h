/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Ctrl-C while a command works: the first one is told to it, the second one finds the signal as it was before
 * and ends the program.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* From now on SIGINT and SIGTERM, each once. */
void ls_interrupt_catch (void);
gboolean ls_interrupted (void);

G_END_DECLS
