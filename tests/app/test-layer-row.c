/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One row of the list of layers: what is typed into its numbers; and the text that has all of them.
 */
#include <string.h>

#include "rig.h"
#include "ui/app/settings/layer_row.h"
#include "ui/app/settings/layers_line.h"

static void
type (GtkWidget *row, const char *text)
{
  GtkWidget *entry = rig_find_kind (row, GTK_TYPE_ENTRY);

  gtk_editable_set_text (GTK_EDITABLE (entry), text);
  g_signal_emit_by_name (entry, "activate");
  rig_settle ();
}

/* A share is a decimal number, with a point in every language; what is none changes nothing and is marked. */
static void
test_share (void)
{
  static const char *const wrong[] = { "1", "0,3", "-0.1", "", "half" };
  const LsLayer layer = { .kind = LS_LAYER_DROPOUT, .share = LS_MODEL_SHARES / 2 };
  GtkWidget *row = ls_layer_row_new (LS_LAYER_DROPOUT), *list = gtk_list_box_new (), *window;
  GtkWidget *entry = rig_find_kind (row, GTK_TYPE_ENTRY);

  gtk_list_box_append (GTK_LIST_BOX (list), row);
  window = rig_show (list, 300, 200);
  ls_layer_row_show (LS_LAYER_ROW (row), &layer, 3, NULL, FALSE);
  ls_layer_row_set_open (LS_LAYER_ROW (row), TRUE);
  rig_settle ();
  g_assert_cmpstr (gtk_editable_get_text (GTK_EDITABLE (entry)), ==, "0.5");
  type (row, "0.125");
  g_assert_cmpint (ls_layer_row_get_layer (LS_LAYER_ROW (row))->share, ==, 125000);
  for (gsize i = 0; i < G_N_ELEMENTS (wrong); i++)
    {
      type (row, wrong[i]);
      g_assert_true (gtk_widget_has_css_class (entry, "error"));
      g_assert_cmpint (ls_layer_row_get_layer (LS_LAYER_ROW (row))->share, ==, 125000);
    }
  type (row, "0");
  g_assert_false (gtk_widget_has_css_class (entry, "error"));
  g_assert_cmpint (ls_layer_row_get_layer (LS_LAYER_ROW (row))->share, ==, 0);
  rig_close (window);
}

/* ---- each kind's numbers ---- */

typedef struct {
  GtkWidget *row, *window;
  guint edited;
} Row;

static void
edited_cb (LsLayerRow *row, guint *edited)
{
  ++*edited;
}

static void
row_open (Row *row, const LsLayer *layer)
{
  GtkWidget *list = gtk_list_box_new ();

  row->edited = 0;
  row->row = ls_layer_row_new (layer->kind);
  gtk_list_box_append (GTK_LIST_BOX (list), row->row);
  row->window = rig_show (list, 400, 300);
  ls_layer_row_show (LS_LAYER_ROW (row->row), layer, 3, NULL, FALSE);
  ls_layer_row_set_open (LS_LAYER_ROW (row->row), TRUE);
  g_signal_connect (row->row, "edited", G_CALLBACK (edited_cb), &row->edited);
  rig_settle ();
}

static GtkWidget *
entry_at (Row *row, guint i)
{
  return rig_find_nth (row->row, GTK_TYPE_ENTRY, i);
}

static void
enter (Row *row, guint i, const char *text)
{
  gtk_editable_set_text (GTK_EDITABLE (entry_at (row, i)), text);
  g_signal_emit_by_name (entry_at (row, i), "activate");
}

static void
press (Row *row, guint i, guint key, GdkModifierType state, gboolean taken)
{
  g_autoptr (GListModel) all = gtk_widget_observe_controllers (entry_at (row, i));
  gboolean handled = FALSE;

  for (guint k = 0; !handled && k < g_list_model_get_n_items (all); k++)
    {
      g_autoptr (GtkEventController) one = g_list_model_get_item (all, k);
      if (GTK_IS_EVENT_CONTROLLER_KEY (one))
        g_signal_emit_by_name (one, "key-pressed", key, 0, state, &handled);
    }
  g_assert_cmpint (handled, ==, taken);
}

