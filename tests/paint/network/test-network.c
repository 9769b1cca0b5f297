/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Network against the recorded tensors: what it says of the batch, where a click leads, the differences that
 * it prints; and matrices as images: every value in its place, at whole and at odd scales.
 */
#include <math.h>
#include <string.h>

#include "tests/paint/asked.h"
#include "tests/paint/stated.h"
#include "tests/paint/draw.h"
#include "tests/paint/fixture.h"
#include "tests/paint/said.h"
#include "ui/paint/network/network.h"
#include "ui/paint/views.h"

static LsViewData *
data_of (const char *model, gboolean toy, gboolean values)
{
  const LsFixture f = { LS_CORES (2),   .model = model, .batch = 64,      .tiles = 16, .groups = 32,
                        .on_cpu = TRUE, .steps = 60,    .values = values, .toy = toy };

  return ls_fixture_data (&f);
}

static LsLayout *
layout_of (LsViewData *data, const LsQuery *query)
{
  return draw_view (&ls_view_network, data, query, LS_LOOK_LIGHT, 1920, 1080);
}

static gboolean
point (const LsLayout *layout, double x, double y, LsQuery *query)
{
  return layout->view->point (layout, x, y, query);
}

/* The invented network is wrong about every seventh sample, and takes it for the next class. */
static void
test_batch (void)
{
  g_autoptr (LsViewData) data = data_of (NULL, FALSE, TRUE);
  const LsQuery query = LS_QUERY_INIT;
  g_autoptr (LsLayout) layout = layout_of (data, &query);
  const LsNetwork *n = layout->own;
  guint sum = 0;

  g_assert_cmpuint (n->n_layers, ==, 4);
  g_assert_cmpint (n->side, ==, 0);
  g_assert_true (n->both);
  g_assert_cmpuint (n->wrong->len, ==, 10);
  g_assert_cmpuint (n->n_right, ==, 54);
  for (gint i = 0; i < 100; i++)
    {
      sum += n->matrix[i];
      if (i / 10 != i % 10)
        g_assert_true (n->matrix[i] == 0 || i % 10 == (i / 10 + 1) % 10);
    }
  g_assert_cmpuint (sum, ==, 64);
  g_assert_true (says (layout->still, "this batch of 64"));
  g_assert_true (says (layout->still, "54 of 64"));
  g_assert_true (says (layout->still, "the label"));
  g_autofree char *words = ls_layout_describe (layout);
  g_assert_nonnull (strstr (words, "Sample 1 of 64, labelled 0, said to be 1."));
}

/* Of what is wrong the most surprising comes first: the label's probability was least. */
static void
test_most_surprising (void)
{
  const LsFixture f = { LS_CORES (2),   .batch = 64, .tiles = 16,   .groups = 32,
                        .on_cpu = TRUE, .steps = 60, .values = TRUE };
  g_autoptr (LsRecording) recording = ls_fixture_recording (&f);
  const LsQuery query = LS_QUERY_INIT;
  float *probs = (float *) ls_recording_values (recording, 0, "probs", NULL);
  gint64 last = -1;

  for (gint64 i = 0; i < 64; i += 7) /* those that are wrong, in no order */
    probs[i * 10 + i % 10] = (float) (i * 3 % 31 + 1) / 1000;
  g_autoptr (LsViewData) data = ls_view_data_from_recording (recording, NULL);
  g_autoptr (LsLayout) layout = layout_of (data, &query);
  const LsNetwork *n = layout->own;
  g_assert_cmpuint (n->wrong->len, ==, 10);
  for (guint i = 0; i < n->wrong->len; i++)
    {
      const gint64 sample = g_array_index (n->wrong, gint64, i);
      if (i > 0 && probs[sample * 10 + sample % 10] < probs[last * 10 + last % 10])
        g_error ("sample %" G_GINT64_FORMAT ", whose label has %g, comes after one with %g", sample,
                 (double) probs[sample * 10 + sample % 10], (double) probs[last * 10 + last % 10]);
      last = sample;
    }
}

