/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Images that memory has no room for: from their cache file the very same data come as from memory; it is
 * made once, again when a file has changed, and again when it is damaged; where it can't be made a sentence
 * says so.
 */
#include <errno.h>
#include <signal.h>
#include <unistd.h>

#include "core/stored.h"
#include "data/preview.h"
#include "data/sample_file.h"
#include "files/output.h"
#include "sample_file_rig.h"

static void
assert_same (const LsData *a, const LsData *b)
{
  g_autoptr (LsDataPreview) one = ls_data_preview_new (a), other = ls_data_preview_new (b);
  const gsize bytes = (gsize) a->train.sample_size;
  g_autofree guint8 *sample = g_malloc (bytes);
  g_autoptr (GError) error = NULL;

  g_assert_null (a->train.stored);
  g_assert_nonnull (b->train.stored);
  g_assert_cmpint (a->n_classes, ==, b->n_classes);
  for (gint c = 0; c < a->n_classes; c++)
    g_assert_cmpstr (a->class_names[c], ==, b->class_names[c]);
  g_assert_cmpmem (a->train.shape, sizeof a->train.shape, b->train.shape, sizeof b->train.shape);
  g_assert_cmpmem (a->train.labels, 4 * (gsize) a->train.n, b->train.labels, 4 * (gsize) b->train.n);
  g_assert_cmpmem (a->test.labels, 4 * (gsize) a->test.n, b->test.labels, 4 * (gsize) b->test.n);
  g_assert_cmpmem (a->test.samples, bytes * (gsize) a->test.n, b->test.samples, bytes * (gsize) b->test.n);
  g_assert_null (b->test.stored);
  for (gint64 i = 0; i < a->train.n; i++)
    {
      g_assert_true (ls_stored_read (b->train.stored, i, sample, &error));
      g_assert_cmpmem (ls_dataset_sample (&a->train, i), bytes, sample, bytes);
    }
  g_assert_cmpuint (one->n, ==, other->n);
  g_assert_cmpmem (one->pixels, one->n * one->width * one->height * 3, other->pixels,
                   other->n * other->width * other->height * 3);
  /* one sentence more */
  g_assert_cmpuint ((a->notes != NULL ? a->notes->len : 0) + 1, ==, b->notes->len);
  for (guint i = 0; a->notes != NULL && i < a->notes->len; i++)
    assert_note (b, a->notes->pdata[i]);
  assert_note (b, "read while training from a cache file");
}

static void
test_same (void)
{
  static const guint8 wide[81 * 40] = { 0 };

  for (guint kind = 0; kind < 4; kind++) /* grey, in colour; split, with a test set */
    {
      g_auto (Tree) tree = { 0 };
      g_autoptr (GError) error = NULL;

      tree_init (&tree);
      put_noise (&tree, kind / 2 == 1 ? "train" : ".", 50, 1, kind % 2 == 1);
      if (kind / 2 == 1)
        put_noise (&tree, "test", 20, 99, kind % 2 == 1);
      put_in (&tree, kind / 2 == 1 ? "train/b/readme.txt" : "b/readme.txt", "text", 4);
      put_in (&tree, kind / 2 == 1 ? "train/none/readme.txt" : "none/readme.txt", "text", 4);
      if (kind == 1 || kind == 2) /* the first one is of another size than all that is made of them */
        {
          g_autoptr (GByteArray) large = make_png (80, 40, 1, wide, sizeof wide);
          put_in (&tree, kind == 1 ? "a/+.png" : "train/a/+.png", large->data, large->len);
        }
      g_autoptr (LsData) memory = accept_as (tree.path, NULL);
      g_assert_cmpint (memory->train.shape[0], ==, kind % 2 == 1 ? 3 : 1);
      if (kind == 1 || kind == 2)
        assert_note (memory,
                     kind == 1
                       ? "50 of 51 images are of another size than the first one’s 80×40; all are 64×32"
                       : "70 of 71 images are of another size than the first one’s 80×40; all are 64×32");
      for (guint again = 0; again < 2; again++)
        {
          g_autoptr (LsData) file = load_by_file (tree.path, &error);
          g_assert_no_error (error);
          assert_same (memory, file);
        }
      forget ();
    }
}

