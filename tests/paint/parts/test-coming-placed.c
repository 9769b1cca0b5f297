/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The ops of a lane that comes, drawn by themselves into areas of many sizes: as a list, as cells in a line,
 * as a column: where each stands, what is left out first, and that nothing lies beyond its place.
 */
#include <math.h>
#include <string.h>

#include "tests/paint/draw.h"
#include "tests/paint/said.h"
#include "tests/paint/states.h"
#include "tests/paint/within.h"
#include "ui/paint/parts/coming.h"
#include "ui/paint/parts/coming_rows.h"
#include "ui/paint/parts/text.h"
#include "ui/paint/views.h"

/* A lane that builds for a net of so many dense layers; 0: the desk's own. */
static LsViewData *
building (guint layers)
{
  g_autoptr (GString) model = g_string_new ("flatten");
  LsFixture f = ls_fixture_desk;

  for (guint i = 0; i < layers; i++)
    g_string_append (model, ", dense 64, relu");
  g_string_append (model, ", dense 10");
  if (layers > 0)
    f.model = model->str;
  f.steps = 60;
  return ls_fixture_view (&f, LS_STATE_BUILDING);
}

/* That view's picture; what else is put into it begins at *first. */
static LsLayout *
picture_of (LsViewData *data, const LsView *view, guint *first)
{
  const LsQuery query = LS_QUERY_INIT;
  LsLayout *layout = draw_view (view, data, &query, LS_LOOK_LIGHT, 1280, 800);

  *first = layout->still->items->len;
  return layout;
}

static gboolean
is_box (const LsItem *item)
{
  return item->kind == LS_ITEM_BOX && item->ink != LS_INK_MARK;
}

/* A list in less and less room: names in boxes of one size, from the top at one pitch, kernels in one column
 * and states at the right edge; first the kernels are left out, then the states, and never in single rows. A
 * time stands there as measured. */
