/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Claims that are cut, wrong or made to harm: each is refused with the line and the reason, and what is right
 * is read although it looks odd.
 */
#include "config.h"

#include <string.h>
#include <unistd.h>

#include "claims/claims.h"
#include "data/datadir.h"
#include "tempdir.h"
#include "tests/wrong.h"

/* Line by line as the cases below count them. */
static const char good[]
  = "{\n"
    "  \"format\": \"lockstep-claim\",\n"
    "  \"version\": 1,\n"
    "  \"sentence\": {\"en\": \"It is fast.\", \"de\": \"Es ist schnell.\"},\n"
    "  \"source\": {\n"
    "    \"title\": \"A page\",\n"
    "    \"address\": \"https://example.org/page\",\n"
    "    \"seen\": \"2026-11-24\"\n"
    "  },\n"
    "  \"quote\": \"it is fast\",\n"
    "  \"claimed\": {\"low\": 10, \"high\": 100, \"unit\": \"×\"},\n"
    "  \"true\": {\"from\": 10},\n"
    "  \"half\": {\"from\": 5},\n"
    "  \"needs\": \"gpu\",\n"
    "  \"ways\": [\n"
    "    {\"name\": \"cpu\", \"words\": {\"en\": \"CPU\"}, \"lane\": \"cpu(threads=1)\",\n"
    "     \"run\": [\"step\", \"mlp\", \"mnist\", \"128\"], \"steps\": 40},\n"
    "    {\"name\": \"slow\", \"words\": {\"en\": \"slow\"},\n"
    "     \"takes\": {\"value\": 10, \"unit\": \"s\", \"evidence\": \"modelled\"}}\n"
    "  ],\n"
    "  \"outcomes\": [\n"
    "    {\"is\": \"time(slow) / time(cpu)\"}\n"
    "  ],\n"
    "  \"instead\": [\n"
    "    {\"is\": \"published(4)\",\n"
    "     \"source\": {\"title\": \"B\", \"address\": \"https://example.org/b\", \"seen\": \"2026-11-24\"},\n"
    "     \"quote\": \"4 times\"}\n"
    "  ],\n"
    "  \"notes\": {\n"
    "    \"true\": {\"en\": \"so it is\"},\n"
    "    \"any\": {\"en\": \"by the way\"}\n"
    "  },\n"
    "  \"would\": {\"words\": {\"en\": \"luck\"}, \"evidence\": \"modelled\",\n"
    "    \"here\": {\"en\": \"here {}\"}, \"is\": \"time(cpu)\", \"unit\": \"ns\"}\n"
    "}\n";

