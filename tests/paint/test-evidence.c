/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How each number and each mark is known, one by one: what was measured, and what is only derived from it, is
 * never exchanged, neither before the number nor behind its mark.
 */
#include <math.h>
#include <string.h>

#include "asked.h"
#include "rated.h"
#include "told.h"
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

static const char *
fact (const LsEvidenceFacts *facts, const char *name)
{
  for (guint i = 0; i + 1 < facts->facts->len; i += 2)
    if (strcmp (facts->facts->pdata[i], name) == 0)
      return facts->facts->pdata[i + 1];
  return NULL;
}

static void
assert_time (const char *what, const char *text, double ns)
{
  double low, high;

  g_assert_nonnull (text);
  if (!ls_told_number (&text, TRUE, &low, &high) || ns < low - 1e-6 * ns || ns > high + 1e-6 * ns)
    g_error ("%s is “%s”, and should be %.6g ns", what, text, ns);
}

/* Behind the time of an op stand the times of its pieces, in the unit that is said, with their median and
 * middle half. */
static void
test_op_facts (void)
{
  g_autoptr (LsViewData) data = ls_fixture_data (&ls_fixture_desk);
  guint pieces = 0;

  for (gint side = 0; side < LS_SIDES; side++)
    for (guint op = 0; op < data->recording->n_ops; op++)
      {
        const LsStepIndex *index = data->sides[side].index;
        const LsOpTrace *trace = &index->ops[ls_step_index_leader (index, op)];
        g_autoptr (LsEvidenceFacts) facts = ls_evidence_op_facts (data, side, op, NULL, 0);
        g_autoptr (GArray) times = g_array_new (FALSE, FALSE, sizeof (double));
        const double unit = strcmp (facts->unit, "ns") == 0 ? 1 : strcmp (facts->unit, "µs") == 0 ? 1e3 : 1e6;

        if (trace->ran)
          assert_time ("the op’s time", fact (facts, "Value"), (double) (trace->end_ns - trace->start_ns));
        if (!trace->timed || trace->n < 2 || facts->samples->len != trace->n)
          continue;
        for (guint i = 0; i < trace->n; i++)
          {
            const LsEvent *e = ls_step_index_piece (index, trace, i);
            const double ns = (double) (e->end_ns - e->start_ns);
            g_array_append_val (times, ns);
            g_assert_cmpfloat (fabs (g_array_index (facts->samples, double, i) * unit - ns), <,
                               1e-6 * ns + 1e-6);
            pieces++;
          }
        const LsFigure figure = ls_figure_of_samples ((double *) (gpointer) times->data, times->len, "ns");
        assert_time ("the median", fact (facts, "Median"), figure.value);
        assert_time ("the first quartile", fact (facts, "Middle half"), figure.q1);
        assert_time ("the third quartile", strstr (fact (facts, "Middle half"), " to ") + 4, figure.q3);
      }
  g_assert_cmpuint (pieces, >, 100);
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

/* ---- every mark, by the words behind it ---- */

/* view: NULL, any. The first that has the words counts. */
static const struct {
  const char *view, *words;
  LsEvidence evidence;
} phrases[] = {
  /* heads */
  { NULL, "samples/s", LS_EVIDENCE_MEASURED },
  { NULL, "samples per second", LS_EVIDENCE_MEASURED },
  { NULL, "differ by", LS_EVIDENCE_DERIVED },
  { NULL, "max |Δ|", LS_EVIDENCE_DERIVED },
  { NULL, "losses agree within", LS_EVIDENCE_DERIVED },
  { NULL, "the lanes disagree", LS_EVIDENCE_DERIVED },
  { NULL, "loss", LS_EVIDENCE_MEASURED },
  { NULL, "test accuracy", LS_EVIDENCE_MEASURED },
  { NULL, "s so far", LS_EVIDENCE_MEASURED },
  { NULL, "s left", LS_EVIDENCE_DERIVED },
  { NULL, "built in ", LS_EVIDENCE_MEASURED },
  { "race", "ratio", LS_EVIDENCE_DERIVED },
  { "race", " times as fast", LS_EVIDENCE_DERIVED },
  { "race", "this step ", LS_EVIDENCE_MEASURED },
  { "race", " % of the step", LS_EVIDENCE_MEASURED },
  { "partition", "the op took ", LS_EVIDENCE_MEASURED },
  { "partition", "Each worker did ", LS_EVIDENCE_MEASURED },
  { "partition", " for one tile, not ", LS_EVIDENCE_MEASURED },
  { "timeline", "the step took ", LS_EVIDENCE_MEASURED },
  { "timeline", "starts", LS_EVIDENCE_MEASURED },
  { "timeline", "runs", LS_EVIDENCE_MEASURED },
  { "timeline", "queued before", LS_EVIDENCE_MEASURED },
  { "timeline", "tile, median", LS_EVIDENCE_MEASURED },
  { "timeline", "work-group, median", LS_EVIDENCE_MEASURED },
  { "timeline", "workers wait, in all", LS_EVIDENCE_MEASURED },
  { "timeline", "tiles, in all", LS_EVIDENCE_MEASURED },
  { "timeline", "kernels, in all", LS_EVIDENCE_MEASURED },
  { "timeline", "copies, in all", LS_EVIDENCE_MEASURED },
  { "timeline", "most that wait", LS_EVIDENCE_MEASURED },
  { "timeline", "FLOPs", LS_EVIDENCE_DERIVED },
  { "timeline", "rate", LS_EVIDENCE_DERIVED },
  { "timeline", "times OpenCL", LS_EVIDENCE_DERIVED },
  { "timeline", "done earlier by", LS_EVIDENCE_DERIVED },
  { "tiles", "FLOP per global byte", LS_EVIDENCE_DERIVED },
  { "tiles", "products added up", LS_EVIDENCE_DERIVED },
  { "tiles", "sum for C[", LS_EVIDENCE_DERIVED },
  { "tiles", "order of the work-items", LS_EVIDENCE_MODELLED },
  { "tiles", "times as modelled", LS_EVIDENCE_MODELLED },
  { "tiles", "panel of B ", LS_EVIDENCE_MODELLED },
  { "tiles", "the CPU’s numbers", LS_EVIDENCE_MODELLED },
  { "tiles", "size not told", LS_EVIDENCE_PUBLISHED },
  { "tiles", "values read back after the step", LS_EVIDENCE_MEASURED },
  { "network", "as it is seen", LS_EVIDENCE_MEASURED },
  { "network", "the other lane gives the same", LS_EVIDENCE_DERIVED },
  { "network", "the products add up to", LS_EVIDENCE_DERIVED },
  { "network", "it gives ", LS_EVIDENCE_MEASURED },
  { "network", "by layer", LS_EVIDENCE_DERIVED },
  { "network", "right ", LS_EVIDENCE_MEASURED }, /* of the test set, which a lane went through */
  { "network", "the most active: ", LS_EVIDENCE_MEASURED },
};

/* The nearest text right of the mark, on its line; NULL: there is none. */
static const LsItem *
text_behind (const LsScene *scene, const LsItem *mark)
{
  const double middle = (double) (mark->y + mark->h / 2), right = (double) (mark->x + mark->w);
  const LsItem *found = NULL;
  double nearest = 60;

  for (guint i = 0; i < scene->items->len; i++)
    {
      const LsItem *item = ls_scene_get (scene, i);
      double x, y, w, h;
      if (item->kind != LS_ITEM_TEXT)
        continue;
      ls_item_bounds (scene, item, &x, &y, &w, &h);
      if (middle <= y || middle >= y + h || x - right <= -1 || x - right >= nearest)
        continue;
      nearest = x - right;
      found = item;
    }
  return found;
}

static void
check_phrases (const LsLayout *layout, const LsScene *scene, guint *seen)
{
  for (guint i = 0; i < scene->items->len; i++)
    {
      const LsItem *mark = ls_scene_get (scene, i);
      const LsItem *text = mark->kind == LS_ITEM_EVIDENCE ? text_behind (scene, mark) : NULL;
      guint k = 0;
      if (text == NULL)
        continue;
      while (k < G_N_ELEMENTS (phrases)
             && ((phrases[k].view != NULL && !g_str_equal (phrases[k].view, layout->view->name))
                 || strstr (text->text, phrases[k].words) == NULL))
        k++;
      if (k == G_N_ELEMENTS (phrases))
        continue;
      assert_evidence (phrases[k].words, (gint) mark->value, phrases[k].evidence);
      seen[k]++;
    }
}

static void
look_at (LsViewData *data, guint *seen)
{
  guint n_views;
  const LsView *const *views = ls_views (&n_views);

  for (guint v = 0; v < n_views; v++)
    for (guint k = 0; k < 12; k++)
      {
        const gboolean wide = k >= 6;
        Asked asked = ASKED_INIT;
        LsQuery *query = asked_of (&asked, views[v]);
        query->op = k % 2 == 0 ? 1 : 4;
        asked.network.page = k % 3;
        asked.tiles.cpu_side = k % 3 == 1;
        asked.tiles.pane = k % 6 / 2;
        query->time_ns = k % 6 < 4 ? LS_TIME_END : 40000;
        if (k % 3 == 2 && data->sides[0].index != NULL)
          query->picked = (LsPick){
            0, ls_time_index_row (ls_time_index_of (data->sides[0].index), LS_ROW_OPS, 0)->event[1]
          };
        g_autoptr (LsLayout) layout = draw_view (views[v], data, query,
                                                 k == 3 ? LS_LOOK_PROJECTOR : LS_LOOK_LIGHT,
                                                 wide ? 2560 : 1280, wide ? 1440 : 800);
        check_phrases (layout, layout->still, seen);
        check_phrases (layout, layout->moving, seen);
      }
}

static void
test_words (void)
{
  static const LsFixtureState states[] = { LS_STATE_PLAYED_BACK, LS_STATE_LIVE, LS_STATE_BUILDING,
                                           LS_STATE_UNRECORDED, LS_STATE_DISAGREE };
  g_autoptr (LsViewData) product = ls_fixture_tiles ("flatten, dense 256, relu, dense 10", 64, TRUE, TRUE),
                         of_cpu = ls_fixture_tiles ("flatten, dense 256, relu, dense 10", 64, TRUE, FALSE),
                         asked = asked_data (NULL, FALSE);
  guint seen[G_N_ELEMENTS (phrases)] = { 0 };

  for (guint i = 0; i < G_N_ELEMENTS (states); i++)
    {
      g_autoptr (LsViewData) data = ls_fixture_view (&ls_fixture_calls, states[i]);
      data->sides[0].accuracy = data->sides[1].accuracy = .975;
      if (states[i] == LS_STATE_LIVE)
        {
          set_rate (data, 0, 250e3, .02, 200);
          set_rate (data, 1, 100e3, .02, 200);
        }
      look_at (data, seen);
    }
  look_at (product, seen);
  look_at (of_cpu, seen);
  look_at (asked, seen);
  g_autoptr (GString) unseen = g_string_new (NULL);
  for (guint k = 0; k < G_N_ELEMENTS (phrases); k++)
    if (seen[k] == 0)
      g_string_append_printf (unseen, "%s“%s”", unseen->len > 0 ? ", " : "", phrases[k].words);
  if (unseen->len > 0)
    g_test_fail_printf ("no mark stands before %s", unseen->str);
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
  g_test_add_func ("/paint/evidence/op-facts", test_op_facts);
  g_test_add_func ("/paint/evidence/marks", test_marks);
  g_test_add_func ("/paint/evidence/words", test_words);
  g_test_add_func ("/paint/evidence/untimed", test_untimed);
  g_test_add_func ("/paint/evidence/ledger", test_ledger);
  return g_test_run ();
}