/* Cut anywhere, or with other bytes where it says what it is: it is made again. */
static void
test_damaged (void)
{
  g_auto (Tree) tree = { 0 };
  g_autoptr (GError) error = NULL;
  g_autofree char *file = NULL, *bytes = NULL;
  gsize n;

  tree_init (&tree);
  put_noise (&tree, ".", 12, 1, FALSE);
  g_autoptr (LsData) memory = accept_as (tree.path, NULL);
  ls_data_unref (load_by_file (tree.path, &error));
  file = cache_file ();
  g_assert_true (g_file_get_contents (file, &bytes, &n, NULL));
  for (gsize at = 0; at < n; at += 13)
    {
      put_file (file, bytes, at);
      g_autoptr (LsData) data = load_by_file (tree.path, &error);
      g_assert_no_error (error);
      assert_same (memory, data);
    }
  for (gsize at = 12 * EDGE * EDGE; at < n; at += 7) /* labels, text, length, magic number */
    {
      g_autofree char *other = g_memdup2 (bytes, n);

      other[at] = (char) (other[at] ^ 0x7f);
      put_file (file, other, n);
      g_autoptr (LsData) data = load_by_file (tree.path, &error);
      g_assert_no_error (error);
      g_assert_cmpint (data->train.n + data->test.n, ==, 12);
    }
  forget ();
}

static void
replace (char *bytes, gsize n, const char *what, const char *by)
{
  char *at = memmem (bytes, n, what, strlen (what));

  g_assert_nonnull (at);
  memcpy (at, by, strlen (by));
}

/* One that says it has two channels, of half the height each: images have one or three. */
static void
test_two_channels (void)
{
  g_auto (Tree) tree = { 0 };
  g_autoptr (GError) error = NULL;
  g_autofree char *file = NULL, *bytes = NULL;
  gsize n;

  tree_init (&tree);
  put_noise (&tree, ".", 12, 1, FALSE);
  ls_data_unref (load_by_file (tree.path, &error));
  file = cache_file ();
  g_assert_true (g_file_get_contents (file, &bytes, &n, NULL));
  replace (bytes, n, "\"channels\":1", "\"channels\":2");
  replace (bytes, n, "\"pixels\":36", "\"pixels\":18");
  replace (bytes, n, "\"height\":6", "\"height\":3");
  put_file (file, bytes, n);
  g_autoptr (LsData) data = load_by_file (tree.path, &error);
  g_assert_no_error (error);
  g_assert_cmpint (data->train.shape[0], ==, 1);
  forget ();
}

/* The room of one block is used again for as many samples or fewer, and grows for more; what it holds are
 * always the samples that were asked for last. */
static void
test_block (void)
{
  static const struct {
    guint n, room; /* asked for, and there is afterwards */
  } rows[] = { { 0, 0 }, { 3, 3 }, { 1, 3 }, { 3, 3 }, { 7, 7 }, { 2, 7 }, { 0, 7 }, { 30, 30 } };
  g_auto (Tree) tree = { 0 };
  g_autoptr (GError) error = NULL;
  LsBlock block = { 0 };

  tree_init (&tree);
  put_noise (&tree, ".", 40, 1, FALSE);
  g_autoptr (LsData) memory = accept_as (tree.path, NULL), data = load_by_file (tree.path, &error);
  g_assert_no_error (error);
  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      guint32 index[30];
      gconstpointer before = block.set.samples;
      const gboolean fits = block.room >= rows[i].n && before != NULL;

      for (guint k = 0; k < rows[i].n; k++)
        index[k] = (k * 7 + i) % 31;
      g_assert_true (ls_block_fill (&block, &data->train, index, rows[i].n, &error));
      g_assert_cmpint (block.set.n, ==, rows[i].n);
      if (block.room != rows[i].room)
        g_error ("after %u samples there is room for %d, and should be for %u", rows[i].n, (int) block.room,
                 rows[i].room);
      if (fits)
        g_assert_true (block.set.samples == before);
      for (guint k = 0; k < rows[i].n; k++)
        {
          g_assert_cmpmem (ls_dataset_sample (&block.set, k), EDGE * EDGE,
                           ls_dataset_sample (&memory->train, index[k]), EDGE * EDGE);
          g_assert_cmpint (block.set.labels[k], ==, memory->train.labels[index[k]]);
          g_assert_cmpuint (block.index[k], ==, k);
        }
    }
  ls_block_clear (&block);
  g_assert_null (block.set.samples);
  forget ();
}

