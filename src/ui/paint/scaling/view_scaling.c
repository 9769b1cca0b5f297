/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Scaling: how both lanes grow with threads, work in flight, batch, sizes and tiles, as the laboratory
 * measured it, each panel with its law. How far does parallel go?
 */
#include "config.h"
#include "ui/paint/scaling/scaling.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "ui/paint/parts/text.h"
#include "core/number.h"
#include "ui/paint/views.h"

#define CELL_W   21. /* of a panel, at least, in sizes of a label */
#define CELL_H   15.5
#define MOST_W   4 /* panels beside each other */
#define MOST_H   3
#define BUTTON_W 10. /* in sizes of a body */
#define LAW_WIDE .42 /* of the first panel's room, for its law, where it has two columns */

static void
scaling_free (gpointer data)
{
  LsScaling *own = data;

  for (guint i = 0; i < LS_SCALING_N; i++)
    ls_scaling_panel_clear (&own->panels[i]);
  g_free (own);
}

/* ---- a panel in its cell ---- */

/* "measured on …, 3 weeks ago", or what the values are; returns the title's height. */
static double
title (const LsScalingPanel *panel, LsArea area)
{
  const LsMetrics *m = &panel->layout->m;
  LsScene *s = panel->layout->still;
  const double base = area.y + m->heading.px, right = area.x + area.w;
  g_autofree char *words = ls_scaling_subtitle (panel), *age = ls_scaling_age (panel, FALSE);
  double x = area.x;

  if (ls_scaling_has_dots (panel))
    {
      ls_scene_evidence (s, x, base - m->heading.px * .36 - m->evidence / 2, m->evidence, panel->evidence,
                         LS_INK_TEXT);
      x += m->evidence + 6;
    }
  x = ls_text_heading (s, m, (LsArea){ x, area.y, right - x, 0 }, base, ls_scaling_title (panel->kind),
                       ls_scaling_has_dots (panel) ? words : NULL);
  /* an empty panel says it itself */
  if (age == NULL || !ls_scaling_has_dots (panel))
    return m->heading.px * 1.5;
  g_autofree char *brief = ls_scaling_age_brief (panel);
  ls_text_fit (s, area.x, base + m->label.px * LS_TEXT_PITCH, area.w, m->label, LS_INK_TEXT, LS_LEFT,
               (const char *const[]){ age, brief, NULL });
  return m->heading.px * 1.5 + m->label.px * LS_TEXT_PITCH;
}

/* What lanes lack, each in a line as far as it goes; returns the height. draw: FALSE: that alone. */
static double
lacks (const LsScalingPanel *panel, LsArea area, double y, gboolean draw)
{
  const LsMetrics *m = &panel->layout->m;
  const double line = m->label.px * LS_TEXT_PITCH;
  double height = 0;

  for (guint lane = 0; lane < panel->result->specs->len; lane++)
    {
      g_autofree char *text = ls_scaling_lacks (panel, lane);
      g_auto (GStrv) lines = text != NULL ? ls_text_lines (panel->layout->still, m->label, area.w, text)
                                          : NULL;

      for (guint i = 0; lines != NULL && lines[i] != NULL && i < 2; i++, height += line)
        if (draw && ls_scene_width (panel->layout->still, m->label, lines[i]) <= area.w)
          ls_scene_text (panel->layout->still, area.x, y + height, m->label, LS_INK_QUIET, LS_LEFT, lines[i]);
    }
  return height;
}

/* The law beside the plot, and below it what doesn't shrink. */
static void
beside (const LsScalingPanel *panel, LsArea area)
{
  const LsMetrics *m = &panel->layout->m;
  const LsViewData *data = panel->layout->data;
  const double y = ls_scaling_tell (panel, area, area.y + m->heading.px) + 3 * m->unit;

  for (guint side = 0; side < LS_SIDES; side++)
    if (ls_lane_has_workers (&data->sides[side])
        && ls_scaling_shrink_bar (panel->layout, &data->sides[side],
                                  (LsArea){ area.x, y, area.w, area.y + area.h - y })
             > 0)
      return;
}

