/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * LsExperiment: how the lanes' rates grow with one size, or with two, over which they make a map. A row says
 * which sizes, which step is measured at a spot of them, and how; measure.c does it the same way for all.
 * Which lanes is the options' list (--lanes), so that whatever can be a lane can be measured against whatever
 * else. A new experiment is a file with a row, and its name in LS_EXPERIMENTS.
 */
#pragma once

#include "core/law.h"
#include "core/options.h"

G_BEGIN_DECLS

#define LS_LAB_MAX_SIZES 32  /* of an axis */
#define LS_LAB_MAX_SPOTS 256 /* of an experiment */

/* clang-format off */
#define LS_EXPERIMENTS(ROW)                                                                     \
  ROW (batch) ROW (width) ROW (threads) ROW (events)                                            \
  ROW (size) ROW (edge) ROW (tiles) ROW (flight) ROW (flight_compute)                           \
  ROW (crossover) ROW (crossover_forward) ROW (crossover_depth) ROW (crossover_image)
/* clang-format on */

/* Where something is measured: at one size, or at two. */
typedef struct {
  guint x, y; /* y 0: there is but one */
} LsLabSpot;

/* What is measured at a spot. */
typedef struct {
  char *spec;         /* what is done (step.h), of g_malloc() */
  double amount;      /* of the experiment's unit that it does once: samples in a step */
  guint threads;      /* of every lane, which is opened anew for that; 0: as the lanes' options say */
  const char *option; /* of one kind of lanes, set to x; NULL: none */
  const char *with;   /* "kernel=tiled": set beside it on the same lanes; NULL: nothing */
  const char *unless; /* why other lanes have no point, translatable; NULL: they have one, at the first size
                       */
  gboolean recorded;  /* recorded steps in turn with plain ones; x is a recorded step's events */
} LsLabPlan;

typedef struct {
  const char *name;    /* "batch": stable, used in files */
  const char *title;   /* translatable, as the others: "Batch" */
  const char *about;   /* a sentence for the list */
  const char *column;  /* "batch": a column's head, and before a size: "batch 128" */
  const char *axis;    /* "samples in a step" */
  const char *network; /* "mlp 784-N-N-10, batch 128": what else there is to know of it, not translated; NULL
                        * with two sizes, whose axes say it */
  const char *unit;    /* of the rates: "samples/s" */
  /* By growing size, at most LS_LAB_MAX_SIZES; returns how many. threads: that the lanes have at most. */
  guint (*sizes) (const LsOptions *options, guint threads, guint *sizes);
  void (*plan) (const LsOptions *options, LsLabSpot spot, LsLabPlan *plan);
  /* Of an experiment with two sizes, else NULL. It ends when its time is over, with what it has by then; */
  const char *row, *row_axis; /* as column and axis */
  guint (*rows) (const LsOptions *options, guint *sizes);
  guint times;         /* it takes so many times as long as others; 0: once */
  gboolean variant;    /* of the experiment before it: “all” leaves it out where time is short */
  gboolean of_threads; /* a size is so many threads: what a lane has at most is always one of them */
  gboolean forward;    /* no training step: the network's answers alone */
  gboolean of_network; /* it is about the options' network and data */
  /* The spot that the options' own network and batch are at; FALSE: it is at none. */
  gboolean (*own) (const LsOptions *options, LsLabSpot *spot);
  LsLaw law;             /* how a lane's rates follow from x; of LS_LAW_LINEAR its times, in µs */
  const char *fit_words; /* "%s µs a step and %s µs a sample", or its constant ± %s; NULL: there is no law */
} LsExperiment;

#define LS_EXPERIMENT_EXTERN(name) extern const LsExperiment ls_experiment_##name;
LS_EXPERIMENTS (LS_EXPERIMENT_EXTERN)

const LsExperiment *const *ls_experiments (guint *n);
/* Those with one size, which stand first. */
const LsExperiment *const *ls_experiments_of_one_size (guint *n);
/* NULL: there is none of that name. */
const LsExperiment *ls_experiment_find (const char *name);
/* "batch 128", "batch 128, width 256", translated; (transfer full). */
char *ls_experiment_spot_text (const LsExperiment *experiment, LsLabSpot spot);
/* All of its spots (LsLabSpot), the coarse ones first; (transfer full). threads: how many each of the n lanes
 * has, 0 of one that is missing. */
GArray *ls_experiment_spots (const LsExperiment *experiment, const LsOptions *options, const guint *threads,
                             guint n);
/* Its own network's spot, as own() says; FALSE: it has none. */
gboolean ls_experiment_own (const LsExperiment *experiment, const LsOptions *options, LsLabSpot *spot);
static inline guint
ls_experiment_times (const LsExperiment *experiment)
{
  return experiment->times > 0 ? experiment->times : 1;
}
/* The options whose values its results depend on. experiment NULL: that all depend on: which lanes, and what
 * a lane may have of its own. */
gboolean ls_experiment_depends_on (const LsExperiment *experiment, const LsOption *option);

/* For sizes(): powers of two. */
guint ls_lab_powers (guint from, guint to, guint *sizes);
/* That one among them, where it isn't there; returns how many they are then. */
guint ls_lab_insert (guint *sizes, guint n, guint size);
/* The same sizes, coarse ones first: both ends, the middle, the middles between them, and so on. What was
 * broken off has points all over then. */
void ls_lab_coarse_first (guint *sizes, guint n);

G_END_DECLS
