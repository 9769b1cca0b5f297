/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The two cards: what is picked, in its lane's numbers, and the same op in the other lane, each number with how it is known;
 * why something waits; how the op's pieces spread; and with another recording, what the op took there.
 */
#include "config.h"
#include "ui/paint/timeline.h"

#include <math.h>
#include <stdlib.h>
#include <glib/gi18n-lib.h>

#include "ui/paint/number.h"

#define BINS 40

typedef struct {
  LsLayout *layout;
  const LsTimelineLane *lane;
  LsArea area;
  double y;                /* the next baseline */
} Card;

static double
pitch_of (const Card *c)
{
  return c->layout->m.body.px * (c->area.h > 300 ? 1.7 : 1.45);
}

static gboolean
room (const Card *c, double h)
{
  return c->y + h <= c->area.y + c->area.h - 8;
}

/* mark, name, value: on one line, or the value below. Takes over value. */
static LsItem *
line_of (Card *c, LsEvidence evidence, const char *name, char *value)
{
  const LsMetrics *m = &c->layout->m;
  const LsType bold = { m->body.px, 700 };
  const double x = c->area.x + 14, right = c->area.x + c->area.w - 14, text = x + m->evidence + 10;
  LsScene *s = c->layout->moving;
  const double name_w = ls_scene_width (s, m->label, name), value_w = ls_scene_width (s, bold, value);

  const gboolean split = text + name_w + 10 + value_w > right;
  guint mark = G_MAXUINT;

  if (room (c, split ? m->body.px * 1.3 : 0) && text + name_w <= right && x + value_w <= right)
    {
      mark = s->items->len;
      ls_scene_evidence (s, x, c->y - m->label.px * .36 - m->evidence / 2, m->evidence, evidence, LS_INK_TEXT);
      ls_scene_text (s, text, c->y, m->label, LS_INK_QUIET, LS_LEFT, name);
      c->y += split ? m->body.px * 1.3 : 0;
      ls_scene_text (s, right, c->y, bold, LS_INK_TEXT, LS_RIGHT, value);
      c->y += pitch_of (c);
    }
  g_free (value);
  return mark < s->items->len ? ls_scene_get (s, mark) : NULL;
}

static void
line (Card *c, LsEvidence evidence, const char *name, char *value)
{
  line_of (c, evidence, name, value);
}

static void
wrapped (Card *c, LsType type, LsInk ink, double value, const char *text)
{
  g_auto (GStrv) words = g_strsplit (text, " ", -1);
  g_autoptr (GString) row = g_string_new (NULL);
  LsScene *s = c->layout->moving;

  for (guint i = 0;; i++)
    {
      g_autofree char *longer = words[i] != NULL ? g_strdup_printf ("%s%s%s", row->str, row->len > 0 ? " " : "", words[i]) : NULL;
      if (longer != NULL && (row->len == 0 || ls_scene_width (s, type, longer) <= c->area.w - 28))
        {
          g_string_assign (row, longer);
          continue;
        }
      if (row->len > 0 && room (c, 0) && ls_scene_width (s, type, row->str) <= c->area.w - 28)
        {
          ls_scene_text (s, c->area.x + 14, c->y, type, ink, LS_LEFT, row->str)->value = (float) value;
          c->y += type.px * 1.35;
        }
      if (words[i] == NULL)
        return;
      g_string_assign (row, words[i]);
    }
}

static Card
open_card (LsLayout *layout, const LsTimelineLane *lane, LsArea area, const char *title, const char *about)
{
  const LsMetrics *m = &layout->m;
  Card c = { layout, lane, area, area.y + m->strong.px * 1.7 };
  LsScene *s = layout->moving;

  ls_scene_box (s, area.x, area.y, area.w, area.h, LS_INK_EDGE, 0)->size = 10;
  ls_scene_box (s, area.x + 1, area.y + 1, area.w - 2, area.h - 2, LS_INK_CARD, 0)->size = 9;
  wrapped (&c, (LsType){ m->strong.px * 1.1, 700 }, LS_INK_LANE, lane->side, title);
  wrapped (&c, m->label, LS_INK_QUIET, 0, about);
  c.y += m->label.px * .55;
  return c;
}

