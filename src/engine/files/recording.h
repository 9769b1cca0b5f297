/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * LsRecording: one recorded step, whole, immutable once made: the plan's facts, and per lane the device, the
 * tilings, all events, the history of losses and step times, and chosen tensors. It stands alone: it keeps no
 * pointer to a plan or a backend, so it can be shown on a machine that has neither the device nor the data.
 *
 * As a file it is safetensors, so that Python reads it with numpy alone. Events are columns, one tensor per
 * field: lanes.0.events.start_ns U64 · end_ns U64 · tile U32 · rank U32 · op U16 · unit I16 · kind, clock,
 * worker, from U8 lanes.0.off_core.ns U64, one per worker, where the processor times were told; readers that
 * don't know it pass it over lanes.0.evaluation.… where the test set was gone through: files/evaluation.h
 *   lanes.0.before.NAME F32: what the update changed in place, as the step found it · lanes.0.walks.N.…
 * (recording_walk.c) lanes.0.losses F32 · lanes.0.step_ns U64 (as many) · lanes.0.tensors.NAME F32 or I32
 *   lanes.0.finer.start_ns … as the events' columns: of the same step, cut finer, where that was recorded
 *   lanes.0.accuracies.steps U64 · value F64 (0 … 1), where the test set was gone through
 * The rest is text in __metadata__: format = "lockstep.recording", version, program, date, step, start_ns,
 * and as JSON: plan (facts, tensors, ops), lanes (device, tilings, clock error, dropped), options,
 * conditions, and lab where there are results of experiments. A file of another version is refused, except
 * older ones that this can read: 1 has neither walks nor values of before, 2 no finer cuts; up to 3 a lane is
 * known by its backend alone. A new field that old readers must know raises LS_RECORDING_VERSION.
 */
#pragma once

#include "backends/backend.h"
#include "files/evaluation.h"
#include "trace/curve.h"

G_BEGIN_DECLS

#define LS_RECORDING_VERSION   4
#define LS_RECORDING_OLDEST    1
#define LS_RECORDING_MAX_LANES 16
#define LS_RECORDING_MAX_OPS   4096
#define LS_RECORDING_MAX_ROWS  (1 << 24) /* events, losses or step times of a lane */

/* A tensor of the plan: what it is, not its values. */
typedef struct {
  char *name, *symbol;
  LsDtype dtype;
  LsRole role;
  gint layer;
  guint rank;
  gint64 shape[LS_MAX_RANK];
  gboolean is_view; /* its values are those of shapes[base] from element `first` on */
  guint base;
  gint64 first;
} LsRecordedShape;

typedef struct {
  char *name; /* its class: "matmul" */
  LsPhase phase;
  gint layer;
  char *symbol, *equation;
  guint n_in, n_out;
  guint in[LS_OP_MAX_IN], out[LS_OP_MAX_OUT]; /* positions in the recording's shapes */
  LsOpAttr attr;
  gint64 flops, bytes;
} LsRecordedOp;

/* The values of one of a lane's tensors after the step. */
typedef struct {
  guint shape;  /* position in the recording's shapes: name, dtype and size are there */
  void *values; /* float or gint32 */
} LsRecordedTensor;

/* The same step done once more before, for looking at: from the same weights on the same batch, cut into more
 * tiles. What it changed was taken back, so the run knows nothing of it. Immutable, reference-counted. */
typedef struct {
  gint ref_count;
  LsTiling *tilings; /* n_ops */
  GArray *events;    /* LsEvent */
  guint64 start_ns, end_ns;
  gboolean same; /* it left the very bits behind that the step as trained left, in all weights and states */
} LsRecordedCut;

/* tilings, n_ops of them, are copied; events are taken over. */
LsRecordedCut *ls_recorded_cut_new (const LsTiling *tilings, guint n_ops, GArray *events, guint64 start_ns,
                                    guint64 end_ns);
void ls_recorded_cut_unref (LsRecordedCut *cut);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (LsRecordedCut, ls_recorded_cut_unref)

