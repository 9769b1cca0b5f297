/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The CPU's side of Tiles: the calls of which a tile of the CPU lane consists, who computes them, and where
 * the walk is.
 */
#include <math.h>
#include <string.h>

#include "core/number.h"
#include "tests/paint/draw.h"
#include "tests/paint/fixture.h"
#include "tests/paint/numbers.h"
#include "tests/paint/said.h"
#include "tests/paint/states.h"
#include "tests/plain.h"
#include "ui/paint/tiles/tiles_cpu.h"
#include "ui/paint/views.h"
#include "cpu_step.h"

static void
test_cpu_walk (void)
{
  g_autoptr (LsViewData) data = make_data (NULL, 128, NULL);
  LsTilesState asked = LS_TILES_STATE_INIT;
  LsQuery query = { LS_QUERY_FIELDS, .state = &asked };
  LsBlasTraffic before = { 0 };
  LsTilesCpuNow now;
  LsTiles t;

  query.op = 1;
  asked.cpu_side = TRUE;
  g_assert_true (ls_tiles_init (&t, NULL, data, &query));
  g_assert_nonnull (t.cpu);
  for (guint i = 0; i <= 3000; i++)
    {
      LsBlasTraffic traffic;
      ls_tiles_cpu_now (&t, t.span_ns * i / 3000, &now);
      traffic = ls_tiles_cpu_count (&t, &now);
      g_assert_cmpint (traffic.registers, >=, before.registers);
      g_assert_cmpint (traffic.l1, >=, before.l1);
      g_assert_cmpint (traffic.l2, >=, before.l2);
      g_assert_cmpint (traffic.flops, >=, before.flops);
      g_assert_true (now.sliver < now.slivers && now.group < now.groups && now.step <= now.call.k);
      before = traffic;
    }
  g_assert_cmpint (now.at.round, ==, t.rounds);
  /* packing reads each factor's part once for each panel */
  g_assert_cmpint (before.l2, ==, 4 * t.gemm.k * (t.cpu->rows + t.cpu->cols));
  g_assert_cmpint (before.registers, >, before.l1);
  g_assert_cmpint (before.l1, >, before.l2);
  ls_tiles_clear (&t);
}

/* B of the gradient towards the weights: columns (u, channel, v), rows (image, r, s). */
static void
check_pixel (const LsTiles *t, gint64 k, gint64 col)
{
  const LsTilesConv *c = &t->conv;
  const gint64 image = k / (c->rows * c->cols), r = k / c->cols % c->rows, s = k % c->cols;
  const gint64 channel = col / c->window % c->channels;
  const gint64 h = r + col / c->window / c->channels - c->pad, w = s + col % c->window - c->pad;
  const gboolean inside = h >= 0 && h < c->height && w >= 0 && w < c->width;
  const double wanted
    = inside ? (double) t->b.values[((image * c->channels + channel) * c->height + h) * c->width + w] : 0;

  g_assert_cmpfloat (ls_tiles_value (&t->b, k, col), ==, wanted);
}

/* A convolution's tile is a call for each strip of each image; together they compute the op's part.
 */
