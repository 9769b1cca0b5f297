/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A time step's gates and cell, and the way back through them. Per sample, N = units columns:
 *
 *   i, f, o = sigmoid (z + q),  g = tanh (z + q);  c = f · c′ + i · g;  h = o · tanh c
 *
 * z, q, gates and dz are rows of 4N: i, f, g, o, each of N.
 *
 * sigmoid and tanh are functions.clh's.
 *
 *   naive    one group per sample, its work-items side by side over the units
 *   packed   one work-item per group walks along tile_rows samples, VEC units at a time
 *
 * lstm is one launch, or, where nothing is fused, five: each gate by itself, then the cell, which reads them again. They are
 * the same functions and sums, and so the same bits.
 */

#define LOAD_1(p)     (*(p))
#define STORE_1(v, p) (*(p) = (v))

/* Units j … of a sample: at its place in [batch, N], gate its place in [batch, 4N]. */
#define CELL(T, LOAD, STORE, at, gate)                                        \
  {                                                                           \
    T i = LS_JOIN (sigmoid_, T) (LOAD (z + (gate)) + LOAD (q + (gate)));      \
    T f = LS_JOIN (sigmoid_, T) (LOAD (z + (gate) + n) + LOAD (q + (gate) + n)); \
    T g = LS_JOIN (tanh_, T) (LOAD (z + (gate) + 2 * n) + LOAD (q + (gate) + 2 * n)); \
    T o = LS_JOIN (sigmoid_, T) (LOAD (z + (gate) + 3 * n) + LOAD (q + (gate) + 3 * n)); \
    T cell = f * LOAD (before + (at)) + i * g;                                \
    STORE (i, gates + (gate));                                                \
    STORE (f, gates + (gate) + n);                                            \
    STORE (g, gates + (gate) + 2 * n);                                        \
    STORE (o, gates + (gate) + 3 * n);                                        \
    STORE (cell, c + (at));                                                   \
    STORE (o * LS_JOIN (tanh_, T) (cell), h + (at));                          \
  }

/* The same taken apart: a gate; then the cell from gates that are there. */
#define GATE(T, LOAD, STORE, function, at)                                    \
  STORE (LS_JOIN (function, T) (LOAD (z + (at)) + LOAD (q + (at))), gates + (at));
#define GATE_I(T, LOAD, STORE, at, gate) GATE (T, LOAD, STORE, sigmoid_, (gate))
#define GATE_F(T, LOAD, STORE, at, gate) GATE (T, LOAD, STORE, sigmoid_, (gate) + n)
#define GATE_G(T, LOAD, STORE, at, gate) GATE (T, LOAD, STORE, tanh_, (gate) + 2 * n)
#define GATE_O(T, LOAD, STORE, at, gate) GATE (T, LOAD, STORE, sigmoid_, (gate) + 3 * n)
#define CELL_APART(T, LOAD, STORE, at, gate)                                  \
  {                                                                           \
    T i = LOAD (gates + (gate));                                              \
    T f = LOAD (gates + (gate) + n);                                          \
    T g = LOAD (gates + (gate) + 2 * n);                                      \
    T o = LOAD (gates + (gate) + 3 * n);                                      \
    T cell = f * LOAD (before + (at)) + i * g;                                \
    STORE (cell, c + (at));                                                   \
    STORE (o * LS_JOIN (tanh_, T) (cell), h + (at));                          \
  }

#define CELL_GRAD(T, LOAD, STORE, at, gate)                                   \
  {                                                                           \
    T i = LOAD (gates + (gate));                                              \
    T f = LOAD (gates + (gate) + n);                                          \
    T g = LOAD (gates + (gate) + 2 * n);                                      \
    T o = LOAD (gates + (gate) + 3 * n);                                      \
    T bent = LS_JOIN (tanh_, T) (LOAD (c + (at)));                            \
    T dh_at = LOAD (dh + (at));                                               \
    T cell = LOAD (dc + (at)) + dh_at * o * ((T) (1.0f) - bent * bent);       \
    STORE (cell * g * i * ((T) (1.0f) - i), dz + (gate));                     \
    STORE (cell * LOAD (before + (at)) * f * ((T) (1.0f) - f), dz + (gate) + n); \
    STORE (cell * i * ((T) (1.0f) - g * g), dz + (gate) + 2 * n);             \
    STORE (dh_at * bent * o * ((T) (1.0f) - o), dz + (gate) + 3 * n);         \
    STORE (cell * f, dbefore + (at));                                         \
  }

/* What the same units of another sample read and write. */
#define FETCH_GATES(WAY, p, gate)                                             \
  WAY (p + (gate)); WAY (p + (gate) + n); WAY (p + (gate) + 2 * n); WAY (p + (gate) + 3 * n);
