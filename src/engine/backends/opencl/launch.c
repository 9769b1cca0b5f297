/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * From a plan and the options to launches: which row of the kernel table, which values, ranges and tiling, alone and with
 * followers in the epilogue. Asks the table only; nothing of OpenCL is called here but to release.
 */
#include "config.h"
#include "backends/opencl/instance.h"

#include <glib/gi18n-lib.h>
#include <string.h>

const LsOp *
ls_cl_last_op (const LsCl *self, const LsClLaunch *launch)
{
  return &self->plan->ops[launch->n_followers ? launch->followers[launch->n_followers - 1] : launch->op];
}

/* The pass's arguments, and for one that makes the output of a chain with an update in it, the update's. */
static void
take_args (LsClLaunch *launch, guint p, gboolean updates)
{
  static const LsClArg update[] = { LS_CL_ARG_STATE, LS_CL_ARG_LR, LS_CL_ARG_MOMENTUM, LS_CL_ARG_END };
  const LsClArg *own = launch->row->passes[p].args;
  gboolean makes_output = FALSE;
  guint n = 0;

  for (; own[n] != LS_CL_ARG_END && n < LS_CL_MAX_ARGS - G_N_ELEMENTS (update); n++)
    {
      launch->args[p][n] = own[n];
      makes_output |= own[n] == LS_CL_ARG_OUT0;
    }
  for (guint i = 0; updates && makes_output && update[i] != LS_CL_ARG_END; i++)
    launch->args[p][n++] = update[i];
  launch->args[p][n] = LS_CL_ARG_END;
}

gboolean
ls_cl_launch_take_tile (const LsCl *self, LsClLaunch *launch, const LsOp *op)
{
  return self->tile > 0 && strcmp (launch->row->rung, "tiled") == 0
         && ls_cl_kernel_set (launch->row, "TILE", self->tile, op, self->plan, &self->device->limits, launch->values);
}

static void
choose (LsCl *self, LsClLaunch *launch, const LsOp *op)
{
  if (self->forced)
    {
      launch->row = self->forced;
      memcpy (launch->values, self->forced_values, sizeof launch->values);
      return;
    }
  launch->row = ls_cl_kernel_choose (op, self->plan, self->rung, &self->device->limits, launch->values);
  if (launch->row != NULL && ls_cl_launch_take_tile (self, launch, op))
    return; /* what was asked for */
  launch->tuned = launch->row && ls_cl_tuned_choose (self, op, self->plan, &launch->row, launch->values);
}

/* A launch of `op` by the row for it, with followers' macros if there are some. */
static void
derive (LsCl *self, LsClLaunch *launch, guint op, const guint *followers, guint n_followers)
{
  const LsPlan *plan = self->plan;
  const LsOp *o = &plan->ops[op];
  const LsTensor *out = &plan->tensors[o->out[0]];
  gint64 rows, cols;

  launch->op = op;
  launch->n_followers = n_followers;
  if (n_followers > 0)
    memcpy (launch->followers, followers, n_followers * sizeof *followers);
  ls_tiling_output_matrix (out->shape, out->rank, &rows, &cols);
  ls_tiling_set (&launch->tiling, rows, cols, rows, cols);
  launch->tiling.leader = op;
  choose (self, launch, o);
  if (launch->row == NULL || ls_cl_op_on_host (self, launch))
    {
      launch->tiling.reference = launch->row == NULL;
      g_strlcpy (launch->tiling.kernel, launch->row ? "gathered on the host" : "naive loops", sizeof launch->tiling.kernel);
      return;
    }
  ls_cl_launch_fill (self, launch);
  for (guint p = 0; p < launch->n_passes; p++)
    for (guint s = 0; s < 2 && launch->needed[p]; s++)
      self->memory.scratch_bytes[s] = MAX (self->memory.scratch_bytes[s], launch->range[p].scratch_floats[s] * sizeof (float));
  launch->tiling.leader = op;
  g_snprintf (launch->tiling.kernel, sizeof launch->tiling.kernel, "%s %" G_GINT64_FORMAT "×%" G_GINT64_FORMAT "%s",
              launch->row->rung, launch->tiling.tile_rows, launch->tiling.tile_cols, launch->tuned ? ", tuned" : "");
}

void
ls_cl_launch_fill (const LsCl *self, LsClLaunch *launch)
{
  const LsPlan *plan = self->plan;
  const LsOp *o = &plan->ops[launch->op];

  if (launch->n_followers > 0)
    launch->epilogue = ls_cl_kernel_epilogue (launch->row, plan, launch->followers, launch->n_followers);
  launch->n_shape = launch->row->shape ? launch->row->shape (o, plan, launch->values, launch->shape) : 0;
  for (guint p = 0; p < LS_CL_MAX_PASSES && launch->row->passes[p].function; p++)
    {
      const LsClPass *pass = &launch->row->passes[p];
      LsClRange *range = &launch->range[p];
      launch->n_passes = p + 1;
      take_args (launch, p, ls_cl_last_op (self, launch)->klass == &ls_op_sgd && launch->n_followers > 0);
      launch->needed[p] = pass->range (o, plan, launch->values, &self->device->limits, range, &launch->tiling);
      if (launch->needed[p] && pass->tiles)
        {
          launch->groups = 1;
          for (guint d = 0; d < range->dims; d++)
            launch->groups *= (guint) (range->global[d] / range->local[d]);
        }
    }
}

