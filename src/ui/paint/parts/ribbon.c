/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The ribbon: all ops of the step with both lanes' times. Up to 12 ops as cells with their equations; up to
 * 48 as columns on one scale beside the chosen op in words; more than that as one column per layer. Ops that
 * both lanes compute inside another op have no cell of their own.
 */
#include "config.h"
#include "ui/paint/parts/view.h"

#include <glib/gi18n-lib.h>

#include "ui/paint/data/chain.h"
#include "core/number.h"
#include "ui/paint/parts/ribbon.h"

#define CELLS_MAX 12
#define SLOT_MIN  22.0 /* px */

typedef struct {
  guint op;    /* the first */
  guint count; /* ops summed up in it */
  LsPhase phase;
  gint layer;
  gint64 ns[LS_SIDES];
  gboolean ran[LS_SIDES];
} Slot;

typedef struct {
  LsLayout *layout;
  GArray *slots;
  GArray *chains; /* LsChain */
  guint current;  /* slot */
  gint64 longest;
  LsArea area;
} Ribbon;

static gint64
op_time (const LsViewData *data, guint side, guint op, gboolean *ran)
{
  const LsStepIndex *index = data->sides[side].index;

  *ran = index != NULL && index->ops[op].ran;
  return *ran ? index->ops[op].end_ns - index->ops[op].start_ns : 0;
}

gboolean
ls_ribbon_has (const LsViewData *data, guint op)
{
  gboolean ran[LS_SIDES];

  for (guint side = 0; side < LS_SIDES; side++)
    op_time (data, side, op, &ran[side]);
  return ran[0] || ran[1] || (data->sides[0].index == NULL && data->sides[1].index == NULL);
}

void
ls_ribbon_place (const LsViewData *data, guint op, guint *place, guint *n)
{
  *place = *n = 0;
  for (guint i = 0; i < data->recording->n_ops; i++)
    {
      *n += ls_ribbon_has (data, i) || i == op;
      if (i == op)
        *place = *n;
    }
}

static void
collect (Ribbon *r, gboolean by_layer)
{
  const LsViewData *data = r->layout->data;

  g_array_set_size (r->slots, 0);
  r->longest = 0;
  for (guint op = 0; op < data->recording->n_ops; op++)
    {
      const LsRecordedOp *recorded = &data->recording->ops[op];
      Slot *last = r->slots->len > 0 ? &g_array_index (r->slots, Slot, r->slots->len - 1) : NULL;
      Slot slot = { .op = op, .count = 1, .phase = recorded->phase, .layer = recorded->layer };

      for (guint side = 0; side < LS_SIDES; side++)
        slot.ns[side] = op_time (data, side, op, &slot.ran[side]);
      if (!ls_ribbon_has (data, op) && op != r->layout->query.op)
        continue;
      if (by_layer && last != NULL && last->layer == slot.layer && last->phase == slot.phase)
        {
          last->count++;
          for (guint side = 0; side < LS_SIDES; side++)
            {
              last->ns[side] += slot.ns[side];
              last->ran[side] |= slot.ran[side];
            }
        }
      else
        g_array_append_val (r->slots, slot);
      if (op <= r->layout->query.op)
        r->current = r->slots->len - 1;
    }
  for (guint i = 0; i < r->slots->len; i++)
    for (guint side = 0; side < LS_SIDES; side++)
      r->longest = MAX (r->longest, g_array_index (r->slots, Slot, i).ns[side]);
}

static const char *
phase_word (LsPhase phase)
{
  static const char *const words[] = { N_("input"), N_("forward"), N_("loss"), N_("backward"),
                                       N_("update") };

  return gettext (words[phase]);
}

/* The names of the groups above the slots, with a line as long as the group. */
static void
group_names (const Ribbon *r, double x, double y, double slot_w)
{
  const LsMetrics *m = &r->layout->m;
  LsScene *s = r->layout->still;

  for (guint first = 0, end; first < r->slots->len; first = end)
    {
      const LsPhase phase = g_array_index (r->slots, Slot, first).phase;
      const double left = x + first * slot_w + 4;
      double right, name_end = left;

      for (end = first; end < r->slots->len && g_array_index (r->slots, Slot, end).phase == phase; end++)
        ;
      right = x + end * slot_w - 8;
      if (left + ls_scene_width (s, m->tick, phase_word (phase)) <= right + 6)
        name_end = ls_item_right (ls_scene_text (s, left, y + m->tick.px, m->tick, LS_INK_QUIET, LS_LEFT,
                                                 phase_word (phase)))
                   + 8;
      if (right > name_end + 8)
        ls_scene_segment (s, name_end, y + m->tick.px * .66, right, y + m->tick.px * .66, LS_INK_EDGE, 1);
    }
}

