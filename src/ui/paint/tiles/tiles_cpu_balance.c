/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * FLOP per byte at each level of the CPU's memory: what the walk has reached, as a ring, and what it would
 * need so that the arithmetic never waits, as a bar: this machine's measured rate of arithmetic over the
 * measured rate of that level's bytes. A level whose rate isn't measured has no bar.
 */
#include "config.h"
#include "ui/paint/tiles/tiles_cpu.h"

#include <glib/gi18n-lib.h>

#include "core/number.h"
#include "ui/paint/parts/text.h"

#define MOST 256.0

static double
row_h (const LsMetrics *m)
{
  return m->label.px * 1.6;
}

double
ls_tiles_cpu_balance_height (const LsTiles *t)
{
  const LsMetrics *m = &t->layout->m;

  return m->heading.px * 1.6 + 3 * row_h (m) + m->tick.px * 1.5;
}

/* FLOP for a byte of that roof; 0: not measured. */
static double
needed (const LsTiles *t, LsRoof of)
{
  const LsViewLane *lane = &t->layout->data->sides[t->lane];
  const LsFigure *roofs = lane->there && lane->recorded != NULL ? lane->recorded->device->roofs : NULL;

  return roofs != NULL && roofs[LS_ROOF_FLOPS].n > 0 && roofs[of].n > 0 && roofs[of].value > 0
           ? roofs[LS_ROOF_FLOPS].value / roofs[of].value
           : 0;
}

static void
row (const LsTiles *t, const LsAxis *axis, double middle, double reached, double least)
{
  const LsMetrics *m = &t->layout->m;
  const double high = m->label.px * .95, at = ls_axis_at (axis, CLAMP (reached, 1, MOST)),
               bar = ls_axis_at (axis, CLAMP (least, 1, MOST));
  const LsType bold = { m->label.px, 700 };
  g_autofree char *number = ls_number_text (reached, 3);
  LsScene *s = t->layout->moving;

  if (least > 0 && reached >= 1)
    ls_scene_segment (s, bar, middle, at, middle, LS_INK_QUIET, t->layout->style.data);
  if (least > 0)
    ls_scene_box (s, bar - 2, middle - high / 2, 4, high, LS_INK_TEXT, 0);
  if (reached < 1)
    return;
  ls_scene_path (s, LS_ITEM_RINGS, LS_INK_MARK, t->lane, 13)->evidence = LS_EVIDENCE_DERIVED;
  ls_scene_point (s, at, middle);
  /* beside the ring, on the side where no bar is */
  const gboolean left = bar > at && least > 0 && at - 12 - ls_scene_width (s, bold, number) > axis->from;
  ls_scene_text (s, left ? at - 12 : MAX (at, least > 0 ? bar : 0) + 12, middle + m->label.px * .36, bold,
                 LS_INK_TEXT, left ? LS_RIGHT : LS_LEFT, number);
}

void
ls_tiles_cpu_balance (const LsTiles *t, const LsBlasTraffic *moved)
{
  const LsMetrics *m = &t->layout->m;
  const LsArea area = t->cpu->rings;
  const char *const names[] = { _("registers"), "L1", "L2" };
  const gint64 bytes[] = { moved->registers, moved->l1, moved->l2 };
  const double least[] = { needed (t, LS_ROOF_LOCAL), 0, needed (t, LS_ROOF_MEMORY) };
  const double high = row_h (m), label = ls_scene_width (t->layout->still, m->label, names[0]) + 3 * m->unit;
  LsScene *s = t->layout->moving;
  const double y = area.y + m->heading.px * 1.6;
  LsAxis axis;

  ls_text_heading (s, m, area, area.y + m->heading.px, _("FLOP per byte"),
                   least[2] > 0            ? _("reached (ring), needed (bar) to stay busy")
                   : t->layout->data->live ? _("reached; needed is not measured yet")
                                           : _("reached; needed was not measured"));
  ls_axis_init (&axis, 1, MOST, area.x + label, area.x + area.w - 12 * m->unit, TRUE, 9);
  for (double at = 1; at <= MOST; at *= 4)
    {
      g_autofree char *text = ls_number_tick (at);
      ls_scene_segment (s, ls_axis_at (&axis, at), y, ls_axis_at (&axis, at), y + 3 * high, LS_INK_HAIRLINE,
                        t->layout->style.hairline);
      ls_scene_text (s, ls_axis_at (&axis, at), y + 3 * high + m->tick.px * 1.2, m->tick, LS_INK_QUIET,
                     LS_CENTER, text);
    }
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      const double middle = y + high * (i + .5);
      ls_scene_text (s, area.x + label - 3 * m->unit, middle + m->label.px * .36, m->label, LS_INK_TEXT,
                     LS_RIGHT, names[i]);
      row (t, &axis, middle, bytes[i] > 0 ? (double) moved->flops / (double) bytes[i] : 0, least[i]);
    }
}
