/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Pictures that are made of several: a filter's channels side by side, as large as their place lets them be;
 * a sample in colours as the mean of these; and whose picture a kept mistake has.
 */
#include <math.h>

#include "network_told.h"
#include "tests/paint/said.h"

/* So large may a channel be of n squares in that place. */
static double
size_of (guint n, guint across, double w, double h)
{
  const guint down = (n + across - 1) / across;

  return MIN (w / across, h / down);
}

/* Nowhere would another number side by side make the channels larger by more than half a pixel, nor fewer
 * side by side as large. */
static void
test_channels (void)
{
  guint numbers[9] = { 0 };
  double end = 0;

  for (guint channels = 1; channels <= 8; channels += channels == 1 ? 2 : 5)
    {
      g_autofree char *model = g_strdup_printf (
        "conv %u 3 pad 1, relu, conv 4 3 pad 1, relu, maxpool 2, flatten, dense 10", channels);
      g_autoptr (LsViewData) data = asked_data (model, FALSE);
      LsNetworkState asked = LS_NETWORK_STATE_INIT;
      LsQuery query = { LS_QUERY_FIELDS, .state = &asked };

      asked.layer = 2;
      asked.unit = 1;
      g_autoptr (LsLayout) layout = layout_of (data, &query);
      LsNetwork *n = layout->own;
      const LsMetrics *m = &layout->m;
      LsScene *s = layout->still;
      for (double width = 300; width <= 2000; width += 3.1)
        {
          const LsArea area = { 20, 20, width, width < 1000 ? 620 : 420 };
          const double left = (width - 5 * m->unit) / 2, head = m->heading.px * 1.9, line = m->label.px * 1.5,
                       foot = MIN (m->body.px * 1.5 * 4 + 3 * m->unit, (area.h - head) * .4),
                       h = area.h - head - foot - line;
          guint pieces = 0, across = 0, best = 1;
          double top = HUGE_VAL, w = 0;

          ls_scene_clear (s);
          ls_network_unit (n, area);
          for (guint pass = 0; pass < 2; pass++)
            for (guint i = 0; i < s->items->len; i++)
              {
                const LsItem *item = ls_scene_get (s, i);
                if (item->kind != LS_ITEM_IMAGE || (double) item->x > area.x + left)
                  continue;
                top = MIN (top, (double) item->y);
                w = (double) item->w;
                end = MAX (end, ls_item_right (item));
                pieces += pass;
                across += pass && (double) item->y < top + 1;
              }
          g_assert_cmpuint (pieces, ==, channels);
          for (guint k = 2; k <= channels; k++)
            if (size_of (channels, k, left, h) > size_of (channels, best, left, h) + .5)
              best = k;
          const double size = floor (size_of (channels, best, left, h) - (channels > 1 ? 3 : 0));
          if (across != best || fabs (w - size) > .1)
            g_error ("%u channels in %.1f × %.1f px: %u of %g px side by side, not %u of %g px", channels,
                     left, h, across, w, best, size);
          numbers[across]++;
        }
    }
  g_assert_true (numbers[1] > 0 && numbers[2] > 0 && numbers[3] > 0 && numbers[4] > 0);
}

/* Each pixel is the mean of its channels, from the batch's least value to its greatest. */
static void
test_colours (void)
{
  enum { ROWS = 2, COLS = 3, CHANNELS = 3 };
  static const float values[CHANNELS][ROWS * COLS]
    = { { 0, .3f, .6f, .9f, 0, 0 }, { 0, .3f, .6f, 0, .9f, 0 }, { 0, .3f, .6f, 0, 0, .45f } };
  static const double means[ROWS * COLS] = { 0, .3, .6, .3, .3, .15 };
  g_autoptr (LsViewData) data = asked_data (NULL, FALSE);
  LsNetworkState asked = LS_NETWORK_STATE_INIT;
  LsQuery query = { LS_QUERY_FIELDS, .state = &asked };
  g_autoptr (LsLayout) layout = layout_of (data, &query);
  static const float ranges[][2] = { { 0, 1 }, { -1, 1 }, { 0, .6f } };

  for (guint r = 0; r < G_N_ELEMENTS (ranges); r++)
    {
      LsNetwork n = { .layout = layout, .low = ranges[r][0], .high = ranges[r][1] };

      n.layers[0].units = CHANNELS;
      n.layers[0].rows = ROWS;
      n.layers[0].cols = COLS;
      ls_scene_clear (layout->still);
      ls_network_image (&n, values[0], 10, 20, 30, 40);
      const LsItem *item = ls_scene_get (layout->still, 0);
      const LsSceneImage *image = g_ptr_array_index (layout->still->images, item->image);
      g_assert_cmpuint (item->kind, ==, LS_ITEM_IMAGE);
      g_assert_true ((double) item->x == 10 && (double) item->y == 20 && (double) item->w == 30
                     && (double) item->h == 40);
      g_assert_cmpuint (image->rows, ==, ROWS);
      g_assert_cmpuint (image->cols, ==, COLS);
      for (guint i = 0; i < ROWS * COLS; i++)
        {
          const double level = 255 * (means[i] - (double) ranges[r][0])
                               / ((double) ranges[r][1] - (double) ranges[r][0]);
          if (fabs (image->levels[i] - level) > 1)
            g_error ("pixel %u of mean %g in %g … %g has level %u, not %.1f", i, means[i],
                     (double) ranges[r][0], (double) ranges[r][1], image->levels[i], level);
        }
    }
}

