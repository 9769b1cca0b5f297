/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See lab_fixture.h.
 */
#include "lab_fixture.h"

#include <math.h>
#include <string.h>

#define MNIST_BATCH 128.

LsLabResult *
lab_fixture_find (const GPtrArray *results, const char *name)
{
  for (guint i = 0; i < results->len; i++)
    if (strcmp (((LsLabResult *) results->pdata[i])->experiment->name, name) == 0)
      return results->pdata[i];
  return NULL;
}

/* The middle half is 4 % wide; 30 turns. */
static void
add (LsLabResult *result, guint lane, double x, double rate)
{
  const LsLabPoint p = { .x = x,
                         .rate = { rate, "samples/s", LS_EVIDENCE_MEASURED, 30, rate * .98, rate * 1.02 } };

  g_assert_true (ls_lab_result_add (result, lane, &p));
}

static double
rate_at (const char *name, guint lane, double x)
{
  if (strcmp (name, "threads") == 0)
    return (lane == 0 ? 5e4 : 2e4)
           / ((lane == 0 ? LAB_SERIAL_CPU : LAB_SERIAL_OPENCL)
              + (1 - (lane == 0 ? LAB_SERIAL_CPU : LAB_SERIAL_OPENCL)) / x);
  if (strcmp (name, "batch") == 0)
    return lane == 0 ? 1e6 * x / (LAB_FIXED_US + LAB_EACH_US * x) : 1e6 * x / (200 + .65 * x);
  return (lane == 0 ? 1e10 : 2e10) / (784 * x + x * x + 10 * x) * (lane == 0 ? 1 : x / (x + 300));
}

static guint
most (const char *name, guint lane)
{
  return strcmp (name, "threads") != 0 ? 4096 : lane == 0 ? 8 : 24;
}

GPtrArray *
lab_fixture (void)
{
  static const char *const names[] = { "threads", "batch", "width" };
  GPtrArray *results = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_lab_result_unref);
  g_autoptr (LsOptions) options = ls_options_new ();

  for (gsize k = 0; k < G_N_ELEMENTS (names); k++)
    {
      LsLabResult *result = ls_lab_result_new (ls_experiment_find (names[k]), options, NULL);
      const guint first = strcmp (names[k], "width") == 0 ? 64 : 1;

      result->devices[0] = g_strdup ("invented CPU, 8 workers");
      result->devices[1] = g_strdup ("invented GPU, 24 compute units");
      g_free (result->date);
      result->date = g_strdup ("2025-10-10");
      for (guint x = first; x <= 4096; x *= 2)
        {
          for (guint lane = 0; lane < 2; lane++)
            if (x <= most (names[k], lane))
              add (result, lane, x, rate_at (names[k], lane, x));
          const LsLabSpot spot = { x, 0 };
          g_array_append_val (result->tried, spot);
        }
      result->n_sizes = result->tried->len;
      result->seconds = 20;
      result->rounds = 5;
      g_ptr_array_add (results, result);
    }
  return results;
}
