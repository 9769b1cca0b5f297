/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * `lockstep plan --cost`: every cell of its table, over all devices, is the number that is written as JSON,
 * in its unit; and the numbers follow from one another by plain sums.
 */
#include <locale.h>
#include <math.h>
#include <string.h>

#include "data/datadir.h"
#include "files/recording.h"
#include "machines/hardware.h"
#include "machines/held.h"
#include "written.h"

/* 27,000 steps of 512 samples of 2,000 make 9,000 epochs of three whole batches each. */
#define WORDS_OF_RUNS                                                                                        \
  "plan|--cost|--data|spiral|--model|flatten, dense 4096, relu, dense 4096, relu, dense 3|--batch|512"       \
  "|--rate|30|--epochs|9000"
#define STEPS 27000
#define RUNS  500
#define WORDS WORDS_OF_RUNS "|--runs|500"

/* Hours of that unit; of money and months 1. */
static double
unit_of (const char *text)
{
  static const struct {
    const char *name;
    double hours;
  } units[] = { { "ms", 1 / 3.6e6 }, { "s", 1 / 3600. }, { "min", 1 / 60. }, { "h", 1 }, { "", 1 } };

  for (gsize i = 0; i < G_N_ELEMENTS (units); i++)
    if (strcmp (text, units[i].name) == 0)
      return units[i].hours;
  g_error ("“%s” is no unit of time", text);
}

/* "6.27–21.1 min", "1 499": those two numbers, each to half of three digits or to half a hundredth;
 * "1 538–never": of what may never be. */
static void
assert_range (const char *device, const char *column, const char *cell, double low, double high)
{
  GString *plain = g_string_new (cell);
  char *end;
  double read[2];

  g_string_replace (plain, "\342\200\211", "", 0); /* between thousands */
  g_string_replace (plain, "\302\240", " ", 0);
  read[0] = read[1] = g_ascii_strtod (plain->str, &end);
  if (g_str_has_prefix (end, "–"))
    read[1] = g_ascii_strtod (end + strlen ("–"), &end);
  if (isinf (high))
    {
      if (strcmp (end, "never") != 0 || !g_str_has_suffix (cell, "–never"))
        g_error ("%s, %s: “%s” doesn’t say that it may be never", device, column, cell);
      *end = '\0';
      read[1] = high = read[0];
    }
  const double unit = unit_of (g_strstrip (end)), numbers[] = { low, high };
  for (guint i = 0; i < 2; i++)
    if (fabs (read[i] * unit - numbers[i]) > fmax (.0051 * numbers[i], .0051 * unit))
      g_error ("%s, %s: “%s” isn’t %g to %g", device, column, cell, low, high);
  g_string_free (plain, TRUE);
}

static guint open_ranges; /* that were seen */

/* A cell against what is written of it: a figure with its range, a range, “never”, or nothing. */
static void
assert_cell_of (const char *device, const char *column, const char *cell, const json_t *value)
{
  const gboolean figure = json_is_object (value);

  if (json_is_null (value) || (figure && json_integer_value (json_object_get (value, "n")) == 0))
    {
      if (strcmp (cell, "–") != 0)
        g_error ("%s, %s: “%s”, where nothing is written", device, column, cell);
    }
  else if (json_is_string (value))
    g_assert_cmpstr (cell, ==, json_string_value (value));
  else if (figure)
    assert_range (device, column, cell, number_of (value, "q1", 0), number_of (value, "q3", 0));
  else
    {
      const json_t *high = json_array_get (value, 1);

      open_ranges += json_is_string (high);
      if (json_is_string (high))
        g_assert_cmpstr (json_string_value (high), ==, "never");
      assert_range (device, column, cell, json_number_value (json_array_get (value, 0)),
                    json_is_string (high) ? HUGE_VAL : json_number_value (high));
    }
}

