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
#define MANY  64 /* products of a sum, beside which turning pixels × outputs into planes costs little */
#define FEW   6  /* sums, of which more have to be under way to keep the units busy */

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

const LsDirectLoops *
ls_direct_loops_for (gint64 n)
{
  const LsDirectLoops *loops = ls_direct_loops_here ();

#if LS_GEMM_X86
  if (n <= 8 && loops->floats == 16)
    return &ls_direct_loops_8;
#endif
  return loops;
}

/* n, rounded up to whole vectors. */
static gint64
whole (const LsDirect *d, gint64 n)
{
  return (n + d->loops->floats - 1) / d->loops->floats * d->loops->floats;
}

static gint64
n_factors (const LsDirect *d)
{
  return d->channels * d->kernel * d->kernel;
}

/* outputs: of the gradient towards the weights, or 0. */
static void
set_strip (LsDirect *d, gint64 outputs)
{
  d->copies = d->by_outputs ? 1 : d->kernel;
  d->row = d->by_outputs ? d->out_width + d->kernel - 1 : d->out_width;
  d->strip = ls_strip_of_picture (d->channels * d->copies * d->row, d->kernel, outputs * d->out_width,
                                  d->out_height);
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
    .loops = loops != NULL ? loops : ls_direct_loops_here (),
  };
}

/* Outputs that would leave more than a quarter of the vectors' lanes empty are better made by pixels. */
static gboolean
suit_lanes (const LsDirect *d)
{
  return 4 * d->outputs >= 3 * whole (d, d->outputs);
}

gboolean
ls_direct_init (LsDirect *d, const LsDirectLoops *loops, const LsTensor *from, const LsTensor *to,
                gint64 kernel, gint64 stride, gint64 pad)
{
  describe (d, loops, from, to, kernel, pad);
  d->by_outputs = d->loops->outputs->make != NULL && kernel == 3 && d->out_width >= 4 && n_factors (d) >= MANY
                  && suit_lanes (d);
  set_strip (d, 0);
  return stride == 1;
}

static gint64
picture_size (const LsDirect *d)
{
  return whole (d, d->channels * d->copies * d->plane + SLACK);
}

/* Scratch: offsets, picture, weights and, by outputs, room for some pixels of them. */
static float *
picture_of (const LsDirect *d, float *scratch)
{
  return scratch + whole (d, n_factors (d));
}

static float *
weights_of (const LsDirect *d, float *scratch)
{
  return picture_of (d, scratch) + picture_size (d);
}

static gint64
weights_size (const LsDirect *d)
{
  return whole (d, d->outputs) * n_factors (d);
}

gsize
ls_direct_size (const LsDirect *d)
{
  const gint64 some = d->by_outputs ? MAX (d->loops->outputs->group, d->out_width) * whole (d, d->outputs)
                                    : 0;
  return (gsize) (whole (d, n_factors (d)) + picture_size (d) + weights_size (d) + some);
}

