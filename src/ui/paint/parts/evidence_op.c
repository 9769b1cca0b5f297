/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Facts behind the time of one op: how it was taken, and what it was in every recorded step of the run that
 * is still kept; with one step alone, what the op's own tiles or work-groups took.
 */
#include "config.h"
#include "ui/paint/parts/evidence.h"

#include <glib/gi18n-lib.h>

#include "core/figure.h"
#include "core/number.h"

#define MOST_DOTS 1000u

/* ns from the first to the last moment of the op in a recorded lane; −1: it isn't there. */
static double
op_ns (const LsRecordedLane *lane, guint op)
{
  guint64 start = G_MAXUINT64, end = 0;

  for (guint i = 0; i < lane->events->len; i++)
    {
      const LsEvent *e = &g_array_index (lane->events, LsEvent, i);
      if (e->op != op
          || (e->kind != LS_EVENT_OP && e->kind != LS_EVENT_KERNEL && e->kind != LS_EVENT_REFERENCE)
          || LS_EVENT_CLOCK (e) == LS_CLOCK_ORDER)
        continue;
      start = MIN (start, e->start_ns);
      end = MAX (end, e->end_ns);
    }
  return end >= start ? (double) (end - start) : -1;
}

static void
take_steps (LsEvidenceFacts *facts, const LsViewLane *lane, guint op, LsRecording *const *steps, guint n)
{
  for (guint i = 0; i < n; i++)
    for (guint l = 0; l < steps[i]->n_lanes; l++)
      {
        const LsRecordedLane *recorded = &steps[i]->lanes[l];
        double ns;
        if (op >= steps[i]->n_ops || g_strcmp0 (recorded->id, lane->id) != 0)
          continue;
        ns = op_ns (recorded, recorded->tilings[op].leader);
        if (ns >= 0)
          g_array_append_val (facts->samples, ns);
      }
}

static void
take_pieces (LsEvidenceFacts *facts, const LsViewLane *lane, guint op)
{
  const LsOpTrace *trace = &lane->index->ops[op];

  g_array_set_size (facts->samples, 0);
  for (guint i = 0; trace->timed && i < trace->n; i += MAX (trace->n / MOST_DOTS, 1))
    {
      const LsEvent *e = ls_step_index_piece (lane->index, trace, i);
      const double ns = (double) (e->end_ns - e->start_ns);
      g_array_append_val (facts->samples, ns);
    }
}

/* Median and middle half; samples become what the unit says. */
static void
sum_up (LsEvidenceFacts *facts)
{
  g_autofree double *sorted = g_memdup2 (facts->samples->data, facts->samples->len * sizeof (double));
  const LsFigure figure = ls_figure_of_samples (sorted, facts->samples->len, "ns");
  double per;
  const char *unit = ls_number_time_unit (figure.value, &per);
  g_autofree char *q1 = ls_number_time (figure.q1), *q3 = ls_number_time (figure.q3),
                  *spread = ls_number_spread (figure.value, figure.q1, figure.q3);

  ls_evidence_add (facts, _("Median"), ls_number_time (figure.value));
  ls_evidence_add (facts, _("Middle half"), g_strdup_printf (_("%s to %s (%s)"), q1, q3, spread));
  for (guint i = 0; i < facts->samples->len; i++)
    g_array_index (facts->samples, double, i) /= per;
  facts->unit = unit;
}

LsEvidenceFacts *
ls_evidence_op_facts (const LsViewData *data, gint side, guint op, LsRecording *const *steps, guint n)
{
  LsEvidenceFacts *facts = g_new0 (LsEvidenceFacts, 1);
  const LsViewLane *lane = &data->sides[CLAMP (side, 0, LS_SIDES - 1)];
  const gboolean known = data->recording != NULL && lane->index != NULL && op < lane->index->n_ops;
  const guint leader = known ? ls_step_index_leader (lane->index, op) : 0;
  const double error = lane->recorded != NULL ? lane->recorded->clock_error_ns : 0;
  g_autofree char *step = ls_number_count (
    ls_view_data_shown_step (data, (guint) CLAMP (side, 0, LS_SIDES - 1)));

  facts->facts = g_ptr_array_new_with_free_func (g_free);
  facts->samples = g_array_new (FALSE, FALSE, sizeof (double));
  facts->unit = "";
  facts->evidence = LS_EVIDENCE_MEASURED;
  facts->title = g_strdup_printf ("%s: %s", lane->name, known ? data->recording->ops[op].symbol : "");
  if (!known)
    return facts;
  ls_evidence_add (
    facts, _("How"),
    g_strdup (error > 0 ? _("OpenCL's event profiling, from its first kernel's start to its last one's end")
                        : _("the lane's own clock, from the first tile's start to the last one's end")));
  ls_evidence_add (facts, _("This one"), g_strdup_printf (_("step %s"), step));
  if (lane->index->ops[leader].ran)
    ls_evidence_add (
      facts, _("Value"),
      ls_number_time ((double) (lane->index->ops[leader].end_ns - lane->index->ops[leader].start_ns)));
  take_steps (facts, lane, op, steps, n);
  if (facts->samples->len >= 2)
    ls_evidence_add (
      facts, _("Samples"),
      g_strdup_printf (_("the op in the %u recorded steps of this run that are kept"), facts->samples->len));
  else
    {
      take_pieces (facts, lane, leader);
      ls_evidence_add (facts, _("Samples"),
                       facts->samples->len < 2 /* of one nothing is drawn */
                         ? g_strdup (_("recorded once"))
                         : g_strdup_printf (_("recorded once; below, %u of its %u tiles or work-groups"),
                                            facts->samples->len, lane->index->ops[leader].n));
    }
  if (facts->samples->len > 0)
    sum_up (facts);
  ls_evidence_clock (facts, lane);
  return facts;
}
