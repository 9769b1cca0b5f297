/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Network's page of time steps: each column is its step's, of the shown sample; the picked one is told in
 * full; clicks and keys pick.
 */
#include <math.h>
#include <string.h>

#include "tests/paint/draw.h"
#include "tests/paint/fixture.h"
#include "tests/paint/said.h"
#include "ui/paint/network/network_time.h"
#include "core/number.h"
#include "ui/paint/views.h"

#define BATCH 16
#define STEPS 28
#define UNITS 6

static LsViewData *
data_of (const char *model)
{
  const LsFixture f = { LS_CORES (2), .model = model, .batch = BATCH, .tiles = 16,
                        .groups = 32, .on_cpu = TRUE, .steps = 60,    .values = TRUE };
  LsViewData *data = ls_fixture_data (&f);

  ls_fixture_add_values (data->recording);
  return data;
}

static LsLayout *
page_of (LsViewData *data, Asked *asked, double w, double h)
{
  asked->network.page = LS_NETWORK_TIME;
  return draw_view (&ls_view_network, data, asked_of (asked, &ls_view_network), LS_LOOK_LIGHT, w, h);
}

static const float *
values_of (const LsRecording *r, const char *name)
{
  const LsRecordedShape *shape;
  const float *values = ls_recording_values (r, 0, name, &shape);

  g_assert_nonnull (values);
  return values;
}

/* What is drawn of a step is the recorded tensors' row of that step and sample. */
static void
test_values (void)
{
  g_autoptr (LsViewData) data = data_of ("lstm 6, dense 10");
  Asked asked = ASKED_INIT;
  asked.network.sample = 3;
  asked.network.step = 5;
  asked.network.step_unit = 2;
  g_autoptr (LsLayout) layout = page_of (data, &asked, 1920, 1080);
  const LsNetwork *n = layout->own;
  const LsNetworkTime *t = n->time;

  g_assert_nonnull (t);
  g_assert_cmpuint (t->steps, ==, STEPS);
  g_assert_cmpuint (t->step, ==, 4);
  g_assert_cmpint (t->unit, ==, 2);
  g_assert_cmpuint (t->shown, ==, STEPS);
  g_assert_cmpint (t->features, ==, 28);
  g_assert_false (t->by_columns);
  const float *s = values_of (data->recording, "s0");
  for (guint i = 0; i < STEPS; i++)
    g_assert_cmpmem (t->inputs + i * t->stride, 28 * sizeof (float), s + (i * BATCH + 3) * 28,
                     28 * sizeof (float));
  const char *const outputs[] = { "h0.steps", "c0.steps" };
  for (guint k = 0; k < G_N_ELEMENTS (outputs); k++)
    g_assert_cmpmem (ls_network_time_values (t, n->side, k, 4, UNITS), UNITS * sizeof (float),
                     values_of (data->recording, outputs[k]) + (4 * BATCH + 3) * UNITS,
                     UNITS * sizeof (float));
  g_assert_true (says (layout->still, "Time step 5"));
  const float *gates = values_of (data->recording, "g0.steps") + (4 * BATCH + 3) * 4 * UNITS + 2,
              *cells = values_of (data->recording, "c0.steps") + 3 * UNITS + 2;
  g_autofree char *i = ls_number_text ((double) gates[0], 2), *f = ls_number_text ((double) gates[UNITS], 2),
                  *g = ls_number_text ((double) gates[2 * UNITS], 2),
                  *o = ls_number_text ((double) gates[3 * UNITS], 2),
                  *before = ls_number_text ((double) cells[3 * BATCH * UNITS], 3),
                  *cell = ls_number_text ((double) cells[4 * BATCH * UNITS], 3);
  g_autofree char *opened = g_strdup_printf ("unit 2: i %s, f %s, g %s, o %s", i, f, g, o),
                  *sum = g_strdup_printf (
                    "c = %s · %s%s%s + %s · %s%s%s = %s", f, g_str_has_prefix (before, "−") ? "(" : "",
                    before, g_str_has_prefix (before, "−") ? ")" : "", i,
                    g_str_has_prefix (g, "−") ? "(" : "", g, g_str_has_prefix (g, "−") ? ")" : "", cell);
  g_assert_true (says (layout->still, opened));
  g_assert_true (says (layout->still, sum));
  g_assert_true (says (layout->still, "U₁ᵀ, the same at every step"));
  g_assert_true (says (layout->still, "6×24"));
  assert_faultless (layout);
}