static void
test_list (void)
{
  static const double widths[] = { 800, 560, 420, 300, 200, 125 }, heights[] = { 900, 330, 150, 10 };
  gboolean had[3] = { FALSE, FALSE, FALSE }; /* rows with so many texts beside the name */

  for (guint layers = 1; layers < 12; layers += 5)
    {
      guint first;
      g_autoptr (LsViewData) data = building (layers);
      g_autoptr (LsLayout) layout = picture_of (data, &ls_view_race, &first);
      const LsScene *s = layout->still;

      for (guint at = 0; at < G_N_ELEMENTS (widths) * G_N_ELEMENTS (heights); at++)
        {
          const LsArea area = { 300, 40, widths[at / G_N_ELEMENTS (heights)],
                                heights[at % G_N_ELEMENTS (heights)] };
          guint boxes = 0, mores = 0, names = 0, kernels = 0, states = 0, row = 0;
          const LsItem *box = NULL;
          double kernel_x = 0, pitch = 0;
          first = s->items->len;
          const double unit = layout->m.unit, h = ls_coming_list (layout, area, 1);
          g_autofree char *what = g_strdup_printf ("%u layers on %g×%g", layers, area.w, area.h);
          g_autoptr (GArray) rows = ls_coming_rows (data, &data->sides[1], FALSE);

          check_within (s, first, area, what);
          if (area.h < layout->m.body.px)
            {
              g_assert_cmpuint (s->items->len, ==, first);
              g_assert_cmpfloat (h, ==, 0);
              continue;
            }
          for (guint i = first; i < s->items->len; i++)
            {
              const LsItem *item = ls_scene_get (s, i);
              boxes += is_box (item);
              mores += item->kind == LS_ITEM_TEXT && strstr (item->text, " more") != NULL;
            }
          g_assert_cmpuint (boxes, >, 2);
          const gboolean all = boxes == rows->len;
          for (guint i = first; i < s->items->len; i++)
            {
              const LsItem *item = ls_scene_get (s, i), *before = box;
              if (is_box (item))
                {
                  box = item;
                  row++;
                  g_assert_cmpfloat_with_epsilon ((double) box->x, area.x, .01);
                  if (before == NULL)
                    continue;
                  if (pitch > 0)
                    g_assert_cmpfloat_with_epsilon ((double) (box->y - before->y), pitch, .01);
                  pitch = (double) (box->y - before->y);
                  g_assert_cmpfloat_with_epsilon ((double) box->h, pitch - 2, .01);
                  g_assert_cmpfloat (box->w, ==, before->w);
                }
              if (all && item->kind == LS_ITEM_BOX && item->ink == LS_INK_MARK)
                g_assert_true (ls_coming_runs (&g_array_index (rows, LsComingRow, row - 1)));
              if (item->kind != LS_ITEM_TEXT || box == NULL || item->y > box->y + box->h)
                continue;
              /* in the middle of its box's height, bold where it is being built */
              g_assert_cmpfloat_with_epsilon ((double) (item->y - box->y - box->h / 2), .36 * item->type.px,
                                              1);
              if (all
                  && (item->type.weight == 700)
                       != ls_coming_runs (&g_array_index (rows, LsComingRow, row - 1)))
                g_error ("%s: “%s” is%s bold", what, item->text, item->type.weight == 700 ? "" : "n’t");
              if ((double) item->x < area.x + (double) box->w)
                {
                  names++;
                  g_assert_cmpfloat_with_epsilon ((double) item->x, area.x + 4 * unit, .1);
                  g_assert_cmpfloat (ls_item_right (item), <=, area.x + (double) box->w);
                }
              else if (strchr (item->text, '_') != NULL) /* a kernel's name */
                {
                  g_assert_true (item->type.code);
                  if (kernels++ > 0)
                    g_assert_cmpfloat_with_epsilon ((double) item->x, kernel_x, .1);
                  kernel_x = (double) item->x;
                }
              else
                {
                  states++;
                  g_assert_cmpfloat_with_epsilon (ls_item_right (item), area.x + area.w, .1);
                  const LsItem *next = i + 1 < s->items->len ? ls_scene_get (s, i + 1) : item;
                  const gboolean marked = next->kind == LS_ITEM_EVIDENCE,
                                 timed = g_str_has_prefix (item->text, "built in")
                                         || g_str_has_prefix (item->text, "compiling, ");
                  if (marked != timed
                      || (marked
                          && ((guint) next->value != LS_EVIDENCE_MEASURED || next->x + next->w >= item->x)))
                    g_error ("%s: “%s” is%s said to be measured, before it", what, item->text,
                             marked ? "" : "n’t");
                }
            }
          g_assert_cmpfloat_with_epsilon (h, (boxes + mores) * pitch, .1);
          if (area.w >= 200 && names != boxes)
            g_error ("%s: %u of %u boxes have a name", what, names, boxes);
          if (kernels > 0 && states == 0)
            g_error ("%s: kernels stand where states had no room", what);
          if (all && states != 0 && states != rows->len)
            g_error ("%s: of %u rows %u have a state", what, rows->len, states);
          had[(kernels > 0) + (states > 0)] = TRUE;
          if (kernels == 0 && area.w >= 800)
            g_error ("%s: there are no kernels in so much room", what);
        }
    }
  g_assert_true (had[0] && had[1] && had[2]);
}

/* The kernel that is being built. */
static const char *
in_work (const LsViewData *data)
{
  const LsBuild *build = data->sides[1].build;

  for (guint i = 0; i < build->n_ops; i++)
    if (build->ops[i].state == LS_BUILD_RUNNING && build->ops[i].same_as < 0)
      return build->ops[i].kernel;
  g_assert_not_reached ();
}

/* In a line: cells of one width from edge to edge, a name in the middle of each or, where not all have room,
 * those of layers; under them what is being built, as measured, and at the right edge how many are, in views
 * that have no head for it. */
