/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Played lanes: this test's program as its own workers, which measure nothing, but say times that anybody can
 * work out, so that what the laboratory makes of them can be held against numbers; and that write down what
 * they are asked, in the order of all of them.
 */
#pragma once

#include "lab/lanes.h"
#include "lab/worker.h"

/* What a step or product takes there, µs: of so many samples, or rows, by so many threads. Each run() tells
 * of three: this one, one a tenth shorter, and one that takes 1.3 times as long. */
double played_us (const char *lane, double amount, guint threads, guint tiles);
/* Of a recorded one, as many times as long, and its events. */
#define PLAYED_RECORDED 1.5
#define PLAYED_EVENTS   70
/* Threads of a lane that isn't asked for a number. */
#define PLAYED_THREADS 4

/* Of a step's time shares of .2, .3 and .25 are bound by memory; from the first three seeds .75, .5 and .875
 * of the test set are right. With this in the environment OpenCL's device is a graphics card, else this
 * processor.
 */
#define PLAYED_GPU "LOCKSTEP_PLAYED_GPU"

/* What main() does first; FALSE: it is a test's, else *status is the worker's. */
gboolean played_main (int argc, char **argv, int *status);

/* A new, empty book; the lanes say no to what begins with one of these lines (with “;” between them), and end
 * without an answer at those. Each is “LANE QUESTION WORDS…”, as in the book. */
void played_begin (const char *no, const char *ends);
/* All that was asked since played_begin(), line by line. (transfer full) */
char *played_book (void);
/* At its end nothing is left on disk. */
void played_end (void);

/* Lanes of that list, none of them started. */
void played_lanes (LsLabLanes *lanes, const char *list);

/* That is a rate of so many turns, of three times each, of which the middle one is us, and of such an amount
 * in each: its upper quarter is the shorter times'. Of one turn's three the quarters lie midway between them.
 */
void played_rate (const char *what, const LsFigure *rate, double amount, double us, guint turns,
                  const char *unit);
