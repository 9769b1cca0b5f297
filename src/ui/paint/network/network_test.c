/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What is right and wrong: the confusion matrix and the worst mistakes, of the whole test set where it was
 * gone through, else of the recorded batch. Beside the layers the drawn lane's; as a page both lanes'.
 */
#include "config.h"
#include "ui/paint/network/network.h"

#include <math.h>
#include <glib/gi18n-lib.h>

#include "core/number.h"
#include "ui/paint/parts/text.h"

#define NAMES   .3  /* of the width may be the classes' names */
#define PRINTED 20u /* counts beside the diagonal from here on are printed, if there are so many */

/* One lane's counts, label × said. */
typedef struct {
  const guint *counts;
  gint side;
  gboolean test; /* of the test set */
  guint most, printed;
} Matrix;

static float
shade (const Matrix *matrix, guint count)
{
  /* of a test set the diagonal is a hundred times as high as what stands beside it */
  return matrix->test ? logf (1 + (float) count) / logf (1 + (float) matrix->most)
                      : (float) count / (float) matrix->most;
}

static void
matrix_texts (const LsNetwork *n, const Matrix *matrix, double cell, double labels)
{
  const LsMetrics *m = &n->layout->m;
  const double x = n->matrix_area[matrix->side].x, y = n->matrix_area[matrix->side].y;
  LsScene *s = n->layout->still;

  for (gint i = 0; i < n->n_classes; i++)
    {
      g_autofree char *across = ls_network_class_in (n, i, m->tick, cell - 2),
                      *down = ls_network_class_in (n, i, m->tick, n->class_names != NULL ? labels : cell - 2);
      if (cell < m->tick.px)
        continue;
      if (*across != '\0')
        ls_scene_text (s, x + cell * (i + .5), y - m->unit, m->tick, LS_INK_QUIET, LS_CENTER, across);
      if (*down != '\0')
        ls_scene_text (s, x - 1.5 * m->unit, y + cell * (i + .5) + m->tick.px * .36, m->tick, LS_INK_QUIET,
                       LS_RIGHT, down);
    }
  for (gint i = 0; i < n->n_classes * n->n_classes; i++)
    {
      const gint row = i / n->n_classes, col = i % n->n_classes;
      const guint count = matrix->counts[i];
      g_autofree char *text = g_strdup_printf ("%u", count);
      if (count == 0 || (row == col && cell < 2 * m->tick.px) || (row != col && count < matrix->printed)
          || cell < MAX (m->tick.px * 1.05, ls_scene_width (s, m->tick, text) + 2))
        continue;
      ls_scene_text (s, x + cell * (col + .5), y + cell * (row + .5) + m->tick.px * .36, m->tick,
                     LS_INK_ON_AMOUNT, LS_CENTER, text)
        ->strong
        = TRUE;
      ls_scene_get (s, s->items->len - 1)->value = shade (matrix, count);
    }
}

/* Returns its foot. */
static double
draw_matrix (LsNetwork *n, LsArea area, const Matrix *matrix)
{
  const LsMetrics *m = &n->layout->m;
  const guint count = (guint) n->n_classes;
  const double labels = ls_network_class_width (n, m->tick, "00", area.w * NAMES) + 2 * m->unit;
  const double cell = floor (
    MIN (MIN ((area.w - labels) / count, (area.h - m->tick.px * 1.2) / count), 14 * m->unit * n->grow));
  const gboolean shown = n->label >= 0 && n->predicted >= 0 && (matrix->test ? n->own : !n->own);
  g_autofree float *shades = g_new (float, (gsize) count *count);
  LsArea *at = &n->matrix_area[matrix->side];
  LsScene *s = n->layout->still;

  if (cell < 5)
    return area.y;
  for (guint i = 0; i < count * count; i++)
    shades[i] = shade (matrix, matrix->counts[i]);
  n->matrix_cell[matrix->side] = cell;
  *at = (LsArea){ area.x + labels, area.y + m->tick.px * 1.2, cell * count, cell * count };
  ls_scene_image (s, at->x, at->y, at->w, at->h, LS_INK_AMOUNT, shades, count, count, 1)->evidence
    = matrix->test ? LS_EVIDENCE_MEASURED : LS_EVIDENCE_DERIVED;
  for (guint i = 1; i < count; i++)
    {
      ls_scene_box (s, at->x + cell * i - 1, at->y, 1, at->h, LS_INK_WINDOW, 0);
      ls_scene_box (s, at->x, at->y + cell * i - 1, at->w, 1, LS_INK_WINDOW, 0);
    }
  matrix_texts (n, matrix, cell, labels - 2 * m->unit);
  if (shown)
    ls_scene_mark (s, LS_ITEM_FRAME, at->x + cell * n->predicted, at->y + cell * n->label, cell - 1, cell - 1,
                   LS_INK_TEXT, 0);
  return at->y + at->h;
}

