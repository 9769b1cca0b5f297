/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Claims on pages of paper: all of them, whole, and nothing beyond the margins.
 */
#include "tests/paint/claim_rows.h"

#include <string.h>

#include "claims/expression.h"
#include "tests/plain.h"
#include "ui/paint/pages/claims_pages.h"

/* All texts of a page, in their order, each with a line end. (transfer full) */
static char *
texts_of (LsScene *page)
{
  GString *all = g_string_new (NULL);

  for (guint i = 0; i < page->items->len; i++)
    if (ls_scene_get (page, i)->kind == LS_ITEM_TEXT)
      g_string_append_printf (all, "%s\n", ls_scene_get (page, i)->text);
  return g_string_free (all, FALSE);
}

/* Nothing lies beyond the margins, and no line on the one before it. */
static void
check_page (LsScene *page, guint number)
{
  double last = 0;

  for (guint i = 0; i < page->items->len; i++)
    {
      const LsItem *item = ls_scene_get (page, i);
      double x, y, w, h;

      ls_item_bounds (page, item, &x, &y, &w, &h);
      if (x < 59 || y < 59 || x + w > LS_CLAIMS_PAGE_W - 59 || y + h > LS_CLAIMS_PAGE_H - 55)
        g_test_fail_printf ("page %u: “%s” at %g, %g is clipped", number,
                            item->text != NULL ? item->text : "a mark", x, y);
      if (item->kind == LS_ITEM_TEXT && (double) item->y < last + item->type.px)
        g_test_fail_printf ("page %u: “%s” lies on the line before", number, item->text);
      if (item->kind == LS_ITEM_TEXT)
        last = (double) item->y;
    }
}

/* The words of `text` stand in `all` one after the other, lines broken anywhere. */
static void
assert_written (const char *all, const char *text)
{
  g_auto (GStrv) a = g_strsplit_set (all, " \n", -1), b = g_strsplit_set (text, " \n", -1);
  g_autofree char *joined = g_strjoinv ("", a), *wanted = g_strjoinv ("", b);

  if (strstr (joined, wanted) == NULL)
    g_test_fail_printf ("“%s” isn't written", text);
}

/* A line of its own is this, whole. */
static void
assert_line (const char *all, const char *line)
{
  g_autofree char *whole = g_strdup_printf ("\n%s\n", line), *plain_all = plain (g_strdup (all));

  if (strstr (plain_all, whole) == NULL)
    g_test_fail_printf ("no line is “%s” in: %s", line, plain_all);
}

/* Each claim with its sentence, source, verdict and the whole of its note. */
static void
test_pages (void)
{
  g_autoptr (LsClaims) claims = claim_rows ();
  g_autoptr (LsFonts) fonts = ls_fonts_new (NULL);
  g_autoptr (GString) all = g_string_new (NULL);
  static const char *const lines[] = {
    "Lee et al.: Debunking the 100X GPU vs. CPU Myth, 2010; read on 2026-11-24",
    "Claimed: 10–100×; guessed: 6×",
    "Claimed: 2×; not guessed",
    "Read as: over half of the step",
    "1.50× (middle half 1.47× to 1.53×)",
    "CPU: 10.0 % (middle half 9.80 % to 10.2 %)",
    "OpenCL: 69.0 % (middle half 67.6 % to 70.4 %)",
    "A100: 4.00×; in the place of what isn’t here",
    "Tensor cores in print; read on 2026-11-25",
    "“four times as fast”",
    "interpreted loop: 10.0 s, not run",
    "Each way is a process of its own; they took turns, 30 each in 0 s.",
    "Guess: 6×, of 2026-11-24T05:09Z, before it was run.",
    "true: from 10× on",
  };
  LsStyle style;

  ls_style_init (&style, LS_LOOK_PRINT, 1);
  g_autoptr (GPtrArray) pages = ls_claims_pages (claims, NULL, &style, fonts);
  g_assert_cmpuint (pages->len, >=, 2);
  for (guint i = 0; i < pages->len; i++)
    {
      g_autofree char *texts = texts_of (pages->pdata[i]),
                      *number = g_strdup_printf ("Page %u of %u", i + 1, pages->len);

      check_page (pages->pdata[i], i + 1);
      assert_written (texts, number);
      *strstr (texts, number) = '\0';
      g_string_append (all, texts);
    }
  assert_written (all->str,
                  "8 claims: 1 true, 1 half true, 2 not here, 1 open, 1 not measurable here, 2 not run yet.");
  assert_written (all->str, "https://example.org/tensor"); /* of what stands in the place of a figure */
  for (guint i = 0; i < G_N_ELEMENTS (lines); i++)
    assert_line (all->str, lines[i]);
  for (guint i = 0; i < claims->n; i++)
    {
      const LsClaimRow *row = &claims->rows[i];
      g_autofree char *verdict = ls_claim_verdict_text (row->claim, row->result),
                      *note = row->result != NULL ? ls_claim_note_text (row->claim, row->result) : NULL,
                      *guess = row->guessed ? ls_claim_guess_text (row->claim, row->guess) : NULL,
                      *guessed = guess != NULL ? g_strdup_printf ("guessed: %s", guess) : NULL;

      assert_written (all->str, row->claim->sentence);
      assert_written (all->str, row->claim->source->address);
      assert_written (all->str, verdict);
      if (note != NULL)
        assert_written (all->str, note);
      if (guessed != NULL)
        assert_written (all->str, guessed);
      if (row->result != NULL)
        assert_written (all->str, row->result->machine);
    }
}

