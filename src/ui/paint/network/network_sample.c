/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The sample as the network sees it; of toy data the whole batch, each sample a point of the plane, the shown
 * one framed.
 */
#include "config.h"
#include "ui/paint/network/network.h"

#include <math.h>
#include <glib/gi18n-lib.h>

#include "core/number.h"
#include "ui/paint/parts/text.h"

const float *
ls_network_input (const LsNetwork *n, gint64 sample)
{
  return n->inputs + sample * ls_network_count (&n->layers[0]);
}

void
ls_network_image (const LsNetwork *n, const float *values, double x, double y, double w, double h)
{
  const LsNetworkLayer *layer = &n->layers[0];
  const gint64 size = layer->rows * layer->cols;
  g_autofree float *picture = g_new (float, (gsize) size);

  for (gint64 i = 0; i < size; i++)
    {
      double sum = 0;
      for (gint64 c = 0; c < layer->units; c++)
        sum += (double) values[c * size + i];
      picture[i] = (float) (sum / (double) layer->units - (double) n->low);
    }
  ls_scene_image (n->layout->still, x, y, w, h, LS_INK_AMOUNT, picture, (guint) layer->cols,
                  (guint) layer->rows, (double) (n->high - n->low));
}

double
ls_network_button_height (const LsNetwork *n)
{
  return MAX (n->layout->m.projector ? 44 : 26, n->layout->m.label.px * 1.7);
}

double
ls_network_button (const LsNetwork *n, LsArea *area, double x, double y, double right, const char *text,
                   gboolean chosen)
{
  const LsMetrics *m = &n->layout->m;
  const double h = ls_network_button_height (n),
               w = MAX (h * 1.3, ls_scene_width (n->layout->still, m->label, text) + 5 * m->unit);
  LsScene *s = n->layout->still;

  *area = (LsArea){ 0 };
  if (x + w > right)
    return x;
  *area = (LsArea){ x, y, w, h };
  ls_scene_box (s, x, y, w, h, LS_INK_CHOSEN, 0)->size = 6;
  ls_scene_text (s, x + w / 2, y + h / 2 + m->label.px * .36,
                 chosen ? (LsType){ m->label.px, 700 } : m->label, LS_INK_TEXT, LS_CENTER, text)
    ->strong
    = TRUE;
  if (chosen)
    ls_scene_box (s, x + 6, y + h - 3, w - 12, 2, LS_INK_TEXT, 0);
  return x + w;
}

const LsEvaluation *
ls_network_evaluation (const LsNetwork *n)
{
  return n->evaluations[n->side] != NULL ? n->evaluations[n->side] : n->evaluations[1 - n->side];
}

/* "sample 3 of 128", "test sample 3 107 of 10 000", "drawn": the long one, and where there is less room. */
static void
place_words (const LsNetwork *n, char *words[2])
{
  const LsAnswer *answer = n->own ? n->answers[n->side] : NULL;

  if (n->kept >= 0)
    {
      g_autofree char *kept = ls_number_count (ls_network_evaluation (n)->worst[n->kept].sample);
      words[0] = g_strdup_printf (_("test sample %s"), kept);
      words[1] = g_strdup (kept);
      return;
    }
  if (answer == NULL)
    {
      words[0] = g_strdup_printf (_("sample %lld of %lld"), (long long) n->sample + 1, (long long) n->batch);
      words[1] = g_strdup_printf ("%lld / %lld", (long long) n->sample + 1, (long long) n->batch);
      return;
    }
  g_autofree char *steps = ls_number_count (answer->steps);
  if (answer->question->what == LS_ASKED_DRAWN)
    {
      words[0] = g_strdup_printf (_("as of step %s"), steps);
      words[1] = g_strdup (steps);
      return;
    }
  g_autofree char *number = ls_number_count ((guint64) answer->question->number);
  words[0] = g_strdup_printf (_("test sample %s"), number);
  words[1] = g_strdup (number);
}

/* Of what has no label. (transfer full) */
static char *
drawn_words (const LsNetwork *n)
{
  g_autofree char *read = n->own && ls_network_drawing (n) ? ls_network_pad_words (n, FALSE) : NULL;

  if (read != NULL)
    return g_steal_pointer (&read);
  return g_strdup (!ls_network_drawing (n) ? _("no label") : n->own ? _("drawn") : _("until you draw"));
}

