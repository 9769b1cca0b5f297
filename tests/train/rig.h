/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A tiny network on two lanes, the reference and one that goes wrong as the test wishes (fake.h).
 */
#pragma once

#include "fake.h"
#include "train/coordinator.h"

#define TINY "flatten, dense 8, tanh, dense 2"

/* Also sets `fake` to one that does nothing wrong. */
LsOptions *tiny_options (void);
/* second: NULL for one lane. */
LsCoordinator *start (LsOptions *options, const LsBackend *second);
/* The same, and both lanes are there: what follows doesn't depend on which came first. */
LsCoordinator *start_and_open (LsOptions *options, const LsBackend *second);
/* Waits until the lanes are at rest; the snapshot then. */
LsSnapshot *finish (LsCoordinator *c);
/* Waits for a snapshot with another recording than `last`; with so many steps of the first lane. */
LsSnapshot *wait_for_recording (LsCoordinator *c, const LsRecording *last);
LsSnapshot *wait_for_steps (LsCoordinator *c, guint64 steps);
/* Frees it while the fake hangs, which nobody waits for; then lets the fake go, and waits until it has
 * gone. */
void free_hanging (LsCoordinator *c);
