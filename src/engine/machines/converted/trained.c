/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See trained.h. The lane is one of the laboratory's, in this process.
 */
#include "config.h"
#include "machines/converted/trained.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "core/error.h"
#include "data/defaults.h"
#include "files/weights.h"
#include "lab/lane/worker_lane.h"

#define TURN_US 30000.0 /* of training, at most, before somebody can end it; but at least a step */
#define N_BINS  4096    /* of activations */

gboolean
ls_converted_tell (const LsConvertedEar *ear, guint done, guint total, const char *words, GError **error)
{
  if (ear->heard != NULL)
    ear->heard (done, total, words, ear->data);
  if (!g_cancellable_is_cancelled (ear->cancel))
    return TRUE;
  g_set_error_literal (error, LS_ERROR, LS_ERROR_CANCELLED, _("It was stopped."));
  return FALSE;
}

void
ls_trained_free (LsTrained *self)
{
  if (self == NULL)
    return;
  g_free (self->net);
  for (guint p = 0; self->weights != NULL && p < self->plan->n_params; p++)
    g_free (self->weights[p]);
  g_free (self->weights);
  g_free (self->answers);
  g_clear_pointer (&self->plan, ls_plan_unref);
  g_clear_pointer (&self->data, ls_data_unref);
  g_clear_pointer (&self->options, ls_options_free);
  g_free (self);
}

gboolean
ls_trained_sample (const LsTrained *self, gint64 i, float *values, GError **error)
{
  const LsDataset *test = &self->data->test;
  const gsize n = (gsize) test->sample_size, bytes = n * ls_dataset_value_bytes (test);
  g_autofree guint8 *read = test->stored != NULL ? g_malloc (bytes) : NULL;
  const float *of_byte = ls_dataset_byte_values ();
  const guint8 *from = read != NULL ? read : (const guint8 *) test->samples + (gsize) i * bytes;

  if (read != NULL && !ls_stored_read (test->stored, i, read, error))
    return FALSE;
  if (test->type == LS_SAMPLE_F32)
    memcpy (values, from, bytes);
  else
    for (gsize k = 0; k < n; k++)
      values[k] = of_byte[from[k]];
  return TRUE;
}

/* ---- the lane ---- */

/* The plan's batch of samples on their way forward. */
static gboolean
answer (LsLabLane *lane, const LsDataset *set, const guint32 *index, gboolean fuse, GError **error)
{
  LsBlock block = { 0 };
  const gboolean stored = set->stored != NULL;
  const gboolean done = (!stored || ls_block_fill (&block, set, index, lane->plan->batch, error))
                        && ls_lab_lane_answer (lane, stored ? &block.set : set, stored ? block.index : index,
                                               fuse, error);

  ls_block_clear (&block);
  return done;
}

static gboolean
train (LsTrained *self, LsLabLane *lane, const LsConvertedEar *ear, GError **error)
{
  double us = TURN_US;

  self->steps = ls_data_run_steps (self->options, ls_batcher_steps_per_epoch (lane->batcher));
  for (guint64 done = 0; done < self->steps;)
    {
      const guint n = (guint) MIN ((guint64) CLAMP (TURN_US / us, 1, LS_LAB_TURN), self->steps - done);

      if (!ls_converted_tell (ear, (guint) MIN (done, G_MAXUINT), (guint) MIN (self->steps, G_MAXUINT),
                              _("training the network"), error)
          || !ls_lab_lane_turn (lane, n, NULL, &us, error))
        return FALSE;
      done += n;
    }
  return TRUE;
}

static gboolean
take_weights (LsTrained *self, LsLabLane *lane, GError **error)
{
  for (guint p = 0; p < self->plan->n_params; p++)
    if (!lane->backend->read (lane->self, self->plan->params[p].weight, self->weights[p], error))
      return FALSE;
  if (ls_weights_finite (self->plan, (const float *const *) self->weights))
    return TRUE;
  g_set_error_literal (
    error, LS_ERROR, LS_ERROR_DATA,
    _("Training has led to numbers that are no numbers; choose a smaller --lr, or fewer steps."));
  return FALSE;
}

/* From the file to the lane. */
static gboolean
load_weights (LsTrained *self, LsLabLane *lane, const char *path, GError **error)
{
  float **values = ls_weights_load (path, self->plan, error);
  gboolean done = values != NULL;

  for (guint p = 0; done && p < self->plan->n_params; p++)
    done = lane->backend->write (lane->self, self->plan->params[p].weight, values[p], error);
  if (values != NULL)
    ls_weights_free (values);
  return done;
}

/* ---- how far its layers reach ---- */

