/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See preview.h.
 */
#include "config.h"
#include "data/preview.h"

#include <string.h>
#include <glib/gi18n-lib.h>

#include "data/prepare.h"

#define DARK  -2.0 /* of what is brought to deviations from the mean */
#define LIGHT 2.0

static guint8
level_of (const LsDataset *set, gint64 sample, gint64 at, gboolean table)
{
  const double value = set->type == LS_SAMPLE_U8
                         ? ((const guint8 *) ls_dataset_sample (set, sample))[at] / 255.0
                         : (double) ((const float *) ls_dataset_sample (set, sample))[at];
  const double part = table && set->type == LS_SAMPLE_F32 ? (value - DARK) / (LIGHT - DARK) : value;

  return (guint8) (255 * CLAMP (part, 0, 1) + .5);
}

/* The nearest value for each pixel; of one channel all three colours. */
static void
picture (const LsDataset *set, gint64 sample, LsDataPreview *preview, guint8 *pixels)
{
  const gboolean table = set->shape[1] == 1 && set->shape[2] == 1;
  const gint64 channels = table ? 1 : set->shape[0], rows = table ? 1 : set->shape[1],
               cols = table ? set->shape[0] : set->shape[2];

  for (guint y = 0; y < preview->height; y++)
    for (guint x = 0; x < preview->width; x++)
      for (guint c = 0; c < 3; c++)
        {
          const gint64 channel = channels >= 3 ? c : 0, row = y * rows / preview->height,
                       col = x * cols / preview->width;

          *pixels++ = level_of (set, sample, (channel * rows + row) * cols + col, table);
        }
}

static char *
size_text (const gint64 shape[3])
{
  if (shape[1] == 1 && shape[2] == 1)
    return g_strdup_printf (ngettext ("%lld value", "%lld values", (gulong) shape[0]), (long long) shape[0]);
  return shape[0] == 1 ? g_strdup_printf ("%lld×%lld", (long long) shape[1], (long long) shape[2])
                       : g_strdup_printf ("%lld×%lld×%lld", (long long) shape[0], (long long) shape[1],
                                          (long long) shape[2]);
}

static char *
classes_text (gint n)
{
  return g_strdup_printf (ngettext ("%d class", "%d classes", (gulong) n), n);
}

char *
ls_data_shape_text (const gint64 shape[3], gint n_classes)
{
  g_autofree char *size = size_text (shape), *classes = classes_text (n_classes);

  return g_strdup_printf ("%s, %s", size, classes);
}

static char *
summarise (const LsData *data)
{
  g_autofree char *size = size_text (data->train.shape), *classes = classes_text (data->n_classes);

  return g_strdup_printf (_("%s, %s; %lld samples to train, %lld to test (%s)"), size, classes,
                          (long long) data->train.n, (long long) data->test.n, _(data->format));
}

LsDataPreview *
ls_data_preview_new (const LsData *data)
{
  LsDataPreview *preview = g_new0 (LsDataPreview, 1);
  const gint64 *shape = data->train.shape;
  const gboolean table = shape[1] == 1 && shape[2] == 1;
  gsize bytes;

  memcpy (preview->shape, shape, sizeof preview->shape);
  preview->n_classes = data->n_classes;
  preview->n_train = data->train.n;
  preview->summary = summarise (data);
  preview->notes = g_new0 (char *, data->notes != NULL ? data->notes->len + 1 : 1);
  for (guint i = 0; data->notes != NULL && i < data->notes->len; i++)
    preview->notes[i] = g_strdup (g_ptr_array_index (data->notes, i));
  preview->n = data->n_first;
  preview->width = (guint) MIN (table ? shape[0] : shape[2], LS_PREVIEW_EDGE);
  preview->height = (guint) MIN (table ? 1 : shape[1], LS_PREVIEW_EDGE);
  bytes = (gsize) preview->width * preview->height * 3;
  preview->pixels = g_malloc (MAX (preview->n * bytes, 1));
  preview->labels = g_new0 (char *, preview->n + 1);
  for (guint i = 0; i < preview->n; i++)
    {
      picture (&data->train, data->train.stored != NULL ? i : data->first[i], preview,
               preview->pixels + i * bytes);
      preview->labels[i] = ls_data_class_name (data, data->train.labels[data->first[i]]);
    }
  return preview;
}

void
ls_data_preview_free (LsDataPreview *preview)
{
  if (preview == NULL)
    return;
  g_free (preview->summary);
  g_strfreev (preview->notes);
  g_free (preview->pixels);
  g_strfreev (preview->labels);
  g_free (preview);
}
