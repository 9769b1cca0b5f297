/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The models of machines where all but one thing costs next to nothing: how long each op takes then is that
 * thing alone, by hand. What a device's published and measured figures make of the assumptions, by hand, too.
 */
#include "config.h"

#include <math.h>
#include <string.h>

#include "machines/reuse.h"
#include "tests/machines/plan-rig.h"

/* Of the network that all of this is about: a product, its weights, and windows, which are no product. */
#define NETWORK "conv 4 3 pad 1, relu, maxpool 2, flatten, dense 64, relu, dense 10"

static void
assume (const char *machine, const char *text, LsAssumed *assumed)
{
  g_autoptr (GError) error = NULL;

  ls_machine_assume (ls_machine_find (machine), assumed);
  ls_machine_say (ls_machine_find (machine), text, assumed, &error);
  g_assert_no_error (error);
}

static double
assumed_of (const char *machine, const LsAssumed *assumed, const char *name)
{
  const gint which = ls_machine_find_assumption (ls_machine_find (machine), name);

  if (which < 0)
    g_error ("%s assumes no “%s”", machine, name);
  return assumed->value[which];
}

/* ---- one thing alone ---- */

typedef enum {
  ALL_BYTES,  /* what an op reads and writes, over the rate */
  OTHERS,     /* what isn't a product: operations over the rate; of ops that are none alone */
  WINDOWS,    /* the same of windows, */
  NO_WINDOWS, /* and of what has none */
} Of;

/* By hand: seconds of `amount` at that rate, and as many more for each op. */
static const struct {
  const char *machine, *assumed;
  Of of;
  double rate, more;
  double bytes; /* of a number, where it is about bytes */
  LsHeldBy held_by;
  const char *what;
} alone[] = {
  { "cpu", "cores=1,rate=10000,share=1,l2=256,l2-rate=1,start=0,sharing=0", ALL_BYTES, 1e9, 0, 4,
    LS_HELD_BY_CACHE, "a second cache that holds everything" },
  { "cpu", "cores=4,rate=10000,share=1,l2=256,l2-rate=1,start=0,sharing=0", ALL_BYTES, 4e9, 0, 4,
    LS_HELD_BY_CACHE, "four cores' second caches" },
  { "cpu", "cores=1,rate=10000,share=1,l2=.0625,l2-rate=10000,l3=.0625,memory=.1,start=0,sharing=0",
    ALL_BYTES, 1e8, 0, 4, LS_HELD_BY_MEMORY, "memory" },
  { "cpu", "cores=4,lanes=8,rate=.8,memory=20000,l2=256,l2-rate=10000,l3-rate=10000,start=0,sharing=0",
    NO_WINDOWS, .8e9, 0, 4, LS_HELD_BY_COMPUTE,
    "a vector of eight a clock, which counts as 32 FLOP, on four cores" },
  { "cpu", "cores=4,lanes=8,rate=.8,memory=20000,l2=256,l2-rate=10000,l3-rate=10000,start=0,sharing=0",
    WINDOWS, .1e9, 0, 4, LS_HELD_BY_COMPUTE, "windows, one number at a time" },
  /* threads that need a millisecond to come together leave it to one, which starts it */
  { "cpu", "cores=4,lanes=8,rate=8,memory=20000,l2=256,l2-rate=10000,l3-rate=10000,start=.1,sharing=1000",
    NO_WINDOWS, 2e9, 1e-7, 4, LS_HELD_BY_COMPUTE, "one core, which does little work alone" },
  { "simt", "launch=0,wait=0,clock=20,l2-rate=1000000,memory=.1,l2=.01", ALL_BYTES, 1e8, 0, 4,
    LS_HELD_BY_MEMORY, "memory" },
  { "simt", "launch=0,wait=0,clock=20,l2-rate=1000000,memory=.1,l2=.01,coalesced=.25", ALL_BYTES, .25e8, 0, 4,
    LS_HELD_BY_MEMORY, "memory of which a quarter of the bytes is used" },
  { "simt", "launch=0,wait=0,units=2,lanes=64,clock=.01,l2-rate=1000000,memory=100000", OTHERS,
    2 * 64 * .01e9, 0, 4, LS_HELD_BY_COMPUTE, "two units of 64 lanes" },
  { "simt", "launch=0,wait=100000,clock=1,l2-rate=1000000,memory=100000", OTHERS, 28 * 128 * 1e9, 1e-4, 4,
    LS_HELD_BY_LATENCY, "the wait for memory, 100,000 clocks" },
  { "simt", "launch=7,wait=0,clock=20,l2-rate=1000000,memory=100000", OTHERS, 28 * 128 * 20e9, 7e-6, 4,
    LS_HELD_BY_START, "starting a kernel" },
  { "tensor", "launch=0,wait=0,clock=20,l2-rate=1000000,memory=.1,l2=.01", ALL_BYTES, 1e8, 0, 2,
    LS_HELD_BY_MEMORY, "memory, with numbers of 16 bits" },
  { "tensor", "launch=0,wait=0,units=2,lanes=32,clock=.01,l2-rate=1000000,memory=100000", OTHERS,
    2 * 32 * .01e9, 0, 2, LS_HELD_BY_LATENCY, "two units of 32 ordinary lanes" },
  { "tensor", "launch=0,wait=100000,clock=1,l2-rate=1000000,memory=100000", OTHERS, 108 * 64 * 1e9, 1e-4, 2,
    LS_HELD_BY_LATENCY, "the wait for memory, 100,000 clocks" },
  { "systolic", "start=0,clock=20,memory=.1,buffer=.01", ALL_BYTES, 1e8, 0, 2, LS_HELD_BY_MEMORY,
    "memory, with numbers of 16 bits" },
  { "systolic", "start=0,vector=4,clock=.01,memory=100000", OTHERS, 4 * .01e9, 0, 2, LS_HELD_BY_COMPUTE,
    "four other operations a clock" },
  { "systolic", "start=3,clock=20,memory=100000", OTHERS, 2048 * 20e9, 3e-6, 2, LS_HELD_BY_START,
    "starting an op" },
  { "int8", "start=0,clock=20,rescale=1000000,memory=.1,buffer=.001", ALL_BYTES, 1e8, 0, 1, LS_HELD_BY_MEMORY,
    "memory, with numbers of 8 bits" },
  { "int8", "start=0,clock=20,rescale=1000000,memory=.1,buffer=.001,bits=4", ALL_BYTES, 1e8, 0, .5,
    LS_HELD_BY_MEMORY, "memory, with numbers of 4 bits" },
  { "int8", "start=0,clock=.001,rescale=2,memory=10000", OTHERS, 2e6, 0, 1, LS_HELD_BY_COMPUTE,
    "two re-scaled sums a clock" },
};

