/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * OpenCL's error codes in words, and the one way in which this folder turns them into a GError: which call
 * failed, for what, and how the driver calls it.
 */
#pragma once

#include <glib.h>

#include "backends/opencl/device/cl.h"

G_BEGIN_DECLS

/* "CL_OUT_OF_RESOURCES"; "unknown code" for others. */
const char *ls_cl_error_name (cl_int code);

/* Sets LS_ERROR_DEVICE (LS_ERROR_MEMORY for want of memory): “clEnqueueNDRangeKernel failed for the op dW₁:
 * CL_OUT_OF_RESOURCES (−5), the device ran out of resources”. Returns FALSE, so a caller can return it. */
gboolean ls_cl_fail (GError **error, cl_int code, const char *call, const char *what);

G_END_DECLS
