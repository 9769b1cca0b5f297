/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the CPU's side of Tiles says in numbers: the tile, the micro-tile and its registers, what lies in the
 * caches, the loops, and of a convolution which pixel an element of B was; against the recorded step, and
 * each part of the picture against the others.
 */
#include <math.h>
#include <string.h>

#include "tests/paint/draw.h"
#include "tests/paint/numbers.h"
#include "tests/paint/states.h"
#include "ui/paint/tiles/tiles_cpu.h"
#include "ui/paint/views.h"
#include "cpu_step.h"

#define MOMENTS 9

/* The recorded worker, and the tile of how many. */
static void
check_tile (const LsLayout *layout, const LsViewData *data)
{
  const LsTiles *t = layout->own;
  const LsTiling *tiling = &data->sides[0].recorded->tilings[t->op];
  const char *text = text_like (layout, "Worker ", "tile ("), *sizes = text_like (layout, "tile ", "panel ");
  const LsStepIndex *index = data->sides[0].index;
  const LsOpTrace *trace = &index->ops[ls_step_index_leader (index, t->op)];

  if (text != NULL && tiling->splits <= 1)
    {
      gint worker = -1;
      for (guint i = 0; i < trace->n; i++)
        if (ls_step_index_piece (index, trace, i)->tile == t->row * tiling->grid_cols + t->col)
          worker = ls_step_index_piece (index, trace, i)->worker;
      ASSERT_NUMBERS ("the worker and its tile", text, worker, t->col, t->row, tiling->grid_cols,
                      tiling->grid_rows);
    }
  if (sizes != NULL)
    {
      double is[NUMBERS_MOST], half[NUMBERS_MOST];
      g_assert_cmpuint (numbers_of (sizes, is, half), >=, 3);
      g_assert_cmpfloat (is[0], ==,
                         (double) MIN (tiling->tile_rows, tiling->rows - t->row * tiling->tile_rows));
      g_assert_cmpfloat (is[1], ==,
                         (double) MIN (tiling->tile_cols, tiling->cols - t->col * tiling->tile_cols));
    }
}

/* The registers hold the micro-tile, and no more than there are; the same sizes stand in the loops. */
static void
check_registers (const LsLayout *layout, guint *seen)
{
  const char *text = text_like (layout, "#", "micro-tile takes "), *loop = text_like (layout, " ", "c["),
             *row = text_like (layout, " ", "for (i = 0;"), *col = text_like (layout, " ", "for (j = 0;");
  double is[NUMBERS_MOST], half[NUMBERS_MOST];

  if (text == NULL)
    return;
  g_assert_cmpuint (numbers_of (text, is, half), ==, 5);
  const double registers = is[0], bytes = is[1], rows = is[2], cols = is[3], used = is[4];
  g_assert_cmpfloat (used, <=, registers);
  g_assert_cmpfloat (used * bytes / 4, >=, rows * cols); /* the sums alone lie in them, in floats */
  if (loop == NULL || strstr (loop, "+= a[") == NULL)
    return;
  ASSERT_NUMBERS ("the innermost line", loop, rows, cols, rows, cols);
  g_assert_cmpuint (numbers_of (row, is, half), ==, 3);
  g_assert_cmpfloat (is[2], ==, rows);
  g_assert_cmpuint (numbers_of (col, is, half), ==, 3);
  g_assert_cmpfloat (is[2], ==, cols);
  ++*seen;
}

