/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Bytes that the processor counted, beside those that follow from an op's formula.
 */
#include "tests/paint/draw.h"
#include "tests/paint/fixture.h"
#include "tests/paint/said.h"

#include <math.h>
#include <string.h>

#include "ui/paint/roofline/roofline.h"
#include "ui/paint/views.h"

#define N 3

/* What was counted of the CPU lane's op; bytes −1: nothing. */
static void
set_counted (LsRecording *recording, guint op, gint64 bytes)
{
  GArray *events = recording->lanes[0].events;

  for (guint i = 0; i < events->len; i++)
    {
      LsEvent *e = &g_array_index (events, LsEvent, i);
      if (e->kind == LS_EVENT_OP && e->op == op)
        {
          e->tile = bytes >= 0 ? LS_EVENT_MOVED (bytes) : 0;
          return;
        }
    }
  g_error ("op %u isn't in the recording", op);
}

/* The ring of an op: where it is among those of its lane that are drawn as they stand. */
static const float *
ring_of (const LsLayout *layout, guint k)
{
  for (guint i = 0; i < layout->still->items->len; i++)
    {
      const LsItem *item = ls_scene_get (layout->still, i);
      if (item->kind == LS_ITEM_RINGS && k-- == 0)
        return &g_array_index (layout->still->points, float, 2 * item->points);
    }
  return NULL;
}

static gboolean
has_square (const LsLayout *layout, double x, double y)
{
  for (guint i = 0; i < layout->still->items->len; i++)
    {
      const LsItem *item = ls_scene_get (layout->still, i);
      if (item->kind == LS_ITEM_BOX && item->ink == LS_INK_MARK
          && fabs ((double) (item->x + item->w / 2) - x) < .6
          && fabs ((double) (item->y + item->h / 2) - y) < .6)
        return TRUE;
    }
  return FALSE;
}

/* An op that fetched as many bytes for each FLOP as another's tensors have stands below that one's ring, at
 * its own rate; what wasn't counted has no square. */
static void
test_squares (void)
{
  g_autoptr (LsRecording) recording = ls_fixture_recording (&ls_fixture_cores);
  g_autoptr (LsViewData) plain = ls_view_data_from_recording (recording, NULL);
  g_autoptr (GArray) ops = ls_roofline_ops (recording, &plain->sides[0], NULL);
  LsQuery query = LS_QUERY_INIT;
  guint squares = 0;

  g_assert_cmpuint (ops->len, >, N);
  for (guint k = 0; k < N; k++)
    {
      const LsRoofOp *op = &g_array_index (ops, LsRoofOp, k), *other = &g_array_index (ops, LsRoofOp, k + 1);
      g_assert_false (op->counted);
      set_counted (recording, op->op, (gint64) round (op->flops / other->intensity));
    }
  recording->lanes[0].device->numbers[LS_DEVICE_MISSES] = LS_MISSES_LAST;
  g_autoptr (LsViewData) data = ls_view_data_from_recording (recording, NULL);
  g_autoptr (GArray) counted = ls_roofline_ops (recording, &data->sides[0], NULL);
  g_autoptr (LsLayout) layout = draw_view (&ls_view_roofline, data, &query, LS_LOOK_LIGHT, 1920, 1080);
  for (guint k = 0; k < ops->len; k++)
    {
      const float *own = ring_of (layout, k), *next = ring_of (layout, k + 1);
      const gboolean wanted = k < N;

      g_assert_true (g_array_index (counted, LsRoofOp, k).counted == wanted);
      if (own == NULL || next == NULL)
        g_error ("op %u of %u has no ring", k, ops->len);
      if (wanted && !has_square (layout, (double) next[0], (double) own[1]))
        g_error ("no square stands at the intensity of op %u and the rate of op %u", k + 1, k);
    }
  for (guint i = 0; i < layout->still->items->len; i++)
    {
      const LsItem *item = ls_scene_get (layout->still, i);
      squares += item->kind == LS_ITEM_BOX && item->ink == LS_INK_MARK && item->w == item->h && item->w < 20;
    }
  g_assert_cmpuint (squares, ==, N);
}

/* Below the axis: of which bytes the squares are, or why there are none; a recording that doesn't tell says
 * nothing of it. Heard, too, with both sums. */
