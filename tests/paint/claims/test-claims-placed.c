/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Where Claims has its words: each row's sentence and verdict in their columns; and what is below an opened
 * row, in its order, each figure with its mark.
 */
#include "claims_rig.h"
#include "claims/expression.h"

#include <math.h>
#include <string.h>

#include "tests/plain.h"

static gint
by_place_cb (gconstpointer a, gconstpointer b)
{
  const LsItem *x = *(const LsItem *const *) a, *y = *(const LsItem *const *) b;

  if (fabs ((double) (x->y - y->y)) > 1)
    return x->y > y->y ? 1 : -1;
  return (x->x > y->x) - (x->x < y->x);
}

/* The texts that begin in the area, line by line. (transfer container) */
static GPtrArray *
texts_in (const Picture *p, LsArea area)
{
  GPtrArray *all = g_ptr_array_new ();

  for (guint i = 0; i < p->layout->still->items->len; i++)
    {
      const LsItem *item = ls_scene_get (p->layout->still, i);
      const double x = item->align == LS_RIGHT ? ls_item_right (item) : (double) item->x;
      if (item->kind == LS_ITEM_TEXT && ls_area_has (area, x, (double) item->y))
        g_ptr_array_add (all, (gpointer) item);
    }
  g_ptr_array_sort (all, by_place_cb);
  return all;
}

/* The same in one, with plain spaces. (transfer full) */
static char *
words_in (const Picture *p, LsArea area)
{
  g_autoptr (GPtrArray) all = texts_in (p, area);
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < all->len; i++)
    g_string_append_printf (text, "%s ", ((const LsItem *) all->pdata[i])->text);
  return plain (g_string_free (text, FALSE));
}

/* They follow each other. */
static void
assert_in_order (const char *what, const char *all, const char *const *words)
{
  const char *at = all;

  for (guint i = 0; words[i] != NULL; i++)
    {
      const char *found = strstr (at, words[i]);
      if (found == NULL)
        {
          g_test_fail_printf ("%s: “%s” isn’t there%s: %s", what, words[i],
                              i > 0 && strstr (all, words[i]) != NULL ? " where it belongs" : "", all);
          return;
        }
      at = found + strlen (words[i]);
    }
}

/* ---- rows ---- */

static const char *const verdicts[N_ROWS] = {
  [ROW_RANGE] = "Not here: ",
  [ROW_STAIRS] = "Not here: ",
  [ROW_BOTH] = "Half true: ",
  [ROW_TRUE] = "True: ",
  [ROW_STAND_IN] = "Not measurable here",
  [ROW_OPEN] = "Open: ",
  [ROW_GUESSED] = "Not run yet",
  [ROW_NOT_BEGUN] = "Not run yet",
};

/* Left the sentence, bold, and below it where it was read, which is marked as published; right the verdict,
 * bold; all within the row. */
static void
test_rows (void)
{
  Picture p;

  open_picture (&p, FALSE, 1920, 1080);
  const LsClaimsPicture *c = geometry (&p);
  g_assert_cmpuint (c->end - c->first, >=, 6);
  for (guint row = c->first; row < c->end; row++)
    {
      const LsClaimsPlace place = c->places[row];
      const LsArea left = { c->sentence.x - 1, place.y, c->sentence.w, place.h },
                   right = { c->verdict.x - 1, place.y, c->verdict.w, place.h };
      g_autofree char *sentence = words_in (&p, left), *verdict = words_in (&p, right),
                      *quoted = g_strdup_printf ("“%s”", c->claims->rows[row].claim->sentence);
      g_autoptr (GPtrArray) lines = texts_in (&p, left), said = texts_in (&p, right);
      guint marks = 0;

      if (!g_str_has_prefix (sentence, quoted))
        g_error ("row %u begins with “%s”, not with its sentence", row, sentence);
      assert_in_order ("where it was read", sentence, (const char *const[]){ quoted, "Lee et al.", NULL });
      if (!g_str_has_prefix (verdict, verdicts[row]))
        g_error ("row %u is said to be “%s”, not “%s”", row, verdict, verdicts[row]);
      for (guint k = 0; k < 2; k++)
        {
          const LsItem *first = (k == 0 ? lines : said)->pdata[0];
          g_assert_cmpuint (first->type.weight, ==, 700);
          g_assert_cmpuint (first->ink, ==, LS_INK_TEXT);
        }
      g_assert_cmpuint (((const LsItem *) lines->pdata[lines->len - 1])->ink, ==, LS_INK_QUIET);
      for (guint i = 0; i < p.layout->still->items->len; i++)
        {
          const LsItem *item = ls_scene_get (p.layout->still, i);
          if (item->kind != LS_ITEM_EVIDENCE || (double) item->y < place.y
              || (double) item->y > place.y + place.h)
            continue;
          g_assert_cmpint ((gint) item->value, ==, LS_EVIDENCE_PUBLISHED);
          g_assert_cmpfloat ((double) item->x, <, c->sentence.x + c->sentence.w);
          marks++;
        }
      g_assert_cmpuint (marks, ==, 1);
    }
  close_picture (&p);
}

