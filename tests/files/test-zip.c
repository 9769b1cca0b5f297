/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * ZIP archives laid out by hand after PKWARE's APPNOTE 6.3: all that may stand between the parts that count
 * (comments, fields of others, sizes of 64 bits), and what is refused, each with its own sentence.
 */
#include <string.h>

#include "../data/zip_rig.h"
#include "core/error.h"
#include "files/zip.h"
#include "tempdir.h"

/* How an archive is laid out: all of this changes nothing of what its members hold. */
typedef struct {
  const char *what, *comment;   /* NULL: none */
  guint extra, local, remark;   /* bytes: of others in the directory, in a local header; a member's comment */
  gboolean deflated, wide, end; /* wide: sizes and place in 64 bits; end: the directory's own, too */
} Layout;

static GByteArray *
packed_of (const guint8 *bytes, gsize n, gboolean deflated)
{
  GByteArray *out = g_byte_array_new ();
  z_stream stream = { .next_in = (Bytef *) (gpointer) bytes, .avail_in = (uInt) n };

  if (!deflated)
    return g_byte_array_append (out, bytes, (guint) n);
  g_byte_array_set_size (out, (guint) (n + n / 100 + 64));
  g_assert_cmpint (deflateInit2 (&stream, 1, Z_DEFLATED, -15, 8, Z_DEFAULT_STRATEGY), ==, Z_OK);
  stream.next_out = out->data;
  stream.avail_out = out->len;
  g_assert_cmpint (deflate (&stream, Z_FINISH), ==, Z_STREAM_END);
  g_byte_array_set_size (out, (guint) stream.total_out);
  deflateEnd (&stream);
  return out;
}

static void
put_zeros (GByteArray *to, guint n)
{
  for (guint i = 0; i < n; i++)
    put_le (to, 0, 1);
}

/* A field of somebody else: its number, its length, and what looks like sizes. */
static void
put_foreign (GByteArray *to, guint n)
{
  if (n == 0)
    return;
  put_le (to, 0x5455, 2);
  put_le (to, n - 4, 2);
  for (guint i = 4; i < n; i++)
    put_le (to, 0xee, 1);
}

/* The archive's members are what names and contents say, each of n bytes. (transfer full) */
static GByteArray *
laid_out (const Layout *layout, const char *const *names, const guint8 *const *contents, gsize n)
{
  GByteArray *out = g_byte_array_new ();
  g_autoptr (GByteArray) directory = g_byte_array_new ();
  const guint64 whole = 0xffffffff;
  guint members = 0;

  for (; names[members] != NULL; members++)
    {
      const char *name = names[members];
      g_autoptr (GByteArray) packed = packed_of (contents[members], n, layout->deflated);
      const guint32 at = out->len, crc = (guint32) crc32 (0, contents[members], (uInt) n),
                    length = (guint32) strlen (name);

      for (guint i = 0; i < 2; i++)
        {
          GByteArray *to = i == 0 ? out : directory;

          put_le (to, i == 0 ? 0x04034b50 : 0x02014b50, 4);
          put_zeros (to, i == 0 ? 2 : 4);
          put_le (to, 0x800, 2); /* names in UTF-8 */
          put_le (to, layout->deflated ? 8 : 0, 2);
          put_zeros (to, 4);
          put_le (to, crc, 4);
          put_le (to, layout->wide ? whole : packed->len, 4);
          put_le (to, layout->wide ? whole : n, 4);
          put_le (to, length, 2);
          put_le (to, i == 0 ? layout->local : layout->extra + (layout->wide ? 28 : 0), 2);
          if (i == 1)
            {
              put_le (to, layout->remark, 2);
              put_zeros (to, 8);
              put_le (to, layout->wide ? whole : at, 4);
            }
          g_byte_array_append (to, (const guint8 *) name, length);
          put_foreign (to, i == 0 ? layout->local : layout->extra);
          if (i == 1 && layout->wide)
            {
              put_le (to, 1, 2);
              put_le (to, 24, 2);
              put_le (to, n, 8);
              put_le (to, packed->len, 8);
              put_le (to, at, 8);
            }
          put_zeros (to, i == 1 ? layout->remark : 0);
        }
      g_byte_array_append (out, packed->data, packed->len);
    }
  const guint32 begin = out->len;
  g_byte_array_append (out, directory->data, directory->len);
  if (layout->end)
    {
      const guint32 end = out->len;
      put_le (out, 0x06064b50, 4);
      put_le (out, 44, 8);
      put_zeros (out, 12);
      put_le (out, members, 8);
      put_le (out, members, 8);
      put_le (out, directory->len, 8);
      put_le (out, begin, 8);
      put_le (out, 0x07064b50, 4);
      put_le (out, 0, 4);
      put_le (out, end, 8);
      put_le (out, 1, 4);
    }
  put_le (out, 0x06054b50, 4);
  put_le (out, 0, 4);
  put_le (out, layout->end ? 0xffff : members, 2);
  put_le (out, layout->end ? 0xffff : members, 2);
  put_le (out, layout->end ? whole : directory->len, 4);
  put_le (out, layout->end ? whole : begin, 4);
  put_le (out, layout->comment != NULL ? strlen (layout->comment) : 0, 2);
  if (layout->comment != NULL)
    g_byte_array_append (out, (const guint8 *) layout->comment, (guint) strlen (layout->comment));
  return out;
}