static void
test_cells (void)
{
  static const struct {
    double w, h;
    const LsView *view;
    gboolean runs, counted;
  } cases[] = {
    { 900, 60, &ls_view_timeline, TRUE, FALSE }, { 900, 60, &ls_view_scaling, TRUE, TRUE },
    { 260, 60, &ls_view_scaling, FALSE, TRUE },  { 330, 60, &ls_view_timeline, TRUE, FALSE },
    { 90, 60, &ls_view_timeline, FALSE, FALSE }, { 900, 26, &ls_view_scaling, FALSE, FALSE },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (LsViewData) data = building (0);
      const LsArea area = { 100, 40, cases[i].w, cases[i].h };
      guint first, n = 0, names = 0;
      const LsItem *cell = NULL, *runs = NULL, *built = NULL;
      g_autoptr (LsLayout) layout = picture_of (data, cases[i].view, &first);
      const LsScene *s = layout->still;
      const double h = ls_coming_cells (layout, area, 1),
                   gone = ls_coming_cells (layout, (LsArea){ 100, 40, 900, 8 }, 1);
      g_autofree char *what = g_strdup_printf ("%s, %g×%g", cases[i].view->name, area.w, area.h);
      g_autoptr (GArray) rows = ls_coming_rows (data, &data->sides[1], FALSE);

      g_assert_cmpfloat (gone, ==, 0);
      g_assert_cmpfloat (h, <=, area.h);
      check_within (s, first, (LsArea){ area.x, area.y, area.w, h }, what);
      for (guint k = first; k < s->items->len; k++)
        {
          const LsItem *item = ls_scene_get (s, k);
          if (is_box (item))
            {
              n++;
              if (cell != NULL) /* 2 px apart */
                g_assert_cmpfloat_with_epsilon ((double) item->x, ls_item_right (cell) + 2, .1);
              else
                g_assert_cmpfloat_with_epsilon ((double) item->x, area.x, .1);
              cell = item;
            }
          else if (item->kind == LS_ITEM_TEXT && cell != NULL && item->y < cell->y + cell->h)
            {
              names++;
              g_assert_cmpfloat (fabsf (item->x + item->w / 2 - cell->x - cell->w / 2), <, 2);
            }
          else if (item->kind == LS_ITEM_TEXT)
            *(g_str_has_prefix (item->text, "compiling") ? &runs : &built) = item;
          else if (item->kind == LS_ITEM_EVIDENCE)
            g_assert_cmpuint ((guint) item->value, ==, LS_EVIDENCE_MEASURED);
        }
      if (cell == NULL)
        g_error ("%s: nothing is drawn", what);
      g_assert_cmpfloat_with_epsilon (ls_item_right (cell), area.x + area.w - 2, .1);
      if (area.w >= 900)
        g_assert_cmpuint (n, ==, rows->len);
      g_assert_cmpuint (names, ==, area.w >= 900 ? n : names);
      if ((runs != NULL) != cases[i].runs || (built != NULL) != cases[i].counted)
        g_error ("%s: what is built is%s told, and how much is%s", what, runs != NULL ? "" : "n’t",
                 built != NULL ? "" : "n’t");
      if (built != NULL)
        {
          g_assert_cmpstr (built->text, ==, "3 of 5 kernels built.");
          g_assert_true (built->ink == LS_INK_LANE && built->value == 1);
          g_assert_cmpfloat_with_epsilon (ls_item_right (built), area.x + area.w, .1);
        }
      if (runs != NULL)
        {
          g_autofree char *words = g_strdup_printf ("compiling %s, 0.30 s so far", in_work (data));
          g_assert_cmpstr (runs->text, ==, words);
          g_assert_cmpfloat ((double) runs->x, <, area.x + 30);
          g_assert_cmpint (mark_before (s, words), ==, LS_EVIDENCE_MEASURED);
        }
    }
}

/* A kernel that takes longer than ten seconds has tenths of them, as in its row; one that has just begun
 * none. */
static void
test_seconds (void)
{
  static const struct {
    double seconds;
    const char *said;
  } cases[]
    = { { 0, "" }, { .3, ", 0.30 s so far" }, { 9.94, ", 9.9 s so far" }, { 12.34, ", 12.3 s so far" } };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (LsViewData) data = building (0);
      LsBuild *build = data->sides[1].build;
      guint first;
      g_autofree char *words = g_strdup_printf ("compiling %s%s", in_work (data), cases[i].said);

      for (guint op = 0; op < build->n_ops; op++)
        if (build->ops[op].state == LS_BUILD_RUNNING)
          build->ops[op].seconds = cases[i].seconds;
      g_autoptr (LsLayout) layout = picture_of (data, &ls_view_timeline, &first);
      const LsItem *said = find_text (layout->still, "compiling ");
      if (said == NULL || strcmp (said->text, words) != 0)
        g_error ("after %g s “%s” is said, not “%s”", cases[i].seconds, said != NULL ? said->text : "nothing",
                 words);
    }
}

