/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Tables, and those of `plan`, `tune` and `bench`, of results made by hand: each line as it should be, or
 * each number read back and held against what it was made from.
 */
#include "../folder.h"
#include "captured.h"

#include <glib/gstdio.h>
#include <locale.h>
#include <math.h>
#include <string.h>

#include "backends/opencl/kernels/tuned.h"
#include "data/dataset.h"
#include "files/json.h"
#include "ui/cli/bench/rates.h"
#include "ui/cli/bench/steps.h"
#include "ui/cli/command.h"
#include "ui/report/terminal.h"

/* ---- what all tables share ---- */

/* Numbers of all sizes are read back from what is printed, to one in a thousand and to half of the last
 * digit. */
static void
test_numbers_are_read_back (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (1);

  for (guint i = 0; i < 2000; i++)
    {
      const double value = pow (10, g_rand_double_range (rand, .3, 7)),
                   q1 = value * g_rand_double_range (rand, .6, 1),
                   q3 = value * g_rand_double_range (rand, 1, 1.5);
      const LsFigure f = { value, "s", LS_EVIDENCE_MEASURED, 9, q1, q3, 0, NULL };
      const double numbers[] = { value, q1, q3 };
      g_autofree char *text = ls_figure_text (&f);
      char *at = text;

      for (guint k = 0; k < 3; k++)
        {
          const char *from = at += strcspn (at, "0123456789");
          const double read = g_ascii_strtod (from, &at);
          const char *point = memchr (from, '.', (gsize) (at - from));
          const double half = .5001 * pow (10, point != NULL ? -(double) (at - point - 1) : 0);

          if (fabs (read - numbers[k]) > half || half > .00051 * numbers[k] || at - from > 8)
            g_error ("%.9g, the %s, is printed as %g in “%s”", numbers[k],
                     k == 0   ? "median"
                     : k == 1 ? "first quartile"
                              : "third quartile",
                     read, text);
        }
      g_assert_cmpstr (at, ==, "]");
    }
}

static void
table_cb (gconstpointer table)
{
  ls_table_print (table);
}

/* Texts of any width stand in their columns: two spaces between them, right ones end, left ones begin
 * together. */
static void
test_columns (void)
{
  LsTable *table = ls_table_new ("lrlr");
  static const char *const cells[]
    = { "a",    "bb", "ccc", "d",   "",     "1",  "µµµµ", "22", /* clang-format off */
                                       "äöüß", "–",  "",    "333", "日本", "12", "x",    "" }; /* clang-format on */

  for (gsize i = 0; i < G_N_ELEMENTS (cells); i++)
    ls_table_add (table, "%s", cells[i]);
  g_auto (Captured) said = capture (table_cb, table);
  assert_lines ("a table", said.out,
                "a     bb  ccc     d\n"
                "       1  µµµµ   22\n"
                "äöüß   –        333\n"
                "日本  12  x\n");
  ls_table_free (table);
  g_assert_cmpint (ls_text_width ("日本"), ==, 4);
  g_assert_cmpint (ls_text_width ("a\u0301b"), ==, 2);
}

/* ---- plan ---- */

/* "51.4 k": that value, to three digits. */
static void
assert_short (const char *what, const char *text, gint64 value)
{
  static const char *const units[] = { "", "k", "M", "G", "T" };
  char *end = NULL;
  double read = g_ascii_strtod (text, &end), unit = 1;
  const char *point = strchr (text, '.');
  guint i = 0;

  g_strchug (end);
  for (; i < G_N_ELEMENTS (units) && strcmp (end, units[i]) != 0; i++)
    unit *= 1000;
  const double half = .5001 * unit / pow (10, point != NULL ? (double) strspn (point + 1, "0123456789") : 0);
  if (i == G_N_ELEMENTS (units) || fabs (read * unit - (double) value) > half
      || (value > 99 && half > .0051 * (double) value) || (i > 0 && (read < 1 || read >= 1000)))
    g_error ("%s is “%s”, and should be %" G_GINT64_FORMAT " to three digits", what, text, value);
}

/* How it was cut, said from the grid that covers its output. */
static char *
cut_words (const LsTiling *t, guint op)
{
  const guint rows = (guint) ((t->rows + t->tile_rows - 1) / MAX (t->tile_rows, 1)),
              cols = (guint) ((t->cols + t->tile_cols - 1) / MAX (t->tile_cols, 1));

  if (t->reference)
    return g_strdup ("reference");
  if (t->leader != op)
    return g_strdup_printf ("in op %u", t->leader + 1);
  g_autofree char *parts = t->splits > 1 ? g_strdup_printf (", sum in %u parts", t->splits) : g_strdup ("");
  return g_strdup_printf ("%u×%u tiles of %d×%d%s, %s", rows, cols, (int) t->tile_rows, (int) t->tile_cols,
                          parts, t->kernel);
}