#define N 100000 /* over one chunk of what is read at once, also packed */

static const char *const names[] = { "first.npy", "a/second", "third", NULL };

static void
fill (guint8 *bytes, guint32 seed)
{
  for (gsize i = 0; i < N; i++)
    {
      seed = seed * 1664525u + 1013904223u;
      bytes[i] = (guint8) (seed >> 24);
    }
}

/* All members, in another order than they lie, read in pieces of any size. */
static void
assert_members (const char *path, const char *what, guint8 *const *contents)
{
  static const gsize pieces[] = { 1, 7, 65535, N, 65536, 3 };
  static const guint order[] = { 2, 0, 1, 0 };
  g_autoptr (GError) error = NULL;
  g_autoptr (LsZip) zip = ls_zip_open (path, &error);

  if (zip == NULL)
    g_error ("an archive with %s isn't read: %s", what, error->message);
  for (guint i = 0; i < 4; i++)
    g_assert_cmpstr (ls_zip_name (zip, i), ==, names[i]);
  for (guint i = 0; i < G_N_ELEMENTS (order); i++)
    {
      g_autofree guint8 *read = g_malloc0 (N);
      gsize at = 0;
      gssize got = 1;

      if (!ls_zip_begin (zip, order[i], &error))
        g_error ("of an archive with %s member %u can't be begun: %s", what, order[i], error->message);
      for (guint p = 0; got > 0 && at < N; p++, at += (gsize) got)
        got = ls_zip_read (zip, read + at, MIN (pieces[p % G_N_ELEMENTS (pieces)], N - at), &error);
      if (error != NULL)
        g_error ("of an archive with %s member %u can't be read: %s", what, order[i], error->message);
      if (at != N || memcmp (read, contents[order[i]], N) != 0)
        g_error ("of an archive with %s member %u is read wrong", what, order[i]);
      g_assert_cmpint (ls_zip_read (zip, read, 1, &error), ==, 0);
    }
}

static void
test_layouts (void)
{
  static const Layout layouts[] = {
    { "stored members" },
    { "packed members", .deflated = TRUE },
    { "a comment at its end", "a comment" },
    { "a comment that begins as its end does", "PK\5\6 is no end here, and goes on for as long" },
    { "fields of others in its local headers", .local = 33 },
    { "fields of others in its directory", .extra = 9 },
    { "remarks on its members", .remark = 12 },
    { "sizes and places in 64 bits", .wide = TRUE },
    { "sizes in 64 bits behind fields of others", .wide = TRUE, .extra = 13, .local = 8, .deflated = TRUE },
    { "a directory told in 64 bits", .end = TRUE },
    { "all of it", "and a comment", 20, 5, 7, TRUE, TRUE, TRUE },
  };
  g_auto (TempDir) dir = { 0 };
  g_autofree char *path = NULL;
  guint8 *contents[3];

  temp_dir_init (&dir);
  path = temp_path (&dir, "x.zip");
  for (guint i = 0; i < G_N_ELEMENTS (contents); i++)
    fill (contents[i] = g_malloc (N), i);
  for (gsize i = 0; i < G_N_ELEMENTS (layouts); i++)
    {
      g_autoptr (GByteArray) zip = laid_out (&layouts[i], names, (const guint8 *const *) contents, N);

      put_file (path, zip->data, zip->len);
      assert_members (path, layouts[i].what, contents);
    }
  for (guint i = 0; i < G_N_ELEMENTS (contents); i++)
    g_free (contents[i]);
}

/* ---- what is refused ---- */

/* The words of what goes wrong with the first member, be it when it is begun or read. */
static void
assert_wrong_member (const char *path, const char *words)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (LsZip) zip = ls_zip_open (path, &error);
  guint8 read[64];

  g_assert_no_error (error);
  if (ls_zip_begin (zip, 0, &error))
    while (ls_zip_read (zip, read, sizeof read, &error) > 0)
      ;
  if (error == NULL)
    g_error ("it is read, and should say “%s”", words);
  assert_refused (&error, LS_ERROR_DATA, words);
}

