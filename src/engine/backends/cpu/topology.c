/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reads /proc and /sys: see topology.h. A cgroup's path in /proc/self/cgroup may name folders that a
 * container doesn't see; walking up from it to the mount point and skipping what isn't there finds the limits
 * in both cases.
 */
#include "config.h"
#include "backends/cpu/topology.h"

#include <sched.h>
#include <string.h>

#include "trace/event.h"

guint
ls_topology_affinity (void)
{
  /* The kernel refuses masks smaller than its own, whose size no call tells. */
  for (int n_cpus = 1024; n_cpus <= 1 << 20; n_cpus *= 2)
    {
      cpu_set_t *set = CPU_ALLOC (n_cpus);
      gsize bytes = CPU_ALLOC_SIZE (n_cpus);
      int count = 0;

      if (set == NULL)
        break;
      if (sched_getaffinity (0, bytes, set) == 0)
        count = CPU_COUNT_S (bytes, set);
      CPU_FREE (set);
      if (count > 0)
        return (guint) count;
    }
  return 1;
}

/* The file's text without the newline at its end, or NULL. */
static char *
read_text (const char *root, const char *folder, const char *name)
{
  g_autofree char *path = g_build_filename (*root ? root : "/", folder, name, NULL);
  char *text = NULL;

  if (!g_file_get_contents (path, &text, NULL, NULL))
    return NULL;
  return g_strchomp (text);
}

static gboolean
parse_number (const char *text, guint64 *value)
{
  return text != NULL && g_ascii_string_to_unsigned (text, 10, 0, G_MAXINT64, value, NULL);
}

/* ⌈quota / period⌉ processors, at least one; −1 if either isn't a positive number ("max", "-1"). */
static gint
processors (const char *quota_text, const char *period_text)
{
  guint64 quota, period;

  if (!parse_number (quota_text, &quota) || !parse_number (period_text, &period) || period == 0)
    return -1;
  quota = quota / period + (quota % period != 0);
  return (gint) CLAMP (quota, 1, G_MAXINT);
}

static gint
quota_v2 (const char *root, const char *folder)
{
  g_autofree char *text = read_text (root, folder, "cpu.max");
  g_auto (GStrv) words = text ? g_strsplit (text, " ", 3) : NULL;

  return words && g_strv_length (words) == 2 ? processors (words[0], words[1]) : -1;
}

static gint
quota_v1 (const char *root, const char *folder)
{
  g_autofree char *quota = read_text (root, folder, "cpu.cfs_quota_us");
  g_autofree char *period = read_text (root, folder, "cpu.cfs_period_us");

  return processors (quota, period);
}

/* The tightest quota from mount/path up to mount itself; −1 for none. */
static gint
walk_up (const char *root, const char *mount, const char *cgroup, gint (*quota) (const char *, const char *))
{
  g_autofree char *path = g_strdup (cgroup);
  gint tightest = -1;

  for (;;)
    {
      g_autofree char *folder = g_build_filename (mount, path, NULL);
      gint here = quota (root, folder);
      char *slash = strrchr (path, '/');

      if (here > 0 && (tightest < 0 || here < tightest))
        tightest = here;
      if (slash == NULL)
        return tightest;
      *slash = '\0';
    }
}

static gboolean
lists_cpu (const char *controllers)
{
  g_auto (GStrv) names = g_strsplit (controllers, ",", -1);
  return g_strv_contains ((const char *const *) names, "cpu");
}

static gint
read_quota (const char *root)
{
  static const char *const v2_mounts[] = { "sys/fs/cgroup", "sys/fs/cgroup/unified" };
  static const char *const v1_mounts[] = { "sys/fs/cgroup/cpu", "sys/fs/cgroup/cpu,cpuacct" };
  g_autofree char *text = read_text (root, "proc/self", "cgroup");
  g_auto (GStrv) lines = text ? g_strsplit (text, "\n", -1) : NULL;
  gint tightest = -1;

  for (char **line = lines; line && *line; line++)
    {
      g_auto (GStrv) parts = g_strsplit (*line, ":", 3); /* hierarchy:controllers:path */
      gboolean v2;

      if (g_strv_length (parts) != 3)
        continue;
      v2 = strcmp (parts[0], "0") == 0 && *parts[1] == '\0';
      if (!v2 && !lists_cpu (parts[1]))
        continue;
      for (guint i = 0; i < 2; i++)
        {
          gint quota = walk_up (root, v2 ? v2_mounts[i] : v1_mounts[i], parts[2], v2 ? quota_v2 : quota_v1);
          if (quota > 0 && (tightest < 0 || quota < tightest))
            tightest = quota;
        }
    }
  return tightest;
}

