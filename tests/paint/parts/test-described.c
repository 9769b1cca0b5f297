/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a screen reader is told of a picture, sentence by sentence: each lane by its name with its own
 * figures, or why it has none; who is faster and whether they agree; the recorded step. And where the arrow
 * keys go from a mark.
 */
#include <math.h>
#include <string.h>

#include "core/number.h"
#include "tests/paint/claims/claims_rig.h"
#include "tests/paint/rated.h"
#include "tests/plain.h"
#include "tests/paint/told.h"
#include "ui/paint/views.h"

static LsFonts *fonts;

static char *
described (LsViewData *data, const LsView *view, const LsQuery *query)
{
  g_autoptr (LsLayout) layout = draw_view_in (fonts, view, data, query, LS_LOOK_LIGHT, 1280, 800);

  return ls_layout_describe (layout);
}

/* Each of the words once, in this order, or not at all. */
static void
assert_told (const char *text, const char *const *words, const char *const *never)
{
  const char *at = text;

  for (guint i = 0; words[i] != NULL; i++)
    {
      const char *found = strstr (at, words[i]);
      if (found == NULL)
        g_error ("“%s” isn't told, or not there: “%s”", words[i], text);
      at = found + strlen (words[i]);
    }
  for (guint i = 0; never != NULL && never[i] != NULL; i++)
    if (strstr (text, never[i]) != NULL)
      g_error ("“%s” is told: “%s”", never[i], text);
}

#define TOLD(...)                                                                                            \
  (const char *const[])                                                                                      \
  {                                                                                                          \
    __VA_ARGS__, NULL                                                                                        \
  }

/* ---- lanes ---- */

static void
test_lanes (void)
{
  const LsQuery query = LS_QUERY_INIT;
  g_autoptr (LsViewData) data = ls_fixture_view (&desk, LS_STATE_LIVE);

  set_rate (data, 0, 250e3, .02, 200);
  set_rate (data, 1, 100e3, .02, 200);
  g_free (data->sides[0].device);
  data->sides[0].device = g_strdup ("a chip");
  g_free (data->sides[1].device);
  data->sides[1].device = g_strdup ("");
  data->sides[0].loss.value = .123;
  data->sides[1].loss.value = .456;
  ls_change_clear (&data->sides[0].change);
  data->sides[0].change.words = g_strdup ("tiled → packed");
  g_free (data->sides[1].notice);
  data->sides[1].notice = g_strdup ("Edited kernels aren’t used.");
  g_autofree char *second = g_strdup_printf (" %s: ", data->sides[1].name);
  g_autofree char *plain = described (data, &ls_view_race, &query);
  assert_told (plain,
               TOLD (" CPU, a chip: 250", "samples per second, ", "0.123.", " tiled → packed.", second, "100",
                     "samples per second, ", "0.456.", " Edited kernels aren’t used.", "2.50 times as fast"),
               TOLD ("no step yet"));
  /* no rate that stands, no step, a lane that isn't there or comes */
  data->sides[0].rate.n = 3;
  g_autofree char *few = described (data, &ls_view_race, &query);
  assert_told (few, TOLD (" CPU, a chip: ", "0.123.", second, "100"), TOLD ("250", "times as fast"));
  data->sides[0].loss.n = 0;
  g_autofree char *none = described (data, &ls_view_race, &query);
  assert_told (none, TOLD (" CPU, a chip: no step yet.", second), TOLD ("0.123"));
  data->sides[0].there = FALSE;
  g_free (data->sides[0].message);
  data->sides[0].message = g_strdup ("The CPU lane does not run.");
  g_autofree char *gone = described (data, &ls_view_race, &query);
  assert_told (gone, TOLD (" The CPU lane does not run.", second), TOLD ("no step yet", "a chip"));
  g_autoptr (LsViewData) building = ls_fixture_view (&desk, LS_STATE_BUILDING);
  g_autofree char *coming = described (building, &ls_view_race, &query),
                  *says_so = g_strdup_printf (": %s", building->sides[1].message);
  assert_told (coming, TOLD (building->sides[1].name, says_so), NULL);
  if (strstr (strstr (coming, says_so) + strlen (says_so), building->sides[1].message) != NULL)
    g_error ("what a lane that comes is at is told twice: “%s”", coming);
}

