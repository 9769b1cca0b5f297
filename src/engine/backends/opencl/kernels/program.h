/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * From files of kernels_cl/ to a program that runs. The sources are resources of the program; files that the
 * user has edited (backends/kernel_files.h) come first, so that a kernel can be changed without building
 * Lockstep anew.
 *
 * Built programs are kept on disk, in XDG cache/lockstep/cl/KEY, where KEY is the SHA-256 of all that the
 * result depends on: source, options, platform, device, driver version, this program's version. A file holds
 * a magic word, the SHA-256 of the rest, and the driver's binary. It is written whole under another name and
 * renamed, so two processes that build the same program at once both win. A file that is damaged, or a binary
 * that the driver refuses, is built from source again; a folder that can't be written is no error. Bump
 * CACHE_MAGIC in program.c if the file's layout changes. PoCL keeps programs itself, and a binary costs it a
 * second build: there is only a mark in PoCL's own folder, which goes when that folder does.
 */
#pragma once

#include "backends/kernel_files.h"
#include "backends/opencl/device/devices.h"
#include "backends/opencl/kernels/kernel.h"

G_BEGIN_DECLS

typedef struct {
  const LsClDevice *device;
  cl_context context;
  char *cache_folder; /* NULL: none */
} LsClBuilder;

gboolean ls_cl_builder_init (LsClBuilder *builder, const LsClDevice *device, GError **error);
void ls_cl_builder_clear (LsClBuilder *builder);

/* Puts files together, each under its own #line, so that the compiler names it. edited: NULL looks into the
 * folder LOCKSTEP_KERNEL_DIR. names: NULL-terminated. LS_ERROR_FILE if one can't be read. (transfer full) */
char *ls_cl_source_load (const LsKernelFiles *edited, const char *const *names, GError **error);
/* The row's sources; of files that nobody has edited only the kernels that it launches. Lines keep their
 * numbers. */
char *ls_cl_source_load_row (const LsKernelFiles *edited, const LsClKernel *row, GError **error);

/* There is a cache, and it hasn't this program. */
gboolean ls_cl_program_missing (const LsClBuilder *builder, const char *source, const char *options);

/* title: the file that messages name. options: all of them. LS_ERROR_BUILD holds the compiler's log. */
cl_program ls_cl_program_build (const LsClBuilder *builder, const char *title, const char *source,
                                const char *options, GError **error);

G_END_DECLS
