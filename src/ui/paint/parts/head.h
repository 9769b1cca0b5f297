/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the files of the lanes' heads share: one lane's head, and the numbers in it.
 */
#pragma once

#include "ui/paint/parts/view.h"

G_BEGIN_DECLS

#define LS_HEAD_NUMBERS 4

typedef struct {
  char *number, *caption;
  double number_w, caption_w; /* of the longest that stand here during a run, so that nothing moves */
  LsEvidence evidence;
  LsType type;
  LsInk ink;
  gboolean warning; /* a triangle before the number */
  LsNumber of;
} LsHeadNumber;

typedef struct {
  LsLayout *layout;
  const LsViewLane *lane;
  LsArea area;
  guint side, first;                     /* first: the row of the numbers */
  LsHeadNumber columns[LS_HEAD_NUMBERS]; /* from the right */
  guint n_columns;
  gboolean tight;      /* captions before their numbers, on two rows */
  gboolean early;      /* conditions begin behind the name, so that they don't need a third row */
  double numbers_w[2]; /* of all columns, in the row of the numbers and the one below */
} LsHead;

/* head_numbers.c */
/* The most that has room: sets columns, tight, and numbers_w, the width that they take in both rows. */
void ls_head_choose_numbers (LsHead *head);
void ls_head_clear_numbers (LsHead *head);
/* y, below: baselines of their rows. */
void ls_head_draw_numbers (const LsHead *head, double y, double below);

G_END_DECLS
