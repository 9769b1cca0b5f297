/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the cursor tells in Curves of the lanes, of those that stand on no side, and of the runs before: which
 * values, in which order, of which step; and that line, dots and plate stand where these values are.
 */
#include "core/number.h"
#include "steps_rig.h"
#include "tests/paint/said.h"

/* A run before, with four times the batch in as long a step: pointed at, its rate is four times as high. */
static void
test_run_before (void)
{
  g_autoptr (LsViewData) data = ls_fixture_view (&ls_fixture_cores, LS_STATE_LIVE);
  g_autoptr (LsFonts) fonts = ls_fonts_new ("Sans");
  LsRunCurves *before = g_new0 (LsRunCurves, 1);
  const guint64 step = data->sides[0].steps / 2;
  const double rate = data->batch * 1e6 / (double) ls_curve_get (data->sides[0].curve, step - 1).step_us;
  g_autofree char *own = ls_chart_value_text (LS_CURVE_RATE, rate),
                  *other = ls_chart_value_text (LS_CURVE_RATE, 4 * rate),
                  *words = g_strdup_printf ("larger %s", other);
  gboolean told[2] = { FALSE, FALSE };

  *before = (LsRunCurves){ .ref_count = 1, .label = g_strdup ("larger"), .batch = 4 * data->batch };
  before->sides[0] = (LsViewLane){ .curve = ls_curve_ref (data->sides[0].curve),
                                   .steps = data->sides[0].steps };
  data->runs = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_run_curves_unref);
  g_ptr_array_add (data->runs, before);
  g_autoptr (LsLayout) layout = lay_out (data, fonts, LS_LOOK_LIGHT, 1920, 1080);
  const LsPlot *plot = plot_of (layout, LS_CURVE_RATE);
  LsQuery query = layout->query;

  query.curves.cursor = (gint64) step;
  ls_layout_move (layout, &query);
  for (guint i = 0; i < layout->moving->items->len; i++)
    {
      const char *text = text_in (layout, plot, i);

      if (text == NULL)
        continue;
      told[0] |= g_str_has_suffix (text, own);
      told[1] |= g_str_equal (text, words);
      if (g_str_has_prefix (text, "larger"))
        g_test_message ("“%s”, and “%s” is expected", text, words);
    }
  g_assert_true (told[0]);
  g_assert_true (told[1]);
}

/* ---- one step in every plot ---- */

enum { LEFT, RIGHT, OTHER, ONE, LATE, PAIR, LINES };

/* Losses and rates tell their line and step. `late` is a run before that has a right lane alone, `pair` one
 * with both, whose right lane's loss is half of the left one's. */
static const struct {
  const char *name;
  guint steps, batch;
  double loss, step_us;
} lines[LINES] = {
  [LEFT] = { NULL, 40, 100, 100, 1000 },     [RIGHT] = { NULL, 40, 100, 200, 2000 },
  [OTHER] = { "Third", 25, 100, 300, 3000 }, [ONE] = { "one", 20, 50, 400, 500 },
  [LATE] = { "late", 45, 400, 500, 250 },    [PAIR] = { "pair", 12, 100, 600, 4000 },
};

static double
loss_at (guint line, guint step)
{
  return lines[line].loss + step;
}

/* Each step takes longer than the one before. */
static double
us_at (guint line, guint step)
{
  return lines[line].step_us * (1 + .01 * step);
}

/* Seconds; the lanes' clocks are other ones. */
static double
end_at (guint line, guint step)
{
  return step * (line == RIGHT ? 1.5 : 1);
}

static void
fill_lane (LsViewLane *lane, guint line)
{
  for (guint step = 1; step <= lines[line].steps; step++)
    add_step (lane, us_at (line, step), loss_at (line, step), (guint32) lround (1e3 * end_at (line, step)));
}

static LsRunCurves *
run_new (guint line, guint side)
{
  LsRunCurves *run = g_new0 (LsRunCurves, 1);

  *run = (LsRunCurves){ .ref_count = 1, .label = g_strdup (lines[line].name), .batch = lines[line].batch };
  run->sides[side].curve = ls_curve_new ();
  fill_lane (&run->sides[side], line);
  return run;
}

