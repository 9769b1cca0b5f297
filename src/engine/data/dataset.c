/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Data by name: the shipped MNIST, a toy set, or a folder of four IDX files; and what makes four files one
 * data set: as many labels as images, training and test of one shape, labels below the number of classes, at
 * least two classes.
 */
#include "config.h"

#include <inttypes.h>
#include <string.h>
#include <glib/gi18n-lib.h>

#include "core/error.h"
#include "data/datadir.h"
#include "data/dataset.h"
#include "data/idx.h"
#include "data/toy.h"
#include "core/file.h"

const char *const *
ls_data_names (void)
{
  static const char *const *names;

  if (g_once_init_enter (&names))
    {
      guint n;
      const LsToy *toys = ls_toys (&n);
      const char **list = g_new0 (const char *, n + 2);

      list[0] = "mnist";
      for (guint i = 0; i < n; i++)
        list[i + 1] = toys[i].name;
      g_once_init_leave (&names, list);
    }
  return names;
}

char *
ls_data_option_help (const LsOption *option)
{
  g_autofree char *names = g_strjoinv (", ", (char **) ls_data_names ());
  GString *help = g_string_new (_(option->help));

  g_string_replace (help, "%s", names, 0);
  return g_string_free (help, FALSE);
}

gboolean
ls_data_shape (const char *what, gint64 shape[3], gint *n_classes)
{
  guint n;
  const LsToy *toys = ls_toys (&n);

  for (guint i = 0; i < n; i++)
    if (strcmp (toys[i].name, what) == 0)
      {
        shape[0] = toys[i].n_features;
        shape[1] = shape[2] = 1;
        *n_classes = toys[i].n_classes;
        return TRUE;
      }
  if (strcmp (what, "mnist") != 0)
    return FALSE;
  shape[0] = 1;
  shape[1] = shape[2] = 28;
  *n_classes = 10;
  return TRUE;
}

/* ---- a folder of IDX files ---- */

/* Which file of the folder is meant by `stem` ("train-images"): the distribution's own spelling if it is
 * there, else the one file that begins so. NULL with an error if several do; NULL without one if none does.
 */
static char *
find_file (const char *folder, GPtrArray *entries, const char *stem, GError **error)
{
  static const char *const forms[] = { "-idx3-ubyte", "-idx4-ubyte", "-idx1-ubyte",
                                       ".idx3-ubyte", ".idx4-ubyte", ".idx1-ubyte" };
  const char *found = NULL;

  for (guint f = 0; f < 2 * G_N_ELEMENTS (forms); f++)
    {
      g_autofree char *exact = g_strconcat (stem, forms[f / 2], f % 2 == 0 ? "" : ".gz", NULL);

      if (g_ptr_array_find_with_equal_func (entries, exact, g_str_equal, NULL))
        return g_build_filename (folder, exact, NULL);
    }
  for (guint i = 0; i < entries->len; i++)
    {
      const char *entry = g_ptr_array_index (entries, i);
      gsize length = strlen (stem);

      if (strncmp (entry, stem, length) != 0 || strchr ("-.", entry[length]) == NULL)
        continue;
      if (found != NULL)
        {
          g_autofree char *a = g_filename_display_name (found), *b = g_filename_display_name (entry);

          g_set_error (error, LS_ERROR, LS_ERROR_DATA,
                       _("Both “%s” and “%s” could be the data set’s %s; keep one of them in the folder."),
                       a, b, stem);
          return NULL;
        }
      found = entry;
    }
  return found != NULL ? g_build_filename (folder, found, NULL) : NULL;
}

