/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Test data: what lanes would have said of the test set and of samples of the user's, invented.
 */
#pragma once

#include "fixture.h"
#include "ui/paint/data/strokes.h"

#define ASKED_TESTS 1000

/* Both lanes: sample i of ASKED_TESTS is labelled i % classes, and every eleventh said to be the next class;
 * the right lane says otherwise of sample 5. Before any data are made of the recording. */
void asked_add_evaluations (LsRecording *recording);
/* A recorded batch of 32 samples of that net, NULL: a perceptron, with those evaluations; toy: of points. */
LsViewData *asked_data (const char *model, gboolean toy);
/* Both lanes have answered: the recorded sample's activations, and probabilities that name class `said`.
 * grid: 0, or so many points to a side of the plane, left of it class 0, right of it 1. */
void asked_add_answers (LsViewData *data, LsAsked what, gint64 number, gint said, gint64 grid);
/* Two strokes. */
void asked_scribble (LsStrokes *strokes);
