/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See samples.h.
 */
#include "config.h"
#include "core/samples.h"

#include "core/error.h"
#include "core/stored.h"

/* Divided by the compiler, in float, round to nearest: the same bits on every lane and machine. */
#define V1(i)  ((float) (i) / 255.0f)
#define V4(i)  V1 (i), V1 ((i) + 1), V1 ((i) + 2), V1 ((i) + 3)
#define V16(i) V4 (i), V4 ((i) + 4), V4 ((i) + 8), V4 ((i) + 12)
#define V64(i) V16 (i), V16 ((i) + 16), V16 ((i) + 32), V16 ((i) + 48)
static const float byte_values[256] = { V64 (0), V64 (64), V64 (128), V64 (192) };

const float *
ls_dataset_byte_values (void)
{
  return byte_values;
}

LsData *
ls_data_ref (LsData *data)
{
  g_atomic_int_inc (&data->ref_count);
  return data;
}

void
ls_data_unref (LsData *data)
{
  if (data == NULL || !g_atomic_int_dec_and_test (&data->ref_count))
    return;
  g_free (data->key);
  g_free (data->name);
  g_strfreev (data->class_names);
  g_clear_pointer (&data->notes, g_ptr_array_unref);
  g_clear_pointer (&data->train.stored, ls_stored_free);
  g_free (data->train.samples);
  g_free (data->train.labels);
  g_free (data->test.samples);
  g_free (data->test.labels);
  g_free (data);
}

void
ls_data_note (LsData *data, const char *format, ...)
{
  va_list args;

  if (data->notes == NULL)
    data->notes = g_ptr_array_new_with_free_func (g_free);
  va_start (args, format);
  g_ptr_array_add (data->notes, ls_printable (g_strdup_vprintf (format, args)));
  va_end (args);
}

char *
ls_data_class_name (const LsData *data, gint class)
{
  return data->class_names != NULL ? g_strdup (data->class_names[class]) : g_strdup_printf ("%d", class);
}

gsize
ls_dataset_value_bytes (const LsDataset *set)
{
  return set->type == LS_SAMPLE_U8 ? 1 : sizeof (float);
}
