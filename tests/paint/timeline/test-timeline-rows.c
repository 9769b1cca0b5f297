/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The timeline's rows: which events stand in which, what the queue's commands are, and which blocks a zoom
 * makes of a row; of steps that are written by hand.
 */
#include <math.h>

#include "tests/paint/fixture.h"
#include "ui/paint/timeline/timeline.h"

/* ---- a step by hand ---- */

#define BEGAN 1000000 /* ns: the lane's step, on the host's clock */

typedef struct {
  LsRecordedLane lane;
  LsOpTrace ops[2];
  LsStepIndex index;
  LsTimeIndex *times;
} Step;

static void
step_start (Step *s, LsKnown known)
{
  *s = (Step){ .lane = { .start_ns = BEGAN, .events = g_array_new (FALSE, TRUE, sizeof (LsEvent)) } };
  s->ops[1].known = known;
  s->index = (LsStepIndex){ .lane = &s->lane, .n_ops = G_N_ELEMENTS (s->ops), .ops = s->ops };
}

/* From … to, ns since the step began. Returns the event's position. */
static guint32
step_add (Step *s, LsEventKind kind, LsClock clock, guint op, guint tile, gint64 from, gint64 to)
{
  const LsEvent e = { .start_ns = BEGAN + (guint64) from,
                      .end_ns = BEGAN + (guint64) to,
                      .tile = tile,
                      .op = (guint16) op,
                      .unit = LS_UNIT_NONE,
                      .kind = (guint8) kind,
                      .lane_clock = LS_LANE_CLOCK (1, clock),
                      .worker = LS_WORKER_NONE };

  g_array_append_val (s->lane.events, e);
  return s->lane.events->len - 1;
}

static void
step_index (Step *s)
{
  s->times = ls_time_index_of (&s->index);
}

static void
step_end (Step *s)
{
  ls_time_index_free (s->times);
  g_array_unref (s->lane.events);
}

