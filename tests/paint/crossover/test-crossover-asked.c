/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What is asked of Crossover and what it says: guesses by clicks and how they are judged, cells by keys,
 * reasons, ages, what is being measured, and what is unfair.
 */
#include "tests/paint/crossover/crossover-rig.h"

#include "ui/paint/data/age.h"

/* A guess drawn before anything is measured stays, and is judged by the cells in its rows that have a winner.
 */
static void
test_guess (void)
{
  Picture p;
  guint cells, right, all = 0, good = 0;

  open_picture (&p, NULL);
  const LsCross *c = p.layout->own;
  g_assert_cmpint (press (&p, LS_KEY_DRAW), ==, LS_ACT_CHANGED);
  g_assert_true (told (&p, "A click on an edge"));
  c = p.layout->own;
  for (guint row = 2; row < 6; row++, c = p.layout->own) /* from the fifth batch on */
    click (&p, c->left + 4.1 * c->cell_w, c->top + (c->n_y - 1 - row + .5) * c->cell_h);
  c = p.layout->own;
  g_assert_cmpint (asked (&p)->guess[0][1], ==, LS_NO_GUESS);
  g_assert_cmpint (asked (&p)->guess[0][3], ==, 4);
  g_assert_true (told (&p, "no cell with a winner"));

  ls_view_data_unref (p.data);
  p.data = data_with (map_of (&ls_experiment_crossover, 0));
  draw (&p);
  c = p.layout->own;
  ls_cross_judge (c, &cells, &right);
  for (guint row = 2; row < 6; row++)
    for (guint col = 0; col < c->n_x; col++)
      {
        const LsLabSpot spot = ls_cross_spot (c, col, row);
        if (ls_lab_wins (c->result, spot, NULL) == LS_WINS_NEITHER)
          continue;
        all++;
        good += second_wins (spot) == (col >= 4);
      }
  g_assert_cmpuint (cells, ==, all);
  g_assert_cmpuint (right, ==, good);
  g_autofree char *words = g_strdup_printf ("Our guess: %u of %u measured cells on the right side", good,
                                            all);
  g_assert_true (told (&p, words));

  /* the same edge again takes it back */
  click (&p, c->left + 4.1 * c->cell_w, c->top + (c->n_y - 1 - 3 + .5) * c->cell_h);
  g_assert_cmpint (asked (&p)->guess[0][3], ==, LS_NO_GUESS);
  close_picture (&p);
}

/* A guess in any one row is one, in the first and the last, too; without any there is nothing to say. One of
 * the widths is none of the depths. */
static void
test_guess_in_one_row (void)
{
  Picture p;

  open_picture (&p, map_of (&ls_experiment_crossover, 0));
  const LsCross *c = p.layout->own;
  const guint rows = c->n_y;
  g_assert_false (told (&p, "Our guess"));
  for (guint row = 0; row < rows; row++)
    {
      for (guint i = 0; i < rows; i++)
        asked (&p)->guess[0][i] = i == row ? 2 : LS_NO_GUESS;
      draw (&p);
      if (!told (&p, "Our guess"))
        g_error ("nothing is said of a guess in row %u of %u", row, rows);
    }
  for (guint axes = 0; axes < LS_CROSS_N_AXES; axes++)
    {
      for (guint k = 0; k < LS_CROSS_N_AXES; k++)
        for (guint row = 0; row < LS_LAB_MAX_SIZES; row++)
          asked (&p)->guess[k][row] = row == 1 && k == 1 ? 2 : LS_NO_GUESS;
      asked (&p)->axes = axes;
      draw (&p);
      if (told (&p, "Our guess") != (axes == 1))
        g_error ("with a guess on axes 1 alone, %s is said of one on axes %u",
                 told (&p, "Our guess") ? "something" : "nothing", axes);
    }
  close_picture (&p);
}

/* On each axes a guess of its own is judged, whichever cell is picked: a row is right where the second lane
 * wins from the guessed column on, and the first before it. */
