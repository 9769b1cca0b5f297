/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The page of a layer that reads a sequence: what goes in, what it says (h) and what it keeps (c), a column
 * for each time step; how long both lanes took for each, and back; and all of it on the clock of the step:
 * low boxes wait for one another, tall ones are computed for all time steps at once.
 */
#include "config.h"
#include "ui/paint/network/network_time.h"

#include <math.h>
#include <string.h>
#include <glib/gi18n-lib.h>

#include "ui/paint/data/median.h"
#include "ui/paint/parts/text.h"
#include "ui/paint/scene/axis.h"
#include "core/number.h"

#define COLUMN_MIN 9.0 /* px */
#define MOST       4   /* times the median: longer bars end in a zig-zag, with their time beside them */

/* ---- what there is ---- */

const float *
ls_network_time_values (const LsNetworkTime *t, gint side, guint output, guint step, gint64 count)
{
  const LsNetwork *n = t->n;
  const LsRecordedOp *op = &n->recording->ops[t->chain->begin[step + 1] - 1];
  const float *values;

  if (op->n_out <= output
      || ls_recorded_shape_count (&n->recording->shapes[op->out[output]]) != n->batch * count)
    return NULL;
  values = ls_network_walked (n, (guint) side, op->out[output], count);
  return values != NULL ? values + (n->own ? 0 : n->at * count) : NULL;
}

gboolean
ls_network_time_of (const LsNetworkTime *t, guint side, gboolean back, guint step, gint64 *start_ns,
                    gint64 *end_ns)
{
  const LsStepIndex *index = t->n->layout->data->sides[side].index;
  const LsChain *chain = back ? t->back : t->chain;

  return index != NULL && chain != NULL
         && ls_chain_time (chain, index, back ? t->steps - 1 - step : step, 1, start_ns, end_ns);
}

/* The steps' inputs, which one op lays out for all. */
static void
find_inputs (LsNetworkTime *t)
{
  const LsNetwork *n = t->n;
  const LsRecordedOp *cell = &n->recording->ops[t->chain->cell];
  const gint64 samples = n->own ? 1 : n->batch;

  for (guint i = 0; i < t->chain->cell; i++)
    {
      const LsRecordedOp *op = &n->recording->ops[i];
      const LsRecordedShape *shape = op->n_out > 0 ? &n->recording->shapes[op->out[0]] : NULL;
      if (shape == NULL || strcmp (op->name, "sequence") != 0 || op->layer != cell->layer || shape->rank != 2
          || shape->shape[0] != n->batch * t->steps)
        continue;
      t->features = shape->shape[1];
      t->by_columns = op->attr.by_columns;
      t->stride = samples * t->features;
      t->inputs = ls_network_walked (n, (guint) n->side, op->out[0], t->stride * t->steps);
      if (t->inputs != NULL)
        t->inputs += n->own ? 0 : n->at * t->features;
    }
}

/* The way back through the same layer: the last layer's comes first. */
static const LsChain *
find_back (const GArray *chains, guint forward, guint n_forward)
{
  guint at = n_forward - 1;

  for (guint i = 0; i < chains->len; i++)
    {
      const LsChain *chain = &g_array_index (chains, LsChain, i);
      if (chain->back && at-- == forward)
        return chain;
    }
  return NULL;
}

/* The layer that is picked among the layers; else the first. FALSE: none reads a sequence. */
static gboolean
find (LsNetworkTime *t)
{
  const LsNetwork *n = t->n;
  guint forward = 0, chosen = 0;

  for (guint i = 0; i < n->chains->len; i++)
    {
      const LsChain *chain = &g_array_index (n->chains, LsChain, i);
      const gboolean picked = n->asked->layer > 0 && n->asked->layer < (gint) n->n_layers
                              && n->layers[n->asked->layer].shape == &n->recording->shapes[chain->base];
      if (chain->back)
        continue;
      if (t->chain == NULL || picked)
        {
          t->chain = chain;
          chosen = forward;
        }
      forward++;
    }
  if (t->chain == NULL)
    return FALSE;
  t->back = find_back (n->chains, chosen, forward);
  t->steps = t->chain->n_steps;
  if (t->back != NULL && t->back->n_steps != t->steps)
    t->back = NULL;
  t->step = n->asked->step > 0 ? MIN ((guint) n->asked->step, t->steps) - 1 : t->steps - 1;
  for (guint l = 1; l < n->n_layers; l++)
    if (t->h == NULL && n->layers[l].steps && n->layers[l].rows == t->steps
        && n->layers[l].shape == &n->recording->shapes[t->chain->base])
      {
        const LsNetworkLayer *next = l + 1 < n->n_layers ? &n->layers[l + 1] : NULL;
        t->h = &n->layers[l];
        t->c = next != NULL && next->steps && next->rows == t->h->rows && next->cols == t->h->cols ? next
                                                                                                   : NULL;
        t->units = t->h->cols;
      }
  find_inputs (t);
  return TRUE;
}

