/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A lane that is measured by itself: `lockstep --lab-worker NAME [OPTION=VALUE]…`, a child that waits for its
 * turns on its standard input. So every lane that is measured, and every other library beside it, is a
 * process: the pool of one never spins beside another, a driver that crashes costs a point, and each has its
 * own thread counts.
 *
 * It is spoken to in lines that are JSON objects; times are in µs:
 *   from it, once   {"title": "AMD EPYC …", "threads": 2}   what it is; the most threads worth trying;
 *                                                           a lane also "key": its device, not translated,
 *                                                           and "kind": one of ls_device_kind_names
 *   to it           {"prepare": "step…"}                    what is measured from now on (step.h)
 *   from it         {} or {"how": "packed 4×4"}
 *   to it           {"set": "tiles-per-op", "value": "8"}   of a lane: as on the command line
 *   from it         {}
 *   to it           {"run": 0.5, "threads": 0}              seconds; threads 0: as it is
 *   from it         {"us": [10.1, …]}                       of each step or product, after some that aren't
 *                                                           counted
 *   to it           {"record": 0.5}                         of a lane: plain and recorded steps in turn
 *   from it         {"events": 92, "plain_us": […], "recorded_us": […]}   of a recorded step; the plain ones'
 *   to it           {"bound": 0.5}                          of a lane with a step: recorded steps
 *   from it         {"shares": [0.69, …]}                   of a step's time in ops that its memory bounds
 *   to it           {"learn": 400, "seeds": 3}              trains anew for so many steps, from each seed
 *   from it         {"right": [0.97, …]}                    of the test set, afterwards
 * What it can't do it answers with {"no": "why"}. It ends with its input.
 */
#pragma once

#include "backends/backend.h"
#include "data/batcher.h"

G_BEGIN_DECLS

#define LS_LAB_WORKER_COMMAND "--lab-worker"

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
  char *(*key) (gpointer self); /* of its device, not translated; (transfer full) */
  LsDeviceKind (*kind) (gpointer self);
  /* Appends shares and accuracies (double, 0 … 1). */
  gboolean (*bound) (gpointer self, double seconds, GArray *shares, GError **error);
  gboolean (*learn) (gpointer self, guint steps, guint seeds, GArray *right, GError **error);
} LsLabWorker;

/* What main() calls when argv[1] is that: argv[2] names one of `workers`, NULL-terminated. Returns the exit
 * status. */
int ls_lab_worker_main (int argc, char **argv, const LsLabWorker *const *workers);

/* The lanes, which do steps, by their backends' names; NULL-terminated. */
extern const LsLabWorker *const ls_lab_workers[];

/* What prepare() of a lane does with a step's plan and data, for any other plan, such as a single op's. Takes
 * both over; without a plan it says no and forgets the one it had. */
gboolean ls_lab_lane_take (gpointer self, LsPlan *plan, LsData *data, char **how, GError **error);

/* The share of a turn that isn't counted: caches and clocks get used to it. */
#define LS_LAB_WARM .15

G_END_DECLS
