/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Where the program's own data lies: in the folder named by LOCKSTEP_DATA_DIR, in the installed one, or, when
 * run uninstalled, in the source tree.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* The first of those folders that holds `name` ("datasets/mnist"): the path of `name` itself, (transfer
 * full); NULL if none does. */
char *ls_data_dir_find (const char *name);

G_END_DECLS
