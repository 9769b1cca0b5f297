/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What Scaling says round a plot, word for word, of figures that nobody measured.
 */
#include "config.h"

#include <math.h>

#include "lab/result.h"
#include "ui/paint/data/view_data.h"
#include "ui/paint/scaling/scaling.h"
#include "tests/paint/scaling/scaling-rig.h"
#include "ui/paint/parts/text.h"
#include "tests/plain.h"

/* A constant, and how far it may be off to both sides. */
static LsFigure
about (double value, double half)
{
  return (LsFigure){ .value = value, .q1 = value - half, .q3 = value + half, .n = 8 };
}

typedef struct {
  LsViewData data;
  LsLayout layout;
  LsScalingPanel panel;
} Rig;

/* A lane with dots at 1, 2, 4, … */
static LsScalingLane *
rig_init (Rig *rig, LsScalingKind kind, LsScalingValue value, LsLaw law, guint n)
{
  *rig = (Rig){ 0 };
  rig->layout.data = &rig->data;
  rig->panel = (LsScalingPanel){
    .layout = &rig->layout, .kind = kind, .value = value, .law = law, .unit = "ms", .unit_ns = 1e6
  };
  rig->panel.lanes[0].dots = g_array_new (FALSE, FALSE, sizeof (LsScalingDot));
  for (guint i = 0; i < n; i++)
    {
      const LsScalingDot dot = { .x = 1 << i, .value = 3.2 * (i + 1) };
      g_array_append_val (rig->panel.lanes[0].dots, dot);
    }
  return &rig->panel.lanes[0];
}

static void
rig_clear (Rig *rig)
{
  g_array_unref (rig->panel.lanes[0].dots);
}

/* ---- what the axes are of ---- */

