/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * `lockstep machines` in words: each line and cell that is printed says what the file of --json has, and
 * every sum and share there follows from others of the same file.
 */
#include "written.h"

#include <locale.h>
#include <math.h>
#include <string.h>

#include "machines/model.h"

/* Of one recording for all tests: what is measured may differ from one run to the next. */
static char *folder, *recorded;

static void
assert_near (const char *machine, const char *what, double said, double is, double share)
{
  if (!(fabs (said - is) <= share * fabs (is)))
    g_error ("%s, %s: it says %g, and it is %g", machine, what, said, is);
}

/* "1.23 ms" of seconds; three figures are shown, and never 1000 of a unit or less than one of it. */
static void
assert_time (const char *whose, const char *text, double seconds)
{
  static const struct {
    const char *unit;
    double seconds;
  } units[] = { { " s", 1 }, { " ms", 1e-3 }, { " µs", 1e-6 }, { " ns", 1e-9 } };
  char *end;
  const double value = g_ascii_strtod (text, &end);

  for (gsize i = 0; i < G_N_ELEMENTS (units); i++)
    if (g_str_has_prefix (end, units[i].unit))
      {
        if (fabs (value * units[i].seconds / seconds - 1) > .0051 || (value < 1 && units[i].seconds > 1e-9)
            || (value >= 1000 && i > 0))
          g_error ("%s: “%s” should say %g s", whose, text, seconds);
        return;
      }
  g_error ("%s: “%s” is no time", whose, text);
}

/* "12 %" of a share. */
static void
assert_share (const char *whose, const char *text, double share, double step)
{
  char *end;
  const double value = g_ascii_strtod (text, &end);

  if (fabs (value - 100 * share) > step / 2 + 1e-9 || !g_str_has_prefix (end, " %"))
    g_error ("%s: “%s” should say %g %%", whose, text, 100 * share);
}

/* "memory (71 %)": what holds up most of all ops' time, and its share in that. */
static void
assert_held (const char *name, const char *text, const json_t *ops)
{
  g_autoptr (GHashTable) seconds = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, g_free);
  const char *gap = strstr (text, " (");
  g_autofree char *who = g_strndup (text, gap != NULL ? (gsize) (gap - text) : 0);
  GHashTableIter iter;
  gpointer held;
  double all = 0, most = 0, *its;

  for (gsize i = 0; i < json_array_size (ops); i++)
    {
      const json_t *op = json_array_get (ops, i);
      const char *by = json_string_value (json_object_get (op, "held_by"));
      const double *before = g_hash_table_lookup (seconds, by), s = number_of (op, "seconds", 0);

      its = g_new (double, 1);
      *its = s + (before != NULL ? *before : 0);
      all += s;
      g_hash_table_insert (seconds, (gpointer) by, its);
    }
  g_hash_table_iter_init (&iter, seconds);
  while (g_hash_table_iter_next (&iter, NULL, &held))
    most = fmax (most, *(double *) held);
  its = g_hash_table_lookup (seconds, who);
  if (its == NULL || *its < most)
    g_error ("%s is held up by “%s”, which isn't what holds up most", name, text);
  assert_share (name, gap + strlen (" ("), most / all, 1);
}

