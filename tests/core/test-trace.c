/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Rings of events: what fits, what is dropped and counted, the order of collection. Curves: what was appended
 * is read back, also past a chunk's end and while another thread appends, up to the last point that there is
 * room for; the least and greatest of any stretch are those of its points, and found by reading few of them.
 */
#include <math.h>
#include <pthread.h>

#include "core/error.h"
#include "trace/curve.h"
#include "trace/event.h"

static void
add (LsTrace *trace, guint ring, guint64 start_ns, guint64 end_ns, LsEventKind kind, guint16 op)
{
  const LsEvent event
    = { .start_ns = start_ns, .end_ns = end_ns, .kind = (guint8) kind, .op = op, .worker = (guint8) ring };
  ls_ring_add (&trace->rings[ring], &event);
}

static void
test_drop (void)
{
  g_autoptr (LsTrace) trace = ls_trace_new (2, 3, 4, NULL);
  g_autoptr (GArray) events = NULL, none = NULL;

  for (guint i = 0; i < 9; i++)
    add (trace, 1, 100 + i, 101 + i, LS_EVENT_TILE, (guint16) i);
  for (guint i = 0; i < 4; i++)
    add (trace, 2, 50 + i, 51 + i, LS_EVENT_TILE, (guint16) i);
  g_assert_cmpuint (trace->rings[1].n, ==, 4);
  g_assert_cmpuint (trace->rings[1].dropped, ==, 5);
  g_assert_cmpuint (ls_trace_dropped (trace), ==, 5);
  add (trace, 0, 40, 41, LS_EVENT_OP, 0);
  trace->rings[0].dropped = 2; /* of all rings */
  g_assert_cmpuint (ls_trace_dropped (trace), ==, 7);
  trace->rings[0].n = 0;
  events = ls_trace_collect (trace);
  g_assert_cmpuint (events->len, ==, 8);
  for (guint i = 0; i < 8; i++) /* the first ones are kept, not the last */
    g_assert_cmpuint (g_array_index (events, LsEvent, i).start_ns, ==, i < 4 ? 50 + i : 96 + i);

  trace->clock_error_ns = 5;
  ls_trace_reset (trace);
  none = ls_trace_collect (trace);
  g_assert_cmpuint (none->len, ==, 0);
  g_assert_cmpuint (ls_trace_dropped (trace), ==, 0);
  g_assert_cmpfloat (trace->clock_error_ns, ==, 0);
}

/* What encloses comes before what it encloses, however short the clock makes it. */
static void
test_order (void)
{
  static const struct {
    guint64 start_ns, end_ns;
    LsEventKind kind;
    guint16 op;
  } expected[] = {
    { 10, 90, LS_EVENT_STEP, LS_OP_NONE },
    { 10, 40, LS_EVENT_OP, 0 },
    { 10, 40, LS_EVENT_TILE, 0 },
    { 10, 20, LS_EVENT_TILE, 0 },
    { 40, 40, LS_EVENT_OP, 1 },
    { 40, 40, LS_EVENT_OP, 2 },
    { 40, 40, LS_EVENT_TILE, 1 },
    { G_MAXUINT64 - 1, G_MAXUINT64, LS_EVENT_OP, 3 },
  };
  g_autoptr (LsTrace) trace = ls_trace_new (0, 2, 8, NULL);
  g_autoptr (GArray) events = NULL;

  for (gsize i = G_N_ELEMENTS (expected); i-- > 0;)
    add (trace, i % 2, expected[i].start_ns, expected[i].end_ns, expected[i].kind, expected[i].op);
  events = ls_trace_collect (trace);
  g_assert_cmpuint (events->len, ==, G_N_ELEMENTS (expected));
  for (guint i = 0; i < events->len; i++)
    {
      const LsEvent *e = &g_array_index (events, LsEvent, i);
      g_assert_cmpuint (e->start_ns, ==, expected[i].start_ns);
      g_assert_cmpuint (e->end_ns, ==, expected[i].end_ns);
      g_assert_cmpint (e->kind, ==, (gint) expected[i].kind);
      g_assert_cmpuint (e->op, ==, expected[i].op);
    }
}

