/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Planner's options of `render`: each choice by its number and by its words, a card by its name, prices by
 * theirs; each sets what it is called and nothing else. What is refused is answered with what there is.
 */
#include "tests/paint/planner/planner-rig.h"

#include <stddef.h>
#include <string.h>

static const LsViewOption *
option_of (const char *name)
{
  for (const LsViewOption *option = ls_view_planner.options; option->name != NULL; option++)
    if (g_str_equal (option->name, name))
      return option;
  g_error ("Planner has no option “%s”", name);
}

static LsPlannerState
as_at_first (void)
{
  LsPlannerState state;

  memcpy (&state, ls_view_planner.state_init, sizeof state);
  return state;
}

static guint *
field_at (LsPlannerState *state, gsize offset)
{
  return (guint *) (void *) ((char *) state + offset);
}

static void
check_taken (const LsViewData *data, const char *name, const char *text, gsize offset, guint value)
{
  LsPlannerState state = as_at_first (), wanted = as_at_first ();
  g_autofree char *says = NULL;

  *field_at (&wanted, offset) = value;
  *field_at (&state, offset) = 99;
  says = option_of (name)->read (data, text, &state);
  if (says != NULL)
    g_error ("--%s “%s” is refused: %s", name, text, says);
  if (*field_at (&state, offset) != value)
    g_error ("--%s “%s” is choice %u, and should be %u", name, text, *field_at (&state, offset), value);
  if (memcmp (&state, &wanted, sizeof state) != 0)
    g_error ("--%s “%s” sets something else, too", name, text);
}

static void
check_refused (const LsViewData *data, const char *name, const char *text, const char *wanted)
{
  LsPlannerState state = as_at_first (), before = as_at_first ();
  g_autofree char *says = option_of (name)->read (data, text, &state);

  if (g_strcmp0 (says, wanted) != 0)
    g_error ("--%s “%s” is answered with “%s”, not with “%s”", name, text, says != NULL ? says : "nothing",
             wanted);
  if (memcmp (&state, &before, sizeof state) != 0)
    g_error ("--%s “%s” is refused, and sets something", name, text);
}

/* The questions', whose switches in the window have the same choices, and those of the reckoning. */
static void
test_choices (void)
{
  static const struct {
    const char *option;
    gsize field;
    const char *words[9];
  } rows[] = {
    { "train",
      offsetof (LsPlannerState, train),
      { "this network, as it is", "this network, batch 1", "this network, batch 1 024",
        "this network, batch 8 192", "this network, batch 65 536", "trees on a table",
        "nothing: preparing data", "a lecture’s sums on a V100" } },
    { "often",
      offsetof (LsPlannerState, often),
      { "20 runs a month of 10 epochs", "300 runs a month of 300 epochs", "10 000 runs a month of 300 epochs",
        "100 000 runs a month of 1 000 epochs" } },
    { "months",
      offsetof (LsPlannerState, months),
      { "24 months", "6 months", "12 months", "36 months", "24 months, 300 USD", "24 months, 2 000 USD" } },
    { "with-optimizer",
      offsetof (LsPlannerState, optimizer),
      { "optimizer as in the run", "SGD with momentum", "Adam" } },
    { "with-precision",
      offsetof (LsPlannerState, precision),
      { "precision as in the run", "fp32", "bf16", "fp16" } },
  };
  Picture p;

  open_picture (&p, FALSE);
  for (guint r = 0; r < G_N_ELEMENTS (rows); r++)
    {
      const guint n = g_strv_length ((char **) (void *) rows[r].words);
      g_autofree char *says = g_strdup_printf ("the number of a choice, 1 to %u, or its words", n),
                      *more = g_strdup_printf ("%u", n + 1);
      const char *const wrong[] = { "0", more, "-1", "1.5", "", "none of these" };

      for (guint i = 0; i < n; i++)
        {
          g_autofree char *number = g_strdup_printf ("%u", i + 1);
          check_taken (p.data, rows[r].option, number, rows[r].field, i);
          check_taken (p.data, rows[r].option, rows[r].words[i], rows[r].field, i);
        }
      for (guint i = 0; i < G_N_ELEMENTS (wrong); i++)
        check_refused (p.data, rows[r].option, wrong[i], says);
    }
  close_picture (&p);
}

