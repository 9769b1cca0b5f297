/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Two-dimensional data: the recorded batch as points of the plane and, where the lanes were asked about a
 * grid, what each of them makes of the whole plane, and where they differ.
 */
#include "config.h"
#include "ui/paint/network/network.h"

#include <math.h>
#include <glib/gi18n-lib.h>

#include "core/number.h"
#include "ui/paint/parts/text.h"

#define PALE  2.3  /* so much paler than the points is the plane under them */
#define FAINT -9.0 /* differences from 10⁻⁹ to 1 are drawn */

/* Of two classes the ends of the signed ramp, of more the workers' colours: nobody works here. */
static LsItem *
begin_dots (const LsNetwork *n, gint label, double size)
{
  LsScene *s = n->layout->still;

  if (label < 0)
    return ls_scene_path (s, LS_ITEM_DOTS, LS_INK_QUIET, 0, size);
  if (n->n_classes <= 2)
    return ls_scene_path (s, LS_ITEM_DOTS, LS_INK_SIGN, label == 0 ? -1 : 1, size);
  return ls_scene_path (s, LS_ITEM_DOTS, LS_INK_WORKER, label, size);
}

static void
point_of (const LsNetwork *n, LsArea area, const float *at, double *x, double *y)
{
  const double most = ls_network_reach (n), r = area.w / 2;
  const double px = isfinite (at[0]) ? (double) at[0] : 0, py = isfinite (at[1]) ? (double) at[1] : 0;

  *x = area.x + r + (most > 0 ? CLAMP (px / most, -1, 1) * r : 0);
  *y = area.y + r - (most > 0 ? CLAMP (py / most, -1, 1) * r : 0);
}

double
ls_network_reach (const LsNetwork *n)
{
  for (guint side = 0; side < LS_SIDES; side++)
    if (n->grids[side] != NULL)
      return n->grids[side]->question->reach;
  return MAX (fabs ((double) n->low), fabs ((double) n->high)) * 1.06;
}

/* The probabilities of the grid's points, row by row. */
static const float *
grid_of (const LsAnswer *answer, gint64 *grid)
{
  *grid = answer->question->grid;
  return answer->probs + (answer->question->set.n - *grid * *grid) * answer->n_classes;
}

/* Of two classes which is more probable, and by how much; of more the most probable. */
static void
fields (const LsNetwork *n, LsArea area, const LsAnswer *answer)
{
  gint64 grid;
  const float *p = grid_of (answer, &grid);
  const gsize count = (gsize) (grid * grid);
  LsScene *s = n->layout->still;

  if (n->n_classes <= 2)
    {
      g_autofree float *values = g_new0 (float, count);
      for (gsize i = 0; n->n_classes == 2 && i < count; i++)
        values[i] = p[2 * i + 1] - p[2 * i];
      ls_scene_image (s, area.x, area.y, area.w, area.h, LS_INK_SIGN, values, (guint) grid, (guint) grid,
                      PALE);
      return;
    }
  g_autofree guint8 *levels = g_new (guint8, count);
  for (gsize i = 0; i < count; i++)
    {
      const float *one = p + i * (gsize) n->n_classes;
      const gint predicted = ls_network_largest (one, n->n_classes);
      const double sure = isfinite (one[predicted])
                            ? ((double) one[predicted] - 1.0 / n->n_classes) / (1 - 1.0 / n->n_classes)
                            : 0;
      levels[i] = (guint8) (predicted % 8 * 32 + (gint) rint (31 * CLAMP (.25 + .75 * sure, 0, 1)));
    }
  ls_scene_classes (s, area.x, area.y, area.w, area.h, levels, (guint) grid, (guint) grid);
}

