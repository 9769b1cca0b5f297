/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What is published of a device beside its measured roofs: dotted and marked as such, with the shares that
 * were measured of it; and nothing where the catalogue doesn't know the device, or nothing was measured.
 */
#include "tests/paint/draw.h"
#include "tests/paint/fixture.h"
#include "tests/paint/said.h"
#include "tests/plain.h"

#include <math.h>
#include <glib/gstdio.h>

#include "ui/paint/roofline/roofline.h"
#include "ui/paint/views.h"

#define RATE(tflops, means)                                                                                  \
  "{\"what\": \"compute\", \"numbers\": \"fp32\", \"value\": " tflops                                        \
  ", \"unit\": \"TFLOP/s\", \"means\": [\"dense\", \"" means "\"], \"source\": \"page\", \"quote\": \"so\"}"
#define BANDWIDTH                                                                                            \
  "{\"what\": \"bandwidth\", \"value\": 3000, \"unit\": \"GB/s\", \"source\": \"page\", \"quote\": \"so\"}"

static void
set_device (LsRecording *recording, guint lane, const char *name, gint cores, gint64 memory)
{
  LsDeviceInfo *device = recording->lanes[lane].device;

  g_free (device->name);
  device->name = g_strdup (name);
  device->threads = 2 * cores; /* two on each */
  device->numbers[LS_DEVICE_CORES] = cores;
  device->global_mem = memory;
}

static void
set_roofs (LsRecording *recording, guint lane, double flops, double memory)
{
  const double values[] = { flops, memory };

  for (guint i = 0; i < G_N_ELEMENTS (values); i++)
    recording->lanes[lane].device->roofs[i] = (LsFigure){ .value = values[i],
                                                          .q1 = values[i],
                                                          .q3 = values[i],
                                                          .n = 7,
                                                          .unit = ls_roof_unit ((LsRoof) i),
                                                          .evidence = LS_EVIDENCE_MEASURED };
}

/* An i9-9900K, of which cores and clock are published, and an A100. */
static LsViewData *
make (LsRecording **recording)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (LsCatalogue) catalogue = ls_catalogue_load (NULL, &error);
  const LsViewBeside beside = { .catalogue = catalogue };

  g_assert_no_error (error);
  *recording = ls_fixture_recording (&ls_fixture_cores);
  set_device (*recording, 0, "Intel(R) Core(TM) i9-9900K CPU @ 3.60GHz", 8, G_GINT64_CONSTANT (32) << 30);
  set_device (*recording, 1, "NVIDIA A100-SXM4-40GB", -1, G_GINT64_CONSTANT (42405855232));
  set_roofs (*recording, 0, 460.8e9, 30e9);
  set_roofs (*recording, 1, 15.6e12, 1244e9);
  return ls_view_data_from_recording (*recording, &beside);
}

static LsLayout *
draw (LsViewData *data)
{
  LsQuery query = LS_QUERY_INIT;

  return draw_view (&ls_view_roofline, data, &query, LS_LOOK_LIGHT, 1920, 1080);
}

static void
test_words (void)
{
  static const struct {
    const char *words;
    LsEvidence evidence;
  } texts[] = {
    { "derived from what is published of the Intel Core i9-9900K: 922 GFLOP/s", LS_EVIDENCE_DERIVED },
    { "measured: 50 %", LS_EVIDENCE_DERIVED },
    { "published: 19\u2009500 GFLOP/s, memory 1\u2009560 GB/s", LS_EVIDENCE_PUBLISHED },
    { "measured: 80 % and 80 %", LS_EVIDENCE_DERIVED },
  };
  g_autoptr (LsRecording) recording = NULL;
  g_autoptr (LsViewData) data = make (&recording);
  g_autoptr (LsLayout) layout = draw (data);

  for (gsize i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      const LsItem *item = find_text (layout->still, texts[i].words);

      if (item == NULL)
        {
          g_autofree char *all = all_texts (layout->still, "\n");
          g_error ("“%s” isn't in the picture:\n%s", texts[i].words, all);
        }
      g_autofree char *words = plain (g_strdup (item->text));
      g_assert_cmpint (mark_before (layout->still, words), ==, (gint) texts[i].evidence);
    }
}

