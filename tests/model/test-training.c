/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Four steps of small networks with both optimizers, in double, against PyTorch: loss of each step, and a
 * checksum of all weights afterwards. What the ops' own tests can't see (order, wiring, initial states) shows
 * here.
 *
 * The constants come from PyTorch 1.13 (double, printed with %.15g), for parameter k, p.numel () = n:
 *   p = 0.5 * sin (k + 0.7 * arange (n)); x likewise with k = 100; t = arange (B) % classes
 *   repeat 4 times: loss = cross_entropy (net (x), t), backward, step; then Σ over parameters of p · cos
 * (arange (n)) with the nn.Sequential of the same words, SGD (lr=0.1, momentum=0.9) and Adam (lr=0.01).
 */
#include <math.h>

#include "loops.h"

#define MLP "flatten, dense 7, relu, dense 5, tanh, dense 3"
#define CNN                                                                                                  \
  "conv 3 3 pad 1, relu, maxpool 3 stride 2, conv 4 3 stride 2 pad 1, tanh, maxpool 2 stride 1, sigmoid, "   \
  "flatten, dense 4"

/* class Residual (nn.Sequential): forward (x) = x + super ().forward (x) */
#define RESIDUAL_MLP "flatten, dense 6, residual(relu, dense 6, residual(tanh)), dense 3"
#define RESIDUAL_CNN                                                                                         \
  "conv 3 3 pad 1, residual(relu, conv 3 3 pad 1, tanh), maxpool 3, flatten, residual(dense 48), dense 4"

#define GELU      "conv 3 3 pad 1, gelu, avgpool 3, flatten, dense 5, gelu, dense 4"
#define LAYERNORM "flatten, layernorm, dense 7, layernorm, gelu, dense 3"
/* nn.LayerNorm of the last dimension */
#define LAYERNORM_SEQUENCE "conv 2 3, layernorm, lstm 5 all, layernorm, lstm 4, dense 4"
#define AVGPOOL            "conv 3 3 pad 1, relu, avgpool 2, conv 4 3, avgpool 2, flatten, dense 4"

/* nn.LSTM (C·W, N, batch_first=True) of x.permute (0, 2, 1, 3).flatten (2); all outputs as 1×T×N */
#define LSTM     "lstm 5, dense 3"
#define LSTM_ALL "lstm 5 all, tanh, lstm 4 all, flatten, dense 4"
#define LSTM_CNN "conv 2 3, relu, lstm 4 all, lstm 3, dense 4"

