/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * LsEvaluation: what a lane predicted for every sample of the test set, once: the confusion of the classes
 * can be counted from it, and the samples that it was most wrong about are kept with their values, so that
 * they can be shown where the data aren't. Immutable once made, reference-counted.
 *
 * In a recording's file, all or none of them, as columns of lane N:
 *   lanes.N.exam.steps U64 [1] · lanes.N.exam.said, .labels U16 [samples]
 *   lanes.N.exam.worst.sample U32 · .confidence, .loss F32 (as many) · .values F32 [as many, sample's size]
 * or absent
 */
#pragma once

#include <glib.h>

#include "files/safetensors.h"

G_BEGIN_DECLS

#define LS_EVALUATION_WORST       16
#define LS_EVALUATION_MAX_SAMPLES (1 << 24)
#define LS_EVALUATION_MAX_CLASSES 65535
/* The worst ones' values are kept up to this many for each. */
#define LS_EVALUATION_MAX_VALUES (1 << 16)

typedef struct {
  guint32 sample;   /* of the test set, from 0 */
  float confidence; /* the probability of the class that was predicted, 0 … 1 */
  float loss;       /* −ln of the label's probability */
} LsMistake;

typedef struct {
  guint64 steps;    /* the weights were those after so many steps */
  guint n, n_right; /* samples */
  guint n_classes;
  guint16 *predicted, *labels; /* n */
  guint n_worst;
  LsMistake worst[LS_EVALUATION_WORST]; /* wrong ones, the greatest loss first */
  gint64 sample_size;
  float *values; /* n_worst × sample_size; NULL: samples are too large to be kept */
} LsEvaluation;  /* a g_atomic_rc_box */

/* With room for n samples, nothing predicted. NULL: there is no memory. */
LsEvaluation *ls_evaluation_new (guint n, guint n_classes, gint64 sample_size);
LsEvaluation *ls_evaluation_ref (LsEvaluation *evaluation);
void ls_evaluation_unref (LsEvaluation *evaluation);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (LsEvaluation, ls_evaluation_unref)

/* While it is being made: sample i is predicted to be `predicted`; a wrong one may be among the worst. */
void ls_evaluation_put (LsEvaluation *evaluation, guint i, guint predicted, guint label, float confidence,
                        float loss);
/* counts: n_classes × n_classes, label × predicted. */
void ls_evaluation_count (const LsEvaluation *evaluation, guint *counts);
/* Of how many samples the predictions differ; −1: they aren't of the same samples after as many
 * steps. */
gint64 ls_evaluation_differ (const LsEvaluation *a, const LsEvaluation *b);

/* Adds lane's columns; what the writer needs until it is saved goes into columns, freed with g_free(). */
void ls_evaluation_write (const LsEvaluation *evaluation, LsSafetensorsWriter *writer, guint lane,
                          GPtrArray *columns);
/* Lane's evaluation, if the file has one: then *evaluation is set, and *used grows by the columns that were
 * read. What doesn't hold is LS_ERROR_DATA. */
gboolean ls_evaluation_read (LsSafetensors *file, guint lane, gint n_classes, const gint64 in_shape[3],
                             LsEvaluation **evaluation, guint *used, GError **error);

G_END_DECLS
