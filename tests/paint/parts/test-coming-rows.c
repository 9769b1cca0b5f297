/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The ops of a lane that comes, one by one: which rows there are, what each says of its kernel, on which side
 * and in which order they stand, and which of them there are where not all have room.
 */
#include <math.h>
#include <string.h>

#include "tests/paint/draw.h"
#include "tests/paint/said.h"
#include "tests/paint/states.h"
#include "ui/paint/parts/coming.h"
#include "ui/paint/parts/coming_rows.h"
#include "ui/paint/views.h"

static LsFonts *fonts;

static char *
state_of (const LsComingRow *row)
{
  char *words = ls_coming_state (row);

  return words != NULL ? words : g_strdup ("(nothing)");
}

/* What is told of a row, and whether that is measured, runs, or is a time at all. */
static void
test_states (void)
{
  static const struct {
    LsBuildState state;
    gint same_as;
    double seconds;
    guint count;
    gboolean known, next;
    const char *words;
    gboolean measured, runs;
  } cases[] = {
    { LS_BUILD_DONE, -1, .61, 1, TRUE, FALSE, "built in 0.61 s", TRUE, FALSE },
    { LS_BUILD_DONE, -1, 1.26, 1, TRUE, FALSE, "built in 1.3 s", TRUE, FALSE },
    { LS_BUILD_RUNNING, -1, 9.9, 1, TRUE, FALSE, "compiling, 9.9 s so far", TRUE, TRUE },
    { LS_BUILD_RUNNING, -1, 10, 1, TRUE, FALSE, "compiling, 10.0 s so far", TRUE, TRUE },
    { LS_BUILD_DONE, -1, 12.34, 1, TRUE, FALSE, "built in 12.3 s", TRUE, FALSE },
    { LS_BUILD_DONE, -1, 0, 1, TRUE, FALSE, "taken from the disk", FALSE, FALSE },
    { LS_BUILD_DONE, -1, 0, 3, TRUE, FALSE, "built", FALSE, FALSE },
    { LS_BUILD_DONE, 2, .61, 1, TRUE, FALSE, "the same kernel", FALSE, FALSE },
    { LS_BUILD_RUNNING, -1, .3, 1, TRUE, FALSE, "compiling, 0.30 s so far", TRUE, TRUE },
    { LS_BUILD_RUNNING, -1, 0, 1, TRUE, FALSE, "compiling", FALSE, TRUE },
    { LS_BUILD_RUNNING, 0, .3, 1, TRUE, FALSE, "the same kernel", FALSE, FALSE },
    { LS_BUILD_TO_COME, -1, 0, 1, TRUE, TRUE, "next", FALSE, FALSE },
    { LS_BUILD_TO_COME, -1, 0, 1, TRUE, FALSE, "to come", FALSE, FALSE },
    { LS_BUILD_NO_KERNEL, -1, 0, 1, TRUE, FALSE, "needs no kernel", FALSE, FALSE },
    { LS_BUILD_DONE, -1, .61, 1, FALSE, FALSE, "(nothing)", FALSE, FALSE },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      const LsComingRow row = { .count = cases[i].count,
                                .build = { cases[i].state, "k", cases[i].same_as, cases[i].seconds },
                                .known = cases[i].known,
                                .next = cases[i].next };
      g_autofree char *words = state_of (&row);
      g_assert_cmpstr (words, ==, cases[i].words);
      if (ls_coming_measured (&row) != cases[i].measured || ls_coming_runs (&row) != cases[i].runs)
        g_error ("“%s” is%s measured, and it is%s being built", words,
                 ls_coming_measured (&row) ? "" : " not", ls_coming_runs (&row) ? "" : " not");
    }
}

/* ---- several ops as one row ---- */

typedef struct {
  LsBuildState state;
  const char *kernel;
  gint same_as;
  double seconds;
} Op;

#define OWN(state, kernel) LS_BUILD_##state, kernel, -1, LS_BUILD_##state == LS_BUILD_DONE ? .5 : 0

/* A layer's ops forward: the one in work stands for all; they are done when each is; no time is one kernel's
 * where several were built; what shares its program changes nothing. */
