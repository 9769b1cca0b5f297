/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A walk's stamps as lengths, which walk was wished for, a device's limits, and what one call of a matrix
 * product does inside: all on numbers made by hand.
 */
#include "config.h"

#include <math.h>

#include "model/blas_model.h"
#include "model/walk.h"

/* ---- stamps ---- */

#define ROUNDS 3

/* A round takes 100 ns: 10 to load, 5 to wait, 7 to copy local memory out, 38 to multiply, 40 until the next
 * one begins; in the end 30 to store. */
static LsWalk *
walk_new (void)
{
  static const gint64 stamps[LS_WALK_N_STAMPS] = { 0, 10, 15, 22, 60 };
  LsWalk *walk = ls_walk_new ();

  walk->rounds = ROUNDS;
  walk->times_ns = g_new (gint64, (ROUNDS + 1) * LS_WALK_N_STAMPS);
  for (guint i = 0; i < (ROUNDS + 1) * LS_WALK_N_STAMPS; i++)
    walk->times_ns[i] = 100 * (i / LS_WALK_N_STAMPS) + stamps[i % LS_WALK_N_STAMPS];
  walk->times_ns[ROUNDS * LS_WALK_N_STAMPS + LS_WALK_ARRIVED] = 330;
  return walk;
}

static gint64 *
stamp (LsWalk *walk, guint round, LsWalkStamp which)
{
  return &walk->times_ns[round * LS_WALK_N_STAMPS + which];
}

static void
test_stamps (void)
{
  static const gint64 phases[LS_WALK_N_STAMPS] = { 10, 5, -1, 38, 40 };
  g_autoptr (LsWalk) walk = walk_new ();
  gint64 sum = 0;

  for (guint round = 0; round < ROUNDS; round++)
    {
      for (guint phase = 0; phase < LS_WALK_N_STAMPS; phase++)
        g_assert_cmpint (ls_walk_phase_ns (walk, round, (LsWalkStamp) phase), ==, phases[phase]);
      g_assert_cmpint (ls_walk_round_ns (walk, round), ==, 93); /* without the copying */
      sum += 93;
    }
  g_assert_cmpint (ls_walk_round_ns (walk, ROUNDS), ==, 30); /* the storing */
  g_assert_cmpint (ls_walk_span_ns (walk), ==, sum + 30);
  g_assert_cmpint (ls_walk_phase_ns (walk, ROUNDS, LS_WALK_LOAD), ==, -1); /* there is no such round */

  /* what wasn't stamped has no length, nor has what ends before it begins */
  *stamp (walk, 1, LS_WALK_PASSED) = *stamp (walk, 1, LS_WALK_MULTIPLY) = -1;
  g_assert_cmpint (ls_walk_phase_ns (walk, 1, LS_WALK_ARRIVED), ==, -1);
  g_assert_cmpint (ls_walk_phase_ns (walk, 1, LS_WALK_MULTIPLY), ==, -1);
  g_assert_cmpint (ls_walk_round_ns (walk, 1), ==, 100); /* nothing was copied */
  g_assert_cmpint (ls_walk_span_ns (walk), ==, sum + 30 + 7);
  *stamp (walk, 2, LS_WALK_LOAD) = 50;
  g_assert_cmpint (ls_walk_round_ns (walk, 1), ==, -1);
  g_clear_pointer (&walk->times_ns, g_free);
  g_assert_cmpint (ls_walk_phase_ns (walk, 0, LS_WALK_LOAD), ==, -1);
  g_assert_cmpint (ls_walk_round_ns (walk, 0), ==, -1);
  g_assert_cmpint (ls_walk_span_ns (walk), ==, -1);
}

/* A walk is as large as what it keeps: so many floats of a round, and a stamp of 8 bytes. */
static void
test_bytes (void)
{
  g_autoptr (LsWalk) walk = walk_new ();
  const gsize stamped = ls_walk_bytes (walk);

  walk->tile_m = 4;
  walk->tile_n = 6;
  walk->tile_k = 8;
  const gsize columns = ls_walk_bytes (walk);
  g_assert_cmpuint (columns - stamped, ==, 6 * 8);
  walk->kept = 3;
  g_assert_cmpuint (ls_walk_bytes (walk) - columns, ==, 3 * 8 * (4 + 6) * 4);
  walk->kept = 0;
  g_clear_pointer (&walk->times_ns, g_free);
  g_assert_cmpuint (columns - ls_walk_bytes (walk), ==, (ROUNDS + 1) * 5 * 8);
  const gsize silent = ls_walk_bytes (walk);
  walk->message = g_strdup ("It can't be done.");
  g_assert_cmpuint (ls_walk_bytes (walk) - silent, ==, sizeof "It can't be done.");
}

