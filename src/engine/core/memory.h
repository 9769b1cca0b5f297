/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How much memory this process may have, where somebody has limited it. Under a tight limit libraries don't
 * fail: GLib and PoCL abort, and OpenBLAS asks the system again for ever. So what will be needed is compared
 * with the limit before they are called.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define LS_MB 1000000u

/* Bytes of address space (RLIMIT_AS, ulimit -v); G_MAXUINT64: no limit. */
guint64 ls_memory_address_space (void);
/* The same, less what the process has mapped already. */
guint64 ls_memory_address_space_left (void);
/* Bytes of memory: the tightest limit of its cgroups, from its own up to the top; G_MAXUINT64: none. root:
 * prefix of /proc and /sys, "" for the machine itself. */
guint64 ls_memory_cgroup (const char *root);
/* The same, less what that cgroup uses. */
guint64 ls_memory_cgroup_left (const char *root);

/* FALSE with LS_ERROR_MEMORY: the limits are below what is needed; who begins the sentence: “The OpenCL
 * lane”. */
gboolean ls_memory_suffices (const char *who, guint64 address_space, guint64 memory, GError **error);

G_END_DECLS
