/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What every view has around it: title, evidence key, the places of the lanes, sentences where a lane is
 * missing.
 */
#include "config.h"
#include "ui/paint/parts/view.h"

#include <glib/gi18n-lib.h>

#include "core/number.h"
#include "ui/paint/parts/text.h"

void
ls_stage_zigzag (LsLayout *layout, double x, double bottom, double height, guint side)
{
  ls_scene_path (layout->still, LS_ITEM_LINE, LS_INK_MARK, side, 2)->evidence = LS_EVIDENCE_MEASURED;
  for (guint i = 0; i < 5; i++)
    ls_scene_point (layout->still, x + (i % 2 ? 3 : -3), bottom - height + i * height / 4);
}

void
ls_stage_slot (LsLayout *layout, LsSlotKind kind, gint side, guint op, double x, double y, double w, double h)
{
  const LsSlot slot = { kind, side, op, x, y, w, h, NULL };

  g_array_append_val (layout->slots, slot);
}

const LsSlot *
ls_stage_slot_at (const LsLayout *layout, LsSlotKind kind, double x, double y)
{
  for (guint i = 0; i < layout->slots->len; i++)
    {
      const LsSlot *slot = &g_array_index (layout->slots, LsSlot, i);
      if (slot->kind == kind && ls_area_has ((LsArea){ slot->x, slot->y, slot->w, slot->h }, x, y))
        return slot;
    }
  return NULL;
}

/* Where there are more lanes than places. */
static gboolean
may_choose (const LsLayout *layout)
{
  return layout->data->names != NULL && layout->data->names->len > LS_SIDES && layout->m.control_h > 0;
}

double
ls_stage_name_width (const LsLayout *layout, guint side)
{
  const LsMetrics *m = &layout->m;

  return ls_scene_width (layout->still, m->name, layout->data->sides[side].name)
         + (may_choose (layout) ? m->control_h + 2 * m->unit : 0);
}

void
ls_stage_name (LsLayout *layout, guint side, double x, double base)
{
  const LsMetrics *m = &layout->m;
  const double h = m->control_h;
  LsItem *name = ls_scene_text (layout->still, x, base, m->name, LS_INK_LANE, LS_LEFT,
                                layout->data->sides[side].name);

  name->value = (float) side;
  if (may_choose (layout))
    ls_stage_slot (layout, LS_SLOT_LANE, (gint) side, 0, ls_item_right (name) + m->unit,
                   base - m->name.px * .36 - h / 2, h, h);
}

/* The evidence key on one line. Words that would not fit are left out from the right; the marks' own never
 * are. */
static void
key_line (LsLayout *layout)
{
  static const char *const words[] = { N_("measured"), N_("derived"), N_("modelled"), N_("published") };
  const LsMetrics *m = &layout->m;
  const double h = m->key_h, y = layout->height - h, base = y + h / 2 + m->tick.px * .36;
  const LsType bold = { m->tick.px, 700 };
  g_autofree char *source = NULL;
  LsScene *s = layout->still;
  double x = m->margin, width;

  ls_scene_box (s, 0, y, layout->width, h, LS_INK_SIDEBAR, 0);
  ls_scene_box (s, 0, y, layout->width, layout->style.hairline, LS_INK_EDGE, 0);
  x = ls_item_right (ls_scene_text (s, x, base, bold, LS_INK_QUIET, LS_LEFT, _("How we know it"))) + 16;
  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    {
      const LsType type = { m->tick.px, layout->query.evidence == (gint) i ? 700 : 400 };
      const double end = x + m->evidence + 6 + ls_scene_width (s, type, gettext (words[i]));

      if (layout->query.evidence == (gint) i)
        ls_scene_box (s, x - 8, y + 3, end + 16 - x, h - 5, LS_INK_CHOSEN, 0)->size = 6;
      ls_scene_evidence (s, x, y + (h - m->evidence) / 2, m->evidence, (LsEvidence) i, LS_INK_TEXT);
      ls_scene_text (s, x + m->evidence + 6, base, type, LS_INK_TEXT, LS_LEFT, gettext (words[i]));
      ls_stage_slot (layout, LS_SLOT_KEY, -1, i, x - 10, y, end + 20 - x, h);
      x = end + 20;
    }
  if (!layout->query.chrome)
    return;
  source = layout->data->date != NULL
             ? g_strdup_printf ("%s · %.10s", layout->data->program, layout->data->date)
             : g_strdup (layout->data->program);
  width = ls_scene_width (s, m->tick, source);
  if (x + width < layout->width - m->margin)
    ls_scene_text (s, layout->width - m->margin, base, m->tick, LS_INK_QUIET, LS_RIGHT, source);
}