/* ---- which one ---- */

static void
test_matches (void)
{
  static const struct {
    LsWalkWish wish;
    gboolean matches;
  } rows[] = {
    { { 2, LS_RUNG_PACKED, 3, 2 }, TRUE },
    { { 2, LS_RUNG_PACKED, -1, -1 }, TRUE },
    { { 2, LS_RUNG_PACKED, 99, -1 }, FALSE },
    { { 2, LS_RUNG_PACKED, 2, 2 }, FALSE },
    { { 2, LS_RUNG_PACKED, 3, 1 }, FALSE },
    { { 2, LS_RUNG_PACKED, 0, 2 }, FALSE }, /* the first one isn't any */
    { { 2, LS_RUNG_PACKED, 3, 0 }, FALSE },
    { { 1, LS_RUNG_PACKED, 3, 2 }, FALSE },
    { { 2, LS_RUNG_TILED, 3, 2 }, FALSE },
    { { 2, -1, 3, 2 }, FALSE },
    { { LS_WALK_NO_OP, LS_RUNG_PACKED, 3, 2 }, FALSE },
    { { LS_WALK_ALL_OPS, LS_RUNG_PACKED, 3, 2 }, FALSE },
  };
  LsWalk walk = { .op = 2, .rung = LS_RUNG_PACKED, .row = 3, .col = 2, .rows = 7, .cols = 7 };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      const LsWalkWish *w = &rows[i].wish;
      if (ls_walk_matches (&walk, w) != rows[i].matches)
        g_error ("op %d, rung %d, group %d, %d is %s", w->op, w->rung, w->row, w->col,
                 rows[i].matches ? "another one" : "the same");
    }
  /* where none is asked for any is right, not just the one in the middle */
  for (guint at = 0; at < 49; at++)
    for (guint asked = 0; asked < 4; asked++)
      {
        const LsWalkWish wish = { 2, LS_RUNG_PACKED, (asked & 1) != 0 ? 3 : -1, (asked & 2) != 0 ? 2 : -1 };
        const gboolean matches = (wish.row < 0 || at / 7 == 3) && (wish.col < 0 || at % 7 == 2);

        walk.row = at / 7;
        walk.col = at % 7;
        if (ls_walk_matches (&walk, &wish) != matches)
          g_error ("of group %u, %u is said that it is %s %d, %d", walk.row, walk.col,
                   matches ? "not" : "also", wish.row, wish.col);
      }
  walk.row = 3;
  walk.col = 2;
  walk.rung = LS_RUNG_TILED; /* which stands in where nobody knows what ran */
  g_assert_true (ls_walk_matches (&walk, &(LsWalkWish){ 2, -1, 3, 2 }));
  walk.message = (char *) "It can't be done."; /* wherever it was to be */
  g_assert_true (ls_walk_matches (&walk, &(LsWalkWish){ 2, -1, 0, 0 }));

  /* in the middle of the rows, and left of the middle of the columns; never beyond the last */
  g_assert_cmpuint (ls_walk_row (-1, 7), ==, 3);
  g_assert_cmpuint (ls_walk_row (-1, 8), ==, 3);
  g_assert_cmpuint (ls_walk_row (-1, 1), ==, 0);
  g_assert_cmpuint (ls_walk_col (-1, 100), ==, 34);
  g_assert_cmpuint (ls_walk_col (-1, 1), ==, 0);
  g_assert_cmpuint (ls_walk_row (5, 7), ==, 5);
  g_assert_cmpuint (ls_walk_row (7, 7), ==, 6);
  g_assert_cmpuint (ls_walk_col (0, 7), ==, 0);
  g_assert_cmpuint (ls_walk_col (9, 7), ==, 6);
}

/* ---- limits ---- */

