/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * LsBenchStep: a network's training step that the benchmark measures, one row each. A row becomes a line of
 * text (ls_bench_step_spec()) that every contender understands. A new one is a line in LS_BENCH_STEPS.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct {
  const char *name;         /* "mlp-128": --only's word, in files */
  const char *title;        /* "mlp 784-256-128-10": formulas, not translated */
  const char *model, *data; /* model as --model takes it */
  guint batch;
  double share; /* of the time, beside the others' */
} LsBenchStep;

/* clang-format off */
#define LS_BENCH_STEPS(ROW) \
  ROW ("mlp-1", "mlp 784-256-128-10", "mlp", "mnist", 1, 1.5) \
  ROW ("mlp-16", "mlp 784-256-128-10", "mlp", "mnist", 16, 1.5) \
  ROW ("mlp-128", "mlp 784-256-128-10", "mlp", "mnist", 128, 2) \
  ROW ("mlp-512", "mlp 784-256-128-10", "mlp", "mnist", 512, 2) \
  ROW ("wide-128", "mlp 784-1024-1024-10", "flatten, dense 1024, relu, dense 1024, relu, dense 10", "mnist", 128, 2) \
  ROW ("cnn-16", "cnn", "cnn", "mnist", 16, 2) \
  ROW ("cnn-128", "cnn", "cnn", "mnist", 128, 3) \
  ROW ("cnn-512", "cnn", "cnn", "mnist", 512, 4) \
  ROW ("lstm-128", "lstm 28 rows of 28-128-10", "lstm", "mnist", 128, 3) \
  ROW ("tabular-128", "mlp 20-64-32-2", "flatten, dense 64, relu, dense 32, relu, dense 2", "tabular", 128, 1.5)
/* clang-format on */

const LsBenchStep *ls_bench_steps (guint *n);
char *ls_bench_step_text (const LsBenchStep *step); /* how it is called in tables: (transfer full) */
char *ls_bench_step_spec (const LsBenchStep *step); /* as lab/step.h reads it: (transfer full) */

/* --only's text: names with commas, each one of `names` (NULL-terminated) or what it begins with before a
 * "-". NULL: all. (transfer full): one gboolean for each name. LS_ERROR_USAGE: a word that names none; it
 * lists them. */
gboolean *ls_bench_choose (const char *only, const char *const *names, GError **error);
/* --seconds' text; NULL: `otherwise`. LS_ERROR_USAGE. */
gboolean ls_bench_read_seconds (const char *text, double otherwise, double *seconds, GError **error);

G_END_DECLS
