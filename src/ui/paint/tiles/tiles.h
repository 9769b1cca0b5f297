/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the files of Tiles share: one work-group's walk along k through a kernel of the ladder.
 *
 * What is known and what isn't: where the kernel was run again for it (model/walk.h), values are what its
 * local memory held, and phases lasted as long as it stamped them. Elsewhere the values are the recorded
 * step's tensors, of which the kernel's tiles are parts by definition, and a phase's length is modelled,
 * within a whole that may have been recorded. The counts follow from the kernel's text; in which order the
 * work-items of a group load is modelled always.
 */
#pragma once

#include "backends/listing.h"
#include "model/ladder.h"
#include "ui/paint/parts/view.h"

G_BEGIN_DECLS

/* A convolution as an implicit matrix product: kernels_cl/operand_conv2d*.clh say which index is what. */
typedef enum { LS_TILES_PLAIN, LS_TILES_CONV, LS_TILES_CONV_DX, LS_TILES_CONV_DW } LsTilesKind;

typedef struct {
  gint64 channels, height, width; /* of the image X */
  gint64 outputs, rows, cols;     /* of Y */
  gint64 window, stride, pad;
} LsTilesConv;

/* Which memory a factor's element is read from. */
typedef enum {
  LS_TILES_STRIDES, /* a matrix */
  LS_TILES_PATCH,   /* row (channel, u, v), column (image, r, s): X under a window */
  LS_TILES_PATCH_T, /* the same with rows and columns exchanged */
  LS_TILES_DELTA,   /* row (output, u, v), column (image, h, w): dY of a window that covered h, w */
  LS_TILES_WEIGHT,  /* row channel, column (output, u, v) */
  LS_TILES_PLANE,   /* row output, column (image, r, s): dY */
} LsTilesGather;

/* One factor of the product. */
typedef struct {
  const float *values; /* of the recording, or NULL */
  LsTilesGather gather;
  const LsTilesConv *conv;   /* where it isn't LS_TILES_STRIDES */
  gint64 row_step, col_step; /* from an element to the one below and to the one beside it */
  gint64 rows, cols;
  gint64 window; /* of a kernel, where the columns are (u, channel, v), in memory (channel, u, v); 0: they are
                    as they lie there */
  char *symbol;  /* "W₁ᵀ" */
  double top;    /* greatest |value| of the work-group's band, rounded up; 0: no values */
} LsTilesMatrix;

/* What of the times was stamped by the device. */
typedef enum { LS_TILES_MODELLED, LS_TILES_WHOLE, LS_TILES_ROUNDS, LS_TILES_PHASES } LsTilesStamps;

typedef enum {
  LS_TILES_PANE_TILES,
  LS_TILES_PANE_LEDGER,
  LS_TILES_PANE_SOURCE,
  LS_TILES_PANE_ROOF,
  LS_TILES_N_PANES
} LsTilesPane;

/* The view's own part of a query. */
typedef struct {
  gint rung;                 /* of the ladder: LsRung; −1: the one that ran */
  gint group_row, group_col; /* the work-group, or the CPU's tile; −1: one in the middle */
  gint item_row, item_col;   /* the element of its tile whose work-item is picked; −1: one in the middle */
  gboolean cpu_side;         /* the CPU's cache blocks */
  guint pane;                /* LsTilesPane: what stands in the middle where there is no room for all */
} LsTilesState;

#define LS_TILES_STATE_INIT                                                                                  \
  {                                                                                                          \
    .rung = -1, .group_row = -1, .group_col = -1, .item_row = -1, .item_col = -1                             \
  }

const LsTilesState *ls_tiles_asked (const LsQuery *query);

