/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * safetensors (https://github.com/huggingface/safetensors): eight bytes N, little-endian; N bytes of JSON
 * that name each tensor's dtype, shape and place; then the tensors' bytes, little-endian, without a gap.
 *
 * The reader trusts nothing: JSON read strictly, names once each, products checked, no hole, no overlap, the
 * file exactly as long as its header says. Opening reads the header alone, so that the caller can refuse
 * names and shapes before memory is taken for values. The writer's header is padded with spaces so that data
 * begins at a multiple of eight, and larger elements come first so that every tensor is aligned.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define LS_SAFETENSORS_MAX_RANK 8

typedef enum {
  LS_ST_F64,
  LS_ST_I64,
  LS_ST_U64,
  LS_ST_F32,
  LS_ST_I32,
  LS_ST_U32,
  LS_ST_F16,
  LS_ST_BF16,
  LS_ST_I16,
  LS_ST_U16,
  LS_ST_I8,
  LS_ST_U8,
  LS_ST_BOOL,
  LS_ST_N_DTYPES
} LsStDtype;

const char *ls_st_dtype_name (LsStDtype dtype); /* "F32" */
gsize ls_st_dtype_size (LsStDtype dtype);       /* bytes */

typedef struct {
  gsize header_bytes;
  guint tensors;
  gint64 file_bytes;
  const char *stranger; /* marked for translation: what is said of a file that doesn't begin as one; NULL:
                           that it is no safetensors file */
} LsSafetensorsLimits;

typedef struct {
  char *name;
  LsStDtype dtype;
  guint rank;
  gint64 shape[LS_SAFETENSORS_MAX_RANK];
  gint64 count;         /* elements; may be 0 */
  gint64 offset, bytes; /* in the file's data */
} LsStTensor;

typedef struct {
  char *name; /* the file's, for messages */
  int fd;
  gint64 data_offset; /* of the data in the file */
  guint n_tensors;
  LsStTensor *tensors;  /* by offset */
  GHashTable *index;    /* name → LsStTensor */
  GHashTable *metadata; /* text → text */
} LsSafetensors;

/* Errors: LS_ERROR_FILE, LS_ERROR_DATA, LS_ERROR_MEMORY. */
LsSafetensors *ls_safetensors_open (const char *path, const LsSafetensorsLimits *limits, GError **error);
void ls_safetensors_close (LsSafetensors *file);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (LsSafetensors, ls_safetensors_close)
/* NULL if there is none. */
const LsStTensor *ls_safetensors_find (const LsSafetensors *file, const char *name);
/* Writes tensor->bytes bytes to buffer. */
gboolean ls_safetensors_read (const LsSafetensors *file, const LsStTensor *tensor, void *buffer,
                              GError **error);

typedef struct _LsSafetensorsWriter LsSafetensorsWriter;

LsSafetensorsWriter *ls_safetensors_writer_new (void);
void ls_safetensors_writer_free (LsSafetensorsWriter *writer);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (LsSafetensorsWriter, ls_safetensors_writer_free)
/* key and text are UTF-8; a key given twice keeps the last text. */
void ls_safetensors_writer_set (LsSafetensorsWriter *writer, const char *key, const char *text);
/* data stays the caller's and must live until the save. Names must differ. */
void ls_safetensors_writer_add (LsSafetensorsWriter *writer, const char *name, LsStDtype dtype, guint rank,
                                const gint64 *shape, gconstpointer data);
/* Whether the limits would let the file in again; no data are looked at. LS_ERROR_DATA. */
gboolean ls_safetensors_writer_check (LsSafetensorsWriter *writer, const char *path,
                                      const LsSafetensorsLimits *limits, GError **error);
/* The same calls give the same bytes. A file that the limits would not let in again is not written
 * (LS_ERROR_DATA). */
gboolean ls_safetensors_writer_save (LsSafetensorsWriter *writer, const char *path,
                                     const LsSafetensorsLimits *limits, GError **error);

G_END_DECLS
