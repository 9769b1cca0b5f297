/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Where an element of a convolution's B comes from, in Tiles: what is drawn and said of it against the
 * recorded tensor, whose pixel is looked for among all that there are.
 */
#include <math.h>
#include <string.h>

#include "core/number.h"
#include "tests/paint/draw.h"
#include "tests/paint/fixture.h"
#include "tests/paint/numbers.h"
#include "tests/paint/states.h"
#include "ui/paint/tiles/tiles.h"
#include "ui/paint/views.h"

static const LsArea place = { 100, 300, 1400, 900 };

/* Of a tensor with images × planes × height × width values. */
typedef struct {
  const LsRecordedShape *of;
  const float *values; /* NULL: not recorded */
  gint64 image, plane; /* the element's */
  gint64 row, col;     /* -1: it is in no pixel */
  gint64 top, left, n; /* the window about it, n × n pixels; n = 0: none is framed */
} Should;

/* B[row][col]. Forwards it is the pixel under a weight of the window, back towards the input the difference
 * that such a window's output had, if there is one. */
static Should
look (const LsTiles *t, const LsRecordedShape *of, gint64 row, gint64 col)
{
  const LsTilesConv *c = &t->conv;
  const gboolean back = t->kind == LS_TILES_CONV_DX;
  const gint64 u = row / c->window % c->window, v = row % c->window, high = back ? c->height : c->rows,
               wide = back ? c->width : c->cols;
  const gint64 r = col / wide % high, s = col % wide;
  Should is
    = { .of = of, .image = col / wide / high, .plane = row / c->window / c->window, .row = -1, .col = -1 };

  for (gint64 y = 0; y < c->rows && back; y++)
    for (gint64 x = 0; x < c->cols; x++)
      if (y * c->stride - c->pad + u == r && x * c->stride - c->pad + v == s)
        {
          is.row = y;
          is.col = x;
        }
  if (back)
    return is;
  is.top = r * c->stride - c->pad;
  is.left = s * c->stride - c->pad;
  is.n = c->window;
  if (is.top + u >= 0 && is.top + u < c->height && is.left + v >= 0 && is.left + v < c->width)
    {
      is.row = is.top + u;
      is.col = is.left + v;
    }
  return is;
}

static gboolean
framed (const LsScene *s, double x, double y, double w, double h)
{
  for (guint i = 0; i < s->items->len; i++)
    {
      const LsItem *item = ls_scene_get (s, i);
      if (item->kind == LS_ITEM_FRAME && fabs ((double) item->x - x) < .1 && fabs ((double) item->y - y) < .1
          && fabs ((double) item->w - w) < .1 && fabs ((double) item->h - h) < .1)
        return TRUE;
    }
  return FALSE;
}

/* A box for each pixel of the plane, in its place and of its value's colour; frames round the element's and
 * its window's. */
static void
check_picture (const LsTiles *t, const Should *is)
{
  const LsScene *s = t->layout->moving;
  const gint64 height = is->of->shape[2], width = is->of->shape[3];
  const double y0 = place.y + t->layout->m.heading.px * 1.6;
  g_autofree guint *seen = g_new0 (guint, height * width);
  double cell = 0;

  for (guint i = 0; i < s->items->len; i++)
    if (ls_scene_get (s, i)->kind == LS_ITEM_BOX)
      cell = MAX (cell, ((double) ls_scene_get (s, i)->x - place.x) / (double) (width - 1));
  g_assert_cmpfloat (cell, >=, 2);
  for (guint i = 0; i < s->items->len; i++)
    {
      const LsItem *item = ls_scene_get (s, i);
      if (item->kind != LS_ITEM_BOX)
        continue;
      const double x = ((double) item->x - place.x) / cell, y = ((double) item->y - y0) / cell;
      const gint64 row = (gint64) round (y), col = (gint64) round (x);
      if (fabs (x - round (x)) > .05 || fabs (y - round (y)) > .05 || row < 0 || row >= height || col < 0
          || col >= width)
        g_error ("a pixel stands at %g, %g, beside the image", (double) item->x, (double) item->y);
      seen[row * width + col]++;
      g_assert_cmpint (item->ink, ==, is->values != NULL ? LS_INK_SIGN : LS_INK_SOFT);
      if (is->values == NULL)
        continue;
      const double value
        = (double) is->values[((is->image * is->of->shape[1] + is->plane) * height + row) * width + col];
      if (fabs ((double) item->value - CLAMP (value / t->b.top, -1, 1)) > 1e-3)
        g_error ("the pixel in row %d, column %d is %g, and drawn as %g of %g", (gint) row, (gint) col, value,
                 (double) item->value, t->b.top);
    }
  for (gint64 i = 0; i < height * width; i++)
    if (seen[i] != 1)
      g_error ("row %d, column %d is drawn %u times", (gint) (i / width), (gint) (i % width), seen[i]);
  if (is->row >= 0
      && !framed (s, place.x + cell * (double) is->col, y0 + cell * (double) is->row, cell, cell))
    g_error ("row %d, column %d has no frame", (gint) is->row, (gint) is->col);
  if (is->n == 0 || is->top + is->n <= 0 || is->left + is->n <= 0)
    return;
  const gint64 top = MAX (is->top, 0), left = MAX (is->left, 0), bottom = MIN (is->top + is->n, height),
               right = MIN (is->left + is->n, width);
  if (!framed (s, place.x + cell * (double) left, y0 + cell * (double) top, cell * (double) (right - left),
               cell * (double) (bottom - top)))
    g_error ("the window from row %d, column %d has no frame", (gint) top, (gint) left);
}

