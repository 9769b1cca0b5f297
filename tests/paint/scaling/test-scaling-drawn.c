/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Scaling's panels as somebody reads them: each dot against the numbers at its axes, the law's line through
 * the dots that it is said of, each lane's name at its last dot.
 */
#include <math.h>
#include <string.h>

#include "tests/paint/places.h"
#include "tests/paint/said.h"
#include "tests/paint/scaling/scaling-rig.h"
#include "tests/plain.h"

static const float *
points_of (const LsScene *s, const LsItem *item)
{
  return &g_array_index (s->points, float, 2 * item->points);
}

static const LsScalingDot *
dot_of (const LsScalingLane *lane, guint i)
{
  return &g_array_index (lane->dots, LsScalingDot, i);
}

/* Of a lane: those of the kernel beside it are drawn before its own. */
static const float *
own_dots (const LsLayout *layout, const LsScalingPanel *panel, guint lane, guint *n)
{
  const LsItemKind kind = panel->evidence == LS_EVIDENCE_MEASURED ? LS_ITEM_DOTS : LS_ITEM_RINGS;
  const LsScene *s = layout->still;

  for (guint i = s->items->len; i-- > 0;)
    {
      const LsItem *item = ls_scene_get (s, i);
      if (item->kind != kind || item->evidence == 255 || (guint) item->value != LS_INK_OF (lane)
          || item->n_points < 3)
        continue;
      *n = item->n_points;
      return points_of (s, item);
    }
  g_error ("lane %u has no dots", lane);
}

/* Of both lanes' devices; 0: it wasn't measured. */
static LsLayout *
draw_with_roofs (GPtrArray *results, const LsScalingState *state, double first, double second)
{
  g_autoptr (LsViewData) data = data_with (results, NULL);
  const double roofs[LS_SIDES] = { first, second };
  LsScalingState own = *state;
  LsQuery query = LS_QUERY_INIT;

  for (guint side = 0; side < LS_SIDES; side++)
    data->sides[side].recorded->device->roofs[LS_ROOF_FLOPS] = (LsFigure){ .value = roofs[side],
                                                                           .n = roofs[side] > 0 ? 7 : 0 };
  query.state = &own;
  return draw_view (&ls_view_scaling, data, &query, LS_LOOK_LIGHT, 1920, 1080);
}

/* ---- the axes ---- */

/* "10 k" is 10,000; "2×" and "50 %" are 2 and 50. */
static gboolean
tick_value (const char *text, double *value)
{
  g_autofree char *words = plain (g_strdup (text));
  char *end;

  g_autofree char *joined = NULL;
  if (strchr (words, ' ') != NULL && g_ascii_isdigit (strchr (words, ' ')[1])) /* "4 096" */
    {
      g_auto (GStrv) parts = g_strsplit (words, " ", -1);
      joined = g_strjoinv ("", parts);
    }
  const char *at = joined != NULL ? joined : words;
  *value = g_ascii_strtod (at, &end);
  if (end == at)
    return FALSE;
  *value *= strcmp (end, " k") == 0 ? 1e3 : strcmp (end, " M") == 0 ? 1e6 : 1;
  return *end == '\0' || strcmp (end, " k") == 0 || strcmp (end, " M") == 0 || strcmp (end, "×") == 0
         || strcmp (end, " %") == 0;
}

