/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * JSON that must be read, with the values it must give, and texts that only look like JSON.
 */
#include <math.h>

#include "begin.h"
#include "files/json.h"
#include "files/json_scan.h"
#include "files/text.h"
#include "tempdir.h"

static JsonNode *
parse (const char *text, gsize n, guint depth, GError **error)
{
  g_autoptr (GBytes) bytes = g_bytes_new (text, n);

  return ls_json_parse_strict (bytes, 1 << 20, depth, error);
}

static void
test_good (void)
{
  static const char *const good[] = {
    "{}",
    "[]",
    " [ ] \n",
    "\t{\r\n}",
    "null",
    "true",
    "false",
    "0",
    "-0",
    "-1",
    "1.5e-3",
    "1E5",
    "1e+5",
    "0.5",
    "9223372036854775807",
    "-9223372036854775807",
    "\"\"",
    "\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e9\"",
    "\"\\ud83d\\ude00\"",
    "\"é×💡\"",
    "[1,[2,[3,{\"a\":[]}]],{}]",
    "{\"a\":{\"a\":{\"a\":1}}}",
    "{\"a\":1,\"A\":2,\"\":3}",
  };

  for (guint i = 0; i < G_N_ELEMENTS (good); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (JsonNode) node = parse (good[i], strlen (good[i]), 8, &error);

      if (node == NULL)
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
    "-9223372036854775808",
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
    "0.0000000000000000000000000000000000000000000000000000000000000000000000001",
    "\f{}",
    "\v[]",
  };

  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (JsonNode) node = parse (bad[i], strlen (bad[i]), 8, &error);

      if (node != NULL)
        g_error ("accepted: %s", bad[i]);
      assert_refused (&error, LS_ERROR_DATA, NULL);
    }
}

/* A NUL byte, in a string or behind everything, isn't the end of the text. */
static void
test_nul (void)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (parse ("[\"a\0b\"]", 7, 8, &error));
  assert_refused (&error, LS_ERROR_DATA, "UTF-8");
  g_assert_null (parse ("[]\0", 3, 8, &error));
  assert_refused (&error, LS_ERROR_DATA, NULL);
}

static void
test_depth (void)
{
  enum { DEEP = 1000000 };
  g_autofree char *text = g_malloc (DEEP);
  g_autoptr (GError) error = NULL;
  g_autoptr (JsonNode) node = NULL;
  LsJsonFacts facts;

  memset (text, '[', DEEP);
  g_assert_null (parse (text, DEEP, 32, &error));
  assert_refused (&error, LS_ERROR_DATA, "at byte 32 less nesting");
  g_assert_false (ls_json_scan (text, DEEP, G_MAXUINT, &facts, &error));
  assert_refused (&error, LS_ERROR_DATA, "at byte 64 less nesting");
  memset (text + 32, ']', 32);
  node = parse (text, 64, 32, &error);
  g_assert_no_error (error);
  g_assert_nonnull (node);
  g_assert_null (parse (text, 64, 31, &error));
  assert_refused (&error, LS_ERROR_DATA, "less nesting");
  g_assert_true (ls_json_scan ("{\"a\":[{\"b\":1},{}],\"c\":2}", 24, 8, &facts, &error));
  g_assert_cmpuint (facts.members, ==, 3);
  g_assert_cmpuint (facts.depth, ==, 3);
}

static void
test_size (void)
{
  g_autoptr (GBytes) bytes = g_bytes_new_static ("[1,2,3]", 7);
  g_autoptr (GError) error = NULL;
  g_autoptr (JsonNode) node = ls_json_parse_strict (bytes, 7, 8, &error);

  g_assert_no_error (error);
  g_assert_nonnull (node);
  g_assert_null (ls_json_parse_strict (bytes, 6, 8, &error));
  assert_refused (&error, LS_ERROR_DATA, "at most 6");
}

/* What json-glib would have answered with 0 or −1 is an error here. */
static void
test_members (void)
{
  static const char text[]
    = "{\"i\":7,\"neg\":-9223372036854775807,\"d\":0.5,\"e\":1e3,\"s\":\"12\",\"b\":true,\"z\":null,"
      "\"a\":[1,2,3],\"m\":[1,\"2\"],\"f\":[1,2.0],\"o\":{},\"objects\":[{},1]}";
  g_autoptr (GError) error = NULL;
  g_autoptr (JsonNode) root = parse (text, strlen (text), 8, &error);
  JsonObject *object = json_node_get_object (root);
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
  REFUSED (ls_json_array_object (json_object_get_array_member (object, "objects"), 1, "objects", &error)
             != NULL,
           "element 1 of “objects”");
#undef REFUSED
}

/* What the writer quotes, the reader reads back; numbers exactly, whatever the locale's decimal sign. */
static void
test_round_trip (void)
{
  static const char *const texts[] = { "", "dW₁ = dZ₁ᵀ·X", "a\"b\\c/d", "\x01\x1f\x7f\n\r\t", "💡" };
  static const double numbers[] = { 0, 0.1, -1.0 / 3, 1e300, 5e-324, 1234567890123456.0, 25, 1e22, G_PI };

  for (guint i = 0; i < G_N_ELEMENTS (texts) + G_N_ELEMENTS (numbers); i++)
    {
      gboolean text = i < G_N_ELEMENTS (texts);
      g_autoptr (GString) out = g_string_new ("{\"x\":");
      g_autoptr (GError) error = NULL;
      g_autoptr (JsonNode) root = NULL;
      double value;

      if (text)
        ls_text_append_json (out, texts[i]);
      else
        ls_text_append_double (out, numbers[i - G_N_ELEMENTS (texts)]);
      g_string_append_c (out, '}');
      root = parse (out->str, out->len, 4, &error);
      g_assert_no_error (error);
      if (text)
        g_assert_cmpstr (ls_json_get_string (json_node_get_object (root), "x", &error), ==, texts[i]);
      else
        {
          double wanted = numbers[i - G_N_ELEMENTS (texts)];

          g_assert_true (
            ls_json_get_double (json_node_get_object (root), "x", -G_MAXDOUBLE, G_MAXDOUBLE, &value, &error));
          g_assert_cmpmem (&value, sizeof value, &wanted, sizeof wanted);
        }
    }
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
}

int
main (int argc, char **argv)
{
  begin_in_locale (&argc, &argv);
  g_test_add_func ("/json/good", test_good);
  g_test_add_func ("/json/bad", test_bad);
  g_test_add_func ("/json/nul", test_nul);
  g_test_add_func ("/json/depth", test_depth);
  g_test_add_func ("/json/size", test_size);
  g_test_add_func ("/json/members", test_members);
  g_test_add_func ("/json/round-trip", test_round_trip);
  g_test_add_func ("/json/csv", test_csv);
  return g_test_run ();
}
