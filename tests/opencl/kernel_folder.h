/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A folder in which kernels are edited.
 */
#pragma once

#include "backends/kernel_files.h"
#include "tests/folder.h"

#define TILED "gemm_tiled.cl"

static inline void
save (const char *folder, const char *name, const char *text)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);

  g_assert_true (g_file_set_contents (path, text, -1, NULL));
}

/* The file as it is built in, with one text in the place of another. */
static inline void
edit (const char *folder, const char *name, const char *from, const char *to)
{
  g_autofree char *own = ls_kernel_files_own (name);
  g_auto (GStrv) parts = g_strsplit (own, from, 2);
  g_autofree char *text = g_strjoinv (to, parts);

  g_assert_cmpuint (g_strv_length (parts), ==, 2);
  save (folder, name, text);
}

static inline LsKernelFiles *
read_folder (const char *folder)
{
  g_autoptr (GError) error = NULL;
  LsKernelFiles *files = ls_kernel_files_read (folder, &error);

  g_assert_no_error (error);
  return files;
}
