/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * LsTopology: what this process may use of the machine's processor, and how large its caches are.
 *
 * The number of processors online is the wrong size for a pool: affinity (taskset, cpusets) and a cgroup's
 * quota (containers, systemd's CPUQuota=) may grant fewer, and threads beyond the grant only wait for each
 * other. Go and Rust size their pools by the same two numbers.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct {
  guint affinity;     /* processors this thread may run on, ≥ 1 */
  gint quota;         /* of the tightest cgroup on the way up, in processors, rounded up; −1: no limit */
  guint usable;       /* what a pool should use: the smaller one, at most LS_MAX_WORKERS */
  guint cores;        /* that `usable` threads have for themselves: as many, or fewer where some would share
                         one; 0: the system doesn't say */
  gint64 l1d, l2, l3; /* bytes, of processor 0; −1 if the system doesn't say */
  char *model;        /* "AMD EPYC", or NULL */
} LsTopology;

/* Processors in the calling thread's affinity mask, ≥ 1. */
guint ls_topology_affinity (void);

/* root: prefix of /proc and /sys, "" for the machine itself, a folder of made-up files in tests. Never fails:
 * what can't be read is absent. */
void ls_topology_read (LsTopology *topology, const char *root, guint affinity);
void ls_topology_clear (LsTopology *topology);

G_END_DECLS
