/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * "This op alone": of the op under the pointer, picked, or at the clock, how long it took each lane in the
 * shown step, what share of it that is, and what is usual, held against each other by the rule of all rates.
 * Beside the right lane's names, or where a column leaves room below.
 */
#include "config.h"
#include "ui/paint/race/race.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "core/number.h"
#include "ui/paint/parts/rates.h"
#include "ui/paint/data/op_times.h"

typedef struct {
  const LsLayout *layout;
  guint op;
  gboolean done[LS_SIDES];
  gint64 ns[LS_SIDES];
  LsFigure speed[LS_SIDES]; /* over the recorded steps */
  gboolean same_work;       /* both lanes computed the same with it */
} Op;

/* How much of it is drawn where there is no room for all. */
typedef enum { PANEL_HALVES, PANEL_MEDIANS, PANEL_TIMES, PANEL_N } Panel;

/* ---- what is known of it ---- */

static guint
op_asked (const LsLayout *layout)
{
  const LsPick picks[] = { layout->query.hover, layout->query.picked };

  for (guint i = 0; i < G_N_ELEMENTS (picks); i++)
    {
      const LsEvent *e = ls_layout_event (layout, picks[i]);
      if (e != NULL
          && (e->kind == LS_EVENT_OP || e->kind == LS_EVENT_KERNEL || e->kind == LS_EVENT_REFERENCE))
        return e->op;
    }
  return layout->query.op;
}

/* FALSE: there is nothing to tell. */
static gboolean
find_op (const LsLayout *layout, Op *op)
{
  const LsViewData *data = layout->data;
  const LsStepIndex *a = data->sides[0].index, *b = data->sides[1].index;

  *op = (Op){ .layout = layout, .op = op_asked (layout), .same_work = a != NULL && b != NULL };
  if (data->recording == NULL || op->op >= data->recording->n_ops)
    return FALSE;
  for (guint side = 0; side < LS_SIDES; side++)
    {
      const LsStepIndex *index = data->sides[side].index;
      const guint leader = index != NULL && op->op < index->n_ops ? ls_step_index_leader (index, op->op) : 0;
      if (index == NULL || op->op >= index->n_ops || !index->ops[leader].ran
          || data->sides[side].stopped_at > 0)
        continue;
      op->done[side] = TRUE;
      op->ns[side] = index->ops[leader].end_ns - index->ops[leader].start_ns;
      op->speed[side] = ls_op_times_figure (data->op_times, data->sides[side].id, leader);
    }
  for (guint i = 0; op->same_work && i < MIN (a->n_ops, b->n_ops); i++)
    op->same_work = (ls_step_index_leader (a, i) == ls_step_index_leader (a, op->op))
                    == (ls_step_index_leader (b, i) == ls_step_index_leader (b, op->op));
  return op->done[0] || op->done[1];
}

/* "CPU 185 µs, 35 % of the step" */
static char *
time_words (const Op *op, guint side)
{
  const double share = 100 * (double) op->ns[side]
                       / (double) MAX (op->layout->data->sides[side].index->length_ns, 1);
  g_autofree char *time = ls_number_time ((double) op->ns[side]), *percent = ls_number_text (share, 2);

  return g_strdup_printf (_("%s %s, %s %% of the step"), op->layout->data->sides[side].brief, time, percent);
}

/* "median 184 µs of 12 recorded"; NULL: they are too few. */
static char *
median_words (const Op *op, guint side)
{
  const LsFigure *speed = &op->speed[side];
  g_autofree char *median = ls_number_time (speed->value > 0 ? 1e9 / speed->value : 0),
                  *n = ls_number_count (speed->n);

  if (speed->n < LS_OP_TIMES_MEDIAN)
    return NULL;
  return g_strdup_printf (_("median %s of %s recorded"), median, n);
}

