/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What stands beside a lane's rate, or in its place, in each of the lengths that a picture has room for.
 */
#include <math.h>
#include <string.h>

#include "tests/paint/rated.h"
#include "tests/plain.h"
#include "ui/paint/parts/rates.h"

#define N_FORMS (LS_RATE_LEAST + 1)

typedef struct {
  guint64 n;             /* steps behind the rate */
  guint64 warm_up;       /* passed over */
  const char *condition; /* of the rate */
  gboolean disturbed;    /* the newest step was */
  gboolean building;     /* the other lane is */
  guint64 stopped_at;
  const char *number, *lacking, *words[N_FORMS];
} Case;

static const Case cases[] = {
  { .n = 200,
    .number = "100 k",
    .words = { "median of 200, ±1 %", "median of 200, middle half 99.0 k–101 k", "median of 200, ±1 %",
               "median of 200, ±1 %", "median of 200, ±1 %" } },
  { .n = LS_FIGURE_STANDS_CALM,
    .warm_up = 10,
    .number = "100 k",
    .words = { "median of 20 without the first 10, ±1 %",
               "median of 20 without the first 10, middle half 99.0 k–101 k", "20 steps, 10 left out, ±1 %",
               "median, ±1 %", "median, ±1 %" } },
  { .n = 200,
    .warm_up = 10,
    .stopped_at = 210,
    .number = "100 k",
    .words = { "before it stopped", "before it stopped", "before it stopped", "before it stopped",
               "before it stopped" } },
  { .n = 0,
    .number = "–",
    .lacking = "not measured yet",
    .words = { "not measured yet", "not measured yet", "not measured yet", "not measured yet",
               "not measured yet" } },
  { .n = LS_FIGURE_STANDS_CALM - 1,
    .number = "–",
    .lacking = "at most 31 more steps needed",
    .words = { "at most 31 more steps needed", "at most 31 more steps needed", "at most 31 more steps needed",
               "at most 31 more steps", "not measured yet" } },
  { .n = 3,
    .stopped_at = 13,
    .number = "–",
    .lacking = "not measured before it stopped",
    .words = { "not measured before it stopped", "not measured before it stopped",
               "not measured before it stopped", "not measured", "not measured" } },
  { .n = 3,
    .disturbed = TRUE,
    .number = "–",
    .lacking = "not measured beside a compiler",
    .words = { "not measured beside a compiler", "not measured beside a compiler",
               "not measured beside a compiler", "beside a compiler", "beside a compiler" } },
  { .n = 0,
    .building = TRUE,
    .stopped_at = 13,
    .number = "–",
    .lacking = "not measured beside a compiler",
    .words = { "not measured beside a compiler", "not measured beside a compiler",
               "not measured beside a compiler", "beside a compiler", "beside a compiler" } },
  { .n = 3,
    .building = TRUE,
    .number = "–",
    .lacking = "at most 47 more steps needed",
    .words = { "at most 47 more steps needed", "at most 47 more steps needed", "at most 47 more steps needed",
               "at most 47 more steps", "not measured yet" } },
  { .n = 200,
    .condition = "beside a compiler",
    .number = "–",
    .lacking = "not measured beside a compiler",
    .words = { "not measured beside a compiler", "not measured beside a compiler",
               "not measured beside a compiler", "beside a compiler", "beside a compiler" } },
};

/* Of either lane, whatever the other one's rate is. */
static void
test_words (void)
{
  for (guint c = 0; c < 2 * G_N_ELEMENTS (cases); c++)
    {
      const Case *is = &cases[c / 2];
      const guint side = c % 2;
      g_autoptr (LsViewData) data = ls_fixture_view (&desk, LS_STATE_LIVE);
      const LsLayout layout = { .data = data };
      LsViewLane *lane = &data->sides[side];

      set_rate (data, 1 - side, 5000, .02, 100);
      set_rate (data, side, 1e5, .02, is->n);
      lane->rate.condition = is->condition;
      lane->counted.warm_up = is->warm_up;
      lane->stopped_at = is->stopped_at;
      lane->progress = (double) NAN;
      data->sides[1 - side].progress = is->building ? .5 : (double) NAN;
      g_clear_pointer (&lane->curve, ls_curve_unref);
      lane->curve = ls_curve_new ();
      lane->steps = 1;
      ls_curve_append (
        lane->curve, (LsPoint){ .loss = 1, .step_us = 700, .flags = is->disturbed ? LS_POINT_DISTURBED : 0 });

      g_autofree char *number = plain (ls_rate_number (lane)), *lacking = ls_rate_lacking (&layout, lane);
      g_assert_cmpstr (number, ==, is->number);
      g_assert_cmpstr (lacking, ==, is->lacking);
      for (guint form = 0; form < N_FORMS; form++)
        {
          g_autofree char *words = plain (ls_rate_words (&layout, lane, (LsRateForm) form));
          if (g_strcmp0 (words, is->words[form]) != 0)
            g_error ("case %u, side %u: in length %u it says “%s”, not “%s”", c / 2, side, form, words,
                     is->words[form]);
        }
    }
}

