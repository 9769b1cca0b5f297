/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What must hold of every layout, whatever the data, size and font: nothing overlaps, nothing is outside, no
 * type is too small. For tests, and for a window that is asked to tell of it.
 */
#include "config.h"
#include "ui/paint/parts/view.h"

#include <math.h>
#include <stdlib.h>

typedef struct {
  const LsItem *item;
  gboolean moving;
  double x, y, w, h;
} Placed;

static int
by_top_cb (const void *a, const void *b)
{
  const Placed *x = a, *y = b;

  return (x->y > y->y) - (x->y < y->y);
}

static void
collect (const LsScene *scene, gboolean moving, GArray *placed)
{
  for (guint i = 0; i < scene->items->len; i++)
    {
      Placed p = { .item = ls_scene_get (scene, i), .moving = moving };
      ls_item_bounds (scene, p.item, &p.x, &p.y, &p.w, &p.h);
      g_array_append_val (placed, p);
    }
}

/* Labels of one piece in different states never show together. */
static gboolean
together (const LsItem *a, const LsItem *b)
{
  return a->when == b->when || a->when == LS_WHEN_ALWAYS || b->when == LS_WHEN_ALWAYS;
}

static gboolean
solid (const LsItem *item)
{
  return item->kind == LS_ITEM_TILE || item->kind == LS_ITEM_BAR || item->kind == LS_ITEM_EVIDENCE
         || item->kind == LS_ITEM_RAMP || item->kind == LS_ITEM_WAIT || item->kind == LS_ITEM_IMAGE;
}

/* May these two share a place? A label on its own tile may; a tile's bars and its frame may. */
static gboolean
may_overlap (const Placed *first, const Placed *second)
{
  const LsItem *a = first->item, *b = second->item;
  const gboolean text_a = a->kind == LS_ITEM_TEXT, text_b = b->kind == LS_ITEM_TEXT;

  /* what stands on a plate that moves covers what is under the plate */
  if (first->moving != second->moving && (first->moving ? a : b)->strong)
    return TRUE;
  if (text_a && text_b)
    return !together (a, b) || a->ink == LS_INK_ON_TEXT || b->ink == LS_INK_ON_TEXT;
  if (text_a || text_b)
    return !(solid (a) || solid (b)) || a->strong || b->strong;
  /* a bar of no length is drawn a pixel wide, over what follows it */
  return !(solid (a) && solid (b)) || (a->kind == LS_ITEM_BAR && a->w <= 1)
         || (b->kind == LS_ITEM_BAR && b->w <= 1);
}

static char *
words (const Placed *p)
{
  return g_strdup_printf ("kind %u%s%s%s at %.1f, %.1f, %.1f×%.1f", p->item->kind, p->item->text ? " “" : "",
                          p->item->text ? p->item->text : "", p->item->text ? "”" : "", p->x, p->y, p->w,
                          p->h);
}

char *
ls_layout_fault (const LsLayout *layout)
{
  const double least = layout->style.look == LS_LOOK_PROJECTOR ? 22 : 14, slack = 0.75;
  g_autoptr (GArray) placed = g_array_new (FALSE, FALSE, sizeof (Placed));
  guint n = 0;
  Placed *p;

  collect (layout->still, FALSE, placed);
  collect (layout->moving, TRUE, placed);
  p = (Placed *) (void *) placed->data;
  g_array_sort (placed, by_top_cb);
  for (guint i = 0; i < placed->len; i++)
    {
      const gboolean placeless = !isfinite (p[i].x + p[i].y + p[i].w + p[i].h)
                                 && (p[i].item->n_points > 0 || p[i].item->kind != LS_ITEM_LINE);
      const gboolean small = p[i].item->kind == LS_ITEM_TEXT && p[i].item->type.px < least;
      const gboolean outside = p[i].x < -slack || p[i].y < -slack || p[i].x + p[i].w > layout->width + slack
                               || p[i].y + p[i].h > layout->height + slack;
      if (placeless || small || outside)
        {
          g_autofree char *what = words (&p[i]);
          return g_strdup_printf ("%s %s", what,
                                  placeless ? "has no place"
                                  : small   ? "is set too small"
                                            : "is outside");
        }
      /* what is neither may lie under anything */
      if (p[i].item->kind == LS_ITEM_TEXT || solid (p[i].item))
        p[n++] = p[i];
    }
  /* by their tops: what begins below an item's foot doesn't meet it, nor does what follows */
  for (guint i = 0; i < n; i++)
    for (guint k = i + 1; k < n && p[k].y < p[i].y + p[i].h; k++)
      {
        const double across = MIN (p[i].x + p[i].w, p[k].x + p[k].w) - MAX (p[i].x, p[k].x);
        const double down = MIN (p[i].y + p[i].h, p[k].y + p[k].h) - MAX (p[i].y, p[k].y);
        if (across > slack && down > slack && !may_overlap (&p[i], &p[k]))
          {
            g_autofree char *a = words (&p[i]), *b = words (&p[k]);
            return g_strdup_printf ("%s overlaps %s", a, b);
          }
      }
  return NULL;
}
