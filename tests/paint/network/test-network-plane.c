/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a lane makes of the plane, where it was asked about a sample in the same breath.
 */
#include "tests/paint/asked.h"
#include "tests/paint/draw.h"
#include "ui/paint/network/network.h"
#include "ui/paint/views.h"

#define GRID 8

/* Of two classes the left half is said to be of the first one, the right half of the second, whatever is said
 * of the samples that were asked about before the grid. */
static void
test_after_samples (void)
{
  static const LsAsked what[] = { LS_ASKED_GRID, LS_ASKED_TEST };

  for (guint w = 0; w < G_N_ELEMENTS (what); w++)
    {
      g_autoptr (LsViewData) data = asked_data ("flatten, dense 20, relu, dense 2", TRUE);
      LsNetworkState state = LS_NETWORK_STATE_INIT;
      LsQuery query = { LS_QUERY_FIELDS, .state = &state };
      guint planes = 0;

      asked_add_answers (data, what[w], 3, 1, GRID);
      g_autoptr (LsLayout) layout = draw_view (&ls_view_network, data, &query, LS_LOOK_LIGHT, 1920, 1080);
      const LsScene *s = layout->still;
      for (guint i = 0; i < s->items->len; i++)
        {
          const LsItem *item = ls_scene_get (s, i);
          const LsSceneImage *image = item->kind == LS_ITEM_IMAGE ? s->images->pdata[item->image] : NULL;

          if (image == NULL || item->ink != LS_INK_SIGN || image->cols != GRID || image->rows != GRID)
            continue;
          planes++;
          for (guint k = 0; k < GRID * GRID; k++)
            if ((image->levels[k] > 128) != (k % GRID >= GRID / 2))
              g_error ("of the points in row %u of the plane the one in column %u is drawn as of class %d",
                       k / GRID, k % GRID, image->levels[k] > 128);
        }
      if (planes == 0)
        g_error ("no plane is drawn");
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/paint/network-plane/after-samples", test_after_samples);
  return g_test_run ();
}
