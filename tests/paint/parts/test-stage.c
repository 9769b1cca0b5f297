/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What every view has around it: the key of evidence with its slots, the title with the dial and the moment,
 * the buttons that choose lanes, the plate at an element that differs; where the zoom goes for what is
 * picked; and the little pictures of the help, which must mean what the views' marks mean.
 */
#include <math.h>
#include <string.h>

#include "tests/paint/draw.h"
#include "tests/paint/fixture.h"
#include "tests/paint/said.h"
#include "ui/paint/parts/zoom.h"
#include "ui/paint/views.h"

static LsFonts *fonts;

static const LsFixture desk = { LS_CORES (4), .batch = 64,    .tiles = 16,
                                .groups = 32, .on_cpu = TRUE, .steps = 40 };

/* That very text of the part that stays; NULL: there is none. */
static const LsItem *
text_of (const LsLayout *layout, const char *words)
{
  for (guint i = 0; i < layout->still->items->len; i++)
    {
      const LsItem *item = ls_scene_get (layout->still, i);
      if (item->kind == LS_ITEM_TEXT && strcmp (item->text, words) == 0)
        return item;
    }
  return NULL;
}

static gboolean
holds (const LsSlot *slot, const LsItem *item)
{
  const double y = item->kind == LS_ITEM_TEXT ? (double) item->y - .36 * item->type.px
                                              : (double) (item->y + item->h / 2);

  return (double) item->x >= slot->x && ls_item_right (item) <= slot->x + slot->w && y > slot->y
         && y < slot->y + slot->h;
}

/* ---- the key ---- */

/* At the foot, over the whole width: each kind's mark stands before its word, both in the kind's own slot,
 * one after the other in LsEvidence's order; the one that is asked for is bold and on a plate. */
static void
test_key (void)
{
  static const char *const words[] = { "measured", "derived", "modelled", "published" };
  g_autoptr (LsViewData) data = ls_fixture_data (&desk);

  for (gint chosen = -1; chosen < 4; chosen++)
    {
      LsQuery query = LS_QUERY_INIT;
      double right = 0;

      query.key = TRUE;
      query.evidence = chosen;
      g_autoptr (LsLayout) layout = draw_view_in (fonts, &ls_view_race, data, &query, LS_LOOK_LIGHT, 1280,
                                                  800);
      const double top = 800 - layout->m.key_h;
      guint n = 0;

      for (guint i = 0; i < layout->slots->len; i++)
        {
          const LsSlot *slot = &g_array_index (layout->slots, LsSlot, i);
          const LsItem *mark = NULL, *word = NULL, *plate = NULL;

          if (slot->kind != LS_SLOT_KEY)
            continue;
          g_assert_cmpuint (slot->op, ==, n);
          for (guint k = 0; k < layout->still->items->len; k++)
            {
              const LsItem *item = ls_scene_get (layout->still, k);
              if (item->kind == LS_ITEM_EVIDENCE && holds (slot, item))
                mark = item;
              if (item->kind == LS_ITEM_TEXT && holds (slot, item))
                word = item;
              if (item->kind == LS_ITEM_BOX && item->ink == LS_INK_CHOSEN && holds (slot, item))
                plate = item;
            }
          if (mark == NULL || word == NULL)
            g_error ("the slot of “%s” has no mark, or no word", words[n]);
          g_assert_cmpstr (word->text, ==, words[n]);
          g_assert_cmpint ((gint) mark->value, ==, (gint) n);
          g_assert_cmpfloat (ls_item_right (mark), <, (double) word->x);
          g_assert_cmpfloat ((double) word->x - ls_item_right (mark), <, 16);
          /* on one line, in the strip at the foot */
          g_assert_cmpfloat_with_epsilon ((double) (mark->y + mark->h / 2), top + layout->m.key_h / 2, 1);
          g_assert_cmpfloat_with_epsilon ((double) word->y - .36 * word->type.px, top + layout->m.key_h / 2,
                                          1);
          g_assert_cmpfloat_with_epsilon (slot->y, top, .01);
          g_assert_cmpfloat_with_epsilon (slot->h, layout->m.key_h, .01);
          g_assert_cmpfloat (slot->x, >=, right);
          right = ls_item_right (word);
          g_assert_cmpint (word->type.weight, ==, chosen == (gint) n ? 700 : 400);
          if ((plate != NULL) != (chosen == (gint) n))
            g_error ("“%s” stands on %s plate while %d is asked for", words[n], plate ? "a" : "no", chosen);
          if (plate != NULL)
            g_assert_true (plate->x < mark->x && ls_item_right (plate) > ls_item_right (word));
          n++;
        }
      g_assert_cmpuint (n, ==, 4);
      const LsItem *how = text_of (layout, "How we know it");
      g_assert_nonnull (how);
      g_assert_cmpfloat ((double) how->x, >=, layout->m.margin - 1);
      /* without the window's chrome nobody needs the program's name */
      g_assert_null (find_text (layout->still, data->program));
    }
  /* what the picture is above ends where the key begins */
  for (guint with = 0; with < 2; with++)
    {
      LsQuery query = LS_QUERY_INIT;
      query.key = with;
      g_autoptr (LsLayout) layout = draw_view_in (fonts, &ls_view_timeline, data, &query, LS_LOOK_LIGHT, 1280,
                                                  800);
      g_assert_cmpint (text_of (layout, "How we know it") != NULL, ==, with);
    }
}

