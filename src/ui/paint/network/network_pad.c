/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The pad on which somebody draws, with what both lanes say of it. The strokes themselves move with the pen,
 * long before the lanes have answered.
 */
#include "config.h"
#include "ui/paint/network/network.h"

#include <math.h>
#include <glib/gi18n-lib.h>

#include "core/number.h"
#include "ui/paint/parts/text.h"

#define LEAST 22 /* units: a smaller pad can't be drawn on */

gboolean
ls_network_has_pad (const LsNetwork *n)
{
  return n->layout->query.pen.strokes != NULL && n->layout->data->tests > 0 && n->image_rows > 0;
}

static const LsAnswer *
drawn (const LsNetwork *n, gint side)
{
  const LsAnswer *answer = n->layout->data->sides[side].answer;

  return answer != NULL && answer->question->what == LS_ASKED_DRAWN && answer->n_classes == n->n_classes
             && ls_strokes_n (n->layout->query.pen.strokes) > 0
           ? answer
           : NULL;
}

gboolean
ls_network_drawing (const LsNetwork *n)
{
  return n->layout->query.pen.keys || n->asked->own == LS_OWN_DRAWN;
}

char *
ls_network_pad_words (const LsNetwork *n, gboolean brief)
{
  GString *text = g_string_new (NULL);

  for (gint side = 0; side < LS_SIDES; side++)
    {
      const LsAnswer *answer = n->layout->query.pen.strokes != NULL ? drawn (n, side) : NULL;
      const char *name = n->layout->data->sides[side].brief;
      if (answer == NULL)
        continue;
      if (text->len > 0)
        g_string_append (text, ", ");
      g_autofree char *class = ls_network_class (n, ls_network_largest (answer->probs, n->n_classes));
      if (brief)
        g_string_append_printf (text, "%s %s", name, class);
      else
        g_string_append_printf (text, _("%s reads %s"), name, class);
    }
  return g_string_free (text, text->len == 0);
}

/* "CPU 3: 0.884": the class that the lane holds most probable, and how probable. */
static void
lane_says (const LsNetwork *n, gint side, double x, double y, double w)
{
  const LsMetrics *m = &n->layout->m;
  const LsAnswer *answer = drawn (n, side);
  const LsType bold = { m->label.px, 700 };
  const char *name = n->layout->data->sides[side].name;
  LsScene *s = n->layout->still;

  if (answer == NULL)
    return;
  const gint predicted = ls_network_largest (answer->probs, n->n_classes);
  g_autofree char *p = ls_number_text ((double) answer->probs[predicted], 3),
                  *class = ls_network_class_in (n, predicted, m->label, w / 2);
  g_autofree char *words = g_strdup_printf (_("%s: %s"), class, p);
  const double number_w = ls_scene_width (s, m->label, words);
  const char *shown = ls_scene_width (s, bold, name) + number_w + 2 * m->unit <= w
                        ? name
                        : n->layout->data->sides[side].brief;

  if (ls_scene_width (s, bold, shown) + number_w + 2 * m->unit > w)
    {
      if (number_w <= w)
        ls_scene_text (s, x, y, m->label, LS_INK_LANE, LS_LEFT, words)->value = (float) side;
      return;
    }
  ls_scene_text (s, x, y, bold, LS_INK_LANE, LS_LEFT, shown)->value = (float) side;
  ls_scene_text (s, x + w, y, m->label, LS_INK_TEXT, LS_RIGHT, words);
}

/* The class in large type, each lane's probability, and buttons. */
static void
says (LsNetwork *n, LsArea area)
{
  const LsMetrics *m = &n->layout->m;
  const LsAnswer *a = drawn (n, 0), *b = drawn (n, 1), *any = a != NULL ? a : b;
  const LsType large = { MIN (m->rate.px * 1.6, area.h * .3), 800 };
  const double line = m->label.px * 1.5, h = ls_network_button_height (n), bottom = area.y + area.h;
  LsScene *s = n->layout->still;
  double y = area.y + m->label.px, x;

  if (any != NULL)
    {
      const gint predicted = ls_network_largest (any->probs, n->n_classes);
      const gboolean differ = a != NULL && b != NULL
                              && predicted != ls_network_largest (b->probs, n->n_classes);
      g_autofree char *class = ls_network_class_in (n, predicted, large,
                                                    n->class_names != NULL ? area.w : HUGE_VAL);

      if (y + 1.1 * large.px + 2 * line + h <= bottom)
        {
          ls_text_marked (s, m, area.x, y, area.w, LS_EVIDENCE_MEASURED, LS_INK_QUIET, _("reads"));
          y += large.px * .95;
          ls_scene_text (s, area.x, y, large, LS_INK_TEXT, LS_LEFT, differ ? "?" : class);
          y += line * .75 + large.px * .12;
        }
      for (gint side = 0; side < LS_SIDES && y + h <= bottom; side++)
        {
          lane_says (n, side, area.x, y, area.w);
          y += line;
        }
    }
  if (ls_strokes_n (n->layout->query.pen.strokes) == 0)
    return;
  x = ls_network_button (n, &n->clear, area.x, bottom - h, area.x + area.w, _("Clear"), FALSE) + m->unit;
  ls_network_button (n, &n->undo, x, bottom - h, area.x + area.w, _("Undo"), FALSE);
}

