/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the settings pane is made of, each by itself: labels, margins, the foot, the first samples, the
 * columns; and which words stand out in the pane.
 */
#include <string.h>

#include "settings_rig.h"
#include "ui/app/settings/layers_editor.h"
#include "ui/app/settings/settings_foot.h"
#include "ui/app/settings/settings_layout.h"
#include "ui/app/settings/settings_page.h"
#include "ui/app/settings/settings_samples.h"

/* ---- words ---- */

static PangoAttribute *
attribute (PangoAttrList *list, PangoAttrType type)
{
  g_autoptr (PangoAttrIterator) iter = list != NULL ? pango_attr_list_get_iterator (list) : NULL;

  return iter != NULL ? pango_attr_iterator_get (iter, type) : NULL;
}

static void
assert_looks (GtkWidget *label, gboolean bold, gboolean quiet, gboolean small, const char *when)
{
  PangoAttrList *list = gtk_label_get_attributes (GTK_LABEL (label));
  const PangoAttribute *weight = attribute (list, PANGO_ATTR_WEIGHT),
                       *alpha = attribute (list, PANGO_ATTR_FOREGROUND_ALPHA),
                       *scale = attribute (list, PANGO_ATTR_SCALE);
  const gboolean is_bold = weight != NULL && ((const PangoAttrInt *) weight)->value == PANGO_WEIGHT_BOLD;

  if (is_bold != bold || (alpha != NULL) != quiet || (scale != NULL) != small)
    g_error ("%s: “%s” is %s, %s and %s", when, gtk_label_get_text (GTK_LABEL (label)),
             is_bold ? "bold" : "not bold", alpha != NULL ? "quiet" : "not quiet",
             scale != NULL ? "small" : "not small");
  if (alpha != NULL)
    g_assert_cmpuint (((const PangoAttrInt *) alpha)->value, <, 65535);
  if (scale != NULL)
    g_assert_cmpfloat (((const PangoAttrFloat *) scale)->value, <, 1);
}

static void
test_label (void)
{
  for (guint quiet = 0; quiet < 2; quiet++)
    {
      GtkWidget *label = g_object_ref_sink (ls_settings_label_new ("Some words", quiet));

      g_assert_cmpstr (gtk_label_get_text (GTK_LABEL (label)), ==, "Some words");
      g_assert_cmpfloat (gtk_label_get_xalign (GTK_LABEL (label)), ==, 0);
      g_assert_true (gtk_label_get_wrap (GTK_LABEL (label)));
      assert_looks (label, FALSE, quiet, FALSE, quiet ? "a quiet label" : "a label");
      ls_settings_margins (label, 3, 7);
      g_assert_cmpint (gtk_widget_get_margin_top (label), ==, 3);
      g_assert_cmpint (gtk_widget_get_margin_bottom (label), ==, 7);
      g_assert_cmpint (gtk_widget_get_margin_start (label), ==, gtk_widget_get_margin_end (label));
      g_assert_cmpint (gtk_widget_get_margin_start (label), >, 7);
      g_object_unref (label);
    }
}

static void
assert_row (Rig *rig, const char *name, gboolean changed, gboolean wrong, const char *when)
{
  GtkWidget *control = rig_control (rig, name), *note = gtk_widget_get_next_sibling (control),
            *words = gtk_widget_get_prev_sibling (control);
  GtkText *text = GTK_TEXT (gtk_editable_get_delegate (GTK_EDITABLE (control)));
  const PangoAttribute *weight = attribute (gtk_text_get_attributes (text), PANGO_ATTR_WEIGHT);

  assert_looks (gtk_widget_get_first_child (words), changed, FALSE, FALSE, when);
  assert_looks (gtk_widget_get_last_child (words), FALSE, TRUE, TRUE, when);
  g_assert_cmpint (gtk_widget_get_visible (gtk_widget_get_last_child (words)), ==, changed);
  assert_looks (note, FALSE, !wrong, TRUE, when);
  g_assert_cmpint (gtk_widget_has_css_class (note, "error"), ==, wrong);
  g_assert_cmpint (gtk_widget_has_css_class (control, "error"), ==, wrong);
  if ((weight != NULL && ((const PangoAttrInt *) weight)->value == PANGO_WEIGHT_BOLD) != changed)
    g_error ("%s: the number is %s", when, changed ? "not bold" : "bold");
}

