/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A ring climbs while its op runs; and what is told of the roofs and of the longest op.
 */
#include "core/number.h"
#include "tests/paint/draw.h"
#include "tests/paint/fixture.h"
#include "tests/paint/said.h"

#include <math.h>
#include <string.h>

#include "ui/paint/roofline/roofline.h"
#include "ui/paint/views.h"

/* Where a ring of that rate stands in the left plot: from two of the numbers at its axis. */
static double
ring_height (const LsLayout *layout, const LsRoofOp *op, double rate)
{
  const LsItem *tick[2] = { NULL };
  const char *const words[] = { "1", "10" };

  for (guint i = 0; i < layout->still->items->len; i++)
    {
      const LsItem *item = ls_scene_get (layout->still, i);
      for (guint k = 0; k < 2; k++)
        if (item->kind == LS_ITEM_TEXT && item->align == LS_RIGHT && g_str_equal (item->text, words[k])
            && (double) item->x < layout->width / 4)
          tick[k] = item;
    }
  g_assert_true (tick[0] != NULL && tick[1] != NULL);
  const double a = (double) tick[0]->y, b = (double) tick[1]->y, base = .36 * tick[0]->type.px;
  return a - base + (b - a) * log10 (MAX (rate / 1e9, 1e-3));
}

/* While its op runs, a ring stands where the pieces that are done put it: their share of the work over the
 * time that has passed. Before the first is done it is at the foot, in the end at the op's own rate. */
static void
test_climbs (void)
{
  g_autoptr (LsViewData) data = ls_fixture_data (&ls_fixture_cores);
  const LsViewLane *lane = &data->sides[0];
  g_autoptr (GArray) ops = ls_roofline_ops (data->recording, lane, NULL);
  guint compared = 0;

  for (guint k = 0; k < ops->len; k++)
    {
      const LsRoofOp *op = &g_array_index (ops, LsRoofOp, k);
      const LsOpTrace *trace = &lane->index->ops[op->op];
      if (trace->n < 4 || !trace->timed || op->rate < 1e9) /* slow ones lie at the foot anyway */
        continue;
      for (guint tenth = 1; tenth <= 10; tenth += 3)
        {
          LsQuery query = LS_QUERY_INIT;
          guint done = 0;
          double low = HUGE_VAL, most = 0;

          query.op = op->op;
          query.time_ns = trace->start_ns + (trace->end_ns - trace->start_ns) * tenth / 10;
          g_autoptr (LsLayout) layout = draw_view (&ls_view_roofline, data, &query, LS_LOOK_LIGHT, 1920,
                                                   1080);
          for (guint i = 0; i < trace->n; i++)
            done += (gint64) (ls_step_index_piece (lane->index, trace, i)->end_ns - lane->recorded->start_ns)
                    <= query.time_ns;
          const double expected = op->rate * done / trace->n * 10 / tenth;
          /* of the larger frame round it the middle, on the scale that the still rings show */
          for (guint i = 0; i < layout->moving->items->len; i++)
            {
              const LsItem *item = ls_scene_get (layout->moving, i);
              if (item->kind == LS_ITEM_RINGS && item->ink == LS_INK_TEXT)
                {
                  const double y = (double) g_array_index (layout->moving->points, float,
                                                           2 * item->points + 1);
                  low = MIN (low, y);
                  most = MAX (most, y);
                }
            }
          g_test_message ("op %u at %u tenths: %u of %u pieces, %.3g FLOP/s, from %.1f to %.1f px", op->op,
                          tenth, done, trace->n, expected, low, most);
          g_assert_cmpfloat (low, <, HUGE_VAL);
          /* a hundred times as fast is so many px higher on the logarithmic axis */
          const double own = ring_height (layout, op, op->rate), there = ring_height (layout, op, expected);
          if (done == 0)
            g_assert_cmpfloat (most, >, own + 50);
          else
            g_assert_true (fabs (low - there) < 1 || fabs (most - there) < 1);
          compared += fabs (own - there) > 1;
        }
    }
  g_assert_cmpuint (compared, >, 3);
}

/* Only what was measured is told: limits, how many times, how far the middle half is below the best, the
 * caches of the CPU, and what a launch takes. */
