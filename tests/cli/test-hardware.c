/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * `lockstep hardware`: what is printed and written, held against the catalogue.
 */
#include "written.h"

#include <locale.h>
#include <string.h>

#include "data/datadir.h"
#include "machines/hardware.h"

static LsCatalogue *
load (void)
{
  g_autoptr (GError) error = NULL;
  LsCatalogue *catalogue = ls_catalogue_load (NULL, &error);

  g_assert_no_error (error);
  return catalogue;
}

/* The table's cell is that figure in the column's unit, with a star if it is derived, or a dash. */
static void
assert_shows (const char *cell, const LsHardware *device, const char *column, const LsFigure *figure,
              double unit)
{
  char *end;
  const double value = g_ascii_strtod (cell, &end);

  if (figure->n == 0)
    {
      if (strcmp (cell, "–") != 0)
        g_error ("%s, %s: “%s”, but nothing is published", device->name, column, cell);
      return;
    }
  if (ABS (value * unit / figure->value - 1) > 5e-4)
    g_error ("%s, %s: “%s” isn't %g %s", device->name, column, cell, figure->value, figure->unit);
  if (strcmp (end, figure->evidence == LS_EVIDENCE_DERIVED ? "*" : "") != 0)
    g_error ("%s, %s: “%s” doesn't say that it is %s", device->name, column, cell,
             ls_evidence_name (figure->evidence));
}

static void
test_list (void)
{
  static const char *const heads[]
    = { "Device", "TFLOP/s fp32", "in 16 bits", "GB", "GB/s", "W", "USD", NULL };
  static const LsHardwareKind kinds[] = { LS_HARDWARE_MEMORY, LS_HARDWARE_BANDWIDTH, LS_HARDWARE_POWER,
                                          LS_HARDWARE_PRICE };
  g_autoptr (LsCatalogue) catalogue = load ();
  g_auto (Captured) said = run ("hardware");
  g_auto (GStrv) lines = g_strsplit (said.out, "\n", -1), head = cells_of (lines[0]);

  g_assert_cmpstr (said.err, ==, "");
  g_assert_true (g_strv_equal ((const char *const *) head, heads));
  for (guint i = 0; i < catalogue->devices->len; i++)
    {
      const LsHardware *device = catalogue->devices->pdata[i];
      g_auto (GStrv) cells = cells_of (lines[i + 1]);
      const LsFigure fp32 = ls_hardware_peak (device, LS_NUMBERS_FP32),
                     fp16 = ls_hardware_peak (device, LS_NUMBERS_FP16),
                     bf16 = ls_hardware_peak (device, LS_NUMBERS_BF16);

      g_assert_cmpuint (g_strv_length (cells), ==, G_N_ELEMENTS (heads) - 1);
      g_assert_cmpstr (cells[0], ==, device->name);
      assert_shows (cells[1], device, heads[1], &fp32, 1e12);
      assert_shows (cells[2], device, heads[2], fp16.value >= bf16.value ? &fp16 : &bf16, 1e12);
      for (guint k = 0; k < G_N_ELEMENTS (kinds); k++)
        {
          const LsFigure figure = ls_hardware_figure (device, kinds[k]);
          assert_shows (cells[3 + k], device, heads[3 + k], &figure, k < 2 ? 1e9 : 1);
        }
    }
  g_assert_nonnull (strstr (said.out, "*: derived from cores"));
}

/* In a catalogue of one's own a figure may be larger than any here: it has all its digits, and no power of
 * ten. */
static void
test_large (void)
{
  g_autofree char *folder = g_dir_make_tmp ("lockstep-hardware-XXXXXX", NULL),
                  *path = g_build_filename (folder, "hardware.json", NULL),
                  *shipped = ls_data_dir_find ("hardware.json"), *text = NULL;
  g_autoptr (GString) own = NULL;

  g_assert_true (g_file_get_contents (shipped, &text, NULL, NULL));
  own = g_string_new (text);
  g_assert_cmpuint (g_string_replace (own, "\"value\": 7890,", "\"value\": 27890,", 0), ==, 1);
  g_assert_cmpuint (
    g_string_replace (own, "\"value\": 5000, \"unit\": \"USD\"", "\"value\": 9999.5, \"unit\": \"USD\"", 0),
    ==, 1);
  g_assert_true (g_file_set_contents (path, own->str, -1, NULL));
  g_setenv ("LOCKSTEP_DATA_DIR", folder, TRUE);
  g_auto (Captured) said = run ("hardware");
  g_unsetenv ("LOCKSTEP_DATA_DIR");
  remove_tree (folder);
  g_assert_cmpstr (said.err, ==, "");
  if (strstr (said.out, " 27890\n") == NULL || strstr (said.out, " 10000\n") == NULL
      || strstr (said.out, "e+") != NULL)
    g_error ("prices of 27890 and 9999.5 USD aren't there as 27890 and 10000:\n%s", said.out);
}

