/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * lstm.cl's rungs for tensors stored in 16 bits; the cells and their gradients are floats. Put behind lstm.cl, whose CELL,
 * CELL_GRAD, NAIVE and PACKED it takes, with other loads and stores.
 */
#undef LOAD_1
#undef STORE_1
#undef LOADV
#undef STOREV
#define LOAD_1(p)     LOAD_TYPED (p)
#define STORE_1(v, p) STORE_TYPED (v, p)
#define LOADV(p)      LOADV_TYPED (p)
#define STOREV(v, p)  STOREV_TYPED (v, p)

#define CELL_HALF_ARGUMENTS                                                                                       \
  __global const ushort *restrict z, __global const ushort *restrict q, __global const float *restrict before,   \
    __global ushort *restrict h, __global float *restrict c, __global ushort *restrict gates
#define CELL_GRAD_HALF_ARGUMENTS                                                                                  \
  __global const ushort *restrict dh, __global const float *restrict dc, __global const ushort *restrict gates,  \
    __global const float *restrict before, __global const float *restrict c, __global ushort *restrict dz,       \
    __global float *restrict dbefore

NAIVE (lstm_half_naive, CELL_HALF_ARGUMENTS, CELL)
NAIVE (lstm_grad_half_naive, CELL_GRAD_HALF_ARGUMENTS, CELL_GRAD)
PACKED (lstm_half_packed, CELL_HALF_ARGUMENTS, CELL, FETCH_CELL)
PACKED (lstm_grad_half_packed, CELL_GRAD_HALF_ARGUMENTS, CELL_GRAD, FETCH_CELL_GRAD)
