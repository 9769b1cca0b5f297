/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See kept.h.
 */
#include "config.h"
#include "lab/kept.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>

#include "core/error.h"
#include "core/file.h"
#include "files/output.h"
#include "lab/machine.h"

#define MAX_BYTES (1u << 20)

#define ENDS_FINISHED ".json"
#define ENDS_PART     ".part"

/* "batch-1f3a5c7e9b0d-": what the result depends on, but for machine, version and time. */
static char *
name_begins (const LsExperiment *experiment, const LsOptions *options)
{
  g_autoptr (GChecksum) sum = g_checksum_new (G_CHECKSUM_SHA256);
  guint n;
  const LsOption *rows = ls_options_table (&n);

  for (guint i = 0; i < n; i++)
    if (ls_experiment_depends_on (experiment, &rows[i]))
      {
        g_autofree char *text = ls_options_get (options, &rows[i]);

        /* files of before these options were there keep their names */
        if (rows[i].group & LS_OPTION_GROUP_DATA && strcmp (text, rows[i].default_text) == 0)
          continue;
        g_checksum_update (sum, (const guchar *) text, (gssize) strlen (text) + 1);
      }
  return g_strdup_printf ("%s-%.12s-", experiment->name, g_checksum_get_string (sum));
}

/* "batch-1f3a5c7e9b0d-20s-5.json", "….part" */
static char *
path_of (const LsExperiment *experiment, const LsOptions *options, gboolean finished, guint seconds,
         guint rounds)
{
  g_autofree char *in = ls_lab_folder (FALSE, NULL), *begins = name_begins (experiment, options),
                  *name = g_strdup_printf ("%s%us-%u%s", begins, seconds, rounds,
                                           finished ? ENDS_FINISHED : ENDS_PART);

  return g_build_filename (in, name, NULL);
}

/* Of any time. NULL: there is none. */
static char *
newest_path (const LsExperiment *experiment, const LsOptions *options, gboolean finished)
{
  g_autofree char *in = ls_lab_folder (FALSE, NULL), *begins = name_begins (experiment, options),
                  *newest = NULL;
  g_autoptr (GDir) dir = g_dir_open (in, 0, NULL);
  gint64 newest_us = 0;

  for (const char *name; dir != NULL && (name = g_dir_read_name (dir)) != NULL;)
    if (g_str_has_prefix (name, begins) && g_str_has_suffix (name, finished ? ENDS_FINISHED : ENDS_PART))
      {
        g_autofree char *path = g_build_filename (in, name, NULL);
        GStatBuf facts;

        if (g_stat (path, &facts) != 0)
          continue;
        const gint64 us = (gint64) facts.st_mtim.tv_sec * G_USEC_PER_SEC + facts.st_mtim.tv_nsec / 1000;
        if (newest == NULL || us > newest_us)
          {
            g_free (newest);
            newest = g_steal_pointer (&path);
            newest_us = us;
          }
      }
  return g_steal_pointer (&newest);
}

static LsLabResult *
load (const char *path, GError **error)
{
  g_autoptr (GBytes) bytes = ls_file_read (path, MAX_BYTES, error);
  g_autoptr (json_t) json = NULL;
  gconstpointer text;
  gsize length;

  if (bytes == NULL)
    return NULL;
  text = g_bytes_get_data (bytes, &length);
  json = ls_json_parse (text != NULL ? text : "", length, MAX_BYTES, JSON_OBJECT, error);
  return json != NULL ? ls_lab_result_from_json (json, error) : NULL;
}

/* The file's result; NULL: it can't be used, and *why says so. */
static LsLabResult *
take (const char *path, const LsExperiment *experiment, const LsOptions *options, gboolean finished,
      char **why)
{
  g_autofree char *name = g_filename_display_name (path), *key = ls_machine_key ();
  g_autoptr (GError) error = NULL;
  g_autoptr (LsLabResult) result = load (path, &error);

  if (result == NULL)
    {
      g_autofree char *sentence = ls_sentence (error->message);
      *why = g_strdup_printf (_("%s can’t be read and isn’t used: %s"), name, sentence);
    }
  else if (result->experiment != experiment || !ls_lab_options_alike (experiment, result->options, options))
    *why = g_strdup_printf (_("%s is of another experiment or of other lanes, and isn’t used."), name);
  else if (strcmp (result->machine_key, key) != 0)
    *why = g_strdup_printf (_("%s was measured on another machine (%s), and isn’t used."), name,
                            result->machine);
  else if (strcmp (result->program, "Lockstep " LS_VERSION) != 0)
    *why = g_strdup_printf (_("%s was measured by another version (%s), and isn’t used."), name,
                            result->program);
  else if (finished && !ls_lab_result_whole (result))
    *why = g_strdup_printf (_("%s lacks sizes, and isn’t used."), name);
  else
    return g_steal_pointer (&result);
  return NULL;
}

static LsLabResult *
take_if_there (const char *path, const LsExperiment *experiment, const LsOptions *options, gboolean finished,
               char **why)
{
  *why = NULL;
  return path != NULL && g_file_test (path, G_FILE_TEST_EXISTS)
           ? take (path, experiment, options, finished, why)
           : NULL;
}

LsLabResult *
ls_lab_kept (const LsExperiment *experiment, const LsOptions *options, gboolean finished, char **why)
{
  g_autoptr (LsOptions) own = ls_lab_options (experiment, options);
  g_autofree char *path = newest_path (experiment, own, finished);

  return take_if_there (path, experiment, own, finished, why);
}