/* ---- how the pieces spread ---- */

static int
compare_cb (const void *a, const void *b)
{
  const double x = *(const double *) a, y = *(const double *) b;

  return (x > y) - (x < y);
}

/* Times of the op's tiles or work-groups, ascending. (transfer full) */
static GArray *
piece_times (const LsTimelineLane *lane, const LsOpTrace *trace)
{
  GArray *times = g_array_new (FALSE, FALSE, sizeof (double));

  for (guint i = 0; trace->timed && i < trace->n; i++)
    {
      const LsEvent *e = ls_step_index_piece (lane->lane->index, trace, i);
      const double ns = (double) (e->end_ns - e->start_ns);
      g_array_append_val (times, ns);
    }
  g_array_sort (times, compare_cb);
  return times;
}

static void
draw_spread (Card *c, const GArray *times, const char *title)
{
  const LsMetrics *m = &c->layout->m;
  const double least = times->len > 0 ? g_array_index (times, double, 0) : 0, most = times->len > 0 ? g_array_index (times, double, times->len - 1) : 0;
  const double left = c->area.x + 14, w = c->area.w - 28, bottom = MIN (c->area.y + c->area.h - 12, c->y + m->label.px * 9);
  const double top = c->y + m->label.px * .9, base = bottom - m->tick.px * 1.5, h = MIN (base - top, 70);
  LsScene *s = c->layout->moving;
  guint counts[BINS] = { 0 }, highest = 1;

  if (times->len < 8 || most <= least || h < 24)
    return;
  for (guint i = 0; i < times->len; i++)
    {
      const guint bin = MIN ((guint) (BINS * (g_array_index (times, double, i) - least) / (most - least)), BINS - 1);
      highest = MAX (highest, ++counts[bin]);
    }
  wrapped (c, m->label, LS_INK_QUIET, 0, title);
  for (guint i = 0; i < BINS; i++)
    if (counts[i] > 0)
      {
        const double bar = MAX (2, h * .8 * counts[i] / highest);
        ls_scene_box (s, left + w * i / BINS, base - bar, w / BINS - 1, bar, LS_INK_MARK, c->lane->side)->evidence = LS_EVIDENCE_MEASURED;
      }
  ls_scene_segment (s, left, base, left + w, base, LS_INK_QUIET, c->layout->style.edge);
  const char *unit;
  g_autofree char *a = ls_number_time_in (least, most, &unit), *b = ls_number_time (most);
  ls_scene_text (s, left, bottom, m->tick, LS_INK_QUIET, LS_LEFT, a);
  ls_scene_text (s, left + w, bottom, m->tick, LS_INK_QUIET, LS_RIGHT, b);
}

/* ---- an op ---- */

static gint64
waited (const LsTimelineLane *lane, guint op)
{
  const LsTimeRow *const *rows;
  const guint n = ls_time_index_rows (lane->times, LS_ROW_WAITS, &rows);
  gint64 sum = 0;

  for (guint r = 0; r < n; r++)
    for (guint i = ls_time_row_after (rows[r], lane->lane->index->ops[op].start_ns);
         i < rows[r]->n && rows[r]->start[i] < lane->lane->index->ops[op].end_ns; i++)
      sum += rows[r]->end[i] - rows[r]->start[i];
  return sum;
}

static gint64
queued_before (const LsTimelineLane *lane, guint op)
{
  for (guint i = 0; i < lane->times->commands->len; i++)
    {
      const LsTimeCommand *c = &g_array_index (lane->times->commands, LsTimeCommand, i);
      if (ls_time_event (lane->times, c->run)->op == op && c->queued != LS_NO_COMMAND && ls_time_event (lane->times, c->run)->kind == LS_EVENT_KERNEL)
        return (gint64) (ls_time_event (lane->times, c->queued)->end_ns - ls_time_event (lane->times, c->queued)->start_ns);
    }
  return -1;
}

static gint64
took (const LsTimelineLane *lane, guint op)
{
  return lane->lane->index->ops[op].end_ns - lane->lane->index->ops[op].start_ns;
}

