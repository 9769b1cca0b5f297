/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * File dialogs and menus, old and new. This file alone may use what GTK got after 4.8: everywhere else
 * meson.build forbids it.
 */
#include "config.h"
#include "ui/app/compat.h"

#include <glib/gi18n.h>

typedef struct {
  LsFileFunc done;
  gpointer data;
  GDestroyNotify free_data;
  LsChoose what;
} Asked;

static void
answer (Asked *asked, GFile *file)
{
  if (file != NULL)
    asked->done (file, asked->data);
  if (asked->free_data != NULL)
    asked->free_data (asked->data);
  g_free (asked);
}

static GtkFileFilter *
make_filter (const char *pattern, const char *name)
{
  GtkFileFilter *filter = gtk_file_filter_new ();

  gtk_file_filter_set_name (filter, name);
  gtk_file_filter_add_pattern (filter, pattern);
  return filter;
}

#if GTK_CHECK_VERSION(4, 10, 0)

static void
chosen_cb (GObject *source, GAsyncResult *result, gpointer data)
{
  Asked *asked = data;
  GtkFileDialog *dialog = GTK_FILE_DIALOG (source);
  g_autoptr (GFile) file = asked->what == LS_CHOOSE_SAVE ? gtk_file_dialog_save_finish (dialog, result, NULL)
                           : asked->what == LS_CHOOSE_FOLDER
                             ? gtk_file_dialog_select_folder_finish (dialog, result, NULL)
                             : gtk_file_dialog_open_finish (dialog, result, NULL);

  answer (asked, file);
}

void
ls_compat_choose_file (GtkWindow *parent, LsChoose what, const char *title, const char *name,
                       const char *pattern, const char *pattern_name, LsFileFunc done, gpointer data,
                       GDestroyNotify free_data)
{
  g_autoptr (GtkFileDialog) dialog = gtk_file_dialog_new ();
  Asked *asked = g_new (Asked, 1);

  *asked = (Asked){ done, data, free_data, what };
  gtk_file_dialog_set_title (dialog, title);
  if (name != NULL)
    gtk_file_dialog_set_initial_name (dialog, name);
  if (pattern != NULL)
    {
      g_autoptr (GListStore) filters = g_list_store_new (GTK_TYPE_FILE_FILTER);
      g_autoptr (GtkFileFilter) filter = make_filter (pattern, pattern_name);
      g_list_store_append (filters, filter);
      gtk_file_dialog_set_filters (dialog, G_LIST_MODEL (filters));
    }
  if (what == LS_CHOOSE_SAVE)
    gtk_file_dialog_save (dialog, parent, NULL, chosen_cb, asked);
  else if (what == LS_CHOOSE_FOLDER)
    gtk_file_dialog_select_folder (dialog, parent, NULL, chosen_cb, asked);
  else
    gtk_file_dialog_open (dialog, parent, NULL, chosen_cb, asked);
}

#else

static void
response_cb (GtkNativeDialog *dialog, int response, gpointer data)
{
  Asked *asked = data;
  g_autoptr (GFile) file = response == GTK_RESPONSE_ACCEPT
                             ? gtk_file_chooser_get_file (GTK_FILE_CHOOSER (dialog))
                             : NULL;

  answer (asked, file);
  g_object_unref (dialog);
}

void
ls_compat_choose_file (GtkWindow *parent, LsChoose what, const char *title, const char *name,
                       const char *pattern, const char *pattern_name, LsFileFunc done, gpointer data,
                       GDestroyNotify free_data)
{
  static const GtkFileChooserAction actions[] = {
    [LS_CHOOSE_OPEN] = GTK_FILE_CHOOSER_ACTION_OPEN,
    [LS_CHOOSE_SAVE] = GTK_FILE_CHOOSER_ACTION_SAVE,
    [LS_CHOOSE_FOLDER] = GTK_FILE_CHOOSER_ACTION_SELECT_FOLDER,
  };
  GtkFileChooserNative *dialog = gtk_file_chooser_native_new (
    title, parent, actions[what], what == LS_CHOOSE_SAVE ? _("_Save") : _("_Open"), _("_Cancel"));
  Asked *asked = g_new (Asked, 1);

  *asked = (Asked){ done, data, free_data, what };
  if (name != NULL)
    gtk_file_chooser_set_current_name (GTK_FILE_CHOOSER (dialog), name);
  if (pattern != NULL)
    {
      g_autoptr (GtkFileFilter) filter = make_filter (pattern, pattern_name);
      gtk_file_chooser_add_filter (GTK_FILE_CHOOSER (dialog), filter);
    }
  g_signal_connect (dialog, "response", G_CALLBACK (response_cb), asked);
  gtk_native_dialog_set_modal (GTK_NATIVE_DIALOG (dialog), TRUE);
  gtk_native_dialog_show (GTK_NATIVE_DIALOG (dialog));
}

