/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * /proc/stat, /proc/PID/stat, /proc/loadavg and the clocks in /sys, read.
 */
#include "config.h"
#include "trace/load.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#define MOST_CLOCKS 16

/* Numbers from text on, with spaces between; returns how many there were. */
static guint
read_numbers (const char *text, double *numbers, guint most)
{
  guint n = 0;
  char *end;

  for (; n < most; n++)
    {
      numbers[n] = g_ascii_strtod (text, &end);
      if (end == text)
        break;
      text = end;
    }
  return n;
}

/* "cpu  user nice system idle iowait irq softirq steal …" (proc(5)); guests are in user. */
double
ls_machine_parse_busy (const char *text, double ticks_per_s)
{
  double v[8] = { 0 };

  if (!g_str_has_prefix (text, "cpu ") || read_numbers (text + strlen ("cpu "), v, 8) < 4)
    return -1;
  return (v[0] + v[1] + v[2] + v[5] + v[6] + v[7]) / ticks_per_s;
}

/* "pid (name) state ppid …": the parent is number 4, utime, stime, cutime, cstime are the numbers 14 to 17;
 * the name may hold anything. FALSE: it says no such thing. */
static gboolean
parse_process (const char *text, double ticks_per_s, int *parent, double *s)
{
  const char *name_end = strrchr (text, ')');
  double v[14] = { 0 };

  if (name_end == NULL || strlen (name_end) < 4 || read_numbers (name_end + 3, v, 14) < 14)
    return FALSE;
  *parent = (int) CLAMP (v[0], 0, G_MAXINT);
  *s = (v[10] + v[11] + v[12] + v[13]) / ticks_per_s;
  return TRUE;
}

double
ls_machine_parse_process (const char *text, double ticks_per_s)
{
  double s = 0;
  int parent;

  return parse_process (text, ticks_per_s, &parent, &s) ? s : 0;
}

double
ls_machine_busy_s (void)
{
  g_autofree char *text = NULL;

  if (!g_file_get_contents ("/proc/stat", &text, NULL, NULL))
    return -1;
  return ls_machine_parse_busy (text, (double) sysconf (_SC_CLK_TCK));
}

static gboolean
read_process (int pid, int *parent, double *s)
{
  g_autofree char *path = g_strdup_printf ("/proc/%d/stat", pid), *text = NULL;

  return g_file_get_contents (path, &text, NULL, NULL)
         && parse_process (text, (double) sysconf (_SC_CLK_TCK), parent, s);
}

double
ls_machine_process_s (int pid)
{
  double s = 0;
  int parent;

  return read_process (pid, &parent, &s) ? s : 0;
}

typedef struct {
  int pid, parent;
  gboolean ours;
  double s;
} Process;

static gboolean
is_ours (const GArray *all, int pid)
{
  for (guint i = 0; i < all->len; i++)
    if (g_array_index (all, Process, i).pid == pid)
      return g_array_index (all, Process, i).ours;
  return FALSE;
}

/* Marks the children of those that are marked, until there are no more; returns the CPU time of all, s. */
static double
sum_family (GArray *all)
{
  double sum = 0;

  for (gboolean more = TRUE; more;)
    {
      more = FALSE;
      for (guint i = 0; i < all->len; i++)
        {
          Process *one = &g_array_index (all, Process, i);
          if (!one->ours && is_ours (all, one->parent))
            one->ours = more = TRUE;
        }
    }
  for (guint i = 0; i < all->len; i++)
    if (g_array_index (all, Process, i).ours)
      sum += g_array_index (all, Process, i).s;
  return sum;
}

double
ls_machine_family_s (int pid)
{
  g_autoptr (GDir) folder = g_dir_open ("/proc", 0, NULL);
  g_autoptr (GArray) all = g_array_new (FALSE, FALSE, sizeof (Process));
  const char *name;

  while (folder != NULL && (name = g_dir_read_name (folder)) != NULL)
    {
      Process one;
      gint64 number;
      if (!g_ascii_string_to_signed (name, 10, 1, G_MAXINT, &number, NULL))
        continue;
      one.pid = (int) number;
      one.ours = one.pid == pid;
      if (read_process (one.pid, &one.parent, &one.s))
        g_array_append_val (all, one);
    }
  return all->len > 0 ? sum_family (all) : -1;
}

/* "0.41 0.38 0.40 3/512 1234": averages, those that run of those that there are, the newest process
 * (proc(5)). */
guint
ls_machine_parse_running (const char *text)
{
  double v[4];

  return read_numbers (text, v, 4) == 4 && v[3] >= 0 && v[3] <= G_MAXINT ? (guint) v[3] : 0;
}

int
ls_machine_running_open (void)
{
  return open ("/proc/loadavg", O_RDONLY | O_CLOEXEC);
}

guint
ls_machine_running (int file)
{
  char text[64];
  const gssize n = pread (file, text, sizeof text - 1, 0);

  text[MAX (n, 0)] = '\0';
  return ls_machine_parse_running (text);
}

double
ls_machine_clock_mhz (const char *root)
{
  double sum = 0;
  guint n = 0;

  for (guint i = 0; i < MOST_CLOCKS; i++)
    {
      g_autofree char *path = g_strdup_printf ("%s/sys/devices/system/cpu/cpu%u/cpufreq/scaling_cur_freq",
                                               root, i),
                      *text = NULL;
      gint64 khz;
      if (!g_file_get_contents (path, &text, NULL, NULL))
        break;
      if (!g_ascii_string_to_signed (g_strstrip (text), 10, 1000, 100000000, &khz, NULL))
        continue;
      sum += (double) khz / 1000;
      n++;
    }
  return n > 0 ? sum / n : 0;
}
