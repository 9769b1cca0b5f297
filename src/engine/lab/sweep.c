/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A sweep's combinations and how they are measured.
 */
#include "config.h"
#include "lab/sweep.h"

#include <glib/gi18n-lib.h>
#include <string.h>
#include <unistd.h>

#include "core/error.h"
#include "data/defaults.h"
#include "lab/kept.h"
#include "lab/step.h"
#include "trace/event.h"

#define ANSWER_S 120 /* for a step, and its preparation */
#define LEAST_S  .3  /* for a combination */

/* ---- what is varied ---- */

/* message: (transfer full). */
static gboolean
refuse (GError **error, char *message)
{
  g_set_error_literal (error, LS_ERROR, LS_ERROR_USAGE, message);
  g_free (message);
  return FALSE;
}

/* It changes what a step computes, or how. */
static gboolean
may_vary (const LsOption *option)
{
  return option != NULL
         && ((option->group
              & (LS_OPTION_GROUP_MODEL | LS_OPTION_GROUP_DATA | LS_OPTION_GROUP_CPU | LS_OPTION_GROUP_OPENCL))
               != 0
             || option->own != NULL);
}

/* A lane with a value of its own couldn't follow. */
static gboolean
check_lanes (const LsSweep *sweep, const LsOption *option, GError **error)
{
  for (guint i = 0; i < sweep->specs->len; i++)
    {
      const LsLaneSpec *spec = sweep->specs->pdata[i];

      if (!ls_options_is_given (spec->own, option))
        continue;
      g_set_error (error, LS_ERROR, LS_ERROR_USAGE, _("--vary %s: the lane “%s” has a value of its own."),
                   option->name, spec->id);
      return FALSE;
    }
  return TRUE;
}

static gboolean
add_axis (LsSweep *sweep, const char *given, GError **error)
{
  g_autofree char *text = g_utf8_make_valid (given, -1);
  const char *equals = strchr (text, '=');
  g_autofree char *name = equals != NULL ? g_strndup (text, (gsize) (equals - text)) : NULL;
  const LsOption *option = name != NULL ? ls_options_find (g_strstrip (name)) : NULL;
  g_autoptr (LsOptions) tried = ls_options_copy (sweep->options);
  LsSweepAxis axis = { .option = option };

  if (equals == NULL)
    return refuse (
      error,
      g_strdup_printf (_("--vary takes an option and its values, such as batch=1,16,128, not “%s”."), text));
  if (!may_vary (option))
    return refuse (error, g_strdup_printf (_("--vary: there is no option “%s” that changes a step."), name));
  for (guint i = 0; i < sweep->axes->len; i++)
    if (g_array_index (sweep->axes, LsSweepAxis, i).option == option)
      return refuse (error, g_strdup_printf (_("--vary %s is given twice."), option->name));
  axis.values = g_strsplit (equals + 1, strchr (equals, ';') != NULL ? ";" : ",", -1);
  axis.n = g_strv_length (axis.values);
  g_array_append_val (sweep->axes, axis);
  if (axis.n == 0)
    return refuse (error, g_strdup_printf (_("--vary %s has no value."), option->name));
  for (guint i = 0; i < axis.n; i++)
    {
      if (!ls_options_set (tried, option, g_strstrip (axis.values[i]), error))
        return FALSE;
      g_free (axis.values[i]);
      axis.values[i] = ls_options_get (tried, option); /* 0.10 is 0.1 */
      for (guint k = 0; k < i; k++)
        if (strcmp (axis.values[k], axis.values[i]) == 0)
          return refuse (error,
                         g_strdup_printf (_("--vary %s has “%s” twice."), option->name, axis.values[i]));
    }
  return check_lanes (sweep, option, error);
}

const char *
ls_sweep_value (const LsSweep *sweep, guint combination, guint axis)
{
  for (guint i = sweep->axes->len - 1; i > axis; i--)
    combination /= g_array_index (sweep->axes, LsSweepAxis, i).n;
  const LsSweepAxis *a = &g_array_index (sweep->axes, LsSweepAxis, axis);
  return a->values[combination % a->n];
}

char *
ls_sweep_text (const LsSweep *sweep, guint combination)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < sweep->axes->len; i++)
    g_string_append_printf (text, "%s%s %s", i > 0 ? ", " : "",
                            g_array_index (sweep->axes, LsSweepAxis, i).option->name,
                            ls_sweep_value (sweep, combination, i));
  return g_string_free (text, FALSE);
}

static LsOptions *
options_of (const LsSweep *sweep, guint combination)
{
  LsOptions *options = ls_options_copy (sweep->options);

  for (guint i = 0; i < sweep->axes->len; i++)
    ls_options_set (options, g_array_index (sweep->axes, LsSweepAxis, i).option,
                    ls_sweep_value (sweep, combination, i), NULL);
  ls_data_suggest (options, sweep->n_classes[combination], sweep->n_train[combination]);
  return options;
}

