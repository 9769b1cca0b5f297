/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Network's pad: what both lanes read of what was drawn, and that nothing of the batch is taken for an answer
 * to it; the plane of two-dimensional data.
 */
#include <math.h>
#include <string.h>

#include "tests/paint/asked.h"
#include "tests/paint/draw.h"
#include "tests/paint/said.h"
#include "ui/paint/network/network.h"
#include "ui/paint/views.h"

static LsLayout *
layout_of (LsViewData *data, const LsQuery *query, LsLook look, const double *size)
{
  return draw_view (&ls_view_network, data, query, look, size[0], size[1]);
}

/* What was drawn is the sample, each lane's answer has its digit, and the batch's label is nowhere. */
static void
test_drawn (void)
{
  g_autoptr (LsViewData) data = asked_data (NULL, FALSE);
  g_autoptr (LsStrokes) strokes = ls_strokes_new ();
  LsNetworkState asked = LS_NETWORK_STATE_INIT;
  LsQuery query = { LS_QUERY_FIELDS, .state = &asked };
  g_autoptr (LsLayout) layout = NULL, nobody = NULL;
  g_autofree char *words = NULL;
  const LsNetwork *n;

  asked_scribble (strokes);
  data->tests = ASKED_TESTS;
  query.pen.strokes = strokes;
  asked.own = LS_OWN_DRAWN;
  nobody = layout_of (data, &query, LS_LOOK_LIGHT, draw_sizes[1]); /* nothing has been answered yet */
  g_assert_false (((const LsNetwork *) nobody->own)->own);
  asked_add_answers (data, LS_ASKED_DRAWN, -1, 7, 0);
  layout = layout_of (data, &query, LS_LOOK_LIGHT, draw_sizes[1]);
  n = layout->own;
  g_assert_true (n->own);
  g_assert_cmpint (n->predicted, ==, 7);
  g_assert_cmpint (n->label, ==, -1);
  g_assert_true (n->both);
  g_assert_cmpuint (n->n_layers, ==, 4);
  g_assert_true (says (layout->still, "reads"));
  g_assert_true (says (layout->still, "7: 0.93")); /* beside each lane's name */
  for (guint pen = 0; pen < 2; pen++)
    {
      /* the batch's label is no answer to what was drawn, nor to what will be */
      asked.own = pen > 0 ? LS_OWN_BATCH : LS_OWN_DRAWN;
      query.pen.keys = pen > 0;
      for (guint s = 0; s < G_N_ELEMENTS (draw_sizes); s++)
        {
          g_autoptr (LsLayout) drawing = layout_of (data, &query, LS_LOOK_LIGHT, draw_sizes[s]);
          g_assert_false (says (drawing->still, "labelled"));
          g_assert_false (says (drawing->still, "the label"));
          g_assert_false (says (drawing->still, ", right"));
        }
    }
  asked.own = LS_OWN_DRAWN;
  query.pen.keys = FALSE;
  g_assert_false (says (nobody->still, "labelled"));
  g_assert_false (says (nobody->still, ", right"));
  g_assert_cmpfloat (n->pad.w, >, 80);
  words = ls_layout_describe (layout);
  g_assert_nonnull (strstr (
    words, "What you have drawn, said to be 7. CPU says 7 with 93 %. OpenCL on the CPU says 7 with 93 %."));
  g_assert_cmpint (ls_network_point (layout, n->clear.x + 3, n->clear.y + 3, &query), ==, LS_ACT_CLEAR);
  g_assert_cmpuint (layout->moving->items->len, >=, 2); /* two strokes */
  for (guint i = 0; i < layout->moving->items->len; i++)
    {
      const LsItem *item = ls_scene_get (layout->moving, i);
      if (item->kind == LS_ITEM_LINE && item->ink == LS_INK_TEXT
          && fabs ((double) item->size - LS_STROKES_PEN * n->pad.w) > .1)
        g_error ("on a pad of %g px the pen is %g wide, and the network gets one of %g", n->pad.w,
                 (double) item->size, LS_STROKES_PEN * n->pad.w);
    }
}

/* The ink's centre of mass comes to the middle, up and down as far as there is room there, however little
 * room is beside it. */
