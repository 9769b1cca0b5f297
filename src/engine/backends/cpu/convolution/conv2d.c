/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Tiles of the convolution and of its two gradients, each a matrix product over columns of pixels
 * (columns.h), for the shapes that conv2d_direct.c doesn't take:
 *
 *   conv2d      Y_b  = W · columns (X_b)              tile: output channels × images
 *   conv2d_dx   dX_b = W′ · columns (dY_b)            tile: input channels × images; W′: W, inputs first, and
 *                                                     of each phase of the windows' steps its own places
 *   conv2d_dw   dW   = Σ_b dY_b · columns (X_b)ᵀ      tile: output channels; the sum over images may be split
 *
 * They add in the order in which every lane adds: ops/op.h. dW's sum goes on from image to image, a block of
 * LS_SUM_BLOCK windows at a time.
 */
#include "config.h"
#include "backends/cpu/columns.h"
#include "backends/cpu/kernel.h"
#include "core/strip.h"

#define LANES 16 /* of the widest vectors */

static gint64
kernel_area (const LsColumns *c)
{
  return c->kernel * c->kernel;
}

/* Where OpenBLAS computes products, convolutions are the loops' all the same: it can't go on with a sum. */
static LsGemmFunc
product_of (const LsCpuStage *stage)
{
  return stage->rung->blas ? ls_gemm_loops : stage->rung->product;
}

static LsColumns
columns_of (const LsTensor *x, const LsTensor *y, const LsOp *op)
{
  LsColumns c;
  ls_columns_init (&c, x, y, &op->attr);
  return c;
}

void
ls_cpu_tile_conv2d (const LsCpuStage *stage, guint32 tile, float *scratch)
{
  const LsCpuTile t = ls_cpu_tile (&stage->tiling, tile);
  const LsColumns c = columns_of (stage->call.in_tensor[0], stage->call.out_tensor[0], stage->call.op);
  const gint64 k = c.channels * kernel_area (&c), plane = c.out_height * c.out_width;
  const gint64 in_image = c.channels * c.height * c.width;
  const float *x = stage->call.in[0], *w = stage->call.in[1];

  for (gint64 b = t.col / plane; b < (t.col + t.cols) / plane; b++)
    for (gint64 r0 = 0; r0 < c.out_height; r0 += c.strip)
      {
        const gint64 rows = MIN (c.strip, c.out_height - r0), n = rows * c.out_width;
        const gint64 at = (b * c.outputs + t.row) * plane + r0 * c.out_width;

        stage->rung->columns->gather (&c, x + b * in_image, c.channels, r0, rows, scratch);
        product_of (stage) (FALSE, FALSE, t.rows, n, k, w + t.row * k, k, scratch, n, LS_GEMM_NEW,
                            stage->target + at, plane);
        ls_cpu_followers (stage, (LsCpuRect){ at, t.rows, n, plane });
      }
}

/* ---- dX, phase by phase ---- */

/* Of the products (o, u, v) of a phase's sum, the first that isn't in `first`'s block of the sum of all. */
static gint64
block_end (const LsColumns *c, const LsColumnsPhase *p, gint64 first)
{
  const gint64 n = c->outputs * p->n_u * p->n_v;
  gint64 block = -1;

  for (gint64 k = first; k < n; k++)
    {
      const gint64 u = p->u + k / p->n_v % p->n_u * c->stride, v = p->v + k % p->n_v * c->stride,
                   at = (k / (p->n_v * p->n_u) * c->kernel + u) * c->kernel + v;

      if (block >= 0 && at / LS_SUM_BLOCK != block)
        return k;
      block = at / LS_SUM_BLOCK;
    }
  return n;
}

/* Rows first … first + rows − 1 of W′, inputs × the phase's (o, u, v), of W [outputs, inputs, K, K]. */
static void
weights_of_phase (const LsColumns *c, const LsColumnsPhase *p, const float *w, gint64 first, gint64 rows,
                  float *to)
{
  for (gint64 i = first; i < first + rows; i++)
    for (gint64 o = 0; o < c->outputs; o++)
      for (gint64 u = 0; u < p->n_u; u++)
        for (gint64 v = 0; v < p->n_v; v++)
          *to++ = w[((o * c->channels + i) * c->kernel + p->u + u * c->stride) * c->kernel + p->v
                    + v * c->stride];
}

