/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The lanes' heads, in every view: who computes, with what, how fast, and how well both agree. Numbers stand
 * right, each with its caption and its mark beneath; the rest flows over as many lines as it needs, since no
 * device's name and no condition of a rate may be shortened. Both heads take the same lines, so that the
 * pictures below stand level.
 */
#include "config.h"
#include "ui/paint/parts/head.h"

#include <math.h>

#include "ui/paint/parts/coming.h"
#include "ui/paint/parts/text.h"

#define MAX_ROWS 8

static double
row_space (const LsHead *head, guint row)
{
  const gboolean numbers = row == head->first || row == head->first + 1;

  return head->area.w
         - (numbers && head->n_columns > 0 ? head->numbers_w[row - head->first] + 4 * head->layout->m.unit
                                           : 0);
}

static double
row_base (const LsHead *head, guint row)
{
  const LsMetrics *m = &head->layout->m;
  const double top = head->area.y + m->rule + 2, line = m->label.px * (head->tight ? 1.5 : 1.4);

  if (head->first == 0)
    return top + MAX (m->rate.px, m->name.px) * .98 + row * line;
  /* the name, then the numbers, then the rest */
  return top + m->name.px * .98 + (row > 0 ? m->rate.px * 1.15 + (row - 1) * line : 0);
}

/* What stands under the name: the lane's conditions, after what is the matter with it where the view has no
 * other place for that. The strings are the lane's. */
static const char **
small_words (const LsHead *head)
{
  const LsViewLane *lane = head->lane;
  char *const matter[] = { lane->message, lane->words };
  GPtrArray *all = g_ptr_array_new ();

  for (guint i = 0; i < G_N_ELEMENTS (matter) && head->layout->view->head_tells
                    && lane->state != LS_LANE_READY && !ls_lane_coming (lane);
       i++)
    if (matter[i] != NULL
        && ls_scene_width (head->layout->still, head->layout->m.label, matter[i]) < head->area.w)
      g_ptr_array_add (all, matter[i]);
  for (guint i = 0; lane->conditions[i] != NULL && !ls_lane_coming (lane); i++)
    g_ptr_array_add (all, lane->conditions[i]);
  g_ptr_array_add (all, NULL);
  return (const char **) g_ptr_array_free (all, FALSE);
}

/* Texts from the left, row after row: where the next one begins. */
typedef struct {
  const LsHead *head;
  gboolean draw;
  guint row;
  double x;
} Flow;

static void
flow_device (Flow *f)
{
  const LsHead *head = f->head;
  const LsMetrics *m = &head->layout->m;
  const double width = ls_scene_width (head->layout->still, m->device, head->lane->device);

  if (m->projector || f->x + width > row_space (head, 0))
    f->x = 0;
  while (f->x == 0 && ++f->row < MAX_ROWS && row_space (head, f->row) < MIN (head->area.w, width))
    ;
  const double last = ls_text_wrapped (head->layout->still, head->area.x + f->x,
                                       row_base (head, f->row) - m->device.px * 1.35, head->area.w, m->device,
                                       LS_INK_TEXT, head->lane->device, f->draw);
  while (f->row < MAX_ROWS && row_base (head, f->row) < last - 1)
    f->row++;
}

/* Where the row is free, else on the next; one that is wider than the head goes over several. between: what
 * parts it from the one before in the same row. */
static void
flow_condition (Flow *f, const char *between, const char *words)
{
  const LsHead *head = f->head;
  const LsType type = head->layout->m.label;
  LsScene *s = head->layout->still;
  g_autofree char *text = g_strconcat (between, words, NULL);
  double width = ls_scene_width (s, type, text);

  while (f->x + width > row_space (head, f->row) && f->row < MAX_ROWS
         && (f->x > 0 || row_space (head, f->row) < head->area.w))
    {
      f->row++;
      f->x = 0;
      g_free (text);
      text = g_strdup (words);
      width = ls_scene_width (s, type, text);
    }
  if (f->x == 0 && width > head->area.w)
    {
      const double base = row_base (head, f->row), pitch = row_base (head, f->row + 1) - base;
      g_auto (GStrv) lines = ls_text_lines (s, type, head->area.w, text);
      for (guint k = 0; lines[k] != NULL; k++)
        {
          if (f->draw)
            ls_scene_text (s, head->area.x, base + k * pitch, type, LS_INK_QUIET, LS_LEFT, lines[k]);
          width = ls_scene_width (s, type, lines[k]);
          f->row += k > 0;
        }
    }
  else if (f->draw)
    ls_scene_text (s, head->area.x + f->x, row_base (head, f->row), type, LS_INK_QUIET, LS_LEFT, text);
  f->x += width;
}

