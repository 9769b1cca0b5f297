/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Claims against plain arithmetic: where marks stand, what is told, what a click and a key come to, and which
 * rows are shown.
 */
#include "claims_rig.h"

#include <math.h>
#include <string.h>

static LsClaimsState *
asked (const Picture *p)
{
  return p->state;
}

/* "": there is no button. */
static const char *
button_words (const Picture *p)
{
  const LsSlot *there = slot (p, LS_SLOT_LAB);

  return there != NULL ? there->words : "";
}

/* Where a share of what is claimed stands, by the scale's ends alone. */
static double
place_of (const Picture *p, double share)
{
  const LsAxis *axis = &geometry (p)->axis;

  return axis->from + (axis->to - axis->from) * log (share / axis->low) / log (axis->high / axis->low);
}

/* How many marks of that kind and ink stand at x in the row's half: 0 the upper, 1 the lower. */
static guint
marks_at (const Picture *p, guint row, guint half, LsItemKind kind, LsInk ink, double x)
{
  const LsClaimsPlace place = geometry (p)->places[row];
  guint n = 0;

  for (guint i = 0; i < p->layout->still->items->len; i++)
    {
      const LsItem *item = ls_scene_get (p->layout->still, i);
      double left, top, w, h;

      if (item->kind != kind || item->ink != ink)
        continue;
      ls_item_bounds (p->layout->still, item, &left, &top, &w, &h);
      n += fabs (left + w / 2 - x) < 1 && top + h / 2 > place.y + half * place.h / 2
           && top + h / 2 < place.y + (half + 1) * place.h / 2;
    }
  return n;
}

static void
test_marks (void)
{
  static const struct {
    guint row, half;
    LsItemKind kind;
    LsInk ink;
    double share;
    const char *what;
  } marks[] = {
    { ROW_RANGE, 0, LS_ITEM_RINGS, LS_INK_TEXT, .6, "the guess of 6 where 10 to 100 is claimed" },
    { ROW_RANGE, 1, LS_ITEM_RINGS, LS_INK_TEXT, .15, "a ratio of both lanes is no lane’s" },
    { ROW_STAIRS, 0, LS_ITEM_RINGS, LS_INK_TEXT, .12, "the guess of 1.2 s" },
    { ROW_STAIRS, 1, LS_ITEM_DOTS, LS_INK_MARK, .00044, "what was measured is a dot" },
    { ROW_BOTH, 1, LS_ITEM_RINGS, LS_INK_MARK, .2, "what was derived is a ring" },
    { ROW_BOTH, 1, LS_ITEM_RINGS, LS_INK_MARK, 1.38, "the OpenCL lane’s" },
    { ROW_STAND_IN, 1, LS_ITEM_DOTTED, LS_INK_TEXT, 2, "what is published is dotted" },
    { ROW_GUESSED, 0, LS_ITEM_RINGS, LS_INK_TEXT, 30, "the guess, before it is run" },
  };
  Picture p;

  open_picture (&p, FALSE, 1920, 1080);
  for (guint i = 0; i < G_N_ELEMENTS (marks); i++)
    if (marks_at (&p, marks[i].row, marks[i].half, marks[i].kind, marks[i].ink, place_of (&p, marks[i].share))
        != 1)
      g_test_fail_printf ("row %u, %g of what is claimed: %s: not there", marks[i].row, marks[i].share,
                          marks[i].what);
  g_assert_cmpuint (marks_at (&p, ROW_OPEN, 0, LS_ITEM_RINGS, LS_INK_TEXT, place_of (&p, 1)), ==, 0);
  /* the box of a range begins as claimed and ends at 10 times that */
  const double box = (place_of (&p, 1) + place_of (&p, 10)) / 2;
  g_assert_cmpuint (marks_at (&p, ROW_RANGE, 1, LS_ITEM_DOTTED, LS_INK_TEXT, box), ==, 1);
  close_picture (&p);
}