/* As find_file(), with a second stem to try; not finding either is an error that names both. */
static char *
need_file (const char *folder, GPtrArray *entries, const char *stem, const char *other, GError **error)
{
  g_autoptr (GError) local = NULL;
  g_autofree char *path = find_file (folder, entries, stem, &local);

  if (path == NULL && local == NULL && other != NULL)
    path = find_file (folder, entries, other, &local);
  if (local != NULL)
    g_propagate_error (error, g_steal_pointer (&local));
  else if (path == NULL)
    {
      g_autofree char *shown = g_filename_display_name (folder);
      const char *kind = g_str_has_suffix (stem, "images") ? "idx3" : "idx1";

      if (other != NULL)
        g_set_error (error, LS_ERROR, LS_ERROR_FILE,
                     _("The folder “%s” lacks the file %s-%s-ubyte (or %s-%s-ubyte), plain or as .gz."),
                     shown, stem, kind, other, kind);
      else
        g_set_error (error, LS_ERROR, LS_ERROR_FILE,
                     _("The folder “%s” lacks the file %s-%s-ubyte, plain or as .gz."), shown, stem, kind);
    }
  return g_steal_pointer (&path);
}

/* All but the images, which are large: number and shape are in the header. */
static gboolean
begin_set (const char *images, const char *labels, LsDataset *set, GError **error)
{
  gint64 n_labels;

  if (!ls_idx_look_images (images, &set->n, set->shape, error)
      || !ls_idx_read_labels (labels, &n_labels, &set->labels, error))
    return FALSE;
  set->type = LS_SAMPLE_U8;
  set->sample_size = set->shape[0] * set->shape[1] * set->shape[2];
  if (n_labels != set->n)
    {
      g_autofree char *a = ls_file_display_name (images), *b = ls_file_display_name (labels);

      g_set_error (
        error, LS_ERROR, LS_ERROR_DATA,
        _("“%s” holds %" PRId64 " images, but “%s” %" PRId64 " labels; the two must belong together."), a,
        set->n, b, n_labels);
      return FALSE;
    }
  return TRUE;
}

static gboolean
end_set (const char *images, LsDataset *set, GError **error)
{
  guint8 *samples;
  gint64 n, shape[3];

  if (!ls_idx_read_images (images, &n, shape, &samples, error))
    return FALSE;
  set->samples = samples;
  if (n != set->n || memcmp (shape, set->shape, sizeof shape) != 0)
    {
      g_autofree char *name = ls_file_display_name (images);

      g_set_error (error, LS_ERROR, LS_ERROR_FILE, _("“%s” changed while it was read; try again."), name);
      return FALSE;
    }
  return TRUE;
}

/* Classes are counted from the training labels; what is there to learn needs two of them. */
static gboolean
count_classes (LsData *data, const char *train_labels, const char *test_labels, GError **error)
{
  const gint32 *labels = data->train.labels;
  gint32 low = labels[0], high = labels[0];

  for (gint64 i = 1; i < data->train.n; i++)
    {
      low = MIN (low, labels[i]);
      high = MAX (high, labels[i]);
    }
  if (low == high)
    {
      g_autofree char *name = ls_file_display_name (train_labels);

      g_set_error (error, LS_ERROR, LS_ERROR_DATA,
                   _("“%s” knows one class only: every label is %d; there is nothing to tell apart."), name,
                   low);
      return FALSE;
    }
  data->n_classes = high + 1;
  for (gint64 i = 0; i < data->test.n; i++)
    if (data->test.labels[i] > high)
      {
        g_autofree char *name = ls_file_display_name (test_labels);

        g_set_error (
          error, LS_ERROR, LS_ERROR_DATA,
          _("“%s”: label %d of sample %" PRId64 " is out of range; the training labels go from 0 to %d."),
          name, data->test.labels[i], i, high);
        return FALSE;
      }
  return TRUE;
}

static GPtrArray *
list_folder (const char *folder, GError **error)
{
  g_autoptr (GPtrArray) entries = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GError) local = NULL;
  g_autoptr (GDir) dir = g_dir_open (folder, 0, &local);
  const char *entry;

  if (dir == NULL)
    {
      g_set_error (error, LS_ERROR, LS_ERROR_FILE, _("The data folder can’t be opened: %s."),
                   local->message);
      return NULL;
    }
  while ((entry = g_dir_read_name (dir)) != NULL)
    g_ptr_array_add (entries, g_strdup (entry));
  return g_steal_pointer (&entries);
}

