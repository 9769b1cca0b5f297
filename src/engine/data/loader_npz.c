/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * NumPy's arrays as data: an .npz as Keras ships MNIST and CIFAR, or a folder with the same arrays as .npy.
 * One sample for each index of the first dimension; images with their channels last are turned to channels
 * first. Bytes stay bytes, all else becomes 32-bit floats; rows of numbers are brought to one scale as a
 * table's are.
 */
#include "config.h"

#include <float.h>
#include <math.h>
#include <string.h>
#include <glib/gi18n-lib.h>

#include "core/error.h"
#include "data/npy.h"
#include "data/prepare.h"

#define CHUNK  8192 /* elements that are turned into numbers at once */
#define USUAL  16.0 /* images of larger floats are divided by the largest */
#define SUFFIX ".npy"

/* What the arrays are called: samples and labels to train with, and to test with. */
enum { X_TRAIN, Y_TRAIN, X_TEST, Y_TEST, N_ARRAYS };
static const char *const names[][N_ARRAYS] = {
  { "x_train", "y_train", "x_test", "y_test" },
  { "X_train", "y_train", "X_test", "y_test" },
  { "train_images", "train_labels", "test_images", "test_labels" },
  { "x", "y", NULL, NULL },
  { "X", "y", NULL, NULL },
  { "images", "labels", NULL, NULL },
  { "data", "labels", NULL, NULL },
  { "data", "target", NULL, NULL },
};

/* ---- where they are ---- */

typedef struct {
  const LsDataSource *source;
  LsZip *zip; /* NULL: a folder */
  const char *const *names;
  const LsDataRequest *request;
  gint64 n, total; /* samples: read so far, to read */
} Arrays;

/* What the member or the entry is called; NULL: there are fewer. */
static const char *
name_at (const Arrays *arrays, guint i)
{
  const GPtrArray *entries = arrays->source->entries;

  return arrays->zip != NULL ? ls_zip_name (arrays->zip, i)
         : i < entries->len  ? g_ptr_array_index (entries, i)
                             : NULL;
}

/* Its member, or its entry; −1: there is none. */
static gint
find_array (const Arrays *arrays, const char *name)
{
  g_autofree char *wanted = g_strconcat (name != NULL ? name : "", SUFFIX, NULL);
  const char *entry;

  for (guint i = 0; (entry = name_at (arrays, i)) != NULL; i++)
    if (strcmp (entry, wanted) == 0)
      return (gint) i;
  return -1;
}

static gboolean
recognises (const LsDataSource *source)
{
  const Arrays arrays = { .source = source };

  if (source->entries == NULL)
    return (source->head_bytes >= 4
            && (memcmp (source->head, "PK\3\4", 4) == 0 || memcmp (source->head, "PK\5\6", 4) == 0))
           || (source->head_bytes >= 6 && memcmp (source->head, LS_NPY_MAGIC, 6) == 0);
  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    if (find_array (&arrays, names[i][X_TRAIN]) >= 0)
      return TRUE;
  return FALSE;
}

static gboolean
refuse_names (const Arrays *arrays, GError **error)
{
  g_autoptr (GString) found = g_string_new (NULL);
  const char *name;

  for (guint i = 0, n = 0; n < 8 && (name = name_at (arrays, i)) != NULL; i++)
    if (arrays->zip != NULL || g_str_has_suffix (name, SUFFIX))
      g_string_append_printf (found, "%s%s", n++ > 0 ? ", " : "", name);
  g_set_error (
    error, LS_ERROR, LS_ERROR_DATA,
    _("“%s” lacks arrays to train with: x_train and y_train are expected, or x and y; it has %s."),
    arrays->source->name, found->len > 0 ? found->str : _("none"));
  return FALSE;
}

