/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Partition: the output of one op cut into tiles, on both sides in the same place and size, each side drawn from its own
 * start of the op; below, who worked when. How is one multiplication shared out, and who waits?
 */
#include "config.h"
#include "ui/paint/partition.h"

#include <math.h>
#include <string.h>
#include <glib/gi18n-lib.h>

#include "ui/paint/coming.h"
#include "ui/paint/number.h"
#include "ui/paint/ribbon.h"

#define SWITCHES .52   /* of the lane's width */

typedef struct {
  LsPartLane lanes[LS_SIDES];
} Part;

static guint
chosen_op (const LsLayout *layout)
{
  const LsRecording *recording = layout->data->recording;

  return recording->n_ops > 0 ? MIN (layout->query.op, recording->n_ops - 1) : 0;
}

static void
find_lane (LsLayout *layout, LsPartLane *p, guint side)
{
  *p = (LsPartLane){ .layout = layout, .side = side, .lane = &layout->data->sides[side], .fold = 1, .fold_rows = 1, .fold_cols = 1 };
  if (p->lane->index == NULL || p->lane->index->n_ops == 0)
    return;
  p->op = ls_step_index_leader (p->lane->index, chosen_op (layout));
  p->trace = &p->lane->index->ops[p->op];
  p->tiling = &p->lane->recorded->tilings[p->op];
  if (p->trace->n == 0 || p->tiling->grid_rows == 0 || p->tiling->grid_cols == 0)
    p->trace = NULL;
}

/* ---- the words round the matrix ---- */

static char *
tiles_words (const LsPartLane *p)
{
  const LsTiling *t = p->tiling;
  const gulong all = (gulong) t->grid_rows * t->grid_cols * MAX (t->splits, 1);
  g_autofree char *n = ls_number_count (all);
  const char *knows = p->trace->known == LS_KNOWN_UNITS     ? _("unit numbers told by the device")
                      : p->trace->known == LS_KNOWN_THREADS ? _("units not told")
                      : p->trace->known == LS_KNOWN_ORDER   ? _("only their order is known")
                                                            : _("this device does not say who or when");
  g_autofree char *size = g_strdup_printf ("%" G_GINT64_FORMAT "×%" G_GINT64_FORMAT, t->tile_rows, t->tile_cols);
  GString *text = g_string_new (NULL);

  g_string_append_printf (text, p->side == 0 ? ngettext ("%s tile of %s", "%s tiles of %s", all) : ngettext ("%s work-group of %s", "%s work-groups of %s", all),
                          n, size);
  if (t->splits > 1)
    g_string_append_printf (text, _(", the sum in %u parts"), t->splits);
  if (p->side == 1)
    g_string_append_printf (text, ", %s", knows);
  if (p->fold_rows * p->fold_cols > 1)
    g_string_append_printf (text, _("; each cell is %u×%u, shown by the last done"), p->fold_rows, p->fold_cols);
  return g_string_free (text, FALSE);
}

/* The option's value in the words of the lecture. */
static const char *
policy_word (const char *policy)
{
  return g_strcmp0 (policy, "steal") == 0 ? _("work-stealing") : policy;
}

