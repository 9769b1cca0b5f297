/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Network beyond the recorded batch: the test set, samples of one's own, units; every page at
 * every size; where clicks and keys lead.
 */
#include <math.h>
#include <string.h>

#include "core/number.h"
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

/* Nothing overlaps, on no page, for no net, whoever's sample it is. */
static void
test_layouts (gconstpointer user_data)
{
  static const struct {
    const char *model;
    gboolean toy;
  } nets[] = {
    { NULL, FALSE },
    { "conv 16 3 pad 1, relu, maxpool 2, conv 32 3 pad 1, relu, maxpool 2, flatten, dense 64, relu, dense 10",
      FALSE },
    { "flatten, dense 20, relu, dense 2", TRUE },
    { "flatten, dense 2", TRUE },
    { "flatten, dense 10", FALSE },
    { "flatten, dense 1000, relu, dense 10", FALSE },
    { "flatten, dense 9, relu, dense 9, relu, dense 9, relu, dense 9, relu, dense 9, relu, dense 9, relu, "
      "dense 9, relu, dense 9, relu, dense 9, relu, dense 10",
      FALSE },
  };
  const guint net = GPOINTER_TO_UINT (user_data);
  g_autoptr (LsStrokes) strokes = ls_strokes_new ();
  g_autoptr (LsViewData) data = asked_data (nets[net].model, nets[net].toy);
  guint n = 0;

  for (guint page = 0; page < LS_NETWORK_N_PAGES; page++)
    for (guint own = LS_OWN_BATCH; own <= LS_OWN_TEST; own++)
      for (guint s = 0; s < G_N_ELEMENTS (draw_sizes); s++)
        for (guint look = LS_LOOK_LIGHT; look < LS_LOOK_N; look++)
          {
            g_autoptr (LsLayout) layout = NULL;
            LsNetworkState asked = LS_NETWORK_STATE_INIT;
            LsQuery query = { LS_QUERY_FIELDS, .state = &asked };

            if (look == LS_LOOK_DARK) /* places are those of light */
              continue;
            ls_strokes_clear (strokes);
            if (own == LS_OWN_DRAWN)
              asked_scribble (strokes);
            asked_add_answers (data,
                               own == LS_OWN_BATCH   ? LS_ASKED_GRID
                               : own == LS_OWN_DRAWN ? LS_ASKED_DRAWN
                                                     : LS_ASKED_TEST,
                               11, 1, nets[net].toy ? 8 : 0);
            asked.page = page;
            asked.own = own;
            data->tests = look == LS_LOOK_PRINT ? 0 : ASKED_TESTS;
            query.pen.strokes = look == LS_LOOK_PRINT ? NULL : strokes;
            query.pen.keys = s % 2 == 1;
            query.chrome = query.key = look != LS_LOOK_LIGHT;
            asked.layer = n++ % 3 == 0 ? 1 : -1;
            asked.unit = 3;
            layout = layout_of (data, &query, (LsLook) look, draw_sizes[s]);
            check_layout (layout, "beyond the batch");
          }
  end_faults ();
}

/* In playback the kept mistakes can be walked through, each with its image; no layers are told of it. */
static void
test_kept (LsViewData *data, LsQuery *query, const LsNetworkState *asked)
{
  const LsEvaluation *evaluation = data->sides[0].evaluation;

  for (guint i = 1; i < 4; i++)
    {
      g_autoptr (LsLayout) page = layout_of (data, query, LS_LOOK_LIGHT, draw_sizes[2]);
      const LsNetwork *n = page->own;
      g_autofree char *words = ls_layout_describe (page);
      g_autofree char *told = g_strdup_printf (
        "Test sample %u, labelled %d, said to be %d: one of the worst mistakes.", evaluation->worst[i].sample,
        evaluation->labels[evaluation->worst[i].sample], evaluation->predicted[evaluation->worst[i].sample]);

      g_assert_cmpint (asked->page, ==, LS_NETWORK_TEST);
      g_assert_cmpint (n->kept, ==, (gint) i);
      g_assert_nonnull (strstr (words, told));
      /* under the image, too, with how sure it was of that */
      const guint was = evaluation->labels[evaluation->worst[i].sample],
                  taken = evaluation->predicted[evaluation->worst[i].sample];
      g_autofree char *sure = ls_number_text (100 * (double) evaluation->worst[i].confidence, 3),
                      *said = g_strdup_printf ("said to be %u, with %s %%", taken, sure),
                      *brief = g_strdup_printf ("%u → %u, %s %%", was, taken, sure);
      if (!says (page->still, said) && !says (page->still, brief))
        g_error ("of mistake %u isn’t said “%s”", i, said);
      g_assert_true (ls_network_key (page, i == 2 ? LS_KEY_NEXT : LS_KEY_NEXT_MISTAKE, query));
      g_assert_cmpint (asked->test, ==, evaluation->worst[i + 1].sample);
    }
}

