/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Causes are found by looking them up in sorted rows: no search through all events.
 */
#include "config.h"
#include "ui/paint/timeline/timeline_cause.h"

#include <glib/gi18n-lib.h>

#include "core/number.h"

static void
hold (const LsTimeIndex *self, LsCause *cause, LsCauseKind kind, guint32 event)
{
  const gint64 end = ls_time_since (self, ls_time_event (self, event)->end_ns);

  cause->kind = kind;
  cause->event = event;
  cause->held = CLAMP (end, cause->from, cause->to) - cause->from;
  cause->rest = cause->to - cause->from - cause->held;
}

/* The last of the op's tiles to end within the wait; any worker's. */
static void
at_barrier (const LsTimeIndex *self, const LsEvent *wait, LsCause *cause)
{
  const LsTimeRow *const *rows;
  const guint n = ls_time_index_rows (self, LS_ROW_WORKER, &rows);
  const LsTiling *t = &self->index->lane->tilings[wait->op];
  gint64 latest = self->index->ops[wait->op].start_ns - 1;

  for (guint r = 0; r < n; r++)
    for (guint i = ls_time_row_before (rows[r], cause->to); i < rows[r]->n && rows[r]->reach[i] > latest; i--)
      {
        const LsEvent *tile = ls_time_event (self, rows[r]->event[i]);
        if (tile->op != wait->op || rows[r]->end[i] > cause->to)
          continue;
        if (rows[r]->end[i] > latest)
          {
            latest = rows[r]->end[i];
            cause->event = rows[r]->event[i];
          }
        break;
      }
  if (cause->event == LS_NO_COMMAND)
    {
      cause->kind = LS_CAUSE_BARRIER;
      cause->rest = cause->to - cause->from;
      return;
    }
  const gboolean own = ls_time_event (self, cause->event)->worker == wait->worker;
  hold (self, cause,
        own || latest <= cause->from                            ? LS_CAUSE_BARRIER
        : t->grid_rows * t->grid_cols * MAX (t->splits, 1) == 1 ? LS_CAUSE_ALONE
                                                                : LS_CAUSE_TILE,
        cause->event);
}

static guint
position_of (const LsTimeIndex *self, const LsTimeCommand *command)
{
  return (guint) (command - (const LsTimeCommand *) (const void *) self->commands->data);
}

/* In an in-order queue a command starts when it is queued and the one before it is done. */
static void
in_queue (const LsTimeIndex *self, const LsTimeCommand *command, LsCause *cause)
{
  const guint at = position_of (self, command);
  const LsTimeCommand *before = at > 0 ? &g_array_index (self->commands, LsTimeCommand, at - 1) : NULL;

  if (before != NULL && ls_time_since (self, ls_time_event (self, before->run)->end_ns) > cause->from)
    hold (self, cause,
          ls_time_event (self, before->run)->kind == LS_EVENT_KERNEL ? LS_CAUSE_COMMAND : LS_CAUSE_COPY,
          before->run);
  else if (before != NULL && command->call != LS_NO_COMMAND)
    hold (self, cause, LS_CAUSE_HOST, command->call);
  else
    {
      cause->kind = LS_CAUSE_START;
      cause->event = command->call;
      cause->rest = cause->to - cause->from;
    }
}

static void
on_device (const LsTimeIndex *self, LsCause *cause)
{
  guint32 last = LS_NO_COMMAND;

  for (guint i = 0; i < self->commands->len; i++)
    {
      const guint32 run = g_array_index (self->commands, LsTimeCommand, i).run;
      const guint64 end = ls_time_event (self, run)->end_ns;
      if (ls_time_since (self, end) <= cause->to
          && (last == LS_NO_COMMAND || end > ls_time_event (self, last)->end_ns))
        last = run;
    }
  if (last != LS_NO_COMMAND)
    hold (self, cause, LS_CAUSE_DEVICE, last);
}

LsCause
ls_time_cause (const LsTimeIndex *self, guint32 event)
{
  const LsEvent *e = ls_time_event (self, event);
  LsCause cause = {
    LS_CAUSE_NONE, LS_NO_COMMAND, ls_time_since (self, e->start_ns), ls_time_since (self, e->end_ns), 0, 0
  };
  const LsTimeCommand *command;

  if (e->kind == LS_EVENT_WAIT && e->op < self->index->n_ops)
    at_barrier (self, e, &cause);
  else if (e->kind == LS_EVENT_QUEUED && (command = ls_time_index_command (self, event)) != NULL)
    in_queue (self, command, &cause);
  else if (e->kind == LS_EVENT_HOST_WAIT)
    on_device (self, &cause);
  return cause;
}

/* ---- in words ---- */

static char *
work_words (const LsRecording *recording, const LsEvent *e)
{
  const char *symbol = e->op < recording->n_ops ? recording->ops[e->op].symbol : "";

  switch ((LsEventKind) e->kind)
    {
    case LS_EVENT_TILE:
      return g_strdup_printf (_("tile %u of %s on worker %u"), e->tile, symbol, e->worker);
    case LS_EVENT_COPY_IN:
      return g_strdup (_("the copy to the device"));
    case LS_EVENT_COPY_OUT:
      return g_strdup (_("the copy from the device"));
    default:
      return g_strdup_printf (_("the kernel of %s"), symbol);
    }
}

char *
ls_time_cause_words (const LsTimeIndex *self, const LsRecording *recording, const LsCause *cause)
{
  g_autofree char *held = ls_number_time ((double) cause->held),
                  *rest = ls_number_time ((double) cause->rest);
  g_autofree char *work = cause->event != LS_NO_COMMAND
                            ? work_words (recording, ls_time_event (self, cause->event))
                            : NULL;

  switch (cause->kind)
    {
    case LS_CAUSE_TILE:
      return g_strdup_printf (_("It waits for %s, which ends %s later; %s after that the pool goes on."),
                              work, held, rest);
    case LS_CAUSE_BARRIER:
      return g_strdup_printf (_("No tile was left to wait for: %s until the pool went on."), rest);
    case LS_CAUSE_ALONE:
      return g_strdup_printf (
        _("The op is a single tile: %s works %s longer, the others have nothing to do."), work, held);
    case LS_CAUSE_COMMAND:
      return g_strdup_printf (_("The queue is in order: %s runs %s longer; the device starts %s after it."),
                              work, held, rest);
    case LS_CAUSE_COPY:
      return g_strdup_printf (_("The queue is in order: it waits %s for %s; the device starts %s after it."),
                              held, work, rest);
    case LS_CAUSE_HOST:
      return g_strdup_printf (
        _("The queue was empty: the host queued it late. The device starts it %s after the call."), rest);
    case LS_CAUSE_START:
      return g_strdup_printf (_("Nothing was before it: the device took %s from queued to started."), rest);
    case LS_CAUSE_DEVICE:
      return g_strdup_printf (
        _("The host waits for the device: %s ends %s later; %s after that the host knows."), work, held,
        rest);
    case LS_CAUSE_NONE:
      break;
    }
  return NULL;
}
