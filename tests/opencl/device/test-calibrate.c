/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A device's clock on the host's: a driver that is invented here, whose clock is off by what is known, and a
 * host clock that stands still unless that driver moves it. So what must come out is computed by hand: the
 * device says when a command was queued, which was somewhere in the call, and the truth is in the middle of
 * what is possible, ± half of it.
 */
#include "backends/opencl/device/calibrate.h"

#include <string.h>

#include "core/error.h"
#include "tests/played_clock.h"

#define START_NS 5000000000u
#define TRIES    12

/* One try: nanoseconds of the call before and after the command is queued, from there to its start, its own,
 * and from its end until the host knows. */
typedef struct {
  guint32 before, after, wait, run, notice;
} Try;

static struct {
  guint64 offset; /* device − host; modulo 2⁶⁴, as clocks are read */
  gint64 early;   /* by which the driver antedates when it was queued */
  Try tries[TRIES];
  guint n;
  guint64 queued, start, end;
  const char *fails;
  int events;
} fake;

static cl_int
result_of (const char *call)
{
  return g_strcmp0 (fake.fails, call) == 0 ? CL_OUT_OF_RESOURCES : CL_SUCCESS;
}

/* The driver: these are used in place of the loader's. */
cl_int
clEnqueueReadBuffer (G_GNUC_UNUSED cl_command_queue queue, G_GNUC_UNUSED cl_mem buffer,
                     G_GNUC_UNUSED cl_bool blocking, G_GNUC_UNUSED size_t offset, size_t size,
                     G_GNUC_UNUSED void *to, G_GNUC_UNUSED cl_uint n, G_GNUC_UNUSED const cl_event *after,
                     cl_event *event)
{
  const Try *t = &fake.tries[fake.n % TRIES];

  if (result_of ("clEnqueueReadBuffer") != CL_SUCCESS)
    return CL_OUT_OF_RESOURCES;
  g_assert_cmpuint (size, ==, 4); /* a buffer need not be longer */
  played_ns += t->before;
  fake.queued = played_ns + fake.offset - (guint64) fake.early;
  played_ns += t->after;
  fake.events++;
  *event = (cl_event) (void *) &fake;
  return CL_SUCCESS;
}

cl_int
clWaitForEvents (cl_uint n, G_GNUC_UNUSED const cl_event *events)
{
  const Try *t = &fake.tries[fake.n++ % TRIES];

  g_assert_cmpuint (n, ==, 1);
  played_ns += t->wait;
  fake.start = played_ns + fake.offset;
  played_ns += t->run;
  fake.end = played_ns + fake.offset;
  played_ns += t->notice;
  return result_of ("clWaitForEvents");
}

cl_int
clGetEventProfilingInfo (G_GNUC_UNUSED cl_event event, cl_profiling_info what, size_t size, void *to,
                         G_GNUC_UNUSED size_t *told)
{
  g_assert_cmpuint (size, ==, sizeof (cl_ulong));
  switch (what)
    {
    case CL_PROFILING_COMMAND_QUEUED:
      memcpy (to, &fake.queued, size);
      break;
    case CL_PROFILING_COMMAND_START:
      memcpy (to, &fake.start, size);
      break;
    case CL_PROFILING_COMMAND_END:
      memcpy (to, &fake.end, size);
      break;
    default:
      g_assert_not_reached ();
    }
  return result_of ("clGetEventProfilingInfo");
}

cl_int
clReleaseEvent (G_GNUC_UNUSED cl_event event)
{
  fake.events--;
  return CL_SUCCESS;
}

static void
fake_set (guint64 offset, const Try *usual)
{
  memset (&fake, 0, sizeof fake);
  played_ns = START_NS;
  fake.offset = offset;
  for (guint i = 0; i < TRIES; i++)
    fake.tries[i] = *usual;
}

static LsCalibration
calibrate (void)
{
  LsCalibration c = { 0 };
  g_autoptr (GError) error = NULL;

  g_assert_true (ls_cl_calibrate (NULL, NULL, &c, &error));
  g_assert_no_error (error);
  g_assert_cmpint (fake.events, ==, 0); /* each is released */
  return c;
}

/* Of PoCL's clock, one that counts from 1970, one that began after the host's, and one that is unrelated. */
static const guint64 offsets[] = { 0, 1764324000000000000u, (guint64) -4000000000, 987654321012345u };

/* From 100 ns before to 60 ns after: the truth is 20 ns from the middle. The end would allow 900. */
static void
test_bracket (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (offsets); i++)
    {
      LsCalibration c;
      fake_set (offsets[i], &(Try){ 100, 60, 500, 300, 900 });
      c = calibrate ();
      g_assert_cmpint (c.offset_ns - (gint64) offsets[i], ==, 20);
      g_assert_cmpfloat (c.error_ns, ==, 80);
    }
}

/* The end can't have been later than the host knew of it: that cuts off what the call alone would allow. */
static void
test_end_is_known (void)
{
  LsCalibration c;

  fake_set (offsets[1], &(Try){ 100, 60, 500, 300, 10 });
  c = calibrate ();
  g_assert_cmpint (c.offset_ns - (gint64) offsets[1], ==, 45); /* −10 … 100 */
  g_assert_cmpfloat (c.error_ns, ==, 55);
}