/* Other dots are those of curves. */
static gboolean
is_dotted (const LsItem *item)
{
  return item->kind == LS_ITEM_DOTS && item->ink == LS_INK_QUIET;
}

/* Of the processor no bandwidth is published. Both lanes' plots stay on one height. */
static void
test_lines (void)
{
  g_autoptr (LsRecording) recording = NULL;
  g_autoptr (LsViewData) data = make (&recording);
  g_autoptr (LsLayout) layout = draw (data);
  const LsScene *s = layout->still;
  guint dotted = 0, compared = 0;

  for (guint i = 0; i < s->items->len; i++)
    {
      const LsItem *item = ls_scene_get (s, i);
      float top = HUGE_VALF;

      if (!is_dotted (item))
        continue;
      for (guint k = 0; k < item->n_points; k++)
        {
          top = MIN (top, g_array_index (s->points, float, 2 * (item->points + k) + 1));
          g_assert_cmpfloat (g_array_index (s->points, float, 2 * (item->points + k)), <=, layout->width);
        }
      g_assert_cmpfloat (top, >, 0);
      dotted++;
    }
  g_assert_cmpuint (dotted, ==, 3); /* the processor's rate, the card's rate and memory */
  for (guint i = 0; i < s->items->len; i++)
    for (guint k = 0; k < i && ls_scene_get (s, i)->kind == LS_ITEM_TEXT; k++)
      if (ls_scene_get (s, k)->kind == LS_ITEM_TEXT && g_str_equal (ls_scene_get (s, i)->text, "GFLOP/s")
          && g_str_equal (ls_scene_get (s, k)->text, "GFLOP/s"))
        {
          g_assert_cmpfloat (ls_scene_get (s, i)->y, ==, ls_scene_get (s, k)->y);
          compared++;
        }
  g_assert_cmpuint (compared, ==, 1);
}

/* In a narrow window the shares alone are told. */
static void
test_narrow (void)
{
  g_autoptr (LsRecording) recording = NULL;
  g_autoptr (LsViewData) data = make (&recording);
  LsQuery query = LS_QUERY_INIT;
  g_autoptr (LsLayout) layout = draw_view (&ls_view_roofline, data, &query, LS_LOOK_LIGHT, 960, 640);

  g_assert_nonnull (find_text (layout->still, "measured: 80 % and 80 % of what is published"));
}

static void
assert_nothing (LsViewData *data)
{
  g_autoptr (LsLayout) layout = draw (data);

  g_assert_null (find_text (layout->still, "published"));
  for (guint i = 0; i < layout->still->items->len; i++)
    g_assert_false (is_dotted (ls_scene_get (layout->still, i)));
}

static void
test_unknown (void)
{
  g_autoptr (LsRecording) recording = NULL;
  g_autoptr (LsViewData) data = make (&recording), without = ls_view_data_from_recording (recording, NULL);

  LsViewLane unrecorded = data->sides[0];
  unrecorded.recorded = NULL;
  g_assert_nonnull (ls_view_data_published (data, &data->sides[0]));
  g_assert_null (ls_view_data_published (data, &unrecorded)); /* of which no step is there yet */
  unrecorded.there = FALSE;
  g_assert_null (ls_view_data_published (data, &unrecorded));
  assert_nothing (without);                                                     /* no catalogue */
  set_device (recording, 0, "Intel(R) Core(TM) i9-9900K CPU @ 3.60GHz", 4, -1); /* eight threads, but half its
                                                                                   cores */
  set_device (recording, 1, "NVIDIA A100-SXM4-40GB", -1, G_GINT64_CONSTANT (20) << 30); /* a part of one */
  assert_nothing (data);
  set_device (recording, 1, "NVIDIA A100-SXM4-40GB", -1, -1);
  recording->lanes[1].device->roofs[LS_ROOF_FLOPS].n = 0;
  assert_nothing (data);
}

