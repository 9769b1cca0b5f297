/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What Tiles counts along its walk, and what it adds up, against the plain formulas.
 */
#include <math.h>
#include <string.h>

#include "tests/paint/states.h"
#include "ui/paint/tiles/tiles.h"

static void
test_walk (void)
{
  g_autoptr (LsViewData) data = ls_fixture_tiles ("flatten, dense 37, relu, dense 10", 29, TRUE, TRUE);

  for (gint rung = 0; rung < LS_RUNG_N; rung++)
    {
      LsTilesState asked = LS_TILES_STATE_INIT;
      LsQuery query = { LS_QUERY_FIELDS, .state = &asked };
      LsLedger before = { 0 }, whole, own, naive;
      LsTilesNow now;
      LsTiles t;

      query.op = 1;
      asked.rung = rung;
      g_assert_true (ls_tiles_init (&t, NULL, data, &query));
      g_assert_cmpint (t.side, ==, 1);
      for (guint i = 0; i <= 2000; i++)
        {
          LsTilesFill a, b;
          ls_tiles_now (&t, t.span_ns * i / 2000, &now);
          ls_tiles_count (&t, &now, &own, &naive);
          ls_tiles_fill (&t, &now, &a, &b);
          g_assert_cmpint (own.global_loads, >=, before.global_loads);
          g_assert_cmpint (own.local_loads, >=, before.local_loads);
          g_assert_cmpint (own.local_stores, >=, before.local_stores);
          g_assert_cmpint (own.flops, >=, before.flops);
          g_assert_cmpuint (a.done + a.flight, <=, a.by_col ? t.window : t.cut.tile_m);
          g_assert_cmpuint (b.done + b.flight, <=, b.by_col ? t.cut.tile_n : t.window);
          g_assert_cmpint (now.multiplied, <=, now.loaded);
          before = own;
        }
      ls_tiles_now (&t, LS_TIME_END, &now);
      ls_tiles_count (&t, &now, &own, &naive);
      whole = ls_ledger_group (&t.cut, &t.gemm, t.row, t.col, ls_rung_rounds (&t.cut, &t.gemm),
                               ls_rung_rounds (&t.cut, &t.gemm), TRUE);
      g_assert_true (now.stored);
      g_assert_cmpint (own.global_stores, ==, whole.global_stores);
      g_assert_cmpint (own.local_stores, ==, whole.local_stores);
      if (t.cut.local)
        {
          g_assert_cmpint (own.global_loads, ==, whole.global_loads);
          g_assert_cmpint (own.local_loads, ==, whole.local_loads);
          g_assert_cmpint (own.flops, ==, whole.flops);
        }
      ls_tiles_clear (&t);
    }
}

/* While a tile is loaded its rows, or columns, come one after the other: those that are there, some on their
 * way, the rest to come; A's first where each work-item loads several. Otherwise all of them are there. */
