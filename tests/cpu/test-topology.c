/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How many processors the pool may use, from made-up /proc and /sys: cgroups of both versions, nested, in a
 * container, broken; caches; the model's name.
 */
#include "config.h"
#include "backends/cpu/topology.h"

#include <sched.h>

#include "tests/folder.h"
#include "trace/event.h"

static void
put (const char *root, const char *path, const char *text)
{
  g_autofree char *full = g_build_filename (root, path, NULL);
  g_autofree char *folder = g_path_get_dirname (full);

  g_assert_cmpint (g_mkdir_with_parents (folder, 0700), ==, 0);
  g_assert_true (g_file_set_contents (full, text, -1, NULL));
}

typedef struct {
  const char *title, *cgroup;
  struct {
    const char *path, *text;
  } files[4];
  guint affinity;
  gint quota;
  guint usable;
} Case;

static const Case cases[] = {
  { "nothing to read", NULL, { { NULL, NULL } }, 4, -1, 4 },
  { "no processor told", NULL, { { NULL, NULL } }, 0, -1, 1 },
  { "v2 without limit", "0::/app\n", { { "sys/fs/cgroup/app/cpu.max", "max 100000\n" } }, 8, -1, 8 },
  { "v2, rounded up", "0::/app\n", { { "sys/fs/cgroup/app/cpu.max", "150000 100000\n" } }, 8, 2, 2 },
  { "v2, less than one", "0::/app\n", { { "sys/fs/cgroup/app/cpu.max", "1000 100000\n" } }, 8, 1, 1 },
  { "v2, the parent is tighter",
    "0::/a/b/c\n",
    { { "sys/fs/cgroup/a/b/c/cpu.max", "800000 100000" },
      { "sys/fs/cgroup/a/cpu.max", "300000 100000" },
      { "sys/fs/cgroup/a/b/cpu.max", "max 100000" } },
    8,
    3,
    3 },
  { "v2, the group itself is tighter",
    "0::/a/b\n",
    { { "sys/fs/cgroup/a/b/cpu.max", "300000 100000" }, { "sys/fs/cgroup/a/cpu.max", "500000 100000" } },
    8,
    3,
    3 },
  { "v2, path of the host, limit at the mount",
    "0::/host/only/path\n",
    { { "sys/fs/cgroup/cpu.max", "200000 100000" } },
    8,
    2,
    2 },
  { "v2 beside v1",
    "4:memory:/x\n0::/app\n",
    { { "sys/fs/cgroup/unified/app/cpu.max", "200000 100000" } },
    8,
    2,
    2 },
  { "v1",
    "3:cpu,cpuacct:/docker/1\n",
    { { "sys/fs/cgroup/cpu,cpuacct/docker/1/cpu.cfs_quota_us", "250000" },
      { "sys/fs/cgroup/cpu,cpuacct/docker/1/cpu.cfs_period_us", "100000" } },
    8,
    3,
    3 },
  { "v1 without limit",
    "1:cpu:/\n",
    { { "sys/fs/cgroup/cpu/cpu.cfs_quota_us", "-1\n" },
      { "sys/fs/cgroup/cpu/cpu.cfs_period_us", "100000\n" } },
    2,
    -1,
    2 },
  { "v1: cpuset isn’t cpu",
    "1:cpuset:/\n",
    { { "sys/fs/cgroup/cpu/cpu.cfs_quota_us", "100000\n" },
      { "sys/fs/cgroup/cpu/cpu.cfs_period_us", "100000\n" } },
    4,
    -1,
    4 },
  { "v1, mounted as cpu,cpuacct is looked for, too, and the tighter of both counts",
    "2:cpu,cpuacct:/x\n",
    { { "sys/fs/cgroup/cpu/x/cpu.cfs_quota_us", "200000" },
      { "sys/fs/cgroup/cpu/x/cpu.cfs_period_us", "100000" },
      { "sys/fs/cgroup/cpu,cpuacct/x/cpu.cfs_quota_us", "700000" },
      { "sys/fs/cgroup/cpu,cpuacct/x/cpu.cfs_period_us", "100000" } },
    8,
    2,
    2 },
  { "v1 is tighter than v2",
    "0::/app\n3:cpu:/x\n",
    { { "sys/fs/cgroup/app/cpu.max", "500000 100000" },
      { "sys/fs/cgroup/cpu/x/cpu.cfs_quota_us", "300000" },
      { "sys/fs/cgroup/cpu/x/cpu.cfs_period_us", "100000" } },
    8,
    3,
    3 },
  { "v2 is tighter than v1",
    "0::/app\n3:cpu:/x\n",
    { { "sys/fs/cgroup/app/cpu.max", "300000 100000" },
      { "sys/fs/cgroup/cpu/x/cpu.cfs_quota_us", "500000" },
      { "sys/fs/cgroup/cpu/x/cpu.cfs_period_us", "100000" } },
    8,
    3,
    3 },
  { "a hierarchy 0 with controllers isn’t v2",
    "0:memory:/app\n",
    { { "sys/fs/cgroup/app/cpu.max", "300000 100000" } },
    8,
    -1,
    8 },
  { "half a limit", "1:cpu:/\n", { { "sys/fs/cgroup/cpu/cpu.cfs_quota_us", "100000\n" } }, 4, -1, 4 },
  { "affinity is tighter", "0::/\n", { { "sys/fs/cgroup/cpu.max", "400000 100000" } }, 1, 4, 1 },
  { "rubbish", "0::/\nxyz\n::\n", { { "sys/fs/cgroup/cpu.max", "1e5 0" } }, 3, -1, 3 },
  { "a word too many", "0::/\n", { { "sys/fs/cgroup/cpu.max", "100000 100000 7" } }, 3, -1, 3 },
  { "a word too few", "0::/\n", { { "sys/fs/cgroup/cpu.max", "100000" } }, 3, -1, 3 },
  { "nothing in it", "0::/\n", { { "sys/fs/cgroup/cpu.max", "" } }, 3, -1, 3 },
  { "period of zero", "0::/\n", { { "sys/fs/cgroup/cpu.max", "100000 0" } }, 3, -1, 3 },
  { "huge numbers", "0::/\n", { { "sys/fs/cgroup/cpu.max", "9223372036854775807 1" } }, 3, G_MAXINT, 3 },
  { "overlong number", "0::/\n", { { "sys/fs/cgroup/cpu.max", "99999999999999999999 1" } }, 3, -1, 3 },
  { "more than the pool takes", NULL, { { NULL, NULL } }, 5000, -1, LS_MAX_WORKERS },
};

