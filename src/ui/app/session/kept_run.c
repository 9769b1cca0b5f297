/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See kept_run.h.
 */
#include "config.h"
#include "ui/app/session/kept_run.h"

#include <glib/gi18n.h>
#include <string.h>

#include "core/error.h"
#include "core/file.h"
#include "core/rc_box.h"
#include "data/dataset.h"
#include "data/defaults.h"
#include "files/json.h"
#include "files/weights.h"

#define FORMAT    1
#define MAX_BYTES (1u << 20)

static void
run_clear (gpointer data)
{
  LsKeptRun *run = data;

  g_clear_pointer (&run->options, ls_options_free);
  g_free (run->weights);
  g_clear_pointer (&run->recording, ls_recording_unref);
}

LS_RC_BOX (LsKeptRun, ls_kept_run, run_clear)

static char *
path_of (const char *folder, const char *kind, guint64 serial)
{
  g_autofree char *name = g_strdup_printf ("%s-%" G_GUINT64_FORMAT, kind, serial);

  return g_build_filename (folder, name, NULL);
}

char *
ls_kept_run_weights (const char *folder, guint64 serial)
{
  return path_of (folder, "weights", serial);
}

char *
ls_kept_run_recording (const char *folder, guint64 serial)
{
  return path_of (folder, "recording", serial);
}

/* The pace is of one start, and the header's. */
static gboolean
is_kept (const LsOption *option)
{
  return option != ls_options_find ("pace");
}

char *
ls_kept_run_describe (const LsOptions *options, const LsPlan *plan, guint64 step, guint64 weights,
                      guint64 recording)
{
  g_autoptr (json_t) run = json_object ();
  json_t *given, *shape;
  guint n;
  const LsOption *rows = ls_options_table (&n);

  ls_json_whole (run, "format", FORMAT);
  ls_json_whole (run, "step", (gint64) step);
  ls_json_whole (run, "weights", (gint64) weights);
  ls_json_whole (run, "recording", (gint64) recording);
  shape = ls_json_array (run, "shape");
  for (guint i = 0; i < G_N_ELEMENTS (plan->in_shape); i++)
    ls_json_whole (shape, NULL, plan->in_shape[i]);
  ls_json_whole (run, "classes", plan->n_classes);
  ls_json_whole (run, "batch", plan->batch);
  given = ls_json_object (run, "options");
  for (guint i = 0; i < n; i++)
    if (ls_options_is_given (options, &rows[i]) && is_kept (&rows[i]))
      {
        g_autofree char *text = ls_options_get (options, &rows[i]);
        ls_json_text (given, rows[i].name, text);
      }
  return json_dumps (run, JSON_INDENT (1));
}

static gboolean
read_options (LsOptions *options, json_t *given, gint n_classes, gint64 batch, GError **error)
{
  const char *name;
  json_t *value;

  json_object_foreach (given, name, value)
    {
      const LsOption *option = ls_options_find (name);
      const char *text = ls_json_get_string (given, name, error);

      if (text == NULL)
        return FALSE;
      if (option == NULL || !is_kept (option))
        {
          g_set_error (error, LS_ERROR, LS_ERROR_DATA, _("it has an option “%s”, which isn’t known."), name);
          return FALSE;
        }
      if (!ls_options_set (options, option, text, error))
        return FALSE;
    }
  /* the run's own batch is what halving came to: it comes to the same again */
  ls_data_suggest (options, g_strv_contains (ls_data_names (), options->data) ? 0 : n_classes, batch);
  return TRUE;
}

/* The recorded step is one of that model's, up to that step. */
static gboolean
fits (const LsRecording *recording, const LsPlan *plan, guint64 step)
{
  gboolean same = recording->step <= step && strcmp (recording->model, plan->model->text) == 0
                  && recording->optimizer == plan->optimizer && recording->batch == plan->batch
                  && recording->n_classes == plan->n_classes && recording->n_ops == plan->n_ops
                  && recording->n_shapes == plan->n_tensors
                  && memcmp (recording->in_shape, plan->in_shape, sizeof plan->in_shape) == 0;

  for (guint i = 0; i < plan->n_ops && same; i++)
    same = strcmp (recording->ops[i].name, plan->ops[i].klass->name) == 0;
  return same;
}

/* All of it is read: what can't be used isn't offered. */
static gboolean
read_files (LsKeptRun *run, const char *recording, const gint64 shape[3], gint n_classes, GError **error)
{
  const LsOptions *o = run->options;
  g_autoptr (LsModel) model = ls_model_parse (o->model, error);
  g_autoptr (LsPlan) plan = model != NULL ? ls_plan_new (model, shape, n_classes, (guint) o->batch,
                                                         (LsOptimizer) o->optimizer, error)
                                          : NULL;
  float **values = plan != NULL ? ls_weights_load (run->weights, plan, error) : NULL;

  if (values == NULL)
    return FALSE;
  ls_weights_free (values);
  if (recording != NULL && (run->recording = ls_recording_load (recording, error)) == NULL)
    return FALSE;
  if (run->recording == NULL || fits (run->recording, plan, run->step))
    return TRUE;
  g_set_error (error, LS_ERROR, LS_ERROR_DATA, _("its recorded step is of another run."));
  return FALSE;
}

LsKeptRun *
ls_kept_run_load (const char *folder, GError **error)
{
  g_autofree char *path = g_build_filename (folder, LS_KEPT_RUN_NAME, NULL), *recording = NULL;
  g_autoptr (GBytes) bytes = ls_file_read (path, MAX_BYTES, error);
  g_autoptr (LsKeptRun) run = g_atomic_rc_box_new0 (LsKeptRun);
  g_autoptr (json_t) json = NULL;
  gint64 format, step, classes, batch = 0, of_weights, of_recording, shape[3];
  json_t *given;
  gconstpointer text;
  gsize length;
  guint n;

  if (bytes == NULL)
    return NULL;
  text = g_bytes_get_data (bytes, &length);
  json = ls_json_parse (text != NULL ? text : "", length, MAX_BYTES, JSON_OBJECT, error);
  if (json == NULL || !ls_json_get_int (json, "format", FORMAT, FORMAT, &format, error)
      || !ls_json_get_int (json, "step", 1, LS_CURVE_MAX - 1, &step, error)
      || !ls_json_get_int (json, "weights", 1, G_MAXINT64, &of_weights, error)
      || !ls_json_get_int (json, "recording", 0, G_MAXINT64, &of_recording, error)
      || !ls_json_get_ints (json, "shape", 1, G_MAXINT32, 3, 3, shape, &n, error)
      || !ls_json_get_int (json, "classes", 1, G_MAXINT32, &classes, error)
      || (json_object_get (json, "batch") != NULL /* older versions wrote none */
          && !ls_json_get_int (json, "batch", 1, G_MAXINT32, &batch, error))
      || (given = ls_json_get_object (json, "options", error)) == NULL)
    return NULL;
  run->step = (guint64) step;
  run->weights = ls_kept_run_weights (folder, (guint64) of_weights);
  run->options = ls_options_new ();
  recording = of_recording > 0 ? ls_kept_run_recording (folder, (guint64) of_recording) : NULL;
  if (!read_options (run->options, given, (gint) classes, batch, error)
      || !read_files (run, recording, shape, (gint) classes, error))
    return NULL;
  return g_steal_pointer (&run);
}
