/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The lanes stand as the command line lists them: with OpenCL on the left and the CPU on the right, Tiles and
 * Partition show the same, each lane in the colour of its side.
 */
#include <math.h>
#include <string.h>

#include "tests/paint/draw.h"
#include "tests/paint/fixture.h"
#include "tests/paint/said.h"
#include "tests/paint/states.h"
#include "ui/paint/tiles/tiles_cpu.h"
#include "ui/paint/views.h"

static void
swap_sides (LsViewData *data)
{
  const LsViewLane left = data->sides[0];

  data->sides[0] = data->sides[1];
  data->sides[1] = left;
}

/* The ink's number is a lane's side. */
static gboolean
is_lanes (const LsItem *item)
{
  return item->ink == LS_INK_MARK || item->ink == LS_INK_LANE || item->ink == LS_INK_SOFT
         || item->ink == LS_INK_ON_MARK || item->ink == LS_INK_ON_SOFT;
}

/* The rest of an item that isn't its place. (transfer full) */
static char *
say (const LsItem *item, gboolean swapped)
{
  const double value = item->ink < LS_INK_MARK      ? 0 /* it says nothing */
                       : is_lanes (item) && swapped ? 1 - (double) item->value
                                                    : (double) item->value;
  const gint side = item->side >= LS_SIDES ? -1 : swapped ? 1 - item->side : item->side;

  return g_strdup_printf ("kind %u, ink %u of %.6g, side %d, number %u, worker %u, “%s”", item->kind,
                          item->ink, value, side, item->number, item->worker,
                          item->kind == LS_ITEM_TEXT ? item->text : "");
}

static gint
compare_cb (gconstpointer a, gconstpointer b)
{
  return strcmp (*(char *const *) a, *(char *const *) b);
}

/* All items of a scene but the run's losses and how far they are apart, in an order that doesn't depend on
 * where they stand. */
static GPtrArray *
said (const LsScene *scene, gboolean swapped)
{
  GPtrArray *all = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; i < scene->items->len; i++)
    if (ls_scene_get (scene, i)->number != LS_NUMBER_LOSS
        && ls_scene_get (scene, i)->number != LS_NUMBER_DELTA)
      g_ptr_array_add (all, say (ls_scene_get (scene, i), swapped));
  g_ptr_array_sort (all, compare_cb);
  return all;
}

static void
assert_alike (const LsScene *plain, const LsScene *swapped, const char *what)
{
  g_autoptr (GPtrArray) a = said (plain, FALSE), b = said (swapped, TRUE);

  for (guint i = 0; i < MAX (a->len, b->len); i++)
    {
      const char *one = i < a->len ? a->pdata[i] : "nothing", *other = i < b->len ? b->pdata[i] : "nothing";
      if (strcmp (one, other) != 0)
        g_error ("%s, with the lanes in the other order:\n%s\nis\n%s", what, one, other);
    }
}

static void
check (const LsView *view, LsViewData *data, const LsQuery *query, LsLook look, const double *size,
       const char *what)
{
  static const guint shares[] = { 0, 13, 41, 55, 70, 86, 100 }; /* of a hundred */
  g_autoptr (LsLayout) plain = draw_view (view, data, query, look, size[0], size[1]);

  swap_sides (data);
  g_autoptr (LsLayout) swapped = draw_view (view, data, query, look, size[0], size[1]);
  assert_faultless (swapped);
  assert_alike (plain->still, swapped->still, what);
  g_assert_cmpint (plain->span_ns, ==, swapped->span_ns);
  for (guint i = 0; i < G_N_ELEMENTS (shares); i++)
    {
      LsQuery at = *query;
      g_autofree char *moment = g_strdup_printf ("%s, at %u %%", what, shares[i]);
      at.time_ns = shares[i] == 100 ? LS_TIME_END : plain->span_ns * shares[i] / 100;
      swap_sides (data);
      ls_layout_move (plain, &at);
      swap_sides (data);
      ls_layout_move (swapped, &at);
      assert_alike (plain->moving, swapped->moving, moment);
    }
  swap_sides (data);
}

