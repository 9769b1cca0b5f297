/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Around the loops: pictures, offsets and weights in the order in which they are read. See direct.h.
 */
#include "config.h"
#include "backends/cpu/direct.h"

#include <string.h>

#include "backends/cpu/gemm.h"
#include "core/strip.h"

#define SLACK 64 /* floats that a vector at the picture's end may read beyond it */

const LsDirectLoops *
ls_direct_loops_here (void)
{
  switch (ls_gemm_loop_floats ())
    {
#if LS_GEMM_X86
    case 16:
      return &ls_direct_loops_16;
    case 8:
      return &ls_direct_loops_8;
#endif
    default:
      return &ls_direct_loops_4;
    }
}

/* n, rounded up to whole vectors. */
static gint64
whole (const LsDirect *d, gint64 n)
{
  return (n + d->loops->floats - 1) / d->loops->floats * d->loops->floats;
}

/* outputs: of the gradient towards the weights, or 0. */
static void
set_strip (LsDirect *d, gint64 outputs)
{
  d->strip = ls_strip_of_picture (d->channels, d->row, d->kernel, outputs, d->out_height);
  d->plane = (d->strip + d->kernel - 1) * d->row;
}

static void
describe (LsDirect *d, const LsDirectLoops *loops, const LsTensor *from, const LsTensor *to, gint64 kernel,
          gint64 pad)
{
  *d = (LsDirect){
    .channels = from->shape[1],
    .height = from->shape[2],
    .width = from->shape[3],
    .outputs = to->shape[1],
    .out_height = to->shape[2],
    .out_width = to->shape[3],
    .kernel = kernel,
    .pad = pad,
    .row = from->shape[3] + MAX (pad, 0),
    .loops = loops != NULL ? loops : ls_direct_loops_here (),
  };
  set_strip (d, 0);
}

gboolean
ls_direct_init (LsDirect *d, const LsDirectLoops *loops, const LsTensor *from, const LsTensor *to,
                gint64 kernel, gint64 stride, gint64 pad)
{
  describe (d, loops, from, to, kernel, pad);
  return stride == 1 && pad >= 0 && pad < kernel && 4 * d->out_width >= 3 * whole (d, d->out_width);
}

static gint64
n_factors (const LsDirect *d)
{
  return d->channels * d->kernel * d->kernel;
}

static gint64
picture_size (const LsDirect *d)
{
  return whole (d, d->channels * d->plane + d->pad + SLACK);
}

/* Scratch: weights, offsets, picture. */
static float *
offsets_of (const LsDirect *d, float *scratch)
{
  return scratch + d->outputs * n_factors (d);
}

static float *
picture_of (const LsDirect *d, float *scratch)
{
  return offsets_of (d, scratch) + n_factors (d);
}

gsize
ls_direct_size (const LsDirect *d)
{
  return (gsize) ((d->outputs + 1) * n_factors (d) + picture_size (d));
}

/* Outputs that the loops make at a time: blocks as even as can be. */
static gint64
block_of (const LsDirect *d, gint64 rows)
{
  const gint64 most = d->loops->most, blocks = (rows + most - 1) / most;
  return (rows + blocks - 1) / blocks;
}

/* step: from one output's weights to the next; the factors' order is (channel, u, v), of turned ones with the
 * last place first. */
static void
prepare (const LsDirect *d, const float *w, gint64 step, gint64 channel_step, gboolean turned, gint64 rows,
         float *scratch)
{
  const gint64 area = d->kernel * d->kernel, block = block_of (d, rows), k = n_factors (d);
  gint32 *offset = (gint32 *) offsets_of (d, scratch);

  memset (picture_of (d, scratch), 0, (gsize) picture_size (d) * sizeof (float));
  for (gint64 i = 0; i < k; i++)
    {
      const gint64 place = turned ? area - 1 - i % area : i % area;
      offset[i] = (gint32) (i / area * d->plane + place / d->kernel * d->row + place % d->kernel);
    }
  for (gint64 first = 0; first < rows; first += block)
    for (gint64 i = 0, count = MIN (block, rows - first); i < k; i++)
      for (gint64 r = 0; r < count; r++)
        scratch[first * k + i * count + r] = w[(first + r) * step + i / area * channel_step + i % area];
}

void
ls_direct_weights (const LsDirect *d, const float *w, gint64 row, gint64 rows, float *scratch)
{
  const gint64 area = d->kernel * d->kernel, step = d->channels * area;
  prepare (d, w + row * step, step, area, FALSE, rows, scratch);
}

void
ls_direct_turned_weights (const LsDirect *d, const float *w, gint64 row, gint64 rows, float *scratch)
{
  const gint64 area = d->kernel * d->kernel;
  prepare (d, w + row * area, area, d->outputs * area, TRUE, rows, scratch);
}

