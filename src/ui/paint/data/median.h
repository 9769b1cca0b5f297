/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* The value that would be in place n / 2 if the n > 0 finite values were sorted: Hoare's selection, in linear
 * time on the whole. Changes their order. */
double ls_median (double *values, guint n);

G_END_DECLS