/* One place of the good one is replaced. */
static const Wrong wrong[] = {
  /* no JSON */
  { "\"low\": 10,", "\"low\": NaN,", 0, "line 11" },
  { "\"low\": 10,", "\"low\": 1e999,", 0, "isn’t JSON" },
  { "\"low\": 10,", "\"low\": 10, \"low\": 11,", 0, "duplicate" },
  { "It is fast", "It \xff fast", 0, "unable to decode" },
  { "}\n}\n", "}\n}\n}\n", 0, "isn’t JSON" },
  /* what it is */
  { "lockstep-claim", "lockstep-hardware", 2, "it is no claim" },
  { "\"version\": 1", "\"version\": 2", 3, "version" },
  { "\"needs\"", "\"neads\"", 1, "no member “neads”" },
  /* texts */
  { "\"en\": \"It is fast.\", ", "", 4, "“en”" },
  { "\"de\": \"Es", "\"German\": \"Es", 4, "languages" },
  { "\"de\": \"Es", "\"d\": \"Es", 4, "languages" },
  { "\"Es ist schnell.\"", "\"\"", 4, "“de”" },
  { "\"Es ist schnell.\"", "7", 4, "“de”" },
  { "\"Es ist schnell.\"", "\"\\u001b[31m\"", 4, "aren’t text" },
  { "{\"en\": \"It is fast.\", \"de\": \"Es ist schnell.\"}", "\"It is fast.\"", 4, "“sentence”" },
  /* the source */
  { "https://example.org/page", "http://example.org/page", 5, "https://" },
  { "https://example.org/page", "javascript:alert(1)", 5, "https://" },
  { ",\n    \"seen\": \"2026-11-24\"", "", 5, "“seen”" },
  { "\"2026-11-24\"\n  }", "\"2026-11-31\"\n  }", 5, "date" },
  { "  \"quote\": \"it is fast\",\n", "", 1, "“quote”" },
  /* what is claimed */
  { "\"low\": 10, \"high\": 100", "\"low\": 100, \"high\": 10", 11, "“high”" },
  { "\"low\": 10, \"high\": 100", "\"low\": 0, \"high\": 100", 11, "“low”" },
  { "\"low\": 10, \"high\": 100", "\"low\": -10, \"high\": 100", 11, "“low”" },
  { "\"low\": 10, \"high\": 100", "\"value\": 10, \"high\": 100", 11, "no member “high”" },
  { "\"low\": 10, \"high\": 100", "\"value\": \"10\"", 11, "must be a number" },
  { "\"unit\": \"×\"", "\"unit\": \"x\"", 11, "“x” is no unit" },
  { "\"unit\": \"×\"", "\"unit\": \"s\"", 22, "isn’t in the claim’s unit" },
  { "\"true\": {\"from\": 10}", "\"true\": {}", 12, "“from”, “to” or both" },
  { "\"true\": {\"from\": 10}", "\"true\": {\"from\": 10, \"to\": 9}", 12, "“to”" },
  { "\"true\": {\"from\": 10}", "\"true\": {\"over\": 10}", 12, "no member “over”" },
  { "\"half\": {\"from\": 5}", "\"half\": {\"from\": 11, \"to\": 20}", 13, "reach beyond" },
  { "\"half\": {\"from\": 5}", "\"half\": {\"from\": 10, \"to\": 20}", 13, "reach beyond" },
  { "\"half\": {\"from\": 5}", "\"half\": {\"from\": 10}", 13, "reach beyond" },
  { "\"needs\": \"gpu\"", "\"needs\": \"luck\"", 14, "“needs”" },
  { "\"needs\": \"gpu\"", "\"needs\": \"gpus\"", 21, "must be empty" },
  { "  \"needs\": \"gpu\",\n", "", 23, "belongs to claims that need something" },
  /* ways */
  { "\"name\": \"slow\"", "\"name\": \"cpu\"", 18, "another way" },
  { "\"name\": \"slow\"", "\"name\": \"Slow\"", 18, "small letters" },
  { "\"name\": \"slow\"", "\"name\": \"../slow\"", 18, "small letters" },
  { "\"cpu(threads=1)\"", "\"gpu\"", 16, "no backend “gpu”" },
  { "\"cpu(threads=1)\"", "\"cpu(threads=1\"", 16, "isn’t closed" },
  { "\"cpu(threads=1)\"", "\"cpu,opencl\"", 16, "one lane" },
  { "\"cpu(threads=1)\"", "\"a=cpu\"", 16, "one lane" },
  { "\"cpu(threads=1)\"", "\"cpu(batch=1)\"", 16, "“batch” is the same for all lanes" },
  { "\"cpu(threads=1)\"", "7", 16, "“lane”" },
  { "[\"step\", \"mlp\", \"mnist\", \"128\"]", "\"step\"", 16, "“run”" },
  { "[\"step\", \"mlp\", \"mnist\", \"128\"]", "[\"step\", \"mlp\", \"mnist\"]", 16,
    "nothing that can be measured" },
  { "[\"step\", \"mlp\", \"mnist\", \"128\"]", "[\"step\", \"mlp\", \"/etc/passwd\", \"128\"]", 16,
    "nothing that can be measured" },
  { "[\"step\", \"mlp\", \"mnist\", \"128\"]", "[\"step\", \"mlp\", \"mnist\", \"1e9\"]", 16,
    "nothing that can be measured" },
  { "[\"step\", \"mlp\", \"mnist\", \"128\"]", "[\"step\", \"dense dense\", \"mnist\", \"128\"]", 16,
    "dense" },
  { "[\"step\", \"mlp\", \"mnist\", \"128\"]", "[\"step\", \"mlp\\tmnist\", \"128\", \"8\"]", 16,
    "must hold texts" },
  { "[\"step\", \"mlp\", \"mnist\", \"128\"]", "[\"product\", \"99999\"]", 16,
    "nothing that can be measured" },
  { "[\"step\", \"mlp\", \"mnist\", \"128\"]", "[\"product\", \"8\", \"8\"]", 16,
    "nothing that can be measured" },
  { "\"steps\": 40", "\"steps\": 0", 16, "“steps”" },
  { "\"steps\": 40", "\"steps\": 100000", 16, "“steps”" },
  { "\"steps\": 40", "\"steps\": 40, \"bits\": 9", 16, "“bits”" },
  { "\"steps\": 40", "\"steps\": 40, \"bits\": 1", 16, "“bits”" },
  { "\"steps\": 40", "\"bits\": 8", 16, "with “steps”" },
  { "\"value\": 10, \"unit\": \"s\"", "\"value\": 10, \"unit\": \"×\"", 19, "one of times" },
  { "\"evidence\": \"modelled\"}}", "\"evidence\": \"measured\"}}", 19, "it isn’t measured" },
  /* a published number without a source */
  { "\"s\", \"evidence\": \"modelled\"", "\"s\", \"evidence\": \"published\"", 19, "has no source" },
  { "\"luck\"}, \"evidence\": \"modelled\"", "\"luck\"}, \"evidence\": \"published\"", 33,
    "nobody measured or published it" },
  { "\"is\": \"time(cpu)\", \"unit\": \"ns\"", "\"is\": \"published(2) * time(cpu)\", \"unit\": \"ns\"", 33,
    "no source of it" },
  { "\"unit\": \"ns\"", "\"unit\": \"ns\", \"within\": {\"from\": 2}", 33, "“note”" },
  { "\"unit\": \"ns\"", "\"unit\": \"ns\", \"note\": {\"en\": \"so\"}", 33, "“within”" },
  { "\"unit\": \"ns\"", "\"unit\": \"ns\", \"note\": {\"en\": \"so\"}, \"within\": {\"from\": 2, \"to\": 1}",
    34, "“to”" },
  { "\"takes\": {", "\"lane\": \"cpu\", \"takes\": {", 18, "no member “lane”" },
  /* outcomes */
  { "time(slow) / time(cpu)", "time(slow) / time(gpu)", 22, "character 19: there is no way “gpu”" },
  { "time(slow) / time(cpu)", "time(slow) / ", 22, "a number or a term" },
  { "time(slow) / time(cpu)", "time(slow) + 1", 22, "isn’t of one kind" },
  { "time(slow) / time(cpu)", "time(slow)", 22, "isn’t in the claim’s unit" },
  { "time(slow) / time(cpu)", "accuracy(slow)", 22, "has no “steps”" },
  { "{\"is\": \"time(slow) / time(cpu)\"}", "{\"is\": \"published(4)\"}", 22, "published number" },
  { "{\"is\": \"time(slow) / time(cpu)\"}", "{\"is\": \"1\", \"who\": \"gpu\"}", 22, "“who”" },
  { "{\"is\": \"time(slow) / time(cpu)\"}", "{\"is\": \"1\"}, {\"is\": \"2\"}", 22, "which outcome it is" },
  { "{\"is\": \"time(slow) / time(cpu)\"}", "", 21, "“outcomes”" },
  { "     \"source\": {\"title\": \"B\", \"address\": \"https://example.org/b\", \"seen\": "
    "\"2026-11-24\"},\n",
    "", 25, "published number" },
  { "https://example.org/b", "ftp://example.org/b", 26, "https://" },
  { ",\n     \"quote\": \"4 times\"", "", 25, "“quote”" },
  /* a byte more than is taken */
  { "[\"step\", \"mlp\", \"mnist\", \"128\"]",
    "[\"step\", \"flatten, dense 10, dense 10, dense 10, dense 10, dense 10, dense 10, dense 10, dense 10, "
    "dense 10, dense 10, dense 10, dense 10, dense 10, dense 10, dense 10, dense 100, dense 100, dense 100, "
    "dense 100\", \"mnist\", \"128\"]",
    16, "must hold texts" },
  /* words */
  { "\"any\": {", "\"never\": {", 29, "notes" },
  { "\"evidence\": \"modelled\",\n    \"here\"", "\"evidence\": \"guessed\",\n    \"here\"", 33,
    "“evidence”" },
  { "here {}", "here", 33, "“{}”" },
  { "\"unit\": \"ns\"", "\"unit\": \"%\"", 33, "isn’t in the claim’s unit" },
};

