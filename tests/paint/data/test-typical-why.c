/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Why a step took so long, of steps made by hand: the longest stretch without an op, the piece that took
 * longer than its like, the worker that was off its core.
 */
#include "config.h"

#include "files/recording.h"
#include "ui/paint/data/typical.h"
#include "tests/plain.h"

#define START 7000000

typedef struct {
  LsRecording recording;
  LsRecordedLane lanes[2];
  LsTiling tilings[2];
  LsRecordedOp ops[2];
} Rig;

/* A step of 1 000 µs: op 0 of four tiles until 100 µs, and op 1 of one tile from 600 µs until its end. */
static void
rig_init (Rig *rig)
{
  *rig = (Rig){ .recording = { .n_ops = 2, .n_lanes = 2 },
                .ops = { { .symbol = (char *) "Z₁" }, { .symbol = (char *) "Z₂" } },
                .tilings = { { .grid_rows = 2, .grid_cols = 2, .splits = 1 },
                             { .grid_rows = 1, .grid_cols = 1, .splits = 1, .leader = 1 } } };
  for (guint i = 0; i < 2; i++)
    rig->lanes[i] = (LsRecordedLane){ .device = ls_device_info_new (i == 0 ? "cpu" : "opencl"),
                                      .tilings = rig->tilings,
                                      .events = g_array_new (FALSE, FALSE, sizeof (LsEvent)),
                                      .start_ns = START,
                                      .end_ns = START + (i == 0 ? 1000000 : 0) };
  rig->recording.lanes = rig->lanes;
  rig->recording.ops = rig->ops;
}

static void
add (Rig *rig, LsEventKind kind, guint op, guint tile, guint8 worker, guint from_us, guint to_us)
{
  const LsEvent event = { .kind = (guint8) kind,
                          .op = (guint16) op,
                          .tile = tile,
                          .worker = worker,
                          .unit = LS_UNIT_NONE,
                          .rank = LS_RANK_NONE,
                          .start_ns = START + 1000 * (guint64) from_us,
                          .end_ns = START + 1000 * (guint64) to_us };

  g_array_append_val (rig->lanes[0].events, event);
}

/* Takes the rig's lanes with it. */
static void
assert_why (Rig *rig, const char *wanted)
{
  LsStepIndex *index = ls_step_index_new (&rig->recording, 0);

  assert_said (ls_typical_why (&rig->recording, index), wanted);
  ls_step_index_unref (index);
  for (guint i = 0; i < 2; i++)
    {
      ls_device_info_free (rig->lanes[i].device);
      g_array_unref (rig->lanes[i].events);
      g_clear_pointer (&rig->lanes[i].off_core, g_array_unref);
    }
}

/* 500 µs without an op, from 100 µs on: more than half of it in the queue, or beside the other lane, is why.
 */
static void
test_gap (void)
{
  static const struct {
    guint queued[2], other[2]; /* from, to, µs */
    const char *words;
  } rows[] = {
    { { 0, 0 }, { 0, 0 }, "500 µs without an op, not recorded why" },
    { { 340, 600 }, { 0, 0 }, "500 µs in the driver’s queue" },
    { { 360, 600 }, { 0, 0 }, "500 µs without an op, not recorded why" },
    { { 0, 340 }, { 0, 0 }, "500 µs without an op, not recorded why" }, /* 100 of them were before */
    { { 0, 0 }, { 340, 900 }, "500 µs while the other lane ran" },
    { { 0, 0 }, { 360, 900 }, "500 µs without an op, not recorded why" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      Rig rig;

      rig_init (&rig);
      add (&rig, LS_EVENT_OP, 0, 0, 0, 0, 100);
      add (&rig, LS_EVENT_OP, 1, 0, 0, 600, 1000);
      if (rows[i].queued[1] > 0)
        add (&rig, LS_EVENT_QUEUED, 1, 0, LS_WORKER_NONE, rows[i].queued[0], rows[i].queued[1]);
      rig.lanes[1].start_ns = START + 1000 * (guint64) rows[i].other[0];
      rig.lanes[1].end_ns = START + 1000 * (guint64) rows[i].other[1];
      g_test_message ("row %u", (guint) i);
      assert_why (&rig, rows[i].words);
    }
}

/* At a step's end is a stretch, too; one of less than a tenth of it is none worth telling. */
static void
test_ends (void)
{
  static const struct {
    guint begin, end; /* of the only op, µs */
    const char *words;
  } rows[] = { { 0, 700, "300 µs without an op, not recorded why" },
               { 250, 1000, "250 µs without an op, not recorded why" },
               { 100, 1000, "100 µs without an op, not recorded why" },
               { 99, 1000, "not recorded why" },
               { 0, 1000, "not recorded why" } };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      Rig rig;

      rig_init (&rig);
      add (&rig, LS_EVENT_OP, 0, 0, 0, rows[i].begin, rows[i].end);
      assert_why (&rig, rows[i].words);
    }
}

