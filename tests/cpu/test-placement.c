/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Workers that share a processor part, once, where there is one without a worker that they may go to; are
 * bound there for a moment, and then free to go anywhere; and are not taken apart for ever where something
 * brings them back. One thread plays all workers: who somebody is only the number tells.
 */
#include <sched.h>

#include "backends/cpu/placement.h"
#include "trace/event.h"

#define TRIES 400

typedef struct {
  cpu_set_t all;
  int there, elsewhere; /* two that this thread may run on */
} Place;

static gboolean
place_init (Place *place)
{
  *place = (Place){ .there = -1, .elsewhere = -1 };
  if (sched_getaffinity (0, sizeof place->all, &place->all) != 0)
    return FALSE;
  for (int i = 0; i < CPU_SETSIZE && place->elsewhere < 0; i++)
    if (CPU_ISSET ((gsize) i, &place->all))
      *(place->there < 0 ? &place->there : &place->elsewhere) = i;
  return place->elsewhere >= 0;
}

static void
stand_on (int processor, const cpu_set_t *then)
{
  cpu_set_t only;

  CPU_ZERO (&only);
  CPU_SET ((gsize) processor, &only);
  g_assert_cmpint (sched_setaffinity (0, sizeof only, &only), ==, 0);
  g_assert_cmpint (sched_setaffinity (0, sizeof *then, then), ==, 0);
}

/* Where this thread may run. */
static cpu_set_t
allowed (void)
{
  cpu_set_t set;

  g_assert_cmpint (sched_getaffinity (0, sizeof set, &set), ==, 0);
  return set;
}

/* Two workers begin a job on one processor: how many of them left it. *met: nor had the scheduler moved the
 * thread. */
static guint
meet (LsPlacement *placement, const Place *place, gboolean *met)
{
  guint n_left;

  stand_on (place->there, &place->all);
  n_left = ls_placement_look (placement, 0);
  *met = sched_getcpu () == place->there;
  return n_left + ls_placement_look (placement, 1);
}

static void
test_part (void)
{
  guint n_met = 0, n_left = 0;
  Place place;

  if (!place_init (&place))
    {
      g_test_skip ("one processor");
      return;
    }
  for (guint i = 0; i < 20; i++)
    {
      g_autoptr (LsPlacement) placement = ls_placement_new (2);
      cpu_set_t after;
      gboolean met;
      const guint64 began_ns = ls_clock_ns ();
      const guint left = meet (placement, &place, &met);

      n_met += met;
      n_left += met ? left : 0;
      after = allowed ();
      if (left > 0 && ls_clock_ns () - began_ns < LS_PLACEMENT_HOLD_NS)
        g_assert_cmpint (CPU_COUNT (&after), ==, 1); /* bound */
      if (left > 0 && CPU_COUNT (&place.all) == 2)
        g_assert_false (ls_placement_look (placement, 1)); /* alone where it is */
      g_usleep (LS_PLACEMENT_HOLD_NS / 1000 + 1000);
      ls_placement_look (placement, 1);
      after = allowed ();
      g_assert_true (left == 0 || CPU_EQUAL (&after, &place.all)); /* free again */
      sched_setaffinity (0, sizeof place.all, &place.all);
    }
  g_test_message ("met %u times, parted %u times", n_met, n_left);
  g_assert_cmpuint (n_met, >, 10);
  g_assert_cmpuint (n_left + 2, >=, n_met); /* moved between two lines of this test */
}

/* Somebody gives the worker other processors while it is bound. */
static void
test_told (void)
{
  g_autoptr (LsPlacement) placement = ls_placement_new (2);
  cpu_set_t only, after;
  gboolean met;
  Place place;

  if (!place_init (&place))
    {
      g_test_skip ("one processor");
      return;
    }
  while (meet (placement, &place, &met) == 0)
    g_usleep (1000);
  CPU_ZERO (&only);
  CPU_SET ((gsize) place.there, &only);
  stand_on (place.there, &only);
  g_usleep (LS_PLACEMENT_HOLD_NS / 1000 + 1000);
  ls_placement_look (placement, 1);
  after = allowed ();
  g_assert_true (CPU_EQUAL (&after, &only));
  g_assert_cmpint (sched_setaffinity (0, sizeof place.all, &place.all), ==, 0);
}