/* The piece of work that that op leads. */
static const LsMachineWork *
work_of (const GArray *works, guint op)
{
  for (guint i = 0; i < works->len; i++)
    if (g_array_index (works, LsMachineWork, i).op == op)
      return &g_array_index (works, LsMachineWork, i);
  g_error ("a model runs op %u, which no work is led by", op);
}

static void
test_alone (void)
{
  g_autoptr (LsPlan) plan = plan_of (NETWORK, 64);
  g_autoptr (GArray) works = ls_machine_work (plan, FALSE);

  for (gsize i = 0; i < G_N_ELEMENTS (alone); i++)
    {
      LsAssumed assumed;
      guint seen = 0;

      assume (alone[i].machine, alone[i].assumed, &assumed);
      g_autoptr (LsMachineRun) run = ls_machine_run (ls_machine_find (alone[i].machine), plan, &assumed);
      for (guint o = 0; o < run->ops->len; o++)
        {
          const LsMachineOp *op = &g_array_index (run->ops, LsMachineOp, o);
          const LsMachineWork *work = work_of (works, op->op);
          const gboolean window = work->k == 0 && work->head->attr.kernel > 0;
          /* of numbers of 16 bits weights keep 32 */
          const double wide = alone[i].bytes == 2 ? work->weights : 0,
                       bytes = (work->read + work->written - wide) / 4 * alone[i].bytes + wide,
                       amount = alone[i].of == ALL_BYTES ? bytes : work->others,
                       seconds = amount / alone[i].rate + alone[i].more;

          /* small tensors stay on the chip, classes and losses have more bits and so have updated weights,
           * and the batch is fetched from anywhere: the others show what is in the way alone */
          if ((alone[i].of == ALL_BYTES ? bytes < 1e5 || work->k == 0 : work->k > 0 || work->others < 1000)
              || work->head->phase == LS_PHASE_INPUT
              || (alone[i].bytes < 4 && work->head->phase != LS_PHASE_FORWARD)
              || (alone[i].of == WINDOWS && !window) || (alone[i].of == NO_WINDOWS && window))
            continue;
          if (fabs (op->seconds / seconds - 1) > .04)
            g_test_fail_printf ("%s with %s: %s alone takes %.4g s for %s, not %.4g s", alone[i].machine,
                                alone[i].assumed, alone[i].what, seconds, work->head->symbol, op->seconds);
          if (op->held_by != alone[i].held_by)
            g_test_fail_printf ("%s: %s is what %s waits for, and “%s” is said to be", alone[i].machine,
                                alone[i].what, work->head->symbol, ls_held_by_name (op->held_by));
          seen++;
        }
      if (seen == 0)
        g_test_fail_printf ("%s: no op shows %s", alone[i].machine, alone[i].what);
    }
}

