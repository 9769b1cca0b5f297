/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The answer in one sentence, and under it every figure that it rests on with its mark. One that is picked
 * tells where it is from; a price is changed by ↑ and ↓.
 */
#include "config.h"
#include "ui/paint/planner/planner.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "ui/paint/parts/text.h"
#include "core/number.h"

#define ARROW 24.0 /* px: a pointer's least */

void
ls_planner_figure_clear (gpointer figure)
{
  g_free (((LsPlannerFigure *) figure)->text);
  g_free (((LsPlannerFigure *) figure)->told);
}

char *
ls_planner_bytes (double bytes)
{
  g_autofree char *number = ls_number_text (bytes / (bytes >= 1e9 ? 1e9 : 1e6), 3);

  return g_strdup_printf (bytes >= 1e9 ? "%s GB" : "%s MB", number);
}

const char *
ls_planner_short (const LsHardware *device)
{
  static const char *const makers[] = { "NVIDIA GeForce ", "NVIDIA Tesla ", "NVIDIA ", "Google " };

  for (guint i = 0; i < G_N_ELEMENTS (makers); i++)
    if (g_str_has_prefix (device->name, makers[i]))
      return device->name + strlen (makers[i]);
  return device->name;
}

char *
ls_planner_money (const LsPlanner *p, double value)
{
  g_autofree char *number = fabs (value) >= 999.5 ? ls_number_count ((guint64) round (fabs (value)))
                            : fabs (value) < .005 ? g_strdup ("0")
                                                  : ls_number_text (value, fabs (value) < .095 ? 1 : 3);

  return g_strdup_printf ("%s %s", number, p->guide.currency);
}

gboolean
ls_planner_compares (const LsPlanner *p)
{
  return !isnan (p->advice.break_even[0]) && p->advice.kind != LS_ADVICE_WRONG
         && p->advice.owned.q3 <= LS_HOURS_A_MONTH;
}

/* ---- what it rests on ---- */

static void
add (LsPlanner *p, LsEvidence evidence, gint price, const LsHardwareSource *source, char *text, char *told)
{
  const LsPlannerFigure figure
    = { .evidence = evidence, .price = price, .source = source, .text = text, .told = told };

  g_array_append_val (p->figures, figure);
}

static char *
source_words (const LsHardwareSource *source)
{
  return g_strdup_printf (_("%s, %s, seen %s: Enter or another click opens it"), source->title,
                          source->address, source->seen);
}

/* "24.0 GB, the RTX 4090" and the like: what the model of the card rests on. */
static void
add_published (LsPlanner *p, const LsHardwareFigure *figure)
{
  if (figure == NULL)
    return;
  g_autofree char *value = ls_number_text (figure->value, 3);

  add (p, LS_EVIDENCE_PUBLISHED, -1, figure->source,
       g_strdup_printf (_("%s: %s %s"), ls_planner_short (p->guide.own), value, figure->unit),
       source_words (figure->source));
}

static void
add_card (LsPlanner *p)
{
  add_published (p, ls_hardware_get (p->guide.own, LS_HARDWARE_MEMORY, LS_NUMBERS_UNTOLD, 0));
  add_published (p, ls_cost_rate_of (p->guide.own, p->fit.precision));
  add_published (p, ls_cost_bandwidth_of (p->guide.own));
}

static void
add_memory (LsPlanner *p)
{
  g_autofree char *need = ls_planner_bytes (p->guide.need.value),
                  *here = ls_planner_bytes (p->guide.here.value);

  if (p->guide.need.n > 0)
    add (p, LS_EVIDENCE_DERIVED, -1, NULL, g_strdup_printf (_("%s a step, from shapes"), need),
         g_strdup (p->data_known
                     ? _("Each tensor of the step once, the kernels’ workspace and the data set, as "
                          "“lockstep plan --memory” has them")
                     : _("Each tensor of the step once and the kernels’ workspace; how large the data "
                          "set is isn’t in this recording")));
  if (p->guide.here.n > 0)
    add (p, LS_EVIDENCE_PUBLISHED, -1, NULL, g_strdup_printf (_("%s, told by this device"), here),
         g_strdup_printf (_("What the driver of %s tells of its memory"),
                          p->layout->data->sides[p->side].name));
}

