/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Curves: the strip, large: loss, test accuracy, throughput and the difference of the losses, on one axis of
 * steps or of seconds, with the runs before for comparison. What came out?
 */
#include "config.h"
#include "ui/paint/views.h"

#include <glib/gi18n-lib.h>

#define RATE_STEPS 50 /* fewer make no rate to compare */

static gboolean
any_accuracy (const LsViewData *data)
{
  return data->sides[0].accuracies != NULL || data->sides[1].accuracies != NULL;
}

/* Left what was learnt, right at what speed and how alike. A recording that was made before the test set was
 * gone through has no accuracies: there the loss has the height. */
static void
four_plots (LsLayout *layout, LsArea area)
{
  static const LsCurveKind kinds[LS_SIDES][2] = { { LS_CURVE_LOSS, LS_CURVE_ACCURACY },
                                                  { LS_CURVE_RATE, LS_CURVE_DELTA } };
  const double gap = 4 * layout->m.unit;

  for (guint side = 0; side < LS_SIDES; side++)
    {
      const guint rows = side == 0 && !layout->data->live && !any_accuracy (layout->data) ? 1 : 2;
      LsArea cell = ls_stage_lane (layout, area, side);

      cell.h = (area.h - (rows - 1) * gap) / rows;
      for (guint i = 0; i < rows; i++, cell.y += cell.h + gap)
        ls_chart_curve (layout, cell, kinds[side][i], LS_CHART_RUNS);
    }
}

/* Too small for four: one, chosen by a switch. */
static void
one_plot (LsLayout *layout, LsArea area)
{
  const LsMetrics *m = &layout->m;
  const LsCurveKind kind = (LsCurveKind) MIN (layout->query.curves.kind, (guint) LS_CURVE_N - 1);
  const gboolean switched = !layout->query.chrome;
  const double head = switched ? m->control_h + m->unit : 0;

  if (switched)
    {
      const char *words = ls_chart_subtitle (
        layout->data, kind, layout->data->others != NULL && layout->data->others->len > 0, TRUE);
      const double right = area.x + area.w - m->margin,
                   width = ls_scene_width (layout->still, m->label, words) + 4 * m->unit;
      ls_stage_slot (layout, LS_SLOT_PLOTS, -1, 0, area.x + m->margin, area.y,
                     right - width - area.x - m->margin, m->control_h);
      ls_scene_text (layout->still, right, area.y + m->control_h / 2 + m->label.px * .36, m->label,
                     LS_INK_QUIET, LS_RIGHT, words);
    }
  ls_chart_curve (layout,
                  (LsArea){ area.x + m->margin, area.y + head, area.w - 2 * m->margin, area.h - head }, kind,
                  LS_CHART_RUNS | (switched ? LS_CHART_UNTITLED : 0));
}

/* What came out, in three words, if that is beyond doubt. */
static void
name_picture (LsLayout *layout)
{
  const LsViewLane *a = &layout->data->sides[0], *b = &layout->data->sides[1];
  const gboolean rates = a->rate.n >= RATE_STEPS && b->rate.n >= RATE_STEPS;

  if (layout->data->disagree[0] != NULL || a->delta.n == 0 || !rates || a->stopped_at > 0
      || b->stopped_at > 0)
    return;
  layout->heading = g_strdup (a->rate.q1 > b->rate.q3 || b->rate.q1 > a->rate.q3
                                ? _("Same learning, other speed")
                                : _("Same learning"));
}

static void
layout_curves (LsLayout *layout)
{
  const LsMetrics *m = &layout->m;
  LsArea area;

  if (m->projector)
    name_picture (layout);
  area = ls_stage_begin (layout);
  area.y += 2 * m->unit;
  area.h -= m->projector ? 2 * m->unit : 4 * m->unit;
  ls_area_below (&area, ls_stage_heads (layout, area));
  ls_area_below (&area, ls_stage_disagreement (layout, area) + (m->projector ? 1 : 3) * m->unit);
  if (m->projector)
    ls_chart_stack (layout, area);
  else if (m->size == LS_SIZE_SMALL)
    one_plot (layout, area);
  else
    four_plots (layout, area);
}

static void
describe_curves (const LsLayout *layout, GString *text)
{
  const LsViewData *data = layout->data;
  const guint n = data->runs != NULL ? data->runs->len : 0;

  if (n > 0)
    g_string_append_printf (
      text,
      g_dngettext (GETTEXT_PACKAGE, " Compared with %u run before.", " Compared with %u runs before.", n), n);
}

const LsView ls_view_curves = {
  .name = "curves",
  .head_tells = TRUE,
  .title = N_("Curves"),
  .question = N_("What came out?"),
  .layout = layout_curves,
  .describe = describe_curves,
};