/* At each data set that a combination may have, once: its defaults follow from what it is. */
static void
look (const LsSweep *sweep)
{
  ls_data_look (sweep->options->data);
  for (guint i = 0; i < sweep->axes->len; i++)
    {
      const LsSweepAxis *axis = &g_array_index (sweep->axes, LsSweepAxis, i);

      for (guint v = 0; strcmp (axis->option->name, "data") == 0 && v < axis->n; v++)
        ls_data_look (axis->values[v]);
    }
}

static char *
spec_of (const LsOptions *options)
{
  return g_strdup_printf ("step\t%s\t%s\t%lld", options->model, options->data, (long long) options->batch);
}

/* Built-in data are what they are, but for the seed. */
static gboolean
check_reading (const LsSweep *sweep, const LsOptions *options, GError **error)
{
  for (guint i = 0; i < sweep->axes->len; i++)
    {
      const LsOption *option = g_array_index (sweep->axes, LsSweepAxis, i).option;

      if (option->group & LS_OPTION_GROUP_DATA && strcmp (option->name, "seed") != 0
          && g_strv_contains (ls_data_names (), options->data))
        return refuse (error, g_strdup_printf (_("--vary %s changes nothing about the data “%s”."),
                                               option->name, options->data));
    }
  return TRUE;
}

static gboolean
check_step (const LsSweep *sweep, guint combination, LsData **data, GError **error)
{
  g_autoptr (LsOptions) asked = options_of (sweep, combination), options = NULL;

  if (!check_reading (sweep, asked, error)
      || (sweep->n_classes[combination] = ls_lab_classes (asked, data, &sweep->n_train[combination], error))
           == 0)
    return FALSE;
  options = options_of (sweep, combination);
  if (!ls_lab_check_step (options, data, error))
    {
      g_autofree char *text = ls_sweep_text (sweep, combination);

      g_prefix_error (error, "%s: ", text);
      return FALSE;
    }
  return TRUE;
}

static char *
data_key_of (const LsSweep *sweep, guint combination)
{
  g_autoptr (LsOptions) options = options_of (sweep, combination);
  const LsDataRequest request = ls_data_request (options);

  return ls_data_key (&request);
}

/* Whether each combination is a step that can be done; those of the same data one after the other, so that
 * these are read once. */
static gboolean
check_steps (const LsSweep *sweep, GError **error)
{
  g_autoptr (GPtrArray) keys = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (LsData) data = NULL;

  for (guint c = 0; c < sweep->n; c++)
    g_ptr_array_add (keys, data_key_of (sweep, c));
  for (guint first = 0; first < sweep->n; first++)
    {
      const gboolean checked = sweep->n_classes[first] > 0;

      for (guint c = first; !checked && c < sweep->n; c++)
        if (strcmp (keys->pdata[c], keys->pdata[first]) == 0 && !check_step (sweep, c, &data, error))
          return FALSE;
    }
  return TRUE;
}

/* The first combination that is the same to that lane; −1: none before it is. */
static gint
same_before (const LsSweep *sweep, guint combination, guint lane)
{
  const LsLaneSpec *spec = sweep->specs->pdata[lane];

  for (guint c = 0; c < combination; c++)
    {
      gboolean same = TRUE;

      for (guint i = 0; i < sweep->axes->len && same; i++)
        same = !ls_lane_concerned (spec->backend, g_array_index (sweep->axes, LsSweepAxis, i).option)
               || strcmp (ls_sweep_value (sweep, c, i), ls_sweep_value (sweep, combination, i)) == 0;
      if (same)
        return (gint) c;
    }
  return -1;
}

LsSweep *
ls_sweep_new (const LsOptions *options, const char *const *vary, GError **error)
{
  g_autoptr (LsSweep) sweep = g_new0 (LsSweep, 1);

  sweep->options = ls_options_copy (options);
  sweep->axes = g_array_new (FALSE, FALSE, sizeof (LsSweepAxis));
  sweep->specs = ls_lane_specs_new (options, error);
  if (sweep->specs == NULL)
    return NULL;
  sweep->n = 1;
  for (; *vary != NULL; vary++)
    {
      if (!add_axis (sweep, *vary, error))
        return NULL;
      sweep->n *= g_array_index (sweep->axes, LsSweepAxis, sweep->axes->len - 1).n;
      if (sweep->n > LS_SWEEP_MOST)
        {
          g_set_error (error, LS_ERROR, LS_ERROR_USAGE, _("These are more than %d combinations; vary less."),
                       LS_SWEEP_MOST);
          return NULL;
        }
    }
  sweep->n_classes = g_new0 (gint, sweep->n);
  sweep->n_train = g_new0 (gint64, sweep->n);
  look (sweep);
  if (!check_steps (sweep, error))
    return NULL;
  sweep->cells = g_new0 (LsSweepCell, sweep->n * sweep->specs->len);
  for (guint c = 0; c < sweep->n; c++)
    for (guint i = 0; i < sweep->specs->len; i++)
      sweep->cells[c * sweep->specs->len + i].same = same_before (sweep, c, i);
  return g_steal_pointer (&sweep);
}