/* The picked unit, or the one that says most in the picked step. */
static void
find_unit (LsNetworkTime *t)
{
  const float *says = t->h != NULL ? ls_network_values (t->n, t->h, t->n->side, t->n->at) + t->step * t->units
                                   : NULL;

  t->unit = t->n->asked->step_unit;
  if (t->unit >= 0 && t->unit < t->units)
    return;
  t->unit = 0;
  for (gint64 u = 1; says != NULL && u < t->units; u++)
    if (fabsf (says[u]) > fabsf (says[t->unit]))
      t->unit = u;
}

/* ---- the page ---- */

/* What the rows of times are as high as: the longest; of one that was interrupted, a few times what is usual.
 */
static double
most_ns (const LsNetworkTime *t)
{
  g_autofree double *all = g_new (double, 2 * LS_SIDES * t->steps);
  double longest = 1;
  gint64 start, end;
  guint n = 0;

  for (guint side = 0; side < LS_SIDES; side++)
    for (guint back = 0; back < 2; back++)
      for (guint i = 0; i < t->steps; i++)
        if (ls_network_time_of (t, side, back, i, &start, &end))
          {
            all[n++] = (double) (end - start);
            longest = MAX (longest, (double) (end - start));
          }
  return n > 0 ? MIN (longest, MOST * ls_median (all, n)) : longest;
}

/* Heights of the rows that have room, what is least worth going first. */
static void
share (double room, double gap, double line, double heights[LS_TIME_ROWS])
{
  static const double weights[LS_TIME_ROWS] = { 2.2, 3, 3, 1.5, 1.5, 4.5 };
  const double least[LS_TIME_ROWS] = { 2.2 * line, 3 * line, 3 * line, 2.2 * line, 2.2 * line, 5.8 * line };
  static const int going[] = { LS_TIME_BACK, LS_TIME_CLOCK, LS_TIME_FORWARD, LS_TIME_INPUT, LS_TIME_KEEPS };
  gboolean there[LS_TIME_ROWS] = { TRUE, TRUE, TRUE, TRUE, TRUE, TRUE };
  double sum, all;

  for (guint k = 0;; k++)
    {
      sum = all = 0;
      for (guint i = 0; i < LS_TIME_ROWS; i++)
        if (there[i])
          {
            sum += least[i] + gap;
            all += weights[i];
          }
      if (sum <= room || k == G_N_ELEMENTS (going))
        break;
      there[going[k]] = FALSE;
    }
  for (guint i = 0; i < LS_TIME_ROWS; i++)
    heights[i] = there[i] ? least[i] + MAX (room - sum, 0) * weights[i] / all : 0;
}

/* As many steps as have room, the picked one among them. */
static void
find_columns (LsNetworkTime *t)
{
  t->shown = MIN (t->steps, (guint) MAX (1, t->columns.w / COLUMN_MIN));
  t->first = t->step < t->shown / 2 ? 0 : MIN (t->step - t->shown / 2, t->steps - t->shown);
  t->column_w = floor (MIN (t->columns.w / t->shown, 40 * t->n->grow));
}

static void
draw_page (LsNetworkTime *t, LsArea area)
{
  const LsMetrics *m = &t->n->layout->m;
  LsScene *s = t->n->layout->still;
  const double tick
    = ls_scene_width (s, m->tick, "000") + 2 * m->unit,
    bars = MAX (ls_scene_width (s, m->strong, _("Forward")), ls_scene_width (s, m->strong, _("Back")))
           + ls_scene_width (s, m->label, "ms") + 6 + tick,
    values = ls_scene_width (s, m->strong, "h ") + ls_scene_width (s, m->label, _("16 of 128")),
    label = MAX (MAX (bars, values), ls_scene_width (s, m->label, _("what it keeps"))) + 3 * m->unit,
    line = m->label.px, gap = (m->projector ? 2 : 3) * m->unit, most = most_ns (t);
  double heights[LS_TIME_ROWS], y = area.y + m->tick.px * 1.6;

  t->columns = (LsArea){ ceil (area.x + label), y, floor (area.w - label) - 1, 0 }; /* on whole pixels */
  find_columns (t);
  t->columns.w = t->column_w * t->shown;
  ls_network_time_numbers (t, y - m->tick.px * .5);
  share (area.y + area.h - y, gap, line, heights);
  y = ls_network_time_rows (t, area.x, y, gap, heights);
  for (guint back = 0; back < 2; back++)
    {
      const LsArea row = { t->columns.x, y, t->columns.w, heights[LS_TIME_FORWARD + back] - line * .6 };
      if (heights[LS_TIME_FORWARD + back] <= 0)
        continue;
      ls_network_time_bars (t, area.x, row, back, most);
      y += heights[LS_TIME_FORWARD + back] + gap;
    }
  if (heights[LS_TIME_CLOCK] > 0)
    ls_network_time_clock (
      t, area.x, (LsArea){ t->columns.x, y, area.x + area.w - t->columns.x, heights[LS_TIME_CLOCK] });
}

