/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The matrix product in plain C, one block of the sum after the other: the CPU's twin of
 * kernels_cl/gemm_packed.cl. A tile of C, some rows × some vectors, stays in registers while k runs from
 * first to last:
 *
 *                     B or panel        per k: sum[r][v] += A(r, k) · B(k, v)
 *                    ┌────┬────┐               = VECTORS loads of B, ROWS numbers sent to all lanes,
 *                  k │    │    │                 ROWS · VECTORS fused multiply-adds
 *         k          ├────┼────┤
 *      ┌──────┐      │ ▒▒ │ ▒▒ │        Each element is one chain of additions in the order of k, whatever
 * rows │ A ►  │      │ ▒▒ │ ▒▒ │ C      the shape of its tile: vectors lie along n, never along k.
 *      └──────┘      └────┴────┘
 *
 * Where B is transposed, ragged, or read by many rows, a panel of its columns is copied first, so that
 * consecutive k are consecutive vectors. A C too narrow for vectors is computed as its transpose, Bᵀ·Aᵀ.
 * meson.build compiles this file once for each VEC, with the instructions that go with it, and with
 * multiplications and additions fused where there are such.
 *
 *   VEC   floats of a vector register: 4, 8 or 16
 */
#include "backends/cpu/gemm.h"

#include "backends/cpu/gemm_one_row.h"
#include "backends/cpu/vectors.h"
#include "ops/op.h"

/* Tiles are rows × vectors, and their sums fill the registers: 16 of SSE and AVX2, 32 of AVX-512. */
#define ROWS_1      12
#define ROWS_2      (VEC == 16 ? 8 : 6)
#define ROWS_4      (VEC == 16 ? 4 : 3)
#define DIRECT_ROWS (4 * ROWS_2) /* B is copied where more rows than these read it: measured */
/* floats of B that stay in the first-level cache while one row of tiles after the other uses it */
#define RESIDENT 4096
/* floats of C, sums of all blocks, that leave room in that cache */
#define SUMS 8192
/* How many k ahead A is brought to that cache: where it is transposed each k is another line, and with rows
 * of a power of two one of few sets, from where it is gone when the next tile asks, or when too many come
 * ahead. Measured with vectors of 16: on 64×784×128 of a transposed A 8 % more, on 256×64×3456 24 %; 4 and
 * 16 do nearly as well, 32 doesn't. With vectors of 8 a k takes half as long; where a set holds eight lines,
 * 512×512×128 with rows 1024 apart: 84 GFLOP/s with 3, 71 with 4, 55 with 8, 86 with 0; rows 512 apart: 107,
 * 108, 96 and 102. */
#define AHEAD (VEC == 16 ? 8 : 3)
/* Rows of memory that are a multiple of so many floats apart fall into one set of a first-level cache, which
 * holds eight or twelve lines. */
#define ONE_SET 1024
/* floats of a copy of A that has them elsewhere: the second-level cache has room for them, or the third's */
#define COPY 73728
/* Costs in multiply-adds of a lane: an element of a panel that is turned, an element of C that is stored by
 * itself. */
#define TURN    8
#define SCATTER 32

/* ---- tiles ---- */

/* A product, or a tile of one; strides: from one row, column or k to the next. */
typedef struct {
  gint64 m, n, k;
  const float *a;
  gint64 a_row, a_k;
  const float *b;
  gint64 b_k, b_col;
  float *c;
  gint64 c_row, c_col;
  LsGemmStart start;
  const LsGemmUpdate *update; /* instead of storing C, in the last block; NULL */
  float *weight, *velocity;   /* its, at c */
} Product;

INLINE void
move_c (Product *p, gint64 by)
{
  p->c += by;
  if (p->update != NULL)
    {
      p->weight += by;
      p->velocity += by;
    }
}

/* At C's edge, and where C is computed as its transpose: n elements of the row that begins at c + at. */
static void
store_lanes (const Product *t, gint64 at, const float *lanes)
{
  float *c = t->c + at;

  if (t->update != NULL)
    for (gint64 j = 0; j < t->n; j++)
      UPDATE (float, t->update, t->weight + at + j * t->c_col, t->velocity + at + j * t->c_col,
              t->start == LS_GEMM_ADD ? c[j * t->c_col] + lanes[j] : lanes[j])
  else if (t->c_col == 1 && t->start != LS_GEMM_ADD)
    copy_lanes (c, lanes, t->n);
  else
    for (gint64 j = 0; j < t->n; j++)
      c[j * t->c_col] = t->start == LS_GEMM_ADD ? c[j * t->c_col] + lanes[j] : lanes[j];
}

