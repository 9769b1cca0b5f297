/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the pictures of machines share: which op runs at the clock's moment and how far it is, and cells of a
 * grid.
 */
#pragma once

#include "ui/paint/machines/machines.h"

G_BEGIN_DECLS

#define LS_MACHINES_PICTURE 84.0 /* px of a row's picture */

typedef struct {
  const LsMachines *p;
  const LsMachinesRow *row;
  LsArea area; /* as high as it may be, then as it is */
  gboolean whole;
  double now;                /* s since the step's start */
  gboolean over;             /* the step is: a moment is chosen */
  const LsMachineOp *at;     /* the op that runs; NULL: none has begun */
  const LsMachineWork *work; /* what it is; NULL: a copy, or all layers */
  double passed;             /* share of it, 0 … 1 */
} LsMachinesPicture;

/* What the machine assumes under that name. */
double ls_machines_picture_value (const LsMachinesPicture *c, const char *name);
/* A cell of a grid, so dark: 0 … 1. */
void ls_machines_picture_cell (const LsMachinesPicture *c, double x, double y, double w, double h,
                               double dark);
/* The edge of cells of a grid in the area, which is then where the grid is. */
double ls_machines_picture_grid (LsMachinesPicture *c, guint cols, guint rows, double most);

/* The op that runs is no product: cells at rest, and what it is; NULL: none runs. (transfer full) */
char *ls_machines_picture_rest (LsMachinesPicture *c, guint cols, guint rows, double most, const char *words);

/* machines_moving.c: those that change from moment to moment within an op; words, (transfer full), or NULL.
 */
char *ls_machines_draw_simt (LsMachinesPicture *c);
char *ls_machines_draw_spiking (LsMachinesPicture *c);
/* machines_systolic.c: likewise. */
char *ls_machines_draw_systolic (LsMachinesPicture *c);

G_END_DECLS