/* The shown sample's cell in the matrix is framed: down its label, across what was said. */
static void
test_frame (void)
{
  g_autoptr (LsViewData) data = data_of (NULL, FALSE, TRUE);
  LsNetworkState asked = LS_NETWORK_STATE_INIT;
  LsQuery query = { LS_QUERY_FIELDS, .state = &asked };

  for (asked.sample = 0; asked.sample < 32; asked.sample += 7) /* each is said to be the next class */
    {
      g_autoptr (LsLayout) layout = layout_of (data, &query);
      const LsNetwork *n = layout->own;
      const LsArea *matrix = &n->matrix_area[0];
      guint frames = 0;

      for (guint i = 0; i < layout->still->items->len; i++)
        {
          const LsItem *item = ls_scene_get (layout->still, i);
          const double col = ((double) item->x - matrix->x) / n->matrix_cell[0],
                       row = ((double) item->y - matrix->y) / n->matrix_cell[0];
          if (item->kind != LS_ITEM_FRAME || row < -.5 || col < -.5 || row > 10 || col > 10)
            continue;
          g_assert_cmpfloat_with_epsilon (row, asked.sample % 10, .1);       /* the label */
          g_assert_cmpfloat_with_epsilon (col, (asked.sample + 1) % 10, .1); /* what was said */
          frames++;
        }
      g_assert_cmpuint (frames, ==, 1);
    }
}

static void
test_point (void)
{
  g_autoptr (LsViewData) data = data_of (NULL, FALSE, TRUE);
  LsNetworkState asked = LS_NETWORK_STATE_INIT;
  LsQuery query = { LS_QUERY_FIELDS, .state = &asked };
  g_autoptr (LsLayout) layout = layout_of (data, &query);
  const LsNetwork *n = layout->own;
  LsArea area;

  g_assert_false (point (layout, 2, 2, &query));
  g_assert_true (point (layout, n->back.x + 3, n->back.y + 3, &query));
  g_assert_cmpint (asked.sample, ==, 63);
  g_assert_true (point (layout, n->on.x + 3, n->on.y + 3, &query));
  g_assert_cmpint (asked.sample, ==, 1);
  g_assert_true (point (layout, n->matrix_area[0].x + 4.5 * n->matrix_cell[0],
                        n->matrix_area[0].y + 3.5 * n->matrix_cell[0], &query));
  g_assert_cmpint (asked.sample % 10, ==, 3);
  g_assert_cmpint (asked.sample % 7, ==, 0);
  g_assert_true (point (layout, n->wrong_area.x + 3, n->wrong_area.y + 3, &query));
  g_assert_cmpint (asked.sample, ==, g_array_index (n->wrong, gint64, 0));
  for (gint layer = 1; layer <= 2; layer++)
    for (gint unit = 0; unit < n->layers[layer].units; unit += 31)
      {
        g_assert_true (ls_network_unit_area (n, layer, unit, &area));
        g_assert_true (point (layout, area.x + area.w / 2, area.y + area.h / 2, &query));
        g_assert_cmpint (asked.layer, ==, layer);
        g_assert_cmpint (asked.unit, ==, unit);
      }
  g_assert_true (point (layout, n->picture_area.x + 3, n->picture_area.y + 3, &query));
  g_assert_cmpint (asked.layer, ==, 1);
  g_assert_cmpint (asked.unit, ==, n->pictures[0]);
  g_clear_pointer (&layout, ls_layout_free);
  layout = layout_of (data, &query);
  n = layout->own;
  g_assert_true (n->picked);
  g_assert_true (ls_network_unit_area (n, 1, n->unit, &area));
  g_assert_true (point (layout, area.x + 1, area.y + 1, &query)); /* once more: let go */
  g_assert_cmpint (asked.unit, ==, -1);
}

/* The strongest connections, found by trying all of them. */
static void
test_edges (void)
{
  g_autoptr (LsViewData) data = data_of (NULL, FALSE, TRUE);
  const LsQuery query = LS_QUERY_INIT;
  g_autoptr (LsLayout) layout = layout_of (data, &query);
  const LsNetwork *n = layout->own;
  const float *w = ls_recording_values (data->recording, 0, "3.weight", NULL),
              *h = ls_recording_values (data->recording, 0, "h2", NULL);
  float least = HUGE_VALF;
  guint stronger = 0, drawn = 0;

  g_assert_cmpuint (n->n_pale, ==, 200);
  g_assert_cmpint (n->n_connections, ==, 256 * 128 + 128 * 10);
  for (guint i = 0; i < n->n_pale; i++)
    {
      const LsNetworkEdge *e = &g_array_index (n->edges, LsNetworkEdge, i);
      if (e->layer != 2)
        continue;
      g_assert_cmpfloat (fabsf (e->value - w[e->to * 256 + e->from] * h[e->from]), <, 1e-6f);
      least = MIN (least, fabsf (e->value));
      drawn++;
    }
  for (guint i = 0; i < 256 * 128; i++)
    stronger += fabsf (w[i] * h[i % 256]) > least + 1e-6f;
  g_assert_cmpuint (drawn, ==, 100);
  g_assert_cmpuint (stronger, <, 100);
}

