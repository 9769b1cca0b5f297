/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What stands between Timeline's spans, against the recorded events: barriers where the workers met, waits as
 * long as they lasted, how deep the queue was at each pixel, and how many spans a block has.
 */
#include <math.h>
#include <string.h>

#include "tests/paint/draw.h"
#include "tests/paint/fixture.h"
#include "tests/paint/numbers.h"
#include "tests/paint/told.h"
#include "ui/paint/parts/zoom.h"
#include "ui/paint/timeline/timeline.h"
#include "ui/paint/views.h"

/* Machine time at a pixel of the lane's clock, in ns since its step's start. */
static double
ns_at (const LsTimelineLane *lane, double x)
{
  return (double) lane->scale.from
         + (x - lane->scale.x) / lane->scale.w * (double) (lane->scale.to - lane->scale.from);
}

static double
ns_per_px (const LsTimelineLane *lane)
{
  return (double) (lane->scale.to - lane->scale.from) / lane->scale.w;
}

/* The CPU's ops by their beginning: from the end of one to the beginning of the next. */
static guint
check_barriers (const LsLayout *layout)
{
  const LsTimelineLane *lane = &((const LsTimeline *) layout->own)->lanes[0];
  const double slack = 2 * ns_per_px (lane);
  guint n = 0;

  for (guint i = 0; i < layout->still->items->len; i++)
    {
      const LsItem *item = ls_scene_get (layout->still, i);
      double nearest = HUGE_VAL, gap = 0;

      if (item->kind != LS_ITEM_BOX || item->ink != LS_INK_QUIET || !item->strong || item->h < 20
          || (double) item->y > lane->pieces_y + lane->pieces_h)
        continue;
      for (EACH_EVENT (lane->lane, e))
        if (e->kind == LS_EVENT_OP)
          {
            const double end = ls_told_since (lane->lane, e->end_ns),
                         off = fabs (ns_at (lane, (double) item->x + 1) - end);
            double next = HUGE_VAL;
            for (EACH_EVENT (lane->lane, other))
              if (other->kind == LS_EVENT_OP && ls_told_since (lane->lane, other->start_ns) >= end)
                next = MIN (next, ls_told_since (lane->lane, other->start_ns));
            if (off < nearest)
              gap = next - end;
            nearest = MIN (nearest, off);
          }
      if (nearest > slack)
        g_error ("a barrier stands at %.0f ns, and no op ends within %.0f of it",
                 ns_at (lane, (double) item->x + 1), slack);
      g_assert_cmpfloat ((double) item->w, >=, 3);
      g_assert_cmpfloat ((double) item->w, <=, MAX (3, gap / ns_per_px (lane) + 1));
      n++;
    }
  return n;
}

/* A worker's wait is drawn from its beginning to its end; what the device waits for a command, until that
 * begins. */
static guint
check_waits (const LsLayout *layout)
{
  guint n = 0;

  for (guint i = 0; i < layout->still->items->len; i++)
    {
      const LsItem *item = ls_scene_get (layout->still, i);
      if (item->kind != LS_ITEM_WAIT || item->side >= LS_SIDES || item->event == LS_NO_EVENT)
        continue;
      const LsTimelineLane *lane = &((const LsTimeline *) layout->own)->lanes[item->side];
      const LsEvent *e = &g_array_index (lane->lane->recorded->events, LsEvent, item->event);
      const double slack = 2.5 * ns_per_px (lane), from = ls_told_since (lane->lane, e->start_ns),
                   to = ls_told_since (lane->lane, e->end_ns);
      if (item->side == 1 && e->kind == LS_EVENT_QUEUED && to < (double) lane->scale.to
          && fabs (ns_at (lane, (double) (item->x + item->w)) - to) > slack)
        g_error ("a wait for the command that starts at %.0f ns is drawn up to %.0f", to,
                 ns_at (lane, (double) (item->x + item->w)));
      if (item->side == 1)
        continue;
      g_assert_cmpuint (e->kind, ==, LS_EVENT_WAIT);
      if (from < (double) lane->scale.from || to > (double) lane->scale.to)
        continue; /* cut */
      if (fabs (ns_at (lane, (double) item->x) - from) > slack
          || fabs (ns_at (lane, (double) (item->x + item->w)) - to) > slack)
        g_error ("worker %u waits from %.0f to %.0f ns, and is drawn so from %.0f to %.0f", e->worker, from,
                 to, ns_at (lane, (double) item->x), ns_at (lane, (double) (item->x + item->w)));
      n++;
    }
  return n;
}

