/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which lane is which in the picture of a result: each end has its lane's name, figure and colour, and stands
 * where the last dot is; the thin line beside; and what stands there before anything is measured.
 */
#include <math.h>
#include <string.h>

#include "tests/paint/draw.h"
#include "tests/paint/numbers.h"
#include "ui/paint/growth/growth.h"

#define LANES "cpu,opencl,cpu(threads=1),reference"

static LsLabResult *
new_result (const LsExperiment *experiment)
{
  g_autoptr (LsOptions) options = ls_options_new ();
  LsLabResult *result;

  g_assert_true (ls_options_set (options, ls_options_find ("lanes"), LANES, NULL));
  result = ls_lab_result_new (experiment, options, NULL);
  g_assert_nonnull (result);
  return result;
}

static void
add_point (LsLabResult *result, guint lane, double x, double rate, double plain)
{
  LsLabPoint p = { .x = x, .rate = { rate, "samples/s", LS_EVIDENCE_MEASURED, 9, rate * .99, rate * 1.01 } };

  if (plain > 0)
    p.plain = (LsFigure){ plain, "samples/s", LS_EVIDENCE_MEASURED, 9, plain, plain };
  g_assert_true (ls_lab_result_add (result, lane, &p));
}

static LsScene *
drawn (const LsLabResult *result, LsFonts *fonts, LsStyle *style)
{
  ls_style_init (style, LS_LOOK_LIGHT, 1);
  return ls_growth_scene_sized (result, style, fonts, 900, 600);
}

/* The n-th item of that kind that has so many points, which must be there. */
static const LsItem *
nth (const LsScene *scene, LsItemKind kind, guint n_points, guint n)
{
  for (guint i = 0; i < scene->items->len; i++)
    {
      const LsItem *item = ls_scene_get (scene, i);
      if (item->kind == kind && item->n_points == n_points && n-- == 0)
        return item;
    }
  g_error ("no such item of %u points", n_points);
}

static double
at (const LsScene *scene, const LsItem *item, guint point, gboolean y)
{
  return (double) g_array_index (scene->points, float, 2 * (item->points + point) + (y ? 1 : 0));
}

/* By their last figures the lanes stand in another order than by number; in the second case two ends are so
 * close that their names must make room for each other. */
static void
test_ends (void)
{
  static const double ends[][4] = { { 2100, 54000, 310, 9700 }, { 9000, 9100, 400, 120 } };
  g_autoptr (LsFonts) fonts = ls_fonts_new_stretched (1);

  for (guint c = 0; c < G_N_ELEMENTS (ends); c++)
    {
      g_autoptr (LsLabResult) result = new_result (&ls_experiment_batch);
      g_autoptr (GArray) names = ls_view_names_of (result->specs);
      double label_y[4] = { 0 };
      LsScene *scene;
      LsStyle style;

      for (guint lane = 0; lane < 4; lane++)
        for (guint i = 0; i < 3; i++)
          add_point (result, lane, pow (4, i), ends[c][lane] * (i == 2 ? 1 : .3 + .1 * i), 0);
      scene = drawn (result, fonts, &style);
      for (guint lane = 0; lane < 4; lane++)
        {
          const LsViewName *name = &g_array_index (names, LsViewName, lane);
          const LsItem *label = NULL, *dots = NULL;
          guint n = 0;

          for (guint i = 0; i < scene->items->len; i++)
            {
              const LsItem *item = ls_scene_get (scene, i);
              double is[NUMBERS_MOST], half[NUMBERS_MOST];
              const char *end;

              if (item->kind != LS_ITEM_TEXT || item->ink != LS_INK_LANE || item->type.weight != 700)
                continue;
              end = g_str_has_prefix (item->text, name->name)    ? item->text + strlen (name->name)
                    : g_str_has_prefix (item->text, name->brief) ? item->text + strlen (name->brief)
                                                                 : NULL;
              /* of "CPU" and "CPU, 1 thread" the one that is followed by the figure */
              if (end == NULL || *end != ' ' || !g_ascii_isdigit (end[1]) || numbers_of (end, is, half) != 1)
                continue;
              if (fabs (is[0] - ends[c][lane]) > half[0] * 1.01 + 1e-9)
                g_error ("the end of lane %u, which is %g, is called “%s”", lane, ends[c][lane], item->text);
              label = item;
              n++;
            }
          if (label == NULL || n != 1)
            g_error ("the end of lane %u is called %u times", lane, n);
          label_y[lane] = (double) label->y - .36 * (double) label->type.px;
          /* its dots are those in its colour */
          for (guint i = 0; i == 0 || dots->value != label->value; i++)
            dots = nth (scene, LS_ITEM_DOTS, 3, i);
          g_assert_cmpfloat ((double) label->x, >, at (scene, dots, 2, FALSE));
          if (c == 0 && fabs (at (scene, dots, 2, TRUE) - label_y[lane]) > 1)
            g_error ("lane %u ends at %.1f px, and its name stands at %.1f", lane, at (scene, dots, 2, TRUE),
                     label_y[lane]);
          for (guint other = 0; other < lane; other++)
            {
              if ((ends[c][lane] > ends[c][other]) != (label_y[lane] < label_y[other]))
                g_error ("lanes %u and %u end at %g and %g, and their names stand at %.0f and %.0f px", lane,
                         other, ends[c][lane], ends[c][other], label_y[lane], label_y[other]);
              g_assert_cmpfloat (fabs (label_y[lane] - label_y[other]), >=, 1.2 * (double) label->type.px);
            }
        }
      ls_scene_free (scene);
    }
}

