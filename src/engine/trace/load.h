/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the system tells of its processors' time and clocks: how much of it all programs used, how much a
 * process did, and ours with the processes that it started.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* CPU time of all processors since the machine started that wasn't idle, s; −1: the system doesn't say. text:
 * of /proc/stat. */
double ls_machine_busy_s (void);
double ls_machine_parse_busy (const char *text, double ticks_per_s);
/* Of a process with all its threads, and of its children that have ended; 0 if there is none. text: of
 * /proc/PID/stat. */
double ls_machine_process_s (int pid);
double ls_machine_parse_process (const char *text, double ticks_per_s);
/* Of a process and of those that it started, and they, and that still run; −1: the system doesn't say which
 * they are. */
double ls_machine_family_s (int pid);
/* Threads that run or want to now, on all processors, of a file that is kept open for it: allocates nothing,
 * and takes a microsecond. 0, and −1 for the file: the system doesn't say. text: of /proc/loadavg. */
int ls_machine_running_open (void);
guint ls_machine_running (int file);
guint ls_machine_parse_running (const char *text);
/* The processors' clock now, in the mean of those that tell, 16 at most, MHz; 0: the system doesn't tell.
 * root: "", or a folder in place of /. */
double ls_machine_clock_mhz (const char *root);

G_END_DECLS