static void
test_capacity (void)
{
  g_autoptr (LsTrace) none = ls_trace_new (0, 1, 0, NULL), no_rings = ls_trace_new (0, 0, 5, NULL);
  g_autoptr (GError) error = NULL;

  add (none, 0, 1, 2, LS_EVENT_OP, 0);
  g_assert_cmpuint (ls_trace_dropped (none), ==, 1);
  g_assert_cmpuint (ls_trace_dropped (no_rings), ==, 0);
#if !defined __SANITIZE_ADDRESS__ && !defined __SANITIZE_THREAD__ /* they end the program where the system   \
                                                                     would refuse */
  g_assert_null (ls_trace_new (0, 4096, G_MAXUINT32, &error));    /* 512 TiB */
  g_assert_error (error, LS_ERROR, LS_ERROR_MEMORY);
#endif
}

static void
test_event_bits (void)
{
  LsEvent e = { .lane_clock = LS_LANE_CLOCK (3, LS_CLOCK_ORDER) };
  g_assert_cmpuint (LS_EVENT_LANE (&e), ==, 3);
  g_assert_cmpint (LS_EVENT_CLOCK (&e), ==, LS_CLOCK_ORDER);
  for (guint i = 0; i < LS_EVENT_N_KINDS; i++)
    for (guint j = 0; j < i; j++)
      g_assert_cmpstr (ls_event_kind_name ((LsEventKind) i), !=, ls_event_kind_name ((LsEventKind) j));
  g_assert_cmpstr (ls_event_kind_name (LS_EVENT_STEP), ==, "step");
  g_assert_cmpstr (ls_event_kind_name (LS_EVENT_REFERENCE), ==, "reference");
  g_assert_null (ls_event_kind_name (LS_EVENT_N_KINDS));
}

/* Files have these names, in the order of the numbers that recordings of the program hold. */
static void
test_kind_names (void)
{
  static const char *const names[] = { "step",   "op",    "tile",    "wait",     "enqueue",   "queued",
                                       "kernel", "group", "copy-in", "copy-out", "host-wait", "reference" };

  G_STATIC_ASSERT (G_N_ELEMENTS (names) == LS_EVENT_N_KINDS);
  for (guint i = 0; i < LS_EVENT_N_KINDS; i++)
    g_assert_cmpstr (ls_event_kind_name ((LsEventKind) i), ==, names[i]);
  g_assert_null (ls_event_kind_name ((LsEventKind) -1));
  for (guint lane = 0; lane < 16; lane++)
    for (guint clock = LS_CLOCK_HOST; clock <= LS_CLOCK_ORDER; clock++)
      {
        const LsEvent e = { .lane_clock = LS_LANE_CLOCK (lane, clock) };
        g_assert_cmpuint (LS_EVENT_LANE (&e), ==, lane);
        g_assert_cmpuint (LS_EVENT_CLOCK (&e), ==, clock);
      }
}

/* Of each worker, which ring 0, the lane's own thread, isn't one of; nothing where none tells; and nothing is
 * left of it for the next step. */
static void
test_off_core (void)
{
  g_autoptr (LsTrace) trace = ls_trace_new (1, 4, 2, NULL);
  g_autoptr (GArray) none = NULL, some = NULL, again = NULL;

  for (guint r = 0; r < 4; r++)
    trace->rings[r].off_core_ns = 100 + r;
  trace->rings[0].tells = 1;
  none = ls_trace_off_core (trace);
  g_assert_null (none);
  trace->rings[2].tells = 1;
  some = ls_trace_off_core (trace);
  g_assert_cmpuint (some->len, ==, 3);
  for (guint w = 0; w < 3; w++)
    g_assert_cmpuint (g_array_index (some, guint64, w), ==, 101 + w);
  ls_trace_reset (trace);
  again = ls_trace_off_core (trace);
  g_assert_null (again);
  for (guint r = 0; r < 4; r++)
    g_assert_cmpuint (trace->rings[r].off_core_ns + trace->rings[r].tells, ==, 0);
}

