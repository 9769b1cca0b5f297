/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The claims of a folder, with guesses and results as they are kept.
 */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "claims/kept.h"
#include "claims/tables.h"
#include "core/error.h"
#include "core/file.h"
#include "data/datadir.h"

#define MAX_CLAIMS 200
#define MAX_GUESS  1e12

/* ---- the list ---- */

LsClaims *
ls_claims_ref (LsClaims *claims)
{
  g_atomic_int_inc (&claims->ref_count);
  return claims;
}

void
ls_claims_unref (LsClaims *claims)
{
  if (!g_atomic_int_dec_and_test (&claims->ref_count))
    return;
  for (guint i = 0; i < claims->n; i++)
    {
      ls_claim_unref (claims->rows[i].claim);
      g_free (claims->rows[i].guess_date);
      g_clear_pointer (&claims->rows[i].result, ls_claim_result_unref);
    }
  g_free (claims->rows);
  g_free (claims);
}

static LsClaims *
claims_new (guint n)
{
  LsClaims *claims = g_new (LsClaims, 1);

  *claims = (LsClaims){ 1, n, g_new0 (LsClaimRow, n + 1) };
  return claims;
}

const LsClaimRow *
ls_claims_find (const LsClaims *claims, const char *name)
{
  for (guint i = 0; i < claims->n; i++)
    if (strcmp (claims->rows[i].claim->name, name) == 0)
      return &claims->rows[i];
  return NULL;
}

/* ---- the folder ---- */

/* Names of files, by their bytes. NULL: it can't be read. */
static GPtrArray *
list_files (const char *dir, GError **error)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GDir) folder = g_dir_open (dir, 0, NULL);
  g_autofree char *shown = ls_printable (g_filename_display_name (dir));

  if (folder == NULL)
    {
      g_set_error (error, LS_ERROR, LS_ERROR_FILE, _("The folder of claims “%s” can’t be read."), shown);
      return NULL;
    }
  for (const char *name; (name = g_dir_read_name (folder)) != NULL;)
    if (g_str_has_suffix (name, LS_CLAIM_ENDS))
      g_ptr_array_add (names, g_strdup (name));
  g_ptr_array_sort (names, ls_compare_texts);
  if (names->len > MAX_CLAIMS)
    {
      g_set_error (error, LS_ERROR, LS_ERROR_DATA, _("The folder “%s” has more than %d claims."), shown,
                   MAX_CLAIMS);
      return NULL;
    }
  return g_steal_pointer (&names);
}

static void
say (GPtrArray *said, const char *message)
{
  if (said != NULL)
    g_ptr_array_add (said, ls_sentence (message));
}

/* Takes the claim over. */
static void
add (LsClaims *claims, LsClaim *claim, GPtrArray *said)
{
  LsClaimRow *row = &claims->rows[claims->n++];
  g_autofree char *why = NULL;

  row->claim = claim;
  ls_claim_kept_load (row, &why);
  if (why != NULL)
    say (said, why);
}

static int
compare_rows (gconstpointer a, gconstpointer b)
{
  const LsClaim *one = ((const LsClaimRow *) a)->claim, *other = ((const LsClaimRow *) b)->claim;

  return one->order != other->order ? (one->order < other->order ? -1 : 1) : strcmp (one->name, other->name);
}

LsClaims *
ls_claims_load (const char *dir, GPtrArray *said, GError **error)
{
  g_autofree char *shipped = dir == NULL ? ls_data_dir_find ("claims") : NULL;
  g_autoptr (GPtrArray) names = NULL;
  g_autoptr (LsClaims) claims = NULL;
  g_autoptr (GError) first = NULL;

  dir = dir != NULL ? dir : shipped;
  if (dir == NULL)
    {
      g_set_error_literal (error, LS_ERROR, LS_ERROR_FILE,
                           _("The folder “claims” is missing; install the program anew."));
      return NULL;
    }
  if ((names = list_files (dir, error)) == NULL)
    return NULL;
  claims = claims_new (names->len);
  claims->n = 0;
  for (guint i = 0; i < names->len; i++)
    {
      g_autofree char *path = g_build_filename (dir, names->pdata[i], NULL);
      g_autoptr (GError) why = NULL;
      LsClaim *claim = ls_claim_load (path, &why);

      if (claim != NULL)
        add (claims, claim, said);
      else
        say (said, why->message);
      if (why != NULL && first == NULL)
        first = g_steal_pointer (&why);
    }
  qsort (claims->rows, claims->n, sizeof *claims->rows, compare_rows);
  if (claims->n > 0)
    return g_steal_pointer (&claims);
  if (first != NULL)
    g_propagate_error (error, g_steal_pointer (&first));
  else
    {
      g_autofree char *shown = ls_printable (g_filename_display_name (dir));
      g_set_error (error, LS_ERROR, LS_ERROR_FILE, _("The folder “%s” has no claims."), shown);
    }
  return NULL;
}

