/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One time step in full, drawn by itself into cards of many sizes: which parts are there, in which order,
 * what stands in each, and that the first step has nothing before it.
 */
#include <math.h>
#include <string.h>

#include "core/number.h"
#include "tests/paint/draw.h"
#include "tests/paint/fixture.h"
#include "tests/paint/said.h"
#include "tests/paint/within.h"
#include "tests/plain.h"
#include "ui/paint/network/network_time.h"
#include "ui/paint/views.h"

#define BATCH 16
#define STEPS 28
#define UNITS 6

static LsLayout *
page_of (LsViewData **data, gint step)
{
  const LsFixture f = { LS_CORES (2),   .model = "lstm 6, dense 10",
                        .batch = BATCH, .tiles = 16,
                        .groups = 32,   .on_cpu = TRUE,
                        .steps = 60,    .values = TRUE };
  Asked asked = ASKED_INIT;

  *data = ls_fixture_data (&f);
  ls_fixture_add_values ((*data)->recording);
  asked.network.page = LS_NETWORK_TIME;
  asked.network.sample = 3;
  asked.network.step = step;
  asked.network.step_unit = 2;
  return draw_view (&ls_view_network, *data, asked_of (&asked, &ls_view_network), LS_LOOK_LIGHT, 1920, 1080);
}

static const LsItem *
text_from (const LsScene *s, guint first, const char *begins)
{
  for (guint i = first; i < s->items->len; i++)
    {
      const LsItem *item = ls_scene_get (s, i);
      if (item->kind == LS_ITEM_TEXT && g_str_has_prefix (item->text, begins))
        return item;
    }
  return NULL;
}

/* The sentence after the mark before it. */
static LsEvidence
known_as (const LsScene *s, guint first, const LsItem *text)
{
  for (guint i = first; i < s->items->len; i++)
    {
      const LsItem *mark = ls_scene_get (s, i);
      if (mark->kind == LS_ITEM_EVIDENCE && mark->x < text->x && text->x - mark->x < 40 && mark->y < text->y
          && text->y - mark->y < 24)
        return (LsEvidence) mark->value;
    }
  g_error ("nothing says how “%s” is known", text->text);
}

/* With less and less room the gates go first, then where the time goes, then the unit, and the chain last;
 * what is left stands in its order, within the card. */
static void
test_rooms (void)
{
  static const char *const parts[] = { "let in", "Inside the step", "unit 2: ", "The chain" };
  guint fewer[G_N_ELEMENTS (parts) + 1] = { 0 };

  for (double height = 900; height > 60; height -= 40)
    for (double width = 640; width > 200; width -= 200)
      {
        g_autoptr (LsViewData) data = NULL;
        g_autoptr (LsLayout) layout = page_of (&data, 5);
        const LsScene *s = layout->still;
        const guint first = s->items->len;
        const LsNetwork *n = layout->own;
        g_autofree char *what = g_strdup_printf ("%g×%g", width, height);
        guint there = 0;
        double y = 0;
        gboolean gone = FALSE;

        ls_network_time_card (n->time, (LsArea){ 100, 3000, width, height });
        /* but for its heading, which stands where the page's does */
        guint rest = first;
        while (rest < s->items->len && (double) ls_scene_get (s, rest)->y < 2900)
          rest++;
        g_assert_nonnull (text_from (s, first, "Time step 5"));
        check_within (s, rest, (LsArea){ 100, 3000, width, height + 1 }, what);
        for (guint i = G_N_ELEMENTS (parts); i-- > 0;)
          {
            const LsItem *text = text_from (s, rest, parts[i]);
            if (text == NULL)
              {
                gone = TRUE;
                continue;
              }
            if (gone && width > 400)
              g_error ("%s: “%s” is there, and what has less to show for its room isn't", what, parts[i]);
            there++;
            if (y > 0 && (double) text->y >= y)
              g_error ("%s: “%s” stands below what comes after it", what, parts[i]);
            y = (double) text->y;
          }
        fewer[there]++;
      }
  for (guint i = 0; i <= G_N_ELEMENTS (parts); i++)
    if (i != 0 && fewer[i] == 0)
      g_error ("no card has %u parts", i);
}

