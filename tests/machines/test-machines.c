/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The models of machines: what they assume, and what they refuse.
 */
#include "config.h"

#include <math.h>
#include <string.h>

#include "core/error.h"
#include "machines/held.h"
#include "machines/reuse.h"
#include "machines/work.h"
#include "tests/machines/plan-rig.h"

static const char *const presets[] = { "mlp", "cnn", "lstm", "flatten, dense 10" };

/* ---- the table ---- */

static void
test_table (void)
{
  guint n;
  const LsMachine *const *machines = ls_machines (&n);

  g_assert_cmpuint (n, ==, 7);
  for (guint i = 0; i < n; i++)
    {
      const LsMachine *machine = machines[i];
      LsAssumed assumed;

      g_assert_true (ls_machine_find (machine->name) == machine);
      g_assert_cmpuint (machine->n_assumptions, <=, LS_MACHINE_MAX_ASSUMPTIONS);
      ls_machine_assume (machine, &assumed);
      g_assert_true (ls_machine_check (machine, &assumed, NULL));
      for (guint s = 0; s < G_N_ELEMENTS (machine->shown); s++)
        g_assert_cmpuint (machine->shown[s], <, machine->n_assumptions);
      for (guint a = 0; a < machine->n_assumptions; a++)
        {
          const LsAssumption *row = &machine->assumptions[a];
          g_assert_cmpint (ls_machine_find_assumption (machine, row->name), ==, (gint) a);
          g_assert_cmpfloat (row->min, <, row->max);
          if (row->source == NULL || strlen (row->source) < 5)
            g_error ("%s: “%s” doesn't say where its default was read", machine->name, row->name);
        }
    }
  g_assert_null (ls_machine_find ("abacus"));
}

/* Every model of every preset: ops follow each other, and their seconds are the step's. */
static void
test_runs (void)
{
  static const guint batches[] = { 1, 16, 127, 512 };
  guint n;
  const LsMachine *const *machines = ls_machines (&n);

  for (guint i = 0; i < n; i++)
    for (gsize p = 0; p < G_N_ELEMENTS (presets); p++)
      for (gsize b = 0; b < G_N_ELEMENTS (batches); b++)
        {
          g_autoptr (LsPlan) plan = plan_of (presets[p], batches[b]);
          LsAssumed assumed;
          g_autoptr (LsMachineRun) run = NULL;
          double end = 0, longest = 0;

          ls_machine_assume (machines[i], &assumed);
          run = ls_machine_run (machines[i], plan, &assumed);
          g_assert_cmpuint (run->ops->len, >, 0);
          for (guint o = 0; o < run->ops->len; o++)
            {
              const LsMachineOp *op = &g_array_index (run->ops, LsMachineOp, o);
              g_assert_cmpfloat_with_epsilon (op->start, end, 1e-12);
              if (!(op->seconds > 0) || !isfinite (op->seconds))
                g_error ("%s: %s of %s takes %g s", machines[i]->name, plan->ops[op->op].symbol, presets[p],
                         op->seconds);
              if (!isnan (op->used) && !(op->used >= 0 && op->used <= 1.0001))
                g_error ("%s: %s of %s uses %g of the peak", machines[i]->name, plan->ops[op->op].symbol,
                         presets[p], op->used);
              end += op->seconds;
              longest = MAX (longest, op->seconds);
            }
          g_assert_cmpfloat_with_epsilon (run->seconds, end, 1e-12);
          g_assert_cmpfloat_with_epsilon (run->interval, machines[i]->pipeline ? longest : end, 1e-12);
          g_assert_cmpuint (run->samples, ==, machines[i] == &ls_machine_spiking ? 1 : plan->batch);
        }
}

/* More of what is good never takes longer, and more of what costs time never less. */
static void
test_directions (void)
{
  static const char *const costs[] = { "start", "launch",  "wait",  "tick", "steps",
                                       "bits",  "per-mac", "depth", NULL },
                           *const goods[] = { "memory", "l2-rate", "l3-rate", "clock",  "rate",      "share",
                                              "cores",  "dsp",     "rescale", "vector", "coalesced", NULL };
  guint n;
  const LsMachine *const *machines = ls_machines (&n);

  for (guint i = 0; i < n; i++)
    for (guint a = 0; a < machines[i]->n_assumptions; a++)
      for (gsize p = 0; p < 2; p++)
        {
          const LsAssumption *row = &machines[i]->assumptions[a];
          const gboolean costly = g_strv_contains (costs, row->name),
                         good = g_strv_contains (goods, row->name);
          g_autoptr (LsPlan) plan = plan_of (presets[p], 64);
          LsAssumed assumed;
          g_autoptr (LsMachineRun) before = NULL, after = NULL;

          if (!costly && !good)
            continue;
          ls_machine_assume (machines[i], &assumed);
          before = ls_machine_run (machines[i], plan, &assumed);
          assumed.value[a] = MIN (assumed.value[a] * 2, row->max);
          after = ls_machine_run (machines[i], plan, &assumed);
          if (costly ? after->seconds < before->seconds : after->seconds > before->seconds * 1.0001)
            g_error ("%s, %s: twice of “%s” takes %g s in place of %g s", machines[i]->name, presets[p],
                     row->name, after->seconds, before->seconds);
        }
}