/* With none picked the unit is opened that says most in the step, whatever its sign. */
static void
test_says_most (void)
{
  g_autoptr (LsViewData) data = data_of ("lstm 6, dense 10");
  guint negative = 0;

  for (gint step = 0; step < STEPS; step++)
    {
      Asked asked = ASKED_INIT;
      asked.network.step = step + 1;
      g_autoptr (LsLayout) layout = page_of (data, &asked, 1920, 1080);
      const LsNetwork *n = layout->own;
      const float *says = ls_network_values (n, n->time->h, n->side, n->at) + step * UNITS;
      gint most = 0;
      for (gint u = 1; u < UNITS; u++)
        most = fabsf (says[u]) > fabsf (says[most]) ? u : most;
      if (n->time->unit != most)
        g_error ("at step %d unit %d is opened, and %d says more", step, (gint) n->time->unit, most);
      negative += says[most] < 0;
    }
  g_assert_cmpuint (negative, >, 0);
}

/* Both lanes' bars are as high as their times, in the column of the step that they were computed in; back the
 * last step comes first. */
static void
test_times (void)
{
  g_autoptr (LsViewData) data = data_of ("lstm 6, dense 10");
  Asked asked = ASKED_INIT;
  g_autoptr (LsLayout) layout = page_of (data, &asked, 1920, 1080);
  const LsNetwork *n = layout->own;
  const LsNetworkTime *t = n->time;
  g_autoptr (GArray) chains = ls_chains_new (data->recording);
  gint64 start, end, last = 0;

  for (guint side = 0; side < LS_SIDES; side++)
    for (guint i = 0; i < STEPS; i++)
      {
        gint64 back_start, back_end;
        guint bars = 0;
        g_assert_true (ls_network_time_of (t, side, FALSE, i, &start, &end));
        g_assert_true (ls_network_time_of (t, side, TRUE, i, &back_start, &back_end));
        g_assert_cmpint (back_start, >, end);
        if (i > 0)
          g_assert_cmpint (back_start, <, last);
        last = back_start;
        for (guint k = 0; k < layout->still->items->len; k++)
          {
            const LsItem *item = ls_scene_get (layout->still, k);
            const double x = (double) item->x - ls_network_time_x (t, i);
            bars += item->kind == LS_ITEM_BOX && item->ink == LS_INK_MARK && item->side == side
                    && item->t0 == start && item->t1 == end && x >= 0 && x < t->column_w
                    && (double) item->y < t->clock.y;
          }
        g_assert_cmpuint (bars, ==, 1);
      }
  g_assert_true (says (layout->still, "The chain"));
  g_autofree char *share = g_strdup_printf ("%.0f %%",
                                            100 * (double) ls_chains_ns (chains, data->sides[0].index)
                                              / (double) data->sides[0].index->length_ns);
  for (char *space = strchr (share, ' '); space != NULL; space = NULL)
    *space = '\0'; /* a thin one follows it */
  const LsItem *item = find_text (layout->still, "CPU: ");
  g_assert_nonnull (item);
  g_assert_nonnull (strstr (item->text, share));
}

/* The bars of a row have one scale, which is the row's axis, CPU's left of OpenCL's; back has one of its own.
 */
