/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Connections: what a unit gives to one of the next layer in this sample, weight × activation. Of all of them
 * the strongest are drawn, thin and pale, as many from each layer; those of the picked unit are strong.
 */
#include "ui/paint/network/network.h"

#include <math.h>

#define PALE   200 /* curves in the picture */
#define STRONG 6   /* of the picked unit, to each side */
#define PIECES 14  /* of a curve */

/* The sum over the pixels of a map. */
static double
product (const LsNetwork *n, gint layer, gint64 from, gint64 to)
{
  const LsNetworkLayer *a = &n->layers[layer - 1], *b = &n->layers[layer];
  const gint64 size = a->rows * a->cols;
  const float *values = ls_network_values (n, a, n->side, n->at) + from * size;
  const float *weights = b->weights[n->side] + to * ls_network_count (a) + from * size;
  double sum = 0;

  for (gint64 i = 0; i < size; i++)
    sum += (double) values[i] * (double) weights[i];
  return isfinite (sum) ? sum : 0;
}

static gint
by_strength_cb (gconstpointer a, gconstpointer b)
{
  const LsNetworkEdge *x = a, *y = b;
  const float p = fabsf (x->value), q = fabsf (y->value);

  if (p != q)
    return p < q ? 1 : -1;
  return x->from != y->from ? (x->from > y->from) - (x->from < y->from) : (x->to > y->to) - (x->to < y->to);
}

/* The strongest of one layer's, from or to one unit, −1: any. */
static void
add_strongest (LsNetwork *n, gint layer, gint64 from, gint64 to, guint most)
{
  const LsNetworkLayer *a = &n->layers[layer - 1], *b = &n->layers[layer];
  g_autoptr (GArray) all = g_array_new (FALSE, FALSE, sizeof (LsNetworkEdge));
  float least = 0;

  for (gint64 i = from < 0 ? 0 : from; i < (from < 0 ? a->units : from + 1); i++)
    for (gint64 j = to < 0 ? 0 : to; j < (to < 0 ? b->units : to + 1); j++)
      {
        const LsNetworkEdge edge = { layer, i, j, (float) product (n, layer, i, j) };
        if (fabsf (edge.value) <= least)
          continue;
        g_array_append_val (all, edge);
        if (all->len < 8 * most)
          continue;
        g_array_sort (all, by_strength_cb);
        g_array_set_size (all, most);
        least = fabsf (g_array_index (all, LsNetworkEdge, most - 1).value);
      }
  g_array_sort (all, by_strength_cb);
  g_array_append_vals (n->edges, all->data, MIN (most, all->len));
}

/* The pictures of an image's weights stand where its connections would. */
static gboolean
drawn (const LsNetwork *n, gint layer)
{
  return n->layers[layer].dense && n->layers[layer].area.w > 0 && n->layers[layer - 1].area.w > 0;
}

void
ls_network_find_edges (LsNetwork *n)
{
  guint kinds = 0;

  for (gint l = 1; l < (gint) n->n_layers; l++)
    if (drawn (n, l))
      {
        n->n_connections += n->layers[l - 1].units * n->layers[l].units;
        kinds++;
      }
  for (gint l = 1; l < (gint) n->n_layers; l++)
    if (drawn (n, l))
      add_strongest (n, l, -1, -1, PALE / kinds);
  n->n_pale = n->edges->len;
  if (n->layer < 0)
    return;
  if (n->layer + 1 < (gint) n->n_layers && drawn (n, n->layer + 1))
    add_strongest (n, n->layer + 1, n->unit, -1, STRONG);
  if (n->picked && drawn (n, n->layer))
    add_strongest (n, n->layer, -1, n->unit, STRONG);
}

const LsNetworkEdge *
ls_network_way_on (const LsNetwork *n)
{
  const LsNetworkEdge *edge = n->n_pale < n->edges->len ? &g_array_index (n->edges, LsNetworkEdge, n->n_pale)
                                                        : NULL;

  return edge != NULL && edge->layer == n->layer + 1 ? edge : NULL;
}

static double
middle_of (const LsNetworkLayer *layer, gint64 unit)
{
  return layer->area.y + layer->cell_h * ((double) (unit / layer->across) + .5);
}

/* FALSE: there is no room for it, or its units aren't shown. */
static gboolean
draw_edge (const LsNetwork *n, const LsNetworkEdge *edge, double top, gboolean strong)
{
  const LsNetworkLayer *a = &n->layers[edge->layer - 1], *b = &n->layers[edge->layer];
  const double part = top > 0 ? MIN (1, fabs ((double) edge->value) / top) : 0, pad = n->layout->m.unit;
  const double x0 = a->area.x + a->area.w + pad, x1 = b->area.x - pad, sign = edge->value < 0 ? -1 : 1;
  LsScene *s = n->layout->still;

  if (a->area.w <= 0 || b->area.w <= 0 || x1 - x0 < 8 || edge->from >= a->shown || edge->to >= b->shown)
    return FALSE;
  const double y0 = middle_of (a, edge->from), y1 = middle_of (b, edge->to);
  LsItem *item = ls_scene_path (s, LS_ITEM_LINE, LS_INK_SIGN, strong ? sign : sign * (.45 + .55 * part),
                                strong ? 1.5 + 3 * part : 1);
  item->alpha = strong ? 1 : .5f;
  item->evidence = LS_EVIDENCE_DERIVED;
  ls_network_timed (item, b->begin_ns, b->end_ns);
  const guint pieces = (guint) CLAMP (hypot (x1 - x0, y1 - y0) / 16, PIECES, 5 * PIECES);
  for (guint i = 0; i <= pieces; i++)
    {
      const double t = (double) i / pieces, u = 1 - t, middle = (x0 + x1) / 2;
      ls_scene_point (s, u * u * u * x0 + 3 * u * t * middle + t * t * t * x1,
                      u * u * (1 + 2 * t) * y0 + t * t * (1 + 2 * u) * y1);
    }
  return TRUE;
}

void
ls_network_draw_edges (LsNetwork *n)
{
  double top[LS_NETWORK_LAYERS] = { 0 };

  for (guint i = 0; i < n->edges->len; i++)
    {
      const LsNetworkEdge *e = &g_array_index (n->edges, LsNetworkEdge, i);
      top[e->layer] = MAX (top[e->layer], fabs ((double) e->value));
    }
  for (guint i = 0; i < n->n_pale; i++)
    {
      const LsNetworkEdge *e = &g_array_index (n->edges, LsNetworkEdge, n->n_pale - 1 - i);
      if (!draw_edge (n, e, top[e->layer], FALSE))
        continue;
      const gint64 end_ns = n->layers[e->layer].end_ns;
      n->drawn_from_ns = n->n_drawn == 0 ? end_ns : MIN (n->drawn_from_ns, end_ns);
      n->drawn_ns = MAX (n->drawn_ns, end_ns);
      n->n_drawn++;
    }
  for (guint i = n->edges->len; i-- > n->n_pale;)
    {
      const LsNetworkEdge *e = &g_array_index (n->edges, LsNetworkEdge, i);
      double own = 0;
      for (guint k = n->n_pale; k < n->edges->len; k++)
        if (g_array_index (n->edges, LsNetworkEdge, k).layer == e->layer)
          own = MAX (own, fabs ((double) g_array_index (n->edges, LsNetworkEdge, k).value));
      draw_edge (n, e, own, TRUE);
    }
}
