/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which rows there are and where. Heights of ops and commands are fixed; workers, threads and units share
 * what is left, and where that is not enough, several of them share a row. What finds no room at all is left
 * out, the queue first.
 */
#include "config.h"
#include "ui/paint/parts/coming.h"
#include "ui/paint/timeline/timeline.h"

#include <math.h>
#include <glib/gi18n-lib.h>

#include "ui/paint/parts/zoom.h"

#define ROW_MIN   4.0 /* px: thinner rows are merged */
#define GROW_MOST 1.5
#define OTHER     .8 /* of a row's height: one of the other recording */

typedef struct {
  gboolean ops, other, host, queue, copies, kernels, foot;
  guint n_pieces;   /* rows wanted for workers, threads or units */
  gboolean untimed; /* work-groups without times */
  LsTimeRowKind pieces;
  double fixed, wanted; /* px */
} Need;

typedef struct {
  double row, pitch, name, foot, guide, piece; /* px */
} Sizes;

/* by: 1, or more where few rows have much room. */
static Sizes
sizes_of (const LsMetrics *m, double by)
{
  static const struct {
    double row, gap, piece;
  } desk[]
    = { [LS_SIZE_SMALL] = { 17, 2, 18 }, [LS_SIZE_MEDIUM] = { 18, 3, 24 }, [LS_SIZE_LARGE] = { 28, 8, 36 } };

  by *= m->projector ? MAX (m->label.px * 1.3 / 26, 1) : MAX (m->label.px / 15, 1);

  return (Sizes){ .row = desk[m->size].row * by,
                  .pitch = (desk[m->size].row + desk[m->size].gap) * by,
                  .name = (m->projector ? m->heading.px : m->name.px) * 1.25,
                  .foot = m->label.px * 1.55,
                  .guide = 12 * by,
                  .piece = desk[m->size].piece * by };
}

static gboolean
has (const LsTimelineLane *lane, LsTimeRowKind kind)
{
  const LsTimeRow *const *rows;

  return ls_time_index_rows (lane->times, kind, &rows) > 0;
}

static guint
count_rows (const LsTimelineLane *lane, LsTimeRowKind kind)
{
  const LsTimeRow *const *rows;
  const guint n = ls_time_index_rows (lane->times, kind, &rows);
  const LsDeviceInfo *device = lane->lane->recorded->device;
  gint most = 0;

  if (n == 0)
    return 0;
  /* those that never had work have a row, too */
  for (guint op = 0; op < lane->times->index->n_ops; op++)
    if (kind == LS_ROW_GROUPS && lane->times->index->ops[op].n > 0)
      most = MAX (most,
                  lane->times->index->ops[op].known == LS_KNOWN_UNITS ? device->units : device->threads);
  if (kind == LS_ROW_WORKER)
    most = device->threads;
  return (guint) MAX (rows[n - 1]->number + 1, most);
}

static Need
need_of (const LsTimelineLane *lane, const LsViewLane *other, const Sizes *z)
{
  Need need = { .other = other != NULL && other->index != NULL };

  if (lane->times == NULL)
    return need;
  need.foot = TRUE;
  need.ops = has (lane, LS_ROW_OPS);
  need.host = has (lane, LS_ROW_HOST);
  need.queue = lane->times->depths->len > 0;
  need.copies = has (lane, LS_ROW_COPIES);
  need.kernels = has (lane, LS_ROW_KERNELS);
  need.pieces = has (lane, LS_ROW_WORKER) ? LS_ROW_WORKER : LS_ROW_GROUPS;
  need.n_pieces = count_rows (lane, need.pieces);
  need.untimed = lane->times->n_untimed > 0;
  need.wanted = need.n_pieces > 0 ? need.n_pieces * z->piece : need.untimed ? 3 * z->piece : 0;
  return need;
}

