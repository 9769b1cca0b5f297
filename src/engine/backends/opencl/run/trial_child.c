/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The child's side of a trial (trial.h): a lane as the program would open it, with the edited kernels, on a
 * plan of the same shapes and on samples of the same kind; a step, and a recorded one, which has other
 * variants of the kernels. What is built on the way lies in the caches afterwards, and the parent finds it
 * there. Or a walk, on zeros, for the sake of the caches alone.
 */
#include "config.h"
#include "backends/opencl/run/trial.h"

#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

#include "backends/opencl/child/told.h"
#include "child/say.h"
#include "backends/opencl/run/instance.h"
#include "core/error.h"
#include "core/file.h"
#include "files/json.h"
#include "model/spec.h"

#define MAX_ORDER_BYTES   (64u << 20) /* all files of kernels_cl/, each at most 1 MiB, with quotes */
#define MAX_MESSAGE_BYTES (64u << 10)
#define LOOK_US           (30 * 1000)

typedef struct {
  LsOptions *options;
  LsKernelFiles *edited;
  LsData *data;
  LsPlan *plan;
  LsClDiscovery *discovery;
  gint64 kind, launches, walk_op, walk_rung;
  gpointer lane;
  int fd;    /* where the parent listens */
  gint over; /* atomic */
} Trial;

/* ---- the order ---- */

/* As many samples as a step needs, which look like something. */
static void
make_set (LsDataset *set, const gint64 shape[3], gboolean f32, gint64 n, gint n_classes)
{
  *set = (LsDataset){ .n = n,
                      .sample_size = shape[0] * shape[1] * shape[2],
                      .type = f32 ? LS_SAMPLE_F32 : LS_SAMPLE_U8 };
  memcpy (set->shape, shape, sizeof set->shape);
  set->samples = g_malloc0 ((gsize) (n * set->sample_size) * (f32 ? sizeof (float) : 1));
  set->labels = g_new (gint32, n);
  for (gint64 i = 0; i < n * set->sample_size; i++)
    if (f32)
      ((float *) set->samples)[i] = (float) (i * 7 % 32) / 16 - 1;
    else
      ((guint8 *) set->samples)[i] = (guint8) (i * 7 % 256);
  for (gint64 i = 0; i < n; i++)
    set->labels[i] = (gint32) (i % n_classes);
}

static gboolean
read_data (Trial *trial, const json_t *root, GError **error)
{
  gint64 shape[3], classes, precision, f32;
  g_autoptr (LsModel) model = NULL;
  g_autoptr (LsPlan) plan = NULL;

  if (!ls_json_get_int (root, "channels", 1, 1 << 20, &shape[0], error)
      || !ls_json_get_int (root, "height", 1, 1 << 20, &shape[1], error)
      || !ls_json_get_int (root, "width", 1, 1 << 20, &shape[2], error)
      || !ls_json_get_int (root, "classes", 1, 1 << 20, &classes, error)
      || !ls_json_get_int (root, "precision", 0, LS_PRECISION_N - 1, &precision, error)
      || !ls_json_get_int (root, "f32", 0, 1, &f32, error))
    return FALSE;
  trial->data = g_new0 (LsData, 1);
  trial->data->ref_count = 1;
  trial->data->name = g_strdup ("trial");
  trial->data->n_classes = (gint) classes;
  make_set (&trial->data->train, shape, f32 != 0, trial->options->batch, (gint) classes);
  make_set (&trial->data->test, shape, f32 != 0, trial->options->batch, (gint) classes);
  model = ls_model_parse (trial->options->model, error);
  if (model == NULL)
    return FALSE;
  plan = ls_plan_new (model, shape, (gint) classes, (guint) trial->options->batch,
                      (LsOptimizer) trial->options->optimizer, error);
  if (plan == NULL)
    return FALSE;
  trial->plan = ls_plan_with_precision (plan, (LsPrecision) precision);
  return TRUE;
}

static gboolean
read_walk (Trial *trial, const json_t *root, GError **error)
{
  return ls_json_get_int (root, "walk-op", LS_WALK_NO_OP, trial->plan->n_ops - 1, &trial->walk_op, error)
         && ls_json_get_int (root, "walk-rung", 0, LS_RUNG_N - 1, &trial->walk_rung, error);
}