/* A line for each machine: its step, how many samples a second, what holds it up, what moves it most. */
static void
test_list (void)
{
  g_autofree char *line = g_strdup_printf ("machines|--from|%s", recorded);
  g_auto (Captured) said = { 0 };
  g_autoptr (json_t) root = written_as ("lockstep-machines", line, &said);
  g_auto (GStrv) lines = g_strsplit (said.out, "\n", -1);
  guint n;
  const LsMachine *const *machines = ls_machines (&n);

  g_assert_cmpuint (json_array_size (json_object_get (root, "machines")), ==, n);
  for (guint i = 0; i < n; i++)
    {
      const LsMachine *machine = machines[i];
      const json_t *json = named (root, "machines", machine->name);
      const gint which = ls_machine_find_assumption (
        machine, json_string_value (json_object_get (json, "moves_most")));
      g_autofree char *title = g_strdup_printf ("%s%s", machine->title,
                                                machine->forward ? ", answers only" : "");
      g_auto (GStrv) cells = NULL, moves = NULL;
      guint at = 0, k;

      while (lines[at] != NULL && !g_str_has_prefix (lines[at], title))
        at++;
      if (lines[at] == NULL)
        g_error ("there is no line of “%s”:\n%s", title, said.out);
      cells = cells_of (lines[at]);
      k = g_strv_length (cells);
      /* the error is of those alone that are models of a lane here */
      g_assert_cmpuint (k, ==, json_object_get (json, "error") != NULL ? 6 : 5);
      assert_time (machine->name, cells[1], number_of (json, "seconds", 0));
      if (k == 6)
        assert_share (machine->name, cells[2], number_of (json, "error", 0), 1);
      g_assert_cmpfloat_with_epsilon (g_ascii_strtod (cells[k - 3], NULL),
                                      number_of (json, "samples", 0) / number_of (json, "interval", 0), .51);
      assert_held (machine->name, cells[k - 2], json_object_get (json, "ops"));
      g_assert_cmpint (which, >=, 0);
      moves = g_strsplit (cells[k - 1], " ±", 2);
      assert_cell ("half or twice of", i, moves[0], machine->assumptions[which].title);
      assert_time (machine->name, moves[1], number_of (json, "moves_by", 0));
      g_assert_cmpint (json_is_true (json_object_get (json, "trains")), ==, !machine->forward);
    }
}

/* "+12 %" before these words, of a machine that is a lane's model; of others there is no such figure. */
static void
assert_off (const LsMachine *machine, const json_t *off, const char *text, const char *words)
{
  g_autofree char *should = off != NULL
                              ? g_strdup_printf (", %+.0f %%%s", 100 * json_number_value (off), words)
                              : NULL;

  if ((should != NULL && strstr (text, should) == NULL) || (should == NULL && strstr (text, words) != NULL))
    g_error ("%s: “%s” should %s“%s”", machine->name, text, should != NULL ? "say " : "not say ",
             should != NULL ? should : words);
}

/* The sentence under the ops: how long, how often, how far off, and for how much energy. */
static void
assert_in_all (const LsMachine *machine, const json_t *json, const char *said)
{
  const double seconds = number_of (json, "seconds", 0), interval = number_of (json, "interval", 0);
  const char *at = strstr (said, "\nIn all "), *energy, *every;
  g_autofree char *text = NULL;

  g_assert_nonnull (at);
  at += strlen ("\nIn all ");
  text = g_strndup (at, strcspn (at, "\n"));
  assert_time (machine->name, text, seconds);
  every = strstr (text, " until a result is there, then one every ");
  g_assert_cmpint (every != NULL, ==, interval < seconds);
  if (every != NULL)
    assert_time (machine->name, every + strlen (" until a result is there, then one every "), interval);
  assert_off (machine, json_object_get (json, "error"), text, " to the lane’s median step");
  assert_off (machine, json_object_get (json, "error_recorded"), text,
              " to the recorded one, which the ops’ errors are to");
  energy = strstr (text, " µJ a sample");
  if ((energy != NULL) != (json_object_get (json, "energy") != NULL)
      || (energy != NULL) != (machine == &ls_machine_spiking))
    g_error ("%s has %s energy, and says “%s”", machine->name,
             json_object_get (json, "energy") != NULL ? "an" : "no", text);
  if (energy != NULL)
    {
      const double a_sample = number_of (json, "energy", 0) / number_of (json, "samples", 0) * 1e6;

      while (energy > text && energy[-1] != ' ')
        energy--;
      assert_near (machine->name, "energy", g_ascii_strtod (energy, NULL), a_sample, .0051);
    }
  g_assert_true (g_str_has_suffix (text, " (modelled)"));
}

