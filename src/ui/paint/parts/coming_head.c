/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What stands over and under the picture of a lane that comes, or that waits for one. See coming.h.
 */
#include "config.h"
#include "ui/paint/parts/coming.h"
#include "ui/paint/parts/text.h"

#include <glib/gi18n-lib.h>
#include <math.h>

double
ls_coming_sentence (LsLayout *layout, guint side, double x, double y, double width, LsType type)
{
  const LsMetrics *m = &layout->m;
  const LsViewLane *lane = &layout->data->sides[side];
  const double mark = ls_lane_left_told (lane) ? m->evidence + 1.5 * m->unit : 0;

  if (mark > 0)
    ls_scene_evidence (layout->still, x, y + type.px * (1.35 - .36) - m->evidence / 2, m->evidence,
                       LS_EVIDENCE_DERIVED, LS_INK_QUIET);
  return ls_text_wrapped (layout->still, x + mark, y, width - mark, type, LS_INK_TEXT, lane->message, TRUE);
}

void
ls_coming_unrecorded (LsLayout *layout, LsArea area, guint side)
{
  const LsMetrics *m = &layout->m;
  const char *message = layout->data->sides[side].message;
  LsType type = { m->projector || m->size == LS_SIZE_SMALL ? m->heading.px : 20 * layout->style.text_scale,
                  700 };

  if (ls_text_wrapped (layout->still, 0, 0, area.w, type, LS_INK_TEXT, message, FALSE) + type.px * LS_DESCENT
      > area.h)
    type.px = m->label.px;
  const double y = ls_text_wrapped (layout->still, area.x, area.y, area.w, type, LS_INK_TEXT, message, TRUE)
                   + 4 * m->unit;

  ls_coming_list (layout, (LsArea){ area.x, y, area.w, area.y + area.h - y }, side);
}

double
ls_coming_head (LsLayout *layout, guint side, LsArea area, double base)
{
  const LsMetrics *m = &layout->m;
  const LsViewLane *lane = &layout->data->sides[side];
  const LsType type = { m->heading.px, 700 };
  const double beside = ls_stage_name_width (layout, side) + 4 * m->unit;
  double x = area.x, y = base;

  if (!ls_lane_coming (lane))
    return 0;
  if (lane->device[0] == '\0'
      && beside + m->evidence + 1.5 * m->unit + ls_scene_width (layout->still, type, lane->message) <= area.w)
    {
      x += beside;
      y -= type.px * LS_TEXT_PITCH; /* of ls_text_wrapped() */
    }
  else if (lane->device[0])
    y += m->label.px * 1.4;
  y = ls_coming_sentence (layout, side, x, y, area.x + area.w - x, type);
  if (lane->hint != NULL)
    y = ls_text_wrapped (layout->still, area.x, y, area.w, m->label, LS_INK_QUIET, lane->hint, TRUE);
  /* where it has no place of its own */
  if (layout->view->head_tells && (layout->data->recording != NULL || !layout->view->needs_step))
    y += ls_coming_cells (layout, (LsArea){ area.x, y + m->label.px * .5, area.w, HUGE_VAL }, side)
         + m->label.px * .2;
  return y;
}

/* Two lines: a bold one in the lane's ink, and why. The second is as many of its sentences as have room. */
static void
foot_words (LsLayout *layout, LsArea area, guint side, const char *first, const char *const *second)
{
  const LsMetrics *m = &layout->m;
  LsScene *s = layout->still;
  const double y = area.y + m->strong.px * 1.3;
  GString *line = g_string_new (NULL);

  if (ls_scene_width (s, m->strong, first) <= area.w)
    ls_scene_text (s, area.x, y, m->strong, LS_INK_LANE, LS_LEFT, first)->value = (float) side;
  for (guint i = 0; second[i] != NULL; i++)
    {
      g_autofree char *longer = line->len > 0 ? g_strdup_printf ("%s %s", line->str, second[i])
                                              : g_strdup (second[i]);
      if (ls_scene_width (s, m->label, longer) > area.w)
        break;
      g_string_assign (line, longer);
    }
  if (line->len > 0)
    ls_scene_text (s, area.x, y + m->label.px * 1.45, m->label, LS_INK_QUIET, LS_LEFT, line->str);
  g_string_free (line, TRUE);
}

double
ls_coming_foot (LsLayout *layout, LsArea area, double gutter)
{
  const LsMetrics *m = &layout->m;
  const double h = m->strong.px * 1.3 + m->label.px * 1.45 + m->label.px * .6;
  gboolean any = FALSE;

  for (guint side = 0; side < LS_SIDES; side++)
    {
      const double w = (area.w - 2 * m->margin - gutter) / 2;
      const LsArea lane = { area.x + m->margin + side * (w + gutter), area.y + area.h - h, w, h };
      g_autofree char *why = NULL, *waits = ls_coming_waits (layout->data, side, &why),
                      *built = ls_coming_built (&layout->data->sides[side]);

      if (waits != NULL)
        foot_words (layout, lane, side, waits, (const char *const[]){ why, NULL });
      else if (built != NULL)
        foot_words (layout, lane, side, built,
                    (const char *const[]){ _("Drawn equally high: none has been timed yet."),
                                           _("Agreement is told after its first step."), NULL });
      any |= waits != NULL || built != NULL;
    }
  return any ? h : 0;
}