/* The figures without what is studied are a thin line of its own: each is as high as a dot of the same
 * figure. */
static void
test_plain (void)
{
  static const double rates[] = { 100, 700, 3000, 20000 };
  g_autoptr (LsLabResult) result = new_result (&ls_experiment_events);
  g_autoptr (LsFonts) fonts = ls_fonts_new_stretched (1);
  const LsItem *dots, *thin = NULL, *thick = NULL;
  LsScene *scene;
  LsStyle style;

  for (guint i = 0; i < 3; i++)
    add_point (result, 0, pow (4, i), rates[i], rates[i + 1]);
  add_point (result, 0, pow (4, 3), rates[3], rates[0]);
  scene = drawn (result, fonts, &style);
  dots = nth (scene, LS_ITEM_DOTS, 4, 0);
  for (guint i = 0; i < 2; i++)
    {
      const LsItem *line = nth (scene, LS_ITEM_LINE, 4, i);
      *(fabs (at (scene, line, 0, TRUE) - at (scene, dots, 0, TRUE)) < .1 ? &thick : &thin) = line;
    }
  if (thin == NULL || thick == NULL)
    g_error ("both lanes’ lines go through the dots, or none does");
  g_assert_cmpfloat ((double) thin->size, <, (double) thick->size);
  for (guint i = 0; i < 4; i++)
    {
      g_assert_cmpfloat_with_epsilon (at (scene, thick, i, TRUE), at (scene, dots, i, TRUE), .1);
      g_assert_cmpfloat_with_epsilon (at (scene, thin, i, TRUE), at (scene, dots, (i + 1) % 4, TRUE), .1);
      g_assert_cmpfloat_with_epsilon (at (scene, thin, i, FALSE), at (scene, dots, i, FALSE), .1);
    }
  ls_scene_free (scene);
}

/* Before anything is measured that is said in the middle of the place, over what would grow; there is no
 * mark. */
static void
test_nothing (void)
{
  g_autoptr (LsLabResult) result = new_result (&ls_experiment_batch);
  g_autoptr (LsFonts) fonts = ls_fonts_new_stretched (1);
  const LsItem *words = NULL, *title = NULL, *axis = NULL;
  LsScene *scene;
  LsStyle style;

  scene = drawn (result, fonts, &style);
  for (guint i = 0; i < scene->items->len; i++)
    {
      const LsItem *item = ls_scene_get (scene, i);

      g_assert_true (item->kind == LS_ITEM_TEXT || item->kind == LS_ITEM_EVIDENCE);
      if (item->kind != LS_ITEM_TEXT)
        continue;
      words = g_str_equal (item->text, "Not measured.") ? item : words;
      title = g_str_equal (item->text, "Batch") ? item : title;
      axis = strstr (item->text, "samples in a step") != NULL ? item : axis;
    }
  g_assert_true (words != NULL && title != NULL && axis != NULL);
  g_assert_cmpfloat_with_epsilon ((double) words->y, (double) (title->y + axis->y) / 2,
                                  (double) (axis->y - title->y) * .1);
  ls_scene_free (scene);
}

