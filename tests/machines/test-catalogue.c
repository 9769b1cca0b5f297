/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The catalogue that is shipped: every figure has its source, and what is found is what the file says. Values
 * are held against each other where one follows from others.
 */
#include "config.h"

#include <math.h>
#include <string.h>

#include "core/error.h"
#include "core/file.h"
#include "data/datadir.h"
#include "files/json.h"
#include "machines/hardware.h"

static LsCatalogue *
load (void)
{
  g_autoptr (GError) error = NULL;
  LsCatalogue *catalogue = ls_catalogue_load (NULL, &error);

  g_assert_no_error (error);
  return catalogue;
}

static const LsHardware *
find (const LsCatalogue *catalogue, const char *words)
{
  g_autoptr (GError) error = NULL;
  const LsHardware *device = ls_catalogue_find (catalogue, words, &error);

  g_assert_no_error (error);
  return device;
}

static const char *
text_of (const json_t *object, const char *what, const char *name)
{
  const char *text = json_string_value (json_object_get (object, name));

  if (text == NULL || *text == '\0')
    g_error ("%s has no %s", what, name);
  return text;
}

/* By the file alone, whatever its reader lets pass. */
static void
test_every_figure_has_a_source (void)
{
  g_autofree char *path = ls_data_dir_find ("hardware.json");
  g_autoptr (GBytes) bytes = ls_file_read (path, 1 << 20, NULL);
  gsize length;
  const char *text = g_bytes_get_data (bytes, &length);
  g_autoptr (json_t) root = ls_json_parse (text, length, length, JSON_OBJECT, NULL);
  const json_t *sources = json_object_get (root, "sources"), *devices = json_object_get (root, "devices");
  g_autoptr (GHashTable) used = g_hash_table_new (g_str_hash, g_str_equal);
  json_t *source;
  const char *id;
  guint n = 0;

  for (gsize i = 0; i < json_array_size (devices); i++)
    {
      const json_t *device = json_array_get (devices, i), *figures = json_object_get (device, "figures");

      for (gsize k = 0; k < json_array_size (figures); k++, n++)
        {
          const json_t *figure = json_array_get (figures, k);
          g_autofree char *what = g_strdup_printf ("%s, %s", text_of (device, "a device", "name"),
                                                   text_of (figure, "a figure", "what"));
          const char *of = text_of (figure, what, "source");

          text_of (figure, what, "quote");
          text_of (figure, what, "unit");
          if ((source = json_object_get (sources, of)) == NULL)
            g_error ("%s: there is no source “%s”", what, of);
          text_of (source, of, "title");
          g_assert_true (g_str_has_prefix (text_of (source, of, "address"), "https://"));
          g_assert_true (
            g_regex_match_simple ("^20[0-9]{2}-[0-9]{2}-[0-9]{2}$", text_of (source, of, "seen"), 0, 0));
          g_hash_table_add (used, (gpointer) of);
        }
    }
  g_assert_cmpuint (n, >, 100);
  json_object_foreach (json_object_get (root, "sources"), id, source)
    if (!g_hash_table_contains (used, id))
      g_error ("nothing is from the source “%s”", id);
}

static void
test_full_rows (void)
{
  static const char *const named[] = { "epyc",      "i9-9900k",      "gtx 580", "k80",     "v100",
                                       "a100 40",   "a100 80",       "h100",    "rtx3060", "rtx3090",
                                       "rtx 4090",  "tpu v2",        "tpu v3",  "tpu v4",  "loihi",
                                       "truenorth", "neural engine", "alveo" };
  g_autoptr (LsCatalogue) catalogue = load ();
  guint full = 0;

  for (gsize i = 0; i < G_N_ELEMENTS (named); i++)
    find (catalogue, named[i]);
  for (guint i = 0; i < catalogue->devices->len; i++)
    {
      const LsHardware *device = catalogue->devices->pdata[i];
      gboolean compute = FALSE;

      for (guint k = 0; k < device->n_figures; k++)
        {
          const LsHardwareFigure *figure = &device->figures[k];

          compute |= figure->kind == LS_HARDWARE_COMPUTE;
          g_assert_nonnull (figure->source);
          g_assert_nonnull (figure->quote);
          g_assert_cmpint (figure->figure.evidence, ==, LS_EVIDENCE_PUBLISHED);
          g_assert_cmpuint (figure->figure.n, ==, 1);
          g_assert_true (isfinite (figure->figure.value) && figure->figure.value > 0);
        }
      full += compute && ls_hardware_figure (device, LS_HARDWARE_MEMORY).n > 0
              && ls_hardware_figure (device, LS_HARDWARE_BANDWIDTH).n > 0
              && ls_hardware_figure (device, LS_HARDWARE_POWER).n > 0;
    }
  g_assert_cmpuint (full, >=, 12);
}

