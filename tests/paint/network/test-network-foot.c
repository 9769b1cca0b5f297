/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Network's foot by itself, drawn into areas of many widths: how far the lanes differ, as rings on one range
 * of powers of ten; the picked unit; whose values these are, and what the colours mean.
 */
#include <math.h>
#include <string.h>

#include "core/number.h"
#include "network_told.h"
#include "tests/paint/said.h"
#include "tests/paint/within.h"

/* The text from `first` on that has these words, at that time; NULL: none. */
static const LsItem *
text_of (const LsScene *s, guint first, const char *words, LsWhen when)
{
  for (guint i = first; i < s->items->len; i++)
    {
      const LsItem *item = ls_scene_get (s, i);
      if (item->kind == LS_ITEM_TEXT && (when == LS_WHEN_ALWAYS || item->when == when)
          && strstr (item->text, words) != NULL)
        return item;
    }
  return NULL;
}

/* ---- rings ---- */

/* The number of that layer differs by so much: what is said, and the range that it makes of 10⁻⁷ to 10⁻⁵. */
static void
test_range (void)
{
  static const struct {
    float by;
    const char *says;
    gint low, high;
    double share; /* of the line at which the ring stands; NAN: there is none */
  } cases[] = {
    { 0, "H₁ bit for bit", -7, -5, NAN },       { 1e-6f, "H₁ 1×10⁻⁶", -7, -5, .5 },
    { 2e-9f, "H₁ 2×10⁻⁹", -9, -5, .30103 / 4 }, { 3e-3f, "H₁ 3×10⁻³", -7, -2, (7 - 2.522879) / 5 },
    { 1e-20f, "H₁ 1×10⁻²⁰", -12, -5, 0 },       { 5e5f, "H₁ ", -7, 3, 1 },
    { NAN, "H₁ not a number", -7, -5, NAN },    { INFINITY, "H₁ ", -7, -5, 1 },
  };
  LsNetworkState asked = LS_NETWORK_STATE_INIT;
  LsQuery query = { LS_QUERY_FIELDS, .state = &asked };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (LsViewData) data = asked_data (NULL, FALSE);
      const double width = 3600;
      guint ticks = 0, long_ticks = 0;
      const LsItem *ring = NULL, *line = NULL;
      float from = 0;

      /* all else is the same in both */
      for (guint k = 0; k < data->recording->n_shapes; k++)
        {
          const LsRecordedShape *shape = &data->recording->shapes[k];
          const float *here = ls_recording_values (data->recording, data->sides[0].lane, shape->name, NULL),
                      *there = ls_recording_values (data->recording, data->sides[1].lane, shape->name, NULL);
          if (here != NULL && there != NULL && shape->dtype == LS_F32)
            memcpy ((float *) there, here, (gsize) ls_recorded_shape_count (shape) * sizeof (float));
        }
      /* near 0 a float has room for such differences */
      const guint at_unit = i % 3 == 0 ? FIRST - 1 : i % 3 == 1 ? 17 : 0;
      ((float *) recorded (data, 0, "h2"))[at_unit] = 0;
      ((float *) recorded (data, 1, "h2"))[at_unit] = cases[i].by;
      g_autoptr (LsLayout) layout = layout_of (data, &query);
      const LsNetwork *n = layout->own;
      const LsScene *s = layout->still;
      const guint first = foot_of (n, width);
      const LsItem *text = text_of (s, first, "H₁ ", LS_WHEN_DONE);

      if (text == NULL || !g_str_has_prefix (text->text, cases[i].says))
        g_error ("of a difference of %g is said “%s”", (double) cases[i].by,
                 text != NULL ? text->text : "nothing");
      for (guint k = first; k < s->items->len; k++)
        {
          const LsItem *item = ls_scene_get (s, k);
          const float *at = &g_array_index (s->points, float, 2 * item->points);
          if (item->kind == LS_ITEM_LINE && at[1] == at[3] && fabsf (at[0] - text->x) < .1f)
            line = item;
        }
      g_assert_nonnull (line);
      const float *ends = &g_array_index (s->points, float, 2 * line->points);
      for (guint k = first; k < s->items->len; k++)
        {
          const LsItem *item = ls_scene_get (s, k);
          const float *at = &g_array_index (s->points, float, 2 * item->points);
          if (item->kind == LS_ITEM_RINGS && at[0] > ends[0] - 1 && at[0] < ends[2] + 1)
            {
              ring = item;
              from = at[0];
            }
          if (item->kind != LS_ITEM_LINE || at[0] != at[2] || at[0] < ends[0] - .1f || at[0] > ends[2] + .1f)
            continue;
          /* one for each power, longer at both ends */
          const double power = (double) ((at[0] - ends[0]) / (ends[2] - ends[0]))
                               * (cases[i].high - cases[i].low);
          g_assert_cmpfloat_with_epsilon (power, round (power), .01);
          const gboolean end = at[0] < ends[0] + .1f || at[0] > ends[2] - .1f;
          g_assert_cmpfloat_with_epsilon ((double) (at[1] + at[3]) / 2, (double) ends[1], .1);
          long_ticks += at[3] - at[1] > 2 * layout->m.unit;
          g_assert_cmpint (end, ==, (double) (at[3] - at[1]) > 2 * layout->m.unit);
          ticks++;
        }
      if (ticks != (guint) (cases[i].high - cases[i].low + 1) || long_ticks != 2)
        g_error ("a difference of %g makes a line of %u powers with %u ends, not of %d", (double) cases[i].by,
                 ticks, long_ticks, cases[i].high - cases[i].low + 1);
      g_assert_cmpint (ring == NULL, ==, isnan (cases[i].share));
      if (ring != NULL)
        g_assert_cmpfloat_with_epsilon ((double) ((from - ends[0]) / (ends[2] - ends[0])), cases[i].share,
                                        .01);
      g_autofree char *low = ls_number_power_tick (pow (10, cases[i].low)),
                      *high = ls_number_power_tick (pow (10, cases[i].high)),
                      *range = g_strdup_printf ("%s to %s", low, high);
      if (text_of (s, first, range, LS_WHEN_ALWAYS) == NULL)
        g_error ("a difference of %g: the range isn't said to be %s", (double) cases[i].by, range);
    }
}