static void
test_joined (void)
{
  static const struct {
    Op first, second;
    const char *words, *kernel;
  } cases[] = {
    { { OWN (DONE, "a") }, { OWN (DONE, "a") }, "built", "a" },
    { { OWN (DONE, "a") }, { OWN (DONE, "b") }, "built", NULL },
    { { OWN (DONE, "a") }, { OWN (RUNNING, "a") }, "compiling", "a" },
    { { OWN (RUNNING, "a") }, { OWN (TO_COME, "a") }, "compiling", "a" },
    { { OWN (DONE, "a") }, { OWN (TO_COME, "a") }, "next", "a" },
    { { OWN (TO_COME, "a") }, { OWN (DONE, "a") }, "next", "a" },
    { { OWN (DONE, "a") }, { LS_BUILD_DONE, "a", 0, 0 }, "built in 0.50 s", "a" },
    { { LS_BUILD_DONE, "a", 0, 0 }, { OWN (DONE, "a") }, "built in 0.50 s", "a" },
    { { OWN (NO_KERNEL, NULL) }, { OWN (RUNNING, "b") }, "compiling", NULL },
    { { OWN (DONE, "a") }, { OWN (NO_KERNEL, NULL) }, "built in 0.50 s", NULL },
    { { OWN (NO_KERNEL, NULL) }, { OWN (DONE, "b") }, "built in 0.50 s", NULL },
    { { OWN (RUNNING, "a") }, { OWN (NO_KERNEL, NULL) }, "compiling", NULL },
    { { OWN (TO_COME, "a") }, { OWN (NO_KERNEL, NULL) }, "next", NULL },
  };
  LsFixture f = ls_fixture_desk;
  f.model = "flatten, dense 8, relu, dense 10";
  f.batch = 4;
  g_autoptr (LsViewData) data = ls_fixture_view (&f, LS_STATE_BUILDING);
  const LsPlan *plan = data->plan;
  guint at[2] = { 0, 0 }, found = 0;

  /* the first two ops of one layer and phase that are commands of their own */
  for (guint i = 0; i < plan->n_ops && found == 0; i++)
    for (guint k = i + 1; k < plan->n_ops && found == 0; k++)
      if (!plan->ops[i].klass->elementwise && !plan->ops[k].klass->elementwise
          && plan->ops[i].layer == plan->ops[k].layer && plan->ops[i].phase == plan->ops[k].phase)
        {
          at[0] = i;
          at[1] = k;
          found++;
        }
  g_assert_cmpuint (found, ==, 1);
  for (guint c = 0; c < G_N_ELEMENTS (cases); c++)
    {
      LsBuild *build = ls_build_new (plan->n_ops);
      const LsComingRow *row = NULL;
      guint rows = 0;

      /* all others are done with it */
      for (guint i = 0; i < plan->n_ops; i++)
        build->ops[i] = (LsOpBuild){ LS_BUILD_DONE, cases[c].first.kernel, (gint) at[0], 0 };
      for (guint k = 0; k < 2; k++)
        {
          const Op *op = k == 0 ? &cases[c].first : &cases[c].second;
          build->ops[at[k]] = (LsOpBuild){ op->state, op->kernel, op->same_as, op->seconds };
        }
      g_clear_pointer (&data->sides[1].build, ls_build_unref);
      data->sides[1].build = build;
      g_autoptr (GArray) joined = ls_coming_rows (data, &data->sides[1], TRUE),
                         apart = ls_coming_rows (data, &data->sides[1], FALSE);
      for (guint i = 0; i < joined->len; i++)
        {
          const LsComingRow *r = &g_array_index (joined, LsComingRow, i);
          rows += r->count;
          if (at[0] >= r->op && at[0] < r->op + r->count)
            row = r;
        }
      g_assert_cmpuint (rows, ==, apart->len); /* none is lost */
      g_assert_cmpuint (joined->len, <, apart->len);
      g_assert_nonnull (row);
      g_autofree char *words = state_of (row);
      if (row->count == 2
          && (strcmp (words, cases[c].words) != 0 || g_strcmp0 (row->build.kernel, cases[c].kernel) != 0))
        g_error ("case %u: of both ops “%s” is said, of %s, not “%s”, of %s", c, words,
                 row->build.kernel != NULL ? row->build.kernel : "several kernels", cases[c].words,
                 cases[c].kernel != NULL ? cases[c].kernel : "several");
      g_autoptr (LsLayout) layout = draw_view_in (fonts, &ls_view_race, data, &(LsQuery) LS_QUERY_INIT,
                                                  LS_LOOK_LIGHT, 1280, 800);
      g_autofree char *name = ls_coming_name (layout, row, HUGE_VAL),
                      *should = g_strdup_printf ("%s ×%u", plan->ops[row->op].symbol, row->count);
      g_assert_cmpstr (name, ==, should);
    }
}

