/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What all loaders have in common: how far they are, told to who asked; what is known of a path without
 * looking at it; which samples are shown first.
 */
#include <math.h>
#include <string.h>
#include <sys/resource.h>

#include "core/memory.h"
#include "data/picture.h"
#include "data/prepare.h"
#include "images_rig.h"
#include "zip_rig.h"

/* ---- how far it is ---- */

typedef struct {
  guint n;
  double last;
  const char *other; /* read within, or NULL */
} Heard;

static void heard_cb (double done, gpointer data);

static LsData *
read_heard (const char *path, Heard *heard)
{
  g_autoptr (LsOptions) options = ls_options_new ();
  LsDataRequest request = ls_data_request (options);
  g_autoptr (GError) error = NULL;
  LsData *data;

  request.what = path;
  request.progress = heard_cb;
  request.progress_data = heard;
  data = ls_data_load_request (&request, &error);
  g_assert_no_error (error);
  return data;
}

/* Another one is read in the midst of it, and told to another. */
static void
heard_cb (double done, gpointer data)
{
  Heard *heard = data;
  const char *other = g_steal_pointer (&heard->other);

  if (done < heard->last)
    g_error ("after %g came %g", heard->last, done);
  g_assert_cmpfloat (done, <=, 1);
  heard->n++;
  heard->last = done;
  if (other != NULL)
    {
      const guint n = heard->n;
      Heard within = { 0 };
      G_GNUC_UNUSED g_autoptr (LsData) read = read_heard (other, &within);

      g_assert_cmpuint (within.n, >, 0);
      g_assert_cmpuint (heard->n, ==, n);
    }
}

static void
check_heard (const char *path, const char *other, guint least)
{
  Heard heard = { .other = other };
  G_GNUC_UNUSED g_autoptr (LsData) data = read_heard (path, &heard);

  g_assert_cmpuint (heard.n, >=, least);
  g_assert_cmpfloat (heard.last, ==, 1);
}

static char *
put_table (const Tree *tree, guint n)
{
  g_autoptr (GString) text = g_string_new ("a,b,kind\n");

  for (guint i = 0; i < n; i++)
    g_string_append_printf (text, "%u,%u,%s\n", i, i * 7 % 10, i % 2 == 0 ? "oak" : "ash");
  put_in (tree, "table.csv", text->str, text->len);
  return g_build_filename (tree->path, "table.csv", NULL);
}

/* A test set of its own, which begins no second count from 0. */
static char *
put_arrays (const Tree *tree)
{
  static const char *const names[] = { "x_train.npy", "y_train.npy", "x_test.npy", "y_test.npy" };
  g_autofree guint8 *bytes = g_malloc0 (10000);
  ZipMaker maker;

  for (guint i = 0; i < 10000; i++)
    bytes[i] = (guint8) (i & 1);
  zip_begin (&maker);
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autoptr (GByteArray) array = make_npy ("|u1", i % 2 == 0 ? "(10000, 1, 1)" : "(10000,)", bytes,
                                               10000);
      zip_add (&maker, names[i], array, FALSE, FALSE);
    }
  g_autoptr (GByteArray) zip = zip_end (&maker);
  put_in (tree, "arrays.npz", zip->data, zip->len);
  return g_build_filename (tree->path, "arrays.npz", NULL);
}

static char *
put_cifar (const Tree *tree)
{
  static const char *const names[] = { "cifar/data_batch_1.bin", "cifar/data_batch_2.bin",
                                       "cifar/test_batch.bin" };
  const gsize n = 1100, bytes = 3073;
  g_autofree guint8 *batch = g_malloc0 (n * bytes);

  for (gsize i = 0; i < n; i++)
    batch[i * bytes] = (guint8) (i % 10);
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    put_in (tree, names[i], batch, n * bytes);
  return g_build_filename (tree->path, "cifar", NULL);
}