/* "48K", "1M", "512" → bytes; −1 if it is none of these. */
static gint64
parse_size (char *text)
{
  gsize length = text ? strlen (text) : 0;
  guint64 value;
  guint shift = 0;

  if (length == 0)
    return -1;
  switch (text[length - 1])
    {
    case 'K':
      shift = 10;
      break;
    case 'M':
      shift = 20;
      break;
    case 'G':
      shift = 30;
      break;
    default:
      break;
    }
  if (shift > 0)
    text[length - 1] = '\0';
  if (!parse_number (text, &value) || value == 0 || value > (guint64) G_MAXINT64 >> shift)
    return -1;
  return (gint64) (value << shift);
}

static void
read_caches (LsTopology *topology, const char *root)
{
  for (guint i = 0; i < 16; i++)
    {
      g_autofree char *folder = g_strdup_printf ("sys/devices/system/cpu/cpu0/cache/index%u", i);
      g_autofree char *level = read_text (root, folder, "level");
      g_autofree char *type = read_text (root, folder, "type");
      g_autofree char *size = read_text (root, folder, "size");

      if (level == NULL || type == NULL)
        return;
      if (strcmp (type, "Instruction") == 0)
        continue;
      if (strcmp (level, "1") == 0)
        topology->l1d = parse_size (size);
      else if (strcmp (level, "2") == 0)
        topology->l2 = parse_size (size);
      else if (strcmp (level, "3") == 0)
        topology->l3 = parse_size (size);
    }
}

/* How many processors share processor 0's core: "0,64", "0-1", "0"; 0: the system doesn't say. */
static guint
read_siblings (const char *root)
{
  g_autofree char *text = read_text (root, "sys/devices/system/cpu/cpu0/topology", "thread_siblings_list");
  g_auto (GStrv) ranges = text != NULL ? g_strsplit (g_strstrip (text), ",", -1) : NULL;
  guint n = 0;

  for (guint i = 0; ranges != NULL && ranges[i] != NULL; i++)
    {
      g_auto (GStrv) ends = g_strsplit (ranges[i], "-", 2);
      guint64 first, last;

      if (g_strv_length (ends) == 0 || !parse_number (ends[0], &first))
        return 0;
      last = first;
      if (ends[1] != NULL && !parse_number (ends[1], &last))
        return 0;
      if (last < first || last - first >= LS_MAX_WORKERS)
        return 0;
      n += (guint) (last - first) + 1;
    }
  return n;
}

static char *
read_model (const char *root)
{
  g_autofree char *text = read_text (root, "proc", "cpuinfo");
  g_auto (GStrv) lines = text ? g_strsplit (text, "\n", -1) : NULL;

  for (char **line = lines; line && *line; line++)
    {
      char *colon = strchr (*line, ':');
      if (colon && g_str_has_prefix (*line, "model name") && g_utf8_validate (colon, -1, NULL))
        {
          char *model = g_strstrip (g_strdup (colon + 1));
          if (*model)
            return model;
          g_free (model);
        }
    }
  return NULL;
}

void
ls_topology_read (LsTopology *topology, const char *root, guint affinity)
{
  topology->affinity = MAX (affinity, 1);
  topology->quota = read_quota (root);
  topology->usable = topology->quota > 0 ? MIN (topology->affinity, (guint) topology->quota)
                                         : topology->affinity;
  topology->usable = MIN (topology->usable, LS_MAX_WORKERS);
  topology->cores = read_siblings (root);
  if (topology->cores > 0)
    topology->cores = (topology->usable + topology->cores - 1) / topology->cores;
  topology->l1d = topology->l2 = topology->l3 = -1;
  read_caches (topology, root);
  topology->model = read_model (root);
}

void
ls_topology_clear (LsTopology *topology)
{
  g_clear_pointer (&topology->model, g_free);
}
