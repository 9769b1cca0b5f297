/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What Network says was right and wrong, against what the lanes said: the numbers in the confusion's cells,
 * the score under it, the worst mistakes; and of points of three classes the planes, the points on them, and
 * where the lanes differ.
 */
#include <math.h>
#include <string.h>

#include "network_told.h"
#include "core/number.h"
#include "tests/paint/said.h"

#define GRID 8

static const LsSceneImage *
image_of (const LsScene *s, const LsItem *item)
{
  return g_ptr_array_index (s->images, item->image);
}

static const float *
points_of (const LsScene *s, const LsItem *item)
{
  return &g_array_index (s->points, float, 2 * item->points);
}

/* Thousands are kept apart by a thin space, which is a comma here. (transfer full) */
static char *
with_thin_spaces (const char *words)
{
  g_auto (GStrv) parts = g_regex_split_simple ("(?<=\\d),(?=\\d)", words, 0, 0);
  g_autofree char *thousand = ls_number_count (1000);
  g_autofree char *space = g_strndup (thousand + 1, strlen (thousand) - 4);

  return g_strjoinv (space, parts);
}

static gboolean
says_thousands (const LsScene *s, const char *words)
{
  g_autofree char *told = with_thin_spaces (words);

  return says (s, told);
}

/* ---- the test set ---- */

static guint
counted (const LsEvaluation *e, guint label, guint said)
{
  guint count = 0;

  for (guint i = 0; i < e->n; i++)
    count += e->labels[i] == label && e->predicted[i] == said;
  return count;
}

/* The number in each cell is how often that label was taken for that class; a cell's colour is the number's
 * logarithm; whatever is at least half of the most frequent mistake has its number. */
static void
test_cells (void)
{
  g_autoptr (LsViewData) data = asked_data (NULL, FALSE);
  LsNetworkState asked = LS_NETWORK_STATE_INIT;
  LsQuery query = { LS_QUERY_FIELDS, .state = &asked };
  guint numbers = 0;

  /* 24, 14 and 8 mistakes of one kind, in either lane other ones */
  for (guint side = 0; side < 2; side++)
    for (guint i = 0; i < ASKED_TESTS; i++)
      {
        LsEvaluation *e = data->sides[side].evaluation;
        e->predicted[i] = (guint16) (e->labels[i] == 2 + side && i < 240 ? 7
                                     : e->labels[i] == 8 && i < 140      ? 4
                                     : e->labels[i] == 5 && i < 80       ? 1
                                                                         : e->labels[i]);
      }
  asked.page = LS_NETWORK_TEST;
  g_autoptr (LsLayout) layout = layout_of (data, &query);
  const LsNetwork *n = layout->own;
  const LsScene *s = layout->still;
  g_assert_cmpfloat (n->matrix_area[0].x + n->matrix_area[0].w, <, n->matrix_area[1].x);
  g_assert_cmpfloat (n->matrix_area[0].y, ==, n->matrix_area[1].y);
  for (guint side = 0; side < 2; side++)
    {
      const LsEvaluation *e = data->sides[side].evaluation;
      const LsArea at = n->matrix_area[side];
      gboolean told[CLASSES][CLASSES] = { { FALSE } };
      guint images = 0;

      g_assert_cmpfloat_with_epsilon (at.w, CLASSES * n->matrix_cell[side], .01);
      g_assert_cmpfloat_with_epsilon (at.h, at.w, .01);
      for (guint i = 0; i < s->items->len; i++)
        {
          const LsItem *item = ls_scene_get (s, i);
          const double x = (double) (item->x - at.x) / n->matrix_cell[side],
                       y = ((double) item->y - at.y - (double) item->type.px * .36) / n->matrix_cell[side];

          if (item->kind == LS_ITEM_IMAGE && fabs ((double) item->x - at.x) < 1
              && fabs ((double) item->y - at.y) < 1)
            {
              const LsSceneImage *image = image_of (s, item);
              images++;
              g_assert_cmpuint (item->evidence, ==, LS_EVIDENCE_MEASURED);
              for (guint c = 0; c < CLASSES * CLASSES; c++)
                {
                  const double level = 255 * log (1. + counted (e, c / CLASSES, c % CLASSES)) / log (101);
                  if (fabs (image->levels[c] - level) > 1.01)
                    g_error ("lane %u: label %u taken for %u has the level %u, not %.0f", side, c / CLASSES,
                             c % CLASSES, image->levels[c], level);
                }
            }
          if (item->kind != LS_ITEM_TEXT || item->ink != LS_INK_ON_AMOUNT || x < 0 || y < 0 || x >= CLASSES
              || y >= CLASSES)
            continue;
          const guint label = (guint) y, said = (guint) (x + (double) item->w / 2 / n->matrix_cell[side]);
          g_autofree char *should = g_strdup_printf ("%u", counted (e, label, said));
          if (strcmp (should, item->text) != 0)
            g_error ("lane %u: “%s” stands where label %u was taken for %u, which happened %s times", side,
                     item->text, label, said, should);
          told[label][said] = TRUE;
          numbers++;
        }
      g_assert_cmpuint (images, ==, 1);
      for (guint c = 0; c < CLASSES * CLASSES; c++)
        if (told[c / CLASSES][c % CLASSES]
            != (counted (e, c / CLASSES, c % CLASSES) >= (c % 11 == 0 ? 1 : 12)))
          g_error ("lane %u: that label %u was taken for %u %u times is %ssaid", side, c / CLASSES,
                   c % CLASSES, counted (e, c / CLASSES, c % CLASSES),
                   told[c / CLASSES][c % CLASSES] ? "" : "not ");
    }
  g_assert_cmpuint (numbers, ==, 2 * (CLASSES + 2));
}

