/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The picture of a sweep: nothing outside or on top of each other, also with longer words; the same twice;
 * and a point is where its value is.
 */
#include <math.h>

#include "tests/paint/draw.h"
#include "ui/paint/growth/growth.h"

static void
add_point (LsSweep *sweep, guint lane, double x, double rate, double spread)
{
  LsSweepPoint p = { .x = x,
                     .rate = { rate, "samples/s", LS_EVIDENCE_MEASURED, 9, rate / spread, rate * spread } };

  if (sweep->kind == LS_SWEEP_EVENTS)
    p.plain = (LsFigure){ rate * 1.1, "samples/s", LS_EVIDENCE_MEASURED, 9, rate, rate * 1.2 };
  g_array_append_val (sweep->points[lane], p);
}

static LsSweepRun *
new_run (void)
{
  LsSweepRun *run = ls_sweep_run_new ();

  run->machine = g_strdup (
    "AMD EPYC, 2 processors, of which 2 may be used; Debian GNU/Linux 12 (bookworm), Linux 6.1");
  run->date = g_strdup ("2026-01-02");
  run->program = g_strdup ("Lockstep 0.1.0");
  run->devices[0] = g_strdup ("AMD EPYC, CPU, 2 workers, OpenBLAS 0.3.21 (Cooperlake)");
  return run;
}

/* All four kinds, both lanes, from 1 to 4096, ending close together. */
static LsSweepRun *
full_run (void)
{
  LsSweepRun *run = new_run ();

  for (guint kind = 0; kind < LS_SWEEP_N; kind++)
    {
      LsSweep *sweep = ls_sweep_new ((LsSweepKind) kind, "mlp 784-256-128-10, batch 128");
      for (double x = 1; x <= 4096; x *= 2)
        {
          add_point (sweep, 0, x, 1000 * x, 1.1);
          add_point (sweep, 1, x, 1010 * x, 1.3);
        }
      g_ptr_array_add (run->sweeps, sweep);
    }
  run->devices[1] = g_strdup (
    "pthread-skylake-avx512-AMD EPYC, the CPU as an OpenCL device, 2 workers, PoCL 3.1+debian");
  return run;
}

static void
check (const LsSweepRun *run, double stretch, LsLook look)
{
  g_autoptr (LsFonts) fonts = stretch > 1 ? ls_fonts_new_stretched (stretch) : ls_fonts_new (NULL);
  LsLayout layout = { 0 };

  ls_style_init (&layout.style, look, 1);
  ls_growth_size (run, &layout.width, &layout.height);
  layout.still = ls_growth_scene (run, &layout.style, fonts);
  layout.moving = ls_scene_new (fonts, &layout.style);
  assert_faultless (&layout);
  ls_scene_free (layout.still);
  ls_scene_free (layout.moving);
}

static void
test_faultless (void)
{
  static const LsLook looks[] = { LS_LOOK_LIGHT, LS_LOOK_DARK, LS_LOOK_PRINT };
  g_autoptr (LsSweepRun) full = full_run (), empty = new_run (), one = new_run (), flat = new_run ();
  LsSweep *sweep = ls_sweep_new (LS_SWEEP_THREADS, "mlp");

  add_point (sweep, 1, 2, 5, 1);
  g_ptr_array_add (one->sweeps, sweep);
  g_ptr_array_add (flat->sweeps, ls_sweep_new (LS_SWEEP_BATCH, "mlp"));
  for (gsize i = 0; i < G_N_ELEMENTS (looks); i++)
    {
      check (full, 1, looks[i]);
      check (empty, 1, looks[i]);
      check (one, 1, looks[i]);
      check (flat, 1, looks[i]);
    }
  check (full, 1.4, LS_LOOK_LIGHT);
  check (one, 1.4, LS_LOOK_LIGHT);
}

static LsScene *
scene_of (const LsSweepRun *run, LsStyle *style, LsFonts *fonts)
{
  ls_style_init (style, LS_LOOK_LIGHT, 1);
  return ls_growth_scene (run, style, fonts);
}

static void
test_pure (void)
{
  g_autoptr (LsSweepRun) run = full_run ();
  g_autoptr (LsFonts) fonts = ls_fonts_new (NULL);
  LsStyle style;
  LsScene *a = scene_of (run, &style, fonts), *b = scene_of (run, &style, fonts), *c;
  g_autofree char *first = dump_scene (a), *second = dump_scene (b), *third = NULL;

  g_assert_true (g_str_equal (first, second)); /* too long to be printed */
  g_array_index (((LsSweep *) run->sweeps->pdata[0])->points[1], LsSweepPoint, 12).rate.value *= 1.5;
  c = scene_of (run, &style, fonts);
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
  g_autoptr (LsSweepRun) run = new_run ();
  g_autoptr (LsFonts) fonts = ls_fonts_new (NULL);
  LsSweep *sweep = ls_sweep_new (LS_SWEEP_BATCH, "mlp");
  LsStyle style;
  LsScene *scene;
  const float *at = NULL;

  for (double x = 1; x <= 100; x *= 10)
    add_point (sweep, 0, x, 10 * x, 1);
  g_ptr_array_add (run->sweeps, sweep);
  scene = scene_of (run, &style, fonts);
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

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/growth/faultless", test_faultless);
  g_test_add_func ("/growth/pure", test_pure);
  g_test_add_func ("/growth/logarithmic", test_logarithmic);
  return g_test_run ();
}