typedef struct {
  float *values;  /* room for the largest tensor */
  guint64 *bins;  /* of each layer: N_BINS */
  guint32 *index; /* a batch */
  guint n_batches;
} Calibration;

static void
calibration_clear (Calibration *c)
{
  g_free (c->values);
  g_free (c->bins);
  g_free (c->index);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Calibration, calibration_clear)

static gboolean
read_tensor (LsTrained *self, LsLabLane *lane, guint tensor, Calibration *c, gint64 *n, GError **error)
{
  *n = ls_tensor_count (&self->plan->tensors[tensor]);
  return lane->backend->read (lane->self, tensor, c->values, error);
}

static void
stretch (const float *values, gint64 n, gboolean first, float *low, float *high)
{
  if (first)
    *low = *high = values[0];
  for (gint64 i = 0; i < n; i++)
    {
      *low = MIN (*low, values[i]);
      *high = MAX (*high, values[i]);
    }
}

static void
count (const float *values, gint64 n, float high, guint64 *bins)
{
  for (gint64 i = 0; i < n; i++)
    if (values[i] > 0)
      bins[(guint) MIN (values[i] / high * N_BINS, N_BINS - 1)]++;
}

/* The upper end of the bin below which that share of all is; 0: there is none above 0. */
static float
share_below (const guint64 *bins, float high)
{
  guint64 n = 0, below = 0;

  for (guint b = 0; b < N_BINS; b++)
    n += bins[b];
  for (guint b = 0; n > 0 && b < N_BINS; b++)
    {
      below += bins[b];
      if ((double) below >= LS_NET_SHARE * (double) n)
        return high * (float) (b + 1) / N_BINS;
    }
  return 0;
}

/* All layers of a batch: their ends, and once these are known how many lie where. */
static gboolean
look_at (LsTrained *self, LsLabLane *lane, Calibration *c, guint batch, gboolean ends, GError **error)
{
  gint64 n;

  ls_batcher_get (lane->batcher, batch, c->index);
  if (!answer (lane, &self->data->train, c->index, FALSE, error))
    return FALSE;
  for (guint i = 0; i < self->net->n_layers; i++)
    {
      LsNetLayer *layer = &self->net->layers[i];

      if (!read_tensor (self, lane, layer->tensor, c, &n, error))
        return FALSE;
      if (ends)
        stretch (c->values, n, batch == 0, &layer->low, &layer->high);
      else
        count (c->values, n, layer->high, c->bins + (gsize) i * N_BINS);
    }
  if (!ends)
    return TRUE;
  if (!read_tensor (self, lane, self->plan->x, c, &n, error))
    return FALSE;
  stretch (c->values, n, batch == 0, &self->net->low, &self->net->high);
  return TRUE;
}

static gboolean
calibrate (LsTrained *self, LsLabLane *lane, const LsConvertedEar *ear, GError **error)
{
  g_auto (Calibration) c = { 0 };
  const LsTensor *largest = &self->plan->tensors[self->plan->x];
  const guint batch = self->plan->batch;

  for (guint i = 0; i < self->net->n_layers; i++)
    if (ls_tensor_count (&self->plan->tensors[self->net->layers[i].tensor]) > ls_tensor_count (largest))
      largest = &self->plan->tensors[self->net->layers[i].tensor];
  c.values = ls_lab_room_for (largest, error);
  if (c.values == NULL)
    return FALSE;
  c.bins = g_new0 (guint64, (gsize) self->net->n_layers * N_BINS);
  c.index = g_new (guint32, batch);
  c.n_batches = (guint) CLAMP (LS_CONVERTED_CALIBRATION / batch, 1,
                               ls_batcher_steps_per_epoch (lane->batcher));
  for (guint b = 0; b < 2 * c.n_batches; b++)
    if (!ls_converted_tell (ear, b, 2 * c.n_batches, _("looking how far its layers reach"), error)
        || !look_at (self, lane, &c, b % c.n_batches, b < c.n_batches, error))
      return FALSE;
  for (guint i = 0; i < self->net->n_layers; i++)
    self->net->layers[i].most = share_below (c.bins + (gsize) i * N_BINS, self->net->layers[i].high);
  self->calibration = c.n_batches * batch;
  return TRUE;
}

/* ---- what it answers ---- */

static guint32
best_of (const float *logits, guint n)
{
  guint32 best = 0;

  for (guint i = 1; i < n; i++)
    if (logits[i] > logits[best])
      best = i;
  return best;
}