static char *
put_images (const Tree *tree)
{
  for (guint i = 0; i < 280; i++)
    {
      g_autoptr (GByteArray) png = make_plain_png (2, 1, (guint8) i);
      g_autofree char *name = g_strdup_printf ("images/%s/%s/%u.png", i % 2 == 0 ? "train" : "test",
                                               i / 2 % 2 == 0 ? "a" : "b", i);

      put_in (tree, name, png->data, png->len);
    }
  return g_build_filename (tree->path, "images", NULL);
}

static void
test_progress (void)
{
  g_auto (Tree) tree = { 0 };
  g_autofree char *table = NULL, *arrays = NULL, *cifar = NULL, *images = NULL;

  tree_init (&tree);
  table = put_table (&tree, 9000);
  arrays = put_arrays (&tree);
  cifar = put_cifar (&tree);
  check_heard (table, arrays, 9); /* three passes, each with three words at least */
  check_heard (arrays, table, 5);
  check_heard (cifar, table, 4);
  if (ls_picture_can ())
    {
      images = put_images (&tree);
      check_heard (images, cifar, 5);
    }
}

/* ---- how much room it takes ---- */

/* Up to 2 GiB of samples, and so many of them; where the system has no more, a sentence says how much is
 * needed, labels included. */
static void
test_room (void)
{
  static const struct {
    gint64 shape[3], n;
    LsSampleType type;
    const char *why; /* NULL: it may */
  } rows[] = {
    { { 1, 1, 1 }, 0, LS_SAMPLE_U8, NULL },
    { { 1, 1, 1 }, 1 << 24, LS_SAMPLE_F32, NULL },
    { { 1, 1, 1 }, (1 << 24) + 1, LS_SAMPLE_U8, "“a” has 16777217 samples, and at most 16777216 are read." },
    { { 2, 32, 64 }, 1 << 19, LS_SAMPLE_U8, NULL },
    { { 2, 32, 64 },
      (1 << 19) + 1,
      LS_SAMPLE_U8,
      "“a” would need more than 2 GiB of memory for 524289 samples of 4096 values, which isn’t read; use "
      "fewer "
      "or smaller ones." },
    { { 2, 32, 64 }, 1 << 17, LS_SAMPLE_F32, NULL },
    { { 2, 32, 64 },
      (1 << 17) + 1,
      LS_SAMPLE_F32,
      "“a” would need more than 2 GiB of memory for 131073 samples of 4096 values, which isn’t read; use "
      "fewer "
      "or smaller ones." },
  };
  struct rlimit before, limit;

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      LsDataset set = { .type = rows[i].type };
      g_autoptr (GError) error = NULL;

      memcpy (set.shape, rows[i].shape, sizeof set.shape);
      g_test_message ("row %zu", i);
      g_assert_cmpint (ls_data_may (&set, rows[i].n, "a", &error), ==, rows[i].why == NULL);
      g_assert_cmpstr (error != NULL ? error->message : NULL, ==, rows[i].why);
    }
  g_assert_cmpint (getrlimit (RLIMIT_AS, &before), ==, 0);
  limit = before;
  limit.rlim_cur = LS_MB * 1000; /* and it has mapped some of that already */
  if (g_getenv ("LOCKSTEP_SANITIZED") != NULL || setrlimit (RLIMIT_AS, &limit) != 0)
    {
      g_test_skip ("a sanitizer maps more, or the system grants no such limit");
      return;
    }
  for (guint type = 0; type < 2; type++)
    {
      LsDataset set = { .shape = { 1, 1000, 500 }, .type = type == 0 ? LS_SAMPLE_U8 : LS_SAMPLE_F32 };
      g_autoptr (GError) error = NULL;
      const gboolean made = ls_data_make_room (&set, type == 0 ? 2000 : 501, "a", &error);

      g_free (set.samples);
      g_free (set.labels);
      g_assert_false (made);
      g_assert_error (error, LS_ERROR, LS_ERROR_MEMORY);
      g_assert_cmpstr (error->message, ==,
                       type == 0 ? "“a” needs 1000008000 bytes of memory, which can’t be had."
                                 : "“a” needs 1002002004 bytes of memory, which can’t be had.");
    }
  g_assert_cmpint (setrlimit (RLIMIT_AS, &before), ==, 0);
}