/* Each op in its line, with what the plan has of it, and with how both lanes cut it. */
static void
check_plan (const char *set, const char *layers, guint batch, gint64 wanted, const char *cut_as)
{
  static const char *const phases[] = { "input", "forward", "loss", "backward", "update" };
  g_autoptr (LsData) data = ls_data_load (set, 1, NULL);
  g_autoptr (LsModel) model = ls_model_parse (layers, NULL);
  g_autoptr (LsPlan) plan = ls_plan_new (model, data->train.shape, data->n_classes, batch, LS_OPTIMIZER_SGD,
                                         NULL);
  g_autoptr (LsOptions) options = ls_options_new ();
  g_autofree char *line = g_strdup_printf ("plan|--model|%s|--data|%s|--batch|%u|--lanes|cpu(tiles-per-op=4)",
                                           layers, set, batch),
                  *head = g_strdup_printf ("Model %s on %s", layers, set),
                  *step = g_strdup_printf ("One step of %u samples", batch);
  g_auto (Captured) said = run (line);
  g_auto (GStrv) lines = g_strsplit (said.out, "\n", -1);
  guint tiled = 0, fused = 0;
  gint64 parameters = 0;

  g_assert_cmpstr (said.err, ==, "");
  options->batch = batch;
  g_assert_true (ls_options_set (options, ls_options_find ("tiles-per-op"), "4", NULL));
  gpointer cpu = ls_backend_cpu.open (options, 0, NULL);
  g_assert_true (ls_backend_cpu.prepare (cpu, plan, data, NULL));
  const LsTiling *tilings = ls_backend_cpu.tilings (cpu);

  g_assert_cmpstr (lines[0], ==, head);
  g_assert_cmpuint (g_strv_length (lines), >, plan->n_ops + 5);
  for (guint i = 0; i < plan->n_ops; i++)
    {
      const LsOp *op = &plan->ops[i];
      const LsTensor *out = &plan->tensors[op->out[0]];
      g_auto (GStrv) cells = cells_of (lines[3 + i]);
      g_autofree char *number = g_strdup_printf ("%u", i + 1),
                      *layer = op->layer < 0 ? g_strdup ("–") : g_strdup_printf ("%d", op->layer + 1),
                      *intensity = g_strdup_printf ("%.2f", (double) op->flops / (double) op->bytes),
                      *cut = cut_words (&tilings[i], i);
      g_autoptr (GString) shape = g_string_new (NULL);

      for (guint d = 0; d < out->rank; d++)
        g_string_append_printf (shape, "%s%d", d > 0 ? "×" : "", (int) out->shape[d]);
      g_assert_cmpuint (g_strv_length (cells), ==, 10);
      assert_cell ("number", i, cells[0], number);
      assert_cell ("phase", i, cells[1], phases[op->phase]);
      assert_cell ("layer", i, cells[2], layer);
      assert_cell ("kind", i, cells[3], op->klass->name);
      assert_cell ("equation", i, cells[4], op->equation);
      assert_cell ("output", i, cells[5], shape->str);
      assert_short ("FLOP", cells[6], op->flops);
      assert_short ("bytes", cells[7], op->bytes);
      assert_cell ("FLOP/byte", i, cells[8], intensity);
      assert_cell ("cut", i, cells[9], cut);
      tiled += strstr (cut, cut_as) != NULL;
      fused += g_str_has_prefix (cut, "in op ");
    }
  g_assert_cmpuint (tiled, >, 0);
  g_assert_cmpuint (fused, >, 0);
  ls_backend_cpu.close (cpu);

  for (guint i = 0; i < plan->n_params; i++)
    parameters += ls_tensor_count (&plan->tensors[plan->params[i].weight]);
  g_assert_cmpint (parameters, ==, wanted);
  g_auto (GStrv) words = g_strsplit_set (lines[4 + plan->n_ops], ":,;", -1);
  g_autofree char *ops = g_strdup_printf (" %u ops", plan->n_ops),
                  *all = g_strdup_printf (" %.2f FLOP/byte", (double) plan->flops / (double) plan->bytes),
                  *count = g_strdup_printf (" %d parameters", (int) parameters);
  g_assert_cmpuint (g_strv_length (words), ==, 7);
  g_assert_cmpstr (words[0], ==, step);
  g_assert_cmpstr (words[1], ==, ops);
  g_assert_cmpstr (words[4], ==, all);
  g_assert_cmpstr (words[5], ==, count);
  static const char *const ends[] = { " FLOP", " bytes moved", " bytes." };
  const gint64 values[] = { plan->flops, plan->bytes, (gint64) plan->arena_bytes };
  for (guint i = 0; i < 3; i++)
    {
      char *part = words[i < 2 ? 2 + i : 6];
      g_assert_true (g_str_has_suffix (part, ends[i]));
      part[strlen (part) - strlen (ends[i])] = '\0';
      assert_short (ends[i],
                    i == 2 && g_str_has_prefix (part, " all tensors together ")
                      ? part + strlen (" all tensors together ")
                      : part + 1,
                    values[i]);
    }
}

