/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Sweeps on disk, beside the experiments' results: of each list of options, combinations and lanes the last
 * one. It is written after each combination, so that a sweep that is ended goes on from there.
 */
#pragma once

#include "lab/sweep.h"

G_BEGIN_DECLS

/* What was measured so far takes the place of what is there. LS_ERROR_FILE. */
gboolean ls_sweep_keep (const LsSweep *sweep, guint seconds, guint rounds, GError **error);
/* Fills in what was measured of this sweep here, by this version; `done` says how much. seconds 0: in
 * any time and number of rounds. date: of the day, (transfer full). FALSE: nothing was, and *why is a
 * sentence where there is a file that can't be used, else NULL; (transfer full). */
gboolean ls_sweep_take_kept (LsSweep *sweep, guint seconds, guint rounds, char **date, char **why);

G_END_DECLS
