/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What clicks and keys choose in Network: samples, units, pages. Everything becomes a change of the view's
 * state.
 */
#include "ui/paint/network/network.h"

#include <math.h>

/* The picked one once more: let go. */
static gboolean
pick (const LsNetwork *n, gint layer, gint64 unit, LsNetworkState *state)
{
  const gboolean again = n->picked && n->layer == layer && n->unit == unit;

  state->layer = again ? -1 : layer;
  state->unit = again ? -1 : (gint) unit;
  return TRUE;
}

/* ---- samples ---- */

static gint64
tests (const LsNetwork *n)
{
  return n->layout->data->tests;
}

static gboolean
show_batch (LsNetworkState *state, gint64 sample)
{
  state->own = LS_OWN_BATCH;
  state->sample = (gint) sample;
  return TRUE;
}

/* Only where the lanes can be asked about it. */
static gboolean
show_test (const LsNetwork *n, LsNetworkState *state, gint64 number)
{
  if (tests (n) <= 0)
    return FALSE;
  state->own = LS_OWN_TEST;
  state->test = CLAMP (number, 0, tests (n) - 1);
  return TRUE;
}

/* Nobody can be asked: the worst ones were kept with their images, and are shown on the page of the test
 * set. */
static gboolean
show_kept (const LsNetwork *n, gint at, LsNetworkState *state)
{
  const LsEvaluation *evaluation = ls_network_evaluation (n);

  if (evaluation == NULL || evaluation->values == NULL || evaluation->n_worst == 0 || n->image_rows == 0
      || evaluation->sample_size != ls_network_count (&n->layers[0]))
    return FALSE;
  state->own = LS_OWN_TEST;
  state->page = LS_NETWORK_TEST;
  state->test = evaluation->worst[(at + (gint) evaluation->n_worst) % (gint) evaluation->n_worst].sample;
  return TRUE;
}

static gboolean
step_sample (const LsNetwork *n, gint by, LsNetworkState *state)
{
  if (n->kept >= 0)
    return show_kept (n, n->kept + by, state);
  if (state->own == LS_OWN_TEST && tests (n) > 0)
    return show_test (n, state, (state->test + by + tests (n)) % tests (n));
  return show_batch (state, n->sample < 0 ? 0 : (n->sample + by + n->batch) % n->batch);
}

/* The next one that is wrong, in the order of their numbers. */
static gboolean
step_mistake (const LsNetwork *n, gint by, LsNetworkState *state)
{
  const LsEvaluation *evaluation = ls_network_evaluation (n);
  const gboolean test = evaluation != NULL && tests (n) == (gint64) evaluation->n;
  const gint64 count = test ? (gint64) evaluation->n : n->batch;
  const gint64 outside = by > 0 ? -1 : count;
  const gint64 from = test ? (state->own == LS_OWN_TEST ? state->test : outside)
                           : (n->sample < 0 ? outside : n->sample);

  if (tests (n) <= 0 && show_kept (n, n->kept < 0 ? (by > 0 ? 0 : -1) : n->kept + by, state))
    return TRUE;
  for (gint64 i = 1; i <= count; i++)
    {
      const gint64 at = ((from + by * i) % count + count) % count;
      if (test && evaluation->predicted[at] != evaluation->labels[at])
        return show_test (n, state, at);
      if (!test && ls_network_label (n, at) >= 0 && n->batch_probs[n->side] != NULL
          && ls_network_label (n, at) != ls_network_predicted (n, n->side, at))
        return show_batch (state, at);
    }
  return FALSE;
}

/* The first sample that was labelled and said so, after the shown one. */
static gboolean
pick_cell (const LsNetwork *n, gint side, gint label, gint predicted, LsNetworkState *state)
{
  const LsEvaluation *evaluation = n->evaluations[side];

  if (evaluation != NULL)
    {
      for (gint64 i = 1; i <= (gint64) evaluation->n; i++)
        {
          const gint64 at = ((state->own == LS_OWN_TEST ? state->test : -1) + i) % (gint64) evaluation->n;
          if (evaluation->labels[at] == label && evaluation->predicted[at] == predicted)
            return show_test (n, state, at);
        }
      return FALSE;
    }
  for (gint64 i = 1; i <= n->batch; i++)
    {
      const gint64 sample = (n->sample + i) % n->batch;
      if (ls_network_label (n, sample) == label && ls_network_predicted (n, n->side, sample) == predicted)
        return show_batch (state, sample);
    }
  return FALSE;
}