static guint
depth_at (const LsViewLane *lane, double ns)
{
  guint depth = 0;

  for (EACH_EVENT (lane, e))
    depth += e->kind == LS_EVENT_QUEUED && ls_told_since (lane, e->start_ns) <= ns
             && ls_told_since (lane, e->end_ns) > ns;
  return depth;
}

/* Along each level piece of the queue's outline as many commands wait as it is high; and the most are said.
 */
static guint
check_queue (const LsLayout *layout)
{
  const LsTimelineLane *lane = &((const LsTimeline *) layout->own)->lanes[1];
  const double base = lane->queue_y + lane->queue_h;
  guint most = 0, n = 0, highest = 0;

  for (EACH_EVENT (lane->lane, e))
    if (e->kind == LS_EVENT_QUEUED)
      most = MAX (most, depth_at (lane->lane, ls_told_since (lane->lane, e->start_ns)));
  for (guint i = 0; lane->queue_h > 0 && i < layout->still->items->len; i++)
    {
      const LsItem *item = ls_scene_get (layout->still, i);
      const float *at = &g_array_index (layout->still->points, float, 2 * item->points);
      if (item->kind != LS_ITEM_AREA || item->ink != LS_INK_MARK || item->n_points < 4
          || fabs ((double) at[1] - base) > .01)
        continue;
      g_assert_cmpuint (item->evidence, ==, LS_EVIDENCE_MEASURED);
      for (guint k = 0; k + 1 < item->n_points; k++)
        {
          const double x0 = (double) at[2 * k], x1 = (double) at[2 * k + 2], y = (double) at[2 * k + 1];
          const guint depth = (guint) lround ((base - y) / lane->queue_h * most);
          highest = MAX (highest, depth);
          if (x1 - x0 < 4 || fabs ((double) at[2 * k + 3] - y) > .01)
            continue;
          const double ns = ns_at (lane, (x0 + x1) / 2);
          if (depth != depth_at (lane->lane, ns))
            g_error ("at %.0f ns the queue is drawn %u deep, and %u commands wait", ns, depth,
                     depth_at (lane->lane, ns));
          n++;
        }
      if (ls_zoom_is_all (&layout->query))
        g_assert_cmpuint (highest, ==, most);
      g_assert_cmpuint (highest, <=, most);
    }
  const char *words = text_like (layout, most == 1 ? "at most " : "up to ", "command");
  if (words != NULL)
    ASSERT_NUMBERS ("the deepest the queue was", words, most);
  return n;
}

