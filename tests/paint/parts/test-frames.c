/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a frame is: which moment it shows where nothing moves between two events, the ground that it is
 * painted on, what a click in it meets, and what of it keeps within its room.
 */
#include <math.h>

#include "tests/paint/draw.h"
#include "tests/paint/said.h"
#include "tests/paint/states.h"
#include "tests/paint/within.h"
#include "ui/paint/data/coming_words.h"
#include "ui/paint/parts/coming.h"
#include "ui/paint/views.h"

static LsLayout *
layout_of (void)
{
  const LsQuery query = LS_QUERY_INIT;
  g_autoptr (LsViewData) data = ls_fixture_data (&ls_fixture_cores);

  return draw_view (&ls_view_race, data, &query, LS_LOOK_LIGHT, 960, 600);
}

static void
add (LsLayout *layout, guint32 event, gint64 from, gint64 to)
{
  LsItem *item = ls_scene_mark (layout->still, LS_ITEM_TILE, 10, 10, 10, 10, LS_INK_MARK, 0);

  item->event = event;
  item->t0 = from;
  item->t1 = to;
}

/* Without animations the clock stands at the newest beginning or end of anything that is drawn, the first
 * one, at 0, too; before the first one it goes on. Marks that are no event, or take no time, don't hold it.
 */
static void
test_event_before (void)
{
  static const struct {
    gint64 from; /* where the first event begins; all else is as far behind it */
    gint64 at, stands;
  } rows[] = {
    { 0, 0, 0 },      { 0, 1, 0 },      { 0, 99, 0 },     { 0, 100, 100 }, { 0, 119, 100 }, { 0, 120, 100 },
    { 0, 130, 100 },  { 0, 249, 100 },  { 0, 250, 250 },  { 0, 300, 250 }, { 0, 399, 250 }, { 0, 400, 400 },
    { 0, 420, 420 },  { 0, 499, 420 },  { 0, 500, 500 },  { 0, 599, 500 }, { 0, 600, 600 }, { 0, 9999, 600 },
    { 50, 0, 0 },     { 50, 49, 49 },   { 50, 50, 50 },   { 50, 51, 50 },  { 50, 149, 50 }, { 50, 150, 150 },
    { 50, 649, 550 }, { 50, 650, 650 }, { 50, 999, 650 }, { 0, -1, -1 },
  };
  g_autoptr (LsLayout) layout = layout_of ();

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      const gint64 from = rows[i].from;

      ls_scene_clear (layout->still);
      add (layout, 7, from + 400, from + 600); /* in no order, and over each other */
      add (layout, 1, from, from + 100);
      add (layout, 2, from + 100, from + 250);
      add (layout, LS_NO_EVENT, from + 120, from + 130);
      add (layout, 3, from + 300, from + 300);
      add (layout, 8, from + 420, from + 500);
      const gint64 stands = ls_layout_event_before (layout, rows[i].at);
      if (stands != rows[i].stands)
        g_error ("of events from %" G_GINT64_FORMAT " ns on, the clock stands at %" G_GINT64_FORMAT
                 " ns at %" G_GINT64_FORMAT " ns, not at %" G_GINT64_FORMAT,
                 from, stands, rows[i].at, rows[i].stands);
    }
  ls_scene_clear (layout->still);
  g_assert_cmpint (ls_layout_event_before (layout, 77), ==, 77);
}

