/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The settings of the run as they are kept from one start of the window to the next: a{ss}. No toolkit.
 */
#pragma once

#include "core/options.h"

G_BEGIN_DECLS

/* Those that were given. (floating) */
GVariant *ls_kept_options_new (const LsOptions *options);
/* What was kept goes into options, but not over what was given at this start; then what hangs on data and
 * batch follows. Kept by versions that knew no such following, they are what they were. */
void ls_kept_options_take (GVariant *kept, LsOptions *options);

G_END_DECLS