/* Wrong ones have a ring round them, which the program worked out; the shown one a frame. */
static void
draw_points (const LsNetwork *n, LsArea area, gint side)
{
  const double size = CLAMP (area.w / (n->batch > 400 ? 90 : 60), n->layout->m.unit,
                             1.75 * n->layout->m.unit);
  LsScene *s = n->layout->still;
  double x, y;

  if (n->wrong->len > 0 && side == n->side)
    ls_scene_path (s, LS_ITEM_RINGS, LS_INK_TEXT, 0, size + 2.25 * n->layout->m.unit)->evidence
      = LS_EVIDENCE_DERIVED;
  for (guint i = 0; side == n->side && i < n->wrong->len; i++)
    {
      point_of (n, area, ls_network_input (n, g_array_index (n->wrong, gint64, i)), &x, &y);
      ls_scene_point (s, x, y);
    }
  for (gint label = -1; label < n->n_classes; label++)
    {
      gboolean any = FALSE;
      for (gint64 i = 0; i < n->batch; i++)
        if (ls_network_label (n, i) == label)
          {
            if (!any)
              begin_dots (n, label, size)->evidence = LS_EVIDENCE_MEASURED;
            any = TRUE;
            point_of (n, area, ls_network_input (n, i), &x, &y);
            ls_scene_point (s, x, y);
          }
    }
  point_of (n, area, ls_network_values (n, &n->layers[0], n->side, n->at), &x, &y);
  x = CLAMP (x, area.x + size, area.x + area.w - size);
  y = CLAMP (y, area.y + size, area.y + area.h - size);
  ls_scene_mark (s, LS_ITEM_FRAME, x - size, y - size, 2 * size, 2 * size, LS_INK_TEXT, 0);
}

static void
axes (const LsNetwork *n, LsArea area)
{
  const double line = n->layout->style.hairline;
  LsScene *s = n->layout->still;

  ls_scene_segment (s, area.x, area.y + area.h / 2, area.x + area.w, area.y + area.h / 2, LS_INK_EDGE, line);
  ls_scene_segment (s, area.x + area.w / 2, area.y, area.x + area.w / 2, area.y + area.h, LS_INK_EDGE, line);
}

double
ls_network_plane (const LsNetwork *n, LsArea area, gint side)
{
  if (side >= 0 && n->grids[side] != NULL)
    fields (n, area, n->grids[side]);
  else
    ls_scene_box (n->layout->still, area.x, area.y, area.w, area.h, LS_INK_CARD, 0)->size = 6;
  axes (n, area);
  draw_points (n, area, side < 0 ? n->side : side);
  return area.y + area.h;
}

/* The largest difference of any probability at each point; how many are said to be of another class. */
static double
differences (const LsNetwork *n, float *values, guint *otherwise)
{
  gint64 grid, same;
  const float *a = grid_of (n->grids[0], &grid), *b = grid_of (n->grids[1], &same);

  *otherwise = 0;
  for (gint64 i = 0; i < grid * grid; i++)
    {
      const double d = ls_network_difference (a + i * n->n_classes, b + i * n->n_classes, n->n_classes);
      values[i] = (float) (isnan (d) ? 1 : d > 0 ? CLAMP ((log10 (d) - FAINT) / -FAINT, 0, 1) : 0);
      *otherwise += ls_network_largest (a + i * n->n_classes, n->n_classes)
                    != ls_network_largest (b + i * n->n_classes, n->n_classes);
    }
  return ls_network_difference (a, b, grid * grid * n->n_classes);
}

/* What the lanes differ in. */
static double
difference_plane (const LsNetwork *n, LsArea area)
{
  const LsMetrics *m = &n->layout->m;
  const gint64 grid = n->grids[0]->question->grid;
  g_autofree float *values = g_new (float, (gsize) (grid * grid));
  LsScene *s = n->layout->still;
  guint otherwise;
  const double most = differences (n, values, &otherwise);
  g_autofree char *power = isnan (most) ? g_strdup (_("not a number")) : ls_number_power (most),
                  *points = ls_number_count ((guint64) (grid * grid)), *other = ls_number_count (otherwise);
  g_autofree char *words = !(most == 0) ? g_strdup_printf (_("max |Δ| %s"), power)
                                        : g_strdup (_("bit for bit"));
  g_autofree char *predicted = g_strdup_printf (_("%s of %s points said otherwise"), other, points),
                  *brief = g_strdup_printf (_("%s of %s otherwise"), other, points);
  double y = area.y + area.h + m->label.px * 1.4;

  ls_scene_image (s, area.x, area.y, area.w, area.h, LS_INK_AMOUNT, values, (guint) grid, (guint) grid, 1)
    ->evidence
    = LS_EVIDENCE_DERIVED;
  axes (n, area);
  ls_text_marked (s, m, area.x, y, area.w, LS_EVIDENCE_DERIVED, LS_INK_TEXT, words);
  y += m->label.px * 1.4;
  ls_text_fit (s, area.x, y, area.w, m->label, LS_INK_QUIET, LS_LEFT,
               (const char *const[]){ predicted, brief, NULL });
  return y;
}