/* ---- one product ---- */

/* Of 16 rows, 16 columns and 784 products to a sum are 49 tiles of 16×16×16, a clock each. One unit does them
 * one after the other; 64 share them, two to a unit, 32 sums being written and read to be added up. */
static void
test_tensor_product (void)
{
  static const struct {
    const char *assumed;
    double clocks, used;
  } cases[] = {
    { "units=1,cores=1", 49, 1 },
    { "units=1,cores=1,wait=49", 98, .5 },
    { "units=1,cores=7", 7, 1 },
    { "units=64,cores=1", 2 + 32 * 2 * 256 * 4 / 1e6, 49 / 2.0655 / 64 },
    { "units=64,cores=1,rate=64,l2-rate=1024,wait=10", 2 * (64 + 10) + 32 * 2, 49. / 212 }, /* 2 for a sum */
  };
  g_autoptr (LsPlan) plan = plan_of ("flatten, dense 16, relu, dense 10", 16);

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *text = g_strconcat (
        "wait=0,launch=0,rate=4096,clock=1,lanes=1024,l2-rate=1000000,memory=100000,", cases[i].assumed,
        NULL);
      const LsMachineOp *first = NULL;
      LsAssumed assumed;

      assume ("tensor", text, &assumed);
      g_autoptr (LsMachineRun) run = ls_machine_run (&ls_machine_tensor, plan, &assumed);
      for (guint o = 0; first == NULL && o < run->ops->len; o++)
        if (plan->ops[g_array_index (run->ops, LsMachineOp, o).op].attr.k == 784)
          first = &g_array_index (run->ops, LsMachineOp, o);
      g_assert_nonnull (first); /* the product of 784 */
      /* bias and relu are done beside it, by the ordinary lanes: half a clock of one unit */
      if (fabs (first->seconds * 1e9 - cases[i].clocks) > .51)
        g_error ("%s: the product takes %.3f clocks, not %.3f", cases[i].assumed, first->seconds * 1e9,
                 cases[i].clocks);
      g_assert_cmpfloat_with_epsilon (first->used, cases[i].used, cases[i].used * .08);
      g_assert_cmpfloat_with_epsilon (first->useful, 1, 1e-9);
    }
}

/* ---- from a device ---- */

#define FIGURE(what, of, means_, value_)                                                                     \
  {                                                                                                          \
    .kind = LS_HARDWARE_##what, .numbers = LS_NUMBERS_##of, .means = (means_),                               \
    .figure                                                                                                  \
      = {.value = (value_),                                                                                  \
         .n = 1,                                                                                             \
         .evidence = LS_EVIDENCE_PUBLISHED }                                                                 \
  }

