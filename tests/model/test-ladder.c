/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The ladder on paper: the formulas against loops that count what the kernels' text says, element by element,
 * at sizes with edges; and the marks in the kernels' text, which tie its lines to phases.
 */
#include "backends/listing.h"
#include "model/ladder.h"
#include "ops/op.h"

#include <string.h>

static const LsGemm shapes[] = {
  { 1, 1, 1 },     { 1, 1, 300 },  { 3, 5, 7 },    { 15, 17, 16 }, { 16, 16, 16 },
  { 17, 15, 31 },  { 61, 67, 53 }, { 63, 65, 64 }, { 64, 64, 64 }, { 128, 10, 128 },
  { 10, 129, 33 }, { 9, 17, 256 }, { 8, 19, 257 }, { 7, 33, 515 },
};

/* One product of each sum; before a block's first, the block's rows of the columns are copied, and after its
 * last the sums of the blocks before wait in local memory. */
static void
count_packed (const LsRungCut *cut, const LsGemm *g, gint64 n0, gint64 p, LsLedger *l)
{
  const gint64 whole = (gint64) cut->tile_m * cut->tile_n;

  if (p % LS_SUM_BLOCK == 0)
    for (gint64 row = p; row < MIN (p + LS_SUM_BLOCK, g->k); row++)
      for (gint64 j = 0; j < cut->tile_n; j++)
        {
          l->global_loads += n0 + j < g->n;
          l->local_stores++;
        }
  l->global_loads += cut->tile_m;
  l->local_loads += cut->tile_n;
  l->flops += 2 * whole;
  if ((p + 1) % LS_SUM_BLOCK == 0 || p + 1 == g->k)
    {
      l->local_stores += whole;
      l->local_loads += p >= LS_SUM_BLOCK ? whole : 0;
    }
}

/* What a group's work-items do in one turn of the loop, counted one by one. */
static void
count_turn (const LsRungCut *cut, const LsGemm *g, guint row, guint col, gint64 turn, LsLedger *l)
{
  const gint64 m0 = (gint64) row * cut->tile_m, n0 = (gint64) col * cut->tile_n, k0 = turn * cut->tile_k;

  if (cut->local)
    {
      for (gint64 i = 0; i < cut->tile_m; i++)
        for (gint64 p = 0; p < cut->tile_k; p++)
          {
            l->global_loads += m0 + i < g->m && k0 + p < g->k;
            l->local_stores++;
          }
      for (gint64 j = 0; j < cut->tile_n; j++)
        for (gint64 p = 0; p < cut->tile_k; p++)
          {
            l->global_loads += n0 + j < g->n && k0 + p < g->k;
            l->local_stores++;
          }
      for (guint item = 0; item < ls_rung_items (cut); item++)
        for (gint64 p = 0; p < cut->tile_k; p++)
          {
            l->local_loads += cut->item_m + cut->item_n;
            l->flops += 2 * (gint64) cut->item_m * cut->item_n;
          }
      return;
    }
  if (cut->rung == LS_RUNG_PACKED)
    {
      count_packed (cut, g, n0, k0, l);
      return;
    }
  for (gint64 i = 0; i < cut->tile_m; i++)
    for (gint64 j = 0; j < cut->tile_n; j++)
      if (m0 + i < g->m && n0 + j < g->n)
        {
          l->global_loads += 2;
          l->flops += 2;
        }
}

static LsLedger
count_group (const LsRungCut *cut, const LsGemm *g, guint row, guint col)
{
  LsLedger l = { 0 };

  for (gint64 turn = 0; turn < ls_rung_rounds (cut, g); turn++)
    count_turn (cut, g, row, col, turn, &l);
  for (gint64 i = 0; i < cut->tile_m; i++)
    for (gint64 j = 0; j < cut->tile_n; j++)
      l.global_stores += (gint64) row * cut->tile_m + i < g->m && (gint64) col * cut->tile_n + j < g->n;
  l.local_loads += cut->rung == LS_RUNG_PACKED ? l.global_stores : 0; /* the sums wait there */
  return l;
}

static void
assert_same (const LsLedger *a, const LsLedger *b)
{
  g_assert_cmpint (a->global_loads, ==, b->global_loads);
  g_assert_cmpint (a->global_stores, ==, b->global_stores);
  g_assert_cmpint (a->local_loads, ==, b->local_loads);
  g_assert_cmpint (a->local_stores, ==, b->local_stores);
  g_assert_cmpint (a->flops, ==, b->flops);
}

