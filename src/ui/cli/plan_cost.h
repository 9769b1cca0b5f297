/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * `lockstep plan --cost`: how long runs take here and on devices of the catalogue, what renting and owning
 * them costs, and what to do, in a sentence.
 */
#pragma once

#include <glib/gi18n.h>

#include "model/plan.h"
#include "ui/cli/command.h"

G_BEGIN_DECLS

/* Of a device of the catalogue; translatable. */
#define LS_NOT_TRAINED                                                                                       \
  N_("Networks aren’t trained on the like of the %s; “lockstep hardware” lists graphics cards.")

extern const LsCommandOption ls_plan_cost_options[]; /* up to one without a name */

/* Of --from: the recorded run's options, where they weren't given. */
gboolean ls_plan_cost_take (const LsArguments *arguments, LsOptions *options, GError **error);
/* devices: words for the catalogue, of several with commas; NULL or "": all. json: a file; NULL. */
gboolean ls_plan_cost_print (const LsArguments *arguments, const char *devices, const LsModel *model,
                             const LsData *data, const char *json, GError **error);

G_END_DECLS