static void
test_guesses (void)
{
  static const LsExperiment *const of[LS_CROSS_N_AXES]
    = { &ls_experiment_crossover, &ls_experiment_crossover_depth, &ls_experiment_crossover_image };

  for (guint axes = 0; axes < LS_CROSS_N_AXES; axes++)
    for (guint at = 0; at < 3; at++)
      {
        Picture p;
        guint cells, right, all = 0, good = 0;

        open_picture (&p, map_of (of[axes], 0));
        asked (&p)->axes = axes;
        asked (&p)->row = at;
        draw (&p);
        const LsCross *c = p.layout->own;
        g_assert_true (c->experiment == of[axes]);
        /* the edge moves by one in each row, and is another one on each axes */
        for (guint k = 0; k < LS_CROSS_N_AXES; k++)
          for (guint row = 1; row < c->n_y; row++)
            asked (&p)->guess[k][row] = (gint8) ((row + 2 * k) % (c->n_x + 1));
        draw (&p);
        c = p.layout->own;
        for (guint row = 1; row < c->n_y; row++)
          for (guint col = 0; col < c->n_x; col++)
            {
              const LsLabSpot spot = ls_cross_spot (c, col, row);
              if (ls_lab_wins (c->result, spot, NULL) != LS_WINS_FIRST
                  && ls_lab_wins (c->result, spot, NULL) != LS_WINS_SECOND)
                continue;
              all++;
              good += second_wins (spot) == (col >= (row + 2 * axes) % (c->n_x + 1));
            }
        ls_cross_judge (c, &cells, &right);
        if (cells != all || right != good || all < 4)
          g_error ("axes %u with row %u picked: %u of %u cells are said to be guessed right, not %u of %u",
                   axes, at, right, cells, good, all);
        close_picture (&p);
      }
}

/* By keys: Enter picks one's own cell first, arrows go on, up is larger, and what it says are that cell's
 * rates. */
static void
test_keys (void)
{
  Picture p;
  const LsCross *c;

  open_picture (&p, map_of (&ls_experiment_crossover, 0));
  g_assert_cmpint (press (&p, LS_KEY_UP), ==, LS_ACT_NONE);
  g_assert_cmpint (press (&p, LS_KEY_PICK), ==, LS_ACT_CHANGED);
  c = p.layout->own;
  g_assert_cmpuint (c->xs[asked (&p)->col], ==, c->own.x);
  g_assert_cmpuint (c->ys[asked (&p)->row], ==, c->own.y);
  press (&p, LS_KEY_UP);
  press (&p, LS_KEY_LEFT);
  c = p.layout->own;
  g_assert_cmpuint (c->xs[asked (&p)->col], ==, c->own.x / 2);
  g_assert_cmpuint (c->ys[asked (&p)->row], ==, c->own.y * 2);
  g_autofree char *words = g_strdup_printf ("width %u, batch %u: CPU", c->own.y * 2, c->own.x / 2);
  g_assert_true (told (&p, words));
  for (guint i = 0; i < 40; i++)
    press (&p, LS_KEY_RIGHT);
  g_assert_cmpuint (asked (&p)->col, ==, 11);
  press (&p, LS_KEY_LET_GO);
  g_assert_false (asked (&p)->picked);
  g_assert_cmpint (press (&p, LS_KEY_LET_GO), ==, LS_ACT_NONE);
  close_picture (&p);
}

/* A click picks the cell that it is in, whichever was picked before; only a click into the picked one lets go
 * of it. Beside the cells a click is nothing. */
static void
test_clicks (void)
{
  static const guint cells[][2] = { { 2, 1 }, { 2, 4 }, { 5, 4 }, { 4, 5 }, { 0, 0 }, { 11, 7 } };
  Picture p;

  open_picture (&p, map_of (&ls_experiment_crossover, 0));
  for (gsize i = 0; i < 2 * G_N_ELEMENTS (cells); i++)
    {
      const guint *cell = cells[i % G_N_ELEMENTS (cells)];
      const LsCross *c = p.layout->own;
      const gboolean again = i == 2 * G_N_ELEMENTS (cells) - 1;

      for (guint k = 0; k < (again ? 2 : 1); k++)
        {
          click (&p, c->left + (cell[0] + .9) * c->cell_w, c->top + (c->n_y - 1 - cell[1] + .1) * c->cell_h);
          c = p.layout->own;
          const LsCrossState *is = asked (&p);
          if (is->picked != (k == 0) || is->col != cell[0] || is->row != cell[1])
            g_error ("click %u into column %u of row %u: %s, column %u of row %u", k + 1, cell[0], cell[1],
                     is->picked ? "picked" : "not picked", is->col, is->row);
        }
    }
  const LsCross *c = p.layout->own;
  click (&p, c->left - 2, c->top + 2);
  click (&p, c->left + 2, c->top - 2);
  c = p.layout->own;
  click (&p, c->left + 2, c->top + c->n_y * c->cell_h + 2);
  if (asked (&p)->picked)
    g_error ("a click beside the cells picks column %u of row %u", asked (&p)->col, asked (&p)->row);
  close_picture (&p);
}

