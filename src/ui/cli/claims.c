/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * `lockstep claims`: sentences that are said of processors and graphics cards, held against what is measured
 * here. A guess comes before the run.
 */
#include "config.h"

#include <glib/gi18n.h>
#include <string.h>

#include "core/error.h"
#include "files/output.h"
#include "ui/cli/bench/steps.h"
#include "ui/cli/claims_print.h"
#include "ui/cli/command.h"
#include "ui/report/terminal.h"
#ifdef HAVE_PAINT
#include "ui/paint/pages/claims_pages.h"
#endif

static const LsCommandOption own[] = {
  { "all", NULL, N_("Run all claims that have a guess, within 5 minutes; with --no-guess, all") },
  { "guess", N_("N"), N_("What you expect, in the claim’s own unit; it is kept, and the claim is run") },
  { "no-guess", NULL, N_("Run without a guess") },
  { "kept", NULL, N_("Run nothing: show what came out last") },
  { "show", NULL, N_("Run nothing: say where it was read, how it is run, and what decides") },
  { "forget", NULL, N_("Forget guess and outcome, so that another guess can be made") },
  { "dir", N_("FOLDER"), N_("Claims of your own instead of those that are shipped") },
  { "device", N_("DEVICE"), N_("OpenCL device: part of its name, or its number; without it, the best") },
  { "seconds", N_("N"), N_("Time for measuring each claim, from 1 to 3600 [10]") },
  { "csv", N_("FILE"), N_("Write the outcomes as CSV"), TRUE },
  { "json", N_("FILE"), N_("Write claims, guesses and outcomes as JSON"), TRUE },
#ifdef HAVE_PAINT
  { "pdf", N_("FILE"), N_("Write all of it as pages of a PDF, for course notes"), TRUE },
#endif
  { NULL },
};

/* ---- running ---- */

/* data: non-NULL where nothing else says that it goes on. */
static void
heard_cb (const LsLabNews *news, gpointer data)
{
  if (news->said != NULL)
    (news->problem ? ls_terminal_complain : ls_terminal_print) ("%s\n", news->said);
  else if (data != NULL && news->done == 0)
    {
      g_autofree char *left = ls_duration_text (news->seconds_left);
      ls_terminal_print (_("Measuring for about %s…\n"), left);
    }
}

/* Takes *claims's place with what came out. */
static gboolean
run_one (LsClaimWish *wish, LsClaims **claims, const char *name, gboolean alone, GError **error)
{
  g_autoptr (LsClaimResult) result = NULL;
  LsClaims *with;

  wish->claim = ls_claims_find (*claims, name)->claim;
  result = ls_claims_run (wish, heard_cb, alone ? wish : NULL, NULL, error);
  if (result == NULL)
    return FALSE;
  with = ls_claims_keep (*claims, result, error);
  if (with == NULL)
    return FALSE;
  ls_claims_unref (*claims);
  *claims = with;
  return TRUE;
}

/* ---- running all ---- */

typedef struct {
  LsClaimWish *wish;
  LsClaims **claims;
  double asked, all; /* s: of measuring each; of all, from `began` on */
  gint64 began;      /* µs */
  double beside;     /* s: what the `done` so far took beside measuring */
  guint n, done;     /* to be run; run or tried */
} All;

static double
since (gint64 began)
{
  return (double) (g_get_monotonic_time () - began) / G_USEC_PER_SEC;
}

static gboolean
is_wanted (const LsClaimRow *row, gboolean guessed_only)
{
  return row->guessed || !guessed_only;
}

/* FALSE: it couldn't be run, and that is said. */
static gboolean
run_next (All *all, const char *name)
{
  const double left = all->all - since (all->began), mean = all->done > 0 ? all->beside / all->done : 0;
  const gint64 began = g_get_monotonic_time ();
  g_autoptr (GError) error = NULL;

  all->wish->seconds = ls_claims_seconds (left, all->n - all->done, all->asked, mean);
  all->wish->limit = left;
  all->done++;
  if (all->wish->seconds <= 0)
    {
      g_autofree char *whole = ls_duration_text (all->all);
      g_set_error (&error, LS_ERROR, LS_ERROR_CANCELLED,
                   _("The time for all claims, %s, is over; “lockstep claims %s” runs this one alone."),
                   whole, name);
    }
  else if (run_one (all->wish, all->claims, name, FALSE, &error))
    {
      all->beside += MAX (since (began) - all->wish->seconds, 0);
      return TRUE;
    }
  g_autofree char *sentence = ls_sentence (error->message);
  ls_terminal_complain ("lockstep claims: %s: %s\n", name, sentence);
  return FALSE;
}

