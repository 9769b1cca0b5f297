/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One time step in full: the four gates, which are one product; where its time goes; a unit's cell with its
 * real values; and how much of the lanes' step is such steps, one waiting for the other.
 */
#include "config.h"
#include "ui/paint/network/network_time.h"

#include <math.h>
#include <string.h>
#include <glib/gi18n-lib.h>

#include "ui/paint/parts/text.h"
#include "core/number.h"

/* The step's product; LS_NO_EVENT: it has none. */
static guint
product_of (const LsNetworkTime *t)
{
  for (guint i = t->chain->begin[t->step]; i < t->chain->begin[t->step + 1]; i++)
    if (t->n->recording->ops[i].attr.m > 0)
      return i;
  return LS_NO_EVENT;
}

/* How long the step's products, or what else it does, took on that side. */
static gint64
ops_ns (const LsNetworkTime *t, guint side, gboolean products)
{
  const LsStepIndex *index = t->n->layout->data->sides[side].index;
  gint64 ns = 0;

  for (guint i = t->chain->begin[t->step]; i < MIN (t->chain->begin[t->step + 1], index->n_ops); i++)
    if (index->ops[i].ran && (t->n->recording->ops[i].attr.m > 0) == products)
      ns = ls_ns_add (ns, index->ops[i].end_ns - index->ops[i].start_ns);
  return ns;
}

/* ---- the four gates ---- */

/* A matrix, its name in it and its size, as it is multiplied, above. */
static void
matrix (const LsNetworkTime *t, LsArea area, const char *name, const LsRecordedShape *shape, gboolean turned)
{
  const LsMetrics *m = &t->n->layout->m;
  LsScene *s = t->n->layout->still;

  ls_scene_box (s, area.x, area.y, area.w, area.h, LS_INK_TRACK, 0);
  ls_text_fit (s, area.x + area.w / 2, area.y + area.h / 2 + m->strong.px * .36, area.w - 8, m->strong,
               LS_INK_TEXT, LS_CENTER, (const char *const[]){ name, NULL });
  if (shape == NULL || shape->rank != 2)
    return;
  g_autofree char *size = g_strdup_printf ("%lld×%lld", (long long) shape->shape[turned],
                                           (long long) shape->shape[!turned]);
  ls_text_fit (s, area.x + area.w, area.y - 4, area.w, m->tick, LS_INK_QUIET, LS_RIGHT,
               (const char *const[]){ size, NULL });
}

/* In the corner between what is multiplied: the result. Returns the foot. */
static double
gates (const LsNetworkTime *t, LsArea area)
{
  static const struct {
    const char *letter, *words;
  } names[] = { { "i", N_("let in") }, { "f", N_("keep") }, { "g", N_("new") }, { "o", N_("say") } };
  const LsNetwork *n = t->n;
  const LsRecording *r = n->recording;
  const LsMetrics *m = &n->layout->m;
  LsScene *s = n->layout->still;
  const guint product = product_of (t);
  const double head = m->tick.px * 1.6, gap = 2 * m->unit, left = area.w * .26, h = area.h - head - gap,
               top = floor (h * .42), right_x = area.x + left + gap, right_w = area.w - left - gap,
               plate = right_w / G_N_ELEMENTS (names);
  const LsArea weights = { right_x, area.y + head, right_w, top },
               result = { right_x, weights.y + top + gap, right_w, h - top },
               says = { area.x, result.y, left, h - top };

  if (product != LS_NO_EVENT && r->ops[product].n_in > 1)
    {
      const LsRecordedShape *u = &r->shapes[r->ops[product].in[1]],
                            *h_before = &r->shapes[r->ops[product].in[0]];
      g_autofree char *name = g_strdup_printf (r->ops[product].attr.tb ? _("%sᵀ, the same at every step")
                                                                       : _("%s, the same at every step"),
                                               u->symbol);
      matrix (t, weights, ls_scene_width (s, m->strong, name) < right_w - 8 ? name : u->symbol, u,
              r->ops[product].attr.tb);
      matrix (t, says, h_before->symbol, NULL, FALSE);
    }
  else
    {
      matrix (t, weights, _("nothing came before"), NULL, FALSE);
      matrix (t, says, "h = 0", NULL, FALSE);
    }
  ls_scene_box (s, result.x, result.y, result.w, result.h, LS_INK_TRACK, 0);
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      const double x = result.x + plate * i, middle = x + plate / 2;
      ls_scene_box (s, x + 3, result.y + 3, plate - 6, result.h - 6, LS_INK_WINDOW, 0)->size = 4;
      const gboolean two = result.h > m->strong.px + m->tick.px + 18;
      ls_scene_text (s, middle, result.y + result.h / 2 + m->strong.px * (two ? 0 : .36), m->strong,
                     LS_INK_TEXT, LS_CENTER, names[i].letter);
      if (two)
        ls_text_fit (s, middle, result.y + result.h / 2 + m->tick.px * 1.25, plate - 8, m->tick, LS_INK_QUIET,
                     LS_CENTER, (const char *const[]){ _(names[i].words), NULL });
    }
  return area.y + area.h;
}

