/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * LsSweep: training steps under all combinations of values that were given for options of the table, on all
 * lanes, one combination after the other. What is wrong with it is said before anything is measured.
 */
#pragma once

#include "lab/lanes.h"

G_BEGIN_DECLS

#define LS_SWEEP_MOST 256 /* combinations */

typedef struct {
  const LsOption *option;
  char **values;
  guint n;
} LsSweepAxis;

typedef struct {
  LsFigure rate; /* samples/s; n == 0: a dash, and */
  char *why;     /* a sentence; NULL: it wasn't its turn yet */
  gint same;     /* measured with that combination, as nothing that the lane knows of differs; −1: itself */
} LsSweepCell;

typedef struct {
  LsOptions *options; /* of all that isn't varied */
  GPtrArray *specs;   /* LsLaneSpec */
  GArray *axes;       /* LsSweepAxis: the first one changes last */
  gint *n_classes;    /* of the data, by combination */
  gint64 *n_train;    /* their samples to train with; 0: named data's, which are many */
  guint n, done;      /* combinations */
  LsSweepCell *cells; /* specs->len for each */
} LsSweep;

/* vary: "batch=1,16,128": an option's name and values, with commas, or with semicolons where values have
 * commas; NULL-terminated. LS_ERROR_USAGE: a name or value is wrong, there are too many, or some combination
 * is no network that can be trained. */
LsSweep *ls_sweep_new (const LsOptions *options, const char *const *vary, GError **error);
void ls_sweep_free (LsSweep *sweep);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (LsSweep, ls_sweep_free)

const char *ls_sweep_value (const LsSweep *sweep, guint combination, guint axis);
/* "batch 16, kernel tiled"; (transfer full). */
char *ls_sweep_text (const LsSweep *sweep, guint combination);
static inline const LsSweepCell *
ls_sweep_cell (const LsSweep *sweep, guint combination, guint lane)
{
  return &sweep->cells[combination * sweep->specs->len + lane];
}

/* As if nothing had been measured. */
void ls_sweep_forget (LsSweep *sweep);

/* Before the combination `done` is measured, with how long all is still going to take, and after each. */
typedef void (*LsSweepHeard) (const LsSweep *sweep, gboolean before, double seconds_left, gpointer data);

/* From the combination `done` on. seconds: for all; each combination has at least some tenths.
 * LS_ERROR_DEVICE: nothing could be measured, or another program measures; LS_ERROR_CANCELLED. */
gboolean ls_sweep_run (LsSweep *sweep, double seconds, guint rounds, LsSweepHeard heard, gpointer data,
                       GCancellable *cancel, GError **error);

G_END_DECLS
