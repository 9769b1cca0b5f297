/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which row's rates Crossover draws beside the map: the picked one's, one's own where enough of it is
 * measured, or that of which most is.
 */
#include "tests/paint/crossover/crossover-rig.h"

#include "tests/plain.h"

/* Of that many batches of each row, from the lowest on, both lanes were measured. */
static LsLabResult *
rows_of (const guint *counts)
{
  g_autoptr (LsOptions) options = ls_options_new ();
  LsLabResult *result = ls_lab_result_new (&ls_experiment_crossover, options, NULL);
  guint xs[LS_LAB_MAX_SIZES], ys[LS_LAB_MAX_SIZES];
  const guint n_x = ls_experiment_crossover.sizes (options, 1, xs),
              n_y = ls_experiment_crossover.rows (options, ys);

  result->n_sizes = n_x * n_y;
  result->ended = TRUE;
  g_free (result->date);
  result->date = g_strdup ("2026-11-02");
  for (guint row = 0; row < n_y; row++)
    for (guint col = 0; col < counts[row]; col++)
      {
        const LsLabSpot spot = { xs[col], ys[row] };
        g_assert_cmpuint (col, <, n_x);
        g_array_append_val (result->tried, spot);
        for (guint lane = 0; lane < 2; lane++)
          {
            const double r = rate (lane, spot);
            const LsLabPoint point
              = { spot.x, spot.y, { r, "samples/s", LS_EVIDENCE_MEASURED, 5, r * .99, r * 1.01 }, { 0 } };
            ls_lab_result_add (result, lane, &point);
          }
      }
  return result;
}

static void
test_chosen (void)
{
  static const struct {
    guint counts[8];  /* batches measured of each row */
    gint own, picked; /* rows; −1: none */
    gint row;         /* that is drawn; −1: none */
  } cases[] = {
    { { 3, 3, 3, 3, 3, 3, 3, 3 }, -1, -1, 0 }, /* of as many the smallest */
    { { 1, 2, 3, 3, 2, 3, 1, 0 }, -1, -1, 2 },
    { { 0, 0, 0, 0, 0, 0, 0, 4 }, -1, -1, 7 },
    { { 1, 5, 4, 5, 4, 4, 4, 4 }, -1, -1, 1 },
    { { 5, 5, 5, 2, 5, 5, 5, 5 }, 3, -1, 3 }, /* two batches of both lanes are enough of one's own */
    { { 5, 5, 5, 1, 5, 5, 5, 5 }, 3, -1, 0 }, /* one isn't */
    { { 1, 1, 1, 2, 5, 1, 1, 1 }, 4, -1, 4 },
    { { 5, 5, 5, 2, 5, 5, 5, 5 }, 3, 6, 6 }, /* what is picked goes first */
    { { 5, 5, 5, 2, 1, 5, 5, 5 }, 3, 4, 4 },
    { { 5, 5, 5, 2, 0, 5, 5, 5 }, 3, 4, -1 }, /* of which nothing is measured */
    { { 0, 0, 0, 0, 0, 0, 0, 0 }, -1, -1, -1 },
    { { 2, 3, 2, 2, 2, 2, 2, 2 }, -1, 31, 1 }, /* no row is so high */
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      Picture p;

      open_picture (&p, rows_of (cases[i].counts));
      LsCross c = *(const LsCross *) p.layout->own;
      LsCrossState state = *asked (&p);

      g_assert_cmpuint (c.n_y, >=, 8);
      g_assert_cmpuint (c.n_y, <, 31);
      state.picked = cases[i].picked >= 0;
      state.row = (guint) MAX (cases[i].picked, 0);
      c.asked = &state;
      c.own = cases[i].own >= 0 ? (LsLabSpot){ 64, c.ys[cases[i].own] } : (LsLabSpot){ 0 };
      ls_scene_clear (p.layout->still);
      const gboolean drawn = ls_cross_row (&c, (LsArea){ 40, 40, 900, 500 });
      g_autofree char *all = all_texts (p.layout->still, " | ");
      if (drawn != (cases[i].row >= 0))
        g_error ("case %u: a row is%s drawn: %s", i, drawn ? "" : " not", all);
      if (drawn)
        {
          g_autofree char *words = g_strdup_printf ("width %u, samples/s", c.ys[cases[i].row]);
          const char *head = cases[i].row == cases[i].own ? "The row of your network" : "One row";
          if (!says (p.layout->still, words) || !says (p.layout->still, head))
            g_error ("case %u: “%s: %s” isn’t said, but: %s", i, head, words, all);
        }
      close_picture (&p);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/paint/crossover-row/chosen", test_chosen);
  return g_test_run ();
}
