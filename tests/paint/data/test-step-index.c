/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What is made of a recorded step's events, which are made by hand: each op's pieces, what they tell, its
 * span.
 */
#include "config.h"

#include <string.h>

#include "ui/paint/data/step_index.h"

#define OPS   4
#define START 5000000 /* ns on the host's clock; events count from there */

typedef struct {
  LsRecording recording;
  LsRecordedLane lane;
  LsTiling tilings[OPS];
} Rig;

static void
rig_init (Rig *rig, LsTells tells, gint units, gint threads)
{
  *rig = (Rig){ .recording = { .n_ops = OPS, .n_lanes = 1 },
                .lane = { .device = ls_device_info_new ("opencl"),
                          .events = g_array_new (FALSE, FALSE, sizeof (LsEvent)),
                          .start_ns = START,
                          .end_ns = START + 1000 } };
  rig->lane.device->tells = tells;
  rig->lane.device->units = units;
  rig->lane.device->threads = threads;
  for (guint i = 0; i < OPS; i++)
    rig->tilings[i] = (LsTiling){ .grid_rows = 2, .grid_cols = 3, .splits = 1, .leader = i };
  rig->lane.tilings = rig->tilings;
  rig->recording.lanes = &rig->lane;
}

static void
rig_clear (Rig *rig)
{
  ls_device_info_free (rig->lane.device);
  g_array_unref (rig->lane.events);
}

static LsEvent *
add (Rig *rig, LsEventKind kind, guint op, guint tile, guint64 start, guint64 end)
{
  const LsEvent event = { .kind = (guint8) kind,
                          .op = (guint16) op,
                          .tile = tile,
                          .start_ns = START + start,
                          .end_ns = START + end,
                          .worker = LS_WORKER_NONE,
                          .unit = LS_UNIT_NONE,
                          .rank = LS_RANK_NONE };

  g_array_append_val (rig->lane.events, event);
  return &g_array_index (rig->lane.events, LsEvent, rig->lane.events->len - 1);
}

/* ---- pieces ---- */

/* By op, then by tile, whatever their order in the record; what isn't a tile of the output is none. */
static void
test_pieces (void)
{
  static const guint tiles[] = { 4, 0, 5, 2, 1, 3 };
  Rig rig;
  LsStepIndex *index;

  rig_init (&rig, LS_TELLS_NOTHING, -1, -1);
  for (guint i = 0; i < G_N_ELEMENTS (tiles); i++)
    for (guint op = OPS - 1; op > 0; op--)
      add (&rig, op == 1 ? LS_EVENT_TILE : LS_EVENT_GROUP, op, tiles[i], 10 * op, 10 * op + 5);
  add (&rig, LS_EVENT_TILE, 2, 6, 1, 2); /* adds up parts of a split sum */
  add (&rig, LS_EVENT_TILE, OPS, 0, 1, 2);
  add (&rig, LS_EVENT_TILE, LS_OP_NONE, 0, 1, 2);
  add (&rig, LS_EVENT_WAIT, 2, 1, 1, 2);
  rig.tilings[3].splits = 2; /* here they are parts, which are pieces */
  add (&rig, LS_EVENT_TILE, 3, 11, 1, 2);
  add (&rig, LS_EVENT_TILE, 3, 12, 1, 2);
  index = ls_step_index_new (&rig.recording, 0);
  g_assert_cmpuint (index->n_pieces, ==, 6 + 6 + 7);
  g_assert_cmpuint (index->ops[0].n, ==, 0);
  for (guint op = 1; op < OPS; op++)
    {
      g_assert_cmpuint (index->ops[op].n, ==, op == 3 ? 7 : 6);
      for (guint i = 0; i < index->ops[op].n; i++)
        {
          const LsEvent *e = ls_step_index_piece (index, &index->ops[op], i);
          g_assert_cmpuint (e->op, ==, op);
          g_assert_cmpuint (e->tile, ==, i == 6 ? 11 : i);
        }
    }
  ls_step_index_unref (index);
  rig_clear (&rig);
}