/* The loops go as far as the call that they are in: rows, columns and products of it. */
static void
check_loops (const LsLayout *layout)
{
  const LsTiles *t = layout->own;
  static const char *const calls[] = { "sgemm (", "gemm_loops (", "gemm_scalar (", "direct_outputs (",
                                       "direct_loops (" };
  const char *call = NULL, *i = text_like (layout, " ", "for (i = 0;"),
             *j = text_like (layout, " ", "for (j = 0;"), *p = text_like (layout, " ", "for (p = 0;"),
             *pack_a = text_like (layout, " ", "pack_A (Ap, "),
             *pack_b = text_like (layout, " ", "pack_B (Bp, "),
             *copy_b = text_like (layout, " ", "copy_B (Bp, "),
             *outer = text_like (layout, "for (k = 0;", "");
  double size[NUMBERS_MOST], is[NUMBERS_MOST], half[NUMBERS_MOST];

  for (guint c = 0; c < G_N_ELEMENTS (calls) && call == NULL; c++)
    call = text_like (layout, " ", calls[c]);
  if (call == NULL || i == NULL || j == NULL || p == NULL)
    return;
  g_assert_cmpuint (numbers_of (strchr (call, '('), size, half), ==, 3);
  numbers_of (i, is, half);
  g_assert_cmpfloat (is[1], ==, size[0]);
  numbers_of (j, is, half);
  g_assert_cmpfloat (is[1], ==, size[1]);
  numbers_of (p, is, half);
  g_assert_cmpfloat (is[1], ==, size[2]);
  if (pack_a != NULL)
    ASSERT_NUMBERS ("what is packed of A", pack_a, size[0], size[2]);
  if (pack_b != NULL)
    ASSERT_NUMBERS ("what is packed of B", pack_b, size[2], size[1]);
  const char *strips = text_like (layout, " ", "for (r = 0;");
  if (strips != NULL)
    {
      numbers_of (strips, is, half);
      if (is[1] != (double) t->cpu->made_rows || is[2] != (double) t->cpu->strip)
        g_error ("“%s”, of %d rows that are made %d at a time", strips, (gint) t->cpu->made_rows,
                 (gint) t->cpu->strip);
    }
  const char *made = text_like (layout, " ", "make_columns (");
  if (made != NULL) /* rows of B, and its columns: towards the weights the other way round */
    ASSERT_NUMBERS ("the columns that are made", strstr (made, "// "), t->cpu->along ? size[2] : size[1],
                    t->cpu->along ? size[1] : size[2]);
  numbers_of (j, is, half);
  if (copy_b != NULL) /* a panel: as many columns as the loop goes on by */
    ASSERT_NUMBERS ("the panel that is copied", copy_b, size[2], is[2]);
  if (outer != NULL && t->kind == LS_TILES_PLAIN)
    {
      numbers_of (outer, is, half);
      g_assert_cmpfloat (is[1], ==, (double) t->recorded->attr.k);
      g_assert_cmpfloat (MIN (is[1], is[2]), ==, t->window);
      g_assert_cmpfloat (size[2], <=, t->window);
    }
}

/* What a call's operand is made of: B's own pictures, one after the other, the tile's alone or all of them
 * towards the weights; as many rows as a strip and its windows have. Only there A is turned, too. */
