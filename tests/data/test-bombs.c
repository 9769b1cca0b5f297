/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * gzip data that unpack to more than they say, or to more than any data set would.
 */
#include <sys/resource.h>

#include "files/input.h"
#include "idx_rig.h"

/* 64 MiB of zeros in 64 KiB behind a header that announces 105 bytes. */
static void
test_bomb (void)
{
  g_auto (TempDir) dir = { 0 };
  gsize bytes = 64 << 20;
  g_autofree guint8 *zeros = g_malloc0 (bytes);
  g_autoptr (GByteArray) header = make_idx (8, 3, small_dims, 0), packed = g_byte_array_new ();
  g_autofree char *path = NULL;

  temp_dir_init (&dir);
  path = temp_path (&dir, "bomb.gz");
  append_gzip (packed, header->data, header->len);
  append_gzip (packed, zeros, bytes);
  g_assert_cmpuint (packed->len, <, 100000);
  put_file (path, packed->data, packed->len);
  refuse_images (path, LS_ERROR_DATA, "too long");
}

static glong
peak_kib (void)
{
  struct rusage usage;

  g_assert_cmpint (getrusage (RUSAGE_SELF, &usage), ==, 0);
  return usage.ru_maxrss;
}

/* A header of n images of 1 KiB, and n KiB of zeros as gzip members of `piece` each. */
static void
put_zeros (const char *path, guint32 n, gsize piece)
{
  g_autofree guint8 *zeros = g_malloc0 (piece);
  const guint32 dims[] = { n, 32, 32 };
  g_autoptr (GByteArray) header = make_idx (8, 3, dims, 0), packed = g_byte_array_new (),
                         member = g_byte_array_new ();

  append_gzip (packed, header->data, header->len);
  append_gzip (member, zeros, piece);
  for (gsize at = 0; at < (gsize) n << 10; at += piece)
    g_byte_array_append (packed, member->data, member->len);
  put_file (path, packed->data, packed->len);
}

/* 2 GiB of images in 2 MiB that are there, and in 20 bytes that can't be: refused by what the header says,
 * before memory is taken. What packs as tightly and is no larger than data are is read, and so is what is
 * large. */
static void
test_large_bomb (void)
{
  g_auto (TempDir) dir = { 0 };
  g_autoptr (GError) error = NULL;
  g_autofree guint8 *samples = NULL, *others = NULL;
  g_autofree char *path = NULL;
  gint64 n, shape[3];
  glong before;

  temp_dir_init (&dir);
  path = temp_path (&dir, "bomb.gz");
  put_zeros (path, 2 << 20, 16 << 20);
  before = peak_kib ();
  {
    const guint32 dims[] = { 2 << 20, 32, 32 };
    g_autoptr (GByteArray) header = make_idx (8, 3, dims, 0), packed = g_byte_array_new ();
    g_autofree char *empty = temp_path (&dir, "empty.gz");

    append_gzip (packed, header->data, header->len);
    put_file (empty, packed->data, packed->len);
    refuse_images (empty, LS_ERROR_DATA, "2147483664 bytes, more than");
  }
  refuse_images (path, LS_ERROR_DATA, "which no real data set does");
  put_zeros (path, 1 << 16 | 1, 1 << 20); /* just above what is read at any ratio */
  refuse_images (path, LS_ERROR_DATA, "67109904 bytes in");
  g_assert_cmpint (peak_kib () - before, <, 32 << 10);

  put_zeros (path, (1 << 16) - 1024, 1 << 20);
  g_assert_true (ls_idx_read_images (path, &n, shape, &samples, &error));
  g_assert_no_error (error);
  g_assert_cmpint (n, ==, (1 << 16) - 1024);
  put_zeros (path, 3 << 15, 256); /* members make it 12 to 1 */
  g_assert_true (ls_idx_read_images (path, &n, shape, &others, &error));
  g_assert_no_error (error);
  g_assert_cmpint (n, ==, 3 << 15);
}

/* Packed data hold at most 1032 times as many bytes; of more than 64 MiB no data set packs to less than a
 * 256th.
 */
static void
test_may_hold (void)
{
  static const struct {
    gint64 packed, bytes;
    const char *words; /* NULL: it may be */
  } rows[] = {
    { 1, 1032, NULL },
    { 1, 2063, NULL },
    { 1, 2064, "is cut" },
    { 2, 3095, NULL },
    { 2, 3096, "announces 3096 bytes, more than 2 bytes of packed data can hold" },
    { 0, 1031, NULL },
    { 0, 1032, "is cut" },
    { 100000, 64 << 20, NULL },
    { 100000, (64 << 20) + 1, "isn’t unpacked: it announces 67108865 bytes in 100000 of packed data" },
    { 262144, (64 << 20) + 1, NULL },
    { 262144, (64 << 20) + 255, NULL },
    { 262144, (64 << 20) + 256, "which no real data set does" },
    { 262145, (64 << 20) + 256, NULL },
    { 1 << 23, G_GINT64_CONSTANT (1) << 31, NULL },
    { (1 << 23) - 1, G_GINT64_CONSTANT (1) << 31, "which no real data set does" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (GError) error = NULL;

      if (ls_packed_may_hold ("x", rows[i].packed, rows[i].bytes, &error) != (rows[i].words == NULL))
        g_error ("%lld bytes in %lld of packed data are %s", (long long) rows[i].bytes,
                 (long long) rows[i].packed, rows[i].words == NULL ? "refused" : "taken");
      if (rows[i].words != NULL)
        assert_refused (&error, LS_ERROR_DATA, rows[i].words);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/bombs/overlong", test_bomb);
  g_test_add_func ("/bombs/large", test_large_bomb);
  g_test_add_func ("/bombs/may-hold", test_may_hold);
  return g_test_run ();
}
