/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What `lockstep claims` prints and writes.
 */
#pragma once

#include "claims/claims.h"

G_BEGIN_DECLS

/* A line for each: name, sentence, claim, guess, verdict, date. */
void ls_claims_print (const LsClaims *claims);
/* One with its outcomes and ways. */
void ls_claims_print_result (const LsClaimRow *row);
/* One: where it was read, how it is run, what decides. */
void ls_claims_print_about (const LsClaimRow *row);

gboolean ls_claims_save_json (const LsClaims *claims, const char *path, GError **error);
/* A line for each outcome: "claim,verdict,outcome,value,unit,q1,q3,n,evidence,for,low,high,guess,date"; for:
 * "here", "stand-in", "instead". (transfer full) */
char *ls_claims_csv (const LsClaims *claims);

G_END_DECLS