#define FETCH_CELL(at, gate)                                                  \
  FETCH_GATES (FETCH, z, gate)                                                \
  FETCH_GATES (FETCH, q, gate)                                                \
  FETCH (before + (at));                                                      \
  FETCH_GATES (FETCH_TO_WRITE, gates, gate)                                   \
  FETCH_TO_WRITE (c + (at));                                                  \
  FETCH_TO_WRITE (h + (at));
#define FETCH_CELL_GRAD(at, gate)                                             \
  FETCH_GATES (FETCH, gates, gate)                                            \
  FETCH (c + (at));                                                           \
  FETCH (dh + (at));                                                          \
  FETCH (dc + (at));                                                          \
  FETCH (before + (at));                                                      \
  FETCH_GATES (FETCH_TO_WRITE, dz, gate)                                      \
  FETCH_TO_WRITE (dbefore + (at));
#define FETCH_NOTHING(at, gate)

/* Those that aren't restrict: gates may lie where z is, dz where gates are, dbefore where dc is. */
#define CELL_ARGUMENTS                                                                                           \
  __global const float *z, __global const float *restrict q, __global const float *restrict before,              \
    __global float *restrict h, __global float *restrict c, __global float *gates
#define CELL_GRAD_ARGUMENTS                                                                                      \
  __global const float *restrict dh, __global const float *dc, __global const float *gates,                      \
    __global const float *restrict before, __global const float *restrict c, __global float *dz,                 \
    __global float *dbefore

/* The rows name these kernels; of what begins with NAIVE or PACKED the program keeps only those that it launches. */
#define NAIVE(name, ARGUMENTS, BODY)                                          \
  __kernel __attribute__ ((reqd_work_group_size (64, 1, 1))) void             \
  name (ARGUMENTS, int rows, int n LS_PROBE_ARG)                              \
  {                                                                           \
    int row = get_group_id (1);                                               \
                                                                              \
    LS_PROBE_BEGIN                                                            \
    for (int j = get_local_id (0); j < n; j += 64)                            \
      BODY (float, LOAD_1, STORE_1, row * n + j, 4 * row * n + j)             \
    LS_PROBE_END (64)                                                         \
  }

/* FETCH_NEXT: of the next sample, while this one is computed. */
#define PACKED(name, ARGUMENTS, BODY, FETCH_NEXT)                             \
  __kernel __attribute__ ((reqd_work_group_size (1, 1, 1))) void              \
  name (ARGUMENTS, int rows, int n, int tile_rows LS_PROBE_ARG)               \
  {                                                                           \
    int first = get_group_id (1) * tile_rows;                                 \
    int end = first + MIN (tile_rows, rows - first);                          \
                                                                              \
    LS_PROBE_BEGIN                                                            \
    for (int row = first; row < end; row++)                                   \
      {                                                                       \
        int j = 0, next = MIN (row + 1, rows - 1);                            \
        for (; j + VEC <= n; j += VEC)                                        \
          {                                                                   \
            FETCH_NEXT (next * n + j, 4 * next * n + j)                       \
            BODY (floatv, LOADV, STOREV, row * n + j, 4 * row * n + j)        \
          }                                                                   \
        for (; j < n; j++)                                                    \
          BODY (float, LOAD_1, STORE_1, row * n + j, 4 * row * n + j)         \
      }                                                                       \
    LS_PROBE_END (1)                                                          \
  }

NAIVE (lstm_naive, CELL_ARGUMENTS, CELL)
NAIVE (lstm_grad_naive, CELL_GRAD_ARGUMENTS, CELL_GRAD)
PACKED (lstm_packed, CELL_ARGUMENTS, CELL, FETCH_CELL)
PACKED (lstm_grad_packed, CELL_GRAD_ARGUMENTS, CELL_GRAD, FETCH_CELL_GRAD)
NAIVE (lstm_gate_i_naive, CELL_ARGUMENTS, GATE_I)
NAIVE (lstm_gate_f_naive, CELL_ARGUMENTS, GATE_F)
NAIVE (lstm_gate_g_naive, CELL_ARGUMENTS, GATE_G)
NAIVE (lstm_gate_o_naive, CELL_ARGUMENTS, GATE_O)
NAIVE (lstm_cell_naive, CELL_ARGUMENTS, CELL_APART)
PACKED (lstm_gate_i_packed, CELL_ARGUMENTS, GATE_I, FETCH_NOTHING)
PACKED (lstm_gate_f_packed, CELL_ARGUMENTS, GATE_F, FETCH_NOTHING)
PACKED (lstm_gate_g_packed, CELL_ARGUMENTS, GATE_G, FETCH_NOTHING)
PACKED (lstm_gate_o_packed, CELL_ARGUMENTS, GATE_O, FETCH_NOTHING)
PACKED (lstm_cell_packed, CELL_ARGUMENTS, CELL_APART, FETCH_NOTHING)
