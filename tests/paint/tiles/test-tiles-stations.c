/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What stands under the tiles: the stations of a kernel's loop with their small print, who waits at the
 * barrier, the picked work-item, and where the values come from.
 */
#include <math.h>
#include <string.h>

#include "tests/paint/draw.h"
#include "tests/paint/numbers.h"
#include "tests/paint/said.h"
#include "tests/paint/states.h"
#include "tests/plain.h"
#include "ui/paint/tiles/tiles.h"
#include "ui/paint/views.h"

/* What each rung does in a round, in the order of its source: 16×16 work-items and 16 products in a tile. The
 * picked element is in row 3, column 1 of its tile: OpenCL counts along first, and where a work-item computes
 * more than one element it is one of its. */
static const struct {
  const char *names[6], *words[6], *item;
} loops[LS_RUNG_N] = {
  [LS_RUNG_NAIVE] = { { "multiply", "store" }, { "from global memory", "C, once" }, "Work-item (1, 3)" },
  [LS_RUNG_TILED] = { { "load", "wait", "multiply", "wait", "store" },
                      { "global → local", "all 256 arrive", "16 steps", "then next k", "C, once" },
                      "Work-item (1, 3)" },
  [LS_RUNG_REGISTER] = { { "load", "wait", "multiply", "wait", "store" },
                         { "global → local", "all 256 arrive", "16 steps", "then next k", "C, once" },
                         "Work-item of (1, 3)" },
  [LS_RUNG_PACKED] = { { "load", "multiply", "store" },
                       { "B from the panel", "A from memory", "C, once" },
                       "Work-item of (1, 3)" },
};

static double
middle_of (const LsScene *scene, const LsItem *item)
{
  LsArea area;

  ls_item_bounds (scene, item, &area.x, &area.y, &area.w, &area.h);
  return area.x + area.w / 2;
}

/* The text below that one, in the same station. */
static const char *
below (const LsScene *scene, const LsItem *name)
{
  for (guint i = 0; i < scene->items->len; i++)
    {
      const LsItem *item = ls_scene_get (scene, i);
      if (item->kind == LS_ITEM_TEXT && item->y > name->y && item->y < name->y + 2 * (float) name->type.px
          && fabs (middle_of (scene, item) - middle_of (scene, name)) < 1)
        return item->text;
    }
  return "";
}

static void
check_stations (const LsLayout *layout, const LsTilesNow *now, LsRung rung)
{
  const LsScene *s = layout->moving;
  double left = 0;
  guint found = 0, arrows = 0;

  for (guint i = 0; i < s->items->len && loops[rung].names[found] != NULL; i++)
    {
      const LsItem *item = ls_scene_get (s, i);
      if (item->kind != LS_ITEM_TEXT || item->align != LS_CENTER
          || strcmp (item->text, loops[rung].names[found]) != 0)
        continue;
      if (strcmp (below (s, item), loops[rung].words[found]) != 0)
        g_error ("rung %u: under the station “%s” stands “%s”, not “%s”", (guint) rung, item->text,
                 below (s, item), loops[rung].words[found]);
      if ((item->ink == LS_INK_ON_MARK) != (now->mark == found))
        g_error ("rung %u: “%s” is %s at mark %u", (guint) rung, item->text,
                 item->ink == LS_INK_ON_MARK ? "lit" : "not lit", now->mark);
      guint boxes = 0; /* its own, lit or not */
      for (guint k = 0; k < s->items->len; k++)
        {
          const LsItem *box = ls_scene_get (s, k);
          boxes += box->kind == LS_ITEM_BOX && box->ink == (now->mark == found ? LS_INK_MARK : LS_INK_TRACK)
                   && fabs ((double) (box->x + box->w / 2) - middle_of (s, item)) < 1.5 && box->y < item->y
                   && box->y + box->h > item->y && box->h < 6 * (float) item->type.px;
        }
      g_assert_cmpuint (boxes, ==, 1);
      g_assert_cmpfloat (middle_of (s, item), >, left);
      left = middle_of (s, item);
      found++;
    }
  if (loops[rung].names[found] != NULL)
    g_error ("rung %u has no station “%s”", (guint) rung, loops[rung].names[found]);
  for (guint i = 0; i < s->items->len; i++) /* from each to the next, none behind the last */
    arrows += ls_scene_get (s, i)->kind == LS_ITEM_AREA && ls_scene_get (s, i)->n_points == 3;
  g_assert_cmpuint (arrows, ==, found - 1);
}

