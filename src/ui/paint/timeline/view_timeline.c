/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Timeline: the recorded step on one clock, CPU above, OpenCL below: ops, workers and barriers; the host's
 * calls, the queue, copies, kernels and work-groups. Where does the time go, and why does something wait?
 */
#include "config.h"
#include "ui/paint/timeline/timeline.h"

#include <glib/gi18n-lib.h>

#include "ui/paint/parts/coming.h"
#include "core/number.h"
#include "ui/paint/parts/text.h"
#include "ui/paint/views.h"

#define LIST_MIN 11 /* lines of text: in less room a lane that comes has a row of cells, not a list */
#define ROWS_MIN 15 /* lines of text: in less room nothing is said beneath the rows; the heads say it */

/* Cards beside the lanes, at their height; where one lane is too low for its card, in two halves. */
static void
place_cards (LsTimeline *t, LsArea column, double top)
{
  const double foot = column.y + column.h - 8, least = (foot - top) * .4;
  const double middle = CLAMP (t->lanes[1].area.y - 12, top + least, foot - least);

  t->card[0] = (LsArea){ column.x, MAX (top, MIN (t->lanes[0].area.y, middle - least)), column.w, 0 };
  t->card[0].h = middle - t->card[0].y;
  t->card[1] = (LsArea){ column.x, middle + 12, column.w, MAX (0, foot - middle - 12) };
}

/* What doesn't fit beneath its name goes: the hint, then all but the name. */
static void
draw_missing (const LsTimelineLane *lane, LsArea area)
{
  LsLayout *layout = lane->layout;
  const LsViewLane *view = lane->lane;
  const double y = lane->name_y + layout->m.label.px * .5, room = area.y + area.h - y;
  const LsArea words = { area.x + layout->m.rule + 10, y, area.w - layout->m.rule - 10, room };

  if (ls_lane_coming (view) && view->build != NULL
      && lane->area.y + lane->area.h - y > LIST_MIN * layout->m.body.px)
    ls_coming_list (layout, (LsArea){ words.x, y, words.w, lane->area.y + lane->area.h - y - 4 }, lane->side);
  else if (ls_lane_coming (view))
    {
      const double below
        = y + ls_coming_cells (layout, (LsArea){ lane->scale.x, y, lane->scale.w, room }, lane->side) + 4;
      if (layout->span_ns == 0 && lane->area.y + lane->area.h - below > 16)
        ls_scene_box (layout->still, lane->scale.x, below, lane->scale.w - 2,
                      lane->area.y + lane->area.h - below - 8, LS_INK_TRACK, 0);
    }
  else if (ls_lane_unrecorded (view))
    {
      const LsType types[] = { layout->m.strong, { layout->m.label.px, 700 } };
      double below = y;
      for (guint i = 0; i < G_N_ELEMENTS (types) && below == y; i++)
        if (ls_text_wrapped (layout->still, words.x, y, words.w, types[i], LS_INK_TEXT, view->message, FALSE)
              + types[i].px * LS_DESCENT
            <= y + room)
          below = ls_text_wrapped (layout->still, words.x, y, words.w, types[i], LS_INK_TEXT, view->message,
                                   TRUE)
                  + 2 * layout->m.unit;
      ls_coming_cells (layout, (LsArea){ lane->scale.x, below, lane->scale.w, area.y + area.h - below },
                       lane->side);
    }
  else if (view->message == NULL)
    ls_scene_box (layout->still, lane->scale.x, y + 4, lane->scale.w,
                  MAX (8, lane->area.y + lane->area.h - y - 8), LS_INK_TRACK, 0);
  else if (ls_stage_message_height (layout, words.w, view->message, view->words, NULL) <= room)
    ls_stage_lane_message (layout, words, lane->side);
}

static double
side_column (const LsLayout *layout, gboolean *heads)
{
  const LsMetrics *m = &layout->m;

  *heads = m->size == LS_SIZE_LARGE && !m->projector && layout->width >= 1400;
  if (m->projector || m->size == LS_SIZE_SMALL)
    return 0;
  return *heads ? MAX (320, MIN (360, layout->width * .175)) * MAX (1, m->unit / 4)
                : 250 * MAX (1, m->unit / 4);
}

/* Where a sentence in the middle doesn't meet the lanes' names: right of them, where these are long. */
static LsArea
beside_names (const LsLayout *layout, LsArea area)
{
  const LsMetrics *m = &layout->m;
  double names = 0;

  for (guint side = 0; side < LS_SIDES; side++)
    names = MAX (names, ls_scene_width (layout->still, m->projector ? m->heading : m->name,
                                        layout->data->sides[side].name));
  names += m->rule + 10 + 8 * m->unit;
  if (names > area.w * .3)
    {
      area.x += names;
      area.w -= names;
    }
  return area;
}

