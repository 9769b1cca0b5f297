/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The element in which the lanes differ, in a picture of the op that made it: smaller than a pixel in most,
 * so its frame is as large as can be seen.
 */
#include "config.h"
#include "ui/paint/parts/view.h"

#include <glib/gi18n-lib.h>

#define LEAST 9.0 /* px: a frame is no smaller inside */

void
ls_stage_difference (LsLayout *layout, LsArea within, LsArea at, gboolean named)
{
  const LsDifference *difference = &layout->data->difference;
  const LsMetrics *m = &layout->m;
  const LsType bold = { m->label.px, 700 };
  const double w = MAX (at.w, LEAST), h = MAX (at.h, LEAST), x = at.x + at.w / 2 - w / 2,
               y = at.y + at.h / 2 - h / 2;
  g_autofree char *element = ls_difference_words (difference),
                  *words = g_strdup_printf (_("element %s differs"), element);
  const double z = bold.px * .85, plate_w = z + 6 + ls_scene_width (layout->moving, bold, words) + 16,
               plate_h = bold.px * 1.7;
  const gboolean left = x + w + 10 + plate_w > within.x + within.w,
                 above = y + h + 10 + plate_h > within.y + within.h;
  double plate_x, plate_y;

  ls_scene_mark (layout->moving, LS_ITEM_FRAME, x, y, w, h, LS_INK_TEXT, 0)->strong = TRUE;
  if (!named || plate_w > within.w || plate_h > within.h)
    return;
  plate_x = CLAMP (left ? x - 10 - plate_w : x + w + 10, within.x, within.x + within.w - plate_w);
  plate_y = CLAMP (above ? y - 10 - plate_h : y + h + 10, within.y, within.y + within.h - plate_h);
  ls_scene_box (layout->moving, plate_x, plate_y, plate_w, plate_h, LS_INK_TEXT, 0)->size = 6;
  ls_scene_mark (layout->moving, LS_ITEM_WARNING, plate_x + 8, plate_y + (plate_h - z) / 2, z, z,
                 LS_INK_ON_TEXT, 0);
  ls_scene_text (layout->moving, plate_x + 8 + z + 6, plate_y + plate_h / 2 + bold.px * .36, bold,
                 LS_INK_ON_TEXT, LS_LEFT, words)
    ->strong
    = TRUE;
}

gboolean
ls_stage_differs (const LsLayout *layout, guint side, guint op)
{
  const LsDifference *difference = &layout->data->difference;
  const LsViewLane *lane = &layout->data->sides[side];

  if (!difference->found || lane->index == NULL || difference->op >= lane->index->n_ops)
    return FALSE;
  return ls_step_index_leader (lane->index, difference->op) == op;
}
