/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The dialog's widgets, put together: a list on the left, beside it the picture, what was said, and buttons.
 */
#include "config.h"
#include "ui/app/dialogs/lab_dialog_private.h"

#include <glib/gi18n.h>

#include "ui/app/compat.h"
#include "ui/app/dialogs/lab_picture.h"

#define SIDE_PX 204
#define SAID_PX 72 /* of what was said, before it scrolls */

static GtkWidget *
text_new (const char *text, const char *class)
{
  GtkWidget *label = gtk_label_new (text);

  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  if (class != NULL)
    gtk_widget_add_css_class (label, class);
  return label;
}

static void
set_margins (GtkWidget *widget, int px)
{
  gtk_widget_set_margin_top (widget, px);
  gtk_widget_set_margin_bottom (widget, px);
  gtk_widget_set_margin_start (widget, px);
  gtk_widget_set_margin_end (widget, px);
}

static GtkWidget *
row_new (LsLabDialog *self, const LsExperiment *experiment)
{
  GtkWidget *row = gtk_list_box_row_new (), *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 2);
  GtkWidget *about = text_new (_(experiment->about), NULL), *kept = text_new ("", "dim-label");

  gtk_label_set_max_width_chars (GTK_LABEL (about), 26);
  gtk_label_set_max_width_chars (GTK_LABEL (kept), 26);
  gtk_box_append (GTK_BOX (box), text_new (_(experiment->title), "heading"));
  gtk_box_append (GTK_BOX (box), about);
  gtk_box_append (GTK_BOX (box), kept);
  set_margins (box, 6);
  gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (row), box);
  g_ptr_array_add (self->kept, kept);
  return row;
}

static GtkWidget *
scrolled_new (const char *name)
{
  GtkWidget *scrolled = ls_compat_scrolled_new (name);

  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scrolled), GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC);
  return scrolled;
}

static GtkWidget *
make_side (LsLabDialog *self)
{
  GtkWidget *side = scrolled_new (_("Experiments"));
  guint n;
  const LsExperiment *const *all = ls_experiments_of_one_size (&n);

  self->list = gtk_list_box_new ();
  gtk_widget_add_css_class (self->list, "navigation-sidebar");
  ls_compat_name (self->list, _("Experiments"));
  for (guint i = 0; i < n; i++)
    gtk_list_box_append (GTK_LIST_BOX (self->list), row_new (self, all[i]));
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (side), self->list);
  gtk_widget_set_size_request (side, SIDE_PX, -1);
  gtk_widget_add_css_class (side, "help-topics");
  return side;
}

/* The picture, or a sentence in its place. */
static GtkWidget *
make_pages (LsLabDialog *self)
{
  self->pages = gtk_stack_new ();
  self->picture = ls_lab_picture_new ();
  self->empty = text_new ("", NULL);
  gtk_label_set_width_chars (GTK_LABEL (self->empty), 36);
  gtk_label_set_max_width_chars (GTK_LABEL (self->empty), 48);
  gtk_widget_set_halign (self->empty, GTK_ALIGN_CENTER);
  set_margins (self->empty, 24);
  gtk_stack_add_child (GTK_STACK (self->pages), self->empty);
  gtk_stack_add_child (GTK_STACK (self->pages), self->picture);
  gtk_widget_add_css_class (self->pages, "view");
  return self->pages;
}

static GtkWidget *
make_said (LsLabDialog *self)
{
  self->said_box = scrolled_new (_("What was said"));
  self->said_label = text_new ("", NULL);
  set_margins (self->said_label, 6);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (self->said_box), self->said_label);
  gtk_scrolled_window_set_propagate_natural_height (GTK_SCROLLED_WINDOW (self->said_box), TRUE);
  gtk_scrolled_window_set_max_content_height (GTK_SCROLLED_WINDOW (self->said_box), SAID_PX);
  gtk_widget_set_vexpand (self->said_box, FALSE);
  return self->said_box;
}

static GMenuModel *
save_menu (void)
{
  static const struct {
    const char *words, *what;
  } items[] = { { N_("Picture as _PNG…"), "png" },
                { N_("Picture as _SVG…"), "svg" },
                { N_("Picture as P_DF…"), "pdf" },
                { N_("Table as _CSV…"), "csv" } };
  GMenu *menu = g_menu_new ();

  for (gsize i = 0; i < G_N_ELEMENTS (items); i++)
    {
      g_autofree char *action = g_strdup_printf ("lab.save::%s", items[i].what);
      g_menu_append (menu, _(items[i].words), action);
    }
  return G_MENU_MODEL (menu);
}

static GtkWidget *
make_save (void)
{
  GtkWidget *button = gtk_menu_button_new ();
  g_autoptr (GMenuModel) menu = save_menu ();

  gtk_menu_button_set_label (GTK_MENU_BUTTON (button), _("Sa_ve"));
  gtk_menu_button_set_use_underline (GTK_MENU_BUTTON (button), TRUE);
  gtk_menu_button_set_menu_model (GTK_MENU_BUTTON (button), menu);
  gtk_menu_button_set_direction (GTK_MENU_BUTTON (button), GTK_ARROW_UP);
  ls_compat_name_items (GTK_MENU_BUTTON (button));
  ls_compat_name (button, _("Save"));
  return button;
}

static GtkWidget *
make_foot (LsLabDialog *self)
{
  GtkWidget *column = gtk_box_new (GTK_ORIENTATION_VERTICAL, 8),
            *line = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 12);

  self->bar = gtk_progress_bar_new ();
  gtk_progress_bar_set_show_text (GTK_PROGRESS_BAR (self->bar), TRUE);
  ls_compat_name (self->bar, _("Sizes measured"));
  self->button = gtk_button_new ();
  gtk_widget_add_css_class (self->button, "run-with-these");
  self->save = make_save ();
  gtk_widget_set_hexpand (self->save, TRUE);
  gtk_widget_set_halign (self->save, GTK_ALIGN_END);
  gtk_box_append (GTK_BOX (line), self->button);
  gtk_box_append (GTK_BOX (line), self->save);
  gtk_box_append (GTK_BOX (column), make_said (self));
  gtk_box_append (GTK_BOX (column), self->bar);
  gtk_box_append (GTK_BOX (column), line);
  set_margins (column, 12);
  return column;
}

void
ls_lab_dialog_build (LsLabDialog *self)
{
  GtkWidget *window = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0), *header = adw_header_bar_new (),
            *content = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0),
            *column = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);

  self->title = adw_window_title_new (_("Laboratory"), NULL);
  adw_header_bar_set_title_widget (ADW_HEADER_BAR (header), self->title);
  self->toasts = adw_toast_overlay_new ();
  adw_toast_overlay_set_child (ADW_TOAST_OVERLAY (self->toasts), make_pages (self));
  gtk_widget_set_hexpand (column, TRUE);
  gtk_widget_set_vexpand (self->toasts, TRUE);
  gtk_widget_set_vexpand (content, TRUE);
  gtk_box_append (GTK_BOX (column), self->toasts);
  gtk_box_append (GTK_BOX (column), make_foot (self));
  gtk_box_append (GTK_BOX (content), make_side (self));
  gtk_box_append (GTK_BOX (content), column);
  gtk_box_append (GTK_BOX (window), header);
  gtk_box_append (GTK_BOX (window), content);
  adw_window_set_content (ADW_WINDOW (self), window);
}