/* ---- guesses and results ---- */

/* Guess and result. */
static void
copy_row (const LsClaimRow *from, LsClaimRow *row)
{
  row->guessed = from->guessed;
  row->guess = from->guess;
  row->guess_date = g_strdup (from->guess_date);
  row->result = from->result != NULL ? ls_claim_result_ref (from->result) : NULL;
}

/* The same, each row as it is on disk by now where it is `fresh`, for it may have been changed by another
 * program. (transfer full) */
static LsClaims *
copy (const LsClaims *claims, const LsClaimRow *fresh)
{
  LsClaims *made = claims_new (claims->n);

  for (guint i = 0; i < claims->n; i++)
    {
      const LsClaimRow *from = &claims->rows[i];
      LsClaimRow *row = &made->rows[i];
      g_autofree char *why = NULL;

      row->claim = ls_claim_ref (from->claim);
      if (from == fresh)
        ls_claim_kept_load (row, &why);
      else
        copy_row (from, row);
    }
  return made;
}

LsClaims *
ls_claims_with (const LsClaims *claims, const LsClaims *other, const char *name)
{
  LsClaims *made = claims_new (claims->n);

  for (guint i = 0; i < claims->n; i++)
    {
      const LsClaimRow *from = &claims->rows[i],
                       *there = strcmp (from->claim->name, name) == 0 ? ls_claims_find (other, name) : NULL;

      made->rows[i].claim = ls_claim_ref (from->claim);
      copy_row (there != NULL ? there : from, &made->rows[i]);
    }
  return made;
}

/* The list with that row as it is on disk, and in *row the row. NULL: there is no such claim. */
static LsClaims *
open_row (const LsClaims *claims, const char *name, LsClaimRow **row, GError **error)
{
  const LsClaimRow *from = ls_claims_find (claims, name);
  LsClaims *made;

  if (from == NULL)
    {
      g_autofree char *shown = ls_printable (g_strdup (name));
      g_set_error (error, LS_ERROR, LS_ERROR_USAGE,
                   _("There is no claim “%s”; “lockstep claims” lists them."), shown);
      return NULL;
    }
  made = copy (claims, from);
  *row = &made->rows[from - claims->rows];
  return made;
}

LsClaims *
ls_claims_guess (LsClaims *claims, const char *name, double guess, GError **error)
{
  LsClaimRow *row;
  g_autoptr (LsClaims) made = open_row (claims, name, &row, error);

  if (made == NULL)
    return NULL;
  if (!isfinite (guess) || !(guess >= G_MINDOUBLE) || guess > MAX_GUESS)
    {
      g_set_error_literal (error, LS_ERROR, LS_ERROR_USAGE,
                           _("A guess is a number above zero, such as 1.5."));
      return NULL;
    }
  if (row->result != NULL)
    {
      g_set_error (
        error, LS_ERROR, LS_ERROR_USAGE,
        _("“%s” was run on %s: a guess comes before. “lockstep claims %s --forget” forgets both."), name,
        row->result->date, name);
      return NULL;
    }
  row->guessed = TRUE;
  row->guess = guess;
  g_free (row->guess_date);
  row->guess_date = ls_claim_now ();
  return ls_claim_keep (row, error) ? g_steal_pointer (&made) : NULL;
}

LsClaims *
ls_claims_keep (LsClaims *claims, LsClaimResult *result, GError **error)
{
  LsClaimRow *row;
  g_autoptr (LsClaims) made = open_row (claims, result->name, &row, error);

  if (made == NULL)
    return NULL;
  if (strcmp (row->claim->digest, result->digest) != 0)
    {
      g_set_error (error, LS_ERROR, LS_ERROR_USAGE, _("“%s” has been changed since; run it again."),
                   result->name);
      return NULL;
    }
  g_clear_pointer (&row->result, ls_claim_result_unref);
  row->result = ls_claim_result_ref (result);
  return ls_claim_keep (row, error) ? g_steal_pointer (&made) : NULL;
}

LsClaims *
ls_claims_forget (LsClaims *claims, const char *name, GError **error)
{
  LsClaimRow *row;
  g_autoptr (LsClaims) made = open_row (claims, name, &row, error);

  if (made == NULL)
    return NULL;
  row->guessed = FALSE;
  g_clear_pointer (&row->guess_date, g_free);
  g_clear_pointer (&row->result, ls_claim_result_unref);
  return ls_claim_keep (row, error) ? g_steal_pointer (&made) : NULL;
}
