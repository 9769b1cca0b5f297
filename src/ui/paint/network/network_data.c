/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * From the recorded step's tensors to a chain of layers. No drawing. A recording may come from anywhere:
 * shapes are checked before values are read.
 */
#include "config.h"
#include "ui/paint/network/network.h"

#include <math.h>
#include <string.h>

gint64
ls_network_count (const LsNetworkLayer *layer)
{
  return layer->units * layer->rows * layer->cols;
}

const float *
ls_network_values (const LsNetwork *n, const LsNetworkLayer *layer, gint side, gint64 sample)
{
  (void) n;
  return layer->values[side] != NULL ? layer->values[side] + sample * ls_network_count (layer) : NULL;
}

double
ls_network_unit_value (const LsNetwork *n, const LsNetworkLayer *layer, gint64 unit)
{
  const gint64 size = layer->rows * layer->cols;
  const float *values = ls_network_values (n, layer, n->side, n->at) + unit * size;
  double most = (double) values[0];

  for (gint64 i = 1; i < size; i++)
    most = fmax (most, (double) values[i]); /* of what is a number */
  return most;
}

/* ---- tensors ---- */

static const void *
tensor_of (const LsNetwork *n, guint side, guint shape, LsDtype dtype)
{
  const LsViewLane *lane = &n->layout->data->sides[side];

  /* a lane that stopped shows another step than the rest */
  if (!lane->there || lane->recorded == NULL || lane->held != NULL
      || n->recording->shapes[shape].dtype != dtype)
    return NULL;
  return ls_recording_values_at (n->recording, lane->lane, shape);
}

static void
read_values (const LsNetwork *n, guint shape, const float *values[LS_SIDES])
{
  for (guint side = 0; side < LS_SIDES; side++)
    values[side] = tensor_of (n, side, shape, LS_F32);
}

const float *
ls_network_walked (const LsNetwork *n, guint side, guint shape, gint64 count)
{
  const LsAnswer *answer = n->answers[side];

  if (!n->own)
    return tensor_of (n, side, shape, LS_F32);
  return answer != NULL && shape < answer->n_tensors && answer->counts[shape] == count ? answer->values[shape]
                                                                                       : NULL;
}

const float *
ls_network_tensor (const LsNetwork *n, guint side, const char *name, gint64 count)
{
  for (guint i = 0; i < n->recording->n_shapes; i++)
    if (strcmp (n->recording->shapes[i].name, name) == 0)
      return ls_recorded_shape_count (&n->recording->shapes[i]) == count ? tensor_of (n, side, i, LS_F32)
                                                                         : NULL;
  return NULL;
}

static gint
find_shape (const LsRecording *recording, LsRole role, const char *name)
{
  for (guint i = 0; i < recording->n_shapes; i++)
    if (recording->shapes[i].role == role && (name == NULL || strcmp (recording->shapes[i].name, name) == 0))
      return (gint) i;
  return -1;
}

/* ---- the chain ---- */

/* FALSE: its shape is nothing that a layer of this batch can have. */
static gboolean
layer_init (LsNetworkLayer *layer, const LsNetwork *n, guint shape)
{
  const LsRecordedShape *s = &n->recording->shapes[shape];

  *layer = (LsNetworkLayer){ .shape = s, .rows = 1, .cols = 1 };
  if ((s->rank != 2 && s->rank != 4) || s->shape[0] != n->batch)
    return FALSE;
  layer->units = s->shape[1];
  if (s->rank == 4)
    {
      layer->rows = s->shape[2];
      layer->cols = s->shape[3];
    }
  for (guint side = 0; side < LS_SIDES; side++)
    layer->values[side] = ls_network_walked (n, side, shape, ls_network_count (layer));
  if (!n->own)
    ls_network_time (n, (guint) n->side, shape, &layer->begin_ns, &layer->end_ns);
  return layer->values[n->side] != NULL && layer->units > 0 && layer->rows > 0 && layer->cols > 0;
}

