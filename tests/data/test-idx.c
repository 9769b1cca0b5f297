/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The IDX reader against good files, plain and gzip, and against every kind of bad one that is known to break
 * loaders.
 */
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "idx_rig.h"

static void
refuse_labels (const char *path, gint code, const char *words)
{
  g_autoptr (GError) error = NULL;
  gint32 *labels = NULL;
  gint64 n;

  g_assert_false (ls_idx_read_labels (path, &n, &labels, &error));
  assert_refused (&error, code, words);
  g_assert_null (labels);
}

static void
accept_small (const char *path)
{
  g_autoptr (GError) error = NULL;
  g_autofree guint8 *samples = NULL;
  gint64 n, shape[3];

  g_assert_true (ls_idx_read_images (path, &n, shape, &samples, &error));
  g_assert_no_error (error);
  g_assert_cmpint (n, ==, 5);
  g_assert_cmpint (shape[0], ==, 1);
  g_assert_cmpint (shape[1], ==, 3);
  g_assert_cmpint (shape[2], ==, 7);
  for (guint i = 0; i < SMALL_BYTES; i++)
    g_assert_cmpuint (samples[i], ==, i % 251);
}

/* gzip is told by content: all four pairings of name and content. */
static void
test_names (void)
{
  g_auto (TempDir) dir = { 0 };
  g_autoptr (GByteArray) plain = make_idx (8, 3, small_dims, SMALL_BYTES), packed = g_byte_array_new ();
  const char *const names[] = { "images-idx3-ubyte", "images-idx3-ubyte.gz" };

  temp_dir_init (&dir);
  append_gzip (packed, plain->data, plain->len);
  for (guint i = 0; i < 4; i++)
    {
      g_autofree char *path = temp_path (&dir, names[i / 2]);
      GByteArray *bytes = i % 2 == 0 ? plain : packed;

      put_file (path, bytes->data, bytes->len);
      accept_small (path);
    }
}

static void
test_members (void)
{
  g_auto (TempDir) dir = { 0 };
  g_autoptr (GByteArray) plain = make_idx (8, 3, small_dims, SMALL_BYTES);
  g_autofree char *path = NULL;

  temp_dir_init (&dir);
  path = temp_path (&dir, "members.gz");
  /* Cut anywhere, also inside the header, and with an empty member between. */
  for (guint cut = 1; cut < plain->len; cut += 9)
    {
      g_autoptr (GByteArray) packed = g_byte_array_new ();

      append_gzip (packed, plain->data, cut);
      append_gzip (packed, NULL, 0);
      append_gzip (packed, plain->data + cut, plain->len - cut);
      put_file (path, packed->data, packed->len);
      accept_small (path);
    }
}

/* Larger than the reader's pieces of 64 KiB, incompressible, in members that end anywhere in a piece. */
static void
test_large (void)
{
  g_auto (TempDir) dir = { 0 };
  const guint32 dims[] = { 300, 2, 31, 33 };
  gsize n = 300 * 2 * 31 * 33;
  g_autoptr (GByteArray) plain = make_idx (8, 4, dims, n), packed = g_byte_array_new ();
  g_autoptr (GRand) rand = g_rand_new_with_seed (7);
  g_autoptr (GError) error = NULL;
  g_autofree guint8 *samples = NULL;
  g_autofree char *path = NULL;
  gint64 count, shape[3];

  temp_dir_init (&dir);
  path = temp_path (&dir, "large");
  for (gsize i = 20; i < plain->len; i++)
    plain->data[i] = (guint8) g_rand_int (rand);
  for (guint at = 0; at < plain->len; at += 65521)
    append_gzip (packed, plain->data + at, MIN (65521, plain->len - at));
  put_file (path, packed->data, packed->len);
  g_assert_true (ls_idx_read_images (path, &count, shape, &samples, &error));
  g_assert_no_error (error);
  g_assert_cmpint (count, ==, 300);
  g_assert_cmpint (shape[0], ==, 2);
  g_assert_cmpmem (samples, n, plain->data + 20, n);

  /* Cut at about a hundred places: always an error, never a shorter set. */
  for (guint i = 0; i < 100; i++)
    {
      put_file (path, packed->data, (gsize) g_rand_int_range (rand, 2, (gint) packed->len - 1));
      refuse_images (path, LS_ERROR_DATA, "cut");
      put_file (path, plain->data, (gsize) g_rand_int_range (rand, 0, (gint) plain->len - 1));
      refuse_images (path, LS_ERROR_DATA, "is cut");
    }
}