typedef struct {
  char *id;                 /* as train/lane_spec.h has it; sealing gives those without one their backend's */
  char *spec;               /* as --lanes has it: "opencl:0(kernel=tiled)" */
  LsDeviceInfo *device;     /* device->backend is the lane's backend */
  LsTiling *tilings;        /* n_ops */
  GArray *events;           /* LsEvent, sorted as ls_trace_collect() does */
  double clock_error_ns;    /* of the device's clock, mapped */
  guint64 dropped;          /* events that found no room */
  guint64 start_ns, end_ns; /* the step, on the host's clock */
  GArray *off_core; /* guint64 for each worker: ns that it was off its core in its tiles, at least; shared;
                       NULL: not told */
  LsCurve *curve;  /* of every step up to this one: loss (NAN is kept) and step_us; NULL: none. The run's own,
                      shared */
  guint64 n_steps; /* points of it that are the recording's; the run may have gone on */
  GArray *accuracies; /* LsAccuracy up to this step, by steps; shared and never changed; NULL: none */
  GArray *tensors;    /* LsRecordedTensor */
  GArray *before;     /* LsRecordedTensor: weights as the step found them; tensors has them as it left them */
  GPtrArray *walks;   /* LsWalk, shared; the newest last */
  LsEvaluation *evaluation; /* of the test set, the newest before the step; NULL: none. Shared with the run */
  LsRecordedCut *finer;     /* the step cut finer; NULL: it wasn't */
} LsRecordedLane;

typedef struct {
  gint ref_count;
  char *program;    /* "Lockstep 0.1.0" */
  char *date;       /* ISO 8601, UTC */
  guint64 step;     /* counted from 1, as LsHyper.step */
  guint64 start_ns; /* the earliest event of all lanes: zero of the drawn time axis */

  char *model;      /* spec */
  char *model_name; /* preset, or NULL */
  LsOptimizer optimizer;
  guint batch;
  gint64 in_shape[3];
  gint n_classes;
  char *class_names; /* one a line; NULL: they are called 0, 1, 2 … */
  gint64 flops, bytes;
  guint n_shapes;
  LsRecordedShape *shapes; /* the plan's tensors, in its order: ids are the same */
  guint n_ops;
  LsRecordedOp *ops;

  guint n_lanes;
  LsRecordedLane *lanes;
  GHashTable *options;    /* name → text, as ls_options_get() gives it */
  gboolean turns;         /* the lanes took turns */
  guint warm_up;          /* so many first steps are no samples */
  GHashTable *conditions; /* what else the figures depend on, key → text: "evidence" → "measured"; those two
                             are there, too */
  char *lab; /* results of experiments with these lanes (lab/result.h), as JSON text; NULL: none */
} LsRecording;

/* With the plan's facts, program and date filled in; lanes are empty, each with device NULL, zeroed tilings,
 * empty arrays and no curve, for the caller to fill before anyone else sees the recording: device is taken
 * over, tilings and arrays are written to, the curve is set; then ls_recording_seal(). */
LsRecording *ls_recording_new (const LsPlan *plan, guint n_lanes, guint64 step);
/* In the conditions: how many steps an epoch has; absent in older ones, and where a step was all there was.
 */
#define LS_CONDITION_EPOCH "steps an epoch"
/* What the data's classes are called, n_classes of them; NULL: by number. */
void ls_recording_name_classes (LsRecording *recording, char *const *names);
/* Both figures and their texts in the conditions. */
void ls_recording_set_conditions (LsRecording *recording, gboolean turns, guint warm_up);
/* Copies plan->tensors[tensor]'s values into lane's tensors. */
void ls_recording_add_tensor (LsRecording *recording, guint lane, guint tensor, const void *values);
/* The same with values (transfer full), of g_malloc(). */
void ls_recording_take_tensor (LsRecording *recording, guint lane, guint tensor, void *values);
/* A tensor's values as the step found them, (transfer full), of g_malloc(). */
void ls_recording_take_before (LsRecording *recording, guint lane, guint tensor, void *values);
/* The lane's history: the first n_steps points of curve, which is shared, not copied: whoever appends to it
 * may go on. */
