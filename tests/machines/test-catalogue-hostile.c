/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Catalogues that are cut, wrong or made to harm: each is refused with the line and the reason, and what is
 * right is read although it looks odd.
 */
#include "config.h"

#include <string.h>

#include "machines/hardware.h"
#include "machines/member.h"
#include "tempdir.h"
#include "tests/wrong.h"

/* Line by line as the cases below count them. */
static const char good[]
  = "{\n"
    "  \"format\": \"lockstep-hardware\",\n"
    "  \"version\": 1,\n"
    "  \"sources\": {\n"
    "    \"sheet\": {\n"
    "      \"title\": \"A data sheet\",\n"
    "      \"address\": \"https://example.org/sheet?a=1&b=%20\",\n"
    "      \"seen\": \"2026-11-23\",\n"
    "      \"published\": \"2017-05\"\n"
    "    }\n"
    "  },\n"
    "  \"devices\": [\n"
    "    {\n"
    "      \"name\": \"First [card], \\\"quoted\\\"\",\n"
    "      \"sort\": \"gpu\",\n"
    "      \"known_as\": [\"The First Card*\"],\n"
    "      \"figures\": [\n"
    "        {\"what\": \"compute\", \"numbers\": \"fp32\", \"value\": 10.5, \"unit\": \"TFLOP/s\",\n"
    "         \"means\": [\"dense\", \"boost\"], \"source\": \"sheet\", \"quote\": \"10.5 TFLOPS\"},\n"
    "        {\"what\": \"memory\", \"value\": 8, \"unit\": \"GB\", \"source\": \"sheet\", \"quote\": \"8 "
    "GB\"}\n"
    "      ]\n"
    "    },\n"
    "    {\n"
    "      \"name\": \"Second\",\n"
    "      \"sort\": \"fpga\",\n"
    "      \"known_as\": [],\n"
    "      \"figures\": [\n"
    "        {\"what\": \"power\", \"value\": 75, \"unit\": \"W\", \"source\": \"sheet\", \"quote\": \"75 "
    "W\"}\n"
    "      ]\n"
    "    }\n"
    "  ]\n"
    "}\n";

#define SIXTY "012345678901234567890123456789012345678901234567890123456789"