/* What the picture shows, played back or not. */
static void
title_line (LsLayout *layout)
{
  const LsMetrics *m = &layout->m;
  const gboolean own = m->projector && layout->heading != NULL; /* an equation may be as long as it likes */
  const double room = layout->width - 2 * m->margin - (layout->query.dial_ns > 0 ? 8 * m->title.px : 0);
  const gboolean large = own && ls_scene_width (layout->still, m->title, layout->heading) <= room,
                 fits = own && ls_scene_width (layout->still, m->heading, layout->heading) <= room;
  const LsType type = m->projector && !large ? m->heading : m->title;
  const double base = m->projector ? m->title_h * .68 : m->title_h / 2 + type.px * .36;
  const char *view = fits ? layout->heading : gettext (layout->view->title);
  const char *about = m->projector && layout->subheading != NULL ? layout->subheading : layout->data->title;
  g_autofree char *dial_time = ls_number_dial (layout->query.dial_ns);
  g_autofree char *dial = layout->query.dial_ns > 0 ? g_strdup_printf (_("1 s = %s"), dial_time) : NULL;
  LsScene *s = layout->still;
  double x = m->margin, right = layout->width - m->margin;

  if (!m->projector)
    {
      ls_scene_box (s, 0, 0, layout->width, m->title_h, LS_INK_HEADER, 0);
      ls_scene_box (s, 0, m->title_h - layout->style.hairline, layout->width, layout->style.hairline,
                    LS_INK_EDGE, 0);
    }
  if (dial != NULL)
    right = (double) ls_scene_text (s, right, base, type, LS_INK_TEXT, LS_RIGHT, dial)->x - 32;
  x = ls_item_right (ls_scene_text (s, x, base, type, LS_INK_TEXT, LS_LEFT, view)) + 24;
  if (x + ls_scene_width (s, m->body, about) < right)
    x = ls_item_right (
          ls_scene_text (s, x, base, m->body, m->projector ? LS_INK_QUIET : LS_INK_TEXT, LS_LEFT, about))
        + 24;
  if (x + ls_scene_width (s, m->label, layout->data->when) < right)
    ls_scene_text (s, right, base, m->label, LS_INK_QUIET, LS_RIGHT, layout->data->when);
}

LsArea
ls_stage_begin (LsLayout *layout)
{
  const LsMetrics *m = &layout->m;
  LsArea area = { 0, 0, layout->width, layout->height };

  if (layout->query.chrome)
    {
      title_line (layout);
      ls_area_below (&area, m->title_h);
    }
  if (layout->query.key && !m->projector)
    {
      key_line (layout);
      area.h -= m->key_h;
    }
  return area;
}

LsArea
ls_stage_lane (const LsLayout *layout, LsArea area, guint side)
{
  const double w = (area.w - 2 * layout->m.margin - layout->m.gutter) / 2;

  return (LsArea){ area.x + layout->m.margin + side * (w + layout->m.gutter), area.y, w, area.h };
}

void
ls_stage_invite (LsLayout *layout, LsArea area)
{
  const LsViewLane *sides = layout->data->sides;
  const char *text = layout->data->running ? _("The first step is being recorded.")
                                           : _("Press Space to train.");
  const LsType type = { layout->m.projector ? layout->m.heading.px : 20 * layout->style.text_scale, 700 };
  /* the lanes' names stand at both sides */
  g_auto (GStrv) lines = ls_text_lines (layout->still, type, area.w * .35, text);
  const guint n = g_strv_length (lines);
  const double x = area.x + area.w / 2, pitch = type.px * LS_TEXT_PITCH, h = (n - 1) * pitch + 3 * type.px,
               y = area.y + (area.h - h) / 2;
  double width = 0;

  if (layout->data->recording != NULL || sides[0].message != NULL || sides[1].message != NULL)
    return; /* a lane has something to say itself */
  for (guint i = 0; i < n; i++)
    width = MAX (width, ls_scene_width (layout->still, type, lines[i]) + 16 * layout->m.unit);
  ls_scene_box (layout->still, x - width / 2, y, width, h, LS_INK_WINDOW, 0)->size = 8;
  for (guint i = 0; i < n; i++)
    ls_scene_text (layout->still, x, y + type.px * 1.86 + i * pitch, type, LS_INK_TEXT, LS_CENTER, lines[i]);
}

#define BUTTONS_H 44.0 /* px: of a message's slot */

static LsType
sentence_type (const LsLayout *layout)
{
  return (LsType){ layout->m.projector ? layout->m.heading.px : 20 * layout->style.text_scale, 700 };
}

