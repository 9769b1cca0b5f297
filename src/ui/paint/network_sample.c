/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The sample as the network sees it; of toy data the whole batch, each sample a point of the plane, the shown one framed.
 */
#include "config.h"
#include "ui/paint/network.h"

#include <math.h>
#include <glib/gi18n-lib.h>

#include "ui/paint/number.h"
#include "ui/paint/tiles.h"

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
  ls_scene_image (n->layout->still, x, y, w, h, LS_INK_AMOUNT, picture, (guint) layer->cols, (guint) layer->rows, (double) (n->high - n->low));
}

double
ls_network_button_height (const LsNetwork *n)
{
  return MAX (n->layout->m.projector ? 44 : 26, n->layout->m.label.px * 1.7);
}

double
ls_network_button (const LsNetwork *n, LsArea *area, double x, double y, double right, const char *text, gboolean chosen)
{
  const LsMetrics *m = &n->layout->m;
  const double h = ls_network_button_height (n), w = MAX (h * 1.3, ls_scene_width (n->layout->still, m->label, text) + 5 * m->unit);
  LsScene *s = n->layout->still;

  *area = (LsArea){ 0 };
  if (x + w > right)
    return x;
  *area = (LsArea){ x, y, w, h };
  ls_scene_box (s, x, y, w, h, LS_INK_CHOSEN, 0)->size = 6;
  ls_scene_text (s, x + w / 2, y + h / 2 + m->label.px * .36, chosen ? (LsType){ m->label.px, 700 } : m->label, LS_INK_TEXT, LS_CENTER, text)->strong = TRUE;
  if (chosen)
    ls_scene_box (s, x + 6, y + h - 3, w - 12, 2, LS_INK_TEXT, 0);
  return x + w;
}

/* "sample 3 of 128", "test sample 3 107 of 10 000", "drawn": the long one, and where there is less room. */
static void
place_words (const LsNetwork *n, char *words[2])
{
  const LsAnswer *answer = n->own ? n->answers[n->side] : NULL;

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

static void
captions (LsNetwork *n, double y)
{
  const LsMetrics *m = &n->layout->m;
  const LsNetworkLayer *x = &n->layers[0];
  const gint label = n->label;
  const double line = m->label.px * 1.5, left = n->sample_area.x, w = n->sample_area.w;
  LsScene *s = n->layout->still;
  g_autofree char *size = n->image_rows > 0 ? g_strdup_printf ("%lld×%lld", (long long) x->rows, (long long) x->cols) : NULL;
  g_autofree char *labelled = label >= 0 ? g_strdup_printf (_("labelled %d"), label) : g_strdup (n->layout->query.own == LS_OWN_DRAWN && n->own ? _("drawn") : _("no label"));
  g_autofree char *both = size != NULL ? g_strdup_printf ("%s, %s", size, labelled) : g_strdup (labelled);
  char *place[2];

  y += line;
  ls_tiles_say (s, left, y, w, m->body, LS_INK_TEXT, LS_LEFT, (const char *const[]) { both, labelled, NULL });
  y += line;
  if (ls_tiles_marked (s, m, left, y, w, LS_EVIDENCE_MEASURED, LS_INK_QUIET, n->plane ? _("the batch’s points; ringed: wrong") : _("as the network sees it")) <= left)
    ls_tiles_marked (s, m, left, y, w, LS_EVIDENCE_MEASURED, LS_INK_QUIET, n->plane ? _("ringed: wrong") : _("as it is seen"));
  y += m->label.px * .7;
  ls_network_button (n, &n->back, left, y, left + w, "◂", FALSE);
  ls_network_button (n, &n->on, left + n->back.w + m->unit, y, left + w, "▸", FALSE);
  const double at = left + n->back.w + n->on.w + 3 * m->unit;
  place_words (n, place);
  ls_tiles_say (s, at, y + n->on.h / 2 + m->label.px * .36, left + w - at, m->label, LS_INK_QUIET, LS_LEFT, (const char *const[]) { place[0], place[1], NULL });
  g_free (place[0]);
  g_free (place[1]);
}

double
ls_network_captions_height (const LsNetwork *n)
{
  const LsMetrics *m = &n->layout->m;

  return m->label.px * 3.7 + ls_network_button_height (n) + 2 * m->unit;
}

void
ls_network_sample (LsNetwork *n, LsArea area)
{
  const double below = ls_network_captions_height (n);
  double size = floor (MIN (area.w, area.h - below));

  if (!n->plane && n->image_rows == 0)
    size = 0;
  /* whole pixels for each of the image's */
  if (n->image_cols > 0 && n->image_rows == n->image_cols && size > (double) n->image_cols)
    size = floor (size / (double) n->image_cols) * (double) n->image_cols;
  n->sample_area = (LsArea){ area.x, area.y + MAX (0, floor ((area.h - below - size) * .4)), size > 0 ? size : area.w, size };
  ls_network_heading (n, area.x, area.w, n->plane ? _("Samples") : _("Sample"), NULL);
  if (size > 0 && n->plane)
    ls_network_plane (n, (LsArea){ n->sample_area.x, n->sample_area.y, size, size }, n->layout->query.page == LS_NETWORK_TEST ? -1 : n->side);
  else if (size > 0)
    {
      const double w = n->image_cols >= n->image_rows ? size : size * (double) n->image_cols / (double) n->image_rows;
      const double h = n->image_rows >= n->image_cols ? size : size * (double) n->image_rows / (double) n->image_cols;
      ls_scene_box (n->layout->still, n->sample_area.x - 1, n->sample_area.y - 1, w + 2, h + 2, LS_INK_EDGE, 0);
      ls_network_image (n, ls_network_values (n, &n->layers[0], n->side, n->at), n->sample_area.x, n->sample_area.y, w, h);
    }
  n->sample_area.w = area.w;
  captions (n, n->sample_area.y + size);
  n->sample_area.w = size;
}
