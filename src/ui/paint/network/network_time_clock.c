/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The recorded step of both lanes on one clock: low boxes wait for one another, tall ones are computed for
 * all time steps at once.
 */
#include "config.h"
#include "ui/paint/network/network_time.h"

#include <string.h>
#include <glib/gi18n-lib.h>

#include "ui/paint/parts/text.h"
#include "ui/paint/scene/axis.h"
#include "core/number.h"

/* Gives the box's right edge. */
static double
clock_box (const LsNetworkTime *t, guint side, LsArea bar, gint64 start, gint64 end, gboolean chain,
           const char *name)
{
  const LsMetrics *m = &t->n->layout->m;
  LsScene *s = t->n->layout->still;
  const double per_ns = bar.w / (double) MAX (t->n->layout->span_ns, 1), x = bar.x + (double) start * per_ns,
               w = MAX (1, (double) (end - start) * per_ns - 1), h = chain ? bar.h * .5 : bar.h;
  const LsType type = { m->tick.px, 700 };

  for (guint done = 0; done < 2; done++)
    {
      LsItem *item = ls_scene_box (s, x, bar.y + (bar.h - h) / 2, w, h, done ? LS_INK_MARK : LS_INK_SOFT,
                                   side);
      item->side = (guint8) side;
      item->evidence = LS_EVIDENCE_MEASURED;
      item->strong = TRUE;
      if (done)
        ls_network_timed (item, start, end);
    }
  if (name == NULL || bar.h < 1.25 * type.px || ls_scene_width (s, type, name) + 8 > w)
    return x + w;
  for (guint done = 0; done < 2; done++)
    {
      LsItem *item = ls_scene_text (s, x + w / 2, bar.y + bar.h / 2 + type.px * .36, type,
                                    done ? LS_INK_ON_MARK : LS_INK_ON_SOFT, LS_CENTER, name);
      item->value = (float) side;
      item->strong = TRUE;
      item->when = done ? LS_WHEN_DONE : LS_WHEN_AHEAD;
      item->t0 = done ? start : end;
      item->t1 = end;
    }
  return x + w;
}

static void
clock_lane (LsNetworkTime *t, guint side, LsArea bar)
{
  const LsNetwork *n = t->n;
  const LsMetrics *m = &n->layout->m;
  const LsStepIndex *index = n->layout->data->sides[side].index;
  const double span_ns = (double) MAX (n->layout->span_ns, 1);
  g_autofree char *length = ls_number_time ((double) index->length_ns);
  double drawn[2] = { 0 }; /* px: how far tall boxes and low ones reach */

  for (guint i = 0; i < index->spans->len; i++)
    {
      const LsSpan *span = &g_array_index (index->spans, LsSpan, i);
      const gboolean op = span->kind == LS_EVENT_OP && span->op < n->recording->n_ops,
                     chain = op && ls_chain_of (n->chains, span->op, NULL) != NULL;
      /* a box is a pixel wide at least: however many there are, what is under one isn't drawn */
      if (bar.x + (double) span->end_ns * bar.w / span_ns > drawn[chain])
        drawn[chain] = clock_box (t, side, bar, span->start_ns, span->end_ns, chain,
                                  op && !chain ? n->recording->ops[span->op].symbol : NULL);
    }
  /* the last boxes may be wider than the step is long */
  const LsType type = { m->label.px, 700 };
  const double x = MAX (bar.x + bar.w * (double) index->length_ns / span_ns, MAX (drawn[0], drawn[1])) + 6;
  ls_scene_text (n->layout->still, x, bar.y + bar.h / 2 + type.px * .36, type, LS_INK_TEXT, LS_LEFT, length);
  t->lengths[side] = (LsArea){ x, bar.y, ls_scene_width (n->layout->still, type, length), bar.h };
}

void
ls_network_time_clock (LsNetworkTime *t, double x, LsArea row)
{
  const LsNetwork *n = t->n;
  const LsMetrics *m = &n->layout->m;
  LsScene *s = n->layout->still;
  const double head = m->label.px * 1.8, foot = m->tick.px * 1.9, bar = (row.h - head - foot) / LS_SIDES,
               number = ls_scene_width (s, (LsType){ m->label.px, 700 }, "00.00 ms") + 10;
  const LsArea bars = { row.x, row.y + head, row.w - number, row.h - head - foot };
  double per_unit;
  const char *unit = ls_number_time_unit ((double) n->layout->span_ns, &per_unit);
  LsAxis axis;

  ls_scene_text (s, x, row.y + m->strong.px, m->strong, LS_INK_TEXT, LS_LEFT, _("One clock"));
  ls_text_fit (
    s, row.x, row.y + m->strong.px, row.w, m->label, LS_INK_QUIET, LS_LEFT,
    (const char *const[]){
      _("tall: for all time steps at once; low: one after the other, each waits for the one before"),
      _("tall: all time steps at once; low: one after the other"), NULL });
  ls_axis_init (&axis, 0, (double) n->layout->span_ns / per_unit, bars.x, bars.x + bars.w, FALSE, 6);
  for (guint i = 0; i < axis.n_ticks; i++)
    {
      const double at = ls_axis_at (&axis, axis.ticks[i]);
      g_autofree char *tick = ls_number_tick (axis.ticks[i]), *named = g_strdup_printf ("%s %s", tick, unit);
      ls_scene_segment (s, at, bars.y + bars.h, at, bars.y + bars.h + 5, LS_INK_QUIET, 1);
      ls_scene_text (s, at, bars.y + bars.h + 6 + m->tick.px, m->tick, LS_INK_QUIET,
                     i == 0 ? LS_LEFT : LS_CENTER, i == 0 ? named : tick);
    }
  for (guint side = 0; side < LS_SIDES; side++)
    {
      const LsViewLane *lane = &n->layout->data->sides[side];
      const LsArea at = { bars.x, bars.y + side * bar + 2, bars.w, bar - 6 };
      if (lane->index == NULL)
        continue;
      /* "OpenCL" of "OpenCL on the CPU": the heads say all */
      g_autofree char *first = g_strndup (lane->name, strcspn (lane->name, " "));
      LsItem *item = NULL;
      if (ls_text_fit (s, x, at.y + at.h / 2 + m->label.px * .36, row.x - x - 2 * m->unit,
                       (LsType){ m->label.px, 700 }, LS_INK_LANE, LS_LEFT,
                       (const char *const[]){ lane->name, first, NULL }))
        item = ls_scene_get (s, s->items->len - 1);
      if (item != NULL)
        item->value = (float) side;
      clock_lane (t, side, at);
    }
  t->clock = bars;
}