static void
test_plan (void)
{
  check_plan ("spiral", "flatten, dense 80, relu, dense 3", 512, 2 * 80 + 80 + 80 * 3 + 3, "4×1 tiles of ");
  /* 15 MFLOP of a weight gradient are added up in eight parts */
  check_plan ("mnist", "conv 8 5, flatten, dense 10", 64, 8 * 25 + 8 + 8 * 24 * 24 * 10 + 10,
              ", sum in 8 parts, ");
}

static gint64
whole (const json_t *json, const char *name)
{
  return json_integer_value (json_object_get (json, name));
}

/* The same as JSON: each op, and how each is cut, by the names that others read; as the lane has it, or all
 * have. */
static void
test_plan_json (gconstpointer lanes)
{
  static const char *const phases[] = { "input", "forward", "loss", "backward", "update" };
  g_autoptr (LsData) data = ls_data_load ("spiral", 1, NULL);
  g_autoptr (LsModel) model = ls_model_parse ("flatten, dense 80, relu, dense 3", NULL);
  g_autoptr (LsPlan) plan = ls_plan_new (model, data->train.shape, data->n_classes, 512, LS_OPTIMIZER_SGD,
                                         NULL);
  g_autoptr (LsOptions) options = ls_options_new ();
  g_autofree char *path = g_build_filename (g_getenv ("XDG_DATA_HOME"), "plan.json", NULL), *text = NULL,
                  *words = g_strdup_printf (
                    "plan|--model|flatten, dense 80, relu, dense 3|--data|spiral|--batch|512|%s|--json|%s",
                    (const char *) lanes, path);
  g_auto (Captured) said = run (words);
  guint apart = 0;
  gsize length;

  g_assert_cmpstr (said.err, ==, "");
  options->batch = 512;
  g_assert_true (ls_options_set (options, ls_options_find ("tiles-per-op"), "6", NULL));
  gpointer cpu = ls_backend_cpu.open (options, 0, NULL);
  g_assert_true (ls_backend_cpu.prepare (cpu, plan, data, NULL));
  const LsTiling *tilings = ls_backend_cpu.tilings (cpu);
  g_assert_true (g_file_get_contents (path, &text, &length, NULL));
  g_autoptr (json_t) json = ls_json_parse (text, length, length, JSON_OBJECT, NULL);
  const json_t *ops = json_object_get (json, "ops"),
               *cuts = json_object_get (json_object_get (json_object_get (json, "lanes"), "cpu"), "tilings");

  g_assert_cmpstr (json_string_value (json_object_get (json, "format")), ==, "lockstep-plan");
  g_assert_cmpstr (json_string_value (json_object_get (json, "evidence")), ==, "derived");
  g_assert_cmpstr (json_string_value (json_object_get (json, "model")), ==,
                   "flatten, dense 80, relu, dense 3");
  g_assert_cmpint (whole (json, "flop"), ==, plan->flops);
  g_assert_cmpint (whole (json, "bytes"), ==, plan->bytes);
  g_assert_cmpuint (json_array_size (ops), ==, plan->n_ops);
  g_assert_cmpuint (json_array_size (cuts), ==, plan->n_ops);
  for (guint i = 0; i < plan->n_ops; i++)
    {
      const LsOp *op = &plan->ops[i];
      const LsTensor *out = &plan->tensors[op->out[0]];
      const LsTiling *t = &tilings[i];
      const json_t *one = json_array_get (ops, i), *cut = json_array_get (cuts, i),
                   *shape = json_object_get (one, "shape");

      g_assert_cmpstr (json_string_value (json_object_get (one, "op")), ==, op->klass->name);
      g_assert_cmpstr (json_string_value (json_object_get (one, "phase")), ==, phases[op->phase]);
      g_assert_cmpstr (json_string_value (json_object_get (one, "symbol")), ==, op->symbol);
      g_assert_cmpstr (json_string_value (json_object_get (one, "equation")), ==, op->equation);
      g_assert_cmpint (whole (one, "layer"), ==, op->layer);
      g_assert_cmpint (whole (one, "flop"), ==, op->flops);
      g_assert_cmpint (whole (one, "bytes"), ==, op->bytes);
      g_assert_cmpuint (json_array_size (shape), ==, out->rank);
      for (guint d = 0; d < out->rank; d++)
        g_assert_cmpint (json_integer_value (json_array_get (shape, d)), ==, out->shape[d]);
      g_assert_cmpint (whole (cut, "leader"), ==, t->leader);
      g_assert_cmpint (json_is_true (json_object_get (cut, "reference")), ==, t->reference);
      if (t->leader != i)
        continue;
      g_assert_cmpstr (json_string_value (json_object_get (cut, "kernel")), ==, t->kernel);
      g_assert_cmpint (whole (cut, "rows"), ==, t->rows);
      g_assert_cmpint (whole (cut, "cols"), ==, t->cols);
      g_assert_cmpint (whole (cut, "tile_rows"), ==, t->tile_rows);
      g_assert_cmpint (whole (cut, "tile_cols"), ==, t->tile_cols);
      g_assert_cmpint (whole (cut, "grid_rows"), ==, t->grid_rows);
      g_assert_cmpint (whole (cut, "grid_cols"), ==, t->grid_cols);
      g_assert_cmpint (whole (cut, "splits"), ==, t->splits);
      apart += t->tile_rows != t->tile_cols && t->grid_rows != t->grid_cols;
    }
  g_assert_cmpuint (apart, >, 1); /* none of them can stand for another */
  ls_backend_cpu.close (cpu);
}