static void
captions (LsNetwork *n, double y)
{
  const LsMetrics *m = &n->layout->m;
  const LsNetworkLayer *x = &n->layers[0];
  const LsEvaluation *evaluation = ls_network_evaluation (n);
  const gint label = n->kept >= 0 ? (gint) evaluation->labels[evaluation->worst[n->kept].sample] : n->label;
  const double line = m->label.px * 1.5, left = n->sample_area.x, w = n->sample_area.w;
  LsScene *s = n->layout->still;
  g_autofree char *size = n->image_rows > 0
                            ? g_strdup_printf ("%lld×%lld", (long long) x->rows, (long long) x->cols)
                            : NULL;
  g_autofree char *class = ls_network_class (n, label),
                  *said = ls_network_class (
                    n, n->kept >= 0 ? (gint) evaluation->predicted[evaluation->worst[n->kept].sample] : -1);
  g_autofree char *labelled = label >= 0 ? g_strdup_printf (_("labelled %s"), class) : drawn_words (n);
  g_autofree char *both = size != NULL ? g_strdup_printf ("%s, %s", size, labelled) : g_strdup (labelled);
  char *place[2];

  y += line;
  g_autofree char *read = n->own && ls_network_drawing (n) ? ls_network_pad_words (n, TRUE) : NULL;
  ls_text_fit (s, left, y, w, m->body, LS_INK_TEXT, LS_LEFT,
               (const char *const[]){ both, labelled, read != NULL ? read : _("drawn"), NULL });
  g_autofree char *sure = n->kept >= 0
                            ? ls_number_text (100 * (double) evaluation->worst[n->kept].confidence, 3)
                            : NULL;
  g_autofree char *wrong = n->kept >= 0 ? g_strdup_printf (_("said to be %s, with %s %%"), said, sure)
                                        : NULL;
  g_autofree char *short_wrong = n->kept >= 0 ? g_strdup_printf ("%s → %s, %s %%", class, said, sure) : NULL;
  const char *seen = wrong != NULL    ? wrong
                     : n->plane       ? _("the batch’s points; ringed: wrong")
                     : n->pad_instead ? _("as it was drawn")
                                      : _("as the network sees it");
  y += line;
  if (ls_text_marked (s, m, left, y, w, LS_EVIDENCE_MEASURED, LS_INK_QUIET, seen) <= left)
    ls_text_marked (s, m, left, y, w, LS_EVIDENCE_MEASURED, LS_INK_QUIET,
                    wrong != NULL    ? short_wrong
                    : n->plane       ? _("ringed: wrong")
                    : n->pad_instead ? _("drawn")
                                     : _("as it is seen"));
  y += m->label.px * .7;
  ls_network_button (n, &n->back, left, y, left + w, "◂", FALSE);
  ls_network_button (n, &n->on, left + n->back.w + m->unit, y, left + w, "▸", FALSE);
  const double at = left + n->back.w + n->on.w + 3 * m->unit;
  place_words (n, place);
  ls_text_fit (s, at, y + n->on.h / 2 + m->label.px * .36, left + w - at, m->label, LS_INK_QUIET, LS_LEFT,
               (const char *const[]){ place[0], place[1], NULL });
  g_free (place[0]);
  g_free (place[1]);
}

double
ls_network_captions_height (const LsNetwork *n)
{
  const LsMetrics *m = &n->layout->m;

  return m->label.px * 3.7 + ls_network_button_height (n) + 2 * m->unit;
}

/* ---- the batch's samples, as many as there is room for ---- */