/* One op is next: the first that nobody builds yet. */
static void
test_next (void)
{
  g_autoptr (LsViewData) data = ls_fixture_view (&ls_fixture_desk, LS_STATE_BUILDING);

  for (guint done = 0; done < 6; done++)
    {
      guint next = 0;
      g_clear_pointer (&data->sides[1].build, ls_build_unref);
      data->sides[1].build = ls_fixture_build (data->plan, done);
      g_autoptr (GArray) rows = ls_coming_rows (data, &data->sides[1], FALSE);
      gboolean before = TRUE;
      for (guint i = 0; i < rows->len; i++)
        {
          const LsComingRow *row = &g_array_index (rows, LsComingRow, i);
          const gboolean to_come = row->build.state == LS_BUILD_TO_COME && row->build.same_as < 0;
          if (row->next != (to_come && before))
            g_error ("with %u kernels built, row %u is%s the next one", done, i, row->next ? "" : " not");
          before &= !to_come;
          next += row->next;
        }
      g_assert_cmpuint (next, ==, done < 4);
    }
}

/* ---- where they stand ---- */

/* The list's boxes in a lane's half, from the top: their middle, and which is being built. */
typedef struct {
  guint n;
  double y[128], left, right;
  gint runs; /* which; −1 */
} Boxes;

static Boxes
boxes_of (const LsLayout *layout, guint side)
{
  Boxes b = { .runs = -1, .left = HUGE_VAL, .right = 0 };

  for (guint i = 0; i < layout->still->items->len; i++)
    {
      const LsItem *item = ls_scene_get (layout->still, i);
      if (item->kind != LS_ITEM_BOX || item->side != side)
        continue;
      if (item->ink == LS_INK_SOFT || item->ink == LS_INK_TRACK)
        {
          b.y[b.n++] = (double) (item->y + item->h / 2);
          b.left = MIN (b.left, (double) item->x);
          b.right = MAX (b.right, (double) (item->x + item->w));
        }
      else if (item->ink == LS_INK_MARK && item->w <= 8 && item->h >= 14 && b.n > 0)
        {
          b.runs = (gint) b.n - 1;
          g_assert_cmpfloat_with_epsilon ((double) item->x, b.left, .5); /* at the left edge */
          g_assert_cmpfloat_with_epsilon ((double) (item->y + item->h / 2), b.y[b.n - 1], .5);
        }
    }
  return b;
}

/* The text on that height that begins at or right of x. */
static const LsItem *
text_at (const LsLayout *layout, double x, double y, gboolean last)
{
  const LsItem *found = NULL;

  for (guint i = 0; i < layout->still->items->len; i++)
    {
      const LsItem *item = ls_scene_get (layout->still, i);
      if (item->kind == LS_ITEM_TEXT && (double) item->x >= x
          && fabs ((double) item->y - .36 * item->type.px - y) < 2
          && (found == NULL || (item->x > found->x) == last))
        found = item;
    }
  return found;
}

/* Each op is a row in its lane's half, in the step's order, with its own kernel and state beside it; what a
 * kernel of its own is or was built for stands in plain ink, the others are quiet. */
static void
test_list (void)
{
  for (guint side = 0; side < LS_SIDES; side++)
    {
      g_autoptr (LsViewData) data = ls_fixture_view (&ls_fixture_desk, LS_STATE_BUILDING);
      if (side == 0)
        {
          const LsViewLane lane = data->sides[0];
          data->sides[0] = data->sides[1];
          data->sides[1] = lane;
        }
      LsQuery query = LS_QUERY_INIT;
      g_autoptr (LsLayout) race = draw_view_in (fonts, &ls_view_race, data, &query, LS_LOOK_LIGHT, 2400,
                                                1500);
      g_autoptr (GArray) rows = ls_coming_rows (data, &data->sides[side], FALSE);
      const Boxes b = boxes_of (race, side);

      g_assert_cmpuint (b.n, ==, rows->len);
      if (side == 0)
        g_assert_cmpfloat (b.right, <, race->width / 2);
      else
        g_assert_cmpfloat (b.left, >, race->width / 2);
      for (guint i = 0; i < rows->len; i++)
        {
          const LsComingRow *row = &g_array_index (rows, LsComingRow, i);
          g_autofree char *name = ls_coming_name (race, row, HUGE_VAL), *how = ls_coming_state (row);
          const LsItem *title = text_at (race, b.left, b.y[i], FALSE),
                       *state = text_at (race, b.right, b.y[i], TRUE),
                       *kernel = text_at (race, b.right, b.y[i], FALSE);

          if (i > 0)
            g_assert_cmpfloat (b.y[i], >, b.y[i - 1]);
          g_assert_true (title != NULL && state != NULL && kernel != NULL);
          if (strcmp (title->text, name) != 0 && strcmp (title->text, data->plan->ops[row->op].symbol) != 0)
            g_error ("row %u is named “%s”, not “%s”", i, title->text, name);
          if (side == 1 && how != NULL && strcmp (state->text, how) != 0)
            g_error ("of %s is said “%s”, not “%s”", name, state->text, how);
          if (side == 1 && row->build.kernel != NULL && strcmp (kernel->text, row->build.kernel) != 0)
            g_error ("the kernel of %s is “%s”, not “%s”", name, kernel->text, row->build.kernel);
          const gboolean own = row->build.same_as < 0
                               && (row->build.state == LS_BUILD_DONE || row->build.state == LS_BUILD_RUNNING);
          if (side == 1 && (state->ink == LS_INK_TEXT) != own)
            g_error ("“%s” of %s is%s quiet", state->text, name, own ? "" : " not");
          if (side == 1 && row->build.kernel != NULL && (kernel->ink == LS_INK_TEXT) != own)
            g_error ("“%s”, the kernel of %s, is%s quiet", kernel->text, name, own ? "" : " not");
          g_assert_cmpint (ls_coming_runs (row), ==, b.runs == (gint) i);
        }
    }
}