static void
draw_panel (LsScalingPanel *panel, LsArea cell, gboolean wide)
{
  const LsMetrics *m = &panel->layout->m;
  const double line = m->label.px * LS_TEXT_PITCH;
  LsArea area = cell;
  double foot;

  if (wide)
    {
      const double w = area.w * LAW_WIDE;
      area.w -= w + m->gutter;
      if (ls_scaling_has_dots (panel))
        beside (panel, (LsArea){ area.x + area.w + m->gutter, cell.y, w, cell.h });
      else
        area.w = cell.w;
    }
  ls_area_below (&area, title (panel, area));
  if (!ls_scaling_has_dots (panel))
    {
      ls_scaling_empty (panel, area);
      return;
    }
  foot = m->tick.px * 1.4 + (wide ? 0 : ls_scaling_lines (panel)) * line + lacks (panel, area, 0, FALSE);
  panel->area = (LsArea){ area.x, area.y, area.w, area.h - foot };
  ls_scaling_plot (panel);
  if (panel->right <= panel->left)
    return;
  g_autofree char *axis = ls_scaling_axis (panel);
  double y = area.y + area.h - foot + m->tick.px * 1.1;
  const double w = ls_scene_width (panel->layout->still, m->tick, axis);
  if (w <= area.w)
    ls_scene_text (panel->layout->still, MAX (panel->right, area.x + w), y, m->tick, LS_INK_QUIET, LS_RIGHT,
                   axis);
  y += line;
  if (!wide)
    y = ls_scaling_tell (panel, area, y) + line;
  lacks (panel, area, y, TRUE);
}

/* ---- where they stand ---- */

/* "9 points left, about 40 s"; NULL: nothing is measured. */
static char *
left_text (const LsViewLab *now)
{
  const guint n = now->n - MIN (now->done, now->n);
  const double s = MAX (1, ceil (now->seconds_left));
  g_autofree char *time = s < 100 ? g_strdup_printf (_("%.0f s"), s)
                                  : g_strdup_printf (_("%.0f min"), s / 60);

  if (now->experiment == NULL || n == 0)
    return NULL;
  return g_strdup_printf (
    g_dngettext (GETTEXT_PACKAGE, "%u point left, about %s", "%u points left, about %s", n), n, time);
}

/* Of the first panel that is old, where no panel says it itself; NULL: none is. */
static char *
common_age (const LsScaling *own)
{
  char *age = NULL;

  for (guint i = 0; i < LS_SCALING_N && age == NULL; i++)
    {
      g_autofree char *said = ls_scaling_age (&own->panels[i], FALSE);
      if (said == NULL)
        age = ls_scaling_age (&own->panels[i], TRUE);
    }
  return age;
}

/* A text at the right end of what is left of a line; returns what is left then. */
static double
put_right (LsScene *s, double left, double right, double base, LsType type, double gap, const char *text)
{
  if (text == NULL || right - ls_scene_width (s, type, text) < left)
    return right;
  return (double) ls_scene_text (s, right, base, type, LS_INK_TEXT, LS_RIGHT, text)->x - gap;
}

/* Condition of all dots, at the foot; which page of panels it is, and what is being measured, or when it
 * was. */
