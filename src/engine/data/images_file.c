/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Images that memory has no room for: decoded once, into a cache file; see images.h and sample_file.h.
 */
#include "config.h"
#include "data/images.h"

#include <string.h>
#include <sys/stat.h>
#include <glib/gi18n-lib.h>

#include "core/error.h"
#include "core/file.h"
#include "data/prepare.h"
#include "files/json.h"

static gint64
bytes_of (const LsDataset *like)
{
  return like->shape[0] * like->shape[1] * like->shape[2];
}

/* By the first image, as if all became as large as that one does. */
gboolean
ls_images_are_many (LsImages *reading, const LsImagesListing *listing)
{
  LsImages tried = *reading;

  for (guint c = 0; c < listing->classes[0]->len; c++)
    {
      const LsImagesClass *class = &g_array_index (listing->classes[0], LsImagesClass, c);
      g_autofree char *folder = g_build_filename (listing->path[0], class->name, NULL);

      for (guint i = 0; i < class->files->len; i++)
        if (ls_images_is_picture (folder, class->files->pdata[i]))
          {
            g_autofree char *path = g_build_filename (folder, class->files->pdata[i], NULL);
            g_auto (LsPicture) picture = { 0 };

            if (!ls_picture_read (&picture, path, class->name, NULL))
              return FALSE; /* what is wrong is told where it is read */
            ls_images_note_size (&tried, &picture);
            reading->like = (LsDataset){ .shape = { picture.colour ? 3 : 1, tried.height, tried.width },
                                         .type = LS_SAMPLE_U8 };
            return reading->total * bytes_of (&reading->like) > ls_data_memory ();
          }
    }
  return FALSE;
}

static gint64
count_pictures (const LsImagesListing *listing, guint set)
{
  gint64 n = 0;

  for (guint c = 0; listing->classes[set] != NULL && c < listing->classes[set]->len; c++)
    {
      const LsImagesClass *class = &g_array_index (listing->classes[set], LsImagesClass, c);
      g_autofree char *folder = g_build_filename (listing->path[set], class->name, NULL);

      for (guint i = 0; i < class->files->len; i++)
        n += ls_images_is_picture (folder, class->files->pdata[i]);
    }
  return n;
}

/* Were all like the first one: what is too much is refused before hours of decoding. The samples to test with
 * are held in memory. */
static gboolean
may_be_read (const LsImages *reading, const LsImagesListing *listing, GError **error)
{
  const gint64 bytes = bytes_of (&reading->like);
  gint64 train, test;

  if (reading->total <= LS_DATA_MAX_BYTES / bytes)
    return TRUE;
  train = count_pictures (listing, 0);
  test = listing->classes[1] != NULL ? count_pictures (listing, 1)
                                     : (gint64) (reading->request->test_share * (double) train);
  return ls_data_may (&reading->like, test, reading->data->name, error)
         && ls_sample_file_may (reading->file, train + (listing->classes[1] != NULL ? test : 0), bytes,
                                error);
}

/* Names, lengths and times of all files. */
static char *
fingerprint_of (const LsImagesListing *listing)
{
  g_autoptr (GChecksum) sum = g_checksum_new (G_CHECKSUM_SHA256);

  for (guint s = 0; s < 2 && listing->classes[s] != NULL; s++)
    for (guint c = 0; c < listing->classes[s]->len; c++)
      {
        const LsImagesClass *class = &g_array_index (listing->classes[s], LsImagesClass, c);

        for (guint i = 0; i < class->files->len; i++)
          {
            g_autofree char *path = g_build_filename (listing->path[s], class->name, class->files->pdata[i],
                                                      NULL),
                            *line = NULL;
            struct stat info = { 0 };

            stat (path, &info);
            line = g_strdup_printf ("%s\n%lld %lld.%09ld\n", path, (long long) info.st_size,
                                    (long long) info.st_mtim.tv_sec, info.st_mtim.tv_nsec);
            g_checksum_update (sum, (const guchar *) line, (gssize) strlen (line) + 1);
          }
      }
  return g_strdup (g_checksum_get_string (sum));
}