static void
test_heights (void)
{
  g_autoptr (LsViewData) data = data_of ("lstm 6, dense 10");
  Asked asked = ASKED_INIT;
  g_autoptr (LsLayout) layout = page_of (data, &asked, 1920, 1080);
  const LsNetwork *n = layout->own;
  const LsScene *s = layout->still;
  double base[2] = { 0 }, per_ns[2] = { 0 }, first_x[LS_SIDES] = { 0 };
  guint rows = 0, bars = 0;

  for (guint i = 0; i < s->items->len; i++)
    {
      const LsItem *item = ls_scene_get (s, i);
      const double foot = (double) item->y + (double) item->h, ns = (double) (item->t1 - item->t0);
      guint row = 0;

      if (item->kind != LS_ITEM_BOX || item->ink != LS_INK_MARK || item->side >= LS_SIDES
          || item->when != LS_WHEN_DONE || ns <= 0 || foot > n->time->clock.y
          || (double) item->x < n->time->columns.x
          || (double) item->x > n->time->columns.x + n->time->columns.w)
        continue;
      while (row < rows && fabs (base[row] - foot) > 1)
        row++;
      if (row == rows)
        {
          g_assert_cmpuint (rows, <, 2);
          base[rows] = foot;
          per_ns[rows++] = (double) item->h / ns;
        }
      if (fabs ((double) item->h / ns / per_ns[row] - 1) > .02)
        g_error ("in the %s row a bar of %g ns is %.1f px high, and another one's scale makes it %.1f",
                 row == 0 ? "upper" : "lower", ns, (double) item->h, ns * per_ns[row]);
      g_assert_cmpuint (item->evidence, ==, LS_EVIDENCE_MEASURED);
      first_x[item->side] = (double) item->x;
      if (item->side == 1)
        g_assert_cmpfloat (first_x[0], <, first_x[1]);
      bars++;
    }
  g_assert_cmpuint (rows, ==, 2);
  g_assert_cmpuint (bars, ==, 2 * 2 * STEPS);
}

/* Inside a step each lane's product and gates are as long as their ops took, in words and on one scale. */
static void
test_inside (void)
{
  g_autoptr (LsViewData) data = data_of ("lstm 6, dense 10");
  g_autoptr (GArray) chains = ls_chains_new (data->recording);
  const LsChain *chain = &g_array_index (chains, LsChain, 0);
  Asked asked = ASKED_INIT;
  guint seen = 0;

  g_assert_false (chain->back);
  for (asked.network.step = 2; asked.network.step <= STEPS; asked.network.step += 13)
    {
      g_autoptr (LsLayout) layout = page_of (data, &asked, 3840, 2160);
      double per_ns = 0;

      for (guint side = 0; side < LS_SIDES; side++)
        {
          gint64 part[2] = { 0 };
          for (guint op = chain->begin[asked.network.step - 1]; op < chain->begin[asked.network.step]; op++)
            part[data->recording->ops[op].attr.m > 0 ? 0 : 1] += data->sides[side].index->ops[op].end_ns
                                                                 - data->sides[side].index->ops[op].start_ns;
          for (guint i = 1; i < layout->still->items->len; i++)
            {
              const LsItem *text = ls_scene_get (layout->still, i),
                           *box = ls_scene_get (layout->still, i - 1);
              const guint k = text->ink == LS_INK_ON_MARK ? 0 : 1;
              if (text->kind != LS_ITEM_TEXT || (text->ink != LS_INK_ON_MARK && text->ink != LS_INK_ON_SOFT)
                  || box->kind != LS_ITEM_BOX || box->side != side)
                continue;
              g_autofree char *time = ls_number_time ((double) part[k]),
                              *words = g_strconcat (k == 0 ? "product " : "gates ", time, NULL);
              if (strcmp (text->text, words) != 0 && strcmp (text->text, time) != 0)
                g_error ("of step %d “%s” is said in lane %u, and should be “%s”", asked.network.step,
                         text->text, side, words);
              if (per_ns <= 0)
                per_ns = ((double) box->w + 1) / (double) part[k];
              g_assert_cmpfloat_with_epsilon ((double) box->w + 1, per_ns * (double) part[k], 1);
              seen++;
            }
        }
    }
  g_assert_cmpuint (seen, >, 6);
}

