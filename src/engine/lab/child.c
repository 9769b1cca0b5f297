/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Lines to and from a child, each with a deadline.
 */
#include "config.h"
#include "lab/child.h"

#include <errno.h>
#include <gio/gunixinputstream.h>
#include <glib/gi18n-lib.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

#include "core/error.h"
#include "files/json.h"
#include "lab/machine.h"
#include "lab/worker.h"
#include "trace/event.h"

#define START_S     60                 /* PoCL may have to compile the probe's kernels */
#define ANSWER_S    30                 /* for what takes no time */
#define MAX_LINE    ((gsize) 64 << 20) /* bytes */
#define MAX_THREADS 65536

struct _LsLabChild {
  GSubprocess *process;
  GCancellable *cancel; /* may be NULL */
  GString *buffer;      /* read, not yet taken */
  char *title;
  guint threads;
  GPid pid;
};

const char *const *
ls_lab_child_unset (void)
{
  static const char *const names[] = {
    "OPENBLAS_CORETYPE",
    "OPENBLAS_NUM_THREADS",
    "OPENBLAS_DEFAULT_NUM_THREADS",
    "OPENBLAS_L2_SIZE",
    "OPENBLAS_BLOCK_FACTOR",
    "OPENBLAS_THREAD_TIMEOUT",
    "GOTO_NUM_THREADS",
    "OMP_NUM_THREADS",
    "OMP_WAIT_POLICY",
    "OMP_PROC_BIND",
    "OMP_PLACES",
    "GOMP_CPU_AFFINITY",
    "MKL_NUM_THREADS",
    "MKL_DEBUG_CPU_TYPE",
    "BLIS_NUM_THREADS",
    "POCL_MAX_PTHREAD_COUNT",
    "POCL_CPU_MAX_CU_COUNT",
    "POCL_AFFINITY",
    NULL,
  };

  return names;
}

gboolean
ls_lab_child_gone (const LsLabChild *child)
{
  return child->process == NULL;
}

/* After this it is gone. */
static void
stop (LsLabChild *child)
{
  if (child->process == NULL)
    return;
  g_subprocess_force_exit (child->process);
  g_subprocess_wait (child->process, NULL, NULL);
  g_clear_object (&child->process);
}

void
ls_lab_child_free (LsLabChild *child)
{
  if (child == NULL)
    return;
  if (child->process != NULL)
    {
      g_output_stream_close (g_subprocess_get_stdin_pipe (child->process), NULL, NULL); /* it ends by itself
                                                                                           then */
      struct pollfd end = { .fd = g_unix_input_stream_get_fd (
                              G_UNIX_INPUT_STREAM (g_subprocess_get_stdout_pipe (child->process))) };
      poll (&end, 1, 1000);
      stop (child);
    }
  if (child->buffer != NULL)
    g_string_free (child->buffer, TRUE);
  g_clear_object (&child->cancel);
  g_free (child->title);
  g_free (child);
}

static int
output_fd (const LsLabChild *child)
{
  return g_unix_input_stream_get_fd (G_UNIX_INPUT_STREAM (g_subprocess_get_stdout_pipe (child->process)));
}

/* Until there is something to read. FALSE: it is too late, or nobody waits any longer. */
static gboolean
wait_for_output (LsLabChild *child, guint64 until_ns, guint limit_s, GError **error)
{
  const guint64 now = ls_clock_ns ();
  struct pollfd polls[2] = { { .fd = output_fd (child), .events = POLLIN },
                             { .fd = g_cancellable_get_fd (child->cancel), .events = POLLIN } };
  const int n = now < until_ns ? poll (polls, 2, (int) ((until_ns - now) / 1000000) + 1) : 0;

  g_cancellable_release_fd (child->cancel);
  if (g_cancellable_is_cancelled (child->cancel))
    g_set_error_literal (error, LS_ERROR, LS_ERROR_CANCELLED, _("It was stopped."));
  else if (n == 0)
    g_set_error (error, LS_ERROR, LS_ERROR_HUNG,
                 ngettext ("It had no answer after %u second and was stopped.",
                           "It had no answer after %u seconds and was stopped.", limit_s),
                 limit_s);
  else
    return TRUE;
  return FALSE;
}

