/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * LsWork: what the benchmark measures, one row each: a network's training step, one matrix product, one
 * convolution. A row becomes a line of text (ls_work_spec()) that every contender understands, and a number
 * of FLOPs and bytes. A new step is a row in ui/cli/bench/steps.h, a new product or convolution one in
 * work.c.
 */
#pragma once

#include "data/dataset.h"
#include "model/plan.h"
#include "ui/cli/bench/steps.h"

G_BEGIN_DECLS

typedef enum {
  LS_WORK_STEP = 1 << 0,
  LS_WORK_PRODUCT = 1 << 1,
  LS_WORK_CONV = 1 << 2,
} LsWorkKind;

/* C[m×n] = op(A)[m×k]·op(B)[k×n] */
typedef struct {
  gboolean ta, tb;
  gint64 m, n, k;
} LsProduct;

/* forward: Y from X and W; data: dX from dY and W; weights: dW from dY and X. */
typedef enum { LS_CONV_FORWARD, LS_CONV_DATA, LS_CONV_WEIGHTS, LS_CONV_N } LsConvPass;

typedef struct {
  LsConvPass pass;
  gint64 batch, in, height, width, out, kernel, stride, pad;
} LsConv;

typedef struct {
  const char *name; /* "mlp-128": --only's word, in bench.json */
  LsWorkKind kind;
  LsBenchStep step;
  LsProduct product;
  LsConv conv;
  double share; /* of the time, beside the others' */
} LsWork;

const LsWork *ls_works (guint *n);

/* --only's text: names with commas, each a row's name or what it begins with before a "-". NULL: all rows.
 * The chosen rows in the table's order, (transfer container); `extra`, NULL-terminated, are further names
 * that may be given, and *extras has bit i set where extra[i] was. LS_ERROR_USAGE: a word that names none; it
 * lists them. */
GPtrArray *ls_works_choose (const char *only, const char *const *extra, guint *extras, GError **error);

/* How it is called in tables: (transfer full). */
char *ls_work_text (const LsWork *work);

/* What it takes, as far as known without running it. */
typedef struct {
  GArray *products; /* LsProduct: what a BLAS would have to do for it; convolutions as im2col */
  gint64 flops;     /* of these products */
  gint64 bytes;     /* every input read once, every output written once, op by op; 0: not counted */
} LsWorkCost;

gboolean ls_work_cost (const LsWork *work, LsWorkCost *cost, GError **error);
/* Of a plan's ops: (transfer full). */
GArray *ls_plan_products (const LsPlan *plan);

/* A line: "step\tMODEL\tDATA\tBATCH", "products\tTA TB M N K;…", "conv\tforward\tB I H W O K STRIDE PAD". */
char *ls_work_spec (const LsWork *work);
char *ls_products_spec (const GArray *products);

/* The same line, read. LS_ERROR_USAGE. */
gboolean ls_products_parse (const char *text, GArray *products, GError **error);
/* The plan of the model, or of the one op. data: NULL, or where the set is kept from one call to the next. */
LsPlan *ls_work_plan (const char *spec, LsData **data, LsOptimizer optimizer, guint64 seed, GError **error);

G_END_DECLS
