/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How each number and each mark is known, one by one: what was measured, and what is only derived from it, is
 * never exchanged, neither before the number nor behind its mark.
 */
#include <math.h>

#include "draw.h"
#include "rated.h"
#include "ui/paint/parts/evidence.h"
#include "ui/paint/timeline/timeline.h"
#include "ui/paint/views.h"

/* Of every number that stands with a mark. */
static const struct {
  LsNumber number;
  const char *name;
  LsEvidence evidence;
} numbers[] = {
  { LS_NUMBER_RATE, "rate", LS_EVIDENCE_MEASURED },
  { LS_NUMBER_LOSS, "loss", LS_EVIDENCE_MEASURED },
  { LS_NUMBER_ACCURACY, "accuracy", LS_EVIDENCE_MEASURED },
  { LS_NUMBER_OP, "time of an op", LS_EVIDENCE_MEASURED },
  { LS_NUMBER_DELTA, "difference", LS_EVIDENCE_DERIVED },
  { LS_NUMBER_RATIO, "ratio", LS_EVIDENCE_DERIVED },
};

static const char *const evidences[] = { "measured", "derived", "modelled", "published" };

/* "ratio: derived". (transfer full) */
static char *
told (const char *name, gint evidence)
{
  g_assert_cmpint (evidence, <, (gint) G_N_ELEMENTS (evidences));
  return g_strdup_printf ("%s: %s", name, evidence < 0 ? "no mark" : evidences[evidence]);
}

static void
assert_evidence (const char *name, gint evidence, LsEvidence expected)
{
  g_autofree char *is = told (name, evidence), *should = told (name, (gint) expected);

  g_assert_cmpstr (is, ==, should);
}

static void
test_numbers (void)
{
  g_autoptr (LsViewData) data = ls_fixture_view (&ls_fixture_cores, LS_STATE_LIVE);

  for (gint side = 0; side < LS_SIDES; side++)
    for (guint i = 0; i < G_N_ELEMENTS (numbers); i++)
      {
        g_autoptr (LsEvidenceFacts) facts = numbers[i].number == LS_NUMBER_OP
                                              ? ls_evidence_op_facts (data, side, 1, NULL, 0)
                                              : ls_evidence_facts (data, side, numbers[i].number);
        assert_evidence (numbers[i].name, (gint) facts->evidence, numbers[i].evidence);
      }
}

static void
check_marks (const LsScene *scene, guint *seen)
{
  for (guint i = 0; i < scene->items->len; i++)
    {
      const LsItem *item = ls_scene_get (scene, i);
      for (guint k = 0; item->kind == LS_ITEM_EVIDENCE && k < G_N_ELEMENTS (numbers); k++)
        if (item->number == numbers[k].number)
          {
            assert_evidence (numbers[k].name, (gint) item->value, numbers[k].evidence);
            seen[k]++;
          }
    }
}

static void
test_marks (void)
{
  static const LsFixtureState states[] = { LS_STATE_PLAYED_BACK, LS_STATE_LIVE, LS_STATE_FAILED,
                                           LS_STATE_DISAGREE };
  guint seen[G_N_ELEMENTS (numbers)] = { 0 }, n_views;
  const LsView *const *views = ls_views (&n_views);

  for (guint s = 0; s < G_N_ELEMENTS (states); s++)
    {
      g_autoptr (LsViewData) data = ls_fixture_view (&ls_fixture_calls, states[s]);
      data->sides[0].accuracy = data->sides[1].accuracy = .975;
      for (guint v = 0; v < n_views; v++)
        for (guint size = 0; size < 3; size++)
          {
            Asked asked = ASKED_INIT;
            LsQuery *query = asked_of (&asked, views[v]);
            query->picked = (LsPick){
              0, ls_time_index_row (ls_time_index_of (data->sides[0].index), LS_ROW_OPS, 0)->event[1]
            };
            g_autoptr (LsLayout) layout = draw_view (views[v], data, query, LS_LOOK_LIGHT,
                                                     draw_sizes[size][0], draw_sizes[size][1]);
            check_marks (layout->still, seen);
            check_marks (layout->moving, seen);
          }
    }
  for (guint k = 0; k < G_N_ELEMENTS (numbers); k++)
    if (seen[k] == 0)
      g_test_fail_printf ("no picture has a mark at the %s", numbers[k].name);
}

/* ---- marks without a number of their own, by the words behind them ---- */

/* What the mark left of a text says; −1: there is none. */
static gint
mark_before (const LsScene *scene, const LsItem *text)
{
  double x, y, w, h, nearest = HUGE_VAL;
  gint found = -1;

  ls_item_bounds (scene, text, &x, &y, &w, &h);
  for (guint i = 0; i < scene->items->len; i++)
    {
      const LsItem *item = ls_scene_get (scene, i);
      const double middle = (double) (item->y + item->h / 2), gap = x - (double) (item->x + item->w);
      if (item->kind == LS_ITEM_EVIDENCE && middle > y && middle < y + h && gap > 0
          && gap < MIN (nearest, 40))
        {
          nearest = gap;
          found = (gint) item->value;
        }
    }
  return found;
}