/* What was changed stands out with what it was beside it in small; what is wrong is plain to see. */
static void
test_rows_stand_out (Rig *rig, gconstpointer data)
{
  assert_row (rig, "batch", FALSE, FALSE, "as it runs");
  rig_type (rig, "batch", "64");
  assert_row (rig, "batch", TRUE, FALSE, "changed");
  rig_type (rig, "batch", "many");
  assert_row (rig, "batch", TRUE, TRUE, "changed, then wrong");
  rig_type (rig, "batch", "128");
  assert_row (rig, "batch", FALSE, FALSE, "as it runs again");
}

/* ---- numbers ---- */

static void
wait_for_option (Rig *rig, const char *name, const char *text, const char *when)
{
  for (guint i = 0; i < 1000; i++)
    {
      g_autofree char *is = rig_option (rig, name);
      if (strcmp (is, text) == 0)
        return;
      rig_wait_ms (10);
    }
  g_autofree char *is = rig_option (rig, name);
  g_error ("%s: %s is %s, not %s", when, name, is, text);
}

/* What is typed counts after a pause, and once; also after Enter has had it written as it is always
 * written. */
static void
test_typed (Rig *rig, gconstpointer data)
{
  static const struct {
    const char *name, *entered, *written, *typed;
  } rows[] = { { "lr", "0.0500", "0.05", "0.25" },
               { "momentum", " 0.50 ", "0.5", "0.75" },
               { "batch", "0064", "64", "32" },
               { "threads", "0", "auto", "3" } };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      GtkEditable *field = GTK_EDITABLE (rig_control (rig, rows[i].name));
      const guint before = rig->live + rig->pending;

      rig_type (rig, rows[i].name, rows[i].entered);
      g_assert_cmpstr (gtk_editable_get_text (field), ==, rows[i].written);
      const guint entered = rig->live + rig->pending;
      for (gsize n = 1; n <= strlen (rows[i].typed); n++)
        {
          g_autofree char *part = g_strndup (rows[i].typed, n);
          gtk_editable_set_text (field, part);
        }
      g_assert_cmpuint (rig->live + rig->pending, ==, entered);
      wait_for_option (rig, rows[i].name, rows[i].typed, "typed without Enter");
      g_assert_cmpuint (rig->live + rig->pending, <=, entered + 1);
      g_assert_cmpuint (rig->live + rig->pending, >, before);
      g_assert_cmpstr (gtk_editable_get_text (field), ==, rows[i].typed);
    }
}

/* ---- the foot ---- */

static void
count_cb (GtkWidget *button, guint *n)
{
  n[strstr (gtk_button_get_label (GTK_BUTTON (button)), "Undo") != NULL]++;
}

/* What each button does, in the order in which they are read; how many changes are undone; what a new run
 * begins with. */
