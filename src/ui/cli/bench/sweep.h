/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * `lockstep bench --sweep`: both lanes at growing sizes, point by point in turn.
 */
#pragma once

#include "core/options.h"

G_BEGIN_DECLS

typedef struct {
  const char *what;      /* "batch", "width", "threads", "events"; "" or "all": all of them */
  const char *csv, *out; /* files, or NULL */
  double seconds;        /* 0: as long as it should take */
  gboolean quick;
} LsSweepWish;

/* Errors: LS_ERROR_USAGE, LS_ERROR_FILE, LS_ERROR_DEVICE (no lane works). */
gboolean ls_sweep_run (const LsSweepWish *wish, const LsOptions *options, GError **error);

G_END_DECLS
