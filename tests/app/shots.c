/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Pictures of the settings pane in its states, to be looked at: shots FOLDER [dark] [rtl] [large] [long].
 * High contrast and fonts are the environment's (ADW_DEBUG_HIGH_CONTRAST, settings.ini).
 */
#include <adwaita.h>
#include <string.h>

#include "ui/app/settings/layers_editor.h"
#include "ui/app/settings/settings_pane.h"

static gboolean
quit_cb (gpointer data)
{
  *(gboolean *) data = TRUE;
  return G_SOURCE_REMOVE;
}

static void
wait_ms (guint ms)
{
  gboolean done = FALSE;

  g_timeout_add (ms, quit_cb, &done);
  while (!done)
    g_main_context_iteration (NULL, TRUE);
}

static GtkWidget *
find (GtkWidget *widget, GType type)
{
  if (G_TYPE_CHECK_INSTANCE_TYPE (widget, type))
    return widget;
  for (GtkWidget *w = gtk_widget_get_first_child (widget); w != NULL; w = gtk_widget_get_next_sibling (w))
    {
      GtkWidget *found = find (w, type);
      if (found != NULL)
        return found;
    }
  return NULL;
}

/* Words of a longer language. */
static void
lengthen (GtkWidget *widget)
{
  if (GTK_IS_LABEL (widget) && !gtk_widget_get_ancestor (widget, GTK_TYPE_LIST_BOX))
    {
      const char *text = gtk_label_get_text (GTK_LABEL (widget));
      glong n = g_utf8_strlen (text, -1);
      g_autofree char *tail = g_utf8_substring (text, 0, n * 4 / 10),
                      *longer = g_strconcat (text, tail, NULL);
      gtk_label_set_text (GTK_LABEL (widget), longer);
    }
  for (GtkWidget *w = gtk_widget_get_first_child (widget); w != NULL; w = gtk_widget_get_next_sibling (w))
    lengthen (w);
}

static void
save (GtkWidget *window, const char *folder, const char *name)
{
  g_autoptr (GdkPaintable) paintable = NULL;
  g_autoptr (GtkSnapshot) snapshot = gtk_snapshot_new ();
  g_autoptr (GskRenderNode) node = NULL;
  g_autoptr (GskRenderer) renderer = gsk_cairo_renderer_new ();
  g_autoptr (GdkTexture) texture = NULL;
  g_autofree char *file = g_strconcat (name, ".png", NULL), *path = g_build_filename (folder, file, NULL);
  int w, h;

  wait_ms (400);
  paintable = gtk_widget_paintable_new (window);
  w = gdk_paintable_get_intrinsic_width (paintable);
  h = gdk_paintable_get_intrinsic_height (paintable);
  gdk_paintable_snapshot (paintable, snapshot, w, h);
  node = gtk_snapshot_free_to_node (g_steal_pointer (&snapshot));
  g_assert_true (gsk_renderer_realize (renderer, NULL, NULL));
  texture = gsk_renderer_render_texture (renderer, node, NULL);
  gdk_texture_save_to_png (texture, path);
  gsk_renderer_unrealize (renderer);
}

int
main (int argc, char **argv)
{
  static const char *const devices[] = { "NVIDIA GeForce RTX 4090 Laptop GPU", "NVIDIA H200", NULL };
  const char *const *flags = (const char *const *) argv + MIN (argc, 2);
  g_autoptr (LsOptions) options = ls_options_new ();
  LsSettingsPane *pane;
  GtkWidget *window, *box, *editor;

  if (argc < 2)
    return 2;
  adw_init ();
  if (g_strv_contains (flags, "dark"))
    adw_style_manager_set_color_scheme (adw_style_manager_get_default (), ADW_COLOR_SCHEME_FORCE_DARK);
  if (g_strv_contains (flags, "rtl"))
    gtk_widget_set_default_direction (GTK_TEXT_DIR_RTL);
  if (g_strv_contains (flags, "large"))
    g_object_set (gtk_settings_get_default (), "gtk-xft-dpi", 2 * 96 * 1024, NULL);

  window = adw_window_new ();
  gtk_window_set_default_size (GTK_WINDOW (window), LS_SETTINGS_PANE_WIDTH + 40, 800);
  box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);
  pane = LS_SETTINGS_PANE (ls_settings_pane_new ());
  gtk_widget_set_vexpand (GTK_WIDGET (pane), TRUE);
  gtk_widget_set_size_request (box, LS_SETTINGS_PANE_WIDTH + 40, 800);
  gtk_widget_set_halign (GTK_WIDGET (pane), GTK_ALIGN_END);
  GtkWidget *line = gtk_separator_new (GTK_ORIENTATION_VERTICAL);
  gtk_widget_set_hexpand (line, TRUE);
  gtk_widget_set_halign (line, GTK_ALIGN_END);
  gtk_box_append (GTK_BOX (box), line);
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (pane));
  adw_window_set_content (ADW_WINDOW (window), box);
  gtk_window_present (GTK_WINDOW (window));
  ls_settings_pane_set_devices (pane, devices);
  if (g_strv_contains (flags, "long"))
    lengthen (GTK_WIDGET (pane));
  save (window, argv[1], "plain");

  ls_options_set (options, ls_options_find ("device"), devices[0], NULL);
  ls_settings_pane_set_running (pane, options);
  ls_settings_pane_set_data (pane, "spiral");
  GtkWidget *spin = find (GTK_WIDGET (pane), GTK_TYPE_SPIN_BUTTON);
  gtk_spin_button_set_value (GTK_SPIN_BUTTON (spin), 256);
  wait_ms (600);
  GtkWidget *entry = find (GTK_WIDGET (pane), GTK_TYPE_ENTRY);
  gtk_editable_set_text (GTK_EDITABLE (entry), "fast");
  wait_ms (600);
  if (g_strv_contains (flags, "long"))
    lengthen (GTK_WIDGET (pane));
  save (window, argv[1], "pending");

  ls_settings_pane_set_running (pane, options);
  GtkWidget *network = find (GTK_WIDGET (pane), GTK_TYPE_DROP_DOWN);
  gtk_drop_down_set_selected (GTK_DROP_DOWN (network), 1);
  gtk_drop_down_set_selected (GTK_DROP_DOWN (network), 3);
  wait_ms (300);
  editor = find (GTK_WIDGET (pane), LS_TYPE_LAYERS_EDITOR);
  gtk_list_box_select_row (
    GTK_LIST_BOX (find (editor, GTK_TYPE_LIST_BOX)),
    gtk_list_box_get_row_at_index (GTK_LIST_BOX (find (editor, GTK_TYPE_LIST_BOX)), 3));
  if (g_strv_contains (flags, "long"))
    lengthen (GTK_WIDGET (pane));
  save (window, argv[1], "layers");
  gtk_text_buffer_set_text (gtk_text_view_get_buffer (GTK_TEXT_VIEW (find (editor, GTK_TYPE_TEXT_VIEW))),
                            "conv 16 3 pad 1, danse 10", -1);
  wait_ms (600);
  save (window, argv[1], "wrong");
  gtk_window_destroy (GTK_WINDOW (window));
  return 0;
}