static void
add_weight (LsNetworkLayer *layer, const LsNetworkLayer *before, const LsNetwork *n, const LsRecordedOp *op)
{
  const LsRecordedShape *w;

  if (op == NULL || op->n_in < 2)
    return;
  w = &n->recording->shapes[op->in[1]];
  if (w->role != LS_ROLE_WEIGHT || (w->rank != 2 && w->rank != 4) || w->shape[0] != layer->units)
    return;
  layer->weight = w;
  read_values (n, op->in[1], layer->weights);
  layer->dense = w->rank == 2 && layer->rows * layer->cols == 1 && w->shape[1] == ls_network_count (before)
                 && &n->recording->shapes[op->in[0]] == before->shape && layer->weights[n->side] != NULL;
}

static gboolean
has_values (const LsNetwork *n, guint shape)
{
  const LsAnswer *answer = n->answers[n->side];

  return n->own ? shape < answer->n_tensors && answer->values[shape] != NULL
                : tensor_of (n, (guint) n->side, shape, LS_F32) != NULL;
}

/* Where there are too many layers the newest takes the place of the one before it. */
static void
push_layer (LsNetwork *n, LsNetworkLayer *layer)
{
  const gboolean full = n->n_layers == LS_NETWORK_LAYERS;

  layer->dense &= !full; /* what it multiplies gives it its place */
  n->left_out += full;
  n->n_layers -= full;
  n->layers[n->n_layers++] = *layer;
}

/* Before the last one's output, all time steps of a layer: what each says, and what it keeps. */
static void
push_steps (LsNetwork *n, const LsChain *chain)
{
  const LsStepIndex *index = n->layout->data->sides[n->side].index;
  LsNetworkLayer layer;

  for (guint output = 0; output < 2; output++)
    if (ls_network_steps (n, chain, output, &layer))
      {
        if (n->own || index == NULL
            || !ls_chain_time (chain, index, 0, chain->n_steps, &layer.begin_ns, &layer.end_ns))
          layer.begin_ns = layer.end_ns = 0;
        push_layer (n, &layer);
      }
}

/* Of each layer with weights its last recorded output: after bias, activation and pooling; of one that reads
 * a sequence its steps as well. */
static void
find_layers (LsNetwork *n)
{
  const LsRecording *r = n->recording;
  const LsRecordedOp *weighted = NULL, *of = NULL;
  const LsChain *chain = NULL;
  gint candidate = -1;

  for (guint i = 0; i <= r->n_ops; i++)
    {
      const LsRecordedOp *op = i < r->n_ops ? &r->ops[i] : NULL;
      const gboolean end = op == NULL || op->phase > LS_PHASE_FORWARD;
      const gboolean step = !end && ls_network_is_step (n, i);
      const gboolean has_weights = !end && op->attr.m > 0 && !step;

      if ((has_weights || end) && candidate >= 0)
        {
          LsNetworkLayer layer;
          if (chain != NULL)
            push_steps (n, chain);
          if (layer_init (&layer, n, (guint) candidate))
            {
              add_weight (&layer, &n->layers[n->n_layers - 1], n, of);
              push_layer (n, &layer);
            }
          candidate = -1;
          chain = NULL;
        }
      if (end)
        return;
      if (has_weights)
        weighted = op;
      if (step)
        chain = ls_chain_of (n->chains, i, NULL);
      if (op->phase == LS_PHASE_FORWARD && op->n_out > 0 && r->shapes[op->out[0]].role == LS_ROLE_ACTIVATION
          && r->shapes[op->out[0]].shape[0] == n->batch && has_values (n, op->out[0]))
        {
          candidate = (gint) op->out[0];
          of = weighted;
        }
    }
}

static void
measure_layer (const LsNetwork *n, LsNetworkLayer *layer)
{
  const float *values = ls_network_values (n, layer, n->side, n->at);

  for (gint64 i = 0; i < ls_network_count (layer); i++)
    if (isfinite (values[i]))
      {
        layer->top = MAX (layer->top, fabs ((double) values[i]));
        layer->is_signed |= values[i] < 0;
      }
}

