/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reading images class by class; see images.h.
 */
#include "config.h"
#include "data/images.h"

#include <string.h>
#include <unistd.h>
#include <glib/gi18n-lib.h>

#include "core/error.h"
#include "core/file.h"
#include "data/prepare.h"

#define USUAL_EDGE 64 /* where no size is asked for, larger images are made that small */

gboolean
ls_images_is_picture (const char *folder, const char *name)
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

void
ls_images_note_size (LsImages *reading, const LsPicture *picture)
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
gboolean
ls_images_to_colour (LsDataset *set, gint64 n, gint64 room, const char *name, GError **error)
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

static gboolean
into_memory (LsImages *reading, const LsPicture *picture, LsDataset *set, gint64 at, gint32 label,
             GError **error)
{
  if (set->samples == NULL)
    {
      set->shape[0] = 1;
      set->shape[1] = reading->height;
      set->shape[2] = reading->width;
      set->type = LS_SAMPLE_U8;
      if (!ls_data_make_room (set, set->n, reading->data->name, error))
        return FALSE;
    }
  if (picture->colour && set->shape[0] == 1
      && !ls_images_to_colour (set, at, set->n, reading->data->name, error))
    return FALSE;
  memcpy (ls_dataset_sample (set, at), reading->planes, (gsize) set->sample_size);
  set->labels[at] = label;
  return TRUE;
}

static gboolean
into_file (LsImages *reading, const LsPicture *picture, gint32 label, GError **error)
{
  LsSampleFile *file = reading->file;

  return (file->fd >= 0
          || ls_sample_file_begin (file, picture->colour ? 3 : 1, (gint64) reading->width * reading->height,
                                   error))
         && (!picture->colour || file->channels == 3 || ls_sample_file_widen (file, error))
         && ls_sample_file_add (file, reading->planes, label, error);
}

/* The set has room for as many as its n says; at: how many there are. */
static gboolean
take_picture (LsImages *reading, LsDataset *set, gint64 at, gint32 label, const char *path, const char *name,
              GError **error)
{
  g_auto (LsPicture) picture = { 0 };

  if (!ls_picture_read (&picture, path, name, error))
    return FALSE;
  ls_images_note_size (reading, &picture);
  if (reading->planes == NULL)
    reading->planes = g_malloc ((gsize) reading->width * (gsize) reading->height * 3);
  ls_picture_average (&picture, reading->width, reading->height, reading->planes);
  if (reading->file != NULL ? !into_file (reading, &picture, label, error)
                            : !into_memory (reading, &picture, set, at, label, error))
    return FALSE;
  if (reading->n++ % 64 == 0)
    ls_data_progress (reading->request, (double) reading->n / (double) reading->total);
  return TRUE;
}

static gboolean
take_class (LsImages *reading, LsDataset *set, gint64 *at, const char *folder, const GPtrArray *files,
            gint32 label, GError **error)
{
  g_autofree char *class = ls_file_display_name (folder);

  for (guint i = 0; i < files->len; i++)
    {
      const char *file = g_ptr_array_index (files, i);
      g_autofree char *path = g_build_filename (folder, file, NULL), *shown = g_filename_display_name (file);
      g_autofree char *name = g_strdup_printf ("%s/%s", class, shown);

      if (!ls_images_is_picture (folder, file))
        {
          if (reading->n_strangers++ == 0)
            reading->stranger = g_steal_pointer (&name);
          continue;
        }
      if (!take_picture (reading, set, *at, label, path, name, error))
        return FALSE;
      ++*at;
    }
  return TRUE;
}

void
ls_images_add_class (LsData *data, const char *name)
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
      ls_images_add_class (data, name);
      return data->n_classes - 1;
    }
  for (gint32 c = 0; c < data->n_classes; c++)
    if (strcmp (data->class_names[c], shown) == 0)
      return c;
  return -1;
}

static gboolean
read_set (LsImages *reading, const char *folder, const GArray *classes, LsDataset *set, gboolean test,
          GError **error)
{
  gint64 at = 0;

  set->n = 0;
  for (guint i = 0; i < classes->len; i++)
    set->n += g_array_index (classes, LsImagesClass, i).files->len;
  for (guint i = 0; i < classes->len; i++)
    {
      const LsImagesClass *class = &g_array_index (classes, LsImagesClass, i);
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
      g_ptr_array_add (reading->bare, g_steal_pointer (&reading->data->class_names[label]));
      reading->data->n_classes--;
    }
  set->n = at;
  return TRUE;
}

gboolean
ls_images_read (LsImages *reading, const LsImagesListing *listing, GError **error)
{
  LsData *data = reading->data;

  if (!read_set (reading, listing->path[0], listing->classes[0], &data->train, FALSE, error))
    return FALSE;
  if (reading->file != NULL)
    reading->file->n_train = reading->file->n;
  return listing->classes[1] == NULL
         || read_set (reading, listing->path[1], listing->classes[1], &data->test, TRUE, error);
}
