/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The session's part in the laboratory: see session_lab.c. For the dialog alone.
 */
#pragma once

#include "claims/claims.h"
#include "lab/result.h"
#include "machines/converted/converted.h"
#include "ui/app/session/session.h"

G_BEGIN_DECLS

/* What was measured before: with the run's lanes on this machine, or with a recording's where it was made. */
typedef struct {
  GPtrArray *finished, *broken_off; /* LsLabResult, in the table's order */
  GPtrArray *foreign; /* likewise: of another machine or version, where nothing else is finished */
  LsConverted *converted[LS_CONVERTED_N]; /* each may be NULL */
  char *unused; /* why files that are there can't be used: sentences, a line each; NULL: all can */
} LsSessionKept;

typedef struct {
  const LsExperiment *experiment; /* NULL: a claim is run: */
  const char *claim;              /* interned; NULL, too: the network is converted: */
  const char *converting;         /* what is being done, interned */
  LsLabSpot spot;                 /* x 0: none yet */
  guint done, n;                  /* spots; n == 0: the lanes are being opened */
  double seconds_left;
  char *words;         /* what is measured: "batch 128"; NULL: nothing yet */
  LsLabResult *result; /* so far; NULL: no lane is known yet */
  char *said;          /* what is missing or went wrong: sentences, a line each; "": nothing */
} LsSessionLab;

/* (transfer none); changes with "state". NULL: it is still being read. */
const LsSessionKept *ls_session_lab_kept (LsSession *self);
/* Something is being measured, by whoever. */
gboolean ls_session_lab_measures (LsSession *self);
/* The other way. */
void ls_session_lab_stop (LsSession *self);
/* NULL: there is none. */
LsLabResult *ls_session_lab_find (const GPtrArray *results, const LsExperiment *experiment);

/* Pauses the run and measures with its lanes; anew: from the first size on, whatever is kept. (transfer
 * full): for progress(), and to be let go of when it is done. */
GTask *ls_session_lab (LsSession *self, const LsExperiment *experiment, gboolean anew, GCancellable *cancel,
                       GAsyncReadyCallback done, gpointer data);
/* FALSE: it never began. */
gboolean ls_session_lab_progress (GTask *task, LsSessionLab *progress);
void ls_session_lab_clear (LsSessionLab *progress);
/* Training goes on if it did before. (transfer full); errors: ls_lab_run()'s; then, too. */
LsLabResult *ls_session_lab_finish (LsSession *self, GAsyncResult *result, GError **error);

/* The same for a claim; whatever is guessed is kept before. (transfer full) */
GTask *ls_session_claim (LsSession *self, LsClaim *claim, GCancellable *cancel, GAsyncReadyCallback done,
                         gpointer data);
/* FALSE: ls_claims_run()'s or ls_claims_keep()'s error. */
gboolean ls_session_claim_finish (LsSession *self, GAsyncResult *result, GError **error);
/* The same for the network, trained as the run is, in other numbers; what comes out is kept. */
GTask *ls_session_convert (LsSession *self, LsConvertedKind kind, GCancellable *cancel,
                           GAsyncReadyCallback done, gpointer data);
/* FALSE: ls_converted_run()'s or ls_converted_keep()'s error. */
gboolean ls_session_convert_finish (LsSession *self, GAsyncResult *result, GError **error);
/* (transfer none); NULL: they can't be read. */
LsClaims *ls_session_claims (LsSession *self);

G_END_DECLS
