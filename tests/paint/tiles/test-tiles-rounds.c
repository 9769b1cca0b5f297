/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Where a walk is at the very edges of its rounds, which of the CPU's calls is told of, and how wide a
 * work-group's part of C is.
 */
#include <math.h>
#include <string.h>

#include "tests/paint/draw.h"
#include "tests/paint/fixture.h"
#include "tests/paint/said.h"
#include "tests/paint/states.h"
#include "tests/paint/tiles/walk_rig.h"
#include "ui/paint/tiles/tiles_cpu.h"
#include "ui/paint/views.h"

/* At the moment at which a round begins it has begun: nothing of it is done, and all of those before. A
 * nanosecond earlier it is the round before, near its end. */
static void
test_edges (void)
{
  guint op;
  g_autoptr (LsViewData) data = make_data (LS_RUNG_TILED, LS_RUNG_TILED, ALL, COMPARED, NULL, &op);
  LsTilesState asked = LS_TILES_STATE_INIT;
  LsQuery query = { LS_QUERY_FIELDS, .op = op, .state = &asked };
  gint64 at = 0;
  LsTiles t;

  g_assert_true (ls_tiles_init (&t, NULL, data, &query));
  g_assert_nonnull (t.starts);
  for (guint round = 0; round < ROUNDS; at += round_ns (round++))
    {
      LsTilesNow now, before;

      ls_tiles_now (&t, at, &now);
      if (now.round != round || now.loaded != round || now.multiplied != round)
        g_error ("as round %u begins it is in round %d, %d are loaded and %d multiplied", round,
                 (gint) now.round, (gint) now.loaded, (gint) now.multiplied);
      g_assert_cmpint (now.phase, ==, LS_LISTING_LOAD);
      g_assert_cmpfloat (now.part, ==, 0);
      if (round == 0)
        continue;
      ls_tiles_now (&t, at - 1, &before);
      if (before.round != round - 1)
        g_error ("before round %u begins it is in round %d", round, (gint) before.round);
      g_assert_cmpuint (before.mark, ==, 3);
      g_assert_cmpfloat (before.part, >, .9);
    }
  ls_tiles_clear (&t);
}

/* A convolution's groups, of which the walk tells the columns of one: together they reach over all of C, also
 * where the first was walked and they don't divide it. */
static void
test_wide (void)
{
  static const gint64 all[] = { 96, 97, 100, 5 };

  for (guint i = 0; i < G_N_ELEMENTS (all); i++)
    for (guint col = 0; col < 2; col++)
      {
        const gint64 group = (all[i] + 2) / 3;
        gint64 columns[8], first, wide;
        LsWalk walk = { .columns = columns, .tile_n = 8, .col = col };
        const LsTiles t = { .walk = &walk,
                            .kind = LS_TILES_CONV,
                            .cols = 3,
                            .col = col,
                            .c = { .cols = all[i] },
                            .cut = { .tile_n = 8 } };

        for (guint j = 0; j < G_N_ELEMENTS (columns); j++)
          columns[j] = col * group + j;
        ls_tiles_group (&t, &first, &wide);
        if (first != col * group || wide != group)
          g_error ("of %d columns in three groups, group %u has %d from %d on, not %d from %d on",
                   (gint) all[i], col, (gint) wide, (gint) first, (gint) group, (gint) (col * group));
      }
}

/* Whoever can't see the CPU's side is told which call it is at, by the name that the picture has for it: a
 * convolution goes from strip to strip. */
static void
test_told (void)
{
  static const struct {
    const char *model, *name, *told;
    guint op;
  } cases[] = { { NULL, "k panel", "k panel", 1 },
                { "conv 8 3 pad 1, relu, flatten, dense 10", "strip", "Strip", 0 } };

  for (guint c = 0; c < G_N_ELEMENTS (cases); c++)
    {
      g_autoptr (LsViewData) data = ls_fixture_tiles (cases[c].model, 64, TRUE, TRUE);
      LsTilesState asked = LS_TILES_STATE_INIT;
      LsQuery query = { LS_QUERY_FIELDS, .op = cases[c].op, .state = &asked };
      gint64 last = 0;

      asked.cpu_side = TRUE;
      g_autoptr (LsLayout) first = draw_view (&ls_view_tiles, data, &query, LS_LOOK_LIGHT, 1920, 1080);
      for (guint i = 0; i <= 40; i++)
        {
          query.time_ns = i == 40 ? LS_TIME_END : first->span_ns * i / 40;
          g_autoptr (LsLayout) layout = draw_view (&ls_view_tiles, data, &query, LS_LOOK_LIGHT, 1920, 1080);
          const LsTiles *t = layout->own;
          LsTilesCpuNow now;

          g_assert_nonnull (t->cpu);
          ls_tiles_cpu_now (t, query.time_ns, &now);
          const gint64 call = MIN (now.at.round + 1, t->rounds);
          g_autofree char *tile = ls_tiles_group_words (t), *told = ls_layout_describe (layout),
                          *words = g_strdup_printf (" %s, %s. %s %d of %d.", tile, t->recorded->equation,
                                                    cases[c].told, (gint) call, (gint) t->rounds);
          ls_layout_move (layout, &query);
          g_assert_nonnull (find_text (layout->moving, cases[c].name));
          if (strstr (told, words) == NULL)
            g_error ("at %u/40 it isn’t told “%s”, but: %s", i, words, told);
          g_assert_cmpint (call, >=, last);
          last = call;
        }
      g_assert_cmpint (last, >, 1);
    }
}