static void
test_words (void)
{
  static const struct {
    double of;
    gint64 bytes;
    const char *caption, *heard;
  } cases[] = {
    { -1, -1, "FLOP for each byte, each tensor read and written once", "CPU, Test CPU" },
    { LS_MISSES_NONE, -1, "; this machine counts no bytes", " Bytes are derived: this machine counts none." },
    { LS_MISSES_FORBIDDEN, -1, "; the system lets no bytes be counted",
      " Bytes are derived: the system lets none be counted." },
    { LS_MISSES_SECOND, 7000, "; a square: bytes counted from beyond the second cache",
      " These ops fetched 7.0 kB from beyond the second cache, counted; their tensors have " },
    { LS_MISSES_LAST, 7000, "; a square: bytes counted from memory",
      " These ops fetched 7.0 kB from memory, counted; their tensors have " },
    /* all of it lay in caches: no intensity to stand at */
    { LS_MISSES_LAST, 0, "counted from memory; 1 further right",
      " These ops fetched 0 bytes from memory, counted" },
    { 17, -1, "FLOP for each byte, each tensor read and written once", "CPU, Test CPU" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (LsRecording) recording = ls_fixture_recording (&ls_fixture_cores);
      g_autoptr (LsViewData) plain = ls_view_data_from_recording (recording, NULL);
      g_autoptr (GArray) ops = ls_roofline_ops (recording, &plain->sides[0], NULL);
      LsQuery query = LS_QUERY_INIT;
      const LsItem *text;

      set_counted (recording, g_array_index (ops, LsRoofOp, 0).op, cases[i].bytes);
      recording->lanes[0].device->numbers[LS_DEVICE_MISSES] = cases[i].of;
      g_autoptr (LsViewData) data = ls_view_data_from_recording (recording, NULL);
      g_autoptr (LsLayout) layout = draw_view (&ls_view_roofline, data, &query, LS_LOOK_LIGHT, 3840, 2160);
      g_autofree char *heard = ls_layout_describe (layout);
      text = find_text (layout->still, cases[i].caption);
      if (text == NULL)
        g_error ("with %g no caption says “%s”", cases[i].of, cases[i].caption);
      if (cases[i].caption[0] == 'F')
        g_assert_cmpstr (text->text, ==, cases[i].caption);
      if (strstr (heard, cases[i].heard) == NULL)
        g_error ("with %g nobody hears “%s”: %s", cases[i].of, cases[i].heard, heard);
      if (cases[i].of < 0 || cases[i].of > LS_MISSES_LAST)
        g_assert_null (strstr (heard, "counted"));
    }
}

/* Two kernels of an op are one sum, and what is said of an op that isn't in the plot changes nothing. */
static void
test_sums (void)
{
  g_autoptr (LsRecording) recording = ls_fixture_recording (&ls_fixture_cores);
  g_autoptr (LsViewData) data = ls_view_data_from_recording (recording, NULL);
  g_autoptr (GArray) ops = ls_roofline_ops (recording, &data->sides[0], NULL);
  const guint op = g_array_index (ops, LsRoofOp, 1).op;
  LsEvent more = { .kind = LS_EVENT_OP, .op = (guint16) op, .tile = LS_EVENT_MOVED (30) }, odd = more;

  odd.op = LS_OP_NONE;
  set_counted (recording, op, 12);
  g_array_append_val (recording->lanes[0].events, more);
  g_array_append_val (recording->lanes[0].events, odd);
  g_autoptr (GArray) counted = ls_roofline_ops (recording, &data->sides[0], NULL);
  g_assert_cmpuint (counted->len, ==, ops->len);
  for (guint k = 0; k < counted->len; k++)
    g_assert_cmpfloat (g_array_index (counted, LsRoofOp, k).moved, ==, k == 1 ? 42 : 0);
}

/* As many bytes as there is room for, and one that says that they were counted. */
static void
test_event (void)
{
  static const struct {
    guint64 bytes;
    gint64 told;
  } cases[] = { { 0, 0 },
                { 1, 1 },
                { 4096, 4096 },
                { G_MAXUINT32 - 2, G_MAXUINT32 - 2 },
                { G_MAXUINT32 - 1, G_MAXUINT32 - 1 },
                { G_MAXUINT32, G_MAXUINT32 - 1 },
                { G_MAXUINT64, G_MAXUINT32 - 1 } };
  LsEvent e = { .kind = LS_EVENT_OP };

  g_assert_cmpint (ls_event_moved (&e), ==, -1);
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      e.tile = LS_EVENT_MOVED (cases[i].bytes);
      g_assert_cmpint (ls_event_moved (&e), ==, cases[i].told);
    }
  e.kind = LS_EVENT_TILE;
  g_assert_cmpint (ls_event_moved (&e), ==, -1);
}

