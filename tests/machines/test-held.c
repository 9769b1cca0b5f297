/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What models are held against: times of steps and ops, and operands of products, as a recording has them.
 */
#include "config.h"

#include <math.h>
#include <string.h>

#include "machines/held.h"
#include "machines/work.h"
#include "tests/machines/plan-rig.h"

#define MODEL "flatten, dense 20, relu, dense 10"

/* Two lanes, each op its own leader. */
static LsRecording *
recording_of (const LsPlan *plan)
{
  LsRecording *recording = ls_recording_new (plan, 2, 7);

  for (guint lane = 0; lane < 2; lane++)
    for (guint i = 0; i < plan->n_ops; i++)
      recording->lanes[lane].tilings[i].leader = i;
  return recording;
}

static void
add_event (LsRecording *recording, guint lane, LsEventKind kind, guint op, guint64 start_ns, guint64 end_ns)
{
  const LsEvent event = { .kind = (guint8) kind, .op = (guint16) op, .start_ns = start_ns, .end_ns = end_ns };

  g_array_append_val (recording->lanes[lane].events, event);
}

/* ---- times of ops ---- */

/* An op lasts from its first tile's start to its last one's end; a model's op as long as all that it does in
 * one; what waits, queues or copies isn't work. */
static void
test_ops (void)
{
  static const LsEventKind works[] = { LS_EVENT_OP, LS_EVENT_TILE, LS_EVENT_KERNEL, LS_EVENT_REFERENCE },
                           waits[]
                           = { LS_EVENT_STEP,  LS_EVENT_WAIT,    LS_EVENT_ENQUEUE,  LS_EVENT_QUEUED,
                               LS_EVENT_GROUP, LS_EVENT_COPY_IN, LS_EVENT_COPY_OUT, LS_EVENT_HOST_WAIT };
  g_autoptr (LsPlan) plan = plan_of (MODEL, 7), other = plan_of ("flatten, dense 10", 7);
  g_autofree guint *leader = g_new (guint, plan->n_ops);

  ls_machine_work_leaders (plan, leader);
  for (gsize k = 0; k < G_N_ELEMENTS (works); k++)
    {
      g_autoptr (LsRecording) recording = recording_of (plan);
      g_autofree double *none = NULL, *seconds = NULL, *wrong = NULL, *fused = NULL;

      none = ls_held_ops (recording, 1, plan);
      for (guint i = 0; i < plan->n_ops; i++)
        {
          const guint64 at = 1000000 * (i + 1), length = 1000 * (i + 1);

          g_assert_true (isnan (none[i]));
          for (gsize w = 0; w < G_N_ELEMENTS (waits); w++)
            add_event (recording, 1, waits[w], i, at - 500, at + 900000);
          /* the later part first, and one that lies within */
          add_event (recording, 1, works[k], i, at + length / 2, at + length);
          add_event (recording, 1, works[k], i, at, at + length / 4);
          add_event (recording, 1, works[k], i, at + 100, at + 200);
          add_event (recording, 0, works[k], i, at, at + 3 * length); /* another lane's */
        }
      add_event (recording, 1, works[k], LS_OP_NONE, 0, 1000000000);
      seconds = ls_held_ops (recording, 1, plan);
      for (guint i = 0; i < plan->n_ops; i++)
        {
          double wanted = 0;

          for (guint j = 0; j < plan->n_ops; j++)
            wanted += leader[j] == i ? 1e-6 * (j + 1) : 0;
          g_test_message ("%s, by events of kind %s", plan->ops[i].symbol, ls_event_kind_name (works[k]));
          if (leader[i] == i)
            g_assert_cmpfloat_with_epsilon (seconds[i], wanted, 1e-12);
          else
            g_assert_true (isnan (seconds[i]));
        }
      wrong = ls_held_ops (recording, 1, other); /* another step's plan */
      for (guint i = 0; i < other->n_ops; i++)
        g_assert_true (isnan (wrong[i]));

      /* what the lane itself did in another op has no time of its own */
      const guint last = plan->n_ops - 1;
      recording->lanes[1].tilings[last].leader = last - 1;
      fused = ls_held_ops (recording, 1, plan);
      if (leader[last] == last)
        g_assert_true (isnan (fused[last]));
      else
        g_assert_cmpfloat_with_epsilon (fused[leader[last]], seconds[leader[last]] - 1e-6 * (last + 1),
                                        1e-12);
    }
}

/* ---- times of steps ---- */