/* What the chains of a row of the tile begin with. */
INLINE void
begin_row (const Product *t, int row, int vectors, Vector *sum)
{
  const float *c = t->c + row * t->c_row;

  LS_UNROLL
  for (int i = 0; i < vectors; i++)
    sum[i] = (Vector){ 0 };
  if (t->start != LS_GEMM_GO_ON)
    return;
  if (t->c_col == 1 && t->n == vectors * VEC)
    LS_UNROLL
  for (int i = 0; i < vectors; i++)
    sum[i] = *(const Vector *) (c + i * VEC);
  else
  {
    Vector lanes[4] = { { 0 } };
    for (gint64 j = 0; j < t->n; j++)
      ((float *) lanes)[j] = c[j * t->c_col];
    LS_UNROLL
    for (int i = 0; i < vectors; i++)
      sum[i] = lanes[i];
  }
}

INLINE void
store_row (const Product *t, int row, int vectors, const Vector *sum)
{
  const gint64 at = row * t->c_row;

  if (t->c_col == 1 && t->n == vectors * VEC)
    LS_UNROLL
  for (int i = 0; i < vectors; i++)
    {
      Vector *to = (Vector *) (t->c + at + i * VEC), x = sum[i];
      if (t->start == LS_GEMM_ADD)
        x += *to;
      if (t->update != NULL)
        UPDATE (Vector, t->update, t->weight + at + i * VEC, t->velocity + at + i * VEC, x)
      else
        *to = x;
    }
  else
  {
    Vector lanes[4];
    LS_UNROLL
    for (int i = 0; i < vectors; i++)
      lanes[i] = sum[i];
    store_lanes (t, at, (const float *) lanes);
  }
}

INLINE void
fetch_to_write (float *c, gint64 c_row, int rows, int vectors)
{
  LS_UNROLL
  for (int r = 0; r < rows; r++)
    LS_UNROLL
  for (int v = 0; v < vectors; v++)
    __builtin_prefetch (c + r * c_row + v * VEC, 1);
}

/* rows and vectors are constants wherever this is inlined. */
INLINE void
compute (const Product *t, int rows, int vectors)
{
  Vector sum[ROWS_1][4];
  const float *a = t->a, *b = t->b;
  const gint64 a_row = t->a_row, a_k = t->a_k, b_k = t->b_k;

  /* What will be written is on its way here while the sum runs. Measured: 3584×512 sums of 28, C in the third
   * cache, take two thirds of the time. */
  if (t->c_col == 1 && t->update != NULL)
    {
      fetch_to_write (t->weight, t->c_row, rows, vectors);
      fetch_to_write (t->velocity, t->c_row, rows, vectors);
    }
  else if (t->c_col == 1)
    fetch_to_write (t->c, t->c_row, rows, vectors);
  LS_UNROLL
  for (int r = 0; r < rows; r++)
    begin_row (t, r, vectors, sum[r]);
  for (gint64 k = t->k; k > 0; k--, a += a_k, b += b_k)
    {
      Vector x[4];
      __builtin_prefetch (a + AHEAD * a_k);
      LS_UNROLL
      for (int v = 0; v < vectors; v++)
        x[v] = *(const Vector *) (b + v * VEC);
      LS_UNROLL
      for (int r = 0; r < rows; r++)
        LS_UNROLL
      for (int v = 0; v < vectors; v++)
        sum[r][v] += a[r * a_row] * x[v];
    }
  LS_UNROLL
  for (int r = 0; r < rows; r++)
    store_row (t, r, vectors, sum[r]);
}

/* A function for each tile: in one that holds all of them gcc moves sums from register to register, up to 16
 * times for each k, which takes 4 % of the time. */
/* clang-format off */
#define TILES                                                                                                \
  TILE (1, 1) TILE (2, 1) TILE (3, 1) TILE (4, 1) TILE (5, 1) TILE (6, 1)                                    \
  TILE (7, 1) TILE (8, 1) TILE (9, 1) TILE (10, 1) TILE (11, 1) TILE (12, 1)                                 \
  TILE (1, 2) TILE (2, 2) TILE (3, 2) TILE (4, 2) TILE (5, 2) TILE (6, 2)                                    \
  TILE (1, 4) TILE (2, 4) TILE (3, 4) MORE_TILES
