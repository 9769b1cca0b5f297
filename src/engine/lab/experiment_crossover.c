/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Where one lane overtakes the other: the options' network made narrower and wider, deeper, or for smaller
 * and larger images, at growing batches.
 */
#include "config.h"
#include "lab/experiment.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "model/spec.h"

#define HIDDEN "flatten, dense 256, relu, dense 128, relu, "
#define CNN                                                                                                  \
  "conv 16 3 pad 1, relu, maxpool 2, conv 32 3 pad 1, relu, maxpool 2, flatten, dense 128, relu, dense 10"

static LsModel *
parse (const char *text)
{
  g_autoptr (GError) error = NULL;
  LsModel *model = ls_model_parse (text, &error);

  return model != NULL ? model : ls_model_parse (HIDDEN "dense 10", NULL);
}

/* Its layer with units or channels, but for the last one, whose number the classes are; LS_MODEL_MAX_LAYERS:
 * it has none. */
static guint
first_sized (const LsModel *model)
{
  guint first = LS_MODEL_MAX_LAYERS;
  gboolean another = FALSE;

  for (guint i = model->n_layers; i > 0; i--)
    if (model->layers[i - 1].n > 0)
      {
        if (another)
          first = i - 1;
        another = TRUE;
      }
  return first;
}

/* The options' network, with the preset's hidden layers where it has none. */
static LsModel *
sized_model (const LsOptions *options, guint *first)
{
  LsModel *model = parse (options->model);

  *first = first_sized (model);
  if (*first < LS_MODEL_MAX_LAYERS)
    return model;
  const gint n_classes = model->layers[model->n_layers - 1].n;
  g_autofree char *text = g_strdup_printf (HIDDEN "dense %d", MAX (n_classes, 1));
  ls_model_free (model);
  model = ls_model_parse (text, NULL);
  *first = first_sized (model);
  return model;
}

static guint
batches (const LsOptions *options, guint threads, guint *sizes)
{
  const guint n = ls_lab_powers (1, 2048, sizes);

  return ls_lab_insert (sizes, n, (guint) options->batch);
}

static char *
line (const LsExperiment *experiment, const LsModel *model, const char *data, guint batch)
{
  g_autofree char *text = ls_layers_text (model->layers, model->n_layers);

  return g_strdup_printf ("%s\t%s\t%s\t%u", experiment->forward ? "forward" : "step", text, data, batch);
}

/* ---- width ---- */

static guint
widths (const LsOptions *options, guint *sizes)
{
  const guint n = ls_lab_powers (32, 4096, sizes);
  guint first;
  g_autoptr (LsModel) model = sized_model (options, &first);

  return ls_lab_insert (sizes, n, (guint) model->layers[first].n);
}

/* Every hidden layer as many times as wide as the first one. */
static char *
wide (const LsExperiment *experiment, const LsOptions *options, LsLabSpot spot)
{
  guint first;
  g_autoptr (LsModel) model = sized_model (options, &first);
  const double times = (double) spot.y / model->layers[first].n;
  guint last = model->n_layers - 1;

  while (model->layers[last].n == 0)
    last--;
  for (guint i = 0; i < last; i++)
    if (model->layers[i].n > 0)
      model->layers[i].n = (gint) MAX (1, lround (model->layers[i].n * times));
  return line (experiment, model, options->data, spot.x);
}

static gboolean
own_width (const LsOptions *options, LsLabSpot *spot)
{
  g_autoptr (LsModel) model = parse (options->model);
  const guint first = first_sized (model);

  if (first == LS_MODEL_MAX_LAYERS)
    return FALSE;
  *spot = (LsLabSpot){ (guint) options->batch, (guint) model->layers[first].n };
  return TRUE;
}

/* ---- depth ---- */

#define DEEP_WIDTH 256

static guint
depths (const LsOptions *options, guint *sizes)
{
  static const guint all[] = { 1, 2, 3, 4, 6, 8, 12, 16 };

  memcpy (sizes, all, sizeof all);
  return G_N_ELEMENTS (all);
}

