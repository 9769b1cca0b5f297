/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Under the layers: how far the lanes differ at each, as a ring on a logarithmic line; the picked unit in
 * words; what is drawn and what the colours mean.
 */
#include "config.h"
#include "ui/paint/network/network.h"

#include <math.h>
#include <glib/gi18n-lib.h>

#include "core/number.h"
#include "ui/paint/parts/text.h"

#define PLACES (2 * LS_NETWORK_LAYERS)

typedef struct {
  const char *symbol;
  double value;            /* max |Δ|; NAN where one isn't a number */
  double middle;           /* of what it belongs to, px */
  double x, w;             /* its place; w 0: there is no room */
  gint64 begin_ns, end_ns; /* when the layer was computed; 0, 0: it was there before */
} Ring;

double
ls_network_foot_height (const LsNetwork *n)
{
  const LsMetrics *m = &n->layout->m;
  const double rings = n->both && !n->low_room ? m->label.px * 3.6 + 2 * m->unit : 0;

  return rings + (m->projector ? m->label.px * 1.6 : m->label.px * 3.2 + m->unit);
}

double
ls_network_difference (const float *a, const float *b, gint64 count)
{
  double most = 0;

  for (gint64 i = 0; i < count; i++)
    {
      const double d = fabs ((double) a[i] - (double) b[i]);
      if (!(d <= most))
        most = d;
      if (isnan (d))
        return (double) NAN;
    }
  return most;
}

/* The layers first, since they have the first choice of places. */
static guint
find_rings (const LsNetwork *n, Ring *rings)
{
  guint count = 0;

  for (guint l = 1; l < n->n_layers; l++)
    {
      const LsNetworkLayer *layer = &n->layers[l];
      const gboolean last = l + 1 == n->n_layers;
      const LsArea *area = last ? &n->said_area : &layer->area;
      const float *a = ls_network_values (n, layer, 0, n->at), *b = ls_network_values (n, layer, 1, n->at);
      if (area->w > 0 && a != NULL && b != NULL)
        rings[count++] = (Ring){ layer->shape->symbol,
                                 ls_network_difference (a, b, ls_network_count (layer)),
                                 area->x + area->w / (last ? 3 : 2),
                                 0,
                                 0,
                                 layer->begin_ns,
                                 layer->end_ns };
    }
  for (guint l = 1; l < n->n_layers; l++)
    {
      const LsNetworkLayer *layer = &n->layers[l], *before = &n->layers[l - 1];
      const double left = before->area.x + before->area.w,
                   right = l + 1 == n->n_layers ? n->said_area.x : layer->area.x;
      if (layer->weights[0] == NULL || layer->weights[1] == NULL)
        continue;
      if (l == 1 && n->picture_area.w > 0)
        rings[count++]
          = (Ring){ layer->weight->symbol, 0, n->picture_area.x + n->picture_area.w / 2, 0, 0, 0, 0 };
      else if (layer->area.w > 0 && before->area.w > 0)
        rings[count++] = (Ring){ layer->weight->symbol, 0, (left + right) / 2, 0, 0, 0, 0 };
      else
        continue;
      rings[count - 1].value = ls_network_difference (layer->weights[0], layer->weights[1],
                                                      ls_recorded_shape_count (layer->weight));
    }
  return count;
}

static char *
ring_text (const Ring *ring)
{
  g_autofree char *value = isnan (ring->value) ? g_strdup (_("not a number"))
                                               : ls_number_power (ring->value);

  return !(ring->value == 0) ? g_strdup_printf ("%s %s", ring->symbol, value)
                             : g_strdup_printf (_("%s bit for bit"), ring->symbol);
}

