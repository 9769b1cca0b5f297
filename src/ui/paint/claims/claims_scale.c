/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The scale that all claims share: outcome over claim, logarithmic. “As claimed” is a dotted line; a range is
 * a dotted box that begins there. Above, from the line, what was guessed; below, what came out.
 */
#include "config.h"
#include "ui/paint/claims/claims_view.h"

#include <math.h>
#include <glib/gi18n-lib.h>

#include "ui/paint/parts/text.h"
#include "core/number.h"

#define MOST_DECADES 6.0  /* to either side: what is further away stands at the edge, with its number */
#define EDGE         1.6  /* beyond the outermost mark, as a factor */
#define RING         1.05 /* in sizes of the numbers */
#define DOT          .76
#define APART        4.        /* px between a mark and its number */
#define BESIDE       "00.0 ms" /* what stands beside the outermost marks */

gint
ls_claims_side (const LsClaimsPicture *c, LsBackendKind who)
{
  return who == LS_BACKEND_CPU || who == LS_BACKEND_OPENCL
           ? (gint) ls_view_data_side_of (c->layout->data, who)
           : -1;
}

double
ls_claims_guess_of (const LsClaimsPicture *c, guint row)
{
  const LsClaimRow *r = &c->claims->rows[row];

  if (ls_claims_may_guess (c, row) && c->asked->guess_row == (gint) row)
    return c->asked->guess;
  return r->guessed ? r->guess : (double) NAN;
}

gboolean
ls_claims_may_guess (const LsClaimsPicture *c, guint row)
{
  const LsClaimRow *r = &c->claims->rows[row];

  return r->result == NULL && c->layout->data->live
         && g_strcmp0 (c->layout->data->measuring.claim, r->claim->name) != 0;
}

gboolean
ls_claims_may_run (const LsClaimsPicture *c, guint row)
{
  return c->layout->data->live
         && (c->claims->rows[row].result != NULL || !isnan (ls_claims_guess_of (c, row)));
}

static double
ring (const LsClaimsPicture *c)
{
  return RING * c->layout->m.label.px;
}

static double
dot (const LsClaimsPicture *c)
{
  return DOT * c->layout->m.label.px;
}

static void
widen (double share, double *low, double *high)
{
  if (!(share > 0) || !isfinite (share))
    return;
  *low = MIN (*low, share);
  *high = MAX (*high, share);
}

void
ls_claims_axis (LsClaimsPicture *c)
{
  double low = .1, high = 10;

  for (guint row = 0; row < c->n; row++)
    {
      const LsClaimRow *r = &c->claims->rows[row];
      const double guess = ls_claims_guess_of (c, row);

      widen (ls_claim_share (r->claim, r->claim->claimed.high), &low, &high);
      if (!isnan (guess))
        widen (ls_claim_share (r->claim, guess), &low, &high);
      for (guint i = 0; r->result != NULL && i < r->result->n_findings; i++)
        if (r->result->findings[i].figure.n > 0)
          widen (ls_claim_share (r->claim, r->result->findings[i].figure.value), &low, &high);
    }
  const LsType bold = { c->layout->m.label.px, 700 };
  const double in = MIN (ls_scene_width (c->layout->still, bold, BESIDE) + ring (c), c->scale.w / 5);
  low = MAX (low / EDGE, pow (10, -MOST_DECADES));
  high = MIN (high * EDGE, pow (10, MOST_DECADES));
  ls_axis_init (&c->axis, low, high, c->scale.x + in, c->scale.x + c->scale.w - in, TRUE, 9);
}

static double
at (const LsClaimsPicture *c, double share)
{
  return ls_axis_at (&c->axis, CLAMP (share, c->axis.low, c->axis.high));
}

/* "1/100", "as claimed", "10". */
static char *
tick_text (double share)
{
  const gboolean less = share < 1;
  g_autofree char *number = ls_number_count ((guint64) llround (less ? 1 / share : share));

  return less ? g_strdup_printf ("1/%s", number) : g_steal_pointer (&number);
}

static gboolean
whole_power (double share)
{
  const double power = log10 (share);

  return fabs (power - round (power)) < 1e-6;
}

