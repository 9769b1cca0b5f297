/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the window asks of others is noted and not done: files and folders that it asks the user for, runs and
 * recordings that it asks the session for, what it tells in a toast. For programs that are linked with --wrap
 * of ls_compat_choose_file, ls_session_train, ls_session_open, ls_session_lay_over, ls_session_edit_kernels,
 * ls_session_list_devices, ls_toasts_add, ls_lab_kept_with and g_app_info_launch_default_for_uri_async.
 */
#pragma once

#include "window_rig.h"

typedef struct {
  /* the dialog that is open; title NULL: none is */
  LsChoose what;
  char *title, *name, *pattern, *pattern_name;
  LsFileFunc done;
  gpointer data;
  GDestroyNotify free_data;
  guint n_trained, n_opened, n_laid, n_edited, n_listed, n_toasts, n_shown;
  LsOptions *options;                   /* of the newest run */
  LsData *read;                         /* given to it, or NULL */
  char *opened, *laid, *edited, *shown; /* the newest of each; edited NULL: the built-in kernels */
  char *toast, *button, *action;        /* the newest toast, and its button's words and action, or NULL */
  const char *measured;                 /* of the recording's lanes on this machine, or NULL: nothing */
} WindowAsked;
extern WindowAsked asked;

/* Nothing was asked for yet. */
void asked_clear (void);
/* The dialog that is open is answered with that file, and closed; NULL: cancelled. */
void asked_answer (const char *path);
void asked_answer_file (GFile *file);
/* Fails where the open dialog is another one. pattern NULL: any file. */
void asked_assert (LsChoose what, const char *title, const char *name, const char *pattern);
/* Until the count is so high; fails where it never is. */
void asked_wait (const guint *count, guint n);