/* Name, device, conditions; returns the rows used. */
static guint
flow (const LsHead *head, gboolean draw)
{
  const LsMetrics *m = &head->layout->m;
  const char *device = head->lane->device;
  LsScene *s = head->layout->still;
  g_autofree const char **words = small_words (head);
  Flow f = { head, draw, 0, ls_stage_name_width (head->layout, head->side) + 3 * m->unit };

  if (draw)
    ls_stage_name (head->layout, head->side, head->area.x, row_base (head, 0));
  if (device[0])
    flow_device (&f);
  if ((head->first == 1 || head->early) && f.row == 0)
    f.x += device[0] ? ls_scene_width (s, m->device, device) + 3 * m->unit : 0;
  else
    f.x = HUGE_VAL;
  for (guint i = 0; words[i] != NULL && (!m->projector || (i < 2 && !device[0])); i++)
    flow_condition (&f, i == 0 ? "" : g_str_has_suffix (words[i - 1], ".") ? " " : " · ", words[i]);
  return MAX (f.row + 1, head->n_columns > 0 ? head->first + 2 : 1);
}

/* With the numbers beside the name: the rows, fewer where conditions may begin early. */
static guint
rows_beside (LsHead *head)
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

/* Played back from another machine, or something is wrong: a bold line of its own, below y. Returns its
 * baseline. */
static double
recorded_line (const LsHead *head, double y)
{
  const LsType bold = { head->layout->m.label.px, 700 };

  if (head->lane->recorded_on != NULL)
    y = ls_text_wrapped (head->layout->still, head->area.x, y, head->area.w, bold, LS_INK_TEXT,
                         head->lane->recorded_on, TRUE);
  g_autofree char *waits = head->layout->view->head_tells
                             ? ls_coming_waits (head->layout->data, head->side, NULL)
                             : NULL;
  if (head->layout->view->head_tells && ls_lane_unrecorded (head->lane))
    y = ls_text_wrapped (head->layout->still, head->area.x, y, head->area.w, bold, LS_INK_TEXT,
                         head->lane->message, TRUE);
  if (waits != NULL)
    y = ls_text_wrapped (head->layout->still, head->area.x, y, head->area.w, bold, LS_INK_TEXT, waits, TRUE);
  if (head->lane->change.words != NULL)
    y = ls_stage_change (head->layout, head->area.x, y, head->area.w, head->lane->change.words,
                         head->lane->change.longest);
  if (head->lane->notice != NULL)
    y = ls_text_wrapped (head->layout->still, head->area.x, y, head->area.w, bold, LS_INK_TEXT,
                         head->lane->notice, TRUE);
  return y;
}

/* The lower of both heads' rows: only one of them may be tight. */
static double
rows_base (LsHead heads[LS_SIDES], guint first, guint row)
{
  for (guint side = 0; side < LS_SIDES; side++)
    heads[side].first = first;
  return MAX (row_base (&heads[0], row), row_base (&heads[1], row));
}

double
ls_stage_heads (LsLayout *layout, LsArea area)
{
  const LsMetrics *m = &layout->m;
  LsHead heads[LS_SIDES] = { 0 };
  guint rows[2] = { 0, 0 }, first;
  double bottom;

  for (guint side = 0; side < LS_SIDES; side++)
    {
      heads[side] = (LsHead){ .layout = layout,
                              .lane = &layout->data->sides[side],
                              .side = side,
                              .area = ls_stage_lane (layout, area, side) };
      ls_head_choose_numbers (&heads[side]);
    }
  /* Numbers beside the name, or a row below it, whichever is lower. */
  for (first = 0; first < 2; first++)
    for (guint side = 0; side < LS_SIDES; side++)
      {
        heads[side].first = first;
        rows[first] = MAX (rows[first], first == 0 ? rows_beside (&heads[side]) : flow (&heads[side], FALSE));
        if (first == 0 && heads[side].n_columns > 0
            && ls_stage_name_width (layout, side) > row_space (&heads[side], 0))
          rows[0] = MAX_ROWS;
      }
  first = rows[0] < MAX_ROWS && rows_base (heads, 0, rows[0] - 1) <= rows_base (heads, 1, rows[1] - 1) ? 0
                                                                                                       : 1;
  for (guint side = 0; side < LS_SIDES; side++)
    {
      LsItem *rule = ls_scene_box (layout->still, heads[side].area.x, area.y, heads[side].area.w, m->rule,
                                   LS_INK_MARK, side);
      rule->side = (guint8) side;
      heads[side].first = first;
      heads[side].early &= first == 0;
      flow (&heads[side], TRUE);
      ls_head_draw_numbers (&heads[side], row_base (&heads[side], first), row_base (&heads[side], first + 1));
    }
  const double last = bottom = rows_base (heads, first, rows[first] - 1);
  for (guint side = 0; side < LS_SIDES; side++)
    {
      const double below = recorded_line (&heads[side], last),
                   coming = ls_coming_head (layout, side, heads[side].area, row_base (&heads[0], 0));
      bottom = MAX (bottom, MAX (below, coming));
    }
  const double gap = heads[1].area.x - heads[0].area.x - heads[0].area.w, fair = MIN (gap, 28);
  /* in a narrow gap it would touch the numbers before it: it joins the rules then */
  const double top = fair < 24 ? area.y + (m->rule - fair) / 2 : area.y + m->rule + 4;
  ls_stage_fair (layout, heads[1].area.x - (gap + fair) / 2, MAX (top, 0), fair);
  bottom += m->label.px * .5;
  ls_head_clear_numbers (&heads[0]);
  ls_head_clear_numbers (&heads[1]);
  return bottom - area.y;
}