static void
test_words (void)
{
  Picture p;

  open_picture (&p, FALSE, 1920, 1080);
  g_assert_true (told (&p, "“Memory bandwidth is the bottleneck.”"));
  g_assert_true (
    told (&p, "Lee et al.: Debunking the 100X GPU vs. CPU Myth; read as: over half of the step"));
  g_assert_true (told (&p, "Half true"));
  g_assert_true (told (&p, "left of the roof’s knee"));
  g_assert_true (told (&p, "Not measurable here") && told (&p, "Not run yet"));
  g_assert_true (told (&p, "as claimed"));
  g_assert_true (told (&p, " 6×"));
  g_assert_true (told (&p, " 1.6×")); /* a guess has the figures that were meant */
  g_assert_true (told (&p, "2.80×")); /* an outcome three */
  g_autofree char *closed = ls_layout_describe (p.layout);
  g_assert_nonnull (strstr (closed,
                            "8 claims: 1 true, 1 half true, 2 not here, 1 open, 1 not measurable here, 2 not "
                            "run yet."));
  asked (&p)->open = ROW_BOTH;
  draw (&p);
  g_autofree char *opened = ls_layout_describe (p.layout);
  g_assert_nonnull (strstr (opened, "Opened: “Memory bandwidth is the bottleneck.” Half true"));
  g_assert_nonnull (strstr (opened, "Guessed: 75"));
  close_picture (&p);
}

static void
test_opened (void)
{
  Picture p;

  open_picture (&p, FALSE, 1920, 1080);
  const LsClaimsPlace place = geometry (&p)->places[ROW_STAIRS];
  g_assert_cmpint (click (&p, geometry (&p)->sentence.x + 5, place.y + place.h / 2), ==, LS_ACT_CHANGED);
  g_assert_cmpint (asked (&p)->open, ==, ROW_STAIRS);
  g_assert_true (told (&p, "The same product, five ways"));
  /* each step says how many times it is: 10 / 1.31, 1.31 / .0262, .0262 / .0018, 1.8 / .79 */
  g_assert_true (told (&p, "÷ 7.6") && told (&p, "÷ 50"));
  g_assert_true (told (&p, "÷ 15") && told (&p, "÷ 2.3"));
  g_assert_true (told (&p, "26.2"));
  g_assert_true (told (&p, "a language that needs 10 ns"));
  g_assert_true (told (&p, "Myth, 2010; read on 2026-11-24"));
  g_assert_true (told (&p, "https://example.org/debunking"));
  const LsSlot *source = slot (&p, LS_SLOT_SOURCE);
  if (source == NULL)
    g_error ("the source is no place to click");
  g_assert_cmpint (click (&p, source->x + 5, source->y + source->h / 2), ==, LS_ACT_OPEN);
  g_assert_cmpstr (opens (&p), ==, "https://example.org/debunking");
  g_assert_cmpint (press (&p, LS_KEY_SOURCE), ==, LS_ACT_OPEN);
  g_assert_null (slot (&p, LS_SLOT_LAB)); /* a recording isn't run */
  click (&p, geometry (&p)->sentence.x + 5, geometry (&p)->places[ROW_STAIRS].y + 5);
  g_assert_cmpint (asked (&p)->open, ==, -1);
  g_assert_null (slot (&p, LS_SLOT_SOURCE));
  g_assert_null (opens (&p));
  g_assert_cmpint (press (&p, LS_KEY_SOURCE), ==, LS_ACT_NONE);
  close_picture (&p);
}

/* A published figure in the place of what isn't here opens its own page, by a click on its title and by keys.
 */
static void
test_instead (void)
{
  static const double sizes[][2] = { { 1280, 800 }, { 1920, 1080 } };
  Picture p;

  open_picture (&p, FALSE, 1920, 1080);
  for (gsize i = 0; i < G_N_ELEMENTS (sizes); i++)
    {
      const LsSlot *own = NULL;

      asked (&p)->open = ROW_STAND_IN;
      asked (&p)->source = 0;
      draw_at (&p, sizes[i][0], sizes[i][1], LS_LOOK_LIGHT);
      g_assert_true (told (&p, "Tensor cores in print"));
      g_assert_cmpstr (opens (&p), ==, "https://example.org/debunking");
      for (guint k = 0; k < p.layout->slots->len; k++)
        {
          const LsSlot *slot = &g_array_index (p.layout->slots, LsSlot, k);
          own = slot->kind == LS_SLOT_SOURCE && slot->op == 1 ? slot : own;
        }
      if (own == NULL)
        g_error ("the published figure is no place to click");
      g_assert_cmpfloat (own->h, >=, 12);
      g_assert_cmpint (click (&p, own->x + 5, own->y + own->h / 2), ==, LS_ACT_OPEN);
      g_assert_cmpstr (opens (&p), ==, "https://example.org/tensor");
      g_assert_cmpint (asked (&p)->open, ==, ROW_STAND_IN); /* and the row stays open */
      g_assert_cmpint (press (&p, LS_KEY_PAGE), ==, LS_ACT_CHANGED);
      g_assert_cmpstr (opens (&p), ==, "https://example.org/debunking");
      g_assert_cmpint (press (&p, LS_KEY_PAGE), ==, LS_ACT_CHANGED);
      g_assert_cmpint (press (&p, LS_KEY_SOURCE), ==, LS_ACT_OPEN);
      g_assert_cmpstr (opens (&p), ==, "https://example.org/tensor");
      g_autofree char *spoken = ls_layout_describe (p.layout);
      g_assert_nonnull (strstr (spoken, "O opens: Tensor cores in print, https://example.org/tensor."));
      assert_faultless (p.layout);
    }
  /* another row begins with its own */
  g_assert_cmpint (press (&p, LS_KEY_UP), ==, LS_ACT_CHANGED);
  g_assert_cmpstr (opens (&p), ==, "https://example.org/debunking");
  close_picture (&p);
}

