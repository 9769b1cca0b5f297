/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * From a plan to stages: which kernel, which grid, which followers, where the tiles write. Two sets are made,
 * with and without fusion, since a run may ask for either; they share the grids, and hence every bit of the
 * results.
 */
#include "config.h"
#include "backends/cpu/cpu.h"

#include <glib/gi18n-lib.h>
#include <stdlib.h>
#include <string.h>

#include "backends/cpu/grid.h"
#include "core/error.h"
#include "core/memory.h"

#define JOIN_FLOATS (64 * 1024) /* a second phase is shared out in pieces of at least that many additions */

static void
set_joins (LsCpuStage *stage, guint requested)
{
  const LsTiling *t = &stage->tiling;
  gint64 size = t->rows * t->cols;

  if (t->splits > 1)
    stage->n_joins = (guint32) CLAMP (size * t->splits / JOIN_FLOATS, 1, (gint64) requested);
}

/* What the tiling says of it: who computes its product, and for the plain loops whether they are vectors'. */
static void
name_kernel (LsCpuStage *stage)
{
  const LsCpuKernel *kernel = stage->kernel;
  const LsCpuRung *rung = stage->rung;
  g_autoptr (GString) name = g_string_new (kernel->title);
  const gboolean product = strstr (name->str, "sgemm") != NULL,
                 own = product && (kernel->own == NULL || kernel->own (stage));

  stage->tiling.way = own ? rung->way : kernel->way;
  if (own && kernel->own != NULL)
    g_string_assign (name, rung->title);
  else if (own)
    g_string_replace (name, "sgemm", rung->title, 0);
  else if (rung->loops == LS_CPU_SCALAR_LOOPS)
    g_string_replace (name, "vector loop", "scalar loop", 0);
  g_strlcpy (stage->tiling.kernel, name->str, sizeof stage->tiling.kernel);
}

static guint
requested_tiles (const LsCpu *self)
{
  return self->tiles > 0 ? self->tiles : self->threads * LS_CPU_TILES_PER_WORKER;
}

static void
use_kernel (const LsCpu *self, LsCpuStage *stage, guint requested)
{
  const LsOp *op = stage->call.op;

  stage->kernel->grid (op, self->plan, requested, self->tiles == 0, &stage->tiling);
  stage->tile = stage->kernel->tile[self->rung->loops];
  stage->rect = stage->kernel->rect[self->rung->loops];
  stage->own_scratch = stage->kernel->scratch ? stage->kernel->scratch (op, self->plan) : 0;
  if (!ls_cpu_half_init (stage))
    {
      stage->kernel = NULL;
      return;
    }
  name_kernel (stage);
  stage->n_tiles = stage->tiling.grid_rows * stage->tiling.grid_cols * stage->tiling.splits;
  set_joins (stage, requested);
}

static void
stage_init (LsCpu *self, LsCpuStage *stage, guint op)
{
  const LsOp *plan_op = &self->plan->ops[op];
  guint requested = requested_tiles (self);

  memset (stage, 0, sizeof *stage);
  stage->op = op;
  stage->rung = self->rung;
  ls_plan_call (self->plan, &self->arena, op, &stage->call);
  stage->call.hyper = &self->hyper;
  stage->call.batch = &self->batch;
  stage->target = stage->call.out[0];
  stage->tiling.splits = 1;
  stage->n_passes = 1;
  stage->tiling.leader = op;
  stage->kernel = ls_cpu_kernel_find (plan_op, self->plan, self->rung);
  if (stage->kernel != NULL)
    use_kernel (self, stage, requested);
  if (stage->kernel == NULL)
    {
      ls_cpu_grid_one (plan_op, self->plan, 1, TRUE, &stage->tiling);
      stage->tiling.reference = TRUE;
      g_strlcpy (stage->tiling.kernel, "naive loops", sizeof stage->tiling.kernel);
    }
}

static gboolean
can_follow_cb (const LsPlan *plan, guint leader, guint follower, guint position, gpointer data)
{
  const LsCpuStage *stages = data;
  const LsCpuKernel *kernel = stages[leader].kernel, *next = stages[follower].kernel;

  return position < LS_FUSION_MAX && kernel && kernel->epilogue && next && stages[follower].rect != NULL
         && stages[leader].call.out_dtype[0] == stages[follower].call.out_dtype[0];
}

