/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A claim's row: the sentence and where it was read, its marks on the scale, and the verdict.
 */
#include "config.h"
#include "ui/paint/claims/claims_view.h"

#include <glib/gi18n-lib.h>

#include "ui/paint/parts/text.h"

#define MOST_LINES   5 /* of a sentence, or of a verdict with what stands under it */
#define PITCH        1.3
#define MOST_INSTEAD 2   /* that a note says one by one; all stand below an opened row */
#define PAD          .35 /* above and below the lines, in sizes */
#define TIGHT        1.2 /* the same where there is little room */
#define TIGHT_PAD    .22

typedef struct {
  char *bold, *quiet; /* quiet may be NULL */
  gboolean mark;      /* what is published stands before the quiet line */
} Words;

/* Where there is little room a closed row says less, but never cuts what it says: where it was read in brief,
 * and of a verdict's note what is there in the place of a figure. The opened one says all. */
static gboolean
is_tight (const LsClaimsPicture *c)
{
  return c->layout->m.projector || c->layout->m.size != LS_SIZE_LARGE;
}

static double
line (const LsClaimsPicture *c)
{
  return c->layout->m.heading.px * (is_tight (c) ? TIGHT : PITCH);
}

static double
pad (const LsClaimsPicture *c)
{
  return c->layout->m.heading.px * (is_tight (c) ? TIGHT_PAD : PAD);
}

static LsType
bold (const LsClaimsPicture *c)
{
  return (LsType){ c->layout->m.body.px, 700 };
}

static guint
count (const LsClaimsPicture *c, LsType type, double w, const char *text)
{
  g_auto (GStrv) lines = ls_text_lines (c->layout->still, type, w, text);

  return g_strv_length (lines);
}

/* “Sentence”, and below it where it was read, and how one reads it that has no number. (transfer full) */
static Words
sentence (const LsClaimsPicture *c, guint row)
{
  const LsClaim *claim = c->claims->rows[row].claim;
  const gboolean brief = is_tight (c) && c->asked->open != (gint) row
                         && (c->layout->m.projector || c->layout->m.size == LS_SIZE_SMALL);
  Words words = { .bold = g_strdup_printf (_("“%s”"), claim->sentence), .mark = TRUE };

  g_autofree char *title = brief ? ls_claim_source_brief (claim) : ls_claim_source_title (claim);

  words.quiet = claim->read_as != NULL ? g_strdup_printf (_("%s; read as: %s"), title, claim->read_as)
                                       : g_steal_pointer (&title);
  return words;
}

static Words
verdict (const LsClaimsPicture *c, guint row)
{
  const LsClaimRow *r = &c->claims->rows[row];
  const LsViewLab *now = &c->layout->data->measuring;
  Words words = { 0 };

  if (g_strcmp0 (now->claim, r->claim->name) == 0)
    {
      words.bold = g_strdup (_("Being run …"));
      words.quiet = now->n > 0 ? g_strdup_printf (_("%u of %u turns"), now->done, now->n) : NULL;
      return words;
    }
  words.bold = ls_claim_verdict_text (r->claim, r->result);
  if (r->result != NULL)
    words.quiet = r->claim->n_instead > MOST_INSTEAD || (is_tight (c) && c->asked->open != (gint) row)
                    ? ls_claim_note_brief (r->claim, r->result)
                    : ls_claim_note_text (r->claim, r->result);
  return words;
}

static LsType
quiet_type (const LsClaimsPicture *c, const Words *words)
{
  return words->mark ? c->layout->m.label : c->layout->m.tick;
}

/* What the mark takes before the quiet lines. */
static double
mark_room (const LsClaimsPicture *c, const Words *words)
{
  return words->mark ? c->layout->m.evidence + 7 : 0;
}

