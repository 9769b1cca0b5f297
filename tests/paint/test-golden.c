/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Layouts as text against golden files, with the font of boxes. After a wanted change:
 *   LOCKSTEP_UPDATE_GOLDEN=1 meson test -C build paint-golden
 */
#include "asked.h"
#include "claim_rows.h"
#include "draw.h"
#include "lab_fixture.h"

#include <string.h>

#include "ui/paint/views.h"

typedef struct {
  const char *name, *view;
  LsLook look;
  double w, h;
  LsKnown known;
  gboolean playing;
  const char *model; /* with values */
  guint page;        /* of Network, with what was said of the test set */
  LsAsked asked;     /* what the lanes were asked in Network */
} Golden;

static const Golden goldens[] = {
  { "partition-1280-threads", "partition", LS_LOOK_LIGHT, 1280, 800, LS_KNOWN_THREADS, FALSE, NULL },
  { "partition-1920-units", "partition", LS_LOOK_LIGHT, 1920, 1080, LS_KNOWN_UNITS, TRUE, NULL },
  { "partition-960-order", "partition", LS_LOOK_LIGHT, 960, 600, LS_KNOWN_ORDER, FALSE, NULL },
  { "partition-projector", "partition", LS_LOOK_PROJECTOR, 1920, 1080, LS_KNOWN_THREADS, TRUE, NULL },
  { "race-1280", "race", LS_LOOK_LIGHT, 1280, 800, LS_KNOWN_THREADS, TRUE, NULL },
  { "race-1920", "race", LS_LOOK_LIGHT, 1920, 1080, LS_KNOWN_THREADS, FALSE, NULL },
  { "timeline-1280", "timeline", LS_LOOK_LIGHT, 1280, 800, LS_KNOWN_THREADS, TRUE, NULL },
  { "timeline-1920-units", "timeline", LS_LOOK_LIGHT, 1920, 1080, LS_KNOWN_UNITS, FALSE, NULL },
  { "timeline-960-order", "timeline", LS_LOOK_LIGHT, 960, 600, LS_KNOWN_ORDER, FALSE, NULL },
  { "tiles-1280", "tiles", LS_LOOK_LIGHT, 1280, 800, LS_KNOWN_THREADS, FALSE, NULL },
  { "tiles-1920", "tiles", LS_LOOK_LIGHT, 1920, 1080, LS_KNOWN_THREADS, TRUE, NULL },
  { "curves-1280", "curves", LS_LOOK_LIGHT, 1280, 800, LS_KNOWN_THREADS, FALSE, NULL },
  { "scaling-1920", "scaling", LS_LOOK_LIGHT, 1920, 1080, LS_KNOWN_THREADS, FALSE, NULL },
  { "roofline-1280", "roofline", LS_LOOK_LIGHT, 1280, 800, LS_KNOWN_THREADS, TRUE, NULL },
  { "crossover-1280", "crossover", LS_LOOK_LIGHT, 1280, 800, LS_KNOWN_THREADS, TRUE, NULL },
  { "claims-1920", "claims", LS_LOOK_LIGHT, 1920, 1080, LS_KNOWN_THREADS, TRUE, NULL },
  { "claims-960", "claims", LS_LOOK_LIGHT, 960, 600, LS_KNOWN_THREADS, TRUE, NULL },
  { "claims-1280", "claims", LS_LOOK_DARK, 1280, 800, LS_KNOWN_THREADS, TRUE, NULL },
  { "claims-projector", "claims", LS_LOOK_PROJECTOR, 1920, 1080, LS_KNOWN_THREADS, TRUE, NULL },
  { "machines-1280", "machines", LS_LOOK_LIGHT, 1280, 800, LS_KNOWN_THREADS, TRUE, NULL },
  { "planner-1280", "planner", LS_LOOK_LIGHT, 1280, 800, LS_KNOWN_THREADS, TRUE, NULL },
  { "planner-960", "planner", LS_LOOK_LIGHT, 960, 600, LS_KNOWN_THREADS, TRUE, NULL },
  { "planner-1920", "planner", LS_LOOK_DARK, 1920, 1080, LS_KNOWN_THREADS, TRUE, NULL },
  { "planner-projector", "planner", LS_LOOK_PROJECTOR, 1920, 1080, LS_KNOWN_THREADS, TRUE, NULL },
  { "network-1920", "network", LS_LOOK_LIGHT, 1920, 1080, LS_KNOWN_THREADS, FALSE,
    "flatten, dense 256, relu, dense 128, relu, dense 10" },
  { "network-1280-cnn", "network", LS_LOOK_DARK, 1280, 800, LS_KNOWN_THREADS, FALSE,
    "conv 8 3 pad 1, relu, maxpool 2, flatten, dense 32, relu, dense 10" },
  { "network-960-toy", "network", LS_LOOK_LIGHT, 960, 600, LS_KNOWN_THREADS, FALSE,
    "flatten, dense 20, relu, dense 64, relu, dense 32, relu, dense 2" },
  { "network-1280-test", "network", LS_LOOK_LIGHT, 1280, 800, LS_KNOWN_THREADS, FALSE,
    "flatten, dense 32, relu, dense 10", LS_NETWORK_TEST },
  { "network-960-unit", "network", LS_LOOK_LIGHT, 960, 600, LS_KNOWN_THREADS, FALSE,
    "conv 8 3 pad 1, relu, maxpool 2, conv 4 3, relu, flatten, dense 10", LS_NETWORK_UNIT },
  { "network-1920-time", "network", LS_LOOK_LIGHT, 1920, 1080, LS_KNOWN_THREADS, TRUE, "lstm 24, dense 10",
    LS_NETWORK_TIME },
  { "network-1920-pad", "network", LS_LOOK_LIGHT, 1920, 1080, LS_KNOWN_THREADS, FALSE,
    "flatten, dense 32, relu, dense 10", LS_NETWORK_WALK, LS_ASKED_DRAWN },
  { "network-1280-plane-toy", "network", LS_LOOK_LIGHT, 1280, 800, LS_KNOWN_THREADS, FALSE,
    "flatten, dense 20, relu, dense 2", LS_NETWORK_TEST },
};

