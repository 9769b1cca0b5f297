/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What lane_spec.c and lane_spec_read.c share.
 */
#pragma once

#include "train/lane_spec.h"

G_BEGIN_DECLS

/* Of that backend, with nothing of its own and no name yet. */
LsLaneSpec *ls_lane_spec_alloc (const LsBackend *backend);
gboolean ls_lane_id_taken (const GPtrArray *specs, const char *id);
/* lane_spec_read.c: adds the lanes that the text lists, with the names that it gives them; all else is still
 * to be filled in. LS_ERROR_USAGE: see ls_lane_specs_new(). */
gboolean ls_lane_specs_read (GPtrArray *specs, const char *text, GError **error);

G_END_DECLS
