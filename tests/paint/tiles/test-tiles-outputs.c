/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The CPU's side of Tiles where a convolution was computed with outputs as lanes: the picture that is copied,
 * the micro-tiles of pixels, and what they load.
 */
#include "tests/paint/draw.h"
#include "tests/paint/said.h"
#include "ui/paint/tiles/tiles_cpu.h"
#include "ui/paint/views.h"
#include "cpu_step.h"

/* Pixels of a row in blocks as even as can be, or of two rows of fewer than 8; a vector of outputs, or all.
 */
static void
test_micro_tiles (void)
{
  static const struct {
    gint64 outputs, row;
    guint rows, cols;
  } cases[] = {
    { 32, 14, 16, 14 }, { 16, 28, 16, 14 }, { 16, 7, 16, 14 }, { 13, 8, 13, 8 },
    { 16, 17, 16, 9 },  { 48, 16, 16, 16 }, { 16, 4, 16, 8 },  { 16, 1, 16, 2 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      const LsGemmLane lane = { "Cooperlake", TRUE, 16, LS_WAY_BY_OUTPUTS };
      const LsGemmCall call = { cases[i].outputs, 14 * cases[i].row, 144, .use = LS_GEMM_BY_OUTPUTS,
                                .row = cases[i].row };
      LsBlasModel model;

      g_assert_true (ls_gemm_model (&lane, &call, &model));
      g_assert_cmpint (model.by, ==, LS_GEMM_LOOPS);
      g_assert_cmpuint (model.rows, ==, cases[i].rows);
      g_assert_cmpuint (model.cols, ==, cases[i].cols);
      g_assert_cmpuint (model.used, ==, cases[i].cols); /* a register of outputs for each pixel */
      g_assert_false (model.packs_a || model.packs_b);
    }
}

/* Micro-tile after micro-tile of the first image, all its pixels, row after row. */
static void
check_pixels (const LsTiles *t, gint64 height, gint64 width)
{
  gint64 next = 0, last = -1;

  for (guint i = 0; i <= 20000; i++)
    {
      LsTilesCpuNow now;

      ls_tiles_cpu_now (t, t->span_ns * i / 20000, &now);
      if (now.stage != LS_TILES_MULTIPLY || now.at.round > 0 || now.sliver == last)
        continue;
      last = now.sliver;
      g_assert_cmpint (ls_tiles_cpu_first_col (t, &now), ==, t->cpu->col + next);
      const gint64 end = next + now.model.cols, row = (next / width + 1) * width;
      next = now.model.cols <= width ? MIN (end, row) : end; /* a row's last block may be shorter */
    }
  g_assert_cmpint (next, >=, height * width);
  g_assert_cmpint (next, <, height * width + 2 * width);
}

/* One plane of the picture for each channel, with zeros round it. For three places of the kernel each pixel
 * of a micro-tile is loaded once, and the two beside them of each of its rows; weights for each place. */
static void
check_op (const LsViewData *data, guint op)
{
  LsTilesState asked = LS_TILES_STATE_INIT;
  LsQuery query = { LS_QUERY_FIELDS, .state = &asked };
  LsTilesCpuNow now;
  LsTiles t;

  query.op = op;
  asked.cpu_side = TRUE;
  asked.group_row = asked.group_col = 0;
  g_assert_true (ls_tiles_init (&t, NULL, data, &query));
  g_assert_nonnull (t.cpu);
  const gboolean back = t.kind == LS_TILES_CONV_DX;
  const gint64 height = back ? t.conv.height : t.conv.rows, width = back ? t.conv.width : t.conv.cols,
               rows = width < 8 ? 2 : 1;

  g_assert_cmpint (t.cpu->use, ==, LS_GEMM_BY_OUTPUTS);
  g_assert_cmpint (ls_tiles_cpu_picture (&t, height), ==,
                   (back ? t.conv.outputs : t.conv.channels) * (height + 2) * (width + 2));
  check_pixels (&t, height, width);
  ls_tiles_cpu_now (&t, LS_TIME_END, &now);
  g_assert_cmpint (now.call.rows, ==, height); /* one strip */
  g_assert_cmpint (ls_tiles_cpu_copied (&t, &now.call), ==, ls_tiles_cpu_picture (&t, height));
  g_assert_cmpint (ls_tiles_cpu_count (&t, &now).registers, ==,
                   4 * t.cpu->images * now.slivers * now.groups * now.call.k
                     * (now.model.rows + (now.model.cols + 2 * rows + 2) / 3));
  ls_tiles_clear (&t);
}

/* At each moment the walk is in a stage that the call has, and as far in it as there is of it; the
 * micro-tiles begin one after the other, also at the very nanosecond at which one does. */
static void
check_walk (const LsTiles *t, guint op)
{
  gint64 before = -1;

  for (gint64 time = 0; time < t->span_ns; time++)
    {
      LsTilesCpuNow now;

      ls_tiles_cpu_now (t, time, &now);
      if (now.stage >= LS_TILES_N_STAGES || !ls_tiles_cpu_has (t, &now, now.stage))
        g_error ("op %u at %" G_GINT64_FORMAT " of %" G_GINT64_FORMAT
                 " ns: the walk is in stage %d, which takes "
                 "no time",
                 op, time, t->span_ns, (gint) now.stage);
      if (!(now.part >= 0 && now.part <= 1))
        g_error ("op %u at %" G_GINT64_FORMAT " ns: %g of stage %d are done", op, time, now.part,
                 (gint) now.stage);
      if (now.stage == LS_TILES_MULTIPLY)
        {
          const gint64 at = (now.at.round * now.slivers + now.sliver) * now.groups + now.group;
          g_assert_cmpint (at, >=, before);
          before = at;
        }
    }
}

static void
test_moments (void)
{
  static const char *const ways[] = { "direct by outputs", "direct", "own loops" };
  guint seen = 0;

  for (guint w = 0; w < G_N_ELEMENTS (ways); w++)
    {
      g_autoptr (LsViewData) data = make_data (
        "conv 16 3 pad 1, relu, maxpool 2, conv 17 3 pad 1, relu, flatten, dense 10", 3, ways[w]);

      for (guint op = 0; op < data->recording->n_ops; op++)
        {
          LsTilesState asked = LS_TILES_STATE_INIT;
          LsQuery query = { LS_QUERY_FIELDS, .state = &asked };
          LsTiles t;

          query.op = op;
          asked.cpu_side = TRUE;
          if (ls_tiles_init (&t, NULL, data, &query) && t.cpu != NULL)
            {
              check_walk (&t, op);
              seen++;
            }
          ls_tiles_clear (&t);
        }
    }
  g_assert_cmpuint (seen, >=, 15);
}

static void
test_ops (void)
{
  static const char *const models[] = {
    "conv 16 3 pad 1, relu, maxpool 2, conv 17 3 pad 1, relu, flatten, dense 10",
    "conv 16 3 pad 1, relu, maxpool 4, conv 32 3 pad 1, relu, flatten, dense 10",
    "conv 16 3 pad 1, relu, maxpool 3, conv 32 3 pad 1, relu, flatten, dense 10", /* rows of one block */
  };

  for (guint i = 0; i < 2 * G_N_ELEMENTS (models); i++)
    {
      g_autoptr (LsViewData) data = make_data (models[i / 2], 3, "direct by outputs");
      guint seen = 0;

      data->recording->lanes[0].device->numbers[LS_DEVICE_LOOP_FLOATS] = i % 2 ? 16 : 8;

      for (guint op = 0; op < data->recording->n_ops; op++)
        {
          LsTilesKind kind;
          LsTilesConv conv;

          if (!ls_tiles_kind (data->recording, op, &kind, &conv) || kind == LS_TILES_PLAIN
              || kind == LS_TILES_CONV_DW)
            continue;
          check_op (data, op);
          seen++;
        }
      g_assert_cmpuint (seen, ==, 3); /* both forwards, one back */
    }
}

/* Of an op whose tiles are OpenBLAS's, the last ones may be small enough for the loops. */
static void
test_edge (void)
{
  g_autoptr (LsViewData) data = make_data ("flatten, dense 1000, relu, dense 10", 500, NULL);
  LsTilesState asked = { .cpu_side = TRUE };
  LsQuery query = { LS_QUERY_FIELDS, .state = &asked, .op = 1 };

  ls_tiling_set (&data->recording->lanes[0].tilings[1], 500, 1000, 400, 800);
  for (gint last = 0; last < 2; last++)
    {
      LsTiles t;
      asked.group_row = asked.group_col = last;
      g_assert_true (ls_tiles_init (&t, NULL, data, &query));
      g_assert_cmpint (t.cpu->use, ==, last ? LS_GEMM_OWN : LS_GEMM_PLAIN);
      ls_tiles_clear (&t);
    }
}

/* A tile's calls follow each other without a gap: along the columns of C each with all products, or along the
 * products each with all columns. Of a convolution a call is a strip of an image's rows, and the last one of
 * an image as many as are left. Before the first one it is the first, after the last one the last. */
static guint
check_calls (const LsViewData *data, guint op)
{
  LsTilesState asked = { .cpu_side = TRUE };
  LsQuery query = { LS_QUERY_FIELDS, .state = &asked, .op = op };
  gint64 col, k = 0, rows = 0, floats = 0;
  guint shorter = 0;
  LsTilesCall call;
  LsTilesCpuNow end;
  LsTiles t;

  g_assert_true (ls_tiles_init (&t, NULL, data, &query));
  if (t.cpu == NULL)
    {
      ls_tiles_clear (&t);
      return 0;
    }
  const LsTilesCpu *cpu = t.cpu;
  const gboolean conv = t.kind != LS_TILES_PLAIN;
  col = cpu->col;
  for (gint64 round = 0; round < t.rounds; round++)
    {
      ls_tiles_cpu_call (&t, round, &call);
      g_assert_cmpint (call.col, ==, col);
      g_assert_cmpint (call.k0, ==, k);
      if (cpu->along)
        {
          g_assert_cmpint (call.k, ==, t.gemm.k);
          col += call.cols;
        }
      else
        {
          g_assert_cmpint (call.cols, ==, cpu->cols);
          k += call.k;
        }
      if (!conv)
        continue;
      const gint64 strip = round % cpu->strips, left = cpu->made_rows - rows; /* of that image */
      g_assert_cmpint (call.image, ==, cpu->image + round / cpu->strips);
      g_assert_cmpint (call.strip, ==, strip);
      if (call.rows != MIN (cpu->strip, left) || call.rows < 1)
        g_error ("op %u: of %d rows that are left, %d at a time, call %d makes %d", op, (gint) left,
                 (gint) cpu->strip, (gint) round, (gint) call.rows);
      g_assert_cmpint (cpu->along ? call.cols : call.k, ==, call.rows * cpu->made_cols);
      shorter += call.rows < cpu->strip;
      floats += ls_tiles_cpu_picture (&t, call.rows);
      rows = strip + 1 == cpu->strips ? 0 : rows + call.rows;
    }
  g_assert_cmpint (rows, ==, 0);
  /* a picture for each call; weights are read once for all of them, towards the weights dY of each strip */
  ls_tiles_cpu_now (&t, LS_TIME_END, &end);
  floats += cpu->rows * t.gemm.k;
  if (cpu->planes > 0 && ls_tiles_cpu_count (&t, &end).l2 != 4 * floats)
    g_error ("op %u: %d calls fetch %d bytes from beyond the second cache, not %d", op, (gint) t.rounds,
             (gint) ls_tiles_cpu_count (&t, &end).l2, (gint) (4 * floats));
  g_assert_cmpint (cpu->along ? col - cpu->col : k, ==, cpu->along ? cpu->cols : t.gemm.k);
  for (gint beyond = 0; beyond < 2; beyond++)
    {
      LsTilesCall last;
      ls_tiles_cpu_call (&t, beyond ? t.rounds + 3 : -1, &call);
      ls_tiles_cpu_call (&t, beyond ? t.rounds - 1 : 0, &last);
      g_assert_true (call.col == last.col && call.cols == last.cols && call.k0 == last.k0 && call.k == last.k
                     && call.image == last.image && call.strip == last.strip && call.rows == last.rows);
    }
  ls_tiles_clear (&t);
  return shorter;
}

static void
test_calls (void)
{
  static const struct {
    const char *model, *kernel;
    guint batch;
  } cases[] = { { "conv 48 3 pad 1, relu, conv 64 5, relu, flatten, dense 10", NULL, 4 },
                { "conv 48 3 pad 1, relu, conv 64 5, relu, flatten, dense 10", "direct by outputs", 4 },
                { "conv 48 3 pad 1, relu, conv 64 5, relu, flatten, dense 10", "direct", 4 },
                { "conv 96 3 pad 1, relu, conv 96 3 pad 1, relu, flatten, dense 10", NULL, 4 },
                { "flatten, dense 600, relu, dense 10", NULL, 32 } };
  guint shorter = 0;

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (LsViewData) data = make_data (cases[i].model, cases[i].batch, cases[i].kernel);
      for (guint op = 0; op < data->recording->n_ops; op++)
        if (strcmp (data->recording->ops[op].name, "matmul") == 0
            || g_str_has_prefix (data->recording->ops[op].name, "conv2d"))
          shorter += check_calls (data, op);
    }
  g_assert_cmpuint (shorter, >, 0);
}

