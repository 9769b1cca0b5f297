/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * LsDataPreview: a data set at a glance: what it holds in a sentence, and its first samples as small
 * pictures. Immutable.
 */
#pragma once

#include "core/samples.h"

G_BEGIN_DECLS

#define LS_PREVIEW_EDGE 48 /* pixels of a picture at most, each way; a table's columns */

typedef struct {
  gint64 shape[3];
  gint n_classes;
  gint64 n_train; /* samples to train with */
  char *summary;  /* translated: "4 values, 3 classes; 135 samples to train, 15 to test (a table)" */
  char **notes;   /* NULL-terminated */
  guint n;
  guint width, height; /* of each picture */
  guint8 *pixels; /* n × height × width × red, green, blue; those of a table are its values, −2 … 2, as
                     grey */
  char **labels;  /* n */
} LsDataPreview;

/* "28×28, 10 classes", translated; (transfer full). */
char *ls_data_shape_text (const gint64 shape[3], gint n_classes);
/* Of data->first; it looks at no others, so it may be made on the window's thread. */
LsDataPreview *ls_data_preview_new (const LsData *data);
void ls_data_preview_free (LsDataPreview *preview);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (LsDataPreview, ls_data_preview_free)

G_END_DECLS
