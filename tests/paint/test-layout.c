/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Every view at every size, from one worker to 128, for all that work-groups may tell: nothing overlaps,
 * nothing is outside, nothing is too small. With the font of boxes, which is wider than most, so the same on
 * every machine.
 */
#include "draw.h"
#include "states.h"
#include "ui/paint/views.h"

static const guint worker_counts[] = { 1, 2, 8, 24, 128 };

/* A letter of the font of boxes is 0.6 em, of Cantarell's on average 0.46: this makes words 1.43 times as
 * wide as in English. */
#define WIDE 1.1

static double stretch = 1, text_scale = 1;

static void
check (LsViewData *data, const LsView *view, LsLook look, const double *size, const LsQuery *query,
       const char *what)
{
  g_autoptr (LsFonts) fonts = ls_fonts_new_stretched (stretch);
  g_autoptr (LsLayout) layout = NULL;
  LsStyle style;

  ls_style_init (&style, look, text_scale);
  layout = ls_layout_new (view, data, query, size[0], size[1], &style, fonts);
  check_layout (layout, what);
}

static void
end (void)
{
  stretch = text_scale = 1;
  end_faults ();
}

static void
check_all (LsViewData *data, guint op, const char *what)
{
  const LsStepIndex *index = data->sides[0].index;
  const LsView *const *views;
  Asked asked[3] = { ASKED_INIT, ASKED_INIT, ASKED_INIT };
  guint n;

  asked[1].query.time_ns = index != NULL ? (index->ops[op].end_ns - index->ops[op].start_ns) / 2 : 1000;
  asked[2].query.hover
    = (LsPick){ 0, index != NULL && index->n_pieces > 0 ? index->pieces[index->ops[op].first] : 0 };
  asked[2].query.time_ns = index != NULL ? index->length_ns * 2 / 3 : 0;
  asked[1].query.curves.cursor = asked[2].query.curves.cursor = (gint64) data->sides[0].steps / 2;
  asked[1].query.dial_ns = 50000;
  asked[1].network.sample = 7;
  asked[2].network.layer = 2;
  asked[2].network.unit = 3;
  asked[1].query.skipped = 3;
  views = ls_views (&n);
  for (guint v = 0; v < n; v++)
    for (guint s = 0; s < G_N_ELEMENTS (draw_sizes); s++)
      for (guint q = 0; q < G_N_ELEMENTS (asked); q++)
        for (guint look = LS_LOOK_LIGHT; look <= LS_LOOK_PROJECTOR; look += LS_LOOK_PROJECTOR)
          {
            asked[q].query.op = op;
            asked[q].query.chrome = asked[q].query.key = q != 1;
            check (data, views[v], (LsLook) look, draw_sizes[s], asked_of (&asked[q], views[v]), what);
          }
}

static void
test_workers (gconstpointer data)
{
  const guint workers = GPOINTER_TO_UINT (data);

  for (guint known = LS_KNOWN_UNITS; known <= LS_KNOWN_NOTHING; known++)
    {
      const LsFixture f = { .batch = 128,
                            .workers = workers,
                            .tiles = 8 * workers,
                            .groups = 128,
                            .known = (LsKnown) known,
                            .units = workers,
                            .on_cpu = known == LS_KNOWN_THREADS,
                            .stealing = TRUE,
                            .fused = workers > 2,
                            .steps = 300 };
      g_autoptr (LsViewData) view = ls_fixture_data (&f);
      g_autofree char *what = g_strdup_printf ("%u workers, case %u", workers, known);
      check_all (view, 1, what);
      stretch = WIDE;
      check_all (view, 1, what);
      stretch = 1;
    }
  end ();
}

/* The desktop's text scaling. */
static void
test_large_text (void)
{
  static const double scales[] = { 1.25, 1.5, 2, 3 };
  const LsFixture f = { LS_CORES (2),   .batch = 128,     .tiles = 16,  .groups = 128,
                        .on_cpu = TRUE, .stealing = TRUE, .steps = 300, .values = TRUE };
  g_autoptr (LsViewData) view = ls_fixture_data (&f);

  for (guint i = 0; i < G_N_ELEMENTS (scales); i++)
    {
      text_scale = scales[i];
      check_all (view, i % 2 == 0 ? 1 : view->recording->n_ops - 1, "large text");
    }
  end ();
}

