/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Planner's inner parts: what is asked, what is known of the run for it, the answer with the figures that it
 * rests on, what a step takes in memory, and what renting and owning cost by the month.
 */
#pragma once

#include "machines/fit.h"
#include "machines/guide/guide.h"
#include "ui/paint/parts/view.h"

G_BEGIN_DECLS

#define LS_PLANNER_CHEAPEST                                                                                  \
  0 /* of the cards: whichever does it at least cost; else from 1, as the catalogue has them */
#define LS_PLANNER_NONE (-1)

/* The view's own part of a query. */
typedef struct {
  guint train, often, months; /* choices of the three questions */
  guint optimizer, precision; /* 0: the run's own; else from 1, as LsOptimizer and LsPrecision have them */
  guint card;                 /* LS_PLANNER_CHEAPEST, or the number of one that networks are trained on */
  gint picked;                /* a figure; LS_PLANNER_NONE */
  guint price;               /* whose price it is, LsPriceKind from 1: others may come before it; 0: none's */
  gboolean said[LS_PRICE_N]; /* another price than the published one: */
  double prices[LS_PRICE_N];
  char said_on[LS_PRICE_N][11]; /* the day on which it was said, "2026-11-25"; "": not told */
} LsPlannerState;

/* What the answer rests on: said in a few words, and where it is from. */
typedef struct {
  LsEvidence evidence;
  char *text, *told;
  const LsHardwareSource *source; /* NULL: it has no page */
  gint price;                     /* LsPriceKind that ↑ and ↓ change; −1: none */
  LsArea area;                    /* where it stands; w 0: it has no room */
  LsArea up, down;                /* a click there changes the price; w 0: it isn't picked, or has none */
} LsPlannerFigure;

#define LS_PLANNER_MAX_ROWS 6

/* A batch's estimate. */
typedef struct {
  guint batch;
  LsStepMemory memory;
} LsPlannerRow;

typedef struct {
  LsLayout *layout;
  const LsPlannerState *asked;
  LsModel *model; /* owned; NULL: the network isn't known */
  LsFit fit;
  LsOptimizer optimizer;
  guint batch;               /* that is asked for */
  gboolean field;            /* a lecture's sums are, and no network's */
  LsOptimizer own_optimizer; /* the run's own */
  LsPlan *plan;              /* of it; NULL: larger than any */
  guint side;                /* of the lane whose memory is estimated: OpenCL's */
  LsGuide guide;
  LsAdvice advice;
  gboolean data_known; /* how large the data set is on the device */
  guint n_rows;
  LsPlannerRow rows[LS_PLANNER_MAX_ROWS];
  GArray *figures; /* LsPlannerFigure */
  LsArea card;     /* a click here goes to the next card; w 0: nowhere */
} LsPlanner;

/* planner_state.c */
const char *ls_planner_train_word (guint i); /* NULL from the last one on; likewise: */
const char *ls_planner_often_word (guint i);
const char *ls_planner_months_word (guint i);
/* Of optimizer and precision together, and alone. */
const char *ls_planner_step_word (guint i);
void ls_planner_choose_step (LsPlannerState *state, guint i);
const char *ls_planner_optimizer_word (guint i);
const char *ls_planner_precision_word (guint i);
/* How many cards there are to choose from, and the i-th, from 1; NULL: there is none. */
guint ls_planner_n_cards (const LsCatalogue *catalogue);
const LsHardware *ls_planner_card (const LsCatalogue *catalogue, guint i);
/* Everything that is derived and modelled, from data and state alone. */
void ls_planner_open (LsPlanner *p, LsLayout *layout);
void ls_planner_close (LsPlanner *p);
/* A price stays picked where another one of it, or what became known of the run, has brought figures before
 * it, or taken some. */
void ls_planner_follow (const LsPlanner *p, LsPlannerState *state);
/* A step is asked for that the lane on that side did: with its own precision, and the run's optimizer. */
gboolean ls_planner_is_own (const LsPlanner *p, guint side);
/* What the lane on that side has allocated of the run's own step; FALSE: the recording doesn't say. */
gboolean ls_planner_allocated (const LsPlanner *p, guint side, LsStepMemory *memory);

/* planner_words.c: the sentence and the figures under it; returns the lower end. */
double ls_planner_answer (LsPlanner *p, LsArea area);
void ls_planner_figures (LsPlanner *p); /* fills them */
void ls_planner_figure_clear (gpointer figure);
/* Whether renting and owning are held against each other: not where a GPU is the wrong answer, nor where one
 * card may not be enough. */
gboolean ls_planner_compares (const LsPlanner *p);
/* "12.0 GB", "59.4 MB". (transfer full) */
char *ls_planner_bytes (double bytes);
/* Its name without its maker's. */
const char *ls_planner_short (const LsHardware *device);
/* "1 599 USD", "98.5 USD". (transfer full) */
char *ls_planner_money (const LsPlanner *p, double value);

/* planner_fit.c, planner_pay.c */
void ls_planner_fit (LsPlanner *p, LsArea area);
void ls_planner_pay (LsPlanner *p, LsArea area);
/* The nearest miss, in a sentence. (transfer full); NULL: nothing is known. */
char *ls_planner_miss (const LsPlanner *p);

G_END_DECLS
