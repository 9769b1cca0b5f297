/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Convolutions in Tiles: a matrix product whose factors exist only as index arithmetic. The arithmetic is
 * that of kernels_cl/operand_conv2d.clh, operand_conv2d_dx.clh and operand_conv2d_dw.clh; the picture shows
 * the image that an element of B is read from, and the window that its column, or row, stands for.
 */
#include "config.h"
#include "ui/paint/tiles/tiles.h"

#include <math.h>
#include <string.h>
#include <glib/gi18n-lib.h>

#include "core/number.h"
#include "ui/paint/parts/text.h"

static gboolean
rank_4 (const LsRecordedShape *shape)
{
  return shape->rank == 4 && shape->shape[0] > 0 && shape->shape[1] > 0 && shape->shape[2] > 0
         && shape->shape[3] > 0;
}

gboolean
ls_tiles_kind (const LsRecording *recording, guint op, LsTilesKind *kind, LsTilesConv *conv)
{
  const LsRecordedOp *o = &recording->ops[op];
  const LsRecordedShape *x, *y;
  const char *const names[] = { "matmul", "conv2d", "conv2d_dx", "conv2d_dw" };
  guint k = 0;

  *conv = (LsTilesConv){ 0 };
  while (k < G_N_ELEMENTS (names) && strcmp (o->name, names[k]) != 0)
    k++;
  if (k == G_N_ELEMENTS (names) || o->n_in < 2 || o->n_out < 1)
    return FALSE;
  *kind = (LsTilesKind) k;
  if (*kind == LS_TILES_PLAIN)
    return TRUE;
  x = &recording->shapes[*kind == LS_TILES_CONV      ? o->in[0]
                         : *kind == LS_TILES_CONV_DX ? o->out[0]
                                                     : o->in[1]];
  y = &recording->shapes[*kind == LS_TILES_CONV ? o->out[0] : o->in[0]];
  if (!rank_4 (x) || !rank_4 (y) || x->shape[0] != y->shape[0] || o->attr.kernel < 1 || o->attr.stride < 1)
    return FALSE;
  *conv = (LsTilesConv){ x->shape[1], x->shape[2],    x->shape[3],    y->shape[1], y->shape[2],
                         y->shape[3], o->attr.kernel, o->attr.stride, o->attr.pad };
  /* the file says all of it more than once; it must say the same */
  if (*kind != LS_TILES_CONV_DW
      && ls_recorded_shape_count (&recording->shapes[o->in[1]])
           != conv->outputs * conv->channels * conv->window * conv->window)
    return FALSE;
  switch (*kind)
    {
    case LS_TILES_CONV:
      return o->attr.m == conv->outputs && o->attr.k == conv->channels * conv->window * conv->window
             && o->attr.n == y->shape[0] * conv->rows * conv->cols;
    case LS_TILES_CONV_DX:
      return o->attr.m == conv->channels && o->attr.k == conv->outputs * conv->window * conv->window
             && o->attr.n == x->shape[0] * conv->height * conv->width;
    default:
      return o->attr.m == conv->outputs && o->attr.n == conv->channels * conv->window * conv->window
             && o->attr.k == y->shape[0] * conv->rows * conv->cols;
    }
}

void
ls_tiles_conv_factors (LsTiles *t, guint *a_in, guint *b_in)
{
  t->a.conv = t->b.conv = &t->conv;
  *a_in = t->kind == LS_TILES_CONV_DW ? 0 : 1;
  *b_in = 1 - *a_in;
  t->a.gather = t->kind == LS_TILES_CONV      ? LS_TILES_STRIDES
                : t->kind == LS_TILES_CONV_DX ? LS_TILES_WEIGHT
                                              : LS_TILES_PLANE;
  t->b.gather = t->kind == LS_TILES_CONV      ? LS_TILES_PATCH
                : t->kind == LS_TILES_CONV_DX ? LS_TILES_DELTA
                                              : LS_TILES_PATCH_T;
}

/* An element of B as a place in the four-dimensional tensor that it is read from. */
typedef struct {
  gint64 image, plane, row, col; /* row, col may lie outside */
  gint64 first_row, first_col;   /* of the window round it */
} Place;

