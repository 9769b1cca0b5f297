/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Planner's prices: changed by keys and by their arrows, and what follows from them; and where nothing does.
 */
#include "tests/paint/planner/planner-rig.h"

static guint
rings_in (const Picture *p)
{
  const LsScene *s = p->layout->still;
  guint n = 0;

  for (guint i = 0; i < s->items->len; i++)
    n += ls_scene_get (s, i)->kind == LS_ITEM_RINGS && (double) ls_scene_get (s, i)->x <= p->layout->width;
  return n;
}

static void
pick_price (Picture *p, LsPriceKind kind)
{
  asked (p)->picked = 0;
  asked (p)->price = kind + 1;
  draw (p);
}

/* -1: what is picked is none. */
static gint
picked_price (const Picture *p)
{
  LsPlannerState now = *asked (p);

  ls_planner_follow (planner (p), &now);
  g_assert_cmpint (now.picked, >=, 0);
  return g_array_index (planner (p)->figures, LsPlannerFigure, now.picked).price;
}

/* Up and Down change a price by a tenth, and all that follows from it; D takes it back. */
static void
test_prices (void)
{
  Picture p;

  buying (&p);
  g_assert_true (told (&p, "electricity 0.1545 USD/kWh")); /* as in --help: all its figures */
  g_assert_true (told (&p, "power 170 W"));
  const double before = planner (&p)->advice.best.card, month = planner (&p)->advice.break_even[0];
  g_assert_cmpint (press (&p, LS_KEY_UP), ==, LS_ACT_NONE); /* nothing is picked */
  pick_price (&p, LS_PRICE_CARD);
  g_assert_cmpint (press (&p, LS_KEY_UP), ==, LS_ACT_CHANGED);
  g_assert_true (told (&p, "↑ and ↓ change it by a tenth, D takes it back"));
  g_assert_cmpfloat_with_epsilon (planner (&p)->advice.best.card / before, 1.1, 1e-9);
  g_assert_cmpfloat_with_epsilon (planner (&p)->advice.break_even[0] / month, 1.1, 1e-6);
  g_assert_cmpint (press (&p, LS_KEY_DOWN), ==, LS_ACT_CHANGED);
  g_assert_cmpfloat_with_epsilon (planner (&p)->advice.best.card / before, 1, 1e-9);
  g_assert_cmpint (press (&p, LS_KEY_DRAW), ==, LS_ACT_CHANGED);
  g_assert_cmpfloat (planner (&p)->advice.best.card, ==, 329); /* as it was published */
  g_assert_false (told (&p, "D takes it back"));
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
  /* it stays picked, though there is a figure more before it, and one less once it is taken back */
  g_assert_true (told (&p, "break-even: "));
  g_assert_cmpint (picked_price (&p), ==, LS_PRICE_CARD);
  g_assert_cmpint (press (&p, LS_KEY_UP), ==, LS_ACT_CHANGED);
  g_assert_cmpfloat_with_epsilon (planner (&p)->advice.best.card, 1.1, 1e-9);
  g_assert_cmpint (press (&p, LS_KEY_DRAW), ==, LS_ACT_CHANGED);
  g_assert_false (told (&p, "break-even: "));
  g_assert_cmpint (picked_price (&p), ==, LS_PRICE_CARD);
  close_picture (&p);
}

