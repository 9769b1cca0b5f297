/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * `lockstep compare`, `devices` and `export`: what is printed says what the file of --json has, and that
 * follows from the plan, the processor and the recording.
 */
#include "written.h"

#include <locale.h>
#include <math.h>
#include <string.h>

#include "backends/backend.h"
#include "backends/opencl/child/discovery.h"
#include "backends/opencl/kernels/tuned.h"
#include "data/dataset.h"
#include "files/export.h"
#include "files/recording.h"
#include "model/plan.h"
#include "train/coordinator.h"

static const char *
text_of (const json_t *object, const char *name)
{
  return json_string_value (json_object_get (object, name));
}

static gint64
whole_of (const json_t *object, const char *name)
{
  return json_integer_value (json_object_get (object, name));
}

/* ---- compare ---- */

#define COMPARED                                                                                             \
  "compare|--data|xor|--model|flatten, dense 5, relu, dense 2|--batch|8|--lanes|cpu,reference|--steps|"

typedef enum { WHOLE, VALUE, SMALL, SHARE } Kind;

/* (transfer full) */
static char *
number_text (Kind kind, double value)
{
  return kind == WHOLE   ? g_strdup_printf ("%.0f", value)
         : kind == VALUE ? g_strdup_printf ("%.7g", value)
         : kind == SMALL ? g_strdup_printf ("%.1e", value)
                         : g_strdup_printf ("%.0f %%", 100 * value);
}

/* A line for each output of each op, counted from 1, lane by lane, with the numbers of the file. */
static void
assert_table (const json_t *rows, char **lines)
{
  static const struct {
    const char *name;
    Kind kind;
  } columns[] = { { "worst", WHOLE }, /* of column 5 on */
                  { "value", VALUE },     { "expected", VALUE }, { "delta", SMALL },
                  { "tolerance", SMALL }, { "relative", SMALL }, { "zeros", SHARE } };
  static const char *const head[] = { "Op",       "what",  "output",   "lane", "verdict",
                                      "worst at", "value", "expected", "|Δ|",  "tolerance",
                                      "‖Δ‖/‖x‖",  "zeros", NULL };
  guint at = 0;

  for (gboolean found = FALSE; !found; at++)
    {
      if (lines[at] == NULL)
        g_error ("there is no table");
      g_auto (GStrv) cells = cells_of (lines[at]);
      found = g_strv_equal ((const char *const *) cells, head);
    }
  for (guint i = 0; i < json_array_size (rows); i++)
    {
      const json_t *row = json_array_get (rows, i);
      g_auto (GStrv) cells = cells_of (lines[at + i]);
      g_autofree char *op = g_strdup_printf ("%" G_GINT64_FORMAT, whole_of (row, "op") + 1);

      g_assert_cmpuint (g_strv_length (cells), ==, G_N_ELEMENTS (head) - 1);
      assert_cell ("op", i, cells[0], op);
      assert_cell ("class", i, cells[1], text_of (row, "class"));
      assert_cell ("output", i, cells[2], text_of (row, "tensor"));
      assert_cell ("lane", i, cells[3], strcmp (text_of (row, "lane"), "cpu") == 0 ? "CPU" : "Reference");
      assert_cell ("verdict", i, cells[4], text_of (row, "verdict"));
      for (guint c = 0; c < G_N_ELEMENTS (columns); c++)
        {
          g_autofree char *should = number_text (columns[c].kind, number_of (row, columns[c].name, 0));
          assert_cell (columns[c].name, i, cells[5 + c], should);
        }
    }
  g_assert_cmpstr (lines[at + json_array_size (rows)], ==, "");
}