/* Other places, which are right. */
static const struct {
  const char *from, *to;
} right[] = {
  { "\"low\": 10, \"high\": 100", "\"value\": 1.5e1" },
  { ", \"de\": \"Es ist schnell.\"", "" },
  { "\"de\": \"Es", "\"pt_BR\": \"Es" },
  { "\"de\": \"Es", "\"gsw\": \"Es" },
  { "\"cpu(threads=1)\"", "\"opencl:0(kernel=tiled)\"" },
  { "[\"step\", \"mlp\", \"mnist\", \"128\"]", "[\"step\", \"flatten, dense 10\", \"noise 4\", \"1\"]" },
  { "[\"step\", \"mlp\", \"mnist\", \"128\"]",
    "[\"step\", \"flatten, dense 10, dense 10, dense 10, dense 10, dense 10, dense 10, dense 10, dense 10, "
    "dense 10, dense 10, dense 10, dense 10, dense 10, dense 10, dense 10, dense 10, dense 100, dense 100, "
    "dense 100\", \"mnist\", \"128\"]" }, /* 200 bytes */
  { "\"run\": [\"step\", \"mlp\", \"mnist\", \"128\"], \"steps\": 40",
    "\"run\": [\"copied\", \"8\", \"1\", \"9\"]" },
  { "time(slow) / time(cpu)", "((time(slow)))*2 / (time(cpu)+0.5*time(cpu)) - 1" },
  { "time(slow) / time(cpu)", "accuracy(cpu) * memory_bound(cpu) * threads(cpu) / cores()" },
  { "time(slow) / time(cpu)", "peak('x', fp32) * time(cpu) / flop(cpu)" },
  { "\"true\": {\"from\": 10}", "\"true\": {\"to\": 10}" },
  { "  \"half\": {\"from\": 5},\n", "" },
  { "\"half\": {\"from\": 5}", "\"half\": {\"from\": 9.9, \"to\": 10}" },
  { "\"half\": {\"from\": 5}", "\"half\": {\"to\": 20}" },
};

