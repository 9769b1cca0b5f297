/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The table of loaders: each row is one kind of data, told from the others by what is in the file or folder,
 * never by its name's ending. A new kind is a file with its row, and the row's name in LS_DATA_LOADERS.
 */
#pragma once

#include "data/dataset.h"
#include "data/defaults.h"
#include "data/limits.h"

G_BEGIN_DECLS

#define LS_SOURCE_HEAD 4096

/* What lies at a path. */
typedef struct {
  char *path;
  char *name;         /* for messages */
  GPtrArray *entries; /* a folder: its names without those that begin with a dot, sorted; NULL: a file */
  guint8 *head;       /* a file: its first bytes, unpacked where it is gzip */
  gsize head_bytes;
  gint64 file_bytes; /* as it lies on disk */
} LsDataSource;

typedef struct {
  const char *title; /* translatable: "a table (CSV or TSV)" */
  gboolean (*recognises) (const LsDataSource *source);
  /* Fills data's sets, classes and notes. One error, a sentence with the file's name, and its line where it
   * has lines. */
  gboolean (*load) (const LsDataSource *source, const LsDataRequest *request, LsData *data, GError **error);
  LsDataDefaults defaults;
} LsDataLoader;

/* In the order in which they are asked. */
#define LS_DATA_LOADERS(ROW)         ROW (idx) ROW (npz) ROW (cifar) ROW (images) ROW (csv)
#define LS_DATA_LOADER_DECLARE(name) extern const LsDataLoader ls_loader_##name;
LS_DATA_LOADERS (LS_DATA_LOADER_DECLARE)
#undef LS_DATA_LOADER_DECLARE

/* LS_ERROR_USAGE: there is neither file nor folder. LS_ERROR_FILE, LS_ERROR_DATA. */
LsDataSource *ls_data_source_open (const char *path, GError **error);
void ls_data_source_free (LsDataSource *source);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (LsDataSource, ls_data_source_free)
/* Names of a folder, sorted, without those that begin with a dot; LS_ERROR_FILE, LS_ERROR_DATA: there are
 * more than max. */
GPtrArray *ls_data_list_folder (const char *folder, guint max, GError **error);
/* The loader that knows it; NULL: none does. */
const LsDataLoader *ls_data_loader_find (const LsDataSource *source);
/* Of what lies at that path, as it was when it was last loaded or looked at; NULL: none, or nobody did. */
const LsDataLoader *ls_data_loader_of (const char *path);
/* From now on it is that. */
void ls_data_loader_remember (const char *path, const LsDataLoader *loader);
/* Loaders say how far they are. */
void ls_data_progress (const LsDataRequest *request, double done);

G_END_DECLS