/* Each op's outputs in the plan's order, first of one lane and then of the other. */
static void
assert_outputs (const json_t *rows, const LsPlan *plan)
{
  static const char *const lanes[] = { "cpu", "reference" };
  guint at = 0;

  for (guint l = 0; l < G_N_ELEMENTS (lanes); l++)
    for (guint i = 0; i < plan->n_ops; i++)
      for (guint j = 0; j < plan->ops[i].n_out; j++, at++)
        {
          const json_t *row = json_array_get (rows, at);
          const LsTensor *tensor = &plan->tensors[plan->ops[i].out[j]];
          const double delta = number_of (row, "delta", 0), tolerance = number_of (row, "tolerance", 0);

          g_assert_cmpstr (text_of (row, "lane"), ==, lanes[l]);
          g_assert_cmpint (whole_of (row, "op"), ==, i);
          g_assert_cmpstr (text_of (row, "class"), ==, plan->ops[i].klass->name);
          g_assert_cmpstr (text_of (row, "tensor"), ==, tensor->name);
          g_assert_cmpint (whole_of (row, "worst"), >=, 0);
          g_assert_cmpint (whole_of (row, "worst"), <, ls_tensor_count (tensor));
          if (fabs (fabs (number_of (row, "value", 0) - number_of (row, "expected", 0)) - delta)
              > 1e-9 * delta + 1e-15)
            g_error ("%s: Δ is %g, between %.9g and %.9g", tensor->name, delta, number_of (row, "value", 0),
                     number_of (row, "expected", 0));
          if (delta > tolerance)
            g_error ("%s: it agrees with %g, of which %g is tolerated", tensor->name, delta, tolerance);
          g_assert_cmpstr (text_of (row, "verdict"), ==, "agree");
        }
  g_assert_cmpuint (json_array_size (rows), ==, at);
}

static void
test_compare (void)
{
  g_auto (Captured) said = { 0 }, at_once = { 0 };
  g_autoptr (json_t) root = written_as ("lockstep-comparison", COMPARED "3", &said),
                     first = written_as ("lockstep-comparison", COMPARED "1", &at_once);
  const json_t *rows = json_object_get (root, "comparisons"),
               *others = json_object_get (first, "comparisons");
  g_auto (GStrv) lines = g_strsplit (said.out, "\n", -1);
  g_autoptr (LsData) data = ls_data_load ("xor", 1, NULL);
  g_autoptr (LsModel) model = ls_model_parse ("flatten, dense 5, relu, dense 2", NULL);
  g_autoptr (LsPlan) plan = ls_plan_new (model, data->train.shape, 2, 8, LS_OPTIMIZER_SGD, NULL);
  g_autofree char *counted = g_strdup_printf ("\n%u outputs agree with the reference in double precision, 0 "
                                              "differ, 0 are nearly all zero, so that nothing can be told.\n",
                                              (guint) json_array_size (rows));
  guint moved = 0;

  g_assert_cmpint (said.status, ==, 0);
  assert_outputs (rows, plan);
  assert_table (rows, lines);
  if (!g_str_has_suffix (said.out, counted))
    g_error ("it doesn't end with “%s”:\n%s", counted, said.out);
  /* another step's numbers, of the same outputs */
  g_assert_cmpuint (json_array_size (others), ==, json_array_size (rows));
  for (guint i = 0; i < json_array_size (rows); i++)
    moved += number_of (json_array_get (rows, i), "expected", 0)
             != number_of (json_array_get (others, i), "expected", 0);
  if (moved < json_array_size (rows) / 2)
    g_error ("after three steps %u outputs have other numbers than after one", moved);
}

/* Of outputs that are zero nearly everywhere, as behind a dropout of 99 %, nothing can be told, which is no
 * difference. */
static void
test_compare_zeros (void)
{
  g_auto (Captured) said = { 0 };
  g_autoptr (json_t) root = written_as ("lockstep-comparison",
                                        "compare|--data|xor|--model|flatten, dense 64, relu, dropout 0.99, "
                                        "dense 2|--batch|8|--lanes|cpu|--steps|1",
                                        &said);
  const json_t *rows = json_object_get (root, "comparisons");
  guint untold = 0;

  for (guint i = 0; i < json_array_size (rows); i++)
    {
      const json_t *row = json_array_get (rows, i);
      const char *wanted = number_of (row, "zeros", 0) > .95 ? "cannot tell" : "agree";

      if (strcmp (text_of (row, "verdict"), wanted) != 0)
        g_error ("%s, of which %g is zero: “%s”, not “%s”", text_of (row, "tensor"),
                 number_of (row, "zeros", 0), text_of (row, "verdict"), wanted);
      untold += strcmp (wanted, "agree") != 0;
    }
  g_assert_cmpuint (untold, >, 0);
  g_autofree char *counted = g_strdup_printf (
    " 0 differ, %u are nearly all zero, so that nothing can be told.\n", untold);
  if (!g_str_has_suffix (said.out, counted))
    g_error ("it doesn't end with “%s”:\n%s", counted, said.out);
  if (said.status != 0)
    g_error ("its status is %d, though no output differs", said.status);
}