/* FALSE: some couldn't be run, or error is set. */
static gboolean
run_all (LsClaimWish *wish, LsClaims **claims, gboolean guessed_only, GError **error)
{
  const guint n = (*claims)->n;
  All all = { .wish = wish,
              .claims = claims,
              .asked = wish->seconds,
              .all = LS_CLAIMS_LIMIT * MAX (wish->seconds / LS_CLAIM_SECONDS, 1),
              .began = g_get_monotonic_time () };
  gboolean fine = TRUE;

  for (guint i = 0; i < n; i++)
    all.n += is_wanted (&(*claims)->rows[i], guessed_only);
  if (all.n == 0)
    {
      g_set_error_literal (
        error, LS_ERROR, LS_ERROR_USAGE,
        _("Nothing was run, for no claim has a guess yet: “lockstep claims NAME --guess N” "
           "makes one; --all --no-guess runs all without."));
      return FALSE;
    }
  for (guint i = 0; i < n; i++)
    {
      const LsClaimRow *row = &(*claims)->rows[i];
      g_autofree char *name = g_strdup (row->claim->name);

      if (!is_wanted (row, guessed_only))
        {
          ls_terminal_print (_("%u of %u: %s has no guess, and isn’t run.\n"), i + 1, n, name);
          continue;
        }
      ls_terminal_print (_("%u of %u: %s\n"), i + 1, n, name);
      fine &= run_next (&all, name);
    }
  return fine;
}

/* ---- guesses ---- */

/* "1.5"; in the C locale, like all numbers of a command line. */
static gboolean
read_guess (const char *text, double *guess, GError **error)
{
  char *end = NULL;

  *guess = g_ascii_strtod (text, &end);
  if (*text != '\0' && strspn (text, "0123456789.eE+-") == strlen (text) && *end == '\0')
    return TRUE;
  g_set_error (error, LS_ERROR, LS_ERROR_USAGE, _("--guess takes a number such as 1.5, not “%s”."), text);
  ls_error_make_printable (error);
  return FALSE;
}

/* There is one, or none is wanted. */
static gboolean
settle_guess (const LsArguments *arguments, LsClaims **claims, const char *name, GError **error)
{
  const char *text = ls_arguments_get (arguments, "guess");
  LsClaims *with;
  double guess;

  if (text != NULL)
    {
      if (!read_guess (text, &guess, error) || (with = ls_claims_guess (*claims, name, guess, error)) == NULL)
        return FALSE;
      ls_claims_unref (*claims);
      *claims = with;
      return TRUE;
    }
  const LsClaimRow *row = ls_claims_find (*claims, name);
  if (row->guessed || ls_arguments_get (arguments, "no-guess") != NULL)
    return TRUE;
  g_autofree char *claimed = ls_claim_claimed_text (row->claim);
  g_set_error (error, LS_ERROR, LS_ERROR_USAGE,
               _("“%s” (claimed: %s) wants a guess first, in %s: --guess N; or --no-guess."),
               row->claim->sentence, claimed, row->claim->claimed.unit);
  return FALSE;
}

/* ---- the command ---- */

/* What excludes each other. */
static gboolean
check (const LsArguments *arguments, GError **error)
{
  static const char *const ways[] = { "all", "kept", "show", "forget" };
  const char *name = arguments->words[0], *first = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (ways); i++)
    if (ls_arguments_get (arguments, ways[i]) != NULL)
      {
        if (first != NULL)
          {
            g_set_error (error, LS_ERROR, LS_ERROR_USAGE, _("--%s doesn’t go with --%s."), ways[i], first);
            return FALSE;
          }
        first = ways[i];
      }
  if (name != NULL && g_strcmp0 (first, "all") == 0)
    g_set_error_literal (error, LS_ERROR, LS_ERROR_USAGE, _("--all takes no name."));
  else if (name == NULL && (g_strcmp0 (first, "show") == 0 || g_strcmp0 (first, "forget") == 0))
    g_set_error (error, LS_ERROR, LS_ERROR_USAGE, _("--%s takes a claim’s name."), first);
  else if (ls_arguments_get (arguments, "guess") != NULL && (name == NULL || first != NULL))
    g_set_error_literal (error, LS_ERROR, LS_ERROR_USAGE, _("--guess goes with one claim that is run."));
  else
    return TRUE;
  return FALSE;
}

static LsClaims *
load (const char *dir, GError **error)
{
  g_autoptr (GPtrArray) said = g_ptr_array_new_with_free_func (g_free);
  LsClaims *claims = ls_claims_load (dir, said, error);

  for (guint i = 0; i < said->len; i++)
    ls_terminal_complain ("%s\n", (const char *) said->pdata[i]);
  return claims;
}

