/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Convolutions without columns, by the loops for each width of vectors that this processor has: against sums
 * in double precision, and, since their order is said, against the same chain of fused or unfused additions
 * bit for bit. Nothing before or behind what a tile owns is written, whatever the vectors run over.
 */
#include "config.h"
#include "backends/cpu/columns.h"
#include "backends/cpu/direct.h"

#include <math.h>
#include <string.h>

#include "backends/cpu/gemm.h"
#include "core/rng.h"
#include "ops/op.h"
#include "usable.h"

#define GUARD  64
#define POISON 12345.0f

typedef struct {
  gint64 images, channels, height, width, outputs, kernel, pad;
} Shape;

/* The last ones with outputs as lanes, where vectors are long enough: rows of few pixels, two at a time and
 * an odd one left, of one block and of two; sums of two blocks, whose edge is within three places; fewer
 * pixels than lanes; several groups of rows, and strips; lanes that stay empty.
 *
 * Planes of as many pixels as a vector, one less and more, two and a bit; one pixel; windows as large as the
 * image; sums of more than one block; planes that need several strips; outputs that fill vectors, nearly and
 * more than two; windows beyond the zeros, and away from the edge. */
static const Shape shapes[] = {
  { 1, 1, 1, 1, 1, 1, 0 },     { 2, 1, 28, 28, 16, 3, 1 },  { 2, 16, 14, 14, 33, 3, 1 },
  { 3, 3, 5, 16, 7, 3, 1 },    { 2, 4, 6, 15, 9, 3, 1 },    { 1, 4, 6, 17, 5, 3, 1 },
  { 1, 12, 4, 37, 3, 5, 2 },   { 2, 5, 9, 18, 8, 3, 0 },    { 1, 32, 7, 13, 6, 3, 1 },
  { 1, 8, 3, 12, 1, 1, 0 },    { 2, 16, 12, 12, 17, 3, 2 }, { 1, 2, 20, 20, 4, 7, 3 },
  { 1, 33, 50, 64, 2, 3, 1 },  { 1, 16, 3, 4000, 3, 3, 1 }, { 1, 3, 3, 3, 2, 3, 0 },
  { 1, 7, 12, 12, 2, 12, 11 }, { 3, 5, 9, 18, 32, 3, 1 },   { 2, 3, 6, 5, 15, 2, 1 },
  { 1, 2, 4, 4, 48, 5, 2 },    { 1, 20, 16, 1, 13, 3, 1 },  { 1, 9, 3, 5, 28, 1, 0 },
  { 2, 2, 4, 5, 16, 3, 4 },    { 2, 3, 9, 12, 6, 3, -1 },   { 1, 16, 41, 64, 16, 3, 1 },
  { 2, 8, 7, 7, 16, 3, 1 },    { 2, 32, 14, 14, 16, 3, 1 }, { 1, 57, 5, 17, 24, 3, 1 },
  { 1, 29, 3, 4, 32, 3, 1 },   { 2, 9, 3, 5, 14, 3, 1 },    { 1, 10, 9, 33, 48, 3, 0 },
  { 1, 86, 30, 28, 32, 3, 2 }, { 1, 8, 5, 300, 16, 3, 1 },  { 1, 12, 6, 12, 32, 3, -1 },
  { 1, 64, 60, 20, 45, 3, 1 }, { 1, 8, 4, 6, 13, 3, 0 },
};

static float *
numbers (gint64 n, guint64 key)
{
  float *f = g_new (float, n + 1);

  for (gint64 i = 0; i < n; i++)
    f[i] = (float) ls_rng_normal (5, LS_STREAM_TEST, key, (guint64) i);
  return f;
}

static LsTensor
tensor (gint64 b, gint64 c, gint64 h, gint64 w)
{
  return (LsTensor){ .rank = 4, .shape = { b, c, h, w } };
}

/* One element in the order that is said: (channel, u, v), in blocks of LS_SUM_BLOCK; and in double
 * precision. */
typedef struct {
  float fused, unfused;
  double exact, size;
} Sum;

typedef struct {
  Sum total, block;
  gint64 n;
} Chain;

static void
chain_add (Chain *c, float a, float b)
{
  c->block.fused = fmaf (a, b, c->block.fused);
  c->block.unfused += a * b;
  c->total.exact += (double) a * (double) b;
  c->total.size += fabs ((double) a * (double) b);
  if (++c->n % LS_SUM_BLOCK != 0)
    return;
  c->total.fused += c->block.fused;
  c->total.unfused += c->block.unfused;
  c->block = (Sum){ 0 };
}

static Sum
chain_end (Chain *c)
{
  c->total.fused += c->block.fused;
  c->total.unfused += c->block.unfused;
  return c->total;
}

static float
pixel (const float *x, const LsTensor *t, gint64 b, gint64 c, gint64 h, gint64 w)
{
  const gint64 *s = t->shape;
  return h < 0 || h >= s[2] || w < 0 || w >= s[3] ? 0 : x[((b * s[1] + c) * s[2] + h) * s[3] + w];
}