/* In each width: all in its place, each ring's words below the left end of its line, layers before weights
 * where not all have room, and as near to its layer as that allows. */
static void
test_widths (void)
{
  static const char *const symbols[] = { "H₁ ", "H₂ ", "W₁ ", "W₂ ", "W₃ " };
  g_autoptr (LsViewData) data = asked_data (NULL, FALSE);
  LsNetworkState asked = LS_NETWORK_STATE_INIT;
  LsQuery query = { LS_QUERY_FIELDS, .state = &asked };
  guint before = 0;

  for (double width = 700; width < 3800; width += 190)
    {
      g_autoptr (LsLayout) layout = layout_of (data, &query);
      const LsNetwork *n = layout->own;
      const LsScene *s = layout->still;
      const guint first = foot_of (n, width);
      g_autofree char *what = g_strdup_printf ("%g px", width);
      guint there = 0;

      check_within (s, first, (LsArea){ 0, FOOT_Y - 1, width, ls_network_foot_height (n) + 2 }, what);
      for (guint i = 0; i < G_N_ELEMENTS (symbols); i++)
        {
          const LsItem *text = text_of (s, first, symbols[i], LS_WHEN_ALWAYS);
          gboolean line = FALSE;

          if (text == NULL || !g_str_has_prefix (text->text, symbols[i]))
            continue;
          there++;
          for (guint k = first; k < s->items->len; k++)
            {
              const LsItem *item = ls_scene_get (s, k);
              const float *at = &g_array_index (s->points, float, 2 * item->points);
              line |= item->kind == LS_ITEM_LINE && at[1] == at[3] && fabsf (at[0] - text->x) < .1f
                      && at[1] < text->y;
            }
          if (!line)
            g_error ("%s: “%s” has no line above it", what, text->text);
          if (i < 2 && width > 3700)
            {
              const LsArea *area = &n->layers[i + 1].area;
              g_assert_cmpfloat ((double) text->x, <, area->x + area->w);
              g_assert_cmpfloat (ls_item_right (text), >, area->x);
            }
        }
      g_assert_cmpuint (there, >=, MIN (before, 4));
      before = there;
    }
  g_assert_cmpuint (before, >=, 4);
}

/* ---- words ---- */

/* What is made of a network's foot, the words that are in it then and those that aren't, at its end and
 * before. */
typedef enum { PLAIN, ALONE, OWN, ONE_LEFT_OUT, MORE_LEFT_OUT, NO_EDGES, UNTIMED } Made;

