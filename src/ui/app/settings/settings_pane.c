/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The pane keeps two sets of options: what runs, and what is wished. Its pages, rows and layers, and its foot
 * are here; what becomes of a change is settings_pane_pending.c's.
 */
#include "config.h"
#include "ui/app/settings/settings_pane_private.h"

#include <string.h>
#include <glib/gi18n.h>

#include "ui/app/compat.h"
#include "ui/app/settings/settings_page.h"
#include "ui/app/settings/settings_sections.h"

G_DEFINE_FINAL_TYPE (LsSettingsPane, ls_settings_pane, GTK_TYPE_WIDGET)

/* ---- rows ---- */

/* The layers of the network that is wished, for the data that are. */
static void
show_layers (LsSettingsPane *self)
{
  gint64 shape[3];
  gint n_classes;

  if (ls_settings_wish_shape (&self->wish, shape, &n_classes))
    ls_layers_editor_set_input (self->editor, shape, n_classes);
  else
    ls_layers_editor_set_input (self->editor, NULL, 0);
  ls_layers_editor_set_text (self->editor, self->wish.options->model);
}

/* The network or the data are other ones, and not by the list of layers, while that is shown. */
static void
follow_layers (LsSettingsPane *self)
{
  if (g_strcmp0 (gtk_stack_get_visible_child_name (GTK_STACK (self->stack)), "layers") == 0)
    show_layers (self);
}

static void
ask_cb (LsSettingsRow *row, guint which, gpointer data)
{
  LsSettingsPane *self = data;

  if (row == self->data)
    {
      g_signal_emit_by_name (self, which == 0 ? "choose-folder" : "choose-file");
      return;
    }
  show_layers (self);
  gtk_stack_set_visible_child_name (GTK_STACK (self->stack), "layers");
  gtk_widget_child_focus (GTK_WIDGET (self->editor), GTK_DIR_TAB_FORWARD);
}

static const LsSettingsListener listener = { ls_settings_pane_take_cb, ask_cb };

static void
layers_changed_cb (LsLayersEditor *editor, LsSettingsPane *self)
{
  g_autofree char *text = ls_layers_editor_get_text (editor);

  if (text == NULL)
    return;
  ls_settings_row_take (self->network, text);
  ls_settings_row_show (self->network, self->wish.options->model);
  ls_settings_pane_update_pending (self);
}

static void
back_cb (GtkWidget *button, LsSettingsPane *self)
{
  gtk_stack_set_visible_child_name (GTK_STACK (self->stack), "settings");
  gtk_widget_grab_focus (self->network->control);
}

static gboolean
escape_cb (GtkWidget *widget, GVariant *args, gpointer data)
{
  back_cb (NULL, data);
  return TRUE;
}

/* ---- foot ---- */

static void
run_cb (GtkButton *button, LsSettingsPane *self)
{
  for (guint i = 0; i < self->rows->len; i++)
    {
      LsSettingsRow *row = g_ptr_array_index (self->rows, i);
      if (row->kind->flush != NULL)
        row->kind->flush (row);
    }
  if (self->pending && gtk_widget_get_sensitive (self->foot.run))
    g_signal_emit_by_name (self, "restart");
}

static void
undo_cb (GtkButton *button, LsSettingsPane *self)
{
  ls_settings_wish_set_running (&self->wish, self->wish.running);
  ls_settings_pane_show_all (self);
  follow_layers (self);
}

/* ---- pages ---- */

static void
close_cb (GtkWidget *button, LsSettingsPane *self)
{
  gtk_widget_activate_action (button, "win.settings", NULL);
}

static void
tune_cb (GtkWidget *button, LsSettingsPane *self)
{
  gtk_widget_activate_action (button, "win.tune", NULL);
}

static GtkWidget *
make_settings (LsSettingsPane *self)
{
  GtkWidget *list = ls_settings_sections_new (self->rows, &listener, self);
  GtkWidget *head = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8),
            *title = ls_settings_title_new (_("Settings"));
  GtkWidget *close = ls_settings_tool_new ("window-close-symbolic", _("Close the settings"),
                                           G_CALLBACK (close_cb), self);
  GtkWidget *column = gtk_box_new (GTK_ORIENTATION_VERTICAL, 12),
            *tune = ls_settings_button_new (_("_Tune this device…"), G_CALLBACK (tune_cb), self);

  gtk_widget_set_halign (tune, GTK_ALIGN_START);
  gtk_box_append (GTK_BOX (column), list);
  gtk_box_append (GTK_BOX (column), tune);
  gtk_widget_set_hexpand (title, FALSE);
  self->state = ls_settings_label_new ("", TRUE);
  gtk_label_set_max_width_chars (GTK_LABEL (self->state), -1);
  gtk_widget_set_hexpand (self->state, TRUE);
  gtk_box_append (GTK_BOX (head), title);
  gtk_box_append (GTK_BOX (head), self->state);
  gtk_box_append (GTK_BOX (head), close);
  return ls_settings_page_new (_("Settings"), head, column);
}

