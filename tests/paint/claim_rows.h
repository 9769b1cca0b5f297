/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A list of claims with guesses and outcomes that nobody measured, one of each kind that a row can be.
 */
#pragma once

#include "claims/claims.h"

/* What is in row i. */
typedef enum {
  ROW_RANGE,     /* "10–100×", a ratio of both lanes, 1.5: not here; guessed 6 */
  ROW_STAIRS,    /* 10 s, in five ways, 4.4 ms on the CPU: not here; guessed 1.2 s */
  ROW_BOTH,      /* 50 %, CPU 10, OpenCL 69: half true; guessed 75 */
  ROW_TRUE,      /* 1×, CPU 1.4 (derived), OpenCL 2.8: true; guessed 1.6 */
  ROW_STAND_IN,  /* 2×, published 4 in the place of what isn't here: not measurable here; guessed 2 */
  ROW_OPEN,      /* 2×, 1.9 with a wide spread: open; no guess */
  ROW_GUESSED,   /* 1×; guessed 30; not run */
  ROW_NOT_BEGUN, /* 1×, with a long sentence; neither guessed nor run */
  N_ROWS,
} ClaimRow;

/* (transfer full) */
LsClaims *claim_rows (void);