static void
place (const LsNetwork *n, Ring *rings, guint count, double left, double right, double line)
{
  const LsMetrics *m = &n->layout->m;

  for (guint i = 0; i < count; i++)
    {
      g_autofree char *text = ring_text (&rings[i]);
      const double w = MAX (line, ls_scene_width (n->layout->still, m->label, text));
      const double x = CLAMP (rings[i].middle - w / 2, left, MAX (left, right - w));
      gboolean fits = x + w <= right + 1;

      for (guint k = 0; k < i; k++)
        fits &= rings[k].w <= 0 || x > rings[k].x + rings[k].w + 2 * m->unit
                || x + w + 2 * m->unit < rings[k].x;
      rings[i].x = x;
      rings[i].w = fits ? w : 0;
    }
}

static void
range (const Ring *rings, guint count, gint *low, gint *high)
{
  *low = -7;
  *high = -5;
  for (guint i = 0; i < count; i++)
    if (rings[i].value > 0 && isfinite (rings[i].value))
      {
        *low = MIN (*low, MAX (-12, (gint) floor (log10 (rings[i].value))));
        *high = MAX (*high, MIN (3, (gint) ceil (log10 (rings[i].value))));
      }
}

static void
draw_ring (const LsNetwork *n, const Ring *ring, double y, double line, gint low, gint high)
{
  const LsMetrics *m = &n->layout->m;
  const double width = n->layout->style.hairline, size = 2.75 * m->unit, x = ring->x,
               at = log10 (ring->value);
  LsScene *s = n->layout->still;
  g_autofree char *text = ring_text (ring);

  ls_scene_segment (s, x, y, x + line, y, LS_INK_QUIET, width);
  for (gint e = low; e <= high; e++)
    {
      const double tick = x + line * (e - low) / (high - low),
                   half = e == low || e == high ? 1.25 * m->unit : .75 * m->unit;
      ls_scene_segment (s, tick, y - half, tick, y + half, LS_INK_QUIET, width);
    }
  if (ring->value > 0)
    {
      ls_scene_path (s, LS_ITEM_RINGS, LS_INK_TEXT, 0, size)->evidence = LS_EVIDENCE_DERIVED;
      ls_scene_point (s, x + line * CLAMP ((at - low) / (high - low), 0, 1), y);
    }
  ls_scene_text (s, x, y + m->label.px * 1.6, m->label, LS_INK_TEXT, LS_LEFT, text);
}

/* Returns its height. */
static double
rings (const LsNetwork *n, LsArea area, double words_w)
{
  const LsMetrics *m = &n->layout->m;
  const double line = 17 * m->unit, y = area.y + m->unit + m->label.px, left = area.x + words_w + 3 * m->unit,
               right = area.x + area.w;
  LsScene *s = n->layout->still;
  Ring all[PLACES];
  guint count;
  gint low, high;
  double last = left;

  ls_scene_box (s, area.x, area.y, area.w, n->layout->style.hairline, LS_INK_HAIRLINE, 0);
  ls_text_fit (s, area.x, y + m->label.px * .36, words_w, m->strong, LS_INK_TEXT, LS_LEFT,
               (const char *const[]){ _("max |Δ| between the lanes"), _("max |Δ|"), NULL });
  if (ls_text_marked (s, m, area.x, y + m->label.px * 1.9, words_w, LS_EVIDENCE_DERIVED, LS_INK_QUIET,
                      _("this sample, by layer"))
      <= area.x)
    ls_text_marked (s, m, area.x, y + m->label.px * 1.9, words_w, LS_EVIDENCE_DERIVED, LS_INK_QUIET,
                    _("by layer"));
  count = find_rings (n, all);
  place (n, all, count, left, right, line);
  range (all, count, &low, &high);
  for (guint i = 0; i < count; i++)
    if (all[i].w > 0)
      {
        const guint first = s->items->len;
        draw_ring (n, &all[i], y, line, low, high);
        for (guint k = first; k < s->items->len; k++)
          ls_network_timed (ls_scene_get (s, k), all[i].begin_ns, all[i].end_ns);
        last = MAX (last, all[i].x + all[i].w);
      }
  g_autofree char *from = ls_number_power_tick (pow (10, low)), *to = ls_number_power_tick (pow (10, high));
  g_autofree char *scale = g_strdup_printf (_("%s to %s"), from, to);
  if (last + 4 * m->unit + ls_scene_width (s, m->label, scale) <= right)
    ls_scene_text (s, right, y + m->label.px * .36, m->label, LS_INK_QUIET, LS_RIGHT, scale);
  return m->label.px * 3.6 + 2 * m->unit;
}