/* TRUE: there is more in the buffer. FALSE: it ended or kept silent, and is stopped. */
static gboolean
read_more (LsLabChild *child, guint64 until_ns, guint limit_s, GError **error)
{
  char piece[65536];
  ssize_t n;

  if (!wait_for_output (child, until_ns, limit_s, error))
    {
      stop (child);
      return FALSE;
    }
  n = read (output_fd (child), piece, sizeof piece);
  if (n < 0 && (errno == EINTR || errno == EAGAIN))
    return TRUE;
  if (n <= 0 || child->buffer->len > MAX_LINE)
    {
      g_set_error_literal (error, LS_ERROR, LS_ERROR_DEVICE, _("It stopped without an answer."));
      stop (child);
      return FALSE;
    }
  g_string_append_len (child->buffer, piece, n);
  return TRUE;
}

/* The next line, (transfer full); NULL with an error, also for a no. */
static json_t *
hear (LsLabChild *child, guint limit_s, GError **error)
{
  const guint64 until = ls_clock_ns () + (guint64) limit_s * 1000000000;
  g_autoptr (json_t) said = NULL;
  const char *no = NULL;
  gsize searched = 0;
  char *end;

  while ((end = memchr (child->buffer->str + searched, '\n', child->buffer->len - searched)) == NULL)
    {
      searched = child->buffer->len;
      if (!read_more (child, until, limit_s, error))
        return NULL;
    }
  said = ls_json_parse (child->buffer->str, (gsize) (end - child->buffer->str), MAX_LINE, JSON_OBJECT, NULL);
  g_string_erase (child->buffer, 0, end + 1 - child->buffer->str);
  if (said == NULL)
    g_set_error_literal (error, LS_ERROR, LS_ERROR_DEVICE, _("Its answer is no JSON."));
  else if (ls_json_get_string_or_null (said, "no", &no, error) && no == NULL)
    return g_steal_pointer (&said);
  else if (no != NULL)
    g_set_error_literal (error, LS_ERROR, LS_ERROR_DEVICE, *no != '\0' ? no : _("It can’t."));
  return NULL;
}

/* Takes the question over. */
static json_t *
ask (LsLabChild *child, json_t *question, guint limit_s, GError **error)
{
  g_autoptr (json_t) asked = question;
  g_autofree char *text = json_dumps (asked, JSON_COMPACT), *line = g_strconcat (text, "\n", NULL);

  if (child->process == NULL)
    {
      g_set_error_literal (error, LS_ERROR, LS_ERROR_DEVICE, _("It stopped before."));
      return NULL;
    }
  if (!g_output_stream_write_all (g_subprocess_get_stdin_pipe (child->process), line, strlen (line), NULL,
                                  child->cancel, error))
    {
      stop (child);
      return NULL;
    }
  return hear (child, limit_s, error);
}

LsLabChild *
ls_lab_child_new (const char *const *argv, const char *const *environment, guint limit_s,
                  GCancellable *cancel, GError **error)
{
  g_autoptr (LsLabChild) child = g_new0 (LsLabChild, 1);
  g_autoptr (GSubprocessLauncher) launcher = g_subprocess_launcher_new (
    G_SUBPROCESS_FLAGS_STDIN_PIPE | G_SUBPROCESS_FLAGS_STDOUT_PIPE | G_SUBPROCESS_FLAGS_STDERR_SILENCE);
  g_autoptr (json_t) hello = NULL;
  const char *title;
  gint64 threads;

  for (const char *const *name = ls_lab_child_unset (); *name != NULL; name++)
    g_subprocess_launcher_unsetenv (launcher, *name);
  for (; environment != NULL && *environment != NULL; environment++)
    {
      g_auto (GStrv) pair = g_strsplit (*environment, "=", 2);
      g_subprocess_launcher_setenv (launcher, pair[0], pair[1], TRUE);
    }
  child->buffer = g_string_new (NULL);
  child->cancel = cancel != NULL ? g_object_ref (cancel) : NULL;
  child->process = g_subprocess_launcher_spawnv (launcher, argv, error);
  if (child->process == NULL)
    return NULL;
  if (g_subprocess_get_identifier (child->process) != NULL) /* it may have ended already */
    child->pid = (GPid) g_ascii_strtoll (g_subprocess_get_identifier (child->process), NULL, 10);
  hello = hear (child, limit_s, error);
  if (hello == NULL)
    return NULL;
  title = ls_json_get_string (hello, "title", NULL);
  if (title == NULL || !ls_json_get_int (hello, "threads", 1, MAX_THREADS, &threads, NULL))
    {
      g_set_error_literal (error, LS_ERROR, LS_ERROR_DEVICE,
                           _("Its first line doesn’t say what it is and how many threads it has."));
      return NULL;
    }
  child->title = g_strdelimit (g_strdup (title), "\n\r\t", ' ');
  child->threads = (guint) threads;
  return g_steal_pointer (&child);
}