/* The tiles write where the chain's values end up; the optimizers have no output but their weights, so a
 * gradient that is stored at all is stored where it always is. */
static void
take_target (LsCpuStage *stage, const LsOpCall *follower)
{
  if (follower->op->klass->in_place[0] < 0)
    stage->target = follower->out[0];
}

static void
add_follower (LsCpuStage *stage, const LsCpuStage *follower)
{
  LsCpuFollower *f = &stage->followers[stage->n_followers++];

  f->rect = follower->rect;
  f->call = follower->call;
  take_target (stage, &f->call);
}

/* A stage that isn't fused. Of 16 bits none is: the passes would hand over what was rounded meanwhile. */
static void
take_apart (const LsCpu *self, LsCpuStage *stage)
{
  if (stage->kernel == NULL || stage->kernel->n_passes == 0 || stage->inner != NULL)
    return;
  stage->tile = stage->kernel->apart[self->rung->loops];
  stage->n_passes = stage->kernel->n_passes;
  g_strlcat (stage->tiling.kernel, ", apart", sizeof stage->tiling.kernel);
}

static void
fuse (LsCpu *self)
{
  const guint n_ops = self->plan->n_ops;

  ls_plan_fuse (self->plan, can_follow_cb, self->plain, self->leader);
  memcpy (self->fused, self->plain, n_ops * sizeof (LsCpuStage));
  for (guint i = 0; i < n_ops; i++)
    take_apart (self, &self->plain[i]);
  for (guint i = 0; i < n_ops; i++)
    {
      guint leader = self->leader[i];
      self->last[i] = i;
      if (leader != i)
        {
          add_follower (&self->fused[leader], &self->plain[i]);
          self->last[leader] = i;
        }
    }
}

/* Where a tensor lies; `was`, if it never lies elsewhere. */
static void *
place_of (const LsCpu *self, guint tensor, void *was)
{
  LsTensor t = self->plan->tensors[tensor];

  if (self->place[tensor] == ls_tensor_whole (self->plan->tensors, tensor))
    return was;
  if (self->reuses)
    t.offset = self->plan->tensors[self->place[tensor]].offset;
  return ls_arena_at (&self->arena, &t);
}

static void
place_call (const LsCpu *self, LsOpCall *call)
{
  for (guint j = 0; j < call->op->n_in; j++)
    call->in[j] = place_of (self, call->op->in[j], (void *) call->in[j]);
  for (guint j = 0; j < call->op->n_out; j++)
    call->out[j] = place_of (self, call->op->out[j], call->out[j]);
}

void
ls_cpu_stages_place (LsCpu *self, gboolean reuse)
{
  if (self->reuses == reuse)
    return;
  self->reuses = reuse;
  for (guint i = 0; i < self->plan->n_ops; i++)
    {
      LsCpuStage *stage = &self->fused[i];
      place_call (self, &stage->call);
      stage->target = stage->call.out[0];
      for (guint f = 0; f < stage->n_followers; f++)
        {
          place_call (self, &stage->followers[f].call);
          take_target (stage, &stage->followers[f].call);
        }
    }
  ls_cpu_pooled_place (self, reuse);
}

/* What a view draws for a fused op is its leader's grid: those tiles compute it. */
static void
publish_tilings (LsCpu *self)
{
  for (guint i = 0; i < self->plan->n_ops; i++)
    self->tilings[i] = self->fusion ? self->fused[self->leader[i]].tiling : self->plain[i].tiling;
}

/* Aligned floats, all zero, or NULL with an error. */
static gboolean
get_floats (LsCpu *self, gsize n, gsize times, float **floats, GError **error)
{
  gsize bytes;

  if (!__builtin_mul_overflow (n, times, &bytes) && !__builtin_mul_overflow (bytes, sizeof (float), &bytes)
      && bytes < G_MAXSSIZE / 2)
    {
      *floats = ls_memory_new (MAX (bytes, 1));
      if (*floats != NULL)
        {
          self->work_bytes += bytes;
          return TRUE;
        }
    }
  g_set_error (error, LS_ERROR, LS_ERROR_MEMORY,
               _("The CPU lane’s work space of %zu × %zu numbers is more memory than the system grants; use "
                  "fewer threads or a smaller network."),
               times, n);
  return FALSE;
}

