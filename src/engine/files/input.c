/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Regular files only, plain or gzip. See input.h for the promises.
 *
 * inflate() is driven here by hand because a gzip file is a sequence of members (RFC 1952, section 2.2), and
 * because the caller's cap must hold for what comes out, not for what goes in: a few kilobytes can inflate to
 * gigabytes.
 */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>
#include <glib/gi18n-lib.h>

#include "core/error.h"
#include "files/input.h"

#define CHUNK_BYTES 65536

struct _LsInput {
  char *name;
  int fd;
  gint64 file_bytes;
  gboolean gzip;
  gboolean file_ended;
  gboolean in_member; /* between a member's header and its trailer */
  gboolean have_stream;
  guint64 produced; /* bytes given out so far */
  z_stream stream;
  gsize pending, at; /* bytes of `chunk` that were read, and consumed (plain files only) */
  guint8 chunk[CHUNK_BYTES];
};

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
  /* O_NONBLOCK: opening a FIFO without a writer would wait for one. */
  int fd = open (path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);

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

/* Reads until n bytes are there or the file ends. */
static gssize
read_fully (int fd, void *buffer, gsize n, const char *name, GError **error)
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
  got = read_fully (fd, data, (gsize) size + 1, name, error);
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

LsInput *
ls_input_open (const char *path, GError **error)
{
  g_autoptr (LsInput) input = g_new0 (LsInput, 1);
  gssize got;

  input->name = ls_file_display_name (path);
  input->fd = ls_file_open (path, &input->file_bytes, error);
  if (input->fd < 0)
    return NULL;
  got = read_fully (input->fd, input->chunk, CHUNK_BYTES, input->name, error);
  if (got < 0)
    return NULL;
  input->pending = (gsize) got;
  input->file_ended = got < CHUNK_BYTES;
  input->gzip = got >= 2 && input->chunk[0] == 0x1f && input->chunk[1] == 0x8b;
  if (input->gzip)
    {
      input->stream.next_in = input->chunk;
      input->stream.avail_in = (uInt) got;
      /* 15: the largest window; + 16: a gzip header and trailer, nothing else. */
      if (inflateInit2 (&input->stream, 15 + 16) != Z_OK)
        {
          g_set_error_literal (error, LS_ERROR, LS_ERROR_MEMORY,
                               _("There is no memory left to unpack gzip data."));
          return NULL;
        }
      input->have_stream = TRUE;
      input->in_member = TRUE;
    }
  return g_steal_pointer (&input);
}

void
ls_input_close (LsInput *input)
{
  if (input == NULL)
    return;
  if (input->have_stream)
    inflateEnd (&input->stream);
  if (input->fd >= 0)
    close (input->fd);
  g_free (input->name);
  g_free (input);
}

gint64
ls_input_size (const LsInput *input)
{
  return input->gzip ? -1 : input->file_bytes;
}

static gssize
read_plain (LsInput *input, guint8 *buffer, gsize n, GError **error)
{
  gsize first = MIN (n, input->pending - input->at);
  gssize rest = 0;

  memcpy (buffer, input->chunk + input->at, first);
  input->at += first;
  if (first < n && !input->file_ended)
    rest = read_fully (input->fd, buffer + first, n - first, input->name, error);
  if (rest < 0)
    return -1;
  input->produced += first + (gsize) rest;
  return (gssize) first + rest;
}

/* Keeps what inflate() hasn't consumed and puts the file's next bytes behind it. */
static gboolean
refill (LsInput *input, GError **error)
{
  gsize kept = input->stream.avail_in;
  gssize got;

  memmove (input->chunk, input->stream.next_in, kept);
  got = read_fully (input->fd, input->chunk + kept, CHUNK_BYTES - kept, input->name, error);
  if (got < 0)
    return FALSE;
  input->file_ended = (gsize) got < CHUNK_BYTES - kept;
  input->stream.next_in = input->chunk;
  input->stream.avail_in = (uInt) (kept + (gsize) got);
  return TRUE;
}

/* After a member: begins the next one, or finds the file's end (in_member stays FALSE). */
static gboolean
next_member (LsInput *input, GError **error)
{
  if (input->stream.avail_in < 2 && !input->file_ended && !refill (input, error))
    return FALSE;
  if (input->stream.avail_in == 0)
    return TRUE;
  if (input->stream.avail_in < 2 || input->stream.next_in[0] != 0x1f || input->stream.next_in[1] != 0x8b)
    {
      g_set_error (error, LS_ERROR, LS_ERROR_DATA,
                   _("“%s” goes on after its gzip data with other bytes; fetch it again."), input->name);
      return FALSE;
    }
  inflateReset (&input->stream);
  input->in_member = TRUE;
  return TRUE;
}

static gssize
damaged (LsInput *input, int code, GError **error)
{
  if (code == Z_MEM_ERROR)
    g_set_error_literal (error, LS_ERROR, LS_ERROR_MEMORY,
                         _("There is no memory left to unpack gzip data."));
  else
    g_set_error (
      error, LS_ERROR, LS_ERROR_DATA,
      _("“%s” is damaged: its gzip data is wrong after %" PRIu64 " unpacked bytes (%s); fetch it again."),
      input->name, input->produced, input->stream.msg != NULL ? input->stream.msg : zError (code));
  return -1;
}

static gssize
read_gzip (LsInput *input, guint8 *buffer, gsize n, GError **error)
{
  gsize got = 0;

  while (got < n)
    {
      uInt room = (uInt) MIN (n - got, 1u << 30);
      int code;

      if (!input->in_member && !next_member (input, error))
        return -1;
      if (!input->in_member)
        break;
      if (input->stream.avail_in == 0 && !input->file_ended && !refill (input, error))
        return -1;
      input->stream.next_out = buffer + got;
      input->stream.avail_out = room;
      code = inflate (&input->stream, Z_NO_FLUSH);
      got += room - input->stream.avail_out;
      input->produced += room - input->stream.avail_out;
      if (code == Z_STREAM_END)
        input->in_member = FALSE;
      else if (code == Z_BUF_ERROR && input->file_ended && got > 0)
        break;
      else if (code == Z_BUF_ERROR && input->file_ended)
        {
          g_set_error (
            error, LS_ERROR, LS_ERROR_DATA,
            _("“%s” is cut: its gzip data breaks off after %" PRIu64 " unpacked bytes; fetch it again."),
            input->name, input->produced);
          return -1;
        }
      else if (code != Z_OK)
        return damaged (input, code, error);
    }
  return (gssize) got;
}

gssize
ls_input_read (LsInput *input, void *buffer, gsize n, GError **error)
{
  return input->gzip ? read_gzip (input, buffer, n, error) : read_plain (input, buffer, n, error);
}
