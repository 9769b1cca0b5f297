/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * `lockstep plan --cost`: what is printed and written, held against each other and against plain sums.
 */
#include <locale.h>
#include <math.h>
#include <string.h>

#include "data/datadir.h"
#include "files/recording.h"
#include "machines/hardware.h"
#include "machines/held.h"
#include "written.h"

#define LARGE                                                                                                \
  "plan|--cost|--data|spiral|--model|flatten, dense 4096, relu, dense 4096, relu, dense 3|--batch|512"

/* Every sum follows from hours and prices that stand in the same file. */
static void
check_sums (guint runs, gboolean one)
{
  g_autofree char *line = g_strdup_printf (LARGE "|--rate|30|--runs|%u|--epochs|9000|--device|rtx 3090|--rent"
                                                 "|0.5|--price|1400|--electricity|0.3",
                                           runs);
  g_auto (Captured) said = { 0 };
  g_autoptr (json_t) root = written_as ("lockstep-plan-cost", line, &said);
  const json_t *row = json_array_get (json_object_get (root, "devices"), 0),
               *advice = json_object_get (root, "advice"), *prices = json_object_get (root, "prices");
  const json_t *hours = json_object_get (row, "month_h"), *power = json_object_get (prices, "power");
  double even[2];

  g_assert_cmpuint (json_array_size (json_object_get (root, "devices")), ==, 1);
  for (guint i = 0; i < 2; i++)
    {
      const double h = number_of (hours, i == 0 ? "q1" : "q3", 0), watt = number_of (power, "value", 0);
      const double rent = .5 * h, own = watt / 1000 * .3 * h, cards = ceil (h / 730);

      g_assert_cmpfloat (h, >, 0);
      g_assert_cmpfloat_with_epsilon (number_of (row, "rent_month", i) / rent, 1, 1e-9);
      g_assert_cmpfloat_with_epsilon (number_of (row, "own_month", i) / own, 1, 1e-9);
      g_assert_cmpfloat (number_of (row, "cards", i), ==, cards);
      g_assert_cmpint (cards > 1, ==, !one);
      even[i] = cards * 1400 / (rent - own);
      g_assert_cmpfloat_with_epsilon (number_of (row, "break_even_hours", i) / (even[i] * h), 1, 1e-9);
    }
  for (guint i = 0; i < 2; i++)
    {
      g_assert_cmpfloat_with_epsilon (number_of (row, "break_even_month", i)
                                        / (i == 0 ? fmin (even[0], even[1]) : fmax (even[0], even[1])),
                                      1, 1e-9);
      g_assert_cmpfloat (number_of (row, "break_even_month", i), ==,
                         number_of (advice, "break_even_month", i));
    }
  g_assert_cmpfloat (number_of (power, "value", 0), ==, 350);
  g_assert_nonnull (json_object_get (power, "source"));
  g_assert_null (json_object_get (json_object_get (prices, "price"), "source"));
  g_assert_true (json_is_true (json_object_get (json_object_get (prices, "price"), "own")));
  g_assert_nonnull (strstr (said.out, json_string_value (json_object_get (advice, "sentence"))));
  g_assert_nonnull (strstr (said.out, "  price: 1\342\200\211400 USD (your own, "));
  g_assert_nonnull (strstr (said.out, "  power: 350 W (published)\n    "));
}

/* With one card, and with more hours than it has in a month. */
static void
test_sums (void)
{
  check_sums (500, TRUE);
  check_sums (500000, FALSE);
}

/* All that networks are trained on, and nothing that isn't published. */
static void
test_devices (void)
{
  g_auto (Captured) said = { 0 };
  g_autoptr (json_t) root = written_as ("lockstep-plan-cost", LARGE "|--rate|3000", &said);
  g_autoptr (LsCatalogue) catalogue = ls_catalogue_load (NULL, NULL);
  const json_t *devices = json_object_get (root, "devices");
  guint modelled = 0, trained = 0;

  for (guint i = 0; i < catalogue->devices->len; i++)
    if (ls_hardware_trains (catalogue->devices->pdata[i]))
      {
        const char *name = json_string_value (
          json_object_get (json_array_get (devices, trained++), "device"));
        g_assert_cmpstr (name, ==, ((const LsHardware *) catalogue->devices->pdata[i])->name);
      }
  g_assert_cmpuint (json_array_size (devices), ==, trained);
  g_assert_null (strstr (said.out, "Loihi"));
  g_assert_null (strstr (said.out, "nan"));
  for (guint i = 0; i < json_array_size (devices); i++)
    {
      const json_t *row = json_array_get (devices, i);

      modelled += json_number_value (json_object_get (json_object_get (row, "run_h"), "n")) > 0;
      g_assert_nonnull (strstr (said.out, json_string_value (json_object_get (row, "device"))));
    }
  g_assert_cmpuint (modelled, >=, 8);
  g_assert_cmpuint (modelled, <, json_array_size (devices));
  g_assert_nonnull (strstr (said.out, "https://"));
}

