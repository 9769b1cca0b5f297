/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Crossover against plain arithmetic: which cells stand where, who is faster in each, between which of them
 * the line is drawn, what a click on an edge guesses and how that is judged, and what a row's rates cross at.
 */
#include "tests/paint/draw.h"
#include "tests/paint/fixture.h"
#include "tests/paint/said.h"

#include <math.h>
#include <string.h>

#include "ui/paint/crossover/crossover.h"
#include "ui/paint/views.h"

/* A step of the first lane takes 20 µs and .004 µs a sample and unit; of the second 218 and .001: equal where
 * batch times width is 66,000. */
static double
rate (guint lane, LsLabSpot spot)
{
  return 1e6 * spot.x / (lane == 0 ? 20 + .004 * spot.x * spot.y : 218 + .001 * spot.x * spot.y);
}

static gboolean
second_wins (LsLabSpot spot)
{
  return (double) spot.x * spot.y > 66000;
}

/* Every `skip`-th spot isn't measured. */
static LsLabResult *
map_of (const LsExperiment *experiment, guint skip)
{
  g_autoptr (LsOptions) options = ls_options_new ();
  LsLabResult *result = ls_lab_result_new (experiment, options, NULL);
  g_autoptr (GArray) spots = ls_experiment_spots (experiment, options, 2);

  result->n_sizes = spots->len;
  result->rounds = 3;
  result->seconds = 20;
  g_free (result->date);
  result->date = g_strdup ("2026-11-02");
  for (guint i = 0; i < spots->len; i++)
    {
      const LsLabSpot spot = g_array_index (spots, LsLabSpot, i);
      if (skip > 0 && i % skip == 0)
        continue;
      g_array_append_val (result->tried, spot);
      for (guint lane = 0; lane < 2; lane++)
        {
          const double r = rate (lane, spot);
          const LsLabPoint point
            = { spot.x, spot.y, { r, "samples/s", LS_EVIDENCE_MEASURED, 5, r * .999, r * 1.001 }, { 0 } };
          ls_lab_result_add (result, lane, &point);
        }
    }
  result->ended = TRUE;
  return result;
}

static LsViewData *
data_with (LsLabResult *result)
{
  g_autoptr (LsRecording) recording = ls_fixture_recording (&ls_fixture_cores);
  g_autoptr (GPtrArray) lab = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_lab_result_unref);
  LsViewBeside beside = { .lab = lab, .today = (char *) "2026-11-23" };

  if (result != NULL)
    g_ptr_array_add (lab, result);
  return ls_view_data_from_recording (recording, &beside);
}

typedef struct {
  LsViewData *data;
  LsFonts *fonts;
  LsCrossState *state;
  LsLayout *layout;
} Picture;

static void
draw (Picture *p, double width, double height, LsLook look)
{
  LsQuery query = LS_QUERY_INIT;
  LsStyle style;

  ls_style_init (&style, look, 1);
  g_clear_pointer (&p->layout, ls_layout_free);
  query.state = p->state;
  p->layout = ls_layout_new (&ls_view_crossover, p->data, &query, width, height, &style, p->fonts);
}

static void
open_picture (Picture *p, LsLabResult *result)
{
  *p = (Picture){ .data = data_with (result), .fonts = ls_fonts_new ("Cantarell, Sans") };
  p->state = ls_view_state_new (&ls_view_crossover);
  draw (p, 1280, 800, LS_LOOK_LIGHT);
}

static void
close_picture (Picture *p)
{
  ls_layout_free (p->layout);
  ls_view_data_unref (p->data);
  ls_fonts_unref (p->fonts);
  g_free (p->state);
}

/* Also where it goes over several lines. */
static gboolean
told (const LsLayout *layout, const char *words)
{
  g_autofree char *all = all_texts (layout->still, " ");

  if (strstr (all, words) == NULL)
    g_test_message ("no “%s” in: %s", words, all);
  return strstr (all, words) != NULL;
}

/* The text that stands in a cell; NULL: none. */
static const char *
cell_text (const Picture *p, guint col, guint row)
{
  const LsCross *c = p->layout->own;
  const double x = c->left + (col + .5) * c->cell_w, y = c->top + (c->n_y - 1 - row + .5) * c->cell_h;

  for (guint i = 0; i < p->layout->still->items->len; i++)
    {
      const LsItem *item = ls_scene_get (p->layout->still, i);
      if (item->kind == LS_ITEM_TEXT && fabs ((double) (item->x + item->w / 2) - x) < c->cell_w / 3
          && fabs ((double) item->y - y) < c->cell_h / 2 && g_utf8_get_char (item->text) != 'y')
        return item->text;
    }
  return NULL;
}

/* Larger batches stand further right, larger networks further up; a cell says who is faster with an arrow to
 * that lane's side, and how many times. */
