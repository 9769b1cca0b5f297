/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Rings of events, one per writer: see event.h.
 */
#include "config.h"
#include "trace/event.h"

#include <glib/gi18n-lib.h>

#include "core/error.h"

G_STATIC_ASSERT (sizeof (LsRing) == 64);

const char *
ls_event_kind_name (LsEventKind kind)
{
  static const char *const names[LS_EVENT_N_KINDS] = {
    "step",   "op",    "tile",    "wait",     "enqueue",   "queued",
    "kernel", "group", "copy-in", "copy-out", "host-wait", "reference",
  };
  return (guint) kind < LS_EVENT_N_KINDS ? names[kind] : NULL;
}

LsTrace *
ls_trace_new (guint lane, guint n_rings, guint32 capacity, GError **error)
{
  g_autoptr (LsTrace) trace = g_new0 (LsTrace, 1);

  trace->lane = lane;
  trace->n_rings = n_rings;
  trace->rings = g_new0 (LsRing, n_rings);
  for (guint i = 0; i < n_rings; i++)
    {
      trace->rings[i].capacity = capacity;
      trace->rings[i].events = g_try_new (LsEvent, MAX (capacity, 1));
      if (trace->rings[i].events == NULL)
        {
          g_set_error (
            error, LS_ERROR, LS_ERROR_MEMORY,
            _("Recording needs room for %u events on each of %u workers, which the system doesn’t grant."),
            capacity, n_rings);
          return NULL;
        }
    }
  return g_steal_pointer (&trace);
}

void
ls_trace_free (LsTrace *trace)
{
  if (trace == NULL)
    return;
  for (guint i = 0; i < trace->n_rings; i++)
    g_free (trace->rings[i].events);
  g_free (trace->rings);
  g_free (trace);
}

void
ls_trace_reset (LsTrace *trace)
{
  for (guint i = 0; i < trace->n_rings; i++)
    {
      trace->rings[i].n = trace->rings[i].dropped = trace->rings[i].tells = 0;
      trace->rings[i].off_core_ns = 0;
    }
  trace->clock_error_ns = 0;
}

GArray *
ls_trace_off_core (const LsTrace *trace)
{
  GArray *off = g_array_new (FALSE, TRUE, sizeof (guint64));
  guint n = 0;

  for (guint i = 1; i < trace->n_rings; i++)
    {
      n += trace->rings[i].tells;
      g_array_append_val (off, trace->rings[i].off_core_ns);
    }
  if (n == 0)
    g_clear_pointer (&off, g_array_unref);
  return off;
}

guint64
ls_trace_dropped (const LsTrace *trace)
{
  guint64 dropped = 0;
  for (guint i = 0; i < trace->n_rings; i++)
    dropped += trace->rings[i].dropped;
  return dropped;
}

static gint
compare_events_cb (gconstpointer a, gconstpointer b)
{
  const LsEvent *x = a, *y = b;
  if (x->start_ns != y->start_ns)
    return x->start_ns < y->start_ns ? -1 : 1;
  if (x->end_ns != y->end_ns)
    return x->end_ns > y->end_ns ? -1 : 1;
  if (x->kind != y->kind)
    return x->kind < y->kind ? -1 : 1;
  return (x->op > y->op) - (x->op < y->op);
}

GArray *
ls_trace_collect (const LsTrace *trace)
{
  GArray *events = g_array_new (FALSE, FALSE, sizeof (LsEvent));
  for (guint i = 0; i < trace->n_rings; i++)
    g_array_append_vals (events, trace->rings[i].events, trace->rings[i].n);
  g_array_sort (events, compare_events_cb);
  return events;
}