/* A line parts each row from the one above, but for the first; beside the opened row there is none. */
static void
test_hairlines (void)
{
  Picture p;

  open_picture (&p, FALSE, 1920, 1080);
  for (gint open = -1; open < 4; open++)
    {
      ((LsClaimsState *) p.state)->open = open;
      draw (&p);
      const LsClaimsPicture *c = geometry (&p);
      for (guint row = c->first; row < c->end; row++)
        {
          guint lines = 0;
          for (guint i = 0; i < p.layout->still->items->len; i++)
            {
              const LsItem *item = ls_scene_get (p.layout->still, i);
              lines += item->kind == LS_ITEM_BOX && item->ink == LS_INK_HAIRLINE
                       && fabs ((double) item->y - c->places[row].y) < .5
                       && (double) item->w > c->area.w * .9;
            }
          if (lines != (row > c->first && (gint) row != open && (gint) row != open + 1))
            g_test_fail_printf ("with row %d opened %u lines stand above row %u", open, lines, row);
        }
    }
  close_picture (&p);
}

/* ---- below the opened row ---- */

/* The column, below the opened row, that begins where these words do. (transfer full) */
static char *
column_of (const Picture *p, const char *heading)
{
  const LsClaimsPicture *c = geometry (p);
  const LsItem *head = NULL;

  for (guint i = 0; i < p->layout->still->items->len; i++)
    {
      const LsItem *item = ls_scene_get (p->layout->still, i);
      if (item->kind == LS_ITEM_TEXT && strcmp (item->text, heading) == 0)
        head = item;
    }
  if (head == NULL)
    g_error ("below the opened row there is no “%s”", heading);
  const gboolean left = (double) head->x < c->area.x + c->area.w * .3;
  const double middle = c->area.x + c->area.w * .385;
  return words_in (
    p, (LsArea){ left ? c->area.x : middle, c->body.y, left ? middle - c->area.x : c->area.w, c->body.h });
}

static void
open_row (Picture *p, gint row)
{
  ((LsClaimsState *) p->state)->open = row;
  draw (p);
}

/* What came out, and where it was read, in this order. */
static void
test_right (void)
{
  static const struct {
    gint row;
    const char *words[12];
  } rows[] = {
    { ROW_BOTH,
      { "What came out", "CPU: 10.0 % (middle half 9.80 % to 10.2 %)",
        "OpenCL: 69.0 % (middle half 67.6 % to 70.4 %)", "Desk CPU, 2 cores, 2026-11-24T05:12Z ",
        "Where it was read", "“The words that were seen there",
        "Lee et al.: Debunking the 100X GPU vs. CPU Myth, 2010; read on 2026-11-24",
        "https://example.org/debunking" } },
    { ROW_STAIRS,
      { "The same product, five ways", "interpreted loop", "What came out",
        "4.40 ms (middle half 4.36 ms to 4.44 ms)", "Where it was read" } },
    { ROW_STAND_IN,
      { "What came out", "A100: 4.00× ", "in the place of what isn’t here",
        "Tensor cores in print; read on 2026-11-25", "No device here has such units.", "Desk CPU",
        "Where it was read" } },
    { ROW_NOT_BEGUN, { "What came out", "Nothing yet.", "Where it was read", "https://" } },
  };
  Picture p;

  open_picture (&p, FALSE, 1920, 1080);
  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      open_row (&p, rows[i].row);
      g_autofree char *all = column_of (&p, "What came out");
      assert_in_order ("right", all, rows[i].words);
    }
  open_row (&p, ROW_BOTH);
  g_assert_cmpint (mark_before (p.layout->still, "CPU: 10.0 % ("), ==, LS_EVIDENCE_DERIVED);
  g_assert_cmpint (mark_before (p.layout->still, "OpenCL: 69.0 % ("), ==, LS_EVIDENCE_DERIVED);
  g_assert_cmpint (mark_before (p.layout->still, "Desk CPU, 2 cores, "), ==, -1);
  open_row (&p, ROW_STAIRS);
  g_assert_cmpint (mark_before (p.layout->still, "4.40 ms ("), ==, LS_EVIDENCE_MEASURED);
  open_row (&p, ROW_STAND_IN);
  g_assert_cmpint (mark_before (p.layout->still, "A100: 4"), ==, LS_EVIDENCE_PUBLISHED);
  close_picture (&p);
}

