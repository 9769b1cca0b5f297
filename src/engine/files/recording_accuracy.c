/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A recording's test accuracies: two columns of its file, which a recording without them, or of an earlier
 * program, doesn't have.
 */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "core/error.h"
#include "files/recording_format.h"

#define STEPS "lanes.%u.accuracies.steps"
#define VALUE "lanes.%u.accuracies.value"

void
ls_recording_set_history (LsRecording *recording, guint lane, LsCurve *curve, guint64 n_steps)
{
  LsRecordedLane *own = &recording->lanes[lane];

  ls_curve_ref (curve);
  ls_curve_unref (own->curve);
  own->curve = curve;
  own->n_steps = n_steps;
}

void
ls_recording_set_accuracies (LsRecording *recording, guint lane, GArray *accuracies)
{
  GArray *kept = NULL;
  guint n = accuracies != NULL ? accuracies->len : 0;

  while (n > 0 && g_array_index (accuracies, LsAccuracy, n - 1).steps > recording->step)
    n--;
  if (n > 0 && n == accuracies->len)
    kept = g_array_ref (accuracies);
  else if (n > 0)
    {
      kept = g_array_new (FALSE, FALSE, sizeof (LsAccuracy));
      g_array_append_vals (kept, accuracies->data, n);
    }
  g_clear_pointer (&recording->lanes[lane].accuracies, g_array_unref);
  recording->lanes[lane].accuracies = kept;
}

void
ls_recording_write_accuracies (const LsRecordedLane *lane, LsSafetensorsWriter *writer, guint number,
                               GPtrArray *columns)
{
  const gint64 n = lane->accuracies != NULL ? lane->accuracies->len : 0;
  guint64 *steps;
  double *values;
  char name[64];

  if (n == 0)
    return;
  steps = g_new (guint64, n);
  values = g_new (double, n);
  for (guint i = 0; i < n; i++)
    {
      const LsAccuracy *one = &g_array_index (lane->accuracies, LsAccuracy, i);
      steps[i] = one->steps;
      values[i] = one->accuracy;
    }
  g_ptr_array_add (columns, steps);
  g_ptr_array_add (columns, values);
  g_snprintf (name, sizeof name, STEPS, number);
  ls_safetensors_writer_add (writer, name, LS_ST_U64, 1, &n, steps);
  g_snprintf (name, sizeof name, VALUE, number);
  ls_safetensors_writer_add (writer, name, LS_ST_F64, 1, &n, values);
}

static gboolean
is_column (const LsStTensor *tensor, LsStDtype dtype)
{
  return tensor != NULL && tensor->dtype == dtype && tensor->rank == 1
         && tensor->count <= LS_RECORDING_MAX_ROWS;
}

gboolean
ls_recording_read_accuracies (LsSafetensors *file, guint number, LsRecordedLane *lane, guint *used,
                              GError **error)
{
  g_autofree char *steps_name = g_strdup_printf (STEPS, number),
                  *value_name = g_strdup_printf (VALUE, number);
  const LsStTensor *steps = ls_safetensors_find (file, steps_name),
                   *value = ls_safetensors_find (file, value_name);
  g_autofree guint64 *at = NULL;
  g_autofree double *accuracy = NULL;

  if (steps == NULL && value == NULL)
    return TRUE;
  if (!is_column (steps, LS_ST_U64) || !is_column (value, LS_ST_F64) || steps->count != value->count)
    {
      g_set_error (error, LS_ERROR, LS_ERROR_DATA,
                   _("tensors “%s” and “%s” must be rows of as many U64 and F64."), steps_name, value_name);
      return FALSE;
    }
  *used += 2;
  at = g_try_new (guint64, MAX (steps->count, 1));
  accuracy = g_try_new (double, MAX (steps->count, 1));
  if (at == NULL || accuracy == NULL)
    {
      g_set_error (error, LS_ERROR, LS_ERROR_MEMORY,
                   _("the accuracies of %lld steps need memory, which can’t be had."),
                   (long long) steps->count);
      return FALSE;
    }
  if (!ls_safetensors_read (file, steps, at, error) || !ls_safetensors_read (file, value, accuracy, error))
    return FALSE;
  if (steps->count == 0) /* empty rows are none */
    return TRUE;
  lane->accuracies = g_array_sized_new (FALSE, FALSE, sizeof (LsAccuracy), (guint) steps->count);
  for (gint64 i = 0; i < steps->count; i++)
    {
      const LsAccuracy one = { .steps = at[i], .accuracy = accuracy[i] };
      g_array_append_val (lane->accuracies, one);
    }
  return TRUE;
}

/* What is wrong with one of them, as a clause; NULL: nothing. (transfer full) */
char *
ls_recording_check_accuracies (const LsRecording *recording, guint number)
{
  const GArray *list = recording->lanes[number].accuracies;

  for (guint i = 0; list != NULL && i < list->len; i++)
    {
      const LsAccuracy *one = &g_array_index (list, LsAccuracy, i);

      if (one->steps > recording->step || (i > 0 && one->steps <= one[-1].steps))
        return g_strdup_printf (
          _("lane %u, accuracy %u: its step isn’t between the one before and the recorded one."), number, i);
      if (!(one->accuracy >= 0 && one->accuracy <= 1))
        return g_strdup_printf (_("lane %u, accuracy %u: it isn’t between 0 and 1."), number, i);
    }
  return NULL;
}
