/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "fixture.h"

#include <math.h>
#include <string.h>

#include "core/tiling.h"

const LsFixture ls_fixture_desk = { LS_DESK,       .batch = 128,  .stealing = TRUE,
                                    .fused = TRUE, .steps = 2400, .values = TRUE };
const LsFixture ls_fixture_cores = { LS_CORES (2), .batch = 128, .tiles = 8, .groups = 64, .steps = 2400 };
const LsFixture ls_fixture_calls = { LS_CORES (4),  .batch = 64,    .tiles = 64,
                                     .groups = 256, .on_cpu = TRUE, .stealing = TRUE,
                                     .fused = TRUE, .steps = 100,   .queue = TRUE };

typedef struct {
  const LsFixture *f;
  LsRecording *recording;
  guint lane;
  guint64 now_ns;
  guint32 random;
  guint64 host_ns; /* when the host's next call begins */
} Maker;

static double
chance (Maker *m)
{
  m->random = m->random * 1664525u + 1013904223u;
  return (m->random >> 8) / 16777216.0;
}

static void
add (Maker *m, LsEvent e)
{
  e.lane_clock = LS_LANE_CLOCK (m->lane, e.lane_clock);
  g_array_append_val (m->recording->lanes[m->lane].events, e);
}

static LsEvent
event (LsEventKind kind, guint op, guint64 start_ns, guint64 end_ns)
{
  return (LsEvent){ .kind = (guint8) kind,
                    .op = (guint16) op,
                    .start_ns = start_ns,
                    .end_ns = end_ns,
                    .rank = LS_RANK_NONE,
                    .unit = LS_UNIT_NONE,
                    .worker = LS_WORKER_NONE,
                    .from = LS_WORKER_NONE };
}

/* A grid of about `wished` tiles, two columns for each row. */
static void
cut (LsTiling *t, const LsRecording *r, guint op, guint wished)
{
  const LsRecordedShape *out = &r->shapes[r->ops[op].out[0]];
  gint64 rows = r->ops[op].attr.m, cols = r->ops[op].attr.n, grid_rows;

  if (rows == 0 || cols == 0)
    ls_tiling_output_matrix (out->shape, out->rank, &rows, &cols);
  grid_rows = CLAMP ((gint64) sqrt (wished), 1, rows);
  ls_tiling_set (t, rows, cols, MAX (1, rows / grid_rows),
                 MAX (1, cols / MAX (1, (gint64) wished / grid_rows)));
  t->leader = op;
}

static gboolean
follows (const LsRecordedOp *op)
{
  return g_str_equal (op->name, "bias") || g_str_equal (op->name, "relu")
         || g_str_equal (op->name, "relu_grad") || g_str_equal (op->name, "sgd");
}

static gboolean
joins (const LsRecordedOp *op)
{
  return g_str_equal (op->name, "mean") || g_str_equal (op->name, "softmax_xent_grad");
}

/* Who takes the next tile: the first of the own share; or, stealing, the last of the longest. */
static void
run_tiles (Maker *m, guint op, double ns)
{
  const LsTiling *t = &m->recording->lanes[m->lane].tilings[op];
  const guint n = t->grid_rows * t->grid_cols, workers = m->lane == 0 ? m->f->workers : MAX (m->f->units, 1);
  g_autofree guint64 *free_ns = g_new (guint64, workers);
  g_autofree guint *first = g_new (guint, workers), *end = g_new (guint, workers);
  const guint start = m->recording->lanes[m->lane].events->len;
  guint64 last = m->now_ns;

  for (guint w = 0; w < workers; w++)
    {
      free_ns[w] = m->now_ns + (guint64) (200 * chance (m));
      first[w] = (guint) ((guint64) n * w / workers);
      end[w] = (guint) ((guint64) n * (w + 1) / workers);
    }
  for (guint done = 0; done < n; done++)
    {
      guint w = workers, from;
      double took = ns * (.92 + .2 * chance (m)) * (chance (m) < .01 ? 3.2 : 1);
      LsEvent e = event (m->lane == 0 ? LS_EVENT_TILE : LS_EVENT_GROUP, op, 0, 0);

      for (guint k = 0; k < workers; k++)
        if ((first[k] < end[k] || m->f->stealing || m->lane == 1)
            && (w == workers || free_ns[k] < free_ns[w]))
          w = k;
      from = w;
      for (guint k = 0; first[w] >= end[w] && k < workers; k++)
        if (end[k] - first[k] > end[from] - first[from] || first[from] >= end[from])
          from = k;
      e.tile = m->lane == 1 ? done : from == w ? first[w]++ : --end[from];
      e.worker = (guint8) MIN (w, (guint) LS_MAX_WORKERS - 1);
      e.from = from == w || m->lane == 1 ? LS_WORKER_NONE : (guint8) from;
      e.start_ns = free_ns[w];
      e.end_ns = free_ns[w] += (guint64) took;
      if (m->lane == 1)
        first[w] = end[w];
      add (m, e);
      last = MAX (last, e.end_ns);
    }
  for (guint w = 0; w < workers && m->lane == 0; w++)
    {
      LsEvent wait = event (LS_EVENT_WAIT, op, free_ns[w], last);
      wait.worker = (guint8) w;
      if (free_ns[w] < last)
        add (m, wait);
    }
  m->now_ns = last;
  /* ranks: by end */
  GArray *events = m->recording->lanes[m->lane].events;
  for (guint i = start; i < events->len; i++)
    {
      LsEvent *e = &g_array_index (events, LsEvent, i);
      guint32 rank = 0;
      for (guint k = start; k < events->len && n <= 4096; k++)
        {
          const LsEvent *other = &g_array_index (events, LsEvent, k);
          rank += other->kind == e->kind
                  && (other->end_ns < e->end_ns || (other->end_ns == e->end_ns && k < i));
        }
      e->rank = n <= 4096 ? rank : i - start;
      if (e->kind == LS_EVENT_WAIT)
        e->rank = LS_RANK_NONE;
    }
}

