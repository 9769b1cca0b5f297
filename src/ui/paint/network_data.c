/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * From the recorded step's tensors to a chain of layers. No drawing. A recording may come from anywhere: shapes are checked
 * before values are read.
 */
#include "config.h"
#include "ui/paint/network.h"

#include <math.h>
#include <stdlib.h>
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
  const float *values = ls_network_values (n, layer, n->side, n->sample) + unit * size;
  double most = (double) values[0];

  for (gint64 i = 1; i < size; i++)
    most = MAX (most, (double) values[i]);
  return isfinite (most) ? most : 0;
}

/* ---- tensors ---- */

static const void *
tensor_of (const LsNetwork *n, guint side, guint shape, LsDtype dtype)
{
  const LsViewLane *lane = &n->layout->data->sides[side];
  const LsRecordedShape *found = NULL;
  const void *values;

  /* a lane that stopped shows another step than the rest */
  if (!lane->there || lane->recorded == NULL || lane->held != NULL)
    return NULL;
  values = ls_recording_values (n->recording, lane->lane, n->recording->shapes[shape].name, &found);
  return values != NULL && found->dtype == dtype ? values : NULL;
}

static void
read_values (const LsNetwork *n, guint shape, const float *values[LS_SIDES])
{
  for (guint side = 0; side < LS_SIDES; side++)
    values[side] = tensor_of (n, side, shape, LS_F32);
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

/* When the tensor was computed in the lane of that side: with the op that it is fused into. */
static void
find_time (const LsNetwork *n, guint side, guint shape, gint64 *begin_ns, gint64 *end_ns)
{
  const LsStepIndex *index = n->layout->data->sides[side].index;

  *begin_ns = *end_ns = 0;
  for (guint i = 0; index != NULL && i < MIN (n->recording->n_ops, index->n_ops) && n->recording->ops[i].phase <= LS_PHASE_LOSS; i++)
    {
      const LsOpTrace *trace = &index->ops[ls_step_index_leader (index, i)];
      if (n->recording->ops[i].n_out == 0 || n->recording->ops[i].out[0] != shape || !trace->ran)
        continue;
      *begin_ns = trace->start_ns;
      *end_ns = trace->end_ns;
    }
}

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
  read_values (n, shape, layer->values);
  find_time (n, (guint) n->side, shape, &layer->begin_ns, &layer->end_ns);
  return layer->values[n->side] != NULL && layer->units > 0 && layer->rows > 0 && layer->cols > 0;
}

static void
add_weight (LsNetworkLayer *layer, const LsNetworkLayer *before, const LsNetwork *n, const LsRecordedOp *op)
{
  const LsRecordedShape *w;

  if (op == NULL || op->n_in < 2)
    return;
  w = &n->recording->shapes[op->in[1]];
  if (w->role != LS_ROLE_WEIGHT || w->rank < 2 || w->shape[0] != layer->units)
    return;
  layer->weight = w;
  read_values (n, op->in[1], layer->weights);
  layer->dense = w->rank == 2 && layer->rows * layer->cols == 1 && w->shape[1] == ls_network_count (before)
                 && &n->recording->shapes[op->in[0]] == before->shape && layer->weights[n->side] != NULL;
}

/* Of each layer with weights its last recorded output: after bias, activation and pooling. Where there are too many layers
 * the newest takes the place of the one before it. */
static void
find_layers (LsNetwork *n)
{
  const LsRecording *r = n->recording;
  const LsRecordedOp *weighted = NULL, *of = NULL;
  gint candidate = -1;

  for (guint i = 0; i <= r->n_ops; i++)
    {
      const LsRecordedOp *op = i < r->n_ops ? &r->ops[i] : NULL;
      const gboolean end = op == NULL || op->phase > LS_PHASE_FORWARD;
      const gboolean has_weights = !end && (strcmp (op->name, "matmul") == 0 || strcmp (op->name, "conv2d") == 0);

      if ((has_weights || end) && candidate >= 0)
        {
          LsNetworkLayer layer;
          if (layer_init (&layer, n, (guint) candidate))
            {
              const gboolean full = n->n_layers == LS_NETWORK_LAYERS;
              add_weight (&layer, &n->layers[n->n_layers - 1], n, of);
              n->left_out += full;
              n->n_layers -= full;
              n->layers[n->n_layers++] = layer;
            }
          candidate = -1;
        }
      if (end)
        return;
      if (has_weights)
        weighted = op;
      if (op->phase == LS_PHASE_FORWARD && op->n_out > 0 && r->shapes[op->out[0]].role == LS_ROLE_ACTIVATION
          && tensor_of (n, (guint) n->side, op->out[0], LS_F32) != NULL)
        {
          candidate = (gint) op->out[0];
          of = weighted;
        }
    }
}

static void
measure_layer (const LsNetwork *n, LsNetworkLayer *layer)
{
  const float *values = ls_network_values (n, layer, n->side, n->sample);

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
    if (isfinite (x->values[n->side][i]))
      {
        n->low = MIN (n->low, x->values[n->side][i]);
        n->high = MAX (n->high, x->values[n->side][i]);
      }
}

