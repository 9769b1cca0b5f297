/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * JSON that must be read, with the values it must give, and texts that only look like JSON.
 */
#include <math.h>

#include "begin.h"
#include "files/json.h"
#include "files/text.h"
#include "tempdir.h"

/* In a copy, so that a byte too far is noticed. */
static json_t *
parse (const char *text, gsize n, json_type type, GError **error)
{
  g_autofree char *copy = g_memdup2 (text, MAX (n, 1));

  return ls_json_parse (copy, n, 1 << 20, type, error);
}

static void
test_good (void)
{
  static const char *const good[] = {
    "{}",
    "[]",
    " [ ] \n",
    "\t{\r\n}",
    "[null]",
    "[true]",
    "[false]",
    "[0]",
    "[-0]",
    "[-1]",
    "[1.5e-3]",
    "[1E5]",
    "[1e+5]",
    "[0.5]",
    "[9223372036854775807]",
    "[-9223372036854775808]",
    "[0.0000000000000000000000000000000000000000000000000000000000000000000000001]",
    "[\"\"]",
    "[\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e9\"]",
    "[\"\\ud83d\\ude00\"]",
    "[\"é×💡\"]",
    "[1,[2,[3,{\"a\":[]}]],{}]",
    "{\"a\":{\"a\":{\"a\":1}}}",
    "{\"a\":1,\"A\":2,\"\":3}",
  };

  for (guint i = 0; i < G_N_ELEMENTS (good); i++)
    {
      g_autoptr (GError) error = NULL;
      const json_type type = strchr (good[i], '[') == NULL || *good[i] == '{' ? JSON_OBJECT : JSON_ARRAY;
      g_autoptr (json_t) json = parse (good[i], strlen (good[i]), type, &error);

      if (json == NULL)
        g_error ("%s: %s", good[i], error->message);
    }
}

static void
test_bad (void)
{
  static const char *const bad[] = {
    "",
    " ",
    "{",
    "}",
    "[",
    "]",
    "{]",
    "[}",
    "[1",
    "[1,",
    "[1,]",
    "[,1]",
    "[1 2]",
    "[1,,2]",
    "{\"a\"}",
    "{\"a\":}",
    "{\"a\":1,}",
    "{,}",
    "{\"a\" 1}",
    "{\"a\":1 \"b\":2}",
    "{a:1}",
    "{'a':1}",
    "['a']",
    "{1:2}",
    "{} {}",
    "{}x",
    "[] ,",
    "1 2",
    "var x = {\"a\":1};",
    "{\"a\":1};",
    "// no\n{}",
    "/* no */ {}",
    "{ /* no */ }",
    "[1] // no",
    "# no\n{}",
    "01",
    "-",
    "+1",
    ".5",
    "1.",
    "1.e5",
    "1e",
    "1e+",
    "0x10",
    "1_000",
    "NaN",
    "Infinity",
    "-Infinity",
    "nan",
    "1e999",
    "-1e999",
    "9223372036854775808",
    "-9223372036854775809",
    "18446744073709551616",
    "1,5",
    "True",
    "nul",
    "nulll",
    "tru",
    "undefined",
    "\"",
    "\"a",
    "\"\\\"",
    "\"\\x41\"",
    "\"\\u12\"",
    "\"\\u12g4\"",
    "\"\\u0000\"",
    "\"\\ud800\"",
    "\"\\udc00\"",
    "\"\\ud800\\u0041\"",
    "\"\\ud800x\"",
    "\"a\nb\"",
    "\"a\tb\"",
    "\"\xff\"",
    "\"\xc0\xaf\"",
    "\xef\xbb\xbf{}",
    "{\"a\":1,\"a\":2}",
    "{\"a\":1,\"\\u0061\":2}",
    "[{\"b\":{\"c\":1,\"c\":1}}]",
    "{\"a\":{\"x\":1},\"a\":{\"x\":1}}",
    "\f{}",
    "\v[]",
  };

  for (guint i = 0; i < 2 * G_N_ELEMENTS (bad); i++)
    {
      /* as a member, too: a number or a word by itself is refused for that alone */
      g_autofree char *text = g_strdup_printf (i % 2 ? "{\"x\":%s}" : "%s", bad[i / 2]);
      g_autoptr (GError) error = NULL;
      g_autoptr (json_t) json = parse (text, strlen (text), JSON_ARRAY, &error);

      if (json != NULL)
        g_error ("accepted: %s", text);
      assert_refused (&error, LS_ERROR_DATA, "it isn’t JSON: line ");
    }
}

