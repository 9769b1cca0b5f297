/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A lane's rows: spans as bars, what is too thin as blocks with a zig-zag foot and their count, waits,
 * barriers, the queue's depth, and work-groups that have no times of their own as hollow boxes in their
 * kernel's.
 */
#include "config.h"
#include "ui/paint/timeline/timeline.h"

#include <math.h>
#include <glib/gi18n-lib.h>

#include "core/number.h"

#define WAIT_LEAST    3.0 /* px: shorter waits are not drawn, only summed up */
#define BARRIER_PITCH 8.0 /* px: closer ones could not be told apart */
#define BARRIER_MOST  5.0
#define ZIGZAG        4     /* px: the foot of a block */
#define SHADES        40.0f /* of the order of completion: neighbours of one shade are painted together */

typedef struct {
  LsTimelineLane *lane;
  const LsTimelineRow *at;
  GArray *counts; /* Count: of its blocks of folded spans, drawn after them */
} Row;

typedef struct {
  LsItem bar; /* its block */
  guint n;
  const LsChain *chain; /* of which it is all time steps, or NULL */
} Count;

static void
set_ink (const Row *r, LsItem *item, const LsEvent *e)
{
  const LsTimelineLane *lane = r->lane;
  const LsOpTrace *op = e->op < r->at->times->index->n_ops ? &r->at->times->index->ops[e->op] : NULL;

  item->ink = LS_INK_MARK;
  item->value = (float) lane->side;
  if (r->at->other || (r->at->kind == LS_ROW_GROUPS && (op == NULL || e->rank == LS_RANK_NONE)))
    item->ink = LS_INK_SOFT;
  else if (r->at->kind == LS_ROW_WORKER && r->at->merged == 1)
    {
      item->ink = LS_INK_WORKER;
      item->value = (float) r->at->number;
      item->worker = (guint8) MIN (r->at->number, LS_MAX_WORKERS);
    }
  else if (r->at->kind == LS_ROW_GROUPS && r->at->merged == 1)
    {
      item->ink = LS_INK_ORDER;
      item->value = roundf (SHADES * (float) e->rank / (float) MAX (op->n_ranks - 1, 1)) / SHADES;
    }
}

static LsInk
on_ink (const LsItem *item)
{
  switch ((LsInk) item->ink)
    {
    case LS_INK_WORKER:
      return LS_INK_ON_WORKER;
    case LS_INK_ORDER:
      return LS_INK_ON_ORDER;
    case LS_INK_SOFT:
      return LS_INK_ON_SOFT;
    case LS_INK_MARK:
      return LS_INK_ON_MARK;
    default:
      return LS_INK_TEXT;
    }
}

/* In the middle of the bar, if it fits. */
static gboolean
label (const Row *r, const LsItem *item, LsType type, const char *text)
{
  LsScene *s = r->lane->layout->still;
  const double x = (double) item->x, y = (double) item->y, w = (double) item->w, h = (double) item->h,
               value = (double) item->value;
  const LsInk ink = on_ink (item);

  if (type.px * (LS_ASCENT + LS_DESCENT) > h || w < type.px || ls_scene_width (s, type, text) + 6 > w)
    return FALSE;
  /* signs below the line need their room, too */
  LsItem *label = ls_scene_text (s, x + w / 2, MIN (y + h / 2 + type.px * .36, y + h - type.px * .28), type,
                                 ink, LS_CENTER, text);
  label->value = (float) value;
  label->strong = TRUE;
  return TRUE;
}

static void
name_bar (const Row *r, const LsItem *item, const LsEvent *e)
{
  const LsRecording *recording = r->at->other ? r->lane->layout->data->other->recording
                                              : r->lane->layout->data->recording;
  const LsType type = { r->lane->layout->m.label.px, 700 };
  const LsItem bar = *item;

  if (ls_event_is_copy (e))
    {
      g_autofree char *bytes = ls_number_scaled ((double) e->tile), *text = g_strdup_printf ("%sB", bytes);
      label (r, &bar, type, text);
    }
  else if (e->op < recording->n_ops && e->kind != LS_EVENT_ENQUEUE
           && (recording->ops[e->op].equation[0] == 0
               || !label (r, &bar, type, recording->ops[e->op].equation)))
    label (r, &bar, type, recording->ops[e->op].symbol);
}