/* What all pieces of an op tell of where they were computed, and how many could have computed one. */
static void
test_known (void)
{
  static const struct {
    LsTells tells;
    struct {
      gint16 unit;
      guint8 worker;
      guint32 rank;
    } pieces[3];
    gint units, threads;
    LsKnown known;
    guint n_rows, n_ranks;
  } rows[] = {
    { LS_TELLS_UNITS, { { 2, 9, 0 }, { 0, 9, 1 }, { 5, 9, 2 } }, 24, 99, LS_KNOWN_UNITS, 24, 3 },
    { LS_TELLS_UNITS, { { 2, 9, 0 }, { 0, 9, 1 }, { 5, 9, 2 } }, 4, 99, LS_KNOWN_UNITS, 6, 3 }, /* one more */
    { LS_TELLS_UNITS, { { 2, 1, 0 }, { -1, 3, 1 }, { 5, 0, 2 } }, 24, 8, LS_KNOWN_THREADS, 8, 3 },
    { LS_TELLS_THREADS, { { 2, 1, 0 }, { 1, 3, 1 }, { 5, 0, 2 } }, 24, 8, LS_KNOWN_THREADS, 8, 3 },
    { LS_TELLS_THREADS, { { 2, 1, 0 }, { 1, 3, 1 }, { 5, 0, 2 } }, 24, 2, LS_KNOWN_THREADS, 4, 3 },
    { LS_TELLS_ORDER, { { -1, 255, 4 }, { -1, 1, 0 }, { -1, 2, 1 } }, 24, 8, LS_KNOWN_ORDER, 0, 5 },
    { LS_TELLS_ORDER,
      { { -1, 255, 4 }, { -1, 1, LS_RANK_NONE }, { -1, 2, 1 } },
      24,
      8,
      LS_KNOWN_NOTHING,
      0,
      5 },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      Rig rig;
      LsStepIndex *index;

      rig_init (&rig, rows[i].tells, rows[i].units, rows[i].threads);
      for (guint k = 0; k < 3; k++)
        {
          LsEvent *e = add (&rig, LS_EVENT_GROUP, 1, k, 10 * k, 10 * k + 5);
          e->unit = rows[i].pieces[k].unit;
          e->worker = rows[i].pieces[k].worker;
          e->rank = rows[i].pieces[k].rank;
        }
      index = ls_step_index_new (&rig.recording, 0);
      g_test_message ("row %u", (guint) i);
      g_assert_cmpint (index->ops[1].known, ==, rows[i].known);
      g_assert_cmpuint (index->ops[1].n_rows, ==, rows[i].n_rows);
      g_assert_cmpuint (index->ops[1].n_ranks, ==, rows[i].n_ranks);
      g_assert_true (index->ops[1].timed);
      g_assert_cmpint (index->ops[0].known, ==, LS_KNOWN_NOTHING); /* it has none */
      g_assert_false (index->ops[0].timed);
      for (guint k = 0; k < 3; k++)
        g_assert_cmpint (ls_piece_row (&index->ops[1], ls_step_index_piece (index, &index->ops[1], k)), ==,
                         rows[i].known == LS_KNOWN_UNITS     ? rows[i].pieces[k].unit
                         : rows[i].known == LS_KNOWN_THREADS ? rows[i].pieces[k].worker
                                                             : -1);
      ls_step_index_unref (index);
      /* one rank in the place of its times is enough not to have times */
      g_array_index (rig.lane.events, LsEvent, 1).lane_clock = LS_LANE_CLOCK (0, LS_CLOCK_ORDER);
      index = ls_step_index_new (&rig.recording, 0);
      g_assert_false (index->ops[1].timed);
      ls_step_index_unref (index);
      rig_clear (&rig);
    }
}

/* ---- spans ---- */

static void
assert_span (const LsStepIndex *index, guint op, gint64 start, gint64 end)
{
  g_assert_true (index->ops[op].ran);
  g_assert_cmpint (index->ops[op].start_ns, ==, start);
  g_assert_cmpint (index->ops[op].end_ns, ==, end);
}

