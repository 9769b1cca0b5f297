/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The step: stage after stage, each shared out to the pool (or, with a single tile, done here without waking
 * anyone), each closed by a barrier. Nothing here allocates or locks; a recorded step does its book-keeping
 * after its last stamp.
 *
 * Always on: one reading of the clock per step, and two per run. A recorded step adds two per tile and two
 * per op.
 */
#include "config.h"
#include "backends/cpu/cpu.h"

#include <glib/gi18n-lib.h>
#include <sched.h>

#include "backends/cpu/denormals.h"
#include "core/error.h"

/* ---- one worker's part of a job ---- */

/* The second phase cuts the output as one long row. */
static void
join_tile (const LsCpuStage *stage, guint32 tile)
{
  const gint64 size = stage->tiling.rows * stage->tiling.cols;
  const gint64 first = size * tile / stage->n_joins, end = size * (tile + 1) / stage->n_joins;

  stage->kernel->join (stage, first, end - first);
}

static inline void
do_tile (const LsCpu *self, guint worker, guint32 tile)
{
  if (self->joining)
    join_tile (self->stage, tile);
  else
    self->stage->tile (self->stage, self->pass * self->stage->n_tiles + tile,
                       self->scratch + worker * self->scratch_stride);
}

static void
work_cb (gpointer data, guint worker)
{
  const LsCpu *self = data;
  guint32 tile;
  guint8 from;

  while (self->schedule->next (self->share, worker, &tile, &from))
    do_tile (self, worker, tile);
}

/* The last pass's are the tiles of the output; what comes before them, or joins them, has numbers past the
 * last one. */
static guint32
tile_number (const LsCpu *self, guint32 tile)
{
  const LsCpuStage *stage = self->stage;

  if (self->joining)
    return stage->n_tiles + tile;
  return self->pass + 1 == stage->n_passes ? tile : (self->pass + 1) * stage->n_tiles + tile;
}

/* Returns when it was done. */
static guint64
do_recorded_tile (const LsCpu *self, guint worker, guint32 tile, guint8 from)
{
  LsRing *ring = &self->trace->rings[1 + worker];
  LsEvent event = {
    .kind = LS_EVENT_TILE,
    .op = (guint16) self->stage->op,
    .rank = LS_RANK_NONE,
    .tile = tile_number (self, tile),
    .worker = (guint8) worker,
    .from = from,
    .lane_clock = LS_LANE_CLOCK (self->lane, LS_CLOCK_HOST),
  };

  event.start_ns = ls_clock_ns ();
  do_tile (self, worker, tile);
  event.end_ns = ls_clock_ns ();
  event.unit = (gint16) sched_getcpu ();
  ls_ring_add (ring, &event);
  return event.end_ns;
}

static void
work_recorded_cb (gpointer data, guint worker)
{
  const LsCpu *self = data;
  guint32 tile;
  guint8 from;
  guint64 done_ns = 0;

  while (self->schedule->next (self->share, worker, &tile, &from))
    done_ns = do_recorded_tile (self, worker, tile, from);
  /* whoever had no tile has waited since the job began, however late it woke to see that none was left */
  if (done_ns == 0)
    return;
  self->finished_ns[(self->n_jobs - 1) * ls_pool_size (self->pool) + worker] = done_ns;
  ls_misses_note (self->misses, self->n_jobs - 1, worker);
}

/* ---- stages ---- */

/* Where tiles belong to nobody, a worker that is off its core isn't waited for: the others do its part. */
static void
hand_over (LsCpu *self, LsPoolFunc func)
{
  if (self->schedule->shared)
    ls_pool_share (self->pool, func, self);
  else
    ls_pool_run (self->pool, func, self);
}

static void
share_out (LsCpu *self, guint32 n_tiles)
{
  if (n_tiles == 1)
    {
      do_tile (self, 0, 0);
      return;
    }
  ls_share_begin (self->share, self->schedule, n_tiles, ls_pool_size (self->pool));
  hand_over (self, work_cb);
}

