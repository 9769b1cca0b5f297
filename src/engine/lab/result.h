/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * LsLabResult: what an experiment gave, with all that its figures depend on: lanes, options, machine,
 * version, date. Immutable once others have it; an unfinished one is a smaller one, which a longer one takes
 * the place of. As a file it is a JSON object, format "lockstep-lab"; a recording has a list of them.
 */
#pragma once

#include "files/json.h"
#include "lab/experiment.h"
#include "train/lane_spec.h"

G_BEGIN_DECLS

#define LS_LAB_FORMAT  "lockstep-lab"
#define LS_LAB_VERSION 2 /* 1: without y, and with rates in samples/s alone */

/* Of the options those that its results depend on; all others are the table's defaults. (transfer full) */
LsOptions *ls_lab_options (const LsExperiment *experiment, const LsOptions *options);

typedef struct {
  double x;
  guint y;        /* of an experiment with two sizes; else 0 */
  LsFigure rate;  /* in the experiment's unit; of recorded steps where those are measured */
  LsFigure plain; /* then also of the steps between them; else n == 0 */
} LsLabPoint;

#define LS_LAB_MAX_WHY 500 /* characters */

/* A spot at which a lane has no point. */
typedef struct {
  LsLabSpot spot;
  char *why; /* a sentence, as the lane said it, in one line */
} LsLabMissing;

typedef struct {
  gint ref_count;
  const LsExperiment *experiment;
  LsOptions *options;               /* ls_lab_options() */
  GPtrArray *specs;                 /* LsLaneSpec, of these options */
  char *devices[LS_MAX_LANES];      /* in words; NULL: the lane wasn't there; */
  char *keys[LS_MAX_LANES];         /* the same, not translated: ls_lab_child_key() */
  GArray *points[LS_MAX_LANES];     /* LsLabPoint, by growing y and x */
  GPtrArray *missing[LS_MAX_LANES]; /* LsLabMissing */
  GArray *tried;                    /* LsLabSpot: those so far at which every lane has had its turn */
  guint n_sizes;                    /* of them there are in all */
  gboolean ended;                   /* its time was over: it is as whole as it was to be */
  guint seconds, rounds;            /* for all of it; turns of a lane at each size */
  gboolean busy;                    /* other programs took part */
  guint cores;                      /* that threads had for themselves; 0: not known */
  char *machine, *machine_key;      /* in words; as ls_machine_key() */
  gboolean foreign;                 /* on another machine, or by another version; not in files */
  char *date, *program;             /* of the newest point: "2026-11-21"; "Lockstep 0.1.0" */
} LsLabResult;

/* Of this program, today, on this machine; without points. NULL: the list of lanes is wrong (LS_ERROR_USAGE).
 */
LsLabResult *ls_lab_result_new (const LsExperiment *experiment, const LsOptions *options, GError **error);
/* For whoever goes on with it. (transfer full) */
LsLabResult *ls_lab_result_copy (const LsLabResult *result);
LsLabResult *ls_lab_result_ref (LsLabResult *result);
void ls_lab_result_unref (LsLabResult *result);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (LsLabResult, ls_lab_result_unref)

/* In its place; FALSE: the lane has a point there. */
gboolean ls_lab_result_add (LsLabResult *result, guint lane, const LsLabPoint *point);
/* why: as the lane said it: a compiler's log may have many lines. */
void ls_lab_result_add_missing (LsLabResult *result, guint lane, LsLabSpot spot, const char *why);
/* NULL: it has none there. */
const LsLabPoint *ls_lab_result_point (const LsLabResult *result, guint lane, LsLabSpot spot);
/* Why the lane has no point there; NULL: it has one, or nothing is known. */
const char *ls_lab_result_why (const LsLabResult *result, guint lane, LsLabSpot spot);
gboolean ls_lab_result_tried (const LsLabResult *result, LsLabSpot spot);
gboolean ls_lab_result_whole (const LsLabResult *result);
gboolean ls_lab_result_has_points (const LsLabResult *result);
/* Both have the same values of what the experiment's results depend on; experiment NULL: of what all do: they
 * are of the same lanes with the same options. */
gboolean ls_lab_options_alike (const LsExperiment *experiment, const LsOptions *a, const LsOptions *b);
/* Also on the same devices of the same machine, by the same version: one head can stand above both. */
gboolean ls_lab_result_goes_with (const LsLabResult *a, const LsLabResult *b);

/* (transfer full) */
json_t *ls_lab_result_to_json (const LsLabResult *result);
/* LS_ERROR_DATA: the first thing that is wrong, as a clause. */
LsLabResult *ls_lab_result_from_json (const json_t *json, GError **error);

/* Results as a list (LsLabResult, (transfer full)), from the text that a recording has of them; NULL:
 * LS_ERROR_DATA. */
GPtrArray *ls_lab_results_parse (const char *text, GError **error);
/* The other way; (transfer full); NULL: there are none. */
char *ls_lab_results_text (const GPtrArray *results);

/* "experiment,lane,x,y,rate,unit,q1,q3,n,plain_rate", a line per point of these results (LsLabResult),
 * numbers as everywhere in files; (transfer full). */
char *ls_lab_csv (const GPtrArray *results);

/* ---- fit.c ---- */

/* The experiment's law over n of a lane's points, from the one at `first` on. */
typedef struct {
  LsLawFit law; /* Amdahl's may have given its place to LS_LAW_SCALABILITY */
  guint first, n;
} LsLabFit;

/* FALSE: it has no law, or there are too few points for it; one that doesn't hold is told, too. */
gboolean ls_lab_fit (const LsLabResult *result, guint lane, LsLabFit *fit);
/* "61 µs a step and 2.3 µs a sample, at most 8 % off (derived)", or that it doesn't fit; translated;
 * (transfer full). */
char *ls_lab_fit_text (const LsLabResult *result, const LsLabFit *fit);

G_END_DECLS
