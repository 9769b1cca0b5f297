/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/error.h"

G_DEFINE_QUARK (ls - error - quark, ls_error)