static void
test_counts (void)
{
  for (guint rung = 0; rung < LS_RUNG_N; rung++)
    for (guint s = 0; s < G_N_ELEMENTS (shapes); s++)
      {
        const LsGemm *g = &shapes[s];
        const LsRungCut cut = ls_rung_cut ((LsRung) rung, 8);
        const gint64 rounds = ls_rung_rounds (&cut, g);
        LsLedger sum = { 0 }, total = ls_ledger_total (&cut, g);

        for (guint row = 0; row < ls_rung_rows (&cut, g); row++)
          for (guint col = 0; col < ls_rung_cols (&cut, g); col++)
            {
              const LsLedger counted = count_group (&cut, g, row, col),
                             paper = ls_ledger_group (&cut, g, row, col, rounds, rounds, TRUE);
              assert_same (&counted, &paper);
              sum.global_loads += paper.global_loads;
              sum.global_stores += paper.global_stores;
              sum.local_loads += paper.local_loads;
              sum.local_stores += paper.local_stores;
              sum.flops += paper.flops;
            }
        assert_same (&sum, &total);
      }
}

/* Nothing is counted before it is done. */
static void
test_parts (void)
{
  const LsGemm g = { 17, 15, 31 };

  for (guint rung = 0; rung < LS_RUNG_N; rung++)
    {
      const LsRungCut cut = ls_rung_cut ((LsRung) rung, 8);
      const LsLedger none = ls_ledger_group (&cut, &g, 0, 0, 0, 0, FALSE),
                     loaded = ls_ledger_group (&cut, &g, 0, 0, 1, 0, FALSE);

      assert_same (&none, &(LsLedger){ 0 });
      g_assert_true (ls_ledger_intensity (&none) <= 0);
      g_assert_cmpint (loaded.global_loads, >, 0);
      g_assert_cmpint (loaded.flops, ==, 0);
    }
}

static void
test_reuse (void)
{
  const LsGemm g = { 1024, 1024, 1024 };
  double before = 0;

  /* the ladder is one: each rung does more with a byte than the one below it */
  for (guint rung = 0; rung <= LS_RUNG_REGISTER; rung++)
    {
      const LsRungCut cut = ls_rung_cut ((LsRung) rung, 8);
      const LsLedger total = ls_ledger_total (&cut, &g);
      g_assert_true (ls_ledger_intensity (&total) > 2 * before);
      before = ls_ledger_intensity (&total);
    }
  /* of the bytes that are loaded and stored, four to a float */
  const LsLedger one = { .global_loads = 60, .global_stores = 40, .local_loads = 1000, .flops = 800 };
  g_assert_cmpfloat (ls_ledger_intensity (&one), ==, 2);
}

static void
test_splits (void)
{
  const LsGemm few = { 128, 128, 784 }, many = { 4096, 4096, 4096 }, shorter = { 8, 8, 255 };
  const LsGemm block = { 128, 128, 256 }, one_more = { 128, 128, 257 };
  const LsGemm most = { 128, 128, 128 * 256 }, too_many = { 128, 128, 128 * 256 + 1 };
  const LsGemm wide = { 32, 4096, 4096 }, high = { 4096, 32, 4096 };

  g_assert_cmpint (ls_rung_splits (LS_RUNG_REGISTER, &few), ==, 4);
  g_assert_cmpint (ls_rung_splits (LS_RUNG_REGISTER, &block), ==, 1);
  g_assert_cmpint (ls_rung_splits (LS_RUNG_REGISTER, &one_more), ==, 2);
  g_assert_cmpint (ls_rung_splits (LS_RUNG_REGISTER, &most), ==, 128);
  g_assert_cmpint (ls_rung_splits (LS_RUNG_REGISTER, &too_many), ==, 8);
  g_assert_cmpint (ls_rung_splits (LS_RUNG_REGISTER, &many), ==, 1);
  g_assert_cmpint (ls_rung_splits (LS_RUNG_REGISTER, &shorter), ==, 1);
  g_assert_cmpint (ls_rung_splits (LS_RUNG_TILED, &few), ==, 1);
  /* a row of 128 tiles, or a column: enough for a device as it is */
  g_assert_cmpint (ls_rung_splits (LS_RUNG_REGISTER, &wide), ==, 1);
  g_assert_cmpint (ls_rung_splits (LS_RUNG_REGISTER, &high), ==, 1);
  /* whole blocks and a rest, or all, or equal shares */
  g_assert_cmpint (ls_part_products (784, 4), ==, 256);
  g_assert_cmpint (ls_part_products (784, 1), ==, 784);
  g_assert_cmpint (ls_part_products (100, 1), ==, 100);
  g_assert_cmpint (ls_part_products (784, 3), ==, 262);
}

/* How a convolution's weight gradient is cut: as many parts as millions of FLOP, 8 at most, or one for each
 * 16 millions, 64 at most, and no more than images, or than fit 2 Mi floats of sums; where the tiles of all
 * parts are fewer than 128, each block of 256 windows is a group of its own. By hand: */