/* ---- words ---- */

static char *
unit_words (const LsNetwork *n, gboolean brief)
{
  const LsNetworkLayer *layer = n->layer > 0 ? &n->layers[n->layer] : NULL;
  const LsNetworkEdge *on = n->layer > 0 ? ls_network_way_on (n) : NULL;

  if (layer == NULL)
    return g_strdup (_("this network has no hidden layer"));
  g_autofree char *value = ls_number_text (ls_network_unit_value (n, layer, n->unit), 3), *give = NULL;
  g_autofree char *unit = layer->rows * layer->cols > 1
                            ? g_strdup_printf (_("map %d of %s: at most %s"), n->unit, layer->shape->symbol,
                                               value)
                            : g_strdup_printf (_("unit %d of %s: %s"), n->unit, layer->shape->symbol, value);
  g_autofree char *named = n->picked || brief ? g_strdup (unit)
                                              : g_strdup_printf (_("the most active: %s"), unit);
  if (on == NULL || brief)
    return g_strdup (named);
  g_autofree char *number = ls_number_text (fabs ((double) on->value), 3);
  give = g_strdup_printf ("%s%s", on->value < 0 ? "−" : "+", number);
  g_autofree char *class = ls_network_class (n, (gint) on->to);
  return on->layer + 1 == (gint) n->n_layers
           ? g_strdup_printf (_("%s; strongest way on: class %s (%s)"), named, class, give)
           : g_strdup_printf (_("%s; strongest way on: unit %lld of %s (%s)"), named, (long long) on->to,
                              n->layers[on->layer].shape->symbol, give);
}

/* Which connections are drawn: before the clock reaches the first of them, on the way, and at last. (transfer
 * full), or NULL. */
static char *
edges_words (const LsNetwork *n, LsWhen when, gboolean brief)
{
  g_autofree char *all = ls_number_count ((guint64) n->n_connections);

  if (n->n_drawn == 0)
    return NULL;
  if (when == LS_WHEN_AHEAD)
    return g_strdup (brief ? _("no connections yet; ")
                           : _("connections are drawn once their layer is computed; "));
  if (when == LS_WHEN_RUNNING)
    return g_strdup (brief ? _("connections so far; ")
                           : _("connections are drawn as far as their layers are computed; "));
  return g_strdup_printf (
    brief ? _("%u of %s connections drawn; ")
          : _("the strongest of each layer are drawn, %u of %s connections (weight × activation); "),
    n->n_drawn, all);
}

/* Whose values they are. (transfer full) */
static char *
values_words (const LsNetwork *n, gboolean brief)
{
  const char *lane = n->layout->data->sides[n->side].name;

  if (n->own)
    {
      g_autofree char *now = ls_number_count (n->answers[n->side]->steps),
                      *then = ls_number_count (n->recording->step);
      return brief
               ? g_strdup_printf (_("values of step %s, weights of step %s"), now, then)
               : g_strdup_printf (_("values from the %s lane as of step %s, weights as recorded in step %s"),
                                  lane, now, then);
    }
  return brief || (n->both && n->low_room) /* there are no rings */
           ? g_strdup_printf (_("values from the %s lane"), lane)
           : n->both
               ? g_strdup_printf (
                 _("values from the %s lane, the other differs by the rings; weights as updated"), lane)
               : g_strdup_printf (
                 _("values from the %s lane, the other’s were not recorded; weights as updated"), lane);
}