/* A list without claims is a page; words that are wider than it are broken, and none is lost. */
static void
test_pages_edges (void)
{
  g_autoptr (LsClaims) claims = claim_rows ();
  g_autoptr (LsFonts) fonts = ls_fonts_new_stretched (4);
  const LsClaims none = { 1, 0, NULL };
  LsClaims one = { 1, 1, &claims->rows[ROW_NOT_BEGUN] };
  g_autofree char *kept G_GNUC_UNUSED = one.rows->claim->sentence, *texts = NULL;
  LsStyle style;

  ls_style_init (&style, LS_LOOK_PRINT, 1);
  g_autoptr (GPtrArray) empty = ls_claims_pages (&none, NULL, &style, fonts);
  g_assert_cmpuint (empty->len, ==, 1);
  one.rows->claim->sentence = g_strnfill (3000, 'm'); /* 40 to a page or so */
  g_autoptr (GPtrArray) pages = ls_claims_pages (&one, NULL, &style, fonts);
  g_assert_cmpuint (pages->len, >, 2);
  for (guint i = 0; i < pages->len; i++)
    check_page (pages->pdata[i], i + 1);
  texts = texts_of (pages->pdata[1]);
  g_assert_nonnull (strstr (texts, "mmm"));
}

/* A claim that fits on a page stands on one, the last line of its sentence where its first is. */
static void
test_pages_together (void)
{
  enum { MANY = 24 };
  g_autoptr (LsClaims) claims = claim_rows ();
  g_autoptr (LsFonts) fonts = ls_fonts_new (NULL);
  LsClaimRow rows[MANY];
  LsClaim own[MANY];
  const LsClaims many = { 1, MANY, rows };
  LsStyle style;
  guint seen = 0;

  for (guint i = 0; i < MANY; i++)
    {
      g_autofree char *words = g_strnfill (40 + 97 * (i % 7), 'm');
      for (char *at = words; *at != '\0'; at++)
        if ((at - words) % 6 == 5)
          *at = ' ';
      rows[i] = claims->rows[ROW_NOT_BEGUN];
      own[i] = *rows[i].claim;
      own[i].sentence = g_strdup_printf ("First%02u %s Last%02u", i, words, i);
      rows[i].claim = &own[i];
    }
  ls_style_init (&style, LS_LOOK_PRINT, 1);
  g_autoptr (GPtrArray) pages = ls_claims_pages (&many, NULL, &style, fonts);
  g_assert_cmpuint (pages->len, >, 2);
  for (guint page = 0; page < pages->len; page++)
    {
      g_autofree char *texts = texts_of (pages->pdata[page]);
      for (guint i = 0; i < MANY; i++)
        {
          g_autofree char *first = g_strdup_printf ("First%02u", i), *last = g_strdup_printf ("Last%02u", i);
          if ((strstr (texts, first) != NULL) != (strstr (texts, last) != NULL))
            g_error ("claim %u is torn between page %u and another", i, page + 1);
          seen += strstr (texts, last) != NULL;
        }
    }
  g_assert_cmpuint (seen, ==, MANY);
  for (guint i = 0; i < MANY; i++)
    g_free (own[i].sentence);
}

/* A figure that stands for another may be made from several that were published: each one's page is named,
 * and what was read on the outcome's own one is quoted there alone. */
static void
test_pages_quoted (void)
{
  static const LsClaimDimension number = { 0 };
  g_autoptr (LsClaims) claims = claim_rows ();
  g_autoptr (LsFonts) fonts = ls_fonts_new (NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (LsCatalogue) catalogue = ls_catalogue_load (NULL, &error);
  const LsClaims one = { 1, 1, &claims->rows[ROW_STAND_IN] };
  LsClaimOutcome *outcome = one.rows->claim->instead;
  LsStyle style;

  g_assert_no_error (error);
  const LsHardware *card = ls_catalogue_find (catalogue, "V100", NULL);
  g_assert_nonnull (card);
  const LsHardwareSource *sheet = ls_hardware_get (card, LS_HARDWARE_COMPUTE, LS_NUMBERS_FP16, 0)->source;
  ls_claim_expression_free (outcome->parsed);
  outcome->parsed = ls_claim_expression_new ("published(4) * peak('V100', fp16) / peak('V100', fp16)", NULL,
                                             0, &number, NULL);
  ls_style_init (&style, LS_LOOK_PRINT, 1);
  for (guint known = 0; known < 2; known++)
    {
      g_autoptr (GPtrArray) pages = ls_claims_pages (&one, known ? catalogue : NULL, &style, fonts);
      g_assert_cmpuint (pages->len, ==, 1);
      g_autofree char *texts = texts_of (pages->pdata[0]);
      const char *quote = strstr (texts, "“four times as fast”"),
                 *own = strstr (texts, outcome->source->address), *other = strstr (texts, sheet->address);
      if ((other != NULL) != known)
        g_error ("%s the catalogue the sheet that a figure is made from is %s: %s",
                 known ? "with" : "without", other != NULL ? "named" : "not named", texts);
      if (quote == NULL || own == NULL || quote < own || (known && quote > other))
        g_error ("what was read on the outcome’s own page isn’t quoted below that one: %s", texts);
      if (strstr (quote + 1, "“four times as fast”") != NULL)
        g_error ("what was read on the outcome’s own page is quoted below another one, too: %s", texts);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/paint/claims-pages/whole", test_pages);
  g_test_add_func ("/paint/claims-pages/edges", test_pages_edges);
  g_test_add_func ("/paint/claims-pages/together", test_pages_together);
  g_test_add_func ("/paint/claims-pages/quoted", test_pages_quoted);
  return g_test_run ();
}