static void
test_nets (void)
{
  static const char *const models[] = {
    "flatten, dense 10",
    "conv 16 3 pad 1, relu, maxpool 2, conv 32 3 pad 1, relu, maxpool 2, flatten, dense 128, relu, dense 10",
    "flatten, dense 64, tanh, dense 64, tanh, dense 64, tanh, dense 64, tanh, dense 64, tanh, dense 10",
    "flatten, dense 20, relu, dense 64, relu, dense 32, relu, dense 2",
  };

  for (guint i = 0; i < G_N_ELEMENTS (models); i++)
    {
      const LsFixture f = { LS_CORES (2),
                            .model = models[i],
                            .batch = 64,
                            .tiles = 64,
                            .groups = i == 0   ? 0
                                      : i == 1 ? 8000
                                               : 2000,
                            .on_cpu = TRUE,
                            .steps = i == 0 ? 1 : 5000,
                            .values = TRUE,
                            .toy = i == 3 };
      g_autoptr (LsViewData) view = ls_fixture_data (&f);
      check_all (view, MIN (2, view->recording->n_ops - 1), models[i]);
      for (guint op = 0; i == 3 && op < view->recording->n_ops; op++)
        check_all (view, op, models[i]);
      check_all (view, view->recording->n_ops - 1, models[i]);
    }
  end ();
}

/* Network's own: points of the plane, many and few classes, one lane alone, more layers than fit, words of
 * other languages. */
static void
test_network (void)
{
  static const struct {
    const char *model;
    guint batch;
    gboolean toy, alone;
  } nets[] = {
    { "flatten, dense 20, relu, dense 64, relu, dense 32, relu, dense 2", 128, TRUE, FALSE },
    { "flatten, dense 2", 500, TRUE, TRUE },
    { "flatten, dense 1000, relu, dense 10", 1, FALSE, TRUE },
    { "conv 64 5 pad 2, relu, conv 96 3 pad 1, relu, maxpool 2, flatten, dense 10", 4, FALSE, FALSE },
    { "flatten, dense 9, relu, dense 9, relu, dense 9, relu, dense 9, relu, dense 9, relu, dense 9, relu, "
      "dense 9, relu, dense 9, relu, "
      "dense 9, relu, dense 9, relu, dense 9, relu, dense 7, relu, dense 300, relu, dense 5, relu, dense 10",
      32, FALSE, FALSE },
  };

  for (guint i = 0; i < 2 * G_N_ELEMENTS (nets); i++)
    {
      const LsFixture f = { LS_CORES (2),
                            .model = nets[i / 2].model,
                            .batch = nets[i / 2].batch,
                            .tiles = 16,
                            .groups = nets[i / 2].alone ? 0 : 16,
                            .steps = 200,
                            .values = TRUE,
                            .toy = nets[i / 2].toy };
      g_autoptr (LsViewData) view = ls_fixture_data (&f);
      stretch = i % 2 == 0 ? 1 : WIDE;
      for (guint s = 0; s < 3 * G_N_ELEMENTS (draw_sizes); s++)
        {
          LsNetworkState asked = LS_NETWORK_STATE_INIT;
          LsQuery query = { LS_QUERY_FIELDS, .state = &asked };
          asked.sample = (gint) (s % f.batch);
          asked.layer = s % 2 == 0 ? -1 : 1;
          asked.unit = 1;
          query.chrome = query.key = s % 2 == 0;
          check (view, &ls_view_network,
                 s < 2 * G_N_ELEMENTS (draw_sizes) ? LS_LOOK_LIGHT : LS_LOOK_PROJECTOR,
                 draw_sizes[s % G_N_ELEMENTS (draw_sizes)], &query, f.model);
        }
    }
  end ();
}