/* A filter's channels have one scale, and it ends at the largest weight of all of them, whichever has it. */
static void
test_scale (void)
{
  enum { CHANNELS = 3, SIZE = 9 };

  for (guint in = 0; in < CHANNELS; in++)
    for (guint sign = 0; sign < 2; sign++)
      {
        g_autoptr (LsViewData) data = asked_data (
          "conv 3 3 pad 1, relu, conv 4 3 pad 1, relu, maxpool 2, flatten, dense 10", FALSE);
        LsNetworkState asked = LS_NETWORK_STATE_INIT;
        LsQuery query = { LS_QUERY_FIELDS, .state = &asked };
        guint pieces = 0;

        asked.page = LS_NETWORK_UNIT;
        asked.layer = 2;
        asked.unit = 1;
        {
          g_autoptr (LsLayout) before = layout_of (data, &query);
          const LsNetwork *n = before->own;
          float *filter = (float *) n->layers[2].weights[n->side] + (gsize) asked.unit * CHANNELS * SIZE;

          g_assert_cmpint (n->layers[2].weight->shape[1], ==, CHANNELS);
          for (guint i = 0; i < CHANNELS * SIZE; i++)
            filter[i] = i == in * SIZE + 4 ? (sign ? -4 : 4) : 1;
        }
        g_autoptr (LsLayout) layout = layout_of (data, &query);
        const LsScene *s = layout->still;
        if (find_text (s, "±4.0") == NULL && find_text (s, "±4") == NULL)
          g_error ("the largest weight is %d, in channel %u, and the scale isn’t said to end there",
                   sign ? -4 : 4, in);
        for (guint i = 0; i < s->items->len; i++)
          {
            const LsItem *item = ls_scene_get (s, i);
            const LsSceneImage *image = item->kind == LS_ITEM_IMAGE ? s->images->pdata[item->image] : NULL;

            if (image == NULL || image->cols != 3 || image->rows != 3)
              continue;
            for (guint k = 0; k < SIZE; k++)
              {
                const double weight = pieces == in && k == 4 ? (sign ? -4 : 4) : 1,
                             level = 127.5 + 127.5 * weight / 4;
                if (fabs (image->levels[k] - level) > 1.6)
                  g_error ("weight %u of channel %u is %g of at most 4, and has level %u, not %.0f", k,
                           pieces, weight, image->levels[k], level);
              }
            pieces++;
          }
        g_assert_cmpuint (pieces, ==, CHANNELS);
      }
}

/* In playback each of the kept mistakes is shown by its own picture. */
static void
test_kept (void)
{
  g_autoptr (LsViewData) data = asked_data (NULL, FALSE);
  LsNetworkState asked = LS_NETWORK_STATE_INIT;
  LsQuery query = { LS_QUERY_FIELDS, .state = &asked };
  LsEvaluation *e = data->sides[0].evaluation;

  data->tests = 0;
  asked.page = LS_NETWORK_TEST;
  asked.own = LS_OWN_TEST;
  for (guint i = 0; i < e->n_worst; i++)
    for (guint k = 0; k < INPUTS; k++)
      e->values[i * INPUTS + k] = k == 40 + i ? 1 : 0; /* one pixel is bright */
  for (guint i = 0; i < e->n_worst; i++)
    {
      guint pictures = 0;

      asked.test = e->worst[i].sample;
      g_autoptr (LsLayout) layout = layout_of (data, &query);
      const LsNetwork *n = layout->own;
      g_assert_cmpint (n->kept, ==, (gint) i);
      for (guint k = 0; k < layout->still->items->len; k++)
        {
          const LsItem *item = ls_scene_get (layout->still, k);

          if (item->kind != LS_ITEM_IMAGE || fabs ((double) item->x - n->sample_area.x) > .5
              || fabs ((double) item->y - n->sample_area.y) > .5)
            continue;
          const LsSceneImage *image = layout->still->images->pdata[item->image];
          pictures++;
          for (guint at = 0; at < INPUTS; at++)
            if ((image->levels[at] > 0) != (at == 40 + i))
              g_error ("mistake %u is shown by the picture of another one: pixel %u has level %u", i, at,
                       image->levels[at]);
        }
      g_assert_cmpuint (pictures, ==, 1);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/paint/network-pieces/channels", test_channels);
  g_test_add_func ("/paint/network-pieces/colours", test_colours);
  g_test_add_func ("/paint/network-pieces/scale", test_scale);
  g_test_add_func ("/paint/network-pieces/kept", test_kept);
  return g_test_run ();
}
