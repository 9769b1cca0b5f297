/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Planner's sums of money, bytes and names, as it writes them, and the scales that they stand at.
 */
#include "config.h"

#include "tests/paint/places.h"
#include "tests/paint/planner/planner-rig.h"

/* Whole from a thousand on, three figures below, one of what is less than a tenth; nothing is 0. */
static void
test_money (void)
{
  static const struct {
    double value;
    const char *words;
  } rows[] = { { 1599, "1 599 USD" }, { 1234567.4, "1 234 567 USD" }, { 999.6, "1 000 USD" },
               { 999.4, "999 USD" },  { 98.54, "98.5 USD" },          { .25, "0.250 USD" },
               { .0949, "0.09 USD" }, { .005, "0.005 USD" },          { .0049, "0 USD" },
               { 0, "0 USD" },        { -12.34, "−12.3 USD" } };
  const LsPlanner planner = { .guide = { .currency = "USD" } }, other = { .guide = { .currency = "EUR" } };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    assert_said (ls_planner_money (&planner, rows[i].value), rows[i].words);
  assert_said (ls_planner_money (&other, 5), "5.00 EUR");
}

static void
test_bytes (void)
{
  static const struct {
    double bytes;
    const char *words;
  } rows[] = { { 59.4e6, "59.4 MB" }, { 12e9, "12.0 GB" },    { 1e9, "1.00 GB" },
               { 9.98e8, "998 MB" },  { 1500, "0.00150 MB" }, { 1.234e12, "1 230 GB" } };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    assert_said (ls_planner_bytes (rows[i].bytes), rows[i].words);
}

/* Without its maker, and no more. */
static void
test_names (void)
{
  static const char *const rows[][2]
    = { { "NVIDIA GeForce RTX 3060 12 GB", "RTX 3060 12 GB" }, { "NVIDIA Tesla V100", "V100" },
        { "NVIDIA A100 SXM4 40 GB", "A100 SXM4 40 GB" },       { "Google TPU v4", "TPU v4" },
        { "AMD Instinct MI300X", "AMD Instinct MI300X" },      { "GeForce", "GeForce" } };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      const LsHardware device = { .name = (char *) rows[i][0] };
      g_assert_cmpstr (ls_planner_short (&device), ==, rows[i][1]);
    }
}

/* What owning saves at the planned months, from the cheapest case to the dearest: the card for 500 USD and
 * its power against 0.50 USD an hour, each with its own hours. */
static void
test_saved (void)
{
  Picture p;
  guint owning = 0;

  buying (&p);
  for (guint months = 0; months < 4; months++)
    {
      double saved[2];

      asked (&p)->months = months;
      draw_at (&p, 1920, 1080, LS_LOOK_LIGHT);
      const LsPlanner *own = planner (&p);
      for (guint i = 0; i < 2; i++)
        {
          const LsBill *bill = i == 0 ? &own->advice.best : &own->advice.worst;
          saved[i] = (bill->hours_rented * .5 - bill->hours_owned * bill->power / 1000 * .1545)
                       * own->guide.months
                     - 500;
        }
      if ((saved[0] > 0) != (saved[1] > 0))
        {
          g_assert_true (told (&p, "either may be cheaper"));
          continue;
        }
      /* what a month of owning takes is its power, without the card */
      g_autofree char *power = ls_planner_money (own, own->advice.best.hours_owned * own->advice.best.power
                                                        / 1000 * .1545),
                      *cut = g_strndup (power, (gsize) (strrchr (power, ' ') - power)),
                      *month = g_strdup_printf ("then %s", cut);
      if (!told (&p, month))
        g_error ("“%s…” a month isn’t told of owning", month);
      g_autofree char *low = ls_planner_money (own, MIN (fabs (saved[0]), fabs (saved[1]))),
                      *high = ls_planner_money (own, MAX (fabs (saved[0]), fabs (saved[1])));
      g_autofree char *bare = g_strndup (low, (gsize) (strrchr (low, ' ') - low)),
                      *words = g_strdup_printf ("%s saves %s–%s", saved[0] > 0 ? "owning" : "renting", bare,
                                                high);
      if (!told (&p, words))
        {
          g_autofree char *all = all_texts (p.layout->still, " | ");
          g_error ("at %g months nothing says “%s”: %s", own->guide.months, words, all);
        }
      owning += saved[0] > 0;
    }
  g_assert_cmpuint (owning, >, 0);
  close_picture (&p);
}

