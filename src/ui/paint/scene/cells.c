/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "ui/paint/scene/cells.h"

/* The cells that a rectangle within the whole meets, as a rectangle of cells. */
static LsRect
cells_of (const LsCells *self, LsRect r)
{
  return (LsRect){ r.x0 / self->cell, r.y0 / self->cell, (r.x1 + self->cell - 1) / self->cell,
                   (r.y1 + self->cell - 1) / self->cell };
}

/* Adds up in at[] how many items each cell has, or with `items` writes them where at[] says, and moves it
 * on. */
static void
sort_items (const LsCells *self, const LsImprint *imprint, guint *at, guint *items)
{
  for (guint i = 0; i < imprint->n; i++)
    {
      const LsRect r = ls_rect_common (imprint->items[i].rect, self->whole), c = cells_of (self, r);

      for (gint y = c.y0; ls_rect_area (r) > 0 && y < c.y1; y++)
        for (gint x = c.x0; x < c.x1; x++)
          {
            guint *cell = &at[(guint) y * self->cols + (guint) x];
            if (items != NULL)
              items[*cell] = i;
            ++*cell;
          }
    }
}

void
ls_cells_make (LsCells *self, const LsImprint *imprint, LsRect whole, gint cell)
{
  LsRect all;
  guint n, sum = 0;

  ls_cells_clear (self);
  self->whole = whole;
  self->cell = cell;
  all = cells_of (self, whole);
  n = (guint) all.x1 * (guint) all.y1;
  self->cols = (guint) all.x1;
  self->first = g_new0 (guint, n + 1);
  self->met = g_new0 (guint, imprint->n + 1);
  sort_items (self, imprint, self->first + 1, NULL);
  for (guint c = 1; c <= n; c++)
    {
      const guint count = self->first[c];
      self->first[c] = sum;
      sum += count;
    }
  self->items = g_new (guint, sum + 1);
  sort_items (self, imprint, self->first + 1, self->items); /* afterwards first[c + 1] is where cell c ends */
}

void
ls_cells_clear (LsCells *self)
{
  g_free (self->first);
  g_free (self->items);
  g_free (self->met);
  *self = (LsCells){ 0 };
}

static int
compare_cb (gconstpointer a, gconstpointer b)
{
  const guint x = *(const guint *) a, y = *(const guint *) b;

  return (x > y) - (x < y);
}

void
ls_cells_find (LsCells *self, const LsImprint *imprint, LsRect r, GArray *found)
{
  const LsRect c = cells_of (self, r);

  self->asked++;
  for (gint y = c.y0; y < c.y1; y++)
    for (gint x = c.x0; x < c.x1; x++)
      {
        const guint cell = (guint) y * self->cols + (guint) x;

        for (guint k = self->first[cell]; k < self->first[cell + 1]; k++)
          {
            const guint i = self->items[k];

            if (self->met[i] == self->asked)
              continue;
            self->met[i] = self->asked;
            if (ls_rect_meets (imprint->items[i].rect, r))
              g_array_append_val (found, i);
          }
      }
  if (c.x1 - c.x0 > 1 || c.y1 - c.y0 > 1)
    g_array_sort (found, compare_cb);
}