/* A NUL byte, in a string or behind everything, isn't the end of the text. */
static void
test_nul (void)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (parse ("[\"a\0b\"]", 7, JSON_ARRAY, &error));
  assert_refused (&error, LS_ERROR_DATA, "control character 0x0");
  g_assert_null (parse ("[]\0", 3, JSON_ARRAY, &error));
  assert_refused (&error, LS_ERROR_DATA, NULL);
}

/* The sentence names the place and what is wrong there. */
static void
test_sentences (void)
{
  static const struct {
    const char *text, *words;
  } wrong[] = {
    { "", "line 1, column 0: '[' or '{' expected near end of file." },
    { "{\"a\":1,\n \"a\":2}", "line 2, column 4: duplicate object key near" },
    { "{\"a\":\"\\u0000\"}", "\\u0000 is not allowed" },
    { "{\"\\u0000\":1}", "NUL byte in object key" },
    { "[9223372036854775808]", "too big integer" },
    { "[-9223372036854775809]", "too big negative integer" },
    { "[1e999]", "real number overflow" },
    { "[\"\xff\"]", "unable to decode byte 0xff" },
    { "[] []", "end of file expected near '['" },
    { "{}", "its JSON is no array." },
  };

  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_null (parse (wrong[i].text, strlen (wrong[i].text), JSON_ARRAY, &error));
      assert_refused (&error, LS_ERROR_DATA, wrong[i].words);
    }
}

static void
test_depth (void)
{
  enum { DEEP = 1000000 };
  g_autofree char *text = g_malloc (DEEP);
  g_autoptr (GError) error = NULL;
  g_autoptr (json_t) json = NULL;

  memset (text, '[', DEEP);
  g_assert_null (parse (text, DEEP, JSON_ARRAY, &error));
  assert_refused (&error, LS_ERROR_DATA, "line 1, column 2049: maximum parsing depth reached");
  memset (text + 32, ']', 32);
  json = parse (text, 64, JSON_ARRAY, &error);
  g_assert_no_error (error);
  g_assert_nonnull (json);
}

static void
test_size (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (json_t) json = ls_json_parse ("[1,2,3]", 7, 7, JSON_ARRAY, &error);

  g_assert_no_error (error);
  g_assert_nonnull (json);
  g_assert_null (ls_json_parse ("[1,2,3]", 7, 6, JSON_ARRAY, &error));
  assert_refused (&error, LS_ERROR_DATA, "at most 6");
}