/* The newest 200 steps before the recorded one, without those at the beginning. Step i takes 1 000 + i µs. */
static void
test_steps (void)
{
  static const struct {
    guint steps, warm_up, n;
    double median_us;
    gboolean stands;
    double apart; /* of one step's time from the next one's, in µs; 0: 1 */
  } rows[] = {
    { 0, 0, 0, 0, FALSE }, /* no history */
    { 1, 0, 0, 0, FALSE }, /* the recorded step alone */
    { 2, 0, 1, 1000, FALSE },
    { 10, 3, 6, 1005.5, FALSE },
    { 10, 12, 0, 0, FALSE },     /* nothing but first steps */
    { 24, 3, 20, 1012.5, TRUE }, /* calm, and enough of these */
    { 22, 3, 18, 1011.5, FALSE },
    { 300, 5, 200, 1198.5, TRUE },
    { 301, 250, 50, 1274.5, TRUE },
    { 24, 3, 20, 2250, FALSE, 100 }, /* not calm */
    { 49, 3, 45, 3500, FALSE, 100 },
    { 301, 250, 50, 28450, TRUE, 100 }, /* not calm, and many */
    /* calm as a rate, and just not, though as a time: what is compared is how many a second */
    { 24, 3, 20, 1150, TRUE, 12 },
    { 24, 3, 20, 1151.171875, FALSE, 12.09375 },
  };
  g_autoptr (LsPlan) plan = plan_of (MODEL, 7);

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (LsRecording) recording = recording_of (plan);
      LsCurve *curve = ls_curve_new ();
      LsFigure step, median;

      for (guint k = 0; k < rows[i].steps + 50; k++) /* the run has gone on */
        ls_curve_append (
          curve,
          (LsPoint){ .loss = 1, .step_us = (float) (1000 + k * (rows[i].apart > 0 ? rows[i].apart : 1)) });
      ls_recording_set_history (recording, 1, curve, rows[i].steps);
      recording->warm_up = rows[i].warm_up;
      step = ls_held_step (recording, 1);
      median = ls_held_median (recording, 1);
      g_test_message ("%u steps, %u of them first ones", rows[i].steps, rows[i].warm_up);
      g_assert_cmpuint (step.n, ==, rows[i].n);
      g_assert_cmpfloat_with_epsilon (step.value, 1e-6 * rows[i].median_us, 1e-12);
      g_assert_cmpstr (step.unit, ==, "s");
      g_assert_cmpuint (median.n, ==, rows[i].stands ? rows[i].n : 0);
      g_assert_cmpfloat (median.value, ==, rows[i].stands ? step.value : 0);
      g_assert_cmpuint (ls_held_step (recording, 0).n, ==, 0); /* the other lane has none */
      ls_curve_unref (curve);
    }
}

static void
test_recorded (void)
{
  g_autoptr (LsPlan) plan = plan_of (MODEL, 7);
  g_autoptr (LsRecording) recording = recording_of (plan);

  g_assert_true (isnan (ls_held_recorded (recording, 1)));
  recording->lanes[1].start_ns = 1000;
  recording->lanes[1].end_ns = 2501000;
  g_assert_cmpfloat_with_epsilon (ls_held_recorded (recording, 1), .0025, 1e-12);
  g_assert_true (isnan (ls_held_recorded (recording, 0)));
  g_assert_cmpfloat_with_epsilon (ls_held_error (.94, 1), -.06, 1e-12); /* 6 % too short */
  g_assert_cmpfloat_with_epsilon (ls_held_error (3, 2), .5, 1e-12);
  g_assert_true (isnan (ls_held_error (1, 0)));
}

/* ---- turns ---- */

/* Lanes count that took turns, on the processor's cores: a device of its own has its own caches. */
static void
test_turns (void)
{
  g_autoptr (LsPlan) plan = plan_of (MODEL, 7);
  g_autoptr (LsRecording) recording = ls_recording_new (plan, 3, 7);
  LsDeviceInfo cpu = { .who = LS_BACKEND_CPU, .kind = LS_DEVICE_CPU, .threads = 2 };
  const gint turns = ls_machine_find_assumption (&ls_machine_cpu, "turns");
  LsAssumed assumed;

  for (guint lane = 0; lane < 3; lane++)
    {
      recording->lanes[lane].device = ls_device_info_new ("cpu");
      recording->lanes[lane].device->shares_cpu = lane != 1;
    }
  recording->turns = FALSE;
  g_assert_cmpuint (ls_held_turns (recording), ==, 1);
  g_assert_cmpuint (ls_held_turns (NULL), ==, 1);
  recording->turns = TRUE;
  g_assert_cmpuint (ls_held_turns (recording), ==, 2);
  recording->lanes[0].device->shares_cpu = recording->lanes[2].device->shares_cpu = FALSE;
  g_assert_cmpuint (ls_held_turns (recording), ==, 1);

  cpu.roofs[LS_ROOF_FLOPS] = (LsFigure){ .value = 1e11, .n = 9, .evidence = LS_EVIDENCE_MEASURED };
  g_assert_cmpint (turns, >=, 0);
  g_assert_true (ls_held_assume (&ls_machine_cpu, NULL, &cpu, 2, &assumed));
  g_assert_cmpfloat (assumed.value[turns], ==, 2);
  g_assert_cmpint (assumed.from[turns], ==, LS_ASSUMED_MEASURED);
  g_assert_false (ls_held_assume (&ls_machine_cpu, NULL, NULL, 2, &assumed)); /* nothing was measured */
  g_assert_cmpfloat (assumed.value[turns], ==, 1);
  g_assert_cmpint (assumed.from[turns], ==, LS_ASSUMED_DEFAULT);
}

