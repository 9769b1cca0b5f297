/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Partition: the output of one op cut into tiles, on both sides in the same place and size, each side drawn
 * from its own start of the op; below, who worked when. How is one multiplication shared out, and who waits?
 */
#include "config.h"
#include "ui/paint/partition/partition.h"

#include <math.h>
#include <glib/gi18n-lib.h>

#include "ui/paint/parts/coming.h"
#include "ui/paint/parts/ribbon.h"
#include "ui/paint/views.h"

#define FLAT 6.0 /* an output that is wider or taller than so many times itself isn't drawn to scale */

typedef struct {
  LsPartLane lanes[LS_SIDES];
  LsViewLane finer[LS_SIDES]; /* the lane with the step cut finer in the place of the step as trained; owns
                                 nothing */
} Part;

static guint
chosen_op (const LsLayout *layout)
{
  const LsRecording *recording = layout->data->recording;

  return recording->n_ops > 0 ? MIN (layout->query.op, recording->n_ops - 1) : 0;
}

/* Each worker's own share is one stretch of the tiles. */
static gboolean
has_shares (const LsPartLane *p)
{
  guint before = 0;

  if (!ls_lane_has_workers (p->lane) || p->trace->n_rows < 2 || p->trace->n_rows > 4 || !p->trace->timed
      || p->tiling->splits > 1)
    return FALSE;
  for (guint i = 0; i < p->trace->n; i++)
    {
      const guint owner = ls_part_owner (ls_step_index_piece (p->lane->index, p->trace, i));
      if (owner < before || owner == LS_WORKER_NONE)
        return FALSE;
      before = owner;
    }
  return p->trace->n > 1;
}

static void
find_lane (Part *part, LsLayout *layout, guint side)
{
  LsPartLane *p = &part->lanes[side];
  const gboolean cut = ls_part_is_cut (layout->data, &layout->query, side);

  if (cut)
    {
      part->finer[side] = layout->data->sides[side];
      part->finer[side].index = layout->data->sides[side].finer;
      part->finer[side].recorded = part->finer[side].index->lane;
      layout->shown[side] = &part->finer[side];
    }
  *p = (LsPartLane){ .layout = layout,
                     .side = side,
                     .lane = layout->shown[side],
                     .cut = cut,
                     .fold = 1,
                     .fold_rows = 1,
                     .fold_cols = 1 };
  if (p->lane->index == NULL || p->lane->index->n_ops == 0)
    return;
  p->op = ls_step_index_leader (p->lane->index, chosen_op (layout));
  p->trace = &p->lane->index->ops[p->op];
  p->tiling = &p->lane->recorded->tilings[p->op];
  if (p->trace->n == 0 || p->tiling->grid_rows == 0 || p->tiling->grid_cols == 0)
    p->trace = NULL;
  else
    p->shares = has_shares (p);
}

static void
missing (LsPartLane *p, double y)
{
  const LsArea area = { p->area.x, y, p->area.w, p->area.y + p->area.h - y };

  if (ls_lane_coming (p->lane))
    ls_coming_list (p->layout, area, p->side);
  else if (ls_lane_unrecorded (p->lane))
    ls_coming_unrecorded (p->layout, area, p->side);
  else if (p->lane->message != NULL)
    ls_stage_lane_message (p->layout, area, p->side);
  else if (p->tiling != NULL && p->tiling->reference)
    ls_stage_message (p->layout, area, p->side, _("This op ran on the reference."),
                      _("The device has no kernel for it; it is not cut into pieces."), NULL);
  else
    ls_stage_message (p->layout, area, p->side, _("No pieces were recorded for this op."), NULL, NULL);
}

/* The real layout in grey: nothing was recorded yet. */
static void
not_yet (LsLayout *layout, LsArea area)
{
  const LsMetrics *m = &layout->m;

  area.y += m->control_h;
  area.h -= m->control_h + 2 * m->unit;
  area.h -= ls_coming_foot (layout, area, m->gutter);
  for (guint side = 0; side < LS_SIDES; side++)
    {
      const LsViewLane *view = &layout->data->sides[side];
      const LsArea lane = ls_stage_lane (layout, area, side);

      if (ls_lane_coming (view) && view->build != NULL)
        ls_coming_list (layout, lane, side);
      else if (view->message != NULL && !ls_lane_coming (view))
        ls_stage_lane_message (layout, lane, side);
      else
        for (guint i = 0; i < 64; i++)
          ls_scene_box (layout->still, round (lane.x + i % 8 * lane.w / 8) + 1,
                        round (lane.y + i / 8 * lane.h / 8) + 1, floor (lane.w / 8) - 2,
                        floor (lane.h / 8) - 2, LS_INK_TRACK, 0);
    }
  ls_stage_invite (layout, area);
}

