/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Race's columns: both lanes on one clock, whose ticks stand between them, what is done of them at a moment,
 * and what lies between their ops; and the ratio of the rates over them.
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

/* Each lane's conditions stand one after the other, in their order, on as many lines as they need. */
static void
test_conditions (void)
{
  static const double widths[] = { 1280, 1920, 2560 };

  for (guint i = 0; i < G_N_ELEMENTS (widths); i++)
    {
      g_autoptr (LsRecording) recording = ls_fixture_recording (&ls_fixture_cores);
      g_autoptr (LsViewData) data = ls_view_data_from_recording (recording, NULL);
      const LsQuery query = LS_QUERY_INIT;

      for (guint side = 0; side < LS_SIDES; side++)
        {
          g_strfreev (data->sides[side].conditions);
          data->sides[side].conditions = g_strsplit ("one thing|another thing|a third one", "|", -1);
        }
      g_autoptr (LsLayout) layout = draw_view (&ls_view_race, data, &query, LS_LOOK_LIGHT, widths[i], 1080);
      g_autofree char *texts = all_texts (layout->still, " ");
      g_autoptr (GString) all = g_string_new (texts);
      g_string_replace (all, " · ", " ", 0);
      const char *first = strstr (all->str, "one thing another thing a third one");
      if (first == NULL || strstr (first + 1, "one thing another thing a third one") == NULL)
        g_error ("%g px: both lanes’ conditions aren’t told in their order: %s", widths[i], all->str);
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

/* ---- the ratio ---- */

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

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/paint/race/scale", test_scale);
  g_test_add_func ("/paint/race/gaps", test_gaps);
  g_test_add_func ("/paint/race/moment", test_moment);
  g_test_add_func ("/paint/race/ratio", test_ratio);
  g_test_add_func ("/paint/race/unfair", test_unfair);
  g_test_add_func ("/paint/race/order", test_conditions);
  return g_test_run ();
}