/* How it is run here, and before that what would make it true, with how that is known. */
static void
test_left (void)
{
  Picture p;

  open_picture (&p, FALSE, 1920, 1080);
  open_row (&p, ROW_STAIRS);
  g_autofree char *stairs = column_of (&p, "How it is run here");
  assert_in_order ("left", stairs,
                   (const char *const[]){ "What would make it true", "a language that needs 10 ns",
                                          "How it is run here", "true: ", NULL });
  g_assert_cmpint (mark_before (p.layout->still, "a language that needs"), ==, LS_EVIDENCE_MODELLED);
  open_row (&p, ROW_BOTH);
  g_autofree char *both = column_of (&p, "How it is run here");
  assert_in_order ("left", both, (const char *const[]){ "How it is run here", "true: ", NULL });
  g_assert_null (strstr (both, "What would make it true"));
  close_picture (&p);
}

/* A figure that decides nothing says so itself; one that isn't there says why; a source whose date of
 * publishing isn't known has none; a busy machine is told. */
static void
test_odd (void)
{
  Picture p;

  open_picture (&p, FALSE, 1920, 1080);
  LsClaimRow *row = &p.data->claims->rows[ROW_TRUE];
  LsClaimFinding *f = row->result->findings;
  f[0].stand_in = TRUE;
  f[0].figure.q1 = f[0].figure.q3 = f[0].figure.value;
  f[1].figure.n = 0;
  f[1].why = g_strdup ("It went away.");
  row->result->busy = TRUE;
  g_clear_pointer (&row->claim->source->published, g_free);
  open_row (&p, ROW_TRUE);
  g_autofree char *all = column_of (&p, "What came out");
  assert_in_order (
    "odd", all,
    (const char *const[]){ "CPU: 1.40× of another device than the sentence is about: it decides nothing ",
                           "It went away.", "Desk CPU, 2 cores, 2026-11-24T05:12Z, beside other programs",
                           "Where it was read", "Myth; read on 2026-11-24", NULL });
  if (strstr (all, "OpenCL:") != NULL || strstr (all, "middle half") != NULL
      || strstr (all, "in the place of") != NULL)
    g_test_fail_printf ("a figure, a spread or a stand-in that isn’t there is told: %s", all);
  close_picture (&p);
}

/* A figure of one measurement has no spread, one of several has that of its middle half, where they differ;
 * why there is none is said in its place. */
static void
test_findings (void)
{
  static const struct {
    guint64 n;
    double value, low, high;
    const char *why, *words, *absent;
  } rows[] = {
    { 30, 1.4, 1.3, 1.5, NULL, "CPU: 1.40× (middle half 1.30× to 1.50×)", NULL },
    { 2, 1.4, 1.3, 1.5, "It is slow.", "CPU: 1.40× (middle half 1.30× to 1.50×)", "slow" },
    { 2, 1.4, 1.4, 1.4, NULL, "CPU: 1.40×", "middle half 1.40" },
    { 1, 1.4, 1.4, 1.4, NULL, "CPU: 1.40×", "middle half 1.40" },
    { 1, 1.4, 1.3, 1.5, "It is slow.", "CPU: 1.40×", "middle half 1.30" },
    { 1, 1.4, 1.4, 1.4, "It is slow.", "CPU: 1.40×", "slow" },
    { 0, 1.4, 1.3, 1.5, "It is slow.", "It is slow.", "CPU:" },
    { 0, 1.4, 1.3, 1.5, NULL, NULL, "CPU:" },
  };
  Picture p;

  open_picture (&p, FALSE, 1920, 1080);
  LsClaimFinding *f = p.data->claims->rows[ROW_TRUE].result->findings;
  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      f[0].figure.n = rows[i].n;
      f[0].figure.value = rows[i].value;
      f[0].figure.q1 = rows[i].low;
      f[0].figure.q3 = rows[i].high;
      f[0].why = (char *) rows[i].why;
      open_row (&p, ROW_TRUE);
      g_autofree char *all = column_of (&p, "What came out");
      if (rows[i].words != NULL && strstr (all, rows[i].words) == NULL)
        g_error ("of %u measurements “%s” isn’t told in: %s", (guint) rows[i].n, rows[i].words, all);
      if (rows[i].absent != NULL && strstr (all, rows[i].absent) != NULL)
        g_error ("of %u measurements “%s” is told in: %s", (guint) rows[i].n, rows[i].absent, all);
      if (strstr (all, "OpenCL: 2.80× (middle half 2.74× to 2.86×)") == NULL)
        g_error ("the other lane’s finding isn’t told in: %s", all);
      f[0].why = NULL;
    }
  close_picture (&p);
}

/* Live, the button stands below the opened row's left end, above how it is run; that a guess is kept is said
 * while there is no outcome. */
