/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A target without libFuzzer: every file of a folder, and some inputs made from each, the same in every run.
 * good-NAME must be accepted, bad-NAME refused; others were findings.
 *   replay FOLDER MADE-FROM-EACH
 */
#include "fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_BYTES 65536

/* A target has it or not. */
__attribute__ ((weak)) size_t LLVMFuzzerCustomMutator (uint8_t *data, size_t size, size_t max,
                                                       unsigned int seed);

static GRand *noise;
static guint made_from_each;

/* One change: a byte, a bit, a number at an edge, a piece left out or doubled. */
size_t
LLVMFuzzerMutate (uint8_t *data, size_t size, size_t max)
{
  static const guint8 edges[] = { 0, 1, 0x7f, 0x80, 0xfe, 0xff, '"', '\n', ',', '0', '9', '-' };
  const gsize at = size > 0 ? g_rand_int (noise) % size : 0,
              n = size > 0 ? 1 + g_rand_int (noise) % MIN (size - at, 16) : 0;

  switch (size > 0 ? g_rand_int_range (noise, 0, 5) : 5)
    {
    case 0:
      data[at] = (guint8) g_rand_int (noise);
      break;
    case 1:
      data[at] ^= (guint8) (1u << g_rand_int_range (noise, 0, 8));
      break;
    case 2:
      data[at] = edges[g_rand_int_range (noise, 0, G_N_ELEMENTS (edges))];
      break;
    case 3:
      memmove (data + at, data + at + n, size - at - n);
      size -= n;
      break;
    case 4:
      if (size + n > max)
        break;
      memmove (data + at + n, data + at, size - at);
      size += n;
      break;
    default:
      break;
    }
  if (size == 0 && max > 0)
    data[size++] = (guint8) g_rand_int (noise);
  return size;
}

static void
replay (gconstpointer path)
{
  g_autofree char *bytes = NULL;
  g_autofree guint8 *input = g_malloc (MAX_BYTES);
  g_autoptr (GError) error = NULL;
  g_autofree char *name = g_path_get_basename (path);
  const guint accepted = fuzz_n_accepted;
  gsize size;

  g_assert_true (g_file_get_contents (path, &bytes, &size, &error));
  g_assert_no_error (error);
  g_assert_cmpuint (size, <=, MAX_BYTES);
  g_rand_set_seed (noise, 7);
  LLVMFuzzerTestOneInput ((const guint8 *) bytes, size);
  if (g_str_has_prefix (name, "good-") && fuzz_n_accepted == accepted)
    g_test_fail_printf ("%s isn't accepted", name);
  if (g_str_has_prefix (name, "bad-") && fuzz_n_accepted != accepted)
    g_test_fail_printf ("%s is accepted", name);
  for (guint i = 0; i < made_from_each; i++)
    {
      gsize n = size;

      memcpy (input, bytes, size);
      for (guint changes = 1 + i % 4; changes > 0; changes--)
        n = LLVMFuzzerCustomMutator != NULL ? LLVMFuzzerCustomMutator (input, n, MAX_BYTES, i * 4 + changes)
                                            : LLVMFuzzerMutate (input, n, MAX_BYTES);
      g_test_message ("input %u made from %s", i, (const char *) path);
      LLVMFuzzerTestOneInput (input, n);
    }
}

int
main (int argc, char **argv)
{
  g_autoptr (GError) error = NULL;
  GDir *dir;
  int status;

  g_test_init (&argc, &argv, NULL);
  g_assert_cmpint (argc, ==, 3);
  LLVMFuzzerInitialize (&argc, &argv);
  noise = g_rand_new ();
  made_from_each = (guint) g_ascii_strtoull (argv[2], NULL, 10);
  dir = g_dir_open (argv[1], 0, &error);
  g_assert_no_error (error);
  for (const char *name; (name = g_dir_read_name (dir)) != NULL;)
    {
      g_autofree char *test = g_strconcat ("/fuzz/", name, NULL);

      g_test_add_data_func_full (test, g_build_filename (argv[1], name, NULL), replay, g_free);
    }
  g_dir_close (dir);
  status = g_test_run ();
  g_rand_free (noise);
  return status;
}
