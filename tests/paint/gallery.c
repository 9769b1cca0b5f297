/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Draws views of test data, or of a recording, into a folder: for looking at them. Not run by the tests.
 *   gallery FOLDER [RECORDING|states [STATE]|lab|claims [ROW]]
 */
#include "config.h"

#include <glib/gi18n.h>
#include <locale.h>

#include "claim_rows.h"
#include "draw.h"
#include "lab_fixture.h"
#include "states.h"
#include "ui/paint/output/export.h"
#include "ui/paint/views.h"

static void
draw (const char *folder, const char *name, LsViewData *data, const char *view, LsLook look, double w,
      double h, LsQuery query)
{
  g_autoptr (LsFonts) fonts = ls_fonts_new (g_getenv ("LOCKSTEP_FONT") != NULL ? g_getenv ("LOCKSTEP_FONT")
                                                                               : "Sans");
  g_autoptr (LsLayout) layout = NULL;
  g_autofree char *path = g_strdup_printf ("%s/%s-%s-%g-%s.png", folder, name, view, w, ls_look_name (look));
  g_autoptr (GError) error = NULL;

  query.chrome = query.key = g_getenv ("LOCKSTEP_WINDOW") == NULL;
  gint64 layout_us = G_MAXINT64, paint_us = G_MAXINT64;
  for (guint i = 0; i < 5; i++)
    {
      gint64 start = g_get_monotonic_time (), middle;
      g_clear_pointer (&layout, ls_layout_free);
      layout = draw_view_in (fonts, ls_view_find (view), data, &query, look, w, h);
      middle = g_get_monotonic_time ();
      cairo_surface_destroy (ls_export_surface (layout, 1));
      layout_us = MIN (layout_us, middle - start);
      paint_us = MIN (paint_us, g_get_monotonic_time () - middle);
    }
  if (!ls_export_picture (layout, path, 1, &error))
    g_error ("%s", error->message);
  g_print ("%s: layout %.1f ms, paint %.1f ms\n", path, (double) layout_us / 1e3, (double) paint_us / 1e3);
}

static guint
op_named (const LsRecording *recording, const char *symbol)
{
  for (guint i = 0; i < recording->n_ops; i++)
    if (g_str_equal (recording->ops[i].symbol, symbol))
      return i;
  return 1;
}

/* What can be the matter, in every view. */
static void
draw_states (const char *folder, const char *only)
{
  LsFixture desk = ls_fixture_desk;
  static const struct {
    LsLook look;
    double w, h;
  } sizes[] = {
    { LS_LOOK_LIGHT, 1280, 800 },
    { LS_LOOK_DARK, 1920, 1080 },
    { LS_LOOK_LIGHT, 960, 600 },
    { LS_LOOK_PROJECTOR, 1920, 1080 },
  };

  desk.values = FALSE;
  for (guint state = 0; state < LS_STATE_N; state++)
    {
      if (only != NULL && !g_str_equal (only, ls_fixture_state_name ((LsFixtureState) state)))
        continue;
      g_autoptr (LsViewData) data = ls_fixture_view (&desk, (LsFixtureState) state);
      const LsView *const *views;
      guint n;

      views = ls_views (&n);
      for (guint v = 0; v < n; v++)
        for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
          {
            LsQuery query = LS_QUERY_INIT;
            query.op = 1;
            query.curves.cursor = state == LS_STATE_RUNS ? 1000 : -1;
            query.skipped = state == LS_STATE_LIVE ? 2 : 0;
            draw (folder, ls_fixture_state_name ((LsFixtureState) state), data, views[v]->name, sizes[i].look,
                  sizes[i].w, sizes[i].h, query);
          }
    }
}

/* Of the laboratory's results. */
static void
draw_claims (const char *folder, const char *row)
{
  static const struct {
    LsLook look;
    double w, h;
  } sizes[] = { { LS_LOOK_LIGHT, 1920, 1080 },
                { LS_LOOK_DARK, 1280, 800 },
                { LS_LOOK_LIGHT, 960, 600 },
                { LS_LOOK_PROJECTOR, 1920, 1080 } };
  g_autoptr (LsRecording) recording = ls_fixture_recording (&ls_fixture_cores);
  g_autoptr (LsClaims) claims = claim_rows ();
  const LsViewBeside beside = { .claims = claims };
  g_autoptr (LsViewData) data = ls_view_data_from_recording (recording, &beside);
  LsQuery query = LS_QUERY_INIT;
  g_autofree gpointer state = query.state = ls_view_state_new (ls_view_find ("claims"));

  if (row != NULL)
    ls_view_find ("claims")->options[0].read (data, row, state);
  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    draw (folder, row != NULL ? row : "closed", data, "claims", sizes[i].look, sizes[i].w, sizes[i].h, query);
}

static void
draw_lab (const char *folder)
{
  static const struct {
    LsLook look;
    double w, h;
  } sizes[] = { { LS_LOOK_LIGHT, 1920, 1080 },
                { LS_LOOK_DARK, 1280, 800 },
                { LS_LOOK_LIGHT, 960, 600 },
                { LS_LOOK_PROJECTOR, 1920, 1080 },
                { LS_LOOK_PRINT, 3840, 2160 } };
  g_autoptr (LsRecording) recording = ls_fixture_recording (&ls_fixture_desk);
  g_autoptr (GPtrArray) results = lab_fixture ();
  const LsViewBeside beside = { .lab = results };
  g_autoptr (LsViewData) data = ls_view_data_from_recording (recording, &beside);

  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    for (guint rate = 0; rate < 2; rate++)
      {
        LsScalingState state = LS_SCALING_STATE_ALL;
        LsQuery query = LS_QUERY_INIT;

        state.rate = rate;
        query.state = &state;
        draw (folder, rate ? "throughput" : "latency", data, "scaling", sizes[i].look, sizes[i].w, sizes[i].h,
              query);
      }
}

