/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Where a claim was read, at length and in brief, and where the figures of an outcome were.
 */
#include "config.h"

#include "plain.h"
#include "rig.h"

static TempDir dir;

/* In brief it is the host, or, of what a number resolves to, the author; what was said in another place than
 * it is said to be is the nearest one. */
static void
test_words (void)
{
  static const struct {
    const char *address, *brief;
  } rows[] = {
    { "https://www.example.org/a/page?b=c", "example.org" },
    { "https://example.org", "example.org" },
    { "https://en.wikipedia.org/wiki/GPU", "en.wikipedia.org" },
    { "https://wwwide.org/", "wwwide.org" },
    { "https://doi.org/10.1145/1", "Lee et al." },
    { "https://www.doi.org/10.1145/1", "Lee et al." },
    { "example.org/page", "example.org" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    for (guint nearest = 0; nearest < 2; nearest++)
      {
        LsHardwareSource source = { .title = (char *) "Lee et al., Debunking, 2010",
                                    .address = (char *) rows[i].address };
        const LsClaim claim = { .source = &source, .nearest = nearest != 0 };
        g_autofree char *brief = g_strconcat (nearest != 0 ? "nearest in print: " : "", rows[i].brief, NULL),
                        *title = g_strconcat (nearest != 0 ? "nearest in print: " : "", source.title, NULL);

        assert_said (ls_claim_source_brief (&claim), brief);
        assert_said (ls_claim_source_title (&claim), title);
      }
}

static const LsHardwareSource *
source_of (const LsCatalogue *catalogue, const char *device, LsHardwareKind kind, LsNumbers numbers,
           guint means)
{
  const LsHardware *hardware = ls_catalogue_find (catalogue, device, NULL);
  const LsHardwareFigure *figure = hardware != NULL ? ls_hardware_get (hardware, kind, numbers, means) : NULL;

  if (figure == NULL || figure->source == NULL)
    g_error ("“%s” has no such figure", device);
  return figure->source;
}

/* Its own, then those of each figure of the catalogue that its terms are, or are made from, each once; where
 * there is no catalogue, its own alone. */
static void
test_outcome (void)
{
#define K80 "'NVIDIA Tesla K80'"
  g_autoptr (GError) error = NULL;
  g_autoptr (LsCatalogue) catalogue = ls_catalogue_load (NULL, &error);
  g_autoptr (LsClaim) claim = rig_claim (
    &dir, "sources", "\"value\": 2, \"unit\": \"×\"",
    "\"true\": {\"from\": 2}, \"needs\": \"gpu\", \"outcomes\": [{\"is\": \"time(a) / time(b)\"}], "
    "\"instead\": [{\"words\": {\"en\": \"read\"}, \"is\": \"published(2) * rate(" K80
    ", fp32, base) / rate(" K80 ", fp32, boost) * "
    "peak('V100', fp16) / rate(" K80 ", fp32, boost)\", "
    "\"source\": {\"title\": \"B\", \"address\": \"https://example.org/b\", \"seen\": \"2026-11-24\"}, "
    "\"quote\": \"so\"}, "
    "{\"words\": {\"en\": \"made\"}, \"is\": \"peak('i9-9900K', fp32) / peak('V100', fp32)\"}]");
  g_autoptr (GPtrArray) own = NULL, all = NULL, made = NULL, none = NULL;

  g_assert_no_error (error);
  own = ls_claim_outcome_sources (&claim->instead[0], NULL);
  all = ls_claim_outcome_sources (&claim->instead[0], catalogue);
  made = ls_claim_outcome_sources (&claim->instead[1], catalogue);
  none = ls_claim_outcome_sources (&claim->outcomes[0], catalogue);
  const gconstpointer wanted[]
    = { claim->instead[0].source,
        source_of (catalogue, "NVIDIA Tesla K80", LS_HARDWARE_COMPUTE, LS_NUMBERS_FP32, LS_MEANS_BASE),
        source_of (catalogue, "NVIDIA Tesla K80", LS_HARDWARE_COMPUTE, LS_NUMBERS_FP32, LS_MEANS_BOOST),
        source_of (catalogue, "V100", LS_HARDWARE_COMPUTE, LS_NUMBERS_FP16, 0) },
    of_made[] = { source_of (catalogue, "i9-9900K", LS_HARDWARE_PER_CLOCK, LS_NUMBERS_FP32, 0),
                  source_of (catalogue, "V100", LS_HARDWARE_COMPUTE, LS_NUMBERS_FP32, 0) };

  g_assert_cmpuint (own->len, ==, 1);
  g_assert_true (own->pdata[0] == wanted[0]);
  g_assert_cmpuint (all->len, ==, G_N_ELEMENTS (wanted));
  for (gsize i = 0; i < G_N_ELEMENTS (wanted); i++)
    if (all->pdata[i] != wanted[i])
      g_error ("source %zu is “%s”, and should be “%s”", i, ((LsHardwareSource *) all->pdata[i])->title,
               ((const LsHardwareSource *) wanted[i])->title);
  g_assert_cmpuint (made->len, ==, G_N_ELEMENTS (of_made));
  for (gsize i = 0; i < G_N_ELEMENTS (of_made); i++)
    g_assert_true (made->pdata[i] == of_made[i]);
  g_assert_cmpuint (none->len, ==, 0); /* nothing of it was published */
}

/* Two sheets, each with one of a card's rates. */
static const char cards[]
  = "{\"format\": \"lockstep-hardware\", \"version\": 1, \"sources\": {\n"
    "\"dense\": {\"title\": \"Of all numbers\", \"address\": \"https://example.org/dense\",\n"
    "  \"seen\": \"2026-11-24\"},\n"
    "\"sparse\": {\"title\": \"Where half are 0\", \"address\": \"https://example.org/sparse\",\n"
    "  \"seen\": \"2026-11-24\"}},\n"
    "\"devices\": [{\"name\": \"Card\", \"sort\": \"gpu\", \"known_as\": [], \"figures\": [\n"
    "{\"what\": \"compute\", \"numbers\": \"fp16\", \"value\": 300, \"unit\": \"TFLOP/s\",\n"
    "  \"means\": [\"dense\"], \"source\": \"dense\", \"quote\": \"300\"},\n"
    "{\"what\": \"compute\", \"numbers\": \"fp16\", \"value\": 600, \"unit\": \"TFLOP/s\",\n"
    "  \"means\": [\"sparse\"], \"source\": \"sparse\", \"quote\": \"600\"}]}]}\n";

/* A peak is that of products with all their numbers, and so is its source; the higher rate of those where
 * half are 0 has its own. */
static void
test_sparse (void)
{
  static const struct {
    const char *is, *title;
  } rows[] = { { "peak('Card', fp16) / peak('Card', fp16)", "Of all numbers" },
               { "rate('Card', fp16, sparse) / rate('Card', fp16, sparse)", "Where half are 0" } };
  g_autoptr (GError) error = NULL;
  g_autofree char *path = temp_path (&dir, "cards.json");

  put_file (path, cards, strlen (cards));
  g_autoptr (LsCatalogue) catalogue = ls_catalogue_load (path, &error);
  g_assert_no_error (error);
  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autofree char *more = g_strdup_printf ("\"true\": {\"from\": 2}, \"outcomes\": [{\"is\": \"%s\"}]",
                                               rows[i].is);
      g_autoptr (LsClaim) claim = rig_claim (&dir, "sparse", "\"value\": 2, \"unit\": \"×\"", more);
      g_autoptr (GPtrArray) sources = ls_claim_outcome_sources (&claim->outcomes[0], catalogue);

      g_assert_cmpuint (sources->len, ==, 1);
      const LsHardwareSource *source = sources->pdata[0];
      if (strcmp (source->title, rows[i].title) != 0)
        g_error ("the source of “%s” is “%s”, and should be “%s”", rows[i].is, source->title, rows[i].title);
    }
}

int
main (int argc, char **argv)
{
  int status;

  g_test_init (&argc, &argv, NULL);
  temp_dir_init (&dir);
  g_test_add_func ("/claims/sources/words", test_words);
  g_test_add_func ("/claims/sources/outcome", test_outcome);
  g_test_add_func ("/claims/sources/sparse", test_sparse);
  status = g_test_run ();
  temp_dir_clear (&dir);
  return status;
}