/* Each figure in its line, with a number that leads to its source below. */
static void
test_device (void)
{
  g_autoptr (LsCatalogue) catalogue = load ();
  const LsHardware *device = ls_catalogue_find (catalogue, "a100 80", NULL);
  g_auto (Captured) said = run ("hardware|a100 80");
  g_auto (GStrv) lines = g_strsplit (said.out, "\n", -1);

  g_assert_cmpstr (lines[0], ==, "NVIDIA A100 SXM4 80 GB, graphics card");
  for (guint i = 0; i < device->n_figures; i++)
    {
      const LsHardwareFigure *figure = &device->figures[i];
      g_auto (GStrv) cells = cells_of (lines[1 + i]);
      g_autofree char *title
        = g_strdup_printf ("%s%s%s", ls_hardware_kind_title (figure->kind), figure->numbers > 0 ? " " : "",
                           ls_numbers_names[figure->numbers]),
        *value = g_strdup_printf ("%g%s%s", figure->value, ls_hardware_kind_counts (figure->kind) ? "" : " ",
                                  ls_hardware_kind_counts (figure->kind) ? "" : figure->unit),
        *quote = g_strdup_printf ("“%s”", figure->quote);
      const guint n = g_strv_length (cells);
      g_autofree char *source = g_strdup_printf ("\n%s %s\n    %s\n", cells[n - 2], figure->source->title,
                                                 figure->source->address);

      assert_cell ("what", i, cells[0], title);
      assert_cell ("value", i, cells[1], value);
      assert_cell ("quote", i, cells[n - 1], quote);
      for (guint left = figure->means; left != 0; left &= left - 1)
        if (strstr (cells[2], ls_means_title ((LsMeans) (left & -left))) == NULL)
          g_error ("“%s” doesn't say “%s”", lines[1 + i], ls_means_title ((LsMeans) (left & -left)));
      if (strstr (said.out, source) == NULL)
        g_error ("“%s” leads to no source: %s", lines[1 + i], source);
    }
  g_assert_nonnull (strstr (said.out, "    seen 2026-11-23\n"));
}

static void
test_derived (void)
{
  g_auto (Captured) said = run ("hardware|epyc 7763"), copy = run ("hardware|k80");

  g_assert_nonnull (g_strstr_len (said.out, -1, "compute fp64"));
  g_assert_nonnull (strstr (said.out, "2508.8 GFLOP/s  derived: cores × clock × FLOP per core and clock"));
  g_assert_null (strstr (said.out, "compute fp32"));
  g_assert_nonnull (strstr (copy.out, "    read in a copy: http://"));
  g_assert_nonnull (strstr (copy.out, "dense, boost clock, vectors; of both its GPUs together"));
}

/* ---- whatever is in the catalogue ---- */

/* "dense, boost clock; of both its GPUs together" (transfer full) */
static char *
means_of (const LsHardwareFigure *figure)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint bit = 0; bit < 32; bit++)
    if (figure->means & 1u << bit)
      g_string_append_printf (text, "%s%s", text->len > 0 ? ", " : "",
                              ls_means_title ((LsMeans) (1u << bit)));
  if (figure->note != NULL)
    g_string_append_printf (text, "%s%s", text->len > 0 ? "; " : "", figure->note);
  return g_strdup (text->str);
}