static gboolean one_differs; /* the last output of all is found to */

GArray *__real_ls_coordinator_compare (LsCoordinator *self, GError **error);
GArray *__wrap_ls_coordinator_compare (LsCoordinator *self, GError **error);

GArray *
__wrap_ls_coordinator_compare (LsCoordinator *self, GError **error)
{
  GArray *all = __real_ls_coordinator_compare (self, error);

  if (one_differs && all != NULL)
    g_array_index (all, LsComparison, all->len - 1).verdict = LS_VERDICT_DIFFER;
  return all;
}

/* One output that differs among all that agree is a failure, for scripts, too. */
static void
test_compare_differs (void)
{
  one_differs = TRUE;
  g_auto (Captured) said = run (COMPARED "1");
  one_differs = FALSE;
  if (strstr (said.out, ", 1 differs, 0 are nearly all zero") == NULL)
    g_error ("one output differs, and it says:\n%s", said.out);
  if (said.status != 1)
    g_error ("one output differs, and the exit status is %d", said.status);
}

static void
test_compare_refused (void)
{
  g_auto (Captured) none = run ("compare|--lanes|cpu|--data|/nonexistent|--steps|1");

  g_assert_cmpint (none.status, ==, 2);
  g_assert_cmpstr (none.out, ==, "");
  g_assert_true (g_str_has_prefix (none.err, "lockstep compare: "));
  g_assert_nonnull (strstr (none.err, "/nonexistent"));
}

/* ---- devices ---- */

/* The text of a fact's line; NULL: there is none. (transfer full) */
static char *
fact_of (char **lines, const char *name)
{
  for (; *lines != NULL; lines++)
    {
      g_auto (GStrv) cells = cells_of (*lines);

      if (g_str_has_prefix (*lines, "   ") && g_strcmp0 (cells[0], name) == 0)
        return g_strdup (cells[1]);
    }
  return NULL;
}

static void
assert_fact (char **lines, const char *name, const char *should)
{
  g_autofree char *text = fact_of (lines, name);

  if (g_strcmp0 (text, should) != 0)
    g_error ("“%s” is “%s”, and should be “%s”", name, text != NULL ? text : "(left out)",
             should != NULL ? should : "(left out)");
}

/* The processor as its lane describes it, and why there is no other device. */
static void
test_devices (void)
{
  g_auto (Captured) said = { 0 };
  g_autoptr (json_t) root = written_as ("lockstep-devices", "devices|--threads|1", &said);
  const json_t *json = json_object_get (json_object_get (root, "cpu"), "device"),
               *facts = json_object_get (json, "facts"), *value;
  g_autoptr (LsOptions) options = ls_options_new ();
  g_assert_true (ls_options_set (options, ls_options_find ("threads"), "1", NULL));
  gpointer cpu = ls_backend_cpu.open (options, 0, NULL);
  const LsDeviceInfo *device = ls_backend_cpu.device (cpu);
  g_autoptr (GHashTable) words = ls_device_info_words (device);
  g_auto (GStrv) lines = g_strsplit (said.out, "\n", -1);
  g_autofree char *head = g_strdup_printf ("CPU lane: %s", device->name),
                  *units = g_strdup_printf ("%d", (int) device->units);
  const char *name;

  g_assert_cmpint (said.status, ==, 0);
  g_assert_cmpstr (lines[0], ==, head);
  g_assert_cmpstr (text_of (json, "name"), ==, device->name);
  assert_fact (lines, "kind", "CPU");
  g_assert_cmpstr (text_of (json, "kind"), ==, "CPU");
  assert_fact (lines, "driver", device->driver);
  g_assert_cmpstr (text_of (json, "driver"), ==, device->driver);
  assert_fact (lines, "workers", "1");
  g_assert_cmpint (whole_of (json, "threads"), ==, 1);
  assert_fact (lines, "compute units", units);
  g_assert_cmpint (whole_of (json, "units"), ==, device->units);
  assert_fact (lines, "work-groups tell", "threads");
  g_assert_cmpstr (text_of (json, "tells"), ==, "threads");
  assert_fact (lines, "cores", "those of the CPU lane: the lanes take turns");
  g_assert_true (json_is_true (json_object_get (json, "shares_cpu")));
  assert_fact (lines, "memory", NULL); /* it isn't known to be the lane's */
  g_assert_null (json_object_get (json, "global_mem_bytes"));
  g_assert_cmpuint (json_object_size (facts), ==, g_hash_table_size (words));
  json_object_foreach ((json_t *) facts, name, value)
    {
      if (strcmp (name, "stamp-ns") != 0) /* which is measured anew */
        g_assert_cmpstr (json_string_value (value), ==, g_hash_table_lookup (words, name));
      assert_fact (lines, name, json_string_value (value));
    }
  g_assert_cmpuint (json_array_size (json_object_get (root, "opencl")), ==, 0);
  g_assert_cmpstr (text_of (root, "opencl_message"), ==, "no OpenCL driver is installed");
  if (!g_str_has_suffix (said.out, "\n\nOpenCL: no OpenCL driver is installed.\n"))
    g_error ("it doesn't say that there is no OpenCL driver:\n%s", said.out);
  ls_backend_cpu.close (cpu);
}