/* Outputs that the loops make at a time: lanes, or blocks as even as can be. */
static gint64
block_of (const LsDirect *d, gint64 rows)
{
  if (d->by_outputs)
    return d->loops->floats;
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
  const gint64 all = d->by_outputs ? whole (d, rows) : rows, next = d->by_outputs ? 1 : d->plane;
  gint32 *offset = (gint32 *) scratch;
  float *to = weights_of (d, scratch);

  for (gint64 i = 0; i < k; i++)
    {
      const gint64 place = turned ? area - 1 - i % area : i % area;
      offset[i] = (gint32) (i / area * d->copies * d->plane + place / d->kernel * d->row
                            + place % d->kernel * next);
    }
  if (rows < all)
    memset (to, 0, (gsize) (all * k) * sizeof (float));
  for (gint64 first = 0; first < rows; first += block)
    {
      const gint64 count = MIN (block, rows - first), lanes = MIN (block, all - first);

      for (gint64 c = 0; c < d->channels; c++)
        for (gint64 i = 0; i < area; i++, to += lanes)
          for (gint64 r = 0; r < count; r++)
            to[r] = w[(first + r) * step + c * channel_step + i];
    }
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

/* What rows r0 … r0 + rows − 1 of an output are made from. */
static void
make_picture (const LsDirect *d, const float *planes, gint64 r0, gint64 rows, float *picture)
{
  const gint64 height = rows + d->kernel - 1, first = r0 - d->pad; /* rows of the picture; of the image, at
                                                                      the picture's top */
  const gint64 above = CLAMP (-first, 0, height), inside = MAX (MIN (height, d->height - first) - above, 0),
               row = d->row;

  for (gint64 c = 0; c < d->channels; c++, planes += d->height * d->width)
    for (gint64 v = 0; v < d->copies; v++, picture += d->plane)
      {
        const gint64 before = CLAMP (d->pad - v, 0, row), end = CLAMP (d->width + d->pad - v, before, row);

        memset (picture, 0, (gsize) (above * row) * sizeof (float));
        if (inside > 0)
          d->loops->shift (planes + (first + above) * d->width + before + v - d->pad, d->width, inside,
                           before, end - before, row - end, picture + above * row);
        memset (picture + (above + inside) * row, 0,
                (gsize) ((height - above - inside) * row) * sizeof (float));
      }
}

void
ls_direct_rows (const LsDirect *d, const float *planes, gint64 r0, gint64 n, gint64 outputs, float *to,
                float *scratch)
{
  const gint64 at = r0 * d->out_width, plane = d->out_height * d->out_width;

  make_picture (d, planes, r0, n, picture_of (d, scratch));
  if (d->by_outputs)
    {
      d->loops->outputs->make (&(LsDirectOutputs){
        .picture = picture_of (d, scratch),
        .row = d->row,
        .offset = (const gint32 *) scratch,
        .k = n_factors (d),
        .weights = weights_of (d, scratch),
        .outputs = outputs,
        .rows = n,
        .cols = d->out_width,
        .some = weights_of (d, scratch) + weights_size (d),
        .to = to + at,
        .plane = plane,
      });
      return;
    }
  d->loops->make (&(LsDirectRows){
    .picture = picture_of (d, scratch),
    .offset = (const gint32 *) scratch,
    .k = n_factors (d),
    .weights = weights_of (d, scratch),
    .outputs = outputs,
    .block = block_of (d, outputs),
    .to = to + at,
    .plane = plane,
    .left = plane - at,
    .pixels = n * d->out_width,
  });
}

/* ---- towards the weights ---- */

gboolean
ls_direct_gradient_init (LsDirect *d, const LsDirectLoops *loops, const LsTensor *from, const LsTensor *to,
                         gint64 kernel, gint64 stride, gint64 pad)
{
  describe (d, loops, from, to, kernel, pad);
  set_strip (d, whole (d, d->outputs));
  return stride == 1 && suit_lanes (d);
}

/* Scratch: offsets, picture, dY's pixels, the sums' blocks and the sums. */
gsize
ls_direct_gradient_size (const LsDirect *d)
{
  const gint64 lanes = whole (d, d->outputs);

  return (gsize) (whole (d, n_factors (d)) + picture_size (d) + d->strip * d->out_width * lanes
                  + 2 * n_factors (d) * lanes);
}

/* Pixels at … end − 1 of the strip from row r0 on, to the sums in the order (u, channel, v). Of each u those
 * whose row of X is one of the zeros are left out, unless there are too few sums to do one u at a time. */
static void
add_pixels (const LsDirect *d, gint64 r0, gint64 at, gint64 end, const float *turned, gint64 lanes,
            float *sum, float *scratch)
{
  const gint64 of_row = d->channels * d->kernel, some = of_row < FEW ? d->kernel : 1;

  for (gint64 u = 0; u < d->kernel; u += some)
    {
      const gint64 above = d->pad - u - r0, first = some > 1 ? at : MAX (at, above * d->out_width),
                   last = some > 1 ? end : MIN (end, (above + d->height) * d->out_width);

      if (first < last)
        d->loops->outputs->add (&(LsDirectSums){
          .picture = picture_of (d, scratch) + first,
          .offset = (const gint32 *) scratch + u * of_row,
          .k = some * of_row,
          .dy = turned + first * lanes,
          .pixels = last - first,
          .lanes = lanes,
          .sum = sum + u * of_row * lanes,
        });
    }
}

void
ls_direct_gradient (const LsDirect *d, const float *x, const float *dy, gint64 first, gint64 end, gint64 row,
                    gint64 rows, gint64 before, gboolean goes_on, LsAddFunc add, float *dw, float *scratch)
{
  const gint64 lanes = whole (d, rows), in_image = d->channels * d->height * d->width, k = n_factors (d),
               of_row = d->channels * d->kernel, out_plane = d->out_height * d->out_width;
  gint32 *offset = (gint32 *) scratch;
  float *picture = picture_of (d, scratch), *turned = picture + picture_size (d),
        *blocks = turned + d->strip * d->out_width * lanes;
  LsCpuSum sum = { blocks, blocks + k * lanes, k * lanes, add, 0 };

  for (gint64 i = 0; i < k; i++)
    offset[i] = (gint32) (i % of_row * d->plane + i / of_row * d->out_width);
  if (before == 0)
    memset (blocks, 0, (gsize) (2 * k * lanes) * sizeof (float));
  ls_cpu_sum_begin (&sum, before);
  for (gint64 b = first; b < end; b++)
    {
      for (gint64 r0 = 0; r0 < d->out_height; r0 += d->strip)
        {
          const gint64 strip = MIN (d->strip, d->out_height - r0), pixels = strip * d->out_width;

          make_picture (d, x + b * in_image, r0, strip, picture);
          d->loops->turn (dy + (b * d->outputs + row) * out_plane + r0 * d->out_width, out_plane, rows,
                          pixels, turned);
          for (gint64 at = 0, some; at < pixels; at += some)
            {
              some = ls_cpu_sum_room (&sum, pixels - at);
              add_pixels (d, r0, at, at + some, turned, lanes, sum.block, scratch);
              ls_cpu_sum_added (&sum, some);
            }
        }
    }
  if (goes_on)
    return;
  ls_cpu_sum_end (&sum);
  for (gint64 o = 0; o < rows; o++)
    for (gint64 i = 0; i < d->channels; i++)
      for (gint64 u = 0; u < d->kernel; u++)
        for (gint64 v = 0; v < d->kernel; v++)
          *dw++ = sum.total[((u * d->channels + i) * d->kernel + v) * lanes + o];
}