static LsPoint
point (guint64 i)
{
  return (LsPoint){
    .end_ms = (guint32) i, .step_us = (float) (i % 1000), .loss = (float) i, .flags = (guint32) (i & 7)
  };
}

static void
assert_point (LsPoint p, guint64 i)
{
  const LsPoint q = point (i);
  g_assert_cmpmem (&p, sizeof p, &q, sizeof q);
}

static void
test_curve (void)
{
  static const guint64 at[] = { 0, 1, 4095, 4096, 4097, 8191, 8192, 9999 };
  LsCurve *curve = ls_curve_new (), *shared = ls_curve_ref (curve);

  g_assert_cmpuint (ls_curve_length (curve), ==, 0);
  for (guint64 i = 0; i < 10000; i++)
    g_assert_true (ls_curve_append (curve, point (i)));
  g_assert_cmpuint (ls_curve_length (curve), ==, 10000);
  ls_curve_unref (curve);
  for (gsize i = 0; i < G_N_ELEMENTS (at); i++)
    assert_point (ls_curve_get (shared, at[i]), at[i]);
  ls_curve_unref (shared);
  ls_curve_unref (NULL);
}

typedef struct {
  const float *values;
  guint read;
} Reading;

static float
read_value (gconstpointer data, guint64 i)
{
  Reading *reading = (Reading *) data;

  reading->read++;
  return reading->values[i];
}

static void
test_ranges (void)
{
  const guint n = 30000;
  g_autofree float *values = g_new (float, n);
  LsRanges *ranges = ls_ranges_new ();
  Reading reading = { values, 0 };

  for (guint i = 0; i < n; i++)
    {
      values[i] = g_test_rand_int_range (0, 9) == 0 || (i > 9000 && i < 14000)
                    ? (float) (i % 2 ? NAN : -INFINITY)
                    : (float) g_test_rand_double ();
      g_assert_true (ls_ranges_append (ranges, values[i]));
    }
  g_assert_cmpuint (ls_ranges_length (ranges), ==, n);
  for (guint round = 0; round < 3000; round++)
    {
      const guint from = (guint) g_test_rand_int_range (100, (gint) n),
                  end = from + (guint) g_test_rand_int_range (0, (gint) (n - from) + 1);
      LsRange is, should = LS_RANGE_NONE;

      for (guint i = from; i < end; i++)
        if (isfinite (values[i]))
          should = (LsRange){ MIN (should.low, values[i]), MAX (should.high, values[i]) };
      reading.read = 0;
      is = ls_ranges_get (ranges, from, end, read_value, &reading);
      g_assert_cmpfloat (is.low, ==, should.low);
      g_assert_cmpfloat (is.high, ==, should.high);
      g_assert_cmpuint (reading.read, <=, 30);
    }
  g_assert_true (ls_ranges_get (ranges, 10000, 13000, read_value, &reading).low
                 > ls_ranges_get (ranges, 10000, 13000, read_value, &reading).high);
  ls_ranges_free (ranges);
  ls_ranges_free (NULL);
}

static void
test_curve_ranges (void)
{
  LsCurve *curve = ls_curve_new ();

  for (guint64 i = 0; i < 10000; i++)
    ls_curve_append (curve, point (i));
  g_assert_cmpfloat (ls_curve_losses (curve, 17, 9999).low, ==, 17);
  g_assert_cmpfloat (ls_curve_losses (curve, 17, 9999).high, ==, 9998);
  /* what ends one short of a whole stretch has that one's extremes but for the last */
  for (guint64 size = 16; size <= 4096; size *= 16)
    for (guint64 end = 2 * size - 1; end <= 2 * size + 1; end++)
      if (ls_curve_losses (curve, size, end).high != (float) (end - 1))
        g_error ("losses grow by one, and the highest of %" G_GUINT64_FORMAT " to %" G_GUINT64_FORMAT
                 " is %g",
                 size, end - 1, (double) ls_curve_losses (curve, size, end).high);
  /* every eighth counts; step 2000 took no time: it has none */
  g_assert_cmpfloat (ls_curve_step_us (curve, 1900, 2100).low, ==, 8);
  g_assert_cmpfloat (ls_curve_step_us (curve, 1900, 2100).high, ==, 992);
  ls_curve_unref (curve);
}