static void
add_wait (const Row *r, double x, double w, guint32 event, gint worker)
{
  LsItem *wait = ls_scene_mark (r->lane->layout->still, LS_ITEM_WAIT, x, r->at->y + r->at->h * .2, w,
                                r->at->h * .6, LS_INK_QUIET, 0);

  wait->side = (guint8) r->lane->side;
  wait->event = event;
  wait->worker = worker >= 0 ? (guint8) worker : LS_NO_VALUE;
}

static void
add_block_cb (gpointer data, const LsTimeRow *row, const LsTimeBlock *block)
{
  Row *r = data;
  LsTimelineLane *lane = r->lane;
  const LsChain *chain = block->fold >= 0
                           ? &g_array_index (lane->chains[r->at->other], LsChain, (guint) block->fold)
                           : NULL;
  const gboolean one = block->n == 1 && chain == NULL;
  const LsEvent *e = ls_time_event (r->at->times, row->event[block->first + block->n / 2]);
  LsItem *item, bar;

  if (!r->at->other)
    {
      *(one ? &lane->n_drawn : chain != NULL ? &lane->n_steps : &lane->n_folded) += block->n;
      lane->n_blocks += !one;
    }
  if (one && e->kind == LS_EVENT_HOST_WAIT)
    {
      add_wait (r, block->x, block->w, row->event[block->first], -1);
      return;
    }
  item = ls_scene_mark (lane->layout->still, LS_ITEM_BAR, block->x, r->at->y, block->w,
                        r->at->h - (ls_timeline_is_open (lane, r->at, e->op) ? LS_TIMELINE_OPEN : 0),
                        LS_INK_MARK, 0);
  set_ink (r, item, e);
  item->side = (guint8) lane->side;
  item->event = r->at->other || chain != NULL ? LS_NO_EVENT : row->event[block->first];
  if (one && e->kind == LS_EVENT_TILE && e->from != LS_WORKER_NONE && e->from != e->worker && r->at->h >= 12
      && block->w >= 14)
    {
      item->owner = e->from;
      item->size = (float) MIN (10, r->at->h * .5);
    }
  bar = *item;
  if (one && row->kind != LS_ROW_WORKER && row->kind != LS_ROW_GROUPS)
    name_bar (r, &bar, e);
  if (chain != NULL)
    ls_folds_slot (lane->layout, lane->side, (guint) block->fold,
                   (LsArea){ block->x, r->at->y, block->w, r->at->h });
  if (one || block->w < 6 || r->at->h < 8)
    return;
  const Count count = { bar, block->n, chain };
  g_array_append_val (r->counts, count);
}

/* The number of spans; of time steps theirs, with the words where they have room. */
static void
name_block (const Row *r, const Count *count)
{
  const LsType type = { r->lane->layout->m.tick.px, 700 };
  g_autofree char *number = ls_number_count (count->chain != NULL ? count->chain->n_steps : count->n),
                  *text = g_strdup_printf ("×%s", number);
  g_autofree char *longer = count->chain != NULL ? g_strdup_printf (_("time steps %s"), text) : NULL;

  LsItem low = count->bar;

  low.h += count->chain != NULL ? ZIGZAG : 0; /* of a low row's time steps the number stands on the foot, too
                                               */
  if ((longer == NULL || !label (r, &count->bar, type, longer)) && !label (r, &count->bar, type, text))
    label (r, &low, type, text);
}

/* Blocks, feet and numbers of a row stand together each, since what is alike and follows on each other is
 * painted at once. */
static void
draw_blocks (const Row *r)
{
  g_autoptr (GArray) folds = ls_timeline_folds (r->lane, r->at);

  ls_time_row_walk_folded (r->at->row, &r->lane->scale, (const LsTimeFold *) (const void *) folds->data,
                           folds->len, add_block_cb, (gpointer) r);
  for (guint i = 0; i < r->counts->len; i++)
    {
      const LsItem *bar = &g_array_index (r->counts, Count, i).bar;
      ls_scene_mark (r->lane->layout->still, LS_ITEM_ZIGZAG, (double) bar->x,
                     (double) (bar->y + bar->h - ZIGZAG), (double) bar->w, ZIGZAG, LS_INK_WINDOW, 0);
    }
  for (guint i = 0; i < r->counts->len; i++)
    {
      Count *count = &g_array_index (r->counts, Count, i);
      count->bar.h -= ZIGZAG;
      name_block (r, count);
    }
  g_array_set_size (r->counts, 0);
}

static void
add_wait_cb (gpointer data, const LsTimeRow *row, const LsTimeBlock *block)
{
  Row *r = data;

  if (block->n == 1 && block->w >= WAIT_LEAST && r->at->h >= 5)
    add_wait (r, block->x, block->w + 1, row->event[block->first], r->at->number);
}

