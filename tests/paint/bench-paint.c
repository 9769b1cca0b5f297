/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How long pictures take, at 1920×1080 on one core, with invented data: layout, the first painting, and what
 * a frame costs when only the time moved, when the heads have new numbers, when a step was trained, when the
 * pointer moved. Times are of the processor, so that what else runs disturbs little. After that how many
 * rectangles changed, at most in 95 of 100 frames: GTK repaints all that lies between where they are more
 * than 30. bench-paint [--json] [CASE]: those whose names begin so.
 */
#include <string.h>

#include "bench.h"
#include "draw.h"
#include "fixture.h"
#include "ui/paint/output/raster.h"
#include "ui/paint/views.h"

#define ROUNDS 200

typedef struct {
  const char *name, *view;
  LsFixture fixture;
  gint rung; /* of Tiles; 0: its own choice */
  gboolean cpu_side;
} Case;

#define DESK LS_DESK, .batch = 128, .steps = 1240

static const Case cases[] = {
  { "Partition, 64 tiles", "partition", { DESK, .stealing = TRUE } },
  { "Partition, 1024 tiles",
    "partition",
    { LS_CORES (8), .batch = 512, .tiles = 1024, .groups = 1024, .stealing = TRUE, .steps = 1240 } },
  { "Partition, 4096 tiles",
    "partition",
    { LS_CORES (24), .batch = 512, .tiles = 4096, .groups = 4096, .stealing = TRUE, .steps = 20000 } },
  { "Race", "race", { DESK, .stealing = TRUE } },
  { "Machines", "machines", { DESK } },
  { "Roofline", "roofline", { DESK } },
  { "Tiles", "tiles", { DESK } },
  { "Tiles, register", "tiles", { DESK }, .rung = 2 },
  { "Tiles, CPU", "tiles", { DESK }, .cpu_side = TRUE },
  { "Curves, 100 000 steps",
    "curves",
    { LS_CORES (2), .batch = 128, .tiles = 16, .groups = 16, .steps = 100000 } },
  { "Network", "network", { DESK, .stealing = TRUE, .values = TRUE } },
};

typedef struct {
  const Case *what;
  LsViewData *data;
  LsFonts *fonts;
  LsQuery query;
  LsTilesState tiles;
  LsLayout *layout;
  LsRaster *raster;
  gboolean json;
  guint printed;
} Bench;

/* The rectangles that the bricks changed in the newest update make together, as GTK counts them. */
static int
changed (const Bench *bench)
{
  cairo_region_t *region = cairo_region_create ();
  guint64 newest = 0;
  guint n = 0;
  const LsBrick *bricks = bench->raster != NULL ? ls_raster_bricks (bench->raster, &n) : NULL;
  int rectangles;

  for (guint i = 0; i < n; i++)
    newest = MAX (newest, bricks[i].serial);
  for (guint i = 0; i < n; i++)
    if (bricks[i].serial == newest)
      cairo_region_union_rectangle (region, &(cairo_rectangle_int_t){ (int) bricks[i].x, (int) bricks[i].y,
                                                                      (int) bricks[i].w, (int) bricks[i].h });
  rectangles = cairo_region_num_rectangles (region);
  cairo_region_destroy (region);
  return rectangles;
}

static void
print (Bench *bench, const char *what, double *ms, double *rectangles)
{
  const BenchSpread t = bench_spread (ms, ROUNDS), r = bench_spread (rectangles, ROUNDS);

  if (bench->json)
    g_print ("%s\n  {\"case\": \"%s\", \"what\": \"%s\", \"p50_ms\": %.3f, \"p95_ms\": %.3f, \"max_ms\": "
             "%.3f, \"rectangles_p95\": %.0f}",
             bench->printed++ > 0 ? "," : "[", bench->what->name, what, t.p50, t.p95, t.max, r.p95);
  else
    g_print ("%-24s %-28s p50 %7.2f  p95 %7.2f  max %7.2f ms  %3.0f\n", bench->what->name, what, t.p50, t.p95,
             t.max, r.p95);
}

static void
lay_out (Bench *bench)
{
  ls_layout_free (bench->layout);
  bench->layout = draw_view_in (bench->fonts, ls_view_find (bench->what->view), bench->data, &bench->query,
                                LS_LOOK_LIGHT, 1920, 1080);
}

static void
do_layout (Bench *bench, guint round)
{
  lay_out (bench);
}

static void
do_full (Bench *bench, guint round)
{
  g_clear_pointer (&bench->raster, ls_raster_free);
  bench->raster = ls_raster_new ();
  ls_raster_update (bench->raster, bench->layout, 1);
}

