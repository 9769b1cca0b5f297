/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The lanes' heads, in every view: who computes, with what, how fast, and how well both agree. Numbers stand right, each
 * with its caption and its mark beneath; the rest flows over as many lines as it needs, since no device's name and no
 * condition of a rate may be shortened. Both heads take the same lines, so that the pictures below stand level.
 */
#include "config.h"
#include "ui/paint/coming.h"
#include "ui/paint/rates.h"

#include <math.h>
#include <glib/gi18n-lib.h>

#include "ui/paint/number.h"

#define MAX_ROWS 8
#define COLUMNS  4

typedef struct {
  char *number, *caption;
  LsEvidence evidence;
  LsType type;
  LsInk ink;
  gboolean warning;            /* a triangle before the number */
  LsNumber of;
} Column;

typedef struct {
  LsLayout *layout;
  const LsViewLane *lane;
  LsArea area;
  guint side, first;           /* first: the row of the numbers */
  Column columns[COLUMNS];     /* from the right */
  guint n_columns;
  gboolean tight;              /* captions before their numbers, on two rows */
  gboolean early;              /* conditions begin behind the name, so that they don't need a third row */
  double numbers_w[2];         /* of all columns, in the row of the numbers and the one below */
} Head;

static double
column_width (const Head *head, const Column *column)
{
  const LsMetrics *m = &head->layout->m;
  const LsScene *s = head->layout->still;

  return MAX (ls_scene_width (s, column->type, column->number) + (column->warning ? column->type.px * 1.1 : 0),
              ls_scene_width (s, m->label, column->caption) + m->evidence + 6);
}

static void
add_column (Head *head, LsNumber of, char *number, char *caption, LsEvidence evidence, LsType type, LsInk ink, gboolean warning)
{
  Column *column = &head->columns[head->n_columns++];

  *column = (Column){ number, caption, evidence, type, ink, warning, of };
  for (guint i = 0; i < 2; i++)
    head->numbers_w[i] += column_width (head, column) + (head->n_columns > 1 ? 5 * head->layout->m.unit : 0);
}

/* What is under the rate, or alone beside the dash of one that doesn't stand. */
static char *
rate_caption (const Head *head, LsRateForm form)
{
  const LsViewLane *lane = head->lane;
  const gboolean projector = head->layout->m.projector, alone = lane->stopped_at > 0 || !ls_figure_stands (&lane->rate);
  g_autofree char *words = projector && !alone ? ls_number_spread (lane->rate.value, lane->rate.q1, lane->rate.q3)
                                               : ls_rate_words (head->layout, lane, form);

  if (projector && alone)
    return g_steal_pointer (&words);
  return g_strdup_printf (_("samples/s, %s"), words);
}

static char *
rate_number (const LsViewLane *lane)
{
  return ls_figure_stands (&lane->rate) ? ls_number_scaled (lane->rate.value) : g_strdup ("–");
}

/* Small windows: loss and rate on the first row, their distance and the rate's conditions on the second. */
enum { TIGHT_RATE, TIGHT_LOSS, TIGHT_CONDITION, TIGHT_DELTA };

static double
tight_width (const Head *head, const Column *column)
{
  const LsMetrics *m = &head->layout->m;
  const LsScene *s = head->layout->still;
  double width = ls_scene_width (s, column->type, column->number);

  if (column->caption != NULL)
    width += m->evidence + 5 + ls_scene_width (s, m->label, column->caption) + 6 + (column->warning ? column->type.px * 1.1 : 0);
  return width;
}