typedef struct {
  LsLayout *layout;
  const LsWalk *walk;       /* of this work-group and rung, of the recording; NULL: none */
  const char *walk_message; /* why not, or NULL */
  gint64 *starts; /* rounds + 1: when each round begins, and the store; NULL: all are round_ns long */
  LsTilesStamps stamps;
  guint op;
  const LsRecordedOp *recorded;
  gint side; /* whose tensors: the lane's; −1: none were recorded */
  LsRungCut cut;
  gint ran;          /* the rung that the recorded OpenCL lane ran this op with; −1: none of the ladder */
  gboolean modelled; /* no lane ran this rung in the step: nothing here is its measurement */
  LsRungCut ran_cut; /* its groups; not set where none of the ladder ran */
  LsTilesKind kind;
  LsTilesConv conv;
  LsGemm gemm; /* k: of the first part of the sum */
  gint64 splits;
  guint rows, cols;                           /* of work-groups */
  guint row, col;                             /* the one that walks */
  guint item_row, item_col;                   /* the picked element of its tile */
  guint window;                               /* products that are drawn at once: a k tile */
  gint64 rounds;                              /* of the window */
  LsTilesMatrix a, b, c;                      /* c without values */
  guint lane;                                 /* whose walk: 1, or the CPU's, 0 */
  struct _LsTilesCpu *cpu;                    /* of the CPU's walk, or NULL */
  LsListing *listing;                         /* NULL: there is no text */
  guint n_loop;                               /* its first marks are the loop's phases */
  gint64 span_ns, round_ns;                   /* of the walk, of a round */
  gboolean as_found;                          /* values are what the step found, not what it left */
  LsArea corner, local, ledger, source, roof; /* places; h or w 0: left out */
  LsArea at_a, at_b, at_c;                    /* the matrices in the corner */
  LsArea cells_a, cells_b;                    /* the two tiles */
  double cell;                                /* px */
  double bottom;                              /* of all parts */
  double number_y;                            /* last baseline of that block */
  double number_x, number_w;                  /* of the block with the number of the k tile */
  LsArea tabs[LS_TILES_N_PANES];              /* w 0: not there */
  LsTilesPane pane;                           /* that is shown where there are tabs */
  LsArea legend;                              /* what the colours mean, beside the tiles; h 0: under them */
  double item_y, foot;                        /* first baseline under the tiles; where all of that ends */
} LsTiles;

/* Where in its walk the work-group is. */
typedef struct {
  gint64 round; /* from 0; `rounds` when only the store is left */
  guint mark;   /* the phase, of the listing's marks; LS_LISTING_NO_MARK: none runs */
  LsListingPhase phase;
  double part;               /* of the phase that is over, 0 … 1 */
  guint step;                /* products of the round that are done */
  gint64 loaded, multiplied; /* whole rounds */
  gboolean stored;
} LsTilesNow;

/* How far a tile is loaded, in rows or columns of it. */
typedef struct {
  guint done, flight;
  gboolean by_col;
} LsTilesFill;

/* tiles_state.c: what may be chosen, by switches and for `render`. */
extern const LsTilesState ls_tiles_first;
extern const LsViewSwitch ls_tiles_switches[];
extern const LsViewOption ls_tiles_options[];

/* tiles_walk.c */
/* The matrix product that is shown when `op` is asked for: itself, or the nearest one before it, else after
 * it; −1: none. */
gint ls_tiles_op (const LsRecording *recording, guint op);
/* Everything but the places. FALSE: there is no product to walk through. */
/* The OpenCL lane whose kernels are walked through, or what stands in its place. */
static inline const LsViewLane *
ls_tiles_opencl (const LsViewData *data)
{
  return &data->sides[ls_view_data_side_of (data, LS_BACKEND_OPENCL)];
}

/* FALSE: no OpenCL lane is on the stage, and what stands in its place has run no kernel of the ladder. */
static inline gboolean
ls_tiles_has_opencl (const LsViewData *data)
{
  return ls_tiles_opencl (data)->who == LS_BACKEND_OPENCL;
}