/* Rows of a phase at a time, so that their columns stay in the cache. */
static gint64
strip_of_phase (const LsColumns *c, const LsColumnsPhase *p)
{
  return ls_strip_of_columns (MAX (c->outputs * p->n_u * p->n_v, 1), 1, MAX (p->cols, 1), MAX (p->rows, 1));
}

/* Rows r0 … r0 + rows − 1 of the phase's pixels in one image's planes of dX. weights, columns: as above;
 * some: room for what they make. */
static void
make_phase (const LsCpuStage *stage, const LsColumns *c, const LsColumnsPhase *p, gint64 channels, gint64 r0,
            gint64 rows, const float *weights, const float *columns, float *some, float *planes)
{
  const gint64 k = c->outputs * p->n_u * p->n_v, n = rows * p->cols, plane = c->height * c->width;
  const gboolean whole = c->stride == 1; /* they lie in dX as the product makes them */
  float *to = whole ? planes + r0 * c->width : some;

  if (k == 0)
    memset (to, 0, (gsize) (channels * n) * sizeof (float)); /* a stride longer than the kernel */
  for (gint64 first = 0, end; first < k; first = end)
    {
      end = block_end (c, p, first);
      product_of (stage) (FALSE, FALSE, channels, n, end - first, weights + first, k, columns + first * n, n,
                          first == 0 ? LS_GEMM_NEW : LS_GEMM_ADD, to, whole ? plane : n);
    }
  for (gint64 i = 0; !whole && i < channels; i++)
    for (gint64 r = 0; r < rows; r++)
      {
        float *row = planes + i * plane + (p->first_row + (r0 + r) * c->stride) * c->width + p->first_col;
        for (gint64 s = 0; s < p->cols; s++)
          row[s * c->stride] = *some++;
      }
}

void
ls_cpu_tile_conv2d_dx (const LsCpuStage *stage, guint32 tile, float *scratch)
{
  const LsCpuTile t = ls_cpu_tile (&stage->tiling, tile);
  const LsColumns c = columns_of (stage->call.out_tensor[0], stage->call.in_tensor[0], stage->call.op);
  const gint64 plane = c.height * c.width, out_image = c.outputs * c.out_height * c.out_width;
  const gint64 first = t.col / plane, end = (t.col + t.cols) / plane;
  const float *dy = stage->call.in[0], *w = stage->call.in[1];
  float *some = scratch + t.rows * c.outputs * kernel_area (&c), *columns = some + t.rows * plane;

  for (gint64 phase = 0; phase < c.stride * c.stride; phase++)
    {
      LsColumnsPhase p;

      ls_columns_phase (&c, phase, &p);
      weights_of_phase (&c, &p, w, t.row, t.rows, scratch);
      for (gint64 b = first; p.cols > 0 && b < end; b++)
        for (gint64 r0 = 0, strip = strip_of_phase (&c, &p), rows; r0 < p.rows; r0 += rows)
          {
            rows = MIN (strip, p.rows - r0);
            stage->rung->columns->gather_phase (&c, &p, dy + b * out_image, r0, rows, columns);
            make_phase (stage, &c, &p, t.rows, r0, rows, scratch, columns, some,
                        stage->target + (b * c.channels + t.row) * plane);
          }
    }
  for (gint64 b = first; b < end; b++)
    ls_cpu_followers (stage, (LsCpuRect){ (b * c.channels + t.row) * plane, t.rows, plane, plane });
}

/* ---- dW ---- */

/* Whether dWᵀ fills vectors better than dW, of so many rows and columns. */
static gboolean
better_turned (gint64 rows, gint64 cols)
{
  return (rows + LANES - 1) / LANES * cols <= (cols + LANES - 1) / LANES * rows;
}

