/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How many times as fast one lane is on the own network: to two figures below ten, and to three from there
 * on.
 */
#include "config.h"

#include <string.h>

#include "lab/crossover.h"
#include "rig.h"

static void
test_times (void)
{
  static const struct {
    double times;
    const char *words;
  } rows[] = { { 1.36, "is 1.4 times as fast on OpenCL." },
               { 9.94, "is 9.9 times as fast on OpenCL." },
               { 9.96, "is 9.96 times as fast on OpenCL." },
               { 12.34, "is 12.3 times as fast on OpenCL." },
               { 123.4, "is 123 times as fast on OpenCL." } };
  const LsLabSpot own = { 128, 256 };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (LsOptions) options = rig_options ("cpu,opencl");
      g_autoptr (LsLabResult) result = ls_lab_result_new (&ls_experiment_crossover, options, NULL);

      for (guint lane = 0; lane < 2; lane++)
        {
          const double rate = lane == 0 ? 1e6 : 1e6 * rows[i].times;
          const LsLabPoint point
            = { own.x, own.y, { rate, "samples/s", LS_EVIDENCE_MEASURED, 5, rate, rate }, { 0 } };

          g_assert_true (ls_lab_result_add (result, lane, &point));
        }
      g_array_append_val (result->tried, own);
      g_autofree char *text = ls_lab_crossover_text (result, &own);
      if (strstr (text, rows[i].words) == NULL)
        g_error ("%g times is told as “%s”, not “%s”", rows[i].times, text, rows[i].words);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/lab-own/times", test_times);
  return g_test_run ();
}