gboolean
ls_cl_op_on_host (const LsCl *self, const LsClLaunch *launch)
{
  return self->plan->ops[launch->op].klass == &ls_op_gather
         && (self->batch_from == LS_BATCH_FROM_HOST || self->data == NULL);
}

/* ls_plan_fuse() takes every follower that this says yes to, so `chain` holds the followers so far. */
static gboolean
can_fuse_cb (const LsPlan *plan, guint leader, guint follower, guint position, gpointer data)
{
  LsCl *self = data;
  LsClLaunch *chain = &self->chain[leader];
  const LsClKernel *row = self->single[leader].row;
  g_autofree char *macros = NULL;

  if (row == NULL || ls_cl_op_on_host (self, &self->single[leader]))
    return FALSE;
  chain->followers[position] = follower;
  macros = ls_cl_kernel_epilogue (row, plan, chain->followers, position + 1);
  if (macros == NULL)
    return FALSE;
  chain->n_followers = position + 1;
  return TRUE;
}

/* What tilings() shows: an op in an epilogue is cut as its leader is. */
static void
derive_tilings (LsCl *self)
{
  for (guint i = 0; i < self->plan->n_ops; i++)
    self->tilings[i] = self->single[i].tiling;
  for (guint i = 0; self->fusion && i < self->plan->n_ops; i++)
    for (guint f = 0; f < self->chain[i].n_followers; f++)
      self->tilings[self->chain[i].followers[f]] = self->chain[i].tiling;
}

void
ls_cl_launches_derive (LsCl *self)
{
  const guint n = self->plan->n_ops;
  g_autofree guint *leader = g_new (guint, n);

  ls_cl_launches_clear (self);
  self->single = g_new0 (LsClLaunch, n);
  self->chain = g_new0 (LsClLaunch, n);
  self->tilings = g_new0 (LsTiling, n);
  self->schedule = g_new0 (LsClLaunch *, n);
  self->memory.scratch_bytes[0] = self->memory.scratch_bytes[1] = 0;
  for (guint i = 0; i < n; i++)
    derive (self, &self->single[i], i, NULL, 0);
  ls_plan_fuse (self->plan, can_fuse_cb, self, leader);
  for (guint i = 0; i < n; i++)
    if (self->chain[i].n_followers > 0)
      {
        guint followers[LS_FUSION_MAX], n_followers = self->chain[i].n_followers;
        memcpy (followers, self->chain[i].followers, sizeof followers);
        derive (self, &self->chain[i], i, followers, n_followers);
      }
  derive_tilings (self);
}

static void
launch_clear (LsCl *self, LsClLaunch *launch)
{
  for (guint v = 0; v < 2; v++)
    for (guint p = 0; p < LS_CL_MAX_PASSES; p++)
      if (launch->kernel[v][p])
        clReleaseKernel (launch->kernel[v][p]);
  ls_cl_buffer_clear (self, &launch->probe);
  g_free (launch->epilogue);
}

void
ls_cl_launches_clear (LsCl *self)
{
  for (guint i = 0; self->single && i < self->plan->n_ops; i++)
    {
      launch_clear (self, &self->single[i]);
      launch_clear (self, &self->chain[i]);
    }
  g_clear_pointer (&self->single, g_free);
  g_clear_pointer (&self->chain, g_free);
  g_clear_pointer (&self->tilings, g_free);
  g_clear_pointer (&self->schedule, g_free);
}

/* A chain is launched where all of it lies in the range; of one that the range cuts, each op runs by itself. */
guint
ls_cl_schedule (LsCl *self, guint first, guint n, gboolean fuse)
{
  const guint end = first + n;
  guint n_launches = 0;
  g_autofree gboolean *done = g_new0 (gboolean, self->plan->n_ops);

  for (guint i = first; i < end; i++)
    {
      LsClLaunch *chain = &self->chain[i];
      gboolean whole = fuse && self->fusion && chain->n_followers > 0;
      if (done[i])
        continue;
      for (guint f = 0; whole && f < chain->n_followers; f++)
        whole = chain->followers[f] < end;
      for (guint f = 0; whole && f < chain->n_followers; f++)
        done[chain->followers[f]] = TRUE;
      self->schedule[n_launches++] = whole ? chain : &self->single[i];
    }
  return n_launches;
}

char *
ls_cl_op_title (const LsCl *self, guint op)
{
  const LsOp *o = &self->plan->ops[op];
  return g_strdup_printf ("%s (%s)", *o->equation ? o->equation : o->symbol, o->klass->name);
}