static void
check (float got, Sum wanted, gboolean *fused, gboolean *unfused)
{
  g_assert_cmpfloat (fabs ((double) got - wanted.exact), <=, 1e-6 * wanted.size + 1e-7);
  *fused &= got == wanted.fused;
  *unfused &= got == wanted.unfused;
}

/* Tiles of some outputs of all images; turned: w is [channels, outputs, K, K] and the places come last
 * first. */
static void
check_planes (const LsDirectLoops *loops, const Shape *s, gboolean turned)
{
  const gint64 oh = s->height + 2 * s->pad - s->kernel + 1, ow = s->width + 2 * s->pad - s->kernel + 1,
               area = s->kernel * s->kernel;
  const LsTensor from = tensor (s->images, s->channels, s->height, s->width),
                 to = tensor (s->images, s->outputs, oh, ow);
  g_autofree float *x = numbers (ls_tensor_count (&from), 1),
                   *w = numbers (s->outputs * s->channels * area, 2);
  const gint64 count = ls_tensor_count (&to), tile = MAX (1, s->outputs / 2);
  g_autofree float *all = g_new (float, count + 2 * GUARD), *scratch = NULL;
  gboolean fused = TRUE, unfused = TRUE;
  LsDirect d;

  if (!ls_direct_init (&d, loops, &from, &to, s->kernel, 1, s->pad))
    return;
  for (gint64 i = 0; i < count + 2 * GUARD; i++)
    all[i] = POISON;
  scratch = g_new (float, ls_direct_size (&d) + GUARD);
  for (gint64 row = 0; row < s->outputs; row += tile)
    {
      const gint64 rows = MIN (tile, s->outputs - row);
      for (gsize i = 0; i < ls_direct_size (&d) + GUARD; i++)
        scratch[i] = NAN;
      (turned ? ls_direct_turned_weights : ls_direct_weights) (&d, w, row, rows, scratch);
      for (gint64 b = 0; b < s->images; b++)
        for (gint64 r0 = 0; r0 < oh; r0 += d.strip)
          ls_direct_rows (&d, x + b * s->channels * s->height * s->width, r0, MIN (d.strip, oh - r0), rows,
                          all + GUARD + (b * s->outputs + row) * oh * ow, scratch);
      g_assert_true (isnan (scratch[ls_direct_size (&d)]));
      if (row + rows < s->outputs) /* of the last image nothing behind the tile */
        g_assert_cmpfloat (all[GUARD + ((s->images - 1) * s->outputs + row + rows) * oh * ow], ==, POISON);
    }
  for (gint64 i = 0; i < GUARD; i++)
    g_assert_true (all[i] == POISON && all[GUARD + count + i] == POISON);
  for (gint64 i = 0; i < count; i++)
    {
      const gint64 b = i / (s->outputs * oh * ow), o = i / (oh * ow) % s->outputs, r = i / ow % oh,
                   q = i % ow;
      Chain chain = { 0 };
      for (gint64 k = 0; k < s->channels * area; k++)
        {
          const gint64 c = k / area, place = turned ? area - 1 - k % area : k % area;
          chain_add (&chain,
                     turned ? w[(c * s->outputs + o) * area + k % area] : w[o * s->channels * area + k],
                     pixel (x, &from, b, c, r + place / s->kernel - s->pad, q + place % s->kernel - s->pad));
        }
      check (all[GUARD + i], chain_end (&chain), &fused, &unfused);
    }
  g_assert_true (fused || unfused);
}

static void
check_gradient (const LsDirectLoops *loops, const Shape *s)
{
  const gint64 oh = s->height + 2 * s->pad - s->kernel + 1, ow = s->width + 2 * s->pad - s->kernel + 1,
               k = s->kernel;
  const LsTensor from = tensor (s->images, s->channels, s->height, s->width),
                 to = tensor (s->images, s->outputs, oh, ow);
  g_autofree float *x = numbers (ls_tensor_count (&from), 3), *dy = numbers (ls_tensor_count (&to), 4);
  const gint64 n = s->channels * k * k, tile = MAX (1, s->outputs / 2), first = s->images / 2;
  g_autofree float *dw = g_new (float, s->outputs *n + 2 * GUARD), *scratch = NULL;
  gboolean fused = TRUE, unfused = TRUE;
  LsDirect d;

  if (!ls_direct_gradient_init (&d, loops, &from, &to, k, 1, s->pad))
    return;
  for (gint64 i = 0; i < s->outputs * n + 2 * GUARD; i++)
    dw[i] = POISON;
  scratch = g_new (float, ls_direct_gradient_size (&d) + GUARD);
  for (gint64 row = 0; row < s->outputs; row += tile)
    {
      for (gsize i = 0; i < ls_direct_gradient_size (&d) + GUARD; i++)
        scratch[i] = NAN;
      ls_direct_gradient (&d, x, dy, first, s->images, row, MIN (tile, s->outputs - row), 0, FALSE,
                          ls_columns_loops.add, dw + GUARD + row * n, scratch);
      g_assert_true (isnan (scratch[ls_direct_gradient_size (&d)]));
    }
  for (gint64 i = 0; i < GUARD; i++)
    g_assert_true (dw[i] == POISON && dw[GUARD + s->outputs * n + i] == POISON);
  for (gint64 i = 0; i < s->outputs * n; i++)
    {
      const gint64 o = i / n, c = i % n / (k * k), u = i / k % k, v = i % k;
      Chain chain = { 0 };
      for (gint64 b = first; b < s->images; b++)
        for (gint64 p = 0; p < oh * ow; p++)
          chain_add (&chain, pixel (dy, &to, b, o, p / ow, p % ow),
                     pixel (x, &from, b, c, p / ow + u - s->pad, p % ow + v - s->pad));
      check (dw[GUARD + i], chain_end (&chain), &fused, &unfused);
    }
  g_assert_true (fused || unfused);
}

