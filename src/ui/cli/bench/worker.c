/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A worker's loop: reads a line, has the kind of worker do it, answers in a line.
 */
#include "config.h"
#include "ui/cli/bench/worker.h"

#include <glib/gi18n.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"

#define MAX_SECONDS 3600

typedef struct {
  const LsBenchWorker *kind;
  gpointer self;
} Worker;

static void
put_times (const GArray *times)
{
  char number[G_ASCII_DTOSTR_BUF_SIZE];

  for (guint i = 0; i < times->len; i++)
    {
      fputs (i > 0 ? " " : "", stdout);
      fputs (g_ascii_formatd (number, sizeof number, "%.3f", g_array_index (times, double, i)), stdout);
    }
}

/* An answer is one line, whatever a driver's message is like. */
static void
put_line (const char *first, const char *text)
{
  g_autofree char *flat = g_strdelimit (g_strdup (text != NULL ? text : ""), "\n\r\t", ' ');

  printf ("%s%s%s\n", first, *flat != '\0' ? "\t" : "", flat);
}

static gboolean
read_seconds (const char *text, double *seconds)
{
  char *end;

  *seconds = g_ascii_strtod (text, &end);
  return end != text && *end == '\0' && *seconds >= 0 && *seconds <= MAX_SECONDS;
}

static gboolean
do_run (Worker *worker, const char *line, GError **error)
{
  g_auto (GStrv) words = g_strsplit (line, " ", -1);
  g_autoptr (GArray) times = g_array_new (FALSE, FALSE, sizeof (double));
  guint64 threads;
  double seconds;

  if (g_strv_length (words) != 3 || !g_ascii_string_to_unsigned (words[1], 10, 0, 1024, &threads, NULL)
      || !read_seconds (words[2], &seconds))
    {
      g_set_error_literal (error, LS_ERROR, LS_ERROR_USAGE, _("“run” wants threads and seconds."));
      return FALSE;
    }
  if (!worker->kind->run (worker->self, (guint) threads, seconds, times, error))
    return FALSE;
  put_times (times);
  putchar ('\n');
  return TRUE;
}

static gboolean
do_record (Worker *worker, const char *text, GError **error)
{
  g_autoptr (GArray) plain = g_array_new (FALSE, FALSE, sizeof (double)),
                     recorded = g_array_new (FALSE, FALSE, sizeof (double));
  double seconds;
  guint events;

  if (worker->kind->record == NULL || !read_seconds (text, &seconds))
    {
      g_set_error_literal (error, LS_ERROR, LS_ERROR_USAGE, _("“record” is for lanes, and wants seconds."));
      return FALSE;
    }
  if (!worker->kind->record (worker->self, seconds, plain, recorded, &events, error))
    return FALSE;
  printf ("%u\t", events);
  put_times (plain);
  putchar ('\t');
  put_times (recorded);
  putchar ('\n');
  return TRUE;
}

static gboolean
do_set (Worker *worker, const char *line, GError **error)
{
  g_auto (GStrv) words = g_strsplit (line, "\t", -1);

  if (worker->kind->set == NULL || g_strv_length (words) != 3)
    {
      g_set_error_literal (error, LS_ERROR, LS_ERROR_USAGE,
                           _("“set” is for lanes, and wants an option and its value."));
      return FALSE;
    }
  if (!worker->kind->set (worker->self, words[1], words[2], error))
    return FALSE;
  put_line ("ok", NULL);
  return TRUE;
}

static void
answer (Worker *worker, const char *line)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *how = NULL;

  if (g_str_has_prefix (line, "run "))
    do_run (worker, line, &error);
  else if (g_str_has_prefix (line, "record "))
    do_record (worker, line + strlen ("record "), &error);
  else if (g_str_has_prefix (line, "set\t"))
    do_set (worker, line, &error);
  else if (worker->kind->prepare (worker->self, line, &how, &error))
    put_line ("ok", how);
  if (error != NULL)
    put_line ("no", error->message);
  fflush (stdout);
}

/* "--threads=2": as the parent was given them. */
static gboolean
take_options (LsOptions *options, char **argv, GError **error)
{
  for (; *argv != NULL; argv++)
    {
      g_auto (GStrv) parts = g_strsplit (*argv, "=", 2);
      const LsOption *row = g_str_has_prefix (parts[0], "--") ? ls_options_find (parts[0] + 2) : NULL;

      if (row == NULL || parts[1] == NULL)
        {
          g_set_error (error, LS_ERROR, LS_ERROR_USAGE, _("“%s” is no option of a worker."), *argv);
          return FALSE;
        }
      if (!ls_options_set (options, row, parts[1], error))
        return FALSE;
    }
  return TRUE;
}

static const LsBenchWorker *
find_kind (const LsBenchWorker *const *workers, const char *name)
{
  while (*workers != NULL && g_strcmp0 ((*workers)->name, name) != 0)
    workers++;
  return *workers;
}

int
ls_bench_worker_main (int argc, char **argv, const LsBenchWorker *const *workers)
{
  g_autoptr (LsOptions) options = ls_options_new ();
  g_autoptr (GError) error = NULL;
  g_autofree char *title = NULL;
  Worker worker = { .kind = find_kind (workers, argc > 2 ? argv[2] : NULL) };
  guint threads = 1;
  char *line = NULL;
  size_t room = 0;
  ssize_t length;

  if (worker.kind == NULL || !take_options (options, argv + 3, &error)
      || (worker.self = worker.kind->open (worker.kind->name, options, &title, &threads, &error)) == NULL)
    {
      put_line ("no", error != NULL ? error->message : _("There is no such worker."));
      fflush (stdout);
      return EXIT_FAILURE;
    }
  g_strdelimit (title, "\n\r\t", ' ');
  printf ("%s\t%u\n", title, threads);
  fflush (stdout);
  while ((length = getline (&line, &room, stdin)) > 0)
    {
      if (line[length - 1] == '\n')
        line[length - 1] = '\0';
      answer (&worker, line);
    }
  free (line);
  worker.kind->close (worker.self);
  return EXIT_SUCCESS;
}