/* Between ways that do different things there is no step. */
static void
test_groups (void)
{
  Picture p;

  open_picture (&p, FALSE, 1920, 1080);
  LsClaim *claim = geometry (&p)->claims->rows[ROW_STAIRS].claim;
  for (guint i = 0; i < claim->n_ways; i++)
    {
      g_free (claim->ways[i].run);
      claim->ways[i].run = g_strdup (i == 0   ? NULL
                                     : i == 1 ? "product\t1000"
                                     : i == 2 ? "copied\t1000"
                                              : "step\tmlp\tmnist\t128");
    }
  asked (&p)->open = ROW_STAIRS;
  draw (&p);
  g_assert_true (told (&p, "÷ 7.6") && told (&p, "÷ 50") && told (&p, "÷ 2.3"));
  if (told (&p, "÷ 15"))
    g_test_fail_printf ("a step leads from a product to a training step");
  close_picture (&p);
}

static void
test_keys (void)
{
  Picture p;

  open_picture (&p, TRUE, 1280, 800);
  g_assert_cmpint (press (&p, LS_KEY_LEFT), ==, LS_ACT_NONE);
  g_assert_cmpint (press (&p, LS_KEY_DOWN), ==, LS_ACT_CHANGED);
  g_assert_cmpint (asked (&p)->open, ==, 0);
  for (guint i = 0; i < 20; i++)
    press (&p, LS_KEY_DOWN);
  g_assert_cmpint (asked (&p)->open, ==, N_ROWS - 1);
  press (&p, LS_KEY_UP);
  g_assert_cmpint (asked (&p)->open, ==, N_ROWS - 2);
  g_assert_cmpint (press (&p, LS_KEY_LET_GO), ==, LS_ACT_CHANGED);
  g_assert_cmpint (asked (&p)->open, ==, -1);
  g_assert_cmpint (press (&p, LS_KEY_LET_GO), ==, LS_ACT_NONE);
  g_assert_cmpint (press (&p, LS_KEY_PICK), ==, LS_ACT_CHANGED);
  g_assert_cmpint (asked (&p)->open, ==, 0);
  for (gint row = N_ROWS - 1; row <= N_ROWS; row++) /* the file of claims may have become shorter */
    {
      asked (&p)->open = row;
      draw (&p);
      g_autofree char *said = ls_layout_describe (p.layout);
      if ((geometry (&p)->body.h > 0) != (row < N_ROWS)
          || (strstr (said, "Opened: ") != NULL) != (row < N_ROWS))
        g_error ("of %d claims, number %d is%s open", N_ROWS, row + 1, row < N_ROWS ? " not" : "");
    }
  close_picture (&p);
}

static LsWish
wish_of (const Picture *p)
{
  LsQuery query = LS_QUERY_INIT;
  LsWish wish = LS_WISH_NOTHING;

  query.state = p->state;
  ls_view_claims.wish (p->data, &query, &wish);
  return wish;
}