static void
test_conv_dw_cut (void)
{
  static const struct {
    gint64 m, n, windows, images; /* windows: of one image */
    LsConvDwCut cut;
  } rows[] = {
    { 8, 9, 100, 10, { 1, 4, 256 } },       /* 0.1 MFLOP; 1000 windows are four blocks */
    { 100, 100, 10, 8, { 1, 1, 80 } },      /* 1.6 MFLOP; fewer windows than a block has */
    { 16, 25, 50, 100, { 4, 20, 256 } },    /* 4 MFLOP: 25 images each, 1250 windows are five blocks */
    { 16, 25, 500, 10, { 4, 24, 256 } },    /* 2 or 3 images each: 1500 windows are six blocks */
    { 16, 25, 2500, 2, { 2, 20, 256 } },    /* no more parts than images; ten blocks */
    { 20, 25, 1000, 100, { 8, 408, 256 } }, /* 100 MFLOP: eight, before there are 16 for each; 13 images */
    { 64, 576, 196, 128, { 56, 56, 392 } }, /* 1.8 GFLOP; 56 sums of 36,864 floats fit; 36 tiles each */
    { 32, 288, 100, 256, { 29, 29, 800 } }, /* 472 MFLOP; 9 tiles × 29 are enough; 8 images */
    /* 16 tiles × 4 are few, but of groups there are no more than fit 8 Mi floats of sums: 512 of 16,384 do */
    { 128, 128, 32768, 4, { 4, 512, 256 } },
    { 128, 128, 33024, 4, { 4, 4, 33024 } }, /* 516 don't */
  };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      const LsGemm gemm = { rows[i].m, rows[i].n, rows[i].windows * rows[i].images };
      const LsConvDwCut cut = ls_conv_dw_cut (&gemm, rows[i].images), *want = &rows[i].cut;

      if (cut.parts != want->parts || cut.groups != want->groups || cut.products != want->products)
        g_error ("row %u: %d parts, %d groups, the first of %d products, not %d, %d and %d", i,
                 (int) cut.parts, (int) cut.groups, (int) cut.products, (int) want->parts, (int) want->groups,
                 (int) want->products);
    }
}

/* ---- the marks ---- */

static guint
workers_of (const LsListing *listing, guint mark)
{
  guint n = 0;

  for (guint i = 0; i < listing->lines->len; i++)
    n += g_array_index (listing->lines, LsListingLine, i).mark == mark
         && g_array_index (listing->lines, LsListingLine, i).works;
  return n;
}

static void
test_marks (void)
{
  static const LsListingPhase wanted[LS_RUNG_N][6] = {
    [LS_RUNG_NAIVE] = { LS_LISTING_MULTIPLY, LS_LISTING_STORE },
    [LS_RUNG_TILED] = { LS_LISTING_LOAD, LS_LISTING_BARRIER, LS_LISTING_MULTIPLY, LS_LISTING_BARRIER,
                        LS_LISTING_STORE },
    [LS_RUNG_REGISTER] = { LS_LISTING_LOAD, LS_LISTING_BARRIER, LS_LISTING_MULTIPLY, LS_LISTING_BARRIER,
                           LS_LISTING_STORE },
    [LS_RUNG_PACKED] = { LS_LISTING_LOAD, LS_LISTING_MULTIPLY, LS_LISTING_STORE },
  };

  for (guint rung = 0; rung < LS_RUNG_N; rung++)
    {
      const LsRungCut cut = ls_rung_cut ((LsRung) rung, 8);
      g_autoptr (LsListing) listing = ls_listing_load (NULL, cut.file, cut.function);
      guint n = 0;

      g_assert_nonnull (listing);
      while (n < G_N_ELEMENTS (wanted[rung]) && wanted[rung][n] != LS_LISTING_OTHER)
        n++;
      g_assert_cmpuint (listing->n_marks, ==, n);
      for (guint mark = 0; mark < n; mark++)
        {
          g_assert_cmpint (listing->marks[mark], ==, wanted[rung][mark]);
          g_assert_cmpuint (workers_of (listing, mark), >, 0);
        }
      /* a barrier is no phase's but its own: between a load and what reads it there is one */
      for (guint i = 0; i < listing->lines->len; i++)
        {
          const LsListingLine *line = &g_array_index (listing->lines, LsListingLine, i);
          const gboolean barrier = strstr (line->text, "barrier (CLK") != NULL;
          g_assert_true (
            barrier
            == (line->mark != LS_LISTING_NO_MARK && listing->marks[line->mark] == LS_LISTING_BARRIER));
          g_assert_null (strstr (line->text, "phase:"));
          if (line->mark != LS_LISTING_NO_MARK && strstr (line->text, "_tile[") != NULL
              && strstr (line->text, "] = ") != NULL && !g_str_has_prefix (line->text, "b["))
            g_assert_cmpint (listing->marks[line->mark], ==, LS_LISTING_LOAD);
        }
    }
}

