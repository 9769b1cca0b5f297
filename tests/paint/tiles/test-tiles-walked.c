/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Tiles where the kernel was run again for the picture: what was stamped and what was read back is what is
 * said, phase by phase and number by number, and the picture says how each is known.
 */
#include <string.h>

#include "tests/paint/numbers.h"
#include "tests/paint/picture.h"
#include "tests/paint/tiles/walk_rig.h"
#include "ui/paint/tiles/tiles.h"
#include "ui/paint/views.h"

static LsLayout *
draw_op (LsViewData *data, guint op, LsRung rung, double w, double h, LsLook look)
{
  LsTilesState *asked = ls_view_state_new (&ls_view_tiles);
  LsQuery query = { LS_QUERY_FIELDS, .state = asked };
  LsLayout *layout;

  query.op = op;
  query.chrome = TRUE;
  asked->rung = (gint) rung;
  layout = draw_view (&ls_view_tiles, data, &query, look, w, h);
  g_free (asked);
  return layout;
}

static void
move_to (LsLayout *layout, gint64 time_ns)
{
  LsQuery query = layout->query;

  query.time_ns = time_ns;
  ls_layout_move (layout, &query);
}

/* "1.24 µs" */
static double
ns_of (const char *text)
{
  double is[NUMBERS_MOST], half[NUMBERS_MOST];

  if (numbers_of (text, is, half) != 1)
    return -1;
  return is[0] * (g_str_has_suffix (text, "µs") ? 1e3 : g_str_has_suffix (text, "ns") ? 1 : -1);
}

static double
middle_of (const LsScene *scene, const LsItem *text)
{
  double x, y, w, h;

  ls_item_bounds (scene, text, &x, &y, &w, &h);
  return x + w / 2;
}

/* The text in the middle under that one. */
static const LsItem *
under (const LsScene *scene, const LsItem *text)
{
  for (guint i = 0; i < scene->items->len; i++)
    {
      const LsItem *item = ls_scene_get (scene, i);
      if (item->kind == LS_ITEM_TEXT && item->y > text->y && item->y < text->y + 2 * text->type.px
          && fabs (middle_of (scene, item) - middle_of (scene, text)) < 1)
        return item;
    }
  return NULL;
}

/* ---- when ---- */

/* The stations stand in the order of the loop, each with its length in the round that runs; one is lit. */
static void
check_stations (const LsLayout *layout, guint round, guint phase)
{
  static const char *const names[] = { "load", "wait", "multiply", "wait", "store" };
  const LsScene *s = layout->moving;
  guint found = 0, lit = G_MAXUINT;
  double left = 0;

  for (guint i = 0; i < s->items->len && found < G_N_ELEMENTS (names); i++)
    {
      const LsItem *item = ls_scene_get (s, i), *words;
      if (item->kind != LS_ITEM_TEXT || !g_str_equal (item->text, names[found]))
        continue;
      g_assert_cmpfloat (middle_of (s, item), >, left);
      left = middle_of (s, item);
      words = under (s, item);
      if (words == NULL)
        g_error ("under the station “%s” stands nothing", item->text);
      if (found < 4 && fabs (ns_of (words->text) - (double) phase_ns (MIN (round, ROUNDS - 1), found)) > 5.1)
        g_error ("in round %u the station “%s” says “%s”, and was stamped %d ns", round, item->text,
                 words->text, (gint) phase_ns (MIN (round, ROUNDS - 1), found));
      if (item->ink == LS_INK_ON_MARK)
        {
          g_assert_cmpuint (lit, ==, G_MAXUINT);
          lit = found;
        }
      found++;
    }
  g_assert_cmpuint (found, ==, G_N_ELEMENTS (names));
  if (lit != phase)
    g_error ("in phase %u of round %u station %u is lit", phase, round, lit);
}

