/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What `lockstep` and the benchmark in tests/bench have in common as programs: what must be settled before
 * anything else, and how a process ends.
 */
#pragma once

#include "lab/worker.h"
#include "ui/cli/command.h"

G_BEGIN_DECLS

/* A main(): runs the OpenCL probe or one of `workers` (NULL-terminated) if the line says so, else `run`. */
int ls_start (int argc, char **argv, const LsLabWorker *const *workers,
              LsExit (*run) (int argc, char **argv));

G_END_DECLS
