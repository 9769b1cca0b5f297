/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The elementwise ops on a rectangle, and the optimizers: as ops of their own and as followers in another
 * op's tiles. The formulas are the ops' (ops/op_*.c). Inner loops run over contiguous memory.
 */
#include "backends/cpu/kernel.h"
#include "backends/cpu/loops.h"
#include "backends/cpu/vmath.h"

/* One row of a rectangle: element i of its input x and output y; j is i's place in the whole tensor. */
#define ROWS(rect, row_at)                                                                                   \
  for (gint64 row = 0, row_at = (rect)->at; row < (rect)->rows; row++, row_at += (rect)->stride)

LS_VECTOR void
LS_LOOP (ls_cpu_rect_relu) (const LsOpCall *call, const float *from, float *to, const LsCpuRect *rect)
{
  ROWS (rect, at)
    {
      const float *x = from + at;
      float *y = to + at;
      LS_INDEPENDENT
      for (gint64 i = 0; i < rect->cols; i++)
        y[i] = x[i] < 0 ? 0 : x[i];
    }
}

LS_VECTOR void
LS_LOOP (ls_cpu_rect_relu_grad) (const LsOpCall *call, const float *from, float *to, const LsCpuRect *rect)
{
  ROWS (rect, at)
    {
      const float *dy = from + at, *y = (const float *) call->in[1] + at;
      float *dx = to + at;
      LS_INDEPENDENT
      for (gint64 i = 0; i < rect->cols; i++)
        {
          float value = dy[i]; /* loaded in any case: no branch */
          dx[i] = y[i] <= 0 ? 0 : value;
        }
    }
}

LS_VECTOR void
LS_LOOP (ls_cpu_rect_tanh) (const LsOpCall *call, const float *from, float *to, const LsCpuRect *rect)
{
  ROWS (rect, at)
    {
      const float *x = from + at;
      float *y = to + at;
      LS_INDEPENDENT
      for (gint64 i = 0; i < rect->cols; i++)
        y[i] = ls_vtanhf (x[i]);
    }
}

LS_VECTOR void
LS_LOOP (ls_cpu_rect_tanh_grad) (const LsOpCall *call, const float *from, float *to, const LsCpuRect *rect)
{
  ROWS (rect, at)
    {
      const float *dy = from + at, *y = (const float *) call->in[1] + at;
      float *dx = to + at;
      LS_INDEPENDENT
      for (gint64 i = 0; i < rect->cols; i++)
        dx[i] = dy[i] * (1 - y[i] * y[i]);
    }
}

LS_VECTOR void
LS_LOOP (ls_cpu_rect_sigmoid) (const LsOpCall *call, const float *from, float *to, const LsCpuRect *rect)
{
  ROWS (rect, at)
    {
      const float *x = from + at;
      float *y = to + at;
      LS_INDEPENDENT
      for (gint64 i = 0; i < rect->cols; i++)
        y[i] = ls_vsigmoidf (x[i]);
    }
}

LS_VECTOR void
LS_LOOP (ls_cpu_rect_sigmoid_grad) (const LsOpCall *call, const float *from, float *to, const LsCpuRect *rect)
{
  ROWS (rect, at)
    {
      const float *dy = from + at, *y = (const float *) call->in[1] + at;
      float *dx = to + at;
      LS_INDEPENDENT
      for (gint64 i = 0; i < rect->cols; i++)
        dx[i] = dy[i] * y[i] * (1 - y[i]);
    }
}

LS_VECTOR void
LS_LOOP (ls_cpu_rect_gelu) (const LsOpCall *call, const float *from, float *to, const LsCpuRect *rect)
{
  ROWS (rect, at)
    {
      const float *x = from + at;
      float *y = to + at;
      LS_INDEPENDENT
      for (gint64 i = 0; i < rect->cols; i++)
        y[i] = ls_vgeluf (x[i]);
    }
}

