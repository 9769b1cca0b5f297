/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What is kept of experiments with the run's lanes, read on a thread, or what a recording holds of them, and
 * what of all that the pictures show.
 */
#include "config.h"
#include "ui/app/session/session_private.h"

#include "data/recorded_run.h"
#include "lab/kept.h"
#include "lab/lab.h"
#include "ui/app/session/session_lab.h"

void
ls_session_kept_free (LsSessionKept *kept)
{
  if (kept == NULL)
    return;
  g_ptr_array_unref (kept->finished);
  g_ptr_array_unref (kept->broken_off);
  g_ptr_array_unref (kept->foreign);
  for (guint i = 0; i < LS_CONVERTED_N; i++)
    ls_converted_unref (kept->converted[i]);
  g_free (kept->unused);
  g_free (kept);
}

static LsSessionKept *
kept_new (void)
{
  LsSessionKept *kept = g_new0 (LsSessionKept, 1);

  kept->finished = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_lab_result_unref);
  kept->broken_off = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_lab_result_unref);
  kept->foreign = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_lab_result_unref);
  return kept;
}

static gboolean
kept_any (const LsSessionKept *kept)
{
  gboolean any = kept != NULL
                 && (kept->finished->len > 0 || kept->broken_off->len > 0 || kept->foreign->len > 0
                     || kept->unused != NULL);

  for (guint i = 0; i < LS_CONVERTED_N && kept != NULL; i++)
    any = any || kept->converted[i] != NULL;
  return any;
}

/* What became of that network in other numbers. */
static void
read_converted (LsSessionKept *kept, const LsOptions *options)
{
  for (guint i = 0; i < LS_CONVERTED_N; i++)
    {
      const LsConvertedWish wish = { .kind = (LsConvertedKind) i, .options = options };
      g_autofree char *why = NULL;

      kept->converted[i] = ls_converted_kept (&wish, &why);
      if (why != NULL)
        ls_session_lab_append (&kept->unused, why);
    }
}

static void
read_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  LsSessionKept *kept = kept_new ();
  guint n;
  const LsExperiment *const *all = ls_experiments (&n);

  for (guint i = 0; i < 2 * n; i++)
    {
      const gboolean finished = i % 2 == 0;
      g_autofree char *why = NULL;
      LsLabResult *result = finished ? ls_lab_kept (all[i / 2], data, TRUE, &why)
                                     : ls_lab_kept_exactly (all[i / 2], data, FALSE, LS_LAB_SECONDS,
                                                            LS_LAB_ROUNDS, &why);

      if (result != NULL)
        g_ptr_array_add (finished ? kept->finished : kept->broken_off, result);
      else if (finished && (result = ls_lab_kept_foreign (all[i / 2], data)) != NULL)
        g_ptr_array_add (kept->foreign, result);
      if (why != NULL)
        ls_session_lab_append (&kept->unused, why);
    }
  read_converted (kept, data);
  g_task_return_pointer (task, kept, (GDestroyNotify) ls_session_kept_free);
}

/* Where nothing was and nothing is, nobody is told. */
static void
set_kept (LsSession *self, LsSessionKept *kept)
{
  const gboolean tell = kept_any (self->kept) || kept_any (kept);

  ls_session_kept_free (self->kept);
  self->kept = kept;
  if (!tell)
    return;
  if (self->file == NULL && self->data != NULL)
    ls_session_rebuild (self);
  ls_session_emit_state (self);
}

static void
read_cb (GObject *source, GAsyncResult *result, gpointer data)
{
  GWeakRef *asked = data;
  g_autoptr (LsSession) self = g_weak_ref_get (asked);
  LsSessionKept *kept = g_task_propagate_pointer (G_TASK (result), NULL);

  g_weak_ref_clear (asked);
  g_free (asked);
  if (self == NULL || G_TASK (result) != self->reading || self->ended)
    {
      ls_session_kept_free (kept);
      return;
    }
  self->reading = NULL;
  set_kept (self, kept);
}

void
ls_session_read_kept (LsSession *self)
{
  GWeakRef *asks = g_new (GWeakRef, 1); /* what is read doesn't keep it */
  g_autoptr (GTask) task = g_task_new (NULL, NULL, read_cb, asks);

  g_weak_ref_init (asks, self);
  g_task_set_task_data (task, ls_options_copy (self->options), (GDestroyNotify) ls_options_free);
  self->reading = task;
  g_task_run_in_thread (task, read_thread);
}

LsSessionKept *
ls_session_recorded_kept (const LsRecording *recording, GError **error)
{
  g_autoptr (GPtrArray) results = recording->lab != NULL ? ls_lab_results_parse (recording->lab, error)
                                                         : NULL;
  LsSessionKept *kept = kept_new ();
  g_autoptr (LsOptions) options = ls_options_new ();

  ls_recorded_run_take (recording, TRUE, options);
  read_converted (kept, options);
  for (guint i = 0; results != NULL && i < results->len; i++)
    g_ptr_array_add (ls_lab_result_whole (results->pdata[i]) ? kept->finished : kept->broken_off,
                     ls_lab_result_ref (results->pdata[i]));
  return kept;
}

const LsSessionKept *
ls_session_lab_kept (LsSession *self)
{
  return self->file != NULL ? self->recorded : self->kept;
}

LsLabResult *
ls_session_lab_find (const GPtrArray *results, const LsExperiment *experiment)
{
  for (guint i = 0; i < results->len; i++)
    if (((LsLabResult *) results->pdata[i])->experiment == experiment)
      return results->pdata[i];
  return NULL;
}

/* Those of experiments of which nothing is shown yet. */
static void
show_too (GPtrArray *shown, const GPtrArray *further)
{
  for (guint i = 0; i < further->len; i++)
    {
      LsLabResult *result = further->pdata[i];
      if (ls_session_lab_find (shown, result->experiment) == NULL)
        g_ptr_array_add (shown, ls_lab_result_ref (result));
    }
}

/* What is kept, with what was broken off where nothing finished stands; (transfer full). */
GPtrArray *
ls_session_lab_shown (LsSession *self)
{
  const LsSessionKept *kept = ls_session_lab_kept (self);
  GPtrArray *shown;

  if (kept == NULL)
    return NULL;
  shown = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_lab_result_unref);
  show_too (shown, kept->finished);
  show_too (shown, kept->broken_off);
  show_too (shown, kept->foreign);
  return shown;
}
