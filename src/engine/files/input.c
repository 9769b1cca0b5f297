/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Regular files only, plain or gzip. See input.h for the promises.
 *
 * inflate() is driven here by hand because a gzip file is a sequence of members (RFC 1952, section 2.2), and
 * because the caller's cap must hold for what comes out, not for what goes in: a few kilobytes can inflate to
 * gigabytes.
 */
#include "config.h"

#include <inttypes.h>
#include <unistd.h>
#include <zlib.h>
#include <glib/gi18n-lib.h>

#include "core/error.h"
#include "files/input.h"

#define CHUNK_BYTES 65536

/* Deflate's shortest code for its longest run: 258 bytes in two bits. */
#define DEFLATE_RATIO 1032
/* What unpacks to more than that many bytes, and to so many times its own, is made to fill memory: images
 * pack to a fifth, the emptiest drawings to a hundredth. */
#define LARGE_BYTES (G_GINT64_CONSTANT (64) << 20)
#define BOMB_RATIO  256

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

LsInput *
ls_input_open (const char *path, GError **error)
{
  g_autoptr (LsInput) input = g_new0 (LsInput, 1);
  gssize got;

  input->name = ls_file_display_name (path);
  input->fd = ls_file_open (path, &input->file_bytes, error);
  if (input->fd < 0)
    return NULL;
  got = ls_file_fill (input->fd, input->chunk, CHUNK_BYTES, input->name, error);
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
    rest = ls_file_fill (input->fd, buffer + first, n - first, input->name, error);
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
  got = ls_file_fill (input->fd, input->chunk + kept, CHUNK_BYTES - kept, input->name, error);
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

gboolean
ls_input_may_hold (const LsInput *input, gint64 bytes, GError **error)
{
  return !input->gzip || ls_packed_may_hold (input->name, input->file_bytes, bytes, error);
}

gboolean
ls_packed_may_hold (const char *name, gint64 packed, gint64 bytes, GError **error)
{
  if (bytes / DEFLATE_RATIO > packed)
    g_set_error (error, LS_ERROR, LS_ERROR_DATA,
                 _("“%s” is cut: its header announces %" PRId64 " bytes, more than %" PRId64
                    " bytes of packed data can hold; fetch it again."),
                 name, bytes, packed);
  else if (bytes > LARGE_BYTES && bytes / BOMB_RATIO > packed)
    g_set_error (error, LS_ERROR, LS_ERROR_DATA,
                 _("“%s” isn’t unpacked: it announces %" PRId64 " bytes in %" PRId64
                    " of packed data, which no real data set does; if this one does, unpack it first."),
                 name, bytes, packed);
  else
    return TRUE;
  return FALSE;
}
