/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Network: one sample of the recorded step's batch on its way through the layers, in both lanes. What does it
 * compute, and does it come out the same?
 */
#include "config.h"
#include "ui/paint/network/network.h"

#include <math.h>
#include <glib/gi18n-lib.h>
#include <string.h>

#include "ui/paint/parts/coming.h"
#include "core/number.h"
#include "ui/paint/parts/text.h"
#include "ui/paint/views.h"

#define LEAST_GAP 36.0 /* px: less has no room for curves */

static void
free_own (gpointer data)
{
  ls_network_clear (data);
  g_free (data);
}

/* ---- places ---- */

/* Between a layer and the one before it, where that is drawn: curves, or nothing. */
static gboolean
has_curves (const LsNetwork *n, guint layer)
{
  return n->layers[layer].dense && n->layers[layer - 1].area.w > 0;
}

/* Leaves out layers from the middle until there is room for the rest; returns the room between two of
 * them. */
static double
fit_layers (LsNetwork *n, double w, double h)
{
  const double unit = n->layout->m.unit, fixed = 5 * unit, least = LEAST_GAP * unit / 4;
  const guint first = n->image_rows > 0 ? 1 : 0;
  guint hidden = n->n_layers - 1;

  for (guint l = first; l < hidden; l++)
    {
      ls_network_fit_layer (n, l, MAX (w * .42 / (hidden - first), 16 * unit), h);
      n->left_out += n->layers[l].area.w <= 0;
    }
  for (;;)
    {
      double taken = 0;
      guint curves = 0, last = 0, count = 0;

      for (guint l = first; l <= hidden; l++)
        {
          if (l < hidden && n->layers[l].area.w <= 0)
            continue;
          taken += l < hidden ? n->layers[l].area.w : 0;
          if (l > 0 && has_curves (n, l))
            curves++;
          else if (l > first)
            taken += fixed;
          count++;
          last = l < hidden && l > 1 ? l : last;
        }
      if (curves == 0 && taken <= w)
        return fixed;
      if (curves > 0 && w - taken >= least * curves)
        return MIN ((w - taken) / curves, 60 * unit * n->grow);
      if (last == 0 || count <= 2)
        {
          for (guint l = first; l < hidden; l++)
            {
              n->left_out += n->layers[l].area.w > 0;
              n->layers[l].area.w = 0;
            }
          return fixed;
        }
      n->layers[(last + 1) / 2 > 1 && n->layers[(last + 1) / 2].area.w > 0 ? (last + 1) / 2 : last].area.w
        = 0;
      n->left_out++;
    }
}

/* FALSE: not even without the differences. */
static gboolean
find_room (LsNetwork *n, LsArea area, double head)
{
  const double least = ls_network_captions_height (n) + 8 * n->layout->m.unit;

  n->low_room = area.h - head - ls_network_foot_height (n) < least;
  if (area.h - head - ls_network_foot_height (n) >= least)
    return TRUE;
  if (ls_text_wrapped (n->layout->still, area.x, area.y, area.w, n->layout->m.label, LS_INK_QUIET,
                       _("There is no room for the layers."), FALSE)
      < area.y + area.h)
    ls_text_wrapped (n->layout->still, area.x, area.y, area.w, n->layout->m.label, LS_INK_QUIET,
                     _("There is no room for the layers."), TRUE);
  n->side = -1;
  return FALSE;
}

/* The sample's place, or the pad's, where it has none beside the layers. */
static void
place_sample (LsNetwork *n, LsArea area, gboolean beside)
{
  const LsQuery *query = &n->layout->query;
  const double below = ls_network_captions_height (n);

  n->pad_instead = !beside && ls_network_has_pad (n) && (query->pen.keys || n->asked->own == LS_OWN_DRAWN);
  ls_network_sample (n, area);
  if (!n->pad_instead || n->sample_area.w <= 0)
    return;
  const double size = floor (MIN (n->sample_area.w, area.h - below));
  ls_network_pad (n, (LsArea){ n->sample_area.x, n->sample_area.y, size, size }, FALSE);
}

