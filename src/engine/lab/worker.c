/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A worker's loop: reads a line, has the kind of worker do it, answers in a line.
 */
#include "config.h"
#include "lab/worker.h"

#include <glib/gi18n-lib.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

#include "child/say.h"
#include "core/error.h"

#define MAX_SECONDS 3600
#define MAX_THREADS 1024
#define MAX_STEPS   1000000
#define MAX_SEEDS   16
#define MAX_LINE    65536 /* bytes */

typedef struct {
  const LsLabWorker *kind;
  gpointer self;
} Worker;

/* FALSE: there is no such member, or it is no time to measure for. */
static gboolean
get_seconds (const json_t *asked, const char *name, double *seconds, GError **error)
{
  return ls_json_get_double (asked, name, 0, MAX_SECONDS, seconds, error);
}

static void
put_times (json_t *said, const char *name, const GArray *times)
{
  json_t *list = ls_json_array (said, name);

  for (guint i = 0; i < times->len; i++)
    ls_json_number (list, NULL, g_array_index (times, double, i));
}

static gboolean
do_run (Worker *worker, const json_t *asked, json_t *said, GError **error)
{
  g_autoptr (GArray) times = g_array_new (FALSE, FALSE, sizeof (double));
  gint64 threads;
  double seconds;

  if (!get_seconds (asked, "run", &seconds, error)
      || !ls_json_get_int (asked, "threads", 0, MAX_THREADS, &threads, error)
      || !worker->kind->run (worker->self, (guint) threads, seconds, times, error))
    return FALSE;
  put_times (said, "us", times);
  return TRUE;
}

static gboolean
do_record (Worker *worker, const json_t *asked, json_t *said, GError **error)
{
  g_autoptr (GArray) plain = g_array_new (FALSE, FALSE, sizeof (double)),
                     recorded = g_array_new (FALSE, FALSE, sizeof (double));
  double seconds;
  guint events;

  if (!get_seconds (asked, "record", &seconds, error)
      || !worker->kind->record (worker->self, seconds, plain, recorded, &events, error))
    return FALSE;
  ls_json_whole (said, "events", events);
  put_times (said, "plain_us", plain);
  put_times (said, "recorded_us", recorded);
  return TRUE;
}

static gboolean
do_bound (Worker *worker, const json_t *asked, json_t *said, GError **error)
{
  g_autoptr (GArray) shares = g_array_new (FALSE, FALSE, sizeof (double));
  double seconds;

  if (!get_seconds (asked, "bound", &seconds, error)
      || !worker->kind->bound (worker->self, seconds, shares, error))
    return FALSE;
  put_times (said, "shares", shares);
  return TRUE;
}

static gboolean
do_learn (Worker *worker, const json_t *asked, json_t *said, GError **error)
{
  g_autoptr (GArray) right = g_array_new (FALSE, FALSE, sizeof (double));
  gint64 steps, seeds;

  if (!ls_json_get_int (asked, "learn", 1, MAX_STEPS, &steps, error)
      || !ls_json_get_int (asked, "seeds", 1, MAX_SEEDS, &seeds, error)
      || !worker->kind->learn (worker->self, (guint) steps, (guint) seeds, right, error))
    return FALSE;
  put_times (said, "right", right);
  return TRUE;
}

static gboolean
do_set (Worker *worker, const json_t *asked, json_t *said, GError **error)
{
  const char *name = ls_json_get_string (asked, "set", error),
             *value = name != NULL ? ls_json_get_string (asked, "value", error) : NULL;

  return value != NULL && worker->kind->set (worker->self, name, value, error);
}

static gboolean
do_prepare (Worker *worker, const json_t *asked, json_t *said, GError **error)
{
  const char *spec = ls_json_get_string (asked, "prepare", error);
  g_autofree char *how = NULL;

  if (spec == NULL || !worker->kind->prepare (worker->self, spec, &how, error))
    return FALSE;
  if (how != NULL)
    ls_json_text (said, "how", how);
  return TRUE;
}

/* The answer to a line. (transfer full) */
static json_t *
answer (Worker *worker, const char *line, gsize length)
{
  const LsLabWorker *kind = worker->kind;
  const struct {
    const char *name;
    gboolean (*act) (Worker *worker, const json_t *asked, json_t *said, GError **error);
  } acts[] = { { "prepare", do_prepare },
               { "run", do_run },
               { "set", kind->set != NULL ? do_set : NULL },
               { "record", kind->record != NULL ? do_record : NULL },
               { "bound", kind->bound != NULL ? do_bound : NULL },
               { "learn", kind->learn != NULL ? do_learn : NULL } };
  g_autoptr (GError) error = NULL;
  g_autoptr (json_t) asked = ls_json_parse (line, length, MAX_LINE, JSON_OBJECT, &error);
  json_t *said = json_object ();
  gboolean known = asked == NULL;

  for (gsize i = 0; i < G_N_ELEMENTS (acts); i++)
    if (asked != NULL && acts[i].act != NULL && json_object_get (asked, acts[i].name) != NULL)
      {
        known = TRUE;
        acts[i].act (worker, asked, said, &error);
        break;
      }
  if (!known)
    g_set_error_literal (&error, LS_ERROR, LS_ERROR_USAGE, _("A worker isn’t asked that."));
  if (error != NULL)
    ls_json_text (said, "no", error->message);
  return said;
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

static const LsLabWorker *
find_kind (const LsLabWorker *const *workers, const char *name)
{
  while (*workers != NULL && g_strcmp0 ((*workers)->name, name) != 0)
    workers++;
  return *workers;
}

int
ls_lab_worker_main (int argc, char **argv, const LsLabWorker *const *workers)
{
  g_autoptr (LsOptions) options = ls_options_new ();
  g_autoptr (GError) error = NULL;
  g_autofree char *title = NULL;
  Worker worker = { .kind = find_kind (workers, argc > 2 ? argv[2] : NULL) };
  const int fd = ls_say_alone ();
  json_t *hello = json_object ();
  guint threads = 1;
  char *line = NULL;
  size_t room = 0;
  ssize_t length;

  ls_say_settle (); /* the next one would measure beside it */
  if (worker.kind == NULL || !take_options (options, argv + 3, &error)
      || (worker.self = worker.kind->open (worker.kind->name, options, &title, &threads, &error)) == NULL)
    {
      ls_json_text (hello, "no", error != NULL ? error->message : _("There is no such worker."));
      ls_say (fd, hello);
      return EXIT_FAILURE;
    }
  ls_json_text (hello, "title", title);
  ls_json_whole (hello, "threads", threads);
  if (worker.kind->key != NULL)
    {
      g_autofree char *key = worker.kind->key (worker.self);
      ls_json_text (hello, "key", key);
    }
  if (worker.kind->kind != NULL)
    ls_json_text (hello, "kind", ls_device_kind_name (worker.kind->kind (worker.self)));
  ls_say (fd, hello);
  while ((length = getline (&line, &room, stdin)) > 0)
    if (!ls_say (fd, answer (&worker, line, (gsize) length)))
      break;
  free (line);
  worker.kind->close (worker.self);
  return EXIT_SUCCESS;
}