static void
test_centred (void)
{
  for (guint i = 0; i < 4; i++)
    {
      const gboolean lying = i % 2 > 0;
      const double line = i < 2 ? .2 : .8, dot = 1 - line; /* to both sides */
      g_autoptr (LsStrokes) strokes = ls_strokes_new ();
      float values[28 * 28];
      double mass = 0, x = 0, y = 0;

      /* a long line, and a dot far from it */
      ls_strokes_begin (strokes, lying ? .1 : line, lying ? line : .1);
      ls_strokes_to (strokes, lying ? .9 : line, lying ? line : .9);
      ls_strokes_begin (strokes, lying ? .5 : dot, lying ? dot : .5);
      g_assert_true (ls_strokes_image (strokes, 28, 28, values));
      for (guint k = 0; k < 28 * 28; k++)
        {
          mass += (double) values[k];
          x += (double) values[k] * (k % 28 + .5);
          y += (double) values[k] * (k / 28 + .5);
        }
      if (fabs (x / mass - 14.5) > .6 || fabs (y / mass - 14.5) > .6)
        g_error ("the ink of %s line with a dot beside it is centred at (%.1f, %.1f), not at (14.5, 14.5)",
                 lying ? "a level" : "an upright", x / mass, y / mass);
    }
}

/* The batch's points stand where they lie in the plane, y upwards. */
static void
test_points (void)
{
  g_autoptr (LsViewData) data = asked_data ("flatten, dense 20, relu, dense 2", TRUE);
  LsNetworkState asked = LS_NETWORK_STATE_INIT;
  LsQuery query = { LS_QUERY_FIELDS, .state = &asked };
  asked_add_answers (data, LS_ASKED_GRID, -1, 0, 16);
  g_autoptr (LsLayout) layout = layout_of (data, &query, LS_LOOK_LIGHT, draw_sizes[1]);
  const LsNetwork *n = layout->own;
  const LsScene *s = layout->still;
  const LsItem *plane = NULL;

  for (guint i = 0; plane == NULL && i < s->items->len; i++)
    plane = ls_scene_get (s, i)->kind == LS_ITEM_IMAGE ? ls_scene_get (s, i) : NULL;
  for (gint64 b = 0; b < n->batch; b++)
    {
      const float *at = ls_network_input (n, b), reach = (float) ls_network_reach (n);
      const float x = plane->x + plane->w / 2 * (1 + CLAMP (at[0] / reach, -1, 1)),
                  y = plane->y + plane->h / 2 * (1 - CLAMP (at[1] / reach, -1, 1));
      guint i = 0;

      while (i < s->points->len
             && (fabsf (g_array_index (s->points, float, i) - x) > .1f
                 || fabsf (g_array_index (s->points, float, i + 1) - y) > .1f))
        i += 2;
      if (i >= s->points->len)
        g_error ("no point stands at (%g, %g) of the plane", (double) at[0], (double) at[1]);
    }
}

/* The grid's pictures have their columns where the plane has them. */
static void
test_plane (void)
{
  g_autoptr (LsViewData) data = asked_data ("flatten, dense 20, relu, dense 2", TRUE);
  LsNetworkState asked = LS_NETWORK_STATE_INIT;
  LsQuery query = { LS_QUERY_FIELDS, .state = &asked };
  g_autoptr (LsLayout) before = layout_of (data, &query, LS_LOOK_LIGHT, draw_sizes[1]), layout = NULL,
                       page = NULL;
  guint images = 0, rows = 0;

  g_assert_false (says (before->still, "Difference"));
  asked_add_answers (data, LS_ASKED_GRID, -1, 0, 16);
  layout = layout_of (data, &query, LS_LOOK_LIGHT, draw_sizes[1]);
  g_assert_true (says (layout->still, "Difference"));
  g_assert_true (says (layout->still, "0 of 256"));
  g_assert_cmpfloat (fabs (ls_network_reach (layout->own) - 2.5), <, 1e-9);
  /* without a grid as far as the farthest point, to whichever side */
  g_assert_cmpfloat (ls_network_reach (&(const LsNetwork){ .low = -3, .high = 1 }), >, 3);
  g_assert_cmpfloat (ls_network_reach (&(const LsNetwork){ .low = -1, .high = 3 }), >, 3);
  for (guint i = 0; i < layout->still->images->len; i++)
    {
      const LsSceneImage *image = g_ptr_array_index (layout->still->images, i);
      images += image->cols == 16 && image->rows == 16;
      for (guint k = 0; image->cols == 16 && k < 16; k++)
        rows += image->levels[16 * k] < 128 && image->levels[16 * k + 15] > 128;
    }
  g_assert_cmpuint (images, ==, 3);
  g_assert_cmpuint (rows, ==, 32); /* class 0 is left, class 1 right, in both lanes */
  asked.page = LS_NETWORK_TEST;
  page = layout_of (data, &query, LS_LOOK_PROJECTOR, draw_sizes[2]);
  g_assert_true (says (page->still, "after step 1"));
}

