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

/* Of a picture with so many floats in the rows of all its planes together; pixels: of a row of dY's outputs,
 * which the gradient towards the weights reads, too; 0: of none. */
static inline gint64
ls_strip_of_picture (gint64 floats, gint64 kernel, gint64 pixels, gint64 out_height)
{
  const gint64 rows = LS_STRIP_FLOATS / floats - (kernel - 1);

  return CLAMP (pixels > 0 ? MIN (rows, LS_STRIP_FLOATS / pixels) : rows, 1, out_height);
}

G_END_DECLS