static guint invented; /* so many devices are there, which nobody has: the drivers' versions count from 7 */

GPtrArray *__real_ls_cl_discover_list (char **verdict);
GPtrArray *__wrap_ls_cl_discover_list (char **verdict);

GPtrArray *
__wrap_ls_cl_discover_list (char **verdict)
{
  GPtrArray *list;

  if (invented == 0)
    return __real_ls_cl_discover_list (verdict);
  list = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_device_info_free);
  for (guint i = 0; i < invented; i++)
    {
      LsDeviceInfo *info = ls_device_info_new ("opencl");

      info->who = LS_BACKEND_OPENCL;
      info->name = g_strdup ("Invented GPU");
      info->version = g_strdup ("3.0");
      info->driver = g_strdup_printf ("driver %u", 7 + i);
      g_ptr_array_add (list, info);
    }
  *verdict = NULL;
  return list;
}

static void
add_tuned (GPtrArray *entries, const char *op, const char *device, const char *driver, const char *date)
{
  LsTunedEntry *e = g_new0 (LsTunedEntry, 1);

  e->platform = g_strdup ("Invented platform");
  e->device = g_strdup (device);
  e->driver = g_strdup (driver);
  e->op = g_strdup (op);
  e->shape = g_strdup ("nt 128×256×1024");
  e->source = g_strnfill (64, 'a');
  e->rung = g_strdup ("packed");
  e->shipped_words = g_strdup ("packed VEC=16");
  e->words = g_strdup ("packed VEC=8");
  e->example = g_strdup ("128×256 = 128×784 · (256×784)ᵀ");
  e->us = e->shipped_us = (LsFigure){ 20, "µs", LS_EVIDENCE_MEASURED, 9, 19, 21, 0, NULL };
  e->tried = 17;
  e->date = g_strdup (date);
  g_ptr_array_add (entries, e);
}

/* What was tuned for this very device and driver is counted, with the newest day of all, in whichever order
 * the file has them. Each device has its place on the page and in the file. */
