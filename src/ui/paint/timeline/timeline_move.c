/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What follows the pointer and the clock: frames round what is picked and round the same op in the other
 * lane, the line from queued to started, the cause of a wait lit up and tied to it, a line of words for each
 * lane, the playhead.
 */
#include "config.h"
#include "ui/paint/timeline/timeline.h"

#include <math.h>
#include <glib/gi18n-lib.h>

#include "core/number.h"

LsPick
ls_timeline_pick (const LsLayout *layout)
{
  return layout->query.hover.side >= 0 ? layout->query.hover : layout->query.picked;
}

guint
ls_timeline_op (const LsTimelineLane *lane, guint op)
{
  const LsStepIndex *index = lane->lane->index;

  if (index == NULL || op >= index->n_ops)
    return index != NULL ? index->n_ops : 0;
  op = ls_step_index_leader (index, op);
  return index->ops[op].ran ? op : index->n_ops;
}

static const LsTimelineRow *
row_of (const LsTimelineLane *lane, LsTimeRowKind kind, gint number)
{
  for (guint i = 0; i < lane->rows->len; i++)
    {
      const LsTimelineRow *row = &g_array_index (lane->rows, LsTimelineRow, i);
      if (row->kind == kind && !row->other && number >= row->number
          && number < row->number + (gint) row->merged)
        return row;
    }
  return NULL;
}

static const LsTimelineRow *
row_of_event (const LsTimelineLane *lane, const LsEvent *e)
{
  const LsStepIndex *index = lane->lane->index;
  const gboolean units = e->op < index->n_ops && index->ops[e->op].known == LS_KNOWN_UNITS;

  switch ((LsEventKind) e->kind)
    {
    case LS_EVENT_OP:
    case LS_EVENT_REFERENCE:
      return row_of (lane, LS_ROW_OPS, 0);
    case LS_EVENT_TILE:
    case LS_EVENT_WAIT:
      return row_of (lane, LS_ROW_WORKER, e->worker == LS_WORKER_NONE ? 0 : e->worker);
    case LS_EVENT_ENQUEUE:
    case LS_EVENT_HOST_WAIT:
      return row_of (lane, LS_ROW_HOST, 0);
    case LS_EVENT_COPY_IN:
    case LS_EVENT_COPY_OUT:
      return row_of (lane, LS_ROW_COPIES, 0);
    case LS_EVENT_QUEUED:
    case LS_EVENT_KERNEL:
      return row_of (lane, LS_ROW_KERNELS, 0);
    case LS_EVENT_GROUP:
      return row_of (lane, LS_ROW_GROUPS,
                     units                         ? MAX (e->unit, 0)
                     : e->worker == LS_WORKER_NONE ? 0
                                                   : e->worker);
    case LS_EVENT_STEP:
    case LS_EVENT_N_KINDS:
      break;
    }
  return NULL;
}

/* From ns to ns in that row; FALSE: outside of the window. */
static gboolean
stretch (const LsTimelineLane *lane, const LsTimelineRow *row, gint64 from, gint64 to, LsArea *place)
{
  if (row == NULL || to < lane->scale.from || from > lane->scale.to)
    return FALSE;
  const double x = ls_time_x (&lane->scale, from), w = ls_time_x (&lane->scale, to) - x;
  *place = (LsArea){ MIN (round (x), lane->scale.x + lane->scale.w - 4), row->y, MAX (round (w) - 1, 4),
                     row->h };
  return TRUE;
}