static TempDir dir;

static LsClaim *
load (gconstpointer bytes, gsize n, GError **error)
{
  g_autofree char *path = temp_path (&dir, "fast.claim");

  put_file (path, bytes, n);
  return ls_claim_load (path, error);
}

static void
test_right (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (LsClaim) plain = load (good, sizeof good - 1, &error);

  g_assert_no_error (error);
  g_assert_cmpstr (plain->name, ==, "fast");
  g_assert_cmpfloat (plain->claimed.high, ==, 100);
  g_assert_cmpfloat (plain->half.from, ==, 5);
  g_assert_cmpint (plain->needs, ==, LS_CLAIM_NEEDS_GPU);
  g_assert_cmpuint (plain->n_ways, ==, 2);
  g_assert_cmpstr (plain->ways[0].run, ==, "step\tmlp\tmnist\t128");
  g_assert_cmpfloat (plain->ways[1].given.value, ==, 10);
  g_assert_cmpstr (plain->instead[0].source->address, ==, "https://example.org/b");
  g_assert_cmpstr (plain->notes[LS_CLAIM_TRUE], ==, "so it is");
  for (gsize i = 0; i < G_N_ELEMENTS (right); i++)
    {
      g_autofree char *text = replaced (good, right[i].from, right[i].to);
      g_autoptr (LsClaim) claim = load (text, strlen (text), &error);

      if (claim == NULL)
        g_error ("with “%s” it is refused: %s", right[i].to, error->message);
    }
}

