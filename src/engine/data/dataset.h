/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Where training and test sets come from: by name, or from a file or folder of one's own.
 */
#pragma once

#include "core/options.h"
#include "core/samples.h"

G_BEGIN_DECLS

/* How far a load is, 0 … 1, never less than before; told on the thread that loads, by what may take long. */
typedef void (*LsDataProgress) (double done, gpointer data);

/* What is to be loaded, and how. The texts belong to the caller. */
typedef struct {
  const char *what;  /* "mnist" (shipped), the name of a toy set (toy.c, made from the seed), or a path */
  guint64 seed;      /* of toy sets and of the split */
  double test_share; /* 0 … 1: of each class, where there is no test set */
  LsMissing missing;
  const char *label;       /* LsOptions.label */
  const char *size;        /* LsOptions.size */
  LsDataProgress progress; /* or NULL */
  gpointer progress_data;
} LsDataRequest;

LsDataRequest ls_data_request (const LsOptions *options);
/* What decides how data are read, as a text: two requests with the same one read the same. (transfer full) */
char *ls_data_key (const LsDataRequest *request);

/* What a file or folder is, its loader tells (loader.h). Errors: LS_ERROR_DATA, LS_ERROR_FILE,
 * LS_ERROR_MEMORY, LS_ERROR_USAGE (there is no such thing, or the request can't be). While another thread
 * reads the same data, it waits for those. */
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

/* Looks at what lies at a path, so that its defaults are known before it is loaded; FALSE: no data that are
 * known. It reads the disk: the window does so on threads only. */
gboolean ls_data_look (const char *what);

G_END_DECLS
