/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a pixel means, read off the numbers that are printed at an axis, as somebody would who looks at the
 * picture.
 */
#pragma once

#include "properties.h"

#define LS_NEAR 1.3 /* px: edges stand on whole ones, floats on parts of them */

typedef struct {
  double value, px;
  const char *text;
} LsTick;

#define LS_TICKS 16

typedef struct {
  guint n;
  LsTick ticks[LS_TICKS];
  gboolean log;
  double low;          /* the first one's value, or its logarithm, */
  double from, per_px; /* there; and how much a pixel is */
} LsScale;

double ls_scale_value (const LsScale *scale, double px);
double ls_scale_px (const LsScale *scale, double value);
void ls_scale_add (LsScale *scale, const char *text, double value, double px);
/* From the two outermost numbers; the others must stand between them where that says. NULL: they do.
 * (transfer full) */
char *ls_scale_learn (LsScale *scale, const char *of);
/* The number that the text is, with nothing before it; "10⁸" is one, too. */
gboolean ls_scale_number (const char *text, double *value);
/* The baseline of a text over the middle of its digits. */
static inline double
ls_text_middle (const LsItem *item)
{
  return (double) item->y - (double) item->type.px * .36;
}

/* How many marks were held against their data, of each kind. */
typedef enum {
  LS_SEEN_CURVE,
  LS_SEEN_ACCURACY,
  LS_SEEN_RACE,
  LS_SEEN_TIMELINE,
  LS_SEEN_TILE,
  LS_SEEN_BAR,
  LS_SEEN_RIBBON,
  LS_SEEN_BRACKET,
  LS_SEEN_SHOWN,
  LS_SEEN_UNTIMED,
  LS_SEEN_CARD,
  LS_SEEN_LEDGER,
  LS_SEEN_N
} LsSeen;
extern guint ls_places_seen[LS_SEEN_N];
/* properties_curves.c */
char *ls_curves_are_true (const LsPicture *picture);
/* properties_places.c: of Timeline's clock, n < 2: it isn't read. As ls_scale_learn(). */
char *ls_timeline_scale (const LsPicture *picture, LsScale *scale);
/* properties_told.c: words that were read in fewer pictures; NULL: none. (transfer full) */
char *ls_told_missing (guint least);
