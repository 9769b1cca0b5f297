/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Results of experiments that earlier versions of the program have kept: they are read as what they were.
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
  g_autoptr (LsLabResult) result = rig_sample (&ls_experiment_batch, "cpu,opencl", TRUE), back = NULL;
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

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/lab/older/options", test_older);
  g_test_add_func ("/lab/older/version-1", test_version_1);
  return g_test_run ();
}
