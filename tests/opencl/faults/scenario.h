/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A test program that runs itself again in another environment: what a driver does to a process, and what is
 * read once in a process's life (XDG folders, drivers), can't be tested in one process. The child has a
 * deadline, by SIGALRM, so that a hang is a failure like others.
 */
#pragma once

#include <glib.h>

typedef struct {
  int status, signal; /* how it ended: exit status, or the signal and status −1 */
  char *out, *err;
} Scenario;

/* changes: "NAME=value" sets a variable, "NAME" takes it away, up to NULL. arguments: after argv[0].
 * (transfer full) */
Scenario *scenario_run (const char *const *changes, const char *const *arguments);
void scenario_free (Scenario *s);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (Scenario, scenario_free)

/* The rest of the line “KEY=…” of its output, or NULL; (transfer full). */
char *scenario_get (const Scenario *s, const char *key);
/* First thing in the child's main(). */
void scenario_begin (void);

/* A new empty folder; deletes one with all that is in it. */
char *scenario_folder (void);
void scenario_remove (char *folder);
/* Calls back for every regular file below a folder; how many there were. file: NULL to count only. */
guint scenario_files (const char *folder, void (*file) (const char *path, gpointer data), gpointer data);

typedef char ScenarioFolder;
G_DEFINE_AUTOPTR_CLEANUP_FUNC (ScenarioFolder, scenario_remove)