/* ---- the costs' scales ---- */

/* A number that stands alone, with spaces between thousands; NAN: it is none. */
static double
alone (const char *text)
{
  g_auto (GStrv) parts = g_regex_split_simple ("[\\s\\x{2009}\\x{202f}\\x{a0}]+", text, 0, 0);
  g_autofree char *digits = g_strjoinv ("", parts);
  char *end;
  const double value = g_ascii_strtod (digits, &end);

  return end == digits || *end != '\0' ? (double) NAN : value;
}

/* Left of the plot stand sums of money, each on its own line across it, below it months, a year apart, or two
 * where there are more than four; both grow by what they say. */
static void
test_scales (void)
{
  static const double hours[] = { .2, .5, 2 };
  guint yearly = 0, every_other = 0;
  Picture p;

  buying (&p);
  for (guint i = 0; i < G_N_ELEMENTS (hours); i++)
    for (asked (&p)->months = 0; asked (&p)->months < 4; asked (&p)->months++)
      {
        const LsItem *zero = NULL, *money[16], *months[16];
        guint n_money = 0, n_months = 0;
        double left = 0;

        asked (&p)->prices[LS_PRICE_RENT] = hours[i];
        draw_at (&p, 1920, 1080, i == 1 ? LS_LOOK_PRINT : LS_LOOK_LIGHT);
        const LsScene *s = p.layout->still;
        for (guint k = 0; k < s->items->len; k++)
          if (ls_scene_get (s, k)->kind == LS_ITEM_TEXT && strcmp (ls_scene_get (s, k)->text, "month 0") == 0)
            zero = ls_scene_get (s, k);
        if (zero == NULL)
          continue;
        left = (double) (zero->x + zero->w / 2);
        for (guint k = 0; k < s->items->len; k++)
          {
            const LsItem *item = ls_scene_get (s, k);
            if (item->kind != LS_ITEM_TEXT || item->ink != LS_INK_QUIET || isnan (alone (item->text))
                || item->type.px != zero->type.px)
              continue;
            if (fabs ((double) (item->y - zero->y)) < .1 && item->x > zero->x && n_months < 16)
              months[n_months++] = item;
            else if (item->align == LS_RIGHT && (double) (item->x + item->w) < left
                     && (double) item->x > left - 90 && item->y < zero->y && n_money < 16)
              money[n_money++] = item;
          }
        g_assert_cmpuint (n_months, >=, 2);
        g_assert_cmpuint (n_money, >=, 2);
        const double every = alone (months[0]->text);
        for (guint k = 0; k < n_months; k++)
          {
            const double x = (double) (months[k]->x + months[k]->w / 2),
                         first = (double) (months[0]->x + months[0]->w / 2);
            g_assert_cmpfloat (alone (months[k]->text), ==, every * (k + 1));
            if (fabs ((x - left) / (first - left) - (k + 1)) > .02)
              g_error ("month %s stands %.3f times as far as month %g", months[k]->text,
                       (x - left) / (first - left), every);
          }
        g_assert_true (every == 12 || every == 24);
        const double last = alone (months[n_months - 1]->text);
        g_assert_true (every == 12 ? last <= 48 : last >= 48);
        yearly += every == 12;
        every_other += every == 24;
        for (guint k = 0; k < n_money; k++)
          {
            const double y = ls_text_middle (money[k]), base = ls_text_middle (money[0]),
                         top = ls_text_middle (money[n_money - 1]);
            gboolean line = FALSE;

            for (guint j = 0; j < s->items->len; j++)
              {
                const LsItem *item = ls_scene_get (s, j);
                const float *at = &g_array_index (s->points, float, 2 * item->points);
                line |= item->kind == LS_ITEM_LINE && item->n_points == 2 && fabs ((double) at[1] - y) < 1
                        && at[1] == at[3] && fabs ((double) at[0] - left) < 1.5
                        && fabs ((double) item->size - s->style->hairline) < .01;
              }
            if (!line)
              g_error ("“%s” stands beside no thin line of the plot", money[k]->text);
            g_assert_cmpfloat_with_epsilon ((base - y) / (base - top),
                                            alone (money[k]->text) / alone (money[n_money - 1]->text), .02);
          }
        g_assert_cmpfloat (alone (money[0]->text), ==, 0);
      }
  g_assert_cmpuint (yearly, >, 0);
  g_assert_cmpuint (every_other, >, 0);
  close_picture (&p);
}

