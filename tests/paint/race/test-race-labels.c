/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The names beside Race's columns: each with the time of its own op, at its own height, as the recorded
 * events have it; none twice, the longest always.
 */
#include <math.h>
#include <string.h>

#include "core/number.h"
#include "tests/paint/draw.h"
#include "tests/paint/fixture.h"
#include "tests/paint/numbers.h"
#include "tests/paint/states.h"
#include "tests/paint/told.h"
#include "ui/paint/parts/rates.h"
#include "ui/paint/views.h"

static const LsFixture fixtures[] = {
  { LS_CORES (2), .batch = 64, .tiles = 16, .groups = 32, .on_cpu = TRUE, .fused = TRUE, .steps = 60 },
  { LS_CORES (4), .batch = 128, .tiles = 16, .groups = 64, .on_cpu = TRUE, .joined = TRUE, .steps = 60 },
  { LS_DESK, .batch = 64, .queue = TRUE, .steps = 40 },
  { LS_CORES (2), .model = "conv 8 3 pad 1, relu, maxpool 2, flatten, dense 32, relu, dense 10", .batch = 16,
    .tiles = 8, .groups = 16, .on_cpu = TRUE, .steps = 40 },
};

/* The op that the lane did by itself and that is called so: its equation or its symbol, and the symbols of
 * what it did along with it and the other lane didn't; n_ops: none. */
static guint
op_called (const LsViewData *data, guint side, const char *name)
{
  const LsViewLane *lane = &data->sides[side], *across = &data->sides[1 - side];
  const LsRecordedOp *ops = data->recording->ops;
  double start, end;

  for (guint op = 0; op < lane->index->n_ops; op++)
    {
      g_autoptr (GString) joined = g_string_new (NULL);
      if (ls_told_leader (lane, op) != op || !ls_told_op (lane, op, &start, &end))
        continue;
      for (guint i = op + 1; across->index != NULL && i < lane->index->n_ops; i++)
        if (ls_told_leader (lane, i) == op && ls_told_leader (across, i) == i)
          g_string_append_printf (joined, ", %s", ops[i].symbol);
      g_autofree char *equation = g_strconcat (ops[op].equation, joined->str, NULL),
                      *symbol = g_strconcat (ops[op].symbol, joined->str, NULL);
      if (strcmp (equation, name) == 0 || strcmp (symbol, name) == 0)
        return op;
    }
  return lane->index->n_ops;
}

/* A label: its name, the number on its line, and the line that leads to the column. */
typedef struct {
  const LsItem *name, *time;
  double middle; /* where the line begins at the column */
} Label;

static gboolean
find_label (const LsLayout *layout, guint i, Label *label)
{
  const LsScene *s = layout->still;
  const LsItem *name = ls_scene_get (s, i);
  const gboolean left = (double) name->x < layout->width / 2;

  *label = (Label){ name, NULL, NAN };
  for (guint k = 0; k < s->items->len; k++)
    {
      const LsItem *item = ls_scene_get (s, k);
      if (item->kind == LS_ITEM_TEXT && item != name && item->when == LS_WHEN_DONE && item->align == LS_RIGHT
          && fabs ((double) (item->y - name->y)) < .5 && ((double) item->x < layout->width / 2) == left
          && g_ascii_isdigit (item->text[0]) && (left ? item->x > name->x : item->x < name->x))
        label->time = item;
      if (item->kind != LS_ITEM_LINE || item->n_points != 4)
        continue;
      const float *at = &g_array_index (s->points, float, 2 * item->points);
      if (((double) at[0] < layout->width / 2) == left && fabs ((double) at[7] - ls_text_middle (name)) < 2
          && fabsf (at[4] - at[6]) > 1)
        label->middle = (double) at[1];
    }
  return label->time != NULL;
}

