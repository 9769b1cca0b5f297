/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What Network says of one unit: its value, its strongest way on, and its page, against the recorded tensors.
 */
#include <math.h>
#include <string.h>

#include "network_told.h"

/* The picked unit's strongest connections are opaque lines from and to the units that they are between, of
 * their sign's colour, the strongest the widest; all others are thin and pale. */
static void
test_lines (void)
{
  g_autoptr (LsViewData) data = asked_data (NULL, FALSE);
  LsNetworkState asked = LS_NETWORK_STATE_INIT;
  LsQuery query = { LS_QUERY_FIELDS, .state = &asked };
  guint lines = 0;

  asked.sample = 3;
  for (asked.layer = 1; asked.layer <= 2; asked.layer++)
    for (asked.unit = 0; asked.unit < 100; asked.unit += 17)
      {
        g_autoptr (LsLayout) layout = layout_of (data, &query);
        const LsNetwork *n = layout->own;
        const LsScene *s = layout->still;

        for (guint k = 0; k < n->edges->len; k++)
          {
            const LsNetworkEdge *e = &g_array_index (n->edges, LsNetworkEdge, k);
            const LsNetworkLayer *a = &n->layers[e->layer - 1], *b = &n->layers[e->layer];
            const gboolean strong = k >= n->n_pale;
            const double y0 = a->area.y + a->cell_h * (floor ((double) (e->from / a->across)) + .5),
                         y1 = b->area.y + b->cell_h * (floor ((double) (e->to / b->across)) + .5);
            double most = 0;
            guint found = 0;

            if (e->from >= a->shown || e->to >= b->shown || a->area.w <= 0 || b->area.w <= 0)
              continue;
            for (guint j = n->n_pale; j < n->edges->len; j++)
              if (g_array_index (n->edges, LsNetworkEdge, j).layer == e->layer)
                most = MAX (most, fabs ((double) g_array_index (n->edges, LsNetworkEdge, j).value));
            const double wide = strong ? 1.5 + 3 * fabs ((double) e->value) / most : 1;
            for (guint i = 0; i < s->items->len; i++)
              {
                const LsItem *item = ls_scene_get (s, i);
                const float *at = &g_array_index (s->points, float, 2 * item->points);
                if (item->kind != LS_ITEM_LINE || item->ink != LS_INK_SIGN || item->n_points < 3)
                  continue;
                const float *end = at + 2 * (item->n_points - 1);
                found += fabs ((double) at[1] - y0) < .1 && fabs ((double) end[1] - y1) < .1
                         && (double) at[0] > a->area.x + a->area.w && (double) end[0] < b->area.x
                         && (double) at[0] < (double) end[0] && (item->value < 0) == (e->value < 0)
                         && fabs ((double) item->size - wide) < .05
                         && fabs ((double) item->alpha - (strong ? 1 : .5)) < .01;
              }
            if (found == 0)
              g_error ("unit %d of layer %d: the %s connection from %d to %d has no line", asked.unit,
                       asked.layer, strong ? "strong" : "pale", (gint) e->from, (gint) e->to);
            lines += strong;
          }
      }
  g_assert_cmpuint (lines, >, 20);
}