/* ---- bench ---- */

static void
bench_cb (gconstpointer data)
{
  const LsRecordingCost costs[] = {
    { .percent = { 12.345, "%", LS_EVIDENCE_MEASURED, 9, -1.25, 34.56 }, .events = 1234 },
    { .percent = { .n = 0 }, .events = 7 },
  };

  ls_bench_print_recording ("CPU lane", &costs[0]);
  ls_bench_print_recording ("OpenCL lane", &costs[1]);
}

static void
test_recording_cost (void)
{
  g_auto (Captured) said = capture (bench_cb, NULL);

  assert_lines ("what recording costs", said.out,
                "CPU lane: a recorded step takes +12.3 % [-1.2 … +34.6] more time and holds 1234 events.\n");
}

/* ---- tune ---- */

static LsTunedEntry *
entry_of (const char *op, const char *device, const char *words, double us, double shipped_us,
          const char *date)
{
  LsTunedEntry *e = g_new0 (LsTunedEntry, 1);

  e->platform = g_strdup ("Invented platform");
  e->device = g_strdup (device);
  e->driver = g_strdup ("driver 7");
  e->op = g_strdup (op);
  e->shape = g_strdup ("nt 128×256×1024");
  e->source = g_strnfill (64, 'a');
  e->rung = g_strdup ("packed");
  e->shipped_words = g_strdup ("packed VEC=16");
  e->words = g_strdup (words);
  e->example = g_strdup ("128×256 = 128×784 · (256×784)ᵀ");
  e->us = (LsFigure){ us, "µs", LS_EVIDENCE_MEASURED, 9, us - 1, us + 1, 0, NULL };
  e->shipped_us = (LsFigure){ shipped_us, "µs", LS_EVIDENCE_MEASURED, 8, shipped_us - 2, shipped_us + 2,
                              0,          NULL };
  e->tried = 17;
  e->refused = 3;
  e->date = g_strdup (date);
  return e;
}