/* A tiled kernel's sub-groups of 32 load one after the other and wait, hatched; those of the register kernel
 * load all at once. Everybody is there at a barrier, and nobody waits between. */
static void
check_barrier (const LsLayout *layout, const LsTilesNow *now, LsRung rung, guint *seen)
{
  const LsTiles *t = layout->own;
  const LsScene *s = layout->moving;
  const LsItem *name = NULL, *first = NULL;
  guint hatched = 0, solid = 0, track = 0;
  const char *words = NULL;

  for (guint i = 0; i < s->items->len; i++)
    {
      const LsItem *item = ls_scene_get (s, i);
      if (item->kind == LS_ITEM_TEXT && strcmp (item->text, "Barrier") == 0)
        name = item;
      else if (name == NULL)
        continue;
      else if (item->kind == LS_ITEM_TEXT && fabs ((double) (item->y - name->y)) < 1 && words == NULL)
        words = item->text;
      else if (first == NULL ? item->y > name->y && (item->kind == LS_ITEM_HATCH || item->kind == LS_ITEM_BOX)
                             : item->y == first->y && item->h == first->h)
        {
          first = first == NULL ? item : first;
          if (item->kind == LS_ITEM_HATCH)
            { /* from the left on */
              g_assert_cmpuint (solid + track, ==, 0);
              hatched++;
            }
          solid += item->kind == LS_ITEM_BOX && item->ink == LS_INK_MARK;
          track += item->kind == LS_ITEM_BOX && item->ink == LS_INK_TRACK;
        }
    }
  g_assert_cmpint (name != NULL, ==, rung == LS_RUNG_TILED || rung == LS_RUNG_REGISTER);
  if (name == NULL)
    return;
  g_assert_nonnull (words);
  g_assert_cmpuint (hatched + solid + track, ==, 8); /* 256 in sub-groups of 32 */
  const gboolean over = now->round >= t->rounds, waits = !over && now->phase == LS_LISTING_BARRIER,
                 loads = !over && now->phase == LS_LISTING_LOAD;
  g_autofree char *some = g_strdup_printf ("%u × 32 wait, 32 load, %u to come", hatched, track);
  const char *should = over                                ? "the loop is over"
                       : waits                             ? "all 8 × 32 work-items are here"
                       : loads && rung == LS_RUNG_REGISTER ? "all 8 × 32 load"
                       : loads                             ? some
                                                           : "nobody waits";
  g_assert_cmpstr (words, ==, should);
  if (hatched
        != (waits                            ? 8
            : loads && rung == LS_RUNG_TILED ? (guint) (now->part * 8)
                                             : 0)
      || solid
           != (!loads                  ? 0
               : rung == LS_RUNG_TILED ? 1
                                       : 8))
    g_error ("rung %u, phase %u, %.2f of it, “%s”: %u sub-groups are hatched, %u solid, %u grey",
             (guint) rung, (guint) now->phase, now->part, words, hatched, solid, track);
  seen[over ? 0 : now->phase == LS_LISTING_MULTIPLY ? 1 : loads ? 2 + (hatched > 0) : 4]++;
}

static void
test_stations (void)
{
  g_autoptr (LsViewData) data = ls_fixture_tiles (NULL, 128, TRUE, TRUE);

  for (guint rung = 0; rung < LS_RUNG_N; rung++)
    {
      LsTilesState asked = LS_TILES_STATE_INIT;
      LsQuery query = { LS_QUERY_FIELDS, .state = &asked };
      guint seen[5] = { 0 };

      query.op = 1;
      asked.rung = (gint) rung;
      asked.item_row = 3;
      asked.item_col = 1;
      g_autoptr (LsLayout) layout = draw_view (&ls_view_tiles, data, &query, LS_LOOK_LIGHT, 3840, 2160);
      const LsTiles *t = layout->own;
      for (guint i = 0; i <= 400; i++)
        {
          LsTilesNow now;

          query = layout->query;
          query.time_ns = i == 400 ? layout->span_ns : t->round_ns * (gint64) i / 100;
          ls_layout_move (layout, &query);
          ls_tiles_now (t, query.time_ns, &now);
          check_stations (layout, &now, (LsRung) rung);
          check_barrier (layout, &now, (LsRung) rung, seen);
          const LsItem *item = find_text (layout->moving, "Work-item ");
          g_assert_nonnull (item);
          g_assert_cmpstr (item->text, ==, loops[rung].item);
        }
      for (guint i = 0; i < G_N_ELEMENTS (seen) && rung == LS_RUNG_TILED; i++)
        if (seen[i] == 0)
          g_error ("the barrier wasn’t looked at in state %u", i);
    }
}

