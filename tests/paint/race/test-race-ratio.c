/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The ratio of the rates over Race's columns: what is said of it, how fair it is, and where that has room.
 */
#include <math.h>
#include <string.h>

#include "tests/paint/rated.h"
#include "core/number.h"
#include "ui/paint/race/race.h"
#include "ui/paint/views.h"

/* In the middle, from above: what it is, the number, what may be said, and whether the middle halves are
 * apart; the button that says how fair it is right of the number, on its line. In a hall the verdict is large
 * and bold, and what is lacking for it is quiet. */
static void
test_ratio (void)
{
  static const struct {
    double left, right, wide;
    guint n;
    const char *ratio, *halves;
  } rows[] = {
    { 250e3, 100e3, .02, 200, "2.50", "middle halves apart" },
    { 100e3, 250e3, .02, 200, "2.50", "middle halves apart" },
    { 101e3, 100e3, .05, 200, "1.01", "middle halves overlap" },
    { 250e3, 100e3, .02, 5, NULL, NULL },
  };

  guint buttons = 0;

  for (guint r = 0; r < G_N_ELEMENTS (rows); r++)
    for (guint size = 0; size <= G_N_ELEMENTS (sizes); size++)
      {
        g_autoptr (LsViewData) data = ls_fixture_view (&desk, LS_STATE_LIVE);
        const gboolean large = size == G_N_ELEMENTS (sizes),
                       hall = !large && sizes[size].look == LS_LOOK_PROJECTOR;
        const LsQuery query = LS_QUERY_INIT;
        const LsItem *ratio = NULL, *caption, *halves, *quiet = NULL;

        set_rate (data, 0, rows[r].left, rows[r].wide, rows[r].n);
        set_rate (data, 1, rows[r].right, rows[r].wide, rows[r].n);
        g_autoptr (LsLayout) layout = large
                                        ? draw_view (&ls_view_race, data, &query, LS_LOOK_LIGHT, 3840, 2160)
                                        : layout_of (data, &ls_view_race, size);
        for (guint i = 0; i < layout->still->items->len; i++)
          {
            const LsItem *item = ls_scene_get (layout->still, i);
            if (item->kind != LS_ITEM_TEXT)
              continue;
            if (item->number == LS_NUMBER_RATIO && item->ink == LS_INK_TEXT
                && (ratio == NULL || item->type.px > ratio->type.px))
              ratio = item;
            if (item->number == LS_NUMBER_WINNER && item->ink == LS_INK_QUIET && quiet == NULL)
              quiet = item;
          }
        g_assert_cmpint (ratio != NULL, ==, rows[r].ratio != NULL);
        if (hall && ratio != NULL)
          {
            g_assert_cmpint (ratio->type.weight, ==, 700);
            g_assert_true (rows[r].left < 102e3 && rows[r].right < 102e3
                             ? says (layout->still, "no clear winner")
                             : strstr (ratio->text, "2.50") != NULL);
            g_assert_cmpfloat (ratio->type.px, <=, layout->m.rate.px);
          }
        if (hall && ratio == NULL)
          {
            g_assert_nonnull (quiet);
            g_assert_cmpfloat (quiet->type.px, <=, layout->m.heading.px);
            g_assert_cmpfloat (fabs ((double) (quiet->x + quiet->w / 2) - layout->width / 2), <, 1);
          }
        if (hall || ratio == NULL)
          continue;
        g_assert_cmpstr (ratio->text, ==, rows[r].ratio);
        g_assert_cmpuint (ratio->side, ==, LS_NO_VALUE); /* both lanes' */
        g_assert_cmpfloat (fabs ((double) (ratio->x + ratio->w / 2) - layout->width / 2), <, 1);
        caption = find_text (layout->still, "ratio");
        g_assert_nonnull (caption);
        g_assert_cmpfloat ((double) caption->y, <, (double) ratio->y - .5 * ratio->type.px);
        halves = find_text (layout->still, "middle halves");
        if (halves != NULL)
          {
            g_assert_true (g_str_has_prefix (halves->text, rows[r].halves));
            g_assert_cmpfloat ((double) halves->y, >, (double) ratio->y + halves->type.px);
          }
        for (guint i = 0; i < layout->slots->len; i++)
          {
            const LsSlot *slot = &g_array_index (layout->slots, LsSlot, i);
            if (slot->kind != LS_SLOT_FAIR)
              continue;
            g_assert_cmpfloat (slot->x, >=, ls_item_right (ratio));
            g_assert_cmpfloat (slot->x, <, ls_item_right (ratio) + 20);
            g_assert_cmpfloat_with_epsilon (slot->y + slot->h / 2, (double) ratio->y - .36 * ratio->type.px,
                                            1);
            g_assert_cmpfloat (slot->w, ==, slot->h);
            buttons++;
          }
      }
  g_assert_cmpuint (buttons, >, 6);
}