static void
forget (Maker *m, guint first)
{
  GArray *events = m->recording->lanes[m->lane].events;

  for (guint i = first; i < events->len; i++)
    {
      LsEvent *e = &g_array_index (events, LsEvent, i);
      if (e->kind != LS_EVENT_GROUP)
        continue;
      if (m->f->known == LS_KNOWN_UNITS)
        e->unit = e->worker;
      if (m->f->known != LS_KNOWN_THREADS)
        e->worker = LS_WORKER_NONE;
      if (m->f->known == LS_KNOWN_ORDER || m->f->known == LS_KNOWN_NOTHING)
        {
          e->start_ns = e->rank;
          e->end_ns = e->rank + 1;
          e->lane_clock = LS_LANE_CLOCK (m->lane, LS_CLOCK_ORDER);
        }
      if (m->f->known == LS_KNOWN_NOTHING)
        e->rank = LS_RANK_NONE;
    }
}

#define LATE_OP 1

/* A call of 2 µs, the wait in the queue, and not before the device is free. */
static void
queue_command (Maker *m, guint op, guint tile)
{
  LsEvent call, queued;

  if (!m->f->queue || m->lane == 0)
    return;
  if (op == LATE_OP)
    m->host_ns = m->now_ns + 5000;
  call = event (LS_EVENT_ENQUEUE, op, m->host_ns, m->host_ns + 2000);
  m->host_ns += 2500;
  m->now_ns = MAX (m->now_ns, call.start_ns + 4000);
  queued = event (LS_EVENT_QUEUED, op, call.start_ns + 1000, m->now_ns);
  call.tile = queued.tile = tile;
  add (m, call);
  queued.lane_clock = LS_CLOCK_DEVICE;
  add (m, queued);
}

static void
run_op (Maker *m, guint op)
{
  LsRecordedLane *lane = &m->recording->lanes[m->lane];
  LsTiling *t = &lane->tilings[op];
  const gint64 work = MAX (m->recording->ops[op].flops, m->recording->ops[op].bytes / 8);
  const guint start = lane->events->len;
  guint64 begin;

  cut (t, m->recording, op, m->lane == 0 ? m->f->tiles : m->f->groups);
  g_strlcpy (t->kernel,
             m->lane == 0 ? (m->f->cpu_kernel != NULL ? m->f->cpu_kernel : "sgemm per tile")
                          : "register 64×64",
             sizeof t->kernel);
  ls_tiling_find_way (t);
  if (op > 0
      && ((m->f->fused && follows (&m->recording->ops[op]))
          || (m->f->joined && m->lane == 1 && joins (&m->recording->ops[op]))))
    {
      t->leader = lane->tilings[op - 1].leader;
      return;
    }
  queue_command (m, op, 0);
  begin = m->now_ns;
  run_tiles (m, op,
             300
               + (m->lane == 0 ? .012 : .02) * (double) work / MAX (t->grid_rows * t->grid_cols, 1u)
                   * (m->f->on_cpu || m->lane == 0 ? 1 : .5));
  LsEvent whole = event (m->lane == 0 ? LS_EVENT_OP : LS_EVENT_KERNEL, op, begin, m->now_ns);
  whole.lane_clock = m->f->queue && m->lane == 1 ? LS_CLOCK_DEVICE : LS_CLOCK_HOST;
  add (m, whole);
  forget (m, start);
  m->now_ns += m->lane == 0 ? 900 : 4000;
}