static void
add_hours (LsPlanner *p)
{
  const LsAdvice *a = &p->advice;
  g_autofree char *share = ls_number_text (100 * a->share.value, 2);

  if (a->run_here.n > 0)
    {
      g_autofree char *run = ls_hours_text (&a->run_here), *steps = ls_digits_text (p->guide.steps);
      add (p, a->run_here.evidence, -1, NULL, g_strdup_printf (_("%s a run here"), run),
           g_strdup_printf (_("The faster lane’s median over so many steps: %s"), steps));
    }
  if (a->run_own.n > 0)
    {
      g_autofree char *run = ls_hours_text (&a->run_own);
      const gboolean measured = p->guide.share.n > 0;

      add (p, LS_EVIDENCE_MODELLED, -1, measured ? &ls_cost_source_launch : &ls_cost_source_share,
           g_strdup_printf (measured ? _("%s a run on the %s: its roofs, to the %s %% reached here")
                                     : _("%s a run on the %s: its roofs, to %s %% of them"),
                            run, ls_planner_short (p->guide.own), share),
           source_words (measured ? &ls_cost_source_launch : &ls_cost_source_share));
    }
}

/* "6.92 M values", "56.0 GB". (transfer full) */
static char *
amount_words (const LsFitCheck *check, double value)
{
  g_autofree char *millions = ls_number_text (value / 1e6, 3);

  return strcmp (check->unit, "B") == 0 ? ls_planner_bytes (value)
                                        : g_strdup_printf ("%s M %s", millions, _(check->unit));
}

/* What others published of such a step's memory, counted the same way. They are always the same. */
static void
add_checks (LsPlanner *p)
{
  static LsFitCheck checks[LS_FIT_N_CHECKS];
  static gsize counted;

  if (g_once_init_enter (&counted))
    {
      ls_fit_check (checks);
      g_once_init_leave (&counted, 1);
    }
  for (guint i = 0; i < LS_FIT_N_CHECKS; i++)
    {
      g_autofree char *published = amount_words (&checks[i], checks[i].published),
                      *derived = amount_words (&checks[i], checks[i].derived);

      add (p, LS_EVIDENCE_PUBLISHED, -1, checks[i].source,
           g_strdup_printf (_("%s: %s, counted this way %s"), _(checks[i].what), published, derived),
           source_words (checks[i].source));
    }
}

/* Where a price is from, when, and what can be done with it. (transfer full) */
static char *
price_words (const LsPrice *price)
{
  g_autofree char *from = NULL;

  if (price->source != NULL)
    return source_words (price->source);
  from = ls_price_source_text (price);
  return price->own ? g_strdup_printf (_("%s: ↑ and ↓ change it by a tenth, D takes it back"), from)
                    : g_strdup_printf (_("%s: ↑ and ↓ change it by a tenth"), from);
}

/* Three figures, or four where it needs them: "3.06", "0.1545", "1599". (transfer full) */
static char *
price_text (double value)
{
  const double unit = value > 0 ? pow (10, floor (log10 (value)) - 2) : 1;
  const gboolean by_three = value < 999.5 && fabs (round (value / unit) * unit - value) <= 1e-6 * value;

  return ls_number_text (value, by_three ? 3 : 4);
}

static void
add_prices (LsPlanner *p)
{
  for (guint i = 0; i < LS_PRICE_N; i++)
    {
      const LsPriceRow *row = &ls_prices_rows[i];
      const LsPrice *price = &p->guide.prices.of[i];
      g_autofree char *value = price_text (price->figure.value);

      if (price->figure.n == 0)
        add (p, LS_EVIDENCE_PUBLISHED, (gint) i, NULL,
             g_strdup_printf (_("%s: not published"), _(row->title)),
             g_strdup (_("Nobody was seen to publish it; ↑ says one")));
      else
        add (p, price->figure.evidence, (gint) i, price->source,
             g_strdup_printf ("%s %s%s%s%s", _(row->title), value,
                              row->money || *row->unit != '\0' ? " " : "",
                              row->money ? p->guide.currency : "", *row->unit != '\0' ? _(row->unit) : ""),
             price_words (price));
    }
}

void
ls_planner_figures (LsPlanner *p)
{
  const LsAdvice *a = &p->advice;

  if (p->guide.work != LS_WORK_NETWORK)
    {
      add (p, LS_EVIDENCE_DERIVED, -1, NULL, g_strdup (_("0 FLOP in products of matrices")),
           g_strdup (_("What there is no multiplication of matrices in, a GPU’s peak says nothing of")));
      return;
    }
  if (!p->field)
    {
      add_memory (p);
      add_hours (p);
    }
  if (p->guide.own == NULL)
    return;
  if (ls_planner_compares (p))
    {
      g_autofree char *months = ls_months_text (a->break_even);
      add (p, LS_EVIDENCE_MODELLED, -1, NULL, g_strdup_printf (_("break-even: %s"), months),
           g_strdup (_("From when on owning is cheaper: with the most hours and with the least")));
    }
  add_prices (p);
  if (p->field)
    return;
  add_card (p);
  add_checks (p);
}