/* Who is faster at it, or why that isn't said; *bold: it is a verdict. NULL: only one lane has done it. */
static char *
verdict_words (const Op *op, gboolean *bold)
{
  const LsFigure *a = &op->speed[0], *b = &op->speed[1];
  const LsWinner winner = op->same_work ? ls_figure_winner (a, b) : LS_WINNER_UNKNOWN;
  const guint64 least = MIN (a->n, b->n), wanting = MAX (ls_figure_wanting (a), ls_figure_wanting (b));
  g_autofree char *more = ls_number_count (wanting);

  *bold = winner != LS_WINNER_UNKNOWN;
  if (!op->done[0] || !op->done[1])
    return NULL;
  if (!op->same_work)
    return g_strdup (_("no ratio: the lanes divide the work into other ops"));
  if (winner == LS_WINNER_NONE)
    return g_strdup (_("no clear winner"));
  if (winner == LS_WINNER_UNKNOWN && least < LS_OP_TIMES_MEDIAN)
    return g_strdup_printf (_("no median: it needs %d recorded steps"), LS_OP_TIMES_MEDIAN);
  if (winner == LS_WINNER_UNKNOWN)
    return g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "ratio after at most %s more recorded step",
                                         "ratio after at most %s more recorded steps", (gulong) wanting),
                            more);
  g_autofree char *ratio = ls_number_text (MAX (a->value, b->value) / MIN (a->value, b->value), 3);
  g_autofree char *words = g_strdup_printf (_("%s is %s times as fast"),
                                            op->layout->data->sides[winner != LS_WINNER_FIRST].brief, ratio);
  return ls_rates_unfair (op->layout->data) ? g_strdup_printf ("%s · %s", words, _("unfair"))
                                            : g_steal_pointer (&words);
}

char *
ls_race_op_words (const LsLayout *layout)
{
  GString *text = g_string_new (NULL);
  gboolean bold;
  Op op;

  if (!find_op (layout, &op))
    return g_string_free (text, FALSE);
  g_autofree char *verdict = verdict_words (&op, &bold);
  g_string_append_printf (text, _(" This op alone, %s:"), layout->data->recording->ops[op.op].symbol);
  for (guint side = 0; side < LS_SIDES; side++)
    if (op.done[side])
      {
        g_autofree char *time = time_words (&op, side), *median = median_words (&op, side);
        g_string_append_printf (text, median != NULL ? " %s, %s;" : " %s;", time, median);
      }
  if (verdict != NULL)
    g_string_append_printf (text, " %s.", verdict);
  else
    g_string_overwrite (text, text->len - 1, ".");
  return g_string_free (text, FALSE);
}

/* ---- the panel ---- */

typedef struct {
  const LsLayout *layout;
  LsArea area;
  double y; /* of the last baseline */
  gboolean draw, fits;
  gboolean unfair; /* the sign for that stands before the next line */
} Pen;

/* A line, with a mark or without; what is too wide has no room. */
static void
line (Pen *pen, gint evidence, LsType type, LsInk ink, guint side, const char *words)
{
  const LsMetrics *m = &pen->layout->m;
  const double sign = pen->unfair && evidence >= 0 ? type.px * .85 : 0,
               indent = evidence >= 0 ? m->evidence + 6 + (sign > 0 ? sign + 4 : 0) : 0;

  pen->y += type.px * 1.4;
  pen->fits &= indent + ls_scene_width (pen->layout->moving, type, words) <= pen->area.w;
  if (!pen->draw)
    return;
  if (evidence >= 0)
    ls_scene_evidence (pen->layout->moving, pen->area.x, pen->y - type.px * .36 - m->evidence / 2,
                       m->evidence, (LsEvidence) evidence, LS_INK_QUIET);
  if (sign > 0)
    ls_scene_mark (pen->layout->moving, LS_ITEM_WARNING, pen->area.x + m->evidence + 6,
                   pen->y - type.px * .76, sign, sign, LS_INK_AMBER, 0);
  ls_scene_text (pen->layout->moving, pen->area.x + indent, pen->y, type, ink, LS_LEFT, words)->value
    = (float) side;
}

