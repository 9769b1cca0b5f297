/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See played_tuner.h.
 */
#include "played_tuner.h"

#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

#include "core/error.h"

PlayedTuner fake;

LsCl *__wrap_ls_cl_new (guint lane);
LsClDevices *__wrap_ls_cl_devices_new (void);
const LsClDevice *__wrap_ls_cl_devices_choose (const LsClDevices *list, const char *wish, GError **error);
gboolean __wrap_ls_cl_open_queues (LsCl *self, GError **error);
gboolean __wrap_ls_tune_task_start (LsTuneTask *task, LsCl *cl, GError **error);
gboolean __wrap_ls_tune_install (LsCl *cl, const LsTuneCandidate *candidate, GError **error);
gboolean __wrap_ls_tune_verify (LsTuneTask *task, LsCl *cl, GError **error);
double __wrap_ls_tune_time (LsTuneTask *task, LsCl *cl, guint n, GError **error);
gint64 __wrap_g_get_monotonic_time (void);

LsCl *
__wrap_ls_cl_new (G_GNUC_UNUSED guint lane)
{
  return &fake.cl;
}

LsClDevices *
__wrap_ls_cl_devices_new (void)
{
  return NULL;
}

const LsClDevice *
__wrap_ls_cl_devices_choose (G_GNUC_UNUSED const LsClDevices *list, const char *wish, GError **error)
{
  g_free (fake.index);
  fake.index = g_strdup (wish);
  if (fake.opens)
    return &fake.device;
  g_set_error_literal (error, LS_ERROR, LS_ERROR_NO_DEVICE, "there is none");
  return NULL;
}

gboolean
__wrap_ls_cl_open_queues (G_GNUC_UNUSED LsCl *self, G_GNUC_UNUSED GError **error)
{
  return TRUE;
}

gint64
__wrap_g_get_monotonic_time (void)
{
  return fake.now_us;
}

gboolean
__wrap_ls_tune_task_start (LsTuneTask *task, G_GNUC_UNUSED LsCl *cl, GError **error)
{
  fake.task = task;
  if (g_str_equal (task->example, WATCHED))
    fake.product = task;
  g_hash_table_remove_all (fake.turns);
  if (task != fake.product || !fake.unready)
    return TRUE;
  g_set_error_literal (error, LS_ERROR, LS_ERROR_MEMORY, "no memory");
  return FALSE;
}

gboolean
__wrap_ls_tune_install (G_GNUC_UNUSED LsCl *cl, const LsTuneCandidate *candidate,
                        G_GNUC_UNUSED GError **error)
{
  const guint before = GPOINTER_TO_UINT (g_hash_table_lookup (fake.turns, candidate->words));

  g_strlcpy (fake.words, candidate->words, sizeof fake.words);
  g_hash_table_insert (fake.turns, g_strdup (candidate->words), GUINT_TO_POINTER (before + 1));
  fake.run = 0;
  return TRUE;
}

gboolean
__wrap_ls_tune_verify (LsTuneTask *task, G_GNUC_UNUSED LsCl *cl, GError **error)
{
  if (task != fake.product || g_strcmp0 (fake.words, fake.refused) != 0)
    return TRUE;
  g_set_error_literal (error, LS_ERROR, LS_ERROR_DATA, "it is wrong");
  return FALSE;
}

double
__wrap_ls_tune_time (LsTuneTask *task, G_GNUC_UNUSED LsCl *cl, guint n, GError **error)
{
  Run run = { .turn = GPOINTER_TO_UINT (g_hash_table_lookup (fake.turns, fake.words)) - 1,
              .run = fake.run++,
              .n = n };
  double us = g_str_equal (fake.words, "naive") ? 5 : 10;

  g_strlcpy (run.words, fake.words, sizeof run.words);
  if (task == fake.product)
    {
      g_array_append_val (fake.runs, run);
      us = fake.times (&run);
    }
  else
    fake.most = MAX (fake.most, n);
  if (us < 0)
    g_set_error_literal (error, LS_ERROR, LS_ERROR_DEVICE, "it stopped");
  else
    fake.now_us += (gint64) (us * n + .5);
  return us;
}

/* ---- a child that is played ---- */

