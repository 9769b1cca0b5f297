/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The points of a result, and their CSV: one line a point, so that a spreadsheet can pivot it.
 */
#include "config.h"
#include "lab/result.h"

#include <string.h>

#include "core/error.h"
#include "core/rc_box.h"
#include "files/text.h"
#include "lab/machine.h"

static void
missing_free (gpointer data)
{
  g_free (((LsLabMissing *) data)->why);
  g_free (data);
}

static gpointer
copy_missing (gconstpointer data, gpointer unused)
{
  LsLabMissing *copy = g_memdup2 (data, sizeof *copy);

  copy->why = g_strdup (copy->why);
  return copy;
}

void
ls_lab_result_unref (LsLabResult *self)
{
  if (!g_atomic_int_dec_and_test (&self->ref_count))
    return;
  g_clear_pointer (&self->options, ls_options_free);
  g_clear_pointer (&self->specs, g_ptr_array_unref);
  for (guint i = 0; i < LS_MAX_LANES; i++)
    {
      g_free (self->devices[i]);
      g_free (self->keys[i]);
      g_clear_pointer (&self->points[i], g_array_unref);
      g_clear_pointer (&self->missing[i], g_ptr_array_unref);
    }
  g_clear_pointer (&self->tried, g_array_unref);
  g_free (self->machine);
  g_free (self->machine_key);
  g_free (self->date);
  g_free (self->program);
  g_free (self);
}

LsOptions *
ls_lab_options (const LsExperiment *experiment, const LsOptions *options)
{
  LsOptions *own = ls_options_new ();
  guint n;
  const LsOption *rows = ls_options_table (&n);

  for (guint i = 0; i < n; i++)
    if (ls_experiment_depends_on (experiment, &rows[i]))
      {
        g_autofree char *text = ls_options_get (options, &rows[i]);
        ls_options_set (own, &rows[i], text, NULL);
      }
  return own;
}

LsLabResult *
ls_lab_result_new (const LsExperiment *experiment, const LsOptions *options, GError **error)
{
  g_autoptr (LsLabResult) self = g_new0 (LsLabResult, 1);
  g_autoptr (GDateTime) now = g_date_time_new_now_local ();

  self->ref_count = 1;
  self->experiment = experiment;
  self->options = ls_lab_options (experiment, options);
  self->specs = ls_lane_specs_new (self->options, error);
  if (self->specs == NULL)
    return NULL;
  for (guint i = 0; i < self->specs->len; i++)
    {
      self->points[i] = g_array_new (FALSE, FALSE, sizeof (LsLabPoint));
      self->missing[i] = g_ptr_array_new_with_free_func (missing_free);
    }
  self->tried = g_array_new (FALSE, FALSE, sizeof (LsLabSpot));
  self->machine = ls_machine_text ();
  self->machine_key = ls_machine_key ();
  self->cores = ls_machine_cores ();
  self->date = g_date_time_format (now, "%Y-%m-%d");
  self->program = g_strdup ("Lockstep " LS_VERSION);
  return g_steal_pointer (&self);
}

static GArray *
copy_array (const GArray *from, guint size)
{
  GArray *copy = g_array_sized_new (FALSE, FALSE, size, from->len + 1);

  return from->len > 0 ? g_array_append_vals (copy, from->data, from->len) : copy;
}

LsLabResult *
ls_lab_result_copy (const LsLabResult *result)
{
  LsLabResult *copy = ls_counted_copy (result, sizeof *result);

  copy->options = ls_options_copy (result->options);
  g_ptr_array_ref (copy->specs);
  for (guint i = 0; i < copy->specs->len; i++)
    {
      copy->devices[i] = g_strdup (result->devices[i]);
      copy->keys[i] = g_strdup (result->keys[i]);
      copy->points[i] = copy_array (result->points[i], sizeof (LsLabPoint));
      copy->missing[i] = g_ptr_array_copy (result->missing[i], copy_missing, NULL);
      g_ptr_array_set_free_func (copy->missing[i], missing_free);
    }
  copy->tried = copy_array (result->tried, sizeof (LsLabSpot));
  copy->machine = g_strdup (result->machine);
  copy->machine_key = g_strdup (result->machine_key);
  copy->date = g_strdup (result->date);
  copy->program = g_strdup (result->program);
  return copy;
}

LsLabResult *
ls_lab_result_ref (LsLabResult *result)
{
  g_atomic_int_inc (&result->ref_count);
  return result;
}

static gboolean
comes_before (const LsLabPoint *a, const LsLabPoint *b)
{
  return a->y != b->y ? a->y < b->y : a->x < b->x;
}

gboolean
ls_lab_result_add (LsLabResult *result, guint lane, const LsLabPoint *point)
{
  GArray *points = result->points[lane];
  guint i = 0;

  while (i < points->len && comes_before (&g_array_index (points, LsLabPoint, i), point))
    i++;
  if (i < points->len && !comes_before (point, &g_array_index (points, LsLabPoint, i)))
    return FALSE;
  g_array_insert_val (points, i, *point);
  return TRUE;
}

