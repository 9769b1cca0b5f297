/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Limits on memory, as made-up files of the kernel tell them, and as this process has them.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "core/error.h"
#include "core/memory.h"
#include "tests/folder.h"

static void
put (const char *root, const char *path, const char *text)
{
  g_autofree char *full = g_build_filename (root, path, NULL), *folder = g_path_get_dirname (full);

  g_assert_cmpint (g_mkdir_with_parents (folder, 0700), ==, 0);
  g_assert_true (g_file_set_contents (full, text, -1, NULL));
}

typedef struct {
  const char *title, *cgroup;
  struct {
    const char *path, *text;
  } files[4];
  guint64 limit, left;
} Case;

#define NONE G_MAXUINT64

static const Case cases[] = {
  { "none of it", NULL, { { NULL } }, NONE, NONE },
  { "no limit", "0::/a\n", { { "sys/fs/cgroup/a/memory.max", "max\n" } }, NONE, NONE },
  { "v2",
    "0::/a/b\n",
    { { "sys/fs/cgroup/a/b/memory.max", "500\n" }, { "sys/fs/cgroup/a/b/memory.current", "200\n" } },
    500,
    300 },
  { "the tightest is further up",
    "0::/a/b\n",
    { { "sys/fs/cgroup/a/b/memory.max", "500\n" },
      { "sys/fs/cgroup/a/memory.max", "400\n" },
      { "sys/fs/cgroup/a/memory.current", "390\n" } },
    400,
    10 },
  { "less is left where more is allowed",
    "0::/a/b\n",
    { { "sys/fs/cgroup/a/b/memory.max", "400\n" },
      { "sys/fs/cgroup/a/memory.max", "500\n" },
      { "sys/fs/cgroup/a/memory.current", "495\n" } },
    400,
    5 },
  { "path of the host, limit at the mount",
    "0::/host/only\n",
    { { "sys/fs/cgroup/memory.max", "700\n" } },
    700,
    700 },
  { "more is used than allowed",
    "0::/\n",
    { { "sys/fs/cgroup/memory.max", "700\n" }, { "sys/fs/cgroup/memory.current", "900\n" } },
    700,
    0 },
  { "v1",
    "5:cpu:/x\n4:memory:/docker/1\n",
    { { "sys/fs/cgroup/memory/docker/1/memory.limit_in_bytes", "600\n" },
      { "sys/fs/cgroup/memory/docker/1/memory.usage_in_bytes", "100\n" },
      { "sys/fs/cgroup/memory/x/memory.limit_in_bytes", "1\n" } },
    600,
    500 },
  { "rubbish", "0::/\nxyz\n::\n", { { "sys/fs/cgroup/memory.max", "-1\n" } }, NONE, NONE },
};

static void
test_cgroup (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      const Case *c = &cases[i];
      g_autofree char *root = g_dir_make_tmp ("memory-XXXXXX", NULL);

      g_test_message ("%s", c->title);
      if (c->cgroup != NULL)
        put (root, "proc/self/cgroup", c->cgroup);
      for (guint f = 0; f < G_N_ELEMENTS (c->files) && c->files[f].path != NULL; f++)
        put (root, c->files[f].path, c->files[f].text);
      g_assert_cmpuint (ls_memory_cgroup (root), ==, c->limit);
      g_assert_cmpuint (ls_memory_cgroup_left (root), ==, c->left);
      remove_tree (root);
    }
}

