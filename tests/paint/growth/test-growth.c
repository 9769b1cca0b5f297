/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The picture of results: nothing outside or on top of each other, also with longer words; the same twice;
 * and a point is where its value is.
 */
#include <math.h>
#include <string.h>

#include "tests/paint/draw.h"
#include "tests/paint/places.h"
#include "ui/paint/growth/growth.h"

static void
add_point (LsLabResult *result, guint lane, double x, double rate, double spread)
{
  LsLabPoint p = { .x = x,
                   .rate = { rate, "samples/s", LS_EVIDENCE_MEASURED, 9, rate / spread, rate * spread } };

  if (result->experiment == &ls_experiment_events)
    p.plain = (LsFigure){ rate * 1.1, "samples/s", LS_EVIDENCE_MEASURED, 9, rate, rate * 1.2 };
  g_assert_true (ls_lab_result_add (result, lane, &p));
}

static void
set (char **text, const char *value)
{
  g_free (*text);
  *text = g_strdup (value);
}

static LsLabResult *
new_result (const LsExperiment *experiment, const char *lanes)
{
  g_autoptr (LsOptions) options = ls_options_new ();
  LsLabResult *result;

  g_assert_true (ls_options_set (options, ls_options_find ("lanes"), lanes, NULL));
  result = ls_lab_result_new (experiment, options, NULL);
  g_assert_nonnull (result);
  set (&result->machine,
       "AMD EPYC, 2 processors, of which 2 may be used; Debian GNU/Linux 12 (bookworm), Linux 6.1");
  set (&result->date, "2026-01-02");
  set (&result->program, "Lockstep 0.1.0");
  set (&result->devices[0], "AMD EPYC, CPU, 2 workers, OpenBLAS 0.3.21 (Cooperlake)");
  return result;
}

static GPtrArray *
new_results (void)
{
  return g_ptr_array_new_with_free_func ((GDestroyNotify) ls_lab_result_unref);
}

/* All experiments, both lanes, from 1 to 4096, ending close together. */
static GPtrArray *
full_results (void)
{
  GPtrArray *results = new_results ();
  guint n;
  const LsExperiment *const *all = ls_experiments_of_one_size (&n);

  for (guint i = 0; i < n; i++)
    {
      LsLabResult *result = new_result (all[i], "cpu,opencl");

      set (&result->devices[1],
           "pthread-skylake-avx512-AMD EPYC, the CPU as an OpenCL device, 2 workers, PoCL 3.1+debian");
      for (double x = 1; x <= 4096; x *= 2)
        {
          add_point (result, 0, x, 1000 * x, 1.1);
          add_point (result, 1, x, 1010 * x, 1.3);
        }
      g_ptr_array_add (results, result);
    }
  return results;
}

/* Eight lanes, of which most have long names, and all end close together. */
static GPtrArray *
crowd (void)
{
  GPtrArray *results = new_results ();
  LsLabResult *result = new_result (
    &ls_experiment_batch,
    "cpu,cpu(threads=1),cpu(policy=round-robin,threads=1),opencl,opencl(kernel=packed,fusion=off),"
    "opencl(kernel=naive),cpu(policy=dynamic),reference");

  for (guint lane = 0; lane < result->specs->len; lane++)
    for (double x = 1; x <= 4096; x *= 2)
      add_point (result, lane, x, (1000 + lane) * x, 1.1);
  g_ptr_array_add (results, result);
  return results;
}

static void
check (const GPtrArray *results, double stretch, LsLook look)
{
  g_autoptr (LsFonts) fonts = stretch > 1 ? ls_fonts_new_stretched (stretch) : ls_fonts_new (NULL);
  LsLayout layout = { 0 };

  ls_style_init (&layout.style, look, 1);
  ls_growth_size (results, &layout.width, &layout.height);
  layout.still = ls_growth_scene (results, &layout.style, fonts);
  layout.moving = ls_scene_new (fonts, &layout.style);
  assert_faultless (&layout);
  ls_scene_free (layout.still);
  ls_scene_free (layout.moving);
}

static LsScene *
sized (const LsLabResult *result, double w, double h, const LsStyle *style, LsFonts *fonts)
{
  return ls_growth_scene_sized (result, style, fonts, w, h);
}

/* The lanes' devices are told of, or there is no room for them; the caption always is. */
static gboolean
says (const LsScene *scene, const char *words)
{
  for (guint i = 0; i < scene->items->len; i++)
    {
      const LsItem *item = ls_scene_get (scene, i);
      if (item->kind == LS_ITEM_TEXT && strstr (item->text, words) != NULL)
        return TRUE;
    }
  return FALSE;
}