static void
check_made (const LsLayout *layout, const LsViewData *data, guint *seen)
{
  const LsTiles *t = layout->own;
  const LsRecordedShape *shapes = data->recording->shapes;
  const char *images = text_like (layout, "for (b = ", ""), *strips = text_like (layout, " ", "for (r = 0;"),
             *picture = text_like (layout, " ", "make_picture ("),
             *columns = text_like (layout, " ", "make_columns ("),
             *turned = text_like (layout, " ", "turn (");
  double is[NUMBERS_MOST], half[NUMBERS_MOST];

  if (images == NULL || strips == NULL || (picture == NULL && columns == NULL))
    return;
  const gboolean weights = t->kind == LS_TILES_CONV_DW, by_outputs = t->cpu->use == LS_GEMM_BY_OUTPUTS;
  const LsRecordedShape *of = &shapes[t->recorded->in[weights ? 1 : 0]];
  g_autofree char *patches = g_strdup_printf ("patches of %s", of->symbol),
                  *made = g_strdup_printf (" (%s[b], r)", of->symbol);
  g_assert_cmpstr (t->b.symbol, ==, patches);
  if (strstr (picture != NULL ? picture : columns, made) == NULL)
    g_error ("B is %s, and “%s” is said", patches, picture != NULL ? picture : columns);
  const char *strip = text_like (layout, "#", ": pixels of one strip");
  if (strip != NULL) /* the windows' pixels of all channels are its rows, whichever product it is made for */
    {
      numbers_of (strip, is, half);
      ASSERT_NUMBERS ("the columns’ rows and their length", strip,
                      (double) (of->shape[1] * t->conv.window * t->conv.window), is[1], is[2]);
    }
  ASSERT_NUMBERS ("the images", images, weights ? 0 : (double) t->cpu->image,
                  weights ? (double) of->shape[0] : (double) t->cpu->image + 1);
  numbers_of (strips, is, half);
  if (picture != NULL)
    ASSERT_NUMBERS ("the picture that is made", strstr (picture, "// "),
                    (double) (of->shape[1] * (by_outputs ? 1 : t->conv.window)),
                    MIN (is[1], is[2]) + (double) t->conv.window - 1,
                    (double) (of->shape[3] + (by_outputs ? t->conv.window - 1 : 0)));
  if ((turned != NULL) != ((weights || by_outputs) && picture != NULL))
    g_error ("in a product towards %s “%s” is said", weights ? "the weights" : "a picture",
             turned != NULL ? turned : "nothing of turning");
  if (turned != NULL
      && strstr (turned, shapes[by_outputs ? t->recorded->out[0] : t->recorded->in[0]].symbol) == NULL)
    g_error ("A is made of %s, and “%s” is said", shapes[t->recorded->in[0]].symbol, turned);
  ++*seen;
}

/* A cache's share is what lies in it, of its size, and its hatching goes as far; the last one has the whole
 * tensors. */
static void
check_caches (const LsLayout *layout, const LsViewData *data, const double *sizes, guint *seen)
{
  static const char *const names[] = { "L1", "L2", "L3" };
  const LsTiles *t = layout->own;
  const LsScene *s = layout->moving;
  const LsArea *area = &t->cpu->caches;

  for (guint c = 0; area->w > 0 && c < G_N_ELEMENTS (names); c++)
    {
      double filled = 0, slack = 0, hatched = 0, percent = -1, above = 0;
      const LsItem *name = NULL, *box = NULL;

      for (guint i = 0; i < s->items->len; i++)
        if (ls_scene_get (s, i)->kind == LS_ITEM_TEXT && strcmp (ls_scene_get (s, i)->text, names[c]) == 0
            && fabs ((double) ls_scene_get (s, i)->x - area->x) < 1
            && (double) ls_scene_get (s, i)->y > area->y)
          name = ls_scene_get (s, i);
      g_assert_nonnull (name);
      for (guint i = 0; i < s->items->len; i++)
        {
          const LsItem *item = ls_scene_get (s, i);
          if (item->kind == LS_ITEM_BOX && item->ink == LS_INK_TRACK && item->y > name->y
              && item->y < name->y + 20 && fabs ((double) item->w - area->w) < 1)
            box = item;
          if (item->kind != LS_ITEM_TEXT || fabs ((double) (item->y - name->y)) > 1 || item->x <= name->x
              || (double) item->x > area->x + area->w)
            continue;
          if (g_str_has_suffix (item->text, " %"))
            {
              double is[NUMBERS_MOST], half[NUMBERS_MOST];
              above = item->text[0] == '>';
              numbers_of (item->text, is, half);
              percent = is[0];
              slack = half[0];
            }
          else if (g_ascii_isdigit (item->text[0]))
            {
              double unused;
              g_assert_cmpfloat (bytes_of (item->text, &unused), ==, sizes[c]);
            }
          else if (c < 2)
            for (const char *at = item->text; *at; at++)
              if (g_ascii_isdigit (*at) && !g_ascii_isdigit (at[-1]) && at[-1] != '.')
                {
                  double one;
                  filled += bytes_of (at, &one);
                }
        }
      if (c == 2)
        for (guint i = 0; i < 3; i++)
          filled += (double) ls_recorded_shape_bytes (
            &data->recording->shapes[i < 2 ? t->recorded->in[i] : t->recorded->out[0]]);
      g_assert_nonnull (box);
      for (guint i = 0; i < s->items->len; i++)
        if (ls_scene_get (s, i)->kind == LS_ITEM_HATCH
            && fabs ((double) (ls_scene_get (s, i)->y - box->y)) < .5)
          hatched += (double) ls_scene_get (s, i)->w + 1;
      if (percent >= 0 && !(above > 0)
          && fabs (percent - 100 * filled / sizes[c]) > slack + percent * .02 + .1)
        g_error ("%s is said to be %g %% full with %g of %g bytes", names[c], percent, filled, sizes[c]);
      if (above > 0)
        g_assert_cmpfloat (filled, >, sizes[c]);
      if (percent > 4 && !(above > 0) && fabs (hatched / area->w - percent / 100) > .02)
        g_error ("%s is hatched as far as %.1f %% and said to be %g %% full", names[c],
                 100 * hatched / area->w, percent);
      *seen += percent >= 0;
    }
}

