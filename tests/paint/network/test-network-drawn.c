/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Where Network's pad has its ink, its pen and what each lane reads of it; what every button says, what it
 * does, and which of them is marked as what is shown.
 */
#include <math.h>
#include <string.h>

#include "tests/paint/asked.h"
#include "tests/paint/draw.h"
#include "tests/paint/said.h"
#include "ui/paint/network/network.h"
#include "ui/paint/views.h"

typedef struct {
  LsViewData *data;
  LsStrokes *strokes;
  LsNetworkState asked;
  LsQuery query;
  LsLayout *layout;
  const LsNetwork *n;
  double size; /* 1: 1920×1080 */
} Shown;

static void
show (Shown *s)
{
  g_clear_pointer (&s->layout, ls_layout_free);
  s->query.state = &s->asked;
  s->query.pen.strokes = s->strokes;
  s->layout = draw_view (&ls_view_network, s->data, &s->query, LS_LOOK_LIGHT, 1920 * s->size, 1080 * s->size);
  s->n = s->layout->own;
}

static void
begin (Shown *s, const char *model, gboolean toy)
{
  *s = (Shown){ .data = asked_data (model, toy),
                .strokes = ls_strokes_new (),
                .asked = LS_NETWORK_STATE_INIT,
                .query = LS_QUERY_INIT,
                .size = 1 };
  s->data->tests = ASKED_TESTS;
}

static void
end (Shown *s)
{
  ls_layout_free (s->layout);
  ls_strokes_free (s->strokes);
  ls_view_data_unref (s->data);
}

/* The item of the scene whose middle lies in the area; NULL: none of that kind does. */
static const LsItem *
item_in (const LsScene *scene, LsArea area, LsItemKind kind)
{
  for (guint i = 0; i < scene->items->len; i++)
    {
      const LsItem *item = ls_scene_get (scene, i);
      double x, y, w, h;

      ls_item_bounds (scene, item, &x, &y, &w, &h);
      if (item->kind == kind && ls_area_has (area, x + w / 2, y + h / 2))
        return item;
    }
  return NULL;
}

/* ---- the pad ---- */

/* Each stroke begins and ends where the pointer was, x to the right and y down, as wide as the pen; a dot is
 * a dot. */
static void
test_ink (void)
{
  static const double ends[][4] = { { .3, .2, .4, .8 }, { .3, .5, .3, .5 } };
  Shown s;
  guint n = 0;

  begin (&s, NULL, FALSE);
  asked_scribble (s.strokes);
  show (&s);
  const LsArea pad = s.n->pad;
  g_assert_cmpfloat (pad.w, >, 80);
  g_assert_cmpfloat (pad.w, ==, pad.h);
  for (guint i = 0; i < s.layout->moving->items->len; i++)
    {
      const LsItem *item = ls_scene_get (s.layout->moving, i);
      const float *p = &g_array_index (s.layout->moving->points, float, 2 * item->points),
                  *last = p + 2 * (item->n_points - 1);

      if ((item->kind != LS_ITEM_LINE && item->kind != LS_ITEM_DOTS) || item->n_points == 0
          || !ls_area_has (pad, (double) p[0], (double) p[1]))
        continue;
      if (n >= 2)
        g_error ("of two strokes a third one is drawn");
      const double is[4] = { ((double) p[0] - pad.x) / pad.w, ((double) p[1] - pad.y) / pad.h,
                             ((double) last[0] - pad.x) / pad.w, ((double) last[1] - pad.y) / pad.h };
      for (guint k = 0; k < 4; k++)
        if (fabs (is[k] - ends[n][k]) > .01)
          g_test_fail_printf ("stroke %u %s at %g of the pad’s %s, not at %g", n + 1,
                              k < 2 ? "begins" : "ends", is[k], k % 2 == 0 ? "width" : "height", ends[n][k]);
      if ((item->kind == LS_ITEM_DOTS) != (n == 1))
        g_test_fail_printf ("stroke %u is %s", n + 1, n == 1 ? "no dot" : "a dot");
      n++;
    }
  g_assert_cmpuint (n, ==, 2);
  end (&s);
}

/* The frame that keys move stands where the pen is, smaller while that is down, and only while keys are
 * heard; the pad's edge says so, too. */