/* What is missing, and how much of the step must be done one after the other; (transfer full). */
static char *
with_chain (const LsNetwork *n, const char *missing, gboolean brief)
{
  g_autofree char *chain = ls_network_chain_words (n, brief);

  return chain != NULL ? g_strconcat (missing, chain, "; ", NULL) : g_strdup (missing);
}

static void
notes (const LsNetwork *n, double x, double y, double w)
{
  static const LsWhen timed[] = { LS_WHEN_AHEAD, LS_WHEN_RUNNING, LS_WHEN_DONE };
  g_autofree char *missing = n->left_out > 0
                               ? g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "%u layer left out; ",
                                                               "%u layers left out; ", n->left_out),
                                                  n->left_out)
                               : g_strdup ("");
  g_autofree char *values = values_words (n, FALSE), *brief = values_words (n, TRUE),
                  *quiet = ls_number_text (n->weight_quiet, 2);
  g_autofree char *chain = with_chain (n, missing, FALSE), *in_brief = with_chain (n, missing, TRUE);
  LsScene *s = n->layout->still;

  if (n->layout->m.projector && n->picture_area.w > 0 && n->weight_quiet > 0) /* without a legend, which says
                                                                                 it elsewhere */
    {
      g_free (values);
      values = g_strdup_printf (_("%s; %s: mean of 3×3, under %s blank"), brief, n->layers[1].weight->symbol,
                                quiet);
    }

  for (guint i = n->drawn_ns > 0 ? 0 : G_N_ELEMENTS (timed) - 1; i < G_N_ELEMENTS (timed); i++)
    {
      g_autofree char *long_edges = edges_words (n, timed[i], FALSE),
                      *short_edges = edges_words (n, timed[i], TRUE);
      const char *edges = long_edges != NULL ? long_edges : "", *few = short_edges != NULL ? short_edges : "";
      g_autofree char *one = g_strconcat (chain, edges, values, NULL),
                      *two = g_strconcat (chain, few, values, NULL),
                      *three = g_strconcat (in_brief, edges, values, NULL),
                      *four = g_strconcat (in_brief, few, brief, NULL),
                      *five = g_strconcat (in_brief, brief, NULL), *six = g_strconcat (few, brief, NULL);
      LsItem *item;
      if (!ls_text_fit (s, x, y, w, n->layout->m.label, LS_INK_QUIET, LS_LEFT,
                        (const char *const[]){ one, two, three, four, five, six, brief, NULL })
          || n->drawn_ns <= 0)
        continue;
      item = ls_scene_get (s, s->items->len - 1);
      item->when = (guint8) timed[i];
      item->t0 = timed[i] == LS_WHEN_DONE ? n->drawn_ns : n->drawn_from_ns;
      item->t1 = timed[i] == LS_WHEN_AHEAD ? n->drawn_from_ns : n->drawn_ns;
    }
}

/* names: the first that fits; derived: its mark stands before the name. */
static void
ramp (const LsNetwork *n, double x, double y, double w, const char *const *names, const char *low,
      const char *high, LsInk ink, gboolean derived)
{
  const LsMetrics *m = &n->layout->m;
  LsScene *s = n->layout->still;
  const double ends = MAX (ls_scene_width (s, m->tick, low), ls_scene_width (s, m->tick, high))
                      + 1.5 * m->unit,
               mark = derived ? m->evidence + 6 : 0;
  const double right = x + w, length = 24 * m->unit, left = right - ends - length,
               name_x = left - ends - 2 * m->unit;

  if (left - ends < x)
    return;
  ls_scene_mark (s, LS_ITEM_RAMP, left, y - m->tick.px * .76, length, m->tick.px * .9, ink, 0);
  ls_scene_text (s, right - ends + 1.5 * m->unit, y, m->tick, LS_INK_QUIET, LS_LEFT, high);
  ls_scene_text (s, left - 1.5 * m->unit, y, m->tick, LS_INK_QUIET, LS_RIGHT, low);
  if (ls_text_fit (s, name_x, y, name_x - mark - x, m->label, LS_INK_QUIET, LS_RIGHT, names) && derived)
    ls_scene_evidence (s, (double) ls_scene_get (s, s->items->len - 1)->x - mark,
                       y - m->label.px * .36 - m->evidence / 2, m->evidence, LS_EVIDENCE_DERIVED,
                       LS_INK_QUIET);
}