/* Of the stages that a call has one is lit, and where the packing is, its own line of the loops. */
static void
check_stages (const LsLayout *layout, const LsTilesCpuNow *now, guint *seen)
{
  static const char *const stages[][2] = { { "make columns", "make picture" },
                                           { "pack B", "copy B" },
                                           { "pack A", "pack A" },
                                           { "multiply", "multiply" } };
  const LsScene *s = layout->moving;
  guint lit = 0, others = 0;

  for (guint i = 0; i < s->items->len; i++)
    {
      const LsItem *item = ls_scene_get (s, i);
      for (guint k = 0; k < G_N_ELEMENTS (stages); k++)
        if (item->kind == LS_ITEM_TEXT
            && (strcmp (item->text, stages[k][0]) == 0 || strcmp (item->text, stages[k][1]) == 0))
          {
            if (item->ink == LS_INK_ON_MARK)
              g_assert_cmpuint (now->stage, ==, k);
            lit += item->ink == LS_INK_ON_MARK;
            others += item->ink != LS_INK_ON_MARK;
          }
    }
  if (lit + others > 0)
    g_assert_cmpuint (lit, ==, now->stage < LS_TILES_N_STAGES);
  const char *micro = text_like (layout, "micro-tile ", "");
  double is[NUMBERS_MOST], half[NUMBERS_MOST];
  if (micro != NULL && numbers_of (micro, is, half) == 2)
    {
      const guint of = now->slivers * now->groups;
      if (is[0] != MIN (now->sliver * now->groups + now->group + 1, of) || is[1] != of)
        g_error ("“%s” is said of group %u of %u in sliver %u of %u", micro, now->group, now->groups,
                 now->sliver, now->slivers);
    }
  /* one beside the other, with a gap, from the left end to the right one */
  const LsTiles *t = layout->own;
  const double h = layout->m.label.px * 1.9, gap = 2.5 * layout->m.unit;
  double end = t->cpu->left.x - gap;
  guint boxes = 0;
  for (guint i = 0; i < s->items->len; i++)
    {
      const LsItem *item = ls_scene_get (s, i);
      if (item->kind != LS_ITEM_BOX || (item->ink != LS_INK_MARK && item->ink != LS_INK_TRACK)
          || fabs ((double) item->h - h) > .01 || fabs ((double) item->size - 1.5 * layout->m.unit) > .01)
        continue;
      if (fabs ((double) item->x - end - gap) > .1)
        g_error ("a stage begins at %g, the one before ends at %g", (double) item->x, end);
      end = (double) (item->x + item->w);
      boxes++;
    }
  if (boxes > 0 && fabs (end - t->cpu->left.x - t->cpu->left.w) > .5)
    g_error ("%u stages end at %g, their place at %g", boxes, end, t->cpu->left.x + t->cpu->left.w);
  *seen += others;
}

/* The frame is the window that the element is of, as far as that is within the image: rows and columns of B
 * count the window's pixels, by channel, row and column. */
