/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * LsLayout: one view's picture of one moment's data at one size; what it has in common for all views.
 */
#include "config.h"
#include "ui/paint/parts/coming.h"
#include "core/number.h"
#include "ui/paint/parts/pace.h"
#include "ui/paint/parts/rates.h"
#include "ui/paint/parts/view.h"

#include <math.h>
#include <string.h>
#include <glib/gi18n-lib.h>

gpointer
ls_view_state_new (const LsView *view)
{
  return view->state_size > 0 ? g_memdup2 (view->state_init, view->state_size) : NULL;
}

/* What was asked of a run that had more ops is asked of this one's last. */
static void
take_query (LsLayout *layout, const LsQuery *query)
{
  const LsRecording *recording = layout->data->recording;
  gpointer state = layout->query.state;

  if (query->state != NULL && state != NULL)
    memmove (state, query->state, layout->view->state_size);
  layout->query = *query;
  layout->query.state = state;
  if (recording != NULL && recording->n_ops > 0)
    layout->query.op = MIN (query->op, recording->n_ops - 1);
}

LsLayout *
ls_layout_new (const LsView *view, LsViewData *data, const LsQuery *query, double width, double height,
               const LsStyle *style, LsFonts *fonts)
{
  LsLayout *layout = g_new0 (LsLayout, 1);

  layout->view = view;
  layout->data = ls_view_data_ref (data);
  layout->query.state = ls_view_state_new (view);
  take_query (layout, query);
  layout->style = *style;
  for (guint side = 0; side < LS_SIDES; side++)
    layout->style.stands[side] = data->sides[side].there ? (guint8) data->sides[side].ink : (guint8) side;
  layout->style.text_scale = ls_metrics_text_scale (style, width, height);
  layout->fonts = ls_fonts_ref (fonts);
  layout->width = width;
  layout->height = height;
  layout->slots = g_array_new (FALSE, FALSE, sizeof (LsSlot));
  layout->plots = g_array_new (FALSE, FALSE, sizeof (LsPlot));
  layout->still = ls_scene_new (fonts, &layout->style);
  layout->moving = ls_scene_new (fonts, &layout->style);
  ls_metrics_init (&layout->m, &layout->style, width, height);
  for (guint side = 0; side < LS_SIDES; side++)
    layout->shown[side] = &data->sides[side];
  view->layout (layout);
  ls_layout_move (layout, query);
  return layout;
}

void
ls_layout_free (LsLayout *layout)
{
  if (layout == NULL)
    return;
  if (layout->own != NULL)
    layout->free_own (layout->own);
  g_free (layout->query.state);
  ls_scene_free (layout->still);
  ls_scene_free (layout->moving);
  g_array_unref (layout->slots);
  g_array_unref (layout->plots);
  g_free (layout->heading);
  g_free (layout->subheading);
  ls_fonts_unref (layout->fonts);
  ls_view_data_unref (layout->data);
  g_free (layout);
}

void
ls_layout_move (LsLayout *layout, const LsQuery *query)
{
  take_query (layout, query);
  /* what would blink is shown as it ends */
  if (ls_pace_finished (layout->span_ns, ls_query_pace (query)))
    layout->query.time_ns = LS_TIME_END;
  ls_scene_clear (layout->moving);
  if (layout->view->move != NULL)
    layout->view->move (layout);
  ls_chart_move (layout);
}

LsMoment
ls_layout_moment (const LsLayout *layout)
{
  return (LsMoment){ .time_ns = layout->query.time_ns,
                     .worker = layout->query.worker,
                     .evidence = layout->query.evidence };
}

void
ls_layout_paint_background (const LsLayout *layout, cairo_t *cr)
{
  const LsColor window = layout->style.palette->window;

  cairo_set_source_rgb (cr, window.r, window.g, window.b);
  cairo_rectangle (cr, 0, 0, ceil (layout->width), ceil (layout->height)); /* to whole pixels: nothing may
                                                                              shine through */
  cairo_fill (cr);
}

void
ls_layout_paint_still (const LsLayout *layout, cairo_t *cr)
{
  const LsMoment moment = ls_layout_moment (layout);

  ls_layout_paint_background (layout, cr);
  ls_paint_scene (layout->still, cr, &moment);
}

void
ls_layout_paint_moving (const LsLayout *layout, cairo_t *cr)
{
  const LsMoment moment = ls_layout_moment (layout);

  ls_paint_scene (layout->moving, cr, &moment);
}

gint64
ls_layout_event_before (const LsLayout *layout, gint64 time_ns)
{
  gint64 last = -1;

  for (guint i = 0; i < layout->still->items->len; i++)
    {
      const LsItem *item = ls_scene_get (layout->still, i);
      if (item->event == LS_NO_EVENT || item->t1 <= item->t0)
        continue;
      if (item->t0 <= time_ns)
        last = MAX (last, item->t0);
      if (item->t1 <= time_ns)
        last = MAX (last, item->t1);
    }
  return last >= 0 ? last : time_ns;
}

static LsPick
pick_of (const LsItem *item)
{
  return item != NULL ? (LsPick){ item->side, item->event } : LS_PICK_NONE;
}

LsPick
ls_layout_pick (const LsLayout *layout, double x, double y)
{
  return pick_of (ls_scene_pick (layout->still, x, y));
}