/* Returns when the job ended. */
static guint64
share_out_recorded (LsCpu *self, guint32 n_tiles, guint64 start_ns)
{
  const guint n_workers = ls_pool_size (self->pool);
  LsCpuJob *job = &self->jobs[self->n_jobs++];
  guint64 *finished_ns = &self->finished_ns[(self->n_jobs - 1) * n_workers];

  job->op = self->stage->op;
  job->start_ns = start_ns;
  for (guint w = 0; w < n_workers; w++)
    finished_ns[w] = job->start_ns;
  if (n_tiles == 1)
    {
      finished_ns[0] = do_recorded_tile (self, 0, 0, LS_WORKER_NONE);
      ls_misses_note (self->misses, self->n_jobs - 1, 0);
    }
  else
    {
      ls_share_begin (self->share, self->schedule, n_tiles, n_workers);
      hand_over (self, work_recorded_cb);
    }
  return job->end_ns = ls_clock_ns ();
}

static void
run_stage (LsCpu *self, const LsCpuStage *stage)
{
  if (stage->kernel == NULL)
    {
      ls_op_run (&stage->call, self->scratch);
      return;
    }
  self->stage = stage;
  for (self->pass = 0, self->joining = FALSE; self->pass < stage->n_passes; self->pass++)
    share_out (self, stage->n_tiles);
  self->pass = 0;
  self->joining = stage->n_joins > 0;
  if (self->joining)
    share_out (self, stage->n_joins);
}

static void
record (LsCpu *self, guint ring, LsEventKind kind, guint op, guint64 start_ns, guint64 end_ns)
{
  LsEvent event = {
    .start_ns = start_ns,
    .end_ns = end_ns,
    .rank = LS_RANK_NONE,
    .op = (guint16) op,
    .unit = LS_UNIT_NONE,
    .kind = (guint8) kind,
    .lane_clock = LS_LANE_CLOCK (self->lane, LS_CLOCK_HOST),
    .worker = ring == 0 ? LS_WORKER_NONE : (guint8) (ring - 1),
    .from = LS_WORKER_NONE,
  };
  ls_ring_add (&self->trace->rings[ring], &event);
}

static void
run_stage_recorded (LsCpu *self, const LsCpuStage *stage, guint64 start_ns)
{
  guint64 end_ns = start_ns;

  if (stage->kernel == NULL)
    {
      ls_op_run (&stage->call, self->scratch);
      end_ns = ls_clock_ns ();
      record (self, 1, LS_EVENT_REFERENCE, stage->op, start_ns, end_ns);
    }
  else
    {
      self->stage = stage;
      for (self->pass = 0, self->joining = FALSE; self->pass < stage->n_passes; self->pass++)
        end_ns = share_out_recorded (self, stage->n_tiles, end_ns);
      self->pass = 0;
      self->joining = stage->n_joins > 0;
      if (self->joining)
        end_ns = share_out_recorded (self, stage->n_joins, end_ns);
    }
  record (self, 0, LS_EVENT_OP, stage->op, start_ns, end_ns);
}

/* ---- after a recorded step ---- */

static void
record_waits (LsCpu *self)
{
  const guint n_workers = ls_pool_size (self->pool);

  for (guint j = 0; j < self->n_jobs; j++)
    for (guint w = 0; w < n_workers; w++)
      {
        guint64 from_ns = self->finished_ns[j * n_workers + w];
        if (from_ns < self->jobs[j].end_ns)
          record (self, 1 + w, LS_EVENT_WAIT, self->jobs[j].op, from_ns, self->jobs[j].end_ns);
      }
}

static gint
compare_finish_cb (gconstpointer a, gconstpointer b)
{
  const LsEvent *x = *(LsEvent *const *) a, *y = *(LsEvent *const *) b;

  if (x->op != y->op)
    return x->op < y->op ? -1 : 1;
  if (x->end_ns != y->end_ns)
    return x->end_ns < y->end_ns ? -1 : 1;
  return (x->worker > y->worker) - (x->worker < y->worker);
}

