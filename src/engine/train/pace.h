/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * LsPacer: when steps are done. At full speed one follows the other. At watch pace they come in short bursts:
 * all lanes do the same steps of a burst and end it together, then all rest until the wall clock's plan has
 * come as far. By step, nothing is done but steps that are asked for, to be recorded.
 *
 * The first steps after a rest find cold caches and a slow clock, so they get turns of their own and don't
 * count for rates: what is left is computed as at full speed. Plain arithmetic on a clock that is given: no
 * threads, no clock of its own.
 */
#pragma once

#include "core/options.h"

G_BEGIN_DECLS

#define LS_PACE_NO_END  G_MAXUINT64
#define LS_PACE_BURST_S 1.0 /* a burst's steps are those that the plan has for so long */

typedef struct {
  double steps_per_s;     /* the plan's, at watch pace */
  LsPace pace;            /* in effect */
  guint64 begin, settled; /* steps from begin to settled − 1 came after a rest, and don't count */
  guint64 end;            /* no lane goes beyond so many steps; LS_PACE_NO_END: none is held */
  guint64 next_ns;        /* the next burst begins then; G_MAXUINT64: it is waited for what is asked */
  gboolean rests;         /* all lanes have come to the end, and it isn't time yet */
  gboolean cold;          /* they have rested since the last burst */
} LsPacer;

/* What the lanes are at, for ls_pacer_look(). */
typedef struct {
  LsPace pace;             /* that is wished for */
  guint64 now_ns;          /* of a clock that only rises */
  guint64 least, furthest; /* steps done, of the lanes that work */
  double step_us;          /* of the fastest lane; 0: not known yet */
  gboolean asked;          /* a recorded step is waited for: the next burst needn't be */
} LsPaceLook;

/* Sets steps_per_s of a pacer of zeros at full speed. */
void ls_pacer_init (LsPacer *pacer, double steps_per_s);
/* While training goes on and no lane is at a job: begins a burst if it is time for it, else rests. */
void ls_pacer_look (LsPacer *pacer, const LsPaceLook *look);
/* How many steps a lane may have done after the turn that it does next, having done `steps`. */
guint64 ls_pacer_limit (const LsPacer *pacer, guint64 steps);
/* Whether step number `step`, from 0, is one of the first after a rest. */
gboolean ls_pacer_settles (const LsPacer *pacer, guint64 step);
/* Whether step number `step` may be the one that is recorded: none is right after a rest, but by step. */
gboolean ls_pacer_records (const LsPacer *pacer, guint64 step);

G_END_DECLS
