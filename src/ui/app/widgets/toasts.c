/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * libadwaita (1.2 at least) frees a message when it has faded out, also one that is still sliding in then, as
 * where another's place is taken or no frame is drawn for a while: the program ends with a crash. So none
 * slides in: an overlay is given the next message only when the last one is gone for good, and shows it at
 * once.
 */
#include "config.h"
#include "ui/app/widgets/toasts.h"

typedef struct {
  AdwToastOverlay *overlay; /* which owns this */
  AdwToast *shown;          /* the overlay's; NULL: none */
  GQueue waiting;           /* of AdwToast */
  guint next;               /* the source that shows the next one */
} Toasts;

static void gone_cb (gpointer data, GObject *toast);

static void
toasts_free (gpointer data)
{
  Toasts *self = data;

  if (self->shown != NULL)
    g_object_weak_unref (G_OBJECT (self->shown), gone_cb, self);
  g_queue_clear_full (&self->waiting, g_object_unref);
  g_clear_handle_id (&self->next, g_source_remove);
  g_free (self);
}

static void
show (AdwToastOverlay *overlay, AdwToast *toast)
{
  GtkSettings *settings = gtk_widget_get_settings (GTK_WIDGET (overlay));
  gboolean animated;

  g_object_get (settings, "gtk-enable-animations", &animated, NULL);
  g_object_set (settings, "gtk-enable-animations", FALSE, NULL);
  adw_toast_overlay_add_toast (overlay, toast); /* which owns it until it is hidden */
  g_object_set (settings, "gtk-enable-animations", animated, NULL);
}

static gboolean
show_next (gpointer data)
{
  Toasts *self = data;

  self->next = 0;
  self->shown = g_queue_pop_head (&self->waiting);
  if (self->shown == NULL)
    return G_SOURCE_REMOVE;
  g_object_weak_ref (G_OBJECT (self->shown), gone_cb, self);
  show (self->overlay, self->shown);
  return G_SOURCE_REMOVE;
}

static void
gone_cb (gpointer data, GObject *toast)
{
  Toasts *self = data;

  self->shown = NULL;
  if (!gtk_widget_in_destruction (GTK_WIDGET (self->overlay)))
    self->next = g_idle_add (show_next, self);
}

void
ls_toasts_add (AdwToastOverlay *overlay, const char *sentence, guint seconds, const char *button,
               const char *action)
{
  g_autofree char *title = g_markup_escape_text (sentence, -1);
  Toasts *self = g_object_get_data (G_OBJECT (overlay), "lockstep-toasts");
  AdwToast *toast;

  if (self == NULL)
    {
      self = g_new0 (Toasts, 1);
      self->overlay = overlay;
      g_object_set_data_full (G_OBJECT (overlay), "lockstep-toasts", self, toasts_free);
    }
  for (GList *l = self->waiting.head; l != NULL; l = l->next)
    if (g_str_equal (adw_toast_get_title (l->data), title))
      return;
  toast = adw_toast_new (title);
  adw_toast_set_timeout (toast, seconds);
  if (action != NULL)
    {
      adw_toast_set_button_label (toast, button);
      adw_toast_set_action_name (toast, action);
      g_queue_push_head (&self->waiting, toast);
      if (self->shown != NULL)
        adw_toast_dismiss (self->shown);
    }
  else
    g_queue_push_tail (&self->waiting, toast);
  if (self->shown == NULL && self->next == 0)
    show_next (self);
}
