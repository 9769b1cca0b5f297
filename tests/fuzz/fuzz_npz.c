/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Strangers' archives of arrays. An input that begins with “PK” is one; any other is the length of the
 * samples' array in two bytes, that array and the labels', and is packed here, so that checksums hide no
 * change.
 */
#include "fuzz_data.h"

#include "../data/zip_rig.h"

/* NULL: the length is wrong. (transfer full) */
static GByteArray *
pack (const uint8_t *data, size_t size, gboolean deflated)
{
  const gsize n = size >= 2 ? (gsize) data[0] | (gsize) data[1] << 8 : size + 1;
  g_autoptr (GByteArray) x = g_byte_array_new (), y = g_byte_array_new ();
  ZipMaker maker;

  if (n + 2 > size)
    return NULL;
  g_byte_array_append (x, data + 2, (guint) n);
  g_byte_array_append (y, data + 2 + n, (guint) (size - 2 - n));
  zip_begin (&maker);
  zip_add (&maker, "x_train.npy", x, deflated, !deflated);
  zip_add (&maker, "y_train.npy", y, deflated, !deflated);
  return zip_end (&maker);
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  const gboolean archive = size >= 2 && data[0] == 'P' && data[1] == 'K';
  g_autoptr (GByteArray) stored = archive ? NULL : pack (data, size, FALSE),
                         deflated = archive ? NULL : pack (data, size, TRUE);
  g_autoptr (LsData) a = NULL, b = NULL;

  if (archive)
    {
      a = fuzz_load (data, size, (guint) size);
      return 0;
    }
  if (stored == NULL)
    return 0;
  a = fuzz_load (stored->data, stored->len, (guint) size);
  b = fuzz_load (deflated->data, deflated->len, (guint) size);
  fuzz_check ((a == NULL) == (b == NULL), "stored and deflated arrays are not the same");
  if (a != NULL)
    fuzz_check_same_data (a, b);
  return 0;
}
