/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What stands beside Crossover's map: when it was measured and how far, the button, the picked cell, the
 * guess, and where the rates of a row cross.
 */
#include "config.h"

#include "tests/paint/crossover/crossover-rig.h"

/* Spots of two sizes each, with their rates; 0: not measured. */
static LsLabResult *
small_map (const double rates[2][4], guint n)
{
  static const LsLabSpot spots[] = { { 128, 256 }, { 256, 256 }, { 128, 512 }, { 256, 512 } };
  g_autoptr (LsOptions) options = ls_options_new ();
  LsLabResult *result = ls_lab_result_new (&ls_experiment_crossover, options, NULL);

  g_free (result->date);
  result->date = g_strdup ("2026-11-02");
  result->n_sizes = 96;
  result->ended = TRUE;
  for (guint i = 0; i < n; i++)
    {
      g_array_append_val (result->tried, spots[i]);
      for (guint lane = 0; lane < 2; lane++)
        {
          const double r = rates[lane][i];
          const LsLabPoint point = {
            spots[i].x, spots[i].y, { r, "samples/s", LS_EVIDENCE_MEASURED, 5, r * .98, r * 1.02 }, { 0 }
          };
          if (r > 0)
            ls_lab_result_add (result, lane, &point);
        }
    }
  return result;
}

static const double rates[2][4] = { { 1000, 4000, 2500, 1e5 }, { 2000, 2000, 5000, 0 } };

/* Where all words have room, whatever the letters. */
static void
open_large (Picture *p, LsLabResult *result)
{
  open_picture (p, result);
  draw_at (p, 1920, 1080, LS_LOOK_LIGHT);
}

static const char *
button_of (const Picture *p)
{
  for (guint i = 0; i < p->layout->slots->len; i++)
    if (g_array_index (p->layout->slots, LsSlot, i).kind == LS_SLOT_LAB)
      return g_array_index (p->layout->slots, LsSlot, i).words;
  return NULL;
}