/* The same on as many lines as it takes. */
static void
lines (Pen *pen, gint evidence, LsType type, LsInk ink, guint side, const char *words)
{
  const double indent = evidence >= 0 ? pen->layout->m.evidence + 6 + (pen->unfair ? type.px * .85 + 4 : 0)
                                      : 0;
  g_auto (GStrv) parts = g_strsplit (words, " ", -1);
  g_autoptr (GString) so_far = g_string_new (NULL);

  for (guint i = 0; parts[i] != NULL; i++)
    {
      g_autofree char *longer = so_far->len > 0 ? g_strdup_printf ("%s %s", so_far->str, parts[i])
                                                : g_strdup (parts[i]);
      if (so_far->len > 0 && indent + ls_scene_width (pen->layout->moving, type, longer) > pen->area.w)
        {
          line (pen, evidence, type, ink, side, so_far->str);
          evidence = -1;
          g_string_assign (so_far, parts[i]);
        }
      else
        g_string_assign (so_far, longer);
    }
  line (pen, evidence, type, ink, side, so_far->str);
}

static void
title (Pen *pen, const Op *op)
{
  const LsRecordedOp *recorded = &op->layout->data->recording->ops[op->op];
  const LsType bold = { op->layout->m.label.px, 700 };
  const char *const names[] = { recorded->equation[0] ? recorded->equation : recorded->symbol,
                                recorded->symbol };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *words = g_strdup_printf (_("This op alone, %s"), names[i]);
      if (i + 1 < G_N_ELEMENTS (names) && ls_scene_width (pen->layout->moving, bold, words) > pen->area.w)
        continue;
      lines (pen, -1, bold, LS_INK_TEXT, 0, words);
      return;
    }
}

/* From area.y down; returns its height. */
static double
panel (Pen *pen, const Op *op, Panel parts)
{
  const LsMetrics *m = &pen->layout->m;
  gboolean bold;
  g_autofree char *verdict = verdict_words (op, &bold);

  pen->y = pen->area.y;
  pen->fits = TRUE;
  title (pen, op);
  for (guint side = 0; side < LS_SIDES; side++)
    if (op->done[side])
      {
        g_autofree char *time = time_words (op, side), *median = median_words (op, side);
        lines (pen, LS_EVIDENCE_MEASURED, (LsType){ m->label.px, 700 }, LS_INK_LANE, side, time);
        if (median != NULL && parts < PANEL_TIMES)
          lines (pen, -1, m->label, LS_INK_QUIET, side, median);
      }
  pen->unfair = bold && ls_rates_unfair (op->layout->data)
                && ls_figure_winner (&op->speed[0], &op->speed[1]) != LS_WINNER_NONE;
  if (verdict != NULL)
    lines (pen, bold ? LS_EVIDENCE_DERIVED : -1, bold ? m->strong : m->label,
           bold ? LS_INK_TEXT : LS_INK_QUIET, 0, verdict);
  pen->unfair = FALSE;
  if (bold && parts == PANEL_HALVES)
    {
      const double height = m->label.px * 2.3 + m->tick.px * 1.2;
      pen->fits &= pen->area.w >= 160 && ls_race_halves_fit (pen->layout, MIN (pen->area.w, 260));
      if (pen->draw)
        ls_race_halves (pen->layout, pen->layout->moving,
                        (LsArea){ pen->area.x, pen->y + m->label.px * .6, MIN (pen->area.w, 260), 0 },
                        &op->speed[0], &op->speed[1]);
      pen->y += m->label.px * .6 + height;
      lines (pen, -1, m->label, LS_INK_QUIET, 0,
             ls_figure_winner (&op->speed[0], &op->speed[1]) == LS_WINNER_NONE
               ? _("middle halves overlap; right is faster")
               : _("middle halves apart; right is faster"));
    }
  return pen->y + m->label.px * LS_DESCENT - pen->area.y;
}

double
ls_race_op (const LsLayout *layout, const LsRaceOpPlace *place)
{
  const LsArea area = place->area;
  Op op;

  if (area.h <= 0 || !find_op (layout, &op))
    return HUGE_VAL;
  for (Panel parts = PANEL_HALVES; parts < PANEL_N; parts++)
    {
      Pen pen = { .layout = layout, .area = area };
      const double height = panel (&pen, &op, parts);
      if (height > area.h || !pen.fits)
        continue;
      pen.area.y = place->at_foot ? area.y + area.h - height : area.y;
      pen.draw = TRUE;
      panel (&pen, &op, parts);
      return pen.area.y;
    }
  return HUGE_VAL;
}
