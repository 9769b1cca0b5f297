/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Lanes that compute different things, in words: which op and element differ first, if it has been looked for
 * and found, and both values with the bound; otherwise the losses.
 */
#pragma once

#include "train/snapshot.h"

G_BEGIN_DECLS

/* Two sentences, (transfer full); NULL both where the lanes agree. */
void ls_disagreement_words (const LsSnapshot *snapshot, char *words[2]);

G_END_DECLS