/* "right 90.9 %" of how many is that lane's own; that the other one says otherwise is counted, or that it
 * doesn't. */
static void
test_score (void)
{
  g_autoptr (LsViewData) data = asked_data (NULL, FALSE);
  LsNetworkState asked = LS_NETWORK_STATE_INIT;
  LsQuery query = { LS_QUERY_FIELDS, .state = &asked };
  LsEvaluation *left = data->sides[0].evaluation, *right = data->sides[1].evaluation;

  asked.page = LS_NETWORK_TEST;
  left->n_right = 874;
  g_autoptr (LsLayout) both = layout_of (data, &query);
  g_assert_true (says (both->still, "Confusion, CPU") && says (both->still, "Confusion, OpenCL"));
  const LsItem *mine = find_text (both->still, "right 87.4 %"),
               *other = find_text (both->still, "right 90.8 %");
  g_assert_true (mine != NULL && other != NULL);
  g_assert_cmpfloat ((double) mine->x, <, (double) other->x);
  g_assert_true (says_thousands (both->still, "874 of 1,000")
                 && says_thousands (both->still, "908 of 1,000"));
  g_assert_true (says_thousands (both->still, "test set, 1,000, after step 60"));
  g_assert_true (says (both->still, "1 said otherwise by the other lane"));
  g_assert_cmpint (mark_before (both->still, "right 87.4"), ==, LS_EVIDENCE_MEASURED);

  memcpy (left->predicted, right->predicted, ASKED_TESTS * sizeof *left->predicted);
  g_autoptr (LsLayout) same = layout_of (data, &query);
  g_assert_true (says (same->still, "the lanes say the same") && !says (same->still, "otherwise"));
  left->predicted[ASKED_TESTS - 1] = (guint16) ((left->predicted[ASKED_TESTS - 1] + 1) % CLASSES);
  left->predicted[0] = (guint16) ((left->predicted[0] + 1) % CLASSES);
  g_autoptr (LsLayout) two = layout_of (data, &query);
  g_assert_true (says (two->still, "2 said otherwise by the other lane"));
  left->n = right->n = ASKED_TESTS - 1; /* the last one isn't asked any more */
  g_autoptr (LsLayout) fewer = layout_of (data, &query);
  left->n = right->n = ASKED_TESTS;
  if (!says (fewer->still, "1 said otherwise by the other lane"))
    g_error ("a sample that isn’t of the test set is counted among those that the lanes differ in");
}