static gboolean
choose_names (Arrays *arrays, GError **error)
{
  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    {
      arrays->names = names[i];
      if (find_array (arrays, names[i][X_TRAIN]) >= 0 && find_array (arrays, names[i][Y_TRAIN]) >= 0)
        return TRUE;
    }
  return refuse_names (arrays, error);
}

static gboolean
open_array (const Arrays *arrays, guint which, LsNpy *npy, GError **error)
{
  const gint at = find_array (arrays, arrays->names[which]);
  g_autofree char *path = arrays->zip != NULL
                            ? g_strdup (arrays->source->path)
                            : g_build_filename (arrays->source->path,
                                                g_ptr_array_index (arrays->source->entries, (guint) at),
                                                NULL);

  return ls_npy_open (npy, path, arrays->zip, (guint) at, error);
}

/* ---- labels ---- */

static gboolean
read_labels (const Arrays *arrays, guint which, LsDataset *set, gint *n_classes, GError **error)
{
  g_auto (LsNpy) npy = { 0 };
  guint8 chunk[CHUNK];

  if (!open_array (arrays, which, &npy, error))
    return FALSE;
  for (gint64 at = 0; at < set->n;)
    {
      const gsize n = (gsize) MIN (set->n - at, CHUNK / 8);

      if (!ls_npy_read (&npy, chunk, n, error))
        return FALSE;
      for (gsize i = 0; i < n; i++, at++)
        {
          const double label = ls_npy_value (&npy, chunk, i);

          if (!(label >= 0 && label < LS_DATA_MAX_CLASSES) || label > floor (label))
            {
              g_set_error (
                error, LS_ERROR, LS_ERROR_DATA,
                _("“%s”: label %g of sample %lld is no class; classes are whole numbers from 0 to %d."),
                npy.name, label, (long long) at, LS_DATA_MAX_CLASSES - 1);
              return FALSE;
            }
          set->labels[at] = (gint32) label;
          *n_classes = MAX (*n_classes, set->labels[at] + 1);
        }
    }
  return ls_npy_end (&npy, error);
}

/* ---- samples ---- */

static gboolean
may_be_channels (gint64 dim)
{
  return dim == 1 || dim == 3 || dim == 4;
}

/* Channels, height, width of the array's samples; TRUE: its channels are last. */
static gboolean
shape_of (const LsNpy *npy, gint64 shape[3])
{
  const gint64 *d = npy->dims;
  const gboolean last = npy->rank == 4 && may_be_channels (d[3]);

  shape[0] = npy->rank == 1 ? 1 : npy->rank == 2 ? d[1] : npy->rank == 3 ? 1 : last ? d[3] : d[1];
  shape[1] = npy->rank < 3 ? 1 : npy->rank == 3 || last ? d[1] : d[2];
  shape[2] = npy->rank < 3 ? 1 : npy->rank == 3 || last ? d[2] : d[3];
  return last && d[3] > 1;
}

static gboolean
take_numbers (LsNpy *npy, LsDataset *set, gint64 sample, GError **error)
{
  float *x = ls_dataset_sample (set, sample);
  guint8 chunk[CHUNK];

  for (gint64 at = 0; at < set->sample_size;)
    {
      const gsize n = (gsize) MIN (set->sample_size - at, CHUNK / 8);

      if (!ls_npy_read (npy, chunk, n, error))
        return FALSE;
      for (gsize i = 0; i < n; i++, at++)
        {
          const double value = ls_npy_value (npy, chunk, i);

          if (!(fabs (value) <= (double) FLT_MAX / 4))
            {
              g_set_error (
                error, LS_ERROR, LS_ERROR_DATA,
                _("“%s”: sample %lld has a value that is not finite, or too large to be trained with."),
                npy->name, (long long) sample);
              return FALSE;
            }
          x[at] = (float) value;
        }
    }
  return TRUE;
}