/* Returns how much of the width it takes; *below: of that of its second line. */
static double
legend (const LsNetwork *n, LsArea area, double y, double *below)
{
  const LsMetrics *m = &n->layout->m;
  const gboolean means = n->picture_area.w > 0 && n->weight_quiet > 0;
  const double w = (m->size == LS_SIZE_SMALL ? (means ? 84 : 58)
                    : means                  ? 118
                                             : 84)
                   * m->unit,
               x = area.x + area.w - w;
  g_autofree char *quiet = ls_number_text (n->weight_quiet, 2);
  g_autofree char *all = g_strdup_printf (_("weight, mean of 3×3, under %s blank"), quiet),
                  *some = g_strdup_printf (_("mean of 3×3, under %s blank"), quiet);
  g_autofree char *top = ls_number_text (n->weight_top, 2), *low = g_strconcat ("−", top, NULL),
                  *high = g_strconcat ("+", top, NULL);
  gboolean amounts = n->image_rows > 0;

  *below = MIN (w, (m->size == LS_SIZE_SMALL ? 58 : 84) * m->unit);

  for (guint l = 1; l + 1 < n->n_layers; l++)
    amounts |= !n->layers[l].is_signed;
  if (means)
    ramp (n, x, y, w, (const char *const[]){ all, some, _("mean of 3×3"), NULL }, low, high, LS_INK_SIGN,
          TRUE);
  else if (n->picture_area.w > 0)
    ramp (n, x, y, w, (const char *const[]){ _("weight"), NULL }, low, high, LS_INK_SIGN, FALSE);
  else
    ramp (n, x, y, w, (const char *const[]){ _("of its largest"), NULL }, "−1", "+1", LS_INK_SIGN, FALSE);
  if (amounts)
    ramp (n, area.x + area.w - *below, y + m->label.px * 1.5, *below,
          (const char *const[]){ n->picture_area.w > 0 ? _("of its largest") : "", NULL }, "0", "1",
          LS_INK_AMOUNT, FALSE);
  return w;
}

void
ls_network_foot (const LsNetwork *n, LsArea area)
{
  const LsMetrics *m = &n->layout->m;
  const double words = MAX (n->sample_area.w, 40 * m->unit);
  const double in = m->evidence + 7;
  LsScene *s = n->layout->still;
  g_autofree char *unit = unit_words (n, FALSE), *brief = unit_words (n, TRUE);
  double y = area.y, w, below;
  guint mark;

  if (n->both && !n->low_room)
    y += rings (n, area, words);
  y += m->label.px * 1.1;
  if (m->projector)
    {
      notes (n, area.x, y, area.w);
      return;
    }
  w = area.w - legend (n, area, y, &below) - 4 * m->unit;
  mark = s->items->len;
  ls_scene_evidence (s, area.x, y - m->label.px * .36 - m->evidence / 2, m->evidence, LS_EVIDENCE_MEASURED,
                     LS_INK_TEXT);
  if (ls_text_fit (s, area.x + in, y, w - in, m->body, LS_INK_TEXT, LS_LEFT,
                   (const char *const[]){ unit, brief, NULL })
      && n->layer > 0)
    for (guint i = mark; i < s->items->len; i++) /* nor does its mark stand there alone before */
      ls_network_timed (ls_scene_get (s, i), n->layers[n->layer].begin_ns, n->layers[n->layer].end_ns);
  notes (n, area.x + in, y + m->label.px * 1.5, area.w - below - 4 * m->unit - in);
}
