/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * When does owning pay? What renting and owning cost in all, month by month, each a band from the least to
 * the most hours; where they cross, the months that are planned, and what would move the crossing.
 */
#include "config.h"
#include "ui/paint/planner/planner.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "ui/paint/parts/text.h"
#include "core/number.h"
#include "ui/paint/scene/spread.h"

typedef struct {
  LsPlanner *p;
  LsAxis x, y;
  double left, right, top, bottom, end;
  guint n_taken; /* the rings', and the plate of the crossing */
  LsArea taken[3];
} Plot;

typedef double (*Cost) (const LsBill *bill, double months);

/* ---- bands ---- */

static void
band (const Plot *plot, Cost cost)
{
  LsScene *s = plot->p->layout->still;
  const LsAdvice *a = &plot->p->advice;
  const double months = plot->x.high, thick = 3;
  const double low0 = ls_axis_at (&plot->y, cost (&a->best, 0)),
               low1 = ls_axis_at (&plot->y, cost (&a->best, months)),
               high0 = ls_axis_at (&plot->y, cost (&a->worst, 0)),
               high1 = ls_axis_at (&plot->y, cost (&a->worst, months));
  LsItem *item = ls_scene_path (s, LS_ITEM_AREA, LS_INK_TEXT, 0, 0);

  item->evidence = LS_EVIDENCE_MODELLED;
  ls_scene_point (s, plot->left, MIN (high0, low0) - thick);
  ls_scene_point (s, plot->right, MIN (high1, low1) - thick);
  ls_scene_point (s, plot->right, MAX (high1, low1) + thick);
  ls_scene_point (s, plot->left, MAX (high0, low0) + thick);
}

static char *
money_range (const LsPlanner *p, double a, double b)
{
  g_autofree char *low = ls_planner_money (p, MIN (a, b)), *high = ls_planner_money (p, MAX (a, b)),
                  *bare = NULL;
  char *space;

  if (g_strcmp0 (low, high) == 0)
    return g_strdup (low);
  bare = g_strdup (low);
  if ((space = strrchr (bare, ' ')) != NULL)
    *space = '\0';
  return g_strdup_printf ("%s–%s", bare, high);
}

/* Of each band its name and what it costs, NULL-terminated. */
typedef struct {
  char *lines[2][4];
} Words;

static void
words_of (const LsPlanner *p, Words *words)
{
  const LsAdvice *a = &p->advice;
  g_autofree char *rent = money_range (p, ls_bill_rented (&a->best, 1), ls_bill_rented (&a->worst, 1)),
                  *card = ls_planner_money (p, a->best.card),
                  *run = money_range (p, ls_bill_owned (&a->best, 1) - ls_bill_bought (&a->best),
                                      ls_bill_owned (&a->worst, 1) - ls_bill_bought (&a->worst));

  *words = (Words){ { { g_strdup (_("rent a month")), g_steal_pointer (&rent), NULL },
                      { g_strdup (_("own")), g_strdup (card), g_strdup_printf (_("then %s a month"), run),
                        NULL } } };
}

static void
words_clear (Words *words)
{
  for (guint i = 0; i < 2; i++)
    for (guint k = 0; words->lines[i][k] != NULL; k++)
      g_free (words->lines[i][k]);
}

static double
words_width (const LsPlanner *p, const Words *words)
{
  const LsType bold = { p->layout->m.label.px, 700 };
  double width = 0;

  for (guint i = 0; i < 2; i++)
    for (guint k = 0; words->lines[i][k] != NULL; k++)
      width = MAX (width,
                   ls_scene_width (p->layout->still, k == 0 ? bold : p->layout->m.label, words->lines[i][k]));
  return width;
}

static double
middle_at (const Plot *plot, Cost cost)
{
  const LsAdvice *a = &plot->p->advice;

  return (ls_axis_at (&plot->y, cost (&a->best, plot->x.high))
          + ls_axis_at (&plot->y, cost (&a->worst, plot->x.high)))
         / 2;
}

