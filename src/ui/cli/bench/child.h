/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * LsBenchChild: a contender's process, spoken to in lines (worker.h), each with a deadline: one that hangs is
 * killed and its place in the table says so.
 */
#pragma once

#include "core/options.h"

G_BEGIN_DECLS

typedef struct _LsBenchChild LsBenchChild;

/* environment: NAME=VALUE on top of the program's own, NULL-terminated, or NULL. Waits for its first line.
 * LS_ERROR_DEVICE: it can't be started, says no, or ends. */
LsBenchChild *ls_bench_child_new (const char *const *argv, const char *const *environment, guint limit_s,
                                  GError **error);
/* This program as the worker of that name, with these options. */
LsBenchChild *ls_bench_child_self (const char *worker, const LsOptions *options,
                                   const char *const *environment, GError **error);
/* Closes its input, and kills it if it goes on for more than a second. */
void ls_bench_child_free (LsBenchChild *child);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (LsBenchChild, ls_bench_child_free)

const char *ls_bench_child_title (const LsBenchChild *child);
guint ls_bench_child_threads (const LsBenchChild *child);
/* It ended or was killed: nothing more comes from it. */
gboolean ls_bench_child_gone (const LsBenchChild *child);
/* CPU time that it and its ended children have taken, s. */
double ls_bench_child_cpu_s (const LsBenchChild *child);

/* *how may be NULL; (transfer full). */
gboolean ls_bench_child_prepare (LsBenchChild *child, const char *spec, guint limit_s, char **how,
                                 GError **error);
gboolean ls_bench_child_set (LsBenchChild *child, const char *option, const char *value, GError **error);
/* Appends to times (double, µs). */
gboolean ls_bench_child_run (LsBenchChild *child, guint threads, double seconds, guint limit_s, GArray *times,
                             GError **error);
gboolean ls_bench_child_record (LsBenchChild *child, double seconds, GArray *plain, GArray *recorded,
                                guint *events, GError **error);

/* What thread counts and processor names are set by, in the environment: no child has them.
 * NULL-terminated. */
const char *const *ls_bench_child_unset (void);

G_END_DECLS