/* Of the worst mistakes the one is framed that is shown as a sample of the test set; what was drawn is none
 * of them, whatever its number. */
static void
test_shown_mistake (void)
{
  static const LsAsked asked_for[] = { LS_ASKED_TEST, LS_ASKED_DRAWN };

  for (gsize i = 0; i < G_N_ELEMENTS (asked_for); i++)
    for (guint shown = 0; shown < 6; shown += 2)
      {
        g_autoptr (LsViewData) data = asked_data (NULL, FALSE);
        LsNetworkState asked = LS_NETWORK_STATE_INIT;
        LsQuery query = { LS_QUERY_FIELDS, .state = &asked };
        const LsEvaluation *e = data->sides[0].evaluation;
        const gboolean is_test = asked_for[i] == LS_ASKED_TEST;
        guint framed = 0, which = 0;

        data->tests = ASKED_TESTS;
        asked_add_answers (data, asked_for[i], e->worst[shown].sample, 7, 0);
        asked.page = LS_NETWORK_TEST;
        asked.own = is_test ? LS_OWN_TEST : LS_OWN_DRAWN;
        g_autoptr (LsLayout) layout = layout_of (data, &query, LS_LOOK_LIGHT, draw_sizes[2]);
        const LsNetwork *n = layout->own;
        g_assert_true (n->own);
        for (guint k = 0; k < layout->still->items->len; k++)
          {
            const LsItem *item = ls_scene_get (layout->still, k);
            const double col = floor (((double) (item->x + item->w / 2) - n->wrong_area.x) / n->thumb_w);
            if (item->kind != LS_ITEM_FRAME || col < 0 || (double) item->y < n->wrong_area.y - 1)
              continue;
            framed++;
            which = (guint) col;
          }
        if (framed != (is_test ? 1 : 0) || (is_test && which % n->thumb_cols != shown % n->thumb_cols))
          g_error ("%s number %u is shown, and %u mistakes are framed, number %u last",
                   is_test ? "test sample of mistake" : "what was drawn, with the sample of mistake", shown,
                   framed, which);
      }
}

/* Beside what a lane reads on the pad stands its whole name where that has room, else its brief one. */
static void
test_names (void)
{
  g_autoptr (LsViewData) data = asked_data (NULL, FALSE);
  LsNetworkState asked = LS_NETWORK_STATE_INIT;
  LsQuery query = { LS_QUERY_FIELDS, .state = &asked };
  g_autoptr (LsStrokes) strokes = ls_strokes_new ();
  guint seen[2] = { 0 }; /* brief, whole */

  asked_scribble (strokes);
  data->tests = ASKED_TESTS;
  query.pen.strokes = strokes;
  asked.own = LS_OWN_DRAWN;
  asked_add_answers (data, LS_ASKED_DRAWN, -1, 7, 0);
  g_assert_cmpstr (data->sides[1].name, !=, data->sides[1].brief);
  for (guint size = 0; size < G_N_ELEMENTS (draw_sizes); size++)
    {
      g_autoptr (LsLayout) layout = layout_of (data, &query, LS_LOOK_LIGHT, draw_sizes[size]);
      const LsScene *s = layout->still;

      for (guint i = 0; i < s->items->len; i++)
        for (guint k = 0; k < s->items->len; k++)
          {
            const LsItem *name = ls_scene_get (s, i), *number = ls_scene_get (s, k);
            if (name->kind != LS_ITEM_TEXT || number->kind != LS_ITEM_TEXT || name->ink != LS_INK_LANE
                || name->type.weight < 700 || number->align != LS_RIGHT || name->y != number->y
                || (guint) name->value != 1 || !g_str_has_prefix (number->text, "7: "))
              continue;
            const gboolean room = (double) name->x
                                    + ls_scene_width (layout->still, name->type, data->sides[1].name)
                                    + 2 * layout->m.unit
                                  <= (double) number->x + .01;
            if (strcmp (name->text, room ? data->sides[1].name : data->sides[1].brief) != 0)
              g_error ("“%s” stands beside “%s”, and there is%s room for “%s”", name->text, number->text,
                       room ? "" : " no", data->sides[1].name);
            seen[room]++;
          }
    }
  if (seen[0] + seen[1] == 0)
    g_error ("no lane’s name stands beside what it reads");
}