/* How many ops the picture hasn't, since they compute nothing: none isn't told, and one is one. */
static void
test_without (void)
{
  for (guint n = 0; n < 4; n++)
    {
      g_autoptr (LsRecording) recording = ls_fixture_recording (&ls_fixture_desk);
      const LsQuery query = LS_QUERY_INIT;
      guint left = 0;

      for (guint i = 0; i < LS_ROOF_N; i++)
        for (guint lane = 0; lane < recording->n_lanes; lane++)
          recording->lanes[lane].device->roofs[i]
            = (LsFigure){ .value = 1e11, .q1 = .9e11, .q3 = 1e11, .n = 5 };
      g_autoptr (LsViewData) data = ls_view_data_from_recording (recording, NULL);
      const LsStepIndex *index = data->sides[0].index;
      for (guint op = 0, idle = 0; op < recording->n_ops; op++)
        {
          const guint leader = ls_step_index_leader (index, op);
          idle += leader == op && index->ops[op].ran;
          recording->ops[op].flops = leader < op ? recording->ops[leader].flops : idle <= n ? 0 : 1000000;
        }
      g_array_unref (ls_roofline_ops (recording, &data->sides[0], &left));
      g_assert_cmpuint (left, ==, n);
      g_autoptr (LsLayout) layout = draw_view (&ls_view_roofline, data, &query, LS_LOOK_LIGHT, 3840, 2160);
      const LsItem *item = find_text (layout->still, "without arithmetic");
      g_autofree char *says = g_strdup_printf (
        n == 1 ? "; %u op without arithmetic isn’t shown" : "; %u ops without arithmetic aren’t shown", n);
      if ((item != NULL) != (n > 0) || (item != NULL && strstr (item->text, says) == NULL))
        g_error ("of %u ops without arithmetic is said: %s", n, item != NULL ? item->text : "nothing");
    }
}

static gboolean
crosses (const LsScene *s, const LsItem *text, const LsItem *path)
{
  const float *at = &g_array_index (s->points, float, 2 * path->points);
  double x, y, w, h, from, to;

  ls_item_bounds (s, text, &x, &y, &w, &h);
  if ((double) MAX (at[0], at[2]) < x || (double) MIN (at[0], at[2]) > x + w)
    return FALSE;
  from = at[0] == at[2]
           ? (double) at[1]
           : (double) at[1]
               + (double) (at[3] - at[1]) * (MAX (x, (double) MIN (at[0], at[2])) - (double) at[0])
                   / (double) (at[2] - at[0]);
  to = at[0] == at[2]
         ? (double) at[3]
         : (double) at[1]
             + (double) (at[3] - at[1]) * (MIN (x + w, (double) MAX (at[0], at[2])) - (double) at[0])
                 / (double) (at[2] - at[0]);
  return MAX (from, to) > y + 2 && MIN (from, to) < y + h - 2;
}

/* No word stands on the line from a ring to its square. */
static void
test_free_lines (void)
{
  guint lines = 0;

  for (gint shift = -3; shift <= 3; shift++)
    for (double width = 1280; width <= 1920; width += 320)
      {
        g_autoptr (LsRecording) recording = ls_fixture_recording (&ls_fixture_cores);
        g_autoptr (LsViewData) plain = ls_view_data_from_recording (recording, NULL);
        g_autoptr (GArray) ops = ls_roofline_ops (recording, &plain->sides[0], NULL);
        LsQuery query = LS_QUERY_INIT;

        for (guint k = 0; k < ops->len; k++)
          {
            const LsRoofOp *op = &g_array_index (ops, LsRoofOp, k);
            set_counted (recording, op->op, (gint64) round (op->bytes * exp2 (shift)));
          }
        recording->lanes[0].device->numbers[LS_DEVICE_MISSES] = LS_MISSES_LAST;
        g_autoptr (LsViewData) data = ls_view_data_from_recording (recording, NULL);
        g_autoptr (LsLayout) layout = draw_view (&ls_view_roofline, data, &query, LS_LOOK_LIGHT, width,
                                                 width * 5 / 8);
        const LsScene *s = layout->still;
        for (guint i = 0; i < s->items->len; i++)
          {
            const LsItem *path = ls_scene_get (s, i);
            const float *at = &g_array_index (s->points, float, 2 * path->points);
            if (path->kind != LS_ITEM_GUIDE || path->n_points != 2 || at[1] != at[3])
              continue;
            lines++;
            for (guint k = 0; k < s->items->len; k++)
              {
                const LsItem *text = ls_scene_get (s, k);
                if (text->kind == LS_ITEM_TEXT && crosses (s, text, path))
                  g_error ("“%s” stands on the line from a ring to its square (%g px wide, bytes × 2^%d)",
                           text->text, width, shift);
              }
          }
      }
  g_assert_cmpuint (lines, >, 20);
}

/* The name of a bandwidth's line is crossed by no other such line: of two that are close to each other the
 * lower one has none. */
