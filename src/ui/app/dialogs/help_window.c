/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A list of topics, and the chosen one's page, made anew each time from the table.
 */
#include "config.h"
#include "ui/app/dialogs/help_window.h"

#include <glib/gi18n.h>
#include <string.h>

#include "ui/app/compat.h"
#include "ui/app/widgets/help_mark.h"
#include "ui/help/help.h"

#define PAGE_PX 560

struct _LsHelpWindow {
  AdwWindow parent;
  GtkWidget *list, *scrolled, *title;
};

G_DEFINE_FINAL_TYPE (LsHelpWindow, ls_help_window, ADW_TYPE_WINDOW)

static GtkWidget *
paragraph (const char *text, const char *class)
{
  GtkWidget *label = gtk_label_new (text);

  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_selectable (GTK_LABEL (label), FALSE);
  gtk_widget_set_hexpand (label, TRUE);
  if (class != NULL)
    gtk_widget_add_css_class (label, class);
  return label;
}

static GtkWidget *
entry_row (const LsHelpEntry *entry)
{
  GtkWidget *row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 14),
            *words = gtk_box_new (GTK_ORIENTATION_VERTICAL, 2);

  gtk_box_append (GTK_BOX (row), ls_help_mark_new (entry->mark));
  gtk_box_append (GTK_BOX (words), paragraph (gettext (entry->term), "heading"));
  gtk_box_append (GTK_BOX (words), paragraph (gettext (entry->text), NULL));
  gtk_box_append (GTK_BOX (row), words);
  return row;
}

static GtkWidget *
page_of (const LsHelpTopic *topic)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 18), *clamp = adw_clamp_new ();

  gtk_box_append (GTK_BOX (box), paragraph (gettext (topic->title), "title-2"));
  gtk_box_append (GTK_BOX (box), paragraph (gettext (topic->lead), NULL));
  for (const LsHelpEntry *entry = topic->entries; entry->term != NULL; entry++)
    gtk_box_append (GTK_BOX (box), entry_row (entry));
  gtk_widget_add_css_class (box, "help-page");
  adw_clamp_set_maximum_size (ADW_CLAMP (clamp), PAGE_PX);
  adw_clamp_set_child (ADW_CLAMP (clamp), box);
  return clamp;
}

static void
selected_cb (LsHelpWindow *self, GtkListBoxRow *row)
{
  guint n;
  const LsHelpTopic *const *topics = ls_help_topics (&n);
  const guint i = row != NULL ? (guint) gtk_list_box_row_get_index (row) : n;

  if (i >= n)
    return;
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (self->scrolled), page_of (topics[i]));
  gtk_adjustment_set_value (gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (self->scrolled)), 0);
  adw_window_title_set_subtitle (ADW_WINDOW_TITLE (self->title), gettext (topics[i]->title));
}

static GtkWidget *
topic_row (const LsHelpTopic *topic)
{
  GtkWidget *label = gtk_label_new (gettext (topic->title)), *row = gtk_list_box_row_new ();

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (row), label);
  ls_compat_name (row, gettext (topic->title));
  return row;
}

static void
ls_help_window_class_init (LsHelpWindowClass *class)
{
  gtk_widget_class_add_binding_action (GTK_WIDGET_CLASS (class), GDK_KEY_Escape, 0, "window.close", NULL);
}

static void
ls_help_window_init (LsHelpWindow *self)
{
  GtkWidget *column = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0),
            *content = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);
  GtkWidget *header = adw_header_bar_new (), *side = ls_compat_scrolled_new (_("Topics"));
  guint n;
  const LsHelpTopic *const *topics = ls_help_topics (&n);

  self->title = adw_window_title_new (_("Help"), NULL);
  adw_header_bar_set_title_widget (ADW_HEADER_BAR (header), self->title);
  self->list = gtk_list_box_new ();
  gtk_widget_add_css_class (self->list, "navigation-sidebar");
  ls_compat_name (self->list, _("Topics"));
  for (guint i = 0; i < n; i++)
    gtk_list_box_append (GTK_LIST_BOX (self->list), topic_row (topics[i]));
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (side), GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (side), self->list);
  gtk_widget_set_size_request (side, 170, -1);
  gtk_widget_add_css_class (side, "help-topics");
  self->scrolled = ls_compat_scrolled_new (_("Help"));
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (self->scrolled), GTK_POLICY_NEVER,
                                  GTK_POLICY_AUTOMATIC);
  gtk_widget_set_hexpand (self->scrolled, TRUE);
  gtk_widget_set_vexpand (content, TRUE);
  gtk_box_append (GTK_BOX (content), side);
  gtk_box_append (GTK_BOX (content), self->scrolled);
  gtk_box_append (GTK_BOX (column), header);
  gtk_box_append (GTK_BOX (column), content);
  adw_window_set_content (ADW_WINDOW (self), column);
  g_signal_connect_swapped (self->list, "row-selected", G_CALLBACK (selected_cb), self);
}

GtkWidget *
ls_help_window_new (GtkWindow *parent)
{
  return g_object_new (LS_TYPE_HELP_WINDOW, "transient-for", parent, "destroy-with-parent", TRUE,
                       "default-width", 800, "default-height", 620, "title", _("Help"), "hide-on-close",
                       TRUE, NULL);
}

void
ls_help_window_show (LsHelpWindow *self, const char *name)
{
  guint n;
  const LsHelpTopic *const *topics = ls_help_topics (&n);

  for (guint i = 0; i < n; i++)
    if (strcmp (topics[i]->name, name) == 0)
      gtk_list_box_select_row (GTK_LIST_BOX (self->list),
                               gtk_list_box_get_row_at_index (GTK_LIST_BOX (self->list), (int) i));
  gtk_window_present (GTK_WINDOW (self));
  gtk_widget_grab_focus (GTK_WIDGET (gtk_list_box_get_selected_row (GTK_LIST_BOX (self->list))));
}
