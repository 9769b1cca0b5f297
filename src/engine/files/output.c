/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Saving by g_file_set_contents_full (CONSISTENT | DURABLE). Not by GFile: g_file_replace_contents() leaves a
 * cut file in the old one's place when the disk is full.
 */
#include "config.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <glib/gi18n-lib.h>

#include "core/error.h"
#include "files/output.h"

gboolean
ls_file_save (const char *path, gconstpointer data, gsize bytes, GError **error)
{
  g_autofree char *name = g_filename_display_name (path);
  g_autoptr (GError) local = NULL;
  char *real = NULL;
  struct stat info;
  gboolean saved;

  if (stat (path, &info) == 0)
    {
      if (!S_ISREG (info.st_mode))
        {
          g_set_error (error, LS_ERROR, LS_ERROR_FILE,
                       _("“%s” is a folder, a device or a pipe; give the name of a file to save to."), name);
          return FALSE;
        }
      real = realpath (path, NULL);
    }
  saved = g_file_set_contents_full (real != NULL ? real : path, data, (gssize) bytes,
                                    G_FILE_SET_CONTENTS_CONSISTENT | G_FILE_SET_CONTENTS_DURABLE, 0644,
                                    &local);
  free (real);
  if (!saved)
    g_set_error (error, LS_ERROR, LS_ERROR_FILE,
                 _("“%s” can’t be saved, and what was there is as before: %s."), name, local->message);
  return saved;
}
