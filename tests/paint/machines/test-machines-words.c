/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What Machines says below and in a model's bar, word for word, of runs and results that nobody made.
 */
#include "config.h"

#include <math.h>

#include "tests/paint/machines/machines_rig.h"
#include "tests/plain.h"

/* A model in a view of its own, which has a lane and what was converted. */
typedef struct {
  LsViewData data;
  LsLayout layout;
  LsMachines machines;
  LsPlan plan;
  LsMachineRun run;
  LsConverted result;
  LsMachinesRow *row;
} Rig;

static void
add_op (Rig *rig, LsHeldBy held_by, double seconds)
{
  const LsMachineOp op = { .held_by = held_by, .seconds = seconds };

  g_array_append_val (rig->run.ops, op);
}

/* A step of 10 ms where the axis is 20 ms long, half of it held up by memory. */
static void
rig_init (Rig *rig, const char *machine)
{
  *rig = (Rig){ .plan = { .batch = 64 },
                .run = { .machine = ls_machine_find (machine),
                         .ops = g_array_new (FALSE, FALSE, sizeof (LsMachineOp)),
                         .seconds = .01,
                         .interval = .01,
                         .energy = (double) NAN,
                         .samples = 64,
                         .weights = (double) NAN } };
  rig->layout.data = &rig->data;
  rig->machines = (LsMachines){ .layout = &rig->layout, .plan = &rig->plan, .end = .02 };
  rig->row = &rig->machines.rows[0];
  *rig->row = (LsMachinesRow){
    .machine = rig->run.machine, .run = &rig->run, .side = 0, .error = (double) NAN, .moves = -1
  };
  ls_machine_assume (rig->run.machine, &rig->row->assumed);
  add_op (rig, LS_HELD_BY_START, .002);
  add_op (rig, LS_HELD_BY_MEMORY, .003);
  add_op (rig, LS_HELD_BY_COMPUTE, .003);
  add_op (rig, LS_HELD_BY_MEMORY, .002);
}

static void
rig_clear (Rig *rig)
{
  g_array_unref (rig->run.ops);
}

/* The i-th sentence. */
static void
assert_sentence (const Rig *rig, guint i, const char *wanted)
{
  g_auto (GStrv) all = ls_machines_sentences (&rig->machines, 0);

  g_assert_cmpuint (g_strv_length (all), >, i);
  assert_said (g_strdup (all[i]), wanted);
}

/* ---- numbers ---- */