/* The longest words for the line at 1 that leave room for the powers of ten beside it. Stable strings. */
static const char *
as_claimed (const LsClaimsPicture *c, double mid)
{
  static const char *const choices[] = { N_("as claimed"), N_("claimed"), "1" };
  const LsType bold = { c->layout->m.tick.px, 700 };
  const double decade = fabs (ls_axis_at (&c->axis, 10) - ls_axis_at (&c->axis, 1)),
               gap = c->layout->m.unit / 2;
  const gboolean tens = c->axis.low <= .1 && c->axis.high >= 10;
  const double beside = ls_scene_width (c->layout->still, c->layout->m.tick, "1/10") / 2,
               room = decade - beside - gap - fabs (mid - at (c, 1));

  for (guint i = 0; i + 1 < G_N_ELEMENTS (choices); i++)
    if (!tens || ls_scene_width (c->layout->still, bold, _(choices[i])) / 2 <= room)
      return _(choices[i]);
  return choices[G_N_ELEMENTS (choices) - 1];
}

void
ls_claims_scale_head (const LsClaimsPicture *c, double base)
{
  const LsMetrics *m = &c->layout->m;
  LsScene *s = c->layout->still;
  const LsType bold = { m->tick.px, 700 };
  const double one = at (c, 1), right = c->scale.x + c->scale.w, gap = m->unit / 2;
  const char *claimed = as_claimed (c, one);
  const double half = ls_scene_width (s, bold, claimed) / 2,
               mid = CLAMP (one, c->scale.x + half, MAX (right - half, c->scale.x + half));
  double last = -G_MAXDOUBLE;

  ls_scene_text (s, mid, base, bold, LS_INK_TEXT, LS_CENTER, claimed);
  for (guint i = 0; i < c->axis.n_ticks; i++)
    {
      const double share = c->axis.ticks[i], x = ls_axis_at (&c->axis, share);
      g_autofree char *text = tick_text (share);
      const double w = ls_scene_width (s, m->tick, text) / 2;

      if (!whole_power (share) || fabs (share - 1) < 1e-9 || x - w < last + m->unit || x - w < c->scale.x - w
          || x + w > right + w || (x + w > mid - half - gap && x - w < mid + half + gap))
        continue;
      last = x + w;
      ls_scene_text (s, x, base, m->tick, LS_INK_QUIET, LS_CENTER, text);
    }
}

void
ls_claims_mark (const LsClaimsPicture *c, double x, double y, double size, gint side, LsEvidence evidence,
                gboolean pale)
{
  LsScene *s = c->layout->still;
  const LsInk ink = side < 0 ? LS_INK_TEXT : LS_INK_MARK;
  LsItem *item;

  if (evidence == LS_EVIDENCE_MEASURED || evidence == LS_EVIDENCE_DERIVED)
    {
      item = ls_scene_path (s, evidence == LS_EVIDENCE_MEASURED ? LS_ITEM_DOTS : LS_ITEM_RINGS, ink,
                            MAX (side, 0), size);
      item->evidence = (guint8) evidence;
      item->alpha = pale ? .5f : 1;
      ls_scene_point (s, x, y);
      return;
    }
  item = ls_scene_mark (s, evidence == LS_EVIDENCE_MODELLED ? LS_ITEM_HATCH : LS_ITEM_DOTTED, x - size / 2,
                        y - size / 2, size, size, ink, MAX (side, 0));
  item->size = 2;
  item->evidence = (guint8) evidence;
}

/* A ring with three strokes, and a line to what was claimed. */
static void
guess_mark (const LsClaimsPicture *c, double x, double y)
{
  LsScene *s = c->layout->still;
  const double one = at (c, 1), r = ring (c) / 2, stroke = r / 3;

  if (fabs (one - x) > r)
    ls_scene_segment (s, x < one ? x + r : x - r, y, one, y, LS_INK_TEXT, 3);
  ls_scene_path (s, LS_ITEM_RINGS, LS_INK_TEXT, 0, 2 * r);
  ls_scene_point (s, x, y);
  for (gint i = -1; i <= 1; i++)
    ls_scene_segment (s, x + stroke * i, y - stroke, x + stroke * i, y + stroke, LS_INK_TEXT, stroke / 2);
}

typedef struct {
  const LsClaimFinding *finding;
  double x;
} Mark;