/* Any that networks are trained on, by its name or so many of its words that no other has them; no CPU, and
 * nothing where there is no catalogue. */
static void
test_card (void)
{
  static const char says[] = "a card of “lockstep hardware” that networks are trained on";
  const gsize field = offsetof (LsPlannerState, card);
  guint cards = 0, others = 0;
  Picture p;

  open_picture (&p, TRUE);
  for (guint i = 0; i < p.data->catalogue->devices->len; i++)
    {
      const LsHardware *device = p.data->catalogue->devices->pdata[i];

      if (ls_hardware_trains (device) && device->sort != LS_HARDWARE_CPU)
        check_taken (p.data, "card", device->name, field, ++cards);
      else
        {
          check_refused (p.data, "card", device->name, says);
          others++;
        }
    }
  g_assert_cmpuint (cards, >, 3);
  g_assert_cmpuint (others, >, 0);
  check_refused (p.data, "card", "a card that nobody makes", says);
  check_refused (p.data, "card", "", says); /* all of them */

  /* it is the one that the answer is about */
  g_autofree char *refused = option_of ("card")->read (p.data, "a100 sxm4 40", asked (&p));
  g_assert_cmpstr (refused, ==, NULL);
  asked (&p)->often = 2;
  draw (&p);
  if (planner (&p)->guide.own == NULL)
    g_error ("no card is answered with");
  g_assert_cmpstr (planner (&p)->guide.own->name, ==, "NVIDIA A100 SXM4 40 GB");

  LsViewData none = *p.data;
  none.catalogue = NULL;
  check_refused (&none, "card", "NVIDIA A100 SXM4 40 GB", says);
  close_picture (&p);
}

/* Each price is set by its name, said today; one that isn't named stays the published one. Of a list with
 * something that is no price none of it may pass unnoticed. */
static void
test_prices (void)
{
  static const struct {
    const char *text;
    LsPriceKind kind[4];
    double value[4];
    guint n;
  } right[] = {
    { "rent=3.06", { LS_PRICE_RENT }, { 3.06 }, 1 },
    { "storage=12", { LS_PRICE_STORAGE }, { 12 }, 1 },
    { "price=1e9", { LS_PRICE_CARD }, { 1e9 }, 1 },
    { "power=0", { LS_PRICE_POWER }, { 0 }, 1 },
    { "use=2", { LS_PRICE_USE }, { 2 }, 1 },
    { "electricity=.2", { LS_PRICE_ELECTRICITY }, { .2 }, 1 },
    { "rent=1,rent=2", { LS_PRICE_RENT }, { 2 }, 1 },
    { "rent=3.06,price=2000,power=300,electricity=0.2",
      { LS_PRICE_RENT, LS_PRICE_CARD, LS_PRICE_POWER, LS_PRICE_ELECTRICITY },
      { 3.06, 2000, 300, .2 },
      4 },
  };
  static const char *const wrong[]
    = { "rent",    "rent=",   "rent=much", "rent=3x",   "rents=3",   "Rent=3",         "=3",
        "3",       "rent=-1", "rent=2e6",  "use=2.1",   "price=nan", "power=1=",       "rent=3,",
        "rent=3;", "rent==3", "rent =3",   "price=inf", "rent=3,x",  "x=1,price=2000", "rent=3,price" };
  Picture p;

  open_picture (&p, TRUE);
  for (guint i = 0; i < G_N_ELEMENTS (right); i++)
    {
      g_autoptr (GDateTime) before = g_date_time_new_now_local ();
      LsPlannerState state = as_at_first ();
      g_autofree char *says = option_of ("prices")->read (p.data, right[i].text, &state);
      g_autoptr (GDateTime) after = g_date_time_new_now_local ();
      g_autofree char *day = g_date_time_format (before, "%Y-%m-%d"),
                      *next = g_date_time_format (after, "%Y-%m-%d");

      if (says != NULL)
        g_error ("“%s” is refused: %s", right[i].text, says);
      for (guint kind = 0; kind < LS_PRICE_N; kind++)
        {
          guint of = 0;

          while (of < right[i].n && right[i].kind[of] != (LsPriceKind) kind)
            of++;
          if (state.said[kind] != (of < right[i].n))
            g_error ("“%s” says%s the price called %s", right[i].text, state.said[kind] ? "" : " nothing of",
                     ls_prices_rows[kind].name);
          if (of == right[i].n)
            continue;
          g_assert_cmpfloat_with_epsilon (state.prices[kind], right[i].value[of], 1e-12);
          g_assert_true (g_str_equal (state.said_on[kind], day) || g_str_equal (state.said_on[kind], next));
        }
    }
  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++)
    {
      LsPlannerState state = as_at_first ();
      g_autofree char *says = option_of ("prices")->read (p.data, wrong[i], &state);

      if (g_strcmp0 (says, "prices such as rent=3.06,price=2000,power=300,electricity=0.2") != 0)
        g_error ("“%s” is answered with “%s”", wrong[i], says != NULL ? says : "nothing");
    }
  close_picture (&p);
}