static void
check_labels (const LsViewData *data, const LsLayout *layout, guint *seen)
{
  static const char *const units[] = { " ns", " µs", " ms" };
  const LsScene *s = layout->still;
  double longest[LS_SIDES] = { 0 }, named[LS_SIDES] = { 0 }, unit[LS_SIDES] = { 0 };
  g_autoptr (GHashTable) names = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  for (guint side = 0; side < LS_SIDES; side++)
    for (guint op = 0; op < data->sides[side].index->n_ops; op++)
      longest[side] = MAX (longest[side], ls_told_op_ns (&data->sides[side], op));
  /* the uppermost time says the unit of all */
  for (guint i = 0; i < s->items->len; i++)
    for (guint u = 0; u < G_N_ELEMENTS (units); u++)
      {
        const LsItem *item = ls_scene_get (s, i);
        if (item->kind == LS_ITEM_TEXT && item->when == LS_WHEN_DONE && g_ascii_isdigit (item->text[0])
            && g_str_has_suffix (item->text, units[u]))
          unit[(double) item->x < layout->width / 2 ? 0 : 1] = pow (1e3, u);
      }
  for (guint i = 0; i < s->items->len; i++)
    {
      const LsItem *item = ls_scene_get (s, i);
      const guint side = (double) item->x < layout->width / 2 ? 0 : 1;
      Label label;
      double start, end, is[NUMBERS_MOST], half[NUMBERS_MOST];

      if (item->kind != LS_ITEM_TEXT || item->when != LS_WHEN_DONE || item->type.weight != 400
          || g_ascii_isdigit (item->text[0]))
        continue;
      const guint op = op_called (data, side, item->text);
      if (op >= data->sides[side].index->n_ops || !find_label (layout, i, &label))
        continue;
      g_assert_true (ls_told_op (&data->sides[side], op, &start, &end));
      /* it is dark from the op's end on, bold from its beginning */
      g_assert_cmpfloat_with_epsilon ((double) item->t0, start, 1);
      g_assert_cmpfloat_with_epsilon ((double) item->t1, end, 1);
      if (!g_hash_table_add (names, g_strdup_printf ("%u %s", side, item->text)))
        g_error ("“%s” is named twice beside %s", item->text, data->sides[side].brief);
      g_assert_cmpuint (numbers_of (label.time->text, is, half), ==, 1);
      if (fabs (is[0] * unit[side] - (end - start)) > half[0] * 1.01 * unit[side])
        g_error ("%s: “%s” is said to take %s, in units of %g ns, and took %g ns", data->sides[side].brief,
                 item->text, label.time->text, unit[side], end - start);
      named[side] = MAX (named[side], end - start);
      ++*seen;
    }
  /* what took longest is named */
  for (guint side = 0; side < LS_SIDES; side++)
    if (named[side] > 0)
      g_assert_cmpfloat (named[side], >=, longest[side] - 1);
}

/* Where the lines of a lane's labels begin they are as far apart as the middles of their ops. */
static void
check_places (const LsViewData *data, const LsLayout *layout, guint *seen)
{
  const LsScene *s = layout->still;

  for (guint side = 0; side < LS_SIDES; side++)
    {
      double first_px = NAN, first_ns = NAN, px_per_ns = NAN, before_y = 0, before_ns = -1;

      for (guint i = 0; i < s->items->len; i++)
        {
          const LsItem *item = ls_scene_get (s, i);
          double start, end;
          Label label;

          if (item->kind != LS_ITEM_TEXT || item->when != LS_WHEN_DONE || item->type.weight != 400
              || ((double) item->x < layout->width / 2) != (side == 0) || g_ascii_isdigit (item->text[0]))
            continue;
          const guint op = op_called (data, side, item->text);
          if (op >= data->sides[side].index->n_ops || !find_label (layout, i, &label) || isnan (label.middle)
              || !ls_told_op (&data->sides[side], op, &start, &end))
            continue;
          const double ns = (start + end) / 2;
          /* from top to bottom as in time */
          g_assert_true (before_ns < ns && before_y < (double) item->y);
          before_ns = ns;
          before_y = (double) item->y;
          if (isnan (first_px))
            {
              first_px = label.middle;
              first_ns = ns;
            }
          else if (isnan (px_per_ns) && ns - first_ns > ls_told_step_ns (&data->sides[side]) / 2)
            px_per_ns = (label.middle - first_px) / (ns - first_ns);
          else if (!isnan (px_per_ns))
            {
              if (fabs (first_px + (ns - first_ns) * px_per_ns - label.middle) > 1.5)
                g_error ("the line from “%s” leads to %.1f px, and its op’s middle is at %.1f", item->text,
                         label.middle, first_px + (ns - first_ns) * px_per_ns);
              ++*seen;
            }
        }
    }
}

