/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The widgets over an LsLayerList: every change of the list makes the line of text, the rows and the sentence
 * about what doesn't fit anew.
 */
#include "config.h"
#include "ui/app/settings/layers_editor.h"

#include <glib/gi18n.h>

#include "ui/app/compat.h"
#include "ui/app/settings/layer_list.h"
#include "ui/app/settings/layer_row.h"
#include "ui/app/settings/layers_line.h"
#include "ui/app/settings/layers_menu.h"
#include "ui/app/settings/settings_page.h"
#include "ui/app/settings/settings_row.h"

#define PAUSE_MS  400
#define MAX_BYTES 10000 /* somewhat more than the parser takes; what is pasted beyond that isn't laid out */

struct _LsLayersEditor {
  GtkWidget parent;

  LsLayerList *layers;
  char *text; /* as it was last given or handed on; NULL: it doesn't fit */

  GtkWidget *line, *wrong, *input, *list;
  GtkWidget *add, *remove, *up, *down, *undo;
  guint timer; /* text typed, not yet read */
  gboolean showing;
};

G_DEFINE_FINAL_TYPE (LsLayersEditor, ls_layers_editor, GTK_TYPE_WIDGET)

enum { CHANGED, N_SIGNALS };
static guint signals[N_SIGNALS];

/* Position of the chosen layer, or the number of layers. */
static guint
chosen (LsLayersEditor *self)
{
  GtkListBoxRow *row = gtk_list_box_get_selected_row (GTK_LIST_BOX (self->list));

  return row != NULL ? (guint) gtk_list_box_row_get_index (row) : ls_layer_list_n (self->layers);
}

/* ---- showing ---- */

static void
show_wrong (LsLayersEditor *self, const char *sentence)
{
  gtk_label_set_text (GTK_LABEL (self->wrong), sentence != NULL ? sentence : "");
  gtk_widget_set_visible (self->wrong, sentence != NULL);
  gtk_accessible_update_state (GTK_ACCESSIBLE (self->line), GTK_ACCESSIBLE_STATE_INVALID,
                               sentence != NULL ? GTK_ACCESSIBLE_INVALID_TRUE : GTK_ACCESSIBLE_INVALID_FALSE,
                               -1);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->line), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
                                  sentence != NULL ? sentence : "", -1);
}

static void
show_buttons (LsLayersEditor *self)
{
  const guint i = chosen (self), n = ls_layer_list_n (self->layers);

  gtk_widget_set_sensitive (self->remove, i < n);
  gtk_widget_set_sensitive (self->up, i > 0 && i < n);
  gtk_widget_set_sensitive (self->down, i + 1 < n);
  gtk_widget_set_sensitive (self->undo, self->layers->past->len > 0);
}

static void
show_line (LsLayersEditor *self, const char *text)
{
  GtkTextBuffer *buffer = gtk_text_view_get_buffer (GTK_TEXT_VIEW (self->line));

  self->showing = TRUE;
  gtk_text_buffer_set_text (buffer, text, -1);
  self->showing = FALSE;
}

/* Makes text, shapes and sentence anew; tells the others if it is another network, and fits. */
static void
show (LsLayersEditor *self, gboolean with_line)
{
  const guint n = ls_layer_list_n (self->layers);
  g_autofree char *text = ls_layer_list_text (self->layers), *spec = ls_layer_list_spec (self->layers);
  g_autofree gint64 (*shapes)[3] = g_malloc0_n (MAX (n, 1), sizeof *shapes);
  g_autoptr (GError) error = NULL;
  const guint n_fit = ls_layer_list_check (self->layers, shapes, &error);

  for (guint i = 0; i < n; i++)
    {
      LsLayerRow *row = LS_LAYER_ROW (gtk_list_box_get_row_at_index (GTK_LIST_BOX (self->list), (int) i));
      g_autofree char *shape = i < n_fit ? ls_layer_shape_text (shapes[i]) : NULL;

      ls_layer_row_show (row, ls_layer_list_get (self->layers, i), i + 1, shape,
                         error != NULL && self->layers->known && i == n_fit);
    }
  if (with_line)
    show_line (self, spec);
  show_wrong (self, error != NULL ? error->message : NULL);
  show_buttons (self);

  if (error != NULL)
    g_clear_pointer (&self->text, g_free);
  else if (g_strcmp0 (self->text, text) != 0)
    {
      g_free (self->text);
      self->text = g_steal_pointer (&text);
      g_signal_emit (self, signals[CHANGED], 0);
    }
}