/* The walk takes as long as was stamped, less the copying, and is in each phase when its stamps say so. */
static void
test_stamped (void)
{
  guint op;
  g_autoptr (LsViewData) data = make_data (LS_RUNG_TILED, LS_RUNG_TILED, ALL, COMPARED, NULL, &op);
  g_autoptr (LsLayout) layout = draw_op (data, op, LS_RUNG_TILED, 3840, 2160, LS_LOOK_LIGHT);
  const LsTiles *t = layout->own;
  gint64 at = 0;

  g_assert_nonnull (t->walk);
  for (guint round = 0; round <= ROUNDS; round++)
    for (guint phase = round < ROUNDS ? 0 : 4; phase < (round < ROUNDS ? 4 : 5); phase++)
      {
        const gint64 length = phase < 4 ? phase_ns (round, phase) : store_ns;
        LsTilesNow now;

        move_to (layout, at + length / 2);
        ls_tiles_now (t, at + length / 2, &now);
        g_assert_cmpint (now.round, ==, round);
        g_assert_cmpuint (now.mark, ==, phase);
        g_assert_cmpfloat_with_epsilon (now.part, .5, .06);
        g_assert_cmpint (now.loaded, ==, round + (round < ROUNDS && phase > 0));
        g_assert_cmpint (now.multiplied, ==, round + (round < ROUNDS && phase == 3));
        g_assert_cmpuint (now.step, ==, phase == 2 ? TILE / 2 : 0);
        check_stations (layout, round, phase);
        if (round < ROUNDS)
          {
            const LsItem *clock = find_text (layout->moving, "stamped by the device: ");
            if (clock == NULL)
              g_error ("in round %u no time is told", round);
            if (fabs (ns_of (clock->text) - (double) round_ns (round)) > 5.1)
              g_error ("“%s” is said of round %u, which was stamped %d ns", clock->text, round,
                       (gint) round_ns (round));
            g_assert_cmpint (mark_before (layout->moving, "stamped by the device"), ==, LS_EVIDENCE_MEASURED);
          }
        else
          g_assert_nonnull (text_like (layout, "as the device stamped them", ""));
        at += length;
      }
  g_assert_cmpint (layout->span_ns, ==, at);
}

/* ---- with what ---- */

/* What the recorded tensors have where the walk's values end. */
static double
recorded (const LsViewData *data, guint op, gboolean is_a, gint64 k, gint64 line)
{
  const LsRecordedOp *o = &data->recording->ops[op];
  const float *values = ls_recording_values (data->recording, 1,
                                             data->recording->shapes[o->in[is_a ? 0 : 1]].name, NULL);
  const gboolean turned = is_a ? o->attr.ta : o->attr.tb;

  return (double) values[is_a ? (turned ? k * ROWS + line : line * PRODUCTS + k)
                              : (turned ? line * PRODUCTS + k : k * COLS + line)];
}

/* The factors are those that lay in local memory, as long as these were kept; then they are the recorded
 * step's, whose the sum is all along. */
static void
test_values (void)
{
  guint op;
  g_autoptr (LsViewData) data = make_data (LS_RUNG_TILED, LS_RUNG_TILED, ALL, COMPARED, NULL, &op);
  g_autoptr (LsLayout) layout = draw_op (data, op, LS_RUNG_TILED, 3840, 2160, LS_LOOK_LIGHT);
  const LsTiles *t = layout->own;
  gint64 at = 0;
  double sum = 0;

  for (guint round = 0; round < ROUNDS; round++)
    {
      for (guint step = 0; step < TILE; step++)
        {
          const gint64 k = round * TILE + step, begin = at + phase_ns (round, 0) + phase_ns (round, 1)
                                                        + phase_ns (round, 2) * (2 * step + 1) / (2 * TILE);
          double sum_of = 1;
          const char *text;

          move_to (layout, begin);
          for (guint which = 0; which < 2; which++)
            {
              const guint line = which == 0 ? t->item_row : t->item_col;
              g_autofree char *name = which == 0 ? g_strdup_printf ("As[%u][%u] = ", line, step)
                                                 : g_strdup_printf ("Bs[%u][%u] = ", step, line);

              text = text_like (layout, name, "");
              if (text == NULL)
                g_error ("product %d of round %u doesn’t say “%s…”", (gint) step, round, name);
              if (k >= PRODUCTS)
                {
                  g_assert_nonnull (strstr (text, "= 0, beyond the edge"));
                  sum_of = 0;
                  continue;
                }
              const double tensor = recorded (data, op, which == 0, k, which == 0 ? TILE + line : line),
                           value = round < KEPT ? (double) walked (which == 0, (guint) k, line) : tensor;
              sum_of *= tensor;
              if (which == 0)
                ASSERT_NUMBERS ("A’s factor", text, line, step, TILE + line, (double) k, value);
              else
                ASSERT_NUMBERS ("B’s factor", text, step, line, (double) k, line, value);
            }
          text = text_like (layout, "sum for C[", "");
          ASSERT_NUMBERS ("the sum", text, TILE + t->item_row, t->item_col, sum, (double) MIN (k, PRODUCTS),
                          PRODUCTS);
          sum += sum_of;
        }
      at += round_ns (round);
    }
}