static void
band_labels (const Plot *plot, const Words *words)
{
  const LsMetrics *m = &plot->p->layout->m;
  LsScene *s = plot->p->layout->still;
  const LsType bold = { m->label.px, 700 };
  const double x = plot->right + 2 * m->unit, pitch = m->label.px * LS_TEXT_PITCH,
               y[2] = { middle_at (plot, ls_bill_rented), middle_at (plot, ls_bill_owned) };
  const guint order[2] = { y[0] <= y[1] ? 0 : 1, y[0] <= y[1] ? 1 : 0 };
  double places[2] = { y[order[0]], y[order[1]] };
  /* in a low picture fewer lines of each, from the first on */
  const guint most = (guint) CLAMP ((plot->bottom - plot->top) / pitch / 2, 1, 3);

  ls_spread (places, 2, pitch * (most + .2), plot->top + m->label.px, plot->bottom - (most - 1) * pitch);
  for (guint i = 0; i < 2; i++)
    for (guint k = 0; k < most && words->lines[order[i]][k] != NULL; k++)
      {
        const char *const line[] = { words->lines[order[i]][k], NULL };
        if (!ls_text_fit (s, x, places[i] + k * pitch, plot->end - x, k == 0 ? bold : m->label,
                          k == 0 ? LS_INK_TEXT : LS_INK_QUIET, LS_LEFT, line))
          break;
      }
}

/* ---- the crossing, and the user's own date ---- */

/* Two lines on a plate of their own, as they may lie on a band: their place, */
static LsArea
plate_area (const Plot *plot, double x, double base, LsType second, const char *above, const char *words)
{
  const LsMetrics *m = &plot->p->layout->m;
  const LsScene *s = plot->p->layout->still;
  const double w = MAX (ls_scene_width (s, m->label, above), ls_scene_width (s, second, words)),
               top = base - second.px * 1.2 - m->label.px * 1.05;

  return (LsArea){ x - 4, top, w + 8, base + second.px * .35 - top };
}

/* and they themselves. */
static void
plate (const Plot *plot, double x, double base, LsType second, const char *above, const char *words)
{
  const LsMetrics *m = &plot->p->layout->m;
  LsScene *s = plot->p->layout->still;
  const LsArea at = plate_area (plot, x, base, second, above, words);

  ls_scene_box (s, at.x, at.y, at.w, at.h, LS_INK_VIEW, 0)->size = 3;
  ls_scene_text (s, x, base - second.px * 1.2, m->label, LS_INK_QUIET, LS_LEFT, above);
  ls_scene_text (s, x, base, second, LS_INK_TEXT, LS_LEFT, words);
}

static gboolean
is_free (const Plot *plot, LsArea area)
{
  for (guint i = 0; i < plot->n_taken; i++)
    if (ls_area_overlaps (&area, &plot->taken[i]))
      return FALSE;
  return area.x >= plot->left - 4 && area.x + area.w <= plot->right + 4 && area.y >= plot->top;
}

