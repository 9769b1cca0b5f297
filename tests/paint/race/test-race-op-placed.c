/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Where "this op alone" stands in Race, under which name, and which of its lines is marked as unfair; and
 * what is told of an op of a lane that has stopped.
 */
#include <math.h>
#include <string.h>

#include "core/number.h"
#include "tests/paint/race/race_op_rig.h"
#include "tests/plain.h"

/* Of a lane that has stopped nothing is told of an op, and so nothing that compares them; where both have,
 * there is nothing to tell at all. */
static void
test_stopped (void)
{
  g_autoptr (LsFonts) fonts = ls_fonts_new ("Sans");

  for (guint stopped = 0; stopped < 4; stopped++)
    {
      g_autoptr (LsViewData) data = ls_fixture_view (&ls_fixture_cores, LS_STATE_LIVE);

      data->op_times = times_of (20, 1, 2, .05);
      for (guint side = 0; side < LS_SIDES; side++)
        if (stopped & 1u << side)
          {
            g_free (data->sides[side].message);
            data->sides[side].message = g_strdup ("It stopped.");
            data->sides[side].stopped_at = 12;
          }
      g_autoptr (LsLayout) layout = lay_out (data, fonts, 1, LS_PICK_NONE, LS_LOOK_DARK, 1920, 1080);
      g_autofree char *aloud = ls_layout_describe (layout);
      const char *alone = strstr (aloud, " This op alone, ");

      for (guint side = 0; side < LS_SIDES; side++)
        {
          const gboolean goes = !(stopped & 1u << side);
          const LsOpTrace *op = &data->sides[side].index->ops[1];
          g_autofree char *time = ls_number_time ((double) (op->end_ns - op->start_ns)),
                          *words = g_strdup_printf ("%s %s, ", data->sides[side].brief, time);
          if (tells (layout, words) != goes || (alone != NULL && strstr (alone, words) != NULL) != goes)
            g_error ("%s has%s stopped, and “%s” is said, and told: %s", data->sides[side].name,
                     goes ? " not" : "", words, alone);
        }
      g_assert_cmpint (tells (layout, "This op alone, "), ==, stopped < 3);
      g_assert_cmpint (alone != NULL, ==, stopped < 3);
      g_assert_cmpint (tells (layout, "times as fast"), ==, stopped == 0);
    }
}

/* Beside the right lane's names it ends at the same foot, however much there is to say. */
static void
test_foot (void)
{
  static const guint counts[] = { 1, 3, 20 };
  g_autoptr (LsFonts) fonts = ls_fonts_new ("Sans");

  for (gdouble width = 1920; width <= 2560; width += 640)
    {
      double foot[G_N_ELEMENTS (counts)], top[G_N_ELEMENTS (counts)];

      for (guint i = 0; i < G_N_ELEMENTS (counts); i++)
        {
          g_autoptr (LsViewData) data = ls_fixture_view (&ls_fixture_cores, LS_STATE_LIVE);
          data->op_times = times_of (counts[i], 1, 2, .05);
          g_autoptr (LsLayout) layout = lay_out (data, fonts, 1, LS_PICK_NONE, LS_LOOK_DARK, width,
                                                 width * 9 / 16);
          const LsItem *first = find_text (layout->moving, "This op alone, ");

          g_assert_nonnull (first);
          foot[i] = 0;
          top[i] = (double) first->y;
          for (guint k = 0; k < layout->moving->items->len; k++)
            {
              const LsItem *item = ls_scene_get (layout->moving, k);
              if (item->kind == LS_ITEM_TEXT && item->align == LS_LEFT && item->y >= first->y
                  && item->x >= first->x - .5f && (double) item->x < (double) first->x + 60)
                foot[i] = MAX (foot[i], (double) item->y);
            }
          g_assert_cmpfloat (foot[i], >, top[i]);
        }
      if (fabs (foot[0] - foot[1]) > 1 || fabs (foot[0] - foot[2]) > 1)
        g_error ("of 1, 3 and 20 steps its last lines are at %g, %g and %g px", foot[0], foot[1], foot[2]);
      g_assert_cmpfloat (top[2], <, top[0] - 20); /* and there is more to say of more */
    }
}