/* A convolution's groups have as many columns of C as they say, not as their tile has room for: one row of
 * the image each, here. Where one is clicked there it is. */
static void
test_columns (void)
{
  enum { WIDE = 28, ROOM = 32, GROUPS = 56 };
  static const guint cols[] = { 0, 7, 55 };

  for (guint i = 0; i < G_N_ELEMENTS (cols); i++)
    {
      const LsFixture f = { LS_CORES (2), .model = "conv 5 3 pad 1, relu, flatten, dense 10",
                            .batch = 2,   .tiles = 8,
                            .groups = 32, .on_cpu = TRUE,
                            .steps = 40 };
      g_autoptr (LsRecording) recording = ls_fixture_recording (&f), with = NULL;
      g_autoptr (LsWalk) walk = NULL;
      g_autoptr (GError) error = NULL;
      g_autoptr (LsViewData) data = NULL;
      g_autoptr (LsLayout) layout = NULL;
      LsTilesState asked = LS_TILES_STATE_INIT;
      LsQuery query = { LS_QUERY_FIELDS, .state = &asked };
      const LsTiles *t;
      gint64 first, wide;
      guint op = 0;

      while (!g_str_has_prefix (recording->ops[op].name, "conv"))
        op++;
      g_assert_cmpint (recording->ops[op].attr.n, ==, 2 * 28 * 28);
      walk = make_walk (op, LS_RUNG_PACKED, NONE, COMPARED, NULL);
      walk->row = 0;
      walk->rows = 1;
      walk->cols = GROUPS;
      walk->col = cols[i];
      walk->first_m = 0;
      walk->tile_m = walk->item_m = 5;
      walk->tile_n = walk->item_n = ROOM;
      walk->products = 7; /* of 9: the sum has parts */
      walk->rounds = 1;
      walk->kept = 0;
      g_free (walk->columns);
      walk->columns = g_new (gint64, ROOM);
      for (guint j = 0; j < ROOM; j++)
        walk->columns[j] = j < WIDE ? (gint64) (cols[i] * WIDE + j) : -1;
      with = ls_recording_with_walk (recording, 1, walk, NULL, &error);
      g_assert_no_error (error);
      data = ls_view_data_from_recording (with, NULL);
      query.op = op;
      asked.rung = LS_RUNG_PACKED;
      layout = draw_view (&ls_view_tiles, data, &query, LS_LOOK_LIGHT, 1920, 1080);
      t = layout->own;
      g_assert_nonnull (t->walk);
      if (t->gemm.k != 7 || t->rounds != 1)
        g_error ("a walk of 7 products in one round is drawn with %d in %d", (gint) t->gemm.k,
                 (gint) t->rounds);
      g_assert_cmpint (ls_tiles_columns (t), ==, WIDE);
      g_assert_cmpint (ls_tiles_column (t, WIDE - 1), ==, (cols[i] + 1) * WIDE - 1);
      g_assert_cmpint (ls_tiles_column (t, WIDE), >=, 2 * 28 * 28); /* none */
      ls_tiles_group (t, &first, &wide);
      g_assert_cmpint (first, ==, cols[i] * WIDE);
      g_assert_cmpint (wide, ==, WIDE);
      g_assert_cmpuint (t->item_col, <, WIDE);
      for (guint j = 0; j < G_N_ELEMENTS (cols); j++)
        {
          g_assert_cmpint (ls_view_tiles.point (layout, t->at_c.x + t->at_c.w * (cols[j] + .5) / GROUPS,
                                                t->at_c.y + t->at_c.h / 2, &query),
                           ==, LS_ACT_CHANGED);
          if (asked.group_col != (gint) cols[j] || asked.group_row != 0)
            g_error ("a click on group %u chooses (%d, %d)", cols[j], asked.group_col, asked.group_row);
        }
    }
}