typedef struct {
  LsCurve *curve;
  guint64 n; /* atomic: points that may be read */
} Told;

static void *
append_thread (void *data)
{
  Told *told = data;
  for (guint64 i = 0; i < 50000; i++)
    {
      ls_curve_append (told->curve, point (i));
      __atomic_store_n (&told->n, i + 1, __ATOMIC_RELEASE);
    }
  ls_curve_unref (told->curve);
  return NULL;
}

static void
test_curve_while_it_grows (void)
{
  LsCurve *curve = ls_curve_new ();
  Told told = { ls_curve_ref (curve), 0 };
  guint64 n = 0;
  pthread_t thread;

  g_assert_cmpint (pthread_create (&thread, NULL, append_thread, &told), ==, 0);
  while (n < 50000)
    {
      n = __atomic_load_n (&told.n, __ATOMIC_ACQUIRE);
      for (guint64 i = n; i-- > 0 && i + 100 > n;)
        assert_point (ls_curve_get (curve, i), i);
      if (n > 0)
        g_assert_cmpfloat (ls_curve_losses (curve, 0, n).high, ==, (float) (n - 1));
    }
  pthread_join (thread, NULL);
  ls_curve_unref (curve);
}

static void
test_curve_full (void)
{
  LsCurve *curve = ls_curve_new ();

  for (guint64 i = 0; i < LS_CURVE_MAX; i++)
    if (!ls_curve_append (curve, point (i)))
      g_assert_not_reached ();
  g_assert_false (ls_curve_append (curve, point (1)));
  g_assert_cmpuint (ls_curve_length (curve), ==, LS_CURVE_MAX);
  assert_point (ls_curve_get (curve, LS_CURVE_MAX - 1), LS_CURVE_MAX - 1);
  ls_curve_unref (curve);
}

/* Which steps are behind a figure: the newest that count, and what lay between them, each once. */
static void
test_collect (void)
{
  static const guint32 flags[] = { LS_POINT_WARM_UP | LS_POINT_DISTURBED,
                                   0,
                                   LS_POINT_DISTURBED,
                                   LS_POINT_MISSING,
                                   0,
                                   LS_POINT_RECORDED | LS_POINT_SKIPPED,
                                   LS_POINT_SKIPPED, /* without an update, and counts */
                                   0,
                                   LS_POINT_DISTURBED };
  LsCurve *curve = ls_curve_new ();
  LsCounted all, newest, other, none;
  double values[G_N_ELEMENTS (flags)];

  for (guint i = 0; i < G_N_ELEMENTS (flags); i++)
    ls_curve_append (curve, (LsPoint){ .step_us = (float) i, .flags = flags[i] });
  g_assert_cmpuint (ls_curve_collect (curve, 0, G_N_ELEMENTS (flags), 100, 0, values, &all), ==, 4);
  g_assert_cmpfloat (values[0], ==, 7);
  g_assert_cmpfloat (values[3], ==, 1);
  g_assert_true (all.from == 1 && all.end == 8);
  g_assert_true (all.warm_up == 1 && all.recorded == 1 && all.disturbed == 2);
  g_assert_cmpuint (ls_curve_collect (curve, all.from, all.end, 100, 0, values, &other), ==, 4); /* its own
                                                                                                    steps are
                                                                                                    the same
                                                                                                    again */
  g_assert_cmpuint (ls_curve_collect (curve, 0, G_N_ELEMENTS (flags), 2, 0, values, &newest), ==, 2);
  g_assert_true (newest.from == 6 && newest.end == 8 && newest.recorded == 0 && newest.disturbed == 1);
  g_assert_cmpuint (ls_curve_collect (curve, 8, 9, 2, 0, values, &none), ==, 0);
  g_assert_true (none.from == 0 && none.end == 0);

  g_assert_true (ls_counted_together (&all, &all));
  g_assert_false (ls_counted_together (&all, &newest)); /* 2 steps of 7 */
  g_assert_false (ls_counted_together (&all, &none));
  g_assert_true (
    ls_counted_together (&(LsCounted){ .from = 100, .end = 300 }, &(LsCounted){ .from = 200, .end = 300 }));
  g_assert_false (
    ls_counted_together (&(LsCounted){ .from = 100, .end = 300 }, &(LsCounted){ .from = 201, .end = 301 }));
  g_assert_false (
    ls_counted_together (&(LsCounted){ .from = 0, .end = 100 }, &(LsCounted){ .from = 100, .end = 101 }));
  g_assert_false (
    ls_counted_together (&(LsCounted){ .from = 7300, .end = 7500 }, &(LsCounted){ .from = 0, .end = 200 }));
  ls_curve_unref (curve);
}