/* With one lane's evaluation the page has that one alone; without any, the batch's own. */
static void
test_whose (void)
{
  for (guint known = 0; known < 3; known++) /* 2: neither */
    {
      g_autoptr (LsViewData) data = asked_data (NULL, FALSE);
      LsNetworkState asked = LS_NETWORK_STATE_INIT;
      LsQuery query = { LS_QUERY_FIELDS, .state = &asked };

      asked.page = LS_NETWORK_TEST;
      for (guint side = 0; side < 2; side++)
        if (side != known)
          g_clear_pointer (&data->sides[side].evaluation, ls_evaluation_unref);
      g_autoptr (LsLayout) page = layout_of (data, &query);
      const LsNetwork *n = page->own;
      const gboolean cpu = known != 1;
      if (says (page->still, "Confusion, CPU") != cpu || says (page->still, "Confusion, OpenCL") == cpu
          || (n->matrix_area[0].w > 0) != cpu || (n->matrix_area[1].w > 0) == cpu)
        g_error ("with the evaluation of %s the confusion isn't that of %s", known == 2 ? "neither" : "one",
                 cpu ? "the CPU" : "OpenCL");
      if (says (page->still, "this batch of 32") != (known == 2)
          || says_thousands (page->still, "test set, 1,000") != (known != 2))
        g_error ("the confusion of lane %u isn't said to be of what it is", known);
      asked.page = LS_NETWORK_WALK;
      g_autoptr (LsLayout) walk = layout_of (data, &query);
      g_assert_true (says (walk->still, "Confusion"));
      g_assert_true (says (walk->still, known == 0 ? "right 90.9 %" : known == 1 ? "right 90.8 %" : "of 32"));
      asked.page = LS_NETWORK_TEST;
    }
}

/* Each of the worst mistakes is under its own image, worst first, row by row: what it is, what it was said to
 * be, and how surely. */
static void
test_worst (void)
{
  g_autoptr (LsViewData) data = asked_data (NULL, FALSE);
  LsNetworkState asked = LS_NETWORK_STATE_INIT;
  LsQuery query = { LS_QUERY_FIELDS, .state = &asked };
  LsEvaluation *e = data->sides[0].evaluation;
  guint texts = 0, images = 0;

  asked.page = LS_NETWORK_TEST;
  for (guint i = 0; i < e->n_worst; i++)
    {
      e->worst[i].confidence = .5f + .03f * (float) i;
      for (guint k = 0; k < INPUTS; k++)
        e->values[i * INPUTS + k] = k == i * 29 ? 1 : 0; /* one pixel is bright */
    }
  g_autoptr (LsLayout) page = layout_of (data, &query);
  const LsNetwork *n = page->own;
  const LsScene *s = page->still;
  g_assert_cmpuint (n->n_thumbs, ==, e->n_worst);
  g_assert_true (n->thumbs_of_test && says (s, "Worst mistakes") && says (s, "true → said, how surely"));
  for (guint i = 0; i < s->items->len; i++)
    {
      const LsItem *item = ls_scene_get (s, i);
      const double x = ((double) (item->x + item->w / 2) - n->wrong_area.x) / n->thumb_w,
                   y = ((double) item->y - n->wrong_area.y) / n->thumb_h;
      const guint at = (guint) MAX (y + .01, 0) * n->thumb_cols + (guint) MAX (x, 0);

      if (x < 0 || y < -.01 || at >= e->n_worst
          || (item->kind != LS_ITEM_TEXT && item->kind != LS_ITEM_IMAGE))
        continue;
      if (item->kind == LS_ITEM_IMAGE)
        {
          const LsSceneImage *image = image_of (s, item);
          g_assert_cmpuint (image->rows * image->cols, ==, INPUTS);
          for (guint k = 0; k < INPUTS; k++)
            if ((image->levels[k] > 0) != (k == at * 29))
              g_error ("mistake %u has the image of another one: pixel %u has level %u", at, k,
                       image->levels[k]);
          g_assert_cmpfloat ((double) item->y + (double) item->h, <=, n->wrong_area.y + n->wrong_area.h);
          images++;
          continue;
        }
      const guint sample = e->worst[at].sample;
      g_autofree char *sure = ls_number_text ((double) e->worst[at].confidence, 2),
                      *words = g_strdup_printf ("%u → %u, %s", e->labels[sample], e->predicted[sample], sure);
      g_assert_cmpstr (item->text, ==, words);
      texts++;
    }
  g_assert_cmpuint (images, ==, e->n_worst);
  g_assert_cmpuint (texts, ==, e->n_worst);
}

/* ---- points of three classes ---- */