static void
check_cpu_conv (const LsViewData *data, guint op, LsTilesKind kind, LsGemmUse use)
{
  LsTilesState asked = LS_TILES_STATE_INIT;
  LsQuery query = { LS_QUERY_FIELDS, .state = &asked };
  LsTilesCpuNow now;
  LsTilesCall call;
  gint64 columns = 0, products = 0;
  LsTiles t;

  query.op = op;
  asked.cpu_side = TRUE;
  asked.group_row = asked.group_col = 0;
  g_assert_true (ls_tiles_init (&t, NULL, data, &query));
  g_assert_nonnull (t.cpu);
  g_assert_cmpint (t.kind, ==, kind);
  g_assert_cmpint (t.cpu->use, ==, use);
  for (gint64 round = 0; round < t.rounds; round++)
    {
      ls_tiles_cpu_call (&t, round, &call);
      columns += t.cpu->along ? call.cols : 0;
      products += t.cpu->along ? 0 : call.k;
      g_assert_cmpint (call.col + call.cols, <=, t.gemm.n);
      g_assert_cmpint (call.k0 + call.k, <=, t.b.rows);
      /* the last element that the call reads is one of the tensor */
      g_assert_false (isnan (ls_tiles_value (&t.b, call.k0 + call.k - 1, call.col + call.cols - 1)));
    }
  /* what is copied before it is multiplied: all of B's part, or the images in zeros, and the gradient's rows
   */
  const gint64 picture = ls_tiles_cpu_picture (&t, call.rows);
  const gint64 copied = use == LS_GEMM_COLUMNS   ? call.cols * call.k
                        : use == LS_GEMM_PICTURE ? picture
                                                 : picture + t.cpu->rows * call.k;
  g_assert_cmpint (ls_tiles_cpu_copied (&t, &call), ==, copied);
  g_assert_cmpint (columns, ==, t.cpu->along ? t.cpu->cols : 0);
  g_assert_cmpint (products, ==, t.cpu->along ? 0 : t.gemm.k);
  if (use == LS_GEMM_PIXELS)
    for (gint64 col = 0; col < t.gemm.n; col++)
      check_pixel (&t, col * 37 % t.gemm.k, col);
  ls_tiles_cpu_now (&t, ls_tiles_cpu_still (&t), &now);
  g_assert_cmpint (now.stage, ==, LS_TILES_MULTIPLY);
  g_assert_cmpint (now.at.round, ==, t.rounds > 1 ? 1 : 0); /* the second call, where there is one */
  ls_tiles_cpu_now (&t, 0, &now);
  g_assert_cmpint (now.stage, ==, LS_TILES_GATHER);
  ls_tiles_cpu_now (&t, LS_TIME_END, &now);
  g_assert_cmpint (ls_tiles_cpu_count (&t, &now).flops, >=,
                   2 * t.cpu->rows * (t.cpu->along ? t.cpu->cols * t.gemm.k : t.cpu->cols * products));
  ls_tiles_clear (&t);
}

/* Of a gradient whose tile is a product for each phase of the windows' steps the CPU's picture isn't drawn.
 */
static void
check_no_picture (const LsViewData *data, guint op)
{
  LsTilesState asked = LS_TILES_STATE_INIT;
  LsQuery query = { LS_QUERY_FIELDS, .state = &asked };
  LsTiles t;

  query.op = op;
  asked.cpu_side = TRUE;
  g_assert_true (ls_tiles_init (&t, NULL, data, &query));
  g_assert_null (t.cpu);
  ls_tiles_clear (&t);
}