/* The card for less is one of what moves it, and each has its months below itself. */
static void
test_card_moves (void)
{
  Picture p;

  buying (&p);
  draw_at (&p, 1920, 1080, LS_LOOK_LIGHT);
  const LsAdvice *a = &planner (&p)->advice;
  const char *const titles[] = { "half the hours", "twice the hours", "card at " };
  const double *const months[] = { a->break_half, a->break_twice, a->break_card };
  const LsItem *before = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (titles); i++)
    {
      const LsItem *title = find_text (p.layout->still, titles[i]), *under = NULL;
      g_autofree char *text = ls_months_text (months[i]);

      if (title == NULL)
        g_error ("“%s” isn’t there", titles[i]);
      for (guint k = 0; k < p.layout->still->items->len; k++)
        {
          const LsItem *item = ls_scene_get (p.layout->still, k);
          if (item->kind == LS_ITEM_TEXT && item->x == title->x && item->y > title->y
              && (under == NULL || item->y < under->y))
            under = item;
        }
      g_assert_nonnull (under);
      g_assert_cmpstr (under->text, ==, text);
      if (before != NULL)
        {
          g_assert_cmpfloat ((double) title->y, ==, (double) before->y);
          g_assert_cmpfloat ((double) title->x, >, ls_item_right (before));
        }
      before = title;
    }
  g_assert_nonnull (strstr (find_text (p.layout->still, "card at ")->text, "% of its price"));
  /* with half of its hours it takes longer until it has paid; with twice as many, which may need a second
   * one, or at a part of its price, no longer */
  g_assert_cmpfloat (a->break_half[0], >, a->break_even[0]);
  g_assert_cmpfloat (a->break_twice[0], <=, a->break_even[0]);
  g_assert_cmpfloat (a->break_card[0], <, a->break_even[0]);
  close_picture (&p);
}

/* To a screen reader: the answer, all that it rests on in the words that are drawn, and of the picked one
 * where it is from. */