/* Each kind has its row; workers, threads and units one each; what has no time has none, and is counted. */
static void
test_rows (void)
{
  static const struct {
    LsEventKind kind;
    LsClock clock;
    LsKnown known; /* of its op */
    guint8 worker;
    gint16 unit;
    gint row, number; /* −1: none */
  } cases[] = {
    { LS_EVENT_STEP, LS_CLOCK_HOST, LS_KNOWN_UNITS, 0, 0, -1, 0 },
    { LS_EVENT_OP, LS_CLOCK_HOST, LS_KNOWN_UNITS, 3, 4, LS_ROW_OPS, 0 },
    { LS_EVENT_TILE, LS_CLOCK_HOST, LS_KNOWN_UNITS, 3, 4, LS_ROW_WORKER, 3 },
    { LS_EVENT_WAIT, LS_CLOCK_HOST, LS_KNOWN_UNITS, 3, 4, LS_ROW_WAITS, 3 },
    { LS_EVENT_ENQUEUE, LS_CLOCK_HOST, LS_KNOWN_UNITS, 3, 4, LS_ROW_HOST, 0 },
    { LS_EVENT_HOST_WAIT, LS_CLOCK_HOST, LS_KNOWN_UNITS, 3, 4, LS_ROW_HOST, 0 },
    { LS_EVENT_QUEUED, LS_CLOCK_DEVICE, LS_KNOWN_UNITS, 3, 4, -1, 0 },
    { LS_EVENT_KERNEL, LS_CLOCK_DEVICE, LS_KNOWN_UNITS, 3, 4, LS_ROW_KERNELS, 0 },
    { LS_EVENT_COPY_IN, LS_CLOCK_DEVICE, LS_KNOWN_UNITS, 3, 4, LS_ROW_COPIES, 0 },
    { LS_EVENT_COPY_OUT, LS_CLOCK_DEVICE, LS_KNOWN_UNITS, 3, 4, LS_ROW_COPIES, 0 },
    { LS_EVENT_GROUP, LS_CLOCK_DEVICE, LS_KNOWN_UNITS, 3, 4, LS_ROW_GROUPS, 4 },
    { LS_EVENT_GROUP, LS_CLOCK_DEVICE, LS_KNOWN_UNITS, 3, LS_UNIT_NONE, LS_ROW_GROUPS, 0 },
    { LS_EVENT_GROUP, LS_CLOCK_DEVICE, LS_KNOWN_THREADS, 3, 4, LS_ROW_GROUPS, 3 },
    { LS_EVENT_GROUP, LS_CLOCK_DEVICE, LS_KNOWN_THREADS, LS_WORKER_NONE, 4, LS_ROW_GROUPS, 0 },
    { LS_EVENT_GROUP, LS_CLOCK_ORDER, LS_KNOWN_THREADS, 3, 4, -1, 0 },
    { LS_EVENT_TILE, LS_CLOCK_ORDER, LS_KNOWN_UNITS, 3, 4, -1, 0 },
    { LS_EVENT_REFERENCE, LS_CLOCK_HOST, LS_KNOWN_UNITS, 3, 4, LS_ROW_OPS, 0 }, /* alone */
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    for (guint beside = 0; beside < 2; beside++) /* an op */
      {
        const gint row = beside && cases[i].kind == LS_EVENT_REFERENCE ? -1 : cases[i].row;
        const guint of_ops = beside + (row == LS_ROW_OPS);
        guint spans = 0;
        Step s;

        step_start (&s, cases[i].known);
        if (beside)
          step_add (&s, LS_EVENT_OP, LS_CLOCK_HOST, 0, 0, 10, 20);
        const guint32 event = step_add (&s, cases[i].kind, cases[i].clock, 1, 0, 100, 250);
        g_array_index (s.lane.events, LsEvent, event).worker = cases[i].worker;
        g_array_index (s.lane.events, LsEvent, event).unit = cases[i].unit;
        step_index (&s);
        for (guint r = 0; r < s.times->rows->len; r++)
          {
            const LsTimeRow *at = g_ptr_array_index (s.times->rows, r);
            spans += at->n;
            if (at->event[at->n - 1] == event
                && ((gint) at->kind != row || at->number != cases[i].number || at->start[at->n - 1] != 100
                    || at->end[at->n - 1] != 250 || at->op[at->n - 1] != 1))
              g_error ("case %u stands in row %d of kind %u, from %" G_GINT64_FORMAT " to %" G_GINT64_FORMAT,
                       i, at->number, at->kind, at->start[at->n - 1], at->end[at->n - 1]);
          }
        if (spans != beside + (row >= 0))
          g_error ("case %u%s: %u events stand in rows", i, beside ? " beside an op" : "", spans);
        const LsTimeRow *ops = ls_time_index_row (s.times, LS_ROW_OPS, 0);
        g_assert_cmpuint (ops != NULL ? ops->n : 0, ==, of_ops);
        const gboolean piece = cases[i].kind == LS_EVENT_TILE || cases[i].kind == LS_EVENT_GROUP,
                       wait = cases[i].kind == LS_EVENT_WAIT;
        g_assert_cmpuint (s.times->n_pieces, ==, piece);
        g_assert_cmpuint (s.times->n_untimed, ==, piece && cases[i].clock == LS_CLOCK_ORDER);
        g_assert_cmpuint (s.times->n_waits, ==, wait);
        g_assert_cmpint (s.times->wait_ns, ==, wait ? 150 : 0);
        step_end (&s);
      }
}

/* A row knows the latest end so far, how much of it is spans, and which span is at a moment. */
static void
test_row (void)
{
  static const gint64 spans[][2]
    = { { 0, 10 }, { 20, 60 }, { 30, 40 }, { 70, 65 } /* ends before it began */ },
    reach[] = { 10, 60, 60, 70 }, busy[] = { 0, 10, 50, 60, 60 };
  static const struct {
    gint64 ns;
    guint after, before; /* 4: none */
  } asked[] = { { -1, 0, 4 }, { 0, 0, 0 },  { 9, 0, 0 },  { 10, 1, 0 }, { 20, 1, 1 },
                { 29, 1, 1 }, { 30, 1, 2 }, { 59, 1, 2 }, { 60, 3, 2 }, { 70, 4, 3 } };
  Step s;

  step_start (&s, LS_KNOWN_UNITS);
  for (guint i = 0; i < 4; i++)
    step_add (&s, LS_EVENT_KERNEL, LS_CLOCK_DEVICE, 0, i, spans[i][0], spans[i][1]);
  step_index (&s);
  const LsTimeRow *row = ls_time_index_row (s.times, LS_ROW_KERNELS, 0);
  g_assert_nonnull (row);
  g_assert_cmpuint (row->n, ==, 4);
  for (guint i = 0; i < 4; i++)
    {
      g_assert_cmpint (row->reach[i], ==, reach[i]);
      g_assert_cmpint (row->busy[i], ==, busy[i]);
      g_assert_cmpint (row->end[i], >=, row->start[i]);
    }
  g_assert_cmpint (row->busy[4], ==, busy[4]);
  for (guint i = 0; i < G_N_ELEMENTS (asked); i++)
    {
      g_assert_cmpuint (ls_time_row_after (row, asked[i].ns), ==, asked[i].after);
      g_assert_cmpuint (ls_time_row_before (row, asked[i].ns), ==, asked[i].before);
    }
  step_end (&s);
}

/* However they were recorded, a row's spans are in the order of their beginnings, of those that begin at once
 * the shortest first: it lies over the longer ones' heads. Each keeps its event and its op. */
static void
test_row_order (void)
{
  static const gint64 spans[][2] = { { 50, 90 }, { 10, 40 }, { 10, 20 }, { 50, 60 }, { 10, 30 }, { 0, 100 } };
  static const guint order[] = { 5, 2, 4, 1, 3, 0 };
  Step s;

  step_start (&s, LS_KNOWN_UNITS);
  for (guint i = 0; i < G_N_ELEMENTS (spans); i++)
    step_add (&s, LS_EVENT_KERNEL, LS_CLOCK_DEVICE, i % 2, i, spans[i][0], spans[i][1]);
  step_index (&s);
  const LsTimeRow *row = ls_time_index_row (s.times, LS_ROW_KERNELS, 0);
  if (row == NULL || row->n != G_N_ELEMENTS (spans))
    g_error ("the kernels have no row, or not all are in it");
  for (guint i = 0; i < row->n; i++)
    if (row->event[i] != order[i] || row->start[i] != spans[order[i]][0] || row->end[i] != spans[order[i]][1]
        || row->op[i] != order[i] % 2)
      g_error ("the row's span %u is event %u of op %u, from %d to %d ns, not event %u", i, row->event[i],
               row->op[i], (gint) row->start[i], (gint) row->end[i], order[i]);
  step_end (&s);
}

/* The k-th call, wait and run of an op's kernel, or copy of so many bytes, are one command; commands are in
 * the order of their runs. Of the queue's depth each beginning and end of a wait is a step. */
static void
test_commands (void)
{
  static const struct {
    LsEventKind kind;
    guint op, tile;
    gint64 call, queued, run; /* begins; −1: not recorded. A run follows its wait, and lasts 5 */
  } commands[] = {
    { LS_EVENT_KERNEL, 0, 0, 0, 2, 40 },    { LS_EVENT_KERNEL, 1, 0, 10, 12, 50 },
    { LS_EVENT_KERNEL, 0, 0, 20, 22, 60 },  { LS_EVENT_COPY_OUT, 1, 400, 30, -1, 70 },
    { LS_EVENT_COPY_IN, 1, 300, -1, 5, 8 }, { LS_EVENT_KERNEL, 0, 1, -1, -1, 90 },
    { LS_EVENT_KERNEL, 0, 0, -1, -1, 95 },
  };
  static const guint order[] = { 4, 0, 1, 2, 3, 5, 6 };
  /* waits: 2 … 40, 12 … 50, 22 … 60, 5 … 8 */
  static const LsTimeDepth depths[] = { { 2, 1 },  { 5, 2 },  { 8, 1 },  { 12, 2 },
                                        { 22, 3 }, { 40, 2 }, { 50, 1 }, { 60, 0 } };
  guint32 events[G_N_ELEMENTS (commands)][3];
  Step s;

  step_start (&s, LS_KNOWN_UNITS);
  for (guint i = 0; i < G_N_ELEMENTS (commands); i++)
    for (guint k = 0; k < 3; k++)
      {
        const gint64 from = k == 0 ? commands[i].call : k == 1 ? commands[i].queued : commands[i].run;
        const LsEventKind kind = k == 0 ? LS_EVENT_ENQUEUE : k == 1 ? LS_EVENT_QUEUED : commands[i].kind;
        events[i][k] = from < 0
                         ? LS_NO_COMMAND
                         : step_add (&s, kind, k == 0 ? LS_CLOCK_HOST : LS_CLOCK_DEVICE, commands[i].op,
                                     commands[i].tile, from, k == 1 ? commands[i].run : from + 5);
      }
  /* by the host's clock it is no run of the device */
  step_add (&s, LS_EVENT_COPY_IN, LS_CLOCK_HOST, 1, 300, 100, 110);
  step_index (&s);
  g_assert_cmpuint (s.times->commands->len, ==, G_N_ELEMENTS (commands));
  for (guint i = 0; i < G_N_ELEMENTS (commands); i++)
    {
      const LsTimeCommand *c = &g_array_index (s.times->commands, LsTimeCommand, i);
      const guint32 *is = events[order[i]];

      if (c->call != is[0] || c->queued != is[1] || c->run != is[2])
        g_error ("the command that runs as number %u has the events %d, %d, %d, not %d, %d, %d", i,
                 (gint) c->call, (gint) c->queued, (gint) c->run, (gint) is[0], (gint) is[1], (gint) is[2]);
      for (guint k = 0; k < 3; k++)
        if (is[k] != LS_NO_COMMAND)
          g_assert_true (ls_time_index_command (s.times, is[k]) == c);
    }
  g_assert_null (ls_time_index_command (s.times, s.lane.events->len - 1));
  g_assert_cmpuint (s.times->depths->len, ==, G_N_ELEMENTS (depths));
  for (guint i = 0; i < G_N_ELEMENTS (depths); i++)
    {
      const LsTimeDepth *d = &g_array_index (s.times->depths, LsTimeDepth, i);
      if (d->ns != depths[i].ns || d->depth != depths[i].depth)
        g_error ("from %" G_GINT64_FORMAT " ns on %u commands are said to wait, not %u from %" G_GINT64_FORMAT
                 " on",
                 d->ns, d->depth, depths[i].depth, depths[i].ns);
    }
  g_assert_cmpuint (s.times->most_queued, ==, 3);
  step_end (&s);
}

/* ---- blocks ---- */

typedef struct {
  guint n;
  LsTimeBlock blocks[4096];
} Blocks;

static void
take_cb (gpointer data, const LsTimeRow *row, const LsTimeBlock *block)
{
  Blocks *b = data;

  g_assert_cmpuint (b->n, <, G_N_ELEMENTS (b->blocks));
  b->blocks[b->n++] = *block;
}

/* At 10 ns to a pixel, from 1000 px on. What has 3 px stands for itself, with a pixel's gap after it; thinner
 * ones of an op make a block up to a gap of 2 px; so do those that lie over each other; ops whose all is
 * thinner than 3 px share one. */
static void
test_blocks (void)
{
  typedef struct {
    gint64 from, to;
    guint op;
  } Piece;
  static const struct {
    Piece pieces[6];
    guint n;
    struct {
      guint first, n;
      double x, w;
    } blocks[4];
    guint n_blocks;
  } cases[] = {
    /* three wide ones, side by side */
    { { { 0, 30, 0 }, { 30, 100, 0 }, { 100, 200, 1 } },
      3,
      { { 0, 1, 1000, 2 }, { 1, 1, 1003, 6 }, { 2, 1, 1010, 9 } },
      3 },
    /* thin ones of one op */
    { { { 0, 20, 0 }, { 20, 40, 0 }, { 55, 70, 0 } }, 3, { { 0, 3, 1000, 6 } }, 1 },
    /* a gap of 2 px */
    { { { 0, 20, 0 }, { 40, 60, 0 } }, 2, { { 0, 1, 1000, 2 }, { 1, 1, 1004, 2 } }, 2 },
    { { { 0, 20, 0 }, { 39, 60, 0 } }, 2, { { 0, 2, 1000, 5 } }, 1 },
    /* another op, where the first has more than 3 px, and less */
    { { { 0, 20, 0 }, { 20, 40, 0 }, { 40, 60, 1 } }, 3, { { 0, 2, 1000, 3 }, { 2, 1, 1004, 2 } }, 2 },
    { { { 0, 10, 0 }, { 10, 20, 0 }, { 20, 40, 1 } }, 3, { { 0, 3, 1000, 3 } }, 1 },
    { { { 0, 15, 0 }, { 15, 30, 0 }, { 30, 50, 1 } }, 3, { { 0, 2, 1000, 2 }, { 2, 1, 1003, 2 } }, 2 },
    /* a wide one ends a block of thin ones */
    { { { 0, 20, 0 }, { 20, 50, 0 }, { 50, 70, 0 } },
      3,
      { { 0, 1, 1000, 2 }, { 1, 1, 1002, 2 }, { 2, 1, 1005, 2 } },
      3 },
    { { { 0, 20, 0 }, { 20, 60, 0 }, { 60, 80, 0 } },
      3,
      { { 0, 1, 1000, 2 }, { 1, 1, 1002, 3 }, { 2, 1, 1006, 2 } },
      3 },
    /* wide ones over each other, and hardly */
    { { { 0, 50, 0 }, { 40, 90, 0 }, { 90, 130, 0 } }, 3, { { 0, 2, 1000, 8 }, { 2, 1, 1009, 3 } }, 2 },
    { { { 0, 50, 0 }, { 46, 90, 0 } }, 2, { { 0, 1, 1000, 4 }, { 1, 1, 1005, 3 } }, 2 },
    { { { 0, 56, 0 }, { 52, 92, 0 } }, 2, { { 0, 1, 1000, 5 }, { 1, 1, 1006, 2 } }, 2 },
    /* a block goes on as far as any of them, not only the last one */
    { { { 0, 90, 0 }, { 20, 50, 0 }, { 95, 130, 0 } }, 3, { { 0, 2, 1000, 8 }, { 2, 1, 1010, 2 } }, 2 },
    { { { 0, 10, 0 }, { 5, 28, 0 }, { 12, 20, 0 } }, 3, { { 0, 3, 1000, 2 } }, 1 },
    /* none is narrower than a pixel, nor over the one before */
    { { { 0, 1, 0 }, { 100, 101, 0 } }, 2, { { 0, 1, 1000, 1 }, { 1, 1, 1010, 1 } }, 2 },
    /* before the zoom, over its ends, and after it */
    { { { -90, -10, 0 }, { -5, 40, 0 }, { 900, 1100, 0 }, { 1000, 1200, 0 } },
      4,
      { { 1, 1, 1000, 3 }, { 2, 1, 1090, 9 } },
      2 },
  };
  static const LsTimeScale scale = { 100, 1100, 1000, 100 };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree Blocks *b = g_new0 (Blocks, 1);
      Step s;

      step_start (&s, LS_KNOWN_UNITS);
      for (guint k = 0; k < cases[i].n; k++)
        step_add (&s, LS_EVENT_KERNEL, LS_CLOCK_DEVICE, cases[i].pieces[k].op, k,
                  100 + cases[i].pieces[k].from, 100 + cases[i].pieces[k].to);
      step_index (&s);
      ls_time_row_walk (ls_time_index_row (s.times, LS_ROW_KERNELS, 0), &scale, take_cb, b);
      for (guint k = 0; k < MAX (b->n, cases[i].n_blocks); k++)
        if (k >= cases[i].n_blocks || k >= b->n || b->blocks[k].first != cases[i].blocks[k].first
            || b->blocks[k].n != cases[i].blocks[k].n || fabs (b->blocks[k].x - cases[i].blocks[k].x) > 0
            || fabs (b->blocks[k].w - cases[i].blocks[k].w) > 0 || b->blocks[k].fold != -1)
          g_error ("case %u has %u blocks, not %u; number %u is of %u from %u on, at %g px, %g wide", i, b->n,
                   cases[i].n_blocks, k, k < b->n ? b->blocks[k].n : 0, k < b->n ? b->blocks[k].first : 0,
                   b->blocks[k].x, b->blocks[k].w);
      step_end (&s);
    }
}