static void
add_history (Maker *m)
{
  const LsRecordedLane *lane = &m->recording->lanes[m->lane];
  LsCurve *curve = ls_curve_new ();
  double noise = 0;

  for (guint i = 0; i < m->f->steps; i++)
    {
      const double shape = 2.2 * exp (i / -58.0) + .42 * exp (i / -420.0) + .095;
      float loss;
      guint64 ns;

      noise = .9 * noise
              + .1 * (sin (i * 12.9898) * 43758.5453 - floor (sin (i * 12.9898) * 43758.5453) - .5);
      loss = (float) (shape * (1 + noise) * (1 + m->lane * 2e-7 * (i % 7)));
      ns = (guint64) ((double) (lane->end_ns - lane->start_ns) * (1 + .04 * chance (m))
                      * (i < 50 ? 1.6 - .6 * i / 50 : 1));
      ls_curve_append (curve, (LsPoint){ .loss = loss, .step_us = (float) ((double) ns / 1e3) });
    }
  ls_recording_set_history (m->recording, m->lane, curve, m->f->steps);
  ls_curve_unref (curve);
}

/* An image with a blot in it, or a point of a circle. */
static double
input_value (const LsRecordedShape *shape, gint64 i)
{
  const gint64 size = shape->shape[1] * shape->shape[2] * shape->shape[3], sample = i / size, at = i % size;
  const double x = (double) (at % 28) - 14 + 4 * sin ((double) sample), y = (double) (at / 28) - 14;

  if (size == 2)
    return (1 + (sample % 2)) * (at == 0 ? cos ((double) sample) : sin ((double) sample));
  return exp (-(x * x + y * y / 3) / 20);
}

static double
tensor_value (Maker *m, const LsRecordedShape *shape, gint64 i)
{
  if (shape->role == LS_ROLE_INPUT)
    return input_value (shape, i);
  if (shape->role == LS_ROLE_WEIGHT)
    return (chance (m) - .5) / 8;
  return strcmp (shape->name, "probs") == 0 ? 0 : MAX (0, 3 * chance (m) - 1.5);
}

/* Each sample is mostly said to be what its label is, every seventh to be the next class. */
static void
fill_probs (const LsRecording *r, gint64 i, float *p)
{
  for (gint c = 0; c < r->n_classes; c++)
    p[c] = .1f / (float) (r->n_classes - 1);
  p[(i + (i % 7 == 0)) % r->n_classes] = .9f;
}

static void
add_values (Maker *m)
{
  const LsRecording *r = m->recording;

  m->random = 7;
  for (guint t = 0; t < r->n_shapes; t++)
    {
      const LsRecordedShape *shape = &r->shapes[t];
      const gint64 n = ls_recorded_shape_count (shape);
      float *values;

      if (shape->role == LS_ROLE_LABEL)
        {
          gint32 *labels = g_new (gint32, (gsize) n);
          for (gint64 i = 0; i < n; i++)
            labels[i] = (gint32) (i % r->n_classes);
          ls_recording_take_tensor (m->recording, m->lane, t, labels);
          continue;
        }
      if (shape->role != LS_ROLE_INPUT && shape->role != LS_ROLE_WEIGHT
          && !(m->f->small_deltas && shape->role == LS_ROLE_DELTA)
          && (shape->role != LS_ROLE_ACTIVATION || strchr ("zc", *shape->name) != NULL))
        continue;
      values = g_new (float, (gsize) n);
      for (gint64 i = 0; i < n; i++)
        values[i] = (float) (tensor_value (m, shape, i)
                             * (shape->role == LS_ROLE_INPUT   ? 1
                                : shape->role == LS_ROLE_DELTA ? 1e-4
                                                               : 1 + 4e-7 * m->lane));
      for (gint64 i = 0; strcmp (shape->name, "probs") == 0 && i < shape->shape[0]; i++)
        fill_probs (r, i, values + i * r->n_classes);
      ls_recording_take_tensor (m->recording, m->lane, t, values);
    }
}

