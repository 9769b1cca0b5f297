/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The sample as the network sees it; of toy data the whole batch, each sample a point of the plane, the shown one framed.
 */
#include "config.h"
#include "ui/paint/network.h"

#include <math.h>
#include <glib/gi18n-lib.h>

#include "ui/paint/tiles.h"

void
ls_network_image (const LsNetwork *n, gint64 sample, double x, double y, double w, double h)
{
  const LsNetworkLayer *layer = &n->layers[0];
  const gint64 size = layer->rows * layer->cols;
  const float *values = ls_network_values (n, layer, n->side, sample);
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

/* Of two classes the ends of the signed ramp, of more the workers' colours: nobody works here. */
static LsItem *
begin_dots (const LsNetwork *n, gint label, double size)
{
  LsScene *s = n->layout->still;

  if (label < 0)
    return ls_scene_path (s, LS_ITEM_DOTS, LS_INK_QUIET, 0, size);
  if (n->n_classes <= 2)
    return ls_scene_path (s, LS_ITEM_DOTS, LS_INK_SIGN, label == 0 ? -1 : 1, size);
  return ls_scene_path (s, LS_ITEM_DOTS, LS_INK_WORKER, label, size);
}

static void
point_of (const LsNetwork *n, gint64 sample, double *x, double *y)
{
  const float *at = ls_network_values (n, &n->layers[0], n->side, sample);
  const double most = MAX (fabs ((double) n->low), fabs ((double) n->high)) * 1.06, r = n->sample_area.w / 2;
  const double px = isfinite (at[0]) ? (double) at[0] : 0, py = isfinite (at[1]) ? (double) at[1] : 0;

  *x = n->sample_area.x + r + (most > 0 ? px / most * r : 0);
  *y = n->sample_area.y + r - (most > 0 ? py / most * r : 0);
}

/* Wrong ones have a ring round them, which the program worked out. */
static void
points (const LsNetwork *n)
{
  const double size = CLAMP (n->sample_area.w / (n->batch > 400 ? 90 : 60), 4, 1.75 * n->layout->m.unit);
  const LsArea *area = &n->sample_area;
  LsScene *s = n->layout->still;
  double x, y;

  ls_scene_box (s, area->x, area->y, area->w, area->h, LS_INK_CARD, 0)->size = 6;
  ls_scene_segment (s, area->x, area->y + area->h / 2, area->x + area->w, area->y + area->h / 2, LS_INK_EDGE, n->layout->style.hairline);
  ls_scene_segment (s, area->x + area->w / 2, area->y, area->x + area->w / 2, area->y + area->h, LS_INK_EDGE, n->layout->style.hairline);
  if (n->wrong->len > 0)
    ls_scene_path (s, LS_ITEM_RINGS, LS_INK_TEXT, 0, size + 8)->evidence = LS_EVIDENCE_DERIVED;
  for (guint i = 0; i < n->wrong->len; i++)
    {
      point_of (n, g_array_index (n->wrong, gint64, i), &x, &y);
      ls_scene_point (s, x, y);
    }
  for (gint label = -1; label < n->n_classes; label++)
    {
      begin_dots (n, label, size)->evidence = LS_EVIDENCE_MEASURED;
      for (gint64 i = 0; i < n->batch; i++)
        if (ls_network_label (n, i) == label)
          {
            point_of (n, i, &x, &y);
            ls_scene_point (s, x, y);
          }
    }
  point_of (n, n->sample, &x, &y);
  ls_scene_mark (s, LS_ITEM_FRAME, x - size, y - size, 2 * size, 2 * size, LS_INK_TEXT, 0);
}

static void
step_mark (LsNetwork *n, LsArea *area, double x, double y, gboolean on)
{
  const LsMetrics *m = &n->layout->m;
  const double h = MAX (m->projector ? 44 : 26, m->label.px * 1.7);

  *area = (LsArea){ x, y, h * 1.3, h };
  ls_scene_box (n->layout->still, area->x, area->y, area->w, area->h, LS_INK_CHOSEN, 0)->size = 6;
  ls_scene_text (n->layout->still, area->x + area->w / 2, area->y + h / 2 + m->label.px * .36, m->label, LS_INK_TEXT, LS_CENTER, on ? "▸" : "◂")->strong = TRUE;
}

static void
captions (LsNetwork *n, double y)
{
  const LsMetrics *m = &n->layout->m;
  const LsNetworkLayer *x = &n->layers[0];
  const gint label = ls_network_label (n, n->sample);
  const double line = m->label.px * 1.5, left = n->sample_area.x, w = n->sample_area.w;
  LsScene *s = n->layout->still;
  g_autofree char *size = n->image_rows > 0 ? g_strdup_printf ("%lld×%lld", (long long) x->rows, (long long) x->cols) : NULL;
  g_autofree char *labelled = label >= 0 ? g_strdup_printf (_("labelled %d"), label) : g_strdup (_("no label"));
  g_autofree char *both = size != NULL ? g_strdup_printf ("%s, %s", size, labelled) : g_strdup (labelled);
  g_autofree char *number = g_strdup_printf (_("sample %lld of %lld"), (long long) n->sample + 1, (long long) n->batch);
  g_autofree char *brief = g_strdup_printf ("%lld / %lld", (long long) n->sample + 1, (long long) n->batch);

  y += line;
  ls_tiles_say (s, left, y, w, m->body, LS_INK_TEXT, LS_LEFT, (const char *const[]) { both, labelled, NULL });
  y += line;
  if (ls_tiles_marked (s, m, left, y, w, LS_EVIDENCE_MEASURED, LS_INK_QUIET, n->plane ? _("the batch’s points; ringed: wrong") : _("as the network sees it")) <= left)
    ls_tiles_marked (s, m, left, y, w, LS_EVIDENCE_MEASURED, LS_INK_QUIET, n->plane ? _("ringed: wrong") : _("as it is seen"));
  y += m->label.px * .7;
  step_mark (n, &n->back, left, y, FALSE);
  step_mark (n, &n->on, left + n->back.w + m->unit, y, TRUE);
  const double at = n->on.x + n->on.w + 2 * m->unit;
  ls_tiles_say (s, at, y + n->on.h / 2 + m->label.px * .36, left + w - at, m->label, LS_INK_QUIET, LS_LEFT, (const char *const[]) { number, brief, NULL });
}

double
ls_network_captions_height (const LsNetwork *n)
{
  const LsMetrics *m = &n->layout->m;

  return m->label.px * 3.7 + MAX (m->projector ? 44 : 26, m->label.px * 1.7) + 2 * m->unit;
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
    points (n);
  else if (size > 0)
    {
      const double w = n->image_cols >= n->image_rows ? size : size * (double) n->image_cols / (double) n->image_rows;
      const double h = n->image_rows >= n->image_cols ? size : size * (double) n->image_rows / (double) n->image_cols;
      ls_scene_box (n->layout->still, n->sample_area.x - 1, n->sample_area.y - 1, w + 2, h + 2, LS_INK_EDGE, 0);
      ls_network_image (n, n->sample, n->sample_area.x, n->sample_area.y, w, h);
    }
  n->sample_area.w = area.w;
  captions (n, n->sample_area.y + size);
  n->sample_area.w = size;
}
