/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Questions to a worker, and its answers, each with a deadline.
 */
#include "config.h"
#include "lab/child.h"

#include <glib/gi18n-lib.h>

#include "child/child.h"
#include "core/error.h"
#include "lab/machine.h"
#include "lab/worker.h"

#define START_S     60                 /* PoCL may have to compile the probe's kernels */
#define ANSWER_S    30                 /* for what takes no time */
#define GRACE_MS    1000               /* to close its device */
#define MAX_LINE    ((gsize) 64 << 20) /* bytes */
#define MAX_THREADS 65536

struct _LsLabChild {
  LsChild child;
  GCancellable *cancel; /* may be NULL */
  char *title, *key;
  guint threads;
  LsDeviceKind kind;
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
    LS_UNITS_VARIABLE,
    NULL,
  };

  return names;
}

gboolean
ls_lab_child_gone (const LsLabChild *child)
{
  return child->child.pid == 0;
}

void
ls_lab_child_free (LsLabChild *child)
{
  if (child == NULL)
    return;
  ls_child_end (&child->child, g_cancellable_is_cancelled (child->cancel) ? 0 : GRACE_MS);
  ls_child_clear (&child->child);
  g_clear_object (&child->cancel);
  g_free (child->title);
  g_free (child->key);
  g_free (child);
}

/* The next line, (transfer full); NULL with an error, also for a no. */
static json_t *
hear (LsLabChild *child, guint limit_s, GError **error)
{
  g_autoptr (json_t) said = ls_child_hear (&child->child, limit_s * 1000, child->cancel, error);
  const char *no;

  if (said == NULL || !ls_json_get_string_or_null (said, "no", &no, error))
    {
      /* what comes after a line that can't be read would be taken for the answer to another question */
      ls_child_end (&child->child, 0);
      return NULL;
    }
  if (no == NULL)
    return g_steal_pointer (&said);
  g_set_error_literal (error, LS_ERROR, LS_ERROR_DEVICE, *no != '\0' ? no : _("It can’t."));
  return NULL;
}

/* Takes the question over. */
static json_t *
ask (LsLabChild *child, json_t *question, guint limit_s, GError **error)
{
  if (ls_child_say (&child->child, question))
    return hear (child, limit_s, error);
  ls_child_end (&child->child, 0);
  g_set_error_literal (error, LS_ERROR, LS_ERROR_DEVICE, _("It stopped before."));
  return NULL;
}

static LsDeviceKind
kind_of (const char *name)
{
  for (guint i = 0; name != NULL && ls_device_kind_names[i] != NULL; i++)
    if (g_str_equal (ls_device_kind_names[i], name))
      return (LsDeviceKind) (i + 1);
  return LS_DEVICE_UNKNOWN;
}

LsLabChild *
ls_lab_child_new (const char *const *argv, const char *const *environment, guint limit_s,
                  GCancellable *cancel, GError **error)
{
  g_autoptr (LsLabChild) child = g_new0 (LsLabChild, 1);
  g_auto (GStrv) all = g_get_environ ();
  g_autoptr (json_t) hello = NULL;
  const char *title;
  gint64 threads;

  for (const char *const *name = ls_lab_child_unset (); *name != NULL; name++)
    all = g_environ_unsetenv (all, *name);
  for (; environment != NULL && *environment != NULL; environment++)
    {
      g_auto (GStrv) pair = g_strsplit (*environment, "=", 2);
      all = g_environ_setenv (all, pair[0], pair[1], TRUE);
    }
  child->cancel = cancel != NULL ? g_object_ref (cancel) : NULL;
  if (!ls_child_start (&child->child, argv, all, LS_CHILD_PIPE, MAX_LINE, error))
    return NULL;
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
  child->key = g_strdup (ls_json_get_string (hello, "key", NULL));
  child->threads = (guint) threads;
  child->kind = kind_of (ls_json_get_string (hello, "kind", NULL));
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

const char *
ls_lab_child_key (const LsLabChild *child)
{
  return child->key;
}

guint
ls_lab_child_threads (const LsLabChild *child)
{
  return child->threads;
}

LsDeviceKind
ls_lab_child_kind (const LsLabChild *child)
{
  return child->kind;
}

double
ls_lab_child_cpu_s (const LsLabChild *child)
{
  return child->child.pid != 0 ? ls_machine_family_s (child->child.pid) : 0;
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

/* Appends numbers of 0 … 1. FALSE: there is none, or one of them is no such number. */
static gboolean
take_shares (const json_t *answer, const char *name, GArray *shares, GError **error)
{
  const json_t *list = json_object_get (answer, name), *value;
  const guint before = shares->len;
  gsize i;

  json_array_foreach ((json_t *) list, i, value)
  {
    const double share = json_is_number (value) ? json_number_value (value) : -1;
    if (!(share >= 0 && share <= 1))
      break;
    g_array_append_val (shares, share);
  }
  if (shares->len > before && i == json_array_size (list))
    return TRUE;
  g_set_error_literal (error, LS_ERROR, LS_ERROR_DEVICE, _("It answered with something other than shares."));
  g_array_set_size (shares, before);
  return FALSE;
}

gboolean
ls_lab_child_bound (LsLabChild *child, double seconds, GArray *shares, GError **error)
{
  json_t *question = json_object ();
  g_autoptr (json_t) answer = NULL;

  ls_json_number (question, "bound", seconds);
  answer = ask (child, question, ANSWER_S + (guint) seconds, error);
  return answer != NULL && take_shares (answer, "shares", shares, error);
}

gboolean
ls_lab_child_learn (LsLabChild *child, guint steps, guint seeds, guint limit_s, GArray *right, GError **error)
{
  json_t *question = json_object ();
  g_autoptr (json_t) answer = NULL;

  ls_json_whole (question, "learn", steps);
  ls_json_whole (question, "seeds", seeds);
  answer = ask (child, question, limit_s, error);
  return answer != NULL && take_shares (answer, "right", right, error);
}
