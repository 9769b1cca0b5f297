/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * LsWalk: what one work-group of a matrix product had in front of it, product by product, and when, read back
 * from the device. A rung of the ladder is run again for that on a recorded step's own inputs, in a variant
 * that keeps local memory and stamps its phases (kernels_cl/walk.clh); the result is held against what the
 * lane had computed. Immutable once made, shared by recordings, counted by an atomic.
 */
#pragma once

#include "core/figure.h"
#include "model/ladder.h"

G_BEGIN_DECLS

#define LS_WALK_PRODUCTS   16         /* in a round of kernels that have no tiles along k */
#define LS_WALK_MAX_FLOATS (2u << 20) /* of values in a walk; those of later rounds are left out */
#define LS_WALK_MAX_EDGE   4096       /* of a tile */
#define LS_WALK_MAX_ROUNDS (1 << 20)

/* The stamps of a round. Behind the last round: LOAD: the loop is over; ARRIVED: the results are stored. */
typedef enum {
  LS_WALK_LOAD,     /* the first work-item begins to load; the round begins */
  LS_WALK_ARRIVED,  /* the last one has loaded */
  LS_WALK_PASSED,   /* the barrier lets them go */
  LS_WALK_MULTIPLY, /* they begin to multiply: since PASSED the instrumented kernel copied local memory out */
  LS_WALK_MULTIPLIED, /* the last one has multiplied */
  LS_WALK_N_STAMPS,
} LsWalkStamp;

typedef struct {
  gint ref_count;
  guint op;             /* of the plan, or the recording */
  guint rung;           /* LsRung */
  guint row, col;       /* the work-group */
  guint rows, cols;     /* of work-groups */
  gint64 splits;        /* parts that the sum is cut into; the walk goes through the first */
  guint tile_m, tile_n; /* elements of C that it works on at a time */
  guint tile_k;         /* products in a round */
  guint item_m, item_n; /* elements of C per work-item */
  gint64 first_m;       /* the first row of C */
  gint64 *columns;      /* tile_n columns of C; −1: none */
  gint64 products;      /* of the sum's first part */
  guint rounds;         /* ⌈products / tile_k⌉ */
  guint kept;           /* rounds whose values were kept */
  float *a;             /* kept · tile_k products × tile_m; 0 beyond the edge */
  float *b;             /* kept · tile_k products × tile_n */
  gint64 *times_ns; /* (rounds + 1) × LS_WALK_N_STAMPS, since the first; −1: no such stamp; NULL: the device
                       has no ticks */
  gint64 kernel_ns;      /* of the launch with the stamps, as the device's events tell; 0: not known */
  gboolean alone;        /* the other work-groups had nothing to do: the product is too large to be run for a
                            picture */
  gint64 compared, same; /* elements of the result that were held against the lane's own; of them with the
                            same bits */
  double delta;          /* max |Δ| of those */
  char *message;         /* why there is nothing but this: one sentence; NULL */
} LsWalk;

LsWalk *ls_walk_new (void);
LsWalk *ls_walk_ref (LsWalk *walk);
void ls_walk_unref (LsWalk *walk);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (LsWalk, ls_walk_unref)

/* How long that phase of the round took, −1: not stamped. Of LOAD: until ARRIVED; of ARRIVED: until PASSED;
 * of MULTIPLY: until MULTIPLIED; of MULTIPLIED: until the next round begins. */
gint64 ls_walk_phase_ns (const LsWalk *walk, guint round, LsWalkStamp from);
/* The whole round, without the copying; −1: not known. round = rounds: the storing. */
gint64 ls_walk_round_ns (const LsWalk *walk, guint round);
/* All of it, without the copying; −1. */
gint64 ls_walk_span_ns (const LsWalk *walk);
gsize ls_walk_bytes (const LsWalk *walk);

/* What is to be walked through. */
#define LS_WALK_NO_OP   (-1)
#define LS_WALK_ALL_OPS (-2) /* every product, with the tiled rung and with the lane's own */
#define LS_WALK_ROOFS   (-3) /* none: what measures the device alone, for LsBackend.warm_walk() */
typedef struct {
  gint op;       /* or LS_WALK_NO_OP, LS_WALK_ALL_OPS */
  gint rung;     /* LsRung; −1: none is known to have run, so the tiled one */
  gint row, col; /* the work-group; −1: the one that the picture begins with */
} LsWalkWish;

/* The walk is what was wished for. */
gboolean ls_walk_matches (const LsWalk *walk, const LsWalkWish *wish);
/* Which of n work-groups along the rows, or the columns, of the grid: the asked one, or the one a picture
 * begins with. */
guint ls_walk_row (gint asked, guint n);
guint ls_walk_col (gint asked, guint n);

/* A device's limits, each measured by a small kernel of its own. n == 0: not measured. */
typedef enum {
  LS_ROOF_FLOPS,  /* FLOP/s of multiply-adds in registers */
  LS_ROOF_MEMORY, /* bytes/s of a triad over memory */
  LS_ROOF_LOCAL,  /* bytes/s of loads from local memory; on the CPU lane from the first cache */
  LS_ROOF_L2,     /* bytes/s of loads from the CPU's second cache, */
  LS_ROOF_L3,     /* and from the third, which all workers share */
  LS_ROOF_ONE,    /* FLOP/s as LS_ROOF_FLOPS, of one core while the others rest */
  LS_ROOF_LAUNCH, /* launches/s of work that is nothing: of the pool's workers, or of kernels in a queue */
  LS_ROOF_GEMM, /* FLOP/s of the CPU lane's own matrix product on operands in the second cache: no limit, but
                   what its code makes of LS_ROOF_FLOPS */
  LS_ROOF_N,
  LS_ROOF_OLDEST_N = LS_ROOF_L2, /* that older recordings have */
} LsRoof;

const char *ls_roof_unit (LsRoof roof);
/* The fastest of n rates: a limit is what nothing else disturbed; of LS_ROOF_GEMM, which is none, the
 * upper quartile. Their middle half goes with it. Sorts rates. */
LsFigure ls_roof_of_samples (double *rates, gsize n, LsRoof roof);

G_END_DECLS