static void edited_cb (LsLayerRow *row, LsLayersEditor *self);

/* The list's rows are other ones; the chosen one is shown with its numbers. */
static void
rebuild (LsLayersEditor *self, guint choose)
{
  GtkListBox *list = GTK_LIST_BOX (self->list);
  const guint n = ls_layer_list_n (self->layers);
  GtkRoot *root = gtk_widget_get_root (self->list);
  GtkWidget *focus = root != NULL ? gtk_root_get_focus (root) : NULL;
  const gboolean had_focus = focus != NULL && gtk_widget_is_ancestor (focus, self->list);
  GtkListBoxRow *row;

  self->showing = TRUE;
  while ((row = gtk_list_box_get_row_at_index (list, 0)) != NULL)
    gtk_list_box_remove (list, GTK_WIDGET (row));
  for (guint i = 0; i < n; i++)
    {
      GtkWidget *made = ls_layer_row_new (ls_layer_list_get (self->layers, i)->kind);
      g_signal_connect (made, "edited", G_CALLBACK (edited_cb), self);
      gtk_list_box_append (list, made);
    }
  gtk_widget_set_visible (self->list, n > 0);
  self->showing = FALSE;
  row = n > 0 ? gtk_list_box_get_row_at_index (list, (int) MIN (choose, n - 1)) : NULL;
  gtk_list_box_select_row (list, row);
  if (had_focus && row != NULL)
    gtk_widget_grab_focus (GTK_WIDGET (row));
}

/* ---- changing ---- */

static void
edited_cb (LsLayerRow *row, LsLayersEditor *self)
{
  ls_layer_list_replace (self->layers, (guint) gtk_list_box_row_get_index (GTK_LIST_BOX_ROW (row)),
                         ls_layer_row_get_layer (row));
  show (self, TRUE);
}

/* Behind the chosen layer, or at the end. */
static void
add_cb (GtkButton *button, LsLayersEditor *self)
{
  const guint at = MIN (chosen (self) + 1, ls_layer_list_n (self->layers));

  gtk_menu_button_popdown (GTK_MENU_BUTTON (self->add));
  ls_layer_list_add (self->layers, at, ls_layers_menu_kind (button));
  rebuild (self, at);
  show (self, TRUE);
}

static void
remove_cb (GtkWidget *widget, LsLayersEditor *self)
{
  const guint i = chosen (self);

  ls_layer_list_remove (self->layers, i);
  rebuild (self, i);
  show (self, TRUE);
}

static void
move (LsLayersEditor *self, gint direction)
{
  const gint to = ls_layer_list_move (self->layers, chosen (self), direction);

  if (to < 0)
    return;
  rebuild (self, (guint) to);
  show (self, TRUE);
}

static void
up_cb (GtkWidget *button, LsLayersEditor *self)
{
  move (self, -1);
}

static void
down_cb (GtkWidget *button, LsLayersEditor *self)
{
  move (self, 1);
}

static void
undo_cb (GtkWidget *button, LsLayersEditor *self)
{
  const guint i = chosen (self);

  if (!ls_layer_list_undo (self->layers))
    return;
  rebuild (self, i);
  show (self, TRUE);
}

/* Shortcuts: the same, by their number in the table of add_shortcuts() */
static gboolean
shortcut_cb (GtkWidget *widget, GVariant *args, gpointer data)
{
  static void (*const calls[]) (GtkWidget *, LsLayersEditor *) = { up_cb, down_cb, remove_cb, undo_cb };

  calls[g_variant_get_int32 (args)](widget, data);
  return TRUE;
}

/* ---- the line of text ---- */

static void
read_line (LsLayersEditor *self)
{
  GtkTextBuffer *buffer = gtk_text_view_get_buffer (GTK_TEXT_VIEW (self->line));
  g_autofree char *text = NULL;
  g_autoptr (GError) error = NULL;
  GtkTextIter start, end;
  gboolean other;

  g_clear_handle_id (&self->timer, g_source_remove);
  gtk_text_buffer_get_bounds (buffer, &start, &end);
  text = gtk_text_buffer_get_text (buffer, &start, &end, FALSE);
  if (!ls_layer_list_read (self->layers, text, &other, &error))
    {
      show_wrong (self, error->message);
      return;
    }
  if (other)
    rebuild (self, chosen (self));
  show (self, FALSE); /* somebody may still be typing */
}