/* The op, or the step, played in 200 frames. */
static void
do_time (Bench *bench, guint round)
{
  bench->query.time_ns = bench->layout->span_ns * (gint64) (round + 1) / ROUNDS;
  ls_layout_move (bench->layout, &bench->query);
  ls_raster_update (bench->raster, bench->layout, 1);
}

static void
do_jump (Bench *bench, guint round)
{
  bench->query.time_ns = bench->layout->span_ns * (gint64) (round * 7919 % ROUNDS) / ROUNDS;
  ls_layout_move (bench->layout, &bench->query);
  ls_raster_update (bench->raster, bench->layout, 1);
}

static void
do_heads (Bench *bench, guint round)
{
  for (guint side = 0; side < LS_SIDES; side++)
    {
      LsViewLane *lane = &bench->data->sides[side];
      lane->loss.value *= .999;
      lane->rate.value *= 1.0003;
      lane->accuracy = .5 + round / 1000.0;
    }
  lay_out (bench);
  ls_raster_update (bench->raster, bench->layout, 1);
}

/* The curves grow by a step, too. */
static void
do_step (Bench *bench, guint round)
{
  for (guint side = 0; side < LS_SIDES; side++)
    bench->data->sides[side].steps = bench->what->fixture.steps - ROUNDS + round + 1;
  do_heads (bench, round);
}

/* Over the curves, whose values at the step are read out. */
static void
do_cursor (Bench *bench, guint round)
{
  bench->query.curves.cursor = 1 + (gint64) round * bench->what->fixture.steps / ROUNDS;
  ls_layout_move (bench->layout, &bench->query);
  ls_raster_update (bench->raster, bench->layout, 1);
}

static void
do_hover (Bench *bench, guint round)
{
  const LsStepIndex *index = bench->data->sides[round % 2].index;
  const LsOpTrace *op = &index->ops[bench->query.op];

  if (op->n > 0)
    bench->query.hover = (LsPick){ (gint) (round % 2), index->pieces[op->first + round * 37 % op->n] };
  ls_layout_move (bench->layout, &bench->query);
  ls_raster_update (bench->raster, bench->layout, 1);
}

static void
measure (Bench *bench, const char *what, void (*run) (Bench *, guint))
{
  double ms[ROUNDS], rectangles[ROUNDS];

  for (guint round = 0; round < ROUNDS; round++)
    {
      const double start = bench_ms ();
      run (bench, round);
      ms[round] = bench_ms () - start;
      rectangles[round] = changed (bench);
    }
  print (bench, what, ms, rectangles);
}

static void
run_case (Bench *bench)
{
  g_autoptr (LsRecording) recording = ls_fixture_recording (&bench->what->fixture);

  if (strcmp (bench->what->view, "tiles") == 0)
    ls_fixture_add_values (recording);
  bench->data = ls_view_data_from_recording (recording, NULL);
  bench->query = (LsQuery) LS_QUERY_INIT;
  bench->tiles = (LsTilesState) LS_TILES_STATE_INIT;
  bench->query.state = strcmp (bench->what->view, "tiles") == 0 ? &bench->tiles : NULL;
  bench->query.op = 1;
  bench->tiles.rung = bench->what->rung > 0 ? bench->what->rung : -1;
  bench->tiles.cpu_side = bench->what->cpu_side;
  measure (bench, "layout", do_layout);
  measure (bench, "everything painted", do_full);
  if (bench->layout->span_ns > 0)
    {
      measure (bench, "the time moved", do_time);
      measure (bench, "the time jumped", do_jump);
      bench->query.time_ns = bench->layout->span_ns / 2;
      measure (bench, "the pointer moved", do_hover);
      bench->query.hover = LS_PICK_NONE;
    }
  measure (bench, "the cursor moved", do_cursor);
  bench->query.curves.cursor = -1;
  measure (bench, "layout and new heads", do_heads);
  measure (bench, "layout, heads and curves", do_step);
  g_clear_pointer (&bench->layout, ls_layout_free);
  g_clear_pointer (&bench->raster, ls_raster_free);
  g_clear_pointer (&bench->data, ls_view_data_unref);
}

int
main (int argc, char **argv)
{
  Bench bench = { .json = argc > 1 && strcmp (argv[1], "--json") == 0 };

  bench.fonts = ls_fonts_new ("Sans");
  const char *only = argc > 1 && !bench.json ? argv[1] : argc > 2 ? argv[2] : "";
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      if (!g_str_has_prefix (cases[i].name, only))
        continue;
      bench.what = &cases[i];
      run_case (&bench);
    }
  if (bench.json)
    g_print ("\n]\n");
  ls_fonts_unref (bench.fonts);
  return 0;
}
