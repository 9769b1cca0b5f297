/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * For libraries that are preloaded into a program and its children: in which of them to let calls fail, and a
 * list of the calls that were counted. A fault is meant for one process, so each says which it is in:
 *   LS_FAULT_IN=program        what was started itself
 *   LS_FAULT_IN=try, serve, …  its child of that name, `lockstep --opencl-child NAME`
 *   LS_FAULT_LOG=FILE          a line is appended for each counted call: process, kind, number, call, path,
 *                              and "!" where it was made to fail
 */
#pragma once

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

typedef struct {
  char name[32]; /* "program", "try", …; "": none of the program's, a linker that a driver runs */
  int log;       /* −1: nobody wants to know */
} Where;

/* By system calls, since open() and read() may be those that are counted. */
static inline Where
where_am_i (void)
{
  Where where = { .log = -1 };
  char line[512] = "";
  const long fd = syscall (SYS_openat, AT_FDCWD, "/proc/self/cmdline", O_RDONLY | O_CLOEXEC);
  const long n = fd >= 0 ? syscall (SYS_read, fd, line, sizeof line - 2) : 0;
  const char *end = line + (n > 0 ? n : 0), *slash = strrchr (line, '/'), *first = line + strlen (line) + 1,
             *path = getenv ("LS_FAULT_LOG");

  if (fd >= 0)
    syscall (SYS_close, fd);
  if (strcmp (slash != NULL ? slash + 1 : line, "lockstep") != 0)
    return where;
  if (first < end && strcmp (first, "--opencl-child") == 0)
    snprintf (where.name, sizeof where.name, "%s", first + strlen (first) + 1);
  else
    strcpy (where.name, "program");
  if (path != NULL)
    where.log = (int) syscall (SYS_openat, AT_FDCWD, path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  return where;
}

/* Whether its calls are to fail. */
static inline int
where_is_meant (const Where *where)
{
  const char *in = getenv ("LS_FAULT_IN");

  return in == NULL || strcmp (in, where->name) == 0;
}

static inline void
where_log (const Where *where, const char *kind, unsigned n, const char *call, const char *path, int failed)
{
  char line[1024];

  if (where->log < 0)
    return;
  snprintf (line, sizeof line, "%s %s %u %s %s%s\n", where->name, kind, n, call, path, failed ? " !" : "");
  syscall (SYS_write, where->log, line, strlen (line));
}