static const struct {
  Made made;
  LsWhen when;
  double width;
  const char *has[3], *lacks[2];
} words[] = {
  { PLAIN,
    LS_WHEN_DONE,
    3600,
    { "the strongest of each layer are drawn, ", " connections (weight × activation); ",
      "values from the CPU lane, the other differs by the rings; weights as updated" },
    { "left out", "recorded" } },
  { PLAIN,
    LS_WHEN_AHEAD,
    3600,
    { "connections are drawn once their layer is computed; values from the CPU lane" },
    { "strongest of each" } },
  { PLAIN,
    LS_WHEN_RUNNING,
    3600,
    { "connections are drawn as far as their layers are computed; " },
    { "strongest of each" } },
  { PLAIN,
    LS_WHEN_DONE,
    950,
    { " connections drawn; ", "values from the CPU lane" },
    { "weight × activation" } },
  { PLAIN, LS_WHEN_AHEAD, 950, { "no connections yet; " }, { "once" } },
  { PLAIN, LS_WHEN_RUNNING, 950, { "connections so far; " }, { "as far as" } },
  { PLAIN, LS_WHEN_DONE, 640, { "values from the CPU lane" }, { "connections", "updated" } },
  { ALONE,
    LS_WHEN_DONE,
    3600,
    { "values from the CPU lane, the other’s were not recorded; weights as updated" },
    { "rings" } },
  { ONE_LEFT_OUT, LS_WHEN_DONE, 3600, { "1 layer left out; the strongest" }, { "layers left" } },
  { MORE_LEFT_OUT, LS_WHEN_DONE, 3600, { "3 layers left out; the strongest" }, { NULL } },
  { MORE_LEFT_OUT, LS_WHEN_DONE, 1100, { "3 layers left out; " }, { NULL } },
  { NO_EDGES, LS_WHEN_DONE, 3600, { "values from the CPU lane, the other" }, { "connections" } },
  { UNTIMED, LS_WHEN_ALWAYS, 3600, { "the strongest of each layer are drawn, " }, { "once", "so far" } },
};

static void
test_notes (void)
{
  g_autoptr (LsViewData) data = asked_data (NULL, FALSE);
  LsNetworkState asked = LS_NETWORK_STATE_INIT;
  LsQuery query = { LS_QUERY_FIELDS, .state = &asked };
  g_autoptr (LsLayout) layout = layout_of (data, &query);
  const LsScene *s = layout->still;

  g_assert_cmpint (((const LsNetwork *) layout->own)->drawn_ns, >, 0);
  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    {
      LsNetwork n = *(const LsNetwork *) layout->own;
      const LsItem *text = NULL;

      n.both = words[i].made != ALONE;
      n.left_out = words[i].made == ONE_LEFT_OUT ? 1 : words[i].made == MORE_LEFT_OUT ? 3 : 0;
      n.n_drawn = words[i].made == NO_EDGES ? 0 : n.n_drawn;
      n.n_pale = n.n_drawn / 3;
      n.drawn_ns = words[i].made == UNTIMED ? 0 : n.drawn_ns;
      const guint first = foot_of (&n, words[i].width);
      for (guint k = first; k < s->items->len; k++)
        {
          const LsItem *item = ls_scene_get (s, k);
          if (item->kind == LS_ITEM_TEXT && strstr (item->text, "values from") != NULL
              && item->when == words[i].when)
            text = item;
        }
      if (text == NULL)
        g_error ("case %u: nothing is said then of whose values they are", i);
      for (guint k = 0; k < G_N_ELEMENTS (words[i].has) && words[i].has[k] != NULL; k++)
        if (strstr (text->text, words[i].has[k]) == NULL)
          g_error ("case %u: “%s” isn't in “%s”", i, words[i].has[k], text->text);
      for (guint k = 0; k < G_N_ELEMENTS (words[i].lacks) && words[i].lacks[k] != NULL; k++)
        if (strstr (text->text, words[i].lacks[k]) != NULL)
          g_error ("case %u: “%s” is in “%s”", i, words[i].lacks[k], text->text);
      /* from the first connection's time to the last one's, one after the other */
      if (words[i].when == LS_WHEN_AHEAD)
        g_assert_cmpint (text->t0, ==, n.drawn_from_ns);
      if (words[i].when == LS_WHEN_RUNNING)
        {
          g_assert_cmpint (text->t0, ==, n.drawn_from_ns);
          g_assert_cmpint (text->t1, ==, n.drawn_ns);
        }
      if (words[i].when == LS_WHEN_DONE)
        g_assert_cmpint (text->t1, ==, n.drawn_ns);
      /* how many of how many */
      const char *of = strstr (text->text, " of ");
      if (words[i].when == LS_WHEN_DONE && words[i].made == PLAIN
          && strstr (text->text, " connections") != NULL)
        {
          g_autofree char *drawn = g_strdup_printf ("%u of ", n.n_drawn),
                          *all = ls_number_count (FIRST * SECOND + SECOND * CLASSES),
                          *both = g_strconcat (drawn, all, " connections", NULL);
          if (of == NULL || strstr (text->text, both) == NULL)
            g_error ("“%s” isn't said: %s", both, text->text);
        }
    }
}