/* A product narrower than the kernel's tile is computed in one column of groups, whose time is the walk's. */
static void
test_narrow (void)
{
  static const LsWay ways[] = { LS_WAY_TILED, LS_WAY_REGISTER };
  static const guint edges[] = { 16, 64 };
  const LsFixture f = { LS_CORES (2), .model = "flatten, dense 37, relu, dense 10",
                        .batch = 29,  .tiles = 8,
                        .groups = 32, .on_cpu = TRUE,
                        .steps = 40 };

  for (guint way = 0; way < G_N_ELEMENTS (ways); way++)
    {
      g_autoptr (LsRecording) recording = ls_fixture_recording (&f);
      GArray *events = recording->lanes[1].events;
      guint narrow = 0;

      for (guint i = 0; i < events->len; i++)
        {
          LsEvent *e = &g_array_index (events, LsEvent, i);
          LsTiling *tiling = &recording->lanes[1].tilings[MIN (e->op, recording->n_ops - 1)];
          if (e->kind != LS_EVENT_GROUP || strcmp (recording->ops[e->op].name, "matmul") != 0)
            continue;
          tiling->way = ways[way];
          ls_tiling_set (tiling, tiling->rows, tiling->cols, edges[way], edges[way]);
          e->end_ns = e->start_ns + 1000 + 10 * e->tile + e->op;
        }
      g_autoptr (LsViewData) data = ls_view_data_from_recording (recording, NULL);
      for (guint op = 0; op < recording->n_ops; op++)
        {
          const LsTiling *tiling = &recording->lanes[1].tilings[op];
          LsTilesState asked = LS_TILES_STATE_INIT;
          LsQuery query = { LS_QUERY_FIELDS, .op = op, .state = &asked };
          LsTiles t;

          if (strcmp (recording->ops[op].name, "matmul") != 0
              || MIN (tiling->rows, tiling->cols) > edges[way])
            continue;
          asked.group_row = (gint) tiling->grid_rows - 1;
          asked.group_col = 0;
          g_assert_true (ls_tiles_init (&t, NULL, data, &query));
          const gint64 took = 1000 + 10 * (tiling->grid_rows - 1) * tiling->grid_cols + op;
          if (t.stamps != LS_TILES_WHOLE || t.span_ns != took)
            g_error ("of the product of %dx%d in tiles of %u the group took %d ns, and its walk %d",
                     (gint) tiling->rows, (gint) tiling->cols, edges[way], (gint) took, (gint) t.span_ns);
          narrow++;
          ls_tiles_clear (&t);
        }
      g_assert_cmpuint (narrow, >, 0);
    }
}

/* A walk is of the step that is shown: of a lane that has stopped, and keeps an earlier one, it isn't shown,
 * and neither is why there is none. */
static void
test_held (void)
{
  for (guint form = 0; form < 4; form++)
    {
      const gboolean held = form % 2, failed = form / 2;
      guint op;
      g_autoptr (LsViewData) data = make_data (LS_RUNG_TILED, LS_RUNG_TILED, ALL, COMPARED,
                                               failed ? "It failed." : NULL, &op);
      LsTilesState asked = LS_TILES_STATE_INIT;
      LsQuery query = { LS_QUERY_FIELDS, .op = op, .state = &asked };
      LsTiles t;

      data->sides[1].held = held ? ls_recording_ref (data->recording) : NULL;
      g_assert_true (ls_tiles_init (&t, NULL, data, &query));
      if ((t.walk != NULL) != (!held && !failed) || (t.walk_message != NULL) != (!held && failed))
        g_error ("of a lane that %s, whose walk %s, there is %s, and “%s” is said",
                 held ? "has stopped" : "goes on", failed ? "failed" : "was read back",
                 t.walk != NULL ? "one" : "none", t.walk_message != NULL ? t.walk_message : "nothing");
      ls_tiles_clear (&t);
    }
}

/* In the corner the names of both tiles stand beside where they are in their factors: as far along as
 * products are before them. */
