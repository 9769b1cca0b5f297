/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A folder of images: one folder in it for each class, or two, train and test, that hold those. All images
 * are brought to one size; as long as all are grey they have one channel.
 */
#include "config.h"

#include <string.h>
#include <glib/gi18n-lib.h>

#include "core/error.h"
#include "core/file.h"
#include "data/images.h"
#include "data/prepare.h"

#define LOOKED_AT 16 /* files in each of as many folders, to see whether there are images */

static void
reading_clear (LsImages *reading)
{
  g_free (reading->stranger);
  g_free (reading->planes);
  g_clear_pointer (&reading->bare, g_ptr_array_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (LsImages, reading_clear)

/* ---- telling ---- */

/* Among its first files, or those of its first folders, to that depth. */
static gboolean
has_pictures (const char *folder, const GPtrArray *entries, guint depth)
{
  for (guint i = 0; i < MIN (entries->len, LOOKED_AT); i++)
    {
      g_autofree char *path = g_build_filename (folder, g_ptr_array_index (entries, i), NULL);
      g_autoptr (GPtrArray) inner = depth > 0 && g_file_test (path, G_FILE_TEST_IS_DIR)
                                      ? ls_data_list_folder (path, LS_DATA_MAX_FILES, NULL)
                                      : NULL;

      if (inner != NULL ? has_pictures (path, inner, depth - 1)
                        : ls_images_is_picture (folder, g_ptr_array_index (entries, i)))
        return TRUE;
    }
  return FALSE;
}

static gboolean
recognises (const LsDataSource *source)
{
  return source->entries != NULL ? has_pictures (source->path, source->entries, 2)
                                 : ls_picture_is (source->head, source->head_bytes);
}

/* ---- size ---- */

static gboolean
read_size (LsImages *reading, GError **error)
{
  g_auto (GStrv) words = g_strsplit (reading->request->size, "x", -1);
  guint64 width = 0, height = 0;

  if (*reading->request->size == '\0')
    return TRUE;
  if (g_strv_length (words) != 2
      || !g_ascii_string_to_unsigned (words[0], 10, 1, LS_DATA_MAX_EDGE, &width, NULL)
      || !g_ascii_string_to_unsigned (words[1], 10, 1, LS_DATA_MAX_EDGE, &height, NULL))
    {
      g_set_error (error, LS_ERROR, LS_ERROR_USAGE,
                   _("--size takes a width and a height from 1 to %d, such as 28x28, not “%s”."),
                   LS_DATA_MAX_EDGE, reading->request->size);
      return FALSE;
    }
  reading->width = (gint) width;
  reading->height = (gint) height;
  return TRUE;
}

/* ---- classes ---- */

/* Numbers by their size, before names. */
static gint
compare_classes (gconstpointer a, gconstpointer b)
{
  const char *x = *(const char *const *) a, *y = *(const char *const *) b;
  guint64 m = 0, n = 0;
  const gboolean is_number = g_ascii_string_to_unsigned (x, 10, 0, G_MAXUINT64, &m, NULL),
                 other_is = g_ascii_string_to_unsigned (y, 10, 0, G_MAXUINT64, &n, NULL);

  if (is_number != other_is)
    return is_number ? -1 : 1;
  return is_number && m != n ? (m < n ? -1 : 1) : strcmp (x, y);
}

static void
class_clear (LsImagesClass *class)
{
  g_free (class->name);
  g_ptr_array_unref (class->files);
}

/* The folders in it that aren't empty; their files are counted in total. (transfer full) */
static GArray *
list_classes (LsImages *reading, const char *folder, const GPtrArray *entries, GError **error)
{
  g_autoptr (GArray) classes = g_array_new (FALSE, FALSE, sizeof (LsImagesClass));

  g_array_set_clear_func (classes, (GDestroyNotify) class_clear);
  for (guint i = 0; i < entries->len; i++)
    {
      const char *name = g_ptr_array_index (entries, i);
      g_autofree char *path = g_build_filename (folder, name, NULL);
      LsImagesClass class;

      if (!g_file_test (path, G_FILE_TEST_IS_DIR))
        continue;
      class.files = ls_data_list_folder (path, LS_DATA_MAX_FILES, error);
      if (class.files == NULL)
        return NULL;
      class.name = g_strdup (name);
      reading->total += class.files->len;
      g_array_append_val (classes, class);
      if (class.files->len == 0)
        {
          g_autofree char *shown = g_filename_display_name (name);

          g_array_set_size (classes, classes->len - 1);
          ls_data_note (reading->data, _("Folder “%s” is empty and left out."), shown);
        }
      if (classes->len > LS_DATA_MAX_CLASSES)
        {
          g_set_error (error, LS_ERROR, LS_ERROR_DATA,
                       _("“%s” has more than %d folders, each of which is a class."), reading->data->name,
                       LS_DATA_MAX_CLASSES);
          return NULL;
        }
    }
  g_array_sort (classes, compare_classes);
  return g_steal_pointer (&classes);
}

/* ---- the whole ---- */

/* What is in that folder of the folder, if it is one with folders in it. (transfer full) */
static GPtrArray *
list_part (const LsDataSource *source, const char *part, char **path)
{
  g_autoptr (GPtrArray) entries = NULL;

  *path = g_build_filename (source->path, part, NULL);
  if (!g_file_test (*path, G_FILE_TEST_IS_DIR)
      || (entries = ls_data_list_folder (*path, LS_DATA_MAX_FILES, NULL)) == NULL)
    return NULL;
  for (guint i = 0; i < entries->len; i++)
    {
      g_autofree char *inner = g_build_filename (*path, g_ptr_array_index (entries, i), NULL);

      if (g_file_test (inner, G_FILE_TEST_IS_DIR))
        return g_steal_pointer (&entries);
    }
  return NULL;
}

static void
tell (const LsImages *reading)
{
  for (guint i = 0; i < reading->bare->len; i++)
    ls_data_note (reading->data, _("Folder “%s” has no images and is left out."),
                  (const char *) reading->bare->pdata[i]);
  if (reading->n_strangers > 0)
    ls_data_note (reading->data,
                  ngettext ("%u file is no PNG, JPEG or BMP image and left out: “%s”.",
                            "%u files are no PNG, JPEG or BMP images and left out, the first is “%s”.",
                            reading->n_strangers),
                  reading->n_strangers, reading->stranger);
  if (reading->n_other_sizes > 0)
    ls_data_note (
      reading->data,
      ngettext ("%u of %lld images is of another size than the first one’s %d×%d; all are %d×%d now.",
                "%u of %lld images are of another size than the first one’s %d×%d; all are %d×%d now.",
                reading->n_other_sizes),
      reading->n_other_sizes, (long long) reading->n, reading->first_width, reading->first_height,
      reading->width, reading->height);
  else if (reading->width != reading->first_width || reading->height != reading->first_height)
    ls_data_note (reading->data, _("All images are %d×%d pixels, averaged to %d×%d."), reading->first_width,
                  reading->first_height, reading->width, reading->height);
}

static gboolean
refuse_alone (const LsDataSource *source, GError **error)
{
  g_set_error (
    error, LS_ERROR, LS_ERROR_DATA,
    source->entries == NULL
      ? _("“%s” is a single image; name the folder that has one folder of images for each class.")
      : _("“%s” has images, but no folders with images in them; there must be one for each class."),
    source->name);
  return FALSE;
}

static void
listing_clear (LsImagesListing *listing)
{
  for (guint i = 0; i < 2; i++)
    {
      g_free (listing->path[i]);
      g_clear_pointer (&listing->classes[i], g_array_unref);
    }
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (LsImagesListing, listing_clear)

static gboolean
list (LsImages *reading, const LsDataSource *source, LsImagesListing *listing, GError **error)
{
  g_autofree char *train_path = NULL, *test_path = NULL;
  g_autoptr (GPtrArray) train = list_part (source, "train", &train_path),
                        test = list_part (source, "test", &test_path);

  listing->path[0] = train != NULL ? g_steal_pointer (&train_path) : g_strdup (source->path);
  listing->classes[0] = list_classes (reading, listing->path[0], train != NULL ? train : source->entries,
                                      error);
  if (listing->classes[0] == NULL || train == NULL || test == NULL)
    return listing->classes[0] != NULL;
  listing->path[1] = g_steal_pointer (&test_path);
  listing->classes[1] = list_classes (reading, listing->path[1], test, error);
  return listing->classes[1] != NULL;
}

static gboolean
load (const LsDataSource *source, const LsDataRequest *request, LsData *data, GError **error)
{
  g_auto (LsImages) reading = { .request = request, .data = data };
  g_auto (LsImagesListing) listing = { 0 };

  if (source->entries == NULL)
    return refuse_alone (source, error);
  if (!ls_picture_can ())
    {
      g_set_error (
        error, LS_ERROR, LS_ERROR_DATA,
        _("“%s” holds images, and this Lockstep was built without gdk-pixbuf, which decodes them."),
        source->name);
      return FALSE;
    }
  reading.bare = g_ptr_array_new_with_free_func (g_free);
  if (!read_size (&reading, error) || !list (&reading, source, &listing, error)
      || (ls_images_are_many (&reading, &listing) ? !ls_images_by_file (&reading, source, &listing, error)
                                                  : !ls_images_read (&reading, &listing, error)))
    return FALSE;
  reading.file = NULL;
  if (reading.n == 0)
    return refuse_alone (source, error);
  /* the parts have as many channels */
  if (data->test.n > 0 && data->train.shape[0] != data->test.shape[0])
    {
      LsDataset *grey = data->train.shape[0] == 1 ? &data->train : &data->test;

      if (!ls_images_to_colour (grey, grey->n, grey->n, source->name, error))
        return FALSE;
    }
  if (!ls_data_finish (data, request, source->name, error))
    return FALSE;
  tell (&reading);
  return TRUE;
}

const LsDataLoader ls_loader_images = {
  .title = N_("a folder of images for each class"),
  .recognises = recognises,
  .load = load,
  .defaults = { "mlp", .lr = 0.05, .adam_lr = 0.001, .batch = "32", .watch_epochs = 10, .watch_s = 100 },
};