/* ---- the title ---- */

static LsLayout *
titled (LsViewData *data, LsLook look, double w, guint64 dial_ns)
{
  LsQuery query = LS_QUERY_INIT;

  query.chrome = query.key = TRUE;
  query.dial_ns = dial_ns;
  return draw_view_in (fonts, &ls_view_race, data, &query, look, w, 800);
}

/* The view, what is shown, and which step, from the left to the right end, on one line; or the dial in the
 * corner. What has no room isn't drawn over something else. The program and the day stand at the key's end.
 */
static void
test_title (void)
{
  g_autoptr (LsViewData) data = ls_fixture_data (&desk);

  g_free (data->when);
  data->when = g_strdup ("step 7 of 9");
  g_free (data->title);
  data->title = g_strdup ("784-10 on mnist");
  g_free (data->date);
  data->date = g_strdup ("2026-11-23T10:11:12");
  g_free (data->program);
  data->program = g_strdup ("Lockstep 9.8");
  for (guint dial = 0; dial < 2; dial++)
    {
      g_autoptr (LsLayout) layout = titled (data, LS_LOOK_LIGHT, 1280, dial ? 50000 : 0);
      const LsItem *view = text_of (layout, "Race"), *about = text_of (layout, data->title),
                   *when = text_of (layout, data->when), *pace = find_text (layout->still, "1 s = 50"),
                   *program = text_of (layout, "Lockstep 9.8 · 2026-11-23");

      g_assert_true (view != NULL && about != NULL && when != NULL && program != NULL);
      g_assert_cmpint (pace != NULL, ==, dial);
      g_assert_true (view->y == about->y && view->y == when->y);
      g_assert_cmpfloat ((double) view->y, <, layout->m.title_h);
      g_assert_cmpfloat_with_epsilon ((double) view->x, layout->m.margin, .01);
      g_assert_cmpfloat (ls_item_right (view), <, (double) about->x);
      g_assert_cmpfloat (ls_item_right (about), <, (double) when->x);
      g_assert_cmpfloat_with_epsilon (ls_item_right (pace != NULL ? pace : when), 1280 - layout->m.margin,
                                      .5);
      if (pace != NULL)
        {
          g_assert_cmpfloat (ls_item_right (when), <, (double) pace->x - 16);
          g_assert_true (pace->y == view->y);
        }
      g_assert_cmpfloat_with_epsilon (ls_item_right (program), 1280 - layout->m.margin, .5);
      g_assert_cmpfloat ((double) program->y, >, 800 - layout->m.key_h);
    }
  /* at every width all that is there keeps apart; the narrower, the less of it */
  guint before = 3;
  for (double w = 1280; w >= 320; w -= 20)
    {
      g_autoptr (LsLayout) layout = titled (data, LS_LOOK_LIGHT, w, 50000);
      const LsItem *parts[] = { text_of (layout, "Race"), text_of (layout, data->title),
                                text_of (layout, data->when) };
      const LsItem *pace = find_text (layout->still, "1 s = 50");
      double right = 0;
      guint n = 0;
      for (guint i = 0; i < 3; i++)
        if (parts[i] != NULL)
          {
            g_assert_cmpfloat ((double) parts[i]->x, >, right);
            right = ls_item_right (parts[i]);
            n++;
          }
      if (parts[2] != NULL)
        g_assert_cmpfloat (right, <, (double) pace->x);
      g_assert_nonnull (parts[0]);
      g_assert_cmpuint (n, <=, before);
      before = n;
    }
  g_assert_cmpuint (before, <, 3);
  /* without a day the program alone */
  g_clear_pointer (&data->date, g_free);
  g_autoptr (LsLayout) undated = titled (data, LS_LOOK_LIGHT, 1280, 0);
  g_assert_nonnull (text_of (undated, "Lockstep 9.8"));
}

