/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A folder of images: one folder in it for each class, or two, train and test, that hold those. All images
 * are brought to one size; as long as all are grey they have one channel.
 */
#include "config.h"

#include <string.h>
#include <unistd.h>
#include <glib/gi18n-lib.h>

#include "core/error.h"
#include "core/file.h"
#include "data/picture.h"
#include "data/prepare.h"

#define LOOKED_AT  16 /* files in each of as many folders, to see whether there are images */
#define USUAL_EDGE 64 /* where no size is asked for, larger images are made that small */

typedef struct {
  const LsDataRequest *request;
  LsData *data;
  gint width, height;
  gint first_width, first_height; /* of the first image, as it was */
  guint n_other_sizes, n_strangers;
  char *stranger;  /* the first one's name */
  guint8 *planes;  /* room for an image of three channels */
  gint64 n, total; /* images, of all sets: read so far, to read */
} Reading;

static void
reading_clear (Reading *reading)
{
  g_free (reading->stranger);
  g_free (reading->planes);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Reading, reading_clear)

/* ---- telling ---- */

static gboolean
is_picture (const char *folder, const char *name)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);
  guint8 head[LS_PICTURE_MAGIC];
  gint64 size;
  gssize got;
  int fd;

  if (!g_file_test (path, G_FILE_TEST_IS_REGULAR) || (fd = ls_file_open (path, &size, NULL)) < 0)
    return FALSE;
  got = ls_file_fill (fd, head, sizeof head, name, NULL);
  close (fd);
  return got > 0 && ls_picture_is (head, (gsize) got);
}

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
                        : is_picture (folder, g_ptr_array_index (entries, i)))
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
read_size (Reading *reading, GError **error)
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

static void
note_size (Reading *reading, const LsPicture *picture)
{
  const gint longer = MAX (picture->width, picture->height);

  if (reading->n == 0)
    {
      reading->first_width = picture->width;
      reading->first_height = picture->height;
    }
  reading->n_other_sizes += picture->width != reading->first_width
                            || picture->height != reading->first_height;
  if (reading->width > 0)
    return;
  reading->width = longer <= USUAL_EDGE ? picture->width : MAX (1, picture->width * USUAL_EDGE / longer);
  reading->height = longer <= USUAL_EDGE ? picture->height : MAX (1, picture->height * USUAL_EDGE / longer);
}

/* ---- images ---- */

/* All of a set's samples so far get three channels alike. */
static gboolean
to_colour (LsDataset *set, gint64 n, gint64 room, const char *name, GError **error)
{
  const gsize pixels = (gsize) (set->shape[1] * set->shape[2]);
  LsDataset colour = *set;

  colour.shape[0] = 3;
  colour.samples = NULL;
  colour.labels = NULL;
  if (!ls_data_make_room (&colour, room, name, error))
    {
      g_free (colour.samples);
      g_free (colour.labels);
      return FALSE;
    }
  for (gint64 i = 0; i < n; i++)
    for (guint c = 0; c < 3; c++)
      memcpy ((guint8 *) ls_dataset_sample (&colour, i) + c * pixels, ls_dataset_sample (set, i), pixels);
  memcpy (colour.labels, set->labels, (gsize) n * sizeof *set->labels);
  g_free (set->samples);
  g_free (set->labels);
  *set = colour;
  return TRUE;
}

/* The set has room for as many as its n says; at: how many there are. */
static gboolean
take_picture (Reading *reading, LsDataset *set, gint64 at, const char *path, const char *name, GError **error)
{
  g_auto (LsPicture) picture = { 0 };

  if (!ls_picture_read (&picture, path, name, error))
    return FALSE;
  note_size (reading, &picture);
  if (set->samples == NULL)
    {
      set->shape[0] = 1;
      set->shape[1] = reading->height;
      set->shape[2] = reading->width;
      set->type = LS_SAMPLE_U8;
      if (!ls_data_make_room (set, set->n, reading->data->name, error))
        return FALSE;
    }
  if (reading->planes == NULL)
    reading->planes = g_malloc ((gsize) reading->width * (gsize) reading->height * 3);
  if (picture.colour && set->shape[0] == 1 && !to_colour (set, at, set->n, reading->data->name, error))
    return FALSE;
  ls_picture_average (&picture, reading->width, reading->height, reading->planes);
  memcpy (ls_dataset_sample (set, at), reading->planes, (gsize) set->sample_size);
  if (reading->n++ % 64 == 0)
    ls_data_progress (reading->request, (double) reading->n / (double) reading->total);
  return TRUE;
}

static gboolean
take_class (Reading *reading, LsDataset *set, gint64 *at, const char *folder, const GPtrArray *files,
            gint32 label, GError **error)
{
  g_autofree char *class = ls_file_display_name (folder);

  for (guint i = 0; i < files->len; i++)
    {
      const char *file = g_ptr_array_index (files, i);
      g_autofree char *path = g_build_filename (folder, file, NULL), *shown = g_filename_display_name (file);
      g_autofree char *name = g_strdup_printf ("%s/%s", class, shown);

      if (!is_picture (folder, file))
        {
          if (reading->n_strangers++ == 0)
            reading->stranger = g_steal_pointer (&name);
          continue;
        }
      if (!take_picture (reading, set, *at, path, name, error))
        return FALSE;
      set->labels[(*at)++] = label;
    }
  return TRUE;
}

