/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * IDX files, plain and gzip: the input is the file, and is read as images and as labels.
 */
#include "fuzz.h"

#include <string.h>
#include <zlib.h>

#include "data/idx.h"

#define MAX_PLAIN (1 << 20) /* bytes that a gzip input is unpacked to before it is changed */

/* One gzip member. (transfer full) */
static GByteArray *
pack (const guint8 *bytes, gsize n)
{
  z_stream stream = { .next_in = (Bytef *) bytes, .avail_in = (uInt) n };
  GByteArray *out = g_byte_array_new ();

  deflateInit2 (&stream, 1, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
  g_byte_array_set_size (out, (guint) deflateBound (&stream, n));
  stream.next_out = out->data;
  stream.avail_out = out->len;
  fuzz_check (deflate (&stream, Z_FINISH) == Z_STREAM_END, "deflate() ends too soon");
  g_byte_array_set_size (out, (guint) stream.total_out);
  deflateEnd (&stream);
  return out;
}

/* What the first member holds, as far as it goes; NULL: it is no gzip file. (transfer full) */
static GByteArray *
unpack (const guint8 *bytes, gsize n)
{
  z_stream stream = { .next_in = (Bytef *) bytes, .avail_in = (uInt) n };
  GByteArray *out;

  if (n < 2 || bytes[0] != 0x1f || bytes[1] != 0x8b || inflateInit2 (&stream, 15 + 16) != Z_OK)
    return NULL;
  out = g_byte_array_new ();
  g_byte_array_set_size (out, MAX_PLAIN);
  stream.next_out = out->data;
  stream.avail_out = out->len;
  inflate (&stream, Z_FINISH);
  g_byte_array_set_size (out, (guint) stream.total_out);
  inflateEnd (&stream);
  return out;
}

/* Half of the changes to a gzip file are to what is packed in it, which its checksum would hide; its other
 * members go. */
size_t
LLVMFuzzerCustomMutator (uint8_t *data, size_t size, size_t max, unsigned int seed)
{
  g_autoptr (GByteArray) plain = seed % 2 == 0 ? unpack (data, size) : NULL, packed = NULL, second = NULL;
  gsize n, cut;

  if (plain == NULL)
    return LLVMFuzzerMutate (data, size, max);
  n = plain->len;
  g_byte_array_set_size (plain, (guint) n + 64);
  n = LLVMFuzzerMutate (plain->data, n, plain->len);
  cut = seed % 3 == 0 ? n / 2 : n;
  packed = pack (plain->data, cut);
  second = cut < n ? pack (plain->data + cut, n - cut) : g_byte_array_new ();
  g_byte_array_append (packed, second->data, second->len);
  if (packed->len > max)
    return LLVMFuzzerMutate (data, size, max);
  memcpy (data, packed->data, packed->len);
  return packed->len;
}

typedef struct {
  gint64 n, shape[3];
  guint8 *samples;
  gint32 *labels;
} Read;

static void
read_clear (Read *read)
{
  g_free (read->samples);
  g_free (read->labels);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Read, read_clear)

static gboolean
read_images (const char *path, Read *read)
{
  g_autoptr (GError) error = NULL;
  const gboolean accepted = ls_idx_read_images (path, &read->n, read->shape, &read->samples, &error);
  const gint64 *shape = read->shape;

  fuzz_check_answer (accepted, error);
  fuzz_check (accepted == (read->samples != NULL), "samples of images that were refused");
  fuzz_check (!accepted || (read->n > 0 && shape[0] > 0 && shape[1] > 0 && shape[2] > 0),
              "there are no images");
  return accepted;
}

static gboolean
read_labels (const char *path, Read *read)
{
  g_autoptr (GError) error = NULL;
  const gboolean accepted = ls_idx_read_labels (path, &read->n, &read->labels, &error);

  fuzz_check_answer (accepted, error);
  fuzz_check (accepted == (read->labels != NULL), "labels of a file that was refused");
  for (gint64 i = 0; accepted && i < read->n; i++)
    fuzz_check (read->labels[i] >= 0 && read->labels[i] < LS_DATA_MAX_CLASSES, "label %d", read->labels[i]);
  return accepted;
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  const char *path = fuzz_file (data, size);
  g_auto (Read) images = { 0 }, labels = { 0 }, again = { 0 };
  const gboolean are_images = read_images (path, &images), are_labels = read_labels (path, &labels);

  fuzz_check (!are_images || !are_labels, "one file is images and labels");
  if ((!are_images && !are_labels) || data[0] == 0x1f)
    return 0;

  /* The same packed is the same. */
  g_autoptr (GByteArray) packed = pack (data, size);
  path = fuzz_file (packed->data, packed->len);
  if (are_images)
    {
      const gsize bytes = (gsize) (images.n * images.shape[0] * images.shape[1] * images.shape[2]);

      fuzz_check (read_images (path, &again), "images are refused once they are packed");
      fuzz_check (again.n == images.n && memcmp (again.shape, images.shape, sizeof again.shape) == 0
                    && memcmp (again.samples, images.samples, bytes) == 0,
                  "packed images are others");
    }
  else
    {
      fuzz_check (read_labels (path, &again), "labels are refused once they are packed");
      fuzz_check (again.n == labels.n
                    && memcmp (again.labels, labels.labels, (gsize) again.n * sizeof *again.labels) == 0,
                  "packed labels are others");
    }
  return 0;
}