/* ---- the layout ---- */

/* The largest picture of the output that has its shape, a tall one lying on its side. */
static void
fit (LsPartLane *p, LsArea room)
{
  const double rows = (double) p->tiling->rows, cols = (double) p->tiling->cols;
  const double longer = MAX (rows, cols), shorter = MAX (MIN (rows, cols), 1);

  p->lying = rows > cols;
  p->to_scale = longer / shorter <= FLAT;
  p->matrix = room;
  if (p->to_scale)
    {
      p->matrix.h = MIN (room.h, room.w * shorter / longer);
      p->matrix.w = MIN (room.w, p->matrix.h * longer / shorter);
    }
  else
    p->matrix.h = MIN (room.h, room.w / FLAT * 2);
}

static void
place (Part *part, LsLayout *layout, LsArea area)
{
  const LsMetrics *m = &layout->m;
  const double readout = m->projector ? 0 : m->label.px * 1.7,
               heading = m->heading.px * (m->projector ? 1.6 : 1.75);
  const double caption = m->projector || m->size == LS_SIZE_SMALL ? 0 : m->tick.px * 1.8,
               shape = m->projector || m->size == LS_SIZE_SMALL ? 0 : m->tick.px * 1.5;
  const double line = m->label.px * 1.45, top = area.y + m->control_h + readout + caption;
  const double room = MAX (0, area.h - m->control_h - readout - caption - shape - heading - 2 * m->unit);
  const double story = m->projector       ? 0
                       : room > 14 * line ? 2.3 * line
                       : room > 9 * line  ? 1.2 * line
                                          : 0,
               below = room - story;
  const double margin = m->projector ? ls_scene_width (layout->still, (LsType){ m->label.px, 700 }, "00") + 12
                        : m->size == LS_SIZE_LARGE ? 60
                                                   : 48;
  double bars = 0, tallest = 0;

  for (guint side = 0; side < LS_SIDES; side++)
    if (part->lanes[side].trace != NULL)
      bars = MAX (bars, ls_bars_height (&part->lanes[side], below * .42));
  /* a lane that stopped says so where its bars would be */
  bars = MAX (bars, MIN (ls_stage_stopped_height (layout, part->lanes[0].area.w) - heading, below * .8));
  for (guint side = 0; side < LS_SIDES; side++)
    {
      LsPartLane *p = &part->lanes[side];
      if (p->trace == NULL)
        continue;
      fit (p, (LsArea){ p->area.x + margin, top, p->area.w - margin, below - bars });
      tallest = MAX (tallest, p->matrix.h);
      p->clock_x = p->area.x + margin;
      p->brief = ls_bars_words_width (p, FALSE) > p->area.w * .34;
      p->clock_w = p->area.w - margin - (m->projector ? 0 : ls_bars_words_width (p, p->brief) + 16);
      if (bars / MAX (p->trace->n_rows, 1) < m->label.px * 1.05 && ls_lane_has_workers (p->lane))
        p->clock_w = p->area.w - margin - 8;
    }
  for (guint side = 0; side < LS_SIDES; side++)
    {
      LsPartLane *p = &part->lanes[side];
      p->readout_y = area.y + m->control_h + m->label.px * 1.1;
      p->caption_y = caption > 0 ? top - m->tick.px * .6 : 0;
      p->shares = p->shares
                  && (ls_part_beside (p) ? p->caption_y > 0
                                         : p->matrix.h / p->trace->n_rows > m->label.px * 1.4);
      p->heading_y = top + tallest + shape + heading * .72;
      p->bars_y = top + tallest + shape + heading;
      p->area.h = p->bars_y + bars - p->area.y;
      p->story_y = story > 0 ? p->bars_y + bars + line * .95 : 0;
    }
}

