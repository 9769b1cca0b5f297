/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See difference.h. An element is smaller than a pixel in most pictures: its frame is as large as can be
 * seen.
 */
#include "config.h"
#include "ui/paint/difference.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "ui/paint/view.h"

#define LEAST 9.0 /* px: a frame is no smaller inside */

void
ls_difference_fill (LsDifference *self, const LsSnapshot *snapshot, const gint side_of_lane[2])
{
  const LsAgreement *a = &snapshot->agreement;
  const LsTensor *tensor;

  *self = (LsDifference){ 0 };
  if (!a->disagree || !a->found || a->first.op >= snapshot->plan->n_ops)
    return;
  tensor = &snapshot->plan->tensors[a->first.tensor];
  self->found = TRUE;
  self->op = a->first.op;
  self->side = side_of_lane[1] == (gint) a->first.lane ? 1 : 0;
  self->rank = tensor->rank;
  memcpy (self->shape, tensor->shape, sizeof self->shape);
  self->element = a->first.worst;
}

gboolean
ls_difference_at (const LsDifference *self, gint64 rows, gint64 cols, gint64 *row, gint64 *col)
{
  gint64 all = 1, above = 1;
  gboolean whole_rows = rows == 1;

  for (guint d = 0; d < self->rank; d++)
    all *= self->shape[d];
  if (!self->found || rows < 1 || cols < 1 || rows * cols != all || self->element < 0 || self->element >= all)
    return FALSE;
  for (guint d = 0; d < self->rank; d++)
    whole_rows |= (above *= self->shape[d]) == rows;
  if (whole_rows)
    {
      *row = self->element / cols;
      *col = self->element % cols;
      return TRUE;
    }
  if (self->rank != 4 || rows != self->shape[1])
    return FALSE;
  const gint64 places = self->shape[2] * self->shape[3], map = self->element / places;
  *row = map % self->shape[1];
  *col = map / self->shape[1] * places + self->element % places;
  return TRUE;
}

char *
ls_difference_words (const LsDifference *self)
{
  LsTensor tensor = { .rank = self->rank };

  memcpy (tensor.shape, self->shape, sizeof self->shape);
  return ls_tensor_element_string (&tensor, self->element);
}

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