/* Of the test set, if that side's is known, else of the batch. (counts: transfer full) */
static Matrix
matrix_of (const LsNetwork *n, gint side, guint **counts)
{
  const gsize size = (gsize) n->n_classes * (gsize) n->n_classes;
  Matrix matrix = { .side = side, .test = n->evaluations[side] != NULL, .most = 1 };
  guint beside = 0;

  *counts = g_new0 (guint, size);
  if (matrix.test)
    ls_evaluation_count (n->evaluations[side], *counts);
  for (gsize i = 0; i < size; i++)
    {
      if (!matrix.test)
        (*counts)[i] = n->matrix[i];
      matrix.most = MAX (matrix.most, (*counts)[i]);
      if (i / (gsize) n->n_classes != i % (gsize) n->n_classes)
        beside = MAX (beside, (*counts)[i]);
    }
  matrix.counts = *counts;
  matrix.printed = matrix.test ? MIN (PRINTED, MAX (1, beside / 2)) : 1;
  return matrix;
}

/* How many test samples the lanes say something different of; −1: not known. */
static gint
otherwise (const LsNetwork *n)
{
  const LsEvaluation *a = n->evaluations[0], *b = n->evaluations[1];
  gint count = 0;

  if (a == NULL || b == NULL || a->n != b->n || a->steps != b->steps)
    return -1;
  for (guint i = 0; i < a->n; i++)
    count += a->predicted[i] != b->predicted[i];
  return count;
}

/* "right 97.2 %" and of how many; returns its foot. */
static double
score (const LsNetwork *n, LsArea area, gint side, gboolean words)
{
  const LsMetrics *m = &n->layout->m;
  const LsEvaluation *evaluation = n->evaluations[side];
  const LsType bold = { m->label.px, 700 };
  const guint right = evaluation != NULL ? evaluation->n_right : n->n_right;
  /* those without a label are neither right nor wrong */
  const gint64 all = evaluation != NULL ? (gint64) evaluation->n : (gint64) (n->n_right + n->wrong->len);
  const gint other = otherwise (n);
  const LsEvidence evidence = evaluation != NULL ? LS_EVIDENCE_MEASURED : LS_EVIDENCE_DERIVED;
  LsScene *s = n->layout->still;
  g_autofree char *part = ls_number_text (100.0 * right / (double) MAX (all, 1), 3),
                  *count = ls_number_count ((guint64) all), *predicted = ls_number_count (right);
  g_autofree char *share = g_strdup_printf (_("right %s %%"), part),
                  *of = g_strdup_printf (_("%s of %s"), predicted, count);
  g_autofree char *differ = ls_number_count ((guint64) MAX (other, 0));
  g_autofree char *agree = other == 0 ? g_strdup (_("the lanes say the same"))
                                      : g_strdup_printf (_("%s said otherwise by the other lane"), differ);
  g_autofree char *brief = other == 0 ? g_strdup (_("both lanes the same"))
                                      : g_strdup_printf (_("%s said otherwise"), differ);
  double y = area.y + m->label.px * 1.4, x;

  if (words && n->matrix_area[side].w > 0
      && ls_text_fit (s, area.x, y, area.w, m->label, LS_INK_QUIET, LS_LEFT,
                      evaluation != NULL
                        ? (const char *const[]){ _("down: true, across: said; the shade is logarithmic"),
                                                 _("down: true, across: said; log shade"), _("log shade"),
                                                 NULL }
                        : (const char *const[]){ _("down: true, across: said"), NULL }))
    y += m->label.px * 1.5;
  if (all == 0 || m->evidence + 7 + ls_scene_width (s, bold, share) > area.w)
    return y;
  ls_scene_evidence (s, area.x, y - m->label.px * .36 - m->evidence / 2, m->evidence, evidence, LS_INK_TEXT);
  x = ls_item_right (ls_scene_text (s, area.x + m->evidence + 7, y, bold, LS_INK_TEXT, LS_LEFT, share))
      + 2 * m->unit;
  ls_text_fit (s, x, y, area.x + area.w - x, m->label, LS_INK_QUIET, LS_LEFT,
               (const char *const[]){ of, NULL });
  if (other >= 0
      && ls_text_fit (s, area.x, y + m->label.px * 1.5, area.w, m->label, LS_INK_QUIET, LS_LEFT,
                      (const char *const[]){ agree, brief, NULL }))
    y += m->label.px * 1.5;
  return y;
}