static gint
by_x_cb (gconstpointer a, gconstpointer b)
{
  const double d = ((const Mark *) a)->x - ((const Mark *) b)->x;

  return (d > 0) - (d < 0);
}

static gboolean
lies_in (double x, double from, double to)
{
  return x > from - 2 && x < to + 2;
}

/* A number left or right of its mark, where it meets nothing else on that line, nor what is claimed; edge:
 * the upper end of what is claimed, NAN: it has none. Where it can't but lie on that, the edge is
 * interrupted. */
static void
number (const LsClaimsPicture *c, double x, double base, gint side, LsType type, const char *text,
        double from, double to, double edge, LsInk ground, gboolean left_first)
{
  LsScene *s = c->layout->still;
  const double w = ls_scene_width (s, type, text), gap = ring (c) / 2 + APART, one = at (c, 1);
  const gboolean room_left = x - gap - w >= from && !lies_in (one, x - gap - w, x - gap),
                 room_right = x + gap + w <= to && !lies_in (one, x + gap, x + gap + w),
                 free_left = room_left && !lies_in (edge, x - gap - w, x - gap),
                 free_right = room_right && !lies_in (edge, x + gap, x + gap + w),
                 any = free_left || free_right, fits_left = any ? free_left : room_left,
                 fits_right = any ? free_right : room_right;
  const gboolean left = left_first ? fits_left : !fits_right;

  if (!fits_left && !fits_right)
    return;
  if (!any)
    ls_scene_box (s, (left ? x - gap - w : x + gap) - 2, base - type.px * LS_ASCENT - 1, w + 4,
                  type.px * (LS_ASCENT + LS_DESCENT) + 2, ground, 0);
  ls_scene_text (s, left ? x - gap : x + gap, base, type,
                 type.weight < 700 ? LS_INK_QUIET
                 : side < 0        ? LS_INK_TEXT
                                   : LS_INK_LANE,
                 left ? LS_RIGHT : LS_LEFT, text)
    ->value
    = (float) MAX (side, 0);
}

/* What a row stands on. */
static LsInk
ground_of (const LsClaimsPicture *c, guint row)
{
  return c->asked->open == (gint) row ? LS_INK_SIDEBAR : LS_INK_VIEW;
}

/* The upper end of what is claimed; NAN: it is one number. */
static double
edge_of (const LsClaimsPicture *c, const LsClaimRow *r)
{
  const LsClaimed *claimed = &r->claim->claimed;

  return claimed->high > claimed->low ? at (c, ls_claim_share (r->claim, claimed->high)) : (double) NAN;
}

/* Each number has the room up to the next mark; the outer ones stand outside. */
static void
outcomes (const LsClaimsPicture *c, guint row, double y, double base)
{
  const LsClaimRow *r = &c->claims->rows[row];
  const LsMetrics *m = &c->layout->m;
  g_autoptr (GArray) marks = g_array_new (FALSE, FALSE, sizeof (Mark));
  const LsType bold = { m->label.px, 700 };

  for (guint i = 0; i < r->result->n_findings; i++)
    {
      const LsClaimFinding *f = &r->result->findings[i];
      const double share = f->figure.n > 0 ? ls_claim_share (r->claim, f->figure.value) : 0;
      const Mark mark = { f, share > 0 ? at (c, share) : 0 };

      if (share > 0)
        g_array_append_val (marks, mark);
    }
  g_array_sort (marks, by_x_cb);
  for (guint i = 0; i < marks->len; i++)
    {
      const Mark *mark = &g_array_index (marks, Mark, i);
      const double before = i > 0 ? mark[-1].x + dot (c) : c->scale.x - c->layout->m.unit,
                   after = i + 1 < marks->len ? mark[1].x - dot (c) : c->scale.x + c->scale.w;
      const gint side = ls_claims_side (c, mark->finding->who);
      g_autofree char *text = ls_claim_number_text (r->claim, mark->finding->figure.value);

      ls_claims_mark (c, mark->x, y, dot (c), side, mark->finding->figure.evidence, mark->finding->stand_in);
      /* between two marks there is room for one of their numbers */
      if (marks->len > 1 && i > 0 && i + 1 < marks->len)
        continue;
      number (c, mark->x, base, side, bold, text, before, after, edge_of (c, r), ground_of (c, row),
              i == 0 && (marks->len > 1 || mark->x <= at (c, 1)));
    }
}

