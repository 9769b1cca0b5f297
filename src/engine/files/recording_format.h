/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The recording's file format as tables, which its writer and its reader share, and what else recording's
 * files share.
 */
#pragma once

#include "files/fields.h"
#include "files/recording.h"
#include "files/safetensors.h"

G_BEGIN_DECLS

#define LS_RECORDING_FORMAT "lockstep.recording"

/* One field of all events, as one tensor. */
typedef struct {
  const char *name; /* "start_ns" */
  LsStDtype dtype;
  gsize offset; /* in LsEvent */
  guint shift;  /* the file holds the member shifted right so far: lane_clock without its lane */
} LsEventColumn;

typedef struct {
  const LsField *fields;
  guint n;
} LsFieldTable;

extern const LsEventColumn ls_event_columns[];
extern const guint ls_n_event_columns;
extern const LsFieldTable ls_recording_plan_table;   /* LsRecording */
extern const LsFieldTable ls_recorded_shape_table;   /* LsRecordedShape */
extern const LsFieldTable ls_recorded_op_table;      /* LsRecordedOp */
extern const LsFieldTable ls_recorded_lane_table;    /* LsRecordedLane */
extern const LsFieldTable ls_recorded_cut_table;     /* LsRecordedCut */
extern const LsFieldTable ls_recording_device_table; /* LsDeviceInfo */
extern const LsFieldTable ls_recording_tiling_table; /* LsTiling */
extern const LsSafetensorsLimits ls_recording_limits;

/* An empty one, with room for its arrays' heads only. */
LsRecording *ls_recording_alloc (guint n_lanes);

/* recording_read.c: FALSE, and the error is LS_ERROR_DATA with those words. */
gboolean ls_recording_wrong (GError **error, const char *format, ...) G_GNUC_PRINTF (2, 3);
/* recording_columns.c. used: tensors of the file that were read. The lane's tilings, and its finer step if
 * the file has one, are there. */
gboolean ls_recording_read_columns (LsSafetensors *file, guint *used, LsRecording *recording, guint lane,
                                    GError **error);
/* ---- recording_walk.c ---- */
gboolean ls_recording_check_walks (const LsRecording *recording, guint lane, GError **error);
void ls_recording_append_walks (GString *out, const LsRecordedLane *lane); /* a member of the lane's object */
void ls_recording_append_roofs (GString *out, const LsDeviceInfo *device); /* of the device's */
void ls_recording_add_walks (LsSafetensorsWriter *writer, const LsRecording *recording, guint lane);
/* used: tensors of the file that were read. Missing members are no fault: version 1 has none. */
gboolean ls_recording_read_walks (LsSafetensors *file, guint *used, LsRecordedLane *lane, guint index,
                                  const json_t *object, GError **error);
gboolean ls_recording_read_roofs (LsDeviceInfo *device, const json_t *object, GError **error);
/* recording_numbers.c: of a device; older recordings have them as texts among its facts */
void ls_recording_append_numbers (GString *out, const LsDeviceInfo *device);
gboolean ls_recording_read_numbers (LsDeviceInfo *device, const json_t *object, GError **error);
/* recording_accuracy.c */
void ls_recording_write_accuracies (const LsRecordedLane *lane, LsSafetensorsWriter *writer, guint number,
                                    GPtrArray *columns);
gboolean ls_recording_read_accuracies (LsSafetensors *file, guint number, LsRecordedLane *lane, guint *used,
                                       GError **error);
char *ls_recording_check_accuracies (const LsRecording *recording, guint number);
/* recording_off_core.c */
void ls_recording_write_off_core (const LsRecordedLane *lane, LsSafetensorsWriter *writer, guint number);
gboolean ls_recording_read_off_core (LsSafetensors *file, guint number, LsRecordedLane *lane, guint *used,
                                     GError **error);
char *ls_recording_check_off_core (const LsRecording *recording, guint number);

G_END_DECLS