/* ---- where the values come from ---- */

static void
test_source (void)
{
  g_autoptr (LsViewData) data = ls_fixture_tiles (NULL, 128, TRUE, TRUE);
  LsTilesState asked = LS_TILES_STATE_INIT;
  LsQuery query = { LS_QUERY_FIELDS, .state = &asked };
  static const struct {
    gboolean cpu, walk, modelled, local, as_found;
    gint side; /* of the values; the walk is lane 1's */
    const char *words, *brief;
    LsEvidence evidence;
  } rows[] = {
    { FALSE, FALSE, FALSE, TRUE, FALSE, 1, "values read back after the step: W₁ as updated",
      "read back: W₁ as updated", LS_EVIDENCE_MEASURED },
    { FALSE, FALSE, FALSE, TRUE, TRUE, 1, "values read back after the step", "values read back",
      LS_EVIDENCE_MEASURED },
    { FALSE, FALSE, FALSE, TRUE, TRUE, 0, "values read back after the step", "values read back",
      LS_EVIDENCE_MEASURED },
    { FALSE, FALSE, TRUE, TRUE, TRUE, 0, "the CPU’s numbers, in a model of the kernel", "the CPU’s numbers",
      LS_EVIDENCE_MODELLED },
    { FALSE, FALSE, TRUE, TRUE, TRUE, 1, "values read back after the step", "values read back",
      LS_EVIDENCE_MODELLED },
    { FALSE, FALSE, FALSE, TRUE, FALSE, -1, "no values were recorded with this step", "values not recorded",
      LS_EVIDENCE_MODELLED },
    { FALSE, TRUE, FALSE, TRUE, FALSE, -1, "values read back from the device’s local memory",
      "read back from local memory", LS_EVIDENCE_MEASURED },
    { FALSE, TRUE, FALSE, FALSE, FALSE, 1, "read back from the device", "read back from the device",
      LS_EVIDENCE_MEASURED },
    { FALSE, TRUE, TRUE, TRUE, FALSE, 1, "of a run for this picture alone, not of the step",
      "run again, not in the step", LS_EVIDENCE_MODELLED },
    /* the CPU's side knows no model of a kernel, and no walk of one */
    { TRUE, TRUE, TRUE, TRUE, TRUE, 0, "values read back after the step", "values read back",
      LS_EVIDENCE_MEASURED },
    { TRUE, FALSE, FALSE, TRUE, FALSE, -1, "no values were recorded with this step", "values not recorded",
      LS_EVIDENCE_MODELLED },
  };
  const LsWalk walk = { 0 };

  query.op = 1;
  g_autoptr (LsLayout) layout = draw_view (&ls_view_tiles, data, &query, LS_LOOK_LIGHT, 1920, 1080);
  const LsTiles *drawn = layout->own;
  g_assert_cmpuint (drawn->lane, ==, 1);
  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      LsTiles t = *drawn;

      t.cpu = rows[i].cpu ? (gpointer) &asked : NULL;
      t.walk = rows[i].walk ? &walk : NULL;
      t.modelled = rows[i].modelled;
      t.cut.local = rows[i].local;
      t.as_found = rows[i].as_found;
      t.side = rows[i].side;
      g_test_message ("row %u", (guint) i);
      assert_said (ls_tiles_source_words (&t, FALSE), rows[i].words);
      assert_said (ls_tiles_source_words (&t, TRUE), rows[i].brief);
      g_assert_cmpint (ls_tiles_evidence (&t), ==, rows[i].evidence);
    }
}

/* ---- the kernel's source ---- */

/* The box round the source is as high as the lines in it, which follow one another without a gap; the one
 * that runs is marked, and stands among them. */
