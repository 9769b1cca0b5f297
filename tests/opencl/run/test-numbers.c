/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The numbers that a kernel is given at each launch: the optimizer's, what random numbers are made of, and
 * its step's places. The driver is played: it writes down what it is told.
 */
#include "config.h"
#include "invented.h"

#include "core/error.h"

/* By argument: how large it was, and what; size 0: it wasn't set. */
static struct {
  gsize size;
  guint8 bytes[8];
} told[LS_CL_MAX_ARGS];

static struct {
  guint n, failing; /* arguments that were set, and which fails, from 1; 0: none */
  guint launches;
  gboolean launch_fails;
} calls;

/* In the library's place. */
cl_int
clSetKernelArg (G_GNUC_UNUSED cl_kernel kernel, cl_uint arg, size_t size, const void *value)
{
  if (++calls.n == calls.failing)
    return CL_INVALID_ARG_VALUE;
  g_assert_cmpuint (arg, <, G_N_ELEMENTS (told));
  g_assert_cmpuint (size, <=, sizeof told[arg].bytes);
  told[arg].size = size;
  memcpy (told[arg].bytes, value, size);
  return CL_SUCCESS;
}

cl_int
clEnqueueNDRangeKernel (G_GNUC_UNUSED cl_command_queue queue, G_GNUC_UNUSED cl_kernel kernel,
                        G_GNUC_UNUSED cl_uint dims, G_GNUC_UNUSED const size_t *offset,
                        G_GNUC_UNUSED const size_t *global, G_GNUC_UNUSED const size_t *local,
                        G_GNUC_UNUSED cl_uint n, G_GNUC_UNUSED const cl_event *after,
                        G_GNUC_UNUSED cl_event *event)
{
  calls.launches++;
  return calls.launch_fails ? CL_OUT_OF_RESOURCES : CL_SUCCESS;
}

static const struct {
  LsClArg arg;
  const char *name;
  gboolean whole;  /* a whole number */
  double value[3]; /* at the numbers below */
} rows[] = {
  { LS_CL_ARG_LR, "lr", FALSE, { .5, .25, .5 } },
  { LS_CL_ARG_MOMENTUM, "momentum", FALSE, { .625, 0, .625 } },
  { LS_CL_ARG_BETA1, "beta1", FALSE, { .75, .75, .75 } },
  { LS_CL_ARG_BETA2, "beta2", FALSE, { .875, .875, .875 } },
  { LS_CL_ARG_EPSILON, "epsilon", FALSE, { 0x1p-20, 0x1p-20, 0x1p-20 } },
  { LS_CL_ARG_STEP_SIZE, "step size", FALSE, { 2, .25 / .4375, .5 / .578125 } },
  { LS_CL_ARG_CORRECTION2, "correction", FALSE, { 2.82842712474619, 2.065591117977289, 1.7405705383053478 } },
  { LS_CL_ARG_ONE_MINUS_BETA1, "1 - beta1", FALSE, { .25, .25, .25 } },
  { LS_CL_ARG_ONE_MINUS_BETA2, "1 - beta2", FALSE, { .125, .125, .125 } },
  { LS_CL_ARG_SCALE, "scale", FALSE, { 1, 1024, 1 } },
  { LS_CL_ARG_SEED_LOW, "low half of the seed", TRUE, { 0x55667788, 7, 0xffffffff } },
  { LS_CL_ARG_SEED_HIGH, "high half of the seed", TRUE, { 0x91223344, 0, 0 } },
  { LS_CL_ARG_STEP, "step", TRUE, { 1, 3, 3 } },
  { LS_CL_ARG_FIRST, "first position", TRUE, { 0, 5 * 32, 0 } },
  { LS_CL_ARG_SLOT, "slot", TRUE, { 0, 5, 2 } },
};

static const LsHyper numbers[] = {
  { .lr = .5,
    .momentum = .625,
    .beta1 = .75,
    .beta2 = .875,
    .epsilon = 0x1p-20,
    .step = 1,
    .seed = G_GUINT64_CONSTANT (0x9122334455667788) },
  /* the third step, of which one made no update */
  { .lr = .25,
    .beta1 = .75,
    .beta2 = .875,
    .epsilon = 0x1p-20,
    .step = 3,
    .seed = 7,
    .scale = { .factor = 1024, .skipped = 1 } },
  { .lr = .5,
    .momentum = .625,
    .beta1 = .75,
    .beta2 = .875,
    .epsilon = 0x1p-20,
    .step = 3,
    .seed = 0xffffffff },
};
static const guint steps[] = { 0, 5, 2 };              /* of the run */
static const gboolean there[] = { TRUE, TRUE, FALSE }; /* the positions of all of its steps */

/* A launch of a kernel that takes all of them, and a buffer before them. */
static LsClLaunch
launch_of (const LsClKernel *row)
{
  LsClLaunch launch = { .op = 1, .row = row, .n_passes = 1, .needed = { TRUE } };
  guint a = 0;

  launch.args[0][a++] = LS_CL_ARG_IN0;
  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    launch.args[0][a++] = rows[i].arg;
  launch.args[0][a] = LS_CL_ARG_END;
  return launch;
}

