/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * LsTrained: the trained network that is converted, with what the CPU lane's floats make of the samples on
 * which it is tried. The lane is gone once it is made.
 */
#pragma once

#include "data/dataset.h"
#include "machines/converted/converted.h"

G_BEGIN_DECLS

/* Who hears how far it is, and who ends it. */
typedef struct {
  LsConvertedHeard heard; /* or NULL */
  gpointer data;
  GCancellable *cancel; /* or NULL */
} LsConvertedEar;

/* FALSE: it is cancelled; LS_ERROR_CANCELLED. */
gboolean ls_converted_tell (const LsConvertedEar *ear, guint done, guint total, const char *words,
                            GError **error);

typedef struct {
  LsOptions *options; /* with what suits the data */
  LsData *data;
  LsPlan *plan;
  float **weights; /* plan->n_params */
  LsNet *net;
  guint64 steps; /* that it was trained for; 0: its weights were loaded */
  guint calibration, n_samples;
  guint32 *answers; /* n_samples, of the first samples of the test set */
} LsTrained;

LsTrained *ls_trained_new (const LsConvertedWish *wish, const LsConvertedEar *ear, GError **error);
void ls_trained_free (LsTrained *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (LsTrained, ls_trained_free)

/* The values of a sample of the test set, as the network reads them. LS_ERROR_FILE. */
gboolean ls_trained_sample (const LsTrained *self, gint64 i, float *values, GError **error);

G_END_DECLS
