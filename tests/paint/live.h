/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Snapshots of a run of this machine, by the CPU lane and the reference.
 */
#pragma once

#include "train/coordinator.h"

/* Trains so many steps on the spiral, the next one recorded, until `seen` says that it is enough; options:
 * pairs of a name and a value, of which the last has no name. */
void live_run (const char *const (*options)[2], guint64 steps, gboolean (*seen) (LsSnapshot *, gpointer),
               gpointer user_data);
