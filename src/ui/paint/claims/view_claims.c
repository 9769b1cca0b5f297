/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Claims: is the sentence true here? Each of the field's sentences is a row: what it claims, what one
 * guessed, what came out on this machine, and the verdict in words.
 */
#include "config.h"
#include "ui/paint/claims/claims_view.h"

#include <math.h>
#include <string.h>
#include <glib/gi18n-lib.h>

#include "ui/paint/parts/text.h"
#include "ui/paint/views.h"

#define SENTENCE 0.36 /* of the width */
#define VERDICT  0.27
/* Where there is little room words have more of it, and the scale less. */
#define MEDIUM_SENTENCE 0.39
#define MEDIUM_VERDICT  0.28
#define SMALL_SENTENCE  0.42
#define SMALL_VERDICT   0.30
#define GUESS           1.2589254117941673 /* a tenth of a decade: what a key moves a guess by */

/* ---- layout ---- */

static void
draw_more (const LsClaimsPicture *c, double base, guint n, gboolean above)
{
  g_autofree char *text = NULL;

  if (base <= 0 || base > c->area.y + c->area.h)
    return;
  text = above ? g_strdup_printf (ngettext ("▴ %u more above", "▴ %u more above", n), n)
               : g_strdup_printf (ngettext ("▾ %u more below", "▾ %u more below", n), n);
  ls_scene_text (c->layout->still, c->sentence.x, base, c->layout->m.label, LS_INK_QUIET, LS_LEFT, text);
}

/* How many could be run at once: guessed, and without an outcome; else those that have one. */
static guint
to_run (const LsClaims *claims, gboolean again, GPtrArray *names)
{
  guint n = 0;

  for (guint i = 0; claims != NULL && i < claims->n; i++)
    if (claims->rows[i].guessed && (claims->rows[i].result != NULL) == again)
      {
        n++;
        if (names != NULL)
          g_ptr_array_add (names, g_strdup (claims->rows[i].claim->name));
      }
  return n;
}

/* Column heads: what they say, the legend, the scale, what we found; and the button that runs all. */
static void
head_line (const LsClaimsPicture *c, LsArea area)
{
  LsLayout *layout = c->layout;
  const LsMetrics *m = &layout->m;
  LsScene *s = layout->still;
  const double base = area.y + area.h / 2 + m->heading.px * .36;
  const gboolean runs = ls_view_lab_works (&layout->data->measuring);
  const char *const legend[] = { _("◍ our guess   ● ○ outcome, as a share of the claim"),
                                 _("◍ guess   ● ○ outcome ÷ claim"), _("◍ guess   ● ○ outcome"), NULL };
  LsItem *item = ls_scene_text (s, c->sentence.x, base, m->heading, LS_INK_TEXT, LS_LEFT,
                                _("What they say"));
  const double from = ls_item_right (item) + 4 * m->unit;

  ls_text_fit (s, from, base, c->sentence.x + c->sentence.w - from, m->tick, LS_INK_QUIET, LS_LEFT, legend);
  ls_claims_scale_head (c, base);
  ls_scene_text (s, c->verdict.x, base, m->heading, LS_INK_TEXT, LS_LEFT, _("What we found"));
  if (!layout->data->live || c->asked->open >= 0 || m->control_h <= 0)
    return;
  if (!runs && to_run (c->claims, FALSE, NULL) + to_run (c->claims, TRUE, NULL) == 0)
    {
      const double after = c->verdict.x + ls_scene_width (s, m->heading, _("What we found")) + 4 * m->unit;
      const char *const hint[] = { _("click a sentence, guess, then run it"), _("click, guess, run"),
                                   NULL };

      ls_text_fit (s, after, base, area.x + area.w - after, m->tick, LS_INK_QUIET, LS_LEFT, hint);
      return;
    }
  const char *text = runs                                  ? _("Stop")
                     : to_run (c->claims, FALSE, NULL) > 0 ? _("Run All")
                                                           : _("Run All Again");
  const double w = ls_claims_button_width (c, text), x = area.x + area.w - w;
  if (c->verdict.x + ls_scene_width (s, m->heading, _("What we found")) + 2 * m->unit > x)
    return;
  ls_stage_slot (layout, LS_SLOT_LAB, -1, 0, x, area.y + (area.h - m->control_h) / 2, w, m->control_h);
  g_array_index (layout->slots, LsSlot, layout->slots->len - 1).words = text;
}

