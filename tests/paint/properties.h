/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What must hold of every picture of every moment: each property finds what contradicts what, or nothing.
 */
#pragma once

#include "stated.h"

typedef struct {
  const LsScenario *s;
  const LsTruth *truth;
  const LsLayout *layout;
  GArray *claims; /* LsStated, of this picture */
  char *description;
} LsPicture;

typedef struct {
  const char *name;
  char *(*check) (const LsPicture *picture); /* NULL, or what contradicts what; (transfer full) */
} LsProperty;

/* Each ends with a name that is NULL. */
extern const LsProperty ls_properties_of_numbers[], ls_properties_of_words[], ls_properties_of_places[],
  ls_properties_of_told[], ls_properties_of_lengths[], ls_properties_of_cards[];

static inline const LsStated *
ls_picture_claim (const LsPicture *picture, guint i)
{
  return &g_array_index (picture->claims, LsStated, i);
}

/* The value may be printed as it is in the claim. */
gboolean ls_stated_is (double value, const LsStated *claim);
/* It says which lane is faster, or that neither is. */
gboolean ls_names_winner (const LsStated *claim);
/* It is a line of the sentence about the rates before and after a change. */
gboolean ls_line_of_change (const LsPicture *picture, const char *line);
/* For messages. */
const char *ls_side_name (guint side);