/* Lines that the bold words and the quiet ones take. */
static guint
lines_of (const LsClaimsPicture *c, const Words *words, double w)
{
  guint n = count (c, bold (c), w, words->bold);

  if (words->quiet != NULL)
    n += count (c, quiet_type (c, words), w - mark_room (c, words), words->quiet);
  return MIN (n, MOST_LINES);
}

double
ls_claims_row_height (const LsClaimsPicture *c, guint row)
{
  Words left = sentence (c, row), right = verdict (c, row);
  const guint n = MAX (MAX (lines_of (c, &left, c->sentence.w), lines_of (c, &right, c->verdict.w)), 2);

  g_free (left.bold);
  g_free (left.quiet);
  g_free (right.bold);
  g_free (right.quiet);
  return n * line (c) + 2 * pad (c);
}

/* The quiet words' last line that has room, with dots where more would follow. (transfer full); NULL: not
 * even a word fits. */
static char *
cut (const LsClaimsPicture *c, LsType type, double w, char *const *lines)
{
  const double dots = ls_scene_width (c->layout->still, type, " …");
  g_auto (GStrv) shorter = NULL;

  if (lines[1] == NULL)
    return ls_scene_width (c->layout->still, type, lines[0]) <= w ? g_strdup (lines[0]) : NULL;
  shorter = ls_text_lines (c->layout->still, type, w - dots, lines[0]);
  return ls_scene_width (c->layout->still, type, shorter[0]) <= w - dots
           ? g_strdup_printf ("%s …", shorter[0])
           : NULL;
}

/* Below each other from y on, as many as there is room for. */
static void
write_quiet (const LsClaimsPicture *c, const Words *words, LsArea column, double y, guint room)
{
  const LsMetrics *m = &c->layout->m;
  const LsType type = quiet_type (c, words);
  const double in = mark_room (c, words), w = column.w - in;
  g_auto (GStrv) lines = ls_text_lines (c->layout->still, type, w, words->quiet);

  for (guint i = 0; lines[i] != NULL && i < room; i++, y += line (c))
    {
      g_autofree char *text = i + 1 < room && ls_scene_width (c->layout->still, type, lines[i]) <= w
                                ? g_strdup (lines[i])
                                : cut (c, type, w, lines + i);

      if (text == NULL)
        return;
      if (words->mark && i == 0)
        ls_text_marked (c->layout->still, m, column.x, y, column.w, LS_EVIDENCE_PUBLISHED, LS_INK_QUIET,
                        text);
      else
        ls_scene_text (c->layout->still, column.x + in, y, type, LS_INK_QUIET, LS_LEFT, text);
    }
}

static void
write_words (const LsClaimsPicture *c, const Words *words, LsArea column, LsClaimsPlace place)
{
  LsScene *s = c->layout->still;
  g_auto (GStrv) lines = ls_text_lines (s, bold (c), column.w, words->bold);
  const double room = (place.h - 2 * pad (c)) / line (c) + .01;
  double y = place.y + pad (c) + line (c) * .74;
  guint i = 0;

  for (; lines[i] != NULL && i < (guint) room; i++, y += line (c))
    ls_scene_text (s, column.x, y, bold (c), LS_INK_TEXT, LS_LEFT, lines[i]);
  if (words->quiet != NULL && i < (guint) room)
    write_quiet (c, words, column, y, (guint) room - i);
}

void
ls_claims_row (const LsClaimsPicture *c, guint row)
{
  const LsClaimsPlace place = c->places[row];
  Words left = sentence (c, row), right = verdict (c, row);

  if (row > c->first && c->asked->open != (gint) row && c->asked->open != (gint) row - 1)
    ls_scene_box (c->layout->still, c->area.x, place.y, c->area.w, c->layout->style.hairline, LS_INK_HAIRLINE,
                  0);
  write_words (c, &left, c->sentence, place);
  write_words (c, &right, c->verdict, place);
  ls_claims_marks (c, row);
  g_free (left.bold);
  g_free (left.quiet);
  g_free (right.bold);
  g_free (right.quiet);
}
