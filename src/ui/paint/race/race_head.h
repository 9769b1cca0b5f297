/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the files of Race's heads share: a head, what stands in it, and what both heads agreed on.
 */
#pragma once

#include "ui/paint/race/race.h"

G_BEGIN_DECLS

#define LS_RACE_LINES 5

/* A line beside the huge number. */
typedef struct {
  LsNumber of; /* its mark's; LS_NUMBER_NONE: it has none */
  LsEvidence evidence;
  LsType type;
  LsInk ink;
  char *text;
} LsRaceLine;

typedef struct {
  LsLayout *layout;
  const LsViewLane *lane;
  guint side;
  LsArea area;
  LsType huge;
  LsRaceLine lines[LS_RACE_LINES];
  guint n_lines;
  guint device_below;     /* lines below the name that the device takes; 0: it stands beside it */
  gboolean pair_below;    /* in the hall: loss and max |Δ| don't fit beside the name */
  gboolean numbers_below; /* on the desk: the same */
  guint most_lines;       /* of both heads */
  gboolean beneath;       /* the lines stand under the number, not beside it */
  gboolean lower;         /* in the hall: a name reaches over the lines beside the number */
} LsRaceHead;

/* race_rate.c */
/* The lines of a head that is otherwise set, all that there are. */
void ls_race_rate_prepare (LsRaceHead *h);
void ls_race_rate_clear (LsRaceHead *h);
/* In the hall loss and max |Δ| are words on the name's line, whose baseline is y; returns their left end. */
double ls_race_rate_pair (const LsRaceHead *h, double y, gboolean draw);
/* They join the lines instead, the loss first. */
void ls_race_rate_take_pair (LsRaceHead *h);
/* The condition's short form, if the whole doesn't fit. */
void ls_race_rate_shorten (LsRaceHead *h);
/* The lines have room beside the number. */
gboolean ls_race_rate_fits (const LsRaceHead *h);
/* From the number's baseline up to the top of the lines beside it. */
double ls_race_rate_above (const LsRaceHead *h);
/* Where these lines begin. */
double ls_race_rate_lines (const LsRaceHead *h);
/* The number, whose baseline is y, and its lines; returns the last baseline. */
double ls_race_rate_draw (const LsRaceHead *h, double y);

G_END_DECLS