void
ls_cpu_tile_conv2d_dw (const LsCpuStage *stage, guint32 tile, float *scratch)
{
  const LsCpuTile t = ls_cpu_tile (&stage->tiling, tile);
  const LsColumns c = columns_of (stage->call.in_tensor[1], stage->call.in_tensor[0], stage->call.op);
  const gint64 n = c.channels * kernel_area (&c), plane = c.out_height * c.out_width, at = t.row * n;
  const gint64 in_image = c.channels * c.height * c.width, splits = stage->tiling.splits, count = t.rows * n;
  const gboolean turned = better_turned (t.rows, n);
  const float *dy = stage->call.in[0], *x = stage->call.in[1];
  float *dw = (splits > 1 ? stage->parts + t.split * c.outputs * n : stage->target) + at;
  float *columns = scratch + 2 * count;
  LsCpuSum sum = { scratch, scratch + count, count, stage->rung->columns->add, 0 };

  ls_cpu_sum_begin (&sum, stage->sum_before);
  for (gint64 b = c.batch * t.split / splits; b < c.batch * (t.split + 1) / splits; b++)
    for (gint64 r0 = 0; r0 < c.out_height; r0 += c.strip)
      {
        const gint64 rows = MIN (c.strip, c.out_height - r0), k = rows * c.out_width;
        const float *dy_strip = dy + (b * c.outputs + t.row) * plane + r0 * c.out_width;

        stage->rung->columns->gather (&c, x + b * in_image, c.channels, r0, rows, columns);
        for (gint64 first = 0, some; first < k; first += some)
          {
            some = ls_cpu_sum_room (&sum, k - first);
            if (turned)
              product_of (stage) (FALSE, TRUE, n, t.rows, some, columns + first, k, dy_strip + first, plane,
                                  LS_GEMM_GO_ON, sum.block, t.rows);
            else
              product_of (stage) (FALSE, TRUE, t.rows, n, some, dy_strip + first, plane, columns + first, k,
                                  LS_GEMM_GO_ON, sum.block, n);
            ls_cpu_sum_added (&sum, some);
          }
      }
  if (stage->sum_goes_on)
    return;
  ls_cpu_sum_end (&sum);
  for (gint64 o = 0; o < t.rows; o++)
    for (gint64 i = 0; i < n; i++)
      dw[o * n + i] = sum.total[turned ? i * t.rows + o : o * n + i];
  if (splits == 1)
    ls_cpu_followers (stage, (LsCpuRect){ at, t.rows, n, n });
}

void
ls_cpu_join_conv2d_dw (const LsCpuStage *stage, gint64 first, gint64 count)
{
  const gint64 size = stage->tiling.rows * stage->tiling.cols;
  float *dw = stage->target + first;

  memcpy (dw, stage->parts + first, (gsize) count * sizeof (float));
  for (guint split = 1; split < stage->tiling.splits; split++)
    stage->rung->columns->add (dw, stage->parts + split * size + first, count);
  ls_cpu_followers (stage, (LsCpuRect){ first, 1, count, count });
}

gsize
ls_cpu_scratch_conv2d (const LsOp *op, const LsPlan *plan)
{
  const LsColumns c = columns_of (&plan->tensors[op->in[0]], &plan->tensors[op->out[0]], op);
  return (gsize) ls_columns_size (&c, c.channels);
}

gsize
ls_cpu_scratch_conv2d_dx (const LsOp *op, const LsPlan *plan)
{
  const LsColumns c = columns_of (&plan->tensors[op->out[0]], &plan->tensors[op->in[0]], op);
  gint64 columns = 0;

  for (gint64 phase = 0; phase < c.stride * c.stride; phase++)
    {
      LsColumnsPhase p;
      ls_columns_phase (&c, phase, &p);
      columns = MAX (columns, c.outputs * p.n_u * p.n_v * strip_of_phase (&c, &p) * p.cols);
    }
  return (gsize) (c.channels * (c.outputs * kernel_area (&c) + c.height * c.width) + columns);
}

gsize
ls_cpu_scratch_conv2d_dw (const LsOp *op, const LsPlan *plan)
{
  const LsColumns c = columns_of (&plan->tensors[op->in[1]], &plan->tensors[op->in[0]], op);
  return (gsize) (2 * op->attr.m * op->attr.n + ls_columns_size (&c, c.channels));
}
