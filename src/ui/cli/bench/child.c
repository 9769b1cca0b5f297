/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Lines to and from a child. What it writes on its standard error isn't read: an answer is a line.
 */
#include "config.h"
#include "ui/cli/bench/child.h"

#include <errno.h>
#include <gio/gio.h>
#include <gio/gunixinputstream.h>
#include <glib/gi18n.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

#include "core/error.h"
#include "trace/event.h"
#include "ui/cli/bench/machine.h"
#include "ui/cli/bench/worker.h"

#define START_S  60                 /* PoCL may have to compile the probe's kernels */
#define ANSWER_S 30                 /* for what takes no time */
#define MAX_LINE ((gsize) 64 << 20) /* bytes */

struct _LsBenchChild {
  GSubprocess *process;
  GString *buffer; /* read, not yet taken */
  char *title;
  guint threads;
  GPid pid;
};

const char *const *
ls_bench_child_unset (void)
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
ls_bench_child_gone (const LsBenchChild *child)
{
  return child->process == NULL;
}

/* After this it is gone. */
static void
stop (LsBenchChild *child)
{
  if (child->process == NULL)
    return;
  g_subprocess_force_exit (child->process);
  g_subprocess_wait (child->process, NULL, NULL);
  g_clear_object (&child->process);
}

void
ls_bench_child_free (LsBenchChild *child)
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
  g_free (child->title);
  g_free (child);
}