static void
test_cells (void)
{
  Picture p;
  guint seen[3] = { 0 };

  open_picture (&p, map_of (&ls_experiment_crossover, 5));
  const LsCross *c = p.layout->own;
  g_assert_cmpuint (c->n_x, ==, 12);
  g_assert_cmpuint (c->n_y, ==, 8);
  g_assert_cmpuint (c->xs[0], ==, 1);
  g_assert_cmpuint (c->ys[7], ==, 4096);
  for (guint row = 0; row < c->n_y; row++)
    for (guint col = 0; col < c->n_x; col++)
      {
        const LsLabSpot spot = ls_cross_spot (c, col, row);
        const double ratio = rate (1, spot) / rate (0, spot), times = MAX (ratio, 1 / ratio);
        const char *text = cell_text (&p, col, row);

        g_test_message ("batch %u, width %u: %s", spot.x, spot.y, text);
        g_assert_nonnull (text);
        if (!ls_lab_result_tried (c->result, spot))
          {
            g_assert_cmpstr (text, ==, "–");
            seen[0]++;
          }
        else if (times < LS_LAB_EQUAL)
          {
            g_assert_cmpstr (text, ==, "equal");
            seen[1]++;
          }
        else
          {
            g_assert_true (second_wins (spot) ? g_str_has_suffix (text, "▸") : g_str_has_prefix (text, "◂"));
            g_assert_cmpfloat (
              fabs (
                g_strtod (second_wins (spot) ? text : text + strlen ("◂") + (text[strlen ("◂")] == ' '), NULL)
                  / times
                - 1),
              <, .06);
            seen[2]++;
          }
      }
  g_assert_cmpuint (seen[0], ==, 20);
  g_assert_cmpuint (seen[1], >, 0);
  g_assert_cmpuint (seen[2], >, 60);
  close_picture (&p);
}

/* Each edge of the double line has a cell on either side that another lane won; nowhere else is one. */
static void
test_line (void)
{
  Picture p;
  guint drawn = 0, wanted = 0;

  open_picture (&p, map_of (&ls_experiment_crossover, 0));
  const LsCross *c = p.layout->own;
  for (guint i = 0; i < p.layout->still->items->len; i++)
    {
      const LsItem *item = ls_scene_get (p.layout->still, i);
      double x, y, w, h;

      if (item->kind != LS_ITEM_LINE || item->evidence != LS_EVIDENCE_DERIVED)
        continue;
      ls_item_bounds (p.layout->still, item, &x, &y, &w, &h);
      if (x + w / 2 < c->left - 2 || x + w / 2 > c->left + c->n_x * c->cell_w || y + h / 2 < c->top - 2
          || y + h / 2 > c->top + c->n_y * c->cell_h)
        continue;
      const gboolean upright = h > w;
      const guint col = (guint) ((x + w / 2 - c->left) / c->cell_w - (upright ? .5 : 0)),
                  row = c->n_y - 1 - (guint) ((y + h / 2 - c->top) / c->cell_h + (upright ? 0 : .5));
      g_assert_cmpuint (row + !upright, <, c->n_y);
      g_assert_cmpuint (col + upright, <, c->n_x);
      const LsLabSpot here = ls_cross_spot (c, col, row),
                      other = upright ? ls_cross_spot (c, col + 1, row) : ls_cross_spot (c, col, row + 1);
      g_assert_true (second_wins (here) != second_wins (other));
      drawn++;
    }
  for (guint row = 0; row < c->n_y; row++)
    for (guint col = 0; col < c->n_x; col++)
      {
        const gboolean here = second_wins (ls_cross_spot (c, col, row));
        wanted += col + 1 < c->n_x && second_wins (ls_cross_spot (c, col + 1, row)) != here;
        wanted += row + 1 < c->n_y && second_wins (ls_cross_spot (c, col, row + 1)) != here;
      }
  g_assert_cmpuint (drawn, ==, wanted);
  close_picture (&p);
}

static LsAct
click (Picture *p, double x, double y)
{
  LsQuery query = LS_QUERY_INIT;
  LsAct act;

  query.state = p->state;
  act = ls_view_crossover.point (p->layout, x, y, &query);
  draw (p, 1280, 800, LS_LOOK_LIGHT);
  return act;
}

static LsAct
press (Picture *p, LsViewKey key)
{
  LsQuery query = LS_QUERY_INIT;
  LsAct act;

  query.state = p->state;
  act = ls_view_crossover.key (p->layout, key, &query);
  draw (p, 1280, 800, LS_LOOK_LIGHT);
  return act;
}

/* A guess drawn before anything is measured stays, and is judged by the cells in its rows that have a winner.
 */