/* ---- what is refused ---- */

static void
test_refused (void)
{
  static const struct {
    const char *machine, *text, *words;
  } wrong[] = {
    { "simt", "units=0", "“units” can’t be 0; it is a whole number from 1 to 1024" },
    { "simt", "units=-3", "“units” can’t be -3" },
    { "simt", "units=2.5", "“units” can’t be 2.5" },
    { "simt", "units=2.0000001", "“units” can’t be 2.0000001; it is a whole number" },
    { "cpu", "memory=20000.01", "“memory” can’t be 20000.01; it is a number from 0.1 to 20000 GB/s" },
    { "cpu", "memory=0.1e-1", "“memory” can’t be 0.01;" },
    { "cpu", "memory=-50", "“memory” can’t be -50; it is a number from 0.1 to 20000 GB/s" },
    { "cpu", "cores=1e9", "“cores” can’t be 1000000000; it is a whole number from 1 to 4096" },
    { "cpu", "memory=nan", "“memory” can’t be nan" },
    { "cpu", "memory=inf", "“memory” can’t be inf" },
    { "cpu", "memory=", "“memory” needs a number, as in “memory=50”" },
    { "cpu", "memory", "“memory” needs a number" },
    { "cpu", "memory=5x", "“memory” needs a number" },
    { "cpu", "colour=3", "has no assumption “colour”; it has cores, lanes" },
    { "cpu", "cores=4,,", "has no assumption “”" },
    { "spiking", "steps=0", "“steps” can’t be 0" },
  };
  LsAssumed assumed;

  for (gsize i = 0; i < G_N_ELEMENTS (wrong); i++)
    {
      const LsMachine *machine = ls_machine_find (wrong[i].machine);
      g_autoptr (GError) error = NULL;

      ls_machine_assume (machine, &assumed);
      g_assert_false (ls_machine_say (machine, wrong[i].text, &assumed, &error));
      g_assert_error (error, LS_ERROR, LS_ERROR_USAGE);
      if (strstr (error->message, wrong[i].words) == NULL)
        g_error ("“%s” is refused by “%s”, which doesn't say “%s”", wrong[i].text, error->message,
                 wrong[i].words);
    }
  ls_machine_assume (&ls_machine_cpu, &assumed);
  g_assert_true (ls_machine_say (&ls_machine_cpu, " cores = 4 , memory=25.5", &assumed, NULL));
  g_assert_cmpfloat (assumed.value[0], ==, 4);
  g_assert_cmpint (assumed.from[0], ==, LS_ASSUMED_OWN);
  g_assert_true (ls_machine_say (&ls_machine_cpu, "", &assumed, NULL));
  assumed.value[2] = 0;
  g_assert_false (ls_machine_check (&ls_machine_cpu, &assumed, NULL));
}

/* What was measured of the device takes the place of what is assumed; what wasn't leaves it. */
static void
test_measured (void)
{
  LsDeviceInfo device = { .who = LS_BACKEND_CPU, .threads = 4 };
  LsAssumed assumed;

  ls_machine_assume (&ls_machine_cpu, &assumed);
  g_assert_false (ls_machine_measured (&ls_machine_cpu, &device, 1, &assumed));
  device.roofs[LS_ROOF_FLOPS] = (LsFigure){ .value = 400e9, .n = 25 };
  g_assert_true (ls_machine_measured (&ls_machine_cpu, &device, 3, &assumed));
  for (guint i = 0; i < ls_machine_cpu.n_assumptions; i++)
    {
      const LsAssumption *row = &ls_machine_cpu.assumptions[i];
      const gboolean taken = g_str_equal (row->name, "cores") || g_str_equal (row->name, "rate")
                             || g_str_equal (row->name, "turns");

      g_assert_cmpint (assumed.from[i], ==, taken ? LS_ASSUMED_MEASURED : LS_ASSUMED_DEFAULT);
      if (g_str_equal (row->name, "rate"))
        g_assert_cmpfloat (assumed.value[i], ==, 100);
      if (g_str_equal (row->name, "turns"))
        g_assert_cmpfloat (assumed.value[i], ==, 3);
    }
  device.roofs[LS_ROOF_GEMM] = (LsFigure){ .value = 300e9, .n = 25 };
  g_assert_true (ls_machine_measured (&ls_machine_cpu, &device, 1, &assumed));
  for (guint i = 0; i < ls_machine_cpu.n_assumptions; i++)
    if (g_str_equal (ls_machine_cpu.assumptions[i].name, "share"))
      {
        g_assert_cmpfloat (assumed.value[i], ==, .75);
        g_assert_cmpint (assumed.from[i], ==, LS_ASSUMED_MEASURED);
      }
}