/* For those who hear it: what is published, and the shares of it that were measured; of a peak that follows
 * from cores and clock that it is derived. */
static void
test_heard (void)
{
  static const struct {
    double flops, memory; /* published; 0: it isn't. Measured were 300 GFLOP/s and 90 GB/s. */
    LsEvidence evidence;
    const char *words;
  } rows[] = {
    { 400e9, 120e9, LS_EVIDENCE_PUBLISHED,
      " Published of the Test: 400 GFLOP/s, memory 120 GB/s; measured: 75 % and 75 % of it." },
    { 600e9, 100e9, LS_EVIDENCE_DERIVED,
      " Derived from what is published of the Test: 600 GFLOP/s, memory 100 GB/s; measured: 50 % and 90 % of "
      "it." },
    { 600e9, 0, LS_EVIDENCE_PUBLISHED, " Published of the Test: 600 GFLOP/s; measured: 50 % of it." },
    { 0, 100e9, LS_EVIDENCE_DERIVED, " Published of the Test: memory 100 GB/s; measured: 90 % of it." },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      LsRoofPlot plot = { .roofs = { .flops = 300e9, .memory = 90e9 } };

      plot.published.name = "Test";
      plot.published.flops
        = (LsFigure){ .value = rows[i].flops, .n = rows[i].flops > 0, .evidence = rows[i].evidence };
      plot.published.memory
        = (LsFigure){ .value = rows[i].memory, .n = rows[i].memory > 0, .evidence = LS_EVIDENCE_PUBLISHED };
      assert_said (ls_roof_published_words (&plot), rows[i].words);
    }
}

/* A peak that follows from cores and clock is derived, though the memory’s bandwidth beside it is published.
 */
static void
test_half_derived (void)
{
  g_autoptr (LsRecording) recording = NULL;
  g_autoptr (LsViewData) data = make (&recording);
  g_autoptr (LsLayout) layout = draw (data);
  const LsRoofPlot plot
    = { .layout = layout,
        .area = { 10, 10, 1500, 800 },
        .roofs = { .flops = 100e9, .memory = 10e9 },
        .published = { .flops = { .value = 200e9, .n = 1, .evidence = LS_EVIDENCE_DERIVED },
                       .memory = { .value = 40e9, .n = 1, .evidence = LS_EVIDENCE_PUBLISHED },
                       .name = "Half" } };

  ls_scene_clear (layout->still);
  ls_roof_published_tell (&plot, 100);
  g_assert_cmpint (
    mark_before (layout->still, "derived from what is published of the Half: 200 GFLOP/s, memory"), ==,
    LS_EVIDENCE_DERIVED);
  g_assert_cmpint (mark_before (layout->still, "measured: 50 % and 25 %"), ==, LS_EVIDENCE_DERIVED);
}

/* The rate of ordinary cores, as the measured roof is theirs, though the device's other units have a higher
 * one; where only such a one is published, that. */