/* Where the event is, or would be if it weren't folded; FALSE: not in the window. */
static gboolean
place_event (const LsTimelineLane *lane, guint32 event, LsArea *place)
{
  const GArray *items = lane->layout->still->items;
  const LsEvent *e = ls_time_event (lane->times, event);
  const LsTimelineRow *row;

  for (guint i = 0; i < items->len; i++)
    {
      const LsItem *item = ls_scene_get (lane->layout->still, i);
      if (item->event != event || item->side != lane->side || item->kind == LS_ITEM_TEXT)
        continue;
      *place = (LsArea){ (double) item->x, (double) item->y, (double) item->w, (double) item->h };
      row = e->kind == LS_EVENT_WAIT ? row_of_event (lane, e) : NULL;
      if (row != NULL) /* a line, over which words may stand: all of its row */
        {
          place->y = row->y;
          place->h = row->h;
        }
      return TRUE;
    }
  if (LS_EVENT_CLOCK (e) == LS_CLOCK_ORDER)
    return FALSE;
  return stretch (lane, row_of_event (lane, e), ls_time_since (lane->times, e->start_ns),
                  ls_time_since (lane->times, e->end_ns), place);
}

static void
frame (const LsTimelineLane *lane, const LsArea *a)
{
  ls_scene_mark (lane->layout->moving, LS_ITEM_FRAME, a->x, a->y, a->w, a->h, LS_INK_TEXT, 0)->strong = TRUE;
}

/* The op, in the row of ops or of kernels. */
static gboolean
place_op (const LsTimelineLane *lane, guint op, LsArea *place)
{
  const LsTimelineRow *row = row_of (lane, LS_ROW_OPS, 0);
  const guint leader = lane->times != NULL ? ls_timeline_op (lane, op) : G_MAXUINT;

  if (row == NULL)
    row = row_of (lane, LS_ROW_KERNELS, 0);
  if (leader == G_MAXUINT || leader >= lane->lane->index->n_ops)
    return FALSE;
  const LsOpTrace *trace = &lane->lane->index->ops[leader];
  return stretch (lane, row, trace->start_ns, trace->end_ns, place);
}

/* ---- queued, then run ---- */

static void
dashes (LsScene *s, double x0, double x1, double y)
{
  for (double x = x0; x < x1; x += 11)
    ls_scene_segment (s, x, y, MIN (x + 7, x1), y, LS_INK_TEXT, 1.4)->strong = TRUE;
}

static void
draw_queued (const LsTimelineLane *lane, guint op, guint32 event)
{
  const LsTimeScale *z = &lane->scale;
  LsScene *s = lane->layout->moving;
  gint64 queued = G_MAXINT64, start = G_MAXINT64, end = G_MININT64;

  for (guint i = 0; i < lane->times->commands->len; i++)
    {
      const LsTimeCommand *c = &g_array_index (lane->times->commands, LsTimeCommand, i);
      const LsEvent *run = ls_time_event (lane->times, c->run);
      if ((op < lane->times->index->n_ops ? run->op != op || run->kind != LS_EVENT_KERNEL : c->run != event)
          || c->queued == LS_NO_COMMAND)
        continue;
      queued = MIN (queued, ls_time_since (lane->times, ls_time_event (lane->times, c->queued)->start_ns));
      start = MIN (start, ls_time_since (lane->times, run->start_ns));
      end = MAX (end, ls_time_since (lane->times, run->end_ns));
    }
  if (end == G_MININT64 || end < z->from || queued > z->to || lane->guide_y <= 0)
    return;
  const double y = lane->guide_y, x0 = ls_time_x (z, queued), x1 = ls_time_x (z, start),
               x2 = MAX (ls_time_x (z, end), x1 + 2);
  dashes (s, x0, x1, y);
  ls_scene_segment (s, x1, y, x2, y, LS_INK_TEXT, 3)->strong = TRUE;
  if (queued >= z->from)
    ls_scene_segment (s, x0, y - 5, x0, y + 5, LS_INK_TEXT, 1.6)->strong = TRUE;
  ls_scene_segment (s, x1, y - 5, x1, y + 5, LS_INK_TEXT, 1.6)->strong = TRUE;
}

/* ---- why ---- */

