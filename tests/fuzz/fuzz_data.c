/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See fuzz_data.h.
 */
#include "fuzz_data.h"

#include <math.h>
#include <string.h>

static void
check_set (const LsData *data, const LsDataset *set)
{
  fuzz_check (set->n > 0, "a set without samples");
  fuzz_check (set->sample_size == set->shape[0] * set->shape[1] * set->shape[2] && set->sample_size > 0,
              "a sample of no size");
  for (gint64 i = 0; i < set->n; i++)
    fuzz_check (set->labels[i] >= 0 && set->labels[i] < data->n_classes, "label %d of %d", set->labels[i],
                data->n_classes);
  for (gint64 i = 0; set->type == LS_SAMPLE_F32 && i < set->n * set->sample_size; i++)
    fuzz_check (isfinite (((const float *) set->samples)[i]), "a value isn't finite");
}

LsData *
fuzz_load (gconstpointer bytes, gsize size, guint which)
{
  g_autoptr (GError) error = NULL;
  const LsDataRequest request = { .what = fuzz_file (bytes, size),
                                  .seed = 1,
                                  .test_share = which % 3 == 0 ? .5 : .1,
                                  .missing = which % 2 == 0 ? LS_MISSING_DROP : LS_MISSING_MEAN,
                                  .label = which % 7 == 6 ? "1" : "",
                                  .size = "" };
  LsData *data = ls_data_load_request (&request, &error);

  fuzz_check_answer (data != NULL, error);
  if (data == NULL)
    return NULL;
  fuzz_check (data->n_classes > 1, "%d classes", data->n_classes);
  check_set (data, &data->train);
  check_set (data, &data->test);
  fuzz_check (data->class_names == NULL || (gint) g_strv_length (data->class_names) == data->n_classes,
              "classes without names");
  for (gint c = 0; data->class_names != NULL && c < data->n_classes; c++)
    fuzz_check_words ("a class", data->class_names[c]);
  for (guint i = 0; data->notes != NULL && i < data->notes->len; i++)
    fuzz_check_words ("a note", g_ptr_array_index (data->notes, i));
  return data;
}

static void
check_same_set (const LsDataset *a, const LsDataset *b)
{
  fuzz_check (a->n == b->n && a->type == b->type && memcmp (a->shape, b->shape, sizeof a->shape) == 0,
              "the sets are of other sizes");
  fuzz_check (memcmp (a->labels, b->labels, (gsize) a->n * sizeof *a->labels) == 0, "the labels are others");
  fuzz_check (memcmp (a->samples, b->samples, (gsize) (a->n * a->sample_size) * ls_dataset_value_bytes (a))
                == 0,
              "the samples are others");
}

void
fuzz_check_same_data (const LsData *a, const LsData *b)
{
  fuzz_check (a->n_classes == b->n_classes, "%d classes, and %d", a->n_classes, b->n_classes);
  check_same_set (&a->train, &b->train);
  check_same_set (&a->test, &b->test);
}
