/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The parts of `lockstep bench`: a backend that trains by itself without a coordinator (bench_lane.c), and another
 * program that trains the same network (bench_peer.c).
 */
#pragma once

#include "backends/backend.h"
#include "data/batcher.h"
#include "data/dataset.h"
#include "core/figure.h"

G_BEGIN_DECLS

/* ---- one of our lanes ---- */

typedef struct {
  const LsBackend *backend;
  gpointer self;
  LsPlan *plan;
  LsData *data;
  LsBatcher *batcher;
  LsHyper hyper;
  guint64 step;              /* done */
} LsBenchLane;

/* Opens, prepares and writes the initial weights. Errors: the backend's. */
LsBenchLane *ls_bench_lane_new  (const LsBackend *backend, const LsOptions *options, LsPlan *plan, LsData *data,
                                 GError **error);
void         ls_bench_lane_free (LsBenchLane *lane);
/* Trains for that long, in turns as `train` does, and appends each step's µs to times (double). */
gboolean     ls_bench_lane_train (LsBenchLane *lane, double seconds, GArray *times, GError **error);
/* Pairs of steps, one plain and one recorded, until the time is over; appends to each list. *events: of the last one. */
gboolean     ls_bench_lane_record (LsBenchLane *lane, double seconds, GArray *plain, GArray *recorded, guint *events,
                                   GError **error);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (LsBenchLane, ls_bench_lane_free)

/* ---- the peer ---- */

typedef struct _LsBenchPeer LsBenchPeer;

/* Starts script with the first Python that can run it; its first line says what it is. LS_ERROR_DEVICE if none can: the
 * message says what is missing. */
LsBenchPeer *ls_bench_peer_new   (const char *script, GError **error);
void         ls_bench_peer_free  (LsBenchPeer *peer);
const char  *ls_bench_peer_title (const LsBenchPeer *peer);   /* "PyTorch 1.13.1 with MKL" */
guint        ls_bench_peer_threads (const LsBenchPeer *peer); /* the most it is worth trying */
/* Has it train for that long with so many threads, and appends each step's µs. */
gboolean     ls_bench_peer_train (LsBenchPeer *peer, guint threads, double seconds, GArray *times, GError **error);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (LsBenchPeer, ls_bench_peer_free)

G_END_DECLS