/* In a hall the equation that is computed is the title, smaller where it is long, and where it doesn't fit at
 * all the view's name stands there. */
static void
test_hall_title (void)
{
  guint n[3] = { 0 };

  for (guint letters = 10; letters < 160; letters += 3)
    {
      g_autoptr (LsRecording) recording = ls_fixture_recording (&desk);
      LsQuery query = LS_QUERY_INIT;

      g_free (recording->ops[1].equation);
      recording->ops[1].equation = g_strnfill (letters, 'm');
      g_autoptr (LsViewData) data = ls_view_data_from_recording (recording, NULL);
      query.chrome = TRUE;
      query.op = 1;
      g_autoptr (LsLayout) layout = draw_view_in (fonts, &ls_view_partition, data, &query, LS_LOOK_PROJECTOR,
                                                  1920, 1080);
      const double room = 1920 - 2 * layout->m.margin,
                   large = ls_scene_width (layout->still, layout->m.title, recording->ops[1].equation),
                   small = ls_scene_width (layout->still, layout->m.heading, recording->ops[1].equation);
      const guint should = large <= room ? 0 : small <= room ? 1 : 2;
      const LsItem *title = text_of (layout, should < 2 ? recording->ops[1].equation : "Partition");

      if (title == NULL)
        g_error ("an equation of %u letters %s the title", letters, should < 2 ? "isn't" : "is");
      g_assert_cmpfloat (title->type.px, ==, should == 0 ? layout->m.title.px : layout->m.heading.px);
      g_assert_cmpfloat (ls_item_right (title), <=, 1920 - layout->m.margin + .01);
      n[should]++;
    }
  g_test_message ("%u large, %u small, %u by name", n[0], n[1], n[2]);
  g_assert_cmpuint (MIN (n[0], MIN (n[1], n[2])), >, 0);
}

/* ---- lanes ---- */

static void
add_name (GArray *names, const char *id, const char *words, LsBackendKind who)
{
  const LsViewName name = { .id = id, .name = g_strdup (words), .brief = g_strdup (words), .who = who };

  g_array_append_val (names, name);
}

/* Where there are more lanes than sides, right of each lane's name is the button that chooses another, as
 * high as the name; with two lanes there is none. */
static void
test_choosers (void)
{
  for (guint lanes = 2; lanes <= 3; lanes++)
    {
      g_autoptr (LsViewData) data = ls_fixture_data (&desk);
      LsQuery query = LS_QUERY_INIT;
      guint n[LS_SIDES] = { 0 };

      if (lanes == 3)
        add_name (data->names, "third", "Third", LS_BACKEND_CPU);
      g_assert_cmpuint (data->names->len, ==, lanes);
      g_autoptr (LsLayout) layout = draw_view_in (fonts, &ls_view_race, data, &query, LS_LOOK_LIGHT, 1280,
                                                  800);
      for (guint i = 0; i < layout->slots->len; i++)
        {
          const LsSlot *slot = &g_array_index (layout->slots, LsSlot, i);
          if (slot->kind != LS_SLOT_LANE)
            continue;
          const LsItem *name = text_of (layout, data->sides[slot->side].name);
          const LsArea own = ls_stage_lane (layout, (LsArea){ 0, 0, 1280, 800 }, (guint) slot->side);
          g_assert_nonnull (name);
          g_assert_cmpuint (name->ink, ==, LS_INK_LANE);
          g_assert_cmpint ((gint) name->value, ==, slot->side);
          g_assert_cmpfloat (slot->x, >=, ls_item_right (name));
          g_assert_cmpfloat (slot->x, <, ls_item_right (name) + 24);
          g_assert_cmpfloat (slot->x + slot->w, <=, own.x + own.w);
          g_assert_cmpfloat_with_epsilon (slot->y + slot->h / 2, (double) name->y - .36 * name->type.px, 1);
          g_assert_cmpfloat (slot->w, ==, slot->h);
          g_assert_cmpfloat (slot->h, ==, layout->m.control_h);
          g_assert_true (ls_stage_slot_at (layout, LS_SLOT_LANE, slot->x + 1, slot->y + 1) == slot);
          g_assert_null (ls_stage_slot_at (layout, LS_SLOT_LANE, slot->x - 1, slot->y + 1));
          g_assert_null (ls_stage_slot_at (layout, LS_SLOT_PAD, slot->x + 1, slot->y + 1));
          n[slot->side]++;
          g_assert_cmpfloat_with_epsilon (ls_stage_name_width (layout, (guint) slot->side),
                                          slot->x + slot->w + layout->m.unit - (double) name->x, .5);
        }
      for (guint side = 0; side < LS_SIDES; side++)
        g_assert_cmpuint (n[side], ==, lanes - 2);
    }
}