static gboolean
pause_cb (gpointer data)
{
  LsLayersEditor *self = data;

  self->timer = 0;
  read_line (self);
  return G_SOURCE_REMOVE;
}

static void
line_changed_cb (GtkTextBuffer *buffer, LsLayersEditor *self)
{
  if (self->showing)
    return;
  g_clear_handle_id (&self->timer, g_source_remove);
  self->timer = g_timeout_add (PAUSE_MS, pause_cb, self);
}

/* Before the text goes in. Enter means that it is meant; it isn't a part of it. */
static void
line_insert_cb (GtkTextBuffer *buffer, GtkTextIter *at, const char *text, int length, LsLayersEditor *self)
{
  const gboolean enter = length == 1 && *text == '\n',
                 too_long = length + gtk_text_buffer_get_char_count (buffer) > MAX_BYTES;

  if (!enter && !too_long)
    return;
  g_signal_stop_emission_by_name (buffer, "insert-text");
  if (enter)
    read_line (self);
  else
    show_wrong (self, _("That is too long for a network; nothing was pasted."));
}

static void
line_leave_cb (GtkEventControllerFocus *focus, LsLayersEditor *self)
{
  if (self->timer != 0)
    read_line (self);
}

static void
selected_cb (GtkListBox *list, GtkListBoxRow *row, LsLayersEditor *self)
{
  GtkListBoxRow *each;

  for (int i = 0; (each = gtk_list_box_get_row_at_index (list, i)) != NULL; i++)
    ls_layer_row_set_open (LS_LAYER_ROW (each), each == row);
  if (!self->showing)
    show_buttons (self);
}

/* ---- making ---- */

static GtkWidget *
make_line (LsLayersEditor *self)
{
  GtkEventController *focus = gtk_event_controller_focus_new ();
  GtkWidget *whole = ls_layers_line_new (&self->line);
  GtkTextBuffer *buffer = gtk_text_view_get_buffer (GTK_TEXT_VIEW (self->line));

  g_signal_connect (buffer, "insert-text", G_CALLBACK (line_insert_cb), self);
  g_signal_connect (buffer, "changed", G_CALLBACK (line_changed_cb), self);
  g_signal_connect (focus, "leave", G_CALLBACK (line_leave_cb), self);
  gtk_widget_add_controller (self->line, focus);
  return whole;
}

static GtkWidget *
make_tools (LsLayersEditor *self)
{
  GtkWidget *bar = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 2);

  self->add = gtk_menu_button_new ();
  gtk_menu_button_set_icon_name (GTK_MENU_BUTTON (self->add), "list-add-symbolic");
  ls_settings_name_parts (self->add, _("Add a layer"));
  gtk_menu_button_set_popover (GTK_MENU_BUTTON (self->add), ls_layers_menu_new (G_CALLBACK (add_cb), self));
  gtk_widget_add_css_class (self->add, "flat");
  gtk_widget_set_tooltip_text (self->add, _("Add a layer after the chosen one"));
  ls_compat_name (self->add, _("Add a layer"));
  gtk_box_append (GTK_BOX (bar), self->add);
  self->remove = ls_settings_tool_new ("list-remove-symbolic", _("Remove the layer"), G_CALLBACK (remove_cb),
                                       self);
  self->up = ls_settings_tool_new ("go-up-symbolic", _("Move the layer up"), G_CALLBACK (up_cb), self);
  self->down = ls_settings_tool_new ("go-down-symbolic", _("Move the layer down"), G_CALLBACK (down_cb),
                                     self);
  self->undo = ls_settings_tool_new ("edit-undo-symbolic", _("Undo the last change of the layers"),
                                     G_CALLBACK (undo_cb), self);
  gtk_box_append (GTK_BOX (bar), self->remove);
  gtk_box_append (GTK_BOX (bar), self->up);
  gtk_box_append (GTK_BOX (bar), self->down);
  gtk_box_append (GTK_BOX (bar), self->undo);
  gtk_widget_set_hexpand (self->undo, TRUE);
  gtk_widget_set_halign (self->undo, GTK_ALIGN_END);
  return bar;
}

