/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Crossover against plain arithmetic: which cells stand where, who is faster in each, and between which of
 * them the line is drawn.
 */
#include "tests/paint/crossover/crossover-rig.h"
#include "tests/paint/places.h"

#include "core/number.h"

/* Larger batches stand further right, larger networks further up; a cell says who is faster with an arrow to
 * that lane's side, and how many times. */
static void
test_cells (void)
{
  Picture p;
  guint seen[3] = { 0 };

  open_picture (&p, map_of (&ls_experiment_crossover, 5));
  const LsCross *c = p.layout->own;
  g_assert_cmpuint (c->n_x, ==, 12);
  g_assert_cmpuint (c->n_y, ==, 8);
  g_assert_cmpuint (c->xs[0], ==, 1);
  g_assert_cmpuint (c->ys[7], ==, 4096);
  for (guint row = 0; row < c->n_y; row++)
    for (guint col = 0; col < c->n_x; col++)
      {
        const LsLabSpot spot = ls_cross_spot (c, col, row);
        const double ratio = rate (1, spot) / rate (0, spot), times = MAX (ratio, 1 / ratio);
        const char *text = cell_text (&p, col, row);

        g_test_message ("batch %u, width %u: %s", spot.x, spot.y, text);
        g_assert_nonnull (text);
        if (!ls_lab_result_tried (c->result, spot))
          {
            g_assert_cmpstr (text, ==, "–");
            seen[0]++;
          }
        else if (times < LS_LAB_EQUAL)
          {
            g_assert_cmpstr (text, ==, "equal");
            seen[1]++;
          }
        else
          {
            g_assert_true (second_wins (spot) ? g_str_has_suffix (text, "▸") : g_str_has_prefix (text, "◂"));
            g_assert_cmpfloat (
              fabs (
                g_strtod (second_wins (spot) ? text : text + strlen ("◂") + (text[strlen ("◂")] == ' '), NULL)
                  / times
                - 1),
              <, .06);
            seen[2]++;
          }
      }
  /* and the sizes at the edges stand beside their row, and under their column */
  guint labels = 0;
  for (guint i = 0; i < p.layout->still->items->len; i++)
    {
      const LsItem *item = ls_scene_get (p.layout->still, i);
      double size;

      if (item->kind != LS_ITEM_TEXT || item->type.px != p.layout->m.tick.px
          || !ls_scale_number (item->text, &size))
        continue;
      const double y = ls_text_middle (item), x = (double) (item->x + item->w / 2),
                   bottom = c->top + c->n_y * c->cell_h;
      if (ls_item_right (item) < c->left && y > c->top && y < bottom)
        {
          const guint row = (guint) ((bottom - y) / c->cell_h);
          g_assert_cmpfloat (size, ==, ls_cross_spot (c, 0, row).y);
          labels++;
        }
      else if (y > bottom && y < bottom + 2 * p.layout->m.tick.px && x > c->left)
        {
          g_assert_cmpfloat (size, ==, ls_cross_spot (c, (guint) ((x - c->left) / c->cell_w), 0).x);
          labels++;
        }
    }
  g_assert_cmpuint (labels, >=, c->n_x + c->n_y);
  g_assert_cmpuint (seen[0], ==, 20);
  g_assert_cmpuint (seen[1], >, 0);
  g_assert_cmpuint (seen[2], >, 60);
  close_picture (&p);
}

/* Each edge of the double line has a cell on either side that another lane won; nowhere else is one. */
static void
test_line (void)
{
  Picture p;
  guint drawn = 0, wanted = 0;

  open_picture (&p, map_of (&ls_experiment_crossover, 0));
  const LsCross *c = p.layout->own;
  for (guint i = 0; i < p.layout->still->items->len; i++)
    {
      const LsItem *item = ls_scene_get (p.layout->still, i);
      double x, y, w, h;

      if (item->kind != LS_ITEM_LINE || item->evidence != LS_EVIDENCE_DERIVED)
        continue;
      ls_item_bounds (p.layout->still, item, &x, &y, &w, &h);
      if (x + w / 2 < c->left - 2 || x + w / 2 > c->left + c->n_x * c->cell_w || y + h / 2 < c->top - 2
          || y + h / 2 > c->top + c->n_y * c->cell_h)
        continue;
      const gboolean upright = h > w;
      const guint col = (guint) ((x + w / 2 - c->left) / c->cell_w - (upright ? .5 : 0)),
                  row = c->n_y - 1 - (guint) ((y + h / 2 - c->top) / c->cell_h + (upright ? 0 : .5));
      g_assert_cmpuint (row + !upright, <, c->n_y);
      g_assert_cmpuint (col + upright, <, c->n_x);
      const LsLabSpot here = ls_cross_spot (c, col, row),
                      other = upright ? ls_cross_spot (c, col + 1, row) : ls_cross_spot (c, col, row + 1);
      g_assert_true (second_wins (here) != second_wins (other));
      drawn++;
    }
  for (guint row = 0; row < c->n_y; row++)
    for (guint col = 0; col < c->n_x; col++)
      {
        const gboolean here = second_wins (ls_cross_spot (c, col, row));
        wanted += col + 1 < c->n_x && second_wins (ls_cross_spot (c, col + 1, row)) != here;
        wanted += row + 1 < c->n_y && second_wins (ls_cross_spot (c, col, row + 1)) != here;
      }
  g_assert_cmpuint (drawn, ==, wanted);
  close_picture (&p);
}

