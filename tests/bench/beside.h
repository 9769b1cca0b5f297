/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * LsBeside: processes that do nothing but loop, one thread and niceness 0 each, beside all that is measured:
 * how the lanes and the peers do on a machine that is used for something else, too. They end with this
 * process, however it ends.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define LS_BESIDE_MOST 64u

typedef struct _LsBeside LsBeside;

/* --beside's text; NULL: none. LS_ERROR_USAGE. */
gboolean ls_beside_read (const char *text, guint *n, GError **error);
/* LS_ERROR_DEVICE: the system refuses a process. */
LsBeside *ls_beside_new (guint n, GError **error);
void ls_beside_free (LsBeside *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (LsBeside, ls_beside_free)

/* Processor time that they have had together, s. */
double ls_beside_cpu_s (const LsBeside *self);

G_END_DECLS