gboolean ls_tiles_init (LsTiles *t, LsLayout *layout, const LsViewData *data, const LsQuery *query);
void ls_tiles_clear (LsTiles *t);
/* The work-group and the work-item that made the element in which the lanes differ, if a product did. */
void ls_tiles_seek_difference (const LsViewData *data, LsQuery *query);
/* How the walk's values are known. */
LsEvidence ls_tiles_evidence (const LsTiles *t);
/* Where in C the lanes were found to differ. FALSE: nowhere, or in another op. t has a layout. */
gboolean ls_tiles_differs (const LsTiles *t, gint64 *row, gint64 *col);
/* Of n rows or columns of a factor the one whose first `length` values are largest: a picked work-item that
 * multiplies nothing but zeros would show nothing. */
guint ls_tiles_busiest (const LsTilesMatrix *matrix, gboolean rows, gint64 first, gint64 n, gint64 length);
/* Column of C that the tile's j-th one is; beyond the last one: none. */
gint64 ls_tiles_column (const LsTiles *t, guint j);
/* How many of the tile's columns C has. */
gint64 ls_tiles_columns (const LsTiles *t);
/* Where the work-group's part of C begins and how wide it is. */
void ls_tiles_group (const LsTiles *t, gint64 *first, gint64 *wide);
/* What the work-group has in line i of its tile of A, or of B, for product k: read back, or as it follows
 * from the operands. */
double ls_tiles_factor (const LsTiles *t, gboolean is_a, guint i, gint64 k);
/* NAN where there is none; 0 beyond the edge, as the kernel has it. */
double ls_tiles_value (const LsTilesMatrix *matrix, gint64 row, gint64 col);
/* The greatest absolute value of a part, rounded up to 1, 2 or 5 times a power of ten; 0 without values. */
double ls_tiles_top (const LsTilesMatrix *matrix, gint64 row, gint64 n_rows, gint64 col, gint64 n_cols);

/* tiles_cut.c */
/* The rung that the step's OpenCL lane ran that op with; −1: none of the ladder. */
gint ls_tiles_ran (const LsViewData *data, guint op);
/* From op and kind: the rungs, the walk, both cuts, and whether they are a model. */
void ls_tiles_choose_cut (LsTiles *t, const LsViewData *data, const LsQuery *query);
const char *ls_tiles_rung_title (const LsRungCut *cut);

/* tiles_times.c */
void ls_tiles_measure (LsTiles *t, const LsViewData *data);
/* How long the loop's j-th phase took in that round, as stamped; −1. */
gint64 ls_tiles_phase_ns (const LsTiles *t, gint64 round, guint j);
void ls_tiles_now (const LsTiles *t, gint64 time_ns, LsTilesNow *now);
gint64 ls_tiles_still (const LsTiles *t);

/* tiles_conv.c */
/* The op's kind; fills conv. FALSE: no product. */
gboolean ls_tiles_kind (const LsRecording *recording, guint op, LsTilesKind *kind, LsTilesConv *conv);
/* Both factors of a convolution, without values; which of the op's inputs each is read from in *a_in,
 * *b_in. */
void ls_tiles_conv_factors (LsTiles *t, guint *a_in, guint *b_in);
/* The position of an element in its tensor; −1: outside of the image, so 0. */
gint64 ls_tiles_gather (const LsTilesMatrix *matrix, gint64 row, gint64 col);
/* The column that it is in memory. */
gint64 ls_tiles_stored_column (const LsTilesMatrix *matrix, gint64 col);
/* Where the picked work-item's element of B comes from, as a picture, in t->roof. */
void ls_tiles_patch_move (const LsTiles *t, const LsTilesNow *now);
/* The same of any element of a B that is read from an image. how: quiet words beside the heading. */
void ls_tiles_patch (const LsTiles *t, LsArea place, gint64 row, gint64 col, const char *how);

/* tiles_count.c */
/* Work-items that the model lets load together. */
guint ls_tiles_sub_groups (const LsTiles *t);
/* How many of them have loaded, −1 outside of a load. */
gint ls_tiles_arrived (const LsTiles *t, const LsTilesNow *now);
void ls_tiles_fill (const LsTiles *t, const LsTilesNow *now, LsTilesFill *a, LsTilesFill *b);
/* Up to now: this kernel, and what the naive one loads for the same products. */
void ls_tiles_count (const LsTiles *t, const LsTilesNow *now, LsLedger *own, LsLedger *naive);
/* The picked element's sum of all products that are done; NAN without values. */
double ls_tiles_sum (const LsTiles *t, const LsTilesNow *now);

