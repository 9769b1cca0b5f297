/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The numbers in a lane's head, each with its caption and its mark: as many as have room, in the longest form
 * of the rate's conditions that has; and where they stand.
 */
#include "config.h"
#include "ui/paint/parts/head.h"

#include <math.h>
#include <glib/gi18n-lib.h>

#include "ui/paint/parts/coming.h"
#include "core/number.h"
#include "ui/paint/parts/rates.h"

static double
column_width (const LsHead *head, const LsHeadNumber *column)
{
  const LsMetrics *m = &head->layout->m;
  const LsScene *s = head->layout->still;

  return MAX (ls_scene_width (s, column->type, column->number)
                + (column->warning ? column->type.px * 1.1 : 0),
              ls_scene_width (s, m->label, column->caption) + m->evidence + 6);
}

static void
add_column (LsHead *head, LsNumber of, char *number, char *caption, LsEvidence evidence, LsType type,
            LsInk ink, gboolean warning)
{
  head->columns[head->n_columns++] = (LsHeadNumber){ number, caption, evidence, type, ink, warning, of };
}

static void
add_rate (LsHead *head, char *caption)
{
  add_column (head, LS_NUMBER_RATE, ls_rate_number (head->lane), caption, LS_EVIDENCE_MEASURED,
              head->layout->m.rate, head->lane->stopped_at > 0 ? LS_INK_QUIET : LS_INK_LANE, FALSE);
}

static void
add_loss (LsHead *head)
{
  add_column (head, LS_NUMBER_LOSS, ls_number_text (head->lane->loss.value, 3),
              ls_loss_caption (head->layout->data, head->side), LS_EVIDENCE_MEASURED, head->layout->m.number,
              LS_INK_TEXT, FALSE);
}

static void
add_delta (LsHead *head)
{
  if (head->lane->delta.n > 0)
    add_column (head, LS_NUMBER_DELTA, ls_delta_number (head->lane), ls_delta_caption (head->lane),
                LS_EVIDENCE_DERIVED, head->layout->m.number, LS_INK_TEXT,
                head->layout->data->disagree[0] != NULL);
}

/* What is under the rate, or alone beside the dash of one that doesn't stand. */
static char *
rate_caption (const LsHead *head, LsRateForm form)
{
  const LsViewLane *lane = head->lane;
  const gboolean projector = head->layout->m.projector,
                 alone = lane->stopped_at > 0 || !ls_figure_stands (&lane->rate);
  g_autofree char *words = projector && !alone
                             ? ls_number_spread (lane->rate.value, lane->rate.q1, lane->rate.q3)
                             : ls_rate_words (head->layout, lane, form);

  if (projector && alone)
    return g_steal_pointer (&words);
  return g_strdup_printf (_("samples/s, %s"), words);
}

/* Small windows: loss and rate on the first row, their distance and the rate's conditions on the second. */
enum { TIGHT_RATE, TIGHT_LOSS, TIGHT_CONDITION, TIGHT_DELTA };

static double
tight_width (const LsHead *head, const LsHeadNumber *column)
{
  const LsMetrics *m = &head->layout->m;
  const LsScene *s = head->layout->still;
  double width = ls_scene_width (s, column->type, column->number);

  if (column->caption != NULL)
    width += m->evidence + 5 + ls_scene_width (s, m->label, column->caption) + 6
             + (column->warning ? column->type.px * 1.1 : 0);
  return width;
}

/* In the longest form that leaves room beside it. */
static char *
tight_condition (const LsHead *head)
{
  char *words = ls_rate_words (head->layout, head->lane, LS_RATE_WHOLE);

  for (LsRateForm form = LS_RATE_SHORT;
       form <= LS_RATE_BRIEF && ls_figure_stands (&head->lane->rate)
       && ls_scene_width (head->layout->still, head->layout->m.label, words) > head->area.w * .55;
       form++)
    {
      g_free (words);
      words = ls_rate_words (head->layout, head->lane, form);
    }
  return words;
}

static void
add_tight (LsHead *head)
{
  head->tight = TRUE;
  add_rate (head, g_strdup (_("samples/s")));
  add_loss (head);
  add_column (head, LS_NUMBER_NONE, tight_condition (head), NULL, LS_EVIDENCE_MEASURED, head->layout->m.label,
              LS_INK_QUIET, FALSE);
  add_delta (head);
  for (guint i = 0; i < head->n_columns; i++)
    head->numbers_w[i / 2] += tight_width (head, &head->columns[i])
                              + (i % 2 > 0 ? 3 * head->layout->m.unit : 0);
}

/* What has no room becomes shorter, or goes. */
static void
fit_tight (LsHead *head)
{
  if (head->numbers_w[1] > head->area.w && !ls_figure_stands (&head->lane->rate))
    {
      /* how many steps it still needs */
      LsHeadNumber *condition = &head->columns[TIGHT_CONDITION];
      head->numbers_w[1] -= tight_width (head, condition);
      g_free (condition->number);
      condition->number = ls_rate_words (head->layout, head->lane, LS_RATE_LEAST);
      head->numbers_w[1] += tight_width (head, condition);
    }
  /* the loss with its step, and by how much the losses differ, which the curves below show; of a warning the
   * caption alone goes */
  for (guint i = TIGHT_LOSS; i < head->n_columns; i += TIGHT_DELTA - TIGHT_LOSS)
    {
      LsHeadNumber *column = &head->columns[i];
      if (head->numbers_w[i / 2] <= head->area.w)
        continue;
      head->numbers_w[i / 2] -= tight_width (head, column) + 3 * head->layout->m.unit;
      g_clear_pointer (&column->caption, g_free);
      if (column->warning)
        head->numbers_w[i / 2] += tight_width (head, column) + column->type.px * 1.1
                                  + 3 * head->layout->m.unit;
      else
        g_clear_pointer (&column->number, g_free);
    }
}