static void
test_button (void)
{
  static const struct {
    gint row;
    const char *words;
    gboolean kept;
  } rows[] = { { ROW_GUESSED, "Run", TRUE }, { ROW_BOTH, "Run Again", FALSE } };
  Picture p;

  open_picture (&p, TRUE, 1920, 1080);
  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      open_row (&p, rows[i].row);
      const LsClaimsPicture *c = geometry (&p);
      const LsSlot *button = slot (&p, LS_SLOT_LAB);
      const LsItem *how = find_text (p.layout->still, "How it is run here");
      if (button == NULL || how == NULL)
        g_error ("row %d has no button, or not how it is run", rows[i].row);
      g_assert_cmpstr (button->words, ==, rows[i].words);
      g_assert_cmpfloat (button->x + button->w, <, c->area.x + c->area.w * .38);
      g_assert_cmpfloat (button->y, >=, c->body.y);
      g_assert_cmpfloat (button->y + button->h, <, (double) how->y);
      g_assert_cmpint (told (&p, "The guess is kept with what comes out"), ==, rows[i].kept);
    }
  close_picture (&p);
}

/* The pages of a claim: its own first, then those of what was found, in the order of the findings; each once,
 * however many rest on it, and none of an outcome that the claim's file has no more. */
static void
test_sources (void)
{
  static const LsClaimDimension number = { 0 };
  g_autoptr (LsClaimExpression) four = ls_claim_expression_new ("published(4)", NULL, 0, &number, NULL);
  LsHardwareSource own = { .title = (char *) "own" }, card = { .title = (char *) "card" },
                   print = { .title = (char *) "print" };
  LsClaimOutcome outcomes[] = { { .parsed = four, .source = &card }, { .parsed = four, .source = &own } },
                 instead[] = { { .parsed = four, .source = &print }, { .parsed = four, .source = &card } };
  LsClaimFinding findings[] = { { 0 }, { 0 }, { .instead = TRUE }, { .instead = TRUE }, { .instead = TRUE } };
  LsClaim claim
    = { .source = &own, .outcomes = outcomes, .n_outcomes = 2, .instead = instead, .n_instead = 2 };
  LsClaimResult result = { .findings = findings, .n_findings = G_N_ELEMENTS (findings) };
  LsClaimRow rows[] = { { .claim = &claim }, { .claim = &claim, .result = &result } };
  LsClaims claims = { .n = 2, .rows = rows };
  LsViewData data = { 0 };
  LsLayout layout = { .data = &data };
  const LsClaimsPicture c = { .layout = &layout, .claims = &claims };

  for (guint row = 0; row < 2; row++)
    {
      g_autoptr (GPtrArray) all = ls_claims_sources (&c, row);
      g_autoptr (GString) titles = g_string_new (NULL);

      for (guint i = 0; i < all->len; i++)
        g_string_append_printf (titles, " %s", ((const LsHardwareSource *) all->pdata[i])->title);
      g_assert_cmpstr (titles->str, ==, row == 0 ? " own" : " own card print");
    }
}

/* At the end of the rows none is left out above that would have had room, in a window of whatever height. */
static void
test_end (void)
{
  guint ended = 0;

  for (guint height = 500; height < 900; height += 13)
    {
      Picture p;

      open_picture (&p, FALSE, 1280, height);
      ((LsClaimsState *) p.state)->first = 100;
      draw (&p);
      const LsClaimsPicture *c = geometry (&p);
      const double more = c->layout->m.label.px * 1.6;
      double all = 0;

      g_assert_cmpuint (c->end, ==, c->n);
      for (guint i = c->first; i < c->n; i++)
        all += c->heights[i];
      if (c->first > 0 && all + c->heights[c->first - 1] + (c->first > 1 ? more : 0) <= c->area.h)
        g_error ("%u px: row %u has room, and isn’t there", height, c->first - 1);
      if (c->first > 0 && all + more > c->area.h + 1)
        g_error ("%u px: the rows from %u on are %g px high, and there are %g", height, c->first, all + more,
                 c->area.h);
      ended += c->first > 0;
      close_picture (&p);
    }
  g_assert_cmpuint (ended, >, 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/paint/claims-placed/rows", test_rows);
  g_test_add_func ("/paint/claims-placed/hairlines", test_hairlines);
  g_test_add_func ("/paint/claims-placed/right", test_right);
  g_test_add_func ("/paint/claims-placed/left", test_left);
  g_test_add_func ("/paint/claims-placed/odd", test_odd);
  g_test_add_func ("/paint/claims-placed/findings", test_findings);
  g_test_add_func ("/paint/claims-placed/button", test_button);
  g_test_add_func ("/paint/claims-placed/sources", test_sources);
  g_test_add_func ("/paint/claims-placed/end", test_end);
  return g_test_run ();
}
