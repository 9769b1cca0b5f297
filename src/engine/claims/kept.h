/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Guesses and results on disk, in the user's data folder: of each claim one file with both, so that no guess
 * can get behind a result. A file of a claim that has changed since isn't looked for; results of another
 * machine or version aren't used, nor are damaged files.
 */
#pragma once

#include "claims/claims.h"
#include "files/json.h"

G_BEGIN_DECLS

/* What is kept of row->claim goes into the row, which has neither guess nor result. *why: a sentence where
 * there is something that can't be used, else NULL. */
void ls_claim_kept_load (LsClaimRow *row, char **why);
/* The row's guess and result, or that there is neither. What can't be used and is in its place stays beside
 * it, with “~” behind its name. LS_ERROR_FILE. */
gboolean ls_claim_keep (const LsClaimRow *row, GError **error);

/* result_json.c. (transfer full) */
json_t *ls_claim_result_to_json (const LsClaimResult *result);
/* LS_ERROR_DATA: the first thing that is wrong, as a clause. */
LsClaimResult *ls_claim_result_from_json (const LsClaim *claim, const json_t *json, GError **error);

G_END_DECLS
