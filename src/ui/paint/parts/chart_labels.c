/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The lines' names and last values at their ends. Labels that collide push apart; where there are too many
 * for the height, earlier runs lose theirs first, then lanes that stand on no side.
 */
#include "config.h"
#include "ui/paint/parts/chart.h"
#include "ui/paint/parts/coming.h"

#include <math.h>
#include <string.h>
#include <glib/gi18n-lib.h>

#include "core/number.h"
#include "ui/paint/scene/spread.h"

#define MAX_ROWS  24
#define FAR_STEPS 512 /* lanes that are further apart, */
#define FAR_SHARE 20  /* and by more than this part of the run, have no step in common to name */

/* One line of text. */
typedef struct {
  double y, x; /* x: inside the plot, beside an end before its right edge; NAN: right of the plot */
  char *text;
  LsInk ink;
  guint side;
  gboolean bold;
  gint evidence; /* −1: none */
} Row;

typedef struct {
  const LsChart *c;
  Row rows[MAX_ROWS];
  guint n;
} Labels;

static Row *
add_row (Labels *l, double y, LsInk ink, guint side, gboolean bold, char *text)
{
  if (l->n == MAX_ROWS)
    {
      g_free (text);
      return NULL;
    }
  l->rows[l->n] = (Row){
    .y = y, .x = (double) NAN, .text = text, .ink = ink, .side = side, .bold = bold, .evidence = -1
  };
  return &l->rows[l->n++];
}

static const LsChartLine *
line_of (const LsChart *c, guint side)
{
  for (guint i = 0; i < c->n_lines; i++)
    if (c->lines[i].run == NULL && c->lines[i].side == side)
      return &c->lines[i];
  return NULL;
}

static double
end_y (const LsChart *c, const LsChartLine *line)
{
  const double value = c->kind == LS_CURVE_RATE && line->lane->rate.n > 0 ? line->lane->rate.value
                                                                          : line->end_value;

  return isfinite (value) ? ls_axis_at (&c->y, value / c->scale) : c->bottom;
}

gboolean
ls_chart_same_step (const LsViewData *data, guint64 *step, double losses[LS_SIDES])
{
  const guint64 most = MAX (data->sides[0].steps, data->sides[1].steps);

  *step = MIN (data->sides[0].steps, data->sides[1].steps);
  if (*step == 0 || most - *step > MAX (FAR_STEPS, most / FAR_SHARE))
    return FALSE;
  const double left = (double) ls_view_lane_point (&data->sides[0], *step - 1).loss,
               right = (double) ls_view_lane_point (&data->sides[1], *step - 1).loss;
  if (!isfinite (left) || !isfinite (right))
    return FALSE;
  losses[0] = left;
  losses[1] = right;
  return TRUE;
}

/* "0 answers differ": of the test set, if both lanes were asked after the same step. (transfer full), or
 * NULL. */
static char *
answers_words (const LsViewData *data)
{
  const LsEvaluation *a = data->sides[0].evaluation, *b = data->sides[1].evaluation;
  gulong n = 0;

  if (a == NULL || b == NULL || a->steps != b->steps || a->n != b->n)
    return NULL;
  for (guint i = 0; i < a->n; i++)
    n += a->predicted[i] != b->predicted[i];
  g_autofree char *count = ls_number_count (n);
  return g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "%s answer differs", "%s answers differ", n), count);
}

/* What the lanes differ in, as far as it is known. (transfer full), or NULL. */
static char *
difference_words (const LsChart *c)
{
  const LsViewData *data = c->layout->data;
  double losses[LS_SIDES];
  guint64 step;

  if (c->kind == LS_CURVE_ACCURACY)
    return answers_words (data);
  if (c->kind != LS_CURVE_LOSS || !ls_chart_same_step (data, &step, losses))
    return NULL;
  g_autofree char *power = ls_number_power (fabs (losses[0] - losses[1]));
  return g_strdup_printf (_("differ by %s"), power);
}

/* What stands at a lane's end. (transfer full), or NULL. */
static char *
lane_text (const LsChart *c, const LsChartLine *line)
{
  if (line == NULL || (c->kind == LS_CURVE_RATE && !ls_figure_stands (&line->lane->rate)))
    return NULL;
  return ls_chart_value_text (c->kind, c->kind == LS_CURVE_RATE ? line->lane->rate.value : line->end_value);
}

static double
end_size (const LsChart *c, guint side)
{
  return (c->layout->m.projector ? 4 : 6) * c->layout->style.data * (side == 0 ? 1 : .5);
}

/* From the line's end, beyond its ring: which is as heavy as the line. */
static double
label_gap (const LsChart *c)
{
  return MAX (12, end_size (c, 0) / 2 + 8);
}