/* A way that isn't run takes as long as it says, in any unit of time. */
static void
test_told (void)
{
  static const struct {
    const char *unit;
    double s; /* 10 of it */
  } rows[] = { { "ns", 1e-8 }, { "µs", 1e-5 }, { "ms", .01 }, { "s", 10 }, { "h", 36000 } };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autofree char *to = g_strdup_printf ("\"value\": 10, \"unit\": \"%s\"", rows[i].unit),
                      *text = replaced (good, "\"value\": 10, \"unit\": \"s\"", to);
      g_autoptr (GError) error = NULL;
      g_autoptr (LsClaim) claim = load (text, strlen (text), &error);

      g_assert_no_error (error);
      const LsFigure *given = &claim->ways[1].given;
      if (ABS (given->value / rows[i].s - 1) > 1e-9 || strcmp (given->unit, "s") != 0
          || ABS (given->q1 / rows[i].s - 1) > 1e-9 || ABS (given->q3 / rows[i].s - 1) > 1e-9)
        g_error ("what takes 10 %s takes %g %s, from %g to %g", rows[i].unit, given->value, given->unit,
                 given->q1, given->q3);
      g_assert_cmpint (given->evidence, ==, LS_EVIDENCE_MODELLED);
    }
}

/* A note belongs to its verdict alone, whichever that is; of “any” to none of them. */
static void
test_notes (void)
{
  for (guint verdict = LS_CLAIM_TRUE; verdict < LS_CLAIM_N_VERDICTS; verdict++)
    {
      g_autofree char *named = g_strdup_printf ("\"%s\": {\"en\": \"so",
                                                ls_claim_verdict_name ((LsClaimVerdict) verdict)),
                      *text = replaced (good, "\"true\": {\"en\": \"so", named);
      g_autoptr (GError) error = NULL;
      g_autoptr (LsClaim) claim = load (text, strlen (text), &error);

      if (claim == NULL)
        g_error ("with a note of “%s” it is refused: %s", ls_claim_verdict_name ((LsClaimVerdict) verdict),
                 error->message);
      for (guint i = LS_CLAIM_NONE; i < LS_CLAIM_N_VERDICTS; i++)
        g_assert_cmpstr (claim->notes[i], ==,
                         i == verdict         ? "so it is"
                         : i == LS_CLAIM_NONE ? "by the way"
                                              : NULL);
    }
}

static void
test_wrong (void)
{
  g_assert_cmpuint (G_N_ELEMENTS (wrong), >=, 40);
  for (gsize i = 0; i < G_N_ELEMENTS (wrong); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autofree char *text = replaced (good, wrong[i].from, wrong[i].to);
      g_autoptr (LsClaim) claim = load (text, strlen (text), &error);

      assert_wrong (&wrong[i], "fast.claim", claim != NULL, error);
    }
}

/* Every beginning of a shipped one, the longest first: so the file is written once. */
static void
test_cut (void)
{
  g_autofree char *folder = ls_data_dir_find ("claims"),
                  *shipped = g_build_filename (folder, "product-1000.claim", NULL),
                  *path = temp_path (&dir, "cut.claim"), *text = NULL;
  g_autoptr (GError) error = NULL;
  gsize length;

  g_file_get_contents (shipped, &text, &length, &error);
  g_assert_no_error (error);
  put_file (path, text, length);
  for (gsize n = length - 2; n-- > 0;)
    {
      g_autoptr (LsClaim) claim = NULL;

      g_assert_cmpint (truncate (path, (off_t) n), ==, 0);
      claim = ls_claim_load (path, &error);
      if (claim != NULL)
        g_error ("its first %zu bytes are read", n);
      assert_refused (&error, LS_ERROR_DATA, "“cut.claim”: ");
    }
}

