/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How much memory this process may have, where somebody has limited it. Under a tight limit libraries don't
 * fail: GLib and PoCL abort, and OpenBLAS asks the system again for ever. So what will be needed is compared
 * with the limit before they are called.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define LS_MB           1000000u
#define LS_MEMORY_ALIGN 64 /* bytes: a cache line, a vector of AVX-512 */

/* Bytes of address space (RLIMIT_AS, ulimit -v); G_MAXUINT64: no limit. */
guint64 ls_memory_address_space (void);
/* The same, less what the process has mapped already. */
guint64 ls_memory_address_space_left (void);
/* Bytes of memory: the tightest limit of its cgroups, from its own up to the top; G_MAXUINT64: none. root:
 * prefix of /proc and /sys, "" for the machine itself. */
guint64 ls_memory_cgroup (const char *root);
/* The same, less what that cgroup uses. */
guint64 ls_memory_cgroup_left (const char *root);

/* Bytes for tensors, all zero, aligned to a cache line and a vector; NULL: the system grants none. For
 * free(). What fills large pages asks for them. */
void *ls_memory_new (gsize bytes);
/* Asks for large pages for memory that nobody has written yet: rows of a tensor that lie a page apart cost
 * each an entry of the processor's table of pages otherwise. Linux alone, where it is set to grant wishes
 * (transparent_hugepage: madvise); no promise. */
void ls_memory_ask_large_pages (void *memory, gsize bytes);

/* FALSE with LS_ERROR_MEMORY: the limits are below what is needed; who begins the sentence: “The OpenCL
 * lane”. */
gboolean ls_memory_suffices (const char *who, guint64 address_space, guint64 memory, GError **error);

G_END_DECLS