/* Nothing shines through at the right and at the bottom, where a window ends within a pixel. */
static void
test_ground (void)
{
  static const struct {
    double width, height;
    gint w, h; /* pixels that are painted */
  } rows[] = { { 12, 9, 12, 9 }, { 11.2, 9, 12, 9 }, { 12, 8.2, 12, 9 }, { 11.01, 8.99, 12, 9 } };
  const guint32 red = 0xff0000;

  for (LsLook look = LS_LOOK_LIGHT; look <= LS_LOOK_DARK; look++)
    for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
      {
        const LsQuery query = LS_QUERY_INIT;
        g_autoptr (LsViewData) data = ls_fixture_data (&ls_fixture_cores);
        g_autoptr (LsLayout) layout = draw_view (&ls_view_race, data, &query, look, 960, 600);
        cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_RGB24, 14, 11);
        cairo_t *cr = cairo_create (surface);
        const LsColor window = layout->style.palette->window;
        const guint32 ground = (guint32) lround (window.r * 255) << 16
                               | (guint32) lround (window.g * 255) << 8 | (guint32) lround (window.b * 255);

        cairo_set_source_rgb (cr, 1, 0, 0);
        cairo_paint (cr);
        layout->width = rows[i].width;
        layout->height = rows[i].height;
        ls_layout_paint_background (layout, cr);
        cairo_destroy (cr);
        cairo_surface_flush (surface);
        for (gint y = 0; y < 11; y++)
          for (gint x = 0; x < 14; x++)
            {
              const guint32 should = x < rows[i].w && y < rows[i].h ? ground : red;
              if (pixel_at (surface, x, y) != should)
                g_error ("under %g×%g px, pixel %d, %d is #%06x, not #%06x", rows[i].width, rows[i].height, x,
                         y, pixel_at (surface, x, y), should);
            }
        cairo_surface_destroy (surface);
      }
}

/* What a click meets: the first place of the kind that was asked for, its left and upper edge with it. */
static void
test_slot_at (void)
{
  static const struct {
    LsSlotKind kind;
    double x, y;
    gint op; /* −1: none */
  } rows[] = {
    { LS_SLOT_OPS, 100, 100, 1 },    { LS_SLOT_OPS, 119.9, 109.9, 1 }, { LS_SLOT_OPS, 99.9, 105, -1 },
    { LS_SLOT_OPS, 110, 99.9, -1 },  { LS_SLOT_OPS, 110, 110.1, -1 },  { LS_SLOT_OPS, 125, 105, 2 },
    { LS_SLOT_OPS, 140.1, 105, -1 }, { LS_SLOT_SOURCE, 110, 105, 3 },  { LS_SLOT_SOURCE, 95, 105, 3 },
    { LS_SLOT_SOURCE, 125, 105, 4 }, { LS_SLOT_LAB, 110, 105, -1 },    { LS_SLOT_SOURCE, 89, 105, -1 },
    { LS_SLOT_SOURCE, 118, 105, 3 },
  };
  g_autoptr (LsLayout) layout = layout_of ();

  g_array_set_size (layout->slots, 0);
  ls_stage_slot (layout, LS_SLOT_OPS, 0, 1, 100, 100, 20, 10);
  ls_stage_slot (layout, LS_SLOT_OPS, 1, 2, 120, 100, 20, 10);
  ls_stage_slot (layout, LS_SLOT_SOURCE, -1, 3, 90, 100, 30, 10);
  ls_stage_slot (layout, LS_SLOT_SOURCE, -1, 4, 115, 100, 30, 10);
  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      const LsSlot *slot = ls_stage_slot_at (layout, rows[i].kind, rows[i].x, rows[i].y);

      if ((slot != NULL ? (gint) slot->op : -1) != rows[i].op || (slot != NULL && slot->kind != rows[i].kind))
        g_error ("at %g, %g is place %d, not %d", rows[i].x, rows[i].y, slot != NULL ? (gint) slot->op : -1,
                 rows[i].op);
    }
}

/* The button that tells how fair a comparison is: where that is known, it is large enough to be met, and no
 * words are under it. */
