/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How a claim is run, or was, in words.
 */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "claims/claims.h"
#include "claims/tables.h"

/* "cpu(threads=1): product 1000 1 1000" */
static char *
way_line (const LsClaimWay *way, const LsClaimWayTime *time)
{
  g_autofree char *run = g_strdelimit (g_strdup (way->run != NULL ? way->run : ""), "\t", ' '),
                  *seconds = way->given.n > 0                   ? ls_claim_time_text (way->given.value, FALSE)
                             : time != NULL && time->time.n > 0 ? ls_claim_time_text (time->time.value, FALSE)
                                                                : NULL;

  if (way->lane == NULL)
    return g_strdup_printf (_("%s: %s, not run"), way->words, seconds);
  if (seconds != NULL)
    return g_strdup_printf (_("%s: %s on %s, %s, median of %llu"), way->words, run, way->lane, seconds,
                            (unsigned long long) time->time.n);
  return g_strdup_printf (_("%s: %s on %s"), way->words, run, way->lane);
}

/* How often they took turns: those whose turns are long have fewer than was meant. */
static char *
turns_text (const LsClaimResult *result)
{
  guint64 least = G_MAXUINT64, most = 0;

  if (result == NULL)
    return g_strdup_printf (
      _(
        "Each way is a process of its own; they take turns, %d each in %d s, or fewer where these are long."),
      LS_CLAIM_ROUNDS, LS_CLAIM_SECONDS);
  for (guint i = 0; i < result->n_ways; i++)
    if (result->ways[i].time.n > 0)
      {
        least = MIN (least, result->ways[i].time.n);
        most = MAX (most, result->ways[i].time.n);
      }
  if (most == 0)
    return g_strdup (_("Each way is a process of its own."));
  g_autofree char *turns = least < most ? g_strdup_printf ("%llu–%llu", (unsigned long long) least,
                                                           (unsigned long long) most)
                                        : g_strdup_printf ("%llu", (unsigned long long) most);
  if (least >= result->rounds)
    return g_strdup_printf (_("Each way is a process of its own; they took turns, %s each in %.0f s."),
                            turns, result->seconds);
  return g_strdup_printf (_("Each way is a process of its own; they took turns, %s each instead of %u, for "
                             "they were longer than their share of %.0f s."),
                          turns, result->rounds, result->seconds);
}

char **
ls_claim_how_text (const LsClaim *claim, const LsClaimRow *row, gboolean times)
{
  const LsClaimResult *result = row != NULL ? row->result : NULL;
  g_autoptr (GStrvBuilder) lines = g_strv_builder_new ();
  gboolean any = FALSE;

  for (guint i = 0; i < claim->n_ways; i++)
    {
      g_autofree char *line = way_line (&claim->ways[i], times && result != NULL ? &result->ways[i] : NULL);

      any |= claim->ways[i].lane != NULL;
      g_strv_builder_add (lines, line);
    }
  if (any)
    {
      g_autofree char *turns = turns_text (result);
      g_strv_builder_add (lines, turns);
    }
  if (row != NULL && row->guessed)
    {
      g_autofree char *guess = ls_claim_guess_text (claim, row->guess),
                      *line = g_strdup_printf (_("Guess: %s, of %s, before it was run."), guess,
                                               row->guess_date);
      g_strv_builder_add (lines, line);
    }
  if (result != NULL && result->busy)
    g_strv_builder_add (lines, _("The machine was busy with other programs."));
  return g_strv_builder_end (lines);
}