/* Over several results each lane has its device, or that there was none; under them is said how the figures
 * were made, and that other programs ran, also if they did beside only one of them. */
static void
test_words (void)
{
  static const char quiet[]
    = "Measured: medians in the band of the middle half; the lanes in turn at each point.",
    busy[] = "Measured beside other programs: medians in the band of the middle half; the lanes in turn at "
             "each point.";

  g_assert_cmpstr (ls_growth_caption (FALSE, FALSE), ==, quiet);
  g_assert_cmpstr (ls_growth_caption (TRUE, FALSE), ==, busy);
  g_assert_cmpstr (ls_growth_caption (FALSE, TRUE), ==, "Measured: medians, middle half.");
  g_assert_cmpstr (ls_growth_caption (TRUE, TRUE), ==,
                   "Measured beside other programs: medians, middle half.");
  for (guint at = 0; at <= 3; at++) /* 3: beside none */
    {
      g_autoptr (GPtrArray) results = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_lab_result_unref);
      g_autoptr (LsFonts) fonts = ls_fonts_new (NULL);
      const char *last = NULL;
      guint captions = 0;
      double name_y = 0;
      LsScene *scene;
      LsStyle style;

      for (guint i = 0; i < 3; i++)
        {
          LsLabResult *result = new_result (i == 1 ? &ls_experiment_width : &ls_experiment_batch);
          result->busy = i == at;
          for (guint lane = 0; lane < 3; lane++)
            result->devices[lane] = g_strdup_printf ("Device %u", lane);
          g_ptr_array_add (results, result);
        }
      g_autoptr (GArray) names = ls_view_names_of (((LsLabResult *) results->pdata[0])->specs);
      ls_style_init (&style, LS_LOOK_LIGHT, 1);
      scene = ls_growth_scene (results, &style, fonts);
      for (guint lane = 0, i = 0; lane < 4; lane++)
        {
          g_autofree char *device = lane < 3 ? g_strdup_printf ("Device %u", lane)
                                             : g_strdup ("was not there");
          const LsItem *name = NULL, *words;
          /* in their order, each in a line of its own, the device behind the name */
          for (; name == NULL && i + 1 < scene->items->len; i++)
            if (ls_scene_get (scene, i)->kind == LS_ITEM_TEXT
                && strcmp (ls_scene_get (scene, i)->text, g_array_index (names, LsViewName, lane).name) == 0)
              name = ls_scene_get (scene, i);
          g_assert_nonnull (name);
          words = ls_scene_get (scene, i);
          if (words->kind != LS_ITEM_TEXT || strcmp (words->text, device) != 0 || words->y != name->y
              || (double) words->x < ls_item_right (name))
            g_error ("behind “%s” stands “%s”, not “%s”", name->text, words->text, device);
          g_assert_cmpfloat ((double) name->y, >, name_y);
          name_y = (double) name->y;
        }
      for (guint i = 0; i < scene->items->len; i++)
        if (ls_scene_get (scene, i)->kind == LS_ITEM_TEXT
            && g_str_has_prefix (ls_scene_get (scene, i)->text, "Measured"))
          {
            last = ls_scene_get (scene, i)->text;
            captions++;
          }
      g_assert_cmpuint (captions, ==, 1);
      if (g_str_has_prefix (last, "Measured beside other programs") != (at < 3))
        g_error ("with other programs beside result %u (of 0 to 2) it says “%s”", at, last);
      ls_scene_free (scene);
    }
}

/* Each number beside the plot has a line across, from the plot's left end to its right one, and each below it
 * a stroke under the foot. */