static void
test_fair_button (void)
{
  static const struct {
    double x, y, size;
    gboolean known, there;
  } rows[] = {
    { 300, 300, 14, TRUE, TRUE }, { 300, 300, 13.9, TRUE, FALSE }, { 300, 300, 24, FALSE, FALSE },
    { 300, 300, 0, TRUE, FALSE }, { 85, 80, 20, TRUE, FALSE },     { 161, 80, 20, TRUE, TRUE },
    { 159, 80, 20, TRUE, FALSE }, { 79, 80, 20, TRUE, TRUE },      { 81, 80, 20, TRUE, FALSE },
    { 120, 101, 20, TRUE, TRUE }, { 120, 99, 20, TRUE, FALSE },    { 120, 71, 20, TRUE, TRUE },
    { 120, 73, 20, TRUE, FALSE },
  };
  g_autoptr (LsLayout) layout = layout_of ();

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      const LsSlot *slot = NULL;

      g_clear_pointer (&layout->data->fairness, ls_fairness_unref);
      if (rows[i].known)
        layout->data->fairness = g_atomic_rc_box_new0 (LsFairness);
      g_array_set_size (layout->slots, 0);
      ls_scene_clear (layout->still);
      /* ten letters of 6 px, their heads at 92, their feet at 100 */
      ls_scene_text (layout->still, 100, 100, (LsType){ 10, 400 }, LS_INK_TEXT, LS_LEFT, "ten letter");
      ls_stage_fair (layout, rows[i].x, rows[i].y, rows[i].size);
      slot = layout->slots->len > 0 ? &g_array_index (layout->slots, LsSlot, 0) : NULL;
      if ((slot != NULL) != rows[i].there)
        g_error ("a button of %g px at %g, %g, of a comparison of which %s is known, is %s", rows[i].size,
                 rows[i].x, rows[i].y, rows[i].known ? "something" : "nothing",
                 slot != NULL ? "there" : "missing");
      if (slot != NULL)
        g_assert_true (slot->kind == LS_SLOT_FAIR && slot->x == rows[i].x && slot->y == rows[i].y
                       && slot->w == rows[i].size && slot->h == rows[i].size);
    }
}

/* A lane that comes says how long that still takes, with the mark of what is derived before it; all of it,
 * also of a long sentence, is in the room that it was given. */
static void
test_coming_sentence (void)
{
  g_autoptr (LsViewData) data = ls_fixture_view (&ls_fixture_cores, LS_STATE_BUILDING);
  const LsQuery query = LS_QUERY_INIT;
  guint marked = 0;

  g_assert_true (ls_lane_left_told (&data->sides[1]));
  g_free (data->sides[1].message);
  data->sides[1].message = g_strdup ("Compiling its kernels, which are many and large, about 24 s left.");
  g_autoptr (LsLayout) layout = draw_view (&ls_view_race, data, &query, LS_LOOK_LIGHT, 960, 600);
  for (double width = 120; width < 700; width += 7)
    for (guint told = 0; told < 2; told++)
      {
        const LsType type = { 15, 700 };
        double text_y = 0;

        data->sides[1].overdue = told == 0; /* then it isn't known how long */
        ls_scene_clear (layout->still);
        const double foot = ls_coming_sentence (layout, 1, 50, 200, width, type);
        check_within (layout->still, 0, (LsArea){ 50, 200, width, foot - 200 + type.px },
                      "a sentence of a lane that comes");
        for (guint i = 0; i < layout->still->items->len; i++)
          {
            const LsItem *item = ls_scene_get (layout->still, i);
            if (item->kind == LS_ITEM_EVIDENCE)
              {
                g_assert_cmpint ((gint) item->value, ==, LS_EVIDENCE_DERIVED);
                g_assert_cmpfloat ((double) item->x, ==, 50);
                marked++;
              }
            else if (item->kind == LS_ITEM_TEXT)
              {
                g_assert_true (told ? item->x > 50 : item->x == 50);
                g_assert_cmpfloat ((double) item->y, >, text_y); /* one below the other */
                text_y = (double) item->y;
              }
          }
        g_autofree char *all = all_texts (layout->still, " ");
        g_assert_cmpstr (g_strchomp (all), ==, data->sides[1].message);
      }
  g_assert_cmpuint (marked, ==, 83);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/paint/frames/event-before", test_event_before);
  g_test_add_func ("/paint/frames/ground", test_ground);
  g_test_add_func ("/paint/frames/slot-at", test_slot_at);
  g_test_add_func ("/paint/frames/fair-button", test_fair_button);
  g_test_add_func ("/paint/frames/coming-sentence", test_coming_sentence);
  return g_test_run ();
}
