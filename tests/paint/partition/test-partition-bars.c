/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Where Partition's pieces stand under and in the matrix: each in the row, or the slot, of who did it, at its
 * time or in its order; and the numbers beside and in them.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/number.h"
#include "tests/paint/draw.h"
#include "tests/paint/fixture.h"
#include "tests/paint/said.h"
#include "ui/paint/partition/partition.h"
#include "ui/paint/views.h"

#define OP 1

static LsFonts *fonts;

static LsLayout *
draw (LsViewData *data, LsLook look, double w, double h)
{
  LsQuery query = LS_QUERY_INIT;

  query.op = OP;
  return draw_view_in (fonts, &ls_view_partition, data, &query, look, w, h);
}

static const LsPartLane *
lane_of (const LsLayout *layout, guint side)
{
  return &((const LsPartLane *) layout->own)[side];
}

static const LsEvent *
event_of (const LsPartLane *p, const LsItem *item)
{
  return &g_array_index (p->lane->recorded->events, LsEvent, item->event);
}

static guint
row_at (const LsPartLane *p, double y)
{
  return (guint) floor ((y - p->bars_y) / p->row_h);
}

/* Bars and waits, by time and worker; numbers left of them; a thread's bars are shaded in the order in which
 * all of them were done. */
static void
test_rows (void)
{
  const LsFixture f = { .batch = 128,
                        .workers = 6,
                        .tiles = 24,
                        .groups = 40,
                        .known = LS_KNOWN_THREADS,
                        .on_cpu = TRUE,
                        .units = 4,
                        .steps = 40,
                        .stealing = TRUE };
  g_autoptr (LsViewData) data = ls_fixture_data (&f);
  g_autoptr (LsLayout) layout = draw (data, LS_LOOK_LIGHT, 1920, 1080);

  for (guint side = 0; side < LS_SIDES; side++)
    {
      const LsPartLane *p = lane_of (layout, side);
      const GArray *events = p->lane->recorded->events;
      guint bars = 0, waits = 0, numbers = 0, of_op = 0;

      g_assert_cmpuint (p->fold, ==, 1);
      for (guint i = 0; i < events->len; i++)
        {
          const LsEvent *e = &g_array_index (events, LsEvent, i);
          of_op += e->kind == LS_EVENT_WAIT && e->op == OP;
        }
      for (guint i = 0; i < layout->still->items->len; i++)
        {
          const LsItem *item = ls_scene_get (layout->still, i);
          const double middle = (double) (item->y + item->h / 2);

          if (item->kind == LS_ITEM_TEXT && fabs (ls_item_right (item) - p->clock_x + 10) < .5
              && (double) item->y > p->bars_y && g_ascii_isdigit (item->text[0]) && item->type.weight == 700)
            {
              const guint row = row_at (p, (double) item->y - .36 * item->type.px);
              if ((guint) atoi (item->text) != row)
                g_error ("side %u: row %u has the number %s", side, row, item->text);
              numbers++;
            }
          if (item->side != side || (item->kind != LS_ITEM_BAR && item->kind != LS_ITEM_WAIT))
            continue;
          const LsEvent *e = event_of (p, item);
          const double x = p->clock_x
                           + p->clock_w
                               * (double) (e->start_ns - p->lane->recorded->start_ns
                                           - (guint64) p->trace->start_ns)
                               / (double) p->span_ns;
          g_assert_cmpuint (e->op, ==, OP);
          if (row_at (p, middle) != e->worker)
            g_error ("side %u: what worker %u did stands in row %u", side, e->worker, row_at (p, middle));
          g_assert_cmpfloat_with_epsilon ((double) item->x, x, .5);
          waits += item->kind == LS_ITEM_WAIT;
          bars += item->kind == LS_ITEM_BAR;
          if (item->kind == LS_ITEM_BAR && side == 1
              && fabs ((double) item->value - e->rank / (p->trace->n_ranks - 1.)) > 1e-5)
            g_error ("the work-group that was done as number %u of %u has the shade %g", e->rank + 1,
                     p->trace->n_ranks, (double) item->value);
        }
      g_assert_cmpuint (bars, ==, p->trace->n);
      g_assert_cmpuint (waits, ==, side == 0 ? of_op : 0);
      g_assert_cmpuint (numbers, >, 1);
    }
}