static void
test_tiles (void)
{
  static const char *const models[] = { NULL, "conv 8 3 pad 1, relu, flatten, dense 10" };

  for (guint m = 0; m < G_N_ELEMENTS (models); m++)
    {
      g_autoptr (LsViewData) data = ls_fixture_tiles (models[m], 64, TRUE, TRUE);
      for (guint side = 0; side < LS_SIDES; side++)
        data->sides[side].rate = (LsFigure){ .value = 123456 + 1000 * side,
                                             .q1 = 120000,
                                             .q3 = 130000,
                                             .n = 4000,
                                             .unit = "samples/s",
                                             .evidence = LS_EVIDENCE_MEASURED };
      for (gint rung = -2; rung < LS_RUNG_N; rung++) /* −2: the CPU's tiles */
        for (guint s = 1; s < 4; s++)
          for (guint hall = 0; hall < 2; hall++)
            {
              LsTilesState asked = LS_TILES_STATE_INIT;
              const LsQuery query = { LS_QUERY_FIELDS, .op = m == 0 ? 1 : 0, .state = &asked };
              g_autofree char *what = g_strdup_printf ("model %u, %.0f px wide%s, rung %d", m,
                                                       draw_sizes[s][0], hall ? ", in a hall" : "", rung);
              asked.cpu_side = rung == -2;
              asked.rung = MAX (rung, -1);
              check (&ls_view_tiles, data, &query, hall ? LS_LOOK_PROJECTOR : LS_LOOK_LIGHT, draw_sizes[s],
                     what);
            }
    }
}

/* Two lanes on the processor: what stands in OpenCL's place ran none of the kernels that are walked through.
 * It is said that the walk is a model, whose numbers they are, and no roof of a processor is drawn as the
 * device's. */
static void
test_no_opencl (void)
{
  static const char *const says_so[] = { "no OpenCL lane did this step: as modelled, with the CPU’s numbers",
                                         "the CPU’s numbers, in a model of the kernel",
                                         "there is no such device here to measure" };
  g_autoptr (LsViewData) data = ls_fixture_tiles (NULL, 64, TRUE, TRUE);
  const LsViewLane opencl = data->sides[1];
  LsDeviceInfo *device = data->sides[0].recorded->device;

  for (guint i = 0; i < LS_ROOF_N; i++)
    device->roofs[i] = (LsFigure){ .value = 5e10, .n = 9, .evidence = LS_EVIDENCE_MEASURED };
  data->sides[1] = data->sides[0];
  for (guint live = 0; live < 2; live++)
    for (gint rung = -1; rung < LS_RUNG_N; rung++)
      {
        LsTilesState asked = { .rung = rung, -1, -1, -1, -1 };
        const LsQuery query = { LS_QUERY_FIELDS, .op = 1, .state = &asked };
        data->live = live > 0;
        g_autoptr (LsLayout) layout = draw_view (&ls_view_tiles, data, &query, LS_LOOK_LIGHT, 3840, 2160),
                             hall = draw_view (&ls_view_tiles, data, &query, LS_LOOK_PROJECTOR, 1920, 1080);
        ls_layout_move (layout, &query);
        ls_layout_move (hall, &query);
        for (guint i = 0; i < G_N_ELEMENTS (says_so); i++)
          if (find_text_in (layout, says_so[i]) == NULL)
            {
              g_autofree char *still = all_texts (layout->still, "\n"),
                              *moving = all_texts (layout->moving, "\n");
              g_error ("rung %d%s: without an OpenCL lane it isn’t said “%s”:\n%s\n%s", rung,
                       live ? ", live" : "", says_so[i], still, moving);
            }
        if (find_text_in (layout, "GB/s") != NULL)
          g_error ("rung %d: a roof of the processor is said to be the device’s", rung);
        if (find_text_in (hall, "a model, with the CPU’s numbers") == NULL)
          g_error ("rung %d: in a hall it isn’t said that the walk is a model", rung);
        /* the processor’s own side has its roofs */
        asked.cpu_side = TRUE;
        g_autoptr (LsLayout) cpu = draw_view (&ls_view_tiles, data, &query, LS_LOOK_LIGHT, 3840, 2160);
        g_assert_nonnull (find_text_in (cpu, "L1 50.0 GB/s"));
      }
  data->live = FALSE;
  data->sides[1] = opencl;
}