static void
check_frame (const LsLayout *layout, const LsTiles *t, gint64 row, gint64 col)
{
  const gint64 *shape = t->layout->data->recording->shapes[t->recorded->in[0]].shape, w = t->conv.window;
  const char *element = text_like (layout, "B[", "][");
  long long b_row, b_col;

  if (t->b.gather != LS_TILES_PATCH || element == NULL
      || sscanf (element, "B[%lld][%lld]", &b_row, &b_col) < 2)
    return;
  const gint64 first_row = row - b_row / w % w, first_col = col - b_row % w, top = MAX (first_row, 0),
               left = MAX (first_col, 0), bottom = MIN (first_row + w, shape[2]),
               right = MIN (first_col + w, shape[3]);
  guint framed = 0;
  for (guint i = 0; i < layout->moving->items->len; i++)
    for (guint k = 0; k < i; k++)
      {
        const LsItem *pixel = ls_scene_get (layout->moving, i), *frame = ls_scene_get (layout->moving, k);
        const double cell = (double) pixel->w;

        framed += pixel->kind == LS_ITEM_FRAME && frame->kind == LS_ITEM_FRAME && pixel->w == pixel->h
                  && fabs ((double) (frame->x - pixel->x) - (double) (left - col) * cell) < .1
                  && fabs ((double) (frame->y - pixel->y) - (double) (top - row) * cell) < .1
                  && fabs ((double) frame->w - (double) (right - left) * cell) < .1
                  && fabs ((double) frame->h - (double) (bottom - top) * cell) < .1;
      }
  if (framed == 0)
    g_error ("no frame is round rows %" G_GINT64_FORMAT " to %" G_GINT64_FORMAT ", columns %" G_GINT64_FORMAT
             " to %" G_GINT64_FORMAT,
             top, bottom, left, right);
}

/* Where B's element was: its image, channel, row and column, and the value that is there. */
static void
check_patch (const LsLayout *layout, const LsViewData *data, guint *seen, guint *multiplied)
{
  const LsTiles *t = layout->own;
  const char *which = text_like (layout, "image ", "channel "),
             *where = text_like (layout, "= row ", "column ");
  const LsRecordedShape *shapes = data->recording->shapes;
  double is[NUMBERS_MOST], half[NUMBERS_MOST], at[NUMBERS_MOST];

  if (which == NULL || where == NULL || t->kind == LS_TILES_CONV_DX)
    return;
  const guint in = t->recorded->in[t->kind == LS_TILES_CONV_DW ? 1 : 0];
  const float *x = ls_recording_values (data->recording, data->sides[t->side].lane, shapes[in].name, NULL);
  g_assert_cmpuint (numbers_of (which, at, half), ==, 2);
  if (numbers_of (where, is, half) < 3)
    return;
  const gint64 *shape = shapes[in].shape;
  g_assert_cmpfloat (at[0], >=, 1);
  g_assert_cmpfloat (at[0], <=, (double) shape[0]);
  g_assert_cmpfloat (at[1], <=, (double) shape[1]);
  const double value = (double) x[(((gint64) at[0] - 1) * shape[1] + (gint64) at[1] - 1) * shape[2] * shape[3]
                                  + (gint64) is[0] * shape[3] + (gint64) is[1]];
  if (fabs (is[2] - value) > half[2] * 1.01)
    g_error ("“%s %s” is said, and the pixel is %g", which, where, value);
  /* and it is what the picked element is multiplied by, where that is written out */
  const char *sum = text_like (layout, "c[", " × "), *factor = sum != NULL ? strstr (sum, " × ") : NULL;
  double factors[NUMBERS_MOST], close[NUMBERS_MOST];
  if (factor != NULL && numbers_of (factor, factors, close) > 0)
    {
      if (fabs (factors[0] - is[2]) > (close[0] + half[2]) * 1.01)
        g_error ("“%s %s” is said, and “%s”", which, where, sum);
      *multiplied += 1;
    }
  check_frame (layout, t, (gint64) is[0], (gint64) is[1]);
  ++*seen;
}