static void
columns (LsClaimsPicture *c, LsArea area)
{
  const double gap = c->layout->m.gutter;
  const LsMetrics *m = &c->layout->m;
  const gboolean large = m->size == LS_SIZE_LARGE && !m->projector, small = m->size == LS_SIZE_SMALL;
  const double sentence = large   ? SENTENCE
                          : small ? SMALL_SENTENCE
                                  : MEDIUM_SENTENCE,
               verdict = large   ? VERDICT
                         : small ? SMALL_VERDICT
                                 : MEDIUM_VERDICT;

  c->sentence = (LsArea){ area.x, area.y, area.w * sentence - gap, area.h };
  c->verdict = (LsArea){ area.x + area.w * (1 - verdict), area.y, area.w * verdict, area.h };
  c->scale = (LsArea){ area.x + area.w * sentence, area.y, area.w * (1 - sentence - verdict) - gap, area.h };
}

static void
draw (LsClaimsPicture *c)
{
  const LsMetrics *m = &c->layout->m;

  ls_claims_axis (c);
  ls_claims_place (c);
  if (c->body.h > 0)
    {
      const LsClaimsPlace row = c->places[c->asked->open];
      ls_scene_box (c->layout->still, c->area.x - 2 * m->unit, row.y, c->area.w + 4 * m->unit,
                    row.h + c->body.h, LS_INK_SIDEBAR, 0)
        ->size
        = (float) (2 * m->unit);
    }
  for (guint i = c->first; i < c->end; i++)
    ls_claims_row (c, i);
  if (c->body.h > 0)
    ls_claims_open (c, (guint) c->asked->open, (LsArea){ c->area.x, c->body.y, c->area.w, c->body.h }, TRUE);
  draw_more (c, c->more_above, c->first, TRUE);
  draw_more (c, c->more_below, c->n - c->end, FALSE);
}

static void
layout_claims (LsLayout *layout)
{
  const LsMetrics *m = &layout->m;
  LsArea area = ls_stage_begin (layout);
  LsClaimsPicture *c = g_new0 (LsClaimsPicture, 1);
  double height;

  layout->own = c;
  layout->free_own = g_free;
  c->layout = layout;
  c->asked = layout->query.state;
  c->claims = layout->data->claims;
  c->n = c->claims != NULL ? MIN (c->claims->n, LS_CLAIMS_MOST) : 0;
  /* rows need the room where there is little, and an opened one more of it */
  if (!m->projector && (m->size == LS_SIZE_LARGE || (m->size == LS_SIZE_MEDIUM && c->asked->open < 0)))
    area = ls_stage_strip (layout, area, FALSE);
  area.y += 2 * m->unit;
  area.h -= 2 * m->unit;
  height = ls_stage_heads (layout, area) + m->unit;
  area.y += height;
  area.h -= height;
  height = ls_stage_disagreement (layout, area);
  area.y += height;
  area.h -= height;
  area = (LsArea){ area.x + m->margin, area.y, area.w - 2 * m->margin, area.h - m->unit };
  if (c->n == 0)
    {
      ls_text_wrapped (
        layout->still, area.x, area.y, area.w, m->body, LS_INK_TEXT,
        _("The claims, which are installed with Lockstep, can’t be read; “lockstep claims” says why."),
        TRUE);
      return;
    }
  const double head = MAX (m->control_h, m->heading.px * 1.9);
  columns (c, area);
  c->area = (LsArea){ area.x, area.y + head, area.w, MAX (area.h - head, 0) };
  if (((LsClaimsState *) layout->query.state)->open >= (gint) c->n)
    ((LsClaimsState *) layout->query.state)->open = -1;
  draw (c);
  head_line (c, (LsArea){ area.x, area.y, area.w, head });
}

/* ---- pointer and keys ---- */

/* A guess has as many figures as one can mean. */
static double
rounded (double value)
{
  const double power = pow (10, floor (log10 (value)) - 1);

  return round (value / power) * power;
}

static void
open_row (LsClaimsState *state, gint row)
{
  state->open = row;
  state->source = 0;
}