/* ---- where its time goes ---- */

static double
inside (const LsNetworkTime *t, double x, double y, double w)
{
  const LsNetwork *n = t->n;
  const LsMetrics *m = &n->layout->m;
  LsScene *s = n->layout->still;
  const double bar = m->body.px * 1.7, number = ls_scene_width (s, m->strong, "0.000 µs") + 8;
  gint64 start, end, most = 1;

  for (guint side = 0; side < LS_SIDES; side++)
    if (ls_network_time_of (t, side, FALSE, t->step, &start, &end))
      most = MAX (most, end - start);
  const double at_words = ls_text_heading (s, m, (LsArea){ x, y, w, 0 }, y, _("Inside the step"), NULL)
                          + 3 * m->unit;
  ls_text_marked (s, m, at_words, y, x + w - at_words, LS_EVIDENCE_MEASURED, LS_INK_QUIET, _("as recorded"));
  y += m->label.px * .8;
  for (guint side = 0; side < LS_SIDES; side++)
    {
      if (!ls_network_time_of (t, side, FALSE, t->step, &start, &end))
        continue;
      const gint64 parts[] = { ops_ns (t, side, TRUE), ops_ns (t, side, FALSE) };
      const double per_ns = (w - number) / (double) most, all_w = (double) (end - start) * per_ns;
      double at = x;
      for (guint k = 0; k < G_N_ELEMENTS (parts); k++)
        {
          const double part_w = (double) MIN (parts[k], end - start) * per_ns;
          if (part_w <= 0)
            continue;
          LsItem *item = ls_scene_box (s, at, y, MAX (1, part_w - 1), bar, k == 0 ? LS_INK_MARK : LS_INK_SOFT,
                                       side);
          item->side = (guint8) side;
          item->evidence = LS_EVIDENCE_MEASURED;
          item->strong = TRUE;
          g_autofree char *time = ls_number_time ((double) parts[k]);
          g_autofree char *words = g_strdup_printf (k == 0 ? _("product %s") : _("gates %s"), time);
          if (ls_text_fit (s, at + part_w / 2, y + bar / 2 + m->label.px * .36, part_w - 8, m->label,
                           k == 0 ? LS_INK_ON_MARK : LS_INK_ON_SOFT, LS_CENTER,
                           (const char *const[]){ words, time, NULL }))
            {
              LsItem *text = ls_scene_get (s, s->items->len - 1);
              text->value = (float) side;
              text->strong = TRUE;
            }
          at += part_w;
        }
      if (x + all_w > at + 3)
        ls_scene_mark (s, LS_ITEM_WAIT, at + 1, y + bar / 2 - 4, x + all_w - at - 1, 8, LS_INK_QUIET, 0);
      g_autofree char *all = ls_number_time ((double) (end - start));
      ls_scene_text (s, x + all_w + 6, y + bar / 2 + m->strong.px * .36, m->strong, LS_INK_TEXT, LS_LEFT,
                     all);
      y += bar + m->unit;
    }
  return y;
}

/* ---- one unit ---- */

/* The items are seen once the drawn lane has computed the step, as its column is. */
static void
hold_back (const LsNetworkTime *t, guint from, double x, double y)
{
  const LsNetwork *n = t->n;
  LsScene *s = n->layout->still;
  gint64 start, end;

  if (n->own || !ls_network_time_of (t, (guint) n->side, FALSE, t->step, &start, &end))
    return;
  for (guint i = from; i < s->items->len; i++)
    ls_network_timed (ls_scene_get (s, i), start, end);
  LsItem *item = ls_scene_text (s, x, y, n->layout->m.label, LS_INK_QUIET, LS_LEFT,
                                _("its values: not yet"));
  item->when = LS_WHEN_AHEAD;
  item->t0 = end;
  item->t1 = end;
  item->strong = TRUE;
}

/* A number that is multiplied: "(−0.31)". (transfer full) */
static char *
factor (double value, guint figures)
{
  char *number = ls_number_text (value, figures);

  if (value >= 0)
    return number;
  char *bracketed = g_strdup_printf ("(%s)", number);
  g_free (number);
  return bracketed;
}