static void
add_tight (Head *head)
{
  const LsViewLane *lane = head->lane;
  const LsMetrics *m = &head->layout->m;
  char *condition = ls_rate_words (head->layout, lane, LS_RATE_WHOLE);

  for (LsRateForm form = LS_RATE_SHORT; form <= LS_RATE_BRIEF && ls_figure_stands (&lane->rate); form++)
    if (ls_scene_width (head->layout->still, m->label, condition) > head->area.w * .55)
      {
        g_free (condition);
        condition = ls_rate_words (head->layout, lane, form);
      }

  head->tight = TRUE;
  head->n_columns = lane->delta.n > 0 ? 4 : 3;
  head->columns[TIGHT_RATE] = (Column){ rate_number (lane), g_strdup (_("samples/s")),
                                        LS_EVIDENCE_MEASURED, m->rate, lane->stopped_at > 0 ? LS_INK_QUIET : LS_INK_LANE, FALSE, LS_NUMBER_RATE };
  head->columns[TIGHT_LOSS] = (Column){ ls_number_text (lane->loss.value, 3), ls_loss_caption (head->layout->data, head->side), LS_EVIDENCE_MEASURED, m->number, LS_INK_TEXT, FALSE, LS_NUMBER_LOSS };
  head->columns[TIGHT_CONDITION] = (Column){ condition, NULL, LS_EVIDENCE_MEASURED, m->label, LS_INK_QUIET, FALSE, LS_NUMBER_NONE };
  if (lane->delta.n > 0)
    head->columns[TIGHT_DELTA] = (Column){ ls_number_power (lane->delta.value), ls_delta_caption (lane), LS_EVIDENCE_DERIVED,
                                           m->number, LS_INK_TEXT, head->layout->data->disagree[0] != NULL, LS_NUMBER_DELTA };
  for (guint i = 0; i < head->n_columns; i++)
    head->numbers_w[i / 2] += tight_width (head, &head->columns[i]) + (i % 2 > 0 ? 3 * m->unit : 0);
  if (head->numbers_w[1] > head->area.w && !ls_figure_stands (&lane->rate))
    {
      /* how many steps it still needs has no room */
      head->numbers_w[1] -= tight_width (head, &head->columns[TIGHT_CONDITION]);
      g_free (head->columns[TIGHT_CONDITION].number);
      head->columns[TIGHT_CONDITION].number = g_strdup (_("not measured yet"));
      head->numbers_w[1] += tight_width (head, &head->columns[TIGHT_CONDITION]);
    }
}

/* The rate with its conditions in that form, the others left of it. */
static void
add_columns (Head *head, LsRateForm form, gboolean with_accuracy)
{
  const LsViewLane *lane = head->lane;
  const LsMetrics *m = &head->layout->m;

  add_column (head, LS_NUMBER_RATE, rate_number (lane), rate_caption (head, form),
              LS_EVIDENCE_MEASURED, m->rate, lane->stopped_at > 0 ? LS_INK_QUIET : LS_INK_LANE, FALSE);
  if (m->projector && (head->layout->data->disagree[0] == NULL || m->size == LS_SIZE_SMALL))
    return;
  if (lane->delta.n > 0)
    add_column (head, LS_NUMBER_DELTA, ls_number_power (lane->delta.value), ls_delta_caption (lane),
                LS_EVIDENCE_DERIVED, m->number, LS_INK_TEXT, head->layout->data->disagree[0] != NULL);
  if (m->projector)
    return;
  add_column (head, LS_NUMBER_LOSS, ls_number_text (lane->loss.value, 3), ls_loss_caption (head->layout->data, head->side), LS_EVIDENCE_MEASURED, m->number, LS_INK_TEXT, FALSE);
  if (isfinite (lane->accuracy) && with_accuracy)
    {
      g_autofree char *percent = ls_number_text (100 * lane->accuracy, 3);
      add_column (head, LS_NUMBER_ACCURACY, g_strdup_printf (_("%s %%"), percent), g_strdup (_("test accuracy")), LS_EVIDENCE_MEASURED, m->number,
                  LS_INK_TEXT, FALSE);
    }
}

static void
clear_columns (Head *head)
{
  for (guint i = 0; i < head->n_columns; i++)
    {
      g_free (head->columns[i].number);
      g_free (head->columns[i].caption);
    }
  head->n_columns = 0;
  head->numbers_w[0] = head->numbers_w[1] = 0;
}

