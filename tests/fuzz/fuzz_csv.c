/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Strangers' tables: what is accepted is whole, and the same with a byte-order mark before it.
 */
#include "fuzz_data.h"

#include <string.h>

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  const guint which = size > 0 ? (guint) size + data[size / 2] : 0;
  g_autoptr (LsData) read = fuzz_load (data, size, which), again = NULL;
  g_autofree guint8 *marked = NULL;

  /* as long as whole records of CIFAR it may have been taken for them */
  if (size % 3073 == 0 || size % 3074 == 0)
    return 0;
  if (read == NULL || data[0] == 0x1f || (size >= 3 && memcmp (data, "\xef\xbb\xbf", 3) == 0)
      || memchr (data, '\0', size) != NULL)
    return 0;
  marked = g_malloc (size + 3);
  memcpy (marked, "\xef\xbb\xbf", 3);
  memcpy (marked + 3, data, size);
  again = fuzz_load (marked, size + 3, which);
  fuzz_check (again != NULL, "a byte-order mark makes it no table");
  fuzz_check_same_data (read, again);
  return 0;
}
