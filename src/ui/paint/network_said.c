/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the network says: of this sample each class's probability in both lanes; of the whole batch the confusion matrix and
 * the worst mistakes.
 */
#include "config.h"
#include "ui/paint/network.h"

#include <math.h>
#include <glib/gi18n-lib.h>

#include "ui/paint/number.h"
#include "ui/paint/tiles.h"

#define PRINTED .01    /* probabilities from here on have their number */

/* ---- this sample ---- */

/* The most probable classes, as many as there is room for, by number; returns how many. */
static guint
choose_classes (const LsNetwork *n, guint most, gint *classes)
{
  const float *p = n->probs[n->side] + n->sample * n->n_classes;
  guint count = 0;

  for (gint c = 0; c < n->n_classes; c++)
    {
      guint better = 0;
      for (gint k = 0; k < n->n_classes; k++)
        better += p[k] > p[c] || (p[k] >= p[c] && k < c);
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
  const gboolean bold = class == n->said;
  LsScene *s = n->layout->still;
  double end = 0;

  for (guint side = 0; side < LS_SIDES; side++)
    {
      const float *p = n->probs[side] != NULL ? n->probs[side] + n->sample * n->n_classes : NULL;
      const double part = p != NULL && isfinite (p[class]) ? CLAMP ((double) p[class], 0, 1) : 0;
      if (p == NULL)
        continue;
      LsItem *bar = ls_scene_box (s, x, y + row / 2 + (side == 0 ? -h - .5 : .5), MAX (2, w * part), h, LS_INK_MARK, side);
      bar->side = (guint8) side;
      bar->evidence = LS_EVIDENCE_MEASURED;
      ls_network_timed (bar, n->probs_begin_ns[side], n->probs_end_ns[side]);
      end = MAX (end, part);
    }
  x += MAX (2, w * end) + 1.5 * m->unit;
  if (row < m->tick.px * 1.1)
    return;
  if (class != n->said && class == ls_network_label (n, n->sample))
    {
      const double right = n->said_area.x + n->said_area.w, number_w = end < PRINTED ? 0 : ls_scene_width (s, m->label, "0.000") + 2 * m->unit;
      ls_tiles_say (s, x + number_w, number_y, right - x - number_w, m->label, LS_INK_TEXT, LS_LEFT, (const char *const[]) { _("the label"), NULL });
    }
  if (end < PRINTED)
    return;
  g_autofree char *text = ls_number_text ((double) n->probs[n->side][n->sample * n->n_classes + class], end < .1 ? 2 : 3);
  LsItem *number = ls_scene_text (s, x, number_y, bold ? (LsType){ m->label.px, 700 } : m->label, bold ? LS_INK_TEXT : LS_INK_QUIET, LS_LEFT, text);
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
      ls_scene_segment (s, x + w * i, y - m->unit, x + w * i, y + m->unit, LS_INK_EDGE, n->layout->style.hairline);
      ls_scene_text (s, x + w * i, y + m->tick.px * 1.25, m->tick, LS_INK_QUIET, LS_CENTER, i == 0 ? "0" : "1");
    }
}

