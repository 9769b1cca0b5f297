/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Words round a lane's rows: their names left of them, as many as don't touch each other, and at the foot how
 * many spans were too thin to draw, and what the device tells of its work-groups.
 */
#include "config.h"
#include "ui/paint/timeline/timeline.h"

#include <glib/gi18n-lib.h>

#include "core/number.h"

static void
name_row (const LsTimelineLane *lane, double y, double h, LsType type, LsInk ink, const char *text)
{
  ls_scene_text (lane->layout->still, lane->scale.x - 10, y + h / 2 + type.px * .36, type, ink, LS_RIGHT,
                 text);
}

/* What the numbers count, beside the first of them. */
static char *
first_name (const LsTimelineLane *lane, const LsTimelineRow *row)
{
  const LsTimeIndex *times = lane->times;

  if (row->number > 0 || (row->kind != LS_ROW_WORKER && row->kind != LS_ROW_GROUPS))
    return NULL;
  if (row->kind == LS_ROW_WORKER)
    return g_strdup (_("worker"));
  for (guint op = 0; op < times->index->n_ops; op++)
    if (times->index->ops[op].n > 0 && times->index->ops[op].known == LS_KNOWN_UNITS)
      return g_strdup (_("unit")); /* as in the rows */
  return g_strdup (_("thread"));
}

void
ls_timeline_names (const LsTimelineLane *lane)
{
  static const char *const names[] = { [LS_ROW_OPS] = N_("op"),
                                       [LS_ROW_HOST] = N_("host"),
                                       [LS_ROW_COPIES] = N_("copies"),
                                       [LS_ROW_KERNELS] = N_("kernels"),
                                       [LS_ROW_GROUPS] = NULL };
  const LsMetrics *m = &lane->layout->m;
  const LsType bold = { m->label.px, 700 };
  double above = 0;

  for (guint i = 0; i < lane->rows->len; i++)
    {
      const LsTimelineRow *row = &g_array_index (lane->rows, LsTimelineRow, i);
      const double base = row->y + row->h / 2 + m->label.px * .36;
      g_autofree char *number = g_strdup_printf ("%d", row->number), *first = first_name (lane, row);

      if (base - bold.px * LS_ASCENT < above)
        continue;
      if (row->other)
        name_row (lane, row->y, row->h, m->label, LS_INK_QUIET, _("other"));
      else if (row->kind == LS_ROW_WORKER || row->kind == LS_ROW_GROUPS)
        {
          const double width = ls_scene_width (lane->layout->still, bold, number) + 16;
          name_row (lane, row->y, row->h, bold, LS_INK_TEXT, number);
          if (first != NULL
              && width + ls_scene_width (lane->layout->still, m->label, first)
                   <= lane->scale.x - lane->area.x - m->rule)
            ls_scene_text (lane->layout->still, lane->scale.x - width, base, m->label, LS_INK_QUIET, LS_RIGHT,
                           first);
        }
      else
        name_row (lane, row->y, row->h, m->label, LS_INK_QUIET, gettext (names[row->kind]));
      above = base + bold.px * LS_DESCENT;
    }
  if (lane->queue_h > 0)
    name_row (lane, lane->queue_y, lane->queue_h, m->label, LS_INK_QUIET, _("queue"));
}

char *
ls_timeline_foot (const LsTimelineLane *lane)
{
  static const char *const tells[] = { [LS_KNOWN_UNITS] = N_("unit numbers told by the device"),
                                       [LS_KNOWN_THREADS] = N_("rows are threads, units not told"),
                                       [LS_KNOWN_ORDER] = N_("work-groups tell their order only"),
                                       [LS_KNOWN_NOTHING] = N_("this device does not say who or when") };
  const LsStepIndex *index = lane->times->index;
  g_autofree char *folded = ls_number_count (lane->n_folded), *steps = ls_number_count (lane->n_steps),
                  *all = ls_number_count ((guint64) lane->n_folded + lane->n_drawn + lane->n_steps);
  const gulong drawn = lane->n_drawn; /* all, where none are folded */
  g_autofree char *first
    = lane->n_folded > 0
        ? g_strdup_printf (_("%s of %s spans too thin to draw: folded and counted"), folded, all)
      : lane->n_steps > 0 ? g_strdup_printf (_("%s spans"), all)
      : drawn == 0
        ? g_strdup (_("no span lies in this time"))
        : g_strdup_printf (
          g_dngettext (GETTEXT_PACKAGE, "its one span is drawn", "all %s spans are drawn", drawn), all);
  if (lane->n_steps > 0)
    {
      g_autofree char *of = g_steal_pointer (&first);
      first = g_strdup_printf (_("%s, %s in time steps that a click opens"), of, steps);
    }
  LsKnown known = LS_KNOWN_NOTHING;
  guint pieces = 0;

  for (guint op = 0; op < index->n_ops; op++)
    if (index->ops[op].n > pieces)
      {
        known = index->ops[op].known;
        pieces = index->ops[op].n;
      }
  if (lane->times->commands->len > 0 && pieces == 0)
    return g_strdup_printf (_("%s · the device tells nothing of its work-groups"), first);
  if (ls_lane_has_workers (lane->lane) || pieces == 0)
    return g_steal_pointer (&first);
  if (known == LS_KNOWN_UNITS || known == LS_KNOWN_THREADS)
    return g_strdup_printf (_("%s · %s · shade: order of completion"), first, gettext (tells[known]));
  return g_strdup_printf ("%s · %s", first, gettext (tells[known]));
}

void
ls_timeline_draw_foot (const LsTimelineLane *lane)
{
  const LsMetrics *m = &lane->layout->m;
  g_autofree char *words = ls_timeline_foot (lane);

  if (lane->foot_y > 0 && ls_scene_width (lane->layout->still, m->label, words) <= lane->scale.w)
    ls_scene_text (lane->layout->still, lane->scale.x, lane->foot_y, m->label, LS_INK_QUIET, LS_LEFT, words);
}
