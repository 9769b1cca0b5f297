/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * LsColor: an sRGB colour, and what the eye makes of it: contrast as WCAG 2 counts it, mixing and distances
 * in OKLab (B. Ottosson 2020, "A perceptual color space for image processing"), and what the three kinds of
 * colour blindness see (Machado, Oliveira, Fernandes 2009, severity 1). Components are 0 … 1.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct {
  double r, g, b;
} LsColor;

typedef enum {
  LS_SIGHT_FULL,
  LS_SIGHT_PROTANOPIA,   /* no red cone */
  LS_SIGHT_DEUTERANOPIA, /* no green cone */
  LS_SIGHT_TRITANOPIA,   /* no blue cone */
  LS_SIGHT_N,
} LsSight;

/* clang-format off */
#define LS_RGB(hex) { ((hex) >> 16 & 255) / 255.0, ((hex) >> 8 & 255) / 255.0, ((hex) & 255) / 255.0 }
/* clang-format on */

double ls_color_luminance (LsColor c);           /* relative, 0 … 1 */
double ls_color_lightness (LsColor c);           /* CIE L*, 0 … 100 */
double ls_color_contrast (LsColor a, LsColor b); /* 1 … 21 */
double ls_color_distance (LsColor a, LsColor b); /* in OKLab */
LsColor ls_color_seen (LsColor c, LsSight sight);
LsColor ls_color_mix (LsColor a, LsColor b, double t); /* in sRGB: for soft fills and edges */
/* n ≥ 2 stops at even distances; t is clamped to 0 … 1. */
LsColor ls_color_ramp (const LsColor *stops, guint n, double t);
/* #141414 or white, whichever can be read better on it. */
LsColor ls_color_on (LsColor fill);

G_END_DECLS
