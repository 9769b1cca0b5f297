/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "backends/listing.h"

#include <string.h>

#include "backends/kernel_files.h"

#define MARK "// phase: "

static const struct {
  const char *word;
  LsListingPhase phase;
} phases[] = {
  { "load", LS_LISTING_LOAD },
  { "barrier", LS_LISTING_BARRIER },
  { "multiply-accumulate", LS_LISTING_MULTIPLY },
  { "store", LS_LISTING_STORE },
};

/* ---- lines ---- */

static void
clear_line_cb (gpointer line)
{
  g_free (((LsListingLine *) line)->text);
}

static gboolean
is_space (const char *text)
{
  return text[strspn (text, " \t\r")] == '\0';
}

/* The line, from 0, at which the function's declaration begins: __kernel, or the line with its name. */
static gint
find_function (char *const *lines, const char *function)
{
  const gsize length = strlen (function);

  for (gint i = 0; lines[i] != NULL; i++)
    if (strncmp (lines[i], function, length) == 0 && lines[i][length] == ' ')
      return i > 0 && g_str_has_prefix (lines[i - 1], "__kernel") ? i - 1 : i;
  return -1;
}

static LsListingPhase
find_phase (const char *word)
{
  for (gsize i = 0; i < G_N_ELEMENTS (phases); i++)
    if (strcmp (word, phases[i].word) == 0)
      return phases[i].phase;
  return LS_LISTING_OTHER;
}

/* ---- which statements a phase is there for ---- */

static gboolean
works (LsListingPhase phase, const char *text)
{
  switch (phase)
    {
    case LS_LISTING_LOAD:
      return strstr (text, " A (") != NULL || strstr (text, " B (") != NULL
             || strstr (text, "LOADV (") != NULL;
    case LS_LISTING_BARRIER:
      return strstr (text, "barrier (") != NULL;
    case LS_LISTING_MULTIPLY:
      return strstr (text, "+= ") != NULL || strstr (text, "MULTIPLY") != NULL;
    case LS_LISTING_STORE:
      return strstr (text, "STORE") != NULL || strstr (text, "FINISH") != NULL;
    case LS_LISTING_OTHER:
      break;
    }
  return FALSE;
}

/* Of the multiply-adds only the innermost counts; sums of whole blocks, which follow it, are rare. */
static void
choose_workers (LsListing *listing)
{
  for (guint mark = 0; mark < listing->n_marks; mark++)
    {
      gboolean found = FALSE;
      for (guint i = 0; i < listing->lines->len; i++)
        {
          LsListingLine *line = &g_array_index (listing->lines, LsListingLine, i);
          if (line->mark != mark || !works (listing->marks[mark], line->text))
            continue;
          line->works = !found || listing->marks[mark] != LS_LISTING_MULTIPLY;
          found = TRUE;
        }
    }
}

/* A line without the macros that the variants for recording hang on. */
static char *
plain_text (const char *body)
{
  static const char *const hooks[] = { " LS_PROBE_ARG", " LS_WALK_ARG" };
  GString *text = g_string_new (body);

  for (guint i = 0; i < G_N_ELEMENTS (hooks); i++)
    g_string_replace (text, hooks[i], "", 0);
  return g_strchomp (g_string_free (text, FALSE));
}

LsListing *
ls_listing_new (const char *text, const char *function)
{
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  const gint first = find_function (lines, function);
  LsListing *listing;
  guint mark = LS_LISTING_NO_MARK, mark_indent = 0;

  if (first < 0)
    return NULL;
  listing = g_new0 (LsListing, 1);
  listing->lines = g_array_new (FALSE, FALSE, sizeof (LsListingLine));
  g_array_set_clear_func (listing->lines, clear_line_cb);
  for (gint i = first; lines[i] != NULL; i++)
    {
      const guint indent = (guint) strspn (lines[i], " ");
      const char *body = lines[i] + indent;
      LsListingLine line = { .number = (guint) i + 1, .indent = indent, .mark = LS_LISTING_NO_MARK };

      if (g_str_has_prefix (body, MARK) && listing->n_marks < LS_LISTING_MAX_MARKS)
        {
          g_autofree char *word = g_strstrip (g_strdup (body + strlen (MARK)));
          mark = listing->n_marks++;
          mark_indent = indent;
          listing->marks[mark] = find_phase (word);
          continue;
        }
      if (is_space (body) || g_str_has_prefix (body, "LS_PROBE") || g_str_has_prefix (body, "LS_WALK"))
        continue;
      if (indent < mark_indent)
        mark = LS_LISTING_NO_MARK;
      line.mark = mark;
      line.text = plain_text (body);
      g_array_append_val (listing->lines, line);
      if (i > first && indent == 0 && body[0] == '}')
        break;
    }
  choose_workers (listing);
  return listing;
}

void
ls_listing_free (LsListing *listing)
{
  if (listing == NULL)
    return;
  g_array_unref (listing->lines);
  g_free (listing);
}

LsListing *
ls_listing_load (const LsDeviceInfo *device, const char *file, const char *function)
{
  g_autofree char *fact = g_strconcat (LS_FACT_KERNEL, file, NULL);
  const char *edited = device != NULL ? g_hash_table_lookup (device->facts, fact) : NULL;
  g_autofree char *text = edited != NULL ? g_strdup (edited) : ls_kernel_files_own (file);

  return text != NULL ? ls_listing_new (text, function) : NULL;
}
