/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the tests under clfault's rules share: the rule in force, shown if the process dies of it, and the
 * device.
 *
 * clfault is linked in, so the calls of this process are counted and fail; the driver was tried before (the
 * discovery remembers).
 */
#pragma once

#include <glib.h>

/* Instead of g_test_init(): every test program is its own discovery child. */
void rule_begin (int *argc, char ***argv);
/* Sets the rule (clfault.h); counts begin anew. */
void rule_set (const char *format, ...) G_GNUC_PRINTF (1, 2);
void rule_clear (void);
/* The newest rule, also once it is cleared: for messages. */
const char *rule_text (void);

/* Without a device the test is skipped. Clears the rule. */
gboolean have_device (void);