static void
check_sized (const LsLabResult *result, double stretch, LsLook look)
{
  static const double sizes[][2] = { { 400, 330 }, { 560, 400 }, { 900, 600 }, { 1600, 1000 } };
  g_autoptr (LsFonts) fonts = stretch > 1 ? ls_fonts_new_stretched (stretch) : ls_fonts_new (NULL);

  for (gsize i = 0; i < G_N_ELEMENTS (sizes); i++)
    {
      LsLayout layout = { .width = sizes[i][0], .height = sizes[i][1] };

      ls_style_init (&layout.style, look, 1);
      layout.still = sized (result, layout.width, layout.height, &layout.style, fonts);
      layout.moving = ls_scene_new (fonts, &layout.style);
      g_test_message ("%s of %u lanes, %.0f × %.0f", result->experiment->name, result->specs->len,
                      layout.width, layout.height);
      assert_faultless (&layout);
      g_assert_true (says (layout.still, "Measured"));
      g_assert_true (says (layout.still, "2026-01-02"));
      g_assert_true (says (layout.still, "6.1"));
      if (layout.width > 800 && stretch <= 1)
        g_assert_true (says (layout.still, "OpenBLAS"));
      for (guint k = 0; k < layout.still->items->len; k++)
        if (ls_scene_get (layout.still, k)->kind == LS_ITEM_TEXT)
          g_assert_cmpfloat (ls_scene_get (layout.still, k)->type.px, >=, 14);
      ls_scene_free (layout.still);
      ls_scene_free (layout.moving);
    }
}

static void
test_sized (void)
{
  static const LsLook looks[] = { LS_LOOK_LIGHT, LS_LOOK_DARK };
  g_autoptr (GPtrArray) full = full_results (), many = crowd ();
  g_autoptr (LsLabResult) flat = new_result (&ls_experiment_batch, "cpu,opencl");

  flat->busy = TRUE;
  for (gsize i = 0; i < G_N_ELEMENTS (looks); i++)
    for (double stretch = 1; stretch < 1.5; stretch += .4)
      {
        for (guint k = 0; k < full->len; k++)
          check_sized (full->pdata[k], stretch, looks[i]);
        check_sized (many->pdata[0], stretch, looks[i]);
        check_sized (flat, stretch, looks[i]);
      }
}

static void
test_described (void)
{
  g_autoptr (LsLabResult) result = new_result (&ls_experiment_batch, "cpu,opencl");
  g_autofree char *none = ls_growth_describe (result), *some = NULL;

  g_assert_nonnull (strstr (none, "OpenCL: not measured."));
  for (double x = 1; x <= 4096; x *= 4)
    add_point (result, 0, x, 1000 * x, 1);
  add_point (result, 1, 8, 2345678, 1);
  some = ls_growth_describe (result);
  g_test_message ("%s", some);
  g_assert_nonnull (strstr (some, "Batch: samples per second by samples in a step."));
  g_assert_nonnull (strstr (some, "CPU: from 1.00\u00a0k at 1 to 4.10\u00a0M at 4"));
  g_assert_nonnull (strstr (some, "2.35\u00a0M at 8."));
  add_point (result, 1, 16, 3456789, 1);
  g_autofree char *two = ls_growth_describe (result);
  g_assert_nonnull (strstr (two, "OpenCL: from 2.35\u00a0M at 8 to 3.46\u00a0M at 16."));
  g_assert_nonnull (strstr (some, "Measured"));
  g_assert_nonnull (strstr (some, "Linux 6.1"));
}

/* What isn't measured in samples says in what. */
static void
test_unit (void)
{
  g_autoptr (LsLabResult) size = new_result (&ls_experiment_size, "cpu");
  g_autofree char *words = ls_growth_describe (size);
  g_autoptr (GPtrArray) results = new_results ();
  g_autoptr (LsFonts) fonts = ls_fonts_new (NULL);
  LsStyle style;
  LsScene *scene;

  ls_style_init (&style, LS_LOOK_LIGHT, 1);
  g_assert_nonnull (strstr (words, "Matrix size: GFLOP/s by rows and columns"));
  add_point (size, 0, 64, 100, 1);
  g_ptr_array_add (results, g_steal_pointer (&size));
  scene = ls_growth_scene (results, &style, fonts);
  g_assert_true (says (scene, "GFLOP/s; n×n · n×n"));
  g_assert_false (says (scene, "samples per second"));
  ls_scene_free (scene);
}

