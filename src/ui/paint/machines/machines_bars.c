/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The step on one clock: the measured ops solid, the models' hatched; what the clock has come to dark, the
 * rest pale.
 */
#include "config.h"
#include "ui/paint/machines/machines.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "core/number.h"
#include "ui/paint/parts/text.h"

#define LEAST 3.0 /* px: shorter pieces are drawn as one with those behind them */

/* ---- the axis ---- */

void
ls_machines_axis (LsMachines *p)
{
  const LsMetrics *m = &p->layout->m;
  LsScene *s = p->layout->still;
  const LsType bold = { m->label.px, 700 };
  const double end_ns = MAX (p->end, 1e-9) * 1e9, label = ls_scene_width (s, bold, "1 000 µs") + 2 * m->unit;

  p->unit = ls_number_time_unit (end_ns, &p->unit_ns);
  ls_axis_init (&p->axis, 0, end_ns / p->unit_ns, p->clock.x, p->clock.x + p->clock.w - label, FALSE, 6);
  for (guint i = 0; i < p->axis.n_ticks; i++)
    {
      const double x = ls_axis_at (&p->axis, p->axis.ticks[i]), line = p->layout->style.hairline;
      double top = p->ticks_y + m->tick.px * .5;

      if (x > p->clock.x + p->clock.w - label + 1)
        continue;
      for (guint side = 0; side < LS_SIDES; side++)
        if (p->lanes[side].h > 0)
          {
            ls_scene_segment (s, x, top, x, p->lanes[side].y + p->lanes[side].h, LS_INK_HAIRLINE, line);
            top = p->lanes[side].y + p->lanes[side].h;
          }
      /* along the bars alone: below each stands a sentence */
      for (guint k = p->shown; k < p->shown + p->n_shown; k++)
        ls_scene_segment (s, x, p->rows[k].area.y + m->unit, x, p->rows[k].bar.y + p->rows[k].bar.h,
                          LS_INK_HAIRLINE, line);
    }
}

/* Their numbers, but for those between from and to, where the moment stands. */
static void
ticks (const LsMachines *p, double from, double to)
{
  const LsMetrics *m = &p->layout->m;
  LsScene *s = p->layout->moving;
  double free_from = -1e9;

  for (guint i = 0; i < p->axis.n_ticks; i++)
    {
      const double x = ls_axis_at (&p->axis, p->axis.ticks[i]);
      g_autofree char *number = ls_number_tick (p->axis.ticks[i]),
                      *text = i == 0 ? g_strdup_printf ("%s %s", number, p->unit) : g_strdup (number);
      const double w = ls_scene_width (s, m->tick, text), left = i == 0 ? x : x - w / 2;

      if (x > p->axis.to + 1 || left < free_from || left + w > p->clock.x + p->clock.w
          || (left < to && left + w > from))
        continue;
      free_from = left + w + 2 * m->unit;
      ls_scene_text (s, left, p->ticks_y, m->tick, LS_INK_QUIET, LS_LEFT, text);
    }
}

/* ---- pieces ---- */

static double
width (const LsMachines *p, double start, double end)
{
  return ls_machines_x (p, end) - ls_machines_x (p, start);
}

/* name: not owned. */
static void
add_piece (const LsMachines *p, GArray *pieces, double start, double end, const char *name)
{
  LsMachinesPiece *before = pieces->len > 0 ? &g_array_index (pieces, LsMachinesPiece, pieces->len - 1)
                                            : NULL;
  const LsMachinesPiece piece = { start, end, name };

  if (before != NULL && width (p, before->start, before->end) < LEAST && width (p, start, end) < LEAST
      && width (p, before->end, start) < 1)
    {
      before->end = end;
      before->name = NULL;
    }
  else
    g_array_append_val (pieces, piece);
}

