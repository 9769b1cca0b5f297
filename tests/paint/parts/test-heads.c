/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What stands between both lanes' heads: the button that tells how fair their comparison is.
 */
#include <math.h>

#include "tests/paint/rated.h"
#include "ui/paint/views.h"

static void
make_fair (LsViewData *data)
{
  LsFairness *fairness = g_atomic_rc_box_new0 (LsFairness);
  guint n;

  fairness->n = 1;
  fairness->lines[0] = (LsFairLine){ .row = &ls_fair_rows (&n)[0],
                                     .state = LS_FAIR_YES,
                                     .words = g_strdup ("Both train on the same batches.") };
  ls_fairness_unref (data->fairness);
  data->fairness = fairness;
}

/* A square in the middle of the gap between both lanes' rules, at their height or just below, on no text;
 * none where nothing is known of how fair they are. */
static void
test_fair (void)
{
  static const LsView *const views[] = { &ls_view_timeline, &ls_view_partition, &ls_view_curves,
                                         &ls_view_tiles, &ls_view_network };
  guint seen = 0;

  for (guint v = 0; v < G_N_ELEMENTS (views); v++)
    for (guint known = 0; known < 2; known++)
      for (guint size = 0; size < G_N_ELEMENTS (sizes); size++)
        {
          g_autoptr (LsViewData) data = ls_fixture_view (&desk, LS_STATE_LIVE);
          const LsItem *rules[LS_SIDES] = { NULL };

          if (known)
            make_fair (data);
          else
            g_clear_pointer (&data->fairness, ls_fairness_unref);
          g_autoptr (LsLayout) layout = layout_of (data, views[v], size);
          const LsScene *s = layout->still;
          for (guint i = 0; i < s->items->len; i++)
            {
              const LsItem *item = ls_scene_get (s, i);
              if (item->kind == LS_ITEM_BOX && item->ink == LS_INK_MARK && item->side < LS_SIDES
                  && item->h == (float) layout->m.rule && rules[item->side] == NULL)
                rules[item->side] = item;
            }
          if (rules[0] == NULL || rules[1] == NULL) /* a hall has no heads */
            continue;
          const double left = ls_item_right (rules[0]), right = (double) rules[1]->x,
                       rule = (double) rules[0]->y;
          for (guint i = 0; i < layout->slots->len; i++)
            {
              const LsSlot *slot = &g_array_index (layout->slots, LsSlot, i);
              if (slot->kind != LS_SLOT_FAIR)
                continue;
              if (!known)
                g_error ("%s: it is told how fair the lanes are, of which nothing is known", views[v]->name);
              seen++;
              g_assert_cmpfloat (slot->w, ==, slot->h);
              if (slot->x < left - .5 || slot->x + slot->w > right + .5
                  || fabs (slot->x + slot->w / 2 - (left + right) / 2) > .5)
                g_error ("%s, %g px: the button is from %g to %g, the gap from %g to %g", views[v]->name,
                         sizes[size].w, slot->x, slot->x + slot->w, left, right);
              if (slot->y < 0 || slot->y + slot->h < rule || slot->y > rule + layout->m.rule + 8)
                g_error ("%s, %g px: the button stands at %g, the rules at %g", views[v]->name, sizes[size].w,
                         slot->y, rule);
              for (guint k = 0; k < s->items->len; k++)
                {
                  const LsItem *text = ls_scene_get (s, k);
                  if (text->kind == LS_ITEM_TEXT && (double) text->x < slot->x + slot->w
                      && ls_item_right (text) > slot->x && (double) text->y > slot->y
                      && (double) text->y - .7 * text->type.px < slot->y + slot->h)
                    g_error ("%s, %g px: the button lies on “%s”", views[v]->name, sizes[size].w, text->text);
                }
            }
        }
  g_test_message ("%u buttons", seen);
  g_assert_cmpuint (seen, >=, 2 * G_N_ELEMENTS (views));
}

/* Conditions are parted by dots, but none stands behind a sentence. */
static void
test_sentences (void)
{
  g_autoptr (LsViewData) data = ls_fixture_view (&desk, LS_STATE_LIVE);
  guint seen = 0;

  for (guint side = 0; side < LS_SIDES; side++)
    {
      g_strfreev (data->sides[side].conditions);
      data->sides[side].conditions = g_strsplit ("2 threads|Its kernels are edited.|fp32|naive", "|", -1);
    }
  for (guint size = 1; size < G_N_ELEMENTS (sizes); size++)
    {
      g_autoptr (LsLayout) layout = layout_of (data, &ls_view_partition, size);

      for (guint i = 0; i < layout->still->items->len; i++)
        {
          const LsItem *item = ls_scene_get (layout->still, i);
          const char *at = item->kind == LS_ITEM_TEXT ? item->text : "";
          if (g_str_has_suffix (at, "· fp32"))
            g_error ("“%s” stands behind a sentence", at);
          seen += g_str_has_suffix (at, " · naive") || g_str_equal (at, " fp32");
        }
    }
  g_assert_cmpuint (seen, >=, 4);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/paint/heads/fair", test_fair);
  g_test_add_func ("/paint/heads/sentences", test_sentences);
  return g_test_run ();
}