static gboolean
read_order (Trial *trial, const char *path, GError **error)
{
  g_autoptr (GBytes) bytes = ls_file_read (path, MAX_ORDER_BYTES, error);
  g_autoptr (json_t) order = NULL;
  gconstpointer text;
  gsize length;

  if (bytes == NULL)
    return FALSE;
  text = g_bytes_get_data (bytes, &length);
  if (strstr (path, G_DIR_SEPARATOR_S LS_TRIAL_FILE) != NULL)
    g_unlink (path); /* its writer may be killed before it can */
  order = ls_json_parse (text, length, MAX_ORDER_BYTES, JSON_OBJECT, error);
  if (order == NULL)
    return FALSE;
  trial->options = ls_options_new ();
  return ls_json_get_int (order, "kind", LS_TRIAL_STEP, LS_TRIAL_WALK, &trial->kind, error)
         && ls_json_get_int (order, "launches", 0, 1, &trial->launches, error)
         && ls_told_get_options (order, trial->options, error)
         && (trial->edited = ls_told_get_kernels (order, error)) != NULL && read_data (trial, order, error)
         && read_walk (trial, order, error) && (trial->discovery = ls_told_get_device (order, error)) != NULL;
}

/* ---- the step ---- */

static gpointer
tell_progress (gpointer data)
{
  Trial *trial = data;
  guint done = 0, total = 0;

  while (!g_atomic_int_get (&trial->over))
    {
      guint now_done, now_total;
      ls_backend_opencl_here.build->progress (trial->lane, &now_done, &now_total);
      if (now_total > 0 && (now_done != done || now_total != total))
        {
          json_t *line = json_object ();
          ls_json_whole (line, "built", done = now_done);
          ls_json_whole (line, "of", total = now_total);
          if (!ls_say (trial->fd, line))
            break;
        }
      g_usleep (LOOK_US);
    }
  return NULL;
}

static gboolean
write_weights (Trial *trial, GError **error)
{
  for (guint p = 0; p < trial->plan->n_params; p++)
    {
      const guint weight = trial->plan->params[p].weight;
      g_autofree float *values = g_new0 (float, MAX (ls_tensor_count (&trial->plan->tensors[weight]), 1));
      ls_plan_init_param (trial->plan, p, (guint64) trial->options->seed, values);
      if (!ls_backend_opencl_here.write (trial->lane, weight, values, error))
        return FALSE;
    }
  return TRUE;
}

static gboolean
run_step (Trial *trial, gboolean recorded, gboolean fuse, GError **error)
{
  g_autofree guint32 *index = g_new0 (guint32, trial->plan->batch);
  const LsBatch batch = { &trial->data->train, index, trial->plan->batch };
  const LsHyper hyper = { .lr = trial->options->lr,
                          .momentum = trial->options->momentum,
                          .beta1 = 0.9,
                          .beta2 = 0.999,
                          .epsilon = 1e-8,
                          .step = 1 };
  LsLossScale scale = ls_loss_scale_first (trial->plan->precision == LS_PRECISION_FP16);
  LsRun run = { .n_ops = trial->plan->n_ops,
                .n_steps = 1,
                .batches = &batch,
                .hyper = &hyper,
                .fuse = fuse,
                .reuse = fuse && !recorded,
                .scale = &scale };
  LsRunResult result = { 0 };
  g_autoptr (LsTrace) trace = NULL;
  guint32 capacity;
  guint n_rings;

  for (guint i = 0; i < trial->plan->batch; i++)
    index[i] = i;
  if (recorded)
    {
      ls_backend_opencl_here.trace_size (trial->lane, &n_rings, &capacity);
      run.trace = trace = ls_trace_new (0, n_rings, capacity, error);
      if (trace == NULL)
        return FALSE;
    }
  return ls_backend_opencl_here.run (trial->lane, &run, &result, error);
}

/* On zeros: what is built doesn't depend on values. */
static gboolean
run_walk (Trial *trial, GError **error)
{
  g_autofree const void **values = g_new0 (const void *, trial->plan->n_tensors);
  const LsWalkOrder order = { .op = (guint) MAX (trial->walk_op, 0),
                              .rung = (LsRung) trial->walk_rung,
                              .row = -1,
                              .col = -1,
                              .values = values };
  g_autofree void *zeros = NULL;
  g_autoptr (LsWalk) walk = NULL;
  LsFigure roofs[LS_ROOF_N] = { 0 };
  gsize most = 1;

  for (guint i = 0; i < trial->plan->n_tensors; i++)
    most = MAX (most, ls_tensor_host_bytes (&trial->plan->tensors[i]));
  zeros = g_malloc0 (most);
  for (guint i = 0; i < trial->plan->n_tensors; i++)
    values[i] = zeros;
  return trial->walk_op >= 0 ? ls_backend_opencl_here.walk->walk (trial->lane, &order, &walk, error)
                             : ls_backend_opencl_here.roofs->measure (trial->lane, roofs, error);
}

