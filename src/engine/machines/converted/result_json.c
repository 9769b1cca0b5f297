/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A result as JSON, and back from what may be cut, foreign or hostile. What follows from other members, such
 * as energy, is computed anew.
 */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "machines/converted/converted.h"
#include "machines/member.h"

#define FORMAT    "lockstep-converted"
#define VERSION   1
#define MAX_TEXT  1000  /* characters */
#define MAX_MODEL 10000 /* of a network, a path */
#define MAX_COUNT 1e15
#define MAX_SCALE 1e300
#define MAX_STEPS G_GINT64_CONSTANT (1000000000000)

/* ---- out ---- */

static void
put_points (json_t *json, const LsConverted *result)
{
  json_t *list = ls_json_array (json, "points");

  for (guint i = 0; i < result->n_points; i++)
    {
      const LsConvertedPoint *point = &result->points[i];
      json_t *object = ls_json_object (list, NULL);

      ls_json_whole (object, result->kind == LS_CONVERTED_INT8 ? "bits" : "steps", point->at);
      ls_json_number (object, "accuracy", point->accuracy.value);
      ls_json_number (object, "same", point->same.value);
      if (point->spikes.n == 0)
        continue;
      ls_json_number (object, "spikes", point->spikes.value);
      ls_json_number (object, "events", point->events.value);
      ls_json_number (object, "rate", point->rate.value);
      ls_json_number (object, "energy_J", point->energy.value);
    }
}

static void
put_scales (json_t *json, const LsConverted *result)
{
  json_t *list = ls_json_array (json, "layers");

  for (guint i = 0; i < result->n_scales; i++)
    {
      const LsInt8Scales *scales = &result->scales[i];
      json_t *object = ls_json_object (list, NULL);

      ls_json_whole (object, "layer", scales->layer + 1);
      ls_json_number (object, "low", scales->low);
      ls_json_number (object, "high", scales->high);
      ls_json_number (object, "out", scales->out);
      ls_json_bool (object, "unsigned", scales->out_unsigned);
    }
}

/* Of each neuron the steps in which it spiked. */
static void
put_raster (json_t *json, const LsConverted *result)
{
  json_t *raster = ls_json_object (json, "raster"), *list;

  ls_json_whole (raster, "label", result->label);
  ls_json_whole (raster, "steps", result->n_steps);
  list = ls_json_array (raster, "neurons");
  for (guint i = 0; i < result->n_neurons; i++)
    {
      json_t *object = ls_json_object (list, NULL), *spikes;

      ls_json_whole (object, "layer", result->neurons[i].layer + 1);
      ls_json_whole (object, "neuron", result->neurons[i].neuron);
      spikes = ls_json_array (object, "spikes");
      for (guint t = 0; t < result->n_steps; t++)
        if (result->neurons[i].spikes >> t & 1)
          ls_json_whole (spikes, NULL, t);
    }
}

json_t *
ls_converted_to_json (const LsConverted *result)
{
  json_t *json = json_object (), *source;

  ls_json_text (json, "format", FORMAT);
  ls_json_whole (json, "version", VERSION);
  ls_json_text (json, "program", result->program);
  ls_json_text (json, "date", result->date);
  ls_json_text (json, "machine", result->machine);
  ls_json_text (json, "machine_key", result->machine_key);
  ls_json_text (json, "kind", ls_converted_name (result->kind));
  ls_json_text (json, "key", result->key);
  ls_json_text (json, "model", result->model);
  ls_json_text (json, "data", result->data);
  if (result->weights != NULL)
    ls_json_text (json, "weights", result->weights);
  ls_json_whole (json, "trained_steps", (gint64) result->trained);
  ls_json_whole (json, "seed", (gint64) result->seed);
  ls_json_number (json, "seconds", result->seconds);
  ls_json_whole (json, "samples", result->n_samples);
  ls_json_whole (json, "test_samples", result->n_test);
  ls_json_whole (json, "calibration_samples", result->calibration);
  ls_json_number (json, "accuracy_fp32", result->accuracy.value);
  if (result->kind == LS_CONVERTED_INT8)
    {
      put_points (json, result);
      put_scales (json, result);
      return json;
    }
  ls_json_whole (json, "neurons", (gint64) result->n_spiking);
  put_points (json, result);
  ls_json_whole (json, "input_products", (gint64) result->input_products);
  put_raster (json, result);
  source = ls_json_object (json, "energy_source");
  ls_json_text (source, "evidence", ls_evidence_name (LS_EVIDENCE_MODELLED));
  ls_json_number (source, "event_J", LS_CONVERTED_EVENT_J);
  ls_json_text (source, "title", ls_converted_event_source.title);
  ls_json_text (source, "address", ls_converted_event_source.address);
  ls_json_text (source, "seen", ls_converted_event_source.seen);
  ls_json_text (source, "quote", ls_converted_event_quote);
  return json;
}