/* ---- which assumption counts ---- */

static void
test_moves_most (void)
{
  g_autoptr (LsPlan) plan = plan_of ("mlp", 1);
  LsAssumed assumed;
  g_autoptr (LsMachineRun) run = NULL;
  double seconds;
  gint which;

  ls_machine_assume (&ls_machine_simt, &assumed);
  g_assert_true (ls_machine_say (&ls_machine_simt, "launch=1000", &assumed, NULL));
  run = ls_machine_run (&ls_machine_simt, plan, &assumed);
  which = ls_machine_moves_most (&ls_machine_simt, plan, &assumed, &seconds);
  g_assert_cmpstr (ls_machine_simt.assumptions[which].name, ==, "launch");
  g_assert_cmpfloat_with_epsilon (seconds, 1e-3 * run->ops->len, 1e-9);
  /* at the end of its range it can’t be doubled, but halved */
  g_assert_true (ls_machine_say (&ls_machine_simt, "launch=100000", &assumed, NULL));
  which = ls_machine_moves_most (&ls_machine_simt, plan, &assumed, &seconds);
  g_assert_cmpfloat_with_epsilon (seconds, .05 * run->ops->len, 1e-6);
}

/* Of every machine: it is the one whose half or double moves the step most, each kept in its range, whole
 * numbers rounded. */
static void
test_moves_each (void)
{
  static const double factors[] = { .5, 2 };
  g_autoptr (LsPlan) plan = plan_of ("flatten, dense 30, relu, dense 10", 48);
  guint n;
  const LsMachine *const *machines = ls_machines (&n);

  for (guint m = 0; m < n; m++)
    for (double value = 1; value <= 9; value += 2)
      {
        const LsMachine *machine = machines[m];
        LsAssumed assumed;
        double most = 0, seconds = -1;
        gint which = -1;

        ls_machine_assume (machine, &assumed);
        for (guint i = 0; i < machine->n_assumptions; i++)
          if (machine->assumptions[i].whole) /* halves lie between two */
            assumed.value[i] = CLAMP (value, machine->assumptions[i].min, machine->assumptions[i].max);
        g_autoptr (LsMachineRun) run = ls_machine_run (machine, plan, &assumed);
        for (guint i = 0; i < machine->n_assumptions; i++)
          for (gsize f = 0; f < G_N_ELEMENTS (factors); f++)
            {
              const LsAssumption *row = &machine->assumptions[i];
              LsAssumed other = assumed;

              other.value[i] = CLAMP (assumed.value[i] * factors[f], row->min, row->max);
              if (row->whole)
                other.value[i] = round (other.value[i]);
              g_autoptr (LsMachineRun) moved = ls_machine_run (machine, plan, &other);
              if (fabs (moved->seconds - run->seconds) > most)
                {
                  most = fabs (moved->seconds - run->seconds);
                  which = (gint) i;
                }
            }
        const gint found = ls_machine_moves_most (machine, plan, &assumed, &seconds);
        if (found != which || fabs (seconds - most) > 1e-12)
          g_error ("%s of %g: assumption %d moves it by %g s, and it says %d by %g s", machine->name, value,
                   which, most, found, seconds);
      }
}

/* A card has as many units whichever of the two models it is put on. */
static void
assert_same_units (const LsCatalogue *catalogue)
{
  const LsMachine *simt = ls_machine_find ("simt"), *tensor = ls_machine_find ("tensor");
  const gint of_simt = ls_machine_find_assumption (simt, "units"),
             of_tensor = ls_machine_find_assumption (tensor, "units");

  for (guint d = 0; d < catalogue->devices->len; d++)
    {
      const LsHardware *device = catalogue->devices->pdata[d];
      LsAssumed one, other;

      ls_machine_assume (simt, &one);
      ls_machine_assume (tensor, &other);
      if (ls_machine_fill (simt, device, &one) && ls_machine_fill (tensor, device, &other)
          && fabs (one.value[of_simt] - other.value[of_tensor]) > .5)
        g_error ("%s has %g units on the one model and %g on the other", device->name, one.value[of_simt],
                 other.value[of_tensor]);
    }
}

/* ---- devices ---- */

