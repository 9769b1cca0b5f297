/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which spot of an experiment is measured next. With one size: coarse ones first, until all are there. With
 * two: a coarse lattice, the shortest steps first, and the spot of the options' own network; then, with the
 * time that is left, wherever the two lanes are expected to be closest to equal.
 */
#pragma once

#include "lab/result.h"

G_BEGIN_DECLS

/* spots: ls_experiment_spots(); own: that of the options' own network, or NULL. seconds_left, of an
 * experiment with two sizes: spots that would take more than that are left out. FALSE: there is none to be
 * measured. */
gboolean ls_lab_next (const LsLabResult *result, const GArray *spots, const LsLabSpot *own,
                      double seconds_left, LsLabSpot *spot);

G_END_DECLS
