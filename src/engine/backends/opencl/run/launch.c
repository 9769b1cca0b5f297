/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * From a plan and the options to launches: which row of the kernel table, which values, ranges and tiling,
 * alone and with followers in the epilogue. Asks the table only; nothing of OpenCL is called here but to
 * release.
 */
#include "config.h"
#include "backends/opencl/run/instance.h"

#include <string.h>

const LsOp *
ls_cl_last_op (const LsCl *self, const LsClLaunch *launch)
{
  return &self->plan->ops[launch->n_followers ? launch->followers[launch->n_followers - 1] : launch->op];
}

const LsOp *
ls_cl_join_op (const LsCl *self, const LsClLaunch *launch, guint join)
{
  const guint head = launch->joins[join];
  return ls_cl_last_op (self, self->chain[head].n_followers > 0 ? &self->chain[head] : &self->single[head]);
}

gboolean
ls_cl_is_chain (const LsClLaunch *launch)
{
  return launch->n_followers > 0 || launch->n_joins > 0 || launch->whole;
}

static const LsClJoin *
join_of (const LsCl *self, const LsClLaunch *launch, guint join)
{
  const LsOp *ops = self->plan->ops;
  return ls_cl_kernel_join (launch->row, self->plan, &ops[launch->op], &ops[launch->joins[join]]);
}

gboolean
ls_cl_keeps_loss (const LsCl *self, const LsClLaunch *launch)
{
  for (guint i = 0; i < launch->n_joins; i++)
    if (join_of (self, launch, i)->keeps_loss)
      return TRUE;
  return FALSE;
}

static gboolean
ends_in_update (const LsCl *self, const LsClLaunch *launch)
{
  return launch->n_followers > 0 && ls_cl_last_op (self, launch)->klass == &ls_op_sgd;
}

static void
append_args (LsClLaunch *launch, guint p, const LsClArg *args, guint n_args)
{
  guint n = 0;

  while (launch->args[p][n] != LS_CL_ARG_END)
    n++;
  for (guint i = 0; i < n_args && n + 1 < LS_CL_MAX_ARGS; i++)
    launch->args[p][n++] = args[i];
  launch->args[p][n] = LS_CL_ARG_END;
}

/* The pass's arguments; for one that makes the output of a chain with an update in it, the update's; for the
 * one with the tiles, those of the joins. */
static void
take_args (const LsCl *self, LsClLaunch *launch, guint p)
{
  static const LsClArg update[] = { LS_CL_ARG_STATE, LS_CL_ARG_LR, LS_CL_ARG_MOMENTUM };
  static const LsClArg state[] = { LS_CL_ARG_JOIN_STATE }, loss[] = { LS_CL_ARG_LOSSES, LS_CL_ARG_SLOT };
  const LsClArg *own = launch->row->passes[p].args;
  const gboolean updates = ends_in_update (self, launch);
  gboolean makes_output = FALSE;
  guint n = 0;

  for (; own[n] != LS_CL_ARG_END; n++)
    makes_output |= own[n] == LS_CL_ARG_OUT0;
  launch->args[p][0] = LS_CL_ARG_END;
  append_args (launch, p, own, n);
  if (updates && makes_output)
    append_args (launch, p, update, G_N_ELEMENTS (update));
  for (guint i = 0; launch->row->passes[p].tiles && i < launch->n_joins; i++)
    {
      const LsClArg out[] = { (LsClArg) (LS_CL_ARG_JOIN0 + i) };
      append_args (launch, p, out, 1);
      if (updates)
        append_args (launch, p, state, G_N_ELEMENTS (state));
      if (join_of (self, launch, i)->keeps_loss)
        append_args (launch, p, loss, G_N_ELEMENTS (loss));
    }
}

