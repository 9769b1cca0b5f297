/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "ui/paint/parts/zoom.h"

#include <math.h>

void
ls_zoom_window (const LsQuery *query, gint64 span_ns, gint64 *from, gint64 *to)
{
  *from = CLAMP (query->zoom0_ns, 0, MAX (span_ns - 1, 0));
  *to = query->zoom1_ns > *from ? MIN (query->zoom1_ns, span_ns) : span_ns;
  /* of a step that ends before what was chosen in a longer one its end, as wide */
  if (query->zoom0_ns >= span_ns && query->zoom1_ns > query->zoom0_ns)
    *from = MAX (span_ns - (query->zoom1_ns - query->zoom0_ns), 0);
  if (*to <= *from)
    *to = *from + 1;
}

void
ls_zoom_all (LsQuery *query)
{
  query->zoom0_ns = query->zoom1_ns = 0;
}

gboolean
ls_zoom_is_all (const LsQuery *query)
{
  return query->zoom1_ns <= query->zoom0_ns;
}

void
ls_zoom_set (LsQuery *query, gint64 span_ns, gint64 from, gint64 to)
{
  const gint64 width = CLAMP (ls_ns_add (to, -from), LS_ZOOM_LEAST_NS, MAX (span_ns, LS_ZOOM_LEAST_NS));

  if (width >= span_ns)
    {
      ls_zoom_all (query);
      return;
    }
  query->zoom0_ns = CLAMP (from, 0, span_ns - width);
  query->zoom1_ns = query->zoom0_ns + width;
}

void
ls_zoom_by (LsQuery *query, gint64 span_ns, double at, double by)
{
  gint64 from, to;

  ls_zoom_window (query, span_ns, &from, &to);
  at = CLAMP (at, 0, 1);
  const double width = CLAMP ((double) (to - from) / by, LS_ZOOM_LEAST_NS,
                              MAX ((double) span_ns, LS_ZOOM_LEAST_NS)),
               fixed = (double) from + at * (double) (to - from);
  const gint64 begin = ls_ns_of (floor (fixed - at * width));
  ls_zoom_set (query, span_ns, begin, ls_ns_add (begin, ls_ns_of (ceil (width))));
}

void
ls_zoom_pan (LsQuery *query, gint64 span_ns, double by)
{
  gint64 from, to, step;

  if (ls_zoom_is_all (query))
    return;
  ls_zoom_window (query, span_ns, &from, &to);
  step = CLAMP (ls_ns_of (by * (double) (to - from)), -from, MAX (span_ns - to, 0));
  ls_zoom_set (query, span_ns, from + step, to + step);
}

void
ls_zoom_to (LsQuery *query, gint64 span_ns, gint64 from, gint64 to)
{
  const gint64 margin = MAX ((to - from) / 8, 1);

  ls_zoom_set (query, span_ns, ls_ns_add (from, -margin), ls_ns_add (to, margin));
}

void
ls_zoom_to_pick (LsQuery *query, const LsLayout *layout)
{
  const LsEvent *e = ls_layout_event (layout, query->picked);
  const LsStepIndex *index = layout->data->sides[query->picked.side > 0 ? 1 : 0].index;
  const guint op = e != NULL && e->op != LS_OP_NONE ? e->op : query->op;
  gint64 from = G_MAXINT64, to = G_MININT64;

  for (guint side = 0; side < LS_SIDES; side++)
    {
      const LsStepIndex *lane = layout->data->sides[side].index;
      const LsOpTrace *trace = lane != NULL && op < lane->n_ops ? &lane->ops[ls_step_index_leader (lane, op)]
                                                                : NULL;
      if (trace == NULL || !trace->ran || (e != NULL && e->op == LS_OP_NONE)
          || (query->picked.side >= 0 && query->picked.side != (gint) side))
        continue;
      from = MIN (from, trace->start_ns);
      to = MAX (to, trace->end_ns);
    }
  if (e != NULL && index != NULL && e->op == LS_OP_NONE)
    {
      from = (gint64) (e->start_ns - index->lane->start_ns);
      to = (gint64) (e->end_ns - index->lane->start_ns);
    }
  if (to > from)
    ls_zoom_to (query, layout->span_ns, from, to);
}