/* clang-format on */
#if VEC == 16
#define MORE_TILES TILE (7, 2) TILE (8, 2) TILE (4, 4)
#else
#define MORE_TILES
#endif

#define TILE(rows, vectors)                                                                                  \
  static G_NO_INLINE void compute_##rows##_##vectors (const Product *t)                                      \
  {                                                                                                          \
    compute (t, rows, vectors);                                                                              \
  }
TILES
#undef TILE

static void
compute_tile (const Product *t, gint64 vectors)
{
#define TILE(rows, vectors) [vectors][rows] = compute_##rows##_##vectors,
  static void (*const tiles[][ROWS_1 + 1]) (const Product *) = { TILES };
#undef TILE

  tiles[vectors][t->m](t);
}

/* All rows of the product t, whose b is ready, in tiles as even as can be. */
static void
compute_rows (Product *t, gint64 vectors)
{
  const gint64 m = t->m, most = vectors == 1 ? ROWS_1 : vectors == 2 ? ROWS_2 : ROWS_4;
  const gint64 tiles = (m + most - 1) / most, rows = (m + tiles - 1) / tiles;

  for (gint64 row = 0; row < m; row += rows)
    {
      t->m = MIN (rows, m - row);
      compute_tile (t, vectors);
      t->a += rows * t->a_row;
      move_c (t, rows * t->c_row);
    }
}

/* ---- the whole ---- */

static void
transpose_product (Product *p)
{
  *p = (Product){
    .m = p->n,
    .n = p->m,
    .k = p->k,
    .a = p->b,
    .a_row = p->b_col,
    .a_k = p->b_k,
    .b = p->a,
    .b_k = p->a_k,
    .b_col = p->a_row,
    .c = p->c,
    .c_row = p->c_col,
    .c_col = p->c_row,
    .start = p->start,
    .update = p->update,
    .weight = p->weight,
    .velocity = p->velocity,
  };
}

static gboolean
better_transposed (const Product *p)
{
  const gint64 lanes = (p->n + VEC - 1) / VEC * VEC * p->m,
               lanes_transposed = (p->m + VEC - 1) / VEC * VEC * p->n;
  const gint64 turn = p->b_col != 1 ? TURN * p->n : 0, turn_transposed = p->a_row != 1 ? TURN * p->m : 0;
  return (lanes + turn) * p->k > (lanes_transposed + turn_transposed) * p->k + SCATTER * p->m * p->n;
}

/* One block of the sum; panels: room for one, or for RESIDENT floats of narrower ones. */
static void
compute_block (const Product *p, float *panels)
{
  const gboolean direct = p->b_col == 1 && (p->n * p->k <= RESIDENT || p->m <= DIRECT_ROWS);
  /* Rows of tiles one after the other write C as it lies in memory, where the columns of B that they read
   * stay at hand; columns of tiles read B but once. */
  const gint64 at_hand = direct ? p->n : MIN (p->n, MAX (RESIDENT / p->k / PANEL, 1) * PANEL);
  const gboolean by_rows = at_hand > PANEL && at_hand * p->k <= RESIDENT;
  const gint64 rows = by_rows ? MIN (ROWS_2, p->m) : p->m;

  for (gint64 first = 0; first < p->n; first += at_hand)
    for (gint64 row = 0; row < p->m; row += rows)
      for (gint64 col = first, end = MIN (first + at_hand, p->n), cols; col < end; col += cols)
        {
          const gint64 left = p->n - col, vectors = left <= VEC                                   ? 1
                                                    : direct && p->m <= ROWS_4 && left >= 4 * VEC ? 4
                                                                                                  : 2;
          const gint64 width = vectors * VEC;
          Product t = *p;

          cols = t.n = MIN (width, left);
          t.m = MIN (rows, p->m - row);
          t.a = p->a + row * p->a_row;
          t.b = p->b + col * p->b_col;
          move_c (&t, row * p->c_row + col * p->c_col);
          if (!direct || cols < width)
            {
              /* a direct product has one, the ragged one */
              float *panel = direct ? panels : panels + (col - first) * p->k;
              if (row == 0 && p->b_col != 1)
                turn_columns (t.b, p->b_col, cols, p->k, panel, width);
              else if (row == 0)
                copy_columns (t.b, p->b_k, cols, p->k, panel, width);
              t.b = panel;
              t.b_k = width;
            }
          compute_rows (&t, vectors);
        }
}

