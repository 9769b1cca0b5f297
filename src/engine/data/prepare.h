/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What all loaders do with the samples that they have read: room within the limits, two classes at least, a
 * test set where there is none, values of one scale.
 */
#pragma once

#include "data/loader.h"

G_BEGIN_DECLS

/* So many samples of the set's shape and type are within the limits; LS_ERROR_DATA. */
gboolean ls_data_may (const LsDataset *set, gint64 n, const char *name, GError **error);
/* Room for n samples of the set's shape and type, whose n, samples and labels are set. LS_ERROR_DATA: beyond
 * the limits; LS_ERROR_MEMORY. name: the file's, for messages. */
gboolean ls_data_make_room (LsDataset *set, gint64 n, const char *name, GError **error);
/* Sample i's place. */
gpointer ls_dataset_sample (const LsDataset *set, gint64 i);
/* counts: n_classes */
void ls_data_count_classes (const LsDataset *set, gint n_classes, gint64 *counts);
/* Once data->train holds all that was read, and data->test too or nothing (n = 0): checks that there are at
 * least two classes and that the test set has no others; takes test_share of each class out of the training
 * set where there is no test set: which ones follows from the seed alone, their order stays. LS_ERROR_DATA.
 */
gboolean ls_data_finish (LsData *data, const LsDataRequest *request, const char *name, GError **error);
/* Chooses data->first. */
void ls_data_choose_first (LsData *data);
/* Of stored samples the chosen ones come into memory. */
gboolean ls_data_fetch_first (LsData *data, GError **error);
/* Of sets of floats: each value less the training part's mean and over its deviation; a NaN becomes the mean.
 * binary: for each value of a sample whether it is only filled in, not scaled; NULL: none. constant: for each
 * value whether it never varies, and so is 0; NULL. */
void ls_data_standardise (LsData *data, const gboolean *binary, gboolean *constant);

G_END_DECLS
