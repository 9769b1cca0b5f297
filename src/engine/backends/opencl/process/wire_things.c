/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What goes both ways between the program and the process of its OpenCL lane: see wire.h.
 */
#include "config.h"
#include "backends/opencl/process/wire.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "core/error.h"

/* ---- plan and data ---- */

void
ls_wire_put_plan (json_t *head, const LsPlan *plan)
{
  json_t *into = ls_json_object (head, "plan");

  ls_json_text (into, "model", plan->model->text);
  ls_json_whole (into, "channels", plan->in_shape[0]);
  ls_json_whole (into, "height", plan->in_shape[1]);
  ls_json_whole (into, "width", plan->in_shape[2]);
  ls_json_whole (into, "classes", plan->n_classes);
  ls_json_whole (into, "batch", plan->batch);
  ls_json_whole (into, "optimizer", plan->optimizer);
  ls_json_whole (into, "precision", plan->precision);
  ls_json_whole (into, "ops", plan->n_ops);
  ls_json_whole (into, "arena", (gint64) plan->arena_bytes);
}

LsPlan *
ls_wire_get_plan (const json_t *head, GError **error)
{
  json_t *object = ls_json_get_object (head, "plan", error);
  const char *text = object != NULL ? ls_json_get_string (object, "model", error) : NULL;
  gint64 shape[3], classes, batch, optimizer, precision, ops, arena;
  g_autoptr (LsModel) model = NULL;
  g_autoptr (LsPlan) plain = NULL;
  g_autoptr (LsPlan) plan = NULL;

  if (text == NULL || !ls_json_get_int (object, "channels", 1, G_MAXINT32, &shape[0], error)
      || !ls_json_get_int (object, "height", 1, G_MAXINT32, &shape[1], error)
      || !ls_json_get_int (object, "width", 1, G_MAXINT32, &shape[2], error)
      || !ls_json_get_int (object, "classes", 1, G_MAXINT32, &classes, error)
      || !ls_json_get_int (object, "batch", 1, G_MAXINT32, &batch, error)
      || !ls_json_get_int (object, "optimizer", 0, LS_OPTIMIZER_ADAM, &optimizer, error)
      || !ls_json_get_int (object, "precision", 0, LS_PRECISION_N - 1, &precision, error)
      || !ls_json_get_int (object, "ops", 1, G_MAXINT32, &ops, error)
      || !ls_json_get_int (object, "arena", 0, G_MAXINT64, &arena, error)
      || (model = ls_model_parse (text, error)) == NULL
      || (plain = ls_plan_new (model, shape, (gint) classes, (guint) batch, (LsOptimizer) optimizer, error))
           == NULL)
    return NULL;
  plan = ls_plan_with_precision (plain, (LsPrecision) precision);
  if (plan->n_ops == ops && plan->arena_bytes == (gsize) arena)
    return g_steal_pointer (&plan);
  g_set_error (error, LS_ERROR, LS_ERROR_DEVICE, _("the OpenCL lane’s process makes another plan of “%s”"),
               text);
  return NULL;
}

static gsize
samples_bytes (const LsDataset *set)
{
  return (gsize) (set->n * set->sample_size) * ls_dataset_value_bytes (set);
}

static void
put_set (LsWireOut *out, const LsDataset *set)
{
  ls_wire_put_copy (out, set, sizeof *set);
  ls_wire_put (out, set->samples, samples_bytes (set));
  ls_wire_put (out, set->labels, (gsize) set->n * sizeof *set->labels);
}

static gboolean
get_set (LsWireIn *in, LsDataset *set, GError **error)
{
  gconstpointer samples, labels;

  if (!ls_wire_get (in, set, sizeof *set, error))
    return FALSE;
  set->samples = set->labels = NULL;
  set->stored = NULL;
  samples = ls_wire_next (in, samples_bytes (set), error);
  labels = samples != NULL ? ls_wire_next (in, (gsize) set->n * sizeof *set->labels, error) : NULL;
  if (labels == NULL)
    return FALSE;
  set->samples = g_memdup2 (samples, samples_bytes (set));
  set->labels = g_memdup2 (labels, (gsize) set->n * sizeof *set->labels);
  return TRUE;
}

