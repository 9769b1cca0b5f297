/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See prepare.h. Nothing is held twice: the test part is copied out, and the rest moves together in place.
 */
#include "config.h"
#include "data/prepare.h"

#include <math.h>
#include <string.h>
#include <glib/gi18n-lib.h>

#include "core/error.h"
#include "core/memory.h"
#include "core/rng.h"
#include "core/stored.h"

#define MOST 1e6 /* deviations from the mean: what the training part never saw may be far off */

gboolean
ls_data_may (const LsDataset *set, gint64 n, const char *name, GError **error)
{
  const gint64 values = set->shape[0] * set->shape[1] * set->shape[2];
  gint64 bytes;

  if (n > LS_DATA_MAX_SAMPLES)
    {
      g_set_error (error, LS_ERROR, LS_ERROR_DATA, _("“%s” has %lld samples, and at most %d are read."),
                   name, (long long) n, LS_DATA_MAX_SAMPLES);
      return FALSE;
    }
  if (__builtin_mul_overflow (n * (gint64) ls_dataset_value_bytes (set), values, &bytes)
      || bytes > LS_DATA_MAX_BYTES)
    {
      g_set_error (
        error, LS_ERROR, LS_ERROR_DATA,
        _("“%s” would need more than 2 GiB of memory for %lld samples of %lld values, which isn’t "
           "read; use fewer or smaller ones."),
        name, (long long) n, (long long) values);
      return FALSE;
    }
  return TRUE;
}

gboolean
ls_data_make_room (LsDataset *set, gint64 n, const char *name, GError **error)
{
  gint64 bytes;

  if (!ls_data_may (set, n, name, error))
    return FALSE;
  set->sample_size = set->shape[0] * set->shape[1] * set->shape[2];
  bytes = n * set->sample_size * (gint64) ls_dataset_value_bytes (set);
  set->samples = g_try_malloc ((gsize) MAX (bytes, 1));
  set->labels = g_try_new (gint32, (gsize) MAX (n, 1));
  if (set->samples == NULL || set->labels == NULL)
    {
      g_set_error (error, LS_ERROR, LS_ERROR_MEMORY,
                   _("“%s” needs %lld bytes of memory, which can’t be had."), name,
                   (long long) (bytes + 4 * n));
      return FALSE;
    }
  ls_memory_ask_large_pages (set->samples, (gsize) bytes);
  set->n = n;
  return TRUE;
}

gpointer
ls_dataset_sample (const LsDataset *set, gint64 i)
{
  return (guint8 *) set->samples + (gsize) (i * set->sample_size) * ls_dataset_value_bytes (set);
}

void
ls_data_count_classes (const LsDataset *set, gint n_classes, gint64 *counts)
{
  memset (counts, 0, (gsize) n_classes * sizeof *counts);
  for (gint64 i = 0; i < set->n; i++)
    counts[set->labels[i]]++;
}

/* How many of each class are taken: the share of all, shared out so that the classes' parts add up to it; one
 * of each stays. Returns their sum. */
static gint64
share_out (const gint64 *counts, gint n_classes, double share, gint64 *taken)
{
  gint64 before = 0, sum = 0;
  gint largest = 0;

  for (gint c = 0; c < n_classes; c++)
    {
      const double from = floor (share * (double) before + .5);

      before += counts[c];
      taken[c] = CLAMP ((gint64) (floor (share * (double) before + .5) - from), 0, MAX (counts[c] - 1, 0));
      sum += taken[c];
      largest = counts[c] > counts[largest] ? c : largest;
    }
  if (sum == 0 && counts[largest] > 1)
    sum = taken[largest] = 1;
  return sum;
}

/* Marks which ones: the first of each class in an order drawn from the seed. (transfer full) */
static guint8 *
draw (const LsDataset *set, guint64 seed, gint64 *taken)
{
  g_autofree guint32 *order = g_try_new (guint32, (gsize) set->n);
  guint8 *marks = g_try_malloc0 ((gsize) set->n);

  if (order == NULL || marks == NULL)
    {
      g_free (marks);
      return NULL;
    }
  ls_rng_shuffle (seed, LS_STREAM_SPLIT, 0, order, (guint32) set->n);
  for (gint64 i = 0; i < set->n; i++)
    if (taken[set->labels[order[i]]] > 0)
      {
        taken[set->labels[order[i]]]--;
        marks[order[i]] = 1;
      }
  return marks;
}