/* room: of one sample */
static void
channels_first (LsDataset *set, gint64 sample, guint8 *room)
{
  const gsize bytes = ls_dataset_value_bytes (set);
  const gint64 channels = set->shape[0], pixels = set->shape[1] * set->shape[2];
  guint8 *x = ls_dataset_sample (set, sample);

  memcpy (room, x, (gsize) set->sample_size * bytes);
  for (gint64 p = 0; p < pixels; p++)
    for (gint64 c = 0; c < channels; c++)
      memcpy (x + (gsize) (c * pixels + p) * bytes, room + (gsize) (p * channels + c) * bytes, bytes);
}

static gboolean
read_samples (Arrays *arrays, guint which, LsDataset *set, GError **error)
{
  const gsize bytes = (gsize) set->sample_size * ls_dataset_value_bytes (set);
  g_autofree guint8 *room = NULL;
  g_auto (LsNpy) npy = { 0 };
  gint64 shape[3];
  gboolean last;

  if (!open_array (arrays, which, &npy, error))
    return FALSE;
  last = shape_of (&npy, shape);
  room = last ? g_try_malloc (bytes) : NULL;
  if (last && room == NULL)
    {
      g_set_error (error, LS_ERROR, LS_ERROR_MEMORY,
                   _("“%s” needs %lld bytes of memory, which can’t be had."), npy.name, (long long) bytes);
      return FALSE;
    }
  for (gint64 i = 0; i < set->n; i++)
    {
      if (set->type == LS_SAMPLE_U8
            ? !ls_npy_read (&npy, ls_dataset_sample (set, i), (gsize) set->sample_size, error)
            : !take_numbers (&npy, set, i, error))
        return FALSE;
      if (last)
        channels_first (set, i, room);
      if (arrays->n++ % 4096 == 0)
        ls_data_progress (arrays->request, (double) arrays->n / (double) arrays->total);
    }
  return ls_npy_end (&npy, error);
}

/* ---- the whole ---- */

/* There aren't as many labels as samples: one of both at most is one. */
static void
refuse_labels (const LsNpy *x, const LsNpy *y, GError **error)
{
  const gint64 samples = x->dims[0], labels = y->each != 1 ? y->each : y->dims[0];

  g_set_error (
    error, LS_ERROR, LS_ERROR_DATA,
    y->each != 1
      ? ngettext ("“%s” has %lld labels for %lld sample; one class is expected.",
                  "“%s” has %lld labels for each of %lld samples; one class is expected.", (gulong) samples)
    : samples == 1
      ? _("“%s” has %lld labels, and there is %lld sample; the two must belong together.")
      : ngettext ("“%s” has %lld label, and there are %lld samples; the two must belong together.",
                  "“%s” has %lld labels, and there are %lld samples; the two must belong together.",
                  (gulong) labels),
    y->name, (long long) labels, (long long) samples);
}

/* By the headers of both arrays, before either is read: number and shape. */
static gboolean
begin_set (Arrays *arrays, guint x_at, LsDataset *set, gboolean *table, GError **error)
{
  g_auto (LsNpy) x = { 0 }, y = { 0 };

  if (!open_array (arrays, x_at, &x, error) || !open_array (arrays, x_at + 1, &y, error))
    return FALSE;
  if (y.each != 1 || y.dims[0] != x.dims[0])
    {
      refuse_labels (&x, &y, error);
      return FALSE;
    }
  shape_of (&x, set->shape);
  set->type = x.kind == 'u' && x.bytes == 1 ? LS_SAMPLE_U8 : LS_SAMPLE_F32;
  *table = x.rank < 3;
  arrays->total += x.dims[0];
  return ls_data_make_room (set, x.dims[0], x.name, error);
}

