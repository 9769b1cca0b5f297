/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The catalogue's words: kinds of figures with the bounds of what can be, units, qualifiers.
 */
#pragma once

#include "machines/hardware.h"

G_BEGIN_DECLS

typedef struct {
  const char *name, *title;
  const char *unit;     /* of LsFigure.value */
  const char *whole;    /* that unit of numbers that are whole; NULL: the same */
  double min, max;      /* in that unit: below and above are mistakes, of a unit most likely */
  gboolean has_numbers; /* fp32, … */
  gboolean counts;      /* its unit says what is counted, as its title does */
} LsHardwareKindRow;

extern const LsHardwareKindRow ls_hardware_kinds[LS_HARDWARE_N];

typedef struct {
  const char *name; /* "TB/s" */
  const char *unit; /* the unit of a kind; kinds with another one can't be given so */
  double scale;     /* times so much */
} LsHardwareUnit;

/* NULL: there is no such unit. */
const LsHardwareUnit *ls_hardware_unit_find (const char *name);

/* A name's place in one of the tables; −1: it has none. */
gint ls_hardware_kind_find (const char *name);
gint ls_hardware_sort_find (const char *name);
gint ls_numbers_find (const char *name);
/* LsMeans; 0: it is none. */
guint ls_means_find (const char *name);
/* Of each pair, like dense and sparse, one at most. */
gboolean ls_means_fit (guint means);

G_END_DECLS