/* ---- in ---- */

/* *into (transfer full) takes another text's place. */
static gboolean
read_words (const json_t *json, const char *name, guint max, char **into, GError **error)
{
  g_clear_pointer (into, g_free);
  return ls_member_text (json, name, max, FALSE, into, error);
}

static gboolean
read_uint (const json_t *json, const char *name, guint min, guint max, guint *value, GError **error)
{
  gint64 number;

  if (!ls_json_get_int (json, name, min, max, &number, error))
    return FALSE;
  *value = (guint) number;
  return TRUE;
}

static gboolean
read_percent (const json_t *json, const char *name, guint n, LsFigure *figure, GError **error)
{
  double value;

  if (!ls_json_get_double (json, name, 0, 100, &value, error))
    return FALSE;
  *figure = ls_converted_figure (value, n, "%", LS_EVIDENCE_MEASURED);
  return TRUE;
}

static gboolean
read_point (const json_t *json, LsConverted *result, LsConvertedPoint *point, GError **error)
{
  const gboolean int8 = result->kind == LS_CONVERTED_INT8;
  const LsConvertedPoint *before = point > result->points ? point - 1 : NULL;
  double spikes, events;

  if (!read_uint (json, int8 ? "bits" : "steps", int8 ? LS_INT8_LEAST : 1,
                  int8 ? LS_INT8_BITS : LS_SPIKING_MAX_STEPS, &point->at, error)
      || !read_percent (json, "accuracy", result->n_samples, &point->accuracy, error)
      || !read_percent (json, "same", result->n_samples, &point->same, error))
    return FALSE;
  if (before != NULL && (int8 ? point->at >= before->at : point->at <= before->at))
    return ls_member_refuse (error, "points", _("isn’t in its order."));
  if (int8)
    return TRUE;
  if (!ls_json_get_double (json, "spikes", 0, MAX_COUNT, &spikes, error)
      || !ls_json_get_double (json, "events", 0, MAX_COUNT, &events, error))
    return FALSE;
  if (spikes > (double) result->n_spiking * point->at)
    return ls_member_refuse (error, "spikes", _("are more than its neurons can send."));
  ls_converted_set_spikes (result, point, spikes, events);
  return TRUE;
}

static gboolean
read_points (const json_t *json, LsConverted *result, GError **error)
{
  const json_t *list = ls_json_get_array (json, "points", 1, LS_CONVERTED_MAX_POINTS, error);

  if (list == NULL)
    return FALSE;
  result->n_points = (guint) json_array_size (list);
  for (guint i = 0; i < result->n_points; i++)
    {
      const json_t *object = ls_json_array_object (list, i, "points", error);

      if (object == NULL || !read_point (object, result, &result->points[i], error))
        return FALSE;
    }
  return TRUE;
}

/* A layer of the model, which is from 1 in files. */
static gboolean
read_layer (const json_t *json, guint *layer, GError **error)
{
  if (!read_uint (json, "layer", 1, LS_MODEL_MAX_LAYERS, layer, error))
    return FALSE;
  (*layer)--;
  return TRUE;
}

static gboolean
read_scales (const json_t *json, LsConverted *result, GError **error)
{
  const json_t *list = ls_json_get_array (json, "layers", 1, LS_MODEL_MAX_LAYERS, error);

  if (list == NULL)
    return FALSE;
  result->n_scales = (guint) json_array_size (list);
  result->scales = g_new0 (LsInt8Scales, result->n_scales);
  for (guint i = 0; i < result->n_scales; i++)
    {
      const json_t *object = ls_json_array_object (list, i, "layers", error);
      LsInt8Scales *scales = &result->scales[i];

      if (object == NULL || !read_layer (object, &scales->layer, error)
          || !ls_json_get_double (object, "low", 0, MAX_SCALE, &scales->low, error)
          || !ls_json_get_double (object, "high", scales->low, MAX_SCALE, &scales->high, error)
          || !ls_json_get_double (object, "out", 0, MAX_SCALE, &scales->out, error)
          || !ls_json_get_bool (object, "unsigned", &scales->out_unsigned, error))
        return FALSE;
    }
  return TRUE;
}