void
ls_network_prediction (LsNetwork *n, LsArea area)
{
  const LsMetrics *m = &n->layout->m;
  const double foot = m->tick.px * 1.7, least = MAX (m->tick.px * 1.15, m->heading.px), labels = ls_scene_width (n->layout->still, m->heading, n->n_classes > 10 ? "000" : "0") + 3 * m->unit;
  const double w = area.w - labels - ls_scene_width (n->layout->still, (LsType){ m->label.px, 700 }, "0.0000") - 2 * m->unit;
  const gint label = ls_network_label (n, n->sample);
  LsNetworkLayer *last = &n->layers[n->n_layers - 1];
  LsScene *s = n->layout->still;
  gint *classes;
  guint count;
  double row, y;

  n->said_area = area;
  if (n->probs[n->side] == NULL)
    {
      ls_tiles_wrapped (s, area.x, area.y, area.w, m->label, LS_INK_QUIET, _("The prediction was not recorded."));
      return;
    }
  g_autofree char *said = label < 0 ? g_strdup_printf ("%d", n->said)
                          : label == n->said ? g_strdup_printf (_("%d, right"), n->said)
                                             : g_strdup_printf (_("%d, wrong: labelled %d"), n->said, label);
  g_autofree char *more = g_strdup_printf (_("%s; probability by class"), said), *brief = g_strdup_printf ("%d", n->said);
  LsItem *words = ls_network_heading (n, area.x, area.w, _("Prediction"), (const char *const[]) { more, said, brief, NULL });
  if (words != NULL)
    ls_network_timed (words, n->probs_begin_ns[n->side], n->probs_end_ns[n->side]);
  classes = g_newa (gint, (gsize) n->n_classes);
  count = choose_classes (n, (guint) MAX (1, (area.h - foot) / least), classes);
  row = MIN ((area.h - foot) / count, 15 * m->unit * n->grow);
  y = area.y + MAX (0, (area.h - foot - row * count) / 2);
  for (guint i = 0; i < count; i++)
    {
      g_autofree char *name = g_strdup_printf ("%d", classes[i]);
      const gboolean bold = classes[i] == n->said;
      ls_scene_text (s, area.x + labels - 2 * m->unit, y + row * (i + .5) + m->label.px * .36, bold ? m->heading : m->label,
                     bold || classes[i] == label ? LS_INK_TEXT : LS_INK_QUIET, LS_RIGHT, name);
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

/* ---- the batch ---- */

static void
matrix_texts (const LsNetwork *n, guint most)
{
  const LsMetrics *m = &n->layout->m;
  const double cell = n->matrix_cell, x = n->matrix_area.x, y = n->matrix_area.y;
  LsScene *s = n->layout->still;

  for (gint i = 0; i < n->n_classes; i++)
    {
      g_autofree char *name = g_strdup_printf ("%d", i);
      if (cell < MAX (m->tick.px, ls_scene_width (s, m->tick, name) + 2))
        continue;
      ls_scene_text (s, x + cell * (i + .5), y - m->unit, m->tick, LS_INK_QUIET, LS_CENTER, name);
      ls_scene_text (s, x - 1.5 * m->unit, y + cell * (i + .5) + m->tick.px * .36, m->tick, LS_INK_QUIET, LS_RIGHT, name);
    }
  for (gint i = 0; i < n->n_classes * n->n_classes; i++)
    {
      const gint row = i / n->n_classes, col = i % n->n_classes;
      g_autofree char *count = g_strdup_printf ("%u", n->matrix[i]);
      if (n->matrix[i] == 0 || (row == col && cell < 2 * m->tick.px) || cell < MAX (m->tick.px * 1.05, ls_scene_width (s, m->tick, count) + 2))
        continue;
      ls_scene_text (s, x + cell * (col + .5), y + cell * (row + .5) + m->tick.px * .36, m->tick, LS_INK_ON_AMOUNT, LS_CENTER, count)->strong = TRUE;
      ls_scene_get (s, s->items->len - 1)->value = (float) n->matrix[i] / (float) most;
    }
}

/* Returns its foot. */
static double
matrix (LsNetwork *n, LsArea area)
{
  const LsMetrics *m = &n->layout->m;
  const guint count = (guint) n->n_classes;
  const double labels = ls_scene_width (n->layout->still, m->tick, "00") + 2 * m->unit, cell = floor (MIN ((area.w - labels) / count, 14 * m->unit * n->grow));
  const gint label = ls_network_label (n, n->sample);
  g_autofree float *counts = g_new (float, (gsize) count * count);
  LsScene *s = n->layout->still;
  guint most = 1;

  if (cell < 5 || cell * count + 2 * m->label.px > area.h)
    return area.y;
  for (guint i = 0; i < count * count; i++)
    most = MAX (most, n->matrix[i]);
  for (guint i = 0; i < count * count; i++)
    counts[i] = (float) n->matrix[i];
  n->matrix_cell = cell;
  n->matrix_area = (LsArea){ area.x + labels, area.y + m->tick.px * 1.2, cell * count, cell * count };
  ls_scene_image (s, n->matrix_area.x, n->matrix_area.y, cell * count, cell * count, LS_INK_AMOUNT, counts, count, count, most)->evidence = LS_EVIDENCE_DERIVED;
  for (guint i = 1; i < count; i++)
    {
      ls_scene_box (s, n->matrix_area.x + cell * i - 1, n->matrix_area.y, 1, cell * count, LS_INK_WINDOW, 0);
      ls_scene_box (s, n->matrix_area.x, n->matrix_area.y + cell * i - 1, cell * count, 1, LS_INK_WINDOW, 0);
    }
  matrix_texts (n, most);
  if (label >= 0)
    ls_scene_mark (s, LS_ITEM_FRAME, n->matrix_area.x + cell * n->said, n->matrix_area.y + cell * label, cell - 1, cell - 1, LS_INK_TEXT, 0);
  return n->matrix_area.y + cell * count;
}

/* Returns its foot. */
static double
score (const LsNetwork *n, LsArea area)
{
  const LsMetrics *m = &n->layout->m;
  const LsType bold = { m->label.px, 700 };
  LsScene *s = n->layout->still;
  g_autofree char *part = ls_number_text (100.0 * n->n_right / (double) n->batch, 3);
  g_autofree char *right = g_strdup_printf (_("right %s %%"), part), *of = g_strdup_printf (_("%u of %lld"), n->n_right, (long long) n->batch);
  double y = area.y + m->label.px * 1.4, x;

  if (n->matrix_cell > 0 && ls_tiles_say (s, area.x, y, area.w, m->label, LS_INK_QUIET, LS_LEFT, (const char *const[]) { _("down: true, across: said"), NULL }))
    y += m->label.px * 1.5;
  ls_scene_evidence (s, area.x, y - m->label.px * .36 - m->evidence / 2, m->evidence, LS_EVIDENCE_DERIVED, LS_INK_TEXT);
  x = ls_item_right (ls_scene_text (s, area.x + m->evidence + 7, y, bold, LS_INK_TEXT, LS_LEFT, right)) + 2 * m->unit;
  ls_tiles_say (s, x, y, area.x + area.w - x, m->label, LS_INK_QUIET, LS_LEFT, (const char *const[]) { of, NULL });
  return y;
}

static void
mistakes (LsNetwork *n, LsArea area)
{
  const LsMetrics *m = &n->layout->m;
  const double text = m->tick.px * 1.35, gap = 2 * m->unit;
  LsScene *s = n->layout->still;
  double y = area.y + m->heading.px, w;
  guint rows;

  if (n->image_rows == 0 || area.h < m->heading.px * 2 + 10 * m->unit)
    return;
  w = ls_item_right (ls_scene_text (s, area.x, y, m->heading, LS_INK_TEXT, LS_LEFT, _("Worst mistakes"))) + gap;
  if (n->wrong->len > 0)
    ls_tiles_say (s, w, y, area.x + area.w - w, m->label, LS_INK_QUIET, LS_LEFT, (const char *const[]) { _("true → said"), NULL });
  y += m->unit * 2.5;
  if (n->wrong->len == 0)
    {
      ls_tiles_say (s, area.x, y + m->label.px, area.w, m->label, LS_INK_QUIET, LS_LEFT, (const char *const[]) { _("None in this batch."), NULL });
      return;
    }
  n->thumb_cols = (guint) MAX (2, floor (area.w / (14.5 * m->unit * n->grow)));
  n->thumb_w = floor (area.w / n->thumb_cols);
  n->thumb_h = n->thumb_w - gap + text + 1.5 * m->unit;
  rows = (guint) MAX (0, (area.y + area.h - y) / n->thumb_h);
  n->n_thumbs = MIN (n->wrong->len, rows * n->thumb_cols);
  n->wrong_area = (LsArea){ area.x, y, area.w, area.y + area.h - y };
  for (guint i = 0; i < n->n_thumbs; i++)
    {
      const gint64 sample = g_array_index (n->wrong, gint64, i);
      const double x = area.x + n->thumb_w * (i % n->thumb_cols), at = y + n->thumb_h * (i / n->thumb_cols), size = n->thumb_w - gap;
      g_autofree char *words = g_strdup_printf ("%d → %d", ls_network_label (n, sample), ls_network_said (n, n->side, sample));

      ls_scene_box (s, x - 1, at - 1, size + 2, size + 2, LS_INK_EDGE, 0);
      ls_network_image (n, sample, x, at, size, size);
      if (ls_scene_width (s, m->tick, words) <= n->thumb_w - 2)
        ls_scene_text (s, x + size / 2, at + size + m->tick.px * 1.1, m->tick, LS_INK_TEXT, LS_CENTER, words);
      if (sample == n->sample)
        ls_scene_mark (s, LS_ITEM_FRAME, x, at, size, size, LS_INK_TEXT, 0);
    }
}

void
ls_network_side (LsNetwork *n, LsArea area)
{
  const LsMetrics *m = &n->layout->m;
  g_autofree char *batch = g_strdup_printf (_("this batch of %lld"), (long long) n->batch);
  double y;

  if (n->matrix == NULL)
    return;
  ls_network_heading (n, area.x, area.w, _("Confusion"), (const char *const[]) { batch, NULL });
  y = matrix (n, area);
  y = score (n, (LsArea){ area.x, y, area.w, 0 }) + 4 * m->unit;
  mistakes (n, (LsArea){ area.x, y, area.w, area.y + area.h - y });
}