/* The marked ones go into test, the others together. */
static void
part (LsData *data, const guint8 *marks)
{
  LsDataset *train = &data->train, *test = &data->test;
  const gsize bytes = (gsize) train->sample_size * ls_dataset_value_bytes (train);
  gint64 kept = 0, out = 0;
  gpointer smaller;

  for (gint64 i = 0; i < train->n; i++)
    {
      const gboolean is_test = marks[i] != 0;
      LsDataset *to = is_test ? test : train;
      const gint64 at = is_test ? out++ : kept++;

      if (to == train && at == i)
        continue;
      memcpy (ls_dataset_sample (to, at), ls_dataset_sample (train, i), bytes);
      to->labels[at] = train->labels[i];
    }
  train->n = kept;
  smaller = g_try_realloc (train->samples, (gsize) kept * bytes);
  train->samples = smaller != NULL ? smaller : train->samples;
  data->split = TRUE;
}

/* The same of samples in a file: the marked ones are read, of the others their places are kept. */
static gboolean
part_stored (LsData *data, const guint8 *marks, GError **error)
{
  LsDataset *train = &data->train, *test = &data->test;
  guint32 *place = g_try_new (guint32, (gsize) train->n);
  gint64 kept = 0, out = 0;

  for (gint64 i = 0; i < train->n; i++)
    if (marks[i] != 0)
      {
        if (place == NULL || !ls_stored_read (train->stored, i, ls_dataset_sample (test, out), error))
          break;
        test->labels[out++] = train->labels[i];
      }
    else if (place != NULL)
      {
        place[kept] = (guint32) i;
        train->labels[kept++] = train->labels[i];
      }
  if (place == NULL || kept + out < train->n)
    {
      if (place == NULL)
        g_set_error (error, LS_ERROR, LS_ERROR_MEMORY,
                     _("“%s” needs %lld bytes of memory, which can’t be had."), data->name,
                     (long long) (4 * train->n));
      g_free (place);
      return FALSE;
    }
  train->n = kept;
  ls_stored_choose (train->stored, place);
  data->split = TRUE;
  return TRUE;
}

static gboolean
split (LsData *data, const LsDataRequest *request, const gint64 *counts, const char *name, GError **error)
{
  g_autofree gint64 *taken = g_new0 (gint64, (gsize) data->n_classes);
  g_autofree guint8 *marks = NULL;
  const gint64 n = share_out (counts, data->n_classes, request->test_share, taken);

  if (n == 0)
    {
      g_set_error (error, LS_ERROR, LS_ERROR_DATA,
                   _("“%s” has one sample of each class only, so none can be kept for testing."), name);
      return FALSE;
    }
  data->test = data->train;
  data->test.samples = NULL;
  data->test.labels = NULL;
  data->test.stored = NULL;
  if (!ls_data_make_room (&data->test, n, name, error))
    return FALSE;
  marks = draw (&data->train, request->seed, taken);
  if (marks == NULL)
    {
      g_set_error (error, LS_ERROR, LS_ERROR_MEMORY,
                   _("“%s” needs %lld bytes of memory, which can’t be had."), name,
                   (long long) (5 * data->train.n));
      return FALSE;
    }
  if (data->train.stored != NULL)
    return part_stored (data, marks, error);
  part (data, marks);
  return TRUE;
}

static gboolean
check_test (const LsData *data, const gint64 *counts, const char *name, GError **error)
{
  for (gint64 i = 0; i < data->test.n; i++)
    if (counts[data->test.labels[i]] == 0)
      {
        g_autofree char *class = ls_data_class_name (data, data->test.labels[i]);

        g_set_error (error, LS_ERROR, LS_ERROR_DATA,
                     _("“%s”: sample %lld of the test set is of class “%s”, of which there is none to train "
                        "with."),
                     name, (long long) i, class);
        return FALSE;
      }
  return TRUE;
}

