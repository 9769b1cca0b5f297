/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See rig.h.
 */
#include "config.h"
#include "rig.h"

#include <string.h>

LsOptions *
rig_options (const char *lanes)
{
  LsOptions *options = ls_options_new ();

  g_assert_true (ls_options_set (options, ls_options_find ("lanes"), lanes, NULL));
  return options;
}

void
rig_add (LsLabResult *result, guint lane, double x, double rate, double plain)
{
  LsLabPoint p = { .x = x, .rate = { rate, "samples/s", LS_EVIDENCE_MEASURED, 9, rate / 2, rate * 2 } };

  if (plain > 0)
    p.plain = (LsFigure){ plain, "samples/s", LS_EVIDENCE_MEASURED, 7, plain, plain };
  g_assert_true (ls_lab_result_add (result, lane, &p));
}

LsLabResult *
rig_sample (const LsExperiment *experiment, const char *lanes, gboolean whole)
{
  g_autoptr (LsOptions) options = rig_options (lanes);
  g_autoptr (GError) error = NULL;
  LsLabResult *result = ls_lab_result_new (experiment, options, &error);
  LsLabSpot sizes[] = { { 1, 0 }, { 128, 0 }, { 8, 0 } };

  g_assert_no_error (error);
  result->devices[0] = g_strdup ("AMD EPYC, CPU, 2 workers");
  result->n_sizes = whole ? 3 : 13;
  result->seconds = 20;
  result->rounds = 5;
  g_array_append_vals (result->tried, sizes, G_N_ELEMENTS (sizes));
  rig_add (result, 0, 1, 10000, 0);
  rig_add (result, 0, 128, 300000.5, 310000);
  rig_add (result, 0, 8, 50000, 0);
  return result;
}

void
rig_assert_alike (const LsLabResult *a, const LsLabResult *b)
{
  g_autoptr (json_t) one = ls_lab_result_to_json (a), other = ls_lab_result_to_json (b);
  g_autofree char *first = json_dumps (one, JSON_SORT_KEYS), *second = json_dumps (other, JSON_SORT_KEYS);

  g_assert_cmpstr (first, ==, second);
}

const LsLabWorker *
rig_worker (void)
{
  for (const LsLabWorker *const *w = ls_lab_workers; *w != NULL; w++)
    if (strcmp ((*w)->name, "reference") == 0)
      return *w;
  g_error ("there is no worker of the reference");
}
