/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * LsFigure: a number that may reach a screen or a file, with its evidence. A view can't print a bare double.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef enum {
  LS_EVIDENCE_MEASURED,   /* a clock, a counter, a computed result; also a count over a measured time */
  LS_EVIDENCE_DERIVED,    /* made from two measurements, or from a count on paper */
  LS_EVIDENCE_MODELLED,
  LS_EVIDENCE_PUBLISHED,  /* with its source */
} LsEvidence;

typedef struct {
  double value;           /* the median where n > 1 */
  const char *unit;       /* "samples/s", static */
  LsEvidence evidence;
  guint64 n;              /* samples behind it; 0: there is no value yet */
  double q1, q3;          /* middle half */
  guint64 left_out;       /* warm-up, recorded and disturbed samples that were not counted */
  const char *condition;  /* under which it doesn't compare with others, untranslated; NULL: none */
} LsFigure;

const char *ls_evidence_name (LsEvidence evidence); /* "measured": stable, used in files */

/* Median and quartiles (linear interpolation between order statistics, R's type 7). Sorts values. */
LsFigure ls_figure_of_samples (double *values, gsize n, const char *unit);

G_END_DECLS