static double
fixed_of (Need *need, const Sizes *z, const LsTimelineLane *lane)
{
  if (lane->times == NULL && ls_lane_coming (lane->lane))
    return need->fixed = MAX (z->name + 3.6 * lane->layout->m.label.px,
                              lane->layout->span_ns > 0 ? 0 : lane->area.h * .38);
  if (lane->times == NULL && ls_lane_unrecorded (lane->lane))
    return need->fixed = z->name + 2.6 * lane->layout->m.label.px + 2.8 * lane->layout->m.strong.px;
  if (lane->times == NULL && lane->lane->message != NULL)
    return need->fixed = z->name
                         + ls_stage_message_height (lane->layout, lane->area.w - lane->layout->m.rule - 10,
                                                    lane->lane->message, lane->lane->words, lane->lane->hint);
  if (lane->times == NULL)
    return need->fixed = z->name + 3 * z->pitch;
  need->fixed = z->name + (need->ops + need->host + need->queue + need->copies + need->kernels) * z->pitch
                + need->other * z->pitch * OTHER + (need->queue || need->kernels ? z->guide : 0)
                + (need->foot ? z->foot : z->foot * .4);
  return need->fixed;
}

static const LsTimelineRow *
add_row (LsTimelineLane *lane, LsTimeRowKind kind, double y, double h)
{
  LsTimelineRow row = { .kind = kind,
                        .row = ls_time_index_row (lane->times, kind, 0),
                        .times = lane->times,
                        .merged = 1,
                        .y = y,
                        .h = h };

  g_array_append_val (lane->rows, row);
  return &g_array_index (lane->rows, LsTimelineRow, lane->rows->len - 1);
}

/* The other recording's ops or kernels, under this one's. */
static double
add_other (LsTimelineLane *lane, const LsViewLane *other, LsTimeRowKind kind, double y, const Sizes *z)
{
  LsTimeIndex *times = ls_time_index_of (other->index);
  LsTimelineRow row = { .kind = kind,
                        .row = ls_time_index_row (times, kind, 0),
                        .times = times,
                        .merged = 1,
                        .other = TRUE,
                        .y = y - (z->pitch - z->row) + 2,
                        .h = z->pitch * OTHER };

  g_array_append_val (lane->rows, row);
  return y + z->pitch * OTHER;
}

/* As many rows as the height has room for. */
static void
add_pieces (LsTimelineLane *lane, const Need *need, double h, const Sizes *z)
{
  const guint most = (guint) MAX (1, h / ROW_MIN), fold = (need->n_pieces + most - 1) / most;
  const guint n = need->n_pieces > 0 ? (need->n_pieces + fold - 1) / fold : 0;
  const double pitch = n > 0 ? MIN (z->piece, h / n) : 0, bar = pitch > 10  ? pitch * .8
                                                                : pitch > 5 ? pitch - 2
                                                                            : pitch - 1;

  lane->pieces_h = n > 0 ? n * pitch : need->untimed ? MIN (h, 3 * z->piece) : 0;
  for (guint r = 0; r < n; r++)
    {
      LsTimelineRow row = { .kind = need->pieces,
                            .times = lane->times,
                            .number = (gint) (r * fold),
                            .merged = fold,
                            .y = lane->pieces_y + r * pitch,
                            .h = bar };
      row.row = ls_time_index_merged (lane->times, need->pieces, row.number, fold);
      if (fold == 1 && need->pieces == LS_ROW_WORKER)
        row.waits = ls_time_index_row (lane->times, LS_ROW_WAITS, row.number);
      g_array_append_val (lane->rows, row);
    }
}