/* The size that the row's picture names, with the row picked; 0: none. */
static double
equal_at (Picture *p, guint row)
{
  static const char before[] = "equal at batch ";
  g_autofree char *all = NULL;
  g_autoptr (GString) digits = g_string_new (NULL);
  const char *text;

  asked (p)->picked = TRUE;
  asked (p)->row = (gint) row;
  draw (p);
  all = all_texts (p->layout->still, "\n");
  text = strstr (all, before);
  if (text == NULL)
    return 0;
  for (text += strlen (before); g_ascii_isdigit (*text) || *text == '.' || (*text & 0x80) != 0; text++)
    if ((*text & 0x80) == 0) /* a thin space parts thousands */
      g_string_append_c (digits, *text);
  return g_ascii_strtod (digits->str, NULL);
}

static LsLabPoint *
point_at (LsLabResult *result, guint lane, LsLabSpot spot)
{
  for (guint i = 0; i < result->points[lane]->len; i++)
    {
      LsLabPoint *p = &g_array_index (result->points[lane], LsLabPoint, i);
      if (p->x == spot.x && p->y == spot.y)
        return p;
    }
  g_assert_not_reached ();
}

/* In each row the lanes are equal where it follows from the devices, also with a size missing between; where
 * one is faster all the way none is named, and one at which both were measured the same is that. */
static void
test_equal_at (void)
{
  guint named = 0;

  for (guint skip = 0; skip <= 7; skip += 7)
    {
      Picture p;

      open_picture (&p, map_of (&ls_experiment_crossover, skip));
      for (guint row = 0; row < ((const LsCross *) p.layout->own)->n_y; row++)
        {
          const double at = equal_at (&p, row);
          const LsCross *c = p.layout->own;
          const double size = 66000. / c->ys[row];
          const gboolean crosses = size > c->xs[0] && size < c->xs[c->n_x - 1];

          named += at > 0;
          if (skip == 0 && (at > 0) != crosses)
            g_error ("width %u: the lanes %s, and it says %g", c->ys[row], crosses ? "cross" : "don't cross",
                     at);
          if (at > 0 && fabs (at / size - 1) > (skip == 0 ? .1 : .3))
            g_error ("width %u: the lanes are equal at batch %.1f, and it says %g", c->ys[row], size, at);
        }
      close_picture (&p);
    }
  g_assert_cmpuint (named, >=, 4);

  Picture p;
  LsLabResult *result = map_of (&ls_experiment_crossover, 0);
  open_picture (&p, result);
  const LsLabSpot same = ls_cross_spot (p.layout->own, 2, 0);
  point_at (result, 1, same)->rate.value = point_at (result, 0, same)->rate.value;
  g_assert_cmpfloat_with_epsilon (equal_at (&p, 0), same.x, 1e-9);
  close_picture (&p);
}

/* Nothing lies over anything else or outside at any size, with and without a result. */
static void
test_sizes (void)
{
  static const double sizes[][2]
    = { { 960, 520 }, { 1230, 720 }, { 1280, 800 }, { 1920, 1080 }, { 3840, 2160 } };

  for (guint with = 0; with < 2; with++)
    for (gsize i = 0; i < G_N_ELEMENTS (sizes); i++)
      for (LsLook look = 0; look < LS_LOOK_N; look++)
        for (guint axes = 0; axes < LS_CROSS_N_AXES; axes++)
          {
            Picture p;
            g_autofree char *fault = NULL;

            if (look == LS_LOOK_PROJECTOR && sizes[i][0] < 1200)
              continue;
            open_picture (&p, with ? map_of (&ls_experiment_crossover, 3) : NULL);
            asked (&p)->axes = axes;
            asked (&p)->picked = asked (&p)->guessing = TRUE;
            for (guint row = 0; row < 6; row++)
              asked (&p)->guess[axes][row] = (gint8) (9 - row);
            draw_at (&p, sizes[i][0], sizes[i][1], look);
            fault = ls_layout_fault (p.layout);
            g_test_message ("%.0f×%.0f, %s, %s", sizes[i][0], sizes[i][1], ls_look_name (look),
                            fault != NULL ? fault : "");
            g_assert_null (fault);
            close_picture (&p);
          }
}