char *
ls_planner_miss (const LsPlanner *p)
{
  const double limit_bytes = p->guide.own != NULL ? ls_hardware_step_memory (p->guide.own).value : 0;
  gboolean any;
  guint largest;

  if (p->model == NULL || p->guide.work != LS_WORK_NETWORK || !(limit_bytes > 0))
    return NULL;
  largest = ls_fit_largest (&p->fit, p->optimizer, limit_bytes, &any);
  g_autofree char *n = ls_number_count (largest), *own = ls_number_count (p->batch);
  if (largest == 0)
    return g_strdup_printf (_("Not even batch 1 fits the %s."), p->guide.own->name);
  if (any)
    return g_strdup_printf (_("Every batch that Lockstep takes, up to %s, fits the %s."), n,
                            p->guide.own->name);
  if (largest >= p->batch)
    return g_strdup_printf (_("The largest batch that fits the %s is %s."), p->guide.own->name, n);
  return g_strdup_printf (
    _("%u × batch %s at most, gradients added up, would fit the %s: the same weights as of batch %s "
       "but for rounding."),
    (p->batch + largest - 1) / largest, n, p->guide.own->name, own);
}

/* ---- drawn ---- */

/* The arrows of a price that is picked. */
static double
arrows_width (const LsPlanner *p, guint i)
{
  const LsPlannerFigure *f = &g_array_index (p->figures, LsPlannerFigure, i);

  return p->asked->picked == (gint) i && f->price >= 0 && p->layout->m.control_h > 0
             && !p->layout->query.chrome
           ? 2 * ARROW
           : 0;
}

static void
draw_arrows (LsPlanner *p, LsPlannerFigure *f, double x, double middle)
{
  LsScene *s = p->layout->still;
  const double r = p->layout->m.label.px * .3;

  f->up = (LsArea){ x, middle - ARROW / 2, ARROW, ARROW };
  f->down = (LsArea){ x + ARROW, middle - ARROW / 2, ARROW, ARROW };
  for (guint i = 0; i < 2; i++)
    {
      const double at = x + (i + .5) * ARROW, way = i == 0 ? -1 : 1;
      ls_scene_path (s, LS_ITEM_AREA, LS_INK_TEXT, 0, 0);
      ls_scene_point (s, at - r, middle - way * r * .8);
      ls_scene_point (s, at + r, middle - way * r * .8);
      ls_scene_point (s, at, middle + way * r * .8);
    }
}

/* A figure with its mark, and its arrows. */
static double
figure_width (const LsPlanner *p, guint i)
{
  const LsMetrics *m = &p->layout->m;

  return m->evidence + 7
         + ls_scene_width (p->layout->still, m->label, g_array_index (p->figures, LsPlannerFigure, i).text)
         + arrows_width (p, i);
}

/* The line that each figure is on, from 0, where these are w wide; G_MAXUINT of one that is wider. Returns
 * how many lines there are. */
static guint
break_lines (const LsPlanner *p, double w, guint *lines)
{
  const double gap = 6 * p->layout->m.unit;
  double x = 0;
  guint line = 0, any = 0;

  for (guint i = 0; i < p->figures->len; i++)
    {
      const double own = figure_width (p, i);

      lines[i] = G_MAXUINT;
      if (own > w)
        continue;
      if (x > 0 && x + own > w)
        {
          x = 0;
          line++;
        }
      lines[i] = line;
      x += own + gap;
      any = 1;
    }
  return line + any;
}

static void
draw_figure (LsPlanner *p, guint i, double x, double y, double pitch)
{
  const LsMetrics *m = &p->layout->m;
  LsScene *s = p->layout->still;
  LsPlannerFigure *f = &g_array_index (p->figures, LsPlannerFigure, i);
  const double arrows = arrows_width (p, i), w = figure_width (p, i);

  if (p->asked->picked == (gint) i)
    ls_scene_box (s, x - 4, y - m->label.px * 1.15, w + 8, m->label.px * 1.6, LS_INK_CHOSEN, 0)->size = 5;
  ls_text_marked (s, m, x, y, w - arrows + 1, f->evidence, LS_INK_TEXT, f->text);
  if (arrows > 0)
    draw_arrows (p, f, x + w - arrows, y - m->label.px * .36);
  f->area = (LsArea){ x - 4, y - m->label.px * .36 - MAX (pitch, 24) / 2, w + 8, MAX (pitch, 24) };
}

