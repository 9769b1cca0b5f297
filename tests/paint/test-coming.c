/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What stands in the place of a lane that comes: every view, every size, from ten ops to sixty; that the
 * kernel which is being built is among them, and that nothing is claimed to be measured but how long kernels
 * took.
 */
#include <math.h>
#include <string.h>

#include "draw.h"
#include "states.h"
#include "ui/paint/parts/coming.h"
#include "ui/paint/views.h"

static const struct {
  LsLook look;
  double w, h;
} sizes[] = {
  { LS_LOOK_LIGHT, 960, 600 },
  { LS_LOOK_DARK, 1280, 800 },
  { LS_LOOK_LIGHT, 1920, 1080 },
  { LS_LOOK_PROJECTOR, 1920, 1080 },
};

static LsLayout *
layout_of (LsViewData *data, const LsView *view, guint size)
{
  LsQuery query = LS_QUERY_INIT;

  query.op = 1;
  query.chrome = query.key = TRUE;
  return draw_view (view, data, &query, sizes[size].look, sizes[size].w, sizes[size].h);
}

static guint
count_texts (const LsScene *scene, const char *text)
{
  guint n = 0;

  for (guint i = 0; i < scene->items->len; i++)
    n += ls_scene_get (scene, i)->text != NULL && strstr (ls_scene_get (scene, i)->text, text) != NULL;
  return n;
}

/* Boxes of an ink in a lane. */
static guint
count_boxes (const LsScene *scene, LsInk ink, guint side)
{
  guint n = 0;

  for (guint i = 0; i < scene->items->len; i++)
    n += ls_scene_get (scene, i)->kind == LS_ITEM_BOX && ls_scene_get (scene, i)->ink == ink
         && ls_scene_get (scene, i)->side == side;
  return n;
}

static void
no_fault (const LsLayout *layout)
{
  g_autofree char *words = ls_layout_describe (layout);

  assert_faultless (layout);
  g_assert_cmpuint (strlen (words), >, 0);
}

/* The text nearest to the right of the mark, on its line. */
static const char *
text_beside (const LsScene *scene, const LsItem *mark)
{
  const LsItem *best = NULL;

  for (guint i = 0; i < scene->items->len; i++)
    {
      const LsItem *item = ls_scene_get (scene, i);
      if (item->kind == LS_ITEM_TEXT && item->x >= mark->x
          && fabs ((double) (item->y - mark->y - mark->h / 2) - .36 * item->type.px) < 2
          && (best == NULL || item->x < best->x))
        best = item;
    }
  return best != NULL ? best->text : "";
}

/* For a hall Tiles shows one lane, across the page: what is said of it has no half, and its picture is a
 * model. */
static gboolean
shows_one_lane (const LsLayout *layout)
{
  return layout->m.projector && layout->view == &ls_view_tiles;
}

static gboolean
of_a_kernel (const char *text)
{
  return g_str_has_prefix (text, "built in ") || g_str_has_prefix (text, "compiling");
}

/* The sentence with its time, which is derived; kernels with theirs; no rate, no loss, no recorded work of
 * the lane that comes. */
static void
test_building (void)
{
  g_autoptr (LsViewData) data = ls_fixture_view (&ls_fixture_desk, LS_STATE_BUILDING);
  const LsView *const *views;
  guint n;

  views = ls_views (&n);
  for (guint v = 0; v < n; v++)
    for (guint size = 0; size < G_N_ELEMENTS (sizes); size++)
      {
        g_autoptr (LsLayout) layout = layout_of (data, views[v], size);
        const LsScene *s = layout->still;
        guint derived = 0;

        no_fault (layout);
        const gboolean one = shows_one_lane (layout);
        g_assert_cmpuint (count_texts (s, "Compiling its"), ==, 1); /* a narrow head breaks the line */
        g_assert_cmpuint (count_texts (s, "3 of 5 kernels built."), ==, 1);
        g_assert_cmpuint (count_texts (s, "7 steps trained, now it waits."), ==, 1);
        g_assert_true (one || count_boxes (s, LS_INK_TRACK, 1) > 0);
        g_assert_true (one || count_boxes (s, LS_INK_SOFT, 1) > 0);
        for (guint i = 0; i < s->items->len; i++)
          {
            const LsItem *item = ls_scene_get (s, i);
            /* Tiles shows the other lane's numbers as modelled there */
            if (views[v] != &ls_view_tiles)
              g_assert_false (item->side == 1 && item->evidence != LS_NO_VALUE);
            g_assert_false (item->side == 1 && item->number != LS_NUMBER_NONE);
            if (item->kind != LS_ITEM_EVIDENCE || (!one && (double) item->x < layout->width / 2)
                || (double) item->y > layout->height - layout->m.strip_h - layout->m.key_h)
              continue;
            derived += (guint) item->value == LS_EVIDENCE_DERIVED
                       && g_str_has_prefix (text_beside (s, item), "Compiling its");
            if (views[v] == &ls_view_race && (guint) item->value == LS_EVIDENCE_MEASURED
                && !of_a_kernel (text_beside (s, item)))
              g_test_fail_printf ("“%s” is said to be measured", text_beside (s, item));
          }
        g_assert_cmpuint (derived, ==, 1);
      }
}

