/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What may be said of the lanes' rates and of their agreement, in words: the same ones in every head, picture
 * and popover. A rate that doesn't stand (ls_figure_stands()) isn't printed; a lane is called faster only if
 * ls_rates_winner() names it. All strings are (transfer full).
 */
#pragma once

#include "ui/paint/parts/view.h"

G_BEGIN_DECLS

/* UNKNOWN, too, while the steps behind the two rates weren't taken in the same turns. */
LsWinner ls_rates_winner (const LsViewData *data);
/* The greater median over the other one. Only where there is a winner, or none. */
double ls_rates_ratio (const LsViewData *data);
/* "CPU is faster", with the ratio "CPU is 1.16 times as fast", "… · unfair"; "no clear winner"; NULL where
 * that isn't known yet. */
char *ls_rates_verdict (const LsViewData *data, gboolean with_ratio);
/* The ratio is of lanes that were not compared fairly: it carries a mark, a sign with the word, wherever it
 * stands. */
gboolean ls_rates_unfair (const LsViewData *data);
/* Why there is no ratio yet: "ratio after at most 38 more steps"; NULL: there is one, or a lane is
 * missing. */
char *ls_rates_no_ratio (const LsViewData *data);
/* The head names one lane, and the recorded step was faster on the other; NULL: it wasn't. */
char *ls_rates_other_way_round (const LsViewData *data);

/* "73.6 k", or a dash where it doesn't stand. */
char *ls_rate_number (const LsViewLane *lane);
/* In place of a rate that doesn't stand: "at most 38 more steps needed", "not measured before it stopped";
 * NULL: it stands. */
char *ls_rate_lacking (const LsLayout *layout, const LsViewLane *lane);
/* "at most 38 more steps" */
char *ls_rate_wanting (guint64 steps);
/* "median of 200 without 3 recorded, ±1 %"; with the middle half itself; "200 steps, 3 left out, ±1 %"; and
 * where that has no room "median, ±1 %": a count is never told as if it were of all steps. Where there is no
 * rate yet, the brief form has fewer words, and the least doesn't say how many steps it needs. */
typedef enum { LS_RATE_WHOLE, LS_RATE_RANGE, LS_RATE_SHORT, LS_RATE_BRIEF, LS_RATE_LEAST } LsRateForm;
char *ls_rate_condition (const LsViewLane *lane, LsRateForm form);
/* Why there is no rate, that it is from before the lane stopped, or its conditions. */
char *ls_rate_words (const LsLayout *layout, const LsViewLane *lane, LsRateForm form);
/* "3 recorded": what was passed over among the steps; NULL: nothing was. */
char *ls_left_out_words (const LsCounted *counted);

/* "loss", and of which step where the other head's is of another one. */
char *ls_loss_caption (const LsViewData *data, guint side);
/* "max |Δ|", which is over elements, or, of the losses beside it, "differ by". */
char *ls_delta_caption (const LsViewLane *lane);
/* "3×10⁻⁸"; of losses "≤3×10⁻⁸": it is the most of all steps, and those beside it may differ by less. */
char *ls_delta_number (const LsViewLane *lane);

/* Whether the lanes agree: "both the same, bit for bit", before weights were compared "losses the same so
 * far", "losses agree within 0.001", or "rounding differs since step 60: losses differ by 0.1, 36 of 10 000
 * answers differ"; NULL: nothing was compared, or they were found to disagree. */
char *ls_agreement_text (const LsViewData *data);
/* The same in a few words, for the hall: "rounding differs since step 60". */
char *ls_agreement_brief (const LsViewData *data);

G_END_DECLS
