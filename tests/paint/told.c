/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See told.h.
 */
#include "told.h"

#include <math.h>
#include <string.h>

const LsViewLane *
ls_told_lane (const LsPicture *p, guint side)
{
  const LsViewLane *lane = p->layout->shown[side];

  return lane != NULL && lane->recorded != NULL && lane->index != NULL ? lane : NULL;
}

guint
ls_told_leader (const LsViewLane *lane, guint op)
{
  return op < lane->index->n_ops ? lane->recorded->tilings[op].leader : op;
}

double
ls_told_since (const LsViewLane *lane, guint64 ns)
{
  return (double) (gint64) (ns - lane->recorded->start_ns);
}

gboolean
ls_told_is_work (const LsEvent *e)
{
  return e->kind == LS_EVENT_OP || e->kind == LS_EVENT_KERNEL || e->kind == LS_EVENT_REFERENCE;
}

gboolean
ls_told_op (const LsViewLane *lane, guint op, double *start, double *end)
{
  *start = HUGE_VAL;
  *end = -HUGE_VAL;
  for (EACH_EVENT (lane, e))
    if (e->op == op && ls_told_is_work (e))
      {
        *start = MIN (*start, ls_told_since (lane, e->start_ns));
        *end = MAX (*end, ls_told_since (lane, e->end_ns));
      }
  return *end >= *start;
}

double
ls_told_op_ns (const LsViewLane *lane, guint op)
{
  double start, end;

  return ls_told_op (lane, op, &start, &end) ? end - start : 0;
}

double
ls_told_step_ns (const LsViewLane *lane)
{
  double end = ls_told_since (lane, lane->recorded->end_ns);

  for (EACH_EVENT (lane, e))
    if (ls_told_is_work (e) || e->kind == LS_EVENT_COPY_IN || e->kind == LS_EVENT_COPY_OUT)
      end = MAX (end, ls_told_since (lane, e->end_ns));
  return end;
}

gboolean
ls_told_number (const char **at, gboolean time, double *low, double *high)
{
  static const struct {
    const char *unit;
    double ns;
  } units[] = { { "\u00a0ns", 1 }, { "\u00a0µs", 1e3 }, { "\u00a0ms", 1e6 }, { "\u00a0s", 1e9 },
                { " ns", 1 },      { " µs", 1e3 },      { " ms", 1e6 },      { " s", 1e9 } };

  if (**at == '<')
    return FALSE;
  if (!g_ascii_isdigit (**at) || !ls_stated_number (at, low, high))
    return FALSE;
  for (gsize i = 0; time && i < G_N_ELEMENTS (units); i++)
    if (g_str_has_prefix (*at, units[i].unit))
      {
        *at += strlen (units[i].unit);
        *low *= units[i].ns;
        *high *= units[i].ns;
        return TRUE;
      }
  return !time;
}