/* Of a sample of one's own: as of which step the lane answered, and of which step its weights are shown. */
static void
test_own (void)
{
  g_autoptr (LsViewData) data = asked_data (NULL, FALSE);
  LsNetworkState asked = LS_NETWORK_STATE_INIT;
  LsQuery query = { LS_QUERY_FIELDS, .state = &asked };

  data->tests = ASKED_TESTS;
  asked.own = LS_OWN_TEST;
  asked.test = 11;
  asked_add_answers (data, LS_ASKED_TEST, 11, 7, 0);
  g_autoptr (LsLayout) layout = layout_of (data, &query);
  const LsNetwork *n = layout->own;
  g_assert_true (n->own);
  g_autofree char *now = ls_number_count (n->answers[n->side]->steps),
                  *then = ls_number_count (n->recording->step),
                  *full = g_strdup_printf (
                    "values from the CPU lane as of step %s, weights as recorded in step %s", now, then),
                  *brief = g_strdup_printf ("values of step %s, weights of step %s", now, then);

  g_assert_cmpstr (now, !=, then);
  g_assert_nonnull (text_of (layout->still, foot_of (n, 3600), full, LS_WHEN_ALWAYS));
  const guint first = foot_of (n, 1100);
  g_autofree char *all = all_texts (layout->still, " | ");
  if (text_of (layout->still, first, brief, LS_WHEN_ALWAYS) == NULL)
    g_error ("“%s” isn't said: %s", brief, all);
}

/* On a projector, which has no legend, the foot says how small a weight must be to be left blank; nothing
 * where none is. */
static void
test_blank (void)
{
  static const struct {
    double quiet;
    const char *says; /* NULL: nothing of blanks */
  } cases[] = { { .0123, ": mean of 3×3, under 0.012 blank" },
                { .17, ": mean of 3×3, under 0.17 blank" },
                { 0, NULL } };
  g_autoptr (LsViewData) data = asked_data (NULL, FALSE);
  LsNetworkState asked = LS_NETWORK_STATE_INIT;
  LsQuery query = { LS_QUERY_FIELDS, .state = &asked };
  g_autoptr (LsLayout) layout = draw_view (&ls_view_network, data, &query, LS_LOOK_PROJECTOR, 3840, 2160);

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      LsNetwork n = *(const LsNetwork *) layout->own;
      n.picture_area.w = 400;
      n.weight_quiet = cases[i].quiet;
      n.weight_top = .25;
      const guint first = foot_of (&n, 7200);
      const char *says = cases[i].says != NULL ? cases[i].says : "blank";
      g_autofree char *all = all_texts (layout->still, " | ");
      if ((text_of (layout->still, first, says, LS_WHEN_ALWAYS) != NULL) != (cases[i].says != NULL))
        g_error ("under %g weights are blank, and “%s” is%s said: %s", cases[i].quiet, says,
                 cases[i].says != NULL ? " not" : "", all);
    }
}

/* Beside each ramp stand the values of its ends, the lesser left, and before these what it is of; the
 * weights' is a mean where blanks are told, which is derived; that of amounts stands below. */