/* A lane that couldn't do a spot: the cell is a dash, and picked it says why. */
static void
test_why (void)
{
  g_autoptr (LsOptions) options = ls_options_new ();
  LsLabResult *result = ls_lab_result_new (&ls_experiment_crossover, options, NULL);
  const LsLabSpot spot = { 128, 256 };
  const LsLabPoint point = { 128, 256, { 1000, "samples/s", LS_EVIDENCE_MEASURED, 5, 900, 1100 }, { 0 } };
  Picture p;

  g_array_append_val (result->tried, spot);
  ls_lab_result_add (result, 0, &point);
  ls_lab_result_add_missing (result, 1, spot, "No memory is left on the device.");
  result->n_sizes = 96;
  open_picture (&p, result);
  press (&p, LS_KEY_PICK);
  g_assert_true (told (&p, "No memory is left on the device."));
  g_assert_true (told (&p, "broken off on"));
  close_picture (&p);
}

/* Of another machine: which one, when, and that the sentence isn't about this one. */
static void
test_foreign (void)
{
  LsLabResult *result = map_of (&ls_experiment_crossover, 0);
  Picture p;

  g_free (result->machine);
  g_free (result->date);
  result->machine = g_strdup ("Another processor, 12 cores");
  result->date = g_strdup ("2026-10-30");
  result->foreign = TRUE;
  open_picture (&p, result);
  g_assert_true (told (&p, "measured on 2026-10-30 (3 weeks ago) by Lockstep"));
  g_assert_true (told (&p, "Another processor, 12 cores"));
  g_assert_true (told (&p, "There OpenCL wins"));
  g_assert_false (told (&p, "Here "));
  close_picture (&p);
}

/* The words for how long ago that was. */
static void
test_age (void)
{
  static const struct {
    const char *date, *today, *words;
  } cases[] = {
    { "2026-11-23", "2026-11-23", "today" },
    { "2026-11-22", "2026-11-23", "1 day ago" },
    { "2026-11-02", "2026-11-23", "3 weeks ago" },
    { "2026-12-24", "2026-11-23", "today" },
    { "2025-11-23", "2026-11-23", "12 months ago" },
    { "x", "2026-11-23", NULL },
    { "2026-11-02", NULL, NULL },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *words = ls_age_text (cases[i].date, cases[i].today);
      g_assert_cmpstr (words, ==, cases[i].words);
    }
}

/* While it is measured: how far it is, which spot, how long yet; and the button stops it. */
static void
test_measuring (void)
{
  g_autoptr (LsRecording) recording = ls_fixture_recording (&ls_fixture_cores);
  g_autoptr (LsLabResult) result = map_of (&ls_experiment_crossover, 2);
  LsViewBeside beside = { .measuring = { &ls_experiment_crossover, NULL, result, { 64, 256 }, 48, 96, 73.2 },
                          .today = (char *) "2026-11-23" };
  Picture p;
  gboolean button = FALSE;

  start_picture (&p, &ls_view_crossover, ls_view_data_from_recording (recording, &beside),
                 ls_fonts_new ("Cantarell, Sans"), 1280, 800);
  g_assert_true (told (&p, "48 of 96"));
  g_assert_true (told (&p, "width 256, batch 64"));
  g_assert_true (told (&p, "1 min 14 s left"));
  for (guint i = 0; i < p.layout->slots->len; i++)
    {
      const LsSlot *slot = &g_array_index (p.layout->slots, LsSlot, i);
      if (slot->kind != LS_SLOT_LAB)
        continue;
      g_assert_cmpstr (slot->words, ==, "Stop");
      button = TRUE;
    }
  g_assert_true (button);
  g_assert_true (find_text (p.layout->still, "…") != NULL);
  close_picture (&p);
  /* what another experiment measures is no cell of this map, be it as large */
  beside.measuring.experiment = &ls_experiment_width;
  start_picture (&p, &ls_view_crossover, ls_view_data_from_recording (recording, &beside),
                 ls_fonts_new ("Cantarell, Sans"), 1280, 800);
  for (guint i = 0; i < p.layout->still->items->len; i++)
    if (g_strcmp0 (ls_scene_get (p.layout->still, i)->text, "…") == 0)
      g_error ("a cell is said to be measured while something else is");
  close_picture (&p);
}