/* A tile is held against the median of its op's; of two against the other one. */
static void
test_pieces (void)
{
  static const struct {
    LsEventKind kind;
    guint us[4], n; /* each tile's */
    guint64 off_us; /* worker 3, which has the longest */
    const char *words;
  } rows[] = {
    { LS_EVENT_TILE, { 100, 600, 90, 110 }, 4, 0, "worker 3 was held up 490 µs in a tile of Z₁" },
    { LS_EVENT_GROUP, { 100, 600, 90, 110 }, 4, 0, "thread 3 was held up 490 µs in a work-group of Z₁" },
    { LS_EVENT_TILE, { 100, 600 }, 2, 0, "worker 3 was held up 500 µs in a tile of Z₁" },
    { LS_EVENT_TILE, { 100, 150, 90, 110 }, 4, 0, "not recorded why" }, /* 40 µs are no reason */
    { LS_EVENT_TILE,
      { 100, 600, 90, 110 },
      4,
      300,
      "worker 3 was held up 490 µs in a tile of Z₁; in its tiles of this step it was off its core for at "
      "least 300 µs" },
    { LS_EVENT_TILE, { 100, 600, 90, 110 }, 4, 200, "worker 3 was held up 490 µs in a tile of Z₁" },
    { LS_EVENT_TILE, { 100, 600, 90, 110 }, 4, 500, "worker 3 was off its core for at least 500 µs" },
    { LS_EVENT_TILE, { 600 }, 1, 0, "not recorded why" }, /* it has no like */
  };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      Rig rig;

      rig_init (&rig);
      add (&rig, LS_EVENT_OP, 0, 0, 0, 0, 1000);
      for (guint k = 0; k < rows[i].n; k++)
        add (&rig, rows[i].kind, 0, k, rows[i].us[k] == 600 || rows[i].us[k] == 150 ? 3 : 1, 10,
             10 + rows[i].us[k]);
      if (rows[i].off_us > 0)
        {
          const guint64 off[] = { 0, 0, 0, 1000 * rows[i].off_us };
          rig.lanes[0].off_core = g_array_new (FALSE, FALSE, sizeof (guint64));
          g_array_append_vals (rig.lanes[0].off_core, off, G_N_ELEMENTS (off));
        }
      g_test_message ("row %u", (guint) i);
      assert_why (&rig, rows[i].words);
    }
}

/* An op that ends within a longer one, which began before, ends no stretch in which something ran. */
static void
test_within (void)
{
  Rig rig;

  rig_init (&rig);
  add (&rig, LS_EVENT_OP, 0, 0, 0, 0, 800);
  add (&rig, LS_EVENT_OP, 1, 0, 0, 100, 200);
  assert_why (&rig, "200 µs without an op, not recorded why");
}

/* Of several workers that were off their core for as long the first is named. */
static void
test_first_off (void)
{
  static const struct {
    guint64 off_us[4];
    guint first;
  } rows[] = { { { 400, 400, 400, 400 }, 0 },
               { { 0, 400, 400, 0 }, 1 },
               { { 399, 0, 400, 400 }, 2 },
               { { 0, 0, 0, 400 }, 3 } };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autofree char *words = g_strdup_printf ("worker %u was off its core for at least 400 µs",
                                                rows[i].first);
      Rig rig;

      rig_init (&rig);
      add (&rig, LS_EVENT_OP, 0, 0, 0, 0, 1000);
      rig.lanes[0].off_core = g_array_new (FALSE, FALSE, sizeof (guint64));
      for (guint w = 0; w < 4; w++)
        {
          const guint64 ns = 1000 * rows[i].off_us[w];
          g_array_append_val (rig.lanes[0].off_core, ns);
        }
      assert_why (&rig, words);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/typical-why/gap", test_gap);
  g_test_add_func ("/typical-why/ends", test_ends);
  g_test_add_func ("/typical-why/pieces", test_pieces);
  g_test_add_func ("/typical-why/within", test_within);
  g_test_add_func ("/typical-why/first-off", test_first_off);
  return g_test_run ();
}