/* Where not all have room, those round the one that is being built are there, and the lines above and below
 * them count the others, on their own sides. */
static void
test_window (void)
{
  GString *model = g_string_new ("flatten");
  LsFixture f = ls_fixture_desk;
  guint counted = 0;

  for (guint i = 0; i < 15; i++)
    g_string_append (model, ", dense 64, relu");
  g_string_append (model, ", dense 10");
  f.model = model->str;
  f.steps = 60;
  g_autoptr (LsViewData) data = ls_fixture_view (&f, LS_STATE_BUILDING);
  for (guint done = 0; done <= 15; done++)
    {
      const LsQuery query = LS_QUERY_INIT;
      guint above = 0, below = 0, before = 0, after = 0, at = 0;

      g_clear_pointer (&data->sides[1].build, ls_build_unref);
      data->sides[1].build = ls_fixture_build (data->plan, done < 15 ? done : G_MAXUINT - 1);
      for (guint i = data->plan->n_ops; done == 15 && i-- > 0;) /* the last one of all */
        if (data->sides[1].build->ops[i].kernel != NULL)
          {
            data->sides[1].build->ops[i].state = LS_BUILD_RUNNING;
            data->sides[1].build->ops[i].same_as = -1;
            break;
          }
      g_autoptr (GArray) rows = ls_coming_rows (data, &data->sides[1], TRUE);
      g_autoptr (LsLayout) layout = draw_view_in (fonts, &ls_view_race, data, &query, LS_LOOK_LIGHT, 1280,
                                                  800);
      const Boxes b = boxes_of (layout, 1);
      g_assert_cmpuint (b.n, >, 3);
      g_assert_cmpuint (b.n, <, rows->len);
      for (guint i = 0; i < layout->still->items->len; i++)
        {
          const LsItem *item = ls_scene_get (layout->still, i);
          guint n;
          if (item->kind != LS_ITEM_TEXT || strstr (item->text, " more") == NULL
              || (double) item->x < b.left - 1 || sscanf (item->text, "%u op", &n) != 1)
            continue;
          *((double) item->y < b.y[0] ? &above : &below) = n;
        }
      while (at < rows->len && !ls_coming_runs (&g_array_index (rows, LsComingRow, at)))
        at++;
      g_assert_cmpuint (at, <, rows->len);
      if (b.runs < 0)
        g_error ("with %u kernels built the one in work isn't among those that are drawn", done);
      /* as many rows are before the first that is drawn */
      const guint first = at - (guint) b.runs;
      for (guint i = 0; i < rows->len; i++)
        *(i < first ? &before : &after) += i < first || i >= first + b.n
                                             ? g_array_index (rows, LsComingRow, i).count
                                             : 0;
      if (above != before || below != after)
        g_error ("with %u kernels built, %u ops are said to be above and %u below, not %u and %u", done,
                 above, below, before, after);
      /* in the middle, unless there are no more on one side */
      if (before > 0 && after > 0)
        g_assert_cmpint (ABS (2 * b.runs + 1 - (gint) b.n), <=, 2);
      counted += above > 0 && below > 0;
    }
  g_assert_cmpuint (counted, >, 3);
  g_string_free (model, TRUE);
}