/* ---- the worst mistakes ---- */

typedef struct {
  const float *values;
  gint label, predicted;
  double confidence;
  gboolean shown;
} Mistake;

static guint
count_mistakes (const LsNetwork *n, gint side)
{
  return n->evaluations[side] != NULL && n->evaluations[side]->values != NULL ? n->evaluations[side]->n_worst
         : n->evaluations[side] != NULL                                       ? 0
                                                                              : n->wrong->len;
}

static Mistake
mistake_of (const LsNetwork *n, gint side, guint i)
{
  const LsEvaluation *evaluation = n->evaluations[side];

  if (evaluation != NULL)
    {
      const LsMistake *m = &evaluation->worst[i];
      const LsAnswer *answer = n->own ? n->answers[n->side] : NULL;
      return (Mistake){ evaluation->values + (gsize) i * (gsize) evaluation->sample_size,
                        evaluation->labels[m->sample], evaluation->predicted[m->sample],
                        (double) m->confidence,
                        n->kept == (gint) i
                          || (answer != NULL && answer->question->what == LS_ASKED_TEST
                              && answer->question->number == m->sample) };
    }
  const gint64 sample = g_array_index (n->wrong, gint64, i);
  const gint predicted = ls_network_predicted (n, side, sample);
  return (Mistake){ ls_network_input (n, sample), ls_network_label (n, sample), predicted,
                    (double) n->batch_probs[side][sample * n->n_classes + predicted], sample == n->sample };
}

static void
thumb (const LsNetwork *n, const Mistake *mistake, double x, double y, double size)
{
  const LsMetrics *m = &n->layout->m;
  LsScene *s = n->layout->still;
  g_autofree char *sure = ls_number_text (mistake->confidence, 2);
  const double half = (n->thumb_w - 4 - ls_scene_width (s, m->tick, " → ")) / 2;
  g_autofree char *label = ls_network_class_in (n, mistake->label, m->tick, half),
                  *predicted = ls_network_class_in (n, mistake->predicted, m->tick, half);
  g_autofree char *brief = g_strdup_printf ("%s → %s", label, predicted),
                  *words = g_strdup_printf ("%s, %s", brief, sure);

  ls_scene_box (s, x - 1, y - 1, size + 2, size + 2, LS_INK_EDGE, 0);
  ls_network_image (n, mistake->values, x, y, size, size);
  ls_text_fit (s, x + size / 2, y + size + m->tick.px * 1.1, n->thumb_w - 4, m->tick, LS_INK_TEXT, LS_CENTER,
               (const char *const[]){ words, brief, NULL });
  if (mistake->shown)
    ls_scene_mark (s, LS_ITEM_FRAME, x, y, size, size, LS_INK_TEXT, 0);
}