static void
test_words (void)
{
  g_autoptr (LsViewData) bare = data_of (NULL, FALSE, FALSE),
                         toy = data_of ("flatten, dense 20, tanh, dense 2", TRUE, TRUE),
                         conv = data_of ("conv 8 3 pad 1, relu, maxpool 2, flatten, dense 10", FALSE, TRUE);
  const LsQuery query = LS_QUERY_INIT;
  g_autoptr (LsLayout) without = layout_of (bare, &query), points = layout_of (toy, &query),
                       maps = layout_of (conv, &query);

  g_assert_true (says (without->still, "recorded without"));
  g_assert_false (without->view->point (without, 100, 500, &(LsQuery) LS_QUERY_INIT));
  g_assert_true (says (points->still, "Samples"));
  g_assert_true (((const LsNetwork *) points->own)->plane);
  g_assert_true (says (maps->still, "8 maps of 14×14"));
}

/* Every pixel has the colour of the value under its middle: also where a value takes two and a half of
 * them. */
static void
test_image (void)
{
  static const float values[12] = { -2, -1, -.5f, 0, .25f, .5f, 1, 2, -.75f, .75f, 0, 1 };
  static const double widths[] = { 4, 40, 10, 31 };
  const LsMoment moment = { .time_ns = LS_TIME_END, .worker = -1, .evidence = -1 };
  g_autoptr (LsFonts) fonts = ls_fonts_new (NULL);
  LsStyle style;

  ls_style_init (&style, LS_LOOK_LIGHT, 1);
  for (guint i = 0; i < G_N_ELEMENTS (widths); i++)
    {
      const gint w = (gint) widths[i], h = w * 3 / 4;
      cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_RGB24, w + 8, h + 8);
      LsScene *scene = ls_scene_new (fonts, &style);
      cairo_t *cr = cairo_create (surface);

      ls_scene_image (scene, 4, 4, w, h, LS_INK_SIGN, values, 4, 3, 1);
      ls_paint_scene (scene, cr, &moment);
      cairo_destroy (cr);
      cairo_surface_flush (surface);
      for (gint y = 0; y < h; y++)
        for (gint x = 0; x < w; x++)
          {
            const double value = CLAMP (
              (double) values[(gint) ((y + .5) * 3 / h) * 4 + (gint) ((x + .5) * 4 / w)], -1, 1);
            const LsColor c = ls_style_color (&style, LS_INK_SIGN, value);
            const guint32 p = pixel_at (surface, x + 4, y + 4);

            g_assert_cmpfloat (fabs ((p >> 16) / 255. - c.r), <, .02);
            g_assert_cmpfloat (fabs ((p & 255) / 255. - c.b), <, .02);
          }
      g_assert_cmpuint (pixel_at (surface, 3, 3), ==, 0);
      g_assert_cmpuint (pixel_at (surface, w + 4, h + 4), ==, 0);
      cairo_surface_destroy (surface);
      ls_scene_free (scene);
    }
}

/* Is the text seen at that moment? */
static gboolean
shows (const LsLayout *layout, const char *text, gint64 now)
{
  for (guint i = 0; i < layout->still->items->len; i++)
    {
      const LsItem *item = ls_scene_get (layout->still, i);
      const LsMoment moment = { .time_ns = now, .worker = -1, .evidence = -1 };
      if (item->text != NULL && strstr (item->text, text) != NULL && ls_item_shown (item, &moment))
        return TRUE;
    }
  return FALSE;
}

/* A layer that the clock hasn't reached says so in its place; connections are counted once they are drawn,
 * and as many as are drawn; neither a prediction nor a difference is told of what is still to come. */