static void
test_foot (void)
{
  static const char *const undo[] = { "Undo", "Undo", "Undo both", "Undo all", "Undo all" };
  static const char *const sentences[]
    = { "Shown is still the current run. The new one starts all lanes at step 0, from the new seed.",
        "Shown is still the current run. The new one starts all lanes at step 0, with the same first "
        "weights." };
  LsSettingsFoot foot;
  guint clicked[2] = { 0 };

  ls_settings_foot_init (&foot, G_CALLBACK (count_cb), G_CALLBACK (count_cb), clicked);
  g_object_ref_sink (foot.revealer);
  g_assert_true (gtk_widget_get_next_sibling (foot.run) == foot.undo);
  g_assert_true (gtk_widget_get_next_sibling (foot.undo) == foot.sentence);
  g_assert_false (gtk_revealer_get_reveal_child (GTK_REVEALER (foot.revealer)));
  for (guint n = 1; n < 5; n++)
    for (guint i = 0; i < 4; i++)
      {
        ls_settings_foot_show (&foot, n, i % 2, i / 2);
        g_assert_cmpstr (rig_label (foot.undo, 0), ==, undo[n]);
        g_assert_cmpint (gtk_widget_get_sensitive (foot.run), ==, i % 2);
        g_assert_true (gtk_widget_get_sensitive (foot.undo));
        g_assert_cmpstr (gtk_label_get_text (GTK_LABEL (foot.sentence)), ==, sentences[i / 2]);
      }
  assert_looks (foot.sentence, FALSE, TRUE, FALSE, "the foot");
  g_signal_emit_by_name (foot.run, "clicked");
  g_assert_true (clicked[0] == 1 && clicked[1] == 0);
  g_signal_emit_by_name (foot.undo, "clicked");
  g_assert_true (clicked[0] == 1 && clicked[1] == 1);
  g_object_unref (foot.revealer);
}

/* ---- the first samples ---- */

static guint
n_pictures (GtkWidget *samples)
{
  GtkFlowBox *grid = GTK_FLOW_BOX (gtk_widget_get_last_child (samples));
  guint n = 0;

  while (gtk_flow_box_get_child_at_index (grid, (int) n) != NULL)
    n++;
  return n;
}

static void
assert_samples (GtkWidget *samples, const char *words, gboolean wrong, guint n, const char *when)
{
  GtkWidget *label = gtk_widget_get_first_child (samples);

  if (gtk_widget_get_visible (samples) != (words != NULL))
    g_error ("%s: the samples are %s", when, words != NULL ? "hidden" : "shown");
  g_assert_cmpstr (gtk_label_get_text (GTK_LABEL (label)), ==, words != NULL ? words : "");
  if (gtk_widget_has_css_class (label, "error") != wrong)
    g_error ("%s: “%s” is %s as a mistake", when, words, wrong ? "not marked" : "marked");
  if (n_pictures (samples) != n)
    g_error ("%s: %u pictures instead of %u", when, n_pictures (samples), n);
}

/* Nothing at first; pictures with their labels in their order, a sentence in their place, nothing again. */
static void
test_samples (void)
{
  static char *labels[] = { (char *) "oak", (char *) "ash", (char *) "elm" };
  static char *notes[] = { (char *) "One note.", (char *) "Another.", NULL };
  guint8 pixels[3 * 2 * 2 * 3] = { 0 };
  LsDataPreview preview = { .shape = { 1, 2, 2 }, .width = 2, .height = 2, .n = 3, .pixels = pixels };
  GtkWidget *samples = g_object_ref_sink (ls_settings_samples_new ());

  preview.labels = labels;
  preview.notes = notes;
  preview.summary = (char *) "2×2, 3 classes";
  assert_samples (samples, NULL, FALSE, 0, "at first");
  for (guint round = 0; round < 2; round++)
    {
      ls_settings_samples_show (samples, &preview);
      assert_samples (samples, "2×2, 3 classes\nOne note.\nAnother.", FALSE, 3, "a data set");
      for (guint i = 0; i < 3; i++)
        {
          GtkWidget *cell = gtk_widget_get_first_child (GTK_WIDGET (
            gtk_flow_box_get_child_at_index (GTK_FLOW_BOX (gtk_widget_get_last_child (samples)), (int) i)));
          g_assert_cmpstr (rig_label (cell, 0), ==, labels[i]);
          g_assert_cmpstr (gtk_widget_get_tooltip_text (cell), ==, labels[i]);
        }
      ls_settings_samples_say (samples, "Reading.", FALSE);
      assert_samples (samples, "Reading.", FALSE, 0, "a sentence");
      ls_settings_samples_say (samples, "It can’t be read.", TRUE);
      assert_samples (samples, "It can’t be read.", TRUE, 0, "a mistake");
      ls_settings_samples_say (samples, NULL, FALSE);
      assert_samples (samples, NULL, FALSE, 0, "nothing");
    }
  g_object_unref (samples);
}

