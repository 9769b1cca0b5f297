/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The table of experiments.
 */
#include "config.h"
#include "lab/experiment.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define ROW(name) &ls_experiment_##name,

static const LsExperiment *const experiments[] = { LS_EXPERIMENTS (ROW) };

const LsExperiment *const *
ls_experiments (guint *n)
{
  *n = G_N_ELEMENTS (experiments);
  return experiments;
}

const LsExperiment *const *
ls_experiments_of_one_size (guint *n)
{
  *n = 0;
  while (*n < G_N_ELEMENTS (experiments) && experiments[*n]->rows == NULL)
    ++*n;
  return experiments;
}

const LsExperiment *
ls_experiment_find (const char *name)
{
  for (guint i = 0; i < G_N_ELEMENTS (experiments); i++)
    if (strcmp (experiments[i]->name, name) == 0)
      return experiments[i];
  return NULL;
}

char *
ls_experiment_spot_text (const LsExperiment *experiment, LsLabSpot spot)
{
  return experiment->row == NULL
           ? g_strdup_printf ("%s %u", _(experiment->column), spot.x)
           : g_strdup_printf ("%s %u, %s %u", _(experiment->row), spot.y, _(experiment->column), spot.x);
}

gboolean
ls_experiment_own (const LsExperiment *experiment, const LsOptions *options, LsLabSpot *spot)
{
  return experiment->own != NULL && experiment->own (options, spot);
}

gboolean
ls_experiment_depends_on (const LsExperiment *experiment, const LsOption *option)
{
  /* of how data are read the seed says which samples are for testing, which no rate depends on */
  static const char *const networks[] = { "model", "data", "test-share", "label", "missing", "size", NULL };

  if (experiment != NULL && experiment->of_network && g_strv_contains (networks, option->name))
    return TRUE;
  return (option->group & (LS_OPTION_GROUP_LANES | LS_OPTION_GROUP_CPU | LS_OPTION_GROUP_OPENCL)) != 0
         || option->own != NULL;
}

guint
ls_lab_powers (guint from, guint to, guint *sizes)
{
  guint n = 0;

  for (guint size = from; size <= to && n < LS_LAB_MAX_SIZES; size *= 2)
    sizes[n++] = size;
  return n;
}

guint
ls_lab_insert (guint *sizes, guint n, guint size)
{
  guint at = 0;

  while (at < n && sizes[at] < size)
    at++;
  if (n == LS_LAB_MAX_SIZES || (at < n && sizes[at] == size))
    return n;
  memmove (sizes + at + 1, sizes + at, (n - at) * sizeof *sizes);
  sizes[at] = size;
  return n + 1;
}

void
ls_lab_coarse_first (guint *sizes, guint n)
{
  guint held[LS_LAB_MAX_SIZES], step = 1, put = 0;

  if (n < 3)
    return;
  memcpy (held, sizes, n * sizeof *sizes);
  while (step < n - 1)
    step *= 2;
  sizes[put++] = held[0];
  sizes[put++] = held[n - 1];
  for (step /= 2; step > 0; step /= 2)
    for (guint i = step; i < n - 1; i += 2 * step)
      sizes[put++] = held[i];
}

GArray *
ls_experiment_spots (const LsExperiment *experiment, const LsOptions *options, const guint *threads,
                     guint n_lanes)
{
  GArray *spots = g_array_new (FALSE, FALSE, sizeof (LsLabSpot));
  guint sizes[LS_LAB_MAX_SIZES], rows[LS_LAB_MAX_SIZES] = { 0 }, most = 1, n, n_rows;

  for (guint i = 0; i < n_lanes; i++)
    most = MAX (most, threads[i]);
  n = experiment->sizes (options, most, sizes);
  n_rows = experiment->rows != NULL ? experiment->rows (options, rows) : 1;
  for (guint i = 0; i < n_lanes && experiment->of_threads; i++)
    n = threads[i] > 0 ? ls_lab_insert (sizes, n, threads[i]) : n;
  ls_lab_coarse_first (sizes, n);
  if (experiment->rows != NULL)
    ls_lab_coarse_first (rows, n_rows);
  for (guint y = 0; y < n_rows; y++)
    for (guint x = 0; x < n && spots->len < LS_LAB_MAX_SPOTS; x++)
      {
        const LsLabSpot spot = { sizes[x], rows[y] };
        g_array_append_val (spots, spot);
      }
  return spots;
}