/* As the network's line has them. */
static void
assert_layer (Row *row, const char *line, guint edited)
{
  g_autofree char *text = ls_layers_text (ls_layer_row_get_layer (LS_LAYER_ROW (row->row)), 1);

  if (strcmp (text, line) != 0 || row->edited != edited)
    g_error ("the layer is “%s”, edited %u times; it should be “%s”, edited %u times", text, row->edited,
             line, edited);
}

/* Each kind has its own numbers, under their names, and a number that is typed is that one. */
static void
test_fields (void)
{
  static const struct {
    LsLayer layer;
    const char *labels[4], *shown[4]; /* NULL-terminated */
    const char *typed;                /* 3 into the first, 4 into the second, … */
  } rows[] = {
    { { .kind = LS_LAYER_CONV, .n = 16, .kernel = 5, .stride = 2, .pad = 1 },
      { "channels", "kernel", "stride", "padding" },
      { "16", "5", "2", "1" },
      "conv 3 4 stride 5 pad 6" },
    { { .kind = LS_LAYER_DENSE, .n = 64 }, { "units" }, { "64" }, "dense 3" },
    { { .kind = LS_LAYER_LSTM, .n = 32 }, { "units" }, { "32" }, "lstm 3" },
    { { .kind = LS_LAYER_MAXPOOL, .kernel = 2, .stride = 1 },
      { "kernel", "stride" },
      { "2", "1" },
      "maxpool 3 stride 4" },
    { { .kind = LS_LAYER_AVGPOOL, .kernel = 7 }, { "kernel" }, { "7" }, "avgpool 3" },
    { { .kind = LS_LAYER_RELU }, { NULL }, { NULL }, "relu" },
  };

  for (gsize r = 0; r < G_N_ELEMENTS (rows); r++)
    {
      Row row;
      guint n = 0;

      row_open (&row, &rows[r].layer);
      for (; n < 4 && rows[r].labels[n] != NULL; n++)
        {
          GtkWidget *entry = entry_at (&row, n);

          g_assert_cmpstr (gtk_editable_get_text (GTK_EDITABLE (entry)), ==, rows[r].shown[n]);
          g_assert_cmpstr (gtk_label_get_text (GTK_LABEL (gtk_widget_get_prev_sibling (entry))), ==,
                           rows[r].labels[n]);
          rig_assert_says (entry, GTK_ACCESSIBLE_PROPERTY_LABEL, rows[r].labels[n]);
        }
      for (guint i = 0; i < n; i++)
        {
          g_autofree char *text = g_strdup_printf ("%u", 3 + i);

          enter (&row, i, text);
          enter (&row, i, text); /* which it is already */
        }
      assert_layer (&row, rows[r].typed, n);
      rig_close (row.window);
    }
}

/* What is wrong is marked as long as it stands there: shown anew, the number is right again. */
static void
test_wrong_goes (void)
{
  const LsLayer conv = { .kind = LS_LAYER_CONV, .n = 16, .kernel = 3, .stride = 1, .pad = 1 };
  Row row;

  row_open (&row, &conv);
  enter (&row, 0, "many");
  g_assert_true (gtk_widget_has_css_class (entry_at (&row, 0), "error"));
  enter (&row, 1, "5");
  ls_layer_row_show (LS_LAYER_ROW (row.row), ls_layer_row_get_layer (LS_LAYER_ROW (row.row)), 3, NULL, FALSE);
  g_assert_cmpstr (gtk_editable_get_text (GTK_EDITABLE (entry_at (&row, 0))), ==, "16");
  if (gtk_widget_has_css_class (entry_at (&row, 0), "error"))
    g_error ("“many” is gone from the channels, and 16 is called wrong");
  rig_close (row.window);
}

/* What touches goes on to touch; what doesn't stays as it is. */
static void
test_pool (void)
{
  static const struct {
    int stride;
    const char *line;
  } rows[] = { { 2, "maxpool 3" }, { 1, "maxpool 3 stride 1" }, { 3, "maxpool 3" } };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      const LsLayer layer = { .kind = LS_LAYER_MAXPOOL, .kernel = 2, .stride = rows[i].stride };
      Row row;

      row_open (&row, &layer);
      enter (&row, 0, "3");
      assert_layer (&row, rows[i].line, 1);
      rig_close (row.window);
    }
}