static void
test_address_space (void)
{
  struct rlimit before, limit;
  g_autoptr (GError) error = NULL;
  guint64 left;

  g_assert_cmpint (getrlimit (RLIMIT_AS, &before), ==, 0);
  limit = before;
  if (before.rlim_cur == RLIM_INFINITY)
    {
      g_assert_cmpuint (ls_memory_address_space (), ==, NONE);
      g_assert_cmpuint (ls_memory_address_space_left (), ==, NONE);
      g_assert_true (ls_memory_suffices ("This", (guint64) 1 << 60, 1, &error));
    }
  limit.rlim_cur = 20000ull * LS_MB;
  if (g_getenv ("LOCKSTEP_SANITIZED") != NULL || setrlimit (RLIMIT_AS, &limit) != 0)
    {
      g_test_skip ("a sanitizer maps more, or the system grants no such limit");
      return;
    }
  g_assert_cmpuint (ls_memory_address_space (), ==, limit.rlim_cur);
  left = ls_memory_address_space_left ();
  g_assert_cmpuint (left, <, limit.rlim_cur);
  /* what is mapped isn't left, although nothing was written there */
  const gsize size = (gsize) 1 << 30;
  void *mapped = mmap (NULL, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  g_assert_true (mapped != MAP_FAILED);
  const guint64 gone = left - MIN (left, ls_memory_address_space_left ());
  munmap (mapped, size);
  if (gone < size || gone > size + 64 * LS_MB)
    g_error ("of 1024 MB that were mapped %.0f MB are taken off what is left", (double) gone / LS_MB);
  g_assert_true (ls_memory_suffices ("This", limit.rlim_cur, 1, &error));
  g_assert_false (ls_memory_suffices ("This", limit.rlim_cur + 1, 1, &error));
  g_assert_error (error, LS_ERROR, LS_ERROR_MEMORY);
  /* a byte more than there is: both aren't told to be as much */
  g_assert_cmpstr (error->message, ==,
                   "This needs 20001 MB of address space, and the limit is 20000 MB; raise it (ulimit -v).");
  g_assert_cmpint (setrlimit (RLIMIT_AS, &before), ==, 0);
}

/* Whatever it is cut from: aligned, all zero, and all of it can be written; the wish for large pages changes
 * nothing of what is there. */
static void
test_for_tensors (void)
{
  static const gsize sizes[] = { 1, 63, 4096, (2 << 20) - 1, 2 << 20, (2 << 20) + 1, (5 << 20) + 12345 };

  for (gsize i = 0; i < G_N_ELEMENTS (sizes); i++)
    {
      guint8 *memory = ls_memory_new (sizes[i]);
      gsize others = 0;

      g_assert_nonnull (memory);
      g_assert_cmpuint (GPOINTER_TO_SIZE (memory) % LS_MEMORY_ALIGN, ==, 0);
      for (gsize k = 0; k < sizes[i]; k++)
        others += memory[k] != 0;
      g_assert_cmpuint (others, ==, 0);
      memset (memory, 7, sizes[i]);
      ls_memory_ask_large_pages (memory + 1, sizes[i] - 1); /* from anywhere */
      for (gsize k = 0; k < sizes[i]; k++)
        others += memory[k] != 7;
      g_assert_cmpuint (others, ==, 0);
      free (memory);
    }
  g_assert_null (ls_memory_new (G_MAXSSIZE));
}

/* Where large pages are asked for, from page to page and not beyond the end of what was given. */
static struct {
  guint n;
  char *from;
  gsize bytes;
} asked;

int __wrap_madvise (void *from, size_t bytes, int advice);

int
__wrap_madvise (void *from, size_t bytes, int advice)
{
  asked.n++;
  asked.from = from;
  asked.bytes = bytes;
  return 0;
}

static void
test_large_pages (void)
{
  const gsize page = (gsize) sysconf (_SC_PAGESIZE), large = (gsize) 2 << 20;
  const struct {
    gsize at, bytes, from, asked; /* 0: it isn't worth it */
  } rows[] = {
    { 0, 0, 0, 0 },
    { 0, large - 1, 0, 0 },
    { 0, large, 0, large },
    { 0, large + page - 1, 0, large },
    { 0, large + page, 0, large + page },
    { 1, large, page, 0 },
    { 1, large + page - 2, page, 0 },
    { 1, large + page - 1, page, large },
    { page - 1, large + page, page, large },
    { page - 1, large + page + 1, page, large + page },
    { page, large, page, large },
  };
  char *memory = mmap (NULL, 4 * large, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

  g_assert_true (memory != MAP_FAILED);
  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      asked.n = 0;
      ls_memory_ask_large_pages (memory + rows[i].at, rows[i].bytes);
      if (asked.n != (rows[i].asked > 0))
        g_error ("for %zu bytes from %zu on large pages are asked for %u times", rows[i].bytes, rows[i].at,
                 asked.n);
      if (asked.n > 0 && (asked.from != memory + rows[i].from || asked.bytes != rows[i].asked))
        g_error ("of %zu bytes from %zu on %zu from %zu on are asked for, and should be %zu from %zu on",
                 rows[i].bytes, rows[i].at, asked.bytes, (gsize) (asked.from - memory), rows[i].asked,
                 rows[i].from);
    }
  munmap (memory, 4 * large);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/memory/cgroup", test_cgroup);
  g_test_add_func ("/memory/for-tensors", test_for_tensors);
  g_test_add_func ("/memory/large-pages", test_large_pages);
  g_test_add_func ("/memory/address-space", test_address_space);
  return g_test_run ();
}