/* The op in which the lanes were found to differ, at the top right of its slot. */
static void
mark_difference (const Ribbon *r, const Slot *slot, double right, double y)
{
  const LsLayout *layout = r->layout;
  const double z = layout->m.tick.px * .9;
  gboolean differs = FALSE;

  for (guint side = 0; side < LS_SIDES; side++)
    differs |= ls_stage_differs (layout, side, slot->op);
  if (differs)
    ls_scene_mark (layout->still, LS_ITEM_WARNING, right - z, y, z, z, LS_INK_TEXT, 0);
}

/* The op's, or of a layer whose time steps are folded into the slot what they are and how many. (transfer
 * full) */
static char *
slot_name (const Ribbon *r, const Slot *slot, LsType type, double w)
{
  const LsRecording *recording = r->layout->data->recording;
  const LsRecordedOp *op = &recording->ops[slot->op];

  for (guint i = slot->op; slot->count > 1 && i < recording->n_ops && recording->ops[i].phase == slot->phase
                           && recording->ops[i].layer == slot->layer;
       i++)
    {
      const LsChain *chain = ls_chain_of (r->chains, i, NULL);
      if (chain != NULL)
        return g_strdup_printf ("%s ×%u", recording->ops[chain->cell].name, chain->n_steps);
    }
  return g_strdup (ls_scene_width (r->layout->still, type, op->equation) < w ? op->equation : op->symbol);
}

static void
draw_cells (const Ribbon *r)
{
  LsLayout *layout = r->layout;
  const LsMetrics *m = &layout->m;
  const double cell_w = r->area.w / r->slots->len, top = r->area.y + m->tick.px + 2 * m->unit, pad = 10;
  const char *unit = ls_number_time_unit ((double) r->longest, NULL);
  LsScene *s = layout->still;

  group_names (r, r->area.x, r->area.y, cell_w);
  for (guint i = 0; i < r->slots->len; i++)
    {
      const Slot *slot = &g_array_index (r->slots, Slot, i);
      const double x = r->area.x + i * cell_w, h = r->area.h - (top - r->area.y);
      const gboolean here = i == r->current;
      const LsType name = { m->strong.px, here ? 700 : 400 };
      const double room = cell_w - 2 * pad - ls_scene_width (s, m->tick, "0.00 µs") - 6;

      if (here)
        {
          ls_scene_box (s, x + 1, top - 2, cell_w - 6, h, LS_INK_CHOSEN, 0)->size = 8;
          ls_scene_box (s, x + pad, top + h - 7, cell_w - 2 * pad - 4, 3, LS_INK_TEXT, 0);
        }
      g_autofree char *title = slot_name (r, slot, name, cell_w - 2 * pad);
      ls_scene_text (s, x + pad, top + name.px * 1.05, name, LS_INK_TEXT, LS_LEFT, title);
      for (guint side = 0; side < LS_SIDES; side++)
        {
          const double y = top + name.px * 1.5 + side * (m->tick.px + 1);
          const double w = r->longest > 0 ? MAX (2, room * (double) slot->ns[side] / (double) r->longest) : 2;
          g_autofree char *number = ls_number_time_in ((double) slot->ns[side], (double) r->longest, &unit);
          g_autofree char *text = here || i == 0 ? g_strdup_printf ("%s %s", number, unit)
                                                 : g_strdup (number);

          if (!slot->ran[side])
            continue;
          ls_scene_box (s, x + pad, y, w, 8, LS_INK_MARK, side)->side = (guint8) side;
          ls_scene_text (s, x + pad + w + 6, y + 4 + m->tick.px * .36, m->tick,
                         here ? LS_INK_TEXT : LS_INK_QUIET, LS_LEFT, text);
        }
      mark_difference (r, slot, x + cell_w - pad - 4, top + 3);
      ls_stage_slot (layout, LS_SLOT_OPS, -1, slot->op, x, r->area.y, cell_w, r->area.h);
    }
}

/* "op 4 of 24", the equation, or its symbol where that is too long, and how long the lanes took for it, by
 * itself where its slot stands for a layer's ops. Returns its width. */
static double
chosen_words (const Ribbon *r, gboolean one_line)
{
  LsLayout *layout = r->layout;
  const LsMetrics *m = &layout->m;
  const LsRecordedOp *op = &layout->data->recording->ops[layout->query.op];
  guint at, n;
  ls_ribbon_place (layout->data, layout->query.op, &at, &n);
  g_autofree char *place = g_strdup_printf (_("op %u of %u"), at, n);
  const LsType bold = { m->label.px, 700 };
  LsScene *s = layout->still;
  double x = r->area.x,
         y = one_line ? r->area.y + r->area.h / 2 + m->label.px * .36 : r->area.y + m->label.px + 2;
  double widest;

  x = widest = ls_item_right (ls_scene_text (s, x, y, m->label, LS_INK_QUIET, LS_LEFT, place));
  x = one_line ? x + 14 : r->area.x;
  y += one_line ? 0 : m->heading.px * 1.35;
  const double room = r->area.x + r->area.w * .6 - x
                      - (one_line ? 2 * ls_scene_width (s, bold, "000 µs") : 0);
  const gboolean whole = op->equation[0] && ls_scene_width (s, m->heading, op->equation) <= room;
  x = ls_item_right (
    ls_scene_text (s, x, y, m->heading, LS_INK_TEXT, LS_LEFT, whole ? op->equation : op->symbol));
  widest = MAX (widest, x);
  x = one_line ? x + 14 : r->area.x;
  y += one_line ? 0 : m->heading.px * 1.3;
  for (guint side = 0; side < LS_SIDES; side++)
    {
      gboolean ran;
      g_autofree char *time = ls_number_time ((double) op_time (layout->data, side, layout->query.op, &ran));
      if (!ran)
        continue;
      x = ls_item_right (ls_scene_text (s, x, y, bold, LS_INK_LANE, LS_LEFT, time)) + 12;
      ls_scene_get (s, s->items->len - 1)->value = (float) side;
    }
  return MAX (widest, x) - r->area.x;
}

