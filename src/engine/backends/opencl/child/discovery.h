/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * OpenCL is tried in a child process first: the program executes itself as `lockstep --opencl-child …` (never
 * a bare fork), because drivers can crash, hang or exit in the process that loads them. The child lists the
 * devices, runs a small kernel on the chosen one and checks its result, then tries the tick source of
 * kernels_cl/probe.clh that it most likely has; further children try other sources, if there are. The parent
 * opens only what a child came back from, and says in words what went wrong otherwise.
 *
 * No OpenCL type in here: main.c and the command line use it.
 */
#pragma once

#include "backends/backend.h"
#include "child/child.h"

G_BEGIN_DECLS

/* The child's main: what main() calls when argv[1] is LS_CL_CHILD_COMMAND. Returns the exit status. */
int ls_cl_child_main (int argc, char **argv);

/* The tick sources (LS_PROBE_TICKS) that a device may have, the likeliest first; returns how many. Told by
 * its driver's name: PoCL takes NVIDIA's assembly without a word and returns zeros. */
#define LS_CL_TICK_SOURCES 4
guint ls_cl_tick_sources (const LsDeviceInfo *info, guint sources[LS_CL_TICK_SOURCES]);

typedef struct {
  GPtrArray *devices; /* LsDeviceInfo, in the order that `--device N` counts */
  guint chosen;       /* index of the device for the wish, which works */
  guint ticks;        /* LS_PROBE_TICKS that it has; 0: none */
  char *note;         /* what else the user should know, or NULL */
} LsClDiscovery;

void ls_cl_discovery_free (LsClDiscovery *discovery);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (LsClDiscovery, ls_cl_discovery_free)

/* Tries the device for a wish (see ls_cl_devices_choose()). Blocks: 0.1 s with warm caches, a second or two
 * when PoCL compiles, at most some LOCKSTEP_CHILD_TIMEOUT_MS (default 60000). What worked is remembered while
 * the process lives, or until ls_cl_discover_forget(); what failed isn't. Errors: LS_ERROR_NO_DEVICE (no
 * driver, no device, none of that name), LS_ERROR_DEVICE (the driver crashed, ended the process, or failed
 * with a message), LS_ERROR_HUNG. (transfer full) */
LsClDiscovery *ls_cl_discover (const char *wish, GError **error);

/* Begins that in a thread of its own, and returns at once; ls_cl_discover() then waits for it. */
void ls_cl_discover_ahead (const char *wish);

/* A driver that worked has failed since: whoever opens it next tries it in a child first. */
void ls_cl_discover_forget (void);

/* For `lockstep devices`: what ls_cl_discover ("") lists, an empty array when it fails; *verdict: what it
 * says then, else NULL. (transfer full), both. */
GPtrArray *ls_cl_discover_list (char **verdict);

G_END_DECLS