/* What is said of a unit: its value, and the strongest of all its ways on. */
static void
test_ways_on (void)
{
  g_autoptr (LsViewData) data = asked_data (NULL, FALSE);
  const float *h[] = { NULL, recorded (data, 0, "h2"), recorded (data, 0, "h4") };
  const float *w[] = { NULL, recorded (data, 0, "3.weight"), recorded (data, 0, "5.weight") };
  static const gint units[] = { INPUTS, FIRST, SECOND, CLASSES };
  LsNetworkState asked = LS_NETWORK_STATE_INIT;
  LsQuery query = { LS_QUERY_FIELDS, .state = &asked };
  guint seen = 0;

  asked.sample = 3;
  for (asked.layer = 1; asked.layer <= 2; asked.layer++)
    for (asked.unit = 0; asked.unit < units[asked.layer]; asked.unit += 11)
      {
        const gint l = asked.layer, in = units[l], out = units[l + 1];
        const double value = (double) h[l][asked.sample * in + asked.unit];
        g_autoptr (LsLayout) layout = layout_of (data, &query);
        g_autofree char *begin = g_strdup_printf ("unit %d of H%s: ", asked.unit, l == 1 ? "₁" : "₂"),
                        *words = ls_layout_describe (layout), *way = NULL;
        const char *text = text_like (layout, begin, ""), *on;
        gint to = 0;

        if (text == NULL)
          continue;
        double is[NUMBERS_MOST], half[NUMBERS_MOST];
        numbers_of (text + strlen (begin), is, half);
        if (fabs (is[0] - value) > half[0] * 1.01)
          g_error ("“%s” is said, and the unit gives %g", text, value);
        on = strstr (words, " gives ");
        g_assert_nonnull (on);
        numbers_of (on, is, half);
        g_assert_cmpfloat (fabs (is[0] - value), <=, half[0] * 1.01);
        on = strstr (text, "; strongest way on: ");
        if (on == NULL)
          continue;
        for (gint j = 1; j < out; j++)
          if (fabs ((double) w[l][j * in + asked.unit]) > fabs ((double) w[l][to * in + asked.unit]))
            to = j;
        const double product = (double) w[l][to * in + asked.unit] * value;
        way = l == 2 ? g_strdup_printf ("; strongest way on: class %d (%s", to, product < 0 ? "−" : "+")
                     : g_strdup_printf ("; strongest way on: unit %d of H₂ (%s", to, product < 0 ? "−" : "+");
        if (!g_str_has_prefix (on, way))
          g_error ("“%s” is said, and it is “%s%g”", text, way, fabs (product));
        g_assert_true (numbers_of (on + strlen (way), is, half) >= 1);
        if (fabs (is[0] - fabs (product)) > half[0] * 1.01)
          g_error ("“%s” is said, and weight × activation is %g", text, product);
        seen++;
      }
  g_assert_cmpuint (seen, >, 15);
}

