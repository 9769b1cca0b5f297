/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * LsDataset: labelled samples in memory, immutable once made. LsData: a training and a test set of one kind.
 * LsBatch: which samples one step uses. Images stay bytes (MNIST: 47 MB, not 188); the gather op turns them
 * into floats as byte / 255, by a table of 256 values so that every backend gets the same bits.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef enum {
  LS_SAMPLE_U8, /* value = byte / 255 */
  LS_SAMPLE_F32,
} LsSampleType;

typedef struct {
  gint64 n;
  gint64 shape[3];    /* channels, height, width; 2-D points: 2, 1, 1; rows of a table: columns, 1, 1 */
  gint64 sample_size; /* product of shape */
  LsSampleType type;
  void *samples;  /* n × sample_size */
  gint32 *labels; /* n, each in 0 … n_classes−1 */
} LsDataset;

typedef struct {
  gint ref_count;
  char *name; /* "mnist", "spiral", or the folder's name, for screens */
  gint n_classes;
  LsDataset train, test;
} LsData;

typedef struct {
  const LsDataset *set;
  const guint32 *index; /* n positions in the set */
  guint n;
} LsBatch;

/* The 256 values of byte / 255 in float. */
const float *ls_dataset_byte_values (void);

/* what: "mnist" (shipped), "spiral", "circles", "xor", "moons", "tabular" (made from the seed), or a folder
 * with four IDX files (train-images*, train-labels*, t10k-images* or test-images*, …-labels*; plain or gzip,
 * told apart by content). Errors: LS_ERROR_DATA, LS_ERROR_FILE, LS_ERROR_USAGE (no such name or folder). */
LsData *ls_data_load (const char *what, guint64 seed, GError **error);
LsData *ls_data_ref (LsData *data);
void ls_data_unref (LsData *data);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (LsData, ls_data_unref)

/* The names ls_data_load() knows beside folders, NULL-terminated. */
const char *const *ls_data_names (void);

/* The sample's shape (channels, height, width) and the number of classes of one of those names, without
 * loading it. FALSE for anything else: a folder has to be read. */
gboolean ls_data_shape (const char *what, gint64 shape[3], gint *n_classes);

G_END_DECLS