/* The most that has room. */
static void
add_numbers (Head *head)
{
  const LsMetrics *m = &head->layout->m;
  const gboolean large = m->size == LS_SIZE_LARGE;

  if (!head->lane->there || ls_lane_coming (head->lane))
    return;
  if (m->size == LS_SIZE_SMALL && !m->projector)
    {
      add_tight (head);
      return;
    }
  /* in the middle size no form may drive the numbers off the name's line but the shortest */
  const struct { LsRateForm form; gboolean accuracy, large, beside; } forms[] = {
    { LS_RATE_WHOLE, TRUE, TRUE, FALSE }, { LS_RATE_SHORT, TRUE, TRUE, FALSE }, { LS_RATE_BRIEF, TRUE, TRUE, FALSE },
    { LS_RATE_SHORT, FALSE, FALSE, TRUE }, { LS_RATE_BRIEF, FALSE, FALSE, FALSE },
  };
  const double name = ls_scene_width (head->layout->still, m->name, head->lane->name) + 4 * m->unit;
  for (guint i = 0; i < G_N_ELEMENTS (forms); i++)
    {
      if (forms[i].large && !large)
        continue;
      clear_columns (head);
      add_columns (head, forms[i].form, forms[i].accuracy);
      if (head->numbers_w[0] + (forms[i].beside ? name : 0) <= head->area.w)
        return;
    }
}

static double
row_space (const Head *head, guint row)
{
  const gboolean numbers = row == head->first || row == head->first + 1;

  return head->area.w - (numbers && head->n_columns > 0 ? head->numbers_w[row - head->first] + 4 * head->layout->m.unit : 0);
}

static double
row_base (const Head *head, guint row)
{
  const LsMetrics *m = &head->layout->m;
  const double top = head->area.y + m->rule + 2, line = m->label.px * (head->tight ? 1.5 : 1.4);

  if (head->first == 0)
    return top + MAX (m->rate.px, m->name.px) * .98 + row * line;
  /* the name, then the numbers, then the rest */
  return top + m->name.px * .98 + (row > 0 ? m->rate.px * 1.15 + (row - 1) * line : 0);
}

/* What stands under the name: the lane's conditions, after what is the matter with it where the view has no other place for that.
 * The strings are the lane's. */
static const char **
small_words (const Head *head)
{
  const LsViewLane *lane = head->lane;
  char *const matter[] = { lane->message, lane->words };
  GPtrArray *all = g_ptr_array_new ();

  for (guint i = 0; i < G_N_ELEMENTS (matter) && head->layout->view->head_tells && lane->state != LS_LANE_READY && !ls_lane_coming (lane); i++)
    if (matter[i] != NULL && ls_scene_width (head->layout->still, head->layout->m.label, matter[i]) < head->area.w)
      g_ptr_array_add (all, matter[i]);
  for (guint i = 0; lane->conditions[i] != NULL && !ls_lane_coming (lane); i++)
    g_ptr_array_add (all, lane->conditions[i]);
  g_ptr_array_add (all, NULL);
  return (const char **) g_ptr_array_free (all, FALSE);
}