/* FLOPs of the op and of all that was done with it. */
static gint64
flops_of (const Card *c, guint op)
{
  gint64 flops = 0;

  for (guint i = 0; i < c->lane->lane->index->n_ops; i++)
    if (ls_step_index_leader (c->lane->lane->index, i) == op)
      flops += c->layout->data->recording->ops[i].flops;
  return flops;
}

/* What the other lane took for the op and all that was done with it here; −1 if it did more with one of them. */
static gint64
took_across (const Card *c, const LsTimelineLane *across, guint op)
{
  const LsStepIndex *here = c->lane->lane->index, *there = across->lane->index;
  gint64 sum = 0;

  for (guint i = 0; i < here->n_ops; i++)
    {
      const guint leader = i < there->n_ops ? ls_step_index_leader (there, i) : G_MAXUINT;
      if (ls_step_index_leader (here, i) == op)
        {
          if (leader == G_MAXUINT || !there->ops[leader].ran || ls_step_index_leader (here, leader) != op)
            return -1;
          sum += leader == i ? took (across, i) : 0;
        }
      else if (leader != G_MAXUINT && ls_step_index_leader (here, leader) == op)
        return -1;
    }
  return sum;
}

/* Against the other lane: how many times faster, or when it was done. */
static void
compare_lanes (Card *c, const LsTimelineLane *across, guint op, guint op_across)
{
  const gint64 mine = took (c->lane, op), theirs = took_across (c, across, op);
  const gint64 before = across->lane->index->ops[op_across].end_ns - c->lane->lane->index->ops[op].end_ns;
  g_autofree char *times = g_strdup_printf (_("times %s"), across->side == 0 ? _("CPU") : "OpenCL");
  g_autofree char *done = g_strdup_printf (before < 0 ? _("%s done earlier by") : _("%s done later by"), across->side == 0 ? _("CPU") : "OpenCL");

  if (mine > 0 && theirs >= 0)
    line (c, LS_EVIDENCE_DERIVED, times, ls_number_text ((double) theirs / (double) mine, 2));
  line (c, LS_EVIDENCE_DERIVED, done, ls_number_time (fabs ((double) before)));
}

/* What the same op took in the recording laid over this one. */
static void
compare_recordings (Card *c, guint op)
{
  const LsViewData *data = c->layout->data, *other = data->other;
  const LsViewLane *lane = other != NULL ? &other->sides[c->lane->side] : NULL;

  if (lane == NULL || lane->index == NULL)
    return;
  for (guint i = 0; i < lane->index->n_ops; i++)
    {
      const LsOpTrace *trace = &lane->index->ops[ls_step_index_leader (lane->index, i)];
      if (g_strcmp0 (other->recording->ops[i].symbol, data->recording->ops[op].symbol) != 0 || !trace->ran)
        continue;
      line (c, LS_EVIDENCE_MEASURED, _("other recording"), ls_number_time ((double) (trace->end_ns - trace->start_ns)));
      if (took (c->lane, op) > 0)
        line (c, LS_EVIDENCE_DERIVED, _("times the other"), ls_number_text ((double) (trace->end_ns - trace->start_ns) / (double) took (c->lane, op), 2));
      return;
    }
}