/* The order of completion follows from the stamps; a counter that all workers share would cost each tile a
 * cache miss. */
void
ls_cpu_rank_tiles (const LsTrace *trace)
{
  g_autoptr (GPtrArray) tiles = g_ptr_array_new ();
  guint32 rank = 0;

  for (guint r = 1; r < trace->n_rings; r++)
    for (guint32 i = 0; i < trace->rings[r].n; i++)
      if (trace->rings[r].events[i].kind == LS_EVENT_TILE)
        g_ptr_array_add (tiles, &trace->rings[r].events[i]);
  g_ptr_array_sort (tiles, compare_finish_cb);
  for (guint i = 0; i < tiles->len; i++)
    {
      LsEvent *tile = g_ptr_array_index (tiles, i);
      if (i > 0 && tile->op != ((LsEvent *) g_ptr_array_index (tiles, i - 1))->op)
        rank = 0;
      tile->rank = rank++;
    }
}

/* Before a recorded step each worker's processor time, afterwards what its tiles took beyond what it got
 * since: so long, at least, was it off its core, for between its tiles it used some, too. Two system calls a
 * worker and step, outside all tiles. */
static void
note_cpu (LsCpu *self, gboolean after)
{
  for (guint w = 0; w < ls_pool_size (self->pool); w++)
    {
      LsRing *ring = &self->trace->rings[1 + w];
      const guint64 now_ns = ls_pool_cpu_ns (self->pool, w), had_ns = now_ns - ring->off_core_ns;
      guint64 tiles_ns = 0;

      if (!after)
        {
          ring->off_core_ns = now_ns;
          continue;
        }
      for (guint32 i = 0; i < ring->n; i++)
        if (ring->events[i].kind == LS_EVENT_TILE)
          tiles_ns += ring->events[i].end_ns - ring->events[i].start_ns;
      ring->tells = ring->off_core_ns > 0 && now_ns > ring->off_core_ns;
      ring->off_core_ns = ring->tells && tiles_ns > had_ns ? tiles_ns - had_ns : 0;
    }
}

static void
join_cb (gpointer data, guint worker)
{
  ls_misses_join (((const LsCpu *) data)->misses, worker);
}

static void
begin_counting (LsCpu *self)
{
  if (self->misses == NULL)
    {
      self->misses = ls_misses_new (ls_pool_size (self->pool), LS_CPU_MAX_PASSES * self->plan->n_ops);
      ls_pool_run (self->pool, join_cb, self);
    }
  ls_misses_begin (self->misses);
}

/* What each op's jobs fetched, where that was counted. */
static void
note_bytes (LsCpu *self)
{
  LsRing *ring = &self->trace->rings[0];
  guint first = 0, n;

  for (guint32 i = 0; i < ring->n; i++)
    {
      LsEvent *event = &ring->events[i];
      guint64 bytes;

      if (event->kind != LS_EVENT_OP || first == self->n_jobs || self->jobs[first].op != event->op)
        continue;
      for (n = 1; first + n < self->n_jobs && self->jobs[first + n].op == event->op; n++)
        ;
      if (ls_misses_bytes (self->misses, first, n, &bytes))
        event->tile = LS_EVENT_MOVED (bytes);
      first += n;
    }
}

/* ---- the run ---- */

/* Fills self->order. A chain runs fused only if all of it is asked for. */
static guint
choose_stages (LsCpu *self, const LsRun *run)
{
  const guint end = run->first_op + run->n_ops;
  guint n = 0;

  for (guint i = run->first_op; i < end; i++)
    {
      guint leader = self->leader[i];
      gboolean fused = run->fuse && self->fusion && leader >= run->first_op && self->last[leader] < end;
      if (!fused)
        self->order[n++] = &self->plain[i];
      else if (leader == i && !self->fused[i].pooled.by_other)
        self->order[n++] = &self->fused[i];
    }
  return n;
}