/* Which loops are written out of a product, and what they copy first: OpenBLAS both factors, our own loops a
 * panel of B where there are more rows than it would pay for; what reads a picture copies nothing in them. */
static void
test_copied (void)
{
  static const struct {
    const char *model, *kernel, *op, *call;
    guint batch;
    gboolean copies_b, packs_both;
  } cases[] = {
    { "flatten, dense 1000, relu, dense 10", NULL, "matmul", "sgemm (", 500, FALSE, TRUE },
    { "flatten, dense 1000, relu, dense 10", "own loops", "matmul", "gemm_loops (", 500, TRUE, FALSE },
    { "flatten, dense 1000, relu, dense 10", "scalar loops", "matmul", "gemm_scalar (", 500, TRUE, FALSE },
    { "conv 16 3 pad 1, relu, flatten, dense 10", "direct", "conv2d", "direct_loops (", 3, FALSE, FALSE },
    { "conv 16 3 pad 1, relu, flatten, dense 10", "direct by outputs", "conv2d", "direct_outputs (", 3, FALSE,
      FALSE },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (LsViewData) data = make_data (cases[i].model, cases[i].batch, cases[i].kernel);
      LsTilesState asked = LS_TILES_STATE_INIT;
      LsQuery query = { LS_QUERY_FIELDS, .state = &asked };

      while (strcmp (data->recording->ops[query.op].name, cases[i].op) != 0)
        query.op++;
      asked.cpu_side = TRUE;
      asked.group_row = asked.group_col = 0;
      g_autoptr (LsLayout) layout = draw_view (&ls_view_tiles, data, &query, LS_LOOK_LIGHT, 3840, 2160);
      g_assert_nonnull (((const LsTiles *) layout->own)->cpu);
      query = layout->query;
      query.time_ns = layout->span_ns / 2;
      ls_layout_move (layout, &query);
      g_autofree char *all = all_texts (layout->moving, "\n");
      if (strstr (all, cases[i].call) == NULL)
        g_error ("of %s with %s “%s” isn’t written: %s", cases[i].op,
                 cases[i].kernel != NULL ? cases[i].kernel : "OpenBLAS", cases[i].call, all);
      if ((strstr (all, "copy_B (Bp, ") != NULL) != cases[i].copies_b
          || (strstr (all, "pack_B (Bp, ") != NULL) != cases[i].packs_both
          || (strstr (all, "pack_A (Ap, ") != NULL) != cases[i].packs_both)
        g_error ("what %s copies of %u rows is written wrongly: %s", cases[i].call, cases[i].batch, all);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/tiles-outputs/micro-tiles", test_micro_tiles);
  g_test_add_func ("/tiles-outputs/ops", test_ops);
  g_test_add_func ("/tiles-outputs/moments", test_moments);
  g_test_add_func ("/tiles-outputs/edge", test_edge);
  g_test_add_func ("/tiles-outputs/calls", test_calls);
  g_test_add_func ("/tiles-outputs/copied", test_copied);
  return g_test_run ();
}