static void
op_lines (Card *c, const LsTimelineLane *across, guint op, guint asked)
{
  const gint64 flops = flops_of (c, op);
  const LsOpTrace *trace = &c->lane->lane->index->ops[op];
  const gint64 ns = took (c->lane, op), queued = queued_before (c->lane, op), wait = waited (c->lane, op);
  const guint op_across = across->times != NULL ? ls_timeline_op (across, asked) : 0;
  g_autoptr (GArray) times = piece_times (c->lane, trace);
  const gboolean tiles = c->lane->side == 0;
  LsItem *mark;

  line (c, LS_EVIDENCE_MEASURED, _("starts"), ls_number_time ((double) trace->start_ns));
  mark = line_of (c, LS_EVIDENCE_MEASURED, _("runs"), ls_number_time ((double) ns));
  if (mark != NULL)
    ls_item_number (mark, (gint) c->lane->side, LS_NUMBER_OP);
  compare_recordings (c, op);
  if (queued >= 0)
    line (c, LS_EVIDENCE_MEASURED, _("queued before"), ls_number_time ((double) queued));
  if (trace->n > 0)
    line (c, LS_EVIDENCE_MEASURED, tiles ? _("tiles") : _("work-groups"), ls_number_count (trace->n));
  if (times->len > 1)
    line (c, LS_EVIDENCE_MEASURED, tiles ? _("tile, median") : _("work-group, median"), ls_number_time (g_array_index (times, double, times->len / 2)));
  if (wait > 0)
    line (c, LS_EVIDENCE_MEASURED, _("workers wait, in all"), ls_number_time ((double) wait));
  if (flops > 0)
    line (c, LS_EVIDENCE_DERIVED, _("FLOPs"), ls_number_scaled ((double) flops));
  if (flops > 0 && ns > 0)
    {
      g_autofree char *rate = ls_number_text ((double) flops / (double) ns, 3);
      line (c, LS_EVIDENCE_DERIVED, _("rate"), g_strdup_printf (_("%s GFLOP/s"), rate));
    }
  if (across->times != NULL && op_across < across->lane->index->n_ops)
    compare_lanes (c, across, op, op_across);
  draw_spread (c, times, tiles ? _("times of its tiles") : _("times of its work-groups"));
}

static void
op_card (LsLayout *layout, const LsTimeline *t, guint side, guint asked, const char *about, const char *why)
{
  const LsTimelineLane *lane = &t->lanes[side], *across = &t->lanes[1 - side];
  const guint op = ls_timeline_op (lane, asked);
  const LsRecordedOp *ops = layout->data->recording->ops;

  if (op >= lane->lane->index->n_ops)
    {
      open_card (layout, lane, t->card[side], ops[asked].equation, _("this op was not recorded in this lane"));
      return;
    }
  g_autofree char *fused = op != asked ? g_strdup_printf (_("%s, computed in %s"), about, ops[op].symbol) : g_strdup (about);
  Card c = open_card (layout, lane, t->card[side], ops[asked].equation[0] ? ops[asked].equation : ops[asked].symbol, fused);
  if (why != NULL)
    {
      wrapped (&c, (LsType){ layout->m.body.px, 700 }, LS_INK_TEXT, 0, _("Why is it waiting?"));
      wrapped (&c, layout->m.body, LS_INK_TEXT, 0, why);
      c.y += layout->m.label.px * .7;
    }
  op_lines (&c, across, op, asked);
}

/* ---- something else: the step as a whole, a copy, the host ---- */

static gint64
busy_of (const LsTimelineLane *lane, LsTimeRowKind kind)
{
  const LsTimeRow *const *rows;
  const guint n = ls_time_index_rows (lane->times, kind, &rows);
  gint64 sum = 0;

  for (guint r = 0; r < n; r++)
    sum += rows[r]->busy[rows[r]->n];
  return sum;
}

static void
step_lines (Card *c)
{
  const LsTimelineLane *lane = c->lane;
  const gint64 copies = busy_of (lane, LS_ROW_COPIES), kernels = busy_of (lane, LS_ROW_KERNELS);
  const LsViewData *other = c->layout->data->other;

  line (c, LS_EVIDENCE_MEASURED, _("step"), ls_number_time ((double) lane->lane->index->length_ns));
  if (other != NULL && other->sides[lane->side].index != NULL)
    line (c, LS_EVIDENCE_MEASURED, _("other recording"), ls_number_time ((double) other->sides[lane->side].index->length_ns));
  if (lane->times->n_waits > 0)
    {
      line (c, LS_EVIDENCE_MEASURED, _("tiles, in all"), ls_number_time ((double) busy_of (lane, LS_ROW_WORKER)));
      line (c, LS_EVIDENCE_MEASURED, _("workers wait, in all"), ls_number_time ((double) lane->times->wait_ns));
      line (c, LS_EVIDENCE_MEASURED, _("barriers"), ls_number_count (lane->times->n_waits > 0 ? (guint64) ls_time_index_row (lane->times, LS_ROW_OPS, 0)->n : 0));
    }
  if (kernels > 0)
    line (c, LS_EVIDENCE_MEASURED, _("kernels, in all"), ls_number_time ((double) kernels));
  if (copies > 0)
    line (c, LS_EVIDENCE_MEASURED, _("copies, in all"), ls_number_time ((double) copies));
  if (lane->times->commands->len > 0)
    {
      line (c, LS_EVIDENCE_MEASURED, _("commands"), ls_number_count (lane->times->commands->len));
      line (c, LS_EVIDENCE_MEASURED, _("most that wait"), ls_number_count (lane->times->most_queued));
    }
  line (c, LS_EVIDENCE_MEASURED, lane->side == 0 ? _("tiles") : _("work-groups"), ls_number_count (lane->times->n_pieces));
  if (lane->lane->recorded->dropped > 0)
    line (c, LS_EVIDENCE_MEASURED, _("events lost"), ls_number_count (lane->lane->recorded->dropped));
}