static LsArea
box_of (const LsMachines *p, const LsMachinesPiece *piece, LsArea bar)
{
  const double x = ls_machines_x (p, piece->start), w = ls_machines_x (p, piece->end) - x;

  return (LsArea){ x, bar.y, w > 5 ? w - 2 : w > 2 ? w - 1 : MAX (w, 1), bar.h };
}

/* The part of a piece's box that the clock has come to; w 0: none. */
static LsArea
done_of (const LsMachines *p, const LsMachinesPiece *piece, LsArea bar, double now)
{
  LsArea box = box_of (p, piece, bar);

  if (now < piece->end)
    box.w = now > piece->start ? MIN (ls_machines_x (p, now) - box.x, box.w) : 0;
  return box;
}

static LsArea
lane_bar (const LsMachines *p, guint side)
{
  return (LsArea){ p->clock.x, p->lanes[side].y + p->layout->m.unit, p->clock.w, p->bar_h };
}

/* ---- what is measured ---- */

/* "recorded step; median of 200 steps 403 µs, ±1 %": nothing to assume. */
static void
lane_words (const LsMachines *p, guint side, double base)
{
  const LsViewLane *lane = &p->layout->data->sides[side];
  const LsMetrics *m = &p->layout->m;
  g_autofree char *median = ls_number_time ((double) p->median[side]),
                  *spread = lane->rate.n > 1
                              ? ls_number_spread (lane->rate.value, lane->rate.q1, lane->rate.q3)
                              : g_strdup (""),
                  *full = g_strdup_printf (_("recorded; median of %u steps %s %s: nothing to assume"),
                                           (guint) lane->rate.n, median, spread),
                  *brief = g_strdup_printf (_("recorded; median %s %s"), median, spread),
                  *least = g_strdup_printf (_("median %s"), median);
  const char *const choices[] = { full, brief, least, NULL };
  const char *const none[] = { _("recorded; no median yet"), _("no median yet"), NULL };

  ls_text_fit (p->layout->still, p->fields.x, base, p->fields.w, m->label, LS_INK_QUIET, LS_LEFT,
               p->median[side] > 0 ? choices : none);
}

static void
lane_name (const LsMachines *p, guint side, LsArea row, double base)
{
  const LsViewLane *lane = &p->layout->data->sides[side];
  const LsMetrics *m = &p->layout->m;
  LsScene *s = p->layout->still;
  const double x = row.x + 3 * m->unit;
  const char *const names[] = { lane->name, lane->brief, NULL };
  double right = x;

  LsItem *rule = ls_scene_box (s, row.x, row.y + m->unit, m->unit * .75, row.h - 2 * m->unit, LS_INK_MARK,
                               side);
  rule->side = (guint8) side;
  ls_scene_evidence (s, x, base - m->strong.px * .36 - m->evidence / 2, m->evidence, LS_EVIDENCE_MEASURED,
                     LS_INK_TEXT);
  right = x + m->evidence + 2 * m->unit;
  for (guint i = 0; names[i] != NULL; i++)
    if (right + ls_scene_width (s, m->strong, names[i]) <= p->name.x + p->name.w)
      {
        LsItem *name = ls_scene_text (s, right, base, m->strong, LS_INK_LANE, LS_LEFT, names[i]);
        name->value = (float) side;
        right = ls_item_right (name) + 2 * m->unit;
        break;
      }
  const char *const device[] = { lane->device, NULL };
  if (lane->device != NULL && *lane->device != '\0')
    ls_text_fit (s, right, base, p->name.x + p->name.w - right, m->tick, LS_INK_QUIET, LS_LEFT, device);
}