/* Where one lane's rate is the better one and the step that is shown took it longer it is said so, whichever
 * lane that is; of steps alike, or of rates that are, it isn't. */
static void
test_other_way_round (void)
{
  for (guint fast = 0; fast < 3; fast++) /* 2: neither */
    for (guint longer = 0; longer < 3; longer++)
      {
        g_autoptr (LsViewData) data = ls_fixture_view (&desk, LS_STATE_LIVE);

        for (guint side = 0; side < LS_SIDES; side++)
          {
            set_rate (data, side, side == fast ? 2e5 : 1e5, .02, 200);
            data->sides[side].index->length_ns = side == longer ? 2000000 : 1000000;
          }
        g_autofree char *said = ls_rates_other_way_round (data);
        if ((said != NULL) != (fast < 2 && longer == fast))
          g_error ("lane %u is the faster one, and %u took longer for the step: it is said “%s”", fast,
                   longer, said != NULL ? said : "");
        g_assert_true (said == NULL || g_str_equal (said, "this step: the other way round"));
      }
}

/* Of two rates that stand there is a ratio once half of the longer stretch of steps, rounded up, is the other
 * lane's, too; until then it is said after how many. */
static void
test_no_ratio (void)
{
  static const struct {
    guint64 n[LS_SIDES], from[LS_SIDES];
    const char *words; /* NULL: there is a ratio */
  } rows[] = {
    { { 200, 200 }, { 0, 200 }, "ratio after at most 100 more steps of both" },
    { { 200, 200 }, { 0, 101 }, "ratio after at most 1 more step of both" },
    { { 200, 200 }, { 0, 100 }, NULL },
    { { 201, 201 }, { 0, 201 }, "ratio after at most 101 more steps of both" },
    { { 201, 201 }, { 0, 101 }, "ratio after at most 1 more step of both" },
    { { 201, 201 }, { 0, 100 }, NULL },
    { { 300, 60 }, { 0, 0 }, "ratio after at most 90 more steps of both" },
    { { 60, 300 }, { 400, 0 }, "ratio after at most 150 more steps of both" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (LsViewData) data = ls_fixture_view (&desk, LS_STATE_LIVE);

      for (guint side = 0; side < LS_SIDES; side++)
        {
          set_rate (data, side, 1e5 * (side + 1), .02, rows[i].n[side]);
          data->sides[side].counted = (LsCounted){ .from = rows[i].from[side],
                                                   .end = rows[i].from[side] + rows[i].n[side] };
        }
      g_autofree char *words = ls_rates_no_ratio (data);
      if (g_strcmp0 (words, rows[i].words) != 0)
        g_error ("row %u: it says “%s”, not “%s”", i, words, rows[i].words);
    }
}

/* A loss is said to be of which step only where both lanes have one, of different steps. */
static void
test_loss (void)
{
  static const struct {
    guint64 n[LS_SIDES], step[LS_SIDES];
    gboolean there;
    const char *captions[LS_SIDES];
  } rows[] = {
    { { 1, 1 }, { 600, 450 }, TRUE, { "loss of step 600", "loss of step 450" } },
    { { 1, 1 }, { 600, 600 }, TRUE, { "loss", "loss" } },
    { { 1, 1 }, { 600, 450 }, FALSE, { "loss", "loss" } },
    { { 1, 0 }, { 600, 0 }, TRUE, { "loss", "loss" } },
    { { 0, 1 }, { 0, 600 }, TRUE, { "loss", "loss" } },
    { { 0, 0 }, { 0, 1 }, TRUE, { "loss", "loss" } },
  };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (LsViewData) data = ls_fixture_view (&desk, LS_STATE_LIVE);

      for (guint side = 0; side < LS_SIDES; side++)
        {
          data->sides[side].loss.n = rows[i].n[side];
          data->sides[side].loss_step = rows[i].step[side];
        }
      data->sides[1].there = rows[i].there;
      for (guint side = 0; side < (rows[i].there ? LS_SIDES : 1); side++)
        {
          g_autofree char *caption = plain (ls_loss_caption (data, side));
          if (strcmp (caption, rows[i].captions[side]) != 0)
            g_error ("row %u, side %u: it says “%s”, not “%s”", i, side, caption, rows[i].captions[side]);
        }
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/paint/rates/words", test_words);
  g_test_add_func ("/paint/rates/other-way-round", test_other_way_round);
  g_test_add_func ("/paint/rates/no-ratio", test_no_ratio);
  g_test_add_func ("/paint/rates/loss", test_loss);
  return g_test_run ();
}