/* Of the opened row's pages the chosen one; NULL: none is open. */
static const LsHardwareSource *
chosen_source (const LsClaimsPicture *c, const LsClaimsState *state)
{
  g_autoptr (GPtrArray) all = NULL;

  if (c->n == 0 || state->open < 0 || state->open >= (gint) c->n)
    return NULL;
  all = ls_claims_sources (c, (guint) state->open);
  return all->pdata[MIN (state->source, all->len - 1)];
}

static const char *
address (const LsLayout *layout, const LsQuery *query)
{
  const LsHardwareSource *source = chosen_source (layout->own, query->state);

  return source != NULL ? source->address : NULL;
}

static LsAct
point_claims (const LsLayout *layout, double x, double y, LsQuery *query)
{
  const LsClaimsPicture *c = layout->own;
  LsClaimsState *state = query->state;
  const double line = layout->m.label.px * 1.6;
  const LsSlot *source = ls_stage_slot_at (layout, LS_SLOT_SOURCE, x, y);

  if (source != NULL)
    {
      state->source = source->op;
      return LS_ACT_OPEN;
    }
  for (guint i = c->first; i < c->end; i++)
    {
      const LsClaimsPlace place = c->places[i];
      const double value = ls_claims_value_at (c, i, x);

      if (y < place.y || y >= place.y + place.h || x < c->area.x || x >= c->area.x + c->area.w)
        continue;
      if (!isnan (value) && ls_claims_may_guess (c, i))
        {
          state->guess_row = (gint) i;
          state->guess = rounded (value);
          open_row (state, (gint) i);
        }
      else
        open_row (state, state->open == (gint) i ? -1 : (gint) i);
      return LS_ACT_CHANGED;
    }
  if (c->more_above > 0 && y < c->more_above + line * .3 && y >= c->more_above - line && c->first > 0)
    state->first = c->first > 4 ? c->first - 4 : 0;
  else if (c->more_below > 0 && y >= c->more_below - line && y < c->more_below + line * .3 && c->end < c->n)
    state->first = c->first + MIN (4, c->n - c->end);
  else
    return LS_ACT_NONE;
  open_row (state, -1);
  return LS_ACT_CHANGED;
}

static LsAct
move_guess (const LsClaimsPicture *c, LsClaimsState *state, gboolean up)
{
  const guint row = (guint) state->open;
  const LsClaim *claim = c->claims->rows[row].claim;
  const double now = ls_claims_guess_of (c, row);

  if (!ls_claims_may_guess (c, row) || !(claim->claimed.low > 0))
    return LS_ACT_NONE;
  const double next = isnan (now) ? claim->claimed.low : up ? now * GUESS : now / GUESS;
  state->guess_row = (gint) row;
  state->guess = rounded (CLAMP (next, claim->claimed.low * 1e-6, claim->claimed.high * 1e6));
  return LS_ACT_CHANGED;
}

/* To the opened row's next page. */
static LsAct
next_source (const LsClaimsPicture *c, LsClaimsState *state)
{
  g_autoptr (GPtrArray) all = NULL;

  if (state->open < 0)
    return LS_ACT_NONE;
  all = ls_claims_sources (c, (guint) state->open);
  state->source = (state->source + 1) % all->len;
  return all->len > 1 ? LS_ACT_CHANGED : LS_ACT_NONE;
}

static LsAct
key_claims (const LsLayout *layout, LsViewKey key, LsQuery *query)
{
  const LsClaimsPicture *c = layout->own;
  LsClaimsState *state = query->state;

  if (c->n == 0)
    return LS_ACT_NONE;
  switch (key)
    {
    case LS_KEY_PICK:
      open_row (state, state->open < 0 ? (gint) c->first : -1);
      return LS_ACT_CHANGED;
    case LS_KEY_UP:
    case LS_KEY_DOWN:
      if (state->open < 0)
        open_row (state, key == LS_KEY_DOWN ? (gint) c->first : (gint) c->end - 1);
      else
        open_row (state, CLAMP (state->open + (key == LS_KEY_DOWN ? 1 : -1), 0, (gint) c->n - 1));
      return LS_ACT_CHANGED;
    case LS_KEY_LEFT:
    case LS_KEY_RIGHT:
      return state->open >= 0 ? move_guess (c, state, key == LS_KEY_RIGHT) : LS_ACT_NONE;
    case LS_KEY_PAGE:
      return next_source (c, state);
    case LS_KEY_SOURCE:
      return state->open >= 0 ? LS_ACT_OPEN : LS_ACT_NONE;
    case LS_KEY_LET_GO:
      if (state->open < 0)
        return LS_ACT_NONE;
      open_row (state, -1);
      return LS_ACT_CHANGED;
    default:
      return LS_ACT_NONE;
    }
}