/* Texts from the left, row after row; returns the rows used. */
static guint
flow (const Head *head, gboolean draw)
{
  const LsMetrics *m = &head->layout->m;
  LsScene *s = head->layout->still;
  g_autofree const char **words = small_words (head);
  double x = ls_scene_width (s, m->name, head->lane->name) + 3 * m->unit;
  gboolean begun = FALSE;
  guint row = 0;

  if (draw)
    ls_scene_text (s, head->area.x, row_base (head, 0), m->name, LS_INK_LANE, LS_LEFT, head->lane->name)->value = (float) head->side;
  if (head->lane->device[0])
    {
      if (m->projector || x + ls_scene_width (s, m->device, head->lane->device) > row_space (head, 0))
        x = 0;
      while (x == 0 && ++row < MAX_ROWS && row_space (head, row) < MIN (head->area.w, ls_scene_width (s, m->device, head->lane->device)))
        ;
      const double base = row_base (head, row);
      const double last = ls_stage_wrapped (head->layout, head->area.x + x, base - m->device.px * 1.35, head->area.w, m->device, LS_INK_TEXT,
                                            head->lane->device, draw);
      while (row < MAX_ROWS && row_base (head, row) < last - 1)
        row++;
    }
  /* the conditions go on where a row is free, else on the next */
  if ((head->first == 1 || head->early) && row == 0)
    x += head->lane->device[0] ? ls_scene_width (s, m->device, head->lane->device) + 3 * m->unit : 0;
  else
    {
      row++;
      x = 0;
    }
  for (guint i = 0; words[i] != NULL && (!m->projector || (i < 2 && !head->lane->device[0])); i++)
    {
      g_autofree char *text = begun ? g_strconcat (g_str_has_suffix (words[i - 1], ".") ? " " : " · ", words[i], NULL) : g_strdup (words[i]);
      double width = ls_scene_width (s, m->label, text);

      while (x + width > row_space (head, row) && row < MAX_ROWS && (x > 0 || row_space (head, row) < head->area.w))
        {
          row++;
          x = 0;
          g_free (text);
          text = g_strdup (words[i]);
          width = ls_scene_width (s, m->label, text);
        }
      if (draw)
        ls_scene_text (s, head->area.x + x, row_base (head, row), m->label, LS_INK_QUIET, LS_LEFT, text);
      x += width;
      begun = TRUE;
    }
  return MAX (row + 1, head->n_columns > 0 ? head->first + 2 : 1);
}

static void
draw_tight (const Head *head)
{
  const LsMetrics *m = &head->layout->m;
  LsScene *s = head->layout->still;
  double right = 0;

  for (guint i = 0; i < head->n_columns; i++)
    {
      const Column *column = &head->columns[i];
      const double y = row_base (head, head->first + i / 2);
      LsItem *item;
      double x;

      right = i % 2 == 0 ? head->area.x + head->area.w : right;
      item = ls_scene_text (s, right, y, column->type, column->ink, LS_RIGHT, column->number);
      item->value = (float) head->side;
      ls_item_number (item, (gint) head->side, column->of);
      x = (double) item->x;
      if (column->warning)
        {
          const double z = column->type.px * .8;
          x -= column->type.px * 1.1;
          ls_scene_mark (s, LS_ITEM_WARNING, x, y - z, z, z, LS_INK_TEXT, 0);
        }
      if (column->caption != NULL)
        {
          x = (double) ls_scene_text (s, x - 6, y, m->label, LS_INK_QUIET, LS_RIGHT, column->caption)->x - m->evidence - 5;
          ls_item_number (ls_scene_evidence (s, x, y - m->label.px * .36 - m->evidence / 2, m->evidence, column->evidence, LS_INK_QUIET),
                          (gint) head->side, column->of);
        }
      right = x - 3 * m->unit;
    }
}

static void
draw_numbers (const Head *head)
{
  const LsMetrics *m = &head->layout->m;
  const double y = row_base (head, head->first), below = row_base (head, head->first + 1);
  LsScene *s = head->layout->still;
  double right = head->area.x + head->area.w;

  for (guint i = 0; i < head->n_columns; i++)
    {
      const Column *column = &head->columns[i];
      LsItem *item = ls_scene_text (s, right, y, column->type, column->ink, LS_RIGHT, column->number);
      double x;

      item->value = (float) head->side;
      ls_item_number (item, (gint) head->side, column->of);
      if (column->warning)
        {
          const double z = column->type.px * .8, left = (double) item->x - column->type.px * 1.1;
          ls_scene_mark (s, LS_ITEM_WARNING, left, y - z, z, z, LS_INK_TEXT, 0);
        }
      x = (double) ls_scene_text (s, right, below, m->label, LS_INK_QUIET, LS_RIGHT, column->caption)->x;
      ls_item_number (ls_scene_evidence (s, x - m->evidence - 6, below - m->label.px * .36 - m->evidence / 2, m->evidence,
                                         column->evidence, LS_INK_QUIET), (gint) head->side, column->of);
      right -= column_width (head, column) + 5 * m->unit;
    }
}