/* However wide the card is, nothing reaches beyond it. */
static void
test_widths (void)
{
  g_autoptr (LsViewData) data = NULL;
  g_autoptr (LsLayout) layout = page_of (&data, 5);

  for (double width = 200; width < 700; width += 5)
    {
      const guint first = layout->still->items->len;
      const LsNetwork *n = layout->own;
      g_autofree char *what = g_strdup_printf ("%g px", width);
      guint rest = first;

      ls_network_time_card (n->time, (LsArea){ 100, 3000, width, 900 });
      while ((double) ls_scene_get (layout->still, rest)->y < 2900)
        rest++;
      check_within (layout->still, rest, (LsArea){ 100, 3000, width, 901 }, what);
    }
}

/* Left of the gates what came before, above them the weights that all steps share, as high and as wide as
 * what they make: four gates of one width, in the order in which the product has them. */
static void
test_gates (void)
{
  for (gint step = 1; step <= 2; step++)
    {
      static const char *const letters[] = { "i", "f", "g", "o" }, *const says[] = { "let in", "keep", "new",
                                                                                     "say" };
      g_autoptr (LsViewData) data = NULL;
      g_autoptr (LsLayout) layout = page_of (&data, step);
      const LsScene *s = layout->still;
      const guint first = s->items->len;
      const LsNetwork *n = layout->own;
      const LsItem *plates[4] = { NULL }, *tracks[3] = { NULL };
      guint n_plates = 0, n_tracks = 0;

      ls_network_time_card (n->time, (LsArea){ 100, 3000, 700, 900 });
      for (guint i = first; i < s->items->len; i++)
        {
          const LsItem *item = ls_scene_get (s, i);
          if (item->kind == LS_ITEM_BOX && item->ink == LS_INK_TRACK)
            {
              g_assert_cmpuint (n_tracks, <, 3);
              tracks[n_tracks++] = item;
            }
          if (item->kind == LS_ITEM_BOX && item->ink == LS_INK_WINDOW)
            {
              g_assert_cmpuint (n_plates, <, 4);
              plates[n_plates++] = item;
            }
        }
      g_assert_cmpuint (n_tracks, ==, 3);
      g_assert_cmpuint (n_plates, ==, 4);
      const LsItem *weights = tracks[0], *before = tracks[1], *made = tracks[2];
      g_assert_cmpfloat_with_epsilon ((double) weights->x, (double) made->x, .01);
      g_assert_cmpfloat_with_epsilon ((double) weights->w, (double) made->w, .01);
      g_assert_cmpfloat_with_epsilon ((double) before->y, (double) made->y, .01);
      g_assert_cmpfloat_with_epsilon ((double) before->h, (double) made->h, .01);
      g_assert_cmpfloat (weights->y + weights->h, <, made->y);
      g_assert_cmpfloat (before->x + before->w, <, made->x);
      g_assert_cmpfloat_with_epsilon (ls_item_right (made), 800, .1);
      for (guint k = 0; k < 4; k++)
        {
          const double middle = (double) (plates[k]->x + plates[k]->w / 2);
          gboolean letter = FALSE, word = FALSE;
          g_assert_cmpfloat_with_epsilon (middle, (double) made->x + (double) made->w * (k + .5) / 4, .5);
          g_assert_cmpfloat (plates[k]->y, >, made->y);
          g_assert_cmpfloat (plates[k]->y + plates[k]->h, <, made->y + made->h);
          for (guint i = first; i < s->items->len; i++)
            {
              const LsItem *item = ls_scene_get (s, i);
              if (item->kind != LS_ITEM_TEXT || fabs ((double) (item->x + item->w / 2) - middle) > 1
                  || item->y < plates[k]->y || item->y > plates[k]->y + plates[k]->h)
                continue;
              letter |= strcmp (item->text, letters[k]) == 0;
              word |= strcmp (item->text, says[k]) == 0;
            }
          if (!letter || !word)
            g_error ("gate %u isn't “%s”, to %s", k + 1, letters[k], says[k]);
        }
      /* in each matrix its name */
      const LsItem *of_weights
        = text_from (s, first, step == 1 ? "nothing came before" : "U₁ᵀ, the same at every step"),
        *of_before = text_from (s, first, step == 1 ? "h = 0" : "h"), *size = text_from (s, first, "6×24");
      g_assert_true (of_weights != NULL && of_weights->y > weights->y
                     && of_weights->y < weights->y + weights->h);
      g_assert_true (of_before != NULL && of_before->y > before->y && of_before->y < before->y + before->h);
      g_assert_cmpfloat_with_epsilon ((double) (of_weights->x + of_weights->w / 2),
                                      (double) (weights->x + weights->w / 2), 1);
      g_assert_cmpint (size != NULL, ==, step == 2);
      g_assert_true (
        size == NULL
        || (size->y < weights->y && ls_item_right (size) > (double) weights->x + (double) weights->w / 2));
    }
}

