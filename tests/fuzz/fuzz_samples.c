/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Cache files of samples that somebody else wrote, or the disk damaged: what is opened is whole, its samples
 * can all be read, and it is the same once it was written again. An input that ends as such files do is one;
 * any other is the length of its text in two bytes, then what is before the text, then the text: the end is
 * made here, so that no change of a length hides the others.
 */
#include "fuzz.h"

#include <string.h>

#include "core/stored.h"
#include "data/prepare.h"
#include "data/sample_file.h"
#include "files/json.h"

#define MAGIC       "LSSMPL01"
#define FINGERPRINT "of the fuzzer"
#define MOST        4096 /* samples that are written again */

/* NULL: the length is wrong. (transfer full) */
static GByteArray *
make_file (const uint8_t *data, size_t size)
{
  const guint64 n = size >= 2 ? (guint64) data[0] | (guint64) data[1] << 8 : 0;
  GByteArray *file;

  if (size < 2 || n > size - 2)
    return NULL;
  file = g_byte_array_new ();
  g_byte_array_append (file, data + 2, (guint) size - 2);
  g_byte_array_append (file, (const guint8 *) &n, 8);
  g_byte_array_append (file, (const guint8 *) MAGIC, 8);
  return file;
}

/* (transfer full); NULL: it can't be opened. */
static json_t *
open_at (LsSampleFile *file, const char *path)
{
  *file = (LsSampleFile){ .path = g_strdup (path), .name = g_strdup ("the fuzzer’s"), .fd = -1 };
  return ls_sample_file_open (file, FINGERPRINT);
}

/* Its samples, all of which can be read. (transfer full) */
static LsData *
take (LsSampleFile *file)
{
  LsData *data = g_new0 (LsData, 1);
  g_autoptr (GError) error = NULL;
  g_autofree guint8 *sample = g_malloc ((gsize) file->pixels * (gsize) file->channels);

  data->ref_count = 1;
  fuzz_check (ls_sample_file_take (file, 1, file->pixels, data, &error), "its samples can't be taken: %s",
              error != NULL ? error->message : "");
  fuzz_check (data->train.n == file->n_train && data->train.n + data->test.n == file->n,
              "%" G_GINT64_FORMAT " samples of %" G_GINT64_FORMAT, data->train.n + data->test.n, file->n);
  for (gint64 i = 0; i < data->train.n; i++)
    fuzz_check (ls_stored_read (data->train.stored, i, sample, NULL),
                "sample %" G_GINT64_FORMAT " isn't there", i);
  return data;
}

static void
check_again (const LsSampleFile *first, const LsData *data, json_t *text)
{
  g_auto (LsSampleFile) out = { .fd = -1 }, again = { .fd = -1 };
  g_autoptr (GError) error = NULL;
  g_autoptr (json_t) read = NULL;
  g_autofree guint8 *sample = g_malloc ((gsize) data->train.sample_size);

  out.path = g_strdup (fuzz_place ());
  out.name = g_strdup ("again");
  fuzz_check (ls_sample_file_begin (&out, first->channels, first->pixels, &error), "it can't be begun");
  for (gint64 i = 0; i < first->n; i++)
    {
      const gboolean train = i < data->train.n;

      if (train)
        ls_stored_read (data->train.stored, i, sample, NULL);
      fuzz_check (ls_sample_file_add (&out,
                                      train ? sample : ls_dataset_sample (&data->test, i - data->train.n),
                                      first->labels[i], &error),
                  "sample %" G_GINT64_FORMAT " can't be added", i);
    }
  out.n_train = first->n_train;
  fuzz_check (ls_sample_file_end (&out, json_deep_copy (text), FINGERPRINT, &error), "it can't be ended");
  read = open_at (&again, fuzz_place ());
  fuzz_check (read != NULL && again.n == first->n && again.n_train == first->n_train
                && again.channels == first->channels && again.pixels == first->pixels
                && memcmp (again.labels, first->labels, 4 * (gsize) first->n) == 0,
              "it is another one once it was written again");
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  const gboolean whole = size >= 8 && memcmp (data + size - 8, MAGIC, 8) == 0;
  g_autoptr (GByteArray) made = whole ? NULL : make_file (data, size);
  g_auto (LsSampleFile) file = { .fd = -1 };
  g_autoptr (json_t) text = NULL;

  if (!whole && made == NULL)
    return 0;
  text = open_at (&file, fuzz_file (whole ? data : made->data, whole ? size : made->len));
  fuzz_check ((text != NULL) == (file.labels != NULL) && (text != NULL) == (file.fd >= 0), "it is half open");
  if (text == NULL)
    return 0;
  fuzz_n_accepted++;
  fuzz_check (json_is_object (text) && file.n >= 1 && file.n_train >= 1 && file.n_train <= file.n
                && (file.channels == 1 || file.channels == 3) && file.pixels >= 1
                && file.pixels <= LS_DATA_MAX_EDGE * LS_DATA_MAX_EDGE,
              "its numbers aren't those of any images");
  g_autoptr (LsData) samples = take (&file);
  if (file.n <= MOST)
    check_again (&file, samples, text);
  return 0;
}