static void
test_told (void)
{
  g_autoptr (LsRecording) recording = ls_fixture_recording (&ls_fixture_cores);
  static const double values[LS_ROOF_N]
    = { [LS_ROOF_FLOPS] = 400e9, [LS_ROOF_MEMORY] = 40e9, [LS_ROOF_LOCAL] = 300e9,
        [LS_ROOF_L2] = 200e9,    [LS_ROOF_L3] = 100e9,    [LS_ROOF_LAUNCH] = 50000 };
  const struct {
    guint without; /* LsRoof; LS_ROOF_N: all are there */
    const char *left, *right;
  } cases[] = {
    { LS_ROOF_N,
      "roofs, best of 7 (middle half from −10 %): 400 GFLOP/s, memory 40.0 GB/s, L1 300, L2 200, L3 100 "
      "GB/s; "
      "a launch 20 µs",
      "roofs, best of 7 (middle half from −10 %): 400 GFLOP/s, memory 40.0 GB/s; a launch 20 µs" },
    { LS_ROOF_L2,
      "roofs, best of 7 (middle half from −10 %): 400 GFLOP/s, memory 40.0 GB/s, L1 300, L3 100 GB/s; a "
      "launch 20 µs",
      "roofs, best of 7 (middle half from −10 %): 400 GFLOP/s, memory 40.0 GB/s; a launch 20 µs" },
    { LS_ROOF_LAUNCH,
      "roofs, best of 7 (middle half from −10 %): 400 GFLOP/s, memory 40.0 GB/s, L1 300, L2 200, L3 100 GB/s",
      "roofs, best of 7 (middle half from −10 %): 400 GFLOP/s, memory 40.0 GB/s" },
    { LS_ROOF_FLOPS, "recorded without this device’s roofs", "recorded without this device’s roofs" },
    { LS_ROOF_MEMORY, "recorded without this device’s roofs", "recorded without this device’s roofs" },
  };

  for (guint c = 0; c < G_N_ELEMENTS (cases); c++)
    {
      LsQuery query = LS_QUERY_INIT;
      guint found[LS_SIDES] = { 0 };

      for (guint lane = 0; lane < 2; lane++)
        for (guint i = 0; i < LS_ROOF_N; i++)
          recording->lanes[lane].device->roofs[i]
            = (LsFigure){ .value = values[i],
                          .q1 = .9 * values[i],
                          .q3 = values[i],
                          .n = values[i] > 0 && i != cases[c].without ? 7 : 0 };
      g_autoptr (LsViewData) data = ls_view_data_from_recording (recording, NULL);
      g_autoptr (LsLayout) layout = draw_view (&ls_view_roofline, data, &query, LS_LOOK_LIGHT, 3840, 2160);
      for (guint i = 0; i < layout->still->items->len; i++)
        {
          const LsItem *item = ls_scene_get (layout->still, i);
          const guint side = (double) item->x > layout->width / 2;
          const char *should = side == 0 ? cases[c].left : cases[c].right, *rest;
          if (item->kind != LS_ITEM_TEXT
              || (!g_str_has_prefix (item->text, "roofs, ") && !g_str_has_prefix (item->text, "recorded ")))
            continue;
          rest = g_str_has_prefix (item->text, should) ? item->text + strlen (should) : "";
          if (!g_str_has_prefix (item->text, should)
              || (*rest != '\0' && strstr (rest, "without arithmetic") == NULL))
            g_error ("case %u, lane %u: it says “%s”, not “%s”", c, side, item->text, should);
          found[side]++;
        }
      g_assert_cmpuint (found[0], ==, 1);
      g_assert_cmpuint (found[1], ==, 1);
    }
}

