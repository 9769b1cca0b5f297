/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One row of the list of layers: what is typed into its numbers.
 */
#include "rig.h"
#include "ui/app/settings/layer_row.h"

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

int
main (int argc, char **argv)
{
  gtk_test_init (&argc, &argv, NULL);
  adw_init ();
  g_test_add_func ("/layer-row/share", test_share);
  return g_test_run ();
}
