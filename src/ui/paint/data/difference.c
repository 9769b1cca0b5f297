/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See difference.h.
 */
#include "config.h"
#include "ui/paint/data/difference.h"

#include <string.h>

void
ls_difference_fill (LsDifference *self, const LsSnapshot *snapshot, const gint side_of_lane[2])
{
  const LsAgreement *a = &snapshot->agreement;
  const LsTensor *tensor;

  *self = (LsDifference){ 0 };
  if (!a->disagree || !a->found || a->first.op >= snapshot->plan->n_ops)
    return;
  /* of a lane that stands on neither side there is no picture */
  if (side_of_lane[0] != (gint) a->first.lane && side_of_lane[1] != (gint) a->first.lane)
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