void
fake_begin (Times times)
{
  memset (&fake, 0, sizeof fake);
  fake.device.info = ls_device_info_new ("opencl");
  fake.device.info->name = g_strdup ("a device");
  fake.device.info->version = g_strdup ("its version");
  fake.device.info->driver = g_strdup ("its driver");
  fake.device.platform_name = (char *) "a platform";
  fake.device.platform_version = (char *) "of 2026";
  fake.device.limits = (LsClLimits){ .is_cpu = TRUE,
                                     .max_group = 4096,
                                     .max_item = { 4096, 4096, 4096 },
                                     .local_mem = 1 << 20,
                                     .vector_width = 8,
                                     .units = 2 };
  fake.now_us = 1000000;
  fake.opens = TRUE;
  fake.times = times;
  fake.turns = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  fake.runs = g_array_new (FALSE, FALSE, sizeof (Run));
}

void
fake_end (void)
{
  ls_device_info_free (fake.device.info);
  g_hash_table_unref (fake.turns);
  g_array_unref (fake.runs);
  g_free (fake.index);
}

LsTuneJob *
job_new (guint seconds)
{
  LsTuneJob *job = g_new0 (LsTuneJob, 1);

  job->device = 3;
  job->wish.seconds = seconds;
  job->wish.n_plans = 1;
  job->wish.plans[0] = (LsTunePlan){ g_strdup (MODEL), { 1, 4, 4 }, 10, 32, LS_OPTIMIZER_SGD };
  job->skip = g_ptr_array_new_with_free_func (g_free);
  return job;
}

/* What the child says of that job; (transfer full). */
static json_t *
said_of (const char *text)
{
  g_autofree char *path = NULL, *lines = NULL;
  const int fd = g_file_open_tmp ("lockstep-search-XXXXXX", &path, NULL);
  json_t *said = json_array ();

  g_assert_cmpint (fd, >=, 0);
  g_assert_true (ls_tune_child (fd, text));
  close (fd);
  g_assert_true (g_file_get_contents (path, &lines, NULL, NULL));
  g_unlink (path);
  g_auto (GStrv) split = g_strsplit (lines, "\n", -1);
  for (char **line = split; **line != '\0'; line++)
    {
      json_t *object = json_loads (*line, 0, NULL);
      g_assert_nonnull (object);
      json_array_append_new (said, object);
    }
  if (fake.cl.info != NULL)
    g_assert_cmpstr (fake.cl.rung, ==, "auto"); /* or it had but one rung to try */
  ls_device_info_free (fake.cl.info);
  g_free (fake.cl.rung);
  return said;
}

json_t *
child_says (const LsTuneJob *job)
{
  g_autofree char *text = ls_tune_job_to_text (job);

  return said_of (text);
}

const char *
text_of (const json_t *line, const char *name)
{
  return json_string_value (json_object_get (line, name));
}

/* It is of the product whose times the test says. */
gboolean
is_watched (const json_t *line)
{
  return fake.product != NULL && g_strcmp0 (text_of (line, "op"), "matmul") == 0
         && g_strcmp0 (text_of (line, "example"), WATCHED) == 0;
}

/* Its entry; NULL: there is none. (transfer full) */
LsTunedEntry *
entry_of (const json_t *said)
{
  LsTunedEntry *entry = NULL;
  json_t *line;
  gsize i;

  json_array_foreach (said, i, line) if (is_watched (json_object_get (line, "entry")))
  {
    g_assert_null (entry);
    entry = ls_tuned_entry_from_json (json_object_get (line, "entry"), NULL);
    g_assert_nonnull (entry);
  }
  return entry;
}

guint
times_said (const json_t *said, const char *candidate)
{
  guint n = 0;
  json_t *line;
  gsize i;

  json_array_foreach (said, i, line) n += is_watched (line)
                                          && g_str_equal (text_of (line, "candidate"), candidate);
  return n;
}

/* The sentence of what was dropped begins like that; how many. */
guint
times_dropped (const json_t *said, const char *begin)
{
  guint n = 0;
  json_t *line;
  gsize i;

  json_array_foreach (said, i, line) n += text_of (line, "dropped") != NULL
                                          && g_str_has_prefix (text_of (line, "dropped"), begin);
  return n;
}