/* A worker that hasn't begun yet is nowhere, and keeps no processor from another one. */
static void
test_not_begun (void)
{
  guint n_met = 0, n_left = 0;
  cpu_set_t both;
  Place place;
  int first;

  if (!place_init (&place))
    {
      g_test_skip ("one processor");
      return;
    }
  CPU_ZERO (&both);
  CPU_SET ((gsize) place.there, &both);
  CPU_SET ((gsize) place.elsewhere, &both);
  /* they meet on the second of two, and only the first is free */
  first = place.there;
  place.there = place.elsewhere;
  place.elsewhere = first;
  const cpu_set_t all = place.all;
  place.all = both;
  for (guint i = 0; i < 20; i++)
    {
      g_autoptr (LsPlacement) placement = ls_placement_new (3);
      gboolean met;
      const guint left = meet (placement, &place, &met);

      n_met += met;
      n_left += met ? left : 0;
      sched_setaffinity (0, sizeof both, &both);
    }
  g_assert_cmpint (sched_setaffinity (0, sizeof all, &all), ==, 0);
  g_test_message ("met %u times, parted %u times", n_met, n_left);
  g_assert_cmpuint (n_met, >, 10);
  g_assert_cmpuint (n_left + 2, >=, n_met); /* moved between two lines of this test */
}

static void
test_nowhere (void)
{
  g_autoptr (LsPlacement) placement = ls_placement_new (3);
  Place place;
  cpu_set_t only;

  if (!place_init (&place))
    {
      g_test_skip ("one processor");
      return;
    }
  CPU_ZERO (&only);
  CPU_SET ((gsize) place.there, &only);
  stand_on (place.there, &only);
  for (guint i = 0; i < 30; i++)
    g_assert_false (ls_placement_look (placement, i % 3));
  /* there is one, but a worker is there */
  stand_on (place.elsewhere, &place.all);
  g_assert_false (ls_placement_look (placement, 2));
  CPU_SET ((gsize) place.elsewhere, &only);
  stand_on (place.there, &only);
  for (guint i = 0; i < 30; i++)
    g_assert_false (ls_placement_look (placement, i % 2));
  g_assert_cmpint (sched_setaffinity (0, sizeof place.all, &place.all), ==, 0);
}

static void
test_patience (void)
{
  g_autoptr (LsPlacement) placement = ls_placement_new (2);
  guint n_left = 0;
  Place place;

  if (!place_init (&place))
    {
      g_test_skip ("one processor");
      return;
    }
  for (guint i = 0; i < TRIES; i++)
    {
      gboolean met;
      n_left += meet (placement, &place, &met);
    }
  g_test_message ("parted %u times of %d", n_left, TRIES);
  g_assert_cmpuint (n_left, >=, 1);
  g_assert_cmpuint (n_left, <, TRIES / 2);
}

/* A worker watches for long where nobody else wants its processor; for a short while where others and the
 * workers are more than the processors; for long again where others want all of them. */
static void
test_watch (void)
{
  static const struct {
    double others;
    guint workers, processors;
    gboolean shorter;
  } cases[] = {
    { 0, 2, 2, FALSE },   { .4, 2, 2, FALSE }, { .5, 2, 2, TRUE },   { 1, 2, 2, TRUE },
    { 1.6, 2, 2, FALSE }, { 2, 2, 2, FALSE },  { 9, 2, 2, FALSE },   { 1, 1, 2, FALSE },
    { 1, 15, 16, FALSE }, { 1, 16, 16, TRUE }, { 15, 16, 16, TRUE }, { 16, 16, 16, FALSE },
    { 12, 4, 16, FALSE }, { 13, 4, 16, TRUE }, { 1, 2, 0, FALSE },
  };
  const guint64 watch_ns = 300000;

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      const guint64 ns = ls_placement_watch_beside (cases[i].others, cases[i].workers, cases[i].processors,
                                                    watch_ns);
      g_test_message ("%g others, %u workers, %u processors", cases[i].others, cases[i].workers,
                      cases[i].processors);
      if (cases[i].shorter)
        g_assert_cmpuint (ns, <, watch_ns);
      else
        g_assert_cmpuint (ns, ==, watch_ns);
      g_assert_cmpuint (ns, >, 0);
      /* who doesn't watch at all doesn't begin to */
      g_assert_cmpuint (ls_placement_watch_beside (cases[i].others, cases[i].workers, cases[i].processors, 0),
                        ==, 0);
    }
}

/* All workers awake, whatever else this machine does: the thread itself is never one of the others. */
static void
test_nobody (void)
{
  g_autoptr (LsPlacement) placement = ls_placement_new (1);

  for (guint i = 0; i < 50; i++)
    {
      g_assert_cmpuint (ls_placement_watch_ns (placement, G_MAXUINT, 300000), ==, 300000);
      g_usleep (1000);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/placement/part", test_part);
  g_test_add_func ("/placement/told", test_told);
  g_test_add_func ("/placement/not-begun", test_not_begun);
  g_test_add_func ("/placement/nowhere", test_nowhere);
  g_test_add_func ("/placement/patience", test_patience);
  g_test_add_func ("/placement/watch", test_watch);
  g_test_add_func ("/placement/nobody", test_nobody);
  return g_test_run ();
}