static void
foot (LsLayout *layout, LsArea area, const LsScaling *own)
{
  const LsMetrics *m = &layout->m;
  const LsScalingState *asked = ls_scaling_asked (&layout->query);
  const guint page = MIN (asked->page, own->n_pages - 1);
  const double base = area.y + area.h - m->label.px * .6, gap = 4 * m->unit;
  LsScene *s = layout->still;
  g_autofree char *number = g_strdup_printf (_("%u of %u"), page + 1, own->n_pages),
                  *keys = g_strdup_printf (_("%u of %u; v: further"), page + 1, own->n_pages),
                  *left = left_text (&layout->data->measuring), *age = left == NULL ? common_age (own) : NULL;
  double right = area.x + area.w;

  if (own->n_pages > 1 && asked->open < 0)
    right = put_right (s, area.x, right, base, m->label, gap, layout->query.chrome ? number : keys);
  right = put_right (s, area.x, right, base, m->strong, gap, left);
  right = put_right (s, area.x, right, base, m->label, gap, age);
  ls_text_fit (s, area.x, base, right - area.x, m->label, LS_INK_QUIET, LS_LEFT,
               (const char *const[]){
                 _("every dot: median, its bar the middle half; the lanes in turn; double lines: laws, over "
                    "the dots they touch"),
                 _("dots: medians, bars: middle halves; double lines: laws"),
                 _("dots: medians, bars: middle halves"), NULL });
}

/* What the button that measures says: what pressing it does. */
static const char *
button_words (const LsScaling *own, const LsViewData *data, const LsQuery *query)
{
  gboolean whole = TRUE;
  const LsExperiment *experiment;

  if (ls_view_lab_works (&data->measuring))
    return _("Stop");
  for (guint i = 0; (experiment = ls_scaling_measures (query, i)) != NULL; i++)
    {
      const LsLabResult *result = ls_view_data_lab (data, experiment);
      whole = whole && result != NULL && ls_lab_result_whole (result);
    }
  return whole ? _("Measure Again") : _("Measure");
}

/* The switch between time and rate, in its own line where the picture has switches. */
static double
switches (LsLayout *layout, LsArea area)
{
  const LsMetrics *m = &layout->m;
  const double wished = layout->query.switch_w,
               slot = wished > 0 ? MIN (wished, area.w) : MIN (60 * m->unit, area.w),
               button = BUTTON_W * m->body.px;

  if (layout->query.chrome || m->control_h <= 0)
    return 0;
  ls_stage_slot (layout, LS_SLOT_SWITCHES, -1, 0, area.x, area.y, slot, m->control_h);
  if (layout->data->live && slot + button < area.w)
    {
      ls_stage_slot (layout, LS_SLOT_LAB, -1, 0, area.x + area.w - button, area.y, button, m->control_h);
      g_array_index (layout->slots, LsSlot, layout->slots->len - 1).words = button_words (
        layout->own, layout->data, &layout->query);
    }
  return m->control_h + 2 * m->unit;
}

/* Which panels, in how many columns and rows; the first has two columns where that leaves none out. */
static void
place (LsLayout *layout, LsArea area, LsScaling *own)
{
  const LsMetrics *m = &layout->m;
  const LsScalingState *asked = ls_scaling_asked (&layout->query);
  const double across = m->gutter, down = 4 * m->unit;
  const guint cols = (guint) CLAMP ((area.w + across) / (CELL_W * m->label.px + across), 1, MOST_W),
              rows = (guint) CLAMP ((area.h + down) / (CELL_H * m->label.px + down), 1, MOST_H);
  const gboolean wide = cols * rows > LS_SCALING_N;
  const guint used = wide ? (LS_SCALING_N + cols) / cols : rows; /* rows that the panels fill */
  const double w = (area.w - (cols - 1) * across) / cols, h = (area.h - (used - 1) * down) / used;
  const guint room = cols * rows, page = MIN (asked->page, (LS_SCALING_N - 1) / room);
  guint at = 0;

  own->n_pages = (LS_SCALING_N + room - 1) / room;
  if (asked->open >= 0 && asked->open < LS_SCALING_N)
    {
      own->cells[asked->open] = area;
      draw_panel (&own->panels[asked->open], area,
                  area.w > 2.2 * CELL_W * m->label.px && asked->open == LS_SCALING_THREADS);
      return;
    }
  for (guint i = page * room; i < LS_SCALING_N && at < room; i++)
    {
      const gboolean both = wide && i == LS_SCALING_THREADS;
      const LsArea cell = { area.x + at % cols * (w + across), area.y + at / cols * (h + down),
                            both ? 2 * w + across : w, h };

      own->cells[i] = cell;
      draw_panel (&own->panels[i], cell, both);
      at += both ? 2 : 1;
    }
}

