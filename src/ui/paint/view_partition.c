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

#include "ui/paint/number.h"
#include "ui/paint/ribbon.h"

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

/* True to shape as far as that leaves tiles large enough to read; both lanes share the rectangle's place. */
static LsArea
shape_matrix (const LsPartLane *p, double x, double y, double w, double h)
{
  const double aspect = (double) p->tiling->cols / (double) p->tiling->rows;

  return (LsArea){ x, y, CLAMP (h * aspect, .9 * w, w), CLAMP (w / aspect, .9 * h, h) };
}

/* ---- the words round the matrix ---- */

static char *
tiles_words (const LsPartLane *p)
{
  const LsTiling *t = p->tiling;
  g_autofree char *n = ls_number_count ((guint64) t->grid_rows * t->grid_cols * MAX (t->splits, 1));
  const char *knows = p->trace->known == LS_KNOWN_UNITS     ? _("unit numbers told by the device")
                      : p->trace->known == LS_KNOWN_THREADS ? _("units not told")
                      : p->trace->known == LS_KNOWN_ORDER   ? _("only their order is known")
                                                            : _("this device does not say who or when");
  g_autofree char *size = g_strdup_printf ("%" G_GINT64_FORMAT "×%" G_GINT64_FORMAT, t->tile_rows, t->tile_cols);
  GString *text = g_string_new (NULL);

  g_string_append_printf (text, p->side == 0 ? _("%s tiles of %s") : _("%s work-groups of %s"), n, size);
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
  double x = p->area.x, left = x + p->area.w * .45;
  g_autofree char *words = NULL, *inside = NULL;

  ls_stage_slot (layout, LS_SLOT_CONTROLS, (gint) p->side, 0, x, y, p->area.w * .62, m->control_h);
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
  const LsArea area = { p->area.x, y, p->area.w, p->area.h };

  if (p->lane->message != NULL)
    ls_stage_message (p->layout, area, p->side, p->lane->message, p->lane->hint);
  else if (p->tiling != NULL && p->tiling->reference)
    ls_stage_message (p->layout, area, p->side, _("This op ran on the reference."), _("The device has no kernel for it; it is not cut into pieces."));
  else
    ls_stage_message (p->layout, area, p->side, _("No pieces were recorded for this op."), NULL);
}

/* The real layout in grey: nothing ran yet. */
static void
not_yet (LsLayout *layout, LsArea area)
{
  const LsMetrics *m = &layout->m;
  const char *text = _("Press Space to train.");
  const LsType type = { 20 * layout->style.text_scale, 700 };
  const double width = ls_scene_width (layout->still, type, text) + 64, x = area.x + area.w / 2, y = area.y + area.h / 2;

  for (guint side = 0; side < LS_SIDES; side++)
    {
      const LsArea lane = ls_stage_lane (layout, area, side);
      for (guint i = 0; i < 64; i++)
        ls_scene_box (layout->still, lane.x + i % 8 * lane.w / 8 + 1, lane.y + i / 8 * (lane.h - 24) / 8 + 1, lane.w / 8 - 2,
                      (lane.h - 24) / 8 - 2, LS_INK_TRACK, 0);
    }
  ls_scene_box (layout->still, x - width / 2, y - 30, width, 60, LS_INK_WINDOW, 0)->size = 8;
  ls_scene_text (layout->still, x, y + type.px * .36, m->projector ? m->heading : type, LS_INK_TEXT, LS_CENTER, text);
}

/* ---- the layout ---- */