static void
test_pick (void)
{
  g_autoptr (LsViewData) data = data_of ("lstm 6, dense 10");
  Asked asked = ASKED_INIT;
  g_autoptr (LsLayout) layout = page_of (data, &asked, 1920, 1080);
  const LsNetwork *n = layout->own;
  const LsNetworkTime *t = n->time;
  LsNetworkState state = asked.network;
  LsQuery query = layout->query;

  g_assert_cmpuint (t->step, ==, STEPS - 1); /* the last one is what the next layer reads */
  query.state = &state;
  const LsArea says_row = t->unit_rows[0];
  g_assert_cmpint (ls_view_network.point (layout, ls_network_time_x (t, 9) + 3,
                                          says_row.y + says_row.h * 4.5 / UNITS, &query),
                   ==, LS_ACT_CHANGED);
  g_assert_cmpint (state.step, ==, 10);
  g_assert_cmpint (state.step_unit, ==, 4);
  const struct {
    LsViewKey key;
    gint step, unit;
  } keys[] = { { LS_KEY_LEFT, 27, -1 },
               { LS_KEY_RIGHT, 28, -1 },
               { LS_KEY_UP, 28, (gint) t->unit - 1 },
               { LS_KEY_DOWN, 28, (gint) t->unit + 1 } };
  for (guint i = 0; i < G_N_ELEMENTS (keys); i++)
    {
      state = asked.network;
      g_assert_cmpint (ls_view_network.key (layout, keys[i].key, &query), ==, LS_ACT_CHANGED);
      g_assert_cmpint (state.step, ==, keys[i].step);
      g_assert_cmpint (state.step_unit, ==, CLAMP (keys[i].unit, -1, UNITS - 1));
    }
}

/* Of two layers that which is picked among the layers; else the first. */
static void
test_several (void)
{
  g_autoptr (LsViewData) data = data_of ("lstm 6 all, lstm 5, dense 10");
  Asked asked = ASKED_INIT;
  g_autoptr (LsLayout) one = page_of (data, &asked, 1280, 800);
  const LsNetwork *n = one->own;
  gint64 start, end, back_start, back_end;

  g_assert_cmpint (n->time->units, ==, 6);
  asked.network.layer = 4;
  asked.network.unit = 0;
  g_autoptr (LsLayout) two = page_of (data, &asked, 1280, 800);
  const LsNetwork *other = two->own;
  g_assert_cmpint (other->time->units, ==, 5);
  g_assert_cmpint (other->time->features, ==, 6);
  /* the way back goes through the last layer first */
  g_assert_true (ls_network_time_of (n->time, 0, TRUE, 0, &start, &end));
  g_assert_true (ls_network_time_of (other->time, 0, TRUE, 0, &back_start, &back_end));
  g_assert_cmpint (back_end, <, start);
}

/* No layer has time steps; a narrow picture shows those around the picked one. */
static void
test_others (void)
{
  g_autoptr (LsViewData) plain = data_of ("flatten, dense 8, relu, dense 10"),
                         data = data_of ("lstm 6, dense 10");
  Asked asked = ASKED_INIT;
  g_autoptr (LsLayout) none = page_of (plain, &asked, 1280, 800);

  g_assert_true (says (none->still, "reads no sequence"));
  g_assert_null (((const LsNetwork *) none->own)->time);
  asked.network.step = 3;
  g_autoptr (LsLayout) narrow = page_of (data, &asked, 420, 600);
  const LsNetworkTime *t = ((const LsNetwork *) narrow->own)->time;
  if (t != NULL)
    {
      g_assert_cmpuint (t->first, <=, 2);
      g_assert_cmpuint (t->first + t->shown, >, 2);
      g_assert_cmpuint (t->shown, <=, STEPS);
    }
  for (guint i = 0; i < G_N_ELEMENTS (draw_sizes); i++)
    {
      g_autoptr (LsLayout) layout = page_of (data, &asked, draw_sizes[i][0], draw_sizes[i][1]);
      check_moments (layout, (const double[]){ 0, .3, .7, 1 }, 4, "time");
    }
  end_faults ();
}

/* A recording's own check asks for no class's outputs: an op without one, a cell's state that is narrower
 * than what it says. */
static void
test_damaged (void)
{
  g_autoptr (LsViewData) silent = data_of ("lstm 6, dense 10"), narrow = data_of ("lstm 6, dense 10");
  Asked asked = ASKED_INIT;

  for (guint i = 0; i < silent->recording->n_ops; i++)
    if (strcmp (silent->recording->ops[i].name, "sequence") == 0)
      silent->recording->ops[i].n_out = 0;
  g_autoptr (LsLayout) without = page_of (silent, &asked, 1280, 800);
  g_assert_null (((const LsNetwork *) without->own)->time->inputs);

  for (guint i = 0; i < narrow->recording->n_ops; i++)
    if (strcmp (narrow->recording->ops[i].name, "lstm") == 0)
      narrow->recording->shapes[narrow->recording->ops[i].out[1]].shape[1] = 1;
  g_autoptr (LsLayout) layout = page_of (narrow, &asked, 1280, 800);
  const LsNetworkTime *t = ((const LsNetwork *) layout->own)->time;
  g_assert_true (t->c == NULL || t->c->cols == t->h->cols);
}

