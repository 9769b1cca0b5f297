/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How long the Timeline takes to zoom and pan through a recorded step of more than a million events, at
 * 1920×1080 on one core: the index and the first picture once, then 400 frames, each with its own layout and
 * the pixels that changed. Times are of the processor. bench-timeline [TILES PER OP]
 */
#include "tests/paint/bench.h"
#include "tests/paint/draw.h"
#include "tests/paint/fixture.h"
#include "ui/paint/output/raster.h"
#include "ui/paint/data/timeline_index.h"
#include "ui/paint/parts/zoom.h"
#include "ui/paint/views.h"

#define FRAMES 400

typedef struct {
  const char *name;
  double at, by, pan; /* of each frame */
} Ride;

static const Ride rides[] = {
  { "zooming in on the middle", .5, 1.02, 0 },
  { "panning there", 0, 1, .02 },
  { "zooming out", .3, 1 / 1.02, 0 },
  { "panning with half of it in view", 0, 1, -.001 },
  { "panning where spans are 4 px wide", 0, 1, .01 },
};

static void
print (const char *name, const char *what, double *ms)
{
  const BenchSpread t = bench_spread (ms, FRAMES);

  g_print ("%-38s %-8s p50 %6.2f  p95 %6.2f  max %6.2f ms\n", name, what, t.p50, t.p95, t.max);
}

static void
ride (const Ride *r, LsViewData *data, LsQuery *query, gint64 span_ns, LsRaster *raster, LsFonts *fonts)
{
  double layout_ms[FRAMES], paint_ms[FRAMES], all_ms[FRAMES];
  guint items = 0;

  if (r->pan < 0)
    ls_zoom_set (query, span_ns, span_ns / 2, span_ns);
  else if (r->pan > 0 && r->pan < .02)
    ls_zoom_set (query, span_ns, span_ns / 3, span_ns / 3 + span_ns / 270);
  for (guint i = 0; i < FRAMES; i++)
    {
      const double start = bench_ms ();
      if (r->pan != 0)
        ls_zoom_pan (query, span_ns, r->pan);
      else
        ls_zoom_by (query, span_ns, r->at, r->by);
      g_autoptr (LsLayout) layout = draw_view_in (fonts, &ls_view_timeline, data, query, LS_LOOK_LIGHT, 1920,
                                                  1080);
      const double between = bench_ms ();
      ls_raster_update (raster, layout, 1);
      layout_ms[i] = between - start;
      paint_ms[i] = bench_ms () - between;
      all_ms[i] = layout_ms[i] + paint_ms[i];
      items = MAX (items, layout->still->items->len);
    }
  print (r->name, "layout", layout_ms);
  print (r->name, "paint", paint_ms);
  print (r->name, "frame", all_ms);
  g_print ("%-38s at most %u items, window %.3f %% of the step\n", r->name, items,
           100.0 * (double) (query->zoom1_ns - query->zoom0_ns) / (double) span_ns);
}

int
main (int argc, char **argv)
{
  const guint tiles = argc > 1 ? (guint) g_ascii_strtoull (argv[1], NULL, 10) : 30000;
  const LsFixture f = { LS_CORES (8),   .batch = 512,     .tiles = tiles, .groups = tiles,
                        .on_cpu = TRUE, .stealing = TRUE, .steps = 1000,  .queue = TRUE };
  g_autoptr (LsRecording) recording = ls_fixture_recording (&f);
  g_autoptr (LsFonts) fonts = ls_fonts_new ("Sans");
  g_autoptr (LsRaster) raster = ls_raster_new ();
  LsQuery query = LS_QUERY_INIT;
  gint64 span_ns = 0;
  double start = bench_ms ();
  g_autoptr (LsViewData) data = ls_view_data_from_recording (recording, NULL);

  g_print ("%u + %u events; the step's index %.0f ms\n", recording->lanes[0].events->len,
           recording->lanes[1].events->len, bench_ms () - start);
  start = bench_ms ();
  for (guint side = 0; side < LS_SIDES; side++)
    {
      ls_time_index_of (data->sides[side].index);
      span_ns = MAX (span_ns, data->sides[side].index->length_ns);
    }
  g_print ("rows of time, made once: %.0f ms\n", bench_ms () - start);
  start = bench_ms ();
  g_autoptr (LsLayout) first = draw_view_in (fonts, &ls_view_timeline, data, &query, LS_LOOK_LIGHT, 1920,
                                             1080);
  ls_raster_update (raster, first, 1);
  g_print ("the first picture, with its fonts: %.0f ms\n", bench_ms () - start);
  for (guint i = g_getenv ("RIDE") ? (guint) atoi (g_getenv ("RIDE")) : 0; i < G_N_ELEMENTS (rides); i++)
    ride (&rides[i], data, &query, span_ns, raster, fonts);
  return 0;
}