/* ---- what the network said ---- */

gint
ls_network_label (const LsNetwork *n, gint64 sample)
{
  return n->labels != NULL && n->labels[sample] >= 0 && n->labels[sample] < n->n_classes ? n->labels[sample] : -1;
}

gint
ls_network_said (const LsNetwork *n, gint side, gint64 sample)
{
  const float *p;
  gint best = 0;

  if (n->probs[side] == NULL)
    return -1;
  p = n->probs[side] + sample * n->n_classes;
  for (gint c = 1; c < n->n_classes; c++)
    if (p[c] > p[best])
      best = c;
  return best;
}

static double
surprise (const LsNetwork *n, gint64 sample)
{
  return (double) n->probs[n->side][sample * n->n_classes + ls_network_label (n, sample)];
}

static gint
by_surprise_cb (gconstpointer a, gconstpointer b, gpointer data)
{
  const double x = surprise (data, *(const gint64 *) a), y = surprise (data, *(const gint64 *) b);

  return x != y ? (x > y) - (x < y) : *(const gint64 *) a > *(const gint64 *) b ? 1 : -1;
}

static void
judge (LsNetwork *n)
{
  if (n->labels == NULL || n->probs[n->side] == NULL || n->n_classes > LS_NETWORK_CLASSES)
    return;
  n->matrix = g_new0 (guint, (gsize) n->n_classes * (gsize) n->n_classes);
  for (gint64 i = 0; i < n->batch; i++)
    {
      const gint label = ls_network_label (n, i), said = ls_network_said (n, n->side, i);
      if (label < 0)
        continue;
      n->matrix[label * n->n_classes + said]++;
      n->n_right += label == said;
      if (label != said)
        g_array_append_val (n->wrong, i);
    }
  g_array_sort_with_data (n->wrong, by_surprise_cb, n);
}

static void
find_outcome (LsNetwork *n)
{
  const gint labels = find_shape (n->recording, LS_ROLE_LABEL, NULL), probs = find_shape (n->recording, LS_ROLE_ACTIVATION, "probs");

  n->n_classes = n->recording->n_classes;
  n->said = -1;
  if (labels >= 0 && ls_recorded_shape_count (&n->recording->shapes[labels]) == n->batch)
    n->labels = tensor_of (n, (guint) n->side, (guint) labels, LS_I32);
  if (probs < 0 || n->n_classes <= 0 || ls_recorded_shape_count (&n->recording->shapes[probs]) != n->batch * n->n_classes)
    return;
  read_values (n, (guint) probs, n->probs);
  for (guint side = 0; side < LS_SIDES; side++)
    find_time (n, side, (guint) probs, &n->probs_begin_ns[side], &n->probs_end_ns[side]);
  n->said = ls_network_said (n, n->side, n->sample);
  judge (n);
}

/* ---- the picked unit, the pictures ---- */

static void
find_unit (LsNetwork *n, const LsQuery *query)
{
  double most = -HUGE_VAL;

  n->layer = n->unit = -1;
  n->picked = query->layer > 0 && query->layer < (gint) n->n_layers - 1 && query->unit >= 0
              && query->unit < n->layers[query->layer].units;
  if (n->picked)
    {
      n->layer = query->layer;
      n->unit = query->unit;
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
      const double value = fabs (ls_network_unit_value (n, &n->layers[n->layer], u));
      if (value > most)
        {
          most = value;
          n->unit = (gint) u;
        }
    }
}

gboolean
ls_network_init (LsNetwork *n, LsLayout *layout)
{
  const LsViewData *data = layout->data;
  const LsQuery *query = &layout->query;
  gint x;

  *n = (LsNetwork){ .layout = layout, .recording = data->recording, .side = -1, .layer = -1, .unit = -1, .said = -1 };
  n->edges = g_array_new (FALSE, FALSE, sizeof (LsNetworkEdge));
  n->wrong = g_array_new (FALSE, FALSE, sizeof (gint64));
  if (data->recording == NULL || data->recording->batch == 0 || (x = find_shape (data->recording, LS_ROLE_INPUT, NULL)) < 0)
    return FALSE;
  n->batch = data->recording->batch;
  n->sample = query->sample >= 0 && query->sample < n->batch ? query->sample : 0;
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
  n->n_layers = 1;
  n->plane = ls_network_count (&n->layers[0]) == 2;
  if (n->layers[0].rows > 1 && n->layers[0].cols > 1)
    {
      n->image_rows = n->layers[0].rows;
      n->image_cols = n->layers[0].cols;
    }
  find_layers (n);
  find_range (n);
  for (guint l = 0; l < n->n_layers; l++)
    measure_layer (n, &n->layers[l]);
  find_outcome (n);
  find_unit (n, query);
  return TRUE;
}

void
ls_network_clear (LsNetwork *n)
{
  g_clear_pointer (&n->edges, g_array_unref);
  g_clear_pointer (&n->wrong, g_array_unref);
  g_clear_pointer (&n->matrix, g_free);
}
