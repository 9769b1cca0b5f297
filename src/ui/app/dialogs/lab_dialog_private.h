/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the dialog's files share: lab_dialog.c (what is shown and done), lab_dialog_build.c (its widgets).
 */
#pragma once

#include "lab/result.h"
#include "ui/app/dialogs/lab_dialog.h"

struct _LsLabDialog {
  AdwWindow parent;
  LsSession *session;
  GTask *task; /* while something is measured */
  GCancellable *cancel;
  guint tick;
  const LsExperiment *measured; /* now, or last; NULL: none */
  LsLabResult *newest;          /* of it, or NULL */
  char *words;                  /* how that ended, or NULL */
  char *said;                   /* what was missing or went wrong, or NULL */
  GPtrArray *kept;              /* GtkLabel of each row, not owned */
  GtkWidget *title, *list, *pages, *empty, *picture, *said_box, *said_label, *bar, *button, *save, *toasts;
};

void ls_lab_dialog_build (LsLabDialog *self);