static void
add_rows (LsTimelineLane *lane, const Need *need, const LsViewLane *other, const Sizes *z, double flexible)
{
  double y = lane->area.y + z->name;

  lane->name_y = lane->area.y + z->name * .76;
  if (lane->times == NULL)
    return;
  const struct {
    gboolean there;
    LsTimeRowKind kind;
  } first[] = { { need->ops, LS_ROW_OPS }, { need->host, LS_ROW_HOST } },
    second[] = { { need->copies, LS_ROW_COPIES }, { need->kernels, LS_ROW_KERNELS } };
  for (guint i = 0; i < G_N_ELEMENTS (first); i++)
    if (first[i].there)
      {
        add_row (lane, first[i].kind, y, z->row);
        y += z->pitch;
      }
  if (need->other && need->ops)
    y = add_other (lane, other, LS_ROW_OPS, y, z);
  if (need->queue)
    {
      lane->queue_y = y;
      lane->queue_h = z->row;
      y += z->pitch;
    }
  for (guint i = 0; i < G_N_ELEMENTS (second); i++)
    if (second[i].there)
      {
        add_row (lane, second[i].kind, y, z->row);
        y += z->pitch;
      }
  if (need->other && !need->ops)
    y = add_other (lane, other, LS_ROW_KERNELS, y, z);
  if (need->queue || need->kernels)
    {
      lane->guide_y = y + z->guide / 2 - (z->pitch - z->row) / 2;
      y += z->guide;
    }
  lane->pieces_y = y;
  if (need->wanted > 0 && flexible >= ROW_MIN)
    add_pieces (lane, need, flexible, z);
  y += lane->pieces_h;
  if (need->foot)
    lane->foot_y = y + z->foot * .62;
  lane->area.h = y + (need->foot ? z->foot : z->foot * .4) - lane->area.y;
}

/* What there is no room for goes, in this order. */
static void
give_up (Need *needs, const Sizes *z, const LsTimeline *t, double least, double room)
{
  for (guint i = 0; i < 5; i++)
    {
      double fixed = least;
      for (guint side = 0; side < LS_SIDES; side++)
        fixed += fixed_of (&needs[side], z, &t->lanes[side]);
      if (fixed <= room)
        return;
      for (guint side = 0; side < LS_SIDES; side++)
        switch (i)
          {
          case 0:
            needs[side].queue = FALSE;
            break;
          case 1:
            needs[side].host = FALSE;
            break;
          case 2:
            needs[side].other = FALSE;
            break;
          case 3:
            needs[side].copies = FALSE;
            break;
          default:
            needs[side].foot = FALSE;
            break;
          }
    }
  for (guint side = 0; side < LS_SIDES; side++)
    fixed_of (&needs[side], z, &t->lanes[side]);
}

static void
place_lanes (LsTimeline *t, LsLayout *layout, LsArea area)
{
  const LsMetrics *m = &layout->m;
  Sizes z = sizes_of (m, 1);
  const LsViewData *other = layout->data->other;
  const double gutter = m->size == LS_SIZE_LARGE ? 24 : 10;
  Need needs[LS_SIDES];
  double flexible, wanted = 0, shares[LS_SIDES], y = area.y, grow;

  for (guint side = 0; side < LS_SIDES; side++)
    needs[side] = need_of (&t->lanes[side], other != NULL ? &other->sides[side] : NULL, &z);
  for (guint side = 0; side < LS_SIDES; side++)
    wanted += fixed_of (&needs[side], &z, &t->lanes[side]) + needs[side].wanted;
  grow = CLAMP ((area.h - gutter) / MAX (wanted, 1), 1, layout->height > 1600 ? 2 * GROW_MOST : GROW_MOST);
  z = sizes_of (m, grow);
  for (guint side = 0; side < LS_SIDES; side++)
    needs[side].wanted *= grow;
  give_up (needs, &z, t, gutter + (needs[0].wanted > 0) * 2 * z.row + (needs[1].wanted > 0) * 2 * z.row,
           area.h);
  flexible = MAX (0, area.h - gutter - needs[0].fixed - needs[1].fixed);
  wanted = needs[0].wanted + needs[1].wanted;
  for (guint side = 0; side < LS_SIDES; side++)
    shares[side] = wanted <= flexible
                     ? needs[side].wanted
                     : flexible * (wanted > 0 ? CLAMP (needs[side].wanted / wanted, .35, .65) : .5);
  for (guint side = 0; side < LS_SIDES && wanted > flexible; side++)
    if (needs[side].wanted < shares[side])
      {
        shares[side] = needs[side].wanted;
        shares[1 - side] = MIN (needs[1 - side].wanted, flexible - shares[side]);
      }
  for (guint side = 0; side < LS_SIDES; side++)
    {
      LsTimelineLane *lane = &t->lanes[side];
      lane->area = (LsArea){ area.x, y, area.w, needs[side].fixed };
      lane->scale = t->scale;
      add_rows (lane, &needs[side], other != NULL ? &other->sides[side] : NULL, &z, shares[side]);
      if (lane->times == NULL && (lane->lane->message == NULL || ls_lane_coming (lane->lane))
          && side + 1 == LS_SIDES)
        lane->area.h = area.y + area.h - y; /* the grey place of what is to come */
      else if (t->lanes[0].times == NULL && t->lanes[1].times == NULL)
        lane->area.h = MIN (lane->area.h, (area.h - gutter) / 2); /* neither has rows: their names fit both */
      lane->area.h = MAX (0, MIN (lane->area.h, area.y + area.h - y));
      y += lane->area.h + gutter;
    }
}