static void
find_range (LsNetwork *n)
{
  const LsNetworkLayer *x = &n->layers[0];

  n->low = HUGE_VALF;
  n->high = -HUGE_VALF;
  for (gint64 i = 0; i < n->batch * ls_network_count (x); i++)
    if (isfinite (n->inputs[i]))
      {
        n->low = MIN (n->low, n->inputs[i]);
        n->high = MAX (n->high, n->inputs[i]);
      }
}

/* ---- what the network said ---- */

static void
find_probs (LsNetwork *n, gint probs)
{
  if (probs < 0 || n->n_classes <= 0
      || ls_recorded_shape_count (&n->recording->shapes[probs]) != n->batch * n->n_classes)
    return;
  read_values (n, (guint) probs, n->batch_probs);
  for (guint side = 0; side < LS_SIDES && !n->own; side++)
    {
      n->probs[side] = n->batch_probs[side];
      ls_network_time (n, side, (guint) probs, &n->probs_begin_ns[side], &n->probs_end_ns[side]);
    }
}

static void
find_outcome (LsNetwork *n)
{
  const gint labels = find_shape (n->recording, LS_ROLE_LABEL, NULL),
             probs = find_shape (n->recording, LS_ROLE_ACTIVATION, "probs");

  n->n_classes = n->recording->n_classes;
  n->class_names = n->recording->class_names != NULL ? g_strsplit (n->recording->class_names, "\n", -1)
                                                     : NULL;
  n->predicted = -1;
  if (labels >= 0 && ls_recorded_shape_count (&n->recording->shapes[labels]) == n->batch)
    n->labels = tensor_of (n, (guint) n->side, (guint) labels, LS_I32);
  if (!n->own)
    n->label = n->sample >= 0 && !ls_network_drawing (n) ? ls_network_label (n, n->sample) : -1;
  find_probs (n, probs);
  for (guint side = 0; n->own && side < LS_SIDES; side++)
    n->probs[side] = n->answers[side] != NULL ? n->answers[side]->probs : NULL;
  if (n->probs[n->side] != NULL)
    n->predicted = ls_network_largest (n->probs[n->side] + n->at * n->n_classes, n->n_classes);
}

/* ---- the picked unit, the pictures ---- */

static void
find_unit (LsNetwork *n)
{
  double most = -HUGE_VAL;

  n->layer = n->unit = -1;
  n->picked = n->asked->layer > 0 && n->asked->layer < (gint) n->n_layers - 1 && n->asked->unit >= 0
              && n->asked->unit < n->layers[n->asked->layer].units;
  if (n->picked)
    {
      n->layer = n->asked->layer;
      n->unit = n->asked->unit;
      return;
    }
  if (n->n_layers < 3)
    return;
  /* where its connections can be shown */
  n->layer = 1;
  for (guint l = n->n_layers - 2; l > 0; l--)
    n->layer = n->layers[l + 1].dense ? (gint) l : n->layer;
  for (gint64 u = 0; u < n->layers[n->layer].units; u++)
    {
      const double value = fmax (fabs (ls_network_unit_value (n, &n->layers[n->layer], u)), 0);
      if (value > most)
        {
          most = value;
          n->unit = (gint) u;
        }
    }
}

/* What the lanes said of a sample of the user's, of the whole plane, and of the test set. */
static void
find_answers (LsNetwork *n)
{
  const LsViewData *data = n->layout->data;
  const guint own = n->asked->own;

  for (guint side = 0; side < LS_SIDES; side++)
    {
      const LsAnswer *answer = data->sides[side].answer;
      const LsEvaluation *evaluation = data->sides[side].evaluation;

      if (evaluation != NULL && evaluation->n > 0 && (gint) evaluation->n_classes == n->recording->n_classes
          && evaluation->n_classes <= LS_NETWORK_CLASSES)
        n->evaluations[side] = evaluation;
      if (answer == NULL || answer->n_tensors != n->recording->n_shapes
          || answer->n_classes != n->recording->n_classes)
        continue;
      if (n->plane && answer->question->grid > 0)
        n->grids[side] = answer;
      if (answer->question->layers
          && ((own == LS_OWN_DRAWN && answer->question->what == LS_ASKED_DRAWN)
              || (own == LS_OWN_TEST && answer->question->what == LS_ASKED_TEST)))
        n->answers[side] = answer;
    }
}