/* "unit 13: i 0.82, f 0.94 …" and what comes of it. Returns the last baseline. */
static double
unit_words (const LsNetworkTime *t, double x, double y, double w)
{
  const LsNetwork *n = t->n;
  const LsMetrics *m = &n->layout->m;
  const double line = m->label.px * 1.5;
  const gint64 u = t->unit;
  const float *g = ls_network_time_values (t, n->side, 2, t->step, 4 * t->units),
              *h = ls_network_time_values (t, n->side, 0, t->step, t->units),
              *c = ls_network_time_values (t, n->side, 1, t->step, t->units),
              *before = t->step > 0 ? ls_network_time_values (t, n->side, 1, t->step - 1, t->units) : NULL;
  char *texts[6];

  if (g == NULL || h == NULL || c == NULL || (t->step > 0 && before == NULL))
    return y;
  for (guint k = 0; k < 4; k++)
    texts[k] = ls_number_text ((double) g[k * t->units + u], 2);
  texts[4] = ls_number_text ((double) c[u], 3);
  texts[5] = ls_number_text ((double) h[u], 3);
  g_autofree char *kept = factor (before != NULL ? (double) before[u] : 0, 3),
                  *new = factor ((double) g[2 * t->units + u], 2);
  g_autofree char *first = g_strdup_printf (_("unit %lld: i %s, f %s, g %s, o %s"), (long long) u, texts[0],
                                            texts[1], texts[2], texts[3]),
                  *second = g_strdup_printf ("c = %s · %s + %s · %s = %s", texts[1], kept, texts[0], new,
                                             texts[4]),
                  *third = g_strdup_printf ("h = %s · tanh %s = %s", texts[3], texts[4], texts[5]);
  const guint from = n->layout->still->items->len;
  const LsScene *s = n->layout->still;
  const double longer = MAX (ls_scene_width (s, m->label, second), ls_scene_width (s, m->label, third));
  /* below the words beside the mark, where that leaves room */
  const double in = CLAMP (w - longer, 0, m->evidence + 7), first_y = y;
  ls_text_marked (n->layout->still, m, x, y, w, LS_EVIDENCE_MEASURED, LS_INK_TEXT, first);
  ls_text_fit (n->layout->still, x + in, y += line, w - in, m->label, LS_INK_TEXT, LS_LEFT,
               (const char *const[]){ second, NULL });
  ls_text_fit (n->layout->still, x + in, y += line, w - in, m->label, LS_INK_TEXT, LS_LEFT,
               (const char *const[]){ third, NULL });
  for (guint k = 0; k < G_N_ELEMENTS (texts); k++)
    g_free (texts[k]);
  hold_back (t, from, x, first_y);
  return y;
}

/* ---- the chain ---- */

static double
chain_words (const LsNetworkTime *t, double x, double y, double w, double bottom)
{
  const LsNetwork *n = t->n;
  const LsMetrics *m = &n->layout->m;
  LsScene *s = n->layout->still;
  const double line = m->label.px * 1.5;

  ls_text_heading (s, m, (LsArea){ x, y, w, 0 }, y, _("The chain"), NULL);
  for (guint side = 0; side < LS_SIDES; side++)
    {
      const LsViewLane *lane = &n->layout->data->sides[side];
      const gint64 chain = lane->index != NULL ? ls_chains_ns (n->chains, lane->index) : 0;
      if (chain <= 0 || lane->index->length_ns <= 0)
        continue;
      const char *unit;
      g_autofree char *part = ls_number_time_in ((double) chain, (double) lane->index->length_ns, &unit),
                      *whole = ls_number_time ((double) lane->index->length_ns);
      const double share = 100 * (double) chain / (double) lane->index->length_ns;
      /* Translators: "CPU: 3.16 of 4.87 ms, 65 %" */
      g_autofree char *words = g_strdup_printf (_("%s: %s of %s, %.0f %%"), lane->name, part, whole, share),
                      *brief = g_strdup_printf (_("%s: %.0f %%"), lane->name, share);
      y += line;
      const double end = ls_text_marked (s, m, x, y, w, LS_EVIDENCE_DERIVED, LS_INK_TEXT, words);
      if (end <= x)
        ls_text_marked (s, m, x, y, w, LS_EVIDENCE_DERIVED, LS_INK_TEXT, brief);
    }
  const char *moral = _("A larger batch fills each step; nothing shortens the chain.");
  const LsType bold = { m->label.px, 700 };
  if (ls_text_wrapped (s, x, y + m->unit, w, bold, LS_INK_TEXT, moral, FALSE) <= bottom)
    y = ls_text_wrapped (s, x, y + m->unit, w, bold, LS_INK_TEXT, moral, TRUE);
  return y;
}

void
ls_network_time_card (const LsNetworkTime *t, LsArea area)
{
  const LsNetwork *n = t->n;
  const LsMetrics *m = &n->layout->m;
  LsScene *s = n->layout->still;
  const double gap = 5 * m->unit, line = m->label.px * 1.5, bottom = area.y + area.h,
               chain = 4 * line + 2 * LS_TEXT_PITCH * m->label.px,
               bars = m->heading.px + 2 * (m->body.px * 1.7 + m->unit) + line, words = 3 * line,
               picture = 9.5 * m->body.px;
  const double rest = area.h - chain;
  double y = area.y;
  g_autofree char *title = g_strdup_printf (_("Time step %u"), t->step + 1);

  ls_text_heading (s, m, area, n->top - m->heading.px * .8, title, _("four gates, one product"));
  if (rest >= picture + bars + words + 3 * gap)
    y = gates (t, (LsArea){ area.x, y, area.w, picture }) + gap;
  if (rest >= bars + words + 2 * gap)
    y = inside (t, area.x, y + m->heading.px, area.w) + gap;
  if (rest >= words + gap)
    y = unit_words (t, area.x, y + m->label.px, area.w) + gap;
  if (y + chain <= bottom + 1)
    chain_words (t, area.x, y + m->heading.px, area.w, bottom);
}
