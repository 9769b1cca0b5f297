/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Results of experiments that earlier versions of the program have kept: they are read as what they were, and
 * what is cut as far as it goes.
 */
#include "rig.h"

/* An option that a later version adds isn't in older results: they are read, with its default. */
static void
test_older (void)
{
  g_autoptr (LsLabResult) result = rig_sample (&ls_experiment_batch, "cpu,opencl", TRUE), back = NULL;
  g_autoptr (json_t) json = ls_lab_result_to_json (result);
  g_autoptr (GError) error = NULL;

  g_assert_cmpint (json_object_del (json_object_get (json, "options"), "batch-from"), ==, 0);
  back = ls_lab_result_from_json (json, &error);
  g_assert_no_error (error);
  rig_assert_alike (result, back);
}

/* Version 1 knew rates in samples/s alone, and one size of each; the same result is read from it. */
static void
test_version_1 (void)
{
  g_autoptr (LsLabResult) result = rig_sample (&ls_experiment_batch, "cpu,opencl", TRUE);
  g_autoptr (GPtrArray) all = g_ptr_array_new ();
  g_autoptr (GError) error = NULL;

  g_ptr_array_add (all, result);
  g_autofree char *text = ls_lab_results_text (all);
  g_autoptr (GString) old = g_string_new (text);
  if (g_string_replace (old, "\"rate\"", "\"samples_per_second\"", 0) != 3
      || g_string_replace (old, "\"plain_rate\"", "\"plain_samples_per_second\"", 0) != 1
      || g_string_replace (old, "\"version\":2", "\"version\":1", 0) != 1)
    g_error ("what is written of a result is no longer what version 2 was: %s", text);
  g_autoptr (GPtrArray) read = ls_lab_results_parse (old->str, &error);
  if (read == NULL)
    g_error ("a result that version 1 has kept is refused: %s", error->message);
  g_assert_cmpuint (read->len, ==, 1);
  rig_assert_alike (result, read->pdata[0]);
}

/* A list of cells that ends after the first of two numbers has so many cells as are whole. */
static void
test_half_a_cell (void)
{
  for (guint n = 0; n < 6; n++)
    {
      g_autoptr (LsOptions) options = rig_options ("cpu,opencl");
      g_autoptr (LsLabResult) result = ls_lab_result_new (&ls_experiment_crossover, options, NULL),
                              back = NULL;
      g_autoptr (json_t) json = NULL;
      g_autoptr (GError) error = NULL;
      json_t *tried = json_array ();

      result->n_sizes = 3;
      result->seconds = result->rounds = 1;
      json = ls_lab_result_to_json (result);
      for (guint i = 0; i < n; i++)
        json_array_append_new (tried, json_integer (10 + i));
      json_object_set_new (json, "tried", tried);
      back = ls_lab_result_from_json (json, &error);
      g_assert_no_error (error);
      if (back->tried->len != n / 2)
        g_error ("%u numbers are %u cells", n, back->tried->len);
      for (guint i = 0; i < n / 2; i++)
        {
          g_assert_cmpuint (g_array_index (back->tried, LsLabSpot, i).x, ==, 10 + 2 * i);
          g_assert_cmpuint (g_array_index (back->tried, LsLabSpot, i).y, ==, 11 + 2 * i);
        }
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/lab/older/options", test_older);
  g_test_add_func ("/lab/older/version-1", test_version_1);
  g_test_add_func ("/lab/older/half-a-cell", test_half_a_cell);
  return g_test_run ();
}
