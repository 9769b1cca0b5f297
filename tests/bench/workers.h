/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The workers of the benchmark (lab/worker.h): the lanes, which here do single ops, too, and
 * OpenBLAS. Beside the lines of a step they understand "products…", "conv…" (work.h), and OpenBLAS "triad".
 */
#pragma once

#include "lab/worker.h"

G_BEGIN_DECLS

/* NULL-terminated. */
const LsLabWorker *const *ls_workers (void);

extern const LsLabWorker ls_lab_worker_openblas;

G_END_DECLS