static LsViewData *
data_of (guint workers, guint tiles)
{
  const LsFixture f = { .batch = 128,
                        .workers = workers,
                        .tiles = tiles,
                        .groups = 8,
                        .known = LS_KNOWN_THREADS,
                        .on_cpu = TRUE,
                        .units = 2,
                        .steps = 40 };

  return ls_fixture_data (&f);
}

/* Where a row stands for several workers its number is that of the one whose bars it has. */
static void
test_folded_rows (void)
{
  g_autoptr (LsViewData) data = data_of (200, 800);
  g_autoptr (LsLayout) layout = draw (data, LS_LOOK_LIGHT, 1280, 800);
  const LsPartLane *p = lane_of (layout, 0);
  gint shown[256];
  guint numbers = 0, others = 0;

  g_assert_cmpuint (p->fold, >, 1);
  g_autofree char *busiest = g_strdup_printf ("a row: the busiest of %u workers", p->fold);
  g_assert_true (says (layout->still, busiest));
  memset (shown, -1, sizeof shown);
  for (guint i = 0; i < layout->still->items->len; i++)
    {
      const LsItem *item = ls_scene_get (layout->still, i);
      if (item->kind == LS_ITEM_BAR && item->side == 0)
        shown[row_at (p, (double) (item->y + item->h / 2))] = event_of (p, item)->worker;
    }
  for (guint i = 0; i < layout->still->items->len; i++)
    {
      const LsItem *item = ls_scene_get (layout->still, i);
      if (item->kind != LS_ITEM_TEXT || fabs (ls_item_right (item) - p->clock_x + 10) > .5
          || (double) item->y < p->bars_y || !g_ascii_isdigit (item->text[0]) || item->type.weight != 700)
        continue;
      gboolean found = FALSE; /* the rows are lower than their numbers */
      for (guint r = 0; r < p->n_rows; r++)
        found |= shown[r] == atoi (item->text)
                 && fabs ((double) item->y - .36 * item->type.px - p->bars_y - (r + .4) * p->row_h)
                      < item->type.px;
      if (!found)
        g_error ("no row beside the number %s shows that worker", item->text);
      others += atoi (item->text) % (gint) p->fold != 0;
      numbers++;
    }
  g_assert_cmpuint (numbers, >, 2);
  g_assert_cmpuint (others, >, 0);
}

/* Rows that stand for several workers each have room for all of them, the last row for those that are left,
 * and no worker's bar is in another's row. */
static void
test_all_folded (void)
{
  static const guint workers[] = { 97, 150, 197, 199, 200, 241 };
  guint uneven = 0;

  for (guint k = 0; k < G_N_ELEMENTS (workers); k++)
    {
      g_autoptr (LsViewData) data = data_of (workers[k], 4 * workers[k]);
      g_autoptr (LsLayout) layout = draw (data, LS_LOOK_LIGHT, 1280, 800);
      const LsPartLane *p = lane_of (layout, 0);

      g_assert_cmpuint (p->fold, >, 1);
      if (p->n_rows * p->fold < workers[k] || (p->n_rows - 1) * p->fold >= workers[k])
        g_error ("%u rows of %u workers each stand for %u workers", p->n_rows, p->fold, workers[k]);
      if (p->n_rows * p->row_h > p->area.y + p->area.h - p->bars_y + .5)
        g_error ("%u rows of %g px don’t have room in %g px", p->n_rows, p->row_h,
                 p->area.y + p->area.h - p->bars_y);
      uneven += workers[k] % p->fold > 0;
      for (guint i = 0; i < layout->still->items->len; i++)
        {
          const LsItem *item = ls_scene_get (layout->still, i);
          if (item->kind != LS_ITEM_BAR || item->side != 0)
            continue;
          const guint row = row_at (p, (double) (item->y + item->h / 2));
          if (row != event_of (p, item)->worker / p->fold || row >= p->n_rows)
            g_error ("a bar of worker %u is in row %u of %u, of %u workers each", event_of (p, item)->worker,
                     row, p->n_rows, p->fold);
        }
    }
  g_assert_cmpuint (uneven, >, 0);
}

