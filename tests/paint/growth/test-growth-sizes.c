/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The numbers below a result's plot, where few sizes were measured; and that it is said, to who can't see it
 * as well, whether other programs ran beside.
 */
#include <math.h>
#include <string.h>

#include "core/number.h"
#include "tests/paint/draw.h"
#include "tests/paint/said.h"
#include "ui/paint/growth/growth.h"

/* One size alone, or a few that are close together, have a number below the axis, at their place: round ones
 * where there are such between them, else their own. */
static void
test_few (void)
{
  static const struct {
    double sizes[3]; /* 0: none */
    const char *numbers[4], *lacks[3];
  } cases[] = {
    { { 64 }, { "64" }, { "50", "100" } },
    { { 3 }, { "3" }, { "2", "5" } },
    { { 1 }, { "1" }, { "2" } },
    { { 4096 }, { "4\u2009096" }, { "5\u2009000" } },
    { { 700, 760 }, { "700" }, { "500" } },
    { { 100 }, { "100" }, { NULL } },
    { { 96, 104 }, { "100" }, { "96", "104" } },
    { { 64, 256 }, { "100", "200" }, { "64", "256" } },
    { { 16, 64, 256 }, { "20", "50", "100", "200" }, { "16", "64", "256" } },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (LsOptions) options = ls_options_new ();
      g_autoptr (LsLabResult) result = ls_lab_result_new (&ls_experiment_batch, options, NULL);
      g_autoptr (LsFonts) fonts = ls_fonts_new (NULL);
      LsStyle style;

      for (guint k = 0; k < G_N_ELEMENTS (cases[i].sizes) && cases[i].sizes[k] > 0; k++)
        for (guint lane = 0; lane < 2; lane++)
          {
            const double rate = 1e4 * (1 + k + lane);
            const LsLabPoint point
              = { .x = cases[i].sizes[k],
                  .rate = { rate, "samples/s", LS_EVIDENCE_MEASURED, 9, rate * .9, rate * 1.1 } };
            g_assert_true (ls_lab_result_add (result, lane, &point));
          }
      ls_style_init (&style, LS_LOOK_LIGHT, 1);
      LsScene *s = ls_growth_scene_sized (result, &style, fonts, 900, 600);
      for (guint way = 0; way < 2; way++)
        for (guint k = 0; k < (way == 0 ? 4 : 3); k++)
          {
            const char *number = way == 0 ? cases[i].numbers[k] : cases[i].lacks[k];
            guint n = 0;
            for (guint j = 0; number != NULL && j < s->items->len; j++)
              {
                const LsItem *item = ls_scene_get (s, j);
                n += item->kind == LS_ITEM_TEXT && item->align == LS_CENTER
                     && strcmp (item->text, number) == 0;
              }
            if (number != NULL && n != (way == 0 ? 1 : 0))
              g_error ("from %g on %u sizes: below the axis stands %s %u times", cases[i].sizes[0],
                       result->points[0]->len, number, n);
          }
      ls_scene_free (s);
    }
}

static void
test_busy (void)
{
  static const char *const says[] = { "Measured: medians, middle half.",
                                      "Measured beside other programs: medians, middle half." };

  for (guint busy = 0; busy < 2; busy++)
    {
      g_autoptr (LsOptions) options = ls_options_new ();
      g_autoptr (LsLabResult) result = ls_lab_result_new (&ls_experiment_batch, options, NULL);
      const LsLabPoint point = { .x = 64,
                                 .rate = { 1e4, "samples/s", LS_EVIDENCE_MEASURED, 9, .9e4, 1.1e4 } };

      g_assert_true (ls_lab_result_add (result, 0, &point));
      result->busy = busy > 0;
      g_autofree char *words = ls_growth_describe (result);
      g_assert_cmpstr (ls_growth_caption (result->busy, TRUE), ==, says[busy]);
      if (strstr (words, says[busy]) == NULL || strstr (words, says[1 - busy]) != NULL)
        g_error ("of what was measured%s beside other programs isn't said “%s”, but: %s", busy ? "" : " not",
                 says[busy], words);
    }
}

/* Panels share the picture's width evenly, with the margin at its left between them, too, and rows of them
 * are below each other. */
static void
test_panels (void)
{
  static const LsExperiment *const experiments[] = { &ls_experiment_batch, &ls_experiment_threads,
                                                     &ls_experiment_width, &ls_experiment_events };
  gboolean several = FALSE;

  for (guint n = 1; n <= G_N_ELEMENTS (experiments); n++)
    {
      g_autoptr (LsOptions) options = ls_options_new ();
      g_autoptr (GPtrArray) results = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_lab_result_unref);
      g_autoptr (LsFonts) fonts = ls_fonts_new (NULL);
      double width, height, x[4], y[4];
      guint columns = 1;
      LsStyle style;

      for (guint i = 0; i < n; i++)
        g_ptr_array_add (results, ls_lab_result_new (experiments[i], options, NULL));
      ls_style_init (&style, LS_LOOK_LIGHT, 1);
      ls_growth_size (results, &width, &height);
      LsScene *s = ls_growth_scene (results, &style, fonts);
      const LsItem *head = find_text (s, "How rates grow");
      g_assert_nonnull (head);
      for (guint i = 0; i < n; i++)
        {
          const LsItem *title = find_text (s, experiments[i]->title);
          if (title == NULL)
            g_error ("“%s” isn’t there", experiments[i]->title);
          x[i] = (double) title->x;
          y[i] = (double) title->y;
          columns += i > 0 && y[i] == y[0];
        }
      several |= columns > 1;
      for (guint i = 0; i < n; i++)
        {
          const double left = (double) head->x, should = left + i % columns * (width - left) / columns;
          if (fabs (x[i] - should) > 1 || (i % columns == 0 && i > 0 && y[i] <= y[i - 1]))
            g_error ("of %u panels in %u columns, panel %u begins at %g, %g, not at %g", n, columns, i, x[i],
                     y[i], should);
        }
      ls_scene_free (s);
    }
  g_assert_true (several);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/growth-sizes/panels", test_panels);
  g_test_add_func ("/growth-sizes/few", test_few);
  g_test_add_func ("/growth-sizes/busy", test_busy);
  return g_test_run ();
}