/* Returns the height that it takes, 0: there is no room, or there are no images. */
static double
place_strip (LsNetwork *n, LsArea area, double room)
{
  const double unit = n->layout->m.unit, least = 8.5 * unit * n->grow;
  guint cols, rows;

  n->strip.w = 0;
  if (n->image_rows == 0 || n->batch < 2 || n->layout->m.projector || n->pad_instead
      || n->image_rows * n->image_cols > 64 * 64)
    return 0;
  cols = (guint) MAX (1, floor (area.w / least));
  n->strip_cell = floor (area.w / cols);
  rows = (guint) MAX (0, floor ((room - 3 * unit) / n->strip_cell));
  rows = (guint) MIN ((gint64) rows, (n->batch + cols - 1) / cols);
  rows = MIN (rows, 8);
  if (rows == 0)
    return 0;
  n->strip_cols = cols;
  n->strip_rows = rows;
  n->strip_first = MAX (n->sample, 0) / (cols * rows) * (cols * rows);
  n->strip = (LsArea){ area.x, 0, n->strip_cell * cols, n->strip_cell * rows };
  return n->strip.h + 3 * unit;
}

/* Each as the network sees it, those that it takes for another class underlined. */
static void
draw_strip (const LsNetwork *n)
{
  const double unit = n->layout->m.unit, size = n->strip_cell - 1.5 * unit;
  const double w = n->image_cols >= n->image_rows ? size
                                                  : size * (double) n->image_cols / (double) n->image_rows;
  const double h = n->image_rows >= n->image_cols ? size
                                                  : size * (double) n->image_rows / (double) n->image_cols;
  LsScene *s = n->layout->still;

  for (gint64 i = 0; i < (gint64) n->strip_cols * n->strip_rows && n->strip_first + i < n->batch; i++)
    {
      const gint64 sample = n->strip_first + i;
      const double x = n->strip.x + n->strip_cell * (double) (i % n->strip_cols),
                   y = n->strip.y + n->strip_cell * (double) (i / n->strip_cols);
      ls_network_image (n, ls_network_input (n, sample), x, y, w, h);
      if (n->batch_probs[n->side] != NULL && ls_network_label (n, sample) >= 0
          && ls_network_label (n, sample) != ls_network_predicted (n, n->side, sample))
        ls_scene_box (s, x, y + h + 1, w, 2, LS_INK_TEXT, 0);
      if (!n->own && n->kept < 0 && sample == n->sample)
        ls_scene_mark (s, LS_ITEM_FRAME, x, y, w, h, LS_INK_TEXT, 0);
    }
}

void
ls_network_sample (LsNetwork *n, LsArea area)
{
  const double below = ls_network_captions_height (n);
  double size = floor (MIN (area.w, area.h - below)), strip;

  if (!n->plane && n->image_rows == 0)
    size = 0;
  /* whole pixels for each of the image's */
  if (n->image_cols > 0 && n->image_rows == n->image_cols && size > (double) n->image_cols)
    size = floor (size / (double) n->image_cols) * (double) n->image_cols;
  strip = place_strip (n, area, area.h - below - size);
  n->sample_area = (LsArea){ area.x, area.y + MAX (0, floor ((area.h - below - size - strip) * .4)),
                             size > 0 ? size : area.w, size };
  ls_network_heading (n, area.x, area.w,
                      n->plane         ? _("Samples")
                      : n->pad_instead ? _("Draw")
                                       : _("Sample"),
                      NULL);
  if (size > 0 && n->plane)
    ls_network_plane (n, (LsArea){ n->sample_area.x, n->sample_area.y, size, size },
                      n->asked->page == LS_NETWORK_TEST ? -1 : n->side);
  else if (size > 0 && !n->pad_instead)
    {
      const double w = n->image_cols >= n->image_rows
                         ? size
                         : size * (double) n->image_cols / (double) n->image_rows;
      const double h = n->image_rows >= n->image_cols
                         ? size
                         : size * (double) n->image_rows / (double) n->image_cols;
      ls_scene_box (n->layout->still, n->sample_area.x - 1, n->sample_area.y - 1, w + 2, h + 2, LS_INK_EDGE,
                    0);
      ls_network_image (n,
                        n->kept >= 0 ? ls_network_evaluation (n)->values
                                         + n->kept * ls_network_evaluation (n)->sample_size
                                     : ls_network_values (n, &n->layers[0], n->side, n->at),
                        n->sample_area.x, n->sample_area.y, w, h);
    }
  n->sample_area.w = area.w;
  captions (n, n->sample_area.y + size);
  if (n->strip.w > 0)
    {
      n->strip.y = n->sample_area.y + size + below + n->layout->m.unit;
      draw_strip (n);
    }
  n->sample_area.w = size;
}
