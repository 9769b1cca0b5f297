/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How many processors the pool may use, from made-up /proc and /sys: cgroups of both versions, nested, in a
 * container, broken; caches; the model's name.
 */
#include "backends/cpu/topology.h"
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
  { "affinity is tighter", "0::/\n", { { "sys/fs/cgroup/cpu.max", "400000 100000" } }, 1, 4, 1 },
  { "rubbish", "0::/\nxyz\n::\n", { { "sys/fs/cgroup/cpu.max", "1e5 0" } }, 3, -1, 3 },
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

static void
test_cores (void)
{
  static const struct {
    const char *text;
    guint cores; /* of 8 threads */
  } rows[] = { { NULL, 0 },        { "0\n", 8 },  { "0,64\n", 4 }, { "0-1\n", 4 }, { "0-3\n", 2 },
               { "0-2\n", 3 },     { "", 0 },     { "some\n", 0 }, { "3-1\n", 0 }, { "0-99999999\n", 0 },
               { "0-1,8-9\n", 2 }, { "0,\n", 0 }, { "0-15\n", 1 } };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autofree char *root = g_dir_make_tmp ("topology-XXXXXX", NULL);
      LsTopology t;

      if (rows[i].text != NULL)
        put (root, "sys/devices/system/cpu/cpu0/topology/thread_siblings_list", rows[i].text);
      ls_topology_read (&t, root, 8);
      g_assert_cmpuint (t.cores, ==, rows[i].cores);
      ls_topology_clear (&t);
      remove_tree (root);
    }
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
  g_test_add_func ("/cpu/topology/cores", test_cores);
  g_test_add_func ("/cpu/topology/this-machine", test_this_machine);
  return g_test_run ();
}