static void
draw_columns (const Ribbon *r, gboolean one_line)
{
  LsLayout *layout = r->layout;
  const LsMetrics *m = &layout->m;
  const double words_w = chosen_words (r, one_line),
               left = r->area.x + MAX (one_line ? 0 : 144, words_w) + 20;
  const double slot_w = (r->area.x + r->area.w - left) / r->slots->len;
  const double foot = one_line ? 5 : m->tick.px + 6, head = one_line ? 3 : m->tick.px + 4;
  const double base = r->area.y + r->area.h - foot, tall = r->area.h - foot - head;
  const double w = CLAMP ((slot_w - 8) / 2, 2, 14);
  gboolean symbols = !one_line && slot_w >= ls_scene_width (layout->still, m->tick, "dW₂") + 4;
  LsScene *s = layout->still;
  double last = 0;

  if (slot_w < 4)
    return;
  if (!one_line)
    group_names (r, left, r->area.y, slot_w);
  for (guint i = 0; i < r->slots->len; i++)
    {
      const Slot *slot = &g_array_index (r->slots, Slot, i);
      const double x = left + i * slot_w, middle = x + slot_w / 2;
      const LsType type = { m->tick.px, i == r->current ? 700 : 400 };
      g_autofree char *many = slot->count > 1 ? g_strdup_printf ("×%u", slot->count) : NULL;
      const char *symbol = many != NULL ? many : layout->data->recording->ops[slot->op].symbol;
      const double half = ls_scene_width (s, type, symbol) / 2;

      if (i == r->current && !one_line)
        ls_scene_box (s, x, r->area.y + head, slot_w, r->area.h - head, LS_INK_CHOSEN, 0)->size = 6;
      else if (i == r->current)
        ls_scene_box (s, x, r->area.y + r->area.h - 3, slot_w, 3, LS_INK_TEXT, 0);
      for (guint side = 0; side < LS_SIDES; side++)
        if (slot->ran[side])
          {
            const double h = MAX (1.5, (tall - 4) * (double) slot->ns[side] / (double) MAX (r->longest, 1));
            ls_scene_box (s, side == 0 ? middle - w - .5 : middle + .5, base - h, w, h, LS_INK_MARK, side)
              ->side
              = (guint8) side;
          }
      if ((symbols || i == r->current) && !one_line && middle - half > last + 2
          && middle + half < r->area.x + r->area.w)
        {
          ls_scene_text (s, middle, r->area.y + r->area.h - 5, type,
                         i == r->current ? LS_INK_TEXT : LS_INK_QUIET, LS_CENTER, symbol);
          last = middle + half;
        }
      mark_difference (r, slot, x + slot_w - 4, r->area.y + head + 2);
      ls_stage_slot (layout, LS_SLOT_OPS, -1, slot->op, x, r->area.y, slot_w, r->area.h);
    }
}

double
ls_ribbon (LsLayout *layout, LsArea area)
{
  const LsMetrics *m = &layout->m;
  Ribbon r
    = { .layout = layout,
        .area = { area.x + m->margin, area.y + m->unit, area.w - 2 * m->margin, m->ribbon_h - m->unit } };
  const double per_op = (r.area.w - 260) / SLOT_MIN;

  if (layout->data->recording == NULL || layout->data->recording->n_ops == 0 || m->ribbon_h <= 0)
    return m->ribbon_h;
  r.slots = g_array_new (FALSE, TRUE, sizeof (Slot));
  r.chains = ls_chains_new (layout->data->recording);
  collect (&r, FALSE);
  if (r.slots->len > 48 || r.slots->len > per_op)
    collect (&r, TRUE);
  if (r.slots->len > 0 && r.slots->len <= CELLS_MAX && m->size == LS_SIZE_LARGE)
    draw_cells (&r);
  else if (r.slots->len > 0)
    draw_columns (&r, m->size == LS_SIZE_SMALL);
  g_array_unref (r.slots);
  g_array_unref (r.chains);
  return m->ribbon_h;
}
