/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Tries a converted network on the test set, sample by sample.
 */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "core/error.h"
#include "machines/converted/trained.h"

#define LOOK_STEPS 16 /* of spikes between two looks whether it is cancelled */

typedef struct {
  const LsTrained *trained;
  const LsConvertedEar *ear;
  LsConverted *result;
  float *values;  /* of a sample */
  double *logits; /* of its classes */
} Trial;

/* How often it was right, and as the floats, */
typedef struct {
  guint64 right, same;
  guint64 spikes, events;
} Count;

static LsFigure
percent (guint64 of, guint n)
{
  return ls_converted_figure (100 * (double) of / n, n, "%", LS_EVIDENCE_MEASURED);
}

static void
judge (const Trial *trial, guint sample, guint32 answer, Count *count)
{
  count->right += (gint32) answer == trial->trained->data->test.labels[sample];
  count->same += answer == trial->trained->answers[sample];
}

static LsConvertedPoint *
add_point (Trial *trial, guint at, const Count *count)
{
  const guint n = trial->result->n_samples;
  LsConvertedPoint *point = &trial->result->points[trial->result->n_points++];

  *point
    = (LsConvertedPoint){ .at = at, .accuracy = percent (count->right, n), .same = percent (count->same, n) };
  return point;
}

/* ---- whole numbers ---- */

static void
take_scales (Trial *trial, const LsInt8 *int8)
{
  const LsNet *net = trial->trained->net;
  LsConverted *result = trial->result;

  result->scales = g_new0 (LsInt8Scales, net->n_layers);
  for (guint i = 0; i < net->n_layers; i++)
    if (ls_net_weighted (&net->layers[i]))
      result->scales[result->n_scales++] = ls_int8_scales (int8, i);
}

static gboolean
try_bits (Trial *trial, guint bits, GError **error)
{
  const LsNet *net = trial->trained->net;
  g_autoptr (LsInt8) int8 = ls_int8_new (net, trial->trained->plan->model, bits, error);
  g_autofree char *words = g_strdup_printf (_("answering in %u bits"), bits);
  Count count = { 0 };

  if (int8 == NULL)
    return FALSE;
  if (bits == LS_INT8_BITS)
    take_scales (trial, int8);
  for (guint i = 0; i < trial->result->n_samples; i++)
    {
      if (!ls_converted_tell (trial->ear, i, trial->result->n_samples, words, error)
          || !ls_trained_sample (trial->trained, i, trial->values, error))
        return FALSE;
      ls_int8_run (int8, trial->values, trial->logits);
      judge (trial, i, ls_net_best (trial->logits, net->n_classes), &count);
    }
  add_point (trial, bits, &count);
  return TRUE;
}

static gboolean
try_int8 (Trial *trial, const LsConvertedWish *wish, GError **error)
{
  const guint least = wish->bits > 0 ? wish->bits : LS_INT8_BITS;

  for (guint bits = LS_INT8_BITS; bits >= least; bits--)
    if (!try_bits (trial, bits, error))
      return FALSE;
  return TRUE;
}

/* ---- spikes ---- */

/* Those that spike at all, evenly taken from all of them. */
static void
take_raster (Trial *trial, const LsSpiking *spiking, guint n_steps)
{
  LsConverted *result = trial->result;
  guint n_alive = 0, seen = 0, layer;

  for (guint i = 0; i < ls_spiking_layers (spiking); i++)
    for (guint k = 0; k < ls_spiking_neurons (spiking, i, &layer); k++)
      n_alive += ls_spiking_raster (spiking, i, k) != 0;
  for (guint i = 0; i < ls_spiking_layers (spiking); i++)
    for (guint k = 0; k < ls_spiking_neurons (spiking, i, &layer); k++)
      {
        const guint64 spikes = ls_spiking_raster (spiking, i, k);

        if (spikes == 0)
          continue;
        if ((guint64) seen * LS_CONVERTED_RASTER >= (guint64) result->n_neurons * n_alive
            && result->n_neurons < LS_CONVERTED_RASTER)
          result->neurons[result->n_neurons++] = (LsConvertedNeuron){ layer, k, spikes };
        seen++;
      }
  result->n_steps = MIN (n_steps, LS_SPIKING_RASTER);
  result->label = (guint) trial->trained->data->test.labels[0];
}

/* 1, 2, 4 … and the last step: how many there are. */
static guint
choose_times (guint n_steps, guint times[LS_CONVERTED_MAX_POINTS])
{
  guint n = 0;

  for (guint t = 1; t < n_steps; t *= 2)
    times[n++] = t;
  times[n++] = n_steps;
  return n;
}

static gboolean
try_sample (Trial *trial, LsSpiking *spiking, guint sample, const guint *times, Count *counts, GError **error)
{
  const guint n_classes = trial->trained->net->n_classes;
  const LsConvertedEar quiet = { .cancel = trial->ear->cancel };

  ls_spiking_begin (spiking, trial->values);
  for (guint t = 1, next = 0; next < trial->result->n_points; t++)
    {
      const float *potentials = ls_spiking_potentials (spiking);

      if (t % LOOK_STEPS == 0 && !ls_converted_tell (&quiet, 0, 0, NULL, error))
        return FALSE;
      ls_spiking_step (spiking);
      if (t != times[next])
        continue;
      for (guint c = 0; c < n_classes; c++)
        trial->logits[c] = (double) potentials[c];
      judge (trial, sample, ls_net_best (trial->logits, n_classes), &counts[next]);
      counts[next].spikes += ls_spiking_spikes (spiking);
      counts[next++].events += ls_spiking_events (spiking);
    }
  return TRUE;
}