/* What whole nodes of 16, 256, … spans have in common is true of each span: with and without them a walk
 * finds the same blocks, at every zoom, of rows with long and short spans, gaps, and spans over others. */
static void
test_pyramid (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (7);
  guint folded = 0;

  for (guint kind = 0; kind < 8; kind++)
    {
      gint64 at = 0;
      Step s;

      step_start (&s, LS_KNOWN_UNITS);
      for (guint i = 0; i < 3000; i++)
        {
          const gint64 length = g_rand_int_range (rand, 0, 400) < 1 ? 2000 : g_rand_int_range (rand, 1, 20);
          const guint op = kind < 2   ? 0
                           : kind < 4 ? i / 700
                           : kind < 6 ? (i % 256 / 8 == 25)
                                      : (guint) g_rand_int_range (rand, 0, 2);
          step_add (&s, LS_EVENT_KERNEL, LS_CLOCK_DEVICE, op, i, at, at + length);
          at += kind % 2 == 0 ? length : g_rand_int_range (rand, 0, 15); /* over each other */
          if (g_rand_int_range (rand, 0, 300) < 1)
            at += 500;
        }
      step_index (&s);
      const LsTimeRow *row = ls_time_index_row (s.times, LS_ROW_KERNELS, 0);
      LsTimeRow flat = *row;
      flat.n_levels = 0;
      g_assert_cmpuint (row->n_levels, >=, 2);
      for (double width = (double) at; width > 300; width /= 1.7)
        for (guint part = 0; part < 3; part++)
          {
            const gint64 from = (gint64) (((double) at - width) * part / 2);
            const LsTimeScale scale = { from, from + (gint64) width, 50, 900 };
            g_autofree Blocks *with = g_new0 (Blocks, 1), *without = g_new0 (Blocks, 1);

            ls_time_row_walk (row, &scale, take_cb, with);
            ls_time_row_walk (&flat, &scale, take_cb, without);
            for (guint k = 0; k < MAX (with->n, without->n); k++)
              {
                const LsTimeBlock *a = &with->blocks[k], *b = &without->blocks[k];
                if (a->first != b->first || a->n != b->n || fabs (a->x - b->x) > 0 || fabs (a->w - b->w) > 0)
                  g_error (
                    "kind %u, %g ns wide: with the pyramid block %u is of %u spans from %u on, without it of "
                    "%u from %u on",
                    kind, width, k, a->n, a->first, b->n, b->first);
                folded += a->n > 16;
              }
          }
      step_end (&s);
    }
  g_assert_cmpuint (folded, >, 300);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/paint/timeline-rows/rows", test_rows);
  g_test_add_func ("/paint/timeline-rows/row", test_row);
  g_test_add_func ("/paint/timeline-rows/row-order", test_row_order);
  g_test_add_func ("/paint/timeline-rows/commands", test_commands);
  g_test_add_func ("/paint/timeline-rows/blocks", test_blocks);
  g_test_add_func ("/paint/timeline-rows/pyramid", test_pyramid);
  return g_test_run ();
}