/* However low its place is, a list is no higher; what has no row is counted where there is room for it. */
static void
test_low (void)
{
  const LsQuery query = LS_QUERY_INIT;
  LsFixture f = ls_fixture_desk;
  guint counted = 0, low = 0;

  f.model = "flatten, dense 64, relu, dense 64, relu, dense 64, relu, dense 64, relu, dense 10";
  f.steps = 60;
  g_autoptr (LsViewData) data = ls_fixture_view (&f, LS_STATE_BUILDING);
  g_autoptr (LsLayout) layout = draw_view (&ls_view_race, data, &query, LS_LOOK_LIGHT, 1280, 800);
  const LsScene *s = layout->still;
  for (double height = 4; height <= 400; height += 3)
    {
      const guint first = s->items->len;
      const LsArea area = { 300, 40, 560, height };
      const double h = ls_coming_list (layout, area, 1);
      guint boxes = 0;

      if (h > height + .5)
        g_error ("in %g px the list is %g px high", height, h);
      for (guint i = first; i < s->items->len; i++)
        {
          const LsItem *item = ls_scene_get (s, i);
          double x, y, w, item_h;

          ls_item_bounds (s, item, &x, &y, &w, &item_h);
          if (y + item_h > area.y + height + 1)
            g_error ("in %g px “%s” reaches down to %.1f px", height,
                     item->text != NULL ? item->text : "a box", y + item_h - area.y);
          boxes += item->kind == LS_ITEM_BOX && item->ink != LS_INK_MARK;
          counted += item->kind == LS_ITEM_TEXT && strstr (item->text, " more") != NULL;
        }
      if ((boxes > 0) != (h > 0))
        g_error ("in %g px %u ops are %g px high", height, boxes, h);
      low += boxes > 0 && boxes < 3;
    }
  g_assert_cmpuint (counted, >, 20);
  g_assert_cmpuint (low, >, 10);
}

/* In brief the first kernel is told that is being compiled for an op of its own, and none where all are
 * shared. */
static void
test_running (void)
{
  for (guint own = 0; own < 2; own++)
    {
      g_autoptr (LsViewData) data = ls_fixture_view (&ls_fixture_desk, LS_STATE_BUILDING);
      LsBuild *build = data->sides[1].build;
      const LsQuery query = LS_QUERY_INIT;

      for (guint i = 0; i < build->n_ops; i++)
        build->ops[i] = (LsOpBuild){ LS_BUILD_TO_COME, "waiting", -1, 0 };
      build->ops[0] = (LsOpBuild){ LS_BUILD_RUNNING, "shared", 2, .2 };
      build->ops[1] = (LsOpBuild){ LS_BUILD_DONE, "done", -1, .2 };
      build->ops[2] = (LsOpBuild){ own ? LS_BUILD_RUNNING : LS_BUILD_TO_COME, "own", -1, .3 };
      build->ops[3] = (LsOpBuild){ own ? LS_BUILD_RUNNING : LS_BUILD_TO_COME, "later", -1, .4 };
      g_autoptr (LsLayout) layout = draw_view_in (fonts, &ls_view_timeline, data, &query, LS_LOOK_LIGHT, 1920,
                                                  1080);
      ls_scene_clear (layout->still);
      ls_coming_cells (layout, (LsArea){ 100, 40, 900, 60 }, 1);
      const LsItem *said = find_text (layout->still, "compiling ");
      if (g_strcmp0 (said != NULL ? said->text : NULL, own ? "compiling own, 0.30 s so far" : NULL) != 0)
        g_error ("“%s” is said where %s kernel is compiled", said != NULL ? said->text : "nothing",
                 own ? "an op's own" : "no op's own");
    }
}

int
main (int argc, char **argv)
{
  gint status;

  g_test_init (&argc, &argv, NULL);
  fonts = ls_fonts_new (NULL);
  g_test_add_func ("/paint/coming-rows/states", test_states);
  g_test_add_func ("/paint/coming-rows/joined", test_joined);
  g_test_add_func ("/paint/coming-rows/next", test_next);
  g_test_add_func ("/paint/coming-rows/list", test_list);
  g_test_add_func ("/paint/coming-rows/window", test_window);
  g_test_add_func ("/paint/coming-rows/low", test_low);
  g_test_add_func ("/paint/coming-rows/running", test_running);
  status = g_test_run ();
  ls_fonts_unref (fonts);
  return status;
}