static void
test_described (void)
{
  Picture p;

  buying (&p);
  const guint n = planner (&p)->figures->len;
  g_assert_cmpuint (n, >, 3);
  for (guint pick = 0; pick <= n; pick++)
    {
      g_autoptr (GString) figures = g_string_new (NULL);
      g_autofree char *spoken = NULL, *of_picked = NULL;

      asked (&p)->picked = pick < n ? (gint) pick : LS_PLANNER_NONE;
      draw (&p);
      spoken = ls_layout_describe (p.layout);
      if (pick < n)
        {
          const LsPlannerFigure *f = &g_array_index (planner (&p)->figures, LsPlannerFigure, pick);
          g_autofree char *page = f->source != NULL
                                    ? g_strdup_printf ("%s, %s", f->source->address, f->source->seen)
                                    : NULL;
          if (!told (&p, f->told) /* in less and less room */
              && (page == NULL || (!told (&p, page) && !told (&p, f->source->title))))
            g_error ("where “%s” is from isn’t drawn", f->text);
        }
      if (told (&p, "A click on a figure says where it is from") != (pick == n))
        g_error ("what a click does is%s said, with%s figure picked", pick == n ? "n’t" : "",
                 pick == n ? " no" : " a");
      for (guint i = 0; i < n; i++)
        g_string_append_printf (figures, "%s%s", i == 0 ? " " : ", ",
                                g_array_index (planner (&p)->figures, LsPlannerFigure, i).text);
      g_string_append_c (figures, '.');
      if (pick < n)
        {
          const LsPlannerFigure *f = &g_array_index (planner (&p)->figures, LsPlannerFigure, pick);
          of_picked = g_strdup_printf ("%s %s: %s.", figures->str, f->text, f->told);
        }
      if (strstr (spoken, planner (&p)->advice.sentence) == NULL)
        g_error ("the answer isn’t told: “%s”", spoken);
      if (strstr (spoken, of_picked != NULL ? of_picked : figures->str) == NULL)
        g_error ("“%s” isn’t told: “%s”", of_picked != NULL ? of_picked : figures->str, spoken);
      for (guint i = 0; i < n; i++)
        {
          const LsPlannerFigure *f = &g_array_index (planner (&p)->figures, LsPlannerFigure, i);
          g_autofree char *from = g_strdup_printf ("%s: %s.", f->text, f->told);
          if (i != pick && strstr (spoken, from) != NULL)
            g_error ("“%s” is told, and isn’t picked", from);
        }
    }
  close_picture (&p);
}

/* Where renting and owning cost the same is ringed; the words for that don't lie on a ring. */
static void
test_break_even (void)
{
  static const double prices[] = { 60, 200, 500, 900, 1500, 3000 };
  guint rings = 0;

  for (guint i = 0; i < G_N_ELEMENTS (prices); i++)
    {
      const LsItem *words[2] = { NULL };
      Picture p;

      buying (&p);
      asked (&p)->prices[LS_PRICE_CARD] = prices[i];
      draw (&p);
      const LsScene *s = p.layout->still;
      g_autofree char *months = ls_months_text (planner (&p)->advice.break_even);
      for (guint k = 0; k < s->items->len; k++)
        {
          const LsItem *item = ls_scene_get (s, k);
          if (item->kind != LS_ITEM_TEXT || k + 1 >= s->items->len || strcmp (item->text, "break-even") != 0)
            continue;
          words[0] = item;
          words[1] = ls_scene_get (s, k + 1);
          g_assert_cmpstr (words[1]->text, ==, months);
          g_assert_cmpfloat ((double) words[1]->y, >, (double) item->y);
        }
      for (guint k = 0; k < s->items->len; k++)
        {
          const LsItem *ring = ls_scene_get (s, k);
          if (ring->kind != LS_ITEM_RINGS || ring->evidence != LS_EVIDENCE_MODELLED)
            continue;
          const double x = (double) g_array_index (s->points, float, 2 * ring->points),
                       y = (double) g_array_index (s->points, float, 2 * ring->points + 1),
                       half = (double) ring->size / 2;
          rings++;
          for (guint w = 0; w < 2; w++)
            {
              if (words[w] == NULL)
                g_error ("with a card for %g USD “%s” isn’t said", prices[i], w == 0 ? "break-even" : months);
              if ((double) words[w]->x < x + half && ls_item_right (words[w]) > x - half
                  && (double) words[w]->y > y - half && (double) words[w]->y - words[w]->type.px < y + half)
                g_error ("with a card for %g USD “%s” lies on a ring", prices[i], words[w]->text);
            }
        }
      close_picture (&p);
    }
  g_assert_cmpuint (rings, >, 4);
}