/* Of those that hold the step none has a price: neither one to buy nor one to rent is named, and all else is
 * told as ever. */
static void
test_none (void)
{
  g_auto (Captured) said = { 0 };
  g_autoptr (json_t) root = written_as (
    "lockstep-plan-cost",
    "plan|--cost|--data|spiral|--model|flatten, dense 40000, relu, dense 40000, relu, dense 3|--batch|16"
    "|--optimizer|adam|--rate|30",
    &said);
  const json_t *advice = json_object_get (root, "advice");

  g_assert_cmpint (said.status, ==, 0);
  g_assert_true (json_is_null (json_object_get (advice, "own")));
  g_assert_true (json_is_null (json_object_get (advice, "rent")));
  g_assert_nonnull (strstr (said.out, json_string_value (json_object_get (advice, "sentence"))));
  g_assert_null (strstr (json_string_value (json_object_get (advice, "sentence")), "NVIDIA"));
  g_assert_nonnull (strstr (said.out, "It rests on:\n"));
}

/* The sentence is of the devices that are asked for, and of no other. */
static void
test_among (void)
{
  static const char *const lines[] = {
    LARGE "|--rate|30|--runs|500|--epochs|9000|--device|rtx 4090,v100",
    LARGE "|--rate|30|--runs|500|--epochs|9000|--device|v100,rtx 4090",
    LARGE "|--rate|30|--runs|500|--epochs|9000|--device|a100 40,h100",
    LARGE "|--rate|30|--runs|500|--epochs|9000|--device|rtx 3090",
    LARGE "|--rate|30|--runs|500|--epochs|9000|--device|gtx 580,k80", /* nobody lets either of them */
    LARGE "|--rate|30|--runs|500|--epochs|9000|--device|k80,gtx 580",
  };
  /* of two the one that costs least, whichever is named first */
  static const char *const own[] = { "NVIDIA GeForce RTX 4090", "NVIDIA GeForce RTX 4090",
                                     "NVIDIA A100 SXM4 40 GB",  "NVIDIA GeForce RTX 3090",
                                     "NVIDIA Tesla K80",        "NVIDIA Tesla K80" };

  for (guint i = 0; i < G_N_ELEMENTS (lines); i++)
    {
      g_auto (Captured) said = { 0 };
      g_autoptr (json_t) root = written_as ("lockstep-plan-cost", lines[i], &said);
      const json_t *advice = json_object_get (root, "advice");

      g_test_message ("%s", json_string_value (json_object_get (advice, "sentence")));
      g_assert_cmpstr (json_string_value (json_object_get (advice, "own")), ==, own[i]);
      g_assert_nonnull (strstr (json_string_value (json_object_get (advice, "sentence")), own[i]));
      g_assert_null (strstr (said.out, "RTX 3060"));
      g_assert_cmpint (strstr (said.out, "V100") != NULL, ==, i < 2);
    }
}

/* What the sentence rests on: everything that is no measurement with its value, how that is known, and where
 * it was read. */