/* The cause framed, and a line from where it ends to where the wait can end. */
static void
light_cause (const LsTimelineLane *lane, guint32 event)
{
  const LsCause cause = ls_time_cause (lane->times, event);
  LsScene *s = lane->layout->moving;
  LsArea from, to;

  if (cause.kind == LS_CAUSE_NONE || cause.event == LS_NO_COMMAND || !place_event (lane, cause.event, &from))
    return;
  const gint64 end = ls_time_since (lane->times, ls_time_event (lane->times, cause.event)->end_ns);
  frame (lane, &from);
  if (!place_event (lane, event, &to) || fabs (to.y - from.y) < 1 || end < lane->scale.from
      || end > lane->scale.to)
    return;
  const double x = ls_time_x (&lane->scale, end);
  ls_scene_segment (s, x, from.y < to.y ? from.y + from.h : from.y, x, to.y + to.h / 2, LS_INK_TEXT, 2.5)
    ->strong
    = TRUE;
  ls_scene_path (s, LS_ITEM_DOTS, LS_INK_TEXT, 0, 7)->strong = TRUE;
  ls_scene_point (s, x, to.y + to.h / 2);
}

static void
draw_pick (const LsLayout *layout, const LsTimeline *t, LsPick pick)
{
  const LsTimelineLane *lane = &t->lanes[pick.side], *across = &t->lanes[1 - pick.side];
  const LsEvent *e = ls_layout_event (layout, pick);
  LsArea place;

  if (e == NULL || lane->times == NULL)
    return;
  if (place_event (lane, pick.event, &place))
    frame (lane, &place);
  light_cause (lane, pick.event);
  for (guint i = 0; i < LS_SIDES; i++)
    {
      const LsTimelineLane *each = i == 0 ? lane : across;
      const gboolean copy = each == lane && ls_event_is_copy (e); /* it was queued by itself */
      const guint op = copy                  ? each->lane->index->n_ops
                       : each->times != NULL ? ls_timeline_op (each, e->op)
                                             : 0;
      if (each == across && e->op != LS_OP_NONE && place_op (across, e->op, &place))
        frame (across, &place);
      if (each->times != NULL && each->times->commands->len > 0
          && (op < each->times->index->n_ops || each == lane))
        draw_queued (each, op, each == lane ? pick.event : LS_NO_COMMAND);
    }
}

/* ---- words ---- */

static char *
lane_words (const LsTimelineLane *lane)
{
  const LsStepIndex *index = lane->lane->index;
  g_autofree char *time = ls_number_time ((double) index->length_ns),
                  *pieces = ls_number_count (lane->times->n_pieces);
  g_autofree char *waits = ls_number_time ((double) lane->times->wait_ns);
  const guint n = lane->times->commands->len;

  if (lane->times->n_waits > 0)
    return g_strdup_printf (ngettext ("the step took %s: %s tile; workers wait %s in all",
                                      "the step took %s: %s tiles; workers wait %s in all",
                                      lane->times->n_pieces),
                            time, pieces, waits);
  if (n == 0)
    return g_strdup_printf (_("the step took %s"), time);
  g_autofree char *commands = g_strdup_printf (ngettext ("%u command", "%u commands", n), n),
                  *groups = g_strdup_printf (
                    ngettext ("%s work-group", "%s work-groups", lane->times->n_pieces), pieces);
  return g_strdup_printf (_("the step took %s: %s, %s"), time, commands, groups);
}