/* Each lane's product, then its gates, one after the other from the left, then the wait until its end, and
 * there its time; all of it on one scale; CPU above OpenCL. */
static void
test_bars (void)
{
  for (gint step = 3; step <= STEPS; step += 11)
    {
      g_autoptr (LsViewData) data = NULL;
      g_autoptr (LsLayout) layout = page_of (&data, step);
      const LsScene *s = layout->still;
      const guint first = s->items->len;
      const LsNetwork *n = layout->own;
      double per_ns = 0, y = 0;

      ls_network_time_card (n->time, (LsArea){ 100, 3000, 900, 900 });
      g_assert_cmpint (known_as (s, first, text_from (s, first, "as recorded")), ==, LS_EVIDENCE_MEASURED);
      for (guint side = 0; side < LS_SIDES; side++)
        {
          const LsItem *parts[2] = { NULL }, *wait = NULL;
          gint64 start, end;
          guint k = 0;

          g_assert_true (ls_network_time_of (n->time, side, FALSE, (guint) step - 1, &start, &end));
          g_autofree char *all = ls_number_time ((double) (end - start));
          for (guint i = first; i < s->items->len; i++)
            {
              const LsItem *item = ls_scene_get (s, i);
              if (item->kind == LS_ITEM_BOX && item->side == side && item->evidence == LS_EVIDENCE_MEASURED)
                {
                  g_assert_cmpuint (k, <, 2);
                  parts[k++] = item;
                }
            }
          g_assert_cmpuint (k, ==, 2);
          g_assert_cmpint (parts[0]->ink, ==, LS_INK_MARK);
          g_assert_cmpint (parts[1]->ink, ==, LS_INK_SOFT);
          g_assert_cmpfloat_with_epsilon ((double) parts[0]->x, 100, .1);
          g_assert_cmpfloat_with_epsilon (ls_item_right (parts[0]) + 1, (double) parts[1]->x, .5);
          g_assert_cmpfloat ((double) parts[0]->y, >, y);
          y = (double) parts[0]->y;
          const double middle = y + (double) parts[0]->h / 2;
          const LsItem *time = NULL;
          for (guint i = first; i < s->items->len; i++)
            {
              const LsItem *item = ls_scene_get (s, i);
              if (item->kind == LS_ITEM_WAIT && fabs ((double) (item->y + item->h / 2) - middle) < 1)
                wait = item;
              if (item->kind == LS_ITEM_TEXT && strcmp (item->text, all) == 0
                  && fabs ((double) item->y - .36 * item->type.px - middle) < 1)
                time = item;
            }
          if (time == NULL)
            g_error ("step %d, lane %u: its time, %s, doesn't stand behind its bar", step, side, all);
          const double long_px = (double) time->x - 6 - 100;
          if (per_ns > 0)
            g_assert_cmpfloat_with_epsilon (long_px, per_ns * (double) (end - start), 1);
          per_ns = long_px / (double) (end - start);
          g_assert_cmpfloat (ls_item_right (parts[1]), <=, (double) time->x - 5);
          if (wait != NULL)
            {
              g_assert_cmpfloat_with_epsilon (ls_item_right (wait), (double) time->x - 6, 1);
              g_assert_cmpfloat_with_epsilon ((double) wait->x, ls_item_right (parts[1]) + 2, 1.1);
            }
        }
    }
}

/* The unit's own numbers, the first step's from a cell of 0; they are there once the step is computed, and
 * until then that they aren't. */
