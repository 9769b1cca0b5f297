/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How long the Timeline takes to zoom and pan through a recorded step of more than a million events, at
 * 1920×1080 on one core: the index and the first picture once, then 400 frames, each with its own layout and
 * the pixels that changed. Times are of the processor. bench-timeline [TILES PER OP]
 */
#include <stdlib.h>
#include <time.h>

#include "fixture.h"
#include "ui/paint/parts/raster.h"
#include "ui/paint/data/timeline_index.h"
#include "ui/paint/timeline/timeline_zoom.h"
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

static double
now_ms (void)
{
  struct timespec t;

  clock_gettime (CLOCK_THREAD_CPUTIME_ID, &t);
  return (double) t.tv_sec * 1e3 + (double) t.tv_nsec / 1e6;
}

static int
compare_cb (const void *a, const void *b)
{
  const double x = *(const double *) a, y = *(const double *) b;

  return (x > y) - (x < y);
}

static void
print (const char *name, const char *what, double *ms)
{
  qsort (ms, FRAMES, sizeof *ms, compare_cb);
  g_print ("%-38s %-8s p50 %6.2f  p95 %6.2f  max %6.2f ms\n", name, what, ms[FRAMES / 2],
           ms[FRAMES * 95 / 100], ms[FRAMES - 1]);
}

static void
draw_frame (LsViewData *data, const LsQuery *query, LsRaster *raster, LsFonts *fonts)
{
  g_autoptr (LsLayout) layout = NULL;
  LsStyle style;

  ls_style_init (&style, LS_LOOK_LIGHT, 1);
  layout = ls_layout_new (&ls_view_timeline, data, query, 1920, 1080, &style, fonts);
  ls_raster_update (raster, layout, 1);
}

static void
ride (const Ride *r, LsViewData *data, LsQuery *query, gint64 span_ns, LsRaster *raster, LsFonts *fonts)
{
  double layout_ms[FRAMES], paint_ms[FRAMES], all_ms[FRAMES];
  guint items = 0;
  LsStyle style;

  ls_style_init (&style, LS_LOOK_LIGHT, 1);
  if (r->pan < 0)
    ls_zoom_set (query, span_ns, span_ns / 2, span_ns);
  else if (r->pan > 0 && r->pan < .02)
    ls_zoom_set (query, span_ns, span_ns / 3, span_ns / 3 + span_ns / 270);
  for (guint i = 0; i < FRAMES; i++)
    {
      const double start = now_ms ();
      if (r->pan != 0)
        ls_zoom_pan (query, span_ns, r->pan);
      else
        ls_zoom_by (query, span_ns, r->at, r->by);
      g_autoptr (LsLayout) layout = ls_layout_new (&ls_view_timeline, data, query, 1920, 1080, &style, fonts);
      const double between = now_ms ();
      ls_raster_update (raster, layout, 1);
      layout_ms[i] = between - start;
      paint_ms[i] = now_ms () - between;
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
  const LsFixture f = { .batch = 512,
                        .workers = 8,
                        .tiles = tiles,
                        .groups = tiles,
                        .known = LS_KNOWN_THREADS,
                        .units = 8,
                        .on_cpu = TRUE,
                        .stealing = TRUE,
                        .steps = 1000,
                        .queue = TRUE };
  g_autoptr (LsRecording) recording = ls_fixture_recording (&f);
  g_autoptr (LsFonts) fonts = ls_fonts_new ("Sans");
  g_autoptr (LsRaster) raster = ls_raster_new ();
  LsQuery query = LS_QUERY_INIT;
  gint64 span_ns = 0;
  double start = now_ms ();
  g_autoptr (LsViewData) data = ls_view_data_from_recording (recording);

  g_print ("%u + %u events; the step's index %.0f ms\n", recording->lanes[0].events->len,
           recording->lanes[1].events->len, now_ms () - start);
  start = now_ms ();
  for (guint side = 0; side < LS_SIDES; side++)
    {
      ls_time_index_of (data->sides[side].index);
      span_ns = MAX (span_ns, data->sides[side].index->length_ns);
    }
  g_print ("rows of time, made once: %.0f ms\n", now_ms () - start);
  start = now_ms ();
  draw_frame (data, &query, raster, fonts);
  g_print ("the first picture, with its fonts: %.0f ms\n", now_ms () - start);
  for (guint i = g_getenv ("RIDE") ? (guint) atoi (g_getenv ("RIDE")) : 0; i < G_N_ELEMENTS (rides); i++)
    ride (&rides[i], data, &query, span_ns, raster, fonts);
  return 0;
}