/* What the articles say of it. */
static void
test_a100 (void)
{
  g_autoptr (LsCatalogue) catalogue = load ();
  const LsHardware *forty = find (catalogue, "a100 40"), *eighty = find (catalogue, "A100 SXM4 80 GB");
  const LsHardwareFigure *fp16 = ls_hardware_get (forty, LS_HARDWARE_COMPUTE, LS_NUMBERS_FP16, 0);
  const double bandwidth = ls_hardware_figure (eighty, LS_HARDWARE_BANDWIDTH).value;

  g_assert_true (forty != eighty);
  g_assert_cmpfloat (ls_hardware_figure (forty, LS_HARDWARE_CORES).value, ==, 6912);
  g_assert_cmpfloat (ls_hardware_figure (forty, LS_HARDWARE_MATRIX_CORES).value, ==, 432);
  g_assert_cmpfloat (ls_hardware_figure (forty, LS_HARDWARE_MEMORY).value, ==, 40e9);
  g_assert_cmpfloat (ls_hardware_figure (forty, LS_HARDWARE_POWER).value, ==, 400);
  g_assert_cmpfloat_with_epsilon (bandwidth, 2e12, .05e12);
  g_assert_cmpfloat (fp16->figure.value, ==, 312e12);
  g_assert_cmpstr (fp16->figure.unit, ==, "FLOP/s");
  g_assert_cmpfloat (fp16->value, ==, 312);
  g_assert_cmpstr (fp16->unit, ==, "TFLOP/s");
  g_assert_cmpuint (fp16->means, ==, LS_MEANS_DENSE | LS_MEANS_BOOST | LS_MEANS_MATRIX);
  g_assert_true (g_str_has_prefix (fp16->source->address, "https://"));
}

/* A sparse rate is never taken for a dense one; of two dense ones the higher is the peak. */
static void
test_peaks (void)
{
  g_autoptr (LsCatalogue) catalogue = load ();
  const LsHardware *a100 = find (catalogue, "a100 40"), *epyc = find (catalogue, "epyc"),
                   *k80 = find (catalogue, "k80"), *m1 = find (catalogue, "apple m1");
  LsFigure peak = ls_hardware_peak (a100, LS_NUMBERS_FP16);

  g_assert_cmpfloat (peak.value, ==, 312e12);
  g_assert_cmpfloat (
    ls_hardware_get (a100, LS_HARDWARE_COMPUTE, LS_NUMBERS_FP16, LS_MEANS_SPARSE)->figure.value, ==, 624e12);
  g_assert_cmpfloat (ls_hardware_peak (a100, LS_NUMBERS_INT8).value, ==, 624e12);
  g_assert_cmpstr (ls_hardware_peak (a100, LS_NUMBERS_INT8).unit, ==, "OP/s");
  g_assert_cmpfloat (ls_hardware_peak (a100, LS_NUMBERS_FP64).value, ==, 19.5e12);
  g_assert_cmpfloat (
    ls_hardware_get (a100, LS_HARDWARE_COMPUTE, LS_NUMBERS_FP64, LS_MEANS_VECTOR)->figure.value, ==, 9.7e12);
  g_assert_cmpfloat (ls_hardware_peak (k80, LS_NUMBERS_FP32).value, ==, 8.74e12);
  g_assert_cmpuint (ls_hardware_peak (k80, LS_NUMBERS_FP16).n, ==, 0);
  g_assert_cmpuint (ls_hardware_figure (m1, LS_HARDWARE_POWER).n, ==, 0);
  g_assert_null (ls_hardware_get (k80, LS_HARDWARE_COMPUTE, LS_NUMBERS_FP32, LS_MEANS_SPARSE));
  g_assert_cmpint (peak.evidence, ==, LS_EVIDENCE_PUBLISHED);

  /* 64 cores, 16 FLOP each a clock, 2.45 GHz, not 3.5 */
  peak = ls_hardware_peak (epyc, LS_NUMBERS_FP64);
  g_assert_cmpint (peak.evidence, ==, LS_EVIDENCE_DERIVED);
  g_assert_cmpfloat_with_epsilon (peak.value, 64 * 16 * 2.45e9, 1);
  g_assert_cmpuint (ls_hardware_peak (epyc, LS_NUMBERS_FP32).n, ==, 0);
}

