/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The claims that are shipped: each can be read, and says where it was read, when, and in German, too.
 */
#include "config.h"

#include <string.h>

#include "claims/claims.h"
#include "claims/run.h"
#include "data/datadir.h"
#include "files/json.h"

#define LEAST 14

static LsClaims *
load_all (void)
{
  g_autoptr (GPtrArray) said = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GError) error = NULL;
  LsClaims *claims = ls_claims_load (NULL, said, &error);

  g_assert_no_error (error);
  g_assert_cmpstr (said->len > 0 ? said->pdata[0] : NULL, ==, NULL);
  return claims;
}

static void
check_source (const char *name, const LsHardwareSource *source, const char *quote)
{
  if (source == NULL || !g_str_has_prefix (source->address, "https://") || source->seen == NULL
      || strlen (source->seen) != 10 || quote == NULL)
    {
      g_test_message ("%s has something without a source that can be opened, a day and the words", name);
      g_test_fail ();
    }
}

static void
test_sources (void)
{
  g_autoptr (LsClaims) claims = load_all ();

  g_assert_cmpuint (claims->n, >=, LEAST);
  for (guint i = 0; i < claims->n; i++)
    {
      const LsClaim *claim = claims->rows[i].claim;

      check_source (claim->name, claim->source, claim->quote);
      for (guint k = 0; k < claim->n_instead; k++)
        if (strstr (claim->instead[k].is, "published") != NULL)
          check_source (claim->name, claim->instead[k].source, claim->instead[k].quote);
    }
}

/* Each says what its number is of, and what would make it true. */
static void
test_words (void)
{
  g_autoptr (LsClaims) claims = load_all ();

  for (guint i = 0; i < claims->n; i++)
    {
      const LsClaim *claim = claims->rows[i].claim;
      gboolean noted = FALSE;

      for (guint k = 0; k < LS_CLAIM_N_VERDICTS; k++)
        noted |= claim->notes[k] != NULL;
      if (!noted || claim->would == NULL)
        {
          g_test_message ("%s lacks %s", claim->name, noted ? "“would”" : "notes");
          g_test_fail ();
        }
    }
}

/* What is shown in the place of what isn't here opens at least one page, also where the catalogue's figures
 * made it. */
static void
test_pages (void)
{
  g_autoptr (LsClaims) claims = load_all ();
  g_autoptr (GError) error = NULL;
  g_autoptr (LsCatalogue) catalogue = ls_catalogue_load (NULL, &error);
  guint n = 0;

  g_assert_no_error (error);
  for (guint i = 0; i < claims->n; i++)
    for (guint k = 0; k < claims->rows[i].claim->n_instead; k++)
      {
        const LsClaimOutcome *outcome = &claims->rows[i].claim->instead[k];
        g_autoptr (GPtrArray) sources = ls_claim_outcome_sources (outcome, catalogue);

        if (sources->len == 0)
          g_test_fail_printf ("%s: “%s” has no page", claims->rows[i].claim->name, outcome->is);
        for (guint s = 0; s < sources->len; s++)
          check_source (claims->rows[i].claim->name, sources->pdata[s], "");
        n++;
      }
  g_assert_cmpuint (n, >=, 10);
}

/* A peak that somebody published is published; one worked out from what they did, units, clock and the like,
 * is a model of that device. */
static void
test_peaks (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (LsCatalogue) catalogue = ls_catalogue_load (NULL, &error);
  LsClaimKnown known = { .catalogue = catalogue };
  guint seen[2] = { 0 };

  g_assert_no_error (error);
  for (guint i = 0; i < catalogue->devices->len; i++)
    for (guint numbers = 0; numbers < LS_NUMBERS_N; numbers++)
      {
        const LsHardware *device = catalogue->devices->pdata[i];
        const LsFigure peak = ls_hardware_peak (device, (LsNumbers) numbers);
        const LsClaimTerm term
          = { .kind = LS_CLAIM_TERM_PEAK, .device = device->name, .numbers = (LsNumbers) numbers };
        const gboolean published = peak.evidence == LS_EVIDENCE_PUBLISHED;

        if (peak.n == 0)
          continue;
        g_assert_cmpint (ls_claim_term_value (&term, &known, &error).evidence, ==,
                         published ? LS_EVIDENCE_PUBLISHED : LS_EVIDENCE_MODELLED);
        g_assert_no_error (error);
        seen[published]++;
      }
  g_assert_cmpuint (MIN (seen[0], seen[1]), >, 0);
}

/* They come in the order of a course, each with a place of its own, and it begins with what is said most. */
static void
test_order (void)
{
  g_autoptr (LsClaims) claims = load_all ();

  g_assert_cmpstr (claims->rows[0].claim->name, ==, "gpu-10-100");
  for (guint i = 0; i < claims->n; i++)
    {
      const LsClaim *claim = claims->rows[i].claim;

      if (claim->order == LS_CLAIM_NO_ORDER || (i > 0 && claims->rows[i - 1].claim->order >= claim->order))
        g_test_fail_printf ("%s has no place of its own", claim->name);
    }
}