static gboolean
in_box (const LsClaimRow *r, double share)
{
  return share >= 1 / EDGE && share <= ls_claim_share (r->claim, r->claim->claimed.high) * EDGE;
}

/* What is claimed is no single number: from … to, and its words where nothing lies in it. */
static void
range (const LsClaimsPicture *c, guint row, double y, double base)
{
  const LsClaimRow *r = &c->claims->rows[row];
  const LsMetrics *m = &c->layout->m;
  const double x0 = at (c, 1), x1 = at (c, ls_claim_share (r->claim, r->claim->claimed.high)),
               h = c->places[row].h / 2 - 2;
  g_autofree char *text = ls_claim_claimed_text (r->claim);
  gboolean free = ls_scene_width (c->layout->still, m->tick, text) + 2 * m->unit < x1 - x0;

  LsItem *box = ls_scene_mark (c->layout->still, LS_ITEM_DOTTED, x0, y - h / 2, x1 - x0, h, LS_INK_TEXT, 0);

  box->evidence = LS_EVIDENCE_PUBLISHED;
  box->size = 2;
  for (guint i = 0; r->result != NULL && i < r->result->n_findings; i++)
    free = free && !in_box (r, ls_claim_share (r->claim, r->result->findings[i].figure.value));
  if (free)
    ls_scene_text (c->layout->still, (x0 + x1) / 2, base, m->tick, LS_INK_TEXT, LS_CENTER, text);
}

/* Dots below each other: a guide that is published has no dashes. */
static void
claimed_line (const LsClaimsPicture *c, double x, double y0, double y1)
{
  LsItem *item = ls_scene_path (c->layout->still, LS_ITEM_DOTS, LS_INK_TEXT, 0, 2.2);

  item->evidence = LS_EVIDENCE_PUBLISHED;
  for (double y = y0; y <= y1; y += 5)
    ls_scene_point (c->layout->still, x, y);
}

void
ls_claims_marks (const LsClaimsPicture *c, guint row)
{
  const LsClaimRow *r = &c->claims->rows[row];
  const LsMetrics *m = &c->layout->m;
  LsScene *s = c->layout->still;
  const LsClaimsPlace place = c->places[row];
  const double guess = ls_claims_guess_of (c, row), pitch = place.h / 2, upper = place.y + pitch * .5 + 1,
               lower = place.y + pitch * 1.5 - 1, drop = m->label.px * .36;

  for (guint i = 0; i < c->axis.n_ticks; i++)
    if (whole_power (c->axis.ticks[i]) && fabs (c->axis.ticks[i] - 1) > 1e-9)
      {
        const double x = ls_axis_at (&c->axis, c->axis.ticks[i]);
        ls_scene_segment (s, x, place.y, x, place.y + place.h, LS_INK_HAIRLINE, s->style->hairline);
      }
  claimed_line (c, at (c, 1), place.y + 2, place.y + place.h);
  if (r->claim->claimed.high > r->claim->claimed.low)
    range (c, row, lower, lower + drop);
  if (!isnan (guess) && ls_claim_share (r->claim, guess) > 0)
    {
      const double x = at (c, ls_claim_share (r->claim, guess));
      g_autofree char *text = ls_claim_guess_text (r->claim, guess);

      guess_mark (c, x, upper);
      number (c, x, upper + drop, -1, m->label, text, c->scale.x - m->unit, c->scale.x + c->scale.w,
              (double) NAN, ground_of (c, row), x <= at (c, 1));
    }
  if (r->result != NULL)
    outcomes (c, row, lower, lower + drop);
}

double
ls_claims_value_at (const LsClaimsPicture *c, guint row, double x)
{
  const LsClaimed *claimed = &c->claims->rows[row].claim->claimed;
  const double along = (x - c->axis.from) / (c->axis.to - c->axis.from);

  if (along < 0 || along > 1 || !(claimed->low > 0))
    return (double) NAN;
  return claimed->low * c->axis.low * pow (c->axis.high / c->axis.low, along);
}