static void
mistakes (LsNetwork *n, LsArea area, double least)
{
  const LsMetrics *m = &n->layout->m;
  const gint side = n->evaluations[n->side] == NULL && n->evaluations[1 - n->side] != NULL ? 1 - n->side
                                                                                           : n->side;
  const double text = m->tick.px * 1.35, gap = 2 * m->unit, bottom = area.y + area.h;
  const guint count = count_mistakes (n, side);
  LsScene *s = n->layout->still;
  const double below = area.y + m->heading.px + 2.5 * m->unit;
  double y = area.y + m->heading.px, w;
  guint rows;

  if (n->image_rows == 0 || area.h < m->heading.px * 2 + 10 * m->unit
      || ls_scene_width (s, m->heading, _("Worst mistakes")) > area.w
      || (n->evaluations[side] != NULL
          && n->evaluations[side]->sample_size != ls_network_count (&n->layers[0])))
    return;
  n->thumb_cols = (guint) MAX (2, floor (area.w / least));
  if (count > 0 && below + floor (area.w / n->thumb_cols) - gap + text + 1.5 * m->unit > bottom)
    return;
  w = ls_item_right (ls_scene_text (s, area.x, y, m->heading, LS_INK_TEXT, LS_LEFT, _("Worst mistakes")))
      + gap;
  if (count > 0)
    ls_text_fit (s, w, y, area.x + area.w - w, m->label, LS_INK_QUIET, LS_LEFT,
                 (const char *const[]){ _("true → said, how surely"), _("true → said"), NULL });
  y = below;
  if (count == 0)
    {
      ls_text_fit (s, area.x, y + m->label.px, area.w, m->label, LS_INK_QUIET, LS_LEFT,
                   (const char *const[]){
                     n->evaluations[side] != NULL ? _("None is kept.") : _("None in this batch."), NULL });
      return;
    }
  /* as large as all of them fit */
  while (n->thumb_cols > 2)
    {
      const double larger = floor (area.w / (n->thumb_cols - 1));
      if (((count + n->thumb_cols - 2) / (n->thumb_cols - 1)) * (larger - gap + text + 1.5 * m->unit)
          > bottom - y)
        break;
      n->thumb_cols--;
    }
  n->thumb_w = floor (area.w / n->thumb_cols);
  n->thumb_h = n->thumb_w - gap + text + 1.5 * m->unit;
  rows = (guint) MAX (0, (bottom - y) / n->thumb_h);
  n->n_thumbs = MIN (count, rows * n->thumb_cols);
  n->thumbs_of_test = n->evaluations[side] != NULL;
  n->wrong_area = (LsArea){ area.x, y, area.w, bottom - y };
  for (guint i = 0; i < n->n_thumbs; i++)
    {
      const Mistake mistake = mistake_of (n, side, i);
      thumb (n, &mistake, area.x + n->thumb_w * (i % n->thumb_cols), y + n->thumb_h * (i / n->thumb_cols),
             n->thumb_w - gap);
    }
}

/* ---- places ---- */

/* Heading, matrix and score of one lane; returns the foot. */
static double
confusion (LsNetwork *n, LsArea area, gint side, const char *heading, const char *brief, gboolean words)
{
  const LsMetrics *m = &n->layout->m;
  const LsEvaluation *evaluation = n->evaluations[side];
  g_autofree char *count = ls_number_count (evaluation != NULL ? evaluation->n : 0),
                  *steps = ls_number_count (evaluation != NULL ? evaluation->steps : 0);
  g_autofree char *batch = g_strdup_printf (_("this batch of %lld"), (long long) n->batch);
  g_autofree char *test = g_strdup_printf (_("test set, %s, after step %s"), count, steps),
                  *less = g_strdup_printf (_("test set, %s"), count);
  g_autofree guint *counts = NULL;
  const Matrix matrix = matrix_of (n, side, &counts);
  double y;

  ls_network_heading (
    n, area.x, area.w,
    brief != NULL && ls_scene_width (n->layout->still, m->heading, heading) > area.w ? brief : heading,
    evaluation != NULL ? (const char *const[]){ test, less, NULL } : (const char *const[]){ batch, NULL });
  y = draw_matrix (n, area, &matrix);
  return score (n, (LsArea){ area.x, y, area.w, 0 }, side, words);
}