/* While it is read: what is gone is told, and nothing else happens. */
static void
test_cut_meanwhile (void)
{
  g_auto (Tree) tree = { 0 };
  g_autoptr (GError) error = NULL;
  g_autofree char *file = NULL;
  const guint32 index[] = { 3, 0, 8, 9 };
  LsBlock block = { 0 };

  tree_init (&tree);
  put_noise (&tree, ".", 30, 1, FALSE);
  g_autoptr (LsData) memory = accept_as (tree.path, NULL), data = load_by_file (tree.path, &error);
  g_assert_no_error (error);
  ls_stored_expect (data->train.stored, index, 4);
  g_assert_true (ls_block_fill (&block, &data->train, index, 4, &error));
  for (guint i = 0; i < 4; i++)
    {
      g_assert_cmpmem (ls_dataset_sample (&block.set, i), EDGE * EDGE,
                       ls_dataset_sample (&memory->train, index[i]), EDGE * EDGE);
      g_assert_cmpint (block.set.labels[i], ==, memory->train.labels[index[i]]);
      g_assert_cmpuint (block.index[i], ==, i);
    }
  file = cache_file ();
  g_assert_cmpint (truncate (file, 9 * EDGE * EDGE), ==, 0);
  g_assert_false (ls_block_fill (&block, &data->train, index, 4, &error));
  assert_refused (&error, LS_ERROR_FILE, "can’t be read any more: it was cut");
  ls_block_clear (&block);
  forget ();
}

/* The disk is full, the folder can't be, somebody else is at it: a sentence, and nothing is left. */
static void
test_not_made (void)
{
  g_auto (Tree) tree = { 0 };
  g_autoptr (GError) error = NULL;
  g_autofree char *file = NULL, *part = NULL;
  struct rlimit limit = { 0 }, small = { 0 };
  gint lock;

  tree_init (&tree);
  put_noise (&tree, ".", 30, 1, FALSE);
  ls_data_unref (load_by_file (tree.path, &error));
  g_assert_no_error (error);
  file = cache_file ();
  g_assert_cmpint (g_unlink (file), ==, 0);
  part = g_strconcat (file, ".part", NULL);

  g_assert_cmpint (getrlimit (RLIMIT_FSIZE, &limit), ==, 0);
  small = limit;
  small.rlim_cur = 20 * EDGE * EDGE;
  signal (SIGXFSZ, SIG_IGN);
  g_assert_cmpint (setrlimit (RLIMIT_FSIZE, &small), ==, 0);
  g_assert_null (load_by_file (tree.path, &error));
  g_assert_cmpint (setrlimit (RLIMIT_FSIZE, &limit), ==, 0);
  g_autofree char *why = g_strdup_printf (
    "the cache file for them can’t be written in “%s”: %s; make room there, "
    "or choose a smaller --size.",
    cache, g_strerror (EFBIG));
  assert_refused (&error, LS_ERROR_FILE, why);
  g_assert_false (g_file_test (part, G_FILE_TEST_EXISTS));
  g_assert_false (g_file_test (file, G_FILE_TEST_EXISTS));

  lock = ls_file_lock (part);
  g_assert_cmpint (lock, >=, 0);
  g_assert_null (load_by_file (tree.path, &error));
  assert_refused (&error, LS_ERROR_FILE, "Another Lockstep is just making the cache file");
  close (lock);
  g_assert_cmpint (g_unlink (part), ==, 0);

  /* an image that can't be read: nothing half is kept */
  put_in (&tree, "c/zz.png", "\x89PNG\r\n\x1a\nrubbish", 15);
  g_assert_null (load_by_file (tree.path, &error));
  assert_refused (&error, LS_ERROR_DATA, "zz.png");
  g_assert_false (g_file_test (part, G_FILE_TEST_EXISTS));
  g_assert_false (g_file_test (file, G_FILE_TEST_EXISTS));
}