/* How many lanes stand on no side, if all of them have that value; else 0. */
static guint
count_alike (const LsChart *c, const char *value)
{
  guint n = 0, alike = 0;

  for (guint i = 0; i < c->n_lines; i++)
    if (c->lines[i].run == NULL && c->lines[i].side >= LS_SIDES)
      {
        g_autofree char *text = lane_text (c, &c->lines[i]);
        n++;
        alike += g_strcmp0 (text, value) == 0;
      }
  return alike < n ? 0 : n;
}

/* Of lanes that stand on no side: each one's name and value. */
static void
add_others (Labels *l)
{
  const LsChart *c = l->c;

  for (guint i = 0; i < c->n_lines; i++)
    {
      const LsChartLine *line = &c->lines[i];
      g_autofree char *text = line->run == NULL && line->side >= LS_SIDES ? lane_text (c, line) : NULL;
      if (text != NULL)
        add_row (l, end_y (c, line), LS_INK_LANE, line->side, FALSE,
                 g_strdup_printf ("%s %s", line->lane->brief, text));
    }
}

/* Each lane's value, or one for both where they print the same; then what they differ in. */
static void
add_lanes (Labels *l)
{
  const LsChart *c = l->c;
  const LsChartLine *lines[LS_SIDES] = { line_of (c, 0), line_of (c, 1) };
  g_autofree char *first = lane_text (c, lines[0]), *second = lane_text (c, lines[1]);
  char *const texts[LS_SIDES] = { first, second };
  const gboolean both = c->kind != LS_CURVE_RATE && first != NULL && second != NULL,
                 same = both && strcmp (first, second) == 0;
  const guint others = same ? count_alike (c, first) : 0;
  double y = 0;
  Row *row;

  for (guint side = 0; side < LS_SIDES; side++)
    if (texts[side] != NULL && !(same && side == 1))
      {
        y = MAX (y, end_y (c, lines[side]));
        row = add_row (l, end_y (c, lines[side]), same ? LS_INK_TEXT : LS_INK_LANE, side, TRUE,
                       same && others > 0 ? g_strdup_printf (_("%s all %u"), first, others + LS_SIDES)
                       : same             ? g_strdup_printf (_("%s both"), first)
                              : g_strdup_printf ("%s %s", c->layout->data->sides[side].brief, texts[side]));
        /* the other one's place, right of its end, is still empty */
        if (row != NULL && ls_lane_coming (&c->layout->data->sides[1 - side])
            && ls_axis_at (&c->x, lines[side]->end_x) < c->right - 16)
          row->x = ls_axis_at (&c->x, lines[side]->end_x) + label_gap (c);
      }
  char *words = both ? difference_words (c) : NULL;
  row = words != NULL ? add_row (l, y, LS_INK_QUIET, 0, FALSE, words) : NULL;
  if (row != NULL)
    row->evidence = LS_EVIDENCE_DERIVED;
  if (others == 0)
    add_others (l);
}

/* An earlier run has one label, at its first lane's end. */
static void
add_runs (Labels *l)
{
  const LsChart *c = l->c;
  const LsRunCurves *last = NULL;

  for (guint i = 0; i < c->n_lines; i++)
    {
      const LsChartLine *line = &c->lines[i];
      const double x = ls_axis_at (&c->x, line->end_x);
      Row *row;

      if (line->run == NULL || line->run == last)
        continue;
      last = line->run;
      row = add_row (l, end_y (c, line), LS_INK_QUIET, 0, FALSE, g_strdup (line->run->label));
      if (row != NULL && x < c->right - 16)
        row->x = x + 6;
    }
}

/* Stable: the lines of one label stay together. */
static void
sort_rows (Row *rows, guint n)
{
  for (guint i = 1; i < n; i++)
    for (guint k = i; k > 0 && rows[k - 1].y > rows[k].y; k--)
      {
        const Row held = rows[k];
        rows[k] = rows[k - 1];
        rows[k - 1] = held;
      }
}

static LsType
row_type (const LsChart *c, gboolean bold)
{
  const LsMetrics *m = &c->layout->m;

  return !bold ? m->label : c->parts & LS_CHART_STACKED ? m->strong : (LsType){ m->label.px, 700 };
}

