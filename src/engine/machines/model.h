/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What other machines would do with a training step: models of hardware, a file and a row each. A model is a
 * pure function of a plan's ops (shapes, bytes, FLOP) and of assumptions that may be changed, each with unit,
 * range and where its default comes from. Whatever it says is modelled.
 *
 *   LsAssumed assumed;
 *   ls_machine_assume (machine, &assumed);                 the defaults
 *   ls_machine_fill (machine, device, &assumed);           what is published of a device
 *   if (ls_machine_check (machine, &assumed, &error))
 *     run = ls_machine_run (machine, plan, &assumed);      seconds of every op, and what holds it up
 */
#pragma once

#include "backends/backend.h"
#include "machines/hardware.h"
#include "model/plan.h"

G_BEGIN_DECLS

#define LS_MACHINE_MAX_ASSUMPTIONS 20

/* In the order in which they are shown. */
/* clang-format off */
#define LS_MACHINES(ROW)                                \
  ROW (cpu) ROW (simt) ROW (tensor) ROW (systolic)      \
  ROW (fpga) ROW (int8) ROW (spiking)
/* clang-format on */

typedef struct {
  const char *name;  /* "units": as --assume takes it */
  const char *title; /* translatable, as the others */
  const char *unit;  /* "GB/s", of the value; "": a count or a share; translatable where it is a word */
  double value;      /* the default */
  double min, max;   /* beyond lies nothing that can be built */
  gboolean whole;
  const char *source; /* where the default was read, or why it was chosen */
} LsAssumption;

/* Whose word an assumed value is. */
typedef enum {
  LS_ASSUMED_DEFAULT,
  LS_ASSUMED_PUBLISHED, /* of a device of the catalogue, or follows from what is */
  LS_ASSUMED_MEASURED,  /* here */
  LS_ASSUMED_OWN,       /* whoever asks said it */
} LsAssumedFrom;

typedef struct {
  double value[LS_MACHINE_MAX_ASSUMPTIONS]; /* as the machine's assumptions */
  LsAssumedFrom from[LS_MACHINE_MAX_ASSUMPTIONS];
  /* PUBLISHED: the figure that it is, or follows from; the catalogue's */
  const LsHardwareFigure *of[LS_MACHINE_MAX_ASSUMPTIONS];
} LsAssumed;

/* What an op's time is made of for the greatest part. */
typedef enum {
  LS_HELD_BY_START,   /* until it begins */
  LS_HELD_BY_COMPUTE, /* what there is to compute; */
  LS_HELD_BY_PADDING, /* of which more than half is for places beyond the matrix's edge, or for units with no
                         work */
  LS_HELD_BY_LATENCY, /* too little is under way to hide a wait */
  LS_HELD_BY_CACHE,   /* bytes from caches */
  LS_HELD_BY_MEMORY,  /* bytes from memory */
  LS_HELD_BY_FILL,    /* until an array or a pipeline is full, and empty again */
  LS_HELD_BY_TICKS,   /* its time steps, however little happens in one */
  LS_HELD_BY_N,
} LsHeldBy;

#define LS_MACHINE_COPY G_MAXUINT
#define LS_MACHINE_ALL  (G_MAXUINT - 1)

/* An op and what follows in its epilogue. */
typedef struct {
  guint op; /* the plan's; LS_MACHINE_COPY: the batch's way to the machine; LS_MACHINE_ALL: all layers work at
               the same time */
  double start, seconds;
  LsHeldBy held_by;
  double used; /* share of the machine's peak that it computes at, 0 … 1; NAN: it is about no computing */
  double interval; /* of a pipeline's stage: clocks from one sample's entering to the next one's; NAN: it is
                      no stage */
  double useful;   /* share of its product's multiply-adds that lie within the matrices, and not in what pads
                      them to whole tiles, 0 … 1; NAN: the model doesn't say */
} LsMachineOp;

typedef struct _LsMachine LsMachine;

typedef struct {
  const LsMachine *machine;
  GArray *ops;     /* LsMachineOp, one after the other; of a pipeline its stages, which work side by side */
  double seconds;  /* from the start until the result is there */
  double interval; /* until the next result; less than that where steps overlap */
  double energy;   /* J; NAN: nothing is published that it would follow from */
  guint samples;   /* that are done in that time */
  double weights;  /* bytes of all weights as it stores them; NAN: where they lie is of no account, */
  double chip;     /* and the room for them on the chip: those of a step come from memory if they are more */
} LsMachineRun;

