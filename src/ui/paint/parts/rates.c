/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See rates.h.
 */
#include "config.h"
#include "ui/paint/parts/rates.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "core/number.h"

LsWinner
ls_rates_winner (const LsViewData *data)
{
  const LsViewLane *a = &data->sides[0], *b = &data->sides[1];

  return ls_counted_together (&a->counted, &b->counted) ? ls_figure_winner (&a->rate, &b->rate)
                                                        : LS_WINNER_UNKNOWN;
}

double
ls_rates_ratio (const LsViewData *data)
{
  const double a = data->sides[0].rate.value, b = data->sides[1].rate.value;

  return MAX (a, b) / MIN (a, b);
}

char *
ls_rates_verdict (const LsViewData *data, gboolean with_ratio)
{
  const LsWinner winner = ls_rates_winner (data);
  g_autofree char *ratio = NULL, *words = NULL;

  if (winner == LS_WINNER_UNKNOWN)
    return NULL;
  if (winner == LS_WINNER_NONE)
    return g_strdup (_("no clear winner"));
  if (!with_ratio)
    return g_strdup_printf (_("%s is faster"), data->sides[winner == LS_WINNER_SECOND].brief);
  ratio = ls_number_text (ls_rates_ratio (data), 3);
  words = g_strdup_printf (_("%s is %s times as fast"), data->sides[winner == LS_WINNER_SECOND].brief,
                           ratio);
  return ls_rates_unfair (data) ? g_strdup_printf ("%s · %s", words, _("unfair")) : g_steal_pointer (&words);
}

gboolean
ls_rates_unfair (const LsViewData *data)
{
  return ls_fairness_is_unfair (data->fairness);
}

/* The newest step was done beside a compiler. */
static gboolean
is_disturbed (const LsViewLane *lane)
{
  return lane->steps > 0 && (ls_view_lane_point (lane, lane->steps - 1).flags & LS_POINT_DISTURBED) != 0;
}

char *
ls_rates_no_ratio (const LsViewData *data)
{
  const LsViewLane *a = &data->sides[0], *b = &data->sides[1];
  guint64 wanting = MAX (ls_figure_wanting (&a->rate), ls_figure_wanting (&b->rate));
  g_autofree char *n = NULL;

  if (!a->there || !b->there || a->state != LS_LANE_READY || b->state != LS_LANE_READY || a->steps == 0
      || b->steps == 0 || ls_rates_winner (data) != LS_WINNER_UNKNOWN)
    return NULL;
  if (a->rate.condition != NULL || b->rate.condition != NULL)
    return g_strdup (_("no ratio: measured beside a compiler"));
  if (is_disturbed (a) || is_disturbed (b))
    return g_strdup (_("no ratio beside a compiler"));
  if (wanting == 0)
    {
      /* both stand: the longer stretch must be the other's, too, by half */
      const guint64 from = MAX (a->counted.from, b->counted.from), end = MIN (a->counted.end, b->counted.end);
      const guint64 longer = MAX (a->counted.end - a->counted.from, b->counted.end - b->counted.from);
      wanting = (longer + 1) / 2 - (end > from ? MIN (end - from, longer / 2) : 0);
    }
  n = ls_number_count (wanting);
  return g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "ratio after at most %s more step of both",
                                       "ratio after at most %s more steps of both", (gulong) wanting),
                          n);
}

char *
ls_rates_other_way_round (const LsViewData *data)
{
  const LsStepIndex *a = data->sides[0].index, *b = data->sides[1].index;
  const LsWinner winner = ls_rates_winner (data);

  if (a == NULL || b == NULL || (winner != LS_WINNER_FIRST && winner != LS_WINNER_SECOND)
      || (a->length_ns < b->length_ns) == (winner == LS_WINNER_FIRST) || a->length_ns == b->length_ns)
    return NULL;
  return g_strdup (_("this step: the other way round"));
}

/* ---- one lane's rate ---- */

/* It trains and has no rate, because the other lane compiles on the same cores. With as many samples as a
 * rate can stand on, and the Throughput plot draws, it has been measured. */
static gboolean
beside_compiler (const LsLayout *layout, const LsViewLane *lane)
{
  const LsViewLane *other = &layout->data->sides[lane == &layout->data->sides[0] ? 1 : 0];

  if (lane->rate.n >= LS_FIGURE_STANDS_CALM)
    return FALSE;
  return (lane->rate.n == 0 && isnan (lane->progress) && !isnan (other->progress)) || is_disturbed (lane);
}