static void
test_evaluation (void)
{
  g_autoptr (LsViewData) data = asked_data (NULL, FALSE);
  LsNetworkState asked = LS_NETWORK_STATE_INIT;
  LsQuery query = { LS_QUERY_FIELDS, .state = &asked };
  g_autoptr (LsLayout) beside = layout_of (data, &query, LS_LOOK_LIGHT, draw_sizes[2]), page = NULL;
  const LsNetwork *n;
  g_autofree char *words = NULL;

  g_assert_true (says (beside->still, "test set, 1"));
  g_assert_true (says (beside->still, "right 90.9 %"));
  g_assert_true (says (beside->still, "1 said otherwise"));
  /* after other steps they may well say otherwise */
  data->sides[1].evaluation->steps++;
  g_clear_pointer (&beside, ls_layout_free);
  beside = layout_of (data, &query, LS_LOOK_LIGHT, draw_sizes[2]);
  g_assert_true (says (beside->still, "right 90.9 %"));
  g_assert_false (says (beside->still, "said otherwise"));
  data->sides[1].evaluation->steps--;
  asked.page = LS_NETWORK_TEST;
  data->tests = ASKED_TESTS;
  page = layout_of (data, &query, LS_LOOK_LIGHT, draw_sizes[2]);
  n = page->own;
  g_assert_true (says (page->still, "Confusion, CPU"));
  g_assert_true (says (page->still, "right 90.8 %")); /* the other lane */
  g_assert_cmpuint (n->n_thumbs, ==, LS_EVALUATION_WORST);
  words = ls_layout_describe (page);
  g_assert_nonnull (strstr (words, "1000 samples 909 are right, after step 60."));
  /* a mistake, and a cell of each matrix: label 3 said to be 4 */
  g_assert_true (ls_network_point (page, n->wrong_area.x + 3 + n->thumb_w, n->wrong_area.y + 3, &query));
  g_assert_cmpint (asked.own, ==, LS_OWN_TEST);
  g_assert_cmpint (asked.test, ==, data->sides[0].evaluation->worst[1].sample);
  asked.own = LS_OWN_BATCH;
  for (guint side = 0; side < 2; side++)
    {
      g_assert_true (ls_network_point (page, n->matrix_area[side].x + 4.5 * n->matrix_cell[side],
                                       n->matrix_area[side].y + 3.5 * n->matrix_cell[side], &query));
      g_assert_cmpint (asked.own, ==, LS_OWN_TEST);
      g_assert_cmpint (asked.test % 10, ==, 3);
      g_assert_cmpint (asked.test % 11, ==, 0);
    }
  /* of fewer samples than it was judged by, the last is as far as one comes */
  for (guint side = 0; side < 2; side++)
    {
      data->tests = asked.test + 1;
      const gint64 last = asked.test;
      g_assert_true (ls_network_point (page, n->matrix_area[side].x + 4.5 * n->matrix_cell[side],
                                       n->matrix_area[side].y + 3.5 * n->matrix_cell[side], &query));
      if (asked.test != last)
        g_error ("of %" G_GINT64_FORMAT " samples sample %" G_GINT64_FORMAT " is asked for", data->tests,
                 asked.test);
    }
  /* nobody can be asked: a recording */
  data->tests = 0;
  asked = (LsNetworkState) LS_NETWORK_STATE_INIT;
  g_assert_true (ls_network_point (page, n->wrong_area.x + 3 + n->thumb_w, n->wrong_area.y + 3, &query));
  g_assert_cmpint (asked.test, ==, data->sides[0].evaluation->worst[1].sample);
  test_kept (data, &query, &asked);
}

