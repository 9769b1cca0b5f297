/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See memory.h. A cgroup's path in /proc/self/cgroup may name folders that a container doesn't see: those are
 * skipped on the way up to the mount point.
 */
#include "config.h"
#include "core/memory.h"

#include <glib/gi18n-lib.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "core/error.h"

guint64
ls_memory_address_space (void)
{
  struct rlimit limit;

  return getrlimit (RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY ? G_MAXUINT64 : limit.rlim_cur;
}

guint64
ls_memory_address_space_left (void)
{
  const guint64 limit = ls_memory_address_space ();
  g_autofree char *text = NULL;
  guint64 mapped;

  if (limit == G_MAXUINT64 || !g_file_get_contents ("/proc/self/statm", &text, NULL, NULL))
    return limit;
  mapped = g_ascii_strtoull (text, NULL, 10) * (guint64) sysconf (_SC_PAGESIZE);
  return limit - MIN (mapped, limit);
}

/* ---- memory for tensors ---- */

#define LARGE_PAGE ((gsize) 2 << 20)

void
ls_memory_ask_large_pages (void *memory, gsize bytes)
{
#ifdef MADV_HUGEPAGE
  const gsize page = (gsize) sysconf (_SC_PAGESIZE), skipped = -GPOINTER_TO_SIZE (memory) & (page - 1);

  if (bytes >= LARGE_PAGE + skipped)
    madvise ((char *) memory + skipped, (bytes - skipped) & ~(page - 1), MADV_HUGEPAGE);
#endif
}

void *
ls_memory_new (gsize bytes)
{
  void *memory;

  if (posix_memalign (&memory, bytes >= LARGE_PAGE ? LARGE_PAGE : LS_MEMORY_ALIGN, bytes) != 0)
    return NULL;
  ls_memory_ask_large_pages (memory, bytes);
  return memset (memory, 0, bytes);
}

/* ---- cgroups ---- */

/* A number in a file; G_MAXUINT64: there is none ("max"). */
static guint64
read_number (const char *root, const char *folder, const char *name)
{
  g_autofree char *path = g_build_filename (*root ? root : "/", folder, name, NULL), *text = NULL;
  guint64 value;

  if (!g_file_get_contents (path, &text, NULL, NULL)
      || !g_ascii_string_to_unsigned (g_strchomp (text), 10, 0, G_MAXUINT64, &value, NULL))
    return G_MAXUINT64;
  return value;
}

typedef struct {
  const char *mount, *limit, *used; /* names of files */
} Hierarchy;

typedef struct {
  guint64 limit, left;
} Found;

static void
walk_up (const char *root, const Hierarchy *h, const char *cgroup, Found *found)
{
  g_autofree char *path = g_strdup (cgroup);

  for (char *slash = path; slash != NULL;)
    {
      g_autofree char *folder = g_build_filename (h->mount, path, NULL);
      const guint64 limit = read_number (root, folder, h->limit), used = read_number (root, folder, h->used);

      found->limit = MIN (found->limit, limit);
      if (limit < G_MAXUINT64 && used < G_MAXUINT64)
        found->left = MIN (found->left, limit - MIN (used, limit));
      if ((slash = strrchr (path, '/')) != NULL)
        *slash = '\0';
    }
  found->left = MIN (found->left, found->limit);
}

static Found
find (const char *root)
{
  static const Hierarchy v2[] = { { "sys/fs/cgroup", "memory.max", "memory.current" },
                                  { "sys/fs/cgroup/unified", "memory.max", "memory.current" } },
                         v1 = { "sys/fs/cgroup/memory", "memory.limit_in_bytes", "memory.usage_in_bytes" };
  g_autofree char *path = g_build_filename (*root ? root : "/", "proc/self/cgroup", NULL), *text = NULL;
  g_auto (GStrv) lines = g_file_get_contents (path, &text, NULL, NULL) ? g_strsplit (text, "\n", -1) : NULL;
  Found found = { G_MAXUINT64, G_MAXUINT64 };

  for (char **line = lines; line != NULL && *line != NULL; line++)
    {
      g_auto (GStrv) parts = g_strsplit (*line, ":", 3); /* hierarchy:controllers:path */
      g_auto (GStrv) controllers = g_strv_length (parts) == 3 ? g_strsplit (parts[1], ",", -1) : NULL;

      if (controllers == NULL)
        continue;
      if (strcmp (parts[0], "0") == 0 && *parts[1] == '\0')
        for (guint i = 0; i < G_N_ELEMENTS (v2); i++)
          walk_up (root, &v2[i], parts[2], &found);
      else if (g_strv_contains ((const char *const *) controllers, "memory"))
        walk_up (root, &v1, parts[2], &found);
    }
  return found;
}

guint64
ls_memory_cgroup (const char *root)
{
  return find (root).limit;
}

guint64
ls_memory_cgroup_left (const char *root)
{
  return find (root).left;
}

/* ---- enough? ---- */

/* What is needed is told as no less than it is: beside a limit that is short of it by a byte, too. */
static guint
megabytes_up (guint64 bytes)
{
  return (guint) (bytes / LS_MB + (bytes % LS_MB != 0));
}

gboolean
ls_memory_suffices (const char *who, guint64 address_space, guint64 memory, GError **error)
{
  const guint64 limit = ls_memory_address_space (), cgroup = ls_memory_cgroup ("");

  if (limit < address_space)
    g_set_error (error, LS_ERROR, LS_ERROR_MEMORY,
                 _("%s needs %u MB of address space, and the limit is %u MB; raise it (ulimit -v)."), who,
                 megabytes_up (address_space), (guint) (limit / LS_MB));
  else if (cgroup < memory)
    g_set_error (
      error, LS_ERROR, LS_ERROR_MEMORY,
      _("%s needs %u MB of memory, and this control group may have %u MB; raise its limit (memory.max)."),
      who, megabytes_up (memory), (guint) (cgroup / LS_MB));
  else
    return TRUE;
  return FALSE;
}
