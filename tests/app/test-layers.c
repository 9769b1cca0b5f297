/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The layers editor, as somebody uses it: the cnn preset from nothing by clicks, and back by undo; moves by
 * button and by key; the line of text with right, wrong and hostile words; and in the pane, where only what
 * fits arrives.
 */
#include <string.h>

#include "rig.h"
#include "model/spec.h"
#include "ui/app/settings/layers_editor.h"
#include "ui/app/settings/settings_pane.h"
#include "ui/app/settings/settings_row.h"

#define CNN                                                                                                  \
  "conv 16 3 pad 1, relu, maxpool 2, conv 32 3 pad 1, relu, maxpool 2, flatten, dense 128, relu, dense 10"

typedef struct {
  LsLayersEditor *editor;
  GtkWidget *widget, *window;
  GtkListBox *list;
  GtkTextBuffer *line;
  guint changes;
} Rig;

static void
count_cb (gpointer object, guint *count)
{
  ++*count;
}

static void
set_up (Rig *rig, gconstpointer data)
{
  const gint64 shape[3] = { 1, 28, 28 };
  GtkWidget *scrolled;

  memset (rig, 0, sizeof *rig);
  rig->widget = ls_layers_editor_new ();
  rig->editor = LS_LAYERS_EDITOR (rig->widget);
  rig->list = GTK_LIST_BOX (rig_find_kind (rig->widget, GTK_TYPE_LIST_BOX));
  rig->line = gtk_text_view_get_buffer (GTK_TEXT_VIEW (rig_find_kind (rig->widget, GTK_TYPE_TEXT_VIEW)));
  g_signal_connect (rig->editor, "changed", G_CALLBACK (count_cb), &rig->changes);
  scrolled = gtk_scrolled_window_new (); /* as in the pane: the rows may become more than the window is
                                            high */
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), rig->widget);
  rig->window = rig_show (scrolled, LS_SETTINGS_PANE_WIDTH - 32, 900);
  ls_layers_editor_set_input (rig->editor, shape, 10);
  ls_layers_editor_set_text (rig->editor, "mlp");
}

static void
tear_down (Rig *rig, gconstpointer data)
{
  rig_close (rig->window);
}

#define assert_network(rig, expected)                                                                        \
  G_STMT_START                                                                                               \
  {                                                                                                          \
    g_autofree char *text_ = ls_layers_editor_get_text (rig->editor);                                        \
    g_assert_cmpstr (text_, ==, expected);                                                                   \
  }                                                                                                          \
  G_STMT_END

static void
assert_line (Rig *rig, const char *expected)
{
  GtkTextIter start, end;

  gtk_text_buffer_get_bounds (rig->line, &start, &end);
  g_autofree char *text = gtk_text_buffer_get_text (rig->line, &start, &end, FALSE);
  g_assert_cmpstr (text, ==, expected);
}

/* With Enter at the end. */
static void
type_line (Rig *rig, const char *text)
{
  gtk_text_buffer_set_text (rig->line, text, -1);
  gtk_text_buffer_insert_at_cursor (rig->line, "\n", -1);
  rig_settle ();
}

/* The sentence about what is wrong, or "". */
static const char *
wrong (Rig *rig)
{
  GtkWidget *label = gtk_widget_get_next_sibling (gtk_widget_get_first_child (rig->widget));

  return gtk_widget_get_visible (label) ? gtk_label_get_text (GTK_LABEL (label)) : "";
}

static guint
n_rows (Rig *rig)
{
  guint n = 0;

  while (gtk_list_box_get_row_at_index (rig->list, (int) n) != NULL)
    n++;
  return n;
}

static void
clear (Rig *rig)
{
  while (n_rows (rig) > 0)
    rig_click (rig->widget, "Remove the layer");
}

