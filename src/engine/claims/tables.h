/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the sources of this folder share.
 */
#pragma once

#include "claims/expression.h"

G_BEGIN_DECLS

#define LS_CLAIM_ENDS ".claim"

/* As files have them; of NOTHING "". */
extern const char *const ls_claim_needs_names[LS_CLAIM_N_NEEDS];

/* Empty, with a reference. */
LsClaim *ls_claim_new (void);
char *ls_claim_make_digest (const LsClaim *claim);
/* Of that claim, on this machine, now; without findings. */
LsClaimResult *ls_claim_result_new (const LsClaim *claim);
/* Today and now, "2026-11-24T05:12Z". (transfer full) */
char *ls_claim_now (void);

/* Whether an outcome, or what would make the claim true, has that term of the way. */
gboolean ls_claim_asks (const LsClaim *claim, LsClaimTermKind kind, guint way);
/* Whether a way that is run is timed; else only how much of it memory bounds is asked for, or what it learns.
 */
gboolean ls_claim_times (const LsClaim *claim, guint way);

/* Whose findings they are, in words, as far as that needs to be said. */
void ls_claim_name_findings (const LsClaim *claim, LsClaimResult *result);

/* judge.c: what the findings come to; sets judged of each. Nothing that is needed is missing. */
void ls_claim_judge (const LsClaim *claim, LsClaimResult *result);

/* "4.40 ms" of a time in seconds; brief: without the zeros at its end, which say how well it is known.
 * (transfer full) */
char *ls_claim_time_text (double s, gboolean brief);

G_END_DECLS