/* In Race at 1280: each kernel once, in the words of its state. */
static void
test_rows (void)
{
  g_autoptr (LsViewData) data = ls_fixture_view (&ls_fixture_desk, LS_STATE_BUILDING);
  g_autoptr (LsLayout) layout = layout_of (data, &ls_view_race, 1);
  const LsScene *s = layout->still;

  g_assert_cmpuint (count_texts (s, "needs no kernel"), ==, 1);
  g_assert_cmpuint (count_texts (s, "built in 0.61 s"), ==, 1);
  g_assert_cmpuint (count_texts (s, "built in "), ==, 3);
  g_assert_cmpuint (count_texts (s, "compiling, 0.30 s so far"), ==, 1);
  g_assert_cmpuint (count_texts (s, "next"), ==, 2); /* and in the hint: the next start */
  g_assert_cmpuint (count_texts (s, "the same kernel"), ==, 9);
  g_assert_cmpuint (count_boxes (s, LS_INK_SOFT, 1), ==, 5);
  g_assert_cmpuint (count_boxes (s, LS_INK_TRACK, 1), ==, 10);
  g_assert_cmpuint (count_boxes (s, LS_INK_MARK, 1), ==, 2); /* the head's rule, the running one's bar */
  g_assert_cmpuint (count_texts (s, "OpenCL joins at step 1, from the same weights"), ==, 1);
  /* a few steps have no rate yet, neither in the head nor as a line */
  g_assert_cmpuint (count_texts (s, "not measured yet"), >=, 1);
  g_assert_cmpuint (count_texts (s, "OpenCL: after its first steps"), ==, 0);

  g_autoptr (LsViewData) trained = ls_fixture_view (&ls_fixture_desk, LS_STATE_OVERDUE);
  g_autoptr (LsLayout) overdue = layout_of (trained, &ls_view_race, 1);
  g_assert_cmpuint (count_texts (overdue->still, "OpenCL: after its first steps"), ==, 1);
}

/* A net of `layers` dense layers. (transfer full) */
static char *
deep (guint layers)
{
  GString *model = g_string_new ("flatten");

  for (guint i = 0; i < layers; i++)
    g_string_append (model, ", dense 64, relu");
  g_string_append (model, ", dense 10");
  return g_string_free (model, FALSE);
}

/* Whatever has no room is folded or counted; the one that is being built is always there. */
static void
test_many_ops (void)
{
  static const LsView *const views[] = { &ls_view_race, &ls_view_partition, &ls_view_timeline,
                                         &ls_view_tiles };

  for (guint layers = 1; layers <= 15; layers += 7)
    {
      g_autofree char *model = deep (layers);
      LsFixture f = ls_fixture_desk;
      f.model = model;
      f.steps = 60;
      g_autoptr (LsViewData) data = ls_fixture_view (&f, LS_STATE_BUILDING);
      guint programs = 0;

      for (guint i = 0; i < data->plan->n_ops; i++)
        programs += data->sides[1].build->ops[i].kernel != NULL;
      g_test_message ("%u ops, %u with a kernel", data->plan->n_ops, programs);
      for (guint v = 0; v < G_N_ELEMENTS (views); v++)
        for (guint size = 0; size < G_N_ELEMENTS (sizes); size++)
          {
            g_autoptr (LsLayout) layout = layout_of (data, views[v], size);
            guint marks = 0;

            no_fault (layout);
            if (shows_one_lane (layout))
              continue;
            for (guint i = 0; i < layout->still->items->len; i++)
              {
                const LsItem *item = ls_scene_get (layout->still, i);
                marks += item->kind == LS_ITEM_BOX && item->ink == LS_INK_MARK && item->side == 1
                         && item->w <= 8.f && item->h >= 14.f;
              }
            g_assert_cmpuint (marks, >=, 1);
          }
    }
}

/* Before anything is known but the plan: its ops in track grey, in both lanes. */
static void
test_getting_ready (void)
{
  g_autoptr (LsViewData) data = ls_fixture_view (&ls_fixture_desk, LS_STATE_GETTING_READY);
  const LsView *const *views;
  guint n;

  views = ls_views (&n);
  for (guint v = 0; v < n; v++)
    for (guint size = 0; size < G_N_ELEMENTS (sizes); size++)
      {
        g_autoptr (LsLayout) layout = layout_of (data, views[v], size);
        guint tracks = 0;

        no_fault (layout);
        g_assert_cmpuint (count_texts (layout->still, "Getting ready."), ==, 1);
        g_assert_cmpuint (count_texts (layout->still, "Looking for its device."), ==, 1);
        g_assert_cmpuint (count_texts (layout->still, "Press Space"), ==, 0);
        for (guint i = 0; i < layout->still->items->len; i++)
          {
            const LsItem *item = ls_scene_get (layout->still, i);
            tracks += item->kind == LS_ITEM_BOX && item->ink == LS_INK_TRACK;
            g_assert_false (item->ink == LS_INK_SOFT && item->kind == LS_ITEM_BOX);
          }
        g_assert_cmpuint (tracks, >=, 10);
      }
}

