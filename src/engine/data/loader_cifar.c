/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * CIFAR-10 and CIFAR-100 as binary files (https://www.cs.toronto.edu/~kriz/cifar.html): records of one label,
 * or of a coarse and a fine one, and 32×32 pixels, all red, then all green, then all blue ones. A folder
 * holds several files to train with, one to test with, and a text with the classes' names; a single file is
 * data, too.
 */
#include "config.h"

#include <string.h>
#include <glib/gi18n-lib.h>

#include "core/error.h"
#include "core/file.h"
#include "data/prepare.h"
#include "files/input.h"

#define EDGE     32
#define PIXELS   (3 * EDGE * EDGE)
#define MAX_TEXT 65536 /* bytes of the classes' names */

typedef struct {
  guint n_labels; /* of a record, the last one is the class */
  gint n_classes, n_coarse;
  const char *names; /* the file with the classes' names */
} Kind;

static const Kind kinds[] = {
  { 1, 10, 0, "batches.meta.txt" },
  { 2, 100, 20, "fine_label_names.txt" },
};

static gint64
record_bytes (const Kind *kind)
{
  return PIXELS + kind->n_labels;
}

static gboolean
is_batch (const char *name)
{
  return g_str_has_suffix (name, ".bin")
         && (g_str_has_prefix (name, "data_batch") || g_str_has_prefix (name, "test_batch")
             || strcmp (name, "train.bin") == 0 || strcmp (name, "test.bin") == 0);
}

/* The file's first two records have labels of that kind. */
static gboolean
has_labels (const LsDataSource *source, const Kind *kind)
{
  if (source->file_bytes == 0 || source->file_bytes % record_bytes (kind) != 0)
    return FALSE;
  for (gsize at = 0; at + kind->n_labels <= source->head_bytes; at += (gsize) record_bytes (kind))
    if (source->head[at + kind->n_labels - 1] >= kind->n_classes
        || (kind->n_labels > 1 && source->head[at] >= kind->n_coarse))
      return FALSE;
  return TRUE;
}

static gboolean
recognises (const LsDataSource *source)
{
  for (guint i = 0; source->entries != NULL && i < source->entries->len; i++)
    if (is_batch (g_ptr_array_index (source->entries, i)))
      return TRUE;
  for (gsize k = 0; source->entries == NULL && k < G_N_ELEMENTS (kinds); k++)
    if (has_labels (source, &kinds[k]))
      return TRUE;
  return FALSE;
}

/* ---- a file ---- */

static gboolean
check_labels (const Kind *kind, const guint8 *labels, const char *name, gint64 record, GError **error)
{
  const gint most[] = { kind->n_labels > 1 ? kind->n_coarse : kind->n_classes, kind->n_classes };

  for (guint i = 0; i < kind->n_labels; i++)
    if (labels[i] >= most[i])
      {
        g_set_error (error, LS_ERROR, LS_ERROR_DATA,
                     _("“%s”: label %d of image %lld is out of range; labels go from 0 to %d."), name,
                     labels[i], (long long) record, most[i] - 1);
        return FALSE;
      }
  return TRUE;
}

typedef struct {
  const Kind *kind;
  const LsDataRequest *request;
  gint64 n, total; /* records, of all sets: read so far, to read */
} Reading;

/* Its records go behind the first *at samples of the set. */
static gboolean
read_file (Reading *reading, const char *path, LsDataset *set, gint64 *at, GError **error)
{
  const Kind *kind = reading->kind;
  g_autofree char *name = ls_file_display_name (path);
  g_autoptr (LsInput) input = ls_input_open (path, error);
  gint64 n;

  if (input == NULL)
    return FALSE;
  n = ls_input_size (input) / record_bytes (kind);
  for (gint64 i = 0; i < n && *at < set->n; i++, (*at)++)
    {
      guint8 labels[2];

      if (ls_input_read (input, labels, kind->n_labels, error) != (gssize) kind->n_labels
          || ls_input_read (input, ls_dataset_sample (set, *at), PIXELS, error) != PIXELS)
        {
          if (error != NULL && *error == NULL)
            g_set_error (error, LS_ERROR, LS_ERROR_FILE, _("“%s” changed while it was read; try again."),
                         name);
          return FALSE;
        }
      if (!check_labels (kind, labels, name, i, error))
        return FALSE;
      set->labels[*at] = labels[kind->n_labels - 1];
      if (reading->n++ % 1024 == 0)
        ls_data_progress (reading->request, (double) reading->n / (double) reading->total);
    }
  return TRUE;
}

/* ---- all files of a set ---- */

static gint64
refuse_size (const char *path, gint64 size, GError **error)
{
  g_autofree char *name = ls_file_display_name (path);

  g_set_error (
    error, LS_ERROR, LS_ERROR_DATA,
    ngettext ("“%s” is cut, or no batch of CIFAR like the others: its %lld byte is no whole number of "
              "images of 3073 bytes (CIFAR-10) or 3074 (CIFAR-100).",
              "“%s” is cut, or no batch of CIFAR like the others: its %lld bytes are no whole number of "
              "images of 3073 bytes (CIFAR-10) or 3074 (CIFAR-100).",
              (gulong) size),
    name, (long long) size);
  return -1;
}

/* −1: it can't be opened, or is compressed, and its size known to nobody. */
static gint64
size_of (const char *path, GError **error)
{
  g_autoptr (LsInput) input = ls_input_open (path, error);
  const gint64 size = input != NULL ? ls_input_size (input) : -1;

  if (input != NULL && size < 0)
    {
      g_autofree char *name = ls_file_display_name (path);

      g_set_error (error, LS_ERROR, LS_ERROR_DATA,
                   _("“%s” is compressed; unpack it, for batches of CIFAR are known by their length."),
                   name);
    }
  return size;
}

/* How many records the files hold; −1: one can't be opened, or is of no or another kind. */
static gint64
count_records (Reading *reading, const GPtrArray *paths, GError **error)
{
  const gint64 bytes = record_bytes (reading->kind);
  gint64 n = 0;

  for (guint i = 0; i < paths->len; i++)
    {
      const char *path = g_ptr_array_index (paths, i);
      const gint64 size = size_of (path, error);

      if (size < 0)
        return -1;
      if (size == 0 || size % bytes != 0)
        return refuse_size (path, size, error);
      n += size / bytes;
    }
  reading->total += n;
  return n;
}

/* By the first file's length; of a single file its labels have told. */
static const Kind *
kind_of (const LsDataSource *source, const char *first, GError **error)
{
  const gint64 size = size_of (first, error);

  if (size < 0)
    return NULL;
  for (gsize k = 0; k < G_N_ELEMENTS (kinds); k++)
    if (source->entries == NULL ? has_labels (source, &kinds[k])
                                : size > 0 && size % record_bytes (&kinds[k]) == 0)
      return &kinds[k];
  refuse_size (first, size, error);
  return NULL;
}

static gboolean
read_set (Reading *reading, const GPtrArray *paths, gint64 n, LsDataset *set, const char *name,
          GError **error)
{
  gint64 at = 0;

  if (n == 0)
    return TRUE;
  set->shape[0] = 3;
  set->shape[1] = set->shape[2] = EDGE;
  set->type = LS_SAMPLE_U8;
  if (!ls_data_make_room (set, n, name, error))
    return FALSE;
  for (guint i = 0; i < paths->len; i++)
    if (!read_file (reading, g_ptr_array_index (paths, i), set, &at, error))
      return FALSE;
  set->n = at;
  return TRUE;
}

/* A line for each class; where there are others, or no such file, the classes are numbers. */
static void
read_names (const Kind *kind, const LsDataSource *source, LsData *data)
{
  g_autofree char *path = g_build_filename (source->path, kind->names, NULL), *text = NULL;
  g_autoptr (GBytes) bytes = g_file_test (path, G_FILE_TEST_EXISTS) ? ls_file_read (path, MAX_TEXT, NULL)
                                                                    : NULL;
  g_auto (GStrv) lines = NULL;
  g_autoptr (GStrvBuilder) names = g_strv_builder_new ();

  if (source->entries == NULL || bytes == NULL)
    return;
  text = g_strndup (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes));
  lines = g_strsplit (text, "\n", -1);
  for (guint i = 0; lines[i] != NULL; i++)
    if (*g_strstrip (lines[i]) != '\0')
      {
        g_autofree char *name = ls_printable (g_strdup (lines[i]));
        g_strv_builder_add (names, name);
      }
  data->class_names = g_strv_builder_end (names);
  if ((gint) g_strv_length (data->class_names) == kind->n_classes)
    return;
  ls_data_note (data,
                ngettext ("“%s” has %u name for %d classes, so the classes are called by number.",
                          "“%s” has %u names for %d classes, so the classes are called by number.",
                          g_strv_length (data->class_names)),
                kind->names, g_strv_length (data->class_names), kind->n_classes);
  g_clear_pointer (&data->class_names, g_strfreev);
}