/* The table's lines are below its head, one for each device. */
static guint
check_table (const char *words, double need_mb, double runs)
{
  static const char *const keys[]
    = { "run_h",     "month_h",          "cards",           "rent_month", "price",
        "own_month", "break_even_hours", "break_even_month" },
    *const heads[] = { "a run",        "a month’s runs",      "cards",        "rent a month",
                       "price of one", "electricity a month", "pays after h", "from month" };
  g_auto (Captured) said = { 0 };
  g_autoptr (json_t) root = written_as ("lockstep-plan-cost", words, &said);
  g_auto (GStrv) lines = g_strsplit (said.out, "\n", -1);
  g_autoptr (LsCatalogue) catalogue = ls_catalogue_load (NULL, NULL);
  const json_t *devices = json_object_get (root, "devices");
  guint head = 0, timed = 0;

  while (lines[head] != NULL && !g_str_has_prefix (lines[head], "Device "))
    head++;
  g_assert_nonnull (lines[head]);
  g_auto (GStrv) over = cells_of (lines[head]);
  g_assert_cmpuint (g_strv_length (over), ==, 2 + G_N_ELEMENTS (heads));
  for (gsize k = 0; k < G_N_ELEMENTS (heads); k++)
    if (strcmp (over[2 + k], heads[k]) != 0)
      g_error ("over the numbers of “%s” stands “%s”, not “%s”", keys[k], over[2 + k], heads[k]);
  for (guint i = 0; i < json_array_size (devices); i++)
    {
      const json_t *row = json_array_get (devices, i), *memory = json_object_get (row, "memory"),
                   *run = json_object_get (row, "run_h"), *step = json_object_get (row, "step_s"),
                   *month = json_object_get (row, "month_h");
      const char *name = json_string_value (json_object_get (row, "device"));
      const LsHardware *device = ls_catalogue_find (catalogue, name, NULL);
      const LsFigure holds = ls_hardware_step_memory (device);
      g_auto (GStrv) cells = cells_of (lines[head + 1 + i]);
      const gboolean fits = holds.n > 0 && need_mb * 1e6 <= holds.value;

      g_assert_cmpuint (g_strv_length (cells), ==, 2 + G_N_ELEMENTS (keys));
      assert_cell ("device", i, cells[0], name);
      assert_cell ("memory", i, cells[1], holds.n == 0 ? "–" : fits ? "fits" : "too large");
      g_assert_cmpint (json_is_true (json_object_get (row, "fits")), ==, fits);
      g_assert_cmpint (json_integer_value (json_object_get (memory, "n")), ==, holds.n);
      if (holds.n > 0)
        g_assert_cmpfloat (number_of (memory, "median", 0), ==, holds.value);
      for (gsize k = 0; k < G_N_ELEMENTS (keys); k++)
        assert_cell_of (name, keys[k], cells[2 + k], json_object_get (row, keys[k]));
      if (json_integer_value (json_object_get (step, "n")) == 0)
        continue;
      timed++;
      for (guint q = 0; q < 3; q++)
        {
          const char *which = q == 0 ? "q1" : q == 1 ? "median" : "q3";
          const double s = number_of (step, which, 0);
          if (fabs (number_of (run, which, 0) * 3600 / (s * STEPS) - 1) > 1e-9
              || fabs (number_of (month, which, 0) / (number_of (run, which, 0) * runs) - 1) > 1e-9)
            g_error ("%s: a step of %g s makes a run of %g h and a month of %g h (%s)", name, s,
                     number_of (run, which, 0), number_of (month, which, 0), which);
        }
      g_assert_cmpstr (json_string_value (json_object_get (step, "evidence")), ==, "modelled");
      g_assert_cmpfloat (number_of (step, "q1", 0), <, number_of (step, "q3", 0));
    }
  return timed;
}

