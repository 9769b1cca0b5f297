/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The cache files of images: when one is made again, and which ones are removed; what is refused before one
 * is made; threads that ask for the same one at once.
 */
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utime.h>

#include "files/output.h"
#include "sample_file_rig.h"

/* Reads the folder anew and says whether its cache file, which is the only one, was made anew. */
static gboolean
is_made_again (const Tree *tree)
{
  g_autofree char *file = cache_file ();
  const GStatBuf before = facts_of (file);
  g_autoptr (GError) error = NULL;

  ls_data_unref (load_by_file (tree->path, &error));
  g_assert_no_error (error);
  return facts_of (file).st_ino != before.st_ino;
}

static void
set_time (const char *path, glong ns)
{
  const struct timespec times[2] = { { 1000000, ns }, { 1000000, ns } };

  g_assert_cmpint (utimensat (AT_FDCWD, path, times, 0), ==, 0);
}

/* Made once; again if a file has another time, by a nanosecond, or another length, or if there is one more.
 */
static void
test_kept (void)
{
  g_auto (Tree) tree = { 0 };
  g_autoptr (GError) error = NULL;
  g_autofree char *file = NULL, *image = NULL, *bytes = NULL, *longer = NULL;
  gsize n;

  tree_init (&tree);
  put_noise (&tree, ".", 30, 1, TRUE);
  image = g_build_filename (tree.path, "b", "7.png", NULL);
  set_time (image, 5);
  ls_data_unref (load_by_file (tree.path, &error));
  g_assert_no_error (error);
  file = cache_file ();
  g_assert_cmpint (facts_of (file).st_mode & 0777, ==, 0600);
  g_assert_false (is_made_again (&tree));

  set_time (image, 6);
  g_assert_true (is_made_again (&tree)); /* time */
  g_assert_true (g_file_get_contents (image, &bytes, &n, NULL));
  longer = g_malloc0 (n + 1);
  memcpy (longer, bytes, n);
  put_file (image, longer, n + 1);
  set_time (image, 6);
  g_assert_true (is_made_again (&tree)); /* length */
  put_in (&tree, "b/more.png", bytes, n);
  g_assert_true (is_made_again (&tree)); /* number */
  g_assert_false (is_made_again (&tree));
  forget ();
}

/* Of all cache files: another one than before lies there when it is another. */
static guint64
sum_of_files (guint n)
{
  g_autoptr (GPtrArray) names = ls_data_list_folder (cache, 10, NULL);
  guint64 sum = 0;

  g_assert_cmpuint (names->len, ==, n);
  for (guint i = 0; i < n; i++)
    {
      g_autofree char *path = g_build_filename (cache, names->pdata[i], NULL);
      sum += facts_of (path).st_ino;
    }
  return sum;
}

/* Another --size has a file of its own, beside the first; also one that isn't square serves again. */
static void
test_size (void)
{
  g_auto (Tree) tree = { 0 };
  g_autoptr (GError) error = NULL;

  tree_init (&tree);
  put_noise (&tree, ".", 30, 1, TRUE);
  ls_data_unref (load_by_file (tree.path, &error));
  g_setenv ("LOCKSTEP_DATA_MEMORY", "100", TRUE);
  guint64 sums[2];
  for (guint i = 0; i < 2; i++) /* as it was read, and out of its file */
    {
      g_autoptr (LsData) smaller = load_as (tree.path, "size=4x5", &error);
      g_assert_no_error (error);
      g_assert_cmpint (smaller->train.shape[1], ==, 5);
      g_assert_cmpint (smaller->train.shape[2], ==, 4);
      sums[i] = sum_of_files (2);
    }
  if (sums[0] != sums[1])
    g_error ("the file of images that aren’t square was made anew, though nothing has changed");
  g_unsetenv ("LOCKSTEP_DATA_MEMORY");
  remove_tree (cache);
}

/* Of other files, full of holes as they are here. */
static void
put_holes (const char *name, gint64 bytes, guint seconds_ago)
{
  g_autofree char *path = g_build_filename (cache, name, NULL);
  const time_t then = time (NULL) - (time_t) seconds_ago;

  put_file (path, "", 0);
  g_assert_cmpint (truncate (path, bytes), ==, 0);
  g_assert_cmpint (g_utime (path, &(struct utimbuf){ then, then }), ==, 0);
}

static gboolean
is_there (const char *name)
{
  g_autofree char *path = g_build_filename (cache, name, NULL);

  return g_file_test (path, G_FILE_TEST_EXISTS);
}

/* All together are 32 GiB at most: what was used longest ago goes when another one is made, and what a
 * program that was killed has left; nothing that somebody writes, and nothing else that lies there. */