/* What fits into memory to the byte is held there; of a byte more a file is made. */
static void
test_limit (void)
{
  const guint n = 30;

  for (guint less = 0; less < 2; less++)
    {
      g_auto (Tree) tree = { 0 };
      g_autofree char *memory = g_strdup_printf ("%u", n * EDGE * EDGE - less);

      tree_init (&tree);
      put_noise (&tree, ".", n, 3, FALSE);
      g_setenv ("LOCKSTEP_DATA_MEMORY", memory, TRUE);
      g_autoptr (LsData) data = accept_as (tree.path, NULL);
      g_unsetenv ("LOCKSTEP_DATA_MEMORY");
      if ((data->train.stored != NULL) != (less > 0))
        g_error ("%u images of %d bytes are %s a file where memory has room for %s bytes", n, EDGE * EDGE,
                 less > 0 ? "not in" : "in", memory);
      if (less > 0)
        forget ();
    }
}

/* A disk that takes but three bytes at once, and is interrupted before each of them. */
static gboolean slow, interrupted;
ssize_t __real_pwrite64 (int fd, const void *from, size_t n, off_t at);
ssize_t __wrap_pwrite64 (int fd, const void *from, size_t n, off_t at);

ssize_t
__wrap_pwrite64 (int fd, const void *from, size_t n, off_t at)
{
  interrupted = slow && !interrupted;
  if (interrupted)
    {
      errno = EINTR;
      return -1;
    }
  return __real_pwrite64 (fd, from, slow ? MIN (n, 3) : n, at);
}

/* What is written in pieces is the same file, also where its images get three channels on the way. */
static void
test_in_pieces (void)
{
  char *texts[2] = { NULL };
  gsize lengths[2];

  for (guint k = 0; k < 2; k++)
    {
      g_autoptr (GError) error = NULL;
      LsSampleFile file;

      ls_sample_file_init (&file, "pieces", "pieces");
      slow = k == 1;
      g_assert_true (ls_sample_file_begin (&file, 1, 8, &error));
      g_assert_true (ls_sample_file_add (&file, (const guint8 *) "abcdefgh", 0, &error));
      g_assert_true (ls_sample_file_add (&file, (const guint8 *) "ijklmnop", 1, &error));
      g_assert_true (ls_sample_file_widen (&file, &error));
      g_assert_true (ls_sample_file_add (&file, (const guint8 *) "ABCDEFGHIJKLMNOPQRSTUVWX", 2, &error));
      file.n_train = 2;
      g_assert_true (ls_sample_file_end (&file, json_object (), "print", &error));
      slow = FALSE;
      g_assert_no_error (error);
      g_assert_true (g_file_get_contents (file.path, &texts[k], &lengths[k], NULL));
      ls_sample_file_clear (&file);
      forget ();
    }
  g_assert_cmpuint (lengths[0], >, 3 * 24 + 3 * 4);
  g_assert_cmpmem (texts[0], 72, "abcdefghabcdefghabcdefghijklmnopijklmnopijklmnopABCDEFGHIJKLMNOPQRSTUVWX",
                   72);
  g_assert_cmpmem (texts[0] + 72, 12, ((const gint32[]){ 0, 1, 2 }), 12);
  g_assert_cmpmem (texts[0], lengths[0], texts[1], lengths[1]);
  g_free (texts[0]);
  g_free (texts[1]);
}

