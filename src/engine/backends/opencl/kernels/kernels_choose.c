/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which row of the kernel table an op gets on a device, and with which values for its parameters.
 */
#include "backends/opencl/kernels/kernels.h"

/* The ladder from the bottom up. */
static const char *const rungs[] = { "naive", "tiled", "register", "packed" };
enum { NAIVE, TILED, REGISTER, PACKED };

static int *
param (const LsClKernel *kernel, const char *name, int *values)
{
  for (guint i = 0; i < LS_CL_MAX_PARAMS && kernel->params[i].name != NULL; i++)
    if (g_str_equal (kernel->params[i].name, name))
      return &values[i];
  return NULL;
}

#define MOST_ROWS     256    /* of a packed group, whose sums wait in local memory */
#define SURE_ROWS     128    /* narrower vectors cost more than groups of so many rows */
#define SMALL_PRODUCT 200000 /* multiply-adds: a second worker would take longer to wake up than to help */

/* The smallest of 16, 32, 64 that covers the edge, else 64. */
static int
tile_edge (gint64 edge)
{
  return edge <= 16 ? 16 : edge <= 32 ? 32 : 64;
}

/* The parameters' defaults, fitted to device and shape: vectors as wide as the registers; as many rows per
 * group as leave each unit four groups, since each group packs its panel of B anew, but all rows of a small
 * product; tiles no larger than the matrix, and small ones where large ones would be fewer than the units. */
static void
default_values (const LsClKernel *kernel, const LsOp *op, const LsClLimits *limits, int *values)
{
  for (guint i = 0; i < LS_CL_MAX_PARAMS; i++)
    values[i] = kernel->params[i].value;

  int *vec = param (kernel, "VEC", values);
  if (vec != NULL)
    *vec = limits->vector_width >= 16 ? 16 : limits->vector_width >= 8 ? 8 : 4;

  int *rows = param (kernel, "GROUP_ROWS", values);
  if (rows != NULL)
    for (*rows = op->attr.m > SURE_ROWS ? MOST_ROWS : SURE_ROWS;
         op->attr.m * op->attr.n * op->attr.k > SMALL_PRODUCT
         && *rows > kernel->params[LS_CL_PACKED_ROWS].value;
         *rows /= 2)
      if (ls_cl_ceil_div (op->attr.m, *rows) * ls_cl_ceil_div (op->attr.n, 2 * *vec)
          >= 4 * (gint64) limits->units)
        break;
  if (rows != NULL && op->attr.m == 1 && kernel->one_row)
    *rows = 1;

  int *tile_m = param (kernel, "TILE_M", values), *tile_n = param (kernel, "TILE_N", values);
  if (tile_m != NULL && tile_n != NULL)
    {
      gint64 m = op->attr.m, n = op->attr.n;
      *tile_m = tile_edge (m);
      *tile_n = tile_edge (n);
      if (ls_cl_ceil_div (m, *tile_m) * ls_cl_ceil_div (n, *tile_n) < limits->units)
        {
          *tile_m = MIN (*tile_m, 32);
          *tile_n = MIN (*tile_n, 32);
        }
    }
}

/* The first row of that op and rung that the device can run with the values that are then set. */
static const LsClKernel *
find_kernel (const LsOp *op, const LsPlan *plan, guint rung, const LsClLimits *limits, int *values)
{
  guint n;
  const LsClKernel *kernels = ls_cl_op_is_half (op, plan) ? ls_cl_half_kernels (&n) : ls_cl_kernels (&n);

  for (guint i = 0; i < n; i++)
    {
      const LsClKernel *kernel = &kernels[i];
      if (!g_str_equal (kernel->op, op->klass->name) || !g_str_equal (kernel->rung, rungs[rung]))
        continue;
      default_values (kernel, op, limits, values);
      /* little local memory holds fewer rows' sums, and then narrower panels */
      int *vec = param (kernel, "VEC", values), *rows = param (kernel, "GROUP_ROWS", values);
      while (vec != NULL && *vec > 4 && kernel->fits != NULL && !kernel->fits (op, plan, values, limits))
        *(rows != NULL && *rows > SURE_ROWS ? rows : vec) /= 2;
      if (kernel->fits == NULL || kernel->fits (op, plan, values, limits))
        return kernel;
    }
  return NULL;
}

/* CPUs take the packed rung. GPUs take the register-blocked one, or where an op has none the tiled; products
 * of a few thousand multiply-adds aren't worth a tile and stay naive. */
static guint
default_rung (const LsOp *op, const LsClLimits *limits)
{
  gboolean tiny = op->attr.m > 0 && op->attr.m * op->attr.n <= 256 && op->attr.k <= 64;
  return limits->is_cpu ? PACKED : tiny ? NAIVE : REGISTER;
}

/* A rung that the op lacks, or that doesn't fit, is replaced by the next lower, then by the next higher
 * one. */
const LsClKernel *
ls_cl_kernel_choose (const LsOp *op, const LsPlan *plan, const char *rung, const LsClLimits *limits,
                     int values[LS_CL_MAX_PARAMS])
{
  guint wanted = default_rung (op, limits);
  const LsClKernel *kernel = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (rungs); i++)
    if (g_strcmp0 (rung, rungs[i]) == 0)
      wanted = i;
  for (guint i = wanted + 1; kernel == NULL && i-- > 0;)
    kernel = find_kernel (op, plan, i, limits, values);
  for (guint i = wanted + 1; kernel == NULL && i < G_N_ELEMENTS (rungs); i++)
    kernel = find_kernel (op, plan, i, limits, values);
  return kernel;
}

gboolean
ls_cl_kernel_set (const LsClKernel *kernel, const char *name, int value, const LsOp *op, const LsPlan *plan,
                  const LsClLimits *limits, int values[LS_CL_MAX_PARAMS])
{
  int *at = param (kernel, name, values);
  const int before = at != NULL ? *at : 0;

  if (at == NULL)
    return FALSE;
  *at = value;
  if (kernel->fits == NULL || kernel->fits (op, plan, values, limits))
    return TRUE;
  *at = before;
  return FALSE;
}