/* Where the device tells its units, each has a line of slots, eight below each other and then the next
 * column, in the order in which its work-groups were done; dashes fill up to the longest line. */
static void
test_slots (void)
{
  const LsFixture f = {
    .batch = 128, .workers = 8, .tiles = 64, .groups = 44, .known = LS_KNOWN_UNITS, .units = 24, .steps = 40
  };
  g_autoptr (LsViewData) data = ls_fixture_data (&f);
  g_autoptr (LsLayout) layout = draw (data, LS_LOOK_LIGHT, 2600, 1400);
  const LsPartLane *p = lane_of (layout, 1);
  const guint units = p->trace->n_rows, columns = (units + 7) / 8;
  guint count[64] = { 0 }, most = 0, dashes = 0, missing = 0, slots = 0, numbers = 0;
  gint64 last_rank[64];
  double last_x[64] = { 0 };

  g_assert_cmpuint (units, >, 8);
  memset (last_rank, -1, sizeof last_rank);
  for (guint i = 0; i < layout->still->items->len; i++)
    {
      const LsItem *item = ls_scene_get (layout->still, i);
      const double x = (double) item->x, y = (double) item->y;

      if (y < p->bars_y - .5 || x < p->area.x - 1 || y > p->bars_y + 8 * p->row_h)
        continue;
      const guint column = (guint) ((x - p->area.x) / (p->area.w / columns));
      dashes += item->kind == LS_ITEM_DASH;
      if (item->kind == LS_ITEM_TEXT && item->type.weight == 700 && g_ascii_isdigit (item->text[0]))
        {
          const guint unit = (guint) atoi (item->text);
          if (unit / 8 != column || unit % 8 != row_at (p, y - .36 * item->type.px))
            g_error ("unit %u has its number in column %u, row %u", unit, column,
                     row_at (p, y - .36 * item->type.px));
          numbers++;
        }
      if (item->kind != LS_ITEM_TILE || item->side != 1)
        continue;
      const LsEvent *e = event_of (p, item);
      const guint unit = (guint) e->unit;
      if (unit / 8 != column || unit % 8 != row_at (p, y + (double) item->h / 2))
        g_error ("what unit %u did stands in column %u, row %u", unit, column,
                 row_at (p, y + (double) item->h / 2));
      if ((gint64) e->rank < last_rank[unit] || (count[unit] > 0 && x <= last_x[unit]))
        g_error ("the slots of unit %u aren't in the order in which they were done", unit);
      if (item->t0 != ls_part_time (p, e->start_ns) || item->t1 != ls_part_time (p, e->end_ns))
        g_error ("a slot of unit %u is from %d to %d ns, its work-group from %d to %d ns", unit,
                 (gint) item->t0, (gint) item->t1, (gint) ls_part_time (p, e->start_ns),
                 (gint) ls_part_time (p, e->end_ns));
      if (fabs ((double) item->value - e->rank / (p->trace->n_ranks - 1.)) > 1e-5)
        g_error ("the work-group that was done as number %u of %u has the shade %g", e->rank + 1,
                 p->trace->n_ranks, (double) item->value);
      last_rank[unit] = e->rank;
      last_x[unit] = x;
      count[unit]++;
      most = MAX (most, count[unit]);
      slots++;
    }
  for (guint u = 0; u < units; u++)
    missing += most - count[u];
  g_assert_cmpuint (slots, ==, p->trace->n);
  g_assert_cmpuint (numbers, ==, units);
  g_assert_cmpuint (missing, >, 0);
  if (dashes != missing)
    g_error ("%u dashes stand for %u work-groups that units have less than others", dashes, missing);
}

