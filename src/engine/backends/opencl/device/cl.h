/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * OpenCL 1.2 and nothing later: what every device since 2012 has. The only place that includes the API's
 * header.
 */
#pragma once

#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