static void
test_numbers (gconstpointer user_data)
{
  static const struct {
    const char *model, *kernel;
    guint batch;
  } nets[] = {
    { NULL, NULL, 128 },
    { "flatten, dense 37, relu, dense 10", NULL, 29 },
    { "conv 16 3 pad 1, relu, maxpool 2, conv 17 3 pad 1, relu, flatten, dense 10", "direct", 3 },
    { "conv 16 3 pad 1, relu, maxpool 2, conv 17 3 pad 1, relu, flatten, dense 10", "direct by outputs", 3 },
    { "conv 5 3 pad 1, relu, maxpool 2, conv 6 3 stride 2, relu, flatten, dense 10", NULL, 3 },
  };
  static const double sizes[] = { 48 * 1024., 2048 * 1024., 96 * 1024. * 1024. };
  const guint net = GPOINTER_TO_UINT (user_data);
  g_autoptr (LsViewData) data = make_data (nets[net].model, nets[net].batch, nets[net].kernel);
  double *numbers = data->sides[0].recorded->device->numbers;
  guint registers = 0, caches = 0, stages = 0, patches = 0, multiplied = 0, made = 0, moments = 0;

  numbers[LS_DEVICE_L1D] = sizes[0];
  numbers[LS_DEVICE_L2] = sizes[1];
  numbers[LS_DEVICE_L3] = sizes[2];
  for (guint op = 0; op < data->recording->n_ops; op++)
    for (guint place = 0; place < 3; place++) /* the last one: OpenCL’s side, whose B is the same */
      for (guint at = 0; at <= MOMENTS; at++)
        {
          LsTilesState asked = LS_TILES_STATE_INIT;
          LsQuery query = { LS_QUERY_FIELDS, .state = &asked };
          LsTilesCpuNow now;

          if (ls_tiles_op (data->recording, op) != (gint) op)
            continue;
          query.op = op;
          asked.cpu_side = place < 2;
          asked.group_row = asked.group_col = place == 0 ? 0 : 1;
          g_autoptr (LsLayout) layout = draw_view (&ls_view_tiles, data, &query, LS_LOOK_LIGHT, 3840, 2160);
          const LsTiles *t = layout->own;
          if (t->cpu == NULL && place < 2)
            continue;
          query = layout->query;
          query.time_ns = t->span_ns * (gint64) (2 * at + 1) / (2 * MOMENTS + 1);
          ls_layout_move (layout, &query);
          check_patch (layout, data, &patches, &multiplied);
          if (t->cpu == NULL)
            continue;
          ls_tiles_cpu_now (t, query.time_ns, &now);
          moments++;
          check_tile (layout, data);
          if (text_like (layout, "Where B comes from", "") != NULL)
            g_assert_cmpint (text_like (layout, "copied into the columns", "") != NULL, ==, net == 4);
          check_registers (layout, &registers);
          check_loops (layout);
          check_made (layout, data, &made);
          check_caches (layout, data, sizes, &caches);
          check_stages (layout, &now, &stages);
        }
  g_test_message ("%u moments, %u registers, %u caches, %u stages, %u patches, %u multiplied", moments,
                  registers, caches, stages, patches, multiplied);
  g_assert_cmpuint (moments, >, 20);
  g_assert_cmpuint (registers, >, 10);
  g_assert_cmpuint (caches, >, 50);
  g_assert_cmpuint (stages, >, 20);
  g_assert_cmpint (patches > 5, ==, net >= 2);
  g_assert_cmpint (made > 5, ==, net >= 2);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_data_func ("/paint/tiles-cpu-words/perceptron", GUINT_TO_POINTER (0), test_numbers);
  g_test_add_data_func ("/paint/tiles-cpu-words/small", GUINT_TO_POINTER (1), test_numbers);
  g_test_add_data_func ("/paint/tiles-cpu-words/pictures", GUINT_TO_POINTER (2), test_numbers);
  g_test_add_data_func ("/paint/tiles-cpu-words/outputs", GUINT_TO_POINTER (3), test_numbers);
  g_test_add_data_func ("/paint/tiles-cpu-words/columns", GUINT_TO_POINTER (4), test_numbers);
  return g_test_run ();
}
