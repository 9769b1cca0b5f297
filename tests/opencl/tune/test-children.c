/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The tuner's parent, with children that are played: what becomes of each of their lines, and of the tuning
 * where one ends, hangs or says nothing, with a clock that goes on by what a child takes.
 */
#include "config.h"
#include "backends/opencl/tune/tune.h"

#include <string.h>

#include "backends/opencl/child/discovery.h"
#include "backends/opencl/tune/tune_job.h"
#include "child/child.h"
#include "core/error.h"

/* What a child says, a line each, and how it ends. */
typedef struct {
  const char *lines[8];
  gint status, signal;
  gboolean hung;
  gint64 us; /* that it takes */
} Played;

static struct {
  const Played *children; /* the last one stands in for those behind it */
  guint n, started;
  LsTuneJob *jobs[16];
  gint64 now_us;
  guint reports;
  LsTuneProgress last;
  char *op, *example, *candidate; /* of `last` */
  GCancellable *cancel;           /* after so many reports: */
  guint cancel_at;
} fake;

gboolean __wrap_ls_child_run (LsChild *child, const char *const *arguments, int input, guint patience_ms,
                              LsChildHeard heard, gpointer data, GError **error);
LsClDiscovery *__wrap_ls_cl_discover (const char *wish, GError **error);
gint64 __wrap_g_get_monotonic_time (void);

gint64
__wrap_g_get_monotonic_time (void)
{
  return fake.now_us;
}

LsClDiscovery *
__wrap_ls_cl_discover (const char *wish, G_GNUC_UNUSED GError **error)
{
  static const char *const names[] = { "one", "two", "three" };
  LsClDiscovery *discovery = g_new0 (LsClDiscovery, 1);

  g_assert_cmpstr (wish, ==, "tw");
  discovery->devices = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_device_info_free);
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      LsDeviceInfo *info = ls_device_info_new ("opencl");
      info->name = g_strdup (names[i]);
      g_ptr_array_add (discovery->devices, info);
    }
  discovery->chosen = 1;
  return discovery;
}

gboolean
__wrap_ls_child_run (LsChild *child, const char *const *arguments, int input, guint patience_ms,
                     LsChildHeard heard, gpointer data, GError **error)
{
  const Played *played = &fake.children[MIN (fake.started, fake.n - 1)];

  memset (child, 0, sizeof *child);
  g_assert_cmpstr (arguments[0], ==, "tune");
  g_assert_null (arguments[2]);
  g_assert_cmpint (input, ==, -1);
  g_assert_cmpuint (patience_ms, ==, 20000);
  g_assert_cmpuint (fake.started, <, G_N_ELEMENTS (fake.jobs));
  fake.jobs[fake.started] = ls_tune_job_from_text (arguments[1], error);
  g_assert_no_error (*error);
  fake.started++;
  for (guint i = 0; i < G_N_ELEMENTS (played->lines) && played->lines[i] != NULL; i++)
    {
      g_autoptr (json_t) line = json_loads (played->lines[i], 0, NULL);
      g_assert_nonnull (line);
      if (!heard (line, data))
        {
          g_assert_true (g_cancellable_is_cancelled (fake.cancel));
          child->signal = 9;
          return TRUE;
        }
    }
  fake.now_us += played->us;
  child->status = played->status;
  child->signal = played->signal;
  child->hung = played->hung;
  child->patience_ms = patience_ms;
  return TRUE;
}

static void
report_cb (const LsTuneProgress *progress, gpointer data)
{
  g_assert_true (data == &fake);
  g_free (fake.op);
  g_free (fake.example);
  g_free (fake.candidate);
  fake.last = *progress;
  fake.op = g_strdup (progress->op);
  fake.example = g_strdup (progress->example);
  fake.candidate = g_strdup (progress->candidate);
  if (++fake.reports == fake.cancel_at)
    g_cancellable_cancel (fake.cancel);
}

static const LsTuneWish wish
  = { .device = "tw",
      .n_plans = 2,
      .seconds = 90,
      .plans = { { "flatten, dense 8, dense 2", { 2, 1, 1 }, 2, 16, LS_OPTIMIZER_SGD },
                 { "flatten, dense 3", { 1, 2, 2 }, 3, 5, LS_OPTIMIZER_ADAM } } };