/* 100 bytes of which one place is changed: what is told of the member. */
static void
test_members (void)
{
  static const struct {
    gboolean deflated;
    guint directory, at, bytes; /* in the directory's entry if that isn't 0; else in the local header */
    guint64 value;
    const char *words;
  } rows[] = {
    { TRUE, 1, 8, 2, 1, "“x.zip”: its member “one” is encrypted; unpack it and pack it again without." },
    { FALSE, 1, 8, 2, 0x801, "“one” is encrypted" },
    { TRUE, 1, 10, 2, 9,
      "“x.zip”: its member “one” is packed in a way that isn’t known; pack it again with" },
    { TRUE, 1, 10, 2, 12, "packed in a way that isn’t known" },
    { FALSE, 1, 10, 2, 1, "packed in a way that isn’t known" },
    { TRUE, 1, 16, 4, 7, "“x.zip” is damaged: what is packed in its member “one” is wrong after 100 bytes" },
    { FALSE, 1, 16, 4, 7, "in its member “one” is wrong after 100 bytes; fetch it again." },
    { FALSE, 1, 24, 4, 99, "its ZIP directory is wrong" }, /* stored, and of two sizes */
    { TRUE, 1, 24, 4, 99, "is wrong after 64 bytes" },
    { TRUE, 1, 24, 4, 101, "is wrong after 64 bytes" },
    { FALSE, 1, 42, 4, 1, "its ZIP directory is wrong" },
    { FALSE, 1, 42, 4, 1 << 20, "its ZIP directory is wrong" },
    { FALSE, 0, 26, 2, 60000, "its ZIP directory is wrong" },
    { FALSE, 0, 0, 4, 0, "its ZIP directory is wrong" },
    { TRUE, 1, 24, 4, 3 << 20, "is cut: its header announces 3145728 bytes, more than" },
  };
  static const char *const one[] = { "one", NULL };
  g_auto (TempDir) dir = { 0 };
  g_autofree char *path = NULL;
  g_autofree guint8 *content = g_malloc (N);
  const guint8 *const contents[] = { content };

  temp_dir_init (&dir);
  path = temp_path (&dir, "x.zip");
  fill (content, 5);
  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      const Layout layout = { .deflated = rows[i].deflated };
      g_autoptr (GByteArray) zip = laid_out (&layout, one, contents, 100);
      const guint entry = 46 + 3, end = 22;

      for (guint b = 0; b < rows[i].bytes; b++)
        zip->data[(rows[i].directory ? zip->len - end - entry : 0) + rows[i].at + b] = (guint8) (rows[i].value
                                                                                                 >> 8 * b);
      put_file (path, zip->data, zip->len);
      assert_wrong_member (path, rows[i].words);
    }
}

/* A field of 64 bits that has not all that it must have, whatever follows it, or ends beyond its entry. */
static void
test_short_fields (void)
{
  static const char *const one[] = { "one", NULL };
  static const Layout layout = { .wide = TRUE };
  const guint field = 22 + 28, sizes[] = { 0, 7, 8, 15, 16, 23, 24, 25, 65535 };
  g_auto (TempDir) dir = { 0 };
  g_autofree char *path = NULL;
  g_autofree guint8 *content = g_malloc (N);
  const guint8 *const contents[] = { content };

  temp_dir_init (&dir);
  path = temp_path (&dir, "x.zip");
  fill (content, 5);
  for (gsize i = 0; i < G_N_ELEMENTS (sizes); i++)
    {
      g_autoptr (GByteArray) bytes = laid_out (&layout, one, contents, 100);
      g_autoptr (GError) error = NULL;
      guint8 *at = bytes->data + bytes->len - field;

      g_assert_cmpuint (at[0] | at[1] << 8 | at[2] << 16, ==, 1 | 24 << 16);
      at[2] = (guint8) sizes[i];
      at[3] = (guint8) (sizes[i] >> 8);
      put_file (path, bytes->data, bytes->len);
      g_autoptr (LsZip) zip = ls_zip_open (path, &error);
      if ((zip != NULL) != (sizes[i] == 24))
        g_error ("with a field of %u bytes for three sizes of 8 it is %s", sizes[i],
                 zip != NULL ? "read" : "refused");
      if (zip == NULL)
        assert_refused (&error, LS_ERROR_DATA, "its ZIP directory is wrong");
    }
}