/* Left what can be switched, as words where no window puts a switch; right what came of it. */
static void
control_row (LsPartLane *p, double y)
{
  LsLayout *layout = p->layout;
  const LsMetrics *m = &layout->m;
  const double base = y + m->control_h / 2 + m->body.px * .36, right = p->area.x + p->area.w;
  const char *policy = layout->data->recording != NULL ? g_hash_table_lookup (layout->data->recording->options, "policy") : NULL;
  const char *value = p->side == 0 ? policy_word (policy) : p->trace != NULL ? p->tiling->kernel : NULL;
  const char *label = p->side == 0 ? _("Schedule") : _("Kernel");
  LsScene *s = layout->still;
  double x = p->area.x, left = x + p->area.w * (layout->query.chrome ? .3 : SWITCHES);
  g_autofree char *words = NULL, *inside = NULL;

  ls_stage_slot (layout, LS_SLOT_CONTROLS, (gint) p->side, 0, x, y, p->area.w * SWITCHES, m->control_h);
  if (layout->query.chrome && value != NULL && *value)
    {
      x = ls_item_right (ls_scene_text (s, x, base, m->label, LS_INK_QUIET, LS_LEFT, label)) + 10;
      x = left = ls_item_right (ls_scene_text (s, x, base, (LsType){ m->label.px, 700 }, LS_INK_TEXT, LS_LEFT, value));
    }
  if (p->trace == NULL)
    return;
  if (p->op != chosen_op (layout))
    inside = g_strdup_printf (_("computed in %s; "), layout->data->recording->ops[p->op].symbol);
  words = tiles_words (p);
  g_autofree char *all = g_strconcat (inside != NULL ? inside : "", words, NULL);
  g_auto (GStrv) clauses = g_strsplit (all, ", ", -1);
  /* what does not fit goes from the end, whole clauses at a time, never how many there are */
  for (guint n = g_strv_length (clauses); n > 0; n--)
    {
      g_autofree char *text = NULL;
      g_clear_pointer (&clauses[n], g_free);
      text = g_strjoinv (", ", clauses);
      if (left + 16 + ls_scene_width (s, m->label, text) > right)
        continue;
      ls_scene_text (s, right, base, m->label, LS_INK_QUIET, LS_RIGHT, text);
      return;
    }
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
    ls_stage_message (p->layout, area, p->side, _("This op ran on the reference."), _("The device has no kernel for it; it is not cut into pieces."), NULL);
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
          ls_scene_box (layout->still, round (lane.x + i % 8 * lane.w / 8) + 1, round (lane.y + i / 8 * lane.h / 8) + 1,
                        floor (lane.w / 8) - 2, floor (lane.h / 8) - 2, LS_INK_TRACK, 0);
    }
  ls_stage_invite (layout, area);
}

/* ---- the layout ---- */

/* What stands at a row's end at most. */
static double
row_words_width (const LsLayout *layout)
{
  const char *const words[] = { _("waits 000 µs"), _("000 k groups/s"), _("working") };
  double width = 0;

  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    width = MAX (width, ls_scene_width (layout->still, layout->m.label, words[i]));
  return width;
}

static void
place (Part *part, LsLayout *layout, LsArea area)
{
  const LsMetrics *m = &layout->m;
  const double readout = m->projector ? 0 : m->label.px * 1.7, heading = m->heading.px * (m->projector ? 1.6 : 1.75);
  const double top = area.y + m->control_h + readout, below = MAX (0, area.h - m->control_h - readout - heading - 2 * m->unit);
  const double margin = m->projector ? ls_scene_width (layout->still, (LsType){ m->label.px, 700 }, "00") + 12
                        : m->size == LS_SIZE_LARGE ? 60 : 48;
  double bars = 0, tallest = 0;

  for (guint side = 0; side < LS_SIDES; side++)
    if (part->lanes[side].trace != NULL)
      bars = MAX (bars, ls_bars_height (&part->lanes[side], below * .42));
  if (layout->data->stale)
    bars = 0;
  /* a lane that stopped says so where its bars would be */
  bars = MAX (bars, MIN (ls_stage_stopped_height (layout, part->lanes[0].area.w) - heading, below * .8));
  for (guint side = 0; side < LS_SIDES; side++)
    {
      LsPartLane *p = &part->lanes[side];
      if (p->trace == NULL)
        continue;
      p->matrix = (LsArea){ p->area.x + margin, top, p->area.w - margin, below - bars };
      tallest = MAX (tallest, p->matrix.h);
      p->clock_x = p->area.x + margin;
      p->clock_w = p->area.w - margin - (m->projector ? 0 : row_words_width (layout) + 16);
      if (bars / MAX (p->trace->n_rows, 1) < m->label.px * 1.05 && side == 0)
        p->clock_w = p->area.w - margin - 8;
    }
  for (guint side = 0; side < LS_SIDES; side++)
    {
      LsPartLane *p = &part->lanes[side];
      p->readout_y = area.y + m->control_h + m->label.px * 1.1;
      p->heading_y = top + tallest + heading * .72;
      p->bars_y = top + tallest + heading;
      p->area.h = p->bars_y + bars - p->area.y;
    }
}