/* As prices are published, of which many are not; with one's own for all; and of a network that few hold. */
static void
test_cells (void)
{
  g_assert_cmpuint (check_table (WORDS, 286, RUNS), >=, 8);
  g_assert_cmpuint (check_table (WORDS "|--rent|0.5|--price|1400|--electricity|0.3|--power|200", 286, RUNS),
                    >=, 8);
  g_assert_cmpuint (check_table (WORDS "|--rent|0.01|--price|1400|--electricity|3", 286, RUNS), >=,
                    8); /* never
                         */
  /* more hours than a month has: several cards, and more of them at worst */
  g_assert_cmpuint (
    check_table (WORDS_OF_RUNS "|--runs|500000|--rent|3|--price|300|--power|200", 286, 500000), >=, 8);
}

/* At best a card spares what renting costs beside the hours, at worst its electricity costs more than that:
 * it pays from a month on, or never. */
static void
test_perhaps_never (void)
{
  open_ranges = 0;
  g_assert_cmpuint (check_table (WORDS "|--rent|0.05|--storage|3|--price|1400|--electricity|0.3", 286, RUNS),
                    >=, 8);
  if (open_ranges == 0)
    g_error ("no device is said to pay from a month on or never, as some do");
}

/* Where the hours are half as many the card has paid for itself after twice the months, and so on; a step
 * here is as long as the rate says. */
static void
test_moves (void)
{
  g_auto (Captured) said = { 0 };
  g_autoptr (json_t) root = written_as (
    "lockstep-plan-cost", WORDS "|--device|rtx 3090|--rent|3|--price|300|--electricity|0.3", &said);
  const json_t *advice = json_object_get (root, "advice"), *here = json_object_get (advice, "step_here_s"),
               *month = json_object_get (advice, "month_here_h");

  g_assert_cmpstr (json_string_value (json_object_get (advice, "kind")), ==, "buy");
  for (guint i = 0; i < 2; i++)
    {
      const double even = number_of (advice, "break_even_month", i);

      g_assert_cmpfloat_with_epsilon (number_of (advice, "half_the_hours", i) / even, 2, 1e-9);
      g_assert_cmpfloat_with_epsilon (number_of (advice, "twice_the_hours", i) / even, .5, 1e-9);
      g_assert_cmpfloat_with_epsilon (number_of (advice, "card_at_60_percent", i) / even, .6, 1e-9);
    }
  g_assert_cmpfloat_with_epsilon (number_of (here, "median", 0), 512 / 30., 1e-9);
  g_assert_cmpfloat_with_epsilon (number_of (month, "median", 0), 512 / 30. * STEPS * RUNS / 3600, 1e-6);
  g_assert_nonnull (strstr (said.out, json_string_value (json_object_get (advice, "moves"))));
}

/* Each price: its unit, whether it is one's own, since when, and else who published it. */
static void
test_prices (void)
{
  g_auto (Captured) said = { 0 };
  g_autoptr (json_t) root = written_as ("lockstep-plan-cost",
                                        WORDS "|--device|rtx 3090|--rent|0.5|--currency|EUR", &said);
  const json_t *prices = json_object_get (root, "prices"), *rent = json_object_get (prices, "rent"),
               *power = json_object_get (prices, "power"), *source = json_object_get (power, "source");
  g_autoptr (GDateTime) now = g_date_time_new_now_utc (), before = g_date_time_add_days (now, -1),
                        after = g_date_time_add_days (now, 1);
  g_autofree char *least = g_date_time_format (before, "%Y-%m-%d"),
                  *most = g_date_time_format (after, "%Y-%m-%d");
  const char *day = json_string_value (json_object_get (rent, "said_on"));

  g_assert_cmpfloat (number_of (rent, "value", 0), ==, .5);
  g_assert_cmpstr (json_string_value (json_object_get (rent, "unit")), ==, "EUR/h");
  g_assert_true (json_is_true (json_object_get (rent, "own")));
  g_assert_cmpint (g_strcmp0 (day, least), >=, 0);
  g_assert_cmpint (g_strcmp0 (day, most), <=, 0);
  g_assert_null (json_object_get (rent, "source"));
  g_assert_cmpstr (json_string_value (json_object_get (power, "unit")), ==, "W");
  g_assert_true (json_is_false (json_object_get (power, "own")));
  g_assert_null (json_object_get (power, "said_on"));
  static const char *const keys[] = { "title", "address", "seen" };
  for (gsize i = 0; i < G_N_ELEMENTS (keys); i++)
    g_assert_nonnull (strstr (said.out, json_string_value (json_object_get (source, keys[i]))));
  g_assert_true (g_str_has_prefix (json_string_value (json_object_get (source, "address")), "https://"));
}

