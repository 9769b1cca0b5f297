/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * safetensors: what the writer writes, the reader reads; and one hostile file for each check of the reader.
 */
#include <sys/stat.h>
#include <unistd.h>

#include "files/safetensors.h"
#include "tempdir.h"
#include "tests/files/open_files.h"

static const LsSafetensorsLimits limits = { .header_bytes = 1 << 20, .tensors = 8, .file_bytes = 1 << 24 };

/* A file of that header and n bytes of data; length ≥ 0 overrides the header's true length. */
static void
put_raw (const char *path, const char *header, gint64 length, gsize n)
{
  g_autoptr (GByteArray) file = g_byte_array_new ();
  guint64 claim = length >= 0 ? (guint64) length : strlen (header);
  g_autofree guint8 *data = g_malloc0 (n + 1);

  claim = GUINT64_TO_LE (claim);
  g_byte_array_append (file, (guint8 *) &claim, 8);
  g_byte_array_append (file, (const guint8 *) header, (guint) strlen (header));
  g_byte_array_append (file, data, (guint) n);
  put_file (path, file->data, file->len);
}

static void
refuse (const char *path, gint code, const char *words)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (ls_safetensors_open (path, &limits, &error));
  assert_refused (&error, code, words);
}

static void
test_hostile (void)
{
  static const struct {
    const char *header;
    gsize data;
    const char *words;
  } bad[] = {
    { "", 0, "does not begin with a brace" },
    { "[]", 0, "does not begin with a brace" },
    { " {}", 0, "does not begin with a brace" },
    { "{", 0, "header is wrong" },
    { "{}x", 0, "header is wrong" },
    { "{'a':1}", 0, "header is wrong" },
    { "{} {}", 0, "header is wrong" },
    { "{\"\xff\":1}", 0, "unable to decode byte 0xff" },
    { "{\x1b[2J\n", 0, "near '\ufffd'" },
    { "{\"a\\n\\u202eb\":1}", 0, "tensor “a\ufffd\ufffdb” must" },
    { "{\"a\":[[[[[[1]]]]]]}", 0, "must have dtype" },
    { "{\"a\":1}", 0, "must have dtype" },
    { "{\"a\":[]}", 0, "must have dtype" },
    { "{\"a\":{}}", 0, "must have dtype" },
    { "{\"a\":{\"dtype\":\"F32\",\"shape\":[1]}}", 4, "must have dtype" },
    { "{\"a\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[0,4],\"x\":1}}", 4, "nothing else" },
    { "{\"a\":{\"dtype\":\"F32\",\"shape\":[1],\"offsets\":[0,4]}}", 4, "data_offsets" },
    { "{\"a\":{\"dtype\":1,\"shape\":[1],\"data_offsets\":[0,4]}}", 4, "“dtype” must be a string" },
    { "{\"a\":{\"dtype\":\"F31\",\"shape\":[1],\"data_offsets\":[0,4]}}", 4, "unknown dtype “F31”" },
    { "{\"a\":{\"dtype\":\"f32\",\"shape\":[1],\"data_offsets\":[0,4]}}", 4, "unknown dtype" },
    { "{\"a\":{\"dtype\":\"F32x\",\"shape\":[1],\"data_offsets\":[0,4]}}", 4, "unknown dtype “F32x”" },
    { "{\"a\":{\"dtype\":\"F3\",\"shape\":[1],\"data_offsets\":[0,4]}}", 4, "unknown dtype “F3”" },
    { "{\"a\":{\"dtype\":\"\",\"shape\":[1],\"data_offsets\":[0,4]}}", 4, "unknown dtype “”" },
    { "{\"a\":{\"dtype\":\"F32\",\"shape\":1,\"data_offsets\":[0,4]}}", 4, "“shape” must be an array" },
    { "{\"a\":{\"dtype\":\"F32\",\"shape\":[1.0],\"data_offsets\":[0,4]}}", 4, "“shape” must be a whole" },
    { "{\"a\":{\"dtype\":\"F32\",\"shape\":[\"1\"],\"data_offsets\":[0,4]}}", 4, "“shape” must be a whole" },
    { "{\"a\":{\"dtype\":\"F32\",\"shape\":[-1],\"data_offsets\":[0,4]}}", 4, "“shape” must be a whole" },
    { "{\"a\":{\"dtype\":\"F32\",\"shape\":[18446744073709551617],\"data_offsets\":[0,4]}}", 4,
      "too big integer" },
    { "{\"a\":{\"dtype\":\"F32\",\"shape\":[1,1,1,1,1,1,1,1,1],\"data_offsets\":[0,4]}}", 4,
      "0 to 8 elements" },
    { "{\"a\":{\"dtype\":\"F32\",\"shape\":[4194305,4194305,211106198978564],\"data_offsets\":[0,4]}}", 4,
      "overflows" },
    { "{\"a\":{\"dtype\":\"F64\",\"shape\":[2305843009213693952],\"data_offsets\":[0,0]}}", 0, "overflows" },
    { "{\"a\":{\"dtype\":\"U8\",\"shape\":[4294967296,4294967296],\"data_offsets\":[0,0]}}", 0, "overflows" },
    { "{\"a\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[0]}}", 4, "2 to 2 elements" },
    { "{\"a\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[0,4,8]}}", 4, "2 to 2 elements" },
    { "{\"a\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[4,0]}}", 4, "data_offsets are 4 and 0" },
    { "{\"a\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[-4,0]}}", 4, "whole number" },
    { "{\"a\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[0,8]}}", 8, "needs 4 bytes" },
    { "{\"a\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[0,4]}}", 4, "needs 8 bytes" },
    { "{\"a\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[4,8]}}", 8, "a hole before tensor “a”" },
    { "{\"a\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[9223372036854775803,9223372036854775807]}}",
      8, "hole" },
    { "{\"a\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[0,4]},"
      "\"b\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[8,12]}}",
      12, "a hole before tensor “b”" },
    { "{\"a\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[0,8]},"
      "\"b\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[4,8]}}",
      8, "overlaps" },
    { "{\"a\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[0,4]},"
      "\"b\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[0,4]}}",
      4, "overlaps" },
    { "{\"a\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[0,4]},"
      "\"a\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[4,8]}}",
      8, "duplicate object key" },
    { "{\"a\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[0,4]}}", 3, "it is cut" },
    { "{\"a\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[0,4]}}", 5,
      "used: 1 byte follows its last" },
    { "{}", 1, "used: 1 byte follows its last" },
    { "{}", 2, "used: 2 bytes follow its last" },
    { "{\"__metadata__\":1}", 0, "__metadata__ is no object" },
    { "{\"__metadata__\":{\"a\":1}}", 0, "“a” is no text" },
    { "{\"__metadata__\":{\"a\":null}}", 0, "“a” is no text" },
    { "{\"a\":1,\"b\":1,\"c\":1,\"d\":1,\"e\":1,\"f\":1,\"g\":1,\"h\":1,\"i\":1,\"j\":1}", 0, "at most 8" },
  };
  g_auto (TempDir) dir = { 0 };
  g_autofree char *path = NULL;

  temp_dir_init (&dir);
  path = temp_path (&dir, "hostile.safetensors");
  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      put_raw (path, bad[i].header, -1, bad[i].data);
      refuse (path, LS_ERROR_DATA, bad[i].words);
    }
}