/* With the numbers beside the name: the rows, fewer where conditions may begin early. */
static guint
rows_beside (Head *head)
{
  guint rows;

  head->early = FALSE;
  rows = flow (head, FALSE);
  head->early = !head->tight && !head->layout->m.projector && rows > 2;
  if (!head->early)
    return rows;
  head->early = flow (head, FALSE) < rows;
  return flow (head, FALSE);
}

/* Played back from another machine, or something is wrong: a bold line of its own, below y. Returns its baseline. */
static double
recorded_line (const Head *head, double y)
{
  const LsType bold = { head->layout->m.label.px, 700 };

  if (head->lane->recorded_on != NULL)
    y = ls_stage_wrapped (head->layout, head->area.x, y, head->area.w, bold, LS_INK_TEXT, head->lane->recorded_on, TRUE);
  g_autofree char *waits = head->layout->view->head_tells ? ls_coming_waits (head->layout->data, head->side, NULL) : NULL;
  if (head->layout->view->head_tells && ls_lane_unrecorded (head->lane))
    y = ls_stage_wrapped (head->layout, head->area.x, y, head->area.w, bold, LS_INK_TEXT, head->lane->message, TRUE);
  if (waits != NULL)
    y = ls_stage_wrapped (head->layout, head->area.x, y, head->area.w, bold, LS_INK_TEXT, waits, TRUE);
  if (head->lane->change != NULL)
    y = ls_stage_change (head->layout, head->area.x, y, head->area.w, head->lane->change);
  if (head->lane->notice != NULL)
    y = ls_stage_wrapped (head->layout, head->area.x, y, head->area.w, bold, LS_INK_TEXT, head->lane->notice, TRUE);
  return y;
}

double
ls_stage_heads (LsLayout *layout, LsArea area)
{
  const LsMetrics *m = &layout->m;
  Head heads[LS_SIDES] = { 0 };
  guint rows[2] = { 0, 0 }, first;
  double bottom;

  for (guint side = 0; side < LS_SIDES; side++)
    {
      heads[side] = (Head){ .layout = layout, .lane = &layout->data->sides[side], .side = side,
                            .area = ls_stage_lane (layout, area, side) };
      add_numbers (&heads[side]);
    }
  /* Numbers beside the name, or a row below it, whichever is lower. */
  for (first = 0; first < 2; first++)
    for (guint side = 0; side < LS_SIDES; side++)
      {
        heads[side].first = first;
        rows[first] = MAX (rows[first], first == 0 ? rows_beside (&heads[side]) : flow (&heads[side], FALSE));
        if (first == 0 && heads[side].n_columns > 0
            && ls_scene_width (layout->still, m->name, heads[side].lane->name) > row_space (&heads[side], 0))
          rows[0] = MAX_ROWS;
      }
  heads[0].first = 0;
  bottom = row_base (&heads[0], rows[0] - 1);
  heads[0].first = 1;
  first = rows[0] < MAX_ROWS && bottom <= row_base (&heads[0], rows[1] - 1) ? 0 : 1;
  for (guint side = 0; side < LS_SIDES; side++)
    {
      LsItem *rule = ls_scene_box (layout->still, heads[side].area.x, area.y, heads[side].area.w, m->rule, LS_INK_MARK, side);
      rule->side = (guint8) side;
      heads[side].first = first;
      heads[side].early &= first == 0;
      flow (&heads[side], TRUE);
      heads[side].tight ? draw_tight (&heads[side]) : draw_numbers (&heads[side]);
    }
  bottom = row_base (&heads[0], rows[first] - 1);
  for (guint side = 0; side < LS_SIDES; side++)
    {
      const double below = recorded_line (&heads[side], row_base (&heads[0], rows[first] - 1)), coming = ls_coming_head (layout, side, heads[side].area, row_base (&heads[0], 0));
      bottom = MAX (bottom, MAX (below, coming));
    }
  bottom += m->label.px * .5;
  clear_columns (&heads[0]);
  clear_columns (&heads[1]);
  return bottom - area.y;
}