/* A click on the scale guesses where it is, keys by a tenth of a decade; never of what has an outcome. */
static void
test_guess (void)
{
  Picture p;

  open_picture (&p, TRUE, 1280, 800);
  g_assert_null (wish_of (&p).guess.claim);
  const LsClaimsPlace row = geometry (&p)->places[ROW_NOT_BEGUN];
  click (&p, place_of (&p, .3), row.y + row.h / 2);
  g_assert_cmpint (asked (&p)->open, ==, ROW_NOT_BEGUN);
  g_assert_cmpstr (wish_of (&p).guess.claim, ==, "not-begun");
  g_assert_cmpfloat_with_epsilon (wish_of (&p).guess.value, .3, 1e-9);
  g_assert_cmpuint (marks_at (&p, ROW_NOT_BEGUN, 0, LS_ITEM_RINGS, LS_INK_TEXT, place_of (&p, .3)), ==, 1);
  g_assert_cmpint (press (&p, LS_KEY_RIGHT), ==, LS_ACT_CHANGED);
  g_assert_cmpfloat_with_epsilon (wish_of (&p).guess.value, .38, 1e-9);
  press (&p, LS_KEY_LEFT);
  press (&p, LS_KEY_LEFT);
  g_assert_cmpfloat_with_epsilon (wish_of (&p).guess.value, .24, 1e-9);

  const LsClaimsPlace over = geometry (&p)->places[ROW_TRUE];
  click (&p, place_of (&p, .3), over.y + over.h / 2);
  g_assert_cmpint (asked (&p)->open, ==, ROW_TRUE);
  g_assert_cmpstr (wish_of (&p).guess.claim, ==, "not-begun"); /* it has an outcome */
  g_assert_cmpint (press (&p, LS_KEY_RIGHT), ==, LS_ACT_NONE);
  close_picture (&p);

  open_picture (&p, FALSE, 1280, 800);
  click (&p, place_of (&p, .3), geometry (&p)->places[ROW_NOT_BEGUN].y + 5);
  g_assert_null (wish_of (&p).guess.claim); /* nor in a recording */
  close_picture (&p);
}

static char *
runs_of (const Picture *p)
{
  LsQuery query = LS_QUERY_INIT;
  g_autoptr (GPtrArray) names = NULL;

  query.state = p->state;
  names = ls_view_claims.runs (p->data, &query);
  g_ptr_array_add (names, NULL);
  return g_strjoinv (" ", (char **) names->pdata);
}

/* The button is there once there is a guess, and says what it does. */
static void
test_runs (void)
{
  Picture p;

  open_picture (&p, TRUE, 1280, 800);
  g_autofree char *all = runs_of (&p);
  g_assert_cmpstr (all, ==, "guessed");
  g_assert_cmpstr (button_words (&p), ==, "Run All");

  asked (&p)->open = ROW_NOT_BEGUN;
  draw (&p);
  g_assert_null (slot (&p, LS_SLOT_LAB));
  g_assert_true (told (&p, "Guess first"));
  press (&p, LS_KEY_RIGHT);
  g_assert_cmpstr (button_words (&p), ==, "Run");
  g_autofree char *one = runs_of (&p);
  g_assert_cmpstr (one, ==, "not-begun");

  asked (&p)->open = ROW_BOTH;
  draw (&p);
  g_assert_cmpstr (button_words (&p), ==, "Run Again");
  p.data->measuring = (LsViewLab){ .claim = "both", .done = 3, .n = 10 };
  draw (&p);
  g_assert_cmpstr (button_words (&p), ==, "Stop");
  g_assert_true (told (&p, "3 of 10 turns"));
  asked (&p)->open = ROW_GUESSED; /* what is being run is guessed no more */
  p.data->measuring.claim = p.data->claims->rows[ROW_GUESSED].claim->name;
  asked (&p)->guess_row = -1;
  draw (&p);
  press (&p, LS_KEY_RIGHT);
  g_assert_cmpint (asked (&p)->guess_row, ==, -1);
  asked (&p)->open = ROW_BOTH;
  p.data->measuring = (LsViewLab){ 0 };

  asked (&p)->open = -1;
  p.data->claims->rows[ROW_GUESSED].guessed = FALSE;
  draw (&p);
  g_assert_cmpstr (button_words (&p), ==, "Run All Again");
  g_autofree char *again = runs_of (&p);
  g_assert_cmpstr (again, ==, "range stairs both true stand-in");

  /* nothing to run yet: how one comes to it stands in its place */
  g_assert_false (told (&p, "guess, then run it"));
  for (guint i = 0; i < p.data->claims->n; i++)
    {
      p.data->claims->rows[i].guessed = FALSE;
      g_clear_pointer (&p.data->claims->rows[i].result, ls_claim_result_unref);
    }
  draw (&p);
  g_assert_null (slot (&p, LS_SLOT_LAB));
  g_assert_true (told (&p, "guess, then run it"));
  close_picture (&p);
}