/* A card with two devices on it; each has 4,096 cores in 32 units, 128 cores for matrices, 1,000 GB/s. */
static LsHardwareFigure card[] = {
  FIGURE (CORES, UNTOLD, 0, 8192),
  FIGURE (UNITS, UNTOLD, 0, 64),
  FIGURE (MATRIX_CORES, UNTOLD, 0, 256),
  FIGURE (CLOCK, UNTOLD, LS_MEANS_BOOST, 1.5e9),
  FIGURE (BANDWIDTH, UNTOLD, 0, 2e12),
  FIGURE (COMPUTE, FP32, LS_MEANS_VECTOR, 2 * 8192 * 1.25e9),
  FIGURE (COMPUTE, FP16, LS_MEANS_MATRIX | LS_MEANS_SPARSE, 9e15),
  FIGURE (COMPUTE, FP16, LS_MEANS_MATRIX, 2 * 256 * 512 * 1.5e9),
};
static LsHardwareFigure without_units[] = {
  FIGURE (CORES, UNTOLD, 0, 6400),
  FIGURE (MATRIX_CORES, UNTOLD, 0, 240),
};
static LsHardwareFigure processor[] = {
  FIGURE (CORES, UNTOLD, 0, 16),
  FIGURE (COMPUTE, FP32, 0, 1.6e12),
  FIGURE (BANDWIDTH, UNTOLD, 0, 80e9),
};
static LsHardwareFigure untold[] = {
  FIGURE (CORES, UNTOLD, 0, 16),
  FIGURE (CLOCK, UNTOLD, LS_MEANS_BOOST, 5e9),
  FIGURE (CLOCK, UNTOLD, LS_MEANS_BASE, 2e9),
  FIGURE (PER_CLOCK, FP32, 0, 32),
};
static LsHardwareFigure tpu[] = {
  FIGURE (COMPUTE, BF16, 0, 2. * 128 * 128 * 4 * 1e9),
  FIGURE (BANDWIDTH, UNTOLD, 0, 1.2e12),
};
static LsHardwareFigure npu[] = {
  FIGURE (CORES, UNTOLD, 0, 16),
  FIGURE (COMPUTE, INT8, 0, 2. * 32 * 64 * 16 * 1.5e9),
  FIGURE (BANDWIDTH, UNTOLD, 0, 60e9),
};
static LsHardwareFigure npu_untold[] = {
  FIGURE (COMPUTE, UNTOLD, 0, 2. * 32 * 64 * 3e9),
};
static LsHardwareFigure spiking[] = {
  FIGURE (CORES, UNTOLD, 0, 64),
  FIGURE (NEURONS, UNTOLD, 0, 64 * 512),
  FIGURE (EVENT, UNTOLD, 0, 12e-12),
};
static LsHardwareFigure fpga[] = {
  FIGURE (BANDWIDTH, UNTOLD, 0, 77e9),
};

#define DEVICE(sort_, parts_, figures_)                                                                      \
  {                                                                                                          \
    .name = (char *) #figures_, .sort = LS_HARDWARE_##sort_, .parts = (parts_), .figures = (figures_),       \
    .n_figures = G_N_ELEMENTS (figures_)                                                                     \
  }