gboolean
ls_cl_launch_take_tile (const LsCl *self, LsClLaunch *launch, const LsOp *op)
{
  return self->tile > 0 && strcmp (launch->row->rung, "tiled") == 0
         && ls_cl_kernel_set (launch->row, "TILE", self->tile, op, self->plan, &self->device->limits,
                              launch->values);
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

static void
take_apart (const LsCl *self, LsClLaunch *launch)
{
  const LsClKernel *row = launch->apart && launch->row != NULL && self->forced == NULL
                            ? ls_cl_kernel_apart (launch->row)
                            : NULL;

  launch->apart = row != NULL;
  launch->row = row != NULL ? row : launch->row;
}

/* A launch of launch->op by the row for it, with the macros of followers and joins if there are some. */
static void
derive (LsCl *self, LsClLaunch *launch)
{
  const guint op = launch->op;
  const LsPlan *plan = self->plan;
  const LsOp *o = &plan->ops[op];
  const LsTensor *out = &plan->tensors[o->out[0]];
  gint64 rows, cols;

  ls_tiling_output_matrix (out->shape, out->rank, &rows, &cols);
  ls_tiling_set (&launch->tiling, rows, cols, rows, cols);
  launch->tiling.leader = op;
  choose (self, launch, o);
  take_apart (self, launch);
  if (launch->row == NULL || ls_cl_op_on_host (self, launch))
    {
      launch->tiling.reference = launch->row == NULL;
      g_strlcpy (launch->tiling.kernel, launch->row ? "gathered on the host" : "naive loops",
                 sizeof launch->tiling.kernel);
      return;
    }
  ls_cl_launch_fill (self, launch);
  for (guint p = 0; p < launch->n_passes; p++)
    for (guint s = 0; s < 2 && launch->needed[p]; s++)
      self->memory.scratch_bytes[s] = MAX (self->memory.scratch_bytes[s],
                                           launch->range[p].scratch_floats[s] * sizeof (float));
  launch->tiling.leader = op;
  launch->tiling.way = (LsWay) (LS_WAY_NAIVE + ls_rung_find (launch->row->rung));
  g_snprintf (launch->tiling.kernel, sizeof launch->tiling.kernel,
              "%s %" G_GINT64_FORMAT "×%" G_GINT64_FORMAT "%s%s", launch->row->rung, launch->tiling.tile_rows,
              launch->tiling.tile_cols, launch->tuned ? ", tuned" : "", launch->apart ? ", apart" : "");
}

/* Of followers and joins. (transfer full) */
static char *
macros_of (const LsCl *self, const LsClLaunch *launch)
{
  g_autofree char *epilogue = ls_cl_kernel_epilogue (launch->row, self->plan, launch->followers,
                                                     launch->n_followers);
  GString *macros = g_string_new (epilogue);

  for (guint i = 0; i < launch->n_joins; i++)
    g_string_append_printf (macros, "%s%s", macros->len > 0 ? " " : "", join_of (self, launch, i)->define);
  return g_string_free (macros, FALSE);
}

void
ls_cl_launch_fill (const LsCl *self, LsClLaunch *launch)
{
  const LsPlan *plan = self->plan;
  const LsOp *o = &plan->ops[launch->op];

  if (launch->n_followers > 0 || launch->n_joins > 0)
    launch->epilogue = macros_of (self, launch);
  if (launch->row->shape)
    launch->row->shape (o, plan, launch->values, launch->shape);
  for (guint p = 0; p < LS_CL_MAX_PASSES && launch->row->passes[p].function; p++)
    {
      const LsClPass *pass = &launch->row->passes[p];
      LsClRange *range = &launch->range[p];
      launch->n_passes = p + 1;
      take_args (self, launch, p);
      launch->needed[p] = pass->range (o, plan, launch->values, &self->device->limits, range,
                                       &launch->tiling);
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
    self->tilings[i] = self->fusion && self->chain[i].whole ? self->chain[i].tiling : self->single[i].tiling;
  for (guint i = 0; self->fusion && i < self->plan->n_ops; i++)
    for (guint f = 0; f < self->chain[i].n_followers; f++)
      self->tilings[self->chain[i].followers[f]] = self->chain[i].tiling;
  for (guint i = 0; self->fusion && i < self->plan->n_ops; i++)
    for (guint j = 0; j < self->chain[i].n_joins; j++)
      {
        const LsClLaunch *joined = &self->chain[self->chain[i].joins[j]];
        self->tilings[joined->op] = self->chain[i].tiling;
        for (guint f = 0; f < joined->n_followers; f++)
          self->tilings[joined->followers[f]] = self->chain[i].tiling;
      }
}

/* Takes every small chain that the kernel can do beside the op. */
static void
join (LsCl *self, guint head, const guint *leader, gboolean *joined)
{
  LsClLaunch *launch = &self->chain[head];
  const LsOp *ops = self->plan->ops;
  const LsClJoin *last = NULL;

  for (guint i = head + 1; launch->row != NULL && launch->n_joins < LS_CL_MAX_JOINS && i < self->plan->n_ops;
       i++)
    {
      const LsClJoin *found = leader[i] == i && !joined[i]
                                ? ls_cl_kernel_join (launch->row, self->plan, &ops[head], &ops[i])
                                : NULL;
      /* one update's numbers serve both chains; the kernel's arguments are in the table's order */
      if (found == NULL || (last != NULL && found <= last)
          || ends_in_update (self, launch) != ends_in_update (self, &self->chain[i])
          || !ls_plan_can_join (self->plan, leader, head, i))
        continue;
      launch->joins[launch->n_joins++] = i;
      joined[i] = TRUE;
      last = found;
    }
}

/* leader: of followers. What is joined to another launch is done there, too; nothing lies elsewhere where the
 * host does an op. */
static void
derive_places (LsCl *self, guint *leader)
{
  const guint n = self->plan->n_ops;

  self->place = g_new (guint, self->plan->n_tensors);
  for (guint i = 0; i < n; i++)
    for (guint j = 0; j < self->chain[i].n_joins; j++)
      for (guint f = 0; f < n; f++)
        leader[f] = leader[f] == self->chain[i].joins[j] ? i : leader[f];
  ls_plan_places (self->plan, leader, self->place);
  for (guint i = 0; i < n; i++)
    if (self->single[i].row == NULL)
      g_clear_pointer (&self->place, g_free);
}

void
ls_cl_launches_derive (LsCl *self)
{
  const guint n = self->plan->n_ops;
  g_autofree guint *leader = g_new (guint, n);
  g_autofree gboolean *joined = g_new0 (gboolean, n);

  ls_cl_launches_clear (self);
  self->single = g_new0 (LsClLaunch, n);
  self->chain = g_new0 (LsClLaunch, n);
  self->tilings = g_new0 (LsTiling, n);
  self->schedule = g_new0 (LsClLaunch *, n);
  self->memory.scratch_bytes[0] = self->memory.scratch_bytes[1] = 0;
  for (guint i = 0; i < n; i++)
    {
      self->single[i].op = self->chain[i].op = i;
      self->single[i].apart = TRUE;
      derive (self, &self->single[i]);
      self->chain[i].whole = self->single[i].apart;
      self->chain[i].row = self->single[i].row;
    }
  ls_plan_fuse (self->plan, can_fuse_cb, self, leader);
  for (guint i = 0; i < n; i++)
    if (leader[i] == i && !joined[i])
      join (self, i, leader, joined);
  for (guint i = 0; i < n; i++)
    if (ls_cl_is_chain (&self->chain[i]))
      derive (self, &self->chain[i]);
  derive_tilings (self);
  derive_places (self, leader);
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
  g_clear_pointer (&self->place, g_free);
}

/* All that it does, what it joins too. */
static gboolean
lies_before (const LsCl *self, const LsClLaunch *chain, guint end)
{
  gboolean all = TRUE;

  for (guint f = 0; f < chain->n_followers; f++)
    all &= chain->followers[f] < end;
  for (guint j = 0; j < chain->n_joins; j++)
    all &= chain->joins[j] < end && lies_before (self, &self->chain[chain->joins[j]], end);
  return all;
}

static void
mark (const LsCl *self, const LsClLaunch *chain, gboolean *done)
{
  done[chain->op] = TRUE;
  for (guint f = 0; f < chain->n_followers; f++)
    done[chain->followers[f]] = TRUE;
  for (guint j = 0; j < chain->n_joins; j++)
    mark (self, &self->chain[chain->joins[j]], done);
}

/* A chain is launched where all of it lies in the range; of one that the range cuts, each op runs by itself,
 * or with its own followers, if it was joined and they are there. */
guint
ls_cl_schedule (LsCl *self, guint first, guint n, gboolean fuse)
{
  const guint end = first + n;
  guint n_launches = 0;
  g_autofree gboolean *done = g_new0 (gboolean, self->plan->n_ops);

  for (guint i = first; i < end; i++)
    {
      LsClLaunch *chain = &self->chain[i];
      if (done[i])
        continue;
      const gboolean whole = fuse && self->fusion && ls_cl_is_chain (chain) && lies_before (self, chain, end);
      if (whole)
        mark (self, chain, done);
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