/* Down is true, across is what was said: label 3 was taken for 4 now and then, never 4 for 3. */
static void
test_confusion (void)
{
  g_autoptr (LsViewData) data = asked_data (NULL, FALSE);
  LsNetworkState asked = { .page = LS_NETWORK_TEST };
  LsQuery query = { LS_QUERY_FIELDS, .state = &asked };
  guint n = 0;

  asked = (LsNetworkState) LS_NETWORK_STATE_INIT;
  asked.page = LS_NETWORK_TEST;
  data->tests = ASKED_TESTS;
  g_autoptr (LsLayout) page = layout_of (data, &query, LS_LOOK_LIGHT, draw_sizes[2]);
  g_assert_true (says (page->still, "down: true, across: said"));
  for (guint i = 0; i < page->still->items->len; i++)
    {
      const LsItem *item = ls_scene_get (page->still, i);
      const LsSceneImage *image;
      if (item->kind != LS_ITEM_IMAGE || item->ink != LS_INK_AMOUNT)
        continue;
      image = page->still->images->pdata[item->image];
      if (image->rows != 10 || image->cols != 10)
        continue;
      const guint true_3_said_4 = image->levels[3 * 10 + 4], true_4_said_3 = image->levels[4 * 10 + 3];
      g_assert_cmpuint (true_3_said_4, >, 0);
      g_assert_cmpuint (true_4_said_3, ==, 0);
      n++;
    }
  g_assert_cmpuint (n, ==, 2);
}

/* The batch's samples under the shown one: a click shows another, and those beyond are on the next page. */
static void
test_strip (void)
{
  g_autoptr (LsViewData) data = asked_data (NULL, FALSE);
  LsNetworkState asked = LS_NETWORK_STATE_INIT;
  LsQuery query = { LS_QUERY_FIELDS, .state = &asked };

  for (guint s = 0; s < 2; s++)
    {
      g_autoptr (LsLayout) layout = layout_of (data, &query, LS_LOOK_LIGHT, draw_sizes[2]);
      const LsNetwork *n = layout->own;
      const gint64 each = (gint64) n->strip_cols * n->strip_rows;

      g_assert_cmpfloat (n->strip.w, >, 0);
      g_assert_cmpint (n->strip_first, ==, n->sample / each * each);
      g_assert_cmpint (n->strip_rows, >, 1);
      for (guint row = 0; row < (guint) n->strip_rows; row++)
        {
          const gint64 at = n->strip_first + row * n->strip_cols + 1, before = asked.sample;
          const gboolean there = ls_network_point (layout, n->strip.x + n->strip_cell * 1.5,
                                                   n->strip.y + n->strip_cell * (row + .5), &query);
          if (asked.sample != (at < n->batch ? at : before) || (at < n->batch && !there))
            g_error ("a click on sample %d of %d shows sample %d", (gint) at, (gint) n->batch, asked.sample);
        }
      asked.sample = (gint) each;
    }
}

