/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What may be asked of Network, and where clicks and keys come to: samples by number, mistakes one after the
 * other both ways round, units up and down, the nearest point; and what is told of both lanes' planes.
 */
#include <math.h>
#include <string.h>

#include "network_told.h"

static LsAct
click (const LsLayout *layout, double x, double y, LsQuery *query)
{
  return layout->view->point (layout, x, y, query);
}

/* A test sample is asked for by its number, of as many as there are. */
static void
test_typed (void)
{
  static const struct {
    const char *text;
    gint64 sample; /* −1: refused */
  } typed[] = { { "0", 0 },  { "999", 999 }, { "1000", -1 }, { "-1", -1 },
                { "x", -1 }, { "", -1 },     { "7", 7 },     { "1e2", -1 } };
  g_autoptr (LsViewData) data = asked_data (NULL, FALSE);
  LsNetworkState asked = LS_NETWORK_STATE_INIT;
  LsQuery query = { LS_QUERY_FIELDS, .state = &asked };
  g_autofree char *now = NULL, *question = NULL;

  data->tests = ASKED_TESTS;
  g_autoptr (LsLayout) layout = layout_of (data, &query);
  asked.test = 41;
  question = ls_view_network.asks (layout, &query, &now);
  g_assert_cmpstr (now, ==, "41");
  g_assert_cmpstr (question, ==, "Test sample, 0 to 999");
  for (guint i = 0; i < G_N_ELEMENTS (typed); i++)
    {
      asked.test = 41;
      asked.own = LS_OWN_BATCH;
      const gboolean taken = ls_view_network.typed (layout, &query, typed[i].text);
      if (taken != (typed[i].sample >= 0) || asked.test != (taken ? typed[i].sample : 41)
          || asked.own != (taken ? LS_OWN_TEST : LS_OWN_BATCH))
        g_error ("“%s” is %s as a test sample and comes to %" G_GINT64_FORMAT, typed[i].text,
                 taken ? "taken" : "refused", asked.test);
    }
}

/* For `render`: pages by their names, samples of the batch by their numbers. */
static void
test_options (void)
{
  static const struct {
    const char *option, *text, *refused;
    guint page;
    gint sample;
  } cases[] = {
    { "page", "layers", NULL, LS_NETWORK_WALK, -1 },
    { "page", "test", NULL, LS_NETWORK_TEST, -1 },
    { "page", "unit", NULL, LS_NETWORK_UNIT, -1 },
    { "page", "time", NULL, LS_NETWORK_TIME, -1 },
    { "page", "tests", "layers, test, unit or time", 0, -1 },
    { "sample", "0", NULL, 0, 0 },
    { "sample", "31", NULL, 0, 31 },
    { "sample", "32", "a whole number from 0 to 31", 0, -1 },
    { "sample", "-1", "a whole number from 0 to 31", 0, -1 },
  };
  g_autoptr (LsViewData) data = asked_data (NULL, FALSE);

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    for (const LsViewOption *option = ls_view_network.options; option->name != NULL; option++)
      if (strcmp (option->name, cases[i].option) == 0)
        {
          LsNetworkState asked = LS_NETWORK_STATE_INIT;
          g_autofree char *refused = option->read (data, cases[i].text, &asked);
          g_assert_cmpstr (refused, ==, cases[i].refused);
          g_assert_cmpuint (asked.page, ==, cases[i].page);
          g_assert_cmpint (asked.sample, ==, cases[i].sample);
        }
}

/* Only what isn't in the recording is asked of the lanes: what was drawn, samples of the test set, and of
 * points the plane; and nobody is asked where nobody answers. */
