/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What is said of a picked tile or work-group: from when to when, in one unit, or its place in the order; and
 * of one that adds up the parts of a split product, which.
 */
#include <math.h>
#include <string.h>

#include "core/number.h"
#include "tests/paint/draw.h"
#include "tests/paint/fixture.h"
#include "tests/paint/numbers.h"
#include "ui/paint/views.h"

static LsEvent *
event_at (const LsRecording *recording, guint lane, guint i)
{
  return &g_array_index (recording->lanes[lane].events, LsEvent, i);
}

/* A tile's times since its op began, both in the unit that stands behind them; a work-group's place. */
static void
test_times (void)
{
  static const struct {
    const char *unit;
    double ns;
  } units[] = { { "ns", 1 }, { "µs", 1e3 }, { "ms", 1e6 } };
  g_autoptr (LsViewData) data = ls_fixture_data (&ls_fixture_calls);
  const LsRecording *r = data->recording;
  const LsQuery query = LS_QUERY_INIT;
  g_autoptr (LsLayout) layout = draw_view (&ls_view_timeline, data, &query, LS_LOOK_LIGHT, 1280, 800);
  guint tiles = 0, groups = 0;

  for (guint lane = 0; lane < 2; lane++)
    for (guint i = 0; i < r->lanes[lane].events->len; i += 7)
      {
        const LsEvent *e = event_at (r, lane, i);
        const LsOpTrace *trace = e->op < r->n_ops ? &data->sides[lane].index->ops[e->op] : NULL;
        double is[NUMBERS_MOST], half[NUMBERS_MOST], by = 0;

        if (trace == NULL || !trace->timed || (e->kind != LS_EVENT_TILE && e->kind != LS_EVENT_GROUP))
          continue;
        g_autofree char *words = ls_pick_words (layout, (LsPick){ (gint) lane, i });
        if (e->kind == LS_EVENT_GROUP)
          {
            g_autofree char *of = g_strdup_printf (" of %u", trace->n_ranks);
            if (strstr (words, ", done ") == NULL || !g_str_has_suffix (words, of))
              g_error ("of the %u. work-group “%s” is said", e->rank + 1, words);
            groups++;
            continue;
          }
        const char *times = strrchr (words, ',');
        g_assert_nonnull (times);
        for (guint k = 0; k < G_N_ELEMENTS (units); k++)
          if (g_str_has_suffix (words, units[k].unit))
            by = units[k].ns;
        g_assert_cmpuint (numbers_of (times + 1, is, half), ==, 2);
        const double from = (double) (e->start_ns - r->lanes[lane].start_ns) - (double) trace->start_ns,
                     to = (double) (e->end_ns - r->lanes[lane].start_ns) - (double) trace->start_ns;
        if (fabs (is[0] * by - from) > half[0] * by * 1.01 + 1
            || fabs (is[1] * by - to) > half[1] * by * 1.01 + 1)
          g_error ("“%s” is said of a tile from %g to %g ns", words, from, to);
        tiles++;
      }
  g_assert_cmpuint (tiles, >, 20);
  g_assert_cmpuint (groups, >, 20);
}

/* Behind the tiles of all parts come those that add them up, from 1 on. */
static void
test_adding_up (void)
{
  g_autoptr (LsViewData) data = ls_fixture_data (&ls_fixture_calls);
  const LsQuery query = LS_QUERY_INIT;
  g_autoptr (LsLayout) layout = draw_view (&ls_view_timeline, data, &query, LS_LOOK_LIGHT, 1280, 800);
  guint i = 0;

  while (event_at (data->recording, 0, i)->kind != LS_EVENT_TILE)
    i++;
  LsEvent *tile = event_at (data->recording, 0, i);
  LsTiling *t = &data->recording->lanes[0].tilings[tile->op];
  for (guint splits = 1; splits <= 4; splits++)
    for (guint part = 1; part <= 3; part++)
      {
        t->splits = splits;
        tile->tile = t->grid_rows * t->grid_cols * splits + part - 1;
        g_autofree char *words = ls_pick_words (layout, (LsPick){ 0, i }),
                        *begin = g_strdup_printf ("adding up, part %u: ", part);
        if (!g_str_has_prefix (words, begin))
          g_error ("of a product in %u parts “%s” is said, not “%s…”", splits, words, begin);
      }
}