static void
test_huge (void)
{
  g_autoptr (GString) deep = g_string_new (NULL), huge = g_string_new (good);
  g_autoptr (GError) error = NULL;

  for (guint i = 0; i < 60000; i++)
    g_string_append_c (deep, '[');
  g_assert_null (load (deep->str, deep->len, &error));
  assert_refused (&error, LS_ERROR_DATA, "isn’t JSON");
  g_string_set_size (huge, (64 << 10) + 1);
  memset (huge->str + sizeof good - 1, ' ', huge->len - sizeof good + 1);
  g_assert_null (load (huge->str, huge->len, &error));
  assert_refused (&error, LS_ERROR_DATA, "too large");
}

/* What a file is called is what the claim is called. */
static void
test_names (void)
{
  static const char *const names[] = { "Fast.claim", ".claim", "a b.claim", "1.claim", "fast.txt" };

  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *path = temp_path (&dir, names[i]);
      g_autoptr (GError) error = NULL;

      put_file (path, good, sizeof good - 1);
      g_assert_null (ls_claim_load (path, &error));
      assert_refused (&error, LS_ERROR_FILE, "must be called");
      g_unlink (path);
    }
}

/* One that can't be used costs itself alone; a folder without any is refused, with what is wrong with the
 * first one. */
static void
test_folder (void)
{
  g_auto (TempDir) claims_dir = { NULL }, empty = { NULL };
  g_autofree char *fine = NULL, *bad = NULL, *worse = NULL, *better = NULL, *first = NULL,
                  *ordered = replaced (good, "\"version\": 1,", "\"version\": 1, \"order\": 3,");
  g_autoptr (GPtrArray) said = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GError) error = NULL;
  g_autoptr (LsClaims) claims = NULL;

  temp_dir_init (&claims_dir);
  temp_dir_init (&empty);
  fine = temp_path (&claims_dir, "fine.claim");
  bad = temp_path (&claims_dir, "bad.claim");
  put_file (fine, good, sizeof good - 1);
  worse = temp_path (&claims_dir, "worse.claim");
  put_file (bad, good, 100);
  put_file (worse, good, 200);
  better = temp_path (&claims_dir, "better.claim");
  put_file (better, good, sizeof good - 1);
  first = temp_path (&claims_dir, "zero.claim");
  put_file (first, ordered, strlen (ordered));
  claims = ls_claims_load (claims_dir.path, said, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (claims->n, ==, 3);
  for (guint i = 0; i < 3; i++) /* those that say their place, then the others by their names */
    g_assert_cmpstr (claims->rows[i].claim->name, ==, i == 0 ? "zero" : i == 1 ? "better" : "fine");
  g_assert_cmpuint (said->len, ==, 2);
  g_assert_nonnull (strstr (said->pdata[0], "“bad.claim”"));
  g_assert_nonnull (strstr (said->pdata[1], "“worse.claim”"));
  g_assert_null (ls_claims_load (empty.path, NULL, &error));
  assert_refused (&error, LS_ERROR_FILE, "has no claims");
  g_unlink (fine);
  g_unlink (better);
  g_unlink (first);
  g_assert_null (ls_claims_load (claims_dir.path, NULL, &error));
  assert_refused (&error, LS_ERROR_DATA, "“bad.claim”");
  g_assert_null (ls_claims_load (fine, NULL, &error));
  assert_refused (&error, LS_ERROR_FILE, "can’t be read");
}

int
main (int argc, char **argv)
{
  int status;

  g_test_init (&argc, &argv, NULL);
  temp_dir_init (&dir);
  g_test_add_func ("/claims-hostile/right", test_right);
  g_test_add_func ("/claims-hostile/told", test_told);
  g_test_add_func ("/claims-hostile/notes", test_notes);
  g_test_add_func ("/claims-hostile/wrong", test_wrong);
  g_test_add_func ("/claims-hostile/cut", test_cut);
  g_test_add_func ("/claims-hostile/huge", test_huge);
  g_test_add_func ("/claims-hostile/names", test_names);
  g_test_add_func ("/claims-hostile/folder", test_folder);
  status = g_test_run ();
  temp_dir_clear (&dir);
  return status;
}
