/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Toy sets: points of the plane that a person can see, made from the seed. 2,000 for training, 500 for testing, the
 * classes in turn, so that sequential batches are balanced too. Coordinates lie in about −1 … 1.
 */
#pragma once

#include "data/dataset.h"

G_BEGIN_DECLS

#define LS_TOY_TRAIN 2000
#define LS_TOY_TEST  500

typedef struct {
  const char *name;       /* "spiral" */
  const char *title;      /* translatable */
  gint n_classes;
  /* Writes point number i, of class `label`, drawn from the seed. */
  void (*point) (guint64 seed, guint64 i, gint label, float xy[2]);
} LsToy;

const LsToy *ls_toys (guint *n);
/* Fills train and test; they own their arrays. */
void ls_toy_make (const LsToy *toy, guint64 seed, LsDataset *train, LsDataset *test);

G_END_DECLS