/* Each source once, under the number that its figures have, with all that is known of it. (transfer full) */
static char *
sources_of (const GPtrArray *sources)
{
  g_autoptr (GString) text = g_string_new ("\n");

  for (guint i = 0; i < sources->len; i++)
    {
      const LsHardwareSource *source = sources->pdata[i];

      g_string_append_printf (text, "[%u] %s\n    %s\n", i + 1, source->title, source->address);
      if (source->copy != NULL)
        g_string_append_printf (text, "    read in a copy: %s\n", source->copy);
      if (source->published != NULL)
        g_string_append_printf (text, "    published %s, seen %s\n", source->published, source->seen);
      else
        g_string_append_printf (text, "    seen %s\n", source->seen);
    }
  return g_strdup (text->str);
}

/* The device's lines from that one on; returns the one after them. */
static guint
assert_lines_of (const LsHardware *device, char **lines, guint at, GPtrArray *sources)
{
  g_autofree char *head = g_strdup_printf ("%s, %s", device->name, ls_hardware_sort_title (device->sort));

  g_assert_cmpstr (lines[at], ==, head);
  at++;
  for (guint i = 0; i < device->n_figures; i++, at++)
    {
      const LsHardwareFigure *figure = &device->figures[i];
      g_auto (GStrv) cells = cells_of (lines[at]);
      g_autofree char *means = means_of (figure), *number = NULL;
      guint source = 0;

      if (!g_ptr_array_find (sources, figure->source, &source))
        {
          source = sources->len;
          g_ptr_array_add (sources, (gpointer) figure->source);
        }
      number = g_strdup_printf ("[%u]", source + 1);
      if (strstr (lines[at], number) == NULL || (*means != '\0' && strcmp (cells[2], means) != 0))
        g_error ("%s: “%s” should say “%s” and %s", device->name, lines[at], means, number);
    }
  for (guint k = LS_NUMBERS_FP64; k < LS_NUMBERS_N; k++)
    {
      const LsFigure peak = ls_hardware_peak (device, (LsNumbers) k);
      g_autofree char *title = g_strdup_printf ("%s %s", ls_hardware_kind_title (LS_HARDWARE_COMPUTE),
                                                ls_numbers_names[k]),
                      *value = g_strdup_printf ("%.6g GFLOP/s", peak.value / 1e9);

      if (peak.n == 0 || peak.evidence != LS_EVIDENCE_DERIVED)
        continue;
      g_auto (GStrv) cells = cells_of (lines[at]);
      assert_cell ("derived", k, cells[0], title);
      assert_cell (device->name, k, cells[1], value);
      assert_cell (device->name, k, cells[2], "derived: cores × clock × FLOP per core and clock");
      at++;
    }
  g_assert_cmpstr (lines[at], ==, "");
  return at + 1;
}

/* Every device by its name, and with it those whose name has the same words: all figures, and below all of
 * them their sources. */
static void
test_each (void)
{
  g_autoptr (LsCatalogue) catalogue = load ();
  guint most = 0;

  for (guint i = 0; i < catalogue->devices->len; i++)
    {
      const LsHardware *device = catalogue->devices->pdata[i];
      g_autoptr (GPtrArray) found = ls_catalogue_search (catalogue, device->name),
                            sources = g_ptr_array_new ();
      g_autofree char *line = g_strdup_printf ("hardware|%s", device->name), *below = NULL;
      g_auto (Captured) said = run (line);
      g_auto (GStrv) lines = g_strsplit (said.out, "\n", -1);
      guint at = 0;

      g_assert_cmpint (said.status, ==, 0);
      g_assert_true (g_ptr_array_find (found, device, NULL));
      for (guint k = 0; k < found->len; k++)
        at = assert_lines_of (found->pdata[k], lines, at, sources);
      below = sources_of (sources);
      if (!g_str_has_suffix (said.out, below))
        g_error ("%s: below it should say%sand says\n%s", device->name, below, said.out);
      most = MAX (most, sources->len);
    }
  g_assert_cmpuint (most, >, 1);
}

static void
test_unknown (void)
{
  g_auto (Captured) none = run ("hardware|abacus"), empty = run ("hardware| "), two = run ("hardware|a100|b");

  g_assert_cmpstr (none.out, ==, "");
  assert_lines (
    "unknown", none.err,
    "lockstep hardware: There is no device “abacus” in the catalogue; “lockstep hardware” lists them.\n");
  g_assert_nonnull (strstr (empty.err, "There is no device “ ”"));
  g_assert_nonnull (strstr (two.err, "“b” is one word too many."));
}