static void
test_lines (void)
{
  g_autoptr (LsLabResult) result = new_result (&ls_experiment_batch);
  g_autoptr (LsFonts) fonts = ls_fonts_new_stretched (1);
  const LsItem *foot = NULL;
  guint numbers = 0, across = 0, sizes = 0, strokes = 0;
  LsScene *scene;
  LsStyle style;

  for (guint i = 0; i < 5; i++)
    add_point (result, 0, pow (4, i), 500 * pow (7, i), 0);
  scene = drawn (result, fonts, &style);
  for (guint i = 0; i < scene->items->len; i++)
    {
      const LsItem *item = ls_scene_get (scene, i);
      if (item->kind == LS_ITEM_LINE && item->ink == LS_INK_QUIET && item->n_points == 2
          && at (scene, item, 0, TRUE) == at (scene, item, 1, TRUE))
        foot = item;
    }
  if (foot == NULL)
    g_error ("the plot has no foot");
  const double left = at (scene, foot, 0, FALSE), right = at (scene, foot, 1, FALSE),
               bottom = at (scene, foot, 0, TRUE);
  g_assert_cmpfloat (right - left, >, 400);
  for (guint i = 0; i < scene->items->len; i++)
    {
      const LsItem *item = ls_scene_get (scene, i);
      if (item->kind == LS_ITEM_LINE && item->ink == LS_INK_HAIRLINE)
        {
          g_assert_cmpuint (item->n_points, ==, 2);
          if (at (scene, item, 0, FALSE) != left || at (scene, item, 1, FALSE) != right
              || at (scene, item, 0, TRUE) != at (scene, item, 1, TRUE))
            g_error ("a line across goes from %g to %g px, the foot from %g to %g",
                     at (scene, item, 0, FALSE), at (scene, item, 1, FALSE), left, right);
          g_assert_cmpfloat (at (scene, item, 0, TRUE), <, bottom);
          across++;
        }
      if (item->kind == LS_ITEM_LINE && item->ink == LS_INK_QUIET && item != foot)
        {
          g_assert_cmpfloat (at (scene, item, 0, FALSE), ==, at (scene, item, 1, FALSE));
          g_assert_cmpfloat (at (scene, item, 0, TRUE), ==, bottom);
          g_assert_cmpfloat (at (scene, item, 1, TRUE), ==, bottom + 4);
          strokes++;
        }
      if (item->kind != LS_ITEM_TEXT || item->ink != LS_INK_QUIET)
        continue;
      /* a text is written right after its line */
      const LsItem *line = i > 0 ? ls_scene_get (scene, i - 1) : item;
      if (item->align == LS_RIGHT && fabs (ls_item_right (item) - left + 8) < .5)
        {
          g_assert_cmpint (line->kind, ==, LS_ITEM_LINE);
          g_assert_cmpfloat_with_epsilon (at (scene, line, 0, TRUE),
                                          (double) item->y - .36 * (double) item->type.px, .1);
          numbers++;
        }
      else if (item->align == LS_CENTER && line->kind == LS_ITEM_LINE && (double) item->y > bottom)
        {
          g_assert_cmpfloat_with_epsilon (at (scene, line, 0, FALSE),
                                          ((double) item->x + ls_item_right (item)) / 2, .1);
          sizes++;
        }
    }
  if (numbers < 3 || across != numbers || sizes < 3 || strokes != sizes)
    g_error ("%u numbers stand beside %u lines, %u under %u strokes", numbers, across, sizes, strokes);
  ls_scene_free (scene);
}

/* What is told below the title is as wide as the picture lets it be. */
static void
test_told (void)
{
  g_autoptr (LsFonts) fonts = ls_fonts_new (NULL);
  guint several = 0;

  for (double width = 300; width <= 900; width += 50)
    {
      g_autoptr (LsLabResult) result = new_result (&ls_experiment_batch);
      const LsItem *title = NULL;
      LsStyle style;
      double widest = 0;
      guint lines = 0;

      for (guint x = 1; x <= 64; x *= 4)
        add_point (result, 0, x, 1000 * x, 0);
      ls_style_init (&style, LS_LOOK_LIGHT, 1);
      LsScene *scene = ls_growth_scene_sized (result, &style, fonts, width, 600);
      for (guint i = 0; i < scene->items->len; i++)
        {
          const LsItem *item = ls_scene_get (scene, i);
          if (item->kind != LS_ITEM_TEXT)
            continue;
          if (title == NULL && strcmp (item->text, result->experiment->title) == 0)
            title = item;
          else if (title != NULL && item->ink == LS_INK_QUIET && item->x == title->x
                   && item->y < title->y + 200)
            {
              lines++;
              widest = MAX (widest, ls_item_right (item) - (double) item->x);
            }
        }
      if (lines > 1 && widest < width / 2)
        g_error ("%g px: what is told takes %u lines of at most %.0f px", width, lines, widest);
      several += lines > 1;
      ls_scene_free (scene);
    }
  g_assert_cmpuint (several, >, 0);
}