/* Up and Down go to the next multiple of the field's step, and not below nothing; other keys are the field's.
 */
static void
test_keys (void)
{
  const LsLayer layer = { .kind = LS_LAYER_CONV, .n = 13, .kernel = 3, .stride = 1, .pad = 1 };
  Row row;

  row_open (&row, &layer);
  press (&row, 0, GDK_KEY_Up, 0, TRUE);
  assert_layer (&row, "conv 16 3 pad 1", 1);
  press (&row, 0, GDK_KEY_Up, 0, TRUE);
  assert_layer (&row, "conv 24 3 pad 1", 2);
  press (&row, 0, GDK_KEY_KP_Down, 0, TRUE);
  assert_layer (&row, "conv 16 3 pad 1", 3);
  press (&row, 1, GDK_KEY_KP_Up, 0, TRUE);
  assert_layer (&row, "conv 16 4 pad 1", 4);
  press (&row, 2, GDK_KEY_Up, 0, TRUE);
  assert_layer (&row, "conv 16 4 stride 2 pad 1", 5);
  press (&row, 3, GDK_KEY_Down, 0, TRUE);
  assert_layer (&row, "conv 16 4 stride 2", 6);
  press (&row, 3, GDK_KEY_Down, 0, TRUE); /* there is nothing below */
  assert_layer (&row, "conv 16 4 stride 2", 6);
  press (&row, 0, GDK_KEY_Up, GDK_CONTROL_MASK, FALSE);
  press (&row, 0, GDK_KEY_Up, GDK_ALT_MASK, FALSE);
  press (&row, 0, GDK_KEY_Left, 0, FALSE);
  assert_layer (&row, "conv 16 4 stride 2", 6);
  g_assert_cmpstr (gtk_editable_get_text (GTK_EDITABLE (entry_at (&row, 0))), ==, "16");
  rig_close (row.window);
}

/* From between two multiples Down goes to the one below, not past it; and from what was typed just now,
 * whether that has been taken or not. */
static void
test_keys_between (void)
{
  static const struct {
    LsLayer layer;
    const char *typed; /* NULL: nothing */
    guint key;
    const char *line, *shown;
  } rows[] = {
    { { .kind = LS_LAYER_DENSE, .n = 13 }, NULL, GDK_KEY_Down, "dense 8", "8" },
    { { .kind = LS_LAYER_DENSE, .n = 10 }, NULL, GDK_KEY_Down, "dense 8", "8" },
    { { .kind = LS_LAYER_DENSE, .n = 7 }, NULL, GDK_KEY_Down, "dense 0", "0" },
    { { .kind = LS_LAYER_DENSE, .n = 16 }, NULL, GDK_KEY_Down, "dense 8", "8" },
    { { .kind = LS_LAYER_DROPOUT, .share = LS_MODEL_SHARES * 12 / 100 },
      NULL,
      GDK_KEY_Down,
      "dropout 0.1",
      "0.1" },
    { { .kind = LS_LAYER_DENSE, .n = 128 }, "32", GDK_KEY_Up, "dense 40", "40" },
    { { .kind = LS_LAYER_DENSE, .n = 128 }, "32", GDK_KEY_Down, "dense 24", "24" },
    { { .kind = LS_LAYER_DENSE, .n = 128 }, "many", GDK_KEY_Up, "dense 136", "136" },
  };

  for (gsize r = 0; r < G_N_ELEMENTS (rows); r++)
    {
      Row row;

      row_open (&row, &rows[r].layer);
      if (rows[r].typed != NULL)
        gtk_editable_set_text (GTK_EDITABLE (entry_at (&row, 0)), rows[r].typed);
      press (&row, 0, rows[r].key, 0, TRUE);
      assert_layer (&row, rows[r].line, row.edited);
      g_assert_cmpuint (row.edited, >=, 1);
      g_assert_cmpstr (gtk_editable_get_text (GTK_EDITABLE (entry_at (&row, 0))), ==, rows[r].shown);
      rig_close (row.window);
    }
}