static void
begin (void)
{
  memset (told, 0, sizeof told);
  memset (&calls, 0, sizeof calls);
}

static void
check (guint row, guint at)
{
  const gsize size = told[row + 1].size;
  cl_uint whole;
  cl_float real;

  if (size != 4)
    g_error ("the kernel is given %u bytes as %s", (guint) size, rows[row].name);
  memcpy (&whole, told[row + 1].bytes, 4);
  memcpy (&real, told[row + 1].bytes, 4);
  if (rows[row].whole ? whole != rows[row].value[at]
                      : real < (float) rows[row].value[at] || real > (float) rows[row].value[at])
    g_error ("with the numbers of row %u the kernel is given %.9g as %s, not %.9g", at,
             rows[row].whole ? (double) whole : (double) real, rows[row].name, rows[row].value[at]);
}

static void
test_given (void)
{
  static const LsClKernel row = { 0 };
  LsClLaunch launch = launch_of (&row);
  Lane lane;

  lane_init (&lane, "flatten, dense 4, relu, dense 10", 32, LS_OPTIMIZER_ADAM, "tiled", FALSE);
  for (guint again = 0; again < 2; again++)
    for (guint at = 0; at < G_N_ELEMENTS (numbers); at++)
      {
        const LsClOrder order = { .hyper = &numbers[at], .step = steps[at], .positions_there = there[at] };
        g_autoptr (GError) error = NULL;

        begin ();
        g_assert_true (ls_cl_enqueue (&lane.cl, &launch, &order, &error));
        g_assert_cmpuint (calls.launches, ==, 1);
        g_assert_cmpuint (told[0].size, ==, 0); /* buffers that stay are set when the kernel is made */
        for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
          check (i, at);
      }
  lane_clear (&lane);
}

/* Without an optimizer's numbers nothing of them is set, and nothing is random. */
static void
test_none (void)
{
  static const LsClKernel row = { 0 };
  LsClLaunch launch = launch_of (&row);
  const LsClOrder order = { .step = 3 };
  g_autoptr (GError) error = NULL;
  Lane lane;

  lane_init (&lane, "flatten, dense 4, relu, dense 10", 32, LS_OPTIMIZER_ADAM, "tiled", FALSE);
  begin ();
  g_assert_true (ls_cl_enqueue (&lane.cl, &launch, &order, &error));
  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      cl_uint whole;

      memcpy (&whole, told[i + 1].bytes, 4);
      if (told[i + 1].size != (rows[i].whole ? 4 : 0))
        g_error ("%s is %s", rows[i].name, rows[i].whole ? "missing" : "given, which nobody knows");
      if (rows[i].whole && whole != (rows[i].arg == LS_CL_ARG_SLOT ? 3 : 0))
        g_error ("%s is %u without an optimizer's numbers", rows[i].name, whole);
    }
  /* an update can't do without */
  launch.op = lane.plan->n_ops - 1;
  begin ();
  g_assert_false (ls_cl_enqueue (&lane.cl, &launch, &order, &error));
  g_assert_error (error, LS_ERROR, LS_ERROR_USAGE);
  g_assert_true (g_str_has_prefix (error->message, "the OpenCL lane needs the optimizer’s numbers for "));
  g_assert_cmpuint (calls.launches, ==, 0);
  lane_clear (&lane);
}

/* One that the driver refuses ends the launch, and it is said which call it was. */
static void
test_fails (void)
{
  static const LsClKernel row = { 0 };
  LsClLaunch launch = launch_of (&row);
  const LsClOrder order = { .hyper = &numbers[0] };
  Lane lane;

  lane_init (&lane, "flatten, dense 4, relu, dense 10", 32, LS_OPTIMIZER_ADAM, "tiled", FALSE);
  for (guint k = 1; k <= G_N_ELEMENTS (rows) + 1; k++)
    {
      const gboolean all = k > G_N_ELEMENTS (rows);
      g_autoptr (GError) error = NULL;

      begin ();
      calls.failing = k;
      calls.launch_fails = TRUE;
      g_assert_false (ls_cl_enqueue (&lane.cl, &launch, &order, &error));
      g_assert_error (error, LS_ERROR, LS_ERROR_DEVICE);
      g_assert_cmpuint (calls.launches, ==, all);
      g_assert_cmpuint (calls.n, ==, MIN (k, G_N_ELEMENTS (rows)));
      g_assert_true (g_str_has_prefix (error->message, all ? "clEnqueueNDRangeKernel failed for "
                                                           : "clSetKernelArg failed for "));
    }
  lane_clear (&lane);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/numbers/given", test_given);
  g_test_add_func ("/numbers/none", test_none);
  g_test_add_func ("/numbers/fails", test_fails);
  return g_test_run ();
}