/* ---- what is between ---- */

/* From the end of an op to the beginning of the next nobody works: the workers meet. */
static void
draw_barriers (LsTimelineLane *lane, const LsTimelineRow *ops)
{
  const LsTimeRow *row = ops->row;
  const double top = ops->y + ops->h + 2, bottom = lane->pieces_y + lane->pieces_h;
  double last = -BARRIER_PITCH;

  for (guint i = ls_time_row_after (row, lane->scale.from); i + 1 < row->n && row->end[i] < lane->scale.to;
       i++)
    {
      const double x = ls_time_x (&lane->scale, row->end[i]),
                   next = ls_time_x (&lane->scale, row->start[i + 1]);
      if (row->end[i] < lane->scale.from || x < last + BARRIER_PITCH)
        continue;
      ls_scene_box (lane->layout->still, round (x) - 1, top, CLAMP (next - x, 3, BARRIER_MOST), bottom - top,
                    LS_INK_QUIET, 0)
        ->strong
        = TRUE;
      last = x;
    }
}

static gboolean
is_folded (const LsTimeRow *row, const GArray *folds, gint64 ns)
{
  for (guint i = 0; i < folds->len; i++)
    {
      const LsTimeFold *fold = &g_array_index (folds, LsTimeFold, i);
      if (ns >= row->start[fold->first] && ns < row->reach[fold->first + fold->n - 1])
        return TRUE;
    }
  return FALSE;
}

/* Where the device has nothing to do until the next command starts, but within folded time steps. */
static void
draw_gaps (LsTimelineLane *lane, const LsTimelineRow *kernels)
{
  const Row r = { .lane = lane, .at = kernels };
  g_autoptr (GArray) folds = ls_timeline_folds (lane, kernels);
  gint64 until = G_MININT64;

  for (guint i = 0; i < lane->times->commands->len; i++)
    {
      const LsTimeCommand *command = &g_array_index (lane->times->commands, LsTimeCommand, i);
      const LsEvent *run = ls_time_event (lane->times, command->run);
      const gint64 start = ls_time_since (lane->times, run->start_ns),
                   queued = command->queued == LS_NO_COMMAND
                              ? start
                              : ls_time_since (lane->times,
                                               ls_time_event (lane->times, command->queued)->start_ns);
      const gint64 from = until == G_MININT64 ? queued : until;
      const double x = ceil (ls_time_x (&lane->scale, from)) + 1,
                   w = floor (ls_time_x (&lane->scale, start)) - x;

      if (w >= WAIT_LEAST + 2 && command->queued != LS_NO_COMMAND && run->kind == LS_EVENT_KERNEL
          && !is_folded (kernels->row, folds, start - 1))
        add_wait (&r, x, w, command->queued, -1);
      until = MAX (until, ls_time_since (lane->times, run->end_ns));
    }
}

/* How many commands wait, at most one step for each pixel: the deepest in it. */
static void
draw_queue (LsTimelineLane *lane)
{
  const LsMetrics *m = &lane->layout->m;
  const GArray *depths = lane->times->depths;
  const double base = lane->queue_y + lane->queue_h, most = MAX (lane->times->most_queued, 1);
  LsScene *s = lane->layout->still;
  double x = lane->scale.x, high = base, end = lane->scale.x;
  guint depth = 0;

  ls_scene_path (s, LS_ITEM_AREA, LS_INK_MARK, lane->side, 1)->evidence = LS_EVIDENCE_MEASURED;
  ls_scene_point (s, x, base);
  for (guint i = 0; i <= depths->len; i++)
    {
      const LsTimeDepth *d = i < depths->len ? &g_array_index (depths, LsTimeDepth, i) : NULL;
      const double y = base - lane->queue_h * depth / most;
      const double at = d == NULL || d->ns >= lane->scale.to ? lane->scale.x + lane->scale.w
                                                             : floor (ls_time_x (&lane->scale, d->ns));

      high = MIN (high, y);
      if (at >= x + 1)
        {
          ls_scene_point (s, x, high);
          ls_scene_point (s, x + 1, high);
          ls_scene_point (s, x + 1, y);
          ls_scene_point (s, at, y);
          end = depth > 0 ? at : end;
          x = at;
          high = base;
        }
      if (d == NULL || d->ns >= lane->scale.to)
        break;
      depth = d->depth;
    }
  ls_scene_point (s, x, base);
  ls_scene_segment (s, lane->scale.x, base, lane->scale.x + lane->scale.w, base, LS_INK_HAIRLINE,
                    lane->layout->style.hairline);
  g_autofree char *words = g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "at most %u command waits",
                                                         "up to %u commands wait", lane->times->most_queued),
                                            lane->times->most_queued);
  if (end + 10 + ls_scene_width (s, m->label, words) < lane->scale.x + lane->scale.w
      && m->label.px < lane->queue_h + 4)
    ls_scene_text (s, end + 8, base - (lane->queue_h - m->label.px * .72) / 2, m->label, LS_INK_QUIET,
                   LS_LEFT, words);
}

