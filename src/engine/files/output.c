/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Saving by g_file_set_contents_full (CONSISTENT | DURABLE). Not by GFile: g_file_replace_contents() leaves a
 * cut file in the old one's place when the disk is full.
 */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>

#include "core/error.h"
#include "files/output.h"

#define BESIDE ".XXXXXX" /* what GLib calls the file that it writes beside, after the file's own name */

/* The file that is replaced: path, or what it links to. (transfer full); NULL: it is no plain file. */
static char *
target_of (const char *path, GError **error)
{
  g_autofree char *name = g_filename_display_name (path);
  struct stat info;
  char *real, *target;

  if (stat (path, &info) != 0)
    return g_strdup (path);
  if (!S_ISREG (info.st_mode))
    {
      g_set_error (error, LS_ERROR, LS_ERROR_FILE,
                   _("“%s” is a folder, a device or a pipe; give the name of a file to save to."), name);
      return NULL;
    }
  real = realpath (path, NULL);
  target = g_strdup (real != NULL ? real : path);
  free (real);
  return target;
}

gboolean
ls_file_save (const char *path, gconstpointer data, gsize bytes, GError **error)
{
  g_autofree char *name = g_filename_display_name (path), *target = target_of (path, error);
  g_autoptr (GError) local = NULL;

  if (target == NULL)
    return FALSE;
  while (!g_file_set_contents_full (
    target, data, (gssize) bytes, G_FILE_SET_CONTENTS_CONSISTENT | G_FILE_SET_CONTENTS_DURABLE, 0644, &local))
    {
      /* GLib gives up where a signal interrupts a call, as file systems of a network let it */
      if (!g_error_matches (local, G_FILE_ERROR, G_FILE_ERROR_INTR))
        {
          g_set_error (error, LS_ERROR, LS_ERROR_FILE,
                       _("“%s” can’t be saved, and what was there is as before: %s."), name, local->message);
          return FALSE;
        }
      g_clear_error (&local);
    }
  return TRUE;
}

/* Whether a file can be written beside target: by one that has no name, or, where the file system has none of
 * those, by one that is removed at once. 0, or errno. */
static int
try_beside (const char *folder, const char *target)
{
  g_autofree char *beside = g_strconcat (target, BESIDE, NULL);
  int fd;

  do
    fd = open (folder, O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600);
  while (fd < 0 && errno == EINTR);
  if (fd < 0 && (errno == EOPNOTSUPP || errno == EISDIR || errno == EINVAL))
    {
      fd = g_mkstemp_full (beside, O_WRONLY | O_CLOEXEC, 0600);
      if (fd >= 0)
        unlink (beside);
    }
  if (fd < 0)
    return errno;
  close (fd);
  return 0;
}

gboolean
ls_file_try_save (const char *path, GError **error)
{
  g_autofree char *name = g_filename_display_name (path), *target = NULL, *folder = NULL, *base = NULL,
                  *shown = NULL;
  int code;
  long longest;

  if (*path == '\0')
    {
      g_set_error (error, LS_ERROR, LS_ERROR_USAGE, _("A file name is missing: the one given is empty."));
      return FALSE;
    }
  target = target_of (path, error);
  if (target == NULL)
    return FALSE;
  folder = g_path_get_dirname (target);
  base = g_path_get_basename (target);
  shown = g_filename_display_name (folder);
  if (!g_file_test (folder, G_FILE_TEST_IS_DIR))
    {
      g_set_error (error, LS_ERROR, LS_ERROR_FILE, _("“%s” can't be written: there is no folder “%s”."),
                   name, shown);
      return FALSE;
    }
  longest = pathconf (folder, _PC_NAME_MAX);
  code = longest > 0 && strlen (base) + strlen (BESIDE) > (gsize) longest ? ENAMETOOLONG
                                                                          : try_beside (folder, target);
  if (code != 0)
    g_set_error (error, LS_ERROR, LS_ERROR_FILE, _("“%s” can't be written: folder “%s”: %s."), name, shown,
                 g_strerror (code));
  return code == 0;
}

int
ls_file_lock (const char *path)
{
  for (;;)
    {
      const int fd = open (path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0600);
      struct stat own, there;
      int code;

      if (fd < 0)
        return -1;
      if (flock (fd, LOCK_EX | LOCK_NB) != 0)
        {
          code = errno;
          close (fd);
          errno = code;
          return -1;
        }
      if (fstat (fd, &own) == 0 && stat (path, &there) == 0 && own.st_ino == there.st_ino
          && own.st_dev == there.st_dev)
        return fd;
      close (fd); /* whoever had it has taken it away meanwhile */
    }
}