static void
test_quota (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      const Case *c = &cases[i];
      g_autofree char *root = g_dir_make_tmp ("topology-XXXXXX", NULL);
      LsTopology t;

      g_test_message ("%s", c->title);
      if (c->cgroup)
        put (root, "proc/self/cgroup", c->cgroup);
      for (guint j = 0; j < G_N_ELEMENTS (c->files) && c->files[j].path; j++)
        put (root, c->files[j].path, c->files[j].text);
      ls_topology_read (&t, root, c->affinity);
      g_assert_cmpint (t.quota, ==, c->quota);
      g_assert_cmpuint (t.usable, ==, c->usable);
      g_assert_cmpint (t.l1d, ==, -1);
      g_assert_null (t.model);
      ls_topology_clear (&t);
      remove_tree (root);
    }
}

#define CACHE "sys/devices/system/cpu/cpu0/cache/"

static void
test_caches (void)
{
  g_autofree char *root = g_dir_make_tmp ("topology-XXXXXX", NULL);
  LsTopology t;

  put (root, CACHE "index0/level", "1\n");
  put (root, CACHE "index0/type", "Data\n");
  put (root, CACHE "index0/size", "48K\n");
  put (root, CACHE "index1/level", "1\n");
  put (root, CACHE "index1/type", "Instruction\n");
  put (root, CACHE "index1/size", "64K\n");
  put (root, CACHE "index2/level", "2\n");
  put (root, CACHE "index2/type", "Unified\n");
  put (root, CACHE "index2/size", "2M\n");
  put (root, CACHE "index3/level", "3\n");
  put (root, CACHE "index3/type", "Unified\n");
  put (root, CACHE "index3/size", "lots\n");
  put (root, "proc/cpuinfo",
       "processor\t: 0\nmodel name\t:   Made-up 3000 \nflags\t: fpu\n\nmodel name\t: other\n");
  ls_topology_read (&t, root, 2);
  g_assert_cmpint (t.l1d, ==, 48 << 10);
  g_assert_cmpint (t.l2, ==, 2 << 20);
  g_assert_cmpint (t.l3, ==, -1);
  g_assert_cmpstr (t.model, ==, "Made-up 3000");
  ls_topology_clear (&t);
  remove_tree (root);
}

/* Sizes have a unit of 1024, or none; the last level may be behind others, and instructions' caches aren't
 * asked for. */