/* "×12" stands in a block of that many spans of its row. */
static guint
check_blocks (const LsLayout *layout)
{
  const LsTimeline *t = layout->own;
  guint n = 0;

  for (guint i = 0; i < layout->still->items->len; i++)
    {
      const LsItem *text = ls_scene_get (layout->still, i);
      double is[NUMBERS_MOST], half[NUMBERS_MOST];

      if (text->kind != LS_ITEM_TEXT || !g_str_has_prefix (text->text, "×")
          || numbers_of (text->text, is, half) != 1)
        continue;
      for (guint side = 0; side < LS_SIDES; side++)
        for (guint r = 0; r < t->lanes[side].rows->len; r++)
          {
            const LsTimelineRow *row = &g_array_index (t->lanes[side].rows, LsTimelineRow, r);
            const LsItem *block = NULL;
            guint spans = 0;

            if (row->row == NULL || row->other || (double) text->y < row->y
                || (double) text->y > row->y + row->h)
              continue;
            for (guint k = 0; k < layout->still->items->len; k++)
              {
                const LsItem *bar = ls_scene_get (layout->still, k);
                if (bar->kind == LS_ITEM_BAR && fabs ((double) bar->y - row->y) < .1 && bar->x <= text->x
                    && bar->x + bar->w >= text->x + text->w)
                  block = bar;
              }
            if (block == NULL)
              continue;
            const double slack = .51 * ns_per_px (&t->lanes[side]),
                         from = ns_at (&t->lanes[side], (double) block->x),
                         to = ns_at (&t->lanes[side], (double) (block->x + block->w));
            for (guint k = 0; k < row->row->n; k++)
              spans += (double) row->row->start[k] >= from - slack * 2
                       && (double) row->row->start[k] <= to + slack;
            if (fabs (spans - is[0]) > 2) /* those at its edges may be of the next block */
              g_error ("a block says “%s”, and %u spans begin in it", text->text, spans);
            n++;
          }
    }
  return n;
}

static void
test_marks (void)
{
  static const LsFixture fixtures[] = {
    { LS_CORES (4), .batch = 64, .tiles = 16, .groups = 64, .on_cpu = TRUE, .fused = TRUE, .steps = 60,
      .queue = TRUE },
    { LS_CORES (8), .batch = 128, .tiles = 4, .groups = 900, .on_cpu = TRUE, .steps = 60, .queue = TRUE },
    { LS_DESK, .batch = 64, .stealing = TRUE, .queue = TRUE, .steps = 40 },
  };
  guint barriers = 0, waits = 0, depths = 0, blocks = 0;

  for (guint f = 0; f < G_N_ELEMENTS (fixtures); f++)
    {
      g_autoptr (LsViewData) data = ls_fixture_data (&fixtures[f]);
      for (guint zoom = 0; zoom < 4; zoom++)
        {
          LsQuery query = LS_QUERY_INIT;
          const gint64 length = data->sides[0].index->length_ns;
          query.zoom0_ns = zoom == 0 ? 0 : length * zoom / 6;
          query.zoom1_ns = zoom == 0 ? 0 : length * (zoom + 1) / 6;
          g_autoptr (LsLayout) layout = draw_view (&ls_view_timeline, data, &query, LS_LOOK_LIGHT, 1920,
                                                   1080);
          barriers += check_barriers (layout);
          waits += check_waits (layout);
          depths += check_queue (layout);
          blocks += check_blocks (layout);
        }
    }
  g_test_message ("%u barriers, %u waits, %u depths, %u blocks", barriers, waits, depths, blocks);
  g_assert_cmpuint (barriers, >, 50);
  g_assert_cmpuint (waits, >, 50);
  g_assert_cmpuint (depths, >, 30);
  g_assert_cmpuint (blocks, >, 10);
}

/* ---- frames ---- */

/* Whatever work is picked, drawn by itself or folded into a block: a frame stands at its time, in the row of
 * who did it; none of what lies outside of the window. The line of the moment stands at it, with its time on
 * the plate. */