/* What is predicted of the batch's samples is there once the step has come to it; of what was drawn at once,
 * as it is no part of the step. */
static void
test_at_once (void)
{
  static const double size[] = { 1920, 1080 };

  for (guint own = 0; own < 2; own++)
    {
      g_autoptr (LsViewData) data = asked_data (NULL, FALSE);
      g_autoptr (LsStrokes) strokes = ls_strokes_new ();
      LsNetworkState asked = LS_NETWORK_STATE_INIT;
      LsQuery query = { LS_QUERY_FIELDS, .state = &asked };
      guint later = 0;

      data->tests = ASKED_TESTS;
      if (own)
        {
          asked_add_answers (data, LS_ASKED_DRAWN, -1, 3, 0);
          asked_scribble (strokes);
          query.pen.strokes = strokes;
          asked.own = LS_OWN_DRAWN;
        }
      g_autoptr (LsLayout) layout = layout_of (data, &query, LS_LOOK_LIGHT, size);
      const LsNetwork *n = layout->own;
      g_assert_cmpint (n->own, ==, own);
      for (guint i = 0; i < layout->still->items->len; i++)
        {
          const LsItem *item = ls_scene_get (layout->still, i);

          later += item->when != LS_WHEN_ALWAYS && (double) item->x >= n->said_area.x
                   && (double) item->x < n->said_area.x + n->said_area.w;
        }
      if ((later > 0) != !own)
        g_error ("%u marks of what is predicted of %s wait for the step", later,
                 own ? "what was drawn" : "the batch");
    }
}

/* A button is as wide as its words need, at least a little wider than high, says which one is chosen, and
 * isn't there where it would reach beyond its room. */
static void
test_buttons (void)
{
  static const struct {
    const char *text;
    double right; /* px right of its words' width and the gaps beside them */
    gboolean chosen, there;
  } rows[] = { { "Test sample", 0, FALSE, TRUE },    { "Test sample", 0, TRUE, TRUE },
               { "Test sample", -.5, FALSE, FALSE }, { "Test sample", 90, TRUE, TRUE },
               { "Test sample", -60, FALSE, FALSE }, { "Test sample", -400, FALSE, FALSE } };
  g_autoptr (LsViewData) data = asked_data (NULL, FALSE);
  const LsQuery query = LS_QUERY_INIT;
  g_autoptr (LsLayout) layout = layout_of (data, &query, LS_LOOK_LIGHT, draw_sizes[1]);
  const LsNetwork *n = layout->own;
  const LsMetrics *m = &layout->m;

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      const double w = ls_scene_width (layout->still, m->label, rows[i].text) + 5 * m->unit;
      LsArea area = { 1, 2, 3, 4 };

      ls_scene_clear (layout->still);
      const double end = ls_network_button (n, &area, 100, 50, 100 + w + rows[i].right, rows[i].text,
                                            rows[i].chosen);
      const LsItem *text = find_text (layout->still, rows[i].text);
      if ((text != NULL) != rows[i].there)
        g_error ("with %g px more than it needs, the button is %s", rows[i].right,
                 text ? "there" : "missing");
      g_assert_cmpfloat (end, ==, rows[i].there ? 100 + w : 100);
      if (text == NULL)
        {
          g_assert_true (area.w == 0 && area.h == 0);
          continue;
        }
      g_assert_true (area.x == 100 && area.y == 50 && area.w == w && area.h == ls_network_button_height (n));
      g_assert_cmpuint (text->type.weight, ==, rows[i].chosen ? 700 : 400);
      g_assert_cmpuint (layout->still->items->len, ==, rows[i].chosen ? 3 : 2); /* with a line under it */
      g_assert_cmpfloat_with_epsilon (((double) text->x + ls_item_right (text)) / 2, 100 + w / 2, .5);
    }
}

