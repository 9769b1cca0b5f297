/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What somebody sees of the settings: what stands in each list, on the pictures and in the tips, and where.
 */
#include <string.h>

#include "data/defaults.h"
#include "settings_rig.h"
#include "ui/app/settings/layers_editor.h"

/* The list's items are these, in this order, and that one is chosen. */
static void
assert_items (Rig *rig, const char *name, const char *const *items, guint chosen)
{
  GtkDropDown *down = GTK_DROP_DOWN (rig_control (rig, name));
  GtkStringList *list = GTK_STRING_LIST (gtk_drop_down_get_model (down));
  const guint n = g_list_model_get_n_items (G_LIST_MODEL (list));

  for (guint i = 0; i < n && items[i] != NULL; i++)
    if (strcmp (gtk_string_list_get_string (list, i), items[i]) != 0)
      g_error ("item %u of --%s is “%s”, not “%s”", i, name, gtk_string_list_get_string (list, i), items[i]);
  if (n != g_strv_length ((char **) items) || gtk_drop_down_get_selected (down) != chosen)
    g_error ("--%s has %u items, of which %u is chosen; it should have %u, and %u chosen", name, n,
             gtk_drop_down_get_selected (down), g_strv_length ((char **) items), chosen);
}

/* Choices by their words; networks by their units, and what asks for another; data without those that have a
 * picture; what is at hand and isn't usual stands behind the usual ones. */
static void
test_items (Rig *rig, gconstpointer data)
{
  static const char *const devices[] = { "First", "Second", NULL };
  g_autoptr (LsOptions) options = ls_options_new ();
  guint n;
  const LsOption *table = ls_options_table (&n);

  for (guint i = 0; i < n; i++)
    if (table[i].place != 0 && table[i].choices != NULL
        && GTK_IS_DROP_DOWN (rig_control (rig, table[i].name)))
      {
        g_autoptr (GPtrArray) words = g_ptr_array_new ();
        g_autofree char *value = rig_option (rig, table[i].name);
        guint chosen = 0;

        for (guint k = 0; table[i].choices[k] != NULL; k++)
          {
            chosen = strcmp (table[i].choices[k], value) == 0 ? k : chosen;
            g_ptr_array_add (words, (gpointer) ls_option_word (&table[i], table[i].choices[k]));
          }
        g_ptr_array_add (words, NULL);
        assert_items (rig, table[i].name, (const char *const *) words->pdata, chosen);
      }
  assert_items (rig, "model",
                (const char *const[]){ "256 · 128", "2 conv · 128", "lstm 128", "Layers…", NULL }, 0);
  assert_items (rig, "data",
                (const char *const[]){ ls_data_defaults ("circles")->word, ls_data_defaults ("moons")->word,
                                       ls_data_defaults ("tabular")->word, "choose…", "Folder…", "File…",
                                       NULL },
                3);
  assert_items (rig, "device", (const char *const[]){ "best", NULL }, 0);
  ls_settings_pane_set_devices (rig->pane, devices);
  assert_items (rig, "device", (const char *const[]){ "best", "First", "Second", NULL }, 0);

  ls_options_set (options, ls_options_find ("device"), "h200", NULL);
  ls_options_set (options, ls_options_find ("model"), "flatten, dense 64, relu, dense 10", NULL);
  ls_options_set (options, ls_options_find ("data"), "/data/mine.csv", NULL);
  ls_settings_pane_set_running (rig->pane, options);
  assert_items (rig, "device", (const char *const[]){ "best", "First", "Second", "h200", NULL }, 3);
  assert_items (rig, "model",
                (const char *const[]){ "256 · 128", "2 conv · 128", "lstm 128", "64", "Layers…", NULL }, 3);
  assert_items (rig, "data",
                (const char *const[]){ ls_data_defaults ("circles")->word, ls_data_defaults ("moons")->word,
                                       ls_data_defaults ("tabular")->word, "mine.csv", "Folder…", "File…",
                                       NULL },
                3);
  /* no device is left but the best, and the one at hand */
  ls_settings_pane_set_devices (rig->pane, (const char *const[]){ NULL });
  assert_items (rig, "device", (const char *const[]){ "best", "h200", NULL }, 1);
}

static graphene_rect_t
bounds (GtkWidget *widget, GtkWidget *in)
{
  graphene_rect_t at;

  g_assert_true (gtk_widget_compute_bounds (widget, in, &at));
  return at;
}

