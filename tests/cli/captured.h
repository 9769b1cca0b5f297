/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a function of the command line prints, in the test's own process, held line by line against what it
 * should be.
 */
#pragma once

#include <glib.h>

typedef struct {
  char *out, *err;
  int status; /* of run() */
} Captured;

/* What say (data) writes to stdout and stderr. */
Captured capture (void (*say) (gconstpointer data), gconstpointer data);
void captured_clear (Captured *captured);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Captured, captured_clear)

/* The same on a terminal of so many columns, which rewrites its line; stderr goes there, too. (transfer full)
 */
char *capture_on_terminal (guint columns, void (*say) (gconstpointer data), gconstpointer data);

/* What `lockstep WORD|WORD` prints. */
Captured run (const char *words);

/* Of a table's line: what two spaces or more part. (transfer full) */
char **cells_of (const char *line);
void assert_cell (const char *column, guint row, const char *cell, const char *should);

/* Fails with the first line that differs, said in words. */
void assert_lines (const char *what, const char *said, const char *expected);