static char *
deep (const LsExperiment *experiment, const LsOptions *options, LsLabSpot spot)
{
  GString *text = g_string_new ("step\tflatten");

  for (guint i = 0; i < spot.y; i++)
    g_string_append_printf (text, ", dense %d, relu", DEEP_WIDTH);
  g_string_append_printf (text, ", dense 10\tmnist\t%u", spot.x);
  return g_string_free (text, FALSE);
}

/* ---- image size ---- */

static guint
edges (const LsOptions *options, guint *sizes)
{
  static const guint all[] = { 8, 12, 16, 28, 40, 56, 80, 112 };

  memcpy (sizes, all, sizeof all);
  return G_N_ELEMENTS (all);
}

static guint
few_batches (const LsOptions *options, guint threads, guint *sizes)
{
  const guint n = ls_lab_powers (1, 512, sizes);

  return ls_lab_insert (sizes, n, (guint) options->batch);
}

static char *
large (const LsExperiment *experiment, const LsOptions *options, LsLabSpot spot)
{
  return g_strdup_printf ("step\t" CNN "\tnoise %u\t%u", spot.y, spot.x);
}

static gboolean
own_edge (const LsOptions *options, LsLabSpot *spot)
{
  g_autoptr (LsModel) model = parse (options->model);
  g_autofree char *text = ls_layers_text (model->layers, model->n_layers);

  *spot = (LsLabSpot){ (guint) options->batch, 28 };
  return strcmp (text, "cnn") == 0 && strcmp (options->data, "mnist") == 0;
}

/* ---- rows ---- */

#define PLAN(id, make)                                                                                       \
  static void plan_##id (const LsOptions *options, LsLabSpot spot, LsLabPlan *plan)                          \
  {                                                                                                          \
    *plan = (LsLabPlan){ .spec = make (&ls_experiment_##id, options, spot), .amount = spot.x };              \
  }

PLAN (crossover, wide)
PLAN (crossover_forward, wide)
PLAN (crossover_depth, deep)
PLAN (crossover_image, large)

const LsExperiment ls_experiment_crossover = {
  .name = "crossover",
  .title = N_("Crossover"),
  .about = N_("Width and batch: where does one lane overtake the other?"),
  .column = N_("batch"),
  .axis = N_("samples in a step"),
  .row = N_("width"),
  .row_axis = N_("units of the first hidden layer; the others in proportion"),
  .unit = "samples/s",
  .sizes = batches,
  .rows = widths,
  .plan = plan_crossover,
  .own = own_width,
  .times = 4,
  .of_network = TRUE,
};

const LsExperiment ls_experiment_crossover_forward = {
  .name = "crossover-forward",
  .title = N_("Crossover, answers alone"),
  .about = N_("The same for the network’s answers, without training"),
  .column = N_("batch"),
  .axis = N_("samples at a time"),
  .row = N_("width"),
  .row_axis = N_("units of the first hidden layer; the others in proportion"),
  .unit = "samples/s",
  .sizes = batches,
  .rows = widths,
  .plan = plan_crossover_forward,
  .own = own_width,
  .times = 4,
  .of_network = TRUE,
  .variant = TRUE,
  .forward = TRUE,
};

const LsExperiment ls_experiment_crossover_depth = {
  .name = "crossover-depth",
  .title = N_("Crossover by depth"),
  .about = N_("Depth and batch: who has less to do between two layers?"),
  .column = N_("batch"),
  .axis = N_("samples in a step"),
  .row = N_("layers"),
  .row_axis = N_("hidden layers of 256 units"),
  .unit = "samples/s",
  .sizes = batches,
  .rows = depths,
  .plan = plan_crossover_depth,
  .times = 4,
  .variant = TRUE,
};

const LsExperiment ls_experiment_crossover_image = {
  .name = "crossover-image",
  .title = N_("Crossover by image size"),
  .about = N_("Image size and batch: who is faster at convolutions?"),
  .column = N_("batch"),
  .axis = N_("samples in a step"),
  .row = N_("pixels"),
  .row_axis = N_("width and height of an image, px"),
  .unit = "samples/s",
  .sizes = few_batches,
  .rows = edges,
  .plan = plan_crossover_image,
  .own = own_edge,
  .times = 4,
  .variant = TRUE,
};
