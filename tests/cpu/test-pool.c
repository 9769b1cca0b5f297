/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The pool: each worker runs each job once, what the caller wrote is seen, workers are nice and mask signals,
 * sleep after park, and the pool makes do with fewer threads where the system grants no more.
 */
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "backends/cpu/denormals.h"
#include "backends/cpu/pool.h"
#include "tests/cpu/rig.h"
#include "trace/event.h"

#define MAX_THREADS 8

typedef struct {
  guint64 input; /* plain memory: the hand-over must order it */
  struct {
    _Alignas(64) guint64 sum;
    guint calls;
  } of[MAX_THREADS];
} Work;

static void
work_cb (gpointer data, guint worker)
{
  Work *work = data;
  work->of[worker].sum += work->input * (worker + 1);
  work->of[worker].calls++;
}

static void
run_jobs (guint n_threads, guint64 spin_ns, guint n_jobs)
{
  Work *work = g_aligned_alloc0 (1, sizeof (Work), 64);
  LsPool *pool = ls_pool_new (n_threads, spin_ns);
  guint64 expected = 0;

  g_assert_cmpuint (ls_pool_size (pool), ==, n_threads);
  for (guint job = 0; job < n_jobs; job++)
    {
      work->input = job * 7 + 1;
      expected += work->input;
      ls_pool_run (pool, work_cb, work);
      if (job % 97 == 0)
        ls_pool_park (pool);
    }
  for (guint w = 0; w < n_threads; w++)
    {
      g_assert_cmpuint (work->of[w].calls, ==, n_jobs);
      g_assert_cmpuint (work->of[w].sum, ==, expected * (w + 1));
    }
  ls_pool_free (pool);
  g_aligned_free (work);
}

static void
test_jobs (void)
{
  for (guint n = 1; n <= MAX_THREADS; n++)
    {
      run_jobs (n, 0, 300);
      run_jobs (n, 20000, n <= 2 ? 20000 : 300);
    }
}

/* At least the caller, and no more than events can tell apart, whatever is wanted; fewer where the system
 * grants no more. */
static void
test_sizes (void)
{
  static const struct {
    guint wanted, most;
  } rows[] = { { 0, 1 },
               { 1, 1 },
               { 2, 2 },
               { LS_MAX_WORKERS, LS_MAX_WORKERS },
               { LS_MAX_WORKERS + 1, LS_MAX_WORKERS },
               { 2 * LS_MAX_WORKERS, LS_MAX_WORKERS } };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (LsPool) pool = ls_pool_new (rows[i].wanted, 0);
      const guint size = ls_pool_size (pool);

      if (size < 1 || size > rows[i].most || (rows[i].most <= 2 && size != rows[i].most))
        g_error ("of %u workers that are wanted there are %u, not %u", rows[i].wanted, size, rows[i].most);
    }
}

static void
test_start_stop (void)
{
  for (guint i = 0; i < 200; i++)
    {
      g_autoptr (LsPool) pool = ls_pool_new (1 + i % 5, i % 2 * 10000);
      Work work = { .input = 1 };
      if (i % 3 > 0)
        ls_pool_run (pool, work_cb, &work);
    }
  ls_pool_free (NULL);
}

typedef struct {
  atomic_uint next, done[64], calls;
} Common;

static void
common_cb (gpointer data, guint worker)
{
  Common *common = data;
  guint i;

  atomic_fetch_add (&common->calls, 1);
  while ((i = atomic_fetch_add (&common->next, 1)) < G_N_ELEMENTS (common->done))
    {
      if (worker > 0 && i % 16 == 15)
        g_usleep (20); /* the caller finds nothing left, and must wait for this one */
      atomic_fetch_add (&common->done[i], 1);
    }
}

/* Each of its parts is done once, by whoever comes; if it is for all, everybody comes once. */
static void
do_job (LsPool *pool, guint n_workers, gboolean all)
{
  Common common;

  memset (&common, 0, sizeof common);
  if (all)
    ls_pool_run (pool, common_cb, &common);
  else
    ls_pool_share (pool, common_cb, &common);
  for (guint i = 0; i < G_N_ELEMENTS (common.done); i++)
    g_assert_cmpuint (atomic_load (&common.done[i]), ==, 1);
  if (all)
    g_assert_cmpuint (atomic_load (&common.calls), ==, n_workers);
  g_assert_cmpuint (atomic_load (&common.calls), >=, 1);
}

/* Jobs that needn't have everybody, in turn with those that must. */
static void
test_share (void)
{
  static const guint sizes[] = { 1, 2, 3, 8, 64, 128 };

  for (guint s = 0; s < G_N_ELEMENTS (sizes); s++)
    {
      g_autoptr (LsPool) pool = ls_pool_new (sizes[s], s % 2 * 10000);
      const guint jobs = sizes[s] <= 8 ? 1000 : 200;

      for (guint job = 0; job < jobs; job++)
        do_job (pool, sizes[s], job % 5 == 4);
    }
}