static void
rig_fill (Rig *r)
{
  LsViewLane *other = g_new0 (LsViewLane, 1);
  LsRunCurves *pair = run_new (PAIR, 0);

  rig_start (r);
  for (guint side = 0; side < LS_SIDES; side++)
    fill_lane (&r->data->sides[side], side);
  add_accuracy (&r->data->sides[LEFT], 10, .5);
  add_accuracy (&r->data->sides[LEFT], 30, .75);
  add_accuracy (&r->data->sides[RIGHT], 10, .625);
  *other = (LsViewLane){ .curve = ls_curve_new (), .ink = 3, .brief = g_strdup (lines[OTHER].name) };
  fill_lane (other, OTHER);
  g_clear_pointer (&r->data->others, g_ptr_array_unref);
  r->data->others = g_ptr_array_new_with_free_func (free_lane);
  g_ptr_array_add (r->data->others, other);
  pair->sides[1].curve = ls_curve_new ();
  for (guint step = 1; step <= lines[PAIR].steps; step++)
    add_step (&pair->sides[1], 1000, loss_at (PAIR, step) / 2, step);
  r->data->runs = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_run_curves_unref);
  g_ptr_array_add (r->data->runs, run_new (ONE, 0));
  g_ptr_array_add (r->data->runs, run_new (LATE, 1));
  g_ptr_array_add (r->data->runs, pair);
}

/* What a plot tells of a line at that step; FALSE: nothing. */
static gboolean
value_of (const LsViewData *data, LsCurveKind kind, guint line, guint step, double *value)
{
  if (step == 0 || step > (line < LS_SIDES ? data->sides[line].steps : lines[line].steps))
    return FALSE;
  switch (kind)
    {
    case LS_CURVE_LOSS:
      *value = loss_at (line, step);
      return TRUE;
    case LS_CURVE_RATE:
      *value = lines[line].batch * 1e6 / us_at (line, step);
      return TRUE;
    case LS_CURVE_DELTA:
      *value = line == LEFT ? 100 : loss_at (line, step) / 2;
      return line == PAIR || (line == LEFT && step <= data->sides[RIGHT].steps);
    case LS_CURVE_ACCURACY:
      *value = line == RIGHT ? .625 : step == 30 ? .75 : .5;
      return line == LEFT || (line == RIGHT && step == 10);
    case LS_CURVE_N:
      break;
    }
  g_assert_not_reached ();
}

/* "Third 310": a line's name and its value, with three digits. (transfer full) */
static char *
words_of (const LsViewData *data, LsCurveKind kind, guint line, double value)
{
  g_autofree char *percent = ls_number_text (100 * value, 3);
  g_autofree char *number = kind == LS_CURVE_RATE       ? ls_number_scaled (value)
                            : kind == LS_CURVE_ACCURACY ? g_strdup_printf ("%s %%", percent)
                            : kind == LS_CURVE_DELTA    ? ls_number_power (value)
                                                        : ls_number_text (value, 3);

  return g_strdup_printf ("%s %s",
                          line >= LS_SIDES         ? lines[line].name
                          : kind == LS_CURVE_DELTA ? "differ by"
                                                   : data->sides[line].brief,
                          number);
}

/* Of what moves, the items of one plot: from its line across to the next plot's. */
typedef struct {
  const LsLayout *layout;
  const LsPlot *plot;
  guint from, end;
} Pointed;

/* FALSE: the plot has no line across; else it stands at that place, from the plot's top to its foot. */
static gboolean
find_pointed (Pointed *p, double x)
{
  const LsScene *s = p->layout->moving;
  const LsArea *area = &p->plot->area, wide = { area->x - 1, area->y, area->w + 2, area->h };
  guint found = 0;

  for (guint i = 0; i < s->items->len; i++)
    {
      const LsItem *item = ls_scene_get (s, i);
      double left, top, w, h;

      ls_item_bounds (s, item, &left, &top, &w, &h);
      if (item->kind != LS_ITEM_LINE || !ls_area_has (wide, left + w / 2, top + h / 2))
        continue;
      if (fabs (left + w / 2 - x) > 1 || fabs (top - area->y) > 2 || fabs (h - area->h) > 3)
        g_error ("the line across is at %g px, %g px high, not at %g and %g", left + w / 2, h, x, area->h);
      found++;
      for (p->from = p->end = i + 1; p->end < s->items->len; p->end++)
        if (ls_scene_get (s, p->end)->kind == LS_ITEM_LINE)
          break;
    }
  g_assert_cmpuint (found, <=, 1);
  return found > 0;
}