static Place
patch_place (const LsTilesConv *c, gint64 part, gint64 where)
{
  const gint64 area = c->window * c->window, u = part % area / c->window, v = part % c->window;
  const gint64 r = where % (c->rows * c->cols) / c->cols, s = where % c->cols;
  const gint64 top = r * c->stride - c->pad, left = s * c->stride - c->pad;

  return (Place){ where / (c->rows * c->cols), part / area, top + u, left + v, top, left };
}

static gint64
delta_at (const LsTilesConv *c, gint64 part, gint64 where)
{
  const gint64 area = c->window * c->window, u = part % area / c->window, v = part % c->window,
               o = part / area;
  const gint64 b = where / (c->height * c->width), h = where % (c->height * c->width) / c->width,
               w = where % c->width;
  const gint64 y = h + c->pad - u, x = w + c->pad - v;

  if (y < 0 || x < 0 || y % c->stride != 0 || x % c->stride != 0 || y / c->stride >= c->rows
      || x / c->stride >= c->cols)
    return -1;
  return ((b * c->outputs + o) * c->rows + y / c->stride) * c->cols + x / c->stride;
}

gint64
ls_tiles_stored_column (const LsTilesMatrix *matrix, gint64 col)
{
  const gint64 window = matrix->window, of_row = window > 0 ? matrix->cols / window : 0;

  return window == 0 ? col : (col % of_row / window * window + col / of_row) * window + col % window;
}

gint64
ls_tiles_gather (const LsTilesMatrix *matrix, gint64 row, gint64 col)
{
  const LsTilesConv *c = matrix->conv;
  const gint64 area = c->window * c->window, plane = c->rows * c->cols;
  Place p;

  switch (matrix->gather)
    {
    case LS_TILES_WEIGHT:
      return (col / area * c->channels + row) * area + col % area;
    case LS_TILES_PLANE:
      return (col / plane * c->outputs + row) * plane + col % plane;
    case LS_TILES_DELTA:
      return delta_at (c, row, col);
    case LS_TILES_PATCH:
    case LS_TILES_PATCH_T:
    case LS_TILES_STRIDES:
      break;
    }
  p = matrix->gather == LS_TILES_PATCH ? patch_place (c, row, col) : patch_place (c, col, row);
  if (p.row < 0 || p.row >= c->height || p.col < 0 || p.col >= c->width)
    return -1;
  return ((p.image * c->channels + p.plane) * c->height + p.row) * c->width + p.col;
}

/* ---- the picture ---- */

static void
image (const LsTiles *t, LsArea area, double cell, gint64 height, gint64 width, gint64 first)
{
  const double gap = cell >= 6 ? 1 : 0;
  LsScene *s = t->layout->moving;

  for (gint64 r = 0; r < height; r++)
    for (gint64 c = 0; c < width; c++)
      {
        const double x = area.x + cell * (double) c, y = area.y + cell * (double) r;
        if (t->b.values == NULL || t->b.top <= 0)
          ls_scene_box (s, x, y, cell - gap, cell - gap, LS_INK_SOFT, t->lane);
        else
          ls_scene_box (s, x, y, cell - gap, cell - gap, LS_INK_SIGN,
                        CLAMP ((double) t->b.values[first + r * width + c] / t->b.top, -1, 1))
            ->evidence
            = ls_tiles_evidence (t);
      }
}

/* The picked work-item's column of B now, and its row. */
static void
picked (const LsTiles *t, const LsTilesNow *now, gint64 *row, gint64 *col)
{
  const gint64 k0 = MIN (now->round, t->rounds - 1) * t->window;
  guint a_col, b_row;

  if (!ls_tiles_own_cells (t, now, &a_col, &b_row))
    b_row = 0;
  *row = MIN (k0 + b_row, t->gemm.k - 1);
  *col = MIN (ls_tiles_column (t, t->item_col), t->b.cols - 1);
}

void
ls_tiles_patch_move (const LsTiles *t, const LsTilesNow *now)
{
  gint64 row, col;

  picked (t, now, &row, &col);
  ls_tiles_patch (t, t->roof, row, col, _("nothing is copied: only indices are computed"));
}

