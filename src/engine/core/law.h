/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Laws of growth, fitted to measured dots: a few constants by least squares of the relative errors, each with
 * the interval in which it lies in 95 of 100 cases, and whether the law holds for these dots at all.
 *
 * Amdahl, "Validity of the single processor approach to achieving large scale computing capabilities", AFIPS
 * 1967. Gunther, "Guerrilla capacity planning", Springer 2007 (universal scalability law). Little, "A proof
 * for the queuing formula L = λW", Operations Research 9 (3), 1961.
 */
#pragma once

#include "core/figure.h"

G_BEGIN_DECLS

#define LS_LAW_MAX 3 /* constants */

typedef enum {
  LS_LAW_NONE,
  LS_LAW_LINEAR,      /* t = a + b·x: what a step costs however small it is, and what each of x adds */
  LS_LAW_AMDAHL,      /* r₁/(s + (1 − s)/x) */
  LS_LAW_SCALABILITY, /* r₁·x/(1 + σ(x − 1) + κ·x(x − 1)) */
  LS_LAW_HALF_SPEED,  /* top/(1 + (h/x)^1.5) */
  LS_LAW_IN_FLIGHT,   /* r₁·x as far as it is below the top: Little's rate × wait = x is full */
  LS_LAW_N,
} LsLaw;

typedef struct {
  double x;
  LsFigure y; /* a rate; a time for LS_LAW_LINEAR */
} LsLawDot;

typedef struct {
  LsLaw law;
  guint n;                        /* constants, in the order of the formula */
  LsFigure constants[LS_LAW_MAX]; /* derived; q1 … q3: the interval; n: dots */
  double full;                    /* LS_LAW_IN_FLIGHT: x at which it is full: top/r₁, */
  double full_low, full_high;     /* between these; else 0 */
  double residual;                /* root of the mean square of the dots' relative distances */
  double worst;                   /* the greatest of them */
  gboolean holds;                 /* no dot is both outside its own middle half and 10 % off, or 25 % with a
                                     law that has a corner */
  double covariance[LS_LAW_MAX][LS_LAW_MAX], quantile; /* of Student's distribution: for the band */
} LsLawFit;

/* Which constant of a fit is what. */
enum { LS_LAW_FIXED, LS_LAW_EACH };
enum { LS_LAW_ONE, LS_LAW_SERIAL, LS_LAW_COHERENCE };
enum { LS_LAW_TOP, LS_LAW_HALF };

/* "S(n) = 1 / (s + (1 − s)/n)", not translated; NULL: of none. */
const char *ls_law_formula (LsLaw law);
/* How many dots it takes: two more than constants, since any line goes through two. */
guint ls_law_least (LsLaw law);
/* FALSE: there are too few dots, at too few places, or no constants give anything like them. Dots without a
 * positive x and y aren't counted. */
gboolean ls_law_fit (LsLaw law, const LsLawDot *dots, guint n, LsLawFit *fit);
double ls_law_at (const LsLawFit *fit, double x);
/* Where the law is in 95 of 100 cases. */
void ls_law_band (const LsLawFit *fit, double x, double *low, double *high);

G_END_DECLS