static void
test_network_states (void)
{
  const LsFixture f = { LS_CORES (2),   .batch = 128,  .tiles = 64,   .groups = 128,
                        .on_cpu = TRUE, .steps = 2000, .values = TRUE };

  for (guint state = 0; state < 2 * LS_STATE_N; state++)
    {
      g_autoptr (LsViewData) view = ls_fixture_view (&f, (LsFixtureState) (state / 2));
      stretch = state % 2 == 0 ? 1 : WIDE;
      for (guint s = 0; s < 2 * G_N_ELEMENTS (draw_sizes); s++)
        {
          LsQuery query = LS_QUERY_INIT;
          query.chrome = query.key = s % 2 == 0;
          check (view, &ls_view_network, s % 2 == 0 ? LS_LOOK_LIGHT : LS_LOOK_PROJECTOR, draw_sizes[s / 2],
                 &query, ls_fixture_state_name ((LsFixtureState) (state / 2)));
        }
    }
  end ();
}

/* A lane without its device, a lane that failed, nothing recorded yet. */
static void
test_empty (void)
{
  g_autoptr (LsViewData) data = g_new0 (LsViewData, 1);

  data->ref_count = 1;
  data->batch = 64;
  data->title = g_strdup ("mlp on mnist, batch 64");
  data->when = g_strdup ("no step yet");
  data->program = g_strdup ("test");
  for (guint side = 0; side < LS_SIDES; side++)
    {
      LsViewLane *lane = &data->sides[side];
      lane->there = side == 0;
      lane->state = LS_LANE_READY;
      lane->name = g_strdup (side == 0 ? "CPU" : "OpenCL");
      lane->device = g_strdup (side == 0 ? "A processor with a rather long name, 2 cores" : "");
      lane->conditions = g_strsplit (side == 0 ? "2 threads;OpenBLAS;fp32" : "", ";", -1);
      lane->message = side == 1 ? g_strdup ("No OpenCL lane was asked for.") : NULL;
      lane->hint = side == 1 ? g_strdup ("Start with “--backends cpu,opencl” to have both.") : NULL;
    }
  check_all (data, 0, "nothing yet");
  end ();
}

/* What can be the matter, also in a language with longer words. */
static void
test_states (gconstpointer data)
{
  const LsFixtureState state = (LsFixtureState) GPOINTER_TO_UINT (data);

  for (guint i = 0; i < 2; i++)
    {
      const LsFixture f = { .batch = 128,
                            .workers = i == 0 ? 2 : 8,
                            .tiles = 64,
                            .groups = 128,
                            .known = i == 0 ? LS_KNOWN_THREADS : LS_KNOWN_UNITS,
                            .units = i == 0 ? 2 : 24,
                            .on_cpu = i == 0,
                            .stealing = TRUE,
                            .fused = TRUE,
                            .steps = 2000,
                            .values = TRUE };
      g_autoptr (LsViewData) view = ls_fixture_view (&f, state);
      stretch = i == 0 ? WIDE : 1;
      check_all (view, 1, ls_fixture_state_name (state));
    }
  end ();
}

/* Tiles of a net whose products have narrow and short matrices: every one, on both sides, in every state. */
static void
test_tiles (void)
{
  const LsFixture f
    = { LS_CORES (2),         .model = "flatten, dense 20, relu, dense 64, relu, dense 32, relu, dense 2",
        .batch = 128,         .tiles = 16,
        .groups = 16,         .on_cpu = TRUE,
        .steps = 200,         .values = TRUE,
        .small_deltas = TRUE, .toy = TRUE };

  for (guint state = 0; state < 2 * LS_STATE_N; state++)
    {
      g_autoptr (LsViewData) view = ls_fixture_view (&f, (LsFixtureState) (state / 2));
      const guint n_ops = view->recording != NULL ? view->recording->n_ops : 1;
      stretch = state % 2 == 0 ? 1 : WIDE;
      for (guint op = 0; op < n_ops; op++)
        for (guint s = 0; s < 4 * G_N_ELEMENTS (draw_sizes); s++)
          {
            LsTilesState asked = LS_TILES_STATE_INIT;
            LsQuery query = { LS_QUERY_FIELDS, .state = &asked };
            query.op = op;
            asked.rung = (gint) (op + s) % 5 - 1;
            asked.cpu_side = (s & 4) > 0;
            query.time_ns = op % 3 == 0 ? LS_TIME_END : 1500 * op;
            query.chrome = query.key = s % 3 > 0;
            check (view, &ls_view_tiles, s & 8 ? LS_LOOK_PROJECTOR : LS_LOOK_LIGHT,
                   draw_sizes[s % G_N_ELEMENTS (draw_sizes)], &query,
                   ls_fixture_state_name ((LsFixtureState) (state / 2)));
          }
    }
  end ();
}