/* ---- the columns ---- */

static GtkWidget *
block (GtkWidget *parent, int width, int height)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);

  gtk_widget_set_size_request (box, width, height);
  gtk_widget_set_parent (box, parent);
  return box;
}

static void
assert_at (GtkWidget *widget, int x, int y, int w, int h, const char *what)
{
  graphene_rect_t at;

  g_assert_true (gtk_widget_compute_bounds (widget, gtk_widget_get_parent (widget), &at));
  if ((int) at.origin.x != x || (int) at.origin.y != y || (int) at.size.width != w
      || (int) at.size.height != h)
    g_error ("%s is at %g, %g and %g×%g px, not at %d, %d and %d×%d", what, (double) at.origin.x,
             (double) at.origin.y, (double) at.size.width, (double) at.size.height, x, y, w, h);
}

/* Names beside their controls where there is room for them, else above; notes below both; from the other
 * side where one reads from there. The widest of all three says how wide it must be. */
static void
test_columns (void)
{
  for (guint rtl = 0; rtl < 2; rtl++)
    {
      GtkWidget *list = g_object_new (GTK_TYPE_BOX, "layout-manager", ls_settings_layout_new (), NULL);
      GtkWidget *window = rig_show (list, 400, 300);
      GtkWidget *name = block (list, 100, 20), *control = block (list, 160, 30),
                *note = block (list, 200, 10), *second = block (list, 60, 20), *own = block (list, 120, 40),
                *nothing = block (list, 0, 0);
      int least, usual;

      gtk_widget_set_direction (list, rtl ? GTK_TEXT_DIR_RTL : GTK_TEXT_DIR_LTR);
      gtk_widget_measure (list, GTK_ORIENTATION_HORIZONTAL, -1, &least, &usual, NULL, NULL);
      g_assert_cmpint (least, ==, 200);
      g_assert_cmpint (usual, ==, 100 + 8 + 160);
      /* beside: 108 px are left of 276 for the names, with 8 between */
      gtk_widget_size_allocate (list, &(GtkAllocation){ 0, 0, 276, 200 }, -1);
      assert_at (name, rtl ? 276 - 108 : 0, 5, 108, 20, "a name beside its control");
      assert_at (control, rtl ? 0 : 116, 0, 160, 30, "a control beside its name");
      assert_at (note, 0, 32, 276, 10, "a note");
      assert_at (second, rtl ? 276 - 108 : 0, 58, 108, 20, "the second name");
      assert_at (own, rtl ? 0 : 116, 48, 160, 40, "the second control");
      gtk_widget_measure (list, GTK_ORIENTATION_VERTICAL, 276, &least, &usual, NULL, NULL);
      g_assert_cmpint (least, ==, 88);
      /* above */
      gtk_widget_size_allocate (list, &(GtkAllocation){ 0, 0, 220, 200 }, -1);
      assert_at (name, 0, 0, 220, 20, "a name above its control");
      assert_at (control, 0, 22, 220, 30, "a control below its name");
      assert_at (note, 0, 54, 220, 10, "a note below both");
      assert_at (second, 0, 70, 220, 20, "the second name above its control");
      gtk_widget_measure (list, GTK_ORIENTATION_VERTICAL, 220, &least, &usual, NULL, NULL);
      g_assert_cmpint (least, ==, 132);
      gtk_widget_set_size_request (note, 333, 10);
      gtk_widget_set_size_request (own, 334, 40);
      gtk_widget_measure (list, GTK_ORIENTATION_HORIZONTAL, -1, &least, &usual, NULL, NULL);
      g_assert_cmpint (least, ==, 334);
      g_assert_false (gtk_widget_get_visible (nothing) && gtk_widget_get_height (nothing) > 0);
      rig_close (window);
    }
}