static void
test_axes (void)
{
  static const struct {
    LsScalingKind kind;
    LsScalingValue value;
    const char *subtitle, *axis, *last;
  } rows[] = {
    { LS_SCALING_THREADS, LS_SCALING_SPEED_UP, "speed-up over one worker · efficiency",
      "threads; OpenCL: compute units", "12.8× · 160 %" }, /* on 8 of them */
    { LS_SCALING_FLIGHT, LS_SCALING_OF_BEST, "share of the lane’s best",
      "in flight in each unit: loads; small: multiply-adds", "12.8 %" },
    { LS_SCALING_BATCH, LS_SCALING_TIME, "time of a step, ms", "samples in a step", "12.8 ms" },
    { LS_SCALING_BATCH, LS_SCALING_PER_S, "samples per second", "samples in a step", "12.8" },
    { LS_SCALING_SIZE, LS_SCALING_TIME, "time of a product, ms", "n", "12.8 ms" },
    { LS_SCALING_SIZE, LS_SCALING_GFLOPS, "GFLOP/s", "n", "456" },
    { LS_SCALING_SIZE, LS_SCALING_OF_ROOF, "n×n times n×n, share of the own roof", "n", "456" },
    { LS_SCALING_EDGE, LS_SCALING_TIME, "time of a product, ms", "edge of a tile in local memory",
      "12.8 ms" },
    { LS_SCALING_WIDTH, LS_SCALING_TIME, "time of a step, ms", "units of each hidden layer", "12.8 ms" },
    { LS_SCALING_TILES, LS_SCALING_TIME, "time of a step, ms", "tiles that each op is cut into", "12.8 ms" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      Rig rig;
      LsScalingLane *lane = rig_init (&rig, rows[i].kind, rows[i].value, LS_LAW_NONE, 4);

      lane->last_rate = 456;
      assert_said (ls_scaling_subtitle (&rig.panel), rows[i].subtitle);
      assert_said (ls_scaling_axis (&rig.panel), rows[i].axis);
      assert_said (ls_scaling_last (&rig.panel, lane), rows[i].last);
      rig_clear (&rig);
    }
  Rig rig;
  LsScalingLane *lane = rig_init (&rig, LS_SCALING_FLIGHT, LS_SCALING_OF_BEST, LS_LAW_IN_FLIGHT, 4);
  lane->fitted = TRUE;
  lane->fit.law = (LsLawFit){ .law = LS_LAW_IN_FLIGHT, .holds = TRUE, .full = 80 };
  assert_said (ls_scaling_last (&rig.panel, lane), "full at 80");
  rig_clear (&rig);
}

/* ---- laws ---- */

/* Each constant with its unit, and half its interval behind ±. */
static void
test_laws (void)
{
  const struct {
    LsLawFit law;
    const char *words;
  } rows[] = {
    { { .law = LS_LAW_AMDAHL, .constants = { about (9, 9), about (.059, .009) } },
      "serial share s 5.90 % ± 0.90, never over 17×" },
    { { .law = LS_LAW_AMDAHL, .constants = { about (9, 9), about (.0005, .0001) } },
      "serial share s 0.0500 % ± 0.010" }, /* no end is in sight */
    { { .law = LS_LAW_AMDAHL, .constants = { about (9, 9), about (.005, .001) } },
      "serial share s 0.500 % ± 0.10, never over 200×" },
    { { .law = LS_LAW_SCALABILITY, .constants = { about (9, 9), about (.2, .1), about (.03, .02) } },
      "σ 20.0 % ± 10, κ 3.00 % ± 2.0" },
    { { .law = LS_LAW_LINEAR, .constants = { about (122, 12), about (2.2, .1) } },
      "a 122 ± 12 µs, b 2.20 ± 0.10 µs" },
    { { .law = LS_LAW_LINEAR, .constants = { about (4500, 120), about (.025, .001) } },
      "a 4.50 ± 0.12 ms, b 25.0 ± 1.0 ns" },
    { { .law = LS_LAW_LINEAR, .constants = { about (.4, 30), about (2, 1) } }, /* in the interval's unit */
      "a 0.400 ± 30 µs, b 2.00 ± 1.0 µs" },
    { { .law = LS_LAW_HALF_SPEED, .constants = { about (9, 9), about (104, 9) } },
      "half speed at n½ = 104 ± 9.0" },
    { { .law = LS_LAW_IN_FLIGHT, .full = 80, .full_low = 72, .full_high = 88 }, "rate × wait = 80.0 ± 8.0" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      Rig rig;
      LsScalingLane *lane = rig_init (&rig, LS_SCALING_BATCH, LS_SCALING_TIME, rows[i].law.law, 6);

      lane->fitted = TRUE;
      lane->fit = (LsLabFit){ .law = rows[i].law, .n = 6 };
      lane->fit.law.holds = TRUE;
      lane->fit.law.worst = .314;
      assert_said (ls_scaling_fit (&rig.panel, lane), rows[i].words);

      /* of those alone up to 8, or from 4 on */
      g_autofree char *up_to = g_strconcat (rows[i].words, ", up to 8: more share a core", NULL),
                      *from = g_strconcat (rows[i].words, ", from 4 on", NULL);
      lane->fit.n = 4;
      assert_said (ls_scaling_fit (&rig.panel, lane), up_to);
      lane->fit.first = 2;
      assert_said (ls_scaling_fit (&rig.panel, lane), from);
      lane->fit.law.holds = FALSE;
      assert_said (ls_scaling_fit (&rig.panel, lane), "doesn’t fit, up to 31 % off");
      rig_clear (&rig);
    }
}

/* Two dots more than it has constants: a law of two takes four, one of three five. */
static void
test_few (void)
{
  Rig rig;
  LsScalingLane *lane = rig_init (&rig, LS_SCALING_BATCH, LS_SCALING_TIME, LS_LAW_LINEAR, 3);

  lane->fit.n = 3;
  assert_said (ls_scaling_fit (&rig.panel, lane), "a fit takes 4 dots");
  rig.panel.law = LS_LAW_SCALABILITY;
  lane->fit.n = 4;
  assert_said (ls_scaling_fit (&rig.panel, lane), "a fit takes 5 dots");
  lane->fit.n = 5;
  assert_said (ls_scaling_fit (&rig.panel, lane), "doesn’t fit");
  rig_clear (&rig);
}

/* The law is named that holds, for whichever lane; if for none, that which was tried first. */
static void
test_whose (void)
{
  static const struct {
    LsLaw laws[2]; /* LS_LAW_NONE: it doesn't hold */
    const char *name;
  } rows[] = {
    { { LS_LAW_NONE, LS_LAW_NONE }, "Amdahl: " },
    { { LS_LAW_AMDAHL, LS_LAW_NONE }, "Amdahl: " },
    { { LS_LAW_SCALABILITY, LS_LAW_NONE }, "Universal scalability: " },
    { { LS_LAW_NONE, LS_LAW_SCALABILITY }, "Universal scalability: " },
    { { LS_LAW_SCALABILITY, LS_LAW_SCALABILITY }, "Universal scalability: " },
  };
  const LsScalingState state = { .open = LS_SCALING_THREADS };
  g_autoptr (GPtrArray) results = lab_fixture ();
  g_autoptr (LsLayout) layout = draw (results, &state, 1920, 1080);

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      LsScalingPanel panel = ((const LsScaling *) layout->own)->panels[LS_SCALING_THREADS];
      guint lines = 0;

      g_assert_cmpuint (panel.result->specs->len, ==, 2);
      for (guint lane = 0; lane < 2; lane++)
        {
          panel.lanes[lane].fitted = TRUE;
          panel.lanes[lane].fit.law.holds = rows[i].laws[lane] != LS_LAW_NONE;
          panel.lanes[lane].fit.law.law = rows[i].laws[lane] != LS_LAW_NONE ? rows[i].laws[lane]
                                                                            : LS_LAW_AMDAHL;
        }
      ls_scene_clear (layout->still);
      const double last = ls_scaling_tell (&panel, (LsArea){ 20, 0, 1800, 900 }, 100);
      g_autofree char *law = g_strconcat (rows[i].name,
                                          ls_law_formula (i > 1 ? LS_LAW_SCALABILITY : LS_LAW_AMDAHL), NULL);
      gboolean found = FALSE;
      for (guint k = 0; k < layout->still->items->len; k++)
        {
          const LsItem *item = ls_scene_get (layout->still, k);
          found |= item->kind == LS_ITEM_TEXT && strcmp (item->text, law) == 0;
          lines += item->kind == LS_ITEM_TEXT && item->type.weight == 700;
        }
      if (!found)
        g_error ("case %u: “%s” isn’t said", (guint) i, law);
      if (lines != 2 || ls_scaling_lines (&panel) != 3
          || fabs (last - 100 - 2 * layout->m.label.px * LS_TEXT_PITCH) > .1)
        g_error ("case %u: %u lanes are told, in %u lines, down to %g", (guint) i, lines,
                 ls_scaling_lines (&panel), last);
    }
}

/* ---- what lacks ---- */

/* That a lane can't be measured here is only said once its experiment is done; why, as soon as it is known.
 */
static void
test_lacks (void)
{
  static const struct {
    gboolean dots, ended, failed;
    const char *lacks;
  } rows[] = {
    { FALSE, FALSE, FALSE, NULL },
    { FALSE, TRUE, FALSE, "OpenCL: not measurable here" },
    { FALSE, FALSE, TRUE, "OpenCL: not measurable here. There isn’t enough memory." },
    { FALSE, TRUE, TRUE, "OpenCL: not measurable here. There isn’t enough memory." },
    { TRUE, FALSE, FALSE, NULL },
    { TRUE, TRUE, FALSE, NULL },
    { TRUE, TRUE, TRUE, "OpenCL, width 4 096: There isn’t enough memory." },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (GArray) points = g_array_new (FALSE, TRUE, sizeof (LsLabPoint)),
                         names = g_array_new (FALSE, TRUE, sizeof (LsViewName)),
                         tried = g_array_new (FALSE, TRUE, sizeof (LsLabSpot));
      g_autoptr (GPtrArray) missing = g_ptr_array_new ();
      LsLabMissing failed = { .spot.x = 4096, .why = (char *) "There isn’t enough memory." };
      LsViewName name = { .brief = (char *) "OpenCL" };
      LsLabResult result
        = { .experiment = &ls_experiment_width, .ended = rows[i].ended, .n_sizes = 3, .tried = tried };
      LsScalingPanel panel = { .result = &result, .names = names };

      result.points[0] = points;
      result.missing[0] = missing;
      g_array_set_size (points, rows[i].dots);
      g_array_append_val (names, name);
      if (rows[i].failed)
        g_ptr_array_add (missing, &failed);
      g_autofree char *lacks = ls_scaling_lacks (&panel, 0),
                      *said = lacks != NULL ? plain (g_strdup (lacks)) : NULL;
      g_assert_cmpstr (said, ==, rows[i].lacks);
    }
}

/* ---- how old ---- */

static void
test_age (void)
{
  static const struct {
    const char *date;
    gboolean foreign;
    const char *program, *age, *brief;
  } rows[] = {
    { "2026-11-23", FALSE, "Lockstep " LS_VERSION, NULL, "today" },
    { "2026-11-17", FALSE, "Lockstep " LS_VERSION, NULL, "6 days ago" },
    { "2026-11-16", FALSE, "Lockstep " LS_VERSION, "measured on 2026-11-16, 7 days ago", "7 days ago" },
    { "2026-11-02", FALSE, "Lockstep " LS_VERSION, "measured on 2026-11-02, 3 weeks ago", "3 weeks ago" },
    { "2026-11-23", TRUE, "Lockstep " LS_VERSION,
      "measured on 2026-11-23 by Lockstep " LS_VERSION ", a laptop", "on another machine, today" },
    { "2026-11-02", TRUE, "Lockstep 0.0.1", "measured on 2026-11-02 by Lockstep 0.0.1, a laptop",
      "by Lockstep 0.0.1, 3 weeks ago" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (GPtrArray) lab = g_ptr_array_new (), specs = g_ptr_array_new ();
      LsLabResult result = { .experiment = &ls_experiment_batch,
                             .specs = specs,
                             .date = (char *) rows[i].date,
                             .program = (char *) rows[i].program,
                             .machine = (char *) "a laptop",
                             .foreign = rows[i].foreign };
      Rig rig;

      rig_init (&rig, LS_SCALING_BATCH, LS_SCALING_TIME, LS_LAW_LINEAR, 3);
      g_ptr_array_add (lab, &result);
      rig.data.today = (char *) "2026-11-23";
      rig.data.lab = lab;
      rig.panel.result = &result;
      g_autofree char *age = ls_scaling_age (&rig.panel, TRUE), *among = ls_scaling_age (&rig.panel, FALSE);
      g_assert_cmpstr (age, ==, rows[i].age);
      /* where all is of that day, the view says so once */
      g_assert_cmpstr (among, ==, rows[i].foreign ? rows[i].age : NULL);
      assert_said (ls_scaling_age_brief (&rig.panel), rows[i].brief);

      LsLabResult newer = result;
      newer.experiment = &ls_experiment_width;
      newer.date = (char *) "2026-11-22";
      g_ptr_array_add (lab, &newer);
      g_autofree char *own = ls_scaling_age (&rig.panel, FALSE);
      g_assert_cmpstr (own, ==, rows[i].age);

      rig.data.measuring = (LsViewLab){ .experiment = &ls_experiment_batch, .done = 3, .n = 13 };
      assert_said (ls_scaling_age (&rig.panel, TRUE), "being measured: the lanes are opening");
      rig.data.measuring.spot.x = 256;
      assert_said (ls_scaling_age (&rig.panel, TRUE), "being measured, 4 of 13: batch 256");
      rig.panel.result = NULL;
      rig_clear (&rig);
    }
}

/* Of the lane on either side are the dots that it measured; of one that isn't there they are no side's. */
static void
test_sides (void)
{
  g_autoptr (GPtrArray) results = lab_fixture ();

  for (guint missing = 0; missing <= LS_SIDES; missing++) /* the last: none is */
    {
      g_autoptr (LsViewData) data = data_with (results, NULL);
      LsScalingState state = { .open = LS_SCALING_BATCH };
      LsQuery query = LS_QUERY_INIT;
      guint seen[LS_SIDES] = { 0 };

      if (missing < LS_SIDES)
        data->sides[missing].there = FALSE;
      query.state = &state;
      g_autoptr (LsLayout) layout = draw_view (&ls_view_scaling, data, &query, LS_LOOK_LIGHT, 1920, 1080);
      for (guint i = 0; i < layout->still->items->len; i++)
        {
          const LsItem *item = ls_scene_get (layout->still, i);

          if (item->kind != LS_ITEM_DOTS || item->evidence == LS_NO_VALUE || item->n_points < 3)
            continue;
          for (guint side = 0; side < LS_SIDES; side++)
            if ((guint) item->value == LS_INK_OF (data->sides[side].ink))
              {
                if (item->side != (side == missing ? LS_NO_VALUE : side))
                  g_error ("the dots of side %u, which is%s there, are of side %u", side,
                           side == missing ? "n’t" : "", item->side);
                seen[side]++;
              }
        }
      g_assert_cmpuint (seen[0], >, 0);
      g_assert_cmpuint (seen[1], >, 0);
    }
}

/* Beside a plot with little room a law's line loses its condition first, then what follows from the constant;
 * what is left is as much as there is room for. */
static void
test_narrow (void)
{
  static const char *const said[]
    = { "serial share s 5.90 % ± 0.90, never over 17×, up to 4: more share a core",
        "serial share s 5.90 % ± 0.90, never over 17×", "serial share s 5.90 % ± 0.90" };
  g_autoptr (GPtrArray) results = lab_fixture ();
  const LsScalingState state = { .open = LS_SCALING_THREADS };
  g_autoptr (LsLayout) layout = draw (results, &state, 1920, 1080);
  LsScalingPanel panel = ((const LsScaling *) layout->own)->panels[LS_SCALING_THREADS];
  LsScalingLane *lane = &panel.lanes[0];
  LsScene *s = layout->still;
  guint seen[G_N_ELEMENTS (said) + 1] = { 0 };

  lane->fitted = TRUE;
  lane->fit = (LsLabFit){
    .law = { .law = LS_LAW_AMDAHL, .holds = TRUE, .constants = { about (9, 9), about (.059, .009) } }, .n = 3
  };
  g_assert_cmpuint (lane->dots->len, ==, 4);
  g_assert_cmpfloat (g_array_index (lane->dots, LsScalingDot, 2).x, ==, 4);
  for (double w = 40; w < 900; w += 10)
    {
      const guint before = s->items->len;
      const LsItem *name = NULL, *words = NULL;

      ls_scaling_tell (&panel, (LsArea){ 100, 100, w, 300 }, 120);
      for (guint i = before; i < s->items->len; i++)
        {
          const LsItem *item = ls_scene_get (s, i);
          if (item->kind != LS_ITEM_TEXT || (guint) item->value != LS_INK_OF (0))
            continue;
          if (item->ink == LS_INK_LANE)
            name = item;
        }
      if (name == NULL)
        continue;
      for (guint i = before; i < s->items->len; i++)
        {
          const LsItem *item = ls_scene_get (s, i);
          if (item->kind == LS_ITEM_TEXT && item->ink == LS_INK_TEXT && item->y == name->y && item != name)
            words = item;
        }
      const double room = 100 + w - ls_item_right (name) - 2 * layout->m.unit;
      guint fits = 0;
      while (fits < G_N_ELEMENTS (said) && ls_scene_width (s, layout->m.label, said[fits]) > room)
        fits++;
      g_autofree char *is = plain (g_strdup (words != NULL ? words->text : "nothing"));
      if (strcmp (is, fits < G_N_ELEMENTS (said) ? said[fits] : "nothing") != 0)
        g_error ("in %.0f px is “%s”, and “%s” has room", room, is,
                 fits < G_N_ELEMENTS (said) ? said[fits] : "nothing");
      seen[fits]++;
    }
  for (guint i = 0; i < G_N_ELEMENTS (seen); i++)
    g_assert_cmpuint (seen[i], >, 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/scaling-words/axes", test_axes);
  g_test_add_func ("/scaling-words/laws", test_laws);
  g_test_add_func ("/scaling-words/few", test_few);
  g_test_add_func ("/scaling-words/whose", test_whose);
  g_test_add_func ("/scaling-words/lacks", test_lacks);
  g_test_add_func ("/scaling-words/age", test_age);
  g_test_add_func ("/scaling-words/sides", test_sides);
  g_test_add_func ("/scaling-words/narrow", test_narrow);
  return g_test_run ();
}