/* Numbers left of the plot, and below it. */
static void
learn_axes (const LsLayout *layout, const LsScalingPanel *panel, LsScale *x, LsScale *y)
{
  const LsScene *s = layout->still;
  const double unit = layout->m.unit, px = layout->m.tick.px;

  *x = (LsScale){ .log = panel->kind != LS_SCALING_THREADS
                         && !(panel->kind == LS_SCALING_BATCH && panel->value == LS_SCALING_TIME) };
  *y = (LsScale){ .log = panel->kind == LS_SCALING_WIDTH
                         || (panel->kind == LS_SCALING_SIZE && panel->value == LS_SCALING_TIME) };
  for (guint i = 0; i < s->items->len; i++)
    {
      const LsItem *item = ls_scene_get (s, i);
      double value;

      if (item->kind != LS_ITEM_TEXT || item->ink != LS_INK_QUIET || fabs (item->type.px - px) > .01
          || !tick_value (item->text, &value))
        continue;
      if (item->align == LS_RIGHT && fabs (ls_item_right (item) - panel->left) < 2 * unit
          && (double) item->y > panel->top - px && (double) item->y < panel->bottom + px && y->n < LS_TICKS)
        ls_scale_add (y, item->text, value, ls_text_middle (item));
      if (item->align == LS_CENTER && (double) item->y > panel->bottom
          && (double) item->y < panel->bottom + 2.5 * px && x->n < LS_TICKS)
        ls_scale_add (x, item->text, value, ((double) item->x + ls_item_right (item)) / 2);
    }
  g_assert_cmpuint (x->n, >=, 2);
  g_assert_cmpuint (y->n, >=, 2);
  g_autofree char *wrong_x = ls_scale_learn (x, "the axis across"),
                  *wrong_y = ls_scale_learn (y, "the axis up");
  g_assert_cmpstr (wrong_x, ==, NULL);
  g_assert_cmpstr (wrong_y, ==, NULL);
}

/* What the axis says is the unit of an experiment's rate at x. */
static double
value_of (const LsScalingPanel *panel, guint lane, guint i)
{
  const GArray *points = panel->result->points[lane];
  const LsLabPoint *p = &g_array_index (points, LsLabPoint, i);
  double best = 0;

  for (guint k = 0; k < points->len; k++)
    best = MAX (best, g_array_index (points, LsLabPoint, k).rate.value);
  switch (panel->value)
    {
    case LS_SCALING_SPEED_UP:
      return p->rate.value / g_array_index (points, LsLabPoint, 0).rate.value;
    case LS_SCALING_OF_BEST:
      return 100 * p->rate.value / best;
    case LS_SCALING_OF_ROOF:
      return 100 * p->rate.value / (lane == 0 ? 400 : 800);
    case LS_SCALING_TIME: /* of a product 2n³ FLOP, at 10⁹ of them in a second; of so many samples */
      return (panel->kind == LS_SCALING_SIZE    ? 2 * pow (p->x, 3)
              : panel->kind == LS_SCALING_BATCH ? p->x * 1e9
                                                : (double) NAN)
             / p->rate.value / panel->unit_ns;
    default:
      return p->rate.value;
    }
}

static void
check_dots (const LsLayout *layout, const LsScalingPanel *panel, const LsScale *x, const LsScale *y,
            guint *seen)
{
  for (guint lane = 0; lane < panel->result->specs->len; lane++)
    {
      const LsScalingLane *own = &panel->lanes[lane];
      guint n;

      if (own->dots->len < 3)
        continue;
      const float *at = own_dots (layout, panel, lane, &n);
      g_assert_cmpuint (n, ==, own->dots->len);
      for (guint i = 0; i < n; i++)
        {
          const double value = value_of (panel, lane, i), here_x = ls_scale_px (x, dot_of (own, i)->x),
                       here_y = ls_scale_px (y, isnan (value) ? dot_of (own, i)->value : value);
          if (fabs (here_x - (double) at[2 * i]) > 1.5 || fabs (here_y - (double) at[2 * i + 1]) > 1.5)
            g_error (
              "%s, lane %u: %g at %g should stand at %.1f, %.1f by the axes’ numbers, not at %.1f, %.1f",
              ls_scaling_title (panel->kind), lane, value, dot_of (own, i)->x, here_x, here_y,
              (double) at[2 * i], (double) at[2 * i + 1]);
          ++*seen;
        }
    }
}

/* ---- laws ---- */

/* y at x of a line that goes to the right. */
static double
along (const float *line, guint n, double x)
{
  for (guint i = 0; i + 1 < n; i++)
    if (x >= (double) line[2 * i] - .01 && x <= (double) line[2 * i + 2] + .01)
      return (double) line[2 * i + 1]
             + (x - (double) line[2 * i]) / ((double) line[2 * i + 2] - (double) line[2 * i])
                 * ((double) line[2 * i + 3] - (double) line[2 * i + 1]);
  return (double) NAN;
}

/* The double line goes from the first dot of the law to its last, past all of them, in its band; thin lines
 * join the others to their neighbours. */