/* An op is told by its equation; one that has none by its symbol, and never as something that was queued. */
static void
test_no_equation (void)
{
  static const LsEventKind kinds[] = { LS_EVENT_OP, LS_EVENT_KERNEL, LS_EVENT_WAIT, LS_EVENT_ENQUEUE };
  g_autoptr (LsViewData) data = ls_fixture_data (&ls_fixture_calls);
  const LsRecording *r = data->recording;
  const LsQuery query = LS_QUERY_INIT;
  g_autoptr (LsLayout) layout = draw_view (&ls_view_timeline, data, &query, LS_LOOK_LIGHT, 1280, 800);
  guint seen[G_N_ELEMENTS (kinds)] = { 0 };

  for (guint without = 0; without < 2; without++)
    {
      for (guint op = 0; without && op < r->n_ops; op++)
        r->ops[op].equation[0] = '\0';
      for (guint lane = 0; lane < 2; lane++)
        for (guint i = 0; i < r->lanes[lane].events->len; i++)
          {
            const LsEvent *e = event_at (r, lane, i);
            guint k = 0;

            while (k < G_N_ELEMENTS (kinds) && kinds[k] != (LsEventKind) e->kind)
              k++;
            if (k == G_N_ELEMENTS (kinds) || e->op >= r->n_ops)
              continue;
            const char *name = without ? r->ops[e->op].symbol : r->ops[e->op].equation;
            g_autofree char *words = ls_pick_words (layout, (LsPick){ (gint) lane, i });
            if (*name != '\0' && strstr (words, name) == NULL)
              g_error ("of an event of op “%s” is said “%s”", name, words);
            seen[k] += without;
          }
    }
  for (guint k = 0; k < G_N_ELEMENTS (kinds); k++)
    g_assert_cmpuint (seen[k], >, 0);
}

/* At each kernel of an op the whole op's time is told, also where it has several; of anything else its own.
 */
static void
test_whole_op (void)
{
  g_autoptr (LsViewData) data = ls_fixture_data (&ls_fixture_calls);
  const LsRecording *r = data->recording;
  const LsQuery query = LS_QUERY_INIT;
  g_autoptr (LsLayout) layout = draw_view (&ls_view_timeline, data, &query, LS_LOOK_LIGHT, 1280, 800);
  guint ops[2] = { 0 }, others = 0;

  for (guint lane = 0; lane < 2; lane++)
    for (guint i = 0; i < r->lanes[lane].events->len; i++)
      {
        LsEvent *e = event_at (r, lane, i);
        const LsOpTrace *trace = e->op < r->n_ops ? &data->sides[lane].index->ops[e->op] : NULL;
        const gboolean op = e->kind == LS_EVENT_OP || e->kind == LS_EVENT_KERNEL;

        if (e->kind == LS_EVENT_TILE || e->kind == LS_EVENT_GROUP || (op && (trace == NULL || !trace->ran)))
          continue;
        e->end_ns = e->start_ns + (e->end_ns - e->start_ns) / 3; /* as if another one followed it */
        g_autofree char *time = ls_number_time (op ? (double) (trace->end_ns - trace->start_ns)
                                                   : (double) (e->end_ns - e->start_ns)),
                        *words = ls_pick_words (layout, (LsPick){ (gint) lane, i });
        if (strstr (words, time) == NULL)
          g_error ("lane %u: %s %s, and “%s” is said", lane, op ? "an op takes" : "something lasts", time,
                   words);
        ops[lane] += op;
        others += !op;
      }
  if (ops[0] == 0 || ops[1] == 0 || others == 0)
    g_error ("of %u ops, %u kernels and %u others none of one sort was looked at", ops[0], ops[1], others);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/paint/pick-words/times", test_times);
  g_test_add_func ("/paint/pick-words/adding-up", test_adding_up);
  g_test_add_func ("/paint/pick-words/no-equation", test_no_equation);
  g_test_add_func ("/paint/pick-words/whole-op", test_whole_op);
  return g_test_run ();
}
