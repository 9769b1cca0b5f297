/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See zip.h.
 */
#include "config.h"
#include "files/zip.h"

#include <inttypes.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>
#include <glib/gi18n-lib.h>

#include "core/error.h"
#include "core/file.h"
#include "files/input.h"

#define CHUNK_BYTES         65536
#define MAX_DIRECTORY_BYTES (1 << 20)
#define END_BYTES           22
#define MAX_COMMENT_BYTES   65535
#define END64_BYTES         56
#define LOCATOR_BYTES       20
#define ENTRY_BYTES         46
#define LOCAL_BYTES         30

typedef struct {
  char *name;
  guint16 flags, method;
  guint32 crc;
  guint64 packed, bytes, at; /* at: of the local header */
} Member;

struct _LsZip {
  char *name;
  int fd;
  guint64 file_bytes;
  GArray *members; /* Member */
  /* Of the one that is read: */
  const Member *member;
  guint64 left, given; /* packed bytes that weren't read yet; bytes given out */
  guint32 crc;
  gboolean have_stream, ended;
  z_stream stream;
  guint8 chunk[CHUNK_BYTES];
};

static guint16
u16 (const guint8 *p)
{
  return (guint16) (p[0] | p[1] << 8);
}

static guint32
u32 (const guint8 *p)
{
  return (guint32) u16 (p) | (guint32) u16 (p + 2) << 16;
}

static guint64
u64 (const guint8 *p)
{
  return (guint64) u32 (p) | (guint64) u32 (p + 4) << 32;
}

static gboolean
refuse (const LsZip *zip, GError **error)
{
  g_set_error (error, LS_ERROR, LS_ERROR_DATA,
               _("“%s” is damaged or cut: its ZIP directory is wrong; fetch it again."), zip->name);
  return FALSE;
}

/* n bytes at that place, all of them. */
static gboolean
read_at (LsZip *zip, guint64 at, void *buffer, gsize n, GError **error)
{
  gssize got;

  if (at > zip->file_bytes || n > zip->file_bytes - at || lseek (zip->fd, (off_t) at, SEEK_SET) < 0)
    return refuse (zip, error);
  got = ls_file_fill (zip->fd, buffer, n, zip->name, error);
  return got < 0 ? FALSE : got == (gssize) n || refuse (zip, error);
}

/* ---- the directory ---- */

typedef struct {
  guint64 n, bytes, at;
} Directory;

/* The record at the file's end, behind which there may be a comment. */
static gboolean
find_end (LsZip *zip, guint64 *at, GError **error)
{
  const gsize n = (gsize) MIN (zip->file_bytes, END_BYTES + MAX_COMMENT_BYTES);
  g_autofree guint8 *tail = g_malloc (n);

  if (n < END_BYTES)
    return refuse (zip, error);
  if (!read_at (zip, zip->file_bytes - n, tail, n, error))
    return FALSE;
  for (gsize i = n - END_BYTES + 1; i-- > 0;)
    if (u32 (tail + i) == 0x06054b50 && i + END_BYTES + u16 (tail + i + 20) <= n)
      {
        *at = zip->file_bytes - n + i;
        return TRUE;
      }
  return refuse (zip, error);
}

static gboolean
find_directory (LsZip *zip, Directory *directory, GError **error)
{
  guint8 end[END_BYTES], locator[LOCATOR_BYTES], end64[END64_BYTES];
  guint64 at = 0;

  if (!find_end (zip, &at, error) || !read_at (zip, at, end, sizeof end, error))
    return FALSE;
  *directory = (Directory){ u16 (end + 10), u32 (end + 12), u32 (end + 16) };
  if (directory->n == 0xffff || directory->bytes == 0xffffffff || directory->at == 0xffffffff)
    {
      if (at < LOCATOR_BYTES || !read_at (zip, at - LOCATOR_BYTES, locator, sizeof locator, error)
          || u32 (locator) != 0x07064b50 || !read_at (zip, u64 (locator + 8), end64, sizeof end64, error)
          || u32 (end64) != 0x06064b50)
        {
          g_clear_error (error);
          return refuse (zip, error);
        }
      *directory = (Directory){ u64 (end64 + 32), u64 (end64 + 40), u64 (end64 + 48) };
    }
  if (directory->n > LS_ZIP_MAX_MEMBERS || directory->bytes > MAX_DIRECTORY_BYTES)
    {
      g_set_error (error, LS_ERROR, LS_ERROR_DATA, _("“%s” has more than %d members, which aren’t read."),
                   zip->name, LS_ZIP_MAX_MEMBERS);
      return FALSE;
    }
  return TRUE;
}