/* How many of the stages come before the updates; where nothing is scaled, all do. */
static guint
count_before_updates (const LsCpu *self, const LsRun *run, guint n_stages)
{
  guint n = 0;

  if (!(ls_run_factor (run) > 0))
    return n_stages;
  while (n < n_stages && self->order[n]->op < self->plan->first_op[LS_PHASE_UPDATE])
    n++;
  return n;
}

/* TRUE: it overflowed, and has no update. In a recorded step the first update's time begins with looking. */
static gboolean
run_step (LsCpu *self, guint n_stages, guint before_updates)
{
  for (guint i = 0; i < n_stages; i++)
    {
      const guint64 start_ns = self->trace ? ls_clock_ns () : 0;

      if (i == before_updates && ls_cpu_unscale_gradients (self, self->hyper.scale.factor))
        {
          if (self->trace)
            record (self, 0, LS_EVENT_OP, self->order[i]->op, start_ns, ls_clock_ns ());
          return TRUE;
        }
      if (self->trace)
        run_stage_recorded (self, self->order[i], start_ns);
      else
        run_stage (self, self->order[i]);
    }
  return FALSE;
}

static gboolean
check_run (const LsCpu *self, const LsRun *run, GError **error)
{
  if (self->plan == NULL || self->plain == NULL || run->n_steps < 1 || run->first_op > self->plan->n_ops
      || run->n_ops > self->plan->n_ops - run->first_op)
    {
      g_set_error_literal (error, LS_ERROR, LS_ERROR_USAGE,
                           _("The CPU lane was asked to run what isn’t in its plan."));
      return FALSE;
    }
  if (run->trace && (run->n_steps != 1 || run->trace->n_rings <= ls_pool_size (self->pool)))
    {
      g_set_error (error, LS_ERROR, LS_ERROR_USAGE,
                   _("Recording on the CPU lane takes one step and %u rings."),
                   1 + ls_pool_size (self->pool));
      return FALSE;
    }
  return TRUE;
}

gboolean
ls_cpu_run (gpointer data, const LsRun *run, LsRunResult *result, GError **error)
{
  LsCpu *self = data;
  guint64 denormals;
  guint n_stages, before_updates;

  if (!check_run (self, run, error))
    return FALSE;
  self->trace = run->trace;
  self->n_jobs = 0;
  if (run->trace)
    {
      begin_counting (self);
      note_cpu (self, FALSE);
    }
  ls_cpu_stages_place (self, run->reuse && run->fuse && run->n_ops == self->plan->n_ops);
  result->start_ns = result->end_ns = ls_clock_ns ();
  denormals = ls_denormals_flush ();
  n_stages = choose_stages (self, run);
  before_updates = count_before_updates (self, run, n_stages);
  for (guint step = 0; step < run->n_steps; step++)
    {
      if (run->hyper)
        self->hyper = run->hyper[step];
      if (run->scale)
        self->hyper.scale = *run->scale;
      if (run->batches)
        self->batch = run->batches[step];
      ls_run_step_done (run, result, step, run_step (self, n_stages, before_updates));
      result->end_ns = ls_clock_ns ();
      if (result->step_end_ns)
        result->step_end_ns[step] = result->end_ns;
      if (result->losses && self->mean_op >= (gint) run->first_op
          && self->mean_op < (gint) (run->first_op + run->n_ops))
        result->losses[step] = *self->plain[self->mean_op].target;
    }
  ls_pool_park (self->pool);
  ls_denormals_restore (denormals);
  if (run->trace)
    {
      note_cpu (self, TRUE);
      record (self, 0, LS_EVENT_STEP, LS_OP_NONE, result->start_ns, result->end_ns);
      record_waits (self);
      note_bytes (self);
      ls_cpu_rank_tiles (self->trace);
      self->trace = NULL;
    }
  return TRUE;
}