static void
test_legend (void)
{
  static const struct {
    gboolean picture, quiet, image;
    const char *name;
    guint ramps;
  } cases[] = {
    { TRUE, TRUE, TRUE, "mean of 3×3", 2 },
    { TRUE, FALSE, TRUE, "weight", 2 },
    { FALSE, FALSE, TRUE, "of its largest", 2 },
    { FALSE, FALSE, FALSE, "of its largest", 2 }, /* a relu's are amounts, too */
  };
  g_autoptr (LsViewData) data = asked_data (NULL, FALSE);
  LsNetworkState asked = LS_NETWORK_STATE_INIT;
  LsQuery query = { LS_QUERY_FIELDS, .state = &asked };
  g_autoptr (LsLayout) layout = layout_of (data, &query);
  const LsScene *s = layout->still;

  for (guint i = 0; i < 2 * G_N_ELEMENTS (cases); i++)
    {
      LsNetwork n = *(const LsNetwork *) layout->own;
      const gboolean is_signed = i >= G_N_ELEMENTS (cases); /* all layers' */
      const guint c = i % G_N_ELEMENTS (cases);
      guint ramps = 0;
      double y = 0;

      n.picture_area.w = cases[c].picture ? 400 : 0;
      n.weight_quiet = cases[c].quiet ? .0123 : 0;
      n.weight_top = .25;
      n.image_rows = cases[c].image ? 28 : 0;
      for (guint l = 0; l < n.n_layers; l++)
        n.layers[l].is_signed = is_signed;
      const guint first = foot_of (&n, 3600);
      for (guint k = first; k < s->items->len; k++)
        {
          const LsItem *ramp = ls_scene_get (s, k), *low = NULL, *high = NULL, *name = NULL;
          if (ramp->kind != LS_ITEM_RAMP)
            continue;
          const gboolean of_signs = ramp->ink == LS_INK_SIGN;
          for (guint j = first; j < s->items->len; j++)
            {
              const LsItem *item = ls_scene_get (s, j);
              if (item->kind != LS_ITEM_TEXT || item->y < ramp->y || item->y > ramp->y + 2 * ramp->h)
                continue;
              if (item->x > ramp->x + ramp->w && (high == NULL || item->x < high->x))
                high = item;
              if (ls_item_right (item) < (double) ramp->x && item->type.px == layout->m.tick.px
                  && (low == NULL || item->x > low->x))
                low = item;
            }
          g_assert_true (low != NULL && high != NULL);
          for (guint j = first; j < s->items->len; j++)
            {
              const LsItem *item = ls_scene_get (s, j);
              if (item->kind == LS_ITEM_TEXT && item->y == low->y && item != low
                  && ls_item_right (item) < (double) low->x && (name == NULL || item->x > name->x))
                name = item;
            }
          ramps++;
          g_assert_cmpfloat ((double) ramp->y, >, y);
          y = (double) ramp->y;
          g_assert_cmpint (of_signs, ==, ramps == 1);
          g_assert_cmpstr (low->text, ==, !of_signs ? "0" : cases[c].picture ? "−0.25" : "−1");
          g_assert_cmpstr (high->text, ==, !of_signs ? "1" : cases[c].picture ? "+0.25" : "+1");
          g_assert_cmpfloat (ls_item_right (high), <=, 3600.5);
          if (of_signs)
            {
              if (name == NULL || strstr (name->text, cases[c].name) == NULL)
                g_error ("case %u: the ramp of signs is named “%s”", i, name != NULL ? name->text : "");
              gboolean derived = FALSE;
              for (guint j = first; j < s->items->len; j++)
                {
                  const LsItem *item = ls_scene_get (s, j);
                  derived |= item->kind == LS_ITEM_EVIDENCE && (guint) item->value == LS_EVIDENCE_DERIVED
                             && item->x < name->x && name->x - item->x < 30 && fabsf (item->y - name->y) < 24;
                }
              g_assert_cmpint (derived, ==, cases[c].quiet);
            }
          else if (cases[c].picture)
            g_assert_cmpstr (name != NULL ? name->text : "", ==, "of its largest");
        }
      if (ramps != (cases[c].image || !is_signed ? 2 : 1))
        g_error ("case %u: there are %u ramps", i, ramps);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/paint/network-foot/range", test_range);
  g_test_add_func ("/paint/network-foot/widths", test_widths);
  g_test_add_func ("/paint/network-foot/notes", test_notes);
  g_test_add_func ("/paint/network-foot/own", test_own);
  g_test_add_func ("/paint/network-foot/legend", test_legend);
  g_test_add_func ("/paint/network-foot/blank", test_blank);
  return g_test_run ();
}