/* Sizes that don't fit in 32 bits stand in an extra field, in this order, those alone. */
static gboolean
take_64 (Member *member, const guint8 *extra, gsize n)
{
  guint64 *const wide[] = { &member->bytes, &member->packed, &member->at };

  while (n >= 4)
    {
      const guint16 id = u16 (extra), size = u16 (extra + 2);
      const guint8 *p = extra + 4, *end = p + size;

      if ((gsize) size + 4 > n)
        return FALSE;
      for (gsize i = 0; id == 1 && i < G_N_ELEMENTS (wide); i++)
        {
          if (*wide[i] != 0xffffffff)
            continue;
          if (end - p < 8)
            return FALSE;
          *wide[i] = u64 (p);
          p += 8;
        }
      extra += 4 + size;
      n -= 4 + (gsize) size;
    }
  return TRUE;
}

static gboolean
read_directory (LsZip *zip, GError **error)
{
  Directory directory;
  g_autofree guint8 *bytes = NULL;
  gsize at = 0;

  if (!find_directory (zip, &directory, error))
    return FALSE;
  bytes = g_malloc ((gsize) directory.bytes + 1);
  if (!read_at (zip, directory.at, bytes, (gsize) directory.bytes, error))
    return FALSE;
  for (guint64 i = 0; i < directory.n; i++)
    {
      const guint8 *entry = bytes + at;
      gsize name, extra, whole;
      Member member;

      if (directory.bytes - at < ENTRY_BYTES || u32 (entry) != 0x02014b50)
        return refuse (zip, error);
      name = u16 (entry + 28);
      extra = u16 (entry + 30);
      whole = ENTRY_BYTES + name + extra + u16 (entry + 32);
      if (whole > directory.bytes - at)
        return refuse (zip, error);
      member = (Member){ g_strndup ((const char *) entry + ENTRY_BYTES, name),
                         u16 (entry + 8),
                         u16 (entry + 10),
                         u32 (entry + 16),
                         u32 (entry + 20),
                         u32 (entry + 24),
                         u32 (entry + 42) };
      g_array_append_val (zip->members, member);
      if (!take_64 (&g_array_index (zip->members, Member, i), entry + ENTRY_BYTES + name, extra))
        return refuse (zip, error);
      at += whole;
    }
  return TRUE;
}

static void
member_clear (Member *member)
{
  g_free (member->name);
}

LsZip *
ls_zip_open (const char *path, GError **error)
{
  g_autoptr (LsZip) zip = g_new0 (LsZip, 1);
  gint64 size;

  zip->name = ls_file_display_name (path);
  zip->members = g_array_new (FALSE, FALSE, sizeof (Member));
  g_array_set_clear_func (zip->members, (GDestroyNotify) member_clear);
  zip->fd = ls_file_open (path, &size, error);
  if (zip->fd < 0)
    return NULL;
  zip->file_bytes = (guint64) MAX (size, 0);
  return read_directory (zip, error) ? g_steal_pointer (&zip) : NULL;
}

static void
end_member (LsZip *zip)
{
  if (zip->have_stream)
    inflateEnd (&zip->stream);
  zip->have_stream = FALSE;
  zip->member = NULL;
}

void
ls_zip_close (LsZip *zip)
{
  if (zip == NULL)
    return;
  end_member (zip);
  if (zip->fd >= 0)
    close (zip->fd);
  g_array_unref (zip->members);
  g_free (zip->name);
  g_free (zip);
}

const char *
ls_zip_name (const LsZip *zip, guint member)
{
  return member < zip->members->len ? g_array_index (zip->members, Member, member).name : NULL;
}

/* ---- a member ---- */