static void
test_words (void)
{
  static const struct {
    const char *view, *words;
    LsEvidence evidence;
  } rows[] = {
    { "race", "ratio", LS_EVIDENCE_DERIVED },
    { "race", "this step ", LS_EVIDENCE_MEASURED },
    { "timeline", "starts", LS_EVIDENCE_MEASURED },
    { "timeline", "runs", LS_EVIDENCE_MEASURED },
    { "timeline", "workers wait, in all", LS_EVIDENCE_MEASURED },
    { "timeline", "FLOPs", LS_EVIDENCE_DERIVED },
    { "timeline", "rate", LS_EVIDENCE_DERIVED },
    { "tiles", "multiply-adds for each float", LS_EVIDENCE_DERIVED },
    { "network", "as it is seen", LS_EVIDENCE_MEASURED },
  };
  g_autoptr (LsViewData) run = ls_fixture_view (&ls_fixture_calls, LS_STATE_LIVE),
                         values = ls_fixture_tiles ("flatten, dense 256, relu, dense 10", 64, TRUE, TRUE);

  set_rate (run, 0, 250e3, .02, 200);
  set_rate (run, 1, 100e3, .02, 200);
  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      const gboolean has_values = g_str_equal (rows[i].view, "tiles")
                                  || g_str_equal (rows[i].view, "network");
      LsViewData *data = has_values ? values : run;
      const LsView *view = ls_view_find (rows[i].view);
      Asked asked = ASKED_INIT;
      LsQuery *query = asked_of (&asked, view);
      const LsItem *text;

      query->op = 1;
      if (!has_values)
        query->picked = (LsPick){
          0, ls_time_index_row (ls_time_index_of (data->sides[0].index), LS_ROW_OPS, 0)->event[1]
        };
      g_autoptr (LsLayout) layout = draw_view (view, data, query, LS_LOOK_LIGHT, 1920, 1080);
      const LsScene *scene = says (layout->still, rows[i].words) ? layout->still : layout->moving;
      text = find_text (scene, rows[i].words);
      if (text == NULL)
        g_error ("%s doesn’t say “%s”, but\n%s", rows[i].view, rows[i].words,
                 all_texts (layout->still, "\n"));
      assert_evidence (rows[i].words, mark_before (scene, text), rows[i].evidence);
    }
}

/* ---- marks of data ---- */

/* Work-groups whose order alone is known have no times of their own: what stands for them is derived from
 * their kernel's, and nothing in their rows is said to be measured. */
static void
test_untimed (void)
{
  LsFixture f = ls_fixture_calls;
  const LsQuery query = LS_QUERY_INIT;
  guint n = 0;

  f.known = LS_KNOWN_ORDER;
  g_autoptr (LsViewData) data = ls_fixture_data (&f);
  g_autoptr (LsLayout) layout = draw_view (&ls_view_timeline, data, &query, LS_LOOK_LIGHT, 1920, 1080);
  const LsTimelineLane *lane = &((const LsTimeline *) layout->own)->lanes[1];

  g_assert_cmpuint (lane->times->n_untimed, >, 0);
  for (guint i = 0; i < layout->still->items->len; i++)
    {
      const LsItem *item = ls_scene_get (layout->still, i);
      if (item->evidence == LS_NO_VALUE || (double) item->y < lane->pieces_y
          || (double) (item->y + item->h) > lane->pieces_y + lane->pieces_h + 1)
        continue;
      assert_evidence ("work-groups without times", item->evidence, LS_EVIDENCE_DERIVED);
      n++;
    }
  g_assert_cmpuint (n, >, 4);
}

/* All of the ledger is counted on paper: hollow bars. */
static void
test_ledger (void)
{
  g_autoptr (LsViewData) data = ls_fixture_tiles ("flatten, dense 256, relu, dense 10", 64, TRUE, TRUE);
  Asked asked = ASKED_INIT;
  LsQuery *query = asked_of (&asked, &ls_view_tiles);
  guint n = 0;

  query->op = 1;
  g_autoptr (LsLayout) layout = draw_view (&ls_view_tiles, data, query, LS_LOOK_LIGHT, 1920, 1080);
  const LsItem *label = find_text (layout->still, "global loads, naive");
  g_assert_nonnull (label);
  for (guint i = 0; i < layout->moving->items->len; i++)
    {
      const LsItem *item = ls_scene_get (layout->moving, i);
      if (item->evidence == LS_NO_VALUE || item->x < label->x || (double) item->y < (double) label->y - 20)
        continue;
      assert_evidence ("the ledger", item->evidence, LS_EVIDENCE_DERIVED);
      n++;
    }
  g_assert_cmpuint (n, >=, 2);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/paint/evidence/numbers", test_numbers);
  g_test_add_func ("/paint/evidence/marks", test_marks);
  g_test_add_func ("/paint/evidence/words", test_words);
  g_test_add_func ("/paint/evidence/untimed", test_untimed);
  g_test_add_func ("/paint/evidence/ledger", test_ledger);
  return g_test_run ();
}