static void
test_bounded (void)
{
  static const gint64 gib = G_GINT64_CONSTANT (1) << 30;
  g_auto (Tree) tree = { 0 }, other = { 0 };
  g_autoptr (GError) error = NULL;
  g_autofree char *file = NULL, *own = NULL, *written = NULL;
  const struct utimbuf old = { 1000, 1000 };
  gint lock;

  tree_init (&tree);
  tree_init (&other);
  put_noise (&tree, ".", 12, 1, FALSE);
  put_noise (&other, ".", 12, 1, FALSE);
  ls_data_unref (load_by_file (tree.path, &error));
  file = cache_file ();
  own = g_path_get_basename (file);
  g_assert_cmpint (g_utime (file, &old), ==, 0);
  ls_data_unref (load_by_file (tree.path, &error)); /* used just now */
  put_holes ("newer.samples", 16 * gib, 100);
  put_holes ("older.samples", 15 * gib, 300);
  put_holes ("oldest.samples", gib, 400);
  put_holes ("notes.txt", 40 * gib, 500);
  put_holes ("left.samples.part", gib, 500);
  written = g_build_filename (cache, "written.samples.part", NULL);
  lock = ls_file_lock (written);
  g_assert_cmpint (lock, >=, 0);

  ls_data_unref (load_by_file (other.path, &error));
  g_assert_no_error (error);
  g_assert_true (is_there (own));
  g_assert_true (is_there ("newer.samples"));
  g_assert_true (is_there ("older.samples"));
  g_assert_false (is_there ("oldest.samples"));
  g_assert_false (is_there ("left.samples.part"));
  g_assert_true (is_there ("written.samples.part"));
  g_assert_true (is_there ("notes.txt"));
  close (lock);
  remove_tree (cache);
}

/* To the last byte, with the one that was just made; a lone one that is older than all goes first. */
static void
test_bounded_exactly (void)
{
  static const gint64 most = G_GINT64_CONSTANT (32) << 30;

  for (guint more = 0; more < 2; more++)
    {
      g_auto (Tree) tree = { 0 };
      g_autoptr (GError) error = NULL;

      tree_init (&tree);
      put_noise (&tree, ".", 12, 1, FALSE);
      ls_data_unref (load_by_file (tree.path, &error));
      g_autofree char *file = cache_file ();
      const gint64 own = facts_of (file).st_size;
      g_assert_cmpint (g_unlink (file), ==, 0);

      put_holes ("newer.samples", most - own - 1000, 100);
      put_holes ("older.samples", 1000 + more, 300);
      put_holes ("oldest.samples", 0, 400);
      ls_data_unref (load_by_file (tree.path, &error));
      g_assert_no_error (error);
      if (is_there ("older.samples") != (more == 0))
        g_error ("of %u bytes more than 32 GiB the older one %s", more, more > 0 ? "stays" : "goes");
      g_assert_true (is_there ("newer.samples"));
      g_assert_cmpint (is_there ("oldest.samples"), ==, more == 0);
      remove_tree (cache);
    }
}

/* The same file under n names, in two folders. */
static void
link_many (const Tree *tree, const char *folder, guint n)
{
  g_autofree char *first = g_build_filename (tree->path, "one.png", NULL);

  for (guint i = 0; i < 2; i++)
    {
      g_autofree char *class = g_strdup_printf ("%s/%s/%c", tree->path, folder, 'a' + (gint) i);

      g_assert_cmpint (g_mkdir_with_parents (class, 0700), ==, 0);
      for (guint k = i; k < n; k += 2)
        {
          g_autofree char *name = g_strdup_printf ("%s/%u.png", class, k);

          g_assert_cmpint (link (first, name), ==, 0);
        }
    }
}

/* What is too much is told before any of it is decoded and written: samples to test with, of which memory
 * holds 2 GiB, be they a set of their own or a share; and a cache file of more than 16 GiB. */
static void
test_too_much (void)
{
  enum { MANY = 5500 };
  g_auto (Tree) parted = { 0 }, whole = { 0 };
  g_autoptr (GByteArray) png = make_png (1, 1, 3, (const guint8[]){ 0, 10, 20, 30 }, 4);
  struct rlimit limit = { 0 }, small = { 0 };

  tree_init (&parted);
  tree_init (&whole);
  put_in (&parted, "one.png", png->data, png->len);
  put_in (&whole, "one.png", png->data, png->len);
  link_many (&parted, "train", 4);
  link_many (&parted, "test", 700);
  link_many (&whole, ".", MANY);
  g_assert_cmpint (getrlimit (RLIMIT_FSIZE, &limit), ==, 0);
  small = limit;
  small.rlim_cur = 1 << 20; /* a failing test fails at once */
  signal (SIGXFSZ, SIG_IGN);
  g_assert_cmpint (setrlimit (RLIMIT_FSIZE, &small), ==, 0);
  refuse_as (parted.path, "size=1024x1024", LS_ERROR_DATA, "more than 2 GiB of memory for 700 samples");
  refuse_as (whole.path, "size=1024x1024 test-share=0.2", LS_ERROR_DATA,
             "more than 2 GiB of memory for 1100 samples");
  refuse_as (whole.path, "size=1024x1024", LS_ERROR_DATA, "a cache file of more than 16 GiB");
  g_assert_cmpint (setrlimit (RLIMIT_FSIZE, &limit), ==, 0);
}

