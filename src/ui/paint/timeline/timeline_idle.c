/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A worker, thread or unit without work: its row would be blank, and a blank could be anything. So the row
 * says that it had none, in which op, and how many pieces there were for how many.
 */
#include "config.h"
#include "ui/paint/timeline/timeline.h"

#include <glib/gi18n-lib.h>

#include "core/number.h"

/* Has the row a span in the window? */
static gboolean
has_work (const LsTimelineLane *lane, const LsTimeRow *row)
{
  const guint i = row != NULL ? ls_time_row_after (row, lane->scale.from) : 0;

  return row != NULL && i < row->n && row->start[i] < lane->scale.to;
}

static gboolean
works_at (const LsTimeIndex *times, gint worker, guint op)
{
  const LsTimeRow *row = ls_time_index_row (times, LS_ROW_WORKER, worker);
  const LsOpTrace *trace = &times->index->ops[op];

  for (guint i = row != NULL ? ls_time_row_after (row, trace->start_ns) : 0;
       row != NULL && i < row->n && row->start[i] < trace->end_ns; i++)
    if (row->op[i] == op)
      return TRUE;
  return FALSE;
}

/* The only op with pieces in the window; n_ops where there are several, or none. */
static guint
only_op (const LsTimelineLane *lane)
{
  const LsStepIndex *index = lane->times->index;
  guint found = index->n_ops;

  for (guint op = 0; op < index->n_ops; op++)
    {
      const LsOpTrace *trace = &index->ops[op];
      if (!trace->ran || trace->n == 0 || trace->end_ns <= lane->scale.from
          || trace->start_ns >= lane->scale.to)
        continue;
      if (found < index->n_ops)
        return index->n_ops;
      found = op;
    }
  return found;
}

/* "worker 1". (transfer full) */
static char *
name_of (const LsTimelineLane *lane, const LsTimelineRow *row)
{
  const LsStepIndex *index = lane->times->index;

  if (row->kind == LS_ROW_WORKER)
    return g_strdup_printf (_("worker %d"), row->number);
  for (guint op = 0; op < index->n_ops; op++)
    if (index->ops[op].n > 0 && index->ops[op].known == LS_KNOWN_UNITS)
      return g_strdup_printf (_("unit %d"), row->number);
  return g_strdup_printf (_("thread %d"), row->number);
}

/* "worker 1 had no tile in Z₂: it is a single one". (transfer full) */
static char *
row_words (const LsTimelineLane *lane, const LsTimelineRow *row, gboolean brief)
{
  const LsRecording *recording = lane->layout->data->recording;
  const gboolean tiles = row->kind == LS_ROW_WORKER,
                 whole = lane->scale.from <= 0 && lane->scale.to >= lane->times->index->length_ns;
  const guint op = only_op (lane);
  g_autofree char *name = name_of (lane, row), *where = NULL;

  if (op >= lane->times->index->n_ops || op >= recording->n_ops)
    return g_strdup_printf (
      whole ? (tiles ? _("%s had no tile in this step") : _("%s had no work-group in this step"))
            : (tiles ? _("%s had no tile in this time") : _("%s had no work-group in this time")),
      name);
  where = g_strdup_printf (tiles ? _("%s had no tile in %s") : _("%s had no work-group in %s"), name,
                           recording->ops[op].symbol);
  if (brief)
    return g_steal_pointer (&where);
  const guint n = lane->times->index->ops[op].n;
  g_autofree char *count = ls_number_count (n);
  g_autofree char *why = g_strdup_printf (
    g_dngettext (GETTEXT_PACKAGE, "there was only %s", "others took all %s", n), count);
  return g_strdup_printf ("%s: %s", where, why);
}

/* In the row from x on, on a plate: a wait may lie below. FALSE: there is no room. */
static gboolean
say (const LsTimelineLane *lane, const LsTimelineRow *row, double x, double right, const char *words)
{
  const LsMetrics *m = &lane->layout->m;
  LsScene *s = lane->layout->still;
  const double w = ls_scene_width (s, m->label, words), h = MIN (row->h, m->label.px * 1.3);

  if (x + w + 6 > right)
    return FALSE;
  ls_scene_box (s, x - 6, row->y + (row->h - h) / 2, w + 12, h, LS_INK_WINDOW, 0)->strong = TRUE;
  ls_scene_text (s, x, row->y + row->h / 2 + m->label.px * .36, m->label, LS_INK_QUIET, LS_LEFT, words)
    ->strong
    = TRUE;
  return TRUE;
}

/* A worker that had some: where an op was without it, in that op's place. */
static void
say_ops (const LsTimelineLane *lane, const LsTimelineRow *row)
{
  const LsStepIndex *index = lane->times->index;

  for (guint op = 0; op < index->n_ops; op++)
    {
      const LsOpTrace *trace = &index->ops[op];
      const double x = ls_time_x (&lane->scale, trace->start_ns) + 10,
                   right = ls_time_x (&lane->scale, trace->end_ns) - 10;
      if (!trace->ran || trace->n == 0 || works_at (lane->times, row->number, op))
        continue;
      g_autofree char *count = ls_number_count (trace->n);
      g_autofree char *why = g_strdup_printf (
        g_dngettext (GETTEXT_PACKAGE, "no tile: there was only %s", "no tile: others took all %s", trace->n),
        count);
      if (!say (lane, row, x, right, why))
        say (lane, row, x, right, _("no tile"));
    }
}

void
ls_timeline_idle_rows (const LsTimelineLane *lane)
{
  for (guint i = 0; i < lane->rows->len; i++)
    {
      const LsTimelineRow *row = &g_array_index (lane->rows, LsTimelineRow, i);
      if (row->other || row->merged > 1 || row->h < lane->layout->m.label.px
          || (row->kind != LS_ROW_WORKER && row->kind != LS_ROW_GROUPS))
        continue;
      if (has_work (lane, row->row))
        {
          if (row->kind == LS_ROW_WORKER)
            say_ops (lane, row);
          continue;
        }
      for (guint brief = 0; brief < 2; brief++)
        {
          g_autofree char *words = row_words (lane, row, brief > 0);
          if (say (lane, row, lane->scale.x + 18, lane->scale.x + lane->scale.w, words))
            break;
        }
    }
}

char *
ls_timeline_idle_words (const LsTimelineLane *lane, guint op)
{
  const LsTimeRow *const *rows;
  const guint n = lane->times != NULL ? ls_time_index_rows (lane->times, LS_ROW_WORKER, &rows) : 0;
  const gint workers = n > 0 ? MAX (lane->lane->recorded->device->threads, rows[n - 1]->number + 1) : 0;
  guint idle = 0;
  gint last = -1;

  if (workers < 2 || op >= lane->times->index->n_ops || lane->times->index->ops[op].n == 0)
    return NULL;
  for (gint w = 0; w < workers; w++)
    {
      const gboolean worked = works_at (lane->times, w, op);
      idle += !worked;
      last = worked ? last : w;
    }
  if (idle == 0)
    return NULL;
  if (idle == 1)
    return g_strdup_printf (_("worker %d had no tile in it"), last);
  return g_strdup_printf (_("%u of %d workers had no tile in it"), idle, workers);
}
