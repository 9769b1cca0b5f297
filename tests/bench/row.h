/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * LsBenchRow: one workload with all who can do it, round by round: every round each of them has one turn, so
 * what disturbs the machine or warms it up is shared fairly; ratios are made round by round. Rounds beside
 * which other programs took more of the processor than LS_MACHINE_BUSY are left out, unless fewer than
 * LS_ROUNDS_NEEDED would be left.
 */
#pragma once

#include "core/figure.h"
#include "beside.h"
#include "peers.h"
#include "work.h"

G_BEGIN_DECLS

#define LS_ROUNDS_MAX    64
#define LS_ROUNDS_NEEDED 3

typedef struct {
  gboolean here;                 /* it took part to the end */
  char *how, *failed;            /* what it said, why not; NULL */
  guint threads;                 /* 0: not said */
  GArray *rounds[LS_ROUNDS_MAX]; /* double: µs of each step */
  LsFigure us;                   /* of all kept rounds */
} LsBenchEntry;

typedef struct {
  const LsWork *work;
  LsWorkCost cost;
  guint n_rounds;
  double others[LS_ROUNDS_MAX]; /* cores that other programs used, at the worst turn; −1: not known */
  gboolean kept[LS_ROUNDS_MAX];
  guint n_disturbed; /* of all */
  gboolean left_out; /* … and they aren't in the figures */
  LsBenchEntry entries[LS_PEER_N];
} LsBenchRow;

LsBenchRow *ls_bench_row_new (const LsWork *work, GError **error);
void ls_bench_row_free (LsBenchRow *row);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (LsBenchRow, ls_bench_row_free)

/* Runs it (row_run.c). Who fails is told on the terminal and stays out of the rest of the row. */
void ls_bench_row_run (LsBenchRow *row, LsContender contenders[LS_PEER_N], double seconds, guint rounds,
                       const LsBeside *beside);

/* ---- its figures (row.c): pure ---- */

/* Decides on the rounds and fills the entries' figures. */
void ls_bench_row_finish (LsBenchRow *row);
/* How many times as fast a is as b: of the medians of each kept round; derived. n = 0: one of them has
 * none. */
LsFigure ls_bench_row_ratio (const LsBenchRow *row, LsPeerId a, LsPeerId b);
/* The fastest of those that are neither lanes nor OpenBLAS, which does a part of the work; LS_PEER_N: there
 * is none. After ls_bench_row_finish(). */
LsPeerId ls_bench_row_best (const LsBenchRow *row);
/* What is kept of the samples: left_out and condition as ls_bench_row_finish() says. */
LsFigure ls_bench_row_figure (const LsBenchRow *row, GArray *const rounds[]);

G_END_DECLS