/* ---- how it is known ---- */

static void
test_words (void)
{
  static const struct {
    LsRung ran, rung;
    Stamped stamped;
    gint64 same;
    const char *message, *clock, *source, *line;
    LsEvidence how, values;
  } cases[] = {
    { LS_RUNG_TILED, LS_RUNG_TILED, ALL, COMPARED, NULL, "stamped by the device: 460 ns",
      "values read back from the device’s local memory",
      "run again on the step’s inputs: all 290 results have the same bits", LS_EVIDENCE_MEASURED,
      LS_EVIDENCE_MEASURED },
    { LS_RUNG_TILED, LS_RUNG_TILED, NO_COPIES, 288, NULL, "stamped: 460 ns, its phases modelled",
      "values read back from the device’s local memory",
      "run again on the step’s inputs: 288 of 290 results have the same bits, the others differ by "
      "1.5",
      LS_EVIDENCE_MEASURED, LS_EVIDENCE_MEASURED },
    { LS_RUNG_TILED, LS_RUNG_TILED, NO_ROUND, COMPARED, NULL, "phases as modelled, the whole as stamped",
      "values read back from the device’s local memory", "run again on the step’s inputs: all 290",
      LS_EVIDENCE_MODELLED, LS_EVIDENCE_MEASURED },
    { LS_RUNG_REGISTER, LS_RUNG_TILED, ALL, COMPARED, NULL, "in a run for this picture: 460 ns",
      "of a run for this picture alone, not of the step",
      "the lane ran “register-blocked”; “8×8 tiled” was run again on its inputs: all 290 results",
      LS_EVIDENCE_MODELLED, LS_EVIDENCE_MODELLED },
    { LS_RUNG_NAIVE, LS_RUNG_NAIVE, ALL, COMPARED, NULL, "stamped: 460 ns, its phases modelled",
      "read back from the device", "run again on the step’s inputs: all 290", LS_EVIDENCE_MEASURED,
      LS_EVIDENCE_MEASURED },
    { LS_RUNG_TILED, LS_RUNG_TILED, ALL, COMPARED, "It ran out of memory.",
      "phases as modelled, the whole as stamped", "values read back after the step",
      "“8×8 tiled” couldn’t be run again: It ran out of memory.", LS_EVIDENCE_MODELLED,
      LS_EVIDENCE_MEASURED },
    { LS_RUNG_PACKED, LS_RUNG_PACKED, NONE, COMPARED, NULL, "times as modelled", "read back",
      "run again on the step’s inputs, with 8 rows to a group, not 24: all 290", LS_EVIDENCE_MODELLED,
      LS_EVIDENCE_MEASURED },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      guint op;
      g_autoptr (LsViewData) data = make_data (cases[i].ran, cases[i].rung, cases[i].stamped, cases[i].same,
                                               cases[i].message, &op);
      g_autoptr (LsLayout) layout = draw_op (data, op, cases[i].rung, 3840, 2160, LS_LOOK_LIGHT);
      const char *clock, *source, *line;

      move_to (layout, 10);
      clock = text_like (layout, cases[i].clock, "");
      source = text_like (layout, cases[i].source, "");
      line = text_like (layout, cases[i].line, "");
      if (clock == NULL || source == NULL || line == NULL)
        {
          g_autofree char *moving = all_texts (layout->moving, " | "),
                          *still = all_texts (layout->still, " | ");
          g_error ("case %u: no “%s” in: %s | %s", i,
                   clock == NULL    ? cases[i].clock
                   : source == NULL ? cases[i].source
                                    : cases[i].line,
                   still, moving);
        }
      if (mark_before (layout->moving, cases[i].clock) != (gint) cases[i].how)
        g_error ("case %u: “%s” is marked %d", i, clock, mark_before (layout->moving, cases[i].clock));
      if (mark_before (layout->moving, cases[i].source) != (gint) cases[i].values)
        g_error ("case %u: “%s” is marked %d", i, source, mark_before (layout->moving, cases[i].source));
      const gboolean tiled = cases[i].rung == LS_RUNG_TILED; /* two tiles of 8×8 floats */
      g_assert_nonnull (
        text_like (layout, tiled ? "512" : "16 products at a time", tiled ? "bytes of 64.0" : ""));
    }
}