static void
test_names (void)
{
  static const double sizes[][2] = { { 1920, 1080 }, { 2560, 1440 }, { 3840, 2160 } };
  guint seen[2] = { 0 };

  for (guint size = 0; size < G_N_ELEMENTS (sizes); size++)
    {
      guint op;
      g_autoptr (LsViewData) data = make_data (LS_RUNG_TILED, LS_RUNG_TILED, ALL, COMPARED, NULL, &op);
      LsTilesState asked = LS_TILES_STATE_INIT;
      LsQuery query = { LS_QUERY_FIELDS, .op = op, .state = &asked };
      g_autoptr (LsLayout) layout = draw_view (&ls_view_tiles, data, &query, LS_LOOK_LIGHT, sizes[size][0],
                                               sizes[size][1]);
      const LsTiles *t = layout->own;

      for (guint i = 0; i <= 40; i++)
        {
          LsTilesNow now;

          query.time_ns = t->span_ns * i / 40;
          ls_layout_move (layout, &query);
          ls_tiles_now (t, query.time_ns, &now);
          const double share = (double) now.round * t->window / (double) t->a.cols;
          for (guint k = 0; k < layout->moving->items->len; k++)
            {
              const LsItem *item = ls_scene_get (layout->moving, k);
              if (item->kind != LS_ITEM_TEXT || item->type.weight != 700 || item->ink != LS_INK_LANE)
                continue;
              if (strcmp (item->text, "As") == 0)
                {
                  const double w = ls_item_right (item) - (double) item->x,
                               at = CLAMP (t->at_a.x + t->at_a.w * share, t->at_a.x + w,
                                           t->at_a.x + t->at_a.w - w),
                               middle = (double) item->x + w / 2;
                  if (ABS (middle - at) > 1.5)
                    g_error ("after %d rounds As stands at %.1f px, not at %.1f", (gint) now.round, middle,
                             at);
                  seen[0]++;
                }
              else if (strcmp (item->text, "Bs") == 0)
                {
                  const double low = t->at_b.y + t->at_b.h,
                               at = MIN (t->at_b.y + t->at_b.h * share + layout->m.label.px, low - 4);
                  if (ABS ((double) item->y - at) > 1.5)
                    g_error ("after %d rounds Bs stands at %.1f px, not at %.1f", (gint) now.round,
                             (double) item->y, at);
                  seen[1]++;
                }
            }
        }
    }
  g_test_message ("%u, %u", seen[0], seen[1]);
  g_assert_cmpuint (seen[0] + seen[1], >, 10);
}

/* Where nothing was stamped a round's parts are as long as the model says: to load takes nine tenths of what
 * multiplying takes, and to wait at either barrier less than a fifth; without local memory all is one. */
static void
test_modelled_parts (void)
{
  static const double wanted[] = { [LS_LISTING_LOAD] = .9, [LS_LISTING_BARRIER] = 2 * .18 };
  g_autoptr (LsViewData) data = ls_fixture_tiles (NULL, 128, TRUE, TRUE);
  LsTilesState asked = { .rung = LS_RUNG_TILED };
  LsQuery query = { LS_QUERY_FIELDS, .op = 1, .state = &asked };
  guint n[LS_LISTING_STORE + 1] = { 0 };
  LsTiles t;

  g_assert_true (ls_tiles_init (&t, NULL, data, &query));
  g_assert_cmpint (t.stamps, <=, LS_TILES_WHOLE);
  t.span_ns *= 1000; /* so that a part is many nanoseconds */
  t.round_ns *= 1000;
  for (guint i = 0; i < 100000; i++)
    {
      LsTilesNow now;

      ls_tiles_now (&t, (gint64) ((double) t.span_ns * i / 100000), &now);
      if (now.round < t.rounds - 1 && now.phase <= LS_LISTING_STORE)
        n[now.phase]++;
    }
  for (guint phase = 0; phase < G_N_ELEMENTS (wanted); phase++)
    if (wanted[phase] > 0 && fabs ((double) n[phase] / n[LS_LISTING_MULTIPLY] - wanted[phase]) > .01)
      g_error ("phase %u takes %.3f of what multiplying does, not %.2f", phase,
               (double) n[phase] / n[LS_LISTING_MULTIPLY], wanted[phase]);
  g_assert_cmpuint (n[LS_LISTING_STORE], ==, 0);
  ls_tiles_clear (&t);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/paint/tiles-rounds/edges", test_edges);
  g_test_add_func ("/paint/tiles-rounds/told", test_told);
  g_test_add_func ("/paint/tiles-rounds/wide", test_wide);
  g_test_add_func ("/paint/tiles-rounds/narrow", test_narrow);
  g_test_add_func ("/paint/tiles-rounds/held", test_held);
  g_test_add_func ("/paint/tiles-rounds/names", test_names);
  g_test_add_func ("/paint/tiles-rounds/modelled-parts", test_modelled_parts);
  return g_test_run ();
}