static void
place (LsNetwork *n, LsArea area)
{
  const LsMetrics *m = &n->layout->m;
  const guint page = n->asked->page;
  const gboolean small = m->size == LS_SIZE_SMALL, large = m->size == LS_SIZE_LARGE;
  n->grow = m->projector ? 1 : CLAMP (MIN (area.w / 1888, area.h / 680), 1, 2);
  const double unit = m->unit, wide = unit * n->grow, head = m->heading.px * 1.8, right = area.x + area.w;
  const double side_w = m->projector || small
                            || (n->matrix == NULL && n->evaluations[0] == NULL && n->evaluations[1] == NULL
                                && !n->plane)
                          ? 0
                        : large ? 74 * wide
                                : 54 * unit;
  const double flow = side_w > 0 ? area.w - side_w - m->gutter : area.w;
  if (!find_room (n, area, head))
    return;
  const double foot = page == LS_NETWORK_WALK ? ls_network_foot_height (n) : 0;
  const double sample_w = n->plane ? MIN (flow * .27, area.h - foot - head - 16 * unit)
                                   : (large   ? 49 * n->grow
                                      : small ? 35
                                              : 42)
                                       * unit;
  const double said_w = (m->projector ? 62
                         : large      ? 66 * n->grow
                         : small      ? 44
                                      : 50)
                          * unit
                        + (n->class_names != NULL ? 10 * unit : 0);
  const guint first = n->image_rows > 0 ? 1 : 0;
  double x, room, gap, h;

  n->top = area.y + head;
  h = area.h - head - foot - 2 * unit;
  n->bottom = n->top + h;
  place_sample (n, (LsArea){ area.x, n->top, sample_w, h }, side_w > 0 && page == LS_NETWORK_WALK);
  if (page != LS_NETWORK_WALK)
    {
      const LsArea rest = { area.x + sample_w + 6 * unit, n->top, area.w - sample_w - 6 * unit, h };
      n->picture_area.w = 0;
      if (page == LS_NETWORK_TEST)
        ls_network_test (n, rest);
      else if (page == LS_NETWORK_TIME)
        ls_network_time_page (n, rest);
      else
        ls_network_unit (n, rest);
      return;
    }
  x = area.x + sample_w + 6 * unit;
  room = area.x + flow - said_w - x - 2 * unit;
  if (first == 1)
    ls_network_fit_pictures (n, n->n_layers > 2 ? room * (n->n_layers > 4 ? .34 : .46) : room * .7, h);
  n->picture_area = (LsArea){ x, n->top, n->picture_area.w, h };
  if (n->picture_area.w > 0)
    {
      x += n->picture_area.w + 5 * unit;
      room -= n->picture_area.w + 5 * unit;
    }
  gap = fit_layers (n, room, h);
  for (guint l = first; l + 1 < n->n_layers; l++)
    {
      LsNetworkLayer *layer = &n->layers[l];
      if (layer->area.w <= 0)
        continue;
      if (l > 0 && has_curves (n, l))
        x += gap;
      else if (l > first)
        x += 5 * unit;
      layer->area.x = floor (x);
      layer->area.y = floor (n->top
                             + MAX (0, h - layer->area.h) / 2 * (layer->rows * layer->cols > 1 ? 0 : 1));
      x += layer->area.w;
    }
  x += has_curves (n, n->n_layers - 1) ? gap : 5 * unit;
  ls_network_prediction (n, (LsArea){ x, n->top, MIN (said_w, area.x + flow - x), h });
  if (side_w > 0)
    ls_network_side (n, (LsArea){ right - side_w, n->top, side_w, area.h - head });
  ls_network_find_edges (n);
  ls_network_draw_edges (n);
  ls_network_pictures (n);
  for (guint l = first; l + 1 < n->n_layers; l++)
    ls_network_layer (n, l);
  ls_network_foot (n, (LsArea){ area.x, n->bottom + 2 * unit, flow, foot });
}

static void
layout_network (LsLayout *layout)
{
  const LsMetrics *m = &layout->m;
  LsNetwork *n = g_new0 (LsNetwork, 1);
  LsArea area;
  double h;
  gboolean there;

  layout->own = n;
  layout->free_own = free_own;
  there = ls_network_init (n, layout);
  for (guint side = 0; side < LS_SIDES; side++)
    if (layout->data->sides[side].index != NULL)
      layout->span_ns = MAX (layout->span_ns, layout->data->sides[side].index->length_ns);
  area = ls_stage_strip (layout, ls_stage_begin (layout), FALSE);
  ls_area_below (&area, 2 * m->unit);
  h = ls_stage_heads (layout, area) + 2 * m->unit;
  area.y += h;
  area.h -= h + m->unit;
  h = ls_stage_disagreement (layout, area);
  area = (LsArea){ area.x + m->margin, area.y + h, area.w - 2 * m->margin, area.h - h };
  if (!there && layout->data->recording == NULL)
    ls_coming_lists (layout, (LsArea){ area.x - m->margin, area.y, area.w + 2 * m->margin, area.h });
  else if (!there || n->n_layers < 2)
    {
      n->side = -1;
      ls_text_wrapped (layout->still, area.x, area.y + 4 * m->unit, area.w, m->heading, LS_INK_TEXT,
                       _("This step was recorded without the layers’ values: record it anew to see them."),
                       TRUE);
    }
  else
    {
      ls_area_below (&area, ls_network_tabs (n, area));
      place (n, area);
    }
}