/* What jansson would answer with 0 or NULL is an error here. */
static void
test_members (void)
{
  static const char text[]
    = "{\"i\":7,\"neg\":-9223372036854775807,\"d\":0.5,\"e\":1e3,\"s\":\"12\",\"b\":true,\"z\":null,"
      "\"a\":[1,2,3],\"m\":[1,\"2\"],\"f\":[1,2.0],\"o\":{},\"objects\":[{},1]}";
  g_autoptr (GError) error = NULL;
  g_autoptr (json_t) object = parse (text, strlen (text), JSON_OBJECT, &error);
  const char *string = "";
  gboolean flag = FALSE;
  gint64 i, values[4];
  double d;
  guint n;

  g_assert_true (ls_json_get_int (object, "i", 7, 7, &i, &error) && i == 7);
  g_assert_true (ls_json_get_int (object, "neg", G_MININT64, 0, &i, &error) && i == -G_MAXINT64);
  g_assert_true (ls_json_get_double (object, "d", 0, 1, &d, &error) && fabs (d - 0.5) < 1e-15);
  g_assert_true (ls_json_get_double (object, "e", 0, 1e4, &d, &error) && fabs (d - 1000) < 1e-9);
  g_assert_true (ls_json_get_double (object, "i", 0, 10, &d, &error) && fabs (d - 7) < 1e-9);
  g_assert_true (ls_json_get_bool (object, "b", &flag, &error) && flag);
  g_assert_cmpstr (ls_json_get_string (object, "s", &error), ==, "12");
  g_assert_true (ls_json_get_string_or_null (object, "z", &string, &error) && string == NULL);
  g_assert_true (ls_json_get_string_or_null (object, "absent", &string, &error) && string == NULL);
  g_assert_true (ls_json_get_ints (object, "a", 1, 3, 3, 3, values, &n, &error) && n == 3 && values[2] == 3);
  g_assert_nonnull (ls_json_get_object (object, "o", &error));
  g_assert_no_error (error);

#define REFUSED(call, words)                                                                                 \
  g_assert_false (call);                                                                                     \
  assert_refused (&error, LS_ERROR_DATA, words)
  REFUSED (ls_json_get_int (object, "i", 0, 6, &i, &error), "“i” must be a whole number from 0 to 6");
  REFUSED (ls_json_get_int (object, "d", 0, 9, &i, &error), "whole number");
  REFUSED (ls_json_get_int (object, "s", 0, 99, &i, &error), "“s” must be a whole number");
  REFUSED (ls_json_get_int (object, "b", 0, 99, &i, &error), "whole number");
  REFUSED (ls_json_get_int (object, "z", 0, 99, &i, &error), "whole number");
  REFUSED (ls_json_get_int (object, "absent", 0, 99, &i, &error), "“absent”");
  REFUSED (ls_json_get_int (object, "a", 0, 99, &i, &error), "whole number");
  REFUSED (ls_json_get_double (object, "s", 0, 99, &d, &error), "a number");
  REFUSED (ls_json_get_double (object, "d", 1, 99, &d, &error), "from 1 to 99");
  REFUSED (ls_json_get_bool (object, "i", &flag, &error), "true or false");
  REFUSED (ls_json_get_string (object, "i", &error) != NULL, "a string");
  REFUSED (ls_json_get_string_or_null (object, "i", &string, &error), "a string");
  REFUSED (ls_json_get_object (object, "a", &error) != NULL, "an object");
  REFUSED (ls_json_get_array (object, "a", 4, 9, &error) != NULL, "4 to 9 elements");
  REFUSED (ls_json_get_array (object, "a", 0, 2, &error) != NULL, "0 to 2 elements");
  REFUSED (ls_json_get_array (object, "o", 0, 2, &error) != NULL, "array");
  REFUSED (ls_json_get_ints (object, "m", 0, 9, 0, 4, values, &n, &error), "“m”");
  REFUSED (ls_json_get_ints (object, "f", 0, 9, 0, 4, values, &n, &error), "“f”");
  REFUSED (ls_json_get_ints (object, "a", 2, 9, 0, 4, values, &n, &error), "from 2 to 9");
  REFUSED (ls_json_array_object (json_object_get (object, "objects"), 1, "objects", &error) != NULL,
           "element 1 of “objects”");
#undef REFUSED
}

/* What the writers quote, the reader reads back; numbers exactly, whatever the locale's decimal sign. tree:
 * by json.h's writer, and else by text.h's. */
static void
round_trip (const char *text, double number, gboolean tree)
{
  g_autoptr (json_t) out = json_object (), in = NULL;
  g_autoptr (GString) string = g_string_new ("{\"x\":");
  g_autofree char *dumped = NULL;
  g_autoptr (GError) error = NULL;
  double value;

  if (text != NULL)
    ls_json_text (out, "x", text);
  else
    ls_json_number (out, "x", number);
  if (text != NULL)
    ls_text_append_json (string, text);
  else
    ls_text_append_double (string, number);
  g_string_append_c (string, '}');
  dumped = tree ? json_dumps (out, JSON_COMPACT) : g_strdup (string->str);
  in = parse (dumped, strlen (dumped), JSON_OBJECT, &error);
  g_assert_no_error (error);
  if (text != NULL)
    {
      g_assert_cmpstr (ls_json_get_string (in, "x", &error), ==, text);
      return;
    }
  g_assert_true (ls_json_get_double (in, "x", -G_MAXDOUBLE, G_MAXDOUBLE, &value, &error));
  g_assert_cmpmem (&value, sizeof value, &number, sizeof number);
}

