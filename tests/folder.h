/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * For tests that fill folders: away with all that is in one.
 */
#pragma once

#include <glib.h>
#include <glib/gstdio.h>

/* Follows no link. */
static inline void
empty_folder (const char *folder)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (folder, name, NULL);
      if (g_remove (path) != 0)
        {
          empty_folder (path);
          g_rmdir (path);
        }
    }
}

static inline void
remove_tree (const char *folder)
{
  empty_folder (folder);
  g_rmdir (folder);
}
