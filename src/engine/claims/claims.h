/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Sentences that are said of processors and graphics cards, held against what is measured here. A claim is
 * one text file, data/claims/NAME.claim: the sentence, where it was read, what it claims as a number, the
 * ways in which the same thing is done here, and which outcomes make it true.
 *
 *   LsClaims *claims = ls_claims_load (NULL, NULL, &error);       rows: claim, guess, kept result
 *   ls_claims_guess (claims, "fusion", 1.3, &error);              before it is run, and kept
 *   result = ls_claims_run (&wish, heard_cb, data, cancel, &error);
 *   ls_claims_keep (claims, result, &error);
 *
 * What is judged is an outcome: an expression over terms (expression.h), such as "time(cpu) / time(opencl)".
 * Nothing is ever measured by something else in its name: what a claim needs and isn't here leaves it
 * LS_CLAIM_NOT_MEASURABLE, with what the catalogue or another publication says beside it, marked so.
 *
 * All is immutable once others have it.
 */
#pragma once

#include "backends/backend.h"
#include "lab/lab.h"
#include "machines/hardware.h"

G_BEGIN_DECLS

#define LS_CLAIM_MAX_WAYS     LS_MAX_LANES
#define LS_CLAIM_MAX_OUTCOMES 8
#define LS_CLAIM_NO_ORDER     1000 /* after all that have one */

typedef enum {
  LS_CLAIM_NONE,           /* it hasn't been run */
  LS_CLAIM_TRUE,           /* all outcomes are */
  LS_CLAIM_HALF,           /* some are, or all lie between */
  LS_CLAIM_NOT_HERE,       /* none is */
  LS_CLAIM_OPEN,           /* the spread of what was measured allows more than one verdict */
  LS_CLAIM_NOT_MEASURABLE, /* what it needs isn't here, or what was to be measured failed */
  LS_CLAIM_N_VERDICTS,
} LsClaimVerdict;

/* What a claim is about, without which nothing here says anything of it. */
typedef enum {
  LS_CLAIM_NEEDS_NOTHING,
  LS_CLAIM_NEEDS_GPU,    /* an OpenCL device that isn't the processor itself */
  LS_CLAIM_NEEDS_GPUS,   /* several that train together: this program trains on one each */
  LS_CLAIM_NEEDS_MATRIX, /* units for products of matrices: OpenCL has no way to them */
  LS_CLAIM_N_NEEDS,
} LsClaimNeeds;

/* What is claimed; low == high: one number, else a range. */
typedef struct {
  double low, high;
  const char *unit; /* static: "×", "s", "ms", "µs", "%", "points", "h" */
  gboolean read_as; /* the sentence has no number: LsClaim.read_as says how it is read */
} LsClaimed;

/* From … to, both in it; −INFINITY or INFINITY: it has no such end; from > to: there is none. */
typedef struct {
  double from, to;
} LsClaimBand;

/* The same thing done in one of several ways. */
typedef struct {
  char *name;        /* "opencl-copies": as expressions call it */
  char *words;       /* "OpenCL with copies" */
  char *lane;        /* as --lanes takes it: "cpu(threads=1,cpu-kernels=naive)"; NULL: it isn't run, */
  LsFigure given;    /* but takes so long, s, modelled or published; else n == 0 */
  LsBackendKind who; /* of the lane */
  char *run;         /* a line of lab/step.h */
  guint steps;       /* that it trains for where its accuracy is asked for; 0: it isn't */
  guint bits;        /* in whole numbers of so many bits it answers, once it is trained; 0: in its floats */
} LsClaimWay;

typedef struct _LsClaimExpression LsClaimExpression; /* expression.h */

/* What is held against the claim. */
typedef struct {
  LsBackendKind who;         /* whose outcome it is; UNKNOWN: of both, as a ratio */
  char *words;               /* "OpenCL", "A100 over RTX 3090"; NULL: it is the only one */
  char *is;                  /* "time(cpu) / time(opencl)" */
  LsClaimExpression *parsed; /* that */
  LsHardwareSource *source;  /* of a published number in it; NULL: there is none */
  char *quote;               /* the words that say it */
} LsClaimOutcome;

