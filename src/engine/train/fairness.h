/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * LsFairness: what makes the comparison of two lanes' rates fair, line by line: what both do alike, and what
 * one of them is denied. A line is a row of a table: who judges it, and which option makes it unfair on
 * purpose. A ratio of rates carries a mark wherever it is printed while a line is unfair; what isn't known is
 * never unfair.
 *
 * Pure: everything is in the pair, which is filled from a snapshot, a recording, or a list of lanes.
 */
#pragma once

#include "train/snapshot.h"

G_BEGIN_DECLS

typedef enum { LS_FAIR_YES, LS_FAIR_UNKNOWN, LS_FAIR_NO } LsFairState;

/* One of the two; what it points to is somebody else's. */
typedef struct {
  const char *name; /* "OpenCL (packed)" */
  LsBackendKind who;
  const LsBackend *backend;   /* NULL: not one of this program's */
  const LsDeviceInfo *device; /* NULL: not known yet */
  const LsOptions *options;   /* the lane's; NULL: not known */
  const LsTiling *heavy;      /* of the op with the most arithmetic; NULL: not known */
  LsFigure rate;
  double clock_mhz; /* of the processors, while the lane was at its steps; 0: not told */
} LsFairLane;

/* What the lane stores numbers in: "bf16", always the same pointer. */
static inline const char *
ls_fair_stored (const LsFairLane *lane)
{
  return ls_precision_name (lane->options != NULL ? (LsPrecision) lane->options->precision
                                                  : LS_PRECISION_FP32);
}

static inline gboolean
ls_fair_on_processor (const LsFairLane *lane)
{
  return lane->who == LS_BACKEND_CPU || lane->who == LS_BACKEND_REFERENCE
         || (lane->device != NULL && lane->device->shares_cpu);
}

typedef struct {
  LsFairLane lanes[2];
  guint batch;
  gboolean turns;
  guint sharing; /* lanes of the run that compute on the processor */
  guint warm_up; /* first steps that don't count */
  guint processors;
  double others; /* cores that other programs used; −1: not told */
} LsFairPair;

typedef struct {
  const char *name;  /* "threads": stable, used in files */
  const char *title; /* translatable */
  gint evidence;     /* LsEvidence, of what is judged; −1: a setting, which is told and needs none */
  LsFairState (*judge) (const LsFairPair *pair, char **words); /* *words: a sentence, (transfer full) */
  /* Options that make it unfair on purpose, and their values: the first that one of the lanes has. */
  struct {
    const char *option, *fair, *unfair;
  } switches[2];
} LsFairRow;

#define LS_FAIR_MAX 16

typedef struct {
  const LsFairRow *row;
  LsFairState state;
  char *words; /* a sentence, translated */
  /* The row's switch: NULL: it has none for these lanes. */
  const char *option, *fair, *unfair;
  guint side;        /* of the lane whose option it is */
  gboolean switched; /* it has the unfair value now */
} LsFairLine;

/* Immutable; a g_atomic_rc_box. */
typedef struct {
  guint n;
  LsFairLine lines[LS_FAIR_MAX];
  gboolean unfair; /* a line is */
} LsFairness;

const LsFairRow *ls_fair_rows (guint *n);
const char *ls_fair_state_name (LsFairState state); /* "fair": stable, used in files */

LsFairness *ls_fairness_new (const LsFairPair *pair);
LsFairness *ls_fairness_ref (LsFairness *self);
void ls_fairness_unref (LsFairness *self); /* may be NULL */
G_DEFINE_AUTOPTR_CLEANUP_FUNC (LsFairness, ls_fairness_unref)
/* self may be NULL: nothing is known. */
gboolean ls_fairness_is_unfair (const LsFairness *self);
/* What is unfair, one after the other: "threads, kernels", translated; NULL: nothing. (transfer full) */
char *ls_fairness_titles (const LsFairness *self);

/* fairness_facts.c: lanes a and b of the snapshot. */
void ls_fair_pair_of_snapshot (LsFairPair *pair, const LsSnapshot *snapshot, guint a, guint b);
/* Of the recording. specs: LsLaneSpec of its lanes, or NULL; their names and rates are the caller's to fill.
 */
void ls_fair_pair_of_recording (LsFairPair *pair, const LsRecording *recording, const GPtrArray *specs,
                                guint a, guint b);
/* Of two lanes of which only options are known, measured in turns on so many processors; 0: not told. */
void ls_fair_pair_of_specs (LsFairPair *pair, const LsLaneSpec *a, const LsLaneSpec *b, guint processors);
/* What was looked at goes into a recording's conditions, and what is of that lane alone. */
void ls_fair_note_load (LsRecording *recording, const LsMachineLoad *load);
void ls_fair_note_clock (LsRecording *recording, const char *id, double mhz);

G_END_DECLS
