/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * An op's card: its numbers in this lane, against the other lane and another recording, and how its pieces'
 * times spread.
 */
#include "config.h"
#include "ui/paint/timeline/timeline_card.h"

#include <math.h>
#include <string.h>
#include <glib/gi18n-lib.h>

#include "core/number.h"

#define BINS 40

/* ---- how the pieces spread ---- */

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
  g_array_sort (times, ls_compare_doubles);
  return times;
}

static void
draw_spread (LsCard *c, const GArray *times, const char *title)
{
  const LsMetrics *m = &c->layout->m;
  const double least = times->len > 0 ? g_array_index (times, double, 0) : 0,
               most = times->len > 0 ? g_array_index (times, double, times->len - 1) : 0;
  const double left = c->area.x + 14, w = c->area.w - 28,
               bottom = MIN (c->area.y + c->area.h - 12, c->y + m->label.px * 9);
  const double top = c->y + m->label.px * .9, base = bottom - m->tick.px * 1.5, h = MIN (base - top, 70);
  LsScene *s = c->layout->moving;
  guint counts[BINS] = { 0 }, highest = 1;

  if (times->len < 8 || most <= least || h < 24)
    return;
  for (guint i = 0; i < times->len; i++)
    {
      const guint bin = MIN ((guint) (BINS * (g_array_index (times, double, i) - least) / (most - least)),
                             BINS - 1);
      counts[bin]++;
      highest = MAX (highest, counts[bin]);
    }
  ls_card_wrapped (c, m->label, LS_INK_QUIET, 0, title);
  for (guint i = 0; i < BINS; i++)
    if (counts[i] > 0)
      {
        const double bar = MAX (2, h * .8 * counts[i] / highest);
        ls_scene_box (s, left + w * i / BINS, base - bar, w / BINS - 1, bar, LS_INK_MARK, c->lane->side)
          ->evidence
          = LS_EVIDENCE_MEASURED;
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
      sum = ls_ns_add (sum, rows[r]->end[i] - rows[r]->start[i]);
  return sum;
}

static gint64
queued_before (const LsTimelineLane *lane, guint op)
{
  for (guint i = 0; i < lane->times->commands->len; i++)
    {
      const LsTimeCommand *c = &g_array_index (lane->times->commands, LsTimeCommand, i);
      if (ls_time_event (lane->times, c->run)->op == op && c->queued != LS_NO_COMMAND
          && ls_time_event (lane->times, c->run)->kind == LS_EVENT_KERNEL)
        return (gint64) (ls_time_event (lane->times, c->queued)->end_ns
                         - ls_time_event (lane->times, c->queued)->start_ns);
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
flops_of (const LsCard *c, guint op)
{
  gint64 flops = 0;

  for (guint i = 0; i < c->lane->lane->index->n_ops; i++)
    if (ls_step_index_leader (c->lane->lane->index, i) == op)
      flops += c->layout->data->recording->ops[i].flops;
  return flops;
}

/* What the other lane took for the op and all that was done with it here, and in how many ops; −1 if it did
 * more with one of them. */
static gint64
took_across (const LsCard *c, const LsTimelineLane *across, guint op, guint *n)
{
  const LsStepIndex *here = c->lane->lane->index, *there = across->lane->index;
  gint64 sum = 0;

  *n = 0;
  for (guint i = 0; i < here->n_ops; i++)
    {
      const guint leader = i < there->n_ops ? ls_step_index_leader (there, i) : G_MAXUINT;
      if (ls_step_index_leader (here, i) == op)
        {
          if (leader == G_MAXUINT || !there->ops[leader].ran || ls_step_index_leader (here, leader) != op)
            return -1;
          sum += leader == i ? took (across, i) : 0;
          *n += leader == i;
        }
      else if (leader != G_MAXUINT && ls_step_index_leader (here, leader) == op)
        return -1;
    }
  return sum;
}

/* Against the other lane: how many times faster, or when it was done. */
static void
compare_lanes (LsCard *c, const LsTimelineLane *across, guint op, guint op_across)
{
  guint n;
  const gint64 mine = took (c->lane, op), theirs = took_across (c, across, op, &n);
  const gint64 before = across->lane->index->ops[op_across].end_ns - c->lane->lane->index->ops[op].end_ns;
  g_autofree char *times = g_strdup_printf (_("times %s"), across->lane->brief);
  g_autofree char *done = g_strdup_printf (before < 0   ? _("%s done earlier by")
                                           : before > 0 ? _("%s done later by")
                                                        : _("%s done"),
                                           across->lane->brief);

  if (mine > 0 && theirs >= 0 && n > 1) /* its own card says only what one of them took */
    {
      g_autofree char *ops = g_strdup_printf (ngettext ("%s, in %u op", "%s, in %u ops", n),
                                              across->lane->brief, n);
      ls_card_line (c, LS_EVIDENCE_DERIVED, ops, ls_number_time ((double) theirs));
    }
  if (mine > 0 && theirs >= 0)
    ls_card_line (c, LS_EVIDENCE_DERIVED, times, ls_number_text ((double) theirs / (double) mine, 2));
  ls_card_line (c, LS_EVIDENCE_DERIVED, done,
                before != 0 ? ls_number_time (fabs ((double) before)) : g_strdup (_("at the same time")));
}

/* The op and all that was done with it. (transfer full) */
static char *
work_of (const LsRecording *recording, const LsStepIndex *index, guint leader)
{
  g_autoptr (GString) work = g_string_new (NULL);

  for (guint i = 0; i < index->n_ops; i++)
    if (ls_step_index_leader (index, i) == leader)
      g_string_append_printf (work, "%s ", recording->ops[i].symbol);
  return g_string_free (g_steal_pointer (&work), FALSE);
}

/* What the same op took in the recording laid over this one, and how many times as long if both did the same
 * with it. */
static void
compare_recordings (LsCard *c, guint op)
{
  const LsViewData *data = c->layout->data, *other = data->other;
  const LsViewLane *lane = other != NULL ? &other->sides[c->lane->side] : NULL;

  if (lane == NULL || lane->index == NULL)
    return;
  for (guint i = 0; i < lane->index->n_ops; i++)
    {
      const guint leader = ls_step_index_leader (lane->index, i);
      const LsOpTrace *trace = &lane->index->ops[leader];
      if (g_strcmp0 (other->recording->ops[i].symbol, data->recording->ops[op].symbol) != 0 || !trace->ran)
        continue;
      ls_card_line (c, LS_EVIDENCE_MEASURED, _("other recording"),
                    ls_number_time ((double) (trace->end_ns - trace->start_ns)));
      g_autofree char *here = work_of (data->recording, c->lane->lane->index, op),
                      *there = work_of (other->recording, lane->index, leader);
      if (took (c->lane, op) > 0 && strcmp (here, there) == 0)
        ls_card_line (
          c, LS_EVIDENCE_DERIVED, _("times the other"),
          ls_number_text ((double) (trace->end_ns - trace->start_ns) / (double) took (c->lane, op), 2));
      return;
    }
}

static void
op_lines (LsCard *c, const LsTimelineLane *across, guint op, guint asked)
{
  const gint64 flops = flops_of (c, op);
  const LsOpTrace *trace = &c->lane->lane->index->ops[op];
  const gint64 ns = took (c->lane, op), queued = queued_before (c->lane, op), wait = waited (c->lane, op);
  const guint op_across = across->times != NULL ? ls_timeline_op (across, asked) : 0;
  g_autoptr (GArray) times = piece_times (c->lane, trace);
  const gboolean tiles = ls_lane_has_workers (c->lane->lane);
  LsItem *mark;

  ls_card_line (c, LS_EVIDENCE_MEASURED, _("starts"), ls_number_time ((double) trace->start_ns));
  mark = ls_card_line (c, LS_EVIDENCE_MEASURED, _("runs"), ls_number_time ((double) ns));
  if (mark != NULL)
    ls_item_number (mark, (gint) c->lane->side, LS_NUMBER_OP);
  compare_recordings (c, op);
  if (queued >= 0)
    ls_card_line (c, LS_EVIDENCE_MEASURED, _("queued before"), ls_number_time ((double) queued));
  if (trace->n > 0)
    ls_card_line (c, LS_EVIDENCE_MEASURED, tiles ? _("tiles") : _("work-groups"),
                  ls_number_count (trace->n));
  if (times->len > 1)
    ls_card_line (c, LS_EVIDENCE_MEASURED, tiles ? _("tile, median") : _("work-group, median"),
                  ls_number_time (g_array_index (times, double, times->len / 2)));
  if (wait > 0)
    ls_card_line (c, LS_EVIDENCE_MEASURED, _("workers wait, in all"), ls_number_time ((double) wait));
  if (flops > 0)
    ls_card_line (c, LS_EVIDENCE_DERIVED, _("FLOPs"), ls_number_scaled ((double) flops));
  if (flops > 0 && ns > 0)
    {
      g_autofree char *rate = ls_number_text ((double) flops / (double) ns, 3);
      ls_card_line (c, LS_EVIDENCE_DERIVED, _("rate"), g_strdup_printf (_("%s GFLOP/s"), rate));
    }
  if (across->times != NULL && op_across < across->lane->index->n_ops)
    compare_lanes (c, across, op, op_across);
  draw_spread (c, times, tiles ? _("times of its tiles") : _("times of its work-groups"));
}

void
ls_card_op (LsLayout *layout, const LsTimeline *t, guint side, guint asked, const char *about,
            const char *why)
{
  const LsTimelineLane *lane = &t->lanes[side], *across = &t->lanes[1 - side];
  const guint op = ls_timeline_op (lane, asked);
  const LsRecordedOp *ops = layout->data->recording->ops;

  if (op >= lane->lane->index->n_ops)
    {
      ls_card_open (layout, lane, t->card[side], ops[asked].equation,
                    _("this op was not recorded in this lane"));
      return;
    }
  g_autofree char *fused = op != asked ? g_strdup_printf (_("%s, computed in %s"), about, ops[op].symbol)
                                       : g_strdup (about);
  LsCard c = ls_card_open (layout, lane, t->card[side],
                           ops[asked].equation[0] ? ops[asked].equation : ops[asked].symbol, fused);
  ls_card_why (&c, why);
  op_lines (&c, across, op, asked);
}