static void
begin_update (Product *p, const LsGemmUpdate *update)
{
  if (update == NULL)
    return;
  p->update = update;
  p->weight = update->weight;
  p->velocity = update->velocity;
}

/* Where A is transposed, or is a B that isn't, each k is a row of memory. If all these rows fall into one set
 * of the cache, 256×512 sums of 128 take 30 % less time from a copy, whose rows are an odd number of lines
 * long. */
static gint64
row_of_copy (gint64 m)
{
  return (m + 31) / 32 * 32 + 16;
}

static gboolean
lies_in_one_set (const Product *p)
{
  return p->a_row == 1 && p->a_k % ONE_SET == 0 && p->n >= 4 * PANEL && p->m >= ROWS_2
         && row_of_copy (p->m) * p->k <= COPY;
}

static G_NO_INLINE void
compute_copy (const Product *p, float *panels)
{
  float copy[COPY] __attribute__ ((aligned (64)));
  Product block = *p;

  block.a = copy;
  block.a_k = row_of_copy (p->m);
  for (gint64 k = 0; k < p->k; k++)
    memcpy (copy + k * block.a_k, p->a + k * p->a_k, (gsize) p->m * sizeof (float));
  compute_block (&block, panels);
}

void
JOIN (ls_gemm_update_, VEC) (gboolean ta, gboolean tb, gint64 m, gint64 n, gint64 k, const float *a,
                             gint64 lda, const float *b, gint64 ldb, LsGemmStart start, float *c, gint64 ldc,
                             const LsGemmUpdate *update)
{
#if VEC <= 8
  for (; m == 1 && tb && !ta && update == NULL && n >= CHAINS * VEC;
       n -= CHAINS * VEC, b += CHAINS * VEC * ldb, c += CHAINS * VEC)
    turned_columns (a, b, ldb, k, start, c);
  if (n == 0)
    return;
#endif
  float panels[MAX (LS_SUM_BLOCK * PANEL, RESIDENT)] __attribute__ ((aligned (64)));
  float sums[SUMS] __attribute__ ((aligned (64)));
  /* of what is computed as its transpose, all blocks are added up before an element is stored by itself */
  const gboolean apart = k > LS_SUM_BLOCK && start == LS_GEMM_NEW && m * n <= SUMS;
  Product p = {
    .m = m,
    .n = n,
    .k = apart ? k : MIN (k, LS_SUM_BLOCK),
    .a = a,
    .a_row = ta ? 1 : lda,
    .a_k = ta ? lda : 1,
    .b = b,
    .b_k = tb ? 1 : ldb,
    .b_col = tb ? ldb : 1,
    .c = c,
    .c_row = ldc,
    .c_col = 1,
    .start = start,
  };
  gboolean turned;

  if (k == 1 && p.b_col == 1 && start == LS_GEMM_NEW)
    {
      outer_product (m, n, a, p.a_row, b, c, ldc, update);
      return;
    }
  turned = better_transposed (&p);
  if (turned)
    transpose_product (&p);
  if (turned && apart)
    {
      p.c = sums;
      p.c_row = p.n;
      p.c_col = 1;
    }
  for (gint64 first = 0; first < k; first += LS_SUM_BLOCK)
    {
      p.k = MIN (LS_SUM_BLOCK, k - first);
      if (first + p.k == k && !(turned && apart))
        begin_update (&p, update);
      (lies_in_one_set (&p) ? compute_copy : compute_block) (&p, panels);
      p.a += p.k * p.a_k;
      p.b += p.k * p.b_k;
      if (p.start == LS_GEMM_NEW)
        p.start = LS_GEMM_ADD;
    }
  if (turned && apart)
    for (gint64 row = 0; row < m; row++)
      for (gint64 col = 0; col < n; col++)
        {
          const gint64 at = row * ldc + col;
          if (update != NULL)
            UPDATE (float, update, update->weight + at, update->velocity + at, sums[col * m + row])
          else
            c[at] = sums[col * m + row];
        }
}

void
JOIN (ls_gemm_loops_, VEC) (gboolean ta, gboolean tb, gint64 m, gint64 n, gint64 k, const float *a,
                            gint64 lda, const float *b, gint64 ldb, LsGemmStart start, float *c, gint64 ldc)
{
  JOIN (ls_gemm_update_, VEC) (ta, tb, m, n, k, a, lda, b, ldb, start, c, ldc, NULL);
}