/* A graphics card's rate in floats is twice its cores at the boost clock: a digit that was mistyped shows. */
static void
test_rates_follow_from_clocks (void)
{
  g_autoptr (LsCatalogue) catalogue = load ();
  guint n = 0;

  for (guint i = 0; i < catalogue->devices->len; i++)
    {
      const LsHardware *device = catalogue->devices->pdata[i];
      const LsHardwareFigure *clock = ls_hardware_get (device, LS_HARDWARE_CLOCK, LS_NUMBERS_UNTOLD,
                                                       LS_MEANS_BOOST),
                             *rate = ls_hardware_get (device, LS_HARDWARE_COMPUTE, LS_NUMBERS_FP32,
                                                      LS_MEANS_BOOST | LS_MEANS_VECTOR);
      const double cores = ls_hardware_figure (device, LS_HARDWARE_CORES).value;

      if (clock == NULL || rate == NULL || device->sort != LS_HARDWARE_GPU)
        continue;
      if (fabs (rate->figure.value / (2 * cores * clock->figure.value) - 1) > .01)
        g_error ("%s: %.0f cores at %g GHz aren't %g TFLOP/s", device->name, cores, clock->figure.value / 1e9,
                 rate->figure.value / 1e12);
      n++;
    }
  g_assert_cmpuint (n, >=, 5);
}

static void
test_search (void)
{
  static const struct {
    const char *words;
    guint n;
  } searches[] = {
    { "a100", 2 },
    { "sxm4 A100", 2 },
    { "a100 80", 1 },
    { "80 a100", 1 },
    { "rtx 30", 2 },
    { "GOOGLE  tpu", 5 },
    { "", 0 },
    { "   ", 0 },
    { "a100 nothing", 0 },
    { "\xff", 0 },
    { "NVIDIA T4", 1 },
    { "i9", 2 },
    { "é", 0 },
    { "NVIDIA GeForce RTX 3090", 1 },
  };
  g_autoptr (LsCatalogue) catalogue = load ();
  g_autoptr (GError) error = NULL;

  for (gsize i = 0; i < G_N_ELEMENTS (searches); i++)
    {
      g_autoptr (GPtrArray) found = ls_catalogue_search (catalogue, searches[i].words);

      if (found->len != searches[i].n)
        g_error ("“%s” finds %u devices, not %u", searches[i].words, found->len, searches[i].n);
      if (found->len != 1)
        {
          g_assert_null (ls_catalogue_find (catalogue, searches[i].words, &error));
          g_assert_error (error, LS_ERROR, LS_ERROR_USAGE);
          g_assert_true (g_utf8_validate (error->message, -1, NULL));
          g_clear_error (&error);
        }
    }
  g_assert_null (ls_catalogue_find (catalogue, "a100", &error));
  g_assert_nonnull (strstr (error->message, "NVIDIA A100 SXM4 40 GB, NVIDIA A100 SXM4 80 GB"));
}

/* A name in full is that device alone, although others' names begin or end with it. */
static void
test_whole_name (void)
{
  LsHardware devices[] = { { .name = (char *) "Super Card 7" },
                           { .name = (char *) "Card 7" },
                           { .name = (char *) "Card 7 XL" } };
  g_autoptr (GPtrArray) list = g_ptr_array_new ();
  const LsCatalogue catalogue = { .devices = list };

  for (guint i = 0; i < G_N_ELEMENTS (devices); i++)
    g_ptr_array_add (list, &devices[i]);
  for (guint i = 0; i < G_N_ELEMENTS (devices); i++)
    {
      g_autofree char *low = g_ascii_strdown (devices[i].name, -1);
      g_autoptr (GError) error = NULL;
      const LsHardware *found = ls_catalogue_find (&catalogue, low, &error);

      if (found != &devices[i])
        g_error ("“%s” finds %s", low, found != NULL ? found->name : error->message);
    }
  g_autoptr (GPtrArray) seven = ls_catalogue_search (&catalogue, "7 card");
  g_assert_cmpuint (seven->len, ==, 3);
}