static void
test_pen (void)
{
  Shown s;
  double width[2] = { 0 };

  begin (&s, NULL, FALSE);
  for (guint keys = 0; keys < 2; keys++)
    for (guint down = 0; down < 2; down++)
      {
        s.query.pen.keys = keys;
        s.query.pen.down = down;
        s.query.pen.x = .25;
        s.query.pen.y = .7;
        show (&s);
        const LsArea pad = s.n->pad;
        const LsItem *frame = item_in (s.layout->moving, pad, LS_ITEM_FRAME);
        guint edges = 0;

        for (guint i = 0; i < s.layout->still->items->len; i++)
          {
            const LsItem *item = ls_scene_get (s.layout->still, i);
            edges += item->kind == LS_ITEM_BOX && fabs ((double) item->x - pad.x + 1) < .01
                     && fabs ((double) item->w - pad.w - 2) < .01 && item->ink == LS_INK_TEXT;
          }
        if ((frame != NULL) != keys || edges != keys)
          g_error ("the pad %s keys, and %s pen is drawn, %s dark edge", keys ? "hears" : "doesn't hear",
                   frame != NULL ? "a" : "no", edges > 0 ? "a" : "no");
        if (frame == NULL)
          continue;
        width[down] = (double) frame->w;
        g_assert_cmpfloat_with_epsilon ((double) (frame->x + frame->w / 2), pad.x + .25 * pad.w, .01);
        g_assert_cmpfloat_with_epsilon ((double) (frame->y + frame->h / 2), pad.y + .7 * pad.h, .01);
      }
  if (!(width[1] < width[0]))
    g_error ("the pen that is down is drawn %g wide, lifted %g", width[1], width[0]);
  end (&s);
}

/* Until something is drawn the pad says how that is done. */
static void
test_hint (void)
{
  Shown s;

  begin (&s, NULL, FALSE);
  for (guint drawn = 0; drawn < 2; drawn++)
    for (guint keys = 0; keys < 2; keys++)
      {
        if (drawn)
          asked_scribble (s.strokes);
        s.query.pen.keys = keys;
        show (&s);
        const LsItem *hint = item_in (s.layout->still, s.n->pad, LS_ITEM_TEXT);
        if ((hint != NULL) != (!drawn && !keys))
          g_test_fail_printf ("%s drawn, %s keys: “%s” stands on the pad", drawn ? "something" : "nothing",
                              keys ? "with" : "without", hint != NULL ? hint->text : "nothing");
      }
  end (&s);
}

/* Each lane's own reading stands beside its own name, the left one's above; where they differ neither is said
 * in large. */
static void
test_readings (void)
{
  static const gint classes[2] = { 7, 4 };
  static const char *const numbers[2] = { "7: 0.93", "4: 0.81" };
  Shown s;
  double y[2] = { 0 };

  begin (&s, NULL, FALSE);
  asked_scribble (s.strokes);
  s.asked.own = LS_OWN_DRAWN;
  asked_add_answers (s.data, LS_ASKED_DRAWN, -1, 7, 0);
  show (&s);
  g_autofree char *same = ls_network_pad_words (s.n, FALSE);
  const LsArea right = { s.n->pad.x + s.n->pad.w, s.n->pad.y, 1920, s.n->pad.h };
  g_assert_cmpstr (same, ==, "CPU reads 7, OpenCL reads 7");
  guint large = 0;
  for (guint i = 0; i < s.layout->still->items->len; i++)
    {
      const LsItem *item = ls_scene_get (s.layout->still, i);
      large += item->kind == LS_ITEM_TEXT && strcmp (item->text, "7") == 0 && item->type.weight == 800
               && ls_area_has (right, (double) item->x, (double) item->y);
    }
  g_assert_cmpuint (large, ==, 1);

  float *probs = s.data->sides[1].answer->probs;
  probs[7] = .03f;
  probs[4] = .81f;
  show (&s);
  g_autofree char *words = ls_network_pad_words (s.n, FALSE), *brief = ls_network_pad_words (s.n, TRUE);
  g_assert_cmpstr (words, ==, "CPU reads 7, OpenCL reads 4");
  g_assert_cmpstr (brief, ==, "CPU 7, OpenCL 4");
  for (guint i = 0; i < s.layout->still->items->len; i++)
    {
      const LsItem *item = ls_scene_get (s.layout->still, i);
      if (item->kind != LS_ITEM_TEXT || !ls_area_has (right, (double) item->x, (double) item->y))
        continue;
      if (item->type.weight == 800)
        g_assert_cmpstr (item->text, ==, "?");
      for (guint side = 0; side < 2; side++)
        if (item->ink == LS_INK_LANE && (guint) item->value == side)
          {
            const LsViewLane *lane = &s.data->sides[side];
            if (strcmp (item->text, lane->name) != 0 && strcmp (item->text, lane->brief) != 0
                && !g_str_has_prefix (item->text, numbers[side])) /* where there is no room for a name */
              g_error ("“%s” stands in the colour of lane %u, which reads %d", item->text, side,
                       classes[side]);
            y[side] = (double) item->y;
          }
    }
  for (guint side = 0; side < 2; side++)
    {
      const LsItem *number = find_text (s.layout->still, numbers[side]);
      if (number == NULL || y[side] <= 0 || fabs ((double) number->y - y[side]) > .5)
        g_error ("“%s” doesn't stand beside the name of lane %u, which reads %d", numbers[side], side,
                 classes[side]);
    }
  g_assert_cmpfloat (y[0], <, y[1]);
  ls_strokes_clear (s.strokes); /* nobody has read anything of an empty pad */
  show (&s);
  g_assert_null (ls_network_pad_words (s.n, FALSE));
  end (&s);
}