static gboolean
point_nearest (const LsNetwork *n, double x, double y, LsNetworkState *state)
{
  const LsArea *area = &n->sample_area;
  const double most = ls_network_reach (n), r = area->w / 2;
  double nearest = HUGE_VAL;

  for (gint64 i = 0; i < n->batch; i++)
    {
      const float *at = ls_network_input (n, i);
      const double d = hypot (area->x + r + (double) at[0] / most * r - x,
                              area->y + r - (double) at[1] / most * r - y);
      if (d < nearest)
        {
          nearest = d;
          show_batch (state, i);
        }
    }
  return nearest < HUGE_VAL;
}

static gboolean
point_mistake (const LsNetwork *n, double x, double y, LsNetworkState *state)
{
  guint at;

  if (!ls_area_has (n->wrong_area, x, y) || x >= n->wrong_area.x + n->thumb_w * n->thumb_cols)
    return FALSE;
  at = (guint) ((y - n->wrong_area.y) / n->thumb_h) * n->thumb_cols
       + (guint) ((x - n->wrong_area.x) / n->thumb_w);
  if (at >= n->n_thumbs)
    return FALSE;
  if (n->thumbs_of_test && tests (n) <= 0)
    return show_kept (n, (gint) at, state);
  return n->thumbs_of_test ? show_test (n, state, ls_network_evaluation (n)->worst[at].sample)
                           : show_batch (state, g_array_index (n->wrong, gint64, at));
}

static gboolean
point_sample (const LsNetwork *n, double x, double y, LsNetworkState *state)
{
  if (ls_area_has (n->back, x, y) || ls_area_has (n->on, x, y))
    return step_sample (n, ls_area_has (n->on, x, y) ? 1 : -1, state);
  if (ls_area_has (n->strip, x, y))
    {
      const gint64 at = n->strip_first + (gint64) ((y - n->strip.y) / n->strip_cell) * n->strip_cols
                        + (gint64) ((x - n->strip.x) / n->strip_cell);
      return at < n->batch && show_batch (state, at);
    }
  if (n->plane && ls_area_has (n->sample_area, x, y))
    return point_nearest (n, x, y, state);
  for (gint side = 0; side < LS_SIDES; side++)
    if (ls_area_has (n->matrix_area[side], x, y))
      return pick_cell (n, side, (gint) ((y - n->matrix_area[side].y) / n->matrix_cell[side]),
                        (gint) ((x - n->matrix_area[side].x) / n->matrix_cell[side]), state);
  return point_mistake (n, x, y, state);
}

/* The pad listens to keys, or no longer; what was drawn before is shown again. */
static LsAct
draw (const LsNetwork *n, LsQuery *query)
{
  LsNetworkState *state = query->state;

  if (!ls_network_has_pad (n))
    return LS_ACT_NONE;
  query->pen.keys = !query->pen.keys;
  if (query->pen.keys && ls_strokes_n (query->pen.strokes) > 0)
    state->own = LS_OWN_DRAWN;
  return LS_ACT_CHANGED;
}

static LsAct
point_button (const LsNetwork *n, double x, double y, LsQuery *query)
{
  LsNetworkState *state = query->state;

  for (guint i = 0; i < LS_NETWORK_N_PAGES; i++)
    if (ls_area_has (n->tabs[i], x, y))
      {
        state->page = i;
        return LS_ACT_CHANGED;
      }
  if (ls_area_has (n->to_batch, x, y))
    {
      query->pen.keys = FALSE;
      show_batch (state, state->sample);
      return LS_ACT_CHANGED;
    }
  return ls_area_has (n->draw, x, y)    ? draw (n, query)
         : ls_area_has (n->undo, x, y)  ? LS_ACT_UNDO
         : ls_area_has (n->clear, x, y) ? LS_ACT_CLEAR
         : ls_area_has (n->go_to, x, y) ? LS_ACT_ASK
                                        : LS_ACT_NONE;
}

static gboolean
point_unit (const LsNetwork *n, double x, double y, LsNetworkState *state)
{
  if (ls_area_has (n->picture_area, x, y))
    {
      const guint at = (guint) ((y - n->picture_area.y) / n->picture_h) * n->picture_cols
                       + (guint) ((x - n->picture_area.x) / n->picture_w);
      return at < n->n_pictures && pick (n, 1, n->pictures[at], state);
    }
  for (gint l = 1; l + 1 < (gint) n->n_layers; l++)
    if (ls_area_has (n->layers[l].area, x, y))
      {
        const LsNetworkLayer *layer = &n->layers[l];
        const gint64 unit = (gint64) ((y - layer->area.y) / layer->cell_h) * layer->across
                            + (gint64) ((x - layer->area.x) / layer->cell_w);
        return unit < layer->shown && pick (n, l, unit, state);
      }
  return FALSE;
}