/* Where the lane's last dot is, in the picture of one row. */
static double
last_dot_y (const Picture *p, guint side)
{
  const LsScene *s = p->layout->still;
  const LsCross *c = p->layout->own;

  for (guint i = 0; i < s->items->len; i++)
    {
      const LsItem *item = ls_scene_get (s, i);
      if (item->kind == LS_ITEM_DOTS && item->ink == LS_INK_MARK && item->value == (float) side
          && item->n_points == c->n_x)
        return (double) g_array_index (s->points, float, 2 * (item->points + c->n_x) - 1);
    }
  g_error ("side %u has no dots", side);
}

/* At the right end of the picked row's rates each lane's name stands with its own rate, in its colour, level
 * with its last dot, or near it where both need the room; the higher one's above. */
static void
test_row (void)
{
  Picture p;
  guint second_above = 0;

  open_picture (&p, map_of (&ls_experiment_crossover, 0));
  asked (&p)->picked = TRUE;
  for (guint row = 0; row < 8; row++)
    {
      double at[2] = { 0 }, dots[2], px = 0;

      asked (&p)->row = row;
      draw_at (&p, 1920, 1080, LS_LOOK_LIGHT);
      const LsCross *c = p.layout->own;
      const LsLabSpot last = ls_cross_spot (c, c->n_x - 1, row);
      for (guint side = 0; side < 2; side++)
        {
          g_autofree char *number = ls_number_scaled (rate (side, last)),
                          *text = g_strdup_printf ("%s %s", ls_cross_name (c, side), number);
          for (guint i = 0; i < p.layout->still->items->len; i++)
            {
              const LsItem *item = ls_scene_get (p.layout->still, i);
              if (item->kind != LS_ITEM_TEXT || item->ink != LS_INK_LANE || strcmp (item->text, text) != 0)
                continue;
              g_assert_cmpfloat ((double) item->value, ==, side);
              at[side] = ls_text_middle (item);
              px = (double) item->type.px;
            }
          if (at[side] <= 0)
            g_error ("width %u: “%s” isn't at the end of its rates", last.y, text);
          dots[side] = last_dot_y (&p, side);
        }
      for (guint side = 0; side < 2; side++)
        if (fabs (at[side] - dots[side]) > (fabs (dots[1] - dots[0]) > 1.5 * px ? 1 : 1.5 * px))
          g_error ("width %u: the rates of side %u end at %g px, and its name stands at %g", last.y, side,
                   dots[side], at[side]);
      if ((at[1] < at[0]) != second_wins (last))
        g_error ("width %u: the lane with the lower rate stands above", last.y);
      second_above += at[1] < at[0];
    }
  g_assert_cmpuint (second_above, >, 0);
  g_assert_cmpuint (second_above, <, 8);
  close_picture (&p);
}

/* The lane that was measured first may stand on the right: each side has its own lane's name and wins. */
static void
test_exchanged (void)
{
  Picture p;

  open_picture (&p, map_of (&ls_experiment_crossover, 0));
  LsCross c = *(const LsCross *) p.layout->own;
  for (gint left = 0; left < 2; left++)
    {
      c.at_left = left;
      for (guint side = 0; side < 2; side++)
        {
          const guint lane = ls_cross_lane (&c, side);
          const char *name = ((const LsLaneSpec *) c.result->specs->pdata[lane])->title;
          LsLabWins wins;
          double times;

          if (lane != (side == (guint) left ? 0 : 1) || strcmp (ls_cross_name (&c, side), name) != 0)
            g_error ("with the first lane on side %d, “%s” is said to stand on side %u", left,
                     ls_cross_name (&c, side), side);
          for (guint col = 0; col < c.n_x; col++)
            {
              const LsLabSpot spot = ls_cross_spot (&c, col, 0);
              const gint winner = ls_cross_winner (&c, spot, &wins, &times);
              if (winner >= 0 && ls_cross_lane (&c, (guint) winner) != (wins == LS_WINS_FIRST ? 0 : 1))
                g_error ("with the first lane on side %d, the slower one is said to win", left);
            }
        }
    }
  close_picture (&p);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/paint/crossover/cells", test_cells);
  g_test_add_func ("/paint/crossover/line", test_line);
  g_test_add_func ("/paint/crossover/equal-at", test_equal_at);
  g_test_add_func ("/paint/crossover/row", test_row);
  g_test_add_func ("/paint/crossover/sizes", test_sizes);
  g_test_add_func ("/paint/crossover/exchanged", test_exchanged);
  return g_test_run ();
}