static void
test_rests_on (void)
{
  static const char *const everywhere[] = {
    "\nIt rests on:\n  rent: ",
    "\n  rent beside the hours: ",
    "\n  price: ",
    "\n  power: 350 W (published)\n    ",
    "\n  share of the power: 1 (assumed)\n",
    "\n  electricity: ",
    "\n  starting an op: 20 µs (published)\n    ",
  };
  static const char assumed[] = "\n  share of the roofs: 30 % (published)\n    ";
  g_autofree char *recorded = ls_data_dir_find ("recordings/mlp.lockstep"),
                  *measured = g_strdup_printf ("plan|--cost|--device|rtx 3090|--from|%s", recorded);
  const char *const lines[] = { LARGE "|--rate|30|--device|rtx 3090", measured };

  for (gsize i = 0; i < G_N_ELEMENTS (lines); i++)
    {
      g_auto (Captured) said = run (lines[i]);
      const char *at = said.out;
      const gboolean taken = strstr (said.out, "Share of the roofs, assumed: 30 %.\n") != NULL;
      guint n_sources = 0;

      for (gsize r = 0; r < G_N_ELEMENTS (everywhere); r++)
        {
          const char *next = strstr (at, everywhere[r]);
          if (next == NULL)
            g_error ("“%s” doesn't come next in\n%s", everywhere[r], said.out);
          at = next;
        }
      if ((strstr (said.out, assumed) != NULL) != taken)
        g_error ("the share of the roofs is %s, and where it comes from is %s:\n%s",
                 taken ? "assumed" : "measured", taken ? "left out" : "told", said.out);
      g_assert_true (i > 0 || taken);
      /* each that is published is followed by who says it, where, and when that was read */
      for (at = strstr (said.out, "\nIt rests on:\n"); (at = strstr (at, " (published)\n")) != NULL;
           n_sources++)
        {
          g_auto (GStrv) source = g_strsplit (at + strlen (" (published)\n"), "\n", 4);

          if (g_strv_length (source) < 3 || !g_str_has_prefix (source[0], "    ")
              || !g_str_has_prefix (source[1], "    https://")
              || !g_str_has_prefix (source[2], "    seen 20"))
            g_error ("a published figure's source isn't told behind it:\n%s", at);
          at += strlen (" (published)\n");
        }
      g_assert_cmpuint (n_sources, >=, taken ? 5 : 4);
    }
}

/* A step needs as much memory as `plan --memory` says, with both sets of the data; a rate that is said is one
 * number, which nobody measured. */
static void
test_step (void)
{
#define SMALL "--data|spiral|--model|flatten, dense 3|--batch|1|--optimizer|sgd"
  g_auto (Captured) said = { 0 }, memory_said = { 0 };
  g_autoptr (json_t) root = written_as ("lockstep-plan-cost", "plan|--cost|--rate|40|--device|k80|" SMALL,
                                        &said),
                     memory = written_as ("lockstep-plan-memory", "plan|--memory|" SMALL, &memory_said);
  const json_t *row = json_array_get (json_object_get (memory, "estimates"), 0),
               *step = json_object_get (json_object_get (root, "advice"), "step_here_s");
  const char *line = strstr (said.out, "A step of 1 sample: 90 FLOP, 408 bytes moved, ");
  const double bytes = number_of (row, "sum", 0);

  g_assert_cmpfloat (number_of (row, "data", 0), ==, (2000 + 500) * 12);
  g_assert_cmpfloat (number_of (row, "batch", 0), ==, 1);
  if (line == NULL)
    g_error ("what a step is isn’t told, or wrongly:\n%s", said.out);
  const double mb = g_ascii_strtod (line + strlen ("A step of 1 sample: 90 FLOP, 408 bytes moved, "), NULL);
  if (fabs (mb * 1e6 / bytes - 1) > .0051)
    g_error ("a step needs %g MB here, and %g bytes by --memory", mb, bytes);
  for (guint q = 0; q < 3; q++)
    g_assert_cmpfloat (number_of (step, q == 0 ? "q1" : q == 1 ? "median" : "q3", 0), ==, 1 / 40.);
  g_assert_cmpfloat (number_of (step, "n", 0), ==, 1);
  g_assert_cmpstr (json_string_value (json_object_get (step, "unit")), ==, "s");
  g_assert_cmpstr (json_string_value (json_object_get (step, "evidence")), ==, "published");
}