void
ls_tiles_patch (const LsTiles *t, LsArea place, gint64 row, gint64 col, const char *how)
{
  const LsMetrics *m = &t->layout->m;
  const LsTilesConv *c = &t->conv;
  const gboolean delta = t->b.gather == LS_TILES_DELTA;
  const gint64 height = delta ? c->rows : c->height, width = delta ? c->cols : c->width;
  const double head = m->heading.px * 1.6,
               cell = floor (
                 MIN ((place.w * .55) / (double) width, (place.h - head - 2 * m->unit) / (double) height));
  LsScene *s = t->layout->moving;
  gint64 at;
  Place p = { 0 };

  if (place.h < head || cell < 2)
    return;
  if (delta)
    {
      at = delta_at (c, row, col);
      p = (Place){ .image = col / (c->height * c->width),
                   .plane = row / (c->window * c->window),
                   .row = at < 0 ? -1 : at % (height * width) / width,
                   .col = at < 0 ? -1 : at % width };
    }
  else
    p = t->b.gather == LS_TILES_PATCH ? patch_place (c, row, col)
                                      : patch_place (c, ls_tiles_stored_column (&t->b, col), row);
  const LsArea area = { place.x, place.y + head, cell * (double) width, cell * (double) height };
  const gint64 top = CLAMP (p.first_row, 0, height - 1), left = CLAMP (p.first_col, 0, width - 1);
  const gint64 bottom = CLAMP (p.first_row + c->window, top + 1, height),
               right = CLAMP (p.first_col + c->window, left + 1, width);
  const double x = area.x + area.w + 4 * m->unit, w = place.x + place.w - x, line = m->label.px * 1.55,
               value = ls_tiles_value (&t->b, row, col);
  const gboolean inside = p.row >= 0 && p.row < height && p.col >= 0 && p.col < width;
  g_autofree char *number = ls_number_text (value, 3);
  g_autofree char *which = g_strdup_printf (_("image %lld of the batch, channel %lld"),
                                            (long long) p.image + 1, (long long) p.plane + 1);
  g_autofree char *brief = g_strdup_printf (_("image %lld, channel %lld"), (long long) p.image + 1,
                                            (long long) p.plane + 1);
  g_autofree char *element = g_strdup_printf ("B[%lld][%lld]", (long long) row, (long long) col);
  g_autofree char *where
    = inside ? g_strdup_printf (_("= row %lld, column %lld: %s"), (long long) p.row, (long long) p.col,
                                isnan (value) ? _("not recorded") : number)
             : g_strdup (delta ? _("= 0: no window covered it so") : _("= 0: outside of the image"));
  double y = area.y + m->label.px;

  ls_text_heading (s, m, place, place.y + m->heading.px, _("Where B comes from"), how);
  image (t, area, cell, height, width,
         ((p.image * (delta ? c->outputs : c->channels)) + p.plane) * height * width);
  if (!delta)
    ls_scene_mark (s, LS_ITEM_FRAME, area.x + cell * (double) left, area.y + cell * (double) top,
                   cell * (double) (right - left), cell * (double) (bottom - top), LS_INK_TEXT, 0);
  if (inside)
    ls_scene_mark (s, LS_ITEM_FRAME, area.x + cell * (double) p.col, area.y + cell * (double) p.row, cell,
                   cell, LS_INK_TEXT, 0);
  ls_text_fit (s, x, y, w, m->label, LS_INK_TEXT, LS_LEFT, (const char *const[]){ which, brief, NULL });
  y += line;
  ls_text_fit (s, x, y, w, (LsType){ m->label.px, 700 }, LS_INK_TEXT, LS_LEFT,
               (const char *const[]){ element, NULL });
  y += line * .2;
  if (w > 20 * m->unit)
    y = ls_text_wrapped (s, x, y, w, m->label, LS_INK_TEXT, where, TRUE);
  if (!delta && w > 20 * m->unit && y + 3 * line < place.y + place.h)
    ls_text_wrapped (s, x, y + m->unit, w, m->label, LS_INK_QUIET,
                     t->b.gather == LS_TILES_PATCH
                       ? _("The frame is the patch that this column of B is.")
                       : _("The frame is the window that this row of B stands for."),
                     TRUE);
}
