/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The test programs that ask ls_cl_discover() are each run once more (`--ask WISH`), in an environment of
 * their own, and print what they are told; the discovery in turn runs them as its child.
 */
#pragma once

#include "core/error.h"
#include "scenario.h"

/* First thing in main(). FALSE: the program is one that was run once more; *status is what it ends with. */
gboolean asking_begin (int *argc, char ***argv, int *status);

/* What the discovery says to the wish in an environment that is changed so (scenario_run()). */
Scenario *ask (const char *wish, const char *const *changes);
/* The verdict is an error of this kind, whose message has these words. */
void assert_says (const Scenario *s, LsError code, const char *words);
/* The line KEY=… has these words. */
gboolean says (const Scenario *s, const char *key, const char *words);
/* A device was chosen. */
gboolean works (const Scenario *s);
/* TRUE if this machine has a device by PoCL, which most cases need; else the test is skipped. */
gboolean have_pocl (void);