/* One place of the good one is replaced. */
static const Wrong wrong[] = {
  /* no JSON */
  { "10.5", "NaN", 0, "line 18" },
  { "10.5", "Infinity", 0, "isn’t JSON" },
  { "10.5", "1e999", 0, "isn’t JSON" },
  { "10.5", "0x10", 0, "isn’t JSON" },
  { "\"value\": 75", "\"value\": 75, \"value\": 76", 0, "duplicate" },
  { "\"sheet\": {", "\"sheet\": {}, \"sheet\": {", 0, "duplicate" },
  { "Second", "Sec\xffond", 0, "unable to decode" },
  { "Second", "Sec\xc0\xaf", 0, "unable to decode" },
  { "Second", "Sec\\u0000ond", 0, "isn’t JSON" },
  { "  ]\n}\n", "  ]\n}\n}\n", 0, "isn’t JSON" },
  /* what it is */
  { "lockstep-hardware", "lockstep-lab", 1, "format" },
  { "\"version\": 1", "\"version\": 2", 1, "version" },
  { "\"version\": 1", "\"version\": \"1\"", 1, "version" },
  { "\"devices\": [", "\"devices\": [], \"others\": [", 12, "devices" },
  { "\"devices\": [", "\"devices\": [1,", 12, "must be an object" },
  /* numbers */
  { "10.5", "-10.5", 18, "value" },
  { "10.5", "0", 18, "value" },
  { "10.5", "1e300", 18, "value" },
  { "10.5", "1e-300", 18, "value" },
  { "10.5", "\"10.5\"", 18, "must be a number" },
  { "10.5", "null", 18, "must be a number" },
  { "\"value\": 75", "\"value\": 1000000", 28, "value" },
  { "\"value\": 8,", "\"value\": true,", 20, "value" },
  /* units */
  { "TFLOP/s", "TFLOPS", 18, "“TFLOPS” is no unit of “compute”" },
  { "TFLOP/s", "TOP/s", 18, "no unit" },
  { "\"GB\"", "\"GB/s\"", 20, "“GB/s” is no unit of “memory”" },
  { "\"unit\": \"W\", ", "", 28, "unit" },
  /* kinds, numbers and meanings */
  { "\"power\"", "\"prowess\"", 28, "can’t be “prowess”" },
  { "fp32", "fp33", 18, "can’t be “fp33”" },
  { "\"memory\", ", "\"memory\", \"numbers\": \"fp32\", ", 20, "rates alone" },
  { "[\"dense\", \"boost\"]", "[\"dense\", \"sparse\"]", 18, "exclude each other" },
  { "[\"dense\", \"boost\"]", "[\"dense\", \"dense\"]", 18, "twice" },
  { "[\"dense\", \"boost\"]", "[\"thick\"]", 18, "isn’t known" },
  { "[\"dense\", \"boost\"]", "[7]", 18, "isn’t known" },
  { "[\"dense\", \"boost\"]", "\"dense\"", 18, "means" },
  { "\"what\": \"memory\", \"value\": 8, \"unit\": \"GB\"",
    "\"what\": \"compute\", \"numbers\": \"fp32\", \"value\": 8, \"unit\": \"TFLOP/s\", \"means\": "
    "[\"boost\", \"dense\"]",
    20, "is there twice" },
  { "\"quote\": \"8 GB\"", "\"qoute\": \"8 GB\"", 20, "no member “qoute”" },
  { "\"quote\": \"8 GB\"", "\"quote\": \"\"", 20, "quote" },
  { ", \"quote\": \"8 GB\"", "", 20, "quote" },
  /* sources */
  { "\"W\", \"source\": \"sheet\"", "\"W\"", 28, "“source”" },
  { "\"W\", \"source\": \"sheet\"", "\"W\", \"source\": \"sheets\"", 28, "no source “sheets”" },
  { "\"W\", \"source\": \"sheet\"", "\"W\", \"source\": null", 28, "“source”" },
  { "      \"title\": \"A data sheet\",\n", "", 5, "“title”" },
  { "      \"seen\": \"2026-11-23\",\n", "", 5, "“seen”" },
  { "2026-11-23", "2026-11-31", 5, "date" },
  { "2026-11-23", "2026-11", 5, "date" },
  { "2026-11-23", "1899-11-23", 5, "date" },
  { "2026-11-23", "last week", 5, "date" },
  { "\"2017-05\"", "\"2017-13\"", 5, "date" },
  { "\"2017-05\"", "2017", 5, "“published”" },
  { "https://example", "http://example", 5, "https://" },
  { "https://example.org/sheet?a=1&b=%20", "javascript:alert(1)", 5, "https://" },
  { "https://example.org/sheet?a=1&b=%20", "https://user@example.org/", 5, "https://" },
  { "https://example.org/sheet?a=1&b=%20", "https:///sheet", 5, "https://" },
  { "https://example.org/sheet?a=1&b=%20", "https://localhost/", 5, "https://" },
  { "https://example.org/sheet?a=1&b=%20", "https://example.org/ sheet", 5, "https://" },
  { "\"sheet\": {", "\"She et\": {}, \"sheet\": {", 5, "letters, digits" },
  { "\"sheet\": {", "\"other\": 5, \"sheet\": {", 5, "must be an object" },
  { "\"sheet\": {", "\"" SIXTY "0\": {}, \"sheet\": {", 5, "letters, digits" },
  /* devices */
  { "\"sort\": \"fpga\"", "\"sort\": \"abacus\"", 23, "can’t be “abacus”" },
  { "\"Second\"", "\"First [card], \\\"quoted\\\"\"", 23, "another device" },
  { "\"Second\"", "\"Sec\\nond\"", 23, "aren’t text" },
  { "\"Second\"", "\"\\u001b[31mred\"", 23, "aren’t text" },
  { "\"Second\"", "\"\\u202eback\"", 23, "aren’t text" },
  { "\"Second\"", "\" Second\"", 23, "begins with a space" },
  { "\"Second\"", "\"" SIXTY "0\"", 23, "60 characters" },
  { "\"Second\"", "2", 23, "“name”" },
  { "\"known_as\": []", "\"known_as\": [\"seven77\"]", 23, "known_as" },
  { "\"known_as\": []", "\"known_as\": [\"" SIXTY "0\"]", 23, "known_as" },
  { "\"known_as\": []", "\"parts\": 1, \"known_as\": []", 23, "parts" },
  { "\"known_as\": []", "\"parts\": 65, \"known_as\": []", 23, "parts" },
  { "\"known_as\": []", "\"parts\": 2.5, \"known_as\": []", 23, "parts" },
  { "\"known_as\": []", "\"parts\": \"two\", \"known_as\": []", 23, "parts" },
  { "\"known_as\": []", "\"known_as\": [\"The*Second*\"]", 23, "known_as" },
  { "\"known_as\": []", "\"known_as\": [\"The First Card*\"]", 23, "known_as" },
  { "\"known_as\": []", "\"known_as\": [[]]", 23, "known_as" },
  { "\"known_as\": [],\n", "", 23, "known_as" },
  { "\"quote\": \"75 W\"", "\"quote\": \"75 W\", \"note\": 75", 28, "member “note” must be an object" },
  { "\"quote\": \"75 W\"", "\"quote\": \"75 W\", \"note\": {\"de\": \"der Karte\"}", 28, "“en”" },
  { "\"quote\": \"75 W\"", "\"quote\": \"75 W\", \"note\": {\"en\": \"a\", \"English\": \"b\"}", 28,
    "by languages" },
  { "\"figures\": [\n        {\"what\": \"power\"",
    "\"figures\": [], \"sort2\": [\n        {\"what\": \"power\"", 23, "sort2" },
};

