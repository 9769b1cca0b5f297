/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Race's columns: both lanes on one clock, and what lies between their ops.
 */
#include <math.h>
#include <string.h>

#include "tests/paint/draw.h"
#include "tests/paint/said.h"
#include "tests/paint/states.h"
#include "core/number.h"
#include "ui/paint/views.h"

static LsLayout *
lay_out (LsViewData *data)
{
  const LsQuery query = LS_QUERY_INIT;

  return draw_view (&ls_view_race, data, &query, LS_LOOK_LIGHT, 1920, 1080);
}

/* As many pixels are as many nanoseconds, left and right, from one beginning: the longer step has the longer
 * column. */
static void
test_scale (void)
{
  g_autoptr (LsViewData) data = ls_fixture_data (&ls_fixture_cores);
  g_autoptr (LsLayout) layout = lay_out (data);
  double low = HUGE_VAL, high = 0, px_per_ns = 0;
  gint64 last = 0;
  guint n[LS_SIDES] = { 0 };

  for (guint pass = 0; pass < 2; pass++)
    for (guint i = 0; i < layout->still->items->len; i++)
      {
        const LsItem *item = ls_scene_get (layout->still, i);
        if (item->kind != LS_ITEM_BOX || item->event == LS_NO_EVENT || item->side >= LS_SIDES)
          continue;
        if (pass == 1)
          {
            g_assert_cmpfloat_with_epsilon ((double) item->y, low + px_per_ns * (double) item->t0, 1);
            n[item->side]++;
          }
        else if (item->t0 == 0)
          low = MIN (low, (double) item->y);
        else if (item->t0 > last)
          {
            last = item->t0;
            high = (double) item->y;
          }
        if (pass == 0 && last > 0 && low < HUGE_VAL)
          px_per_ns = (high - low) / (double) last;
      }
  g_assert_cmpfloat (px_per_ns, >, 0);
  g_assert_cmpint (data->sides[0].index->length_ns, !=, data->sides[1].index->length_ns);
  g_assert_cmpuint (n[0], >, 3);
  g_assert_cmpuint (n[1], >, 3);
}

/* An op that ends while a longer one that began before still runs leaves no gap: the gaps are where nothing
 * ran. */
static void
test_gaps (void)
{
  g_autoptr (LsRecording) recording = ls_fixture_recording (&ls_fixture_cores);
  const GArray *events = recording->lanes[0].events;
  LsEvent *first = NULL;

  for (guint i = 0; i < events->len; i++)
    {
      LsEvent *e = &g_array_index (events, LsEvent, i);
      if (e->kind == LS_EVENT_OP && (first == NULL || e->start_ns < first->start_ns))
        first = e;
    }
  g_assert_nonnull (first);
  first->end_ns = recording->lanes[0].end_ns; /* all others run within it */
  g_autoptr (LsViewData) data = ls_view_data_from_recording (recording, NULL);
  g_autoptr (LsLayout) layout = lay_out (data);
  g_autofree char *texts = all_texts (layout->still, "\n");
  guint told[LS_SIDES] = { 0 };

  for (guint i = 0; i < layout->still->items->len; i++)
    {
      const LsItem *gaps = ls_scene_get (layout->still, i);
      const guint side = (double) gaps->x < 960 ? 0 : 1;
      if (gaps->kind != LS_ITEM_TEXT || strstr (gaps->text, " gaps: ") == NULL)
        continue;
      told[side]++;
      if (g_str_has_prefix (gaps->text, "0 gaps: ") != (side == 0))
        g_error ("the %s lane is said to have “%s”, of\n%s", side == 0 ? "left" : "right", gaps->text, texts);
    }
  g_assert_cmpuint (told[0], ==, 1);
  g_assert_cmpuint (told[1], ==, 1);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/paint/race/scale", test_scale);
  g_test_add_func ("/paint/race/gaps", test_gaps);
  return g_test_run ();
}