/* ---- JSON ---- */

static void
assert_text (const char *device, const json_t *object, const char *name, const char *expected)
{
  const char *text = json_string_value (json_object_get (object, name));

  if (g_strcmp0 (text, expected) != 0)
    g_error ("%s: “%s” is “%s”, and should be “%s”", device, name, text, expected);
}

/* What it is of, its value without a prefix, how it is known, what it means, and who says so in what words.
 */
static void
assert_figure (const char *device, const json_t *json, const LsHardwareFigure *figure)
{
  const json_t *source = json_object_get (json, "source"), *means = json_object_get (json, "means");
  guint n = 0;

  assert_text (device, json, "what", ls_hardware_kind_name (figure->kind));
  assert_text (device, json, "numbers",
               figure->numbers == LS_NUMBERS_UNTOLD ? NULL : ls_numbers_names[figure->numbers]);
  g_assert_cmpfloat (json_number_value (json_object_get (json, "value")), ==, figure->figure.value);
  assert_text (device, json, "unit", figure->figure.unit);
  assert_text (device, json, "evidence", ls_evidence_name (figure->figure.evidence));
  for (guint bit = 0; bit < 32; bit++)
    if (figure->means & 1u << bit)
      g_assert_cmpstr (json_string_value (json_array_get (means, n++)), ==,
                       ls_means_name ((LsMeans) (1u << bit)));
  g_assert_cmpuint (json_array_size (means), ==, n);
  assert_text (device, json, "quote", figure->quote);
  assert_text (device, json, "note", figure->note);
  assert_text (device, source, "title", figure->source->title);
  assert_text (device, source, "address", figure->source->address);
  assert_text (device, source, "seen", figure->source->seen);
  assert_text (device, source, "published", figure->source->published);
  assert_text (device, source, "copy", figure->source->copy);
}

/* All devices, or those that are meant; each with all that is published of it. */
static void
test_json (void)
{
  static const struct {
    const char *words;
    guint n; /* 0: all */
  } asked[] = { { "hardware", 0 }, { "hardware|a100", 2 } };
  g_autoptr (LsCatalogue) catalogue = load ();

  for (guint a = 0; a < G_N_ELEMENTS (asked); a++)
    {
      g_auto (Captured) said = { 0 };
      g_autoptr (json_t) root = written_as ("lockstep-hardware-list", asked[a].words, &said);
      const json_t *devices = json_object_get (root, "devices");

      g_assert_cmpuint (json_array_size (devices), ==, asked[a].n > 0 ? asked[a].n : catalogue->devices->len);
      for (guint i = 0; i < json_array_size (devices); i++)
        {
          const json_t *one = json_array_get (devices, i), *figures = json_object_get (one, "figures");
          const char *name = json_string_value (json_object_get (one, "name"));
          const LsHardware *device = asked[a].n > 0 ? ls_catalogue_find (catalogue, name, NULL)
                                                    : catalogue->devices->pdata[i];

          g_assert_cmpstr (name, ==, device->name);
          g_assert_cmpuint (json_array_size (figures), ==, device->n_figures);
          for (guint k = 0; k < device->n_figures; k++)
            assert_figure (name, json_array_get (figures, k), &device->figures[k]);
        }
      if (asked[a].n == 0)
        continue;
      /* the A100's first one, as its maker has it: 624 TOP/s */
      const json_t *first = json_array_get (json_object_get (json_array_get (devices, 0), "figures"), 0);
      g_assert_cmpfloat (json_number_value (json_object_get (first, "value")), ==, 624e12);
      g_assert_cmpstr (json_string_value (json_object_get (first, "unit")), ==, "OP/s");
      g_assert_cmpuint (json_array_size (json_object_get (first, "means")), ==, 3);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  setlocale (LC_ALL, "C.UTF-8");
  g_test_add_func ("/hardware/list", test_list);
  g_test_add_func ("/hardware/large", test_large);
  g_test_add_func ("/hardware/device", test_device);
  g_test_add_func ("/hardware/derived", test_derived);
  g_test_add_func ("/hardware/each", test_each);
  g_test_add_func ("/hardware/unknown", test_unknown);
  g_test_add_func ("/hardware/json", test_json);
  return g_test_run ();
}
