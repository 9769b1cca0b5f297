/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Where Crossover draws what: a cell's colour by who is faster and how many times, one's own cell and the
 * picked one, the guess along the cells' edges, and one row's rates on their axes.
 */
#include "tests/paint/crossover/crossover-rig.h"

#include "core/number.h"
#include "tests/paint/places.h"

/* The cell in which a point lies, counted from below; FALSE: none. */
static gboolean
cell_of (const LsCross *c, double x, double y, guint *col, guint *row)
{
  const double across = (x - c->left) / c->cell_w, up = c->n_y - (y - c->top) / c->cell_h;

  *col = (guint) MAX (across, 0);
  *row = (guint) MAX (up, 0);
  return across >= 0 && across < c->n_x && up >= 0 && up < c->n_y;
}

/* Left of the middle of the ramp where the left lane is faster, right where the right one is, the farther the
 * more times; the greatest of all is an end. Words on it are made for that very colour. */
static void
test_colours (void)
{
  Picture p;
  double shade[2][96], times[2][96], largest = 0, farthest = 0;
  guint n[2] = { 0 }, equal = 0;

  open_picture (&p, map_of (&ls_experiment_crossover, 5));
  const LsCross *c = p.layout->own;
  for (guint i = 0; i < p.layout->still->items->len; i++)
    {
      const LsItem *box = ls_scene_get (p.layout->still, i), *words = NULL;
      guint col, row;

      if (box->kind != LS_ITEM_BOX || box->ink != LS_INK_FASTER
          || !cell_of (c, (double) (box->x + box->w / 2), (double) (box->y + box->h / 2), &col, &row))
        continue;
      const LsLabSpot spot = ls_cross_spot (c, col, row);
      const double ratio = rate (1, spot) / rate (0, spot), by = MAX (ratio, 1 / ratio);
      const guint side = second_wins (spot);

      g_assert_cmpuint (box->evidence, ==, LS_EVIDENCE_DERIVED);
      for (guint k = i + 1; words == NULL && k < MIN (i + 2, p.layout->still->items->len); k++)
        words = ls_scene_get (p.layout->still, k);
      if (words == NULL || words->ink != LS_INK_ON_FASTER || words->value != box->value)
        g_test_fail_printf ("batch %u, width %u: the words aren’t made for their colour", spot.x, spot.y);
      if (by < LS_LAB_EQUAL)
        {
          g_assert_cmpfloat_with_epsilon ((double) box->value, .5, 1e-6);
          equal++;
          continue;
        }
      /* from ten times on without tenths: 9.8, 10.3, 113 */
      g_autofree char *number = by < 9.95 ? g_strdup_printf ("%.1f", by)
                                          : g_strdup_printf ("%.*f", by < 99.95, by);
      if (strpbrk (words->text, "0123456789") != NULL && strstr (words->text, number) == NULL)
        g_test_fail_printf ("“%s” stands in a cell of %g times", words->text, by);
      if (((double) box->value > .5) != side)
        g_test_fail_printf ("batch %u, width %u: the colour is the slower lane’s", spot.x, spot.y);
      shade[side][n[side]] = fabs ((double) box->value - .5);
      largest = MAX (largest, by);
      farthest = MAX (farthest, shade[side][n[side]]);
      times[side][n[side]++] = by;
    }
  g_assert_cmpuint (equal, >, 0);
  g_assert_cmpuint (n[0], >, 10);
  g_assert_cmpuint (n[1], >, 10);
  g_assert_cmpfloat_with_epsilon (farthest, .5, 1e-6);
  for (guint side = 0; side < 2; side++)
    for (guint i = 0; i < n[side]; i++)
      /* ten times as fast is twice as far as √10 times, whichever lane it is */
      if (fabs (shade[side][i] / .5 - log (times[side][i]) / log (largest)) > .01)
        g_test_fail_printf ("%.2f times as fast, of %.2f at most, is %.2f of the way to the end",
                            times[side][i], largest, shade[side][i] / .5);
  close_picture (&p);
}

/* Left of the map its left lane is named, right the right one, in their colours and over a ramp from one to
 * the other. */