/* A line for each assumption: its name, value, unit, and from where to where it may go. */
static void
assert_assumptions (const LsMachine *machine, const json_t *list, const char *said)
{
  g_assert_cmpuint (json_array_size (list), ==, machine->n_assumptions);
  for (guint i = 0; i < machine->n_assumptions; i++)
    {
      const LsAssumption *row = &machine->assumptions[i];
      const json_t *one = json_array_get (list, i);
      g_autofree char *title = g_strdup_printf ("\n%s, %s ", row->name, row->title), *line = NULL;
      const char *at = strstr (said, title), *range;
      char *end;

      if (at == NULL)
        g_error ("%s: there is no line of “%s, %s”", machine->name, row->name, row->title);
      line = g_strndup (at + strlen (title), strcspn (at + 1, "\n") + 1 - strlen (title));
      g_strchug (line);
      assert_near (machine->name, row->name, g_ascii_strtod (line, &end), number_of (one, "value", 0), 6e-6);
      g_strchug (end);
      if (!g_str_has_prefix (end, row->unit))
        g_error ("%s: “%s” lacks the unit “%s”", machine->name, line, row->unit);
      range = end + strlen (row->unit);
      assert_near (machine->name, row->name, g_ascii_strtod (range, &end), number_of (one, "least", 0), 1e-7);
      g_assert_true (g_str_has_prefix (end, " … "));
      assert_near (machine->name, row->name, g_ascii_strtod (end + strlen (" … "), NULL),
                   number_of (one, "most", 0), 1e-7);
      g_assert_cmpfloat (number_of (one, "least", 0), <=, number_of (one, "value", 0));
      g_assert_cmpfloat (number_of (one, "value", 0), <=, number_of (one, "most", 0));
      g_assert_cmpstr (json_string_value (json_object_get (one, "unit")), ==, row->unit);
    }
}

/* A line for each op or stage: which, how long, how often or as recorded, of the peak, and what holds it up.
 */
static void
assert_ops (const LsMachine *machine, const json_t *ops, char **lines)
{
  guint at = 0;

  while (lines[at] != NULL && !g_str_has_prefix (lines[at], machine->pipeline ? "Stage " : "Op "))
    at++;
  g_assert_nonnull (lines[at]);
  for (gsize i = 0; i < json_array_size (ops); i++)
    {
      const json_t *op = json_array_get (ops, i), *clocks = json_object_get (op, "interval_clocks"),
                   *there = json_object_get (op, "recorded"), *used = json_object_get (op, "used"),
                   *useful = json_object_get (op, "useful");
      const char *what = json_string_value (json_object_get (op, "what")),
                 *by = json_string_value (json_object_get (op, "held_by"));
      g_auto (GStrv) cells = cells_of (lines[at + 1 + i]);
      guint k = 2, held = 0;

      assert_cell ("op", (guint) i, cells[0], strcmp (what, "all") == 0 ? "all layers" : what);
      assert_time (what, cells[1], number_of (op, "seconds", 0));
      if (clocks != NULL)
        assert_near (what, "clocks", g_ascii_strtod (cells[k++], NULL), json_number_value (clocks), 1e-9);
      if (there != NULL)
        {
          assert_time (what, cells[k], json_number_value (there));
          assert_share (what, cells[k + 1], number_of (op, "error", 0), 1);
          k += 2;
        }
      if (used != NULL)
        assert_share (what, cells[k++], json_number_value (used), 1);
      else
        assert_cell ("peak", (guint) i, cells[k++], "–");
      if (useful != NULL)
        assert_share (what, cells[k++], 1 - json_number_value (useful), 1);
      while (held < LS_HELD_BY_N && strcmp (ls_held_by_name ((LsHeldBy) held), by) != 0)
        held++;
      g_assert_cmpuint (held, <, LS_HELD_BY_N);
      assert_cell ("held up by", (guint) i, cells[k], ls_held_by_title ((LsHeldBy) held));
      g_assert_null (cells[k + 1]);
    }
}

/* A line for each batch; more samples a second come of larger ones, or as many. */
static void
assert_batches (const LsMachine *machine, const json_t *json, char **lines)
{
  static const char *const head[] = { "Batch", "a step", "samples/s", "of its peak", NULL };
  const json_t *list = json_object_get (json, "batches");
  guint at = 0;

  for (gboolean found = FALSE; !found && lines[at] != NULL; at++)
    {
      g_auto (GStrv) cells = cells_of (lines[at]);
      found = g_strv_equal ((const char *const *) cells, head);
    }
  g_assert_cmpint (lines[at] != NULL, ==, list != NULL);
  for (gsize i = 0; i < json_array_size (list); i++)
    {
      const json_t *one = json_array_get (list, i);
      g_auto (GStrv) cells = cells_of (lines[at + i]);
      const double batch = number_of (one, "batch", 0), rate = batch / number_of (one, "interval", 0);

      g_assert_cmpuint (g_strv_length (cells), ==, 4);
      g_assert_cmpfloat (g_ascii_strtod (cells[0], NULL), ==, batch);
      assert_time (machine->name, cells[1], number_of (one, "seconds", 0));
      if (fabs (g_ascii_strtod (cells[2], NULL) - rate) > .51)
        g_error ("%s: with %g samples in %g s it does “%s” a second", machine->name, batch,
                 number_of (one, "interval", 0), cells[2]);
      assert_share (machine->name, cells[3], number_of (one, "used", 0), .1);
    }
}

