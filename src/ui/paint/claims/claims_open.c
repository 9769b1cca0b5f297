/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Below the opened row: how it is run here, the button that does, what decides and what would make it true,
 * the words that were read and where; beside that the ways of doing it, and every outcome with its mark.
 */
#include "config.h"
#include "ui/paint/claims/claims_view.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "ui/paint/parts/text.h"

#define LEFT   .38 /* of the width, for the words */
#define BUTTON 6.  /* units beside its words */

/* A pen that goes down a column, and writes nothing below its end, nor after what it left out. */
typedef struct {
  const LsClaimsPicture *c;
  double x, w, y, end;
  gboolean draw;
} Pen;

static void
words (Pen *pen, LsType type, LsInk ink, const char *text)
{
  LsScene *s = pen->c->layout->still;
  g_auto (GStrv) lines = ls_text_lines (s, type, pen->w, text);

  for (guint i = 0; lines[i] != NULL; i++)
    {
      pen->y += type.px * LS_TEXT_PITCH;
      if (pen->draw && pen->y + type.px * .3 <= pen->end)
        ls_scene_text (s, pen->x, pen->y, type, ink, LS_LEFT, lines[i]);
    }
}

/* In one line, its end left out where it is longer. */
static void
address (Pen *pen, const char *text)
{
  const LsType type = pen->c->layout->m.tick;
  g_autofree char *line = ls_text_cut (pen->c->layout->still, type, pen->w, text);

  words (pen, type, LS_INK_QUIET, line);
}

static void
heading (Pen *pen, const char *text)
{
  const LsMetrics *m = &pen->c->layout->m;

  pen->y += m->unit;
  if (pen->y + 3 * m->label.px * LS_TEXT_PITCH > pen->end) /* a line of what it heads has room, too */
    pen->draw = FALSE;
  words (pen, (LsType){ m->label.px, 700 }, LS_INK_TEXT, text);
}

/* The same with a mark before it. */
static void
marked (Pen *pen, LsEvidence evidence, LsInk ink, const char *text)
{
  const LsMetrics *m = &pen->c->layout->m;
  const double in = m->evidence + 7, y = pen->y + m->label.px * LS_TEXT_PITCH;

  if (pen->draw && y + m->label.px * .3 <= pen->end)
    ls_scene_evidence (pen->c->layout->still, pen->x, y - m->label.px * .36 - m->evidence / 2, m->evidence,
                       evidence, LS_INK_TEXT);
  pen->x += in;
  pen->w -= in;
  words (pen, m->label, ink, text);
  pen->x -= in;
  pen->w += in;
}

/* ---- running ---- */

double
ls_claims_button_width (const LsClaimsPicture *c, const char *text)
{
  const LsMetrics *m = &c->layout->m;

  return ls_scene_width (c->layout->still, (LsType){ m->body.px, 700 }, text) + BUTTON * m->unit;
}

/* Stable strings: what stands on the button. */
static const char *
button_words (const LsClaimsPicture *c, const LsClaimRow *r)
{
  if (ls_view_lab_works (&c->layout->data->measuring)) /* also where another one is run */
    return _("Stop");
  return r->result != NULL ? _("Run Again") : _("Run");
}

static void
run (Pen *pen, guint row)
{
  LsLayout *layout = pen->c->layout;
  const LsMetrics *m = &layout->m;
  const LsClaimRow *r = &pen->c->claims->rows[row];

  if (!layout->data->live)
    return;
  if (!ls_claims_may_run (pen->c, row))
    {
      pen->y += m->unit;
      words (
        pen, m->label, LS_INK_TEXT,
        _(
          "Guess first: click where you expect the outcome on the scale above, or press ← and →. Then it can "
          "be run."));
      return;
    }
  if (m->control_h > 0)
    {
      const char *text = button_words (pen->c, r);
      const double w = MIN (ls_claims_button_width (pen->c, text), pen->w);
      pen->y += 2 * m->unit;
      if (pen->draw && pen->y + m->control_h <= pen->end)
        {
          ls_stage_slot (layout, LS_SLOT_LAB, -1, 0, pen->x, pen->y, w, m->control_h);
          g_array_index (layout->slots, LsSlot, layout->slots->len - 1).words = button_words (pen->c, r);
        }
      pen->y += m->control_h + m->unit;
    }
  if (r->result == NULL)
    words (pen, m->tick, LS_INK_QUIET,
           _("The guess is kept with what comes out; training rests while it is run."));
}

/* ---- words ---- */