LsPlan *
ls_fixture_plan (const LsFixture *f)
{
  const gint64 image[3] = { 1, 28, f->cols > 0 ? f->cols : 28 }, point[3] = { 2, 1, 1 },
               *shape = f->toy ? point : image;
  g_autoptr (LsModel) model = ls_model_parse (
    f->model != NULL ? f->model : "flatten, dense 256, relu, dense 128, relu, dense 10", NULL);

  return ls_plan_new (model, shape,
                      f->classes > 0 ? f->classes
                      : f->toy       ? 2
                                     : 10,
                      f->batch, LS_OPTIMIZER_SGD, NULL);
}

LsRecording *
ls_fixture_recording (const LsFixture *f)
{
  g_autoptr (LsPlan) plan = ls_fixture_plan (f);
  const guint n_lanes = f->groups > 0 ? 2 : 1;
  LsRecording *recording = ls_recording_new (plan, n_lanes, f->steps);
  static const LsTells tells[] = { LS_TELLS_UNITS, LS_TELLS_THREADS, LS_TELLS_ORDER, LS_TELLS_NOTHING };
  g_autoptr (GError) error = NULL;

  g_free (recording->date);
  recording->date = g_strdup ("2026-01-02T03:04:05Z");
  g_free (recording->program);
  recording->program = g_strdup ("invented test data");
  for (guint l = 0; l < n_lanes; l++)
    {
      LsRecordedLane *lane = &recording->lanes[l];
      Maker m = { f, recording, l, 1000000000, 42 + l };

      lane->device = ls_device_info_new (l == 0 ? "cpu" : "opencl");
      lane->device->name = g_strdup (l == 0 ? "Test CPU" : "Test GPU");
      lane->device->driver = g_strdup (l == 0      ? "OpenBLAS 0.3.21 Haswell"
                                       : f->on_cpu ? "PoCL 3.1"
                                                   : "OpenCL 3.0");
      lane->device->tells = l == 0 ? LS_TELLS_THREADS : tells[f->known];
      lane->device->units = l == 0 ? (gint) f->workers : (gint) f->units;
      lane->device->threads = l == 0 ? (gint) f->workers : f->on_cpu ? (gint) f->units : -1;
      lane->device->shares_cpu = l == 0 || f->on_cpu;
      lane->start_ns = m.now_ns;
      if (l == 1)
        {
          LsEvent copy = event (LS_EVENT_COPY_IN, LS_OP_NONE, m.now_ns, m.now_ns + 33000);
          m.host_ns = m.now_ns;
          queue_command (&m, LS_OP_NONE, 0);
          copy.start_ns = m.now_ns;
          copy.lane_clock = f->queue ? LS_CLOCK_DEVICE : LS_CLOCK_HOST;
          add (&m, copy);
          m.now_ns += 38000;
        }
      for (guint op = 0; op < recording->n_ops; op++)
        run_op (&m, op);
      if (l == 1 && f->queue)
        {
          lane->clock_error_ns = 800;
          m.now_ns += 3000;
          add (&m, event (LS_EVENT_HOST_WAIT, LS_OP_NONE, m.host_ns, m.now_ns));
        }
      lane->end_ns = m.now_ns;
      add_history (&m);
      if (f->values)
        add_values (&m);
    }
  g_hash_table_insert (recording->options, g_strdup ("policy"),
                       g_strdup (f->stealing ? "work-stealing" : "static"));
  g_hash_table_insert (recording->options, g_strdup ("data"), g_strdup ("digits"));
  ls_recording_set_conditions (recording, f->on_cpu, 50);
  g_hash_table_insert (recording->conditions, g_strdup ("evidence"), g_strdup ("invented"));
  if (!ls_recording_seal (recording, &error))
    g_error ("the fixture: %s", error->message);
  return recording;
}

LsViewData *
ls_fixture_data (const LsFixture *f)
{
  g_autoptr (LsRecording) recording = ls_fixture_recording (f);

  return ls_view_data_from_recording (recording, NULL);
}

void
ls_fixture_add_values (LsRecording *recording)
{
  for (guint lane = 0; lane < recording->n_lanes; lane++)
    for (guint i = 0; i < recording->n_shapes; i++)
      {
        const gint64 n = ls_recorded_shape_count (&recording->shapes[i]);
        float *values;

        if (recording->shapes[i].dtype != LS_F32)
          continue;
        values = g_new (float, n);
        for (gint64 k = 0; k < n; k++)
          values[k] = (float) ((k * 7 + i) % 23 - 11) / 8;
        ls_recording_take_tensor (recording, lane, i, values);
      }
}