static void
draw_deeper (const char *folder, const char *name, LsViewData *data, LsQuery query)
{
  static const char *const views[] = { "tiles", "timeline", "network" };

  for (guint v = 0; v < G_N_ELEMENTS (views); v++)
    {
      draw (folder, name, data, views[v], LS_LOOK_LIGHT, 1920, 1080, query);
      draw (folder, name, data, views[v], LS_LOOK_DARK, 1280, 800, query);
      draw (folder, name, data, views[v], LS_LOOK_LIGHT, 960, 600, query);
    }
}

int
main (int argc, char **argv)
{
  const LsFixture laptop = { LS_CORES (2),   .batch = 64,      .tiles = 64,   .groups = 128,
                             .on_cpu = TRUE, .stealing = TRUE, .fused = TRUE, .steps = 1240 };
  const LsFixture desk = { LS_DESK, .batch = 128, .stealing = TRUE, .fused = TRUE, .steps = 1240 };
  const LsFixture big = { .batch = 512,
                          .workers = 128,
                          .tiles = 1024,
                          .groups = 40000,
                          .known = LS_KNOWN_ORDER,
                          .units = 132,
                          .stealing = TRUE,
                          .steps = 20000 };
  const LsFixture mid = { .batch = 128,
                          .workers = 24,
                          .tiles = 256,
                          .groups = 1024,
                          .known = LS_KNOWN_UNITS,
                          .units = 132,
                          .stealing = TRUE,
                          .fused = TRUE,
                          .steps = 3000 };
  const LsFixture deep = { .model = "flatten, dense 64, tanh, dense 64, tanh, dense 64, tanh, dense 64, "
                                    "tanh, dense 64, tanh, dense 64, tanh, dense 10",
                           .batch = 64,
                           .workers = 1,
                           .tiles = 8,
                           .groups = 64,
                           .known = LS_KNOWN_NOTHING,
                           .units = 2,
                           .steps = 300 };
  const struct {
    const char *name;
    const LsFixture *f;
  } all[] = { { "laptop", &laptop }, { "desk", &desk }, { "big", &big }, { "mid", &mid }, { "deep", &deep } };

  if (argc < 2)
    return 2;
  setlocale (LC_ALL, "");
  if (g_getenv ("LOCKSTEP_LOCALE_DIR") != NULL) /* with LANGUAGE */
    bindtextdomain (GETTEXT_PACKAGE, g_getenv ("LOCKSTEP_LOCALE_DIR"));
  textdomain (GETTEXT_PACKAGE);
  if (argc > 2 && g_str_equal (argv[2], "states"))
    {
      draw_states (argv[1], argc > 3 ? argv[3] : NULL);
      return 0;
    }
  if (argc > 2 && g_str_equal (argv[2], "claims"))
    {
      draw_claims (argv[1], argc > 3 ? argv[3] : NULL);
      return 0;
    }
  if (argc > 2 && g_str_equal (argv[2], "lab"))
    {
      draw_lab (argv[1]);
      return 0;
    }
  for (guint i = 0; i < G_N_ELEMENTS (all); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (LsRecording) recording = argc > 2 ? ls_recording_load (argv[2], &error)
                                                   : ls_fixture_recording (all[i].f);
      if (recording == NULL)
        g_error ("%s", error->message);
      g_autoptr (LsViewData) data = ls_view_data_from_recording (recording, NULL);
      LsQuery query = LS_QUERY_INIT, part = LS_QUERY_INIT, race = LS_QUERY_INIT;
      query.op = part.op = op_named (recording, "Z₁");
      for (guint op = 0; argc > 2 && op < recording->n_ops; op++)
        if (recording->ops[op].flops > recording->ops[part.op].flops)
          part.op = query.op = op;
      if (data->sides[0].index->ops[part.op].ran)
        part.time_ns = (data->sides[0].index->ops[part.op].end_ns
                        - data->sides[0].index->ops[part.op].start_ns)
                       * 9 / 10;
      part.dial_ns = 50000;
      part.hover = (LsPick){ 0, data->sides[0].index->ops[part.op].n > 5
                                  ? data->sides[0].index->pieces[data->sides[0].index->ops[part.op].first + 5]
                                  : 0 };
      race.time_ns = data->sides[0].index->length_ns * 6 / 10;
      race.dial_ns = 50000;
      draw (argv[1], all[i].name, data, "partition", LS_LOOK_LIGHT, 1920, 1080, part);
      draw (argv[1], all[i].name, data, "partition", LS_LOOK_DARK, 1280, 800, part);
      draw (argv[1], all[i].name, data, "partition", LS_LOOK_LIGHT, 960, 600, query);
      draw (argv[1], all[i].name, data, "partition", LS_LOOK_PROJECTOR, 1920, 1080, part);
      draw (argv[1], all[i].name, data, "race", LS_LOOK_LIGHT, 1920, 1080, race);
      draw (argv[1], all[i].name, data, "race", LS_LOOK_DARK, 1280, 800, race);
      draw (argv[1], all[i].name, data, "race", LS_LOOK_LIGHT, 960, 600, query);
      draw (argv[1], all[i].name, data, "race", LS_LOOK_PROJECTOR, 1920, 1080, race);
      draw (argv[1], all[i].name, data, "curves", LS_LOOK_LIGHT, 1920, 1080, query);
      draw_deeper (argv[1], all[i].name, data, query);
      if (argc > 2)
        break;
    }
  return 0;
}
