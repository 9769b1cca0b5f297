/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * `lockstep bench`: how many samples a second each lane does, workload by workload, and what recording costs.
 */
#pragma once

#include "core/options.h"

G_BEGIN_DECLS

typedef struct {
  const char *only; /* as --only says it; NULL: all */
  const char *json; /* a file, or NULL */
  double seconds;
  guint rounds;
} LsRatesWish;

/* Errors: LS_ERROR_USAGE, LS_ERROR_FILE, LS_ERROR_DEVICE (no lane works). */
gboolean ls_rates_run (const LsRatesWish *wish, const LsOptions *options, GError **error);

G_END_DECLS