static void
test_legend (void)
{
  static const struct {
    const char *words;
    double value;
  } ends[] = { { "◂ CPU faster", 0 }, { "OpenCL faster ▸", 1 } };
  Picture p;
  double x[2], last = -1, last_x = 0;
  guint n = 0;

  open_picture (&p, map_of (&ls_experiment_crossover, 0));
  draw_at (&p, 1920, 1080, LS_LOOK_LIGHT);
  const LsCross *c = p.layout->own;
  for (guint i = 0; i < 2; i++)
    {
      const LsItem *item = find_text (p.layout->still, ends[i].words);
      if (item == NULL)
        g_error ("“%s” isn’t said", ends[i].words);
      g_assert_cmpuint (item->ink, ==, LS_INK_LANE);
      g_assert_cmpfloat ((double) item->value, ==, ends[i].value);
      x[i] = i == 0 ? (double) item->x : ls_item_right (item);
    }
  g_assert_cmpfloat_with_epsilon (x[0], c->left, 1);
  g_assert_cmpfloat_with_epsilon (x[1], c->left + c->n_x * c->cell_w, 1);
  for (guint i = 0; i < p.layout->still->items->len; i++)
    {
      const LsItem *box = ls_scene_get (p.layout->still, i);
      if (box->kind != LS_ITEM_BOX || box->ink != LS_INK_FASTER || (double) box->y > c->top)
        continue;
      if ((double) box->value <= last || (double) box->x <= last_x)
        g_error ("the ramp doesn’t go from the left lane to the right one");
      last = (double) box->value;
      last_x = (double) box->x;
      n++;
    }
  g_assert_cmpuint (n, >, 10);
  g_assert_cmpfloat (last, >, .9);
  close_picture (&p);
}

/* One's own cell says so, and is framed, in whichever column it is; the picked one has a frame within. */
static void
check_frames (guint batch)
{
  Picture p;

  open_picture (&p, map_of (&ls_experiment_crossover, 0));
  g_hash_table_insert (p.data->recording->options, g_strdup ("batch"), g_strdup_printf ("%u", batch));
  asked (&p)->picked = TRUE;
  asked (&p)->col = 3;
  asked (&p)->row = 1;
  draw_at (&p, 1920, 1080, LS_LOOK_LIGHT);
  const LsCross *c = p.layout->own;
  guint own = 0, picked = 0, others = 0, yours = 0, col, row;

  g_assert_cmpuint (c->own.x, ==, batch);
  for (guint i = 0; i < p.layout->still->items->len; i++)
    {
      const LsItem *item = ls_scene_get (p.layout->still, i);
      const double x = (double) (item->x + item->w / 2), y = (double) (item->y + item->h / 2);

      if ((item->kind != LS_ITEM_FRAME && item->kind != LS_ITEM_TEXT) || !cell_of (c, x, y, &col, &row))
        continue;
      const gboolean is_own = c->xs[col] == c->own.x && c->ys[row] == c->own.y,
                     is_picked = col == 3 && row == 1;
      if (item->kind == LS_ITEM_FRAME)
        {
          own += is_own;
          picked += is_picked;
          others += !is_own && !is_picked;
          g_assert_cmpfloat_with_epsilon (x, c->left + (col + .5) * c->cell_w, .5);
          g_assert_cmpfloat_with_epsilon (y, c->top + (c->n_y - row - .5) * c->cell_h, .5);
        }
      else if (strcmp (item->text, "yours") == 0)
        {
          if (!is_own)
            g_error ("“yours” stands at batch %u, width %u", c->xs[col], c->ys[row]);
          yours++;
        }
    }
  if (own != 1 || picked != 1 || others != 0 || yours != 1)
    g_error ("batch %u: %u frames are round one’s own cell, %u round the picked one, %u elsewhere, and %u "
             "cells are “yours”",
             batch, own, picked, others, yours);
  close_picture (&p);
}

static void
test_frames (void)
{
  for (guint batch = 1; batch <= 2048; batch *= batch == 4 ? 4 : 2) /* 8 is the picked one's */
    check_frames (batch);
}

/* Below each column stands its batch, beside each row its width, small ones at the foot; those of one's own
 * are bold. */