static void
test_wishes (void)
{
  static const struct {
    gboolean toy, live, strokes;
    LsOwn own;
    gboolean wanted;
    LsAsked what;
  } cases[] = {
    { FALSE, TRUE, FALSE, LS_OWN_BATCH, FALSE, 0 },
    { FALSE, TRUE, FALSE, LS_OWN_TEST, TRUE, LS_ASKED_TEST },
    { FALSE, TRUE, TRUE, LS_OWN_DRAWN, TRUE, LS_ASKED_DRAWN },
    { FALSE, TRUE, FALSE, LS_OWN_DRAWN, FALSE, 0 },
    { FALSE, TRUE, TRUE, LS_OWN_BATCH, FALSE, 0 },
    { FALSE, FALSE, FALSE, LS_OWN_TEST, FALSE, 0 },
    { TRUE, TRUE, FALSE, LS_OWN_BATCH, TRUE, LS_ASKED_GRID },
    { TRUE, FALSE, FALSE, LS_OWN_BATCH, FALSE, 0 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (LsViewData) data = asked_data (cases[i].toy ? "flatten, dense 20, relu, dense 2" : NULL,
                                                cases[i].toy);
      g_autoptr (LsStrokes) strokes = ls_strokes_new ();
      LsNetworkState asked = LS_NETWORK_STATE_INIT;
      LsQuery query = { LS_QUERY_FIELDS, .state = &asked };
      LsWish wish = { 0 };

      if (cases[i].strokes)
        asked_scribble (strokes);
      data->tests = cases[i].live ? ASKED_TESTS : 0;
      data->sample_size = cases[i].toy ? 2 : INPUTS; /* of the lanes that are asked */
      query.pen.strokes = strokes;
      asked.own = cases[i].own;
      asked.test = 17;
      ls_view_network.wish (data, &query, &wish);
      g_test_message ("case %u", i);
      g_assert_cmpint (wish.answer.wanted, ==, cases[i].wanted);
      if (!cases[i].wanted)
        continue;
      g_assert_cmpuint (wish.answer.what, ==, cases[i].what);
      if (cases[i].what == LS_ASKED_TEST)
        g_assert_cmpint (wish.answer.number, ==, 17);
      if (cases[i].what == LS_ASKED_DRAWN)
        g_assert_true (wish.answer.strokes == strokes);
    }
}

/* In playback the kept mistakes go round both ways: the next of the last is the first. */
static void
test_kept_both_ways (void)
{
  g_autoptr (LsViewData) data = asked_data (NULL, FALSE);
  const LsEvaluation *evaluation = data->sides[0].evaluation;
  const guint n = evaluation->n_worst;

  for (guint back = 0; back < 2; back++)
    {
      LsNetworkState asked = LS_NETWORK_STATE_INIT;
      LsQuery query = { LS_QUERY_FIELDS, .state = &asked };
      for (guint i = 0; i < 2 * n; i++)
        {
          const LsViewKey key = i % 2 == 0 ? (back ? LS_KEY_PREVIOUS_MISTAKE : LS_KEY_NEXT_MISTAKE)
                                           : (back ? LS_KEY_PREVIOUS : LS_KEY_NEXT);
          const guint at = back ? (2 * n - 1 - i) % n : i % n;
          g_autoptr (LsLayout) layout = layout_of (data, &query);
          g_assert_true (ls_network_key (layout, key, &query));
          g_assert_cmpuint (asked.page, ==, LS_NETWORK_TEST);
          g_assert_cmpint (asked.own, ==, LS_OWN_TEST);
          if (asked.test != (gint64) evaluation->worst[at].sample)
            g_error ("step %u %s comes to test sample %" G_GINT64_FORMAT ", not to %u", i,
                     back ? "back" : "on", asked.test, evaluation->worst[at].sample);
          const guint32 sample = evaluation->worst[at].sample;
          g_autoptr (LsLayout) shown = layout_of (data, &query);
          g_autofree char *words = ls_layout_describe (shown),
                          *told = g_strdup_printf (
                            "Test sample %u, labelled %d, said to be %d: one of the worst mistakes.", sample,
                            evaluation->labels[sample], evaluation->predicted[sample]);
          if (strstr (words, told) == NULL)
            g_error ("of the kept mistake %u isn’t told “%s”, but: %s", at, told, words);
        }
    }
}

/* An arrow goes to the cell beside, above or below, as it is drawn. */
static void
test_arrows (void)
{
  static const struct {
    LsViewKey key;
    double dx, dy;
  } arrows[]
    = { { LS_KEY_LEFT, -1, 0 }, { LS_KEY_RIGHT, 1, 0 }, { LS_KEY_UP, 0, -1 }, { LS_KEY_DOWN, 0, 1 } };
  g_autoptr (LsViewData) data = asked_data (NULL, FALSE);
  guint moved = 0, stayed = 0;

  for (gint layer = 1; layer <= 2; layer++)
    for (gint unit = 0; unit < (layer == 1 ? FIRST : SECOND); unit += 5)
      for (guint k = 0; k < G_N_ELEMENTS (arrows); k++)
        {
          LsNetworkState asked = LS_NETWORK_STATE_INIT;
          LsQuery query = { LS_QUERY_FIELDS, .state = &asked };
          LsArea before, after;

          asked.layer = layer;
          asked.unit = unit;
          g_autoptr (LsLayout) layout = draw_view (&ls_view_network, data, &query, LS_LOOK_LIGHT, 1920, 1080);
          const LsNetwork *n = layout->own;
          g_assert_true (ls_network_unit_area (n, layer, unit, &before));
          g_assert_true (ls_network_key (layout, arrows[k].key, &query));
          if (asked.layer != layer || (asked.layer == layer && asked.unit == unit))
            {
              stayed++; /* at an edge */
              continue;
            }
          g_assert_true (ls_network_unit_area (n, layer, asked.unit, &after));
          const double dx = (after.x - before.x) / n->layers[layer].cell_w,
                       dy = (after.y - before.y) / n->layers[layer].cell_h;
          if (fabs (dx - arrows[k].dx) > .1 || fabs (dy - arrows[k].dy) > .1)
            g_error ("from unit %d of layer %d arrow %u goes %.1f cells right and %.1f down", unit, layer, k,
                     dx, dy);
          moved++;
        }
  g_assert_cmpuint (moved, >, 150);
  g_assert_cmpuint (stayed, <, moved);
}

/* A cell of the batch's confusion goes through all of its samples, and round. */
static void
test_cells_round (void)
{
  g_autoptr (LsViewData) data = ls_fixture_data (&ls_fixture_desk);
  LsNetworkState asked = LS_NETWORK_STATE_INIT;
  LsQuery query = { LS_QUERY_FIELDS, .state = &asked };
  gint first = -1;
  guint n = 0;

  for (guint i = 0; i < 60; i++, n++)
    {
      g_autoptr (LsLayout) layout = layout_of (data, &query);
      const LsNetwork *network = layout->own;
      g_assert_true (click (layout, network->matrix_area[0].x + 3.5 * network->matrix_cell[0],
                            network->matrix_area[0].y + 3.5 * network->matrix_cell[0], &query));
      g_assert_cmpint (asked.own, ==, LS_OWN_BATCH);
      g_assert_cmpint (asked.sample % 10, ==, 3);
      if (first < 0)
        first = asked.sample;
      else if (asked.sample == first)
        break;
    }
  g_assert_cmpuint (n, >, 5); /* of a batch of 128, a tenth, less the mistakes */
  g_assert_cmpuint (n, <, 14);
}

/* ---- the plane ---- */

/* A click finds the point that is nearest to it. */
static void
test_nearest (void)
{
  g_autoptr (LsViewData) data = asked_data ("flatten, dense 20, relu, dense 2", TRUE);
  LsNetworkState asked = LS_NETWORK_STATE_INIT;
  LsQuery query = { LS_QUERY_FIELDS, .state = &asked };

  asked_add_answers (data, LS_ASKED_GRID, -1, 0, 16);
  g_autoptr (LsLayout) layout = layout_of (data, &query);
  const LsNetwork *n = layout->own;
  const float *points = recorded (data, 0, "x");
  const LsArea *area = &n->sample_area;
  for (guint i = 0; i < 64; i++)
    {
      const double px = -2 + 4 * ((i * 37 % 64) / 63.), py = -2 + 4 * (i / 63.); /* of 2.5, to all sides */
      double least = HUGE_VAL;
      guint nearest = 0;

      for (guint b = 0; b < BATCH; b++)
        {
          const double d = hypot ((double) points[2 * b] - px, (double) points[2 * b + 1] - py);
          nearest = d < least ? b : nearest;
          least = MIN (least, d);
        }
      g_assert_true (click (layout, area->x + area->w / 2 * (1 + px / 2.5),
                            area->y + area->w / 2 * (1 - py / 2.5), &query));
      g_assert_cmpint (asked.own, ==, LS_OWN_BATCH);
      const double found = hypot ((double) points[2 * asked.sample] - px,
                                  (double) points[2 * asked.sample + 1] - py);
      if (found > least + 1e-4)
        g_error ("at (%.2f, %.2f) sample %d is found, %.2f away, and sample %u is %.2f away", px, py,
                 asked.sample, found, nearest, least);
    }
}

/* How far the lanes' planes are apart, at how many points they say another class, and that planes after
 * different steps aren't compared. */
static void
test_planes (void)
{
  static const guint flipped[] = { 0, 1, 17 };

  for (guint i = 0; i < G_N_ELEMENTS (flipped) + 1; i++)
    {
      g_autoptr (LsViewData) data = asked_data ("flatten, dense 20, relu, dense 2", TRUE);
      const gboolean apart = i == G_N_ELEMENTS (flipped);
      LsNetworkState asked = LS_NETWORK_STATE_INIT;
      LsQuery query = { LS_QUERY_FIELDS, .state = &asked };
      guint derived = 0;

      asked_add_answers (data, LS_ASKED_GRID, -1, 0, 16);
      float *p[LS_SIDES] = { data->sides[0].answer->probs, data->sides[1].answer->probs };
      for (guint k = 0; k < 2 * 256; k++)
        p[1][k] = p[0][k]; /* the same, but for these: */
      for (guint k = 0; !apart && k < flipped[i]; k++)
        {
          p[1][2 * (k * 15)] = p[0][2 * (k * 15) + 1];
          p[1][2 * (k * 15) + 1] = p[0][2 * (k * 15)];
        }
      if (apart)
        data->sides[1].answer->steps = 1300;
      asked.page = LS_NETWORK_TEST;
      g_autoptr (LsLayout) layout = layout_of (data, &query);
      const LsNetwork *n = layout->own;
      g_autofree char *words = ls_layout_describe (layout), *same = NULL, *otherwise = NULL;
      if (apart)
        {
          g_assert_nonnull (
            strstr (words, "The planes are those after step 1\u2009234 and after step 1\u2009300."));
          g_assert_null (text_like (layout, "", "said otherwise"));
          continue;
        }
      same = g_strdup_printf ("The plane: of 256 points the lanes say the same of %u.", 256 - flipped[i]);
      otherwise = g_strdup_printf ("%u of 256 points said otherwise", flipped[i]);
      if (strstr (words, same) == NULL)
        g_error ("“%s” isn’t said: %s", same, words);
      if (text_like (layout, "#", otherwise) == NULL)
        g_error ("“%s” isn’t said", otherwise);
      if (flipped[i] == 0)
        g_assert_nonnull (text_like (layout, "bit for bit", ""));
      else /* .93 and .07 */
        ASSERT_NUMBERS ("how far the planes are apart", text_like (layout, "max |Δ| ", ""), .86);
      /* both planes are the lanes’ own answers; what they differ in is worked out */
      for (guint k = 0; k < layout->still->items->len; k++)
        {
          const LsItem *item = ls_scene_get (layout->still, k);
          double x, y, w, h;
          ls_item_bounds (layout->still, item, &x, &y, &w, &h);
          if (y < n->top - 1 || y > n->bottom) /* curves */
            continue;
          if (item->kind == LS_ITEM_IMAGE && item->ink == LS_INK_AMOUNT)
            {
              g_assert_cmpuint (item->evidence, ==, LS_EVIDENCE_DERIVED);
              derived++;
            }
          else if (item->kind == LS_ITEM_IMAGE || item->kind == LS_ITEM_DOTS)
            g_assert_cmpuint (item->evidence, ==, LS_EVIDENCE_MEASURED);
          else if (item->kind == LS_ITEM_RINGS)
            g_assert_cmpuint (item->evidence, ==, LS_EVIDENCE_DERIVED);
        }
      g_assert_cmpuint (derived, ==, 1);
    }
}

/* A picture of weights is framed where it is of the unit that is picked: a unit of a further layer with the
 * same number has none. */
static void
test_framed_pictures (void)
{
  g_autoptr (LsViewData) data = asked_data (NULL, FALSE);
  LsNetworkState asked = LS_NETWORK_STATE_INIT;
  LsQuery query = { LS_QUERY_FIELDS, .state = &asked };

  query.time_ns = LS_TIME_END;
  for (gint layer = 1; layer <= 2; layer++)
    for (guint i = 0; i < 5; i += 2)
      {
        g_autoptr (LsLayout) first = layout_of (data, &query);
        asked.unit = ((const LsNetwork *) first->own)->pictures[i];
        asked.layer = layer;
        g_autoptr (LsLayout) layout = layout_of (data, &query);
        const LsNetwork *n = layout->own;
        guint framed = 0;

        ls_layout_move (layout, &query);
        g_assert_cmpint (n->layer, ==, layer);
        for (guint k = 0; k < layout->moving->items->len; k++)
          {
            const LsItem *item = ls_scene_get (layout->moving, k);
            if (item->kind != LS_ITEM_FRAME || (double) item->x + .5 < n->picture_area.x
                || (double) item->x >= n->picture_area.x + n->picture_area.w)
              continue;
            const guint col = (guint) round (((double) item->x - n->picture_area.x) / n->picture_w),
                        row = (guint) round (((double) item->y - n->picture_area.y) / n->picture_h);
            framed++;
            if (n->pictures[row * n->picture_cols + col] != n->unit)
              g_error ("unit %d is picked, and the picture of unit %d is framed", (gint) n->unit,
                       (gint) n->pictures[row * n->picture_cols + col]);
          }
        if (framed != (layer == 1))
          g_error ("unit %d of layer %d is picked, and %u pictures of the first layer are framed",
                   (gint) n->unit, layer, framed);
        asked = (LsNetworkState) LS_NETWORK_STATE_INIT;
      }
}

/* From a sample of the user's the first of the batch's mistakes follows, or the last one, whichever they are;
 * from one of the batch the next one that way, round its ends. */
static void
test_from_own (void)
{
  static const struct {
    gint sample; /* −1: the user's */
    gboolean back;
    gint comes;
  } cases[] = { { -1, FALSE, 0 }, { -1, TRUE, 31 }, { 0, FALSE, 7 }, { 0, TRUE, 31 },  { 5, FALSE, 7 },
                { 5, TRUE, 0 },   { 7, FALSE, 31 }, { 7, TRUE, 0 },  { 31, FALSE, 0 }, { 31, TRUE, 7 } };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (LsViewData) data = asked_data (NULL, FALSE);
      g_autoptr (LsStrokes) strokes = ls_strokes_new ();
      LsNetworkState asked = LS_NETWORK_STATE_INIT;
      LsQuery query = { LS_QUERY_FIELDS, .state = &asked };
      float *probs = (float *) recorded (data, 0, "probs");

      for (guint side = 0; side < LS_SIDES; side++) /* so that mistakes are the batch's */
        g_clear_pointer (&data->sides[side].evaluation, ls_evaluation_unref);
      for (gint sample = 0; sample < BATCH; sample++)
        for (gint c = 0; c < CLASSES; c++)
          {
            const gboolean wrong = sample == 0 || sample == 7 || sample == 31;
            probs[sample * CLASSES + c] = c == (sample + wrong) % CLASSES ? .9f : .01f;
          }
      asked_add_answers (data, LS_ASKED_DRAWN, -1, 3, 0);
      asked_scribble (strokes);
      query.pen.strokes = strokes;
      data->tests = ASKED_TESTS;
      asked.own = cases[i].sample < 0 ? LS_OWN_DRAWN : LS_OWN_BATCH;
      asked.sample = MAX (cases[i].sample, 0);
      g_autoptr (LsLayout) layout = layout_of (data, &query);
      g_assert_cmpint (((const LsNetwork *) layout->own)->sample, ==, cases[i].sample);
      const LsViewKey key = cases[i].back ? LS_KEY_PREVIOUS_MISTAKE : LS_KEY_NEXT_MISTAKE;
      g_assert_cmpint (ls_network_key (layout, key, &query), ==, LS_ACT_CHANGED);
      if (asked.own != LS_OWN_BATCH || asked.sample != cases[i].comes)
        g_error ("of the mistakes 0, 7 and 31 %s sample %d comes sample %d, not %d",
                 cases[i].back ? "before" : "after", cases[i].sample, asked.sample, cases[i].comes);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/paint/network-asked/typed", test_typed);
  g_test_add_func ("/paint/network-asked/options", test_options);
  g_test_add_func ("/paint/network-asked/wishes", test_wishes);
  g_test_add_func ("/paint/network-asked/kept", test_kept_both_ways);
  g_test_add_func ("/paint/network-asked/arrows", test_arrows);
  g_test_add_func ("/paint/network-asked/cells", test_cells_round);
  g_test_add_func ("/paint/network-asked/nearest", test_nearest);
  g_test_add_func ("/paint/network-asked/planes", test_planes);
  g_test_add_func ("/paint/network-asked/framed-pictures", test_framed_pictures);
  g_test_add_func ("/paint/network-asked/from-own", test_from_own);
  return g_test_run ();
}
