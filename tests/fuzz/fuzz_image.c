/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Strangers' images: what is decoded has the pixels that it says, and its average lies among them.
 */
#include "fuzz.h"

#include <string.h>

#include "data/limits.h"
#include "data/picture.h"

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  g_auto (LsPicture) picture = { 0 };
  g_autoptr (GError) error = NULL;
  gboolean accepted;
  guint8 mean[3 * 4];

  /* megabytes of pixels from a few bytes take their time, which is the library's */
  if (size >= 24 && memcmp (data, "\x89PNG", 4) == 0 && (data[16] | data[17] | data[20] | data[21]) != 0)
    return 0;
  accepted = ls_picture_read (&picture, fuzz_file (data, size), "an image", &error);
  ls_error_make_printable (&error);
  fuzz_check_answer (accepted, error);
  fuzz_check (!accepted || ls_picture_is (data, size), "an image that isn't one by its first bytes");
  fuzz_check (accepted == (picture.pixels != NULL), "pixels of an image that was refused");
  if (!accepted)
    return 0;
  fuzz_check (picture.width > 0 && picture.height > 0
                && (gint64) picture.width * picture.height <= LS_DATA_MAX_PIXELS,
              "%d×%d pixels", picture.width, picture.height);
  ls_picture_average (&picture, 2, 2, mean);
  for (gsize i = 0; !picture.colour && i < 4; i++)
    fuzz_check (mean[i] == mean[4 + i] && mean[i] == mean[8 + i], "the mean of grey pixels has a colour");
  return 0;
}