/* A line for each product, whose parts add up; its clock's beats are an op's time where they are what it is
 * made of. */
static void
assert_beats (const LsMachine *machine, const json_t *ops, char **lines)
{
  static const char *const head[] = { "Op", "tiles", "loading", "running", "draining", "beats", NULL };
  const double rows = 128, cols = 128, clock_hz = .94e9, start_s = .5e-6; /* the defaults: a TPU v3's */
  guint at = 0, n_timed = 0;

  for (gboolean found = FALSE; !found && lines[at] != NULL; at++)
    {
      g_auto (GStrv) cells = cells_of (lines[at]);
      found = g_strv_equal ((const char *const *) cells, head);
    }
  g_assert_cmpint (lines[at] != NULL, ==, machine == &ls_machine_systolic);
  for (gsize i = 0; machine == &ls_machine_systolic && i < json_array_size (ops); i++)
    {
      const json_t *one = json_array_get (ops, i);
      const char *op = json_string_value (json_object_get (one, "what"));
      g_auto (GStrv) cells = cells_of (lines[at]);
      double cell[6], least;

      if (json_object_get (one, "useful") == NULL) /* it is no product */
        continue;
      at++;
      g_assert_cmpuint (g_strv_length (cells), ==, G_N_ELEMENTS (cell));
      assert_cell ("op", (guint) i, cells[0], op);
      for (guint c = 1; c < G_N_ELEMENTS (cell); c++)
        cell[c] = g_ascii_strtod (cells[c], NULL);
      g_assert_cmpfloat (cell[2], ==, rows);
      g_assert_cmpfloat (cell[4], ==, rows + cols - 2);
      g_assert_cmpfloat (cell[2] + cell[3] + cell[4], ==, cell[5]);
      g_assert_cmpfloat (cell[3], >=, (cell[1] - 1) * rows); /* the next tile's weights are loaded meanwhile
                                                              */
      least = start_s + cell[5] / clock_hz;
      if (number_of (one, "seconds", 0) < least * .99)
        g_error ("%s: its beats take longer than it does", op);
      n_timed += number_of (one, "seconds", 0) < least * 1.01;
    }
  g_assert_cmpint (n_timed > 0, ==, machine == &ls_machine_systolic);
}

/* The product that an array does once more. */
static void
assert_proof (const LsMachine *machine, const json_t *proof, const char *said)
{
  const gboolean beats = machine == &ls_machine_systolic;
  g_autofree char *begins = NULL, *all = NULL, *far = NULL;

  if (proof == NULL)
    {
      g_assert_null (strstr (said, "with the recorded numbers"));
      return;
    }
  begins = g_strdup_printf ("\n%s %s, with the recorded numbers: %.0f %s; ",
                            json_string_value (json_object_get (proof, "op")),
                            beats ? "beat by beat on one array" : "tile by tile",
                            number_of (proof, "turns", 0), beats ? "beats" : "instructions");
  all = g_strdup_printf ("all %.0f sums", number_of (proof, "m", 0) * number_of (proof, "n", 0));
  far = g_strdup_printf ("at most %.2g from those in 32 bits (measured)", number_of (proof, "far", 0));
  if (strstr (said, begins) == NULL || strstr (said, all) == NULL || strstr (said, far) == NULL)
    g_error ("%s: “%s”, “%s” or “%s” isn't said in:\n%s", machine->name, begins, all, far, said);
  g_assert_cmpint (json_is_true (json_object_get (proof, "whole")), ==, strstr (said, " are tried.") == NULL);
}