/* Of money under a hundred two digits behind the sign, where it isn't whole; above, three in all. */
static void
test_money (void)
{
  static const char *const rows[][2] = {
    { "7", "7" },         { "9.25", "9.25" },  { "45.27", "45.27" },
    { "99.99", "99.99" }, { "99.996", "100" }, { "123.45", "123" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autofree char *words = g_strdup_printf (WORDS "|--device|rtx 3090|--price|%s", rows[i][0]);
      g_auto (Captured) said = run (words);
      const char *line = strstr (said.out, "\nNVIDIA GeForce RTX 3090 ");

      g_assert_nonnull (line);
      g_autofree char *row = g_strndup (line + 1, strcspn (line + 1, "\n"));
      g_auto (GStrv) cells = cells_of (row);
      g_assert_cmpuint (g_strv_length (cells), ==, 10);
      if (strcmp (cells[6], rows[i][1]) != 0)
        g_error ("a card of %s is said to cost “%s”, not “%s”", rows[i][0], cells[6], rows[i][1]);
    }
}

/* Here is the lane that is fastest, in whatever order they were recorded: a batch that the other one's memory
 * couldn't hold, and that this one says nothing of, isn't too large. */
static void
test_fastest (void)
{
  g_autofree char *folder = g_dir_make_tmp ("lockstep-cost-XXXXXX", NULL),
                  *shipped = ls_data_dir_find ("recordings/mlp.lockstep"),
                  *path = g_build_filename (folder, "two.lockstep", NULL);
  static const gint64 memories[][2] = { { -1, 1000 }, { 1000, -1 } }; /* of the first and the second lane */

  for (guint fastest = 0; fastest < 2; fastest++)
    for (guint i = 0; i < G_N_ELEMENTS (memories); i++)
      {
        g_autoptr (GError) error = NULL;
        g_autoptr (LsRecording) recording = ls_recording_load (shipped, &error);
        g_autofree char *line = g_strdup_printf ("plan|--cost|--device|rtx 3060|--rent|0.5|--from|%s", path);

        g_assert_no_error (error);
        g_assert_cmpuint (recording->n_lanes, ==, 2);
        if (ls_held_median (recording, 1 - fastest).value < ls_held_median (recording, fastest).value)
          {
            LsCurve *curve = recording->lanes[0].curve;
            g_assert_cmpuint (recording->lanes[0].n_steps, ==, recording->lanes[1].n_steps);
            recording->lanes[0].curve = recording->lanes[1].curve;
            recording->lanes[1].curve = curve;
          }
        for (guint l = 0; l < 2; l++)
          recording->lanes[l].device->global_mem = memories[i][l];
        ls_recording_save (recording, path, &error);
        g_assert_no_error (error);
        g_auto (Captured) said = run (line);
        g_assert_cmpstr (said.err, ==, "");
        if ((strstr (said.out, "where this computer has") != NULL) != (memories[i][fastest] == 1000))
          g_error ("lane %u is the fastest, and has memory for %" G_GINT64_FORMAT " bytes; it says\n%s",
                   fastest, memories[i][fastest], said.out);
      }
  remove_tree (folder);
}

/* How large a table is follows from all its columns, of the samples to train with; images are none. */
static void
test_tables (void)
{
  g_autofree char *folder = g_dir_make_tmp ("lockstep-cost-XXXXXX", NULL),
                  *path = g_build_filename (folder, "wide.csv", NULL);
  g_autoptr (GString) wide = g_string_new (NULL);
  const struct {
    const char *data, *says;
  } cases[] = {
    { "spiral", "all of it is 0.0160 MB, " }, /* 2,000 of 2 numbers of 4 bytes */
    { path, "all of it is 0.0288 MB, " },     /* 180, a tenth is kept for testing, of 40 */
    { "mnist", NULL },
  };

  for (guint row = 0; row < 200; row++)
    {
      for (guint column = 0; column < 40; column++)
        g_string_append_printf (wide, "%u.5,", (row * 7 + column * 13) % 97);
      g_string_append (wide, row % 2 ? "a\n" : "b\n");
    }
  g_assert_true (g_file_set_contents (path, wide->str, (gssize) wide->len, NULL));
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *line = g_strdup_printf (
        "plan|--cost|--device|rtx 3060|--rent|0.5|--rate|3000|--data|%s", cases[i].data);
      g_auto (Captured) said = run (line);

      g_assert_cmpstr (said.err, ==, "");
      if (cases[i].says != NULL ? strstr (said.out, cases[i].says) == NULL
                                : strstr (said.out, "so small a table") != NULL)
        g_error ("of %s it should %s“%s”:\n%s", cases[i].data, cases[i].says != NULL ? "say " : "not say ",
                 cases[i].says != NULL ? cases[i].says : "so small a table", said.out);
    }
  remove_tree (folder);
}

