/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Partition's lanes beside each other: their parts stand at the same heights, their clocks end before the
 * words at the rows' ends; which op it is, and what is said where nothing was recorded of it.
 */
#include <math.h>
#include <string.h>

#include "tests/paint/draw.h"
#include "tests/paint/fixture.h"
#include "tests/paint/said.h"
#include "ui/paint/partition/partition.h"
#include "ui/paint/views.h"

static LsLayout *
draw (LsViewData *data, guint op, guint skipped, LsLook look, double w, double h)
{
  LsQuery query = LS_QUERY_INIT;

  query.op = op;
  query.skipped = skipped;
  return draw_view (&ls_view_partition, data, &query, look, w, h);
}

static const LsItem *
text_of (const LsScene *s, const char *text)
{
  for (guint i = 0; i < s->items->len; i++)
    if (ls_scene_get (s, i)->kind == LS_ITEM_TEXT && strcmp (ls_scene_get (s, i)->text, text) == 0)
      return ls_scene_get (s, i);
  return NULL;
}

/* Whichever output is higher, both lanes' bars and their headings are on one line each, below both outputs;
 * what stands above them, too. */
static void
test_heights (void)
{
  const LsFixture f = { LS_CORES (2),   .batch = 32, .tiles = 24,   .groups = 40,
                        .on_cpu = TRUE, .steps = 40, .fused = TRUE, .joined = TRUE };
  g_autoptr (LsViewData) data = ls_fixture_data (&f);
  guint unlike = 0;

  for (guint op = 0; op < data->recording->n_ops; op++)
    for (guint s = 0; s < 3; s++)
      {
        g_autoptr (LsLayout) layout = draw (data, op, 0, LS_LOOK_LIGHT, draw_sizes[s][0], draw_sizes[s][1]);
        const LsPartLane *lanes = layout->own;

        if (lanes[0].trace == NULL || lanes[1].trace == NULL)
          continue;
        unlike += fabs (lanes[0].matrix.h - lanes[1].matrix.h) > 1;
        if (lanes[0].heading_y != lanes[1].heading_y || lanes[0].bars_y != lanes[1].bars_y
            || lanes[0].readout_y != lanes[1].readout_y || lanes[0].matrix.y != lanes[1].matrix.y
            || lanes[0].story_y != lanes[1].story_y)
          g_error ("op %u: the lanes’ headings are at %g and %g, their bars at %g and %g", op,
                   lanes[0].heading_y, lanes[1].heading_y, lanes[0].bars_y, lanes[1].bars_y);
        for (guint side = 0; side < LS_SIDES; side++)
          {
            const LsPartLane *p = &lanes[side];
            if (p->heading_y < p->matrix.y + p->matrix.h || p->bars_y < p->heading_y)
              g_error ("op %u, side %u: the output ends at %g, the heading is at %g, bars begin at %g", op,
                       side, p->matrix.y + p->matrix.h, p->heading_y, p->bars_y);
          }
      }
  if (unlike == 0)
    g_error ("no op has outputs of two heights");
}

/* The bars' clock goes as far as the words at the rows' ends let it, short ones where the long ones would
 * take over a third. */