typedef struct {
  gint ref_count;
  char *name;     /* of its file: "fusion" */
  guint order;    /* its place in a course of them; LS_CLAIM_NO_ORDER: it says none */
  char *sentence; /* in the user's language where the file has it, as all texts */
  char *read_as;  /* "over half of the step"; NULL: it has a number */
  LsHardwareSource *source;
  char *quote;      /* the words that were seen there, in their language */
  gboolean nearest; /* they aren't the sentence's own, but come nearest to it of all that were found in print
                     */
  LsClaimed claimed;
  LsClaimWay *ways; /* in the order in which they are shown, the slowest first */
  guint n_ways;
  char *ways_title;         /* "The same product, seven ways"; NULL: there is nothing to be said of them */
  LsClaimOutcome *outcomes; /* one at least */
  guint n_outcomes;
  LsClaimOutcome *instead; /* what is published or modelled where what it needs isn't here */
  guint n_instead;
  LsClaimBand truth, half; /* in the claim's unit: an outcome in them is true, half true */
  LsClaimNeeds needs;
  char *notes[LS_CLAIM_N_VERDICTS]; /* the line under a verdict; of NONE: under any without its own; NULL */
  char *would;                      /* what would make it true; NULL: nothing is said of that */
  LsEvidence would_evidence;
  char *would_here;         /* "here a compiled loop needs {} ns": {} is the result's `would`; NULL */
  LsClaimOutcome would_is;  /* that number; parsed NULL: there is none */
  const char *would_unit;   /* its unit, static */
  LsClaimBand would_within; /* where that number lies in it, the claim is true of what was measured for it;
                             * from > to: nothing is said of that */
  char *would_note;         /* that, in words, in the place of the verdict's note; NULL */
  char *digest;             /* of all that a result depends on; not of words */
} LsClaim;

LsClaim *ls_claim_ref (LsClaim *claim);
void ls_claim_unref (LsClaim *claim);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (LsClaim, ls_claim_unref)

/* One file. LS_ERROR_FILE; LS_ERROR_DATA with the line and the reason. */
LsClaim *ls_claim_load (const char *path, GError **error);
/* The same, whatever the file is called. */
LsClaim *ls_claim_load_as (const char *path, const char *name, GError **error);

/* ---- what came out ---- */

typedef struct {
  LsBackendKind who;
  char *words;           /* the outcome's, or who; NULL: it is the only one */
  LsFigure figure;       /* in the claim's unit; n == 0: there is none, */
  char *why;             /* a sentence then */
  LsClaimVerdict judged; /* TRUE, HALF, NOT_HERE or OPEN by itself; NONE: there is no figure */
  double low, high;      /* that was judged: its middle half, and as far as another run's median may lie */
  gboolean stand_in;     /* of another device than the claim is about: shown, but it decides nothing */
  gboolean instead;      /* published or modelled in the place of what isn't here */
} LsClaimFinding;

typedef struct {
  LsFigure time; /* s, of doing it once: the median of its turns' medians; n == 0: it wasn't measured, */
  char *why;     /* a sentence then, in the lane's own words; NULL: it wasn't asked for */
  char *device;  /* in words; NULL: it isn't run */
  char *how;     /* "packed 4×4": what computed a single op; NULL */
} LsClaimWayTime;

typedef struct {
  gint ref_count;
  char *name, *digest; /* the claim's */
  LsClaimVerdict verdict;
  LsClaimFinding *findings; /* of outcomes, then of `instead` where they were needed */
  guint n_findings;
  LsClaimWayTime *ways; /* of claim->ways */
  guint n_ways;
  LsFigure would;              /* of would_is; n == 0: none */
  char *why;                   /* NOT_MEASURABLE: a sentence; NULL */
  double seconds;              /* that were to be measured for */
  guint rounds;                /* turns of each way, at most */
  gboolean busy;               /* other programs took part */
  char *date;                  /* "2026-11-24T05:12Z" */
  char *machine, *machine_key; /* in words; as ls_machine_key() */
  char *program;               /* "Lockstep 0.1.0" */
} LsClaimResult;

LsClaimResult *ls_claim_result_ref (LsClaimResult *result);
void ls_claim_result_unref (LsClaimResult *result);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (LsClaimResult, ls_claim_result_unref)

/* ---- the list ---- */

typedef struct {
  LsClaim *claim;
  gboolean guessed;      /* somebody said, before it was run: */
  double guess;          /* in the claim's unit, */
  char *guess_date;      /* "2026-11-24T05:09Z"; NULL */
  LsClaimResult *result; /* the newest of this machine and version; NULL: there is none */
} LsClaimRow;

typedef struct {
  gint ref_count;
  guint n;
  LsClaimRow *rows; /* by the claims' order, then by their names */
} LsClaims;

LsClaims *ls_claims_ref (LsClaims *claims);
void ls_claims_unref (LsClaims *claims);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (LsClaims, ls_claims_unref)

/* All claims of a folder, with what is kept of them. dir NULL: those that are shipped. said (char *), which
 * may be NULL: sentences about files of claims, or of what is kept, that can't be used; the other claims are
 * there. NULL: there is no such folder, or no claim in it that can be used. LS_ERROR_FILE, LS_ERROR_DATA. */
LsClaims *ls_claims_load (const char *dir, GPtrArray *said, GError **error);
/* NULL: there is none of that name. */
const LsClaimRow *ls_claims_find (const LsClaims *claims, const char *name);

/* A guess is made before the claim is run, and is kept with what comes out. Until then another one takes its
 * place; once there is a result, none does, nor is one taken that comes after it: ls_claims_forget() removes
 * both. Returns the list with it, (transfer full); `claims` stays as it is. LS_ERROR_USAGE: it isn't a number
 * of that claim's kind, or comes too late; LS_ERROR_FILE: it can't be kept. */