double
ls_network_pad (LsNetwork *n, LsArea area, gboolean answers)
{
  const LsMetrics *m = &n->layout->m;
  const double head = answers ? m->heading.px * 1.7 : 0,
               words_w = answers ? MAX (MIN (31 * m->unit, area.w - 24 * m->unit), area.w * .38) : 0;
  const double size = floor (MIN (area.w - words_w, MIN (area.h - head, 52 * m->unit * n->grow)));
  const gboolean empty = ls_strokes_n (n->layout->query.pen.strokes) == 0;
  LsScene *s = n->layout->still;

  if (size < LEAST * m->unit)
    return area.y;
  if (answers)
    ls_text_heading (s, m, area, area.y + m->heading.px, _("Draw one yourself"), NULL);
  n->pad = (LsArea){ area.x, area.y + head, size, size };
  ls_scene_box (s, n->pad.x - 1, n->pad.y - 1, size + 2, size + 2,
                n->layout->query.pen.keys ? LS_INK_TEXT : LS_INK_EDGE, 0)
    ->size
    = 6;
  ls_scene_box (s, n->pad.x, n->pad.y, size, size, LS_INK_CARD, 0)->size = 5;
  ls_stage_slot (n->layout, LS_SLOT_PAD, 0, 0, n->pad.x, n->pad.y, size, size);
  if (empty && !n->layout->query.pen.keys)
    {
      const double w = size - 4 * m->unit, y = n->pad.y + size / 2;
      ls_text_fit (s, n->pad.x + size / 2, y + m->label.px * .36, w, m->label, LS_INK_QUIET, LS_CENTER,
                   (const char *const[]){ _("draw with the pointer, or press D"),
                                          _("draw here, or press D"), _("draw here"), _("draw"), NULL });
    }
  if (answers)
    says (n, (LsArea){ area.x + size + 3 * m->unit, n->pad.y, area.w - size - 3 * m->unit, size });
  return n->pad.y + size;
}

/* The ink, and the pen that the keys move. */
void
ls_network_pad_move (const LsNetwork *n)
{
  const LsQuery *query = &n->layout->query;
  const double size = n->pad.w, pen = LS_STROKES_PEN * size;
  LsScene *s = n->layout->moving;

  if (size <= 0 || query->pen.strokes == NULL)
    return;
  for (guint i = 0; i < ls_strokes_n (query->pen.strokes); i++)
    {
      guint count;
      const float *p = ls_strokes_get (query->pen.strokes, i, &count);
      const gboolean dot = count == 1;

      ls_scene_path (s, dot ? LS_ITEM_DOTS : LS_ITEM_LINE, LS_INK_TEXT, 0, pen);
      for (guint k = 0; k < count; k++)
        ls_scene_point (
          s, CLAMP (n->pad.x + (double) p[2 * k] * size, n->pad.x + pen / 2, n->pad.x + size - pen / 2),
          CLAMP (n->pad.y + (double) p[2 * k + 1] * size, n->pad.y + pen / 2, n->pad.y + size - pen / 2));
    }
  if (!query->pen.keys)
    return;
  const double side = query->pen.down ? pen * .7 : pen * 1.2;
  ls_scene_mark (s, LS_ITEM_FRAME,
                 CLAMP (n->pad.x + query->pen.x * size, n->pad.x + pen, n->pad.x + size - pen) - side / 2,
                 CLAMP (n->pad.y + query->pen.y * size, n->pad.y + pen, n->pad.y + size - pen) - side / 2,
                 side, side, LS_INK_TEXT, 0);
}