static void
test_cpu_conv (void)
{
  static const struct {
    const char *model, *kernel;
    guint columns, pictures, pixels;
  } cases[] = {
    { "conv 5 3 pad 1, relu, maxpool 2, conv 6 3 stride 2, relu, flatten, dense 10", NULL, 4, 0, 0 },
    { "conv 16 3 pad 1, relu, maxpool 2, conv 17 3 pad 1, relu, flatten, dense 10", "direct", 0, 3, 2 },
    /* what no lane makes, a recording may still say */
    { "conv 16 3 pad 1, relu, maxpool 2, conv 17 3 stride 2, relu, flatten, dense 10", "direct", 2, 1, 1 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (LsViewData) data = make_data (cases[i].model, 3, cases[i].kernel);
      guint seen[LS_GEMM_PIXELS + 1] = { 0 };

      for (guint op = 0; op < data->recording->n_ops; op++)
        {
          LsTilesKind kind;
          LsTilesConv conv;
          LsGemmUse use = LS_GEMM_COLUMNS;
          if (!ls_tiles_kind (data->recording, op, &kind, &conv) || kind == LS_TILES_PLAIN)
            continue;
          if (kind == LS_TILES_CONV_DX && conv.stride > 1)
            {
              check_no_picture (data, op);
              continue;
            }
          if (cases[i].kernel != NULL && conv.stride == 1)
            use = kind == LS_TILES_CONV_DW ? LS_GEMM_PIXELS : LS_GEMM_PICTURE;
          check_cpu_conv (data, op, kind, use);
          seen[use]++;
        }
      g_assert_cmpuint (seen[LS_GEMM_COLUMNS], ==, cases[i].columns);
      g_assert_cmpuint (seen[LS_GEMM_PICTURE], ==, cases[i].pictures);
      g_assert_cmpuint (seen[LS_GEMM_PIXELS], ==, cases[i].pixels);
    }
}

/* Who computes a call, as backends/cpu/gemm.c decides. */
static void
test_cpu_who (void)
{
  static const struct {
    const char *core;
    gboolean large;
    gint64 m, n, k;
    gboolean tb;
    LsGemmUse use;
    LsGemmBy by;
    guint rows, cols;
    gboolean packs_b;
    LsWay way;
    gint64 window;
  } cases[] = {
    { "Cooperlake", TRUE, 128, 64, 256, FALSE, LS_GEMM_PLAIN, LS_GEMM_BLAS, 24, 16, TRUE },
    { "Cooperlake", TRUE, 128, 64, 16, TRUE, LS_GEMM_PLAIN, LS_GEMM_LOOPS, 8, 32, TRUE },
    { "Cooperlake", TRUE, 16, 64, 16, FALSE, LS_GEMM_PLAIN, LS_GEMM_LOOPS, 8, 32, FALSE },
    { "Cooperlake", TRUE, 16, 784, 9, FALSE, LS_GEMM_COLUMNS, LS_GEMM_BLAS_SMALL, 4, 64, FALSE },
    { "Cooperlake", TRUE, 16, 144, 784, TRUE, LS_GEMM_COLUMNS, LS_GEMM_BLAS, 24, 16, TRUE },
    { "Cooperlake", TRUE, 128, 64, 256, FALSE, LS_GEMM_OWN, LS_GEMM_LOOPS, 8, 32, TRUE },
    { "Haswell", FALSE, 128, 64, 256, TRUE, LS_GEMM_PLAIN, LS_GEMM_LOOPS, 6, 16, TRUE },
    { "Haswell", FALSE, 16, 784, 9, FALSE, LS_GEMM_COLUMNS, LS_GEMM_BLAS, 12, 8, TRUE },
    { "Cooperlake", TRUE, 16, 784, 9, FALSE, LS_GEMM_PICTURE, LS_GEMM_LOOPS, 8, 32, FALSE },
    { "Cooperlake", TRUE, 33, 196, 144, FALSE, LS_GEMM_PICTURE, LS_GEMM_LOOPS, 7, 32, FALSE },
    { "Cooperlake", TRUE, 16, 16, 9, FALSE, LS_GEMM_PICTURE, LS_GEMM_LOOPS, 8, 16, FALSE },
    { "Haswell", TRUE, 32, 196, 144, FALSE, LS_GEMM_PICTURE, LS_GEMM_LOOPS, 6, 16, FALSE },
    { "Cooperlake", TRUE, 32, 144, 196, FALSE, LS_GEMM_PIXELS, LS_GEMM_LOOPS, 32, 9, FALSE },
    { "Cooperlake", TRUE, 12, 25, 784, FALSE, LS_GEMM_PIXELS, LS_GEMM_LOOPS, 12, 9, FALSE },
    { "Haswell", TRUE, 16, 9, 784, FALSE, LS_GEMM_PIXELS, LS_GEMM_LOOPS, 16, 5, FALSE },
    /* a row of a kernel of 3×3 at a time: 48 places in 6 blocks; 3 are too few, all 9 are done at once */
    { "Cooperlake", TRUE, 32, 144, 196, FALSE, LS_GEMM_PIXELS, LS_GEMM_LOOPS, 32, 8, FALSE, .window = 3 },
    { "Cooperlake", TRUE, 16, 9, 784, FALSE, LS_GEMM_PIXELS, LS_GEMM_LOOPS, 16, 9, FALSE, .window = 3 },
    /* as the tiling says it, whatever the core */
    { NULL, FALSE, 128, 64, 256, FALSE, LS_GEMM_OWN, LS_GEMM_NAIVE, 1, 1, FALSE, LS_WAY_NAIVE_LOOPS },
    { NULL, FALSE, 128, 64, 256, TRUE, LS_GEMM_OWN, LS_GEMM_SCALAR, 3, 4, TRUE, LS_WAY_SCALAR_LOOPS },
    { NULL, FALSE, 16, 784, 9, FALSE, LS_GEMM_COLUMNS, LS_GEMM_NAIVE, 1, 1, FALSE, LS_WAY_NAIVE_LOOPS },
    { "Cooperlake", TRUE, 16, 784, 9, FALSE, LS_GEMM_COLUMNS, LS_GEMM_LOOPS, 8, 32, FALSE, LS_WAY_OWN_LOOPS },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      const LsGemmLane lane = { cases[i].core, cases[i].large, 0, cases[i].way };
      const LsGemmCall call = { cases[i].m,  cases[i].n,   cases[i].k,     FALSE,
                                cases[i].tb, cases[i].use, cases[i].window };
      LsBlasModel model;

      g_assert_true (ls_gemm_model (&lane, &call, &model));
      g_assert_cmpint (model.by, ==, cases[i].by);
      g_assert_cmpuint (model.rows, ==, cases[i].rows);
      g_assert_cmpuint (model.cols, ==, cases[i].cols);
      g_assert_cmpint (model.packs_b, ==, cases[i].packs_b);
      g_assert_cmpuint (model.used, <=, model.registers);
    }
}

/* The equation below the registers adds the step's product to the sum of those before it, from 0 on. */
static void
test_cpu_sum (void)
{
  g_autoptr (LsViewData) data = ls_fixture_tiles ("flatten, dense 37, relu, dense 10", 29, TRUE, TRUE);
  LsTilesState asked = LS_TILES_STATE_INIT;
  LsQuery query = { LS_QUERY_FIELDS, .state = &asked };
  gboolean seen[9] = { FALSE };
  LsTiles t;

  query.op = 1;
  query.chrome = TRUE;
  asked.cpu_side = TRUE;
  g_assert_true (ls_tiles_init (&t, NULL, data, &query));
  for (guint i = 0; i <= 4000; i++)
    {
      LsTilesCpuNow now;
      double sum = 0;

      query.time_ns = t.span_ns * i / 4000;
      ls_tiles_cpu_now (&t, query.time_ns, &now);
      if (now.call.k0 != 0 || now.step >= G_N_ELEMENTS (seen) || seen[now.step])
        continue;
      const gint64 row
        = t.cpu->row + (gint64) now.group * now.model.rows + MIN (t.item_row, now.model.rows - 1),
        col = t.cpu->col + (gint64) now.sliver * now.model.cols + MIN (t.item_col, now.model.cols - 1);
      for (gint64 k = 0; k < (gint64) now.step; k++)
        sum += ls_tiles_value (&t.a, row, k) * ls_tiles_value (&t.b, k, col);
      g_autoptr (LsLayout) layout = draw_view (&ls_view_tiles, data, &query, LS_LOOK_LIGHT, 1920, 1080);
      g_autofree char *number = ls_number_text (sum, 3), *words = g_strdup_printf ("] = %s + a[", number),
                      *texts = all_texts (layout->moving, "\n");
      if (strstr (texts, "] = ") == NULL) /* it isn't at the registers */
        continue;
      seen[now.step] = TRUE;
      if (strstr (texts, words) == NULL)
        g_error ("after %u products “%s” isn't said:\n%s", now.step, words, texts);
    }
  g_assert_true (seen[0] && seen[1] && seen[5]);
  ls_tiles_clear (&t);
}

/* The equation's three numbers are those that the picked element's legend has beside its names; and the panel
 * in work is the one after those that are done. */
static void
test_cpu_told (void)
{
  g_autoptr (LsViewData) data = make_data (NULL, 128, NULL);
  LsTilesState asked = LS_TILES_STATE_INIT;
  LsQuery query = { LS_QUERY_FIELDS, .state = &asked };
  guint equations = 0;

  query.op = 1;
  asked.cpu_side = TRUE;
  asked.item_row = 2;
  asked.item_col = 5;
  g_autoptr (LsLayout) layout = draw_view (&ls_view_tiles, data, &query, LS_LOOK_LIGHT, 3840, 2160);
  const LsTiles *t = layout->own;
  for (guint i = 0; i <= 97; i++)
    {
      LsTilesCpuNow now;

      query.time_ns = t->span_ns * i / 97;
      ls_layout_move (layout, &query);
      ls_tiles_cpu_now (t, query.time_ns, &now);
      const gboolean over = i == 97;
      const guint panel = (guint) MIN (now.at.round + 1, t->rounds);
      g_autofree char *texts = plain (all_texts (layout->moving, "\n")),
                      *words = over ? g_strdup_printf ("k panel\n%u\nof 4\nall done, C stored\n", panel)
                                    : g_strdup_printf ("k panel\n%u\nof 4\n%u done, 1 in work\n", panel,
                                                       panel - 1);
      if (strstr (texts, words) == NULL) /* 784 products are 3 panels of 256 and one of 16 */
        g_error ("in panel %u it isn’t said “%s”:\n%s", panel, words, texts);
      const char *equation = strstr (texts, "c[2][5] = ");
      g_assert_cmpint (equation != NULL, ==, now.stage >= LS_TILES_MULTIPLY);
      if (equation == NULL)
        continue;
      const char *c = beside (layout, "c[2][5]"), *a = beside (layout, "a[2]"), *b = beside (layout, "b[5]");
      g_assert_true (c != NULL && a != NULL && b != NULL);
      const gboolean a_minus = g_str_has_prefix (a, "−"), b_minus = g_str_has_prefix (b, "−");
      g_autofree char *should = g_strdup_printf ("c[2][5] = %s + a[2] · b[5] = %s + %s%s%s × %s%s%s = ", c, c,
                                                 a_minus ? "(" : "", a, a_minus ? ")" : "",
                                                 b_minus ? "(" : "", b, b_minus ? ")" : ""),
                      *last = g_strdup_printf ("c[2][5] = %s\n", c); /* nothing is added any more */
      if (!g_str_has_prefix (equation, over ? last : should))
        g_error ("beside the micro-tile stand %s, %s and %s, and below it %.90s", c, a, b, equation);
      equations++;
    }
  g_assert_cmpuint (equations, >, 20);
  /* the calls were recorded, and what goes on in them is modelled */
  g_assert_cmpint (mark_before (layout->moving, "for (k = 0;"), ==, LS_EVIDENCE_MEASURED);
  g_assert_cmpint (mark_before (layout->moving, "  gemm_loops ("), ==, LS_EVIDENCE_MEASURED);
  g_assert_cmpint (mark_before (layout->moving, "    for (j = 0;"), ==, LS_EVIDENCE_MODELLED);
}

/* The micro-tile's colours: beside each row its element of a, over each column its one of b, and where they
 * meet the sum of the products so far; of all sums the same number has the strongest colour. */
static void
test_cpu_cells (void)
{
  g_autoptr (LsViewData) data = make_data (NULL, 128, NULL);
  LsTilesState asked = LS_TILES_STATE_INIT;
  LsQuery query = { LS_QUERY_FIELDS, .op = 1, .state = &asked };
  guint seen = 0;

  asked.cpu_side = TRUE;
  g_autoptr (LsLayout) layout = draw_view (&ls_view_tiles, data, &query, LS_LOOK_LIGHT, 3840, 2160);
  const LsTiles *t = layout->own;
  for (guint i = 1; i < 60; i++)
    {
      g_autoptr (GPtrArray) cells = g_ptr_array_new ();
      LsTilesCpuNow now;
      double most = 0;

      query.time_ns = t->span_ns * i / 60;
      ls_layout_move (layout, &query);
      ls_tiles_cpu_now (t, query.time_ns, &now);
      if (now.stage < LS_TILES_MULTIPLY || now.step == 0)
        continue;
      for (guint k = 0; k < layout->moving->items->len; k++)
        {
          LsItem *item = ls_scene_get (layout->moving, k);
          if (item->kind == LS_ITEM_BOX && item->ink == LS_INK_SIGN && item->evidence == LS_EVIDENCE_DERIVED)
            g_ptr_array_add (cells, item);
        }
      const guint rows = now.model.rows, cols = now.model.cols;
      g_assert_cmpuint (cells->len, ==, rows * (cols + 1) + cols);
      const LsItem *first = cells->pdata[1], *next = cells->pdata[2];
      const double pitch = (double) (next->x - first->x);
      const gint64 top = t->cpu->row + (gint64) now.group * rows,
                   left = now.call.col + (gint64) now.sliver * cols, begin = now.call.k0,
                   end = begin + now.step, k_now = begin + MIN ((gint64) now.step, now.call.k - 1);
      for (guint pass = 0; pass < 2; pass++) /* first what the strongest colour stands for */
        for (guint c = 0; c < cells->len; c++)
          {
            const LsItem *cell = cells->pdata[c];
            const double x = (double) (cell->x - first->x) / pitch, y = (double) (cell->y - first->y) / pitch;
            const gint64 row = top + (gint64) round (y), col = left + (gint64) round (x);
            const gboolean sum = x > -.5 && y > -.5;
            double value = 0;

            if (x < -.5)
              value = ls_tiles_value (&t->a, row, k_now) / t->a.top;
            else if (y < -.5)
              value = ls_tiles_value (&t->b, k_now, col) / t->b.top;
            else if (row < t->gemm.m && col < t->gemm.n)
              for (gint64 k = begin; k < end; k++)
                value += ls_tiles_value (&t->a, row, k) * ls_tiles_value (&t->b, k, col);
            if (pass == 0 && sum)
              most = MAX (most, (double) cell->value != 0 ? value / (double) cell->value : 0);
            if (pass == 1 && fabs ((double) cell->value - value / (sum ? MAX (most, 1e-30) : 1)) > 1e-4)
              g_error ("after %u products the cell (%.0f, %.0f) of the micro-tile has the colour of %g, "
                       "and is %g",
                       now.step, y, x, (double) cell->value * (sum ? most : 1), value);
            seen += pass;
          }
    }
  g_assert_cmpuint (seen, >, 1000);
}

/* What the boxes of the caches are is said under them where the picture is high, and wide enough for it. */
static void
test_cpu_caches (void)
{
  static const struct {
    double w, h;
    gboolean said;
  } sizes[] = { { 3840, 2160, TRUE }, { 3840, 1080, TRUE }, { 3840, 500, FALSE }, { 1100, 1080, FALSE } };
  g_autoptr (LsViewData) data = make_data (NULL, 128, NULL);
  LsTilesState asked = LS_TILES_STATE_INIT;
  LsQuery query = { LS_QUERY_FIELDS, .op = 1, .state = &asked };

  asked.cpu_side = TRUE;
  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    {
      g_autoptr (LsLayout) layout = draw_view (&ls_view_tiles, data, &query, LS_LOOK_LIGHT, sizes[i].w,
                                               sizes[i].h);
      const LsTiles *t = layout->own;
      const LsItem *note;

      ls_layout_move (layout, &layout->query);
      note = find_text (layout->moving, "A box is the whole level");
      if ((note != NULL) != sizes[i].said)
        g_error ("in %g×%g, of which %g are for the caches, what their boxes are is %s", sizes[i].w,
                 sizes[i].h, t->cpu->caches.h, note != NULL ? "said" : "not said");
      if (note != NULL)
        g_assert_cmpfloat ((double) note->y, <=, t->cpu->caches.y + t->cpu->caches.h);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/paint/tiles-cpu/walk", test_cpu_walk);
  g_test_add_func ("/paint/tiles-cpu/conv", test_cpu_conv);
  g_test_add_func ("/paint/tiles-cpu/who", test_cpu_who);
  g_test_add_func ("/paint/tiles-cpu/sum", test_cpu_sum);
  g_test_add_func ("/paint/tiles-cpu/told", test_cpu_told);
  g_test_add_func ("/paint/tiles-cpu/cells", test_cpu_cells);
  g_test_add_func ("/paint/tiles-cpu/caches", test_cpu_caches);
  return g_test_run ();
}