static json_t *
put_facts (const LsImages *reading)
{
  json_t *text = json_object (), *classes = ls_json_array (text, "classes"),
         *bare = ls_json_array (text, "bare");

  for (gint c = 0; c < reading->data->n_classes; c++)
    ls_json_text (classes, NULL, reading->data->class_names[c]);
  for (guint i = 0; i < reading->bare->len; i++)
    ls_json_text (bare, NULL, reading->bare->pdata[i]);
  ls_json_whole (text, "width", reading->width);
  ls_json_whole (text, "height", reading->height);
  ls_json_whole (text, "first-width", reading->first_width);
  ls_json_whole (text, "first-height", reading->first_height);
  ls_json_whole (text, "others", reading->n_other_sizes);
  ls_json_whole (text, "strangers", reading->n_strangers);
  ls_json_text (text, "stranger", reading->stranger != NULL ? reading->stranger : "");
  return text;
}

/* What reading the images would have found; FALSE: it isn't all there. */
static gboolean
take_facts (LsImages *reading, const json_t *text)
{
  const json_t *classes = ls_json_get_array (text, "classes", 1, LS_DATA_MAX_CLASSES, NULL),
               *bare = ls_json_get_array (text, "bare", 0, LS_DATA_MAX_CLASSES, NULL);
  const char *stranger = ls_json_get_string (text, "stranger", NULL);
  gint64 facts[6];
  static const char *const names[]
    = { "width", "height", "first-width", "first-height", "others", "strangers" };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    if (!ls_json_get_int (text, names[i], 0, G_MAXINT32, &facts[i], NULL))
      return FALSE;
  if (classes == NULL || bare == NULL || stranger == NULL || facts[0] * facts[1] != reading->file->pixels)
    return FALSE;
  for (gint64 i = 0; i < reading->file->n; i++)
    if (reading->file->labels[i] < 0 || reading->file->labels[i] >= (gint32) json_array_size (classes))
      return FALSE;
  for (gsize i = 0; i < json_array_size (classes); i++)
    if (!json_is_string (json_array_get (classes, i)))
      return FALSE;
  for (gsize i = 0; i < json_array_size (classes); i++)
    ls_images_add_class (reading->data, json_string_value (json_array_get (classes, i)));
  for (gsize i = 0; i < json_array_size (bare); i++)
    if (json_is_string (json_array_get (bare, i)))
      g_ptr_array_add (reading->bare, g_strdup (json_string_value (json_array_get (bare, i))));
  reading->width = (gint) facts[0];
  reading->height = (gint) facts[1];
  reading->first_width = (gint) facts[2];
  reading->first_height = (gint) facts[3];
  reading->n_other_sizes = (guint) facts[4];
  reading->n_strangers = (guint) facts[5];
  reading->stranger = g_strdup (stranger);
  return TRUE;
}

gboolean
ls_images_by_file (LsImages *reading, const LsDataSource *source, const LsImagesListing *listing,
                   GError **error)
{
  g_autofree char *whole = g_canonicalize_filename (source->path, NULL),
                  *id = g_strdup_printf ("%s\n%s", whole, reading->request->size),
                  *fingerprint = fingerprint_of (listing), *size = NULL, *shown = NULL;
  g_auto (LsSampleFile) file = { .fd = -1 };
  g_autoptr (json_t) text = NULL;

  ls_sample_file_init (&file, id, source->name);
  reading->file = &file;
  text = ls_sample_file_open (&file, fingerprint);
  if (text != NULL && take_facts (reading, text))
    reading->n = file.n;
  else
    {
      ls_sample_file_clear (&file);
      ls_sample_file_init (&file, id, source->name);
      if (!may_be_read (reading, listing, error) || !ls_images_read (reading, listing, error)
          || (reading->n > 0 && !ls_sample_file_end (&file, put_facts (reading), fingerprint, error)))
        return FALSE;
    }
  if (reading->n == 0)
    return TRUE;
  size = g_format_size ((guint64) file.n * (guint64) file.channels * (guint64) file.pixels);
  shown = g_filename_display_name (file.path);
  ls_data_note (
    reading->data,
    _("The samples don’t fit into memory: they are read while training from a cache file of %s, “%s”, "
       "which may be deleted at any time."),
    size, shown);
  return ls_sample_file_take (&file, reading->height, reading->width, reading->data, error);
}