static gpointer
busy_cb (gpointer data)
{
  atomic_bool *ended = data;

  while (!atomic_load (ended))
    ;
  return NULL;
}

/* Beside another thread that wants a processor sleepers are woken now and then for what is shared out, which
 * the caller can do by itself, and always for what everybody has to take part in. */
static void
test_beside (void)
{
  const guint n_workers = MAX (2, MIN (g_get_num_processors (), MAX_THREADS));
  g_autoptr (LsPool) pool = ls_pool_new (n_workers, 300000);
  atomic_bool ended;
  GThread *busy;

  atomic_init (&ended, FALSE);
  busy = g_thread_new ("busy", busy_cb, &ended);
  for (guint job = 0; job < 1500; job++)
    {
      do_job (pool, n_workers, job % 3 == 2);
      for (const guint64 until_ns = ls_clock_ns () + job % 4 * 20000; ls_clock_ns () < until_ns;)
        ; /* workers fall asleep */
    }
  atomic_store (&ended, TRUE);
  g_thread_join (busy);
}

typedef struct {
  gint nice[4];
  gboolean masked[4];
  float product[4];
  volatile float tiny;
} Setting;

static void
setting_cb (gpointer data, guint worker)
{
  Setting *s = data;
  sigset_t set;

  s->nice[worker] = getpriority (PRIO_PROCESS, (id_t) gettid ());
  pthread_sigmask (SIG_BLOCK, NULL, &set);
  s->masked[worker] = sigismember (&set, SIGINT) == 1;
  s->product[worker] = s->tiny * 0.5f;
}

static void
test_settings (void)
{
  g_autoptr (LsPool) pool = ls_pool_new (4, 0);
  Setting s = { .tiny = 1.2e-38f };
  guint64 before;

  ls_pool_run (pool, setting_cb, &s);
  g_assert_false (s.masked[0]);
  for (guint w = 1; w < 4; w++)
    {
      g_assert_cmpint (s.nice[w], ==, s.nice[0]);
      g_assert_true (s.masked[w]);
    }
  g_assert_cmpfloat (s.product[0], >, 0);

  before = ls_denormals_flush ();
  ls_pool_run (pool, setting_cb, &s);
  ls_denormals_restore (before);
#if defined(__SSE2__) || defined(__aarch64__)
  if (!rig_under_valgrind ())
    for (guint w = 0; w < 4; w++)
      g_assert_cmpfloat (s.product[w], ==, 0);
#endif
  g_assert_cmpfloat (s.tiny * 0.5f, >, 0);
}

/* A parked pool uses no processor time: another lane may be computing. */
static void
test_park (void)
{
  g_autoptr (LsPool) pool = ls_pool_new (4, G_GUINT64_CONSTANT (60000000000));
  Work work = { .input = 1 };
  struct timespec before, after;

  ls_pool_run (pool, work_cb, &work);
  ls_pool_park (pool);
  g_usleep (20000); /* to fall asleep */
  clock_gettime (CLOCK_PROCESS_CPUTIME_ID, &before);
  g_usleep (200000);
  clock_gettime (CLOCK_PROCESS_CPUTIME_ID, &after);
  g_assert_cmpfloat (
    (double) (after.tv_sec - before.tv_sec) + 1e-9 * (double) (after.tv_nsec - before.tv_nsec), <, 0.1);
  ls_pool_run (pool, work_cb, &work);
  g_assert_cmpuint (work.of[3].calls, ==, 2);
}

/* In a child that may have no more threads: as another user, since root has no such limit. */
static void
test_too_few_threads (void)
{
  pid_t child = fork ();

  g_assert_cmpint (child, >=, 0);
  if (child == 0)
    {
      struct rlimit none = { 0, 0 };
      if (getuid () == 0 && (setgid (65534) != 0 || setuid (65534) != 0))
        _exit (77);
      if (setrlimit (RLIMIT_NPROC, &none) != 0)
        _exit (77);
      Work work = { .input = 3 };
      LsPool *pool = ls_pool_new (4, 0);
      ls_pool_run (pool, work_cb, &work);
      _exit (ls_pool_size (pool) == 1 && work.of[0].calls == 1 ? 0 : 1);
    }
  int status;
  g_assert_cmpint (waitpid (child, &status, 0), ==, child);
  if (WIFEXITED (status) && WEXITSTATUS (status) == 77)
    {
      g_test_skip ("can’t become a user with a limit");
      return;
    }
  g_assert_true (WIFEXITED (status));
  g_assert_cmpint (WEXITSTATUS (status), ==, 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/cpu/pool/too-few-threads", test_too_few_threads);
  g_test_add_func ("/cpu/pool/jobs", test_jobs);
  g_test_add_func ("/cpu/pool/share", test_share);
  g_test_add_func ("/cpu/pool/beside", test_beside);
  g_test_add_func ("/cpu/pool/sizes", test_sizes);
  g_test_add_func ("/cpu/pool/start-stop", test_start_stop);
  g_test_add_func ("/cpu/pool/settings", test_settings);
  g_test_add_func ("/cpu/pool/park", test_park);
  return g_test_run ();
}