static void
check_words (const LsTiles *t, const Should *is, gint64 row, gint64 col)
{
  const gint64 height = is->of->shape[2], width = is->of->shape[3];
  const double value
    = is->values == NULL || is->row < 0
        ? (double) NAN
        : (double)
            is->values[((is->image * is->of->shape[1] + is->plane) * height + is->row) * width + is->col];
  g_autofree char *number = isnan (value) ? g_strdup ("not recorded") : ls_number_text (value, 3),
                  *element = g_strdup_printf ("B[%d][%d]", (gint) row, (gint) col),
                  *which = g_strdup_printf ("image %d of the batch, channel %d", (gint) is->image + 1,
                                            (gint) is->plane + 1),
                  *where = is->row >= 0 ? g_strdup_printf ("= row %d, column %d: %s", (gint) is->row,
                                                           (gint) is->col, number)
                           : t->kind == LS_TILES_CONV_DX ? g_strdup ("= 0: no window covered it so")
                                                         : g_strdup ("= 0: outside of the image");
  const char *const words[] = { "Where B comes from", "this is how", element, which, where };

  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    if (text_like (t->layout, words[i], "") == NULL)
      {
        g_autofree char *all = all_texts (t->layout->moving, " | ");
        g_error ("of %s isn’t said “%s”: %s", element, words[i], all);
      }
}

static void
test_patch (gconstpointer user_data)
{
  static const LsFixture f = { LS_CORES (2),
                               .model = "conv 5 3 pad 1, relu, maxpool 2, conv 6 3 stride 2, relu, "
                                        "conv 4 3 pad 1, relu, flatten, dense 10",
                               .batch = 3,
                               .tiles = 8,
                               .groups = 32,
                               .on_cpu = TRUE,
                               .steps = 40 };
  const gboolean values = GPOINTER_TO_INT (user_data);
  g_autoptr (LsRecording) recording = ls_fixture_recording (&f);
  guint kinds[LS_TILES_CONV_DW + 1] = { 0 }, outside = 0, inside = 0;

  if (values)
    ls_fixture_add_values (recording);
  g_autoptr (LsViewData) data = ls_view_data_from_recording (recording, NULL);
  for (guint op = 0; op < recording->n_ops; op++)
    {
      LsTilesState asked = LS_TILES_STATE_INIT;
      LsQuery query = { LS_QUERY_FIELDS, .op = op, .state = &asked };

      if (ls_tiles_op (recording, op) != (gint) op)
        continue;
      g_autoptr (LsLayout) layout = draw_view (&ls_view_tiles, data, &query, LS_LOOK_LIGHT, 3840, 2160);
      const LsTiles *t = layout->own;
      if (t->kind != LS_TILES_CONV && t->kind != LS_TILES_CONV_DX)
        continue;
      const LsRecordedShape *of = &recording->shapes[t->recorded->in[0]];
      kinds[t->kind]++;
      for (gint64 row = 0; row < t->b.rows; row += 1 + t->b.rows / 11)
        for (gint64 col = 0; col < t->b.cols; col += 1 + t->b.cols / 13)
          {
            Should should = look (t, of, row, col);
            should.values = values
                              ? ls_recording_values (recording, data->sides[t->side].lane, of->name, NULL)
                              : NULL;
            if (values && should.values == NULL)
              g_error ("the values of “%s” weren’t recorded", of->name);
            ls_scene_clear (layout->moving);
            ls_tiles_patch (t, place, row, col, "this is how");
            check_picture (t, &should);
            check_words (t, &should, row, col);
            *(should.row < 0 ? &outside : &inside) += 1;
          }
    }
  g_assert_cmpuint (kinds[LS_TILES_CONV], >, 1);
  g_assert_cmpuint (kinds[LS_TILES_CONV_DX], >, 1);
  g_assert_cmpuint (outside, >, 20);
  g_assert_cmpuint (inside, >, 100);
}