static void
test_faultless (void)
{
  static const LsLook looks[] = { LS_LOOK_LIGHT, LS_LOOK_DARK, LS_LOOK_PRINT };
  g_autoptr (GPtrArray) full = full_results (), empty = new_results (), one = new_results (),
                        flat = new_results (), many = crowd ();
  LsLabResult *result = new_result (&ls_experiment_threads, "cpu,opencl");

  add_point (result, 1, 2, 5, 1);
  g_ptr_array_add (one, result);
  g_ptr_array_add (flat, new_result (&ls_experiment_batch, "cpu,opencl"));
  for (gsize i = 0; i < G_N_ELEMENTS (looks); i++)
    {
      check (full, 1, looks[i]);
      check (empty, 1, looks[i]);
      check (one, 1, looks[i]);
      check (flat, 1, looks[i]);
      check (many, 1, looks[i]);
    }
  check (full, 1.4, LS_LOOK_LIGHT);
  check (one, 1.4, LS_LOOK_LIGHT);
  check (many, 1.4, LS_LOOK_LIGHT);
}

static LsScene *
scene_of (const GPtrArray *results, LsStyle *style, LsFonts *fonts)
{
  ls_style_init (style, LS_LOOK_LIGHT, 1);
  return ls_growth_scene (results, style, fonts);
}

static void
test_pure (void)
{
  g_autoptr (GPtrArray) results = full_results ();
  g_autoptr (LsFonts) fonts = ls_fonts_new (NULL);
  LsStyle style;
  LsScene *a = scene_of (results, &style, fonts), *b = scene_of (results, &style, fonts), *c;
  g_autofree char *first = dump_scene (a), *second = dump_scene (b), *third = NULL;

  g_assert_true (g_str_equal (first, second)); /* too long to be printed */
  g_array_index (((LsLabResult *) results->pdata[0])->points[1], LsLabPoint, 12).rate.value *= 1.5;
  c = scene_of (results, &style, fonts);
  third = dump_scene (c);
  g_assert_false (g_str_equal (first, third));
  ls_scene_free (a);
  ls_scene_free (b);
  ls_scene_free (c);
}

/* Ten times as much is as far apart everywhere, and more is higher. */
static void
test_logarithmic (void)
{
  g_autoptr (GPtrArray) results = new_results ();
  g_autoptr (LsFonts) fonts = ls_fonts_new (NULL);
  LsLabResult *result = new_result (&ls_experiment_batch, "cpu,opencl");
  LsStyle style;
  LsScene *scene;
  const float *at = NULL;

  for (double x = 1; x <= 100; x *= 10)
    add_point (result, 0, x, 10 * x, 1);
  g_ptr_array_add (results, result);
  scene = scene_of (results, &style, fonts);
  for (guint i = 0; i < scene->items->len; i++)
    {
      const LsItem *item = ls_scene_get (scene, i);
      if (item->kind == LS_ITEM_DOTS && item->n_points == 3)
        at = &g_array_index (scene->points, float, 2 * item->points);
    }
  g_assert_nonnull (at);
  g_assert_true (fabsf ((at[2] - at[0]) - (at[4] - at[2])) < .1f);
  g_assert_true (fabsf ((at[3] - at[1]) - (at[5] - at[3])) < .1f);
  g_assert_true (at[2] > at[0] && at[3] < at[1]);
  ls_scene_free (scene);
}

/* By the numbers at the axes each dot is its point, and the band goes from quartile to quartile: none is
 * beyond the axes. */
static void
test_places (void)
{
  static const double rates[] = { 123, 4567, 89012, 3456789 };
  g_autoptr (GPtrArray) results = new_results ();
  g_autoptr (LsFonts) fonts = ls_fonts_new (NULL);
  LsLabResult *result = new_result (&ls_experiment_batch, "cpu");
  LsScale x = { .log = TRUE }, y = { .log = TRUE };
  LsStyle style;
  LsScene *scene;
  guint dots = 0, bands = 0;
  double left = 0;

  for (guint i = 0; i < G_N_ELEMENTS (rates); i++)
    add_point (result, 0, pow (8, i), rates[i], 9); /* from a ninth to nine times as much */
  g_ptr_array_add (results, result);
  scene = scene_of (results, &style, fonts);
  for (guint i = 0; i < scene->items->len; i++)
    {
      const LsItem *item = ls_scene_get (scene, i);
      double value;

      if (item->kind != LS_ITEM_TEXT || item->ink != LS_INK_QUIET || !ls_scale_number (item->text, &value))
        continue;
      if (item->align == LS_RIGHT && (left <= 0 || fabs (ls_item_right (item) - left) < .5))
        {
          left = ls_item_right (item);
          ls_scale_add (&y, item->text, value, ls_text_middle (item));
        }
      else if (item->align == LS_CENTER)
        ls_scale_add (&x, item->text, value, (double) (item->x + item->w / 2));
    }
  g_assert_cmpuint (x.n, >=, 2);
  g_assert_cmpuint (y.n, >=, 2);
  g_assert_cmpstr (ls_scale_learn (&x, "sizes"), ==, NULL);
  g_assert_cmpstr (ls_scale_learn (&y, "rates"), ==, NULL);
  for (guint i = 0; i < scene->items->len; i++)
    {
      const LsItem *item = ls_scene_get (scene, i);
      const float *at = &g_array_index (scene->points, float, 2 * item->points);
      const guint n = G_N_ELEMENTS (rates);

      dots += item->kind == LS_ITEM_DOTS && item->n_points == n;
      bands += item->kind == LS_ITEM_AREA && item->n_points == 2 * n;
      for (guint k = 0; k < item->n_points
                        && ((item->kind == LS_ITEM_DOTS && item->n_points == n)
                            || (item->kind == LS_ITEM_AREA && item->n_points == 2 * n));
           k++)
        {
          const guint point = k < n ? k : 2 * n - 1 - k;
          const double rate = item->kind == LS_ITEM_DOTS ? rates[point]
                              : k < n                    ? rates[point] * 9
                                                         : rates[point] / 9;
          if (fabs (ls_scale_px (&y, rate) - (double) at[2 * k + 1]) > 1
              || fabs (ls_scale_px (&x, pow (8, point)) - (double) at[2 * k]) > 1)
            g_error ("by the axes %s is %.4g at %.3g, and should be %.4g at %.3g",
                     item->kind == LS_ITEM_DOTS ? "a dot" : "an end of the middle half",
                     ls_scale_value (&y, (double) at[2 * k + 1]), ls_scale_value (&x, (double) at[2 * k]),
                     rate, pow (8, point));
        }
    }
  g_assert_cmpuint (dots, ==, 1);
  g_assert_cmpuint (bands, ==, 1);
  ls_scene_free (scene);
}