/* From the first left to the last right, with the last one's number; where the order alone is known, in a
 * hall without it. */
static void
test_order (void)
{
  for (guint alone = 0; alone < 2; alone++)
    for (guint hall = 0; hall < 2; hall++)
      {
        const LsFixture f = { .batch = 128,
                              .workers = 2,
                              .tiles = 24,
                              .groups = 40,
                              .known = alone ? LS_KNOWN_ORDER : LS_KNOWN_THREADS,
                              .units = 2,
                              .on_cpu = !alone,
                              .steps = 40 };
        g_autoptr (LsViewData) data = ls_fixture_data (&f);
        g_autoptr (LsLayout) layout = draw (data, hall ? LS_LOOK_PROJECTOR : LS_LOOK_LIGHT, 1920, 1080);
        const LsPartLane *p = lane_of (layout, 1);
        g_autofree char *nth = ls_number_ordinal (p->trace->n_ranks);
        const char *first = alone ? "first" : "first done", *last = hall ? "last" : nth;
        const LsItem *left = NULL, *right = NULL, *ramp = NULL;

        if (hall && !alone)
          continue;
        for (guint i = 0; i < layout->still->items->len; i++)
          {
            const LsItem *item = ls_scene_get (layout->still, i);
            if ((double) item->x < p->area.x - 1 || (double) item->y < p->heading_y - p->layout->m.heading.px)
              continue;
            ramp = item->kind == LS_ITEM_RAMP ? item : ramp;
            left = item->kind == LS_ITEM_TEXT && strcmp (item->text, first) == 0 ? item : left;
            right = item->kind == LS_ITEM_TEXT && strcmp (item->text, last) == 0 ? item : right;
          }
        if (left == NULL || right == NULL || ramp == NULL)
          g_error ("“%s” … “%s” doesn't stand at the order of completion", first, last);
        g_assert_cmpfloat (ls_item_right (left), <, (double) (ramp->x + ramp->w / 2));
        g_assert_cmpfloat ((double) right->x, >, (double) (ramp->x + ramp->w / 2));
      }
}

/* In a tile stands who did it: its worker, its unit, or else as which number it was done; and from whose
 * share it was taken. */
static void
test_numbers (void)
{
  static const LsKnown knows[] = { LS_KNOWN_UNITS, LS_KNOWN_ORDER };
  guint n[LS_SIDES] = { 0 }, taken = 0;

  for (guint k = 0; k < G_N_ELEMENTS (knows); k++)
    {
      const LsFixture f = { .batch = 128,
                            .workers = 6,
                            .tiles = 24,
                            .groups = 24,
                            .known = knows[k],
                            .stealing = TRUE,
                            .units = 6,
                            .steps = 40 };
      g_autoptr (LsViewData) data = ls_fixture_data (&f);
      g_autoptr (LsLayout) layout = draw (data, LS_LOOK_LIGHT, 2600, 1800);
      const LsScene *s = layout->still;

      for (guint side = 0; side < LS_SIDES; side++)
        for (guint i = 0; i < s->items->len; i++)
          {
            const LsPartLane *p = lane_of (layout, side);
            const LsItem *tile = ls_scene_get (s, i);
            if (tile->kind != LS_ITEM_TILE || tile->side != side || (double) tile->y > p->heading_y)
              continue;
            const LsEvent *e = event_of (p, tile);
            const guint should = side == 0                    ? e->worker
                                 : knows[k] == LS_KNOWN_UNITS ? (guint) e->unit
                                                              : e->rank + 1;
            for (guint t = 0; t < s->items->len; t++)
              {
                const LsItem *item = ls_scene_get (s, t);
                guint from;
                if (item->kind != LS_ITEM_TEXT || item->x < tile->x || item->x > tile->x + tile->w
                    || item->y < tile->y || item->y > tile->y + tile->h)
                  continue;
                if (sscanf (item->text, "from %u", &from) == 1)
                  {
                    g_assert_cmpuint (from, ==, e->from);
                    g_assert_cmpuint (item->when, ==, LS_WHEN_DONE);
                    taken++;
                  }
                else if (strcmp (item->text, "running") == 0)
                  g_assert_cmpuint (item->when, ==, LS_WHEN_RUNNING);
                else if (strspn (item->text, "0123456789") == strlen (item->text))
                  {
                    if ((guint) atoi (item->text) != should)
                      g_error ("side %u: in a tile stands %s, not %u", side, item->text, should);
                    n[side]++;
                  }
              }
          }
    }
  g_assert_cmpuint (n[0], >, 20);
  g_assert_cmpuint (n[1], >, 20);
  g_assert_cmpuint (taken, >, 0);
}