/* ---- how much ---- */

/* Within a round: of each tile the lines that are there have been stored to local memory, and of the round's
 * multiply-adds and local loads each product that is done has its share. */
static void
test_counted (void)
{
  static const LsRung rungs[] = { LS_RUNG_TILED, LS_RUNG_REGISTER };
  guint loading = 0, multiplying = 0;

  for (guint i = 0; i < G_N_ELEMENTS (rungs); i++)
    {
      guint op;
      g_autoptr (LsViewData) data = make_data (rungs[i], rungs[i], ALL, COMPARED, NULL, &op);
      g_autoptr (LsLayout) layout = draw_op (data, op, rungs[i], 1920, 1080, LS_LOOK_LIGHT);
      const LsTiles *t = layout->own;

      for (guint at = 0; at <= 2000; at++)
        {
          LsTilesFill a, b;
          LsTilesNow now;
          LsLedger own, naive;

          ls_tiles_now (t, layout->span_ns * at / 2000, &now);
          ls_tiles_count (t, &now, &own, &naive);
          ls_tiles_fill (t, &now, &a, &b);
          const LsLedger is = ls_ledger_group (&t->cut, &t->gemm, t->row, t->col, now.loaded, now.multiplied,
                                               now.stored),
                         next = ls_ledger_group (&t->cut, &t->gemm, t->row, t->col, now.loaded + 1,
                                                 now.multiplied + 1, now.stored);
          const gint64 lines = now.phase == LS_LISTING_LOAD ? (gint64) a.done + b.done : 0;

          if (own.local_stores != is.local_stores + lines * TILE)
            g_error ("%s: with %d lines of a round loaded %d local stores are counted, not %d",
                     t->cut.function, (gint) lines, (gint) own.local_stores,
                     (gint) (is.local_stores + lines * TILE));
          if ((own.local_loads - is.local_loads) * TILE != now.step * (next.local_loads - is.local_loads)
              || (own.flops - is.flops) * TILE != now.step * (next.flops - is.flops))
            g_error ("%s: after %u products of a round %d local loads and %d FLOP are counted, of %d and %d",
                     t->cut.function, now.step, (gint) (own.local_loads - is.local_loads),
                     (gint) (own.flops - is.flops), (gint) (next.local_loads - is.local_loads),
                     (gint) (next.flops - is.flops));
          g_assert_true (own.global_loads >= is.global_loads && own.global_loads <= next.global_loads);
          loading += lines > 0;
          multiplying += now.step > 0;
        }
    }
  g_assert_true (loading > 50 && multiplying > 500);
}

/* A picture that stands shows a tile being loaded, a few rounds in; of a walk that has no such round how the
 * factors of one are multiplied. */
static void
test_still (void)
{
  for (guint c = 0; c < 2; c++)
    {
      guint op;
      g_autoptr (LsViewData) data = make_data (LS_RUNG_TILED, LS_RUNG_TILED, c == 0 ? ALL : NO_ROUND,
                                               COMPARED, NULL, &op);
      LsTilesState asked = LS_TILES_STATE_INIT;
      LsQuery query = { LS_QUERY_FIELDS, .op = op, .state = &asked };
      LsTilesNow now;
      LsTiles t;

      g_assert_true (ls_tiles_init (&t, NULL, data, &query));
      ls_tiles_now (&t, ls_tiles_still (&t), &now);
      g_assert_cmpint (now.round, ==, 1);
      g_assert_cmpint (now.phase, ==, LS_LISTING_LOAD);
      g_assert_cmpfloat (now.part, >, .5);
      g_assert_cmpfloat (now.part, <, .9);
      ls_tiles_clear (&t);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/paint/tiles-walked/stamped", test_stamped);
  g_test_add_func ("/paint/tiles-walked/values", test_values);
  g_test_add_func ("/paint/tiles-walked/columns", test_columns);
  g_test_add_func ("/paint/tiles-walked/words", test_words);
  g_test_add_func ("/paint/tiles-walked/counted", test_counted);
  g_test_add_func ("/paint/tiles-walked/still", test_still);
  return g_test_run ();
}
