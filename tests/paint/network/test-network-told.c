/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What Network says of one sample in numbers, bars, rings and cells, against the tensors that the lanes
 * recorded.
 */
#include <math.h>
#include <string.h>

#include "tests/paint/places.h"
#include "network_told.h"

/* When the lane computed that tensor. */
static const LsOpTrace *
trace_of (const LsViewData *data, guint side, const char *tensor)
{
  const LsRecording *r = data->recording;

  for (guint i = 0; i < r->n_ops; i++)
    if (r->ops[i].n_out > 0 && strcmp (r->shapes[r->ops[i].out[0]].name, tensor) == 0)
      return &data->sides[side].index->ops[ls_step_index_leader (data->sides[side].index, i)];
  g_error ("no op makes %s", tensor);
}

/* A class is said with what was computed of it: in both lanes' bars, CPU above OpenCL, and as a number; the
 * label is marked, and the heading judges. */
static void
test_prediction (void)
{
  g_autoptr (LsViewData) data = asked_data (NULL, FALSE);
  LsNetworkState asked = LS_NETWORK_STATE_INIT;
  LsQuery query = { LS_QUERY_FIELDS, .state = &asked };
  guint bars = 0, labels = 0, wrong = 0;

  /* invented probabilities are those of a network that is sure: here the lanes are as different as can be
   * seen */
  for (guint side = 0; side < LS_SIDES; side++)
    for (guint i = 0; i < BATCH * CLASSES; i++)
      ((float *) recorded (data, side, "probs"))[i] = (float) ((i * 7 + side * 3) % 11 + 1) / 70;
  for (asked.sample = 0; asked.sample < BATCH; asked.sample += 5)
    {
      g_autoptr (LsLayout) layout = layout_of (data, &query);
      const LsNetwork *n = layout->own;
      const LsScene *s = layout->still;
      const LsNetworkLayer *last = &n->layers[n->n_layers - 1];
      const float *p[LS_SIDES] = { recorded (data, 0, "probs") + asked.sample * CLASSES,
                                   recorded (data, 1, "probs") + asked.sample * CLASSES };
      const gint label = asked.sample % CLASSES;
      double full = 0;
      gint best = 0;

      for (gint c = 1; c < CLASSES; c++)
        best = p[0][c] > p[0][best] ? c : best;
      g_autofree char *judged = best == label ? g_strdup_printf ("%d, right", best)
                                              : g_strdup_printf ("%d, wrong: labelled %d", best, label);
      g_autofree char *described = g_strdup_printf ("Sample %d of %d, labelled %d, said to be %d.",
                                                    asked.sample + 1, BATCH, label, best);
      g_autofree char *words = ls_layout_describe (layout);
      if (find_text (s, judged) == NULL)
        g_error ("sample %d isn’t said to be “%s”: %s", asked.sample, judged, words);
      if (strstr (words, described) == NULL)
        g_error ("“%s” isn’t said, but: %s", described, words);
      wrong += best != label;
      /* the axis from 0 to 1 has the bars' scale */
      for (guint i = 0; i < s->items->len; i++)
        {
          const LsItem *item = ls_scene_get (s, i);
          const float *at = &g_array_index (s->points, float, 2 * item->points);
          if (item->kind == LS_ITEM_LINE && item->ink == LS_INK_EDGE && item->n_points == 2
              && (double) at[0] > n->said_area.x && fabsf (at[1] - at[3]) < .1f)
            full = (double) (at[2] - at[0]);
        }
      g_assert_cmpfloat (full, >, 50);
      for (guint i = 0; i < s->items->len; i++)
        {
          const LsItem *item = ls_scene_get (s, i);
          const gint row = (gint) floor (((double) item->y + (double) item->h / 2 - last->area.y)
                                         / last->cell_h);
          const double middle = last->area.y + last->cell_h * (row + .5);

          if (item->kind == LS_ITEM_BOX && item->ink == LS_INK_MARK && (double) item->x > n->said_area.x
              && item->side < LS_SIDES && row >= 0 && row < CLASSES && item->evidence != LS_NO_VALUE)
            {
              if (fabs ((double) item->w - MAX (2, full * (double) p[item->side][row])) > .6)
                g_error ("class %d has a bar of %.3f of %s, and a probability of %g", row,
                         (double) item->w / full, data->sides[item->side].name, (double) p[item->side][row]);
              g_assert_cmpuint (item->evidence, ==, LS_EVIDENCE_MEASURED);
              g_assert_cmpint ((double) item->y + (double) item->h / 2 > middle, ==, item->side == 1);
              g_assert_cmpfloat ((double) item->value, ==, item->side);
              /* it fills while its own lane computes it */
              const LsOpTrace *op = trace_of (data, item->side, "probs");
              g_assert_cmpint (item->t0, ==, op->start_ns);
              g_assert_cmpint (item->t1, ==, op->end_ns);
              bars++;
            }
          if (item->kind != LS_ITEM_TEXT || item->text == NULL)
            continue;
          const gint text_row = (gint) floor ((ls_text_middle (item) - last->area.y) / last->cell_h);
          if (strcmp (item->text, "the label") == 0)
            {
              g_assert_cmpint (text_row, ==, label);
              labels++;
            }
          if (g_str_has_prefix (item->text, "0.") && (double) item->x > last->area.x + last->area.w
              && text_row >= 0 && text_row < CLASSES && item->when == LS_WHEN_DONE)
            {
              ASSERT_NUMBERS ("the class’s probability", item->text, (double) p[0][text_row]);
              const double longest = n->said_area.x + full * (double) MAX (p[0][text_row], p[1][text_row]);
              if ((double) item->x < longest)
                g_error ("“%s” of class %d begins at %g, on a bar that ends at %g", item->text, text_row,
                         (double) item->x, longest);
              g_assert_cmpint (item->type.weight == 700, ==, text_row == best);
            }
        }
    }
  g_assert_cmpuint (wrong, >, 2);
  g_assert_cmpuint (labels, ==, wrong);
  g_assert_cmpuint (bars, ==, 7 * CLASSES * LS_SIDES);
}

