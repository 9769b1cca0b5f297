/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Options: each line of the input is NAME=TEXT. What is accepted is read back and set again; what is refused
 * changes nothing.
 */
#include "fuzz.h"

#include <string.h>

#include "core/options.h"
#include "data/defaults.h"

/* All rows, a line each. (transfer full) */
static char *
all_of (const LsOptions *options)
{
  GString *text = g_string_new (NULL);
  guint n;
  const LsOption *rows = ls_options_table (&n);

  for (guint i = 0; i < n; i++)
    {
      g_autofree char *value = ls_options_get (options, &rows[i]);

      g_string_append_printf (text, "%s=%s\n", rows[i].name, value);
    }
  return g_string_free (text, FALSE);
}

static void
set_one (LsOptions *options, const LsOption *row, const char *text)
{
  g_autofree char *before = ls_options_get (options, row), *after = NULL, *value = NULL, *again = NULL;
  g_autoptr (LsOptions) other = NULL;
  g_autoptr (GError) error = NULL;
  const guint64 given = options->given;
  const gboolean accepted = ls_options_set (options, row, text, &error);

  fuzz_check_answer (accepted, error);
  after = ls_options_get (options, row);
  if (!accepted)
    {
      fuzz_check_same ("an option after it was refused", before, after);
      fuzz_check (options->given == given, "--%s was refused and is given", row->name);
      return;
    }
  fuzz_check (ls_options_is_given (options, row), "--%s was accepted and isn't given", row->name);
  value = ls_options_get (options, row);
  other = ls_options_new ();
  fuzz_check (ls_options_set (other, row, value, NULL), "--%s: “%s” isn't understood again", row->name,
              value);
  fuzz_check (row->type == LS_OPTION_STRING
                || memcmp (G_STRUCT_MEMBER_P (options, row->offset), G_STRUCT_MEMBER_P (other, row->offset),
                           row->type == LS_OPTION_CHOICE ? sizeof (gint) : 8)
                     == 0,
              "--%s: “%s” is another value", row->name, value);
  again = ls_options_get (other, row);
  fuzz_check_same (row->name, value, again);
  fuzz_check (ls_option_word (row, value) != NULL, "--%s: “%s” has no words", row->name, value);
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  g_autofree char *text = fuzz_text (data, size), *settled = NULL, *again = NULL;
  g_auto (GStrv) lines = g_strsplit (text, "\n", 32);
  g_autoptr (LsOptions) options = ls_options_new (), copy = NULL;

  for (guint i = 0; lines[i] != NULL; i++)
    {
      char *value = strchr (lines[i], '=');
      const LsOption *row;

      if (value == NULL)
        continue;
      *value++ = '\0';
      row = ls_options_find (lines[i]);
      if (row != NULL)
        set_one (options, row, value);
    }
  /* What follows from them follows once. */
  ls_data_suggest (options, 0, 0);
  settled = all_of (options);
  copy = ls_options_copy (options);
  ls_data_suggest (copy, 0, 0);
  again = all_of (copy);
  fuzz_check_same ("what options suggest", settled, again);
  return 0;
}