/* A limit is the fastest run; what the CPU's own product reaches is none. */
static void
test_roofs (void)
{
  static const char *const units[LS_ROOF_N] = {
    [LS_ROOF_FLOPS] = "FLOP/s", [LS_ROOF_MEMORY] = "B/s", [LS_ROOF_LOCAL] = "B/s",  [LS_ROOF_L2] = "B/s",
    [LS_ROOF_L3] = "B/s",       [LS_ROOF_ONE] = "FLOP/s", [LS_ROOF_LAUNCH] = "1/s", [LS_ROOF_GEMM] = "FLOP/s"
  };

  for (LsRoof roof = 0; roof < LS_ROOF_N; roof++)
    {
      double rates[] = { 5, 1, 3, 2, 4 };
      const LsFigure figure = ls_roof_of_samples (rates, 5, roof), none = ls_roof_of_samples (rates, 0, roof);

      g_assert_cmpstr (figure.unit, ==, units[roof]);
      g_assert_cmpfloat (figure.value, ==, roof == LS_ROOF_GEMM ? 4 : 5);
      g_assert_cmpfloat (figure.q1, ==, 2);
      g_assert_cmpfloat (figure.q3, ==, 4);
      g_assert_cmpuint (none.n, ==, 0);
    }
}

/* ---- inside a call ---- */

static const struct {
  const char *core;
  guint registers, bytes;
} cores[] = { { "Haswell", 16, 32 },
              { "Zen", 16, 32 },
              { "SkylakeX", 32, 64 },
              { "Cooperlake", 32, 64 },
              { "SAPPHIRERAPIDS", 32, 64 } }; /* the case is no matter */

/* Who computes it: by the lane's word, by what the call is for, and by its size. */
static void
test_who (void)
{
  static const struct {
    LsGemmUse use;
    LsWay way;
    gboolean large_blas;
    gint64 edge; /* of all three sizes; 100³ is the largest small product */
    LsGemmBy by, by_512;
  } rows[] = {
    { LS_GEMM_PLAIN, LS_WAY_OTHER, TRUE, 101, LS_GEMM_BLAS, LS_GEMM_BLAS },
    { LS_GEMM_PLAIN, LS_WAY_OTHER, FALSE, 101, LS_GEMM_LOOPS, LS_GEMM_LOOPS },
    { LS_GEMM_PLAIN, LS_WAY_OTHER, TRUE, 100, LS_GEMM_LOOPS, LS_GEMM_LOOPS },
    { LS_GEMM_OWN, LS_WAY_OTHER, TRUE, 101, LS_GEMM_LOOPS, LS_GEMM_LOOPS },
    { LS_GEMM_PIXELS, LS_WAY_OTHER, TRUE, 101, LS_GEMM_LOOPS, LS_GEMM_LOOPS },
    { LS_GEMM_PICTURE, LS_WAY_DIRECT, TRUE, 101, LS_GEMM_LOOPS, LS_GEMM_LOOPS },
    { LS_GEMM_COLUMNS, LS_WAY_OWN_LOOPS, TRUE, 101, LS_GEMM_LOOPS, LS_GEMM_LOOPS },
    { LS_GEMM_COLUMNS, LS_WAY_OTHER, TRUE, 101, LS_GEMM_BLAS, LS_GEMM_BLAS },
    { LS_GEMM_COLUMNS, LS_WAY_OTHER, TRUE, 100, LS_GEMM_BLAS, LS_GEMM_BLAS_SMALL },
    { LS_GEMM_PLAIN, LS_WAY_NAIVE_LOOPS, TRUE, 101, LS_GEMM_NAIVE, LS_GEMM_NAIVE },
    { LS_GEMM_PLAIN, LS_WAY_SCALAR_LOOPS, TRUE, 101, LS_GEMM_SCALAR, LS_GEMM_SCALAR },
  };

  for (gsize c = 0; c < G_N_ELEMENTS (cores); c++)
    for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
      {
        const LsGemmLane lane
          = { .core = cores[c].core, .large_blas = rows[i].large_blas, .way = rows[i].way };
        const LsGemmCall call
          = { .m = rows[i].edge, .n = rows[i].edge, .k = rows[i].edge, .use = rows[i].use };
        LsBlasModel model;

        g_test_message ("%s, row %u", cores[c].core, (guint) i);
        g_assert_true (ls_gemm_model (&lane, &call, &model));
        g_assert_cmpint (model.by, ==, cores[c].bytes == 64 ? rows[i].by_512 : rows[i].by);
      }
  /* a core that nobody modelled has Haswell's stand in for it; of the loops its vectors tell all */
  const LsGemmCall call = { .m = 200, .n = 200, .k = 200 };
  LsBlasModel model;
  g_assert_false (ls_gemm_model (&(LsGemmLane){ .core = "Abacus", .large_blas = TRUE }, &call, &model));
  g_assert_cmpstr (model.core, ==, "Haswell");
  g_assert_true (ls_gemm_model (&(LsGemmLane){ .core = NULL, .floats = 8 }, &call, &model));
  g_assert_false (ls_gemm_model (&(LsGemmLane){ .core = NULL }, &call, &model));
}