/* In the place of a column: boxes of one height fill it, the names beside it, towards the side that is
 * asked for; what has no row is counted in the last box's line. */
static void
test_column (void)
{
  static const double heights[] = { 700, 300, 120 };
  guint counted = 0;

  for (guint i = 0; i < 2 * G_N_ELEMENTS (heights); i++)
    {
      g_autoptr (LsViewData) data = building (8);
      const LsArea column = { 400, 40, 60, heights[i / 2] };
      const gboolean left = i % 2 == 0;
      guint first, n = 0, said = 0, more = 0, ops = 0;
      double bottom = column.y;
      g_autoptr (LsLayout) layout = picture_of (data, &ls_view_race, &first);
      const LsScene *s = layout->still;
      g_autoptr (GArray) rows = ls_coming_rows (data, NULL, FALSE);
      g_autoptr (GArray) layers = ls_coming_rows (data, NULL, TRUE);

      ls_coming_column (layout, column, left ? column.x - 160 : column.x + column.w + 160);
      check_within (s, first, (LsArea){ left ? 240 : 400, 40, 220, column.h }, left ? "left" : "right");
      for (guint k = 0; k < rows->len; k++)
        ops += g_array_index (rows, LsComingRow, k).count;
      for (guint k = first; k < s->items->len; k++)
        {
          const LsItem *item = ls_scene_get (s, k);
          if (item->kind == LS_ITEM_BOX)
            {
              n++;
              g_assert_cmpint (item->ink, ==, LS_INK_TRACK);
              g_assert_cmpfloat_with_epsilon ((double) item->x, column.x, .01);
              g_assert_cmpfloat_with_epsilon ((double) item->w, column.w, .01);
              bottom = MAX (bottom, (double) (item->y + item->h));
              continue;
            }
          guint of;
          if (sscanf (item->text, "%u ops more", &of) == 1)
            more = of;
          else
            said++;
          g_assert_cmpfloat_with_epsilon (left ? ls_item_right (item) : (double) item->x,
                                          left ? column.x - 3 * layout->m.unit : 460 + 3 * layout->m.unit,
                                          .1);
        }
      /* the last box ends 2 px before the column's end, and each has its name */
      g_assert_cmpfloat (bottom, >, column.y + column.h - 2.5);
      g_assert_cmpuint (said, ==, n - (more > 0));
      for (guint k = 0; more > 0 && k < said; k++)
        ops -= g_array_index (layers, LsComingRow, k).count;
      g_assert_cmpuint (more, ==, more > 0 ? ops : 0);
      g_assert_cmpuint (n, >, 3);
      counted += more > 0;
    }
  g_assert_cmpuint (counted, >, 0);
  g_assert_cmpuint (counted, <, 2 * G_N_ELEMENTS (heights));
}

/* Line by line, as far as the texts are of that size. */
static char *
lines_from (const LsScene *s, guint *i, float px, double x, double pitch)
{
  GString *all = g_string_new (NULL);
  double last = 0;

  for (; *i < s->items->len; (*i)++)
    {
      const LsItem *item = ls_scene_get (s, *i);
      if (item->kind != LS_ITEM_TEXT || item->type.px != px)
        break;
      g_assert_cmpfloat_with_epsilon ((double) item->x, x, .1);
      if (last > 0)
        g_assert_cmpfloat_with_epsilon ((double) item->y - last, pitch, .1);
      last = (double) item->y;
      g_string_append_printf (all, "%s%s", all->len > 0 ? " " : "", item->text);
    }
  return g_string_free (all, FALSE);
}

/* A head's sentence stands beside the lane's name, or under it where it has no room there, or under its
 * device; then why, and the cells in views that have no place for them. It ends where what it drew does. A
 * lane that doesn't come has none. */
