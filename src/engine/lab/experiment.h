/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * LsExperiment: how the lanes' rates grow with one size. A row says which sizes, which step is measured at
 * one, and how; measure.c does it the same way for all. Which lanes is the options' list (--lanes), so that
 * whatever can be a lane can be measured against whatever else. A new experiment is a file with a row, and
 * its name in LS_EXPERIMENTS.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define LS_LAB_MAX_SIZES 32

/* clang-format off */
#define LS_EXPERIMENTS(ROW) ROW (batch) ROW (width) ROW (threads) ROW (events)
/* clang-format on */

/* How a step's time follows from the size x, in µs: two constants, of least squares of the relative errors.
 */
typedef enum {
  LS_FIT_NONE,
  LS_FIT_LINEAR,  /* fixed + each·x */
  LS_FIT_INVERSE, /* fixed + each/x */
} LsFitKind;

/* What is measured at a size. */
typedef struct {
  char *spec;         /* the step (step.h), of g_malloc() */
  guint batch;        /* samples in it */
  guint threads;      /* of every lane, which is opened anew for that; 0: as the lanes' options say */
  const char *option; /* of CPU lanes, set to the size; NULL: none */
  gboolean recorded;  /* recorded steps in turn with plain ones; x is a recorded step's events */
} LsLabPlan;

typedef struct {
  const char *name;    /* "batch": stable, used in files */
  const char *title;   /* translatable, as the others: "Batch" */
  const char *about;   /* a sentence for the list */
  const char *column;  /* "batch": a column's head, and before a size: "batch 128" */
  const char *axis;    /* "samples in a step" */
  const char *network; /* "mlp 784-N-N-10, batch 128": what else there is to know of it; not translated */
  /* By growing size, at most LS_LAB_MAX_SIZES; returns how many. threads: that the lanes have at most. */
  guint (*sizes) (guint threads, guint *sizes);
  void (*plan) (guint size, LsLabPlan *plan);
  LsFitKind fit;
  const char *fit_words; /* "%s µs a step and %s µs a sample"; NULL where nothing is fitted */
} LsExperiment;

#define LS_EXPERIMENT_EXTERN(name) extern const LsExperiment ls_experiment_##name;
LS_EXPERIMENTS (LS_EXPERIMENT_EXTERN)

const LsExperiment *const *ls_experiments (guint *n);
/* NULL: there is none of that name. */
const LsExperiment *ls_experiment_find (const char *name);
/* "batch 128", translated; (transfer full). */
char *ls_experiment_point_text (const LsExperiment *experiment, guint size);

/* For sizes(): powers of two. */
guint ls_lab_powers (guint from, guint to, guint *sizes);
/* The same sizes, coarse ones first: both ends, the middle, the middles between them, and so on. What was
 * broken off has points all over then. */
void ls_lab_coarse_first (guint *sizes, guint n);

G_END_DECLS