/* What the chosen layer has under that name: a number's field or a choice. */
static GtkWidget *
part (Rig *rig, const char *label, GType kind)
{
  GtkWidget *row = GTK_WIDGET (gtk_list_box_get_selected_row (rig->list));

  for (GtkWidget *child = gtk_widget_get_first_child (rig_find_kind (row, GTK_TYPE_FLOW_BOX)); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    if (strcmp (rig_label (child, 0), label) == 0)
      return rig_find_kind (child, kind);
  g_error ("the chosen layer has no “%s”", label);
}

static void
set_number (Rig *rig, const char *label, const char *text)
{
  GtkWidget *entry = part (rig, label, GTK_TYPE_ENTRY);

  gtk_editable_set_text (GTK_EDITABLE (entry), text);
  g_signal_emit_by_name (entry, "activate");
  rig_settle ();
}

/* A choice of the chosen layer is turned over; returns what it was. */
static gboolean
turn_over (Rig *rig, const char *label)
{
  GtkCheckButton *check = GTK_CHECK_BUTTON (part (rig, label, GTK_TYPE_CHECK_BUTTON));
  const gboolean was = gtk_check_button_get_active (check);

  gtk_check_button_set_active (check, !was);
  rig_settle ();
  return was;
}

/* Presses a key's shortcut where the list has it. */
static void
press (Rig *rig, const char *key)
{
  g_autoptr (GListModel) controllers = gtk_widget_observe_controllers (GTK_WIDGET (rig->list));

  for (guint i = 0; i < g_list_model_get_n_items (controllers); i++)
    {
      g_autoptr (GtkEventController) controller = g_list_model_get_item (controllers, i);

      for (guint j = 0; GTK_IS_SHORTCUT_CONTROLLER (controller)
                        && j < g_list_model_get_n_items (G_LIST_MODEL (controller));
           j++)
        {
          g_autoptr (GtkShortcut) shortcut = g_list_model_get_item (G_LIST_MODEL (controller), j);
          g_autofree char *trigger = gtk_shortcut_trigger_to_string (gtk_shortcut_get_trigger (shortcut));

          if (strcmp (trigger, key) != 0)
            continue;
          g_assert_true (gtk_shortcut_action_activate (gtk_shortcut_get_action (shortcut), 0,
                                                       GTK_WIDGET (rig->list),
                                                       gtk_shortcut_get_arguments (shortcut)));
          rig_settle ();
          return;
        }
    }
  g_error ("the list has no shortcut %s", key);
}

/* A network that is opened: its first layer is chosen, and nothing can be undone. */
static void
assert_opened (Rig *rig)
{
  GtkListBoxRow *chosen = gtk_list_box_get_selected_row (rig->list);

  if (chosen == NULL || gtk_list_box_row_get_index (chosen) != 0)
    g_error ("a network is opened at layer %d", chosen != NULL ? gtk_list_box_row_get_index (chosen) + 1 : 0);
  g_assert_false (
    gtk_widget_get_sensitive (rig_find_button (rig->widget, "Undo the last change of the layers")));
  rig_settle ();
}

/* How a layer reads a sequence, and what it gives, by clicks, by undo and from the line. */
static void
test_sequence (Rig *rig, gconstpointer data)
{
  ls_layers_editor_set_text (rig->editor, "lstm 12, dense 10");
  assert_opened (rig);
  g_assert_false (turn_over (rig, "by columns"));
  assert_network (rig, "lstm 12 columns, dense 10");
  g_assert_false (turn_over (rig, "gives all steps"));
  assert_line (rig, "lstm 12 all columns, dense 10");
  rig_click (rig->widget, "Undo the last change of the layers");
  assert_network (rig, "lstm 12 columns, dense 10");
  assert_line (rig, "lstm 12 columns, dense 10");
  ls_layers_editor_set_text (rig->editor, "lstm 12, dense 10");
  assert_opened (rig);
  g_assert_false (turn_over (rig, "by columns")); /* it shows what the network says */
}

static void
test_cnn_by_clicks (Rig *rig, gconstpointer data)
{
  static const char *const words[] = { "conv",    "relu",    "maxpool", "conv", "relu",
                                       "maxpool", "flatten", "dense",   "relu", "dense" };
  guint steps = 0;

  clear (rig);
  g_assert_cmpstr (wrong (rig), ==, "A network needs layers; add one.");
  assert_network (rig, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (words); i++, steps++)
    {
      rig_click (rig->widget, words[i]);
      if (i == 3)
        set_number (rig, "channels", "32");
      if (i == 7)
        set_number (rig, "units", "128");
    }
  assert_network (rig, "cnn");
  g_assert_cmpstr (wrong (rig), ==, "");
  assert_line (rig, CNN);

  for (guint i = 0; i < steps + 2 + 6; i++) /* two numbers; mlp's six layers were removed */
    rig_click (rig->widget, "Undo the last change of the layers");
  assert_network (rig, "mlp");
  assert_opened (rig);
}

static void
test_shapes (Rig *rig, gconstpointer data)
{
  ls_layers_editor_set_text (rig->editor, "cnn");
  rig_assert_says (gtk_list_box_get_row_at_index (rig->list, 2), GTK_ACCESSIBLE_PROPERTY_LABEL,
                   "Layer 3: maxpool 2, makes \u206616×14×14\u2069");
  rig_assert_says (gtk_list_box_get_row_at_index (rig->list, 6), GTK_ACCESSIBLE_PROPERTY_LABEL,
                   "Layer 7: flatten, makes 1568");
  gtk_list_box_select_row (rig->list, gtk_list_box_get_row_at_index (rig->list, 6));
  rig_click (rig->widget, "Remove the layer"); /* dense on planes: says where, and what it needs */
  g_assert_nonnull (strstr (wrong (rig), "layer 7"));
  g_assert_nonnull (strstr (wrong (rig), "flatten"));
  gtk_test_accessible_assert_property (gtk_list_box_get_row_at_index (rig->list, 6),
                                       GTK_ACCESSIBLE_PROPERTY_LABEL, "Layer 7: dense 128, doesn’t fit");
  assert_network (rig, NULL);
  g_assert_cmpuint (rig->changes, ==, 0);
}

static void
test_moves (Rig *rig, gconstpointer data)
{
  type_line (rig, "flatten, dense 20, tanh, dense 10");
  assert_network (rig, "flatten, dense 20, tanh, dense 10");
  gtk_list_box_select_row (rig->list, gtk_list_box_get_row_at_index (rig->list, 2));
  rig_click (rig->widget, "Move the layer up");
  assert_network (rig, "flatten, tanh, dense 20, dense 10");
  g_assert_cmpint (gtk_list_box_row_get_index (gtk_list_box_get_selected_row (rig->list)), ==, 1);
  press (rig, "<Alt>Up");
  assert_network (rig, "tanh, flatten, dense 20, dense 10");
  press (rig, "<Alt>Up"); /* it is the first */
  press (rig, "<Alt>Down");
  press (rig, "<Alt>Down");
  assert_network (rig, "flatten, dense 20, tanh, dense 10");
  gtk_list_box_select_row (rig->list, gtk_list_box_get_row_at_index (rig->list, 3));
  press (rig, "<Alt>Down"); /* it is the last */
  assert_network (rig, "flatten, dense 20, tanh, dense 10");
  gtk_list_box_select_row (rig->list, gtk_list_box_get_row_at_index (rig->list, 2));
  press (rig, "Delete");
  assert_network (rig, "flatten, dense 20, dense 10");
  press (rig, "<Control>z");
  assert_network (rig, "flatten, dense 20, tanh, dense 10");
}

static void
test_numbers (Rig *rig, gconstpointer data)
{
  ls_layers_editor_set_text (rig->editor, "cnn");
  assert_opened (rig);
  set_number (rig, "padding", "0");
  set_number (rig, "stride", "2");
  assert_network (rig, "conv 16 3 stride 2, relu, maxpool 2, conv 32 3 pad 1, relu, maxpool 2, flatten, "
                       "dense 128, relu, dense 10");
  set_number (rig, "kernel", "0");
  g_assert_nonnull (strstr (wrong (rig), "layer 1"));
  g_assert_nonnull (strstr (wrong (rig), "255"));
  assert_network (rig, NULL);
  set_number (rig, "kernel", "5");
  g_assert_cmpstr (wrong (rig), ==, "");
  set_number (rig, "channels", "16, relu"); /* no number: nothing happens */
  set_number (rig, "channels", "99999999999999999999");
  set_number (rig, "channels", "");
  g_assert_true (strstr (wrong (rig), "relu") == NULL);
  assert_network (rig, "conv 16 5 stride 2, relu, maxpool 2, conv 32 3 pad 1, relu, maxpool 2, flatten, "
                       "dense 128, relu, dense 10");
  gtk_list_box_select_row (rig->list, gtk_list_box_get_row_at_index (rig->list, 2));
  set_number (rig, "kernel", "3"); /* a pool's windows go on touching */
  assert_network (rig, "conv 16 5 stride 2, relu, maxpool 3, conv 32 3 pad 1, relu, maxpool 2, flatten, "
                       "dense 128, relu, dense 10");
}

static void
test_line (Rig *rig, gconstpointer data)
{
  const guint changes = rig->changes;

  type_line (rig, "flatten, danse 10");
  g_assert_nonnull (strstr (wrong (rig), "layer 2, column 10"));
  g_assert_nonnull (strstr (wrong (rig), "“danse”"));
  g_assert_nonnull (strstr (wrong (rig), "expected conv"));
  g_assert_cmpuint (rig->changes, ==, changes);
  g_assert_cmpuint (n_rows (rig), ==, 6);

  type_line (rig, "flatten,dense   10");
  g_assert_cmpstr (wrong (rig), ==, "");
  g_assert_cmpuint (rig->changes, ==, changes + 1);
  assert_network (rig, "flatten, dense 10");
  assert_line (rig, "flatten,dense   10"); /* not while somebody types */
  type_line (rig, CNN);
  assert_network (rig, "cnn");

  /* Without Enter it is meant after a pause. */
  gtk_text_buffer_set_text (rig->line, "flatten, dense 10", -1);
  rig_wait_ms (600);
  assert_network (rig, "flatten, dense 10");
}

static void
test_hostile (Rig *rig, gconstpointer data)
{
  g_autofree char *length = g_strnfill (200000, 'x'), *many = NULL;
  g_autoptr (GString) layers = g_string_new ("relu");
  const char *const texts[] = { "",
                                " ",
                                ",",
                                "\n\n",
                                "%s%n%d",
                                "<b>dense</b> 10",
                                "dense 10\u202e",
                                "dense 99999999999",
                                "dense -1",
                                "conv 1 1 pad 1",
                                "conv 3",
                                "maxpool 0",
                                "\u2066\u2066\u2066",
                                length,
                                NULL };

  for (guint i = 0; texts[i] != NULL; i++)
    {
      type_line (rig, texts[i]);
      g_assert_cmpstr (wrong (rig), !=, "");
      g_assert_cmpuint (rig->changes, ==, 0);
      g_assert_true (g_utf8_validate (wrong (rig), -1, NULL));
      g_assert_cmpuint (strlen (wrong (rig)), <, 400);
    }
  for (guint i = 0; i < 80; i++)
    g_string_append (layers, ", relu");
  many = g_string_free (g_steal_pointer (&layers), FALSE);
  type_line (rig, many);
  g_assert_nonnull (strstr (wrong (rig), "64"));

  /* One more than there may be, by click. */
  type_line (rig, "flatten, dense 10");
  for (guint i = 0; i < 63; i++)
    rig_click (rig->widget, "relu");
  g_assert_cmpuint (n_rows (rig), ==, 65);
  g_assert_nonnull (strstr (wrong (rig), "64"));
  assert_network (rig, NULL);
}

static void
test_unknown_input (Rig *rig, gconstpointer data)
{
  ls_layers_editor_set_input (rig->editor, NULL, 0);
  type_line (rig, "flatten, dense 7");
  g_assert_cmpstr (wrong (rig), ==, "");
  assert_network (rig, "flatten, dense 7");
}

static void
test_whole_and_named (Rig *rig, gconstpointer data)
{
  ls_layers_editor_set_text (rig->editor, "cnn");
  for (guint dpi = 1; dpi <= 2; dpi++)
    for (guint i = 0; i < 10; i++)
      {
        g_object_set (gtk_settings_get_default (), "gtk-xft-dpi", (int) dpi * 96 * 1024, NULL);
        gtk_list_box_select_row (rig->list, gtk_list_box_get_row_at_index (rig->list, (int) i));
        rig_settle ();
        rig_assert_whole (rig->widget);
        rig_assert_named (rig->widget);
      }
  g_object_set (gtk_settings_get_default (), "gtk-xft-dpi", 96 * 1024, NULL);
}

/* In the pane: opened from the drop-down; what fits arrives as pending, what doesn't leaves the last that
 * did. */
static void
test_in_pane (void)
{
  GtkWidget *pane = ls_settings_pane_new (), *window = rig_show (pane, LS_SETTINGS_PANE_WIDTH, 900);
  GtkDropDown *network = GTK_DROP_DOWN (rig_find (pane, LS_SETTINGS_ID "model"));
  GtkWidget *list = rig_find_kind (rig_find_kind (pane, LS_TYPE_LAYERS_EDITOR), GTK_TYPE_LIST_BOX);

  gtk_drop_down_set_selected (network, 3); /* “Layers…” */
  rig_settle ();
  g_assert_cmpuint (gtk_drop_down_get_selected (network), ==, 0);
  rig_wait_mapped (GTK_WIDGET (network), FALSE);
  g_assert_true (gtk_widget_get_mapped (list));
  rig_assert_named (pane);

  gtk_list_box_select_row (GTK_LIST_BOX (list), gtk_list_box_get_row_at_index (GTK_LIST_BOX (list), 4));
  rig_click (pane, "Remove the layer");
  g_assert_cmpstr (ls_settings_pane_options (LS_SETTINGS_PANE (pane))->model, ==,
                   "flatten, dense 256, relu, dense 128, dense 10");
  g_assert_true (ls_settings_pane_is_pending (LS_SETTINGS_PANE (pane)));
  rig_click (pane, "Remove the layer"); /* the last: what is left doesn't end in ten classes */
  g_assert_cmpstr (ls_settings_pane_options (LS_SETTINGS_PANE (pane))->model, ==,
                   "flatten, dense 256, relu, dense 128, dense 10");
  rig_click (pane, "Undo the last change of the layers");
  rig_click (pane, "Undo the last change of the layers");
  g_assert_cmpstr (ls_settings_pane_options (LS_SETTINGS_PANE (pane))->model, ==, "mlp");
  g_assert_false (ls_settings_pane_is_pending (LS_SETTINGS_PANE (pane)));
  rig_click (pane, "Back to the settings");
  rig_wait_mapped (GTK_WIDGET (network), TRUE);
  rig_close (window);
}

int
main (int argc, char **argv)
{
  gtk_test_init (&argc, &argv, NULL);
  adw_init ();
#define ADD(path, func) g_test_add ("/layers/" path, Rig, NULL, set_up, func, tear_down)
  ADD ("cnn-by-clicks", test_cnn_by_clicks);
  ADD ("shapes", test_shapes);
  ADD ("moves", test_moves);
  ADD ("numbers", test_numbers);
  ADD ("line", test_line);
  ADD ("hostile", test_hostile);
  ADD ("unknown-input", test_unknown_input);
  ADD ("whole-and-named", test_whole_and_named);
  ADD ("sequence", test_sequence);
  g_test_add_func ("/layers/in-pane", test_in_pane);
  return g_test_run ();
}
