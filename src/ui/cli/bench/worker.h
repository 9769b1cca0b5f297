/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A program as a contender of its own benchmark: `lockstep --bench-worker NAME [OPTION=VALUE]…`, a child
 * that waits for its turns on its standard input. So every contender, ours or another library's, is a process
 * by itself: the pool of one never spins beside another, a driver that crashes costs a line of the table, and
 * each has its own thread counts.
 *
 * It is spoken to in lines; times are in µs:
 *   from it, once      TITLE <tab> THREADS          what it is; the most threads worth trying
 *   to it              step…                       what is measured from now on (steps.h)
 *   from it            ok, or ok <tab> HOW, or no <tab> WHY
 *   to it              set <tab> OPTION <tab> VALUE  of a lane: as on the command line
 *   from it            ok, or no <tab> WHY
 *   to it              run THREADS SECONDS          threads 0: as it is
 *   from it            µs µs µs …                   of each step or product, after some that aren't counted
 *   to it              record SECONDS               of a lane: plain and recorded steps in turn
 *   from it            EVENTS <tab> µs … <tab> µs …   of a recorded step; the plain ones'; the recorded ones'
 * A line that it can't answer is answered with no. It ends with its input.
 */
#pragma once

#include "backends/backend.h"
#include "data/batcher.h"

G_BEGIN_DECLS

#define LS_BENCH_WORKER_COMMAND "--bench-worker"

/* A kind of worker: "cpu", "opencl". Functions that may be NULL aren't there. */
typedef struct {
  const char *name;
  gpointer (*open) (const char *name, LsOptions *options, char **title, guint *threads, GError **error);
  void (*close) (gpointer self);
  /* *how, (transfer full): how it will be done, or NULL. */
  gboolean (*prepare) (gpointer self, const char *spec, char **how, GError **error);
  gboolean (*set) (gpointer self, const char *option, const char *value, GError **error);
  gboolean (*run) (gpointer self, guint threads, double seconds, GArray *times, GError **error);
  gboolean (*record) (gpointer self, double seconds, GArray *plain, GArray *recorded, guint *events,
                      GError **error);
} LsBenchWorker;

/* What main() calls when argv[1] is that: argv[2] names one of `workers`, NULL-terminated. Returns the exit
 * status. */
int ls_bench_worker_main (int argc, char **argv, const LsBenchWorker *const *workers);

/* The lanes, which do steps; NULL-terminated. */
extern const LsBenchWorker *const ls_bench_workers[];

/* What prepare() of a lane does with a step's plan and data, for any other plan, such as a single op's. Takes
 * both over; without a plan it says no and forgets the one it had. */
gboolean ls_bench_lane_take (gpointer self, LsPlan *plan, LsData *data, char **how, GError **error);

/* The share of a turn that isn't counted: caches and clocks get used to it. */
#define LS_BENCH_WARM .15

G_END_DECLS
