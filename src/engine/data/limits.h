/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How large data may be, for all loaders in one place: what is beyond is refused by name before memory is
 * taken for it.
 */
#pragma once

#include "files/evaluation.h"

#define LS_DATA_MAX_BYTES      (G_GINT64_CONSTANT (2) << 30)   /* of samples in memory, training and test */
#define LS_DATA_MAX_MEMORY     (G_GINT64_CONSTANT (256) << 20) /* of images; more lie in a cache file, */
#define LS_DATA_MAX_CACHE      (G_GINT64_CONSTANT (16) << 30)  /* of that size at most */
#define LS_DATA_MAX_CACHES     (G_GINT64_CONSTANT (32) << 30)  /* all of them together */
#define LS_DATA_MAX_TEXT       (G_GINT64_CONSTANT (1) << 30)   /* of a table's text, unpacked */
#define LS_DATA_MAX_SAMPLES    LS_EVALUATION_MAX_SAMPLES
#define LS_DATA_MAX_CLASSES    LS_EVALUATION_MAX_CLASSES
#define LS_DATA_MAX_COLUMNS    65536     /* of a table, also after texts have become columns */
#define LS_DATA_MAX_CATEGORIES 256       /* different texts in one column */
#define LS_DATA_MAX_PIXELS     (1 << 25) /* of an image as it lies on disk: a second or two to decode */
#define LS_DATA_MAX_EDGE       1024      /* of an image as it is trained with */
#define LS_DATA_MAX_FILES      (1 << 24) /* in the folders of images */
