/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A claim is a list of lines, wrapped to the page's width; it is kept on one page where it fits on one, and
 * goes on on the next where it doesn't.
 */
#include "config.h"
#include "ui/paint/pages/claims_pages.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "ui/paint/output/export.h"
#include "ui/paint/parts/text.h"

#define MARGIN        60.
#define WIDTH         (LS_CLAIMS_PAGE_W - 2 * MARGIN)
#define TOP           (MARGIN + 12)
#define BOTTOM        (LS_CLAIMS_PAGE_H - MARGIN - 24) /* below it, the page's number */
#define MARK          10.                              /* of evidence */
#define INDENT        (MARK + 7)
#define NOTHING_KNOWN (-1)
#define BELOW_MARK    (-2) /* no mark, but as far in as a line with one */

static const LsType title_type = { 24, 700, FALSE }, bold = { 16, 700, FALSE }, strong = { 14, 700, FALSE },
                    plain = { 14, 400, FALSE };

typedef struct {
  char *text;
  LsType type;
  LsInk ink;
  gint evidence; /* of the mark before it; NOTHING_KNOWN, BELOW_MARK: none */
  double x, gap; /* gap: above it, px */
} Line;

typedef struct {
  const LsCatalogue *catalogue; /* NULL: it can't be read */
  LsScene *measure;             /* for widths */
  const LsStyle *style;
  LsFonts *fonts;
  GArray *lines;    /* Line: of the claim at hand */
  GPtrArray *pages; /* LsScene */
  double y;         /* lower end of what is on the newest page */
} Notes;

static void
clear_line (gpointer line)
{
  g_free (((Line *) line)->text);
}

/* ---- lines ---- */

static void
add_line (Notes *notes, LsType type, LsInk ink, gint evidence, double x, double gap, const char *text)
{
  const Line line = { g_strdup (text), type, ink, evidence, x, gap };

  g_array_append_val (notes->lines, line);
}

/* How many bytes of the text's beginning are at most w wide: a letter at least. */
static gsize
fitting (const Notes *notes, LsType type, double w, const char *text)
{
  const char *end = g_utf8_next_char (text);

  while (*end != '\0')
    {
      const char *next = g_utf8_next_char (end);
      g_autofree char *part = g_strndup (text, (gsize) (next - text));

      if (ls_scene_width (notes->measure, type, part) > w)
        break;
      end = next;
    }
  return (gsize) (end - text);
}

/* As many lines as it takes; a word that is wider than the page, an address, is broken anywhere. */
static void
words (Notes *notes, LsType type, LsInk ink, gint evidence, double gap, const char *text)
{
  const double x = evidence != NOTHING_KNOWN ? INDENT : 0, w = WIDTH - x;
  g_auto (GStrv) lines = ls_text_lines (notes->measure, type, w, text);

  for (guint i = 0; lines[i] != NULL; i++)
    for (const char *rest = lines[i]; *rest != '\0';)
      {
        const gsize n = ls_scene_width (notes->measure, type, rest) <= w ? strlen (rest)
                                                                         : fitting (notes, type, w, rest);
        g_autofree char *part = g_strndup (rest, n);

        add_line (notes, type, ink, rest == lines[0] ? evidence : NOTHING_KNOWN, x,
                  rest == lines[0] ? gap : 0, part);
        rest += n;
      }
}

/* title: from's own, or with words about it. */
static void
source (Notes *notes, const LsHardwareSource *from, const char *title, const char *quote)
{
  g_autofree char *when = from->published != NULL
                            ? g_strdup_printf (_("%s, %s; read on %s"), title, from->published, from->seen)
                            : g_strdup_printf (_("%s; read on %s"), title, from->seen),
                  *quoted = quote != NULL ? g_strdup_printf (_("“%s”"), quote) : NULL;

  words (notes, plain, LS_INK_QUIET, LS_EVIDENCE_PUBLISHED, 2, when);
  words (notes, plain, LS_INK_QUIET, BELOW_MARK, 0, from->address);
  if (quoted != NULL)
    words (notes, plain, LS_INK_QUIET, BELOW_MARK, 0, quoted);
}

/* "Claimed: 10–100×; guessed: 6×" */
static void
claimed (Notes *notes, const LsClaimRow *row)
{
  g_autofree char *number = ls_claim_claimed_text (row->claim),
                  *guess = row->guessed ? ls_claim_guess_text (row->claim, row->guess) : NULL,
                  *text = guess != NULL ? g_strdup_printf (_("Claimed: %s; guessed: %s"), number, guess)
                                        : g_strdup_printf (_("Claimed: %s; not guessed"), number),
                  *read = row->claim->read_as != NULL
                            ? g_strdup_printf (_("Read as: %s"), row->claim->read_as)
                            : NULL;

  if (read != NULL)
    words (notes, plain, LS_INK_TEXT, NOTHING_KNOWN, 2, read);
  words (notes, plain, LS_INK_TEXT, NOTHING_KNOWN, 2, text);
}