static void
crossing (Plot *plot)
{
  const LsPlanner *p = plot->p;
  const LsAdvice *a = &p->advice;
  const LsMetrics *m = &p->layout->m;
  LsScene *s = p->layout->still;
  const LsType bold = { m->heading.px, 700 };
  const LsBill *bills[] = { &a->best, &a->worst };
  g_autofree char *text = ls_months_text (a->break_even);
  double x = 0, y = 0;
  guint n = 0;

  for (guint i = 0; i < 2; i++)
    {
      const double at = ls_bill_break_even (bills[i]);
      if (!(at <= plot->x.high))
        continue;
      LsItem *ring = ls_scene_path (s, LS_ITEM_RINGS, LS_INK_TEXT, 0, 3 * m->unit);
      ring->evidence = LS_EVIDENCE_MODELLED;
      ring->strong = TRUE;
      ls_scene_point (s, ls_axis_at (&plot->x, at), ls_axis_at (&plot->y, ls_bill_rented (bills[i], at)));
      plot->taken[plot->n_taken++] = (LsArea){ ls_axis_at (&plot->x, at) - 2 * m->unit,
                                               ls_axis_at (&plot->y, ls_bill_rented (bills[i], at))
                                                 - 2 * m->unit,
                                               4 * m->unit, 4 * m->unit };
      x = n == 0 ? ls_axis_at (&plot->x, at) : MIN (x, ls_axis_at (&plot->x, at));
      y = n == 0 ? ls_axis_at (&plot->y, ls_bill_rented (bills[i], at))
                 : MIN (y, ls_axis_at (&plot->y, ls_bill_rented (bills[i], at)));
      n++;
    }
  const double w = MAX (ls_scene_width (s, bold, text), ls_scene_width (s, m->label, _("break-even"))),
               beside = x - w - 4 * m->unit, /* bands that don't meet have room between them */
    top = n == 0 ? (plot->top + plot->bottom) / 2 + bold.px * .6 : plot->top + 2.2 * bold.px;
  const gboolean fits = n > 0 && beside >= plot->left + 2 * m->unit && y - 3 * m->unit > top;
  const double left = fits ? beside : plot->left + 2 * m->unit, base = fits ? y - 3 * m->unit : top;

  if (n > 0 && !fits && x > left)
    ls_scene_segment (s, MIN (left + w / 2, x), base + bold.px * .4, x, y - 1.5 * m->unit, LS_INK_TEXT,
                      p->layout->style.hairline)
      ->strong
      = TRUE;
  plot->taken[plot->n_taken++] = plate_area (plot, left, base, bold, _("break-even"), text);
  plate (plot, left, base, bold, _("break-even"), text);
}

/* The months that are planned, under all that is written. */
static void
own_line (const Plot *plot)
{
  LsScene *s = plot->p->layout->still;
  const double x = ls_axis_at (&plot->x, plot->p->guide.months);

  ls_scene_path (s, LS_ITEM_GUIDE, LS_INK_QUIET, 0, plot->p->layout->style.hairline * 1.4)->strong = TRUE;
  ls_scene_point (s, x, plot->bottom);
  ls_scene_point (s, x, plot->top);
}

static void
own_date (const Plot *plot)
{
  const LsPlanner *p = plot->p;
  const LsAdvice *a = &p->advice;
  const LsMetrics *m = &p->layout->m;
  LsScene *s = p->layout->still;
  const LsType bold = { m->label.px, 700 };
  const double months = p->guide.months, x = ls_axis_at (&plot->x, months),
               one = ls_bill_rented (&a->best, months) - ls_bill_owned (&a->best, months),
               other = ls_bill_rented (&a->worst, months) - ls_bill_owned (&a->worst, months);
  g_autofree char *n = ls_number_tick (months), *when = g_strdup_printf (_("at your %s months"), n),
                  *saves = NULL, *words = NULL;
  const gboolean both = (one > 0) == (other > 0);

  saves = money_range (p, fabs (one), fabs (other));
  words = both ? g_strdup_printf (one > 0 ? _("owning saves %s") : _("renting saves %s"), saves)
               : g_strdup (_("either may be cheaper"));
  const double w = MAX (ls_scene_width (s, m->label, when), ls_scene_width (s, bold, words)),
               right = x + 2 * m->unit, left = x - 2 * m->unit - w, low = plot->bottom - m->label.px * .7,
               high = plot->top + 2.6 * m->label.px;
  const double sides[] = { right, left };

  /* as low as there is room beside the rings and the crossing's words */
  for (double base = low; base >= high && plot->bottom - plot->top >= 7 * m->label.px; base -= m->label.px)
    for (guint i = 0; i < G_N_ELEMENTS (sides); i++)
      if (is_free (plot, plate_area (plot, sides[i], base, bold, when, words)))
        {
          plate (plot, sides[i], base, bold, when, words);
          return;
        }
}

/* ---- axes ---- */