static void
test_not_yet (void)
{
  g_autoptr (LsViewData) data = data_of (NULL, FALSE, TRUE);
  const LsQuery query = LS_QUERY_INIT;
  g_autoptr (LsLayout) layout = layout_of (data, &query);
  const LsNetwork *n = layout->own;
  const LsNetworkLayer *first = &n->layers[1], *last = &n->layers[n->n_layers - 1];
  const gint64 begin = first->begin_ns - 1, middle = (first->begin_ns + first->end_ns) / 2;
  guint lines = 0;

  g_assert_cmpint (first->begin_ns, >, 0);
  g_assert_true (shows (layout, "not yet", begin));
  g_assert_false (shows (layout, "running", begin));
  g_assert_true (shows (layout, "running", middle));
  g_assert_true (shows (layout, "not yet", middle)); /* the layers after it */
  g_assert_false (shows (layout, "not yet", layout->span_ns));
  g_assert_false (shows (layout, "running", layout->span_ns));

  for (guint i = 0; i < layout->still->items->len; i++)
    {
      const LsItem *item = ls_scene_get (layout->still, i);
      lines += item->kind == LS_ITEM_LINE && item->ink == LS_INK_SIGN && item->alpha < .9f;
    }
  g_assert_cmpuint (n->n_drawn, ==, lines);
  g_autofree char *drawn = g_strdup_printf ("%u of ", lines), *found = g_strdup_printf ("%u of ", n->n_pale);
  g_assert_true (shows (layout, drawn, last->end_ns));
  g_assert_true (shows (layout, "connections", begin));
  g_assert_false (shows (layout, drawn, begin));
  g_assert_false (shows (layout, found, last->end_ns - 1));
  g_assert_false (shows (layout, "H₁ ", begin));
}

/* Most of W₁ is noise: three quarters of each picture are blank, what is left reaches the ends of the ramp,
 * and the legend says it. */
static void
test_strokes_of_weights (void)
{
  g_autoptr (LsViewData) data = data_of (NULL, FALSE, TRUE);
  const LsQuery query = LS_QUERY_INIT;
  g_autoptr (LsLayout) layout = layout_of (data, &query);
  const LsNetwork *n = layout->own;
  guint blank = 0, ends = 0, all = 0;

  g_assert_cmpfloat (n->weight_quiet, >, 0);
  g_assert_cmpfloat (n->weight_top, >, n->weight_quiet);
  g_assert_true (says (layout->still, "mean of 3×3"));
  g_autoptr (LsLayout) hall = draw_view (&ls_view_network, data, &query, LS_LOOK_PROJECTOR, 1920, 1080);
  g_assert_true (says (hall->still, "mean of 3×3"));
  for (guint i = 0; i < layout->still->items->len; i++)
    {
      const LsItem *item = ls_scene_get (layout->still, i);
      if (item->kind != LS_ITEM_IMAGE || item->ink != LS_INK_SIGN || (double) item->x < n->picture_area.x
          || (double) item->x >= n->picture_area.x + n->picture_area.w)
        continue;
      const LsSceneImage *image = g_ptr_array_index (layout->still->images, item->image);
      for (guint k = 0; k < image->cols * image->rows; k++, all++)
        {
          blank += image->levels[k] == 127 || image->levels[k] == 128;
          ends += image->levels[k] == 0 || image->levels[k] == 255;
        }
    }
  g_assert_cmpuint (all, ==, n->n_pictures * (guint) (n->image_rows * n->image_cols));
  g_assert_cmpuint (blank, >, all * 7 / 10);
  g_assert_cmpuint (ends, >, 0);
  g_assert_cmpuint (ends, <, all / 20);
}