/* Where there are no switches, in a picture for a page, each question stands with its own answer behind it.
 */
static void
test_answers (void)
{
  static const char *const questions[] = { "What do you train?", "How much of it?", "For how long?" };
  static const char *const answers[][9] = {
    { "this network, as it is", "this network, batch 1", "this network, batch 1 024",
      "this network, batch 8 192", "this network, batch 65 536", "trees on a table",
      "nothing: preparing data", "a lecture’s sums on a V100" },
    { "20 runs a month of 10 epochs", "300 runs a month of 300 epochs", "10 000 runs a month of 300 epochs",
      "100 000 runs a month of 1 000 epochs" },
    { "24 months", "6 months", "12 months", "36 months", "24 months, 300 USD", "24 months, 2 000 USD" },
  };
  Picture p;

  open_picture (&p, TRUE);
  for (guint turn = 0; turn < 8; turn++)
    {
      const guint asks[] = { turn, (turn + 1) % 4, (turn + 5) % 6 };
      LsQuery query = LS_QUERY_INIT;

      asked (&p)->train = asks[0];
      asked (&p)->often = asks[1];
      asked (&p)->months = asks[2];
      query.state = asked (&p);
      query.chrome = TRUE;
      g_autoptr (LsLayout) layout = draw_view (&ls_view_planner, p.data, &query, LS_LOOK_LIGHT, 1920, 1080);
      for (guint i = 0; i < G_N_ELEMENTS (questions); i++)
        {
          const LsItem *question = find_text (layout->still, questions[i]), *answer = NULL;

          if (question == NULL)
            g_error ("“%s” isn’t asked", questions[i]);
          for (guint k = 0; k < layout->still->items->len; k++)
            {
              const LsItem *item = ls_scene_get (layout->still, k);
              if (item->kind == LS_ITEM_TEXT && item->y == question->y && item->x > question->x
                  && (answer == NULL || item->x < answer->x))
                answer = item;
            }
          g_autofree char *said = answer != NULL ? plain (g_strdup (answer->text)) : NULL;
          if (g_strcmp0 (said, answers[i][asks[i]]) != 0)
            g_error ("“%s” is answered “%s”, not “%s”", questions[i], said, answers[i][asks[i]]);
        }
    }
  close_picture (&p);
}

