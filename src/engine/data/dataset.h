/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Where training and test sets come from: by name, or from a file or folder of one's own.
 */
#pragma once

#include "core/options.h"
#include "core/samples.h"

G_BEGIN_DECLS

/* What is to be loaded, and how. The texts belong to the caller. */
typedef struct {
  const char *what;  /* "mnist" (shipped), the name of a toy set (toy.c, made from the seed), or a path */
  guint64 seed;      /* of toy sets and of the split */
  double test_share; /* 0 … 1: of each class, where there is no test set */
  LsMissing missing;
  const char *label; /* LsOptions.label */
  const char *size;  /* LsOptions.size */
} LsDataRequest;

LsDataRequest ls_data_request (const LsOptions *options);

/* What a file or folder is, its loader tells (loader.h). Errors: LS_ERROR_DATA, LS_ERROR_FILE,
 * LS_ERROR_MEMORY, LS_ERROR_USAGE (there is no such thing, or the request can't be). */
LsData *ls_data_load_request (const LsDataRequest *request, GError **error);
/* The same with all options' defaults. */
LsData *ls_data_load (const char *what, guint64 seed, GError **error);
/* The names ls_data_load() knows beside files and folders, NULL-terminated. */
const char *const *ls_data_names (void);
/* The option's help, translated, with these names where it has %s. (transfer full) */
char *ls_data_option_help (const LsOption *option);

/* The sample's shape (channels, height, width) and the number of classes of one of those names, without
 * loading it. FALSE for anything else: that has to be read. */
gboolean ls_data_shape (const char *what, gint64 shape[3], gint *n_classes);

/* How far a load is, 0 … 1, told on the thread that loads, by those that may take long; set once, before
 * anything is loaded. */
typedef void (*LsDataProgress) (double done, gpointer data);
void ls_data_set_progress (LsDataProgress progress, gpointer data);
void ls_data_progress (double done);

G_END_DECLS