/* An op's span is its kernels', else its own as the host saw it, else its pieces'. */
static void
test_spans (void)
{
  static const struct {
    LsEventKind kind;
    guint op;
    gint64 start, end;
  } spans[] = { { LS_EVENT_COPY_IN, 0, 5, 20 }, { LS_EVENT_OP, 3, 20, 30 },
                { LS_EVENT_OP, 0, 100, 180 },   { LS_EVENT_OP, 1, 200, 260 },
                { LS_EVENT_OP, 2, 300, 340 },   { LS_EVENT_COPY_OUT, 0, 900, 1200 } };
  Rig rig;
  LsStepIndex *index;

  rig_init (&rig, LS_TELLS_NOTHING, -1, -1);
  add (&rig, LS_EVENT_COPY_OUT, LS_OP_NONE, 64, 900, 1200); /* longer than the step is said to be */
  add (&rig, LS_EVENT_OP, 0, 0, 50, 500);                   /* with the host's calls */
  add (&rig, LS_EVENT_KERNEL, 0, 0, 150, 180);
  add (&rig, LS_EVENT_KERNEL, 0, 0, 100, 120);
  add (&rig, LS_EVENT_REFERENCE, 1, 0, 200, 250);
  add (&rig, LS_EVENT_REFERENCE, 1, 0, 240, 260);
  add (&rig, LS_EVENT_TILE, 2, 0, 310, 340);
  add (&rig, LS_EVENT_TILE, 2, 1, 300, 320);
  add (&rig, LS_EVENT_TILE, 3, 0, 10, 90);
  add (&rig, LS_EVENT_OP, 3, 0, 20, 30);
  add (&rig, LS_EVENT_KERNEL, 3, 0, 1, 2)->lane_clock = LS_LANE_CLOCK (0, LS_CLOCK_ORDER); /* no times */
  add (&rig, LS_EVENT_COPY_IN, LS_OP_NONE, 64, 5, 20);
  add (&rig, LS_EVENT_WAIT, 1, 0, 0, 999);
  add (&rig, LS_EVENT_KERNEL, OPS, 0, 0, 999);
  index = ls_step_index_new (&rig.recording, 0);
  assert_span (index, 0, 100, 180);
  assert_span (index, 1, 200, 260);
  assert_span (index, 2, 300, 340);
  assert_span (index, 3, 20, 30);
  g_assert_cmpint (index->length_ns, ==, 1200);
  g_assert_cmpuint (index->spans->len, ==, G_N_ELEMENTS (spans)); /* each op once, and each copy */
  for (guint i = 0; i < index->spans->len; i++)
    {
      const LsSpan *span = &g_array_index (index->spans, LsSpan, i);
      const gboolean copy = spans[i].kind != LS_EVENT_OP;

      g_test_message ("span %u", i);
      g_assert_cmpint (span->kind, ==, spans[i].kind);
      g_assert_cmpuint (span->op, ==, copy ? LS_OP_NONE : spans[i].op);
      g_assert_cmpint (span->start_ns, ==, spans[i].start);
      g_assert_cmpint (span->end_ns, ==, spans[i].end);
    }
  ls_step_index_unref (index);

  /* pieces without times say nothing of when */
  for (guint i = 0; i < rig.lane.events->len; i++)
    if (g_array_index (rig.lane.events, LsEvent, i).op == 2)
      g_array_index (rig.lane.events, LsEvent, i).lane_clock = LS_LANE_CLOCK (0, LS_CLOCK_ORDER);
  index = ls_step_index_new (&rig.recording, 0);
  g_assert_false (index->ops[2].ran);
  g_assert_cmpuint (index->spans->len, ==, G_N_ELEMENTS (spans) - 1);
  g_assert_null (ls_step_index_new_finer (&rig.recording, 0)); /* it wasn't cut finer */
  ls_step_index_unref (index);
  rig_clear (&rig);
}

