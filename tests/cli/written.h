/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a command writes with --json, read back, beside what it prints.
 */
#pragma once

#include "../folder.h"
#include "captured.h"

#include "files/json.h"

/* words: of a command that says nothing else to stderr. (transfer full) */
static inline json_t *
written_as (const char *format, const char *words, Captured *said)
{
  g_autofree char *folder = g_dir_make_tmp ("lockstep-written-XXXXXX", NULL),
                  *path = g_build_filename (folder, "out.json", NULL),
                  *line = g_strdup_printf ("%s|--json|%s", words, path), *text = NULL;
  json_t *root;
  gsize n;

  *said = run (line);
  g_assert_cmpstr (said->err, ==, "");
  g_assert_true (g_file_get_contents (path, &text, &n, NULL));
  root = ls_json_parse (text, n, n, JSON_OBJECT, NULL);
  g_assert_cmpstr (json_string_value (json_object_get (root, "format")), ==, format);
  remove_tree (folder);
  return root;
}

/* A number, or one of a range's two. */
static inline double
number_of (const json_t *object, const char *name, guint i)
{
  const json_t *value = json_object_get (object, name);

  return json_number_value (json_is_array (value) ? json_array_get (value, i) : value);
}

/* The object of that name in a list of them. */
static inline const json_t *
named (const json_t *root, const char *list, const char *name)
{
  const json_t *all = json_object_get (root, list);

  for (gsize i = 0; i < json_array_size (all); i++)
    if (g_strcmp0 (json_string_value (json_object_get (json_array_get (all, i), "name")), name) == 0)
      return json_array_get (all, i);
  g_error ("there is no “%s” in “%s”", name, list);
}

/* A short run of a small network on the CPU lane, recorded in the folder. (transfer full) */
static inline char *
record_run (const char *folder, guint steps)
{
  char *recorded = g_build_filename (folder, "run.lockstep", NULL);
  g_autofree char *line = g_strdup_printf (
    "train|--lanes|cpu|--data|spiral|--model|flatten, dense 100, relu, dense 3|--batch|32|"
    "--steps|%u|--record|%s",
    steps, recorded);
  g_auto (Captured) said = run (line);

  if (said.status != 0)
    g_error ("%s ended with %d and said: %s", line, said.status, said.err);
  return recorded;
}
