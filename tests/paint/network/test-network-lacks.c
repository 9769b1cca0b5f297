/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What Network doesn't draw: values of a lane that stopped, which are of another step, and connections of
 * units for which there is no room, classes that have no row; and the pen, once the batch's samples are
 * wanted.
 */
#include <math.h>

#include "network_told.h"
#include "tests/paint/places.h"
#include "tests/paint/said.h"

/* A lane that stopped keeps its own last step: its values are neither drawn nor held against the other's. */
static void
test_stopped (void)
{
  for (guint stopped = 0; stopped < 4; stopped++)
    {
      g_autoptr (LsViewData) data = asked_data (NULL, FALSE);
      LsNetworkState asked = LS_NETWORK_STATE_INIT;
      LsQuery query = { LS_QUERY_FIELDS, .state = &asked };

      for (guint side = 0; side < LS_SIDES; side++)
        if (stopped >> side & 1)
          data->sides[side].held = ls_recording_ref (data->recording);
      g_autoptr (LsLayout) layout = layout_of (data, &query);
      const LsNetwork *n = layout->own;
      const gint side = stopped == 0 || stopped == 2 ? 0 : stopped == 1 ? 1 : -1;

      if (n->side != side || n->both != (stopped == 0))
        g_error ("with stopped lanes %u values are those of side %d, and %sof the other one", stopped,
                 n->side, n->both ? "" : "not ");
      if (says (layout->still, "record it anew to see them") != (side < 0))
        g_error ("with stopped lanes %u it is%s said that values are missing", stopped,
                 side < 0 ? "n't" : "");
      for (guint l = 0; side >= 0 && l < n->n_layers; l++)
        for (guint k = 0; k < LS_SIDES; k++)
          if ((n->layers[l].values[k] != NULL) != !(stopped >> k & 1))
            g_error ("with stopped lanes %u layer %u %s values of side %u", stopped, l,
                     n->layers[l].values[k] != NULL ? "has" : "lacks", k);
    }
}

/* Of a layer only some of whose units are drawn a connection has both of its ends at one of these. */
static void
test_shown (void)
{
  static const struct {
    gint64 from, to; /* the connection's units */
    gint64 a, b;     /* units that are drawn of each layer */
    gboolean drawn;
  } cases[] = {
    { 0, 0, 20, 10, TRUE }, { 19, 9, 20, 10, TRUE }, { 19, 0, 19, 10, FALSE }, { 18, 0, 19, 10, TRUE },
    { 0, 9, 20, 9, FALSE }, { 0, 8, 20, 9, TRUE },   { 5, 5, 5, 10, FALSE },   { 4, 5, 5, 10, TRUE },
    { 5, 5, 10, 5, FALSE }, { 0, 0, 1, 1, TRUE },    { 0, 0, 0, 1, FALSE },    { 0, 0, 1, 0, FALSE },
  };

  for (guint i = 0; i < 2 * G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (LsViewData) data = asked_data ("flatten, dense 20, relu, dense 10, relu, dense 10", FALSE);
      LsNetworkState asked = LS_NETWORK_STATE_INIT;
      LsQuery query = { LS_QUERY_FIELDS, .state = &asked };
      g_autoptr (LsLayout) layout = layout_of (data, &query);
      LsNetwork n = *(const LsNetwork *) layout->own;
      const gboolean strong = i % 2 == 1; /* of the picked unit */
      const LsNetworkEdge edge = { 2, cases[i / 2].from, cases[i / 2].to, .5f };

      g_assert_cmpint (n.layers[1].units, ==, 20);
      g_assert_cmpint (n.layers[2].units, ==, 10);
      n.edges = g_array_new (FALSE, FALSE, sizeof (LsNetworkEdge));
      g_array_append_val (n.edges, edge);
      n.n_pale = strong ? 0 : 1;
      n.n_drawn = 0;
      n.layers[1].shown = cases[i / 2].a;
      n.layers[2].shown = cases[i / 2].b;
      const guint before = layout->still->items->len;
      ls_network_draw_edges (&n);
      const guint items = layout->still->items->len - before;
      if (items != (guint) cases[i / 2].drawn || n.n_drawn != (strong ? 0 : items))
        g_error (
          "from unit %lld, of which %lld are drawn, to unit %lld of %lld %u connections are drawn, and %u "
          "counted",
          (long long) edge.from, (long long) cases[i / 2].a, (long long) edge.to, (long long) cases[i / 2].b,
          items, n.n_drawn);
      g_array_unref (n.edges);
    }
}

/* Whosever sample is shown, the button of the batch goes to the batch, and takes the keys from the pen. */
static void
test_batch (void)
{
  for (guint own = LS_OWN_BATCH; own <= LS_OWN_TEST; own++)
    for (guint keys = 0; keys < 2; keys++)
      {
        g_autoptr (LsViewData) data = asked_data (NULL, FALSE);
        g_autoptr (LsStrokes) strokes = ls_strokes_new ();
        LsNetworkState asked = LS_NETWORK_STATE_INIT;
        LsQuery query = { LS_QUERY_FIELDS, .state = &asked };

        asked_scribble (strokes);
        data->tests = ASKED_TESTS;
        query.pen.strokes = strokes;
        query.pen.keys = keys > 0;
        asked.own = own;
        asked.sample = 3;
        g_autoptr (LsLayout) layout = layout_of (data, &query);
        const LsArea button = ((const LsNetwork *) layout->own)->to_batch;
        g_assert_cmpfloat (button.w, >, 0);
        const LsAct act = ls_network_point (layout, button.x + button.w / 2, button.y + button.h / 2, &query);
        if (act != LS_ACT_CHANGED || asked.own != LS_OWN_BATCH || asked.sample != 3)
          g_error ("from %u the batch's button goes to %u, sample %d", own, asked.own, asked.sample);
        if (query.pen.keys)
          g_error ("from %u the batch is shown, and keys still move the pen", own);
      }
}