static void
test_length (void)
{
  g_auto (TempDir) dir = { 0 };
  g_autofree char *path = NULL, *fifo = NULL, *spaces = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (LsSafetensors) file = NULL;

  temp_dir_init (&dir);
  path = temp_path (&dir, "length");
  fifo = temp_path (&dir, "fifo");
  put_raw (path, "{}", 3, 0);
  refuse (path, LS_ERROR_DATA, "header claims 3 bytes");
  put_raw (path, "{}", 1, 1);
  refuse (path, LS_ERROR_DATA, "header is wrong");
  put_raw (path, "{}", G_MAXINT64, 0);
  refuse (path, LS_ERROR_DATA, "header claims");
  put_file (path, "\xff\xff\xff\xff\xff\xff\xff\xff{}", 10);
  refuse (path, LS_ERROR_DATA, "header claims 18446744073709551615");
  for (guint n = 0; n < 8; n++)
    {
      put_file (path, "\2\0\0\0\0\0\0\0{}", n);
      refuse (path, LS_ERROR_DATA, n == 1 ? "it has 1 byte; " : " bytes; from 8 to");
    }
  spaces = g_strnfill ((1 << 20) + 1, ' ');
  spaces[0] = '{';
  spaces[1] = '}';
  put_raw (path, spaces, -1, 0);
  refuse (path, LS_ERROR_DATA, "at most 1048576");
  spaces[1 << 20] = '\0';
  put_raw (path, spaces, -1, 0);
  file = ls_safetensors_open (path, &limits, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (file->n_tensors, ==, 0);
  put_raw (path, "{}", -1, 1 << 24);
  refuse (path, LS_ERROR_DATA, "from 8 to 16777216");
  put_file (path, "{", 1);
  refuse (path, LS_ERROR_DATA, "it has 1 byte; from 8 to 16777216 are read.");
  put_file (path, "1234567", 7);
  refuse (path, LS_ERROR_DATA, "it has 7 bytes; from 8 to 16777216 are read.");
  g_assert_cmpint (mkfifo (fifo, 0600), ==, 0);
  refuse (fifo, LS_ERROR_FILE, "pipe");
  refuse ("/dev/zero", LS_ERROR_FILE, "device");
  refuse (dir.path, LS_ERROR_FILE, "folder");
}

/* Tensors without elements share a place with their neighbours; scalars have one element. */
static void
test_odd_but_good (void)
{
  g_auto (TempDir) dir = { 0 };
  g_autofree char *path = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (LsSafetensors) file = NULL;

  temp_dir_init (&dir);
  path = temp_path (&dir, "odd");
  put_raw (path,
           "{\"b\":{\"data_offsets\":[0,4],\"shape\":[],\"dtype\":\"F32\"},"
           "\"empty\":{\"dtype\":\"F64\",\"shape\":[5,0],\"data_offsets\":[0,0]},"
           "\"empty too\":{\"dtype\":\"U8\",\"shape\":[0],\"data_offsets\":[4,4]},"
           "\"\":{\"dtype\":\"BF16\",\"shape\":[1,1],\"data_offsets\":[4,6]}}   ",
           -1, 6);
  file = ls_safetensors_open (path, &limits, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (file->n_tensors, ==, 4);
  g_assert_cmpint (ls_safetensors_find (file, "b")->count, ==, 1);
  g_assert_cmpint (ls_safetensors_find (file, "empty")->count, ==, 0);
  g_assert_cmpint (ls_safetensors_find (file, "")->dtype, ==, LS_ST_BF16);
  g_assert_null (ls_safetensors_find (file, "c"));
}

/* As many tensors as may be, with metadata, which is none of them, and without; with one more it is refused,
 * and said how many there are. */
static void
test_most_tensors (void)
{
  for (guint k = 0; k < 4; k++)
    {
      const guint n = limits.tensors + k % 2;
      g_auto (TempDir) dir = { 0 };
      g_autofree char *path = NULL;
      g_autoptr (GString) header = g_string_new (k < 2 ? "{\"__metadata__\":{}" : "{");
      g_autoptr (GError) error = NULL;
      g_autoptr (LsSafetensors) file = NULL;

      temp_dir_init (&dir);
      path = temp_path (&dir, "most");
      for (guint i = 0; i < n; i++)
        g_string_append_printf (header, "%s\"%u\":{\"dtype\":\"U8\",\"shape\":[0],\"data_offsets\":[0,0]}",
                                header->len > 1 ? "," : "", i);
      g_string_append_c (header, '}');
      put_raw (path, header->str, -1, 0);
      if (n > limits.tensors)
        {
          refuse (path, LS_ERROR_DATA, "it holds 9 tensors, and at most 8 are read.");
          continue;
        }
      file = ls_safetensors_open (path, &limits, &error);
      g_assert_no_error (error);
      g_assert_cmpuint (file->n_tensors, ==, n);
    }
}

static LsSafetensorsWriter *
make_writer (void)
{
  static const guint8 bytes[3] = { 1, 2, 3 };
  static const float floats[6] = { 0.5f, -1, 2, 3, 4, 5 };
  static const guint64 longs[1] = { G_MAXUINT64 };
  static const gint16 shorts[2] = { -1, 300 };
  LsSafetensorsWriter *writer = ls_safetensors_writer_new ();

  ls_safetensors_writer_set (writer, "z", "last");
  ls_safetensors_writer_set (writer, "format", "pt");
  ls_safetensors_writer_set (writer, "quote", "{\"a\": \"é\\n\"}\n\x01");
  ls_safetensors_writer_add (writer, "bytes", LS_ST_U8, 1, (gint64[]){ 3 }, bytes);
  ls_safetensors_writer_add (writer, "floats \"₁\"", LS_ST_F32, 2, (gint64[]){ 2, 3 }, floats);
  ls_safetensors_writer_add (writer, "none", LS_ST_I32, 2, (gint64[]){ 0, 3 }, NULL);
  ls_safetensors_writer_add (writer, "shorts", LS_ST_I16, 1, (gint64[]){ 2 }, shorts);
  ls_safetensors_writer_add (writer, "longs", LS_ST_U64, 0, NULL, longs);
  return writer;
}

static void
test_round_trip (void)
{
  g_auto (TempDir) dir = { 0 };
  g_autofree char *path = NULL, *again = NULL, *first = NULL, *second = NULL;
  g_autoptr (LsSafetensorsWriter) writer = make_writer (), other = make_writer ();
  g_autoptr (GError) error = NULL;
  g_autoptr (LsSafetensors) file = NULL;
  const LsStTensor *tensor;
  float floats[6];
  guint64 value;
  gsize n, m;

  temp_dir_init (&dir);
  path = temp_path (&dir, "a");
  again = temp_path (&dir, "b");
  g_assert_true (ls_safetensors_writer_save (writer, path, &limits, &error));
  g_assert_true (ls_safetensors_writer_save (other, again, &limits, &error));
  g_assert_true (g_file_get_contents (path, &first, &n, NULL));
  g_assert_true (g_file_get_contents (again, &second, &m, NULL));
  g_assert_cmpmem (first, n, second, m);

  file = ls_safetensors_open (path, &limits, &error);
  g_assert_no_error (error);
  g_assert_cmpint (file->data_offset % 8, ==, 0);
  g_assert_cmpuint (file->n_tensors, ==, 5);
  for (guint i = 0; i < file->n_tensors; i++)
    g_assert_cmpint (file->tensors[i].offset % (gint64) ls_st_dtype_size (file->tensors[i].dtype), ==, 0);
  g_assert_cmpstr (g_hash_table_lookup (file->metadata, "format"), ==, "pt");
  g_assert_cmpstr (g_hash_table_lookup (file->metadata, "quote"), ==, "{\"a\": \"é\\n\"}\n\x01");
  tensor = ls_safetensors_find (file, "floats \"₁\"");
  g_assert_cmpuint (tensor->rank, ==, 2);
  g_assert_cmpint (tensor->shape[1], ==, 3);
  g_assert_true (ls_safetensors_read (file, tensor, floats, &error));
  g_assert_true (floats[0] == 0.5f && floats[5] == 5);
  g_assert_true (ls_safetensors_read (file, ls_safetensors_find (file, "longs"), &value, &error));
  g_assert_cmpuint (value, ==, G_MAXUINT64);
  g_assert_true (ls_safetensors_read (file, ls_safetensors_find (file, "none"), NULL, &error));

  /* The file shrinks after it was opened. */
  put_file (again, first, n);
  ls_safetensors_close (g_steal_pointer (&file));
  file = ls_safetensors_open (again, &limits, &error);
  g_assert_cmpint (truncate (again, (off_t) n - 1), ==, 0);
  g_assert_false (ls_safetensors_read (file, ls_safetensors_find (file, "bytes"), floats, &error));
  g_autofree char *where = g_strdup_printf ("it ended at byte %zu while it was read.", n - 1);
  assert_refused (&error, LS_ERROR_DATA, where);
  g_assert_cmpint (truncate (again, (off_t) n - 7), ==, 0);
  g_assert_false (ls_safetensors_read (file, ls_safetensors_find (file, "bytes"), floats, &error));
  assert_refused (&error, LS_ERROR_DATA, "ended at byte");
}

/* Wherever it is cut: an error, never a shorter file. */
static void
test_cut (void)
{
  g_auto (TempDir) dir = { 0 };
  g_autofree char *path = NULL, *bytes = NULL;
  g_autoptr (LsSafetensorsWriter) writer = make_writer ();
  g_autoptr (GError) error = NULL;
  gsize n;

  temp_dir_init (&dir);
  path = temp_path (&dir, "a");
  g_assert_true (ls_safetensors_writer_save (writer, path, &limits, &error));
  g_assert_true (g_file_get_contents (path, &bytes, &n, NULL));
  for (gsize cut = 0; cut < n; cut++)
    {
      put_file (path, bytes, cut);
      refuse (path, LS_ERROR_DATA, NULL);
    }
}

/* No file stays open, be it read, damaged or missing. */
static void
test_closed (void)
{
  g_auto (TempDir) dir = { 0 };
  g_autofree char *path = NULL, *missing = NULL;
  g_autoptr (LsSafetensorsWriter) writer = make_writer ();
  g_autoptr (GError) error = NULL;
  const guint before = count_open_files ();

  temp_dir_init (&dir);
  path = temp_path (&dir, "a");
  missing = temp_path (&dir, "missing");
  g_assert_true (ls_safetensors_writer_save (writer, path, &limits, &error));
  for (guint i = 0; i < 3; i++)
    ls_safetensors_close (ls_safetensors_open (path, &limits, &error));
  g_assert_no_error (error);
  g_assert_cmpuint (count_open_files (), ==, before);
  refuse (missing, LS_ERROR_FILE, NULL);
  put_file (path, "damaged", 7);
  refuse (path, LS_ERROR_DATA, NULL);
  g_assert_cmpuint (count_open_files (), ==, before);
  ls_safetensors_close (NULL);
}

/* What couldn't be read back isn't written. */
static void
test_writer_limits (void)
{
  g_auto (TempDir) dir = { 0 };
  g_autofree char *path = NULL;
  g_autoptr (LsSafetensorsWriter) writer = make_writer ();
  const LsSafetensorsLimits small[] = { { 100, 8, 1 << 20 }, { 1 << 20, 4, 1 << 20 }, { 1 << 20, 8, 200 } };

  temp_dir_init (&dir);
  path = temp_path (&dir, "a");
  for (guint i = 0; i < G_N_ELEMENTS (small); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_false (ls_safetensors_writer_save (writer, path, &small[i], &error));
      assert_refused (&error, LS_ERROR_DATA, "isn’t saved");
      g_assert_false (g_file_test (path, G_FILE_TEST_EXISTS));
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/safetensors/hostile", test_hostile);
  g_test_add_func ("/safetensors/length", test_length);
  g_test_add_func ("/safetensors/odd-but-good", test_odd_but_good);
  g_test_add_func ("/safetensors/most-tensors", test_most_tensors);
  g_test_add_func ("/safetensors/round-trip", test_round_trip);
  g_test_add_func ("/safetensors/cut", test_cut);
  g_test_add_func ("/safetensors/closed", test_closed);
  g_test_add_func ("/safetensors/writer-limits", test_writer_limits);
  return g_test_run ();
}