static void
add_shortcuts (LsLayersEditor *self)
{
  static const char *const keys[] = { "<Alt>Up", "<Alt>Down", "Delete", "<Control>z" };
  GtkEventController *controller = gtk_shortcut_controller_new ();

  for (gint i = 0; i < (gint) G_N_ELEMENTS (keys); i++)
    {
      GtkShortcut *shortcut = gtk_shortcut_new (gtk_shortcut_trigger_parse_string (keys[i]),
                                                gtk_callback_action_new (shortcut_cb, self, NULL));
      gtk_shortcut_set_arguments (shortcut, g_variant_new_int32 (i));
      gtk_shortcut_controller_add_shortcut (GTK_SHORTCUT_CONTROLLER (controller), shortcut);
    }
  gtk_widget_add_controller (self->list, controller);
}

static void
ls_layers_editor_dispose (GObject *object)
{
  LsLayersEditor *self = LS_LAYERS_EDITOR (object);
  GtkWidget *child;

  g_clear_handle_id (&self->timer, g_source_remove);
  if (self->list != NULL)
    g_signal_handlers_disconnect_by_data (self->list, self); /* a list that goes says that none is chosen */
  self->list = NULL;
  while ((child = gtk_widget_get_first_child (GTK_WIDGET (self))) != NULL)
    gtk_widget_unparent (child);
  g_clear_pointer (&self->layers, ls_layer_list_free);
  g_clear_pointer (&self->text, g_free);
  G_OBJECT_CLASS (ls_layers_editor_parent_class)->dispose (object);
}

static void
ls_layers_editor_class_init (LsLayersEditorClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = ls_layers_editor_dispose;
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (klass), GTK_TYPE_BOX_LAYOUT);
  gtk_widget_class_set_accessible_role (GTK_WIDGET_CLASS (klass), GTK_ACCESSIBLE_ROLE_GROUP);
  signals[CHANGED] = g_signal_new ("changed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                   NULL, G_TYPE_NONE, 0);
}

static void
ls_layers_editor_init (LsLayersEditor *self)
{
  GtkWidget *widget = GTK_WIDGET (self);

  self->layers = ls_layer_list_new ();
  gtk_orientable_set_orientation (GTK_ORIENTABLE (gtk_widget_get_layout_manager (widget)),
                                  GTK_ORIENTATION_VERTICAL);
  gtk_box_layout_set_spacing (GTK_BOX_LAYOUT (gtk_widget_get_layout_manager (widget)), 8);
  self->wrong = ls_settings_label_new ("", FALSE);
  gtk_label_set_wrap_mode (GTK_LABEL (self->wrong), PANGO_WRAP_WORD_CHAR);
  gtk_widget_add_css_class (self->wrong, "error");
  self->input = ls_settings_label_new ("", TRUE);
  self->list = gtk_list_box_new ();
  gtk_list_box_set_selection_mode (GTK_LIST_BOX (self->list), GTK_SELECTION_BROWSE);
  gtk_widget_add_css_class (self->list, "boxed-list");
  ls_compat_name (self->list, _("Layers"));
  ls_compat_name (self, _("Layers"));
  g_signal_connect (self->list, "row-selected", G_CALLBACK (selected_cb), self);
  add_shortcuts (self);
  gtk_widget_set_parent (make_line (self), widget);
  gtk_widget_set_parent (self->wrong, widget);
  gtk_widget_set_parent (make_tools (self), widget);
  gtk_widget_set_parent (self->input, widget);
  gtk_widget_set_parent (self->list, widget);
}

GtkWidget *
ls_layers_editor_new (void)
{
  return g_object_new (LS_TYPE_LAYERS_EDITOR, NULL);
}

void
ls_layers_editor_set_text (LsLayersEditor *self, const char *text)
{
  g_clear_handle_id (&self->timer, g_source_remove);
  ls_layer_list_start (self->layers, text);
  g_free (self->text);
  self->text = ls_layer_list_text (self->layers);
  rebuild (self, 0);
  show (self, TRUE);
}

char *
ls_layers_editor_get_text (LsLayersEditor *self)
{
  return g_strdup (self->text);
}

void
ls_layers_editor_set_input (LsLayersEditor *self, const gint64 shape[3], gint n_classes)
{
  g_autofree char *size = shape != NULL ? ls_layer_shape_text (shape) : NULL;
  g_autofree char *words = shape != NULL ? g_strdup_printf (
                             ngettext ("From %s to %d class", "From %s to %d classes", (gulong) n_classes),
                             size, n_classes)
                                         : g_strdup (_("What goes in is known once the data are read."));

  ls_layer_list_set_input (self->layers, shape, n_classes);
  gtk_label_set_text (GTK_LABEL (self->input), words);
}
