/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Two lines along the cells' edges: where both lanes are equal, drawn only between measured cells; and where
 * that was guessed to be.
 */
#include "config.h"
#include "ui/paint/crossover/crossover.h"

#include <glib/gi18n-lib.h>
#include <math.h>

/* An edge on the way of the line: dark, and its middle the picture's ground. */
static void
edge (const LsCross *c, double x0, double y0, double x1, double y1)
{
  LsScene *s = c->layout->still;
  const double w = MIN (c->layout->style.data, MIN (c->cell_w, c->cell_h) * .05);
  LsItem *item = ls_scene_segment (s, x0, y0, x1, y1, LS_INK_TEXT, 3 * w);

  item->strong = TRUE;
  item->evidence = LS_EVIDENCE_DERIVED;
  ls_scene_segment (s, x0, y0, x1, y1, LS_INK_VIEW, w)->strong = TRUE;
}

/* Between two measured cells: the rates' order is another one, and at least one of them has a winner. */
static gboolean
crosses (const LsCross *c, guint col, guint row, guint other_col, guint other_row)
{
  const LsLabSpot here = ls_cross_spot (c, col, row), other = ls_cross_spot (c, other_col, other_row);
  double log_here, log_other;

  return c->result != NULL && ls_lab_log_ratio (c->result, here, &log_here)
         && ls_lab_log_ratio (c->result, other, &log_other) && (log_here > 0) != (log_other > 0)
         && (ls_lab_wins (c->result, here, NULL) != LS_WINS_NEITHER
             || ls_lab_wins (c->result, other, NULL) != LS_WINS_NEITHER);
}

void
ls_cross_equal_line (const LsCross *c)
{
  for (guint row = 0; row < c->n_y; row++)
    for (guint col = 0; col < c->n_x; col++)
      {
        const double x = c->left + col * c->cell_w, y = c->top + (c->n_y - 1 - row) * c->cell_h;

        if (col + 1 < c->n_x && crosses (c, col, row, col + 1, row))
          edge (c, x + c->cell_w, y, x + c->cell_w, y + c->cell_h);
        if (row + 1 < c->n_y && crosses (c, col, row, col, row + 1))
          edge (c, x, y, x + c->cell_w, y);
      }
}

void
ls_cross_guess_line (const LsCross *c)
{
  const gint8 *guess = c->asked->guess[c->asked->axes];
  const LsMetrics *m = &c->layout->m;
  LsScene *s = c->layout->still;
  gint last = LS_NO_GUESS;

  for (guint row = 0; row < c->n_y; row++)
    {
      const double x = c->left + MIN (guess[row], (gint) c->n_x) * c->cell_w,
                   y = c->top + (c->n_y - 1 - row) * c->cell_h;

      if (guess[row] == LS_NO_GUESS)
        {
          last = LS_NO_GUESS;
          continue;
        }
      ls_scene_segment (s, x, y, x, y + c->cell_h, LS_INK_TEXT, 2 * c->layout->style.data)->strong = TRUE;
      if (last != LS_NO_GUESS && last != guess[row])
        ls_scene_segment (s, c->left + MIN (last, (gint) c->n_x) * c->cell_w, y + c->cell_h, x, y + c->cell_h,
                          LS_INK_TEXT, 2 * c->layout->style.data)
          ->strong
          = TRUE;
      ls_scene_path (s, LS_ITEM_DOTS, LS_INK_TEXT, 0, 3 * m->unit)->strong = TRUE;
      ls_scene_point (s, x, y + c->cell_h / 2);
      last = guess[row];
    }
}
