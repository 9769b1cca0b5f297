/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A recording's events as CSV (RFC 4180, UTF-8, point as decimal sign): one row each, names spelt out. Times
 * are nanoseconds since the recording's first event; rows whose clock is "order" hold ranks there instead. A
 * tile without row and column adds up the parts of a split sum.
 */
#include "config.h"

#include <inttypes.h>

#include "files/export.h"
#include "files/text.h"

static const char header[]
  = "lane,backend,kind,op,op_class,symbol,phase,layer,tile,tile_row,tile_col,part,bytes,worker,from,"
    "unit,rank,clock,start_ns,end_ns,id\r\n";
static const char *const clock_names[] = { "host", "device", "order" };

static void
append_number (GString *out, gboolean present, gint64 value)
{
  if (present)
    g_string_append_printf (out, "%" PRId64, value);
  g_string_append_c (out, ',');
}

static void
append_text (GString *out, const char *text)
{
  ls_text_append_csv (out, text);
  g_string_append_c (out, ',');
}

/* op … bytes */
static void
append_op (GString *out, const LsRecording *recording, const LsRecordedLane *lane, const LsEvent *e)
{
  const LsRecordedOp *op = e->op != LS_OP_NONE ? &recording->ops[e->op] : NULL;
  gboolean tiled = e->kind == LS_EVENT_TILE || e->kind == LS_EVENT_GROUP;
  gboolean copy = ls_event_is_copy (e);
  gint64 moved = ls_event_moved (e);
  guint row = 0, col = 0;
  gint part = -1;
  gboolean placed = ls_recorded_tile (lane, e, &row, &col, &part);

  append_number (out, op != NULL, e->op);
  append_text (out, op != NULL ? op->name : NULL);
  append_text (out, op != NULL ? op->symbol : NULL);
  append_text (out, op != NULL ? ls_phase_name (op->phase) : NULL);
  append_number (out, op != NULL && op->layer >= 0, op != NULL ? op->layer : 0);
  append_number (out, tiled, e->tile);
  append_number (out, placed, row);
  append_number (out, placed, col);
  append_number (out, part >= 0, part);
  append_number (out, copy || moved >= 0, copy ? e->tile : moved);
}

static void
append_event (GString *out, const LsRecording *recording, guint index, const LsEvent *e)
{
  const LsRecordedLane *lane = &recording->lanes[index];
  guint64 zero = LS_EVENT_CLOCK (e) == LS_CLOCK_ORDER ? 0 : recording->start_ns;

  append_number (out, TRUE, index);
  append_text (out, lane->device->backend);
  append_text (out, ls_event_kind_name (e->kind));
  append_op (out, recording, lane, e);
  append_number (out, e->worker != LS_WORKER_NONE, e->worker);
  append_number (out, e->from != LS_WORKER_NONE, e->from);
  append_number (out, e->unit != LS_UNIT_NONE, e->unit);
  append_number (out, e->rank != LS_RANK_NONE, e->rank);
  append_text (out, clock_names[LS_EVENT_CLOCK (e)]);
  g_string_append_printf (out, "%" PRIu64 ",%" PRIu64 ",", e->start_ns - zero, e->end_ns - zero);
  ls_text_append_csv (out, lane->id);
  g_string_append (out, "\r\n");
}

GString *
ls_export_csv (const LsRecording *recording)
{
  GString *out = g_string_new (header);

  for (guint l = 0; l < recording->n_lanes; l++)
    for (guint i = 0; i < recording->lanes[l].events->len; i++)
      append_event (out, recording, l, &g_array_index (recording->lanes[l].events, LsEvent, i));
  return out;
}