/* max |Δ| of a layer, of this sample alone: a number, and a ring on a logarithmic line of the range that is
 * printed. */
static void
test_rings (void)
{
  static const struct {
    const char *symbol, *name;
    gint64 count; /* of a sample; 0: of all weights */
    gint64 all;
  } layers[] = {
    { "H₁ ", "h2", FIRST, 0 },
    { "H₂ ", "h4", SECOND, 0 },
    { "W₁ ", "1.weight", 0, FIRST * INPUTS },
    { "W₂ ", "3.weight", 0, FIRST * SECOND },
    { "W₃ ", "5.weight", 0, SECOND * CLASSES },
  };
  g_autoptr (LsViewData) data = asked_data (NULL, FALSE);
  LsNetworkState asked = LS_NETWORK_STATE_INIT;
  LsQuery query = { LS_QUERY_FIELDS, .state = &asked };
  guint seen = 0;

  /* each of another size, and of each sample another one */
  for (guint i = 0; i < BATCH; i++)
    {
      ((float *) recorded (data, 1, "h2"))[i * FIRST + 17] += 1e-3f * (float) (i + 1);
      ((float *) recorded (data, 1, "h4"))[i * SECOND + 101] -= 2e-2f * (float) (i + 1);
    }
  ((float *) recorded (data, 1, "3.weight"))[999] += 3e-5f;
  for (asked.sample = 0; asked.sample < BATCH; asked.sample += 9)
    {
      g_autoptr (LsLayout) layout = layout_of (data, &query);
      const LsScene *s = layout->still;
      const char *range = text_like (layout, "10", " to 10");
      double most = 0, low = NAN, high = NAN;

      for (guint l = 0; l < G_N_ELEMENTS (layers); l++)
        {
          const float *a = recorded (data, 0, layers[l].name), *b = recorded (data, 1, layers[l].name);
          const gint64 from = layers[l].count * asked.sample,
                       n = layers[l].count > 0 ? layers[l].count : layers[l].all;
          double delta = 0, is[NUMBERS_MOST], half[NUMBERS_MOST];
          const LsItem *text = NULL, *ring = NULL;
          double line = 0;

          for (gint64 i = from; i < from + n; i++)
            delta = MAX (delta, fabs ((double) a[i] - (double) b[i]));
          most = MAX (most, delta);
          for (guint i = 0; i < s->items->len; i++)
            {
              const LsItem *item = ls_scene_get (s, i);
              if (item->kind == LS_ITEM_TEXT && g_str_has_prefix (item->text, layers[l].symbol)
                  && (double) item->y > ((const LsNetwork *) layout->own)->bottom)
                text = item;
            }
          if (text == NULL)
            continue;
          seen++;
          if (delta <= 0)
            {
              g_assert_nonnull (strstr (text->text, "bit for bit"));
              continue;
            }
          g_assert_cmpuint (numbers_of (text->text + strlen (layers[l].symbol), is, half), ==, 1);
          if (fabs (is[0] - delta) > half[0] * 1.01)
            g_error ("“%s” is said, and the lanes differ by %g", text->text, delta);
          for (guint i = 0; i < s->items->len; i++) /* what begins where the text does */
            {
              const LsItem *item = ls_scene_get (s, i);
              const float *at = &g_array_index (s->points, float, 2 * item->points);
              if (item->n_points == 2 && item->kind == LS_ITEM_LINE && fabsf (at[0] - text->x) < .1f
                  && fabsf (at[1] - at[3]) < .1f && at[1] < text->y && text->y - at[1] < 40)
                line = (double) (at[2] - at[0]);
            }
          for (guint i = 0; i < s->items->len; i++)
            {
              const LsItem *item = ls_scene_get (s, i);
              const float *at = &g_array_index (s->points, float, 2 * item->points);
              if (item->kind == LS_ITEM_RINGS && item->n_points == 1 && at[0] > text->x - 1
                  && (double) at[0] < (double) text->x + line + 1 && at[1] < text->y && text->y - at[1] < 40)
                ring = item;
            }
          g_assert_cmpfloat (line, >, 20);
          if (ring == NULL)
            g_error ("no ring stands on the line of %s", layers[l].symbol);
          g_assert_cmpuint (ring->evidence, ==, LS_EVIDENCE_DERIVED);
          const double share
            = ((double) g_array_index (s->points, float, 2 * ring->points) - (double) text->x) / line;
          if (range != NULL)
            {
              /* "10⁻⁷ to 10⁻¹" */
              low = g_str_has_prefix (range, "10⁻⁷") ? -7 : NAN;
              high = strstr (range, "to 10⁰")    ? 0
                     : strstr (range, "to 10⁻¹") ? -1
                     : strstr (range, "to 10⁻²") ? -2
                                                 : NAN;
              if (!isnan (low) && !isnan (high) && fabs (share - (log10 (delta) - low) / (high - low)) > .02)
                g_error ("%s is apart by %g, and its ring stands at %.2f of %s", layers[l].symbol, delta,
                         share, range);
            }
        }
      if (!isnan (high))
        g_assert_true (most <= pow (10, high) && most > pow (10, high - 1));
    }
  g_assert_cmpuint (seen, >=, 12);
}