static void
test_frames (void)
{
  static const LsTimeRowKind rows[LS_EVENT_N_KINDS] = {
    [LS_EVENT_OP] = LS_ROW_OPS,          [LS_EVENT_TILE] = LS_ROW_WORKER,  [LS_EVENT_WAIT] = LS_ROW_WORKER,
    [LS_EVENT_KERNEL] = LS_ROW_KERNELS,  [LS_EVENT_GROUP] = LS_ROW_GROUPS, [LS_EVENT_COPY_IN] = LS_ROW_COPIES,
    [LS_EVENT_COPY_OUT] = LS_ROW_COPIES, [LS_EVENT_ENQUEUE] = LS_ROW_HOST, [LS_EVENT_HOST_WAIT] = LS_ROW_HOST,
  };
  const LsFixture f = { LS_CORES (4),   .batch = 64, .tiles = 16,  .groups = 64,
                        .on_cpu = TRUE, .steps = 60, .queue = TRUE };
  g_autoptr (LsViewData) data = ls_fixture_data (&f);
  guint n[LS_EVENT_N_KINDS] = { 0 }, outside = 0, folded = 0;

  for (guint zoom = 0; zoom < 2; zoom++)
    {
      LsQuery query = LS_QUERY_INIT;
      query.zoom0_ns = zoom * 40000;
      query.zoom1_ns = zoom * 90000;
      g_autoptr (LsLayout) layout = draw_view (&ls_view_timeline, data, &query, LS_LOOK_LIGHT, 1920, 1080);

      for (guint side = 0; side < LS_SIDES; side++)
        for (guint i = 0; i < data->sides[side].recorded->events->len; i++)
          {
            const LsTimelineLane *lane = &((const LsTimeline *) layout->own)->lanes[side];
            const LsEvent *e = &g_array_index (data->sides[side].recorded->events, LsEvent, i);
            const double from = ls_told_since (lane->lane, e->start_ns),
                         to = ls_told_since (lane->lane, e->end_ns);
            gboolean framed = FALSE, low = FALSE;

            if (e->kind == LS_EVENT_STEP || e->kind == LS_EVENT_REFERENCE || e->kind == LS_EVENT_QUEUED
                || ((e->kind == LS_EVENT_TILE || e->kind == LS_EVENT_GROUP) && i % 7 != 0))
              continue;
            query.picked = (LsPick){ (gint) side, i };
            query.time_ns = (gint64) from + 1;
            ls_layout_move (layout, &query);
            for (guint k = 0; k < layout->moving->items->len; k++)
              {
                const LsItem *frame = ls_scene_get (layout->moving, k);
                if (frame->kind != LS_ITEM_FRAME
                    || fabs (ns_at (lane, (double) frame->x) - from) > 2 * ns_per_px (lane)
                    || fabs (ns_at (lane, ls_item_right (frame)) - to)
                         > MAX (4, to - from) * .01 + 5 * ns_per_px (lane))
                  continue;
                for (guint r = 0; r < lane->rows->len; r++)
                  {
                    const LsTimelineRow *row = &g_array_index (lane->rows, LsTimelineRow, r);
                    const gboolean one = row->kind == LS_ROW_WORKER || row->kind == LS_ROW_GROUPS;
                    if (row->kind != rows[e->kind] || row->other
                        || (one
                            && (e->worker < row->number || e->worker >= row->number + (gint) row->merged)))
                      continue;
                    framed |= (double) frame->y >= row->y - .5
                              && (double) (frame->y + frame->h) <= row->y + row->h + .5;
                    low = TRUE;
                  }
              }
            if (to < (double) lane->scale.from || from > (double) lane->scale.to)
              {
                if (framed)
                  g_error ("what lasts from %.0f to %.0f ns is framed in a picture that doesn't show it",
                           from, to);
                outside++;
                continue;
              }
            gboolean own = FALSE; /* a mark of its own, or the block that begins with it */
            for (guint k = 0; k < layout->still->items->len; k++)
              own |= ls_scene_get (layout->still, k)->event == i
                     && ls_scene_get (layout->still, k)->side == side;
            if (from < (double) lane->scale.from || to > (double) lane->scale.to
                || (own && to - from < 4 * ns_per_px (lane)))
              continue;
            folded += !own;
            if (!framed)
              g_error ("no frame is at event %u of side %u, of kind %u, from %.0f to %.0f ns%s", i, side,
                       e->kind, from, to, low ? ", in its row" : "");
            n[e->kind]++;
          }
    }
  for (guint k = 0; k < LS_EVENT_N_KINDS; k++)
    g_test_message ("%u of kind %u", n[k], k);
  g_assert_cmpuint (MIN (outside, folded), >, 50);
  g_assert_cmpuint (MIN (n[LS_EVENT_TILE], n[LS_EVENT_GROUP]), >, 10);
  g_assert_cmpuint (MIN (n[LS_EVENT_OP], n[LS_EVENT_KERNEL]), >, 8);
}