/* A small product is computed without packing on wide registers, unless both factors are turned the wrong way
 * for it: B alone is, and C is large or the sum short. */
static void
test_small (void)
{
  static const struct {
    gboolean ta, tb;
    gint64 m, n, k;
    gboolean small;
  } rows[] = {
    { FALSE, FALSE, 100, 100, 100, TRUE }, { FALSE, FALSE, 100, 100, 101, FALSE },
    { FALSE, TRUE, 30, 40, 32, TRUE },     { FALSE, TRUE, 1, 1201, 32, FALSE },
    { FALSE, TRUE, 30, 40, 31, FALSE },    { TRUE, TRUE, 30, 41, 31, TRUE },
    { TRUE, FALSE, 30, 41, 31, TRUE },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      const LsGemmLane lane = { .core = "SkylakeX", .large_blas = TRUE };
      const LsGemmCall call = { .ta = rows[i].ta,
                                .tb = rows[i].tb,
                                .m = rows[i].m,
                                .n = rows[i].n,
                                .k = rows[i].k,
                                .use = LS_GEMM_COLUMNS };
      LsBlasModel model;

      g_assert_true (ls_gemm_model (&lane, &call, &model));
      if ((model.by == LS_GEMM_BLAS_SMALL) != rows[i].small)
        g_error ("%d×%d over %d%s is %s", (int) rows[i].m, (int) rows[i].n, (int) rows[i].k,
                 rows[i].tb ? ", B turned" : "", rows[i].small ? "packed" : "not packed");
    }
}

/* gemm_loops.c: one vector where all columns fit it, four of them where the rows are few, B is taken as it
 * lies, and the columns fill them, else two. */
static void
test_vectors (void)
{
  static const struct {
    guint floats;
    gint64 m, n;
    gboolean tb;
    guint vectors;
  } rows[] = {
    { 8, 3, 8, FALSE, 1 },   { 8, 3, 9, FALSE, 2 },   { 8, 3, 31, FALSE, 2 },  { 8, 3, 32, FALSE, 4 },
    { 8, 4, 32, FALSE, 2 },  { 8, 3, 32, TRUE, 2 },   { 16, 4, 63, FALSE, 2 }, { 16, 4, 64, FALSE, 4 },
    { 16, 5, 64, FALSE, 2 }, { 16, 1, 16, FALSE, 1 },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      const LsGemmLane lane = { .floats = rows[i].floats };
      const LsGemmCall call
        = { .m = rows[i].m, .n = rows[i].n, .k = 10, .tb = rows[i].tb, .use = LS_GEMM_OWN };
      LsBlasModel model;

      g_assert_true (ls_gemm_model (&lane, &call, &model));
      if (model.cols != rows[i].vectors * rows[i].floats)
        g_error ("%d×%d%s in registers of %u floats: %u columns at once, not %u", (int) rows[i].m,
                 (int) rows[i].n, rows[i].tb ? ", B turned" : "", rows[i].floats, model.cols,
                 rows[i].vectors * rows[i].floats);
    }
}

