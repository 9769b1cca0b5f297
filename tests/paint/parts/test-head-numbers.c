/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The numbers in a lane's head: what stands in both of their rows takes no more room than is said to be
 * taken, nor more than there is; the sign of a disagreement stands beside the difference however little there
 * is.
 */
#include <math.h>

#include "tests/paint/draw.h"
#include "tests/paint/fixture.h"
#include "tests/paint/states.h"
#include "ui/paint/parts/head.h"
#include "ui/paint/views.h"

#define FIRST 100. /* baselines of the two rows */
#define BELOW 140.

/* The left end of what was drawn around that baseline; HUGE_VAL: nothing. */
static double
left_of (const LsScene *s, double base)
{
  double left = HUGE_VAL;

  for (guint i = 0; i < s->items->len; i++)
    {
      const LsItem *item = ls_scene_get (s, i);
      double x, y, w, h;

      ls_item_bounds (s, item, &x, &y, &w, &h);
      if (base == FIRST ? y + h / 2 < (FIRST + BELOW) / 2 : y + h / 2 > (FIRST + BELOW) / 2)
        left = MIN (left, x);
    }
  return left;
}

static guint
count_signs (const LsScene *s)
{
  guint n = 0;

  for (guint i = 0; i < s->items->len; i++)
    n += ls_scene_get (s, i)->kind == LS_ITEM_WARNING;
  return n;
}

static void
test_room (void)
{
  static const struct {
    double w, h;
    gboolean tight;
  } sizes[] = { { 960, 600, TRUE }, { 1280, 800, FALSE }, { 1920, 1080, FALSE } };
  guint whole = 0;

  for (guint size = 0; size < G_N_ELEMENTS (sizes); size++)
    for (guint disagree = 0; disagree < 2; disagree++)
      {
        g_autoptr (LsViewData) data = ls_fixture_view (&ls_fixture_desk, LS_STATE_LIVE);
        const LsQuery query = LS_QUERY_INIT;

        if (disagree)
          {
            data->disagree[0] = g_strdup ("First different: the loss of step 12.");
            data->disagree[1] = g_strdup ("CPU 0.5, OpenCL 0.6.");
          }
        g_autoptr (LsLayout) layout = draw_view (&ls_view_timeline, data, &query, LS_LOOK_LIGHT,
                                                 sizes[size].w, sizes[size].h);
        LsScene *s = layout->still;
        for (guint side = 0; side < LS_SIDES; side++)
          for (double w = 180; w <= 900; w += 20)
            {
              LsHead head
                = { .layout = layout, .lane = &data->sides[side], .area = { 10, 10, w, 200 }, .side = side };
              const double right = head.area.x + w;

              g_assert_cmpuint (data->sides[side].delta.n, >, 0);
              ls_scene_clear (s);
              ls_head_choose_numbers (&head);
              g_assert_cmpint (head.tight, ==, sizes[size].tight);
              ls_head_draw_numbers (&head, FIRST, BELOW);
              for (guint row = 0; row < 2; row++)
                {
                  const double left = left_of (s, row == 0 ? FIRST : BELOW);
                  if (left < right - head.numbers_w[row] - .5)
                    g_error ("%g px, %s: row %u begins %.1f px before its end, and is said to take %.1f", w,
                             disagree ? "the lanes disagree" : "they agree", row, right - left,
                             head.numbers_w[row]);
                }
              if (count_signs (s) != disagree)
                g_error ("%g px: there are %u signs of a disagreement", w, count_signs (s));
              whole += head.n_columns >= 3;
              ls_head_clear_numbers (&head);
              g_assert_true (head.n_columns == 0 && head.numbers_w[0] + head.numbers_w[1] <= 0);
            }
      }
  g_assert_cmpuint (whole, >, 50);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/paint/head-numbers/room", test_room);
  return g_test_run ();
}