/* Connections end at the rows of their classes; where some of these have no row none is drawn, rather than to
 * another class. */
static void
test_classes (void)
{
  guint whole = 0, part = 0;

  for (double height = 330; height <= 900; height += 30)
    {
      g_autoptr (LsViewData) data = asked_data (NULL, FALSE);
      LsNetworkState asked = LS_NETWORK_STATE_INIT;
      LsQuery query = { LS_QUERY_FIELDS, .state = &asked };
      g_autoptr (LsLayout) layout = draw_view (&ls_view_network, data, &query, LS_LOOK_LIGHT, 1280, height);
      const LsNetwork *n = layout->own;
      const LsScene *s = layout->still;
      double middles[CLASSES];
      guint rows = 0, lines = 0;

      for (guint c = 0; n->side >= 0 && c < CLASSES; c++)
        {
          const char name[] = { (char) ('0' + c), '\0' };

          middles[rows] = -1;
          for (guint i = 0; i < s->items->len; i++)
            {
              const LsItem *item = ls_scene_get (s, i);
              if (item->kind == LS_ITEM_TEXT && item->align == LS_RIGHT && strcmp (item->text, name) == 0
                  && ls_area_has (n->said_area, ls_item_right (item) - 1, ls_text_middle (item)))
                middles[rows] = ls_text_middle (item);
            }
          rows += middles[rows] >= 0;
        }
      for (guint i = 0; rows > 0 && i < s->items->len; i++)
        {
          const LsItem *item = ls_scene_get (s, i);
          if (item->kind != LS_ITEM_LINE || item->ink != LS_INK_SIGN)
            continue;
          const float *end = &g_array_index (s->points, float, 2 * (item->points + item->n_points - 1));
          gboolean at_row = FALSE;

          if (fabs ((double) end[0] - n->said_area.x + layout->m.unit) > 1)
            continue;
          for (guint c = 0; c < rows; c++)
            at_row |= fabs (middles[c] - (double) end[1]) < 3;
          if (!at_row)
            g_error ("%.0f px: a connection ends at %.0f px, where no class’s row is", height,
                     (double) end[1]);
          lines++;
        }
      if (rows > 0 && (lines > 0) != (rows == CLASSES))
        g_error ("%.0f px: %u of %d classes have a row, and %u connections lead to them", height, rows,
                 CLASSES, lines);
      whole += rows == CLASSES;
      part += rows > 0 && rows < CLASSES;
    }
  g_test_message ("%u pictures with all classes, %u with some", whole, part);
  g_assert_true (whole > 0 && part > 0);
}

/* Of one lane alone the test set may be known: its worst mistakes are shown then, and a click on one shows
 * that sample, whichever lane is drawn. */
static void
test_whose_mistakes (void)
{
  for (guint known = 0; known < 2; known++)
    {
      g_autoptr (LsViewData) data = asked_data (NULL, FALSE);
      LsNetworkState asked = LS_NETWORK_STATE_INIT;
      LsQuery query = { LS_QUERY_FIELDS, .state = &asked };
      const LsEvaluation *e = data->sides[known].evaluation;

      g_clear_pointer (&data->sides[1 - known].evaluation, ls_evaluation_unref);
      data->tests = ASKED_TESTS;
      asked.page = LS_NETWORK_TEST;
      g_autoptr (LsLayout) layout = layout_of (data, &query);
      const LsNetwork *n = layout->own;
      g_assert_cmpuint (n->n_thumbs, ==, e->n_worst);
      for (guint i = 0; i < n->n_thumbs; i++)
        {
          asked.own = LS_OWN_BATCH;
          ls_network_point (layout, n->wrong_area.x + n->thumb_w * (i % n->thumb_cols) + 4,
                            n->wrong_area.y + n->thumb_h * (i / n->thumb_cols) + 4, &query);
          if (asked.own != LS_OWN_TEST || asked.test != (gint64) e->worst[i].sample)
            g_error ("with lane %u’s test set a click on mistake %u, which is sample %u, shows %s %d", known,
                     i, e->worst[i].sample, asked.own == LS_OWN_TEST ? "test sample" : "the batch’s sample",
                     asked.own == LS_OWN_TEST ? (gint) asked.test : asked.sample);
        }
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/paint/network-lacks/stopped", test_stopped);
  g_test_add_func ("/paint/network-lacks/shown", test_shown);
  g_test_add_func ("/paint/network-lacks/batch", test_batch);
  g_test_add_func ("/paint/network-lacks/classes", test_classes);
  g_test_add_func ("/paint/network-lacks/whose-mistakes", test_whose_mistakes);
  return g_test_run ();
}