static void
axes (const Plot *plot)
{
  const LsMetrics *m = &plot->p->layout->m;
  LsScene *s = plot->p->layout->still;
  const double step = plot->x.high <= 48 ? 12 : 24;

  for (guint i = 0; i < plot->y.n_ticks; i++)
    {
      const double y = ls_axis_at (&plot->y, plot->y.ticks[i]);
      g_autofree char *text = plot->y.ticks[i] >= 1000 ? ls_number_count ((guint64) plot->y.ticks[i])
                                                       : ls_number_tick (plot->y.ticks[i]);

      ls_scene_segment (s, plot->left, y, plot->right, y, i == 0 ? LS_INK_QUIET : LS_INK_HAIRLINE,
                        plot->p->layout->style.hairline);
      ls_scene_text (s, plot->left - 1.5 * m->unit, y + m->tick.px * .36, m->tick, LS_INK_QUIET, LS_RIGHT,
                     text);
    }
  for (double month = 0; month <= plot->x.high; month += step)
    {
      g_autofree char *text = month == 0 ? g_strdup_printf (_("month %s"), "0") : ls_number_tick (month);
      const double half = ls_scene_width (s, m->tick, text) / 2, x = ls_axis_at (&plot->x, month);

      ls_scene_text (s, MIN (x, plot->end - half), plot->bottom + m->tick.px * 1.35, m->tick, LS_INK_QUIET,
                     LS_CENTER, text);
    }
}

/* ---- what moves it ---- */

static void
moves (const LsPlanner *p, LsArea area, double y)
{
  const LsAdvice *a = &p->advice;
  const LsMetrics *m = &p->layout->m;
  LsScene *s = p->layout->still;
  const LsType bold = { m->label.px, 700 };
  g_autofree char *card = g_strdup_printf (_("card at %d %% of its price"),
                                           (int) round (100 * LS_GUIDE_CARD));
  const char *const titles[] = { _("half the hours"), _("twice the hours"), card };
  const double *const months[] = { a->break_half, a->break_twice, a->break_card };
  double x = area.x, end = ls_scene_width (s, bold, _("What moves it"));

  if (end + m->evidence + 7 > area.w)
    return;
  ls_scene_text (s, x, y, bold, LS_INK_TEXT, LS_LEFT, _("What moves it"));
  ls_scene_evidence (s, x + end + 7, y - m->label.px * .36 - m->evidence / 2, m->evidence,
                     LS_EVIDENCE_MODELLED, LS_INK_TEXT);
  x += end + 7 + m->evidence + 3 * m->unit;
  if (x + 2 * ls_scene_width (s, m->label, titles[1]) > area.x + area.w) /* too narrow: a line of its own */
    {
      x = area.x;
      y += m->label.px * LS_TEXT_PITCH;
    }
  for (guint i = 0; i < G_N_ELEMENTS (titles); i++)
    {
      g_autofree char *text = ls_months_text (months[i]);
      const double w = MAX (ls_scene_width (s, m->label, titles[i]), ls_scene_width (s, bold, text));

      if (x + w > area.x + area.w)
        return;
      ls_scene_text (s, x, y, m->label, LS_INK_QUIET, LS_LEFT, titles[i]);
      ls_scene_text (s, x, y + m->label.px * LS_TEXT_PITCH, bold, LS_INK_TEXT, LS_LEFT, text);
      x += w + 5 * m->unit;
    }
}

/* Why there is nothing to draw. (transfer full) */
static char *
why_not (const LsPlanner *p)
{
  const LsAdvice *a = &p->advice;
  const LsFigure has = p->guide.own != NULL ? ls_hardware_step_memory (p->guide.own) : (LsFigure){ 0 };

  if (p->field)
    return ls_planner_compares (p) ? NULL
                                   : g_strdup (_("A figure that this needs isn’t published: picked above, "
                                                  "↑ says one."));
  if (a->kind == LS_ADVICE_WRONG)
    return g_strdup (_("Nothing to rent or to buy for that."));
  if (p->layout->data->catalogue == NULL)
    return g_strdup (_("There is no catalogue of published figures here."));
  if (p->plan == NULL)
    return g_strdup (_("Costs follow from hours, and these from the step’s plan, which isn’t there."));
  if (p->guide.need.n > 0 && has.n > 0 && p->guide.need.value > has.value)
    {
      g_autofree char *need = ls_planner_bytes (p->guide.need.value), *there = ls_planner_bytes (has.value);
      return g_strdup_printf (_("The step takes %s and one %s has %s: there is nothing to hold against each "
                                 "other."),
                              need, p->guide.own->name, there);
    }
  if (!(p->guide.steps > 0))
    return g_strdup (
      _("How many steps an epoch has isn’t in this recording, so neither hours nor costs are known."));
  if (a->owned.n > 0 && a->owned.q3 > LS_HOURS_A_MONTH)
    {
      g_autofree char *hours = ls_hours_text (&a->owned);
      return g_strdup_printf (_("One %s may not be enough: the runs of a month take %s there, and a month "
                                 "has 730."),
                              p->guide.own->name, hours);
    }
  if (!ls_planner_compares (p))
    return g_strdup (_("A figure that this needs isn’t published: picked above, ↑ says one."));
  return NULL;
}

