/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a picture says: every number and every sentence about the lanes in it, as a value with the precision
 * in which it is printed, and what is true of the moment that the picture shows, counted from the lanes'
 * steps and from nothing that the picture is made of.
 */
#pragma once

#include "scenario.h"

typedef struct {
  LsNumber number;
  gint side;        /* −1: of both lanes */
  guint64 step;     /* of a loss, from 1, where that is said beside it; 0: it isn't */
  gboolean head;    /* not the label of a curve's end */
  double low, high; /* what is printed as this lies between; NAN: it is no number, or a dash */
  char *text;       /* a sentence that was broken into lines is one */
  char *where;      /* "race 960x600 light" */
} LsStated;

/* Adds what the picture that stays says to an array of LsStated, which has ls_stated_clear() as its clear
 * function. */
void ls_stated_collect (GArray *claims, const LsLayout *layout);
void ls_stated_clear (gpointer claim);
/* The first number in a text at or after *at, in digits and with the precision that they have; *at goes
 * behind it. */
gboolean ls_stated_number (const char **at, double *low, double *high);
/* "CPU", "OpenCL", "OpenCL on the CPU": the side of the lane that a text names first at or after *at, which
 * goes behind it; −1: none. */
gint ls_stated_lane (const char **at);

typedef struct {
  gboolean ran;   /* it has done a step, or one of it was recorded */
  gboolean works; /* it trains, or is played back */
  guint64 steps;
  guint64 n;           /* steps behind the rate, */
  guint64 first, end;  /* all among these */
  double rate, q1, q3; /* samples/s */
  gboolean stands;     /* they are enough */
  LsCurve *curve;      /* not owned; NULL: no steps */
  double accuracy;     /* NAN: none */
} LsLaneTruth;

typedef struct {
  LsLaneTruth lanes[LS_SIDES];
  guint64 common; /* steps that both have done; 0: there are no two lanes */
  gboolean ratio; /* both rates stand, on steps of the same turns: half of each stretch is the other's, too */
  gint faster;    /* the side with the higher median; −1: neither */
  gboolean overlap;      /* of the middle halves: no clear winner */
  guint64 losses_differ; /* steps in which they do */
  double delta_loss;     /* the largest difference of a step's losses */
  double delta_weights;  /* of any weight when they were compared last; NAN: they never were */
  gboolean beyond;       /* losses are farther apart than the tolerance, in the mean of its steps */
  gboolean disagree;
} LsTruth;

LsTruth ls_truth_of (const LsScenario *scenario);
/* Whether a loss printed so is that of the step, from 1. */
gboolean ls_truth_loss_at (const LsLaneTruth *lane, guint64 step, double low, double high);
