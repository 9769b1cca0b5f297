/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * NumPy's .npy (numpy.lib.format, versions 1 to 3): a magic number, a header that is a Python dictionary,
 * then the elements. Read as a stream, from a file or from a member of an archive.
 */
#pragma once

#include "files/input.h"
#include "files/zip.h"

G_BEGIN_DECLS

#define LS_NPY_MAX_RANK 4
#define LS_NPY_MAGIC    "\x93NUMPY"

typedef struct {
  char *name; /* for messages: the file, or the file and its member */
  LsInput *input;
  LsZip *zip; /* of the caller; one of the two */
  gint64 dims[LS_NPY_MAX_RANK];
  guint rank;
  char kind;        /* u, i, f, b */
  guint bytes;      /* of an element: 1, 2, 4, 8 */
  gboolean swapped; /* its bytes, against this machine's */
  gint64 each;      /* elements behind each index of the first dimension */
} LsNpy;

/* Opens path, or the zip's member, and reads the header. LS_ERROR_DATA: what it holds isn't taken: objects,
 * columns first, more than four dimensions, an empty one. */
gboolean ls_npy_open (LsNpy *npy, const char *path, LsZip *zip, guint member, GError **error);
void ls_npy_clear (LsNpy *npy);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (LsNpy, ls_npy_clear)
/* Bytes of n elements, exactly; LS_ERROR_DATA: the file is cut. */
gboolean ls_npy_read (LsNpy *npy, void *buffer, gsize n, GError **error);
/* Nothing follows. */
gboolean ls_npy_end (LsNpy *npy, GError **error);
/* Element i of those that were read, as a number. */
double ls_npy_value (const LsNpy *npy, const guint8 *elements, gsize i);

G_END_DECLS