void
ls_machines_lane (LsMachines *p, guint side)
{
  const LsViewLane *lane = &p->layout->data->sides[side];
  const LsMetrics *m = &p->layout->m;
  LsScene *s = p->layout->still;
  const LsArea row = p->lanes[side], bar = lane_bar (p, side);
  const double base = bar.y + bar.h / 2 + m->strong.px * .36;
  const LsType bold = { m->label.px, 700 };
  const LsRecording *recording = lane->held != NULL ? lane->held : p->layout->data->recording;

  if (row.h <= 0)
    return;
  lane_name (p, side, row, base);
  if (lane->index == NULL || recording == NULL)
    {
      const char *const words[] = { _("no step recorded yet"), NULL }; /* the head says why */
      ls_text_fit (s, p->clock.x, base, p->clock.w, m->label, LS_INK_QUIET, LS_LEFT, words);
      return;
    }
  p->pieces[side] = g_array_new (FALSE, FALSE, sizeof (LsMachinesPiece));
  for (guint i = 0; i < lane->index->spans->len; i++)
    {
      const LsSpan *span = &g_array_index (lane->index->spans, LsSpan, i);
      add_piece (p, p->pieces[side], (double) span->start_ns * 1e-9, (double) span->end_ns * 1e-9,
                 span->kind == LS_EVENT_OP && span->op < recording->n_ops ? recording->ops[span->op].symbol
                                                                          : _("copy"));
    }
  for (guint i = 0; i < p->pieces[side]->len; i++)
    {
      const LsArea box = box_of (p, &g_array_index (p->pieces[side], LsMachinesPiece, i), bar);
      LsItem *item = ls_scene_box (s, box.x, box.y, box.w, box.h, LS_INK_SOFT, side);
      item->evidence = LS_EVIDENCE_MEASURED;
      item->side = (guint8) side;
    }
  g_autofree char *length = ls_number_time ((double) lane->index->length_ns);
  ls_scene_text (s, ls_machines_x (p, (double) lane->index->length_ns * 1e-9) + 2 * m->unit,
                 bar.y + bar.h / 2 + bold.px * .36, bold, LS_INK_TEXT, LS_LEFT, length);
  lane_words (p, side, bar.y + bar.h / 2 + m->label.px * .36);
}

/* ---- models ---- */

static void
arrow (const LsMachines *p, double x, LsArea bar)
{
  LsScene *s = p->layout->still;

  ls_scene_path (s, LS_ITEM_AREA, LS_INK_TEXT, 0, 0)->evidence = LS_EVIDENCE_MODELLED;
  ls_scene_point (s, x, bar.y);
  ls_scene_point (s, x + bar.h * .4, bar.y + bar.h / 2);
  ls_scene_point (s, x, bar.y + bar.h);
}

void
ls_machines_bar (LsMachines *p, guint i)
{
  LsMachinesRow *row = &p->rows[i];
  const LsMetrics *m = &p->layout->m;
  LsScene *s = p->layout->still;
  const LsType bold = { m->label.px, 700 };
  const double base = row->bar.y + row->bar.h / 2 + bold.px * .36;

  if (row->run == NULL)
    return;
  row->pieces = g_array_new (FALSE, FALSE, sizeof (LsMachinesPiece));
  if (row->run->seconds > p->end * 1.0001)
    {
      const LsMachinesPiece all = { 0, p->end, NULL };
      g_array_append_val (row->pieces, all);
      arrow (p, ls_machines_x (p, p->end), row->bar);
    }
  else
    for (guint k = 0; k < row->run->ops->len; k++)
      {
        const LsMachineOp *op = &g_array_index (row->run->ops, LsMachineOp, k);
        add_piece (p, row->pieces, op->start, op->start + op->seconds,
                   ls_machine_op_symbol (p->plan, op->op));
      }
  for (guint k = 0; k < row->pieces->len; k++)
    {
      const LsArea box = box_of (p, &g_array_index (row->pieces, LsMachinesPiece, k), row->bar);
      ls_scene_mark (s, LS_ITEM_HATCH, box.x, box.y, box.w, box.h, LS_INK_TEXT, 0)->alpha = .5F;
    }
  if (row->run->seconds > p->end * 1.0001)
    return;
  g_autofree char *time = ls_machines_time (row->run->seconds);
  ls_scene_text (s, ls_machines_x (p, row->run->seconds) + 2 * m->unit, base, bold, LS_INK_TEXT, LS_LEFT,
                 time);
}

