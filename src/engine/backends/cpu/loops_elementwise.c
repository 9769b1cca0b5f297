/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The elementwise ops on a rectangle, and the optimizers: as ops of their own and as followers in another
 * op's tiles. The formulas are the ops' (ops/op_*.c). Inner loops run over contiguous memory.
 */
#include "backends/cpu/kernel.h"
#include "backends/cpu/loops.h"
#include "backends/cpu/vmath.h"
#include "ops/dropout.h"

/* One row of a rectangle: element i of its input x and output y; j is i's place in the whole tensor. */
#define ROWS(rect, row_at)                                                                                   \
  for (gint64 row = 0, row_at = (rect)->at; row < (rect)->rows; row++, row_at += (rect)->stride)

#define FORWARD(name, value)                                                                                 \
  LS_VECTOR void LS_LOOP (ls_cpu_rect_##name) (const LsOpCall *call, const float *from, float *to,           \
                                               const LsCpuRect *rect)                                        \
  {                                                                                                          \
    ROWS (rect, at)                                                                                          \
      {                                                                                                      \
        const float *x = from + at;                                                                          \
        float *y = to + at;                                                                                  \
        LS_INDEPENDENT                                                                                       \
        for (gint64 i = 0; i < rect->cols; i++)                                                              \
          y[i] = value;                                                                                      \
      }                                                                                                      \
  }
/* of: the op's second input, of which its slope is made */
#define BACKWARD(name, of, value)                                                                            \
  LS_VECTOR void LS_LOOP (ls_cpu_rect_##name##_grad) (const LsOpCall *call, const float *from, float *to,    \
                                                      const LsCpuRect *rect)                                 \
  {                                                                                                          \
    ROWS (rect, at)                                                                                          \
      {                                                                                                      \
        const float *dy = from + at, *of = (const float *) call->in[1] + at;                                 \
        float *dx = to + at;                                                                                 \
        LS_INDEPENDENT                                                                                       \
        for (gint64 i = 0; i < rect->cols; i++)                                                              \
          dx[i] = value;                                                                                     \
      }                                                                                                      \
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

/* clang-format off: it takes the products for pointers */
FORWARD (relu, x[i] < 0 ? 0 : x[i])
FORWARD (tanh, ls_vtanhf (x[i]))
BACKWARD (tanh, y, dy[i] * (1 - y[i] * y[i]))
FORWARD (sigmoid, ls_vsigmoidf (x[i]))
BACKWARD (sigmoid, y, dy[i] * y[i] * (1 - y[i]))
FORWARD (gelu, ls_vgeluf (x[i]))
BACKWARD (gelu, x, dy[i] * ls_vgelu_slopef (x[i]))
/* clang-format on */

/* The random numbers of 64 elements: 16 counters side by side. */
static inline void
numbers_of_span (const LsHyper *hyper, guint32 number, gint64 span, guint32 *numbers)
{
  for (guint32 j = 0; j < LS_DROPOUT_SIDE; j++)
    {
      guint32 c[4] = { LS_DROPOUT_SIDE * (guint32) span + j, (guint32) hyper->step, number,
                       LS_STREAM_DROPOUT };

      ls_philox_rounds (c, (guint32) hyper->seed, (guint32) (hyper->seed >> 32));
      for (guint w = 0; w < 4; w++)
        numbers[w * LS_DROPOUT_SIDE + j] = c[w];
    }
}

/* Elements at … end − 1 of one span. */
static inline void
drop_in_span (const LsOpCall *call, const float *from, float *to, gint64 at, gint64 end)
{
  const gint64 first = at / LS_DROPOUT_SPAN * LS_DROPOUT_SPAN;
  const guint32 threshold = call->op->attr.threshold;
  const float scale = call->op->attr.scale;
  float *mask = call->out[1];
  guint32 numbers[LS_DROPOUT_SPAN];

  numbers_of_span (call->hyper, call->op->attr.number, first / LS_DROPOUT_SPAN, numbers);
  for (gint64 i = at; i < end; i++)
    {
      mask[i] = numbers[i - first] >= threshold ? scale : 0;
      to[i] = from[i] * mask[i];
    }
}

/* Whole rows are one piece of memory. */
LS_VECTOR void
LS_LOOP (ls_cpu_rect_dropout) (const LsOpCall *call, const float *from, float *to, const LsCpuRect *rect)
{
  const gboolean whole = rect->cols == rect->stride, off = ls_dropout_is_off (call->hyper);
  const LsCpuRect pieces = { rect->at, whole ? 1 : rect->rows, whole ? rect->rows * rect->cols : rect->cols,
                             rect->stride };

  ROWS (&pieces, at)
    for (gint64 i = at, end = at + pieces.cols; i < end;)
      {
        const gint64 next = MIN (end, (i / LS_DROPOUT_SPAN + 1) * LS_DROPOUT_SPAN);
        if (!off)
          drop_in_span (call, from, to, i, next);
        for (; off && i < next; i++)
          {
            ((float *) call->out[1])[i] = 1;
            to[i] = from[i];
          }
        i = next;
      }
}

LS_VECTOR void
LS_LOOP (ls_cpu_rect_dropout_grad) (const LsOpCall *call, const float *from, float *to, const LsCpuRect *rect)
{
  ROWS (rect, at)
    {
      const float *dy = from + at, *mask = (const float *) call->in[1] + at;
      float *dx = to + at;
      LS_INDEPENDENT
      for (gint64 i = 0; i < rect->cols; i++)
        dx[i] = dy[i] * mask[i];
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
          const float change = g[i], v_old = v[i], w_old = w[i], v_new = momentum * v_old + change;
          v[i] = v_new;
          w[i] = w_old - lr * v_new;
        }
    }
}

/* Without a branch: what isn't finite has the largest bits but for the sign. */
LS_VECTOR gboolean
LS_LOOP (ls_cpu_unscale) (float *gradient, gint64 n, float inverse)
{
  guint32 most = 0;

  for (gint64 i = 0; i < n; i++)
    {
      guint32 bits;
      memcpy (&bits, &gradient[i], sizeof bits);
      bits &= 0x7fffffffu;
      most = bits > most ? bits : most;
      gradient[i] *= inverse;
    }
  return most >= 0x7f800000u;
}

LS_VECTOR void
LS_LOOP (ls_cpu_rect_adam) (const LsOpCall *call, const float *from, float *to, const LsCpuRect *rect)
{
  const LsHyper *hyper = call->hyper;
  const float beta1 = (float) hyper->beta1, beta2 = (float) hyper->beta2, epsilon = (float) hyper->epsilon;
  const float rest1 = (float) (1 - hyper->beta1), rest2 = (float) (1 - hyper->beta2);
  const double updates = ls_hyper_updates (hyper);
  const float step_size = (float) (hyper->lr / (1 - pow (hyper->beta1, updates)));
  const float correction2 = (float) (1 / sqrt (1 - pow (hyper->beta2, updates)));

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