LsLabChild *
ls_lab_child_self (const char *worker, const LsOptions *options, const char *const *environment,
                   GCancellable *cancel, GError **error)
{
  g_autoptr (GPtrArray) argv = g_ptr_array_new_with_free_func (g_free);
  guint n;
  const LsOption *rows = ls_options_table (&n);

  g_ptr_array_add (argv, g_file_read_link ("/proc/self/exe", error));
  if (g_ptr_array_index (argv, 0) == NULL)
    return NULL;
  g_ptr_array_add (argv, g_strdup (LS_LAB_WORKER_COMMAND));
  g_ptr_array_add (argv, g_strdup (worker));
  for (guint i = 0; i < n; i++)
    {
      g_autofree char *value = ls_options_get (options, &rows[i]);
      g_ptr_array_add (argv, g_strdup_printf ("--%s=%s", rows[i].name, value));
    }
  g_ptr_array_add (argv, NULL);
  return ls_lab_child_new ((const char *const *) argv->pdata, environment, START_S, cancel, error);
}

const char *
ls_lab_child_title (const LsLabChild *child)
{
  return child->title;
}

guint
ls_lab_child_threads (const LsLabChild *child)
{
  return child->threads;
}

double
ls_lab_child_cpu_s (const LsLabChild *child)
{
  return child->process != NULL ? ls_machine_process_s (child->pid) : 0;
}

gboolean
ls_lab_child_prepare (LsLabChild *child, const char *spec, guint limit_s, char **how, GError **error)
{
  json_t *question = json_object ();
  g_autoptr (json_t) answer = NULL;
  const char *words = NULL;

  ls_json_text (question, "prepare", spec);
  answer = ask (child, question, limit_s, error);
  if (answer == NULL || !ls_json_get_string_or_null (answer, "how", &words, error))
    return FALSE;
  if (how != NULL)
    *how = g_strdup (words);
  return TRUE;
}

gboolean
ls_lab_child_set (LsLabChild *child, const char *option, const char *value, GError **error)
{
  json_t *question = json_object ();
  g_autoptr (json_t) answer = NULL;

  ls_json_text (question, "set", option);
  ls_json_text (question, "value", value);
  answer = ask (child, question, ANSWER_S, error);
  return answer != NULL;
}

/* FALSE: there is none, or one of them is no time. */
static gboolean
take_times (const json_t *answer, const char *name, GArray *times, GError **error)
{
  const guint before = times->len;
  const json_t *list = json_object_get (answer, name), *value;
  gsize i;

  json_array_foreach ((json_t *) list, i, value)
  {
    const double us = json_number_value (value);
    if (!(us > 0 && us < 1e12))
      break;
    g_array_append_val (times, us);
  }
  if (times->len == before || i < json_array_size (list))
    {
      g_set_error_literal (error, LS_ERROR, LS_ERROR_DEVICE,
                           _("It answered with something other than times."));
      g_array_set_size (times, before);
      return FALSE;
    }
  return TRUE;
}

gboolean
ls_lab_child_run (LsLabChild *child, guint threads, double seconds, guint limit_s, GArray *times,
                  GError **error)
{
  json_t *question = json_object ();
  g_autoptr (json_t) answer = NULL;

  ls_json_number (question, "run", seconds);
  ls_json_whole (question, "threads", threads);
  answer = ask (child, question, limit_s + (guint) seconds, error);
  return answer != NULL && take_times (answer, "us", times, error);
}

gboolean
ls_lab_child_record (LsLabChild *child, double seconds, GArray *plain, GArray *recorded, guint *events,
                     GError **error)
{
  json_t *question = json_object ();
  g_autoptr (json_t) answer = NULL;
  gint64 n;

  ls_json_number (question, "record", seconds);
  answer = ask (child, question, ANSWER_S + (guint) seconds, error);
  if (answer == NULL || !ls_json_get_int (answer, "events", 0, G_MAXUINT, &n, error)
      || !take_times (answer, "plain_us", plain, error)
      || !take_times (answer, "recorded_us", recorded, error))
    return FALSE;
  *events = (guint) n;
  return TRUE;
}