/* ---- the clock ---- */

/* A name in the middle of its box, on a plate where lines would run through it. */
static void
name_piece (const LsMachines *p, const char *name, LsArea box, gboolean plate, LsInk ink, gint side)
{
  const LsMetrics *m = &p->layout->m;
  LsScene *s = p->layout->moving;
  const LsType type = { m->tick.px, 700 };
  const double w = ls_scene_width (s, type, name), pad = plate ? 4 : 2;

  if (w + 2 * pad + 2 > box.w)
    return;
  if (plate)
    {
      const double h = MIN (box.h - 4, type.px * 1.7);
      ls_scene_box (s, box.x + (box.w - w) / 2 - pad, box.y + (box.h - h) / 2, w + 2 * pad, h, LS_INK_WINDOW,
                    0)
        ->strong
        = TRUE;
    }
  LsItem *text = ls_scene_text (s, box.x + box.w / 2, box.y + box.h / 2 + type.px * .36, type, ink, LS_CENTER,
                                name);
  text->strong = TRUE;
  text->value = (float) MAX (side, 0);
}

/* How far the clock has come. */
static void
fill_bars (const LsMachines *p, double now)
{
  LsScene *s = p->layout->moving;

  for (guint side = 0; side < LS_SIDES; side++)
    for (guint i = 0; p->pieces[side] != NULL && i < p->pieces[side]->len; i++)
      {
        const LsArea done = done_of (p, &g_array_index (p->pieces[side], LsMachinesPiece, i),
                                     lane_bar (p, side), now);
        if (done.w <= 0)
          continue;
        LsItem *item = ls_scene_box (s, done.x, done.y, done.w, done.h, LS_INK_MARK, side);
        item->evidence = LS_EVIDENCE_MEASURED;
        item->side = (guint8) side;
        item->strong = TRUE;
      }
  for (guint i = p->shown; i < p->shown + p->n_shown; i++)
    for (guint k = 0; p->rows[i].pieces != NULL && k < p->rows[i].pieces->len; k++)
      {
        const LsArea done = done_of (p, &g_array_index (p->rows[i].pieces, LsMachinesPiece, k),
                                     p->rows[i].bar, now);
        if (done.w > 0)
          ls_scene_mark (s, LS_ITEM_HATCH, done.x, done.y, done.w, done.h, LS_INK_TEXT, 0)->strong = TRUE;
      }
}

/* What stands on the bars, and so over the line. */
static void
name_bars (const LsMachines *p, double now)
{
  for (guint side = 0; side < LS_SIDES; side++)
    for (guint i = 0; p->pieces[side] != NULL && i < p->pieces[side]->len; i++)
      {
        const LsMachinesPiece *piece = &g_array_index (p->pieces[side], LsMachinesPiece, i);
        if (piece->name != NULL)
          name_piece (p, piece->name, box_of (p, piece, lane_bar (p, side)), FALSE,
                      now >= piece->end ? LS_INK_ON_MARK : LS_INK_ON_SOFT, (gint) side);
      }
  for (guint i = p->shown; i < p->shown + p->n_shown; i++)
    {
      const LsMachinesRow *row = &p->rows[i];

      for (guint k = 0; row->pieces != NULL && k < row->pieces->len; k++)
        {
          const LsMachinesPiece *piece = &g_array_index (row->pieces, LsMachinesPiece, k);
          if (piece->name != NULL)
            name_piece (p, piece->name, box_of (p, piece, row->bar), TRUE, LS_INK_TEXT, -1);
        }
      if (row->run == NULL || row->run->seconds <= p->end * 1.0001)
        continue;
      g_autofree char *beyond = ls_machines_beyond (p, i);
      name_piece (p, beyond, box_of (p, &(LsMachinesPiece){ 0, p->end, NULL }, row->bar), TRUE, LS_INK_TEXT,
                  -1);
    }
}