/* In words: both lanes' limits, and of each the op that took longest, its equation before its rate. */
static void
test_described (void)
{
  g_autoptr (LsRecording) recording = ls_fixture_recording (&ls_fixture_cores);
  LsQuery query = LS_QUERY_INIT;
  const char *at;

  for (guint lane = 0; lane < 2; lane++)
    for (guint i = 0; i < 2; i++)
      recording->lanes[lane].device->roofs[i] = (LsFigure){ .value = (i == 0 ? 4e11 : 4e10) * (lane + 1),
                                                            .n = 7 };
  g_autoptr (LsViewData) data = ls_view_data_from_recording (recording, NULL);
  g_autoptr (LsLayout) layout = draw_view (&ls_view_roofline, data, &query, LS_LOOK_LIGHT, 1920, 1080);
  g_autofree char *text = ls_layout_describe (layout);
  g_assert_nonnull (strstr (text, "CPU: at most 400 GFLOP/s, and 40.0 GB/s from memory."));
  g_assert_nonnull (strstr (text, ": at most 800 GFLOP/s, and 80.0 GB/s from memory."));
  at = text;
  for (guint side = 0; side < LS_SIDES; side++)
    {
      const LsStepIndex *index = data->sides[side].index;
      gint64 longest = 0;
      guint op = 0;
      for (guint i = 0; i < index->n_ops; i++)
        if (index->ops[i].ran && recording->ops[i].flops > 0
            && index->ops[i].end_ns - index->ops[i].start_ns > longest)
          {
            longest = index->ops[i].end_ns - index->ops[i].start_ns;
            op = i;
          }
      at = strstr (at, "The longest op is ");
      g_assert_nonnull (at);
      at += strlen ("The longest op is ");
      if (!g_str_has_prefix (at, recording->ops[op].equation))
        g_error ("lane %u took longest for %s, and it says “%s”", side, recording->ops[op].equation, at);
      at += strlen (recording->ops[op].equation);
      g_assert_cmpfloat_with_epsilon (
        g_ascii_strtod (at + 2, NULL) * (double) longest / (double) recording->ops[op].flops, 1, .006);
    }
}

/* While an op runs it is told by its equation what it will have reached, and what it has so far; once it is
 * over the first alone. */
static void
test_so_far (void)
{
  g_autoptr (LsViewData) data = ls_fixture_data (&ls_fixture_cores);
  const LsViewLane *lane = &data->sides[0];
  g_autoptr (GArray) ops = ls_roofline_ops (data->recording, lane, NULL);
  guint running = 0;

  for (guint k = 0; k < ops->len; k++)
    {
      const LsRoofOp *op = &g_array_index (ops, LsRoofOp, k);
      const LsOpTrace *trace = &lane->index->ops[op->op];
      const char *equation = data->recording->ops[op->op].equation;
      if (trace->n < 4 || !trace->timed)
        continue;
      for (guint half = 1; half <= 2; half++)
        {
          LsQuery query = LS_QUERY_INIT;
          const LsItem *text = NULL;

          query.op = op->op;
          query.time_ns = trace->start_ns + (trace->end_ns - trace->start_ns) * half / 2;
          g_autoptr (LsLayout) layout = draw_view (&ls_view_roofline, data, &query, LS_LOOK_LIGHT, 3200,
                                                   1400);
          g_autofree char *head = g_strdup_printf ("%s: ", equation);
          for (guint i = 0; i < layout->moving->items->len; i++)
            {
              const LsItem *item = ls_scene_get (layout->moving, i);
              if (item->kind == LS_ITEM_TEXT && g_str_has_prefix (item->text, head)
                  && (double) item->x < layout->width / 2 && text == NULL)
                text = item;
            }
          if (text == NULL)
            g_error ("“%s…” isn’t told of the left lane", head);
          if (half == 2 && strstr (text->text, "so far") != NULL)
            g_error ("once it is over, it is told “%s”", text->text);
          running += strstr (text->text, "; so far ") != NULL;
        }
    }
  g_assert_cmpuint (running, >, 2);
}

/* In less and less room the op is told by its equation, then by its symbol, each with its rate and how that
 * is bounded; not in parts, and not at all only where neither has room. */
static void
test_room (void)
{
  g_autoptr (LsViewData) data = ls_fixture_data (&ls_fixture_cores);
  const LsViewLane *lane = &data->sides[0];
  g_autoptr (GArray) ops = ls_roofline_ops (data->recording, lane, NULL);
  guint by_equation = 0, by_symbol = 0;

  for (guint k = 0; k < ops->len; k++)
    for (guint width = 640; width <= 1600; width += 40)
      {
        const LsRoofOp *op = &g_array_index (ops, LsRoofOp, k);
        LsQuery query = LS_QUERY_INIT;
        const LsItem *text = NULL;

        query.op = op->op;
        query.time_ns = lane->index->length_ns;
        g_autoptr (LsLayout) layout = draw_view (&ls_view_roofline, data, &query, LS_LOOK_LIGHT, width, 1400);
        const LsRoofPlot plot = { .layout = layout };
        g_autofree char *whole = ls_roof_words (&plot, op, FALSE), *brief = ls_roof_words (&plot, op, TRUE);
        double room = 0;

        for (guint i = 0; i < layout->still->items->len && room <= 0; i++)
          {
            const LsItem *rule = ls_scene_get (layout->still, i); /* over the lane's head, as wide as its plot
                                                                   */
            if (rule->kind == LS_ITEM_BOX && rule->ink == LS_INK_MARK && rule->side == 0
                && rule->h == (float) layout->m.rule)
              room = (double) rule->w - layout->m.evidence - 7;
          }
        g_assert_cmpfloat (room, >, 100);
        for (guint i = 0; i < layout->moving->items->len; i++)
          {
            const LsItem *item = ls_scene_get (layout->moving, i);
            if (item->kind == LS_ITEM_TEXT
                && (strcmp (item->text, whole) == 0 || strcmp (item->text, brief) == 0)
                && (double) item->x < layout->width / 2)
              text = item;
          }
        const LsType type = layout->m.label;
        const char *fits = ls_scene_width (layout->still, type, whole) <= room   ? whole
                           : ls_scene_width (layout->still, type, brief) <= room ? brief
                                                                                 : NULL;
        if (g_strcmp0 (text != NULL ? text->text : NULL, fits) != 0)
          g_error ("in %g px it says “%s”, not “%s”", room, text != NULL ? text->text : "nothing",
                   fits != NULL ? fits : "nothing");
        by_equation += fits == whole;
        by_symbol += fits == brief;
      }
  g_assert_cmpuint (by_equation, >, 10);
  g_assert_cmpuint (by_symbol, >, 10);
}