static void
finding (Notes *notes, const LsClaim *claim, const LsClaimOutcome *outcome, const LsClaimFinding *f)
{
  const gboolean there = f->figure.n > 0;
  g_autofree char *number
    = there ? ls_claim_number_text (claim, f->figure.value) : g_strdup (f->why),
    *low = ls_claim_number_text (claim, f->figure.q1), *high = ls_claim_number_text (claim, f->figure.q3),
    *spread = there && f->figure.n > 1 && f->figure.q3 > f->figure.q1
                ? g_strdup_printf (_(" (middle half %s to %s)"), low, high)
                : g_strdup (""),
    *text = g_strdup_printf ("%s%s%s%s%s%s", f->words != NULL ? f->words : "", f->words != NULL ? ": " : "",
                             number != NULL ? number : "–", spread, f->stand_in || f->instead ? "; " : "",
                             f->stand_in  ? _("of another device than the sentence is about: it decides "
                                                "nothing")
                             : f->instead ? _("in the place of what isn’t here")
                                          : "");

  words (notes, plain, LS_INK_TEXT, there ? (gint) f->figure.evidence : NOTHING_KNOWN, 2, text);
  if (!f->instead || outcome == NULL)
    return;
  g_autoptr (GPtrArray) sources = ls_claim_outcome_sources (outcome, notes->catalogue);
  for (guint i = 0; i < sources->len; i++)
    {
      const LsHardwareSource *from = sources->pdata[i];
      source (notes, from, from->title, from == outcome->source ? outcome->quote : NULL);
    }
}

/* What that finding is of; NULL: the claim's file has it no more. */
static const LsClaimOutcome *
outcome_of (const LsClaim *claim, const LsClaimResult *result, guint i)
{
  const guint k = result->findings[i].instead ? i - claim->n_outcomes : i;

  if (result->findings[i].instead)
    return i >= claim->n_outcomes && k < claim->n_instead ? &claim->instead[k] : NULL;
  return k < claim->n_outcomes ? &claim->outcomes[k] : NULL;
}

static void
outcome (Notes *notes, const LsClaimRow *row)
{
  const LsClaim *claim = row->claim;
  const LsClaimResult *result = row->result;
  g_autofree char *verdict = ls_claim_verdict_text (claim, result),
                  *note = result != NULL ? ls_claim_note_text (claim, result) : NULL,
                  *thresholds = ls_claim_thresholds_text (claim), *when = NULL;

  words (notes, strong, LS_INK_TEXT, NOTHING_KNOWN, 4, verdict);
  if (note != NULL)
    words (notes, plain, LS_INK_TEXT, NOTHING_KNOWN, 0, note);
  for (guint i = 0; result != NULL && i < result->n_findings; i++)
    if (result->findings[i].figure.n > 0 || g_strcmp0 (result->findings[i].why, note) != 0)
      finding (notes, claim, outcome_of (claim, result, i), &result->findings[i]);
  words (notes, plain, LS_INK_QUIET, NOTHING_KNOWN, 2, thresholds);
  if (result == NULL)
    return;
  when = result->busy ? g_strdup_printf (_("%s, %s, beside other programs"), result->machine, result->date)
                      : g_strdup_printf (_("%s, %s"), result->machine, result->date);
  words (notes, plain, LS_INK_QUIET, NOTHING_KNOWN, 2, when);
}

static void
claim_lines (Notes *notes, const LsClaimRow *row)
{
  const LsClaim *claim = row->claim;
  g_autofree char *sentence = g_strdup_printf (_("“%s”"), claim->sentence),
                  *title = ls_claim_source_title (claim),
                  *would = row->result != NULL ? ls_claim_would_text (claim, row->result) : NULL,
                  *wanted = claim->would != NULL
                              ? g_strdup_printf (_("What would make it true: %s"), claim->would)
                              : NULL;
  g_auto (GStrv) how = ls_claim_how_text (claim, row, TRUE);

  g_array_set_size (notes->lines, 0);
  words (notes, bold, LS_INK_TEXT, NOTHING_KNOWN, 0, sentence);
  source (notes, claim->source, title, claim->quote);
  claimed (notes, row);
  outcome (notes, row);
  if (wanted != NULL)
    words (notes, plain, LS_INK_TEXT, (gint) claim->would_evidence, 4, wanted);
  if (would != NULL)
    words (notes, plain, LS_INK_QUIET, NOTHING_KNOWN, 0, would);
  for (guint i = 0; how[i] != NULL; i++)
    words (notes, plain, LS_INK_QUIET, NOTHING_KNOWN, i == 0 ? 4 : 0, how[i]);
}

