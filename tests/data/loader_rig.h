/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * For tests of the loaders: data from files that are made here, and lists of hostile ones, each refused in
 * one sentence that names the file, soon, and without much memory.
 */
#pragma once

#include <sys/resource.h>
#include <time.h>

#include "../folder.h"
#include "data/dataset.h"
#include "data/prepare.h"
#include "tempdir.h"

#define SOON_S     2           /* of the processor, which others may share */
#define LITTLE_KIB (300 << 10) /* above what the process had */

/* options: "missing=mean label=2", or NULL */
static inline LsData *
load_as (const char *path, const char *options, GError **error)
{
  g_autoptr (LsOptions) o = ls_options_new ();
  g_auto (GStrv) words = g_strsplit (options != NULL ? options : "", " ", -1);
  LsDataRequest request;

  for (guint i = 0; words[i] != NULL; i++)
    {
      g_auto (GStrv) pair = g_strsplit (words[i], "=", 2);

      g_assert_true (ls_options_set (o, ls_options_find (pair[0]), pair[1], NULL));
    }
  request = ls_data_request (o);
  request.what = path;
  return ls_data_load_request (&request, error);
}

static inline LsData *
accept_as (const char *path, const char *options)
{
  g_autoptr (GError) error = NULL;
  LsData *data = load_as (path, options, &error);

  g_assert_no_error (error);
  for (gint64 i = 0; i < data->train.n + data->test.n; i++)
    {
      const gint32 label = i < data->train.n ? data->train.labels[i] : data->test.labels[i - data->train.n];

      g_assert_cmpint (label, >=, 0);
      g_assert_cmpint (label, <, data->n_classes);
    }
  return data;
}

static inline glong
peak_kib (void)
{
  struct rusage usage;

  g_assert_cmpint (getrusage (RUSAGE_SELF, &usage), ==, 0);
  return usage.ru_maxrss;
}

static inline void
refuse_as (const char *path, const char *options, gint code, const char *words)
{
  g_autoptr (GError) error = NULL;
  const glong before = peak_kib ();
  const clock_t begin = clock ();

  g_assert_null (load_as (path, options, &error));
  g_assert_cmpint ((clock () - begin) / CLOCKS_PER_SEC, <, SOON_S);
  g_assert_cmpint (peak_kib () - before, <, LITTLE_KIB);
  g_assert_nonnull (error);
  g_assert_null (strchr (error->message, '\n'));
  assert_refused (&error, code, words);
}

static inline void
refuse_text (const TempDir *dir, const char *text, gsize n, const char *options, gint code, const char *words)
{
  g_autofree char *path = temp_path (dir, "table.csv");

  put_file (path, text, n);
  refuse_as (path, options, code, words);
}

/* All notes, a line each. (transfer full) */
static inline char *
notes_of (const LsData *data)
{
  GString *notes = g_string_new (NULL);

  for (guint i = 0; data->notes != NULL && i < data->notes->len; i++)
    g_string_append_printf (notes, "%s\n", (const char *) g_ptr_array_index (data->notes, i));
  return g_string_free (notes, FALSE);
}

static inline void
assert_note (const LsData *data, const char *words)
{
  g_autofree char *notes = notes_of (data);

  if (strstr (notes, words) == NULL)
    g_error ("“%s” was expected in the notes:\n%s", words, notes);
}