/* The row has an edited file among its sources that those of the rungs tried so far haven't. */
static gboolean
adds_edited (const Trial *trial, const LsClKernel *row, GHashTable *tried)
{
  for (guint i = 0; row->sources[i] != NULL; i++)
    if (g_hash_table_contains (trial->edited->texts, row->sources[i])
        && !g_hash_table_contains (tried, row->sources[i]))
      return TRUE;
  return FALSE;
}

static void
add_sources (GHashTable *tried, const LsClKernel *row)
{
  for (guint i = 0; i < LS_CL_MAX_SOURCES && row->sources[i] != NULL; i++)
    g_hash_table_add (tried, (gpointer) row->sources[i]);
}

/* The lane's own rung has been tried: the others whose files no step has gone through yet, since any of them
 * may be chosen later. The parent hears which one, in case it is the end. */
static gboolean
run_rungs (Trial *trial, GError **error)
{
  g_autoptr (GHashTable) tried = g_hash_table_new (g_str_hash, g_str_equal);
  guint n;
  const LsClKernel *rows = ls_cl_kernels (&n);
  LsCl *lane = trial->lane;

  for (guint i = 0; i < trial->plan->n_ops; i++)
    if (lane->single[i].row != NULL)
      add_sources (tried, lane->single[i].row);
  for (guint k = 0; k < n; k++)
    {
      json_t *line;

      if (!adds_edited (trial, &rows[k], tried))
        continue;
      line = json_object ();
      ls_json_text (line, "rung", rows[k].rung);
      ls_say (trial->fd, line);
      g_free (trial->options->kernel);
      trial->options->kernel = g_strdup (rows[k].rung);
      if (!ls_backend_opencl_here.configure (trial->lane, trial->options, error)
          || !run_step (trial, FALSE, trial->options->fusion, error))
        return FALSE;
      for (guint other = 0; other < n; other++)
        if (strcmp (rows[other].rung, rows[k].rung) == 0)
          add_sources (tried, &rows[other]);
    }
  return TRUE;
}

static gboolean
do_work (Trial *trial, GError **error)
{
  const gboolean fuse = trial->options->fusion;

  if (trial->kind == LS_TRIAL_WALK)
    return run_walk (trial, error);
  return write_weights (trial, error)
         && run_step (trial, FALSE, fuse && trial->kind != LS_TRIAL_SINGLE, error)
         && (trial->kind != LS_TRIAL_RECORDED
             || (run_step (trial, TRUE, fuse, error) && run_rungs (trial, error)));
}

/* Those that the parent's pipe names. */
static gboolean
build_launches (Trial *trial, GError **error)
{
  ((LsCl *) trial->lane)->fed
    = (LsClFed){ .input = STDIN_FILENO, .output = trial->fd, .probe = trial->kind == LS_TRIAL_RECORDED };
  return ls_backend_opencl_here.edit->reload (trial->lane, trial->edited, error)
         && ls_backend_opencl_here.prepare (trial->lane, trial->plan, trial->data, error);
}

/* Of a walk no texts: those that the lane is opened with. */
static gboolean
run_beside_teller (Trial *trial, GError **error)
{
  GThread *teller = g_thread_new ("progress", tell_progress, trial);
  const gboolean own = trial->kind == LS_TRIAL_WALK && !ls_kernel_files_any (trial->edited);
  const gboolean ok = (own || ls_backend_opencl_here.edit->reload (trial->lane, trial->edited, error))
                      && ls_backend_opencl_here.prepare (trial->lane, trial->plan, trial->data, error)
                      && do_work (trial, error);

  g_atomic_int_set (&trial->over, TRUE);
  g_thread_join (teller);
  return ok;
}

static gboolean
run_all (Trial *trial, GError **error)
{
  return trial->launches ? build_launches (trial, error) : run_beside_teller (trial, error);
}

/* Nothing is freed: the process ends at once. */
gboolean
ls_cl_trial_answer (int fd, const char *path)
{
  Trial *trial = g_new0 (Trial, 1);
  g_autoptr (GError) error = NULL;
  gboolean opened, works;
  json_t *answer;

  trial->fd = fd;
  opened = read_order (trial, path, &error)
           && (trial->lane = ls_cl_open_discovered (trial->options, 0, trial->discovery, &error)) != NULL;
  works = opened && run_all (trial, &error);
  answer = json_object ();
  ls_json_whole (answer, "opened", opened);
  ls_json_whole (answer, "works", works);
  if (error != NULL)
    {
      g_autofree char *message = g_strndup (error->message, MAX_MESSAGE_BYTES);
      ls_json_whole (answer, "code", error->domain == LS_ERROR ? error->code : LS_ERROR_DEVICE);
      ls_json_text (answer, "message", message);
    }
  return ls_say (fd, answer);
}