/* tiles_tabs.c: places in a large picture, in one as high as it is wide, and in a smaller one, where tabs
 * share the place of the tiles: what is chosen is t->pane. */
void ls_tiles_place_large (LsTiles *t, LsArea area);
void ls_tiles_place_tall (LsTiles *t, LsArea area);
void ls_tiles_place_medium (LsTiles *t, LsArea area);
/* The next pane for a key. */
guint ls_tiles_next_pane (const LsTiles *t);

/* One file for each part of the picture; _move: what changes with the time. */
/* tiles_corner.c */
void ls_tiles_corner (LsTiles *t);
void ls_tiles_corner_move (const LsTiles *t, const LsTilesNow *now);

/* tiles_stations.c */
double ls_tiles_stations_height (const LsTiles *t);
void ls_tiles_stations_move (const LsTiles *t, const LsTilesNow *now, LsArea area);

/* tiles_local.c */
void ls_tiles_local (LsTiles *t);
void ls_tiles_local_move (const LsTiles *t, const LsTilesNow *now);
/* The round whose tiles are drawn: the last one, too, when all are over. */
gint64 ls_tiles_shown_round (const LsTiles *t, const LsTilesNow *now);
/* The column of A's tile and the row of B's that the picked work-item is at. FALSE: at none. */
gboolean ls_tiles_own_cells (const LsTiles *t, const LsTilesNow *now, guint *a_col, guint *b_row);

/* tiles_item.c: the picked work-item, under the tiles. */
void ls_tiles_item_move (const LsTiles *t, const LsTilesNow *now);
/* The colours of signed values from −value to +value; nothing where there is no room. */
void ls_tiles_ramp (const LsTiles *t, double value, double x, double y, double w);
/* Where the values come from. (transfer full) */
char *ls_tiles_source_words (const LsTiles *t, gboolean brief);

/* tiles_ledger.c */
double ls_tiles_ledger_height (const LsTiles *t);
void ls_tiles_ledger (const LsTiles *t);
void ls_tiles_ledger_move (const LsTiles *t, const LsTilesNow *now);
/* "3.2 multiply-adds for each float loaded · 1.6 FLOP per global byte", so far. */
void ls_tiles_intensity (const LsTiles *t, const LsLedger *own, double x, double y, double w);
/* "15× fewer trips to global memory". Returns the right end, x where there is nothing to say or no room. */
double ls_tiles_verdict (const LsTiles *t, const LsTilesNow *now, double x, double y, double w, LsType type);

/* tiles_source.c */
double ls_tiles_source (const LsTiles *t, LsScene *s, const LsTilesNow *now); /* returns the foot */
/* The line that runs, or NULL. */
const char *ls_tiles_running_text (const LsTiles *t, const LsTilesNow *now);

/* tiles_hall.c: one lane across the page of a projector: its head, which returns its height, and the
 * picture. */
double ls_tiles_hall_head (LsTiles *t, LsArea area);
void ls_tiles_hall (LsTiles *t, LsArea area);
void ls_tiles_hall_move (const LsTiles *t, const LsTilesNow *now);

/* tiles_what.c: what is shown, in words, (transfer full). "Work-group (3, 1) of 8×2", or the CPU's tile and
 * worker. */
char *ls_tiles_group_words (const LsTiles *t);
/* Why what is shown isn't what the lane ran; NULL: it is. */
char *ls_tiles_modelled_words (const LsTiles *t);
/* The line of all that under the heads, with the slot for the switches; returns its height. */
double ls_tiles_what_line (const LsTiles *t, LsArea area);

/* tiles_roof.c */
void ls_tiles_roof (const LsTiles *t);
/* intensity: of the walk so far, FLOP per byte. */
void ls_tiles_roof_move (const LsTiles *t, double intensity);

G_END_DECLS