static void
test_devices_tuned (void)
{
  static const char *const tuned[] = { "3 ops and shapes, last on 2026-04-05",
                                       "1 op and shape, last on 2026-05-06", NULL };
  g_autoptr (GPtrArray) entries = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_tuned_entry_free);

  add_tuned (entries, "relu", "Invented GPU, 3.0", "driver 7", "2026-02-03");
  add_tuned (entries, "matmul", "Invented GPU, 3.0", "driver 7", "2026-04-05");
  add_tuned (entries, "conv2d", "Invented GPU, 3.0", "driver 7", "2026-03-04");
  add_tuned (entries, "conv2d", "Invented GPU, 3.0", "driver 8", "2026-05-06");
  add_tuned (entries, "conv2d", "Other GPU, 3.0", "driver 7", "2026-06-07");
  g_assert_true (ls_tuned_keep (entries, NULL));
  g_auto (Captured) said = { 0 };
  invented = 3;
  g_autoptr (json_t) root = written_as ("lockstep-devices", "devices|--threads|1", &said);
  invented = 0;
  g_assert_cmpuint (json_array_size (json_object_get (root, "opencl")), ==, 3);
  for (guint i = 0; i < 3; i++)
    {
      const json_t *one = json_array_get (json_object_get (root, "opencl"), i);
      g_autofree char *driver = g_strdup_printf ("driver %u", 7 + i),
                      *head = g_strdup_printf ("\nOpenCL device %u: Invented GPU\n", i);
      const char *at = strstr (said.out, head);
      g_auto (GStrv) lines = g_strsplit (at != NULL ? at : "", "\n", -1);

      assert_fact (lines, "driver", driver);
      assert_fact (lines, "tuned", tuned[i]);
      g_assert_cmpstr (text_of (json_object_get (one, "device"), "driver"), ==, driver);
    }
  g_assert_null (strstr (said.out, "\nOpenCL: ")); /* nothing is wrong with the drivers */
  g_auto (Captured) listed = run ("tune|--list");
  if (strstr (listed.out, "Invented GPU, 3.0, driver 7, tuned on 2026-04-05\n") == NULL)
    g_error ("the list has another day than the newest one, 2026-04-05:\n%s", listed.out);
}

/* ---- export ---- */

/* Both files of a recording, each said when it is there; the second one isn't written where the first can't
 * be. */
static void
test_export (void)
{
  g_autofree char *folder = g_dir_make_tmp ("lockstep-compare-XXXXXX", NULL),
                  *recorded = record_run (folder, 4), *csv = g_build_filename (folder, "a.csv", NULL),
                  *trace = g_build_filename (folder, "a.json", NULL),
                  *both = g_strdup_printf ("export|%s|--csv|%s|--perfetto|%s", recorded, csv, trace),
                  *none = g_strdup_printf ("export|%s/no.lockstep|--csv|%s", folder, csv),
                  *saved = g_strdup_printf ("Saved %s\nSaved %s\n", trace, csv), *is = NULL, *its = NULL;
  g_autoptr (LsRecording) recording = ls_recording_load (recorded, NULL);
  g_autoptr (GString) should = ls_export_csv (recording), its_should = ls_export_perfetto (recording);
  g_auto (Captured) said = run (both);
  gsize n, its_n;

  g_assert_cmpint (said.status, ==, 0);
  g_assert_cmpstr (said.out, ==, saved);
  g_assert_true (g_file_get_contents (csv, &is, &n, NULL));
  g_assert_true (g_file_get_contents (trace, &its, &its_n, NULL));
  g_assert_cmpuint (n, ==, should->len); /* and nothing behind */
  g_assert_cmpuint (its_n, ==, its_should->len);
  assert_lines ("the CSV", is, should->str);
  assert_lines ("the trace", its, its_should->str);
  g_assert_cmpint (g_unlink (csv), ==, 0);
  g_auto (Captured) refused = run (none);
  g_assert_cmpint (refused.status, ==, 1);
  g_assert_cmpstr (refused.out, ==, "");
  g_assert_nonnull (strstr (refused.err, "no.lockstep"));
  g_assert_false (g_file_test (csv, G_FILE_TEST_EXISTS));
  remove_tree (folder);
}

int
main (int argc, char **argv)
{
  g_autofree char *cache = g_dir_make_tmp ("lockstep-compare-XXXXXX", NULL);

  g_setenv ("XDG_CACHE_HOME", cache, TRUE);
  g_setenv ("OCL_ICD_VENDORS", "/nonexistent", TRUE);
  setlocale (LC_ALL, "C.UTF-8");
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/compare/table", test_compare);
  g_test_add_func ("/compare/zeros", test_compare_zeros);
  g_test_add_func ("/compare/differs", test_compare_differs);
  g_test_add_func ("/compare/refused", test_compare_refused);
  g_test_add_func ("/compare/devices", test_devices);
  g_test_add_func ("/compare/devices-tuned", test_devices_tuned);
  g_test_add_func ("/compare/export", test_export);
  const int status = g_test_run ();
  remove_tree (cache);
  return status;
}