/* A layer's cells have its values' colours, in their order, of the recorded sample. */
static void
test_cells (void)
{
  g_autoptr (LsViewData) data = asked_data (NULL, FALSE);
  static const char *const names[] = { "x", "h2", "h4" };
  LsNetworkState asked = LS_NETWORK_STATE_INIT;
  LsQuery query = { LS_QUERY_FIELDS, .state = &asked };
  guint cells = 0;

  for (asked.sample = 0; asked.sample < BATCH; asked.sample += 13)
    {
      g_autoptr (LsLayout) layout = layout_of (data, &query);
      const LsNetwork *n = layout->own;
      const LsScene *s = layout->still;

      for (guint l = 1; l <= 2; l++)
        {
          const LsNetworkLayer *layer = &n->layers[l];
          const float *values = recorded (data, 0, names[l]) + (gsize) asked.sample * (gsize) layer->units;
          double most = 0;

          for (gint64 i = 0; i < layer->units; i++)
            most = MAX (most, fabs ((double) values[i]));
          for (guint i = 0; i < s->items->len; i++)
            {
              const LsItem *item = ls_scene_get (s, i);
              if (item->kind != LS_ITEM_IMAGE || (double) item->x < layer->area.x - 1
                  || (double) item->x > layer->area.x + 1)
                continue;
              const LsSceneImage *image = g_ptr_array_index (s->images, item->image);
              const guint first = (guint) lround (((double) item->y - layer->area.y) / layer->cell_h)
                                  * (guint) layer->across;
              for (guint k = 0; k < image->cols * image->rows; k++, cells++)
                {
                  const double share = (double) values[first + k] / most;
                  const double level = item->ink == LS_INK_SIGN ? 128 + 127 * share : 255 * MAX (0, share);
                  if (fabs (level - image->levels[k]) > 1.01)
                    g_error ("unit %u of layer %u is %.3f of the largest, and has level %u, not %.0f",
                             first + k, l, share, image->levels[k], level);
                }
            }
        }
    }
  g_assert_cmpuint (cells, ==, 3 * (FIRST + SECOND));
}

