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
  return MAX (column->number_w + (column->warning ? column->type.px * 1.1 : 0),
              column->caption_w + head->layout->m.evidence + 6);
}

/* Of the wider of both. */
static double
room_for (const LsHead *head, LsType type, const char *text, const char *longest)
{
  const LsScene *s = head->layout->still;

  return MAX (ls_scene_width (s, type, text), ls_scene_width (s, type, longest));
}

/* longest: what the number and the caption may become during the run; "": nothing longer. */
static void
add_column (LsHead *head, LsHeadNumber column, const char *longest, const char *longest_caption)
{
  column.number_w = room_for (head, column.type, column.number, longest);
  if (column.caption != NULL)
    column.caption_w = room_for (head, head->layout->m.label, column.caption, longest_caption);
  head->columns[head->n_columns++] = column;
}

/* The lane with a rate whose conditions take as many words as they ever do. */
static LsViewLane
with_long_conditions (const LsViewLane *lane)
{
  LsViewLane longest = *lane;

  longest.rate = (LsFigure){ .value = 1, .q1 = 1 - .88, .q3 = 1 + .88, .n = LS_FIGURE_NEWEST };
  longest.counted = (LsCounted){ .warm_up = 44, .recorded = 22, .rested = 22 };
  return longest;
}

static void
add_rate (LsHead *head, char *caption, const char *longest_caption)
{
  add_column (head,
              (LsHeadNumber){ .number = ls_rate_number (head->lane),
                              .caption = caption,
                              .evidence = LS_EVIDENCE_MEASURED,
                              .type = head->layout->m.rate,
                              .ink = head->lane->stopped_at > 0 ? LS_INK_QUIET : LS_INK_LANE,
                              .of = LS_NUMBER_RATE },
              "88.8\xc2\xa0M", longest_caption);
}

static void
add_loss (LsHead *head)
{
  add_column (head,
              (LsHeadNumber){ .number = ls_number_text (head->lane->loss.value, 3),
                              .caption = ls_loss_caption (head->layout->data, head->side),
                              .evidence = LS_EVIDENCE_MEASURED,
                              .type = head->layout->m.number,
                              .ink = LS_INK_TEXT,
                              .of = LS_NUMBER_LOSS },
              "0.00888", "");
}

static void
add_delta (LsHead *head)
{
  if (head->lane->delta.n > 0)
    add_column (head,
                (LsHeadNumber){ .number = ls_delta_number (head->lane),
                                .caption = ls_delta_caption (head->lane),
                                .evidence = LS_EVIDENCE_DERIVED,
                                .type = head->layout->m.number,
                                .ink = LS_INK_TEXT,
                                .warning = head->layout->data->disagree[0] != NULL,
                                .of = LS_NUMBER_DELTA },
                head->lane->delta_of == LS_DELTA_LOSSES ? "≤8×10⁻⁸" : "8×10⁻⁸", "");
}

/* words (transfer full) under the rate, with its unit; without it in a tight head, where it stands beside,
 * and on a projector beside the dash of a rate that doesn't stand. */
static char *
with_unit (const LsHead *head, gboolean stands, char *words)
{
  g_autofree char *own = words;

  if (head->tight || (head->layout->m.projector && !stands))
    return g_steal_pointer (&own);
  return g_strdup_printf (_("samples/s, %s"), own);
}

static char *
rate_caption (const LsHead *head, const LsViewLane *lane, LsRateForm form)
{
  const gboolean stands = lane->stopped_at == 0 && ls_figure_stands (&lane->rate);

  return with_unit (head, stands,
                    head->layout->m.projector && stands
                      ? ls_number_spread (lane->rate.value, lane->rate.q1, lane->rate.q3)
                      : ls_rate_words (head->layout, lane, form));
}

/* The longest that is there in that form, or, while there is no rate, in place of it. */
static char *
longest_rate_caption (const LsHead *head, LsRateForm form)
{
  const LsScene *s = head->layout->still;
  const LsType type = head->layout->m.label;
  const LsViewLane most = with_long_conditions (head->lane);
  char *longest = rate_caption (head, &most, form),
       *wanting = with_unit (head, FALSE, ls_rate_wanting (LS_FIGURE_STANDS - 1));
  const gboolean more = ls_scene_width (s, type, wanting) > ls_scene_width (s, type, longest);

  g_free (more ? longest : wanting);
  return more ? wanting : longest;
}

/* While there is no rate: the most that has that room. */
static char *
rate_caption_within (const LsHead *head, LsRateForm form, const char *longest)
{
  const LsScene *s = head->layout->still;
  const LsType type = head->layout->m.label;
  char *caption = rate_caption (head, head->lane, form);

  for (form = MAX (form, LS_RATE_BRIEF);
       form <= LS_RATE_LEAST && !ls_figure_stands (&head->lane->rate)
       && ls_scene_width (s, type, caption) > ls_scene_width (s, type, longest);
       form++)
    {
      g_free (caption);
      caption = rate_caption (head, head->lane, form);
    }
  return caption;
}