/* Each value is taken from that figure of the device; all that isn't listed stays as it is by itself. */
static void
test_published (void)
{
  static const struct {
    const char *machine;
    LsHardware device;
    struct {
      const char *name;
      double value;
      LsHardwareKind of;
    } values[7];
  } cases[] = {
    { "simt",
      DEVICE (GPU, 2, card),
      { { "units", 32, LS_HARDWARE_UNITS },
        { "lanes", 128, LS_HARDWARE_CORES },
        { "clock", 1.25, LS_HARDWARE_COMPUTE },
        { "memory", 1000, LS_HARDWARE_BANDWIDTH },
        { "l2-rate", 4000, LS_HARDWARE_BANDWIDTH } } },
    { "tensor",
      DEVICE (GPU, 2, card),
      { { "units", 32, LS_HARDWARE_UNITS },
        { "cores", 4, LS_HARDWARE_MATRIX_CORES },
        { "lanes", 128, LS_HARDWARE_CORES },
        { "clock", 1.5, LS_HARDWARE_CLOCK },
        { "rate", 512, LS_HARDWARE_COMPUTE },
        { "memory", 1000, LS_HARDWARE_BANDWIDTH },
        { "l2-rate", 4000, LS_HARDWARE_BANDWIDTH } } },
    /* units of 128 lanes, or of 4 cores for matrices, as they are by themselves */
    { "simt", DEVICE (GPU, 1, without_units), { { "units", 50, LS_HARDWARE_CORES } } },
    { "tensor",
      DEVICE (GPU, 1, without_units),
      { { "units", 60, LS_HARDWARE_MATRIX_CORES },
        { "cores", 4, LS_HARDWARE_MATRIX_CORES },
        { "lanes", 107, LS_HARDWARE_CORES } } },
    { "cpu",
      DEVICE (CPU, 1, processor),
      { { "cores", 16, LS_HARDWARE_CORES },
        { "rate", 100, LS_HARDWARE_COMPUTE },
        { "memory", 80, LS_HARDWARE_BANDWIDTH } } },
    /* at the clock that is kept */
    { "cpu",
      DEVICE (CPU, 1, untold),
      { { "cores", 16, LS_HARDWARE_CORES }, { "rate", 64, LS_HARDWARE_CLOCK } } },
    { "systolic",
      DEVICE (TPU, 1, tpu),
      { { "arrays", 4, LS_HARDWARE_COMPUTE },
        { "clock", 1, LS_HARDWARE_COMPUTE },
        { "memory", 1200, LS_HARDWARE_BANDWIDTH } } },
    { "int8",
      DEVICE (NPU, 1, npu),
      { { "arrays", 16, LS_HARDWARE_CORES },
        { "clock", 1.5, LS_HARDWARE_COMPUTE },
        { "memory", 60, LS_HARDWARE_BANDWIDTH } } },
    { "int8", DEVICE (NPU, 1, npu_untold), { { "clock", 3, LS_HARDWARE_COMPUTE } } },
    { "spiking",
      DEVICE (SPIKING, 1, spiking),
      { { "cores", 64, LS_HARDWARE_CORES },
        { "neurons", 512, LS_HARDWARE_NEURONS },
        { "event", 12, LS_HARDWARE_EVENT } } },
    { "fpga", DEVICE (FPGA, 1, fpga), { { "memory", 77, LS_HARDWARE_BANDWIDTH } } },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      const LsMachine *machine = ls_machine_find (cases[i].machine);
      LsAssumed assumed;

      ls_machine_assume (machine, &assumed);
      g_assert_true (ls_machine_fill (machine, &cases[i].device, &assumed));
      for (guint a = 0; a < machine->n_assumptions; a++)
        {
          const char *name = machine->assumptions[a].name;
          double value = machine->assumptions[a].value;
          gint of = -1;

          for (guint v = 0; v < G_N_ELEMENTS (cases[i].values); v++)
            if (g_strcmp0 (cases[i].values[v].name, name) == 0)
              {
                value = cases[i].values[v].value;
                of = (gint) cases[i].values[v].of;
              }
          if (fabs (assumed.value[a] - value) > 1e-9 * value)
            g_test_fail_printf ("%s like “%s”: %s is %g, not %g", cases[i].machine, cases[i].device.name,
                                name, assumed.value[a], value);
          if ((of >= 0) != (assumed.from[a] == LS_ASSUMED_PUBLISHED)
              || (of >= 0 && (assumed.of[a] == NULL || (gint) assumed.of[a]->kind != of)))
            g_test_fail_printf ("%s like “%s”: %s should be of the published %s", cases[i].machine,
                                cases[i].device.name, name,
                                of >= 0 ? ls_hardware_kind_name ((LsHardwareKind) of) : "nothing");
        }
    }
}

static LsFigure
measured (double value)
{
  return (LsFigure){ .value = value, .n = 7, .evidence = LS_EVIDENCE_MEASURED };
}

/* What workers pass to each other comes at the third cache's rate, three quarters of it from the other three
 * cores; a core has nobody to take it from, and a third cache that is faster than the second doesn't help. */
static void
test_passed (void)
{
  static const char *const cases[] = { "cores=4,l3-rate=1", "cores=1,l3-rate=1",
                                       "cores=4,l3-rate=10000,l2-rate=1000" };
  const double shares[] = { .75, 0, 0 }, sizes[] = { 1e12, 1e12 };
  g_autoptr (LsPlan) plan = plan_of (NETWORK, 64);
  g_autofree double *passed = g_new0 (double, plan->n_ops);

  g_free (ls_machine_reuse (plan, sizes, 2, 1, passed));
  for (gsize c = 0; c < G_N_ELEMENTS (cases); c++)
    {
      g_autofree char *text = g_strconcat (
        "rate=10000,share=1,l2=256,l2-rate=10000,memory=20000,start=0,sharing=0,", cases[c], NULL);
      LsAssumed assumed;
      double all = 0;

      assume ("cpu", text, &assumed);
      g_autoptr (LsMachineRun) run = ls_machine_run (&ls_machine_cpu, plan, &assumed);
      for (guint i = 0; i < run->ops->len; i++)
        all += passed[g_array_index (run->ops, LsMachineOp, i).op] * shares[c] / 4e9;
      /* computing, and reading at the second cache's rate, take next to nothing */
      if (fabs (run->seconds - all) > 2e-5)
        g_error ("%s: a step takes %g s, not the %g s of what cores pass to each other", cases[c],
                 run->seconds, all);
    }
}

