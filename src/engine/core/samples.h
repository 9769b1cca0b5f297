/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * LsDataset: labelled samples in memory, immutable once made. LsData: a training and a test set of one
 * kind. LsBatch: which samples one step uses. Images stay bytes (MNIST: 47 MB, not 188); the gather op turns
 * them into floats as byte / 255, by a table of 256 values so that every backend gets the same bits.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef enum {
  LS_SAMPLE_U8, /* value = byte / 255 */
  LS_SAMPLE_F32,
} LsSampleType;

typedef struct _LsStored LsStored;

typedef struct {
  gint64 n;
  gint64 shape[3];    /* channels, height, width; 2-D points: 2, 1, 1; rows of a table: columns, 1, 1 */
  gint64 sample_size; /* product of shape */
  LsSampleType type;
  void *samples;    /* n × sample_size; of stored ones those of LsData.first alone, in their order */
  gint32 *labels;   /* n, each in 0 … n_classes−1 */
  LsStored *stored; /* where the samples lie that memory has no room for (stored.h); NULL: they are here */
} LsDataset;

#define LS_DATA_FIRST 20

typedef struct {
  gint ref_count;
  char *key;  /* what was asked for, and how it was to be read: ls_data_key(); NULL: made otherwise */
  char *name; /* "mnist", "spiral", or the folder's name, for screens */
  gint n_classes;
  char **class_names; /* n_classes of them, each a line; NULL: they are called 0, 1, 2 … */
  LsDataset train, test;
  const char *format; /* translatable: what it was read from: "a table (CSV or TSV)" */
  gboolean split;     /* the test set was taken out of what was read */
  GPtrArray *notes;   /* sentences: what was left out, filled in or changed; NULL: nothing was */
  guint n_first;
  gint64 first[LS_DATA_FIRST]; /* of the samples to train with: the first of each class in turn, by class;
                                  where they are stored class by class, all the first ones would be alike */
} LsData;

LsData *ls_data_ref (LsData *data);
void ls_data_unref (LsData *data);
/* Adds a sentence, with what can't be printed in it replaced, to the notes. */
void ls_data_note (LsData *data, const char *format, ...) G_GNUC_PRINTF (2, 3);
/* What class is called; (transfer full). */
char *ls_data_class_name (const LsData *data, gint class);
/* Bytes of one of its values. */
gsize ls_dataset_value_bytes (const LsDataset *set);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (LsData, ls_data_unref)

typedef struct {
  const LsDataset *set;
  const guint32 *index; /* n positions in the set */
  guint n;
} LsBatch;

/* The 256 values of byte / 255 in float. */
const float *ls_dataset_byte_values (void);

G_END_DECLS
