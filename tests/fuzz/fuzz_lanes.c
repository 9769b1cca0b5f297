/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Lists of lanes: the input is a text as --lanes takes it. What is accepted is said again, with the lanes'
 * names, and means the same lanes.
 */
#include "fuzz.h"

#include "train/lane_spec.h"

static GPtrArray *
read_lanes (const char *text, GError **error)
{
  g_autoptr (LsOptions) options = ls_options_new ();

  return ls_options_set (options, ls_options_find ("lanes"), text, error) ? ls_lane_specs_new (options, error)
                                                                          : NULL;
}

/* Names that nobody but the program gives can't be told from given ones, so all are said. (transfer full) */
static char *
say (const GPtrArray *specs)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < specs->len; i++)
    {
      const LsLaneSpec *spec = specs->pdata[i];

      g_string_append_printf (text, "%s%s=%s", i > 0 ? "," : "", spec->id, spec->text);
    }
  return g_string_free (text, FALSE);
}

static void
check_own (const GPtrArray *specs, guint lane)
{
  const LsLaneSpec *spec = specs->pdata[lane];
  guint n;
  const LsOption *rows = ls_options_table (&n);

  for (guint i = 0; i < n; i++)
    if (ls_lane_may_have (spec->backend, &rows[i]))
      {
        g_autofree char *value = ls_options_get (spec->options, &rows[i]);
        g_autofree char *with = ls_lane_specs_with (specs, lane, &rows[i], value), *same = NULL;
        g_autoptr (GError) error = NULL;
        g_autoptr (GPtrArray) again = read_lanes (with, &error);

        fuzz_check (again != NULL && again->len == specs->len, "“%s”, made of lanes, isn't understood: %s",
                    with, error != NULL ? error->message : "another number of lanes");
        same = ls_options_get (((const LsLaneSpec *) again->pdata[lane])->options, &rows[i]);
        fuzz_check_same (rows[i].name, value, same);
      }
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  g_autofree char *text = fuzz_text (data, size), *said = NULL, *said_again = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) specs = read_lanes (text, &error), again = NULL;

  fuzz_check_answer (specs != NULL, error);
  if (specs == NULL)
    return 0;
  fuzz_check (specs->len >= 1 && specs->len <= LS_MAX_LANES, "%u lanes", specs->len);
  for (guint i = 0; i < specs->len; i++)
    {
      const LsLaneSpec *spec = specs->pdata[i];

      fuzz_check_words ("a lane's name", spec->id);
      fuzz_check_words ("a lane's title", spec->title);
      for (guint k = 0; k < i; k++)
        {
          const LsLaneSpec *other = specs->pdata[k];

          fuzz_check (g_strcmp0 (other->id, spec->id) != 0, "two lanes are called %s", spec->id);
          fuzz_check (g_strcmp0 (other->title, spec->title) != 0, "two lanes have the title %s", spec->title);
        }
      check_own (specs, i);
    }
  said = say (specs);
  again = read_lanes (said, &error);
  fuzz_check (again != NULL, "“%s”, made of “%s”, isn't understood: %s", said, text,
              error != NULL ? error->message : "");
  said_again = say (again);
  fuzz_check_same ("the lanes", said, said_again);
  return 0;
}