/* The arrow whose tip is above is the one that makes a price dearer. */
static void
test_drawn_arrows (void)
{
  Picture p;
  guint seen = 0;

  buying (&p);
  for (guint i = 0; i < planner (&p)->figures->len; i++)
    for (guint down = 0; down < 2; down++)
      {
        double x = NAN, y = NAN;

        asked (&p)->picked = (gint) i;
        draw (&p);
        const LsPlannerFigure f = g_array_index (planner (&p)->figures, LsPlannerFigure, i);
        const LsScene *s = p.layout->still;
        if (f.price < 0 || f.up.w <= 0 || !(planner (&p)->guide.prices.of[f.price].figure.value > 0))
          continue;
        for (guint k = 0; k < s->items->len; k++)
          {
            const LsItem *item = ls_scene_get (s, k);
            const float *at = &g_array_index (s->points, float, 2 * item->points);
            if (item->kind == LS_ITEM_AREA && item->n_points == 3 && at[1] == at[3]
                && (at[5] > at[1]) == (gboolean) down
                && (ls_area_has (f.up, (double) at[4], (double) at[5])
                    || ls_area_has (f.down, (double) at[4], (double) at[5])))
              {
                x = (double) at[4];
                y = (double) (at[1] + at[5]) / 2;
              }
          }
        if (isnan (x))
          g_error ("“%s” has no arrow %s", f.text, down ? "down" : "up");
        const double before = planner (&p)->guide.prices.of[f.price].figure.value;
        g_assert_cmpint (click (&p, x, y), ==, LS_ACT_CHANGED);
        const double after = planner (&p)->guide.prices.of[f.price].figure.value;
        if ((after < before) != (gboolean) down)
          g_error ("the arrow %s changes “%s” from %g to %g", down ? "down" : "up", f.text, before, after);
        seen++;
      }
  g_assert_cmpuint (seen, >=, 6);
  close_picture (&p);
}

/* A price of nothing costs nothing, and isn't said as from nothing to nothing; no range has the same number
 * at both ends. */
static void
test_ranges (void)
{
  for (guint free_power = 0; free_power < 2; free_power++)
    {
      Picture p;
      guint ranges = 0;

      buying (&p);
      asked (&p)->said[LS_PRICE_ELECTRICITY] = TRUE;
      asked (&p)->prices[LS_PRICE_ELECTRICITY] = free_power ? 0 : .3;
      draw (&p);
      const LsScene *s = p.layout->still;
      for (guint i = 0; i < s->items->len; i++)
        {
          const LsItem *item = ls_scene_get (s, i);
          if (item->kind != LS_ITEM_TEXT || strstr (item->text, "–") == NULL
              || strstr (item->text, "USD") == NULL)
            continue;
          const char *dash = strstr (item->text, "–"), *high = dash + strlen ("–"), *from = dash;
          while (from > item->text && (g_ascii_isdigit (from[-1]) || from[-1] == '.'))
            from--;
          const gsize n = (gsize) (dash - from);
          if (n > 0 && strncmp (from, high, n) == 0 && !g_ascii_isdigit (high[n]) && high[n] != '.')
            g_error ("“%s” goes from a number to the same one", item->text);
          ranges++;
        }
      g_assert_cmpint (told (&p, "then 0 USD a month"), ==, free_power);
      g_assert_cmpuint (ranges, >, 0);
      close_picture (&p);
    }
}

/* A price that is picked by its name is the figure of that price, also before the picture is drawn anew: its
 * page is opened, and its value changed. */
static void
test_by_name (void)
{
  Picture p;
  guint others = 0, seen = 0;

  buying (&p);
  const guint n = planner (&p)->figures->len;
  for (guint i = 0; i < n; i++)
    for (guint first = 0; first < n; first++)
      {
        const LsPlannerFigure *f = &g_array_index (planner (&p)->figures, LsPlannerFigure, i),
                              *other = &g_array_index (planner (&p)->figures, LsPlannerFigure, first);
        const char *page = f->source != NULL ? f->source->address : NULL;

        if (f->price < 0)
          continue;
        asked (&p)->picked = (gint) first;
        asked (&p)->price = (guint) f->price + 1;
        if (g_strcmp0 (opens (&p), page) != 0)
          g_error ("with “%s” picked by its name, “%s” is opened", f->text, opens (&p));
        seen++;
        others += g_strcmp0 (page, other->source != NULL ? other->source->address : NULL) != 0;
      }
  asked (&p)->price = 0;
  g_assert_cmpuint (seen, >, 8);
  g_assert_cmpuint (others, >, 8);
  close_picture (&p);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/planner/options/choices", test_choices);
  g_test_add_func ("/planner/options/card", test_card);
  g_test_add_func ("/planner/options/prices", test_prices);
  g_test_add_func ("/planner/options/answers", test_answers);
  g_test_add_func ("/planner/options/drawn-arrows", test_drawn_arrows);
  g_test_add_func ("/planner/options/ranges", test_ranges);
  g_test_add_func ("/planner/options/by-name", test_by_name);
  return g_test_run ();
}