/* An icon, beside it what they are and under that how large; they are read so, too. */
static void
test_pictures (Rig *rig, gconstpointer data)
{
  static const char *const pictured[][2] = { { "mnist", "lockstep-digits-symbolic" },
                                             { "spiral", "lockstep-spiral-symbolic" },
                                             { "xor", "lockstep-xor-symbolic" } };

  for (gsize i = 0; i < G_N_ELEMENTS (pictured); i++)
    {
      const LsDataDefaults *set = ls_data_defaults (pictured[i][0]);
      g_autofree char *id = g_strconcat ("data-", pictured[i][0], NULL),
                      *name = g_strdup_printf ("%s, %s", set->word, set->about);
      GtkWidget *button = rig_control (rig, id), *icon = rig_find_kind (button, GTK_TYPE_IMAGE),
                *word = rig_find_nth (button, GTK_TYPE_LABEL, 0),
                *about = rig_find_nth (button, GTK_TYPE_LABEL, 1);
      const graphene_rect_t icon_at = bounds (icon, button), word_at = bounds (word, button),
                            about_at = bounds (about, button);

      g_assert_cmpstr (gtk_image_get_icon_name (GTK_IMAGE (icon)), ==, pictured[i][1]);
      g_assert_cmpstr (gtk_label_get_text (GTK_LABEL (word)), ==, set->word);
      g_assert_cmpstr (gtk_label_get_text (GTK_LABEL (about)), ==, set->about);
      rig_assert_says (button, GTK_ACCESSIBLE_PROPERTY_LABEL, name);
      if (word_at.origin.y + word_at.size.height > about_at.origin.y + 1)
        g_error ("“%s” isn't under “%s”", set->about, set->word);
      if (icon_at.origin.x + icon_at.size.width > word_at.origin.x + 1)
        g_error ("the icon isn't before “%s”", set->word);
      if (word_at.origin.x < about_at.origin.x - 1 || word_at.origin.x > about_at.origin.x + 1)
        g_error ("“%s” and “%s” don't begin in one column", set->word, set->about);
      g_assert_true (gtk_widget_has_css_class (word, "heading"));
    }
}

static void
assert_tip (GtkWidget *field, const char *text)
{
  const char *tip = gtk_widget_get_tooltip_text (field);

  if (g_strcmp0 (tip, text) != 0)
    g_error ("the tip of “%s” is “%s”", text, tip != NULL ? tip : "");
}

/* The list of lanes has the pane's width, and what has no room in it can be read in its tip, however it came
 * there. */
static void
test_lanes (Rig *rig, gconstpointer data)
{
  GtkWidget *field = rig_control (rig, "lanes"), *menu = rig_control (rig, "lanes-menu"),
            *batch = rig_control (rig, "batch");
  const char *two = "cpu(policy=static),cpu(policy=steal)";

  g_assert_cmpint (gtk_widget_get_width (field), >, gtk_widget_get_width (batch));
  gtk_editable_set_text (GTK_EDITABLE (field), "cpu,reference");
  assert_tip (field, "cpu,reference");
  gtk_widget_activate_action (menu, "lanes.compare", "s", two);
  assert_tip (field, two);
  rig_click (GTK_WIDGET (rig->pane), "Undo");
  g_assert_cmpstr (gtk_editable_get_text (GTK_EDITABLE (field)), ==, "cpu,opencl");
  assert_tip (field, "cpu,opencl");
}

/* However the rows are filled, the pane keeps to its width. */
static void
test_width (Rig *rig, gconstpointer data)
{
  int least;

  gtk_editable_set_text (GTK_EDITABLE (rig_control (rig, "lanes")),
                         "one=cpu(threads=1,policy=static),two=cpu(threads=2,policy=steal),opencl");
  ls_settings_pane_set_data (rig->pane, "/some/where/a folder with a name that is far too long for the pane");
  rig_settle ();
  gtk_widget_measure (GTK_WIDGET (rig->pane), GTK_ORIENTATION_HORIZONTAL, -1, &least, NULL, NULL, NULL);
  if (least > LS_SETTINGS_PANE_WIDTH)
    g_error ("the pane needs %d px and has %d", least, LS_SETTINGS_PANE_WIDTH);
}

