/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A panel's plot: dots with their middle halves, a double line for the law in the band of its uncertainty,
 * a thin one where none holds, the lanes' names with the last value at their ends.
 */
#include "config.h"
#include "ui/paint/scaling/scaling.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "ui/paint/parts/text.h"
#include "core/number.h"
#include "ui/paint/scene/spread.h"

#define SAMPLES 48   /* of a law's line */
#define DOT     3.2  /* in widths of a data line */
#define PITCH   2.35 /* of the lanes' labels below each other, in sizes: two lines each */

static const LsScalingDot *
dot_of (const LsScalingLane *lane, guint i)
{
  return &g_array_index (lane->dots, LsScalingDot, i);
}

static guint
n_lanes (const LsScalingPanel *panel)
{
  return panel->result->specs->len;
}

static const LsViewName *
name_of (const LsScalingPanel *panel, guint lane)
{
  return &g_array_index (panel->names, LsViewName, lane);
}

static double
labels_width (const LsScalingPanel *panel)
{
  const LsType bold = { panel->layout->m.label.px, 700 };
  LsScene *s = panel->layout->still;
  double width = panel->kind == LS_SCALING_THREADS ? ls_scene_width (s, panel->layout->m.label, _("ideal"))
                                                   : 0;

  for (guint lane = 0; lane < n_lanes (panel); lane++)
    if (panel->lanes[lane].dots->len > 0)
      {
        g_autofree char *value = ls_scaling_last (panel, &panel->lanes[lane]);
        width = MAX (width, MAX (ls_scene_width (s, bold, name_of (panel, lane)->brief),
                                 ls_scene_width (s, panel->layout->m.label, value)));
      }
  return width;
}

/* ---- a lane ---- */

static void
of_lane (const LsScalingPanel *panel, LsItem *item, guint lane)
{
  item->evidence = panel->evidence;
  for (guint side = 0; side < LS_SIDES; side++)
    if (panel->layout->data->sides[side].there
        && panel->layout->data->sides[side].ink == name_of (panel, lane)->ink)
      item->side = (guint8) side;
}

static LsItem *
begin (const LsScalingPanel *panel, guint lane, LsItemKind kind, double width)
{
  return ls_scene_path (panel->layout->still, kind, LS_INK_MARK, LS_INK_OF (name_of (panel, lane)->ink),
                        width);
}

static void
draw_law (const LsScalingPanel *panel, guint lane)
{
  const LsScalingLane *own = &panel->lanes[lane];
  const LsStyle *style = &panel->layout->style;
  LsScene *s = panel->layout->still;
  double from, last;
  LsItem *item;

  if (!own->fitted || !own->fit.law.holds)
    return;
  from = dot_of (own, own->fit.first)->x;
  last = dot_of (own, own->fit.first + own->fit.n - 1)->x;
  item = begin (panel, lane, LS_ITEM_AREA, 0);
  item->alpha = .16f;
  item->evidence = LS_EVIDENCE_DERIVED;
  for (guint i = 0; i <= 2 * SAMPLES + 1; i++)
    {
      const double share = (double) (i <= SAMPLES ? i : 2 * SAMPLES + 1 - i) / SAMPLES,
                   x = panel->x.log ? from * pow (last / from, share) : from + share * (last - from);
      double low, high;

      ls_scaling_law (panel, own, x, &low, &high);
      ls_scene_point (s, ls_axis_at (&panel->x, x), ls_axis_at (&panel->y, i <= SAMPLES ? high : low));
    }
  for (guint k = 0; k < 2; k++)
    {
      if (k == 0)
        begin (panel, lane, LS_ITEM_LINE, 2.2 * style->data)->evidence = LS_EVIDENCE_DERIVED;
      else
        ls_scene_path (s, LS_ITEM_LINE, LS_INK_VIEW, 0, .8 * style->data);
      for (guint i = 0; i <= SAMPLES; i++)
        {
          const double share = (double) i / SAMPLES,
                       x = panel->x.log ? from * pow (last / from, share) : from + share * (last - from);

          ls_scene_point (s, ls_axis_at (&panel->x, x),
                          ls_axis_at (&panel->y, ls_scaling_law (panel, own, x, NULL, NULL)));
        }
    }
}

/* Between dots that no law covers. */
static void
draw_thin (const LsScalingPanel *panel, const LsScalingLane *own, guint lane)
{
  const float alpha = own == &panel->others[lane] ? .45f : 1;

  for (guint i = 0; i + 1 < own->dots->len; i++)
    {
      const LsScalingDot *a = dot_of (own, i), *b = dot_of (own, i + 1);

      if (a->covered && b->covered)
        continue;
      LsItem *line = begin (panel, lane, LS_ITEM_LINE, panel->layout->style.hairline * 1.4);
      line->alpha = alpha;
      of_lane (panel, line, lane);
      ls_scene_point (panel->layout->still, ls_axis_at (&panel->x, a->x), ls_axis_at (&panel->y, a->value));
      ls_scene_point (panel->layout->still, ls_axis_at (&panel->x, b->x), ls_axis_at (&panel->y, b->value));
    }
}

static void
draw_dots (const LsScalingPanel *panel, const LsScalingLane *own, guint lane, double size)
{
  const LsStyle *style = &panel->layout->style;
  LsScene *s = panel->layout->still;

  for (guint i = 0; i < own->dots->len; i++)
    {
      const LsScalingDot *d = dot_of (own, i);
      const double x = ls_axis_at (&panel->x, d->x), low = ls_axis_at (&panel->y, d->low),
                   high = ls_axis_at (&panel->y, d->high);

      if (low - high < size)
        continue;
      of_lane (panel, begin (panel, lane, LS_ITEM_LINE, style->data), lane);
      ls_scene_point (s, x, low);
      ls_scene_point (s, x, high);
    }
  if (own->dots->len == 0)
    return;
  of_lane (panel,
           begin (panel, lane, panel->evidence == LS_EVIDENCE_MEASURED ? LS_ITEM_DOTS : LS_ITEM_RINGS, size),
           lane);
  for (guint i = 0; i < own->dots->len; i++)
    ls_scene_point (s, ls_axis_at (&panel->x, dot_of (own, i)->x),
                    ls_axis_at (&panel->y, dot_of (own, i)->value));
}