/* In a low window what moves the costs is left out before the costs are. */
static void
test_room (void)
{
  guint with = 0, without = 0;
  Picture p;

  buying (&p);
  for (guint h = 1080; h >= 520; h -= 10)
    {
      draw_at (&p, 1280, h, LS_LOOK_LIGHT);
      if (!told (&p, "When does owning pay?") || !told (&p, "month 0 12 24 36"))
        g_error ("in %u px the costs aren’t drawn", h);
      *(told (&p, "What moves it") ? &with : &without) += 1;
      assert_faultless (p.layout);
    }
  if (with == 0 || without == 0)
    g_error ("at %u heights it is said what moves the costs, at %u it isn’t", with, without);
  close_picture (&p);
}

/* A step takes as long as the faster lane's rate says, and its quartiles are those of the rate the other way
 * round: the faster quarter of steps is the shorter one. */
static void
test_measured_step (void)
{
  Picture p;

  open_picture (&p, TRUE);
  const LsFigure *step = &planner (&p)->guide.step_here;
  const LsViewLane *sides = p.data->sides;
  const LsFigure *rate = &sides[sides[1].rate.value > sides[0].rate.value].rate;
  const double batch = p.data->batch;

  g_assert_cmpuint (step->n, ==, rate->n);
  g_assert_cmpfloat (rate->q1, <, rate->q3);
  if (fabs (step->value * rate->value / batch - 1) > 1e-9 || fabs (step->q1 * rate->q3 / batch - 1) > 1e-9
      || fabs (step->q3 * rate->q1 / batch - 1) > 1e-9)
    g_error ("of %g (%g–%g) samples/s a step of %g takes %g s (%g–%g)", rate->value, rate->q1, rate->q3,
             batch, step->value, step->q1, step->q3);
  close_picture (&p);
}

/* What a click does is said to who can click: not on a projector, whose words are few and large, and not in a
 * picture for a page. */
static void
test_hint (void)
{
  static const struct {
    double width, height;
    LsLook look;
    gboolean chrome, said;
  } cases[] = {
    { 1920, 1080, LS_LOOK_LIGHT, FALSE, TRUE },      { 1920, 1080, LS_LOOK_DARK, FALSE, TRUE },
    { 1920, 1080, LS_LOOK_LIGHT, TRUE, FALSE },      { 1920, 1080, LS_LOOK_PROJECTOR, FALSE, FALSE },
    { 3840, 2160, LS_LOOK_PROJECTOR, FALSE, FALSE }, { 1920, 2160, LS_LOOK_PROJECTOR, FALSE, FALSE },
    { 3840, 2160, LS_LOOK_PROJECTOR, TRUE, FALSE },
  };
  Picture p;

  buying (&p);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      LsQuery query = LS_QUERY_INIT;
      asked (&p)->picked = LS_PLANNER_NONE;
      query.state = asked (&p);
      query.chrome = cases[i].chrome;
      g_autoptr (LsLayout) layout = draw_view (&ls_view_planner, p.data, &query, cases[i].look,
                                               cases[i].width, cases[i].height);
      if ((find_text (layout->still, "A click on a figure says where it is from") != NULL) != cases[i].said)
        g_error ("in case %u what a click does is%s said", i, cases[i].said ? " not" : "");
    }
  close_picture (&p);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/planner-numbers/money", test_money);
  g_test_add_func ("/planner-numbers/bytes", test_bytes);
  g_test_add_func ("/planner-numbers/names", test_names);
  g_test_add_func ("/planner-numbers/saved", test_saved);
  g_test_add_func ("/planner-numbers/scales", test_scales);
  g_test_add_func ("/planner-numbers/card-moves", test_card_moves);
  g_test_add_func ("/planner-numbers/described", test_described);
  g_test_add_func ("/planner-numbers/room", test_room);
  g_test_add_func ("/planner-numbers/break-even", test_break_even);
  g_test_add_func ("/paint/planner-numbers/measured-step", test_measured_step);
  g_test_add_func ("/paint/planner-numbers/hint", test_hint);
  return g_test_run ();
}