/* A kernel whose work-groups have no times: a box as wide as the kernel, as high as they can fill units at
 * once. */
static void
draw_untimed (LsTimelineLane *lane)
{
  const LsMetrics *m = &lane->layout->m;
  const LsType bold = { m->label.px, 700 };
  LsScene *s = lane->layout->still;
  const gint units = MAX (lane->lane->recorded->device->units, 1);
  const double full = lane->pieces_h;

  for (guint op = 0; op < lane->times->index->n_ops; op++)
    {
      const LsOpTrace *trace = &lane->times->index->ops[op];
      const double x = ls_time_x (&lane->scale, trace->start_ns),
                   w = ls_time_x (&lane->scale, trace->end_ns) - x - 1;
      const double h = MAX (6, full * MIN (1, (double) trace->n / units)), y = lane->pieces_y + full - h;

      if (trace->n == 0 || trace->timed || !trace->ran || trace->end_ns <= lane->scale.from
          || trace->start_ns >= lane->scale.to)
        continue;
      lane->n_folded += trace->n;
      lane->n_blocks++;
      ls_scene_box (s, x, y, MAX (w, 1), h, LS_INK_MARK, lane->side)->evidence = LS_EVIDENCE_DERIVED;
      if (w < 6)
        continue;
      ls_scene_box (s, x + 2, y + 2, w - 4, h - 4, LS_INK_WINDOW, 0);
      g_autofree char *count = ls_number_count (trace->n);
      if (ls_scene_width (s, bold, count) + 6 > w)
        continue;
      const double base = h > bold.px * 1.4 ? y + h / 2 + bold.px * .36 : y - bold.px * .3;
      if (base - bold.px * LS_ASCENT < lane->pieces_y - 2)
        continue;
      ls_scene_text (s, x + w / 2, base, bold, LS_INK_TEXT, LS_CENTER, count)->strong = TRUE;
    }
}

void
ls_timeline_lane (LsTimelineLane *lane)
{
  const LsMetrics *m = &lane->layout->m;
  const LsType name = m->projector ? m->heading : m->name;
  g_autoptr (GArray) counts = g_array_new (FALSE, FALSE, sizeof (Count));
  LsScene *s = lane->layout->still;

  ls_scene_box (s, lane->area.x, lane->area.y, m->rule, lane->area.h, LS_INK_MARK, lane->side)->side
    = (guint8) lane->side;
  ls_scene_text (s, lane->area.x + m->rule + 10, lane->name_y, name, LS_INK_LANE, LS_LEFT, lane->lane->name)
    ->value
    = (float) lane->side;
  if (lane->times == NULL)
    return;
  ls_timeline_names (lane);
  for (guint i = 0; i < lane->rows->len; i++)
    {
      const LsTimelineRow *at = &g_array_index (lane->rows, LsTimelineRow, i);
      Row r = { .lane = lane, .at = at, .counts = counts };
      if (at->kind == LS_ROW_OPS && !at->other && lane->pieces_h > 0 && at->row != NULL
          && ls_lane_has_workers (lane->lane))
        draw_barriers (lane, at);
      if (at->row == NULL && at->h >= 5 && !at->other)
        ls_scene_mark (s, LS_ITEM_DASH, lane->scale.x, at->y + at->h / 2 - 1, 10, 2, LS_INK_QUIET, 0);
      if (at->row != NULL)
        {
          draw_blocks (&r);
          ls_timeline_open (lane, at);
        }
      if (at->waits != NULL)
        ls_time_row_walk (at->waits, &lane->scale, add_wait_cb, &r);
      if (at->kind == LS_ROW_KERNELS && !at->other)
        draw_gaps (lane, at);
    }
  ls_timeline_idle_rows (lane);
  if (lane->queue_h > 0)
    draw_queue (lane);
  if (lane->times->n_untimed > 0 && lane->pieces_h > 0)
    draw_untimed (lane);
  ls_timeline_draw_foot (lane);
}