static LsTuneResult *
tune (const Played *children, guint n, guint cancel_at, GError **error)
{
  LsTuneResult *result = NULL;
  gboolean ok;

  for (guint i = 0; i < fake.started; i++)
    ls_tune_job_free (fake.jobs[i]);
  g_clear_object (&fake.cancel);
  g_free (fake.op);
  g_free (fake.example);
  g_free (fake.candidate);
  memset (&fake, 0, sizeof fake);
  fake.children = children;
  fake.n = n;
  fake.now_us = 5000000;
  fake.cancel_at = cancel_at;
  fake.cancel = g_cancellable_new ();
  ok = ls_tune (&wish, report_cb, &fake, fake.cancel, &result, error);
  g_assert_nonnull (result);
  g_assert_cmpint (ok, ==, error == NULL || *error == NULL);
  return result;
}

static const char *
dropped (const LsTuneResult *result, guint i)
{
  g_assert_cmpuint (i, <, result->dropped->len);
  return result->dropped->pdata[i];
}

#define CANDIDATE(task, op, candidate)                                                                       \
  "{\"task\":" task ",\"op\":\"" op "\",\"example\":\"the shape\",\"candidate\":\"" candidate                \
  "\",\"left\":41.5}"
#define END "{\"end\":\"\"}"

/* An entry as the child would say it. */
static char *
entry_line (const char *shape)
{
  LsTunedEntry e = { .platform = (char *) "p",
                     .device = (char *) "d",
                     .driver = (char *) "v",
                     .op = (char *) "matmul",
                     .shape = (char *) shape,
                     .source = (char *) "s",
                     .rung = (char *) "naive",
                     .words = (char *) "naive",
                     .shipped_words = (char *) "naive",
                     .example = (char *) "e",
                     .date = (char *) "2026-11-21T10:00:00+00:00" };
  g_autoptr (json_t) line = json_object ();

  e.us = e.shipped_us = (LsFigure){ .value = 1, .q1 = 1, .q3 = 1, .n = 5, .unit = "µs" };
  ls_json_put (line, "entry", ls_tuned_entry_to_json (&e));
  return json_dumps (line, JSON_COMPACT);
}

/* Each kind of line, and those that are none: a stranger's. */
static void
test_lines (void)
{
  char *one = entry_line ("first"), *two = entry_line ("second");
  const Played child = { .lines = { "{\"tasks\":23}", CANDIDATE ("4", "matmul", "packed VEC=8"), one,
                                    "{\"dropped\":\"a sentence\"}", "{\"entry\":{\"platform\":\"p\"}}",
                                    "{\"neither\":1}", two, END } };
  g_autoptr (GError) error = NULL;
  g_autoptr (LsTuneResult) result = tune (&child, 1, 0, &error);

  g_assert_no_error (error);
  g_assert_cmpstr (result->device, ==, "two");
  g_assert_cmpuint (fake.started, ==, 1);
  g_assert_cmpuint (result->entries->len, ==, 2);
  g_assert_cmpstr (((LsTunedEntry *) result->entries->pdata[0])->shape, ==, "first");
  g_assert_cmpstr (((LsTunedEntry *) result->entries->pdata[1])->shape, ==, "second");
  g_assert_cmpuint (result->dropped->len, ==, 1);
  g_assert_cmpstr (dropped (result, 0), ==, "a sentence");
  g_assert_cmpuint (fake.reports, ==, 1);
  g_assert_cmpuint (fake.last.task, ==, 4);
  g_assert_cmpuint (fake.last.n_tasks, ==, 23);
  g_assert_cmpstr (fake.op, ==, "matmul");
  g_assert_cmpstr (fake.example, ==, "the shape");
  g_assert_cmpstr (fake.candidate, ==, "packed VEC=8");
  g_assert_cmpfloat (fake.last.seconds_left, ==, 41.5);
  /* what the child was asked for */
  g_assert_cmpuint (fake.jobs[0]->device, ==, 1);
  g_assert_cmpuint (fake.jobs[0]->first, ==, 0);
  g_assert_cmpuint (fake.jobs[0]->skip->len, ==, 0);
  g_assert_cmpuint (fake.jobs[0]->wish.seconds, ==, 90);
  g_assert_cmpuint (fake.jobs[0]->wish.n_plans, ==, 2);
  for (guint p = 0; p < 2; p++)
    {
      const LsTunePlan *asked = &fake.jobs[0]->wish.plans[p];
      g_assert_cmpstr (asked->model, ==, wish.plans[p].model);
      g_assert_cmpuint (asked->batch, ==, wish.plans[p].batch);
      g_assert_cmpint (asked->optimizer, ==, wish.plans[p].optimizer);
      g_assert_cmpmem (asked->shape, sizeof asked->shape, wish.plans[p].shape, sizeof wish.plans[p].shape);
    }
  free (one);
  free (two);
}