void
ls_wire_put_data (LsWireOut *out, const LsData *data)
{
  LsDataset train;

  ls_json_bool (out->head, "data", data != NULL);
  if (data == NULL)
    return;
  ls_json_whole (out->head, "classes", data->n_classes);
  ls_json_text (out->head, "name", data->name);
  train = data->train;
  /* stored samples come with each batch; the few that are in memory stand for them */
  train.n = train.stored != NULL ? data->n_first : train.n;
  train.stored = NULL;
  put_set (out, &train);
  put_set (out, &data->test);
}

LsData *
ls_wire_get_data (LsWireIn *in, GError **error)
{
  g_autoptr (LsData) data = g_new0 (LsData, 1);
  const char *name = ls_json_get_string (in->head, "name", error);
  gint64 classes;

  data->ref_count = 1;
  data->name = g_strdup (name);
  if (name == NULL || !ls_json_get_int (in->head, "classes", 1, G_MAXINT32, &classes, error)
      || !get_set (in, &data->train, error) || !get_set (in, &data->test, error))
    return NULL;
  data->n_classes = (gint) classes;
  return g_steal_pointer (&data);
}

/* ---- a walk ---- */

static gsize
n_times (const LsWalk *walk)
{
  return ((gsize) walk->rounds + 1) * LS_WALK_N_STAMPS;
}

static gsize
n_values (const LsWalk *walk, guint edge)
{
  return (gsize) walk->kept * walk->tile_k * edge;
}

void
ls_wire_put_walk (LsWireOut *out, const LsWalk *walk)
{
  ls_json_text (out->head, "walk", walk->message);
  ls_json_bool (out->head, "times", walk->times_ns != NULL);
  ls_json_bool (out->head, "values", walk->a != NULL && walk->b != NULL && walk->columns != NULL);
  ls_wire_put (out, walk, sizeof *walk);
  if (walk->a != NULL && walk->b != NULL && walk->columns != NULL)
    {
      ls_wire_put (out, walk->columns, walk->tile_n * sizeof *walk->columns);
      ls_wire_put (out, walk->a, n_values (walk, walk->tile_m) * sizeof *walk->a);
      ls_wire_put (out, walk->b, n_values (walk, walk->tile_n) * sizeof *walk->b);
    }
  if (walk->times_ns != NULL)
    ls_wire_put (out, walk->times_ns, n_times (walk) * sizeof *walk->times_ns);
}

/* (transfer full) */
static gpointer
get_copy (LsWireIn *in, gsize n, gsize size, GError **error)
{
  gconstpointer from = ls_wire_next (in, n * size, error);

  return from == NULL ? NULL : n == 0 ? g_malloc0 (1) : g_memdup2 (from, n * size);
}

LsWalk *
ls_wire_get_walk (LsWireIn *in, GError **error)
{
  g_autoptr (LsWalk) walk = ls_walk_new ();
  const char *message;
  gboolean times, values, ok;

  if (!ls_json_get_string_or_null (in->head, "walk", &message, error)
      || !ls_json_get_bool (in->head, "times", &times, error)
      || !ls_json_get_bool (in->head, "values", &values, error))
    return NULL;
  ok = ls_wire_get (in, walk, sizeof *walk, error);
  walk->ref_count = 1;
  walk->columns = walk->times_ns = NULL;
  walk->a = walk->b = NULL;
  walk->message = g_strdup (message);
  if (!ok)
    return NULL;
  if (walk->tile_m > LS_WALK_MAX_EDGE || walk->tile_n > LS_WALK_MAX_EDGE || walk->tile_k > LS_WALK_MAX_EDGE
      || walk->rounds > LS_WALK_MAX_ROUNDS || walk->kept > walk->rounds)
    {
      g_set_error_literal (error, LS_ERROR, LS_ERROR_DATA,
                           _("the OpenCL lane’s process sent a walk that can’t be"));
      return NULL;
    }
  if (values
      && ((walk->columns = get_copy (in, walk->tile_n, sizeof *walk->columns, error)) == NULL
          || (walk->a = get_copy (in, n_values (walk, walk->tile_m), sizeof *walk->a, error)) == NULL
          || (walk->b = get_copy (in, n_values (walk, walk->tile_n), sizeof *walk->b, error)) == NULL))
    return NULL;
  if (times && (walk->times_ns = get_copy (in, n_times (walk), sizeof *walk->times_ns, error)) == NULL)
    return NULL;
  return g_steal_pointer (&walk);
}
