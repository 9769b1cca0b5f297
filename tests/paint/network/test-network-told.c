/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What Network says of one sample in numbers, bars, rings and cells, against the tensors that the lanes
 * recorded.
 */
#include <math.h>
#include <string.h>

#include "tests/paint/places.h"
#include "network_told.h"

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

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/paint/network-told/prediction", test_prediction);
  g_test_add_func ("/paint/network-told/rings", test_rings);
  g_test_add_func ("/paint/network-told/cells", test_cells);
  return g_test_run ();
}
