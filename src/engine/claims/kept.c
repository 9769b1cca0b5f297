/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See kept.h.
 */
#include "config.h"
#include "claims/kept.h"

#include <errno.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <string.h>

#include "claims/tables.h"
#include "core/error.h"
#include "core/file.h"
#include "files/output.h"
#include "lab/machine.h"
#include "machines/member.h"

#define FORMAT    "lockstep-claim-kept"
#define VERSION   1
#define MAX_BYTES (1u << 20)
#define MAX_GUESS 1e15
#define MAX_DATE  30 /* characters */

static char *
folder (void)
{
  return g_build_filename (g_get_user_data_dir (), "lockstep", "claims", NULL);
}

/* "fusion-1f3a5c7e9b0d.json" */
static char *
path_of (const LsClaim *claim)
{
  g_autofree char *in = folder (), *name = g_strdup_printf ("%s-%.12s.json", claim->name, claim->digest);

  return g_build_filename (in, name, NULL);
}

/* ---- in ---- */

static gboolean
read_guess (const json_t *json, LsClaimRow *row, GError **error)
{
  const json_t *guess;

  if (json_object_get (json, "guess") == NULL)
    return TRUE;
  if ((guess = ls_json_get_object (json, "guess", error)) == NULL
      || !ls_json_get_double (guess, "value", G_MINDOUBLE, MAX_GUESS, &row->guess, error)
      || !ls_member_text (guess, "date", MAX_DATE, FALSE, &row->guess_date, error))
    return FALSE;
  row->guessed = TRUE;
  return TRUE;
}

static gboolean
read_all (const json_t *json, LsClaimRow *row, GError **error)
{
  const char *format = ls_json_get_string (json, "format", error), *digest;
  const json_t *result;
  gint64 version;

  if (format == NULL)
    return FALSE;
  if (strcmp (format, FORMAT) != 0)
    return ls_member_refuse (error, "format", _("is another one’s: it is no outcome of a claim."));
  if (!ls_json_get_int (json, "version", VERSION, VERSION, &version, error)
      || (digest = ls_json_get_string (json, "digest", error)) == NULL)
    return FALSE;
  if (strcmp (digest, row->claim->digest) != 0)
    return ls_member_refuse (error, "digest", _("is that of another claim."));
  if (!read_guess (json, row, error))
    return FALSE;
  if (json_object_get (json, "result") == NULL)
    return TRUE;
  if ((result = ls_json_get_object (json, "result", error)) == NULL)
    return FALSE;
  row->result = ls_claim_result_from_json (row->claim, result, error);
  return row->result != NULL;
}

static void
forget (LsClaimRow *row)
{
  row->guessed = FALSE;
  row->guess = 0;
  g_clear_pointer (&row->guess_date, g_free);
  g_clear_pointer (&row->result, ls_claim_result_unref);
}

static gboolean
load (const char *path, LsClaimRow *row, GError **error)
{
  g_autoptr (GBytes) bytes = ls_file_read (path, MAX_BYTES, error);
  g_autoptr (json_t) json = NULL;
  gconstpointer text;
  gsize length;

  if (bytes == NULL)
    return FALSE;
  text = g_bytes_get_data (bytes, &length);
  json = ls_json_parse (text != NULL ? text : "", length, MAX_BYTES, JSON_OBJECT, error);
  return json != NULL && read_all (json, row, error);
}

void
ls_claim_kept_load (LsClaimRow *row, char **why)
{
  g_autofree char *path = path_of (row->claim), *name = g_filename_display_name (path), *key = NULL;
  g_autoptr (GError) error = NULL;

  *why = NULL;
  if (!g_file_test (path, G_FILE_TEST_EXISTS))
    return;
  if (!load (path, row, &error))
    {
      g_autofree char *sentence = NULL;

      ls_error_make_printable (&error);
      sentence = ls_sentence (error->message);
      *why = g_strdup_printf (_("%s can’t be read and isn’t used: %s"), name, sentence);
    }
  else if (row->result != NULL)
    {
      key = ls_machine_key ();
      if (strcmp (row->result->machine_key, key) != 0)
        *why = g_strdup_printf (_("%s was measured on another machine (%s), and isn’t used."), name,
                                row->result->machine);
      else if (strcmp (row->result->program, "Lockstep " LS_VERSION) != 0)
        *why = g_strdup_printf (_("%s was measured by another version (%s), and isn’t used."), name,
                                row->result->program);
    }
  /* a guess goes with its result: whoever made it has seen what came out */
  if (*why != NULL)
    forget (row);
}

/* ---- out ---- */

/* What is there and can't be used isn't written over. */
static void
set_aside (const LsClaim *claim, const char *path)
{
  LsClaimRow there = { .claim = (LsClaim *) claim };
  g_autofree char *why = NULL, *aside = g_strconcat (path, "~", NULL);

  ls_claim_kept_load (&there, &why);
  forget (&there);
  if (why != NULL)
    g_rename (path, aside);
}

static json_t *
to_json (const LsClaimRow *row)
{
  json_t *json = json_object ();

  ls_json_text (json, "format", FORMAT);
  ls_json_whole (json, "version", VERSION);
  ls_json_text (json, "claim", row->claim->name);
  ls_json_text (json, "digest", row->claim->digest);
  if (row->guessed)
    {
      json_t *guess = ls_json_object (json, "guess");

      ls_json_number (guess, "value", row->guess);
      ls_json_text (guess, "date", row->guess_date);
    }
  if (row->result != NULL)
    ls_json_put (json, "result", ls_claim_result_to_json (row->result));
  return json;
}

gboolean
ls_claim_keep (const LsClaimRow *row, GError **error)
{
  g_autofree char *in = folder (), *path = path_of (row->claim), *text = NULL,
                  *shown = g_filename_display_name (in);
  g_autoptr (json_t) json = NULL;

  if (g_mkdir_with_parents (in, 0755) != 0)
    {
      g_set_error (error, LS_ERROR, LS_ERROR_FILE, _("The folder %s can’t be made: %s."), shown,
                   g_strerror (errno));
      return FALSE;
    }
  set_aside (row->claim, path);
  if (!row->guessed && row->result == NULL)
    {
      if (g_unlink (path) == 0 || errno == ENOENT)
        return TRUE;
      g_set_error (error, LS_ERROR, LS_ERROR_FILE, _("“%s” can’t be removed: %s."), path,
                   g_strerror (errno));
      return FALSE;
    }
  json = to_json (row);
  text = json_dumps (json, JSON_INDENT (1));
  return ls_file_save (path, text, strlen (text), error);
}