static void
test_round_trip (void)
{
  static const char *const texts[] = { "", "dW₁ = dZ₁ᵀ·X", "a\"b\\c/d", "\x01\x1f\x7f\n\r\t", "💡" };
  static const double numbers[]
    = { 0, -0.0, 0.1, -1.0 / 3, 1e300, 5e-324, 1234567890123456.0, 25, 1e22, G_PI };

  for (guint i = 0; i < 2 * G_N_ELEMENTS (texts); i++)
    round_trip (texts[i / 2], 0, i % 2);
  for (guint i = 0; i < 2 * G_N_ELEMENTS (numbers); i++)
    round_trip (NULL, numbers[i / 2], i % 2);
}

/* Members in their order; what JSON has no word for. */
static void
test_written (void)
{
  g_autoptr (json_t) json = json_object ();
  json_t *list = ls_json_array (json, "z");
  g_autofree char *text = NULL;

  ls_json_text (json, "b", "a\xff");
  ls_json_text (json, "a", NULL);
  ls_json_number (json, "n", (double) NAN);
  ls_json_bool (json, "t", 2);
  ls_json_whole (list, NULL, G_MAXINT64);
  ls_json_number (list, NULL, 25);
  ls_json_text (ls_json_object (list, NULL), "é", "/");
  text = json_dumps (json, JSON_COMPACT);
  g_assert_cmpstr (
    text, ==,
    "{\"z\":[9223372036854775807,25.0,{\"é\":\"/\"}],\"b\":\"a\uFFFD\",\"a\":null,\"n\":null,\"t\":true}");
}

static void
test_csv (void)
{
  g_autoptr (GString) out = g_string_new (NULL);

  ls_text_append_csv (out, NULL);
  ls_text_append_csv (out, "plain;·");
  ls_text_append_csv (out, "a,b");
  ls_text_append_csv (out, "say \"x\"\n");
  g_assert_cmpstr (out->str, ==, "plain;·\"a,b\"\"say \"\"x\"\"\n\"");
  /* a line break alone wants quotes, too: RFC 4180 */
  g_string_truncate (out, 0);
  ls_text_append_csv (out, "two\nlines");
  ls_text_append_csv (out, "two\rlines");
  g_assert_cmpstr (out->str, ==, "\"two\nlines\"\"two\rlines\"");
}

/* Where a value begins, whatever the texts before it hold. */
static void
test_lines (void)
{
  static const char text[]
    = "\n{ \"a\": [1,\n  {\"b]\": \"\\\"}\",\n \"c\"\n:\n[[],\n {}, \"x\"]}],\n\"devices\": {}}";
  static const struct {
    const char *pointer;
    guint line;
  } cases[] = { { "", 2 },       { "/a", 2 },       { "/a/0", 2 },     { "/a/1", 3 },     { "/a/1/b]", 3 },
                { "/a/1/c", 6 }, { "/a/1/c/0", 6 }, { "/a/1/c/1", 7 }, { "/a/1/c/2", 7 }, { "/devices", 8 },
                { "/a/7", 2 },   { "/a/1/d", 3 },   { "/none", 2 },    { "/a/0/x", 2 },   { "/devic", 2 } };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      const guint line = ls_json_line (text, sizeof text - 1, cases[i].pointer);

      if (line != cases[i].line)
        g_error ("“%s” is on line %u, not %u", cases[i].pointer, cases[i].line, line);
    }
  /* what isn't JSON ends, too */
  for (gsize n = 0; n < sizeof text; n++)
    {
      g_autofree char *copy = g_memdup2 (text, MAX (n, 1));
      for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
        g_assert_cmpuint (ls_json_line (copy, n, cases[i].pointer), <=, 8);
    }
}

int
main (int argc, char **argv)
{
  begin_in_locale (&argc, &argv);
  g_test_add_func ("/json/good", test_good);
  g_test_add_func ("/json/lines", test_lines);
  g_test_add_func ("/json/bad", test_bad);
  g_test_add_func ("/json/nul", test_nul);
  g_test_add_func ("/json/sentences", test_sentences);
  g_test_add_func ("/json/depth", test_depth);
  g_test_add_func ("/json/size", test_size);
  g_test_add_func ("/json/members", test_members);
  g_test_add_func ("/json/round-trip", test_round_trip);
  g_test_add_func ("/json/written", test_written);
  g_test_add_func ("/json/csv", test_csv);
  return g_test_run ();
}
