/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Where something was read, in files that people write by hand.
 */
#pragma once

#include "files/json.h"
#include "machines/hardware.h"

G_BEGIN_DECLS

/* Of an object with title, address, the day it was seen, and what else LsHardwareSource may have; its id
 * stays as it is. FALSE: LS_ERROR_DATA, a clause; *source may be filled in part then. */
gboolean ls_source_read (json_t *object, LsHardwareSource *source, GError **error);
void ls_source_free (LsHardwareSource *source);

G_END_DECLS