/* ---- buttons ---- */

typedef struct {
  const char *words;
  LsAct act;
  LsNetworkPage page; /* after it */
  LsOwn own;
  gboolean keys;
} Does;

/* What stands in the button is what a click there does; marked: that is shown now, by a heavier text and a
 * line under it. area.w 0: it must not be there. */
static void
check_button (Shown *s, LsArea area, const Does *does, gboolean there, gboolean marked)
{
  const LsNetworkState before = s->asked;
  const gboolean keys = s->query.pen.keys;

  if ((area.w > 0) != there)
    g_error ("page %u, sample %u: the button “%s” is %sthere", before.page, before.own, does->words,
             there ? "not " : "");
  if (!there)
    return;
  const LsItem *text = item_in (s->layout->still, area, LS_ITEM_TEXT);
  const LsArea foot = { area.x, area.y + area.h - 4, area.w, 4 };
  g_assert_nonnull (text);
  g_assert_cmpstr (text->text, ==, does->words);
  if ((text->type.weight == 700) != marked
      || (item_in (s->layout->still, foot, LS_ITEM_BOX) != NULL) != marked)
    g_error ("page %u, sample %u: “%s” is %smarked as what is shown", before.page, before.own, does->words,
             marked ? "not " : "");
  const LsAct act = ls_view_network.point (s->layout, area.x + area.w / 2, area.y + area.h / 2, &s->query);
  if (act != does->act || s->asked.page != (guint) does->page || s->asked.own != (guint) does->own
      || s->query.pen.keys != does->keys)
    g_error ("“%s” comes to act %u, page %u, sample %u, keys %d", does->words, act, s->asked.page,
             s->asked.own, s->query.pen.keys);
  s->asked = before;
  s->query.pen.keys = keys;
}

/* On every page, with everybody's sample, with and without keys, also where a layer has time steps. */
static void
test_buttons (void)
{
  for (guint time = 0; time < 2; time++)
    {
      Shown s;
      guint both = 0; /* pictures with room for the two below the pad */

      begin (&s, time ? "lstm 6, dense 10" : NULL, FALSE);
      asked_scribble (s.strokes);
      s.size = 2;
      for (guint page = 0; page < (time ? LS_NETWORK_N_PAGES : LS_NETWORK_TIME); page++)
        for (guint own = LS_OWN_BATCH; own <= LS_OWN_TEST; own++)
          for (guint keys = 0; keys < 2; keys++)
            {
              static const char *const names[] = { "Layers", "Test set", "Unit", "Time" };

              s.asked.page = page;
              s.asked.own = own;
              s.query.pen.keys = keys;
              show (&s);
              for (guint i = 0; i < LS_NETWORK_N_PAGES; i++)
                {
                  const Does does = { names[i], LS_ACT_CHANGED, (LsNetworkPage) i, (LsOwn) own, keys };
                  check_button (&s, s.n->tabs[i], &does, i != LS_NETWORK_TIME || time, page == i);
                }
              const Does batch = { "This batch", LS_ACT_CHANGED, (LsNetworkPage) page, LS_OWN_BATCH, FALSE },
                         test = { "Test sample…", LS_ACT_ASK, (LsNetworkPage) page, (LsOwn) own, keys },
                         draws = { "Draw", LS_ACT_CHANGED, (LsNetworkPage) page,
                                   keys ? (LsOwn) own : LS_OWN_DRAWN, !keys },
                         clear = { "Clear", LS_ACT_CLEAR, (LsNetworkPage) page, (LsOwn) own, keys },
                         undo = { "Undo", LS_ACT_UNDO, (LsNetworkPage) page, (LsOwn) own, keys };
              check_button (&s, s.n->to_batch, &batch, TRUE, own == LS_OWN_BATCH);
              check_button (&s, s.n->go_to, &test, TRUE, own == LS_OWN_TEST);
              check_button (&s, s.n->draw, &draws, TRUE, own == LS_OWN_DRAWN || keys);
              if (s.n->pad.w > 0)
                {
                  check_button (&s, s.n->clear, &clear, s.n->clear.w > 0, FALSE);
                  check_button (&s, s.n->undo, &undo, s.n->undo.w > 0, FALSE);
                  both += s.n->clear.w > 0 && s.n->undo.x > s.n->clear.x;
                }
            }
      g_assert_cmpuint (both, >, 0);
      end (&s);
    }
}