static void
test_listing (void)
{
  g_autoptr (LsViewData) data = ls_fixture_tiles (NULL, 128, TRUE, TRUE);
  LsTilesState asked = LS_TILES_STATE_INIT;
  LsQuery query = { LS_QUERY_FIELDS, .op = 1, .state = &asked };
  guint whole = 0, part = 0, marked = 0;

  for (gint rung = 0; rung < LS_RUNG_N; rung++)
    for (double height = 620; height < 2160; height += 30.5)
      {
        asked.rung = rung;
        g_autoptr (LsLayout) layout = draw_view (&ls_view_tiles, data, &query, LS_LOOK_LIGHT, 2400, height);
        const LsTiles *t = layout->own;
        const LsItem *box = NULL;
        double last = 0, pitch = 0, first_y = 0, bar = -1;
        guint to = 0;

        query.time_ns = t->span_ns / 2;
        ls_layout_move (layout, &query);
        for (guint i = 0; i < layout->moving->items->len; i++)
          {
            const LsItem *item = ls_scene_get (layout->moving, i);
            guint number;

            if (!ls_area_has (t->source, (double) item->x, (double) item->y))
              continue;
            if (item->kind == LS_ITEM_BOX && item->ink == LS_INK_CARD)
              box = item;
            if (item->kind == LS_ITEM_BOX && item->ink == LS_INK_SOFT)
              bar = (double) item->y;
            if (item->kind != LS_ITEM_TEXT || !item->type.code
                || item->text[strspn (item->text, "0123456789")] != '\0')
              continue;
            number = (guint) g_ascii_strtoull (item->text, NULL, 10);
            if (to != 0 && number <= to)
              g_error ("%.1f px high: after line %u comes %u", height, to, number);
            if (to != 0)
              pitch = pitch > 0 ? MIN (pitch, (double) item->y - last) : (double) item->y - last;
            first_y = first_y > 0 ? first_y : (double) item->y;
            last = (double) item->y;
            to = number;
          }
        if (box == NULL)
          continue;
        const guint end = g_array_index (t->listing->lines, LsListingLine, t->listing->lines->len - 1).number;
        const double foot = (double) (box->y + box->h), above = first_y - (double) box->y;
        if (to == end && foot - last > pitch + layout->m.unit)
          g_error ("%.1f px high: under the last line %.0f px of the source’s box are left", height,
                   foot - last);
        g_assert_cmpfloat (foot, <=, t->source.y + t->source.h + 1);
        g_assert_cmpfloat (above, <, 2 * pitch);
        if (bar >= 0)
          {
            g_assert_cmpfloat (bar, >=, (double) box->y);
            g_assert_cmpfloat (bar, <, foot);
            marked++;
          }
        *(to == end ? &whole : &part) += 1;
      }
  g_test_message ("%u to the end, %u not, %u marked", whole, part, marked);
  g_assert_true (whole > 10 && part > 10 && marked > 20);
}

/* ---- the corner ---- */

/* Each matrix in the corner has an edge of a pixel all round it. */
static void
test_corner (void)
{
  g_autoptr (LsViewData) data = ls_fixture_tiles ("flatten, dense 37, relu, dense 10", 29, TRUE, TRUE);
  LsTilesState asked = LS_TILES_STATE_INIT;
  LsQuery query = { LS_QUERY_FIELDS, .op = 1, .state = &asked };
  g_autoptr (LsLayout) layout = draw_view (&ls_view_tiles, data, &query, LS_LOOK_LIGHT, 1920, 1080);
  const LsTiles *t = layout->own;
  const LsArea places[] = { t->at_a, t->at_b, t->at_c };

  for (guint k = 0; k < G_N_ELEMENTS (places); k++)
    {
      guint edges = 0;

      for (guint i = 0; i < layout->still->items->len; i++)
        {
          const LsItem *item = ls_scene_get (layout->still, i);
          edges += item->kind == LS_ITEM_BOX && item->ink == LS_INK_EDGE
                   && fabs ((double) item->x - places[k].x + 1) < .1
                   && fabs ((double) item->y - places[k].y + 1) < .1
                   && fabs ((double) item->w - places[k].w - 2) < .1
                   && fabs ((double) item->h - places[k].h - 2) < .1;
        }
      if (edges != 1)
        g_error ("matrix %u in the corner has %u edges", k, edges);
    }
}

/* ---- a hall ---- */