/* The mean of a weight and its neighbours, on all sides: one that stands alone is as far as it from each. */
static void
test_smooth_all_round (void)
{
  g_autoptr (LsViewData) data = data_of (NULL, FALSE, TRUE);
  const LsQuery query = LS_QUERY_INIT;
  g_autoptr (LsLayout) first = layout_of (data, &query);
  const LsNetwork *n = first->own;
  float *weights = (float *) n->layers[1].weights[n->side];
  const gint64 size = (gint64) n->image_rows * (gint64) n->image_cols;
  guint pictures = 0;

  g_assert_cmpint (n->image_cols, ==, 28);
  for (gint64 i = 0; i < n->layers[1].units * size; i++)
    weights[i] = i % size == 10 * 28 + 12;
  g_autoptr (LsLayout) layout = layout_of (data, &query);
  n = layout->own;
  for (guint i = 0; i < layout->still->items->len; i++)
    {
      const LsItem *item = ls_scene_get (layout->still, i);
      if (item->kind != LS_ITEM_IMAGE || item->ink != LS_INK_SIGN || (double) item->x < n->picture_area.x
          || (double) item->x >= n->picture_area.x + n->picture_area.w)
        continue;
      const LsSceneImage *image = g_ptr_array_index (layout->still->images, item->image);
      pictures++;
      for (guint k = 0; k < image->cols * image->rows; k++)
        {
          const guint row = k / image->cols, col = k % image->cols;
          const gboolean near = row >= 9 && row <= 11 && col >= 11 && col <= 13;
          if ((image->levels[k] < 127 || image->levels[k] > 128) != near)
            g_error ("the only weight is at (10, 12), and its picture %s at (%u, %u)",
                     near ? "is blank" : "is not blank", row, col);
        }
    }
  g_assert_cmpuint (pictures, ==, n->n_pictures);
}

/* The number behind those words; NAN: they aren't there. */
static double
number_after (const LsScene *scene, const char *words)
{
  const LsItem *item = find_text (scene, words);
  const char *at = item != NULL ? strstr (item->text, words) + strlen (words) : "";
  double low, high;
  const gboolean negative = g_str_has_prefix (at, "−");

  if (!ls_stated_number (&at, &low, &high))
    return (double) NAN;
  return fabs ((low + high) / 2) * (negative ? -1 : 1);
}

/* The lane's tensor of that name, as it was recorded. */
static const float *
recorded (const LsViewData *data, guint lane, const char *name)
{
  const LsRecordedLane *from = &data->recording->lanes[lane];

  for (guint i = 0; i < from->tensors->len; i++)
    {
      const LsRecordedTensor *t = &g_array_index (from->tensors, LsRecordedTensor, i);
      if (strcmp (data->recording->shapes[t->shape].name, name) == 0)
        return t->values;
    }
  return NULL;
}

/* A unit's page tells its own bias. */
static void
test_unit_bias (void)
{
  g_autoptr (LsViewData) data = asked_data (NULL, FALSE);
  LsNetworkState asked = LS_NETWORK_STATE_INIT;
  LsQuery query = { LS_QUERY_FIELDS, .state = &asked };
  guint seen = 0;

  asked.page = LS_NETWORK_UNIT;
  for (asked.layer = 1; asked.layer <= 2; asked.layer++)
    for (asked.unit = 0; asked.unit < 10; asked.unit++)
      {
        g_autoptr (LsLayout) page = layout_of (data, &query);
        const float *bias = recorded (data, data->sides[((const LsNetwork *) page->own)->side].lane,
                                      asked.layer == 1 ? "1.bias" : "3.bias");
        const double told = number_after (page->still, "the bias is ");

        g_assert_nonnull (bias);
        if (isnan (told))
          continue;
        if (fabs (told - (double) bias[asked.unit]) > .006 * fabs (told))
          g_error ("unit %d of layer %d is said to have a bias of %g, and has %g", asked.unit, asked.layer,
                   told, (double) bias[asked.unit]);
        seen++;
      }
  g_assert_cmpuint (seen, >, 15);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/paint/network/batch", test_batch);
  g_test_add_func ("/paint/network/surprise", test_most_surprising);
  g_test_add_func ("/paint/network/frame", test_frame);
  g_test_add_func ("/paint/network/point", test_point);
  g_test_add_func ("/paint/network/edges", test_edges);
  g_test_add_func ("/paint/network/words", test_words);
  g_test_add_func ("/paint/network/image", test_image);
  g_test_add_func ("/paint/network/not-yet", test_not_yet);
  g_test_add_func ("/paint/network/strokes", test_strokes_of_weights);
  g_test_add_func ("/paint/network/smooth", test_smooth_all_round);
  g_test_add_func ("/paint/network/unit-bias", test_unit_bias);
  return g_test_run ();
}
