/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A run that ends when its time is over.
 */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

typedef struct _LsClaimClock LsClaimClock;

/* After so many seconds, or when `above` is, which may be NULL, what ls_claim_clock_cancel() returns is
 * cancelled. 0: no time is set. */
LsClaimClock *ls_claim_clock_new (double seconds, GCancellable *above);
void ls_claim_clock_free (LsClaimClock *clock);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (LsClaimClock, ls_claim_clock_free)
GCancellable *ls_claim_clock_cancel (const LsClaimClock *clock);
/* It was the time. */
gboolean ls_claim_clock_passed (LsClaimClock *clock);

G_END_DECLS