/* Other places, which are right. */
static const struct {
  const char *from, *to;
} right[] = {
  { "10.5", "1.05e1" },
  { "\"published\": \"2017-05\"", "\"published\": \"2017\"" },
  { "\"published\": \"2017-05\"", "\"published\": \"2017-05-11\"" },
  { ",\n      \"published\": \"2017-05\"", "" },
  { "\"published\": \"2017-05\"", "\"copy\": \"http://mirror.example.org/sheet\"" },
  { "Second", "Zweites Gerät, ½ Takt" },
  { "Second", SIXTY },
  { "\"known_as\": []", "\"parts\": 64, \"known_as\": [\"eight888\", \"" SIXTY "\"]" },
  { "\"sheet\": {", "\"" SIXTY "\": {\"title\": \"t\", \"address\": \"https://example.org/\", \"seen\": "
                    "\"2026-11-23\"}, \"sheet\": {" },
  { "\"unit\": \"GB\"", "\"unit\": \"GiB\"" },
  { "\"quote\": \"75 W\"", "\"quote\": \"75 W\", \"note\": {\"en\": \"of the card\"}" },
  { "\"quote\": \"75 W\"", "\"quote\": \"75 W\", \"note\": \"of the card\"" },
  { "\"numbers\": \"fp32\", \"value\": 10.5, \"unit\": \"TFLOP/s\"", "\"value\": 10.5, \"unit\": \"TOP/s\"" },
};

static TempDir dir;

static LsCatalogue *
load (gconstpointer bytes, gsize n, GError **error)
{
  g_autofree char *path = temp_path (&dir, "hardware.json");

  put_file (path, bytes, n);
  return ls_catalogue_load (path, error);
}

static void
test_right (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (LsCatalogue) plain = load (good, sizeof good - 1, &error);

  g_assert_no_error (error);
  g_assert_cmpuint (plain->devices->len, ==, 2);
  g_assert_cmpstr (((const LsHardware *) plain->devices->pdata[0])->name, ==, "First [card], \"quoted\"");
  for (gsize i = 0; i < G_N_ELEMENTS (right); i++)
    {
      g_autofree char *text = replaced (good, right[i].from, right[i].to);
      g_autoptr (LsCatalogue) catalogue = load (text, strlen (text), &error);

      if (catalogue == NULL)
        g_error ("with “%s” it is refused: %s", right[i].to, error->message);
    }
}

static void
test_wrong (void)
{
  g_assert_cmpuint (G_N_ELEMENTS (wrong), >=, 20);
  for (gsize i = 0; i < G_N_ELEMENTS (wrong); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autofree char *text = replaced (good, wrong[i].from, wrong[i].to);
      g_autoptr (LsCatalogue) catalogue = load (text, strlen (text), &error);

      assert_wrong (&wrong[i], "hardware.json", catalogue != NULL, error);
    }
}

/* Every beginning of it. */
static void
test_cut (void)
{
  g_autoptr (GError) error = NULL;

  for (gsize n = 0; n < sizeof good - 2; n++)
    {
      g_autoptr (LsCatalogue) catalogue = load (good, n, &error);

      if (catalogue != NULL)
        g_error ("its first %zu bytes are read", n);
      assert_refused (&error, LS_ERROR_DATA, "“hardware.json”: ");
    }
}

static void
refuse (const GString *text, const char *words)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (load (text->str, text->len, &error));
  assert_refused (&error, LS_ERROR_DATA, words);
}

