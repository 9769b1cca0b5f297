/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Claims' inner parts: a row for each sentence, all on one scale of what was claimed, and the one that is
 * opened, with how it is run here.
 */
#pragma once

#include "claims/claims.h"
#include "ui/paint/parts/view.h"
#include "ui/paint/scene/axis.h"

G_BEGIN_DECLS

#define LS_CLAIMS_MOST 256 /* rows that are shown at all */

/* The view's own part of a query. */
typedef struct {
  gint open;      /* the row that is; −1: none */
  guint first;    /* the first row that is shown, as far as the opened one may be seen */
  gint guess_row; /* −1: none is being guessed */
  double guess;   /* in that claim's unit */
  guint source;   /* of the opened row's pages the one that is chosen: ls_claims_sources() */
} LsClaimsState;

typedef struct {
  double y, h; /* h 0: it isn't shown */
} LsClaimsPlace;

typedef struct {
  LsLayout *layout;
  const LsClaimsState *asked;
  const LsClaims *claims; /* NULL: they can't be read */
  guint n;
  LsArea area;                                /* of all rows */
  LsArea sentence, scale, verdict;            /* their columns: x and w */
  LsAxis axis;                                /* shares of what is claimed */
  double heights[LS_CLAIMS_MOST];             /* of a closed row */
  LsClaimsPlace places[LS_CLAIMS_MOST], body; /* body: of the opened one, below its row */
  guint first, end;                           /* those that are shown */
  double more_above, more_below; /* baselines of the lines that tell how many aren't; 0: there is none */
} LsClaimsPicture;

/* What is guessed of that row: kept, or asked for just now; NAN: nothing is. */
double ls_claims_guess_of (const LsClaimsPicture *c, guint row);
/* A guess may still be made or changed. */
gboolean ls_claims_may_guess (const LsClaimsPicture *c, guint row);
/* It is being run, or could be: a guess is there. */
gboolean ls_claims_may_run (const LsClaimsPicture *c, guint row);
/* The side whose colours an outcome has; −1: it is of no lane. */
gint ls_claims_side (const LsClaimsPicture *c, LsBackendKind who);
/* A value's mark by its evidence, `size` wide. */
void ls_claims_mark (const LsClaimsPicture *c, double x, double y, double size, gint side,
                     LsEvidence evidence, gboolean pale);

/* claims_rows.c: finds each row's height; draws one. */
double ls_claims_row_height (const LsClaimsPicture *c, guint row);
void ls_claims_row (const LsClaimsPicture *c, guint row);
/* claims_place.c: first, end, places, body and the lines that tell what isn't shown. */
void ls_claims_place (LsClaimsPicture *c);
/* claims_scale.c: the axis over all claims, its head line, and a row's marks on it. */
void ls_claims_axis (LsClaimsPicture *c);
void ls_claims_scale_head (const LsClaimsPicture *c, double base);
void ls_claims_marks (const LsClaimsPicture *c, guint row);
/* The value of that row at that place; NAN: it is no place of the scale. */
double ls_claims_value_at (const LsClaimsPicture *c, guint row, double x);

/* claims_open.c: below the opened row; returns the lower end of what there is, up to `most` high; draw FALSE:
 * only that. */
double ls_claims_open (const LsClaimsPicture *c, guint row, LsArea area, gboolean draw);
double ls_claims_button_width (const LsClaimsPicture *c, const char *text);
/* What the opened row's pages are: where the sentence was read, then the sources of what it shows as
 * published or took from the catalogue, each once: LsHardwareSource. (transfer container) */
GPtrArray *ls_claims_sources (const LsClaimsPicture *c, guint row);
/* claims_stairs.c: the same thing done in several ways; returns the lower end. */
double ls_claims_stairs (const LsClaimsPicture *c, guint row, LsArea area, gboolean draw);

G_END_DECLS