/* The k-th of that kind; NULL: there are fewer. */
static const LsItem *
pointed_item (const Pointed *p, LsItemKind kind, guint k)
{
  for (guint i = p->from; i < p->end; i++)
    if (ls_scene_get (p->layout->moving, i)->kind == kind && k-- == 0)
      return ls_scene_get (p->layout->moving, i);
  return NULL;
}

/* A lane's dot is at its value, and the right one's leaves the left one's to be seen. */
static void
check_dot (const Pointed *p, guint k, double line, double x, double value)
{
  const LsItem *dot = pointed_item (p, LS_ITEM_DOTS, k);
  const float *points = (const float *) (gconstpointer) p->layout->moving->points->data;

  g_assert_true (dot != NULL && dot->n_points == 1);
  g_assert_cmpfloat ((double) dot->value, ==, line);
  g_assert_cmpfloat_with_epsilon ((double) points[2 * dot->points], x, .6);
  g_assert_cmpfloat_with_epsilon ((double) points[2 * dot->points + 1],
                                  ls_axis_at (&p->plot->y, value / p->plot->scale), .6);
  if (k > 0)
    g_assert_cmpfloat ((double) dot->size, <, (double) pointed_item (p, LS_ITEM_DOTS, 0)->size);
}

/* On a plate beside the line across, within the plot, are the step and below it the values, in the order of
 * the lines. How many these are. */
static guint
check_pointed (const Pointed *p, guint step, double x)
{
  static const LsNumber numbers[] = { [LS_CURVE_LOSS] = LS_NUMBER_LOSS,
                                      [LS_CURVE_RATE] = LS_NUMBER_RATE,
                                      [LS_CURVE_DELTA] = LS_NUMBER_DELTA,
                                      [LS_CURVE_ACCURACY] = LS_NUMBER_ACCURACY };
  const LsPlot *plot = p->plot;
  const LsItem *plate = pointed_item (p, LS_ITEM_BOX, 0), *title = pointed_item (p, LS_ITEM_TEXT, 0);
  g_autofree char *said = g_strdup_printf ("step %u", step);
  guint n = 0, dots = 0;
  double value, last;

  g_assert_true (plate != NULL && title != NULL);
  const double left = (double) plate->x, right = left + (double) plate->w;
  g_assert_cmpstr (title->text, ==, said);
  if (left < plot->area.x || right > plot->area.x + plot->area.w || (left < x && right > x))
    g_error ("at step %u, %g px, the plate is at %g … %g px of the plot's %g … %g", step, x, left, right,
             plot->area.x, plot->area.x + plot->area.w);
  last = (double) title->y;
  g_assert_cmpfloat (last - .8 * (double) title->type.px, >=, (double) plate->y);
  for (guint line = 0; line < LINES; line++)
    if (value_of (p->layout->data, plot->kind, line, step, &value))
      {
        const LsItem *text = pointed_item (p, LS_ITEM_TEXT, ++n);
        g_autofree char *words = words_of (p->layout->data, plot->kind, line, value);
        const gboolean of_lane = line <= OTHER && plot->kind != LS_CURVE_DELTA;

        g_assert_cmpstr (text != NULL ? text->text : "nothing", ==, words);
        g_assert_cmpuint (text->ink, ==,
                          of_lane        ? LS_INK_LANE
                          : line == LEFT ? LS_INK_TEXT
                                         : LS_INK_QUIET); /* of a run before */
        g_assert_cmpuint (text->number, ==, numbers[plot->kind]);
        g_assert_cmpuint (text->side, ==, of_lane && line < LS_SIDES ? line : LS_NO_VALUE);
        g_assert_cmpfloat ((double) text->y, >=, last + (double) text->type.px);
        g_assert_cmpfloat ((double) text->x, >, left);
        g_assert_cmpfloat (ls_item_right (text), <, right);
        last = (double) text->y;
        if (of_lane)
          {
            g_assert_cmpfloat ((double) text->value, ==, line == OTHER ? LS_INK_OF (3) : line);
            check_dot (p, dots++, (double) text->value, x, value);
          }
      }
  g_assert_null (pointed_item (p, LS_ITEM_TEXT, n + 1));
  g_assert_null (pointed_item (p, LS_ITEM_DOTS, dots));
  g_assert_cmpfloat (last, <, (double) (plate->y + plate->h));
  return n;
}