static void
draw_row (const LsChart *c, const Row *row, double y)
{
  const LsMetrics *m = &c->layout->m;
  const LsType type = row_type (c, row->bold);
  const double base = y + type.px * .36,
               width = ls_scene_width (c->s, type, row->text) + (row->evidence >= 0 ? m->evidence + 5 : 0);
  double x = isnan (row->x) ? c->right + label_gap (c) : MIN (row->x, c->right - width - 4);
  LsItem *item;

  if (x + width > c->end || x < c->left)
    return;
  if (!isnan (row->x))
    {
      LsItem *plate = ls_scene_box (c->s, x - 3, y - type.px * .55, width + 6, type.px * 1.1, LS_INK_VIEW, 0);
      plate->alpha = .8f;
      plate->strong = TRUE;
    }
  if (row->evidence >= 0)
    {
      ls_scene_evidence (c->s, x, y - m->evidence / 2, m->evidence, (LsEvidence) row->evidence, LS_INK_QUIET);
      x += m->evidence + 5;
    }
  item = ls_scene_text (c->s, x, base, type, row->ink, LS_LEFT, row->text);
  item->value = (float) row->side;
  if (row->ink == LS_INK_LANE || row->ink == LS_INK_TEXT)
    ls_item_number (item, row->ink == LS_INK_LANE && row->side < LS_SIDES ? (gint) row->side : -1,
                    ls_chart_number (c->kind));
}

/* Those right of the plot, or those inside it. */
static void
draw_rows (Labels *l, gboolean inside)
{
  const LsChart *c = l->c;
  const double pitch = row_type (c, TRUE).px * 1.3, top = c->top + pitch * .3,
               bottom = c->bottom - pitch * .3;
  const guint room = (guint) MAX (1, (bottom - top) / pitch + 1);
  Row rows[MAX_ROWS];
  double y[MAX_ROWS];
  guint n = 0;

  for (guint i = 0; i < l->n && n < room; i++)
    if (isnan (l->rows[i].x) != inside)
      rows[n++] = l->rows[i];
  sort_rows (rows, n);
  for (guint i = 0; i < n; i++)
    y[i] = rows[i].y;
  ls_spread (y, n, pitch, top, bottom);
  for (guint i = 0; i < n; i++)
    draw_row (c, &rows[i], y[i]);
}

/* The ends of both lanes' lines as rings on each other. */
static void
draw_ends (const LsChart *c)
{
  for (guint side = 0; side < LS_SIDES && c->kind == LS_CURVE_LOSS; side++)
    {
      const LsChartLine *line = line_of (c, side);
      if (line == NULL || line->lane->stopped_at > 0 || !isfinite (line->end_value))
        continue;
      ls_scene_path (c->s, LS_ITEM_DOTS, LS_INK_MARK, side, end_size (c, side))->evidence
        = LS_EVIDENCE_MEASURED;
      ls_scene_point (c->s, ls_axis_at (&c->x, line->end_x), end_y (c, line));
    }
}

void
ls_chart_labels (const LsChart *c)
{
  Labels l = { .c = c };

  if (c->kind == LS_CURVE_DELTA)
    return;
  draw_ends (c);
  add_lanes (&l);
  add_runs (&l);
  draw_rows (&l, FALSE);
  draw_rows (&l, TRUE);
  for (guint i = 0; i < l.n; i++)
    g_free (l.rows[i].text);
}

double
ls_chart_labels_width (const LsChart *c)
{
  const LsMetrics *m = &c->layout->m;
  const LsType bold = row_type (c, TRUE);
  const char *const widest[]
    = { [LS_CURVE_LOSS] = "0.0000", [LS_CURVE_RATE] = "00.0 M", [LS_CURVE_ACCURACY] = "00.0 %" };
  double width = 0;

  if (c->kind == LS_CURVE_DELTA)
    return 3 * m->unit;
  for (guint side = 0; side < LS_SIDES; side++)
    {
      g_autofree char *text = g_strdup_printf ("%s %s", c->layout->data->sides[side].brief, widest[c->kind]);
      width = MAX (width, ls_scene_width (c->s, bold, text));
    }
  if (c->kind != LS_CURVE_RATE && line_of (c, 0) != NULL && line_of (c, 1) != NULL)
    {
      g_autofree char *words = c->kind == LS_CURVE_LOSS ? g_strdup_printf (_("differ by %s"), "0×10⁻⁰⁰")
                                                        : answers_words (c->layout->data);
      width = MAX (width, words != NULL ? m->evidence + 5 + ls_scene_width (c->s, m->label, words) : 0);
    }
  for (guint i = 0; i < c->n_lines; i++)
    if (c->lines[i].run != NULL)
      width = MAX (width, ls_scene_width (c->s, m->label, c->lines[i].run->label));
    else if (c->lines[i].side >= LS_SIDES)
      {
        g_autofree char *text = g_strdup_printf ("%s %s", c->lines[i].lane->brief, widest[c->kind]);
        width = MAX (width, ls_scene_width (c->s, m->label, text));
      }
  return width + MAX (4 * m->unit, label_gap (c) + m->unit);
}