static void
test_guess (void)
{
  Picture p;
  guint cells, right, all = 0, good = 0;

  open_picture (&p, NULL);
  const LsCross *c = p.layout->own;
  g_assert_cmpint (press (&p, LS_KEY_DRAW), ==, LS_ACT_CHANGED);
  g_assert_true (told (p.layout, "A click on an edge"));
  c = p.layout->own;
  for (guint row = 2; row < 6; row++, c = p.layout->own) /* from the fifth batch on */
    click (&p, c->left + 4.1 * c->cell_w, c->top + (c->n_y - 1 - row + .5) * c->cell_h);
  c = p.layout->own;
  g_assert_cmpint (p.state->guess[0][1], ==, LS_NO_GUESS);
  g_assert_cmpint (p.state->guess[0][3], ==, 4);
  g_assert_true (told (p.layout, "no cell with a winner"));

  ls_view_data_unref (p.data);
  p.data = data_with (map_of (&ls_experiment_crossover, 0));
  draw (&p, 1280, 800, LS_LOOK_LIGHT);
  c = p.layout->own;
  ls_cross_judge (c, &cells, &right);
  for (guint row = 2; row < 6; row++)
    for (guint col = 0; col < c->n_x; col++)
      {
        const LsLabSpot spot = ls_cross_spot (c, col, row);
        if (ls_lab_wins (c->result, spot, NULL) == LS_WINS_NEITHER)
          continue;
        all++;
        good += second_wins (spot) == (col >= 4);
      }
  g_assert_cmpuint (cells, ==, all);
  g_assert_cmpuint (right, ==, good);
  g_autofree char *words = g_strdup_printf ("Our guess: %u of %u measured cells on the right side", good,
                                            all);
  g_assert_true (told (p.layout, words));

  /* the same edge again takes it back */
  click (&p, c->left + 4.1 * c->cell_w, c->top + (c->n_y - 1 - 3 + .5) * c->cell_h);
  g_assert_cmpint (p.state->guess[0][3], ==, LS_NO_GUESS);
  close_picture (&p);
}

/* By keys: Enter picks one's own cell first, arrows go on, up is larger, and what it says are that cell's
 * rates. */
static void
test_keys (void)
{
  Picture p;
  const LsCross *c;

  open_picture (&p, map_of (&ls_experiment_crossover, 0));
  g_assert_cmpint (press (&p, LS_KEY_UP), ==, LS_ACT_NONE);
  g_assert_cmpint (press (&p, LS_KEY_PICK), ==, LS_ACT_CHANGED);
  c = p.layout->own;
  g_assert_cmpuint (c->xs[p.state->col], ==, c->own.x);
  g_assert_cmpuint (c->ys[p.state->row], ==, c->own.y);
  press (&p, LS_KEY_UP);
  press (&p, LS_KEY_LEFT);
  c = p.layout->own;
  g_assert_cmpuint (c->xs[p.state->col], ==, c->own.x / 2);
  g_assert_cmpuint (c->ys[p.state->row], ==, c->own.y * 2);
  g_autofree char *words = g_strdup_printf ("width %u, batch %u: CPU", c->own.y * 2, c->own.x / 2);
  g_assert_true (told (p.layout, words));
  for (guint i = 0; i < 40; i++)
    press (&p, LS_KEY_RIGHT);
  g_assert_cmpuint (p.state->col, ==, 11);
  press (&p, LS_KEY_LET_GO);
  g_assert_false (p.state->picked);
  g_assert_cmpint (press (&p, LS_KEY_LET_GO), ==, LS_ACT_NONE);
  close_picture (&p);
}

/* A lane that couldn't do a spot: the cell is a dash, and picked it says why. */
static void
test_why (void)
{
  g_autoptr (LsOptions) options = ls_options_new ();
  LsLabResult *result = ls_lab_result_new (&ls_experiment_crossover, options, NULL);
  const LsLabSpot spot = { 128, 256 };
  const LsLabPoint point = { 128, 256, { 1000, "samples/s", LS_EVIDENCE_MEASURED, 5, 900, 1100 }, { 0 } };
  Picture p;

  g_array_append_val (result->tried, spot);
  ls_lab_result_add (result, 0, &point);
  ls_lab_result_add_missing (result, 1, spot, "No memory is left on the device.");
  result->n_sizes = 96;
  open_picture (&p, result);
  press (&p, LS_KEY_PICK);
  g_assert_true (told (p.layout, "No memory is left on the device."));
  g_assert_true (told (p.layout, "broken off on"));
  close_picture (&p);
}

/* The words for how long ago that was. */
static void
test_age (void)
{
  static const struct {
    const char *date, *today, *words;
  } cases[] = {
    { "2026-11-23", "2026-11-23", "today" },
    { "2026-11-22", "2026-11-23", "1 day ago" },
    { "2026-11-02", "2026-11-23", "3 weeks ago" },
    { "2026-12-24", "2026-11-23", "today" },
    { "2025-11-23", "2026-11-23", "12 months ago" },
    { "x", "2026-11-23", NULL },
    { "2026-11-02", NULL, NULL },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *words = ls_cross_age (cases[i].date, cases[i].today);
      g_assert_cmpstr (words, ==, cases[i].words);
    }
}

