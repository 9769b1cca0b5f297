/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Test data: recordings invented by code, for layouts and pictures of machines that are not at hand. They say
 * so in their device names and conditions, and are never shipped.
 */
#pragma once

#include "ui/paint/data/view_data.h"

typedef struct {
  const char *model; /* NULL: a perceptron of three layers */
  guint batch;
  guint workers; /* of the CPU lane */
  guint tiles;   /* wished per op, CPU */
  guint groups;  /* wished per op, OpenCL; 0: no OpenCL lane */
  LsKnown known; /* what work-groups tell */
  guint units;
  gboolean on_cpu; /* OpenCL's device is the CPU */
  gboolean stealing;
  gboolean fused;  /* elementwise ops are computed in the op before */
  gboolean joined; /* lane 1 computes the loss, its mean and its gradient in one */
  guint steps;     /* of history */
  gboolean queue; /* OpenCL: the host's calls, waits in the queue, and the host's wait for the end; the second
                     op is queued late */
  gboolean values;        /* both lanes' tensors are there, a little different */
  gboolean small_deltas;  /* the deltas, too: numbers with many zeros */
  gboolean toy;           /* samples are points of the plane, of two classes */
  gint classes;           /* 0: ten, or of points two */
  gint64 cols;            /* of an image of 28 rows; 0: 28 */
  const char *cpu_kernel; /* how the CPU lane computes its products; NULL: as of a matrix */
} LsFixture;

/* Machines, for an initializer: so many cores, whose threads OpenCL has, too, and tells; a desk's, with a
 * device that tells its units. */
#define LS_CORES(n) .workers = (n), .known = LS_KNOWN_THREADS, .units = (n)
#define LS_DESK     .workers = 8, .tiles = 64, .groups = 128, .known = LS_KNOWN_UNITS, .units = 24

/* Those that several tests have: a desk with values; two cores and a long history; four, and all of the
 * host's calls. */
extern const LsFixture ls_fixture_desk, ls_fixture_cores, ls_fixture_calls;

/* The step that it records. */
LsPlan *ls_fixture_plan (const LsFixture *fixture);
LsRecording *ls_fixture_recording (const LsFixture *fixture);
/* What views make of it; data->recording is it. */
LsViewData *ls_fixture_data (const LsFixture *fixture);
/* Values that tell their place, in all float tensors of all lanes. */
void ls_fixture_add_values (LsRecording *recording);
