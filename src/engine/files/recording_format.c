/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a recording's file holds, member by member. A change that old programs would misread raises
 * LS_RECORDING_VERSION.
 */
#include "config.h"
#include "files/recording_format.h"

#include <glib/gi18n-lib.h>

#define WITH_COUNT(Struct, member, n_member)                                                                 \
  .size = G_N_ELEMENTS (((Struct *) NULL)->member), .count_offset = G_STRUCT_OFFSET (Struct, n_member)
/* clang-format off */
#define TABLE(name) { name, G_N_ELEMENTS (name) }
#define COLUMN(member, type) { #member, type, G_STRUCT_OFFSET (LsEvent, member), 0 }
/* clang-format on */

const LsEventColumn ls_event_columns[] = {
  COLUMN (start_ns, LS_ST_U64), COLUMN (end_ns, LS_ST_U64),
  COLUMN (tile, LS_ST_U32),     COLUMN (rank, LS_ST_U32),
  COLUMN (op, LS_ST_U16),       COLUMN (unit, LS_ST_I16),
  COLUMN (kind, LS_ST_U8),      { "clock", LS_ST_U8, G_STRUCT_OFFSET (LsEvent, lane_clock), 4 },
  COLUMN (worker, LS_ST_U8),    COLUMN (from, LS_ST_U8),
};
const guint ls_n_event_columns = G_N_ELEMENTS (ls_event_columns);

static const char *const optimizer_names[] = { "sgd", "adam", NULL };
static const char *const dtype_names[] = { [LS_F32] = "F32", [LS_I32] = "I32", NULL }; /* as values are kept
                                                                                        */
static const char *const role_names[] = { "input", "label", "weight", "gradient", "state", "activation",
                                          "delta", "index", "loss",   "zero",     NULL };
static const char *const phase_names[] = { "input", "forward", "loss", "backward", "update", NULL };

G_STATIC_ASSERT (G_N_ELEMENTS (optimizer_names) == LS_OPTIMIZER_ADAM + 2);
G_STATIC_ASSERT (G_N_ELEMENTS (dtype_names) == LS_I32 + 2);
G_STATIC_ASSERT (G_N_ELEMENTS (role_names) == LS_ROLE_ZERO + 2);
G_STATIC_ASSERT (G_N_ELEMENTS (phase_names) == LS_PHASE_UPDATE + 2);

static const LsField plan_fields[] = {
  { LS_FIELD (LsRecording, model, LS_FIELD_TEXT) },
  { LS_FIELD (LsRecording, model_name, LS_FIELD_TEXT_OR_NULL) },
  { LS_FIELD (LsRecording, optimizer, LS_FIELD_NAME), .names = optimizer_names },
  { LS_FIELD (LsRecording, batch, LS_FIELD_UINT), .min = 1, .max = G_MAXINT32 },
  { LS_FIELD (LsRecording, in_shape, LS_FIELD_INT64S), .size = 3, .count_offset = -1, .min = 1,
    .max = G_MAXINT32 },
  { LS_FIELD (LsRecording, n_classes, LS_FIELD_INT), .min = 1, .max = G_MAXINT32 },
  { LS_FIELD (LsRecording, class_names, LS_FIELD_TEXT_OR_NULL), .optional = TRUE },
  { LS_FIELD (LsRecording, flops, LS_FIELD_INT64), .max = G_MAXINT64 },
  { LS_FIELD (LsRecording, bytes, LS_FIELD_INT64), .max = G_MAXINT64 },
};

static const LsField shape_fields[] = {
  { LS_FIELD (LsRecordedShape, name, LS_FIELD_TEXT) },
  { LS_FIELD (LsRecordedShape, symbol, LS_FIELD_TEXT) },
  { LS_FIELD (LsRecordedShape, dtype, LS_FIELD_NAME), .names = dtype_names },
  { LS_FIELD (LsRecordedShape, role, LS_FIELD_NAME), .names = role_names },
  { LS_FIELD (LsRecordedShape, layer, LS_FIELD_INT), .min = -1, .max = G_MAXINT32 },
  { LS_FIELD (LsRecordedShape, shape, LS_FIELD_INT64S), WITH_COUNT (LsRecordedShape, shape, rank), .min = 1,
    .max = G_MAXINT32 },
  { LS_FIELD (LsRecordedShape, is_view, LS_FIELD_BOOL), .optional = TRUE },
  { LS_FIELD (LsRecordedShape, base, LS_FIELD_UINT), .optional = TRUE, .max = G_MAXINT32 },
  { LS_FIELD (LsRecordedShape, first, LS_FIELD_INT64), .optional = TRUE, .max = G_MAXINT32 },
};