/* The sentences of the field that must be there, word for word as far as they were given. */
static void
test_sentences (void)
{
  static const struct {
    const char *name, *words;
  } wanted[] = {
    { "gpu-10-100", "10 to 100 times faster" },
    { "gpu-100-1000", "100 to 1,000 times" },
    { "product-1000", "about 10 s on a 16-core CPU" },
    { "matrix-vector", "20 µs on a CPU, 0.067 µs on a GPU" },
    { "memory-bandwidth", "Memory bandwidth is the bottleneck" },
    { "larger-batches", "Larger batches use the device better" },
    { "fusion", "Fusion saves round trips" },
    { "small-net", "too small to benefit" },
    { "as-many-cores", "as many cores" },
    { "int8-accuracy", "int8 costs no accuracy" },
    { "tensor-cores", "double it once more" },
    { "data-parallel", "scales linearly" },
    { "weeks-to-hours", "Weeks become hours" },
    { "half-precision", "Half precision halves the time" },
  };
  g_autoptr (LsClaims) claims = load_all ();

  for (gsize i = 0; i < G_N_ELEMENTS (wanted); i++)
    {
      const LsClaimRow *row = ls_claims_find (claims, wanted[i].name);

      if (row == NULL || strstr (row->claim->sentence, wanted[i].words) == NULL)
        g_test_fail_printf ("%s doesn’t say “%s”", wanted[i].name, wanted[i].words);
    }
  /* seven ways, as in the picture; and no best case alone in the place of a GPU that isn't here */
  g_assert_cmpuint (ls_claims_find (claims, "product-1000")->claim->n_ways, ==, 7);
  g_assert_cmpuint (ls_claims_find (claims, "weeks-to-hours")->claim->n_instead, >=, 3);
  g_assert_cmpint (ls_claims_find (claims, "int8-accuracy")->claim->needs, ==, LS_CLAIM_NEEDS_NOTHING);
}

/* How a claim is run is said in words, not as options and lines are written. */
static void
test_how (void)
{
  g_autoptr (LsClaims) claims = load_all ();

  for (guint i = 0; i < claims->n; i++)
    {
      g_auto (GStrv) how = ls_claim_how_text (claims->rows[i].claim, &claims->rows[i], FALSE);

      for (guint k = 0; how[k] != NULL; k++)
        if (strpbrk (how[k], "=\t()") != NULL || strstr (how[k], "product ") != NULL
            || strstr (how[k], "copied ") != NULL)
          g_test_fail_printf ("%s: “%s” is no plain text", claims->rows[i].claim->name, how[k]);
    }
  g_auto (GStrv) product = ls_claim_how_text (ls_claims_find (claims, "product-1000")->claim, NULL, FALSE);
  g_assert_cmpstr (product[1], ==,
                   "compiled loop, 1 thread: two matrices of 1\342\200\211000×1\342\200\211000 multiplied; "
                   "CPU lane, 1 thread, plain loops");
  g_auto (GStrv) int8 = ls_claim_how_text (ls_claims_find (claims, "int8-accuracy")->claim, NULL, FALSE);
  g_assert_cmpstr (int8[1], ==,
                   "CPU, int8: a training step of “mlp” on mnist, batch 128, 400 times, then converted to "
                   "whole numbers of 8 bits; CPU lane");
}

/* Every text in English is there in German, another one. */
static void
check_german (const char *name, json_t *json)
{
  const char *member;
  json_t *value;
  gsize i;

  if (json_is_array (json))
    json_array_foreach (json, i, value) check_german (name, value);
  if (!json_is_object (json))
    return;
  if (json_object_get (json, "en") != NULL && (json_object_get (json, "de") == NULL))
    {
      g_test_message ("%s: “%s” has no German", name, json_string_value (json_object_get (json, "en")));
      g_test_fail ();
    }
  json_object_foreach (json, member, value)
    check_german (name, value);
}

static void
test_german (void)
{
  g_autoptr (LsClaims) claims = load_all ();
  g_autofree char *dir = ls_data_dir_find ("claims");

  for (guint i = 0; i < claims->n; i++)
    {
      const char *name = claims->rows[i].claim->name;
      g_autofree char *path = g_strdup_printf ("%s/%s.claim", dir, name), *text = NULL;
      g_autoptr (GError) error = NULL;
      g_autoptr (json_t) json = NULL;
      gsize length;

      g_file_get_contents (path, &text, &length, &error);
      g_assert_no_error (error);
      json = ls_json_parse (text, length, length, JSON_OBJECT, &error);
      g_assert_no_error (error);
      check_german (name, json);
    }
}

/* A claim's texts come in the language of whoever reads them. */
static void
test_language (void)
{
  g_autofree char *dir = ls_data_dir_find ("claims"), *path = g_build_filename (dir, "fusion.claim", NULL);
  static const char *const languages[][2] = { { "C", "Fusion saves" },
                                              { "de_DE.UTF-8", "Fusion spart" },
                                              { "fr:de", "Fusion spart" },
                                              { "fr", "Fusion saves" } };

  for (gsize i = 0; i < G_N_ELEMENTS (languages); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (LsClaim) claim = NULL;

      g_setenv ("LANGUAGE", languages[i][0], TRUE);
      claim = ls_claim_load (path, &error);
      g_assert_no_error (error);
      g_test_message ("%s: %s", languages[i][0], claim->sentence);
      g_assert_true (g_str_has_prefix (claim->sentence, languages[i][1]));
    }
  g_unsetenv ("LANGUAGE");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/claims/shipped/sources", test_sources);
  g_test_add_func ("/claims/shipped/words", test_words);
  g_test_add_func ("/claims/shipped/pages", test_pages);
  g_test_add_func ("/claims/shipped/peaks", test_peaks);
  g_test_add_func ("/claims/shipped/order", test_order);
  g_test_add_func ("/claims/shipped/sentences", test_sentences);
  g_test_add_func ("/claims/shipped/how", test_how);
  g_test_add_func ("/claims/shipped/german", test_german);
  g_test_add_func ("/claims/shipped/language", test_language);
  return g_test_run ();
}