static LsViewData *
three_classes (void)
{
  const LsFixture f = { LS_CORES (2), .model = "flatten, dense 20, relu, dense 3",
                        .batch = 32,  .tiles = 16,
                        .groups = 32, .on_cpu = TRUE,
                        .steps = 60,  .values = TRUE,
                        .toy = TRUE,  .classes = 3 };
  LsViewData *data = ls_fixture_data (&f);

  asked_add_answers (data, LS_ASKED_GRID, -1, 0, GRID);
  /* of the lowest row the third class, hardly likelier; then one of which nothing is known */
  for (guint side = 0; side < 2; side++)
    for (guint i = 0; i < GRID; i++)
      {
        float *p = data->sides[side].answer->probs + (guint) (GRID * (GRID - 1) + i) * 3;
        p[0] = p[1] = i == 0 ? 0 : .333333f;
        p[2] = i == 0 ? 1 : .333334f;
      }
  return data;
}

static const LsItem *
plane_at (const LsScene *s, LsInk ink, guint which)
{
  for (guint i = 0; i < s->items->len; i++)
    {
      const LsItem *item = ls_scene_get (s, i);

      if (item->kind == LS_ITEM_IMAGE && item->ink == ink && image_of (s, item)->cols == GRID && which-- == 0)
        return item;
    }
  g_error ("a plane isn’t drawn");
}

/* Each lane's plane has the colour of the class that is most probable there, the deeper the surer, left above
 * right as the grid has it; where the lanes differ, that is on a scale of tens. */
static void
test_planes (void)
{
  g_autoptr (LsViewData) data = three_classes ();
  LsNetworkState asked = LS_NETWORK_STATE_INIT;
  LsQuery query = { LS_QUERY_FIELDS, .state = &asked };
  float *apart = data->sides[1].answer->probs + 3 * (2 * GRID + 5);

  apart[0] = .93f; /* there it was class 1 */
  apart[1] = .035f;
  asked.page = LS_NETWORK_TEST;
  g_autoptr (LsLayout) page = layout_of (data, &query);
  const LsScene *s = page->still;
  const LsItem *planes[3] = { plane_at (s, LS_INK_WORKER, 0), plane_at (s, LS_INK_WORKER, 1),
                              plane_at (s, LS_INK_AMOUNT, 0) };
  for (guint side = 0; side < 2; side++)
    for (guint i = 0; i < GRID * GRID; i++)
      {
        const guint level = image_of (s, planes[side])->levels[i],
                    class = i / GRID == GRID - 1             ? 2
                            : side == 1 && i == 2 * GRID + 5 ? 0
                                                             : i % GRID * 2 / GRID,
                    sure = i == GRID * (GRID - 1) ? 31
                           : class == 2           ? 8
                                                  : 29; /* 31 (1/4 + 3/4 · share) */
        if (level / 32 != class || level % 32 < sure - 1 || level % 32 > sure)
          g_error ("lane %u, row %u, column %u: class %u, %u of 31 sure, not class %u, %u", side, i / GRID,
                   i % GRID, level / 32, level % 32, class, sure);
      }
  for (guint i = 0; i < 3; i++)
    {
      const double right = i > 0 ? (double) (planes[i - 1]->x + planes[i - 1]->w) : 0;
      g_assert_cmpfloat ((double) planes[i]->w, ==, (double) planes[i]->h);
      g_assert_cmpfloat ((double) planes[i]->y, ==, (double) planes[0]->y);
      g_assert_cmpfloat ((double) planes[i]->x, >, right);
    }
  for (guint i = 0; i < GRID * (GRID - 1); i++)
    {
      const double d = i == 2 * GRID + 5 ? .895 : 1e-6;
      g_assert_cmpfloat_with_epsilon (image_of (s, planes[2])->levels[i], 255 * (9 + log10 (d)) / 9, 4);
    }
  g_assert_cmpuint (image_of (s, planes[2])->levels[GRID * GRID - 1], ==, 0);
  g_assert_true (says (s, "1 of 64 points said otherwise") && says_thousands (s, "after step 1,234"));
  g_assert_true (says (s, "max |Δ| 9·10⁻¹") || says (s, "max |Δ| 0.9") || says (s, "max |Δ| 8.9"));
  g_autofree char *words = ls_layout_describe (page);
  if (strstr (words, "The plane: of 64 points the lanes say the same of 63.") == NULL)
    g_error ("of 64 points one is said otherwise, and it says: %s", words);

  data->sides[1].answer->steps = 1300;
  g_autoptr (LsLayout) later = layout_of (data, &query);
  g_autofree char *both = ls_layout_describe (later);
  g_autofree char *after = with_thin_spaces ("The planes are those after step 1,234 and after step 1,300.");
  g_assert_nonnull (strstr (both, after));
  g_assert_false (says (later->still, "Difference") || says (later->still, "otherwise"));
}

