/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Results of experiments: the input is a result, as it is kept on disk, or a list of them, as a recording has
 * it. What is accepted is written and read again; curves are fitted, and it is told as CSV.
 */
#include "fuzz.h"

#include <math.h>
#include <string.h>

#include "json_mutator.h"
#include "lab/result.h"

size_t
LLVMFuzzerCustomMutator (uint8_t *data, size_t size, size_t max, unsigned int seed)
{
  return json_mutator (data, size, max, seed);
}

static void
check_result (const LsLabResult *result, const json_t *from)
{
  g_autoptr (json_t) json = ls_lab_result_to_json (result), json_again = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (LsLabResult) again = ls_lab_result_from_json (json, &error), copy = ls_lab_result_copy (result);

  fuzz_check (again != NULL, "what was written isn't read: %s", error != NULL ? error->message : "");
  /* Options are said as the table says them, points stand by size. */
  g_autofree char *file = json_dumps (from, 0);
  /* version 1's names are read in a file of any version */
  const gboolean older = json_integer_value (json_object_get (from, "version")) < LS_LAB_VERSION
                         || strstr (file, "samples_per_second") != NULL;
  const char *other = older ? NULL : json_other (json, from, "options");
  fuzz_check (other == NULL || strcmp (other, "x") == 0, "“%s” was written otherwise than it was read",
              other);
  json_again = ls_lab_result_to_json (again);
  fuzz_check (json_equal (json, json_again), "what was written is read as something else");
  json_decref (json_again);
  json_again = ls_lab_result_to_json (copy);
  fuzz_check (json_equal (json, json_again), "its copy is something else");
  fuzz_check (ls_lab_options_alike (result->experiment, result->options, again->options)
                && ls_lab_result_goes_with (result, again),
              "it doesn't go with itself");
  for (guint i = 0; i < result->specs->len; i++)
    {
      LsLabFit fit;

      if (!ls_lab_fit (result, i, &fit))
        continue;
      g_autofree char *words = ls_lab_fit_text (result, &fit);
      fuzz_check_words ("a fit", words);
      fuzz_check (isfinite (fit.law.worst) && isfinite (fit.law.residual), "a fit of %s", words);
      for (guint k = 0; k < fit.law.n; k++)
        fuzz_check (isfinite (fit.law.constants[k].value) && isfinite (fit.law.constants[k].q3)
                      && fit.law.constants[k].q1 >= 0,
                    "a constant of %s", words);
    }
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  g_autofree char *text = fuzz_text (data, size), *said = NULL, *csv = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) results = NULL;

  if (*text == '{')
    {
      g_autoptr (json_t) json = ls_json_parse (text, strlen (text), 1 << 20, JSON_OBJECT, &error);
      LsLabResult *result = json != NULL ? ls_lab_result_from_json (json, &error) : NULL;

      results = result != NULL ? g_ptr_array_new_with_free_func ((GDestroyNotify) ls_lab_result_unref) : NULL;
      if (result != NULL)
        g_ptr_array_add (results, result);
    }
  else
    results = ls_lab_results_parse (text, &error);
  fuzz_check_answer (results != NULL, error);
  if (results == NULL)
    return 0;
  g_autoptr (json_t) from = json_loads (text, 0, NULL);
  for (guint i = 0; i < results->len; i++)
    check_result (results->pdata[i], json_is_array (from) ? json_array_get (from, i) : from);
  said = ls_lab_results_text (results);
  if (said != NULL)
    {
      g_autoptr (GPtrArray) again = ls_lab_results_parse (said, &error);
      fuzz_check (again != NULL && again->len == results->len, "their list isn't read: %s",
                  error != NULL ? error->message : "");
    }
  csv = ls_lab_csv (results);
  fuzz_check (csv != NULL && g_utf8_validate (csv, -1, NULL), "CSV that isn't UTF-8");
  return 0;
}