static void
test_numbers (void)
{
  static const struct {
    double error;
    const char *words;
  } errors[] = {
    { -.06, "−6 %" },  { .06, "+6 %" },  { 0, "±0 %" },   { .004, "±0 %" },
    { -.004, "±0 %" }, { .006, "+1 %" }, { 1, "+100 %" }, { -.5, "−50 %" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (errors); i++)
    {
      g_autofree char *words = ls_machines_error (errors[i].error);
      g_assert_cmpstr (words, ==, errors[i].words);
    }
  g_autofree char *s = ls_machines_time (2), *ms = ls_machines_time (.0123), *us = ls_machines_time (45.6e-6),
                  *ns = ls_machines_time (789e-9);
  g_assert_cmpstr (s, ==, "2.00\302\240s");
  g_assert_cmpstr (ms, ==, "12.3\302\240ms");
  g_assert_cmpstr (us, ==, "45.6\302\240µs");
  g_assert_cmpstr (ns, ==, "789\302\240ns");
}

/* What holds up most of all its time, and not the longest op alone. */
static void
test_held_by (void)
{
  Rig rig;

  rig_init (&rig, "cpu");
  g_assert_cmpint (ls_machines_held_by (&rig.run), ==, LS_HELD_BY_MEMORY);
  for (LsHeldBy by = 0; by < LS_HELD_BY_N; by++)
    {
      add_op (&rig, by, .1 * (by + 1));
      g_assert_cmpint (ls_machines_held_by (&rig.run), ==, by);
    }
  rig_clear (&rig);
}

/* ---- sentences ---- */

/* What it is held against comes first, then what holds it up and what the model leaves out. */
static void
test_checked (void)
{
  static const char limit[] = "caches hold whole tensors, and cores wait for no one but the memory",
                    held[] = "bytes from memory hold it up";
  g_autofree char *first = g_strdup_printf ("%s; %s", held, limit),
                  *all = g_strdup_printf ("checks the model: −6 %% to the measured lane’s median; %s", first);
  Rig rig;

  rig_init (&rig, "cpu");
  assert_sentence (&rig, 0, first); /* nothing to be held against */
  assert_sentence (&rig, 1, held);
  rig.row->error = -.06;
  rig.data.sides[0].rate = (LsFigure){ .value = 100, .q1 = 86, .q3 = 115, .n = 60 }; /* 29 % of it */
  assert_sentence (&rig, 0, all);
  assert_sentence (&rig, 1,
                   "checks the model: −6 % to the measured lane’s median; bytes from memory hold it up");
  assert_sentence (&rig, 2, "checks the model: −6 % to the measured lane’s median");
  assert_sentence (&rig, 3, "−6 % to the lane’s median");
  rig.data.sides[0].rate.q3 = 117; /* 31 % */
  assert_sentence (&rig, 2, "−6 % to the measured lane’s median, which other work disturbs: ±16 %");
  rig.row->side = 1; /* the other lane's is calm */
  assert_sentence (&rig, 2, "checks the model: −6 % to the measured lane’s median");
  rig.row->run = NULL;
  assert_sentence (&rig, 0, "can’t do such a step");
  rig_clear (&rig);
}

/* A time that isn't one of the batch's step says of what it is. */
static void
test_what (void)
{
  Rig rig;

  rig_init (&rig, "systolic");
  assert_sentence (&rig, 1, "bytes from memory hold it up");
  rig.run.interval = .004;
  assert_sentence (
    &rig, 0,
    "steps overlap: first result after 10.0 ms, then one every 4.00 ms; bytes from memory hold "
    "it up");
  rig.run.samples = 1;
  assert_sentence (&rig, 1, "cannot train; one sample in 10.0 ms");
  rig.run.energy = 2.5e-6;
  assert_sentence (&rig, 1, "cannot train; one sample in 10.0 ms, with 2.50 µJ");
  rig.run.seconds = .03; /* its bar says how long */
  assert_sentence (&rig, 1, "cannot train; 2.50 µJ a sample");
  rig.plan.batch = 1; /* then a sample is a step */
  rig.run.seconds = rig.run.interval = .01;
  assert_sentence (&rig, 1, "bytes from memory hold it up");
  rig_clear (&rig);

  rig_init (&rig, "int8");
  assert_sentence (&rig, 1, "cannot train: forward only");
  rig_clear (&rig);
}

/* What was counted of spikes, where that many time steps are assumed, is told instead of the model's. */
static void
test_spikes (void)
{
  const LsMachine *machine = ls_machine_find ("spiking");
  const guint steps = (guint) ls_machine_find_assumption (machine, "steps"),
              active = (guint) ls_machine_find_assumption (machine, "active"),
              event = (guint) ls_machine_find_assumption (machine, "event");
  Rig rig;

  rig_init (&rig, "spiking");
  rig.run.samples = 1;
  rig.run.energy = 9e-6;
  rig.result = (LsConverted){ .kind = LS_CONVERTED_SPIKING,
                              .accuracy = { .value = 97.31, .n = 1000 },
                              .n_points = 3,
                              .points = { { .at = 1, .accuracy = { .value = 20 } },
                                          { .at = 32, .accuracy = { .value = 95.04 } },
                                          { .at = 64,
                                            .accuracy = { .value = 96.5 },
                                            .spikes = { .value = 1234, .n = 1000 },
                                            .events = { .value = 50000, .n = 1000 } } } };
  rig.data.converted[LS_CONVERTED_SPIKING] = &rig.result;
  rig.row->assumed.value[event] = 20; /* pJ: 50 000 of them are 1 µJ */
  rig.row->assumed.value[steps] = 64;
  assert_sentence (&rig, 2, "cannot train; one sample in 10.0 ms, with 9.00 µJ"); /* another share of spikes
                                                                                   */
  rig.row->assumed.from[active] = LS_ASSUMED_MEASURED;
  assert_sentence (&rig, 2, "cannot train; one sample in 10.0 ms, with 1 234 spikes and 1.00 µJ");
  assert_sentence (&rig, 0,
                   "cannot train; one sample in 10.0 ms, with 1 234 spikes and 1.00 µJ; measured: after 64 "
                   "time steps 96.5 % right, as floats 97.3 %");
  rig.run.seconds = .05;
  assert_sentence (&rig, 2, "cannot train; 1 234 spikes and 1.00 µJ a sample");

  /* so many as are assumed, or the most up to those */
  static const struct {
    double steps;
    const char *right;
  } rows[] = { { 1, "measured: after 1 time step 20.0 % right, as floats 97.3 %" },
               { 31, "measured: after 1 time step 20.0 % right, as floats 97.3 %" },
               { 32, "measured: after 32 time steps 95.0 % right, as floats 97.3 %" },
               { 1e4, "measured: after 64 time steps 96.5 % right, as floats 97.3 %" },
               { .5, NULL } };
  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      rig.row->assumed.value[steps] = rows[i].steps;
      g_autofree char *right = ls_machines_right (&rig.machines, 0);
      g_assert_cmpstr (right, ==, rows[i].right);
    }
  rig_clear (&rig);
}