/* Small windows: loss and rate on the first row, their distance and the rate's conditions on the second. */
enum { TIGHT_RATE, TIGHT_LOSS, TIGHT_CONDITION, TIGHT_DELTA };

static double
tight_width (const LsHead *head, const LsHeadNumber *column)
{
  const LsMetrics *m = &head->layout->m;
  double width = column->number_w;

  if (column->caption != NULL)
    width += m->evidence + 5 + column->caption_w + 6 + (column->warning ? column->type.px * 1.1 : 0);
  return width;
}

/* In the longest form that leaves room beside it. */
static void
add_tight_condition (LsHead *head)
{
  LsRateForm form = LS_RATE_WHOLE;
  char *longest = longest_rate_caption (head, form);

  while (ls_scene_width (head->layout->still, head->layout->m.label, longest) > head->area.w * .55
         && form < LS_RATE_BRIEF)
    {
      form = form == LS_RATE_WHOLE ? LS_RATE_SHORT : form + 1;
      g_free (longest);
      longest = longest_rate_caption (head, form);
    }
  add_column (head,
              (LsHeadNumber){ .number = rate_caption_within (head, form, longest),
                              .evidence = LS_EVIDENCE_MEASURED,
                              .type = head->layout->m.label,
                              .ink = LS_INK_QUIET,
                              .of = LS_NUMBER_NONE },
              longest, NULL);
  g_free (longest);
}

static void
add_tight (LsHead *head)
{
  head->tight = TRUE;
  add_rate (head, g_strdup (_("samples/s")), "");
  add_loss (head);
  add_tight_condition (head);
  add_delta (head);
  for (guint i = 0; i < head->n_columns; i++)
    head->numbers_w[i / 2] += tight_width (head, &head->columns[i])
                              + (i % 2 > 0 ? 3 * head->layout->m.unit : 0);
}

/* What has no room becomes shorter, or goes. */
static void
fit_tight (LsHead *head)
{
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
  g_autofree char *longest = longest_rate_caption (head, form);

  add_rate (head, rate_caption_within (head, form, longest), longest);
  if (m->projector && (head->layout->data->disagree[0] == NULL || m->size == LS_SIZE_SMALL))
    return;
  add_delta (head);
  if (m->projector)
    return;
  add_loss (head);
  if (isfinite (lane->accuracy) && with_accuracy)
    {
      g_autofree char *percent = ls_number_text (100 * lane->accuracy, 3);
      add_column (head,
                  (LsHeadNumber){ .number = g_strdup_printf (_("%s %%"), percent),
                                  .caption = g_strdup (_("test accuracy")),
                                  .evidence = LS_EVIDENCE_MEASURED,
                                  .type = m->number,
                                  .ink = LS_INK_TEXT,
                                  .of = LS_NUMBER_ACCURACY },
                  "88.8 %", "");
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
  /* no form may drive the numbers off the name's line, or a device's name off it, but the shortest */
  const struct {
    LsRateForm form;
    gboolean accuracy, large;
  } forms[] = {
    { LS_RATE_WHOLE, TRUE, TRUE },   { LS_RATE_SHORT, TRUE, TRUE },   { LS_RATE_BRIEF, TRUE, TRUE },
    { LS_RATE_SHORT, FALSE, FALSE }, { LS_RATE_BRIEF, FALSE, FALSE },
  };
  const double device = large && !m->projector
                          ? ls_scene_width (head->layout->still, m->device, head->lane->device)
                          : 0,
               name = ls_stage_name_width (head->layout, head->side) + device + 4 * m->unit;
  for (guint i = 0; i < G_N_ELEMENTS (forms); i++)
    {
      if (forms[i].large && !large)
        continue;
      ls_head_clear_numbers (head);
      add_columns (head, forms[i].form, forms[i].accuracy);
      for (guint k = 0; k < head->n_columns; k++)
        head->numbers_w[0] += column_width (head, &head->columns[k]) + (k > 0 ? 5 * m->unit : 0);
      head->numbers_w[1] = head->numbers_w[0];
      if (head->numbers_w[0] + name <= head->area.w)
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
  const double end = head->area.x + head->area.w;
  double right = end;

  for (guint i = 0; i < head->n_columns; i++)
    {
      const LsHeadNumber *column = &head->columns[i];
      const double y = i / 2 == 0 ? base : below;

      if (i % 2 == 0)
        right = end;
      if (column->number == NULL)
        continue;
      const double left = draw_number (head, column, right, y);
      if (column->caption != NULL)
        draw_caption (head, column, left - 6, y, 5);
      right -= tight_width (head, column) + 3 * head->layout->m.unit;
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