LS_VECTOR void
LS_LOOP (ls_cpu_rect_gelu_grad) (const LsOpCall *call, const float *from, float *to, const LsCpuRect *rect)
{
  ROWS (rect, at)
    {
      const float *dy = from + at, *x = (const float *) call->in[1] + at;
      float *dx = to + at;
      LS_INDEPENDENT
      for (gint64 i = 0; i < rect->cols; i++)
        dx[i] = dy[i] * ls_vgelu_slopef (x[i]);
    }
}

LS_VECTOR void
LS_LOOP (ls_cpu_rect_add) (const LsOpCall *call, const float *from, float *to, const LsCpuRect *rect)
{
  ROWS (rect, at)
    {
      const float *a = from + at, *b = (const float *) call->in[1] + at;
      float *y = to + at;
      LS_INDEPENDENT
      for (gint64 i = 0; i < rect->cols; i++)
        y[i] = a[i] + b[i];
    }
}

/* Channels are dimension 1: in a matrix each column has its own b, in an image each plane has one. */
LS_VECTOR void
LS_LOOP (ls_cpu_rect_bias) (const LsOpCall *call, const float *from, float *to, const LsCpuRect *rect)
{
  const gint64 channels = call->in_tensor[0]->shape[1],
               plane = ls_tensor_inner (call->in_tensor[0]) / channels;
  const float *b = call->in[1];

  ROWS (rect, row_at)
    for (gint64 at = row_at, end = row_at + rect->cols; at < end;)
      {
        gint64 channel = at / plane % channels;
        gint64 length = plane == 1 ? channels - channel : plane - at % plane;
        const float *x = from + at;
        float *y = to + at;

        length = MIN (length, end - at);
        if (plane == 1)
          {
            LS_INDEPENDENT
            for (gint64 i = 0; i < length; i++)
              y[i] = x[i] + b[channel + i];
          }
        else
          {
            const float value = b[channel];
            LS_INDEPENDENT
            for (gint64 i = 0; i < length; i++)
              y[i] = x[i] + value;
          }
        at += length;
      }
}

/* The optimizers work in place: their output is the weights, not `to`. */
LS_VECTOR void
LS_LOOP (ls_cpu_rect_sgd) (const LsOpCall *call, const float *from, float *to, const LsCpuRect *rect)
{
  const float lr = (float) call->hyper->lr, momentum = (float) call->hyper->momentum;

  ROWS (rect, at)
    {
      const float *g = from + at;
      float *w = (float *) call->out[0] + at, *v = (float *) call->out[1] + at;
      LS_INDEPENDENT
      for (gint64 i = 0; i < rect->cols; i++)
        {
          v[i] = momentum * v[i] + g[i];
          w[i] -= lr * v[i];
        }
    }
}

LS_VECTOR void
LS_LOOP (ls_cpu_rect_adam) (const LsOpCall *call, const float *from, float *to, const LsCpuRect *rect)
{
  const LsHyper *hyper = call->hyper;
  const float beta1 = (float) hyper->beta1, beta2 = (float) hyper->beta2, epsilon = (float) hyper->epsilon;
  const float rest1 = (float) (1 - hyper->beta1), rest2 = (float) (1 - hyper->beta2);
  const float step_size = (float) (hyper->lr / (1 - pow (hyper->beta1, (double) (gint64) hyper->step)));
  const float correction2 = (float) (1 / sqrt (1 - pow (hyper->beta2, (double) (gint64) hyper->step)));

  ROWS (rect, at)
    {
      const float *g = from + at;
      float *w = (float *) call->out[0] + at, *m = (float *) call->out[1] + at,
            *v = (float *) call->out[2] + at;
      LS_INDEPENDENT
      for (gint64 i = 0; i < rect->cols; i++)
        {
          m[i] = beta1 * m[i] + rest1 * g[i];
          v[i] = beta2 * v[i] + rest2 * g[i] * g[i];
          w[i] -= step_size * m[i] / (sqrtf (v[i]) * correction2 + epsilon);
        }
    }
}