static char *
as_text (const Golden *golden)
{
  const gboolean planner = strcmp (golden->view, "planner") == 0; /* which has more to say of a longer run */
  const LsFixture f = { .batch = 64,
                        .workers = 2,
                        .tiles = 16,
                        .groups = 32,
                        .known = golden->known,
                        .units = 2,
                        .on_cpu = TRUE,
                        .stealing = TRUE,
                        .fused = TRUE,
                        .steps = planner ? 400 : 60,
                        .model = golden->model,
                        .values = golden->model != NULL,
                        .toy = g_str_has_suffix (golden->name, "toy") };
  g_autoptr (LsRecording) recording = ls_fixture_recording (&f);
  if (golden->page != LS_NETWORK_WALK || golden->asked == LS_ASKED_DRAWN)
    asked_add_evaluations (recording);
  g_autoptr (GPtrArray) results = strcmp (golden->view, "scaling") == 0 ? lab_fixture () : NULL;
  g_autoptr (LsClaims) claims = strcmp (golden->view, "claims") == 0 ? claim_rows () : NULL;
  g_autoptr (LsCatalogue) catalogue = planner ? ls_catalogue_load (NULL, NULL) : NULL;
  const LsViewBeside beside = { .lab = results, .claims = claims, .catalogue = catalogue };
  if (planner)
    g_hash_table_insert (recording->conditions, g_strdup (LS_CONDITION_EPOCH), g_strdup ("200"));
  g_autoptr (LsViewData) data = ls_view_data_from_recording (recording, &beside);
  g_autoptr (LsStrokes) strokes = ls_strokes_new ();
  g_autoptr (LsLayout) layout = NULL;
  Asked asked = ASKED_INIT;
  LsQuery query = LS_QUERY_INIT;

  if (golden->asked == LS_ASKED_DRAWN)
    {
      ls_strokes_begin (strokes, .5, .2);
      ls_strokes_to (strokes, .5, .8);
      query.pen.strokes = strokes;
      data->tests = ASKED_TESTS;
      asked.network.own = LS_OWN_DRAWN;
      query.pen.keys = TRUE;
      asked_add_answers (data, LS_ASKED_DRAWN, -1, 1, 0);
    }
  else if (f.toy && golden->page != LS_NETWORK_WALK)
    asked_add_answers (data, LS_ASKED_GRID, -1, 0, 16);
  query.op = 1;
  asked.network.page = golden->page;
  query.chrome = query.key = TRUE;
  query.time_ns = golden->playing ? 60000 : LS_TIME_END;
  asked.query = query;
  const LsView *view = ls_view_find (golden->view);
  layout = draw_view (view, data, asked_of (&asked, view), golden->look, golden->w, golden->h);
  return dump_layout (layout);
}

/* Names the first line that differs. */
static void
compare (const char *is, const char *should)
{
  g_auto (GStrv) a = g_strsplit (is, "\n", -1), b = g_strsplit (should, "\n", -1);

  for (guint i = 0; a[i] != NULL || b[i] != NULL; i++)
    if (g_strcmp0 (a[i], b[i]) != 0)
      {
        g_test_fail_printf ("line %u is “%s”, was “%s”", i + 1, a[i] ? a[i] : "missing",
                            b[i] ? b[i] : "missing");
        return;
      }
}

static void
test_golden (gconstpointer data)
{
  const Golden *golden = data;
  g_autofree char *file = g_strconcat (golden->name, ".txt", NULL);
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "paint", "golden", file, NULL);
  g_autofree char *should = NULL, *is = as_text (golden);
  g_autoptr (GError) error = NULL;

  if (g_getenv ("LOCKSTEP_UPDATE_GOLDEN") != NULL)
    {
      g_file_set_contents (path, is, -1, &error);
      g_assert_no_error (error);
      return;
    }
  g_file_get_contents (path, &should, NULL, &error);
  g_assert_no_error (error);
  compare (is, should);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (goldens); i++)
    {
      g_autofree char *path = g_strconcat ("/paint/golden/", goldens[i].name, NULL);
      g_test_add_data_func (path, &goldens[i], test_golden);
    }
  return g_test_run ();
}