static void
test_cut (void)
{
  g_auto (TempDir) dir = { 0 };
  g_autoptr (GByteArray) plain = make_idx (8, 3, small_dims, SMALL_BYTES), packed = g_byte_array_new ();
  g_autofree char *path = NULL;

  temp_dir_init (&dir);
  path = temp_path (&dir, "cut");
  append_gzip (packed, plain->data, plain->len);
  for (guint n = 0; n < plain->len; n++)
    {
      put_file (path, plain->data, n);
      refuse_images (path, LS_ERROR_DATA, "is cut");
    }
  put_file (path, plain->data, plain->len - 1);
  refuse_images (path, LS_ERROR_DATA, "121 bytes expected, 120 found");
  for (guint n = 2; n < packed->len; n++)
    {
      put_file (path, packed->data, n);
      refuse_images (path, LS_ERROR_DATA, "cut");
    }
}

static void
test_overlong (void)
{
  g_auto (TempDir) dir = { 0 };
  g_autoptr (GByteArray) plain = make_idx (8, 3, small_dims, SMALL_BYTES + 1), packed = g_byte_array_new ();
  g_autofree char *path = NULL;

  temp_dir_init (&dir);
  path = temp_path (&dir, "overlong");
  put_file (path, plain->data, plain->len);
  refuse_images (path, LS_ERROR_DATA, "too long");
  append_gzip (packed, plain->data, plain->len);
  put_file (path, packed->data, packed->len);
  refuse_images (path, LS_ERROR_DATA, "too long");
}

static void
test_headers (void)
{
  static const struct {
    guint8 type;
    guint rank;
    guint32 dims[4];
    const char *words;
  } bad[] = {
    { 0x08, 0, { 0 }, "no IDX file" },
    { 0x08, 5, { 1, 1, 1, 1 }, "no IDX file" },
    { 0x09, 3, { 5, 3, 7 }, "no IDX file" },
    { 0x0d, 3, { 5, 3, 7 }, "no IDX file" },
    { 0xff, 3, { 5, 3, 7 }, "no IDX file" },
    { 0x0c, 3, { 5, 3, 7 }, "holds no images" },
    { 0x08, 1, { 105 }, "holds no images" },
    { 0x08, 2, { 5, 21 }, "holds no images" },
    { 0x08, 3, { 0, 3, 7 }, "dimension 1 of its header is 0" },
    { 0x08, 3, { 5, 0, 7 }, "dimension 2" },
    { 0x08, 3, { 5, 3, 0 }, "dimension 3" },
    { 0x08, 3, { 0xffffffff, 0xffffffff, 0xffffffff }, "more than 2 GiB" },
    { 0x08, 4, { 0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff }, "more than 2 GiB" },
    { 0x08, 4, { 65536, 65536, 65536, 65536 }, "more than 2 GiB" }, /* 2⁶⁴: wraps to 0 when unchecked */
    { 0x08, 3, { 0x80000001, 1, 1 }, "more than 2 GiB" },
    { 0x08, 3, { 0x1000001, 1, 1 }, "has 16777217 samples" },
    { 0x08, 3, { 0x1000000, 128, 1 }, "is cut" }, /* exactly 2 GiB is allowed, but isn't there */
  };
  g_auto (TempDir) dir = { 0 };
  g_autofree char *path = NULL;

  temp_dir_init (&dir);
  path = temp_path (&dir, "header");
  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      g_autoptr (GByteArray) file = make_idx (bad[i].type, MIN (bad[i].rank, 4), bad[i].dims, SMALL_BYTES);
      g_autoptr (GByteArray) packed = g_byte_array_new ();

      file->data[3] = (guint8) bad[i].rank;
      put_file (path, file->data, file->len);
      refuse_images (path, LS_ERROR_DATA, bad[i].words);
      append_gzip (packed, file->data, file->len);
      put_file (path, packed->data, packed->len);
      refuse_images (path, LS_ERROR_DATA, bad[i].words);
    }
  put_file (path, "PK\003\004 and so on, a zip file as it is often named", 40);
  refuse_images (path, LS_ERROR_DATA, "begins with 50 4b 03 04");
}

