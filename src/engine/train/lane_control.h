/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * LsLaneControl: a lane as the control thread sees it: where it is, and a struct for each of its concerns.
 */
#pragma once

#include "train/lane/lane.h"
#include "train/snapshot.h"

/* Where a lane is. */
typedef enum {
  LS_STAGE_NONE,    /* it has no thread: it isn't started yet, or the system grants none */
  LS_STAGE_CLOSING, /* it closes its device; then another lane is opened in its place */
  LS_STAGE_OPENING, /* looks for its device, and builds */
  LS_STAGE_OPEN,    /* waits for another lane's weights, which it is to go on with */
  LS_STAGE_LOADING, /* takes them over */
  LS_STAGE_FREE,    /* works, and is at no job */
  LS_STAGE_BUSY,    /* works, and is at one */
  LS_STAGE_FAILED,  /* parked with its message, and with its thread */
  LS_STAGE_HUNG,    /* left behind with its message; its thread isn't ours any more */
} LsLaneStage;

/* How a lane that comes is to begin; FIRST of all others. */
typedef enum {
  LS_ENTRY_FIRST,   /* with the first weights: the others wait for it */
  LS_ENTRY_JOINS,   /* opened anew: where another lane is then */
  LS_ENTRY_OVERDUE, /* the same, for it has taken so long that the others have gone on */
} LsLaneEntry;

typedef struct _LsPreparation LsPreparation;

/* The watchdog's. */
typedef struct {
  guint64 open_ns;     /* when the lane was told to open */
  guint64 posted_ns;   /* when it got its job, */
  guint64 expected_ns; /* how long that should take, */
  guint64 grace_ns;    /* for how long it is waited for while nothing is seen of it, */
  guint64 slow_ns;     /* and from when on the others don't wait for it */
  guint64 deadline_ns; /* of its job, or to close its device: it is left behind if it takes longer */
  guint build_done, build_total; /* what it had built when it got the job, or when the deadline last passed */
} LsLaneWatch;

/* The steps that it has done, and does. */
typedef struct {
  LsCurve *curve;
  guint64 start;      /* it began, or went on, after so many steps */
  guint turn;         /* steps that it is at; 0 if it trains none */
  guint32 turn_flags; /* LsPointFlags of them */
  LsLossScale scale;  /* after its newest step */
} LsLaneCourse;

typedef struct {
  gboolean configure; /* they have changed since its last configure, */
  gboolean affected;  /* and with them how it computes */
} LsLaneOptions;

typedef struct {
  float loss;
  double step_us;  /* of the newest step; 0 before the first */
  guint64 changed; /* after so many steps it began to compute as it does */
  LsFigure rate, step;
  LsCounted counted; /* by both */
  guint64 steps;     /* when they were made */
} LsLaneFigures;

typedef struct {
  double accuracy;
  guint64 step;
  GArray *all;          /* LsAccuracy; snapshots share it, so it is replaced, never changed; NULL: none */
  LsEvaluation *newest; /* or NULL */
} LsLaneEvaluations;

/* What it is asked by the owner. */
typedef struct {
  gboolean request;    /* the owner's has been done: */
  GArray *comparisons; /* what came of a comparison */
  LsAnswer *newest;    /* to the question before or the present one; NULL: none */
  guint64 number;      /* of the question that it has got */
} LsLaneAnswers;

/* Beside the other lanes. */
typedef struct {
  guint64 compared;         /* steps whose loss has been held against another lane's */
  guint64 counted;          /* of these, also of steps that it is to do once more, so many are told */
  double apart;             /* mean distance of the losses compared last */
  gboolean suspect;         /* from this step on it may disagree, if what follows doesn't prove that wrong: */
  guint64 suspect_step;     /* from 0, */
  guint suspect_lane;       /* with that lane, */
  double suspect_losses[2]; /* whose loss was the first of these */
  gboolean examined;        /* it has run a step op by op since the lanes were found to disagree */
  guint64 weights_step;     /* weights were read for comparison after so many steps */
  guint64 params_step; /* the lane's params are its weights after so many steps; LS_STEP_NONE: they are being
                          read, or weren't to the end */
} LsLaneChecks;

/* What is built for walks and recorded steps, and what is measured with them. */
typedef struct {
  LsPreparation *warm; /* is being built; NULL: nothing is */
  GHashTable *warmed;  /* has been built for these, by key; NULL: for none */
  gboolean measured;   /* its device's limits: roofs */
  LsFigure roofs[LS_ROOF_N];
} LsLaneWalks;

/* Edited ones. */
typedef struct {
  LsKernelFiles *files; /* that it is opened with; NULL: as the environment says */
  LsKernelFiles *next;  /* the newest set */
  guint64 next_ns;      /* when that came */
  LsPreparation *trial; /* of it; NULL: none is on */
  gboolean reload;      /* it is to be loaded before the next step */
  guint serial;         /* how many sets have come to an end, */
  double took_s;        /* how long the last of them took, */
  char *message;        /* and why it isn't used; NULL: it is */
} LsLaneKernels;

typedef struct {
  LsLaneSpec *spec;
  LsLane *lane;
  LsLaneStage stage;
  LsLaneEntry entry;
  LsLaneWatch watch;
  char *message;
  LsLaneFacts *facts;
  guint64 steps;
  LsLaneCourse course;
  LsLaneOptions options;
  LsLaneFigures figures;
  LsLaneEvaluations evaluations;
  LsLaneAnswers answers;
  LsLaneChecks checks;
  LsLaneWalks walks;
  LsLaneKernels kernels;
} LsLaneControl;

/* In a set of lanes. */
static inline guint
ls_control_bit (const LsLaneControl *control)
{
  return 1u << control->lane->number;
}

static inline gboolean
ls_control_working (const LsLaneControl *control)
{
  return control->stage == LS_STAGE_FREE || control->stage == LS_STAGE_BUSY;
}

static inline gboolean
ls_control_coming (const LsLaneControl *control)
{
  return control->stage >= LS_STAGE_CLOSING && control->stage <= LS_STAGE_LOADING;
}

/* Works, and has been at its job for so long that the others go on without it. */
static inline gboolean
ls_control_slow (const LsLaneControl *control)
{
  return control->stage == LS_STAGE_BUSY && ls_clock_ns () > control->watch.slow_ns;
}

/* The others wait for it. */
static inline gboolean
ls_control_awaited (const LsLaneControl *control)
{
  return ls_control_coming (control) && control->entry == LS_ENTRY_FIRST;
}

static inline gboolean
ls_control_at_job (const LsLaneControl *control)
{
  return control->stage == LS_STAGE_OPENING || control->stage == LS_STAGE_LOADING
         || control->stage == LS_STAGE_BUSY;
}

static inline gboolean
ls_control_stopped (const LsLaneControl *control)
{
  return !ls_control_working (control) && !ls_control_coming (control);
}