/* Each ring can be clicked where it stands, and be it ever so small, within 12 px of its middle. */
static void
test_clicked (void)
{
  g_autoptr (LsViewData) data = ls_fixture_data (&ls_fixture_cores);
  g_autoptr (GArray) left = ls_roofline_ops (data->recording, &data->sides[0], NULL),
                     right = ls_roofline_ops (data->recording, &data->sides[1], NULL);
  const GArray *const both[LS_SIDES] = { left, right };

  for (guint width = 960; width <= 3200; width += 1120)
    {
      const LsQuery query = LS_QUERY_INIT;
      g_autoptr (LsLayout) layout = draw_view (&ls_view_roofline, data, &query, LS_LOOK_LIGHT, width, 1000);
      const LsScene *s = layout->still;
      guint slots = 0, side = 0, n = 0;

      for (guint i = 0; i < layout->slots->len; i++)
        slots += g_array_index (layout->slots, LsSlot, i).kind == LS_SLOT_OPS;
      g_assert_cmpuint (slots, ==, both[0]->len + both[1]->len);
      slots = 0;
      for (guint i = 0; i < layout->slots->len; i++)
        {
          const LsSlot *slot = &g_array_index (layout->slots, LsSlot, i);
          const LsItem *ring = NULL;

          if (slot->kind != LS_SLOT_OPS)
            continue;
          if (n == both[side]->len)
            {
              side++;
              n = 0;
            }
          g_assert_cmpuint (slot->op, ==, g_array_index (both[side], LsRoofOp, n).op);
          n++;
          for (guint k = 0, seen = 0; k < s->items->len && ring == NULL; k++)
            {
              const LsItem *item = ls_scene_get (s, k);
              if (item->kind == LS_ITEM_RINGS && item->ink == LS_INK_SOFT && item->n_points == 1
                  && seen++ == slots)
                ring = item;
            }
          slots++;
          if (ring == NULL)
            g_error ("slot %u has no ring", slots);
          const double x = (double) g_array_index (s->points, float, 2 * ring->points),
                       y = (double) g_array_index (s->points, float, 2 * ring->points + 1),
                       half = MAX ((double) ring->size / 2, 12);
          if (fabs (slot->x - x + half) > .1 || fabs (slot->y - y + half) > .1
              || fabs (slot->w - 2 * half) > .1 || fabs (slot->h - 2 * half) > .1)
            g_error ("a ring %g px wide round %g, %g is clicked in %g×%g px from %g, %g on",
                     (double) ring->size, x, y, slot->w, slot->h, slot->x, slot->y);
        }
    }
}

/* ---- held against another recording ---- */

/* An op is the one of its name and symbol in the other recording, whatever its place there; of a layer that
 * the other network hasn't got nothing is said. */