static void
left_column (Pen *pen, guint row)
{
  const LsClaimRow *r = &pen->c->claims->rows[row];
  const LsMetrics *m = &pen->c->layout->m;
  g_auto (GStrv) how = ls_claim_how_text (r->claim, r, FALSE); /* the stairs have the times */
  g_autofree char *thresholds = ls_claim_thresholds_text (r->claim),
                  *here = r->result != NULL ? ls_claim_would_text (r->claim, r->result) : NULL;

  run (pen, row);
  if (r->claim->would != NULL)
    {
      heading (pen, _("What would make it true"));
      marked (pen, r->claim->would_evidence, LS_INK_TEXT, r->claim->would);
      if (here != NULL)
        words (pen, m->label, LS_INK_QUIET, here);
    }
  heading (pen, _("How it is run here"));
  for (guint i = 0; how[i] != NULL; i++)
    words (pen, m->label, LS_INK_TEXT, how[i]);
  if (thresholds != NULL)
    words (pen, m->label, LS_INK_QUIET, thresholds);
}

/* ---- pages ---- */

/* Of a finding; empty: of what was measured. (transfer container) */
static GPtrArray *
sources_of (const LsClaimsPicture *c, const LsClaimRow *r, guint finding)
{
  const LsClaim *claim = r->claim;
  const gboolean instead = r->result->findings[finding].instead;
  const guint k = instead ? finding - claim->n_outcomes : finding;

  if (k >= (instead ? claim->n_instead : claim->n_outcomes)) /* the claim's file has it no more */
    return g_ptr_array_new ();
  return ls_claim_outcome_sources (instead ? &claim->instead[k] : &claim->outcomes[k],
                                   c->layout->data->catalogue);
}

GPtrArray *
ls_claims_sources (const LsClaimsPicture *c, guint row)
{
  const LsClaimRow *r = &c->claims->rows[row];
  GPtrArray *all = g_ptr_array_new ();

  g_ptr_array_add (all, r->claim->source);
  for (guint i = 0; r->result != NULL && i < r->result->n_findings; i++)
    {
      g_autoptr (GPtrArray) some = sources_of (c, r, i);

      for (guint k = 0; k < some->len; k++)
        if (!g_ptr_array_find (all, some->pdata[k], NULL))
          g_ptr_array_add (all, some->pdata[k]);
    }
  return all;
}

/* From top to where the pen is: a click there opens that page, which is framed where it is the chosen one. */
static void
page (Pen *pen, const LsHardwareSource *from, double top)
{
  const LsClaimsPicture *c = pen->c;
  g_autoptr (GPtrArray) all = ls_claims_sources (c, (guint) c->asked->open);
  const double end = pen->y + c->layout->m.unit;
  guint n;

  if (!pen->draw || pen->y > pen->end || !g_ptr_array_find (all, from, &n))
    return;
  if (c->asked->source == n && n > 0)
    ls_scene_box (c->layout->still, pen->x - c->layout->m.unit, top + c->layout->m.unit / 2, 2,
                  end - top - c->layout->m.unit, LS_INK_TEXT, 0);
  ls_stage_slot (c->layout, LS_SLOT_SOURCE, -1, n, pen->x, top, pen->w, end - top);
}

/* The titles of the pages that a finding's figures were read on. */
static void
pages (Pen *pen, const LsClaimRow *r, guint finding)
{
  const LsMetrics *m = &pen->c->layout->m;
  g_autoptr (GPtrArray) some = sources_of (pen->c, r, finding);

  for (guint i = 0; i < some->len; i++)
    {
      const LsHardwareSource *from = some->pdata[i];
      const double top = pen->y;
      g_autofree char *text = g_strdup_printf (_("%s; read on %s"), from->title, from->seen);

      pen->x += m->evidence + 7;
      pen->w -= m->evidence + 7;
      address (pen, text);
      page (pen, from, top);
      pen->x -= m->evidence + 7;
      pen->w += m->evidence + 7;
    }
}