static void
test_unit (void)
{
  for (gint step = 1; step <= 3; step++)
    {
      g_autoptr (LsViewData) data = NULL;
      g_autoptr (LsLayout) layout = page_of (&data, step);
      const LsScene *s = layout->still;
      const guint first = s->items->len;
      const LsNetwork *n = layout->own;
      const float *gates = ls_recording_values (data->recording, 0, "g0.steps", NULL),
                  *cells = ls_recording_values (data->recording, 0, "c0.steps", NULL),
                  *outs = ls_recording_values (data->recording, 0, "h0.steps", NULL);
      const gint64 at = (step - 1) * BATCH + 3;
      g_autofree char *o = ls_number_text ((double) gates[at * 4 * UNITS + 3 * UNITS + 2], 2),
                      *f = ls_number_text ((double) gates[at * 4 * UNITS + UNITS + 2], 2),
                      *c = ls_number_text ((double) cells[at * UNITS + 2], 3),
                      *h = ls_number_text ((double) outs[at * UNITS + 2], 3),
                      *third = g_strdup_printf ("h = %s · tanh %s = %s", o, c, h),
                      *kept = g_strdup_printf ("c = %s · 0 + ", f);
      gint64 start, end;

      ls_network_time_card (n->time, (LsArea){ 100, 3000, 700, 900 });
      const LsItem *one = text_from (s, first, "unit 2: i "), *two = text_from (s, first, "c = "),
                   *three = text_from (s, first, "h = "),
                   *not_yet = text_from (s, first, "its values: not yet");
      if (step == 1) /* beside the matrix stands “h = 0” */
        three = text_from (s, first, third);
      g_assert_true (one != NULL && two != NULL && three != NULL && not_yet != NULL);
      g_assert_cmpstr (three->text, ==, third);
      g_assert_cmpint (g_str_has_prefix (two->text, kept), ==, step == 1);
      g_assert_true (one->y < two->y && two->y < three->y);
      g_assert_cmpint (known_as (s, first, one), ==, LS_EVIDENCE_MEASURED);
      g_assert_true (ls_network_time_of (n->time, (guint) n->side, FALSE, (guint) step - 1, &start, &end));
      for (const LsItem *const *item = (const LsItem *const[]){ one, two, three, NULL }; *item != NULL;
           item++)
        {
          g_assert_cmpint ((*item)->when, ==, LS_WHEN_DONE);
          g_assert_cmpint ((*item)->t1, ==, end);
        }
      g_assert_cmpint (not_yet->when, ==, LS_WHEN_AHEAD);
      g_assert_cmpint (not_yet->t0, ==, end);
      g_assert_cmpfloat_with_epsilon ((double) not_yet->y, (double) one->y, .1);
    }
}

/* How much of each lane's step the chain is, CPU first: two times and their share, which is derived. */
static void
test_chain (void)
{
  for (guint narrow = 0; narrow < 2; narrow++)
    {
      g_autoptr (LsViewData) data = NULL;
      g_autoptr (LsLayout) layout = page_of (&data, 5);
      const LsScene *s = layout->still;
      const guint first = s->items->len;
      const LsNetwork *n = layout->own;
      double y = 0;

      ls_network_time_card (n->time, (LsArea){ 100, 3000, narrow ? 228 : 700, 900 });
      for (guint side = 0; side < LS_SIDES; side++)
        {
          const LsStepIndex *index = data->sides[side].index;
          gint64 chain = 0;

          for (guint i = 0; i < STEPS; i++)
            for (guint back = 0; back < 2; back++)
              {
                const LsChain *of = back ? n->time->back : n->time->chain;
                for (guint op = of->begin[i]; op < of->begin[i + 1]; op++)
                  chain += index->ops[op].ran ? index->ops[op].end_ns - index->ops[op].start_ns : 0;
              }
          const double share = 100 * (double) chain / (double) index->length_ns;
          g_autofree char *begins = g_strdup_printf ("%s: ", data->sides[side].name);
          const LsItem *text = text_from (s, first, begins);
          if (text == NULL)
            g_error ("the card says nothing of %s", begins);
          g_autofree char *said = plain (g_strdup (text->text)),
                          *whole = plain (ls_number_time ((double) index->length_ns)),
                          *of = g_strdup_printf (" of %s, ", whole);
          double told = 0;
          g_assert_cmpint (strstr (said, of) != NULL, ==, !narrow);
          g_assert_cmpint (
            sscanf (narrow ? said + strlen (begins) : strstr (said, of) + strlen (of), "%lf %%", &told), ==,
            1);
          /* what lies between its ops is the chain's, too */
          if (told < share - 1 || told > 100)
            g_error ("%s, whose steps’ ops take %.1f %% of its step", said, share);
          g_assert_cmpint (known_as (s, first, text), ==, LS_EVIDENCE_DERIVED);
          g_assert_cmpfloat ((double) text->y, >, y);
          y = (double) text->y;
        }
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/paint/network-card/rooms", test_rooms);
  g_test_add_func ("/paint/network-card/widths", test_widths);
  g_test_add_func ("/paint/network-card/gates", test_gates);
  g_test_add_func ("/paint/network-card/bars", test_bars);
  g_test_add_func ("/paint/network-card/unit", test_unit);
  g_test_add_func ("/paint/network-card/chain", test_chain);
  return g_test_run ();
}