#endif

typedef struct {
  LsFileFunc done;
  gpointer data;
} Dropped;

static gboolean
drop_cb (GtkDropTarget *target, const GValue *value, double x, double y, gpointer data)
{
  const Dropped *dropped = data;
  GSList *files = g_value_get_boxed (value);

  if (files == NULL)
    return FALSE;
  dropped->done (files->data, dropped->data);
  return TRUE;
}

static void
forget_dropped (gpointer dropped, GClosure *closure)
{
  g_free (dropped);
}

void
ls_compat_add_drop (GtkWidget *widget, LsFileFunc done, gpointer data)
{
  GtkDropTarget *target = gtk_drop_target_new (GDK_TYPE_FILE_LIST, GDK_ACTION_COPY);
  Dropped *dropped = g_new (Dropped, 1);

  *dropped = (Dropped){ done, data };
  g_signal_connect_data (target, "drop", G_CALLBACK (drop_cb), dropped, forget_dropped, 0);
  gtk_widget_add_controller (widget, GTK_EVENT_CONTROLLER (target));
}

void
ls_compat_describe (gpointer accessible, const char *name, const char *more)
{
  gtk_accessible_reset_relation (accessible, GTK_ACCESSIBLE_RELATION_LABELLED_BY);
  gtk_accessible_update_property (accessible, GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
  if (more != NULL)
    gtk_accessible_update_property (accessible, GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, more, -1);
}

/* Newer GTK names both by what is chosen alone. */
static void
name_drop_cb (GtkDropDown *drop, GParamSpec *spec, const char *title)
{
  GtkStringObject *chosen = gtk_drop_down_get_selected_item (drop);
  g_autofree char *name = chosen == NULL
                            ? g_strdup (title)
                            : g_strdup_printf (_("%s: %s"), title, gtk_string_object_get_string (chosen));
  GtkWidget *const named[] = { GTK_WIDGET (drop), gtk_widget_get_first_child (GTK_WIDGET (drop)) };

  for (gsize i = 0; i < G_N_ELEMENTS (named); i++)
    ls_compat_name (named[i], name);
}

void
ls_compat_name_drop (GtkWidget *drop, const char *title)
{
  g_signal_connect (drop, "notify::selected-item", G_CALLBACK (name_drop_cb), (gpointer) title);
  name_drop_cb (GTK_DROP_DOWN (drop), NULL, title);
}

/* An item's label is presentation only, and such a one lends no name. The items' class is GTK's own, but has
 * properties. */
static void
name_items (GtkWidget *widget)
{
  if (g_str_equal (G_OBJECT_TYPE_NAME (widget), "GtkModelButton")
      && g_object_class_find_property (G_OBJECT_GET_CLASS (widget), "text") != NULL)
    {
      g_autofree char *text = NULL;
      g_object_get (widget, "text", &text, NULL);
      ls_compat_name (widget, text);
    }
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    name_items (child);
}

void
ls_compat_name_items (GtkMenuButton *button)
{
  g_signal_connect (gtk_menu_button_get_popover (button), "show", G_CALLBACK (name_items), NULL);
}

void
ls_compat_name_button (GtkWidget *button, const char *label)
{
  g_auto (GStrv) parts = g_strsplit (label, "_", -1);
  g_autofree char *name = g_strjoinv ("", parts);

  gtk_button_set_use_underline (GTK_BUTTON (button), TRUE);
  gtk_button_set_label (GTK_BUTTON (button), label);
  ls_compat_name (button, name);
}

GtkWidget *
ls_compat_scrolled_new (const char *name)
{
  GtkWidget *scrolled = g_object_new (GTK_TYPE_SCROLLED_WINDOW, "accessible-role", GTK_ACCESSIBLE_ROLE_GROUP,
                                      NULL);

  ls_compat_name (scrolled, name);
  return scrolled;
}