/* ---- what moves: the frames of what is picked ---- */

static void
move_network (LsLayout *layout)
{
  const LsNetwork *n = layout->own;
  LsArea area;

  if (n->side < 0)
    return;
  ls_network_pad_move (n);
  if (n->time != NULL)
    ls_network_time_move (n);
  if (n->layer < 0 || n->asked->page != LS_NETWORK_WALK)
    return;
  /* which one is the most active isn't known before */
  if (!n->picked && layout->query.time_ns < n->layers[n->layer].end_ns)
    return;
  if (ls_network_unit_area (n, n->layer, n->unit, &area))
    ls_scene_mark (layout->moving, LS_ITEM_FRAME, area.x, area.y, area.w, area.h, LS_INK_TEXT, 0);
  for (guint i = 0; n->layer == 1 && n->picture_area.w > 0 && i < n->n_pictures; i++)
    if (n->pictures[i] == n->unit)
      ls_scene_mark (layout->moving, LS_ITEM_FRAME, n->picture_area.x + n->picture_w * (i % n->picture_cols),
                     n->picture_area.y + n->picture_h * (i / n->picture_cols), n->picture_w - 3,
                     n->picture_h - 3, LS_INK_TEXT, 0);
}

/* ---- asked from outside ---- */

/* "CPU says 7 with 93 %, OpenCL says 7 with 93 %." of what was drawn or asked for. */
static void
describe_lanes (const LsNetwork *n, GString *text)
{
  const LsQuery *query = &n->layout->query;

  for (gint side = 0; n->own && side < LS_SIDES; side++)
    if (n->answers[side] != NULL)
      {
        const gint predicted = ls_network_largest (n->answers[side]->probs, n->n_classes);
        g_autofree char *class = ls_network_class (n, predicted);
        g_string_append_printf (text, _(" %s says %s with %.0f %%."), n->layout->data->sides[side].name,
                                class, 100 * (double) n->answers[side]->probs[predicted]);
      }
  if (query->pen.keys)
    g_string_append_printf (text,
                            query->pen.down
                              ? _(" The pen is down, %.0f %% from the left and %.0f %% from the top.")
                              : _(" The pen is up, %.0f %% from the left and %.0f %% from the top."),
                            100 * query->pen.x, 100 * query->pen.y);
}

static void
describe_network (const LsLayout *layout, GString *text)
{
  const LsNetwork *n = layout->own;

  if (n->side < 0)
    return;
  if (n->own && n->answers[n->side]->question->what == LS_ASKED_DRAWN)
    g_string_append (text, _(" What you have drawn"));
  else if (n->kept >= 0)
    {
      const LsEvaluation *evaluation = ls_network_evaluation (n);
      const guint32 sample = evaluation->worst[n->kept].sample;
      g_autofree char *label = ls_network_class (n, evaluation->labels[sample]),
                      *said = ls_network_class (n, evaluation->predicted[sample]);
      g_string_append_printf (text,
                              _(" Test sample %lld, labelled %s, said to be %s: one of the worst mistakes."),
                              (long long) sample, label, said);
      return;
    }
  else if (n->own)
    g_string_append_printf (text, _(" Test sample %lld"), (long long) n->answers[n->side]->question->number);
  else
    g_string_append_printf (text, _(" Sample %lld of %lld"), (long long) n->sample + 1,
                            (long long) n->batch);
  g_autofree char *label = ls_network_class (n, n->label), *said = ls_network_class (n, n->predicted);
  if (n->label >= 0)
    g_string_append_printf (text, _(", labelled %s"), label);
  if (n->predicted >= 0)
    g_string_append_printf (text, _(", said to be %s"), said);
  g_string_append_c (text, '.');
  describe_lanes (n, text);
  if (n->evaluations[n->side] != NULL)
    g_string_append_printf (text, _(" Of the test set’s %u samples %u are right, after step %llu."),
                            n->evaluations[n->side]->n, n->evaluations[n->side]->n_right,
                            (unsigned long long) n->evaluations[n->side]->steps);
  else if (n->matrix != NULL)
    g_string_append_printf (text, _(" Of this batch %u are right, %u wrong."), n->n_right, n->wrong->len);
  ls_network_plane_describe (n, text);
  ls_network_time_describe (n, text);
  if (n->layer > 0)
    {
      g_autofree char *value = ls_number_text (ls_network_unit_value (n, &n->layers[n->layer], n->unit), 3);
      g_string_append_printf (text, _(" Unit %d of %s gives %s."), n->unit,
                              n->layers[n->layer].shape->symbol, value);
    }
}

