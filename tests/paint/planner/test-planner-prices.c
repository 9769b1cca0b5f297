/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Planner's prices: changed by keys and by their arrows, and what follows from them.
 */
#include "tests/paint/planner/planner-rig.h"

static void
pick_price (Picture *p, LsPriceKind kind)
{
  for (guint i = 0; i < planner (p)->figures->len; i++)
    if (g_array_index (planner (p)->figures, LsPlannerFigure, i).price == (gint) kind)
      asked (p)->picked = (gint) i;
  draw (p);
}

/* Up and Down change a price by a tenth, and all that follows from it; D takes it back. */
static void
test_prices (void)
{
  Picture p;

  buying (&p);
  const double before = planner (&p)->advice.best.card, month = planner (&p)->advice.break_even[0];
  g_assert_cmpint (press (&p, LS_KEY_UP), ==, LS_ACT_NONE); /* nothing is picked */
  pick_price (&p, LS_PRICE_CARD);
  g_assert_cmpint (press (&p, LS_KEY_UP), ==, LS_ACT_CHANGED);
  g_assert_cmpfloat_with_epsilon (planner (&p)->advice.best.card / before, 1.1, 1e-9);
  g_assert_cmpfloat_with_epsilon (planner (&p)->advice.break_even[0] / month, 1.1, 1e-6);
  g_assert_cmpint (press (&p, LS_KEY_DOWN), ==, LS_ACT_CHANGED);
  g_assert_cmpfloat_with_epsilon (planner (&p)->advice.best.card / before, 1, 1e-9);
  g_assert_cmpint (press (&p, LS_KEY_DRAW), ==, LS_ACT_CHANGED);
  g_assert_cmpfloat (planner (&p)->advice.best.card, ==, 329); /* as it was published */
  g_assert_cmpint (press (&p, LS_KEY_DRAW), ==, LS_ACT_NONE);

  /* one that nobody published gets one: of the A100's */
  asked (&p)->said[LS_PRICE_RENT] = FALSE;
  while (g_strcmp0 (planner (&p)->guide.own->name, "NVIDIA A100 SXM4 40 GB") != 0)
    g_assert_cmpint (press (&p, LS_KEY_PAGE), ==, LS_ACT_CHANGED);
  g_assert_true (told (&p, "price: not published"));
  g_assert_true (isnan (planner (&p)->advice.break_even[0]));
  pick_price (&p, LS_PRICE_CARD);
  g_assert_cmpint (press (&p, LS_KEY_UP), ==, LS_ACT_CHANGED);
  g_assert_cmpfloat (planner (&p)->advice.best.card, ==, 1);
  g_assert_false (isnan (planner (&p)->advice.break_even[0]));
  close_picture (&p);
}

/* A price that is picked has an arrow up and one down, each large enough, which change it by a tenth. */
static void
test_arrows (void)
{
  Picture p;
  guint n_prices = 0;

  buying (&p);
  for (guint i = 0; i < planner (&p)->figures->len; i++)
    {
      LsPlannerFigure f = g_array_index (planner (&p)->figures, LsPlannerFigure, i);

      asked (&p)->picked = (gint) i;
      draw (&p);
      f = g_array_index (planner (&p)->figures, LsPlannerFigure, i);
      g_assert_cmpint (f.price >= 0 && f.area.w > 0, ==, f.up.w > 0);
      if (f.up.w <= 0)
        continue;
      const LsPriceKind kind = (LsPriceKind) f.price;
      const double before = planner (&p)->guide.prices.of[kind].figure.value;
      g_assert_cmpfloat (MIN (MIN (f.up.w, f.up.h), MIN (f.down.w, f.down.h)), >=, 24);
      g_assert_cmpint (click (&p, f.up.x + 12, f.up.y + 12), ==, LS_ACT_CHANGED);
      g_assert_cmpfloat_with_epsilon (planner (&p)->guide.prices.of[kind].figure.value, before * 1.1,
                                      before * 1e-6);
      g_assert_cmpint (asked (&p)->picked, ==, (gint) i);
      f = g_array_index (planner (&p)->figures, LsPlannerFigure, i);
      g_assert_cmpint (click (&p, f.down.x + 12, f.down.y + 12), ==, LS_ACT_CHANGED);
      g_assert_cmpfloat_with_epsilon (planner (&p)->guide.prices.of[kind].figure.value, before,
                                      before * 1e-6);
      n_prices++;
    }
  g_assert_cmpuint (n_prices, >=, 3);
  close_picture (&p);
}

static void
test_keys (void)
{
  Picture p;

  buying (&p);
  g_assert_cmpint (press (&p, LS_KEY_LEFT), ==, LS_ACT_NONE);
  g_assert_cmpint (press (&p, LS_KEY_LET_GO), ==, LS_ACT_NONE);
  g_assert_cmpint (press (&p, LS_KEY_PICK), ==, LS_ACT_CHANGED);
  g_assert_cmpint (asked (&p)->picked, ==, 0);
  g_assert_cmpint (press (&p, LS_KEY_RIGHT), ==, LS_ACT_CHANGED);
  g_assert_cmpint (asked (&p)->picked, ==, 1);
  g_assert_cmpint (press (&p, LS_KEY_LEFT), ==, LS_ACT_CHANGED);
  g_assert_cmpint (press (&p, LS_KEY_LEFT), ==, LS_ACT_CHANGED); /* round the end */
  g_assert_cmpint (asked (&p)->picked, ==, (gint) planner (&p)->figures->len - 1);
  g_assert_cmpint (press (&p, LS_KEY_PICK), ==, LS_ACT_OPEN);
  g_assert_cmpint (press (&p, LS_KEY_LET_GO), ==, LS_ACT_CHANGED);
  g_assert_cmpint (asked (&p)->picked, ==, LS_PLANNER_NONE);
  for (guint i = 1; i <= ls_planner_n_cards (p.data->catalogue); i++)
    {
      g_assert_cmpint (press (&p, LS_KEY_PAGE), ==, LS_ACT_CHANGED);
      g_assert_true (planner (&p)->guide.own == ls_planner_card (p.data->catalogue, i));
      g_assert_true (ls_hardware_trains (planner (&p)->guide.own));
      assert_faultless (p.layout);
    }
  press (&p, LS_KEY_PAGE);
  g_assert_cmpuint (asked (&p)->card, ==, LS_PLANNER_CHEAPEST);
  close_picture (&p);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/planner/prices", test_prices);
  g_test_add_func ("/planner/arrows", test_arrows);
  g_test_add_func ("/planner/keys", test_keys);
  return g_test_run ();
}