/* A device's own roofs: of a processor's lane those of all threads, of a graphics card all units'. */
static void
test_measured (void)
{
  static const struct {
    const char *machine, *name;
    double value;
  } known[] = {
    { "simt", "units", 20 },     { "simt", "clock", 1 },  { "simt", "local", 64 },  { "simt", "memory", 300 },
    { "simt", "l2-rate", 1200 }, { "simt", "launch", 5 }, { "simt", "lanes", 128 }, { "cpu", "cores", 4 },
    { "cpu", "lanes", 8 },       { "cpu", "rate", 100 },  { "cpu", "share", .75 },  { "cpu", "l2", 2 },
    { "cpu", "l2-rate", 90 },    { "cpu", "l3", 24 },     { "cpu", "l3-rate", 40 }, { "cpu", "memory", 35 },
    { "cpu", "sharing", 2.5 },
  };
  LsDeviceInfo gpu = { .kind = LS_DEVICE_GPU, .units = 20, .local_mem = 65536 },
               cpu = { .who = LS_BACKEND_CPU, .kind = LS_DEVICE_CPU, .threads = 4 };
  const LsDeviceInfo nothing = { .kind = LS_DEVICE_GPU, .units = 20, .local_mem = 65536 };
  LsAssumed simt, own;

  gpu.who = (LsBackendKind) (LS_BACKEND_CPU + 1);
  gpu.roofs[LS_ROOF_FLOPS] = measured (2 * 20 * 128 * 1e9);
  gpu.roofs[LS_ROOF_MEMORY] = measured (300e9);
  gpu.roofs[LS_ROOF_LAUNCH] = measured (2e5);
  cpu.numbers[LS_DEVICE_LOOP_FLOATS] = 8;
  cpu.numbers[LS_DEVICE_L2] = 2 * 1048576;
  cpu.numbers[LS_DEVICE_L3] = 24 * 1048576;
  cpu.roofs[LS_ROOF_FLOPS] = measured (400e9);
  cpu.roofs[LS_ROOF_GEMM] = measured (300e9);
  cpu.roofs[LS_ROOF_L2] = measured (360e9);
  cpu.roofs[LS_ROOF_L3] = measured (160e9);
  cpu.roofs[LS_ROOF_MEMORY] = measured (35e9);
  ls_machine_assume (&ls_machine_simt, &simt);
  ls_machine_assume (&ls_machine_cpu, &own);
  g_assert_false (ls_machine_measured (&ls_machine_simt, &cpu, 1, &simt));
  g_assert_false (ls_machine_measured (&ls_machine_simt, &nothing, 1, &simt));
  g_assert_false (ls_machine_measured (&ls_machine_cpu, &gpu, 1, &own));
  g_assert_false (ls_machine_measured (&ls_machine_tensor, &gpu, 1, &simt));
  g_assert_true (ls_machine_measured (&ls_machine_simt, &gpu, 1, &simt));
  g_assert_true (ls_machine_measured (&ls_machine_cpu, &cpu, 1, &own));
  for (gsize i = 0; i < G_N_ELEMENTS (known); i++)
    {
      const double value = assumed_of (known[i].machine, *known[i].machine == 's' ? &simt : &own,
                                       known[i].name);

      if (fabs (value - known[i].value) > 1e-9 * known[i].value)
        g_test_fail_printf ("%s as measured: %s is %g, not %g", known[i].machine, known[i].name, value,
                            known[i].value);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/machines/limits/alone", test_alone);
  g_test_add_func ("/machines/limits/tensor-product", test_tensor_product);
  g_test_add_func ("/machines/limits/published", test_published);
  g_test_add_func ("/machines/limits/measured", test_measured);
  g_test_add_func ("/machines/limits/passed", test_passed);
  return g_test_run ();
}