/* One that was passed over for several reasons counts for the first of these: first steps, recorded ones,
 * those after a rest, those that were disturbed. One that nobody did counts for none; a missing update spoils
 * no time. */
static void
test_passed_over (void)
{
  static const struct {
    guint32 flags;
    guint warm_up, recorded, rested, disturbed, counted;
  } cases[] = {
    { LS_POINT_WARM_UP | LS_POINT_RECORDED | LS_POINT_RESTED | LS_POINT_DISTURBED, 1, 0, 0, 0, 0 },
    { LS_POINT_RECORDED | LS_POINT_RESTED | LS_POINT_DISTURBED, 0, 1, 0, 0, 0 },
    { LS_POINT_RESTED | LS_POINT_DISTURBED | LS_POINT_SKIPPED, 0, 0, 1, 0, 0 },
    { LS_POINT_DISTURBED, 0, 0, 0, 1, 0 },
    { LS_POINT_MISSING, 0, 0, 0, 0, 0 },
    { LS_POINT_MISSING | LS_POINT_WARM_UP, 0, 0, 0, 0, 0 },
    { LS_POINT_SKIPPED, 0, 0, 0, 0, 1 },
    { 0, 0, 0, 0, 0, 1 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      const LsPoint p = { .step_us = 3, .flags = cases[i].flags }, no_time = { .flags = cases[i].flags };
      LsCurve *curve = ls_curve_new ();
      LsCounted counted;
      double value;

      ls_curve_append (curve, p);
      g_assert_cmpuint (ls_curve_collect (curve, 0, 1, 1, 0, &value, &counted), ==, cases[i].counted);
      g_assert_cmpuint (counted.warm_up, ==, cases[i].warm_up);
      g_assert_cmpuint (counted.recorded, ==, cases[i].recorded);
      g_assert_cmpuint (counted.rested, ==, cases[i].rested);
      g_assert_cmpuint (counted.disturbed, ==, cases[i].disturbed);
      g_assert_cmpint (ls_point_counts (p), ==, cases[i].counted);
      g_assert_false (ls_point_counts (no_time));
      /* what is asked for is collected, whatever it was: those flags and no other */
      g_assert_cmpuint (
        ls_curve_collect (curve, 0, 1, 1, cases[i].flags & ~(guint32) LS_POINT_SKIPPED, &value, &counted), ==,
        1);
      g_assert_cmpuint (counted.flags, ==, cases[i].flags & ~(guint32) LS_POINT_SKIPPED);
      ls_curve_unref (curve);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/trace/kind-names", test_kind_names);
  g_test_add_func ("/trace/off-core", test_off_core);
  g_test_add_func ("/curve/passed-over", test_passed_over);
  g_test_add_func ("/trace/drop", test_drop);
  g_test_add_func ("/trace/order", test_order);
  g_test_add_func ("/trace/capacity", test_capacity);
  g_test_add_func ("/trace/event-bits", test_event_bits);
  g_test_add_func ("/curve/points", test_curve);
  g_test_add_func ("/curve/ranges", test_ranges);
  g_test_add_func ("/curve/ranges-of-points", test_curve_ranges);
  g_test_add_func ("/curve/while-it-grows", test_curve_while_it_grows);
  g_test_add_func ("/curve/full", test_curve_full);
  g_test_add_func ("/curve/collect", test_collect);
  return g_test_run ();
}
