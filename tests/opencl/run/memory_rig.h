/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A lane on a device whose memory is played, with two data sets, in the ways that change what lies there.
 */
#pragma once

#include "invented.h"
#include "played_memory.h"

#define TRAIN 36
#define TEST  20
#define SIZE  144 /* values of a sample */

typedef struct {
  gboolean is_cpu;
  LsSampleType type;
  LsPrecision precision;
  gsize alignment;
  LsBatchFrom from;
} Case;

#define CASES 5
extern const Case cases[CASES];

void begin (Lane *lane, const Case *c);
/* All is gone, whatever had been made. */
void end (Lane *lane);