/* Who isn't certainly a device of the catalogue is none. */
static void
test_recognise (void)
{
  static const struct {
    LsHardwareHere here;
    const char *name;
  } cases[] = {
    { { "NVIDIA A100-SXM4-40GB", G_GINT64_CONSTANT (42405855232), 108 }, "NVIDIA A100 SXM4 40 GB" },
    { { "NVIDIA A100-SXM4-80GB", G_GINT64_CONSTANT (85198045184), -1 }, "NVIDIA A100 SXM4 80 GB" },
    { { "NVIDIA GeForce RTX 3060", G_GINT64_CONSTANT (12622168064), -1 }, "NVIDIA GeForce RTX 3060 12 GB" },
    { { "NVIDIA GeForce RTX 3060", G_GINT64_CONSTANT (8361279488), -1 }, NULL }, /* the one with 8 GB */
    { { "NVIDIA GeForce RTX 3060", G_GINT64_CONSTANT (13500000000), -1 }, "NVIDIA GeForce RTX 3060 12 GB" },
    { { "NVIDIA GeForce RTX 3060", G_GINT64_CONSTANT (13500000001), -1 }, NULL }, /* over an eighth more */
    { { "NVIDIA GeForce RTX 3060", G_GINT64_CONSTANT (10500000000), -1 }, "NVIDIA GeForce RTX 3060 12 GB" },
    { { "NVIDIA GeForce RTX 3060", G_GINT64_CONSTANT (10499999999), -1 }, NULL },
    { { "NVIDIA GeForce RTX 3060 Ti", G_GINT64_CONSTANT (12622168064), -1 }, NULL },
    { { "NVIDIA GeForce RTX 3090", -1, -1 }, "NVIDIA GeForce RTX 3090" },
    { { "GeForce RTX 3090 Ti", -1, -1 }, NULL },
    { { "AMD EPYC", -1, 64 }, NULL },
    { { "AMD EPYC 7763 64-Core Processor", -1, 64 }, "AMD EPYC 7763" },
    { { "AMD EPYC 7763 64-Core Processor", -1, 2 }, NULL }, /* a virtual machine */
    { { "AMD EPYC 7763 64-Core Processor", -1, -1 }, NULL },
    { { "", -1, -1 }, NULL },
    { { NULL, -1, -1 }, NULL },
  };
  g_autoptr (LsCatalogue) catalogue = load ();

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      const LsHardware *device = ls_catalogue_recognise (catalogue, &cases[i].here);

      if (g_strcmp0 (device != NULL ? device->name : NULL, cases[i].name) != 0)
        g_error ("“%s” with %" G_GINT64_FORMAT " bytes and %d cores is taken for %s, not for %s",
                 cases[i].here.name, cases[i].here.memory, cases[i].here.cores,
                 device != NULL ? device->name : "none", cases[i].name != NULL ? cases[i].name : "none");
    }
}

/* A name in full, or one that begins as is told; where it may be two devices it is taken for none. */
static void
test_which_name (void)
{
  static const struct {
    const char *name, *device;
  } rows[] = {
    { "Maker Card 5", "Card" },         { "Maker Card 5 Pro", NULL }, { "Maker Card 5 Plus", "Card" },
    { "Maker Card 50", "Card" },        { "Maker Card 4", NULL },     { "Maker Card ", NULL },
    { "Maker Card 6 Pro", "Card Pro" }, { "Maker Card 6 Pr", NULL },  { "Maker Card 6 Pros", NULL },
    { "A Maker Card 5", NULL },
  };
  char *begins[] = { (char *) "Maker Card 5*", NULL },
       *whole[] = { (char *) "Maker Card 6 Pro", (char *) "Maker Card 5 Pro", NULL };
  LsHardware card = { .name = (char *) "Card", .sort = LS_HARDWARE_GPU, .known_as = begins },
             pro = { .name = (char *) "Card Pro", .sort = LS_HARDWARE_GPU, .known_as = whole };

  for (guint turned = 0; turned < 2; turned++)
    {
      LsCatalogue catalogue = { .devices = g_ptr_array_new () };

      g_ptr_array_add (catalogue.devices, turned ? &pro : &card);
      g_ptr_array_add (catalogue.devices, turned ? &card : &pro);
      for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
        {
          const LsHardwareHere here = { rows[i].name, -1, -1 };
          const LsHardware *device = ls_catalogue_recognise (&catalogue, &here);

          if (g_strcmp0 (device != NULL ? device->name : NULL, rows[i].device) != 0)
            g_error ("“%s” is taken for “%s”, not for “%s”", rows[i].name,
                     device != NULL ? device->name : "none",
                     rows[i].device != NULL ? rows[i].device : "none");
        }
      g_ptr_array_unref (catalogue.devices);
    }
}

/* No device's names are another's, so each is recognised by all of its own. */
static void
test_known_as (void)
{
  g_autoptr (LsCatalogue) catalogue = load ();

  for (guint i = 0; i < catalogue->devices->len; i++)
    {
      const LsHardware *device = catalogue->devices->pdata[i];
      const LsFigure cores = ls_hardware_figure (device, LS_HARDWARE_CORES);

      for (char **name = device->known_as; *name != NULL; name++)
        {
          const LsHardwareHere here = { *name, -1, cores.n > 0 ? (gint) cores.value : -1 };

          g_assert_true (ls_catalogue_recognise (catalogue, &here) == device);
        }
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/catalogue/every-figure-has-a-source", test_every_figure_has_a_source);
  g_test_add_func ("/catalogue/full-rows", test_full_rows);
  g_test_add_func ("/catalogue/a100", test_a100);
  g_test_add_func ("/catalogue/peaks", test_peaks);
  g_test_add_func ("/catalogue/rates-follow-from-clocks", test_rates_follow_from_clocks);
  g_test_add_func ("/catalogue/search", test_search);
  g_test_add_func ("/catalogue/whole-name", test_whole_name);
  g_test_add_func ("/catalogue/recognise", test_recognise);
  g_test_add_func ("/catalogue/which-name", test_which_name);
  g_test_add_func ("/catalogue/known-as", test_known_as);
  return g_test_run ();
}