/* Not through the time at a bar's end. */
static void
cross (const LsMachines *p, double x, LsArea bar, double end)
{
  const LsMetrics *m = &p->layout->m;
  const double from = ls_machines_x (p, end),
               to = from + 3 * m->unit
                    + ls_scene_width (p->layout->moving, (LsType){ m->label.px, 700 }, "0.00 ms");

  if (end > p->end || x <= from + 1 || x > to)
    ls_scene_segment (p->layout->moving, x, bar.y - 2, x, bar.y + bar.h + 2, LS_INK_TEXT, 2.5)->strong = TRUE;
}

/* Across the bars alone, and the moment on a plate at the axis. */
static void
now_line (const LsMachines *p, double now)
{
  const LsMetrics *m = &p->layout->m;
  LsScene *s = p->layout->moving;
  const LsType type = { m->tick.px, 700 };
  g_autofree char *text = ls_number_time (now * 1e9);
  const double x = ls_machines_x (p, now), w = ls_scene_width (s, type, text) + 16, h = type.px * 1.5;
  const double left = CLAMP (x - w / 2, p->clock.x, MAX (p->clock.x + p->clock.w - w, p->clock.x)),
               y = p->ticks_y - type.px * .36;

  for (guint side = 0; side < LS_SIDES; side++)
    if (p->pieces[side] != NULL)
      cross (p, x, lane_bar (p, side), (double) p->layout->data->sides[side].index->length_ns * 1e-9);
  for (guint i = p->shown; i < p->shown + p->n_shown; i++)
    if (p->rows[i].pieces != NULL)
      cross (p, x, p->rows[i].bar, p->rows[i].run->seconds);
  LsItem *plate = ls_scene_box (s, left, y - h / 2, w, h, LS_INK_TEXT, 0);
  plate->size = (float) (h / 2);
  plate->strong = TRUE;
  ls_scene_text (s, left + w / 2, p->ticks_y, type, LS_INK_ON_TEXT, LS_CENTER, text)->strong = TRUE;
  ticks (p, left - 2 * m->unit, left + w + 2 * m->unit);
}

void
ls_machines_move (LsMachines *p)
{
  const LsLayout *layout = p->layout;
  const gboolean ends = layout->query.time_ns == LS_TIME_END;
  const double now = ends ? HUGE_VAL : (double) layout->query.time_ns * 1e-9;

  fill_bars (p, now);
  if (!ends && layout->span_ns > 0 && now <= p->end)
    now_line (p, now);
  else
    ticks (p, 0, 0);
  name_bars (p, now);
}

void
ls_machines_bar_alone (const LsMachines *p, guint i, LsArea area, double now)
{
  const LsMachineRun *run = p->rows[i].run;
  LsScene *s = p->layout->moving;
  LsMachines own = *p; /* the same on an axis of its own */

  ls_axis_init (&own.axis, 0, run->seconds * 1e9 / p->unit_ns, area.x, area.x + area.w, FALSE, 2);
  for (guint k = 0; k < run->ops->len; k++)
    {
      const LsMachineOp *op = &g_array_index (run->ops, LsMachineOp, k);
      const LsMachinesPiece piece = { op->start, op->start + op->seconds,
                                      ls_machine_op_symbol (p->plan, op->op) };
      const LsArea box = box_of (&own, &piece, area), done = done_of (&own, &piece, area, now);

      ls_scene_mark (s, LS_ITEM_HATCH, box.x, box.y, box.w, box.h, LS_INK_TEXT, 0)->alpha = .5F;
      if (done.w > 0)
        ls_scene_mark (s, LS_ITEM_HATCH, done.x, done.y, done.w, done.h, LS_INK_TEXT, 0)->strong = TRUE;
      name_piece (p, piece.name, box, TRUE, LS_INK_TEXT, -1);
    }
}