void
ls_lab_result_add_missing (LsLabResult *result, guint lane, LsLabSpot spot, const char *why)
{
  LsLabMissing *missing = g_new (LsLabMissing, 1);

  *missing = (LsLabMissing){ spot, ls_one_line (why, LS_LAB_MAX_WHY) };
  g_ptr_array_add (result->missing[lane], missing);
}

const LsLabPoint *
ls_lab_result_point (const LsLabResult *result, guint lane, LsLabSpot spot)
{
  const LsLabPoint wanted = { .x = spot.x, .y = spot.y };
  const GArray *points = result->points[lane];

  for (guint i = 0; i < points->len; i++)
    {
      const LsLabPoint *point = &g_array_index (points, LsLabPoint, i);
      if (!comes_before (point, &wanted))
        return comes_before (&wanted, point) ? NULL : point;
    }
  return NULL;
}

const char *
ls_lab_result_why (const LsLabResult *result, guint lane, LsLabSpot spot)
{
  for (guint i = 0; i < result->missing[lane]->len; i++)
    {
      const LsLabMissing *missing = result->missing[lane]->pdata[i];
      if (missing->spot.x == spot.x && missing->spot.y == spot.y)
        return missing->why;
    }
  return NULL;
}

gboolean
ls_lab_result_tried (const LsLabResult *result, LsLabSpot spot)
{
  for (guint i = 0; i < result->tried->len; i++)
    {
      const LsLabSpot *tried = &g_array_index (result->tried, LsLabSpot, i);
      if (tried->x == spot.x && tried->y == spot.y)
        return TRUE;
    }
  return FALSE;
}

gboolean
ls_lab_result_whole (const LsLabResult *result)
{
  return result->ended || (result->n_sizes > 0 && result->tried->len >= result->n_sizes);
}

gboolean
ls_lab_result_has_points (const LsLabResult *result)
{
  for (guint i = 0; i < result->specs->len; i++)
    if (result->points[i]->len > 0)
      return TRUE;
  return FALSE;
}

gboolean
ls_lab_options_alike (const LsExperiment *experiment, const LsOptions *a, const LsOptions *b)
{
  guint n;
  const LsOption *rows = ls_options_table (&n);

  for (guint i = 0; i < n; i++)
    if (ls_experiment_depends_on (experiment, &rows[i]))
      {
        g_autofree char *one = ls_options_get (a, &rows[i]), *other = ls_options_get (b, &rows[i]);
        if (strcmp (one, other) != 0)
          return FALSE;
      }
  return TRUE;
}

gboolean
ls_lab_result_goes_with (const LsLabResult *a, const LsLabResult *b)
{
  gboolean alike = ls_lab_options_alike (NULL, a->options, b->options)
                   && strcmp (a->machine_key, b->machine_key) == 0 && strcmp (a->program, b->program) == 0;

  for (guint i = 0; alike && i < a->specs->len; i++)
    alike = a->keys[i] == NULL || b->keys[i] == NULL || strcmp (a->keys[i], b->keys[i]) == 0;
  return alike;
}

static void
put_number (GString *csv, double value)
{
  g_string_append_c (csv, ',');
  ls_text_append_double (csv, value);
}

static void
put_lane (GString *csv, const LsLabResult *result, guint lane)
{
  const LsLaneSpec *spec = result->specs->pdata[lane];

  for (guint i = 0; i < result->points[lane]->len; i++)
    {
      const LsLabPoint *p = &g_array_index (result->points[lane], LsLabPoint, i);

      g_string_append_printf (csv, "%s,%s", result->experiment->name, spec->id);
      put_number (csv, p->x);
      g_string_append_printf (csv, p->y > 0 ? ",%u" : ",", p->y);
      put_number (csv, p->rate.value);
      g_string_append_printf (csv, ",%s", result->experiment->unit);
      put_number (csv, p->rate.q1);
      put_number (csv, p->rate.q3);
      g_string_append_printf (csv, ",%" G_GUINT64_FORMAT, p->rate.n);
      if (p->plain.n > 0)
        put_number (csv, p->plain.value);
      else
        g_string_append_c (csv, ',');
      g_string_append_c (csv, '\n');
    }
}

char *
ls_lab_csv (const GPtrArray *results)
{
  GString *csv = g_string_new ("experiment,lane,x,y,rate,unit,q1,q3,n,plain_rate\n");

  for (guint r = 0; r < results->len; r++)
    for (guint lane = 0; lane < ((const LsLabResult *) results->pdata[r])->specs->len; lane++)
      put_lane (csv, results->pdata[r], lane);
  return g_string_free (csv, FALSE);
}
