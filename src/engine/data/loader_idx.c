/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Four IDX files in a folder, and what makes them one data set: as many labels as images, training and test
 * of one shape, labels below the number of classes, at least two classes.
 */
#include "config.h"

#include <inttypes.h>
#include <string.h>
#include <glib/gi18n-lib.h>

#include "core/error.h"
#include "core/file.h"
#include "data/idx.h"
#include "data/prepare.h"

static const char *const stems[] = { "train-images", "train-labels", "t10k-images",
                                     "t10k-labels",  "test-images",  "test-labels" };

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

      g_set_error (error, LS_ERROR, LS_ERROR_DATA,
                   set->n == 1 ? _("“%s” holds %" PRId64 " image, but “%s” %" PRId64
                                    " labels; the two must belong together.")
                               : ngettext ("“%s” holds %" PRId64 " images, but “%s” %" PRId64
                                           " label; the two must belong together.",
                                           "“%s” holds %" PRId64 " images, but “%s” %" PRId64
                                           " labels; the two must belong together.",
                                           (gulong) n_labels),
                   a, set->n, b, n_labels);
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

static gboolean
load_folder (LsData *data, const LsDataSource *source, const LsDataRequest *request, GError **error)
{
  const char *folder = source->path;
  GPtrArray *entries = source->entries;
  g_autofree char *train_images = NULL, *train_labels = NULL, *test_images = NULL, *test_labels = NULL;

  if ((train_images = need_file (folder, entries, "train-images", NULL, error)) == NULL
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
  for (gint64 i = 0; i < data->train.n; i++)
    data->n_classes = MAX (data->n_classes, data->train.labels[i] + 1);
  for (gint64 i = 0; i < data->test.n; i++)
    data->n_classes = MAX (data->n_classes, data->test.labels[i] + 1);
  return ls_data_finish (data, request, source->name, error) && end_set (train_images, &data->train, error)
         && end_set (test_images, &data->test, error);
}

/* The files go by their names, since the four look alike; a single one by its first bytes. */
static gboolean
recognises (const LsDataSource *source)
{
  const guint8 *head = source->head;

  if (source->entries == NULL)
    return source->head_bytes >= 4 && head[0] == 0 && head[1] == 0 && (head[2] == 0x08 || head[2] == 0x0c)
           && head[3] >= 1 && head[3] <= 4;
  for (guint i = 0; i < source->entries->len; i++)
    for (gsize s = 0; s < G_N_ELEMENTS (stems); s++)
      {
        const char *entry = g_ptr_array_index (source->entries, i);
        const gsize length = strlen (stems[s]);

        if (strncmp (entry, stems[s], length) == 0 && strchr ("-.", entry[length]) != NULL)
          return TRUE;
      }
  return FALSE;
}

static gboolean
load (const LsDataSource *source, const LsDataRequest *request, LsData *data, GError **error)
{
  if (source->entries == NULL)
    {
      g_set_error (error, LS_ERROR, LS_ERROR_DATA,
                   _("“%s” is one of a data set’s four IDX files; name the folder that holds them all."),
                   source->name);
      return FALSE;
    }
  return load_folder (data, source, request, error);
}

const LsDataLoader ls_loader_idx = {
  .title = N_("four IDX files"),
  .recognises = recognises,
  .load = load,
  .defaults = { "mlp", .lr = 0.05, .adam_lr = 0.001, .watch_epochs = 10, .watch_s = 100 },
};