/* A network that there can't be is said at once, whichever of them it is: nobody is begun for the others. */
static void
test_wrong_wish (void)
{
  static const LsTunePlan wrong[] = { { "dense", { 2, 1, 1 }, 2, 16, LS_OPTIMIZER_SGD },
                                      { "flatten, dense 3", { 1, 2, 2 }, 2, 5, LS_OPTIMIZER_SGD },
                                      { "conv 4 5, flatten, dense 2", { 1, 2, 2 }, 2, 5, LS_OPTIMIZER_SGD } };
  static const Played children[] = { { .lines = { END } } };

  for (guint w = 0; w < G_N_ELEMENTS (wrong); w++)
    for (guint p = 0; p < 2; p++)
      {
        LsTuneWish with = wish;
        LsTuneResult *result = NULL;
        g_autoptr (GError) error = NULL;

        /* one that is right, after which all is as at first */
        ls_tune_result_free (tune (children, 1, 0, &error));
        g_assert_no_error (error);
        g_assert_cmpuint (fake.started, ==, 1);
        with.plans[p] = wrong[w];
        g_assert_false (ls_tune (&with, report_cb, &fake, fake.cancel, &result, &error));
        g_assert_error (error, LS_ERROR, LS_ERROR_USAGE);
        if (fake.started != 1)
          g_error ("a child is begun though network %u can’t be: %s", p, error->message);
        ls_tune_result_free (result);
      }
}

/* A candidate that ends a child is left out from then on, and the next child goes on with its task and the
 * time that is left. */
static void
test_ended (void)
{
  char *entry = entry_line ("kept");
  const Played children[] = {
    { .lines = { "{\"tasks\":5}", CANDIDATE ("0", "relu", "naive"), entry,
                 CANDIDATE ("2", "matmul", "tiled") },
      .signal = 11,
      .us = 20500000 },
    { .lines = { CANDIDATE ("2", "matmul", "naive") }, .hung = TRUE, .us = 30000000 },
    { .lines = { CANDIDATE ("3", "sgd", "packed VEC=4") }, .status = 7, .us = 1 },
    { .lines = { CANDIDATE ("4", "adam", "naive") }, .us = 1 }, /* without its last line */
    { .lines = { END } },
  };
  static const guint first[] = { 0, 2, 2, 3, 4 }, seconds[] = { 90, 70, 40, 40, 40 };
  static const char *const skipped[] = { "matmul tiled", "matmul naive", "sgd packed VEC=4", "adam naive" };
  g_autoptr (GError) error = NULL;
  g_autoptr (LsTuneResult) result = tune (children, G_N_ELEMENTS (children), 0, &error);

  g_assert_no_error (error);
  g_assert_cmpuint (fake.started, ==, G_N_ELEMENTS (children));
  for (guint i = 0; i < fake.started; i++)
    {
      g_assert_cmpuint (fake.jobs[i]->first, ==, first[i]);
      g_assert_cmpuint (fake.jobs[i]->wish.seconds, ==, seconds[i]);
      g_assert_cmpuint (fake.jobs[i]->skip->len, ==, i);
      for (guint k = 0; k < i; k++)
        g_assert_cmpstr (fake.jobs[i]->skip->pdata[k], ==, skipped[k]);
    }
  g_assert_cmpuint (result->entries->len, ==, 1);
  g_assert_cmpuint (result->dropped->len, ==, 4);
  g_assert_true (g_str_has_prefix (dropped (result, 0), "matmul the shape, tiled: it crashed (signal 11"));
  g_assert_cmpstr (dropped (result, 1), ==,
                   "matmul the shape, naive: it gave no sign of life for 20 s and was stopped");
  g_assert_cmpstr (dropped (result, 2), ==, "sgd the shape, packed VEC=4: it ended with status 7");
  g_assert_cmpstr (dropped (result, 3), ==,
                   "adam the shape, naive: the driver ended the process, with status 0");
  free (entry);
}

/* That one child came to its end says nothing of the next. */
static void
test_each (void)
{
  static const Played children[] = {
    { .lines = { CANDIDATE ("2", "matmul", "tiled"), END }, .status = 3 },
    { .lines = { CANDIDATE ("2", "matmul", "naive") } },
    { .lines = { END } },
  };
  g_autoptr (GError) error = NULL;
  g_autoptr (LsTuneResult) result = tune (children, G_N_ELEMENTS (children), 0, &error);

  g_assert_no_error (error);
  g_assert_cmpuint (fake.started, ==, 3);
  g_assert_cmpuint (result->dropped->len, ==, 2);
}

