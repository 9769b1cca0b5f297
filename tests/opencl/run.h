/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Run: one row of the kernel table, with values for its parameters, on one case; and what every run must
 * fulfil.
 */
#pragma once

#include "case.h"
#include "rig.h"

G_BEGIN_DECLS

typedef struct {
  Rig *rig;
  const LsClKernel *kernel;
  const Case *c;
  int values[LS_CL_MAX_PARAMS];
  const char *epilogue;
  gboolean probe, f32_samples;
  int ticks;             /* of the probe: LS_PROBE_TICKS */
  gboolean one_group;    /* run only the first group of the tiles' pass, and nothing after it */
  const char *from, *to; /* change the source: for the test of this test */
} Run;

/* All passes. Returns the outputs, one after the other, 4 bytes each; *guards: no buffer was overrun. probe
 * may be NULL; set only if run->probe. */
guint8 *run_kernel (const Run *run, LsTiling *tiling, LsClRange *tiles, gboolean *guards, guint32 **probe);
gboolean run_agrees (const Run *run, const guint8 *got, char **why);

/* Ends the program with a message that names op, rung, shapes and parameters if the result isn't the case's,
 * a guard zone was written to, or the probe's words are incomplete. twice: a second run must give the same
 * bits. */
void run_check (const Run *run, gboolean twice);
/* The first group alone writes as many elements as tile 0 has. */
void run_check_one_group (Run *run);

G_END_DECLS
