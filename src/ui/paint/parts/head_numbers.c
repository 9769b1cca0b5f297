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
#include "ui/paint/scene/number.h"
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
  LsHeadNumber *column = &head->columns[head->n_columns++];

  *column = (LsHeadNumber){ number, caption, evidence, type, ink, warning, of };
  for (guint i = 0; i < 2; i++)
    head->numbers_w[i] += column_width (head, column) + (head->n_columns > 1 ? 5 * head->layout->m.unit : 0);
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

static void
add_tight (LsHead *head)
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
  head->columns[TIGHT_RATE] = (LsHeadNumber){ ls_rate_number (lane),
                                              g_strdup (_("samples/s")),
                                              LS_EVIDENCE_MEASURED,
                                              m->rate,
                                              lane->stopped_at > 0 ? LS_INK_QUIET : LS_INK_LANE,
                                              FALSE,
                                              LS_NUMBER_RATE };
  head->columns[TIGHT_LOSS] = (LsHeadNumber){ ls_number_text (lane->loss.value, 3),
                                              ls_loss_caption (head->layout->data, head->side),
                                              LS_EVIDENCE_MEASURED,
                                              m->number,
                                              LS_INK_TEXT,
                                              FALSE,
                                              LS_NUMBER_LOSS };
  head->columns[TIGHT_CONDITION] = (LsHeadNumber){ condition,    NULL,  LS_EVIDENCE_MEASURED, m->label,
                                                   LS_INK_QUIET, FALSE, LS_NUMBER_NONE };
  if (lane->delta.n > 0)
    head->columns[TIGHT_DELTA] = (LsHeadNumber){ ls_number_power (lane->delta.value),
                                                 ls_delta_caption (lane),
                                                 LS_EVIDENCE_DERIVED,
                                                 m->number,
                                                 LS_INK_TEXT,
                                                 head->layout->data->disagree[0] != NULL,
                                                 LS_NUMBER_DELTA };
  for (guint i = 0; i < head->n_columns; i++)
    head->numbers_w[i / 2] += tight_width (head, &head->columns[i]) + (i % 2 > 0 ? 3 * m->unit : 0);
  if (head->numbers_w[1] > head->area.w && !ls_figure_stands (&lane->rate))
    {
      /* how many steps it still needs has no room */
      head->numbers_w[1] -= tight_width (head, &head->columns[TIGHT_CONDITION]);
      g_free (head->columns[TIGHT_CONDITION].number);
      head->columns[TIGHT_CONDITION].number = ls_rate_words (head->layout, lane, LS_RATE_LEAST);
      head->numbers_w[1] += tight_width (head, &head->columns[TIGHT_CONDITION]);
    }
  if (head->numbers_w[0] > head->area.w)
    {
      /* nor has the loss with its step, which the curves below show */
      LsHeadNumber *loss = &head->columns[TIGHT_LOSS];
      head->numbers_w[0] -= tight_width (head, loss) + 3 * m->unit;
      g_clear_pointer (&loss->number, g_free);
      g_clear_pointer (&loss->caption, g_free);
    }
}

/* The rate with its conditions in that form, the others left of it. */
static void
add_columns (LsHead *head, LsRateForm form, gboolean with_accuracy)
{
  const LsViewLane *lane = head->lane;
  const LsMetrics *m = &head->layout->m;

  add_column (head, LS_NUMBER_RATE, ls_rate_number (lane), rate_caption (head, form), LS_EVIDENCE_MEASURED,
              m->rate, lane->stopped_at > 0 ? LS_INK_QUIET : LS_INK_LANE, FALSE);
  if (m->projector && (head->layout->data->disagree[0] == NULL || m->size == LS_SIZE_SMALL))
    return;
  if (lane->delta.n > 0)
    add_column (head, LS_NUMBER_DELTA, ls_number_power (lane->delta.value), ls_delta_caption (lane),
                LS_EVIDENCE_DERIVED, m->number, LS_INK_TEXT, head->layout->data->disagree[0] != NULL);
  if (m->projector)
    return;
  add_column (head, LS_NUMBER_LOSS, ls_number_text (lane->loss.value, 3),
              ls_loss_caption (head->layout->data, head->side), LS_EVIDENCE_MEASURED, m->number, LS_INK_TEXT,
              FALSE);
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
  const double name = ls_scene_width (head->layout->still, m->name, head->lane->name) + 4 * m->unit;
  for (guint i = 0; i < G_N_ELEMENTS (forms); i++)
    {
      if (forms[i].large && !large)
        continue;
      ls_head_clear_numbers (head);
      add_columns (head, forms[i].form, forms[i].accuracy);
      if (head->numbers_w[0] + (forms[i].beside ? name : 0) <= head->area.w)
        return;
    }
}

static void
draw_tight (const LsHead *head, double base, double below)
{
  const LsMetrics *m = &head->layout->m;
  LsScene *s = head->layout->still;
  double right = 0;

  for (guint i = 0; i < head->n_columns; i++)
    {
      const LsHeadNumber *column = &head->columns[i];
      const double y = i / 2 == 0 ? base : below;
      LsItem *item;
      double x;

      if (column->number == NULL)
        continue;
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
          x = (double) ls_scene_text (s, x - 6, y, m->label, LS_INK_QUIET, LS_RIGHT, column->caption)->x
              - m->evidence - 5;
          ls_item_number (ls_scene_evidence (s, x, y - m->label.px * .36 - m->evidence / 2, m->evidence,
                                             column->evidence, LS_INK_QUIET),
                          (gint) head->side, column->of);
        }
      right = x - 3 * m->unit;
    }
}

static void
draw_columns (const LsHead *head, double y, double below)
{
  const LsMetrics *m = &head->layout->m;
  LsScene *s = head->layout->still;
  double right = head->area.x + head->area.w;

  for (guint i = 0; i < head->n_columns; i++)
    {
      const LsHeadNumber *column = &head->columns[i];
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
      ls_item_number (ls_scene_evidence (s, x - m->evidence - 6, below - m->label.px * .36 - m->evidence / 2,
                                         m->evidence, column->evidence, LS_INK_QUIET),
                      (gint) head->side, column->of);
      right -= column_width (head, column) + 5 * m->unit;
    }
}

void
ls_head_draw_numbers (const LsHead *head, double y, double below)
{
  head->tight ? draw_tight (head, y, below) : draw_columns (head, y, below);
}
