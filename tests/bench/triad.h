/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The bandwidth of the memory, as STREAM's triad has it (McCalpin 1995): a[i] = b[i] + s·c[i] over arrays
 * that no cache holds, all threads at once. It counts three arrays of traffic; that a write reads its line
 * first, STREAM doesn't count.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct _LsTriad LsTriad;

/* LS_ERROR_MEMORY. */
LsTriad *ls_triad_new (GError **error);
void ls_triad_free (LsTriad *triad);
/* Appends the µs that a pass takes for each GiB that it moves. */
gboolean ls_triad_run (LsTriad *triad, guint threads, double seconds, GArray *times, GError **error);

G_END_DECLS
