/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See crossover.h.
 */
#include "config.h"
#include "lab/crossover.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "core/number.h"

#define LEAST 2 /* spots that a corner rests on */

gboolean
ls_lab_log_ratio (const LsLabResult *result, LsLabSpot spot, double *log_ratio)
{
  const LsLabPoint *a = result->specs->len > 1 ? ls_lab_result_point (result, 0, spot) : NULL,
                   *b = a != NULL ? ls_lab_result_point (result, 1, spot) : NULL;

  if (b != NULL)
    *log_ratio = log2 (b->rate.value / a->rate.value);
  return b != NULL;
}

LsLabWins
ls_lab_wins (const LsLabResult *result, LsLabSpot spot, double *times)
{
  const LsLabPoint *points[2];
  double log_ratio;

  if (!ls_lab_log_ratio (result, spot, &log_ratio))
    return LS_WINS_UNKNOWN;
  if (times != NULL)
    *times = exp2 (fabs (log_ratio));
  for (guint lane = 0; lane < 2; lane++)
    points[lane] = ls_lab_result_point (result, lane, spot);
  if (fabs (log_ratio) < log2 (LS_LAB_EQUAL)
      || (points[0]->rate.q1 <= points[1]->rate.q3 && points[1]->rate.q1 <= points[0]->rate.q3))
    return LS_WINS_NEITHER;
  return log_ratio < 0 ? LS_WINS_FIRST : LS_WINS_SECOND;
}

LsFairness *
ls_lab_fairness (const LsLabResult *result)
{
  LsFairPair pair;

  if (result->specs->len < 2)
    return NULL;
  ls_fair_pair_of_specs (&pair, result->specs->pdata[0], result->specs->pdata[1],
                         result->foreign ? 0 : g_get_num_processors ());
  return ls_fairness_new (&pair);
}

/* How many of the spots from there on that lane wins; 0: the other one wins somewhere, both are as fast at
 * more than a quarter, or this one doesn't win at the corner itself. */
static guint
count_from (const LsLabResult *result, LsLabSpot from, LsLabWins who)
{
  guint n = 0, equal = 0;

  if (ls_lab_wins (result, from, NULL) != who)
    return 0;
  for (guint i = 0; i < result->tried->len; i++)
    {
      const LsLabSpot spot = g_array_index (result->tried, LsLabSpot, i);
      const LsLabWins wins = spot.x >= from.x && spot.y >= from.y ? ls_lab_wins (result, spot, NULL)
                                                                  : LS_WINS_UNKNOWN;

      if (wins != who && (wins == LS_WINS_FIRST || wins == LS_WINS_SECOND))
        return 0;
      n += wins == who;
      equal += wins == LS_WINS_NEITHER;
    }
  return 3 * equal <= n ? n : 0;
}

void
ls_lab_corner (const LsLabResult *result, LsLabCorner *corner)
{
  *corner = (LsLabCorner){ 0 };
  for (guint i = 0; i < result->tried->len; i++)
    {
      const LsLabSpot from = g_array_index (result->tried, LsLabSpot, i);
      const LsLabWins who = ls_lab_wins (result, from, NULL);
      const guint n = who == LS_WINS_FIRST || who == LS_WINS_SECOND ? count_from (result, from, who) : 0;

      if (n >= LEAST && n > corner->spots)
        *corner = (LsLabCorner){ who, from, n };
    }
}

static const char *
title (const LsLabResult *result, LsLabWins who)
{
  return ((const LsLaneSpec *) result->specs->pdata[who == LS_WINS_SECOND])->title;
}

/* How many spots each of them wins. */
static void
count (const LsLabResult *result, guint wins[4])
{
  for (guint i = 0; i < result->tried->len; i++)
    wins[ls_lab_wins (result, g_array_index (result->tried, LsLabSpot, i), NULL)]++;
}

