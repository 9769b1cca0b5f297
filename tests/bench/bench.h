/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * LsBench: a whole run of the benchmark and what came out of it; printed by print.c, saved by save.c. What
 * its ratios should be is a table, too (targets.c).
 */
#pragma once

#include "beside.h"
#include "row.h"
#include "lab/lanes.h"

G_BEGIN_DECLS

#define LS_BENCH_LANES 2 /* LS_PEER_CPU, LS_PEER_OPENCL */

/* What is always kept: of every step a clock reading and a point; 60 times a second a snapshot's figures. */
typedef struct {
  double event_ns, figures_ns; /* 0: not measured */
  guint per_s;                 /* snapshots */
  LsFigure percent;            /* of a step of the CPU lane; derived */
} LsAlwaysCost;

typedef struct {
  LsOptions *options;
  double seconds; /* for all turns */
  guint rounds;
  guint n_beside; /* busy loops beside everything that is measured */
  LsBeside *beside;
  gint64 vector;   /* floats of the CPU lane's loops' vectors */
  double busy;     /* cores that others used before; −1: not known */
  GPtrArray *rows; /* LsBenchRow */
  LsContender contenders[LS_PEER_N];
  LsFigure bandwidth; /* bytes/s; n == 0: not measured */
  LsRecordingCost recording[LS_BENCH_LANES];
  LsAlwaysCost always;
} LsBench;

/* costs.c; which: a lane. FALSE: the child said why on the terminal. */
gboolean ls_bench_measure_recording (LsBench *bench, LsPeerId which, double seconds);
void ls_bench_measure_always (LsBench *bench);
void ls_bench_measure_bandwidth (LsBench *bench, double seconds);

/* ---- targets.c ---- */

typedef enum {
  LS_REACHED_UNKNOWN,
  LS_REACHED_NOT,
  LS_REACHED_LEAST,
  LS_REACHED_AIM,
  LS_REACHED_NO_TARGET
} LsReached;

typedef struct {
  char *what;        /* "CPU lane over PyTorch: mlp …, batch 128" */
  double least, aim; /* NAN: there is none */
  gboolean most;     /* `least` is what it may be at most */
  LsFigure figure;
} LsTarget;

/* What this program has set itself, with what was measured; those whose rows weren't chosen are left out.
 * GArray of LsTarget, (transfer full), which clears its elements. */
GArray *ls_bench_targets (const LsBench *bench);
LsReached ls_target_reached (const LsTarget *target);
const char *ls_reached_name (LsReached reached); /* "aim": stable, used in files */

/* ---- print.c, save.c ---- */

/* Who takes part, on what; the state of the machine. */
void ls_bench_print_head (const LsBench *bench);
void ls_bench_print (const LsBench *bench);
/* Sentences: what wasn't there or failed. (transfer full) */
GPtrArray *ls_bench_missing (const LsBench *bench);
gboolean ls_bench_save (const LsBench *bench, const char *path, GError **error);
/* How near a step comes to the time that its bytes take at the measured bandwidth; derived, a fraction. */
LsFigure ls_bench_memory_share (const LsBench *bench, const LsBenchRow *row, LsPeerId who);

G_END_DECLS
