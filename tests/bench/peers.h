/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * LsPeer: who takes part in the benchmark, one row each: our lanes, the library they build on, and others.
 * LsContender: one that was started, or the reason why it wasn't: a peer that isn't installed is named with
 * the package that has it. A new peer is a row in peers.c and a program or script that speaks worker.h's
 * lines.
 */
#pragma once

#include "core/options.h"
#include "lab/child.h"

G_BEGIN_DECLS

typedef enum {
  LS_PEER_CPU,
  LS_PEER_OPENCL,
  LS_PEER_OPENBLAS,
  LS_PEER_TORCH,
  LS_PEER_TORCH_NEW,
  LS_PEER_TORCH_COMPILED,
  LS_PEER_JAX,
  LS_PEER_CLBLAST,
  LS_PEER_ONEDNN,
  LS_PEER_N
} LsPeerId;

typedef struct {
  const char *name;       /* "torch": in bench.json */
  const char *title;      /* "PyTorch" */
  guint kinds;            /* LsWorkKind: what it can do */
  const char *file;       /* of the peers' folder; NULL: this program itself */
  gboolean python;        /* the file is a script */
  const char *package;    /* Debian's, or NULL */
  gboolean tries_threads; /* its best thread count is looked for, workload by workload */
  gboolean spins;         /* its threads go on for some time after its turn */
  guint limit_s;          /* for the preparation of one workload */
  guint budget_s;         /* for all of them, and for overstayed turns */
  gboolean venv;          /* run by the Python of build-peers, which `./dev bench --peers` makes */
  const char *argument;   /* a script's second one, or NULL */
} LsPeer;

const LsPeer *ls_peers (void); /* LS_PEER_N */

typedef struct {
  const LsPeer *peer;
  LsLabChild *child; /* NULL: it isn't here, or has failed for good */
  char *title;       /* what it says of itself; NULL */
  char *missing;     /* a sentence, why it isn't here; NULL */
  guint threads;     /* the most worth trying */
  double spent_s;    /* of the budget */
} LsContender;

/* The folder of the peers' programs that this build has; NULL if it isn't there. */
const char *ls_peers_folder (void);
/* Starts this program's own, and those of the others that can do one of `kinds`. folder: where the programs
 * of other libraries are, or NULL. */
void ls_contenders_start (LsContender contenders[LS_PEER_N], const LsOptions *options, const char *folder,
                          guint kinds);
void ls_contenders_clear (LsContender contenders[LS_PEER_N]);

G_END_DECLS