/* Who is faster, then whether they agree; of one that stopped nothing of agreement; what is unfair last. */
static void
test_both (void)
{
  const LsQuery query = LS_QUERY_INIT;

  for (guint i = 0; i < 4; i++)
    {
      g_autoptr (LsViewData) data = ls_fixture_view (&desk, i == 3 ? LS_STATE_FAILED : LS_STATE_LIVE);

      set_rate (data, 0, 250e3, .02, 200);
      set_rate (data, 1, i == 1 ? 249e3 : 100e3, .02, i == 2 ? 3 : 200);
      data->sides[1].loss.value = .214;
      data->agreed.compared = 50;
      data->agreed.loss_delta = 2e-4;
      data->agreed.apart_step = 0;
      g_clear_pointer (&data->fairness, ls_fairness_unref);
      g_autofree char *text = described (data, &ls_view_curves, &query),
                      *stopped = g_strdup_printf ("0.214. %s", data->sides[1].message); /* behind its own
                                                                                           figures */
      if (i < 2)
        assert_told (
          text,
          TOLD (i == 0 ? "CPU is 2.50 times as fast" : "no clear winner", "; losses agree within 0.001."),
          TOLD ("Unfair"));
      else
        assert_told (text, TOLD (i == 2 ? " losses agree within 0.001." : stopped),
                     i == 2 ? TOLD ("times as fast") : TOLD ("losses agree"));
    }
}

/* ---- the step ---- */

/* Both lanes' recorded steps, each with its own length and as many parts as it has ops and copies; how long
 * the workers waited, of the lane that has some; and what is shown of it. */
static void
test_step (void)
{
  g_autoptr (LsViewData) data = ls_fixture_data (&ls_fixture_calls);
  LsQuery query = LS_QUERY_INIT;
  double waited = 0;

  for (EACH_EVENT (&data->sides[0], e))
    if (e->kind == LS_EVENT_WAIT)
      waited += (double) (e->end_ns - e->start_ns);
  g_assert_cmpfloat (waited, >, 0);
  g_autofree char *waits = ls_number_time (waited),
                  *all = g_strdup_printf (" Its workers waited %s in all.", waits);
  g_autofree char *race = described (data, &ls_view_race, &query),
                  *timeline = described (data, &ls_view_timeline, &query);
  for (guint side = 0; side < LS_SIDES; side++)
    {
      g_autofree char *time = ls_number_time ((double) data->sides[side].index->length_ns),
                      *took = g_strdup_printf (" %s: the recorded step took %s", data->sides[side].name,
                                               time),
                      *parts = g_strdup_printf ("%s in %u parts.", took, data->sides[side].index->spans->len),
                      *foot = g_strdup_printf ("%s; ", took);
      assert_told (race, TOLD (parts), NULL);
      assert_told (timeline, TOLD (foot), TOLD ("Shown from"));
    }
  assert_told (timeline, TOLD (" CPU: the recorded step", all, "the recorded step"), NULL);
  g_assert_null (strstr (strstr (timeline, all) + strlen (all), "Its workers waited"));
  query.zoom0_ns = 20000;
  query.zoom1_ns = 50000;
  g_autofree char *part = described (data, &ls_view_timeline, &query);
  g_autofree char *from = ls_number_time (20000), *to = ls_number_time (50000),
                  *shown = g_strdup_printf (" Shown from %s to %s.", from, to);
  assert_told (part, TOLD (all, shown), NULL);
  /* Race says of an op which it is, and both times */
  query = (LsQuery) LS_QUERY_INIT;
  for (guint op = 1; op < 4; op++)
    {
      query.op = op;
      g_autofree char *of_op = described (data, &ls_view_race, &query),
                      *alone = g_strdup_printf (" This op alone, %s:", data->recording->ops[op].symbol);
      if (ls_told_op_ns (&data->sides[0], op) <= 0)
        continue;
      g_autofree char *time = ls_number_time (ls_told_op_ns (&data->sides[0], op)),
                      *cpu = g_strdup_printf (" CPU %s, ", time);
      assert_told (of_op, TOLD (alone, cpu, " % of the step"), NULL);
    }
}

/* ---- keys ---- */

/* From a tile to the one beside it in that direction, and to itself at the edge of everything; without a pick
 * to some mark. */