static void
test_cores (void)
{
  static const struct {
    const char *figures;
    double flops, memory; /* 0: none is shown */
  } cases[] = {
    { RATE ("90", "matrix") "," RATE ("45", "vector") "," BANDWIDTH, 45e12, 3e12 },
    { RATE ("45", "vector") "," RATE ("90", "matrix"), 45e12, 0 },
    { RATE ("90", "matrix") "," BANDWIDTH, 90e12, 3e12 },
    { BANDWIDTH, 0, 3e12 },
  };
  g_autoptr (LsRecording) recording = NULL;
  g_autoptr (LsViewData) data = make (&recording);
  g_autoptr (GError) error = NULL;
  g_autofree char *path = NULL;
  const gint file = g_file_open_tmp ("two-rates-XXXXXX.json", &path, &error);

  g_assert_no_error (error);
  g_close (file, NULL);
  set_device (recording, 1, "Two Rates", -1, -1);
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *text = g_strdup_printf (
        "{\"format\": \"lockstep-hardware\", \"version\": 1, \"sources\": {\"page\": {\"title\": \"A page\", "
        "\"address\": \"https://example.org/\", "
        "\"seen\": \"2026-11-23\"}}, \"devices\": [{\"name\": \"Test Two Rates\", \"sort\": \"gpu\", "
        "\"known_as\": [\"Two Rates\"], \"figures\": [%s]}]}",
        cases[i].figures);
      LsRoofsPublished published;

      g_file_set_contents (path, text, -1, &error);
      g_assert_no_error (error);
      g_clear_pointer (&data->catalogue, ls_catalogue_unref);
      data->catalogue = ls_catalogue_load (path, &error);
      g_assert_no_error (error);
      ls_roofline_published (data, &data->sides[1], &published);
      if (fabs (published.flops.value - cases[i].flops) > 1e6
          || fabs (published.memory.value - cases[i].memory) > 1e6)
        g_error ("of “%s” %g FLOP/s and %g B/s are shown, not %g and %g", cases[i].figures,
                 published.flops.value, published.memory.value, cases[i].flops, cases[i].memory);
      g_assert_cmpstr (published.name, ==, "Test Two Rates");
    }
  g_remove (path);
}

/* The dotted lines run neither through a word nor through a ring. */
static void
test_dots (void)
{
  guint dots = 0;

  for (double width = 1280; width <= 1920; width += 320)
    for (guint lower = 1; lower <= 16; lower *= 2)
      {
        g_autoptr (LsRecording) recording = NULL;
        g_autoptr (LsViewData) data = make (&recording);
        LsQuery query = LS_QUERY_INIT;

        set_roofs (recording, 0, 460.8e9 / lower, 30e9 / lower);
        set_roofs (recording, 1, 15.6e12 / lower, 1244e9 / lower);
        g_autoptr (LsLayout) layout = draw_view (&ls_view_roofline, data, &query, LS_LOOK_LIGHT, width,
                                                 width * 5 / 8);
        const LsScene *s = layout->still;
        for (guint i = 0; i < s->items->len; i++)
          {
            const LsItem *path = ls_scene_get (s, i);
            if (!is_dotted (path))
              continue;
            for (guint k = 0; k < path->n_points; k++)
              {
                const float *at = &g_array_index (s->points, float, 2 * (path->points + k));
                for (guint l = 0; l < s->items->len; l++)
                  {
                    const LsItem *item = ls_scene_get (s, l);
                    LsArea area;
                    if (item->kind == LS_ITEM_TEXT)
                      {
                        ls_item_bounds (s, item, &area.x, &area.y, &area.w, &area.h);
                        if (ls_area_has (area, (double) at[0], (double) at[1]))
                          g_error ("a dot is on “%s” at %g px", item->text, width);
                      }
                    for (guint r = 0; item->kind == LS_ITEM_RINGS && r < item->n_points; r++)
                      {
                        const float *ring = &g_array_index (s->points, float, 2 * (item->points + r));
                        if (hypot ((double) (ring[0] - at[0]), (double) (ring[1] - at[1]))
                            < (double) item->size / 2)
                          g_error ("a dot is in a ring at %g px", width);
                      }
                  }
                dots++;
              }
          }
      }
  g_assert_cmpuint (dots, >, 1000);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/roofline-published/words", test_words);
  g_test_add_func ("/roofline-published/lines", test_lines);
  g_test_add_func ("/roofline-published/narrow", test_narrow);
  g_test_add_func ("/roofline-published/unknown", test_unknown);
  g_test_add_func ("/roofline-published/heard", test_heard);
  g_test_add_func ("/roofline-published/half-derived", test_half_derived);
  g_test_add_func ("/roofline-published/cores", test_cores);
  g_test_add_func ("/paint/roofline-published/dots", test_dots);
  return g_test_run ();
}