char *
ls_rate_number (const LsViewLane *lane)
{
  return ls_figure_stands (&lane->rate) ? ls_number_scaled (lane->rate.value) : g_strdup ("–");
}

char *
ls_rate_lacking (const LsLayout *layout, const LsViewLane *lane)
{
  const guint64 wanting = ls_figure_wanting (&lane->rate);
  g_autofree char *n = ls_number_count (wanting);

  if (ls_figure_stands (&lane->rate))
    return NULL;
  if (lane->rate.condition != NULL || beside_compiler (layout, lane))
    return g_strdup (_("not measured beside a compiler"));
  if (lane->stopped_at > 0)
    return g_strdup (_("not measured before it stopped"));
  if (lane->rate.n == 0 || wanting == 0)
    return g_strdup (_("not measured yet"));
  return g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "at most %s more step needed",
                                       "at most %s more steps needed", (gulong) wanting),
                          n);
}

static guint64
left_out (const LsCounted *counted)
{
  return counted->warm_up + counted->recorded + counted->rested + counted->disturbed;
}

char *
ls_left_out_words (const LsCounted *counted)
{
  const guint64 all = left_out (counted);
  g_autofree char *n = ls_number_count (all);

  if (all == 0)
    return NULL;
  if (all == counted->warm_up)
    return g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "the first %s", "the first %s", (gulong) all), n);
  if (all == counted->recorded)
    return g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "%s recorded", "%s recorded", (gulong) all), n);
  if (all == counted->rested)
    return g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "%s after a rest", "%s after a rest", (gulong) all),
                            n);
  if (all == counted->rested + counted->recorded)
    return g_strdup_printf (_("%s after a rest or recorded"), n);
  if (all == counted->disturbed)
    return g_strdup_printf (
      g_dngettext (GETTEXT_PACKAGE, "%s beside a compiler", "%s beside a compiler", (gulong) all), n);
  return g_strdup_printf (_("%s first, recorded or disturbed"), n);
}

char *
ls_rate_condition (const LsViewLane *lane, LsRateForm form)
{
  const LsFigure *rate = &lane->rate;
  g_autofree char *n = ls_number_count (rate->n), *low = ls_number_scaled (rate->q1),
                  *high = ls_number_scaled (rate->q3);
  g_autofree char *spread = ls_number_spread (rate->value, rate->q1, rate->q3);
  g_autofree char *without = ls_left_out_words (&lane->counted),
                  *out = ls_number_count (left_out (&lane->counted));

  if (form == LS_RATE_RANGE && without != NULL)
    return g_strdup_printf (_("median of %s without %s, middle half %s–%s"), n, without, low, high);
  if (form == LS_RATE_RANGE)
    return g_strdup_printf (_("median of %s, middle half %s–%s"), n, low, high);
  if (without != NULL && form >= LS_RATE_BRIEF)
    return g_strdup_printf (_("median, %s"), spread);
  if (without != NULL && form == LS_RATE_SHORT)
    return g_strdup_printf (_("%s steps, %s left out, %s"), n, out, spread);
  if (without != NULL)
    return g_strdup_printf (_("median of %s without %s, %s"), n, without, spread);
  return g_strdup_printf (_("median of %s, %s"), n, spread);
}

char *
ls_rate_wanting (guint64 steps)
{
  g_autofree char *n = ls_number_count (steps);

  return g_strdup_printf (
    g_dngettext (GETTEXT_PACKAGE, "at most %s more step", "at most %s more steps", (gulong) steps), n);
}

char *
ls_rate_words (const LsLayout *layout, const LsViewLane *lane, LsRateForm form)
{
  if (ls_figure_stands (&lane->rate))
    return lane->stopped_at > 0 ? g_strdup (_("before it stopped")) : ls_rate_condition (lane, form);
  if (form >= LS_RATE_BRIEF && (lane->rate.condition != NULL || beside_compiler (layout, lane)))
    return g_strdup (_("beside a compiler"));
  if (form >= LS_RATE_BRIEF && lane->stopped_at > 0)
    return g_strdup (_("not measured"));
  if (form == LS_RATE_BRIEF && lane->rate.n > 0 && ls_figure_wanting (&lane->rate) > 0)
    return ls_rate_wanting (ls_figure_wanting (&lane->rate));
  return form == LS_RATE_LEAST ? g_strdup (_("not measured yet")) : ls_rate_lacking (layout, lane);
}

/* ---- agreement ---- */