static gboolean
has_label (GtkWidget *widget, const char *text)
{
  if (GTK_IS_LABEL (widget) && strcmp (gtk_label_get_text (GTK_LABEL (widget)), text) == 0)
    return TRUE;
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    if (has_label (child, text))
      return TRUE;
  return FALSE;
}

/* The list tells what goes in and what the last layer makes of it, of the data that are wished now; of data
 * that nobody has read, nothing. */
static void
test_layers_input (Rig *rig, gconstpointer data)
{
#define UNKNOWN "What goes in is known once the data are read."
  static const struct {
    const char *data;
    gint64 shape[3]; /* as it is read then; 0: it isn't */
    const char *words, *made;
  } rows[] = {
    { "mnist",
      { 0 },
      "From \u2066"
      "1×28×28\u2069 to 10 classes",
      "10" },
    { "/no/such.csv", { 0 }, UNKNOWN, NULL },
    { "spiral",
      { 0 },
      "From \u2066"
      "2×1×1\u2069 to 3 classes",
      "3" },
    { "/no/folder", { 0 }, UNKNOWN, NULL },
    { "/no/folder",
      { 3, 16, 20 },
      "From \u2066"
      "3×16×20\u2069 to 7 classes",
      "7" },
    { "/no/other", { 0 }, UNKNOWN, NULL },
  };
  GtkWidget *editor = rig_find_kind (GTK_WIDGET (rig->pane), LS_TYPE_LAYERS_EDITOR);

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      GtkDropDown *network = GTK_DROP_DOWN (rig_control (rig, "model"));

      ls_settings_pane_set_data (rig->pane, rows[i].data);
      if (rows[i].shape[0] > 0)
        ls_settings_pane_set_shape (rig->pane, rows[i].data, rows[i].shape, 7, 100);
      gtk_drop_down_set_selected (network, g_list_model_get_n_items (gtk_drop_down_get_model (network)) - 1);
      rig_settle ();
      if (!has_label (editor, rows[i].words))
        g_error ("with %s the list of layers doesn’t say “%s”", rows[i].data, rows[i].words);
      if (has_label (editor, UNKNOWN) != (rows[i].made == NULL))
        g_error ("with %s the list of layers %s what goes in", rows[i].data,
                 rows[i].made == NULL ? "knows" : "doesn’t know");
      if (rows[i].made != NULL && !has_label (editor, rows[i].made))
        g_error ("with %s the last layer doesn’t make %s numbers", rows[i].data, rows[i].made);
      rig_click (GTK_WIDGET (rig->pane), "Back to the settings");
    }
}

static void
assert_layers (Rig *rig, const char *model, const char *input, const char *when)
{
  LsLayersEditor *editor = LS_LAYERS_EDITOR (rig_find_kind (GTK_WIDGET (rig->pane), LS_TYPE_LAYERS_EDITOR));
  g_autofree char *text = ls_layers_editor_get_text (editor);

  if (g_strcmp0 (text, model) != 0)
    g_error ("%s, the list of layers has “%s”, not “%s”", when, text != NULL ? text : "(what doesn't fit)",
             model);
  if (!has_label (GTK_WIDGET (editor), input))
    g_error ("%s, the list of layers doesn't say “%s”", when, input);
}

/* While the list of layers is open it shows the network that is wished, whoever wishes it: after undo the one
 * that runs, that of a run that was begun elsewhere, and what goes in of data that were dropped. */
