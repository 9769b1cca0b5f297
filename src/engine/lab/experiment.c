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

const LsExperiment *
ls_experiment_find (const char *name)
{
  for (guint i = 0; i < G_N_ELEMENTS (experiments); i++)
    if (strcmp (experiments[i]->name, name) == 0)
      return experiments[i];
  return NULL;
}

char *
ls_experiment_point_text (const LsExperiment *experiment, guint size)
{
  return g_strdup_printf ("%s %u", _(experiment->column), size);
}

guint
ls_lab_powers (guint from, guint to, guint *sizes)
{
  guint n = 0;

  for (guint size = from; size <= to && n < LS_LAB_MAX_SIZES; size *= 2)
    sizes[n++] = size;
  return n;
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