/* ---- two threads ---- */

typedef struct {
  LsDataRequest request;
  LsData *data;
  GError *error;
  gint seen; /* it has said how far it is, or is done */
  GThread *thread;
  gboolean alike;    /* asks for the very same data */
  double told, last; /* how far it was told that they are; of those that it had to hear, the last one */
  guint n_heard;     /* of those */
  GMutex mutex;
  GCond cond;
} Reader;

static void
second_cb (double done, gpointer data)
{
  Reader *second = data;

  g_mutex_lock (&second->mutex);
  second->told = done;
  g_cond_signal (&second->cond);
  g_mutex_unlock (&second->mutex);
  g_atomic_int_set (&second->seen, 1);
}

/* Who waits for the same data hears how far they are while they are read, not when they are there. */
static void
assert_second_hears (Reader *second, double done)
{
  const gint64 end_us = g_get_monotonic_time () + 60 * G_USEC_PER_SEC;

  g_mutex_lock (&second->mutex);
  while (second->told < done)
    if (!g_cond_wait_until (&second->cond, &second->mutex, end_us))
      g_error ("who waits isn’t told in a minute that %g of the data are read, but %g", done, second->told);
  g_mutex_unlock (&second->mutex);
  second->n_heard += done > second->last;
  second->last = done;
}

static gpointer
second_thread (gpointer data)
{
  Reader *second = data;

  second->data = ls_data_load_request (&second->request, &second->error);
  g_atomic_int_set (&second->seen, 1);
  return NULL;
}

/* The second one asks while the first has its cache file locked, or half its samples in memory. */
static void
first_cb (double done, gpointer data)
{
  Reader *second = data;

  if (second->thread != NULL)
    {
      if (second->alike && done < 1)
        assert_second_hears (second, done);
      return;
    }
  second->thread = g_thread_new ("second", second_thread, second);
  while (!g_atomic_int_get (&second->seen))
    g_usleep (100);
}

/* A restart, and a folder dropped twice, ask for data that are just being read. */
static void
test_at_once (void)
{
  g_auto (Tree) tree = { 0 };
  g_autoptr (LsOptions) options = ls_options_new ();

  tree_init (&tree);
  put_noise (&tree, ".", 70, 1, FALSE);
  for (guint kind = 0; kind < 4; kind++) /* into memory, by file; the same, with another seed */
    {
      g_autoptr (GError) error = NULL;
      Reader second = { .request = ls_data_request (options), .alike = kind / 2 == 0 };
      LsDataRequest request = ls_data_request (options);

      if (kind % 2 == 1)
        g_setenv ("LOCKSTEP_DATA_MEMORY", "100", TRUE);
      request.what = second.request.what = tree.path;
      second.request.seed += kind / 2;
      second.request.progress = second_cb;
      second.request.progress_data = &second;
      request.progress = first_cb;
      request.progress_data = &second;
      g_autoptr (LsData) first = ls_data_load_request (&request, &error);
      g_assert_no_error (error);
      g_thread_join (second.thread);
      g_assert_no_error (second.error);
      g_assert_cmpint (second.data->train.n, ==, first->train.n);
      if (kind / 2 == 0) /* read once */
        g_assert_true (second.data == first);
      else
        g_assert_cmpstr (second.data->key, !=, first->key);
      if (second.alike && second.n_heard < 1)
        g_error ("nothing was read after the second one asked, so there was nothing to tell it");
      ls_data_unref (second.data);
      g_unsetenv ("LOCKSTEP_DATA_MEMORY");
      if (kind % 2 == 1)
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
  g_test_add_func ("/sample-cache/kept", test_kept);
  g_test_add_func ("/sample-cache/size", test_size);
  g_test_add_func ("/sample-cache/bounded", test_bounded);
  g_test_add_func ("/sample-cache/bounded-exactly", test_bounded_exactly);
  g_test_add_func ("/sample-cache/too-much", test_too_much);
  g_test_add_func ("/sample-cache/at-once", test_at_once);
  status = g_test_run ();
  return status;
}