/* Of an unfair comparison the ratio's words have a mark and a sign before them, one as far from the next as
 * the other, and all three lie in the middle between the lanes. */
static void
test_unfair (void)
{
  guint seen = 0;

  for (guint size = 0; size < G_N_ELEMENTS (sizes); size++)
    {
      g_autoptr (LsViewData) data = ls_fixture_view (&desk, LS_STATE_LIVE);
      LsFairness *fairness = g_atomic_rc_box_new0 (LsFairness);
      const LsItem *sign = NULL, *mark = NULL, *words = NULL;
      guint n;

      set_rate (data, 0, 1e3, .02, 200);
      set_rate (data, 1, 76e3, .02, 200);
      fairness->unfair = TRUE;
      fairness->n = 1;
      fairness->lines[0] = (LsFairLine){ .row = &ls_fair_rows (&n)[0],
                                         .state = LS_FAIR_NO,
                                         .words = g_strdup ("The lanes differ.") };
      ls_fairness_unref (data->fairness);
      data->fairness = fairness;
      g_autoptr (LsLayout) layout = layout_of (data, &ls_view_race, size);
      const LsScene *s = layout->still;
      for (guint i = 1; i + 1 < s->items->len; i++)
        if (ls_scene_get (s, i)->kind == LS_ITEM_WARNING && ls_scene_get (s, i)->ink == LS_INK_AMBER)
          {
            mark = ls_scene_get (s, i - 1);
            sign = ls_scene_get (s, i);
            words = ls_scene_get (s, i + 1);
          }
      if (sign == NULL)
        g_error ("%g px: there is no sign", sizes[size].w);
      g_assert_cmpint (mark->kind, ==, LS_ITEM_EVIDENCE);
      g_assert_cmpint ((gint) mark->value, ==, LS_EVIDENCE_DERIVED);
      g_assert_cmpint (words->kind, ==, LS_ITEM_TEXT);
      if (strstr (words->text, "unfair") == NULL)
        g_error ("%g px: the sign stands before “%s”", sizes[size].w, words->text);
      const double before = (double) sign->x - ls_item_right (mark),
                   after = (double) words->x - ls_item_right (sign);
      if (before < 4 || fabs (after - before) > 1)
        g_error ("%g px: the sign stands %g px behind the mark and %g px before the words", sizes[size].w,
                 before, after);
      g_assert_cmpfloat_with_epsilon (((double) mark->x + ls_item_right (words)) / 2, layout->width / 2, 1);
      g_assert_cmpfloat_with_epsilon ((double) (mark->y + mark->h / 2),
                                      (double) words->y - .36 * (double) words->type.px, 1);
      g_assert_cmpfloat ((double) (sign->y + sign->h), <, (double) words->y + .2 * (double) words->type.px);
      g_assert_cmpfloat ((double) sign->y, >, (double) words->y - (double) words->type.px);
      seen++;
    }
  g_assert_cmpuint (seen, ==, G_N_ELEMENTS (sizes));
}

/* What may be said of the ratio, or is lacking for it, stands below it on as many lines as it takes: just
 * where the last of them still has room, and else none of it does. */
static void
test_verdict_room (void)
{
  for (guint lacking = 0; lacking < 2; lacking++)
    {
      g_autoptr (LsViewData) data = ls_fixture_view (&desk, LS_STATE_LIVE);
      double last = 0;

      set_rate (data, 0, 250e3, .02, lacking ? 5 : 200);
      set_rate (data, 1, 100e3, .02, lacking ? 5 : 200);
      g_autoptr (LsLayout) layout = layout_of (data, &ls_view_race, 1);
      g_assert_cmpint (layout->m.size, !=, LS_SIZE_LARGE); /* which keeps a line free below */
      /* the first time with room for all, to see how much of it is taken */
      for (gint more = 3; more >= -1; more--)
        {
          guint said = 0;

          ls_scene_clear (layout->still);
          ls_race_ratio (layout, (LsArea){ 0, 100, 1920, 800 }, 100,
                         more == 3 ? 700 : last + .01 + .5 * more);
          for (guint i = 0; i < layout->still->items->len; i++)
            {
              const LsItem *item = ls_scene_get (layout->still, i);
              if (item->kind != LS_ITEM_TEXT || item->number != LS_NUMBER_WINNER)
                continue;
              last = MAX (last, (double) item->y);
              said++;
            }
          if (more == 3)
            g_assert_cmpuint (said, >, 1);
          if ((said > 0) != (more >= 0))
            g_error ("with %g px below its last line what is %s is%s said", .5 * more,
                     lacking ? "lacking for a ratio" : "to be said of the ratio", said > 0 ? "" : " not");
        }
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/paint/race-ratio/ratio", test_ratio);
  g_test_add_func ("/paint/race-ratio/room", test_verdict_room);
  g_test_add_func ("/paint/race-ratio/unfair", test_unfair);
  return g_test_run ();
}
