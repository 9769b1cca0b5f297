/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The lookup of shipped data: the one place that knows the three folders and their order.
 */
#include "config.h"

#include "data/datadir.h"

char *
ls_data_dir_find (const char *name)
{
  const char *const folders[] = { g_getenv ("LOCKSTEP_DATA_DIR"), LS_DATA_DIR, LS_SOURCE_DATA_DIR };

  for (guint i = 0; i < G_N_ELEMENTS (folders); i++)
    {
      g_autofree char *path = NULL;

      if (folders[i] == NULL || *folders[i] == '\0')
        continue;
      path = g_build_filename (folders[i], name, NULL);
      if (g_file_test (path, G_FILE_TEST_EXISTS))
        return g_steal_pointer (&path);
    }
  return NULL;
}