/* Each layer's picture has a rectangle for each unit, row by row, from edge to edge of its own place, told
 * apart by lines; until it is computed a plate in its middle says so, which reaches into no other layer's
 * middle. */
static void
test_layers (void)
{
  static const struct {
    const char *model, *words[3];
  } models[] = {
    { NULL, { NULL, "256", "128" } },
    { "conv 8 3 pad 1, relu, maxpool 2, flatten, dense 10", { NULL, "8 maps of 14×14", NULL } },
    { "lstm 6 all, lstm 5, dense 10", { NULL, "28 steps of 6 units", NULL } },
    { "flatten, dense 17, relu, dense 3, tanh, dense 10", { NULL, "17", "3" } },
    { "flatten, dense 131, relu, dense 61, tanh, dense 10", { NULL, "131", "61" } }, /* rows that aren’t full
                                                                                      */
    { "flatten, dense 5, relu, dense 4, relu, dense 3, relu, dense 4, relu, dense 10", { NULL, NULL, NULL } },
  };
  guint plates = 0, lines = 0, maps = 0;

  for (guint i = 0; i < 2 * G_N_ELEMENTS (models); i++)
    {
      const gboolean small = i >= G_N_ELEMENTS (models);
      const char *model = models[i % G_N_ELEMENTS (models)].model, *const *words
                                                                   = models[i % G_N_ELEMENTS (models)].words;
      g_autoptr (LsViewData) data = asked_data (model, FALSE);
      LsNetworkState asked = LS_NETWORK_STATE_INIT;
      LsQuery query = { LS_QUERY_FIELDS, .state = &asked };
      g_autoptr (LsLayout) layout = small
                                      ? draw_view (&ls_view_network, data, &query, LS_LOOK_LIGHT, 1280, 800)
                                      : layout_of (data, &query);
      const LsNetwork *n = layout->own;
      const LsScene *s = layout->still;

      for (guint l = 1; l + 1 < n->n_layers; l++)
        {
          const LsNetworkLayer *layer = &n->layers[l];
          const double middle = layer->area.x + layer->area.w / 2, centre = layer->area.y + layer->area.h / 2;
          LsArea before = { 0 }, unit;
          gboolean heading = FALSE;
          guint images = 0, upright = 0, level = 0, states = 0;

          if (layer->area.w <= 0)
            continue;
          for (gint64 u = 0; u < layer->shown; u++)
            {
              g_assert_true (ls_network_unit_area (n, (gint) l, u, &unit));
              g_assert_true (unit.x > layer->area.x - .01
                             && unit.x + unit.w < layer->area.x + layer->area.w + .01);
              g_assert_true (unit.y > layer->area.y - .01
                             && unit.y + unit.h < layer->area.y + layer->area.h + .01);
              if (u == 0)
                g_assert_true (fabs (unit.x - layer->area.x) < .01 && fabs (unit.y - layer->area.y) < .01);
              else if (u % layer->across > 0)
                g_assert_true (fabs (unit.y - before.y) < .01 && unit.x >= before.x + before.w - .01);
              else
                g_assert_true (fabs (unit.x - layer->area.x) < .01 && unit.y >= before.y + before.h - .01);
              before = unit;
            }
          g_assert_false (ls_network_unit_area (n, (gint) l, layer->shown, &unit));
          for (guint k = 0; k < s->items->len; k++)
            {
              const LsItem *item = ls_scene_get (s, k);
              double x, y, w, h;

              ls_item_bounds (s, item, &x, &y, &w, &h);
              if (item->kind == LS_ITEM_TEXT && words[MIN (l, 2)] != NULL && l <= 2
                  && strcmp (item->text, words[l]) == 0 && y < layer->area.y && x > layer->area.x
                  && x < layer->area.x + MAX (layer->area.w, 300))
                heading = TRUE;
              if (item->kind == LS_ITEM_IMAGE && x > layer->area.x - 1
                  && x + w < layer->area.x + layer->area.w + 1 && y > layer->area.y - 1
                  && y + h < layer->area.y + layer->area.h + 1)
                {
                  const LsSceneImage *image = g_ptr_array_index (s->images, item->image);
                  for (guint c = 0; layer->rows * layer->cols == 1 && c < image->cols * image->rows; c++)
                    {
                      const double share = (double) ls_network_values (n, layer, n->side, n->at)[images + c]
                                           / layer->top,
                                   should = layer->is_signed ? 127.5 * (1 + share) : 255 * share;
                      if (fabs (image->levels[c] - should) > 2)
                        g_error ("unit %u of layer %u is drawn as %d of 255, not %.0f", images + c, l,
                                 image->levels[c], should);
                    }
                  images += layer->rows * layer->cols > 1 ? 1 : image->cols * image->rows;
                  if (layer->rows * layer->cols > 1)
                    {
                      g_assert_true (ls_network_unit_area (n, (gint) l, (gint64) images - 1, &unit));
                      g_assert_true (fabs (x - unit.x) < .01 && fabs (y - unit.y) < .01
                                     && fabs (w - unit.w) < .01 && fabs (h - unit.h) < .01);
                      g_assert_true (image->cols == layer->cols && image->rows == layer->rows);
                    }
                  g_assert_cmpint (item->t1, ==, layer->end_ns);
                }
              if (item->kind == LS_ITEM_BOX && item->ink == LS_INK_WINDOW && x >= layer->area.x - .01
                  && x + w <= layer->area.x + layer->area.w + .01 && y >= layer->area.y - .01
                  && y + h <= layer->area.y + layer->area.h + .01 && MIN (w, h) < 2)
                {
                  /* it covers no cell */
                  const double at = w < h ? (x + w - layer->area.x) / layer->cell_w
                                          : (y + h - layer->area.y) / layer->cell_h;
                  g_assert_cmpfloat_with_epsilon (at, round (at), .01);
                  upright += w < h;
                  level += w > h;
                }
              const gboolean ahead = item->kind == LS_ITEM_TEXT && strcmp (item->text, "not yet") == 0,
                             runs = item->kind == LS_ITEM_TEXT && strcmp (item->text, "running") == 0;
              if ((!ahead && !runs) || fabs (x + w / 2 - middle) > 1
                  || fabs (ls_text_middle (item) - centre) > 1)
                continue;
              const LsItem *plate = ls_scene_get (s, k - 1);
              states += ahead ? 1 : 10;
              g_assert_cmpint (item->when, ==, ahead ? LS_WHEN_AHEAD : LS_WHEN_RUNNING);
              g_assert_true (item->t0 == layer->begin_ns && item->t1 == layer->end_ns);
              g_assert_cmpint (plate->kind, ==, LS_ITEM_BOX);
              g_assert_true (plate->when == item->when && plate->t0 == item->t0 && plate->t1 == item->t1);
              g_assert_true (plate->x < item->x && ls_item_right (plate) > ls_item_right (item));
              g_assert_true (plate->y < item->y - item->type.px / 2 && plate->y + plate->h > item->y);
              for (guint o = 0; o < n->n_layers; o++)
                if (o != l && n->layers[o].area.w > 0)
                  {
                    const double its = n->layers[o].area.x + n->layers[o].area.w / 2;
                    g_assert_true (its < (double) plate->x || its > ls_item_right (plate));
                  }
              plates++;
            }
          if (!small && l <= 2 && words[l] != NULL && !heading)
            g_error ("over layer %u of “%s” isn't said “%s”", l, model != NULL ? model : "mlp", words[l]);
          g_assert_cmpuint (images, ==, (guint) layer->shown);
          if (states != 0 && states != 11)
            g_error ("layer %u says that it is to come or running, and not the other", l);
          if (upright + level > 0)
            {
              g_assert_cmpuint (upright, ==, (guint) layer->across - 1);
              g_assert_cmpuint (level, ==, (guint) ((layer->units - 1) / layer->across));
            }
          lines += upright + level;
          maps += layer->rows * layer->cols > 1 ? images : 0;
        }
    }
  g_assert_cmpuint (plates, >=, 8);
  g_assert_cmpuint (lines, >, 10);
  g_assert_cmpuint (maps, >, 8);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/paint/network-told/prediction", test_prediction);
  g_test_add_func ("/paint/network-told/rings", test_rings);
  g_test_add_func ("/paint/network-told/cells", test_cells);
  g_test_add_func ("/paint/network-told/layers", test_layers);
  return g_test_run ();
}
