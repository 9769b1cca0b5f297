/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What is said of the OpenCL lane's process when it ends, answers nonsense or is stopped, to whoever asks
 * then and from then on; and when the kernels that it compiled are deleted for it. It is played by this
 * program (played.h); no driver is asked.
 */
#include "config.h"
#include "backends/opencl/process/process.h"

#include <string.h>

#include "core/error.h"
#include "core/memory.h"
#include "played.h"
#include "tests/folder.h"

#define APART "the OpenCL lane runs in a process of its own: "
#define ANEW  "; its compiled kernels were deleted, and are compiled anew"

static char *cache, *compiled; /* the program's own folder, and a file in it */

typedef struct {
  gpointer lane;
  LsPlan *plan;
  LsOptions *options;
} Ended;

static void
ended_open (Ended *ended)
{
  static const gint64 shape[3] = { 1, 2, 2 };
  g_autoptr (LsModel) model = ls_model_parse ("flatten, dense 3, relu, dense 2", NULL);
  g_autoptr (GError) error = NULL;

  g_mkdir_with_parents (cache, 0700);
  g_assert_true (g_file_set_contents (compiled, "", 0, NULL));
  ended->plan = ls_plan_new (model, shape, 2, 2, LS_OPTIMIZER_SGD, &error);
  ended->options = ls_options_new ();
  ended->lane = ls_backend_opencl.open (ended->options, 0, &error);
  g_assert_no_error (error);
}

static void
ended_close (Ended *ended)
{
  ls_backend_opencl.close (ended->lane);
  ls_plan_unref (ended->plan);
  ls_options_free (ended->options);
}

json_t *__real_ls_child_hear (LsChild *child, guint patience_ms, GCancellable *cancel, GError **error);
json_t *__wrap_ls_child_hear (LsChild *child, guint patience_ms, GCancellable *cancel, GError **error);

static struct {
  guint times, ms; /* that answers were waited for, and how long at most the last time */
} waited;

json_t *
__wrap_ls_child_hear (LsChild *child, guint patience_ms, GCancellable *cancel, GError **error)
{
  waited.times++;
  waited.ms = patience_ms;
  return __real_ls_child_hear (child, patience_ms, cancel, error);
}

/* A minute for the driver to be loaded; from then on as long as it takes: a step of a large network may last
 * longer, and whoever waits for the lane stops it. */
static void
test_patience (void)
{
  g_autoptr (GError) error = NULL;
  float value[64] = { 0 };
  Ended ended;

  g_unsetenv (PLAYED_ENDS);
  waited.times = 0;
  ended_open (&ended);
  g_assert_cmpuint (waited.times, ==, 1);
  g_assert_cmpuint (waited.ms, ==, 60000);
  g_assert_true (ls_backend_opencl.prepare (ended.lane, ended.plan, NULL, &error));
  g_assert_cmpuint (waited.times, >, 1);
  g_assert_cmpuint (waited.ms, ==, G_MAXUINT);
  waited.ms = 0;
  g_assert_true (ls_backend_opencl.write (ended.lane, 0, value, &error));
  g_assert_cmpuint (waited.ms, ==, G_MAXUINT);
  waited.ms = 0;
  g_assert_true (ls_backend_opencl.read (ended.lane, 0, value, &error));
  g_assert_cmpuint (waited.ms, ==, G_MAXUINT);
  g_assert_no_error (error);
  ended_close (&ended);
}

static gpointer
stop_thread (gpointer lane)
{
  g_usleep (20000); /* before or after the question: it comes to the same */
  ls_backend_opencl.process->kill (lane);
  return NULL;
}

static void
assert_error (const char *how, const GError *error, const char *words)
{
  if (!g_error_matches (error, LS_ERROR, LS_ERROR_DEVICE) || strcmp (error->message, words) != 0)
    g_error ("of a process that was to “%s” it is said: “%s”, not “%s”", how,
             error != NULL ? error->message : "nothing", words);
}

/* Of what it died stands in what is said, with the last that it wrote; what crashed for its own reasons, and
 * had no edited kernels, may have crashed for what its driver had kept: that goes. */