/* Whatever is opened, at whatever size, its row is there, nothing lies over anything, and what isn't shown is
 * counted. */
static void
test_sizes (void)
{
  static const struct {
    double w, h;
    LsLook look;
  } sizes[] = { { 960, 600, LS_LOOK_LIGHT },      { 670, 420, LS_LOOK_LIGHT },
                { 1280, 800, LS_LOOK_DARK },      { 1920, 1080, LS_LOOK_LIGHT },
                { 3840, 2160, LS_LOOK_LIGHT },    { 1920, 1080, LS_LOOK_PROJECTOR },
                { 1024, 768, LS_LOOK_PROJECTOR }, { 1280, 720, LS_LOOK_PRINT } };
  Picture p;

  open_picture (&p, TRUE, 960, 600);
  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    for (gint open = -1; open < N_ROWS; open++)
      {
        g_autofree char *fault = NULL;

        asked (&p)->open = open;
        draw_at (&p, sizes[i].w, sizes[i].h, sizes[i].look);
        fault = ls_layout_fault (p.layout);
        if (fault != NULL)
          g_test_fail_printf ("%g×%g, row %d opened: %s", p.width, p.height, open, fault);
        const LsClaimsPicture *c = geometry (&p);
        if (open >= 0 && !(c->places[open].h > 0))
          g_test_fail_printf ("%g×%g: row %d is opened and isn’t shown", p.width, p.height, open);
        g_autofree char *more = g_strdup_printf ("%u more below", N_ROWS - c->end);
        if (c->end < N_ROWS && c->more_below < c->area.y + c->area.h)
          g_assert_true (told (&p, more));
        for (guint row = 0; row < N_ROWS; row++)
          if ((c->places[row].h > 0) != (row >= c->first && row < c->end))
            g_test_fail_printf ("%g×%g: row %u is counted wrong", p.width, p.height, row);
      }
  close_picture (&p);
}

static void
test_further_rows (void)
{
  Picture p;

  open_picture (&p, FALSE, 960, 420);
  g_assert_cmpuint (geometry (&p)->first, ==, 0);
  g_assert_cmpuint (geometry (&p)->end, <, N_ROWS);
  for (guint i = 0; i < 4 && geometry (&p)->end < N_ROWS; i++)
    g_assert_cmpint (click (&p, geometry (&p)->sentence.x, geometry (&p)->more_below), ==, LS_ACT_CHANGED);
  g_assert_cmpuint (geometry (&p)->end, ==, N_ROWS);
  g_assert_cmpuint (geometry (&p)->first, >, 0);
  for (guint i = 0; i < 4 && geometry (&p)->first > 0; i++)
    g_assert_cmpint (click (&p, geometry (&p)->sentence.x, geometry (&p)->more_above), ==, LS_ACT_CHANGED);
  g_assert_cmpuint (geometry (&p)->first, ==, 0);
  close_picture (&p);
}

static void
test_none (void)
{
  Picture p;

  open_picture (&p, TRUE, 1280, 800);
  g_clear_pointer (&p.data->claims, ls_claims_unref);
  draw (&p);
  g_assert_true (told (&p, "can’t be read"));
  g_assert_cmpint (press (&p, LS_KEY_DOWN), ==, LS_ACT_NONE);
  g_assert_null (wish_of (&p).guess.claim);
  g_autofree char *none = runs_of (&p);
  g_assert_cmpstr (none, ==, "");
  close_picture (&p);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/paint/claims/marks", test_marks);
  g_test_add_func ("/paint/claims/words", test_words);
  g_test_add_func ("/paint/claims/opened", test_opened);
  g_test_add_func ("/paint/claims/groups", test_groups);
  g_test_add_func ("/paint/claims/instead", test_instead);
  g_test_add_func ("/paint/claims/keys", test_keys);
  g_test_add_func ("/paint/claims/guess", test_guess);
  g_test_add_func ("/paint/claims/runs", test_runs);
  g_test_add_func ("/paint/claims/sizes", test_sizes);
  g_test_add_func ("/paint/claims/further-rows", test_further_rows);
  g_test_add_func ("/paint/claims/none", test_none);
  return g_test_run ();
}