/* The key that turns to the pad and away from it shows what was drawn before, if anything was. */
static void
test_turn_to_pad (void)
{
  for (guint drawn = 0; drawn < 2; drawn++)
    {
      g_autoptr (LsViewData) data = asked_data (NULL, FALSE);
      g_autoptr (LsStrokes) strokes = ls_strokes_new ();
      LsNetworkState asked = LS_NETWORK_STATE_INIT;
      LsQuery query = { LS_QUERY_FIELDS, .state = &asked };

      if (drawn)
        asked_scribble (strokes);
      query.pen.strokes = strokes;
      data->tests = ASKED_TESTS;
      g_autoptr (LsLayout) layout = layout_of (data, &query, LS_LOOK_LIGHT, draw_sizes[1]);
      for (guint turn = 0; turn < 4; turn++)
        {
          const LsOwn before = turn == 2 ? LS_OWN_BATCH : asked.own; /* back at the batch in between */
          asked.own = before;
          g_assert_cmpint (ls_network_key (layout, LS_KEY_DRAW, &query), ==, LS_ACT_CHANGED);
          g_assert_cmpint (query.pen.keys, ==, turn % 2 == 0);
          if (asked.own != (drawn && turn % 2 == 0 ? LS_OWN_DRAWN : before))
            g_error ("turned %s the pad, on which %s drawn, what is shown is of sort %u",
                     turn % 2 ? "from" : "to", drawn ? "something is" : "nothing is", asked.own);
        }
    }
}

/* Where there is no room for a pad beside the layers it stands in the sample's place: as soon as the keys
 * draw, and while what was drawn is shown. */
static void
test_in_place (void)
{
  for (guint k = 0; k < 8; k++)
    {
      const gboolean keys = k & 1, drawn = k >> 1 & 1, live = k >> 2 & 1, wanted = live && (keys || drawn);
      g_autoptr (LsViewData) data = asked_data (NULL, FALSE);
      g_autoptr (LsStrokes) strokes = ls_strokes_new ();
      LsNetworkState asked = LS_NETWORK_STATE_INIT;
      LsQuery query = { LS_QUERY_FIELDS, .state = &asked };

      asked_scribble (strokes);
      query.pen.strokes = strokes;
      query.pen.keys = keys;
      asked.own = drawn ? LS_OWN_DRAWN : LS_OWN_BATCH;
      data->tests = live ? ASKED_TESTS : 0;
      g_autoptr (LsLayout) layout = layout_of (data, &query, LS_LOOK_LIGHT, draw_sizes[0]);
      const LsNetwork *n = layout->own;
      if ((n->pad.w > 0) != wanted || (find_text (layout->still, "Sample") == NULL) != wanted)
        g_error ("%s, keys %s, what is shown is %s: there is %s pad, and %s sample",
                 live ? "a run" : "a recording", keys ? "draw" : "don’t draw",
                 drawn ? "drawn" : "the batch’s", n->pad.w > 0 ? "a" : "no",
                 find_text (layout->still, "Sample") != NULL ? "a" : "no");
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/paint/network-pad/in-place", test_in_place);
  g_test_add_func ("/paint/network-pad/turn-to-pad", test_turn_to_pad);
  g_test_add_func ("/paint/network-pad/buttons", test_buttons);
  g_test_add_func ("/paint/network-pad/drawn", test_drawn);
  g_test_add_func ("/paint/network-pad/centred", test_centred);
  g_test_add_func ("/paint/network-pad/points", test_points);
  g_test_add_func ("/paint/network-pad/plane", test_plane);
  g_test_add_func ("/paint/network-pad/shown-mistake", test_shown_mistake);
  g_test_add_func ("/paint/network-pad/names", test_names);
  g_test_add_func ("/paint/network-pad/at-once", test_at_once);
  return g_test_run ();
}