static void
test_head (void)
{
  static const struct {
    const LsView *view;
    gboolean cells;
  } views[] = { { &ls_view_race, FALSE }, { &ls_view_curves, TRUE }, { &ls_view_tiles, TRUE } };
  static const char *const devices[] = { "", "Laptop GPU, 24 compute units" }, *const hints[] = {
    NULL, "Meanwhile the other lane trains alone."
  };

  for (guint c = 0; c < 8 * G_N_ELEMENTS (views); c++)
    {
      const LsView *view = views[c / 8].view;
      const gboolean wide = c & 1;
      const LsArea area = { 100, 40, wide ? 900 : 260, 400 };
      const double base = 60;
      g_autoptr (LsViewData) data = building (0);
      LsViewLane *lane = &data->sides[1];
      double bottom = 0, last, boxes_y = 0;
      guint first, i;

      g_free (lane->device);
      lane->device = g_strdup (devices[c >> 1 & 1]);
      g_free (lane->hint);
      lane->hint = g_strdup (hints[c >> 2 & 1]);
      g_autoptr (LsLayout) layout = picture_of (data, view, &first);
      const LsMetrics *m = &layout->m;
      const LsScene *s = layout->still;
      const gboolean beside = wide && lane->device[0] == '\0';
      g_autofree char *what = g_strdup_printf ("%s, %g px, “%s”, %s", view->name, area.w, lane->device,
                                               lane->hint != NULL ? "why" : "no reason");

      g_assert_cmpfloat (ls_coming_head (layout, 0, area, base), ==, 0);
      g_assert_cmpuint (s->items->len, ==, first);
      const double y = ls_coming_head (layout, 1, area, base);
      const LsItem *mark = ls_scene_get (s, first);
      g_assert_cmpint (mark->kind, ==, LS_ITEM_EVIDENCE);
      g_assert_cmpuint ((guint) mark->value, ==, LS_EVIDENCE_DERIVED);
      const double name = beside ? ls_stage_name_width (layout, 1) + 4 * m->unit : 0,
                   text_x = area.x + name + m->evidence + 1.5 * m->unit;
      g_assert_cmpfloat_with_epsilon ((double) mark->x, area.x + name, .1);
      i = first + 1;
      const double sentence_y = (double) ls_scene_get (s, i)->y,
                   wanted = beside ? base
                                   : base + m->heading.px * LS_TEXT_PITCH
                                       + (lane->device[0] != '\0' ? 1.4 * m->label.px : 0);
      if (fabs (sentence_y - wanted) > .1)
        g_error ("%s: the sentence stands at %g, not at %g", what, sentence_y, wanted);
      g_autofree char *sentence = lines_from (s, &i, (float) m->heading.px, text_x,
                                              m->heading.px * LS_TEXT_PITCH);
      g_assert_cmpstr (sentence, ==, lane->message);
      last = (double) ls_scene_get (s, i - 1)->y;
      g_autofree char *hint = lines_from (s, &i, (float) m->label.px, area.x, m->label.px * LS_TEXT_PITCH);
      g_assert_cmpstr (hint, ==, lane->hint != NULL ? lane->hint : "");
      last = MAX (last, (double) ls_scene_get (s, i - 1)->y);
      g_assert_cmpint (i < s->items->len, ==, views[c / 8].cells);
      for (guint k = first; k < s->items->len; k++)
        {
          const LsItem *item = ls_scene_get (s, k);
          double x, top, w, h;
          ls_item_bounds (s, item, &x, &top, &w, &h);
          bottom = MAX (bottom, top + h);
          if (is_box (item) && boxes_y <= 0)
            boxes_y = top;
        }
      if (views[c / 8].cells && fabs (boxes_y - last - m->label.px * .5) > 1)
        g_error ("%s: the cells stand at %g, under words at %g", what, boxes_y, last);
      if (fabs (y - bottom) > m->label.px * .7)
        g_error ("%s: it ends at %g, and says that it does at %g", what, bottom, y);
      check_within (s, first, area, what);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/paint/coming-placed/list", test_list);
  g_test_add_func ("/paint/coming-placed/cells", test_cells);
  g_test_add_func ("/paint/coming-placed/seconds", test_seconds);
  g_test_add_func ("/paint/coming-placed/column", test_column);
  g_test_add_func ("/paint/coming-placed/head", test_head);
  return g_test_run ();
}
