/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Results of converted networks, as they are kept on disk: what is accepted is written and read again, and
 * told as CSV.
 */
#include "fuzz.h"

#include <math.h>
#include <string.h>

#include "json_mutator.h"
#include "machines/converted/converted.h"

size_t
LLVMFuzzerCustomMutator (uint8_t *data, size_t size, size_t max, unsigned int seed)
{
  return json_mutator (data, size, max, seed);
}

static void
check (const LsConverted *result)
{
  g_autoptr (json_t) json = ls_converted_to_json (result), json_again = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (LsConverted) again = ls_converted_from_json (json, &error);
  g_autofree char *csv = ls_converted_csv (result);
  const LsConvertedPoint *within = ls_converted_within (result, 1);

  fuzz_check (again != NULL, "what was written isn't read: %s", error != NULL ? error->message : "");
  json_again = ls_converted_to_json (again);
  fuzz_check (json_equal (json, json_again), "what was written is read as something else");
  fuzz_check (g_utf8_validate (csv, -1, NULL), "CSV that isn't UTF-8");
  fuzz_check (within == NULL || within->accuracy.value >= result->accuracy.value - 1, "it isn't within");
  for (guint i = 0; i < result->n_points; i++)
    fuzz_check (isfinite (result->points[i].energy.value) && isfinite (result->points[i].rate.value)
                  && result->points[i].rate.value <= 1,
                "point %u is none", i);
  fuzz_check_words ("its network", result->model);
  fuzz_check_words ("its machine", result->machine);
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  g_autofree char *text = fuzz_text (data, size);
  g_autoptr (GError) error = NULL;
  g_autoptr (json_t) json = ls_json_parse (text, strlen (text), 1 << 20, JSON_OBJECT, &error);
  g_autoptr (LsConverted) result = json != NULL ? ls_converted_from_json (json, &error) : NULL;

  fuzz_check_answer (result != NULL, error);
  if (result != NULL)
    check (result);
  return 0;
}
