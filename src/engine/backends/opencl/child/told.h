/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What every child is told of its lane, in JSON: options, edited kernels, and the device that a child was
 * tried on.
 */
#pragma once

#include "backends/kernel_files.h"
#include "backends/opencl/child/discovery.h"

G_BEGIN_DECLS

/* "options": {name: text}; into options, which has its defaults. */
void ls_told_put_options (json_t *into, const LsOptions *options);
gboolean ls_told_get_options (const json_t *from, LsOptions *options, GError **error);
/* "texts": {file: text}, of edited kernels; NULL: none. (transfer full) */
void ls_told_put_kernels (json_t *into, const LsKernelFiles *edited);
LsKernelFiles *ls_told_get_kernels (const json_t *from, GError **error);
/* "device", its name, "chosen" and "ticks". LS_ERROR_NO_DEVICE: it isn't there in this process. (transfer
 * full) */
void ls_told_put_device (json_t *into, const char *name, guint chosen, guint ticks);
LsClDiscovery *ls_told_get_device (const json_t *from, GError **error);

G_END_DECLS