static void
test_labels (void)
{
  guint labels = 0, places = 0;

  for (guint f = 0; f < G_N_ELEMENTS (fixtures); f++)
    {
      g_autoptr (LsViewData) data = ls_fixture_data (&fixtures[f]);
      for (guint size = 1; size < 4; size++)
        {
          const LsQuery query = LS_QUERY_INIT;
          g_autoptr (LsLayout) layout = draw_view (&ls_view_race, data, &query, LS_LOOK_LIGHT,
                                                   draw_sizes[size][0], draw_sizes[size][1]);
          check_labels (data, layout, &labels);
          check_places (data, layout, &places);
        }
    }
  g_test_message ("%u labels, %u places", labels, places);
  g_assert_cmpuint (labels, >, 100);
  g_assert_cmpuint (places, >, 10);
}

/* In the hall the three longest are named, and what lies between two of them is one label: how many they are,
 * and the sum of their times, with a bracket from the first one's beginning to the last one's end. */
static void
test_hall (void)
{
  guint brackets = 0;

  for (guint f = 0; f < G_N_ELEMENTS (fixtures); f++)
    {
      g_autoptr (LsViewData) data = ls_fixture_data (&fixtures[f]);
      const LsQuery query = LS_QUERY_INIT;
      g_autoptr (LsLayout) layout = draw_view (&ls_view_race, data, &query, LS_LOOK_PROJECTOR, 1920, 1080);
      const LsScene *s = layout->still;

      for (guint side = 0; side < LS_SIDES; side++)
        {
          const GArray *spans = data->sides[side].index->spans;
          double unit = 0, first_y = HUGE_VAL;
          guint named = 0;

          for (guint i = 0; i < s->items->len; i++)
            {
              const LsItem *item = ls_scene_get (s, i);
              /* the uppermost says the unit */
              if (item->kind == LS_ITEM_TEXT && item->when == LS_WHEN_DONE && g_ascii_isdigit (item->text[0])
                  && ((double) item->x < layout->width / 2) == (side == 0) && (double) item->y < first_y
                  && item->align == LS_RIGHT && strstr (item->text, "short") == NULL)
                {
                  first_y = (double) item->y;
                  unit = g_str_has_suffix (item->text, "ms")   ? 1e6
                         : g_str_has_suffix (item->text, "µs") ? 1e3
                                                               : 1;
                }
            }
          for (guint i = 0; i < s->items->len; i++)
            {
              const LsItem *item = ls_scene_get (s, i);
              double is[NUMBERS_MOST], half[NUMBERS_MOST], sum = 0;
              guint n = 0, said;
              Label label;

              if (item->kind != LS_ITEM_TEXT || item->when != LS_WHEN_DONE || item->type.weight != 400
                  || ((double) item->x < layout->width / 2) != (side == 0))
                continue;
              if (strstr (item->text, " short") == NULL)
                {
                  named += op_called (data, side, item->text) < data->sides[side].index->n_ops
                           || strstr (item->text, "copy") != NULL;
                  continue;
                }
              g_assert_cmpint (sscanf (item->text, "%u short", &said), ==, 1);
              for (guint k = 0; k < spans->len; k++)
                {
                  const LsSpan *span = &g_array_index (spans, LsSpan, k);
                  if (span->start_ns < item->t0 || span->end_ns > item->t1)
                    continue;
                  n++;
                  sum += (double) (span->end_ns - span->start_ns);
                }
              if (n != said)
                g_error ("“%s” stands for %u of them", item->text, n);
              g_assert_true (find_label (layout, i, &label));
              g_assert_cmpuint (numbers_of (label.time->text, is, half), ==, 1);
              if (fabs (is[0] * unit - sum) > half[0] * 1.01 * unit)
                g_error ("%s: “%s” are said to take %s, in units of %g ns, and took %g ns",
                         data->sides[side].brief, item->text, label.time->text, unit, sum);
              /* the line from the label begins in the middle of its bracket */
              for (guint k = 0; k < s->items->len; k++)
                {
                  const LsItem *line = ls_scene_get (s, k);
                  const float *at = &g_array_index (s->points, float, 2 * line->points);
                  if (line->kind != LS_ITEM_LINE || line->n_points != 4 || fabsf (at[0] - at[6]) > .1f
                      || fabsf (at[2] - at[4]) > .1f || ((double) at[0] < layout->width / 2) != (side == 0)
                      || fabs ((double) (at[1] + at[7]) / 2 - label.middle) > 1)
                    continue;
                  g_assert_cmpfloat ((double) at[7], >, (double) at[1]);
                  g_assert_cmpfloat ((double) at[1], ==, (double) at[3]);
                  g_assert_cmpfloat ((double) at[5], ==, (double) at[7]);
                  g_assert_true ((at[2] < at[0]) == (side == 0)); /* away from the column */
                  brackets++;
                }
            }
          g_assert_cmpuint (named, >=, MIN (3, spans->len));
          g_assert_cmpuint (named, <=, 4); /* the third may be as long as another */
        }
    }
  g_test_message ("%u brackets", brackets);
  g_assert_cmpuint (brackets, >, 4);
}

