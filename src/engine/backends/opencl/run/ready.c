/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Makes launches ready: programs built (or taken from the cache), kernels made, arguments set, and each
 * launch run once, because PoCL compiles a kernel for its work-group size when it is first enqueued. That
 * first run computes with whatever the buffers hold; what an op changes in place (weights, states) is put
 * back afterwards, all else is computed anew by the next step.
 */
#include "config.h"
#include "backends/opencl/run/instance.h"

#include <errno.h>
#include <glib/gi18n-lib.h>
#include <string.h>
#include <unistd.h>

#include "child/say.h"
#include "backends/opencl/device/cl_error.h"

/* All that a program depends on, as its options; they and the file names are its key. */
static char *
options_of (const LsCl *self, const LsClLaunch *launch, gboolean probe, const char *more)
{
  const LsClKernel *row = launch->row;
  GString *s = g_string_new (LS_CL_BUILD_OPTIONS);

  if (self->device->limits.rounds && !self->device->limits.is_cpu)
    g_string_append (s, LS_CL_ROUND_OPTION);
  for (guint i = 0; i < LS_CL_MAX_PARAMS && row->params[i].name; i++)
    g_string_append_printf (s, " -D %s=%d", row->params[i].name, launch->values[i]);
  if (row->defines)
    g_string_append_printf (s, " %s", row->defines);
  if (launch->epilogue && *launch->epilogue)
    g_string_append_printf (s, " %s", launch->epilogue);
  if (self->plan->ops[launch->op].klass == &ls_op_gather && self->data
      && self->data->train.type == LS_SAMPLE_F32)
    g_string_append (s, " -D LS_SAMPLE_F32=1");
  if (ls_cl_op_is_half (&self->plan->ops[launch->op], self->plan))
    g_string_append_printf (s, " -D HALF_BF16=%d -D HALF_OUT=%d", self->plan->precision == LS_PRECISION_BF16,
                            ls_dtype_is_half (self->plan->tensors[self->plan->ops[launch->op].out[0]].dtype));
  if (probe)
    g_string_append_printf (s, " -D LS_PROBE=1 -D LS_PROBE_TICKS=%u", self->ticks);
  if (more)
    g_string_append_printf (s, " %s", more);
  return g_string_free (s, FALSE);
}

static char *
program_key (const char *source, const char *options)
{
  g_autofree char *digest = g_compute_checksum_for_string (G_CHECKSUM_SHA256, source, -1);
  return g_strconcat (digest, " ", options, NULL);
}

cl_program
ls_cl_launch_program (LsCl *self, const LsClLaunch *launch, gboolean probe, const char *more, GError **error)
{
  const LsClKernel *row = launch->row;
  g_autofree char *options = options_of (self, launch, probe, more), *source = NULL, *key = NULL;
  guint last = 0;
  cl_program program;

  source = ls_cl_source_load_row (self->edited, row, error);
  if (source == NULL)
    return NULL;
  key = program_key (source, options);
  program = g_hash_table_lookup (self->programs, key);
  if (program)
    return program;
  while (row->sources[last + 1])
    last++;
  program = ls_cl_program_build (&self->builder, row->sources[last], source, options, error);
  if (program)
    g_hash_table_insert (self->programs, g_steal_pointer (&key), program);
  atomic_fetch_add (&self->built, 1);
  return program;
}

char *
ls_cl_launch_key (const LsCl *self, const LsClLaunch *launch, gboolean probe)
{
  g_autofree char *options = options_of (self, launch, probe, NULL),
                  *source = ls_cl_source_load_row (self->edited, launch->row, NULL);

  return program_key (source != NULL ? source : "", options);
}

/* It isn't in the cache either. */
static gboolean
is_missing (const LsCl *self, const LsClLaunch *launch, gboolean probe)
{
  g_autofree char *options = options_of (self, launch, probe, NULL),
                  *source = ls_cl_source_load_row (self->edited, launch->row, NULL);
  g_autofree char *key = source != NULL ? program_key (source, options) : NULL;

  return key != NULL && g_hash_table_lookup (self->programs, key) == NULL
         && ls_cl_program_missing (&self->builder, source, options);
}

