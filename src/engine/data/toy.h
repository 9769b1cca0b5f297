/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Toy sets: points of the plane that a person can see, and a small table, made from the seed. 2,000 for
 * training, 500 for testing, the classes in turn, so that sequential batches are balanced too. Coordinates
 * lie in about −1 … 1.
 */
#pragma once

#include "data/dataset.h"
#include "data/defaults.h"

G_BEGIN_DECLS

#define LS_TOY_TRAIN        2000
#define LS_TOY_TEST         500
#define LS_TOY_MAX_FEATURES 20

typedef struct {
  const char *name;  /* "spiral" */
  const char *title; /* translatable */
  gint n_classes;
  gint n_features; /* 2: of the plane */
  /* Writes the n_features coordinates of point number i, of class `label`, drawn from the seed. */
  void (*point) (guint64 seed, guint64 i, gint label, float *x);
  LsDataDefaults defaults;
} LsToy;

const LsToy *ls_toys (guint *n);
/* Fills train and test; they own their arrays. */
void ls_toy_make (const LsToy *toy, guint64 seed, LsDataset *train, LsDataset *test);

G_END_DECLS
