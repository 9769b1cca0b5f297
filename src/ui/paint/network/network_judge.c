/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What was said of the recorded batch's samples, and which of them are wrong, the worst first.
 */
#include "ui/paint/network/network.h"

#include "ui/paint/parts/text.h"

gint
ls_network_label (const LsNetwork *n, gint64 sample)
{
  return n->labels != NULL && n->labels[sample] >= 0 && n->labels[sample] < n->n_classes ? n->labels[sample]
                                                                                         : -1;
}

gint
ls_network_largest (const float *probs, gint n)
{
  gint best = 0;

  for (gint c = 1; c < n; c++)
    if (probs[c] > probs[best])
      best = c;
  return best;
}

gint
ls_network_predicted (const LsNetwork *n, gint side, gint64 sample)
{
  return n->batch_probs[side] != NULL
           ? ls_network_largest (n->batch_probs[side] + sample * n->n_classes, n->n_classes)
           : -1;
}

static double
surprise (const LsNetwork *n, gint64 sample)
{
  return (double) n->batch_probs[n->side][sample * n->n_classes + ls_network_label (n, sample)];
}

static gint
by_surprise_cb (gconstpointer a, gconstpointer b, gpointer data)
{
  const double x = surprise (data, *(const gint64 *) a), y = surprise (data, *(const gint64 *) b);

  return x != y ? (x > y) - (x < y) : *(const gint64 *) a > *(const gint64 *) b ? 1 : -1;
}

void
ls_network_judge (LsNetwork *n)
{
  if (n->labels == NULL || n->batch_probs[n->side] == NULL || n->n_classes > LS_NETWORK_CLASSES)
    return;
  n->matrix = g_new0 (guint, (gsize) n->n_classes * (gsize) n->n_classes);
  for (gint64 i = 0; i < n->batch; i++)
    {
      const gint label = ls_network_label (n, i), predicted = ls_network_predicted (n, n->side, i);
      if (label < 0)
        continue;
      n->matrix[label * n->n_classes + predicted]++;
      n->n_right += label == predicted;
      if (label != predicted)
        g_array_append_val (n->wrong, i);
    }
  g_array_sort_with_data (n->wrong, by_surprise_cb, n);
}

/* ---- names ---- */

char *
ls_network_class (const LsNetwork *n, gint class)
{
  return n->class_names != NULL && class >= 0 && class < n->n_classes ? g_strdup (n->class_names[class])
                                                                      : g_strdup_printf ("%d", class);
}

char *
ls_network_class_in (const LsNetwork *n, gint class, LsType type, double w)
{
  g_autofree char *name = ls_network_class (n, class);

  if (n->class_names == NULL) /* a part of a number would be another number */
    return g_strdup (ls_scene_width (n->layout->still, type, name) <= w ? name : "");
  return ls_text_cut (n->layout->still, type, w, name);
}

double
ls_network_class_width (const LsNetwork *n, LsType type, const char *digits, double w)
{
  double widest = 0;

  if (n->class_names == NULL)
    return ls_scene_width (n->layout->still, type, digits);
  for (gint c = 0; c < n->n_classes && widest < w; c++)
    widest = MAX (widest, ls_scene_width (n->layout->still, type, n->class_names[c]));
  return MIN (widest, w);
}