/* Of whole numbers those bits alone were tried that there is a point of. */
static void
test_bits (void)
{
  static const struct {
    double bits;
    const char *right;
  } rows[] = { { 8, "measured: with 8 bits 96.0 % right, as floats 97.3 %" },
               { 3, "measured: with 3 bits 40.0 % right, as floats 97.3 %" },
               { 7, NULL },
               { 16, NULL } };
  Rig rig;

  rig_init (&rig, "int8");
  rig.result = (LsConverted){ .kind = LS_CONVERTED_INT8,
                              .accuracy = { .value = 97.31, .n = 1000 },
                              .n_points = 2,
                              .points = { { .at = 8, .accuracy = { .value = 96 } },
                                          { .at = 3, .accuracy = { .value = 40 } } } };
  rig.data.converted[LS_CONVERTED_SPIKING] = &rig.result;
  g_assert_null (ls_machines_result (&rig.machines, 0)); /* the other machine's */
  rig.data.converted[LS_CONVERTED_INT8] = &rig.result;
  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      rig.row->assumed.value[ls_machine_find_assumption (rig.row->machine, "bits")] = rows[i].bits;
      g_autofree char *right = ls_machines_right (&rig.machines, 0);
      g_assert_cmpstr (right, ==, rows[i].right);
    }
  g_assert_cmpint (ls_machines_kind (ls_machine_find ("cpu")), ==, LS_CONVERTED_N);
  rig_clear (&rig);
}

/* ---- a bar that leaves the axis, and room on the chip ---- */

static void
test_beyond (void)
{
  Rig rig;

  rig_init (&rig, "fpga");
  rig.run.seconds = 3.14; /* of an axis of 20 ms */
  g_autofree char *step = ls_machines_beyond (&rig.machines, 0);
  g_assert_cmpstr (step, ==, "3.14\302\240s, 160 times this axis");
  rig.run.samples = 1;
  rig.run.seconds = .05;
  g_autofree char *sample = ls_machines_beyond (&rig.machines, 0);
  g_assert_cmpstr (sample, ==, "50.0\302\240ms for one sample, 2.5 times this axis");
  rig.plan.batch = 1; /* then a sample is a step */
  g_autofree char *one = ls_machines_beyond (&rig.machines, 0);
  g_assert_cmpstr (one, ==, "50.0\302\240ms, 2.5 times this axis");
  rig_clear (&rig);
}

static void
test_weights (void)
{
  Rig rig;

  rig_init (&rig, "fpga");
  g_auto (GStrv) none = ls_machines_weights (rig.row);
  g_assert_null (none[0]); /* where they lie is of no account */
  rig.run.weights = 1.5 * 1048576;
  rig.run.chip = 4 * 1048576;
  g_auto (GStrv) room = ls_machines_weights (rig.row);
  g_assert_cmpstr (room[0], ==, "all weights, 1.50 MiB, have room on the chip: 4.00 MiB");
  g_assert_cmpstr (room[1], ==, "weights on the chip: 1.50 of 4.00 MiB");
  rig.run.chip = rig.run.weights;
  g_auto (GStrv) just = ls_machines_weights (rig.row);
  g_assert_true (g_str_has_prefix (just[0], "all weights"));
  rig.run.chip = 1048576;
  g_auto (GStrv) memory = ls_machines_weights (rig.row);
  g_assert_cmpstr (memory[0], ==,
                   "weights, 1.50 MiB, have no room on the chip, 1.00 MiB: they come from memory");
  g_assert_cmpstr (memory[1], ==, "weights in memory: 1.50 MiB, chip 1.00 MiB");
  rig_clear (&rig);
}

/* What was trained for that had one step, or more. */
static void
test_trained (void)
{
  static const char *const ends[] = { "for 0 steps", "for 1 step", "for 2 steps", "for 321 steps" };
  static const guint64 trained[] = { 0, 1, 2, 321 };

  for (guint spikes = 0; spikes < 2; spikes++)
    for (guint i = 0; i < G_N_ELEMENTS (trained); i++)
      {
        g_autoptr (LsConverted) int8 = ls_converted_new (LS_CONVERTED_INT8),
                                spiking = ls_converted_new (LS_CONVERTED_SPIKING);
        const LsViewBeside beside = { .converted = { int8, spiking } };
        LsConverted *result = spikes ? spiking : int8;
        g_autofree char *end = g_strdup_printf ("apart from the lanes, %s", ends[i]), *all = NULL,
                        *more = g_strdup_printf ("%ss", end);
        Picture p;

        result->accuracy = ls_converted_figure (97.3, 500, "%", LS_EVIDENCE_MEASURED);
        result->n_points = 1;
        result->points[0] = (LsConvertedPoint){ 8,
                                                ls_converted_figure (87.1, 500, "%", LS_EVIDENCE_MEASURED) };
        result->n_samples = 500;
        result->trained = trained[i];
        open_machines (&p, TRUE, &beside, 1920, 1080);
        machines_asked (&p)->open = (gint) row_of (spikes ? "spiking" : "int8");
        draw (&p);
        all = all_texts (p.layout->still, " ");
        if (strstr (all, end) == NULL || strstr (all, more) != NULL)
          g_error ("of %s it isn't said “%s”, but: %s", spikes ? "spikes" : "bits", end, all);
        close_picture (&p);
      }
}