static void
find_rows (LsSettingsPane *self)
{
  const guint n = g_get_num_processors ();
  g_autofree char *cores = g_strdup_printf (ngettext ("Workers that share an op. This machine has %u core.",
                                                      "Workers that share an op. This machine has %u cores.",
                                                      n),
                                            n);

  self->network = ls_settings_sections_row (self->rows, "model");
  self->data = ls_settings_sections_row (self->rows, "data");
  self->device = ls_settings_sections_row (self->rows, "device");
  self->lr = ls_settings_sections_row (self->rows, "lr");
  self->batch = ls_settings_sections_row (self->rows, "batch");
  self->lanes = ls_settings_sections_row (self->rows, "lanes");
  ls_settings_row_set_more (ls_settings_sections_row (self->rows, "threads"), cores);
}

static GtkWidget *
make_layers (LsSettingsPane *self)
{
  GtkWidget *head = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8), *page;
  GtkWidget *back = ls_settings_tool_new ("go-previous-symbolic", _("Back to the settings"),
                                          G_CALLBACK (back_cb), self);
  GtkEventController *keys = gtk_shortcut_controller_new ();

  gtk_box_append (GTK_BOX (head), back);
  gtk_box_append (GTK_BOX (head), ls_settings_title_new (_("Layers")));
  self->editor = LS_LAYERS_EDITOR (ls_layers_editor_new ());
  g_signal_connect (self->editor, "changed", G_CALLBACK (layers_changed_cb), self);
  page = ls_settings_page_new (_("Layers"), head, GTK_WIDGET (self->editor));
  gtk_shortcut_controller_add_shortcut (GTK_SHORTCUT_CONTROLLER (keys),
                                        gtk_shortcut_new (gtk_keyval_trigger_new (GDK_KEY_Escape, 0),
                                                          gtk_callback_action_new (escape_cb, self, NULL)));
  gtk_widget_add_controller (page, keys);
  return page;
}

static void
add_page (LsSettingsPane *self, GtkWidget *page, const char *name, const char *title)
{
  GtkStackPage *stack_page = gtk_stack_add_titled (GTK_STACK (self->stack), page, name, title);

  ls_compat_name (stack_page, title);
}

/* ---- the widget ---- */

static void
ls_settings_pane_measure (GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum,
                          int *natural, int *minimum_baseline, int *natural_baseline)
{
  GtkWidget *child = gtk_widget_get_first_child (widget);
  int least = 0;

  gtk_widget_measure (child, GTK_ORIENTATION_HORIZONTAL, -1, &least, NULL, NULL, NULL);
  if (orientation == GTK_ORIENTATION_HORIZONTAL)
    *minimum = *natural = MAX (least, LS_SETTINGS_PANE_WIDTH);
  else
    gtk_widget_measure (child, orientation, for_size, minimum, natural, NULL, NULL);
}

static void
ls_settings_pane_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
  gtk_widget_size_allocate (gtk_widget_get_first_child (widget), &(GtkAllocation){ 0, 0, width, height },
                            baseline);
}

/* To the first control of the page that is shown. */
static gboolean
ls_settings_pane_grab_focus (GtkWidget *widget)
{
  return gtk_widget_child_focus (gtk_widget_get_first_child (widget), GTK_DIR_TAB_FORWARD);
}

static void
ls_settings_pane_dispose (GObject *object)
{
  LsSettingsPane *self = LS_SETTINGS_PANE (object);
  GtkWidget *child = gtk_widget_get_first_child (GTK_WIDGET (self));

  if (child != NULL)
    gtk_widget_unparent (child);
  g_clear_handle_id (&self->reading_timer, g_source_remove);
  g_clear_pointer (&self->reading, g_free);
  g_clear_pointer (&self->reading_part, g_atomic_rc_box_release);
  ls_settings_look_clear (&self->running);
  ls_settings_look_clear (&self->wished);
  self->shown = NULL;
  g_clear_pointer (&self->rows, g_ptr_array_unref);
  ls_settings_wish_clear (&self->wish);
  G_OBJECT_CLASS (ls_settings_pane_parent_class)->dispose (object);
}

