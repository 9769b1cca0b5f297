/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * LsSettingsWish: the options of the run that is on beside those that are wished for the next one, and what
 * follows: which differ, whether network, data and batch go together, and whether the lanes can be. No
 * toolkit.
 */
#pragma once

#include "core/options.h"

G_BEGIN_DECLS

typedef struct {
  LsOptions *running, *options;
  /* Of the last folder that was read. */
  char *shape_of;
  gint64 shape[3];
  gint n_classes;
  gint64 n_train; /* samples to train with; 0: not known */
} LsSettingsWish;

void ls_settings_wish_init (LsSettingsWish *wish);
void ls_settings_wish_clear (LsSettingsWish *wish);
/* Nothing else is wished. Copies; may be one of its own. */
void ls_settings_wish_set_running (LsSettingsWish *wish, const LsOptions *options);
/* The run goes on with these: what is another by it is wished, too; all else that is wished stays. */
void ls_settings_wish_change_running (LsSettingsWish *wish, const LsOptions *options);
void ls_settings_wish_set_shape (LsSettingsWish *wish, const char *what, const gint64 shape[3],
                                 gint n_classes, gint64 n_train);
/* Of the wished data. FALSE: not known before they are read. */
gboolean ls_settings_wish_shape (const LsSettingsWish *wish, gint64 shape[3], gint *n_classes);
gboolean ls_settings_wish_is_other (const LsSettingsWish *wish, const LsOption *option);
/* FALSE: there can be no such run; one sentence says why: network, data and batch don't go together; the list
 * of lanes is wrong. */
gboolean ls_settings_wish_check (const LsSettingsWish *wish, GError **error);
gboolean ls_settings_wish_check_lanes (const LsSettingsWish *wish, GError **error);
/* Data or batch are others: network and learning rate that nobody gave become what suits them
 * (data/defaults.h). Where the data are others, the last layer of a network that was given gets one unit for
 * each class. */
void ls_settings_wish_follow (LsSettingsWish *wish, gboolean other_data);

G_END_DECLS