/* All of one machine. */
static void
test_one (void)
{
  guint n;
  const LsMachine *const *machines = ls_machines (&n);

  for (guint i = 0; i < n; i++)
    {
      const LsMachine *machine = machines[i];
      g_autofree char *line = g_strdup_printf ("machines|%s|--from|%s", machine->name, recorded);
      g_auto (Captured) said = { 0 };
      g_autoptr (json_t) root = written_as ("lockstep-machines", line, &said);
      const json_t *json = named (root, "machines", machine->name),
                   *weights = json_object_get (json, "weights_bytes");
      g_auto (GStrv) lines = g_strsplit (said.out, "\n", -1);

      g_autofree char *head = g_strdup_printf ("\n\n%s\n%s\nThe model: %s.\n\n", machine->title,
                                               machine->about, machine->limit);
      const char *under = strstr (said.out, "\n\n");
      if (!g_str_has_prefix (said.out, "Model ") || !g_str_has_prefix (under, head))
        g_error ("over the ops it should say%sand says\n%s", head, said.out);
      assert_ops (machine, json_object_get (json, "ops"), lines);
      assert_in_all (machine, json, said.out);
      assert_assumptions (machine, json_object_get (json, "assumptions"), said.out);
      assert_batches (machine, json, lines);
      assert_beats (machine, json_object_get (json, "ops"), lines);
      assert_proof (machine, json_object_get (json, "proof"), said.out);
      if (weights != NULL)
        {
          const double mib = json_number_value (weights) / 1024 / 1024,
                       chip = number_of (json, "chip_bytes", 0) / 1024 / 1024;
          g_autofree char *room = g_strdup_printf ("weights, %.3g MiB, have room on the chip: %.4g MiB\n",
                                                   mib, chip);

          if (strstr (said.out, room) == NULL)
            g_error ("%s doesn't say “%s”:\n%s", machine->name, room, said.out);
        }
    }
}

/* Times of any size, each in the unit that suits it: a tenth of a second to start each op, which are seconds
 * in all, and an array so fast that its ops take nanoseconds. */
static void
test_times (void)
{
  static const struct {
    const char *assumed, *op, *all; /* the units in which an op's time and that of all stand there */
  } rows[] = {
    { "start=100000", " ms", " s" },
    { "start=100", " µs", " ms" },
    { "start=0,arrays=1024,clock=20,memory=100000,vector=1000000", " ns", " ns" },
  };

  for (gsize r = 0; r < G_N_ELEMENTS (rows); r++)
    {
      const LsMachine *machine = &ls_machine_systolic;
      g_autofree char *line = g_strdup_printf ("machines|systolic|--assume|%s|--from|%s", rows[r].assumed,
                                               recorded);
      g_auto (Captured) said = { 0 };
      g_autoptr (json_t) root = written_as ("lockstep-machines", line, &said);
      const json_t *json = named (root, "machines", machine->name);
      g_auto (GStrv) lines = g_strsplit (said.out, "\n", -1);
      const char *all = strstr (said.out, "\nIn all ");
      guint in_unit = 0;

      assert_ops (machine, json_object_get (json, "ops"), lines);
      assert_in_all (machine, json, said.out);
      g_strtod (all + strlen ("\nIn all "), (char **) &all);
      if (!g_str_has_prefix (all, rows[r].all))
        g_error ("with %s all ops are said to take some “%.3s”, not%s", rows[r].assumed, all, rows[r].all);
      for (char **at = lines; *at != NULL; at++)
        in_unit += strstr (*at, rows[r].op) != NULL;
      if (in_unit < 3)
        g_error ("with %s no more than %u ops are said to take%s:\n%s", rows[r].assumed, in_unit, rows[r].op,
                 said.out);
    }
}

int
main (int argc, char **argv)
{
  int status;

  setlocale (LC_ALL, "C.UTF-8");
  g_test_init (&argc, &argv, NULL);
  folder = g_dir_make_tmp ("lockstep-machines-XXXXXX", NULL);
  recorded = record_run (folder, 60);
  g_test_add_func ("/machines-words/list", test_list);
  g_test_add_func ("/machines-words/one", test_one);
  g_test_add_func ("/machines-words/times", test_times);
  status = g_test_run ();
  remove_tree (folder);
  return status;
}
