/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which names stay beside Race's columns where not all have room: never that of the op in which the lanes
 * differ; and how many are said to be missing.
 */
#include <math.h>
#include <string.h>

#include "tests/paint/draw.h"
#include "tests/paint/fixture.h"
#include "ui/paint/race/race.h"
#include "ui/paint/views.h"

static const LsFixture fixtures[] = {
  { LS_DESK, .batch = 64, .steps = 40 },
  { LS_DESK, .batch = 64, .queue = TRUE, .steps = 40 },
  { LS_CORES (2), .batch = 64, .tiles = 16, .groups = 32, .on_cpu = TRUE, .fused = TRUE, .steps = 40 },
  { LS_DESK,
    .model = "flatten, dense 8, relu, dense 8, relu, dense 8, relu, dense 8, relu, dense 8, relu, dense 10",
    .batch = 32, .steps = 40 },
};

static const double heights[] = { 560, 640, 760, 900, 1080 };

/* Of the last one in both lanes three short ops stand between each two long ones, and the left one takes half
 * as long: there is room under it. */
static LsViewData *
data_of (guint f)
{
  g_autoptr (LsRecording) recording = ls_fixture_recording (&fixtures[f]);

  for (guint l = 0; f + 1 == G_N_ELEMENTS (fixtures) && l < recording->n_lanes; l++)
    {
      LsRecordedLane *lane = &recording->lanes[l];
      guint64 ns = lane->start_ns;

      for (guint i = 0, done = 0; i < lane->events->len;)
        {
          LsEvent *e = &g_array_index (lane->events, LsEvent, i);

          if (e->kind != LS_EVENT_OP && e->kind != LS_EVENT_KERNEL)
            {
              g_array_remove_index (lane->events, i);
              continue;
            }
          e->start_ns = ns;
          e->end_ns = ns += (done++ % 4 == 0 ? 100000 : 1000) / (l == 0 ? 2 : 1);
          i++;
        }
      lane->end_ns = ns;
    }
  return ls_view_data_from_recording (recording, NULL);
}

/* The signs beside the names of that side; those of the list of ops are smaller. */
static guint
signs (const LsLayout *layout, guint side)
{
  guint n = 0;

  for (guint i = 0; i < layout->still->items->len; i++)
    {
      const LsItem *item = ls_scene_get (layout->still, i);
      n += item->kind == LS_ITEM_WARNING && fabs ((double) item->w - .9 * layout->m.body.px) < .01
           && ((double) item->x < layout->width / 2) == (side == 0);
    }
  return n;
}

static void
test_difference (void)
{
  guint seen = 0;

  for (guint f = 0; f < G_N_ELEMENTS (fixtures); f++)
    for (guint k = 0; k < G_N_ELEMENTS (heights); k++)
      {
        g_autoptr (LsViewData) data = data_of (f);
        const LsQuery query = LS_QUERY_INIT;

        data->difference.found = TRUE;
        for (data->difference.side = 0; data->difference.side < LS_SIDES; data->difference.side++)
          for (guint op = 0; op < data->recording->n_ops; op++)
            {
              const guint side = data->difference.side;
              const LsStepIndex *index = data->sides[side].index;

              data->difference.op = op;
              if (!index->ops[ls_step_index_leader (index, op)].ran)
                continue;
              g_autoptr (LsLayout) layout = draw_view (&ls_view_race, data, &query, LS_LOOK_LIGHT, 1600,
                                                       heights[k]);
              if (signs (layout, side) != 1 || signs (layout, 1 - side) != 0)
                g_error ("fixture %u, %g px high: %s differs in %s, and of its names %u are marked, of the "
                         "other lane’s %u",
                         f, heights[k], data->sides[side].brief, data->recording->ops[op].symbol,
                         signs (layout, side), signs (layout, 1 - side));
              seen++;
            }
      }
  g_assert_cmpuint (seen, >, 300);
}

/* Ops for which that label stands. */
static guint
stands_for (const char *name)
{
  static const char *const waits[] = { "in the driver", "while the other lane", "without an op", "wait" };
  guint n;

  if (strstr (name, " short") != NULL)
    return sscanf (name, "%u short", &n) == 1 ? n : 0;
  for (guint i = 0; i < G_N_ELEMENTS (waits); i++)
    if (g_str_has_prefix (name, waits[i]))
      return 0;
  return 1;
}

/* What is named, and what is said not to be named, are all of the lane's ops and copies. */
static void
test_counted (void)
{
  guint dropped = 0, folded = 0, in_hall = 0;

  for (guint look = 0; look < 3; look++)
    for (guint f = 0; f < G_N_ELEMENTS (fixtures); f++)
      for (guint k = 0; k < G_N_ELEMENTS (heights); k++)
        {
          g_autoptr (LsViewData) data = data_of (f);
          const LsQuery query = LS_QUERY_INIT;
          g_autoptr (LsLayout) layout = draw_view (
            &ls_view_race, data, &query, look == 0 ? LS_LOOK_LIGHT : LS_LOOK_PROJECTOR,
            look == 2 ? 3840 : 1920, look == 2 ? 2 * heights[k] : heights[k]);
          for (guint side = 0; side < LS_SIDES; side++)
            {
              const guint all = data->sides[side].index->spans->len;
              guint named = 0, missing = 0, labels = 0;
              gboolean said = FALSE;

              for (guint i = 0; i < layout->still->items->len; i++)
                {
                  const LsItem *item = ls_scene_get (layout->still, i);
                  guint n;

                  if (item->kind != LS_ITEM_TEXT || ((double) item->x < layout->width / 2) != (side == 0))
                    continue;
                  if (strstr (item->text, " not named") != NULL && sscanf (item->text, "%u short", &n) == 1)
                    {
                      if ((strstr (item->text, "ops") != NULL) != (n != 1))
                        g_error ("“%s” is said", item->text);
                      missing = n;
                      said = TRUE;
                    }
                  else if (item->when == LS_WHEN_DONE && item->type.weight == 400
                           && (!g_ascii_isdigit (item->text[0]) || strstr (item->text, " short") != NULL))
                    {
                      named += stands_for (item->text);
                      folded += strstr (item->text, " short") != NULL;
                      labels++;
                    }
                }
              if (labels == 0 || (!said && named < all))
                continue; /* no room for names, or for that line */
              if (named + missing != all)
                g_error (
                  "fixture %u, %g px high: of %u ops and copies of %s %u are named, and %u are said not "
                  "to be",
                  f, heights[k], all, data->sides[side].brief, named, missing);
              dropped += missing;
              in_hall += look > 0 ? missing : 0;
            }
        }
  g_test_message ("%u dropped, %u of them in the hall, %u folded", dropped, in_hall, folded);
  g_assert_cmpuint (dropped, >, 10);
  g_assert_cmpuint (in_hall, >, 10);
  g_assert_cmpuint (folded, >, 5);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/paint/race-dropped/difference", test_difference);
  g_test_add_func ("/paint/race-dropped/counted", test_counted);
  return g_test_run ();
}