/* Words that may break are as wide as their longest word at least, and as all of them usually; a name breaks
 * where its control would get no room, but within no word, and not often: then it stands above. */
static void
test_broken_names (void)
{
  GtkWidget *list = g_object_new (GTK_TYPE_BOX, "layout-manager", ls_settings_layout_new (), NULL);
  GtkWidget *window = rig_show (list, 400, 300);
  GtkWidget *name = gtk_label_new ("Name of words that break"), *control = block (list, 90, 30), *note;
  int least, usual, word, all, broken;

  gtk_label_set_wrap (GTK_LABEL (name), TRUE);
  gtk_widget_insert_before (name, list, control);
  note = gtk_label_new ("A note of many words that break as often as it must");
  gtk_label_set_wrap (GTK_LABEL (note), TRUE);
  gtk_widget_set_parent (note, list);
  gtk_widget_measure (name, GTK_ORIENTATION_HORIZONTAL, -1, &word, &all, NULL, NULL);
  g_assert_cmpint (all, >, 2 * word);
  gtk_widget_measure (list, GTK_ORIENTATION_HORIZONTAL, -1, &least, &usual, NULL, NULL);
  g_assert_cmpint (least, ==, MAX (90, word));
  g_assert_cmpint (usual, ==, all + 8 + 150);
  for (int left = 3 * all / 5 - 2; left <= 3 * all / 5 + 2; left++)
    {
      const int width = left + 8 + 150;
      const gboolean beside = left >= word && 5 * left >= 3 * all;

      gtk_widget_size_allocate (list, &(GtkAllocation){ 0, 0, width, 400 }, -1);
      gtk_widget_measure (name, GTK_ORIENTATION_VERTICAL, left, &broken, NULL, NULL, NULL);
      if ((gtk_widget_get_width (control) == 150) != beside)
        g_error ("with %d px for a name of %d it doesn't stand %s its control", left, all,
                 beside ? "beside" : "above");
      g_assert_cmpint (gtk_widget_get_width (name), ==, beside ? left : width);
      g_assert_true (!beside || gtk_widget_get_height (name) == broken);
    }
  rig_close (window);
}

/* ---- the list of layers ---- */

/* Who moves through the list by keys and changes it goes on where they are: the focus is on the layer that
 * was moved, or on the one in the place of what was removed. */
