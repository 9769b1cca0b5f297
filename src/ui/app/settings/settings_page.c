/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Made of the toolkit's own widgets and style classes alone, so that light, dark and high contrast come with
 * them.
 */
#include "ui/app/settings/settings_page.h"

#include "ui/app/compat.h"

#define SIDE 16

void
ls_settings_margins (GtkWidget *widget, int top, int bottom)
{
  gtk_widget_set_margin_top (widget, top);
  gtk_widget_set_margin_bottom (widget, bottom);
  gtk_widget_set_margin_start (widget, SIDE);
  gtk_widget_set_margin_end (widget, SIDE);
}

void
ls_settings_name_parts (GtkWidget *widget, const char *name)
{
  for (GtkWidget *w = gtk_widget_get_first_child (widget); w != NULL; w = gtk_widget_get_next_sibling (w))
    {
      if (GTK_IS_STACK (widget))
        ls_compat_name (gtk_stack_get_page (GTK_STACK (widget), w), name);
      if (GTK_IS_LABEL (w))
        continue;
      ls_compat_name (w, name);
      ls_settings_name_parts (w, name);
    }
}

GtkWidget *
ls_settings_title_new (const char *words)
{
  GtkWidget *title = gtk_label_new (words);

  gtk_label_set_xalign (GTK_LABEL (title), 0);
  gtk_label_set_wrap (GTK_LABEL (title), TRUE);
  gtk_label_set_wrap_mode (GTK_LABEL (title), PANGO_WRAP_WORD_CHAR);
  gtk_widget_add_css_class (title, "title-4");
  gtk_widget_set_hexpand (title, TRUE);
  return title;
}

void
ls_settings_button_set_words (GtkWidget *button, const char *words)
{
  GtkWidget *label = gtk_button_get_child (GTK_BUTTON (button));

  gtk_label_set_text_with_mnemonic (GTK_LABEL (label), words);
  ls_compat_name (button, gtk_label_get_text (GTK_LABEL (label)));
}

GtkWidget *
ls_settings_button_new (const char *words, GCallback clicked_cb, gpointer data)
{
  GtkWidget *button = gtk_button_new_with_mnemonic (words),
            *label = gtk_button_get_child (GTK_BUTTON (button));

  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_natural_wrap_mode (GTK_LABEL (label), GTK_NATURAL_WRAP_NONE);
  gtk_label_set_justify (GTK_LABEL (label), GTK_JUSTIFY_CENTER);
  ls_settings_button_set_words (button, words);
  g_signal_connect (button, "clicked", clicked_cb, data);
  return button;
}

GtkWidget *
ls_settings_tool_new (const char *icon, const char *words, GCallback clicked_cb, gpointer data)
{
  GtkWidget *button = gtk_button_new_from_icon_name (icon);

  gtk_widget_set_tooltip_text (button, words);
  gtk_widget_add_css_class (button, "flat");
  ls_compat_name (button, words);
  g_signal_connect (button, "clicked", clicked_cb, data);
  return button;
}

GtkWidget *
ls_settings_page_new (const char *name, GtkWidget *head, GtkWidget *content)
{
  GtkWidget *page = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0), *scroll;

  scroll = ls_compat_scrolled_new (name);
  ls_settings_margins (head, 12, 8);
  ls_settings_margins (content, 4, 16);
  ls_settings_name_parts (scroll, name);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scroll), content);
  gtk_widget_set_vexpand (scroll, TRUE);
  gtk_box_append (GTK_BOX (page), head);
  gtk_box_append (GTK_BOX (page), scroll);
  return page;
}