static gboolean
check_alike (const LsData *data, const char *name, GError **error)
{
  const gint64 *a = data->train.shape, *b = data->test.shape;

  if (memcmp (a, b, sizeof data->train.shape) == 0 && data->train.type == data->test.type)
    return TRUE;
  g_set_error (
    error, LS_ERROR, LS_ERROR_DATA,
    _("“%s”: samples to train with are %lld×%lld×%lld, those to test with %lld×%lld×%lld (channels, "
       "height, width), or of another type; they must be alike."),
    name, (long long) a[0], (long long) a[1], (long long) a[2], (long long) b[0], (long long) b[1],
    (long long) b[2]);
  return FALSE;
}

/* Images of floats that are bytes, or larger, come into 0 … 1. */
static void
shrink (LsData *data)
{
  LsDataset *const sets[] = { &data->train, &data->test };
  float most = 0;

  for (gint64 i = 0; i < data->train.n * data->train.sample_size; i++)
    most = fmaxf (most, fabsf (((const float *) data->train.samples)[i]));
  if ((double) most <= USUAL)
    return;
  for (gsize s = 0; s < G_N_ELEMENTS (sets); s++)
    for (gint64 i = 0; i < sets[s]->n * sets[s]->sample_size; i++)
      ((float *) sets[s]->samples)[i] /= most;
  ls_data_note (data, _("All values are divided by %g, the largest one to train with."), (double) most);
}

/* A test set is both of its arrays; one alone is told of, and the set is taken out of those to train with. */
static gboolean
has_test_set (const Arrays *arrays, LsData *data)
{
  const gboolean x = find_array (arrays, arrays->names[X_TEST]) >= 0,
                 y = find_array (arrays, arrays->names[Y_TEST]) >= 0;

  if (x != y)
    ls_data_note (
      data,
      _("“%s” is left out, since there is no “%s” that belongs to it: the samples to test with are "
         "taken from those to train with."),
      arrays->names[x ? X_TEST : Y_TEST], arrays->names[x ? Y_TEST : X_TEST]);
  return x && y;
}

static gboolean
load_arrays (Arrays *arrays, LsData *data, GError **error)
{
  const gboolean has_test = has_test_set (arrays, data);
  gboolean table;

  if (!begin_set (arrays, X_TRAIN, &data->train, &table, error)
      || (has_test
          && (!begin_set (arrays, X_TEST, &data->test, &table, error)
              || !check_alike (data, arrays->source->name, error)))
      || !read_labels (arrays, Y_TRAIN, &data->train, &data->n_classes, error)
      || (has_test && !read_labels (arrays, Y_TEST, &data->test, &data->n_classes, error))
      || !read_samples (arrays, X_TRAIN, &data->train, error)
      || (has_test && !read_samples (arrays, X_TEST, &data->test, error))
      || !ls_data_finish (data, arrays->request, arrays->source->name, error))
    return FALSE;
  if (data->train.type == LS_SAMPLE_F32 && table)
    ls_data_standardise (data, NULL, NULL);
  else if (data->train.type == LS_SAMPLE_F32)
    shrink (data);
  return TRUE;
}

static gboolean
load (const LsDataSource *source, const LsDataRequest *request, LsData *data, GError **error)
{
  g_autoptr (LsZip) zip = NULL;
  Arrays arrays = { .source = source, .request = request };

  if (source->entries == NULL && memcmp (source->head, LS_NPY_MAGIC, 6) == 0)
    {
      g_set_error (
        error, LS_ERROR, LS_ERROR_DATA,
        _("“%s” is a single array; samples and classes are expected, as x.npy and y.npy in a folder, "
           "or in one .npz."),
        source->name);
      return FALSE;
    }
  if (source->entries == NULL && (zip = ls_zip_open (source->path, error)) == NULL)
    return FALSE;
  arrays.zip = zip;
  return choose_names (&arrays, error) && load_arrays (&arrays, data, error);
}

const LsDataLoader ls_loader_npz = {
  .title = N_("NumPy arrays"),
  .recognises = recognises,
  .load = load,
  .defaults = { "mlp", .lr = 0.05, .adam_lr = 0.001, .watch_epochs = 10, .watch_s = 100 },
};