static void
test_loading (void)
{
  g_autoptr (LsViewData) data = ls_fixture_tiles ("flatten, dense 37, relu, dense 10", 29, TRUE, TRUE);
  guint on_their_way = 0;

  for (guint op = 0; op < data->recording->n_ops; op++)
    for (gint rung = 0; rung < LS_RUNG_N; rung++)
      {
        LsTilesState asked = LS_TILES_STATE_INIT;
        LsQuery query = { LS_QUERY_FIELDS, .state = &asked };
        guint before_a = 0, before_b = 0;
        LsTiles t;

        if (ls_tiles_op (data->recording, op) != (gint) op)
          continue;
        query.op = op;
        asked.rung = rung;
        g_assert_true (ls_tiles_init (&t, NULL, data, &query));
        for (guint i = 0; i < 3000; i++)
          {
            LsTilesFill a, b;
            LsTilesNow now;

            ls_tiles_now (&t, t.span_ns * i / 3000, &now);
            ls_tiles_fill (&t, &now, &a, &b);
            const guint all_a = a.by_col ? t.window : t.cut.tile_m,
                        all_b = b.by_col ? t.cut.tile_n : t.window;
            const gboolean loads = t.cut.local && now.phase == LS_LISTING_LOAD
                                   && now.mark != LS_LISTING_NO_MARK;
            if (!loads)
              {
                if (now.mark != LS_LISTING_NO_MARK && !t.cut.local)
                  g_assert_true (a.done == all_a && b.done == all_b);
                g_assert_true (a.flight == 0 && b.flight == 0);
                before_a = before_b = 0;
                continue;
              }
            on_their_way += a.flight + b.flight;
            g_assert_cmpuint (a.flight + b.flight, >, 0);
            g_assert_cmpuint (a.done, >=, before_a);
            g_assert_cmpuint (b.done, >=, before_b);
            g_assert_cmpuint (a.done, <, all_a + (b.flight > 0));
            g_assert_cmpuint (b.done, <, all_b);
            if (rung == LS_RUNG_REGISTER && b.done + b.flight > 0)
              g_assert_cmpuint (a.done, ==, all_a);
            if (rung == LS_RUNG_TILED) /* each loads its element of both, one after the other */
              g_assert_cmpuint (a.done + a.flight, >=, b.done + b.flight);
            if (now.part < .01)
              g_assert_cmpuint (a.done + b.done, ==, 0);
            if (now.part > .99)
              g_assert_cmpuint (a.done + a.flight + b.done + b.flight, ==, all_a + all_b);
            before_a = a.done;
            before_b = b.done;
          }
        ls_tiles_clear (&t);
      }
  g_assert_cmpuint (on_their_way, >, 1000);
}

/* Without tiles each product loads both its factors from global memory, and is a multiplication and an
 * addition. */
static void
test_naive (void)
{
  g_autoptr (LsViewData) data = ls_fixture_tiles ("flatten, dense 37, relu, dense 10", 29, TRUE, TRUE);
  LsTilesState asked = LS_TILES_STATE_INIT;
  LsQuery query = { LS_QUERY_FIELDS, .state = &asked };
  LsLedger own, naive;
  LsTilesNow now;
  LsTiles t;

  query.op = 1;
  asked.rung = LS_RUNG_TILED;
  asked.group_row = asked.group_col = 0;
  g_assert_true (ls_tiles_init (&t, NULL, data, &query));
  ls_tiles_now (&t, LS_TIME_END, &now);
  ls_tiles_count (&t, &now, &own, &naive);
  const gint64 elements = MIN ((gint64) t.cut.tile_m, 29) * MIN ((gint64) t.cut.tile_n, 37),
               products = elements * 784;
  g_assert_cmpint (naive.global_loads, ==, 2 * products);
  g_assert_cmpint (naive.flops, ==, 2 * products);
  g_assert_cmpint (naive.global_stores, ==, elements);
  ls_tiles_clear (&t);
}

/* The running sum ends as the element of the product; each tensor's transposition is read as the op says. */
static void
test_sum (void)
{
  g_autoptr (LsViewData) data = ls_fixture_tiles ("flatten, dense 37, relu, dense 10", 29, TRUE, TRUE);
  const LsRecording *recording = data->recording;
  guint seen = 0;

  for (guint op = 0; op < recording->n_ops; op++)
    {
      const LsRecordedOp *o = &recording->ops[op];
      LsTilesState asked = LS_TILES_STATE_INIT;
      LsQuery query = { LS_QUERY_FIELDS, .state = &asked };
      LsTilesNow now;
      LsTiles t;
      double sum = 0;

      if (g_strcmp0 (o->name, "matmul") != 0)
        continue;
      query.op = op;
      asked.rung = LS_RUNG_TILED; /* others may cut the sum into parts */
      asked.item_row = asked.item_col = 1;
      asked.group_row = asked.group_col = 0;
      g_assert_true (ls_tiles_init (&t, NULL, data, &query));
      const float *a = ls_recording_values (recording, data->sides[1].lane, recording->shapes[o->in[0]].name,
                                            NULL);
      const float *b = ls_recording_values (recording, data->sides[1].lane, recording->shapes[o->in[1]].name,
                                            NULL);
      for (gint64 k = 0; k < o->attr.k; k++)
        sum += (double) (o->attr.ta ? a[k * o->attr.m + 1] : a[o->attr.k + k])
               * (double) (o->attr.tb ? b[o->attr.k + k] : b[k * o->attr.n + 1]);
      ls_tiles_now (&t, LS_TIME_END, &now);
      g_assert_true (fabs (ls_tiles_sum (&t, &now) - sum) < 1e-9);
      ls_tiles_clear (&t);
      seen++;
    }
  g_assert_cmpuint (seen, >=, 4);
}