/* The number of a lane's head that is said to be that; NULL: there is none. */
static const LsItem *
head_text (const LsScene *s, gint side, LsNumber number)
{
  for (guint i = 0; i < s->items->len; i++)
    {
      const LsItem *item = ls_scene_get (s, i);
      if (item->kind == LS_ITEM_TEXT && item->number == number && item->side == side)
        return item;
    }
  return NULL;
}

/* The heads: a lane's number stands on its name's line, or, where either lane's has no room there, below it
 * for both. A lane that has no numbers yet, as it is still coming, needs none. */
static void
test_heads (void)
{
  guint below = 0, beside = 0;

  for (guint width = 700; width <= 1900; width += 100)
    for (guint coming = 0; coming < 2; coming++)
      {
        double y[2];

        for (guint named = 0; named < 2; named++)
          {
            g_autoptr (LsViewData) data = ls_fixture_view (&ls_fixture_desk,
                                                           coming ? LS_STATE_OVERDUE : LS_STATE_LIVE);
            LsQuery query = LS_QUERY_INIT;

            if (named)
              {
                g_free (data->sides[1].name);
                data->sides[1].name = g_strdup ("OpenCL on a device with a long name");
              }
            g_autoptr (LsLayout) layout = draw_view (&ls_view_race, data, &query, LS_LOOK_LIGHT, width, 900);
            const LsItem *name = NULL, *loss = NULL;
            for (guint i = 0; i < layout->still->items->len; i++)
              {
                const LsItem *item = ls_scene_get (layout->still, i);
                if (item->kind != LS_ITEM_TEXT)
                  continue;
                if (name == NULL && strcmp (item->text, data->sides[0].name) == 0)
                  name = item;
                if (name != NULL && loss == NULL && item->number == LS_NUMBER_LOSS && item->side == 0)
                  loss = item;
              }
            if (name == NULL || loss == NULL)
              g_error ("%u px: the first lane has no %s", width, name == NULL ? "name" : "loss");
            y[named] = (double) (loss->y - name->y);
            if (loss->y < name->y + name->type.px / 4 && ls_item_right (name) > (double) loss->x)
              g_error ("%u px: the number begins at %g, where the name ends at %g", width, (double) loss->x,
                       ls_item_right (name));
            below += y[named] > 10;
            beside += y[named] < 10;
          }
        if (coming && y[0] != y[1])
          g_error ("%u px: while the other lane comes, the number is %g px below the name, and %g px if that "
                   "lane has a long name",
                   width, y[0], y[1]);
        if (!coming && y[1] < y[0])
          g_error ("%u px: a longer name of the other lane brings the number up", width);
      }
  if (below == 0 || beside == 0)
    g_error ("%u numbers stand below their name, %u beside it", below, beside);
}

