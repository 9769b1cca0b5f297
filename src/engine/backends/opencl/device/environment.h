/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * PoCL's cache folder. PoCL compiles every kernel into a shared library in its cache; when that folder can't
 * be written it shows no device, on a full disk it calls exit(), and a damaged file in it makes it abort().
 * So the program gives it a folder of its own, which it may delete and make anew, and looks before whether it
 * can be written.
 *
 * No OpenCL type in here: main.c calls ls_cl_environment_setup() first thing, before there is a second
 * thread, because it sets an environment variable; the child that tries a driver inherits it.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Sets POCL_CACHE_DIR unless the user did: XDG cache/lockstep/pocl-VERSION, or a temporary folder, removed at
 * exit, where that can't be written; and POCL_AFFINITY, where all processors may be used. Further calls do
 * nothing. */
void ls_cl_environment_setup (void);
/* What the user should know about it (“… can't be written; kernels are compiled anew in each run”), or NULL;
 * (transfer full). */
char *ls_cl_environment_note (void);
/* Empties the folder if it is the program's own; TRUE if it was. */
gboolean ls_cl_environment_wipe (void);
/* XDG cache/lockstep/NAME, made if need be; NULL if it can't be written; (transfer full). */
char *ls_cl_environment_cache_folder (const char *name);

G_END_DECLS