/* The line whose values are largest in all, of those that are asked about and as far as they are; the first
 * of several alike. Of a matrix without values, or of zeros, one in the first half. */
static void
test_busiest (void)
{
  /* in all .10, .11, .08 and .11 */
  static const float values[] = { .09f, 0,    0,    .01f, 0, -.08f, 0,     .03f,
                                  .02f, .02f, .02f, .02f, 0, .03f,  -.08f, 0 };
  static const struct {
    gboolean rows;
    gint64 first, n, length;
    guint busiest;
  } cases[] = {
    { TRUE, 0, 4, 4, 1 },  { TRUE, 0, 1, 4, 0 },  { TRUE, 2, 2, 4, 1 },
    { TRUE, 0, 4, 1, 0 },  { TRUE, 0, 4, 3, 3 },  { FALSE, 0, 4, 4, 1 },
    { FALSE, 0, 4, 1, 0 }, { FALSE, 2, 2, 4, 0 }, { FALSE, 2, 2, 3, 1 },
  };
  LsTilesMatrix matrix = { .values = values, .row_step = 4, .col_step = 1, .rows = 4, .cols = 4 };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      const guint is = ls_tiles_busiest (&matrix, cases[i].rows, cases[i].first, cases[i].n, cases[i].length);
      if (is != cases[i].busiest)
        g_error ("case %u: %u is called the busiest, which is %u", i, is, cases[i].busiest);
    }
  matrix.values = NULL;
  g_assert_cmpuint (ls_tiles_busiest (&matrix, TRUE, 0, 4, 4), <, 2);
}

/* The end of the colours is the least of 1, 2 and 5 times a power of ten that no value of the part is
 * beyond. */
static void
test_top (void)
{
  static const struct {
    float value;
    double top;
  } cases[] = { { 1, 1 },      { 1.01f, 2 },  { -2, 2 },   { 2.1f, 5 },       { 5, 5 },      { 4.99f, 5 },
                { -5.1f, 10 }, { 9.99f, 10 }, { .3f, .5 }, { -.0011f, .002 }, { 600, 1000 }, { 0, 1 } };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    for (guint at = 0; at < 4; at++)
      {
        float values[9] = { 0, 0, 77, 0, 0, 77, 77, 77, 77 }; /* of which four are asked about */
        const LsTilesMatrix matrix = { .values = values, .row_step = 3, .col_step = 1, .rows = 3, .cols = 3 };

        values[at / 2 * 3 + at % 2] = cases[i].value;
        g_assert_cmpfloat_with_epsilon (ls_tiles_top (&matrix, 0, 2, 0, 2), cases[i].top, 1e-9);
        g_assert_cmpfloat_with_epsilon (ls_tiles_top (&matrix, 2, 5, 1, 5), 100, 1e-9); /* beyond are none */
      }
}

/* A convolution's sum by its definition: every product of an element of X, of the kernels and of Y's shape
 * that lands in the picked element of the op's output, for the first `first` places of Y where those are what
 * is summed over. */