void
ls_network_side (LsNetwork *n, LsArea area)
{
  const LsMetrics *m = &n->layout->m;
  const gint side = n->evaluations[n->side] == NULL && n->evaluations[1 - n->side] != NULL ? 1 - n->side
                                                                                           : n->side;
  const gboolean pad = ls_network_has_pad (n);
  double y;

  if (n->plane && n->grids[1 - n->side] != NULL)
    {
      ls_network_planes (n, area);
      return;
    }
  if (n->matrix == NULL && n->evaluations[side] == NULL)
    return;
  if (pad)
    {
      /* the pad has its room first */
      const double texts = m->label.px * 3.6, room = area.h - m->heading.px * 1.7 - 34 * m->unit - texts;
      y = confusion (n, (LsArea){ area.x, area.y, area.w, MAX (room, 24 * m->unit) }, side, _("Confusion"),
                     NULL, FALSE)
          + 4 * m->unit;
    }
  else
    y = confusion (n, (LsArea){ area.x, area.y, area.w, area.h - m->label.px * 4.8 }, side, _("Confusion"),
                   NULL, TRUE)
        + 4 * m->unit;
  if (pad)
    y = ls_network_pad (n, (LsArea){ area.x, y, area.w, area.y + area.h - y }, TRUE) + 3 * m->unit;
  mistakes (n, (LsArea){ area.x, y, area.w, area.y + area.h - y }, 14.5 * m->unit * n->grow);
}

/* Both lanes' matrices, and the mistakes as large as there is room. */
void
ls_network_test (LsNetwork *n, LsArea area)
{
  const LsMetrics *m = &n->layout->m;
  const gboolean two = n->evaluations[0] != NULL && n->evaluations[1] != NULL, thumbs = n->image_rows > 0;
  const double text = m->label.px * 4.6, gap = MAX (m->gutter, 6 * m->unit);
  const double labels = ls_network_class_width (n, m->tick, "00", area.w * NAMES) + 2 * m->unit;
  const double most = MIN (area.h - text - m->tick.px, 14 * m->unit * n->grow * n->n_classes) + labels;
  const double each = MIN (most, thumbs ? area.w * (two ? .31 : .5) : (area.w - gap) / 2);
  double x = area.x;

  if (n->plane && (n->grids[0] != NULL || n->grids[1] != NULL))
    {
      ls_network_planes (n, area);
      return;
    }
  if (n->matrix == NULL && !two && n->evaluations[0] == NULL && n->evaluations[1] == NULL)
    {
      ls_text_wrapped (n->layout->still, area.x, area.y, area.w, m->label, LS_INK_QUIET,
                       _("The labels were not recorded."), TRUE);
      return;
    }
  for (gint side = 0; side < LS_SIDES; side++)
    {
      const gboolean shown = two || n->evaluations[side] != NULL
                             || (n->evaluations[1 - side] == NULL && side == n->side);
      if (!shown)
        continue;
      g_autofree char *name = g_strdup_printf (_("Confusion, %s"), n->layout->data->sides[side].name);
      confusion (n, (LsArea){ x, area.y, each, area.h - text }, side, name, n->layout->data->sides[side].name,
                 TRUE);
      x += each + gap;
    }
  if (area.x + area.w - x > 24 * m->unit)
    mistakes (n,
              (LsArea){ x, n->top - m->heading.px * 1.8, area.x + area.w - x,
                        area.y + area.h - n->top + m->heading.px * 1.8 },
              16 * m->unit * n->grow);
}
