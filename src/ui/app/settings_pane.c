/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The pane keeps two sets of options: what runs, and what is wished. A row's text goes into the wished one; what follows
 * from a difference (a signal now, or bold letters and “Run with these”) is the option's own effect, from its row of the
 * table. Three rows have controls of their own; all others get theirs by type.
 */
#include "config.h"
#include "ui/app/settings_pane.h"

#include <string.h>
#include <glib/gi18n.h>

#include "ui/app/layers_editor.h"
#include "ui/app/settings_layout.h"
#include "ui/app/settings_page.h"
#include "ui/app/settings_row.h"
#include "ui/app/settings_wish.h"

struct _LsSettingsPane {
  GtkWidget parent;

  LsSettingsWish wish;
  gboolean pending;
  GPtrArray *rows;             /* LsSettingsRow, by place */
  LsSettingsRow *network, *data, *device;

  GtkWidget *stack;            /* "settings", "layers" */
  LsLayersEditor *editor;
  GtkWidget *foot, *run, *sentence;
};

G_DEFINE_FINAL_TYPE (LsSettingsPane, ls_settings_pane, GTK_TYPE_WIDGET)

enum { CHANGED_LIVE, RESTART, PENDING, CHOOSE_FOLDER, N_SIGNALS };
static guint signals[N_SIGNALS]; /* set once, by class_init */

/* ---- what is pending ---- */

static void
update_pending (LsSettingsPane *self)
{
  gboolean pending = FALSE, fits = TRUE;
  g_autoptr (GError) error = NULL;

  for (guint i = 0; i < self->rows->len; i++)
    {
      LsSettingsRow *row = g_ptr_array_index (self->rows, i);
      const gboolean other = row->option->effect == LS_OPTION_RESTART && ls_settings_wish_is_other (&self->wish, row->option);
      g_autofree char *was = other ? ls_options_get (self->wish.running, row->option) : NULL;

      ls_settings_row_set_was (row, was);
      pending |= other;
    }
  fits = ls_settings_wish_check (&self->wish, &error);
  ls_settings_row_fail (self->network, pending && !fits ? error->message : NULL);
  gtk_widget_set_sensitive (self->run, fits);
  gtk_label_set_text (GTK_LABEL (self->sentence), self->wish.options->seed == self->wish.running->seed ? _("same seed, from step 0")
                                                                                            : _("new seed, from step 0"));
  gtk_revealer_set_reveal_child (GTK_REVEALER (self->foot), pending);
  if (pending == self->pending)
    return;
  self->pending = pending;
  g_signal_emit (self, signals[PENDING], 0);
}

static void
show_all (LsSettingsPane *self)
{
  for (guint i = 0; i < self->rows->len; i++)
    {
      LsSettingsRow *row = g_ptr_array_index (self->rows, i);
      g_autofree char *text = ls_options_get (self->wish.options, row->option);

      ls_settings_row_show (row, text);
    }
  update_pending (self);
}

/* ---- rows ---- */

/* "--lr takes a number …" is the terminal's wording; here the row's name stands in the option's place. */
static char *
in_words (const LsOption *option, const char *message)
{
  g_autofree char *flag = g_strconcat ("--", option->name, NULL);
  const char *at = strstr (message, flag);

  if (at == NULL)
    return g_strdup (message);
  return g_strdup_printf ("%.*s%s%s", (int) (at - message), message, _(option->label), at + strlen (flag));
}

static void
take_cb (LsSettingsRow *row, const char *text, gpointer data)
{
  LsSettingsPane *self = data;
  g_autofree char *before = ls_options_get (self->wish.options, row->option), *after = NULL;
  g_autoptr (GError) error = NULL;

  if (!ls_options_set (self->wish.options, row->option, text, &error))
    {
      g_autofree char *sentence = in_words (row->option, error->message);
      ls_settings_row_fail (row, sentence);
      return;
    }
  after = ls_options_get (self->wish.options, row->option);
  ls_settings_row_accept (row, after);
  if (strcmp (before, after) == 0)
    return;
  if (row == self->data && ls_settings_wish_fit_classes (&self->wish))
    ls_settings_row_show (self->network, self->wish.options->model);
  if (row->option->effect == LS_OPTION_LIVE)
    {
      ls_options_take_live (self->wish.running, self->wish.options);
      g_signal_emit (self, signals[CHANGED_LIVE], 0);
    }
  else
    update_pending (self);
}