/* ---- classes ---- */

/* Numbers by their size, before names. */
static gint
compare_classes (gconstpointer a, gconstpointer b)
{
  const char *x = *(const char *const *) a, *y = *(const char *const *) b;
  guint64 m, n;

  if (g_ascii_string_to_unsigned (x, 10, 0, G_MAXUINT64, &m, NULL)
      && g_ascii_string_to_unsigned (y, 10, 0, G_MAXUINT64, &n, NULL) && m != n)
    return m < n ? -1 : 1;
  return strcmp (x, y);
}

static void
add_class (LsData *data, const char *name)
{
  data->class_names = g_renew (char *, data->class_names, data->n_classes + 2);
  data->class_names[data->n_classes++] = ls_printable (g_filename_display_name (name));
  data->class_names[data->n_classes] = NULL;
}

/* The class of a folder of that name: of the training set a new one, of the test set one of those; −1: there
 * is none. */
static gint32
class_of (LsData *data, const char *name, gboolean test)
{
  g_autofree char *shown = ls_printable (g_filename_display_name (name));

  if (!test)
    {
      add_class (data, name);
      return data->n_classes - 1;
    }
  for (gint32 c = 0; c < data->n_classes; c++)
    if (strcmp (data->class_names[c], shown) == 0)
      return c;
  return -1;
}

typedef struct {
  char *name;
  GPtrArray *files;
} Class;

static void
class_clear (Class *class)
{
  g_free (class->name);
  g_ptr_array_unref (class->files);
}

/* The folders in it that aren't empty; their files are counted in total. (transfer full) */
static GArray *
list_classes (Reading *reading, const char *folder, const GPtrArray *entries, GError **error)
{
  g_autoptr (GArray) classes = g_array_new (FALSE, FALSE, sizeof (Class));

  g_array_set_clear_func (classes, (GDestroyNotify) class_clear);
  for (guint i = 0; i < entries->len; i++)
    {
      const char *name = g_ptr_array_index (entries, i);
      g_autofree char *path = g_build_filename (folder, name, NULL);
      Class class;

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

static gboolean
read_set (Reading *reading, const char *folder, const GArray *classes, LsDataset *set, gboolean test,
          GError **error)
{
  gint64 at = 0;

  set->n = 0;
  for (guint i = 0; i < classes->len; i++)
    set->n += g_array_index (classes, Class, i).files->len;
  for (guint i = 0; i < classes->len; i++)
    {
      const Class *class = &g_array_index (classes, Class, i);
      g_autofree char *path = g_build_filename (folder, class->name, NULL);
      const gint64 before = at;
      const gint32 label = class_of (reading->data, class->name, test);

      if (label < 0)
        {
          g_autofree char *shown = g_filename_display_name (class->name);

          g_set_error (error, LS_ERROR, LS_ERROR_DATA,
                       _("“%s”: the test set has a folder “%s”, and there is none to train with."),
                       reading->data->name, shown);
          return FALSE;
        }
      if (!take_class (reading, set, &at, path, class->files, label, error))
        return FALSE;
      if (at > before || test)
        continue;
      ls_data_note (reading->data, _("Folder “%s” has no images and is left out."),
                    reading->data->class_names[label]);
      g_clear_pointer (&reading->data->class_names[--reading->data->n_classes], g_free);
    }
  set->n = at;
  return TRUE;
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
tell (const Reading *reading)
{
  if (reading->n_strangers > 0)
    ls_data_note (reading->data,
                  ngettext ("%u file is no PNG, JPEG or BMP image and left out: “%s”.",
                            "%u files are no PNG, JPEG or BMP images and left out, the first is “%s”.",
                            reading->n_strangers),
                  reading->n_strangers, reading->stranger);
  if (reading->n_other_sizes > 0)
    ls_data_note (reading->data,
                  _("%u of %lld images are of another size than the first one’s %d×%d; all are %d×%d now."),
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

static gboolean
load (const LsDataSource *source, const LsDataRequest *request, LsData *data, GError **error)
{
  g_auto (Reading) reading = { .request = request, .data = data };
  g_autofree char *train_path = NULL, *test_path = NULL;
  g_autoptr (GArray) train_classes = NULL, test_classes = NULL;
  g_autoptr (GPtrArray) train = list_part (source, "train", &train_path),
                        test = list_part (source, "test", &test_path);

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
  if (train == NULL)
    {
      g_free (train_path);
      train_path = g_strdup (source->path);
    }
  if (!read_size (&reading, error))
    return FALSE;
  /* both are listed before either is read: how far it is counts all */
  train_classes = list_classes (&reading, train_path, train != NULL ? train : source->entries, error);
  if (train_classes != NULL && train != NULL && test != NULL
      && (test_classes = list_classes (&reading, test_path, test, error)) == NULL)
    return FALSE;
  if (train_classes == NULL || !read_set (&reading, train_path, train_classes, &data->train, FALSE, error)
      || (test_classes != NULL && !read_set (&reading, test_path, test_classes, &data->test, TRUE, error)))
    return FALSE;
  if (reading.n == 0)
    return refuse_alone (source, error);
  /* the parts have as many channels */
  if (data->test.n > 0 && data->train.shape[0] != data->test.shape[0])
    {
      LsDataset *grey = data->train.shape[0] == 1 ? &data->train : &data->test;

      if (!to_colour (grey, grey->n, grey->n, source->name, error))
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