LsPick
ls_layout_neighbour (const LsLayout *layout, LsPick from, int dx, int dy)
{
  const LsItem *start = NULL, *best = NULL;
  double nearest = HUGE_VAL;

  for (guint i = 0; start == NULL && i < layout->still->items->len; i++)
    {
      const LsItem *item = ls_scene_get (layout->still, i);
      if (item->event != LS_NO_EVENT
          && (from.side < 0 || (item->event == from.event && item->side == from.side)))
        start = item;
    }
  if (start == NULL || from.side < 0)
    return pick_of (start);
  for (guint i = 0; i < layout->still->items->len; i++)
    {
      const LsItem *item = ls_scene_get (layout->still, i);
      const double x = (double) (item->x + item->w / 2 - start->x - start->w / 2);
      const double y = (double) (item->y + item->h / 2 - start->y - start->h / 2);
      const double along = x * dx + y * dy, across = fabs (x * dy) + fabs (y * dx);

      if (item->event == LS_NO_EVENT || along < 1 || along + 4 * across >= nearest)
        continue;
      nearest = along + 4 * across;
      best = item;
    }
  return pick_of (best != NULL ? best : start);
}

const LsEvent *
ls_layout_event (const LsLayout *layout, LsPick pick)
{
  const LsRecordedLane *lane;

  if (pick.side < 0 || pick.side >= LS_SIDES)
    return NULL;
  lane = (layout->shown[pick.side] != NULL ? layout->shown[pick.side] : &layout->data->sides[pick.side])
           ->recorded;
  return lane != NULL && pick.event < lane->events->len ? &g_array_index (lane->events, LsEvent, pick.event)
                                                        : NULL;
}

void
ls_layout_dump (const LsLayout *layout, FILE *stream)
{
  fprintf (stream, "%s %gx%g %s\n", layout->view->name, layout->width, layout->height,
           ls_look_name (layout->style.look));
  ls_scene_dump (layout->still, stream);
  fputs ("moving\n", stream);
  ls_scene_dump (layout->moving, stream);
}

/* "CPU, Xeon, 8 cores: 29.9 k samples per second, median of 200, ±1 %; loss 0.118." */
static void
describe_lane (const LsLayout *layout, guint side, GString *text)
{
  const LsViewLane *lane = &layout->data->sides[side];
  g_autofree char *rate = ls_number_scaled (lane->rate.value), *loss = ls_number_text (lane->loss.value, 3);
  g_autofree char *condition = ls_rate_condition (lane, LS_RATE_WHOLE),
                  *lacking = ls_rate_lacking (layout, lane);
  g_autofree char *caption = ls_loss_caption (layout->data, side);
  g_autofree char *name = lane->device[0] ? g_strdup_printf ("%s, %s", lane->name, lane->device)
                                          : g_strdup (lane->name);

  if (!lane->there)
    g_string_append_printf (text, " %s", lane->message);
  else if (ls_lane_coming (lane))
    g_string_append_printf (text, " %s: %s", name, lane->message);
  else if (lane->loss.n == 0)
    g_string_append_printf (text, _(" %s: no step yet."), name);
  else if (lacking != NULL)
    g_string_append_printf (text, _(" %s: %s; %s %s."), name, lacking, caption, loss);
  else
    g_string_append_printf (text, _(" %s: %s samples per second, %s; %s %s."), name, rate, condition,
                            caption, loss);
  if (lane->there && lane->stopped_at > 0 && lane->message != NULL)
    g_string_append_printf (text, " %s", lane->message);
  if (lane->change.words != NULL)
    g_string_append_printf (text, " %s.", lane->change.words);
  if (lane->notice != NULL)
    g_string_append_printf (text, " %s", lane->notice);
}

/* Who is faster, and whether they agree. */
static void
describe_both (const LsLayout *layout, GString *text)
{
  const LsViewData *data = layout->data;
  g_autofree char *verdict = ls_rates_verdict (data, TRUE), *agreement = ls_agreement_text (data);
  g_autofree char *unfair = ls_fairness_titles (data->fairness);
  const gboolean apart = data->sides[0].stopped_at > 0 || data->sides[1].stopped_at > 0;

  if (verdict != NULL)
    g_string_append_printf (text, " %s%s", verdict, agreement != NULL && !apart ? ";" : ".");
  if (agreement != NULL && !apart)
    g_string_append_printf (text, " %s.", agreement);
  if (verdict != NULL && unfair != NULL)
    g_string_append_printf (text, _(" Unfair: %s."), unfair);
}

char *
ls_layout_describe (const LsLayout *layout)
{
  GString *text = g_string_new (NULL);
  const LsPick pick = layout->query.picked.side >= 0 ? layout->query.picked : layout->query.hover;

  g_string_append_printf (text, "%s. %s. %s.", gettext (layout->view->title), layout->data->title,
                          layout->data->when);
  for (guint side = 0; side < LS_SIDES; side++)
    describe_lane (layout, side, text);
  describe_both (layout, text);
  if (layout->view->describe != NULL)
    layout->view->describe (layout, text);
  if (pick.side >= 0)
    {
      g_autofree char *words = ls_pick_words (layout, pick);
      g_string_append_printf (text, " %s", words);
    }
  return g_string_free (text, FALSE);
}
