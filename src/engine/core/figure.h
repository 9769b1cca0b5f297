/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * LsFigure: a number that may reach a screen or a file, with its evidence. A view can't print a bare double.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef enum {
  LS_EVIDENCE_MEASURED, /* a clock, a counter, a computed result; also a count over a measured time */
  LS_EVIDENCE_DERIVED,  /* made from two measurements, or from a count on paper */
  LS_EVIDENCE_MODELLED,
  LS_EVIDENCE_PUBLISHED, /* with its source */
} LsEvidence;

typedef struct {
  double value;     /* the median where n > 1 */
  const char *unit; /* "samples/s", static */
  LsEvidence evidence;
  guint64 n;             /* samples behind it; 0: there is no value yet */
  double q1, q3;         /* middle half */
  guint64 left_out;      /* warm-up, recorded and disturbed samples that were not counted */
  const char *condition; /* under which it doesn't compare with others, untranslated; NULL: none */
} LsFigure;

const char *ls_evidence_name (LsEvidence evidence); /* "measured": stable, used in files */

#define LS_FIGURE_NEWEST 200 /* steps that a rate is the median of while training runs */

/* A rate stands, so that it may be shown, compared and named in a sentence, with so many samples that count,
 * or with fewer where its middle half is narrow. What was measured under a condition never does. */
#define LS_FIGURE_STANDS      50
#define LS_FIGURE_STANDS_CALM 20
#define LS_FIGURE_CALM        0.1 /* the middle half over the median is below */
gboolean ls_figure_stands (const LsFigure *figure);
/* LS_FIGURE_STANDS_CALM samples and a narrow middle half: what is compared before and after a change must be
 * calm. */
gboolean ls_figure_calm (const LsFigure *figure);
/* How many more samples it needs at most until it stands; 0: none. */
guint64 ls_figure_wanting (const LsFigure *figure);

typedef enum {
  LS_WINNER_UNKNOWN, /* a figure is missing or doesn't stand */
  LS_WINNER_NONE,    /* the middle halves overlap */
  LS_WINNER_FIRST,
  LS_WINNER_SECOND,
} LsWinner;

/* Which of two rates is the greater one: the only rule by which a lane may be called faster. */
LsWinner ls_figure_winner (const LsFigure *first, const LsFigure *second);

/* Median and quartiles (linear interpolation between order statistics, R's type 7). Sorts values. */
LsFigure ls_figure_of_samples (double *values, gsize n, const char *unit);

/* Ascending, for qsort() and g_array_sort(): of double, of gint64. */
gint ls_compare_doubles (gconstpointer a, gconstpointer b);
gint ls_compare_ints (gconstpointer a, gconstpointer b);

G_END_DECLS