static void
test_same_op (void)
{
  const LsFixture deep = { .batch = 64, .workers = 2, .tiles = 16, .steps = 3 },
                  flat = { .model = "flatten, dense 10", .batch = 64, .workers = 2, .tiles = 16, .steps = 3 };
  const LsFixture *const held[][2] = { { &deep, &flat }, { &flat, &deep } }; /* this one, the other */

  for (gsize i = 0; i < G_N_ELEMENTS (held); i++)
    {
      g_autoptr (LsRecording) recording = ls_fixture_recording (held[i][0]),
                              then = ls_fixture_recording (held[i][1]);
      g_autoptr (LsViewData) other = ls_view_data_from_recording (then, NULL);
      const LsViewBeside beside = { .other = other };
      g_autoptr (LsViewData) data = ls_view_data_from_recording (recording, &beside);
      g_autoptr (GArray) ops = ls_roofline_ops (recording, &data->sides[0], NULL),
                         before = ls_roofline_ops (then, &other->sides[0], NULL);
      LsLayout layout = { .data = data };
      const LsRoofPlot plot = { .layout = &layout, .lane = &data->sides[0], .ops = ops, .before = before };
      guint same = 0, none = 0;

      for (guint k = 0; k < ops->len; k++)
        {
          const LsRoofOp *op = &g_array_index (ops, LsRoofOp, k), *was = ls_roof_before (&plot, op);
          const char *name = recording->ops[op->op].name, *symbol = recording->ops[op->op].symbol;
          gboolean there = FALSE;

          for (guint b = 0; b < before->len; b++)
            {
              const LsRecordedOp *o = &then->ops[g_array_index (before, LsRoofOp, b).op];
              there = there || (g_str_equal (o->name, name) && g_str_equal (o->symbol, symbol));
            }
          if (there != (was != NULL) || (was != NULL && !g_str_equal (then->ops[was->op].symbol, symbol)))
            g_error ("%s %s, which the other recording %s, is held against %s there", name, symbol,
                     there ? "has, too" : "hasn’t got", was != NULL ? then->ops[was->op].symbol : "nothing");
          same += there;
          none += !there;
        }
      g_assert_cmpuint (same, >=, 3); /* Z₁, the loss, the gradient of W₁ */
      g_assert_true (none > 0 || held[i][0] == &flat);
    }
}

/* At the very moment at which a piece ends it is done: the rate so far, in words, counts it. */
static void
test_at_an_end (void)
{
  g_autoptr (LsViewData) data = ls_fixture_data (&ls_fixture_cores);
  const LsViewLane *lane = &data->sides[0];
  g_autoptr (GArray) ops = ls_roofline_ops (data->recording, lane, NULL);
  guint n = 0;

  for (guint k = 0; k < ops->len; k++)
    {
      const LsRoofOp *op = &g_array_index (ops, LsRoofOp, k);
      const LsOpTrace *trace = &lane->index->ops[op->op];
      LsQuery query = LS_QUERY_INIT;
      guint done = 0;

      if (trace->n < 4 || !trace->timed)
        continue;
      query.op = op->op;
      query.time_ns = (gint64) (ls_step_index_piece (lane->index, trace, trace->n / 2)->end_ns
                                - lane->recorded->start_ns);
      for (guint i = 0; i < trace->n; i++)
        done += (gint64) (ls_step_index_piece (lane->index, trace, i)->end_ns - lane->recorded->start_ns)
                <= query.time_ns;
      if (query.time_ns >= trace->end_ns)
        continue;
      g_autofree char *rate = ls_number_text (op->rate / 1e9 * done / trace->n
                                                * (double) (trace->end_ns - trace->start_ns)
                                                / (double) (query.time_ns - trace->start_ns),
                                              3),
                      *words = g_strdup_printf ("; so far %s", rate);
      g_autoptr (LsLayout) layout = draw_view (&ls_view_roofline, data, &query, LS_LOOK_LIGHT, 3200, 1400);
      const LsItem *text = find_text (layout->moving, "; so far ");
      if (text == NULL || strstr (text->text, words) == NULL)
        g_error ("%u of %u pieces are done, the last one at that moment, and “%s” is said, not “%s”", done,
                 trace->n, text != NULL ? text->text : "nothing", words);
      n++;
    }
  g_assert_cmpuint (n, >, 2);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/roofline/climbs", test_climbs);
  g_test_add_func ("/roofline/so-far", test_so_far);
  g_test_add_func ("/roofline/clicked", test_clicked);
  g_test_add_func ("/roofline/room", test_room);
  g_test_add_func ("/roofline/told", test_told);
  g_test_add_func ("/roofline/described", test_described);
  g_test_add_func ("/roofline-climbs/same-op", test_same_op);
  g_test_add_func ("/paint/roofline-climbs/at-an-end", test_at_an_end);
  return g_test_run ();
}