static double
convolve (const LsRecording *recording, const LsRecordedOp *o, LsTilesKind kind, const LsTilesConv *c,
          guint lane, gint64 m, gint64 n, gint64 first)
{
  const float *left = ls_recording_values (recording, lane, recording->shapes[o->in[0]].name, NULL);
  const float *right = ls_recording_values (recording, lane, recording->shapes[o->in[1]].name, NULL);
  const gint64 batch = recording->shapes[o->in[0]].shape[0];
  double sum = 0;

  for (gint64 b = 0; b < batch; b++)
    for (gint64 f = 0; f < c->outputs; f++)
      for (gint64 r = 0; r < c->rows; r++)
        for (gint64 s = 0; s < c->cols; s++)
          for (gint64 i = 0; i < c->channels; i++)
            for (gint64 u = 0; u < c->window; u++)
              for (gint64 v = 0; v < c->window; v++)
                {
                  const gint64 h = r * c->stride + u - c->pad, w = s * c->stride + v - c->pad;
                  const gint64 x = ((b * c->channels + i) * c->height + h) * c->width + w,
                               y = ((b * c->outputs + f) * c->rows + r) * c->cols + s;
                  const gint64 k = ((f * c->channels + i) * c->window + u) * c->window + v;
                  if (h < 0 || h >= c->height || w < 0 || w >= c->width)
                    continue;
                  if (kind == LS_TILES_CONV && f == m && (b * c->rows + r) * c->cols + s == n)
                    sum += (double) left[x] * (double) right[k];
                  else if (kind == LS_TILES_CONV_DX && i == m && (b * c->height + h) * c->width + w == n)
                    sum += (double) left[y] * (double) right[k];
                  else if (kind == LS_TILES_CONV_DW && f == m && (i * c->window + u) * c->window + v == n
                           && (b * c->rows + r) * c->cols + s < first)
                    sum += (double) left[y] * (double) right[x];
                }
  return sum;
}

static void
test_conv (void)
{
  g_autoptr (LsViewData) data = ls_fixture_tiles (
    "conv 5 3 pad 1, relu, conv 6 3 stride 2, relu, flatten, dense 10", 2, TRUE, TRUE);
  const LsRecording *recording = data->recording;
  guint seen[4] = { 0 };

  for (guint op = 0; op < recording->n_ops; op++)
    for (guint item = 0; item < 2; item++)
      {
        LsTilesState asked = LS_TILES_STATE_INIT;
        LsQuery query = { LS_QUERY_FIELDS, .state = &asked };
        LsTilesKind kind;
        LsTilesConv conv;
        LsTilesNow now;
        LsTiles t;

        if (!ls_tiles_kind (recording, op, &kind, &conv) || kind == LS_TILES_PLAIN)
          continue;
        query.op = op;
        asked.item_row = asked.item_col = item == 0 ? 0 : 4;
        asked.group_row = 0;
        asked.group_col = (gint) item;
        LsTiling *ran = &data->recording->lanes[data->sides[1].lane].tilings[op];
        ran->way = LS_WAY_PACKED;
        ls_tiling_set (ran, recording->ops[op].attr.m, recording->ops[op].attr.n, item == 0 ? 8 : 2,
                       item == 0 ? 9 : 36);
        g_assert_true (ls_tiles_init (&t, NULL, data, &query));
        if (kind == LS_TILES_CONV_DW) /* the tile tells which kernel it was */
          g_assert_cmpstr (t.ran_cut.function, ==,
                           item == 0 || recording->ops[op].attr.n <= 9 ? "conv_packed_dw"
                                                                       : "conv_channels_dw");
        ls_tiles_now (&t, LS_TIME_END, &now);
        g_assert_true (fabs (ls_tiles_sum (&t, &now)
                             - convolve (recording, &recording->ops[op], kind, &conv, data->sides[1].lane,
                                         t.item_row, (gint64) t.col * t.cut.tile_n + t.item_col, t.gemm.k))
                       < 1e-9);
        ls_tiles_clear (&t);
        seen[kind]++;
      }
  g_assert_cmpuint (seen[LS_TILES_CONV], ==, 4);
  g_assert_cmpuint (seen[LS_TILES_CONV_DX], ==, 2);
  g_assert_cmpuint (seen[LS_TILES_CONV_DW], ==, 4);
}

/* Of the source's lines that a phase is there for, the k-th of n is marked from k/n to (k + 1)/n of it, the
 * last one also at its very end; of the tiled kernel's loads each of the 32 work-items that go together runs
 * one after the other before the next 32 do. Between the phases none is. */