/* Where something else is asked there may be other figures: then none is picked. */
static void
test_asked_otherwise (void)
{
  for (const LsViewSwitch *is = ls_view_planner.switches; is->title != NULL; is++)
    {
      Picture p;
      LsQuery query = LS_QUERY_INIT;

      buying (&p);
      pick_price (&p, LS_PRICE_CARD);
      query.state = p.state;
      is->set (&query, 1);
      if (asked (&p)->picked != LS_PLANNER_NONE)
        g_error ("after an answer to “%s” figure %d is picked", is->title, asked (&p)->picked);
      close_picture (&p);
    }
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
      if (!(before > 0)) /* of nothing a tenth is nothing */
        continue;
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

/* Each price says where it is from and when: a page and the day on which it was seen, or one's own and today.
 */
static void
test_from (void)
{
  Picture p;
  g_autoptr (GDateTime) now = g_date_time_new_now_local ();
  g_autofree char *today = g_date_time_format (now, "%Y-%m-%d"),
                  *own = g_strdup_printf ("your own, %s", today);
  guint n = 0;

  open_picture (&p, TRUE);
  asked (&p)->often = 2;
  draw (&p);
  for (guint i = 0; i < planner (&p)->figures->len; i++)
    {
      const LsPlannerFigure *f = &g_array_index (planner (&p)->figures, LsPlannerFigure, i);

      if (f->price < 0 || planner (&p)->guide.prices.of[f->price].figure.n == 0
          || f->evidence != LS_EVIDENCE_PUBLISHED) /* some are assumed, and say so */
        continue;
      if (f->source == NULL || strstr (f->told, f->source->seen) == NULL
          || strstr (f->told, f->source->address) == NULL)
        g_error ("“%s” doesn't say where it is from, and when: %s", f->text, f->told);
      n++;
    }
  g_assert_cmpuint (n, >=, 3);
  /* nor is anything else called published without a page, but what this device tells of itself */
  for (guint i = 0; i < planner (&p)->figures->len; i++)
    {
      const LsPlannerFigure *f = &g_array_index (planner (&p)->figures, LsPlannerFigure, i);

      if (f->evidence == LS_EVIDENCE_PUBLISHED && f->source == NULL
          && strstr (f->text, "told by this device") == NULL)
        g_error ("“%s” is published, and has no page", f->text);
    }
  for (guint i = 0; i < LS_PRICE_N; i++) /* each can be changed */
    {
      pick_price (&p, (LsPriceKind) i);
      g_assert_cmpint (press (&p, LS_KEY_UP), ==, LS_ACT_CHANGED);
      g_assert_true (planner (&p)->guide.prices.of[i].own);
      press (&p, LS_KEY_DRAW);
    }
  pick_price (&p, LS_PRICE_CARD);
  g_assert_cmpint (press (&p, LS_KEY_UP), ==, LS_ACT_CHANGED);
  g_assert_true (told (&p, own));
  g_assert_null (opens (&p));
  close_picture (&p);
}

/* The sums of a lecture, made from prices that can be changed. */
static void
test_field (void)
{
  Picture p;
  guint field = 0;

  while (strstr (ls_planner_train_word (field), "lecture") == NULL)
    field++;
  open_picture (&p, TRUE);
  asked (&p)->train = field;
  draw (&p);
  g_assert_true (told (&p, "100 h at 3.06 USD/h are 306 USD"));
  g_assert_true (told (&p, "has paid for itself after 654 h."));
  g_assert_cmpfloat_with_epsilon (planner (&p)->advice.break_even[0], 2000 / 306., 1e-9);
  g_assert_cmpuint (rings_in (&p), >, 0);
  assert_faultless (p.layout);
  for (guint i = 0; i < planner (&p)->figures->len; i++) /* what has no page isn't called published */
    {
      const LsPlannerFigure *f = &g_array_index (planner (&p)->figures, LsPlannerFigure, i);
      if (f->evidence == LS_EVIDENCE_PUBLISHED && f->source == NULL)
        g_error ("“%s” is published, and has no page", f->text);
    }
  pick_price (&p, LS_PRICE_CARD);
  g_assert_true (told (&p, "no source of it was found"));
  press (&p, LS_KEY_UP);
  g_assert_true (told (&p, "has paid for itself after 719 h.")); /* 2200 / 3.06 */
  pick_price (&p, LS_PRICE_RENT);
  press (&p, LS_KEY_UP);
  g_assert_true (told (&p, "are 337 USD"));
  press (&p, LS_KEY_DRAW);
  g_assert_true (told (&p, "are 306 USD"));
  close_picture (&p);
}

/* ---- where costs aren't held against each other ---- */

/* A month has 730 hours of one card: where its runs may take more, nothing is drawn, written or advised as if
 * one did them. */
static void
test_one_card (void)
{
  Picture p;
  guint drawn = 0, close = 0, more = 0;

  buying (&p);
  for (asked (&p)->often = 2; asked (&p)->often <= 3; asked (&p)->often++)
    for (asked (&p)->card = 0; asked (&p)->card <= ls_planner_n_cards (p.data->catalogue); asked (&p)->card++)
      {
        draw_at (&p, 1920, 1080, LS_LOOK_LIGHT);
        const LsAdvice *a = &planner (&p)->advice;
        const gboolean enough = a->owned.q3 <= 730;

        if (a->owned.n == 0)
          continue;
        g_assert_cmpint (told (&p, "may not be enough: the runs of a month take"), ==, !enough);
        if (enough)
          {
            drawn += rings_in (&p);
            continue;
          }
        g_assert_cmpint (a->kind, ==, a->owned.q1 > 730 ? LS_ADVICE_NONE : LS_ADVICE_CLOSE);
        g_assert_cmpuint (rings_in (&p), ==, 0);
        g_assert_false (told (&p, "break-even"));
        g_assert_false (told (&p, "owning saves"));
        assert_faultless (p.layout);
        close += a->kind == LS_ADVICE_CLOSE;
        more += a->kind == LS_ADVICE_NONE;
      }
  g_assert_cmpuint (MIN (MIN (drawn, close), more), >, 0);
  close_picture (&p);
}

/* Where a GPU is the wrong answer no month is drawn from which on one pays; it isn't where this computer
 * can't do the runs. */
static void
test_wrong (void)
{
  static const struct {
    const char *model, *rule;
    guint batch;
  } cases[] = { { "flatten, dense 16, relu, dense 10", "small", 16 },
                { "flatten, dense 3072, relu, dense 3072, relu, dense 10", "batch", 8 } };
  guint beyond = 0;

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      Picture p;

      open_run (&p, cases[i].model, cases[i].batch, TRUE);
      asked (&p)->said[LS_PRICE_RENT] = TRUE;
      asked (&p)->prices[LS_PRICE_RENT] = .5;
      draw_at (&p, 1920, 1080, LS_LOOK_LIGHT);
      g_test_message ("%s", planner (&p)->advice.sentence);
      g_assert_cmpstr (planner (&p)->advice.rule, ==, cases[i].rule);
      g_assert_cmpint (planner (&p)->advice.kind, ==, LS_ADVICE_WRONG);
      g_assert_true (told (&p, "Nothing to rent or to buy for that."));
      g_assert_cmpuint (rings_in (&p), ==, 0);
      g_assert_false (told (&p, "break-even"));
      g_assert_false (told (&p, "owning saves"));
      assert_faultless (p.layout);
      asked (&p)->often = 3;
      draw_at (&p, 1920, 1080, LS_LOOK_LIGHT);
      const gboolean does_it = planner (&p)->advice.here.value <= 730;
      g_assert_cmpint (planner (&p)->advice.kind == LS_ADVICE_WRONG, ==, does_it);
      beyond += !does_it;
      close_picture (&p);
    }
  g_assert_cmpuint (beyond, >, 0);
}