void ls_recording_set_history (LsRecording *recording, guint lane, LsCurve *curve, guint64 n_steps);
/* What the test set gave up to the recording's step: of accuracies (LsAccuracy, by steps, never changed),
 * which may be NULL or have later ones. */
void ls_recording_set_accuracies (LsRecording *recording, guint lane, GArray *accuracies);
/* Sets start_ns, and checks everything as a reader would. LS_ERROR_DATA names the first thing that is wrong,
 * as a clause
 * ("the recording is inconsistent: …"). */
gboolean ls_recording_seal (LsRecording *recording, GError **error);
/* The lane with that id; −1: there is none. */
gint ls_recording_find (const LsRecording *recording, const char *id);
/* Elements, or −1 if their bytes overflow. */
gint64 ls_recorded_shape_count (const LsRecordedShape *shape);
gint64 ls_recorded_shape_bytes (const LsRecordedShape *shape);
/* Bytes that the op reads of an input, or reads and writes in all, on a lane of that precision: as the plan
 * in it has them. */
gint64 ls_recorded_input_bytes (const LsRecording *recording, guint op, guint input, LsPrecision precision);
gint64 ls_recorded_op_bytes (const LsRecording *recording, guint op, LsPrecision precision);
LsRecording *ls_recording_ref (LsRecording *recording);
void ls_recording_unref (LsRecording *recording);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (LsRecording, ls_recording_unref)

/* The same step with one more walk, and the device's limits where they aren't all NULL (LS_ROOF_N figures);
 * both may be NULL. Everything is shared with it. (transfer full); error as of ls_recording_seal(). */
LsRecording *ls_recording_with_walk (LsRecording *recording, guint lane, LsWalk *walk, const LsFigure *roofs,
                                     GError **error);
/* The same step with these results of experiments, which may be NULL; everything else is shared. (transfer
 * full) */
LsRecording *ls_recording_with_lab (LsRecording *recording, const char *lab);
/* Both are the same recorded step, one with more in it than the other. */
gboolean ls_recording_shares_step (const LsRecording *a, const LsRecording *b);
/* The newest walk of that lane that is what was wished for, or NULL. */
const LsWalk *ls_recording_walk (const LsRecording *recording, guint lane, const LsWalkWish *wish);

/* The same step without the tensors' values; events and curves are shared with it. (transfer full): itself,
 * if it has none. */
LsRecording *ls_recording_without_tensors (LsRecording *recording);
/* What it keeps in memory; without the curves, which are the run's, and the allocator's overhead. */
gsize ls_recording_bytes (const LsRecording *recording);

/* The values of the tensor at that position of the shapes on that lane, or NULL: a view's are its base's. */
const void *ls_recording_values_at (const LsRecording *recording, guint lane, guint tensor);
/* The values of the named tensor on that lane, or NULL; its shape in *shape, which may be NULL. */
const void *ls_recording_values (const LsRecording *recording, guint lane, const char *name,
                                 const LsRecordedShape **shape);

/* The same as the step found them: of what the update changed, where that was kept, its values of before. */
const void *ls_recording_values_before (const LsRecording *recording, guint lane, const char *name,
                                        const LsRecordedShape **shape);

/* Where an LS_EVENT_TILE or LS_EVENT_GROUP lies in its op's grid, by the numbering of core/tiling.h. part:
 * which part of a split sum it computes, −1 where the sum isn't split or the event doesn't say. FALSE: no
 * tile, or one that adds up parts. */
gboolean ls_recorded_tile (const LsRecordedLane *lane, const LsEvent *event, guint *row, guint *col,
                           gint *part);

/* Errors: LS_ERROR_FILE. */
gboolean ls_recording_save (const LsRecording *recording, const char *path, GError **error);
/* Reads and checks all of it. Errors: LS_ERROR_FILE, LS_ERROR_DATA, LS_ERROR_MEMORY. */
LsRecording *ls_recording_load (const char *path, GError **error);

G_END_DECLS