static void
check_law (const LsLayout *layout, const LsScalingPanel *panel, const LsScale *across, const LsScale *up,
           guint lane, guint *laws, guint *thins)
{
  const LsScene *s = layout->still;
  const LsScalingLane *own = &panel->lanes[lane];
  guint n, bands = 0, lines = 0, thin = 0, apart = 0;
  const guint holds = own->fitted && own->fit.law.holds;
  const float *at = own_dots (layout, panel, lane, &n);

  g_assert_cmpuint (n, ==, own->dots->len);
  for (guint i = 0; i + 1 < n; i++)
    apart += !(dot_of (own, i)->covered && dot_of (own, i + 1)->covered);
  const guint first = own->fit.first, last = own->fit.first + own->fit.n - 1;
  for (guint i = 0; i < s->items->len; i++)
    {
      const LsItem *item = ls_scene_get (s, i);
      const float *line = points_of (s, item);

      if (item->n_points < 2 || item->ink != LS_INK_MARK
          || (guint) item->value
               != LS_INK_OF (panel->names != NULL ? g_array_index (panel->names, LsViewName, lane).ink
                                                  : lane))
        continue;
      if (item->kind == LS_ITEM_AREA)
        {
          bands++;
          g_assert_cmpint (item->evidence, ==, LS_EVIDENCE_DERIVED);
          for (guint k = 0; k < item->n_points / 2; k++)
            {
              const guint back = item->n_points - 1 - k;
              g_assert_cmpfloat_with_epsilon ((double) line[2 * k], (double) line[2 * back], .1);
              /* one edge goes there and the other one back, the line between them */
              const double x = MAX (ls_scale_value (across, (double) line[2 * k]), dot_of (own, first)->x),
                           law = fmin (ls_scale_px (up, ls_scaling_law (panel, own, x, NULL, NULL)),
                                       panel->bottom);
              if (law < fmin ((double) line[2 * k + 1], (double) line[2 * back + 1]) - 1
                  || law > fmax ((double) line[2 * k + 1], (double) line[2 * back + 1]) + 1)
                g_error ("%s, lane %u: at %g the law is outside of its band", ls_scaling_title (panel->kind),
                         lane, x);
            }
          for (guint k = first; k <= last; k++)
            g_assert_false (isnan (along (line, item->n_points / 2, (double) at[2 * k])));
        }
      else if (item->kind == LS_ITEM_LINE && item->n_points > 2)
        {
          const LsItem *inner = ls_scene_get (s, i + 1);
          const float *within = points_of (s, inner);

          lines++;
          g_assert_cmpint (item->evidence, ==, LS_EVIDENCE_DERIVED);
          g_assert_cmpint (inner->ink, ==, LS_INK_VIEW); /* what makes it double */
          g_assert_cmpfloat ((double) inner->size, <, (double) item->size);
          g_assert_cmpuint (inner->n_points, ==, item->n_points);
          for (guint k = 0; k < 2 * item->n_points; k++)
            g_assert_cmpfloat ((double) within[k], ==, (double) line[k]);
          if (fabs ((double) (line[0] - at[2 * first])) > .1
              || fabs ((double) (line[2 * item->n_points - 2] - at[2 * last])) > .1)
            g_error ("%s, lane %u: the law’s line goes from %.1f to %.1f, its dots from %.1f to %.1f",
                     ls_scaling_title (panel->kind), lane, (double) line[0],
                     (double) line[2 * item->n_points - 2], (double) at[2 * first], (double) at[2 * last]);
          for (guint k = 1; k + 1 < item->n_points && own->fit.law.law != LS_LAW_IN_FLIGHT; k++)
            if (fabs ((double) (line[2 * k - 1] - 2 * line[2 * k + 1] + line[2 * k + 3])) > 2)
              g_error ("%s, lane %u: the law’s line has a step at %.1f", ls_scaling_title (panel->kind), lane,
                       (double) line[2 * k]);
          for (guint k = first; k <= last; k++)
            {
              const double y = along (line, item->n_points, (double) at[2 * k]);
              /* dots at the knee of Little's law are farther from it than its line is drawn */
              const double there = own->fit.law.law == LS_LAW_IN_FLIGHT ? ls_scale_px (
                                     up, ls_scaling_law (panel, own, dot_of (own, k)->x, NULL, NULL))
                                                                        : (double) at[2 * k + 1];
              if (!(fabs (y - there) < 5)) /* in 48 pieces */
                g_error ("%s, lane %u: at %g the law’s line is at %.1f, not at %.1f",
                         ls_scaling_title (panel->kind), lane, dot_of (own, k)->x, y, there);
            }
        }
      else if (item->kind == LS_ITEM_LINE && item->alpha > .9f) /* the kernel beside it is pale */
        for (guint k = 0; k + 1 < n; k++)
          if (line[0] == at[2 * k] && line[1] == at[2 * k + 1] && line[2] == at[2 * k + 2]
              && line[3] == at[2 * k + 3])
            {
              if (dot_of (own, k)->covered && dot_of (own, k + 1)->covered)
                g_error ("%s, lane %u: dots %u and %u are joined beside the law’s line",
                         ls_scaling_title (panel->kind), lane, k, k + 1);
              thin++;
            }
    }
  if (bands != holds || lines != holds || thin != apart)
    g_error ("%s, lane %u: %u bands, %u lines of a law that %s, and %u of %u dots are joined otherwise",
             ls_scaling_title (panel->kind), lane, bands, lines, holds ? "holds" : "doesn’t hold", thin,
             apart);
  *laws += holds;
  *thins += thin;
}