/* The micro-tile fits the registers that there are, and fills those that are said to hold it. */
static void
test_registers (void)
{
  static const gint64 sizes[] = { 1, 3, 7, 16, 24, 33, 100, 784 };

  for (gsize c = 0; c < G_N_ELEMENTS (cores); c++)
    for (gsize i = 0; i < G_N_ELEMENTS (sizes) * G_N_ELEMENTS (sizes); i++)
      for (LsGemmUse use = LS_GEMM_PLAIN; use <= LS_GEMM_PIXELS; use++)
        for (gint large = FALSE; large <= TRUE; large++)
          {
            const LsGemmLane lane = { .core = cores[c].core, .large_blas = large };
            const LsGemmCall call = { .m = sizes[i % G_N_ELEMENTS (sizes)],
                                      .n = sizes[i / G_N_ELEMENTS (sizes)],
                                      .k = 500,
                                      .use = use,
                                      .row = sizes[i / G_N_ELEMENTS (sizes)] };
            LsBlasModel model;

            ls_gemm_model (&lane, &call, &model);
            g_test_message ("%s: %d×%d, use %u", cores[c].core, (gint) call.m, (gint) call.n, (guint) use);
            g_assert_cmpuint (model.registers, ==, cores[c].registers);
            g_assert_cmpuint (model.register_bytes, ==, cores[c].bytes);
            g_assert_cmpuint (model.used, <, model.registers); /* factors need some, too */
            const gint64 lanes = use == LS_GEMM_PIXELS       ? 2 * model.register_bytes / 4
                                 : use == LS_GEMM_BY_OUTPUTS ? model.register_bytes / 4
                                                             : 0;
            if (call.m >= lanes)
              g_assert_cmpuint (model.used * model.register_bytes / 4, ==, model.rows * model.cols);
            else /* few outputs leave lanes empty */
              g_assert_cmpuint (model.used * model.register_bytes / 4, >=, model.rows * model.cols);
            if (model.by == LS_GEMM_BLAS)
              {
                /* param.h: SGEMM_DEFAULT_UNROLL_M is 8 or 16, which are our columns, and _N is 4 */
                g_assert_cmpuint (model.cols, ==, cores[c].bytes / 4);
                g_assert_cmpuint (model.sliver_rows, ==, 4);
                g_assert_true (model.packs_a && model.packs_b);
              }
            else
              {
                g_assert_false (model.packs_a);
                g_assert_cmpint (model.rows, <=, MAX (call.m, 1));
              }
          }
}

/* All of a product: what is done, and what goes once into the second cache; each micro-tile moves a column of
 * A and a row of B for each product. */
static void
test_traffic (void)
{
  const LsBlasModel model = { .rows = 3, .cols = 4 };
  const LsBlasTraffic whole = ls_blas_traffic (&model, 9, 8, 10, 2, 0, 0),
                      edge = ls_blas_traffic (&model, 7, 5, 10, 2, 0, 0),
                      none = ls_blas_traffic (&model, 9, 8, 10, 0, 0, 0),
                      some = ls_blas_traffic (&model, 9, 8, 10, 1, 2, 4);

  g_assert_cmpint (whole.flops, ==, 2 * 9 * 8 * 10);
  g_assert_cmpint (whole.registers, ==, 4 * 6 * 10 * (3 + 4)); /* six micro-tiles */
  g_assert_cmpint (whole.l1, ==, 4 * 10 * (8 + 2 * 9));        /* B once, A for each of its two slivers */
  g_assert_cmpint (whole.l2, ==, 4 * 10 * (9 + 8));
  g_assert_cmpint (edge.flops, ==, whole.flops); /* the last micro-tiles are whole ones */
  g_assert_cmpint (edge.registers, ==, whole.registers);
  g_assert_cmpint (edge.l2, ==, 4 * 10 * (7 + 5));
  g_assert_cmpint (none.flops, ==, 0);
  g_assert_cmpint (none.registers, ==, 0);
  g_assert_cmpint (none.l1, ==, 0);
  /* the first sliver's three micro-tiles, two of the second's, and four of ten products of its third */
  g_assert_cmpint (some.flops, ==, 2 * (5 * 10 + 4) * 3 * 4);
  g_assert_cmpint (some.registers, ==, 4 * (5 * 10 + 4) * (3 + 4));
  g_assert_cmpint (some.l1, ==, 4 * 10 * (2 * 4 + 6 * 3));
  /* a sliver's first product needs its panel of B: it only ever gets more, and by a sliver's as it begins */
  for (gint64 at = 1, before = 0; at <= 2 * 3 * 10; at++)
    {
      const LsBlasTraffic now = ls_blas_traffic (&model, 9, 8, 10, at / 30, at % 30 / 10, at % 10);
      const gint64 slivers = (at + 29) / 30, groups = (at + 9) / 10;

      g_test_message ("after %d products", (int) at);
      g_assert_cmpint (now.l1, ==, 4 * 10 * (slivers * 4 + groups * 3));
      g_assert_cmpint (now.l1, >=, before);
      before = now.l1;
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/walk-times/stamps", test_stamps);
  g_test_add_func ("/walk-times/bytes", test_bytes);
  g_test_add_func ("/walk-times/matches", test_matches);
  g_test_add_func ("/walk-times/roofs", test_roofs);
  g_test_add_func ("/gemm-model/who", test_who);
  g_test_add_func ("/gemm-model/small", test_small);
  g_test_add_func ("/gemm-model/vectors", test_vectors);
  g_test_add_func ("/gemm-model/registers", test_registers);
  g_test_add_func ("/gemm-model/traffic", test_traffic);
  return g_test_run ();
}