/* Few workers and few threads: whose share a tile was is said of the workers, wherever they stand. */
static void
test_partition (void)
{
  for (guint threads = 2; threads <= 4; threads++)
    for (guint s = 1; s < 4; s++)
      {
        const LsFixture f = { LS_CORES (threads), .batch = 128, .tiles = 8,      .groups = 16,
                              .on_cpu = TRUE,     .steps = 40,  .stealing = TRUE };
        g_autoptr (LsViewData) data = ls_fixture_data (&f);
        LsPartitionState asked = { 0 };
        const LsQuery query = { LS_QUERY_FIELDS, .op = 1, .state = &asked };
        g_autofree char *what = g_strdup_printf ("%u workers and threads, %.0f px wide", threads,
                                                 draw_sizes[s][0]);
        check (&ls_view_partition, data, &query, LS_LOOK_LIGHT, draw_sizes[s], what);
      }
}

/* Each option of `render` sets its own word's value and nothing else; what is refused is answered with what
 * there is. */
static void
test_options (void)
{
  static const struct {
    const char *option, *text, *answer; /* answer NULL: taken */
    gint rung, cpu_side, pane;          /* −1: as at first */
  } cases[] = {
    { "kernel", "naive", NULL, LS_RUNG_NAIVE, -1, -1 },
    { "kernel", "tiled", NULL, LS_RUNG_TILED, -1, -1 },
    { "kernel", "register", NULL, LS_RUNG_REGISTER, -1, -1 },
    { "kernel", "packed", NULL, LS_RUNG_PACKED, -1, -1 },
    { "kernel", "fast", "naive, tiled, register or packed", -1, -1, -1 },
    { "kernel", "", "naive, tiled, register or packed", -1, -1, -1 },
    { "side", "cpu", NULL, -1, TRUE, -1 },
    { "side", "opencl", NULL, -1, FALSE, -1 },
    { "side", "CPU", "opencl or cpu", -1, FALSE, -1 },
    { "pane", "tiles", NULL, -1, -1, 0 },
    { "pane", "ledger", NULL, -1, -1, 1 },
    { "pane", "source", NULL, -1, -1, 2 },
    { "pane", "roofline", NULL, -1, -1, 3 },
    { "pane", "roof", "tiles, ledger, source or roofline", -1, -1, -1 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      const LsViewOption *option = ls_view_tiles.options;
      LsTilesState state = LS_TILES_STATE_INIT;
      const LsTilesState first = LS_TILES_STATE_INIT;

      while (strcmp (option->name, cases[i].option) != 0)
        option++;
      g_autofree char *says = option->read (NULL, cases[i].text, &state);
      if (g_strcmp0 (says, cases[i].answer) != 0)
        g_error ("“%s %s” is answered “%s”", cases[i].option, cases[i].text, says != NULL ? says : "nothing");
      if (says == NULL)
        g_assert_cmpint (state.rung, ==, cases[i].rung >= 0 ? cases[i].rung : first.rung);
      g_assert_cmpint (state.cpu_side, ==, cases[i].cpu_side >= 0 ? cases[i].cpu_side : first.cpu_side);
      g_assert_cmpint ((gint) state.pane, ==, cases[i].pane >= 0 ? cases[i].pane : (gint) first.pane);
    }
}

/* In a hall, too, that a kernel isn't the one that ran is said of OpenCL's side, of each kernel but that one;
 * never of the CPU's, which shows what its lane did. */
static void
test_not_run (void)
{
  g_autoptr (LsViewData) data = ls_fixture_tiles (NULL, 128, TRUE, TRUE);
  guint ran = 0;

  for (guint rung = 0; rung < LS_RUNG_N; rung++)
    for (guint cpu_side = 0; cpu_side < 2; cpu_side++)
      {
        LsTilesState asked = LS_TILES_STATE_INIT;
        LsQuery query = { LS_QUERY_FIELDS, .op = 1, .state = &asked };

        asked.rung = (gint) rung;
        asked.cpu_side = cpu_side;
        g_autoptr (LsLayout) layout = draw_view (&ls_view_tiles, data, &query, LS_LOOK_PROJECTOR, 1920, 1080);
        const LsTiles *t = layout->own;
        g_autofree char *words = ls_tiles_modelled_words (t);
        query.time_ns = t->span_ns / 2;
        ls_layout_move (layout, &query);
        g_autofree char *still = all_texts (layout->still, " "), *moving = all_texts (layout->moving, " ");
        const gboolean said = strstr (still, "not in the step") != NULL
                              || strstr (moving, "not in the step") != NULL,
                       wanted = !cpu_side && t->ran != (gint) rung;
        g_assert_cmpint (t->cpu != NULL, ==, cpu_side);
        if (said != wanted || (words != NULL) != wanted)
          g_error ("of rung %u, on %s side, where rung %d ran, it is%s said that it isn’t in the step (“%s”)",
                   rung, cpu_side ? "the CPU’s" : "OpenCL’s", t->ran, said ? "" : " not",
                   words != NULL ? words : "nothing");
        ran += !cpu_side && !wanted;
      }
  g_assert_cmpuint (ran, ==, 1);
}

/* What a tile of the CPU's is made of: a product's rows, columns and panel, a convolution's channels and
 * images, one or more of either; and with which micro-tile, which a core that isn't known has from another.
 */
static void
test_cpu_line (void)
{
  static const struct {
    gint64 rows, cols, images;
    guint window;
    gboolean conv, known;
    LsGemmBy by;
    const char *words;
  } cases[] = {
    { 64, 128, 1, 256, FALSE, TRUE, LS_GEMM_BLAS, "tile 64×128 · panel 256 · micro-tile 16×6, OpenBLAS" },
    { 1, 10, 7, 37, FALSE, TRUE, LS_GEMM_BLAS_SMALL,
      "tile 1×10 · panel 37 · micro-tile 16×6, OpenBLAS’s kernel for small products" },
    { 64, 128, 1, 256, FALSE, FALSE, LS_GEMM_LOOPS,
      "tile 64×128 · panel 256 · micro-tile of another core, 16×6, our own loops" },
    { 8, 9, 1, 27, TRUE, TRUE, LS_GEMM_LOOPS, "8 channels × 1 image · micro-tile 16×6, our own loops" },
    { 1, 9, 3, 27, TRUE, TRUE, LS_GEMM_SCALAR, "1 channel × 3 images · micro-tile 16×6, our scalar loops" },
    { 16, 9, 128, 27, TRUE, FALSE, LS_GEMM_NAIVE,
      "16 channels × 128 images · micro-tile of another core, 16×6, our naive loops" },
  };
  g_autoptr (LsViewData) data = ls_fixture_tiles (NULL, 128, TRUE, TRUE);
  LsTilesState asked = LS_TILES_STATE_INIT;
  LsQuery query = { LS_QUERY_FIELDS, .op = 1, .state = &asked };

  asked.cpu_side = TRUE;
  g_autoptr (LsLayout) layout = draw_view (&ls_view_tiles, data, &query, LS_LOOK_LIGHT, 1920, 1080);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      LsTiles t = *(const LsTiles *) layout->own;
      LsTilesCpu cpu = *t.cpu;

      cpu.rows = cases[i].rows;
      cpu.cols = cases[i].cols;
      cpu.images = cases[i].images;
      cpu.known = cases[i].known;
      cpu.model.rows = 16;
      cpu.model.cols = 6;
      cpu.model.by = cases[i].by;
      t.cpu = &cpu;
      t.window = cases[i].window;
      t.kind = cases[i].conv ? LS_TILES_CONV : LS_TILES_PLAIN;
      ls_scene_clear (layout->still);
      ls_tiles_what_line (&t, (LsArea){ 0, 100, 3840, 60 });
      const LsItem *said = find_text (layout->still, "micro-tile");
      if (said == NULL)
        g_error ("nothing is said of the tile, where it should “%s”", cases[i].words);
      g_assert_cmpstr (said->text, ==, cases[i].words);
    }
}