/* While a tile is loaded its lines are there, on their way or to come, A's and B's each as far as they are;
 * and in the bar beneath, from its left end on, stands the line that runs. */
static void
test_hall (void)
{
  g_autoptr (LsViewData) data = ls_fixture_tiles ("flatten, dense 37, relu, dense 10", 29, TRUE, TRUE);
  LsTilesState asked = LS_TILES_STATE_INIT;
  LsQuery query = { LS_QUERY_FIELDS, .op = 1, .state = &asked };
  guint loading = 0, lines = 0;

  asked.rung = LS_RUNG_TILED;
  g_autoptr (LsLayout) layout = draw_view (&ls_view_tiles, data, &query, LS_LOOK_PROJECTOR, 1920, 1080);
  const LsTiles *t = layout->own;
  for (guint i = 0; i < 200; i++)
    {
      guint seen[2][3] = { { 0 } };
      LsTilesFill fill[2];
      LsTilesNow now;
      double left = G_MAXDOUBLE;

      query.time_ns = t->round_ns * i / 200;
      ls_layout_move (layout, &query);
      ls_tiles_now (t, query.time_ns, &now);
      ls_tiles_fill (t, &now, &fill[0], &fill[1]);
      for (guint k = 0; k < layout->moving->items->len; k++)
        {
          const LsItem *item = ls_scene_get (layout->moving, k);
          const double x = (double) item->x, y = (double) item->y;

          if (item->kind == LS_ITEM_TEXT && ls_area_has (t->source, x, y) && item->type.code)
            left = MIN (left, x);
          for (guint b = 0; b < 2; b++)
            if (ls_area_has (b == 0 ? t->cells_a : t->cells_b, x + 1, y + 1)
                && (item->kind == LS_ITEM_BOX || item->kind == LS_ITEM_HATCH)
                && (double) item->w < t->cells_a.w / 2)
              seen[b][item->ink == LS_INK_SIGN ? 0 : item->ink == LS_INK_MARK ? 1 : 2]++;
        }
      if (ls_tiles_running_text (t, &now) != NULL)
        {
          const double in = left < G_MAXDOUBLE ? left - t->source.x : -1;
          if (in < 2 * layout->m.unit || in > 8 * layout->m.unit)
            g_error ("the line that runs begins %.0f px in its bar", in);
          lines++;
        }
      const LsItem *product = find_text (layout->moving, "k = ");
      gboolean marked = product == NULL;
      for (guint k = 0; k < layout->moving->items->len; k++)
        {
          const LsItem *mark = ls_scene_get (layout->moving, k);
          marked |= product != NULL && mark->kind == LS_ITEM_EVIDENCE
                    && (guint) mark->value == LS_EVIDENCE_MODELLED
                    && ls_item_right (mark) < (double) product->x
                    && ls_item_right (mark) > (double) product->x - 30
                    && fabsf (mark->y - product->y) < (float) product->type.px;
        }
      if (!marked)
        g_error ("that “%s” is modelled isn’t marked", product->text);
      if (now.phase != LS_LISTING_LOAD || now.mark == LS_LISTING_NO_MARK)
        continue;
      for (guint b = 0; b < 2; b++)
        {
          const guint all = b == 0 ? t->cut.tile_m : t->window, each = b == 0 ? t->window : t->cut.tile_n;
          const guint should[] = { fill[b].done, fill[b].flight, all - fill[b].done - fill[b].flight };
          for (guint k = 0; k < 3; k++)
            if (seen[b][k] != should[k] * each)
              g_error ("%u cells of %s are drawn as %s, and %u rows of %u", seen[b][k], b == 0 ? "As" : "Bs",
                       k == 0   ? "there"
                       : k == 1 ? "on their way"
                                : "to come",
                       should[k], each);
        }
      loading += fill[0].done != fill[1].done || fill[0].flight != fill[1].flight;
    }
  g_assert_true (loading > 5 && lines > 100);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/paint/tiles-stations/stations", test_stations);
  g_test_add_func ("/paint/tiles-stations/source", test_source);
  g_test_add_func ("/paint/tiles-stations/listing", test_listing);
  g_test_add_func ("/paint/tiles-stations/hall", test_hall);
  g_test_add_func ("/paint/tiles-stations/corner", test_corner);
  return g_test_run ();
}