/* A table for each device, the longest op first. */
static void
test_tuned (void)
{
  g_autoptr (GPtrArray) entries = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_tuned_entry_free);
  g_autoptr (GError) error = NULL;
  guint forgotten = 0;

  ls_tuned_forget (&forgotten, NULL);
  g_auto (Captured) none = run ("tune|--list");
  assert_lines ("nothing is kept", none.out,
                "Nothing has been tuned on this machine; the shipped parameters run.\n");
  g_ptr_array_add (entries,
                   entry_of ("relu", "Device B, 2.0", "packed VEC=16", 12.344, 12.344, "2026-02-03"));
  g_ptr_array_add (entries, entry_of ("matmul", "Device A, 3.0", "packed VEC=8", 50.5, 126.25, "2026-01-02"));
  g_ptr_array_add (entries,
                   entry_of ("conv2d", "Device A, 3.0", "register 64×64", 100.25, 110.5, "2026-01-02"));
  g_assert_true (ls_tuned_keep (entries, &error));
  g_assert_no_error (error);
  g_autofree char *path = ls_tuned_path (),
                  *kept = g_strdup_printf ("Kept in %s; --tuned=off trains without them.\n", path),
                  *expected = g_strconcat (
                    "Device A, 3.0, driver 7, tuned on 2026-01-02\n\n"
                    "Op      shape                           kernel               µs [middle half]           "
                    " shipped, µs  times as fast  tried, refused\n"
                    "conv2d  128×256 = 128×784 · (256×784)ᵀ  register 64×64  100.2 [99.25 … 101.2]  110.5 "
                    "[108.5 … 112.5]           1.10           17, 3\n"
                    "matmul  128×256 = 128×784 · (256×784)ᵀ  packed VEC=8    50.50 [49.50 … 51.50]  126.2 "
                    "[124.2 … 128.2]           2.50           17, 3\n\n"
                    "Device B, 2.0, driver 7, tuned on 2026-02-03\n\n"
                    "Op    shape                           kernel              µs [middle half]            "
                    "shipped, µs    times as fast  tried, refused\n"
                    "relu  128×256 = 128×784 · (256×784)ᵀ  packed VEC=16  12.34 [11.34 … 13.34]  12.34 "
                    "[10.34 … 14.34]  shipped is best           17, 3\n\n",
                    kept, NULL);
  g_auto (Captured) said = run ("tune|--list");
  assert_lines ("what is tuned", said.out, expected);
  g_auto (Captured) gone = run ("tune|--forget");
  assert_lines ("what was tuned", gone.out, "3 results forgotten; the shipped parameters run.\n");
}

/* What was tuned under another driver stands in a table of its own, by the drivers' names; in each the ops
 * that take longest come first. */
static void
test_tuned_drivers (void)
{
  g_autoptr (GPtrArray) entries = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_tuned_entry_free);
  static const char *const drivers[] = { "driver 9", "driver 8" };
  g_autoptr (GError) error = NULL;
  guint forgotten = 0;

  for (guint i = 0; i < 4; i++)
    {
      LsTunedEntry *e = entry_of (i / 2 == 0 ? "relu" : "matmul", "Device A, 3.0", "packed VEC=8",
                                  i / 2 == 0 ? 10 : 20, 30, "2026-01-02");
      g_free (e->driver);
      e->driver = g_strdup (drivers[i % 2]);
      g_ptr_array_add (entries, e);
    }
  g_assert_true (ls_tuned_keep (entries, &error));
  g_assert_no_error (error);
  g_auto (Captured) said = run ("tune|--list");
  const char *at = said.out;
  static const char *const order[] = { "Device A, 3.0, driver 8, tuned on 2026-01-02\n", "matmul ", "relu ",
                                       "Device A, 3.0, driver 9, tuned on 2026-01-02\n", "matmul ", "relu " };
  for (guint i = 0; i < G_N_ELEMENTS (order); i++)
    {
      at = strstr (at, order[i]);
      if (at == NULL)
        g_error ("“%s” doesn't come next in “%s”", order[i], said.out);
    }
  ls_tuned_forget (&forgotten, NULL);
  g_assert_cmpuint (forgotten, ==, 4);
}

int
main (int argc, char **argv)
{
  g_autofree char *folder = g_dir_make_tmp ("lockstep-tables-XXXXXX", NULL);

  g_setenv ("XDG_CACHE_HOME", folder, TRUE);
  g_setenv ("XDG_DATA_HOME", folder, TRUE);
  setlocale (LC_ALL, "C.UTF-8");
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/cli/tables/numbers-are-read-back", test_numbers_are_read_back);
  g_test_add_func ("/cli/tables/columns", test_columns);
  g_test_add_func ("/cli/tables/plan", test_plan);
  g_test_add_data_func ("/cli/tables/plan-json", "--lanes|cpu(tiles-per-op=6)", test_plan_json);
  g_test_add_data_func ("/cli/tables/plan-json-of-all", "--tiles-per-op|6|--lanes|cpu", test_plan_json);
  g_test_add_func ("/cli/tables/recording-cost", test_recording_cost);
  g_test_add_func ("/cli/tables/tuned", test_tuned);
  g_test_add_func ("/cli/tables/tuned-drivers", test_tuned_drivers);
  const int status = g_test_run ();
  remove_tree (folder);
  return status;
}