static void
ls_settings_pane_class_init (LsSettingsPaneClass *klass)
{
  static const char *const signals[] = { "changed-live", "restart", "pending", "choose-folder",
                                         "choose-file" };
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = ls_settings_pane_dispose;
  widget_class->measure = ls_settings_pane_measure;
  widget_class->size_allocate = ls_settings_pane_size_allocate;
  widget_class->grab_focus = ls_settings_pane_grab_focus;
  gtk_widget_class_set_css_name (widget_class, "settings-pane");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_GROUP);
  for (guint i = 0; i < G_N_ELEMENTS (signals); i++)
    g_signal_new (signals[i], G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE,
                  0);
}

static void
ls_settings_pane_init (LsSettingsPane *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);

  ls_settings_wish_init (&self->wish);
  self->rows = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_settings_row_free);
  self->stack = gtk_stack_new ();
  gtk_stack_set_transition_type (GTK_STACK (self->stack), GTK_STACK_TRANSITION_TYPE_CROSSFADE);
  add_page (self, make_settings (self), "settings", _("Settings"));
  find_rows (self);
  add_page (self, make_layers (self), "layers", _("Layers"));
  gtk_box_append (GTK_BOX (box), self->stack);
  ls_settings_foot_init (&self->foot, G_CALLBACK (run_cb), G_CALLBACK (undo_cb), self);
  gtk_box_append (GTK_BOX (box), self->foot.revealer);
  gtk_widget_set_parent (box, GTK_WIDGET (self));
  ls_compat_name (self, _("Settings"));
  ls_compat_add_drop (GTK_WIDGET (self), ls_settings_pane_wish_file, self);
  ls_settings_pane_show_all (self);
}

GtkWidget *
ls_settings_pane_new (void)
{
  return g_object_new (LS_TYPE_SETTINGS_PANE, NULL);
}

void
ls_settings_pane_set_running (LsSettingsPane *self, const LsOptions *options)
{
  const gboolean other = strcmp (self->wish.options->model, options->model) != 0
                         || strcmp (self->wish.options->data, options->data) != 0;

  ls_settings_wish_set_running (&self->wish, options);
  ls_settings_pane_show_all (self);
  if (other)
    follow_layers (self);
}

void
ls_settings_pane_change_running (LsSettingsPane *self, const LsOptions *options)
{
  ls_settings_wish_change_running (&self->wish, options);
  ls_settings_pane_show_all (self);
}

void
ls_settings_pane_set_devices (LsSettingsPane *self, const char *const *names)
{
  ls_settings_device_set_names (self->device, names);
}

void
ls_settings_pane_set_data (LsSettingsPane *self, const char *what)
{
  ls_settings_row_take (self->data, what);
  if (strcmp (self->wish.options->data, what) != 0)
    return; /* not a text; the row says so */
  ls_settings_row_show (self->data, what);
  ls_settings_pane_update_pending (self);
  follow_layers (self);
}

void
ls_settings_pane_set_shape (LsSettingsPane *self, const char *what, const gint64 shape[3], gint n_classes,
                            gint64 n_train)
{
  gint64 before[3] = { 0 };
  gint n_before = 0;
  const gboolean known = ls_settings_wish_shape (&self->wish, before, &n_before);

  ls_settings_wish_set_shape (&self->wish, what, shape, n_classes, n_train);
  ls_settings_pane_follow (self, NULL);
  ls_settings_pane_update_pending (self);
  if (!known || n_before != n_classes || memcmp (before, shape, sizeof before) != 0)
    follow_layers (self);
}

gboolean
ls_settings_pane_shape (LsSettingsPane *self, gint64 shape[3], gint *n_classes)
{
  return ls_settings_wish_shape (&self->wish, shape, n_classes);
}

const LsOptions *
ls_settings_pane_running (LsSettingsPane *self)
{
  return self->wish.running;
}

const LsOptions *
ls_settings_pane_options (LsSettingsPane *self)
{
  return self->wish.options;
}

gboolean
ls_settings_pane_is_pending (LsSettingsPane *self)
{
  return self->pending;
}