static void
place (Part *part, LsLayout *layout, LsArea area)
{
  const LsMetrics *m = &layout->m;
  const double readout = m->projector ? 0 : m->label.px * 1.7, heading = m->heading.px * (m->projector ? 1.6 : 1.75);
  const double top = area.y + m->control_h + readout, below = area.h - m->control_h - readout - heading - 2 * m->unit;
  const double margin = m->projector ? ls_scene_width (layout->still, (LsType){ m->label.px, 700 }, "00") + 12
                        : m->size == LS_SIZE_LARGE ? 60 : 48;
  double bars = 0, tallest = 0;

  for (guint side = 0; side < LS_SIDES; side++)
    if (part->lanes[side].trace != NULL)
      bars = MAX (bars, ls_bars_height (&part->lanes[side], below * .42));
  for (guint side = 0; side < LS_SIDES; side++)
    {
      LsPartLane *p = &part->lanes[side];
      if (p->trace == NULL)
        continue;
      p->matrix = shape_matrix (p, p->area.x + margin, top, p->area.w - margin, below - bars);
      tallest = MAX (tallest, p->matrix.h);
      p->clock_x = p->area.x + margin;
      p->clock_w = p->area.w - margin - (m->projector ? 0 : ls_scene_width (layout->still, m->label, _("waits 000 µs")) + 16);
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
  guint at, n;

  layout->own = part;
  layout->free_own = g_free;
  if (recording != NULL && recording->n_ops > 0)
    {
      const LsRecordedOp *op = &recording->ops[chosen_op (layout)];
      layout->heading = g_strdup (op->equation[0] ? op->equation : op->symbol);
      ls_ribbon_place (layout->data, chosen_op (layout), &at, &n);
      layout->subheading = g_strdup_printf (_("op %u of %u"), at, n);
    }
  area = ls_stage_strip (layout, ls_stage_begin (layout));
  heads = ls_ribbon (layout, area) + 2 * m->unit;
  area.y += heads;
  area.h -= heads;
  heads = ls_stage_heads (layout, area);
  area.y += heads;
  area.h -= heads;
  if (recording == NULL)
    {
      not_yet (layout, area);
      return;
    }
  for (guint side = 0; side < LS_SIDES; side++)
    {
      find_lane (layout, &part->lanes[side], side);
      part->lanes[side].area = ls_stage_lane (layout, area, side);
      if (part->lanes[side].trace != NULL)
        layout->span_ns = MAX (layout->span_ns, part->lanes[side].trace->timed
                                                  ? part->lanes[side].trace->end_ns - part->lanes[side].trace->start_ns : 0);
    }
  place (part, layout, area);
  for (guint side = 0; side < LS_SIDES; side++)
    {
      LsPartLane *p = &part->lanes[side];
      if (p->trace == NULL)
        {
          missing (p, area.y + m->control_h);
          continue;
        }
      p->span_ns = p->trace->timed ? layout->span_ns : p->trace->n_ranks;
      ls_matrix (p);
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

static void
readout (const LsPartLane *p, const char *text)
{
  const LsMetrics *m = &p->layout->m;
  LsScene *s = p->layout->moving;
  const double x = p->area.x + m->evidence + 7;

  if (m->projector || x + ls_scene_width (s, m->label, text) > p->area.x + p->area.w)
    return;
  ls_scene_evidence (s, p->area.x, p->readout_y - m->label.px * .36 - m->evidence / 2, m->evidence, LS_EVIDENCE_MEASURED, LS_INK_TEXT);
  ls_scene_text (s, x, p->readout_y, m->label, LS_INK_TEXT, LS_LEFT, text);
}

/* Nothing is picked: the op as a whole. */
static void
summary (const LsPartLane *p)
{
  const LsEvent *longest = NULL;
  g_autofree char *time = NULL, *piece = NULL, *text = NULL;

  for (guint i = 0; i < p->trace->n; i++)
    {
      const LsEvent *e = ls_step_index_piece (p->lane->index, p->trace, i);
      if (longest == NULL || e->end_ns - e->start_ns > longest->end_ns - longest->start_ns)
        longest = e;
    }
  if (!p->trace->ran || longest == NULL)
    return;
  time = ls_number_time ((double) (p->trace->end_ns - p->trace->start_ns));
  piece = ls_number_time ((double) (longest->end_ns - longest->start_ns));
  if (p->trace->timed && longest->worker != LS_WORKER_NONE)
    text = g_strdup_printf (p->side == 0 ? _("the op took %s; its longest tile %s, worker %u")
                                         : _("the op took %s; its longest work-group %s, thread %u"), time, piece, longest->worker);
  else
    text = g_strdup_printf (_("the op took %s"), time);
  readout (p, text);
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
      if (p->trace == NULL)
        continue;
      ls_bars_move (p);
      if (from == NULL)
        {
          summary (p);
          continue;
        }
      if (p == from)
        {
          g_autofree char *words = ls_pick_words (layout, pick);
          readout (p, words);
        }
      if (!linked_area (from, p, e, &area))
        continue;
      ls_scene_mark (layout->moving, LS_ITEM_FRAME, area.x, area.y, area.w, area.h, LS_INK_TEXT, 0)->strong = TRUE;
      if (p != from)
        {
          const gint64 rows = (gint64) round (area.h / p->matrix.h * (double) p->tiling->rows / (double) p->tiling->tile_rows);
          const gint64 cols = (gint64) round (area.w / p->matrix.w * (double) p->tiling->cols / (double) p->tiling->tile_cols);
          g_autofree char *words = g_strdup_printf (p->side == 0 ? _("same numbers: %lld tiles here")
                                                                 : _("same numbers: %lld work-groups here"),
                                                    (long long) (MAX (rows, 1) * MAX (cols, 1)));
          readout (p, words);
        }
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