gboolean
ls_cl_launch_missing (const LsCl *self, const LsClLaunch *launch, gboolean probe)
{
  for (guint p = 0; p < launch->n_passes; p++)
    if (launch->needed[p] && is_missing (self, launch, probe && launch->row->passes[p].tiles))
      return TRUE;
  return FALSE;
}

static gboolean
make_kernels (LsCl *self, LsClLaunch *launch, gboolean probe, GError **error)
{
  cl_int code;

  for (guint p = 0; p < launch->n_passes; p++)
    {
      const LsClPass *pass = &launch->row->passes[p];
      cl_program program;
      if (!launch->needed[p] || launch->kernel[probe][p])
        continue;
      program = ls_cl_launch_program (self, launch, probe && pass->tiles, NULL, error);
      if (program == NULL)
        return FALSE;
      launch->kernel[probe][p] = clCreateKernel (program, pass->function, &code);
      if (code != CL_SUCCESS)
        {
          launch->kernel[probe][p] = NULL;
          return ls_cl_fail (error, code, "clCreateKernel", pass->function);
        }
    }
  if (probe && launch->probe == NULL)
    launch->probe = ls_cl_buffer_new (self,
                                      (LS_CL_PROBE_HEADER + (gsize) launch->groups * LS_CL_PROBE_WORDS) * 4,
                                      _("the probe’s words"), error);
  return (!probe || launch->probe) && ls_cl_set_fixed_args (self, launch, probe, error);
}

/* ---- the first run ---- */

typedef struct {
  cl_mem from, copy;
  gsize bytes;
  const char *name;
} Kept;

static gboolean
keep (LsCl *self, Kept *kept, cl_mem from, gsize bytes, const char *name, GError **error)
{
  cl_int code;

  *kept = (Kept){ from, ls_cl_buffer_new (self, bytes, name, error), bytes, name };
  if (kept->copy == NULL)
    return FALSE;
  code = clEnqueueCopyBuffer (self->queue, from, kept->copy, 0, 0, bytes, 0, NULL, NULL);
  return code == CL_SUCCESS || ls_cl_fail (error, code, "clEnqueueCopyBuffer", name);
}

/* What the op changes in place, and an updated weight's copy: there is room for it, as an update has fewer
 * outputs than an op may have. */
static gboolean
keep_in_place (LsCl *self, const LsOp *op, Kept *kept, GError **error)
{
  const LsClMemory *m = &self->memory;

  for (guint j = 0; j < op->n_out; j++)
    {
      const LsTensor *t = &self->plan->tensors[op->out[j]];
      if (op->klass->in_place[j] < 0)
        continue;
      if (!keep (self, &kept[j], m->tensors[op->out[j]], ls_tensor_bytes (t), t->name, error)
          || (ls_tensor_has_copy (t)
              && !keep (self, &kept[LS_OP_MAX_OUT - 1], m->copies[op->out[j]], ls_tensor_copy_bytes (t),
                        t->name, error)))
        return FALSE;
    }
  return TRUE;
}

static gboolean
put_back (LsCl *self, const Kept *kept, guint n, GError **error)
{
  for (guint j = 0; j < n; j++)
    {
      cl_int code;
      if (kept[j].copy == NULL)
        continue;
      code = clEnqueueCopyBuffer (self->queue, kept[j].copy, kept[j].from, 0, 0, kept[j].bytes, 0, NULL,
                                  NULL);
      if (code != CL_SUCCESS)
        return ls_cl_fail (error, code, "clEnqueueCopyBuffer", kept[j].name);
    }
  return TRUE;
}

