/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * libFuzzer on what reads files that strangers made: IDX images and labels, recordings (and with them
 * safetensors and JSON) and their exports. Which, says the first byte of the input. Not built by default:
 *
 *   CC=clang meson setup build-fuzz -Db_sanitize=address,undefined -Db_lundef=false
 * -Dc_args=-fsanitize=fuzzer-no-link ninja -C build-fuzz tests/files/fuzz build-fuzz/tests/files/fuzz
 * -max_len=65536 -max_total_time=300 CORPUS
 */
#include <stdio.h>
#include <unistd.h>

#include "data/idx.h"
#include "files/export.h"

int LLVMFuzzerTestOneInput (const guint8 *data, gsize size);

static void
read_idx (const char *path)
{
  g_autofree guint8 *samples = NULL;
  g_autofree gint32 *labels = NULL;
  gint64 n, shape[3];

  ls_idx_read_images (path, &n, shape, &samples, NULL);
  ls_idx_read_labels (path, &n, &labels, NULL);
}

static void
read_recording (const char *path)
{
  g_autoptr (LsRecording) recording = ls_recording_load (path, NULL);

  if (recording != NULL)
    {
      g_string_free (ls_export_csv (recording), TRUE);
      g_string_free (ls_export_perfetto (recording), TRUE);
    }
}

int
LLVMFuzzerTestOneInput (const guint8 *data, gsize size)
{
  char path[64];
  FILE *file;

  if (size < 1)
    return 0;
  g_snprintf (path, sizeof path, "/dev/shm/lockstep-fuzz-%d", (int) getpid ());
  file = fopen (path, "wb");
  if (file == NULL)
    return 0;
  fwrite (data + 1, 1, size - 1, file);
  fclose (file);
  if (data[0] & 1)
    read_idx (path);
  else
    read_recording (path);
  unlink (path);
  return 0;
}