static double
names_width (const LsTimeline *t, const LsLayout *layout)
{
  const char *const names[] = { _("op"), _("host"), _("queue"), _("copies"), _("kernels"), _("other") };
  double most = 0;

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    most = MAX (most, ls_scene_width (layout->still, layout->m.label, names[i]));
  return MAX (most, ls_scene_width (layout->still, layout->m.label, _("thread"))
                      + ls_scene_width (layout->still, layout->m.label, "00") + 8);
}

void
ls_timeline_plan (LsTimeline *t, LsLayout *layout, LsArea area)
{
  const LsMetrics *m = &layout->m;
  const double title = m->projector ? 0 : m->heading.px * 1.6, ticks = m->label.px * 1.6;
  const double overview = m->size == LS_SIZE_LARGE ? 36 * MAX (1, m->unit / 4) : 24,
               pad = m->size == LS_SIZE_LARGE ? 10 : 6;
  gint64 from, to;

  for (guint i = 0; i < G_N_ELEMENTS (t->chains); i++)
    {
      const LsViewData *data = i == 0 ? layout->data : layout->data->other;

      if (data != NULL && data->recording != NULL)
        t->chains[i] = ls_chains_new (data->recording);
    }
  for (guint side = 0; side < LS_SIDES; side++)
    {
      LsTimelineLane *lane = &t->lanes[side];
      *lane = (LsTimelineLane){ .layout = layout,
                                .chains = { t->chains[0], t->chains[1] },
                                .lane = &layout->data->sides[side],
                                .side = side,
                                .area = area,
                                .rows = g_array_new (FALSE, FALSE, sizeof (LsTimelineRow)) };
      if (lane->lane->index != NULL && layout->span_ns > 0)
        lane->times = ls_time_index_of (lane->lane->index);
    }
  t->label_w = names_width (t, layout) + m->rule + 22;
  ls_zoom_window (&layout->query, layout->span_ns, &from, &to);
  t->scale = (LsTimeScale){ from, to, round (area.x + t->label_w), floor (area.w - t->label_w - 2) };
  t->overview = (LsTimeScale){ 0, MAX (layout->span_ns, 1), t->scale.x, t->scale.w };
  t->title_y = area.y + title * .7;
  t->overview_area = (LsArea){ t->scale.x, area.y + title + 4, t->scale.w, overview };
  t->ticks_y = t->overview_area.y + overview + pad + ticks * .62;
  const double top = t->overview_area.y + overview + pad + ticks + 2;
  place_lanes (t, layout, (LsArea){ area.x, top, area.w, area.y + area.h - top });
  t->clock = (LsArea){ t->scale.x, t->ticks_y - ticks * .62, t->scale.w, 0 };
  const LsTimelineLane *first = &t->lanes[t->lanes[0].times == NULL && t->lanes[1].times != NULL ? 1 : 0];
  const LsTimelineLane *last = &t->lanes[t->lanes[1].times == NULL && t->lanes[0].times != NULL ? 0 : 1];
  t->clock.h = last->area.y + last->area.h - t->clock.y;
  t->clock_y = first->side > 0 ? first->area.y : t->clock.y + m->label.px * 1.6;
}

void
ls_timeline_free (gpointer data)
{
  LsTimeline *t = data;

  for (guint side = 0; side < LS_SIDES; side++)
    g_clear_pointer (&t->lanes[side].rows, g_array_unref);
  for (guint i = 0; i < G_N_ELEMENTS (t->chains); i++)
    g_clear_pointer (&t->chains[i], g_array_unref);
  g_free (t);
}