/* ---- what is known of a path ---- */

static void
test_looked_at (void)
{
  const LsDataDefaults *digits = ls_data_defaults ("mnist");
  g_auto (Tree) tree = { 0 };
  g_autofree char *table = NULL, *arrays = NULL, *none = NULL, *junk = NULL;

  tree_init (&tree);
  table = put_table (&tree, 20);
  arrays = put_arrays (&tree);
  none = g_build_filename (tree.path, "none", NULL);
  put_in (&tree, "junk", "\0\0\0\0x", 5);
  junk = g_build_filename (tree.path, "junk", NULL);
  /* asking looks at no disk: what nobody has looked at is as digits are */
  g_assert_true (ls_data_defaults (table) == digits);
  g_assert_true (ls_data_look (table));
  g_assert_true (ls_data_defaults (table) == &ls_loader_csv.defaults);
  g_assert_true (ls_data_look (arrays));
  g_assert_true (ls_data_defaults (arrays) == &ls_loader_npz.defaults);
  g_assert_true (ls_data_defaults (table) == &ls_loader_csv.defaults); /* both are known at once */
  g_assert_false (ls_data_look (none));
  g_assert_false (ls_data_look (junk));
  g_assert_true (ls_data_look ("spiral"));
  /* what lies there may be another by now: looked at, or read anew */
  g_assert_cmpint (g_rename (arrays, table), ==, 0);
  g_assert_true (ls_data_defaults (table) == &ls_loader_csv.defaults);
  G_GNUC_UNUSED g_autoptr (LsData) data = accept_as (table, NULL);
  g_assert_true (ls_data_defaults (table) == &ls_loader_npz.defaults);
  /* or none at all: what lay there before is forgotten, whether nobody knows what lies there or nothing does
   */
  g_assert_cmpint (g_rename (junk, table), ==, 0);
  refuse_as (table, NULL, LS_ERROR_DATA, "no data that is known");
  g_assert_true (ls_data_defaults (table) == digits);
  g_autofree char *again = put_table (&tree, 20);
  g_assert_true (ls_data_look (again));
  g_assert_true (ls_data_defaults (table) == &ls_loader_csv.defaults);
  g_assert_cmpint (g_unlink (table), ==, 0);
  refuse_as (table, NULL, LS_ERROR_USAGE, "There is no data set, no file and no folder");
  g_assert_true (ls_data_defaults (table) == digits);
}

/* ---- how it was read ---- */

static void
test_key (void)
{
  static const char *const others[] = { "seed=2",       "test-share=0.2", "label=a",
                                        "missing=mean", "size=3x3",       "data=spiral" };
  g_autoptr (LsOptions) options = ls_options_new ();
  const LsDataRequest request = ls_data_request (options);
  g_autofree char *key = ls_data_key (&request);
  g_autoptr (LsData) digits = ls_data_load ("mnist", 1, NULL);

  g_assert_cmpstr (digits->key, ==, key);
  for (guint i = 0; i < G_N_ELEMENTS (others); i++)
    {
      g_autoptr (LsOptions) changed = ls_options_new ();
      g_auto (GStrv) pair = g_strsplit (others[i], "=", 2);
      g_autofree char *other = NULL;
      LsDataRequest asked;

      g_assert_true (ls_options_set (changed, ls_options_find (pair[0]), pair[1], NULL));
      asked = ls_data_request (changed);
      other = ls_data_key (&asked);
      g_assert_cmpstr (other, !=, key);
    }
}

/* ---- read by two at once ---- */

typedef struct {
  const char *path;
  const char *seed; /* that the other one asks for */
  GThread *other;   /* NULL: not yet */
  double own;       /* how far the first one was then, which waits until the other one has been told */
  GMutex lock;
  GCond changed;
  gboolean heard;
  double told; /* to the other one, first of all */
} Both;