/* By its equation where that has room. */
static void
test_title (void)
{
  g_autoptr (LsFonts) fonts = ls_fonts_new ("Sans");
  g_autoptr (LsViewData) data = ls_fixture_view (&ls_fixture_cores, LS_STATE_LIVE);
  guint equations = 0;

  for (guint op = 0; op < data->recording->n_ops; op++)
    {
      const LsRecordedOp *recorded = &data->recording->ops[op];
      g_autoptr (LsLayout) layout = lay_out (data, fonts, op, LS_PICK_NONE, LS_LOOK_LIGHT, 3840, 2160);
      g_autofree char *words = plain (
        g_strdup_printf ("This op alone, %s", recorded->equation[0] ? recorded->equation : recorded->symbol));
      g_autofree char *all = plain (all_texts (layout->moving, " "));

      if (!data->sides[0].index->ops[ls_step_index_leader (data->sides[0].index, op)].ran)
        continue;
      if (strstr (all, words) == NULL)
        g_error ("“%s” isn’t said: %s", words, all);
      equations += recorded->equation[0] != '\0' && strcmp (recorded->equation, recorded->symbol) != 0;
    }
  g_assert_cmpuint (equations, >, 3);
}

/* Of an unfair comparison one line alone has the sign: that which names a ratio, and neither the times before
 * it nor a sentence that names none. */
static void
test_unfair (void)
{
  g_autoptr (LsFonts) fonts = ls_fonts_new ("Sans");

  for (guint form = 0; form < 4; form++)
    {
      const gboolean unfair = form % 2, apart = form / 2;
      g_autoptr (LsViewData) data = ls_fixture_view (&ls_fixture_cores, LS_STATE_LIVE);
      LsFairness *fairness = g_atomic_rc_box_new0 (LsFairness);
      const LsItem *sign = NULL;
      guint signs = 0, n;

      fairness->unfair = unfair;
      fairness->n = 1;
      fairness->lines[0] = (LsFairLine){ .row = &ls_fair_rows (&n)[0],
                                         .state = unfair ? LS_FAIR_NO : LS_FAIR_YES,
                                         .words = g_strdup ("The lanes differ.") };
      ls_fairness_unref (data->fairness);
      data->fairness = fairness;
      data->op_times = times_of (20, 1, apart ? 2 : 1.01, .09);
      g_autoptr (LsLayout) layout = lay_out (data, fonts, 1, LS_PICK_NONE, LS_LOOK_DARK, 1920, 1080);
      for (guint i = 0; i < layout->moving->items->len; i++)
        if (ls_scene_get (layout->moving, i)->kind == LS_ITEM_WARNING)
          {
            sign = ls_scene_get (layout->moving, i);
            signs++;
          }
      if (signs != (unfair && apart))
        g_error ("of %s comparison in which %s %u lines have the sign", unfair ? "an unfair" : "a fair",
                 apart ? "one lane is faster" : "none is faster", signs);
      if (sign == NULL)
        continue;
      const LsItem *verdict = find_text (layout->moving, " is 2");
      g_assert_nonnull (verdict);
      g_assert_cmpfloat ((double) (sign->x + sign->w), <=, (double) verdict->x);
      g_assert_true (sign->y < verdict->y && sign->y + sign->h > verdict->y - verdict->type.px / 2);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/paint/race-op-placed/stopped", test_stopped);
  g_test_add_func ("/paint/race-op-placed/foot", test_foot);
  g_test_add_func ("/paint/race-op-placed/title", test_title);
  g_test_add_func ("/paint/race-op-placed/unfair", test_unfair);
  return g_test_run ();
}
