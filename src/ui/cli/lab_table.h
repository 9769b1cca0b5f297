/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A result of the laboratory on the terminal: a line for each size, or a map; fits, and what it depends on.
 */
#pragma once

#include "lab/result.h"

G_BEGIN_DECLS

/* options: of the network whose spot in a map is told, where the result is of the same. */
void ls_lab_print (const LsLabResult *result, const LsOptions *options);

G_END_DECLS
