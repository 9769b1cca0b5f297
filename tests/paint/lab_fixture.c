/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See lab_fixture.h.
 */
#include "lab_fixture.h"

#include <math.h>
#include <string.h>

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

/* With the same bend as devices have: the law's corner is met from below. */
static double
in_flight (double one, double full, double x)
{
  return one * MIN (x, full) * (x > full / 2 && x < 2 * full ? .9 : 1);
}

static double
rate_at (const char *name, guint lane, double x)
{
  const double serial = lane == 0 ? LAB_SERIAL_CPU : LAB_SERIAL_OPENCL;

  if (strcmp (name, "threads") == 0)
    return (lane == 0 ? 5e4 : 2e4) / (serial + (1 - serial) / x);
  if (strcmp (name, "batch") == 0)
    return lane == 0 ? 1e6 * x / (LAB_FIXED_US + LAB_EACH_US * x) : 1e6 * x / (200 + .65 * x);
  if (strcmp (name, "size") == 0)
    return lane == 0 ? 480 / (1 + pow (LAB_HALF_CPU / x, 1.5)) : 2900 / (1 + pow (590 / x, 1.5));
  if (strcmp (name, "flight") == 0)
    return lane == 0 ? in_flight (4e6, LAB_FULL_CPU, x) : in_flight (2e6, 610, x);
  if (strcmp (name, "flight-compute") == 0)
    return lane == 0 ? in_flight (1e9, 8, x) : in_flight (1e9, 32, x);
  if (strcmp (name, "edge") == 0)
    return x < 12 ? 560 : x < 24 ? 1071 : 840;
  if (strcmp (name, "tiles") == 0)
    return 3e5 / (1 + 3 / x + x / 400);
  return (lane == 0 ? 1e10 : 2e10) / (784 * x + x * x + 10 * x) * (lane == 0 ? 1 : x / (x + 300));
}

static guint
most (const char *name, guint lane)
{
  if (strcmp (name, "edge") == 0)
    return lane == 0 ? 0 : 32;
  if (strcmp (name, "tiles") == 0)
    return lane == 0 ? 256 : 0;
  return strcmp (name, "threads") == 0      ? (lane == 0 ? 8 : 24)
         : strncmp (name, "flight", 6) == 0 ? 1024
                                            : 4096;
}

static guint
least (const char *name)
{
  return strcmp (name, "width") == 0 || strcmp (name, "size") == 0 ? 64 : strcmp (name, "edge") == 0 ? 8 : 1;
}

static const char *
why (const char *name)
{
  return strcmp (name, "edge") == 0    ? "The edge of its tiles can’t be set."
         : strcmp (name, "tiles") == 0 ? "Its work-groups can’t be asked for a number."
         : strcmp (name, "width") == 0
           ? "The training step with its data takes 1.2 GiB, but the device gives 1.0 GiB."
           : NULL;
}

GPtrArray *
lab_fixture (void)
{
  static const char *const names[] = { "threads", "batch", "width",  "size",
                                       "edge",    "tiles", "flight", "flight-compute" };
  GPtrArray *results = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_lab_result_unref);
  g_autoptr (LsOptions) options = ls_options_new ();

  for (gsize k = 0; k < G_N_ELEMENTS (names); k++)
    {
      LsLabResult *result = ls_lab_result_new (ls_experiment_find (names[k]), options, NULL);
      const char *reason = why (names[k]);

      result->devices[0] = g_strdup ("invented CPU, 8 workers");
      result->devices[1] = g_strdup ("invented GPU, 24 compute units");
      result->cores = 8;
      g_free (result->date);
      result->date = g_strdup ("2025-10-10");
      for (guint x = least (names[k]); x <= MAX (most (names[k], 0), most (names[k], 1)); x *= 2)
        {
          const LsLabSpot spot = { x, 0 };
          const gboolean full = strcmp (names[k], "width") == 0 && x == 4096;

          for (guint lane = 0; lane < 2; lane++)
            if (x <= most (names[k], lane) && !(full && lane == 1))
              add (result, lane, x, rate_at (names[k], lane, x));
            else if (reason != NULL && result->missing[lane]->len == 0)
              ls_lab_result_add_missing (result, lane, spot, reason);
          g_array_append_val (result->tried, spot);
        }
      result->n_sizes = result->tried->len;
      result->seconds = 20;
      result->rounds = 5;
      g_ptr_array_add (results, result);
    }
  return results;
}