static void
ask_cb (LsSettingsRow *row, gpointer data)
{
  LsSettingsPane *self = data;
  gint64 shape[3];
  gint n_classes;

  if (row == self->data)
    {
      g_signal_emit (self, signals[CHOOSE_FOLDER], 0);
      return;
    }
  if (ls_settings_wish_shape (&self->wish, shape, &n_classes))
    ls_layers_editor_set_input (self->editor, shape, n_classes);
  else
    ls_layers_editor_set_input (self->editor, NULL, 0);
  ls_layers_editor_set_text (self->editor, self->wish.options->model);
  gtk_stack_set_visible_child_name (GTK_STACK (self->stack), "layers");
  gtk_widget_child_focus (GTK_WIDGET (self->editor), GTK_DIR_TAB_FORWARD);
}

static const LsSettingsListener listener = { take_cb, ask_cb };

static void
layers_changed_cb (LsLayersEditor *editor, LsSettingsPane *self)
{
  g_autofree char *text = ls_layers_editor_get_text (editor);

  if (text == NULL)
    return;
  ls_settings_row_take (self->network, text);
  ls_settings_row_show (self->network, self->wish.options->model);
  update_pending (self);
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

static const LsSettingsKind *
kind_of (const LsOption *option)
{
  static const struct { const char *name; const LsSettingsKind *kind; } own[] = {
    { "model", &ls_settings_network }, { "data", &ls_settings_data }, { "device", &ls_settings_device },
  };

  for (guint i = 0; i < G_N_ELEMENTS (own); i++)
    if (strcmp (own[i].name, option->name) == 0)
      return own[i].kind;
  return option->choices != NULL                  ? &ls_settings_choice
         : option->type == LS_OPTION_INT          ? &ls_settings_whole
                                                  : &ls_settings_decimal;
}

/* By place, from 1. */
static const LsOption *
option_at (guint place)
{
  guint n;
  const LsOption *table = ls_options_table (&n);

  for (guint i = 0; i < n; i++)
    if (table[i].place == place)
      return &table[i];
  return NULL;
}

static void
add_rows (LsSettingsPane *self, GtkWidget *list)
{
  const LsOption *option;

  for (guint place = 1; (option = option_at (place)) != NULL; place++)
    {
      const LsSettingsKind *kind = kind_of (option);
      LsSettingsRow *row = ls_settings_row_new (list, option, kind, &listener, self);

      g_ptr_array_add (self->rows, row);
      if (kind == &ls_settings_network)
        self->network = row;
      else if (kind == &ls_settings_data)
        self->data = row;
      else if (kind == &ls_settings_device)
        self->device = row;
    }
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
  if (self->pending && gtk_widget_get_sensitive (self->run))
    g_signal_emit (self, signals[RESTART], 0);
}

static void
undo_cb (GtkButton *button, LsSettingsPane *self)
{
  ls_settings_wish_set_running (&self->wish, self->wish.running);
  show_all (self);
}

/* Beside each other, or above where words are long: the rows' own layout. */
static GtkWidget *
make_foot (LsSettingsPane *self)
{
  GtkWidget *box = g_object_new (GTK_TYPE_BOX, "layout-manager", ls_settings_layout_new (), NULL);
  GtkWidget *undo = ls_settings_button_new (_("_Undo"), G_CALLBACK (undo_cb), self);
  GtkWidget *whole = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);

  self->run = ls_settings_button_new (_("_Run with these"), G_CALLBACK (run_cb), self);
  gtk_widget_add_css_class (self->run, "suggested-action");
  gtk_widget_set_halign (undo, GTK_ALIGN_START);
  self->sentence = ls_settings_label_new (_("same seed, from step 0"), TRUE);
  gtk_widget_set_margin_top (self->sentence, 4);
  gtk_widget_set_parent (self->run, box);
  gtk_widget_set_parent (undo, box);
  gtk_widget_set_parent (self->sentence, box);
  ls_settings_margins (box, 12, 16);
  self->foot = gtk_revealer_new ();
  gtk_revealer_set_transition_type (GTK_REVEALER (self->foot), GTK_REVEALER_TRANSITION_TYPE_SLIDE_UP);
  gtk_box_append (GTK_BOX (whole), gtk_separator_new (GTK_ORIENTATION_HORIZONTAL));
  gtk_box_append (GTK_BOX (whole), box);
  gtk_revealer_set_child (GTK_REVEALER (self->foot), whole);
  return self->foot;
}

