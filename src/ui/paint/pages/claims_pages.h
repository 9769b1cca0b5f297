/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * All claims on pages of paper, for course notes: each with its source, guess, what was measured, verdict and
 * notes, nothing left out. Pure, like the views: the same claims give the same pages.
 */
#pragma once

#include "claims/claims.h"
#include "ui/paint/scene/scene.h"

G_BEGIN_DECLS

#define LS_CLAIMS_PAGE_W 793.7 /* A4, px of 1/96 inch */
#define LS_CLAIMS_PAGE_H 1122.5

/* LsScene, one a page, at least one; (transfer full). */
/* catalogue: whose figures stand in the place of what isn't here, for their sources; NULL: it can't be read.
 */
GPtrArray *ls_claims_pages (const LsClaims *claims, const LsCatalogue *catalogue, const LsStyle *style,
                            LsFonts *fonts);
/* Those as a PDF. Errors: those of ls_export_pages(). */
gboolean ls_claims_export (const LsClaims *claims, const LsCatalogue *catalogue, const LsStyle *style,
                           LsFonts *fonts, const char *path, GError **error);

G_END_DECLS
