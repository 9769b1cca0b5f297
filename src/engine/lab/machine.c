/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How busy it is for a second, and the machine in a line.
 */
#include "config.h"
#include "lab/machine.h"

#include <glib/gi18n-lib.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "backends/cpu/topology.h"
#include "trace/event.h"

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