/* The map's ratios carry the sign and the word while their lanes aren't compared fairly. */
static void
test_unfair (void)
{
  for (guint unfair = 0; unfair < 2; unfair++)
    {
      LsLabResult *result = map_of (&ls_experiment_crossover, 0);
      g_autoptr (LsOptions) options = ls_options_copy (result->options);
      Picture p;
      guint signs = 0, words = 0;

      options->cpu_kernels = unfair ? LS_CPU_KERNELS_NAIVE : LS_CPU_KERNELS_BLAS;
      g_ptr_array_unref (result->specs);
      result->specs = ls_lane_specs_new (options, NULL);
      open_picture (&p, result);
      for (guint i = 0; i < p.layout->still->items->len; i++)
        {
          const LsItem *item = ls_scene_get (p.layout->still, i);
          signs += item->kind == LS_ITEM_WARNING && item->ink == LS_INK_AMBER;
          words += item->kind == LS_ITEM_TEXT && strstr (item->text, "Unfair") != NULL;
        }
      g_assert_cmpuint (signs, ==, unfair);
      g_assert_cmpuint (words, ==, unfair);
      close_picture (&p);
    }
}

/* What is switched and what `render` is told mean the same; another axis lets go of the picked cell, and
 * answers alone are measured by width only. Without a result it says so. */
static void
test_asked (void)
{
  static const struct {
    const char *option, *text;
    guint axes;
    gboolean forward, good;
  } rows[] = { { "axes", "width", LS_CROSS_WIDTH, FALSE, TRUE },
               { "axes", "depth", 1, FALSE, TRUE },
               { "axes", "image", 2, FALSE, TRUE },
               { "axes", "height", 0, FALSE, FALSE },
               { "axes", "", 0, FALSE, FALSE }, /* no word's beginning is the word, nor is what begins so */
               { "axes", "i", 0, FALSE, FALSE },
               { "axes", "depths", 0, FALSE, FALSE },
               { "axes", "Image", 0, FALSE, FALSE },
               { "of", "training", 0, FALSE, TRUE },
               { "of", "answers", 0, TRUE, TRUE },
               { "of", "both", 0, FALSE, FALSE },
               { "of", "", 0, FALSE, FALSE },
               { "of", "answer", 0, FALSE, FALSE } };
  static const char *const choices[][4] = { { "width", "depth", "image size" },
                                            { "training step", "answers alone" },
                                            { NULL },
                                            { "look", "draw a guess" } };
  Picture p;

  open_picture (&p, NULL);
  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      const LsViewOption *option = ls_view_crossover.options;
      g_autofree LsCrossState *state = ls_view_state_new (&ls_view_crossover);

      while (strcmp (option->name, rows[i].option) != 0)
        option++;
      g_autofree char *wrong = option->read (p.data, rows[i].text, state);
      if ((wrong == NULL) != rows[i].good || state->axes != rows[i].axes || state->forward != rows[i].forward)
        g_error ("“%s” for “%s” gives axes %u, answers %d, and “%s”", rows[i].text, rows[i].option,
                 state->axes, state->forward, wrong);
    }
  for (guint k = 0; k < G_N_ELEMENTS (choices); k++)
    {
      const LsViewSwitch *row = &ls_view_crossover.switches[k];
      LsQuery query = LS_QUERY_INIT;

      query.state = p.state;
      for (guint i = 0; row->choice != NULL && (i == 0 || choices[k][i - 1] != NULL); i++)
        {
          g_assert_cmpstr (row->choice (i), ==, choices[k][i]);
          if (choices[k][i] == NULL)
            break;
          asked (&p)->picked = TRUE;
          row->set (&query, i);
          const guint is = k == 0   ? asked (&p)->axes
                           : k == 1 ? (guint) asked (&p)->forward
                                    : (guint) asked (&p)->guessing;
          if (is != i || asked (&p)->picked != (k > 0))
            g_error ("with “%s” %u is asked for, and %s cell is picked", choices[k][i], is,
                     asked (&p)->picked ? "a" : "no");
          g_assert_cmpint (ls_view_crossover.switches[1].shown (p.state), ==,
                           asked (&p)->axes == LS_CROSS_WIDTH);
        }
      asked (&p)->axes = LS_CROSS_WIDTH;
    }
  g_autofree char *words = ls_layout_describe (p.layout);
  g_assert_nonnull (strstr (words, "Nothing is measured yet."));
  close_picture (&p);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/paint/crossover/guess", test_guess);
  g_test_add_func ("/paint/crossover/guess-in-one-row", test_guess_in_one_row);
  g_test_add_func ("/paint/crossover/keys", test_keys);
  g_test_add_func ("/paint/crossover/clicks", test_clicks);
  g_test_add_func ("/paint/crossover/why", test_why);
  g_test_add_func ("/paint/crossover/age", test_age);
  g_test_add_func ("/paint/crossover/foreign", test_foreign);
  g_test_add_func ("/paint/crossover/measuring", test_measuring);
  g_test_add_func ("/paint/crossover/unfair", test_unfair);
  g_test_add_func ("/paint/crossover/asked", test_asked);
  g_test_add_func ("/paint/crossover/guesses", test_guesses);
  return g_test_run ();
}
