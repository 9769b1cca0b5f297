/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the files of Timeline's cards share: a card that is filled line by line. What finds no room is left
 * out.
 */
#pragma once

#include "ui/paint/timeline/timeline.h"

G_BEGIN_DECLS

typedef struct {
  LsLayout *layout;
  const LsTimelineLane *lane;
  LsArea area;
  double y; /* the next baseline */
} LsCard;

/* The empty card in its place, with a title and quiet words. */
LsCard ls_card_open (LsLayout *layout, const LsTimelineLane *lane, LsArea area, const char *title,
                     const char *about);
/* mark, name, value: on one line, or the value below. Takes over value. Returns the mark, valid until the
 * next item, or NULL. */
LsItem *ls_card_line (LsCard *c, LsEvidence evidence, const char *name, char *value);
/* On as many lines as it needs; value: of the ink. */
void ls_card_wrapped (LsCard *c, LsType type, LsInk ink, double value, const char *text);
/* Why it is waiting; NULL: nothing is said. */
void ls_card_why (LsCard *c, const char *why);

/* timeline_card_op.c: the card of the op that computes what the op `asked` is about. why: it waits, or
 * NULL. */
void ls_card_op (LsLayout *layout, const LsTimeline *t, guint side, guint asked, const char *about,
                 const char *why);

G_END_DECLS
