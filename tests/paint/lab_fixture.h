/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Results of the laboratory that nobody measured: of a desk's eight cores and 24 units, which follow laws
 * whose constants the tests know.
 */
#pragma once

#include "lab/result.h"

#define LAB_SERIAL_CPU    .059
#define LAB_SERIAL_OPENCL .015
#define LAB_FIXED_US      122. /* of the CPU lane's step, and */
#define LAB_EACH_US       2.2  /* of each sample */
#define LAB_HALF_CPU      104. /* n at which a product has half of its speed */
#define LAB_FULL_CPU      80.  /* loads in flight */

/* All experiments of the view Scaling with the lanes cpu and opencl. (transfer full) */
GPtrArray *lab_fixture (void);
/* Of that experiment in it. */
LsLabResult *lab_fixture_find (const GPtrArray *results, const char *name);