static gboolean
load_folder (LsData *data, const char *folder, GError **error)
{
  g_autofree char *train_images = NULL, *train_labels = NULL, *test_images = NULL, *test_labels = NULL;
  g_autoptr (GPtrArray) entries = list_folder (folder, error);

  if (entries == NULL || (train_images = need_file (folder, entries, "train-images", NULL, error)) == NULL
      || (train_labels = need_file (folder, entries, "train-labels", NULL, error)) == NULL
      || (test_images = need_file (folder, entries, "t10k-images", "test-images", error)) == NULL
      || (test_labels = need_file (folder, entries, "t10k-labels", "test-labels", error)) == NULL
      || !begin_set (train_images, train_labels, &data->train, error)
      || !begin_set (test_images, test_labels, &data->test, error))
    return FALSE;
  if (memcmp (data->train.shape, data->test.shape, sizeof data->train.shape) != 0)
    {
      const gint64 *a = data->train.shape, *b = data->test.shape;

      g_set_error (error, LS_ERROR, LS_ERROR_DATA,
                   _("The training images are %" PRId64 "×%" PRId64 "×%" PRId64 ", the test images %" PRId64
                      "×%" PRId64 "×%" PRId64 " (channels, height, width); they must be alike."),
                   a[0], a[1], a[2], b[0], b[1], b[2]);
      return FALSE;
    }
  if (data->test.n > LS_EVALUATION_MAX_SAMPLES)
    {
      g_set_error (error, LS_ERROR, LS_ERROR_DATA,
                   _("The answers to %lld test samples can’t be kept; use a smaller test set."),
                   (long long) data->test.n);
      return FALSE;
    }
  return count_classes (data, train_labels, test_labels, error) && end_set (train_images, &data->train, error)
         && end_set (test_images, &data->test, error);
}

static const LsToy *
find_toy (const char *name)
{
  guint n;
  const LsToy *toys = ls_toys (&n);

  for (guint i = 0; i < n; i++)
    if (strcmp (toys[i].name, name) == 0)
      return &toys[i];
  return NULL;
}

LsData *
ls_data_load (const char *what, guint64 seed, GError **error)
{
  g_autoptr (LsData) data = g_new0 (LsData, 1);
  const LsToy *toy = find_toy (what);
  g_autofree char *folder = NULL;
  gboolean shipped = strcmp (what, "mnist") == 0;

  data->ref_count = 1;
  if (toy != NULL)
    {
      data->name = g_strdup (toy->name);
      data->n_classes = toy->n_classes;
      ls_toy_make (toy, seed, &data->train, &data->test);
      return g_steal_pointer (&data);
    }
  folder = shipped ? ls_data_dir_find ("datasets/mnist") : g_strdup (what);
  if (folder == NULL)
    {
      g_set_error_literal (
        error, LS_ERROR, LS_ERROR_FILE,
        _("The shipped MNIST files aren’t where they were installed; set LOCKSTEP_DATA_DIR to the "
           "folder that holds datasets/mnist."));
      return NULL;
    }
  if (!g_file_test (folder, G_FILE_TEST_IS_DIR))
    {
      g_autofree char *shown = g_filename_display_name (what);
      g_autofree char *known = g_strjoinv (", ", (char **) ls_data_names ());

      g_set_error (error, LS_ERROR, LS_ERROR_USAGE,
                   _("There is no data set and no folder “%s”; the data sets are %s, and a folder holds "
                      "four IDX files."),
                   shown, known);
      return NULL;
    }
  data->name = shipped ? g_strdup (what) : ls_file_display_name (folder);
  if (!load_folder (data, folder, error))
    return NULL;
  return g_steal_pointer (&data);
}