static void
test_numbers (void)
{
  Picture p;
  guint across = 0, up = 0, own = 0;

  open_picture (&p, map_of (&ls_experiment_crossover, 0));
  draw_at (&p, 1920, 1080, LS_LOOK_LIGHT);
  const LsCross *c = p.layout->own;
  const double foot = c->top + c->n_y * c->cell_h;
  for (guint i = 0; i < p.layout->still->items->len; i++)
    {
      const LsItem *item = ls_scene_get (p.layout->still, i);
      const gboolean below = item->align == LS_CENTER && (double) item->y > foot
                             && (double) item->y < foot + 2 * p.layout->m.tick.px,
                     beside = item->align == LS_RIGHT && ls_item_right (item) < c->left
                              && (double) item->y > c->top && (double) item->y < foot;
      double value;

      if (item->kind != LS_ITEM_TEXT || (!below && !beside) || !ls_scale_number (item->text, &value))
        continue;
      const double at = below ? (((double) item->x + ls_item_right (item)) / 2 - c->left) / c->cell_w
                              : (foot - ls_text_middle (item)) / c->cell_h;
      const guint place = (guint) at;
      const guint should = below ? c->xs[MIN (place, c->n_x - 1)] : c->ys[MIN (place, c->n_y - 1)],
                  is_own = should == (below ? c->own.x : c->own.y);
      if (value != should || fabs (at - place - .5) > .1)
        g_error ("%s place %.2f, of %u, stands “%s”", below ? "below" : "beside", at, should, item->text);
      if ((item->type.weight == 700) != (is_own == 1) || (item->ink == LS_INK_TEXT) != (is_own == 1))
        g_error ("“%s” is%s one’s own, and is drawn otherwise", item->text, is_own ? "" : " not");
      own += is_own;
      across += below;
      up += beside;
    }
  g_assert_cmpuint (across, ==, c->n_x);
  g_assert_cmpuint (up, ==, c->n_y);
  g_assert_cmpuint (own, ==, 2);
  close_picture (&p);
}

/* What the numbers are of stands at their heads: up of the rows, across of the columns. */
static void
test_names (void)
{
  static const struct {
    const LsExperiment *experiment;
    const char *up, *across;
  } of[LS_CROSS_N_AXES] = { { &ls_experiment_crossover, "width", "batch" },
                            { &ls_experiment_crossover_depth, "layers", "batch" },
                            { &ls_experiment_crossover_image, "pixels", "batch" } };

  for (guint axes = 0; axes < LS_CROSS_N_AXES; axes++)
    {
      Picture p;
      guint up = 0, across = 0;

      open_picture (&p, map_of (of[axes].experiment, 0));
      asked (&p)->axes = axes;
      draw (&p);
      const LsCross *c = p.layout->own;
      g_autofree char *conditions = g_strdup_printf (
        "%s: %s; medians of 3 turns, lanes in turn. A dash: not measured", of[axes].up,
        of[axes].experiment->row_axis);
      if (!told (&p, conditions))
        g_error ("below the map isn’t said “%s”", conditions);
      const double foot = c->top + c->n_y * c->cell_h, line = 2 * p.layout->m.tick.px;
      for (guint i = 0; i < p.layout->still->items->len; i++)
        {
          const LsItem *item = ls_scene_get (p.layout->still, i);
          if (item->kind != LS_ITEM_TEXT || item->align != LS_RIGHT || ls_item_right (item) > c->left
              || (double) item->x < c->left - c->cell_w - 100)
            continue;
          up += strcmp (item->text, of[axes].up) == 0 && (double) item->y < c->top
                && (double) item->y > c->top - line;
          across += strcmp (item->text, of[axes].across) == 0 && (double) item->y > foot
                    && (double) item->y < foot + line;
        }
      if (up != 1 || across != 1)
        g_error ("“%s” stands above the rows’ numbers %u times, “%s” before the columns’ %u times",
                 of[axes].up, up, of[axes].across, across);
      close_picture (&p);
    }
}

/* The guess runs along the cells' left edges, so many from the left in each row, from the row's foot to its
 * head, a dot in its middle; steps lead from row to row, but over none that isn't guessed. */