static void
test_others (void)
{
  static const LsFixtureState states[] = { LS_STATE_OVERDUE, LS_STATE_UNRECORDED, LS_STATE_NOT_YET };
  static const char *const says[] = { "OpenCL is still", "Step 5 was recorded", "Press Space to train." };
  const LsView *const *views;
  guint n;

  views = ls_views (&n);
  for (guint state = 0; state < G_N_ELEMENTS (states); state++)
    {
      g_autoptr (LsViewData) data = ls_fixture_view (&ls_fixture_desk, states[state]);
      for (guint v = 0; v < n; v++)
        for (guint size = 0; size < G_N_ELEMENTS (sizes); size++)
          {
            g_autoptr (LsLayout) layout = layout_of (data, views[v], size);
            no_fault (layout);
            if (count_texts (layout->still, says[state]) != 1 && (views[v]->needs_step || state == 0))
              g_test_fail_printf ("%s, %gx%g: “%s” stands there %u times", views[v]->name, layout->width,
                                  layout->height, says[state], count_texts (layout->still, says[state]));
          }
    }
}

/* A curve's last value stands apart from the last point of its line where several steps share a point; words
 * of a lane that comes share the plot with it. As it was photographed: “OpenCL joins at step 1, …” over “CPU
 * 0.934”. */
static void
test_first_steps (void)
{
  static const float losses[] = { .251399f,  1.12913f, .0797252f, .325335f, .705343f, .201607f,
                                  .0827867f, .228385f, .223352f,  .800494f, .991287f, .133608f };
  g_autoptr (LsFonts) fonts = ls_fonts_new_stretched (.8);
  g_autoptr (LsViewData) data = ls_fixture_view (&ls_fixture_desk, LS_STATE_BUILDING);
  LsViewLane *cpu = &data->sides[0];

  ls_curve_unref (cpu->curve);
  cpu->curve = ls_curve_new ();
  cpu->steps = G_N_ELEMENTS (losses);
  for (guint i = 0; i < cpu->steps; i++)
    g_assert_true (ls_curve_append (cpu->curve, (LsPoint){ .end_ms = i, .step_us = 500, .loss = losses[i] }));
  cpu->loss.value = (double) losses[cpu->steps - 1];
  for (guint w = 960; w < 1920; w += 20)
    for (guint h = 600; h < 700; h += 9)
      for (guint seconds = 0; seconds < 2; seconds++)
        {
          LsQuery query = LS_QUERY_INIT;
          query.op = 1;
          query.key = TRUE;
          query.curves.seconds = seconds > 0;
          g_autoptr (LsLayout) layout = draw_view_in (fonts, &ls_view_race, data, &query, LS_LOOK_LIGHT, w,
                                                      h);
          g_autofree char *fault = draw_fault (layout);
          if (fault != NULL)
            g_test_fail_printf ("%s", fault);
        }
}

/* The lists leave room above them for the invitation, which is there while no lane has something to say
 * itself, whichever that would be. */
static void
test_invited (void)
{
  double top[4];

  for (guint said = 0; said < 4; said++) /* a bit for each lane */
    {
      g_autoptr (LsViewData) data = ls_fixture_view (&ls_fixture_desk, LS_STATE_NOT_YET);
      g_autoptr (LsLayout) layout = layout_of (data, &ls_view_race, 2);
      const LsScene *s = layout->still;
      const guint first = s->items->len;
      gboolean invited = FALSE;

      for (guint side = 0; side < LS_SIDES; side++)
        if (said >> side & 1)
          data->sides[side].message = g_strdup ("Opening the device.");
      top[said] = HUGE_VAL;
      ls_coming_lists (layout, (LsArea){ 0, 3000, 1800, 900 });
      for (guint i = first; i < s->items->len; i++)
        {
          const LsItem *item = ls_scene_get (s, i);
          if (item->kind != LS_ITEM_TEXT)
            continue;
          if (strstr (item->text, "Press Space to train") != NULL)
            invited = TRUE;
          else
            top[said] = MIN (top[said], (double) item->y);
        }
      if (invited != (said == 0))
        g_error ("with a message of lanes %u one is%s invited to train", said, invited ? "" : "n’t");
      const double room = said > 0 ? top[0] - top[said] : 18 * layout->m.unit;
      if (!(fabs (room - 18 * layout->m.unit) < .1))
        g_error ("with a message of lanes %u the lists begin %.1f px further up than without one, not %.1f",
                 said, room, 18 * layout->m.unit);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/paint/coming/invited", test_invited);
  g_test_add_func ("/paint/coming/building", test_building);
  g_test_add_func ("/paint/coming/rows", test_rows);
  g_test_add_func ("/paint/coming/many-ops", test_many_ops);
  g_test_add_func ("/paint/coming/getting-ready", test_getting_ready);
  g_test_add_func ("/paint/coming/others", test_others);
  g_test_add_func ("/paint/coming/first-steps", test_first_steps);
  return g_test_run ();
}