/* What the reference computed in the CPU lane's place has no tiles, nor has what was cut into none. */
static void
test_cpu_none (void)
{
  for (guint how = 0; how < 6; how++)
    {
      g_autoptr (LsViewData) data = ls_fixture_tiles (NULL, 128, TRUE, TRUE);
      LsTilesState asked = LS_TILES_STATE_INIT;
      LsQuery query = { LS_QUERY_FIELDS, .op = 1, .state = &asked };
      LsTiling *tiling = &data->recording->lanes[0].tilings[1];
      gint64 *const sizes[] = { &tiling->tile_rows, &tiling->tile_cols };
      guint *const counts[] = { &tiling->grid_rows, &tiling->grid_cols };

      if (how == 1)
        tiling->reference = TRUE;
      else if (how == 2 || how == 3)
        *sizes[how - 2] = 0;
      else if (how > 3)
        *counts[how - 4] = 0;
      asked.cpu_side = TRUE;
      g_autoptr (LsLayout) layout = draw_view (&ls_view_tiles, data, &query, LS_LOOK_LIGHT, 1920, 1080);
      const LsTiles *t = layout->own;
      if ((t->cpu != NULL) != (how == 0))
        g_error ("%s the CPU’s side is%s shown",
                 how == 0   ? "of an op in tiles"
                 : how == 1 ? "where the reference computed"
                            : "of an op that wasn’t cut",
                 t->cpu != NULL ? "" : " not");
      g_assert_cmpint (find_text (layout->still, "micro-tile") != NULL, ==, how == 0);
    }
}