/* The checks themselves must catch what they are for. */
static void
test_catches (void)
{
  const LsFixture f = { LS_CORES (2), .batch = 64, .tiles = 64, .groups = 128, .steps = 100 };
  g_autoptr (LsViewData) data = ls_fixture_data (&f);
  const LsQuery query = LS_QUERY_INIT;
  g_autoptr (LsLayout) layout = draw_view (&ls_view_partition, data, &query, LS_LOOK_LIGHT, 1280, 800);
  g_autofree char *fine = NULL, *overlap = NULL, *outside = NULL, *small = NULL;
  LsItem *item;

  fine = ls_layout_fault (layout);
  g_assert_cmpstr (fine, ==, NULL);
  for (guint i = 0; (item = ls_scene_get (layout->still, i))->kind != LS_ITEM_TEXT; i++)
    ;
  item->type.px = 13;
  small = ls_layout_fault (layout);
  g_assert_nonnull (small);
  item->type.px = 14;
  item->x = 1279;
  outside = ls_layout_fault (layout);
  g_assert_nonnull (outside);
  item->x = ls_scene_get (layout->moving, 0)->x;
  item->y = ls_scene_get (layout->moving, 0)->y;
  overlap = ls_layout_fault (layout);
  g_assert_nonnull (overlap);
}

/* The playhead may stand at an op of the recording that was shown before, which had more of them. */
static void
test_op_beyond (void)
{
  const LsFixture f = { .batch = 32, .workers = 2, .tiles = 4, .groups = 4, .steps = 60 };
  g_autoptr (LsViewData) data = ls_fixture_view (&f, LS_STATE_LIVE);
  const LsView *const *views;
  guint n;

  views = ls_views (&n);
  for (guint v = 0; v < n; v++)
    {
      LsQuery query = LS_QUERY_INIT;

      query.op = 100000;
      g_autoptr (LsLayout) layout = draw_view (views[v], data, &query, LS_LOOK_LIGHT, 1280, 800);
      g_assert_cmpuint (layout->query.op, ==, data->recording->n_ops - 1);
      ls_layout_move (layout, &query);
      g_assert_cmpuint (layout->query.op, ==, data->recording->n_ops - 1);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (worker_counts); i++)
    {
      g_autofree char *path = g_strdup_printf ("/paint/layout/workers/%u", worker_counts[i]);
      g_test_add_data_func (path, GUINT_TO_POINTER (worker_counts[i]), test_workers);
    }
  for (guint i = 0; i < LS_STATE_N; i++)
    {
      g_autofree char *path = g_strdup_printf ("/paint/layout/states/%s",
                                               ls_fixture_state_name ((LsFixtureState) i));
      g_test_add_data_func (path, GUINT_TO_POINTER (i), test_states);
    }
  g_test_add_func ("/paint/layout/large-text", test_large_text);
  g_test_add_func ("/paint/layout/nets", test_nets);
  g_test_add_func ("/paint/layout/network", test_network);
  g_test_add_func ("/paint/layout/network-states", test_network_states);
  g_test_add_func ("/paint/layout/tiles", test_tiles);
  g_test_add_func ("/paint/layout/empty", test_empty);
  g_test_add_func ("/paint/layout/op-beyond", test_op_beyond);
  g_test_add_func ("/paint/layout/catches", test_catches);
  return g_test_run ();
}