static void
test_clock (void)
{
  const LsFixture f = { LS_CORES (4), .batch = 64, .tiles = 24, .groups = 40, .on_cpu = TRUE, .steps = 40 };
  static const double widths[] = { 960, 1100, 1280, 1600, 1920, 2560 };
  g_autoptr (LsViewData) data = ls_fixture_data (&f);
  guint briefs = 0, longs = 0;

  for (guint i = 0; i < G_N_ELEMENTS (widths); i++)
    {
      g_autoptr (LsLayout) layout = draw (data, 1, 0, LS_LOOK_LIGHT, widths[i], widths[i] * .6);
      for (guint side = 0; side < LS_SIDES; side++)
        {
          const LsPartLane *p = &((const LsPartLane *) layout->own)[side];
          const double brief = ls_bars_words_width (p, TRUE), full = ls_bars_words_width (p, FALSE),
                       right = p->area.x + p->area.w, end = p->clock_x + p->clock_w;

          g_assert_cmpfloat (brief, <, full);
          if (p->brief != (full > .34 * p->area.w))
            g_error ("%g px: the words at the rows’ ends are %s, and take %g of %g px", widths[i],
                     p->brief ? "short" : "long", full, p->area.w);
          if (fabs (end + 8 - right) < .5) /* rows too low for words */
            continue;
          if (fabs (end + 16 + (p->brief ? brief : full) - right) > .5)
            g_error ("%g px: the clock ends %g px before the end, %s words take %g px", widths[i],
                     right - end, p->brief ? "short" : "long", p->brief ? brief : full);
          briefs += p->brief;
          longs += !p->brief;
        }
    }
  if (briefs == 0 || longs == 0)
    g_error ("in %u pictures words are short, in %u long", briefs, longs);
}

/* Which op it is, and how many were passed over: one, too; beside the pieces' times once, outside of a hall.
 */
static void
test_which (void)
{
  static const char *const more[] = { "", ", +1", ", +2" };
  g_autoptr (LsViewData) data = ls_fixture_data (&ls_fixture_desk);

  for (guint skipped = 0; skipped < G_N_ELEMENTS (more); skipped++)
    {
      g_autoptr (LsLayout) layout = draw (data, 1, skipped, LS_LOOK_LIGHT, 1280, 800);
      const char *all = strstr (layout->subheading, " of ");
      guint n = all != NULL ? (guint) g_ascii_strtoull (all + 4, NULL, 10) : 0;
      g_autofree char *words = g_strdup_printf ("op 2 of %u%s", n, more[skipped]);

      if (n < 10 || strcmp (layout->subheading, words) != 0)
        g_error ("with %u ops passed over it is “%s”, not “%s”", skipped, layout->subheading, words);
      for (guint hall = 0; hall < 2; hall++)
        {
          static const char *const passed[] = { NULL, "+1 op", "+2 ops" };
          g_autoptr (LsLayout) shown = draw (data, 1, skipped, hall ? LS_LOOK_PROJECTOR : LS_LOOK_LIGHT, 1920,
                                             1080);
          guint said = 0;

          for (guint i = 0; i < shown->moving->items->len; i++)
            {
              const LsItem *item = ls_scene_get (shown->moving, i);
              if (item->kind != LS_ITEM_TEXT || item->text[0] != '+' || strstr (item->text, " op") == NULL)
                continue;
              g_assert_cmpstr (item->text, ==, passed[skipped]);
              said++;
            }
          if (said != (skipped > 0 && !hall))
            g_error ("with %u ops passed over that is said %u times%s", skipped, said,
                     hall ? " in a hall" : "");
        }
    }
}

/* An output that is higher than it is wide lies on its side, its rows to the right; a square one doesn't. */
static void
test_lying (void)
{
  for (guint batch = 63; batch <= 65; batch++)
    {
      const LsFixture f = { LS_CORES (2),   .model = "flatten, dense 64, relu, dense 10",
                            .batch = batch, .tiles = 16,
                            .groups = 16,   .on_cpu = TRUE,
                            .steps = 10 };
      g_autoptr (LsViewData) data = ls_fixture_data (&f);
      g_autoptr (LsLayout) layout = draw (data, 1, 0, LS_LOOK_LIGHT, 1920, 1080);
      const LsPartLane *lanes = layout->own;

      for (guint side = 0; side < LS_SIDES; side++)
        {
          const LsPartLane *p = &lanes[side];
          const LsArea first = ls_matrix_cells (p, 0, 1, 0, 1), below = ls_matrix_cells (p, 1, 1, 0, 1);

          g_assert_cmpint (p->tiling->rows, ==, batch);
          g_assert_cmpint (p->tiling->cols, ==, 64);
          if ((below.x > first.x) != (batch > 64) || (below.y > first.y) != (batch <= 64))
            g_error ("of an output of %u × 64 the second row is %g px right of the first, and %g px below it",
                     batch, below.x - first.x, below.y - first.y);
        }
    }
}