static void
test_gzip_damage (void)
{
  g_auto (TempDir) dir = { 0 };
  g_autoptr (GByteArray) plain = make_idx (8, 3, small_dims, SMALL_BYTES), packed = g_byte_array_new ();
  g_autofree char *path = NULL;
  g_autofree char *all = g_strdup_printf ("gzip data is wrong after %u unpacked bytes (incorrect ",
                                          plain->len),
                  *cut = g_strdup_printf ("gzip data breaks off after %u unpacked bytes; fetch", plain->len);
  guint n;

  temp_dir_init (&dir);
  path = temp_path (&dir, "damage.gz");
  append_gzip (packed, plain->data, plain->len);
  n = packed->len;

  /* The CRC, then the length, in the trailer. */
  for (guint at = n - 8; at < n; at++)
    {
      packed->data[at] ^= 1;
      put_file (path, packed->data, n);
      refuse_images (path, LS_ERROR_DATA, all);
      packed->data[at] ^= 1;
      put_file (path, packed->data, at);
      refuse_images (path, LS_ERROR_DATA, cut);
    }
  /* No flipped bit of the data goes unnoticed; its last byte may end in padding. */
  for (guint at = 10; at < n - 9; at++)
    {
      packed->data[at] ^= 0x10;
      put_file (path, packed->data, n);
      refuse_images (path, LS_ERROR_DATA, NULL);
      packed->data[at] ^= 0x10;
    }
  g_byte_array_append (packed, (const guint8 *) "", 1);
  put_file (path, packed->data, packed->len);
  refuse_images (path, LS_ERROR_DATA, "goes on after its gzip data");
  g_byte_array_append (packed, (const guint8 *) "garbage", 7);
  put_file (path, packed->data, packed->len);
  refuse_images (path, LS_ERROR_DATA, "goes on after its gzip data");
  /* A second member whose own data is wrong. */
  packed->data[n] = 0x1f;
  packed->data[n + 1] = 0x8b;
  put_file (path, packed->data, packed->len);
  refuse_images (path, LS_ERROR_DATA, NULL);
}