/* ---- names ---- */

/* At the right end each lane's name with its last value under it, from the top down as their last dots are,
 * in their ink; and the ideal, where there is one. */
static void
check_names (const LsLayout *layout, const LsScalingPanel *panel, guint *seen)
{
  const LsScene *s = layout->still;
  double names[LS_MAX_LANES], dots[LS_MAX_LANES];
  guint found = 0, ideal = 0;

  for (guint lane = 0; lane < panel->result->specs->len; lane++)
    {
      const LsScalingLane *own = &panel->lanes[lane];
      const LsViewName *name = &g_array_index (panel->names, LsViewName, lane);

      if (own->dots->len == 0)
        continue;
      g_autofree char *last = ls_scaling_last (panel, own);
      for (guint i = 0; i < s->items->len; i++)
        {
          const LsItem *item = ls_scene_get (s, i);
          if (item->kind != LS_ITEM_TEXT || strcmp (item->text, name->brief) != 0
              || (double) item->x < panel->right || (double) item->y < panel->top - 20
              || (double) item->y > panel->bottom + 20 || (double) item->x > panel->right + 40)
            continue;
          const LsItem *value = ls_scene_get (s, i + 1);
          g_assert_cmpfloat ((double) item->value, ==, LS_INK_OF (name->ink));
          g_assert_cmpfloat ((double) value->value, ==, LS_INK_OF (name->ink));
          g_assert_cmpstr (value->text, ==, last);
          g_assert_cmpfloat ((double) value->y, >, (double) item->y);
          names[found] = (double) item->y;
          dots[found++] = -dot_of (own, own->dots->len - 1)->value;
        }
    }
  for (guint a = 0; a < found; a++)
    for (guint b = 0; b < a; b++)
      if ((names[a] - names[b]) * (dots[a] - dots[b]) < 0)
        g_error ("%s: the lane whose last dot is higher is named lower", ls_scaling_title (panel->kind));
  for (guint i = 0; i < s->items->len; i++)
    ideal += ls_scene_get (s, i)->kind == LS_ITEM_TEXT && strcmp (ls_scene_get (s, i)->text, "ideal") == 0;
  g_assert_cmpuint (ideal, ==, panel->kind == LS_SCALING_THREADS);
  *seen += found;
}

/* Laws that hold from some size on, or up to one; and many samples in a second. */
static void
make_others (GPtrArray *results)
{
  const GArray *batch = lab_fixture_find (results, "batch")->points[0];
  LsLabResult *threads = lab_fixture_find (results, "threads"), *tiles = lab_fixture_find (results, "tiles");
  LsLabPoint shared = g_array_index (threads->points[0], LsLabPoint, threads->points[0]->len - 1);

  for (guint i = 0; i < 4; i++)
    g_array_index (batch, LsLabPoint, i).rate.value /= 3;
  shared.x *= 2; /* two threads on each core */
  g_array_append_val (threads->points[0], shared);
  for (guint lane = 0; lane < 2; lane++)
    for (guint i = 0; i < tiles->points[lane]->len; i++)
      {
        LsFigure *rate = &g_array_index (tiles->points[lane], LsLabPoint, i).rate;
        rate->value *= 300;
        rate->q1 *= 300;
        rate->q3 *= 300;
      }
}