/* The unit that is meant: picked, the most active one, a map's largest value, or none at all. */
static void
test_meant (void)
{
  static const struct {
    const char *model, *begins, *has;
    gint layer, unit;
    double width;
  } cases[] = {
    { NULL, "unit 5 of H₁: ", "; strongest way on: unit ", 1, 5, 3600 },
    { NULL, "the most active: unit ", "; strongest way on: ", -1, -1, 3600 },
    { NULL, "unit 5 of H₂: ", "; strongest way on: class ", 2, 5, 3600 },
    { NULL, "unit 5 of H₁: ", NULL, 1, 5, 760 },
    { NULL, "unit ", NULL, -1, -1, 760 },
    { "conv 8 3 pad 1, relu, maxpool 2, flatten, dense 10", "map 3 of ", "at most ", 1, 3, 3600 },
    { "flatten, dense 10", "this network has no hidden layer", NULL, -1, -1, 3600 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (LsViewData) data = asked_data (cases[i].model, FALSE);
      LsNetworkState asked = LS_NETWORK_STATE_INIT;
      LsQuery query = { LS_QUERY_FIELDS, .state = &asked };
      const LsItem *text = NULL, *mark = NULL;

      asked.layer = cases[i].layer;
      asked.unit = cases[i].unit;
      if (cases[i].layer > 0 && cases[i].model == NULL) /* so that there is a way on */
        ((float *) recorded (data, 0, cases[i].layer == 1 ? "h2" : "h4"))[asked.unit] = .5f;
      g_autoptr (LsLayout) layout = layout_of (data, &query);
      const LsNetwork *n = layout->own;
      const LsScene *s = layout->still;
      const guint first = foot_of (n, cases[i].width);
      for (guint k = first; k < s->items->len; k++)
        if (ls_scene_get (s, k)->kind == LS_ITEM_TEXT
            && g_str_has_prefix (ls_scene_get (s, k)->text, cases[i].begins))
          text = ls_scene_get (s, k);
      if (text == NULL
          || (cases[i].has != NULL)
               != (text->text[strlen (cases[i].begins)] != '\0' && cases[i].has != NULL
                   && strstr (text->text, cases[i].has) != NULL))
        g_error ("case %u: “%s … %s” isn't said: %s", i, cases[i].begins,
                 cases[i].has != NULL ? cases[i].has : "", text != NULL ? text->text : "");
      if (cases[i].has == NULL)
        g_assert_null (strstr (text->text, "strongest"));
      for (guint k = first; k < s->items->len; k++)
        {
          const LsItem *item = ls_scene_get (s, k);
          if (item->kind == LS_ITEM_EVIDENCE && item->x < text->x && text->x - item->x < 40
              && item->y < text->y && text->y - item->y < 24)
            mark = item;
        }
      if (mark == NULL)
        g_error ("case %u: nothing says how “%s” is known", i, text->text);
      g_assert_cmpuint ((guint) mark->value, ==, LS_EVIDENCE_MEASURED);
      g_assert_cmpint (mark->when, ==, text->when);
      if (n->layer <= 0)
        continue;
      /* neither is there before its layer was computed */
      g_assert_cmpint (text->when, ==, LS_WHEN_DONE);
      g_assert_cmpint (text->t1, ==, n->layers[n->layer].end_ns);
      g_assert_cmpint (mark->t1, ==, text->t1);
    }
}

/* ---- the page of a unit ---- */

/* The image at or right of x, below y, of so many columns; in the order of the page. */
static const LsItem *
image_right_of (const LsScene *s, double x, double y)
{
  const LsItem *best = NULL;

  for (guint i = 0; i < s->items->len; i++)
    {
      const LsItem *item = ls_scene_get (s, i);
      if (item->kind == LS_ITEM_IMAGE && (double) item->x >= x && (double) item->y >= y - 1
          && (best == NULL || item->x < best->x))
        best = item;
    }
  return best;
}

/* The image's colours are those values, of the largest of them. */
static void
assert_image (const LsScene *s, const LsItem *item, const char *what, const double *values, guint n,
              LsEvidence evidence)
{
  const LsSceneImage *image = g_ptr_array_index (s->images, item->image);
  double top = 0;

  g_assert_cmpuint (item->evidence, ==, evidence);
  g_assert_cmpuint (image->cols * image->rows, >=, n);
  for (guint i = 0; i < n; i++)
    top = MAX (top, fabs (values[i]));
  for (guint i = 0; i < image->cols * image->rows; i++)
    {
      const double value = i < n ? values[i] : 0; /* filled up */
      const double level = item->ink == LS_INK_SIGN ? 128 + 127 * value / top : 255 * value / top;
      if (fabs (level - image->levels[i]) > 1.01)
        g_error ("%s: value %u is %g of %g, and has level %u of %s", what, i, value, top, image->levels[i],
                 item->ink == LS_INK_SIGN ? "signs" : "amounts");
    }
}

/* Weights, what they multiply, products, with their ranges; and the sentences under them. */
static void
test_unit_page (void)
{
  g_autoptr (LsViewData) data = asked_data (NULL, FALSE);
  static const gint units[] = { INPUTS, FIRST, SECOND };
  LsNetworkState asked = LS_NETWORK_STATE_INIT;
  LsQuery query = { LS_QUERY_FIELDS, .state = &asked };
  asked.page = LS_NETWORK_UNIT;
  asked.sample = 5;
  for (asked.layer = 1; asked.layer <= 2; asked.layer++)
    for (asked.unit = 2; asked.unit < units[asked.layer]; asked.unit += 37)
      {
        const gint in = units[asked.layer - 1];
        g_autoptr (LsLayout) layout = layout_of (data, &query);
        const LsNetwork *n = layout->own;
        const LsScene *s = layout->still;
        const float *w = recorded (data, 0, asked.layer == 1 ? "1.weight" : "3.weight")
                         + (gsize) asked.unit * in;
        const float *x = recorded (data, 0, asked.layer == 1 ? "x" : "h2") + (gsize) asked.sample * in;
        const float *own[LS_SIDES];
        g_autofree double *weights = g_new (double, in), *values = g_new (double, in),
                          *products = g_new (double, in);
        double sum = 0, top[3] = { 0 };
        const LsItem *image = NULL;
        const char *text;

        for (gint i = 0; i < in; i++)
          {
            weights[i] = (double) w[i];
            values[i] = (double) x[i];
            products[i] = (double) (w[i] * x[i]);
            sum += products[i];
            top[0] = MAX (top[0], fabs (weights[i]));
            top[1] = MAX (top[1], fabs (values[i]));
            top[2] = MAX (top[2], fabs (products[i]));
          }
        for (guint k = 0; k < 3; k++)
          {
            image = image_right_of (
              s, k == 0 ? n->sample_area.x + n->sample_area.w + 4 : (double) image->x + 9, n->top);
            g_assert_nonnull (image);
            assert_image (s, image,
                          k == 0   ? "weights"
                          : k == 1 ? "what they multiply"
                                   : "products",
                          k == 0   ? weights
                          : k == 1 ? values
                                   : products,
                          (guint) in, k == 2 ? LS_EVIDENCE_DERIVED : LS_EVIDENCE_MEASURED);
            /* the range stands under it */
            for (guint i = 0; i < s->items->len; i++)
              {
                const LsItem *item = ls_scene_get (s, i);
                if (item->kind == LS_ITEM_TEXT && (double) item->x >= (double) image->x
                    && item->x < image->x + image->w && item->y > image->y + image->h
                    && item->y < image->y + image->h + 40 && g_str_has_prefix (item->text, "±"))
                  ASSERT_NUMBERS ("an image’s range", item->text, top[k]);
              }
          }
        text = text_like (layout, "it gives ", "");
        g_assert_nonnull (text);
        for (guint side = 0; side < LS_SIDES; side++)
          own[side] = recorded (data, side, asked.layer == 1 ? "h2" : "h4")
                      + (gsize) asked.sample * (gsize) units[asked.layer];
        ASSERT_NUMBERS ("what the unit gives", text, (double) own[0][asked.unit]);
        text = text_like (layout, "the products add up to ", "");
        g_assert_nonnull (text);
        ASSERT_NUMBERS ("the sum of the products, and the bias", text, sum,
                        (double) recorded (data, 0, asked.layer == 1 ? "1.bias" : "3.bias")[asked.unit]);
        text = text_like (layout, "the other lane ", "");
        g_assert_nonnull (text);
        const double apart = fabs ((double) own[0][asked.unit] - (double) own[1][asked.unit]);
        if (apart > 0)
          ASSERT_NUMBERS ("how far the other lane is apart", text, apart);
        else
          g_assert_nonnull (strstr (text, "bit for bit"));
      }
}

/* A weight's picture has its mean with its neighbours, at the edges with those that there are. */
static double
smoothed (const float *picture, gint cols, gint rows, gint x, gint y)
{
  double sum = 0;
  guint n = 0;

  for (gint v = MAX (y - 1, 0); v <= MIN (y + 1, rows - 1); v++)
    for (gint u = MAX (x - 1, 0); u <= MIN (x + 1, cols - 1); u++, n++)
      sum += (double) picture[v * cols + u];
  return sum / n;
}

/* The ramp of the first layer's weights ends where all but one in two hundred of those that are drawn lie
 * below, as near as a 512th of the largest. */
static void
test_ramp (void)
{
  enum { EDGE = 28, BINS = 512 };
  g_autoptr (LsViewData) data = asked_data (NULL, FALSE);
  LsNetworkState asked = LS_NETWORK_STATE_INIT;
  LsQuery query = { LS_QUERY_FIELDS, .state = &asked };
  g_autoptr (LsLayout) layout = draw_view (&ls_view_network, data, &query, LS_LOOK_LIGHT, 1920, 1080);
  const LsNetwork *n = layout->own;
  double most = 0;
  guint below = 0, nearly = 0, all = 0;

  g_assert_cmpuint (n->n_pictures, >, 0);
  for (guint pass = 0; pass < 2; pass++)
    for (guint i = 0; i < n->n_pictures; i++)
      for (gint y = 0; y < EDGE; y++)
        for (gint x = 0; x < EDGE; x++)
          {
            const float *picture = n->layers[1].weights[n->side] + n->pictures[i] * EDGE * EDGE;
            const double v = fabs (smoothed (picture, EDGE, EDGE, x, y));
            if (pass == 0)
              most = MAX (most, v);
            else
              {
                below += v < n->weight_top + 1e-9;
                nearly += v < n->weight_top - most / BINS - 1e-9;
                all++;
              }
          }
  if (below < .995 * all || nearly >= .995 * all)
    g_error ("of %u weights up to %g, %u lie below the ramp’s end at %g, and %u below the next lower one",
             all, most, below, n->weight_top, nearly);
}

/* Pictures are drawn of the first layer's units whose values are greatest for the sample that is shown,
 * whatever is picked in another layer; the one that is picked there is always among them. */
static void
test_chosen (void)
{
  static const struct {
    const char *model;
    gint layer, unit;
    gboolean all;
  } cases[] = {
    { NULL, -1, -1, FALSE }, /* 256 and 128 units */
    { NULL, 1, 0, FALSE },
    { NULL, 1, 77, FALSE },
    { NULL, 1, 255, FALSE },
    { NULL, 2, 0, FALSE },
    { NULL, 2, 1, FALSE },
    { NULL, 2, 127, FALSE },
    { "flatten, dense 10", -1, -1, TRUE }, /* the answers' own weights */
    { "conv 16 3, relu, maxpool 2, conv 32 3, relu, maxpool 2, flatten, dense 10", -1, -1, FALSE },
    { "conv 16 3, relu, maxpool 2, conv 32 3, relu, maxpool 2, flatten, dense 10", 2, 31, FALSE },
  };

  for (gsize c = 0; c < G_N_ELEMENTS (cases); c++)
    {
      g_autoptr (LsViewData) data = asked_data (cases[c].model, FALSE);
      LsNetworkState asked = LS_NETWORK_STATE_INIT;
      LsQuery query = { LS_QUERY_FIELDS, .state = &asked };

      asked.layer = cases[c].layer;
      asked.unit = cases[c].unit;
      for (asked.sample = 0; asked.sample < 32; asked.sample += 5)
        {
          g_autoptr (LsLayout) layout = draw_view (&ls_view_network, data, &query, LS_LOOK_LIGHT, 1920, 1080);
          const LsNetwork *n = layout->own;
          const gint64 picked = cases[c].layer == 1 ? cases[c].unit : -1;
          double least = HUGE_VAL, most = -HUGE_VAL;
          gboolean there = picked < 0;

          if (n->n_pictures == 0 || (cases[c].all && n->n_pictures != n->layers[1].units))
            g_error ("case %u: %u pictures are drawn of %" G_GINT64_FORMAT " units", (guint) c, n->n_pictures,
                     n->layers[1].units);
          for (gint64 u = 0; u < n->layers[1].units; u++)
            {
              const double value = fabs (ls_network_unit_value (n, &n->layers[1], u));
              gboolean drawn = FALSE;

              for (guint i = 0; i < n->n_pictures; i++)
                drawn |= n->pictures[i] == u;
              there |= drawn && u == picked;
              if (drawn && u != picked)
                least = MIN (least, value);
              if (!drawn)
                most = MAX (most, value);
            }
          if (!there)
            g_error ("case %u: the picked unit has no picture", (guint) c);
          if (least < most)
            g_error ("case %u: a unit of %g has a picture, and one of %g has none", (guint) c, least, most);
          for (guint i = 1; i < n->n_pictures; i++)
            if (n->pictures[i] <= n->pictures[i - 1])
              g_error ("case %u: picture %u is of unit %d, the one before of %d", (guint) c, i,
                       (gint) n->pictures[i], (gint) n->pictures[i - 1]);
        }
    }
}

/* Without a hidden layer there is no unit to look at; the page says so, at any moment. */
static void
test_no_unit (void)
{
  g_autoptr (LsViewData) data = asked_data ("flatten, dense 10", FALSE);
  LsNetworkState asked = LS_NETWORK_STATE_INIT;
  LsQuery query = { LS_QUERY_FIELDS, .state = &asked };

  asked.page = LS_NETWORK_UNIT;
  g_autoptr (LsLayout) layout = layout_of (data, &query);
  for (guint i = 0; i < 3; i++)
    {
      query.time_ns = layout->span_ns * i / 2;
      ls_layout_move (layout, &query);
      if (text_like (layout, "This network has no hidden layer", "") == NULL)
        g_error ("at moment %u it isn’t said that there is no unit", i);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/paint/network-unit/ways-on", test_ways_on);
  g_test_add_func ("/paint/network-unit/page", test_unit_page);
  g_test_add_func ("/paint/network-unit/meant", test_meant);
  g_test_add_func ("/paint/network-unit/chosen", test_chosen);
  g_test_add_func ("/paint/network-unit/ramp", test_ramp);
  g_test_add_func ("/paint/network-unit/lines", test_lines);
  g_test_add_func ("/paint/network-unit/no-unit", test_no_unit);
  return g_test_run ();
}