LsAct
ls_network_point (const LsLayout *layout, double x, double y, LsQuery *query)
{
  const LsNetwork *n = layout->own;
  const LsAct act = n->side < 0 ? LS_ACT_NONE : point_button (n, x, y, query);

  if (n->side < 0 || act != LS_ACT_NONE)
    return act;
  return ls_network_time_point (n, x, y, query->state) || point_sample (n, x, y, query->state)
             || point_unit (n, x, y, query->state)
           ? LS_ACT_CHANGED
           : LS_ACT_NONE;
}

/* ---- keys ---- */

/* The next hidden layer that way, the unit at the same height of it. */
static gboolean
to_layer (const LsNetwork *n, gint by, LsNetworkState *state)
{
  const gint layer = n->layer + by;

  if (layer < 1 || layer + 1 >= (gint) n->n_layers)
    return FALSE;
  state->layer = layer;
  state->unit = (gint) (n->unit * n->layers[layer].units / MAX (n->layers[n->layer].units, 1));
  return TRUE;
}

/* Left and right within a row of cells, and on to the next layer; up and down by a row. */
static gboolean
step_unit (const LsNetwork *n, gint dx, gint dy, LsNetworkState *state)
{
  const LsNetworkLayer *layer = n->layer > 0 ? &n->layers[n->layer] : NULL;
  gint64 across, unit;

  if (layer == NULL)
    return FALSE;
  across = layer->area.w > 0 ? MAX (layer->across, 1) : 1;
  unit = n->unit + dx + dy * across;
  state->layer = n->layer;
  state->unit = n->unit;
  if (dx != 0 && (across == 1 || unit / across != n->unit / across || unit < 0 || unit >= layer->units))
    return to_layer (n, dx, state) || TRUE;
  if (unit >= 0 && unit < layer->units)
    state->unit = (gint) unit;
  return TRUE;
}

/* On the page of one unit arrows go to another one, though none is picked yet. */
static gboolean
has_arrows (const LsNetwork *n)
{
  return n->picked || n->asked->page == LS_NETWORK_UNIT;
}

static gboolean
change (const LsNetwork *n, LsViewKey key, LsNetworkState *state)
{
  switch (key)
    {
    case LS_KEY_LEFT:
    case LS_KEY_RIGHT:
      return ls_network_time_key (n, key == LS_KEY_LEFT ? -1 : 1, 0, state)
             || (has_arrows (n) && step_unit (n, key == LS_KEY_LEFT ? -1 : 1, 0, state));
    case LS_KEY_UP:
    case LS_KEY_DOWN:
      return ls_network_time_key (n, 0, key == LS_KEY_UP ? -1 : 1, state)
             || (has_arrows (n) && step_unit (n, 0, key == LS_KEY_UP ? -1 : 1, state));
    case LS_KEY_PICK:
      return n->layer > 0 && pick (n, n->layer, n->unit, state);
    case LS_KEY_LET_GO:
      state->layer = state->unit = -1;
      return n->picked;
    case LS_KEY_NEXT:
    case LS_KEY_PREVIOUS:
      return step_sample (n, key == LS_KEY_NEXT ? 1 : -1, state);
    case LS_KEY_NEXT_MISTAKE:
    case LS_KEY_PREVIOUS_MISTAKE:
      return step_mistake (n, key == LS_KEY_NEXT_MISTAKE ? 1 : -1, state);
    case LS_KEY_PAGE:
      state->page = (state->page + 1) % (n->chains->len > 0 ? LS_NETWORK_N_PAGES : LS_NETWORK_TIME);
      return TRUE;
    case LS_KEY_BATCH:
      return state->own != LS_OWN_BATCH && show_batch (state, state->sample);
    default:
      return FALSE;
    }
}

LsAct
ls_network_key (const LsLayout *layout, LsViewKey key, LsQuery *query)
{
  const LsNetwork *n = layout->own;

  if (n->side < 0)
    return LS_ACT_NONE;
  if (key == LS_KEY_DRAW)
    return draw (n, query);
  if (key == LS_KEY_TEST)
    return tests (n) > 0 ? LS_ACT_ASK : LS_ACT_NONE;
  return change (n, key, query->state) ? LS_ACT_CHANGED : LS_ACT_NONE;
}