/* What an LSTM gives and reads; being shown edits nothing. */
static void
test_checks (void)
{
  static const char *const labels[] = { "gives all steps", "by columns" };
  LsLayer layer = { .kind = LS_LAYER_LSTM, .n = 32, .all = TRUE };
  Row row;

  row_open (&row, &layer);
  for (guint i = 0; i < 2; i++)
    {
      GtkCheckButton *check = GTK_CHECK_BUTTON (rig_find_nth (row.row, GTK_TYPE_CHECK_BUTTON, i));

      g_assert_cmpstr (gtk_check_button_get_label (check), ==, labels[i]);
      g_assert_cmpint (gtk_check_button_get_active (check), ==, i == 0);
      gtk_check_button_set_active (check, i == 1);
      g_assert_cmpuint (row.edited, ==, i + 1);
    }
  g_assert_false (ls_layer_row_get_layer (LS_LAYER_ROW (row.row))->all);
  g_assert_true (ls_layer_row_get_layer (LS_LAYER_ROW (row.row))->by_columns);
  ls_layer_row_show (LS_LAYER_ROW (row.row), &layer, 3, NULL, FALSE);
  g_assert_true (
    gtk_check_button_get_active (GTK_CHECK_BUTTON (rig_find_nth (row.row, GTK_TYPE_CHECK_BUTTON, 0))));
  g_assert_cmpuint (row.edited, ==, 2);
  rig_close (row.window);
}

/* With Tab from the row on: each number and each choice once, in their order, and nothing between. */
static void
test_stops (void)
{
  static const struct {
    LsLayer layer;
    guint numbers, choices;
  } rows[] = {
    { { .kind = LS_LAYER_CONV, .n = 16, .kernel = 5, .stride = 2, .pad = 1 }, 4, 0 },
    { { .kind = LS_LAYER_LSTM, .n = 32 }, 1, 2 },
    { { .kind = LS_LAYER_RELU }, 0, 0 },
  };

  for (gsize r = 0; r < G_N_ELEMENTS (rows); r++)
    {
      Row row;
      GtkWidget *focus;

      row_open (&row, &rows[r].layer);
      gtk_widget_grab_focus (row.row);
      for (guint i = 0; i < rows[r].numbers + rows[r].choices; i++)
        {
          if (!gtk_widget_child_focus (row.window, GTK_DIR_TAB_FORWARD))
            g_error ("%s has only %u stops of the keyboard", gtk_widget_get_name (row.row), i);
          focus = gtk_window_get_focus (GTK_WINDOW (row.window));
          if (i < rows[r].numbers
                ? !gtk_widget_is_ancestor (focus, entry_at (&row, i))
                : focus != rig_find_nth (row.row, GTK_TYPE_CHECK_BUTTON, i - rows[r].numbers))
            g_error ("Tab stops at a %s, where number or choice %u should be", G_OBJECT_TYPE_NAME (focus), i);
        }
      gtk_widget_child_focus (row.window, GTK_DIR_TAB_FORWARD); /* there is no more in it */
      focus = gtk_window_get_focus (GTK_WINDOW (row.window));
      if (focus != NULL && focus != row.row && gtk_widget_is_ancestor (focus, row.row))
        g_assert_true (rows[r].numbers > 0 && gtk_widget_is_ancestor (focus, entry_at (&row, 0)));
      rig_close (row.window);
    }
}

/* Its words and its shape, further in for each bracket around it, and in words which it is and whether it
 * fits. */