/* At most `most` lines: the first ones, or those that end with the picked figure's; returns the last
 * baseline. */
static double
draw_figures (LsPlanner *p, LsArea area, double y, guint most)
{
  const LsMetrics *m = &p->layout->m;
  const double pitch = MAX (m->label.px * 1.7, m->control_h > 0 ? 24 : 0),
               room = (area.y + area.h - m->label.px * .3 - y) / pitch;
  g_autofree guint *lines = g_new (guint, p->figures->len + 1);
  const guint n = break_lines (p, area.w, lines), shown = MIN (MIN (n, most), (guint) MAX (room, 0));
  const guint picked = p->asked->picked >= 0 && (guint) p->asked->picked < p->figures->len
                         ? lines[p->asked->picked]
                         : 0,
              from = picked != G_MAXUINT && picked >= shown && shown > 0 ? picked - shown + 1 : 0;
  double x = area.x;

  for (guint i = 0, line = from; i < p->figures->len; i++)
    if (lines[i] >= from && lines[i] - from < shown)
      {
        x = lines[i] != line ? area.x : x;
        line = lines[i];
        draw_figure (p, i, x, y + (line - from + 1) * pitch, pitch);
        x += figure_width (p, i) + 6 * m->unit;
      }
  if (shown > 0 && from + shown < n
      && x + ls_scene_width (p->layout->still, m->label, "…") <= area.x + area.w)
    ls_scene_text (p->layout->still, x, y + shown * pitch, m->label, LS_INK_QUIET, LS_LEFT, "…");
  return y + shown * pitch;
}

/* Where the picked figure is from; what picking is for. */
static double
draw_told (LsPlanner *p, LsArea area, double y)
{
  const LsMetrics *m = &p->layout->m;
  const LsPlannerFigure *f = p->asked->picked >= 0 && (guint) p->asked->picked < p->figures->len
                               ? &g_array_index (p->figures, LsPlannerFigure, p->asked->picked)
                               : NULL;
  g_autofree char *brief = f != NULL && f->source != NULL
                             ? g_strdup_printf ("%s, %s", f->source->address, f->source->seen)
                             : NULL;
  const char *const told[]
    = { f != NULL ? f->told : NULL, brief, f != NULL && f->source != NULL ? f->source->title : NULL, NULL },
    *const hint[] = { _("A click on a figure says where it is from; V goes to the next card, ↑ and ↓ "
                         "change a price that is picked"),
                      _("A click on a figure says where it is from"), NULL };

  if (y + m->label.px * 1.9 > area.y + area.h)
    return y;
  y += m->label.px * 1.6;
  if (f != NULL)
    ls_text_fit (p->layout->still, area.x, y, area.w, m->label, LS_INK_TEXT, LS_LEFT, told);
  else if (!m->projector && !p->layout->query.chrome && area.y + area.h - y > 12 * m->label.px)
    ls_text_fit (p->layout->still, area.x, y, area.w, m->label, LS_INK_QUIET, LS_LEFT, hint);
  else
    y -= m->label.px * 1.6;
  return y;
}

double
ls_planner_answer (LsPlanner *p, LsArea area)
{
  const LsMetrics *m = &p->layout->m;
  const double scale = m->label.px / 15; /* a desk's large size has 24 px */
  const LsType large = { m->projector                ? m->heading.px * 1.15
                         : m->size == LS_SIZE_LARGE  ? 24 * scale
                         : m->size == LS_SIZE_MEDIUM ? 19 * scale
                                                     : 16 * scale,
                         700 };
  const double bottom = area.y + area.h;
  double y = ls_text_wrapped (p->layout->still, area.x, area.y, area.w * .96, large, LS_INK_TEXT,
                              p->advice.sentence, FALSE);

  if (y + large.px * .3 > bottom)
    return bottom;
  ls_text_wrapped (p->layout->still, area.x, area.y, area.w * .96, large, LS_INK_TEXT, p->advice.sentence,
                   TRUE);
  /* in a small picture a figure that is picked tells itself in its place */
  if (p->advice.change != NULL && (m->size != LS_SIZE_SMALL || p->asked->picked < 0)
      && y + m->body.px * LS_TEXT_PITCH < area.y + area.h * .45)
    y = ls_text_wrapped (p->layout->still, area.x, y, area.w, m->body, LS_INK_QUIET, p->advice.change, TRUE);
  y = draw_figures (p, area, y + m->unit, m->projector || m->size == LS_SIZE_SMALL ? 2 : 3);
  return draw_told (p, area, y) + 4 * m->unit;
}
