/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See file.h for the promises.
 */
#include "config.h"
#include "core/file.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <glib/gi18n-lib.h>

#include "core/error.h"

char *
ls_file_display_name (const char *path)
{
  return g_filename_display_basename (path);
}

int
ls_file_open (const char *path, gint64 *size_bytes, GError **error)
{
  g_autofree char *name = g_filename_display_name (path);
  struct stat info;
  int fd;

  do /* O_NONBLOCK: opening a FIFO without a writer would wait for one. */
    fd = open (path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
  while (fd < 0 && errno == EINTR);
  if (fd < 0)
    {
      g_set_error (error, LS_ERROR, LS_ERROR_FILE, _("“%s” can’t be opened: %s."), name, g_strerror (errno));
      return -1;
    }
  if (fstat (fd, &info) != 0)
    {
      g_set_error (error, LS_ERROR, LS_ERROR_FILE, _("“%s” can’t be examined: %s."), name,
                   g_strerror (errno));
      close (fd);
      return -1;
    }
  if (!S_ISREG (info.st_mode))
    {
      g_set_error (error, LS_ERROR, LS_ERROR_FILE,
                   S_ISDIR (info.st_mode) ? _("“%s” is a folder; a file is needed here.")
                                          : _("“%s” is a device or a pipe; a plain file is needed here."),
                   name);
      close (fd);
      return -1;
    }
  *size_bytes = info.st_size;
  return fd;
}

gssize
ls_file_fill (int fd, void *buffer, gsize n, const char *name, GError **error)
{
  gsize got = 0;

  while (got < n)
    {
      gssize r = read (fd, (guint8 *) buffer + got, n - got);

      if (r == 0)
        break;
      if (r < 0 && errno == EINTR)
        continue;
      if (r < 0)
        {
          g_set_error (error, LS_ERROR, LS_ERROR_FILE, _("“%s” can’t be read: %s."), name,
                       g_strerror (errno));
          return -1;
        }
      got += (gsize) r;
    }
  return (gssize) got;
}

gssize
ls_file_read_at (int fd, void *buffer, gsize n, gint64 at)
{
  gsize got = 0;

  while (got < n)
    {
      const gssize r = pread (fd, (guint8 *) buffer + got, n - got, at + (gint64) got);

      if (r < 0 && errno == EINTR)
        continue;
      if (r < 0)
        return -1;
      if (r == 0)
        break;
      got += (gsize) r;
    }
  return (gssize) got;
}

GBytes *
ls_file_read (const char *path, gsize max_bytes, GError **error)
{
  g_autofree char *name = g_filename_display_name (path);
  g_autofree guint8 *data = NULL;
  gint64 size;
  gssize got;
  int fd = ls_file_open (path, &size, error);

  if (fd < 0)
    return NULL;
  if (size < 0 || (guint64) size > max_bytes)
    {
      g_set_error (error, LS_ERROR, LS_ERROR_DATA,
                   _("“%s” is too large: %" PRId64 " bytes, and at most %zu are read."), name, size,
                   max_bytes);
      close (fd);
      return NULL;
    }
  /* One byte more than it claims: a file that grows meanwhile is noticed. */
  data = g_try_malloc ((gsize) size + 1);
  if (data == NULL)
    {
      g_set_error (error, LS_ERROR, LS_ERROR_MEMORY,
                   _("“%s” needs %" PRId64 " bytes of memory, which can’t be had."), name, size);
      close (fd);
      return NULL;
    }
  got = ls_file_fill (fd, data, (gsize) size + 1, name, error);
  close (fd);
  if (got < 0)
    return NULL;
  if (got != size)
    {
      g_set_error (error, LS_ERROR, LS_ERROR_FILE, _("“%s” changed while it was read; try again."), name);
      return NULL;
    }
  return g_bytes_new_take (g_steal_pointer (&data), (gsize) size);
}

gint
ls_compare_texts (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}