/* Which element of B is asked about, at every moment of the walk: of the picked work-item's column, and of
 * the products of that round; while the sum is stored, and at the end, those of the last one. */
static void
test_moments (void)
{
  g_autoptr (LsViewData) data = ls_fixture_tiles ("conv 5 3 pad 1, relu, flatten, dense 10", 3, TRUE, TRUE);
  guint seen = 0, stored = 0;

  for (gint rung = 0; rung < LS_RUNG_N; rung++)
    for (guint i = 0; i <= 200; i++)
      {
        LsTilesState asked = LS_TILES_STATE_INIT;
        LsQuery query = { LS_QUERY_FIELDS, .op = 1, .state = &asked };
        double is[NUMBERS_MOST], half[NUMBERS_MOST];
        LsTilesNow now;

        asked.rung = rung;
        g_autoptr (LsLayout) layout = draw_view (&ls_view_tiles, data, &query, LS_LOOK_LIGHT, 3840, 2160);
        const LsTiles *t = layout->own;
        g_assert_cmpint (t->kind, ==, LS_TILES_CONV);
        ls_tiles_now (t, i < 200 ? t->span_ns * i / 200 : LS_TIME_END, &now);
        ls_scene_clear (layout->moving);
        ls_tiles_patch_move (t, &now);
        const char *element = text_like (layout, "B[", "][");
        if (element == NULL)
          continue;
        g_assert_cmpuint (numbers_of (element, is, half), >=, 2);
        const gint64 first = MIN (now.round, t->rounds - 1) * t->window,
                     end = MIN (first + t->window, t->gemm.k);
        if (is[0] < (double) first || is[0] >= (double) end
            || (now.round >= t->rounds && is[0] != (double) first))
          g_error ("rung %d, %u of 200: in round %d of %d, of products %d to %d, “%s” is asked about", rung,
                   i, (gint) now.round, (gint) t->rounds, (gint) first, (gint) end - 1, element);
        g_assert_cmpint ((gint64) is[1], ==, ls_tiles_column (t, t->item_col));
        stored += now.round >= t->rounds;
        seen++;
      }
  g_assert_cmpuint (seen, >, 400);
  g_assert_cmpuint (stored, >=, LS_RUNG_N);
}

/* A convolution whose input has fewer images than its output, as a damaged file may say, isn't walked. */
static void
test_images (void)
{
  const LsFixture f = { LS_CORES (2), .model = "conv 4 3 pad 1, relu, flatten, dense 10",
                        .batch = 3,   .tiles = 8,
                        .groups = 8,  .on_cpu = TRUE,
                        .steps = 9 };
  g_autoptr (LsRecording) recording = ls_fixture_recording (&f);
  guint seen = 0;

  for (guint op = 0; op < recording->n_ops; op++)
    {
      LsRecordedOp *o = &recording->ops[op];
      LsTilesKind kind;
      LsTilesConv conv;

      if (!ls_tiles_kind (recording, op, &kind, &conv) || kind == LS_TILES_PLAIN)
        continue;
      LsRecordedShape *x = &recording->shapes[kind == LS_TILES_CONV      ? o->in[0]
                                              : kind == LS_TILES_CONV_DX ? o->out[0]
                                                                         : o->in[1]];
      const gint64 images = x->shape[0];

      x->shape[0] = 1;
      if (kind != LS_TILES_CONV_DX && ls_tiles_kind (recording, op, &kind, &conv))
        g_error ("%s is walked, of one image, with an output of %u", o->symbol, f.batch);
      x->shape[0] = images;
      seen++;
    }
  g_assert_cmpuint (seen, >=, 2);
}

/* ---- which element is which ---- */

#define IMAGES 2