static void
test_close_lines (void)
{
  static const double caches[][3] = { { 4e11, 1.1e11, 1e11 },
                                      { 4e11, 2e11, 1e11 },
                                      { 8e11, 7e11, 1e11 },
                                      { 4e11, 3.8e11, 3.6e11 },
                                      { 1e12, 1e11, 2.7e10 } };
  static const LsRoof roofs[] = { LS_ROOF_LOCAL, LS_ROOF_L2, LS_ROOF_L3 };
  guint names = 0;

  for (guint i = 0; i < G_N_ELEMENTS (caches); i++)
    for (double width = 1280; width <= 1920; width += 320)
      {
        g_autoptr (LsRecording) recording = ls_fixture_recording (&ls_fixture_cores);
        LsFigure *own = recording->lanes[0].device->roofs;
        LsQuery query = LS_QUERY_INIT;

        own[LS_ROOF_FLOPS] = (LsFigure){ .value = 2e12, .q1 = 2e12, .q3 = 2e12, .n = 7 };
        own[LS_ROOF_MEMORY] = (LsFigure){ .value = 2.5e10, .q1 = 2.5e10, .q3 = 2.5e10, .n = 7 };
        for (guint k = 0; k < G_N_ELEMENTS (roofs); k++)
          own[roofs[k]] = (LsFigure){ .value = caches[i][k], .q1 = caches[i][k], .q3 = caches[i][k], .n = 7 };
        g_autoptr (LsViewData) data = ls_view_data_from_recording (recording, NULL);
        g_autoptr (LsLayout) layout = draw_view (&ls_view_roofline, data, &query, LS_LOOK_LIGHT, width,
                                                 width * 5 / 8);
        const LsScene *s = layout->still;
        for (guint k = 0; k < s->items->len; k++)
          {
            const LsItem *text = ls_scene_get (s, k);
            if (text->kind != LS_ITEM_TEXT || !text->strong || strstr (text->text, "GB/s") == NULL)
              continue;
            names++;
            for (guint l = 0; l < s->items->len; l++)
              {
                const LsItem *path = ls_scene_get (s, l);
                if (path->kind == LS_ITEM_LINE && path->n_points == 2 && path->ink == LS_INK_TEXT
                    && crosses (s, text, path))
                  g_error ("“%s” is crossed by a line, at %g px, of caches with %g, %g and %g B/s",
                           text->text, width, caches[i][0], caches[i][1], caches[i][2]);
              }
          }
      }
  g_assert_cmpuint (names, >, 10);
}

/* From the nanosecond on in which an op begins its ring is filled in, and stays. */
static void
test_begun (void)
{
  g_autoptr (LsViewData) data = ls_fixture_data (&ls_fixture_cores);
  LsQuery query = LS_QUERY_INIT;
  guint some = 0;

  g_autoptr (LsLayout) layout = draw_view (&ls_view_roofline, data, &query, LS_LOOK_LIGHT, 1920, 1080);
  for (guint lane = 0; lane < LS_SIDES; lane++)
    {
      g_autoptr (GArray) ops = ls_roofline_ops (data->recording, &data->sides[lane], NULL);
      const LsStepIndex *index = data->sides[lane].index;

      for (guint k = 0; k < ops->len; k++)
        for (gint off = -1; off <= 1; off++)
          {
            guint rings = 0, begun = 0;

            query.time_ns = index->ops[g_array_index (ops, LsRoofOp, k).op].start_ns + off;
            ls_layout_move (layout, &query);
            for (guint i = 0; i < ops->len; i++)
              begun += index->ops[g_array_index (ops, LsRoofOp, i).op].start_ns <= query.time_ns;
            for (guint i = 0; i < layout->moving->items->len; i++)
              {
                const LsItem *item = ls_scene_get (layout->moving, i);
                rings += item->kind == LS_ITEM_RINGS && item->ink == LS_INK_MARK
                         && item->value == (float) lane;
              }
            if (rings != begun)
              g_error ("%d ns after its start: of lane %u %u ops have begun, and %u rings are filled", off,
                       lane, begun, rings);
            some += begun > 0 && begun < ops->len;
          }
    }
  g_assert_cmpuint (some, >, 10);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/roofline-counted/squares", test_squares);
  g_test_add_func ("/roofline-counted/words", test_words);
  g_test_add_func ("/roofline-counted/sums", test_sums);
  g_test_add_func ("/roofline-counted/event", test_event);
  g_test_add_func ("/roofline-counted/without", test_without);
  g_test_add_func ("/paint/roofline-counted/free-lines", test_free_lines);
  g_test_add_func ("/paint/roofline-counted/close-lines", test_close_lines);
  g_test_add_func ("/paint/roofline-counted/begun", test_begun);
  return g_test_run ();
}