static void
event_card (LsLayout *layout, const LsTimeline *t, LsPick pick, const LsEvent *e, const char *why)
{
  const LsTimelineLane *lane = &t->lanes[pick.side];
  const gboolean copy = e->kind == LS_EVENT_COPY_IN || e->kind == LS_EVENT_COPY_OUT;
  const double ns = (double) (e->end_ns - e->start_ns);
  const LsTimeCommand *command = ls_time_index_command (lane->times, pick.event);
  const char *title = e->kind == LS_EVENT_COPY_IN ? _("copy to the device") : e->kind == LS_EVENT_COPY_OUT ? _("copy from the device")
                      : e->kind == LS_EVENT_HOST_WAIT ? _("the host waits") : e->kind == LS_EVENT_QUEUED ? _("queued") : _("call of the host");
  Card c = open_card (layout, lane, t->card[pick.side], title, _("selected"));

  if (why != NULL)
    {
      wrapped (&c, (LsType){ layout->m.body.px, 700 }, LS_INK_TEXT, 0, _("Why is it waiting?"));
      wrapped (&c, layout->m.body, LS_INK_TEXT, 0, why);
      c.y += layout->m.label.px * .7;
    }
  line (&c, LS_EVIDENCE_MEASURED, _("starts"), ls_number_time ((double) ls_time_since (lane->times, e->start_ns)));
  line (&c, LS_EVIDENCE_MEASURED, _("runs"), ls_number_time (ns));
  if (copy && command != NULL && command->queued != LS_NO_COMMAND)
    {
      const LsEvent *queued = ls_time_event (lane->times, command->queued);
      line (&c, LS_EVIDENCE_MEASURED, _("queued before"), ls_number_time ((double) (queued->end_ns - queued->start_ns)));
    }
  if (copy)
    {
      g_autofree char *bytes = ls_number_scaled ((double) e->tile), *rate = ls_number_scaled (ns > 0 ? 1e9 * (double) e->tile / ns : 0);
      line (&c, LS_EVIDENCE_MEASURED, _("bytes"), g_strdup (bytes));
      line (&c, LS_EVIDENCE_MEASURED, _("rate"), g_strdup_printf (_("%sB/s"), rate));
    }
}

void
ls_timeline_cards (LsLayout *layout)
{
  const LsTimeline *t = layout->own;
  const LsPick pick = ls_timeline_pick (layout);
  const LsEvent *e = pick.side >= 0 ? ls_layout_event (layout, pick) : NULL;

  for (guint side = 0; side < LS_SIDES; side++)
    {
      const LsTimelineLane *lane = &t->lanes[side];
      const gboolean own = e != NULL && (guint) pick.side == side;
      if (lane->times == NULL || t->card[side].h < 60)
        continue;
      const LsCause cause = own ? ls_time_cause (lane->times, pick.event) : (LsCause){ .kind = LS_CAUSE_NONE };
      g_autofree char *why = ls_time_cause_words (lane->times, layout->data->recording, &cause);
      g_autofree char *about = g_strdup_printf (own ? _("%s, selected") : _("%s, the same op"), lane->lane->name);
      if (e != NULL && e->op < layout->data->recording->n_ops)
        op_card (layout, t, side, e->op, about, why);
      else if (own)
        event_card (layout, t, pick, e, why);
      else
        {
          Card c = open_card (layout, lane, t->card[side], lane->lane->name, _("the recorded step"));
          step_lines (&c);
        }
    }
}