/* Before anything is converted it is said what converting makes of the network: whole numbers, or spikes. */
static void
test_teach (void)
{
  static const struct {
    const char *machine, *says[2];
  } rows[] = {
    { "int8",
      { "rounds its weights and all between its layers to whole numbers", "Not tried for this network" } },
    { "spiking", { "sends a spike at 1", "makes of every relu a layer of neurons" } },
  };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      Picture p;

      open_machines (&p, TRUE, NULL, 1920, 1080);
      machines_asked (&p)->open = (gint) row_of (rows[i].machine);
      draw (&p);
      g_autofree char *all = all_texts (p.layout->still, " ");
      for (guint k = 0; k < 2; k++)
        if (strstr (all, rows[i].says[k]) == NULL || strstr (all, rows[1 - i].says[0]) != NULL)
          g_error ("%s: it isn't said “%s”, but: %s", rows[i].machine, rows[i].says[k], all);
      close_picture (&p);
    }
}

/* A lane that stopped keeps a step of its own, also of another network: its pieces are named as that one's
 * ops, and what is none of them is a copy. */
static void
test_stopped (void)
{
  static const LsFixture other = { LS_DESK, .model = "flatten, dense 30, relu, dense 10", .batch = 64,
                                   .steps = 9 };
  guint named = 0, copies = 0;

  for (guint side = 0; side < LS_SIDES; side++)
    {
      g_autoptr (LsRecording) held = ls_fixture_recording (&other);
      Picture p;

      for (guint i = 0; i < held->n_ops; i++)
        {
          g_free (held->ops[i].symbol);
          held->ops[i].symbol = g_strdup_printf ("held%u", i);
        }
      open_machines (&p, TRUE, NULL, 3840, 1080);
      p.data->sides[side].held = ls_recording_ref (held);
      draw (&p);
      for (guint k = 0; k < LS_SIDES; k++)
        for (guint i = 0; i < machines_of (&p)->pieces[k]->len; i++)
          {
            const LsMachinesPiece *piece = &g_array_index (machines_of (&p)->pieces[k], LsMachinesPiece, i);
            const GArray *spans = p.data->sides[k].index->spans;
            const LsSpan *span = NULL;

            for (guint j = 0; j < spans->len; j++)
              if (fabs ((double) g_array_index (spans, LsSpan, j).start_ns * 1e-9 - piece->start) < 1e-12)
                span = &g_array_index (spans, LsSpan, j);
            g_assert_nonnull (span);
            if (piece->name == NULL)
              continue;
            const LsRecording *of = k == side ? held : p.data->recording;
            const char *name = span->kind == LS_EVENT_OP && span->op < of->n_ops ? of->ops[span->op].symbol
                                                                                 : "copy";
            if (strcmp (piece->name, name) != 0)
              g_error ("lane %u is the stopped one, and a piece of lane %u is called %s, not %s", side, k,
                       piece->name, name);
            named += k == side && span->kind == LS_EVENT_OP && span->op < of->n_ops;
            copies += k == side && span->kind == LS_EVENT_OP && span->op >= of->n_ops;
          }
      close_picture (&p);
    }
  g_assert_cmpuint (MIN (named, copies), >, 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/machines-words/numbers", test_numbers);
  g_test_add_func ("/machines-words/held-by", test_held_by);
  g_test_add_func ("/machines-words/checked", test_checked);
  g_test_add_func ("/machines-words/what", test_what);
  g_test_add_func ("/machines-words/spikes", test_spikes);
  g_test_add_func ("/machines-words/bits", test_bits);
  g_test_add_func ("/machines-words/beyond", test_beyond);
  g_test_add_func ("/machines-words/weights", test_weights);
  g_test_add_func ("/machines-words/trained", test_trained);
  g_test_add_func ("/machines-words/teach", test_teach);
  g_test_add_func ("/machines-words/stopped", test_stopped);
  return g_test_run ();
}