void
ls_sweep_free (LsSweep *sweep)
{
  for (guint i = 0; sweep->cells != NULL && i < sweep->n * sweep->specs->len; i++)
    g_free (sweep->cells[i].why);
  for (guint i = 0; i < sweep->axes->len; i++)
    g_strfreev (g_array_index (sweep->axes, LsSweepAxis, i).values);
  g_free (sweep->cells);
  g_free (sweep->n_classes);
  g_free (sweep->n_train);
  g_array_unref (sweep->axes);
  g_clear_pointer (&sweep->specs, g_ptr_array_unref);
  ls_options_free (sweep->options);
  g_free (sweep);
}

void
ls_sweep_forget (LsSweep *sweep)
{
  for (guint i = 0; i < sweep->n * sweep->specs->len; i++)
    {
      g_clear_pointer (&sweep->cells[i].why, g_free);
      sweep->cells[i].rate = (LsFigure){ 0 };
    }
  sweep->done = 0;
}

/* ---- measuring ---- */

static LsLabChild *
open_lane (const LsLaneSpec *spec, const char *step, GCancellable *cancel, GError **error)
{
  LsLabChild *child = ls_lab_child_self (spec->backend->name, spec->options, NULL, cancel, error);

  if (child != NULL && !ls_lab_child_prepare (child, step, ANSWER_S, NULL, error))
    g_clear_pointer (&child, ls_lab_child_free);
  return child;
}

static void
measure (LsSweep *sweep, guint combination, double seconds, guint rounds, GCancellable *cancel)
{
  const guint n = sweep->specs->len;
  g_autoptr (LsOptions) options = options_of (sweep, combination);
  g_autoptr (GPtrArray) specs = ls_lane_specs_again (sweep->specs, options);
  g_autofree char *step = spec_of (options);
  LsLabChild *children[LS_MAX_LANES] = { NULL };
  GArray *times[LS_MAX_LANES];
  GError *errors[LS_MAX_LANES] = { NULL };

  for (guint i = 0; i < n; i++)
    {
      times[i] = g_array_new (FALSE, FALSE, sizeof (double));
      if (ls_sweep_cell (sweep, combination, i)->same < 0)
        children[i] = open_lane (specs->pdata[i], step, cancel, &errors[i]);
    }
  ls_lab_take_turns (children, n, seconds / n / rounds, rounds, ANSWER_S, times, errors);
  for (guint i = 0; i < n; i++)
    {
      LsSweepCell *cell = &sweep->cells[combination * n + i];

      g_clear_pointer (&cell->why, g_free); /* it was stopped at this one before */
      if (cell->same >= 0)
        {
          const LsSweepCell *other = ls_sweep_cell (sweep, (guint) cell->same, i);
          cell->rate = other->rate;
          cell->why = g_strdup (other->why);
        }
      else if (errors[i] != NULL)
        cell->why = ls_sentence (errors[i]->message);
      else if (times[i]->len > 0)
        {
          const LsFigure us = ls_figure_of_samples ((gpointer) times[i]->data, times[i]->len, "µs");
          cell->rate = ls_figure_per_second (&us, (double) options->batch, "samples/s");
        }
      g_clear_error (&errors[i]);
      g_array_unref (times[i]);
      g_clear_pointer (&children[i], ls_lab_child_free);
    }
}

static gboolean
has_any (const LsSweep *sweep)
{
  for (guint i = 0; i < sweep->n * sweep->specs->len; i++)
    if (sweep->cells[i].rate.n > 0)
      return TRUE;
  return FALSE;
}

gboolean
ls_sweep_run (LsSweep *sweep, double seconds, guint rounds, LsSweepHeard heard, gpointer data,
              GCancellable *cancel, GError **error)
{
  const double each = MAX (LEAST_S, seconds / sweep->n);
  const guint64 start = ls_clock_ns ();
  const guint first = sweep->done;
  const int lock = ls_lab_lock ();

  if (lock < 0)
    {
      g_set_error_literal (error, LS_ERROR, LS_ERROR_DEVICE,
                           _("Another program is just measuring here; both would disturb each other."));
      return FALSE;
    }
  while (sweep->done < sweep->n && !g_cancellable_is_cancelled (cancel))
    {
      const double passed = (double) (ls_clock_ns () - start) / 1e9,
                   usual = sweep->done > first ? passed / (sweep->done - first) : each;

      heard (sweep, TRUE, usual * (sweep->n - sweep->done), data);
      measure (sweep, sweep->done, each, rounds, cancel);
      if (g_cancellable_is_cancelled (cancel))
        break;
      sweep->done++;
      heard (sweep, FALSE, 0, data);
    }
  close (lock);
  if (g_cancellable_is_cancelled (cancel))
    g_set_error_literal (error, LS_ERROR, LS_ERROR_CANCELLED, _("It was stopped."));
  else if (!has_any (sweep))
    g_set_error_literal (error, LS_ERROR, LS_ERROR_DEVICE, _("No lane could do any of it."));
  else
    return TRUE;
  return FALSE;
}
