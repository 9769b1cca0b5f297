/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How busy the machine is with other things than what is measured: all its processors' time, less that of our
 * own processes. Time that the host of a virtual machine took away counts as others'.
 */
#pragma once

#include <gio/gio.h>

#include "trace/load.h"

G_BEGIN_DECLS

/* Cores used by others from which on a figure is disturbed. */
#define LS_MACHINE_BUSY .1

/* Cores that others use: over half a second, or until it is cancelled. −1: the system doesn't say. */
double ls_machine_others (GCancellable *cancel);
/* What a figure of this machine depends on most, not translated: "AMD EPYC|2|2"; (transfer full). */
char *ls_machine_key (void);
/* That threads of this process have for themselves; 0: the system doesn't say. */
guint ls_machine_cores (void);
/* "AMD EPYC, 2 processors, of which 2 may be used; Debian GNU/Linux 12, Linux 6.1": (transfer full). */
char *ls_machine_text (void);

G_END_DECLS