/* The chosen variant of each pass, once. Positions are set to 0, valid in any set. */
static gboolean
run_once (LsCl *self, LsClLaunch *launch, gboolean probe, GError **error)
{
  static const LsHyper hyper = { .beta1 = 0.9, .beta2 = 0.999, .epsilon = 1e-8, .step = 1 };
  g_autofree guint32 *index = g_new0 (guint32, self->plan->batch);
  LsBatch batch = { self->data ? &self->data->train : NULL, index, self->plan->batch };
  LsClRecorder recorder = { .commands = g_newa0 (LsClCommand, LS_CL_MAX_PASSES + 2),
                            .capacity = LS_CL_MAX_PASSES + 2 };
  const LsClOrder order
    = { .queue = self->queue, .batch = &batch, .hyper = &hyper, .recorder = probe ? &recorder : NULL };
  gboolean ok = ls_cl_enqueue (self, launch, &order, error);
  cl_int code = ls_cl_finish (self, self->queue);

  for (guint i = 0; i < recorder.n; i++)
    if (recorder.commands[i].event)
      clReleaseEvent (recorder.commands[i].event);
  if (ok && code != CL_SUCCESS)
    {
      g_autofree char *title = ls_cl_op_title (self, launch->op);
      return ls_cl_fail (error, code, "clFinish", title);
    }
  return ok;
}

static gboolean
warm_up (LsCl *self, LsClLaunch *launch, gboolean probe, GError **error)
{
  Kept kept[(1 + LS_CL_MAX_JOINS) * LS_OP_MAX_OUT] = { 0 };
  gboolean ok = keep_in_place (self, ls_cl_last_op (self, launch), kept, error); /* an update, if there is
                                                                                    one, ends its chain */

  for (guint i = 0; ok && i < launch->n_joins; i++)
    ok = keep_in_place (self, ls_cl_join_op (self, launch, i), kept + (1 + i) * LS_OP_MAX_OUT, error);
  ok = ok && run_once (self, launch, probe, error) && put_back (self, kept, G_N_ELEMENTS (kept), error);

  for (guint j = 0; j < G_N_ELEMENTS (kept); j++)
    ls_cl_buffer_clear (self, &kept[j].copy); /* the driver frees it when the last command is done with it */
  atomic_fetch_add (&self->built, 1);
  return ok;
}

/* ---- all ---- */

static gboolean
is_wanted (const LsCl *self, const LsClLaunch *launch, gboolean probe)
{
  return launch->row && !ls_cl_op_on_host (self, launch) && !launch->ready[probe];
}

/* Programs that aren't built yet, each once, and first runs. */
static guint
count_work (LsCl *self, guint n_launches, gboolean probe)
{
  g_autoptr (GHashTable) keys = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  guint first_runs = 0;

  for (guint i = 0; i < n_launches; i++)
    {
      const LsClLaunch *launch = self->schedule[i];
      if (!is_wanted (self, launch, probe))
        continue;
      first_runs++;
      for (guint p = 0; p < launch->n_passes; p++)
        {
          g_autofree char *options = options_of (self, launch, probe && launch->row->passes[p].tiles, NULL);
          g_autofree char *source = ls_cl_source_load_row (self->edited, launch->row, NULL);
          g_autofree char *key = program_key (source != NULL ? source : "", options);
          if (launch->needed[p] && !g_hash_table_contains (self->programs, key))
            g_hash_table_add (keys, g_steal_pointer (&key));
        }
    }
  return g_hash_table_size (keys) + first_runs;
}

gboolean
ls_cl_any_missing (const LsCl *self, guint n_launches, gboolean probe)
{
  for (guint i = 0; i < n_launches; i++)
    if (is_wanted (self, self->schedule[i], probe) && ls_cl_launch_missing (self, self->schedule[i], probe))
      return TRUE;
  return FALSE;
}

/* Programs that aren't in the cache yet, each once. */
static guint
count_missing (LsCl *self, guint n_launches, gboolean probe)
{
  g_autoptr (GHashTable) keys = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  for (guint i = 0; i < n_launches; i++)
    if (is_wanted (self, self->schedule[i], probe) && ls_cl_launch_missing (self, self->schedule[i], probe))
      g_hash_table_add (keys, ls_cl_launch_key (self, self->schedule[i], probe));
  return g_hash_table_size (keys);
}