#define ATTR(member, kind)                                                                                   \
  .name = #member, .type = kind,                                                                             \
  .offset = G_STRUCT_OFFSET (LsRecordedOp, attr) + G_STRUCT_OFFSET (LsOpAttr, member)

static const LsField op_fields[] = {
  { LS_FIELD (LsRecordedOp, name, LS_FIELD_TEXT) },
  { LS_FIELD (LsRecordedOp, phase, LS_FIELD_NAME), .names = phase_names },
  { LS_FIELD (LsRecordedOp, layer, LS_FIELD_INT), .min = -1, .max = G_MAXINT32 },
  { LS_FIELD (LsRecordedOp, symbol, LS_FIELD_TEXT) },
  { LS_FIELD (LsRecordedOp, equation, LS_FIELD_TEXT) },
  { LS_FIELD (LsRecordedOp, in, LS_FIELD_UINTS), WITH_COUNT (LsRecordedOp, in, n_in), .max = G_MAXINT32 },
  { LS_FIELD (LsRecordedOp, out, LS_FIELD_UINTS), WITH_COUNT (LsRecordedOp, out, n_out), .max = G_MAXINT32 },
  { ATTR (ta, LS_FIELD_BOOL) },
  { ATTR (tb, LS_FIELD_BOOL) },
  { ATTR (m, LS_FIELD_INT64), .max = G_MAXINT64 },
  { ATTR (n, LS_FIELD_INT64), .max = G_MAXINT64 },
  { ATTR (k, LS_FIELD_INT64), .max = G_MAXINT64 },
  { ATTR (kernel, LS_FIELD_INT), .max = G_MAXINT32 },
  { ATTR (stride, LS_FIELD_INT), .max = G_MAXINT32 },
  { ATTR (pad, LS_FIELD_INT), .max = G_MAXINT32 },
  { ATTR (by_columns, LS_FIELD_BOOL), .optional = TRUE },
  { LS_FIELD (LsRecordedOp, flops, LS_FIELD_INT64), .max = G_MAXINT64 },
  { LS_FIELD (LsRecordedOp, bytes, LS_FIELD_INT64), .max = G_MAXINT64 },
};

static const LsField lane_fields[] = {
  { LS_FIELD (LsRecordedLane, id, LS_FIELD_TEXT), .optional = TRUE },
  { LS_FIELD (LsRecordedLane, spec, LS_FIELD_TEXT), .optional = TRUE },
  { LS_FIELD (LsRecordedLane, clock_error_ns, LS_FIELD_DOUBLE), .max = G_MAXINT64 },
  { LS_FIELD (LsRecordedLane, dropped, LS_FIELD_UINT64), .max = G_MAXINT64 },
  { LS_FIELD (LsRecordedLane, start_ns, LS_FIELD_UINT64), .max = G_MAXINT64 },
  { LS_FIELD (LsRecordedLane, end_ns, LS_FIELD_UINT64), .max = G_MAXINT64 },
};

static const LsField cut_fields[] = {
  { LS_FIELD (LsRecordedCut, start_ns, LS_FIELD_UINT64), .max = G_MAXINT64 },
  { LS_FIELD (LsRecordedCut, end_ns, LS_FIELD_UINT64), .max = G_MAXINT64 },
  { LS_FIELD (LsRecordedCut, same, LS_FIELD_BOOL) },
};

#define OPTIONAL_NUMBER .min = -1, .max = G_MAXINT64