/* TRUE: there is more in the buffer. FALSE: it ended or kept silent, and is stopped. */
static gboolean
read_more (LsBenchChild *child, guint64 until_ns, guint limit_s, GError **error)
{
  const int fd = g_unix_input_stream_get_fd (
    G_UNIX_INPUT_STREAM (g_subprocess_get_stdout_pipe (child->process)));
  const guint64 now = ls_clock_ns ();
  struct pollfd ready = { .fd = fd, .events = POLLIN };
  char piece[65536];
  ssize_t n;

  if (now >= until_ns || poll (&ready, 1, (int) ((until_ns - now) / 1000000) + 1) == 0)
    {
      g_set_error (error, LS_ERROR, LS_ERROR_HUNG,
                   ngettext ("It had no answer after %u second and was stopped.",
                             "It had no answer after %u seconds and was stopped.", limit_s),
                   limit_s);
      stop (child);
      return FALSE;
    }
  n = read (fd, piece, sizeof piece);
  if (n < 0 && errno == EINTR)
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

/* The next line, (transfer full); NULL with an error, also for "no". */
static char *
read_line (LsBenchChild *child, guint limit_s, GError **error)
{
  const guint64 until = ls_clock_ns () + (guint64) limit_s * 1000000000;
  gsize searched = 0;
  char *end, *line;

  while ((end = memchr (child->buffer->str + searched, '\n', child->buffer->len - searched)) == NULL)
    {
      searched = child->buffer->len;
      if (!read_more (child, until, limit_s, error))
        return NULL;
    }
  line = g_strndup (child->buffer->str, (gsize) (end - child->buffer->str));
  g_string_erase (child->buffer, 0, end + 1 - child->buffer->str);
  if (!g_utf8_validate (line, -1, NULL))
    {
      g_autofree char *raw = line;
      line = g_utf8_make_valid (raw, -1);
    }
  if (g_str_has_prefix (line, "no\t") || g_str_equal (line, "no"))
    {
      g_set_error_literal (error, LS_ERROR, LS_ERROR_DEVICE, line[2] != '\0' ? line + 3 : _("It can’t."));
      g_clear_pointer (&line, g_free);
    }
  return line;
}

static char *
ask (LsBenchChild *child, const char *question, guint limit_s, GError **error)
{
  g_autofree char *line = g_strconcat (question, "\n", NULL);

  if (child->process == NULL)
    {
      g_set_error_literal (error, LS_ERROR, LS_ERROR_DEVICE, _("It stopped before."));
      return NULL;
    }
  if (!g_output_stream_write_all (g_subprocess_get_stdin_pipe (child->process), line, strlen (line), NULL,
                                  NULL, error))
    {
      stop (child);
      return NULL;
    }
  return read_line (child, limit_s, error);
}

LsBenchChild *
ls_bench_child_new (const char *const *argv, const char *const *environment, guint limit_s, GError **error)
{
  g_autoptr (LsBenchChild) child = g_new0 (LsBenchChild, 1);
  g_autoptr (GSubprocessLauncher) launcher = g_subprocess_launcher_new (
    G_SUBPROCESS_FLAGS_STDIN_PIPE | G_SUBPROCESS_FLAGS_STDOUT_PIPE | G_SUBPROCESS_FLAGS_STDERR_SILENCE);
  g_autofree char *line = NULL;
  g_auto (GStrv) parts = NULL;
  guint64 threads;

  for (const char *const *name = ls_bench_child_unset (); *name != NULL; name++)
    g_subprocess_launcher_unsetenv (launcher, *name);
  for (; environment != NULL && *environment != NULL; environment++)
    {
      g_auto (GStrv) pair = g_strsplit (*environment, "=", 2);
      g_subprocess_launcher_setenv (launcher, pair[0], pair[1], TRUE);
    }
  child->buffer = g_string_new (NULL);
  child->process = g_subprocess_launcher_spawnv (launcher, argv, error);
  if (child->process == NULL)
    return NULL;
  if (g_subprocess_get_identifier (child->process) != NULL) /* it may have ended already */
    child->pid = (GPid) g_ascii_strtoll (g_subprocess_get_identifier (child->process), NULL, 10);
  line = read_line (child, limit_s, error);
  if (line == NULL)
    return NULL;
  parts = g_strsplit (line, "\t", -1);
  if (g_strv_length (parts) != 2 || !g_ascii_string_to_unsigned (parts[1], 10, 1, 65536, &threads, NULL))
    {
      g_set_error_literal (error, LS_ERROR, LS_ERROR_DEVICE,
                           _("Its first line doesn’t say what it is and how many threads it has."));
      return NULL;
    }
  child->title = g_strdup (parts[0]);
  child->threads = (guint) threads;
  return g_steal_pointer (&child);
}

LsBenchChild *
ls_bench_child_self (const char *worker, const LsOptions *options, const char *const *environment,
                     GError **error)
{
  g_autoptr (GPtrArray) argv = g_ptr_array_new_with_free_func (g_free);
  guint n;
  const LsOption *rows = ls_options_table (&n);

  g_ptr_array_add (argv, g_file_read_link ("/proc/self/exe", error));
  if (g_ptr_array_index (argv, 0) == NULL)
    return NULL;
  g_ptr_array_add (argv, g_strdup (LS_BENCH_WORKER_COMMAND));
  g_ptr_array_add (argv, g_strdup (worker));
  for (guint i = 0; i < n; i++)
    {
      g_autofree char *value = ls_options_get (options, &rows[i]);
      g_ptr_array_add (argv, g_strdup_printf ("--%s=%s", rows[i].name, value));
    }
  g_ptr_array_add (argv, NULL);
  return ls_bench_child_new ((const char *const *) argv->pdata, environment, START_S, error);
}

const char *
ls_bench_child_title (const LsBenchChild *child)
{
  return child->title;
}

guint
ls_bench_child_threads (const LsBenchChild *child)
{
  return child->threads;
}

double
ls_bench_child_cpu_s (const LsBenchChild *child)
{
  return child->process != NULL ? ls_machine_process_s (child->pid) : 0;
}

gboolean
ls_bench_child_prepare (LsBenchChild *child, const char *spec, guint limit_s, char **how, GError **error)
{
  g_autofree char *line = ask (child, spec, limit_s, error);

  if (line == NULL)
    return FALSE;
  if (how != NULL)
    *how = g_str_has_prefix (line, "ok\t") ? g_strdup (line + 3) : NULL;
  return TRUE;
}

gboolean
ls_bench_child_set (LsBenchChild *child, const char *option, const char *value, GError **error)
{
  g_autofree char *question = g_strdup_printf ("set\t%s\t%s", option, value);
  g_autofree char *line = ask (child, question, ANSWER_S, error);

  return line != NULL;
}

/* FALSE: none of them is a time. */
static gboolean
take_times (const char *text, GArray *times, GError **error)
{
  const guint before = times->len;
  char *end;

  for (double us = g_ascii_strtod (text, &end); end != text; us = g_ascii_strtod (text, &end))
    {
      if (us > 0 && us < 1e12)
        g_array_append_val (times, us);
      text = end;
    }
  if (times->len == before || *text != '\0')
    {
      g_set_error_literal (error, LS_ERROR, LS_ERROR_DEVICE,
                           _("It answered with something other than times."));
      g_array_set_size (times, before);
      return FALSE;
    }
  return TRUE;
}

gboolean
ls_bench_child_run (LsBenchChild *child, guint threads, double seconds, guint limit_s, GArray *times,
                    GError **error)
{
  char number[G_ASCII_DTOSTR_BUF_SIZE];
  g_autofree char *question = g_strdup_printf ("run %u %s", threads,
                                               g_ascii_formatd (number, sizeof number, "%.3f", seconds));
  g_autofree char *line = ask (child, question, limit_s + (guint) seconds, error);

  return line != NULL && take_times (line, times, error);
}

gboolean
ls_bench_child_record (LsBenchChild *child, double seconds, GArray *plain, GArray *recorded, guint *events,
                       GError **error)
{
  char number[G_ASCII_DTOSTR_BUF_SIZE];
  g_autofree char *question = g_strdup_printf ("record %s",
                                               g_ascii_formatd (number, sizeof number, "%.3f", seconds));
  g_autofree char *line = ask (child, question, ANSWER_S + (guint) seconds, error);
  g_auto (GStrv) parts = line != NULL ? g_strsplit (line, "\t", -1) : NULL;
  guint64 n;

  if (parts == NULL)
    return FALSE;
  if (g_strv_length (parts) != 3 || !g_ascii_string_to_unsigned (parts[0], 10, 0, G_MAXUINT32, &n, NULL))
    {
      g_set_error_literal (error, LS_ERROR, LS_ERROR_DEVICE,
                           _("It answered with something other than times."));
      return FALSE;
    }
  *events = (guint) n;
  return take_times (parts[1], plain, error) && take_times (parts[2], recorded, error);
}