/* What rows r0 … r0 + rows − 1 of an output are made from. The zeros on the left are there already. */
static void
copy_planes (const LsDirect *d, const float *planes, gint64 r0, gint64 rows, float *picture)
{
  const gint64 height = rows + d->kernel - 1, first = r0 - d->pad; /* rows of the picture; of the image, at
                                                                      the picture's top */
  const gint64 above = MAX (-first, 0), below = MAX (first + height - d->height, 0),
               inside = height - above - below;

  for (gint64 c = 0; c < d->channels; c++, picture += d->plane, planes += d->height * d->width)
    {
      memset (picture, 0, (gsize) (above * d->row) * sizeof (float));
      d->loops->copy (planes + (first + above) * d->width, d->width, inside, d->width,
                      picture + above * d->row + d->pad, d->row);
      memset (picture + (above + inside) * d->row, 0, (gsize) (below * d->row) * sizeof (float));
    }
}

void
ls_direct_rows (const LsDirect *d, const float *planes, gint64 r0, gint64 n, gint64 outputs, float *to,
                float *scratch)
{
  const gint64 at = r0 * d->out_width, plane = d->out_height * d->out_width;
  float *picture = picture_of (d, scratch);

  copy_planes (d, planes, r0, n, picture);
  d->loops->make (&(LsDirectRows){
    .picture = picture,
    .row = d->row,
    .offset = (const gint32 *) offsets_of (d, scratch),
    .k = n_factors (d),
    .weights = scratch,
    .outputs = outputs,
    .block = block_of (d, outputs),
    .to = to + at,
    .plane = plane,
    .left = plane - at,
    .rows = n,
    .cols = d->out_width,
  });
}

/* ---- towards the weights ---- */

gboolean
ls_direct_gradient_init (LsDirect *d, const LsDirectLoops *loops, const LsTensor *from, const LsTensor *to,
                         gint64 kernel, gint64 stride, gint64 pad)
{
  describe (d, loops, from, to, kernel, pad);
  set_strip (d, d->outputs);
  return stride == 1 && pad < kernel && 4 * d->channels >= 3 * whole (d, d->channels);
}

/* A picture's pixels that are turned: all, and those that its last row's windows read beyond it. */
static gint64
n_pixels (const LsDirect *d)
{
  return d->plane + d->pad;
}

static gint64
n_sums (const LsDirect *d)
{
  return d->kernel * d->outputs * d->kernel * whole (d, d->channels);
}

gsize
ls_direct_gradient_size (const LsDirect *d)
{
  return (gsize) (picture_size (d) + n_pixels (d) * whole (d, d->channels) + d->outputs * d->strip * d->row
                  + 2 * n_sums (d));
}

void
ls_direct_gradient (const LsDirect *d, const float *x, const float *dy, gint64 first, gint64 end, gint64 row,
                    gint64 rows, gint64 before, gboolean goes_on, LsAddFunc add, float *dw, float *scratch)
{
  const gint64 lanes = whole (d, d->channels), n = d->kernel * lanes, width = d->out_width,
               in_image = d->channels * d->height * d->width;
  const gint64 out_plane = d->out_height * width, apart = d->strip * d->row;
  float *picture = scratch, *pixels = picture + picture_size (d);
  float *wide = pixels + n_pixels (d) * lanes, *blocks = wide + rows * apart;
  const gint64 count = d->kernel * rows * n;
  LsCpuSum sum = { blocks, blocks + count, count, add, 0 };

  if (before == 0)
    memset (scratch, 0, ls_direct_gradient_size (d) * sizeof (float));
  ls_cpu_sum_begin (&sum, before);
  for (gint64 b = first; b < end; b++)
    for (gint64 r0 = 0; r0 < d->out_height; r0 += d->strip)
      {
        const gint64 strip = MIN (d->strip, d->out_height - r0);

        copy_planes (d, x + b * in_image, r0, strip, picture);
        d->loops->turn (picture, d->plane, d->channels, n_pixels (d), pixels);
        /* rows of dY as far apart as the picture's: between them nothing is added */
        for (gint64 o = 0; o < rows; o++)
          d->loops->copy (dy + (b * d->outputs + row + o) * out_plane + r0 * width, width, strip, width,
                          wide + o * apart, d->row);
        for (gint64 at = 0, some; at < strip * width; at += some)
          {
            some = ls_cpu_sum_room (&sum, strip * width - at);

            const gint64 last = at + some - 1, from = at / width * d->row + at % width;
            const gint64 k = last / width * d->row + last % width + 1 - from;

            for (gint64 u = 0; u < d->kernel; u++)
              ls_gemm_loops (FALSE, FALSE, rows, n, k, wide + from, apart,
                             pixels + (from + u * d->row) * lanes, lanes, LS_GEMM_GO_ON,
                             sum.block + u * rows * n, n);
            ls_cpu_sum_added (&sum, some);
          }
      }
  if (goes_on)
    return;
  ls_cpu_sum_end (&sum);
  for (gint64 o = 0; o < rows; o++)
    for (gint64 i = 0; i < d->channels; i++)
      for (gint64 u = 0; u < d->kernel; u++)
        for (gint64 v = 0; v < d->kernel; v++)
          *dw++ = sum.total[(u * rows + o) * n + v * lanes + i];
}