/* How many rows the output has, or how wide it is where it lies, stands beside it; not in a hall. */
static void
test_size (void)
{
  static const struct {
    guint batch;
    LsLook look;
    const char *number, *word; /* NULL: not said */
  } cases[] = {
    { 64, LS_LOOK_LIGHT, "64", "rows" },
    { 1024, LS_LOOK_LIGHT, "256", "wide" },
    { 64, LS_LOOK_PROJECTOR, NULL, NULL },
    { 1024, LS_LOOK_PROJECTOR, NULL, NULL },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      const LsFixture f = { LS_DESK, .batch = cases[i].batch, .steps = 40 };
      g_autoptr (LsViewData) data = ls_fixture_data (&f);
      g_autoptr (LsLayout) layout = draw (data, 1, 0, cases[i].look, 2560, 1440);
      const LsScene *s = layout->still;
      const LsItem *rows = text_of (s, "rows"), *wide = text_of (s, "wide");
      const LsItem *word = cases[i].word == NULL ? NULL : strcmp (cases[i].word, "rows") == 0 ? rows : wide;

      if ((rows != NULL) + (wide != NULL) != (cases[i].word != NULL)
          || (word != NULL) != (cases[i].word != NULL))
        g_error ("batch %u%s: “rows” is%s said, “wide” is%s", cases[i].batch,
                 cases[i].word != NULL ? "" : " in a hall", rows != NULL ? "" : "n’t",
                 wide != NULL ? "" : "n’t");
      if (word == NULL)
        continue;
      gboolean found = FALSE;
      for (guint k = 0; k < s->items->len; k++)
        {
          const LsItem *item = ls_scene_get (s, k);
          found |= item->kind == LS_ITEM_TEXT && strcmp (item->text, cases[i].number) == 0
                   && fabs ((double) (item->x + item->w / 2 - word->x - word->w / 2)) < .5f
                   && item->y < word->y;
        }
      if (!found)
        g_error ("above “%s” doesn’t stand %s", cases[i].word, cases[i].number);
    }
}

/* An op of which a lane recorded no pieces: it says so, the other lane shows its own. */
static void
test_unrecorded (void)
{
  for (guint side = 0; side < LS_SIDES; side++)
    {
      const LsFixture f
        = { LS_CORES (2), .batch = 64, .tiles = 24, .groups = 40, .on_cpu = TRUE, .steps = 40 };
      g_autoptr (LsRecording) recording = ls_fixture_recording (&f);
      GArray *events = recording->lanes[side].events;

      for (guint i = events->len; i > 0; i--)
        if (g_array_index (events, LsEvent, i - 1).op == 1)
          g_array_remove_index (events, i - 1);
      g_autoptr (LsViewData) data = ls_view_data_from_recording (recording, NULL);
      g_autoptr (LsLayout) layout = draw (data, 1, 0, LS_LOOK_LIGHT, 1280, 800);
      const LsPartLane *lanes = layout->own;
      guint tiles[LS_SIDES] = { 0 };
      for (guint i = 0; i < layout->still->items->len; i++)
        {
          const LsItem *item = ls_scene_get (layout->still, i);
          if (item->kind == LS_ITEM_TILE)
            tiles[item->side]++;
        }
      if (lanes[side].trace != NULL || tiles[side] > 0)
        g_error ("side %u recorded nothing of the op, and has %u pieces", side, tiles[side]);
      if (lanes[1 - side].trace == NULL || tiles[1 - side] == 0)
        g_error ("side %u recorded the op, and shows nothing", 1 - side);
      if (!says (layout->still, "No pieces were recorded for this op."))
        g_error ("it isn’t said that side %u recorded nothing of the op", side);
      assert_faultless (layout);
    }
}

