/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What suits a data set where nothing else is asked for: a network that fits its samples and classes, and a
 * learning rate with which that network learns. Each data set's row has its own (toy.c, loader.h).
 * What was given is never changed.
 */
#pragma once

#include "core/options.h"

G_BEGIN_DECLS

#define LS_DEFAULT_LR_BATCH 128 /* of smaller batches the default learning rate follows the size */

typedef struct {
  const char *model; /* preset or spec */
  double lr;         /* of sgd, with batches of LS_DEFAULT_LR_BATCH and more */
  double adam_lr; /* of adam, whose steps are about as long as the rate whatever the gradient is, and so want
                     a smaller one */
  const char *batch;   /* of few samples; NULL: the option's own */
  gint64 steps;        /* of a run in the terminal; 0: an epoch */
  gint64 watch_epochs; /* of a run in the window, where `steps` is 0 */
  double watch_s;      /* what that run takes at watch pace */
  const char *word;    /* translatable: what it is called where people choose: "digits" */
  const char *about;   /* translatable: what is in it, in two words: "28×28" */
} LsDataDefaults;

/* what: as for ls_data_load(); a file or folder has its loader's, whose last layer its classes decide. */
const LsDataDefaults *ls_data_defaults (const char *what);
/* The learning rate that suits the options' data and optimizer with batches of LS_DEFAULT_LR_BATCH and
 * more. */
double ls_data_usual_lr (const LsOptions *options);
/* Steps of a run in the terminal: as given by options, else those of the data set's row, or an epoch. */
guint64 ls_data_run_steps (const LsOptions *options, guint64 steps_per_epoch);
/* Steps of a run in the window: as given by options, else those of the data set's row. */
guint64 ls_data_watch_steps (const LsOptions *options, guint64 steps_per_epoch);
/* Steps a second at watch pace, of the data set's row. */
double ls_data_watch_rate (const char *what, guint64 steps_per_epoch);
/* The network, the batch and the learning rate of options, where they weren't given, become those that suit
 * its data, optimizer and batch. n_classes, n_train (samples to train with): of a folder that has been read,
 * else 0; the batch is halved until there are samples for one. May be called again after each change. */
void ls_data_suggest (LsOptions *options, gint n_classes, gint64 n_train);

G_END_DECLS