gboolean
ls_data_finish (LsData *data, const LsDataRequest *request, const char *name, GError **error)
{
  g_autofree gint64 *counts = g_new (gint64, (gsize) MAX (data->n_classes, 1));
  gint n_used = 0;

  if (data->train.n == 0)
    {
      g_set_error (error, LS_ERROR, LS_ERROR_DATA, _("“%s” holds no samples to train with."), name);
      return FALSE;
    }
  ls_data_count_classes (&data->train, data->n_classes, counts);
  for (gint c = 0; c < data->n_classes; c++)
    n_used += counts[c] > 0;
  if (n_used < 2)
    {
      g_autofree char *class = ls_data_class_name (data, data->train.labels[0]);

      g_set_error (error, LS_ERROR, LS_ERROR_DATA,
                   _("“%s” knows one class only, “%s”; there is nothing to tell apart."), name, class);
      return FALSE;
    }
  return data->test.n > 0 ? check_test (data, counts, name, error)
                          : split (data, request, counts, name, error);
}

/* In one pass, with room for those that count: by their number within their class, then by their place. */
void
ls_data_choose_first (LsData *data)
{
  const LsDataset *set = &data->train;
  g_autofree gint64 *seen = g_new0 (gint64, (gsize) MAX (data->n_classes, 1));
  gint64 rounds[LS_DATA_FIRST];
  guint n = 0;

  for (gint64 i = 0; i < set->n; i++)
    {
      const gint64 round = seen[set->labels[i]]++;
      guint at;

      if (n == LS_DATA_FIRST && round >= rounds[n - 1])
        continue;
      n = MIN (n + 1, LS_DATA_FIRST);
      for (at = n - 1; at > 0 && rounds[at - 1] > round; at--)
        {
          rounds[at] = rounds[at - 1];
          data->first[at] = data->first[at - 1];
        }
      rounds[at] = round;
      data->first[at] = i;
    }
  data->n_first = n;
}

gboolean
ls_data_fetch_first (LsData *data, GError **error)
{
  LsDataset *train = &data->train;

  if (train->stored == NULL)
    return TRUE;
  train->samples = g_malloc ((gsize) train->sample_size * data->n_first);
  for (guint i = 0; i < data->n_first; i++)
    if (!ls_stored_read (train->stored, data->first[i], ls_dataset_sample (train, i), error))
      return FALSE;
  return TRUE;
}

/* ---- values of one scale ---- */

/* Row by row, as the values lie in memory; the deviation in a second pass, for a difference of large sums
 * would be noise. */
static void
measure (const LsDataset *set, double *mean, double *deviation)
{
  const gsize size = (gsize) set->sample_size;
  const float *x = set->samples;
  g_autofree gint64 *n = g_new0 (gint64, size);

  memset (mean, 0, size * sizeof *mean);
  memset (deviation, 0, size * sizeof *deviation);
  for (gint64 i = 0; i < set->n; i++)
    for (gsize at = 0; at < size; at++)
      if (!isnan (x[(gsize) i * size + at]))
        {
          mean[at] += (double) x[(gsize) i * size + at];
          n[at]++;
        }
  for (gsize at = 0; at < size; at++)
    mean[at] /= (double) MAX (n[at], 1);
  for (gint64 i = 0; i < set->n; i++)
    for (gsize at = 0; at < size; at++)
      {
        const double off = (double) x[(gsize) i * size + at] - mean[at];

        deviation[at] += isnan (off) ? 0 : off * off;
      }
  for (gsize at = 0; at < size; at++)
    deviation[at] = sqrt (deviation[at] / (double) MAX (n[at], 1));
}

static void
apply (LsDataset *set, const double *mean, const double *deviation, const gboolean *binary)
{
  float *x = set->samples;

  for (gint64 i = 0; i < set->n; i++)
    for (gint64 at = 0; at < set->sample_size; at++, x++)
      {
        const double value = isnan (*x) ? mean[at] : (double) *x;

        *x = (float) (binary != NULL && binary[at] ? value
                      : deviation[at] > 0          ? CLAMP ((value - mean[at]) / deviation[at], -MOST, MOST)
                                                   : 0);
      }
}

void
ls_data_standardise (LsData *data, const gboolean *binary, gboolean *constant)
{
  const gsize size = (gsize) data->train.sample_size;
  g_autofree double *mean = g_new (double, size), *deviation = g_new (double, size);

  measure (&data->train, mean, deviation);
  apply (&data->train, mean, deviation, binary);
  apply (&data->test, mean, deviation, binary);
  for (gsize at = 0; constant != NULL && at < size; at++)
    constant[at] = !(deviation[at] > 0);
}
