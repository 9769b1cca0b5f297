/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A run for which the system grants no thread, or not all: what is said, and that nobody is left who waits
 * for work that never comes. Which thread can't be had is played.
 */
#include <errno.h>
#include <pthread.h>
#include <string.h>

#include "core/error.h"
#include "rig.h"
#include "train/lane/lane.h"

static struct {
  guint n, failing; /* threads that were asked for, and those of them, as bits, that can't be had */
  guint begun;
  gint waiting; /* atomic: those that have nothing to do yet */
} threads;

int __real_pthread_create (pthread_t *thread, const pthread_attr_t *attr, void *(*run) (void *), void *data);
int __wrap_pthread_create (pthread_t *thread, const pthread_attr_t *attr, void *(*run) (void *), void *data);
int __real_pthread_cond_wait (pthread_cond_t *cond, pthread_mutex_t *mutex);
int __wrap_pthread_cond_wait (pthread_cond_t *cond, pthread_mutex_t *mutex);

/* On the test's own thread, while a run starts. That one is refused is said once the others wait: they must
 * be woken. */
int
__wrap_pthread_create (pthread_t *thread, const pthread_attr_t *attr, void *(*run) (void *), void *data)
{
  if ((threads.failing >> threads.n++ & 1) == 0)
    {
      threads.begun++;
      return __real_pthread_create (thread, attr, run, data);
    }
  while (g_atomic_int_get (&threads.waiting) < (gint) threads.begun)
    g_usleep (1000);
  return EAGAIN;
}

int
__wrap_pthread_cond_wait (pthread_cond_t *cond, pthread_mutex_t *mutex)
{
  g_atomic_int_inc (&threads.waiting);
  return __real_pthread_cond_wait (cond, mutex);
}

static void
fail (guint which)
{
  threads.n = threads.begun = 0;
  g_atomic_int_set (&threads.waiting, 0);
  threads.failing = which;
}

/* Lanes end, each in its own time. */
static void
assert_nobody (const char *words)
{
  for (guint i = 0; ls_lane_threads () > 0; i++)
    {
      if (i == 20000)
        g_error ("%u lanes wait for work after “%s”", ls_lane_threads (), words);
      g_usleep (1000);
    }
}

static LsCoordinator *
two_lanes (LsOptions *options)
{
  const LsBackend *backends[] = { &ls_backend_reference, &fake_backend };
  g_autoptr (GError) error = NULL;
  LsCoordinator *c = ls_coordinator_new_with_backends (options, backends, 2, &error);

  g_assert_no_error (error);
  return c;
}

/* Two lanes' threads, and the one that hands out their work. */
static void
test_nothing_starts (void)
{
  static const struct {
    guint failing;
    const char *words;
  } rows[] = { { 4, "Training can’t start, because the system grants no further thread: " },
               { 5, "Training can’t start, because the system grants no further thread: " },
               { 6, "Training can’t start, because the system grants no further thread: " },
               { 3, "The Fake lane can’t start, because the system grants no further thread: " } };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      const char *words = rows[i].words;
      g_autoptr (LsOptions) options = tiny_options ();
      LsCoordinator *c = two_lanes (options);
      g_autoptr (GError) error = NULL;

      fail (rows[i].failing);
      g_assert_false (ls_coordinator_start (c, &error));
      g_assert_error (error, LS_ERROR, LS_ERROR_MEMORY);
      if (!g_str_has_prefix (error->message, words))
        g_error ("it is said “%s”, not “%s…”", error->message, words);
      assert_nobody (error->message);
      fail (0);
      ls_coordinator_free (c);
    }
}

/* A lane that has no thread is missing, and says why; the other one trains without it. */
static void
test_one_lane (void)
{
  for (guint missing = 0; missing < 2; missing++)
    {
      g_autoptr (LsOptions) options = tiny_options ();
      LsCoordinator *c = two_lanes (options);
      g_autoptr (GError) error = NULL;

      fail (1u << missing);
      g_assert_true (ls_coordinator_start (c, &error));
      g_assert_no_error (error);
      fail (0);
      ls_coordinator_run (c, 30);
      g_autoptr (LsSnapshot) s = finish (c);
      for (guint lane = 0; lane < 2; lane++)
        {
          g_assert_cmpuint (s->lanes[lane].steps, ==, lane == missing ? 0 : 30);
          g_assert_cmpint (s->lanes[lane].state, ==, lane == missing ? LS_LANE_FAILED : LS_LANE_READY);
          g_assert_true ((s->lanes[lane].message != NULL) == (lane == missing));
        }
      g_assert_nonnull (strstr (s->lanes[missing].message, "because the system grants no further thread: "));
      ls_coordinator_free (c);
      assert_nobody ("the run’s end");
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/no-thread/nothing-starts", test_nothing_starts);
  g_test_add_func ("/no-thread/one-lane", test_one_lane);
  return g_test_run ();
}