static void
test_panels (void)
{
  g_autoptr (GPtrArray) results = lab_fixture ();
  guint dots = 0, laws = 0, thins = 0, names = 0, of_roofs = 0;

  for (guint turn = 0; turn < 6 * LS_SCALING_N; turn++)
    {
      const guint i = turn % (3 * LS_SCALING_N);
      const LsScalingState state = { .open = (LsScalingKind) (i / 3), .rate = i % 3 > 0 };
      if (turn == 3 * LS_SCALING_N)
        make_others (results);
      g_autoptr (LsLayout) layout = draw_with_roofs (results, &state, i % 3 == 2 ? 400e9 : 0,
                                                     i % 3 > 0 ? 800e9 : 0);
      const LsScaling *own = layout->own;
      const LsScalingPanel *panel = &own->panels[i / 3];
      LsScale x, y;

      g_assert_true (ls_scaling_has_dots (panel));
      /* a share of the roof where all lanes' are known */
      const LsScalingValue of_size = i % 3 == 0   ? LS_SCALING_TIME
                                     : i % 3 == 1 ? LS_SCALING_GFLOPS
                                                  : LS_SCALING_OF_ROOF;
      if (panel->kind == LS_SCALING_SIZE && panel->value != of_size)
        g_error ("with %u roofs that are known the sizes’ values are of kind %u", i % 3,
                 (guint) panel->value);
      of_roofs += panel->value == LS_SCALING_OF_ROOF;
      learn_axes (layout, panel, &x, &y);
      check_dots (layout, panel, &x, &y, &dots);
      for (guint lane = 0; lane < panel->result->specs->len; lane++)
        if (panel->lanes[lane].dots->len >= 3)
          check_law (layout, panel, &x, &y, lane, &laws, &thins);
      check_names (layout, panel, &names);
    }
  g_test_message ("%u dots, %u laws, %u thin lines, %u names", dots, laws, thins, names);
  g_assert_cmpuint (dots, >, 150);
  g_assert_cmpuint (laws, >, 8);
  g_assert_cmpuint (thins, >, 30);
  g_assert_cmpuint (names, >, 30);
  g_assert_cmpuint (of_roofs, ==, 2);
}

/* Under a panel stands its law: whose it is, where it has a name; or that there is none. */
static void
test_formula (void)
{
  static const struct {
    LsScalingKind kind;
    const char *name;
    LsLaw law;
  } rows[] = { { LS_SCALING_THREADS, "Amdahl: ", LS_LAW_AMDAHL },
               { LS_SCALING_FLIGHT, "Little: ", LS_LAW_IN_FLIGHT },
               { LS_SCALING_BATCH, "", LS_LAW_LINEAR },
               { LS_SCALING_SIZE, "", LS_LAW_HALF_SPEED },
               { LS_SCALING_EDGE, NULL, LS_LAW_NONE },
               { LS_SCALING_WIDTH, NULL, LS_LAW_NONE },
               { LS_SCALING_TILES, NULL, LS_LAW_NONE } };
  g_autoptr (GPtrArray) results = lab_fixture ();

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      const LsScalingState state = { .open = rows[i].kind };
      g_autoptr (LsLayout) layout = draw (results, &state, 1920, 1080);
      g_autofree char *formula = rows[i].name != NULL
                                   ? g_strconcat (rows[i].name, ls_law_formula (rows[i].law), NULL)
                                   : g_strdup ("no law fits: caches and limits decide");
      const LsItem *item = find_text (layout->still, formula);

      if (item == NULL || strcmp (item->text, formula) != 0)
        g_error ("%s: “%s” isn’t said", ls_scaling_title (rows[i].kind), formula);
      if (rows[i].name != NULL)
        g_assert_cmpint (mark_before (layout->still, formula), ==, LS_EVIDENCE_DERIVED);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/paint/scaling-drawn/panels", test_panels);
  g_test_add_func ("/paint/scaling-drawn/formula", test_formula);
  return g_test_run ();
}