/* Of the step that is pointed at; of accuracies, of the newest one up to it after which the test set was
 * asked. By seconds the line stands where that step ended: on the left lane, if that has done it, else on the
 * right one; what only a run before has done, at the end. */
static void
test_pointed (void)
{
  static const guint ends[][LS_SIDES] = { { 40, 30 }, { 30, 40 } },
                     steps[] = { 1, 9, 10, 12, 13, 20, 21, 25, 26, 29, 30, 31, 40, 41, 45, 46 };
  guint told[2][LS_CURVE_N] = { 0 };
  Rig r;

  rig_fill (&r);
  for (guint seconds = 0; seconds < 2; seconds++)
    for (guint e = 0; e < G_N_ELEMENTS (ends); e++)
      {
        LsQuery query = LS_QUERY_INIT;

        for (guint side = 0; side < LS_SIDES; side++)
          r.data->sides[side].steps = ends[e][side];
        query.curves.seconds = seconds > 0;
        g_autoptr (LsLayout) layout = draw_view_in (r.fonts, &ls_view_curves, r.data, &query, LS_LOOK_LIGHT,
                                                    1920, 1080);
        g_assert_cmpuint (layout->plots->len, ==, LS_CURVE_N);
        for (guint i = 0; i < G_N_ELEMENTS (steps) * LS_CURVE_N; i++)
          {
            const LsPlot *plot = &g_array_index (layout->plots, LsPlot, i % LS_CURVE_N);
            Pointed p = { layout, plot, 0, 0 };
            const guint pointed = steps[i / LS_CURVE_N],
                        step = plot->kind != LS_CURVE_ACCURACY ? pointed
                               : pointed < 10                  ? 0
                               : pointed < 30                  ? 10
                                                               : 30,
                        clock = step <= ends[e][LEFT] ? LEFT : RIGHT;
            const double at = !seconds                ? step
                              : step > ends[e][clock] ? plot->x.high
                                                      : end_at (clock, step),
                         x = ls_axis_at (&plot->x, MIN (at, plot->x.high));
            gboolean any = FALSE;
            double value;

            g_assert_true (plot->seconds == (seconds > 0));
            for (guint line = 0; line < LINES; line++)
              any |= value_of (r.data, plot->kind, line, step, &value);
            query.curves.cursor = pointed;
            ls_layout_move (layout, &query);
            if (find_pointed (&p, x) != any)
              g_error ("at step %u “%s” has %s", pointed, ls_chart_name (plot->kind),
                       any ? "nothing to tell" : "something to tell");
            if (any)
              told[seconds][plot->kind] += check_pointed (&p, step, x);
          }
        query.curves.cursor = -1;
        ls_layout_move (layout, &query);
        g_assert_cmpuint (layout->moving->items->len, ==, 0);
      }
  for (guint i = 0; i < 2 * LS_CURVE_N; i++)
    g_assert_cmpuint (told[i / LS_CURVE_N][i % LS_CURVE_N], >, 20);
  rig_end (&r);
}

/* Small plots at the foot of another view have no runs before, and tell of none. */
static void
test_strip (void)
{
  Rig r;
  LsQuery query = LS_QUERY_INIT;

  rig_fill (&r);
  query.curves.cursor = 10;
  ls_layout_free (r.layout);
  r.layout = draw_view_in (r.fonts, &ls_view_race, r.data, &query, LS_LOOK_LIGHT, 1920, 1080);
  g_assert_true (says (r.layout->moving, "step 10"));
  g_assert_true (says (r.layout->moving, "110")); /* the left lane's loss */
  for (guint line = OTHER; line < LINES; line++)
    {
      g_autofree char *words = words_of (r.data, LS_CURVE_LOSS, line, loss_at (line, 10));
      g_assert_false (says (r.layout->moving, words));
    }
  rig_end (&r);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/paint/curves-runs/rate", test_run_before);
  g_test_add_func ("/paint/curves-runs/pointed", test_pointed);
  g_test_add_func ("/paint/curves-runs/strip", test_strip);
  return g_test_run ();
}