static gboolean
load (const LsDataSource *source, const LsDataRequest *request, LsData *data, GError **error)
{
  g_autoptr (GPtrArray) train = g_ptr_array_new_with_free_func (g_free),
                        test = g_ptr_array_new_with_free_func (g_free);
  Reading reading = { .request = request };
  const Kind *kind;
  gint64 n_train, n_test;

  if (source->entries == NULL)
    g_ptr_array_add (train, g_strdup (source->path));
  for (guint i = 0; source->entries != NULL && i < source->entries->len; i++)
    {
      const char *name = g_ptr_array_index (source->entries, i);

      if (is_batch (name))
        g_ptr_array_add (g_str_has_prefix (name, "test") ? test : train,
                         g_build_filename (source->path, name, NULL));
    }
  kind = kind_of (source, g_ptr_array_index (train->len > 0 ? train : test, 0), error);
  reading.kind = kind;
  if (kind == NULL || (n_train = count_records (&reading, train, error)) < 0
      || (n_test = count_records (&reading, test, error)) < 0)
    return FALSE;
  data->n_classes = kind->n_classes;
  read_names (kind, source, data);
  return read_set (&reading, train, n_train, &data->train, source->name, error)
         && read_set (&reading, test, n_test, &data->test, source->name, error)
         && ls_data_finish (data, request, source->name, error);
}

const LsDataLoader ls_loader_cifar = {
  .title = N_("CIFAR’s binary batches"),
  .recognises = recognises,
  .load = load,
  .defaults = { "cnn", .lr = 0.02, .adam_lr = 0.001, .watch_epochs = 10, .watch_s = 300 },
};