static char *
pick_words (const LsLayout *layout, const LsTimeline *t, const LsTimelineLane *lane, LsPick pick)
{
  const LsEvent *e = ls_layout_event (layout, pick);
  LsCause cause;

  if (e == NULL || lane->times == NULL)
    return NULL;
  if ((guint) pick.side == lane->side)
    {
      cause = ls_time_cause (lane->times, pick.event);
      g_autofree char *why = t->cards ? NULL
                                      : ls_time_cause_words (lane->times, layout->data->recording, &cause);
      if (why != NULL)
        return g_steal_pointer (&why);
      g_autofree char *words = ls_pick_words (layout, pick),
                      *idle = e->kind == LS_EVENT_OP ? ls_timeline_idle_words (lane, e->op) : NULL;
      return idle != NULL && words != NULL ? g_strdup_printf ("%s; %s", words, idle)
                                           : g_steal_pointer (&words);
    }
  const guint op = e->op == LS_OP_NONE ? lane->lane->index->n_ops : ls_timeline_op (lane, e->op);
  if (op >= lane->lane->index->n_ops)
    return NULL;
  const LsOpTrace *trace = &lane->lane->index->ops[op];
  g_autofree char *start = ls_number_time ((double) trace->start_ns),
                  *time = ls_number_time ((double) (trace->end_ns - trace->start_ns));
  return g_strdup_printf (_("%s starts at %s and takes %s here"), layout->data->recording->ops[op].symbol,
                          start, time);
}

/* The first that fits. */
static void
draw_words (const LsTimelineLane *lane, char *const *words, guint n)
{
  const LsMetrics *m = &lane->layout->m;
  LsScene *s = lane->layout->moving;
  const LsType name = m->projector ? m->heading : m->name;
  const double x = lane->area.x + m->rule + 10 + ls_scene_width (s, name, lane->lane->name) + 16;

  for (guint i = 0; i < n; i++)
    {
      if (words[i] == NULL
          || x + m->evidence + 6 + ls_scene_width (s, m->label, words[i]) > lane->area.x + lane->area.w)
        continue;
      ls_scene_evidence (s, x, lane->name_y - m->label.px * .36 - m->evidence / 2, m->evidence,
                         LS_EVIDENCE_MEASURED, LS_INK_TEXT);
      ls_scene_text (s, x + m->evidence + 6, lane->name_y, m->label, LS_INK_TEXT, LS_LEFT, words[i]);
      return;
    }
}

/* ---- the playhead ---- */

static void
draw_playhead (const LsLayout *layout, const LsTimeline *t)
{
  const LsMetrics *m = &layout->m;
  const gint64 now = layout->query.time_ns;
  const LsType type = { m->tick.px, 700 };
  LsScene *s = layout->moving;

  if (now == LS_TIME_END || now < t->scale.from || now > t->scale.to || layout->span_ns == 0)
    return;
  g_autofree char *text = ls_number_time ((double) now);
  const double x = ls_time_x (&t->scale, now), w = ls_scene_width (s, type, text) + 16, h = type.px * 1.5;
  const double left = CLAMP (x - w / 2, t->scale.x - t->label_w + 8, t->scale.x + t->scale.w - w),
               y = t->ticks_y - type.px * .36;
  ls_scene_segment (s, x, MAX (y + h / 2, t->clock_y), x, t->clock.y + t->clock.h, LS_INK_TEXT, 2.5)->strong
    = TRUE;
  LsItem *plate = ls_scene_box (s, left, y - h / 2, w, h, LS_INK_TEXT, 0);
  plate->size = (float) (h / 2);
  plate->strong = TRUE;
  ls_scene_text (s, left + w / 2, t->ticks_y, type, LS_INK_ON_TEXT, LS_CENTER, text)->strong = TRUE;
}

void
ls_timeline_move (LsLayout *layout)
{
  const LsTimeline *t = layout->own;
  const LsPick pick = ls_timeline_pick (layout);

  if (layout->span_ns == 0)
    return;
  if (pick.side >= 0)
    draw_pick (layout, t, pick);
  for (guint side = 0; side < LS_SIDES; side++)
    {
      const LsTimelineLane *lane = &t->lanes[side];
      char *words[2] = { NULL, NULL };
      if (lane->times == NULL)
        continue;
      words[0] = pick.side >= 0 ? pick_words (layout, t, lane, pick) : NULL;
      words[1] = lane_words (lane);
      draw_words (lane, words, G_N_ELEMENTS (words));
      g_free (words[0]);
      g_free (words[1]);
    }
  draw_playhead (layout, t);
  if (t->cards)
    ls_timeline_cards (layout);
}