LsLabResult *
ls_lab_kept_foreign (const LsExperiment *experiment, const LsOptions *options)
{
  g_autoptr (LsOptions) own = ls_lab_options (experiment, options);
  g_autofree char *path = newest_path (experiment, own, TRUE), *key = ls_machine_key ();
  g_autoptr (LsLabResult) result = path != NULL ? load (path, NULL) : NULL;

  if (result == NULL || result->experiment != experiment
      || !ls_lab_options_alike (experiment, result->options, own) || !ls_lab_result_whole (result))
    return NULL;
  result->foreign = strcmp (result->machine_key, key) != 0
                    || strcmp (result->program, "Lockstep " LS_VERSION) != 0;
  return result->foreign ? g_steal_pointer (&result) : NULL;
}

LsLabResult *
ls_lab_kept_exactly (const LsExperiment *experiment, const LsOptions *options, gboolean finished,
                     guint seconds, guint rounds, char **why)
{
  g_autoptr (LsOptions) own = ls_lab_options (experiment, options);
  g_autofree char *path = path_of (experiment, own, finished, seconds, rounds);

  return take_if_there (path, experiment, own, finished, why);
}

GPtrArray *
ls_lab_kept_all (const LsOptions *options)
{
  GPtrArray *results = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_lab_result_unref);
  guint n;
  const LsExperiment *const *all = ls_experiments (&n);

  for (guint i = 0; i < n; i++)
    {
      g_autofree char *why = NULL;
      LsLabResult *result = ls_lab_kept (all[i], options, TRUE, &why);

      if (result != NULL)
        g_ptr_array_add (results, result);
    }
  return results;
}

/* Some experiment's results depend on it. */
static gboolean
is_known_of (const LsOption *option)
{
  guint n;
  const LsExperiment *const *all = ls_experiments (&n);
  gboolean any = FALSE;

  for (guint i = 0; i < n && !any; i++)
    any = ls_experiment_depends_on (all[i], option);
  return any;
}

LsRecording *
ls_lab_kept_with (LsRecording *recording)
{
  g_autoptr (LsOptions) options = ls_options_new ();
  g_autoptr (GPtrArray) results = NULL;
  g_autofree char *text = NULL;
  guint n;
  const LsOption *rows = ls_options_table (&n);

  if (recording->lab != NULL)
    return ls_recording_ref (recording);
  for (guint i = 0; i < n; i++)
    if (is_known_of (&rows[i]))
      {
        const char *value = g_hash_table_lookup (recording->options, rows[i].name);
        if (value == NULL && rows[i].group & LS_OPTION_GROUP_DATA)
          continue; /* an older version's, which read all data in one way */
        if (value == NULL || !ls_options_set (options, &rows[i], value, NULL))
          return ls_recording_ref (recording);
      }
  results = ls_lab_kept_all (options);
  text = ls_lab_results_text (results);
  return text != NULL ? ls_recording_with_lab (recording, text) : ls_recording_ref (recording);
}

/* A file that was written while the clock was ahead would stay the newest for so long: this one is dated
 * behind it. */
static void
date_behind (const char *path, const LsLabResult *result, gboolean finished)
{
  g_autofree char *newest = newest_path (result->experiment, result->options, finished);
  struct timespec times[2];
  GStatBuf facts;

  if (newest == NULL || strcmp (newest, path) == 0 || g_stat (newest, &facts) != 0)
    return;
  facts.st_mtim.tv_sec++;
  times[0] = times[1] = facts.st_mtim;
  utimensat (AT_FDCWD, path, times, 0);
}

/* What is there and can't be used isn't written over. */
static void
set_aside (const char *path, const LsLabResult *result)
{
  g_autofree char *why = NULL, *aside = g_strconcat (path, "~", NULL);
  LsLabResult *there = take_if_there (path, result->experiment, result->options, FALSE, &why);

  if (there != NULL)
    ls_lab_result_unref (there);
  else if (why != NULL)
    g_rename (path, aside);
}

char *
ls_lab_folder (gboolean made, GError **error)
{
  g_autofree char *in = g_build_filename (g_get_user_data_dir (), "lockstep", "lab", NULL),
                  *shown = g_filename_display_name (in);

  if (!made || g_mkdir_with_parents (in, 0755) == 0)
    return g_steal_pointer (&in);
  g_set_error (error, LS_ERROR, LS_ERROR_FILE, _("The folder %s can’t be made: %s."), shown,
               g_strerror (errno));
  return NULL;
}

gboolean
ls_lab_keep (const LsLabResult *result, GError **error)
{
  const gboolean finished = ls_lab_result_whole (result);
  g_autofree char *path
    = path_of (result->experiment, result->options, finished, result->seconds, result->rounds),
    *part = path_of (result->experiment, result->options, FALSE, result->seconds, result->rounds),
    *text = NULL;
  g_autofree char *in = ls_lab_folder (TRUE, error);
  g_autoptr (json_t) json = NULL;

  if (in == NULL)
    return FALSE;
  json = ls_lab_result_to_json (result);
  set_aside (path, result);
  text = json_dumps (json, JSON_INDENT (1));
  if (!ls_file_save (path, text, strlen (text), error))
    return FALSE;
  date_behind (path, result, finished);
  if (finished)
    {
      set_aside (part, result);
      g_unlink (part);
    }
  return TRUE;
}

int
ls_lab_lock (void)
{
  g_autofree char *in = ls_lab_folder (TRUE, NULL),
                  *path = in != NULL ? g_build_filename (in, "lock", NULL) : NULL;
  int fd;

  if (path != NULL && ((fd = ls_file_lock (path)) >= 0 || errno == EWOULDBLOCK))
    return fd;
  return open ("/dev/null", O_RDONLY | O_CLOEXEC);
}