/* The convolutions' own packed kernels have the phases of the products'. */
static void
test_conv_marks (void)
{
  static const char *const kernels[][2] = {
    { "conv_packed.cl", "conv_packed" },
    { "conv_packed_dw.cl", "conv_packed_dw" },
    { "conv_channels_dw.cl", "conv_channels_dw" },
  };
  static const LsListingPhase wanted[] = { LS_LISTING_LOAD, LS_LISTING_MULTIPLY, LS_LISTING_STORE };

  for (guint k = 0; k < G_N_ELEMENTS (kernels); k++)
    {
      g_autoptr (LsListing) listing = ls_listing_load (NULL, kernels[k][0], kernels[k][1]);

      g_assert_nonnull (listing);
      g_assert_cmpmem (listing->marks, listing->n_marks * sizeof *listing->marks, wanted, sizeof wanted);
      for (guint mark = 0; mark < listing->n_marks; mark++)
        g_assert_cmpuint (workers_of (listing, mark), >, 0);
    }
}

static void
test_listing (void)
{
  const char *text
    = "__kernel void\nk (int x)\n{\n  for (;;)\n    {\n      // phase: load\n      a = x > 0 ? A (x) : 0;\n\n"
      "      // phase: multiply-accumulate\n      s += a;\n      t += s;\n    }\n  LS_PROBE_END (1)\n  u = "
      "1;\n}\nvoid other (void) {}\n";
  g_autoptr (LsListing) listing = ls_listing_new (text, "k"), none = ls_listing_new (text, "kk");
  const LsListingLine *lines;

  g_assert_null (none);
  g_assert_nonnull (listing);
  lines = (const LsListingLine *) (const void *) listing->lines->data;
  g_assert_cmpuint (listing->lines->len, ==, 11);
  g_assert_cmpuint (listing->n_marks, ==, 2);
  g_assert_cmpuint (lines[5].number, ==, 7);
  g_assert_cmpuint (lines[5].mark, ==, 0);
  g_assert_true (lines[5].works && lines[6].works && !lines[7].works);
  g_assert_cmpuint (lines[7].mark, ==, 1);
  g_assert_cmpuint (lines[8].mark, ==, LS_LISTING_NO_MARK);
  g_assert_cmpstr (lines[9].text, ==, "u = 1;");
  g_assert_null (ls_listing_load (NULL, "no-such-file.cl", "k"));
}

/* Of functions whose names begin alike each has its own lines; the line above belongs to it where it says
 * that it is a kernel. */
static void
test_listing_alike (void)
{
  static const char text[] = "static void\nkernel_half (int x)\n{\n  a;\n}\n\n__kernel void\nkernel (int "
                             "x)\n{\n  b;\n}\n__kernel void\nkernel_1 (int x)\n{\n  c;\n}\n";
  static const struct {
    const char *function;
    guint first; /* the number of its first line */
    guint lines;
    const char *last_but_one;
  } rows[] = {
    { "kernel", 7, 5, "b;" },
    { "kernel_half", 2, 4, "a;" },
    { "kernel_1", 12, 5, "c;" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (LsListing) listing = ls_listing_new (text, rows[i].function);
      const LsListingLine *lines;

      g_assert_nonnull (listing);
      lines = (const LsListingLine *) (const void *) listing->lines->data;
      if (lines[0].number != rows[i].first)
        g_error ("%s is listed from line %u on, and begins in line %u", rows[i].function, lines[0].number,
                 rows[i].first);
      g_assert_cmpuint (listing->lines->len, ==, rows[i].lines);
      g_assert_cmpstr (lines[rows[i].lines - 2].text, ==, rows[i].last_but_one);
    }
  g_assert_null (ls_listing_new (text, "kern"));
  g_assert_null (ls_listing_new ("", "kernel"));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/ladder/counts", test_counts);
  g_test_add_func ("/ladder/parts", test_parts);
  g_test_add_func ("/ladder/reuse", test_reuse);
  g_test_add_func ("/ladder/splits", test_splits);
  g_test_add_func ("/ladder/conv-dw-cut", test_conv_dw_cut);
  g_test_add_func ("/listing/marks", test_marks);
  g_test_add_func ("/listing/conv-marks", test_conv_marks);
  g_test_add_func ("/listing/lines", test_listing);
  g_test_add_func ("/listing/alike", test_listing_alike);
  return g_test_run ();
}
