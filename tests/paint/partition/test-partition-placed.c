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

/* Which op it is, and how many were passed over: one, too. */
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

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/paint/partition-placed/heights", test_heights);
  g_test_add_func ("/paint/partition-placed/clock", test_clock);
  g_test_add_func ("/paint/partition-placed/which", test_which);
  g_test_add_func ("/paint/partition-placed/size", test_size);
  g_test_add_func ("/paint/partition-placed/unrecorded", test_unrecorded);
  return g_test_run ();
}
