/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What stands behind a number in a lane's head: which mark was pointed at, and for it how the number was
 * made, when, from how many samples, with which spread, by which clock, and every sample.
 */
#pragma once

#include "ui/paint/parts/view.h"

G_BEGIN_DECLS

typedef struct {
  gint side; /* −1: of both lanes together */
  LsNumber number;
  guint op;          /* LS_NUMBER_OP: which */
  double x, y, w, h; /* of the mark */
} LsEvidenceHit;

typedef struct {
  char *title;      /* "CPU: samples per second" */
  GPtrArray *facts; /* char *: name, value, name, value … */
  GArray *samples;  /* double, in the unit; empty where there is just one value */
  const char *unit; /* of the samples, translated */
  LsEvidence evidence;
} LsEvidenceFacts;

/* The mark at that point, or the nearest within 24 px. */
gboolean ls_layout_evidence (const LsLayout *layout, double x, double y, LsEvidenceHit *hit);

LsEvidenceFacts *ls_evidence_facts (const LsViewData *data, gint side, LsNumber number);
/* Of an op's time in that lane, over n recorded steps of the run where there are several; else over the op's
 * own pieces. */
LsEvidenceFacts *ls_evidence_op_facts (const LsViewData *data, gint side, guint op, LsRecording *const *steps,
                                       guint n);
/* A line more; value: (transfer full); and whose clock the lane's times are told by. */
void ls_evidence_add (LsEvidenceFacts *facts, const char *name, char *value);
void ls_evidence_clock (LsEvidenceFacts *facts, const LsViewLane *lane);
void ls_evidence_facts_free (LsEvidenceFacts *facts);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (LsEvidenceFacts, ls_evidence_facts_free)
/* Each so many of the samples is a dot. */
guint ls_evidence_stride (const LsEvidenceFacts *facts);
/* The samples as dots over a scale, median and middle half marked; fills the scene. */
void ls_evidence_plot (const LsEvidenceFacts *facts, LsScene *scene, double width, double height);

G_END_DECLS