/* How far it came, and when; and what the button would do. */
static void
test_when (void)
{
  static const struct {
    guint n;
    gboolean ended, busy, foreign;
    guint n_sizes;
    const char *words, *button;
  } rows[] = {
    { 4, TRUE, FALSE, FALSE, 96, "measured on 2026-11-02 (3 weeks ago): 4 of 96 cells", "Measure More" },
    { 4, TRUE, TRUE, FALSE, 96, "measured on 2026-11-02 (3 weeks ago) beside other programs: 4 of 96 cells",
      "Measure More" },
    { 4, FALSE, FALSE, FALSE, 96, "broken off on 2026-11-02 (3 weeks ago): 4 of 96 cells", "Go On" },
    { 4, TRUE, FALSE, FALSE, 4, "measured on 2026-11-02 (3 weeks ago): 4 of 4 cells", "Measure Again" },
    { 4, TRUE, FALSE, TRUE, 96, "measured on 2026-11-02 (3 weeks ago) by Lockstep", "Measure Again" },
    { 0, FALSE, FALSE, FALSE, 96, NULL, "Measure" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      LsLabResult *result = small_map (rates, rows[i].n);
      Picture p;

      result->ended = rows[i].ended;
      result->busy = rows[i].busy;
      result->foreign = rows[i].foreign;
      result->n_sizes = rows[i].n_sizes;
      open_large (&p, result);
      p.data->live = TRUE;
      draw (&p);
      g_test_message ("row %u", (guint) i);
      g_assert_cmpstr (button_of (&p), ==, rows[i].button);
      if (rows[i].words != NULL)
        g_assert_true (told (&p, rows[i].words));
      else /* four times as long as experiments of one size */
        g_assert_true (
          told (&p, "Not measured with these lanes yet. It takes about 80 s, and training rests"));
      close_picture (&p);
    }
  Picture p;
  open_large (&p, NULL);
  g_assert_true (told (&p, "The recording holds no result of this."));
  close_picture (&p);
}

/* How far the bar reaches, of its track. */
static double
done_share (const Picture *p)
{
  const LsScene *s = p->layout->still;
  const LsItem *track = NULL;
  double share = 0;

  for (guint i = 0; i < s->items->len; i++)
    {
      const LsItem *item = ls_scene_get (s, i);
      const gboolean bar = item->kind == LS_ITEM_BOX && item->h == 2 * (float) p->layout->m.unit;

      if (bar && item->ink == LS_INK_TRACK)
        track = item;
      if (bar && item->ink == LS_INK_TEXT && track != NULL && item->x == track->x && item->y == track->y)
        share = (double) (item->w / track->w);
    }
  if (track == NULL)
    g_error ("no bar tells how much is done");
  return share;
}

/* How long yet: minutes, and seconds that have begun; how many cells are done, and which one is being done.
 */
static void
test_left (void)
{
  static const struct {
    double seconds;
    const char *words;
    guint done;
    LsLabSpot spot;
    const char *what, *of;
  } rows[] = {
    { 59, "about 59 s left; cells near the line come first", 0, { 0 }, "opening the lanes", "0 of 96" },
    { 59.2, "about 1 min 00 s left;", 0, { 0 }, "opening the lanes", "0 of 96" },
    { .3, "about 1 s left;", 95, { 256, 512 }, "width 512, batch 256", "95 of 96" },
    { -4, "about 0 s left;", 96, { 128, 512 }, "width 512, batch 128", "96 of 96" },
    { 60, "about 1 min 00 s left;", 48, { 1, 16 }, "width 16, batch 1", "48 of 96" },
    { 89, "about 1 min 29 s left;", 1, { 1, 16 }, "width 16, batch 1", "1 of 96" },
    { 90, "about 1 min 30 s left;", 24, { 1, 16 }, "width 16, batch 1", "24 of 96" },
    { 104.4, "about 1 min 45 s left;", 24, { 1, 16 }, "width 16, batch 1", "24 of 96" },
    { 119.5, "about 2 min 00 s left;", 24, { 1, 16 }, "width 16, batch 1", "24 of 96" },
    { 605, "about 10 min 05 s left;", 24, { 1, 16 }, "width 16, batch 1", "24 of 96" },
    { 3599, "about 59 min 59 s left;", 24, { 1, 16 }, "width 16, batch 1", "24 of 96" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      LsLabResult *result = small_map (rates, 4);
      Picture p;

      open_large (&p, result);
      p.data->measuring = (LsViewLab){
        &ls_experiment_crossover, NULL, ls_lab_result_ref (result), rows[i].spot, rows[i].done, 96,
        rows[i].seconds
      };
      draw (&p);
      const char *const words[] = { rows[i].words, rows[i].what, rows[i].of, "Being measured" };
      for (gsize k = 0; k < G_N_ELEMENTS (words); k++)
        if (!told (&p, words[k]))
          g_error ("with %g s to go and %u of 96 cells done “%s” isn’t said", rows[i].seconds, rows[i].done,
                   words[k]);
      if (fabs (done_share (&p) - rows[i].done / 96.) > .006)
        g_error ("with %u of 96 cells done the bar is at %.1f %%", rows[i].done, 100 * done_share (&p));
      close_picture (&p);
    }
}

static void
pick (Picture *p, guint x, guint y)
{
  const LsCross *c = p->layout->own;

  asked (p)->picked = TRUE;
  for (guint col = 0; col < c->n_x; col++)
    if (c->xs[col] == x)
      asked (p)->col = col;
  for (guint row = 0; row < c->n_y; row++)
    if (c->ys[row] == y)
      asked (p)->row = row;
  draw (p);
}

/* The picked cell's rates, lane by lane, with their spread; and the rates of its row, which cross where their
 * ratio's logarithm is 0: halfway between 128 and 256 on a logarithmic axis. */
static void
test_picked (void)
{
  Picture p;

  open_large (&p, small_map (rates, 4));
  pick (&p, 256, 256);
  g_assert_true (
    told (&p, "width 256, batch 256: CPU 4.00\302\240k samples/s ±2 %, OpenCL 2.00\302\240k samples/s ±2 %"));
  g_assert_true (told (&p, "width 256, samples/s"));
  g_assert_true (told (&p, "equal at batch 181"));
  pick (&p, 256, 512);
  g_assert_true (told (&p, "width 512, batch 256: CPU 100\302\240k samples/s ±2 %, OpenCL – not measured"));
  g_assert_true (told (&p, "width 512, samples/s"));
  g_assert_false (told (&p, "equal at")); /* of one point both have it isn't known */
  close_picture (&p);
}

/* Any cell of the map can be picked, also one that isn't measured, and none beyond it; for those who hear it
 * the picture says what the result does, or that there is none. */
static void
test_any (void)
{
  Picture p;

  open_large (&p, small_map (rates, 4));
  const LsCross *c = p.layout->own;
  const guint n_x = c->n_x, n_y = c->n_y;
  g_assert_cmpuint (n_x, !=, n_y);
  for (guint col = 0; col <= n_x + 1; col++)
    for (guint row = 0; row <= n_y + 1; row++)
      {
        asked (&p)->picked = TRUE;
        asked (&p)->col = col;
        asked (&p)->row = row;
        draw (&p);
        c = p.layout->own;
        g_autofree char *all = all_texts (p.layout->still, " ");
        g_autofree char *where = col < n_x && row < n_y
                                   ? ls_experiment_spot_text (c->experiment, ls_cross_spot (c, col, row))
                                   : NULL;
        const gboolean said = strstr (all, where != NULL ? where : "– not measured") != NULL;
        if (said != (where != NULL))
          g_error ("cell (%u, %u) of %u×%u is picked, and %s is told of it", col, row, n_x, n_y,
                   said ? "something" : "nothing");
      }
  g_autofree char *told = ls_layout_describe (p.layout), *crossing = ls_lab_crossover_text (c->result, NULL);
  g_assert_nonnull (strstr (told, crossing));
  close_picture (&p);
  open_large (&p, NULL);
  g_autofree char *nothing = ls_layout_describe (p.layout);
  g_assert_nonnull (strstr (nothing, " Nothing is measured yet."));
  close_picture (&p);
}

/* Rates that are equal at a size cross there, and those that never are cross nowhere. */
static void
test_crossing (void)
{
  static const struct {
    double rates[2][4];
    const char *words;
  } rows[] = {
    { { { 1000, 4000 }, { 2000, 4000 } }, "equal at batch 256" },
    { { { 1000, 4000 }, { 8000, 3000 } }, NULL }, /* .878 of the way: 128·2^.878 is 235 */
    { { { 1000, 4000 }, { 1100, 4100 } }, "" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      Picture p;

      open_large (&p, small_map (rows[i].rates, 2));
      pick (&p, 128, 256);
      if (rows[i].words == NULL)
        {
          const double before = log (8), now = log (3. / 4), at = 128 * pow (2, before / (before - now));
          g_autofree char *words = g_strdup_printf ("equal at batch %.0f", at);
          g_assert_true (told (&p, words));
        }
      else if (*rows[i].words != '\0')
        g_assert_true (told (&p, rows[i].words));
      else
        g_assert_false (told (&p, "equal at"));
      close_picture (&p);
    }
}

/* A guess is judged by the cells that have a winner, each of which lies on one side of it. */
static void
test_guess (void)
{
  static const struct {
    gint guess; /* cells of the row that are guessed to be the left lane's, by the batch that follows */
    const char *words;
  } rows[] = { { 0, "1 of 2 measured cells on the right side (50 %)" },   /* all the right one's */
               { 128, "1 of 2 measured cells on the right side (50 %)" }, /* likewise of those two */
               { 256, "0 of 2 measured cells on the right side (0 %)" },
               { 512, "1 of 2 measured cells on the right side (50 %)" } };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      Picture p;
      guint row = 0, col = 0;

      open_large (&p, small_map (rates, 2)); /* OpenCL wins at 128, the CPU at 256 */
      const LsCross *c = p.layout->own;
      while (c->ys[row] != 256)
        row++;
      while (c->xs[col] < (guint) rows[i].guess)
        col++;
      asked (&p)->guess[LS_CROSS_WIDTH][row] = (gint8) col;
      draw (&p);
      g_test_message ("from batch %d on", rows[i].guess);
      g_assert_true (told (&p, rows[i].words));
      asked (&p)->guess[LS_CROSS_WIDTH][row] = LS_NO_GUESS;
      asked (&p)->guess[LS_CROSS_WIDTH][row + 1] = 0;
      draw (&p);
      g_assert_true (told (&p, "Our guess stands; no cell with a winner is measured in its rows yet."));
      close_picture (&p);
    }
}

/* Who wins from where on, and what of a guess is right, is derived of what was measured; the two times of the
 * picked cell are measured. */
static void
test_marks (void)
{
  static const struct {
    const char *begin;
    LsEvidence evidence;
  } rows[] = { { "Here ", LS_EVIDENCE_DERIVED },
               { "width 256, batch 1: ", LS_EVIDENCE_MEASURED },
               { "Our guess: 1 of 2", LS_EVIDENCE_DERIVED } };
  Picture p;
  guint row = 0;

  open_large (&p, small_map (rates, 2));
  const LsCross *c = p.layout->own;
  while (c->ys[row] != 256)
    row++;
  asked (&p)->guess[LS_CROSS_WIDTH][row] = 0;
  asked (&p)->picked = TRUE;
  asked (&p)->row = row;
  draw (&p);
  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    if (mark_before (p.layout->still, rows[i].begin) != (gint) rows[i].evidence)
      g_error ("“%s…” has the mark %d, not %d", rows[i].begin, mark_before (p.layout->still, rows[i].begin),
               (gint) rows[i].evidence);
  close_picture (&p);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/crossover-words/when", test_when);
  g_test_add_func ("/crossover-words/left", test_left);
  g_test_add_func ("/crossover-words/picked", test_picked);
  g_test_add_func ("/crossover-words/crossing", test_crossing);
  g_test_add_func ("/crossover-words/guess", test_guess);
  g_test_add_func ("/crossover-words/marks", test_marks);
  g_test_add_func ("/crossover-words/any", test_any);
  return g_test_run ();
}