static void
layout_timeline (LsLayout *layout)
{
  const LsMetrics *m = &layout->m;
  LsArea area = ls_stage_strip (layout, ls_stage_begin (layout), TRUE);
  LsTimeline *t = g_new0 (LsTimeline, 1);
  gboolean heads;
  const double column_w = side_column (layout, &heads),
               stopped_h = ls_stage_stopped_height (layout, (area.w - m->gutter) / 2 - 2 * m->margin);
  double stopped = stopped_h, used;
  LsArea column;

  layout->own = t;
  layout->free_own = ls_timeline_free;
  for (guint side = 0; side < LS_SIDES; side++)
    if (layout->data->sides[side].index != NULL)
      layout->span_ns = MAX (layout->span_ns, layout->data->sides[side].index->length_ns);
  ls_area_below (&area, 2 * m->unit);
  ls_area_below (&area, heads ? 0 : ls_stage_heads (layout, area) + m->unit);
  ls_area_below (&area, ls_stage_disagreement (layout, area));
  if (area.h - stopped < ROWS_MIN * m->label.px)
    stopped = 0;
  area.h -= stopped;
  if (layout->span_ns == 0 || area.h >= ROWS_MIN * m->label.px)
    area.h -= ls_coming_foot (layout, area, m->gutter);
  column = (LsArea){ area.x + area.w - m->margin - column_w, area.y, column_w, area.h };
  used = heads ? ls_timeline_heads (layout, column) : 0;
  t->cards = column_w > 0 && layout->span_ns > 0;
  area.x += m->margin;
  area.w -= 2 * m->margin + (column_w > 0 ? column_w + 16 : 0);
  ls_timeline_plan (t, layout, area);
  place_cards (t, column, column.y + used);
  ls_timeline_clock (t, layout);
  for (guint side = 0; side < LS_SIDES; side++)
    {
      ls_timeline_lane (&t->lanes[side]);
      if (t->lanes[side].times == NULL)
        draw_missing (&t->lanes[side], area);
      else if (layout->data->sides[side].stopped_at > 0 && stopped > 0)
        {
          LsArea message = ls_stage_lane (layout, (LsArea){ 0, area.y + area.h, layout->width, stopped },
                                          side);
          ls_stage_lane_message (layout, message, side);
        }
    }
  ls_stage_invite (layout, beside_names (layout, area));
}

static void
describe_timeline (const LsLayout *layout, GString *text)
{
  const LsTimeline *t = layout->own;
  const LsPick pick = ls_timeline_pick (layout);

  for (guint side = 0; side < LS_SIDES; side++)
    {
      const LsTimelineLane *lane = &t->lanes[side];
      if (lane->times == NULL)
        continue;
      g_autofree char *time = ls_number_time ((double) lane->lane->index->length_ns),
                      *foot = ls_timeline_foot (lane);
      g_autofree char *waits = ls_number_time ((double) lane->times->wait_ns);
      g_string_append_printf (text, _(" %s: the recorded step took %s; %s."), lane->lane->name, time, foot);
      if (lane->times->n_waits > 0)
        g_string_append_printf (text, _(" Its workers waited %s in all."), waits);
    }
  if (layout->query.zoom1_ns > layout->query.zoom0_ns)
    {
      g_autofree char *from = ls_number_time ((double) t->scale.from),
                      *to = ls_number_time ((double) t->scale.to);
      g_string_append_printf (text, _(" Shown from %s to %s."), from, to);
    }
  if (pick.side >= 0 && t->lanes[pick.side].times != NULL && ls_layout_event (layout, pick) != NULL)
    {
      const LsTimeIndex *times = t->lanes[pick.side].times;
      const LsCause cause = ls_time_cause (times, pick.event);
      g_autofree char *why = ls_time_cause_words (times, layout->data->recording, &cause);
      if (why != NULL)
        g_string_append_printf (text, " %s", why);
    }
}

const LsView ls_view_timeline = {
  .name = "timeline",
  .title = N_("Timeline"),
  .question = N_("Where does the time go, and why does something wait?"),
  .needs_step = TRUE,
  .zooms = TRUE,
  .state_size = sizeof ls_timeline_first,
  .state_init = &ls_timeline_first,
  .switch_side = -1,
  .options = ls_timeline_options,
  .point = ls_timeline_point,
  .key = ls_timeline_key,
  .layout = layout_timeline,
  .move = ls_timeline_move,
  .describe = describe_timeline,
};