/* A child that begins a task anew drops the same candidates as the one before it: each is told of once. */
static void
test_dropped_again (void)
{
  static const Played children[] = {
    { .lines = { "{\"dropped\":\"matmul 8, naive: no\"}", "{\"dropped\":\"matmul 8, tiled: no\"}",
                 CANDIDATE ("2", "matmul", "packed") },
      .signal = 11 },
    { .lines = { "{\"dropped\":\"matmul 8, naive: no\"}", "{\"dropped\":\"matmul 8, tiled: no\"}",
                 "{\"dropped\":\"matmul 9, naive: no\"}", "{\"dropped\":7}", END } },
  };
  static const char *const words[] = { "matmul 8, naive: no", "matmul 8, tiled: no",
                                       "matmul the shape, packed", "matmul 9, naive: no" };
  g_autoptr (GError) error = NULL;
  g_autoptr (LsTuneResult) result = tune (children, G_N_ELEMENTS (children), 0, &error);

  g_assert_no_error (error);
  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    if (!g_str_has_prefix (dropped (result, i), words[i]))
      g_error ("what was dropped as number %u is “%s”, not “%s”", i, dropped (result, i), words[i]);
  g_assert_cmpuint (result->dropped->len, ==, G_N_ELEMENTS (words));
}

/* Without any candidate there is nobody to leave out. */
static void
test_nothing (void)
{
  static const Played dead[] = { { .lines = { CANDIDATE ("2", "matmul", "tiled") }, .signal = 6 },
                                 { .lines = { "{\"tasks\":5}" }, .status = 3 } };
  static const Played told = { .lines = { "{\"error\":\"no memory here\"}" } };
  g_autoptr (GError) error = NULL;
  g_autoptr (LsTuneResult) result = tune (&dead[1], 1, 0, &error), again = NULL, last = NULL;

  g_assert_error (error, LS_ERROR, LS_ERROR_DEVICE);
  g_assert_cmpstr (error->message, ==,
                   "the tuner’s process didn’t get to the first kernel: it ended with status 3");
  g_assert_cmpuint (result->dropped->len, ==, 0);
  g_assert_cmpuint (fake.started, ==, 1);
  g_clear_error (&error);
  /* nor is it one that an earlier child was at */
  again = tune (dead, 2, 0, &error);
  g_assert_error (error, LS_ERROR, LS_ERROR_DEVICE);
  g_assert_cmpuint (fake.started, ==, 2);
  g_assert_cmpuint (again->dropped->len, ==, 1);
  g_clear_error (&error);
  last = tune (&told, 1, 0, &error);
  g_assert_error (error, LS_ERROR, LS_ERROR_DEVICE);
  g_assert_cmpstr (error->message, ==, "no memory here");
}

/* A driver that ends every child costs twelve of them, or the time that there is. */
static void
test_enough (void)
{
  static const Played quick = { .lines = { CANDIDATE ("1", "matmul", "tiled") }, .signal = 11, .us = 1000 },
                      slow
                      = { .lines = { CANDIDATE ("1", "matmul", "tiled") }, .hung = TRUE, .us = 30000000 };
  g_autoptr (GError) error = NULL;
  g_autoptr (LsTuneResult) twelve = tune (&quick, 1, 0, &error), three = NULL;

  g_assert_no_error (error);
  g_assert_cmpuint (fake.started, ==, 12);
  g_assert_cmpuint (twelve->dropped->len, ==, 12);
  three = tune (&slow, 1, 0, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (fake.started, ==, 3);
}

/* What was found before is kept, and nobody is to blame. */
static void
test_cancelled (void)
{
  char *entry = entry_line ("kept");
  const Played child = { .lines = { "{\"tasks\":5}", entry, CANDIDATE ("0", "matmul", "tiled"),
                                    CANDIDATE ("0", "matmul", "naive"), END } };
  g_autoptr (GError) error = NULL;
  g_autoptr (LsTuneResult) result = tune (&child, 1, 1, &error);

  g_assert_error (error, LS_ERROR, LS_ERROR_CANCELLED);
  g_assert_cmpstr (error->message, ==, "tuning was stopped");
  g_assert_cmpuint (fake.reports, ==, 1);
  g_assert_cmpuint (fake.started, ==, 1);
  g_assert_cmpuint (result->entries->len, ==, 1);
  g_assert_cmpuint (result->dropped->len, ==, 0);
  free (entry);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/children/lines", test_lines);
  g_test_add_func ("/children/wrong-wish", test_wrong_wish);
  g_test_add_func ("/children/ended", test_ended);
  g_test_add_func ("/children/each", test_each);
  g_test_add_func ("/children/dropped-again", test_dropped_again);
  g_test_add_func ("/children/nothing", test_nothing);
  g_test_add_func ("/children/enough", test_enough);
  g_test_add_func ("/children/cancelled", test_cancelled);
  return g_test_run ();
}
