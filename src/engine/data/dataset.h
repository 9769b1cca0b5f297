/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Where training and test sets come from: by name, or from a folder.
 */
#pragma once

#include "core/options.h"
#include "core/samples.h"

G_BEGIN_DECLS

/* what: "mnist" (shipped), the name of a toy set (toy.c, made from the seed), or a folder with four IDX files
 * (train-images*, train-labels*, t10k-images* or test-images*, …-labels*; plain or gzip, told apart by
 * content). Errors: LS_ERROR_DATA, LS_ERROR_FILE, LS_ERROR_USAGE (no such name or folder). */
LsData *ls_data_load (const char *what, guint64 seed, GError **error);
/* The names ls_data_load() knows beside folders, NULL-terminated. */
const char *const *ls_data_names (void);
/* The option's help, translated, with these names where it has %s. (transfer full) */
char *ls_data_option_help (const LsOption *option);

/* The sample's shape (channels, height, width) and the number of classes of one of those names, without
 * loading it. FALSE for anything else: a folder has to be read. */
gboolean ls_data_shape (const char *what, gint64 shape[3], gint *n_classes);

G_END_DECLS
