/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What most files here include of other libraries, read once for all of them. Each file includes what it
 * needs nevertheless: clang builds without this.
 */
#include <gio/gio.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