static void
test_keys (void)
{
  g_autoptr (LsViewData) data = asked_data (NULL, FALSE);
  g_autoptr (LsStrokes) strokes = ls_strokes_new ();
  LsNetworkState asked = LS_NETWORK_STATE_INIT;
  LsQuery query = { LS_QUERY_FIELDS, .state = &asked };
  g_autoptr (LsLayout) layout = NULL;

  data->tests = ASKED_TESTS;
  query.pen.strokes = strokes;
  layout = layout_of (data, &query, LS_LOOK_LIGHT, draw_sizes[1]);
  g_assert_true (ls_network_key (layout, LS_KEY_NEXT, &query));
  g_assert_cmpint (asked.sample, ==, 1);
  g_assert_true (ls_network_key (layout, LS_KEY_PREVIOUS, &query));
  g_assert_cmpint (asked.sample, ==, 31); /* the layout's is still the first */
  g_assert_true (ls_network_key (layout, LS_KEY_NEXT_MISTAKE, &query));
  g_assert_cmpint (asked.own, ==, LS_OWN_TEST);
  g_assert_cmpint (asked.test, ==, 0);
  g_assert_true (ls_network_key (layout, LS_KEY_NEXT_MISTAKE, &query));
  g_assert_cmpint (asked.test, ==, 11);
  g_assert_true (ls_network_key (layout, LS_KEY_PREVIOUS_MISTAKE, &query));
  g_assert_true (ls_network_key (layout, LS_KEY_PREVIOUS_MISTAKE, &query));
  g_assert_cmpint (asked.test, ==, 990);
  g_assert_true (ls_network_key (layout, LS_KEY_NEXT, &query));
  g_assert_cmpint (asked.test, ==, 991);
  g_assert_true (ls_network_key (layout, LS_KEY_BATCH, &query));
  g_assert_cmpint (asked.own, ==, LS_OWN_BATCH);
  g_assert_cmpint (ls_network_key (layout, LS_KEY_TEST, &query), ==, LS_ACT_ASK);
  data->tests = 0; /* of no samples none is asked for */
  g_assert_cmpint (ls_network_key (layout, LS_KEY_TEST, &query), ==, LS_ACT_NONE);
  data->tests = ASKED_TESTS;
  /* no layer has time steps, so that page is left out */
  for (guint page = 1; page <= LS_NETWORK_TIME; page++)
    {
      g_assert_true (ls_network_key (layout, LS_KEY_PAGE, &query));
      g_assert_cmpuint (asked.page, ==, page % LS_NETWORK_TIME);
    }
  g_assert_true (ls_network_key (layout, LS_KEY_DRAW, &query));
  g_assert_true (query.pen.keys);
  /* nothing is picked: arrows are the clock's */
  g_assert_false (ls_network_key (layout, LS_KEY_LEFT, &query));
  g_assert_false (ls_network_key (layout, LS_KEY_LET_GO, &query));
}

/* From unit to unit, and over a layer's edge to the next layer; every unit of a layer can be reached. */
static void
test_units (void)
{
  g_autoptr (LsViewData) data = asked_data (NULL, FALSE);
  LsNetworkState asked = LS_NETWORK_STATE_INIT;
  LsQuery query = { LS_QUERY_FIELDS, .state = &asked };
  g_autofree guint8 *seen = g_new0 (guint8, 256);
  guint count = 0;

  for (guint i = 0; i < 2; i++)
    {
      g_autoptr (LsLayout) layout = layout_of (data, &query, LS_LOOK_LIGHT, draw_sizes[2]);
      if (i == 0)
        g_assert_true (ls_network_key (layout, LS_KEY_PICK, &query));
    }
  asked.layer = 1;
  asked.unit = 0;
  for (guint down = 0; down < 256; down++)
    {
      const gint row = asked.unit;
      for (;;)
        {
          g_autoptr (LsLayout) layout = layout_of (data, &query, LS_LOOK_LIGHT, draw_sizes[2]);
          count += !seen[asked.unit];
          seen[asked.unit] = TRUE;
          g_assert_true (ls_network_key (layout, LS_KEY_RIGHT, &query));
          if (asked.layer != 1)
            break;
        }
      g_assert_cmpint (asked.layer, ==, 2);
      asked.layer = 1;
      asked.unit = row;
      g_autoptr (LsLayout) layout = layout_of (data, &query, LS_LOOK_LIGHT, draw_sizes[2]);
      ls_network_key (layout, LS_KEY_DOWN, &query);
      if (asked.unit == row)
        break;
    }
  g_assert_cmpuint (count, ==, 256);
}

/* What stands on the page of a unit is its own. */
static void
test_unit_page (void)
{
  g_autoptr (LsViewData) data = asked_data (
    "conv 8 3 pad 1, relu, maxpool 2, flatten, dense 32, relu, dense 10", FALSE);
  LsNetworkState asked = LS_NETWORK_STATE_INIT;
  LsQuery query = { LS_QUERY_FIELDS, .state = &asked };
  g_autoptr (LsLayout) map = NULL, unit = NULL;

  asked.page = LS_NETWORK_UNIT;
  asked.layer = 1;
  asked.unit = 5;
  map = layout_of (data, &query, LS_LOOK_PROJECTOR, draw_sizes[2]);
  g_assert_true (says (map->still, "Map 5 of"));
  g_assert_true (says (map->still, "Filter"));
  asked.layer = 2;
  asked.unit = 31;
  unit = layout_of (data, &query, LS_LOOK_LIGHT, draw_sizes[0]);
  g_assert_true (says (unit->still, "Unit 31 of"));
  g_assert_true (says (unit->still, "Products"));
  g_assert_true (says (unit->still, "add up to"));
}

