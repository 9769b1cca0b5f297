/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What stands at the ends of curves: each line's name and value beside its end, what the lanes have in common
 * once, runs before where theirs end, and where a lane stopped.
 */
#include "core/number.h"
#include "steps_rig.h"
#include "tests/paint/said.h"

#define STEPS 100

/* So many steps with that loss, of batch samples each. */
static void
fill (LsViewLane *lane, guint steps, double loss, double step_us)
{
  for (guint step = 1; step <= steps; step++)
    add_step (lane, step_us, loss, step * 1000);
}

static void
set_rate (LsViewLane *lane, double rate)
{
  lane->rate = (LsFigure){ .value = rate, .q1 = rate, .q3 = rate, .n = 200, .unit = "samples/s" };
}

/* A third lane, that stands on no side. */
static void
add_other (Rig *r, double loss)
{
  LsViewLane *lane = g_new0 (LsViewLane, 1);

  *lane = (LsViewLane){ .curve = ls_curve_new (), .ink = 3, .brief = g_strdup ("Third") };
  fill (lane, STEPS, loss, 1000);
  set_rate (lane, 7e4);
  g_clear_pointer (&r->data->others, g_ptr_array_unref);
  r->data->others = g_ptr_array_new_with_free_func (free_lane);
  g_ptr_array_add (r->data->others, lane);
}

/* A run before: with that loss on the left lane, and twice as much on the right one; 0: not on this. */
static void
add_run (Rig *r, const char *label, guint steps, double left, gboolean right)
{
  LsRunCurves *run = g_new0 (LsRunCurves, 1);

  *run = (LsRunCurves){ .ref_count = 1, .label = g_strdup (label), .batch = 100 };
  for (guint side = 0; side < (right ? 2 : 1); side++)
    {
      run->sides[side].curve = ls_curve_new ();
      fill (&run->sides[side], steps, left * (side + 1), 1000);
      run->sides[side].stopped_at = steps + 1; /* which isn't told of any more */
    }
  if (r->data->runs == NULL)
    r->data->runs = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_run_curves_unref);
  g_ptr_array_add (r->data->runs, run);
}

/* With all that the data have by now, large enough for four plots. */
static void
redraw (Rig *r)
{
  const LsQuery query = LS_QUERY_INIT;

  ls_layout_free (r->layout);
  r->layout = draw_view_in (r->fonts, &ls_view_curves, r->data, &query, LS_LOOK_LIGHT, 1920, 1080);
  assert_faultless (r->layout);
}

/* The text in the plot or right of it; NULL: there is none. */
static const LsItem *
label_of (const Rig *r, const LsPlot *plot, const char *words)
{
  for (guint i = 0; i < r->layout->still->items->len; i++)
    {
      const LsItem *item = ls_scene_get (r->layout->still, i);
      if (item->kind == LS_ITEM_TEXT && g_str_equal (item->text, words) && (double) item->x > plot->area.x
          && (double) item->x < plot->area.x + plot->area.w + 200 && (double) item->y > plot->area.y - 2
          && (double) item->y < plot->area.y + plot->area.h + 8)
        return item;
    }
  return NULL;
}

/* It is right of the plot, beside that value, unless other words push it by a line. */
static void
check_label (const Rig *r, LsCurveKind kind, const char *words, double value, LsInk ink, double of,
             gboolean pushed)
{
  static const LsNumber numbers[] = { [LS_CURVE_LOSS] = LS_NUMBER_LOSS,
                                      [LS_CURVE_RATE] = LS_NUMBER_RATE,
                                      [LS_CURVE_ACCURACY] = LS_NUMBER_ACCURACY };
  const LsPlot *plot = plot_of (r->layout, kind);
  const LsItem *label;

  g_assert_nonnull (plot);
  label = label_of (r, plot, words);
  if (label == NULL)
    {
      g_autofree char *all = all_texts (r->layout->still, " | ");
      g_error ("“%s” has no “%s”: %s", ls_chart_name (kind), words, all);
    }
  const double middle = (double) label->y - .36 * (double) label->type.px,
               at = ls_axis_at (&plot->y, value / plot->scale);
  if (fabs (middle - at) > (pushed ? 1.5 * (double) label->type.px : 1.5))
    g_error ("“%s” stands at %g px, and its line ends at %g", words, middle, at);
  g_assert_cmpfloat ((double) label->x, >, plot->area.x + plot->area.w + 4);
  g_assert_cmpuint (label->ink, ==, ink);
  if (ink == LS_INK_LANE)
    g_assert_cmpfloat ((double) label->value, ==, of);
  g_assert_cmpuint (label->number, ==, numbers[kind]);
  g_assert_cmpuint (label->side, ==, ink == LS_INK_LANE && of < LS_SIDES ? (guint) of : LS_NO_VALUE);
  /* those on stage are bold */
  g_assert_cmpint (label->type.weight >= 700, ==, ink == LS_INK_TEXT || of < LS_SIDES);
}

