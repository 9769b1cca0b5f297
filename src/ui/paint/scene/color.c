/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The arithmetic of colours; see the header for its sources. The palettes are in style.c.
 */
#include "ui/paint/scene/color.h"

#include <math.h>

typedef struct {
  double L, a, b;
} Lab;

static double
to_linear (double c)
{
  return c <= 0.04045 ? c / 12.92 : pow ((c + 0.055) / 1.055, 2.4);
}

static double
from_linear (double c)
{
  c = CLAMP (c, 0, 1);
  return c <= 0.0031308 ? 12.92 * c : 1.055 * pow (c, 1 / 2.4) - 0.055;
}

static Lab
to_lab (LsColor c)
{
  const double r = to_linear (c.r), g = to_linear (c.g), b = to_linear (c.b);
  const double l = cbrt (.4122214708 * r + .5363325363 * g + .0514459929 * b);
  const double m = cbrt (.2119034982 * r + .6806995451 * g + .1073969566 * b);
  const double s = cbrt (.0883024619 * r + .2817188376 * g + .6299787005 * b);

  return (Lab){ .2104542553 * l + .7936177850 * m - .0040720468 * s,
                1.9779984951 * l - 2.4285922050 * m + .4505937099 * s,
                .0259040371 * l + .7827717662 * m - .8086757660 * s };
}

static LsColor
from_lab (Lab c)
{
  const double l = pow (c.L + .3963377774 * c.a + .2158037573 * c.b, 3);
  const double m = pow (c.L - .1055613458 * c.a - .0638541728 * c.b, 3);
  const double s = pow (c.L - .0894841775 * c.a - 1.2914855480 * c.b, 3);

  return (LsColor){ from_linear (4.0767416621 * l - 3.3077115913 * m + .2309699292 * s),
                    from_linear (-1.2684380046 * l + 2.6097574011 * m - .3413193965 * s),
                    from_linear (-.0041960863 * l - .7034186147 * m + 1.7076147010 * s) };
}

double
ls_color_luminance (LsColor c)
{
  return .2126 * to_linear (c.r) + .7152 * to_linear (c.g) + .0722 * to_linear (c.b);
}

double
ls_color_lightness (LsColor c)
{
  const double y = ls_color_luminance (c);

  return y > .008856 ? 116 * cbrt (y) - 16 : 903.3 * y;
}

double
ls_color_contrast (LsColor a, LsColor b)
{
  const double x = ls_color_luminance (a), y = ls_color_luminance (b);

  return (MAX (x, y) + .05) / (MIN (x, y) + .05);
}

double
ls_color_distance (LsColor a, LsColor b)
{
  const Lab x = to_lab (a), y = to_lab (b);

  return sqrt ((x.L - y.L) * (x.L - y.L) + (x.a - y.a) * (x.a - y.a) + (x.b - y.b) * (x.b - y.b));
}

LsColor
ls_color_seen (LsColor c, LsSight sight)
{
  static const double matrices[][9] = {
    [LS_SIGHT_FULL] = { 1, 0, 0, 0, 1, 0, 0, 0, 1 },
    [LS_SIGHT_PROTANOPIA] = { .152286, 1.052583, -.204868, .114503, .786281, .099216, -.003882, -.048116,
                              1.051998 },
    [LS_SIGHT_DEUTERANOPIA] = { .367322, .860646, -.227968, .280085, .672501, .047413, -.011820, .042940,
                                .968881 },
    [LS_SIGHT_TRITANOPIA] = { 1.255528, -.076749, -.178779, -.078411, .930809, .147602, .004733, .691367,
                              .303900 },
  };
  const double r = to_linear (c.r), g = to_linear (c.g), b = to_linear (c.b);
  const double *m = matrices[sight];

  return (LsColor){ from_linear (m[0] * r + m[1] * g + m[2] * b),
                    from_linear (m[3] * r + m[4] * g + m[5] * b),
                    from_linear (m[6] * r + m[7] * g + m[8] * b) };
}

LsColor
ls_color_mix (LsColor a, LsColor b, double t)
{
  return (LsColor){ a.r + (b.r - a.r) * t, a.g + (b.g - a.g) * t, a.b + (b.b - a.b) * t };
}

/* In OKLab. */
static LsColor
mix_even (LsColor a, LsColor b, double t)
{
  const Lab x = to_lab (a), y = to_lab (b);

  return from_lab ((Lab){ x.L + (y.L - x.L) * t, x.a + (y.a - x.a) * t, x.b + (y.b - x.b) * t });
}

LsColor
ls_color_ramp (const LsColor *stops, guint n, double t)
{
  const double at = CLAMP (t, 0, 1) * (n - 1);
  const guint below = MIN ((guint) at, n - 2);

  return mix_even (stops[below], stops[below + 1], at - below);
}

LsColor
ls_color_on (LsColor fill)
{
  const LsColor dark = LS_RGB (0x141414), light = { 1, 1, 1 };

  return ls_color_contrast (fill, dark) >= ls_color_contrast (fill, light) ? dark : light;
}