/* Where a point of the plane stands in it: x to the right, y up, the reach at the edges. */
static gboolean
is_there (const LsItem *plane, const float *drawn, const float *point, double reach)
{
  const double half = (double) plane->w / 2,
               x = (double) plane->x + half * (1 + CLAMP ((double) point[0] / reach, -1, 1)),
               y = (double) plane->y + half * (1 - CLAMP ((double) point[1] / reach, -1, 1));

  return fabs ((double) drawn[0] - x) < .1 && fabs ((double) drawn[1] - y) < .1;
}

/* The batch's points lie on each plane where they are, in their label's colour; on the drawn lane's those
 * that it takes for another class are ringed, and nothing else is. */
static void
test_points (void)
{
  g_autoptr (LsViewData) data = three_classes ();
  LsNetworkState asked = LS_NETWORK_STATE_INIT;
  LsQuery query = { LS_QUERY_FIELDS, .state = &asked };

  asked.page = LS_NETWORK_TEST;
  g_autoptr (LsLayout) page = layout_of (data, &query);
  const LsNetwork *n = page->own;
  const LsScene *s = page->still;
  const double reach = data->sides[0].answer->question->reach;
  const float *inputs = recorded (data, 0, "x");
  g_assert_cmpfloat (reach, >, 1);
  for (guint side = 0; side < 2; side++)
    {
      const LsItem *plane = plane_at (s, LS_INK_WORKER, side);
      guint dots = 0, rings = 0;

      for (guint i = 0; i < s->items->len; i++)
        {
          const LsItem *item = ls_scene_get (s, i);
          const float *p = item->n_points > 0 ? points_of (s, item) : NULL;

          if ((item->kind != LS_ITEM_DOTS && item->kind != LS_ITEM_RINGS) || p == NULL || p[0] < plane->x
              || p[0] > plane->x + plane->w || p[1] < plane->y || p[1] > plane->y + plane->h)
            continue;
          for (guint k = 0; k < item->n_points; k++)
            {
              const gboolean ring = item->kind == LS_ITEM_RINGS;
              guint sample = 0;

              while (sample < BATCH
                     && (!is_there (plane, p + 2 * k, inputs + 2 * sample, reach)
                         || (ring ? ls_network_predicted (n, n->side, sample) == (gint) (sample % 3)
                                  : (gint) (sample % 3) != (gint) item->value)))
                sample++;
              if (sample == BATCH)
                g_error ("lane %u: a %s stands at %g, %g where no such point is", side,
                         ring ? "ring" : "point of that class", (double) p[2 * k], (double) p[2 * k + 1]);
              dots += !ring;
              rings += ring;
            }
          g_assert_cmpuint (item->ink, ==, item->kind == LS_ITEM_RINGS ? LS_INK_TEXT : LS_INK_WORKER);
          g_assert_cmpuint (item->evidence, ==,
                            item->kind == LS_ITEM_RINGS ? LS_EVIDENCE_DERIVED : LS_EVIDENCE_MEASURED);
        }
      g_assert_cmpuint (dots, ==, BATCH);
      g_assert_cmpuint (rings, ==, (gint) side == n->side ? n->wrong->len : 0);
    }
  g_assert_cmpuint (n->wrong->len, >, 2);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/paint/network-judged/cells", test_cells);
  g_test_add_func ("/paint/network-judged/score", test_score);
  g_test_add_func ("/paint/network-judged/whose", test_whose);
  g_test_add_func ("/paint/network-judged/worst", test_worst);
  g_test_add_func ("/paint/network-judged/planes", test_planes);
  g_test_add_func ("/paint/network-judged/points", test_points);
  return g_test_run ();
}