static double
middle_of (const LsScene *s, const LsItem *item)
{
  LsArea area;

  ls_item_bounds (s, item, &area.x, &area.y, &area.w, &area.h);
  return area.x + area.w / 2;
}

/* Under the costs each twelfth month is written up to 48, and each 24th where the axis is longer. */
static void
test_months (void)
{
  Picture p;
  guint short_ = 0, longest = 0, whole = 0;

  buying (&p);
  for (guint price = 100; price < 4000; price += 100)
    {
      const LsItem *band = NULL, *zero = NULL;
      double months[16] = { 0 }, x[16] = { 0 };
      guint n = 0;

      asked (&p)->prices[LS_PRICE_CARD] = price;
      asked (&p)->prices[LS_PRICE_RENT] = price % 200 == 0 ? 4 : .5;
      draw (&p);
      const LsScene *s = p.layout->still;
      for (guint i = 0; i < s->items->len; i++)
        {
          const LsItem *item = ls_scene_get (s, i);
          char *end;

          if (item->kind == LS_ITEM_AREA && item->evidence == LS_EVIDENCE_MODELLED && item->n_points == 4)
            band = item;
          if (item->kind != LS_ITEM_TEXT)
            continue;
          if (g_str_equal (item->text, "month 0"))
            zero = item;
          const double number = g_ascii_strtod (item->text, &end);
          if (zero == NULL || *end != '\0' || item->y != zero->y || number <= 0)
            continue;
          g_assert_cmpuint (n, <, 16);
          months[n] = number;
          x[n++] = middle_of (s, item) - middle_of (s, zero);
        }
      if (band == NULL || n == 0)
        continue;
      const double wide = (double) g_array_index (s->points, float, 2 * (band->points + 1))
                          - middle_of (s, zero),
                   all = round (months[0] * wide / x[0]);
      if (months[0] != (all <= 48 ? 12 : 24))
        g_error ("of %g months the first one that is written is %g", all, months[0]);
      for (guint i = 1; i < n; i++)
        if (months[i] != months[0] * (i + 1))
          g_error ("of %g months %g is written after %g", all, months[i], months[i - 1]);
      if (months[n - 1] + months[0] <= all)
        g_error ("of %g months the last one that is written is %g", all, months[n - 1]);
      *(all < 48 ? &short_ : all > 48 ? &longest : &whole) += 1;
    }
  g_test_message ("%u shorter than 48 months, %u of 48, %u longer", short_, whole, longest);
  g_assert_true (short_ > 0 && longest > 0 && whole > 0);
  close_picture (&p);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/planner/prices", test_prices);
  g_test_add_func ("/planner/asked-otherwise", test_asked_otherwise);
  g_test_add_func ("/planner/arrows", test_arrows);
  g_test_add_func ("/planner/keys", test_keys);
  g_test_add_func ("/planner/from", test_from);
  g_test_add_func ("/planner/field", test_field);
  g_test_add_func ("/planner/one-card", test_one_card);
  g_test_add_func ("/planner/wrong", test_wrong);
  g_test_add_func ("/planner/months", test_months);
  return g_test_run ();
}
