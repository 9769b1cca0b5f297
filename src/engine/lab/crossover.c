/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See crossover.h.
 */
#include "config.h"
#include "lab/crossover.h"

#include <glib/gi18n-lib.h>
#include <math.h>

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

static char *
where_text (const LsLabResult *result)
{
  const LsExperiment *experiment = result->experiment;
  /* TRANSLATORS: begins “… OpenCL wins from batch 64 on”; there: on the machine that it was measured on */
  const char *here = result->foreign ? _("There") : _("Here");
  guint wins[4] = { 0 };
  LsLabCorner corner;

  count (result, wins);
  const guint all = wins[LS_WINS_FIRST] + wins[LS_WINS_SECOND] + wins[LS_WINS_NEITHER];
  for (LsLabWins who = LS_WINS_FIRST; who <= LS_WINS_SECOND; who++)
    if (wins[who] > 0 && wins[LS_WINS_FIRST + LS_WINS_SECOND - who] == 0)
      return g_strdup_printf (
        ngettext ("%s %s wins at %u of %u spot that was measured",
                  "%s %s wins at %u of %u spots that were measured, and the other at none", all),
        here, title (result, who), wins[who], all);
  if (wins[LS_WINS_NEITHER] == all)
    return g_strdup_printf (_("%s both are as fast at every spot that was measured"), here);
  ls_lab_corner (result, &corner);
  if (corner.who != LS_WINS_UNKNOWN) /* TRANSLATORS: “Here OpenCL wins from batch 64 at width 512 upwards” */
    return g_strdup_printf (_("%s %s wins from %s %u at %s %u upwards"), here, title (result, corner.who),
                            _(experiment->column), corner.from.x, _(experiment->row), corner.from.y);
  return g_strdup_printf (_("%s neither wins from some size on: %s at %u spots, %s at %u"), here,
                          title (result, LS_WINS_FIRST), wins[LS_WINS_FIRST], title (result, LS_WINS_SECOND),
                          wins[LS_WINS_SECOND]);
}

static char *
own_text (const LsLabResult *result, LsLabSpot own)
{
  double times;
  const LsLabWins wins = ls_lab_wins (result, own, &times);

  switch (wins)
    {
    case LS_WINS_UNKNOWN:
      break;
    case LS_WINS_NEITHER:
      return g_strdup_printf (_("your network at %s %u is as fast on either"),
                              _(result->experiment->column), own.x);
    case LS_WINS_FIRST:
    case LS_WINS_SECOND:
      return g_strdup_printf (_("your network at %s %u is %.1f times as fast on %s"),
                              _(result->experiment->column), own.x, times, title (result, wins));
    }
  return NULL;
}

char *
ls_lab_crossover_text (const LsLabResult *result, const LsLabSpot *own)
{
  g_autofree char *where = NULL, *mine = NULL, *titles = NULL, *unfair = NULL;
  g_autoptr (LsFairness) fairness = NULL;
  guint wins[4] = { 0 };

  count (result, wins);
  if (wins[LS_WINS_UNKNOWN] == result->tried->len)
    return g_strdup (result->specs->len < 2 ? _("One lane alone has nothing to be compared with.")
                                            : _("Both lanes were measured at no spot yet."));
  where = where_text (result);
  fairness = ls_lab_fairness (result);
  titles = ls_fairness_titles (fairness);
  unfair = titles != NULL ? g_strdup_printf (_(" Unfair: %s."), titles) : g_strdup ("");
  mine = own != NULL ? own_text (result, *own) : NULL;
  return mine != NULL ? g_strdup_printf ("%s; %s.%s", where, mine, unfair)
                      : g_strdup_printf ("%s.%s", where, unfair);
}
