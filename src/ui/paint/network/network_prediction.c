/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the network says of the sample: each class's probability in both lanes.
 */
#include "config.h"
#include "ui/paint/network/network.h"

#include <math.h>
#include <glib/gi18n-lib.h>

#include "core/number.h"
#include "ui/paint/parts/text.h"

#define NAMES   .4  /* of the width may be the classes' names */
#define PRINTED .01 /* probabilities from here on have their number */

/* ---- this sample ---- */

/* The most probable classes, as many as there is room for, by number; returns how many. */
static guint
choose_classes (const LsNetwork *n, guint most, gint *classes)
{
  const float *p = n->probs[n->side] + n->at * n->n_classes;
  guint count = 0;

  for (gint c = 0; c < n->n_classes; c++)
    {
      guint better = 0;
      for (gint k = 0; k < n->n_classes; k++)
        better += isnan (p[k]) || isnan (p[c]) ? isnan (p[c]) && (!isnan (p[k]) || k < c)
                                               : p[k] > p[c] || (p[k] >= p[c] && k < c);
      if (better < most)
        classes[count++] = c;
    }
  return count;
}

static void
bars_of (const LsNetwork *n, gint class, double x, double y, double w, double row)
{
  const LsMetrics *m = &n->layout->m;
  const double h = floor (MIN (3 * m->unit * n->grow, row * .34)), number_y = y + row / 2 + m->tick.px * .36;
  const gboolean bold = class == n->predicted;
  LsScene *s = n->layout->still;
  double end = 0;

  for (guint side = 0; side < LS_SIDES; side++)
    {
      const float *p = n->probs[side] != NULL ? n->probs[side] + n->at * n->n_classes : NULL;
      const double part = p != NULL && isfinite (p[class]) ? CLAMP ((double) p[class], 0, 1) : 0;
      if (p == NULL)
        continue;
      LsItem *bar = ls_scene_box (s, x, y + row / 2 + (side == 0 ? -h - .5 : .5), MAX (2, w * part), h,
                                  LS_INK_MARK, side);
      bar->side = (guint8) side;
      bar->evidence = LS_EVIDENCE_MEASURED;
      ls_network_timed (bar, n->probs_begin_ns[side], n->probs_end_ns[side]);
      end = MAX (end, part);
    }
  x += MAX (2, w * end) + 1.5 * m->unit;
  if (row < m->tick.px * 1.1)
    return;
  if (class != n->predicted && class == n->label)
    {
      const double right = n->said_area.x + n->said_area.w,
                   number_w = end < PRINTED ? 0 : ls_scene_width (s, m->label, "0.000") + 2 * m->unit;
      if (ls_text_fit (s, x + number_w, number_y, right - x - number_w, m->label, LS_INK_TEXT, LS_LEFT,
                       (const char *const[]){ _("the label"), NULL }))
        ls_network_timed (ls_scene_get (s, s->items->len - 1), n->probs_begin_ns[n->side],
                          n->probs_end_ns[n->side]);
    }
  if (end < PRINTED)
    return;
  g_autofree char *text = ls_number_text ((double) n->probs[n->side][n->at * n->n_classes + class],
                                          end < .1 ? 2 : 3);
  LsItem *number = ls_scene_text (s, x, number_y, bold ? (LsType){ m->label.px, 700 } : m->label,
                                  bold ? LS_INK_TEXT : LS_INK_QUIET, LS_LEFT, text);
  ls_network_timed (number, n->probs_begin_ns[n->side], n->probs_end_ns[n->side]);
}

static void
axis (const LsNetwork *n, double x, double y, double w)
{
  const LsMetrics *m = &n->layout->m;
  LsScene *s = n->layout->still;

  ls_scene_segment (s, x, y, x + w, y, LS_INK_EDGE, n->layout->style.hairline);
  for (guint i = 0; i < 2; i++)
    {
      ls_scene_segment (s, x + w * i, y - m->unit, x + w * i, y + m->unit, LS_INK_EDGE,
                        n->layout->style.hairline);
      ls_scene_text (s, x + w * i, y + m->tick.px * 1.25, m->tick, LS_INK_QUIET, LS_CENTER,
                     i == 0 ? "0" : "1");
    }
}

