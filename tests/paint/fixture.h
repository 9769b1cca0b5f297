/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Test data: recordings invented by code, for layouts and pictures of machines that are not at hand. They say
 * so in their device names and conditions, and are never shipped.
 */
#pragma once

#include "ui/paint/data/step_index.h"

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
  const char *cpu_kernel; /* how the CPU lane computes its products; NULL: as of a matrix */
} LsFixture;

/* The step that it records. */
LsPlan *ls_fixture_plan (const LsFixture *fixture);
LsRecording *ls_fixture_recording (const LsFixture *fixture);
/* Values that tell their place, in all float tensors of all lanes. */
void ls_fixture_add_values (LsRecording *recording);
