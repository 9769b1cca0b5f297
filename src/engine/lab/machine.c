/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * /proc/stat and /proc/PID/stat, read; and the machine in a line.
 */
#include "config.h"
#include "lab/machine.h"

#include <glib/gi18n-lib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "backends/cpu/topology.h"
#include "trace/event.h"

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

double
ls_machine_others (GCancellable *cancel)
{
  const double busy = ls_machine_busy_s (), own = ls_machine_process_s (getpid ());
  const guint64 start = ls_clock_ns ();
  double others;

  if (busy < 0)
    return -1;
  for (guint i = 0; i < 10 && !g_cancellable_is_cancelled (cancel); i++)
    g_usleep (50000);
  others = ls_machine_busy_s () - busy - (ls_machine_process_s (getpid ()) - own);
  return MAX (0, others) * 1e9 / (double) (ls_clock_ns () - start);
}

char *
ls_machine_text (void)
{
  g_autofree char *os = g_get_os_info (G_OS_INFO_KEY_PRETTY_NAME);
  const glong processors = sysconf (_SC_NPROCESSORS_ONLN);
  struct utsname names = { 0 };
  LsTopology topology;
  char *text;

  uname (&names);
  ls_topology_read (&topology, "", ls_topology_affinity ());
  text = g_strdup_printf (
    ngettext ("%s, %ld processor, of which %u may be used; %s, %s %s",
              "%s, %ld processors, of which %u may be used; %s, %s %s", (gulong) processors),
    topology.model != NULL ? topology.model : _("unknown processor"), processors, topology.usable,
    os != NULL ? os : _("unknown system"), names.sysname, names.release);
  ls_topology_clear (&topology);
  return text;
}

char *
ls_machine_key (void)
{
  LsTopology topology;
  char *key;

  ls_topology_read (&topology, "", ls_topology_affinity ());
  key = g_strdup_printf ("%s|%ld|%u", topology.model != NULL ? topology.model : "",
                         sysconf (_SC_NPROCESSORS_ONLN), topology.usable);
  ls_topology_clear (&topology);
  return key;
}

guint
ls_machine_cores (void)
{
  LsTopology topology;

  ls_topology_read (&topology, "", ls_topology_affinity ());
  ls_topology_clear (&topology);
  return topology.cores;
}