static const LsField device_fields[] = {
  { LS_FIELD (LsDeviceInfo, backend, LS_FIELD_TEXT) },
  { LS_FIELD (LsDeviceInfo, name, LS_FIELD_TEXT_OR_NULL) },
  { LS_FIELD (LsDeviceInfo, kind, LS_FIELD_NAME_OR_NULL), .names = ls_device_kind_names },
  { LS_FIELD (LsDeviceInfo, driver, LS_FIELD_TEXT_OR_NULL) },
  { LS_FIELD (LsDeviceInfo, core, LS_FIELD_TEXT_OR_NULL), .optional = TRUE },
  { LS_FIELD (LsDeviceInfo, own_products, LS_FIELD_BOOL), .optional = TRUE },
  { LS_FIELD (LsDeviceInfo, version, LS_FIELD_TEXT_OR_NULL) },
  { LS_FIELD (LsDeviceInfo, tells, LS_FIELD_NAME_OR_NULL), .names = ls_tells_names },
  { LS_FIELD (LsDeviceInfo, threads, LS_FIELD_INT), .min = -1, .max = G_MAXINT32 },
  { LS_FIELD (LsDeviceInfo, units, LS_FIELD_INT), .min = -1, .max = G_MAXINT32 },
  { LS_FIELD (LsDeviceInfo, shares_cpu, LS_FIELD_BOOL) },
  { LS_FIELD (LsDeviceInfo, global_mem, LS_FIELD_INT64), OPTIONAL_NUMBER },
  { LS_FIELD (LsDeviceInfo, local_mem, LS_FIELD_INT64), OPTIONAL_NUMBER },
  { LS_FIELD (LsDeviceInfo, max_alloc, LS_FIELD_INT64), OPTIONAL_NUMBER },
  { LS_FIELD (LsDeviceInfo, max_group, LS_FIELD_INT64), OPTIONAL_NUMBER },
};

static const LsField tiling_fields[] = {
  { LS_FIELD (LsTiling, kernel, LS_FIELD_TEXT_IN_PLACE), .size = sizeof ((LsTiling *) NULL)->kernel },
  { LS_FIELD (LsTiling, way, LS_FIELD_NAME_OR_NULL), .names = ls_way_names, .optional = TRUE },
  { LS_FIELD (LsTiling, leader, LS_FIELD_UINT), .max = LS_RECORDING_MAX_OPS },
  { LS_FIELD (LsTiling, reference, LS_FIELD_BOOL) },
  { LS_FIELD (LsTiling, rows, LS_FIELD_INT64), .max = G_MAXINT64 },
  { LS_FIELD (LsTiling, cols, LS_FIELD_INT64), .max = G_MAXINT64 },
  { LS_FIELD (LsTiling, tile_rows, LS_FIELD_INT64), .max = G_MAXINT64 },
  { LS_FIELD (LsTiling, tile_cols, LS_FIELD_INT64), .max = G_MAXINT64 },
  { LS_FIELD (LsTiling, grid_rows, LS_FIELD_UINT), .max = G_MAXINT32 },
  { LS_FIELD (LsTiling, grid_cols, LS_FIELD_UINT), .max = G_MAXINT32 },
  { LS_FIELD (LsTiling, splits, LS_FIELD_UINT), .max = 65536 },
};

const LsFieldTable ls_recording_plan_table = TABLE (plan_fields);
const LsFieldTable ls_recorded_shape_table = TABLE (shape_fields);
const LsFieldTable ls_recorded_op_table = TABLE (op_fields);
const LsFieldTable ls_recorded_lane_table = TABLE (lane_fields);
const LsFieldTable ls_recorded_cut_table = TABLE (cut_fields);
const LsFieldTable ls_recording_device_table = TABLE (device_fields);
const LsFieldTable ls_recording_tiling_table = TABLE (tiling_fields);
const LsSafetensorsLimits ls_recording_limits = {
  .header_bytes = 16 << 20,
  .tensors = 16384,
  .file_bytes = G_GINT64_CONSTANT (4) << 30,
  .stranger = N_(
    "it is no recording. Recordings are made by the window and by “lockstep train --record FILE”."),
};