static void
test_neighbours (void)
{
  static const int ways[][2] = { { 1, 0 }, { -1, 0 }, { 0, 1 }, { 0, -1 } };
  const LsFixture f = { LS_CORES (2), .batch = 64, .tiles = 64, .groups = 16, .on_cpu = TRUE, .steps = 20 };
  g_autoptr (LsViewData) data = ls_fixture_data (&f);
  LsQuery query = LS_QUERY_INIT;
  guint n = 0, itself = 0;

  query.op = 1;
  g_autoptr (LsLayout) layout = draw_view_in (fonts, &ls_view_partition, data, &query, LS_LOOK_LIGHT, 1920,
                                              1080);
  g_assert_cmpint (ls_layout_neighbour (layout, LS_PICK_NONE, 1, 0).side, >=, 0);
  for (guint i = 0; i < layout->still->items->len; i++)
    for (guint way = 0; way < 4; way++)
      {
        const LsItem *tile = ls_scene_get (layout->still, i);
        const int dx = ways[way][0], dy = ways[way][1];
        if (tile->kind != LS_ITEM_TILE || tile->event == LS_NO_EVENT)
          continue;
        const LsPick to = ls_layout_neighbour (layout, (LsPick){ tile->side, tile->event }, dx, dy);
        for (guint k = 0; k < layout->still->items->len; k++)
          {
            const LsItem *next = ls_scene_get (layout->still, k);
            const float gap = dx > 0   ? next->x - tile->x - tile->w
                              : dx < 0 ? tile->x - next->x - next->w
                              : dy > 0 ? next->y - tile->y - tile->h
                                       : tile->y - next->y - next->h;
            if (next->kind != LS_ITEM_TILE || next == tile || next->side != tile->side || fabsf (gap) > 2.5f
                || (dx != 0 ? fabsf (next->y - tile->y) : fabsf (next->x - tile->x)) > .5f)
              continue;
            if (to.side != next->side || to.event != next->event)
              g_error ("from event %u of side %u the key %d, %d goes to %u of %d, not to %u", tile->event,
                       tile->side, dx, dy, to.event, to.side, next->event);
            n++;
          }
        itself += to.side == tile->side && to.event == tile->event;
      }
  g_test_message ("%u moves, %u ends", n, itself);
  g_assert_cmpuint (n, >, 150);
  g_assert_cmpuint (itself, >, 0);
}

/* ---- claims ---- */

/* What is opened is read out whole; a page that nobody has chosen isn't named. */
static void
test_claims (void)
{
  static const struct {
    gint open;
    guint source;
    const char *words;
  } rows[] = {
    { -1, 0, "" },
    { ROW_RANGE, 0,
      " Opened: “Training on a GPU is 10 to 100 times faster.” Not here: 1.50 times. at most 5.6 on the map."
      " Guessed: 6.00×." },
    { ROW_STAIRS, 0,
      " Opened: “Multiplying 1000×1000 takes 10 s on a CPU.” Not here: 2 270 times less. true for an"
      " interpreted loop. Guessed: 1.20 s." },
    { ROW_BOTH, 0,
      " Opened: “Memory bandwidth is the bottleneck.” Half true: OpenCL yes, CPU no. left of the roof’s knee."
      " Guessed: 75.0 %." },
    { ROW_TRUE, 0,
      " Opened: “Larger batches use it better.” True: CPU 1.40 times, OpenCL 2.80 times. batch 128 to 2048."
      " Guessed: 1.60×." },
    { ROW_STAND_IN, 0,
      " Opened: “Tensor cores double it once more.” Not measurable here. No device here has such units."
      " Published: 4.00×, A100. Guessed: 2.00×." },
    { ROW_STAND_IN, 1,
      " Opened: “Tensor cores double it once more.” Not measurable here. No device here has such units."
      " Published: 4.00×, A100. Guessed: 2.00×."
      " O opens: Tensor cores in print, https://example.org/tensor." },
    { ROW_OPEN, 0,
      " Opened: “Half precision halves the time.” Open: 1.52× … 2.28×. the spread lies on both sides (true:"
      " from 2× on)." },
    { ROW_GUESSED, 0, " Opened: “Fusion saves round trips.” Not run yet. Guessed: 30.0×." },
    { ROW_NOT_BEGUN, 0,
      " Opened: “A small network on a table of a few columns is too small to benefit, whatever card it is"
      " trained on.” Not run yet." },
    { N_ROWS, 0, "" },
  };
  Picture p;

  open_picture (&p, FALSE, 1920, 1080);
  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      LsClaimsState *state = p.state;

      state->open = rows[i].open;
      state->source = rows[i].source;
      draw (&p);
      g_autofree char *counts = plain (ls_claims_counts_text (geometry (&p)->claims)),
                      *spoken = plain (ls_layout_describe (p.layout));
      const char *at = strstr (spoken, counts);
      if (at == NULL)
        g_error ("“%s” isn't told: “%s”", counts, spoken);
      g_assert_cmpstr (at + strlen (counts), ==, rows[i].words);
    }
  close_picture (&p);
}

int
main (int argc, char **argv)
{
  gint status;

  g_test_init (&argc, &argv, NULL);
  fonts = ls_fonts_new (NULL);
  g_test_add_func ("/paint/described/lanes", test_lanes);
  g_test_add_func ("/paint/described/both", test_both);
  g_test_add_func ("/paint/described/step", test_step);
  g_test_add_func ("/paint/described/neighbours", test_neighbours);
  g_test_add_func ("/paint/described/claims", test_claims);
  status = g_test_run ();
  ls_fonts_unref (fonts);
  return status;
}