/* Where only the order is known, the bars' axis counts pieces: each takes one place, in the order in which
 * they were done. */
static void
test_places (void)
{
  const LsFixture f = { LS_CORES (2), .batch = 128, .tiles = 24, .groups = 12, .on_cpu = TRUE, .steps = 40 };
  g_autoptr (LsRecording) recording = ls_fixture_recording (&f);
  const GArray *events = recording->lanes[1].events;

  for (guint i = 0; i < events->len; i++)
    {
      LsEvent *e = &g_array_index (events, LsEvent, i);
      if (e->kind == LS_EVENT_GROUP)
        e->lane_clock = LS_LANE_CLOCK (1, LS_CLOCK_ORDER);
    }
  g_autoptr (LsViewData) data = ls_view_data_from_recording (recording, NULL);
  g_autoptr (LsLayout) layout = draw (data, 1, 0, LS_LOOK_LIGHT, 1920, 1080);
  for (guint side = 0; side < LS_SIDES; side++)
    {
      const LsPartLane *p = &((const LsPartLane *) layout->own)[side];
      g_assert_cmpint (p->trace->timed, ==, side == 0);
      for (guint i = 0; i < p->trace->n; i++)
        {
          const LsEvent *e = ls_step_index_piece (p->lane->index, p->trace, i);
          const gint64 from = side == 0 ? ls_part_time (p, e->start_ns) : (gint64) e->rank,
                       to = side == 0 ? ls_part_time (p, e->end_ns) : (gint64) e->rank + 1;
          if (ls_part_from (p, e) != from || ls_part_to (p, e) != to)
            g_error ("side %u: piece %u is from %d to %d on the axis, not from %d to %d", side, i,
                     (gint) ls_part_from (p, e), (gint) ls_part_to (p, e), (gint) from, (gint) to);
        }
    }
}

/* How many pieces there are, of which size, and what is known of who did them. */
static void
test_words (void)
{
  static const struct {
    guint side, rows, cols, splits;
    LsKnown known;
    gdouble caption;
    const char *words;
  } cases[] = {
    { 0, 4, 6, 1, LS_KNOWN_THREADS, 0, "24 tiles of 32×16" },
    { 0, 1, 1, 1, LS_KNOWN_THREADS, 0, "1 tile of 32×16" },
    { 0, 4, 6, 5, LS_KNOWN_THREADS, 0, "120 tiles of 32×16, the sum in 5 parts" },
    { 1, 8, 8, 1, LS_KNOWN_UNITS, 0, "64 work-groups of 32×16, unit numbers told by the device" },
    { 1, 8, 8, 1, LS_KNOWN_THREADS, 9, "64 work-groups of 32×16, units not told" },
    { 1, 8, 8, 2, LS_KNOWN_ORDER, 0,
      "128 work-groups of 32×16, the sum in 2 parts, only their order is known" },
    { 1, 1, 8, 1, LS_KNOWN_NOTHING, 0,
      "8 groups of 32×16, the kernel’s own, this device does not say who or when" },
    { 1, 1, 8, 4, LS_KNOWN_UNITS, 0,
      "32 work-groups of 32×16, the sum in 4 parts, unit numbers told by the device" },
    { 1, 1, 8, 1, LS_KNOWN_UNITS, 9, "8 work-groups of 32×16, unit numbers told by the device" },
  };
  g_autoptr (LsViewData) data = ls_fixture_data (&ls_fixture_desk);
  g_autoptr (LsLayout) layout = draw (data, 1, 0, LS_LOOK_LIGHT, 1920, 1080);

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      LsPartLane p = ((const LsPartLane *) layout->own)[cases[i].side];
      LsOpTrace trace = *p.trace;
      LsTiling tiling = *p.tiling;

      tiling.grid_rows = cases[i].rows;
      tiling.grid_cols = cases[i].cols;
      tiling.tile_rows = 32;
      tiling.tile_cols = 16;
      tiling.splits = cases[i].splits;
      trace.known = cases[i].known;
      p.trace = &trace;
      p.tiling = &tiling;
      p.caption_y = cases[i].caption;
      p.fold_rows = p.fold_cols = 1;
      g_autofree char *words = ls_part_tiles_words (&p);
      if (strcmp (words, cases[i].words) != 0)
        g_error ("case %u: “%s”, not “%s”", i, words, cases[i].words);
      p.fold_rows = 3;
      p.fold_cols = 2;
      g_autofree char *folded = ls_part_tiles_words (&p),
                      *should = g_strdup_printf ("%s; each cell is 3×2, shown by the last done", words);
      if (strcmp (folded, should) != 0)
        g_error ("case %u, folded: “%s”, not “%s”", i, folded, should);
    }
}