static void
drawn_network (LsQuery *query)
{
  LsNetworkState *state = query->state;

  state->own = ls_strokes_n (query->pen.strokes) > 0 ? LS_OWN_DRAWN : LS_OWN_BATCH;
}

static char *
ask_test (const LsLayout *layout, const LsQuery *query, char **now)
{
  *now = g_strdup_printf ("%lld", (long long) ((const LsNetworkState *) query->state)->test);
  return g_strdup_printf (_("Test sample, 0 to %lld"), (long long) layout->data->tests - 1);
}

static gboolean
typed_test (const LsLayout *layout, LsQuery *query, const char *text)
{
  LsNetworkState *state = query->state;
  guint64 number;

  if (!g_ascii_string_to_unsigned (text, 10, 0, (guint64) MAX (layout->data->tests - 1, 0), &number, NULL))
    return FALSE;
  state->own = LS_OWN_TEST;
  state->test = (gint64) number;
  return TRUE;
}

/* What the lanes make of the sample that is shown, if it isn't the batch's; else, of points, what they make
 * of the plane. */
static void
wish_network (const LsViewData *data, const LsQuery *query, LsWish *wish)
{
  const LsNetworkState *state = query->state;
  const gboolean drawn = state->own == LS_OWN_DRAWN && query->pen.strokes != NULL
                         && ls_strokes_n (query->pen.strokes) > 0;

  wish->answer.wanted = data->tests > 0 && (drawn || state->own == LS_OWN_TEST || data->sample_size == 2);
  wish->answer.what = drawn ? LS_ASKED_DRAWN : state->own == LS_OWN_TEST ? LS_ASKED_TEST : LS_ASKED_GRID;
  wish->answer.number = state->test;
  wish->answer.strokes = query->pen.strokes;
}

static char *
read_page (const LsViewData *data, const char *text, gpointer state)
{
  static const char *const pages[LS_NETWORK_N_PAGES] = { "layers", "test", "unit", "time" };
  LsNetworkState *asked = state;

  for (guint i = 0; i < G_N_ELEMENTS (pages); i++)
    if (strcmp (pages[i], text) == 0)
      {
        asked->page = i;
        return NULL;
      }
  return g_strdup (_("layers, test, unit or time"));
}

static char *
read_sample (const LsViewData *data, const char *text, gpointer state)
{
  const guint batch = data->recording != NULL ? data->recording->batch : 0;
  LsNetworkState *asked = state;
  guint64 sample;

  if (batch == 0 || !g_ascii_string_to_unsigned (text, 10, 0, batch - 1, &sample, NULL))
    return g_strdup_printf (_("a whole number from 0 to %u"), MAX (batch, 1) - 1);
  asked->sample = (gint) sample;
  return NULL;
}

static const LsNetworkState first = LS_NETWORK_STATE_INIT;

static const LsViewOption options[] = {
  { "page", N_("PAGE"),
    N_(
      "What Network shows: layers, test, the test set’s confusion and mistakes, unit, one of them, or time, "
      "the time steps of a layer that reads a sequence; default layers"),
    read_page },
  { "sample", N_("N"), N_("The sample of the batch that Network shows, from 0; default 0"), read_sample },
  { NULL },
};

const LsView ls_view_network = {
  .name = "network",
  .head_tells = TRUE,
  .title = N_("Network"),
  .question = N_("What does the network compute of a sample, and is it the same in both lanes?"),
  .needs_step = TRUE,
  .state_size = sizeof first,
  .state_init = &first,
  .options = options,
  .point = ls_network_point,
  .key = ls_network_key,
  .drawn = drawn_network,
  .asks = ask_test,
  .typed = typed_test,
  .wish = wish_network,
  .layout = layout_network,
  .move = move_network,
  .describe = describe_network,
};