static const struct {
  const char *name, *model;
  gint64 channels, height, width;
  guint batch;
  gint n_classes;
  LsOptimizer optimizer;
  double lr, loss[4], checksum;
} rows[] = {
  { "mlp",
    MLP,
    1,
    3,
    4,
    5,
    3,
    LS_OPTIMIZER_SGD,
    0.1,
    { 0.996947501510409, 0.921368724829909, 0.805326411030169, 0.684983703571293 },
    2.91146709848757 },
  { "cnn",
    CNN,
    2,
    13,
    12,
    3,
    4,
    LS_OPTIMIZER_SGD,
    0.1,
    { 1.92635354894778, 1.58437501127611, 1.39767537840943, 1.28742237890276 },
    -0.504535399502838 },
  { "mlp",
    MLP,
    1,
    3,
    4,
    5,
    3,
    LS_OPTIMIZER_ADAM,
    0.01,
    { 0.996947501510409, 0.920957249707073, 0.852873079426639, 0.791923924830374 },
    2.53657780680346 },
  { "cnn",
    CNN,
    2,
    13,
    12,
    3,
    4,
    LS_OPTIMIZER_ADAM,
    0.01,
    { 1.92635354894778, 1.7219988747879, 1.57921136369509, 1.48702543591124 },
    -0.69075858248595 },
  { "residual-mlp",
    RESIDUAL_MLP,
    1,
    3,
    4,
    5,
    3,
    LS_OPTIMIZER_SGD,
    0.1,
    { 1.75840220072893, 0.788763151593982, 0.306354247286365, 0.165543790396293 },
    -0.202290943142275 },
  { "residual-mlp",
    RESIDUAL_MLP,
    1,
    3,
    4,
    5,
    3,
    LS_OPTIMIZER_ADAM,
    0.01,
    { 1.75840220072893, 1.47614327164434, 1.21110466625628, 0.969013058472343 },
    0.0663219726923188 },
  { "residual-cnn",
    RESIDUAL_CNN,
    2,
    13,
    12,
    3,
    4,
    LS_OPTIMIZER_ADAM,
    0.01,
    { 4.03851292505793, 4.18528453540867, 5.94611226513213, 4.71620661567755 },
    -2.93798543373118 },
  { "avgpool",
    AVGPOOL,
    2,
    13,
    12,
    3,
    4,
    LS_OPTIMIZER_SGD,
    0.1,
    { 1.66265438602479, 1.81428719561503, 1.22657583867754, 1.44326914357652 },
    -0.44500749490723 },
  { "avgpool",
    AVGPOOL,
    2,
    13,
    12,
    3,
    4,
    LS_OPTIMIZER_ADAM,
    0.01,
    { 1.66265438602479, 1.44684841999867, 1.41171280640119, 1.36406909326734 },
    -0.720073039065492 },
  { "gelu",
    GELU,
    2,
    13,
    12,
    3,
    4,
    LS_OPTIMIZER_SGD,
    0.1,
    { 1.64953021114116, 1.60529738233534, 1.54339473822286, 1.48183368075668 },
    0.372842103650064 },
  { "gelu",
    GELU,
    2,
    13,
    12,
    3,
    4,
    LS_OPTIMIZER_ADAM,
    0.01,
    { 1.64953021114116, 1.59973399788518, 1.55911643868885, 1.52592628894246 },
    -0.104368100878442 },
  { "layernorm",
    LAYERNORM,
    1,
    3,
    4,
    5,
    3,
    LS_OPTIMIZER_SGD,
    0.1,
    { 1.11667265949556, 1.10433081476714, 1.0845945444062, 1.06384744901545 },
    -1.87485691167879 },
  { "layernorm",
    LAYERNORM,
    1,
    3,
    4,
    5,
    3,
    LS_OPTIMIZER_ADAM,
    0.01,
    { 1.11667265949556, 1.09136375559458, 1.06961534704158, 1.05134816900409 },
    -1.87293289732584 },
  { "layernorm-sequence",
    LAYERNORM_SEQUENCE,
    2,
    13,
    12,
    3,
    4,
    LS_OPTIMIZER_SGD,
    0.1,
    { 1.30016035021798, 1.29038704767163, 1.27340513957124, 1.25261611063126 },
    3.63014256360848 },
  { "layernorm-sequence",
    LAYERNORM_SEQUENCE,
    2,
    13,
    12,
    3,
    4,
    LS_OPTIMIZER_ADAM,
    0.01,
    { 1.30016035021798, 1.28110665131815, 1.26494315197433, 1.25072985369317 },
    4.10692853106555 },
  { "lstm",
    LSTM,
    2,
    3,
    4,
    5,
    3,
    LS_OPTIMIZER_SGD,
    0.1,
    { 1.31681777564771, 1.30306933997374, 1.27857188129568, 1.24711087668937 },
    -1.93929425840551 },
  { "lstm",
    LSTM,
    2,
    3,
    4,
    5,
    3,
    LS_OPTIMIZER_ADAM,
    0.01,
    { 1.31681777564771, 1.28915094389501, 1.26299066079036, 1.23827127582408 },
    -2.11786387862254 },
  { "lstm-all",
    LSTM_ALL,
    2,
    13,
    12,
    3,
    4,
    LS_OPTIMIZER_SGD,
    0.1,
    { 1.36093541819093, 1.32643577795047, 1.27251383471924, 1.21589715532979 },
    -1.87476161803029 },
  { "lstm-cnn",
    LSTM_CNN,
    2,
    13,
    12,
    3,
    4,
    LS_OPTIMIZER_ADAM,
    0.01,
    { 1.52505096382182, 1.50607646989712, 1.48697818992965, 1.46724161832383 },
    2.71662659232814 },
};

static double
wave (guint k, gint64 i)
{
  return 0.5 * sin (k + 0.7 * (double) i);
}

static void
test_training (gconstpointer data)
{
  const guint r = GPOINTER_TO_UINT (data);
  LsPlan *plan = ls_loops_plan (rows[r].model, rows[r].channels, rows[r].height, rows[r].width,
                                rows[r].n_classes, rows[r].batch, rows[r].optimizer);
  double checksum = 0;
  LsLoops loops;

  ls_loops_init (&loops, plan, TRUE);
  loops.hyper.lr = rows[r].lr;
  for (guint k = 0; k < plan->n_params; k++)
    for (gint64 i = 0; i < ls_tensor_count (&plan->tensors[plan->params[k].weight]); i++)
      ls_loops_set (&loops, plan->params[k].weight, i, wave (k, i));
  for (gint64 i = 0; i < ls_tensor_count (&plan->tensors[plan->x]); i++)
    ls_loops_set (&loops, plan->x, i, wave (100, i));
  for (guint i = 0; i < plan->batch; i++)
    ls_loops_set (&loops, plan->labels, i, i % (guint) plan->n_classes);

  for (guint step = 1; step <= 4; step++)
    {
      loops.hyper.step = step;
      ls_loops_run (&loops, plan->first_op[LS_PHASE_FORWARD], plan->n_ops - plan->first_op[LS_PHASE_FORWARD]);
      g_assert_cmpfloat_with_epsilon (ls_loops_get (&loops, plan->loss, 0), rows[r].loss[step - 1], 1e-12);
    }
  for (guint k = 0; k < plan->n_params; k++)
    for (gint64 i = 0; i < ls_tensor_count (&plan->tensors[plan->params[k].weight]); i++)
      checksum += ls_loops_get (&loops, plan->params[k].weight, i) * cos ((double) i);
  g_assert_cmpfloat_with_epsilon (checksum, rows[r].checksum, 1e-11);
  ls_loops_clear (&loops);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (guint r = 0; r < G_N_ELEMENTS (rows); r++)
    {
      g_autofree char *path = g_strdup_printf ("/training/%s-%s", rows[r].name,
                                               rows[r].optimizer == LS_OPTIMIZER_SGD ? "sgd" : "adam");
      g_test_add_data_func (path, GUINT_TO_POINTER (r), test_training);
    }
  return g_test_run ();
}
