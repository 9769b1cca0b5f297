/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Names are looked up in the toy sets' table; what lies at a path has its loader's; all else is digits.
 */
#include "config.h"
#include "data/defaults.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "data/loader.h"
#include "data/toy.h"
#include "model/plan.h"

static const LsDataDefaults images = { "mlp",
                                       .lr = 0.05,
                                       .adam_lr = 0.001,
                                       .watch_epochs = 10,
                                       .watch_s = 100,
                                       .word = N_("digits"),
                                       .about = N_("28×28") };

const LsDataDefaults *
ls_data_defaults (const char *what)
{
  guint n;
  const LsToy *toys = ls_toys (&n);
  const LsDataLoader *loader;

  for (guint i = 0; i < n; i++)
    if (strcmp (toys[i].name, what) == 0)
      return &toys[i].defaults;
  loader = strcmp (what, "mnist") != 0 ? ls_data_loader_of (what) : NULL;
  return loader != NULL ? &loader->defaults : &images;
}

double
ls_data_usual_lr (const LsOptions *options)
{
  const LsDataDefaults *usual = ls_data_defaults (options->data);

  return options->optimizer == LS_OPTIMIZER_ADAM ? usual->adam_lr : usual->lr;
}

/* The same with batches of their size: below LS_DEFAULT_LR_BATCH a step's gradient is a mean over fewer
 * samples and so the less sure, and the rate goes down in proportion. */
static double
default_lr (const LsOptions *options)
{
  return ls_data_usual_lr (options) * (double) MIN (options->batch, LS_DEFAULT_LR_BATCH)
         / LS_DEFAULT_LR_BATCH;
}

static guint64
usual_steps (const char *what, guint64 steps_per_epoch)
{
  const LsDataDefaults *usual = ls_data_defaults (what);

  return usual->steps > 0 ? (guint64) usual->steps : (guint64) usual->watch_epochs * steps_per_epoch;
}

static gboolean
is_given (const LsOptions *options, const char *name)
{
  return ls_options_is_given (options, ls_options_find (name));
}

guint64
ls_data_run_steps (const LsOptions *options, guint64 steps_per_epoch)
{
  const gint64 usual = ls_data_defaults (options->data)->steps;

  if (options->steps > 0)
    return (guint64) options->steps;
  if (usual > 0 && !is_given (options, "steps") && !is_given (options, "epochs"))
    return (guint64) usual;
  return (guint64) options->epochs * steps_per_epoch;
}

guint64
ls_data_watch_steps (const LsOptions *options, guint64 steps_per_epoch)
{
  if (options->steps > 0)
    return (guint64) options->steps;
  if (is_given (options, "epochs"))
    return (guint64) options->epochs * steps_per_epoch;
  return usual_steps (options->data, steps_per_epoch);
}

double
ls_data_watch_rate (const char *what, guint64 steps_per_epoch)
{
  return (double) usual_steps (what, steps_per_epoch) / ls_data_defaults (what)->watch_s;
}

/* The same network with one unit for each class; (transfer full). */
static char *
with_classes (const char *text, gint n_classes)
{
  g_autoptr (LsModel) model = ls_model_parse (text, NULL);
  LsLayer *last = &model->layers[model->n_layers - 1];

  if (n_classes > 0)
    last->n = n_classes;
  return ls_layers_text (model->layers, model->n_layers);
}

/* Where --sequence is given, the network's first lstm says it from now on; everybody reads it there, and it
 * may be chosen otherwise. */
static void
read_by (LsOptions *options)
{
  const LsOption *sequence = ls_options_find ("sequence");
  g_autoptr (LsModel) model = ls_options_is_given (options, sequence) ? ls_model_parse (options->model, NULL)
                                                                      : NULL;

  for (guint i = 0; model != NULL && i < model->n_layers; i++)
    if (model->layers[i].kind == LS_LAYER_LSTM)
      {
        model->layers[i].by_columns = options->sequence != 0;
        g_free (options->model);
        options->model = ls_layers_text (model->layers, model->n_layers);
        ls_options_forget (options, sequence);
        return;
      }
}

/* The usual batch, halved until there are samples for one; (transfer full). */
static char *
default_batch (const LsDataDefaults *usual, gint64 n_train)
{
  const char *text = usual->batch != NULL ? usual->batch : ls_options_find ("batch")->default_text;
  gint64 batch = g_ascii_strtoll (text, NULL, 10);

  while (n_train > 0 && batch > n_train)
    batch /= 2;
  return g_strdup_printf ("%lld", (long long) batch);
}

void
ls_data_suggest (LsOptions *options, gint n_classes, gint64 n_train)
{
  const LsDataDefaults *usual = ls_data_defaults (options->data);
  g_autofree char *batch = default_batch (usual, n_train);
  g_autofree char *model = with_classes (usual->model, n_classes);
  char lr[G_ASCII_DTOSTR_BUF_SIZE];

  ls_options_suggest (options, ls_options_find ("batch"), batch);
  ls_options_suggest (options, ls_options_find ("model"), model);
  ls_options_suggest (options, ls_options_find ("lr"), g_ascii_dtostr (lr, sizeof lr, default_lr (options)));
  read_by (options);
}