/* Each lane's loss; one for both that print the same, and one for all of them; then by how much both differ.
 */
static void
test_losses (void)
{
  static const struct {
    double left, right, other; /* 0: there is none */
    const char *lanes[LS_SIDES], *both, *third, *differ;
  } cases[] = {
    { 1, 4, 2, { "CPU 1.00", "OpenCL 4.00" }, NULL, "Third 2.00", "differ by 3" },
    { 4, 1, 2, { "CPU 4.00", "OpenCL 1.00" }, NULL, "Third 2.00", "differ by 3" },
    { 1, 1, 4, { NULL, NULL }, "1.00 both", "Third 4.00", "differ by 0" },
    { 1, 1, 1, { NULL, NULL }, "1.00 all 3", NULL, "differ by 0" },
    { 1, 4, 1, { "CPU 1.00", "OpenCL 4.00" }, NULL, "Third 1.00", "differ by 3" },
    { 1, 1.0001, 0, { NULL, NULL }, "1.00 both", NULL, "differ by 1" }, /* × 10⁻⁴ */
    { 1, 4, 0, { "CPU 1.00", "OpenCL 4.00" }, NULL, NULL, "differ by 3" },
    { 1, 0, 0, { "CPU 1.00", NULL }, NULL, NULL, NULL },
    { 0, 1, 4, { NULL, "OpenCL 1.00" }, NULL, "Third 4.00", NULL },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      const double losses[] = { cases[i].left, cases[i].right };
      Rig r;

      rig_start (&r);
      for (guint side = 0; side < LS_SIDES; side++)
        {
          g_free (r.data->sides[side].brief);
          r.data->sides[side].brief = g_strdup (side == 0 ? "CPU" : "OpenCL");
          fill (&r.data->sides[side], losses[side] > 0 ? STEPS : 0, losses[side], 1000);
        }
      if (cases[i].other > 0)
        add_other (&r, cases[i].other);
      redraw (&r);
      for (guint side = 0; side < LS_SIDES; side++)
        if (cases[i].lanes[side] != NULL)
          check_label (&r, LS_CURVE_LOSS, cases[i].lanes[side], losses[side], LS_INK_LANE, side, TRUE);
      if (cases[i].both != NULL)
        check_label (&r, LS_CURVE_LOSS, cases[i].both, 1, LS_INK_TEXT, 0, TRUE);
      if (cases[i].third != NULL)
        check_label (&r, LS_CURVE_LOSS, cases[i].third, cases[i].other, LS_INK_LANE, LS_INK_OF (3),
                     fabs (cases[i].other - 1) < .1);
      else
        g_assert_false (says (r.layout->still, "Third 1.00"));
      g_assert_true (says (r.layout->still, "1.00 both") == (g_strcmp0 (cases[i].both, "1.00 both") == 0));
      if (cases[i].differ != NULL)
        {
          const LsItem *differ = find_text (r.layout->still, cases[i].differ);
          g_assert_nonnull (differ);
          g_assert_cmpint (mark_before (r.layout->still, cases[i].differ), ==, LS_EVIDENCE_DERIVED);
          g_assert_cmpuint (differ->ink, ==, LS_INK_QUIET);
        }
      else
        g_assert_false (says (r.layout->still, "differ by "));
      /* the title knows of the third, as far as there are two others */
      const gboolean two = losses[0] > 0 && losses[1] > 0;
      g_assert_true (says (r.layout->still, "all lanes, every step") == (two && cases[i].other > 0));
      for (guint k = 0, times = 0; k < r.layout->still->items->len; k++)
        {
          const LsItem *item = ls_scene_get (r.layout->still, k);
          times += item->kind == LS_ITEM_TEXT && g_str_equal (item->text, "both lanes, every step");
          if (k + 1 == r.layout->still->items->len)
            g_assert_cmpuint (times, ==, two && cases[i].other <= 0);
        }
      rig_end (&r);
    }
}