/* The sentences under the bars. */
static void
tell (const LsPartLane *p)
{
  const LsMetrics *m = &p->layout->m;
  const double line = m->label.px * 1.45, in = m->evidence + 7, x = p->area.x;
  const LsType bold = { m->label.px, 700 };
  LsScene *s = p->layout->still;
  g_autofree char *first = NULL, *second = NULL;

  if (p->story_y <= 0)
    return;
  ls_part_story (p, &first, &second);
  if (first == NULL || in + ls_scene_width (s, bold, first) > p->area.w)
    return;
  ls_scene_evidence (s, x, p->story_y - m->label.px * .36 - m->evidence / 2, m->evidence,
                     LS_EVIDENCE_MEASURED, LS_INK_TEXT);
  ls_scene_text (s, x + in, p->story_y, bold, LS_INK_TEXT, LS_LEFT, first);
  if (second != NULL && p->story_y + line < p->bottom
      && in + ls_scene_width (s, m->label, second) <= p->area.w)
    ls_scene_text (s, x + in, p->story_y + line, m->label, LS_INK_QUIET, LS_LEFT, second);
}

static void
layout_partition (LsLayout *layout)
{
  const LsMetrics *m = &layout->m;
  Part *part = g_new0 (Part, 1);
  const LsRecording *recording = layout->data->recording;
  LsArea area;
  gint64 timed_ns = 0;
  guint at, n;

  layout->own = part;
  layout->free_own = g_free;
  if (recording != NULL && recording->n_ops > 0)
    {
      const LsRecordedOp *op = &recording->ops[chosen_op (layout)];
      layout->heading = g_strdup (op->equation[0] ? op->equation : op->symbol);
      ls_ribbon_place (layout->data, chosen_op (layout), &at, &n);
      layout->subheading = layout->query.skipped > 0
                             ? g_strdup_printf (_("op %u of %u, +%u"), at, n, layout->query.skipped)
                             : g_strdup_printf (_("op %u of %u"), at, n);
    }
  area = ls_stage_strip (layout, ls_stage_begin (layout), FALSE);
  ls_area_below (&area, ls_ribbon (layout, area) + 2 * m->unit);
  ls_area_below (&area, ls_stage_heads (layout, area));
  ls_area_below (&area, ls_stage_disagreement (layout, area));
  if (recording == NULL)
    {
      not_yet (layout, area);
      return;
    }
  area.h -= ls_coming_foot (layout, area, m->gutter);
  for (guint side = 0; side < LS_SIDES; side++)
    {
      find_lane (part, layout, side);
      part->lanes[side].area = ls_stage_lane (layout, area, side);
      part->lanes[side].bottom = area.y + area.h;
      if (part->lanes[side].trace != NULL)
        layout->span_ns = MAX (layout->span_ns,
                               part->lanes[side].trace->ran
                                 ? part->lanes[side].trace->end_ns - part->lanes[side].trace->start_ns
                                 : 0);
    }
  place (part, layout, area);
  /* bars share one clock; a lane whose pieces have no times takes none of it */
  for (guint side = 0; side < LS_SIDES; side++)
    if (part->lanes[side].trace != NULL && part->lanes[side].trace->timed)
      timed_ns = MAX (timed_ns, part->lanes[side].trace->end_ns - part->lanes[side].trace->start_ns);
  for (guint side = 0; side < LS_SIDES; side++)
    {
      LsPartLane *p = &part->lanes[side];
      if (p->trace == NULL)
        {
          missing (p, area.y + m->control_h);
          continue;
        }
      p->span_ns = p->trace->timed ? timed_ns : p->trace->n_ranks;
      ls_matrix (p);
      if (p->lane->stopped_at > 0)
        ls_stage_lane_message (layout, (LsArea){ p->area.x, p->heading_y - m->heading.px, p->area.w, 0 },
                               side);
      else
        {
          ls_bars (p);
          tell (p);
        }
      if (!m->projector)
        ls_part_controls (p, chosen_op (layout), area.y);
      ls_part_caption (p);
      ls_part_shape (p);
    }
}

/* ---- what moves ---- */

/* The picked piece's place in the other lane: what holds the same numbers there. FALSE if the outputs differ
 * in shape. */