/* A page between two workers' scratch: no line, and no prefetched neighbour, is shared. */
static gsize
stride_of (gsize scratch)
{
  return (scratch / 1024 + 1) * 1024;
}

/* What the op needs of it, of each worker's and of what all share. */
static void
add_work_space (const LsCpuStage *stage, gsize *scratch, gsize *parts)
{
  const LsTiling *t = &stage->tiling;

  *scratch = MAX (*scratch, stage->kernel != NULL ? stage->own_scratch + stage->half_scratch
                                                  : ls_op_scratch (&stage->call));
  if (t->splits > 1)
    *parts = MAX (*parts, (gsize) (t->rows * t->cols) * t->splits);
}

gint64
ls_cpu_workspace (gpointer data, const LsPlan *plan)
{
  static guint8 nowhere; /* no tensor is looked at */
  LsCpu like = *(const LsCpu *) data;
  gsize scratch = 0, parts = 0;

  like.plan = (LsPlan *) plan;
  like.arena = (LsArena){ .base = &nowhere, .scale = 1 };
  for (guint i = 0; i < plan->n_ops; i++)
    {
      LsCpuStage stage;

      stage_init (&like, &stage, i);
      add_work_space (&stage, &scratch, &parts);
    }
  return (gint64) ((stride_of (scratch) * ls_pool_size (like.pool) + parts) * sizeof (float));
}

static gboolean
make_work_space (LsCpu *self, GError **error)
{
  gsize scratch = 0, parts = 0;

  for (guint i = 0; i < self->plan->n_ops; i++)
    add_work_space (&self->plain[i], &scratch, &parts);
  self->scratch_stride = stride_of (scratch);
  self->work_bytes = 0;
  if (!get_floats (self, self->scratch_stride, ls_pool_size (self->pool), &self->scratch, error)
      || !get_floats (self, parts, 1, &self->parts, error))
    return FALSE;
  for (guint i = 0; i < self->plan->n_ops; i++)
    self->plain[i].parts = self->parts;
  return TRUE;
}

gboolean
ls_cpu_stages_make (LsCpu *self, GError **error)
{
  const guint n_ops = self->plan->n_ops;

  ls_cpu_stages_clear (self);
  self->plain = g_new0 (LsCpuStage, n_ops);
  self->fused = g_new0 (LsCpuStage, n_ops);
  self->leader = g_new0 (guint, n_ops);
  self->last = g_new0 (guint, n_ops);
  self->tilings = g_new0 (LsTiling, n_ops);
  self->order = g_new0 (const LsCpuStage *, n_ops);
  self->jobs = g_new0 (LsCpuJob, LS_CPU_MAX_PASSES * n_ops);
  self->finished_ns = g_new0 (guint64, LS_CPU_MAX_PASSES * n_ops * ls_pool_size (self->pool));
  self->mean_op = -1;
  for (guint i = 0; i < n_ops; i++)
    {
      stage_init (self, &self->plain[i], i);
      if (self->plan->ops[i].klass == &ls_op_mean && self->plan->ops[i].out[0] == self->plan->loss)
        self->mean_op = (gint) i;
    }
  if (!make_work_space (self, error))
    {
      ls_cpu_stages_clear (self);
      return FALSE;
    }
  fuse (self);
  self->place = g_new (guint, self->plan->n_tensors);
  ls_plan_places (self->plan, self->leader, self->place);
  publish_tilings (self);
  return TRUE;
}

void
ls_cpu_stages_clear (LsCpu *self)
{
  g_clear_pointer (&self->plain, g_free);
  g_clear_pointer (&self->fused, g_free);
  g_clear_pointer (&self->leader, g_free);
  g_clear_pointer (&self->last, g_free);
  g_clear_pointer (&self->place, g_free);
  self->reuses = FALSE;
  g_clear_pointer (&self->tilings, g_free);
  g_clear_pointer (&self->order, g_free);
  g_clear_pointer (&self->jobs, g_free);
  g_clear_pointer (&self->finished_ns, g_free);
  g_clear_pointer (&self->misses, ls_misses_free);
  g_clear_pointer (&self->scratch, free);
  g_clear_pointer (&self->parts, free);
}