/* The sample is the user's, if any lane that is drawn has said something of it. */
static void
walk_own (LsNetwork *n, guint x)
{
  if (n->answers[n->side] == NULL && n->both && n->answers[1 - n->side] != NULL)
    n->side = 1 - n->side;
  if (n->answers[n->side] == NULL || n->answers[n->side]->values[x] == NULL)
    return;
  if (n->answers[1 - n->side] != NULL && n->answers[1 - n->side]->question != n->answers[n->side]->question)
    n->answers[1 - n->side] = NULL;
  /* with the weights of other steps there is nothing to compare */
  n->both = n->answers[1 - n->side] != NULL && n->answers[1 - n->side]->steps == n->answers[n->side]->steps;
  n->own = TRUE;
  n->sample = -1;
  n->at = 0;
  n->label = n->answers[n->side]->question->label;
  layer_init (&n->layers[0], n, x);
}

/* Where nobody can be asked, one of the evaluation's mistakes is all that is known of the test set. */
static void
find_kept (LsNetwork *n)
{
  const LsEvaluation *evaluation = ls_network_evaluation (n);

  if (n->own || n->asked->own != LS_OWN_TEST || n->layout->data->tests > 0
      || n->asked->page != LS_NETWORK_TEST || evaluation == NULL || evaluation->values == NULL
      || n->image_rows == 0 || evaluation->sample_size != ls_network_count (&n->layers[0]))
    return;
  for (guint i = 0; i < evaluation->n_worst && n->kept < 0; i++)
    if ((gint64) evaluation->worst[i].sample == n->asked->test)
      n->kept = (gint) i;
}

gboolean
ls_network_init (LsNetwork *n, LsLayout *layout)
{
  const LsViewData *data = layout->data;
  gint x;

  *n = (LsNetwork){ .layout = layout,
                    .asked = layout->query.state,
                    .recording = data->recording,
                    .side = -1,
                    .layer = -1,
                    .unit = -1,
                    .predicted = -1,
                    .label = -1,
                    .kept = -1 };
  n->edges = g_array_new (FALSE, FALSE, sizeof (LsNetworkEdge));
  n->wrong = g_array_new (FALSE, FALSE, sizeof (gint64));
  if (data->recording == NULL || data->recording->batch == 0
      || (x = find_shape (data->recording, LS_ROLE_INPUT, NULL)) < 0)
    return FALSE;
  n->chains = ls_chains_new (data->recording);
  n->batch = data->recording->batch;
  n->sample = n->at = n->asked->sample >= 0 && n->asked->sample < n->batch ? n->asked->sample : 0;
  for (gint side = LS_SIDES - 1; side >= 0; side--)
    if (tensor_of (n, (guint) side, (guint) x, LS_F32) != NULL)
      {
        n->both = n->side >= 0;
        n->side = side;
      }
  if (n->side < 0 || !layer_init (&n->layers[0], n, (guint) x))
    {
      n->side = -1;
      return FALSE;
    }
  n->inputs = n->layers[0].values[n->side];
  n->plane = ls_network_count (&n->layers[0]) == 2;
  if (n->layers[0].rows > 1 && n->layers[0].cols > 1)
    {
      n->image_rows = n->layers[0].rows;
      n->image_cols = n->layers[0].cols;
    }
  find_range (n);
  find_answers (n);
  walk_own (n, (guint) x);
  n->n_layers = 1;
  find_layers (n);
  for (guint l = 0; l < n->n_layers; l++)
    measure_layer (n, &n->layers[l]);
  find_outcome (n);
  ls_network_judge (n);
  find_unit (n);
  find_kept (n);
  return TRUE;
}

void
ls_network_clear (LsNetwork *n)
{
  g_clear_pointer (&n->class_names, g_strfreev);
  ls_network_steps_clear (n);
  g_clear_pointer (&n->time, g_free);
  g_clear_pointer (&n->chains, g_array_unref);
  g_clear_pointer (&n->edges, g_array_unref);
  g_clear_pointer (&n->wrong, g_array_unref);
  g_clear_pointer (&n->matrix, g_free);
}
