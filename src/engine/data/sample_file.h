/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A cache file of samples that memory has no room for: images that were decoded and brought to one size,
 * once. It lies in the user's cache folder, one for each folder of images and size, and is made again when a
 * file of the folder has changed. When another one has been made, those that were used longest ago are
 * removed, so that all together are no larger than LS_DATA_MAX_CACHES.
 *
 *   samples to train with, samples to test with, one behind the other · their labels, 32 bits each, this
 *   machine's order · a text in JSON: what they are · its length, 8 bytes · "LSSMPL01"
 *
 * It is written beside, with a lock, and renamed once it is whole: what bears its name is whole, or was cut,
 * which its length tells.
 */
#pragma once

#include <jansson.h>

#include "data/loader.h"

G_BEGIN_DECLS

/* Bytes of samples that are held in memory; LOCKSTEP_DATA_MEMORY says another number. */
gint64 ls_data_memory (void);

typedef struct {
  char *path; /* the file */
  char *name; /* of the data, for messages */
  int fd;     /* −1: none, or given away */
  gint channels;
  gint64 pixels;     /* of each channel */
  gint64 n, n_train; /* samples; those before n_train are to train with */
  gint32 *labels;    /* n */
  GArray *added;     /* while it is written: gint32 */
  gboolean writing;  /* it isn't whole yet */
} LsSampleFile;

void ls_sample_file_clear (LsSampleFile *file);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (LsSampleFile, ls_sample_file_clear)

/* id: tells it from the files of other data, by path and size. */
void ls_sample_file_init (LsSampleFile *file, const char *id, const char *name);
/* One that is there, whole, and has that fingerprint; (transfer full): its text. NULL: there is none. */
json_t *ls_sample_file_open (LsSampleFile *file, const char *fingerprint);
/* Begins to write it anew; channels: 1 or 3. LS_ERROR_FILE: somebody else does just that, or it can't be
 * written. */
gboolean ls_sample_file_begin (LsSampleFile *file, gint channels, gint64 pixels, GError **error);
/* So many samples of so many bytes; LS_ERROR_DATA: they are too many. */
gboolean ls_sample_file_may (const LsSampleFile *file, gint64 n, gint64 bytes, GError **error);
gboolean ls_sample_file_add (LsSampleFile *file, const guint8 *planes, gint32 label, GError **error);
/* Of one channel all samples so far get three alike. */
gboolean ls_sample_file_widen (LsSampleFile *file, GError **error);
/* text: taken over, with the fingerprint put in. From now on it can be read. */
gboolean ls_sample_file_end (LsSampleFile *file, json_t *text, const char *fingerprint, GError **error);
/* Both sets of data become its samples: those to train with stay in the file. shape: height, width. */
gboolean ls_sample_file_take (LsSampleFile *file, gint64 height, gint64 width, LsData *data, GError **error);

G_END_DECLS