gboolean
ls_zip_begin (LsZip *zip, guint number, GError **error)
{
  const Member *member = &g_array_index (zip->members, Member, number);
  guint8 local[LOCAL_BYTES];
  guint64 at;

  end_member (zip);
  if ((member->flags & 1) != 0 || (member->method != 0 && member->method != 8))
    {
      g_set_error (
        error, LS_ERROR, LS_ERROR_DATA,
        (member->flags & 1) != 0
          ? _("“%s”: its member “%s” is encrypted; unpack it and pack it again without.")
          : _("“%s”: its member “%s” is packed in a way that isn’t known; pack it again with deflate."),
        zip->name, member->name);
      return FALSE;
    }
  if (!read_at (zip, member->at, local, sizeof local, error))
    return FALSE;
  at = member->at + LOCAL_BYTES + u16 (local + 26) + u16 (local + 28);
  if (u32 (local) != 0x04034b50 || at > zip->file_bytes || member->packed > zip->file_bytes - at
      || member->bytes > G_MAXINT64 || (member->method == 0 && member->packed != member->bytes)
      || lseek (zip->fd, (off_t) at, SEEK_SET) < 0)
    return refuse (zip, error);
  if (member->method == 8
      && !ls_packed_may_hold (zip->name, (gint64) member->packed, (gint64) member->bytes, error))
    return FALSE;
  zip->member = member;
  zip->left = member->packed;
  zip->given = 0;
  zip->ended = FALSE;
  zip->crc = (guint32) crc32 (0, NULL, 0);
  zip->stream = (z_stream){ 0 };
  if (member->method == 8 && inflateInit2 (&zip->stream, -15) != Z_OK)
    {
      g_set_error_literal (error, LS_ERROR, LS_ERROR_MEMORY,
                           _("There is no memory left to unpack ZIP data."));
      return FALSE;
    }
  zip->have_stream = member->method == 8;
  return TRUE;
}

static gssize
damaged (const LsZip *zip, GError **error)
{
  g_set_error (error, LS_ERROR, LS_ERROR_DATA,
               _("“%s” is damaged: what is packed in its member “%s” is wrong after %" PRIu64
                  " bytes; fetch it again."),
               zip->name, zip->member->name, zip->given);
  return -1;
}

static gssize
read_packed (LsZip *zip, void *buffer, gsize n, GError **error)
{
  z_stream *stream = &zip->stream;
  gsize got = 0;

  while (got < n && !zip->ended)
    {
      const uInt room = (uInt) MIN (n - got, 1u << 30);
      int code;

      if (stream->avail_in == 0 && zip->left > 0)
        {
          const gsize want = (gsize) MIN (zip->left, CHUNK_BYTES);
          const gssize have = ls_file_fill (zip->fd, zip->chunk, want, zip->name, error);

          if (have < 0)
            return -1;
          if (have < (gssize) want)
            return damaged (zip, error);
          zip->left -= want;
          stream->next_in = zip->chunk;
          stream->avail_in = (uInt) want;
        }
      stream->next_out = (guint8 *) buffer + got;
      stream->avail_out = room;
      code = inflate (stream, Z_NO_FLUSH);
      got += room - stream->avail_out;
      zip->ended = code == Z_STREAM_END;
      if (code != Z_OK && code != Z_STREAM_END)
        return damaged (zip, error);
    }
  return (gssize) got;
}

gssize
ls_zip_read (LsZip *zip, void *buffer, gsize n, GError **error)
{
  const guint64 rest = zip->member->bytes - zip->given;
  gssize got;

  /* one more than there should be shows what is too long */
  if (zip->have_stream)
    got = read_packed (zip, buffer, (gsize) MIN (n, rest + 1), error);
  else
    got = ls_file_fill (zip->fd, buffer, (gsize) MIN (n, rest), zip->name, error);
  if (got < 0)
    return -1;
  if ((guint64) got > rest || ((guint64) got < MIN (n, rest)))
    return damaged (zip, error);
  zip->given += (guint64) got;
  for (gssize at = 0; at < got; at += CHUNK_BYTES)
    zip->crc = (guint32) crc32 (zip->crc, (const guint8 *) buffer + at, (uInt) MIN (got - at, CHUNK_BYTES));
  if (got > 0 && zip->given == zip->member->bytes && zip->crc != zip->member->crc)
    return damaged (zip, error);
  return got;
}