/* One wins wherever there is a winner. */
static char *
only_text (const LsLabResult *result, LsLabWins who, guint won, guint all)
{
  /* TRANSLATORS: there: on the machine that it was measured on */
  return g_strdup_printf (
    result->foreign
      ? ngettext ("There %s wins at %u of %u spot that was measured.",
                  "There %s wins at %u of %u spots that were measured, and the other at none.", all)
      : ngettext ("Here %s wins at %u of %u spot that was measured.",
                  "Here %s wins at %u of %u spots that were measured, and the other at none.", all),
    title (result, who), won, all);
}

static char *
where_text (const LsLabResult *result)
{
  const LsExperiment *experiment = result->experiment;
  guint wins[4] = { 0 };
  LsLabCorner corner;

  count (result, wins);
  const guint all = wins[LS_WINS_FIRST] + wins[LS_WINS_SECOND] + wins[LS_WINS_NEITHER];
  for (LsLabWins who = LS_WINS_FIRST; who <= LS_WINS_SECOND; who++)
    if (wins[who] > 0 && wins[LS_WINS_FIRST + LS_WINS_SECOND - who] == 0)
      return only_text (result, who, wins[who], all);
  if (wins[LS_WINS_NEITHER] == all)
    return g_strdup (result->foreign ? _("There both are as fast at every spot that was measured.")
                                     : _("Here both are as fast at every spot that was measured."));
  ls_lab_corner (result, &corner);
  if (corner.who != LS_WINS_UNKNOWN)
    return g_strdup_printf (
      /* TRANSLATORS: “Here OpenCL wins from batch 64 at width 512 upwards.” */
      result->foreign ? _("There %s wins from %s %u at %s %u upwards.")
                      : _("Here %s wins from %s %u at %s %u upwards."),
      title (result, corner.who), _(experiment->column), corner.from.x, _(experiment->row), corner.from.y);
  return g_strdup_printf (
    result->foreign
      ? ngettext ("There neither wins from some size on: %s at %u spot, %s at %u.",
                  "There neither wins from some size on: %s at %u spots, %s at %u.", wins[LS_WINS_FIRST])
      : ngettext ("Here neither wins from some size on: %s at %u spot, %s at %u.",
                  "Here neither wins from some size on: %s at %u spots, %s at %u.", wins[LS_WINS_FIRST]),
    title (result, LS_WINS_FIRST), wins[LS_WINS_FIRST], title (result, LS_WINS_SECOND), wins[LS_WINS_SECOND]);
}

/* NULL: it isn't known of that spot. (transfer full) */
static char *
own_text (const LsLabResult *result, LsLabSpot own)
{
  double times;
  const LsLabWins wins = ls_lab_wins (result, own, &times);
  g_autofree char *number = NULL;

  if (wins == LS_WINS_UNKNOWN)
    return NULL;
  if (wins == LS_WINS_NEITHER)
    return g_strdup_printf (_("Your network at %s %u is as fast on either."), _(result->experiment->column),
                            own.x);
  number = ls_number_text (times, times < 9.95 ? 2 : 3);
  return g_strdup_printf (_("Your network at %s %u is %s times as fast on %s."),
                          _(result->experiment->column), own.x, number, title (result, wins));
}

char *
ls_lab_crossover_text (const LsLabResult *result, const LsLabSpot *own)
{
  g_autoptr (GPtrArray) sentences = g_ptr_array_new_with_free_func (g_free);
  g_autofree char *titles = NULL, *mine = NULL;
  g_autoptr (LsFairness) fairness = NULL;
  guint wins[4] = { 0 };

  count (result, wins);
  if (wins[LS_WINS_UNKNOWN] == result->tried->len)
    return g_strdup (result->specs->len < 2 ? _("One lane alone has nothing to be compared with.")
                                            : _("Both lanes were measured at no spot yet."));
  g_ptr_array_add (sentences, where_text (result));
  if (own != NULL && (mine = own_text (result, *own)) != NULL)
    g_ptr_array_add (sentences, g_steal_pointer (&mine));
  fairness = ls_lab_fairness (result);
  if ((titles = ls_fairness_titles (fairness)) != NULL)
    g_ptr_array_add (sentences, g_strdup_printf (_("Unfair: %s."), titles));
  g_ptr_array_add (sentences, NULL);
  return g_strjoinv (" ", (char **) sentences->pdata);
}