/* How many samples of how many bytes a cache file may hold, to the last one. */
static void
test_may (void)
{
  static const char samples[] = "“many” has 16777217 samples, and at most 16777216 are read.",
                    size[]
                    = "“many” would need a cache file of more than 16 GiB, which isn’t made; use fewer "
                      "or smaller images.";
  static const struct {
    gint64 n, bytes;
    const char *why; /* NULL: it may */
  } rows[] = {
    { 1, 1, NULL },           { 1 << 24, 1, NULL },     { (1 << 24) + 1, 1, samples },
    { 1 << 24, 1024, NULL },  { 1 << 24, 1025, size },  { (1 << 24) + 1, 1025, samples },
    { 16384, 1 << 20, NULL }, { 16385, 1 << 20, size }, { 5461, 3 << 20, NULL },
    { 5462, 3 << 20, size },
  };
  LsSampleFile file;

  ls_sample_file_init (&file, "many", "many");
  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (GError) error = NULL;
      const gboolean may = ls_sample_file_may (&file, rows[i].n, rows[i].bytes, &error);

      g_test_message ("%lld samples of %lld bytes", (long long) rows[i].n, (long long) rows[i].bytes);
      g_assert_cmpstr (error != NULL ? error->message : NULL, ==, rows[i].why);
      g_assert_cmpint (may, ==, rows[i].why == NULL);
    }
  ls_sample_file_clear (&file);
}

/* What isn't ended leaves nothing behind, and what is whole stays. */
static void
test_part (void)
{
  for (guint whole = 0; whole < 2; whole++)
    {
      g_autoptr (GError) error = NULL;
      LsSampleFile file;

      ls_sample_file_init (&file, "part", "part");
      g_autofree char *path = g_strdup (file.path), *part = g_strconcat (path, ".part", NULL);
      g_assert_true (ls_sample_file_begin (&file, 1, 4, &error));
      g_assert_true (ls_sample_file_add (&file, (const guint8 *) "abcd", 0, &error));
      file.n_train = 1;
      g_assert_true (g_file_test (part, G_FILE_TEST_EXISTS));
      if (whole)
        g_assert_true (ls_sample_file_end (&file, json_object (), "print", &error));
      g_assert_no_error (error);
      ls_sample_file_clear (&file);
      ls_sample_file_clear (&file); /* a second time does nothing */
      if (g_file_test (part, G_FILE_TEST_EXISTS))
        g_error ("what was %s is left behind", whole ? "renamed" : "not ended");
      g_assert_cmpint (g_file_test (path, G_FILE_TEST_EXISTS), ==, whole);
      if (whole)
        forget ();
    }
}

int
main (int argc, char **argv)
{
  g_auto (Tree) home = { 0 };
  g_autofree char *folder = NULL;
  int status;

  tree_init (&home);
  g_setenv ("XDG_CACHE_HOME", home.path, TRUE);
  cache = folder = g_build_filename (home.path, "lockstep", "data", NULL);
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/sample-file/same", test_same);
  g_test_add_func ("/sample-file/limit", test_limit);
  g_test_add_func ("/sample-file/in-pieces", test_in_pieces);
  g_test_add_func ("/sample-file/may", test_may);
  g_test_add_func ("/sample-file/part", test_part);
  g_test_add_func ("/sample-file/damaged", test_damaged);
  g_test_add_func ("/sample-file/two-channels", test_two_channels);
  g_test_add_func ("/sample-file/block", test_block);
  g_test_add_func ("/sample-file/cut-meanwhile", test_cut_meanwhile);
  g_test_add_func ("/sample-file/not-made", test_not_made);
  status = g_test_run ();
  return status;
}