/* In a hall loss and max |Δ| stand on the name's line, that at the right edge; where a name leaves no room
 * there, below it in the lines beside the rate, the loss first. */
static void
test_pair (void)
{
  guint below = 0, beside = 0;

  for (guint named = 0; named < 2; named++)
    for (guint width = 1100; width <= 1900; width += 200)
      {
        g_autoptr (LsViewData) data = ls_fixture_view (&ls_fixture_desk, LS_STATE_LIVE);
        const LsQuery query = LS_QUERY_INIT;

        if (named)
          {
            g_free (data->sides[1].name);
            data->sides[1].name = g_strdup ("OpenCL on a device with a long name");
          }
        g_autoptr (LsLayout) layout = draw_view (&ls_view_race, data, &query, LS_LOOK_PROJECTOR, width, 1080);
        for (gint side = 0; side < LS_SIDES; side++)
          {
            const LsItem *name = find_text (layout->still, data->sides[side].name),
                         *loss = head_text (layout->still, side, LS_NUMBER_LOSS),
                         *delta = head_text (layout->still, side, LS_NUMBER_DELTA);

            if (name == NULL || loss == NULL || delta == NULL)
              g_error ("%u px, lane %d: the head has no %s", width, side,
                       name == NULL   ? "name"
                       : loss == NULL ? "loss"
                                      : "max |Δ|");
            if (delta->y > name->y + 1)
              {
                g_assert_cmpfloat ((double) loss->y, <, (double) delta->y - .9 * loss->type.px);
                g_assert_cmpfloat_with_epsilon ((double) loss->x, (double) delta->x, .1);
                below++;
                continue;
              }
            g_assert_cmpfloat_with_epsilon ((double) loss->y, (double) delta->y, .1);
            g_assert_cmpfloat (ls_item_right (name), <, (double) loss->x);
            g_assert_cmpfloat (ls_item_right (loss), <, (double) delta->x);
            beside++;
          }
      }
  if (below == 0 || beside == 0)
    g_error ("%u pairs stand below their name, %u beside it", below, beside);
}

/* Beside each lane's rate stands what it is the median of, in as many words as have room. */
static void
test_conditions (void)
{
  static const double widths[] = { 1280, 1600, 1920, 2560 };

  for (guint k = 0; k < G_N_ELEMENTS (widths); k++)
    {
      g_autoptr (LsViewData) data = ls_fixture_view (&ls_fixture_desk, LS_STATE_LIVE);
      LsQuery query = LS_QUERY_INIT;
      g_autoptr (LsLayout) layout = draw_view (&ls_view_race, data, &query, LS_LOOK_LIGHT, widths[k], 1080);

      for (guint side = 0; side < LS_SIDES; side++)
        {
          gboolean told = FALSE;

          for (guint form = LS_RATE_WHOLE; form <= LS_RATE_LEAST; form++)
            {
              g_autofree char *words = ls_rate_words (layout, &data->sides[side], (LsRateForm) form);
              for (guint i = 0; i < layout->still->items->len; i++)
                {
                  const LsItem *item = ls_scene_get (layout->still, i);
                  told |= item->kind == LS_ITEM_TEXT && strcmp (item->text, words) == 0
                          && ((double) item->x > widths[k] / 2) == (side == 1);
                }
            }
          if (!told)
            g_error ("%g px: of side %u’s rate isn’t told what it is the median of", widths[k], side);
        }
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/paint/race/labels", test_labels);
  g_test_add_func ("/paint/race/hall", test_hall);
  g_test_add_func ("/paint/race/heads", test_heads);
  g_test_add_func ("/paint/race/pair", test_pair);
  g_test_add_func ("/paint/race/conditions", test_conditions);
  return g_test_run ();
}
