/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A time step's gates and cell, and the way back through them. Per sample, N = units columns:
 *
 *   i, f, o = sigmoid (z + q),  g = tanh (z + q);  c = f · c′ + i · g;  h = o · tanh c
 *
 * z, q, gates and dz are rows of 4N: i, f, g, o, each of N.
 *
 *   naive    one group per sample, its work-items side by side over the units
 *   packed   one work-item per group walks along tile_rows samples, VEC units at a time
 */

/* e^x = 2^n · e^r and tanh: Cephes', term by term what the CPU lane computes (vmath.h), so that the lanes have the same bits.
 * Within 3 and 5 ulp, as the built-ins have to be. T: float, or a vector of them with U of as many uints. */
#define FUNCTIONS(suffix, T, U, as_t, as_u)                           \
  T exp_##suffix (T x)                                                        \
  {                                                                           \
    const float rounder = 12582912.0f;                                        \
    x = x > (T) (89.0f) ? (T) (89.0f) : x;                                    \
    x = x < (T) (-104.0f) ? (T) (-104.0f) : x;                                \
    T shifted = x * 1.44269504088896341f + rounder;                           \
    T n = shifted - rounder;                                                  \
    T r = x - n * 0.693359375f;                                               \
    r -= n * -2.12194440e-4f;                                                 \
    T p = 1.9875691500e-4f;                                                   \
    p = p * r + 1.3981999507e-3f;                                             \
    p = p * r + 8.3334519073e-3f;                                             \
    p = p * r + 4.1665795894e-2f;                                             \
    p = p * r + 1.6666665459e-1f;                                             \
    p = p * r + 5.0000001201e-1f;                                             \
    p = p * r + 1.0f;                                                         \
    p = p * r + 1.0f;                                                         \
    U exponent = as_u (shifted) - 0x4b400000u + 256u;                         \
    U half_exponent = exponent >> 1;                                          \
    return p * as_t ((half_exponent - 1) << 23) * as_t ((exponent - half_exponent - 1) << 23); \
  }                                                                           \
  T tanh_##suffix (T x)                                                       \
  {                                                                           \
    T a = as_t (as_u (x) & 0x7fffffffu);                                      \
    T z = x * x;                                                              \
    T p = -5.70498872745e-3f;                                                 \
    p = p * z + 2.06390887954e-2f;                                            \
    p = p * z - 5.37397155531e-2f;                                            \
    p = p * z + 1.33314422036e-1f;                                            \
    p = p * z - 3.33332819422e-1f;                                            \
    T small = p * z * x + x;                                                  \
    T large = (T) (1.0f) - (T) (2.0f) / (exp_##suffix (2.0f * a) + 1.0f);     \
    large = as_t (as_u (large) | (as_u (x) & 0x80000000u));                   \
    return a < (T) (0.625f) ? small : large;                                  \
  }                                                                           \
  T sigmoid_##suffix (T x)                                                    \
  {                                                                           \
    return (T) (1.0f) / ((T) (1.0f) + exp_##suffix (-x));                     \
  }

FUNCTIONS (one, float, uint, as_float, as_uint)
FUNCTIONS (some, floatv, uintv, as_floatv, as_uintv)

#define LOAD_1(p)     (*(p))
#define STORE_1(v, p) (*(p) = (v))

/* Units j … of a sample: at its place in [batch, N], gate its place in [batch, 4N]. */
#define CELL(suffix, T, LOAD, STORE, at, gate)                                \
  {                                                                           \
    T i = sigmoid_##suffix (LOAD (z + (gate)) + LOAD (q + (gate)));           \
    T f = sigmoid_##suffix (LOAD (z + (gate) + n) + LOAD (q + (gate) + n));   \
    T g = tanh_##suffix (LOAD (z + (gate) + 2 * n) + LOAD (q + (gate) + 2 * n)); \
    T o = sigmoid_##suffix (LOAD (z + (gate) + 3 * n) + LOAD (q + (gate) + 3 * n)); \
    T cell = f * LOAD (before + (at)) + i * g;                                \
    STORE (i, gates + (gate));                                                \
    STORE (f, gates + (gate) + n);                                            \
    STORE (g, gates + (gate) + 2 * n);                                        \
    STORE (o, gates + (gate) + 3 * n);                                        \
    STORE (cell, c + (at));                                                   \
    STORE (o * tanh_##suffix (cell), h + (at));                               \
  }

#define CELL_GRAD(suffix, T, LOAD, STORE, at, gate)                           \
  {                                                                           \
    T i = LOAD (gates + (gate));                                              \
    T f = LOAD (gates + (gate) + n);                                          \
    T g = LOAD (gates + (gate) + 2 * n);                                      \
    T o = LOAD (gates + (gate) + 3 * n);                                      \
    T bent = tanh_##suffix (LOAD (c + (at)));                                 \
    T dh_at = LOAD (dh + (at));                                               \
    T cell = LOAD (dc + (at)) + dh_at * o * ((T) (1.0f) - bent * bent);       \
    STORE (cell * g * i * ((T) (1.0f) - i), dz + (gate));                     \
    STORE (cell * LOAD (before + (at)) * f * ((T) (1.0f) - f), dz + (gate) + n); \
    STORE (cell * i * ((T) (1.0f) - g * g), dz + (gate) + 2 * n);             \
    STORE (dh_at * bent * o * ((T) (1.0f) - o), dz + (gate) + 3 * n);         \
    STORE (cell * f, dbefore + (at));                                         \
  }

#define CELL_ARGUMENTS                                                                                           \
  __global const float *restrict z, __global const float *restrict q, __global const float *restrict before,     \
    __global float *restrict h, __global float *restrict c, __global float *restrict gates
#define CELL_GRAD_ARGUMENTS                                                                                      \
  __global const float *restrict dh, __global const float *restrict dc, __global const float *restrict gates,    \
    __global const float *restrict before, __global const float *restrict c, __global float *restrict dz,        \
    __global float *restrict dbefore

#define NAIVE(name, ARGUMENTS, BODY)                                          \
  __kernel __attribute__ ((reqd_work_group_size (64, 1, 1))) void             \
  name (ARGUMENTS, int rows, int n LS_PROBE_ARG)                              \
  {                                                                           \
    int row = get_group_id (1);                                               \
                                                                              \
    LS_PROBE_BEGIN                                                            \
    for (int j = get_local_id (0); j < n; j += 64)                            \
      BODY (one, float, LOAD_1, STORE_1, row * n + j, 4 * row * n + j)        \
    LS_PROBE_END (64)                                                         \
  }

#define PACKED(name, ARGUMENTS, BODY)                                         \
  __kernel __attribute__ ((reqd_work_group_size (1, 1, 1))) void              \
  name (ARGUMENTS, int rows, int n, int tile_rows LS_PROBE_ARG)               \
  {                                                                           \
    int first = get_group_id (1) * tile_rows;                                 \
    int end = first + MIN (tile_rows, rows - first);                          \
                                                                              \
    LS_PROBE_BEGIN                                                            \
    for (int row = first; row < end; row++)                                   \
      {                                                                       \
        int j = 0;                                                            \
        for (; j + VEC <= n; j += VEC)                                        \
          BODY (some, floatv, LOADV, STOREV, row * n + j, 4 * row * n + j)    \
        for (; j < n; j++)                                                    \
          BODY (one, float, LOAD_1, STORE_1, row * n + j, 4 * row * n + j)    \
      }                                                                       \
    LS_PROBE_END (1)                                                          \
  }

NAIVE (lstm_naive, CELL_ARGUMENTS, CELL)
NAIVE (lstm_grad_naive, CELL_GRAD_ARGUMENTS, CELL_GRAD)
PACKED (lstm_packed, CELL_ARGUMENTS, CELL)
PACKED (lstm_grad_packed, CELL_GRAD_ARGUMENTS, CELL_GRAD)
