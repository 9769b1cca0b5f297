/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How many rows of a convolution's result the CPU lane makes from one image at a time, so that what it copies
 * of the image stays in the cache. The backend computes by it, and Tiles draws it.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define LS_STRIP_FLOATS (64 * 1024) /* 256 KiB: half of the smallest second-level cache in use */

/* By way of columns: kernel × kernel × channels of them for each of the row's out_width outputs. */
static inline gint64
ls_strip_of_columns (gint64 channels, gint64 kernel, gint64 out_width, gint64 out_height)
{
  return CLAMP (LS_STRIP_FLOATS / (channels * kernel * kernel * out_width), 1, out_height);
}

/* Of a picture, which has `kernel` planes for each channel; outputs: of the gradient towards the weights,
 * which reads as many planes of dY; 0: of none. */
static inline gint64
ls_strip_of_picture (gint64 channels, gint64 kernel, gint64 out_width, gint64 outputs, gint64 out_height)
{
  const gint64 rows = LS_STRIP_FLOATS / (channels * kernel * out_width) - (kernel - 1);

  return CLAMP (outputs > 0 ? MIN (rows, LS_STRIP_FLOATS / (outputs * out_width)) : rows, 1, out_height);
}

G_END_DECLS