static void
test_guess (void)
{
  static const gint8 guesses[8] = { 12, 9, 9, 4, LS_NO_GUESS, 0, 3, LS_NO_GUESS };
  Picture p;
  guint upright[8] = { 0 }, dots[8] = { 0 }, level = 0;

  open_picture (&p, NULL);
  for (guint row = 0; row < 8; row++)
    asked (&p)->guess[LS_CROSS_WIDTH][row] = guesses[row];
  draw_at (&p, 1920, 1080, LS_LOOK_LIGHT);
  const LsCross *c = p.layout->own;
  const LsScene *s = p.layout->still;
  const double foot = c->top + c->n_y * c->cell_h;

  g_assert_cmpuint (c->n_x, ==, 12);
  g_assert_cmpuint (c->n_y, ==, 8);
  for (guint i = 0; i < s->items->len; i++)
    {
      const LsItem *item = ls_scene_get (s, i);
      const float *at = &g_array_index (s->points, float, 2 * item->points);
      if ((item->kind != LS_ITEM_LINE && item->kind != LS_ITEM_DOTS) || item->ink != LS_INK_TEXT
          || item->n_points == 0 || !item->strong)
        continue;
      const double x0 = (double) at[0], y0 = (double) at[1];
      if (x0 < c->left - 1 || x0 > c->left + c->n_x * c->cell_w + 1 || y0 < c->top - 1 || y0 > foot + 1)
        continue;
      if (item->kind == LS_ITEM_DOTS)
        {
          const guint row = (guint) ((foot - y0) / c->cell_h);
          g_assert_cmpfloat_with_epsilon (y0, foot - (row + .5) * c->cell_h, .5);
          g_assert_cmpint (guesses[row], !=, LS_NO_GUESS);
          if (fabs (x0 - c->left - guesses[row] * c->cell_w) > .5)
            g_error ("row %u: %d cells are guessed left, and the dot is %.2f cells from the left", row,
                     guesses[row], (x0 - c->left) / c->cell_w);
          dots[row]++;
          continue;
        }
      const double x1 = (double) at[2], y1 = (double) at[3];
      if (fabs (x0 - x1) < .01)
        {
          const guint row = (guint) ((foot - (y0 + y1) / 2) / c->cell_h);
          g_assert_cmpfloat_with_epsilon (fabs (y1 - y0), c->cell_h, .5);
          g_assert_cmpfloat_with_epsilon (MAX (y0, y1), foot - row * c->cell_h, .5);
          if (fabs (x0 - c->left - guesses[row] * c->cell_w) > .5)
            g_error ("row %u: %d cells are guessed left, and the line is %.2f cells from the left", row,
                     guesses[row], (x0 - c->left) / c->cell_w);
          upright[row]++;
          continue;
        }
      /* between row and the one below */
      const guint row = (guint) lround ((foot - y0) / c->cell_h);
      const double low = c->left + MIN (guesses[row], guesses[row - 1]) * c->cell_w,
                   high = c->left + MAX (guesses[row], guesses[row - 1]) * c->cell_w;
      if (fabs (MIN (x0, x1) - low) > .5 || fabs (MAX (x0, x1) - high) > .5 || guesses[row] == LS_NO_GUESS
          || guesses[row - 1] == LS_NO_GUESS)
        g_error ("a step below row %u leads from %g to %g cells from the left", row,
                 (MIN (x0, x1) - c->left) / c->cell_w, (MAX (x0, x1) - c->left) / c->cell_w);
      level++;
    }
  for (guint row = 0; row < 8; row++)
    if (upright[row] != (guesses[row] != LS_NO_GUESS) || dots[row] != upright[row])
      g_test_fail_printf ("row %u has %u lines and %u dots", row, upright[row], dots[row]);
  g_assert_cmpuint (level, ==, 3); /* 12 to 9, 9 to 4, 0 to 3 */
  close_picture (&p);
}

/* ---- one row ---- */

/* Each dot of a lane in the picked row's picture stands at its batch and its rate, as the axes' numbers say,
 * and its bar spans its middle half; the heading names the row. */
