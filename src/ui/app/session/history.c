/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Records in an array sorted by step. Recordings are immutable and shared, so that one loses its tensors by
 * being replaced with one that hasn't any and shares the rest. What nothing is taken from: the newest, which
 * is on screen, and the pinned; if these alone are above the budget, then they are.
 */
#include "ui/app/session/history.h"

typedef struct {
  LsRecording *recording;
  gsize bytes;
  gboolean pinned;
} Record;

struct _LsHistory {
  GArray *records; /* Record */
  gsize budget_bytes, bytes;
  const LsRecording *newest; /* the one that was added last; one of the records', or NULL */
};

static Record *
record_at (const LsHistory *history, guint i)
{
  return &g_array_index (history->records, Record, i);
}

static void
clear_record (gpointer data)
{
  ls_recording_unref (((Record *) data)->recording);
}

LsHistory *
ls_history_new (gsize budget_bytes)
{
  LsHistory *history = g_new0 (LsHistory, 1);

  history->budget_bytes = budget_bytes;
  history->records = g_array_new (FALSE, FALSE, sizeof (Record));
  g_array_set_clear_func (history->records, clear_record);
  return history;
}

void
ls_history_free (LsHistory *history)
{
  if (history == NULL)
    return;
  g_array_unref (history->records);
  g_free (history);
}

static void
drop_tensors (LsHistory *history, guint i)
{
  Record *record = record_at (history, i);
  LsRecording *bare;

  if (record->pinned || record->recording == history->newest)
    return;
  bare = ls_recording_without_tensors (record->recording);
  ls_recording_unref (record->recording);
  record->recording = bare;
  history->bytes -= record->bytes;
  record->bytes = ls_recording_bytes (bare);
  history->bytes += record->bytes;
}

/* The oldest first. */
static void
keep_budget (LsHistory *history)
{
  guint i = 0;

  while (history->bytes > history->budget_bytes && i < history->records->len)
    {
      const Record *record = record_at (history, i);

      if (record->pinned || record->recording == history->newest)
        {
          i++;
          continue;
        }
      history->bytes -= record->bytes;
      g_array_remove_index (history->records, i);
    }
}

/* The first record of that step or a later one. */
static guint
lower_bound (const LsHistory *history, guint64 step)
{
  guint first = 0, end = history->records->len;

  while (first < end)
    {
      const guint middle = first + (end - first) / 2;

      if (record_at (history, middle)->recording->step < step)
        first = middle + 1;
      else
        end = middle;
    }
  return first;
}

static gboolean
has_step (const LsHistory *history, guint i, guint64 step)
{
  return i < history->records->len && record_at (history, i)->recording->step == step;
}

guint
ls_history_add (LsHistory *history, LsRecording *recording)
{
  const guint i = lower_bound (history, recording->step);
  Record record = { .recording = recording, .bytes = ls_recording_bytes (recording) };
  const LsRecording *before = history->newest;

  if (has_step (history, i, recording->step))
    return i;
  ls_recording_ref (recording);
  g_array_insert_val (history->records, i, record);
  history->bytes += record.bytes;
  history->newest = recording;
  for (guint k = 0; k < history->records->len; k++)
    if (record_at (history, k)->recording == before)
      drop_tensors (history, k);
  keep_budget (history);
  return lower_bound (history, recording->step);
}

void
ls_history_exchange (LsHistory *history, const LsRecording *before, LsRecording *now)
{
  for (guint i = 0; i < history->records->len; i++)
    {
      Record *record = record_at (history, i);
      if (record->recording != before)
        continue;
      if (history->newest == before)
        history->newest = now;
      history->bytes -= record->bytes;
      record->bytes = ls_recording_bytes (now);
      history->bytes += record->bytes;
      ls_recording_ref (now);
      ls_recording_unref (record->recording);
      record->recording = now;
      break;
    }
  keep_budget (history);
}

guint
ls_history_n (const LsHistory *history)
{
  return history->records->len;
}

LsRecording *
ls_history_get (const LsHistory *history, guint i)
{
  g_return_val_if_fail (i < history->records->len, NULL);
  return record_at (history, i)->recording;
}

guint
ls_history_find (const LsHistory *history, guint64 step)
{
  const guint i = lower_bound (history, step);

  return has_step (history, i, step) || i == 0 ? i : i - 1;
}

gboolean
ls_history_has (const LsHistory *history, guint64 step)
{
  return has_step (history, lower_bound (history, step), step);
}

void
ls_history_pin (LsHistory *history, guint i, gboolean pinned)
{
  g_return_if_fail (i < history->records->len);
  record_at (history, i)->pinned = pinned;
  drop_tensors (history, i);
  keep_budget (history);
}

gboolean
ls_history_pinned (const LsHistory *history, guint i)
{
  g_return_val_if_fail (i < history->records->len, FALSE);
  return record_at (history, i)->pinned;
}

gsize
ls_history_bytes (const LsHistory *history)
{
  return history->bytes;
}

void
ls_history_clear (LsHistory *history)
{
  g_array_set_size (history->records, 0);
  history->bytes = 0;
  history->newest = NULL;
}