static void
test_layers_focus (void)
{
  static const struct {
    const char *button;
    int from, to;
  } rows[] = { { "Move the layer up", 1, 0 }, { "Move the layer down", 4, 5 }, { "Remove the layer", 1, 1 } };
  const gint64 shape[3] = { 1, 28, 28 };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      GtkWidget *editor = ls_layers_editor_new (), *scrolled = gtk_scrolled_window_new ();

      gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), editor);
      GtkWidget *window = rig_show (scrolled, 300, 700);
      GtkListBox *list = GTK_LIST_BOX (rig_find_kind (editor, GTK_TYPE_LIST_BOX));
      ls_layers_editor_set_input (LS_LAYERS_EDITOR (editor), shape, 10);
      ls_layers_editor_set_text (LS_LAYERS_EDITOR (editor),
                                 "flatten, dense 32, relu, dense 16, relu, dense 10");
      GtkListBoxRow *row = gtk_list_box_get_row_at_index (list, rows[i].from);
      gtk_list_box_select_row (list, row);
      gtk_widget_grab_focus (GTK_WIDGET (row));
      rig_click (editor, rows[i].button);
      row = gtk_list_box_get_selected_row (list);
      g_assert_cmpint (gtk_list_box_row_get_index (row), ==, rows[i].to);
      g_assert_cmpint (gtk_widget_get_sensitive (rig_find_button (editor, "Move the layer up")), ==, i != 0);
      g_assert_cmpint (gtk_widget_get_sensitive (rig_find_button (editor, "Move the layer down")), ==,
                       i != 1);
      GtkWidget *focus = gtk_root_get_focus (gtk_widget_get_root (editor));
      if (focus == NULL || !(focus == GTK_WIDGET (row) || gtk_widget_is_ancestor (focus, GTK_WIDGET (row))))
        g_error ("after “%s” the focus isn't on layer %d but on %s", rows[i].button, rows[i].to,
                 focus != NULL ? G_OBJECT_TYPE_NAME (focus) : "nothing");
      for (guint k = 0; k < 3; k++)
        {
          GtkWidget *box = gtk_list_box_row_get_child (gtk_list_box_get_row_at_index (list, (int) k));
          g_assert_cmpint (gtk_widget_get_margin_start (box), ==, gtk_widget_get_margin_end (box));
          g_assert_cmpint (gtk_widget_get_margin_top (box), ==, gtk_widget_get_margin_bottom (box));
        }
      rig_close (window);
    }
}

/* ---- layers ---- */

/* When a layer is taken out the one behind it is chosen, of the last one the one before. */
static void
test_removed (void)
{
  static const struct {
    int at, then;
    const char *left;
  } rows[] = { { 0, 0, "relu, dense 16, dense 10" },
               { 1, 1, "flatten, dense 16, dense 10" },
               { 2, 2, "flatten, relu, dense 10" },
               { 3, 2, "flatten, relu, dense 16" } };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      GtkWidget *editor = ls_layers_editor_new (), *window = rig_show (editor, 400, 500);
      GtkListBox *list = GTK_LIST_BOX (rig_find_kind (editor, GTK_TYPE_LIST_BOX));
      GtkTextIter start, end;

      ls_layers_editor_set_text (LS_LAYERS_EDITOR (editor), "flatten, relu, dense 16, dense 10");
      gtk_list_box_select_row (list, gtk_list_box_get_row_at_index (list, rows[i].at));
      rig_click (editor, "Remove the layer");
      GtkTextBuffer *line = gtk_text_view_get_buffer (
        GTK_TEXT_VIEW (rig_find_kind (editor, GTK_TYPE_TEXT_VIEW)));
      gtk_text_buffer_get_bounds (line, &start, &end);
      g_autofree char *left = gtk_text_buffer_get_text (line, &start, &end, FALSE);
      g_assert_cmpstr (left, ==, rows[i].left);
      if (gtk_list_box_row_get_index (gtk_list_box_get_selected_row (list)) != rows[i].then)
        g_error ("layer %d of 4 is taken out, and layer %d is chosen then", rows[i].at + 1,
                 gtk_list_box_row_get_index (gtk_list_box_get_selected_row (list)) + 1);
      rig_close (window);
    }
}

int
main (int argc, char **argv)
{
  gtk_test_init (&argc, &argv, NULL);
  adw_init ();
  g_test_add_func ("/settings/parts/label", test_label);
  g_test_add_func ("/settings/parts/foot", test_foot);
  g_test_add_func ("/settings/parts/samples", test_samples);
  g_test_add_func ("/settings/parts/columns", test_columns);
  g_test_add_func ("/settings/parts/broken-names", test_broken_names);
  g_test_add_func ("/settings/parts/layers-focus", test_layers_focus);
  g_test_add ("/settings/parts/rows-stand-out", Rig, NULL, rig_set_up, test_rows_stand_out, rig_tear_down);
  g_test_add ("/settings/parts/typed", Rig, NULL, rig_set_up, test_typed, rig_tear_down);
  g_test_add_func ("/settings/parts/removed", test_removed);
  return g_test_run ();
}
