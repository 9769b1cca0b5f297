/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Pictures that are made of several: a filter's channels side by side, as large as their place lets them be;
 * and a sample in colours as the mean of these.
 */
#include <math.h>

#include "network_told.h"

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

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/paint/network-pieces/channels", test_channels);
  g_test_add_func ("/paint/network-pieces/colours", test_colours);
  return g_test_run ();
}