/* Spans are in the order of their beginnings; those that begin at once in that of their events. */
static void
test_order (void)
{
  static const guint64 starts[] = { 300, 100, 100, 40, 300, 100, 40, 100 };
  Rig rig;

  rig_init (&rig, LS_TELLS_NOTHING, -1, -1);
  for (guint i = 0; i < G_N_ELEMENTS (starts); i++) /* later ones are shorter */
    add (&rig, i % 2 ? LS_EVENT_COPY_IN : LS_EVENT_COPY_OUT, LS_OP_NONE, 64, starts[i],
         starts[i] + 90 - 10 * i);
  LsStepIndex *index = ls_step_index_new (&rig.recording, 0);
  static const guint order[] = { 3, 6, 1, 2, 5, 7, 0, 4 };
  g_assert_cmpuint (index->spans->len, ==, G_N_ELEMENTS (order));
  for (guint i = 0; i < G_N_ELEMENTS (order); i++)
    {
      const LsSpan *span = &g_array_index (index->spans, LsSpan, i);
      if (span->event != order[i] || span->start_ns != (gint64) starts[order[i]]
          || span->kind != (order[i] % 2 ? LS_EVENT_COPY_IN : LS_EVENT_COPY_OUT))
        g_error ("span %u is that of event %u from %d ns on, not of event %u", i, span->event,
                 (gint) span->start_ns, order[i]);
    }
  ls_step_index_unref (index);
  rig_clear (&rig);
}

/* The step cut finer has its own tiles, events and times, and the lane's device. */
static void
test_finer (void)
{
  Rig rig;
  LsTiling tilings[OPS];
  LsRecordedCut cut = { .tilings = tilings, .start_ns = START + 5000, .end_ns = START + 5700 };
  LsStepIndex *index;

  rig_init (&rig, LS_TELLS_UNITS, 24, -1);
  add (&rig, LS_EVENT_TILE, 1, 0, 10, 20);
  memcpy (tilings, rig.tilings, sizeof tilings);
  tilings[1].grid_cols = 9;
  tilings[1].leader = 0;
  cut.events = g_array_new (FALSE, FALSE, sizeof (LsEvent));
  for (guint i = 0; i < 18; i++)
    {
      LsEvent *e = add (&rig, LS_EVENT_TILE, 1, i, 5100 + i, 5200 + i);
      e->unit = 3;
      g_array_append_val (cut.events, *e);
    }
  g_array_set_size (rig.lane.events, 1);
  rig.lane.finer = &cut;
  index = ls_step_index_new_finer (&rig.recording, 0);
  g_assert_cmpuint (index->ops[1].n, ==, 18);
  g_assert_cmpint (index->ops[1].known, ==, LS_KNOWN_UNITS);
  assert_span (index, 1, 100, 217); /* since the cut's own start */
  g_assert_cmpint (index->length_ns, ==, 700);
  g_assert_cmpuint (ls_step_index_leader (index, 1), ==, 0);
  ls_step_index_unref (index);
  index = ls_step_index_new (&rig.recording, 0);
  g_assert_cmpuint (index->ops[1].n, ==, 1);
  g_assert_cmpuint (ls_step_index_leader (index, 1), ==, 1);
  ls_step_index_unref (index);
  g_array_unref (cut.events);
  rig_clear (&rig);
}

/* Tiles cover the output, each element once for each part of the sum. */
static void
test_elements (void)
{
  const LsTiling t
    = { .rows = 7, .cols = 10, .tile_rows = 3, .tile_cols = 4, .grid_rows = 3, .grid_cols = 3, .splits = 2 },
    none = { .rows = 7, .cols = 10 };
  guint seen[7][10] = { { 0 } };
  gint64 row, col, n_rows, n_cols;

  for (guint tile = 0; ls_tile_elements (&t, tile, &row, &n_rows, &col, &n_cols); tile++)
    {
      g_assert_cmpint (row, ==, 3 * (tile % 9 / 3));
      g_assert_cmpint (col, ==, 4 * (tile % 3));
      for (gint64 y = row; y < row + n_rows; y++)
        for (gint64 x = col; x < col + n_cols; x++)
          {
            g_assert_true (y < 7 && x < 10);
            seen[y][x]++;
          }
    }
  for (guint i = 0; i < 70; i++)
    g_assert_cmpuint (seen[i / 10][i % 10], ==, 2);
  g_assert_false (ls_tile_elements (&none, 0, &row, &n_rows, &col, &n_cols));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/step-index/pieces", test_pieces);
  g_test_add_func ("/step-index/known", test_known);
  g_test_add_func ("/step-index/spans", test_spans);
  g_test_add_func ("/step-index/order", test_order);
  g_test_add_func ("/step-index/finer", test_finer);
  g_test_add_func ("/step-index/elements", test_elements);
  return g_test_run ();
}