void
ls_planner_pay (LsPlanner *p, LsArea area)
{
  const LsAdvice *a = &p->advice;
  const LsMetrics *m = &p->layout->m;
  LsScene *s = p->layout->still;
  Plot plot = { .p = p, .top = area.y + m->heading.px * 1.6 + m->label.px, .end = area.x + area.w };
  const double y = area.y + m->heading.px, foot = m->tick.px * 1.9,
               move_h = m->label.px * LS_TEXT_PITCH * 3.2;
  g_autofree char *why = why_not (p), *hours = a->owned.n > 0 ? ls_hours_text (&a->owned) : NULL,
                  *words = hours != NULL
                             ? g_strdup_printf (_("%s in all, at %s a month"), p->guide.currency, hours)
                             : NULL;
  Words bands;
  double most, months;

  if (area.h < m->heading.px * 3)
    return;
  ls_text_heading (s, m, area, y, _("When does owning pay?"), why == NULL ? words : NULL);
  if (why != NULL)
    {
      if (ls_text_wrapped (s, area.x, y, area.w, m->label, LS_INK_QUIET, why, FALSE) < area.y + area.h)
        ls_text_wrapped (s, area.x, y, area.w, m->label, LS_INK_QUIET, why, TRUE);
      return;
    }
  months = MAX (36, 1.5 * p->guide.months);
  if (a->break_even[0] <= 96)
    months = MAX (months, MIN (1.25 * a->break_even[1], 120));
  months = 12 * ceil (months / 12);
  plot.bottom = area.y + area.h - foot - move_h;
  if (plot.bottom - plot.top < 6 * m->label.px)
    plot.bottom = area.y + area.h - foot;
  if (plot.bottom - plot.top < 5 * m->label.px && isnan (a->break_even[0]))
    return;
  if (plot.bottom - plot.top < 5 * m->label.px)
    {
      g_autofree char *even = ls_months_text (a->break_even),
                      *told = g_strdup_printf (_("break-even: %s; a larger window draws the costs"), even);
      if (ls_text_wrapped (s, area.x, y, area.w, m->label, LS_INK_QUIET, told, FALSE) < area.y + area.h)
        ls_text_wrapped (s, area.x, y, area.w, m->label, LS_INK_QUIET, told, TRUE);
      return;
    }
  most = MAX (ls_bill_rented (&a->worst, months), ls_bill_owned (&a->worst, months));
  most = MIN (most, 4 * MAX (ls_bill_owned (&a->worst, months), ls_bill_rented (&a->best, months)));
  plot.left = area.x + ls_scene_width (s, m->tick, "999 999") + 2 * m->unit;
  words_of (p, &bands);
  plot.right = plot.end - MIN (words_width (p, &bands) + 2 * m->unit, area.w * .36);
  ls_axis_init (&plot.x, 0, months, plot.left, plot.right, FALSE, LS_MAX_TICKS);
  plot.x.high = months;
  plot.x.to = plot.right;
  ls_axis_init (&plot.y, 0, most, plot.bottom, plot.top, FALSE, 5);
  axes (&plot);
  band (&plot, ls_bill_rented);
  band (&plot, ls_bill_owned);
  own_line (&plot);
  crossing (&plot);
  own_date (&plot);
  band_labels (&plot, &bands);
  words_clear (&bands);
  if (plot.bottom + foot + move_h <= area.y + area.h + 1)
    moves (p, area, plot.bottom + foot + m->label.px * 1.2);
}
