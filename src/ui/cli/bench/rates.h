/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * `lockstep bench`: how many samples a second each lane does, workload by workload, and what recording costs.
 */
#pragma once

#include "lab/lanes.h"

G_BEGIN_DECLS

typedef struct {
  const char *only; /* as --only says it; NULL: all */
  const char *json; /* a file, or NULL */
  double seconds;
  guint rounds;
} LsRatesWish;

/* Errors: LS_ERROR_USAGE, LS_ERROR_FILE, LS_ERROR_DEVICE (no lane works). */
gboolean ls_rates_run (const LsRatesWish *wish, const LsOptions *options, GError **error);

/* "CPU lane: a recorded step takes …"; says nothing of what wasn't measured. */
void ls_bench_print_recording (const char *title, const LsRecordingCost *cost);
/* Which variables of the environment are there, and nobody who is measured has. */
void ls_bench_print_unset (void);

G_END_DECLS
