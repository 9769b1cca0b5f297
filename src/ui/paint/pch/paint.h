/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Precompiled: what most files of this library include of others. Each file still includes what it uses;
 * ./dev test --clang builds without this.
 */
#include <gio/gio.h>
#include <math.h>
#include <pango/pangocairo.h>
#include <string.h>