/* While it is measured: how far it is, which spot, how long yet; and the button stops it. */
static void
test_measuring (void)
{
  g_autoptr (LsRecording) recording = ls_fixture_recording (&ls_fixture_cores);
  g_autoptr (LsLabResult) result = map_of (&ls_experiment_crossover, 2);
  LsViewBeside beside = { .measuring = { &ls_experiment_crossover, result, { 64, 256 }, 48, 96, 73.2 },
                          .today = (char *) "2026-11-23" };
  Picture p = { .data = ls_view_data_from_recording (recording, &beside),
                .fonts = ls_fonts_new ("Cantarell, Sans") };
  gboolean button = FALSE;

  p.state = ls_view_state_new (&ls_view_crossover);
  draw (&p, 1280, 800, LS_LOOK_LIGHT);
  g_assert_true (told (p.layout, "48 of 96"));
  g_assert_true (told (p.layout, "width 256, batch 64"));
  g_assert_true (told (p.layout, "1 min 14 s left"));
  for (guint i = 0; i < p.layout->slots->len; i++)
    {
      const LsSlot *slot = &g_array_index (p.layout->slots, LsSlot, i);
      if (slot->kind != LS_SLOT_LAB)
        continue;
      g_assert_cmpstr (slot->words, ==, "Stop");
      button = TRUE;
    }
  g_assert_true (button);
  close_picture (&p);
}

/* Nothing lies over anything else or outside at any size, with and without a result. */
static void
test_sizes (void)
{
  static const double sizes[][2]
    = { { 960, 520 }, { 1230, 720 }, { 1280, 800 }, { 1920, 1080 }, { 3840, 2160 } };

  for (guint with = 0; with < 2; with++)
    for (gsize i = 0; i < G_N_ELEMENTS (sizes); i++)
      for (LsLook look = 0; look < LS_LOOK_N; look++)
        for (guint axes = 0; axes < LS_CROSS_N_AXES; axes++)
          {
            Picture p;
            g_autofree char *fault = NULL;

            if (look == LS_LOOK_PROJECTOR && sizes[i][0] < 1200)
              continue;
            open_picture (&p, with ? map_of (&ls_experiment_crossover, 3) : NULL);
            p.state->axes = axes;
            p.state->picked = p.state->guessing = TRUE;
            for (guint row = 0; row < 6; row++)
              p.state->guess[axes][row] = (gint8) (9 - row);
            draw (&p, sizes[i][0], sizes[i][1], look);
            fault = ls_layout_fault (p.layout);
            g_test_message ("%.0f×%.0f, %s, %s", sizes[i][0], sizes[i][1], ls_look_name (look),
                            fault != NULL ? fault : "");
            g_assert_null (fault);
            close_picture (&p);
          }
}

/* The map's ratios carry the sign and the word while their lanes aren't compared fairly. */
static void
test_unfair (void)
{
  for (guint unfair = 0; unfair < 2; unfair++)
    {
      LsLabResult *result = map_of (&ls_experiment_crossover, 0);
      g_autoptr (LsOptions) options = ls_options_copy (result->options);
      Picture p;
      guint signs = 0, words = 0;

      options->cpu_kernels = unfair ? LS_CPU_KERNELS_NAIVE : LS_CPU_KERNELS_BLAS;
      g_ptr_array_unref (result->specs);
      result->specs = ls_lane_specs_new (options, NULL);
      open_picture (&p, result);
      draw (&p, 1280, 800, LS_LOOK_LIGHT);
      for (guint i = 0; i < p.layout->still->items->len; i++)
        {
          const LsItem *item = ls_scene_get (p.layout->still, i);
          signs += item->kind == LS_ITEM_WARNING && item->ink == LS_INK_AMBER;
          words += item->kind == LS_ITEM_TEXT && strstr (item->text, "Unfair") != NULL;
        }
      g_assert_cmpuint (signs, ==, unfair);
      g_assert_cmpuint (words, ==, unfair);
      close_picture (&p);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/paint/crossover/cells", test_cells);
  g_test_add_func ("/paint/crossover/line", test_line);
  g_test_add_func ("/paint/crossover/guess", test_guess);
  g_test_add_func ("/paint/crossover/keys", test_keys);
  g_test_add_func ("/paint/crossover/why", test_why);
  g_test_add_func ("/paint/crossover/age", test_age);
  g_test_add_func ("/paint/crossover/measuring", test_measuring);
  g_test_add_func ("/paint/crossover/sizes", test_sizes);
  g_test_add_func ("/paint/crossover/unfair", test_unfair);
  return g_test_run ();
}
