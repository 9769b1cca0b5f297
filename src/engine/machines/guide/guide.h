/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What to buy or to rent for a training, in a sentence: from what is trained, how often and for how many
 * months. First a table of rules says when a GPU is the wrong answer, each by a figure; then rent and own are
 * held against each other. Pure: nothing is measured here.
 */
#pragma once

#include "machines/cost.h"

G_BEGIN_DECLS

typedef enum {
  LS_WORK_NETWORK,
  LS_WORK_TREES,     /* decision trees on a table */
  LS_WORK_PREPARING, /* reading, decoding, sorting: no network */
  LS_WORK_N,
} LsWork;

extern const char *const ls_work_names[LS_WORK_N]; /* "network": of the option */

/* What is asked. Nothing is owned. */
typedef struct {
  LsWork work;
  const LsPlan *plan; /* a step; NULL: not known, or */
  gboolean too_large; /* larger than any that Lockstep takes */
  double steps;       /* of a run; 0: not known */
  double runs;        /* a month */
  double months;      /* that are planned */
  double budget;      /* what that may cost in all; 0: whatever it costs */
  LsFigure step_here; /* s, measured; n == 0: it wasn't */
  LsFigure need;      /* bytes of the step */
  LsFigure table;     /* bytes of the table that it learns from; n == 0: it is no table, or how large it
                       * is isn't known */
  LsFigure here;      /* bytes of the device here; n == 0: not known */
  LsFigure share;     /* of the roofs; n == 0: not measured, and one is assumed */
  const LsHardware *own, *rent; /* NULL: none is asked for, or chosen yet */
  LsPrices prices;
  const char *currency; /* "USD" */
} LsGuide;

typedef enum {
  LS_ADVICE_UNKNOWN, /* a figure is missing, which the sentence names */
  LS_ADVICE_WRONG,   /* a GPU is the wrong answer */
  LS_ADVICE_STAY,    /* what is here does it */
  LS_ADVICE_BUY,
  LS_ADVICE_RENT,
  LS_ADVICE_CLOSE, /* within the range of the model either is cheaper, or one card may not be enough */
  LS_ADVICE_NONE,  /* it doesn't fit, into memory, a month or a budget */
  LS_ADVICE_N,
} LsAdviceKind;

extern const char *const ls_advice_names[LS_ADVICE_N]; /* in files */

typedef struct {
  LsAdviceKind kind;
  const char *rule;                     /* LS_ADVICE_WRONG, or may be: whose name it is; else NULL */
  LsFigure share;                       /* that was taken */
  LsFigure step_own, step_rent;         /* s, modelled */
  LsFigure run_here, run_own;           /* h of a run */
  LsFigure here, owned, rented;         /* h a month */
  LsBill best, worst;                   /* with the least and with the most hours */
  double break_even[2], break_half[2];  /* months: from, to; with half the hours, */
  double break_twice[2], break_card[2]; /* with twice, with the card at LS_GUIDE_CARD of its price */
  char *sentence;                       /* what to do, and why */
  char *change;                         /* what would change it; NULL */
  char *moves;                          /* what would move the break-even, where it decides; NULL */
} LsAdvice;

#define LS_GUIDE_CARD .6
#define LS_GUIDE_FAR  1200 /* months: nobody plans for more */

void ls_guide_advise (const LsGuide *guide, LsAdvice *advice);
void ls_advice_clear (LsAdvice *advice);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (LsAdvice, ls_advice_clear)

/* A lecture's sums in the place of that, by the guide's prices (ls_prices_field(), or others): 100 hours of a
 * rented card, and from when on one of one's own pays. */
void ls_guide_field (const LsGuide *guide, LsAdvice *advice);

/* Of those devices (LsHardware) that are graphics cards or systolic arrays those that hold the step: the
 * cheapest one to own for the months, and to rent, by what is published; sets own and rent where they are
 * NULL; NULL stays where none has all figures. */
void ls_guide_choose (LsGuide *guide, const GPtrArray *devices);

/* A step of the guide's plan there, s, modelled; n == 0: not known. device: NULL; share: of its roofs. */
LsFigure ls_guide_step_on (const LsGuide *guide, const LsHardware *device, const LsFigure *share);
/* The step fits into so many bytes, as far as both are known. */
gboolean ls_guide_fits (const LsGuide *guide, const LsFigure *memory);

/* The first of the rules for when a GPU is the wrong answer that holds, into *advice, whose times are there.
 * FALSE: none does. */
gboolean ls_guide_rule (const LsGuide *guide, LsAdvice *advice);

/* "12 s", "3.4 min", "0.29 h", "99 h": of hours; a range where it is one, "0.5–3 h". (transfer full) */
char *ls_hours_text (const LsFigure *hours);
/* "818000": more of them would say that the rate is known so well. (transfer full) */
char *ls_rough_text (double value);
/* For ngettext(): 1 of one alone, also where half of it would be possible. */
gulong ls_guide_plural (double n);
/* Of a month: "20.9", "0.1", "<0.1", ">1200". (transfer full) */
char *ls_month_text (double month);
/* "month 20.9", "month 12.1 to 20.9", "month 20.9 or never", "never", "not in 100 years": of the earliest and
 * the latest break-even, which may be infinite. (transfer full) */
char *ls_months_text (const double months[2]);
/* The same without "month", and in *plan the months that are planned; in as many digits as show that it is
 * later, where it is: "12.04" and "12". (transfer full), both */
char *ls_pays_text (const double months[2], double planned, char **plan);
/* What it takes at least, which is more than it may cost, and that, as they were written: in more digits, if
 * these don't show it: "100.3" and "100.0". */
void ls_guide_tell_apart (double least, double budget, char **low, char **may);
/* Bytes in GB, "24", and in *other other ones, "23.9"; in as many figures as tell the two apart: "24.004" and
 * "24.000". (transfer full) */
char *ls_gb_text (double bytes, double others, char **other);
/* Three digits: "1599", "98.5", "0.47". (transfer full) */
char *ls_digits_text (double value);

G_END_DECLS
