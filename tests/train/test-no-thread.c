/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A run for which the system grants no thread, or not all: what is said, and that nobody is left who waits
 * for work that never comes. Which thread can't be had is played. And what is said where there is no memory
 * for the weights.
 */
#include <errno.h>
#include <pthread.h>
#include <string.h>
#include <sys/resource.h>

#include "core/error.h"
#include "core/memory.h"
#include "rig.h"
#include "tests/plain.h"
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

/* Which weights are too many, and how many bytes they are: a network of 4.2 GB, where 1 GB may be mapped. */
static void
test_refused (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (LsModel) model = ls_model_parse ("flatten, dense 65536, dense 16000, dense 10", &error);
  g_autoptr (LsPlan) plan = ls_plan_new (model, (const gint64[]){ 1, 4, 4 }, 10, 1, LS_OPTIMIZER_SGD, &error);
  struct rlimit before, limit;

  g_assert_no_error (error);
  g_assert_cmpint (getrlimit (RLIMIT_AS, &before), ==, 0);
  limit = before;
  limit.rlim_cur = 100000ull * LS_MB;
  if (g_getenv ("LOCKSTEP_SANITIZED") != NULL || setrlimit (RLIMIT_AS, &limit) != 0)
    {
      g_test_skip ("a sanitizer maps more, or the system grants no such limit");
      return;
    }
  limit.rlim_cur -= ls_memory_address_space_left () - 1000ull * LS_MB;
  g_assert_cmpint (setrlimit (RLIMIT_AS, &limit), ==, 0);
  g_assert_null (ls_params_new (plan, &error));
  g_assert_cmpint (setrlimit (RLIMIT_AS, &before), ==, 0);
  g_assert_error (error, LS_ERROR, LS_ERROR_MEMORY);
  assert_said (g_strdup (error->message), "The weights “2.weight” need 4.2 GB of memory, which the system "
                                          "doesn’t grant; use a smaller network.");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/no-thread/nothing-starts", test_nothing_starts);
  g_test_add_func ("/no-thread/one-lane", test_one_lane);
  g_test_add_func ("/no-thread/no-memory", test_refused);
  return g_test_run ();
}