char *
ls_loss_caption (const LsViewData *data, guint side)
{
  const LsViewLane *lane = &data->sides[side], *other = &data->sides[1 - side];
  g_autofree char *step = ls_number_count (lane->loss_step);

  if (!other->there || other->loss.n == 0 || lane->loss.n == 0 || other->loss_step == lane->loss_step)
    return g_strdup (_("loss"));
  return g_strdup_printf (_("loss of step %s"), step);
}

char *
ls_delta_caption (const LsViewLane *lane)
{
  return g_strdup (lane->delta_of == LS_DELTA_WEIGHTS ? _("max |Δ|") : _("differ by"));
}

char *
ls_delta_number (const LsViewLane *lane)
{
  g_autofree char *power = ls_number_power (lane->delta.value);

  return g_strconcat (lane->delta_of == LS_DELTA_LOSSES && lane->delta.value > 0 ? "≤" : "", power, NULL);
}

/* What they store can't be the same, so nobody would look for a step from which on it isn't. */
static gboolean
precisions_differ (const LsViewData *data)
{
  return data->sides[0].there && data->sides[1].there && data->sides[0].precision != data->sides[1].precision;
}

char *
ls_agreement_brief (const LsViewData *data)
{
  g_autofree char *step = ls_number_count (data->agreed.apart_step);

  if (data->disagree[0] != NULL)
    return g_strdup (_("the lanes disagree"));
  if (data->agreed.apart_step > 0 && precisions_differ (data))
    {
      g_autofree char *stored = ls_view_data_precision (data);
      return g_strdup_printf (_("stored in %s"), stored);
    }
  if (data->agreed.apart_step > 0 && data->agreed.skip_step > 0)
    {
      g_autofree char *skipped = ls_number_count (data->agreed.skip_step);
      return g_strdup_printf (_("one lane alone skipped step %s"), skipped);
    }
  return data->agreed.apart_step > 0 ? g_strdup_printf (_("rounding differs since step %s"), step)
                                     : ls_agreement_text (data);
}

char *
ls_agreement_text (const LsViewData *data)
{
  const LsAgreed *agreed = &data->agreed;
  const LsFigure *delta = &data->sides[0].delta;
  g_autofree char *step = ls_number_count (agreed->apart_step),
                  *bound = agreed->tolerance > LS_AGREE_LOSS ? ls_number_text (agreed->tolerance, 2)
                                                             : ls_number_tick (LS_AGREE_LOSS);
  g_autofree char *losses = ls_number_text (agreed->loss_delta, 2), *n = NULL, *of = NULL;

  if (data->disagree[0] != NULL || agreed->compared == 0)
    return NULL;
  /* weights are compared now and then: losses may have come apart since */
  if (delta->n > 0 && data->sides[0].delta_of == LS_DELTA_WEIGHTS && delta->value == 0
      && !(agreed->loss_delta > 0))
    return g_strdup (_("both the same, bit for bit"));
  if (agreed->apart_step == 0)
    return agreed->loss_delta > 0 ? g_strdup_printf (_("losses agree within %s"), bound)
                                  : g_strdup (_("losses the same so far"));
  g_autofree char *stored = precisions_differ (data) ? ls_view_data_precision (data) : NULL;
  if (stored == NULL && agreed->skip_step > 0)
    {
      g_autofree char *skipped = ls_number_count (agreed->skip_step);
      return g_strdup_printf (_("one lane alone skipped step %s: losses differ by %s at most"), skipped,
                              losses);
    }
  if (agreed->answers < 0)
    return stored != NULL ? g_strdup_printf (_("stored in %s: losses differ by %s at most"), stored, losses)
                          : g_strdup_printf (
                            _("rounding differs since step %s: losses differ by %s at most"), step, losses);
  n = ls_number_count ((guint64) agreed->answers);
  of = ls_number_count ((guint64) agreed->n_answers);
  if (stored != NULL)
    return g_strdup_printf (g_dngettext (GETTEXT_PACKAGE,
                                         "stored in %s: losses differ by %s at most, %s of %s answer differs",
                                         "stored in %s: losses differ by %s at most, %s of %s answers differ",
                                         (gulong) agreed->n_answers),
                            stored, losses, n, of);
  return g_strdup_printf (
    g_dngettext (GETTEXT_PACKAGE,
                 "rounding differs since step %s: losses differ by %s at most, %s of %s answer differs",
                 "rounding differs since step %s: losses differ by %s at most, %s of %s answers differ",
                 (gulong) agreed->n_answers),
    step, losses, n, of);
}