static void
test_layers_follow (Rig *rig, gconstpointer data)
{
  const char *const mnist = "From \u2066"
                            "1×28×28\u2069 to 10 classes",
                    *const points = "From \u2066"
                                    "2×1×1\u2069 to 3 classes";
  const char *const own = "flatten, dense 7, relu, dense 10", *const small
                                                              = "flatten, dense 5, relu, dense 3";
  GtkDropDown *network = GTK_DROP_DOWN (rig_control (rig, "model"));
  GtkWidget *editor = rig_find_kind (GTK_WIDGET (rig->pane), LS_TYPE_LAYERS_EDITOR);
  GtkTextBuffer *line = gtk_text_view_get_buffer (GTK_TEXT_VIEW (rig_find_kind (editor, GTK_TYPE_TEXT_VIEW)));
  g_autoptr (LsOptions) options = ls_options_new ();

  gtk_drop_down_set_selected (network, g_list_model_get_n_items (gtk_drop_down_get_model (network)) - 1);
  rig_settle ();
  assert_layers (rig, "mlp", mnist, "opened");
  for (guint i = 0; i < 2; i++) /* one that fits, and one that isn't a network */
    {
      gtk_text_buffer_set_text (line, own, -1);
      gtk_text_buffer_insert_at_cursor (line, "\n", -1);
      assert_layers (rig, own, mnist, "typed");
      assert_option (rig, "model", own);
      if (i == 1)
        {
          gtk_text_buffer_set_text (line, "flatten, dense", -1);
          gtk_text_buffer_insert_at_cursor (line, "\n", -1);
        }
      rig_click (GTK_WIDGET (rig->pane), "Undo");
      assert_layers (rig, "mlp", mnist, "undone");
      assert_option (rig, "model", "mlp");
    }
  ls_settings_pane_set_data (rig->pane, "spiral");
  g_assert_cmpstr (ls_settings_pane_options (rig->pane)->model, !=, "mlp");
  assert_layers (rig, ls_settings_pane_options (rig->pane)->model, points, "with other data");
  g_assert_true (ls_options_set (options, ls_options_find ("data"), "spiral", NULL));
  g_assert_true (ls_options_set (options, ls_options_find ("model"), small, NULL));
  ls_settings_pane_set_running (rig->pane, options);
  assert_layers (rig, small, points, "with another run");
  assert_option (rig, "model", small);
  g_assert_cmpstr (ls_settings_pane_running (rig->pane)->model, ==, small);
  g_assert_false (ls_settings_pane_is_pending (rig->pane));
}

/* In each list's button the words have all room but the arrow's. */
static void
test_arrows (Rig *rig, gconstpointer data)
{
  guint n, seen = 0;
  const LsOption *table = ls_options_table (&n);

  for (guint i = 0; i < n; i++)
    {
      GtkWidget *down = table[i].place != 0 ? rig_control (rig, table[i].name) : NULL;
      GtkWidget *box, *arrow;
      int least, natural;

      if (down == NULL || !GTK_IS_DROP_DOWN (down))
        continue;
      box = gtk_widget_get_first_child (gtk_widget_get_first_child (down));
      arrow = gtk_widget_get_last_child (box);
      gtk_widget_measure (arrow, GTK_ORIENTATION_HORIZONTAL, -1, &least, &natural, NULL, NULL);
      const graphene_rect_t at = bounds (arrow, box);
      if (at.size.width > (float) natural + 1)
        g_error ("the arrow of --%s has %g px, and needs %d", table[i].name, (double) at.size.width, natural);
      g_assert_cmpfloat (at.origin.x + at.size.width, >=, gtk_widget_get_width (box) - 1);
      g_assert_false (gtk_widget_get_can_focus (box)); /* the list's is the one stop */
      seen++;
    }
  g_assert_cmpuint (seen, >, 4);
}

/* The title is on the left, what closes the pane is on its right edge. */
static void
test_head (Rig *rig, gconstpointer data)
{
  GtkWidget *close = rig_find_button (GTK_WIDGET (rig->pane), "Close the settings"),
            *title = gtk_widget_get_first_child (gtk_widget_get_parent (close));
  const graphene_rect_t close_at = bounds (close, GTK_WIDGET (rig->pane)),
                        title_at = bounds (title, GTK_WIDGET (rig->pane));
  const int width = gtk_widget_get_width (GTK_WIDGET (rig->pane));

  g_assert_cmpstr (gtk_label_get_text (GTK_LABEL (title)), ==, "Settings");
  g_assert_cmpfloat (title_at.origin.x, <, 32);
  if (close_at.origin.x + close_at.size.width < (float) width - 32)
    g_error ("the pane is %d px wide, and is closed at %g", width, (double) close_at.origin.x);
}

int
main (int argc, char **argv)
{
  gtk_test_init (&argc, &argv, NULL);
  adw_init ();
#define ADD(path, func) g_test_add ("/settings/look/" path, Rig, NULL, rig_set_up, func, rig_tear_down)
  ADD ("items", test_items);
  ADD ("pictures", test_pictures);
  ADD ("lanes", test_lanes);
  ADD ("arrows", test_arrows);
  ADD ("head", test_head);
  ADD ("width", test_width);
  ADD ("layers-input", test_layers_input);
  ADD ("layers-follow", test_layers_follow);
  return g_test_run ();
}