/* However many events a lane's file has, the clock gets a few marks for each pixel. */
static void
test_many (void)
{
  g_autoptr (LsViewData) data = data_of ("lstm 6, dense 10");
  GArray *spans = data->sides[0].index->spans;
  Asked asked = ASKED_INIT;
  guint before, after;

  g_autoptr (LsLayout) few = page_of (data, &asked, 1280, 800);
  before = few->still->items->len;
  for (guint i = 0; i < 100000; i++)
    {
      LsSpan copy = g_array_index (spans, LsSpan, spans->len - 1);
      copy.kind = LS_EVENT_COPY_OUT;
      g_array_append_val (spans, copy);
    }
  for (guint i = 1; i <= 100000; i++)
    {
      LsSpan *copy = &g_array_index (spans, LsSpan, spans->len - i);
      copy->end_ns = few->span_ns - few->span_ns * (i - 1) / 200000;
      copy->start_ns = few->span_ns - few->span_ns * i / 200000;
    }
  g_autoptr (LsLayout) many = page_of (data, &asked, 1280, 800);
  after = many->still->items->len;
  if (after > before + 4 * 1280)
    g_error ("the clock draws %u marks of 100000 copies in 1280 pixels", after - before);
}

/* The playhead goes round what each lane took, in words, and through all else. */
static void
test_playhead (void)
{
  g_autoptr (LsViewData) data = data_of ("lstm 6, dense 10");
  Asked asked = ASKED_INIT;
  g_autoptr (LsLayout) layout = page_of (data, &asked, 1920, 1080);
  const LsNetworkTime *t = ((const LsNetwork *) layout->own)->time;
  const guint shorter = data->sides[0].index->length_ns < data->sides[1].index->length_ns ? 0 : 1;
  const LsArea words = t->lengths[shorter];
  guint crossed = 0;

  g_assert_cmpfloat (words.w, >, 0);
  for (gint64 at = 0; at <= layout->span_ns; at += layout->span_ns / 400)
    {
      LsQuery query = layout->query;
      const double x = t->clock.x + t->clock.w * (double) at / (double) layout->span_ns;
      double drawn = 0;

      query.time_ns = at;
      ls_layout_move (layout, &query);
      for (guint i = 0; i < layout->moving->items->len; i++)
        {
          const LsItem *item = ls_scene_get (layout->moving, i);
          const float *p = &g_array_index (layout->moving->points, float, 2 * item->points);

          if (item->kind != LS_ITEM_LINE || item->n_points != 2 || fabs ((double) p[0] - x) > .01
              || (double) p[1] < t->clock.y - 1)
            continue;
          drawn += (double) (p[3] - p[1]);
          if (x > words.x && x < words.x + words.w)
            g_assert_true ((double) p[3] <= words.y + .01 || (double) p[1] >= words.y + words.h - .01);
        }
      if (x > words.x && x < words.x + words.w)
        crossed++;
      else if (x < words.x - 4)
        g_assert_cmpfloat_with_epsilon (drawn, t->clock.h, .1);
    }
  g_assert_cmpuint (crossed, >, 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/network-time/values", test_values);
  g_test_add_func ("/network-time/says-most", test_says_most);
  g_test_add_func ("/network-time/times", test_times);
  g_test_add_func ("/network-time/heights", test_heights);
  g_test_add_func ("/network-time/inside", test_inside);
  g_test_add_func ("/network-time/pick", test_pick);
  g_test_add_func ("/network-time/several", test_several);
  g_test_add_func ("/network-time/others", test_others);
  g_test_add_func ("/network-time/damaged", test_damaged);
  g_test_add_func ("/network-time/many", test_many);
  g_test_add_func ("/network-time/playhead", test_playhead);
  return g_test_run ();
}