/* ---- the element that differs ---- */

/* Its frame has the element's middle, no matter how small that is; the plate beside it is within the picture
 * and never on it, right below where there is room, and names the element after the warning. */
static void
test_difference (void)
{
  const LsArea within = { 100, 50, 700, 400 };
  g_autoptr (LsViewData) data = ls_fixture_data (&desk);
  const LsQuery query = LS_QUERY_INIT;
  guint left = 0, above = 0;

  data->difference = (LsDifference){ .found = TRUE, .rank = 2, .shape = { 64, 10 }, .element = 37 };
  g_autoptr (LsLayout) layout = draw_view_in (fonts, &ls_view_race, data, &query, LS_LOOK_LIGHT, 1280, 800);
  for (guint i = 0; i < 36; i++)
    {
      const double x = within.x + i % 6 * within.w / 6 + 30, y = within.y + i / 6 * within.h / 6 + 50,
                   size = i % 2 ? .25 : 14;
      const LsArea at = { x, y, size, size };

      for (guint named = 0; named < 2; named++)
        {
          const LsItem *frame = NULL, *plate = NULL, *sign = NULL, *text = NULL;

          ls_scene_clear (layout->moving);
          ls_stage_difference (layout, within, at, named);
          for (guint k = 0; k < layout->moving->items->len; k++)
            {
              const LsItem *item = ls_scene_get (layout->moving, k);
              frame = item->kind == LS_ITEM_FRAME ? item : frame;
              plate = item->kind == LS_ITEM_BOX ? item : plate;
              sign = item->kind == LS_ITEM_WARNING ? item : sign;
              text = item->kind == LS_ITEM_TEXT ? item : text;
            }
          g_assert_nonnull (frame);
          g_assert_cmpfloat_with_epsilon ((double) (frame->x + frame->w / 2), x + size / 2, .01);
          g_assert_cmpfloat_with_epsilon ((double) (frame->y + frame->h / 2), y + size / 2, .01);
          g_assert_cmpfloat ((double) frame->w, >=, MAX (size, 9));
          g_assert_cmpint (plate != NULL, ==, named);
          if (!named)
            {
              g_assert_cmpuint (layout->moving->items->len, ==, 1);
              continue;
            }
          g_assert_cmpstr (text->text, ==, "element (3, 7) differs"); /* 37 of rows of 10 */
          g_assert_true (plate->x >= (float) within.x && ls_item_right (plate) <= within.x + within.w + .01);
          g_assert_true (plate->y >= (float) within.y
                         && (double) (plate->y + plate->h) <= within.y + within.h + .01);
          g_assert_false (plate->x < frame->x + frame->w && frame->x < plate->x + plate->w
                          && plate->y < frame->y + frame->h && frame->y < plate->y + plate->h);
          g_assert_true (plate->x < sign->x && ls_item_right (sign) < (double) text->x
                         && ls_item_right (text) < ls_item_right (plate));
          g_assert_true (sign->y > plate->y && sign->y + sign->h < plate->y + plate->h);
          g_assert_true (text->y > plate->y && text->y < plate->y + plate->h);
          g_assert_cmpuint (text->ink, ==, LS_INK_ON_TEXT);
          g_assert_cmpuint (plate->ink, ==, LS_INK_TEXT);
          left += plate->x < frame->x;
          above += plate->y < frame->y;
          /* right of it and below wherever that lies within */
          if ((double) (frame->x + frame->w + plate->w) + 10 <= within.x + within.w)
            g_assert_cmpfloat ((double) plate->x, >=, (double) (frame->x + frame->w));
          if ((double) (frame->y + frame->h + plate->h) + 10 <= within.y + within.h)
            g_assert_cmpfloat ((double) plate->y, >=, (double) (frame->y + frame->h));
        }
    }
  g_assert_true (left > 6 && left < 30 && above > 3 && above < 30);
  /* no room for the plate at all: the frame alone */
  ls_scene_clear (layout->moving);
  ls_stage_difference (layout, (LsArea){ 0, 0, 60, 60 }, (LsArea){ 30, 30, 1, 1 }, TRUE);
  g_assert_cmpuint (layout->moving->items->len, ==, 1);
}

