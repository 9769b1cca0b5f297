/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Real widgets on the stage: each stands where the view's layout has left room for it, and isn't there where
 * there is none.
 */
#include "ui/app/canvas/canvas_private.h"
#include "ui/app/widgets/left_to_right.h"

#include <string.h>

static const LsSlot *
find_slot (const LsLayout *layout, const Placed *placed)
{
  for (guint i = 0; i < layout->slots->len; i++)
    {
      const LsSlot *slot = &g_array_index (layout->slots, LsSlot, i);
      if (slot->kind == placed->kind && slot->side == placed->side
          && (placed->view == NULL || placed->view == layout->view))
        return slot;
    }
  return NULL;
}

gboolean
ls_canvas_slots_outgrown (LsCanvas *self)
{
  int least, natural = 0;

  for (guint i = 0; i < self->placed->len; i++)
    if (PLACED (self, i)->view == self->view && gtk_widget_get_visible (PLACED (self, i)->widget))
      gtk_widget_measure (PLACED (self, i)->widget, GTK_ORIENTATION_HORIZONTAL, -1, &least, &natural, NULL,
                          NULL);
  if ((int) self->query.switch_w == natural)
    return FALSE;
  self->query.switch_w = natural;
  return TRUE;
}

void
ls_canvas_place_slots (LsCanvas *self)
{
  for (guint i = 0; i < self->placed->len; i++)
    {
      Placed *placed = PLACED (self, i);
      const LsSlot *slot = self->layout != NULL && !self->projector ? find_slot (self->layout, placed) : NULL;
      GtkAllocation a;
      int w, h, least;

      gtk_widget_set_child_visible (placed->widget, slot != NULL);
      if (slot == NULL || !gtk_widget_get_visible (placed->widget))
        continue;
      gtk_widget_measure (placed->widget, GTK_ORIENTATION_HORIZONTAL, -1, &least, &w, NULL, NULL);
      w = MAX (least, MIN (w, (int) slot->w));
      gtk_widget_measure (placed->widget, GTK_ORIENTATION_VERTICAL, w, &least, &h, NULL, NULL);
      h = MAX (least, MIN (h, (int) slot->h));
      /* one in the corner keeps to it, however long its words are; the sign between two numbers to the middle
       */
      const double room = slot->w - w, left = slot->kind == LS_SLOT_LAB    ? room
                                              : slot->kind == LS_SLOT_FAIR ? room / 2
                                                                           : 0;
      a = (GtkAllocation){ (int) (slot->x + left), (int) (slot->y + (slot->h - h) / 2), w, h };
      gtk_widget_size_allocate (placed->widget, &a, -1);
    }
}

gboolean
ls_canvas_slots_differ (const LsLayout *a, const LsLayout *b)
{
  return a->slots->len != b->slots->len
         || (a->slots->len > 0
             && memcmp (a->slots->data, b->slots->data, a->slots->len * sizeof (LsSlot)) != 0);
}

const LsSlot *
ls_canvas_find_slot (LsCanvas *self, LsSlotKind kind)
{
  for (guint i = 0; self->layout != NULL && !self->projector && i < self->layout->slots->len; i++)
    if (g_array_index (self->layout->slots, LsSlot, i).kind == kind)
      return &g_array_index (self->layout->slots, LsSlot, i);
  return NULL;
}

static void
place (LsCanvas *self, Placed placed)
{
  g_array_append_val (self->placed, placed);
  gtk_widget_set_parent (placed.widget, GTK_WIDGET (self));
  ls_left_to_right (placed.widget);
}

void
ls_canvas_set_slot (LsCanvas *self, LsSlotKind kind, gint side, GtkWidget *widget)
{
  place (self, (Placed){ kind, side, NULL, widget });
}

void
ls_canvas_set_switches (LsCanvas *self, const LsView *view, GtkWidget *widget)
{
  place (self, (Placed){ LS_SLOT_SWITCHES, view->switch_side, view, widget });
}

const char *
ls_canvas_slot_words (LsCanvas *self, LsSlotKind kind)
{
  const Placed wanted = { kind, -1, NULL, NULL };
  const LsSlot *slot = (self->view->measures != NULL || self->view->runs != NULL)
                           && ls_canvas_ensure_layout (self)
                         ? find_slot (self->layout, &wanted)
                         : NULL;

  return slot != NULL ? slot->words : NULL;
}

GPtrArray *
ls_canvas_measures (LsCanvas *self)
{
  GPtrArray *list = g_ptr_array_new ();
  const LsExperiment *experiment;

  for (guint i = 0;
       self->view->measures != NULL && (experiment = self->view->measures (&self->query, i)) != NULL; i++)
    g_ptr_array_add (list, (gpointer) experiment);
  return list;
}

GPtrArray *
ls_canvas_runs (LsCanvas *self)
{
  const LsViewData *data = ls_session_data (self->session);

  return self->view->runs != NULL && data != NULL ? self->view->runs (data, &self->query) : NULL;
}

char *
ls_canvas_fault (LsCanvas *self)
{
  return self->layout != NULL ? ls_layout_fault (self->layout) : NULL;
}