/* Tiles too small for cells of their own: a cell is of the one of its block that was done last, with its
 * worker. */
static void
test_blocks (void)
{
  g_autoptr (LsViewData) data = data_of (6, 60000);
  g_autoptr (LsLayout) layout = draw (data, LS_LOOK_LIGHT, 960, 600);
  const LsPartLane *p = lane_of (layout, 0);
  const LsTiling *t = p->tiling;
  const GArray *events = p->lane->recorded->events;
  const guint rows = (t->grid_rows + p->fold_rows - 1) / p->fold_rows,
              cols = (t->grid_cols + p->fold_cols - 1) / p->fold_cols;
  g_autofree guint64 *last = g_new0 (guint64, rows * cols);
  guint cells = 0;

  g_assert_cmpuint (p->fold_rows * p->fold_cols, >, 1);
  for (guint pass = 0; pass < 2; pass++)
    for (guint i = 0; i < (pass == 0 ? events->len : layout->still->items->len); i++)
      {
        const LsItem *item = pass == 0 ? NULL : ls_scene_get (layout->still, i);
        if (item != NULL && (item->kind != LS_ITEM_TILE || item->side != 0))
          continue;
        const LsEvent *e = item == NULL ? &g_array_index (events, LsEvent, i) : event_of (p, item);
        if (e->op != OP || e->kind != LS_EVENT_TILE)
          continue;
        const guint cell = e->tile % (t->grid_rows * t->grid_cols);
        guint64 *own = &last[cell / t->grid_cols / p->fold_rows * cols + cell % t->grid_cols / p->fold_cols];
        if (item == NULL)
          *own = MAX (*own, e->end_ns);
        else if (e->end_ns != *own)
          g_error ("a block of %u×%u tiles shows one that ended %" G_GUINT64_FORMAT " ns before its last",
                   p->fold_rows, p->fold_cols, *own - e->end_ns);
        else
          g_assert_cmpuint (item->worker, ==, e->worker);
        cells += item != NULL;
      }
  g_assert_cmpuint (cells, ==, rows * cols);
}

int
main (int argc, char **argv)
{
  gint status;

  g_test_init (&argc, &argv, NULL);
  fonts = ls_fonts_new (NULL);
  g_test_add_func ("/paint/partition-bars/rows", test_rows);
  g_test_add_func ("/paint/partition-bars/blocks", test_blocks);
  g_test_add_func ("/paint/partition-bars/folded-rows", test_folded_rows);
  g_test_add_func ("/paint/partition-bars/all-folded", test_all_folded);
  g_test_add_func ("/paint/partition-bars/slots", test_slots);
  g_test_add_func ("/paint/partition-bars/order", test_order);
  g_test_add_func ("/paint/partition-bars/numbers", test_numbers);
  status = g_test_run ();
  ls_fonts_unref (fonts);
  return status;
}