static gboolean
make_ready (LsCl *self, LsClLaunch *launch, gboolean probe, GError **error)
{
  launch->ready[probe] = make_kernels (self, launch, probe, error) && warm_up (self, launch, probe, error);
  return launch->ready[probe];
}

gboolean
ls_cl_ready (LsCl *self, guint n_launches, LsTrialKind kind, GError **error)
{
  const gboolean probe = kind == LS_TRIAL_RECORDED, step = kind == LS_TRIAL_STEP;
  guint work = count_work (self, n_launches, probe), missing = 0;
  gboolean ok = TRUE;

  if (work == 0)
    return TRUE;
  /* whoever waits for the lane is told how many are to come: it isn't hung */
  missing = step ? ls_cl_building_begin (self, n_launches) : count_missing (self, n_launches, probe);
  if (!(self->aside & 1u << kind) && missing > 0)
    ls_cl_build_aside (self, kind, n_launches, missing);
  atomic_store (&self->built, 0);
  atomic_store (&self->to_build, work);
  for (guint i = 0; ok && i < n_launches; i++)
    {
      LsClLaunch *launch = self->schedule[i];
      if (!is_wanted (self, launch, probe))
        continue;
      if (step && missing > 0 && ls_cl_launch_missing (self, launch, probe))
        ls_cl_building_mark (self, i, LS_BUILD_RUNNING);
      ok = make_ready (self, launch, probe, error);
      if (step)
        ls_cl_building_mark (self, i, LS_BUILD_DONE);
    }
  atomic_store (&self->to_build, 0);
  atomic_store (&self->built, 0);
  if (step)
    ls_cl_building_end (self);
  return ok;
}

/* ---- for another process ---- */

static void
tell (const LsCl *self, const char *what, guint launch)
{
  json_t *line = json_object ();

  ls_json_whole (line, what, launch);
  if (!ls_say (self->fed.output, line))
    g_debug ("nobody hears about launch %u", launch);
}

/* The program is an earlier launch's, too: whoever takes that one builds it. */
static gboolean
has_earlier (const LsCl *self, guint launch, const char *key)
{
  for (guint i = 0; i < launch; i++)
    if (is_wanted (self, self->schedule[i], self->fed.probe))
      {
        g_autofree char *other = ls_cl_launch_key (self, self->schedule[i], self->fed.probe);
        if (strcmp (other, key) == 0)
          return TRUE;
      }
  return FALSE;
}

static gboolean
ready_sharing (LsCl *self, guint first, guint n_launches, const char *key, GError **error)
{
  for (guint i = first; i < n_launches; i++)
    {
      LsClLaunch *launch = self->schedule[i];
      g_autofree char *own = is_wanted (self, launch, self->fed.probe)
                               ? ls_cl_launch_key (self, launch, self->fed.probe)
                               : NULL;
      if (own != NULL && strcmp (own, key) == 0 && !make_ready (self, launch, self->fed.probe, error))
        return FALSE;
    }
  return TRUE;
}

/* The next launch's number. FALSE: all have been taken. */
static gboolean
take_number (const LsCl *self, guint16 *number)
{
  gssize n;

  do
    n = read (self->fed.input, number, sizeof *number);
  while (n < 0 && errno == EINTR);
  return n == sizeof *number;
}

gboolean
ls_cl_ready_fed (LsCl *self, guint n_launches, GError **error)
{
  guint16 i;

  while (take_number (self, &i))
    {
      g_autofree char *key = NULL;
      if (i >= n_launches || !is_wanted (self, self->schedule[i], self->fed.probe)
          || !ls_cl_launch_missing (self, self->schedule[i], self->fed.probe))
        continue;
      key = ls_cl_launch_key (self, self->schedule[i], self->fed.probe);
      if (has_earlier (self, i, key))
        continue;
      tell (self, "begun", i);
      if (!ready_sharing (self, i, n_launches, key, error))
        return FALSE;
      tell (self, "done", i);
    }
  return TRUE;
}
