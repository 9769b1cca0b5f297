/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Runs an experiment: size by size, coarse ones first, the lanes in turn at each. After every size the result
 * so far is kept on disk, so that it goes on there whenever it was ended, also by a kill or a crash.
 */
#pragma once

#include <gio/gio.h>

#include "lab/result.h"

G_BEGIN_DECLS

/* What is usual, so that what is kept can be gone on with whoever began it. */
#define LS_LAB_SECONDS 20
#define LS_LAB_ROUNDS  5

typedef struct {
  const LsExperiment *experiment;
  const LsOptions *options; /* which lanes, and what they have */
  guint seconds, rounds;    /* for all sizes; turns of a lane at each */
  gboolean anew;            /* don't go on where one was broken off */
  gboolean trains;          /* it is known that the options' network can be trained on their data */
} LsLabWish;

typedef struct {
  guint done, n;       /* spots; n == 0: the lanes are being opened */
  LsLabSpot spot;      /* being measured; x 0: none */
  double seconds_left; /* at most, as far as one knows */
  LsLabResult *result; /* so far; NULL: no lane is known yet */
  const char *said;    /* to be told beside that, a sentence; NULL: nothing */
  gboolean problem;    /* it is about something that is missing or went wrong */
} LsLabNews;

/* From the thread that runs it; what it points to is good during the call. */
typedef void (*LsLabHeard) (const LsLabNews *news, gpointer data);

/* Blocks; cancel may be NULL, and ends it within tenths of a second. (transfer full): whole. Errors:
 * LS_ERROR_USAGE (the list of lanes), LS_ERROR_DEVICE (no lane works, none could do anything, or another
 * program measures), LS_ERROR_CANCELLED. */
LsLabResult *ls_lab_run (const LsLabWish *wish, LsLabHeard heard, gpointer data, GCancellable *cancel,
                         GError **error);

G_END_DECLS