/* What stands above the table: a step, a run, and the runs of a month, each in its own unit. */
static void
test_here (void)
{
  static const struct {
    const char *words, *says;
  } rows[] = {
    { "--rate|1000|--runs|3",
      "A step of 128 samples: 950924 FLOP, 502872 bytes moved, 0.226 MB.\n"
      "A run: 15 steps; 3 runs a month, planned for 24 months.\n"
      "Here: 1000 samples/s, so a run takes 1.92\u00a0s, and the runs of a month 5.76\u00a0s.\n"
      "Share of the roofs, assumed: 30 %.\n\n" },
    { "--rate|1000|--runs|3600|--batch|1",
      "A step of 1 sample: 12394 FLOP, 43132 bytes moved, 0.0475 MB.\n"
      "A run: 2\u2009000 steps; 3\u2009600 runs a month, planned for 24 months.\n"
      "Here: 1000 samples/s, so a run takes 2\u00a0s, and the runs of a month 2\u00a0h.\n"
      "Share of the roofs, assumed: 30 %.\n\n" },
    { "--runs|1", "A run: 15 steps; 1 run a month, planned for 24 months.\n"
                  "Here: not measured; --from RECORDING or --rate says how fast it is.\n"
                  "Share of the roofs, assumed: 30 %.\n\n" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autofree char *words = g_strdup_printf ("plan|--data|spiral|--cost|--device|rtx 3060|%s",
                                                rows[i].words);
      g_auto (Captured) said = run (words);

      if (strstr (said.out, rows[i].says) == NULL)
        g_error ("with %s it should say\n%sand says\n%s", rows[i].words, rows[i].says, said.out);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  setlocale (LC_ALL, "C.UTF-8");
  g_test_add_func ("/plan-cost-table/cells", test_cells);
  g_test_add_func ("/plan-cost-table/here", test_here);
  g_test_add_func ("/plan-cost-table/perhaps-never", test_perhaps_never);
  g_test_add_func ("/plan-cost-table/moves", test_moves);
  g_test_add_func ("/plan-cost-table/prices", test_prices);
  g_test_add_func ("/plan-cost-table/money", test_money);
  g_test_add_func ("/plan-cost-table/fastest", test_fastest);
  g_test_add_func ("/plan-cost-table/tables", test_tables);
  return g_test_run ();
}