/* What the card would say last, at the foot. Returns its height. */
static double
chain_line (const LsNetworkTime *t, LsArea area)
{
  const LsMetrics *m = &t->n->layout->m;
  g_autofree char *words = ls_network_chain_words (t->n, FALSE);
  const double base = area.y + area.h - m->label.px * LS_DESCENT;

  return words != NULL
             && ls_text_marked (t->n->layout->still, m, area.x, base, area.w, LS_EVIDENCE_DERIVED,
                                LS_INK_TEXT, words)
                  > area.x
           ? 1.5 * m->label.px
           : 0;
}

void
ls_network_time_page (LsNetwork *n, LsArea area)
{
  const LsMetrics *m = &n->layout->m;
  LsNetworkTime *t = n->time = g_new0 (LsNetworkTime, 1);
  const double card = area.w >= 200 * m->unit && !m->projector ? MIN (96 * m->unit * n->grow, area.w * .32)
                                                               : 0;

  t->n = n;
  if (!find (t))
    {
      ls_text_wrapped (n->layout->still, area.x, area.y, area.w, m->label, LS_INK_QUIET,
                       _("This network reads no sequence: no layer has time steps."), TRUE);
      g_clear_pointer (&n->time, g_free);
      return;
    }
  find_unit (t);
  const char *const words[] = { t->by_columns
                                  ? _("a column per time step; each needs h and c of the one before")
                                  : _("a row per time step; each needs h and c of the one before"),
                                _("each step needs h and c of the one before"), NULL };
  ls_network_heading (n, area.x, area.w - card - m->gutter, _("Time"), words);
  if (card <= 0)
    area.h -= chain_line (t, area);
  draw_page (t, (LsArea){ area.x, area.y, card > 0 ? area.w - card - m->gutter : area.w, area.h });
  if (card > 0)
    ls_network_time_card (t, (LsArea){ area.x + area.w - card, area.y, card, area.h });
}

/* ---- what moves ---- */

static void
playhead (const LsNetwork *n, double x, double from, double to)
{
  ls_scene_segment (n->layout->moving, x, from, x, to, LS_INK_TEXT, 2)->strong = TRUE;
}

void
ls_network_time_move (const LsNetwork *n)
{
  const LsNetworkTime *t = n->time;
  const LsQuery *query = &n->layout->query;
  const double gap = t->column_w > 14 ? 4 : 1;

  if (t->columns.h > 0)
    ls_scene_mark (n->layout->moving, LS_ITEM_FRAME, ls_network_time_x (t, t->step) - 1, t->columns.y - 1,
                   t->column_w - gap + 2, t->columns.h + 2, LS_INK_TEXT, 0);
  if (t->clock.h > 0 && query->time_ns != LS_TIME_END && n->layout->span_ns > 0)
    {
      const double x = t->clock.x
                       + t->clock.w * (double) MIN (query->time_ns, n->layout->span_ns)
                           / (double) n->layout->span_ns;
      double y = t->clock.y;
      for (guint side = 0; side < LS_SIDES; side++) /* not through a word */
        if (x > t->lengths[side].x - 3 && x < t->lengths[side].x + t->lengths[side].w + 3)
          {
            playhead (n, x, y, t->lengths[side].y);
            y = t->lengths[side].y + t->lengths[side].h;
          }
      playhead (n, x, y, t->clock.y + t->clock.h);
    }
}

/* ---- what is chosen ---- */

gboolean
ls_network_time_point (const LsNetwork *n, double x, double y, LsNetworkState *state)
{
  const LsNetworkTime *t = n->time;

  if (t == NULL || !ls_area_has (t->columns, x, y))
    return FALSE;
  state->step = (gint) (t->first + MIN ((guint) ((x - t->columns.x) / t->column_w), t->shown - 1)) + 1;
  for (guint k = 0; k < G_N_ELEMENTS (t->unit_rows); k++)
    if (ls_area_has (t->unit_rows[k], x, y))
      state->step_unit
        = (gint) (t->first_unit
                  + (gint64) ((y - t->unit_rows[k].y) / t->unit_rows[k].h * (double) t->shown_units));
  return TRUE;
}

gboolean
ls_network_time_key (const LsNetwork *n, gint dx, gint dy, LsNetworkState *state)
{
  const LsNetworkTime *t = n->time;

  if (t == NULL)
    return FALSE;
  state->step = CLAMP ((gint) t->step + 1 + dx, 1, (gint) t->steps);
  if (dy != 0)
    state->step_unit = (gint) CLAMP (t->unit + dy, 0, MAX (t->units, 1) - 1);
  return TRUE;
}

void
ls_network_time_describe (const LsNetwork *n, GString *text)
{
  const LsNetworkTime *t = n->time;
  g_autofree char *chain = ls_network_chain_words (n, FALSE);

  if (t == NULL)
    return;
  g_string_append_printf (text, _(" Time step %u of %u."), t->step + 1, t->steps);
  for (guint side = 0; side < LS_SIDES; side++)
    {
      gint64 start, end;
      if (!ls_network_time_of (t, side, FALSE, t->step, &start, &end))
        continue;
      g_autofree char *time = ls_number_time ((double) (end - start));
      g_string_append_printf (text, _(" %s took %s for it."), n->layout->data->sides[side].name, time);
    }
  if (chain != NULL)
    g_string_append_printf (text, " %s.", chain);
}