static void
test_row (void)
{
  Picture p;

  for (guint row = 1; row < 8; row += 3)
    {
      LsLabResult *result = map_of (&ls_experiment_crossover, 0);
      for (guint lane = 0; lane < 2; lane++)
        for (guint i = 0; i < result->points[lane]->len; i++)
          {
            LsFigure *figure = &g_array_index (result->points[lane], LsLabPoint, i).rate;
            figure->q1 = figure->value * .8; /* so wide that it is seen */
            figure->q3 = figure->value * 1.1;
          }
      open_picture (&p, result);
      asked (&p)->picked = TRUE;
      asked (&p)->row = row;
      draw_at (&p, 1920, 1080, LS_LOOK_LIGHT);
      const LsCross *c = p.layout->own;
      const LsScene *s = p.layout->still;
      double unit = 0, from = 0;
      guint bars = 0, seen = 0;
      g_autofree char *heading = g_strdup_printf ("width %u, samples/s", c->ys[row]);

      g_assert_true (told (&p, heading));
      g_assert_true (told (&p, c->ys[row] == c->own.y ? "The row of your network" : "One row"));
      for (guint side = 0; side < 2; side++)
        for (guint i = 0; i < s->items->len; i++)
          {
            const LsItem *item = ls_scene_get (s, i);
            const float *at = &g_array_index (s->points, float, 2 * item->points);
            if (item->kind != LS_ITEM_DOTS || item->ink != LS_INK_MARK || item->value != (float) side
                || item->n_points != c->n_x)
              continue;
            seen++;
            g_assert_cmpuint (item->evidence, ==, LS_EVIDENCE_MEASURED);
            for (guint col = 0; col < c->n_x; col++)
              {
                /* powers of two: equally far from each other */
                const double step = ((double) at[2 * (c->n_x - 1)] - (double) at[0]) / (c->n_x - 1),
                             r = rate (side, ls_cross_spot (c, col, row));
                if (fabs ((double) at[2 * col] - (double) at[0] - col * step) > 1)
                  g_error ("side %u: batch %u stands at %g", side, c->xs[col], (double) at[2 * col]);
                if (unit <= 0) /* by the first two dots that are far enough from each other */
                  {
                    const guint last = c->n_x - 1;
                    const double other = rate (side, ls_cross_spot (c, last, row));
                    unit = ((double) at[1] - (double) at[2 * last + 1]) / (other - r);
                    from = (double) at[1] + r * unit;
                    g_assert_cmpfloat (unit, >, 0);
                  }
                if (fabs (from - r * unit - (double) at[2 * col + 1]) > 1)
                  g_error ("side %u, batch %u: %g samples/s stand at %g", side, c->xs[col], r,
                           (from - (double) at[2 * col + 1]) / unit);
                for (guint k = 0; k < s->items->len; k++)
                  {
                    const LsItem *bar = ls_scene_get (s, k);
                    const float *ends = &g_array_index (s->points, float, 2 * bar->points);
                    if (bar->kind != LS_ITEM_LINE || bar->n_points != 2 || bar->ink != LS_INK_MARK
                        || bar->value != (float) side || fabsf (ends[0] - at[2 * col]) > .5f
                        || fabsf (ends[2] - ends[0]) > .01f)
                      continue;
                    const double low = (from - (double) MAX (ends[1], ends[3])) / unit,
                                 high = (from - (double) MIN (ends[1], ends[3])) / unit;
                    if (fabs (low - .8 * r) * unit > 1 || fabs (high - 1.1 * r) * unit > 1)
                      g_error ("side %u, batch %u: the middle half of %g is drawn from %g to %g", side,
                               c->xs[col], r, low, high);
                    bars++;
                  }
              }
          }
      g_assert_cmpuint (seen, ==, 2);
      g_assert_cmpuint (bars, ==, 2 * c->n_x);
      close_picture (&p);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/paint/crossover-drawn/colours", test_colours);
  g_test_add_func ("/paint/crossover-drawn/legend", test_legend);
  g_test_add_func ("/paint/crossover-drawn/frames", test_frames);
  g_test_add_func ("/paint/crossover-drawn/guess", test_guess);
  g_test_add_func ("/paint/crossover-drawn/row", test_row);
  g_test_add_func ("/paint/crossover-drawn/numbers", test_numbers);
  g_test_add_func ("/paint/crossover-drawn/names", test_names);
  return g_test_run ();
}
