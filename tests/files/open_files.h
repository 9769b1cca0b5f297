/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How many files, pipes and sockets this process has open.
 */
#pragma once

#include <glib.h>

static inline guint
count_open_files (void)
{
  g_autoptr (GDir) dir = g_dir_open ("/proc/self/fd", 0, NULL);
  guint n = 0;

  if (dir == NULL)
    g_error ("/proc/self/fd can't be read");
  while (g_dir_read_name (dir) != NULL)
    n++;
  return n - 1; /* without the folder's own */
}
