/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What Network doesn't draw: values of a lane that stopped, which are of another step, and connections of
 * units for which there is no room; and the pen, once the batch's samples are wanted.
 */
#include "network_told.h"
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

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/paint/network-lacks/stopped", test_stopped);
  g_test_add_func ("/paint/network-lacks/shown", test_shown);
  g_test_add_func ("/paint/network-lacks/batch", test_batch);
  return g_test_run ();
}
