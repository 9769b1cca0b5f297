/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One try of the driver, which discovery.c remembers.
 */
#pragma once

#include "backends/opencl/child/discovery.h"

G_BEGIN_DECLS

/* Tries the device for a wish in children, as ls_cl_discover() says, after ls_cl_environment_setup().
 * devices: an empty array of LsDeviceInfo, which is filled as far as a child came, on an error, too; the
 * result refers to it. (transfer full) */
LsClDiscovery *ls_cl_discover_try (const char *wish, GPtrArray *devices, GError **error);

G_END_DECLS
