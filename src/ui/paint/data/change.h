/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a change did, in a line: "Kernel tiled → packed: 31 000 → 197 000 samples/s (medians of 200 and 48, ±3
 * % and ±2 %)".
 */
#pragma once

#include "core/figure.h"

G_BEGIN_DECLS

typedef struct {
  char *words;   /* ls_change_words(); NULL: nothing changed */
  char *longest; /* what the words may become while the run goes on: the room that they are given */
} LsChange;

/* Fills one that is empty. */
void ls_change_set (LsChange *change, const char *from, const char *to, const LsFigure *before,
                    const LsFigure *after);
void ls_change_copy (LsChange *to, const LsChange *from);
void ls_change_clear (LsChange *change);

/* Only two calm figures are compared (ls_figure_calm()): else it says what is missing, or "too noisy to
 * tell". (transfer full) */
char *ls_change_words (const char *from, const char *to, const LsFigure *before, const LsFigure *after);

G_END_DECLS
