/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * When workers that share a processor part, step by step: with a clock and a scheduler that do what the test
 * says. test-placement.c has the machine's own.
 */
#include <sched.h>
#include <time.h>

#include "backends/cpu/placement.h"
#include "tests/played_clock.h"

#define US           1000
#define MS           1000000
#define PATIENCE_NS  (250 * US)
#define MOST_NS      (1000 * MS)
#define N_PROCESSORS 8

static struct {
  int on;          /* where the thread is */
  guint64 move_ns; /* moving it takes */
  cpu_set_t allowed;
  guint tries, moves; /* looks for another processor, and goes there */
} fake;

int __wrap_sched_getcpu (void);
int __wrap_sched_getaffinity (pid_t pid, size_t size, cpu_set_t *set);
int __wrap_sched_setaffinity (pid_t pid, size_t size, const cpu_set_t *set);

int
__wrap_sched_getcpu (void)
{
  return fake.on;
}

int
__wrap_sched_getaffinity (G_GNUC_UNUSED pid_t pid, size_t size, cpu_set_t *set)
{
  g_assert_cmpuint (size, ==, sizeof *set);
  *set = fake.allowed;
  fake.tries++;
  return 0;
}

int
__wrap_sched_setaffinity (G_GNUC_UNUSED pid_t pid, size_t size, const cpu_set_t *set)
{
  g_assert_cmpuint (size, ==, sizeof *set);
  fake.allowed = *set;
  if (!CPU_ISSET ((gsize) fake.on, set))
    {
      played_ns += fake.move_ns;
      fake.moves++;
      for (fake.on = 0; !CPU_ISSET ((gsize) fake.on, set); fake.on++)
        ;
    }
  return 0;
}

/* The first n processors are allowed. */
static LsPlacement *
begin (guint n_workers, guint n)
{
  played_ns = (guint64) 60 * 1000 * MS; /* the program has run for a minute */
  fake.on = 0;
  fake.move_ns = 1 * US;
  CPU_ZERO (&fake.allowed);
  for (guint i = 0; i < n; i++)
    CPU_SET (i, &fake.allowed);

  LsPlacement *placement = ls_placement_new (n_workers);
  fake.tries = fake.moves = 0; /* how many processors there are is asked once */
  return placement;
}

static gboolean
look (LsPlacement *placement, guint worker, int on)
{
  fake.on = on;
  return ls_placement_look (placement, worker);
}

/* The one that comes second goes, to the first free one that it may be on, is bound there for 10 ms, and may
 * then be anywhere again. */
static void
test_bound (void)
{
  g_autoptr (LsPlacement) placement = begin (3, N_PROCESSORS);

  g_assert_false (look (placement, 0, 2));
  g_assert_false (look (placement, 1, 0));
  g_assert_cmpuint (fake.tries, ==, 0); /* nobody is asked while everybody is alone */
  g_assert_true (look (placement, 2, 2));
  g_assert_cmpint (fake.on, ==, 1); /* 0 and 2 are taken */
  g_assert_cmpint (CPU_COUNT (&fake.allowed), ==, 1);
  played_ns += LS_PLACEMENT_HOLD_NS - 1;
  g_assert_false (look (placement, 2, 1));
  g_assert_cmpint (CPU_COUNT (&fake.allowed), ==, 1);
  played_ns += 1;
  g_assert_false (look (placement, 2, 1));
  g_assert_cmpint (CPU_COUNT (&fake.allowed), ==, N_PROCESSORS);
}

/* One that is bound meets another: it goes where it might before it was bound at all, and may be anywhere
 * there in the end. */
static void
test_again (void)
{
  g_autoptr (LsPlacement) placement = begin (2, 3);

  g_assert_false (look (placement, 0, 0));
  g_assert_true (look (placement, 1, 0));
  g_assert_cmpint (fake.on, ==, 1);
  played_ns += PATIENCE_NS;
  g_assert_false (look (placement, 0, 1)); /* it may be nowhere else */
  if (!look (placement, 1, 1))
    g_error ("bound to a processor, it stays there beside another one");
  g_assert_cmpint (fake.on, ==, 0);
  g_assert_cmpint (CPU_COUNT (&fake.allowed), ==, 1);
  played_ns += LS_PLACEMENT_HOLD_NS;
  g_assert_false (look (placement, 1, 0));
  if (CPU_COUNT (&fake.allowed) != 3)
    g_error ("bound twice, it may be on %d processors ever after, not on 3", CPU_COUNT (&fake.allowed));
}

