/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The lines' names and last values at their ends. Labels that collide push apart; where there are too many for the height,
 * earlier runs lose theirs first.
 */
#include "config.h"
#include "ui/paint/chart.h"

#include <math.h>
#include <string.h>
#include <glib/gi18n-lib.h>

#include "ui/paint/number.h"
#include "ui/paint/spread.h"

#define MAX_ROWS 24

/* One line of text: up to two words in lanes' colours, or one in another. */
typedef struct {
  double y, x;            /* x: inside the plot, beside an end before its right edge; NAN: right of the plot */
  char *text;
  LsInk ink;
  guint side;
  gboolean bold, names;   /* names: "CPU OpenCL" */
  gint evidence;          /* −1: none */
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
  l->rows[l->n] = (Row){ .y = y, .x = (double) NAN, .text = text, .ink = ink, .side = side, .bold = bold, .evidence = -1 };
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
  const double value = c->kind == LS_CURVE_RATE && line->lane->rate.n > 0 ? line->lane->rate.value : line->end_value;

  return isfinite (value) ? ls_axis_at (&c->y, value / c->scale) : c->bottom;
}

/* Both lanes ended at the same step and print the same number. */
static gboolean
add_both (Labels *l, const LsChartLine *a, const LsChartLine *b, const char *first, const char *second)
{
  const LsChart *c = l->c;
  const double y = end_y (c, a);
  Row *row;

  if (c->kind == LS_CURVE_RATE || a->lane->steps != b->lane->steps || strcmp (first, second) != 0)
    return FALSE;
  if (c->layout->m.size == LS_SIZE_LARGE)
    {
      row = add_row (l, y, LS_INK_LANE, 0, TRUE, g_strdup (ls_chart_side_name (c->layout->data, 0)));
      if (row != NULL)
        row->names = TRUE;
    }
  add_row (l, y, LS_INK_TEXT, 0, TRUE, g_strdup_printf (_("%s both"), first));
  if (c->kind != LS_CURVE_LOSS)
    return TRUE;
  g_autofree char *power = ls_number_power (fabs (a->end_value - b->end_value));
  row = add_row (l, y, LS_INK_QUIET, 0, FALSE, g_strdup_printf ("|Δ| %s", power));
  if (row != NULL)
    row->evidence = LS_EVIDENCE_DERIVED;
  return TRUE;
}

static void
add_lanes (Labels *l)
{
  const LsChart *c = l->c;
  const LsChartLine *lines[LS_SIDES] = { line_of (c, 0), line_of (c, 1) };
  char *texts[LS_SIDES] = { NULL, NULL };

  for (guint side = 0; side < LS_SIDES; side++)
    if (lines[side] != NULL && (c->kind != LS_CURVE_RATE || lines[side]->lane->rate.n > 0))
      texts[side] = ls_chart_value_text (c->kind, c->kind == LS_CURVE_RATE ? lines[side]->lane->rate.value : lines[side]->end_value);
  if (texts[0] == NULL || texts[1] == NULL || !add_both (l, lines[0], lines[1], texts[0], texts[1]))
    for (guint side = 0; side < LS_SIDES; side++)
      if (texts[side] != NULL)
        add_row (l, end_y (c, lines[side]), LS_INK_LANE, side, TRUE,
                 g_strdup_printf ("%s %s", ls_chart_side_name (c->layout->data, side), texts[side]));
  for (guint side = 0; side < LS_SIDES; side++)
    g_free (texts[side]);
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

/* From the line's end, beyond its ring: which is as heavy as the line. */
static double
label_gap (const LsChart *c)
{
  return MAX (12, 1.5 * c->layout->style.data + 8);
}

static void
draw_row (const LsChart *c, const Row *row, double y)
{
  const LsMetrics *m = &c->layout->m;
  const LsType type = { m->label.px, row->bold ? 700 : 400 };
  const double base = y + type.px * .36, width = ls_scene_width (c->s, type, row->text);
  double x = isnan (row->x) ? c->right + label_gap (c) : MIN (row->x, c->right - width - 4);
  LsItem *item;

  if (x + width > c->layout->width || x < c->left)
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
  if (!row->names)
    return;
  x = ls_item_right (item) + type.px * .5;
  ls_scene_text (c->s, x, base, type, LS_INK_LANE, LS_LEFT, ls_chart_side_name (c->layout->data, 1))->value = 1;
}

/* Those right of the plot, or those inside it. */
static void
draw_rows (Labels *l, gboolean inside)
{
  const LsChart *c = l->c;
  const double pitch = c->layout->m.label.px * 1.3, top = c->top + pitch * .3, bottom = c->bottom - pitch * .3;
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
      ls_scene_path (c->s, LS_ITEM_DOTS, LS_INK_MARK, side, c->layout->style.data * (side == 0 ? 6 : 3));
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
  const LsType bold = { m->label.px, 700 };
  g_autofree char *longest = NULL;
  double width;

  if (c->kind == LS_CURVE_DELTA)
    return 3 * m->unit;
  longest = g_strdup_printf ("%s %s", ls_chart_side_name (c->layout->data, 1),
                             c->kind == LS_CURVE_LOSS ? "0.00000" : c->kind == LS_CURVE_RATE ? "000 k" : "00.00 %");
  width = ls_scene_width (c->s, bold, longest);
  for (guint i = 0; i < c->n_lines; i++)
    if (c->lines[i].run != NULL)
      width = MAX (width, ls_scene_width (c->s, m->label, c->lines[i].run->label));
  return width + MAX (4 * m->unit, label_gap (c) + m->unit);
}