static gboolean
try_spiking (Trial *trial, const LsConvertedWish *wish, GError **error)
{
  const LsTrained *trained = trial->trained;
  const guint n = trial->result->n_samples, n_steps = wish->steps > 0 ? wish->steps : LS_CONVERTED_STEPS;
  g_autoptr (LsSpiking) spiking = ls_spiking_new (trained->net, trained->plan->model, error);
  guint times[LS_CONVERTED_MAX_POINTS];
  Count counts[LS_CONVERTED_MAX_POINTS] = { 0 };
  guint layer;

  if (spiking == NULL)
    return FALSE;
  trial->result->n_points = choose_times (n_steps, times);
  trial->result->input_products = (guint64) ls_spiking_input_products (spiking);
  for (guint i = 0; i < ls_spiking_layers (spiking); i++)
    trial->result->n_spiking += ls_spiking_neurons (spiking, i, &layer);
  for (guint i = 0; i < n; i++)
    {
      if (!ls_converted_tell (trial->ear, i, n, _("simulating spikes"), error)
          || !ls_trained_sample (trained, i, trial->values, error)
          || !try_sample (trial, spiking, i, times, counts, error))
        return FALSE;
      if (i == 0)
        take_raster (trial, spiking, n_steps);
    }
  trial->result->n_points = 0;
  for (guint k = 0, n_points = choose_times (n_steps, times); k < n_points; k++)
    ls_converted_set_spikes (trial->result, add_point (trial, times[k], &counts[k]),
                             (double) counts[k].spikes / n, (double) counts[k].events / n);
  return TRUE;
}

/* ---- all of it ---- */

static gboolean
check (const LsConvertedWish *wish, GError **error)
{
  if (wish->bits > 0 && (wish->bits < LS_INT8_LEAST || wish->bits > LS_INT8_BITS))
    g_set_error (error, LS_ERROR, LS_ERROR_USAGE, _("Bits can be from %d to %d, not %u."), LS_INT8_LEAST,
                 LS_INT8_BITS, wish->bits);
  else if (wish->steps > LS_SPIKING_MAX_STEPS)
    g_set_error (error, LS_ERROR, LS_ERROR_USAGE, _("Time steps can be from 1 to %d, not %u."),
                 LS_SPIKING_MAX_STEPS, wish->steps);
  else if (wish->samples > LS_CONVERTED_MAX_TEST)
    g_set_error (error, LS_ERROR, LS_ERROR_USAGE, _("Samples can be from 1 to %d, not %u."),
                 LS_CONVERTED_MAX_TEST, wish->samples);
  else
    return TRUE;
  return FALSE;
}

static LsFigure
floats (const LsTrained *trained)
{
  guint64 right = 0;

  for (guint i = 0; i < trained->n_samples; i++)
    right += (gint32) trained->answers[i] == trained->data->test.labels[i];
  return percent (right, trained->n_samples);
}

LsConverted *
ls_converted_run (const LsConvertedWish *wish, LsConvertedHeard heard, gpointer data, GCancellable *cancel,
                  GError **error)
{
  const LsConvertedEar ear = { heard, data, cancel };
  g_autofree char *key = check (wish, error) ? ls_converted_key (wish, error) : NULL;
  g_autoptr (LsTrained) trained = key != NULL ? ls_trained_new (wish, &ear, error) : NULL;
  g_autoptr (LsConverted) result = NULL;
  g_autofree float *values = NULL;
  g_autofree double *logits = NULL;
  gint64 begin_us;

  if (trained == NULL)
    return NULL;
  result = ls_converted_new (wish->kind);
  values = g_new (float, ls_net_count (trained->net->in_shape));
  logits = g_new (double, trained->net->n_classes);
  result->key = g_steal_pointer (&key);
  result->model = g_strdup (trained->plan->model->name != NULL ? trained->plan->model->name
                                                               : trained->plan->model->text);
  result->data = ls_printable (g_strdup (trained->options->data));
  result->seed = (guint64) trained->options->seed;
  result->weights = wish->load != NULL ? ls_printable (g_filename_display_basename (wish->load)) : NULL;
  result->trained = trained->steps;
  result->n_samples = trained->n_samples;
  result->n_test = (guint) MIN (trained->data->test.n, G_MAXUINT);
  result->calibration = trained->calibration;
  result->accuracy = floats (trained);
  begin_us = g_get_monotonic_time ();
  Trial trial = { trained, &ear, result, values, logits };
  if (!(wish->kind == LS_CONVERTED_INT8 ? try_int8 (&trial, wish, error) : try_spiking (&trial, wish, error)))
    return NULL;
  result->seconds = (double) (g_get_monotonic_time () - begin_us) / G_USEC_PER_SEC;
  return g_steal_pointer (&result);
}