/* The named one alone, of the same list. */
static gboolean
save (const LsArguments *arguments, const LsClaims *claims, const LsClaimRow *only, GError **error)
{
  const char *json = ls_arguments_get (arguments, "json"), *csv = ls_arguments_get (arguments, "csv");
  LsClaims one = { 1, 1, (LsClaimRow *) only };

  if (only != NULL)
    claims = &one;
  if (csv != NULL)
    {
      g_autofree char *text = ls_claims_csv (claims);
      if (!ls_file_save (csv, text, strlen (text), error))
        return FALSE;
    }
  if (json != NULL && !ls_claims_save_json (claims, json, error))
    return FALSE;
#ifdef HAVE_PAINT
  if (ls_arguments_get (arguments, "pdf") != NULL)
    {
      g_autoptr (LsFonts) fonts = ls_fonts_new ("Cantarell, Sans");
      g_autoptr (LsCatalogue) catalogue = ls_catalogue_load (NULL, NULL);
      LsStyle style;

      ls_style_init (&style, LS_LOOK_PRINT, 1);
      return ls_claims_export (claims, catalogue, &style, fonts, ls_arguments_get (arguments, "pdf"), error);
    }
#endif
  return TRUE;
}

static LsExit
forget (LsClaims *claims, const char *name, GError **error)
{
  g_autoptr (LsClaims) without = ls_claims_forget (claims, name, error);

  if (without == NULL)
    return LS_EXIT_FAILED;
  ls_terminal_print (_("Guess and outcome of “%s” are forgotten.\n"), name);
  return LS_EXIT_DONE;
}

static LsExit
claims_command (const LsArguments *arguments, GError **error)
{
  const char *name = arguments->words[0];
  const gboolean all = ls_arguments_get (arguments, "all") != NULL,
                 kept = ls_arguments_get (arguments, "kept") != NULL;
  g_autoptr (LsClaims) claims = NULL;
  LsClaimWish wish = { .rounds = LS_CLAIM_ROUNDS, .options = arguments->options };
  const LsClaimRow *row = NULL;
  gboolean fine = TRUE;

  if (!check (arguments, error)
      || !ls_bench_read_seconds (ls_arguments_get (arguments, "seconds"), LS_CLAIM_SECONDS, &wish.seconds,
                                 error))
    return LS_EXIT_USAGE;
  claims = load (ls_arguments_get (arguments, "dir"), error);
  if (claims == NULL)
    return LS_EXIT_FAILED;
  if (name != NULL && ls_claims_find (claims, name) == NULL)
    {
      g_set_error (error, LS_ERROR, LS_ERROR_USAGE,
                   _("There is no claim “%s”; “lockstep claims” lists them."), name);
      ls_error_make_printable (error);
      return LS_EXIT_USAGE;
    }
  if (ls_arguments_get (arguments, "forget") != NULL)
    return forget (claims, name, error);
  if (ls_arguments_get (arguments, "show") != NULL)
    ls_claims_print_about (ls_claims_find (claims, name));
  else if (name != NULL)
    {
      if (!kept && (!settle_guess (arguments, &claims, name, error)))
        return LS_EXIT_USAGE;
      if (!kept && !run_one (&wish, &claims, name, TRUE, error))
        return LS_EXIT_FAILED;
      ls_claims_print_result (ls_claims_find (claims, name));
    }
  else
    {
      g_autoptr (GError) nothing = NULL;

      fine = !all || run_all (&wish, &claims, ls_arguments_get (arguments, "no-guess") == NULL, &nothing);
      if (nothing != NULL)
        {
          g_propagate_error (error, g_steal_pointer (&nothing));
          return LS_EXIT_USAGE;
        }
      ls_claims_print (claims);
    }
  row = name != NULL ? ls_claims_find (claims, name) : NULL;
  return save (arguments, claims, row, error) && fine ? LS_EXIT_DONE : LS_EXIT_FAILED;
}

const LsCommand ls_command_claims = {
  .name = "claims",
  .title = N_("Hold sentences about processors and graphics cards against this machine"),
  .about = N_(
    "Without a name it lists the claims with what came out last; with one it runs that claim: the ways it "
    "names take turns, each in a process of its own.\n"
    "A claim wants a guess before it is run, --guess N, which is kept beside what comes out. "
    "Until the run another guess takes its place; afterwards none does, until --forget."),
  .word = N_("[NAME]"),
  .own = own,
  .run = claims_command,
};