static void
test_labels (void)
{
  g_auto (TempDir) dir = { 0 };
  const guint32 dims[] = { 5 };
  g_autoptr (GByteArray) bytes = make_idx (8, 1, dims, 5), ints = make_idx (0x0c, 1, dims, 0);
  g_autoptr (GError) error = NULL;
  g_autofree char *path = NULL;
  gint32 values[5] = { 0, 3, 65534, 256, 1 };
  g_autofree gint32 *labels = NULL;
  gint64 n;

  temp_dir_init (&dir);
  path = temp_path (&dir, "labels");
  put_file (path, bytes->data, bytes->len);
  g_assert_true (ls_idx_read_labels (path, &n, &labels, &error));
  g_assert_cmpint (n, ==, 5);
  for (guint i = 0; i < 5; i++)
    g_assert_cmpint (labels[i], ==, i);
  g_clear_pointer (&labels, g_free);

  for (guint i = 0; i < 5; i++)
    {
      guint32 big = GUINT32_TO_BE ((guint32) values[i]);

      g_byte_array_append (ints, (guint8 *) &big, 4);
    }
  put_file (path, ints->data, ints->len);
  g_assert_true (ls_idx_read_labels (path, &n, &labels, &error));
  g_assert_cmpmem (labels, sizeof values, values, sizeof values);

  ints->data[8 + 4 * 3] = 0x00;
  ints->data[8 + 4 * 3 + 1] = 0x01; /* 65536 + 256 */
  put_file (path, ints->data, ints->len);
  refuse_labels (path, LS_ERROR_DATA, "label 65792 of sample 3 is out of range");
  ints->data[8 + 4 * 3] = 0xff;
  put_file (path, ints->data, ints->len);
  refuse_labels (path, LS_ERROR_DATA, "label -16711424 of sample 3");
  ints->data[3] = 3;
  put_file (path, ints->data, ints->len);
  refuse_labels (path, LS_ERROR_DATA, NULL);
}

/* More samples than any loader takes are refused by the header. */
static void
test_many (void)
{
  g_auto (TempDir) dir = { 0 };
  const guint32 most = LS_DATA_MAX_SAMPLES + 1;
  g_autoptr (GByteArray) images = make_idx (8, 3, (const guint32[]){ most, 1, 1 }, 4),
                         labels = make_idx (8, 1, &most, 4);
  g_autofree char *path = NULL;

  temp_dir_init (&dir);
  path = temp_path (&dir, "many");
  put_file (path, images->data, images->len);
  refuse_images (path, LS_ERROR_DATA, "has 16777217 samples, and at most 16777216 are read");
  put_file (path, labels->data, labels->len);
  refuse_labels (path, LS_ERROR_DATA, "has 16777217 samples, and at most 16777216 are read");
  labels->data[7]--; /* as many as are read, and the file is cut */
  put_file (path, labels->data, labels->len);
  refuse_labels (path, LS_ERROR_DATA, "is cut");
}

/* Nothing but regular files, and none of the others may block. */
static void
test_no_file (void)
{
  g_auto (TempDir) dir = { 0 };
  g_autofree char *fifo = NULL, *loop = NULL, *absent = NULL, *secret = NULL;

  temp_dir_init (&dir);
  fifo = temp_path (&dir, "fifo");
  loop = temp_path (&dir, "loop");
  absent = temp_path (&dir, "absent & <b>\xff");
  secret = temp_path (&dir, "secret");
  g_assert_cmpint (mkfifo (fifo, 0600), ==, 0);
  g_assert_cmpint (symlink (loop, loop), ==, 0);
  refuse_images (fifo, LS_ERROR_FILE, "device or a pipe");
  refuse_images (dir.path, LS_ERROR_FILE, "is a folder");
  refuse_images ("/dev/zero", LS_ERROR_FILE, "device or a pipe");
  refuse_images (loop, LS_ERROR_FILE, "can’t be opened");
  refuse_images (absent, LS_ERROR_FILE, "can’t be opened");
  if (geteuid () != 0)
    {
      put_file (secret, "x", 1);
      g_assert_cmpint (chmod (secret, 0), ==, 0);
      refuse_images (secret, LS_ERROR_FILE, "can’t be opened");
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/idx/names", test_names);
  g_test_add_func ("/idx/members", test_members);
  g_test_add_func ("/idx/large", test_large);
  g_test_add_func ("/idx/cut", test_cut);
  g_test_add_func ("/idx/overlong", test_overlong);
  g_test_add_func ("/idx/headers", test_headers);
  g_test_add_func ("/idx/gzip-damage", test_gzip_damage);
  g_test_add_func ("/idx/labels", test_labels);
  g_test_add_func ("/idx/many", test_many);
  g_test_add_func ("/idx/no-file", test_no_file);
  return g_test_run ();
}