/* ---- pages ---- */

static void
tune_cb (GtkWidget *button, LsSettingsPane *self)
{
  gtk_widget_activate_action (button, "win.tune", NULL);
}

static GtkWidget *
make_settings (LsSettingsPane *self)
{
  GtkWidget *list = g_object_new (GTK_TYPE_BOX, "layout-manager", ls_settings_layout_new (), NULL);
  GtkWidget *column = gtk_box_new (GTK_ORIENTATION_VERTICAL, 12), *tune = ls_settings_button_new (_("_Tune this device…"), G_CALLBACK (tune_cb), self);

  add_rows (self, list);
  gtk_widget_set_halign (tune, GTK_ALIGN_START);
  gtk_box_append (GTK_BOX (column), list);
  gtk_box_append (GTK_BOX (column), tune);
  return ls_settings_page_new (_("Settings"), ls_settings_title_new (_("Settings")), column);
}

static GtkWidget *
make_layers (LsSettingsPane *self)
{
  GtkWidget *head = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8), *page;
  GtkWidget *back = ls_settings_tool_new ("go-previous-symbolic", _("Back to the settings"), G_CALLBACK (back_cb), self);
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

  gtk_accessible_update_property (GTK_ACCESSIBLE (stack_page), GTK_ACCESSIBLE_PROPERTY_LABEL, title, -1);
}

/* ---- the widget ---- */

static void
ls_settings_pane_measure (GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum, int *natural,
                          int *minimum_baseline, int *natural_baseline)
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
  gtk_widget_size_allocate (gtk_widget_get_first_child (widget), &(GtkAllocation) { 0, 0, width, height }, baseline);
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
  g_clear_pointer (&self->rows, g_ptr_array_unref);
  ls_settings_wish_clear (&self->wish);
  G_OBJECT_CLASS (ls_settings_pane_parent_class)->dispose (object);
}

static void
ls_settings_pane_class_init (LsSettingsPaneClass *klass)
{
  static const char *const names[N_SIGNALS] = { "changed-live", "restart", "pending", "choose-folder" };
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = ls_settings_pane_dispose;
  widget_class->measure = ls_settings_pane_measure;
  widget_class->size_allocate = ls_settings_pane_size_allocate;
  widget_class->grab_focus = ls_settings_pane_grab_focus;
  gtk_widget_class_set_css_name (widget_class, "settings-pane");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_GROUP);
  for (guint i = 0; i < N_SIGNALS; i++)
    signals[i] = g_signal_new (names[i], G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
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
  add_page (self, make_layers (self), "layers", _("Layers"));
  gtk_box_append (GTK_BOX (box), self->stack);
  gtk_box_append (GTK_BOX (box), make_foot (self));
  gtk_widget_set_parent (box, GTK_WIDGET (self));
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Settings"), -1);
  show_all (self);
}

GtkWidget *
ls_settings_pane_new (void)
{
  return g_object_new (LS_TYPE_SETTINGS_PANE, NULL);
}

void
ls_settings_pane_set_running (LsSettingsPane *self, const LsOptions *options)
{
  ls_settings_wish_set_running (&self->wish, options);
  show_all (self);
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
  update_pending (self);
}

void
ls_settings_pane_set_shape (LsSettingsPane *self, const char *what, const gint64 shape[3], gint n_classes)
{
  ls_settings_wish_set_shape (&self->wish, what, shape, n_classes);
  update_pending (self);
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