/* Of points the second page is the plane, once a lane has told it; nobody draws, and of a recording nobody is
 * asked. */
static void
test_fewer_buttons (void)
{
  Shown s;

  begin (&s, "flatten, dense 20, relu, dense 2", TRUE);
  for (guint told = 0; told < 2; told++)
    {
      if (told)
        asked_add_answers (s.data, LS_ASKED_GRID, -1, 0, 16);
      show (&s);
      g_assert_cmpstr (item_in (s.layout->still, s.n->tabs[1], LS_ITEM_TEXT)->text, ==,
                       told ? "Plane" : "Test set");
      g_assert_cmpfloat (s.n->to_batch.w, >, 0);
      g_assert_cmpfloat (s.n->draw.w, ==, 0);
    }
  s.data->tests = 0;
  show (&s);
  g_assert_cmpfloat (s.n->tabs[2].w, >, 0);
  g_assert_cmpfloat (s.n->to_batch.w, ==, 0);
  g_assert_cmpfloat (s.n->go_to.w, ==, 0);
  s.query.chrome = TRUE; /* an exported picture has no buttons */
  show (&s);
  g_assert_cmpfloat (s.n->tabs[0].w, ==, 0);
  end (&s);
}

/* Each lane's own answer is told by its own name, with how sure it is of it, and where the pen is that is
 * moved by keys. */
static void
test_described (void)
{
  Shown s;

  begin (&s, NULL, FALSE);
  asked_scribble (s.strokes);
  s.asked.own = LS_OWN_DRAWN;
  asked_add_answers (s.data, LS_ASKED_DRAWN, -1, 7, 0);
  s.data->sides[1].answer->probs[7] = .03f;
  s.data->sides[1].answer->probs[4] = .81f;
  for (guint pen = 0; pen < 3; pen++)
    {
      static const char *const pens[] = { "The pen is",
                                          " The pen is up, 25 % from the left and 60 % from the top.",
                                          " The pen is down, 25 % from the left and 60 % from the top." };
      s.query.pen.keys = pen > 0;
      s.query.pen.down = pen > 1;
      s.query.pen.x = .25;
      s.query.pen.y = .6;
      show (&s);
      g_autofree char *words = ls_layout_describe (s.layout),
                      *lanes = g_strdup_printf (" %s says 7 with 93 %%. %s says 4 with 81 %%.",
                                                s.data->sides[0].name, s.data->sides[1].name);
      if (strstr (words, lanes) == NULL)
        g_error ("of both lanes’ answers isn’t told “%s”, but: %s", lanes, words);
      if ((strstr (words, pens[pen]) != NULL) != (pen > 0))
        g_error ("“%s” is%s told with the pen %s: %s", pens[pen], pen > 0 ? "n’t" : "",
                 pen == 0   ? "not moved by keys"
                 : pen == 1 ? "up"
                            : "down",
                 words);
    }
  end (&s);
}

/* What was drawn is no sample of the batch: the next one is the first, both ways. */
static void
test_next (void)
{
  for (guint back = 0; back < 2; back++)
    {
      Shown s;

      begin (&s, NULL, FALSE);
      asked_scribble (s.strokes);
      s.asked.own = LS_OWN_DRAWN;
      s.asked.sample = 5;
      asked_add_answers (s.data, LS_ASKED_DRAWN, -1, 7, 0);
      show (&s);
      g_assert_true (s.n->own);
      if (!ls_network_key (s.layout, back ? LS_KEY_PREVIOUS : LS_KEY_NEXT, &s.query)
          || s.asked.own != LS_OWN_BATCH || s.asked.sample != 0)
        g_error ("%s what was drawn comes sample %d of %s", back ? "before" : "after", (gint) s.asked.sample,
                 s.asked.own == LS_OWN_BATCH ? "the batch" : "something else");
      end (&s);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/paint/network-drawn/ink", test_ink);
  g_test_add_func ("/paint/network-drawn/pen", test_pen);
  g_test_add_func ("/paint/network-drawn/hint", test_hint);
  g_test_add_func ("/paint/network-drawn/readings", test_readings);
  g_test_add_func ("/paint/network-drawn/next", test_next);
  g_test_add_func ("/paint/network-drawn/described", test_described);
  g_test_add_func ("/paint/network-drawn/buttons", test_buttons);
  g_test_add_func ("/paint/network-drawn/fewer-buttons", test_fewer_buttons);
  return g_test_run ();
}
