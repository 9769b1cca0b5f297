/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Race's columns: both lanes on one clock, whose ticks stand between them, what is done of them at a moment,
 * and what lies between their ops; and what is told over them.
 */
#include <math.h>
#include <string.h>

#include "tests/paint/rated.h"
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
      /* with how long nothing ran in all of them */
      const LsStepIndex *index = data->sides[side].index;
      gint64 idle = 0, until = 0;
      for (guint k = 0; k < index->spans->len; k++)
        {
          const LsSpan *span = &g_array_index (index->spans, LsSpan, k);
          idle += MAX (span->start_ns - until, 0);
          until = MAX (until, span->end_ns);
        }
      g_autofree char *time = ls_number_time ((double) (idle + MAX (index->length_ns - until, 0))),
                      *in_all = g_strdup_printf (" gaps: %s in all", time);
      if (strstr (gaps->text, in_all) == NULL)
        g_error ("it is said “%s”, not “%s”", gaps->text, in_all);
      if (g_str_has_prefix (gaps->text, "0 gaps: ") != (side == 0))
        g_error ("the %s lane is said to have “%s”, of\n%s", side == 0 ? "left" : "right", gaps->text, texts);
    }
  g_assert_cmpuint (told[0], ==, 1);
  g_assert_cmpuint (told[1], ==, 1);
}

/* Each lane's conditions stand one after the other, in their order, on as many lines as they need, none wider
 * than its half; below them what else is to be told, all of it: where it was recorded, what a change did, and
 * what the lane doesn't do. */
static void
test_conditions (void)
{
  static const double widths[] = { 1280, 1920, 2560 };
  static const char *const conditions
    = "one thing|another thing that takes its room|a third one, of more words|"
      "a fourth thing|one more that is told in a few words|the last one",
    *const words = "one thing another thing that takes its room a third one, of more words "
                   "a fourth thing one more that is told in a few words the last one "
                   "recorded somewhere else a change did this something is amiss";

  for (guint i = 0; i < G_N_ELEMENTS (widths); i++)
    {
      g_autoptr (LsRecording) recording = ls_fixture_recording (&ls_fixture_cores);
      g_autoptr (LsViewData) data = ls_view_data_from_recording (recording, NULL);
      const LsQuery query = LS_QUERY_INIT;
      guint lines = 0;

      for (guint side = 0; side < LS_SIDES; side++)
        {
          LsViewLane *lane = &data->sides[side];

          g_strfreev (lane->conditions);
          lane->conditions = g_strsplit (conditions, "|", -1);
          g_free (lane->recorded_on);
          lane->recorded_on = g_strdup ("recorded somewhere else");
          lane->change.words = g_strdup ("a change did this");
          lane->notice = g_strdup ("something is amiss");
        }
      g_autoptr (LsLayout) layout = draw_view (&ls_view_race, data, &query, LS_LOOK_LIGHT, widths[i], 1080);
      g_autofree char *texts = all_texts (layout->still, " ");
      g_autoptr (GString) all = g_string_new (texts);
      g_string_replace (all, " · ", " ", 0);
      const char *first = strstr (all->str, words);
      if (first == NULL || strstr (first + 1, words) == NULL)
        g_error ("%g px: both lanes’ conditions aren’t told in their order: %s", widths[i], all->str);
      for (guint k = 0; k < layout->still->items->len; k++)
        {
          const LsItem *item = ls_scene_get (layout->still, k);
          if (item->kind != LS_ITEM_TEXT || strstr (item->text, "one") == NULL)
            continue;
          if ((double) item->x < widths[i] / 2 && ls_item_right (item) > widths[i] / 2)
            g_error ("%g px: “%s” reaches into the other lane’s half", widths[i], item->text);
          lines++;
        }
      g_assert_cmpuint (lines, >=, widths[i] < 1900 ? 4 : 2); /* two for each lane */
    }
}

/* Where a moment is: read off the columns' own marks. */
static double
y_of (const LsLayout *layout, gint64 ns)
{
  const LsItem *first = NULL, *last = NULL;

  for (guint i = 0; i < layout->still->items->len; i++)
    {
      const LsItem *item = ls_scene_get (layout->still, i);
      if (item->kind != LS_ITEM_BOX || item->event == LS_NO_EVENT || item->side >= LS_SIDES)
        continue;
      first = first == NULL || item->t0 < first->t0 ? item : first;
      last = last == NULL || item->t0 > last->t0 ? item : last;
    }
  if (first == NULL || first->t0 == last->t0)
    g_error ("no column has two marks");
  return (double) first->y
         + (double) (last->y - first->y) * (double) (ns - first->t0) / (double) (last->t0 - first->t0);
}

/* Between the columns, centred: each tick's number at its time, with a line to each column as far from the
 * middle on both sides. Of each column all that has begun is solid, up to now, and nothing after it; the line
 * at now goes from the one column to the other. */