static gboolean
read_neuron (const json_t *json, guint n_steps, LsConvertedNeuron *neuron, GError **error)
{
  gint64 steps[LS_SPIKING_RASTER];
  guint n;

  if (!read_layer (json, &neuron->layer, error)
      || !read_uint (json, "neuron", 0, G_MAXINT32, &neuron->neuron, error)
      || !ls_json_get_ints (json, "spikes", 0, (gint64) n_steps - 1, 0, n_steps, steps, &n, error))
    return FALSE;
  for (guint i = 0; i < n; i++)
    neuron->spikes |= (guint64) 1 << steps[i];
  return TRUE;
}

static gboolean
read_raster (const json_t *json, LsConverted *result, GError **error)
{
  const json_t *raster = ls_json_get_object (json, "raster", error), *list;

  if (raster == NULL || !read_uint (raster, "label", 0, G_MAXINT32, &result->label, error)
      || !read_uint (raster, "steps", 1, LS_SPIKING_RASTER, &result->n_steps, error)
      || (list = ls_json_get_array (raster, "neurons", 0, LS_CONVERTED_RASTER, error)) == NULL)
    return FALSE;
  result->n_neurons = (guint) json_array_size (list);
  for (guint i = 0; i < result->n_neurons; i++)
    {
      const json_t *object = ls_json_array_object (list, i, "neurons", error);

      if (object == NULL || !read_neuron (object, result->n_steps, &result->neurons[i], error))
        return FALSE;
    }
  return TRUE;
}

static gboolean
read_head (const json_t *json, LsConverted *result, GError **error)
{
  gint64 trained, seed;

  if (!read_words (json, "program", MAX_TEXT, &result->program, error)
      || !read_words (json, "date", MAX_TEXT, &result->date, error)
      || !ls_member_date ("date", result->date, TRUE, error)
      || !read_words (json, "machine", MAX_TEXT, &result->machine, error)
      || !read_words (json, "machine_key", MAX_TEXT, &result->machine_key, error)
      || !read_words (json, "key", MAX_TEXT, &result->key, error)
      || !read_words (json, "model", MAX_MODEL, &result->model, error)
      || !ls_member_file (json, "data", MAX_MODEL, FALSE, &result->data, error)
      || !ls_member_file (json, "weights", MAX_TEXT, TRUE, &result->weights, error)
      || !ls_json_get_int (json, "trained_steps", 0, MAX_STEPS, &trained, error)
      || !ls_json_get_int (json, "seed", 0, G_MAXINT64, &seed, error)
      || !ls_json_get_double (json, "seconds", 0, MAX_COUNT, &result->seconds, error)
      || !read_uint (json, "test_samples", 1, G_MAXINT32, &result->n_test, error)
      || !read_uint (json, "samples", 1, MIN (result->n_test, LS_CONVERTED_MAX_TEST), &result->n_samples,
                     error)
      || !read_uint (json, "calibration_samples", 1, G_MAXINT32, &result->calibration, error))
    return FALSE;
  result->trained = (guint64) trained;
  result->seed = (guint64) seed;
  return read_percent (json, "accuracy_fp32", result->n_samples, &result->accuracy, error);
}

LsConverted *
ls_converted_from_json (const json_t *json, GError **error)
{
  g_autoptr (LsConverted) result = NULL;
  const char *format = ls_json_get_string (json, "format", error), *name;
  LsConvertedKind kind;
  gint64 version, products, neurons;

  if (format == NULL)
    return NULL;
  if (strcmp (format, FORMAT) != 0)
    {
      ls_member_refuse (error, "format", _("is another one’s: it is no converted network."));
      return NULL;
    }
  if (!ls_json_get_int (json, "version", VERSION, VERSION, &version, error)
      || (name = ls_json_get_string (json, "kind", error)) == NULL)
    return NULL;
  kind = ls_converted_find (name);
  if (kind == LS_CONVERTED_N)
    {
      ls_member_refuse (error, "kind", _("isn’t one that is known."));
      return NULL;
    }
  result = ls_converted_new (kind);
  if (!read_head (json, result, error))
    return NULL;
  if (kind == LS_CONVERTED_INT8)
    return read_points (json, result, error) && read_scales (json, result, error) ? g_steal_pointer (&result)
                                                                                  : NULL;
  if (!ls_json_get_int (json, "neurons", 0, MAX_STEPS, &neurons, error)
      || !ls_json_get_int (json, "input_products", 0, MAX_STEPS, &products, error))
    return NULL;
  result->n_spiking = (guint64) neurons;
  result->input_products = (guint64) products;
  return read_points (json, result, error) && read_raster (json, result, error) ? g_steal_pointer (&result)
                                                                                : NULL;
}