static void
test_asked (void)
{
  static const struct {
    const char *how;
    gboolean edited, foreign; /* whose folder it is */
    const char *words;
    gboolean wiped;
  } rows[] = {
    { "read exit 3", FALSE, FALSE, APART "it ended with status 3: " PLAYED_WORDS ANEW, TRUE },
    { "read signal 11", FALSE, FALSE, APART "it crashed (signal 11, Segmentation fault): " PLAYED_WORDS ANEW,
      TRUE },
    { "read signal 6", FALSE, FALSE, APART "it crashed (signal 6, Aborted): " PLAYED_WORDS ANEW, TRUE },
    { "read signal 15", FALSE, FALSE, APART "it crashed (signal 15, Terminated): " PLAYED_WORDS, FALSE },
    { "read signal 9", FALSE, FALSE, APART "it crashed (signal 9, Killed): " PLAYED_WORDS, FALSE },
    { "read exit 3", TRUE, FALSE,
      "the OpenCL lane runs edited kernels (sum.cl) in a process of its own: it ended with status "
      "3: " PLAYED_WORDS,
      FALSE },
    { "read exit 0", FALSE, FALSE,
      "the OpenCL lane’s process gave no answer that can be read: It stopped without an answer.", FALSE },
    { "read line []", FALSE, FALSE, "the OpenCL lane’s process gave no answer that can be read: ", FALSE },
    { "read hang", FALSE, FALSE, "the OpenCL lane’s process was stopped, because it didn’t answer", FALSE },
    { "read exit 3", FALSE, TRUE, APART "it ended with status 3: " PLAYED_WORDS, FALSE },
  };

  for (guint r = 0; r < G_N_ELEMENTS (rows); r++)
    {
      g_autoptr (GError) error = NULL, again = NULL;
      g_autoptr (LsKernelFiles) edited = ls_kernel_files_new ();
      g_autofree char *words = g_strdup (rows[r].words);
      GThread *thread = NULL;
      float value[64];
      Ended ended;

      g_setenv (PLAYED_ENDS, rows[r].how, TRUE);
      g_setenv ("LOCKSTEP_POCL_CACHE", rows[r].foreign ? "another" : cache, TRUE);
      ended_open (&ended);
      g_assert_true (ls_backend_opencl.prepare (ended.lane, ended.plan, NULL, &error));
      if (rows[r].edited)
        {
          g_hash_table_insert (edited->texts, g_strdup ("sum.cl"), g_strdup ("good"));
          ls_kernel_files_name (edited);
          g_assert_true (ls_backend_opencl.edit->reload (ended.lane, edited, &error));
        }
      if (g_str_has_suffix (rows[r].how, "hang"))
        thread = g_thread_new ("stop", stop_thread, ended.lane);
      g_assert_false (ls_backend_opencl.read (ended.lane, 0, value, &error));
      g_clear_pointer (&thread, g_thread_join);
      if (g_str_has_suffix (words, ": ")) /* and what the reader says */
        {
          g_assert_true (error != NULL && g_str_has_prefix (error->message, words)
                         && strlen (error->message) > strlen (words));
          g_free (words);
          words = g_strdup (error->message);
        }
      assert_error (rows[r].how, error, words);
      if (g_file_test (compiled, G_FILE_TEST_EXISTS) == rows[r].wiped)
        g_error ("row %u: what the driver had compiled %s deleted after “%s”", r,
                 rows[r].wiped ? "isn’t" : "is", rows[r].how);
      g_assert_true (g_file_test (cache, G_FILE_TEST_IS_DIR));
      if (((const LsClProcess *) ended.lane)->child.pid != 0)
        g_error ("the process stays there after “%s”", rows[r].how);
      g_assert_false (ls_backend_opencl.read (ended.lane, 0, value, &again));
      assert_error ("say it again", again, words);
      ended_close (&ended);
    }
}

/* One that dies while it is prepared is begun anew, once; and what it died of first is told. */
static void
test_prepared (void)
{
  g_autoptr (GError) error = NULL;
  Ended ended;

  g_setenv (PLAYED_ENDS, "prepare exit 4", TRUE);
  g_setenv ("LOCKSTEP_POCL_CACHE", cache, TRUE);
  ended_open (&ended);
  g_assert_false (ls_backend_opencl.prepare (ended.lane, ended.plan, NULL, &error));
  assert_error ("prepare exit 4", error, APART "it ended with status 4: " PLAYED_WORDS);
  g_assert_cmpstr (g_hash_table_lookup (ls_backend_opencl.device (ended.lane)->facts, "warning-cache"), ==,
                   APART "it ended with status 4: " PLAYED_WORDS ANEW);
  g_assert_false (g_file_test (compiled, G_FILE_TEST_EXISTS));
  ended_close (&ended);
}

int
main (int argc, char **argv)
{
  g_autofree char *folder = NULL;
  int status;

  if (argc > 1 && strcmp (argv[1], LS_CL_CHILD_COMMAND) == 0)
    return played_main (argc, argv);
  folder = g_dir_make_tmp ("lockstep-ended-XXXXXX", NULL);
  g_setenv ("XDG_CACHE_HOME", folder, TRUE);
  cache = g_build_filename (folder, "lockstep", "pocl-" LS_VERSION, NULL);
  compiled = g_build_filename (cache, "compiled", NULL);
  g_setenv ("POCL_CACHE_DIR", cache, TRUE);
  g_unsetenv ("LOCKSTEP_SELF");
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/ended/patience", test_patience);
  if (ls_memory_address_space () == G_MAXUINT64) /* else nothing is deleted */
    {
      g_test_add_func ("/ended/asked", test_asked);
      g_test_add_func ("/ended/prepared", test_prepared);
    }
  status = g_test_run ();
  remove_tree (folder);
  g_free (cache);
  g_free (compiled);
  return status;
}
