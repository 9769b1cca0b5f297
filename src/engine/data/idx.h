/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * IDX, the format of MNIST and its kin (http://yann.lecun.com/exdb/mnist): two zero bytes, a type byte, the
 * number of dimensions, each dimension as four bytes big-endian, then the elements, last dimension fastest.
 *
 *   00 00 08 03 | 00 00 ea 60 | 00 00 00 1c | 00 00 00 1c | pixels …       60,000 images of 28×28 bytes
 *   00 00 08 01 | 00 00 ea 60 | labels …
 *
 * The reader is strict: nothing is allocated before the header has been checked (no dimension 0, number and
 * product within limits.h), and the file must hold exactly what its header says. Files may be gzip.
 */
#pragma once

#include "data/limits.h"

G_BEGIN_DECLS

/* Images of bytes, N×H×W or N×C×H×W. samples: n × shape[0] × shape[1] × shape[2] bytes, (transfer full).
 * Errors: LS_ERROR_FILE, LS_ERROR_DATA, LS_ERROR_MEMORY. */
gboolean ls_idx_read_images (const char *path, gint64 *n, gint64 shape[3], guint8 **samples, GError **error);
/* What the header says, and no sample. */
gboolean ls_idx_look_images (const char *path, gint64 *n, gint64 shape[3], GError **error);
/* Labels, bytes or 32-bit integers, each in 0 … LS_DATA_MAX_CLASSES − 1. */
gboolean ls_idx_read_labels (const char *path, gint64 *n, gint32 **labels, GError **error);

G_END_DECLS