/* Of rates the medians stand there, not the last step; of a rate that doesn't stand yet nothing does. */
static void
test_rates (void)
{
  Rig r;

  rig_start (&r);
  for (guint side = 0; side < LS_SIDES; side++)
    {
      g_free (r.data->sides[side].brief);
      r.data->sides[side].brief = g_strdup (side == 0 ? "CPU" : "OpenCL");
      fill (&r.data->sides[side], STEPS, 1, side == 0 ? 1000 : 2000);
      set_rate (&r.data->sides[side], side == 0 ? 9e4 : 4e4);
    }
  add_other (&r, 1);
  redraw (&r);
  for (guint line = 0; line < 3; line++)
    {
      const double rates[] = { 9e4, 4e4, 7e4 };
      g_autofree char *number = ls_number_scaled (rates[line]);
      g_autofree char *words = g_strdup_printf ("%s %s",
                                                line == 0   ? "CPU"
                                                : line == 1 ? "OpenCL"
                                                            : "Third",
                                                number);
      check_label (&r, LS_CURVE_RATE, words, rates[line], LS_INK_LANE, line < 2 ? line : LS_INK_OF (3),
                   FALSE);
    }
  r.data->sides[1].rate.n = 1;
  redraw (&r);
  g_assert_true (says (r.layout->still, "CPU 90.0"));
  g_assert_false (says (r.layout->still, "OpenCL 40.0"));
  rig_end (&r);
}

/* A run before has one name, quiet, at its left lane's end: on a plate in the plot where that is before the
 * run's, else right of it. */
static void
test_runs (void)
{
  static const struct {
    guint steps;
    gboolean right, inside;
  } cases[] = { { 60, FALSE, TRUE }, { 60, TRUE, TRUE }, { STEPS, TRUE, FALSE }, { 150, FALSE, FALSE } };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      guint times = 0, plates = 0, bars = 0;
      Rig r;

      rig_start (&r);
      for (guint side = 0; side < LS_SIDES; side++)
        fill (&r.data->sides[side], STEPS, 1, 1000);
      add_run (&r, "before", cases[i].steps, 10, cases[i].right);
      redraw (&r);
      const LsPlot *plot = plot_of (r.layout, LS_CURVE_LOSS);
      g_assert_nonnull (plot);
      const LsItem *label = label_of (&r, plot, "before");
      g_assert_nonnull (label);
      const double x = ls_axis_at (&plot->x, cases[i].steps), y = ls_axis_at (&plot->y, 10),
                   middle = (double) label->y - .36 * (double) label->type.px;
      g_assert_cmpuint (label->ink, ==, LS_INK_QUIET);
      g_assert_cmpint (label->type.weight, <, 700);
      if (fabs (middle - y) > 1.5 || (double) label->x < x + 2 || (double) label->x > x + 40
          || ((double) label->x < plot->area.x + plot->area.w) != cases[i].inside)
        g_error ("the name of a run of %u steps stands at %g, %g px, and its line ends at %g, %g",
                 cases[i].steps, (double) label->x, middle, x, y);
      for (guint k = 0; k < r.layout->still->items->len; k++)
        {
          const LsItem *item = ls_scene_get (r.layout->still, k);
          times += item->kind == LS_ITEM_TEXT && g_str_equal (item->text, "before")
                   && fabs ((double) item->x - (double) label->x) < 1
                   && (double) item->y < plot->area.y + plot->area.h;
          bars += item->kind == LS_ITEM_BOX && item->ink == LS_INK_MARK && item->h > item->w
                  && ls_area_has (plot->area, (double) item->x, (double) item->y);
          plates += item->kind == LS_ITEM_BOX && item->ink == LS_INK_VIEW && item->strong
                    && (double) item->x <= (double) label->x
                    && (double) (item->x + item->w) >= ls_item_right (label) && (double) item->y < middle
                    && (double) (item->y + item->h) > middle;
        }
      g_assert_cmpuint (times, ==, 1);
      g_assert_cmpuint (bars, ==, 0);
      g_assert_cmpuint (plates, ==, cases[i].inside);
      rig_end (&r);
    }
}

/* A lane that stopped: a bar in its colour at its end in the plots of loss and rate, and beside the rates at
 * which step that was, unless names of runs before stand there; no ring, as there the line ends. */