/* ---- zoom ---- */

/* To what is picked, with an eighth of it on both sides: an op of its lane; without a pick the query's op in
 * both lanes, from the earlier beginning to the later end; of what is no op its own time. */
static void
test_zoom_to_pick (void)
{
  guint picks = 0, none = 0, longer[LS_SIDES] = { 0 };

  for (guint f = 0; f < 2; f++)
    {
      g_autoptr (LsViewData) data = ls_fixture_data (f == 0 ? &ls_fixture_calls : &ls_fixture_desk);
      LsQuery query = LS_QUERY_INIT;
      gint64 from, to;

      g_autoptr (LsLayout) layout = draw_view_in (fonts, &ls_view_timeline, data, &query, LS_LOOK_LIGHT, 1280,
                                                  800);
      const LsStepIndex *index[] = { data->sides[0].index, data->sides[1].index };
      for (gint side = -1; side < LS_SIDES; side++)
        for (guint i = 0; i < (side < 0 ? index[0]->n_ops : index[side]->lane->events->len);
             i += side < 0 ? 1 : 7)
          {
            const LsEvent *e = side < 0 ? NULL : &g_array_index (index[side]->lane->events, LsEvent, i);
            gint64 begin = G_MAXINT64, end = G_MININT64;

            query = (LsQuery){ LS_QUERY_FIELDS, .op = side < 0 ? i : 3 };
            if (e != NULL)
              query.picked = (LsPick){ side, i };
            for (gint l = 0; l < LS_SIDES; l++)
              if ((side < 0 || l == side) && (e == NULL || e->op != LS_OP_NONE))
                {
                  const LsOpTrace *trace
                    = &index[l]->ops[ls_step_index_leader (index[l], e != NULL ? e->op : i)];
                  if (!trace->ran)
                    continue;
                  begin = MIN (begin, trace->start_ns);
                  end = MAX (end, trace->end_ns);
                }
            if (e != NULL && e->op == LS_OP_NONE)
              {
                begin = (gint64) (e->start_ns - index[side]->lane->start_ns);
                end = (gint64) (e->end_ns - index[side]->lane->start_ns);
                none++;
              }
            if (end <= begin || (end - begin) / 8 * 10 >= layout->span_ns
                || end - begin < 8 * LS_ZOOM_LEAST_NS)
              continue;
            ls_zoom_to_pick (&query, layout);
            ls_zoom_window (&query, layout->span_ns, &from, &to);
            const gint64 margin = (end - begin) / 8, width = end - begin + 2 * margin;
            if (width >= layout->span_ns)
              continue;
            if (to - from != width || from != CLAMP (begin - margin, 0, layout->span_ns - width))
              g_error ("for %" G_GINT64_FORMAT " … %" G_GINT64_FORMAT
                       " ns the clock goes from %" G_GINT64_FORMAT " to %" G_GINT64_FORMAT,
                       begin, end, from, to);
            picks++;
            longer[side < 0 && end == index[0]->ops[ls_step_index_leader (index[0], i)].end_ns ? 0 : 1]++;
          }
    }
  g_assert_cmpuint (picks, >, 40);
  g_assert_cmpuint (none, >, 0);
  g_assert_cmpuint (MIN (longer[0], longer[1]), >, 0); /* each lane is the later one in some op */
}

int
main (int argc, char **argv)
{
  gint status;

  g_test_init (&argc, &argv, NULL);
  fonts = ls_fonts_new (NULL);
  g_test_add_func ("/paint/stage/key", test_key);
  g_test_add_func ("/paint/stage/title", test_title);
  g_test_add_func ("/paint/stage/hall-title", test_hall_title);
  g_test_add_func ("/paint/stage/choosers", test_choosers);
  g_test_add_func ("/paint/stage/difference", test_difference);
  g_test_add_func ("/paint/stage/zoom-to-pick", test_zoom_to_pick);
  status = g_test_run ();
  ls_fonts_unref (fonts);
  return status;
}