/* Where a lane failed: on the axis, one lane's beside the other's. */
static void
draw_dashes (const LsScalingPanel *panel)
{
  const double w = 2.5 * panel->layout->m.unit;

  for (guint lane = 0; lane < n_lanes (panel); lane++)
    for (guint i = 0; panel->lanes[lane].dots->len > 0 && i < panel->result->missing[lane]->len; i++)
      {
        const LsLabMissing *lacks = panel->result->missing[lane]->pdata[i];

        if (lacks->spot.x >= panel->x.low && lacks->spot.x <= panel->x.high)
          of_lane (panel,
                   ls_scene_mark (panel->layout->still, LS_ITEM_DASH,
                                  ls_axis_at (&panel->x, lacks->spot.x) - w / 2,
                                  panel->bottom - (1.5 + 1.5 * lane) * panel->layout->m.unit, w, 2,
                                  LS_INK_MARK, LS_INK_OF (name_of (panel, lane)->ink)),
                   lane);
      }
}

/* What stands right of the plot: a lane's name and last value, or the ideal's. */
typedef struct {
  double y;
  gint lane; /* −1: the ideal */
} Label;

static gint
compare_labels (gconstpointer a, gconstpointer b)
{
  return ls_compare_doubles (&((const Label *) a)->y, &((const Label *) b)->y);
}

static void
draw_label (const LsScalingPanel *panel, const Label *label, double y)
{
  const LsType type = panel->layout->m.label, bold = { type.px, 700 };
  const double x = panel->right + 2 * panel->layout->m.unit;
  LsScene *s = panel->layout->still;

  if (label->lane < 0)
    {
      ls_scene_text (s, x, y + type.px * .36, type, LS_INK_QUIET, LS_LEFT, _("ideal"));
      return;
    }
  const LsViewName *name = name_of (panel, (guint) label->lane);
  g_autofree char *value = ls_scaling_last (panel, &panel->lanes[label->lane]);
  ls_scene_text (s, x, y - type.px * .2, bold, LS_INK_LANE, LS_LEFT, name->brief)->value = LS_INK_OF (
    name->ink);
  ls_scene_text (s, x, y + type.px * .95, type, LS_INK_LANE, LS_LEFT, value)->value = LS_INK_OF (name->ink);
}

/* As many as have room, the lanes' first. */
static void
draw_labels (const LsScalingPanel *panel)
{
  const double pitch = PITCH * panel->layout->m.label.px;
  const guint most = (guint) MAX (1, (panel->bottom - panel->top) / pitch + .5);
  g_autoptr (GArray) labels = g_array_new (FALSE, FALSE, sizeof (Label));
  double y[LS_MAX_LANES + 1];

  for (guint lane = 0; lane < n_lanes (panel) && labels->len < most; lane++)
    {
      const LsScalingLane *own = &panel->lanes[lane];

      if (own->dots->len == 0)
        continue;
      const Label label = { ls_axis_at (&panel->y, dot_of (own, own->dots->len - 1)->value), (gint) lane };
      g_array_append_val (labels, label);
    }
  if (panel->kind == LS_SCALING_THREADS && labels->len < most)
    {
      const Label ideal = { ls_axis_at (&panel->y, panel->x.high), -1 };
      g_array_append_val (labels, ideal);
    }
  g_array_sort (labels, compare_labels);
  for (guint i = 0; i < labels->len; i++)
    y[i] = g_array_index (labels, Label, i).y;
  ls_spread (y, labels->len, pitch, panel->top + .3 * pitch, panel->bottom - .3 * pitch);
  for (guint i = 0; i < labels->len; i++)
    draw_label (panel, &g_array_index (labels, Label, i), y[i]);
}

void
ls_scaling_plot (LsScalingPanel *panel)
{
  const LsMetrics *m = &panel->layout->m;
  const double dot = DOT * panel->layout->style.data + 1;

  panel->left = panel->area.x;
  panel->right = panel->area.x + panel->area.w - labels_width (panel) - 2 * m->unit - dot / 2;
  panel->top = panel->area.y + m->tick.px * .5;
  panel->bottom = panel->area.y + panel->area.h - m->unit - m->tick.px * 1.3;
  ls_scaling_axes (panel);
  panel->left += ls_scaling_ticks_width (panel) + 1.5 * m->unit;
  if (panel->right - panel->left < 8 * m->tick.px || panel->bottom - panel->top < 3 * m->tick.px)
    {
      panel->right = panel->left;
      return;
    }
  ls_scaling_axes (panel);
  ls_scaling_draw_axes (panel);
  for (guint lane = 0; lane < n_lanes (panel); lane++)
    {
      draw_law (panel, lane);
      draw_thin (panel, &panel->lanes[lane], lane);
      if (panel->others[lane].dots != NULL)
        draw_thin (panel, &panel->others[lane], lane);
    }
  for (guint lane = n_lanes (panel); lane-- > 0;)
    {
      if (panel->others[lane].dots != NULL)
        draw_dots (panel, &panel->others[lane], lane, dot * .6);
      draw_dots (panel, &panel->lanes[lane], lane, dot);
    }
  draw_dashes (panel);
  draw_labels (panel);
}