/* Somebody else has said meanwhile where it may run: that stays. */
static void
test_obeyed (void)
{
  /* another one, and two of which one is where it is held */
  for (guint n = 1; n <= 2; n++)
    {
      g_autoptr (LsPlacement) placement = begin (2, 3);

      g_assert_false (look (placement, 0, 0));
      g_assert_true (look (placement, 1, 0));
      g_assert_cmpint (fake.on, ==, 1);
      CPU_ZERO (&fake.allowed);
      for (guint i = 0; i < n; i++)
        CPU_SET (i, &fake.allowed);
      played_ns += LS_PLACEMENT_HOLD_NS;
      g_assert_false (look (placement, 1, 1));
      g_assert_cmpint (CPU_COUNT (&fake.allowed), ==, n);
      g_assert_true (CPU_ISSET (0, &fake.allowed));
    }
}

/* Where the other one has gone by itself there is nobody to part from. */
static void
test_gone (void)
{
  g_autoptr (LsPlacement) placement = begin (2, N_PROCESSORS);

  g_assert_false (look (placement, 0, 3));
  g_assert_false (look (placement, 0, 5));
  g_assert_false (look (placement, 1, 3));
  g_assert_cmpuint (fake.moves, ==, 0);
  g_assert_true (look (placement, 1, 5));
}

/* A processor that can't be named, or has too high a number, is nobody's. */
static void
test_unknown (void)
{
  static const int processors[] = { -1, 1024, 5000 };
  g_autoptr (LsPlacement) placement = begin (2, N_PROCESSORS);

  for (guint i = 0; i < G_N_ELEMENTS (processors); i++)
    for (guint worker = 0; worker < 2; worker++)
      g_assert_false (look (placement, worker, processors[i]));
  g_assert_cmpuint (fake.tries, ==, 0);
}

/* Worker 0 stays on processor 0 and is told so; then worker 1 begins there, which may be on the first n. */
static gboolean
meet (LsPlacement *placement, guint n)
{
  CPU_ZERO (&fake.allowed);
  CPU_SET (0, &fake.allowed);
  g_assert_false (look (placement, 0, 0));
  for (guint i = 1; i < n; i++)
    CPU_SET (i, &fake.allowed);
  fake.tries = 0;
  return look (placement, 1, 0);
}

/* How long after a move worker 1 moves again, if it is brought back at once. */
static guint64
stays (guint64 move_ns)
{
  g_autoptr (LsPlacement) placement = begin (2, 2);
  guint64 moved_ns;

  fake.move_ns = move_ns;
  g_assert_true (meet (placement, 2));
  for (moved_ns = played_ns; played_ns < moved_ns + 2 * (guint64) MOST_NS; played_ns += 10 * US)
    {
      const guint64 before_ns = played_ns;
      if (meet (placement, 2))
        return before_ns - moved_ns;
    }
  return G_MAXUINT64;
}

/* A quarter of a millisecond; 32 times as long as a move took, if that is more; a second at most. */
static void
test_patience (void)
{
  static const struct {
    guint64 move_ns, stays_ns;
  } cases[] = {
    { 1 * US, PATIENCE_NS },          { 7 * US, PATIENCE_NS }, { 10 * US, 320 * US },
    { 2500 * US, 80 * (guint64) MS }, { 50 * MS, MOST_NS },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    g_assert_cmpuint (stays (cases[i].move_ns), ==, cases[i].stays_ns);
}

/* Where there is none, it looks half as often each time, once a second at least; after four times as long as
 * it had to wait, as often as at first. */
static void
test_nowhere (void)
{
  g_autoptr (LsPlacement) placement = begin (2, 1);
  guint64 patience_ns = PATIENCE_NS, looked_ns;

  g_assert_false (meet (placement, 1));
  g_assert_cmpuint (fake.tries, ==, 1);
  for (guint i = 0; i < 18; i++)
    {
      const gboolean late = i == 15, nearly = i == 14;
      looked_ns = played_ns;
      played_ns = looked_ns + patience_ns - 1;
      g_assert_false (meet (placement, 1));
      g_assert_cmpuint (fake.tries, ==, 0);
      played_ns = looked_ns + (late || nearly ? 4 : 1) * patience_ns - nearly;
      g_assert_false (meet (placement, 1));
      g_assert_cmpuint (fake.tries, ==, 1);
      patience_ns = late ? PATIENCE_NS : MIN (2 * patience_ns, MOST_NS);
    }
  g_assert_cmpuint (fake.moves, ==, 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/parting/bound", test_bound);
  g_test_add_func ("/parting/again", test_again);
  g_test_add_func ("/parting/obeyed", test_obeyed);
  g_test_add_func ("/parting/gone", test_gone);
  g_test_add_func ("/parting/unknown", test_unknown);
  g_test_add_func ("/parting/patience", test_patience);
  g_test_add_func ("/parting/nowhere", test_nowhere);
  return g_test_run ();
}
