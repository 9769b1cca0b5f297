/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the program and the process of its OpenCL lane (process.h) say to each other: a line, a JSON object,
 * with "bytes": N, and after it N bytes, arrays one after the other, whose lengths follow from what both
 * know. Both are the same program, so numbers are as they lie in memory; but a kernel may have run wild in
 * that process, so nothing that comes from it is believed unseen.
 */
#pragma once

#include "backends/backend.h"
#include "backends/kernel_files.h"
#include "files/json.h"

G_BEGIN_DECLS

/* Bytes that a line may have: all files of kernels_cl/ with quotes; and those that follow it. */
#define LS_WIRE_MAX_LINE  (64u << 20)
#define LS_WIRE_MAX_BYTES ((gsize) 32 << 30)

/* In a run's batch: whose positions follow. */
enum {
  LS_WIRE_TRAIN,
  LS_WIRE_TEST,
  LS_WIRE_OTHER, /* none's: the samples and labels themselves, behind their LsDataset */
};

/* Where bytes are followed by numbers. */
#define LS_WIRE_ALIGN          8
#define LS_WIRE_ALIGNED(bytes) (((bytes) + LS_WIRE_ALIGN - 1) / LS_WIRE_ALIGN * LS_WIRE_ALIGN)

/* ---- what is sent ---- */

typedef struct {
  gconstpointer data;
  gsize size;
} LsWirePiece;

typedef struct {
  json_t *head;
  GArray *pieces; /* LsWirePiece, not owned: they stay until it is sent */
  GPtrArray *own; /* made for this message */
} LsWireOut;

LsWireOut *ls_wire_out_new (const char *what);
void ls_wire_out_free (LsWireOut *out);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (LsWireOut, ls_wire_out_free)
/* size may be 0. */
void ls_wire_put (LsWireOut *out, gconstpointer data, gsize size);
/* The same of a copy. */
void ls_wire_put_copy (LsWireOut *out, gconstpointer data, gsize size);
/* Of all pieces; the head says so then. */
gsize ls_wire_close (LsWireOut *out);

/* ---- what came ---- */

typedef struct {
  json_t *head;
  guint8 *bytes;
  gsize size, at;
} LsWireIn;

void ls_wire_in_clear (LsWireIn *in);
/* Takes over head, and makes room for what follows it. LS_ERROR_DATA, LS_ERROR_MEMORY. */
gboolean ls_wire_begin (LsWireIn *in, json_t *head, GError **error);
/* The next bytes, which stay in's; NULL with LS_ERROR_DATA: so many aren't left. size ≥ 1 or the result is
 * not to be read. */
gconstpointer ls_wire_next (LsWireIn *in, gsize size, GError **error);
gboolean ls_wire_get (LsWireIn *in, gpointer to, gsize size, GError **error);

/* ---- things that go both ways ---- */

/* A model's plan, which is made anew from a few numbers. NULL: it is another one than that which was put.
 * (transfer full) */
void ls_wire_put_plan (json_t *head, const LsPlan *plan);
LsPlan *ls_wire_get_plan (const json_t *head, GError **error);
/* Both sets. (transfer full) */
void ls_wire_put_data (LsWireOut *out, const LsData *data);
LsData *ls_wire_get_data (LsWireIn *in, GError **error);
/* A walk; (transfer full) */
void ls_wire_put_walk (LsWireOut *out, const LsWalk *walk);
LsWalk *ls_wire_get_walk (LsWireIn *in, GError **error);
/* "code" and "message". ls_wire_get_error(): FALSE, with that error, if there are. */
void ls_wire_put_error (json_t *head, const GError *error);
gboolean ls_wire_get_error (const json_t *head, GError **error);

G_END_DECLS