/* ---- strokes ---- */

static void
assert_centred (const float *values, guint rows, guint cols, guint box)
{
  guint left = cols, right = 0, top = rows, bottom = 0;
  double mass = 0, x = 0, y = 0;

  for (guint r = 0; r < rows; r++)
    for (guint c = 0; c < cols; c++)
      {
        const double v = (double) values[r * cols + c];
        g_assert_true (v >= 0 && v <= 1 && fabs (v * 255 - rint (v * 255)) < 1e-4);
        if (v <= 0)
          continue;
        left = MIN (left, c);
        right = MAX (right, c);
        top = MIN (top, r);
        bottom = MAX (bottom, r);
        mass += v;
        x += v * (c + .5);
        y += v * (r + .5);
      }
  g_assert_cmpuint (MAX (right - left, bottom - top) + 1, ==, box);
  if (cols != 28)
    return;
  g_assert_cmpfloat (x / mass, >=, 14 - 1e-9);
  g_assert_cmpfloat (x / mass, <, 15);
  g_assert_cmpfloat (y / mass, >=, 14 - 1e-9);
  g_assert_cmpfloat (y / mass, <, 15);
}

/* As MNIST's own are: a box of 20, the centre of mass in the middle pixel; wherever and however large it was
 * drawn. */
static void
test_strokes (void)
{
  static const struct {
    guint rows, cols, box;
  } shapes[] = { { 28, 28, 20 }, { 56, 56, 40 }, { 28, 42, 20 } };
  g_autoptr (LsStrokes) strokes = ls_strokes_new ();
  float values[56 * 56];
  guint n;

  g_assert_false (ls_strokes_image (strokes, 28, 28, values));
  for (guint i = 0; i < 28 * 28; i++)
    g_assert_true (values[i] == 0);
  for (guint place = 0; place < 4; place++)
    {
      const double size = place == 3 ? .1 : .3 + .2 * place, x = place == 0 ? 0 : .2,
                   y = place == 1 ? .5 : .1;

      ls_strokes_clear (strokes);
      ls_strokes_begin (strokes, x, y);
      ls_strokes_to (strokes, x + size * .6, y);
      ls_strokes_to (strokes, x + size * .2, MIN (y + size, 1));
      for (guint s = 0; s < G_N_ELEMENTS (shapes); s++)
        {
          g_assert_true (ls_strokes_image (strokes, shapes[s].rows, shapes[s].cols, values));
          assert_centred (values, shapes[s].rows, shapes[s].cols, shapes[s].box);
        }
    }
  g_assert_cmpuint (ls_strokes_n (strokes), ==, 1);
  ls_strokes_begin (strokes, .5, .5);
  g_assert_cmpuint (ls_strokes_n (strokes), ==, 2);
  ls_strokes_get (strokes, 1, &n);
  g_assert_cmpuint (n, ==, 1);
  g_assert_false (ls_strokes_to (strokes, .5, .5));
  g_assert_true (ls_strokes_undo (strokes));
  ls_strokes_get (strokes, 0, &n);
  g_assert_cmpuint (n, ==, 3);
  g_assert_true (ls_strokes_undo (strokes));
  g_assert_false (ls_strokes_undo (strokes));
  for (guint i = 0; i < LS_STROKES_POINTS + 10; i++)
    ls_strokes_to (strokes, i % 2, (i / 2) % 2);
  ls_strokes_get (strokes, 0, &n);
  g_assert_cmpuint (n, <=, LS_STROKES_POINTS);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (guint net = 0; net < 7; net++)
    {
      g_autofree char *path = g_strdup_printf ("/paint/network-own/layouts/%u", net);
      g_test_add_data_func (path, GUINT_TO_POINTER (net), test_layouts);
    }
  g_test_add_func ("/paint/network-own/exam", test_evaluation);
  g_test_add_func ("/paint/network-own/confusion", test_confusion);
  g_test_add_func ("/paint/network-own/strip", test_strip);
  g_test_add_func ("/paint/network-own/keys", test_keys);
  g_test_add_func ("/paint/network-own/units", test_units);
  g_test_add_func ("/paint/network-own/unit-page", test_unit_page);
  g_test_add_func ("/paint/network-own/strokes", test_strokes);
  return g_test_run ();
}
