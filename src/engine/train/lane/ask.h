/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Asking the lanes about samples of one's own: a drawn digit, a sample of the test set, the points of a grid.
 * Each lane sends them through its own forward pass with the weights that it has then, between two turns or
 * while it rests; training isn't changed by it. Questions and answers are immutable and reference-counted.
 */
#pragma once

#include "data/dataset.h"
#include "model/plan.h"

G_BEGIN_DECLS

/* What the first sample of a question is. */
typedef enum {
  LS_ASKED_GRID, /* nothing to show: all of them are points of a grid */
  LS_ASKED_DRAWN,
  LS_ASKED_TEST, /* sample `number` of the test set */
} LsAsked;

typedef struct {
  LsAsked what;
  gint64 number; /* of the test set, from 0 */
  gint label;    /* −1: nobody knows */
  LsDataset set; /* the samples, as floats; labels are all 0 */
  gint64 grid; /* the last grid × grid samples are a grid's, row by row from −reach, reach to reach, −reach */
  double reach;
  gboolean layers; /* the first one's activations are wanted, too */
} LsQuestion;      /* a g_atomic_rc_box */

/* n samples of that shape, zero, for the caller to fill before anyone else sees them. NULL: there is no
 * memory. */
LsQuestion *ls_question_new (LsAsked what, gint64 n, const gint64 shape[3]);
LsQuestion *ls_question_ref (LsQuestion *question);
void ls_question_unref (LsQuestion *question);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (LsQuestion, ls_question_unref)
float *ls_question_sample (const LsQuestion *question, gint64 i);
/* Sample i of a data set as floats. */
void ls_question_copy (LsQuestion *question, gint64 to, const LsDataset *set, gint64 i);
/* The last grid × grid samples become the grid's points; samples have two values. */
void ls_question_set_grid (LsQuestion *question, gint64 grid, double reach);

/* What one lane says. */
typedef struct {
  LsQuestion *question;
  guint64 steps; /* with the weights after so many steps */
  guint64 took_ns;
  gint n_classes;
  float *probs;    /* of every sample, n × n_classes: the softmax of the logits, in double */
  guint n_tensors; /* of the plan */
  float **values;  /* the first sample's activations, by tensor; NULL where none is kept */
  gint64 *counts;  /* how many values each is */
} LsAnswer;        /* a g_atomic_rc_box */

LsAnswer *ls_answer_ref (LsAnswer *answer);
void ls_answer_unref (LsAnswer *answer);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (LsAnswer, ls_answer_unref)

G_END_DECLS