static void
layout_partition (LsLayout *layout)
{
  const LsMetrics *m = &layout->m;
  Part *part = g_new0 (Part, 1);
  const LsRecording *recording = layout->data->recording;
  LsArea area;
  double heads;
  gint64 timed_ns = 0;
  guint at, n;

  layout->own = part;
  layout->free_own = g_free;
  if (recording != NULL && recording->n_ops > 0)
    {
      const LsRecordedOp *op = &recording->ops[chosen_op (layout)];
      layout->heading = g_strdup (op->equation[0] ? op->equation : op->symbol);
      ls_ribbon_place (layout->data, chosen_op (layout), &at, &n);
      layout->subheading = layout->query.skipped > 0 ? g_strdup_printf (_("op %u of %u, +%u"), at, n, layout->query.skipped)
                                                     : g_strdup_printf (_("op %u of %u"), at, n);
    }
  area = ls_stage_strip (layout, ls_stage_begin (layout), FALSE);
  heads = ls_ribbon (layout, area) + 2 * m->unit;
  area.y += heads;
  area.h -= heads;
  heads = ls_stage_heads (layout, area);
  area.y += heads;
  area.h -= heads;
  heads = ls_stage_disagreement (layout, area);
  area.y += heads;
  area.h -= heads;
  if (recording == NULL)
    {
      not_yet (layout, area);
      return;
    }
  area.h -= ls_coming_foot (layout, area, m->gutter);
  for (guint side = 0; side < LS_SIDES; side++)
    {
      find_lane (layout, &part->lanes[side], side);
      part->lanes[side].area = ls_stage_lane (layout, area, side);
      if (part->lanes[side].trace != NULL)
        layout->span_ns = MAX (layout->span_ns, part->lanes[side].trace->ran
                                                  ? part->lanes[side].trace->end_ns - part->lanes[side].trace->start_ns : 0);
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
        ls_stage_lane_message (layout, (LsArea){ p->area.x, p->heading_y - m->heading.px, p->area.w, 0 }, side);
      else if (!layout->data->stale)
        ls_bars (p);
      if (!m->projector)
        control_row (p, area.y);
    }
}

/* ---- what moves ---- */

/* The picked piece's place in the other lane: what holds the same numbers there. FALSE if the outputs differ in shape. */
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

  if (ls_stage_differs (layout, p->side, p->op) && ls_difference_at (&layout->data->difference, p->tiling->rows, p->tiling->cols, &row, &col))
    ls_stage_difference (layout, p->matrix, ls_matrix_cells (p, row, 1, col, 1), p->side == layout->data->difference.side);
}

static void
move_partition (LsLayout *layout)
{
  const Part *part = layout->own;
  const LsPick pick = layout->query.hover.side >= 0 ? layout->query.hover : layout->query.picked;
  const LsEvent *e = ls_layout_event (layout, pick);
  const LsPartLane *from = e != NULL ? &part->lanes[pick.side] : NULL;
  LsArea area;

  if (from != NULL && (from->trace == NULL || from->op != e->op || !(e->kind == LS_EVENT_TILE || e->kind == LS_EVENT_GROUP)))
    from = NULL;
  for (guint side = 0; side < LS_SIDES; side++)
    {
      const LsPartLane *p = &part->lanes[side];
      if (p->trace == NULL || layout->data->stale)
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
      ls_scene_mark (layout->moving, LS_ITEM_FRAME, area.x, area.y, area.w, area.h, LS_INK_TEXT, 0)->strong = TRUE;
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
        g_autofree char *words = tiles_words (&part->lanes[side]);
        g_string_append_printf (text, " %s: %s.", part->lanes[side].lane->name, words);
      }
}

const LsView ls_view_partition = {
  .name = "partition",
  .title = N_("Partition"),
  .question = N_("How is one multiplication shared out, and who waits?"),
  .needs_step = TRUE,
  .by_op = TRUE,
  .layout = layout_partition,
  .move = move_partition,
  .describe = describe_partition,
};
