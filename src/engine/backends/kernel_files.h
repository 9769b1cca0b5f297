/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * LsKernelFiles: the files of kernels_cl/ as a user has edited them in a folder. Read at one moment,
 * immutable, reference-counted, so that what is compiled, what is recorded and what a picture shows are the
 * same text. Files that aren't in the folder, or are there as they were built in, are the program's own.
 *
 * The texts travel in LsDeviceInfo's facts (LS_FACT_EDITED, LS_FACT_KERNEL) from the lane that runs them into
 * snapshots and recordings.
 */
#pragma once

#include "backends/backend.h"

G_BEGIN_DECLS

struct _LsKernelFiles {
  gint ref_count;
  char *folder;      /* NULL: those built in */
  GHashTable *texts; /* name → text, of edited files alone */
  char *names;       /* "epilogue.clh, gemm_tiled.cl"; "" where none is edited */
};

/* LsDeviceInfo.facts: the edited files' names as in `names`; and, each with the file's name after it, their
 * texts. */
#define LS_FACT_EDITED "kernels edited"
#define LS_FACT_KERNEL "kernel "

/* The program's own, whatever the environment says. */
LsKernelFiles *ls_kernel_files_new (void);
/* Sets `names` once all texts are there. */
void ls_kernel_files_name (LsKernelFiles *self);
/* What the folder holds now. LS_ERROR_FILE: there is no such folder; a file of such a name is no regular
 * file, can't be read, or is no text of at most 1 MiB. */
LsKernelFiles *ls_kernel_files_read (const char *folder, GError **error);
/* Those of LOCKSTEP_KERNEL_DIR; without such a folder, the program's own. */
LsKernelFiles *ls_kernel_files_of_environment (GError **error);
LsKernelFiles *ls_kernel_files_ref (LsKernelFiles *self);
void ls_kernel_files_unref (LsKernelFiles *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (LsKernelFiles, ls_kernel_files_unref)
/* Any edited; NULL has none. */
gboolean ls_kernel_files_any (const LsKernelFiles *self);
gboolean ls_kernel_files_equal (const LsKernelFiles *a, const LsKernelFiles *b);

/* Puts names and texts into the facts, in the place of what was there. */
void ls_kernel_files_tell (const LsKernelFiles *self, LsDeviceInfo *info);

/* The folder's own text of a file, or NULL without an error where it has none. LS_ERROR_FILE as above.
 * (transfer full) */
char *ls_kernel_files_load (const char *folder, const char *name, GError **error);
/* The text built in; NULL: there is no such file. (transfer full) */
char *ls_kernel_files_own (const char *name);
/* The files that can be edited: all of kernels_cl/ but the one by which drivers are tried. (transfer full) */
char **ls_kernel_files_names (void);

/* Where the files go if the user chooses that folder: there, if it is empty or has them already, else into a
 * folder “lockstep-kernels” in it. (transfer full) */
char *ls_kernel_files_place (const char *chosen);
/* Makes the folder and writes each file that isn't there; one that is there stays as it is. LS_ERROR_FILE. */
gboolean ls_kernel_files_write (const char *folder, GError **error);
/* Changes whenever one of the files does: names, sizes, times. 0: the folder is gone. */
guint64 ls_kernel_files_stamp (const char *folder);
/* What the files hold now, if the folder's stamp isn't *known any more, which becomes the new one. By times
 * and sizes, not by notifications: network folders tell nothing. While files are being saved it blocks, 5 s
 * at most. NULL: nothing has changed; or with an error what ls_kernel_files_read() says. */
LsKernelFiles *ls_kernel_files_read_changed (const char *folder, guint64 *known, GError **error);

/* Of what a compiler said: the first line with an error in it, else the first. (transfer full) */
char *ls_kernel_error_line (const char *message);

G_END_DECLS
