/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Cache lines that the processor counts, with a system that says what the test wants of its counters.
 */
#include "config.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdarg.h>
#include <string.h>
#include <unistd.h>

#include "trace/misses.h"

#define COUNTER 500 /* the first one's descriptor */
#define N       2

static struct {
  gint refuses; /* errno; 0: it opens them */
  guint opened, closed;
  guint64 value[N], enabled, running;
  struct perf_event_attr attr;
} fake;

glong __wrap_syscall (glong number, ...);
ssize_t __wrap_read (gint fd, void *buffer, size_t n);
ssize_t __real_read (gint fd, void *buffer, size_t n);
gint __wrap_close (gint fd);
gint __real_close (gint fd);

/* perf_event_open() is the only one that is made so here. */
glong
__wrap_syscall (G_GNUC_UNUSED glong number, ...)
{
  va_list arguments;
  gint pid, cpu, group;
  gulong flags;

  va_start (arguments, number);
  fake.attr = *va_arg (arguments, struct perf_event_attr *);
  pid = va_arg (arguments, gint);
  cpu = va_arg (arguments, gint);
  group = va_arg (arguments, gint);
  flags = va_arg (arguments, gulong);
  va_end (arguments);
  g_assert_cmpint (pid, ==, 0); /* the calling thread */
  g_assert_cmpint (cpu, ==, -1);
  g_assert_cmpint (group, ==, -1);
  g_assert_cmpuint (flags & PERF_FLAG_FD_CLOEXEC, !=, 0);
  if (fake.refuses != 0)
    {
      errno = fake.refuses;
      return -1;
    }
  return COUNTER + (glong) fake.opened++;
}

ssize_t
__wrap_read (gint fd, void *buffer, size_t n)
{
  if (fd < COUNTER)
    return __real_read (fd, buffer, n);
  const guint64 told[] = { fake.value[fd - COUNTER], fake.enabled, fake.running };
  g_assert_cmpuint (n, ==, sizeof told);
  memcpy (buffer, told, n);
  return (ssize_t) n;
}

gint
__wrap_close (gint fd)
{
  if (fd < COUNTER)
    return __real_close (fd);
  fake.closed++;
  return 0;
}

static const LsMissesEvent event = { 7, 0x1234, LS_MISSES_SECOND };

static void
begin (void)
{
  memset (&fake, 0, sizeof fake);
  fake.enabled = fake.running = 1000;
  ls_misses_use (&event);
}

/* What can be counted: the event's; nothing, where the system forbids it, and that is told apart from a
 * machine without such a counter. */
static void
test_probe (void)
{
  static const struct {
    gint refuses;
    LsMissesOf of;
  } cases[] = { { 0, LS_MISSES_SECOND },        { EACCES, LS_MISSES_FORBIDDEN },
                { EPERM, LS_MISSES_FORBIDDEN }, { ENOENT, LS_MISSES_NONE },
                { ENOSYS, LS_MISSES_NONE },     { EMFILE, LS_MISSES_NONE },
                { EOPNOTSUPP, LS_MISSES_NONE } };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      LsMissesOf of;

      begin ();
      fake.refuses = cases[i].refuses;
      of = ls_misses_probe ();
      if (of != cases[i].of)
        g_error ("with “%s” the probe says %u, not %u", g_strerror (cases[i].refuses), of, cases[i].of);
      g_assert_cmpuint (fake.closed, ==, fake.opened);
      g_assert_cmpuint (fake.attr.type, ==, event.type);
      g_assert_cmpuint (fake.attr.config, ==, event.config);
      g_assert_cmpuint (fake.attr.size, ==, sizeof fake.attr);
      g_assert_true (fake.attr.exclude_kernel && fake.attr.exclude_hv && !fake.attr.disabled);
    }
}

static void
expect (const LsMisses *misses, guint first, guint n, gint64 lines)
{
  const glong line = sysconf (_SC_LEVEL1_DCACHE_LINESIZE);
  guint64 bytes = 0;
  const gboolean counted = ls_misses_bytes (misses, first, n, &bytes);

  if (counted != (lines >= 0))
    g_error ("jobs %u to %u: %s", first, first + n - 1, counted ? "counted" : "not counted");
  if (lines >= 0 && bytes != (guint64) lines * (guint64) (line > 0 ? line : 64))
    g_error ("jobs %u to %u: %" G_GUINT64_FORMAT " bytes, not %" G_GINT64_FORMAT " lines", first,
             first + n - 1, bytes, lines);
}

static void
note (LsMisses *misses, guint job, guint worker, guint64 value)
{
  fake.value[worker] = value;
  ls_misses_note (misses, job, worker);
}

/* A job's lines are those of all workers that had a part in it, each since the last job in which it had one,
 * or since the step began; a new step begins anew. */
static void
test_jobs (void)
{
  LsMisses *misses;

  begin ();
  misses = ls_misses_new (N, 3);
  expect (misses, 0, 1, -1); /* nobody has joined */
  for (guint w = 0; w < N; w++)
    {
      ls_misses_join (misses, w);
      ls_misses_join (misses, w);
    }
  g_assert_cmpuint (fake.opened, ==, N);
  fake.value[0] = 100;
  fake.value[1] = 50;
  ls_misses_begin (misses);
  expect (misses, 0, 3, 0);
  note (misses, 0, 0, 130);
  note (misses, 1, 1, 57);
  note (misses, 2, 0, 200);
  note (misses, 2, 1, 60);
  expect (misses, 0, 1, 30);
  expect (misses, 1, 1, 7);
  expect (misses, 2, 1, 70 + 3);
  expect (misses, 1, 2, 7 + 70 + 3);
  expect (misses, 0, 3, 100 + 10);
  ls_misses_begin (misses);
  expect (misses, 0, 3, 0);
  note (misses, 1, 1, 64);
  expect (misses, 0, 1, 0);
  expect (misses, 1, 1, 4);
  g_assert_cmpuint (fake.closed, ==, 0);
  ls_misses_free (misses);
  g_assert_cmpuint (fake.closed, ==, N);
}

/* A worker without a counter, or with one that others had for a while: what is known in part isn't told. */
static void
test_partial (void)
{
  LsMisses *misses;

  begin ();
  misses = ls_misses_new (N, 3);
  ls_misses_join (misses, 0);
  fake.refuses = EMFILE;
  ls_misses_join (misses, 1);
  ls_misses_begin (misses);
  note (misses, 0, 0, 10);
  note (misses, 0, 1, 10);
  expect (misses, 0, 1, -1);
  ls_misses_free (misses);
  g_assert_cmpuint (fake.closed, ==, 1);

  begin ();
  misses = ls_misses_new (N, 3);
  for (guint w = 0; w < N; w++)
    ls_misses_join (misses, w);
  ls_misses_begin (misses);
  note (misses, 0, 0, 5);
  fake.running = 999;
  note (misses, 1, 1, 6);
  fake.running = 1000;
  note (misses, 2, 0, 9);
  note (misses, 2, 1, 7);
  expect (misses, 0, 1, 5);
  expect (misses, 1, 1, -1);
  expect (misses, 2, 1, -1);
  expect (misses, 0, 3, 9 + 7);
  fake.running = 999;
  ls_misses_begin (misses);
  expect (misses, 0, 3, -1);
  ls_misses_free (misses);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/misses/probe", test_probe);
  g_test_add_func ("/misses/jobs", test_jobs);
  g_test_add_func ("/misses/partial", test_partial);
  return g_test_run ();
}