static void
findings (Pen *pen, const LsClaimRow *r)
{
  const LsMetrics *m = &pen->c->layout->m;

  if (r->result == NULL)
    {
      heading (pen, _("What came out"));
      words (pen, m->label, LS_INK_QUIET, _("Nothing yet."));
      return;
    }
  heading (pen, _("What came out"));
  for (guint i = 0; i < r->result->n_findings; i++)
    {
      const LsClaimFinding *f = &r->result->findings[i];
      g_autofree char *number = f->figure.n > 0 ? ls_claim_number_text (r->claim, f->figure.value) : NULL,
                      *low = f->figure.n > 1 ? ls_claim_number_text (r->claim, f->figure.q1) : NULL,
                      *high = f->figure.n > 1 ? ls_claim_number_text (r->claim, f->figure.q3) : NULL,
                      *spread = low != NULL && f->figure.q3 > f->figure.q1
                                  ? g_strdup_printf (_(" (middle half %s to %s)"), low, high)
                                  : g_strdup (""),
                      *text = number != NULL ? g_strdup_printf ("%s%s%s%s", f->words != NULL ? f->words : "",
                                                                f->words != NULL ? ": " : "", number, spread)
                                             : NULL;

      if (text != NULL)
        marked (pen, f->figure.evidence, LS_INK_TEXT, text);
      if (f->stand_in)
        words (pen, m->tick, LS_INK_QUIET,
               _("of another device than the sentence is about: it decides nothing"));
      if (f->instead && !(i > 0 && r->result->findings[i - 1].instead))
        words (pen, m->tick, LS_INK_QUIET, _("in the place of what isn’t here"));
      pages (pen, r, i);
      if (text == NULL && f->why != NULL)
        words (pen, m->label, LS_INK_QUIET, f->why);
    }
  if (r->result->why != NULL)
    words (pen, m->label, LS_INK_TEXT, r->result->why);
  g_autofree char *when = r->result->busy
                            ? g_strdup_printf (_("%s, %s, beside other programs"), r->result->machine,
                                               r->result->date)
                            : g_strdup_printf (_("%s, %s"), r->result->machine, r->result->date);
  words (pen, m->tick, LS_INK_QUIET, when);
}

static void
source (Pen *pen, const LsClaim *claim)
{
  const LsHardwareSource *from = claim->source;
  LsLayout *layout = pen->c->layout;
  const double top = pen->y;
  g_autofree char *title = ls_claim_source_title (claim),
                  *when = from->published != NULL
                            ? g_strdup_printf (_("%s, %s; read on %s"), title, from->published, from->seen)
                            : g_strdup_printf (_("%s; read on %s"), title, from->seen);

  heading (pen, _("Where it was read"));
  if (claim->quote != NULL)
    {
      g_autofree char *quote = g_strdup_printf (_("“%s”"), claim->quote);
      words (pen, layout->m.label, LS_INK_TEXT, quote);
    }
  marked (pen, LS_EVIDENCE_PUBLISHED, LS_INK_QUIET, when);
  address (pen, from->address);
  page (pen, from, top);
}

static void
right_column (Pen *pen, const LsClaimRow *r)
{
  findings (pen, r);
  source (pen, r->claim);
}

/* In a hall there is one thing to look at: the stairs, or what came out. */
static double
hall (const LsClaimsPicture *c, guint row, LsArea area, gboolean draw)
{
  Pen pen = { c, area.x, area.w, area.y, area.y + area.h, draw };
  const double stairs = ls_claims_stairs (c, row, area, FALSE);

  if (stairs > area.y)
    return ls_claims_stairs (c, row, area, draw);
  findings (&pen, &c->claims->rows[row]);
  return pen.y + c->layout->m.label.px * .4;
}

double
ls_claims_open (const LsClaimsPicture *c, guint row, LsArea area, gboolean draw)
{
  const LsMetrics *m = &c->layout->m;
  const double inner = m->unit * 2, gap = m->gutter, w = area.w - 2 * inner, top = area.y + m->unit;
  const LsArea whole = { area.x + inner, top, w, MAX (area.h - inner - m->unit, 0) };
  Pen left = { c, whole.x, w * LEFT - gap / 2, area.y, area.y + area.h - inner, draw },
      right = { c, whole.x + w * LEFT + gap / 2, w * (1 - LEFT) - gap / 2, area.y, left.end, FALSE };

  if (m->projector)
    return hall (c, row, whole, draw) + inner;
  left_column (&left, row);
  right_column (&right, &c->claims->rows[row]);
  const double found = right.y - area.y;
  LsArea beside = { right.x, top, right.w, MAX (right.end - top - found, 0) };
  right.y = ls_claims_stairs (c, row, beside, draw);
  if (draw && right.y <= top) /* the stairs first, where there isn't room for all */
    {
      beside.h = MAX (right.end - top, 0);
      right.y = ls_claims_stairs (c, row, beside, TRUE);
    }
  right.draw = draw;
  right_column (&right, &c->claims->rows[row]);
  return MAX (left.y, right.y) + m->label.px * .4 + inner;
}
