/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What people may write by hand as a date, an address, a text or a file's name, and what they may not.
 */
#include "config.h"

#include <string.h>

#include "core/error.h"
#include "machines/member.h"

/* A day that there is; of what was published a month or a year will do. */
static void
test_dates (void)
{
  static const struct {
    const char *date;
    gboolean whole, part; /* it is one where a whole one is wanted, and where a part will do */
  } rows[] = {
    { "2026-01-01", TRUE, TRUE },   { "2026-12-31", TRUE, TRUE },   { "2026-02-28", TRUE, TRUE },
    { "2028-02-29", TRUE, TRUE },   { "2026-02-29", FALSE, FALSE }, { "2026-11-30", TRUE, TRUE },
    { "2026-11-31", FALSE, FALSE }, { "2026-13-01", FALSE, FALSE }, { "2026-00-10", FALSE, FALSE },
    { "2026-10-00", FALSE, FALSE }, { "1900-01-01", TRUE, TRUE },   { "1899-12-31", FALSE, FALSE },
    { "2026-12", FALSE, TRUE },     { "2026-13", FALSE, FALSE },    { "2026-00", FALSE, FALSE },
    { "2026", FALSE, TRUE },        { "26", FALSE, FALSE },         { "", FALSE, FALSE },
    { "2026-1-1", FALSE, FALSE },   { "2026/01/01", FALSE, FALSE }, { "2026-01-01Z", FALSE, FALSE },
    { "soon", FALSE, FALSE },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    for (guint whole = 0; whole < 2; whole++)
      {
        g_autoptr (GError) error = NULL;
        const gboolean taken = ls_member_date ("seen", rows[i].date, whole != 0, &error);

        if (taken != (whole != 0 ? rows[i].whole : rows[i].part))
          g_error ("“%s” is %s where %s", rows[i].date, taken ? "taken" : "refused",
                   whole != 0 ? "a day is wanted" : "a month or a year will do");
        g_assert_cmpint (error == NULL, ==, taken);
      }
}

/* A page's; without what a terminal or a reader could take for something else. */
static void
test_addresses (void)
{
  static const struct {
    const char *address;
    gboolean plain, safe; /* it is taken where http will do, and where it won't */
  } rows[] = {
    { "https://example.org/a", TRUE, TRUE },
    { "http://example.org/a", TRUE, FALSE },
    { "ftp://example.org/a", FALSE, FALSE },
    { "https://localhost/a", FALSE, FALSE },
    { "https://me@example.org/a", FALSE, FALSE },
    { "https://example.org/<a>", FALSE, FALSE },
    { "https://example.org/a b", FALSE, FALSE },
    { "https://example.org/\u00e4", FALSE, FALSE },
    { "example.org", FALSE, FALSE },
    { "", FALSE, FALSE },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    for (guint plain = 0; plain < 2; plain++)
      {
        g_autoptr (GError) error = NULL;
        const gboolean taken = ls_member_address ("address", rows[i].address, plain != 0, &error);

        if (taken != (plain != 0 ? rows[i].plain : rows[i].safe))
          g_error ("“%s” is %s, http %s", rows[i].address, taken ? "taken" : "refused",
                   plain != 0 ? "too" : "never");
        g_assert_cmpint (error == NULL, ==, taken);
      }
}

/* One line of what can be seen, and no more of it than there is room for; a file may begin with a space. */
static void
test_texts (void)
{
  static const struct {
    const char *text;
    gboolean text_too, file;
  } rows[] = {
    { "a", TRUE, TRUE },
    { "12345678", TRUE, TRUE },
    { "123456789", FALSE, FALSE },
    { "\u00e4\u00f6\u00fc\u00df\u20ac\u00e4\u00f6\u00fc", TRUE, TRUE }, /* eight of them */
    { " a", FALSE, TRUE },
    { "a ", TRUE, TRUE },
    { "", FALSE, FALSE },
    { "a\nb", FALSE, FALSE },
    { "a\x1b[m", FALSE, FALSE },
    { "\u06cc\u200c\u0645", TRUE, TRUE }, /* a joiner between two letters */
    { "a\u202eb", FALSE, FALSE },         /* what turns the order round */
    { "a\u2028b", FALSE, FALSE },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    for (guint file = 0; file < 2; file++)
      {
        g_autoptr (json_t) object = json_pack ("{s:s}", "name", rows[i].text);
        g_autofree char *out = NULL;
        g_autoptr (GError) error = NULL;
        const gboolean taken = file != 0 ? ls_member_file (object, "name", 8, FALSE, &out, &error)
                                         : ls_member_text (object, "name", 8, FALSE, &out, &error);

        if (taken != (file != 0 ? rows[i].file : rows[i].text_too))
          g_error ("row %zu, “%s”, is %s as a %s", i, rows[i].text, taken ? "taken" : "refused",
                   file != 0 ? "file’s name" : "text");
        g_assert_cmpstr (out, ==, taken ? rows[i].text : NULL);
        g_assert_cmpint (error == NULL, ==, taken);
      }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/member/dates", test_dates);
  g_test_add_func ("/member/addresses", test_addresses);
  g_test_add_func ("/member/texts", test_texts);
  return g_test_run ();
}