static void
test_stopped (void)
{
  for (guint stopped = 0; stopped < LS_SIDES; stopped++)
    for (guint runs = 0; runs < 2; runs++)
      {
        const char *const words[] = { "CPU stopped at step 71", "OpenCL stopped at step 71" };
        Rig r;

        rig_start (&r);
        for (guint side = 0; side < LS_SIDES; side++)
          {
            g_free (r.data->sides[side].brief);
            r.data->sides[side].brief = g_strdup (side == 0 ? "CPU" : "OpenCL");
            fill (&r.data->sides[side], side == stopped ? 70 : STEPS, side + 1, 1000 * (side + 1));
          }
        r.data->sides[stopped].stopped_at = 71;
        if (runs)
          add_run (&r, "before", 40, 10, FALSE);
        redraw (&r);
        for (guint k = 0; k < 2; k++)
          {
            const LsPlot *plot = plot_of (r.layout, k == 0 ? LS_CURVE_LOSS : LS_CURVE_RATE);
            const double value = k == 0 ? stopped + 1 : 1e5 / (stopped + 1);
            guint bars = 0, rings[LS_SIDES] = { 0 };

            if (plot == NULL)
              g_error ("the %s has no plot", k == 0 ? "loss" : "rate");
            const double x = ls_axis_at (&plot->x, 70), y = ls_axis_at (&plot->y, value / plot->scale);
            for (guint i = 0; i < r.layout->still->items->len; i++)
              {
                const LsItem *item = ls_scene_get (r.layout->still, i);
                const float *at = &g_array_index (r.layout->still->points, float, 2 * item->points);
                if (item->kind == LS_ITEM_BOX && item->ink == LS_INK_MARK && item->side == stopped
                    && (double) item->value == stopped && item->h > item->w
                    && fabs ((double) (item->x + item->w / 2) - x) < 1.5
                    && fabs ((double) (item->y + item->h / 2) - y) < 1.5)
                  bars++;
                if (item->kind == LS_ITEM_DOTS && item->n_points == 1 && item->ink == LS_INK_MARK
                    && item->size >= 2 && item->value < LS_SIDES
                    && ls_area_has (plot->area, (double) at[0] - 1, (double) at[1]))
                  rings[(guint) item->value]++;
              }
            g_assert_cmpuint (bars, ==, 1);
            if (k == 0)
              {
                g_assert_cmpuint (rings[stopped], ==, 0);
                g_assert_cmpuint (rings[1 - stopped], ==, 1);
                continue;
              }
            const LsItem *said = label_of (&r, plot, words[stopped]);
            g_assert_true ((said != NULL) == !runs);
            g_assert_false (says (r.layout->still, "stopped at step 71") && runs);
            if (said != NULL)
              {
                g_assert_cmpuint (said->ink, ==, LS_INK_LANE);
                g_assert_cmpfloat ((double) said->value, ==, stopped);
                g_assert_cmpfloat (ls_item_right (said), <=, plot->area.x + plot->area.w + 1);
              }
          }
        rig_end (&r);
      }
}

/* While the other lane is still to come a lane's value stands at its line's end, whichever lane it is: the
 * rest of the plot is empty. With both there it stands right of the plot, over that one's end. */
static void
test_coming (void)
{
  for (guint coming = 0; coming < LS_SIDES; coming++)
    for (guint both = 0; both < 2; both++)
      {
        Rig r;
        rig_start (&r);
        LsViewLane *there = &r.data->sides[1 - coming], *other = &r.data->sides[coming];

        fill (there, 5, 2, 1000);
        if (!both)
          {
            other->state = LS_LANE_BUILDING;
            other->recorded = NULL;
            g_free (other->message);
            other->message = g_strdup ("Its programs are being built.");
          }
        redraw (&r);
        const LsPlot *plot = plot_of (r.layout, LS_CURVE_LOSS);
        g_assert_nonnull (plot);
        g_autofree char *words = g_strdup_printf ("%s 2.00", there->brief);
        const LsItem *label = label_of (&r, plot, words);
        if (label == NULL)
          g_error ("“%s” isn’t said", words);
        const double end = both ? plot->area.x + plot->area.w : ls_axis_at (&plot->x, 5);
        if ((double) label->x < end + 4 || (double) label->x > end + 40)
          g_error ("“%s” stands at %g px, and its line ends at %g", words, (double) label->x, end);
        rig_end (&r);
      }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/paint/curves-ends/losses", test_losses);
  g_test_add_func ("/paint/curves-ends/rates", test_rates);
  g_test_add_func ("/paint/curves-ends/runs", test_runs);
  g_test_add_func ("/paint/curves-ends/stopped", test_stopped);
  g_test_add_func ("/paint/curves-ends/coming", test_coming);
  return g_test_run ();
}