/* ---- pages ---- */

static LsScene *
begin_page (Notes *notes)
{
  LsScene *page = ls_scene_new (notes->fonts, notes->style);

  g_ptr_array_add (notes->pages, page);
  notes->y = TOP;
  return page;
}

static LsScene *
newest (const Notes *notes)
{
  return notes->pages->pdata[notes->pages->len - 1];
}

static double
height_of (const Line *line)
{
  return line->gap + line->type.px * LS_TEXT_PITCH;
}

static void
put_line (Notes *notes, const Line *line)
{
  LsScene *page;
  double base;

  if (notes->y + height_of (line) > BOTTOM)
    begin_page (notes);
  page = newest (notes);
  notes->y += height_of (line);
  base = notes->y - line->type.px * (LS_TEXT_PITCH - 1);
  if (line->evidence >= 0)
    ls_scene_evidence (page, MARGIN, base - line->type.px * .36 - MARK / 2, MARK, (LsEvidence) line->evidence,
                       LS_INK_TEXT);
  ls_scene_text (page, MARGIN + line->x, base, line->type, line->ink, LS_LEFT, line->text);
}

/* Those at hand, below what there is; on a page of their own where they fit on one, and not here. */
static void
put_lines (Notes *notes, double gap)
{
  double h = gap;

  for (guint i = 0; i < notes->lines->len; i++)
    h += height_of (&g_array_index (notes->lines, Line, i));
  if (notes->y + h > BOTTOM && h - gap <= BOTTOM - TOP)
    begin_page (notes);
  else if (notes->y + gap < BOTTOM)
    {
      ls_scene_box (newest (notes), MARGIN, notes->y + gap / 2, WIDTH, notes->style->hairline,
                    LS_INK_HAIRLINE, 0);
      notes->y += gap;
    }
  for (guint i = 0; i < notes->lines->len; i++)
    put_line (notes, &g_array_index (notes->lines, Line, i));
}

/* "Claims", and how many came to which verdict. */
static void
put_head (Notes *notes, const LsClaims *claims)
{
  g_autofree char *text = ls_claims_counts_text (claims);

  words (notes, title_type, LS_INK_TEXT, NOTHING_KNOWN, 0, _("Claims"));
  words (notes, plain, LS_INK_TEXT, NOTHING_KNOWN, 4, text);
  for (guint i = 0; i < notes->lines->len; i++)
    put_line (notes, &g_array_index (notes->lines, Line, i));
}

static void
put_numbers (Notes *notes)
{
  for (guint i = 0; i < notes->pages->len; i++)
    {
      g_autofree char *text = g_strdup_printf (_("Page %u of %u"), i + 1, notes->pages->len);

      ls_scene_text (notes->pages->pdata[i], LS_CLAIMS_PAGE_W - MARGIN, LS_CLAIMS_PAGE_H - MARGIN, plain,
                     LS_INK_QUIET, LS_RIGHT, text);
    }
}

static void
free_scene (gpointer scene)
{
  ls_scene_free (scene);
}

GPtrArray *
ls_claims_pages (const LsClaims *claims, const LsCatalogue *catalogue, const LsStyle *style, LsFonts *fonts)
{
  Notes notes = { .catalogue = catalogue,
                  .measure = ls_scene_new (fonts, style),
                  .style = style,
                  .fonts = fonts,
                  .lines = g_array_new (FALSE, FALSE, sizeof (Line)),
                  .pages = g_ptr_array_new_with_free_func (free_scene) };

  g_array_set_clear_func (notes.lines, clear_line);
  begin_page (&notes);
  put_head (&notes, claims);
  for (guint i = 0; i < claims->n; i++)
    {
      claim_lines (&notes, &claims->rows[i]);
      put_lines (&notes, 22);
    }
  put_numbers (&notes);
  g_array_unref (notes.lines);
  ls_scene_free (notes.measure);
  return notes.pages;
}

gboolean
ls_claims_export (const LsClaims *claims, const LsCatalogue *catalogue, const LsStyle *style, LsFonts *fonts,
                  const char *path, GError **error)
{
  g_autoptr (GPtrArray) pages = ls_claims_pages (claims, catalogue, style, fonts);

  return ls_export_pages (pages, LS_CLAIMS_PAGE_W, LS_CLAIMS_PAGE_H, _("Claims"), "Lockstep " LS_VERSION,
                          path, error);
}