/* The element in which the lanes differ is framed in C, as far along as its column and down as its row. */
static void
test_difference (void)
{
  static const gint64 elements[][2] = { { 0, 0 }, { 3, 7 }, { 120, 9 }, { 28, 255 }, { 127, 0 } };
  g_autoptr (LsViewData) data = ls_fixture_tiles (NULL, 128, TRUE, TRUE);
  LsTilesState asked = LS_TILES_STATE_INIT;
  LsQuery query = { LS_QUERY_FIELDS, .op = 1, .state = &asked };

  for (guint i = 0; i < G_N_ELEMENTS (elements); i++)
    {
      const gint64 row = elements[i][0], col = elements[i][1], m = data->recording->ops[1].attr.m,
                   n = data->recording->ops[1].attr.n;
      guint framed = 0;

      g_assert_true (row < m && col < n);
      data->difference
        = (LsDifference){ .found = TRUE, .op = 1, .rank = 2, .shape = { m, n }, .element = row * n + col };
      g_autoptr (LsLayout) layout = draw_view (&ls_view_tiles, data, &query, LS_LOOK_LIGHT, 1920, 1080);
      const LsArea *c = &((const LsTiles *) layout->own)->at_c;
      query.time_ns = layout->span_ns / 2;
      ls_layout_move (layout, &query);
      for (guint k = 0; k < layout->moving->items->len; k++)
        {
          const LsItem *item = ls_scene_get (layout->moving, k);
          framed
            += item->kind == LS_ITEM_FRAME && item->w < 20
               && fabs ((double) (item->x + item->w / 2) - c->x - c->w * ((double) col + .5) / (double) n)
                    < .2
               && fabs ((double) (item->y + item->h / 2) - c->y - c->h * ((double) row + .5) / (double) m)
                    < .2;
        }
      if (framed == 0)
        g_error ("the lanes differ in row %d, column %d, where C has no frame", (gint) row, (gint) col);
      g_autofree char *words = g_strdup_printf ("element (%d, %d) differs", (gint) row, (gint) col);
      if (find_text (layout->moving, words) == NULL)
        g_error ("“%s” isn’t said", words);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/paint/tiles-sides/tiles", test_tiles);
  g_test_add_func ("/paint/tiles-sides/no-opencl", test_no_opencl);
  g_test_add_func ("/paint/tiles-sides/partition", test_partition);
  g_test_add_func ("/paint/tiles-sides/options", test_options);
  g_test_add_func ("/paint/tiles-sides/not-run", test_not_run);
  g_test_add_func ("/paint/tiles-sides/cpu-line", test_cpu_line);
  g_test_add_func ("/paint/tiles-sides/cpu-none", test_cpu_none);
  g_test_add_func ("/paint/tiles-sides/difference", test_difference);
  return g_test_run ();
}
