/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * /proc/stat, /proc/PID/stat, /proc/loadavg and the clocks in /sys, read.
 */
#include "config.h"
#include "trace/load.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#define MOST_DEEP   4 /* children of children */
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

/* "pid (name) state ppid …": utime, stime, cutime, cstime are the numbers 14 to 17; the name may hold
 * anything. */
double
ls_machine_parse_process (const char *text, double ticks_per_s)
{
  const char *name_end = strrchr (text, ')');
  double v[14] = { 0 };

  if (name_end == NULL || strlen (name_end) < 4 || read_numbers (name_end + 3, v, 14) < 14)
    return 0;
  return (v[10] + v[11] + v[12] + v[13]) / ticks_per_s;
}

double
ls_machine_busy_s (void)
{
  g_autofree char *text = NULL;

  if (!g_file_get_contents ("/proc/stat", &text, NULL, NULL))
    return -1;
  return ls_machine_parse_busy (text, (double) sysconf (_SC_CLK_TCK));
}

double
ls_machine_process_s (int pid)
{
  g_autofree char *path = g_strdup_printf ("/proc/%d/stat", pid), *text = NULL;

  if (!g_file_get_contents (path, &text, NULL, NULL))
    return 0;
  return ls_machine_parse_process (text, (double) sysconf (_SC_CLK_TCK));
}

/* Adds up the children of a process: each of its threads lists those that it started. FALSE: no such list. */
static gboolean
add_children (int pid, guint deep, double *sum)
{
  g_autofree char *folder = g_strdup_printf ("/proc/%d/task", pid);
  g_autoptr (GDir) threads = g_dir_open (folder, 0, NULL);
  gboolean told = FALSE;
  const char *thread;

  while (threads != NULL && (thread = g_dir_read_name (threads)) != NULL)
    {
      g_autofree char *path = g_build_filename (folder, thread, "children", NULL), *text = NULL;
      if (!g_file_get_contents (path, &text, NULL, NULL))
        continue;
      told = TRUE;
      g_auto (GStrv) words = g_strsplit (g_strstrip (text), " ", -1);
      for (guint i = 0; words[i] != NULL; i++)
        {
          gint64 child;
          if (!g_ascii_string_to_signed (words[i], 10, 1, G_MAXINT, &child, NULL))
            continue;
          *sum += ls_machine_process_s ((int) child);
          if (deep > 1)
            add_children ((int) child, deep - 1, sum);
        }
    }
  return told;
}

double
ls_machine_own_s (void)
{
  double sum = ls_machine_process_s (getpid ());

  return add_children (getpid (), MOST_DEEP, &sum) ? sum : -1;
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