static gboolean
answer_all (LsTrained *self, LsLabLane *lane, const LsConvertedEar *ear, GError **error)
{
  const guint batch = self->plan->batch, classes = (guint) self->plan->n_classes;
  g_autofree guint32 *index = g_new0 (guint32, batch);
  g_autofree float *logits = ls_lab_room_for (&self->plan->tensors[self->plan->logits], error);

  if (logits == NULL)
    return FALSE;
  self->answers = g_new (guint32, self->n_samples);
  for (guint at = 0; at < self->n_samples; at += batch)
    {
      for (guint i = 0; i < batch; i++)
        index[i] = MIN (at + i, self->n_samples - 1);
      if (!ls_converted_tell (ear, at, self->n_samples, _("answering in floats"), error)
          || !answer (lane, &self->data->test, index, lane->options->fusion, error)
          || !lane->backend->read (lane->self, self->plan->logits, logits, error))
        return FALSE;
      for (guint i = 0; i < batch && at + i < self->n_samples; i++)
        self->answers[at + i] = best_of (logits + (gsize) i * classes, classes);
    }
  return TRUE;
}

/* ---- all of it ---- */

static gboolean
prepare (LsTrained *self, const LsConvertedWish *wish, GError **error)
{
  const LsDataRequest request = ls_data_request (self->options);
  g_autofree char *key = NULL;
  g_autoptr (LsModel) model = NULL;

  key = ls_data_key (&request);
  self->data = wish->data != NULL && g_strcmp0 (wish->data->key, key) == 0
                 ? ls_data_ref (wish->data)
                 : ls_data_load_request (&request, error);
  if (self->data == NULL)
    return FALSE;
  if (!g_strv_contains (ls_data_names (), self->options->data)) /* only now classes and samples are known */
    ls_data_suggest (self->options, self->data->n_classes, self->data->train.n);
  /* floats of 32 bits are what it is held against */
  ls_options_set (self->options, ls_options_find ("precision"), ls_precision_name (LS_PRECISION_FP32), NULL);
  model = ls_model_parse (self->options->model, error);
  if (model == NULL)
    return FALSE;
  self->plan = ls_plan_new (model, self->data->train.shape, self->data->n_classes,
                            (guint) self->options->batch, (LsOptimizer) self->options->optimizer, error);
  if (self->plan == NULL)
    return FALSE;
  self->weights = g_new0 (float *, self->plan->n_params);
  for (guint p = 0; p < self->plan->n_params; p++)
    if ((self->weights[p] = ls_lab_room_for (&self->plan->tensors[self->plan->params[p].weight], error))
        == NULL)
      return FALSE;
  self->net = ls_net_new (self->plan, (const float *const *) self->weights,
                          _(ls_converted_title (wish->kind)), error);
  return self->net != NULL
         && (wish->kind != LS_CONVERTED_SPIKING || ls_spiking_check (self->net, self->plan->model, error));
}

static gboolean
take (LsTrained *self, const LsConvertedWish *wish, const LsConvertedEar *ear, LsLabLane *lane,
      GError **error)
{
  const guint usual = wish->kind == LS_CONVERTED_INT8 ? LS_CONVERTED_INT8_TEST : LS_CONVERTED_SPIKE_TEST,
              wanted = wish->samples > 0 ? wish->samples : usual;
  g_autofree char *how = NULL;

  self->n_samples = (guint) MIN ((gint64) wanted, self->data->test.n);
  if (self->n_samples == 0)
    {
      g_set_error (error, LS_ERROR, LS_ERROR_DATA, _("“%s” has no samples to test with."), self->data->name);
      return FALSE;
    }
  return ls_lab_lane_take (lane, ls_plan_ref (self->plan), ls_data_ref (self->data), &how, error)
         && (wish->load != NULL ? load_weights (self, lane, wish->load, error)
                                : train (self, lane, ear, error))
         && take_weights (self, lane, error) && calibrate (self, lane, ear, error)
         && answer_all (self, lane, ear, error);
}

LsTrained *
ls_trained_new (const LsConvertedWish *wish, const LsConvertedEar *ear, GError **error)
{
  g_autoptr (LsTrained) self = g_new0 (LsTrained, 1);
  const LsLabWorker *cpu = ls_lab_workers[0];
  g_autofree char *title = NULL;
  gboolean taken = FALSE;
  guint threads;
  gpointer lane;

  self->options = ls_options_copy (wish->options);
  ls_data_suggest (self->options, 0, 0);
  if (!ls_converted_tell (ear, 0, 0, _("reading the data"), error) || !prepare (self, wish, error)
      || (lane = cpu->open (cpu->name, self->options, &title, &threads, error)) == NULL)
    return NULL;
  taken = take (self, wish, ear, lane, error);
  cpu->close (lane);
  return taken ? g_steal_pointer (&self) : NULL;
}