/* The one that is said is bold, as soon as it is known. */
static void
class_name (const LsNetwork *n, gint class, double x, double y, double w)
{
  const LsMetrics *m = &n->layout->m;
  const gint64 end_ns = n->probs_end_ns[n->side];
  const LsInk ink = class == n->label ? LS_INK_TEXT : LS_INK_QUIET;
  g_autofree char *name = ls_network_class_in (n, class, class == n->predicted ? m->heading : m->label, w);
  LsScene *s = n->layout->still;

  if (class != n->predicted)
    {
      ls_scene_text (s, x, y, m->label, ink, LS_RIGHT, name);
      return;
    }
  if (end_ns > 0)
    {
      LsItem *item = ls_scene_text (s, x, y, m->label, ink, LS_RIGHT, name);
      item->when = LS_WHEN_AHEAD;
      item->t0 = item->t1 = end_ns;
    }
  ls_network_timed (ls_scene_text (s, x, y, m->heading, LS_INK_TEXT, LS_RIGHT, name), end_ns, end_ns);
}

void
ls_network_prediction (LsNetwork *n, LsArea area)
{
  const LsMetrics *m = &n->layout->m;
  const double foot = m->tick.px * 1.7, least = MAX (m->tick.px * 1.15, m->heading.px),
               labels = ls_network_class_width (n, m->heading, n->n_classes > 10 ? "000" : "0",
                                                area.w * NAMES)
                        + 3 * m->unit;
  const double w = area.w - labels - ls_scene_width (n->layout->still, (LsType){ m->label.px, 700 }, "0.0000")
                   - 2 * m->unit;
  const gint label = n->label;
  LsNetworkLayer *last = &n->layers[n->n_layers - 1];
  LsScene *s = n->layout->still;
  guint count;
  double row, y;

  n->said_area = area;
  if (n->probs[n->side] == NULL)
    {
      ls_text_wrapped (s, area.x, area.y, area.w, m->label, LS_INK_QUIET,
                       _("The prediction was not recorded."), TRUE);
      return;
    }
  g_autofree char *brief = ls_network_class (n, n->predicted), *true_class = ls_network_class (n, label);
  g_autofree char *predicted = label < 0 ? g_strdup (brief)
                               : label == n->predicted
                                 ? g_strdup_printf (_("%s, right"), brief)
                                 : g_strdup_printf (_("%s, wrong: labelled %s"), brief, true_class);
  g_autofree char *more = g_strdup_printf (_("%s; probability by class"), predicted);
  LsItem *words = ls_network_heading (n, area.x, area.w, _("Prediction"),
                                      (const char *const[]){ more, predicted, brief, NULL });
  if (words != NULL && n->probs_end_ns[n->side] > 0)
    {
      const double x = (double) words->x;
      ls_network_timed (words, n->probs_begin_ns[n->side], n->probs_end_ns[n->side]);
      LsItem *ahead = ls_scene_text (s, x, n->top - m->heading.px * .8, m->label, LS_INK_QUIET, LS_LEFT,
                                     _("not yet"));
      ahead->when = LS_WHEN_AHEAD;
      ahead->t0 = ahead->t1 = n->probs_end_ns[n->side];
    }
  g_autofree gint *classes = g_new (gint, (gsize) n->n_classes);
  count = choose_classes (n, (guint) MAX (1, (area.h - foot) / least), classes);
  row = MIN ((area.h - foot) / count, 15 * m->unit * n->grow);
  y = area.y + MAX (0, (area.h - foot - row * count) / 2);
  for (guint i = 0; i < count; i++)
    {
      class_name (n, classes[i], area.x + labels - 2 * m->unit, y + row * (i + .5) + m->label.px * .36,
                  n->class_names != NULL ? labels - 3 * m->unit : HUGE_VAL);
      bars_of (n, classes[i], area.x + labels, y + row * i, w, row);
    }
  axis (n, area.x + labels, y + row * count + m->unit, w);
  if ((gint) count == n->n_classes && last->units == n->n_classes)
    {
      last->area = (LsArea){ area.x, y, labels, row * count };
      last->across = 1;
      last->shown = last->units;
      last->cell_h = row;
    }
}