/* Work-groups of which only the order is known: over each kernel's time a box, as high as so many groups fill
 * the device's units, with their number in its middle. */
static void
test_untimed (void)
{
  guint boxes = 0, lower = 0, numbers = 0;

  for (guint units = 4; units <= 4096; units *= 8)
    {
      const LsFixture f = { .workers = 2,
                            .known = LS_KNOWN_ORDER,
                            .units = units,
                            .batch = 64,
                            .tiles = 16,
                            .groups = 64,
                            .steps = 20 };
      const LsQuery query = LS_QUERY_INIT;
      g_autoptr (LsViewData) data = ls_fixture_data (&f);
      g_autoptr (LsLayout) layout = draw_view (&ls_view_timeline, data, &query, LS_LOOK_LIGHT, 1920, 1080);
      const LsTimelineLane *lane = &((const LsTimeline *) layout->own)->lanes[1];

      for (guint i = 0; i < layout->still->items->len; i++)
        {
          const LsItem *box = ls_scene_get (layout->still, i);
          guint of = 0, groups = 0;
          double start, end;

          if (box->kind != LS_ITEM_BOX || box->ink != LS_INK_MARK || box->evidence != LS_EVIDENCE_DERIVED
              || (double) box->y < lane->pieces_y - 1 || box->w < 6)
            continue;
          while (of < data->recording->n_ops
                 && !(ls_told_op (lane->lane, of, &start, &end)
                      && fabs (ns_at (lane, (double) box->x) - start) < ns_per_px (lane)
                      && fabs (ns_at (lane, ls_item_right (box) + 1) - end) < ns_per_px (lane)))
            of++;
          if (of == data->recording->n_ops)
            g_error ("a box stands from %.0f ns on, and no kernel ran so", ns_at (lane, (double) box->x));
          for (EACH_EVENT (lane->lane, e))
            groups += e->kind == LS_EVENT_GROUP && e->op == of;
          const double share = MIN (1, (double) groups / units), h = MAX (6, share * lane->pieces_h);
          if (fabs ((double) box->h - h) > .1)
            g_error ("%u groups on %u units are %g of %g px high", groups, units, (double) box->h,
                     lane->pieces_h);
          g_assert_cmpfloat_with_epsilon ((double) (box->y + box->h), lane->pieces_y + lane->pieces_h, .1);
          lower += share < 1;
          boxes++;
          for (guint k = 0; k < layout->still->items->len; k++)
            {
              const LsItem *text = ls_scene_get (layout->still, k);
              if (text->kind != LS_ITEM_TEXT || !text->strong || (double) text->y < lane->pieces_y
                  || text->y > box->y + box->h || text->x < box->x
                  || ls_item_right (text) > ls_item_right (box))
                continue;
              ASSERT_NUMBERS ("a box's work-groups", text->text, groups);
              g_assert_cmpfloat_with_epsilon ((double) (text->x + text->w / 2),
                                              (double) (box->x + box->w / 2), .6);
              numbers++;
            }
        }
    }
  g_test_message ("%u boxes, %u lower ones, %u numbers", boxes, lower, numbers);
  g_assert_cmpuint (MIN (boxes, MIN (lower, numbers)), >, 4);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/paint/timeline/marks", test_marks);
  g_test_add_func ("/paint/timeline/frames", test_frames);
  g_test_add_func ("/paint/timeline/untimed", test_untimed);
  return g_test_run ();
}