/* Results of several days say so. */
static void
test_days (void)
{
  g_autoptr (GPtrArray) results = full_results ();
  g_autoptr (LsFonts) fonts = ls_fonts_new (NULL);
  g_autofree char *one = NULL, *several = NULL;
  LsStyle style;
  LsScene *a = scene_of (results, &style, fonts), *b;

  set (&((LsLabResult *) results->pdata[2])->date, "2025-12-31");
  b = scene_of (results, &style, fonts);
  one = dump_scene (a);
  several = dump_scene (b);
  g_assert_nonnull (strstr (one, "“Lockstep 0.1.0 · 2026-01-02”"));
  g_assert_nonnull (strstr (several, "“Lockstep 0.1.0 · 2025-12-31 … 2026-01-02”"));
  ls_scene_free (a);
  ls_scene_free (b);
}

/* Where the lowest line of words is that begins above so many pixels. */
static double
lowest_line (const LsScene *scene, double above)
{
  double lowest = 0;

  for (guint i = 0; i < scene->items->len; i++)
    {
      const LsItem *item = ls_scene_get (scene, i);
      if (item->kind == LS_ITEM_TEXT && (double) item->y < above)
        lowest = MAX (lowest, (double) item->y);
    }
  return lowest;
}

/* However many plots there are: the caption comes close under the last ones, and the picture ends with it. */
static void
test_foot (void)
{
  g_autoptr (GPtrArray) full = full_results (), results = new_results ();
  g_autoptr (LsFonts) fonts = ls_fonts_new (NULL);

  for (guint n = 0; n < full->len; n++)
    {
      LsStyle style;
      LsScene *scene;
      double width, height, machine, caption, plot;

      g_ptr_array_add (results, ls_lab_result_ref (full->pdata[n]));
      scene = scene_of (results, &style, fonts);
      ls_growth_size (results, &width, &height);
      machine = lowest_line (scene, height);
      caption = lowest_line (scene, machine);
      plot = lowest_line (scene, caption);
      gboolean told = FALSE;
      for (guint i = 0; i < scene->items->len; i++)
        told |= ls_scene_get (scene, i)->kind == LS_ITEM_TEXT
                && strcmp (ls_scene_get (scene, i)->text, ((const LsLabResult *) full->pdata[0])->machine)
                     == 0;
      if (!told)
        g_error ("of %u plots it isn’t said on which machine they were measured", n + 1);
      if (caption - plot > 3 * 14 || height - machine > 3 * 14) /* lines of 14 px */
        g_error ("of %u plots the last words are at %.0f px, the caption from %.0f to %.0f, and the picture "
                 "ends at %.0f",
                 n + 1, plot, caption, machine, height);
      ls_scene_free (scene);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/growth/faultless", test_faultless);
  g_test_add_func ("/growth/sized", test_sized);
  g_test_add_func ("/growth/described", test_described);
  g_test_add_func ("/growth/unit", test_unit);
  g_test_add_func ("/growth/pure", test_pure);
  g_test_add_func ("/growth/days", test_days);
  g_test_add_func ("/growth/logarithmic", test_logarithmic);
  g_test_add_func ("/growth/places", test_places);
  g_test_add_func ("/growth/foot", test_foot);
  return g_test_run ();
}
