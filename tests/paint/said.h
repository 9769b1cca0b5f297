/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which words are in a picture.
 */
#pragma once

#include "ui/paint/parts/view.h"

/* The first text that has these words; NULL: none. */
const LsItem *find_text (const LsScene *scene, const char *words);
/* The same in both scenes of a layout. */
const LsItem *find_text_in (const LsLayout *layout, const char *words);
/* What the mark before the first text that begins so says: LsEvidence; -1: there is none. Fails if no text
 * does. */
gint mark_before (const LsScene *scene, const char *begin);
/* All texts, with this between them. (transfer full) */
char *all_texts (const LsScene *scene, const char *between);

static inline gboolean
says (const LsScene *scene, const char *words)
{
  return find_text (scene, words) != NULL;
}