/* The rate with its conditions in that form, the others left of it. */
static void
add_columns (LsHead *head, LsRateForm form, gboolean with_accuracy)
{
  const LsViewLane *lane = head->lane;
  const LsMetrics *m = &head->layout->m;

  add_rate (head, rate_caption (head, form));
  if (m->projector && (head->layout->data->disagree[0] == NULL || m->size == LS_SIZE_SMALL))
    return;
  add_delta (head);
  if (m->projector)
    return;
  add_loss (head);
  if (isfinite (lane->accuracy) && with_accuracy)
    {
      g_autofree char *percent = ls_number_text (100 * lane->accuracy, 3);
      add_column (head, LS_NUMBER_ACCURACY, g_strdup_printf (_("%s %%"), percent),
                  g_strdup (_("test accuracy")), LS_EVIDENCE_MEASURED, m->number, LS_INK_TEXT, FALSE);
    }
}

void
ls_head_clear_numbers (LsHead *head)
{
  for (guint i = 0; i < head->n_columns; i++)
    {
      g_free (head->columns[i].number);
      g_free (head->columns[i].caption);
    }
  head->n_columns = 0;
  head->numbers_w[0] = head->numbers_w[1] = 0;
}

void
ls_head_choose_numbers (LsHead *head)
{
  const LsMetrics *m = &head->layout->m;
  const gboolean large = m->size == LS_SIZE_LARGE;

  if (!head->lane->there || ls_lane_coming (head->lane))
    return;
  if (m->size == LS_SIZE_SMALL && !m->projector)
    {
      add_tight (head);
      fit_tight (head);
      return;
    }
  /* in the middle size no form may drive the numbers off the name's line but the shortest */
  const struct {
    LsRateForm form;
    gboolean accuracy, large, beside;
  } forms[] = {
    { LS_RATE_WHOLE, TRUE, TRUE, FALSE },   { LS_RATE_SHORT, TRUE, TRUE, FALSE },
    { LS_RATE_BRIEF, TRUE, TRUE, FALSE },   { LS_RATE_SHORT, FALSE, FALSE, TRUE },
    { LS_RATE_BRIEF, FALSE, FALSE, FALSE },
  };
  const double name = ls_stage_name_width (head->layout, head->side) + 4 * m->unit;
  for (guint i = 0; i < G_N_ELEMENTS (forms); i++)
    {
      if (forms[i].large && !large)
        continue;
      ls_head_clear_numbers (head);
      add_columns (head, forms[i].form, forms[i].accuracy);
      for (guint k = 0; k < head->n_columns; k++)
        head->numbers_w[0] += column_width (head, &head->columns[k]) + (k > 0 ? 5 * m->unit : 0);
      head->numbers_w[1] = head->numbers_w[0];
      if (head->numbers_w[0] + (forms[i].beside ? name : 0) <= head->area.w)
        return;
    }
}

/* With its triangle; returns the left end. */
static double
draw_number (const LsHead *head, const LsHeadNumber *column, double right, double y)
{
  LsItem *item = ls_scene_text (head->layout->still, right, y, column->type, column->ink, LS_RIGHT,
                                column->number);
  const double left = (double) item->x - column->type.px * 1.1, z = column->type.px * .8;

  item->value = (float) head->side;
  ls_item_number (item, (gint) head->side, column->of);
  if (!column->warning)
    return (double) item->x;
  ls_scene_mark (head->layout->still, LS_ITEM_WARNING, left, y - z, z, z, LS_INK_TEXT, 0);
  return left;
}

/* With its mark, `gap` before it; returns the left end. */
static double
draw_caption (const LsHead *head, const LsHeadNumber *column, double right, double y, double gap)
{
  const LsMetrics *m = &head->layout->m;
  LsScene *s = head->layout->still;
  const LsItem *words = ls_scene_text (s, right, y, m->label, LS_INK_QUIET, LS_RIGHT, column->caption);
  const double left = (double) words->x - m->evidence - gap;

  ls_item_number (ls_scene_evidence (s, left, y - m->label.px * .36 - m->evidence / 2, m->evidence,
                                     column->evidence, LS_INK_QUIET),
                  (gint) head->side, column->of);
  return left;
}

static void
draw_tight (const LsHead *head, double base, double below)
{
  double right = 0;

  for (guint i = 0; i < head->n_columns; i++)
    {
      const LsHeadNumber *column = &head->columns[i];
      const double y = i / 2 == 0 ? base : below;

      if (column->number == NULL)
        continue;
      right = draw_number (head, column, i % 2 == 0 ? head->area.x + head->area.w : right, y);
      if (column->caption != NULL)
        right = draw_caption (head, column, right - 6, y, 5);
      right -= 3 * head->layout->m.unit;
    }
}

static void
draw_columns (const LsHead *head, double y, double below)
{
  double right = head->area.x + head->area.w;

  for (guint i = 0; i < head->n_columns; i++)
    {
      draw_number (head, &head->columns[i], right, y);
      draw_caption (head, &head->columns[i], right, below, 6);
      right -= column_width (head, &head->columns[i]) + 5 * head->layout->m.unit;
    }
}

void
ls_head_draw_numbers (const LsHead *head, double y, double below)
{
  head->tight ? draw_tight (head, y, below) : draw_columns (head, y, below);
}