/* Below the plot, line by line down to the margin: the lanes' devices where the plot keeps half of the
 * height, what the figures are, and where they were measured. */
static void
test_foot (void)
{
  g_autoptr (LsFonts) fonts = ls_fonts_new (NULL);
  guint with = 0, without = 0;

  for (double height = 240; height <= 900; height += 30)
    {
      g_autoptr (LsLabResult) result = new_result (&ls_experiment_batch);
      double lowest = 0, before = 0, axis = 0, first = HUGE_VAL, line = 0;
      guint lines = 0, devices = 0;
      LsMetrics m;
      LsStyle style;

      for (guint x = 1; x <= 64; x *= 4)
        add_point (result, 0, x, 1000 * x, 0);
      for (guint lane = 0; lane < 2; lane++)
        {
          g_free (result->devices[lane]);
          result->devices[lane] = g_strdup_printf ("Device %u", lane);
        }
      ls_style_init (&style, LS_LOOK_LIGHT, 1);
      LsScene *scene = ls_growth_scene_sized (result, &style, fonts, 900, height);
      ls_metrics_init (&m, &style, 1280, MAX (height, 800));
      line = 1.5 * m.label.px;
      for (guint i = 0; i < scene->items->len; i++)
        {
          const LsItem *item = ls_scene_get (scene, i);
          if (item->kind != LS_ITEM_TEXT)
            continue;
          devices += g_str_has_prefix (item->text, "Device ") || strcmp (item->text, "was not there") == 0;
          if (strcmp (item->text, result->experiment->axis) == 0)
            axis = (double) item->y;
          lowest = MAX (lowest, (double) item->y);
        }
      g_assert_true (axis > 0 && axis < lowest);
      for (guint i = 0; i < scene->items->len; i++)
        {
          const LsItem *item = ls_scene_get (scene, i);
          if (item->kind != LS_ITEM_TEXT || (double) item->y < axis + 4)
            continue;
          if (fabs ((double) item->y - before) > 1)
            lines++;
          before = (double) item->y;
          first = MIN (first, before);
        }
      if (devices != 0 && devices != 4)
        g_error ("%g px high: %u of 4 lanes' devices are told", height, devices);
      if (fabs (lowest - (height - m.margin - line + m.label.px)) > 1)
        g_error ("%g px high with %u devices: the last line stands at %.1f, not at %.1f", height, devices,
                 lowest, height - m.margin - line + m.label.px);
      if (fabs (lowest - first - (lines - 1) * line) > 1)
        g_error ("%g px high: %u lines from %.1f to %.1f", height, lines, first, lowest);
      /* there, and only there, where half of the height is left to the plot */
      const double rest = height - 2 * m.margin - 10 - (lines - devices) * line - 4 * line;
      if ((devices > 0) != (rest >= height / 2))
        g_error ("%g px high, of which the plot would keep %.0f: %u devices are told", height, rest, devices);
      with += devices > 0;
      without += devices == 0;
      ls_scene_free (scene);
    }
  g_assert_true (with > 3 && without > 3);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/growth-names/ends", test_ends);
  g_test_add_func ("/growth-names/plain", test_plain);
  g_test_add_func ("/growth-names/nothing", test_nothing);
  g_test_add_func ("/growth-names/lines", test_lines);
  g_test_add_func ("/growth-names/words", test_words);
  g_test_add_func ("/growth-names/told", test_told);
  g_test_add_func ("/growth-names/foot", test_foot);
  return g_test_run ();
}
