/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Columns of pixels: see columns.h. Where stride is 1 and Y is as wide as X (a padded 3×3 kernel, the usual
 * case), a row of the matrix is X's plane itself, shifted: one long copy, after which the few places that
 * wrapped around the edge are set to zero. On 14×14 images that is three times as fast as copying row by row.
 */
#include "backends/cpu/columns.h"

#include <string.h>

#include "backends/cpu/loops.h"
#include "core/strip.h"

#if !LS_SCALAR
void
ls_columns_init (LsColumns *c, const LsTensor *x, const LsTensor *y, const LsOpAttr *attr)
{
  *c = (LsColumns){
    .batch = x->shape[0],
    .channels = x->shape[1],
    .height = x->shape[2],
    .width = x->shape[3],
    .outputs = y->shape[1],
    .out_height = y->shape[2],
    .out_width = y->shape[3],
    .kernel = attr->kernel,
    .stride = attr->stride,
    .pad = attr->pad,
  };
  c->strip = ls_strip_of_columns (c->channels, c->kernel, c->out_width, c->out_height);
}

void
ls_columns_phase (const LsColumns *c, gint64 phase, LsColumnsPhase *p)
{
  const gint64 d = c->stride, row = phase / d, col = phase % d;
  const gint64 u = (row + c->pad) % d, v = (col + c->pad) % d;

  *p = (LsColumnsPhase){
    .rows = MAX (0, (c->height - row + d - 1) / d),
    .cols = MAX (0, (c->width - col + d - 1) / d),
    .first_row = row,
    .first_col = col,
    .u = u,
    .v = v,
    .n_u = MAX (0, (c->kernel - u + d - 1) / d),
    .n_v = MAX (0, (c->kernel - v + d - 1) / d),
    .row = (row + c->pad - u) / d,
    .col = (col + c->pad - v) / d,
  };
}

gint64
ls_columns_size (const LsColumns *c, gint64 n_channels)
{
  return n_channels * c->kernel * c->kernel * c->strip * c->out_width;
}
#endif

/* First and last + 1 of the windows 0 … count−1 whose place `offset` (−pad … K−1−pad) lies inside 0 …
 * size−1. */
static inline void
inside (gint64 offset, gint64 stride, gint64 size, gint64 count, gint64 *first, gint64 *end)
{
  *first = offset < 0 ? (-offset + stride - 1) / stride : 0;
  *end = size - offset > 0 ? (size - offset - 1) / stride + 1 : 0;
  *first = MIN (*first, count);
  *end = CLAMP (*end, *first, count);
}

/* Sets to zero what isn't inside the picture in one row of the matrix. */
static inline void
clear_outside (float *row, gint64 r0, gint64 rows, gint64 width, gint64 first_r, gint64 end_r, gint64 first_s,
               gint64 end_s)
{
  if (first_r > r0)
    memset (row, 0, (gsize) (MIN (first_r, r0 + rows) - r0) * (gsize) width * sizeof (float));
  if (end_r < r0 + rows)
    {
      gint64 from = MAX (end_r, r0);
      memset (row + (from - r0) * width, 0, (gsize) (r0 + rows - from) * (gsize) width * sizeof (float));
    }
  for (gint64 r = MAX (first_r, r0); r < MIN (end_r, r0 + rows); r++)
    {
      float *line = row + (r - r0) * width;
      for (gint64 s = 0; s < first_s; s++)
        line[s] = 0;
      for (gint64 s = end_s; s < width; s++)
        line[s] = 0;
    }
}

/* What is seen of a picture, and from where: windows rows × cols, `stride` apart. */
typedef struct {
  gint64 height, width, rows, cols, stride;
} Seen;

/* One row of the matrix: what the place that lies (down, right) of a window's first pixel sees of windows'
 * rows r0 … r0 + rows − 1. */
static inline void
gather_place (const Seen *c, const float *restrict from, gint64 down, gint64 right, gint64 r0, gint64 rows,
              float *restrict row)
{
  gint64 first_r, end_r, first_s, end_s;

  inside (down, c->stride, c->height, c->rows, &first_r, &end_r);
  inside (right, c->stride, c->width, c->cols, &first_s, &end_s);
  if (c->stride == 1 && c->cols == c->width)
    {
      /* Cut where the shift would leave the plane. */
      const gint64 shift = down * c->width + right;
      gint64 begin = MAX (first_r, r0) * c->width, end = MIN (end_r, r0 + rows) * c->width;
      begin = MAX (begin, -shift);
      end = MIN (end, c->height * c->width - shift);
      if (end > begin)
        memcpy (row + begin - r0 * c->width, from + begin + shift, (gsize) (end - begin) * sizeof (float));
    }
  else
    for (gint64 r = MAX (first_r, r0); r < MIN (end_r, r0 + rows); r++)
      {
        const float *line = from + (r * c->stride + down) * c->width + right;
        float *to = row + (r - r0) * c->cols;
        if (c->stride == 1)
          memcpy (to + first_s, line + first_s, (gsize) (end_s - first_s) * sizeof (float));
        else
          for (gint64 s = first_s; s < end_s; s++)
            to[s] = line[s * c->stride];
      }
  clear_outside (row, r0, rows, c->cols, first_r, end_r, first_s, end_s);
}

LS_VECTOR static void
gather (const LsColumns *c, const float *planes, gint64 n_channels, gint64 r0, gint64 rows, float *columns)
{
  const gint64 n = rows * c->out_width, kernel = c->kernel, plane = c->height * c->width;
  const Seen seen = { c->height, c->width, c->out_height, c->out_width, c->stride };

  for (gint64 place = 0; place < n_channels * kernel * kernel; place++)
    gather_place (&seen, planes + place / (kernel * kernel) * plane, place / kernel % kernel - c->pad,
                  place % kernel - c->pad, r0, rows, columns + place * n);
}

LS_VECTOR static void
gather_phase (const LsColumns *c, const LsColumnsPhase *p, const float *planes, gint64 r0, gint64 rows,
              float *columns)
{
  const gint64 plane = c->out_height * c->out_width;
  const Seen seen = { c->out_height, c->out_width, p->rows, p->cols, 1 };

  for (gint64 o = 0; o < c->outputs; o++)
    for (gint64 u = 0; u < p->n_u; u++)
      for (gint64 v = 0; v < p->n_v; v++, columns += rows * p->cols)
        gather_place (&seen, planes + o * plane, p->row - u, p->col - v, r0, rows, columns);
}

LS_VECTOR static void
add (float *to, const float *from, gint64 count)
{
  for (gint64 i = 0; i < count; i++)
    to[i] += from[i];
}

const LsColumnsLoops LS_LOOP (ls_columns_loops) = { gather, gather_phase, add };