/* ---- operands ---- */

/* Element (i, j) of what is multiplied, whichever way each operand is stored. Values tell their place. */
static void
test_products (void)
{
  g_autoptr (LsPlan) plan = plan_of (MODEL, 7);
  guint turned[2] = { 0 }, plain = 0;

  for (guint op = 0; op < plan->n_ops; op++)
    {
      g_autoptr (LsRecording) recording = recording_of (plan);
      const LsOp *o = &plan->ops[op];
      const gint64 m = o->attr.m, n = o->attr.n, k = o->attr.k;
      LsHeldMatrix a, b;

      g_assert_false (ls_held_product (recording, plan, op, &a, &b)); /* nothing was kept */
      for (guint side = 0; side < MIN (o->n_in, 2); side++)
        {
          const gint64 count = ls_tensor_count (&plan->tensors[o->in[side]]);
          float *values = g_new (float, count + 1);

          for (gint64 i = 0; i < count; i++)
            values[i] = (float) i + (side == 1 ? .5f : 0);
          if (side == 1) /* one operand alone is no product */
            g_assert_false (ls_held_product (recording, plan, op, &a, &b));
          ls_recording_take_tensor (recording, 1, o->in[side], values);
        }
      if (strcmp (o->klass->name, "matmul") != 0)
        {
          g_assert_false (ls_held_product (recording, plan, op, &a, &b));
          continue;
        }
      g_assert_true (ls_held_product (recording, plan, op, &a, &b));
      turned[0] += o->attr.ta;
      turned[1] += o->attr.tb;
      plain += !o->attr.ta && !o->attr.tb;
      g_assert_cmpint (a.rows, ==, m);
      g_assert_cmpint (a.cols, ==, k);
      g_assert_cmpint (b.rows, ==, k);
      g_assert_cmpint (b.cols, ==, n);
      for (gint64 j = 0; j < k; j++)
        {
          for (gint64 i = 0; i < m; i++)
            if (ls_held_at (&a, i, j) != (float) (o->attr.ta ? j * m + i : i * k + j))
              g_error ("%s: the left operand's (%d, %d) is another number", o->symbol, (gint) i, (gint) j);
          for (gint64 i = 0; i < n; i++)
            if (ls_held_at (&b, j, i) != (float) (o->attr.tb ? i * k + j : j * n + i) + .5f)
              g_error ("%s: the right operand's (%d, %d) is another number", o->symbol, (gint) j, (gint) i);
        }
    }
  g_assert_cmpuint (MIN (MIN (turned[0], turned[1]), plain), >, 0); /* all of them are there */
}

/* ---- which lane a model is of ---- */

static void
test_like (void)
{
  static const struct {
    const char *machine, *backend;
    LsDeviceKind kind;
    gboolean like;
  } rows[] = {
    { "cpu", "cpu", LS_DEVICE_CPU, TRUE },          { "cpu", "opencl", LS_DEVICE_OPENCL_CPU, FALSE },
    { "cpu", "opencl", LS_DEVICE_GPU, FALSE },      { "cpu", "reference", LS_DEVICE_CPU, FALSE },
    { "simt", "opencl", LS_DEVICE_GPU, TRUE },      { "simt", "opencl", LS_DEVICE_OPENCL_CPU, FALSE },
    { "simt", "cpu", LS_DEVICE_CPU, FALSE },        { "simt", "opencl", LS_DEVICE_ACCELERATOR, FALSE },
    { "systolic", "opencl", LS_DEVICE_GPU, FALSE }, { "fpga", "opencl", LS_DEVICE_ACCELERATOR, FALSE },
    { "spiking", "cpu", LS_DEVICE_CPU, FALSE },     { "int8", "cpu", LS_DEVICE_CPU, FALSE },
    { "simt", "cpu", LS_DEVICE_GPU, FALSE }, /* whose lane it is counts */
  };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (LsDeviceInfo) device = ls_device_info_new (rows[i].backend);

      device->kind = rows[i].kind;
      if (ls_held_like (ls_machine_find (rows[i].machine), device) != rows[i].like)
        g_error ("“%s” is %s model of %s", rows[i].machine, rows[i].like ? "no" : "a", rows[i].backend);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/held/ops", test_ops);
  g_test_add_func ("/held/steps", test_steps);
  g_test_add_func ("/held/recorded", test_recorded);
  g_test_add_func ("/held/turns", test_turns);
  g_test_add_func ("/held/products", test_products);
  g_test_add_func ("/held/like", test_like);
  return g_test_run ();
}