static LsData *
read_by (Both *both, const char *seed, LsDataProgress progress)
{
  g_autoptr (LsOptions) options = ls_options_new ();
  g_autoptr (GError) error = NULL;

  g_assert_true (ls_options_set (options, ls_options_find ("seed"), seed, NULL));
  LsDataRequest request = ls_data_request (options);
  request.what = both->path;
  request.progress = progress;
  request.progress_data = both;
  LsData *data = ls_data_load_request (&request, &error);
  g_assert_no_error (error);
  return data;
}

static void
other_cb (double done, gpointer data)
{
  Both *both = data;

  g_mutex_lock (&both->lock);
  both->told = both->heard ? both->told : done;
  both->heard = TRUE;
  g_cond_signal (&both->changed);
  g_mutex_unlock (&both->lock);
}

static gpointer
other_thread (gpointer data)
{
  Both *both = data;

  return read_by (both, both->seed, other_cb);
}

static void
first_cb (double done, gpointer data)
{
  Both *both = data;

  if (both->other != NULL || done < .2)
    return;
  both->own = done;
  both->other = g_thread_new ("other", other_thread, both);
  g_mutex_lock (&both->lock);
  while (!both->heard)
    g_cond_wait (&both->changed, &both->lock);
  g_mutex_unlock (&both->lock);
}

/* Whoever asks for what is being read is told how far that is, and gets the same; who asks for it with
 * another seed is told that nothing has been read of it. */
static void
test_both (void)
{
  g_auto (Tree) tree = { 0 };

  tree_init (&tree);
  g_autofree char *path = put_table (&tree, 20000);
  for (guint same = 0; same < 2; same++)
    {
      Both both = { .path = path, .seed = same ? "1" : "2" };
      g_autoptr (LsData) first = read_by (&both, "1", first_cb), other = NULL;

      g_assert_nonnull (both.other);
      other = g_thread_join (both.other);
      g_assert_true ((first == other) == (same != 0));
      const double expected = same ? both.own : 0;
      if (fabs (both.told - expected) > 1e-9)
        g_error ("while %g of it was read, who asked with %s seed was told %g", both.own,
                 same ? "the same" : "another", both.told);
    }
}

/* ---- the first of each class in turn ---- */

static void
test_first (void)
{
  static const gint32 labels[] = { 2, 2, 2, 2, 0, 0, 2, 1, 0, 2, 1 };
  static const gint64 expected[] = { 0, 4, 7, 1, 5, 10, 2, 8, 3, 6, 9 };
  LsData data = { .n_classes = 4, .train = { .n = G_N_ELEMENTS (labels), .labels = (gint32 *) labels } };
  g_autofree gint32 *many = g_new (gint32, 100000);

  ls_data_choose_first (&data);
  g_assert_cmpuint (data.n_first, ==, G_N_ELEMENTS (expected));
  for (guint i = 0; i < G_N_ELEMENTS (expected); i++)
    g_assert_cmpint (data.first[i], ==, expected[i]);
  /* stored class by class, more classes than places: the first of the first ones */
  for (guint i = 0; i < 100000; i++)
    many[i] = (gint32) (i / 1000);
  data.n_classes = 100;
  data.train.n = 100000;
  data.train.labels = many;
  ls_data_choose_first (&data);
  g_assert_cmpuint (data.n_first, ==, LS_DATA_FIRST);
  for (guint i = 0; i < LS_DATA_FIRST; i++)
    g_assert_cmpint (data.first[i], ==, i * 1000);
  data.train.n = 0;
  ls_data_choose_first (&data);
  g_assert_cmpuint (data.n_first, ==, 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/reading/progress", test_progress);
  g_test_add_func ("/reading/room", test_room);
  g_test_add_func ("/reading/looked-at", test_looked_at);
  g_test_add_func ("/reading/key", test_key);
  g_test_add_func ("/reading/both", test_both);
  g_test_add_func ("/reading/first", test_first);
  return g_test_run ();
}