static void
test_moment (void)
{
  g_autoptr (LsViewData) data = ls_fixture_data (&ls_fixture_cores);
  guint ticks = 0, lines = 0, solid = 0;

  for (guint part = 0; part <= 8; part++)
    {
      LsQuery query = LS_QUERY_INIT;
      const gint64 span = MAX (data->sides[0].index->length_ns, data->sides[1].index->length_ns);
      const gint64 now = span * part / 8;
      double per_unit;

      query.time_ns = now;
      g_autoptr (LsLayout) layout = draw_view (&ls_view_race, data, &query, LS_LOOK_LIGHT, 1920, 1080);
      const char *unit = ls_number_time_unit ((double) span, &per_unit);
      const double y_now = y_of (layout, now);
      gboolean crossed = FALSE;
      g_assert_cmpint (layout->span_ns, ==, span);
      for (guint i = 0; i < layout->moving->items->len; i++)
        {
          const LsItem *item = ls_scene_get (layout->moving, i);
          const float *at = &g_array_index (layout->moving->points, float, 2 * item->points);
          const double middle = (double) (item->x + item->w / 2);
          char *end;

          if (item->kind == LS_ITEM_TEXT && item->ink == LS_INK_QUIET && g_ascii_isdigit (item->text[0])
              && fabs (middle - 960) < .6)
            {
              g_autofree char *number = g_strdup (item->text);
              const double value = g_ascii_strtod (number, &end);
              guint sides = 0;
              if (*end != '\0')
                g_assert_true (value == 0 && g_str_has_suffix (end, unit));
              const double y = y_of (layout, (gint64) (value * per_unit));
              if (fabs ((double) item->y - .36 * item->type.px - y) > 1)
                g_error ("“%s” stands at %.1f, and that is at %.1f", item->text,
                         (double) item->y - .36 * item->type.px, y);
              for (guint k = 0; k < layout->moving->items->len; k++)
                {
                  const LsItem *line = ls_scene_get (layout->moving, k);
                  const float *p = &g_array_index (layout->moving->points, float, 2 * line->points);
                  if (line->kind != LS_ITEM_LINE || line->ink != LS_INK_QUIET || line->n_points != 2
                      || fabs ((double) p[1] - y) > 1)
                    continue;
                  g_assert_cmpfloat ((double) p[1], ==, (double) p[3]);
                  const gboolean right = p[0] > 960;
                  sides |= right ? 2 : 1;
                  g_assert_true (right ? (double) p[0] > ls_item_right (item) : p[2] < item->x);
                  lines++;
                }
              g_assert_cmpuint (sides, ==, 3);
              ticks++;
            }
          else if (item->kind == LS_ITEM_BOX && item->ink == LS_INK_MARK && item->strong)
            {
              g_assert_cmpfloat ((double) item->y, <=, y_now + 1);
              g_assert_cmpfloat ((double) (item->y + item->h), <=, MAX (y_now, (double) item->y + 1.5) + 1);
              g_assert_cmpint (middle > 960, ==, item->value > .5f);
              solid++;
            }
          else if (item->kind == LS_ITEM_LINE && item->strong && item->n_points == 2 && at[1] == at[3]
                   && fabs ((double) at[1] - y_now) < 1)
            {
              g_assert_cmpfloat ((double) MIN (at[0], at[2]), <=, 960);
              g_assert_cmpfloat ((double) MAX (at[0], at[2]), >=, 960);
              crossed = TRUE;
            }
        }
      if (!crossed)
        g_error ("%u eighths of the step are done, and no line is at %.1f", part, y_now);
      /* what has begun, on both sides, and no more */
      for (guint side = 0; side < LS_SIDES; side++)
        {
          guint begun = 0, drawn = 0;
          const GArray *spans = data->sides[side].index->spans;
          for (guint i = 0; i < spans->len; i++)
            begun += g_array_index (spans, LsSpan, i).start_ns <= now;
          for (guint i = 0; i < layout->moving->items->len; i++)
            {
              const LsItem *item = ls_scene_get (layout->moving, i);
              drawn += item->kind == LS_ITEM_BOX && item->ink == LS_INK_MARK && item->strong
                       && (guint) item->value == side;
            }
          g_assert_cmpuint (drawn, ==, begun);
        }
    }
  g_test_message ("%u ticks, %u lines, %u pieces", ticks, lines, solid);
  g_assert_cmpuint (ticks, >, 20);
  g_assert_cmpuint (solid, >, 60);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/paint/race/scale", test_scale);
  g_test_add_func ("/paint/race/gaps", test_gaps);
  g_test_add_func ("/paint/race/moment", test_moment);
  g_test_add_func ("/paint/race/order", test_conditions);
  return g_test_run ();
}