/* Sentence, words and hint below y; returns the last baseline. */
static double
paragraphs (const LsLayout *layout, double x, double y, double width, const char *sentence, const char *words,
            const char *hint, gboolean draw)
{
  const LsMetrics *m = &layout->m;

  y = ls_text_wrapped (layout->still, x, y, width, sentence_type (layout), LS_INK_TEXT, sentence, draw);
  if (words != NULL)
    y = ls_text_wrapped (layout->still, x, y + m->unit, width, m->body, LS_INK_TEXT, words, draw);
  if (hint != NULL)
    y = ls_text_wrapped (layout->still, x, y + m->unit, width, m->body, LS_INK_QUIET, hint, draw);
  return y;
}

double
ls_stage_change (LsLayout *layout, double x, double y, double width, const char *words, const char *longest)
{
  const LsMetrics *m = &layout->m;
  const double indent = m->evidence + 6;
  double room = y;

  ls_scene_evidence (layout->still, x, y + m->label.px * (1.35 - .36) - m->evidence / 2, m->evidence,
                     LS_EVIDENCE_MEASURED, LS_INK_QUIET);
  if (longest != NULL)
    room = ls_text_wrapped (layout->still, x + indent, y, width - indent, m->label, LS_INK_TEXT, longest,
                            FALSE);
  const double last = ls_text_wrapped (layout->still, x + indent, y, width - indent, m->label, LS_INK_TEXT,
                                       words, TRUE);
  return MAX (room, last);
}

double
ls_stage_message_height (const LsLayout *layout, double width, const char *sentence, const char *words,
                         const char *hint)
{
  return paragraphs (layout, 0, 0, width, sentence, words, hint, FALSE) + 4 * layout->m.unit
         + (layout->m.projector || layout->query.chrome ? 0 : BUTTONS_H);
}

double
ls_stage_message (LsLayout *layout, LsArea area, guint side, const char *sentence, const char *words,
                  const char *hint)
{
  const LsMetrics *m = &layout->m;
  double y;

  if (area.h > 0 && ls_stage_message_height (layout, area.w, sentence, words, hint) > area.h)
    hint = NULL;
  if (area.h > 0 && ls_stage_message_height (layout, area.w, sentence, words, hint) > area.h)
    words = NULL;
  y = paragraphs (layout, area.x, area.y, area.w, sentence, words, hint, TRUE) + m->unit * 4;
  ls_stage_slot (layout, LS_SLOT_MESSAGE, (gint) side, 0, area.x, y, area.w, BUTTONS_H);
  return y + BUTTONS_H - area.y;
}

double
ls_stage_lane_message (LsLayout *layout, LsArea area, guint side)
{
  const LsViewLane *lane = &layout->data->sides[side];

  return ls_stage_message (layout, area, side, lane->message, lane->words, lane->hint);
}

double
ls_stage_stopped_height (const LsLayout *layout, double width)
{
  double most = 0;

  for (guint side = 0; side < LS_SIDES; side++)
    {
      const LsViewLane *lane = &layout->data->sides[side];
      if (lane->stopped_at > 0 && lane->index != NULL)
        most = MAX (most, ls_stage_message_height (layout, width, lane->message, lane->words, lane->hint));
    }
  return most;
}

double
ls_stage_disagreement (LsLayout *layout, LsArea area)
{
  const LsMetrics *m = &layout->m;
  const LsType bold = { m->body.px, 700 };
  const double x = area.x + m->margin, width = area.w - 2 * m->margin;
  double y = area.y;

  if (layout->data->disagree[0] == NULL)
    return 0;
  y = ls_text_wrapped (layout->still, x, y, width, bold, LS_INK_TEXT, layout->data->disagree[0], TRUE);
  y = ls_text_wrapped (layout->still, x, y, width, m->body, LS_INK_QUIET, layout->data->disagree[1], TRUE);
  return y + m->body.px * .6 - area.y;
}

void
ls_stage_fair (LsLayout *layout, double x, double y, double size)
{
  if (layout->data->fairness == NULL || size < 14)
    return;
  for (guint i = 0; i < layout->still->items->len; i++)
    {
      const LsItem *item = ls_scene_get (layout->still, i);
      if (item->kind == LS_ITEM_TEXT && (double) item->x < x + size && ls_item_right (item) > x
          && (double) item->y > y && (double) item->y - item->type.px * .8 < y + size)
        return;
    }
  ls_stage_slot (layout, LS_SLOT_FAIR, -1, 0, x, y, size, size);
}
