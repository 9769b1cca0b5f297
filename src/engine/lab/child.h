/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * LsLabChild: the process of one that is measured, spoken to in lines (worker.h), each with a deadline: one
 * that hangs is killed, and its place among the figures says so.
 */
#pragma once

#include <gio/gio.h>

#include "backends/backend.h"

G_BEGIN_DECLS

typedef struct _LsLabChild LsLabChild;

/* environment: NAME=VALUE on top of the program's own, NULL-terminated, or NULL. Waits for its first line.
 * cancel: NULL, or what ends every wait at once, and the child with it: LS_ERROR_CANCELLED. LS_ERROR_DEVICE:
 * it can't be started, says no, or ends. */
LsLabChild *ls_lab_child_new (const char *const *argv, const char *const *environment, guint limit_s,
                              GCancellable *cancel, GError **error);
/* This program as the worker of that name, with these options. */
LsLabChild *ls_lab_child_self (const char *worker, const LsOptions *options, const char *const *environment,
                               GCancellable *cancel, GError **error);
/* Closes its input, and kills it if it goes on for more than a second. */
void ls_lab_child_free (LsLabChild *child);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (LsLabChild, ls_lab_child_free)

const char *ls_lab_child_title (const LsLabChild *child);
const char *ls_lab_child_key (const LsLabChild *child); /* of its device, not translated; NULL: none */
guint ls_lab_child_threads (const LsLabChild *child);
LsDeviceKind ls_lab_child_kind (const LsLabChild *child); /* UNKNOWN: it doesn't say */
/* It ended or was killed: nothing more comes from it. */
gboolean ls_lab_child_gone (const LsLabChild *child);
/* CPU time that it and its children, an OpenCL lane’s, have taken, s. */
double ls_lab_child_cpu_s (const LsLabChild *child);

/* *how may be NULL; (transfer full). */
gboolean ls_lab_child_prepare (LsLabChild *child, const char *spec, guint limit_s, char **how,
                               GError **error);
gboolean ls_lab_child_set (LsLabChild *child, const char *option, const char *value, GError **error);
/* Appends to times (double, µs). */
gboolean ls_lab_child_run (LsLabChild *child, guint threads, double seconds, guint limit_s, GArray *times,
                           GError **error);
gboolean ls_lab_child_record (LsLabChild *child, double seconds, GArray *plain, GArray *recorded,
                              guint *events, GError **error);
/* Of a lane with a step: appends the shares of recorded steps' time, 0 … 1, that went into ops left of the
 * knee of its device's measured roofs: those that memory bounds. */
gboolean ls_lab_child_bound (LsLabChild *child, double seconds, GArray *shares, GError **error);
/* Appends the accuracy, 0 … 1, after so many steps of training from each of so many seeds, the options' own
 * first. */
gboolean ls_lab_child_learn (LsLabChild *child, guint steps, guint seeds, guint limit_s, GArray *right,
                             GError **error);

/* What thread counts and processor names are set by, in the environment: no child has them.
 * NULL-terminated. */
const char *const *ls_lab_child_unset (void);

G_END_DECLS