/* In a hall one line says how many work-groups each unit did: as many, one more or less, or from the fewest
 * to the most, whichever unit that is. */
static void
test_units (void)
{
  static const struct {
    guint units;
    gint fewest, most; /* the unit that did one less, and the one that did it instead */
    const char *words;
  } rows[] = { { 7, -1, -1, "4 for every unit" },    { 7, 0, 3, "3 to 5 for every unit" },
               { 7, 6, 3, "3 to 5 for every unit" }, { 7, 3, 0, "3 to 5 for every unit" },
               { 7, 3, 6, "3 to 5 for every unit" }, { 5, -1, -1, "5 or 6 for every unit" },
               { 5, 0, 1, "5 to 7 for every unit" }, { 5, 3, 4, "4 to 6 for every unit" },
               { 5, 0, 3, "5 or 6 for every unit" } };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      const LsFixture f = { .batch = 128,
                            .workers = 2,
                            .tiles = 24,
                            .groups = 24,
                            .known = LS_KNOWN_UNITS,
                            .units = rows[i].units,
                            .steps = 40 };
      g_autoptr (LsRecording) recording = ls_fixture_recording (&f);
      GArray *events = recording->lanes[1].events;
      gboolean moved = FALSE;
      guint n = 0;

      for (guint k = 0; k < events->len; k++)
        {
          LsEvent *e = &g_array_index (events, LsEvent, k);
          if (e->kind != LS_EVENT_GROUP || e->op != 1)
            continue;
          e->unit = (guint8) (n++ % rows[i].units);
          if (!moved && e->unit == rows[i].fewest)
            {
              e->unit = (guint8) rows[i].most;
              moved = TRUE;
            }
        }
      g_assert_cmpuint (n, ==, 28);
      g_autoptr (LsViewData) data = ls_view_data_from_recording (recording, NULL);
      g_autoptr (LsLayout) layout = draw (data, 1, 0, LS_LOOK_PROJECTOR, 3840, 2160);
      const LsItem *item = find_text (layout->still, "each; ");
      g_assert_nonnull (item);
      if (!g_str_has_suffix (item->text, rows[i].words)
          || strlen (rows[i].words) + strlen ("each; ") != strlen (strstr (item->text, "each; ")))
        g_error ("with one work-group of unit %d done by unit %d it says “%s”, not “%s”", rows[i].fewest,
                 rows[i].most, item->text, rows[i].words);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/paint/partition-placed/heights", test_heights);
  g_test_add_func ("/paint/partition-placed/clock", test_clock);
  g_test_add_func ("/paint/partition-placed/which", test_which);
  g_test_add_func ("/paint/partition-placed/lying", test_lying);
  g_test_add_func ("/paint/partition-placed/size", test_size);
  g_test_add_func ("/paint/partition-placed/unrecorded", test_unrecorded);
  g_test_add_func ("/paint/partition-placed/places", test_places);
  g_test_add_func ("/paint/partition-placed/words", test_words);
  g_test_add_func ("/paint/partition-placed/units", test_units);
  return g_test_run ();
}
