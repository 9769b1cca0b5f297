/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Strangers' batches of CIFAR: an input gives the records' labels, their kind, and what is wrong with their
 * length; pixels are any, so they are the same bytes over and over.
 */
#include "fuzz_data.h"

#include <string.h>

#define PIXELS      3072
#define MAX_RECORDS 64

/* data: how many labels a record has, bytes more or less, then the labels. */
int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  g_autoptr (GByteArray) batch = g_byte_array_new ();
  guint8 pixels[PIXELS];
  g_autoptr (LsData) read = NULL;
  const guint n_labels = size > 0 ? 1 + data[0] % 2 : 1;

  if (size < 2)
    return 0;
  for (gsize i = 0; i < PIXELS; i++)
    pixels[i] = data[i % size];
  for (gsize at = 2; at + n_labels <= size && at < 2 + n_labels * MAX_RECORDS; at += n_labels)
    {
      g_byte_array_append (batch, data + at, n_labels);
      g_byte_array_append (batch, pixels, PIXELS);
    }
  g_byte_array_append (batch, pixels, data[1] % 3);
  read = fuzz_load (batch->data, batch->len, (guint) size);
  if (read != NULL && read->train.type == LS_SAMPLE_U8 && read->train.sample_size == PIXELS)
    fuzz_check (memcmp (read->train.samples, pixels, PIXELS) == 0, "the pixels are others");
  return 0;
}