struct _LsMachine {
  const char *name;    /* "simt" */
  const char *title;   /* translatable, as the others: "SIMT GPU" */
  const char *about;   /* a sentence: how it works */
  const char *limit;   /* a sentence: what the model leaves out, or how its numbers differ */
  gboolean forward;    /* it only answers, and doesn't train */
  gboolean pipeline;   /* its ops are stages that work side by side */
  LsHardwareSort sort; /* of devices that may fill in its assumptions */
  const LsAssumption *assumptions;
  guint n_assumptions;
  guint shown[3]; /* assumptions that stand in a row of the picture, if it is short of room */
  /* Either may be NULL. What isn't known stays as it is. turns: that many lanes took turns on the device. */
  void (*fill) (const LsHardware *device, LsAssumed *assumed);
  void (*measured) (const LsDeviceInfo *device, guint turns, LsAssumed *assumed);
  /* run is empty but for machine and samples, which is the plan's batch. */
  void (*run) (const LsPlan *plan, const double *value, LsMachineRun *run);
};

#define LS_MACHINE_EXTERN(name) extern const LsMachine ls_machine_##name;
LS_MACHINES (LS_MACHINE_EXTERN)
#undef LS_MACHINE_EXTERN

/* Batches that tables go through: what is started, filled and padded counts the less, the larger they are. */
#define LS_MACHINE_N_BATCHES 5
extern const guint ls_machine_batches[LS_MACHINE_N_BATCHES];

const LsMachine *const *ls_machines (guint *n);
/* NULL: there is none of that name. */
const LsMachine *ls_machine_find (const char *name);
/* −1: it has no such assumption. */
gint ls_machine_find_assumption (const LsMachine *machine, const char *name);

void ls_machine_assume (const LsMachine *machine, LsAssumed *assumed);
/* It says of some products how much of them is padding. */
gboolean ls_machine_run_pads (const LsMachineRun *run);
/* The plan's step of another batch, in its precision; NULL: it is larger than any that Lockstep takes.
 * (transfer full) */
LsPlan *ls_machine_plan_batch (const LsPlan *plan, guint batch);
/* Runs with the plan's network and another batch; NULL: such a step is larger than any that Lockstep takes.
 */
LsMachineRun *ls_machine_run_batch (const LsMachine *machine, const LsPlan *plan, guint batch,
                                    const LsAssumed *assumed);
/* FALSE: nothing of it is published that the model asks for, or it is another sort of device. */
gboolean ls_machine_fill (const LsMachine *machine, const LsHardware *device, LsAssumed *assumed);
/* What was measured of a device here; FALSE: nothing that the model asks for. */
gboolean ls_machine_measured (const LsMachine *machine, const LsDeviceInfo *device, guint turns,
                              LsAssumed *assumed);
/* For measured(): takes the value where there is one, within its range, rounded where it is whole. */
void ls_assumed_take (const LsMachine *machine, LsAssumed *assumed, guint which, double value,
                      LsAssumedFrom from);
/* For fill(): the same of a value that is the figure `of`, or follows from it. */
void ls_assumed_fill (const LsMachine *machine, LsAssumed *assumed, guint which, double value,
                      const LsHardwareFigure *of);
/* Of a published one: whether the page tells another number, from which it follows; units of ten aside. */
gboolean ls_assumed_follows (const LsAssumed *assumed, guint which);
/* "units=24, clock=1.4": LS_ERROR_USAGE, a sentence that names the assumption and its range. */
gboolean ls_machine_say (const LsMachine *machine, const char *text, LsAssumed *assumed, GError **error);
/* Every value lies in its range; LS_ERROR_USAGE, a sentence. */
gboolean ls_machine_check (const LsMachine *machine, const LsAssumed *assumed, GError **error);

/* assumed has been checked. NULL: it can't run such a plan, as a machine that only answers one without a
 * forward pass. */
LsMachineRun *ls_machine_run (const LsMachine *machine, const LsPlan *plan, const LsAssumed *assumed);
/* Share of its peak that it computes at, in the mean of all its time; NAN: it is about no computing. */
double ls_machine_run_used (const LsMachineRun *run);
void ls_machine_run_free (LsMachineRun *run);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (LsMachineRun, ls_machine_run_free)

/* The assumption that moves the end most if it is halved or doubled, within its range: its place, and by how
 * many seconds at most; −1: none does. */
gint ls_machine_moves_most (const LsMachine *machine, const LsPlan *plan, const LsAssumed *assumed,
                            double *seconds);

/* "held up by memory", "waits for memory": translatable. */
const char *ls_held_by_title (LsHeldBy held_by);
const char *ls_held_by_name (LsHeldBy held_by); /* "memory": stable, used in files */

G_END_DECLS