static gboolean
linked_area (const LsPartLane *from, const LsPartLane *to, const LsEvent *e, LsArea *area)
{
  const LsTiling *t = to->tiling;
  gint64 row, n_rows, col, n_cols, first_row, first_col, last_row, last_col;

  if (to->trace == NULL || t->rows != from->tiling->rows || t->cols != from->tiling->cols)
    return FALSE;
  if (!ls_tile_elements (from->tiling, e->tile, &row, &n_rows, &col, &n_cols))
    return FALSE;
  first_row = row / t->tile_rows * t->tile_rows;
  first_col = col / t->tile_cols * t->tile_cols;
  last_row = MIN (((row + n_rows - 1) / t->tile_rows + 1) * t->tile_rows, t->rows);
  last_col = MIN (((col + n_cols - 1) / t->tile_cols + 1) * t->tile_cols, t->cols);
  *area = ls_matrix_cells (to, first_row, last_row - first_row, first_col, last_col - first_col);
  return TRUE;
}

/* The element in which the lanes differ, in both, and named where it is wrong. */
static void
mark_difference (LsLayout *layout, const LsPartLane *p)
{
  gint64 row, col;

  if (ls_stage_differs (layout, p->side, p->op)
      && ls_difference_at (&layout->data->difference, p->tiling->rows, p->tiling->cols, &row, &col))
    ls_stage_difference (layout, p->matrix, ls_matrix_cells (p, row, 1, col, 1),
                         p->side == layout->data->difference.side);
}

static void
move_partition (LsLayout *layout)
{
  const Part *part = layout->own;
  const LsPick pick = layout->query.hover.side >= 0 ? layout->query.hover : layout->query.picked;
  const LsEvent *e = ls_layout_event (layout, pick);
  const LsPartLane *from = e != NULL ? &part->lanes[pick.side] : NULL;
  LsArea area;

  if (from != NULL
      && (from->trace == NULL || from->op != e->op
          || !(e->kind == LS_EVENT_TILE || e->kind == LS_EVENT_GROUP)))
    from = NULL;
  for (guint side = 0; side < LS_SIDES; side++)
    {
      const LsPartLane *p = &part->lanes[side];
      if (p->trace == NULL)
        continue;
      if (p->lane->stopped_at == 0)
        ls_bars_move (p);
      mark_difference (layout, p);
      if (from == NULL)
        {
          ls_part_readout (p);
          continue;
        }
      if (p == from)
        ls_part_readout_pick (p, pick);
      if (!linked_area (from, p, e, &area))
        continue;
      ls_scene_mark (layout->moving, LS_ITEM_FRAME, area.x, area.y, area.w, area.h, LS_INK_TEXT, 0)->strong
        = TRUE;
      if (p != from)
        ls_part_readout_same (p, area);
    }
  for (guint side = LS_SIDES; side-- > 0;)
    if (part->lanes[side].trace != NULL)
      {
        ls_part_readout_skipped (&part->lanes[side]);
        return;
      }
}

static void
describe_partition (const LsLayout *layout, GString *text)
{
  const Part *part = layout->own;

  for (guint side = 0; layout->data->recording != NULL && side < LS_SIDES; side++)
    if (part->lanes[side].trace != NULL)
      {
        g_autofree char *words = ls_part_tiles_words (&part->lanes[side]);
        g_string_append_printf (text, " %s: %s.", part->lanes[side].lane->name, words);
      }
}

/* The op's clock, but where a lane is cut finer: there the op takes as long as it took then. */
static gint64
span_partition (const LsViewData *data, const LsQuery *query, gint64 *still)
{
  gint64 span_ns = 0;
  gboolean any = FALSE;

  for (guint side = 0; side < LS_SIDES; side++)
    {
      const gboolean cut = ls_part_is_cut (data, query, side);
      const LsStepIndex *index = cut ? data->sides[side].finer : data->sides[side].index;
      const LsOpTrace *trace = index != NULL && query->op < index->n_ops
                                 ? &index->ops[ls_step_index_leader (index, query->op)]
                                 : NULL;
      any |= cut;
      span_ns = MAX (span_ns, trace != NULL && trace->ran ? trace->end_ns - trace->start_ns : 0);
    }
  return any ? span_ns : -1;
}

const LsView ls_view_partition = {
  .name = "partition",
  .title = N_("Partition"),
  .question = N_("How is one multiplication shared out, and who waits?"),
  .needs_step = TRUE,
  .by_op = TRUE,
  .state_size = sizeof (LsPartitionState),
  .state_init = &ls_part_first,
  .switches = ls_part_switches,
  .options = ls_part_options,
  .span = span_partition,
  .layout = layout_partition,
  .move = move_partition,
  .describe = describe_partition,
};