static void
test_sizes (void)
{
  static const struct {
    const char *text;
    gint64 bytes;
  } rows[] = { { "512\n", 512 },
               { "32K", 32 << 10 },
               { "3M", 3 << 20 },
               { "2G", G_GINT64_CONSTANT (2) << 30 },
               { "8589934591G", G_GINT64_CONSTANT (8589934591) << 30 },
               { "8589934592G", -1 },
               { "", -1 },
               { "K", -1 },
               { "0K", -1 },
               { "4KB", -1 },
               { "-4K", -1 } };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autofree char *root = g_dir_make_tmp ("topology-XXXXXX", NULL);
      LsTopology t;

      for (guint index = 0; index < 5; index++)
        {
          static const char *const types[] = { "Instruction", "Data", "Instruction", "Unified", "Unified" };
          static const char *const levels[] = { "1", "1", "2", "2", "3" };
          g_autofree char *level = g_strdup_printf (CACHE "index%u/level", index),
                          *type = g_strdup_printf (CACHE "index%u/type", index),
                          *size = g_strdup_printf (CACHE "index%u/size", index);
          put (root, level, levels[index]);
          put (root, type, types[index]);
          put (root, size, index == 1 ? "7K" : index == 3 ? "9K" : index == 4 ? rows[i].text : "11K");
        }
      ls_topology_read (&t, root, 8);
      g_assert_cmpint (t.l1d, ==, 7 << 10);
      g_assert_cmpint (t.l2, ==, 9 << 10);
      if (t.l3 != rows[i].bytes)
        g_error ("“%s” are %" G_GINT64_FORMAT " bytes, not %" G_GINT64_FORMAT, rows[i].text, t.l3,
                 rows[i].bytes);
      ls_topology_clear (&t);
      remove_tree (root);
    }
}

/* The first processor that has a name; other lines with one don't count. */
static void
test_model (void)
{
  static const struct {
    const char *text, *model;
  } rows[] = { { "model\t: 7\nmodel name\t: \nmodel name\t: Second: of two\n", "Second: of two" },
               { "vendor_id\t: Someone\nmodel\t: 7\n", NULL },
               { "model name\n", NULL },
               { "model name\t: \xff\n", NULL } };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autofree char *root = g_dir_make_tmp ("topology-XXXXXX", NULL);
      LsTopology t;

      put (root, "proc/cpuinfo", rows[i].text);
      ls_topology_read (&t, root, 8);
      g_assert_cmpstr (t.model, ==, rows[i].model);
      ls_topology_clear (&t);
      remove_tree (root);
    }
}

static void
test_cores (void)
{
  static const struct {
    const char *text;
    guint cores, fewer; /* of 8 threads, and where a quota leaves 3 of them */
  } rows[] = {
    { NULL, 0, 0 },        { "0\n", 8, 3 },  { "0,64\n", 4, 2 }, { "0-1\n", 4, 2 }, { "0-3\n", 2, 1 },
    { "0-2\n", 3, 1 },     { "", 0, 0 },     { "some\n", 0, 0 }, { "3-1\n", 0, 0 }, { "0-99999999\n", 0, 0 },
    { "0-1,8-9\n", 2, 1 }, { "0,\n", 0, 0 }, { "0-15\n", 1, 1 },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autofree char *root = g_dir_make_tmp ("topology-XXXXXX", NULL);
      LsTopology t;

      if (rows[i].text != NULL)
        put (root, "sys/devices/system/cpu/cpu0/topology/thread_siblings_list", rows[i].text);
      ls_topology_read (&t, root, 8);
      g_assert_cmpuint (t.cores, ==, rows[i].cores);
      ls_topology_clear (&t);
      put (root, "proc/self/cgroup", "0::/\n");
      put (root, "sys/fs/cgroup/cpu.max", "300000 100000");
      ls_topology_read (&t, root, 8);
      g_assert_cmpuint (t.cores, ==, rows[i].fewer);
      ls_topology_clear (&t);
      remove_tree (root);
    }
}

/* Only the processors count that this thread may run on. */
static void
test_affinity (void)
{
  cpu_set_t before, fewer;
  guint n = 0;

  if (sched_getaffinity (0, sizeof before, &before) != 0)
    {
      g_test_skip ("the machine has more processors than a plain mask");
      return;
    }
  g_assert_cmpuint (ls_topology_affinity (), ==, (guint) CPU_COUNT (&before));
  CPU_ZERO (&fewer);
  for (gsize i = 0; i < CPU_SETSIZE && n < 3; i++)
    if (CPU_ISSET (i, &before))
      {
        CPU_SET (i, &fewer);
        n++;
        g_assert_cmpint (sched_setaffinity (0, sizeof fewer, &fewer), ==, 0);
        g_assert_cmpuint (ls_topology_affinity (), ==, n);
      }
  g_assert_cmpint (sched_setaffinity (0, sizeof before, &before), ==, 0);
}

static void
test_this_machine (void)
{
  LsTopology t;

  ls_topology_read (&t, "", ls_topology_affinity ());
  g_assert_cmpuint (t.affinity, >=, 1);
  g_assert_cmpuint (t.usable, >=, 1);
  g_assert_cmpuint (t.usable, <=, t.affinity);
  ls_topology_clear (&t);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/cpu/topology/quota", test_quota);
  g_test_add_func ("/cpu/topology/caches", test_caches);
  g_test_add_func ("/cpu/topology/sizes", test_sizes);
  g_test_add_func ("/cpu/topology/model", test_model);
  g_test_add_func ("/cpu/topology/cores", test_cores);
  g_test_add_func ("/cpu/topology/affinity", test_affinity);
  g_test_add_func ("/cpu/topology/this-machine", test_this_machine);
  return g_test_run ();
}