/* Whatever is taken from a device names that device's own figure, and so the page that it was read on. */
static void
assert_sourced (const LsMachine *machine, const LsHardware *device, const LsAssumed *assumed)
{
  for (guint a = 0; a < machine->n_assumptions; a++)
    if (assumed->from[a] == LS_ASSUMED_PUBLISHED)
      {
        const LsHardwareFigure *of = assumed->of[a];
        gboolean own = FALSE;

        for (guint f = 0; f < device->n_figures; f++)
          own |= &device->figures[f] == of;
        if (!own || !g_str_has_prefix (of->source->address, "https://"))
          g_error ("%s like %s: no page says where “%s” is from", machine->name, device->name,
                   machine->assumptions[a].name);
      }
    else
      g_assert_null (assumed->of[a]);
}

static void
test_fill (void)
{
  g_autoptr (LsCatalogue) catalogue = ls_catalogue_load (NULL, NULL);
  static const struct {
    const char *machine, *device, *assumption;
    double value;
  } known[] = {
    { "simt", "3060", "units", 28 },
    { "simt", "a100 40", "memory", 1555 },
    { "simt", "k80", "memory", 240 },
    { "tensor", "a100 40", "units", 108 },
    { "tensor", "a100 40", "rate", 256 },
    { "tensor", "v100", "rate", 64 },
    { "tensor", "v100", "units", 80 },
    { "tensor", "v100", "cores", 8 },
    { "simt", "v100", "units", 80 },
    { "simt", "v100", "lanes", 64 },
    { "simt", "t4", "units", 40 },
    { "simt", "h100", "lanes", 128 },
    { "systolic", "v3", "memory", 900 },
    { "spiking", "loihi", "cores", 128 },
    { "spiking", "truenorth", "neurons", 244 },
    { "spiking", "truenorth", "event", 26 },
    { "spiking", "loihi", "event", 23.6 },
    { "int8", "m1", "arrays", 16 },
    { "cpu", "9900k", "cores", 8 },
    { "cpu", "9900k", "rate", 115.2 },
  };

  g_assert_nonnull (catalogue);
  for (gsize i = 0; i < G_N_ELEMENTS (known); i++)
    {
      const LsMachine *machine = ls_machine_find (known[i].machine);
      const LsHardware *device = ls_catalogue_find (catalogue, known[i].device, NULL);
      const guint which = (guint) ls_machine_find_assumption (machine, known[i].assumption);
      LsAssumed assumed;

      g_assert_nonnull (device);
      ls_machine_assume (machine, &assumed);
      g_assert_true (ls_machine_fill (machine, device, &assumed));
      if (fabs (assumed.value[which] - known[i].value) > known[i].value * .01
          || assumed.from[which] != LS_ASSUMED_PUBLISHED)
        g_error ("%s like %s: “%s” is %g, not %g as published", machine->name, device->name,
                 known[i].assumption, assumed.value[which], known[i].value);
      g_assert_true (ls_machine_check (machine, &assumed, NULL));
      if (strcmp (known[i].device, "a100 40") == 0 && strcmp (machine->name, "simt") == 0)
        {
          /* told as it is; four times what is told */
          g_assert_false (ls_assumed_follows (&assumed, which));
          g_assert_true (
            ls_assumed_follows (&assumed, (guint) ls_machine_find_assumption (machine, "l2-rate")));
        }
    }
  assert_same_units (catalogue);
  for (guint d = 0; d < catalogue->devices->len; d++)
    {
      guint n;
      const LsMachine *const *machines = ls_machines (&n);

      for (guint i = 0; i < n; i++)
        {
          LsAssumed assumed;
          ls_machine_assume (machines[i], &assumed);
          ls_machine_fill (machines[i], catalogue->devices->pdata[d], &assumed);
          g_assert_true (ls_machine_check (machines[i], &assumed, NULL));
          assert_sourced (machines[i], catalogue->devices->pdata[d], &assumed);
        }
    }
  {
    LsAssumed assumed;
    ls_machine_assume (&ls_machine_cpu, &assumed);
    g_assert_false (ls_machine_fill (&ls_machine_cpu, ls_catalogue_find (catalogue, "v100", NULL), &assumed));
  }
}

static void
test_error (void)
{
  g_assert_cmpfloat_with_epsilon (ls_held_error (.94, 1), -.06, 1e-12);
  g_assert_cmpfloat_with_epsilon (ls_held_error (3, 2), .5, 1e-12);
  g_assert_true (isnan (ls_held_error (1, 0)));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/machines/table", test_table);
  g_test_add_func ("/machines/runs", test_runs);
  g_test_add_func ("/machines/directions", test_directions);
  g_test_add_func ("/machines/refused", test_refused);
  g_test_add_func ("/machines/moves-most", test_moves_most);
  g_test_add_func ("/machines/moves-each", test_moves_each);
  g_test_add_func ("/machines/fill", test_fill);
  g_test_add_func ("/machines/measured", test_measured);
  g_test_add_func ("/machines/error", test_error);
  return g_test_run ();
}