/* Of twelve, whichever it is, the tightest one is kept, not the last nor a mean. */
static void
test_tightest (void)
{
  for (guint best = 0; best < TRIES; best++)
    {
      LsCalibration c;
      fake_set (offsets[1], &(Try){ 1000, 800, 500, 300, 5000 });
      fake.tries[best] = (Try){ 10, 4, 9000, 9000, 9000 };
      fake.tries[(best + 5) % TRIES] = (Try){ 11, 5, 1, 1, 9000 };
      c = calibrate ();
      g_assert_cmpuint (fake.n, ==, TRIES);
      g_assert_cmpint (c.offset_ns - (gint64) offsets[1], ==, 3);
      g_assert_cmpfloat (c.error_ns, ==, 7);
    }
}

/* A driver that says a command was queued a microsecond before it was contradicts its own end: then only
 * start and end are believed, from −10 ns to the 660 that lie between the host's first look and the start. */
static void
test_contradiction (void)
{
  LsCalibration c;

  fake_set (offsets[3], &(Try){ 100, 60, 500, 300, 10 });
  fake.early = 1000;
  c = calibrate ();
  g_assert_cmpint (c.offset_ns - (gint64) offsets[3], ==, 325);
  g_assert_cmpfloat (c.error_ns, ==, 335);
}

static void
test_failures (void)
{
  static const char *const calls[] = { "clEnqueueReadBuffer", "clWaitForEvents", "clGetEventProfilingInfo" };

  for (guint i = 0; i < G_N_ELEMENTS (calls); i++)
    {
      LsCalibration c;
      g_autoptr (GError) error = NULL;
      fake_set (0, &(Try){ 1, 1, 1, 1, 1 });
      fake.fails = calls[i];
      g_assert_false (ls_cl_calibrate (NULL, NULL, &c, &error));
      g_assert_error (error, LS_ERROR, LS_ERROR_DEVICE);
      g_assert_true (g_str_has_prefix (error->message, calls[i]));
      g_assert_nonnull (strstr (error->message, "calibration"));
      g_assert_cmpint (fake.events, ==, 0);
    }
}

/* The middle of the possible, also where they come the wrong way round. */
static void
test_set (void)
{
  static const struct {
    gint64 low, high, offset;
    double error;
  } rows[] = { { 0, 0, 0, 0 },
               { -10, 30, 10, 20 },
               { 30, -10, 10, 20 },
               { 1764324000000000000, 1764324000000000007, 1764324000000000003, 3.5 },
               { -7, -3, -5, 2 } };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      LsCalibration c;
      ls_calibration_set (&c, rows[i].low, rows[i].high);
      g_assert_cmpint (c.offset_ns, ==, rows[i].offset);
      g_assert_cmpfloat (c.error_ns, ==, rows[i].error);
    }
}

/* ---- the processor's counter ---- */

/* Two readings make a line where they are a millisecond apart and the counter went on. */
static void
test_rate (void)
{
  static const struct {
    guint64 ns, ticks;
    gboolean line;
    double rate;
  } rows[] = {
    { 1000000, 2500000, TRUE, 0.4 },
    { 2000000, 1000000, TRUE, 2 },
    { 999999, 2500000, FALSE, 0 },
    { 1000000, 0, FALSE, 0 },
    { 0, 5, FALSE, 0 },
    { 1000000, 1, TRUE, 1000000 },
    { 1000000, (guint64) -5, FALSE, 0 }, /* it was set back */
  };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      const LsTsc first = { .ticks = 77000, .ns = 5000 },
                  second = { .ticks = first.ticks + rows[i].ticks, .ns = first.ns + rows[i].ns };
      double rate = -1;
      g_assert_cmpint (ls_tsc_rate (&first, &second, &rate), ==, rows[i].line);
      g_assert_cmpfloat (rate, ==, rows[i].line ? rows[i].rate : -1);
    }
}

/* The clock stands still here, so both looks at it are the same: no error, and the counter's own value. */
static void
test_read (void)
{
  LsTsc first, second;
  const gboolean there = ls_tsc_read (&first);

#if defined(__x86_64__) || defined(__i386__)
  g_assert_true (there);
#endif
  if (!there)
    return;
  fake_set (0, &(Try){ 0, 0, 0, 0, 0 });
  ls_tsc_read (&first);
  played_ns += 3000000;
  ls_tsc_read (&second);
  g_assert_cmpuint (first.ns, ==, START_NS);
  g_assert_cmpuint (second.ns, ==, START_NS + 3000000);
  g_assert_cmpfloat (first.error_ns, ==, 0);
  g_assert_cmpuint (second.ticks, >, first.ticks);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/opencl-calibrate/bracket", test_bracket);
  g_test_add_func ("/opencl-calibrate/end-is-known", test_end_is_known);
  g_test_add_func ("/opencl-calibrate/tightest", test_tightest);
  g_test_add_func ("/opencl-calibrate/contradiction", test_contradiction);
  g_test_add_func ("/opencl-calibrate/failures", test_failures);
  g_test_add_func ("/opencl-calibrate/set", test_set);
  g_test_add_func ("/opencl-calibrate/rate", test_rate);
  g_test_add_func ("/opencl-calibrate/read", test_read);
  return g_test_run ();
}