/* One of each has words of its own, and a part of one is none. */
static void
test_run_words (void)
{
  static const struct {
    const char *options, *says;
  } rows[] = {
    { "--batch|2000|--epochs|1|--runs|1|--months|1",
      "\nA run: 1 step; 1 run a month, planned for 1 month.\n" },
    { "--batch|1000|--epochs|1|--runs|0.5|--months|2",
      "\nA run: 2 steps; 0.5 runs a month, planned for 2 months.\n" },
    { "--batch|2000|--epochs|3|--runs|40|--months|1.5",
      "\nA run: 3 steps; 40 runs a month, planned for 1.5 months.\n" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autofree char *line = g_strconcat ("plan|--cost|--rate|40|--data|spiral|--model|flatten, dense 3|",
                                           rows[i].options, NULL);
      g_auto (Captured) said = run (line);

      if (strstr (said.out, rows[i].says) == NULL)
        g_error ("%s: “%s” isn't said:\n%s%s", rows[i].options, rows[i].says, said.out, said.err);
    }
}

static void
test_field (void)
{
  g_auto (Captured) said = { 0 };
  g_autoptr (json_t) root = written_as ("lockstep-plan-cost", LARGE "|--field|--device|v100", &said);

  g_assert_nonnull (strstr (
    said.out, "The lecture’s sums: 100 h at 3.06 USD/h are 306 USD; a card for 2\342\200\211000 USD has "
              "paid for itself after 654 h."));
  g_assert_nonnull (strstr (said.out, "no source of it was found"));
  g_assert_null (json_object_get (json_object_get (json_object_get (root, "prices"), "price"), "source"));
}

/* In another currency nothing that is published in dollars holds. */
static void
test_currency (void)
{
  g_auto (Captured) said = run (LARGE "|--rate|30|--runs|500|--epochs|9000|--currency|EUR|--device|rtx 3090");

  g_assert_null (strstr (said.out, "USD"));
  g_assert_nonnull (strstr (said.out, "  price: not published; --price says it"));
  g_assert_nonnull (strstr (said.out, "Nobody was seen to publish: rent, price, electricity."));
}

/* The recorded step of the mlp, by lanes with these roofs. */
static char *
with_roofs (const char *folder, const char *name, double flops, double bytes)
{
  g_autofree char *shipped = ls_data_dir_find ("recordings/mlp.lockstep");
  char *path = g_build_filename (folder, name, NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (LsRecording) recording = ls_recording_load (shipped, &error);

  g_assert_no_error (error);
  for (guint i = 0; i < recording->n_lanes; i++)
    {
      recording->lanes[i].device->roofs[LS_ROOF_FLOPS].value = flops;
      recording->lanes[i].device->roofs[LS_ROOF_MEMORY].value = bytes;
    }
  ls_recording_save (recording, path, &error);
  g_assert_no_error (error);
  return path;
}

/* "Here: 216246 [214157 … 219591] samples/s, …": a batch in a step, of which the quickest quarter stands
 * last. */
static void
check_here (const char *said, guint batch, const LsFigure *step)
{
  const double rates[] = { batch / step->value, batch / step->q3, batch / step->q1 };
  static const char *const before[] = { "\nHere: ", " [", " … " };
  const char *at = said;

  g_assert_cmpfloat (step->q1, <, step->q3);
  for (guint i = 0; i < G_N_ELEMENTS (rates); i++)
    {
      char *end;

      at = strstr (at, before[i]);
      g_assert_nonnull (at);
      const double rate = g_ascii_strtod (at + strlen (before[i]), &end);
      if (fabs (rate - rates[i]) > .51)
        g_error ("it says %g samples/s, and should say %g", rate, rates[i]);
      at = end;
    }
  g_assert_true (g_str_has_prefix (at, "] samples/s, so a run takes "));
}

/* What a recording tells: how fast it was, and the share of its roofs. */
static void
test_from (void)
{
  g_autofree char *folder = g_dir_make_tmp ("lockstep-cost-XXXXXX", NULL);
  g_autofree char *path = ls_data_dir_find ("recordings/mlp.lockstep"),
                  *line = g_strdup_printf ("plan|--cost|--device|rtx 3060|--from|%s", path),
                  *high = with_roofs (folder, "high.lockstep", 1e13, 1e12),
                  *low = with_roofs (folder, "low.lockstep", 1e10, 1e9),
                  *high_line = g_strdup_printf ("plan|--cost|--device|rtx 3060|--from|%s", high),
                  *low_line = g_strdup_printf ("plan|--cost|--device|rtx 3060|--from|%s", low),
                  *other = g_strdup_printf ("%s|--batch|64", line),
                  *fast = g_strdup_printf ("%s|--rate|300000", line);
  g_auto (Captured) said = { 0 }, not = run (other), above = run (high_line), below = run (low_line),
                    faster = run (fast);
  g_autoptr (LsRecording) recording = ls_recording_load (path, NULL);
  const LsFigure held = ls_held_median (recording, 0);
  g_autoptr (json_t) root = written_as ("lockstep-plan-cost", line, &said);
  const json_t *advice = json_object_get (root, "advice"), *step = json_object_get (advice, "step_here_s");

  g_assert_nonnull (strstr (said.out, "Model flatten, dense 256, relu, dense 128, relu, dense 10 on mnist"));
  g_assert_nonnull (strstr (said.out, "A run: 468 steps"));
  g_assert_cmpfloat (number_of (step, "median", 0), ==, held.value);
  g_assert_cmpfloat (number_of (step, "q1", 0), ==, held.q1);
  g_assert_cmpfloat (number_of (step, "q3", 0), ==, held.q3);
  check_here (said.out, recording->batch, &held);
  /* its 28 ops alone take a GPU up to 560 µs to start */
  g_assert_cmpint (g_strcmp0 (json_string_value (json_object_get (advice, "rule")), "small") == 0, ==,
                   held.value < 28 * 20e-6);
  g_assert_nonnull (strstr (faster.out, "No GPU for so small a step"));
  /* a step whose data lie in a cache is faster than the roofs: what a card would reach isn't known from it */
  g_assert_nonnull (strstr (below.out, "Share of the roofs, assumed: 30 %"));
  g_assert_nonnull (strstr (above.out, "Share of the roofs that is reached here: "));
  g_assert_nonnull (strstr (not .err, "its rates aren’t used"));
  g_assert_nonnull (strstr (not .out, "Here: not measured"));
  remove_tree (folder);
}

/* It is of fp32, of SGD and of MNIST: what it measured is of no other. */
static void
test_from_other (void)
{
  static const char *const others[] = { "--precision|bf16", "--precision|fp16", "--optimizer|adam",
                                        "--data|spiral", "--data|moons" };
  g_autofree char *path = ls_data_dir_find ("recordings/mlp.lockstep"),
                  *line = g_strdup_printf ("plan|--cost|--device|rtx 3060|--from|%s", path),
                  *same_line = g_strdup_printf ("%s|--precision|fp32|--optimizer|sgd|--data|mnist", line);
  g_auto (Captured) same = run (same_line);

  g_assert_cmpstr (same.err, ==, "");
  g_assert_null (strstr (same.out, "Here: not measured"));
  for (guint i = 0; i < G_N_ELEMENTS (others); i++)
    {
      g_autofree char *other = g_strdup_printf ("%s|%s", line, others[i]);
      g_auto (Captured) said = run (other);

      g_test_message ("%s: %s", others[i], said.err);
      g_assert_nonnull (strstr (said.err, "its rates aren’t used"));
      g_assert_nonnull (strstr (said.out, "Here: not measured"));
      g_assert_nonnull (strstr (said.out, "Share of the roofs, assumed"));
    }
}

static void
test_refused (void)
{
  static const struct {
    const char *words, *reason;
  } wrong[] = {
    { "--cost|--runs|many", "--runs takes a number from" },
    { "--cost|--rent|-1", "--rent takes a number from 0 to 1e+06, not “-1”" },
    { "--cost|--use|nan", "--use takes a number" },
    { "--cost|--price|1e400", "--price takes a number" },
    { "--cost|--work|magic", "--work takes network, trees or preparing" },
    { "--cost|--device|abacus", "There is no device “abacus”" },
    { "--cost|--device|v100,", "There is no device “”" },
    { "--cost|--device|loihi", "Networks aren’t trained on the like of the Intel Loihi" },
    { "--cost|--memory", "--memory and --cost are two tables" },
    { "--runs|3", "--runs belongs to --cost" },
    { "--memory|--field", "--field belongs to --cost" },
    { "--device|k80", "--device is for --memory, --cost or --lanes" },
    { "--cost|--from|/nonexistent", "/nonexistent" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++)
    {
      g_autofree char *words = g_strdup_printf ("plan|--data|spiral|%s", wrong[i].words);
      g_auto (Captured) said = run (words);

      g_assert_cmpstr (said.out, ==, "");
      if (strstr (said.err, wrong[i].reason) == NULL)
        g_error ("%s: “%s” doesn't say “%s”", wrong[i].words, said.err, wrong[i].reason);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  setlocale (LC_ALL, "C.UTF-8");
  g_test_add_func ("/plan-cost/sums", test_sums);
  g_test_add_func ("/plan-cost/devices", test_devices);
  g_test_add_func ("/plan-cost/among", test_among);
  g_test_add_func ("/plan-cost/none", test_none);
  g_test_add_func ("/plan-cost/rests-on", test_rests_on);
  g_test_add_func ("/plan-cost/step", test_step);
  g_test_add_func ("/plan-cost/run-words", test_run_words);
  g_test_add_func ("/plan-cost/field", test_field);
  g_test_add_func ("/plan-cost/currency", test_currency);
  g_test_add_func ("/plan-cost/from", test_from);
  g_test_add_func ("/plan-cost/from-other", test_from_other);
  g_test_add_func ("/plan-cost/refused", test_refused);
  return g_test_run ();
}