static void
test_all (void)
{
  const LsDirectLoops *loops[3];
  const guint n = usable (loops);

  for (guint i = 0; i < n; i++)
    for (gsize j = 0; j < G_N_ELEMENTS (shapes); j++)
      {
        check_planes (loops[i], &shapes[j], FALSE);
        check_planes (loops[i], &shapes[j], TRUE);
        check_gradient (loops[i], &shapes[j]);
      }
}

/* Which shapes the usual layers' loops take, and which are left to columns. */
static void
test_takes (void)
{
  static const struct {
    gint64 outputs, stride;
    gboolean planes, gradient;
    gint64 channels, kernel, width;
    gboolean by_outputs;
  } cases[] = {
    { 16, 1, TRUE, TRUE, 3, 3, 14, FALSE },  { 16, 2, FALSE, FALSE, 3, 3, 14, FALSE },
    { 12, 1, TRUE, TRUE, 3, 3, 14, FALSE },  { 11, 1, TRUE, FALSE, 3, 3, 14, FALSE },
    { 33, 1, TRUE, FALSE, 3, 3, 14, FALSE }, { 1, 1, TRUE, FALSE, 3, 3, 14, FALSE },
    { 16, 1, TRUE, TRUE, 8, 3, 14, TRUE },   { 16, 1, TRUE, TRUE, 7, 3, 14, FALSE },
    { 12, 1, TRUE, TRUE, 8, 3, 14, TRUE },   { 11, 1, TRUE, FALSE, 8, 3, 14, FALSE },
    { 16, 1, TRUE, TRUE, 8, 3, 4, TRUE },    { 16, 1, TRUE, TRUE, 8, 3, 3, FALSE },
    { 32, 1, TRUE, TRUE, 16, 5, 14, FALSE },
  };

#if LS_GEMM_X86
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      const gint64 width = cases[i].width;
      const LsTensor from = tensor (2, cases[i].channels, 14, width),
                     to = tensor (2, cases[i].outputs, 14, width);
      LsDirect d;

      g_assert_cmpint (ls_direct_init (&d, &ls_direct_loops_16, &from, &to, cases[i].kernel, cases[i].stride,
                                       cases[i].kernel / 2),
                       ==, cases[i].planes);
      g_assert_cmpint (d.by_outputs, ==, cases[i].by_outputs);
      ls_direct_init (&d, &ls_direct_loops_8, &from, &to, cases[i].kernel, cases[i].stride,
                      cases[i].kernel / 2);
      g_assert_false (d.by_outputs); /* too few registers */
      g_assert_cmpint (ls_direct_gradient_init (&d, &ls_direct_loops_16, &from, &to, cases[i].kernel,
                                                cases[i].stride, cases[i].kernel / 2),
                       ==, cases[i].gradient);
    }
#else
  g_test_skip ("no vectors of 16 floats");
#endif
}

/* Each chain begins at a number of its own, which a compiler doesn't know, and is halved and added one to: of
 * a chain that begins where it stays, at 2, nothing would be left but what is counted. */
static void
test_chains (void)
{
  const LsDirectLoops *loops[3];
  const guint n = usable (loops);

  for (guint i = 0; i < n; i++)
    for (guint times = 0; times < 12; times++)
      {
        double wanted = 0;

        for (guint k = 0; k < 12; k++)
          {
            double chain = times + k;
            for (guint t = 0; t < times; t++)
              chain = chain / 2 + 1;
            wanted += chain * (double) loops[i]->floats * (k + 1);
          }
        const double got = (double) loops[i]->multiply_add (times);
        if (fabs (got / wanted - 1) > 1e-5)
          g_error ("after %u rounds the chains of %d lanes are %g together, not %g", times,
                   (gint) loops[i]->floats, got, wanted);
      }
  g_assert_cmpfloat (loops[0]->multiply_add_flops, ==, 2. * 12 * (double) loops[0]->floats);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/direct/all", test_all);
  g_test_add_func ("/direct/takes", test_takes);
  g_test_add_func ("/direct/chains", test_chains);
  return g_test_run ();
}