static void
layout_scaling (LsLayout *layout)
{
  const LsMetrics *m = &layout->m;
  LsArea area = ls_stage_strip (layout, ls_stage_begin (layout), FALSE);
  LsScaling *own = g_new0 (LsScaling, 1);
  double height;

  layout->own = own;
  layout->free_own = scaling_free;
  for (guint i = 0; i < LS_SCALING_N; i++)
    ls_scaling_panel_init (&own->panels[i], layout, (LsScalingKind) i);
  ls_area_below (&area, 2 * m->unit);
  ls_area_below (&area, ls_stage_heads (layout, area));
  height = ls_stage_disagreement (layout, area) + 2 * m->unit;
  area.x += m->margin;
  area.w -= 2 * m->margin;
  ls_area_below (&area, height);
  height = switches (layout, area);
  area.y += height;
  area.h -= height + m->label.px * 1.8;
  place (layout, area, own);
  foot (layout, (LsArea){ area.x, area.y + area.h, area.w, m->label.px * 1.8 }, own);
}

/* ---- in words ---- */

static void
describe_lane (const LsScalingPanel *panel, guint lane, GString *text)
{
  const LsScalingLane *own = &panel->lanes[lane];
  const char *name = g_array_index (panel->names, LsViewName, lane).name;

  g_autofree char *lacks = ls_scaling_lacks (panel, lane);

  if (own->dots->len == 0)
    {
      if (lacks != NULL)
        g_string_append_printf (text, " %s", lacks);
      else
        g_string_append_printf (text, _(" %s: not measured."), name);
      return;
    }
  g_autofree char *last = ls_scaling_last (panel, own),
                  *at = ls_number_count (
                    (guint64) g_array_index (own->dots, LsScalingDot, own->dots->len - 1).x),
                  *fit = panel->law != LS_LAW_NONE ? ls_scaling_fit (panel, own) : NULL;
  g_string_append_printf (text, _(" %s: %s at %s"), name, last, at);
  g_string_append_printf (text, fit != NULL ? "; %s." : ".", fit);
  if (lacks != NULL)
    g_string_append_printf (text, " %s", lacks);
}

static void
describe_scaling (const LsLayout *layout, GString *text)
{
  const LsScaling *own = layout->own;

  for (guint i = 0; i < LS_SCALING_N; i++)
    {
      const LsScalingPanel *panel = &own->panels[i];

      if (own->cells[i].w <= 0)
        continue;
      if (!ls_scaling_has_dots (panel))
        {
          g_string_append_printf (text, _(" %s: not measured."), ls_scaling_title (panel->kind));
          continue;
        }
      g_autofree char *subtitle = ls_scaling_subtitle (panel), *age = ls_scaling_age (panel, FALSE);
      g_string_append_printf (text, " %s, %s:", ls_scaling_title (panel->kind), subtitle);
      for (guint lane = 0; lane < panel->result->specs->len; lane++)
        describe_lane (panel, lane, text);
      if (age != NULL)
        g_string_append_printf (text, " (%s)", age);
    }
}

const LsView ls_view_scaling = {
  .name = "scaling",
  .title = N_("Scaling"),
  .question = N_("How far does parallel go?"),
  .head_tells = TRUE,
  .state_size = sizeof (LsScalingState),
  .state_init = &ls_scaling_first,
  .switches = ls_scaling_switches,
  .switch_side = -1,
  .options = ls_scaling_options,
  .point = ls_scaling_pointed,
  .key = ls_scaling_key,
  .measures = ls_scaling_measures,
  .layout = layout_scaling,
  .describe = describe_scaling,
};
