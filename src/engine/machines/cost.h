/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How long training takes on a device that isn't here, and what it costs to rent one or to own it. Pure
 * functions. Times there are modelled, as a range: at best each op takes what the published roofs allow, at
 * worst the share of them that is reached here, and the time to start the ops. A price that nobody published
 * and nobody said is absent, and so is what would follow from it.
 */
#pragma once

#include "machines/hardware.h"
#include "model/plan.h"

G_BEGIN_DECLS

/* ---- time ---- */

typedef struct {
  double flops;  /* FLOP/s; 0: not known */
  double memory; /* bytes/s; 0: not known */
} LsCostRoofs;

/* What is published of one part of the device, in the numbers that a step of that precision computes in; of
 * fp32 by ordinary cores where both are told. What isn't known is 0. */
void ls_cost_roofs (const LsHardware *device, LsPrecision precision, LsCostRoofs *roofs);
gboolean ls_cost_roofs_known (const LsCostRoofs *roofs);
/* The published figures that those are of: NULL: there is none. */
const LsHardwareFigure *ls_cost_rate_of (const LsHardware *device, LsPrecision precision);
const LsHardwareFigure *ls_cost_bandwidth_of (const LsHardware *device);
/* Seconds of a step in which each op is held up by the lower one of the roofs alone. */
double ls_cost_roof_seconds (const LsPlan *plan, const LsCostRoofs *roofs);

/* Of the roofs here: what they allow over what a step took. n == 0: no measurement, or one beyond the roofs,
 * as of a step whose data lie in a cache: how much of a card's it would reach isn't known then. */
LsFigure ls_cost_share (const LsPlan *plan, const LsCostRoofs *here, const LsFigure *step);
/* Where nothing was measured; ls_cost_source_share says where it was read. */
LsFigure ls_cost_share_assumed (void);

#define LS_COST_LAUNCH 20e-6 /* seconds that starting an op takes at worst: on a V100, from a framework */
extern const LsHardwareSource ls_cost_source_share, ls_cost_source_launch, ls_cost_source_electricity;

/* Seconds of a step there: q1 at best, q3 at worst, value between, modelled; n == 0: a roof isn't known. */
LsFigure ls_cost_step (const LsPlan *plan, const LsCostRoofs *there, const LsFigure *share);
/* The hours of so many steps of that time; evidence as of the step's, but derived for measured. */
LsFigure ls_cost_hours (const LsFigure *step, double steps);

/* ---- money ---- */

#define LS_HOURS_A_MONTH 730. /* 365 days by 24 by 12 */

typedef enum {
  LS_PRICE_RENT,        /* an hour */
  LS_PRICE_STORAGE,     /* a month: what renting costs beside the hours */
  LS_PRICE_CARD,        /* once */
  LS_PRICE_POWER,       /* W */
  LS_PRICE_USE,         /* the share of that power that it draws while it trains */
  LS_PRICE_ELECTRICITY, /* a kWh */
  LS_PRICE_N,
} LsPriceKind;

typedef struct {
  const char *name;  /* "rent": of the option */
  const char *title; /* translatable */
  const char *unit;  /* beside the currency: "/h"; or alone: "W"; translatable, unless it is "" */
  gboolean money;
  double min, max;
} LsPriceRow;

extern const LsPriceRow ls_prices_rows[LS_PRICE_N];

typedef struct {
  LsFigure figure;                /* published; n == 0: absent */
  const LsHardwareSource *source; /* NULL: whoever asks said it, or it is an assumption */
  gboolean lecture; /* of a lecture's sums, with no source that was found: nobody published it */
  gboolean own;     /* whoever asks said it, */
  char said_on[11]; /* on that day, "2026-11-25"; "": it isn't told */
} LsPrice;

typedef struct {
  LsPrice of[LS_PRICE_N];
} LsPrices;

/* What is published of renting one and of owning the other; either may be NULL. With another currency than
 * that of the catalogue no published price holds. */
void ls_prices_published (const LsHardware *rented, const LsHardware *owned, gboolean usd, LsPrices *prices);
/* date: "2026-11-25", the day on which it was said; NULL: it isn't told. */
void ls_prices_say (LsPrices *prices, LsPriceKind kind, double value, const char *date);
/* Where a price that is there is from, and when: "your own, 2026-11-25", "Statista, https://…, seen
 * 2026-11-24", "assumed". (transfer full) */
char *ls_price_source_text (const LsPrice *price);
/* NAN: absent. */
double ls_prices_value (const LsPrices *prices, LsPriceKind kind);
/* Words for those that owning needs, or renting, and that are absent: "rent, price"; NULL: none is. (transfer
 * full) */
char *ls_prices_missing (const LsPrices *prices, gboolean owned);

/* A lecture's sums: 100 hours of a rented V100 cost $306, and a card for $2,000 has paid for itself after 654
 * of them. Both follow from the rent that is published; the card's price is the lecture's. */
#define LS_FIELD_HOURS 100.
#define LS_FIELD_CARD  2000.
void ls_prices_field (const LsCatalogue *catalogue, LsPrices *prices);

/* A month's. NAN: not known. */
typedef struct {
  double hours_rented, hours_owned;
  double rent, storage, card, power, use, electricity;
} LsBill;

LsBill ls_bill (const LsPrices *prices, double hours_rented, double hours_owned);
/* Of one device a month has 730 hours: how many of it its hours take, at least one. */
double ls_cost_cards (double hours);
/* What as many as the owned hours take cost. NAN: the price is absent. */
double ls_bill_bought (const LsBill *bill);
/* In all after so many months; NAN: a price is absent. */
double ls_bill_rented (const LsBill *bill, double months);
double ls_bill_owned (const LsBill *bill, double months);
/* An hour of owning it that trains, without what was bought. */
double ls_bill_running (const LsBill *bill);
/* The month from which on owning is cheaper: INFINITY: never; NAN: a price is absent. */
double ls_bill_break_even (const LsBill *bill);
/* The hours of training, of all cards, after which it is, were nothing paid by the month and both as fast. */
double ls_bill_break_even_hours (const LsBill *bill);

G_END_DECLS