/* Sizes and places of 64 bits that no file has. */
static void
test_wide_values (void)
{
  static const struct {
    guint at; /* of the three: of what it holds, of what is packed, and its place */
    guint64 value;
    const char *words;
  } rows[] = {
    { 0, G_GUINT64_CONSTANT (1) << 63, "its ZIP directory is wrong" },
    { 0, G_MAXUINT64, "its ZIP directory is wrong" },
    { 0, G_MAXINT64, "is cut: its header announces 9223372036854775807 bytes" },
    { 1, G_GUINT64_CONSTANT (1) << 63, "its ZIP directory is wrong" },
    { 1, G_MAXUINT64, "its ZIP directory is wrong" },
    { 2, G_GUINT64_CONSTANT (1) << 63, "its ZIP directory is wrong" },
    { 2, G_MAXUINT64, "its ZIP directory is wrong" },
    { 2, G_MAXUINT64 - 29, "its ZIP directory is wrong" }, /* with its header it is 0 */
  };
  static const char *const one[] = { "one", NULL };
  static const Layout layout = { .wide = TRUE, .deflated = TRUE };
  g_auto (TempDir) dir = { 0 };
  g_autofree char *path = NULL;
  g_autofree guint8 *content = g_malloc (N);
  const guint8 *const contents[] = { content };

  temp_dir_init (&dir);
  path = temp_path (&dir, "x.zip");
  fill (content, 5);
  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (GByteArray) zip = laid_out (&layout, one, contents, 100);

      for (guint b = 0; b < 8; b++)
        zip->data[zip->len - 22 - 24 + 8 * rows[i].at + b] = (guint8) (rows[i].value >> 8 * b);
      put_file (path, zip->data, zip->len);
      assert_wrong_member (path, rows[i].words);
    }
}

/* As many members as are read, and one more. */
static void
test_many (void)
{
  g_auto (TempDir) dir = { 0 };
  g_autofree char *path = NULL;
  const Layout layout = { 0 };

  temp_dir_init (&dir);
  path = temp_path (&dir, "x.zip");
  for (guint n = 1024; n <= 1025; n++)
    {
      g_autofree const char **many = g_new0 (const char *, n + 1);
      g_autofree const guint8 **contents = g_new (const guint8 *, n);
      g_autoptr (GError) error = NULL;

      for (guint i = 0; i < n; i++)
        {
          many[i] = i + 1 < n ? "m" : "last";
          contents[i] = (const guint8 *) "x";
        }
      g_autoptr (GByteArray) bytes = laid_out (&layout, many, contents, 1);
      put_file (path, bytes->data, bytes->len);
      g_autoptr (LsZip) zip = ls_zip_open (path, &error);
      if (n == 1024)
        g_assert_cmpstr (zip != NULL ? ls_zip_name (zip, n - 1) : error->message, ==, "last");
      else
        assert_refused (&error, LS_ERROR_DATA, "“x.zip” has more than 1024 members, which aren’t read.");
    }
}

/* The end of 32 bits says with each of its three numbers that the one of 64 bits counts; and where all three
 * are told, that one isn't asked. */
static void
test_which_end (void)
{
  static const Layout layout = { .end = TRUE };
  static const struct {
    guint at, bytes;
    const char *what;
  } told[] = { { 10, 2, "how many there are" }, { 12, 4, "the directory's size" }, { 16, 4, "its place" } };
  g_auto (TempDir) dir = { 0 };
  g_autofree char *path = NULL;
  g_autofree guint8 *content = g_malloc (N);
  const guint8 *const contents[] = { content, content, content };

  temp_dir_init (&dir);
  path = temp_path (&dir, "x.zip");
  fill (content, 5);
  g_autoptr (GByteArray) plain = laid_out (&(Layout){ 0 }, names, contents, 100);
  for (guint whole = 0; whole < 8; whole++)
    {
      g_autoptr (GByteArray) bytes = laid_out (&layout, names, contents, 100);
      g_autoptr (GString) unknown = g_string_new (NULL);
      g_autoptr (GError) error = NULL;

      for (guint k = 0; k < G_N_ELEMENTS (told); k++)
        if ((whole & (1u << k)) != 0)
          g_string_append_printf (unknown, "%s%s", unknown->len > 0 ? ", " : "", told[k].what);
        else
          memcpy (bytes->data + bytes->len - 22 + told[k].at, plain->data + plain->len - 22 + told[k].at,
                  told[k].bytes);
      if (whole == 0)
        bytes->data[bytes->len - 22 - 20] ^= 1; /* the locator's mark */
      put_file (path, bytes->data, bytes->len);
      g_autoptr (LsZip) zip = ls_zip_open (path, &error);
      if (zip == NULL)
        g_error ("with %s in 64 bits alone it isn't read: %s", whole > 0 ? unknown->str : "nothing",
                 error->message);
      for (guint i = 0; i <= 3; i++) /* behind the last one is none */
        g_assert_cmpstr (ls_zip_name (zip, i), ==, names[i]);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/zip/layouts", test_layouts);
  g_test_add_func ("/zip/members", test_members);
  g_test_add_func ("/zip/short-fields", test_short_fields);
  g_test_add_func ("/zip/wide-values", test_wide_values);
  g_test_add_func ("/zip/which-end", test_which_end);
  g_test_add_func ("/zip/many", test_many);
  return g_test_run ();
}