/* The opened one; with none open, all that are guessed and haven't been run; else all that are guessed. */
static GPtrArray *
runs (const LsViewData *data, const LsQuery *query)
{
  const LsClaimsState *state = query->state;
  const LsClaims *claims = data->claims;
  GPtrArray *names = g_ptr_array_new_with_free_func (g_free);

  if (claims != NULL && state->open >= 0 && state->open < (gint) claims->n)
    g_ptr_array_add (names, g_strdup (claims->rows[state->open].claim->name));
  else if (to_run (claims, FALSE, names) == 0)
    to_run (claims, TRUE, names);
  return names;
}

static void
wish_claims (const LsViewData *data, const LsQuery *query, LsWish *wish)
{
  const LsClaimsState *state = query->state;

  if (data->claims == NULL || state->guess_row < 0 || state->guess_row >= (gint) data->claims->n)
    return;
  wish->guess.claim = data->claims->rows[state->guess_row].claim->name;
  wish->guess.value = state->guess;
}

static void
move_claims (LsLayout *layout)
{
}

static void
describe_claims (const LsLayout *layout, GString *text)
{
  const LsClaimsPicture *c = layout->own;
  g_autofree char *counts = c->claims != NULL ? ls_claims_counts_text (c->claims) : NULL;

  if (counts != NULL)
    g_string_append_printf (text, " %s", counts);
  if (c->asked->open < 0 || c->asked->open >= (gint) c->n)
    return;
  const LsClaimRow *r = &c->claims->rows[c->asked->open];
  const double guess = ls_claims_guess_of (c, (guint) c->asked->open);
  g_autofree char *verdict = ls_claim_verdict_text (r->claim, r->result),
                  *note = r->result != NULL ? ls_claim_note_text (r->claim, r->result) : NULL,
                  *guessed = !isnan (guess) ? ls_claim_number_text (r->claim, guess) : NULL;

  g_string_append_printf (text, _(" Opened: “%s” %s."), r->claim->sentence, verdict);
  if (note != NULL)
    g_string_append_printf (text, g_str_has_suffix (note, ".") ? " %s" : " %s.", note);
  if (guessed != NULL)
    g_string_append_printf (text, _(" Guessed: %s."), guessed);
  const LsHardwareSource *source = chosen_source (c, c->asked);
  if (c->asked->source > 0 && source != NULL)
    g_string_append_printf (text, _(" O opens: %s, %s."), source->title, source->address);
}

/* ---- options of `render` ---- */

static char *
read_claim (const LsViewData *data, const char *text, gpointer state)
{
  GString *names = g_string_new (NULL);

  for (guint i = 0; data->claims != NULL && i < data->claims->n; i++)
    {
      const char *name = data->claims->rows[i].claim->name;
      if (strcmp (name, text) == 0)
        {
          ((LsClaimsState *) state)->open = (gint) i;
          g_string_free (names, TRUE);
          return NULL;
        }
      g_string_append_printf (names, "%s%s", i > 0 ? ", " : "", name);
    }
  return g_string_free (names, FALSE);
}

static const LsViewOption options[] = {
  { "claim", N_("CLAIM"), N_("The claim that is opened"), read_claim },
  { NULL },
};

static const LsClaimsState state_init = { .open = -1, .guess_row = -1 };

const LsView ls_view_claims = {
  .name = "claims",
  .title = N_("Claims"),
  .letter = "=",
  .question = N_("Is the sentence true here?"),
  .head_tells = TRUE,
  .state_size = sizeof (LsClaimsState),
  .state_init = &state_init,
  .options = options,
  .runs = runs,
  .wish = wish_claims,
  .layout = layout_claims,
  .move = move_claims,
  .point = point_claims,
  .address = address,
  .key = key_claims,
  .describe = describe_claims,
};