static void
check_at (const LsTilesConv *c, LsTilesGather gather, gint64 row, gint64 col, gint64 should)
{
  static const char *const names[] = { "a matrix",      "X under windows", "the same, turned",
                                       "dY of windows", "weights",         "dY" };
  const LsTilesMatrix matrix = { .gather = gather, .conv = c };
  const gint64 is = ls_tiles_gather (&matrix, row, col);

  if (is != should)
    g_error ("window %d, stride %d, edge %d: row %d, column %d of %s is read from %d, not from %d",
             (gint) c->window, (gint) c->stride, (gint) c->pad, (gint) row, (gint) col, names[gather],
             (gint) is, (gint) should);
}

/* For each output and each weight of its window the pixel that they meet in: so that element of B is that
 * pixel, forwards and of the weights' gradient; back to the input the pixel's window holds that output's
 * difference. Outside of the image there is nothing, on all four sides. */
static void
test_gather (void)
{
  static const LsTilesConv convs[] = { { 2, 5, 4, 3, 5, 4, 3, 1, 1 }, { 2, 5, 4, 3, 3, 2, 3, 1, 0 },
                                       { 1, 6, 8, 2, 3, 4, 3, 2, 1 }, { 3, 4, 4, 2, 6, 6, 3, 1, 2 },
                                       { 2, 4, 6, 2, 4, 6, 1, 1, 0 }, { 2, 7, 5, 1, 4, 3, 2, 2, 1 } };

  for (guint i = 0; i < G_N_ELEMENTS (convs); i++)
    {
      const LsTilesConv *c = &convs[i];
      const gint64 area = c->window * c->window, n_x = IMAGES * c->height * c->width, n_k = c->outputs * area;
      g_autofree gint64 *delta = g_new (gint64, n_k * n_x);
      guint outside = 0, inside = 0;

      for (gint64 k = 0; k < n_k * n_x; k++)
        delta[k] = -1;
      for (gint64 b = 0; b < IMAGES; b++)
        for (gint64 r = 0; r < c->rows; r++)
          for (gint64 s = 0; s < c->cols; s++)
            for (gint64 u = 0; u < c->window; u++)
              for (gint64 v = 0; v < c->window; v++)
                {
                  const gint64 h = r * c->stride + u - c->pad, w = s * c->stride + v - c->pad,
                               where = (b * c->rows + r) * c->cols + s;
                  const gboolean in = h >= 0 && h < c->height && w >= 0 && w < c->width;

                  for (gint64 plane = 0; plane < c->channels; plane++)
                    {
                      const gint64 part = (plane * c->window + u) * c->window + v,
                                   at = ((b * c->channels + plane) * c->height + h) * c->width + w;
                      check_at (c, LS_TILES_PATCH, part, where, in ? at : -1);
                      check_at (c, LS_TILES_PATCH_T, where, part, in ? at : -1);
                    }
                  for (gint64 o = 0; o < c->outputs; o++)
                    {
                      const gint64 y = ((b * c->outputs + o) * c->rows + r) * c->cols + s;
                      check_at (c, LS_TILES_PLANE, o, where, y);
                      if (in)
                        delta[((o * c->window + u) * c->window + v) * n_x + (b * c->height + h) * c->width
                              + w]
                          = y;
                    }
                  *(in ? &inside : &outside) += 1;
                }
      for (gint64 k = 0; k < n_k; k++)
        for (gint64 x = 0; x < n_x; x++)
          check_at (c, LS_TILES_DELTA, k, x, delta[k * n_x + x]);
      for (gint64 plane = 0; plane < c->channels; plane++)
        for (gint64 o = 0; o < c->outputs; o++)
          for (gint64 k = 0; k < area; k++)
            check_at (c, LS_TILES_WEIGHT, plane, o * area + k, (o * c->channels + plane) * area + k);
      g_assert_cmpuint (inside, >, 0);
      g_assert_cmpint (outside > 0, ==, c->pad > 0);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_data_func ("/paint/tiles-patch/values", GINT_TO_POINTER (TRUE), test_patch);
  g_test_add_data_func ("/paint/tiles-patch/none", GINT_TO_POINTER (FALSE), test_patch);
  g_test_add_func ("/paint/tiles-patch/moments", test_moments);
  g_test_add_func ("/paint/tiles-patch/images", test_images);
  g_test_add_func ("/paint/tiles-patch/gather", test_gather);
  return g_test_run ();
}
