/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What must hold of every layout: nothing overlaps, nothing is outside, no type is too small.
 */
#pragma once

#include "ui/paint/view.h"

/* NULL, or the first thing that is wrong, in words. (transfer full) */
char *ls_layout_fault (const LsLayout *layout);