LsClaims *ls_claims_guess (LsClaims *claims, const char *name, double guess, GError **error);
/* A result takes the place of the one before; the guess stays. NULL: LS_ERROR_FILE. */
LsClaims *ls_claims_keep (LsClaims *claims, LsClaimResult *result, GError **error);
LsClaims *ls_claims_forget (LsClaims *claims, const char *name, GError **error);
/* The list with that one's guess and result as `other` has them, which was made of an earlier state of it.
 * (transfer full) */
LsClaims *ls_claims_with (const LsClaims *claims, const LsClaims *other, const char *name);

/* ---- running ---- */

#define LS_CLAIM_SECONDS 10
#define LS_CLAIM_ROUNDS  10
#define LS_CLAIMS_LIMIT  300 /* s, of all claims that are run in one go, with all that isn't measuring */

typedef struct {
  LsClaim *claim;
  double seconds;           /* of measuring, for all ways together */
  guint rounds;             /* turns of each way */
  const LsOptions *options; /* what no way says itself: device, seed */
  LsCatalogue *catalogue;   /* NULL: the one that is shipped */
  double limit;             /* s: what hasn't come to an outcome by then is given up; 0: there is no limit */
} LsClaimWish;

/* How long the next of n claims is measured, s: `asked`, or its share of the time that is left for all of
 * them, less what each takes beside its measuring; not under a second. 0: no time is left. */
double ls_claims_seconds (double left, guint n, double asked, double beside);

/* Blocks; on any thread. news->done and n are turns; cancel may be NULL, and ends it within tenths of a
 * second. A way that can't be measured is no error. (transfer full); LS_ERROR_DEVICE: another program
 * measures; LS_ERROR_CANCELLED, also when the limit is over. */
LsClaimResult *ls_claims_run (const LsClaimWish *wish, LsLabHeard heard, gpointer data, GCancellable *cancel,
                              GError **error);

/* ---- in words, translated; all (transfer full) ---- */

const char *ls_claim_verdict_name (LsClaimVerdict verdict); /* "not-here": stable, used in files */
/* "True: 6.0 times", "Not here: 2270 times less", "Half true: OpenCL yes, CPU no", "Not measurable here";
 * result NULL: "Not run yet". */
char *ls_claim_verdict_text (const LsClaim *claim, const LsClaimResult *result);
/* The line under it; NULL: there is nothing to say. */
char *ls_claim_note_text (const LsClaim *claim, const LsClaimResult *result);
/* The same without the reason, where something stands in the place of what couldn't be measured: "Published:
 * 8.00×, A100."; of several from the least to the most: "Modelled: 301× to 895×. Published: 6.00× to 246×."
 */
char *ls_claim_note_brief (const LsClaim *claim, const LsClaimResult *result);
/* "4.40 ms", "1.5×", "69 %": of a figure or a guess of that claim. */
char *ls_claim_number_text (const LsClaim *claim, double value);
/* The same with no more figures than it has: "4.4 ms", "6×". */
char *ls_claim_guess_text (const LsClaim *claim, double value);
/* "10–100×", "10 s", "over 50 %". */
char *ls_claim_claimed_text (const LsClaim *claim);
/* How it is run here, line by line; NULL-terminated. times: with what each way took. */
char **ls_claim_how_text (const LsClaim *claim, const LsClaimRow *row, gboolean times);
/* "true from 10×", … : what decides; one line. */
char *ls_claim_thresholds_text (const LsClaim *claim);
/* would_here with its number; NULL: it has none. */
char *ls_claim_would_text (const LsClaim *claim, const LsClaimResult *result);
/* "16 claims: 2 true, 3 half true, 1 not run yet.": each verdict that there is. */
char *ls_claims_counts_text (const LsClaims *claims);
/* The title of where it was read, or of what comes nearest to it. */
char *ls_claim_source_title (const LsClaim *claim);
/* The same as short as it can be told: "feeddi.com", "nearest in print: freeacademy.ai". */
char *ls_claim_source_brief (const LsClaim *claim);
/* "no GPU here: the OpenCL device is this processor": why a need isn't met. static, translated. */
const char *ls_claim_needs_text (LsClaimNeeds needs);

/* Where an outcome's figures were read: the published one's source, then those of the catalogue's figures,
 * each once: LsHardwareSource, of the claim and the catalogue. catalogue: NULL: it can't be read. (transfer
 * container) */
GPtrArray *ls_claim_outcome_sources (const LsClaimOutcome *outcome, const LsCatalogue *catalogue);

/* A figure or guess as a share of what is claimed, for one scale for all claims: 1 is as claimed, or the
 * range's lower end. 0: it can't be told. */
double ls_claim_share (const LsClaim *claim, double value);

G_END_DECLS
