/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What of the recorded step doesn't get shorter with more workers: ops that are a single tile, workers that
 * have nothing more to do at the end of an op, and the time between ops.
 */
#include "config.h"
#include "ui/paint/scaling/scaling.h"

#include <glib/gi18n-lib.h>

#include "ui/paint/parts/text.h"
#include "core/number.h"

#define BAR   1.6 /* high, in sizes of a label */
#define PARTS 3

static double
busy_ns (const LsStepIndex *index, const LsOpTrace *op)
{
  double sum = 0;

  for (guint i = 0; i < op->n; i++)
    {
      const LsEvent *e = ls_step_index_piece (index, op, i);
      sum += (double) (e->end_ns - e->start_ns);
    }
  return sum;
}

gboolean
ls_scaling_shrink (const LsViewLane *lane, LsScalingShrink *shrink)
{
  const LsStepIndex *index = lane->index;
  double ops = 0;

  *shrink = (LsScalingShrink){ 0 };
  if (index == NULL || !ls_lane_has_workers (lane) || index->length_ns <= 0)
    return FALSE;
  for (guint i = 0; i < index->n_ops; i++)
    {
      const LsOpTrace *op = &index->ops[i];
      const double span = (double) (op->end_ns - op->start_ns) / 1e3;

      if (!op->ran)
        continue;
      ops += span;
      if (op->n <= 1)
        shrink->alone_us += span;
      else if (op->timed && op->n_rows > 1)
        shrink->tail_us += MAX (0, span - busy_ns (index, op) / 1e3 / op->n_rows);
    }
  shrink->step_us = (double) index->length_ns / 1e3;
  shrink->gaps_us = MAX (0, shrink->step_us - ops);
  return index->lane->device != NULL && index->lane->device->threads > 1;
}

double
ls_scaling_shrink_bar (LsLayout *layout, const LsViewLane *lane, LsArea area)
{
  const LsMetrics *m = &layout->m;
  const LsType bold = { m->label.px, 700 };
  LsScene *s = layout->still;
  LsScalingShrink of;

  if (!ls_scaling_shrink (lane, &of))
    return 0;
  const double parts[PARTS] = { of.alone_us, of.tail_us, of.gaps_us }, sum = parts[0] + parts[1] + parts[2];
  const char *const names[PARTS] = { _("small ops"), _("last tiles"), _("between ops") };
  const double bar = BAR * m->label.px, h = m->heading.px * 1.5 + bar + m->label.px * 1.5;
  g_autofree char *part = ls_number_text (sum, 3), *whole = ls_number_text (of.step_us, 3),
                  *words = g_strdup_printf (_("%s: %s of %s µs"), lane->brief, part, whole);
  double x = area.x;

  if (area.h < h || !(sum > 0))
    return 0;
  ls_text_heading (s, m, area, area.y + m->heading.px, _("What does not shrink"), words);
  for (guint i = 0; i < PARTS; i++)
    {
      const double w = area.w * parts[i] / sum, y = area.y + m->heading.px * 1.5;
      g_autofree char *number = ls_number_text (parts[i], 2);

      if (w < 2)
        continue;
      LsItem *box = ls_scene_mark (s, LS_ITEM_HOLLOW, x, y, w - 2, bar, LS_INK_MARK, LS_INK_OF (lane->ink));
      box->size = 2;
      box->evidence = LS_EVIDENCE_DERIVED;
      if (ls_scene_width (s, bold, number) + 3 * m->unit <= w)
        ls_scene_text (s, x + w / 2, y + bar / 2 + m->label.px * .36, bold, LS_INK_TEXT, LS_CENTER, number)
          ->strong
          = TRUE;
      ls_text_fit (s, x + w / 2, y + bar + m->label.px * 1.2, w - m->unit, m->label, LS_INK_QUIET, LS_CENTER,
                   (const char *const[]){ names[i], NULL });
      x += w;
    }
  return h;
}