static void
test_words (void)
{
  static const struct {
    LsLayer layer;
    guint number;
    const char *shape;
    gboolean wrong;
    const char *words, *name;
  } rows[] = {
    { { .kind = LS_LAYER_DENSE, .n = 64 }, 1, "64", FALSE, "dense 64", "Layer 1: dense 64, makes 64" },
    { { .kind = LS_LAYER_DENSE, .n = 64, .depth = 2 },
      7,
      NULL,
      TRUE,
      "dense 64",
      "Layer 7: dense 64, doesn’t fit" },
    { { .kind = LS_LAYER_RELU, .depth = 1 }, 12, NULL, FALSE, "relu", "Layer 12: relu" },
    { { .kind = LS_LAYER_RESIDUAL }, 2, "8×4×4", FALSE, "residual", "Layer 2: residual, makes 8×4×4" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      Row row;

      row_open (&row, &rows[i].layer);
      ls_layer_row_show (LS_LAYER_ROW (row.row), &rows[i].layer, rows[i].number, rows[i].shape,
                         rows[i].wrong);
      GtkWidget *words = rig_find_nth (row.row, GTK_TYPE_LABEL, 0);
      g_assert_cmpstr (rig_label (row.row, 0), ==, rows[i].words);
      g_assert_cmpstr (rig_label (row.row, 1), ==, rows[i].shape != NULL ? rows[i].shape : "");
      g_assert_cmpint (gtk_widget_has_css_class (words, "error"), ==, rows[i].wrong);
      g_assert_cmpint (gtk_widget_get_margin_start (words), ==, 16 * (int) rows[i].layer.depth);
      rig_assert_says (row.row, GTK_ACCESSIBLE_PROPERTY_LABEL, rows[i].name);
      rig_close (row.window);
    }
}

static void
press_tab (GtkWidget *widget)
{
  g_autoptr (GListModel) controllers = gtk_widget_observe_controllers (widget);
  gboolean taken;

  for (guint i = 0; i < g_list_model_get_n_items (controllers); i++)
    {
      g_autoptr (GObject) keys = g_list_model_get_item (controllers, i);
      if (GTK_IS_EVENT_CONTROLLER_KEY (keys))
        g_signal_emit_by_name (keys, "key-pressed", GDK_KEY_Tab, 0, 0, &taken);
    }
}

/* The network's text has a name, and is as high as its words; Tab goes on to what follows, and writes
 * nothing. */
static void
test_line (void)
{
  GtkWidget *view, *line = ls_layers_line_new (&view), *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0),
                   *next = gtk_button_new_with_label ("next");
  GtkTextBuffer *buffer = gtk_text_view_get_buffer (GTK_TEXT_VIEW (view));
  g_autofree char *text = NULL;

  gtk_box_append (GTK_BOX (box), line);
  gtk_box_append (GTK_BOX (box), next);
  GtkWidget *window = rig_show (box, 240, 400);
  rig_assert_says (view, GTK_ACCESSIBLE_PROPERTY_LABEL, "Network as text");
  gtk_text_buffer_set_text (buffer, "flatten", -1);
  rig_settle ();
  const int low = gtk_widget_get_height (line);
  gtk_text_buffer_set_text (buffer, "flatten, dense 256, relu, dense 128, relu, dense 10", -1);
  rig_settle ();
  g_assert_cmpint (gtk_widget_get_height (line), >, low);
  g_assert_cmpint (gtk_widget_get_height (view), ==, gtk_widget_get_height (line));

  gtk_widget_grab_focus (view);
  press_tab (view);
  g_object_get (buffer, "text", &text, NULL);
  g_assert_cmpstr (text, ==, "flatten, dense 256, relu, dense 128, relu, dense 10");
  if (gtk_window_get_focus (GTK_WINDOW (window)) != next)
    g_error ("Tab doesn't leave the network's text");
  rig_close (window);
}

int
main (int argc, char **argv)
{
  gtk_test_init (&argc, &argv, NULL);
  adw_init ();
  g_test_add_func ("/layer-row/share", test_share);
  g_test_add_func ("/layer-row/fields", test_fields);
  g_test_add_func ("/layer-row/pool", test_pool);
  g_test_add_func ("/layer-row/wrong-goes", test_wrong_goes);
  g_test_add_func ("/layer-row/keys", test_keys);
  g_test_add_func ("/layer-row/keys-between", test_keys_between);
  g_test_add_func ("/layer-row/checks", test_checks);
  g_test_add_func ("/layer-row/stops", test_stops);
  g_test_add_func ("/layer-row/words", test_words);
  g_test_add_func ("/layer-row/line", test_line);
  return g_test_run ();
}