static void
test_running (void)
{
  g_autoptr (LsViewData) data = ls_fixture_tiles ("flatten, dense 37, relu, dense 10", 29, TRUE, TRUE);
  guint seen = 0;

  for (gint rung = 0; rung < LS_RUNG_N; rung++)
    {
      LsTilesState asked = { .rung = rung };
      LsQuery query = { LS_QUERY_FIELDS, .op = 1, .state = &asked };
      LsTiles t;

      g_assert_true (ls_tiles_init (&t, NULL, data, &query));
      for (guint i = 0; i <= 3000; i++)
        {
          LsTilesNow now;
          guint n = 0, k = 0;
          gboolean found = FALSE;

          ls_tiles_now (&t, i < 3000 ? t.span_ns * i / 3000 : LS_TIME_END, &now);
          const char *text = ls_tiles_running_text (&t, &now);
          g_assert_cmpint (text != NULL, ==, now.mark != LS_LISTING_NO_MARK);
          for (guint l = 0; l < t.listing->lines->len; l++)
            {
              const LsListingLine *line = &g_array_index (t.listing->lines, LsListingLine, l);
              n += line->mark == now.mark && line->works;
            }
          if (text == NULL || n == 0)
            continue;
          const gboolean in_turn = rung == LS_RUNG_TILED && now.phase == LS_LISTING_LOAD;
          const guint turns = n * MAX (1, t.cut.tile_m * t.cut.tile_n / 32);
          for (guint l = 0; l < t.listing->lines->len; l++)
            {
              const LsListingLine *line = &g_array_index (t.listing->lines, LsListingLine, l);
              if (line->mark != now.mark || !line->works)
                continue;
              found |= strcmp (text, line->text) == 0
                       && (in_turn ? (guint) (now.part * turns) % n == k
                                   : now.part * n > k - 1e-9 && now.part * n < k + 1 + 1e-9);
              k++;
            }
          if (!found)
            g_error ("rung %d: at %.2f of a phase with %u lines “%s” is marked", rung, now.part, n, text);
          seen += n > 1;
        }
      ls_tiles_clear (&t);
    }
  g_assert_cmpuint (seen, >, 1000);
}

/* How a packed convolution is cut only its walk knows: without one it is shown as the tiled kernel has it,
 * and called so. Products are packed as the ladder has them. */
static void
test_packed (void)
{
  g_autoptr (LsViewData) data = ls_fixture_tiles ("conv 5 3 pad 1, relu, flatten, dense 10", 29, TRUE, TRUE);
  guint seen[2] = { 0 };

  for (guint op = 0; op < data->recording->n_ops; op++)
    {
      LsTilesState asked = { .rung = LS_RUNG_PACKED };
      LsQuery query = { LS_QUERY_FIELDS, .op = op, .state = &asked };
      LsTiles t;

      if (ls_tiles_op (data->recording, op) != (gint) op)
        continue;
      g_assert_true (ls_tiles_init (&t, NULL, data, &query));
      const gboolean plain = t.kind == LS_TILES_PLAIN;
      g_assert_null (t.walk);
      if (t.cut.rung != (plain ? LS_RUNG_PACKED : LS_RUNG_TILED))
        g_error ("“%s” without a walk is shown as %s has it", data->recording->ops[op].symbol,
                 t.cut.function);
      g_assert_true (plain || t.cut.tile_m == t.cut.tile_n);
      seen[plain]++;
      ls_tiles_clear (&t);
    }
  g_assert_true (seen[0] >= 2 && seen[1] >= 2);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/paint/tiles/walk", test_walk);
  g_test_add_func ("/paint/tiles/loading", test_loading);
  g_test_add_func ("/paint/tiles/naive", test_naive);
  g_test_add_func ("/paint/tiles/sum", test_sum);
  g_test_add_func ("/paint/tiles/busiest", test_busiest);
  g_test_add_func ("/paint/tiles/top", test_top);
  g_test_add_func ("/paint/tiles/conv", test_conv);
  g_test_add_func ("/paint/tiles/running", test_running);
  g_test_add_func ("/paint/tiles/packed", test_packed);
  return g_test_run ();
}