static gboolean
comparable (const LsNetwork *n)
{
  return n->grids[0] != NULL && n->grids[1] != NULL && n->grids[0]->question == n->grids[1]->question
         && n->grids[0]->steps == n->grids[1]->steps;
}

void
ls_network_plane_describe (const LsNetwork *n, GString *text)
{
  if (n->grids[0] == NULL || n->grids[1] == NULL)
    return;
  if (!comparable (n))
    {
      g_autofree char *left = ls_number_count (n->grids[0]->steps),
                      *right = ls_number_count (n->grids[1]->steps);
      g_string_append_printf (text, _(" The planes are those after step %s and after step %s."), left,
                              right);
      return;
    }
  const gint64 points = n->grids[0]->question->grid * n->grids[0]->question->grid;
  g_autofree float *values = g_new (float, (gsize) points);
  guint otherwise;
  differences (n, values, &otherwise);
  g_autofree char *all = ls_number_count ((guint64) points),
                  *same = ls_number_count ((guint64) points - otherwise);

  g_string_append_printf (text, _(" The plane: of %s points the lanes say the same of %s."), all, same);
}

/* Beside the layers: the other lane's plane, and under it the differences. */
static void
place_below (LsNetwork *n, LsArea area)
{
  const LsMetrics *m = &n->layout->m;
  const gint other = 1 - n->side;
  const double texts = m->heading.px * 1.8, foot = m->label.px * 3.2, each = (area.h - texts - foot) / 2,
               size = floor (MIN (area.w, each));
  const double y = area.y + size + texts;

  ls_network_heading (n, area.x, area.w, n->layout->data->sides[other].name,
                      (const char *const[]){ _("the same plane"), NULL });
  ls_network_plane (n, (LsArea){ area.x, area.y, size, size }, other);
  if (!comparable (n))
    return;
  ls_text_heading (n->layout->still, m, (LsArea){ area.x, y, area.w, 0 }, y - m->heading.px * .5,
                   _("Difference"), _("of probability, 10⁻⁹ to 1"));
  difference_plane (n, (LsArea){ area.x, y, size, size });
}

/* As a page: three squares in a row. */
static void
place_row (LsNetwork *n, LsArea area)
{
  const LsMetrics *m = &n->layout->m;
  const double gap = 4 * m->unit, foot = m->label.px * 3.2,
               size = floor (MIN ((area.w - 2 * gap) / 3, area.h - foot));
  double x = area.x;

  if (size < 40)
    return;
  for (gint side = 0; side < LS_SIDES; side++)
    if (n->grids[side] != NULL)
      {
        g_autofree char *steps = ls_number_count (n->grids[side]->steps),
                        *words = g_strdup_printf (_("after step %s"), steps);
        ls_network_heading (n, x, size, n->layout->data->sides[side].name,
                            (const char *const[]){ words, NULL });
        ls_network_plane (n, (LsArea){ x, area.y, size, size }, side);
        x += size + gap;
      }
  if (!comparable (n))
    return;
  ls_network_heading (n, x, size, _("Difference"),
                      (const char *const[]){ _("of probability, 10⁻⁹ to 1"), _("10⁻⁹ to 1"), NULL });
  difference_plane (n, (LsArea){ x, area.y, size, size });
}

void
ls_network_planes (LsNetwork *n, LsArea area)
{
  if (area.h > area.w)
    place_below (n, area);
  else
    place_row (n, area);
}