static void
test_many (void)
{
  g_autoptr (GString) devices = g_string_new (
    "{\"format\": \"lockstep-hardware\", \"version\": 1, \"sources\": {}, "
    "\"devices\": [{}");
  g_autoptr (GString) few = g_string_new (devices->str), sources = NULL;

  for (guint i = 1; i < 100000; i++)
    g_string_append (devices, ",{}");
  refuse (devices, "isn’t JSON"); /* it isn't ended */
  g_string_append (devices, "]}");
  refuse (devices, "“devices” must be an array of 1 to 500 elements");
  for (guint i = 1; i < 501; i++)
    g_string_append (few, ",{}");
  g_string_append (few, "]}");
  refuse (few, "1 to 500 elements");

  sources = g_string_new ("{\"format\": \"lockstep-hardware\", \"version\": 1, \"sources\": {\"s\": 1");
  for (guint i = 0; i < 20000; i++)
    g_string_append_printf (sources, ",\"s%u\": 1", i);
  g_string_append_printf (sources, "}, \"devices\": []}");
  refuse (sources, "more than 500 elements");
}

static void
test_deep_and_huge (void)
{
  g_autoptr (GString) deep = g_string_new ("{\"devices\": "), huge = g_string_new (good);

  for (guint i = 0; i < 100000; i++)
    g_string_append_c (deep, '[');
  refuse (deep, "isn’t JSON");
  g_string_set_size (huge, (1 << 20) + 1);
  memset (huge->str + sizeof good - 1, ' ', huge->len - sizeof good + 1);
  refuse (huge, "is too large");
  g_string_truncate (huge, 1 << 20);
  {
    g_autoptr (GError) error = NULL;
    g_autoptr (LsCatalogue) catalogue = load (huge->str, huge->len, &error);

    g_assert_no_error (error);
    g_assert_nonnull (catalogue);
  }
}

static void
test_no_file (void)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *missing = temp_path (&dir, "missing.json");

  g_assert_null (ls_catalogue_load (missing, &error));
  assert_refused (&error, LS_ERROR_FILE, "missing.json");
  g_assert_null (ls_catalogue_load (dir.path, &error));
  assert_refused (&error, LS_ERROR_FILE, "is a folder");
}

/* Texts in at most 20 languages, English among them, whose names are two or three small letters and perhaps a
 * country's two large ones. */
static void
test_languages (void)
{
  static const struct {
    const char *name;  /* of a text beside the English one; NULL: without that one */
    guint more;        /* languages */
    const char *words; /* NULL: they are read */
  } rows[] = {
    { "de", 0 },
    { "nds", 0 },
    { "pt_BR", 0 },
    { "nds_DE", 0 },
    { "d", 0, "has texts by languages, such as “en” and “de”, alone." },
    { "deut", 0, "has texts by languages" },
    { "De", 0, "has texts by languages" },
    { "pt_br", 0, "has texts by languages" },
    { "pt_B", 0, "has texts by languages" },
    { "pt_BRA", 0, "has texts by languages" },
    { "pt-BR", 0, "has texts by languages" },
    { "", 0, "has texts by languages" },
    { NULL, 0, "“en” must be a string" },
    { "de", 18 },
    { "de", 19, "the member “note” has too many languages." },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (json_t) json = json_object ();
      json_t *texts = ls_json_object (json, "note");
      g_autoptr (GError) error = NULL;
      g_autofree char *out = NULL;

      ls_json_text (texts, rows[i].name != NULL ? rows[i].name : "de", "anders");
      if (rows[i].name != NULL)
        ls_json_text (texts, "en", "so");
      for (guint k = 0; k < rows[i].more; k++)
        {
          const char name[] = { 'x', (char) ('a' + k), '\0' };
          ls_json_text (texts, name, "else");
        }
      if (ls_member_words (json, "note", 9, FALSE, &out, &error) != (rows[i].words == NULL))
        g_error ("texts in “%s” and %u others are %s", rows[i].name, rows[i].more,
                 rows[i].words == NULL ? error->message : "read");
      if (rows[i].words == NULL)
        g_assert_cmpstr (out, ==, "so");
      else
        assert_refused (&error, LS_ERROR_DATA, rows[i].words);
    }
}

int
main (int argc, char **argv)
{
  int status;

  g_test_init (&argc, &argv, NULL);
  temp_dir_init (&dir);
  g_test_add_func ("/catalogue-hostile/right", test_right);
  g_test_add_func ("/catalogue-hostile/wrong", test_wrong);
  g_test_add_func ("/catalogue-hostile/cut", test_cut);
  g_test_add_func ("/catalogue-hostile/many", test_many);
  g_test_add_func ("/catalogue-hostile/deep-and-huge", test_deep_and_huge);
  g_test_add_func ("/catalogue-hostile/no-file", test_no_file);
  g_test_add_func ("/catalogue-hostile/languages", test_languages);
  status = g_test_run ();
  temp_dir_clear (&dir);
  return status;
}
