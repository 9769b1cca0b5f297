/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * ls_layout_fault(), which the window has, too.
 */
#pragma once

#include "ui/paint/parts/view.h"
